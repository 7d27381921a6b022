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
from porank.core.compiled_order import compile_order
from porank.extensions.decomposition import OrderPart
from porank.extensions.ideals import Ideals
from porank.extensions.leaf_probabilities import _walked_means
from tests import oracles, oracles_extensions, oracles_positions
from tests.strategies import orders

N = "a > c; b > c; b > d"
FUNCTIONS = (po.rank_probabilities, po.expected_ranks, po.mutual_rank_probabilities)
functions = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
EVERY_ORDER = [G for n in range(5) for G in oracles.strict_orders(n)]


def connected_dag(n: int, seed: int) -> nx.DiGraph:
    """An order that can neither be cut nor falls apart: two long chains with rungs crossing."""
    half = n // 2
    G = nx.DiGraph([(i, i + 1) for i in range(half - 1)])
    G.add_edges_from((i, i + 1) for i in range(half, n - 1))
    rng = np.random.default_rng(seed)
    G.add_edges_from(
        (i, half + min(i + 4, half - 1)) for i in rng.permutation(half - 5)[:3].tolist()
    )
    return G


def flat(figures: Mapping[Any, Any]) -> list[float]:
    """The figures of any of the three mappings in one list."""
    values = list(figures.values())
    return [x for row in values for x in row] if values and isinstance(values[0], list) else values


@pytest.mark.parametrize("n", range(5))
def test_all_small_orders_exactly(n: int) -> None:
    for G in oracles.strict_orders(n):
        assert po.rank_probabilities(G, exact=True) == oracles_positions.rank_probabilities(G)
        assert po.expected_ranks(G, exact=True) == oracles_positions.expected_ranks(G)
        mutual = po.mutual_rank_probabilities(G, exact=True)
        assert mutual == oracles_positions.mutual_rank_probabilities(G)
        assert all(type(share) is Fraction for share in mutual.values())


@given(orders(max_items=7))
def test_floats_are_the_fractions_rounded(G: nx.DiGraph) -> None:
    for function in FUNCTIONS:
        exact, floats = function(G, exact=True), function(G)
        assert list(exact) == list(floats)
        assert all(type(value) is float for value in flat(floats))
        assert flat(floats) == pytest.approx([float(value) for value in flat(exact)], abs=1e-12)
    # Of the last ones, the mutual probabilities, both directions sum up to 1 without rounding.
    assert all(floats[u, v] + floats[v, u] == 1 for u, v in permutations(G, 2))


@given(orders(max_items=9))
def test_what_must_add_up_does(G: nx.DiGraph) -> None:
    n = len(G)
    rows = po.rank_probabilities(G, exact=True)
    ranks = po.expected_ranks(G, exact=True)
    mutual = po.mutual_rank_probabilities(G, exact=True)
    assert all(sum(row) == 1 for row in rows.values())
    assert all(sum(row[r] for row in rows.values()) == 1 for r in range(n))
    assert sum(ranks.values()) == Fraction(n * (n + 1), 2)
    for x in G:
        assert ranks[x] == sum(r * p for r, p in enumerate(rows[x], start=1))
        assert ranks[x] == 1 + sum(mutual[u, x] for u in G if u != x)
    assert all(mutual[u, v] + mutual[v, u] == 1 for u, v in permutations(G, 2))


@given(orders(max_items=8))
def test_possible_ranks_are_those_of_the_interval(G: nx.DiGraph) -> None:
    rows = po.rank_probabilities(G)
    for item, (best, worst) in po.rank_intervals(G).items():
        assert [r for r, p in enumerate(rows[item], start=1) if p] == [*range(best, worst + 1)]


