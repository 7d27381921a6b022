"""Hasse diagrams laid out: items on their levels, edges round them, few crossings; each step."""

import os
import random
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.convert.notation import parse
from porank.convert.rankings import from_pairs
from porank.core.graphs import in_order
from porank.drawing.layout import hasse_layout as module
from porank.drawing.layout.coordinates import _CLEAR
from porank.drawing.layout.hasse_layout import HasseLayout, hasse_layout, in_places
from porank.generators.classic import antichain, boolean_lattice, chain, divisor_lattice
from porank.generators.random_orders import random_order
from porank.orders.algebra import dual
from porank.orders.closure import transitive_closure, transitive_reduction
from porank.orders.dimension import is_two_dimensional
from porank.orders.ranks import height, set_ranks
from tests.support import oracles, oracles_layout
from tests.support.refusals import refuses
from tests.support.strategies import orders, reinserted, shapes_of


def level_numbers(layout: HasseLayout) -> dict[Any, int]:
    return {item: k for k, level in enumerate(layout.levels) for item in level}


def check_geometry(G: nx.DiGraph, layout: HasseLayout) -> None:
    """Every promise that a picture of `G` must keep, whatever its levels."""
    assert set(layout) == set(G)
    # Junctions replace covers, and items reach what the order says.
    drawn = nx.DiGraph(layout.edges)
    said = oracles.closure(drawn.edges)
    assert {(u, v) for u, v in said if {u, v} <= set(G)} == oracles.closure(G.edges)
    assert set(drawn) - set(G) == set(layout.junctions)
    assert set(layout.edges) == oracles.reduction(drawn.edges)
    assert len(layout.edges) == len(set(layout.edges))
    for dot in layout.junctions:
        assert min(drawn.in_degree(dot), drawn.out_degree(dot)) > 1
    rows = [{layout[item][1] for item in level} for level in layout.levels]
    assert all(len(row) == 1 for row in rows)
    falls = [a - b for (a,), (b,) in pairwise(rows)]
    assert min(falls, default=1) >= 1
    assert layout.junctions or max(falls, default=1) == 1
    assert rows[-1:] in ([], [{0}])
    for level in layout.levels:
        assert all(layout[b][0] - layout[a][0] >= 1 for a, b in pairwise(level))
    lines = [layout.path(u, v) for u, v in layout.edges]
    for line in lines:
        ys = [y for _, y in line]
        assert ys == sorted(set(ys), reverse=True)
    for (u, v), line in zip(layout.edges, lines, strict=True):
        others = [layout[item] for item in G if item not in {u, v}]
        assert all(oracles_layout.distance(line, place) > _CLEAR - 1e-9 for place in others)
    assert layout.crossings == oracles_layout.crossings(lines)
    nodes = [*layout.values(), *layout.junctions.values()]
    points = [*nodes, *(point for bends in layout.bends.values() for point in bends)]
    xs, ys = [x for x, _ in points] or [0.0], [y for _, y in points] or [0.0]
    assert layout.bounds == (min(xs), min(ys), max(xs), max(ys))
    numbers = [number for point in points for number in point]
    assert {type(number) for number in numbers} <= {float}


@pytest.mark.slow
@given(orders(max_items=8), st.sampled_from([False, True, "auto"]))
@example(random_order(22, dimension=2, seed=2), False)
@example(random_order(22, dimension=2, seed=2), True)
@example(random_order(20, dimension=3, seed=1), True)
@example(from_pairs([(top, low) for top in "ab" for low in range(20)]), False)
@example(from_pairs([("hub", leaf) for leaf in range(21)], items=["x", "y"]), "auto")
def test_items_lines_and_junctions_keep_their_distances(G: nx.DiGraph, junctions: Any) -> None:
    layout = hasse_layout(G, junctions=junctions)
    check_geometry(G, layout)
    assert junctions or not layout.junctions
    fewest = {True: 10**9, False: 10**9, "auto": hasse_layout(G, junctions=False).crossings}
    assert layout.crossings <= fewest[junctions]


