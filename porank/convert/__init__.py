"""Data in memory into orders: text, rankings, scores, tables, votes."""
