"""Ranks and their probabilities, against all linear extensions one by one; parts put together."""

import copy
import math
import pickle
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.extensions.decomposition import _shuffled
from porank.extensions.ideals import Ideals
from porank.extensions.leaf_probabilities import _walked_means
from tests.extensions.test_ideals import undivided
from tests.support import oracles, oracles_extensions, oracles_positions
from tests.support.refusals import refuses
from tests.support.strategies import orders

N = po.parse("a > c; b > c; b > d")
FUNCTIONS: list[Any] = [po.rank_probabilities, po.expected_ranks, po.mutual_rank_probabilities]
functions = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)


def flat(figures: Mapping[Any, Any]) -> list[Any]:
    """The figures of any of the three mappings in one list."""
    values = list(figures.values())
    return [x for row in values for x in row] if values and isinstance(values[0], list) else values


@given(orders(max_items=5))
def test_probabilities_are_exact_fractions_or_floats_by_definition(G: nx.DiGraph) -> None:
    for function in FUNCTIONS:
        truth = getattr(oracles_positions, function.__name__)(G)
        exact, floats = function(G, exact=True), function(G)
        assert exact == truth
        assert list(exact) == list(floats) == list(truth)
        assert all(type(value) is Fraction for value in flat(exact))
        assert all(type(value) is float for value in flat(floats))
        assert flat(floats) == pytest.approx([float(value) for value in flat(exact)], abs=1e-12)
        assert set(flat(floats.standard_error)) <= {0.0}
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


def test_tied_items_share_their_ranks_evenly() -> None:
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


def honest(G: nx.DiGraph, seeds: range) -> float:
    """How large errors are, in standard errors, over walks with some seeds."""
    part = undivided(G)
    exact = Ideals(part, max_ideals=10**7).rank_matrix() @ np.arange(part.size)
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


@functions
def test_walks_are_near_and_certain_where_nothing_is_open(function: Callable[..., Any]) -> None:
    """Parts beside one another, below something, and beside that once more."""
    G = po.parse("t > a; t > b; t > x; t > y; a > c; b > c; b > d; t > c; x > y; z")
    exact, found = function(G, exact=True), function(G, method="walk", seed=3)
    figures = map(flat, (found, found.standard_error, exact))
    for value, error, wanted in zip(*figures, strict=True):
        assert abs(value - float(wanted)) <= 4.5 * error + 1e-12
        if function is not po.expected_ranks:
            assert (error == 0) is (wanted in (0, 1))
    assert (function(G).method, found.method) == ("exact", "walk")
    assert found == function(G, max_ideals=7, seed=3) != function(G, method="walk", seed=4)
    assert function(G, method="walk") == function(G, method="walk")
    if function is po.mutual_rank_probabilities:
        assert all(found.matrix()[i, i + 1] == found[pair] for i, pair in enumerate(pairwise(G)))


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
    assert str(errors).startswith("standard errors of ")
    assert repr(errors) == f"<standard errors of {kind}: 4 items, walk>"
    assert repr(function(po.antichain(1))) == f"<{kind}: 1 item, exact>"
    assert str(exact).splitlines()[0].split()[0] in {"item", "above"}
    assert "<caption" not in exact._repr_html_() == exact.to_table().to_html()


def test_large_figures_are_cut_in_print() -> None:
    ranks = po.rank_probabilities([0] * 500)
    assert len(str(ranks).splitlines()) == 33
    assert ranks._repr_html_().endswith("<p>... and 470 rows and 488 columns more</p>")
    assert str(po.expected_ranks(list(range(31)))).endswith("... and 1 row more")
    assert str(po.mutual_rank_probabilities(list(range(13)))).endswith("... and 1 column more")
    whole = po.mutual_rank_probabilities(list(range(40))).to_table()
    assert (len(whole.rows), len(whole.columns)) == (40, 41)


def test_only_pairs_are_keys_of_pairs() -> None:
    """The text 'ab' was once taken for the pair of a and b."""
    ranks, mutual = po.expected_ranks(N), po.mutual_rank_probabilities(N)
    wrong: list[tuple[Any, list[Any]]] = [
        (ranks, ["x", ["a"], ("a", "b"), 7]),
        (mutual, ["ab", ["a", "b"], ("a",), ("a", "b", "c"), ("a", "a"), ("a", "z"), 3, None]),
    ]
    for found, keys in wrong:
        for key in keys:
            assert key not in found
            with pytest.raises(KeyError, match=r"expected (a pair|two different|an item)"):
                found[key]
    assert ("a", "b") in mutual
    assert ranks.get("x") is None