def test_all_orders_of_five_items_with_junctions() -> None:
    for n in range(6):
        for G in shapes_of(n):
            layout = hasse_layout(G, junctions=True)
            check_geometry(G, layout)
            assert not (layout.crossings and is_two_dimensional(G))


def check_planar(G: nx.DiGraph) -> None:
    layout = hasse_layout(G, junctions=True)
    assert layout.crossings == oracles_layout.crossings(layout.path(*e) for e in layout.edges)
    assert layout.crossings == 0


@given(st.integers(2, 14), st.integers(0, 10**6))
def test_orders_of_dimension_2_have_no_crossing(n: int, seed: int) -> None:
    check_planar(random_order(n, dimension=2, seed=seed))
    assert hasse_layout(random_order(n, dimension=2, seed=seed)).crossings == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_even_sixty_items_of_dimension_2_have_no_crossing(seed: int) -> None:
    check_planar(random_order(60, dimension=2, seed=seed))


def test_a_leaderboard_with_junctions_has_few_lines_and_crossings() -> None:
    rng = np.random.default_rng(0)
    middle, half = np.sort(rng.random(24)), rng.uniform(0.03, 0.12, 24)
    ends = list(zip(middle - half, middle + half, strict=True))
    better = [(u, v) for u in range(24) for v in range(24) if ends[u][0] > ends[v][1]]
    G = from_pairs(better, items=range(24))
    plain, led = hasse_layout(G, junctions=False), hasse_layout(G)
    assert 10 * led.crossings < plain.crossings
    assert len(led.edges) < len(plain.edges)
    # Too many cuts, and no junction is asked for: the plain diagram.
    G = from_pairs([(u, 8 + v) for u in range(8) for v in range(8) if u != v])
    assert not hasse_layout(G).junctions
    refuses("junctions for each item", hasse_layout, G, junctions=True)
    refuses("expected junctions to be True, False or 'auto'", hasse_layout, G, junctions="yes")


def test_many_junctions_leave_an_order_of_dimension_2_without_crossings() -> None:
    G = from_pairs([(i, 40 + j) for i in range(40) for j in range(i, min(40, i + 20))])
    layout = hasse_layout(G)
    assert (layout.crossings, len(layout.junctions) > 4 * len(G)) == (0, True)


@given(orders(max_items=7), st.data())
def test_a_part_of_an_order_is_drawn_among_the_places_of_the_whole(
    G: nx.DiGraph, data: st.DataObject
) -> None:
    edges = list(transitive_closure(G).edges)
    some = data.draw(st.sets(st.sampled_from(edges))) if edges else set()
    part, whole = transitive_closure(from_pairs(some, items=G)), hasse_layout(G)
    layout, beyond = in_places(whole, part)
    assert dict(layout) == dict(whole)
    lines = [layout.path(*edge) for edge in layout.edges]
    assert all(a[1] > b[1] for line in lines for a, b in pairwise(line))
    assert {y for _, y in layout.junctions.values()}.isdisjoint(y for _, y in whole.values())
    drawn = transitive_closure(nx.DiGraph([*layout.edges, *beyond]))
    assert {(u, v) for u, v in drawn.edges if {u, v} <= set(G)} == set(part.edges)


@pytest.mark.slow
def test_a_thin_order_among_the_places_of_a_dense_one_has_few_crossings() -> None:
    P = po.preference_relation(po.mallows(range(30), 15, dispersion=0.75, seed=1))
    dense, thin = (po.predict_order(P, alpha=Fraction(k, 15)) for k in (12, 13))
    layout, beyond = in_places(hasse_layout(dense), thin)
    assert layout.junctions
    led = [
        *(layout.path(*edge) for edge in layout.edges),
        *([layout[u], layout[v]] for u, v in beyond),
    ]
    plain = [[layout[u], layout[v]] for u, v in transitive_reduction(thin).edges]
    assert 10 * oracles_layout.crossings(led) < oracles_layout.crossings(plain)


