"""The pair table and all that is a formula in it, against the definitions and outside oracles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

import porank as po
from porank.measures.catalogue import MEASURES
from porank.measures.pair_table import pair_up
from tests import oracles
from tests.strategies import order_pairs

Pair = tuple[nx.DiGraph, nx.DiGraph]
NAMES = {(True, True): "", (True, False): "target_only", (False, True): "predicted_only"}


def signs(G: nx.DiGraph, items: list[Any]) -> dict[tuple[Any, Any], int]:
    """For each unordered pair: 1 if the first is preferred, -1 if the second, else 0."""
    said = oracles.closure(G.edges)
    return {(u, v): ((u, v) in said) - ((v, u) in said) for u, v in combinations(items, 2)}


def kind_of(truth: int, guess: int) -> str:
    """The class of a pair, from its two signs."""
    one_sided = NAMES.get((bool(truth), bool(guess)), "neither")
    return one_sided or ("concordant" if truth == guess else "discordant")


def share(numerator: int, denominator: int) -> float:
    return float(Fraction(numerator, denominator)) if denominator else math.nan


def formulas(n: Counter[str]) -> dict[str, float]:
    """Every rational measure of the design's table; nan where it is 0/0."""
    C, D, A, N = (n[k] for k in ("concordant", "discordant", "target_only", "predicted_only"))
    T, P, every = C + D + A, C + D + N, sum(n.values())
    return {
        "kendall_distance": D,
        "kendall_distance_normalized": share(D, T),
        "kendall_tau_a": share(C - D, every),
        "gamma": share(C - D, C + D),
        "correctness": share(C - D, C + D),
        "completeness": share(C + D, T),
        "somers_d": share(C - D, T),
        "symmetric_difference": 2 * D + A + N,
        "partial_kendall_distance": D + (A + N) / 2,
        "precision": share(C, P),
        "recall": share(C, T),
        "f1": share(2 * C, P + T),
        "jaccard": share(C, C + 2 * D + A + N),
        "ppref": share(C, C + D),
        "rpref": share(C, T),
        "c_index": share(2 * C + A, 2 * T),
        "kendall_loss": share(D + A + N, every),
        "zero_one_loss": float(D + A + N > 0),
    }


def check(target: nx.DiGraph, predicted: nx.DiGraph) -> None:
    """Hold the classes of pairs and every formula in their numbers against the definitions."""
    truth, guess = signs(target, list(target)), signs(predicted, list(target))
    wanted = {frozenset(pair): kind_of(truth[pair], guess[pair]) for pair in truth}
    listed = list(po.pair_classes(target, predicted))
    assert {frozenset((u, v)): kind for u, v, kind in listed} == wanted
    for u, v, kind in listed:
        said = guess if kind == "predicted_only" else truth
        assert kind == "neither" or said.get((u, v), -said.get((v, u), 0)) == 1
    n = Counter(wanted.values())
    assert Counter(vars(pair_up(target, predicted).counts)) == n
    for name, value in formulas(n).items():
        found = MEASURES[name](target, predicted)
        assert found == pytest.approx(value, rel=0, abs=0, nan_ok=True), name
    tau, both = po.kendall_tau(target, predicted), n["concordant"] + n["discordant"]
    root = math.sqrt((both + n["target_only"]) * (both + n["predicted_only"]))
    surplus = n["concordant"] - n["discordant"]
    assert tau == pytest.approx(surplus / root if root else math.nan, rel=1e-15, nan_ok=True)
    assert not abs(tau) > 1


def test_small_orders_by_definition() -> None:
    for n in range(4):
        for target, predicted in product(oracles.strict_orders(n), repeat=2):
            check(target, predicted)


@given(order_pairs())
def test_random_orders_by_definition(pair: Pair) -> None:
    check(*pair)


