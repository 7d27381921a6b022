"""The taste model by definition: comparisons one by one, dense matrices, units refitted.

A log is a list of lists shown: (unit, block, [(item, place, level), ...]). Nothing here knows how
porank computes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

#: A list shown: its unit, its block of time, and for each item its place and level, 0 the best.
List = tuple[Any, int, Sequence[tuple[Any, int, int]]]
RIDGE, PLACE_RIDGE = 0.1, 1e-3


def comparisons(lists: Sequence[List]) -> list[tuple[Any, Any, Any, Any, Any, float]]:
    """Return (unit, winner, its spot, loser, its spot, weight) for each comparison."""
    return [
        (unit, u, (block, j), v, (block, k), 1 / (len(shown) - 1))
        for unit, block, shown in lists
        for (u, j, a), (v, k, b) in product(shown, repeat=2)
        if a < b
    ]


def fit(
    rows: Sequence[tuple[Any, Any, Any, Any, Any, float]],
    items: Sequence[Any],
    spots: Sequence[Any],
) -> np.ndarray:
    """Return the strengths and the terms of places that maximise the penalised likelihood."""
    n, size = len(items), len(items) + len(spots)
    X = np.zeros((len(rows), size))
    for row, (_, u, at, v, other, _) in enumerate(rows):
        X[row, items.index(u)] += 1
        X[row, n + spots.index(at)] += 1
        X[row, items.index(v)] -= 1
        X[row, n + spots.index(other)] -= 1
    weight = np.array([row[-1] for row in rows])
    prior = np.diag([RIDGE] * n + [PLACE_RIDGE] * len(spots))
    b = np.zeros(size)
    for _ in range(200):
        miss = 1 / (1 + np.exp(X @ b))
        slope = X.T @ (weight * miss) - prior @ b
        bend = X.T @ np.diag(weight * miss * (1 - miss)) @ X + prior
        step = np.linalg.solve(bend, slope)
        b = b + step / max(1.0, float(np.abs(step).max()))
    return b


def influences(
    rows: Sequence[tuple[Any, Any, Any, Any, Any, float]],
    items: Sequence[Any],
    spots: Sequence[Any],
) -> dict[Any, np.ndarray]:
    """Return unit -> how the strengths change if the unit is left out, with the sign turned."""
    whole = fit(rows, items, spots)[: len(items)]
    units = dict.fromkeys(row[0] for row in rows)
    return {
        unit: whole - fit([row for row in rows if row[0] != unit], items, spots)[: len(items)]
        for unit in units
    }
