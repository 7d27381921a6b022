"""The rankings that an order leaves open: counted, drawn, and where items stand in them."""
