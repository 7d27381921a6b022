"""Orders judged on unseen sessions, and samples of units: against what is counted one by one."""

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

from porank import ClickLog
from porank.abstention.prediction import predict_order
from porank.abstention.thresholds import minimal_threshold
from porank.clicks import holdout_scores
from porank.clicks.evidence import graph_of_evidence
from porank.clicks.feedback import feedback_relation, from_log
from porank.clicks.holdout import validate_feedback
from porank.clicks.holdout_scores import HoldoutScore
from porank.clicks.settled_order import settled_order
from porank.clicks.simulation import simulate_log
from porank.clicks.units import bootstrap_feedback, read_units
from porank.core.intervals import t_quantile
from porank.errors import ParseError, PorankError
from tests import oracles_clicks, oracles_feedback
from tests.clicks.test_rules import logs
from tests.oracles_clicks import Row
from tests.oracles_feedback import Statement


def row(session: int, pair: str, time: Any, user: str = "u") -> list[Row]:
    """Return the rows of a session that clicks the first item of a pair and not the second."""
    said = zip(pair, ("click", "view"), strict=True)
    names = ("session", "user", "item", "event", "time")
    return [dict(zip(names, (session, user, *one, time), strict=True)) for one in said]


def log_of(seen: Sequence[str], unseen: Sequence[str]) -> list[Row]:
    """Return a log of sessions that say one pair each, those to be held back from time 1 on."""
    said = [(pair, 0) for pair in seen] + [(pair, 1) for pair in unseen]
    return [one for number, (pair, time) in enumerate(said) for one in row(number, pair, time)]


def rows_of(seed: int, *, sessions: int = 24, base: float = 1) -> list[Row]:
    """Return some simulated sessions of five items, in the order of time."""
    strengths = {item: 2 * base**-place for place, item in enumerate("abcde")}
    log = simulate_log(strengths, sessions, length=4, seed=seed)
    users = "uvwxy"
    return [
        dict(zip(log, one, strict=True)) | {"user": users[int(one[0] * 7 % 5)]}
        for one in zip(*(column.tolist() for column in log.values()), strict=True)
    ]


def parted(log: list[Row], first: int) -> tuple[list[Row], list[Row], Any]:
    """Return the rows of sessions that begin before one, those of the others, and its time."""
    begin = {one["session"]: one["time"] for one in reversed(log)}
    split = begin[first]
    seen, unseen = (
        [one for one in log if (begin[one["session"]] >= split) is is_late]
        for is_late in (False, True)
    )
    return seen, unseen, split


def by_order(order: nx.DiGraph) -> Callable[[Statement], int]:
    """Return what a closed order says of a statement."""
    return lambda one: order.has_edge(*one[:2]) - order.has_edge(*one[1::-1])


def clicked_more_often(seen: list[Row]) -> Callable[[Statement], int]:
    """Return what says of a statement which item more of some sessions click."""
    clicks = {(row["session"], row["item"]) for row in seen if row["event"] != "view"}
    clicked = Counter(item for _, item in clicks)
    return lambda one: (clicked[one[0]] > clicked[one[1]]) - (clicked[one[0]] < clicked[one[1]])


def numbers(point: HoldoutScore) -> list[float]:
    """Return what a point says."""
    return [point.completeness, point.correctness]


