"""From positions in the parts of an order to ranks, chances and means in the whole."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.order.shuffles import gathered_by, shuffled, shuffled_before
from porank.order.sides import sides_of, size_of, starts_of, zeros

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from porank.order.leaf_positions import Leaf
    from porank.order.parts import Part
    from porank.order.sides import Side, Spread
    from porank.typing import Matrix


def rank_table(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], *, exact: bool
) -> tuple[Matrix, Matrix]:
    """Return the probability [i, p] of item i to stand at position p, and its standard error.

    Examples
    --------
    >>> from porank.order.parts import Part
    >>> from porank.order.leaf_positions import FreeLeaf
    >>> parts = [Part("series", 3, [1, 2], [], []), *(Part("free", k, [], [], []) for k in (1, 2))]
    >>> leaves = {1: FreeLeaf([1], exact=False), 2: FreeLeaf([2, 0], exact=False)}
    >>> rank_table(parts, leaves, exact=False)[0].tolist()
    [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]

    Notes
    -----
    Time O(a b (a + b)) for two components of a and b items, O(n**2) to write the table, and what
    the leaves take: O(k**2 n) for the errors of an estimated leaf of k items within components.
    """
    n = parts[0].size
    table, errors = zeros(n, n, exact=exact), np.zeros((n, n))
    for part, side, _ in sides_of(parts, leaves, exact=exact):
        if part is parts[0]:
            for spread in side.spreads:
                table[_rows(spread)] = spread.chances
            for leaf, spread in side.estimated:
                errors[_rows(spread)] = leaf.error_of(spread.chances)
    # Rounded sums may exceed 1 by a little.
    return table if exact else np.minimum(table, 1.0), errors


def mean_ranks(parts: Sequence[Part], leaves: Mapping[int, Leaf]) -> tuple[list[Any], list[float]]:
    """Return the mean rank of each item, 1 being the best, and its standard error.

    The mean rank of the item at position q of a items among n is (q + 1) (n + 1) / (a + 1), so that
    no probabilities of ranks are needed.

    Examples
    --------
    >>> from porank.order.parts import Part
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
        for other, before in zip(part.parts, starts_of(parts, part), strict=True):
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
    >>> from porank.order.parts import Part
    >>> from porank.order.leaf_positions import FreeLeaf
    >>> parts = [Part("series", 3, [1, 2], [], []), *(Part("free", k, [], [], []) for k in (1, 2))]
    >>> leaves = {1: FreeLeaf([1], exact=False), 2: FreeLeaf([2, 0], exact=False)}
    >>> mean_values(parts, leaves, np.array([8.0, 4.0, 2.0])).tolist()
    [3.0, 8.0, 3.0]

    Notes
    -----
    Time O(a b) for two components of a and b items, O(n) for a series, and what the leaves take:
    O(k**2) for a mean over the positions of k items.
    """
    means = np.empty(parts[0].size)
    waiting = {0: values}
    for number, part in enumerate(parts):
        own = waiting.pop(number)
        if number in leaves:
            means[leaves[number].items] = leaves[number].mean_of(own[:, None])[:, 0]
        for other, before in zip(part.parts, starts_of(parts, part), strict=True):
            size = parts[other].size
            if part.kind == "series":
                waiting[other] = own[before : before + size]
            else:
                shares = shuffled(size, part.size - size, exact=False)
                waiting[other] = gathered_by(own, shares)
    return means


def mutual_table(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], *, exact: bool
) -> tuple[Matrix, Matrix]:
    """Return the probability [i, j] of item i to stand above item j, and its standard error.

    Examples
    --------
    >>> from porank.order.parts import Part
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
    table, errors = zeros(n, n, exact=exact), np.zeros((n, n))
    for leaf in leaves.values():
        own = np.ix_(leaf.items, leaf.items)
        table[own], errors[own] = leaf.mutual(), leaf.mutual_error()
    before: dict[tuple[int, int], Matrix] = {}
    for part, _, inner in sides_of(parts, leaves, exact=exact):
        if part.kind == "series":
            _write_series(inner, table, exact=exact)
            continue
        for upper, lower in combinations(inner, 2):
            sizes = size_of(upper), size_of(lower)
            if sizes not in before:
                before[sizes] = shuffled_before(shuffled(*sizes, exact=exact))
            _write_shuffled(upper, lower, before[sizes], (table, errors))
    return table, errors


def _write_series(sides: Sequence[Side], table: Matrix, *, exact: bool) -> None:
    """Write that all items of a part are above those of the parts after it."""
    items = [[item for spread in side.spreads for item in spread.items] for side in sides]
    line = np.array([item for own in items for item in own])
    certain: Any = Fraction(1) if exact else 1.0
    start = 0
    for own in items:
        start += len(own)
        table[np.ix_(np.array(own), line[start:])] = certain


def _write_shuffled(
    upper_side: Side, lower_side: Side, before: Matrix, tables: tuple[Matrix, Matrix]
) -> None:
    """Write how likely items of one component stand above those of another, and the reverse.

    The errors of two leaves are independent, as both were estimated by themselves.
    """
    (upper,), (lower,) = upper_side.spreads, lower_side.spreads
    above_items, below_positions = before @ lower.chances.T, upper.chances @ before
    chances = upper.chances @ above_items
    if chances.dtype != object:
        chances = np.clip(chances, 0.0, 1.0)
    table, errors = tables
    table[np.ix_(upper.items, lower.items)] = chances
    table[np.ix_(lower.items, upper.items)] = 1 - chances.T
    for side, values, items in (
        (upper_side, above_items, lower.items),
        (lower_side, below_positions.T, upper.items),
    ):
        for leaf, spread in side.estimated:
            own = values[spread.first : spread.first + spread.chances.shape[1]]
            more = leaf.error_of(spread.chances @ own)
            for place, error in ((leaf.items, items), more), ((items, leaf.items), more.T):
                errors[np.ix_(*place)] = np.hypot(errors[np.ix_(*place)], error)


def _rows(spread: Spread) -> tuple[Any, ...]:
    """Return where a spread stands in a table of items and positions."""
    columns = np.arange(spread.first, spread.first + spread.chances.shape[1])
    return np.ix_(np.array(spread.items, dtype=np.int64), columns)
