"""How strong are they? Worths of items from rankings, partial orders and battles, under a model."""
