"""The degrees that occur in a relation, ascending, and the place of each among them.

Idea: *floats tell apart what is further apart than rounding explains; only of those that are nearer
the fractions are made, and compared exactly.* So a million degrees are put in order without a
million fractions, and no two are taken for equal that are not.

Numbers that are degrees, thresholds and costs: the fraction that each one stands for.

Whole numbers, fractions and decimals are exact. A float stands for the fraction that was probably
meant.

Degrees of preference from the model of Plackett and Luce.

Idea: *whoever is stronger is preferred to a degree above 1/2, and the degrees of the other
directions are the rests; so only the shares of the weaker of two strengths are put in order.*

Matrices of all pairs of items: what a valued relation must hold, and how large they may be.

Degrees given by hand: read from a mapping, a matrix or a frame, and checked.

Two directions of a pair make a whole. Where one of them is a float the other is made the exact
rest, so that no rounding keeps them from summing to 1.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import distinct_items, require_item
from porank.core.compiled_order import plain_number
from porank.core.graphs import require_digraph
from porank.errors import PorankError
from porank.extensions.rank_probabilities import MutualRankProbabilities

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Item, Numbers


#: Floats further apart than this stand for different fractions, in the sequence of the floats.
_ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class Degrees(Sequence[Fraction]):
    """Degrees, ascending from 0 to 1, each made a fraction when it is asked for."""

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
    """Return the degree for each strength from 0 to `unit`, checked."""
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
    """Return the degrees at these places."""
    if isinstance(values, Degrees):
        columns = tuple(column[places] for column in values.columns)
        return Degrees(columns, values.made_of, values.floats[places])
    return tuple(values[place] for place in places.tolist())


def floats_of(values: Sequence[Fraction]) -> NDArray[np.float64]:
    """Return degrees as an array of floats."""
    return values.floats if isinstance(values, Degrees) else np.array(values, dtype=np.float64)


def places_of(
    keys: NDArray[np.float64], exact: Callable[[int], Fraction]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the place of each value among all, and for each place one position of its value."""
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
    """Return fractions as their places among all that occur, and these, from 0 to 1."""
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
    """Return coded floats as places among all degrees that occur, and the degrees."""
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
    """Return places among so many values as the smallest integers that hold them."""
    return places.astype(np.min_scalar_type(n_values))


#: A float as near as this to a degree is that degree; one of fewer bits, as near as it can tell.
CLOSE = 1e-9


def is_real(value: Any) -> bool:
    """Return whether the value is a real number of any type, and no truth value."""
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def simple_fraction(number: Any) -> Fraction:
    """Return a finite number as a fraction; a float as the one that was probably meant."""
    if type(number) is Fraction:
        return number
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, Decimal):
        return Fraction(number)
    # Floats of other sizes than 64 bits print the digits that they have.
    whole = Fraction(str(number) if isinstance(number, np.floating) else repr(float(number)))
    near = whole.limit_denominator(10**5)
    rounding = min(Fraction(1, 10**14), abs(whole) / 10**10)
    return near if abs(near - whole) <= rounding else whole


def is_positive_share(value: Any) -> bool:
    """Return whether the value is a number above 0 and at most 1."""
    try:
        return is_real(value) and bool(0 < value <= 1)
    except ArithmeticError:  # which is how a Decimal says that it is no number
        return False


def precision_of(kind: type) -> float:
    """Return how far a number of this type may be from a degree to be it; 0 for exact types."""
    if issubclass(kind, np.floating):
        return max(CLOSE, 2 * float(np.finfo(kind).eps))
    return 0.0 if issubclass(kind, (Rational, Decimal)) else CLOSE


def read_threshold(alpha: Any) -> tuple[Fraction, float]:
    """Return a threshold as a fraction, and how far a degree may be from it to be it."""
    if not is_positive_share(alpha):
        raise PorankError(f"expected a threshold above 0 and at most 1, found {alpha}")
    return simple_fraction(alpha), precision_of(type(alpha))


def place_of_threshold(values: Sequence[Fraction], alpha: Fraction, tolerance: float) -> int:
    """Return the place of the degree that is meant by a threshold, or else of the next above it."""
    above = bisect_left(values, alpha)
    around = range(max(above - 1, 1), above + 1)
    nearest = min(around, key=lambda place: abs(values[place] - alpha))
    return nearest if abs(values[nearest] - alpha) <= tolerance else above