@st.composite
def tied_orders(draw: st.DrawFn, items: list[Any]) -> nx.DiGraph:
    """An order in which some pairs are known ties: each item of a small one may be several."""
    line = draw(st.permutations(range(3)))
    edges = [pair for pair in combinations(line, 2) if draw(st.booleans())]
    place = {item: draw(st.integers(0, 2)) for item in items}
    G = nx.DiGraph()
    G.add_nodes_from(draw(st.permutations(items)))
    G.add_edges_from(
        (u, v) for u in items for v in items if (place[u], place[v]) in oracles.closure(edges)
    )
    known = draw(st.sets(st.integers(0, 2)))
    nx.set_node_attributes(G, {x: place[x] for x in items if place[x] in known}, "tie")
    return G


@given(tied_orders(list("abcde")), tied_orders(list("abcde")))
def test_ties_and_incomparable_pairs_are_told_apart(target: nx.DiGraph, other: nx.DiGraph) -> None:
    found: Counter[tuple[str, str]] = Counter()
    cost = 0
    sides = [(signs(G, list("abcde")), oracles.tied_pairs(G)) for G in (target, other)]
    for pair in combinations("abcde", 2):
        kinds = [
            "decided" if sign[pair] else "tied" if frozenset(pair) in ties else "incomparable"
            for sign, ties in sides
        ]
        found[kinds[0], kinds[1]] += 1
        # 2 against the opposite or the unknown, 1 against a tie or between tie and unknown.
        if kinds[0] != kinds[1]:
            cost += 1 if "tied" in kinds else 2
        elif kinds[0] == "decided":
            cost += 2 * (sides[0][0][pair] != sides[1][0][pair])
    table = po.pair_table(target, other)
    assert table.concordant + table.discordant == found["decided", "decided"]
    assert table.target_only_tied == found["decided", "tied"]
    assert table.target_only_incomparable == found["decided", "incomparable"]
    assert table.predicted_only_tied == found["tied", "decided"]
    assert table.predicted_only_incomparable == found["incomparable", "decided"]
    assert table.both_tied == found["tied", "tied"]
    assert table.target_tied == found["tied", "incomparable"]
    assert table.predicted_tied == found["incomparable", "tied"]
    assert table.both_incomparable == found["incomparable", "incomparable"]
    assert table.all_pairs == 10
    assert po.cks_distance(target, other) == cost


def random_order(n: int, seed: int) -> nx.DiGraph:
    return po.random_order(n, edge_probability=0.05, seed=seed)


def test_the_engines_agree() -> None:
    """Scores against graphs, weak orders against partial ones, rows against rows."""
    partial, other = random_order(120, 1), random_order(120, 2)
    turned = nx.DiGraph()
    turned.add_nodes_from(reversed(list(other)))
    turned.add_edges_from(other.edges)
    weak = {item: -rank for item, rank in po.set_ranks(random_order(120, 3)).items()}
    pairs = [(partial, other), (partial, turned), (partial, weak), (weak, partial), (weak, other)]
    for target, predicted in pairs:
        truth = set(po.transitive_closure(target).edges)
        guess = set(po.transitive_closure(predicted).edges)
        table = po.pair_table(target, predicted)
        assert table.concordant == len(truth & guess)
        assert table.discordant == len(truth & {(v, u) for u, v in guess})
        assert (table.target_pairs, table.predicted_pairs) == (len(truth), len(guess))
    # Counts are kept with the graphs until one of them changes.
    pairing = pair_up(partial, other)
    assert pair_up(partial, other) is pairing
    before = pairing.counts
    other.remove_edge(*next(iter(other.edges)))
    assert pair_up(partial, other).counts != before


numbers = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


