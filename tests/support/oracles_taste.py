"""The taste model by definition: comparisons one by one, dense matrices, units refitted.

A log is a list of lists shown: (unit, block, [(item, place, level), ...]). Nothing here knows how
porank computes it.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

#: A list shown: its unit, its block of time, and for each item its place and level, 0 the best.
List = tuple[Any, int, Sequence[tuple[Any, int, int]]]
RIDGE, PLACE_RIDGE, RIVAL_RIDGE, MOST_RIVAL = 0.1, 1e-3, 3.0, 2.0


class Comparison(NamedTuple):
    """That an item was chosen over another one in a list, and which items stood how far above each.

    An item counts 1 if it stood above, and 1/2 if it is the item itself.
    """

    unit: Any
    winner: Any
    at: Any
    loser: Any
    other_at: Any
    weight: float
    above_winner: dict[Any, float]
    above_loser: dict[Any, float]


def comparisons(lists: Sequence[List]) -> list[Comparison]:
    """Return each comparison; in lists of two, nothing counts as above."""

    def above(shown: Sequence[tuple[Any, int, int]], place: int) -> dict[Any, float]:
        some = [(item, other) for item, other, _ in shown if other <= place and len(shown) > 2]
        return {item: 1 if other < place else 0.5 for item, other in some}

    return [
        Comparison(
            *(unit, u, (block, j), v, (block, k), 1 / (len(shown) - 1)),
            *(above(shown, j), above(shown, k)),
        )
        for unit, block, shown in lists
        for (u, j, a), (v, k, b) in product(shown, repeat=2)
        if a < b
    ]


def fit(rows: Sequence[Comparison], items: Sequence[Any], spots: Sequence[Any]) -> np.ndarray:
    """Return the strengths, the terms of places, and the term of rivals, that agree.

    They maximise the penalised likelihood for given rivals, the sum of exp(s) above the loser less
    that above the winner, and the s in this sum are those of the fit, but at most 2.
    """
    strength = np.zeros(len(items))
    while True:
        b = fit_given(rows, items, spots, strength)
        if np.abs(b[: len(items)] - strength).max() < 1e-10:
            return b
        strength = (strength + b[: len(items)]) / 2


def fit_given(
    rows: Sequence[Comparison], items: Sequence[Any], spots: Sequence[Any], strength: np.ndarray
) -> np.ndarray:
    """Return the fit with rivals of given strengths."""
    n, size = len(items), len(items) + len(spots) + 1
    often = dict(zip(items, np.exp(np.minimum(strength, MOST_RIVAL)).tolist(), strict=True))
    X = np.zeros((len(rows), size))
    for row, compared in enumerate(rows):
        X[row, items.index(compared.winner)] += 1
        X[row, n + spots.index(compared.at)] += 1
        X[row, items.index(compared.loser)] -= 1
        X[row, n + spots.index(compared.other_at)] -= 1
        X[row, -1] += sum(times * often[item] for item, times in compared.above_loser.items())
        X[row, -1] -= sum(times * often[item] for item, times in compared.above_winner.items())
    weight = np.array([row.weight for row in rows])
    prior = np.diag([RIDGE] * n + [PLACE_RIDGE] * len(spots) + [RIVAL_RIDGE])
    b = np.zeros(size)
    for _ in range(200):
        miss = 1 / (1 + np.exp(X @ b))
        slope = X.T @ (weight * miss) - prior @ b
        bend = X.T @ np.diag(weight * miss * (1 - miss)) @ X + prior
        step = np.linalg.solve(bend, slope)
        b = b + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-12:
            break
    return b


def influences(
    rows: Sequence[Comparison], items: Sequence[Any], spots: Sequence[Any]
) -> dict[Any, np.ndarray]:
    """Return unit -> how the strengths change if the unit is left out, with the sign turned.

    The strengths of the rivals are those of all units.
    """
    whole = fit(rows, items, spots)[: len(items)]
    left = {unit: [row for row in rows if row.unit != unit] for unit in {row.unit for row in rows}}
    return {
        unit: whole - fit_given(some, items, spots, whole)[: len(items)]
        for unit, some in left.items()
    }
