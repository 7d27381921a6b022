"""Pictures of orders: where items and edges go, and the drawing of it."""
