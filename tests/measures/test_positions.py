"""Positions of items, the footrule, Spearman's measures, and the errors that weigh the top most."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, islice, pairwise, permutations, product
from statistics import mean
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

import porank as po
from porank.core.compiled_order import compile_order
from porank.errors import (
    NotApplicableError,
    UndefinedError,
)
from porank.measures.correlation import spearman_rho
from porank.measures.distance import (
    footrule_distance,
    hausdorff_footrule_distance,
    spearman_distance,
)
from porank.measures.pair_table import pair_up
from porank.measures.positions import (
    discounted_error,
    discounted_error_terms,
    doubled_positions,
    footrule_distance_terms,
    position_error,
    spearman_distance_terms,
)
from porank.orders.ranks import rank_bounds
from tests import oracles
from tests.oracles_positions import mid_positions as positions
from tests.strategies import orders

TARGET, PREDICTED = po.load_example("tutorial")
DISTANCES: list[Callable[..., float]] = [footrule_distance, spearman_distance, discounted_error]
EVERY_MEASURE: list[Callable[..., float]] = [
    *DISTANCES,
    hausdorff_footrule_distance,
    spearman_rho,
    position_error,
]

Positions = dict[Any, Fraction]


def rankings(G: nx.DiGraph) -> list[dict[Any, int]]:
    """All total orders that say all that G says, item -> rank."""
    said = oracles.closure(G.edges)
    numbered = (dict(zip(G, ranks, strict=True)) for ranks in permutations(range(1, len(G) + 1)))
    return [rank for rank in numbered if all(rank[u] < rank[v] for u, v in said)]


def footrule(r: Positions | dict[Any, int], s: Positions | dict[Any, int]) -> Any:
    """The sum of the distances moved."""
    return sum(abs(r[x] - s[x]) for x in r)


def squares(r: Positions, s: Positions) -> Fraction:
    """The sum of their squares."""
    return sum(((r[x] - s[x]) ** 2 for x in r), start=Fraction(0))


def pearson(r: Positions, s: Positions) -> float:
    """The covariance over the root of the product of the variances."""
    middle = Fraction(len(r) + 1, 2)
    covariance = sum((r[x] - middle) * (s[x] - middle) for x in r)
    spread = sum((r[x] - middle) ** 2 for x in r) * sum((s[x] - middle) ** 2 for x in r)
    return float(covariance) / math.sqrt(spread) if spread else math.nan


def hausdorff(S: Sequence[Any], T: Sequence[Any], distance: Callable[[Any, Any], Any]) -> Any:
    """How far the nearest of the other set may be, from either side."""
    from_S = [min(distance(s, t) for t in T) for s in S]
    from_T = [min(distance(s, t) for s in S) for t in T]
    return max(from_S + from_T)


ORDERS = [G for n in range(4) for G in oracles.strict_orders(n)]
PAIRS = [(S, T) for S, T in product(ORDERS, repeat=2) if len(S) == len(T)]
WEAK_PAIRS = [(s, t) for n in range(4) for s, t in product(oracles.weak_orders(n), repeat=2)]
lists_of_scores = st.integers(0, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


@pytest.mark.parametrize("n", range(5))
def test_by_definition(n: int) -> None:
    for G in oracles.strict_orders(n):
        expected = positions(G)
        doubled = doubled_positions(compile_order(G)).tolist()
        assert [Fraction(d, 2) for d in doubled] == [expected[x] for x in G]


@pytest.mark.parametrize("n", range(1, 5))
def test_of_a_weak_order_are_the_mean_ranks_of_its_refinements(n: int) -> None:
    for scores in oracles.weak_orders(n):
        refinements = rankings(oracles.graph_of(scores))
        doubled = doubled_positions(compile_order(scores)).tolist()
        assert doubled == [2 * mean(Fraction(r[x]) for r in refinements) for x in scores]


@pytest.mark.parametrize("n", range(1, 5))
def test_bounds_are_the_extreme_ranks(n: int) -> None:
    for G in oracles.strict_orders(n):
        best, worst = rank_bounds(compile_order(G))
        refinements = rankings(G)
        assert best.tolist() == [min(r[x] for r in refinements) for x in G]
        assert worst.tolist() == [max(r[x] for r in refinements) for x in G]


def test_of_a_partial_order_are_not_its_mean_ranks() -> None:
    G = po.parse("a > b > c; d > c")
    mean_rank = mean(Fraction(r["a"]) for r in rankings(G))
    assert (positions(G)["a"], mean_rank) == (Fraction(3, 2), Fraction(4, 3))


def test_of_a_sparse_order_of_many_items() -> None:
    G = nx.DiGraph((i, i + 1) for i in range(0, 9000, 3))
    G.add_edges_from((i + 1, i + 2) for i in range(0, 9000, 3))
    assert set(doubled_positions(compile_order(G)).tolist()) == {8999, 9001, 9003}


def test_all_pairs_of_small_orders() -> None:
    for S, T in PAIRS:
        r, s = positions(S), positions(T)
        assert footrule_distance(S, T) == footrule(r, s)
        assert spearman_distance(S, T) == squares(r, s)
        assert spearman_rho(S, T) == pytest.approx(pearson(r, s), abs=1e-15, nan_ok=True)
        weighed = sum(abs(r[x] - s[x]) / math.log(r[x] + 1, 3) for x in S)
        assert discounted_error(S, T, base=3) == pytest.approx(weighed, rel=1e-14)


@given(st.data(), orders())
def test_random_orders(data: st.DataObject, S: nx.DiGraph) -> None:
    line = data.draw(st.permutations(list(S)))
    pairs = list(combinations(line, 2))
    T = po.from_pairs(data.draw(st.lists(st.sampled_from(pairs))) if pairs else [], items=line)
    r, s = positions(S), positions(T)
    assert footrule_distance(S, T) == footrule(r, s)
    assert spearman_distance(S, T) == squares(r, s)
    assert spearman_rho(S, T) == pytest.approx(pearson(r, s), nan_ok=True)


def test_hausdorff_footrule_is_that_of_the_sets_of_refinements() -> None:
    for s, t in WEAK_PAIRS:
        truth, guess = rankings(oracles.graph_of(s)), rankings(oracles.graph_of(t))
        assert hausdorff_footrule_distance(s, t) == hausdorff(truth, guess, footrule)


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_hausdorff_footrule_on_four_items(step: int) -> None:
    weak = list(oracles.weak_orders(4))
    ranks = [np.array([list(r.values()) for r in rankings(oracles.graph_of(s))]) for s in weak]
    for (s, first), (t, second) in islice(
        product(zip(weak, ranks, strict=True), repeat=2), 0, None, step
    ):
        apart = np.abs(first[:, None] - second[None, :]).sum(axis=2)
        expected = max(apart.min(axis=0).max(), apart.min(axis=1).max())
        assert hausdorff_footrule_distance(s, t) == expected


def test_position_error_over_all_refinements() -> None:
    for s, t in WEAK_PAIRS:
        tops = [x for x in s if s[x] == max(s.values())]
        errors = [Fraction(r[x] - 1) for r in rankings(oracles.graph_of(t)) for x in tops]
        if errors:
            assert position_error(s, t) == mean(errors)
            assert position_error(s, t, ties="optimistic") == min(errors)
            assert position_error(s, t, ties="pessimistic") == max(errors)


def test_position_error_on_partial_orders() -> None:
    for S, T in PAIRS:
        r, s = positions(S), positions(T)
        tops = [x for x in S if r[x] == min(r.values())]
        extremes = [r[x] - 1 for r in rankings(T) for x in tops]
        if tops:
            assert position_error(S, T) == mean(s[x] - 1 for x in tops)
            assert position_error(S, T, ties="optimistic") == min(extremes)
            assert position_error(S, T, ties="pessimistic") == max(extremes)


@given(lists_of_scores)
def test_scipy_agrees(lists: tuple[list[int], list[int]]) -> None:
    x, y = lists
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert spearman_rho(x, y) == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)


def test_summands_of_the_tutorial() -> None:
    terms = footrule_distance_terms(TARGET, PREDICTED)
    assert [terms[x] for x in "ABCDE"] == [3, 0, 1, 0, 2]
    terms = spearman_distance_terms(TARGET, PREDICTED)
    assert [terms[x] for x in "ABCDE"] == [9, 0, 1, 0, 4]


def test_the_printed_prediction_alone_has_these_summands() -> None:
    found = [
        line
        for line in permutations("ABCDE")
        if [footrule_distance_terms(TARGET, po.from_ranking(line))[x] for x in "ABCDE"]
        == [3, 0, 1, 0, 2]
    ]
    assert found == [tuple("ABECD")]


def test_discounted_error_and_erratum_t1() -> None:
    """The slide has 3/log 2 + 1/log 4 + 2/log 6, the places of A, C, E in the alphabet."""
    natural = discounted_error(TARGET, PREDICTED, base=math.e)
    assert natural == pytest.approx(3 / math.log(5) + 1 / math.log(4) + 2 / math.log(2))
    assert natural == pytest.approx(5.470742, abs=5e-7)
    assert discounted_error(TARGET, PREDICTED) == pytest.approx(3.792030, abs=5e-7)
    assert discounted_error(TARGET, PREDICTED, base=10) == pytest.approx(natural * math.log(10))
    terms = discounted_error_terms(TARGET, PREDICTED)
    assert (terms["E"], terms["C"]) == (2, 0.5), "logarithms of powers of two are whole"


def test_the_largest_spearman_distance_and_erratum_t2() -> None:
    """The slide's middle term, the sum of ((c - i) - i)**2, gives 45 instead of 40."""
    assert spearman_distance(TARGET, po.dual(TARGET)) == 40 == 5 * (25 - 1) / 3
    assert sum(((5 - i) - i) ** 2 for i in range(1, 6)) == 45
    assert spearman_rho(TARGET, po.dual(TARGET)) == -1


