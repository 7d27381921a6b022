"""The order that an ensemble supports: at thresholds, without what contradicts, of least loss."""

import pickle
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.abstention.thresholds import has_cycle, strong_components
from porank.core.relation import places_of
from tests.support import oracles_abstention as oracles
from tests.support.oracles import Pairs, closure, strict_orders
from tests.support.oracles_abstention import relations
from tests.support.oracles_aggregation import ensembles
from tests.support.refusals import refuses
from tests.support.strategies import orders, reinserted

HALF = Fraction(1, 2)
AROUND = {("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1}
SEVEN = "bca", "cab", "bca", "abc", "cab", "abc", "cab"
COSTS = [Fraction(c) for c in ("1/20", "1/4", "1/3", "2/5", "9/20", "1/2", "3/5", "9/10", "1")]


def relation(*votes: str) -> po.PreferenceRelation:
    return po.preference_relation(list(map(po.from_ranking, votes)))


def cyclic(n: int) -> po.PreferenceRelation:
    """Random rankings: at cost 1/2 the best order is hard to find."""
    return po.preference_relation(np.random.default_rng(n).random((9, n)))


def facts(G: nx.DiGraph) -> tuple[Any, ...]:
    return sorted(u + v for u, v in G.edges), G.graph["alpha"], G.graph["least_degree"]


@given(relations())
def test_prediction_is_the_closure_of_the_cut(P: po.PreferenceRelation) -> None:
    shares = P.degrees()
    thresholds: dict[Any, Any] = {alpha: alpha for alpha in {*shares.values()} - {0}}
    thresholds["consensus"] = Fraction(1)
    thresholds["majority"] = min([each for each in thresholds.values() if each > HALF])
    try:
        thresholds["minimal"] = po.minimal_threshold(P)
    except po.CycleError:
        assert oracles.has_cycle(oracles.cut(shares, Fraction(1)))
    for alpha, threshold in thresholds.items():
        edges = oracles.cut(shares, threshold)
        if oracles.has_cycle(edges):
            with pytest.raises(po.CycleError) as caught:
                po.predict_order(P, alpha=alpha)
            assert {*pairwise(caught.value.cycle)} <= edges
            continue
        G = po.predict_order(P, alpha=alpha)
        assert (list(G), set(G.edges)) == (list(P.items), closure(edges))
        for u, v, data in G.edges(data=True):
            assert data["degree"] == shares[u, v]
            assert data["added"] == ((u, v) not in edges)
        assert oracles.cut(shares, G.graph["alpha"]) == edges
        assert G.graph["least_degree"] == min(map(shares.__getitem__, edges), default=None)
        if not isinstance(alpha, str):
            assert set(po.predict_order(P, alpha=float(alpha)).edges) == set(G.edges)


def test_predictions_are_those_worked_out_by_hand() -> None:
    assert facts(po.predict_order(relation("abc", "bca", "cab"))) == ([], 1, None)
    assert facts(po.predict_order(relation(*["ab"] * 4))) == (["ab"], Fraction(1, 4), 1)
    even = po.predict_order(relation("ab", "ba"), alpha="majority")
    assert facts(even) == ([], 1, None)
    # Between two degrees the next one cuts; a float that is nearly a degree is meant to be it.
    assert po.predict_order(relation(*SEVEN), alpha=0.9).graph["alpha"] == 1
    seventh = Fraction(1, 7)
    assert po.predict_order(relation(*SEVEN), alpha=5 / 7 + 1e-12).graph["alpha"] == 5 * seventh
    G = po.predict_order(relation(*SEVEN))
    assert facts(G) == (["ab", "ca", "cb"], 5 * seventh, 5 * seventh)
    assert G.edges["a", "b"] == {"degree": 5 * seventh, "added": False, "margin": 1}
    assert G.edges["c", "b"] == {"degree": 3 * seventh, "added": True, "margin": 0}
    assert po.minimal_threshold(po.PreferenceRelation.from_degrees({})) == 1


@pytest.mark.parametrize(
    ("degrees", "alpha", "where", "is_minimal_offered"),
    [
        ({("a", "b"): 0.5}, 0.5, "'a' > 'b' > 'a' in the cut at 1/2; ", True),
        (AROUND, "minimal", "'a' > 'b' > 'c' > 'a' in the pairs of degree 1; ", False),
        (AROUND | {("a", "d"): 0.6}, 0.6, "in the cut at 3/5; ", False),
    ],
)
def test_a_threshold_without_cycle_is_offered_only_where_there_is_one(
    degrees: dict[Any, Any], alpha: Any, where: str, is_minimal_offered: bool
) -> None:
    P = po.PreferenceRelation.from_degrees(degrees)
    with pytest.raises(po.CycleError, match=r"impossible='drop'\)? drops") as caught:
        po.predict_order(P, alpha=alpha)
    assert where in str(caught.value)
    assert ("minimal_threshold(P)" in str(caught.value)) == is_minimal_offered
    assert caught.value.cycle[0] == caught.value.cycle[-1] == "a"


@given(relations(), st.fractions(0, 1, max_denominator=6))
def test_the_margin_is_how_many_members_must_be_lost(
    P: po.PreferenceRelation, alpha: Fraction
) -> None:
    try:
        G = po.predict_order(P, alpha=alpha or "minimal")
    except po.CycleError:
        return
    if not P.n_members:
        assert not any("margin" in data for _, _, data in G.edges(data=True))
        return
    half, k = HALF if P.unit > P.n_members else 0, P.n_members
    for u, v, data in G.edges(data=True):
        wins, against = P.evidence(u, v)
        tied = (k - wins - against) * half
        is_kept = [(wins - lost + tied) >= G.graph["alpha"] * (k - lost) for lost in range(wins)]
        assert data["margin"] == [*is_kept, False].index(False)


@given(relations(max_items=6), orders(max_items=6), st.integers(0, 8))
def test_what_contradicts_stronger_pairs_is_dropped(
    P: po.PreferenceRelation, G: nx.DiGraph, eighths: int
) -> None:
    """With a settled order first, or from a threshold on."""
    shares, options = P.degrees(), dict[str, Any](alpha=Fraction(eighths, 8))
    least, first = options["alpha"], None
    if not eighths:
        name = dict(zip(G, P.items, strict=False))
        settled = nx.relabel_nodes(G.subgraph(name).copy(), name)
        first, options = set(po.transitive_closure(settled).edges), {"settled": settled}
        least = min([share for share in shares.values() if share > HALF], default=Fraction(1))
    kept, left_out = oracles.dropped(shares, least, first)
    order = po.predict_order(P, impossible="drop", **options)
    assert set(order.edges) == closure(kept)
    assert all(data["degree"] == shares[u, v] for u, v, data in order.edges(data=True))
    assert {pair for pair in order.edges if not order.edges[pair]["added"]} == kept
    dropped = order.graph["dropped"]
    assert {(pair.preferred, pair.other): pair.degree for pair in dropped} == {
        pair: shares[pair] for pair in left_out
    }
    degrees = [pair.degree for pair in dropped]
    assert degrees == sorted(degrees, reverse=True)
    for u, v, degree, cycle in dropped:
        assert (cycle[:2], cycle[-1]) == ([u, v], u)
        for pair in pairwise(cycle):
            is_stronger = pair in kept and (shares[pair] > degree or pair in (first or ()))
            assert is_stronger or shares[pair] == degree


def test_equal_pairs_go_together_and_weaker_ones_may_stay() -> None:
    """By hand: a > b > c > a at 3/4 fall together, c > d at 5/8 stays, d > a at 5/8 as well."""
    degrees = {"ab": "3/4", "bc": "3/4", "ca": "3/4", "cd": "5/8", "da": "5/8"}
    shares = {tuple(pair): Fraction(share) for pair, share in degrees.items()}
    order = po.predict_order(po.PreferenceRelation.from_degrees(shares), impossible="drop")
    assert sorted(order.edges) == [("c", "a"), ("c", "d"), ("d", "a")]
    assert order.edges["c", "a"] == {"degree": Fraction(3, 4), "added": True}
    dropped = order.graph["dropped"]
    assert ["".join(pair.cycle) for pair in dropped] == ["abca", "bcab", "cabc"]
    assert [pair.preferred for pair in dropped[1:]] == ["b", "c"]
    assert order.graph["alpha"] == order.graph["least_degree"] == Fraction(5, 8)
    assert "a > b > c > a" in str(dropped)
    assert len(pickle.loads(pickle.dumps(order)).graph["dropped"]) == 3


@cache
def every_order(n: int) -> list[Pairs]:
    """The pairs of all orders of 0..n-1."""
    return [set(G.edges) for G in strict_orders(n)]


# With c = 2/5 the pair c > b, of degree 3/5, was kept, and called added.
@example(relation("cabd", "bcad", "badc", "bdca", "cadb"), Fraction(2, 5))
@given(relations(max_items=4), st.sampled_from(COSTS))
def test_no_order_has_less_loss(P: po.PreferenceRelation, cost: Fraction) -> None:
    shares, items = P.degrees(), P.items
    found = po.predict_order(P, abstention_cost=cost)
    named = [{(items[i], items[j]) for i, j in pairs} for pairs in every_order(len(items))]
    losses = [oracles.loss(shares, items, pairs, cost) for pairs in named]
    stated = set(found.edges)
    assert (found.graph["loss"], found.graph["gap"]) == (min(losses), 0)
    assert losses[named.index(stated)] == min(losses)
    pays = {(u, v) for u, v in stated if P.degree(u, v) > 1 - cost}
    for u, v, data in found.edges(data=True):
        assert data == {"degree": P.degree(u, v), "added": (u, v) not in pays}
    assert closure(pays) == stated
    gains = {pair for pair, share in shares.items() if share > 1 - cost}
    assert oracles.cut(shares, found.graph["alpha"]) == gains


@pytest.mark.parametrize("is_relaxed", [False, True])
def test_a_pair_is_written_if_it_gains_or_others_force_it(
    is_relaxed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a solver does with pairs that gain nothing, and with those of which it has half."""
    shares = {("a", "b"): 1.0, ("b", "c"): 1.0, ("a", "c"): 0.5, ("d", "e"): 0.6, ("d", "f"): 0.5}
    others = {pair: 0.5 for pair in combinations("abcdef", 2) if pair not in shares}
    P = po.PreferenceRelation.from_degrees(shares | others)
    expected = {("a", "b"), ("b", "c"), ("a", "c")}
    if is_relaxed:
        gains = P.matrix() - 0.6
        solved = np.where(np.abs(gains) < 1e-9, 1.0, (gains > 0) / 2)
        solved[0, 1] = 1
        expected = {("a", "b")}

        def search(*given: Any, **_: Any) -> tuple[Any, int]:
            return given[2](solved), 0

        monkeypatch.setattr("porank.abstention.prediction.search", search)
    assert set(po.predict_order(P, abstention_cost=0.4).edges) == expected


def test_an_order_that_is_not_total_may_be_best_at_one_half() -> None:
    # Three items, each above two of three others. A total order can put one of the others above its
    # opposite; each would gain 1/10 there, and loses as much below.
    above, below = ("a0", "a1", "a2"), ("b0", "b1", "b2")
    shares = dict.fromkeys(permutations(above + below, 2), HALF)
    for (i, u), (j, v) in product(enumerate(above), enumerate(below)):
        shares[u, v] = Fraction(2, 5) if i == j else Fraction(1)
        shares[v, u] = 1 - shares[u, v]
    G = po.predict_order(po.PreferenceRelation.from_degrees(shares), abstention_cost=HALF)
    assert set(G.edges) == {pair for pair, share in shares.items() if share == 1}
    assert (G.graph["loss"], G.graph["gap"]) == (9 * HALF, 0)


@given(ensembles(), st.sampled_from(COSTS))
def test_sequence_does_not_count(
    ensemble: tuple[list[nx.DiGraph], list[int]], cost: Fraction
) -> None:
    orders, counts = ensemble
    turned = [reinserted(order) for order in orders[::-1]]
    found, again = (
        po.consensus_order(members, counts=each, abstention_cost=cost)
        for members, each in ((orders, counts), (turned, counts[::-1]))
    )
    assert set(again.order().edges) == set(found.order().edges)
    assert again.cost == found.cost


def test_a_search_cut_short_states_its_gap() -> None:
    P = cyclic(40)
    found = po.predict_order(P, abstention_cost=HALF, seconds=1e-9)
    assert closure(found.edges) == set(found.edges)
    shares = P.degrees()
    loss = oracles.loss(shares, P.items, set(found.edges), HALF)
    # Without time the bound is what the pairs would gain one by one.
    gains = sum(max(shares[u, v], shares[v, u]) - HALF for u, v in combinations(P.items, 2))
    assert found.graph["loss"] == loss
    assert found.graph["gap"] == loss - (HALF * 40 * 39 / 2 - gains) > 0
    consensus = po.consensus_order(np.random.default_rng(40).random((9, 40)), seconds=0)
    assert (consensus.cost, consensus.gap) == (9 * loss, 9 * found.graph["gap"])


@pytest.mark.parametrize("options", [{}, {"alpha": 0.6}, {"abstention_cost": 0.4}])
def test_what_no_graph_holds_is_refused_before_it_is_closed(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 20,000 items the closure took 12 GB before it was refused."""
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 14)
    monkeypatch.setattr("porank.abstention.prediction.closed_cut", None)
    with pytest.raises(po.PorankError, match="at most 14 edges to create, found 15"):
        po.predict_order(relation(*["abcdef"] * 3), **options)


@given(st.integers(0, 9), st.floats(0, 0.6), st.integers(0, 2**32 - 1))
def test_cycles_of_matrices(n: int, share: float, seed: int) -> None:
    matrix = np.random.default_rng(seed).random((n, n)) < share
    np.fill_diagonal(matrix, False)
    graph = nx.from_numpy_array(matrix, create_using=nx.DiGraph)
    assert has_cycle(matrix) == (not nx.is_directed_acyclic_graph(graph))
    components = [places_of(row).tolist() for row in strong_components(matrix)]
    assert sorted(components) == sorted(map(sorted, nx.strongly_connected_components(graph)))
    place = {item: k for k, members in enumerate(components) for item in members}
    assert all(place[v] <= place[u] for u, v in graph.edges), "what is reached comes first"


def test_bad_options_are_refused_in_words() -> None:
    chain = po.from_ranking("abc")
    P, predict = po.preference_relation([chain] * 3), po.predict_order
    refuses("'majority' or a number, found 'most'", predict, P, alpha="most")
    refuses("found both: alpha=0.5", predict, P, alpha=0.5, abstention_cost=0.2)
    refuses("cost above 0 and at most 1, found 0", predict, P, abstention_cost=0)
    refuses("seconds of at least 0", predict, P, abstention_cost=0.2, seconds=-1)
    refuses("seconds=5 alone", predict, P, seconds=5)
    refuses("with a settled order", predict, P, settled=chain)
    refuses("found 'x'", predict, P, settled={"x": 1}, impossible="drop")
