"""Two orders: how one agrees with another."""
