"""The layout of a Hasse diagram, without matplotlib."""
