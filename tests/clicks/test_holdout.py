"""Orders judged on unseen sessions, against what is counted one statement at a time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from porank.abstention.prediction import predict_order
from porank.abstention.thresholds import minimal_threshold
from porank.clicks import holdout_scores
from porank.clicks.feedback import feedback_relation, from_log
from porank.clicks.holdout import validate_feedback
from porank.clicks.holdout_scores import HoldoutScore
from porank.clicks.settled_order import settled_order
from porank.clicks.simulation import simulate_log
from porank.clicks.units import read_units
from porank.errors import PorankError
from tests import oracles_clicks, oracles_feedback
from tests.click_logs import log_of, logs
from tests.oracles_clicks import Row
from tests.oracles_feedback import Statement


def log_of_pairs(seen: Sequence[str], unseen: Sequence[str]) -> list[Row]:
    """Return a log of sessions that click the first item of a pair and not the second.

    Those to be held back begin at time 1, the others at time 0; each is of a user of its own.
    """
    said = [(pair, 0) for pair in seen] + [(pair, 1) for pair in unseen]
    return [
        {"session": number, "user": number, "item": item, "event": event, "time": time}
        for number, (pair, time) in enumerate(said)
        for item, event in zip(pair, ("click", "view"), strict=True)
    ]


def rows_of(seed: int, *, sessions: int = 24, base: float = 1) -> list[Row]:
    """Return some simulated sessions of five items, in the order of time, of five users."""
    strengths = {item: 2 * base**-place for place, item in enumerate("abcde")}
    log = simulate_log(strengths, sessions, length=4, seed=seed)
    rows = zip(*(column.tolist() for column in log.values()), strict=True)
    return [dict(zip(log, one, strict=True)) | {"user": "uvwxy"[one[0] * 7 % 5]} for one in rows]


def parted(log: list[Row], first: int) -> tuple[list[Row], list[Row], Any]:
    """Return the rows of sessions that begin before one, those of the others, and its time."""
    begin = {one["session"]: one["time"] for one in reversed(log)}
    seen, unseen = (
        [one for one in log if (begin[one["session"]] >= begin[first]) is is_late]
        for is_late in (False, True)
    )
    return seen, unseen, begin[first]


def statements(rows: list[Row], unit: str = "session") -> list[list[Statement]]:
    """Return what each unit says."""
    units = oracles_feedback.units_of(rows, unit).values()
    return [oracles_feedback.statements_of(sessions, oracles_clicks.levels) for sessions in units]


def by_order(order: nx.DiGraph) -> Callable[[Statement], int]:
    """Return what a closed order says of a statement."""
    return lambda one: order.has_edge(*one[:2]) - order.has_edge(*one[1::-1])


def by_place(side: int) -> Callable[[Statement], int]:
    """Return what says of a statement whether the item that stood there is the better one."""
    return lambda one: side * one[2]


def clicked_more_often(seen: list[Row]) -> Callable[[Statement], int]:
    """Return what says of a statement which item more of some sessions click."""
    clicks = {(row["session"], row["item"]) for row in seen if row["event"] != "view"}
    clicked = Counter(item for _, item in clicks)
    return lambda one: (clicked[one[0]] > clicked[one[1]]) - (clicked[one[0]] < clicked[one[1]])


def assert_scored(
    score: HoldoutScore, said: Any, seen: list[Row], says: Callable[[Statement], int]
) -> None:
    """Hold a score against what says something of each statement, then that both ways."""
    both_ways = oracles_feedback.shown_both_ways(seen)
    kept = [[one for one in some if frozenset(one[:2]) in both_ways] for some in said]
    assert score.both_ways is not None
    for found, some in ((score, said), (score.both_ways, kept)):
        shares, right = oracles_feedback.judged(some, says)
        assert [found.completeness, found.correctness] == pytest.approx(shares, nan_ok=True)
        deciding = sum(any(map(says, unit)) for unit in some)
        t = float(special.stdtrit(deciding - 1, 0.975)) if deciding > 1 else 0
        ends = oracles_feedback.correctness_interval(right, t)
        assert (found.low, found.high) == pytest.approx(ends, nan_ok=True)
        assert found.units == deciding


@pytest.mark.parametrize("seed", range(4))
def test_as_defined(seed: int) -> None:
    """Every threshold, what is settled and leant to, and the baselines; by session and user."""
    log = rows_of(seed)
    seen, unseen, split = parted(log, 6 + 3 * seed)
    for unit in ("session", "user"):
        said = statements(unseen, unit)
        found = validate_feedback(log, split_at=split, unit=unit)
        P = feedback_relation(from_log(seen))
        for point in found["levels"]:
            order = predict_order(P, alpha=point.alpha, impossible="drop")
            assert point.is_acyclic is (point.alpha >= minimal_threshold(P))
            assert_scored(point, said, seen, by_order(order))
        settled = settled_order(seen, unit=unit)
        assert_scored(found["levels"].settled, said, seen, by_order(settled))
        leaning = predict_order(P, impossible="drop", settled=settled)
        assert_scored(found["levels"].leaning, said, seen, by_order(leaning))
        stood = sum(one[2] for some in statements(seen, unit) for one in some)
        side = 1 if stood >= 0 else -1
        place = f"stood {'higher' if side > 0 else 'lower'}"
        assert [*found.baselines] == [place, "clicked more often"]
        assert_scored(found.baselines[place], said, seen, by_place(side))
        assert_scored(found.baselines["clicked more often"], said, seen, clicked_more_often(seen))
        sessions = [len({row["session"] for row in rows}) for rows in (seen, unseen)]
        assert [found.train_sessions, found.test_sessions] == sessions
        assert (found.test_units, found.statements) == (len(said), sum(map(len, said)))
        assert found.pairs == len({frozenset(one[:2]) for some in said for one in some})


def test_a_later_log_is_one_that_begins_later() -> None:
    log = rows_of(0)
    first, later, split = parted(log, 16)
    again = [one | {"session": one["session"] - 16} for one in later]
    found = validate_feedback(first, test=again)
    assert found.to_text() == validate_feedback(log, split_at=split).to_text()


@given(log=logs(), seed=st.integers(0, 5), data=st.data())
def test_sequence_of_rows_does_not_matter(log: list[Row], seed: int, data: Any) -> None:
    tables = []
    for rows in (log, data.draw(st.permutations(log))):
        try:
            tables.append(validate_feedback(rows, seed=seed).to_text())
        except PorankError as error:
            tables.append(str(error))
    assert tables[0] == tables[1]


def test_fewer_than_five_units_give_no_interval() -> None:
    four, five = (
        validate_feedback(log_of_pairs(["ab"] * 3, ["ab"] * n), split_at=1) for n in (4, 5)
    )
    score = four["levels"][0]
    assert (score.correctness, score.units) == (1, 4)
    assert math.isnan(score.low)
    assert "no intervals with fewer than 5 sessions" in four.to_text()
    assert five["levels"][0].low == pytest.approx(-0.103, abs=0.001)
    assert five["levels"][0].high == 1
    # The order settled by three sessions says nothing, and so has no interval.
    assert math.isnan(five["levels"].settled.low)


def test_settled_at_a_risk() -> None:
    log = rows_of(1, sessions=200, base=1.7)
    seen, unseen, split = parted(log, 150)
    options: list[dict[str, Any]] = [{}, {"risk": 0.2}, {"risk": 0.2, "error": "rate"}]
    for given_, pairs in zip(options, (3, 5, 6), strict=True):
        order = settled_order(seen, **given_)
        assert order.number_of_edges() == pairs
        found = validate_feedback(log, split_at=split, **given_)["levels"].settled
        assert_scored(found, statements(unseen), seen, by_order(order))


def test_items_left_out_take_no_part() -> None:
    log = rows_of(3)
    seen, unseen, split = parted(log, 6)
    for items in ("abd", "cde", "be"):
        units = read_units(log, begins=True, places=True).about("levels", items)
        score = validate_feedback(units, split_at=split).baselines["clicked more often"]
        said = [[one for one in some if {*one[:2]} <= {*items}] for some in statements(unseen)]
        assert_scored(score, said, seen, clicked_more_often(seen))


def test_items_of_groups_are_kept_apart() -> None:
    log = rows_of(5)
    log = [one | {"query": "xy"[one["session"] % 2]} for one in log]
    units = read_units(log, group="query", begins=True, places=True).within("query")
    renamed = [one | {"item": one["query"] + one["item"]} for one in log]
    split = parted(log, 12)[-1]
    by_group, by_name = (validate_feedback(each, split_at=split) for each in (units, renamed))
    assert repr(by_group.scores) == repr(by_name.scores)


def test_lists_too_long_to_pair_have_no_scores_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    log = simulate_log({"a": 4, "b": 2, "c": 1}, 100, seed=0)
    # Three items in a hundred sessions: 9 a session, two of which make a pair.
    for most, is_there in ((450, True), (449, False)):
        monkeypatch.setattr(holdout_scores, "MAX_PAIRS", most)
        both_ways = validate_feedback(log)["levels"].settled.both_ways
        assert (both_ways is not None) is is_there


def test_logs_without_places_or_clicks_and_ties() -> None:
    rated = log_of("user,item,rating,time; u,a,2,0; u,b,1,0; v,a,3,1; v,b,1,1; v,c,3,1")
    found = validate_feedback(rated, split_at=1)
    assert (found.test_sessions, found.statements) == (1, 2), "ties are no statements"
    for validated, baselines in (
        (found, []),
        (validate_feedback(log_of_pairs(["ab"] * 3, ["ab"])), ["clicked more often"]),
    ):
        assert list(validated.baselines) == baselines
        assert validated["levels"].settled.both_ways is None
        assert "both ways" not in validated.to_text()


def test_units_are_held_back_as_a_whole() -> None:
    """At least one of them, and not all."""
    rows = log_of_pairs(["ab"] * 20, [])
    for users, share, held in ((4, 0.5, 2), (4, 0.01, 1), (4, 0.99, 3), (2, 0.3, 1), (5, 0.3, 2)):
        log = [one | {"user": one["session"] % users} for one in rows]
        found = validate_feedback(log, unit="user", test_share=share)
        assert (found.test_units, found.test_sessions) == (held, 20 // users * held)
        assert found.train_sessions == 20 - found.test_sessions


def test_rules_side_by_side() -> None:
    log = simulate_log({"a": 4, "b": 2, "c": 1}, 100, seed=0)
    rules = {"skips": "click_over_skip_above", "levels": "levels"}
    both = validate_feedback(log, rule=rules)
    alone = validate_feedback(log, rule="click_over_skip_above")
    assert repr([*both["skips"]]) == repr([*alone["click_over_skip_above"]])
    assert repr([*both["skips"]]) != repr([*both["levels"]]), "the first rule judges both"
    assert list(both.scores) == [
        *(f"{kind} order by {rule}" for rule in rules for kind in ("settled", "leaning")),
        *both.baselines,
    ]
    # By this rule the item that stood lower is always better.
    score = alone.baselines["stood lower"]
    assert (score.completeness, score.correctness) == (1, 1)
    assert validate_feedback(log, rule=rules, test_rule=("levels",)).test_rule == "levels (test)"
    units = read_units(log, begins=True, places=True)
    assert repr(validate_feedback(units).curves) == repr(validate_feedback(log).curves)


def test_points_are_spread_and_hold_both_ends_and_the_minimal_one() -> None:
    log = simulate_log({n: 1.1**n for n in range(12)}, 300, seed=0)
    every, few = (validate_feedback(log, points=points)["levels"] for points in (10**6, 5))
    assert len(few) == 6
    assert len(every) > 30
    assert [few[k].completeness for k in (0, -1)] == [every[k].completeness for k in (0, -1)]
    first = [next(point for point in curve if point.is_acyclic) for curve in (every, few)]
    assert first[0].alpha == first[1].alpha != few[0].alpha
    steps = -np.diff([point.completeness for point in few])
    assert steps.max() < 0.5


def test_dates() -> None:
    log = [
        one | {"time": date(2026, 1, 1 + one["session"])} for one in log_of_pairs(["ab"] * 4, "")
    ]
    assert validate_feedback(log, split_at="2026-01-03").test_sessions == 2
    with pytest.raises(PorankError, match="expected a date as split_at"):
        validate_feedback(log, split_at=3)


def test_refused() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"test_share": 0}, "test_share to lie between 0 and 1"),
        ({"test_share": 1}, "test_share to lie between 0 and 1"),
        ({"split_at": 9}, "found 3 and 0 with split_at=9"),
        ({"split_at": "soon"}, "as split_at, found 'soon'"),
        ({"split_at": 1, "test": []}, "found both"),
        ({"prior": -1}, "as prior, found -1"),
        ({"points": 1}, "at least 2 as points"),
        ({"risk": 0}, "as risk, found 0"),
        ({"rule": "click_over_earlier_click"}, "training sessions that compare"),
        ({"test_rule": "click_over_earlier_click"}, "test sessions that compare"),
        ({"test": log_of("user,item,rating; u,a,1; u,b,2")}, "two logs of the same kind"),
    ]
    for options, word in refused:
        with pytest.raises(PorankError, match=word):
            validate_feedback(log_of_pairs(["ab"] * 2, ["ab"]), **options)
    with pytest.raises(PorankError, match="expected training sessions"):
        validate_feedback([])
