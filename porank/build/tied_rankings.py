"""Rankings with known ties as lists: what a line of a file or a ballot holds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, TypeAlias, overload

import networkx as nx
import numpy as np

from porank.build.classes import graph_of_classes
from porank.core.compiled_order import Order, compile_order
from porank.core.graphs import graph_of, in_order
from porank.errors import NotApplicableError

if TYPE_CHECKING:
    from porank.typing import Item, OrderLike

#: A weak order of known ties: its items, best first, and the sizes of its levels, None if all
#: are 1. A level of no item is a category that the voter left empty.
Ranking: TypeAlias = "tuple[Sequence[Item], Sequence[int] | None]"


def ranking_of(order: OrderLike, *, name: str) -> Ranking:
    """Return the order as a ranking, if it is a weak order of known ties.

    Examples
    --------
    >>> ranking_of({"a": 1, "b": 3, "c": 1}, name="the order")
    (['b', 'a', 'c'], [1, 2])
    >>> ranking_of(nx.DiGraph(["ab", "ac"]), name="order 1")
    Traceback (most recent call last):
    porank.errors.NotApplicableError: expected a ranking with known ties as order 1, found 'b' and
    'c' incomparable; from_levels(levels(G)) says that they are tied

    Notes
    -----
    Time O(n log n + m).
    """
    compiled = compile_order(order, name=name)
    pair = _find_incomparable(compiled)
    if pair is not None:
        raise NotApplicableError(
            f"expected a ranking with known ties as {name}, found {pair[0]!r} and {pair[1]!r} "
            "incomparable; from_levels(levels(G)) says that they are tied"
        )
    best_first = np.argsort(compiled.layers, kind="stable").tolist()
    sizes = None if compiled.is_total else compiled.sizes.tolist()
    return [compiled.items[number] for number in best_first], sizes


def levels_of(ranking: Ranking) -> list[Sequence[Item]]:
    """Return the levels of a ranking, best first.

    Examples
    --------
    >>> levels_of((["b", "a", "c"], [1, 0, 2])), levels_of(("ab", None))
    ([['b'], [], ['a', 'c']], ['a', 'b'])
    """
    items, sizes = ranking
    ends = accumulate([1] * len(items) if sizes is None else sizes, initial=0)
    return [items[start:end] for start, end in pairwise(ends)]


def _find_incomparable(order: Order) -> tuple[Item, Item] | None:
    """Return two items that are neither ordered nor known to be tied, or None.

    Of a weak order they share a layer. Any other has an item without an edge to one of the next
    layer, and two items of neighbouring layers are related by an edge or not at all.
    """
    if order.is_weak:
        return _find_untied(order)
    assert order.source is not None
    assert order.target is not None
    is_next = order.layers[order.target] - order.layers[order.source] == 1
    degrees = np.bincount(order.source[is_next], minlength=len(order.items))
    lacking = np.flatnonzero(degrees < np.append(order.sizes, 0)[order.layers + 1])
    upper = in_order(order.items[number] for number in lacking.tolist())[0]
    number = order.number[upper]
    reached = {*order.target[order.source == number].tolist()}
    next_layer = np.flatnonzero(order.layers == order.layers[number] + 1).tolist()
    return upper, in_order(order.items[other] for other in next_layer if other not in reached)[0]


def _find_untied(order: Order) -> tuple[Item, Item] | None:
    """Return two items of one layer that are not known to be tied, or None."""
    if order.is_total or order.tie is order.layers:
        return None
    first_tie = np.full(len(order.sizes), -1)
    first_tie[order.layers] = order.tie
    is_apart = (order.tie < 0) | (order.tie != first_tie[order.layers])
    is_apart &= order.sizes[order.layers] > 1
    if not is_apart.any():
        return None
    layer = order.layers[is_apart].min()
    members = np.flatnonzero(order.layers == layer).tolist()
    first, *others = in_order(order.items[number] for number in members)
    tie = order.tie[order.number[first]]
    return first, next(item for item in others if tie < 0 or order.tie[order.number[item]] != tie)


class Rankings(Sequence[nx.DiGraph]):
    """Rankings, kept as one list of items and made into graphs when these are asked for.

    Parameters
    ----------
    items : sequence
        The items of all rankings, one ranking after the other, each best first.
    ends : sequence of int
        Where the rankings begin and end: 0, then the end of each.
    sizes : sequence of sequences of int
        The sizes of the levels of each ranking, None if all are 1.
    categories : sequence of str
        What the levels are called, kept as the node attribute ``category``.

    Examples
    --------
    >>> orders = Rankings("abccab", [0, 3, 6], [None, (1, 2)])
    >>> [list(order.edges) for order in orders]
    [[('a', 'b'), ('b', 'c')], [('c', 'a'), ('c', 'b')]]
    >>> orders[0] is orders[0]
    True
    """

    def __init__(
        self,
        items: Sequence[Item],
        ends: Sequence[int],
        sizes: Sequence[Sequence[int] | None],
        categories: Sequence[Item] = (),
    ) -> None:
        self._items = items
        self._ends = ends
        self._sizes = sizes
        self._categories = categories
        self._made: dict[int, nx.DiGraph] = {}

    def __len__(self) -> int:
        return len(self._sizes)

    @overload
    def __getitem__(self, index: int) -> nx.DiGraph: ...

    @overload
    def __getitem__(self, index: slice) -> list[nx.DiGraph]: ...

    def __getitem__(self, index: int | slice) -> nx.DiGraph | list[nx.DiGraph]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        if number not in self._made:
            self._made[number] = self._make(self.ranking(number))
        return self._made[number]

    def ranking(self, number: int) -> Ranking:
        """Return the items of one ranking, best first, and the sizes of its levels."""
        return self._items[self._ends[number] : self._ends[number + 1]], self._sizes[number]

    def present(self) -> set[Item]:
        """Return the items that are in some ranking."""
        return set(self._items)

    def completed(self, items: Sequence[Item]) -> Rankings:
        """Return the rankings of all items, in which those that one lacks are tied at its end."""
        rows = [_with_last_level(self.ranking(number), items) for number in range(len(self))]
        ranked = list(chain.from_iterable(row for row, _ in rows))
        ends = list(accumulate((len(row) for row, _ in rows), initial=0))
        return Rankings(ranked, ends, [sizes for _, sizes in rows], self._categories)

    def _make(self, ranking: Ranking) -> nx.DiGraph:
        G = _graph_of_ranking(ranking)
        for category, members in zip(self._categories, levels_of(ranking), strict=False):
            nx.set_node_attributes(G, dict.fromkeys(members, category), "category")
        return G


def _graph_of_ranking(ranking: Ranking) -> nx.DiGraph:
    items, sizes = ranking
    if sizes is None:
        return graph_of(items, ([number] for number in range(1, len(items))))
    ends = pairwise(accumulate(filter(None, sizes), initial=0))
    classes = [range(start, end) for start, end in ends]
    rows = [[number] for number in range(1, len(classes))] + [[] for _ in classes[-1:]]
    return graph_of_classes(items, classes, rows, instead="profile.scores() says it in less")


def _with_last_level(ranking: Ranking, items: Sequence[Item]) -> Ranking:
    """Return the ranking of all items, in which those that it lacks are tied below its own."""
    ranked, sizes = ranking
    there = set(ranked)
    lacking = [item for item in items if item not in there]
    if not lacking:
        return ranking
    if len(lacking) > 1 or sizes is not None:
        sizes = (*((1,) * len(ranked) if sizes is None else sizes), len(lacking))
    return [*ranked, *lacking], sizes
