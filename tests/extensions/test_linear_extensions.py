"""Linear extensions, listed, counted, estimated, recognised and drawn."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import islice
from math import comb, factorial
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.graphs import item_key
from tests.support import oracles_extensions
from tests.support.oracles_extensions import chains, euler, grid, hook_lengths, zigzag
from tests.support.refusals import refuses
from tests.support.strategies import ITEMS, on_orders, orders, reinserted

N = po.parse("a > c; b > c; b > d")


@on_orders(max_items=6)
def test_listing_and_counting(G: nx.DiGraph) -> None:
    lines = [list(line) for line in oracles_extensions.linear_extensions(G)]
    wanted = sorted(lines, key=lambda line: [item_key(item) for item in line])
    for H in (G, po.transitive_closure(G), po.transitive_reduction(G), reinserted(G)):
        assert list(po.linear_extensions(H)) == wanted
        assert po.count_linear_extensions(H) == len(lines)
    assert po.count_linear_extensions(po.dual(G)) == len(lines)


def test_a_listing_is_lazy_and_not_recursive() -> None:
    G = po.antichain(2000)
    assert len(next(po.linear_extensions(G))) == 2000
    first, second = islice(po.linear_extensions(po.from_pairs([(0, 2000)], items=G)), 2)
    assert first[:-2] == second[:-2]
    assert first[-2:] == second[-1:-3:-1]


FAMILIES: dict[str, tuple[Callable[[int], nx.DiGraph], Callable[[int], int], int]] = {
    "zigzags": (zigzag, euler, 21),
    "2 x n grids": (lambda n: grid(2, n), lambda n: comb(2 * n, n) // (n + 1), 33),
    "3 x n grids": (lambda n: grid(3, n), lambda n: hook_lengths(3, n), 12),
    "two chains": (lambda n: chains(n, n // 2), lambda n: comb(n + n // 2, n), 40),
}


def test_families_have_the_numbers_of_their_formulas() -> None:
    for name, (family, count, most) in FAMILIES.items():
        found = [po.count_linear_extensions(family(n)) for n in range(most)]
        assert found == [count(n) for n in range(most)], name


def test_numbers_from_books() -> None:
    """Euler's numbers are A000111, Catalan's A000108, Boolean lattices A046873 in the OEIS."""
    assert [euler(n) for n in range(9)] == [1, 1, 1, 2, 5, 16, 61, 272, 1385]
    assert [hook_lengths(2, n) for n in range(7)] == [1, 1, 2, 5, 14, 42, 132]
    found = [po.count_linear_extensions(po.boolean_lattice(n)) for n in range(5)]
    assert found == [1, 1, 2, 48, 1680384]
    # 7,581 ideals, by A000372, and more extensions than a word holds.
    largest = po.boolean_lattice(5)
    assert po.count_linear_extensions(largest, max_ideals=7581) == 14807804035657359360


def test_large_orders_that_can_be_taken_apart() -> None:
    levels = po.count_linear_extensions({item: item % 2 for item in range(4000)})
    assert levels == factorial(2000) ** 2
    many = chains(*[2] * 300)
    assert po.count_linear_extensions(many, max_ideals=1) == factorial(600) // 2**300
    # A caterpillar, a series in a component in a series: n! over the sizes of the subtrees.
    tree = nx.DiGraph()
    for place in range(520):
        tree.add_edge(("spine", place), ("leg", place))
        tree.add_edge(("spine", place), ("spine", place + 1))
    count = factorial(1041) // math.prod(range(3, 1042, 2))
    assert po.count_linear_extensions(tree, max_ideals=1) == count


def test_counting_within_the_budget_succeeds_and_beyond_names_a_way_out() -> None:
    G, two = po.boolean_lattice(4), nx.disjoint_union(N, N)
    with pytest.raises(po.errors.TooManyIdealsError, match="expected_ranks") as caught:
        po.count_linear_extensions(G, max_ideals=165)
    # The top and the bottom are parts of their own; 14 items and 166 ideals remain.
    assert (caught.value.max_ideals, caught.value.items) == (165, 14)
    assert po.count_linear_extensions(G, max_ideals=166) == 1680384
    assert po.count_linear_extensions(two, max_ideals=8) == comb(8, 4) * 25
    with pytest.raises(po.errors.TooManyIdealsError, match="at most 7 ideals"):
        po.count_linear_extensions(two, max_ideals=7)
    # Beyond it draws come from walks.
    for wide in (G, nx.disjoint_union(po.boolean_lattice(3), po.chain(500))):
        for line in po.random_linear_extensions(wide, 2, seed=0, max_ideals=1):
            assert po.is_linear_extension(wide, line)


@given(orders(max_items=6), st.permutations(ITEMS[:7]))
def test_is_linear_extension(G: nx.DiGraph, line: list[Any]) -> None:
    lines = {tuple(found) for found in oracles_extensions.linear_extensions(G)}
    kept = [item for item in line if item in G]
    for some in (line, kept, kept[:-1], kept * 2):
        assert po.is_linear_extension(G, some) is (tuple(some) in lines)
    if len(kept) == len(G):
        scores = {item: -place for place, item in enumerate(kept)}
        for ranking in (po.from_ranking(kept), scores, iter(kept), dict.fromkeys(kept).keys()):
            assert po.is_linear_extension(G, ranking) is (tuple(kept) in lines)


def test_what_is_no_ranking_at_all() -> None:
    wrong: list[Any] = [
        "abc",
        [["a"], "b", "c", "d"],
        {"a": 4, "b": 3, "c": 1, "d": 1},
        po.parse("a > b > c; b > d"),
        po.parse("a > b > c > d > a"),
        pd.Series({"a": 1, "b": 2, "c": 0, "d": 1}),
    ]
    assert not any(po.is_linear_extension(N, ranking) for ranking in wrong)
    assert po.is_linear_extension(N, pd.Series({"a": 3, "b": 4, "c": 1, "d": 2}))
    assert po.is_linear_extension([5, 7], np.array([1, 0]))


UNIFORM = {
    "the N": N,
    "a zigzag": zigzag(6),
    "components": po.parse("a > c; b > c; b > d; x > y"),
    "a series": po.parse("a > c; b > c; b > d; c > e; d > e; e > f; e > g; e > h"),
}


@pytest.mark.parametrize("max_ideals", [1000, 1])
@pytest.mark.parametrize("name", UNIFORM)
def test_draws_are_uniform(name: str, max_ideals: int) -> None:
    """A chi-square test over all linear extensions, at a fixed seed."""
    from scipy import stats

    G = UNIFORM[name]
    lines = list(map(tuple, po.linear_extensions(G)))
    drawn = po.random_linear_extensions(G, 100 * len(lines), seed=1, max_ideals=max_ideals)
    seen = Counter(map(tuple, drawn))
    assert set(seen) <= set(lines)
    assert stats.chisquare([seen[line] for line in lines]).pvalue > 0.001


def test_the_first_draws_do_not_depend_on_how_many_follow() -> None:
    G = UNIFORM["components"]
    many = list(po.random_linear_extensions(G, 10_100, seed=5))
    assert many[:7] == list(po.random_linear_extensions(G, 7, seed=5))
    assert many == list(po.random_linear_extensions(G, 10_100, seed=np.random.default_rng(5)))
    assert many[10_050] == list(po.random_linear_extensions(G, 10_051, seed=5))[-1]


def test_few_draws_few_items() -> None:
    for most in (1000, 1):
        for G in (nx.DiGraph(), po.chain(1), N, {"a": 1, "b": 0, "c": 1}):
            assert list(po.random_linear_extensions(G, 0, max_ideals=most)) == []
            for line in po.random_linear_extensions(G, 3, max_ideals=most):
                assert po.is_linear_extension(G, line)
    assert list(po.random_linear_extensions(nx.DiGraph(), 2)) == [[], []]
    assert all(type(item) is int for item in next(po.random_linear_extensions([1, 1, 1], 1)))
    assert type(po.count_linear_extensions([1, 1, 1])) is int


ASKED: list[Any] = [
    po.linear_extensions,
    po.count_linear_extensions,
    lambda G: po.random_linear_extensions(G, 1),
    lambda G: po.is_linear_extension(G, "ab"),
]


def test_bad_input_is_refused_in_words() -> None:
    for ask in ASKED:
        refuses("found the cycle", ask, po.parse("a > b > a"))
    refuses("edges to create", po.linear_extensions, [1] * 5000 + [0] * 5000)
    refuses("as size", po.random_linear_extensions, N, -1)
    refuses("at least 1 as max_ideals", po.random_linear_extensions, N, 1, max_ideals=0)
    refuses("at least 1 as max_ideals", po.count_linear_extensions, N, max_ideals=1e6)
    refuses("best first", po.is_linear_extension, N, set("abcd"))
    refuses("total order as ranking, found int", po.is_linear_extension, N, 3)
    refuses("as ranking", po.is_linear_extension, N, nx.Graph(["ab"]))
