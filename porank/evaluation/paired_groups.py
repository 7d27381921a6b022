"""Groups of several evaluations side by side: those that all systems have a value for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError, listed
from porank.evaluation.statuses import STATUSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from porank.evaluation.evaluation import Evaluation
    from porank.typing import Numbers

#: What is said of a group that the evaluation of a system does not know at all.
ABSENT = "absent"


@dataclass(frozen=True)
class Paired:
    """The values of one measure for all systems, side by side.

    Attributes
    ----------
    values : array
        A row for each group that all systems have a value for, a column for each system.
    left_out : int
        How many other groups there are.
    reasons : dict
        System -> {status: how many groups without a value have it}.
    uneven : int
        In how many of the groups the systems were compared on different numbers of items.
    """

    values: NDArray[np.float64]
    left_out: int
    reasons: dict[Any, dict[str, int]]
    uneven: int


def pair_groups(evaluations: Mapping[Any, Evaluation]) -> Numbers:
    """Return where each evaluation has the groups of all.

    Returns
    -------
    array
        A row for each group, a column for each evaluation; -1 where it does not have the group.

    Examples
    --------
    >>> from porank.evaluation.batch import evaluate
    >>> one = evaluate({"x": [1, 2], "y": [1, 2]}, {"x": [1, 2]}, measures="gamma")
    >>> other = evaluate({"y": [1, 2]}, {"y": [1, 2]}, measures="gamma")
    >>> pair_groups({"A": one, "B": other}).tolist()
    [[0, -1], [1, 0]]

    Notes
    -----
    Time and memory O(groups) for each evaluation.
    """
    labels = [_labels(evaluation) for evaluation in evaluations.values()]
    is_first = [each == labels[0] for each in labels]
    row = {label: place for place, label in enumerate(labels[0])}
    for each in (each for each, same in zip(labels, is_first, strict=True) if not same):
        for label in each:
            row.setdefault(label, len(row))
    places = np.full((len(row), len(labels)), -1)
    for column, (each, same) in enumerate(zip(labels, is_first, strict=True)):
        if same:
            rows = np.arange(len(each))
        else:
            rows = np.fromiter(map(row.__getitem__, each), np.int64, len(each))
        places[rows, column] = np.arange(rows.size)
    return places


def _labels(evaluation: Evaluation) -> list[Any]:
    columns = [evaluation.columns[name].tolist() for name in evaluation.by]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


def paired_values(evaluations: Mapping[Any, Evaluation], places: Numbers, measure: str) -> Paired:
    """Return the values of a measure for the groups that all systems have a value for.

    Parameters
    ----------
    evaluations : mapping
        System -> evaluation.
    places : array
        As `pair_groups` gives them.
    measure : str
        A column of all evaluations.

    Raises
    ------
    PorankError
        If a value is infinite.

    Examples
    --------
    >>> from porank.evaluation.batch import evaluate
    >>> one = evaluate({"x": [1, 2], "y": [1, 2]}, {"x": [1, 2]}, measures="gamma")
    >>> other = evaluate({"y": [1, 2]}, {"y": [1, 2]}, measures="gamma")
    >>> both = {"A": one, "B": other}
    >>> found = paired_values(both, pair_groups(both), "gamma")
    >>> found.left_out, found.reasons
    (2, {'A': {'only in target': 1}, 'B': {'absent': 1}})

    Notes
    -----
    Time and memory O(groups) for each evaluation.
    """
    values = np.full(places.shape, np.nan)
    sizes = np.zeros(places.shape, dtype=np.int64)
    reasons = {}
    for column, (system, evaluation) in enumerate(evaluations.items()):
        at = places[:, column]
        there = at >= 0
        values[there, column] = evaluation.columns[measure][at[there]]
        sizes[there, column] = evaluation.sizes[at[there]]
        reasons[system] = _reasons(values[:, column], at, evaluation.statuses[measure])
    infinite = np.isinf(values).any(axis=1)
    if infinite.any():
        raise PorankError(
            f"expected finite values of {measure!r} to take means of, found "
            f"{listed(values[int(np.argmax(infinite))].tolist())} in one group"
        )
    common = ~np.isnan(values).any(axis=1)
    uneven = (sizes[common] != sizes[common][:, :1]).any(axis=1)
    return Paired(
        values[common],
        int(np.count_nonzero(~common)),
        reasons,
        int(np.count_nonzero(uneven)),
    )


def _reasons(
    values: NDArray[np.float64], at: Numbers, statuses: NDArray[np.uint8]
) -> dict[str, int]:
    """Return how many groups without a value have which status."""
    absent = int(np.count_nonzero(at < 0))
    codes = statuses[at[np.isnan(values) & (at >= 0)]]
    times = np.bincount(codes, minlength=len(STATUSES)).tolist()
    counts = {status: count for status, count in zip(STATUSES, times, strict=True) if count}
    return {**counts, **({ABSENT: absent} if absent else {})}
