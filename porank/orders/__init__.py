"""Analyse a single order: its closure, cycles, ranks, type and dimension."""