def test_weak_orders_have_the_middle_ranks() -> None:
    scores = {"a": 3, "b": 1, "c": 3, "d": 0, "e": 1, "f": 1}
    assert dict(po.expected_ranks(scores)) == {
        "a": 1.5, "c": 1.5, "b": 4.0, "e": 4.0, "f": 4.0, "d": 6.0
    }  # fmt: skip
    assert po.rank_probabilities(scores)["b"] == [0.0, 0.0, 1 / 3, 1 / 3, 1 / 3, 0.0]
    mutual = po.mutual_rank_probabilities(scores)
    assert (mutual["a", "c"], mutual["a", "b"], mutual["d", "b"]) == (0.5, 1.0, 0.0)
    for function in FUNCTIONS:
        assert function(scores) == function(po.from_scores(scores))
        assert function(scores, method="walk").method == "exact"


def test_expected_ranks_of_large_weak_orders() -> None:
    found = po.expected_ranks(np.arange(30_000) // 1000)
    assert (found[5], found.standard_error[5]) == (29_500.5, 0.0)


@functions
def test_parts_are_solved_one_by_one(function: Callable[..., Any]) -> None:
    # Thirty times the N, one below the other: 240 ideals, where a budget for all would be 7**30.
    G = nx.DiGraph()
    for k in range(30):
        G.add_edges_from(((x, k), (y, k)) for x, y in ("ac", "bc", "bd"))
        if k:
            G.add_edges_from(((x, k - 1), (y, k)) for x in "cd" for y in "ab")
    found = function(G, max_ideals=8, exact=True)
    alone = function(po.parse(N), exact=True)
    assert found.method == "exact"
    if function is po.expected_ranks:
        assert found["c", 7] == 28 + alone["c"]
    elif function is po.rank_probabilities:
        assert found["c", 7][28:32] == alone["c"]
    else:
        assert found[("a", 9), ("b", 9)] == alone["a", "b"]
        assert found[("a", 9), ("b", 8)] == 0


@functions
def test_components_are_shuffled(function: Callable[..., Any]) -> None:
    # Beside one another, below something, and beside that once more.
    G = po.parse("t > a; t > b; t > x; t > y; a > c; b > c; b > d; t > c; x > y; z")
    brute = getattr(oracles_positions, function.__name__)(G)
    assert function(G, exact=True) == brute
    walked = function(G, method="walk", seed=0)
    assert walked.method == "walk"
    assert_within(walked, brute)


def assert_within(drawn: Any, truth: Mapping[Any, Any], *, errors: float = 4.5) -> None:
    """Every figure is within so many of its standard errors, exact ones are without error."""
    for value, error, exact in zip(
        flat(drawn), flat(drawn.standard_error), flat(truth), strict=True
    ):
        assert abs(value - float(exact)) <= errors * error + 1e-12


def honest(part: Any, seeds: range) -> float:
    """How large errors are, in standard errors, over walks with some seeds."""
    exact = Ideals(part, max_ideals=10**6).rank_matrix() @ np.arange(part.size)
    found = [_walked_means(part, np.random.default_rng(seed)) for seed in seeds]
    z = [((means - exact) / errors)[errors > 1e-9] for means, errors in found]
    return float(np.sqrt(np.mean(np.concatenate(z) ** 2)))


def crossed(*sizes: int, seed: int) -> OrderPart:
    """Chains with two edges from one to another, as a part."""
    rng = np.random.default_rng(seed)
    G = oracles_extensions.chains(*sizes)
    for _ in range(2):
        one, other = rng.permutation(len(sizes))[:2].tolist()
        G.add_edge((one, int(rng.integers(sizes[one] // 2))), (other, sizes[other] - 2))
    return undivided(G)


def undivided(G: nx.DiGraph) -> OrderPart:
    """Return an order as one part."""
    relation = compile_order(G).relation
    return OrderPart("prime", len(G), [], relation.item_at.tolist(), relation.covers)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(400, 400), (90, 90, 90), (25, 25, 25, 25), (6, 7, 8)])
def test_errors_of_walks_on_long_chains_are_honest(sizes: tuple[int, ...]) -> None:
    """They were off by 24 standard errors: all walks began at one point and were stopped early."""
    spread = [honest(crossed(*sizes, seed=seed), range(3)) for seed in range(3)]
    assert max(spread) < 1.3


@pytest.mark.slow
def test_errors_of_walks_that_end_too_early_are_honest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.extensions.sampling._COMPARISONS", 1)
    spread = [honest(crossed(400, 400, seed=seed), range(3)) for seed in range(3)]
    assert max(spread) < 1.3


@pytest.mark.slow
@pytest.mark.parametrize(("n", "share"), [(40, 0.2), (60, 0.2)])
def test_errors_of_walks_on_random_orders_are_honest(n: int, share: float) -> None:
    spread = [
        honest(undivided(po.random_order(n, edge_probability=share, seed=seed)), range(4))
        for seed in range(3)
    ]
    assert max(spread) < 1.3


def test_long_chains_are_counted_not_walked() -> None:
    G = oracles_extensions.chains(400, 400)
    G.add_edge((0, 150), (1, 200))
    found = po.expected_ranks(G)
    assert found.method == "exact"
    # Paths in a grid: those through each place, without those that leave the edge behind.
    assert found == pytest.approx(oracles_extensions.ranks_of_two_chains(400, 400, 150, 200))


@functions
def test_auto_counts_or_walks(function: Callable[..., Any]) -> None:
    G = connected_dag(14, 1)
    assert function(G).method == "exact"
    found = function(G, max_ideals=20, seed=0)
    assert found.method == "walk"
    assert flat(found) == flat(function(G, method="walk", seed=0))


@pytest.mark.slow
@functions
def test_the_errors_of_walks_are_what_they_say(function: Callable[..., Any]) -> None:
    G = po.random_order(25, edge_probability=0.15, seed=4)
    exact = np.array(flat(function(G, method="exact")))
    within = []
    for seed in range(12):
        found = function(G, method="walk", seed=seed)
        error = np.array(flat(found.standard_error))
        off = np.abs(np.array(flat(found)) - exact)
        assert (off[error == 0] < 1e-9).all()
        within.append(np.mean(off[error > 0] < 2 * error[error > 0]))
    assert np.mean(within) > 0.9


def test_the_weakest_part_names_the_method() -> None:
    G = connected_dag(14, 1)
    G.add_edges_from(("top", item) for item in range(14))
    found = po.rank_probabilities(G, max_ideals=20, seed=0)
    assert found.method == "walk"
    assert found["top"][0] == 1.0
    assert found.standard_error["top"] == [0.0] * 15


def test_errors_are_stretched_with_the_ranks() -> None:
    """Position q of 4 items becomes rank 8/5 q among 7, with the chain of three beside them."""
    alone = po.expected_ranks(po.parse(N), method="walk", seed=3).standard_error
    beside = po.expected_ranks(po.parse(f"{N}; x > y > z"), method="walk", seed=3).standard_error
    for item in "abcd":
        assert alone[item] > 0
        assert beside[item] == pytest.approx(8 / 5 * alone[item], rel=1e-14)
    assert [beside[item] for item in "xyz"] == [0, 0, 0]


@functions
def test_seeds(function: Callable[..., Any]) -> None:
    G = connected_dag(14, 0)
    one = function(G, method="walk", seed=3)
    assert one == function(G, method="walk", seed=3)
    assert one == function(G, method="walk", seed=np.random.default_rng(3))
    assert one != function(G, method="walk", seed=4)
    # Without a seed no two calls are the same.
    assert function(G, method="walk") != function(G, method="walk")


@functions
def test_empty_and_single(function: Callable[..., Any]) -> None:
    assert dict(function(po.antichain(0))) == {}
    (value,) = (*function(po.antichain(1)).values(), None)[:1]
    assert value == {"rank_probabilities": [1.0], "expected_ranks": 1.0}.get(function.__name__)


@functions
def test_cycles_and_options_are_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(po.CycleError) as caught:
        function(po.parse("a > b > a"))
    assert caught.value.cycle == ["a", "b", "a"]
    with pytest.raises(po.PorankError, match=r"method to be one of 'auto', .*, found 'guess'"):
        function(po.chain(2), method="guess")
    with pytest.raises(po.PorankError, match="with exact=True, found 'walk', which estimates"):
        function(po.chain(2), method="walk", exact=True)
    with pytest.raises(po.PorankError, match="expected exact to be True or False, found 'yes'"):
        function(N_ORDER, exact="yes")
    with pytest.raises(po.PorankError, match="found 'x'"):
        function(N_ORDER, seed="x")
    with pytest.raises(po.PorankError, match="at least 1 as max_ideals, found 0"):
        function(po.chain(2), max_ideals=0)


@functions
def test_what_walks_tell(function: Callable[..., Any]) -> None:
    """An item beside two chains that cross."""
    G = oracles_extensions.chains(12, 12, 1)
    G.add_edges_from([((0, 3), (1, 6)), ((1, 5), (0, 9))])
    options: dict[str, Any] = {"method": "walk", "seed": 0}
    told = function(G, **options)
    assert told.method == "walk"
    assert dict(told) == dict(pickle.loads(pickle.dumps(told)))
    assert "standard error" in str(told)
    if function is po.mutual_rank_probabilities:
        assert all(told.matrix()[i, i + 1] == told[pair] for i, pair in enumerate(pairwise(G)))
        said = po.transitive_closure(G).edges
        for u, v in permutations(G, 2):
            is_said = (u, v) in said or (v, u) in said
            assert (told.standard_error[u, v] == 0) is is_said
            assert told[u, v] == 1 if (u, v) in said else told[u, v] + told[v, u] == 1
    elif function is po.rank_probabilities:
        for x, (best, worst) in po.rank_intervals(G).items():
            errors = told.standard_error[x]
            assert [r for r, e in enumerate(errors, start=1) if e] == [*range(best, worst + 1)]


@pytest.mark.parametrize("function", [po.rank_probabilities, po.mutual_rank_probabilities])
def test_exact_tables_have_a_limit(function: Callable[..., Any]) -> None:
    G = nx.DiGraph([(k, k + 1) for k in range(5000)])
    G.add_edge(0, "x")
    with pytest.raises(po.PorankError, match="at most 5,000 items, found 5,002: 25,020,004 num"):
        function(G, exact=True)
    with pytest.raises(po.PorankError, match="at most 5,000 items, found 5,001"):
        function([0] * 5001)


@functions
def test_results_are_frozen_mappings(function: Callable[..., Any]) -> None:
    found = function(po.parse(N))
    keys = list(permutations("acbd", 2)) if function is po.mutual_rank_probabilities else [*"acbd"]
    assert list(found) == keys
    assert len(found) == len(keys)
    assert dict(pickle.loads(pickle.dumps(found))) == dict(found) == dict(copy.deepcopy(found))
    assert list(found.standard_error) == keys
    assert set(flat(found.standard_error)) == {0.0}
    with pytest.raises(TypeError):
        found[keys[0]] = 1
    flat_key = found[keys[0]]
    if isinstance(flat_key, list):
        flat_key[0] = 7.0
        assert found[keys[0]][0] != 7.0
    assert repr(found) == f"<{type(found).__name__}: 4 items, exact>"
    assert str(found) == found.to_text() == found.to_table().to_text()
    assert found._repr_html_() == found.to_table().to_html()


def test_graphs_are_not_changed_and_say_the_same_closed() -> None:
    G = po.parse("a > b > c; d > c; e")
    before = copy.deepcopy(G)
    for function in FUNCTIONS:
        closed, reduced = po.transitive_closure(G), po.transitive_reduction(G)
        assert function(G, exact=True) == function(closed, exact=True)
        assert function(G, exact=True) == function(reduced, exact=True)
    assert nx.utils.graphs_equal(G, before)


def test_names_and_insertion_do_not_matter() -> None:
    G = connected_dag(14, 2)
    names = {item: f"i{(item * 5) % 14}" for item in G}
    H = nx.DiGraph()
    H.add_nodes_from(sorted(names.values()))
    H.add_edges_from((names[u], names[v]) for u, v in G.edges)
    ranks, renamed = po.expected_ranks(G), po.expected_ranks(H)
    assert [renamed[names[x]] for x in G] == pytest.approx([ranks[x] for x in G], abs=1e-12)


N_ORDER = po.parse("a > c; b > c; b > d")


@functions
def test_estimates_name_their_method_and_error_in_print(function: Callable[..., Any]) -> None:
    name = function.__name__.replace("_", " ")
    drawn = function(N_ORDER, method="walk", seed=0)
    errors = drawn.standard_error
    largest = max(max(row) if isinstance(row, list) else row for row in errors.values())
    title = f"{name}, method walk, standard errors up to {largest:.2g}"
    assert str(drawn).splitlines()[0] == title
    assert f">{title}</caption>" in drawn._repr_html_()
    kind, exact = type(drawn).__name__, function(N_ORDER)
    assert repr(drawn) == f"<{kind}: 4 items, walk>"
    assert repr(errors) == f"<standard errors of {kind}: 4 items, walk>"
    assert str(errors).startswith("standard errors of ")
    assert repr(function(po.antichain(1))) == f"<{kind}: 1 item, exact>"
    assert str(exact).splitlines()[0].split()[0] in {"item", "above"}
    assert "<caption" not in exact._repr_html_()


def test_large_figures_are_cut_in_print() -> None:
    ranks = po.rank_probabilities([0] * 500)
    lines = str(ranks).splitlines()
    assert len(lines) == 2 + 30 + 1
    assert lines[-1] == "... and 470 rows and 488 columns more"
    assert lines[0].split() == ["item", *map(str, range(1, 13))]
    assert ranks._repr_html_().endswith("<p>... and 470 rows and 488 columns more</p>")
    means = str(po.expected_ranks(list(range(31)))).splitlines()
    assert (len(means), means[-1]) == (33, "... and 1 row more")
    mutual = str(po.mutual_rank_probabilities(list(range(13)))).splitlines()
    assert (len(mutual), mutual[-1]) == (16, "... and 1 column more")
    whole = po.mutual_rank_probabilities(list(range(40))).to_table()
    assert (len(whole.rows), len(whole.columns)) == (40, 41)


def test_only_pairs_are_keys_of_pairs() -> None:
    """The text 'ab' was once taken for the pair of a and b."""
    for found in (po.rank_probabilities(N_ORDER), po.expected_ranks(N_ORDER)):
        assert found.get("x") is None
        missing: list[Any] = ["x", ["a"], ("a", "b"), 7]
        for key in missing:
            with pytest.raises(KeyError, match="expected an item of the order"):
                found[key]
    mutual = po.mutual_rank_probabilities(N_ORDER)
    assert ("a", "b") in mutual
    for key in ("ab", ["a", "b"], ("a",), ("a", "b", "c"), ("a", "a"), ("a", "z"), 3, None):
        assert key not in mutual
        with pytest.raises(KeyError, match=r"expected (a pair|two different|an item)"):
            mutual[key]  # type: ignore[index]


@functions
def test_the_way_out_of_too_many_ideals(function: Callable[..., Any]) -> None:
    with pytest.raises(po.TooManyIdealsError, match=r"at most 7 ideals, .* method='auto' est"):
        function(N_ORDER, method="exact", max_ideals=7)
    with pytest.raises(po.TooManyIdealsError, match="unless exact=True"):
        function(N_ORDER, exact=True, max_ideals=7)
