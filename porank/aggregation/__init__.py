"""Aggregation: one order out of many."""
