"""The degrees that occur in a relation, ascending, and the place of each among them.

Idea: *floats tell apart what is further apart than rounding explains; only of those that are nearer
the fractions are made, and compared exactly.* So a million degrees are put in order without a
million fractions, and no two are taken for equal that are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.ensemble.degrees import simple_fraction
from porank.errors import PorankError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Floats further apart than this stand for different fractions, in the sequence of the floats.
_ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Degrees(Sequence[Fraction]):
    """Degrees, ascending from 0 to 1, each made a fraction when it is asked for.

    Attributes
    ----------
    columns : tuple of arrays
        What each degree is made of.
    made_of : callable
        Takes one entry of each column and returns the fraction.
    floats : array of float
        The degrees as floats, up to rounding.

    Examples
    --------
    >>> over = np.array([0, 1, 1]), np.array([1, 3, 1])
    >>> degrees = Degrees(over, Fraction, over[0] / over[1])
    >>> list(map(str, degrees)), degrees == [Fraction(0), Fraction(1, 3), Fraction(1)]
    (['0', '1/3', '1'], True)
    """

    columns: tuple[NDArray[Any], ...]
    made_of: Callable[..., Fraction]
    floats: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return list(map(self.__getitem__, range(len(self))[place]))
        return self.made_of(*(column.item(place) for column in self.columns))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(Fraction.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]


def read_values(values: Any, unit: int) -> Sequence[Fraction]:
    """Return the degree for each strength from 0 to `unit`, checked.

    Examples
    --------
    >>> read_values([0, 0.5, 1], 2)
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 1))
    >>> read_values([0, 1], 2)
    Traceback (most recent call last):
    porank.errors.PorankError: expected 3 degrees that ascend from 0 to 1 as values, found [0, 1]
    """
    if isinstance(values, Degrees) and len(values) == unit + 1:
        return values
    try:
        read = tuple(map(simple_fraction, values))
    except (TypeError, ValueError, OverflowError):
        read = ()
    ascends = all(lower < higher for lower, higher in pairwise(read))
    if len(read) != unit + 1 or not ascends or read[0] != 0 or read[-1] != 1:
        raise PorankError(
            f"expected {unit + 1} degrees that ascend from 0 to 1 as values, found {values!r:.60}"
        )
    return read


def values_at(values: Sequence[Fraction], places: NDArray[Any]) -> Sequence[Fraction]:
    """Return the degrees at these places.

    Examples
    --------
    >>> values_at((Fraction(0), Fraction(1, 2), Fraction(1)), np.array([0, 2]))
    (Fraction(0, 1), Fraction(1, 1))
    """
    if isinstance(values, Degrees):
        columns = tuple(column[places] for column in values.columns)
        return Degrees(columns, values.made_of, values.floats[places])
    return tuple(values[place] for place in places.tolist())


def floats_of(values: Sequence[Fraction]) -> NDArray[np.float64]:
    """Return degrees as an array of floats.

    Examples
    --------
    >>> floats_of((Fraction(0), Fraction(1, 2), Fraction(1))).tolist()
    [0.0, 0.5, 1.0]
    """
    return values.floats if isinstance(values, Degrees) else np.array(values, dtype=np.float64)


def places_of(
    keys: NDArray[np.float64], exact: Callable[[int], Fraction]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the place of each value among all, and for each place one position of its value.

    Parameters
    ----------
    keys : array of float
        The values, exact to 1e-14.
    exact : callable
        Takes a position and returns the value there.

    Examples
    --------
    >>> values = [Fraction(1, 3), Fraction(1, 2), Fraction(1, 3) + Fraction(1, 10**20)]
    >>> places, first = places_of(np.array(values, dtype=float), values.__getitem__)
    >>> places.tolist(), first.tolist()
    ([0, 2, 1], [0, 2, 1])

    Notes
    -----
    Time O(n log n) for n values, and one fraction for each that is within 1e-13 of another.
    """
    line = np.argsort(keys, kind="stable")
    is_near = np.diff(keys[line]) <= _ROUNDING
    is_new = np.ones(len(line), dtype=bool)
    is_new[1:] = ~is_near
    ends = np.flatnonzero(np.diff(np.concatenate(([False], is_near, [False])).astype(np.int8)))
    for begin, last in ends.reshape(-1, 2).tolist():
        values = {position: exact(position) for position in line[begin : last + 1].tolist()}
        run = sorted(values, key=values.__getitem__)
        line[begin : last + 1] = run
        is_new[begin + 1 : last + 1] = [values[i] != values[j] for i, j in pairwise(run)]
    places = np.empty(len(line), dtype=np.int64)
    places[line] = np.cumsum(is_new) - 1
    return places, line[is_new]


def number_fractions(matrix: NDArray[Any]) -> tuple[NDArray[Any], Degrees]:
    """Return fractions as their places among all that occur, and these, from 0 to 1.

    Examples
    --------
    >>> matrix = np.array([[Fraction(0), Fraction(3, 4)], [Fraction(1, 4), Fraction(0)]])
    >>> strength, values = number_fractions(matrix)
    >>> strength.tolist(), list(map(str, values))
    ([[0, 2], [1, 0]], ['0', '1/4', '3/4', '1'])

    Notes
    -----
    Time O(n**2 log n).
    """
    # Two whole numbers are hashed much faster than the fraction that they make.
    pairs = [(value.numerator, value.denominator) for value in matrix.flat]
    different = list(dict.fromkeys([(0, 1), (1, 1), *pairs]))
    columns = np.array(different, dtype=object).T
    keys = (columns[0] / columns[1]).astype(np.float64)
    places, chosen = places_of(keys, lambda position: Fraction(*different[position]))
    place = dict(zip(different, places.tolist(), strict=True))
    numbers = np.fromiter(map(place.__getitem__, pairs), np.int64, len(pairs))
    strength = as_strength(numbers.reshape(matrix.shape), len(chosen))
    return strength, Degrees((columns[0, chosen], columns[1, chosen]), Fraction, keys[chosen])


def number_codes(codes: NDArray[np.float64]) -> tuple[NDArray[Any], Degrees]:
    """Return coded floats as places among all degrees that occur, and the degrees.

    A code x >= 0 stands for the degree that is meant by x, a negative one -x for the rest to 1.

    Examples
    --------
    >>> strength, values = number_codes(np.array([[0, 0.7], [-0.7, 0]]))
    >>> strength.tolist(), list(map(str, values))
    ([[0, 2], [1, 0]], ['0', '3/10', '7/10', '1'])

    Notes
    -----
    Time O(n**2 log n).
    """
    ends = np.array([0.0, 1.0])
    different, numbers = np.unique(np.concatenate((codes.ravel(), ends)), return_inverse=True)
    keys = np.where(different < 0, 1 + different, different)
    places, chosen = places_of(keys, lambda position: _of_code(different.item(position)))
    strength = places[numbers[: codes.size]].reshape(codes.shape)
    # A rest as it is meant: 1 - 0.9 is 0.1 then, and not 0.09999999999999998.
    floats = np.where(different < 0, keys.round(16), different)[chosen]
    return as_strength(strength, len(chosen)), Degrees((different[chosen],), _of_code, floats)


def _of_code(code: float) -> Fraction:
    return simple_fraction(code) if code >= 0 else 1 - simple_fraction(-code)


def as_strength(places: NDArray[Any], n_values: int) -> NDArray[Any]:
    """Return places among so many values as the smallest integers that hold them.

    Examples
    --------
    >>> as_strength(np.array([[0, 2], [1, 0]]), 4).dtype
    dtype('uint8')
    """
    return places.astype(np.min_scalar_type(n_values))
