"""What sessions say together: net preferences, degrees, and a graph for each group."""

import math
import pickle
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank import ClickLog
from porank.abstention.prediction import predict_order
from porank.clicks.feedback import feedback_relation, from_log, net_preferences, preference_graphs
from porank.clicks.preference_pairs import preference_pairs
from porank.errors import GraphTypeError, PorankError
from tests.support import oracles_clicks, oracles_feedback
from tests.support.click_logs import asked, logs
from tests.support.oracles_clicks import Row
from tests.support.refusals import refuses
from tests.support.strategies import item_lists

#: Rock, paper and scissors, each preferred to the next in two sessions of three; and a spectator.
AROUND = {
    "session": [number for number in range(9) for _ in range(2)] + [9],
    "item": ["rock", "scissors"] * 3 + ["scissors", "paper"] * 3 + ["paper", "rock"] * 3 + ["well"],
    "event": (["click", "view"] * 2 + ["view", "click"]) * 3 + ["view"],
}


@st.composite
def evidence_graphs(draw: st.DrawFn) -> nx.DiGraph:
    """Counts or weights for either side of some pairs; an edge for each side that has any."""
    items = draw(item_lists(max_items=5))
    amounts = draw(
        st.sampled_from([st.integers(0, 4), st.sampled_from([0, 0.5, 1.5, 2.0, Fraction(1, 3)])])
    )
    G = nx.DiGraph(name="drawn")
    G.add_nodes_from(items, seen=True)
    for i, u in enumerate(items):
        for v in items[i + 1 :]:
            forth, back = draw(amounts), draw(amounts)
            if forth:
                G.add_edge(u, v, support=forth, against=back)
            # The edge of one side tells of the other too.
            if back and not (forth and draw(st.booleans())):
                G.add_edge(v, u, support=back, against=forth)
    return G


def graph_of(*edges: tuple[Any, Any, Any, Any]) -> nx.DiGraph:
    G = nx.DiGraph()
    G.add_edges_from((u, v, {"support": s, "against": a}) for u, v, s, a in edges)
    return G


@given(G=evidence_graphs(), least=st.tuples(*[st.sampled_from([0, 1, 2, 0.5, Fraction(1, 3)])] * 2))
def test_net_preferences_as_defined(G: nx.DiGraph, least: tuple[Any, Any]) -> None:
    for data in G.edges.values():
        data["colour"] = "red"
    before = {(u, v): dict(data) for u, v, data in G.edges(data=True)}
    N = net_preferences(G, min_support=least[0], min_margin=least[1])
    assert set(N.edges) == oracles_feedback.net_pairs(G, *least)
    assert (list(N.nodes(data=True)), N.graph) == (list(G.nodes(data=True)), G.graph)
    amounts = {(u, v): both for u, v, *both in oracles_feedback.evidence(G)}
    for u, v, data in N.edges(data=True):
        support, against = amounts[u, v]
        assert data.pop("colour", None) == ("red" if G.has_edge(u, v) else None)
        expected = {"support": support, "against": against, "margin": support - against}
        assert data == pytest.approx({name: float(x) for name, x in expected.items()}, rel=1e-12)
        assert type(data["margin"]) in (int, float)
    assert {(u, v): data for u, v, data in G.edges(data=True)} == before, "G is not changed"


@given(G=evidence_graphs(), prior=st.sampled_from([0, 1, 0.5, Fraction(1, 3)]))
def test_relation_as_defined(G: nx.DiGraph, prior: Any) -> None:
    P = feedback_relation(G, prior=prior)
    assert P.items == tuple(G)
    amounts = {(u, v): tuple(both) for u, v, *both in oracles_feedback.evidence(G)}
    of_net = feedback_relation(net_preferences(G), prior=prior)
    for u, v in permutations(G, 2):
        degree = oracles_feedback.degree(G, u, v, prior)
        assert P.degree(u, v) == degree
        assert P.evidence(u, v) == pytest.approx(
            tuple(map(float, amounts.get((u, v), (0, 0)))), rel=1e-12
        )
        # The weaker side is not forgotten.
        assert of_net.degree(u, v) == (0 if degree == Fraction(1, 2) else degree)


