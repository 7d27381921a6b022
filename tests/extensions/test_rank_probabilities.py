"""Ranks and their probabilities, against all linear extensions one by one."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import porank as po
from porank.extensions.ideals import Ideals
from porank.extensions.leaf_probabilities import _walked_means
from tests import oracles_extensions, oracles_positions
from tests.extensions.test_ideals import undivided
from tests.strategies import on_orders, orders

N = po.parse("a > c; b > c; b > d")
FUNCTIONS: list[Any] = [po.rank_probabilities, po.expected_ranks, po.mutual_rank_probabilities]
functions = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)


def crossed() -> nx.DiGraph:
    """Two chains that cross, an order that can neither be cut nor falls apart."""
    G = oracles_extensions.chains(7, 7)
    G.add_edges_from([((0, 1), (1, 5)), ((0, 0), (1, 4)), ((1, 1), (0, 5))])
    return G


def flat(figures: Mapping[Any, Any]) -> list[Any]:
    """The figures of any of the three mappings in one list."""
    values = list(figures.values())
    return [x for row in values for x in row] if values and isinstance(values[0], list) else values


@on_orders(max_items=6)
def test_by_definition(G: nx.DiGraph) -> None:
    for function in FUNCTIONS:
        truth = getattr(oracles_positions, function.__name__)(G)
        exact, floats = function(G, exact=True), function(G)
        assert exact == truth
        assert list(exact) == list(floats) == list(truth)
        assert all(type(value) is Fraction for value in flat(exact))
        assert all(type(value) is float for value in flat(floats))
        assert flat(floats) == pytest.approx([float(value) for value in flat(exact)], abs=1e-12)
        assert set(flat(floats.standard_error)) <= {0.0}
        assert exact == function(po.transitive_closure(G), exact=True)
    # Of the last ones, the mutual probabilities, both directions sum up to 1 without rounding.
    assert all(floats[u, v] + floats[v, u] == 1 for u, v in permutations(G, 2))


@given(orders(max_items=9))
def test_what_must_add_up_does(G: nx.DiGraph) -> None:
    n = len(G)
    rows, ranks, mutual = (function(G, exact=True) for function in FUNCTIONS)
    assert all(sum(row) == 1 for row in rows.values())
    assert all(sum(row[r] for row in rows.values()) == 1 for r in range(n))
    for x, (best, worst) in po.rank_intervals(G).items():
        assert ranks[x] == sum(r * p for r, p in enumerate(rows[x], start=1))
        assert ranks[x] == 1 + sum(mutual[u, x] for u in G if u != x)
        assert [r for r, p in enumerate(rows[x], start=1) if p] == [*range(best, worst + 1)]


def test_weak_orders() -> None:
    scores = {"a": 3, "b": 1, "c": 3, "d": 0, "e": 1, "f": 1}
    assert list(po.expected_ranks(scores).values()) == [1.5, 4.0, 1.5, 6.0, 4.0, 4.0]
    assert po.rank_probabilities(scores)["b"] == [0.0, 0.0, 1 / 3, 1 / 3, 1 / 3, 0.0]
    mutual = po.mutual_rank_probabilities(scores)
    assert (mutual["a", "c"], mutual["a", "b"], mutual["d", "b"]) == (0.5, 1.0, 0.0)
    for function in FUNCTIONS:
        assert function(scores) == function(po.from_scores(scores))
        assert function(scores, method="walk").method == "exact"
    assert po.expected_ranks(np.arange(30_000) // 1000)[5] == 29_500.5


@functions
def test_parts_are_solved_one_by_one_and_shuffled(function: Callable[..., Any]) -> None:
    # Thirty times the N, one below the other: 240 ideals, where a budget for all would be 7**30.
    G = nx.DiGraph()
    for k in range(30):
        G.add_edges_from(((x, k), (y, k)) for x, y in N.edges)
        if k:
            G.add_edges_from(((x, k - 1), (y, k)) for x in "cd" for y in "ab")
    found, alone = function(G, max_ideals=8, exact=True), function(N, exact=True)
    assert found.method == "exact"
    if function is po.expected_ranks:
        assert found["c", 7] == 28 + alone["c"]
    elif function is po.rank_probabilities:
        assert found["c", 7][28:32] == alone["c"]
    else:
        assert found[("a", 9), ("b", 9)] == alone["a", "b"]
        assert found[("a", 9), ("b", 8)] == 0
    # Beside one another, below something, and beside that once more.
    G = po.parse("t > a; t > b; t > x; t > y; a > c; b > c; b > d; t > c; x > y; z")
    brute = getattr(oracles_positions, function.__name__)(G)
    assert function(G, exact=True) == brute
    walked = function(G, method="walk", seed=0)
    for value, error, exact in zip(*map(flat, (walked, walked.standard_error, brute)), strict=True):
        assert abs(value - float(exact)) <= 4.5 * error + 1e-12


def honest(G: nx.DiGraph, seeds: range) -> float:
    """How large errors are, in standard errors, over walks with some seeds."""
    part = undivided(G)
    exact = Ideals(part, max_ideals=10**6).rank_matrix() @ np.arange(part.size)
    found = [_walked_means(part, np.random.default_rng(seed)) for seed in seeds]
    z = [((means - exact) / errors)[errors > 1e-9] for means, errors in found]
    return float(np.sqrt(np.mean(np.concatenate(z) ** 2)))


def randomly_crossed(*sizes: int, seed: int) -> nx.DiGraph:
    """Chains with two edges from one to another."""
    rng = np.random.default_rng(seed)
    G = oracles_extensions.chains(*sizes)
    for _ in range(2):
        one, other = rng.permutation(len(sizes))[:2].tolist()
        G.add_edge((one, int(rng.integers(sizes[one] // 2))), (other, sizes[other] - 2))
    return G


@pytest.mark.slow
def test_errors_of_walks_are_honest(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were off by 24 standard errors: all walks began at one point and were stopped early."""
    chains = [(400, 400), (90, 90, 90), (25, 25, 25, 25), (6, 7, 8)]
    for sizes in chains:
        assert max(honest(randomly_crossed(*sizes, seed=k), range(3)) for k in range(3)) < 1.3
    for n in (40, 60):
        drawn = [po.random_order(n, edge_probability=0.2, seed=seed) for seed in range(3)]
        assert max(honest(G, range(4)) for G in drawn) < 1.3
    # Walks that end too early say so.
    monkeypatch.setattr("porank.extensions.sampling._COMPARISONS", 1)
    assert max(honest(randomly_crossed(400, 400, seed=k), range(3)) for k in range(3)) < 1.3


