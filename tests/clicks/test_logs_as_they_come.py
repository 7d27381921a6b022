"""Logs in the shapes that shops and contests have: each says what its lists say, by definition.

The same lists are written with the headers that such files have, in every form that a log is read
from, and each must give the pairs of `tests.oracles_shapes`. What cannot be told is asked, and the
way out that the question names is taken.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank import ClickLog
from porank.clicks.preference_pairs import preference_pairs
from porank.errors import ParseError, PorankError
from tests.cli_runs import run_line
from tests.oracles_shapes import of_lists, of_skips

pl = import_module("polars")

#: What was shown, from the top down, and what was clicked of it.
Lists = Sequence[tuple[Sequence[str], Sequence[str]]]
Columns = dict[str, list[Any]]
LISTS: Lists = [
    (["N55", "N87", "N3"], ["N87"]),
    (["N3", "N55"], ["N3", "N55"]),
    (["N87", "N3"], []),
    (["N55", "N87"], ["N87"]),
    (["N3", "N87", "N55", "N9"], ["N9", "N87"]),
]


def rows_of(**columns: Any) -> Callable[[Lists], Columns]:
    """Return what makes a log of a row for each item shown.

    A column is the number of the list, the item, its place or its click, by name, or made of them.
    """

    def made(lists: Lists) -> Columns:
        rows: list[dict[str, Any]] = [
            {"list": number, "item": item, "place": place, "click": int(item in clicked)}
            for number, (shown, clicked) in enumerate(lists, start=1)
            for place, item in enumerate(shown, start=1)
        ]
        return {
            name: [row[how] if how in row else how(row) if callable(how) else how for row in rows]
            for name, how in columns.items()
        }

    return made


def slots_of(lists: Lists, names: tuple[str, str], times: int) -> Columns:
    """Return a log of a row for each list, its items and the numbers of clicks in slots."""
    width = max(len(shown) for shown, _ in lists)
    columns: Columns = {}
    for slot in range(width):
        at = [shown[slot] if slot < len(shown) else None for shown, _ in lists]
        clicked = [times * (i in those) for i, (_, those) in zip(at, lists, strict=True)]
        columns |= {f"{names[0]}{slot + 1}": at, f"{names[1]}{slot + 1}": clicked}
    return columns


def with_what_was_not_shown(lists: Lists) -> Columns:
    """Return a log with rows of items that a session might have shown and did not."""
    log = rows_of(session="list", item="item", position="place", shown=True, clicked="click")(lists)
    for number in range(1, len(lists) + 1):
        for column, value in zip(log.values(), (number, "N0", 9, False, 0), strict=True):
            column.append(value)
    return log


def texts(lists: Lists, sign: str, flag: Callable[[bool], str]) -> Columns:
    shown = [sign.join(shown) for shown, _ in lists]
    return {
        "shown": shown,
        "clicked": [sign.join(flag(i in those) for i in shown) for shown, those in lists],
    }


def events_of(lists: Lists) -> Columns:
    """Return a log of a row for each event: all of a list are shown, then some are clicked."""
    shown = [(n, i, p, "pv") for n, (s, _) in enumerate(lists) for p, i in enumerate(s)]
    clicked = [(n, i, s.index(i), "clk") for n, (s, c) in enumerate(lists) for i in c]
    names = ("session", "item", "position", "event")
    return dict(zip(names, map(list, zip(*shown, *clicked, strict=True)), strict=True))


def lists_of(**columns: Callable[[Sequence[str], Sequence[str]], Any]) -> Any:
    """Return what makes a log of a row for each list, its columns of what is shown and clicked."""
    return lambda lists: {
        "impression_id": list(range(len(lists))),
        **{name: [make(*both) for both in lists] for name, make in columns.items()},
    }


#: What makes a log of lists, by the header that it is known from; True if it knows positions.
SHAPES: dict[str, tuple[Callable[[Lists], Columns], bool]] = {
    "flags": (rows_of(session="list", item="item", position="place", clicked="click"), True),
    "flags, true and false, from 0, with gaps": (
        rows_of(
            session_id="list",
            product_id="item",
            pos=lambda row: 3 * (row["place"] - 1),
            is_clicked=lambda row: bool(row["click"]),
        ),
        True,
    ),
    "Expedia": (
        rows_of(
            srch_id="list",
            date_time="2013-04-04 08:32:15",
            prop_id="item",
            prop_starrating=3,
            position="place",
            click_bool="click",
            gross_bookings_usd="",
            booking_bool=0,
        ),
        True,
    ),
    "Outbrain": (rows_of(display_id="list", ad_id="item", clicked="click"), False),
    "Yandex": (
        rows_of(SessionID=7, SERPID="list", URLID="item", Position="place", Click="click"),
        True,
    ),
    "counts": (
        rows_of(
            session="list",
            item="item",
            rank="place",
            impressions=3,
            clicks=lambda row: 2 * row["click"],
        ),
        True,
    ),
    "clicks counted without showings": (
        rows_of(sess_id="list", item_id="item", clicks=lambda row: 5 * row["click"]),
        False,
    ),
    "showings that were none": (with_what_was_not_shown, True),
    "lists of true and false": (
        lists_of(shown=lambda s, _: list(s), clicked=lambda s, c: [i in c for i in s]),
        True,
    ),
    "lists of 0 and 1": (lambda lists: texts(lists, "|", lambda is_so: str(int(is_so))), True),
    "lists of True and False": (lambda lists: texts(lists, " ", str), True),
    "MIND": (
        lists_of(
            user=lambda *_: "U1",
            time=lambda *_: "11/15/2019 8:55:22 AM",
            impressions=lambda s, c: " ".join(f"{i}-{int(i in c)}" for i in s),
        ),
        True,
    ),
    "EB-NeRD": (
        lists_of(
            article_id=lambda *_: "N1",
            article_ids_inview=lambda s, _: list(s),
            article_ids_clicked=lambda _, c: list(c),
        ),
        True,
    ),
    "slots": (lambda lists: slots_of(lists, ("slot", "click"), 1), True),
    "slots with counts": (lambda lists: slots_of(lists, ("item_", "clicks_"), 4), True),
    "events": (events_of, True),
}


def support(log: Any, rule: str = "levels", **options: Any) -> dict[tuple[Any, Any], Any]:
    pairs = preference_pairs(ClickLog(log, **options), rule=rule, by=())
    return {(u, v): count for u, v, count in pairs}


def as_csv(log: Columns, path: Path) -> Any:
    rows = zip(*log.values(), strict=True)
    cells = ([json.dumps(c) if isinstance(c, list) else c for c in row] for row in rows)
    with path.with_suffix(".csv").open("w", newline="") as file:
        csv.writer(file).writerows([list(log), *cells])
    return path.with_suffix(".csv")


def as_json_lines(log: Columns, path: Path) -> Any:
    rows = [dict(zip(log, row, strict=True)) for row in zip(*log.values(), strict=True)]
    path.with_suffix(".jsonl").write_text("\n".join(map(json.dumps, rows)))
    return path.with_suffix(".jsonl")


def as_parquet(log: Columns, path: Path) -> Any:
    pd.DataFrame(log).to_parquet(path.with_suffix(".parquet"))
    return path.with_suffix(".parquet")


FORMS: dict[str, Callable[[Columns, Path], Any]] = {
    "csv": as_csv,
    "jsonl": as_json_lines,
    "parquet": as_parquet,
    "pandas": lambda log, _: pd.DataFrame(log),
    "polars": lambda log, _: pl.DataFrame(log),
    "rows": lambda log, _: [
        dict(zip(log, row, strict=True)) for row in zip(*log.values(), strict=True)
    ],
}


class TestShapes:
    """Each file says what the lists say that it was made of."""

    def test_in_every_form(self, tmp_path: Path) -> None:
        for (make, has_places), form in product(SHAPES.values(), FORMS.values()):
            log = form(make(LISTS), tmp_path / "log")
            assert support(log) == of_lists(LISTS)
            if has_places:
                assert support(log, "click_over_skip_above") == of_skips(LISTS)
            else:
                with pytest.raises(PorankError, match="expected a column for position"):
                    support(log, "click_over_skip_above")

    @settings(max_examples=20)
    @given(
        st.lists(
            st.permutations(["x", "y", "z", "w"]).flatmap(
                lambda shown: st.tuples(
                    st.just(shown), st.lists(st.sampled_from(shown), unique=True)
                )
            ),
            min_size=1,
            max_size=5,
        ).filter(lambda lists: any(clicked for _, clicked in lists)),
        st.randoms(),
    )
    def test_any_lists_and_rows_in_any_sequence(self, lists: Lists, random: Any) -> None:
        for name, (make, has_places) in SHAPES.items():
            log = make(lists)
            order = list(range(len(next(iter(log.values())))))
            random.shuffle(order)
            log = {column: [cells[place] for place in order] for column, cells in log.items()}
            assert support(log) == of_lists(lists), name
            if has_places:
                assert support(log, "click_over_skip_above") == of_skips(lists), name

    def test_what_was_recognised_is_said(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
    ) -> None:
        for make, _ in SHAPES.values():
            path = as_csv(make(LISTS), tmp_path / "log")
            shape = ClickLog(path).shape
            report = str(po.feedback_report(path))
            assert all(sentence in report for sentence in shape.sentences()) or shape.is_plain
            assert run_line(f"porank explore {path}", monkeypatch) == 0
            out = capsys.readouterr().out
            assert all(s in out for s in (f"{shape.name}: ", *shape.remarks)) or shape.is_plain

    def test_each_shape_names_its_columns(self) -> None:
        shapes = {name: str(ClickLog(make(LISTS)).shape) for name, (make, _) in SHAPES.items()}
        assert shapes["counts"] == (
            "flags: session = 'session', item = 'item', clicked = 'clicks', shown = 'impressions'; "
            "of several clicks on an item one counts"
        )
        assert "bought = 'booking_bool'" in shapes["Expedia"]
        assert "session = 'SERPID', item = 'URLID'" in shapes["Yandex"]
        assert "what is clicked are flags, one for each item shown" in shapes["lists of 0 and 1"]
        assert "flags" not in shapes["EB-NeRD"]


class TestFlags:
    """What 0 and 1 beside an item may say."""

    LOG: ClassVar[Columns] = {"session": [1, 1, 1], "item": list("abc"), "clicked": [0, 1, 1]}

    def test_what_was_bought_stands_above_what_was_clicked(self) -> None:
        log = self.LOG | {"purchased": [0, 0, 1]}
        assert support(log) == {("c", "b"): 1, ("c", "a"): 1, ("b", "a"): 1}
        counts = preference_pairs(log).counts
        assert (counts.purchases_without_click, counts.not_shown, counts.repeated_events) == (
            0,
        ) * 3
        assert support(self.LOG | {"purchased": [1, 0, 0]})["a", "b"] == 1

    def test_the_time_spent_on_a_click_and_a_purchase_of_one_row_counts_once(self) -> None:
        log = self.LOG | {"purchased": [0, 0, 1], "dwell": [9, 5, 4]}
        assert support(log, "dwell") == {("b", "c"): 1}

    def test_what_is_no_flag_leaves_out_its_row(self) -> None:
        flags: list[Any] = [2, -1, 0.5, "maybe", [1]]
        for flag in flags:
            log = self.LOG | {"clicked": [0, 1, flag]}
            with pytest.raises(ParseError, match="line 3: expected 0 or 1 in 'clicked'"):
                support(log)
            pairs = preference_pairs(ClickLog(log, errors="report"))
            assert (list(pairs), len(pairs.problems)) == ([(1, "b", "a", 1)], 1)
        for shown, clicks in ((1, 2), (0, 1), (-1, 0), ("x", 0)):
            log = self.LOG | {"impressions": [1, 1, shown], "clicked": [0, 1, clicks]}
            with pytest.raises(ParseError, match=r"line 3: .*, or no more clicks than showings"):
                support(log)
        for no in ("", None, "False", "n", 0.0, "0.0"):
            assert support(self.LOG | {"clicked": [no, "1", no]}) == {("b", "a"): 1, ("b", "c"): 1}

    def test_other_values_are_events(self) -> None:
        log = self.LOG | {"clicked": [1, 2, 1]}
        assert support(log, columns={"event": "clicked"}, events=(2, 1)) == {
            ("b", "a"): 1,
            ("b", "c"): 1,
        }

    def test_columns_are_named_or_numbered(self) -> None:
        rows = list(zip(*self.LOG.values(), strict=True))
        numbered = {"session": 0, "item": 1, "clicked": 2}
        assert support(rows, columns=numbered) == support(self.LOG)
        log = {"session": [1, 1, 1], "shown": list("abc"), "c": [0, 1, 1]}
        assert support(log, columns={"item": "shown", "clicked": "c"}) == support(self.LOG)

    def test_columns_of_lists_beside_no_item(self) -> None:
        log = {"shown": ["a b"], "c": ["b"]}
        assert support(log, columns={"clicked": "c"}) == {("b", "a"): 1}

    def test_items_and_users_are_those_of_rows(self) -> None:
        log = self.LOG | {"clicked": [0, 0, 1], "user": ["u", "u", "NA"]}
        assert preference_pairs(log).items == list("abc")
        assert preference_pairs(log, by="user").counts.without_user == 1

    def test_users_and_pauses_make_sessions(self) -> None:
        log = {"user": ["u"] * 4, "item": list("abab"), "clicked": [1, 0, 0, 1]}
        assert support(log | {"time": [0, 1, 9, 10]}, gap=5) == {("a", "b"): 1, ("b", "a"): 1}

    @pytest.mark.parametrize(
        ("positions", "message"),
        [([1, 1, 2], "no other item there, found 1"), ([1, None, 2], "one position for 'b'")],
    )
    def test_positions_that_lie(self, positions: Any, message: str) -> None:
        log = self.LOG | {"position": positions}
        assert support(log) == support(self.LOG), "levels do not ask"
        with pytest.raises(ParseError, match=message):
            support(log, "click_over_skip_above")


class TestListedFlags:
    """Lists of flags are told from lists of items, or it is asked."""

    def test_other_flags_than_items_leave_out_their_row(self) -> None:
        for flags in ([True], [1, 0, 1], [0, 2], ["0", "x"], [0, -1]):
            log = {"shown": [["a", "b"], ["a", "b"]], "clicked": [[0, 1], flags]}
            pairs = preference_pairs(ClickLog(log, errors="report"))
            if "x" in flags:
                assert pairs.counts.not_shown == 4, "they are items"
            else:
                assert (list(pairs), [p.line for p in pairs.problems]) == ([(1, "b", "a", 1)], [2])

    def test_no_list_of_flags_is_no_click(self) -> None:
        log = {"shown": [["a", "b"], ["b", "a"]], "clicked": [[0, 1], None]}
        assert support(log) == {("b", "a"): 1}

    def test_items_may_be_numbers(self) -> None:
        log = {"shown": [[0, 1, 2], [1, 0]], "clicked": [[1], [0]]}
        assert support(log) == {(1, 0): 1, (1, 2): 1, (0, 1): 1}

    def test_it_is_asked(self) -> None:
        logs: list[Columns] = [
            {"shown": [[0, 1]], "clicked": [[1, 0]]},
            {"shown": ["a b c", "b a c"], "clicked": ["2", "3"]},
            {"shown": ["a", "b"], "clicked": ["0", "1"]},
            {"shown": ["green tea"], "clicked": [1]},
        ]
        for log in logs:
            with pytest.raises(PorankError, match="expected items that were shown, or flags"):
                support(log)


def test_counts_in_slots_are_called_clicks() -> None:
    log = {"slot1": ["a"], "click1": [0], "slot2": ["b"], "click2": [3]}
    with pytest.raises(ParseError, match=r"columns called clicks, found neither for 'b'"):
        support(log)
    assert support({name.replace("click", "clicks"): log[name] for name in log}) == {("b", "a"): 1}


def test_a_row_that_shows_one_item_is_named(tmp_path: Path) -> None:
    log: Columns = {"session": [1, 1], "shown": ["green tea", "milk"], "clicked": [0, 1]}
    for form in FORMS.values():
        with pytest.raises(PorankError, match=r"columns={'item': 'shown'} if a row shows one item"):
            support(form(log, tmp_path / "log"))
        named = support(form(log, tmp_path / "log"), columns={"item": "shown"})
        assert named == {("milk", "green tea"): 1}


class TestClicksAlone:
    """Nothing is known of what was shown; later clicks are preferred to earlier ones."""

    LOG: ClassVar[Columns] = {
        "sessionId": [1, 1, 2, 2, 2],
        "userId": ["NA"] * 5,
        "itemId": list("abbac"),
    }
    LOG |= {"timeframe": [5, 9, 1, 4, 3], "eventdate": ["2016-05-09"] * 5}

    def test_in_every_form(self, tmp_path: Path) -> None:
        later = {("b", "a"): 1, ("a", "b"): 1, ("a", "c"): 1, ("c", "b"): 1}
        for form in FORMS.values():
            log = form(self.LOG, tmp_path / "log")
            assert support(log, "click_over_earlier_click") == later
            assert support(log) == {}
            report = po.feedback_report(log)
            assert "each row is a click" in str(report)
            assert "clicks by the rule click_over_earlier_click" in str(report)

    def test_explore_names_the_rule(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
    ) -> None:
        path = as_csv(self.LOG, tmp_path / "log")
        code = run_line(f"porank explore {path}", monkeypatch)
        err = capsys.readouterr().err
        assert code == 2
        assert "the rule click_over_earlier_click compares items" in err
        assert run_line(f"porank explore {path} --rule click_over_earlier_click", monkeypatch) == 0

    @pytest.mark.parametrize("name", ["Category", "kind", "position", "propensity"])
    def test_a_column_that_may_say_more_is_asked_about(
        self, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log: Columns = {"Session ID": [1, 1], "Item ID": ["a", "b"], name: [1, 2]}
        rule = "click_over_earlier_click"
        with pytest.raises(PorankError, match=r"{'event': None} that each row is a click"):
            support(log, rule)
        assert support(log, rule, columns={"event": None}) == {("b", "a"): 1}
        rows = list(zip(*log.values(), strict=True))
        assert support(rows, rule, columns={"session": 0, "item": 1, "event": None}) == {
            ("b", "a"): 1
        }
        path = as_csv(log, tmp_path / "log")
        bare = tmp_path / "bare.csv"
        bare.write_text(path.read_text().partition("\n")[2])
        numbered = {"session": 0, "item": 1, "event": None}
        assert support(bare, rule, columns=numbered) == {("b", "a"): 1}
        assert (
            run_line(f"porank explore {path} --rule {rule} --columns event=none", monkeypatch) == 0
        )


class TestCountsOfManySessions:
    """Counts without sessions do not say what stood together."""

    def test_rates_are_scores(self) -> None:
        log = {"query": list("qq"), "item": list("ab"), "impressions": [10, 8], "clicks": [1, 4]}
        with pytest.raises(
            PorankError, match=r"from_scores\({item: clicks / impressions}\) orders"
        ):
            support(log)
        columns = (log[name] for name in ("item", "clicks", "impressions"))
        rates = {item: clicks / shown for item, clicks, shown in zip(*columns, strict=True)}
        assert list(po.from_scores(rates).edges) == [("b", "a")]

    def test_kdd_cup(self) -> None:
        log = {"Click": [0, 2], "Impression": [1, 3], "DisplayURL": ["u", "u"], "AdID": [8, 9]}
        log |= {"AdvertiserID": [1, 1], "Depth": [2, 2], "Position": [1, 2], "QueryID": [5, 5]}
        with pytest.raises(PorankError, match=r"columns={'session': 'UserID'} takes all"):
            support(log | {"UserID": [7, 7]})
        named = {"session": "UserID"}
        skipped = support(log | {"UserID": [7, 7]}, "click_over_skip_above", columns=named)
        assert skipped == {(9, 8): 1}

    def test_bandits_say_what_was_shown_together(self) -> None:
        log = {"timestamp": ["2019-11-24"] * 2, "item_id": [79, 14], "position": [2, 1]}
        log |= {"click": [0, 1], "propensity_score": [0.0875, 0.005]}
        with pytest.raises(PorankError, match="do not tell what was shown together"):
            support(log)
        assert support(log, columns={"session": "timestamp"}) == {(14, 79): 1}


class TestPropensities:
    """How likely an item is looked at is not how likely it was chosen."""

    LOG: ClassVar[Columns] = {
        "session": [1, 1, 2, 2],
        "item": list("abab"),
        "clicked": [1, 0, 1, 0],
    }

    def test_that_of_an_action_is_asked_about(self) -> None:
        log = self.LOG | {"propensity_score": [0.5] * 4}
        assert support(log) == {("a", "b"): 2}
        with pytest.raises(PorankError, match="how likely it was chosen to be shown"):
            support(log, propensity="propensity_score")
        sure = {"propensity": "propensity_score"}
        assert support(log, propensity="propensity_score", columns=sure) == {("a", "b"): 4}

    def test_what_is_clipped_is_counted(self) -> None:
        log = self.LOG | {"seen": [0.01, 1, 0.5, 1]}
        pairs = preference_pairs(ClickLog(log, propensity="seen"), by=())
        assert (list(pairs), pairs.counts.clipped) == ([("a", "b", 22)], 1)
        assert pairs.counts.effective_support == pytest.approx((20 + 2) ** 2 / (20**2 + 2**2))
        by_place = ClickLog(self.LOG | {"position": [1, 2, 2, 1]}, propensity=[1, 0.2])
        report = po.feedback_report(by_place, clip=0.5)
        assert report.counts is not None
        assert report.counts.clipped == 1
        assert "propensities below clip count as clip" in str(report)
        assert "effective support  1.8" in str(report)
        assert preference_pairs(by_place).counts.clipped == 0

    def test_what_is_no_probability_is_left_out_and_counted(self) -> None:
        log = self.LOG | {"seen": [1.5, 1, -0.5, 1]}
        report = po.feedback_report(ClickLog(log, propensity="seen", errors="report"))
        assert len(report.problems) == 2


class TestNobody:
    """Users that a log does not know are no user."""

    LOG: ClassVar[Columns] = {
        "session": [1, 1, 2, 2, 3, 3],
        "item": list("ababab"),
        "event": ["click", "view", "view", "click", "click", "view"],
    }

    @pytest.mark.parametrize(
        "nobody", ["NA", "", "NULL", "null", "None", "nan", "<NA>", None, float("nan"), pd.NA]
    )
    def test_rows_of_nobody_are_left_out_and_counted(self, nobody: Any, tmp_path: Path) -> None:
        log = self.LOG | {"user": [nobody] * 4 + ["u"] * 2}
        pairs = preference_pairs(log, by="user")
        assert list(pairs) == [("u", "a", "b", 1)]
        assert pairs.counts.without_user == 4
        assert "are left out" in str(po.feedback_report(pairs))
        table = po.evidence_table(log, unit="user")
        assert list(table) == [("a", "b", 1, 0, 0, 0, 0)]
        assert support(log) == {("a", "b"): 2, ("b", "a"): 1}, "where nobody asks for users"
        if not isinstance(nobody, (float, type(pd.NA))):
            path = as_csv(log, tmp_path / "log")
            assert list(preference_pairs(path, by="user")) == [("u", "a", "b", 1)]

    def test_their_pauses_make_no_sessions(self) -> None:
        log = self.LOG | {"user": ["NA"] * 4 + ["u"] * 2, "time": [1, 2, 3, 4, 5, 6]}
        del log["session"]
        pairs = preference_pairs(ClickLog(log, gap=9), by=())
        assert (list(pairs), pairs.counts.without_user) == ([("a", "b", 1)], 4)

    def test_their_ratings_are_of_several(self) -> None:
        log = {"user": ["NA", "NA", "u", "u"], "item": list("abab"), "rating": [1, 2, 4, 3]}
        pairs = preference_pairs(log, by=())
        assert (list(pairs), pairs.counts.without_user) == ([("a", "b", 1)], 2)

    def test_an_item_may_be_called_so_and_a_session_not(self) -> None:
        log = self.LOG | {"item": ["NA", "b"] * 3}
        assert support(log)["NA", "b"] == 2
        with pytest.raises(ParseError, match="line 1: expected a session, found 'NA'"):
            support(self.LOG | {"session": ["NA"] * 6})


class TestAmericanTimes:
    """Month, day, year, with AM or PM."""

    LOG: ClassVar[Columns] = {"session": [1, 1, 1], "item": list("abc"), "event": ["click"] * 3}

    def test_later_is_later(self, tmp_path: Path) -> None:
        times = ["11/15/2019 8:55:22 PM", "11/15/2019, 12:05\u202fAM", "2/28/2020 08:00:00 am"]
        later = {("a", "b"): 1, ("c", "a"): 1, ("c", "b"): 1}
        for form in FORMS.values():
            log = form(self.LOG | {"time": times}, tmp_path / "log")
            assert support(log, "click_over_earlier_click") == later
            pairs = preference_pairs(log, rule="click_over_earlier_click")
            assert "times such as '11/15/2019 8:55:22 PM' are month/day/year" in str(pairs.shape)

    def test_their_seconds(self) -> None:
        log = self.LOG | {"time": ["1/2/2020 12:00:00 PM", "1/2/2020 12:01 PM", "2020-01-02T12:05"]}
        assert support(log, "dwell") == {("b", "a"): 1}

    @pytest.mark.parametrize("time", ["25/12/2019 8:00 AM", "1/2/2020 13:00 PM", "AM", "8 PM"])
    def test_others_are_asked_about(self, time: str) -> None:
        log = self.LOG | {"time": ["1/2/2020 8:00 AM", time, "1/2/2020 9:00 AM"]}
        with pytest.raises(ParseError, match=f"line 2: expected .* time, found '{time}'"):
            support(log, "click_over_earlier_click")


@pytest.mark.parametrize("flags", [("no", "yes"), ("FALSE", "true"), ("f", "t")])
def test_flags_in_lists_may_be_words(flags: tuple[str, str]) -> None:
    log = {"shown": [["x1", "x2"]] * 2, "clicked": [[*flags], [*flags[::-1]]]}
    assert sorted(po.from_log(log).edges) == [("x1", "x2"), ("x2", "x1")]


@pytest.mark.parametrize(("cell", "is_said"), [("", True), ("0", False)])
def test_empty_cells_of_flags_are_said(cell: str, is_said: bool, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(f"session,item,was_clicked\n1,a,1\n1,b,{cell}\n")
    log = ClickLog(path)
    assert list(po.from_log(log).edges) == [("a", "b")]
    assert ("an empty cell of 'was_clicked' is no click" in str(log.shape)) is is_said
