"""What the pages claim in words: each check is named in a comment beside the sentence it checks."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import factorial, log2
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.aggregation.voting_rules import best_input
from tests.conftest import IN_CI
from tests.support import oracles
from tests.support.wording import CHECKOUT, checks

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


def test_closures_and_cycles() -> None:
    for G in oracles.digraphs(4 if IN_CI else 3):
        closed = oracles.closure(G.edges)
        assert all((u, w) in closed for u, v in closed for x, w in closed if v == x)
        assert all(u != v for u, v in closed) == nx.is_directed_acyclic_graph(G)


def test_linear_extensions_and_swaps() -> None:
    for G in oracles.strict_orders(4 if IN_CI else 3):
        extensions = list(po.linear_extensions(G))
        pairs = [set(combinations(extension, 2)) for extension in extensions]
        assert set.intersection(*pairs) == oracles.closure(G.edges)
        number = range(len(pairs))
        swaps = nx.Graph((i, j) for i, j in product(number, number) if len(pairs[i] - pairs[j]) < 2)
        for i, steps in nx.all_pairs_shortest_path_length(swaps):
            assert steps == {j: len(pairs[i] - pairs[j]) for j in number}
        n_open = len(G) * (len(G) - 1) / 2 - len(oracles.closure(G.edges))
        assert (len(extensions) == 2) == (n_open == 1)


def test_a_next_comparison_splits_the_extensions_at_least_one_to_two() -> None:
    def needed(G: nx.DiGraph) -> int:
        pair, extensions = po.next_comparison(G), list(po.linear_extensions(G))
        if pair is None:
            return 0
        u_first = sum(each.index(pair[0]) < each.index(pair[1]) for each in extensions)
        assert Fraction(1, 3) <= Fraction(u_first, len(extensions)) <= Fraction(2, 3)
        answers = (po.from_pairs([*G.edges, answer], items=G) for answer in (pair, pair[::-1]))
        return 1 + max(map(needed, answers))

    for n in range(2, 6 if IN_CI else 5):
        bits = log2(factorial(n))
        assert bits <= needed(po.from_pairs([], items=range(n))) <= 2.15 * bits
    assert needed(po.parse("a > b; c > d")) == 3


def test_auc_and_somers_d_of_two_levels_are_rates() -> None:
    for truth, called in product(product((0, 1), repeat=4), repeat=2):
        if len(set(truth)) == len(set(called)) == 2:
            orders = po.from_scores(truth), po.from_scores(called)
            cells = list(zip(truth, called, strict=True))
            found, alarm = (np.mean([c for t, c in cells if t == x]) for x in (1, 0))
            assert po.auc(*orders) == pytest.approx((found + 1 - alarm) / 2)
            assert po.somers_d(*orders) == pytest.approx(found - alarm)
            matthews = np.corrcoef(truth, called)[0, 1]
            assert po.kendall_tau(*orders) == pytest.approx(matthews)


def test_costs_with_dissimilarities_and_weights_keep_their_bounds() -> None:
    rng = np.random.default_rng(0)
    rankings = [po.from_ranking(ranking) for ranking in permutations(range(3))]
    for near in product((1, 2), repeat=3):
        D = np.zeros((3, 3))
        D[np.triu_indices(3, 1)] = near
        options: dict[str, Any] = {"dissimilarity": D + D.T, "weights": rng.integers(1, 5, 3)}
        K, F = (
            [[measure(x, y, **options) for y in rankings] for x in rankings]
            for measure in (po.generalized_kendall, po.generalized_footrule)
        )
        assert np.less_equal(F, 2 * np.array(K) + 1e-9).all()
        for x, y, z in product(range(6), repeat=3):
            assert K[x][z] <= K[x][y] + K[y][z] + 1e-9


def test_the_weighted_footrule_keeps_its_bounds() -> None:
    for weights in product((1, 3), repeat=4):
        for ranking in permutations(range(4)):
            both = po.from_ranking(range(4)), po.from_ranking(ranking)
            kendall = po.generalized_kendall(*both, weights=weights)
            footrule = po.generalized_footrule(*both, weights=weights)
            assert kendall <= footrule <= 2 * kendall


def kendall_costs(votes: Any, weights: Any) -> dict[Any, float]:
    """Return the cost of each ranking: its inverted pairs, each times two weights."""
    cost = {}
    for ranking in permutations(votes[0]):
        above = list(combinations(ranking, 2))
        cost[ranking] = sum(
            weights[u] * weights[v] for vote in votes for u, v in above if beats([vote], v, u)
        )
    return cost


def beats(votes: Any, u: Any, v: Any) -> bool:
    """Return whether more votes have u before v than v before u."""
    return bool(2 * sum(vote.index(u) < vote.index(v) for vote in votes) > len(votes))


def kwiksort_cost(votes: Any, items: Any, cost: dict[Any, float]) -> float:
    """Return the expected cost of KwikSort, from all its pivots."""

    def sorted_in(some: tuple[Any, ...]) -> list[tuple[Any, float]]:
        if not some:
            return [((), 1)]
        return [
            ((*above, pivot, *below), one * other / len(some))
            for pivot in some
            for above, one in sorted_in(tuple(x for x in some if beats(votes, x, pivot)))
            for below, other in sorted_in(tuple(x for x in some if beats(votes, pivot, x)))
        ]

    return sum(share * cost[ranking] for ranking, share in sorted_in(items))


def test_kemeny_and_approximations() -> None:
    items = "abcd"
    rankings = ["".join(ranking) for ranking in permutations(items)]
    for others in combinations_with_replacement(rankings if IN_CI else rankings[::3], 2):
        votes = [items, *others]
        cost = kendall_costs(votes, dict.fromkeys(items, 1))
        least = min(cost.values())
        best = [ranking for ranking in cost if cost[ranking] == least]
        # Two sets that hold all items, each item of the first beating each of the second.
        for n in (1, 2, 3):
            for first in map(set, combinations(items, n)):
                if all(beats(votes, u, v) for u in first for v in set(items) - first):
                    assert all(set(ranking[:n]) == first for ranking in best)
        assert not any(beats(votes, v, u) for ranking in best for u, v in pairwise(ranking))
        assert min(cost[tuple(vote)] for vote in votes) <= 2 * least
        assert kwiksort_cost(votes, tuple(items), cost) <= 2 * least


def test_kwiksort_with_weights() -> None:
    votes = ["abc"] * 49 + ["cab"] * 49 + ["bca"] * 2
    cost = kendall_costs(votes, {"a": 1, "b": 1, "c": 0.01})
    least = min(cost.values())
    assert kwiksort_cost(votes, tuple("abc"), cost) > 10 * least
    assert min(cost[tuple(vote)] for vote in votes) <= 2 * least
    members = [po.from_ranking(vote) for vote in ("abc", "cab", "bca")]
    options: dict[str, Any] = {"counts": [49, 49, 2], "weights": {"a": 10, "b": 10, "c": 0.1}}
    assert po.kemeny(members, **options).cost == pytest.approx(100 * least)
    assert best_input(members, **options).cost <= 200 * least


def test_inequalities_of_docstrings_of_measures() -> None:
    for target, predicted in product(oracles.strict_orders(3), repeat=2):
        both = target, predicted
        footrule, differences = po.footrule_distance(*both), po.symmetric_difference(*both)
        assert footrule <= differences
        assert po.generalized_kendall(*both) >= po.generalized_footrule(*both) / 2
        assert po.gamma(*both, undefined=0) == pytest.approx(
            2 * po.measures.ppref(*both, undefined=0.5) - 1
        )
        if all(map(po.is_weak_order, both)):
            assert footrule >= differences / 2
            assert po.generalized_kendall(*both) <= po.generalized_footrule(*both)
            assert footrule <= po.measures.hausdorff_footrule_distance(*both) <= 2 * footrule
    for target, predicted in product(oracles.weak_orders(3), repeat=2):
        tau_x = 1 - 2 * po.symmetric_difference(target, predicted) / (3 * 2)
        assert po.measures.tau_x(target, predicted) == pytest.approx(tau_x)


def test_neighbours_under_fair_pairs() -> None:
    lists = set()
    for start in (0, 1):
        pairs = ["ABCDEF"[k : k + 2] for k in range(start, 5, 2)]
        for swaps in product([1, -1], repeat=len(pairs)):
            middle = "".join(pair[::swap] for pair, swap in zip(pairs, swaps, strict=True))
            lists.add("A" * start + middle + "F" * start)
    near = {pair for shown in lists for pair in map("".join, pairwise(shown))}
    assert all(abs("ABCDEF".index(x) - shown.index(x)) <= 1 for shown in lists for x in shown)
    # Those that come in both arrangements are the five pairs of neighbours.
    assert {pair for pair in near if pair[::-1] in near and pair < pair[::-1]} == {*pairs} | {
        "AB", "CD", "EF"
    }  # fmt: skip
    assert "AC" in near


def test_the_odds_of_both_arrangements_have_the_sign_of_taste() -> None:
    shares = [Fraction(k, 7) for k in range(1, 7)]

    def odds(upper: Fraction, lower: Fraction) -> Fraction:
        return upper * (1 - lower) / (lower * (1 - upper))

    for e, f, r, s in product(shares, repeat=4):
        # u is above v, then below it: the odds that u is clicked and v is not.
        both = odds(e * r, f * s) * odds(f * r, e * s)
        assert (both > 1, both < 1) == (r > s, r < s)


def test_when_a_cut_decides_a_pair() -> None:
    votes = ["abcd"] * 11 + ["bacd"] * 9
    split = po.preference_relation([po.from_ranking(vote) for vote in votes])
    for k in range(1, 21):
        cut = set(split.cut(Fraction(k, 20)).edges)
        assert (("a", "b") in cut, ("b", "a") in cut) == (k <= 11, k <= 9)
    # Alone in a cut neither way, a pair may follow from others; more items, no lower threshold.
    followed = 0
    for some in combinations_with_replacement(map("".join, permutations("abc")), 4):
        relation = po.preference_relation([po.from_ranking(vote) for vote in some])
        order = po.predict_order(relation)
        followed += any(added for *_, added in order.edges(data="added"))
        for d in range(4):
            wider = [po.from_ranking(vote[:d] + "d" + vote[d:]) for vote in some]
            more = po.minimal_threshold(po.preference_relation(wider))
            assert more >= po.minimal_threshold(relation)
    assert followed


def test_p_values_of_signs() -> None:
    rng = np.random.default_rng(0)
    signs = np.array(list(product((1, -1), repeat=8)))
    for differences in rng.integers(-3, 4, (20, 8)):
        sums = np.abs(signs @ differences)
        p_values = np.mean(sums[:, None] <= sums, axis=1)
        assert np.mean(p_values <= 1 / 20) <= 1 / 20
        assert p_values.min() >= 2 / 256 > 0.05 / 10


def test_incomparable_items_in_a_diagram() -> None:
    for G in oracles.strict_orders(4 if IN_CI else 3):
        for u, v in combinations(G, 2):
            if not (G.has_edge(u, v) or G.has_edge(v, u)):
                # Both fit at one height: as one item they close no cycle.
                assert nx.is_directed_acyclic_graph(nx.contracted_nodes(G, u, v))
    assert set(po.expected_ranks(po.from_pairs([], items="ab")).values()) == {1.5}
