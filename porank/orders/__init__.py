"""One order: what it is, what it says, and where its items stand."""