@pytest.mark.parametrize(
    ("first", "second", "profile", "farthest"),
    [
        ([["a", "b"], ["c"]], [["b", "c"], ["a"]], 3, 4),
        ([["a", "b", "c"]], [["a"], ["b"], ["c"]], 2, 4),
    ],
)
def test_partial_rankings_of_fagin_et_al(
    first: Any, second: Any, profile: int, farthest: int
) -> None:
    pair = po.from_levels(first), po.from_levels(second)
    assert footrule_distance(*pair) == profile
    assert hausdorff_footrule_distance(*pair) == farthest


def test_a_pseudometric_on_partial_orders() -> None:
    """Section 9: the same positions throughout, and four preferences in one order only."""
    pair = po.parse("b > c > d; a"), po.parse("b > a > d; c")
    assert footrule_distance(*pair) == spearman_distance(*pair) == 0
    counts = pair_up(*pair).counts
    assert (counts.discordant, counts.target_only, counts.predicted_only) == (0, 2, 2)


@given(lists_of_scores)
def test_footrule_and_kendall_on_weak_orders(lists: tuple[list[int], list[int]]) -> None:
    counts = pair_up(*lists).counts
    open_in_one = counts.target_only + counts.predicted_only
    profile = counts.discordant + Fraction(open_in_one, 2)
    moved = footrule_distance(*lists)
    assert profile <= moved <= 2 * profile
    assert moved <= hausdorff_footrule_distance(*lists) <= 2 * moved
    farthest = counts.discordant + max(counts.target_only, counts.predicted_only)
    assert farthest <= hausdorff_footrule_distance(*lists) <= 2 * farthest


