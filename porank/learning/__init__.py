"""Machine-learned rankers that abstain."""
