"""Tables of an evaluation: its measures on the whole, by size, and where they are worst."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import item_key
from porank.core.tables import Table
from porank.evaluation.group_numbers import labels_at
from porank.evaluation.intervals import bootstrap_intervals
from porank.evaluation.statuses import DEFINED, STATUSES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers, Seed


def summary_table(
    measures: Mapping[str, NDArray[np.float64]],
    statuses: Mapping[str, NDArray[np.uint8]],
    *,
    samples: Any,
    level: Any,
    seed: Seed,
) -> Table:
    """Return a row for each measure: mean, interval, median, and how many groups have a value.

    Examples
    --------
    >>> values, statuses = np.array([0.5, 0.5, np.nan]), np.array([0, 0, 1], dtype=np.uint8)
    >>> print(summary_table({"gamma": values}, {"gamma": statuses}, samples=9, level=0.9, seed=0))
    measure  mean  low  high  median  groups  without a value
    -------  ----  ---  ----  ------  ------  ---------------
    gamma     0.5  0.5   0.5     0.5       2  1 undefined
    """
    intervals = bootstrap_intervals(
        list(measures.values()), samples=samples, level=level, seed=seed
    )
    rows = []
    for (name, column), (low, high) in zip(measures.items(), intervals, strict=True):
        known = column[~np.isnan(column)]
        mean, median = (
            (float(np.mean(known)), float(np.median(known))) if known.size else (None, None)
        )
        ends = (low, high) if known.size else (None, None)
        # 0/0 for which the caller has named a number has a value.
        without = count_statuses(statuses[name][np.isnan(column)])
        rows.append((name, mean, *ends, median, known.size, told(without)))
    header = ("measure", "mean", "low", "high", "median", "groups", "without a value")
    return Table(header, rows)


def count_statuses(statuses: NDArray[np.uint8]) -> dict[str, int]:
    """Return how many groups have each status, those that occur.

    Examples
    --------
    >>> count_statuses(np.array([0, 0, 3], dtype=np.uint8))
    {'defined': 2, 'empty': 1}
    """
    times = np.bincount(statuses, minlength=len(STATUSES)).tolist()
    return {status: count for status, count in zip(STATUSES, times, strict=True) if count}


def told(counts: Mapping[str, int]) -> str:
    """Return the counts of what is not defined as a text.

    Examples
    --------
    >>> told({"defined": 5, "undefined": 1200, "cyclic target": 1})
    '1,200 undefined, 1 cyclic target'
    """
    others = (pair for pair in counts.items() if pair[0] != STATUSES[DEFINED])
    return ", ".join(f"{count:,} {status}" for status, count in others)


def size_table(measures: Mapping[str, NDArray[np.float64]], sizes: Numbers) -> Table:
    """Return the means of groups by how many items they compare, each class twice the last.

    Examples
    --------
    >>> print(size_table({"gamma": np.array([0.5, 1, 0.0])}, np.array([2, 3, 4])))
    items   groups  gamma
    ------  ------  -----
    2            1    0.5
    3 to 4       2    0.5
    """
    # Classes end at the powers of two: 1, 2, 3 to 4, 5 to 8 and so on.
    classes = np.where(sizes > 0, np.ceil(np.log2(np.maximum(sizes, 1))) + 1, 0).astype(np.int64)
    rows: list[tuple[Any, ...]] = []
    for number in np.unique(classes).tolist():
        chosen = classes == number
        means = (_mean(column[chosen]) for column in measures.values())
        rows.append((_class_name(number), int(np.count_nonzero(chosen)), *means))
    return Table(("items", "groups", *measures), rows)


def _class_name(number: int) -> str:
    if number < 3:
        return str(number)
    return f"{2 ** (number - 2) + 1} to {2 ** (number - 1)}"


def _mean(values: NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.mean(known)) if known.size else None


def places_of_worst(
    values: NDArray[np.float64], count: int, labels: Sequence[NDArray[Any]], *, higher: bool
) -> list[int]:
    """Return the rows of the worst values, the worst first, equal ones by their labels.

    Parameters
    ----------
    values : array
        nan for groups without a value, which are left out.
    count : int
        How many.
    labels : sequence of arrays
        The columns of groups.
    higher : bool
        Whether higher values are better.

    Examples
    --------
    >>> labels = [np.array(["x", "b", "a"], dtype=object)]
    >>> places_of_worst(np.array([1.0, 0.5, 0.5]), 2, labels, higher=True)
    [2, 1]
    """
    badness = values if higher else -values
    known = np.flatnonzero(~np.isnan(badness))
    if known.size > count:
        limit = np.partition(badness[known], count - 1)[count - 1] if count else -np.inf
        known = known[badness[known] <= limit]
    keys = {
        row: (badness[row], [item_key(label) for label in labels_at(labels, row)])
        for row in known.tolist()
    }
    return sorted(keys, key=keys.__getitem__)[:count]
