"""Degrees of preference given as numbers: reading, checking and sorting them.

A relation of degrees stores the distinct degrees in ascending order, and for each pair the index of
its degree, its *strength*, an integer. Degrees that differ by less than 1e-12 are equal, so 0.1 +
0.2 is 0.3. As a fraction, a float is the one that it most likely stands for.

Numbers: `simple_fraction`, `is_number`, `read_share`, `precision_of`. Matrices of all pairs:
`read_degrees`, `are_equal`, `with_halves`, `share_of_members`, `require_fit`, `sealed`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.convert.rankings import items_and_rows
from porank.core.arguments import distinct_items, holds
from porank.core.columns import is_frame
from porank.core.graphs import require_memory
from porank.core.scores import plain_number
from porank.errors import PorankError, quoted
from porank.extensions.rank_probabilities import MutualRankProbabilities

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from porank.typing import Item


#: A float this close to a degree is that degree; for shorter floats, twice their precision.
_CLOSE = 1e-9
#: Degrees at most this far apart are equal.
_EQUAL = 1e-12


def simple_fraction(number: Any) -> Fraction:
    """Return a degree as a fraction; for a float, the one that it most likely stands for."""
    if type(number) is Fraction:
        return number
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, Decimal):
        return Fraction(number)
    # Floats of other sizes than 64 bits are read from the digits that they print.
    text = str(number) if isinstance(number, np.floating) else repr(float(number))
    number = float(text)
    # The nearest p / q with q <= 10^5, if it is within the rounding of the float.
    near = Fraction(number).limit_denominator(10**5)
    away = abs(near.numerator / near.denominator - number)
    if away <= 1e-14 and away <= 1e-10 * abs(number):
        return near
    return Fraction(*Decimal(text).as_integer_ratio())


def is_number(is_inside: Callable[[Any], Any], value: Any) -> bool:
    """Return whether a value such as a degree is a real number that meets a condition."""
    return isinstance(value, (Real, Decimal)) and holds(is_inside, value)


def read_share(value: Any, *, name: str) -> Fraction:
    """Return a degree, threshold or cost as a fraction, or raise an error unless in (0, 1]."""
    if isinstance(value, bool) or not is_number(lambda number: 0 < number <= 1, value):
        found = value if isinstance(value, Rational) else repr(value)
        raise PorankError(f"expected {name} above 0 and at most 1, found {found}")
    return simple_fraction(value)


def precision_of(kind: type) -> float:
    """Return how far a number of this type may be from a degree and count as it; 0 if exact."""
    if issubclass(kind, np.floating):
        return max(_CLOSE, 2 * float(np.finfo(kind).eps))
    return 0.0 if issubclass(kind, (Rational, Decimal)) else _CLOSE


def are_equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether two relations have the same degrees up to rounding."""
    return one.shape == other.shape and bool(np.all(np.abs(one - other) <= _EQUAL))


