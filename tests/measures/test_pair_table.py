"""The pair table and all that is a formula in it, against the definitions and outside oracles."""

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import porank as po
from porank.core.scores import levels_of_values
from porank.measures import inversions
from porank.measures.catalogue import MEASURES
from porank.measures.inversions import (
    _weigh_larger_before,
    count_before_in_both,
    count_inversions,
    count_weak_agreement,
    weigh_before_in_both,
    weigh_weak_disagreement,
)
from porank.measures.pair_table import pair_up
from tests.support import oracles
from tests.support.oracles_inference import copied
from tests.support.strategies import order_pairs, reinserted

Pair = tuple[nx.DiGraph, nx.DiGraph]
ONE_SIDED = {
    (True, False): "target_only",
    (False, True): "predicted_only",
    (False, False): "neither",
}


def signs(G: nx.DiGraph, items: list[Any]) -> dict[tuple[Any, Any], int]:
    """For each unordered pair: 1 if the first is preferred, -1 if the second, else 0."""
    said = oracles.closure(G.edges)
    return {(u, v): ((u, v) in said) - ((v, u) in said) for u, v in combinations(items, 2)}


def kind_of(truth: int, guess: int) -> str:
    """The class of a pair, from its two signs."""
    both = "concordant" if truth == guess else "discordant"
    return ONE_SIDED.get((bool(truth), bool(guess)), both)


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


def assert_as_defined(target: nx.DiGraph, predicted: nx.DiGraph) -> None:
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
            assert_as_defined(target, predicted)


@given(order_pairs())
def test_random_orders_by_definition(pair: Pair) -> None:
    assert_as_defined(*pair)


#: Orders on 0..4, in which copies of an item are known to be tied.
TIED_ORDERS = st.builds(
    copied,
    st.sampled_from(list(oracles.strict_orders(3))),
    st.lists(st.integers(0, 2), min_size=5, max_size=5),
)
CLASSES = {
    "target_only_tied": ("decided", "tied"),
    "target_only_incomparable": ("decided", "incomparable"),
    "predicted_only_tied": ("tied", "decided"),
    "predicted_only_incomparable": ("incomparable", "decided"),
    "both_tied": ("tied", "tied"),
    "target_tied": ("tied", "incomparable"),
    "predicted_tied": ("incomparable", "tied"),
    "both_incomparable": ("incomparable", "incomparable"),
}


@given(TIED_ORDERS, TIED_ORDERS)
def test_ties_and_incomparable_pairs_are_told_apart(target: nx.DiGraph, other: nx.DiGraph) -> None:
    found: Counter[tuple[str, ...]] = Counter()
    cost = 0
    sides = [(signs(G, list(range(5))), oracles.tied_pairs(G)) for G in (target, other)]
    for pair in combinations(range(5), 2):
        kinds = tuple(
            "decided" if sign[pair] else "tied" if frozenset(pair) in ties else "incomparable"
            for sign, ties in sides
        )
        found[kinds] += 1
        # 2 against the opposite or the unknown, 1 against a tie or between tie and unknown.
        if kinds[0] != kinds[1]:
            cost += 1 if "tied" in kinds else 2
        elif kinds[0] == "decided":
            cost += 2 * (sides[0][0][pair] != sides[1][0][pair])
    table = po.pair_table(target, other)
    assert table.concordant + table.discordant == found["decided", "decided"]
    assert {name: getattr(table, name) for name in CLASSES} == {
        name: found[kinds] for name, kinds in CLASSES.items()
    }
    assert table.all_pairs == 10
    assert po.measures.cks_distance(target, other) == cost


def test_scores_and_graphs_of_many_items() -> None:
    """Weak orders against partial ones, rows against rows, in any sequence."""
    partial, other, third = (
        po.random_order(120, edge_probability=0.05, seed=seed) for seed in (1, 2, 3)
    )
    weak = {item: -rank for item, rank in po.set_ranks(third).items()}
    turned = reinserted(other)
    pairs = [(partial, other), (partial, turned), (partial, weak), (weak, partial)]
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
    from scipy import stats
    from sklearn.metrics import roc_auc_score

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


