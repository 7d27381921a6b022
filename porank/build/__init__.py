"""No order yet: data into graphs."""
