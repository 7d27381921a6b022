"""Evidence of pairs by session, by user and by place, and the order that it settles.

By definition: sessions are gone through one by one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.clicks import arrangements
from porank.clicks.arrangements import Arrangements
from porank.clicks.evidence import graph_of_evidence
from porank.clicks.settled_order import units_for_pairs
from porank.clicks.units import read_units
from porank.errors import PorankError
from tests import oracles_clicks, oracles_feedback, oracles_settled
from tests.click_logs import log_of, logs
from tests.oracles_clicks import Row
from tests.strategies import item_lists

UNIT = st.sampled_from(["session", "user"])
RULES: list[list[str]] = [
    *(["levels"], ["click_over_skip_above"], ["click_over_earlier_click"]),
    ["levels", "click_over_earlier_click"],
]
BATTLES = (
    "model_a,model_b,winner,user; x,y,x,u; x,y,y,u; x,y,tie,u; y,x,tie,u; x,y,both_bad,v; y,x,y,v"
)


def pairs_of(rows: list[Row], rules: list[str]) -> set[tuple[Any, Any]]:
    return {pair for rule in rules for pair in oracles_clicks.RULES[rule](rows)}


def units_with(log: list[Row], unit: str, said: Any) -> Counter[tuple[Any, Any]]:
    """(u, v) -> how many units have a session of which that is a pair."""
    found = set()
    for rows in oracles_clicks.sessions_of(log).values():
        found |= {(rows[0][unit], u, v) for u, v in said(rows)}
    return Counter((u, v) for _, u, v in found)


def above(rows: list[Row]) -> set[tuple[Any, Any]]:
    """The pairs of items of a session of which the first stands above the second."""
    place = {item: oracles_clicks.position_of(rows, item) for item in oracles_clicks.items_of(rows)}
    return {(u, v) for u in place for v in place if place[u] < place[v]}


@given(log=logs(), unit=UNIT, rule=st.sampled_from(RULES))
def test_table_by_counting(log: list[Row], unit: str, rule: list[str]) -> None:
    table = po.evidence_table(log, rule=rule, unit=unit)
    said = units_with(log, unit, lambda rows: pairs_of(rows, rule))
    stood = units_with(log, unit, above)
    expected = {
        (u, v, said[u, v], said[v, u], 0, stood[u, v], stood[v, u])
        for u, v in combinations(oracles_clicks.items_of(log), 2)
        if said[u, v] or said[v, u]
    }
    assert set(table) == expected
    assert len(table) == len(expected)
    if unit == "session":
        assert dict(table.to_graph().edges) == dict(po.from_log(log, rule=rule).edges)


def test_tables_of_logs_with_ties_and_few_positions() -> None:
    beside = "session,item,position,event; 1,a,1,click; 1,b,1,view; 1,c,2,view"
    for text, unit, rows in (
        ("session,item,event; 1,a,view; 1,b,click", "session", [("a", "b", 0, 1, 0, 0, 0)]),
        (beside, "session", [("a", "b", 1, 0, 0, 0, 0), ("a", "c", 1, 0, 0, 1, 0)]),
        (BATTLES, "session", [("x", "y", 1, 2, 2, 4, 2)]),
        (BATTLES, "user", [("x", "y", 1, 2, 1, 2, 2)]),
    ):
        assert list(po.evidence_table(log_of(text), unit=unit)) == rows
    assert list(po.evidence_table([])) == []


@given(log=logs(), unit=UNIT, seed=st.integers(0, 9))
def test_samples_as_defined(log: list[Row], unit: str, seed: int) -> None:
    P = po.bootstrap_feedback(log, unit=unit, samples=5, seed=seed)
    n, rng = len(oracles_feedback.units_of(log, unit)), np.random.default_rng(seed)
    draws = [rng.integers(n, size=n) for _ in range(5 if n else 0)]
    wins = oracles_feedback.net_wins(log, oracles_clicks.levels, unit, draws)
    G = po.from_log(log)
    assert (list(P.items), P.floor) == (list(G), Fraction(1, 2))
    for u in G:
        for v in set(G) - {u}:
            assert P.degree(u, v) == Fraction(wins[u, v], 5)
            assert P.evidence(u, v).support == G.get_edge_data(u, v, {"support": 0})["support"]
    assert po.bootstrap_feedback(read_units(log, unit=unit), samples=5, seed=seed) == P


def test_units_of_logs_of_other_shapes() -> None:
    for log in (
        po.ClickLog(log_of("user,item,rating; u,a,5; u,b,3; u,c,3; v,a,1; v,b,4; v,c,1")),
        po.ClickLog(log_of("model_a,model_b,winner; a,b,b; b,c,tie")),
        po.ClickLog(log_of("list,taken; a b c,b; b c,c"), shown="list", clicked="taken"),
        po.ClickLog(log_of("user,item,event,time; u,a,click,0; u,b,view,1; u,a,click,99"), gap=30),
    ):
        G, units = po.from_log(log), read_units(log)
        is_rated = "tied" in next(iter(G.edges.values()))
        H = graph_of_evidence(units.items, units.evidence("levels"), with_ties=is_rated)
        assert dict(G.edges) == dict(H.edges)
        assert list(G) == list(H)


def test_sessions_begin_with_their_first_time() -> None:
    log = log_of("session,item,event,time; 7,a,view,9; 7,b,view,4; 5,a,view,6")
    assert read_units(log, begins=True).log.of_sessions("time").tolist() == [4, 6]


def test_one_user_is_drawn_in_every_sample_and_bad_rows_are_left_out() -> None:
    """Nobody is consistent: a over b, b over c and c over a, each said by a session of its own."""
    rows = "; ".join(f"{u}{v},x,{u},click; {u}{v},x,{v},view" for u, v in ("ab", "bc", "ca"))
    circle = log_of(f"session,user,item,event; {rows}")
    P = po.bootstrap_feedback(circle, unit="user", samples=7)
    assert P.find_blocking_cycle(1) == ["a", "b", "c", "a"]
    bad = log_of(f"session,user,item,event; {rows}; d,x,a,wink")
    read = po.ClickLog(bad, errors="report")
    assert po.bootstrap_feedback(read, unit="user", samples=7) == P


def arranged(log: list[Row], rule: list[str]) -> dict[tuple[Any, Any], list[tuple[Any, bool, int]]]:
    """(u, v) -> for each session with both the two positions, is u above, what is preferred.

    That is 1 for u, -1 for v, 0 for neither; only of pairs that some session compares.
    """
    found, compared = defaultdict(list), set()
    for rows in oracles_clicks.sessions_of(log).values():
        pairs = pairs_of(rows, rule)
        for u, v in combinations(oracles_clicks.items_of(log), 2):
            if {u, v} <= set(oracles_clicks.items_of(rows)):
                at = [oracles_clicks.position_of(rows, item) for item in (u, v)]
                said = ((u, v) in pairs) - ((v, u) in pairs)
                found[u, v].append((frozenset(at), at[0] < at[1], said))
                compared |= {(u, v)} if said else set()
    return {pair: found[pair] for pair in found if pair in compared}


def balanced_counts(units: list[tuple[Any, bool, int]]) -> list[Fraction]:
    """How many sessions prefer u, and v, each arrangement of two positions counting the same."""
    counts = [Fraction(0), Fraction(0)]
    for at, is_above, said in units:
        here = [above for places, above, _ in units if places == at]
        weight = Fraction(2 * here.count(not is_above), len(here))
        if said:
            counts[said < 0] += weight
    return counts


@given(logs(), st.sampled_from(RULES[:3]))
def test_balance_by_definition(log: list[Row], rule: list[str]) -> None:
    pairs = arranged(log, rule)
    table = po.evidence_table(log, rule=rule, balance="place")
    if not pairs:
        assert len(table) == 0
        return
    for (u, v), support, against in zip(table.pairs(), *table.balanced()[2:4], strict=True):
        counts = [float(count) for count in balanced_counts(pairs[u, v])]
        assert [support, against] == pytest.approx(counts)
    unbalanced = [
        pair
        for pair, units in pairs.items()
        if not any((at, not is_above) in [unit[:2] for unit in units] for at, is_above, _ in units)
    ]
    assert set(table.unbalanced) == set(unbalanced)
    scores = {
        pair: [(at, is_above, said if is_above else -said) for at, is_above, said in units]
        for pair, units in pairs.items()
    }
    tests = table.place_tests()
    expected = [oracles_settled.permutation_p_values(scores[pair]) for pair in table.pairs()]
    np.testing.assert_allclose(np.transpose(tests), np.array(expected, float), rtol=1e-9)
    P = po.feedback_relation(log, rule=rule, balance="place")
    assert set(P.unbalanced) == set(unbalanced)
    for (u, v), units in pairs.items():
        one, other = balanced_counts(units)
        degree = Fraction(one + 1, one + other + 2) if one or other else 0
        assert float(P.degree(u, v)) == pytest.approx(float(degree))


def shown(*lists: str) -> list[Row]:
    """A log of lists, of which the item in upper case is clicked."""
    return [
        {"session": number, "item": item.lower(), "position": position, "event": event}
        for number, items in enumerate(lists)
        for position, item in enumerate(items, 1)
        for event in ["view"] + ["click"] * item.isupper()
    ]


def test_taste_shows_where_place_hides_it() -> None:
    """Item a is clicked wherever it stands, b only on top, where it mostly is."""
    log = shown(*["Ba"] * 60, *["bA"] * 30, *["Ab"] * 10)
    assert po.feedback_relation(log, prior=0).degree("b", "a") == Fraction(60, 100)
    # a wins 1/3 of those in which it is below, and all others; b 2/3 and none.
    P = po.feedback_relation(log, balance="place", prior=0)
    assert float(P.degree("a", "b")) == pytest.approx((1 / 3 + 1) / 2)
    assert po.settled_order(log, risk=0.1).has_edge("b", "a")
    order = po.settled_order(log, balance="place")
    assert list(order.edges) == [("a", "b")]
    # a wins 30 of 90 and 10 of 10 sessions, b 60 of 90; they count 20 / 100 and 180 / 100.
    assert (order["a"]["b"]["for"], order["a"]["b"]["against"]) == pytest.approx((24, 12))
    relations = [po.feedback_relation(log, balance="place", min_sessions=k) for k in (100, 101)]
    assert [R.degree("a", "b") > 0 for R in relations] == [True, False]
    with pytest.raises(PorankError, match=r"found weights.*balance='place'"):
        po.settled_order(P)
    assert order["a"]["b"]["unbalanced"] is False


def test_unbalanced_pairs_are_open_where_asked_and_marked_elsewhere() -> None:
    log = shown(*["Ab"] * 20)
    order = po.settled_order(log)
    assert order["a"]["b"]["unbalanced"] is True
    assert order.graph["unbalanced"] == [("a", "b")]
    balanced = po.settled_order(log, balance="place")
    assert (list(balanced.edges), balanced.graph["unbalanced"]) == ([], [("a", "b")])
    P = po.feedback_relation(log, balance="place")
    assert (P.restrict("ab").unbalanced, P.restrict("a").unbalanced) == ((("a", "b"),), ())
    # Both ways, but at positions 1 and 2 and at positions 2 and 3.
    table = po.evidence_table(shown(*["Abc", "cbA"] * 20), balance="place")
    listed = [po.settled_order(table, balance=by).graph["unbalanced"] for by in ("none", "place")]
    assert listed == [[], [("a", "b")]]


def test_ties_are_no_preference() -> None:
    """Two users rate a above b alike, one prefers b from below; nobody is against it."""
    rows = [(1, "a", 1, 5), (1, "b", 2, 5), (2, "b", 1, 3), (2, "a", 2, 3)]
    rows += [(3, "a", 1, 2), (3, "b", 2, 4)]
    names = ("user", "item", "position", "rating")
    log = {name: [*column] for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    table = po.evidence_table(log, balance="place")
    assert table.arrangements is not None
    assert [row.tolist() for row in table.arrangements[1:]] == [[2], [0], [1], [1], [0], [0]]
    assert po.feedback_relation(log, balance="place", ties="ignore").degree("b", "a") > 0.5
    with pytest.raises(PorankError, match="ties='ignore'"):
        po.feedback_relation(log, balance="place")


def test_rules_that_contradict_each_other_in_a_session() -> None:
    """What is bought is preferred to what is clicked later, and the other way round."""
    text = "session,item,position,event,time; x,b,1,click,0; x,a,2,view,0"
    for session in range(9):
        text += f"; {session},a,1,purchase,1; {session},b,2,click,2"
    table = po.evidence_table(log_of(text), rule=RULES[3], balance="place")
    assert table.place_tests()[0] == pytest.approx([1])


def p_values(units: int, drawn: int, plus: int, minus: int, found: int) -> tuple[float, float]:
    """The p-values if found is the sum of the scores of the sessions in which u stood above."""
    decided = max(abs(found), drawn - (units - plus - minus))
    plus_drawn = (decided + (decided + found) % 2 + found) // 2
    minus_drawn = plus_drawn - found
    below = units - drawn, minus - minus_drawn, plus - plus_drawn
    rows = Arrangements(*np.array([[0, drawn, plus_drawn, minus_drawn, *below]]).T)
    return tuple(each[0] for each in rows.p_values(1))


def test_large_tests_are_nearly_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 2 to 4 standard deviations: within 15 % to 3, and rather too large beyond."""
    cases = [(3000, 2700, 400, 0), (1000, 100, 300, 200), (150, 75, 90, 60)]
    for units, drawn, plus, minus in cases:
        counts = (np.array([count]) for count in (units, drawn, plus, minus))
        mean, variance, _ = (float(each[0]) for each in arrangements._moments(*counts))
        assert variance > arrangements._MOST_VARIANCE
        for z in (-4, -3, -2, 2, 3, 4):
            found = round(mean + z * variance**0.5)
            found += (found + drawn) % 2 * (plus + minus == units)
            large = p_values(units, drawn, plus, minus, found)[0]
            with monkeypatch.context() as patch:
                patch.setattr(arrangements, "_MOST_VARIANCE", float("inf"))
                exact = p_values(units, drawn, plus, minus, found)[0]
            assert 0.95 < large / exact < (1.15 if abs(z) < 4 else 1.6)
    assert max(p_values(10**7, 10**6, 10**6, 10**6, 10**5)) < 1e-300
    assert p_values(10**7, 10**6, 20, 0, 2)[0] == pytest.approx(1, abs=0.1)


