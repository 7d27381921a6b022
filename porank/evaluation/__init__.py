"""Evaluate many pairs of orders: a target and a prediction for each group."""