class TestValidateFeedback:
    """Each point by its definition, and what is held back."""

    @pytest.mark.parametrize("unit", ["session", "user"])
    @pytest.mark.parametrize("seed", range(12))
    def test_as_defined(self, seed: int, unit: str) -> None:
        log = rows_of(seed)
        seen, unseen, split = parted(log, 6 + seed)
        units = oracles_feedback.units_of(unseen, unit).values()
        said = [
            oracles_feedback.statements_of(sessions, oracles_clicks.levels) for sessions in units
        ]
        found = validate_feedback(log, split_at=split, unit=unit)
        both_ways = oracles_feedback.shown_both_ways(seen)
        kept = [[one for one in some if frozenset(one[:2]) in both_ways] for some in said]

        def assert_scored(score: HoldoutScore, says: Callable[[Statement], int]) -> None:
            """Hold a score against what says something of each statement, then that both ways."""
            assert score.both_ways is not None
            for one, statements in ((score, said), (score.both_ways, kept)):
                shares, right = oracles_feedback.judged(statements, says)
                assert numbers(one) == pytest.approx(shares, nan_ok=True)
                deciding = sum(any(map(says, some)) for some in statements)
                t = t_quantile(0.975, deciding - 1) if deciding > 1 else 0
                ends = oracles_feedback.correctness_interval(right, t)
                assert (one.low, one.high) == pytest.approx(ends, nan_ok=True)
                assert one.units == deciding

        P = feedback_relation(from_log(seen))
        for point in found["levels"]:
            order = predict_order(P, alpha=point.alpha, impossible="drop")
            assert point.is_acyclic is (point.alpha >= minimal_threshold(P))
            assert_scored(point, by_order(order))
        settled = settled_order(seen, unit=unit)
        assert_scored(found["levels"].settled, by_order(settled))
        leaning = predict_order(P, impossible="drop", settled=settled)
        assert_scored(found["levels"].leaning, by_order(leaning))
        stood = [
            one
            for some in oracles_feedback.units_of(seen, unit).values()
            for one in oracles_feedback.statements_of(some, oracles_clicks.levels)
        ]
        side = 1 if sum(one[2] for one in stood) >= 0 else -1
        place, popularity = found.baselines
        assert (place, popularity) == (
            f"stood {'higher' if side > 0 else 'lower'}",
            "clicked more often",
        )
        assert_scored(found.baselines[place], lambda one: side * one[2])
        assert_scored(found.baselines[popularity], clicked_more_often(seen))
        assert found.statements == sum(map(len, said))

    @pytest.mark.parametrize("seed", range(4))
    def test_a_later_log_is_one_that_begins_later(self, seed: int) -> None:
        log = rows_of(seed)
        begin = {one["session"]: one["time"] for one in reversed(log)}
        first, later = (
            [one for one in log if (begin[one["session"]] >= begin[16]) is is_late]
            for is_late in (False, True)
        )
        again = [one | {"session": one["session"] - 16} for one in later]
        found = validate_feedback(first, test=again)
        expected = validate_feedback(log, split_at=begin[16])
        assert found.to_text() == expected.to_text()

    def test_worked_example(self) -> None:
        found = validate_feedback(
            log_of(["ab"] * 3, ["ab"] * 6 + ["ba"] * 2 + ["ac"] * 2), split_at=1
        )
        (point,) = found["levels"]
        assert numbers(point) == [0.8, 0.5]
        assert (point.concordant, point.discordant, str(point.alpha)) == (6, 2, "4/5")
        assert (found.statements, found.pairs) == (10, 2)
        assert (found.train_sessions, found.test_sessions, found.test_units) == (3, 10, 10)

    @given(log=logs(), seed=st.integers(0, 5), data=st.data())
    def test_sequence_of_rows_does_not_matter(self, log: list[Row], seed: int, data: Any) -> None:
        shuffled = data.draw(st.permutations(log))
        tables = []
        for rows in (log, shuffled):
            try:
                tables.append(validate_feedback(rows, seed=seed).to_text())
            except PorankError as error:
                tables.append(str(error))
        assert tables[0] == tables[1]

    def test_fewer_than_five_units_give_no_interval(self) -> None:
        four, five = (validate_feedback(log_of(["ab"] * 3, ["ab"] * n), split_at=1) for n in (4, 5))
        score = four["levels"][0]
        assert (score.correctness, score.units) == (1, 4)
        assert math.isnan(score.low)
        assert math.isnan(score.high)
        assert "no intervals from fewer than 5 sessions" in four.to_text()
        assert five["levels"][0].low == pytest.approx(-0.103, abs=0.001)
        assert five["levels"][0].high == 1
        # The order settled by three sessions says nothing, and so has no interval.
        assert math.isnan(five["levels"].settled.low)

    def test_settled_at_a_risk(self) -> None:
        log = rows_of(1, sessions=200, base=1.7)
        seen, unseen, split = parted(log, 150)
        sessions = oracles_feedback.units_of(unseen, "session").values()
        said = [oracles_feedback.statements_of(each, oracles_clicks.levels) for each in sessions]
        strict: dict[str, Any] = {"risk": 0.001}
        for options, pairs in (
            ({}, 3),
            (strict, 0),
            ({"risk": 0.2}, 5),
            ({"risk": 0.2, "error": "rate"}, 6),
        ):
            order = settled_order(seen, **options)
            assert order.number_of_edges() == pairs
            expected, _ = oracles_feedback.judged(said, by_order(order))
            found = validate_feedback(log, split_at=split, **options)["levels"].settled
            assert numbers(found) == pytest.approx(expected, nan_ok=True)

    def test_users_settle_as_users(self) -> None:
        seen = [one for n in range(20) for one in row(n, "ab", 0, user=f"u{n % 2}")]
        log = [*seen, *row(20, "ab", 1, user="v")]
        by_session, by_user = (
            validate_feedback(log, split_at=1, unit=unit)["levels"].settled
            for unit in ("session", "user")
        )
        assert (by_session.completeness, by_user.completeness) == (1, 0)

    def test_ties_are_no_statements(self) -> None:
        log = {"user": [*"uuvvv"], "item": [*"ababc"], "rating": [2, 1, 3, 1, 3]}
        found = validate_feedback(log | {"time": [0, 0, 1, 1, 1]}, split_at=1)
        assert (found.test_sessions, found.statements) == (1, 2)

    def test_what_stood_lower_is_all_that_skip_above_says(self) -> None:
        log = simulate_log(dict.fromkeys("abcd", 1), 200, seed=0)
        found = validate_feedback(log, rule="click_over_skip_above")
        score = found.baselines["stood lower"]
        assert (score.completeness, score.correctness, score.high) == (1, 1, 1)

    def test_baselines_of_logs_without_places_or_clicks(self) -> None:
        rated = {"user": [*"uuvvww"], "item": [*"ababab"], "rating": [2, 1, 3, 1, 1, 2]}
        logs: list[tuple[Any, list[str]]] = [(log_of(["ab"] * 3, ["ab"]), ["clicked more often"])]
        for log, baselines in [*logs, (rated, [])]:
            found = validate_feedback(log)
            assert list(found.baselines) == baselines
            assert found["levels"].settled.both_ways is None
            assert "both ways" not in found.to_text()

    @pytest.mark.parametrize("items", ["abd", "cde", "be"])
    def test_items_left_out_take_no_part(self, items: str) -> None:
        log = rows_of(3)
        seen, unseen, split = parted(log, 6)
        units = read_units(log, begins=True, places=True).about("levels", items)
        score = validate_feedback(units, split_at=split).baselines["clicked more often"]
        assert score.both_ways is not None
        said = [
            [one for one in statements if {*one[:2]} <= {*items}]
            for each in oracles_feedback.units_of(unseen, "session").values()
            for statements in [oracles_feedback.statements_of(each, oracles_clicks.levels)]
        ]
        both_ways = oracles_feedback.shown_both_ways(seen)
        kept = [[one for one in some if frozenset(one[:2]) in both_ways] for some in said]
        for each, statements in ((score, said), (score.both_ways, kept)):
            expected, _ = oracles_feedback.judged(statements, clicked_more_often(seen))
            assert numbers(each) == pytest.approx(expected, nan_ok=True)

    def test_items_of_groups_are_kept_apart(self) -> None:
        log = rows_of(5)
        query = dict(zip(dict.fromkeys(one["session"] for one in log), "xy" * 12, strict=True))
        log = [one | {"query": query[one["session"]]} for one in log]
        units = read_units(log, group="query", begins=True, places=True).within("query")
        renamed = [one | {"item": one["query"] + one["item"]} for one in log]
        split = parted(log, 12)[-1]
        by_group, by_name = (validate_feedback(each, split_at=split) for each in (units, renamed))
        assert list(by_group.scores) == list(by_name.scores)
        for one, other in zip(by_group.scores.values(), by_name.scores.values(), strict=True):
            assert one.both_ways is not None
            assert other.both_ways is not None
            for each, same in ((one, other), (one.both_ways, other.both_ways)):
                assert numbers(each) == pytest.approx(numbers(same), nan_ok=True)
                assert (each.concordant, each.units) == (same.concordant, same.units)

    def test_lists_too_long_to_pair_have_no_scores_both_ways(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log = simulate_log({"a": 4, "b": 2, "c": 1}, 100, seed=0)
        assert validate_feedback(log)["levels"].settled.both_ways is not None
        monkeypatch.setattr(holdout_scores, "MAX_PAIRS", 100)
        assert validate_feedback(log)["levels"].settled.both_ways is None

    def test_users_are_held_back_as_a_whole(self) -> None:
        rows = [one for n in range(40) for one in row(n, "ab", n, user=f"u{n % 4}")]
        found = validate_feedback(rows, unit="user", test_share=0.5)
        assert (found.test_units, found.test_sessions) == (2, 20)

    def test_rules_side_by_side(self) -> None:
        log = simulate_log({"a": 4, "b": 2, "c": 1}, 100, seed=0)
        found = validate_feedback(
            log,
            rule={"levels": "levels", "skips": "click_over_skip_above"},
            test_rule="click_over_earlier_click",
        )
        assert list(found) == ["levels", "skips"]
        assert found.test_rule == "click_over_earlier_click"
        assert list(found.scores) == [
            *(f"{kind} order by {rule}" for rule in found for kind in ("settled", "leaning")),
            *found.baselines,
        ]

    def test_first_rule_judges_by_default(self) -> None:
        log = simulate_log({"a": 4, "b": 2, "c": 1}, 100, seed=0)
        rules = {"skips": "click_over_skip_above", "levels": "levels"}
        both = validate_feedback(log, rule=rules)
        alone = validate_feedback(log, rule="click_over_skip_above")
        expected = repr(list(alone["click_over_skip_above"]))
        assert repr(list(both["skips"])) == expected != repr(list(both["levels"]))

    def test_log_that_was_read_needs_no_more_reading(self) -> None:
        log = simulate_log({"a": 4, "b": 2, "c": 1}, 100, seed=0)
        units = read_units(log, begins=True, places=True)
        one, other = (list(validate_feedback(each)["levels"]) for each in (units, log))
        assert repr(one) == repr(other)

    def test_points_are_spread_and_hold_both_ends_and_the_minimal_one(self) -> None:
        log = simulate_log({n: 1.1**n for n in range(20)}, 600, seed=0)
        every, few = (validate_feedback(log, points=points)["levels"] for points in (10**6, 5))
        assert len(few) == 6
        assert len(every) > 50
        assert few[0].completeness == every[0].completeness
        assert few[-1].completeness == every[-1].completeness
        first = [next(point for point in curve if point.is_acyclic) for curve in (every, few)]
        assert first[0].alpha == first[1].alpha != few[0].alpha

    def test_dates(self) -> None:
        log = [one for n in range(4) for one in row(n, "ab", date(2026, 1, 1 + n))]
        assert validate_feedback(log, split_at="2026-01-03").test_sessions == 2
        with pytest.raises(PorankError, match="expected a date as split_at"):
            validate_feedback(log, split_at=3)

    def test_bad_options(self) -> None:
        earlier = "click_over_earlier_click"
        refused: list[tuple[dict[str, Any], str]] = [
            ({"test_share": 0}, "test_share to lie between 0 and 1"),
            ({"split_at": 9}, "found 3 and 0 by split_at=9"),
            ({"split_at": "soon"}, "as split_at, found 'soon'"),
            ({"prior": -1}, "as prior, found -1"),
            ({"points": 1}, "at least 2 as points"),
            ({"risk": 0}, "as risk, found 0"),
            ({"error": "some"}, "error to be one of"),
            ({"rule": earlier}, "training sessions that compare"),
            ({"test_rule": earlier}, "test sessions that compare"),
        ]
        for options, message in refused:
            with pytest.raises(PorankError, match=message):
                validate_feedback(log_of(["ab"] * 2, ["ab"]), **options)
        with pytest.raises(PorankError, match="sessions to learn from"):
            validate_feedback([])


#: Nobody is consistent: a over b, b over c and c over a, each said by a session of its own.
CIRCLE: list[Row] = [
    {"session": u + v, "user": "x", "item": item, "event": event}
    for u, v in ("ab", "bc", "ca")
    for item, event in ((u, "click"), (v, "view"))
]


class TestUnits:
    """What is read of sessions and users."""

    @given(log=logs(), unit=st.sampled_from(["session", "user"]))
    def test_all_units_together_say_what_the_log_says(self, log: list[Row], unit: str) -> None:
        G = from_log(log)
        units = read_units(log, unit=unit)
        counts = units.unit_counts("levels")
        H = graph_of_evidence(units.items, units.evidence("levels"))
        assert list(G) == list(H)
        assert dict(G.edges) == dict(H.edges)
        totals = counts.totals()
        for u, v, s, n in zip(
            counts.preferred, counts.other, totals, counts.of_compared(totals), strict=True
        ):
            data = G.edges[units.items[u], units.items[v]]
            assert (s, n) == (data["support"], data["support"] + data["against"])

    def test_sessions_begin_with_their_first_time(self) -> None:
        log = {"session": [7, 7, 5], "item": list("aba"), "event": ["view"] * 3, "time": [9, 4, 6]}
        begins = read_units(log, begins=True).log.of_sessions("time")
        assert begins.astype(int).tolist() == [4, 6]

    def test_logs_of_other_shapes(self) -> None:
        rated = {"user": list("uuuvvv"), "item": list("abcabc"), "rating": [5, 3, 3, 1, 4, 1]}
        battles = {"model_a": ["a", "b"], "model_b": ["b", "c"], "winner": ["model_b", "tie"]}
        lists = {"list": ["a b c", "b c"], "taken": ["b", "c"]}
        apart = {"user": ["u"] * 4, "item": list("abba"), "event": ["click", "view"] * 2}
        for log in (
            ClickLog(rated),
            ClickLog(battles),
            ClickLog(lists, columns={"shown": "list", "clicked": "taken"}),
            ClickLog(apart | {"time": [0, 1, 99, 99]}, gap=30),
        ):
            G, units = from_log(log), read_units(log)
            is_rated = "tied" in next(iter(G.edges.values()))
            H = graph_of_evidence(units.items, units.evidence("levels"), with_ties=is_rated)
            assert dict(G.edges) == dict(H.edges)
            assert list(G) == list(H)
            assert G.size() > 0


class TestBootstrapFeedback:
    """The share of samples in which one item is net preferred."""

    @given(log=logs(), unit=st.sampled_from(["session", "user"]), seed=st.integers(0, 9))
    def test_as_defined(self, log: list[Row], unit: str, seed: int) -> None:
        P = bootstrap_feedback(log, unit=unit, samples=5, seed=seed)
        n, rng = len(oracles_feedback.units_of(log, unit)), np.random.default_rng(seed)
        draws = [rng.integers(n, size=n) for _ in range(5 if n else 0)]
        wins = oracles_feedback.net_wins(log, oracles_clicks.levels, unit, draws)
        assert {(u, v): P.wins_of(u, v) for u in P.items for v in P.items if u != v} == {
            (u, v): wins[u, v] for u in P.items for v in P.items if u != v
        }

    def test_one_user_is_drawn_in_every_sample(self) -> None:
        P = bootstrap_feedback(CIRCLE, unit="user", samples=7)
        assert P.find_blocking_cycle(1) == ["a", "b", "c", "a"]

    def test_log_that_was_read_needs_no_more_reading(self) -> None:
        assert bootstrap_feedback(read_units(CIRCLE)) == bootstrap_feedback(CIRCLE)

    def test_bad_rows_are_left_out_if_reported(self) -> None:
        bad = [*CIRCLE, {"session": "d", "user": "x", "item": "a", "event": "wink"}]
        with pytest.raises(ParseError, match="wink"):
            bootstrap_feedback(bad)
        assert bootstrap_feedback(ClickLog(bad, errors="report")) == bootstrap_feedback(CIRCLE)

    def test_bad_options(self) -> None:
        assert bootstrap_feedback([]).items == ()
        refused: list[tuple[dict[str, Any], str]] = [
            ({"unit": "day"}, "unit to be one of 'session', 'user'"),
            ({"samples": 0}, "at least 1 as samples"),
            ({"seed": -1}, "as seed"),
            ({"rule": {}}, "at least one rule"),
        ]
        for options, message in refused:
            with pytest.raises(PorankError, match=message):
                bootstrap_feedback(CIRCLE, **options)