@given(st.integers(1, 7), st.data())
def test_moments_are_those_of_the_exact_distribution(units: int, data: st.DataObject) -> None:
    drawn, plus = data.draw(st.integers(0, units)), data.draw(st.integers(0, units))
    minus = data.draw(st.integers(0, units - plus))
    scores = [1] * plus + [-1] * minus + [0] * (units - plus - minus)
    sums = np.array([sum(chosen) for chosen in combinations(scores, drawn)])
    about = sums - sums.mean()
    found = arrangements._moments(*(np.array([n]) for n in (units, drawn, plus, minus)))
    expected = sums.mean(), (about**2).mean(), (about**3).mean()
    assert [float(each[0]) for each in found] == pytest.approx(expected, abs=1e-9)


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


@given(counts(), st.sampled_from(["0.01", "0.05", "0.3"]), st.sampled_from(["family", "rate"]))
def test_settled_by_definition(given: dict[tuple[Any, Any], int], risk: str, error: str) -> None:
    if not given:
        return
    pairs = compared(given)
    procedures = {"family": oracles_settled.tarone_holm, "rate": oracles_settled.benjamini_hochberg}
    significant = procedures[error](pairs, Fraction(risk))
    order = po.settled_order(given, risk=float(risk), error=error)
    assert list(order) == list(dict.fromkeys(item for pair in given for item in pair))
    assert set(order.edges) == oracles_settled.settled_pairs(pairs, significant)
    assert po.is_acyclic(order)
    for u, v in significant:
        loser, winner = (u, v) if pairs[u, v][0] < pairs[u, v][1] else (v, u)
        assert not order.has_edge(loser, winner), "a settled pair is never contradicted"
    G = nx.DiGraph((u, v) if pairs[u, v][0] > pairs[u, v][1] else (v, u) for u, v in significant)
    cyclic = [{*some} for some in nx.strongly_connected_components(G) if len(some) > 1]
    left_open = order.graph["cyclic_components"]
    assert len(left_open) == len(cyclic)
    assert all({*some} in cyclic for some in left_open)
    assert order.graph["compared"] == len(pairs)
    assert order.graph["significant"] == len(significant)
    for u, v, data in order.edges(data=True):
        both = given.get((u, v), 0), given.get((v, u), 0)
        assert (data["for"], data["against"]) == both
        p_value = float(oracles_settled.sign_p_value(*both))
        assert data["p_value"] == pytest.approx(p_value, rel=1e-12)
        assert data["added"] == ((u, v) not in significant and (v, u) not in significant)


