"""Hasse diagrams laid out: items on their levels, edges round the items, few crossings."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from porank.convert.notation import parse
from porank.convert.rankings import from_pairs
from porank.convert.scores import from_scores
from porank.drawing.layout.coordinates import _CLEAR
from porank.drawing.layout.hasse import HasseLayout, hasse_layout, layout_of
from porank.errors import CycleError, GraphTypeError, PorankError
from porank.generators.classic import antichain, boolean_lattice, chain, divisor_lattice
from porank.generators.random_orders import random_order
from porank.orders.algebra import dual
from porank.orders.closure import transitive_closure, transitive_reduction
from porank.orders.ranks import height, set_ranks
from tests import oracles, oracles_layout
from tests.strategies import orders

LAYERINGS = ["ranks", "bottom", "balanced"]


def lines_of(layout: HasseLayout) -> list[oracles_layout.Line]:
    return [layout.path(u, v) for u, v in layout.edges]


def level_numbers(layout: HasseLayout) -> dict[Any, int]:
    return {item: k for k, level in enumerate(layout.levels) for item in level}


def everything(layout: HasseLayout) -> dict[str, Any]:
    return vars(layout)


def shuffled(G: nx.DiGraph, seed: int) -> nx.DiGraph:
    rng = random.Random(seed)
    items, edges = list(G), list(G.edges)
    rng.shuffle(items)
    rng.shuffle(edges)
    other = nx.DiGraph()
    other.add_nodes_from(items)
    other.add_edges_from(edges)
    return other


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
    lines = lines_of(layout)
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
@example(from_pairs([("hub", leaf) for leaf in range(21)], items=["x", "y"]), "ranks")
def test_geometry(G: nx.DiGraph, layering: str) -> None:
    check_geometry(G, hasse_layout(G, layering=layering))


def test_flat_edges_bend_round_their_neighbours() -> None:
    # A star of twenty below and above: every line to the outermost items would be flat.
    G = from_pairs([(top, low) for top in "ab" for low in range(20)])
    layout = hasse_layout(G)
    check_geometry(G, layout)
    straight = [[layout[u], layout[v]] for u, v in layout.edges]
    near = [
        oracles_layout.distance(line, layout[item])
        for (u, v), line in zip(layout.edges, straight, strict=True)
        for item in layout
        if item not in {u, v}
    ]
    assert min(near) < _CLEAR
    assert layout.crossings == oracles_layout.crossings(straight)


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


@given(orders(max_items=8), st.integers(0, 1000))
def test_same_for_any_spelling_of_the_order(G: nx.DiGraph, seed: int) -> None:
    before = list(G), list(G.edges)
    layout = everything(hasse_layout(G))
    assert before == (list(G), list(G.edges)), "the graph is left as it was"
    assert everything(hasse_layout(shuffled(transitive_closure(G), seed))) == layout
    assert everything(hasse_layout(transitive_reduction(G))) == layout


def test_trees_and_chains_are_symmetric() -> None:
    tree = from_pairs([(i // 2, i) for i in range(2, 32)])
    for G in [tree, dual(tree), boolean_lattice(3), divisor_lattice(36), chain(4), antichain(6)]:
        layout = hasse_layout(G)
        assert set(layout.values()) == {(-x, y) for x, y in layout.values()}


def test_the_largest_part_stands_on_the_left() -> None:
    top, *_ = hasse_layout(parse("x; a > b; c > d > e; y > z")).levels
    assert top == ["c", "a", "y", "x"]


def test_almost_nothing() -> None:
    for layering in LAYERINGS:
        for n, levels in enumerate(([], [["a"]], [["a", "b"]])):
            layout = hasse_layout(parse("; ".join("ab"[:n])), layering=layering)
            assert (layout.levels, layout.edges, layout.bends) == (levels, [], {})
            half = max(0, n - 1) / 2
            assert (layout.bounds, layout.crossings) == ((-half, 0, half, 0), 0)


def test_scores_are_laid_out_as_their_graph() -> None:
    scores = {"a": 3, "b": 1, "c": 3, "d": 1, "e": 0.5}
    assert everything(hasse_layout(scores)) == everything(hasse_layout(from_scores(scores)))
    assert hasse_layout([2, 1, 2]).levels == [[0, 2], [1]]


def test_levels_given() -> None:
    G = parse("a > c; b")
    for a, b, c in ((0, 1, 7), (-2.5, Fraction(1, 3), np.int64(5))):
        layout = hasse_layout(G, layering={"a": a, "b": b, "c": c})
        check_geometry(G, layout)
        assert layout.levels == [["a"], ["b"], ["c"]]


def test_what_is_refused() -> None:
    G, ab = parse("a > b > c"), {"a": 0, "b": 1}
    number = "a finite number as the level of 'c', found"
    for order, layering, kind, match in (
        (G, "rank", PorankError, "one of 'ranks', 'bottom', 'balanced', or a mapping.*'rank'"),
        (G, None, PorankError, "found None"),
        (G, ab, PorankError, "a level for every item, found none for 'c'"),
        (G, ab | {"c": 2, "x": 3}, PorankError, "levels for items of the order, found also 'x'"),
        (G, {"a": 0, "b": 2, "c": 1}, PorankError, "'b' on a higher .* than 'c'.* levels 2 and 1"),
        *((G, ab | {"c": bad}, PorankError, number) for bad in (float("nan"), "2", 2j)),
        (nx.DiGraph(["ab", "bc", "ca"]), "ranks", CycleError, "'a' > 'b' > 'c' > 'a'"),
        (nx.Graph(["ab"]), "ranks", GraphTypeError, "undirected"),
        ([0] * 400 + [1] * 400, "ranks", PorankError, "at most 100,000 edges .* found 160,000"),
    ):
        with pytest.raises(kind, match=match):
            hasse_layout(order, layering=layering)  # type: ignore[arg-type]


def test_items_of_all_kinds() -> None:
    G = nx.DiGraph([("żółć ≻", 1), (1, frozenset({2})), (2.5, 1), (b"x", ("a", 1))])
    check_geometry(G, hasse_layout(G))
    plain = [object() for _ in range(4)]
    layout = hasse_layout(nx.DiGraph(list(combinations(plain, 2))))
    assert dict(layout) == {item: (0.0, 3.0 - k) for k, item in enumerate(plain)}


def test_seeds() -> None:
    G = random_order(11, dimension=3, seed=1)
    state = random.getstate()
    layout = everything(hasse_layout(G, seed=5))
    assert everything(hasse_layout(G, seed=np.random.default_rng(5))) == layout
    check_geometry(G, hasse_layout(G, seed=None))
    assert random.getstate() == state


def test_a_layout_is_a_mapping_that_does_not_change() -> None:
    layout = hasse_layout(parse("a > b > c; a > d"))
    assert layout == dict(layout)
    assert nx.Graph(layout.edges).number_of_edges() == 3
    assert repr(layout) == "HasseLayout(4 items on 3 levels, 3 edges, 0 crossings)"
    with pytest.raises(AttributeError):
        layout.crossings = 1  # type: ignore[misc]
    with pytest.raises(KeyError):
        layout["x"]


def test_with_less_effort_it_is_a_layout_all_the_same() -> None:
    G = random_order(20, dimension=3, seed=2)
    whole, quick = hasse_layout(G), layout_of(G, share=0.001)
    check_geometry(G, quick)
    assert quick.crossings > whole.crossings
    assert [set(level) for level in quick.levels] == [set(level) for level in whole.levels]
