"""Evidence of pairs by session, and the order that counts settle.

By definition: sessions are gone through one by one.
"""

from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.orders.open_pairs import settled_cycles
from tests.support import oracles_settled
from tests.support.click_logs import logs
from tests.support.oracles_clicks import Row
from tests.support.refusals import refuses
from tests.support.strategies import item_lists


@st.composite
def counts(draw: st.DrawFn) -> dict[tuple[Any, Any], int]:
    """How often the first item of a pair was preferred to the second, for some pairs."""
    items = draw(item_lists(max_items=6))
    pairs = [(u, v) for u in items for v in items if u is not v]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return {pair: draw(st.integers(0, 3) | st.integers(0, 40)) for pair in chosen}


def compared(given: dict[tuple[Any, Any], int]) -> dict[tuple[Any, Any], tuple[int, int]]:
    """Each pair that is compared once, with the two counts."""
    found = {}
    for u, v in given:
        both = given.get((u, v), 0), given.get((v, u), 0)
        if any(both) and (v, u) not in found:
            found[u, v] = both
    return found


@given(counts(), st.sampled_from(["0.01", "0.05", "0.3"]))
def test_settled_by_definition(given: dict[tuple[Any, Any], int], risk: str) -> None:
    if not given:
        return
    pairs = compared(given)
    significant = oracles_settled.tarone_holm(pairs, Fraction(risk))
    order = po.settled_order(given, risk=float(risk))
    assert list(order) == list(dict.fromkeys(item for pair in given for item in pair))
    assert set(order.edges) == oracles_settled.settled_pairs(pairs, significant)
    assert po.is_acyclic(order)
    for u, v in significant:
        loser, winner = (u, v) if pairs[u, v][0] < pairs[u, v][1] else (v, u)
        assert not order.has_edge(loser, winner), "a settled pair is never contradicted"
    G = nx.DiGraph((u, v) if pairs[u, v][0] > pairs[u, v][1] else (v, u) for u, v in significant)
    cyclic = [{*some} for some in nx.strongly_connected_components(G) if len(some) > 1]
    left_open = settled_cycles(order)
    assert len(left_open) == len(cyclic)
    assert all({*some} in cyclic for some in left_open)
    assert order.graph["compared"] == len(pairs)
    assert order.graph["significant"] == len(significant)
    for u, v, data in order.edges(data=True):
        both = given.get((u, v), 0), given.get((v, u), 0)
        assert (data["support"], data["against"]) == both
        p_value = float(oracles_settled.sign_p_value(*both))
        assert data["p_value"] == pytest.approx(p_value, rel=1e-12)
        assert data["added"] == ((u, v) not in significant and (v, u) not in significant)


@given(logs())
def test_a_graph_settles_what_its_counts_settle(log: list[Row]) -> None:
    G = po.from_log(log)
    order = po.settled_order(G, risk=0.9)
    pairs = compared({(u, v): support for u, v, support in G.edges(data="support")})
    significant = oracles_settled.tarone_holm(pairs, Fraction("0.9"))
    assert set(order) == set(G)
    assert set(order.edges) == oracles_settled.settled_pairs(pairs, significant)


def test_the_limit_is_what_one_more_pair_would_have_needed() -> None:
    given = {("a", "b"): 12, ("b", "c"): 6, ("c", "d"): 5, ("d", "c"): 5}
    order = po.settled_order(given)
    assert (order.graph["significant"], order.graph["limit"]) == (1, pytest.approx(0.05 / 2))


def test_all_forms_of_counts_say_the_same() -> None:
    votes = [po.from_ranking(vote) for vote in ["abc"] * 9 + ["bac"] * 2 + ["cba"]]
    given = {("a", "b"): 9, ("b", "a"): 3, ("a", "c"): 11, ("c", "a"): 1, ("b", "c"): 11}
    given |= {("c", "b"): 1}
    expected = po.settled_order(given)
    assert list(expected.edges) == [("a", "c"), ("b", "c")]
    assert list(po.settled_order(nx.DiGraph())) == []
    matrix = [[given.get((u, v), 0) for v in "abc"] for u in "abc"]
    for evidence in (po.preference_relation(votes), po.from_matrix(matrix, "abc")):
        assert nx.utils.graphs_equal(po.settled_order(evidence), expected)


def test_bad_input_is_refused_in_words() -> None:
    refuses("between 0 and 1", po.settled_order, {("a", "b"): 2}, risk=0)
    refuses("a log", po.settled_order, {("a", "b"): 2}, unit="user")
    refuses("whole numbers", po.settled_order, {("a", "b"): 2.5})
    refuses("'a' over 'b'", po.settled_order, {("a", "b"): -1})
    refuses("two different items", po.settled_order, {("a", "a"): 1})
    refuses("an empty mapping", po.settled_order, {})
    refuses("'support' or 'weight'", po.settled_order, nx.DiGraph([("a", "b")]))
    refuses(
        "sample size", po.settled_order, po.PreferenceRelation.from_degrees({("a", "b"): 2 / 3})
    )
    refuses("'levels' or 'dwell'", po.settled_order, [], rule="click_over_skip_above")
