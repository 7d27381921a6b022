"""Any ranker as a partial ranker."""
