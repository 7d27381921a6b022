"""Degrees of preference given as numbers: read, checked, and put in order.

How is 0.1 + 0.2 the same degree as 0.3, and which of a million degrees is the larger? A number
stands for one fraction: whole numbers, fractions and decimals for themselves, a float for the one
that was probably meant. Two directions of a pair make a whole; where one of them is a float the
other is made the exact rest, so that no rounding keeps them from summing to 1.

Idea: *floats tell apart what is further apart than rounding explains; only of those that are nearer
the fractions are made, and compared exactly.* So a million degrees are put in order without a
million fractions, and no two are taken for equal that are not.

Numbers: `simple_fraction`, `is_number`, `read_share`, `precision_of`. Degrees in order: `Degrees`,
`_number_degrees`. Matrices of all pairs: `read_degrees`, `read_strengths`, `strengths_of_wins`,
`with_halves`, `read_matrix`, `read_amounts`, `require_room`, `sealed`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import distinct_items, holds, require_item
from porank.core.compiled_order import plain_number
from porank.core.graphs import require_memory
from porank.errors import PorankError, a_kind, listed
from porank.extensions.rank_probabilities import MutualRankProbabilities

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from porank.typing import Item


#: A float as near as this to a degree is that degree; one of fewer bits, as near as it can tell.
_CLOSE = 1e-9
#: More gigabytes than this no matrix takes.
_GIGABYTES = 8
#: Floats further apart than this stand for different fractions, in the sequence of the floats.
_ROUNDING = 1e-13


def simple_fraction(number: Any) -> Fraction:
    """Return a degree as a fraction; a float as the one that was probably meant."""
    if type(number) is Fraction:
        return number
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, Decimal):
        return Fraction(number)
    # Floats of other sizes than 64 bits print the digits that they have.
    text = str(number) if isinstance(number, np.floating) else repr(float(number))
    exact = Fraction(*Decimal(text).as_integer_ratio())
    near = exact.limit_denominator(10**5)
    away = abs(exact - near)
    return near if 10**14 * away <= 1 and 10**10 * away <= abs(exact) else exact


def is_number(is_inside: Callable[[Any], Any], value: Any) -> bool:
    """Return whether a value such as a degree is a real number for which a condition holds."""
    return isinstance(value, (Real, Decimal)) and holds(is_inside, value)


def read_share(value: Any, *, name: str) -> Fraction:
    """Return a degree, threshold or cost as a fraction, or raise an error unless in (0, 1]."""
    if isinstance(value, bool) or not is_number(lambda number: 0 < number <= 1, value):
        found = value if isinstance(value, Rational) else repr(value)
        raise PorankError(f"expected {name} above 0 and at most 1, found {found}")
    return simple_fraction(value)


def precision_of(kind: type) -> float:
    """Return how far a number of this type may be from a degree to be it; 0 for exact types."""
    if issubclass(kind, np.floating):
        return max(_CLOSE, 2 * float(np.finfo(kind).eps))
    return 0.0 if issubclass(kind, (Rational, Decimal)) else _CLOSE


@dataclass(frozen=True, eq=False)
class Degrees(Sequence[Fraction]):
    """Degrees, ascending from 0 to 1, each made a fraction when it is asked for."""

    columns: tuple[NDArray[Any], ...]
    made_of: Callable[..., Fraction]
    floats: NDArray[np.float64]

    @classmethod
    def of(cls, values: Any, unit: int) -> Degrees:
        """Return the degree for each strength from 0 to `unit`, checked."""
        if isinstance(values, cls) and len(values) == unit + 1:
            return values
        try:
            read = list(map(simple_fraction, values))
        except (TypeError, ValueError, OverflowError):
            read = []
        ascends = all(lower < higher for lower, higher in pairwise(read))
        if len(read) != unit + 1 or not ascends or read[0] != 0 or read[-1] != 1:
            raise PorankError(
                f"expected {unit + 1} degrees that ascend from 0 to 1 as values, "
                f"found {values!r:.60}"
            )
        fractions = np.array(read, dtype=object)
        return cls((fractions,), simple_fraction, fractions.astype(np.float64))

    def at(self, places: NDArray[Any]) -> Degrees:
        """Return the degrees at some places, which ascend."""
        columns = tuple(column[places] for column in self.columns)
        return Degrees(columns, self.made_of, self.floats[places])

    def fractions(self, places: NDArray[Any]) -> list[Fraction]:
        """Return the degrees at many places."""
        columns = [column[places] for column in self.columns]
        if self.made_of is _of_code and columns[0].dtype != object:
            return _of_codes(columns[0])
        return list(map(self.made_of, *(column.tolist() for column in columns)))

    def __len__(self) -> int:
        return len(self.floats)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return list(map(self.__getitem__, range(len(self))[place]))
        return self.made_of(*(column.item(place) for column in self.columns))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(Fraction.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]


def _number_degrees(degrees: Degrees, line: NDArray[np.int64]) -> tuple[NDArray[np.int64], Degrees]:
    """Return the place of each degree among all of them in order, and these, ascending.

    The line has them ascending as far as their floats tell.
    """
    line, floats = line.copy(), degrees.floats
    is_near = np.diff(floats[line]) <= _ROUNDING
    is_new = np.concatenate(([True], ~is_near))
    ends = np.flatnonzero(np.diff(is_near, prepend=False, append=False))
    for begin, last in ends.reshape(-1, 2).tolist():
        near = line[begin : last + 1]
        values = dict(zip(near.tolist(), degrees.fractions(near), strict=True))
        line[begin : last + 1] = sorted(values, key=lambda place: (values[place], place))
        is_new[begin + 1 : last + 1] = [
            one != other for one, other in pairwise(sorted(values.values()))
        ]
    places = np.empty(len(line), dtype=np.int64)
    places[line] = np.cumsum(is_new) - 1
    return places, degrees.at(line[is_new])


def read_strengths(strengths: Any) -> tuple[tuple[Item, ...], NDArray[Any], Degrees]:
    """Return the items of a mapping or a series of strengths, and `_strengths_of_shares`."""
    if hasattr(strengths, "index") and hasattr(strengths, "to_dict"):
        strengths = strengths.to_dict()
    if not isinstance(strengths, Mapping):
        raise PorankError(f"expected a mapping item -> strength, found {a_kind(strengths)}")
    require_room(len(strengths), bytes_each=8)
    for item, strength in strengths.items():
        require_item(item)
        if not is_number(lambda number: 0 < number < math.inf, strength):
            raise PorankError(
                f"expected a positive, finite strength for {item!r}, found {strength!r}"
            )
    return tuple(strengths), *_strengths_of_shares(list(map(simple_fraction, strengths.values())))


def _strengths_of_shares(strengths: Sequence[Fraction]) -> tuple[NDArray[Any], Degrees]:
    """Return the degrees v_a / (v_a + v_b) of Plackett and Luce as places among all, and these."""
    scale = math.lcm(*(strength.denominator for strength in strengths))
    amounts = [int(strength * scale) for strength in strengths]
    # With 0 the weaker of two has the degree 0, and the stronger 1.
    different = [0, *sorted(set(amounts or [1]))]
    has_equals = len(different) <= len(amounts)
    one, other = np.triu_indices(len(different), 1)
    if has_equals:
        one, other = np.append(one, 1), np.append(other, 1)
    floats = _first_shares(different, one, other)
    made_of = partial(_first_share, different)
    places, lower = _number_degrees(Degrees((one, other), made_of, floats), np.argsort(floats))
    # What is above 1/2 mirrors what is below.
    above = slice(-1 - has_equals, None, -1)
    columns = (np.append(one, other[above]) for one, other in (lower.columns, lower.columns[::-1]))
    values = Degrees(tuple(columns), made_of, np.append(lower.floats, 1 - lower.floats[above]))
    square = np.zeros((len(different), len(different)), dtype=np.int64)
    square[other, one] = len(values) - 1 - places
    square[one, other] = places
    np.fill_diagonal(square, places[-1])
    number = {amount: place for place, amount in enumerate(different)}
    numbers = [number[amount] for amount in amounts]
    strength = square.astype(np.min_scalar_type(len(values)))[np.ix_(numbers, numbers)]
    np.fill_diagonal(strength, 0)
    return strength, values


def _first_share(amounts: Sequence[int], one: int, other: int) -> Fraction:
    """Return the degree a / (a + b) of the first of two strengths."""
    return Fraction(amounts[one], amounts[one] + amounts[other])


def _first_shares(
    amounts: Sequence[int], one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the degrees a / (a + b) as floats, of strengths that may be beyond all floats."""
    exponents = np.array([amount.bit_length() for amount in amounts])
    fractions = np.array([amount / (1 << amount.bit_length()) for amount in amounts])
    with np.errstate(over="ignore", under="ignore"):
        rest = np.ldexp(fractions[other], exponents[other] - exponents[one])
    shares: NDArray[np.float64] = fractions[one] / (fractions[one] + rest)
    return shares