@given(logs(), st.sampled_from(["session", "user"]))
def test_a_log_is_its_table_of_evidence(log: list[Row], unit: str) -> None:
    table = po.evidence_table(log, unit=unit)
    order = po.settled_order(log, unit=unit, risk=0.9)
    pairs = {(u, v): (for_u, for_v) for u, v, for_u, for_v, *_ in table if for_u or for_v}
    significant = oracles_settled.tarone_holm(pairs, Fraction("0.9"))
    assert set(order) == set(table.items)
    assert set(order.edges) == oracles_settled.settled_pairs(pairs, significant)
    assert set(po.settled_order(table, risk=0.9).edges) == set(order.edges)
    assert units_for_pairs(read_units(log, unit=unit), "levels") == pairs
    if unit == "session":
        of_graph = po.settled_order(po.from_log(log), risk=0.9)
        del order.graph["unbalanced"]
        for *_, data in order.edges(data=True):
            del data["unbalanced"]
        assert nx.utils.graphs_equal(of_graph, order)


def test_the_limit_is_what_one_more_pair_would_have_needed() -> None:
    given = {("a", "b"): 12, ("b", "c"): 6, ("c", "d"): 5, ("d", "c"): 5}
    for error, settled, limit in (("family", 1, 0.05 / 2), ("rate", 2, 0.05 * 3 / 3)):
        order = po.settled_order(given, error=error)
        assert order.graph["significant"] == settled
        assert order.graph["limit"] == pytest.approx(limit)