def test_relation_of_many_degrees_of_large_counts_and_of_none() -> None:
    n = 40
    P = feedback_relation(
        graph_of(*((i, j, j - i, i) for i in range(n) for j in range(i + 1, n))), prior=2
    )
    assert (P.degree(3, 10), P.degree(10, 3)) == (Fraction(7 + 2, 10 + 4), Fraction(3 + 2, 10 + 4))
    assert P.matrix()[0, 1] == 3 / 5
    P = feedback_relation(graph_of(("a", "b", 2, 1), (3, "a", 2**100, 7)))
    for Q in (P, P.restrict(["a", "b", 3]), pickle.loads(pickle.dumps(P))):
        assert (Q.evidence("b", "a"), Q.evidence("a", 3)) == ((1, 2), (7, 2**100))
    assert feedback_relation(nx.DiGraph()).items == ()
    loop = graph_of(("a", "a", 1, 1), ("a", "b", 2, 1))
    assert feedback_relation(loop) == feedback_relation(graph_of(("a", "b", 2, 1)))
    assert list(net_preferences(loop).edges) == [("a", "b")]
    zero = feedback_relation(graph_of(("a", "b", 0, 0)), prior=1)
    assert zero.degree("a", "b") == zero.degree("b", "a") == 0, "no session compared them"
    by_hand = po.PreferenceRelation.from_degrees({("a", "b"): 1})
    refuses(r"which has evidence, found degrees given by hand", by_hand.evidence, "a", "b")


def test_the_margin_is_how_many_sessions_must_be_lost() -> None:
    edges = [(f"u{s}{a}", f"v{s}{a}", s, a) for s, a in product(range(7), range(4))]
    every: list[dict[str, Any]] = [{}, {"prior": 0}]
    for options in every:
        P = feedback_relation(graph_of(*edges), **options)
        order = predict_order(P, alpha=Fraction(1, 3), impossible="drop")
        assert order.edges
        for u, v, data in order.edges(data=True):
            s, a = (int(count) for count in P.evidence(u, v))
            fewer = (feedback_relation(graph_of((u, v, s - d, a)), **options) for d in range(s))
            lost = (d for d, Q in enumerate(fewer) if Q.degree(u, v) < Fraction(1, 3))
            assert data["margin"] == next(lost, s)


def test_bad_input_is_refused_in_words() -> None:
    edges: list[tuple[list[tuple[Any, Any, Any, Any]], str]] = [
        ([("a", "b", None, 1)], "'support' of each edge, found no such attribute on 'a' -> 'b'"),
        ([("a", "b", 1, None)], "'against' of each edge, .* graphs from from_log"),
        ([("a", "b", 1, -1)], "as 'against' of 'a' -> 'b', found -1"),
        ([("a", "b", math.nan, 0)], "as 'support' of 'a' -> 'b', found nan"),
        ([("a", "b", 2, 0), ("b", "a", 1, 2)], "'against' of 'a' -> 'b' .* found 0 and 1"),
        ([("a", "b", 2, 1), ("b", "a", 1, 1)], "'against' of 'b' -> 'a' .* found 1 and 2"),
        ([("a", "a", 2, 1)], "'against' of 'a' -> 'a'"),
    ]
    for some, message in edges:
        refuses(message, net_preferences, graph_of(*some))
    functions: list[Any] = [net_preferences, feedback_relation]
    for function in functions:
        refuses("undirected", function, nx.Graph(), error=GraphTypeError)
    options: list[tuple[Any, str]] = [
        *((net_preferences, name) for name in ("min_support", "min_margin")),
        (feedback_relation, "prior"),
    ]
    for (function, name), value in product(options, (-1, math.nan, True)):
        with pytest.raises(PorankError, match=f"a finite number >= 0 as {name}, found"):
            function(graph_of(("a", "b", 1.5, 0)), **{name: value})
    refuses("rule= applies to logs only", feedback_relation, nx.DiGraph(), rule="dwell")
    pairs = preference_pairs(AROUND)
    refuses("expected the result of preference_pairs", preference_graphs, AROUND)
    with pytest.raises(PorankError, match="items to be one of 'compared', 'all', found 'both'"):
        preference_graphs(pairs, items="both")


SESSIONS: Any = {"columns": {"session": "session", "item": "item"}}


@given(log=logs(), by=st.sampled_from([(), "user", ("user",), ("session",), ("user", "session")]))
def test_a_graph_for_each_group_as_defined(log: list[Row], by: Any) -> None:
    names = (by,) if isinstance(by, str) else by
    expected: dict[Any, dict[Any, int]] = {}
    for row, count in oracles_clicks.support(log, [oracles_clicks.levels], names).items():
        group = row[0] if len(names) == 1 else row[:-2]
        expected.setdefault(group, {})[row[-2:]] = count
    pairs = preference_pairs(ClickLog(log, **SESSIONS), by=by)
    graphs = preference_graphs(pairs)
    assert {group: dict(found.edges) for group, found in graphs.items()} == {
        group: {
            (u, v): {"support": count, "against": counts.get((v, u), 0)}
            for (u, v), count in counts.items()
        }
        for group, counts in expected.items()
    }
    for found in graphs.values():
        assert not list(nx.isolates(found))
        assert list(found) == [item for item in pairs.items if item in found]
    everything = preference_graphs(pairs, items="all")
    assert all(list(found) == pairs.items for found in everything.values())
    if not by and graphs:
        assert nx.utils.graphs_equal(everything[()], asked(from_log, log, **SESSIONS))