class _GivenDegrees(NamedTuple):
    """Degrees as they were given: floats, or numbers of any types."""

    items: tuple[Item, ...]
    matrix: NDArray[Any]
    is_rest: NDArray[np.bool_]
    close: float


def read_degrees(
    degrees: Any, items: Iterable[Item] | None, *, reciprocal: bool = True
) -> tuple[tuple[Item, ...], NDArray[Any], Degrees]:
    """Return the items of a mapping, a frame or a square array, and `_strengths_of_degrees`."""
    if items is None and isinstance(degrees, MutualRankProbabilities):
        items, degrees = degrees.all_items, degrees.matrix()
    if isinstance(degrees, Mapping):
        names, matrix, is_rest = _read_mapping(degrees, items, reciprocal=reciprocal)
    else:
        names, matrix = _read_square(degrees, items)
        is_rest = np.zeros(matrix.shape, dtype=bool)
    kinds: set[type] = {matrix.dtype.type}
    if matrix.dtype == object:
        np.fill_diagonal(matrix, 0)
        kinds = set(map(type, matrix.flat))
        _require_numbers(matrix, kinds, names)
        if all(issubclass(kind, (int, float)) for kind in kinds):
            with suppress(OverflowError):  # a whole number beyond all floats, which is no degree
                matrix = matrix.astype(np.float64)
    else:
        if matrix.dtype.kind == "f" and matrix.dtype.itemsize < 8:
            matrix = matrix.astype(str)  # floats of fewer bits print the digits that they have
        matrix = matrix.astype(np.float64)
        np.fill_diagonal(matrix, 0)
    close = max(map(precision_of, kinds), default=0.0)
    given = _GivenDegrees(names, matrix, is_rest, close)
    return names, *_strengths_of_degrees(given, reciprocal=reciprocal)