@given(numbers, st.sampled_from([0, 0.1, Fraction(1, 3), 0.5, 1]), st.integers(0, 99))
def test_areas_under_curves_by_definition(
    pairs: list[tuple[int, int]], ties: Any, seed: int
) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    partial = reinserted(po.random_order(len(x), edge_probability=0.5, seed=seed))
    said = oracles.closure(partial.edges)
    if len(set(x)) > 1:
        check_auc(x, y, lambda u, v: y[u] > y[v], ties=ties)
        check_auc(x, partial, lambda u, v: (u, v) in said)


@given(numbers)
def test_tau_x_by_definition(pairs: list[tuple[int, int]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    both = [
        (1 if x[i] >= x[j] else -1) * (1 if y[i] >= y[j] else -1)
        for i, j in permutations(range(len(x)), 2)
    ]
    assert po.measures.tau_x(x, y) == sum(both) / len(both)


# Counting and weighing the pairs of two weak orders.


@pytest.mark.parametrize("way", [(10**9, 0), (0, 10**9), (0, 0)])
def test_every_way_to_count_by_definition(
    way: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Items one with another, in a table of levels, and by inversions."""
    monkeypatch.setattr(inversions, "MOST_COMPARED", way[0])
    monkeypatch.setattr(inversions, "_CELLS_AN_ITEM", way[1])
    some_levels = [(1, 9), (3, 4), (20, 400), (10**6, 5), (10**6, 10**6)]
    for n, levels in product((1, 2, 3, 50, 700), some_levels):
        rng = np.random.default_rng(n)
        first, second = (levels_of_values(rng.integers(0, k, n)) for k in levels)
        one, other = signs_of(first), signs_of(second)
        for G, sign in ((second, other), (first, one)):
            alike = one * sign
            wanted = (np.sum(alike > 0) // 2, np.sum(alike < 0) // 2)
            assert count_weak_agreement(first, G) == wanted
        weights = rng.integers(0, 2**10, n).astype(float)
        before = (one < 0) & (other < 0)
        assert count_before_in_both(first, second).tolist() == before.sum(axis=1).tolist()
        assert weigh_before_in_both(first, second, weights).tolist() == (before @ weights).tolist()
        apart = np.abs(one - other)
        assert weigh_weak_disagreement(first, second, weights) == weights @ apart @ weights / 2


def signs_of(levels: NDArray[Any]) -> NDArray[Any]:
    """1 in row u and column v if u is above v, -1 if below, 0 if they are tied."""
    found: NDArray[Any] = np.sign(levels - levels[:, None])
    return found


@pytest.mark.parametrize("blocks", [1, 4, 1024])
def test_sizes_of_digits_and_blocks(blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inversions, "_BLOCKS", blocks)
    for n in (2, 31, 32, 33, 129, 257, 1023, 4097):
        rng = np.random.default_rng(n)
        numbers, weights = rng.permutation(n), rng.integers(1, 9, n).astype(float)
        for some in (np.arange(n)[::-1], numbers, numbers % 3, numbers % 257):
            assert count_inversions(some) == sum(larger_before(some, np.ones(n)))
        assert _weigh_larger_before(numbers, weights).tolist() == larger_before(numbers, weights)


def larger_before(numbers: NDArray[Any], weights: NDArray[Any]) -> list[float]:
    """For each place, the weight of the larger numbers before it."""
    return [float(weights[:i] @ (numbers[:i] > numbers[i])) for i in range(numbers.size)]


@pytest.mark.slow
def test_inversions_of_four_digits_are_counted() -> None:
    n = 2**18 + 3
    turned = np.roll(np.arange(n), 1000)
    assert count_inversions(turned) == 1000 * (n - 1000)
    assert _weigh_larger_before(turned, np.full(n, 2.0)).sum() == 2000 * (n - 1000)


def test_a_heavy_item_does_not_drown_the_others() -> None:
    """The tied pairs taken from the square of the sum would give 0 or 2 here."""
    weights = np.array([1e12, 1e-3, 1.0])
    assert weigh_weak_disagreement(np.array([0, 1, 1]), np.array([0, 1, 2]), weights) == 1e-3
