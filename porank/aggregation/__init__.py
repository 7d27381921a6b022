"""One order out of many."""
