"""Turn an order given as a graph, ranks or scores into numbered items, levels and relations.

`compile_order` makes a `CompiledOrder` from any of them, and `as_graph` makes a DiGraph.
`CompiledOrder.memo` caches results about an order.

A graph is compiled once. The result is kept in the graph's own ``__networkx_cache__``, which
networkx clears when the graph changes. A bulk change that fails halfway does not clear it, so the
numbers of items and edges are checked at each use.

Weak orders and scores are arrays of levels: level 0 is the best, and items of a level are equal.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from operator import eq, is_
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import networkx as nx
import numpy as np

from porank.core.arguments import holds
from porank.core.arrays import inverse_of, longest_path_levels
from porank.core.graphs import (
    count_edges,
    graph_of,
    levels_of_few,
    node_values,
    numbers_in_order,
    read_edges,
    refuse_large,
    require_digraph,
    shortest_cycle,
    tie_classes,
)
from porank.core.relation import (
    Relation,
    relate,
    relate_levels,
    relate_sparsely,
    rows_along_covers,
    rows_of_levels,
)
from porank.core.scores import read_scores
from porank.errors import CycleError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers, OrderLike


_KEY = "porank"
#: A cached result about an order, and its other arguments.
Figure = TypeVar("Figure")
Others = TypeVarTuple("Others")


@dataclass(frozen=True, eq=False)
class CompiledOrder:
    """A compiled order: items numbered as the caller listed them, levels, and cached results."""

    items: Sequence[Item]
    levels: Numbers
    tie: Numbers
    source: Numbers | None = None
    target: Numbers | None = None
    _relation: list[Relation] = field(default_factory=list, init=False, repr=False)
    _memo: dict[object, tuple[tuple[object, ...], Any]] = field(
        default_factory=dict, init=False, repr=False
    )

    @cached_property
    def number(self) -> dict[Item, int]:
        """Mapping from each item of the compiled order to its number."""
        return {item: number for number, item in enumerate(self.items)}

    @cached_property
    def is_weak(self) -> bool:
        """Whether each level of the compiled order is entirely above the next."""
        if self.source is None or self.target is None:
            return True
        is_cover = self.levels[self.target] - self.levels[self.source] == 1
        return bool(np.count_nonzero(is_cover) == self.count_level_edges())

    @cached_property
    def sizes(self) -> Numbers:
        """Number of items in each level of the compiled order."""
        return np.bincount(self.levels)

    @property
    def is_total(self) -> bool:
        """Whether any two items of the compiled order are comparable."""
        return self.is_weak and len(self.sizes) == len(self.items)

    def memo(self, figure: Callable[[CompiledOrder, *Others], Figure], *others: *Others) -> Figure:
        """Return ``figure(order, *others)``, cached as long as `others` are the same objects."""
        kept = self._memo.get(figure)
        if kept is None or not all(map(is_, kept[0], others)):
            kept = self._memo[figure] = others, figure(self, *others)
        remembered: Figure = kept[1]
        return remembered

    def replaced(self, **changes: Any) -> CompiledOrder:
        """Return the compiled order with other items or known ties; both share one closure."""
        other = replace(self, **changes)
        object.__setattr__(other, "_relation", self._relation)
        return other

    def by_name(self) -> tuple[CompiledOrder, Numbers]:
        """Return the compiled order with items sorted by `item_key`, and their old numbers."""
        return self.memo(_sorted_by_name)

    @property
    def relation(self) -> Relation:
        """Closure and reduction of the compiled order, computed at the first use."""
        if not self._relation:
            if self.source is None or self.target is None or self.is_weak:
                self._relation.append(relate_levels(self.levels))
            else:
                edges = self.levels, self.source, self.target
                self._relation.append(relate_sparsely(*edges) or relate(*edges))
        return self._relation[0]

    def matrix(self) -> NDArray[np.bool_]:
        """Return the closure as a Boolean matrix: entry [i, j] tells if item i is above j."""
        if self.is_weak:
            return self.levels[:, None] < self.levels[None, :]
        return self.relation.matrix()

    def rows(self, number: Numbers, bit_of: Numbers) -> tuple[list[int], list[int]]:
        """Return rows of bits of the items above and below each of some items of the order.

        Item i of them is ``number[i]`` of the order and has the bit ``bit_of[i]``; all items occur.
        """
        if self.is_weak:
            return rows_of_levels(self.levels[number], bit_of)
        relation = self.relation
        at, bits = relation.place[number].tolist(), bit_of.tolist()
        if at == bits:
            below, above = relation.below, relation.above
        else:
            bit_at = bit_of[np.argsort(relation.place[number])].tolist()
            below, above = rows_along_covers(relation.covers, bit_at)
        return [above[p] for p in at], [below[p] for p in at]

    def count_level_edges(self) -> int:
        """Return the number of pairs in adjacent levels, which are the covers of a weak order."""
        # sum of n_l n_(l+1) over the levels l
        return int(np.dot(self.sizes[:-1], self.sizes[1:]))

    def count_pairs(self) -> int:
        """Return the number of comparable pairs of the compiled order."""
        if self.is_weak:
            n = len(self.items)
            # (n^2 - sum of n_l^2) / 2
            return (n * n - int(np.dot(self.sizes, self.sizes))) // 2
        return self.relation.pairs


def _sorted_by_name(order: CompiledOrder) -> tuple[CompiledOrder, Numbers]:
    n = len(order.items)
    numbers = np.array(numbers_in_order(order.items), dtype=np.int64)
    if np.array_equal(numbers, np.arange(n)):
        return order, numbers
    moved = replace(
        order,
        items=tuple(order.items[number] for number in numbers.tolist()),
        levels=order.levels[numbers],
        tie=order.tie[numbers],
    )
    if order.source is None or order.target is None:
        return moved, numbers
    place = inverse_of(numbers)
    source, target = place[order.source], place[order.target]
    by_source = np.lexsort((target, source))
    return replace(moved, source=source[by_source], target=target[by_source]), numbers


def compile_order(order: OrderLike | CompiledOrder, *, name: str = "") -> CompiledOrder:
    """Compile an order given as a DiGraph or as scores, or raise `CycleError`."""
    compiled = compile_if_acyclic(order, name=name)
    if compiled is None:
        raise CycleError.found(shortest_cycle(order) or [], name=name)
    return compiled


def compile_if_acyclic(order: OrderLike | CompiledOrder, *, name: str = "") -> CompiledOrder | None:
    """Compile an order given as a DiGraph or as scores; return None if the graph has a cycle."""
    if isinstance(order, CompiledOrder):
        return order
    if not isinstance(order, nx.Graph):
        items, levels = read_scores(order, name=name)
        return CompiledOrder(items, levels, tie=levels)
    require_digraph(order, name=name)
    ties = node_values(order, "tie")
    kept = _recall(order)
    if kept is not None and holds(partial(eq, kept.ties), ties):
        return kept.order
    if kept is None:
        compiled = _compile_graph(order, ties)
    else:
        known = kept.order
        compiled = known.replaced(tie=tie_classes(order, ties, known.levels, known.is_weak))
    if compiled is not None:
        _keep(order, compiled, ties)
    return compiled


def require_items(known: Container[Item], wanted: Iterable[Item]) -> None:
    """Raise `PorankError` if some of the wanted items are not in a compiled order."""
    unknown = [item for item in wanted if not holds(known.__contains__, item)]
    if unknown:
        raise PorankError(f"expected items of the order, found {listed(unknown)}")


def as_graph(order: OrderLike) -> nx.DiGraph:
    """Return an order as a DiGraph: a graph as it is, and scores as their reduction."""
    if isinstance(order, nx.Graph):
        require_digraph(order)
        return order
    compiled = compile_order(order)
    refuse_large(compiled.count_level_edges(), instead="pass the scores themselves")
    ties = dict(zip(compiled.items, compiled.tie.tolist(), strict=True))
    rows = compiled.relation.reduced_rows()
    return graph_of(compiled.items, rows, ties=ties)


#: Below this number of items, graphs are compiled without arrays: 5 items in 4 µs instead of 13.
_FEW_ITEMS = 40


def _compile_graph(G: nx.DiGraph, ties: list[Any]) -> CompiledOrder | None:
    if len(G) < _FEW_ITEMS:
        levels, source, target = levels_of_few(G)
    else:
        source, target = read_edges(G)
        levels = longest_path_levels(len(G), source, target)
    if levels is None:
        return None
    order = CompiledOrder(tuple(G), levels, np.full(len(G), -1), source, target)
    if ties:
        return order.replaced(tie=tie_classes(G, ties, levels, order.is_weak))
    return order


class _Kept:
    """A compiled order in the cache of its graph; copies and pickles of the graph drop it."""

    def __init__(self, order: Any = None, edges: int = 0, ties: Sequence[object] = ()) -> None:
        self.order: CompiledOrder = order
        self.edges = edges
        self.ties = ties

    def __reduce__(self) -> tuple[type[_Kept], tuple[()]]:
        return _Kept, ()


def _recall(G: nx.DiGraph) -> _Kept | None:
    """Return the cached order of a graph if the numbers of items and edges have not changed."""
    kept: _Kept | None = (getattr(G, "__networkx_cache__", None) or {}).get(_KEY)
    if kept is None or kept.order is None or len(kept.order.items) != len(G):
        return None
    return kept if kept.edges == count_edges(G) else None


def _keep(G: nx.DiGraph, order: CompiledOrder, ties: Sequence[object]) -> None:
    """Keep the compiled order in the cache of its graph, unless the graph is a view."""
    cache = getattr(G, "__networkx_cache__", None)
    if cache is not None and not hasattr(G, "_graph"):
        cache[_KEY] = _Kept(order, count_edges(G), ties)
