"""Hasse diagrams laid out: items on their levels, edges round the items, few crossings."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import linprog

from porank.convert.notation import parse
from porank.convert.rankings import from_pairs
from porank.convert.scores import from_scores
from porank.drawing.layout.coordinates import _CLEAR
from porank.drawing.layout.hasse import HasseLayout, hasse_layout, layout_of
from porank.generators.classic import antichain, boolean_lattice, chain, divisor_lattice
from porank.generators.random_orders import random_order
from porank.orders.algebra import dual
from porank.orders.closure import transitive_closure, transitive_reduction
from porank.orders.ranks import height, set_ranks
from tests import oracles, oracles_layout
from tests.strategies import orders, reinserted

LAYERINGS = ["ranks", "bottom", "balanced"]


def level_numbers(layout: HasseLayout) -> dict[Any, int]:
    return {item: k for k, level in enumerate(layout.levels) for item in level}


def check_geometry(G: nx.DiGraph, layout: HasseLayout) -> None:
    """Every promise that a picture of `G` must keep, whatever its levels."""
    assert set(layout) == set(G)
    assert set(layout.edges) == oracles.reduction(G.edges)
    assert len(layout.edges) == len(set(layout.edges))
    depth = len(layout.levels)
    for k, level in enumerate(layout.levels):
        places = [layout[item] for item in level]
        assert level
        assert {y for _, y in places} == {depth - 1 - k}
        assert all(b[0] - a[0] >= 1 for a, b in pairwise(places))
    lines = [layout.path(u, v) for u, v in layout.edges]
    for line in lines:
        heights = [y for _, y in line]
        assert heights == sorted(set(heights), reverse=True)
    for (u, v), line in zip(layout.edges, lines, strict=True):
        others = [layout[item] for item in G if item not in {u, v}]
        assert all(oracles_layout.distance(line, place) > _CLEAR - 1e-9 for place in others)
    assert layout.crossings == oracles_layout.crossings(lines)
    points = [*layout.values(), *(point for bends in layout.bends.values() for point in bends)]
    xs, ys = [x for x, _ in points] or [0.0], [y for _, y in points] or [0.0]
    assert layout.bounds == (min(xs), min(ys), max(xs), max(ys))
    numbers = [number for point in points for number in point]
    assert {type(number) for number in numbers} <= {float}


@given(orders(max_items=8), st.sampled_from(LAYERINGS))
@example(random_order(22, dimension=2, seed=2), "ranks")
@example(from_pairs([(top, low) for top in "ab" for low in range(20)]), "ranks")
@example(from_pairs([("hub", leaf) for leaf in range(21)], items=["x", "y"]), "ranks")
def test_geometry(G: nx.DiGraph, layering: str) -> None:
    check_geometry(G, hasse_layout(G, layering=layering))


@given(orders(max_items=7))
def test_levels_by_definition(G: nx.DiGraph) -> None:
    ranks = hasse_layout(G)
    assert level_numbers(ranks) == {item: rank - 1 for item, rank in set_ranks(G).items()}
    bottom, down = hasse_layout(G, layering="bottom"), oracles_layout.levels_down(G)
    assert {item: y for item, (_, y) in bottom.items()} == down
    assert len(bottom.levels) == height(G)


@given(orders(max_items=5))
def test_balanced_by_trying_all(G: nx.DiGraph) -> None:
    found = level_numbers(hasse_layout(G, layering="balanced"))
    assert found == oracles_layout.shortest_levels(G)


@given(orders(max_items=8), st.sampled_from(LAYERINGS))
def test_fewest_crossings_by_trying_all(G: nx.DiGraph, layering: str) -> None:
    layout = hasse_layout(G, layering=layering)
    level = level_numbers(layout)
    if oracles_layout.count_sequences(layout.edges, level) <= 5000:
        assert layout.crossings == oracles_layout.least_crossings(layout.edges, level)


def test_balanced_by_linear_programming() -> None:
    G = random_order(40, dimension=2, seed=0)
    level, covers = level_numbers(hasse_layout(G, layering="balanced")), oracles.reduction(G.edges)
    steps = np.array([[(item == u) - (item == v) for item in G] for u, v in covers])
    best = linprog(-steps.sum(axis=0), A_ub=steps, b_ub=-np.ones(len(covers)), bounds=(0, 40))
    assert sum(level[v] - level[u] for u, v in covers) == round(best.fun)


@given(orders(max_items=8), st.integers(0, 1000))
def test_same_for_any_spelling_of_the_order_and_any_kind_of_seed(G: nx.DiGraph, seed: int) -> None:
    before, state = (list(G), list(G.edges)), random.getstate()
    layout = vars(hasse_layout(G, seed=seed))
    assert vars(hasse_layout(G, seed=np.random.default_rng(seed))) == layout
    assert vars(hasse_layout(reinserted(transitive_closure(G)), seed=seed)) == layout
    assert vars(hasse_layout(transitive_reduction(G), seed=seed)) == layout
    check_geometry(G, hasse_layout(G, seed=None))
    assert (before, state) == ((list(G), list(G.edges)), random.getstate()), "both are left alone"


def test_trees_and_chains_are_symmetric_and_the_largest_part_stands_on_the_left() -> None:
    tree = from_pairs([(i // 2, i) for i in range(2, 32)])
    for G in [tree, dual(tree), boolean_lattice(3), divisor_lattice(36), chain(4), antichain(6)]:
        layout = hasse_layout(G)
        assert set(layout.values()) == {(-x, y) for x, y in layout.values()}
    top, *_ = hasse_layout(parse("x; a > b; c > d > e; y > z")).levels
    assert top == ["c", "a", "y", "x"]


def test_almost_nothing_scores_and_items_that_cannot_be_compared() -> None:
    for n, levels in enumerate(([], [["a"]], [["a", "b"]])):
        layout, half = hasse_layout(parse("; ".join("ab"[:n]))), max(0, n - 1) / 2
        assert (layout.levels, layout.edges, layout.bends) == (levels, [], {})
        assert (layout.bounds, layout.crossings) == ((-half, 0, half, 0), 0)
    scores = {"a": 3, "b": 1, "c": 3, "d": 1, "e": 0.5}
    assert vars(hasse_layout(scores)) == vars(hasse_layout(from_scores(scores)))
    layout = hasse_layout([2, 1, 2])
    assert layout == dict(layout)
    assert layout.levels == [[0, 2], [1]]
    assert repr(layout) == "HasseLayout(3 items on 2 levels, 2 edges, 0 crossings)"
    plain = [object() for _ in range(4)]
    layout = hasse_layout(nx.DiGraph(list(combinations(plain, 2))))
    assert dict(layout) == {item: (0.0, 3.0 - k) for k, item in enumerate(plain)}


def test_levels_given() -> None:
    G = parse("a > c; b")
    for a, b, c in ((0, 1, 7), (-2.5, Fraction(1, 3), np.int64(5))):
        layout = hasse_layout(G, layering={"a": a, "b": b, "c": c})
        check_geometry(G, layout)
        assert layout.levels == [["a"], ["b"], ["c"]]


def test_with_less_effort_it_is_a_layout_all_the_same() -> None:
    G = random_order(20, dimension=3, seed=2)
    whole, quick = hasse_layout(G), layout_of(G, share=0.001)
    check_geometry(G, quick)
    assert quick.crossings > whole.crossings
    assert [set(level) for level in quick.levels] == [set(level) for level in whole.levels]


@given(orders(max_items=7))
def test_items_with_the_same_neighbours_stand_in_the_sequence_of_their_names(G: nx.DiGraph) -> None:
    numbered = nx.convert_node_labels_to_integers(nx.DiGraph(G))
    layout, covers = hasse_layout(numbered), transitive_reduction(numbered)
    ranks = set_ranks(numbered)
    for u, v in combinations(numbered, 2):
        around = [(set(covers.pred[item]), set(covers.succ[item])) for item in (u, v)]
        if ranks[u] == ranks[v] and around[0] == around[1] != (set(), set()):
            assert layout[u][0] < layout[v][0]
