"""Pictures of orders."""