def _read_mapping(
    degrees: Mapping[Any, Any], items: Iterable[Item] | None, *, reciprocal: bool
) -> tuple[tuple[Item, ...], NDArray[Any], NDArray[np.bool_]]:
    for pair in degrees:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise PorankError(f"expected pairs (preferred, other) as keys, found {pair!r}")
    met = dict.fromkeys(item for pair in degrees for item in pair)
    names = _names(list(met) if items is None else items)
    require_room(len(names), bytes_each=8)
    place = {item: number for number, item in enumerate(names)}
    unknown = [item for item in met if item not in place]
    if unknown:
        raise PorankError(f"expected degrees of the items given, found {unknown[0]!r}")
    matrix = np.full((len(names), len(names)), 0, dtype=object)
    is_rest = np.zeros(matrix.shape, dtype=bool)
    for (preferred, other), degree in degrees.items():
        matrix[place[preferred], place[other]] = degree
        if reciprocal and (other, preferred) not in degrees:
            is_rest[place[other], place[preferred]] = True
    return names, matrix, is_rest


def _read_square(
    degrees: Any, items: Iterable[Item] | None
) -> tuple[tuple[Item, ...], NDArray[Any]]:
    if items is None and hasattr(degrees, "columns") and hasattr(degrees, "index"):
        items = list(degrees.index)
        if items != list(degrees.columns):
            raise PorankError(
                "expected the same items as rows and columns, in the same sequence, found "
                f"{listed(items)} and {listed(degrees.columns)}"
            )
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
    return names, matrix if matrix.dtype.kind in "biuf" else matrix.astype(object)


