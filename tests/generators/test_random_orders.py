"""Random orders and rankings: their laws, and their distribution where it can be worked out.

The draws have fixed seeds. An observed share of N draws is required to lie within five standard
deviations, 5 sqrt(p (1 - p) / N), of its probability p; a right generator with a free seed would
miss that once in 1.7 million.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, permutations, product
from math import prod, sqrt
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import porank as po
from porank.generators.random_orders import mallows, plackett_luce, random_order, random_ranking
from tests.support.oracles import closure
from tests.support.refusals import refuses


def require_distribution(counts: Counter[Any], probabilities: Mapping[Any, float]) -> None:
    draws = sum(counts.values())
    assert set(counts) <= set(probabilities)
    for outcome, p in probabilities.items():
        assert abs(counts[outcome] / draws - p) <= 5 * sqrt(p * (1 - p) / draws) + 1e-12, outcome


def closed(G: nx.DiGraph) -> frozenset[Any]:
    return frozenset(closure(G.edges))


def by_dimension(n: int, dimension: int) -> dict[Any, float]:
    """Return order -> probability, over all tuples of rankings."""
    pairs = [frozenset(combinations(ranking, 2)) for ranking in permutations(range(n))]
    orders = Counter(frozenset.intersection(*r) for r in product(pairs, repeat=dimension))
    return {order: count / orders.total() for order, count in orders.items()}


def by_edges(n: int, p: float) -> dict[Any, float]:
    """Return order -> probability, over all rankings and all sets of their pairs."""
    orders: dict[Any, float] = {}
    rankings = list(permutations(range(n)))
    for ranking in rankings:
        pairs = list(combinations(ranking, 2))
        for chosen in product([False, True], repeat=len(pairs)):
            G = nx.DiGraph([pair for pair, is_edge in zip(pairs, chosen, strict=True) if is_edge])
            weight = p ** sum(chosen) * (1 - p) ** (len(pairs) - sum(chosen)) / len(rankings)
            orders[closed(G)] = orders.get(closed(G), 0) + weight
    return orders


MODELS: list[dict[str, Any]] = [
    {"dimension": 1},
    {"dimension": 4},
    {"edge_probability": 0},
    {"edge_probability": 0.3},
    {"edge_probability": 1},
]


def test_it_is_a_reduced_order_and_the_same_for_the_same_seed() -> None:
    for model, n in product(MODELS, (0, 1, 2, 3, 40, 300)):
        G = random_order(n, **model, seed=n)
        assert list(G) == list(range(n))
        assert set(nx.transitive_reduction(G).edges) == set(G.edges)
        assert nx.utils.graphs_equal(G, random_order(n, **model, seed=np.random.default_rng(n)))
        assert all(type(item) is int for item in G)
        if 1 in model.values():
            assert G.number_of_edges() == max(n - 1, 0) == nx.dag_longest_path_length(G)
        elif 0 in model.values():
            assert G.number_of_edges() == 0


def test_seeds_differ_none_is_fresh_and_a_generator_goes_on() -> None:
    rng = np.random.default_rng(5)
    for seeds in (range(5), [None] * 5, [rng] * 5):
        drawn = {tuple(random_order(20, dimension=2, seed=seed).edges) for seed in seeds}
        assert len(drawn) == 5


def test_random_orders_have_their_distribution() -> None:
    rng = np.random.default_rng(11)
    models: list[tuple[dict[str, Any], dict[Any, float]]] = [
        ({"dimension": 2}, by_dimension(3, 2)),
        ({"edge_probability": 0.4}, by_edges(3, 0.4)),
    ]
    for model, expected in models:
        counts = Counter(closed(random_order(3, **model, seed=rng)) for _ in range(1_500))
        require_distribution(counts, expected)
    n, p = 2_000, 1e-4
    G, pairs = random_order(n, edge_probability=p, seed=13), n * (n - 1) / 2
    # So sparse that few of the edges drawn are implied: they can only be fewer.
    assert abs(G.number_of_edges() - pairs * p) <= 5 * sqrt(pairs * p)


def test_a_random_ranking_is_a_uniform_chain_of_its_items() -> None:
    for items in (0, 1, np.int64(5), ["a", 1, (2,)], {"x", "y"}):
        G = random_ranking(items, seed=3)  # type: ignore[arg-type]
        assert set(G) == set(range(items) if isinstance(items, (int, np.int64)) else items)
        assert list(G.edges) == list(pairwise(G))
    sets, texts = random_ranking({"x", "y", "z"}, seed=1), random_ranking(iter("xyz"), seed=1)
    assert list(sets) == list(texts)
    rng = np.random.default_rng(14)
    counts = Counter(tuple(random_ranking(iter("abc"), seed=rng)) for _ in range(1_500))
    require_distribution(counts, dict.fromkeys(permutations("abc"), 1 / 6))


def kendall(r: Sequence[Any], s: Sequence[Any]) -> int:
    return sum(s.index(u) > s.index(v) for u, v in combinations(r, 2))


def test_mallows_has_its_distribution() -> None:
    center = ("c", "a", "d", "b")
    for dispersion in (0, 0.3, 1):
        rankings = mallows(center, 2_000, dispersion=dispersion, seed=21)
        weights = {r: float(dispersion) ** kendall(center, r) for r in permutations(center)}
        expected = {r: weight / sum(weights.values()) for r, weight in weights.items()}
        require_distribution(Counter(map(tuple, rankings)), expected)


def test_plackett_luce_has_its_distribution() -> None:
    strengths: dict[str, Any] = {"a": 1, "b": Fraction(5, 2), "c": 0.5}
    rankings = plackett_luce(strengths, 2_000, seed=22)
    expected = {
        ranking: prod(
            float(strengths[item]) / sum(float(strengths[other]) for other in ranking[place:])
            for place, item in enumerate(ranking)
        )
        for ranking in permutations(strengths)
    }
    require_distribution(Counter(map(tuple, rankings)), expected)


def test_every_ranking_is_a_chain_of_its_own() -> None:
    for n, size in product(range(4), (0, 5)):
        items = [3, "x", 1][:n]
        for rankings in (
            mallows(items, size, dispersion=0.5, seed=1),
            plackett_luce(dict.fromkeys(items, 1), size, seed=1),
        ):
            assert len(rankings) == size == len(set(map(id, rankings)))
            for G in rankings:
                assert set(G) == set(items)
                assert list(G.edges) == list(pairwise(G))


def test_the_center_may_be_given_in_any_form() -> None:
    scores = pd.Series([1, 2, 3], index=["c", "a", "b"])
    for center in (("b", "a", "c"), nx.DiGraph(["ac", "bc", "ba"]), scores.to_dict(), scores):
        (ranking,) = mallows(center, 1, dispersion=0)
        assert list(ranking) == ["b", "a", "c"]
    assert list(mallows(np.array([5, 9, 7]), 1, dispersion=0)[0]) == [1, 2, 0]
    assert list(mallows([5, 9, 7], 1, dispersion=0)[0]) == [5, 9, 7]


def test_far_apart_strengths_do_not_overflow() -> None:
    strengths = {"weak": 5e-324, "strong": 1e308, "middle": 1}
    for G in plackett_luce(strengths, 50, seed=1):
        assert list(G) == ["strong", "middle", "weak"]


SIZED = [po.chain, po.antichain, po.boolean_lattice, po.divisor_lattice]
drawn = partial(po.random_order, 3)
centered = partial(po.mallows, size=1, dispersion=0.5)
strong = partial(po.plackett_luce, size=1)

REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    *[(make, {"n": n}, "[01] as n") for make in SIZED for n in (-1, True, "3")],
    (po.divisor_lattice, {"n": 0}, "at least 1 as n"),
    *[(po.boolean_lattice, {"n": n}, "10,000,000 edges") for n in (20, 63, 10**9)],
    (po.chain, {"n": 10**7 + 2}, "found 10,000,001"),
    (po.load_example, {"name": "x"}, "one of 'table1'"),
    (drawn, {}, "found neither"),
    (drawn, {"dimension": 2, "edge_probability": 0.5}, "found both"),
    (drawn, {"dimension": 0}, "as dimension"),
    (drawn, {"edge_probability": -0.1}, "as edge_probability"),
    (po.random_order, {"n": -1, "dimension": 2}, "at least 0 as n"),
    (po.random_ranking, {"items": -1}, "the number of items"),
    (po.random_ranking, {"items": [1, 2, 1]}, "found 1 more than once"),
    (centered, {"center": {0: 1, 1: 1, 2: 0}}, "3 items in 2 levels"),
    (centered, {"center": nx.DiGraph(["ab", "ba"])}, "in center"),
    (centered, {"center": ["a", "a"]}, "found 'a' more than once"),
    (centered, {"center": ["a"], "dispersion": 1.5}, "as dispersion"),
    (centered, {"center": ["a"], "size": -1}, "as size"),
    (strong, {"strengths": {"a": 1}, "size": True}, "as size"),
    (strong, {"strengths": [1]}, "mapping item -> strength"),
    *[
        (strong, {"strengths": {"b": value}}, "strength for 'b'")
        for value in (0, float("nan"), "1", None, 10**400)
    ],
]


def test_bad_input_is_refused_in_words() -> None:
    for make, options, message in REFUSED:
        refuses(message, make, **options)


def test_what_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 10)
    calls: list[tuple[Callable[[int], Any], str]] = [
        (lambda k: po.random_order(11 + k, dimension=1), "found 11; choose a smaller n"),
        (lambda k: po.mallows("abcde", 2 + k, dispersion=1), "found 15; draw fewer"),
        (lambda k: po.plackett_luce(dict.fromkeys("abcde", 1), 2 + k), "found 15; draw fewer"),
    ]
    for call, message in calls:
        call(0)
        refuses(message, call, 1)
    monkeypatch.setattr("porank.core.graphs.MAX_BYTES", 100)
    refuses(r"a matrix of 6 items.*choose a smaller n", po.random_order, 6, dimension=2)
    refuses(r"random edges of 6 items.*choose a smaller n", po.random_order, 6, edge_probability=1)