def test_the_boolean_lattice_is_symmetric() -> None:
    layout = hasse_layout(boolean_lattice(5))
    for level in layout.levels:
        assert level == in_order(level)
        assert [layout[item][0] for item in level] == [
            k - (len(level) - 1) / 2 for k in range(len(level))
        ]


@pytest.mark.slow
def test_junctions_do_not_depend_on_hashes() -> None:
    script = (
        "import porank as po; G = po.random_order(20, dimension=3, seed=4);"
        "import networkx as nx; G = nx.relabel_nodes(G, lambda k: f'item {k}');"
        "print(sorted(vars(po.hasse_layout(G, junctions=True)).items()))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(said) == 1


@given(orders(max_items=7))
def test_levels_by_definition(G: nx.DiGraph) -> None:
    ranks = hasse_layout(G)
    assert level_numbers(ranks) == {item: rank - 1 for item, rank in set_ranks(G).items()}
    assert len(ranks.levels) == height(G)


@given(orders(max_items=8))
def test_fewest_crossings_by_trying_all(G: nx.DiGraph) -> None:
    layout = hasse_layout(G, junctions=False)
    level = level_numbers(layout)
    if oracles_layout.count_sequences(layout.edges, level) <= 5000:
        assert layout.crossings == oracles_layout.least_crossings(layout.edges, level)


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


def test_few_items_scores_and_items_that_cannot_be_compared() -> None:
    for n, levels in enumerate(([], [["a"]], [["a", "b"]])):
        layout, half = hasse_layout(parse("; ".join("ab"[:n]))), max(0, n - 1) / 2
        assert (layout.levels, layout.bounds) == (levels, (-half, 0, half, 0))
    layout = hasse_layout([2, 1, 2])
    assert layout.levels == [[0, 2], [1]]
    assert repr(layout) == "<HasseLayout: 3 items on 2 levels, 2 edges, 0 crossings>"
    plain = [object() for _ in range(4)]
    layout = hasse_layout(nx.DiGraph(list(combinations(plain, 2))))
    assert dict(layout) == {item: (0.0, 3.0 - k) for k, item in enumerate(plain)}


@given(orders(max_items=7))
def test_items_with_the_same_neighbours_stand_in_the_sequence_of_their_names(G: nx.DiGraph) -> None:
    numbered = nx.convert_node_labels_to_integers(nx.DiGraph(G))
    layout, covers = hasse_layout(numbered), transitive_reduction(numbered)
    ranks = set_ranks(numbered)
    for u, v in combinations(numbered, 2):
        around = [(set(covers.pred[item]), set(covers.succ[item])) for item in (u, v)]
        if ranks[u] == ranks[v] and around[0] == around[1] != (set(), set()):
            assert layout[u][0] < layout[v][0]


def test_bad_input_is_refused_in_words() -> None:
    with pytest.raises(po.CycleError, match="'a' > 'b' > 'c' > 'a'"):
        po.hasse_layout(po.parse("a > b > c > a"))


def test_an_order_is_laid_out_once_for_all_pictures_with_the_same_seed() -> None:
    G = from_pairs([(u, v) for u in "abc" for v in "xyz"])
    module._placed.cache_clear()
    layouts = [hasse_layout(G), hasse_layout(transitive_closure(G)), hasse_layout(reinserted(G))]
    assert module._placed.cache_info().misses == 1
    assert layouts[0] == layouts[1] == layouts[2]
    assert [len(layouts[0].junctions), len(hasse_layout(G, junctions=False).junctions)] == [1, 0]
    # A generator continues, and a bad seed is never the seed of another call.
    rng = np.random.default_rng(1)
    hasse_layout(G, seed=rng)
    assert rng.bit_generator.state != np.random.default_rng(1).bit_generator.state
    hasse_layout(G, seed=1)
    refuses("as seed", hasse_layout, G, seed=True)
