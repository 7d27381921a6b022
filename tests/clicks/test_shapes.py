"""Shapes of real logs: each against its definition, in files made here; what is told or wrong."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank import ClickLog
from porank.clicks.preference_pairs import preference_pairs
from porank.errors import ParseError, PorankError
from tests.click_logs import asked
from tests.oracles_shapes import of_battles, of_lists, of_ratings

ITEMS = "abcde"


def support(log: Any, **options: Any) -> dict[tuple[Any, Any], Any]:
    pairs = asked(preference_pairs, log, by=(), **options)
    return {(u, v): count for u, v, count in pairs}


def ties(log: Any, kind: str = "tied", **options: Any) -> dict[frozenset[Any], int]:
    found = asked(preference_pairs, log, by=(), **options).ties
    rows = zip(*(found[name].tolist() for name in ("one", "other", kind)), strict=True)
    return {frozenset((u, v)): count for u, v, count in rows if count}


#: Lists with a click below, two clicks, none, and one on what was not shown.
LISTS: list[tuple[list[str], list[str]]] = [
    (["N55", "N87", "N3"], ["N87"]),
    (["N3", "N55"], ["N3", "N55"]),
    (["N87", "N3"], []),
    (["N55", "N87"], ["N3"]),
]


def written(path: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


class TestLists:
    """Impressions, with the clicked items beside the shown ones, or marked."""

    def test_how_a_list_is_written(self, tmp_path: Path) -> None:
        ways: list[Any] = [json.dumps, repr, lambda row: str(np.array(row))]
        ways += [sign.join for sign in (" ", "|", ";", ", ", "\t")]
        for way in ways:
            rows = [[way(shown), way(clicked)] for shown, clicked in LISTS]
            path = written(tmp_path / "log.csv", ["shown", "clicked"], rows)
            assert support(path) == of_lists(LISTS)
        lines = [json.dumps({"in_view": s, "article_ids_clicked": c}) for s, c in LISTS]
        path = tmp_path / "log.ndjson.gz"
        path.write_bytes(gzip.compress(("\n".join(lines) + "\n\n").encode()))
        assert support(path) == of_lists(LISTS)

    def test_lists_of_numbers_in_parquet(self, tmp_path: Path) -> None:
        path = tmp_path / "log.parquet"
        frame = pd.DataFrame({"article_ids_inview": [[3, 1, 2], [1, 2]], "clicked": [[2], None]})
        frame.to_parquet(path)
        assert support(path) == support(frame) == {(2, 3): 1, (2, 1): 1}

    def test_nothing_between_two_signs_is_no_item(self) -> None:
        for cell in ("a||b", "|a|b", "a|b|", "a | b", " a|b "):
            pairs = preference_pairs({"shown": [cell, "c|a"], "clicked": ["b", "c"]}, by=())
            assert list(pairs) == [("b", "a", 1), ("c", "a", 1)]
            assert pairs.items == ["a", "b", "c"]

    def test_positions_count_from_one(self) -> None:
        log = {"shown": ["a b"], "clicked": ["b"]}
        assert support(log, propensity=[1, 0.5]) == {("b", "a"): 2}

    def test_marks_in_a_file_without_names(self, tmp_path: Path) -> None:
        path = tmp_path / "behaviors.tsv"
        path.write_text("1\tU1\t11/15/2019 8:55:22 AM\tN1 N2\tN55-1 N87-0\n")
        pairs = preference_pairs(ClickLog(path, marks=4, columns={"user": 1}), by="user")
        assert list(pairs) == [("U1", "N55", "N87", 1)]

    def test_lists_of_a_session_are_told_apart_by_their_own_number(self) -> None:
        log = {"session_id": [1, 1], "impression_id": [7, 8], "shown": ["a b", "c a"]}
        log["clicked"] = ["a", "c"]
        assert list(preference_pairs(log)) == [(7, "a", "b", 1), (8, "c", "a", 1)]
        del log["impression_id"]
        assert (1, "c", "b", 1) in preference_pairs(log)

    def test_what_was_clicked_and_not_shown_has_no_position(self) -> None:
        log = {"shown": ["a b"], "clicked": ["c"]}
        with pytest.raises(ParseError, match=r"one position for 'c' in session 1, .* found none"):
            preference_pairs(log, rule="click_over_skip_above")
        assert preference_pairs(log).counts.not_shown == 1

    def test_what_is_no_mark_no_flag_or_no_item_leaves_out_its_row(self) -> None:
        logs: list[tuple[Any, int]] = [
            ({"marks": ["N1-1 N2-0", "N3-1 N4"]}, 1),
            ({"marks": [["N1-1", None]]}, 0),
            ({"shown": [["a", ["b"]]], "clicked": ["a"]}, 0),
            ({"item1": ["a"], "click1": ["maybe"], "item2": ["b"], "click2": [0]}, 0),
            ({"item1": ["a"], "click1": [[1]], "item2": ["b"], "click2": [0]}, 0),
        ]
        for log, left in logs:
            pairs = preference_pairs(ClickLog(log, errors="report"))
            assert (len(pairs), len(pairs.problems)) == (left, 1)
        with pytest.raises(ParseError, match=r"line 2: expected 0 or 1, .* found neither for 'N4'"):
            preference_pairs(logs[0][0])

    def test_a_file_is_read_in_pieces(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rows = [[" ".join(shown), " ".join(clicked)] for shown, clicked in LISTS * 50]
        path = written(tmp_path / "log.csv", ["shown", "clicked"], rows)
        monkeypatch.setattr("porank.core.columns.BLOCK_ROWS", 7)
        assert support(path) == {pair: 50 * n for pair, n in of_lists(LISTS).items()}


class TestSlots:
    """A row for each search, its items and clicks in numbered columns."""

    def test_flags(self) -> None:
        flags: list[tuple[Any, Any]] = [("1", "0"), ("True", "False"), ("y", ""), (1.0, 0)]
        for yes, no in flags:
            log = {"item1": ["a"], "click1": [no], "item2": ["b"], "click2": [yes]}
            assert support(log) == {("b", "a"): 1}

    def test_ten_comes_after_two(self) -> None:
        log = {"item10": ["j"], "click10": [1], "item2": ["b"], "click2": [0]}
        assert support(log, rule="click_over_skip_above") == {("j", "b"): 1}


battles = st.lists(
    st.tuples(
        *[st.sampled_from("xyz")] * 2,
        st.sampled_from(["model_a", "model_b", "tie", "both_bad"]),
    ).filter(lambda row: row[0] != row[1]),
    min_size=1,
    max_size=12,
)


class TestBattles:
    """Two models and a winner, or a chosen answer and a rejected one."""

    @given(battles)
    def test_by_definition(self, rows: list[tuple[str, str, str]]) -> None:
        names = ("model_a", "model_b", "winner")
        log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        wins, tied, bad = of_battles(rows)
        assert (support(log), ties(log), ties(log, "both_bad")) == (wins, tied, bad)

    def test_names_of_winners_and_of_ties(self) -> None:
        log = {"model_a": ["b", "x"], "model_b": ["a", "y"], "winner": ["a", "x"]}
        assert support(log) == {("a", "b"): 1, ("x", "y"): 1}
        for winner in ("tie (bothbad)", "both_bad", "Both Bad", "bothbad"):
            log = {"model_a": ["x"], "model_b": ["y"], "winner": [winner]}
            assert ties(log, "both_bad") == {frozenset("xy"): 1}
            assert not ties(log)
            assert not support(log)

    def test_no_winner_and_no_other(self) -> None:
        log = {"model_a": ["x", "z", None], "model_b": ["y", "z", "x"]}
        rows = preference_pairs(ClickLog(log | {"winner": ["both", "tie", "x"]}, errors="report"))
        chosen = {"chosen": ["x"], "rejected": [""]}
        problems = (*rows.problems, *preference_pairs(ClickLog(chosen, errors="report")).problems)
        assert [(problem.line, problem.message[-14:]) for problem in problems] == [
            (1, ", found 'both'"),
            (2, "ound 'z' twice"),
            (3, "d None and 'x'"),
            (1, "und 'x' and ''"),
        ]

    def test_edges_carry_ties(self) -> None:
        log = {"model_a": list("xxxx"), "model_b": list("yyyz")}
        log |= {"winner": ["x", "tie", "both_bad", "tie"], "judge": list("ijjj")}
        G = po.from_log(log)
        numbers = {"support": 1, "against": 0, "tied": 1, "both_bad": 1}
        assert list(G.edges(data=True)) == [("x", "y", numbers)]
        assert list(G) == ["x", "y", "z"]
        by_judge = po.preference_graphs(preference_pairs(log, by="judge"))
        assert list(by_judge["i"].edges(data="tied")) == [("x", "y", 0)]
        report = po.feedback_report(log)
        assert (report.tied, report.both_bad, report.never_compared) == (2, 1, ())

    def test_ties_stand_in_the_denominator(self) -> None:
        rows = ["x", "x", "y", "tie", "tie", "both_bad"]
        G = po.from_log({"model_a": ["x"] * 6, "model_b": ["y"] * 6, "winner": rows})
        P = po.feedback_relation(G)
        assert (P.degree("x", "y"), P.degree("y", "x")) == (Fraction(3, 7), Fraction(2, 7))
        assert po.feedback_relation(G, prior=0).degree("x", "y") == Fraction(2, 5)
        assert po.feedback_relation(G, ties="ignore").degree("x", "y") == Fraction(3, 5)
        # Most sessions do not prefer x to y: by default it is left open.
        assert not po.predict_order(P).edges
        assert list(po.feedback_relation(G, min_sessions=5).cut(0.4).edges) == [("x", "y")]

    def test_ties_that_disagree(self) -> None:
        G = po.from_log({"model_a": ["x"] * 2, "model_b": ["y"] * 2, "winner": ["x", "y"]})
        G.edges["x", "y"]["tied"] = 3
        with pytest.raises(PorankError, match="one number tied of 'x' and 'y', found 3 and 0"):
            po.feedback_relation(G)

    def test_chosen_and_rejected_by_prompt(self, tmp_path: Path) -> None:
        path = tmp_path / "choices.jsonl"
        rows = [
            ("p", "good", "bad", "Ann"),
            ("p", "good", "bad", "Bob"),
            ("q", "bad", "ugly", "Ann"),
        ]
        names = ("prompt", "chosen", "rejected", "annotator")
        path.write_text("\n".join(json.dumps(dict(zip(names, r, strict=True))) for r in rows))
        assert list(preference_pairs(path, by="query")) == [
            ("p", "good", "bad", 2),
            ("q", "bad", "ugly", 1),
        ]
        assert preference_pairs(path, by="user")["user"].tolist() == ["Ann", "Ann", "Bob"]

    def test_other_rules_are_refused(self) -> None:
        log = {"model_a": ["x"], "model_b": ["y"], "winner": ["x"]}
        with pytest.raises(PorankError, match="rule='levels' for ratings and battles"):
            preference_pairs(log, rule=["levels", "click_over_earlier_click"])
        with pytest.raises(PorankError, match="no propensity with battles"):
            preference_pairs(ClickLog(log | {"p": [1]}, propensity="p"))


class TestRatings:
    """Each user prefers what they rated higher."""

    @given(
        st.lists(
            st.tuples(st.integers(0, 2), st.sampled_from(ITEMS), st.sampled_from([1, 2.5, 5])),
            min_size=1,
            max_size=12,
        )
    )
    def test_by_definition(self, rows: list[tuple[int, str, float]]) -> None:
        names = ("userId", "movieId", "rating")
        log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        assert (support(log), ties(log)) == of_ratings(rows)

    def test_the_last_rating_in_time_counts(self) -> None:
        log = {"user": [1, 1, 1], "item": list("aba"), "rating": ["5", "3", "1"]}
        assert support(log) == {("b", "a"): 1}
        assert support(log | {"timestamp": [9, 8, 7]}) == {("a", "b"): 1}
        assert preference_pairs(log).counts.repeated_events == 1

    def test_what_is_no_rating(self) -> None:
        for rating, found in (("good", "'good'"), ("", "none")):
            log = {"user": [1, 1], "item": ["a", "b"], "rating": ["3", rating]}
            with pytest.raises(ParseError, match=rf"line 2: expected a .*rating, found {found}"):
                preference_pairs(log)


class TestGaps:
    """Sessions by user and a pause."""

    LOG: ClassVar = {
        "user": list("uuvu"),
        "item": list("abab"),
        "event": ["view", "click", "view", "click"],
    }

    def test_a_longer_pause_begins_a_session(self) -> None:
        log = self.LOG | {"time": [0, 1800, 5, 3601]}
        pairs = preference_pairs(ClickLog(log, gap=1800))
        assert list(pairs) == [(("u", 1), "b", "a", 1)]
        assert pairs.counts.sessions == 3
        assert list(preference_pairs(ClickLog(log, gap=1801), by="user")) == [("u", "b", "a", 1)]

    def test_a_span_of_dates(self) -> None:
        days = ["2026-01-01T10:00", "2026-01-01T10:30", "2026-01-01", "2026-01-02"]
        for gap in (1800, timedelta(minutes=30)):
            assert (
                preference_pairs(ClickLog(self.LOG | {"time": days}, gap=gap)).counts.sessions == 3
            )

    def test_a_time_is_needed(self) -> None:
        with pytest.raises(PorankError, match="a column for time"):
            preference_pairs(ClickLog(self.LOG, gap=5))
        with pytest.raises(ParseError, match="line 1: expected a time, found none"):
            preference_pairs(ClickLog(self.LOG | {"time": [None, 1, 2, 3]}, gap=5))
        with pytest.raises(PorankError, match="as gap, found -1"):
            preference_pairs(ClickLog(self.LOG, gap=-1))
        with pytest.raises(PorankError, match="gap=1800 cuts at pauses"):
            preference_pairs(self.LOG)


class TestQueries:
    """A column of queries that nobody asked for."""

    LOG: ClassVar = {"session": [1, 1], "item": ["a", "b"], "event": ["click", "view"]}

    def test_what_is_not_told_apart_is_said(self) -> None:
        log = self.LOG | {"qid": ["tea", "tea"]}
        remarks = ("'qid' is not read: its values are not told apart",)
        for by, told in (((), remarks), ("query", ())):
            shape = preference_pairs(log, by=by).shape
            assert shape is not None
            assert shape.remarks == told


class TestTimes:
    """Two columns that could be the time."""

    LOG: ClassVar = {"session": [1, 1], "item": ["a", "b"], "event": ["click"] * 2}
    RULE = "click_over_earlier_click"

    def test_a_day_alone_is_taken_and_said(self) -> None:
        log = self.LOG | {"eventdate": ["2026-01-01"] * 2}
        report = po.feedback_report(log, rule=self.RULE)
        assert "nothing tells the sequence of events within a day" in str(report)

    def test_a_day_and_what_may_be_a_time_are_not_chosen_from(self) -> None:
        log = self.LOG | {"eventdate": ["2026-01-01"] * 2, "server_stamp": [7, 3]}
        with pytest.raises(PorankError, match="'eventdate', which may hold days only, and 's"):
            preference_pairs(log, rule=self.RULE)
        named = preference_pairs(ClickLog(log, columns={"time": "server_stamp"}), rule=self.RULE)
        assert list(named) == [(1, "a", "b", 1)]


class TestPropensities:
    """How likely an item is looked at, in each row."""

    LOG: ClassVar = {
        "session": [1, 1, 2, 2, 3, 3],
        "item": list("ababab"),
        "event": ["click", "view"] * 3,
        "seen": [0.5, None, 0.25, None, 0.01, None],
    }

    def test_each_session_counts_by_its_own(self) -> None:
        assert support(self.LOG, propensity="seen") == {("a", "b"): 2 + 4 + 20}
        rows = list(preference_pairs(ClickLog(self.LOG, propensity="seen"), clip=0.1))
        assert rows == [(1, "a", "b", 2), (2, "a", "b", 4), (3, "a", "b", 10)]

    def test_a_click_needs_one(self) -> None:
        for value, found in ((None, "none"), (1.5, "1.5"), ("x", "'x'")):
            log = self.LOG | {"seen": [value] + [1] * 5}
            with pytest.raises(ParseError, match=f"line 1: expected a .*propensity, found {found}"):
                preference_pairs(ClickLog(log, propensity="seen"))


class TestNothingShown:
    """Events without showings."""

    def test_it_is_said(self) -> None:
        log: dict[str, list[Any]] = {"session": [1, 1], "item": ["a", "b"]}
        log["event"] = ["click", "purchase"]
        assert support(log) == {("b", "a"): 1}
        assert "what was shown and left is not known" in str(po.feedback_report(log))
        log = {name: [*column, *column] for name, column in log.items()}
        log |= {"session": [1, 1, 2, 2], "event": ["view", *log["event"][1:]]}
        assert "not known" not in str(po.feedback_report(log))


class TestRecognition:
    """What is taken for what."""

    def test_by_the_names_of_the_columns(self) -> None:
        for names, shape in {
            "session item event rating": "events",
            "session item dwell rating": "events",
            "session item position": "events",
            "session item category": "events",
            "session item clicked event": "events",
            "session item clicked rating dwell shown": "flags",
            "session item userId timestamp query": "clicks",
            "item shown_items clicked_items": "impressions",
            "session item impressions clicks event": "events",
            "user item rating": "ratings",
            "user impressions clicks": "impressions",
            "user impressions": "marks",
            "item_1 click_1 item_2 click_2": "slots",
            "model_a model_b winner item": "events",
        }.items():
            log: dict[str, list[Any]] = {name: [] for name in names.split()}
            found = "events"
            with suppress(PorankError):
                pairs = preference_pairs(log, rule="dwell" if "dwell" in names else "levels")
                assert pairs.shape is not None
                found = pairs.shape.name
            assert found == shape, names

    def test_what_a_shape_lacks_is_told(self) -> None:
        lacking = {"shown time": "clicked", "model_a model_b": "winner", "user rating": "item"}
        for names, role in lacking.items():
            with pytest.raises(PorankError, match=f"expected a column for {role}, found"):
                preference_pairs({name: [] for name in names.split()})

    def test_what_was_said_is_not_said_again(self) -> None:
        log = {"s": [1], "item": ["a"], "event": ["view"]}
        shape = preference_pairs(ClickLog(log, columns={"session": "s"})).shape
        assert shape is not None
        assert shape.is_plain


class TestJsonLines:
    """JSON Lines as a log of events."""

    def test_a_bad_line_is_told(self) -> None:
        rows = [{"session": 1, "item": "a", "event": "view"}, [1]]
        file = io.StringIO("\n".join([*map(json.dumps, rows), "{", ""]))
        file.name = "log.jsonl"
        problems = preference_pairs(ClickLog(file, errors="report")).problems
        assert [(p.line, p.message) for p in problems] == [
            (2, "expected an object in JSON in each line, found [1]"),
            (3, "expected an object in JSON in each line, found '{'"),
        ]

    def test_what_an_object_lacks_is_missing(self, tmp_path: Path) -> None:
        path = tmp_path / "log.jsonl"
        rows = [{"session": 1, "item": "a", "event": "click", "position": 1}]
        rows.append({"session": 1, "event": "view"})
        path.write_text("\n".join(map(json.dumps, rows)))
        with pytest.raises(ParseError, match="line 2: expected an item, found None"):
            preference_pairs(path)
