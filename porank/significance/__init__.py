"""Is it chance? Intervals, tests of a pair, and tests of systems."""