def _names(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(map(plain_number, distinct_items(items, name="items")))


def _require_numbers(matrix: NDArray[Any], kinds: set[type], names: Sequence[Item]) -> None:
    if all(issubclass(kind, (Real, Decimal)) for kind in kinds):
        return
    cells = ((u, v, matrix[i, j]) for i, u in enumerate(names) for j, v in enumerate(names))
    u, v, found = next(cell for cell in cells if not isinstance(cell[2], (Real, Decimal)))
    raise PorankError(f"expected a number as degree of {u!r} over {v!r}, found {found!r}")


def _strengths_of_degrees(
    given: _GivenDegrees, *, reciprocal: bool
) -> tuple[NDArray[Any], Degrees]:
    """Return the degrees as places among all that occur, and these, from 0 to 1."""
    rows, columns = np.triu_indices(len(given.items), 1)
    codes = _settled(given, (rows, columns), reciprocal=reciprocal)
    different, numbers = _told_apart(np.append(codes, np.array([0, 1], dtype=codes.dtype)))
    # A rest as it is meant: 1 - 0.9 is 0.1 then, and not 0.09999999999999998.
    floats = different.astype(np.float64)
    floats[floats < 0] = (1 + floats[floats < 0]).round(16)
    # Sorted codes are two runs that ascend, which this sort joins.
    line = np.argsort(floats, kind="stable")
    places, values = _number_degrees(Degrees((different,), _of_code, floats), line)
    strength = np.zeros((len(given.items),) * 2, dtype=np.min_scalar_type(len(values)))
    strength[rows, columns], strength[columns, rows] = places[numbers[:-2]].reshape(2, -1)
    return strength, values


def _of_code(code: Any) -> Fraction:
    """Return the degree that a code stands for; what a float leaves to 1 has a minus."""
    return simple_fraction(code) if code >= 0 else 1 - simple_fraction(-code)


def _of_codes(codes: NDArray[np.float64]) -> list[Fraction]:
    """Return the degrees of many codes, most of them made of their digits alone."""
    degrees = []
    is_near = _may_be_near(abs(codes))
    for code, near in zip(codes.tolist(), is_near.tolist(), strict=True):
        text = repr(abs(code))
        if near or not text.startswith("0."):
            degrees.append(_of_code(code))
            continue
        digits, whole = int(text[2:]), 10 ** (len(text) - 2)
        degrees.append(Fraction(digits if code >= 0 else whole - digits, whole))
    return degrees


def _may_be_near(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which degrees given as floats may mean a fraction of a denominator up to 10**5.

    Idea: *of a convergent p / q of the continued fraction a number is about f / q**2 away, if f is
    the part that is still to be written; floats know f well enough while q is so small.*
    """
    is_near = np.zeros(len(shares), dtype=bool)
    left, rest = np.arange(len(shares)), shares
    before, last = np.zeros(len(shares)), np.ones(len(shares))
    while left.size:
        is_found = rest <= 1e-12 * last**2
        is_near[left[is_found]] = True
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            whole = np.floor(1 / rest)
            following = before + whole * last
            goes_on = ~is_found & (following <= 10**5)
            rest = (1 / rest - whole)[goes_on]
        left, before, last = left[goes_on], last[goes_on], following[goes_on]
    return is_near


def _told_apart(codes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the different codes of degrees, and the number of each among them."""
    if codes.dtype != object:
        return np.unique(codes, return_inverse=True)
    # Two whole numbers are hashed much faster than the fraction that they make.
    ratios = [code.as_integer_ratio() for code in codes]
    different = dict(zip(ratios, codes, strict=True))
    place = {ratio: number for number, ratio in enumerate(different)}
    numbers = np.fromiter(map(place.__getitem__, ratios), np.int64, len(ratios))
    return np.array(list(different.values()), dtype=object), numbers


def _settled(
    given: _GivenDegrees, upper: tuple[NDArray[Any], NDArray[Any]], *, reciprocal: bool
) -> NDArray[Any]:
    """Return codes of degrees of both directions, checked; two that nearly make 1 make it."""
    shares, are_exact = _as_shares(given)
    (one, back), (is_exact, back_is_exact), (is_rest, back_is_rest) = (
        (matrix[upper], matrix.T[upper]) for matrix in (shares, are_exact, given.is_rest)
    )
    together = np.add(one, back, where=~(is_rest | back_is_rest), out=np.zeros_like(one))
    is_whole = abs(together - 1) <= np.where(is_exact & back_is_exact, 0, given.close)
    is_wrong = (together > 1) | ((together > 0) & (together < 1) & reciprocal)
    for place in np.flatnonzero(is_wrong & ~is_whole)[:1]:
        raise _no_whole(given, *(int(side[place]) for side in upper), reciprocal=reciprocal)
    # The larger counts; beside a float what is exact.
    is_like = is_whole & (is_exact == back_is_exact)
    is_less = np.less(one, back, where=is_like, out=is_whole & back_is_exact & ~is_exact)
    is_more = np.less(back, one, where=is_like, out=is_whole & is_exact & ~back_is_exact)
    codes = np.concatenate(
        [_with_rests(one, back, is_rest | is_less), _with_rests(back, one, back_is_rest | is_more)]
    )
    codes[np.tile(is_whole & ~is_less & ~is_more, 2)] = Fraction(1, 2)
    return codes


def _with_rests(
    codes: NDArray[Any], back: NDArray[Any], is_rest: NDArray[np.bool_]
) -> NDArray[Any]:
    """Return codes of degrees, with 1 minus the other direction's where none was given."""
    if codes.dtype != object:
        return np.where(is_rest, np.where(back > 0, -back, 1), codes)
    settled = codes.copy()
    settled[is_rest] = 1 - back[is_rest]
    return settled


def _as_shares(given: _GivenDegrees) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return degrees given, checked, as floats or fractions, and which of them are exact."""
    matrix, are_objects = given.matrix, given.matrix.dtype == object
    is_degree = (
        _each(partial(holds, lambda degree: 0 <= degree <= 1), matrix).astype(bool)
        if are_objects
        else (matrix >= 0) & (matrix <= 1)
    )
    for i, j in np.argwhere(~is_degree)[:1].tolist():
        u, v = given.items[i], given.items[j]
        raise PorankError(
            f"expected degrees from 0 to 1, found {matrix[i, j]!s:.60} for {u!r} over {v!r}"
        )
    if not are_objects:
        return matrix, np.zeros(matrix.shape, dtype=bool)
    is_exact = _each(lambda degree: not isinstance(degree, (float, np.floating)), matrix)
    return _each(simple_fraction, matrix), is_exact.astype(bool)


def _each(function: Callable[[Any], Any], matrix: NDArray[Any]) -> NDArray[Any]:
    """Return what a function makes of each degree of a matrix."""
    made: NDArray[Any] = np.frompyfunc(function, 1, 1)(matrix)
    return made


def _no_whole(given: _GivenDegrees, i: int, j: int, *, reciprocal: bool) -> PorankError:
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


def require_room(n: int, *, bytes_each: int = 1) -> None:
    """Raise an error if a matrix of n x n degrees or counts would not fit into memory."""
    taken = n * n * bytes_each / 10**9
    if taken > _GIGABYTES:
        raise PorankError(
            f"expected a matrix of all pairs of at most {_GIGABYTES} GB, found {n:,} items, whose "
            f"pairs take {taken:,.0f} GB; fewer items may do"
        )
    require_memory(taken * 10**9, what=f"all pairs of {n:,} items", instead="fewer items may do")


def strengths_of_wins(wins: NDArray[Any], total: int, *, ties: str) -> tuple[NDArray[Any], int]:
    """Return degrees as whole numbers from the wins of members, and the unit, degree 1."""
    is_plain = ties == "none" or decides_each_pair(wins, total)
    return (wins, total) if is_plain else (with_halves(wins, total), 2 * total)


def with_halves(wins: NDArray[Any], total: int) -> NDArray[Any]:
    """Return doubled wins of members, an open pair giving half a win to each of its items.

    w wins, w' losses and t open pairs: w + w' + t = total makes 2 w + t = total + w - w'.
    """
    wide = wins.astype(np.min_scalar_type(-2 * total - 1))
    strength: NDArray[Any] = total + wide - wide.T
    np.fill_diagonal(strength, 0)
    return strength.astype(np.min_scalar_type(2 * total))


def decides_each_pair(wins: NDArray[Any], total: int) -> bool:
    """Return whether all members decide every pair, so that degrees have no halves."""
    pairs = len(wins) * (len(wins) - 1) // 2
    kind = np.int64 if total * pairs < 2**63 else object
    return int(wins.sum(dtype=kind)) == total * pairs


def sealed(matrix: NDArray[Any]) -> NDArray[Any]:
    """Return the same matrix of degrees or counts, which nobody can write to any more."""
    matrix.flags.writeable = False
    return matrix


def read_matrix(matrix: Any, n: int, *, name: str, most: int, in_all: bool = True) -> NDArray[Any]:
    """Return a matrix of strengths or wins checked and read-only; a copy if others can write."""
    array = np.asarray(matrix)
    is_whole = array.dtype.kind in "iu"
    if array.dtype == object:
        is_whole = all(type(entry) is int for entry in array.flat)
    if array.shape != (n, n) or not is_whole:
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
        limit = np.array(most, dtype=np.result_type(array.dtype, np.min_scalar_type(most)))
        is_wrong = array > limit - array.T
        if is_wrong.any():
            raise PorankError(
                f"expected two directions of a pair that have at most {most} in all as {name}, "
                f"found {array[is_wrong][0]} and {array.T[is_wrong][0]}"
            )
    return sealed(array.copy() if array.flags.writeable and array is matrix else array)


def read_amounts(matrix: Any, n: int) -> NDArray[Any]:
    """Return the matrix of support for degrees read-only; a copy if others can write."""
    array = np.asarray(matrix)
    if array.shape != (n, n):
        raise PorankError(f"expected {n} x {n} numbers as support, found shape {array.shape}")
    return sealed(array.copy() if array.flags.writeable else array)
