"""Degrees of preference, and the order that abstains."""
