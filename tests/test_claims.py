"""What the pages claim in words: each check is named in a comment beside the sentence it checks."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import porank as po
from tests import oracles
from tests.conftest import IN_CI
from tests.wording import CHECKOUT, checks

PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]
TESTS = CHECKOUT / "tests"


def test_a_check_that_a_page_names_is_a_test() -> None:
    named = {check for page in PAGES for check in checks(page)}
    missing = [(module, test) for module, test in named if not is_test(module, test)]
    assert not missing


def is_test(module: str, name: str) -> bool:
    """Return whether a module anywhere under tests/ defines a test."""
    defined = re.compile(rf"^ *def {name}\(", re.M)
    found: list[Path] = list(TESTS.rglob(f"{module}.py"))
    return any(defined.search(path.read_text("utf-8")) for path in found)


def test_an_order_has_one_smallest_graph() -> None:
    for G in oracles.strict_orders(4 if IN_CI else 3):
        said = oracles.closure(G.edges)
        graphs = [edges for n in range(len(said) + 1) for edges in combinations(said, n)]
        same = [edges for edges in graphs if oracles.closure(edges) == said]
        fewest = min(map(len, same))
        assert [set(edges) for edges in same if len(edges) == fewest] == [
            set(po.transitive_reduction(G).edges)
        ]


def test_the_types_of_orders_are_told_by_their_patterns() -> None:
    items = range(4)
    ends = [(low, high) for low in range(4) for high in range(low, 4)]
    intervals = {
        frozenset((u, v) for u, v in permutations(items, 2) if bounds[u][0] > bounds[v][1])
        for bounds in product(ends, repeat=4)
    }
    scores = {
        frozenset((u, v) for u, v in permutations(items, 2) if values[u] > values[v] + 3)
        for values in product(range(13), repeat=4)
    }
    for G in oracles.strict_orders(4):
        has_two_plus_two = any(True for _ in oracles.two_plus_twos(G))
        has_three_plus_one = any(True for _ in oracles.three_plus_ones(G))
        assert (frozenset(G.edges) in intervals) == (not has_two_plus_two)
        assert (frozenset(G.edges) in scores) == (not has_two_plus_two and not has_three_plus_one)


def test_identities_of_measures() -> None:
    orders = list(oracles.strict_orders(3))
    for target, predicted in product(orders, orders):
        product_of_two = po.correctness(target, predicted) * po.completeness(target, predicted)
        if product_of_two == product_of_two:  # neither is 0/0
            assert po.somers_d(target, predicted) == pytest.approx(product_of_two)
        if po.is_weak_order(predicted) and target.edges:
            broken = [po.from_ranking(ranking) for ranking in po.linear_extensions(predicted)]
            mean = sum(po.c_index(target, ranking) for ranking in broken) / len(broken)
            assert po.c_index(target, predicted) == pytest.approx(mean)
    for scores in oracles.weak_orders(3):
        G = oracles.graph_of(scores)
        middle = {item: sum(bounds) / 2 for item, bounds in po.rank_intervals(G).items()}
        assert po.expected_ranks(G) == pytest.approx(middle)


def test_theorems_on_antichains_and_chains() -> None:
    for G in oracles.strict_orders(4 if IN_CI else 3):
        said = oracles.closure(G.edges)
        subsets = [set(some) for k in range(len(G) + 1) for some in combinations(G, k)]
        antichains = [some for some in subsets if not said & set(permutations(some, 2))]
        width = max(map(len, antichains))
        # Dilworth: the highest items of all largest antichains are one; chains as many cover all.
        largest = set().union(*(some for some in antichains if len(some) == width))
        highest = {v for v in largest if not any((u, v) in said for u in largest)}
        assert highest in antichains
        assert len(highest) == width == len(po.minimum_chain_cover(G))
        assert 2**width <= len(antichains) <= (len(G) / width + 1) ** width
        # An antichain with all that is above it is an ideal, another one for each.
        ideals = {frozenset(a | {u for u, v in said if v in a}) for a in antichains}
        closed = {frozenset(s) for s in subsets if all(u in s for u, v in said if v in s)}
        assert ideals == closed
        assert len(ideals) == len(antichains)


def test_orders_of_fewer_than_six_items_have_dimension_two() -> None:
    for G in oracles.strict_orders(4):
        rankings = [po.from_ranking(ranking) for ranking in po.linear_extensions(G)]
        pairs = [oracles.closure(ranking.edges) for ranking in rankings]
        assert any(one & other == set(G.edges) for one in pairs for other in pairs)
    for seed in range(100):
        assert po.is_two_dimensional(po.random_order(5, edge_probability=0.3, seed=seed))


def test_what_a_cut_keeps() -> None:
    rankings = list(permutations("abc"))
    for votes in combinations_with_replacement(rankings, 3):
        relation = po.preference_relation([po.from_ranking(vote) for vote in votes])
        alpha = po.minimal_threshold(relation)
        cuts = [
            set(po.predict_order(relation, alpha=Fraction(k, 3)).edges)
            for k in range(3, 0, -1)
            if Fraction(k, 3) >= alpha
        ]
        assert all(higher <= lower for higher, lower in pairwise(cuts))
        assert all(relation.degree(v, u) < alpha for u, v in cuts[-1])
        # At a cost of abstaining c, no order is cheaper than a transitive cut at 1 - c.
        cut = {(u, v) for u, v in permutations("abc", 2) if relation.degree(u, v) > Fraction(1, 2)}
        if oracles.closure(cut) == cut:
            orders = [nx.relabel_nodes(G, dict(enumerate("abc"))) for G in po.all_orders(3)]
            loss = [expected_loss(relation, G.edges) for G in orders]
            assert expected_loss(relation, cut) == min(loss)


def expected_loss(relation: Any, pairs: Collection[Any]) -> Fraction:
    """Return the expected cost of some pairs of three items, an open pair costing 1/2."""
    return sum((1 - relation.degree(u, v) for u, v in pairs), Fraction(3 - len(pairs), 2))


def test_rules_that_look_up_prefer_the_lower_item_of_a_list() -> None:
    clicks = product(("view", "click"), repeat=4)
    for number, events in enumerate(clicks):
        log: dict[str, Any] = {"session": [number] * 4, "item": range(4), "position": range(1, 5)}
        log |= {"event": events, "time": [0] * 4}
        for rule in ("click_over_skip_above", "click_over_skip_previous"):
            assert all(u > v for _, u, v, _ in po.preference_pairs(log, rule=rule))
        below = po.preference_pairs(log, rule="click_over_no_click_next")
        assert all(u < v for _, u, v, _ in below)


def test_weak_orders_are_told_by_neighbouring_layers() -> None:
    for G in filter(nx.is_directed_acyclic_graph, oracles.digraphs(4 if IN_CI else 3)):
        layers = [list(layer) for layer in nx.topological_generations(G)]
        near = {pair for two in pairwise(layers) for pair in product(*two)}
        assert (near <= set(G.edges)) == po.is_weak_order(G)


def test_the_footrule_is_twice_kendall_without_a_decreasing_triple() -> None:
    for n in range(6 if IN_CI else 5):
        still = po.from_ranking(range(n))
        for ranking in permutations(range(n)):
            distances = po.kendall_distance, po.footrule_distance
            kendall, footrule = (each(still, po.from_ranking(ranking)) for each in distances)
            decreases = any(a > b > c for a, b, c in combinations(ranking, 3))
            assert (footrule == 2 * kendall) == (not decreases)