@pytest.mark.slow
@functions
def test_the_errors_of_walks_are_what_they_say(function: Callable[..., Any]) -> None:
    G = po.random_order(25, edge_probability=0.15, seed=4)
    exact, within = np.array(flat(function(G, method="exact"))), []
    for seed in range(12):
        found = function(G, method="walk", seed=seed)
        error = np.array(flat(found.standard_error))
        off = np.abs(np.array(flat(found)) - exact)
        assert (off[error == 0] < 1e-9).all()
        within.append(np.mean(off[error > 0] < 2 * error[error > 0]))
    assert np.mean(within) > 0.9


def test_long_chains_are_counted_not_walked() -> None:
    G = oracles_extensions.chains(200, 200)
    G.add_edge((0, 75), (1, 100))
    found = po.expected_ranks(G)
    assert found.method == "exact"
    # Paths in a grid: those through each place, without those that leave the edge behind.
    assert found == pytest.approx(oracles_extensions.ranks_of_two_chains(200, 200, 75, 100))


@functions
def test_counted_or_walked(function: Callable[..., Any]) -> None:
    """Under an item of its own part and beside another; no two calls without a seed are alike."""
    G = crossed()
    assert function(G).method == "exact"
    G.add_edges_from(("top", item) for item in crossed())
    G.add_node("beside")
    options: dict[str, Any] = {"method": "walk", "seed": 3}
    found = function(G, **options)
    assert found == function(G, max_ideals=20, seed=3)
    assert found == function(G, method="walk", seed=np.random.default_rng(3))
    assert found != function(G, method="walk", seed=4)
    assert function(G, method="walk") != function(G, method="walk")
    assert found.method == "walk"
    assert dict(found) == dict(pickle.loads(pickle.dumps(found)))
    if function is po.mutual_rank_probabilities:
        assert all(found.matrix()[i, i + 1] == found[pair] for i, pair in enumerate(pairwise(G)))
        for u, v in permutations(G, 2):
            is_said = po.prefers(G, u, v) or po.prefers(G, v, u)
            assert (found.standard_error[u, v] == 0) is is_said
            assert found[u, v] == 1 if po.prefers(G, u, v) else found[u, v] + found[v, u] == 1
    elif function is po.rank_probabilities:
        for x, (best, worst) in po.rank_intervals(G).items():
            errors = found.standard_error[x]
            assert [r for r, e in enumerate(errors, start=1) if e] == [*range(best, worst + 1)]


