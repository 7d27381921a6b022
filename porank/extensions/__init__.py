"""List, count and draw linear extensions, and compute rank probabilities."""
