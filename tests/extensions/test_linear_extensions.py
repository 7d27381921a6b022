"""Linear extensions, listed, counted, estimated, recognised and drawn."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import islice
from math import comb, factorial
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import porank as po
from porank.core.compiled_order import compile_order
from porank.core.graphs import item_key
from porank.extensions.estimation import _WeightedDraws
from porank.results import EstimatedCount
from tests import oracles_extensions
from tests.oracles_extensions import chains, euler, grid, hook_lengths, zigzag
from tests.strategies import ITEMS, on_orders, orders, reinserted

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


def test_families() -> None:
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


def test_the_budget() -> None:
    G, two = po.boolean_lattice(4), nx.disjoint_union(N, N)
    with pytest.raises(po.TooManyIdealsError, match="estimate_linear_extensions") as caught:
        po.count_linear_extensions(G, max_ideals=165)
    # The top and the bottom are parts of their own; 14 items and 166 ideals remain.
    assert (caught.value.max_ideals, caught.value.items) == (165, 14)
    assert po.count_linear_extensions(G, max_ideals=166) == 1680384
    assert po.count_linear_extensions(two, max_ideals=8) == comb(8, 4) * 25
    with pytest.raises(po.TooManyIdealsError, match="at most 7 ideals"):
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
    po.estimate_linear_extensions,
    lambda G: po.random_linear_extensions(G, 1),
    lambda G: po.is_linear_extension(G, "ab"),
]
REFUSED: list[tuple[Any, tuple[Any, ...], dict[str, Any], str]] = [
    *[(ask, (po.parse("a > b > a"),), {}, "found the cycle") for ask in ASKED],
    (po.linear_extensions, ([1] * 5000 + [0] * 5000,), {}, "edges to create"),
    (po.random_linear_extensions, (N, -1), {}, "as size"),
    (po.random_linear_extensions, (N, 1), {"max_ideals": 0}, "at least 1 as max_ideals"),
    (po.estimate_linear_extensions, (N,), {"max_ideals": 0}, "at least 1 as max_ideals"),
    (po.estimate_linear_extensions, (N,), {"samples": 0}, "at least 1 as samples"),
    (po.count_linear_extensions, (N,), {"max_ideals": 1e6}, "at least 1 as max_ideals"),
    (po.is_linear_extension, (N, set("abcd")), {}, "best first"),
    (po.is_linear_extension, (N, 3), {}, "total order as ranking, found int"),
    (po.is_linear_extension, (N, nx.Graph(["ab"])), {}, "as ranking"),
]


def test_what_is_refused() -> None:
    for ask, given_things, options, message in REFUSED:
        with pytest.raises(po.PorankError, match=message):
            ask(*given_things, **options)


def without(G: nx.DiGraph, items: Iterable[Any]) -> nx.DiGraph:
    """Return the order among the other items."""
    rest = po.transitive_closure(G)
    rest.remove_nodes_from(items)
    return rest


def all_draws(G: nx.DiGraph, rest: nx.DiGraph) -> _WeightedDraws:
    """Return each linear extension of the rest once, ready to grow: no draw is better."""
    order = compile_order(G)
    lines = [[order.number[x] for x in line] for line in oracles_extensions.linear_extensions(rest)]
    table = np.array(lines, dtype=np.int64).reshape(len(lines), len(rest))
    return _WeightedDraws(order.matrix(), table, np.random.default_rng(0))


@on_orders(max_items=4)
def test_putting_an_item_in_multiplies_by_its_mean_number_of_places(G: nx.DiGraph) -> None:
    count = len(oracles_extensions.linear_extensions(G))
    assert po.estimate_linear_extensions(G) == EstimatedCount(count, 0.0, "exact")
    for number, x in enumerate(G):
        rest = without(G, [x])
        lines = oracles_extensions.linear_extensions(rest)
        draws, mean = all_draws(G, rest), count / len(lines)
        assert draws.put_in(number) == pytest.approx(mean, rel=1e-14)
        counts = [len(oracles_extensions.places(G, line, x)) for line in lines]
        assert (draws.weights * mean).tolist() == pytest.approx(counts, rel=1e-14)


@given(orders(max_items=6))
def test_draws_grow_into_linear_extensions(G: nx.DiGraph) -> None:
    missing = list(G)[::2]
    draws = all_draws(G, without(G, missing))
    numbers = compile_order(G).number
    ratio = math.prod(draws.put_in(numbers[x]) for x in missing)
    assert ratio >= 1
    lines = np.argsort(draws._position, axis=1).tolist()
    items = list(G)
    assert all(po.is_linear_extension(G, [items[number] for number in line]) for line in lines)
    assert draws.weights.mean() == pytest.approx(1)


CALIBRATION = {
    "nothing counted": (zigzag(14), 1),
    "Boolean lattice": (po.boolean_lattice(4), 20),
    "grid": (grid(3, 6), 5),
    "random edges": (po.random_order(16, edge_probability=0.15, seed=1), 10),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALIBRATION)
def test_the_error_is_neither_too_small_nor_too_large(name: str) -> None:
    """Errors over standard errors, at sixty fixed seeds: a mean near 0, a spread near 1."""
    G, max_ideals = CALIBRATION[name]
    truth, z = po.count_linear_extensions(G), []
    for seed in range(60):
        found = po.estimate_linear_extensions(G, samples=150, max_ideals=max_ideals, seed=seed)
        assert found.method == "sample"
        assert 0.01 < found.standard_error < 0.15
        z.append(math.log(found.value / truth) / found.standard_error)
    assert abs(np.mean(z)) < 4 / math.sqrt(len(z))
    assert 0.7 < np.std(z) < 1.35


def test_draws_made_anew_at_each_item_and_few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    few = po.estimate_linear_extensions(zigzag(8), samples=1, max_ideals=5, seed=0)
    assert few.standard_error > 0.2, "what has not been seen is not impossible"
    monkeypatch.setattr("porank.extensions.estimation._UNEVEN", -1.0)
    found = po.estimate_linear_extensions(zigzag(9), samples=1000, max_ideals=1, seed=0)
    assert abs(found.value / euler(9) - 1) < 4 * found.standard_error < 0.24


def test_only_what_cannot_be_counted_is_estimated() -> None:
    """Two chains beside an estimated part: its estimate times the ways to shuffle."""
    options: dict[str, Any] = {"samples": 50, "max_ideals": 10, "seed": 3}
    part = po.dual(zigzag(16))
    alone = po.estimate_linear_extensions(part, **options)
    found = po.estimate_linear_extensions(nx.disjoint_union(part, chains(5, 7)), **options)
    shuffles = math.factorial(28) // (math.factorial(16) * math.factorial(5) * math.factorial(7))
    assert Fraction(found.value, shuffles) == pytest.approx(alone.value, abs=0.51)
    assert (found.standard_error, found.method) == (alone.standard_error, "sample")


def test_errors_of_two_parts_add_up() -> None:
    two = nx.disjoint_union(zigzag(16), zigzag(16))
    two.add_edges_from((x, y) for x in range(16) for y in range(16, 32))
    one, both = (
        po.estimate_linear_extensions(G, samples=400, max_ideals=20, seed=0)
        for G in (zigzag(16), two)
    )
    assert 1.2 < both.standard_error / one.standard_error < 1.65
    assert abs(math.log(both.value / euler(16) ** 2)) < 4 * both.standard_error


def test_what_is_shown() -> None:
    assert po.estimate_linear_extensions(zigzag(16), samples=50, max_ideals=20).method == "sample"
    few: list[Any] = [nx.DiGraph(), po.chain(5), {}]
    for G in few:
        found = po.estimate_linear_extensions(G, max_ideals=1, samples=1)
        assert str(found) == "1 linear extension, exact"
    found = po.estimate_linear_extensions([1, 2] * 2000)
    assert found.value == math.factorial(2000) ** 2
    assert found.log10 == pytest.approx(2 * math.lgamma(2001) / math.log(10))
    # Of more digits than Python writes out.
    assert repr(found) == "<EstimatedCount: 1.100e+11471 linear extensions, exact>"
    shown = EstimatedCount(1_234_567, 0.0456, "sample")
    assert str(shown) == "about 1.235e+6 linear extensions, standard error 4.6%"
