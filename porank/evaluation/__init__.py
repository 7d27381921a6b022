"""Many pairs: users, queries, folds, a target and a prediction each, evaluated in columns."""