#: Floats below this one lose digits.
_TINY = 1e-290


def read_strengths(strengths: Any) -> dict[Item, Fraction]:
    """Return the strength of each item as a fraction; a float as the one probably meant."""
    if hasattr(strengths, "index") and hasattr(strengths, "to_dict"):
        strengths = strengths.to_dict()
    if not isinstance(strengths, Mapping):
        raise PorankError(
            f"expected a mapping item -> strength, found a {type(strengths).__name__}"
        )
    require_room(len(strengths), bytes_each=8)
    for item, strength in strengths.items():
        require_item(item)
        if not _is_strength(strength):
            raise PorankError(
                f"expected a positive, finite strength for {item!r}, found {strength!r}"
            )
    return {item: simple_fraction(strength) for item, strength in strengths.items()}


def _is_strength(value: Any) -> bool:
    is_number = isinstance(value, (Real, Decimal))
    try:
        return is_number and bool(0 < value < math.inf)
    except ArithmeticError:  # which is how a Decimal says that it is no number
        return False


def strengths_of_pairs(strengths: Sequence[Fraction]) -> tuple[NDArray[Any], Degrees]:
    """Return the degrees v_a / (v_a + v_b) as places among them all, and these."""
    whole = _as_whole_numbers(strengths)
    different = sorted(set(whole))
    fits = sum(different[-2:]) < 2**62
    amounts = np.array(different, dtype=np.int64 if fits else object)
    weaker, stronger = np.triu_indices(len(amounts), 1)
    shares = _shares(amounts, weaker, stronger)

    def exact(pair: int) -> Fraction:
        part = different[weaker.item(pair)]
        return Fraction(part, part + different[stronger.item(pair)])

    places, chosen = places_of(shares, exact)
    has_equals = len(different) < len(whole)
    part, rest = amounts[weaker[chosen]], amounts[stronger[chosen]]
    values = _mirrored(part, part + rest, shares[chosen], has_half=has_equals)
    square = np.zeros((len(amounts), len(amounts)), dtype=np.int64)
    square[weaker, stronger] = places + 1
    square[stronger, weaker] = len(values) - 2 - places
    number = {amount: place for place, amount in enumerate(different)}
    numbers = [number[amount] for amount in whole]
    strength = square[np.ix_(numbers, numbers)]
    is_equal = strength == 0
    strength[is_equal] = len(chosen) + 1
    np.fill_diagonal(strength, 0)
    return as_strength(strength, len(values)), values


