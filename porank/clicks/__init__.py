"""Click logs: reading them, rules for preferences, pairs, and their evidence."""