@functions
def test_bad_input_is_refused_in_words(function: Callable[..., Any]) -> None:
    refuses("method to be one of 'auto'", function, N, method="guess")
    refuses("found 'walk', which estimates", function, N, method="walk", exact=True)
    refuses("exact to be True or False", function, N, exact="yes")
    refuses("found 'x'", function, N, seed="x")
    refuses("at least 1 as max_ideals", function, N, max_ideals=0)
    refuses(r"7 ideals, .*method='auto'", function, N, method="exact", max_ideals=7)
    refuses("unless exact=True", function, N, exact=True, max_ideals=7)
    refuses("found the cycle", function, po.parse("a > b > a"), error=po.CycleError)
    refuses("undirected", function, nx.Graph(["ab"]), error=po.errors.GraphTypeError)
    if function is not po.expected_ranks:
        refuses(r"5,000 items, found 5,001|25,010,001 num", function, [0] * 5001)


def threshold(n: int) -> nx.DiGraph:
    """Odd items are below all before them, even ones beside: a component in a series, n deep."""
    return oracles.graph_on(range(n), ((i, j) for j in range(1, n, 2) for i in range(j)))


@given(orders(max_items=6))
def test_means_of_values_by_definition(G: nx.DiGraph) -> None:
    """The gain of one relevant item, discounted at each rank that it may take."""
    for first in list(G)[:1]:
        chances = oracles_positions.rank_probabilities(G)[first]
        mean = sum(float(p) / math.log2(r + 2) for r, p in enumerate(chances))
        scores, relevance = {x: k for k, x in enumerate(G)}, {x: int(x == first) for x in G}
        found = po.dcg(scores, G, relevance=relevance, gain="level")
        assert found == pytest.approx(mean, abs=1e-13)


@pytest.mark.parametrize(
    "G",
    [po.random_order(30, dimension=2, seed=1), threshold(40), oracles_extensions.chains(30, 40)],
)
def test_floats_are_probabilities_and_complementary(G: nx.DiGraph) -> None:
    """Certain pairs had 1.0000000000000002, and the two directions did not sum up to 1."""
    for method in ("auto", "walk"):
        mutual = po.mutual_rank_probabilities(G, method=method, seed=0)
        for u, v in combinations(G, 2):
            assert 0 <= mutual[u, v] <= 1
            assert mutual[u, v] + mutual[v, u] == 1
        said = po.transitive_closure(G)
        assert all(mutual[u, v] == 1 and mutual[v, u] == 0 for u, v in said.edges)
        rows = po.rank_probabilities(G, method=method, seed=0)
        for x, (best, worst) in po.rank_intervals(G).items():
            assert all(0 <= p <= 1 for p in rows[x])
            assert set(rows[x][: best - 1] + rows[x][worst:]) <= {0.0}


@given(st.integers(1, 59), st.integers(0, 59))
@example(49, 1)
def test_the_middle_of_a_level_is_not_rounded(top: int, bottom: int) -> None:
    """The mean rank of 99 tied items was 50.00000000000001."""
    scores = [1] * top + [0] * bottom
    ranks = list(po.expected_ranks(scores).values())
    wanted = [Fraction(top + 1, 2)] * top + [top + Fraction(bottom + 1, 2)] * bottom
    assert ranks == wanted
    assert list(po.expected_ranks(scores, exact=True).values()) == wanted


def test_shuffles_of_many_are_as_exact_as_floats_can_be() -> None:
    """More shuffles than a float can hold, and long products."""
    for a, b in ((900, 900), (3, 2000), (2000, 3), (400, 500)):
        shares = _shuffled(a, b, exact=False)
        np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-11)
        q, d = a // 2, b // 2
        count = comb(q + d, q) * comb(a + b - 1 - q - d, a - 1 - q)
        assert shares[q, d] == pytest.approx(float(Fraction(count, comb(a + b, a))), rel=1e-11)
