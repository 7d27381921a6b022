"""From positions in the parts of an order to ranks in the whole.

Idea: *a position in a part becomes a rank in the whole with known probabilities: in a series by
counting on, among components by shuffling.* They are the same for all items of a leaf, so that a
leaf and one matrix, position in the leaf by rank, tell everything.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, combinations, product
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from porank.order.composition import shuffled, shuffled_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from porank.order.decomposition import Part
    from porank.order.leaf_positions import Leaf

Matrix = NDArray[Any]


class Placed(NamedTuple):
    """A leaf, and where its positions lie in the whole.

    Attributes
    ----------
    leaf : Leaf
        The leaf.
    first : int
        The position in the whole that the first column stands for.
    spread : array
        The probability [q, p] that the item at position q of the leaf stands at position first + p
        of the whole; None if it stands at first + q.
    """

    leaf: Leaf
    first: int
    spread: Matrix | None

    @property
    def columns(self) -> slice:
        """The positions of the whole that items of the leaf may stand at."""
        width = len(self.leaf.items) if self.spread is None else self.spread.shape[1]
        return slice(self.first, self.first + width)

    def rows_of(self, values: Matrix) -> Matrix:
        """Return for each position of the leaf the mean of values that have a row a position."""
        own = values[self.columns]
        return own if self.spread is None else self.spread @ own


def rank_table(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], *, exact: bool
) -> tuple[Matrix, Matrix]:
    """Return the probability [i, p] of item i to stand at position p, and its standard error.

    Examples
    --------
    >>> from porank.order.decomposition import Part
    >>> from porank.order.leaf_positions import FreeLeaf
    >>> parts = [Part("series", 3, [1, 2], [], []), *(Part("free", k, [], [], []) for k in (1, 2))]
    >>> leaves = {1: FreeLeaf([1], exact=False), 2: FreeLeaf([2, 0], exact=False)}
    >>> rank_table(parts, leaves, exact=False)[0].tolist()
    [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]

    Notes
    -----
    Time O(n**2) for each leaf that lies within components, O(n**2) for all others.
    """
    n = parts[0].size
    table, errors = _zeros(n, exact=exact), np.zeros((n, n))
    for placed in _place(parts, leaves, 0, exact=exact):
        table[placed.leaf.items, placed.columns] = placed.leaf.mean_of(placed.spread)
        errors[placed.leaf.items, placed.columns] = placed.leaf.error_of(placed.spread)
    return table, errors


def mean_ranks(parts: Sequence[Part], leaves: Mapping[int, Leaf]) -> tuple[list[Any], list[float]]:
    """Return the mean rank of each item, 1 being the best, and its standard error.

    The mean rank of the item at position q of a items among n is (q + 1) (n + 1) / (a + 1), so that
    no probabilities of ranks are needed.

    Examples
    --------
    >>> from porank.order.decomposition import Part
    >>> from porank.order.leaf_positions import FreeLeaf
    >>> parts = [Part("series", 3, [1, 2], [], []), *(Part("free", k, [], [], []) for k in (1, 2))]
    >>> leaves = {1: FreeLeaf([1], exact=False), 2: FreeLeaf([2, 0], exact=False)}
    >>> mean_ranks(parts, leaves)
    ([2.5, 1.0, 2.5], [0.0, 0.0, 0.0])

    Notes
    -----
    Time O(n), and what the leaves take.
    """
    n = parts[0].size
    ranks: list[Any] = [None] * n
    errors = [0.0] * n
    # The rank in the whole of position q of a part is start + step * q.
    scales: list[tuple[Fraction, Fraction]] = [(Fraction(1), Fraction(1))] * len(parts)
    for number, part in enumerate(parts):
        start, step = scales[number]
        for other, before in zip(part.parts, _starts(parts, part), strict=True):
            if part.kind == "series":
                scales[other] = start + step * before, step
            else:
                wider = Fraction(part.size + 1, parts[other].size + 1)
                scales[other] = start + step * (wider - 1), step * wider
        if number in leaves:
            leaf = leaves[number]
            positions = np.arange(part.size)[:, None]
            means, spread = leaf.mean_of(positions)[:, 0], leaf.error_of(positions)[:, 0]
            for item, mean, error in zip(leaf.items, means.tolist(), spread.tolist(), strict=True):
                ranks[item] = _scaled(start, step, mean)
                errors[item] = float(step) * error
    return ranks, errors


def _scaled(start: Fraction, step: Fraction, mean: Any) -> Any:
    """Return start + step * mean, a fraction only if the mean is one."""
    rank = start + step * Fraction(mean)
    return rank if isinstance(mean, Fraction) else float(rank)


def mean_values(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each item the mean of values that its positions have.

    Examples
    --------
    >>> from porank.order.decomposition import Part
    >>> from porank.order.leaf_positions import FreeLeaf
    >>> parts = [Part("series", 3, [1, 2], [], []), *(Part("free", k, [], [], []) for k in (1, 2))]
    >>> leaves = {1: FreeLeaf([1], exact=False), 2: FreeLeaf([2, 0], exact=False)}
    >>> mean_values(parts, leaves, np.array([8.0, 4.0, 2.0])).tolist()
    [3.0, 8.0, 3.0]
    """
    means = np.empty(parts[0].size)
    for placed in _place(parts, leaves, 0, exact=False):
        means[placed.leaf.items] = placed.leaf.mean_of(placed.rows_of(values[:, None]))[:, 0]
    return means


