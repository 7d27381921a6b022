"""Intervals and tests for values of measures and for differences between systems."""
