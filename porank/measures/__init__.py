"""Two orders in hand: how far a predicted order agrees with its target."""
