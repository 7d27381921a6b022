"""The same table gives the same labels and times, from a file, a frame, rows and JSON Lines."""

from typing import Any

import numpy as np
import pytest

import porank as po
from porank.core.columns import as_label
from tests.support.click_logs import as_file, in_four_sources, rows_of
from tests.support.refusals import refuses

SOURCES = ("file", "frame", "rows", "lines")
BLANKS = "session,item,event;s, tea,view;s,milk,click;t,tea ,view;t,\ttea,view; t,milk,view"
#: Composed and decomposed, and a letter of full width, which stays another one.
SPELLINGS = "session,item,event;s,caf\u00e9,view;s,cafe\u0301,click;s,\uff21,view;s,A,view"
#: The types of columns that JSON can write.
_KINDS = {"item": str, "event": str, "position": int}
RANKS = "item,rank;T a,1;ta,2"


@pytest.mark.parametrize("source", SOURCES)
class TestFourSources:
    """Each fact from each source."""

    def test_blanks_around_labels_are_removed(self, source: str) -> None:
        log = po.ClickLog(in_four_sources(rows_of(BLANKS))[source])
        assert (log.items, log.counts.sessions) == (["tea", "milk"], 2)

    def test_spellings_are_composed_and_what_looks_alike_is_told(self, source: str) -> None:
        log = po.ClickLog(in_four_sources(rows_of(SPELLINGS))[source])
        assert log.items == ["caf\u00e9", "\uff21", "A"]
        assert log.counts.labels_alike == {("\uff21", "A"): 2}
        for read, text in ((po.read_pairs, "preferred,other;T a,ta"), (po.read_ranks, RANKS)):
            with pytest.warns(UserWarning, match=r"count as different: \('T a', 'ta'\)"):
                read(in_four_sources(rows_of(text))[source])
        (remark,) = po.compare_scores(in_four_sources(rows_of("T a,ta;1,2;2,1"))[source]).remarks
        assert "count as different: ('T a', 'ta')" in remark

    def test_items_of_lists(self, source: str) -> None:
        log = "shown,clicked;cafe\u0301| b ,caf\u00e9;b|a,a"
        assert po.ClickLog(in_four_sources(rows_of(log))[source]).items == ["caf\u00e9", "b", "a"]

    def test_tables_to_evaluate(self, source: str) -> None:
        scores = in_four_sources(rows_of("user,item,score;u, a,3;u,cafe\u0301,1"))[source]
        target = {"user": ["u", "u"], "item": ["a", "caf\u00e9"], "score": [3, 1]}
        assert po.evaluate(target, scores, by="user", measures=["gamma"])["gamma"].tolist() == [1]

    @pytest.mark.parametrize("per_second", [1, 10**3, 10**6, 10**9])
    def test_a_gap_is_in_seconds(self, source: str, per_second: int) -> None:
        times = [1_700_000_000 + after for after in (0, 1800, 3601, 5000)]
        rows = [
            {"user": "u", "item": item, "event": "click", "time": time * per_second}
            for item, time in zip("abcd", times, strict=True)
        ]
        log = po.ClickLog(in_four_sources(rows)[source], gap=1800)
        assert (log.counts.sessions, log.counts.odd_times) == (2, 0)
        assert ("seconds since 1970" in str(log.format)) == (per_second > 1)

    @pytest.mark.parametrize(
        ("times", "found"),
        [
            ([20240131, 20240201], "20240131"),
            ([202401311230, 202402010000], "202401311230"),
            ([20240131123000, 20240201000000], "20240131123000"),
            ([45000, 45001.5], "45000"),
        ],
    )
    def test_days_are_no_seconds(self, source: str, times: list[Any], found: str) -> None:
        rows = [{"user": "u", "item": "a", "event": "view", "time": time} for time in times]
        log = in_four_sources(rows)[source]
        with pytest.raises(po.PorankError, match=f"gap=1800, found .* days, such as {found};"):
            _ = po.ClickLog(log, gap=1800).items

    @pytest.mark.parametrize(
        "times", [[20241331, 20240201], [45000, 45001.5, 50000], [19_000, 19_001]]
    )
    def test_what_may_be_seconds(self, source: str, times: list[Any]) -> None:
        rows = [{"user": "u", "item": "a", "event": "view", "time": time} for time in times]
        assert po.ClickLog(in_four_sources(rows)[source], gap=1800).items == ["a"]

    def test_seconds_beside_milliseconds(self, source: str) -> None:
        times = [1_700_000_000, 1_700_000_001_000]
        rows = [{"session": 1, "item": "a", "event": "view", "time": time} for time in times]
        log = in_four_sources(rows)[source]
        found = "one unit since 1970, found 1700000000 and 1700000001000"
        with pytest.raises(po.PorankError, match=found):
            _ = po.ClickLog(log).items

    def test_dates_with_and_without_a_zone(self, source: str) -> None:
        times = ["2026-01-01T10:00Z", "2026-01-01T10:00", "2026-01-01 11:00 UTC"]
        rows = [{"session": 1, "item": "a", "event": "click", "time": time} for time in times]
        log = po.ClickLog(in_four_sources(rows)[source], errors="report")
        rule = "click_over_earlier_click"
        (problem,) = po.preference_pairs(log, rule=rule).problems
        assert "a date with a time zone as time, like the earlier times" in problem.message

    def test_sessions_of_one_event_are_told(self, source: str) -> None:
        rows = rows_of("session,item,event;" + ";".join(f"s{k},i{k % 3},click" for k in range(9)))
        log = po.ClickLog(in_four_sources(rows)[source])
        assert log.counts.quirks()["single_events"][0] == 9
        refuses("9 lists of one item each", po.settled_order, log)

    def test_sessions_of_more_events_are_usual(self, source: str) -> None:
        log = po.ClickLog(in_four_sources(rows_of("session,item,event;s,a,view;s,b,view"))[source])
        assert "single_events" not in log.counts.quirks()

    @pytest.mark.parametrize("unit", ["session", "user"])
    def test_sessions_to_test_on_do_not_depend_on_the_type_of_ids(
        self, source: str, unit: str
    ) -> None:
        log = po.simulate_log({"a": 3, "b": 2, "c": 1}, 60, seed=0)
        # Numbers whose order as texts is another one, and not that of appearance.
        ids = np.random.default_rng(0).permutation(np.arange(5, 65))[np.array(log["session"]) - 1]
        columns = {name: [*map(kind, log[name])] for name, kind in _KINDS.items()}
        found = []
        for labels in (ids.tolist(), [f"{one}" for one in ids], [f"x{-one:04}" for one in ids]):
            table = {unit: labels, "session": labels, **columns}
            rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
            found.append(po.validate_feedback(in_four_sources(rows)[source], unit=unit).scores)
        # As texts, in which nan equals nan.
        assert repr(found[0]) == repr(found[1]) == repr(found[2])


