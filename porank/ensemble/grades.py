"""Targets of a ranker, read: which rows are better than which.

A target is a number, larger being better, or a label of one of several classes that have an order.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import distinct_items, require_item
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Grades(NamedTuple):
    """The grade of each row.

    Attributes
    ----------
    values : array of numbers
        For each row a number, larger being better: of labels the place of the label.
    targets : array
        The targets as they were given.
    labels : list or None
        The labels that occur, worst first; None if the targets are plain numbers.
    scale : list or None
        All labels known, worst first, whether they occur or not; None if they are numbers that
        ascend.

    Examples
    --------
    >>> read_grades(["fair", "poor"], 2, grades=["poor", "fair", "good"]).labels
    ['poor', 'fair']
    """

    values: NDArray[Any]
    targets: NDArray[Any]
    labels: list[Any] | None
    scale: list[Any] | None = None

    @property
    def is_decided(self) -> bool:
        """Whether some row is better than another."""
        return differ(self.values)


def differ(values: NDArray[Any]) -> bool:
    """Return whether two of the values are different."""
    return bool(len(values)) and bool((values != values[0]).any())


def read_grades(
    y: Any, n_rows: int, *, grades: Sequence[Any] | None = None, as_classes: bool = False
) -> Grades:
    """Return the grades of `n_rows` rows.

    Parameters
    ----------
    y : list, array or series
        One target for each row. Ordered categories of pandas bring their own order.
    n_rows : int
        The number of rows.
    grades : sequence, optional
        All labels, worst first.
    as_classes : bool
        Whether the targets are labels even where they are numbers.

    Examples
    --------
    >>> read_grades([True, False, True], 3, as_classes=True).values.tolist()
    [1, 0, 1]
    >>> read_grades(["low", "high", "mid"], 3, as_classes=True)
    Traceback (most recent call last):
    porank.errors.PorankError: expected numbers as targets, or grades=[...] with the labels, worst
    first, found the labels 'high', 'low', 'mid'
    """
    if y is None:
        raise PorankError(
            "expected the grade of each row, found none: "
            "PartialRanker requires y to be passed, but the target y is None"
        )
    if grades is None and getattr(getattr(y, "dtype", None), "ordered", False):
        grades = list(y.dtype.categories)
    targets = _as_column(y, n_rows)
    if grades is not None:
        labels = distinct_items(grades, name="grades")
        unknown = [label for label in dict.fromkeys(targets.tolist()) if label not in labels]
        if unknown:
            raise PorankError(f"expected targets among the grades, found {listed(unknown)}")
        scale: list[Any] | None = list(labels)
    elif as_classes:
        labels = _sorted_labels(targets)
        scale = labels if targets.dtype.kind in "OUSM" else None
    elif targets.dtype.kind in "OUSM":
        raise _unordered(dict.fromkeys(targets.tolist()))
    else:
        return Grades(targets, targets, None)
    met = set(targets.tolist())
    present = [label for label in labels if label in met]
    place = {label: number for number, label in enumerate(present)}
    values = np.fromiter(map(place.__getitem__, targets.tolist()), np.int64, len(targets))
    return Grades(values, targets, present, scale)


def _as_column(y: Any, n_rows: int) -> NDArray[Any]:
    """Return the targets as an array of numbers, or of whatever they are."""
    column = np.asarray(y) if hasattr(y, "__array__") else np.array(y, dtype=object)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise PorankError(
            f"expected one target for each row as y, found an array of shape {column.shape}"
        )
    if len(column) != n_rows:
        raise PorankError(f"expected {n_rows} targets, one for each row, found {len(column)}")
    for row, target in enumerate(column.tolist()):
        if _is_missing(target):
            raise PorankError(f"expected a target for each row, found {target!r} in row {row}")
        require_item(target)
    if column.dtype == object and all(isinstance(target, Real) for target in column):
        column = np.array(column.tolist())
        return column.astype(np.float64) if column.dtype == object else column
    if column.dtype.kind == "c":
        raise PorankError(
            "expected real numbers as targets, found complex ones: Complex data not supported"
        )
    return column


def _is_missing(target: Any) -> bool:
    """Return whether a target is None, nan, or the missing value of pandas, which is no truth."""
    try:
        return target is None or bool(target != target)
    except (TypeError, ValueError):
        return not isinstance(target, np.ndarray)


def _sorted_labels(targets: NDArray[Any]) -> list[Any]:
    """Return the labels that occur, ascending; more than two must be numbers."""
    labels = list(dict.fromkeys(targets.tolist()))
    is_text = all(isinstance(label, str) for label in labels)
    if targets.dtype.kind not in "biuf" and not (is_text and len(labels) <= 2):
        raise _unordered(labels)
    return sorted(labels)


def _unordered(labels: Any) -> PorankError:
    shown = sorted(map(repr, labels))
    return PorankError(
        "expected numbers as targets, or grades=[...] with the labels, worst first, "
        f"found the labels {', '.join(shown[:8])}{', ...' if len(shown) > 8 else ''}"
    )
