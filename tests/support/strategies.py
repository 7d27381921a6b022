"""Random orders and graphs for hypothesis, with items of mixed types inserted in any sequence."""

import os
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, permutations
from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from porank import all_orders
from tests.support.oracles import digraphs, graph_on, strict_orders

Test = Callable[[nx.DiGraph], None]

#: No two of these can be compared by <, and none equals another.
ITEMS: Sequence[Any] = ("b", "a", 3, 2.5, Fraction(1, 3), ("a", 1), frozenset("xy"), b"a", "żółć ≻")

#: All orders of at most three items, of four where CI is set.
SMALL_ORDERS = [G for n in range(5 if "CI" in os.environ else 4) for G in strict_orders(n)]


@st.composite
def item_lists(draw: st.DrawFn, *, max_items: int = 7) -> list[Any]:
    """Some of `ITEMS`, in any sequence."""
    shuffled = draw(st.permutations(ITEMS))
    return shuffled[: draw(st.integers(0, min(max_items, len(shuffled))))]


@st.composite
def orders(draw: st.DrawFn, *, max_items: int = 7) -> nx.DiGraph:
    """An acyclic graph, neither closed nor reduced as a rule, edges in any sequence."""
    items = draw(item_lists(max_items=max_items))
    line = draw(st.permutations(items))
    pairs = [(u, v) for i, u in enumerate(line) for v in line[i + 1 :]]
    return graph_on(items, draw(_subsets(pairs)))


@st.composite
def graphs(draw: st.DrawFn, *, max_items: int = 6) -> nx.DiGraph:
    """Any directed graph, cycles and self-loops included."""
    items = draw(item_lists(max_items=max_items))
    return graph_on(items, draw(_subsets([(u, v) for u in items for v in items])))


def on_orders(max_items: int = 7, shapes: int = 0) -> Callable[[Test], Callable[[], None]]:
    """Run a test on all small orders, on each shape of up to so many items, and on random ones."""
    return _on(
        lambda: chain(SMALL_ORDERS, *map(shapes_of, range(4, shapes + 1))),
        orders(max_items=max_items),
    )


@cache
def shapes_of(n: int) -> list[nx.DiGraph]:
    """One order of each shape of n items, found when first asked for."""
    return list(all_orders(n, labelled=False))


def on_graphs(max_items: int = 6) -> Callable[[Test], Callable[[], None]]:
    """Run a test on all graphs of at most two items and on random ones."""
    return _on(lambda: chain(*map(digraphs, range(3))), graphs(max_items=max_items))


def _on(
    small: Callable[[], Iterable[nx.DiGraph]], drawn: st.SearchStrategy[nx.DiGraph]
) -> Callable[[Test], Callable[[], None]]:
    def on_both(test: Test) -> Callable[[], None]:
        on_random = given(drawn)(test)

        def on_all() -> None:
            for G in small():
                test(G.copy())
            on_random()

        on_all.__doc__ = test.__doc__
        return on_all

    return on_both


@st.composite
def order_pairs(draw: st.DrawFn, *, max_items: int = 6) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Two orders on the same items, each inserted in a sequence of its own, half of them weak."""
    items = draw(item_lists(max_items=max_items))
    return draw(_orders_on(items)), draw(_orders_on(items))


@st.composite
def _orders_on(draw: st.DrawFn, items: list[Any]) -> nx.DiGraph:
    line = draw(st.permutations(items))
    if draw(st.booleans()):
        level = {item: draw(st.integers(0, 3)) for item in line}
        G = graph_on(line, [(u, v) for u, v in permutations(line, 2) if level[u] < level[v]])
        nx.set_node_attributes(G, level, "tie")
        return G
    return graph_on(draw(st.permutations(items)), draw(_subsets(list(combinations(line, 2)))))


def _subsets(pairs: list[tuple[Any, Any]]) -> st.SearchStrategy[list[tuple[Any, Any]]]:
    return st.lists(st.sampled_from(pairs), unique=True) if pairs else st.just([])


def reinserted(G: nx.DiGraph) -> nx.DiGraph:
    """Return the same graph, its items and edges inserted in the other sequence."""
    return graph_on(reversed(list(G.nodes(data=True))), reversed(list(G.edges(data=True))))