def test_texts_only_are_changed() -> None:
    for given in (1, 1.5, True, None, (" a",), b" a", [" a"]):
        assert as_label(given) is given


def test_a_graph_keeps_its_items() -> None:
    """Only tables are normalised: a graph may have any nodes."""
    G, H = po.from_ranking([" a", "a", "a "]), po.from_ranking(["a", " a", "a "])
    assert po.evaluate({1: G}, {1: H}, measures=["gamma"])["gamma"].tolist() == [po.gamma(G, H)]


NOBODY = ["NA", "#N/A", "n/a", "-", "NaT", "null", "Null", "None", "undefined", "nan", "", "-1"]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("label", NOBODY)
def test_nobody_is_one_for_sessions_and_users(source: str, label: str) -> None:
    """Sessions that are unknown are no session, and users that are unknown no user."""
    rows = rows_of(f"session,item,event;s,a,view;{label},b,click;s,c,click")
    log = po.ClickLog(in_four_sources(rows)[source], errors="report")
    (problem,) = po.preference_pairs(log).problems
    assert f"expected a session, found {label!r}" in problem.message
    rows = rows_of(f"user,session,item,event;{label},s,{label or 'x'},view;{label},s,c,click")
    log = po.ClickLog(in_four_sources(rows)[source])
    assert (log.counts.without_user, len(log.items)) == (2, 2)


@pytest.mark.parametrize("label", ["Nan", "Na", "no", "-2", "0-0"])
def test_names_that_are_somebody(label: str) -> None:
    log = po.ClickLog(rows_of(f"session,item,event;{label},a,view;{label},c,click"))
    assert log.counts.sessions == 1


@pytest.mark.parametrize("source", ["rows", "lines"])
def test_true_is_not_one(source: str) -> None:
    rows = [{"session": 1, "item": item, "event": "view"} for item in (True, 1, False, 0.0)]
    log = po.ClickLog(in_four_sources(rows)[source], errors="report")
    assert (log.items, [problem.line for problem in log.problems]) == ([1, 0], [1, 3])
    assert "expected an item, found True beside numbers" in log.problems[0].message
    log = po.ClickLog(in_four_sources(rows[2:])[source], errors="report")
    assert (log.items, [problem.line for problem in log.problems]) == ([0], [1])
    flags = [row for row in rows if type(row["item"]) is bool]
    assert po.ClickLog(in_four_sources(flags)[source]).items == [True, False]


#: Three, in digits of Arabic, of full width and with a fraction.
THREES = ["\u0663", "\uff13", " 3 ", "+3.0", "3e0"]


@pytest.mark.parametrize("three", THREES)
def test_the_digits_of_all_scripts_are_numbers(three: str) -> None:
    log = rows_of(f"session,item,event,position;s,a,click,{three};s,b,view,1")
    assert list(po.preference_pairs(log, rule="click_over_skip_above")) == [("s", "a", "b", 1)]
    (weight,) = po.read_pairs(as_file(f"a,b,{three}\n", "pairs.csv")).edges(data="weight")
    assert weight == ("a", "b", 3)
    assert list(po.read_ranks(as_file(f"item,rank\nb,{three}\na,1\n", "x")).edges) == [("a", "b")]


@pytest.mark.parametrize("number", ["3_0", "nan", "inf", "1e999", "0x3", "", "3 0"])
def test_a_rank_that_is_no_finite_number_is_a_problem_of_its_line(number: str) -> None:
    G = po.read_ranks(as_file(f"item,rank\na,1\nb,{number}\n", "x"), errors="report")
    assert [problem.line for problem in G.graph["problems"]] == [3]


def test_items_of_more_digits_than_python_converts() -> None:
    long, longer = "7" * 4301, "6" * 5000
    rows = rows_of(f"session,item,event;s,{long},view;s,{longer},click")
    order = po.from_log(rows)
    assert list(order.edges) == [(longer, long)]
    assert po.explore(rows).to_html()


def test_numpy_scalars_in_lists_become_plain_labels() -> None:
    battles = {"model_a": [np.str_("x"), 2], "model_b": ["y", np.int64(3)], "winner": ["x", 3]}
    assert [type(item) for item in po.ClickLog(battles).items] == [str, str, int, int]
