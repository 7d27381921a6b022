"""Exploring a log: a report on what it settles and what it leaves open."""
