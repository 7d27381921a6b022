"""Decompose orders into independent parts, and combine results for the parts.

An order is *parallel* if it has several components, so that no item of one is above an item of
another. It is *series* if it can be cut so that all items before the cut are above all items after
it. A part that is neither is called *prime* here. Items are *free* if none of them is above
another. `decompose` returns the parts of an order: a list with the whole order first, and each part
before the parts that it consists of. `upwards` visits them from the leaves up.

Idea: *sort the items by the number of items above them. There is a series cut after the first s
items if and only if, summed over these items, the number of items below exceeds the number of items
above by s (n - s).*

Positions in a part become ranks in the whole order. In a series, the items of the parts before are
added. The linear extensions of components are shuffled like cards, and all shuffles are equally
likely. `rank_table`, `mutual_table` and `mean_ranks` compute the ranks of items in the whole order,
and `mean_values` the mean of a value of each position, with floats or with fractions in arrays of
objects.

Idea: *the q-th of a items is at position q + d if and only if d of the b other items are before
it.* So a table of a rows and b + 1 columns describes all shuffles, and each part is visited once,
however deeply the parts are nested.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.core.arrays import in_parts, members_of_levels
from porank.core.relation import Relation, rows_along_covers, unpacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Floats, Matrix, Numbers


def decompose(order: CompiledOrder) -> list[OrderPart]:
    """Return the parts of an order, the whole first, each before the parts it consists of.

    The order of the parts depends on the names of the items, but not on when they were added.
    """
    named, numbers = order.by_name()
    if order.is_weak:
        return _levels_as_parts(named, numbers)
    relation = named.relation
    items = numbers[relation.item_at].tolist()
    return _Whole(items, relation.covers, *relation.counts()).parts()


def _levels_as_parts(order: CompiledOrder, numbers: Numbers) -> list[OrderPart]:
    """Return the levels of a weak order as its parts, in series."""
    groups = [numbers[group] for group in members_of_levels(order.levels) or [np.arange(0)]]
    levels = [OrderPart("free", level.size, [], level[::-1].tolist(), []) for level in groups]
    if len(levels) < 2:
        return levels
    return [OrderPart("series", len(order.items), list(range(1, len(levels) + 1)), [], []), *levels]


class _Piece(NamedTuple):
    """Places of an order, ascending, that have not been decomposed yet."""

    places: Numbers
    within: str = ""
    lifted: int = 0
    sunk: int = 0


class _Whole:
    """An order that is being decomposed."""

    def __init__(self, items: list[int], covers: _Covers, above: Numbers, below: Numbers) -> None:
        self._items = items
        self._covers = covers
        self._above = above
        self._below = below

    def parts(self) -> list[OrderPart]:
        """Return the parts, the whole first."""
        pieces = [_Piece(np.arange(len(self._items)))]
        parts: list[OrderPart] = []
        # The list grows during the loop: the parts of a piece are appended to it.
        for number, piece in enumerate(pieces):
            kind, groups = self._split(piece)
            if groups:
                numbers = list(range(len(pieces), len(pieces) + len(groups)))
                pieces += _inner(piece, kind, groups)
                parts.append(OrderPart(kind, piece.places.size, numbers, [], []))
            else:
                parts.append(self._leaf(piece, kind))
            pieces[number] = _Piece(piece.places[:0])
        return parts

    def _split(self, piece: _Piece) -> tuple[str, list[Numbers]]:
        """Return the kind of a piece, and the groups of places that it splits into, if any."""
        below = self._below[piece.places] - piece.sunk
        if not below.any():
            return "free", []
        above = self._above[piece.places] - piece.lifted
        slices = [] if piece.within == "series" else _slices(piece.places, above, below)
        if len(slices) > 1:
            return "series", slices
        if piece.within != "parallel":
            is_alone = (above == 0) & (below == 0)
            alone, rest = piece.places[is_alone], piece.places[~is_alone]
            can_be_cut = alone.size and len(_slices(rest, above[~is_alone], below[~is_alone])) > 1
            connected = [rest] if can_be_cut else self._components(rest)
            groups = [alone, *connected] if alone.size else connected
            if len(groups) > 1:
                return "parallel", groups
        return "prime", []

    def _components(self, places: Numbers) -> list[Numbers]:
        """Return the places of each component, ascending; the highest component comes first."""
        joined = nx.Graph()
        joined.add_nodes_from(places[::-1].tolist())
        joined.add_edges_from((p, q) for p in joined for q in self._covers[p] if q in joined)
        return [np.array(sorted(component)) for component in nx.connected_components(joined)]

    def _leaf(self, piece: _Piece, kind: str) -> OrderPart:
        places = piece.places.tolist()
        covers: _Covers = [[]] * len(places)
        if kind == "prime":
            local = {place: number for number, place in enumerate(places)}
            covers = [[local[q] for q in self._covers[p] if q in local] for p in places]
        return OrderPart(kind, len(places), [], [self._items[p] for p in places], covers)


def _slices(places: Numbers, above: Numbers, below: Numbers) -> list[Numbers]:
    """Return the parts into which cuts divide a piece of an order, best first."""
    n = places.size
    best_first = np.argsort(above, kind="stable")
    so_far = np.arange(1, n + 1)
    # a cut after s items: sum of (below - above) = s (n - s)
    surplus = np.cumsum((below - above)[best_first])
    cuts = so_far[surplus == so_far * (n - so_far)].tolist()
    return [np.sort(places[best_first[start:end]]) for start, end in pairwise([0, *cuts])]


def _inner(piece: _Piece, kind: str, groups: list[Numbers]) -> list[_Piece]:
    """Return the parts of a piece; in a series, with the numbers of items above and below."""
    if kind == "parallel":
        return [_Piece(group, kind, piece.lifted, piece.sunk) for group in groups]
    before = list(accumulate((group.size for group in groups), initial=0))
    return [
        _Piece(group, kind, piece.lifted + start, piece.sunk + before[-1] - end)
        for group, (start, end) in zip(groups, pairwise(before), strict=True)
    ]


_Covers = list[list[int]]


class OrderPart(NamedTuple):
    """A part of an order: a leaf with its items, or a composition of other parts."""

    kind: str
    size: int
    parts: list[int]
    items: list[int]
    covers: _Covers


def leaf_items(parts: Sequence[OrderPart], numbers: Sequence[int] = (0,)) -> list[int]:
    """Return the items of some parts of an order, leaf by leaf; within a leaf the best first."""
    items: list[int] = []
    waiting = [*numbers][::-1]
    while waiting:
        part = parts[waiting.pop()]
        items += part.items[::-1]
        waiting += part.parts[::-1]
    return items


def upwards(parts: Sequence[OrderPart]) -> Iterator[tuple[int, OrderPart]]:
    """Yield the parts of an order with their numbers, each after the parts it consists of."""
    for number in range(len(parts) - 1, -1, -1):
        yield number, parts[number]


def position_bounds(covers: _Covers) -> tuple[Numbers, Numbers]:
    """Return the first and last possible position of each item of a part, numbered best first."""
    n = len(covers)
    above, below = Relation(np.arange(n), covers).counts()
    return above[::-1], n - 1 - below[::-1]


def above_matrix(part: OrderPart) -> NDArray[np.bool_]:
    """Return the closure of a part, numbered best first: entry [i, j] tells if i is above j."""
    below, _ = rows_along_covers(part.covers, range(part.size - 1, -1, -1))
    return unpacked(below[::-1], part.size)


@dataclass(frozen=True, eq=False)
class Leaf:
    """The possible positions of the items of a leaf, computed when needed.

    Called with values, one row for each position, `mean_of` returns the mean of each column for
    each item. Without values it returns the probability that item i is at position p. `mutual`
    returns the probability that item i is above item j. A leaf that was only walked for `means` has
    neither, but only the mean position of each item and its standard error.
    """

    items: list[int]
    method: str
    mean_of: Any = None
    mutual: Any = None
    means: Callable[[], tuple[Matrix, Matrix]] | None = None

    def mean_positions(self) -> tuple[Matrix, Matrix]:
        """Return the mean position of each item, and its standard error."""
        if self.means is not None:
            return self.means()
        positions = np.arange(len(self.items))[:, None]
        return self.mean_of(positions)[:, 0], np.zeros(len(self.items))


class _Placed(NamedTuple):
    """The possible positions of the items of a part within the part."""

    items: list[int]
    chances: Matrix


def rank_table(parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], *, exact: bool) -> Matrix:
    """Return the probabilities [item, position] for an order, combined from its parts."""
    [(_, whole, _)] = deque(_placed_parts(parts, leaves, exact=exact), maxlen=1)
    table = np.empty_like(whole.chances)
    table[whole.items] = whole.chances
    # Rounded sums can exceed 1 slightly.
    return table if exact else np.minimum(table, 1.0)


def mean_ranks(
    parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], *, exact: bool
) -> tuple[Matrix, Floats]:
    """Return mean ranks and their standard errors, combined from the parts of an order."""
    kind: Any = Fraction if exact else float
    ranks: Matrix = np.empty(parts[0].size, dtype=object if exact else np.float64)
    errors = np.zeros(parts[0].size)
    # Position q of a part has the rank start + step * q in the whole order.
    scales: list[tuple[Fraction, Fraction]] = [(Fraction(1), Fraction(1))] * len(parts)
    for number, part in enumerate(parts):
        start, step = scales[number]
        for other, before in zip(part.parts, _starts_of(parts, part), strict=True):
            if part.kind == "series":
                scales[other] = start + step * before, step
            else:
                # The q-th of a items, shuffled into n, has the mean rank q (n + 1) / (a + 1).
                wider = Fraction(part.size + 1, parts[other].size + 1)
                scales[other] = start + step * (wider - 1), step * wider
        if number in leaves:
            means, spread = leaves[number].mean_positions()
            ranks[leaves[number].items] = kind(start) + kind(step) * means
            errors[leaves[number].items] = float(step) * spread
    return ranks, errors


def mean_values(parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], values: Floats) -> Floats:
    """Return the mean value of the positions of each item, computed part by part."""
    means = np.empty(parts[0].size)
    waiting = {0: values}
    for number, part in enumerate(parts):
        part_values = waiting.pop(number)
        if number in leaves:
            means[leaves[number].items] = leaves[number].mean_of(part_values[:, None])[:, 0]
        for other, before in zip(part.parts, _starts_of(parts, part), strict=True):
            size = parts[other].size
            if part.kind == "series":
                waiting[other] = part_values[before : before + size]
            else:
                shares = _shuffled(size, part.size - size, exact=False)
                waiting[other] = _gathered_by(part_values, shares)
    return means


def mutual_table(parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], *, exact: bool) -> Matrix:
    """Return the probability that i is above j, combined from the parts of an order."""
    n = parts[0].size
    table = _zeros(n, n, exact=exact)
    for leaf in leaves.values():
        table[np.ix_(leaf.items, leaf.items)] = leaf.mutual()
    before: dict[tuple[int, int], Matrix] = {}
    for part, whole, inner in _placed_parts(parts, leaves, exact=exact):
        if part.kind == "series":
            after = np.array(whole.items)
            for upper in inner:
                after = after[len(upper.items) :]
                table[np.ix_(np.array(upper.items), after)] = Fraction(1) if exact else 1.0
            continue
        for upper, lower in combinations(inner, 2):
            sizes = len(upper.items), len(lower.items)
            if sizes not in before:
                before[sizes] = np.cumsum(_shuffled(*sizes, exact=exact)[:, :-1], axis=1)
            # P(i above j) = sum of P(i at p) P(p-th before q-th) P(j at q)
            chances = upper.chances @ (before[sizes] @ lower.chances.T)
            if not exact:
                chances = np.clip(chances, 0.0, 1.0)
            table[np.ix_(upper.items, lower.items)] = chances
            table[np.ix_(lower.items, upper.items)] = 1 - chances.T
    return table


def _placed_parts(
    parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], *, exact: bool
) -> Iterator[tuple[OrderPart, _Placed, list[_Placed]]]:
    """Yield each part, from the leaves up, with the possible positions of its items."""
    placed: dict[int, _Placed] = {}
    for number, part in upwards(parts):
        inner = [placed.pop(other) for other in part.parts]
        if number in leaves:
            leaf = leaves[number]
            placed[number] = _Placed(leaf.items, leaf.mean_of(None))
        else:
            starts = _starts_of(parts, part)
            placed[number] = _put_together(part, inner, starts, exact=exact)
        yield part, placed[number], inner


def _put_together(
    part: OrderPart, inner: list[_Placed], starts: list[int], *, exact: bool
) -> _Placed:
    """Return the possible positions of the items of a part, combined from its own parts."""
    chances = _zeros(part.size, part.size, exact=exact)
    for placed, start in zip(inner, starts, strict=True):
        end = start + len(placed.items)
        if part.kind == "series":
            chances[start:end, start:end] = placed.chances
        else:
            shares = _shuffled(end - start, part.size - (end - start), exact=exact)
            chances[start:end] = _spread_by(placed.chances, shares)
    return _Placed([item for placed in inner for item in placed.items], chances)


def _zeros(rows: int, columns: int, *, exact: bool) -> Matrix:
    """Return an array of zeros, floats or fractions, for the probabilities of parts."""
    zero: Any = Fraction(0) if exact else 0.0
    return np.full((rows, columns), zero)


def _starts_of(parts: Sequence[OrderPart], part: OrderPart) -> list[int]:
    """Return for each subpart of a part the number of items in the subparts before it."""
    return [*accumulate((parts[other].size for other in part.parts), initial=0)][:-1]


def _shuffled(a: int, b: int, *, exact: bool) -> Matrix:
    """Return the probability [q, d] that item q of a has d of b others before it in a shuffle."""
    # P(d | q) = C(q + d, q) C(a + b - 1 - q - d, b - d) / C(a + b, a)
    if exact:
        total, shares = comb(a + b, a), np.empty((a, b + 1), dtype=object)
        for q, d in np.ndindex(a, b + 1):
            shares[q, d] = Fraction(comb(q + d, q) * comb(a + b - 1 - q - d, b - d), total)
        return shares
    before, passed = np.arange(a)[:, None], np.arange(b + 1)
    logs = _log_comb(before + passed, passed) + _log_comb(a + b - 1 - before - passed, b - passed)
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    chances: Floats = weights / weights.sum(axis=1, keepdims=True)
    return chances


def _log_comb(n: Numbers, k: Numbers) -> Floats:
    """Return the logarithm of binomial coefficients, for shuffles of parts of any size."""
    from scipy import special

    # C(n, k) = 1 / ((n + 1) B(n - k + 1, k + 1))
    logs: Floats = -np.log(n + 1) - special.betaln(n - k + 1, k + 1)
    return logs


def _spread_by(chances: Matrix, shares: Matrix) -> Matrix:
    """Return the probabilities of positions after shuffling parallel parts, from those before.

    Positions are multiplied in blocks whose width equals the number of steps, so few of the entries
    are 0.
    """
    # P(at q + d) = sum of P(at q) P(d | q)
    width, steps = shares.shape
    is_exact = shares.dtype == object
    spread = _zeros(len(chances), width + steps - 1, exact=is_exact)
    for some in in_parts(width, steps):
        part = shares[some]
        deal = _zeros(len(part), len(part) + steps - 1, exact=is_exact)
        place = np.arange(len(part))[:, None]
        deal[place, place + np.arange(steps)] = part
        spread[:, some.start : some.start + deal.shape[1]] += chances[:, some] @ deal
    return spread


def _gathered_by(values: Matrix, shares: Matrix) -> Matrix:
    """Return for each position in a parallel part the mean of the values it can be shuffled to."""
    windows = np.lib.stride_tricks.sliding_window_view(values, shares.shape[1])
    means: Matrix = np.einsum("qd,qd->q", windows, shares)
    return means
