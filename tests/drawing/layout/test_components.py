"""Items that may change places stand in the sequence of their names; no line moves for it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from porank.core.graphs import read_edges
from porank.drawing.layout import components
from porank.drawing.layout.components import _twins
from porank.drawing.layout.hasse import hasse_layout
from porank.generators.random_orders import random_order
from porank.orders.closure import transitive_reduction
from porank.orders.ranks import set_ranks
from tests.strategies import orders


def are_twins(G: nx.DiGraph, u: Any, v: Any) -> bool:
    """Whether the same covers lead to both, and from both, and there is one."""
    covers, ranks = transitive_reduction(G), set_ranks(G)
    around = [(set(covers.pred[item]), set(covers.succ[item])) for item in (u, v)]
    return ranks[u] == ranks[v] and around[0] == around[1] and around[0] != (set(), set())


@given(orders(max_items=7))
def test_twins_by_definition(G: nx.DiGraph) -> None:
    items, covers = list(G), transitive_reduction(G)
    level = np.array(list(set_ranks(G).values()), dtype=np.int64)
    upper, lower = read_edges(covers)
    by_ends = np.lexsort((lower, upper))
    found = _twins(level, upper[by_ends], lower[by_ends])
    together = {pair for nodes in found for pair in combinations(nodes, 2)}
    for i, j in combinations(range(len(items)), 2):
        if covers.degree[items[i]]:
            assert ((i, j) in together) == are_twins(G, items[i], items[j])


def test_items_on_different_levels_are_no_twins() -> None:
    """An edge of one level and an edge of two levels may not exchange their ends."""
    ends = np.array([0, 1]), np.array([2, 2])
    assert _twins(np.array([1, 0, 2]), *ends) == [[0], [1], [2]]
    assert _twins(np.array([0, 0, 2]), *ends) == [[0, 1], [2]]


@given(orders(max_items=7))
def test_twins_stand_in_sequence(G: nx.DiGraph) -> None:
    # The same order with numbers as names, which sort by themselves.
    numbered = nx.convert_node_labels_to_integers(nx.DiGraph(G))
    layout = hasse_layout(numbered)
    for u, v in combinations(numbered, 2):
        if are_twins(numbered, u, v):
            assert layout[u][0] < layout[v][0]


def test_no_line_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    G = random_order(12, dimension=2, seed=1)
    # Three twins on top whose edges pass levels.
    low = [item for item, rank in set_ranks(G).items() if rank > 2]
    G.add_edges_from((name, v) for name in ("x", "w", "y") for v in low[:2])
    sorted_twins = hasse_layout(G)
    assert sorted_twins["w"][0] < sorted_twins["x"][0] < sorted_twins["y"][0]
    assert any(u in {"w", "x", "y"} for u, _ in sorted_twins.bends)
    monkeypatch.setattr(components, "_twins_sorted", lambda part, *_: part)
    plain = hasse_layout(G)
    paths = [sorted(each.path(u, v) for u, v in each.edges) for each in (sorted_twins, plain)]
    assert paths[0] == paths[1]
    assert sorted(sorted_twins.values()) == sorted(plain.values())
