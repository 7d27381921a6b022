"""Orders made by rule and by chance."""
