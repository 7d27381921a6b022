"""Where the boxes of a Hasse diagram stand; no matplotlib here."""
