"""From what people do to preferences: logs, rules, pairs and their evidence."""