def test_rarely_compared_pairs_cost_nothing() -> None:
    """Six of six are significant beside a hundred pairs of two units; by Holm they are not."""
    rare = {(f"x{k}", f"y{k}"): 2 for k in range(100)}
    order = po.settled_order({("a", "b"): 6, **rare})
    assert list(order.edges) == [("a", "b")]
    assert (order.graph["compared"], order.graph["testable"]) == (101, 1)


def test_all_forms_of_counts_say_the_same() -> None:
    votes = [po.from_ranking(vote) for vote in ["abc"] * 9 + ["bac"] * 2 + ["cba"]]
    given = {("a", "b"): 9, ("b", "a"): 3, ("a", "c"): 11, ("c", "a"): 1, ("b", "c"): 11}
    given |= {("c", "b"): 1}
    expected = po.settled_order(given)
    assert list(expected.edges) == [("a", "c"), ("b", "c")]
    assert list(po.settled_order([])) == list(po.settled_order(nx.DiGraph())) == []
    matrix = [[given.get((u, v), 0) for v in "abc"] for u in "abc"]
    for evidence in (po.preference_relation(votes), po.from_matrix(matrix, "abc")):
        assert nx.utils.graphs_equal(po.settled_order(evidence), expected)


def test_refusals() -> None:
    refused: list[tuple[Any, dict[str, Any], str]] = [
        ({("a", "b"): 2}, {"risk": 0}, "between 0 and 1"),
        ({("a", "b"): 2}, {"error": "any"}, "'family', 'rate'"),
        ({("a", "b"): 2}, {"unit": "user"}, "a log"),
        ({("a", "b"): 2.5}, {}, "whole numbers"),
        ({("a", "b"): -1}, {}, "'a' over 'b'"),
        ({("a", "a"): 1}, {}, "two different items"),
        ({}, {}, "an empty mapping"),
        (nx.DiGraph([("a", "b")]), {}, "'support' or 'weight'"),
        (po.PreferenceRelation.from_degrees({("a", "b"): 2 / 3}), {}, "sample size"),
        ({("a", "b"): 2}, {"balance": "place"}, "counts"),
        ([], {"balance": "taste"}, "'place'"),
        ([], {"balance": "place", "unit": "user"}, "unit='session'"),
        (log_of("session,item,event; 1,a,view; 1,b,click"), {"balance": "place"}, "known position"),
        (po.evidence_table([]), {"balance": "place"}, "evidence_table"),
    ]
    for evidence, options, word in refused:
        with pytest.raises(PorankError, match=word):
            po.settled_order(evidence, **options)
    bootstrap: list[tuple[Any, dict[str, Any], str]] = [
        ([], {"unit": "day"}, "unit to be one of 'session', 'user'"),
        ([], {"samples": 0}, "at least 1 as samples"),
        ([], {"seed": -1}, "as seed"),
        ([], {"rule": {}}, "at least one rule"),
        (po.ClickLog([], propensity=[1]), {}, "without propensity"),
    ]
    for log, options, word in bootstrap:
        with pytest.raises(PorankError, match=word):
            po.bootstrap_feedback(log, **options)
