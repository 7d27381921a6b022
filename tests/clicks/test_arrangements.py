"""Evidence by place, and what is made of it, by going through sessions one by one."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.clicks import arrangements
from porank.clicks.arrangements import Arrangements
from porank.errors import PorankError
from tests import oracles_clicks, oracles_settled
from tests.click_logs import logs
from tests.oracles_clicks import Row

RULES = ["levels", "click_over_skip_above", "click_over_earlier_click"]


def arranged(log: list[Row], rule: str) -> dict[tuple[Any, Any], list[tuple[Any, bool, int]]]:
    """(u, v) -> for each session with both the two positions, is u above, what is preferred.

    That is 1 for u, -1 for v, 0 for neither; only of pairs that some session compares.
    """
    found, compared = defaultdict(list), set()
    seen = list(dict.fromkeys(row["item"] for row in log))
    for rows in oracles_clicks.sessions_of(log).values():
        pairs = getattr(oracles_clicks, rule)(rows)
        for u, v in combinations(seen, 2):
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


@given(logs(), st.sampled_from(RULES))
def test_by_definition(log: list[Row], rule: str) -> None:
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


def test_positions_count_not_only_who_is_above() -> None:
    """Equal items, of which one moves further: within two positions nothing differs."""
    log = shown(*["Abxy"] * 40, *["axyB"] * 40, *["Baxy"] * 4)
    assert po.feedback_relation(log, balance="place", prior=0).degree("a", "b") == Fraction(1, 2)
    assert not po.settled_order(log, balance="place", risk=0.99).has_edge("a", "b")


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
    rows = [("a", 1, "purchase", 1), ("b", 2, "click", 2)]
    log = [
        dict(zip(("session", "item", "position", "event", "time"), (k, *row), strict=True))
        for k in range(9)
        for row in rows
    ]
    log += [row | {"session": "x", "time": 0} for row in shown("Ba")]
    table = po.evidence_table(log, rule=["levels", "click_over_earlier_click"], balance="place")
    assert table.place_tests()[0] == pytest.approx([1])


def p_values(units: int, drawn: int, plus: int, minus: int, found: int) -> tuple[float, float]:
    """The p-values if found is the sum of the scores of the sessions in which u stood above."""
    decided = max(abs(found), drawn - (units - plus - minus))
    plus_drawn = (decided + (decided + found) % 2 + found) // 2
    minus_drawn = plus_drawn - found
    below = units - drawn, minus - minus_drawn, plus - plus_drawn
    rows = Arrangements(*np.array([[0, drawn, plus_drawn, minus_drawn, *below]]).T)
    return tuple(each[0] for each in rows.p_values(1))


@pytest.mark.parametrize(
    ("units", "drawn", "plus", "minus"),
    [(3000, 2700, 400, 0), (1000, 100, 300, 200), (150, 75, 90, 60)],
)
def test_large_tests_are_nearly_exact(
    units: int, drawn: int, plus: int, minus: int, monkeypatch: Any
) -> None:
    """At 2 to 4 standard deviations: within 15 % to 3, and rather too large beyond."""
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


def test_millions_of_sessions() -> None:
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
