"""Degrees of preference given as numbers: read, checked, and numbered from the least to 1."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from numbers import Rational
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.items import distinct_items
from porank.errors import PorankError
from porank.levels import plain_number
from porank.measures.exact import is_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Item

#: Floats as near as this are the same degree.
CLOSE = 1e-9


def simple_fraction(number: Any) -> Fraction:
    """Return a number as a fraction; a float as the one that was probably meant.

    The nearest fraction with a denominator of at most 10**5 is taken if it is as near as rounding
    explains, else the decimal fraction that Python prints.

    Examples
    --------
    >>> simple_fraction(0.1), simple_fraction(2 / 3), simple_fraction(0.12345678901)
    (Fraction(1, 10), Fraction(2, 3), Fraction(12345678901, 100000000000))
    """
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    whole = Fraction(repr(float(number)))
    near = whole.limit_denominator(10**5)
    return near if abs(near - whole) <= Fraction(1, 10**14) else whole


def number_degrees(matrix: NDArray[Any]) -> tuple[NDArray[Any], list[Any]]:
    """Return the degrees as numbers of values, and the values, ascending from 0 to 1.

    Examples
    --------
    >>> strength, values = number_degrees(np.array([[0, 0.75], [0.25, 0]]))
    >>> strength.tolist(), values
    ([[0, 2], [1, 0]], [0, 0.25, 0.75, 1])

    Notes
    -----
    Time O(n**2 log n). Values within 1e-9 of a smaller one are that value.
    """
    flat = matrix.ravel()
    if matrix.dtype == object:
        present = sorted({*flat.tolist(), 0, 1})
        place = {value: number for number, value in enumerate(present)}
        numbers = np.fromiter(map(place.__getitem__, flat.tolist()), np.int64, flat.size)
    else:
        ends = np.array([0, 1], dtype=flat.dtype)
        distinct, numbers = np.unique(np.concatenate((flat, ends)), return_inverse=True)
        present, numbers = distinct.tolist(), numbers[: flat.size]
    is_new = np.array([True, *(higher - lower > CLOSE for lower, higher in pairwise(present))])
    strength = (np.cumsum(is_new) - 1)[numbers].reshape(matrix.shape)
    values = [value for value, new in zip(present, is_new.tolist(), strict=True) if new]
    values[0], values[-1] = 0, 1  # the ends are exact, whatever is as near as CLOSE to them
    return strength.astype(np.min_scalar_type(len(values))), values


def first_at_least(values: Sequence[Any], alpha: Fraction, *, tolerance: float) -> int:
    """Return the number of the first value that is not below `alpha`, up to the tolerance.

    Examples
    --------
    >>> first_at_least([0, 0.3, 0.7, 1], Fraction(1, 2), tolerance=0)
    2
    """
    return bisect_left(values, alpha - Fraction(tolerance), key=simple_fraction)


def read_degrees(
    degrees: Any, items: Sequence[Item] | None, *, reciprocal: bool
) -> tuple[tuple[Item, ...], NDArray[Any]]:
    """Return the items and the matrix of degrees of a mapping, a frame or a square array.

    Floats become an array of floats, anything else one of fractions. If a mapping of reciprocal
    degrees has only one direction of a pair, the other has the rest.

    Examples
    --------
    >>> read_degrees({("a", "b"): 0.75}, None, reciprocal=True)
    (('a', 'b'), array([[0.  , 0.75],
           [0.25, 0.  ]]))
    """
    if isinstance(degrees, Mapping) and not hasattr(degrees, "to_numpy"):
        return _read_mapping(degrees, items, reciprocal=reciprocal)
    if items is None and hasattr(degrees, "columns") and hasattr(degrees, "index"):
        items = list(degrees.index)
        if items != list(degrees.columns):
            raise PorankError("expected the same items as rows and columns, in the same sequence")
    matrix = np.asarray(degrees)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise PorankError(
            f"expected a square matrix of degrees, found an array of shape {matrix.shape}"
        )
    names = tuple(distinct_items(range(len(matrix)) if items is None else items, name="items"))
    if len(names) != len(matrix):
        raise PorankError(f"expected {len(matrix)} items for the matrix, found {len(names)}")
    if matrix.dtype.kind == "f":
        return names, matrix.astype(np.float64)
    return names, _as_array(matrix.tolist(), names)


def _read_mapping(
    degrees: Mapping[Any, Any], items: Sequence[Item] | None, *, reciprocal: bool
) -> tuple[tuple[Item, ...], NDArray[Any]]:
    for pair in degrees:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise PorankError(f"expected pairs (preferred, other) as keys, found {pair!r}")
    met = dict.fromkeys(item for pair in degrees for item in pair)
    names = tuple(distinct_items(list(met) if items is None else items, name="items"))
    place = {item: number for number, item in enumerate(names)}
    rows: list[list[Any]] = [[0] * len(names) for _ in names]
    for (preferred, other), degree in degrees.items():
        for item in (preferred, other):
            if item not in place:
                raise PorankError(f"expected degrees of the items given, found {item!r}")
        rows[place[preferred]][place[other]] = degree
        if reciprocal and (other, preferred) not in degrees and is_number(degree):
            rows[place[other]][place[preferred]] = 1 - degree
    return names, _as_array(rows, names)


def _as_array(rows: list[list[Any]], names: Sequence[Item]) -> NDArray[Any]:
    """Return the degrees as floats if each is a float or whole, else as fractions."""
    rows = [list(map(plain_number, row)) for row in rows]
    for item, row in zip(names, rows, strict=True):
        for other, degree in zip(names, row, strict=True):
            if not is_number(degree):
                raise PorankError(
                    f"expected a number as degree of {item!r} over {other!r}, found {degree!r}"
                )
    if all(isinstance(degree, (int, float)) for row in rows for degree in row):
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(rows))
    matrix = np.empty((len(rows), len(rows)), dtype=object)
    for i, row in enumerate(rows):
        matrix[i] = [simple_fraction(degree) for degree in row]
    return matrix


def require_degrees(
    matrix: NDArray[Any], items: Sequence[Item], *, reciprocal: bool
) -> NDArray[Any]:
    """Return the degrees with nothing on the diagonal, checked to be degrees of preference.

    Examples
    --------
    >>> require_degrees(np.array([[0.5, 0.7], [0.4, 0.5]]), "ab", reciprocal=True)
    Traceback (most recent call last):
    porank.errors.PorankError: expected degrees that sum to 1 for each two items, found 0.7 for 'a'
    over 'b' and 0.4 for 'b' over 'a'
    """
    matrix = matrix.copy()
    np.fill_diagonal(matrix, 0)
    wrong = np.argwhere(~((matrix >= 0) & (matrix <= 1)).astype(bool))
    if len(wrong):
        i, j = wrong[0].tolist()
        raise PorankError(
            f"expected degrees from 0 to 1, found {matrix[i, j]!s} "
            f"for {items[i]!r} over {items[j]!r}"
        )
    together = matrix + matrix.T
    bad = together > 1 + CLOSE
    if reciprocal:
        bad |= (together > 0) & (together < 1 - CLOSE)
    wrong = np.argwhere(bad.astype(bool))
    if len(wrong):
        i, j = wrong[0].tolist()
        whole = "sum to 1" if reciprocal else "sum to at most 1"
        hint = "; reciprocal=False takes pairs that are partly open" if together[i, j] < 1 else ""
        raise PorankError(
            f"expected degrees that {whole} for each two items, found {matrix[i, j]!s} for "
            f"{items[i]!r} over {items[j]!r} and {matrix[j, i]!s} for {items[j]!r} over "
            f"{items[i]!r}{hint}"
        )
    return matrix


def read_threshold(alpha: Any) -> tuple[Fraction, float]:
    """Return a threshold as a fraction, and how far a degree may be from it to be it.

    Examples
    --------
    >>> read_threshold("2/3")
    (Fraction(2, 3), 0)
    """
    try:
        threshold = Fraction(alpha)
    except (TypeError, ValueError, OverflowError):
        threshold = Fraction(0)
    if isinstance(alpha, bool) or not 0 < threshold <= 1:
        raise PorankError(f"expected a threshold above 0 and at most 1, found {alpha!r}")
    return threshold, CLOSE if isinstance(alpha, float) else 0
