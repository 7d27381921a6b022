"""Make orders from text, rankings, scores, tables and votes."""
