"""What rows of each shape of a log say, by definition: loops over plain rows, and no porank.

Each returns how many rows (or users) say that u is preferred to v; of battles and ratings also how
many hold two items to be alike, and how many both to be bad.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

Support = Counter[tuple[Any, Any]]
Ties = Counter[frozenset[Any]]


def of_lists(rows: Iterable[tuple[Sequence[Any], Sequence[Any]]]) -> Support:
    """Each list prefers each clicked item to each that was shown and not clicked."""
    return Counter(
        (u, v) for shown, clicked in rows for u in set(clicked) for v in set(shown) - set(clicked)
    )


def of_skips(rows: Iterable[tuple[Sequence[Any], Sequence[Any]]]) -> Support:
    """Each list prefers each clicked item to those that stood above it and were not clicked."""
    return Counter(
        (u, v)
        for shown, clicked in rows
        for place, u in enumerate(shown)
        if u in clicked
        for v in shown[:place]
        if v not in clicked
    )


def of_battles(rows: Iterable[tuple[Any, Any, str]]) -> tuple[Support, Ties, Ties]:
    """A battle prefers the winner; a tie and two bad answers prefer none."""
    wins: Support = Counter()
    ties: Ties = Counter()
    bad: Ties = Counter()
    for a, b, winner in rows:
        if winner == "model_a":
            wins[a, b] += 1
        elif winner == "model_b":
            wins[b, a] += 1
        elif winner == "tie":
            ties[frozenset((a, b))] += 1
        else:
            bad[frozenset((a, b))] += 1
    return wins, ties, bad


def of_ratings(rows: Iterable[tuple[Any, Any, float]]) -> tuple[Support, Ties]:
    """Each user prefers what they rated higher in the end, and holds equal ratings to be alike."""
    rated: dict[Any, dict[Any, float]] = {}
    for user, item, rating in rows:
        rated.setdefault(user, {})[item] = rating
    wins: Support = Counter()
    ties: Ties = Counter()
    for ratings in rated.values():
        for u, v in combinations(ratings, 2):
            if ratings[u] == ratings[v]:
                ties[frozenset((u, v))] += 1
            else:
                wins[(u, v) if ratings[u] > ratings[v] else (v, u)] += 1
    return wins, ties
