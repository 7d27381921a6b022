"""The interactive page of an order."""
