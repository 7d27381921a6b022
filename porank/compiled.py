"""An order at the door: whatever a caller gives, numbered and ready to be counted.

A graph is compiled once and the result kept in the graph's own ``__networkx_cache__``, which
networkx empties when the graph changes. A bulk mutation that fails half way changes the graph
without emptying the cache, so that the items and their numbers of edges are compared at each use.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from operator import is_
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.errors import CycleError, PorankError
from porank.graphs import (
    graph_of,
    node_values,
    out_degrees,
    read_edges,
    refuse_large,
    require_digraph,
)
from porank.layering import layer_numbers
from porank.levels import read_scores
from porank.relation import Relation, relate, relate_layers
from porank.sparse import relate_sparsely
from porank.ties import pairs_within, tie_classes
from porank.witness import shortest_cycle
from porank.wording import listed

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers, OrderLike

_KEY = "porank"


@dataclass(frozen=True, eq=False)
class Order:
    """An order with its items numbered in the caller's sequence.

    Attributes
    ----------
    items : sequence
        The items: a tuple, or the range of the numbers 0..n-1.
    layers : array of int
        For each item, the edges of a longest path that ends in it: its SetRank less one.
    is_weak : bool
        Whether each item is above every item of the later layers.
    source, target : array of int
        The edges given, `source` ascending; None for scores.
    tie : array of int
        For each item the number of its class of equals, -1 for an item not known to be tied.

    Examples
    --------
    >>> order = compile_order({"a": 2, "b": 1, "c": 2})
    >>> order.items, order.layers.tolist(), order.is_weak, order.tie.tolist()
    (('a', 'b', 'c'), [0, 1, 0], True, [0, 1, 0])
    """

    items: Sequence[Item]
    layers: Numbers
    is_weak: bool
    tie: Numbers
    source: Numbers | None = None
    target: Numbers | None = None

    @cached_property
    def number(self) -> dict[Item, int]:
        """The number of each item."""
        return {item: number for number, item in enumerate(self.items)}

    @cached_property
    def sizes(self) -> Numbers:
        """The number of items in each layer."""
        return np.bincount(self.layers)

    @property
    def is_total(self) -> bool:
        """Whether any two items are comparable."""
        return self.is_weak and len(self.sizes) == len(self.items)

    def with_tie(self, tie: Numbers) -> Order:
        """Return the same order with other known ties; what was computed already is shared."""
        other = replace(self, tie=tie)
        for name in ("number", "sizes", "_relation"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    @property
    def relation(self) -> Relation:
        """The closure and the reduction, made when first asked for."""
        return self.related()

    def related(self, *, progress: bool = False) -> Relation:
        """Return `relation`, with a progress bar if it has yet to be made."""
        made: Relation | None = self.__dict__.get("_relation")
        if made is None:
            if self.source is None or self.target is None or self.is_weak:
                made = relate_layers(self.layers)
            else:
                edges = self.layers, self.source, self.target
                made = relate_sparsely(*edges) or relate(*edges, progress=progress)
            self.__dict__["_relation"] = made
        return made

    def matrix(self) -> NDArray[np.bool_]:
        """Return the closure as a Boolean matrix, entry [i, j]: item i is above item j."""
        if self.is_weak:
            return self.layers[:, None] < self.layers[None, :]
        return self.relation.matrix()

    def count_layer_edges(self) -> int:
        """Return the number of pairs in neighbouring layers: the covers of a weak order."""
        return int(np.sum(self.sizes[:-1] * self.sizes[1:]))

    def count_pairs(self) -> int:
        """Return the number of comparable pairs."""
        if self.is_weak:
            n = len(self.items)
            return n * (n - 1) // 2 - pairs_within(self.layers)
        return self.related().count_pairs()


def compile_order(order: OrderLike | Order, *, name: str = "") -> Order:
    """Return the order given as a DiGraph or as scores, compiled.

    Parameters
    ----------
    order : DiGraph, mapping, array, or list of numbers
        An acyclic graph, or scores: larger is better, equal is tied; or an order compiled already.
    name : str
        What to call the order in an error, such as ``"target"``.

    Returns
    -------
    Order

    Raises
    ------
    GraphTypeError
        If it is something else.
    CycleError
        If the graph has a cycle.
    TieError
        If the node attribute ``tie`` contradicts the edges.

    Examples
    --------
    >>> compile_order(nx.DiGraph(["ab", "bc", "ac"]), name="target").is_total
    True

    Notes
    -----
    Time O(n + m) for a graph, some 0.1 µs an item to see that it has not changed if it was compiled
    before; O(n log n) for scores. Whether an order is weak is seen from the number of edges between
    neighbouring layers.
    """
    compiled = compile_if_acyclic(order, name=name)
    if compiled is None:
        raise CycleError.found(shortest_cycle(order) or [], name=name)
    return compiled


def compile_if_acyclic(order: OrderLike | Order, *, name: str = "") -> Order | None:
    """Return the compiled order, or None if the graph has a cycle.

    Examples
    --------
    >>> compile_if_acyclic(nx.DiGraph(["ab", "ba"])) is None
    True
    """
    if isinstance(order, Order):
        return order
    if not isinstance(order, nx.Graph):
        items, layers = read_scores(order, name=name)
        return Order(items, layers, True, tie=layers)
    require_digraph(order, name=name)
    ties = node_values(order, "tie")
    kept = _recall(order)
    if kept is not None and all(map(is_, kept.ties, ties)):
        return kept.order
    compiled = _compile_graph(order) if kept is None else kept.order
    if compiled is not None:
        compiled = compiled.with_tie(tie_classes(order, ties, compiled.layers, compiled.is_weak))
        _keep(order, compiled, ties)
    return compiled


def require_items(known: Container[Item], wanted: Iterable[Item]) -> None:
    """Raise `PorankError` if one of the items wanted is not known.

    Examples
    --------
    >>> require_items({"a": 0}, ["a"])
    """
    unknown = [item for item in wanted if not _is_in(known, item)]
    if unknown:
        raise PorankError(f"expected items of the order, found {listed(unknown)}")


def _is_in(known: Container[Item], item: Item) -> bool:
    try:
        return item in known
    except TypeError:  # it cannot even be hashed
        return False


def as_graph(order: OrderLike, *, name: str = "") -> nx.DiGraph:
    """Return the order as a DiGraph: a graph as it is, cyclic or not; of scores the reduction.

    Examples
    --------
    >>> list(as_graph({"a": 1, "b": 2}).edges)
    [('b', 'a')]
    """
    if isinstance(order, nx.Graph):
        require_digraph(order, name=name)
        return order
    compiled = compile_order(order, name=name)
    refuse_large(compiled.count_layer_edges(), instead="the scores themselves say the same")
    ties = dict(zip(compiled.items, compiled.tie.tolist(), strict=True))
    return graph_of(compiled.items, compiled.relation.reduced_rows(), ties=ties)


def _compile_graph(G: nx.DiGraph) -> Order | None:
    source, target = read_edges(G)
    layers = layer_numbers(len(G), source, target)
    if layers is None:
        return None
    neighbouring = int(np.count_nonzero(layers[target] - layers[source] == 1))
    order = Order(tuple(G), layers, False, np.full(len(G), -1), source, target)
    return replace(order, is_weak=neighbouring == order.count_layer_edges())


class _Kept:
    """What is kept with a graph; a copy or a pickle of the graph takes an empty one along."""

    def __init__(
        self, order: Any = None, degrees: Sequence[int] = (), ties: Sequence[object] = ()
    ) -> None:
        self.order: Order = order
        self.degrees = degrees
        self.ties = ties

    def __reduce__(self) -> tuple[type[_Kept], tuple[()]]:
        return _Kept, ()


def _recall(G: nx.DiGraph) -> _Kept | None:
    """Return what was kept with the graph, if its items and their numbers of edges are the same."""
    kept: _Kept | None = (getattr(G, "__networkx_cache__", None) or {}).get(_KEY)
    if kept is None or kept.order is None or kept.degrees != out_degrees(G):
        return None
    return kept if all(map(is_, kept.order.items, G)) else None


def _keep(G: nx.DiGraph, order: Order, ties: Sequence[object]) -> None:
    """Keep the compiled order with the graph, unless a change could pass unseen.

    A view changes with the graph that it shows, and nobody empties its cache then.
    """
    cache = getattr(G, "__networkx_cache__", None)
    if cache is not None and not hasattr(G, "_graph"):
        cache[_KEY] = _Kept(order, out_degrees(G), ties)
