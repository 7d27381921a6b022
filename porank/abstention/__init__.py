"""Degrees of preference, and orders that abstain."""
