"""Measures of how well two orders agree."""