@pytest.mark.slow
def test_footrule_is_at_most_twice_kendall_on_partial_orders() -> None:
    for S, T in product(oracles.strict_orders(4), repeat=2):
        counts = pair_up(S, T).counts
        decided_once = counts.target_only + counts.predicted_only
        assert footrule_distance(S, T) <= 2 * counts.discordant + decided_once


@pytest.mark.parametrize("n", range(1, 6))
def test_diaconis_and_graham(n: int) -> None:
    """K + (n - cycles) <= F <= 2 K, equal to the right without 3 items falling."""
    for line in permutations(range(n)):
        scores = [-rank for rank in line]
        inversions = sum(line[i] > line[j] for i, j in combinations(range(n), 2))
        moved = footrule_distance(range_scores(n), scores)
        cycles = nx.number_weakly_connected_components(nx.DiGraph(enumerate(line)))
        assert inversions + n - cycles <= moved <= 2 * inversions
        falls = any(line[i] > line[j] > line[k] for i, j, k in combinations(range(n), 3))
        assert (moved == 2 * inversions) == (not falls)
        assert spearman_distance(range_scores(n), scores) >= moved


@given(st.permutations(range(7)))
def test_rho_of_total_orders_is_the_closed_formula(line: list[int]) -> None:
    scores = list(range(7))
    moved = Fraction(spearman_distance(scores, line))
    assert spearman_rho(scores, line) == float(1 - 6 * moved / (7 * 48))


def test_triangle_inequality_on_weak_orders() -> None:
    weak = [list(scores.values()) for scores in oracles.weak_orders(3)]
    for measure in (footrule_distance, hausdorff_footrule_distance):
        d = [[measure(x, y) for y in weak] for x in weak]
        for x, y, z in product(range(len(weak)), repeat=3):
            assert d[x][z] <= d[x][y] + d[y][z]
    root = [[math.sqrt(spearman_distance(x, y)) for y in weak] for x in weak]
    for x, y, z in product(range(len(weak)), repeat=3):
        assert root[x][z] <= root[x][y] + root[y][z] + 1e-12


@given(st.lists(st.permutations(range(6)), min_size=2, max_size=2))
def test_position_error_is_the_footrule_of_the_best_item(lines: list[list[int]]) -> None:
    terms = footrule_distance_terms(*lines)
    assert position_error(*lines) == terms[lines[0].index(5)]


"""Fagin, Kumar, Sivakumar, "Comparing top k lists", 2003: items missing from a list are below.

With z items in common, the lists aligned have their k - z missing items on one level, whose
position is k + (k - z + 1) / 2: this is the location of the footrule F^(l).
"""