def test_errors_are_stretched_with_the_ranks() -> None:
    """Position q of 4 items becomes rank 8/5 q among 7, with the chain of three beside them."""
    G = N.copy()
    nx.add_path(G, "xyz")
    alone, beside = (po.expected_ranks(H, method="walk", seed=3).standard_error for H in (N, G))
    for item in "abcd":
        assert alone[item] > 0
        assert beside[item] == pytest.approx(8 / 5 * alone[item], rel=1e-14)
    assert [beside[item] for item in "xyz"] == [0, 0, 0]


@functions
def test_results_are_frozen_mappings_that_print_themselves(function: Callable[..., Any]) -> None:
    exact, walked = function(N), function(N, method="walk", seed=0)
    assert dict(pickle.loads(pickle.dumps(exact))) == dict(exact) == dict(copy.deepcopy(exact))
    key, errors = next(iter(exact)), walked.standard_error
    with pytest.raises(TypeError):
        exact[key] = 1
    if isinstance(exact[key], list):
        exact[key][0] = 7.0
        assert exact[key][0] != 7.0
    name, kind = function.__name__.replace("_", " "), type(exact).__name__
    title = f"{name}, method walk, standard errors up to {max(flat(errors)):.2g}"
    assert str(walked).splitlines()[0] == title
    assert f">{title}</caption>" in walked._repr_html_()
    assert str(errors).startswith("standard errors of ")
    assert repr(walked) == f"<{kind}: 4 items, walk>"
    assert repr(errors) == f"<standard errors of {kind}: 4 items, walk>"
    assert repr(function(po.antichain(1))) == f"<{kind}: 1 item, exact>"
    assert str(exact) == exact.to_text() == exact.to_table().to_text()
    assert str(exact).splitlines()[0].split()[0] in {"item", "above"}
    assert "<caption" not in exact._repr_html_() == exact.to_table().to_html()


def test_large_figures_are_cut_in_print() -> None:
    ranks = po.rank_probabilities([0] * 500)
    assert len(str(ranks).splitlines()) == 33
    assert str(ranks).endswith("... and 470 rows and 488 columns more")
    assert ranks._repr_html_().endswith("<p>... and 470 rows and 488 columns more</p>")
    assert str(po.expected_ranks(list(range(31)))).endswith("... and 1 row more")
    assert str(po.mutual_rank_probabilities(list(range(13)))).endswith("... and 1 column more")
    whole = po.mutual_rank_probabilities(list(range(40))).to_table()
    assert (len(whole.rows), len(whole.columns)) == (40, 41)
