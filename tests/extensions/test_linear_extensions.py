"""Linear extensions, listed, counted, recognised and drawn: against the definition and books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from math import comb, factorial
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import porank as po
from porank.core.graphs import item_key
from tests import oracles_extensions
from tests.oracles_extensions import chains, euler, grid, hook_lengths, zigzag
from tests.strategies import ITEMS, orders

N = po.parse("a > c; b > c; b > d")


def in_sequence(G: nx.DiGraph) -> list[list[Any]]:
    """Return the linear extensions by the definition, sorted by the keys of their items."""
    lines = map(list, oracles_extensions.linear_extensions(G))
    number = {item: list(G).index(item) for item in G}
    return sorted(lines, key=lambda line: [(item_key(item), number[item]) for item in line])


@given(orders(max_items=6))
def test_listing_and_counting(G: nx.DiGraph) -> None:
    lines = in_sequence(G)
    assert list(po.linear_extensions(G)) == lines
    assert po.count_linear_extensions(G) == len(lines)


@given(st.dictionaries(st.sampled_from(ITEMS), st.integers(0, 3), max_size=6))
def test_scores(scores: dict[Any, int]) -> None:
    G = nx.DiGraph((u, v) for u in scores for v in scores if scores[u] > scores[v])
    ordered = nx.DiGraph()
    ordered.add_nodes_from(scores)
    ordered.add_edges_from(G.edges)
    assert list(po.linear_extensions(scores)) == in_sequence(ordered)
    assert po.count_linear_extensions(scores) == len(in_sequence(ordered))
    drawn = po.random_linear_extensions(scores, 5, seed=0)
    assert all(po.is_linear_extension(scores, line) for line in drawn)


@given(orders(), st.randoms())
def test_the_listing_does_not_depend_on_insertion(G: nx.DiGraph, random: Any) -> None:
    items = list(G)
    random.shuffle(items)
    shuffled = nx.DiGraph()
    shuffled.add_nodes_from(items)
    shuffled.add_edges_from(G.edges)
    first, again = (islice(po.linear_extensions(H), 50) for H in (G, shuffled))
    assert list(first) == list(again)


@given(orders())
def test_what_an_order_says_counts_not_its_edges(G: nx.DiGraph) -> None:
    for other in (po.transitive_closure(G), po.transitive_reduction(G), po.dual(G)):
        assert po.count_linear_extensions(other) == po.count_linear_extensions(G)


def test_a_listing_is_lazy_and_not_recursive() -> None:
    G = po.antichain(2000)
    assert len(next(po.linear_extensions(G))) == 2000
    first, second = islice(po.linear_extensions(po.from_pairs([(0, 2000)], items=G)), 2)
    assert first[:-2] == second[:-2]
    assert first[-2:] == second[-1:-3:-1]
    with pytest.raises(po.PorankError, match="edges to write"):
        po.linear_extensions([1] * 5000 + [0] * 5000)


FAMILIES: list[tuple[str, Callable[[int], nx.DiGraph], Callable[[int], int], int]] = [
    ("antichains", po.antichain, factorial, 30),
    ("chains", po.chain, lambda _: 1, 30),
    ("zigzags", zigzag, euler, 21),
    ("2 x n grids", lambda n: grid(2, n), lambda n: comb(2 * n, n) // (n + 1), 33),
    ("3 x n grids", lambda n: grid(3, n), lambda n: hook_lengths(3, n), 12),
    ("two chains", lambda n: chains(n, n // 2), lambda n: comb(n + n // 2, n), 40),
]


@pytest.mark.parametrize(("family", "count", "most"), [row[1:] for row in FAMILIES])
def test_families(
    family: Callable[[int], nx.DiGraph], count: Callable[[int], int], most: int
) -> None:
    found = [po.count_linear_extensions(family(n)) for n in range(most)]
    assert found == [count(n) for n in range(most)]


def test_numbers_from_books() -> None:
    """Euler's numbers are A000111, Catalan's A000108, Boolean lattices A046873 in the OEIS."""
    assert [euler(n) for n in range(9)] == [1, 1, 1, 2, 5, 16, 61, 272, 1385]
    assert [hook_lengths(2, n) for n in range(7)] == [1, 1, 2, 5, 14, 42, 132]
    found = [po.count_linear_extensions(po.boolean_lattice(n)) for n in range(5)]
    assert found == [1, 1, 2, 48, 1680384]
    # 7,581 ideals, by A000372, and more extensions than a word holds.
    largest = po.boolean_lattice(5)
    assert po.count_linear_extensions(largest, max_ideals=7581) == 14807804035657359360
    assert po.count_linear_extensions(N) == 5


@pytest.mark.parametrize("seed", range(4))
def test_counts_against_what_may_come_first(seed: int) -> None:
    G = po.random_order(14, dimension=2, seed=seed)
    assert po.count_linear_extensions(G) == oracles_extensions.count_from_the_top(G)


def test_large_orders_that_can_be_taken_apart() -> None:
    assert po.count_linear_extensions({item: item % 2 for item in range(4000)}) == (
        factorial(2000) ** 2
    )
    many = chains(*[2] * 300)
    assert po.count_linear_extensions(many, max_ideals=1) == factorial(600) // 2**300
    assert po.count_linear_extensions(grid(2, 40)) == comb(80, 40) // 41


def test_the_budget() -> None:
    with pytest.raises(po.TooManyIdealsError, match="estimate_linear_extensions") as caught:
        po.count_linear_extensions(po.boolean_lattice(4), max_ideals=100)
    error = caught.value
    # The top and the bottom are parts of their own; 14 items and 166 ideals remain.
    assert (error.max_ideals, error.items) == (100, 14)
    assert po.count_linear_extensions(po.boolean_lattice(4), max_ideals=166) == 1680384
    with pytest.raises(po.TooManyIdealsError):
        po.count_linear_extensions(po.boolean_lattice(4), max_ideals=165)
    two = nx.disjoint_union(N, N)
    assert po.count_linear_extensions(two, max_ideals=8) == comb(8, 4) * 25
    with pytest.raises(po.TooManyIdealsError, match="at most 7 ideals"):
        po.count_linear_extensions(two, max_ideals=7)


@given(orders(max_items=6), st.permutations(ITEMS[:7]))
def test_is_linear_extension(G: nx.DiGraph, line: list[Any]) -> None:
    lines = {tuple(found) for found in oracles_extensions.linear_extensions(G)}
    kept = [item for item in line if item in G]
    for some in (line, kept, kept[:-1], kept * 2):
        assert po.is_linear_extension(G, some) is (tuple(some) in lines)
    if len(kept) == len(G):
        assert po.is_linear_extension(G, po.from_ranking(kept)) is (tuple(kept) in lines)


def test_what_is_no_ranking_at_all() -> None:
    assert po.is_linear_extension(N, iter("abcd")) is True
    assert po.is_linear_extension(N, "abc") is False
    assert po.is_linear_extension(N, [["a"], "b", "c", "d"]) is False
    assert po.is_linear_extension(N, {"a": 4, "b": 3, "c": 1, "d": 2}) is True
    assert po.is_linear_extension(N, {"a": 4, "b": 3, "c": 1, "d": 1}) is False
    assert po.is_linear_extension(N, po.parse("a > b > c; b > d")) is False
    assert po.is_linear_extension(N, po.parse("a > b > c > d > a")) is False
    assert po.is_linear_extension([5, 7], np.array([1, 0])) is True
    assert po.is_linear_extension(nx.DiGraph(), []) is True
    with pytest.raises(po.PorankError, match="total order, found int"):
        po.is_linear_extension(N, 3)  # type: ignore[arg-type,unused-ignore]
    with pytest.raises(po.GraphTypeError, match="as ranking"):
        po.is_linear_extension(N, nx.Graph(["ab"]))


UNIFORM = {
    "the N": N,
    "a zigzag": zigzag(6),
    "a grid": grid(2, 4),
    "no edge": po.antichain(4),
    "components": po.parse("a > b > c; d > e"),
    "components of an N": po.parse("a > c; b > c; b > d; x > y"),
    "a series": po.parse("a > c; b > c; b > d; c > e; d > e; e > f; e > g; e > h"),
}


@pytest.mark.parametrize("max_ideals", [1000, 1])
@pytest.mark.parametrize("name", UNIFORM)
def test_draws_are_uniform(name: str, max_ideals: int) -> None:
    """A chi-square test over all linear extensions, at a fixed seed."""
    G = UNIFORM[name]
    lines = list(map(tuple, po.linear_extensions(G)))
    size = 100 * len(lines)
    drawn = po.random_linear_extensions(G, size, seed=1, max_ideals=max_ideals)
    seen = Counter(map(tuple, drawn))
    assert set(seen) <= set(lines)
    assert stats.chisquare([seen[line] for line in lines]).pvalue > 0.001


def test_the_first_draws_do_not_depend_on_how_many_follow() -> None:
    G = UNIFORM["components of an N"]
    many = list(po.random_linear_extensions(G, 10_100, seed=5))
    assert many[:7] == list(po.random_linear_extensions(G, 7, seed=5))
    assert many == list(po.random_linear_extensions(G, 10_100, seed=np.random.default_rng(5)))
    assert many[10_050] == list(po.random_linear_extensions(G, 10_051, seed=5))[-1]


@pytest.mark.parametrize("most", [1000, 1])
def test_few_draws_few_items(most: int) -> None:
    for G in (nx.DiGraph(), po.chain(1), N):
        assert list(po.random_linear_extensions(G, 0, max_ideals=most)) == []
        for line in po.random_linear_extensions(G, 3, max_ideals=most):
            assert po.is_linear_extension(G, line)
    assert list(po.random_linear_extensions(nx.DiGraph(), 2, max_ideals=most)) == [[], []]


def test_a_part_beyond_the_budget_is_drawn_perfectly() -> None:
    G = po.boolean_lattice(4)
    drawn = list(po.random_linear_extensions(G, 20, seed=0, max_ideals=100))
    assert len(drawn) == 20
    assert all(po.is_linear_extension(G, line) for line in drawn)
    wide = nx.disjoint_union(po.boolean_lattice(3), po.chain(500))
    line = next(po.random_linear_extensions(wide, 1, seed=0, max_ideals=1))
    assert po.is_linear_extension(wide, line)


def test_bad_input_is_refused_at_the_call() -> None:
    cyclic = po.parse("a > b > a")
    for ask in (po.linear_extensions, po.count_linear_extensions):
        with pytest.raises(po.CycleError) as caught:
            ask(cyclic)
        assert caught.value.cycle == ["a", "b", "a"]
    with pytest.raises(po.CycleError):
        po.random_linear_extensions(cyclic, 1)
    with pytest.raises(po.CycleError):
        po.is_linear_extension(cyclic, "ab")
    for size in (-1, 2.5, "many", True):
        with pytest.raises(po.PorankError, match="at least 0 as size"):
            po.random_linear_extensions(N, size)  # type: ignore[arg-type]
    for most in (0, -3, 1e6, None):
        with pytest.raises(po.PorankError, match="at least 1 as max_ideals"):
            po.count_linear_extensions(N, max_ideals=most)  # type: ignore[arg-type]
    for most in (0, -3, 1e6):
        with pytest.raises(po.PorankError, match="at least 1 as max_ideals"):
            po.random_linear_extensions(N, 1, max_ideals=most)  # type: ignore[arg-type]


def test_graphs_stay_as_they_are() -> None:
    G = po.parse("a > c; b > c; b > d")
    before = [*G.nodes(data=True)], [*G.edges(data=True)]
    list(po.linear_extensions(G))
    list(po.random_linear_extensions(G, 5))
    po.count_linear_extensions(G)
    assert ([*G.nodes(data=True)], [*G.edges(data=True)]) == before
    assert all(type(item) is int for item in next(po.random_linear_extensions([1, 1, 1], 1)))
    assert type(po.count_linear_extensions([1, 1, 1])) is int


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_have_no_sequence(kind: type) -> None:
    """The answer came by the hashes of the items, another one in each run."""
    with pytest.raises(po.PorankError, match=f"items, best first, .*, found {kind.__name__}"):
        po.is_linear_extension(N, kind("abcd"))
    # The keys of a dictionary come as they were inserted.
    assert po.is_linear_extension(N, dict.fromkeys("badc").keys())
    assert not po.is_linear_extension(N, dict.fromkeys("cbad").keys())


def test_a_series_is_read_as_scores() -> None:
    pandas = pytest.importorskip("pandas")
    scores = {"a": 3, "b": 4, "c": 1, "d": 2}
    assert po.is_linear_extension(N, scores)
    assert po.is_linear_extension(N, pandas.Series(scores))
    assert not po.is_linear_extension(N, -pandas.Series(scores))
    assert not po.is_linear_extension(N, pandas.Series(scores) // 3)
