"""Degrees given by hand: read from a mapping, a matrix or a frame, and checked.

Two directions of a pair make a whole. Where one of them is a float the other is made the exact
rest, so that no rounding keeps them from summing to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import distinct_items
from porank.core.compiled_order import plain_number
from porank.core.graphs import require_digraph
from porank.ensemble.degree_values import number_codes, number_fractions
from porank.ensemble.degrees import precision_of, simple_fraction
from porank.ensemble.pair_matrices import require_room
from porank.errors import PorankError
from porank.extensions.rank_probabilities import MutualRankProbabilities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Item

#: The types whose numbers are rounded.
_FLOATS = (float, np.floating)


class GivenDegrees(NamedTuple):
    """Degrees as they were given.

    Attributes
    ----------
    items : tuple
        The items.
    matrix : array, n x n
        Floats, or numbers of any type; nothing on the diagonal.
    is_rest : array of bool, n x n
        Where no degree was given, and it is the rest of that of the other direction.
    close : float
        How far from 1 the two directions of a pair may sum, if one of them is a float.

    Examples
    --------
    >>> given = read_degrees({("a", "b"): 0.75}, None)
    >>> given.matrix.tolist(), given.is_rest.tolist()
    ([[0.0, 0.75], [0.0, 0.0]], [[False, False], [True, False]])
    """

    items: tuple[Item, ...]
    matrix: NDArray[Any]
    is_rest: NDArray[np.bool_]
    close: float


def read_degrees(
    degrees: Any, items: Iterable[Item] | None, *, reciprocal: bool = True
) -> GivenDegrees:
    """Return the degrees of a mapping, a frame or a square array.

    Floats and whole numbers become an array of floats, anything else is kept. If a mapping of
    reciprocal degrees has only one direction of a pair, the other has the rest.

    Examples
    --------
    >>> read_degrees([[0, Fraction(1, 3)], [Fraction(2, 3), 0]], "ab").matrix.tolist()
    [[0, Fraction(1, 3)], [Fraction(2, 3), 0]]
    """
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
    """Return the degrees in an edge attribute, which every edge must have.

    Examples
    --------
    >>> import networkx as nx
    >>> degrees_of_edges(nx.DiGraph([("a", "b", {"weight": 0.5})]), "weight")
    {('a', 'b'): 0.5}
    """
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
    """Return the degrees as places among all that occur, and these, from 0 to 1.

    Of two floats that sum to 1, as nearly as they can tell, the larger one counts, and the other
    direction has the rest; beside a float an exact number counts. Exact numbers are not rounded.

    Examples
    --------
    >>> strength, values = strengths_of_degrees(read_degrees([[0, 0.7], [1 - 0.7, 0]], "ab"))
    >>> strength.tolist(), list(map(str, values))
    ([[0, 2], [1, 0]], ['0', '3/10', '7/10', '1'])
    >>> strengths_of_degrees(read_degrees([[0, 0.7], [0.4, 0]], "ab"))
    Traceback (most recent call last):
    porank.errors.PorankError: expected degrees that sum to 1 for each two items, found 0.7 for 'a'
    over 'b' and 0.4 for 'b' over 'a'

    Notes
    -----
    Time O(n**2 log n).
    """
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