def mutual_table(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], *, exact: bool
) -> tuple[Matrix, Matrix]:
    """Return the probability [i, j] of item i to stand above item j, and its standard error.

    Examples
    --------
    >>> from porank.order.decomposition import Part
    >>> from porank.order.leaf_positions import FreeLeaf
    >>> parts = [Part("series", 3, [1, 2], [], []), *(Part("free", k, [], [], []) for k in (1, 2))]
    >>> leaves = {1: FreeLeaf([1], exact=False), 2: FreeLeaf([2, 0], exact=False)}
    >>> mutual_table(parts, leaves, exact=False)[0].tolist()
    [[0.0, 0.0, 0.5], [1.0, 0.0, 1.0], [0.5, 0.0, 0.0]]

    Notes
    -----
    Time O(a b (a + b)) for two components of a and b items, O(n**2) for the rest.
    """
    n = parts[0].size
    table, errors = _zeros(n, exact=exact), np.zeros((n, n))
    for leaf in leaves.values():
        own = np.ix_(leaf.items, leaf.items)
        table[own], errors[own] = leaf.mutual(), leaf.mutual_error()
    before: dict[tuple[int, int], Matrix] = {}
    for part in parts:
        placed = [[*_place(parts, leaves, other, exact=exact)] for other in part.parts]
        if part.kind == "series":
            _write_series(placed, table)
            continue
        for one, other in combinations(zip(part.parts, placed, strict=True), 2):
            a, b = sizes = parts[one[0]].size, parts[other[0]].size
            if sizes not in before:
                before[sizes] = shuffled_before(_shuffled(a, a + b, exact=exact))
            for pair in product(one[1], other[1]):
                _write_shuffled(*pair, before[sizes], (table, errors))
    return table, errors


def _zeros(n: int, *, exact: bool) -> Matrix:
    zero: Any = Fraction(0) if exact else 0.0
    return np.full((n, n), zero)


def _write_series(placed: Sequence[Sequence[Placed]], table: Matrix) -> None:
    """Write that all items of a part are above those of the parts after it."""
    items = [[item for one in part for item in one.leaf.items] for part in placed]
    certain = type(table.item(0))(1)
    later: list[int] = []
    for own in reversed(items):
        table[np.ix_(own, later)] = certain
        later += own


def _write_shuffled(
    one: Placed, other: Placed, before: Matrix, tables: tuple[Matrix, Matrix]
) -> None:
    """Write how likely items of one component stand above those of another.

    The errors of the two leaves are independent, as both were estimated by themselves.
    """
    # The probability [q, r]: position q of the one leaf comes before position r of the other.
    wins = other.rows_of(one.rows_of(before).T).T
    against_other, against_one = other.leaf.mean_of(wins.T).T, one.leaf.mean_of(wins).T
    chances = one.leaf.mean_of(against_other)
    error = np.hypot(one.leaf.error_of(against_other), other.leaf.error_of(against_one).T)
    upper = np.ix_(one.leaf.items, other.leaf.items)
    lower = np.ix_(other.leaf.items, one.leaf.items)
    for table, values, opposite in zip(tables, (chances, error), (1 - chances, error), strict=True):
        table[upper], table[lower] = values, opposite.T


def _place(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], root: int, *, exact: bool
) -> Iterator[Placed]:
    """Yield the leaves of a part, with where their positions lie in it."""
    waiting: list[tuple[int, int, Matrix | None]] = [(root, 0, None)]
    while waiting:
        number, first, spread = waiting.pop()
        part = parts[number]
        if number in leaves:
            yield Placed(leaves[number], first, spread)
        for other, before in zip(part.parts, _starts(parts, part), strict=True):
            size = parts[other].size
            if part.kind == "parallel":
                dealt = _shuffled(size, part.size, exact=exact)
                waiting.append((other, first, dealt if spread is None else dealt @ spread))
            elif spread is None:
                waiting.append((other, first + before, None))
            else:
                waiting.append((other, first, spread[before : before + size]))


def _shuffled(a: int, n: int, *, exact: bool) -> Matrix:
    """Return the probability [q, p]: the q-th of a items stands at position p of n."""
    if not exact:
        return shuffled(a, n, 1.0)
    counts, total = shuffled(a, n, 1), comb(n, a)
    return np.array([[Fraction(count, total) for count in row] for row in counts], dtype=object)


def _starts(parts: Sequence[Part], part: Part) -> list[int]:
    """Return for each part of a part how many items the parts before it have."""
    return [*accumulate((parts[other].size for other in part.parts), initial=0)][:-1]