top_lists = st.tuples(*[st.permutations("abcdefgh").map(lambda line: line[:4])] * 2)


def aligned(first: list[str], second: list[str]) -> tuple[Any, Any]:
    pair = po.from_ranking(first), po.from_ranking(second)
    return po.align(*pair, how="union", missing="below")


@given(top_lists, st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]))
def test_kendall(lists: tuple[list[str], list[str]], p: Fraction) -> None:
    counts = pair_up(*aligned(*lists)).counts
    one_sided = counts.target_only + counts.predicted_only
    assert counts.discordant + p * one_sided == kendall_of_lists(*lists, p)


@given(top_lists)
def test_footrule(lists: tuple[list[str], list[str]]) -> None:
    first, second = lists
    k, z = len(first), len({*first} & {*second})
    location = k + Fraction(k - z + 1, 2)
    moved = footrule_distance(*aligned(first, second))
    assert moved == footrule_of_lists(first, second, location)
    assert moved == footrule_of_lists(first, second, Fraction(k + 1)) + (k - z) * (k - z - 1)


@given(top_lists)
def test_footrule_with_location_k_plus_1_in_closed_form(lists: tuple[list[str], list[str]]) -> None:
    first, second = lists
    common, k = {*first} & {*second}, len(first)
    closed = (
        2 * (k - len(common)) * (k + 1)
        + sum(abs(first.index(x) - second.index(x)) for x in common)
        - sum(first.index(x) + 1 for x in {*first} - common)
        - sum(second.index(x) + 1 for x in {*second} - common)
    )
    assert footrule_of_lists(first, second, Fraction(k + 1)) == closed


def range_scores(n: int) -> list[int]:
    return [-i for i in range(n)]


def kendall_of_lists(first: list[str], second: list[str], p: Fraction) -> Fraction:
    """K^(p): the four cases of the paper."""
    total = Fraction(0)
    for i, j in combinations(sorted({*first, *second}), 2):
        sides = [[x for x in (i, j) if x in line] for line in (first, second)]
        if len(sides[0]) == len(sides[1]) == 2:
            orders = [line.index(i) < line.index(j) for line in (first, second)]
            total += orders[0] != orders[1]
        elif len(sides[0]) == len(sides[1]):
            total += 1
        elif 0 in map(len, sides):
            total += p
        else:
            full, other = (first, sides[1]) if len(sides[0]) == 2 else (second, sides[0])
            (known,) = other
            missing = j if known == i else i
            total += full.index(missing) < full.index(known)
    return total


def footrule_of_lists(first: list[str], second: list[str], location: Fraction) -> Fraction:
    """F^(l): missing items at the location."""
    ranks = [
        {x: Fraction(line.index(x) + 1) if x in line else location for x in {*first, *second}}
        for line in (first, second)
    ]
    return Fraction(footrule(*ranks))


@pytest.mark.parametrize("pair", [([], []), ([1], [2]), (nx.DiGraph(), {})])
def test_no_item_or_one(pair: tuple[Any, Any]) -> None:
    for measure in (*DISTANCES, hausdorff_footrule_distance):
        assert measure(*pair) == 0
    assert math.isnan(spearman_rho(*pair))
    assert footrule_distance_terms(*pair) == dict.fromkeys(range(len(pair[0])), 0)


def test_position_error_without_items() -> None:
    assert math.isnan(position_error([], []))
    assert position_error([], [], undefined=0) == 0
    assert position_error([1], [1]) == 0
    with pytest.raises(UndefinedError, match="found 0/0: there is no item"):
        position_error([], [], undefined="raise")


def test_sums_beyond_64_bits_are_exact() -> None:
    n = 2_000_000
    up, down = np.arange(n), -np.arange(n)
    assert spearman_distance(up, down) == float(n * (n * n - 1) // 3)
    assert footrule_distance(up, down) == n * n // 2
    assert spearman_rho(up, down) == -1


def test_rho_never_passes_1() -> None:
    x = np.arange(300_000)
    for i, j in pairwise(range(0, 40, 7)):
        y = x.copy()
        y[[i, j]] = y[[j, i]]
        y[-2] = y[-1]
        assert 0.999 < spearman_rho(x, y) <= 1


def test_hausdorff_footrule_of_partial_orders() -> None:
    partial, weak = po.parse("a > b; c"), {"a": 1, "b": 2, "c": 3}
    with pytest.raises(NotApplicableError, match="found target partial: no formula is known"):
        hausdorff_footrule_distance(partial, weak)
    with pytest.raises(NotApplicableError, match="found predicted partial"):
        hausdorff_footrule_distance(weak, partial)