@given(numbers)
def test_scipy_and_scikit_learn_agree(pairs: list[tuple[int, int]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    with np.errstate(all="ignore"):
        expected = stats.kendalltau(x, y).statistic
        assert po.kendall_tau(x, y) == pytest.approx(expected, abs=1e-12, nan_ok=True)
        if len(set(x)) > 1 and len(set(y)) > 1:
            # SciPy's D takes the independent variable first.
            somers = stats.somersd(x, y).statistic
            assert po.somers_d(x, y) == pytest.approx(somers, abs=1e-12)
    good = [score >= 2 for score in x]
    if len(set(good)) == 2:
        assert po.auc(good, y) == pytest.approx(roc_auc_score(good, y), abs=1e-12)


def test_scipy_agrees_on_many_items() -> None:
    for n, levels in product((10, 3000), (4, 10**9)):
        rng = np.random.default_rng(n)
        x, y = rng.integers(0, levels, (2, n))
        expected = stats.kendalltau(x, y).statistic
        assert po.kendall_tau(x, y) == pytest.approx(expected, abs=1e-12)
        x, y = x + rng.choice([0, 0.25], n), np.round(rng.normal(size=n), 2)
        expected = stats.kendalltau(x, y).statistic
        assert po.kendall_tau(x, y) == pytest.approx(expected, abs=1e-12)


def points_of_levels(levels: list[int], guess: Any, credit: Any) -> Iterator[tuple[Any, int]]:
    """For each two levels: the points of their pairs, with a credit for open ones, and how many."""
    for low, high in combinations(sorted({*levels}), 2):
        better, worse = ([i for i, each in enumerate(levels) if each == k] for k in (high, low))
        pairs = list(product(better, worse))
        right = sum(guess(u, v) for u, v in pairs)
        is_open = sum(not guess(u, v) and not guess(v, u) for u, v in pairs)
        yield right + Fraction(credit) * is_open, len(pairs)


def check_auc(levels: list[int], predicted: Any, guess: Any, **options: Any) -> None:
    """Hold the measures of the areas under curves against the definition."""
    found = list(points_of_levels(levels, guess, options.get("ties", 0.5)))
    points = sum(each for each, _ in found)
    near = [points, *(points / sum(n for _, n in found), sum(p / n for p, n in found) / len(found))]
    total, share, mean = (pytest.approx(float(each), rel=1e-12) for each in near)
    assert po.jonckheere_terpstra(levels, predicted, **options) == total
    assert po.c_index(levels, predicted, **options) == share
    assert po.m_auc(levels, predicted, **options) == mean
    if len(found) == 1:
        assert po.auc(levels, predicted, **options) == share


@given(numbers, st.sampled_from([0, 0.1, Fraction(1, 3), 0.5, 1]))
def test_areas_under_curves_by_definition(pairs: list[tuple[int, int]], ties: Any) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    if len(set(x)) > 1:
        check_auc(x, y, lambda u, v: y[u] > y[v], ties=ties)


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.integers(0, 99))
def test_areas_of_partial_predictions(levels: list[int], seed: int) -> None:
    n = len(levels)
    predicted = nx.DiGraph(reversed([*po.random_order(n, edge_probability=0.5, seed=seed).edges]))
    predicted.add_nodes_from(range(n))
    said = oracles.closure(predicted.edges)
    if len(set(levels)) > 1:
        check_auc(levels, predicted, lambda u, v: (u, v) in said)


@given(numbers, st.sampled_from([0, 0.1, 0.7, Fraction(1, 3), 1]))
def test_penalties_by_definition(pairs: list[tuple[int, int]], p: Any) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    table = po.pair_table(x, y)
    expected = table.discordant + Fraction(p) * (table.target_only + table.predicted_only)
    found = po.partial_kendall_distance(x, y, p=p)
    assert found == pytest.approx(float(expected), rel=1e-12)
    assert float(sum(po.terms("partial_kendall_distance", x, y, p=p).values())) == float(expected)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=5))
def test_tau_x_and_hausdorff_by_definition(pairs: list[tuple[int, int]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    n = len(x)
    total = sum(
        (1 if x[i] >= x[j] else -1) * (1 if y[i] >= y[j] else -1)
        for i in range(n)
        for j in range(n)
        if i != j
    )
    assert po.tau_x(x, y) == total / (n * (n - 1))
    sides = [list(oracles.lists_of(dict(enumerate(scores)))) for scores in (x, y)]
    far = [
        max(min(inversions(s, t) for t in other) for s in one)
        for one, other in (sides, sides[::-1])
    ]
    assert po.hausdorff_kendall_distance(x, y) == max(far)


def inversions(s: tuple[int, ...], t: tuple[int, ...]) -> int:
    return sum(t.index(u) > t.index(v) for u, v in combinations(s, 2))
