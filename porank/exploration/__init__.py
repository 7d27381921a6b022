"""Exploring a log: all that it says, and what it does not, on one page."""
