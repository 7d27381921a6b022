"""One order in hand: what it is, what it says, where its items stand."""