def _numbered(degrees: NDArray[np.float64]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return the index of each degree among all of them, and the distinct degrees from 0 to 1."""
    different, place = np.unique(np.append(degrees, [0.0, 1.0]), return_inverse=True)
    # Strength s has the degree d_s, where 0 = d_0 < d_1 < ... < d_unit = 1 are all that occur.
    is_new = np.diff(different, prepend=-1.0) > _EQUAL
    values = different[is_new]
    values[-1] = 1.0
    number = (np.cumsum(is_new) - 1).astype(np.min_scalar_type(len(values)))
    return number[place[:-2]].reshape(degrees.shape), values


def read_degrees(
    degrees: Any, items: Iterable[Item] | None, *, reciprocal: bool = True
) -> tuple[tuple[Item, ...], NDArray[Any], NDArray[np.float64]]:
    """Return the items of a mapping, frame or square array, and the degrees of their pairs.

    The degrees are given as indices and as distinct values from 0 to 1.
    """
    if items is None and isinstance(degrees, MutualRankProbabilities):
        items, degrees = degrees.all_items, degrees.matrix()
    read = _read_mapping if isinstance(degrees, Mapping) else _read_square
    names, given = read(degrees, items)
    shares, close = _as_shares(given, names)
    # P(i, j) + P(j, i), which must be 1, or at most 1 if degrees need not be reciprocal.
    together = shares + shares.T
    is_whole = abs(together - 1) <= close
    is_wrong = (together > 1) | ((together > 0) & (together < 1) & reciprocal)
    for i, j in np.argwhere(np.triu(is_wrong & ~is_whole, 1))[:1].tolist():
        raise _no_whole(names, given, i, j, reciprocal=reciprocal)
    # If two degrees nearly sum to 1, the larger one counts, and P(i, j) = 1 - P(j, i) for the
    # other one; likewise for a missing one.
    is_rest = is_whole & (shares < shares.T) | np.isnan(shares) & ~np.isnan(shares.T) & reciprocal
    degree = np.where(is_rest, (1 - shares.T).round(15), shares)
    degree[is_whole & (shares == shares.T)] = 0.5
    np.fill_diagonal(degree, 0)
    return names, *_numbered(np.nan_to_num(degree))


def _read_mapping(
    degrees: Mapping[Any, Any], items: Iterable[Item] | None
) -> tuple[tuple[Item, ...], NDArray[Any]]:
    """Return the items of a mapping of degrees, and a matrix of them, None for missing ones."""
    for pair in degrees:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise PorankError(f"expected pairs (preferred, other) as keys, found {quoted(pair)}")
    mentioned = dict.fromkeys(item for pair in degrees for item in pair)
    names = _names(list(mentioned) if items is None else items)
    require_fit(len(names), bytes_each=8)
    place = {item: number for number, item in enumerate(names)}
    unknown = [item for item in mentioned if item not in place]
    if unknown:
        raise PorankError(f"expected only degrees of the given items, found {unknown[0]!r}")
    given = np.full((len(names), len(names)), None, dtype=object)
    for (preferred, other), degree in degrees.items():
        given[place[preferred], place[other]] = degree
    return names, given


def _read_square(
    degrees: Any, items: Iterable[Item] | None
) -> tuple[tuple[Item, ...], NDArray[Any]]:
    """Return the items of a frame or a square array of degrees, and a matrix of them."""
    if items is None and is_frame(degrees):
        items, degrees = items_and_rows(degrees)
    try:
        matrix = np.asarray(degrees)
    except ValueError:  # rows of different lengths
        matrix = np.array(0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise PorankError(
            "expected a mapping (preferred, other) -> degree or a square matrix of degrees, found "
            + (f"an array of shape {matrix.shape}" if matrix.ndim else f"{quoted(degrees):.60}")
        )
    names = _names(range(len(matrix)) if items is None else items)
    if len(names) != len(matrix):
        raise PorankError(f"expected {len(matrix)} items for the matrix, found {len(names)}")
    return names, matrix if matrix.dtype.kind in "biuf" else np.asarray(degrees, dtype=object)


def _names(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(map(plain_number, distinct_items(items, name="items")))


def _as_shares(given: NDArray[Any], names: Sequence[Item]) -> tuple[NDArray[np.float64], float]:
    """Return degrees as floats, checked, nan for missing ones, and how exact they are.

    Entry [i, j] is P(i, j), between 0 and 1. Two degrees P(i, j) and P(j, i) may miss their sum of
    1 by the returned number, which is 1e-9, or twice the rounding error of shorter floats.
    """
    if given.dtype != object:
        close = max(precision_of(given.dtype.type), _EQUAL)
        # Shorter floats are read from the digits that they print.
        is_short = given.dtype.kind == "f" and given.dtype.itemsize < 8
        shares = (given.astype(str) if is_short else given).astype(np.float64)
        np.fill_diagonal(shares, 0)
        for i, j in np.argwhere(~((shares >= 0) & (shares <= 1)))[:1].tolist():
            raise _no_share(names[i], names[j], given[i, j])
        return shares, close
    shares, kinds = np.full(given.shape, math.nan), set()
    for i, j in np.argwhere(given != None).tolist():  # noqa: E711
        degree = given[i, j]
        if i != j:
            if not isinstance(degree, (Real, Decimal)):
                raise PorankError(
                    f"expected a number as degree of {quoted(names[i])} over {quoted(names[j])}, "
                    f"found {quoted(degree)}"
                )
            if not holds(lambda number: 0 <= number <= 1, degree):
                raise _no_share(names[i], names[j], degree)
            shares[i, j] = simple_fraction(degree)
            kinds.add(type(degree))
    return shares, max([_EQUAL, *map(precision_of, kinds)])


def _no_share(u: Item, v: Item, degree: Any) -> PorankError:
    """Return the error for a degree that is not a number from 0 to 1."""
    return PorankError(
        f"expected degrees from 0 to 1, found {degree!s:.60} for {quoted(u)} over {quoted(v)}"
    )


def _no_whole(
    names: Sequence[Item], given: NDArray[Any], i: int, j: int, *, reciprocal: bool
) -> PorankError:
    """Return the error for two degrees with a wrong sum."""
    (u, there), (v, back) = (names[i], given[i, j]), (names[j], given[j, i])
    whole = "sum to 1" if reciprocal else "sum to at most 1"
    # Fractions, because floats cannot be added to every other type of number.
    is_less = simple_fraction(there) + simple_fraction(back) < 1
    hint = "; reciprocal=False allows sums below 1" if is_less else ""
    return PorankError(
        f"expected degrees that {whole} for each pair of items, found {there!s} for {quoted(u)} "
        f"over {quoted(v)} and {back!s} for {quoted(v)} over {quoted(u)}{hint}"
    )


def require_fit(n: int, *, bytes_each: int = 1) -> None:
    """Raise an error if a matrix of n x n degrees or counts would not fit into memory."""
    what = f"all pairs of {n:,} items"
    require_memory(n * n * bytes_each, what=what, instead="use fewer items")


def share_of_members(ties: str, wins: int, losses: int, open_pairs: int) -> Fraction:
    """Return the share of members that prefer one item to another, 0 without members."""
    halves, total = open_pairs if ties == "half" else 0, wins + losses + open_pairs
    # P = (w + t / 2) / (w + w' + t) for w wins, w' losses and t open pairs, or w / (w + w' + t) if
    # open pairs add nothing.
    return Fraction(2 * wins + halves, 2 * total) if total else Fraction(0)


def with_halves(wins: NDArray[Any], total: int) -> tuple[NDArray[Any], int]:
    """Return the doubled wins of members, in which an open pair is half a win for each item.

    Also return the unit, the strength of degree 1. If every pair is decided, the wins stay as they
    are.
    """
    if decides_each_pair(wins, total):
        return wins, total
    wide = wins.astype(np.min_scalar_type(-2 * total - 1))
    # s_ij = 2 w_ij + t_ij = k + w_ij - w_ji, because w_ij + w_ji + t_ij = k for k members.
    strength: NDArray[Any] = total + wide - wide.T
    np.fill_diagonal(strength, 0)
    return strength.astype(np.min_scalar_type(2 * total)), 2 * total


def decides_each_pair(wins: NDArray[Any], total: int) -> bool:
    """Return whether all members decide every pair, so no degree contains halves."""
    # The sum of w_ij over all i, j is k n (n - 1) / 2 if and only if no member leaves a pair open.
    pairs = len(wins) * (len(wins) - 1) // 2
    return int(wins.sum(dtype=np.int64)) == total * pairs


def sealed(matrix: NDArray[Any]) -> NDArray[Any]:
    """Return the same matrix of degrees or counts, made read-only."""
    matrix.flags.writeable = False
    return matrix
