"""Fronts of tables of indicators, in turn with paretoset, whose loops numba compiles.

Run ``python -m tests.benchmarks.fronts`` for the table of ``docs/benchmarks.md``. Both sides get a
pandas frame and return items, all of those that are equal. Needs the extra ``bench``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from paretoset import paretorank, paretoset

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import Row, race, run, table_of

#: How much of the mean of a row is added to each of its numbers: rows that are good in one column
#: are good in the others, or bad.
PULLS = {"independent": 0.0, "for each other": 1.0, "against each other": -0.9}


def frame_of(n: int, k: int, pull: float) -> pd.DataFrame:
    """Return a table of n rows and k columns."""
    values = np.random.default_rng(0).normal(size=(n, k))
    values += pull * values.mean(axis=1, keepdims=True)
    return pd.DataFrame(values, columns=list("abcdef")[:k])


def their_front(frame: pd.DataFrame) -> list[Any]:
    """Return the items of the front that paretoset finds."""
    is_best = paretoset(frame, sense=["max"] * frame.shape[1], distinct=False)
    items: list[Any] = frame.index[is_best].tolist()
    return items


def their_levels(frame: pd.DataFrame) -> list[list[Any]]:
    """Return the items of all fronts that paretoset finds."""
    ranks = paretorank(frame, sense=["max"] * frame.shape[1], distinct=False)
    order, ends = np.argsort(ranks, kind="stable"), np.cumsum(np.bincount(ranks)[1:])
    return [part.tolist() for part in np.split(frame.index.to_numpy()[order], ends[:-1])]


def races(sizes: tuple[int, ...]) -> Iterator[Row]:
    """The front of each table, and all fronts if those of paretoset take some seconds at most."""
    for n, k, (kind, pull) in product(sizes, (2, 3, 6), PULLS.items()):
        frame = frame_of(n, k, pull)
        ours = partial(po.maximal_items, frame, maximize=frame.columns)
        front = ours()
        few = len(front) < 10_000
        again: dict[str, Any] = {"rounds": 15 if few else 1, "times": max(1, 10_000 // n)}
        work = f"{n:,} x {k}, columns {kind}"
        first = f"maximal_items, {work}: {len(front):,}"
        if n < 100_000 or few:
            reach = ">= 1x" if len(front) > n / 10 else "<= 2x its time"
            theirs = partial(their_front, frame)
            yield race(first, ours, "paretoset", theirs, reach=reach, **again)
        if k <= 3 and (n < 100_000 or pull >= 0):
            levels = partial(po.levels, frame, maximize=frame.columns)
            again = {"rounds": 3 if n < 100_000 else 1, "reach": ">= 1x"}
            first = f"levels, {work}: {len(levels()):,}"
            yield race(first, levels, "paretorank", partial(their_levels, frame), **again)


def fronts(*, small: bool) -> Iterator[Table]:
    """Yield the races."""
    for kind in (their_front, their_levels):
        kind(frame_of(50, 3, 0))  # numba compiles them now
    yield table_of(races((1000, 10_000) if small else (1000, 10_000, 100_000)))


if __name__ == "__main__":
    run(__doc__, "numpy pandas paretoset numba", fronts)
