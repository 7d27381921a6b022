"""Files into orders, and back."""