def _as_whole_numbers(strengths: Sequence[Fraction]) -> list[int]:
    """Return whole numbers in the same proportions, the smallest there are."""
    scale = math.lcm(*(strength.denominator for strength in strengths))
    whole = [int(strength * scale) for strength in strengths]
    shared = math.gcd(*whole)
    return [number // shared for number in whole]


def _shares(amounts: NDArray[Any], weaker: Numbers, stronger: Numbers) -> NDArray[np.float64]:
    """Return the share of the weaker in each pair, as floats."""
    whole = amounts.tolist()
    if amounts.dtype == object:
        # Of the largest one, so that no float overflows.
        amounts = np.array([amount / whole[-1] for amount in whole], dtype=np.float64)
    part, both = amounts[weaker], amounts[weaker] + amounts[stronger]
    shares: NDArray[np.float64] = part / np.where(both > 0, both, 1)
    for pair in np.flatnonzero(both < _TINY).tolist():
        weak, strong = whole[weaker.item(pair)], whole[stronger.item(pair)]
        shares[pair] = weak / (weak + strong)
    return shares


def _mirrored(
    part: NDArray[Any], whole: NDArray[Any], shares: NDArray[np.float64], *, has_half: bool
) -> Degrees:
    """Return the degrees from 0 to 1, given those strictly between 0 and 1/2."""
    half = [1] * has_half
    above = _joined([0], part, half, (whole - part)[::-1], [1])
    below = _joined([1], whole, [2 * one for one in half], whole[::-1], [1])
    floats = np.concatenate(([0], shares, [0.5] * has_half, (1 - shares)[::-1], [1]))
    return Degrees((above, below), Fraction, floats)


def _joined(*pieces: Any) -> NDArray[Any]:
    """Return whole numbers in one array; the type is that of the second piece."""
    return np.concatenate([np.array(piece, dtype=pieces[1].dtype) for piece in pieces])


#: Matrices are compared with their transposes in tiles of so many rows, which fit the cache.
_TILE = 256
#: More gigabytes than this no matrix takes.
_GIGABYTES = 8


def require_room(n: int, *, bytes_each: int = 1) -> None:
    """Raise an error if a matrix of n x n entries would not fit into memory."""
    taken = n * n * bytes_each / 10**9
    if taken > _GIGABYTES:
        raise PorankError(
            f"expected a matrix of all pairs of at most {_GIGABYTES} GB, found {n:,} items, whose "
            f"pairs take {taken:,.0f} GB; fewer items may do"
        )


def tiles(matrix: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield the matrix in tiles, each with the tile of the same pairs in the other direction."""
    n = len(matrix)
    for i in range(0, n, _TILE):
        for j in range(i, n, _TILE):
            yield matrix[i : i + _TILE, j : j + _TILE], matrix[j : j + _TILE, i : i + _TILE].T


def strengths_of_wins(wins: NDArray[Any], total: int, *, ties: str) -> tuple[NDArray[Any], int]:
    """Return the strengths, and the unit, which is the strength of degree 1, of so many members."""
    if ties == "none" or _decides_each_pair(wins, total):
        return wins, total
    # w wins, w' losses and t open pairs: w + w' + t = total makes 2 w + t = total + w - w'.
    wide = wins.astype(np.min_scalar_type(-2 * total - 1))
    strength = total + wide - wide.T
    np.fill_diagonal(strength, 0)
    return strength.astype(np.min_scalar_type(2 * total)), 2 * total


def _decides_each_pair(wins: NDArray[Any], total: int) -> bool:
    pairs = len(wins) * (len(wins) - 1) // 2
    kind = np.int64 if total * pairs < 2**63 else object
    return int(wins.sum(dtype=kind)) == total * pairs


def sealed(matrix: NDArray[Any]) -> NDArray[Any]:
    """Return the same matrix, which nobody can write to any more."""
    matrix.flags.writeable = False
    return matrix


def read_matrix(matrix: Any, n: int, *, name: str, most: int, in_all: bool = True) -> NDArray[Any]:
    """Return a matrix of whole numbers that nobody can write to; a copy of one others can."""
    array = np.asarray(matrix)
    if array.shape != (n, n) or not _are_whole(array):
        raise PorankError(
            f"expected a matrix of {n} x {n} whole numbers as {name}, found an array of shape "
            f"{array.shape} and type {array.dtype}"
        )
    if array.size and not 0 <= array.min() <= array.max() <= most:
        wrong = array.min() if array.min() < 0 else array.max()
        raise PorankError(f"expected whole numbers from 0 to {most} as {name}, found {wrong}")
    if array.diagonal().any():
        raise PorankError(f"expected 0 for each item and itself as {name}, found another number")
    if in_all:
        _require_no_more_in_all(array, name, most)
    return sealed(array.copy() if array.flags.writeable and array is matrix else array)


def _are_whole(array: NDArray[Any]) -> bool:
    """Say whether these are whole numbers, those that no machine type holds among them."""
    if array.dtype == object:
        return all(type(entry) is int for entry in array.flat)
    return array.dtype.kind in "iu"


def _require_no_more_in_all(array: NDArray[Any], name: str, most: int) -> None:
    limit = np.array(most, dtype=np.result_type(array.dtype, np.min_scalar_type(most)))
    for there, back in tiles(array):
        is_wrong = there > limit - back
        if is_wrong.any():
            raise PorankError(
                f"expected two directions of a pair that have at most {most} in all as {name}, "
                f"found {there[is_wrong][0]} and {back[is_wrong][0]}"
            )


#: The types whose numbers are rounded.
_FLOATS = (float, np.floating)


class GivenDegrees(NamedTuple):
    """Degrees as they were given."""

    items: tuple[Item, ...]
    matrix: NDArray[Any]
    is_rest: NDArray[np.bool_]
    close: float


def read_degrees(
    degrees: Any, items: Iterable[Item] | None, *, reciprocal: bool = True
) -> GivenDegrees:
    """Return the degrees of a mapping, a frame or a square array."""
    if items is None and isinstance(degrees, MutualRankProbabilities):
        items = degrees.all_items
    if isinstance(degrees, Mapping):
        return _read_mapping(degrees, items, reciprocal=reciprocal)
    if items is None and hasattr(degrees, "columns") and hasattr(degrees, "index"):
        items = list(degrees.index)
        if items != list(degrees.columns):
            raise PorankError("expected the same items as rows and columns, in the same sequence")
    try:
        matrix = np.asarray(degrees)
    except ValueError:  # rows of different lengths
        matrix = np.array(0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise PorankError(
            "expected a mapping (preferred, other) -> degree or a square matrix of degrees, found "
            + (f"an array of shape {matrix.shape}" if matrix.ndim else f"{degrees!r:.60}")
        )
    names = _names(range(len(matrix)) if items is None else items)
    if len(names) != len(matrix):
        raise PorankError(f"expected {len(matrix)} items for the matrix, found {len(names)}")
    if matrix.dtype.kind not in "biuf":
        return _of_rows(matrix.tolist(), np.zeros(matrix.shape, dtype=bool), names)
    close = precision_of(matrix.dtype.type)
    if matrix.dtype.kind == "f" and matrix.dtype.itemsize < 8:
        matrix = matrix.astype(str)  # floats of fewer bits print the digits that they have
    matrix = matrix.astype(np.float64)
    np.fill_diagonal(matrix, 0)
    return GivenDegrees(names, matrix, np.zeros(matrix.shape, dtype=bool), close)


def _names(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(map(plain_number, distinct_items(items, name="items")))


def _read_mapping(
    degrees: Mapping[Any, Any], items: Iterable[Item] | None, *, reciprocal: bool
) -> GivenDegrees:
    for pair in degrees:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise PorankError(f"expected pairs (preferred, other) as keys, found {pair!r}")
    met = dict.fromkeys(item for pair in degrees for item in pair)
    names = _names(list(met) if items is None else items)
    require_room(len(names), bytes_each=8)
    place = {item: number for number, item in enumerate(names)}
    rows: list[list[Any]] = [[0] * len(names) for _ in names]
    is_rest = np.zeros((len(names), len(names)), dtype=bool)
    for (preferred, other), degree in degrees.items():
        for item in (preferred, other):
            if item not in place:
                raise PorankError(f"expected degrees of the items given, found {item!r}")
        rows[place[preferred]][place[other]] = degree
        if reciprocal and (other, preferred) not in degrees:
            is_rest[place[other], place[preferred]] = True
    return _of_rows(rows, is_rest, names)


def degrees_of_edges(G: nx.DiGraph, weight: str) -> dict[tuple[Item, Item], Any]:
    """Return the degrees in an edge attribute, which every edge must have."""
    require_digraph(G)
    degrees = {(u, v): degree for u, v, degree in G.edges(data=weight)}
    for (u, v), degree in degrees.items():
        if degree is None:
            raise PorankError(
                f"expected the attribute {weight!r} on each edge, found none on {u!r} -> {v!r}"
            )
    return degrees


def _of_rows(
    rows: list[list[Any]], is_rest: NDArray[np.bool_], names: tuple[Item, ...]
) -> GivenDegrees:
    """Return degrees that stand in lists, numbers of any type."""
    for number, row in enumerate(rows):
        row[number] = 0
    kinds = {type(degree) for row in rows for degree in row}
    if not all(issubclass(kind, (Real, Decimal)) for kind in kinds):
        raise _not_a_number(rows, names)
    close = max(map(precision_of, kinds), default=0.0)
    kind = np.float64 if all(issubclass(kind, (int, float)) for kind in kinds) else object
    try:
        matrix = np.array(rows, dtype=kind).reshape(is_rest.shape)
    except OverflowError:  # a whole number beyond all floats, which is no degree
        matrix = np.array(rows, dtype=object)
    return GivenDegrees(names, matrix, is_rest, close)


def _not_a_number(rows: list[list[Any]], names: tuple[Item, ...]) -> PorankError:
    u, v, found = next(
        (u, v, degree)
        for u, row in zip(names, rows, strict=True)
        for v, degree in zip(names, row, strict=True)
        if not isinstance(degree, (Real, Decimal))
    )
    return PorankError(f"expected a number as degree of {u!r} over {v!r}, found {found!r}")


def strengths_of_degrees(
    given: GivenDegrees, *, reciprocal: bool = True
) -> tuple[NDArray[Any], Sequence[Fraction]]:
    """Return the degrees as places among all that occur, and these, from 0 to 1."""
    if given.matrix.dtype == object:
        return number_fractions(_fractions(given, reciprocal))
    return number_codes(_codes(given, reciprocal))


def _codes(given: GivenDegrees, reciprocal: bool) -> NDArray[np.float64]:
    """Return floats as `number_codes` takes them, checked."""
    matrix, opposite, is_rest = given.matrix, given.matrix.T, given.is_rest
    outside = np.argwhere(~((matrix >= 0) & (matrix <= 1)))
    if len(outside):
        raise _outside(given, *outside[0].tolist())
    together = matrix + opposite
    is_told = ~(is_rest | is_rest.T)
    is_wrong = together > 1 + given.close
    if reciprocal:
        is_wrong |= (together > 0) & (together < 1 - given.close)
    wrong = np.argwhere(is_wrong & is_told)
    if len(wrong):
        raise _no_whole(given, *wrong[0].tolist(), reciprocal=reciprocal)
    is_whole = is_told & (abs(together - 1) <= given.close)
    is_left = is_rest | (is_whole & (matrix < opposite))
    codes: NDArray[np.float64] = np.where(is_left, -opposite, matrix)
    codes[is_left & (codes == 0)] = 1
    codes[is_whole & (matrix == opposite)] = 0.5
    return codes


def _fractions(given: GivenDegrees, reciprocal: bool) -> NDArray[Any]:
    """Return numbers of any type as fractions, checked."""
    n = len(given.items)
    fractions = np.full((n, n), Fraction(0), dtype=object)
    for i, j in combinations(range(n), 2):
        for u, v in ((i, j), (j, i)):
            if not given.is_rest[u, v] and not _is_share(given.matrix[u, v]):
                raise _outside(given, u, v)
        if given.is_rest[i, j] or given.is_rest[j, i]:
            u, v = (j, i) if given.is_rest[i, j] else (i, j)
            degree = simple_fraction(given.matrix[u, v])
            fractions[u, v], fractions[v, u] = degree, 1 - degree
        else:
            fractions[i, j], fractions[j, i] = _settled(given, i, j, reciprocal)
    return fractions


def _settled(given: GivenDegrees, i: int, j: int, reciprocal: bool) -> tuple[Fraction, Fraction]:
    """Return the degrees of a pair as fractions, those that nearly make a whole as a whole."""
    there, back = given.matrix[i, j], given.matrix[j, i]
    one, other = simple_fraction(there), simple_fraction(back)
    are_exact = not isinstance(there, _FLOATS), not isinstance(back, _FLOATS)
    together = one + other
    if not all(are_exact) and abs(together - 1) <= given.close:
        if one == other and not any(are_exact):
            return Fraction(1, 2), Fraction(1, 2)
        counts = (are_exact[0], one) >= (are_exact[1], other)
        return (one, 1 - one) if counts else (1 - other, other)
    if together > 1 or (reciprocal and 0 < together < 1):
        raise _no_whole(given, i, j, reciprocal=reciprocal)
    return one, other


def _is_share(degree: Any) -> bool:
    try:
        return bool(0 <= degree <= 1)
    except ArithmeticError:  # which is how a Decimal says that it is no number
        return False


def _outside(given: GivenDegrees, i: int, j: int) -> PorankError:
    u, v = given.items[i], given.items[j]
    return PorankError(
        f"expected degrees from 0 to 1, found {given.matrix[i, j]!s} for {u!r} over {v!r}"
    )


def _no_whole(given: GivenDegrees, i: int, j: int, *, reciprocal: bool) -> PorankError:
    u, v = given.items[i], given.items[j]
    there, back = given.matrix[i, j], given.matrix[j, i]
    whole = "sum to 1" if reciprocal else "sum to at most 1"
    # Fractions and floats do not mix with every other type of number.
    is_less = simple_fraction(there) + simple_fraction(back) < 1
    hint = "; reciprocal=False takes pairs that are partly open" if is_less else ""
    return PorankError(
        f"expected degrees that {whole} for each two items, found {there!s} for {u!r} over {v!r} "
        f"and {back!s} for {v!r} over {u!r}{hint}"
    )
