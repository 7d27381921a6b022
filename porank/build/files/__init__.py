"""Files into graphs and back, one module for each format."""
