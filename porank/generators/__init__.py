"""Standard orders, examples and random orders."""
