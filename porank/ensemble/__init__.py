"""Many orders: the preferences that they share, orders that abstain, and one order out of many."""
