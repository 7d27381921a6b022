"""What is counted of a log, and what goes with its pairs."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.report import feedback_report
from tests.build.test_logs import COLUMNS, problems_of

pl = import_module("polars")

LOG: dict[str, list[Any]] = {
    "session": [1, 1, 2, 2],
    "item": ["a", "b", "a", "b"],
    "event": ["click", "view", "click", "view"],
    "position": [1, 2, 1, 2],
}


class TestCounts:
    """What is odd."""

    def test_the_event_above_the_weakest_is_a_plain_click(self) -> None:
        events = ["purchase", "cart", "click", "view"]
        log: dict[str, list[Any]] = {"session": [1] * 4, "item": [1, 2, 2, 3]}
        log |= {"event": ["purchase", "cart", "click", "cart"]}
        counts = preference_pairs(log, events=events).counts
        assert counts.purchases_without_click == 2

    def test_rows_left_out_are_not_counted(self) -> None:
        # Rows of one session apart; without the third, no time lies before the one before it.
        log = {
            "session": [1, 2, 1, 1, 2, 2],
            "item": ["a", "c", "b", "d", "e", "c"],
            "event": ["click"] * 6,
            "position": [1, 1, None, 2, 2, 1],
            "time": [1, 9, 5, 3, 10, 11],
        }
        rule = ["click_over_skip_above", "click_over_earlier_click"]
        pairs = preference_pairs(log, rule=rule, errors="report")
        assert [problem.line for problem in pairs.problems] == [3]
        assert pairs.counts.times_out_of_order == 0
        log["time"] = [4, 9, 5, 3, 10, 11]
        assert preference_pairs(log, rule=rule, errors="report").counts.times_out_of_order == 1

    def test_a_row_with_two_faults_is_told_once(self) -> None:
        log = LOG | {"user": ["u", "v", "w", "w"], "position": [1, 1, 1, 2]}
        found = problems_of(log, by="user", rule="click_over_skip_above")
        assert found == [
            f"line {line}: expected one user for session 1, found 'u' and 'v'; "
            "columns={'session': [..., ...]} tells sessions apart by several columns"
            for line in (1, 2)
        ]

    def test_times_count_only_where_nothing_tells_how_long(self) -> None:
        log = {"session": [1, 1], "item": ["a", "b"], "event": ["click"] * 2, "dwell": [8, 7]}
        for times in ([1, None], ["?", 1], [9, 2]):
            pairs = preference_pairs(log | {"time": times}, rule="dwell")
            assert list(pairs) == [(1, "a", "b", 1)]
            assert pairs.counts.times_out_of_order == 0
        both = ["dwell", "click_over_earlier_click"]
        assert problems_of(log | {"time": [1, None]}, rule=both) == [
            "line 2: expected a time, found none"
        ]


class TestPairs:
    """What goes with the pairs."""

    def test_a_rule_of_ones_own_may_say_a_pair_twice(self) -> None:
        def twice(_: Any) -> Any:
            return [0, 0], [1, 1]

        assert list(preference_pairs(LOG, rule=twice, by=())) == [("a", "b", 1)]

    def test_pairs_of_other_logs_differ(self) -> None:
        pairs = preference_pairs(LOG)
        assert pairs == replace(pairs, counts=replace(pairs.counts))
        assert pairs != replace(pairs, counts=replace(pairs.counts, not_shown=1))
        assert pairs != replace(pairs, items=["b", "a"])

    def test_both_sides_are_of_one_type(self) -> None:
        for propensity, kind in ((None, int), ([1, 1], float)):
            pairs = preference_pairs(LOG, by=(), propensity=propensity)
            (data,) = (data for *_, data in pairs.to_graph().edges(data=True))
            assert set(map(type, data.values())) == {kind}

    def test_sums_of_weights_do_not_depend_on_the_sequence_of_groups(self) -> None:
        # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 are different floats.
        weights = {1: 0.1, 2: 0.2, 3: 0.3}
        totals = set()
        for sequence in ([1, 2, 3], [3, 2, 1]):
            log: dict[str, list[Any]] = {"session": [], "item": [], "event": [], "position": []}
            for user in sequence:
                for item, event, place in (("a", "click", user), ("b", "view", 9)):
                    row = (user, item, event, place)
                    for name, value in zip(log, row, strict=True):
                        log[name].append(value)
            propensity = {place: 1 / (10 * weight) for place, weight in weights.items()}
            pairs = preference_pairs(log, propensity=propensity | {9: 1.0})
            scaled = replace(pairs, columns=dict(pairs) | {"support": pairs["support"] / 10})
            totals.add(feedback_report(scaled).support)
        assert totals == {0.6}


class TestArrays:
    """Arrays in which something is missing."""

    def test_masked(self) -> None:
        masked = np.ma.MaskedArray([1, 1, 2, 2], mask=[False, False, False, True])
        pairs = preference_pairs(LOG | {"session": masked}, errors="report")
        assert [str(problem) for problem in pairs.problems] == [
            "line 4: expected a session, found None"
        ]
        assert pairs["session"].tolist() == [1]

    @pytest.mark.parametrize("name", ["session", "item", "position"])
    def test_integers_of_polars_beside_nothing(self, name: str) -> None:
        columns = dict(COLUMNS)
        columns[name] = [*columns[name][:3], None, *columns[name][4:]]
        pairs = preference_pairs(
            pl.DataFrame(columns, strict=False), rule="click_over_skip_above", errors="report"
        )
        (problem,) = pairs.problems
        assert problem.line == 4
        assert {type(label) for label in (*pairs.items, *pairs["session"].tolist())} == {int}
