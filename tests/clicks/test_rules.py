"""What sessions say: every rule against its definition, the laws, and what reads them fast."""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank import ClickLog
from porank.clicks import evidence as counting
from porank.clicks import sessions as pieces
from porank.clicks.feedback import from_log
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.rules import RULES, dwell, levels, per_session
from porank.core.arrays import grouped
from porank.core.labels import Labels
from porank.errors import PorankError
from tests import oracles_clicks as oracle
from tests.click_logs import asked
from tests.oracles_clicks import Row
from tests.strategies import ITEMS

#: Each log holds some sessions, and each is put to all rules.

#: Six results; the second and the fifth are clicked, the fifth first; the third is bought.
WORKED: list[Row] = [
    {"session": "s", "item": item, "position": position, "event": event, "time": time}
    for item, position, event, time in [
        *((item, place, "view", 0) for place, item in enumerate("ABCDEF", start=1)),
        ("E", 5, "click", 10),
        ("B", 2, "click", 40),
        ("C", 3, "click", 60),
        ("C", 3, "purchase", 65),
    ]
]


COLUMNS = ("session", "user", "item", "position", "event", "time", "dwell")


@st.composite
def logs(draw: st.DrawFn) -> list[Row]:
    """Some sessions, each item at one position, rows of all of them in any sequence."""
    rows: list[Row] = []
    for session in draw(st.lists(st.sampled_from(ITEMS), max_size=4, unique=True)):
        items = draw(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=5, unique=True))
        positions = draw(st.permutations(range(1, len(items) + 2)))
        user = draw(st.sampled_from(["u", "v"]))
        for item, position in zip(items, positions, strict=False):
            for event in draw(st.lists(st.sampled_from(oracle.EVENTS), min_size=1, max_size=3)):
                time, dwell = draw(st.integers(0, 6)), draw(st.integers(0, 4))
                row = (session, user, item, position, event, time, dwell)
                rows.append(dict(zip(COLUMNS, row, strict=True)))
    return draw(st.permutations(rows))


def without(log: Sequence[Row], *names: str) -> list[Row]:
    return [{name: row[name] for name in row if name not in names} for row in log]


def said(log: Any, **options: Any) -> dict[tuple[Any, ...], Any]:
    """Return the pairs as a mapping (groups, preferred, other) -> support, each row once."""
    pairs = asked(
        preference_pairs, log, columns={name: name for name in ("session", "item")}, **options
    )
    found = {row[:-1]: row[-1] for row in pairs}
    assert len(found) == len(pairs)
    return found


class TestRules:
    """Each rule by its name, against a loop over sessions."""

    @given(
        log=logs(),
        by=st.sampled_from([("session",), (), ("user",), ("user", "session")]),
        has_times=st.booleans(),
        several=st.lists(st.sampled_from([*RULES]), min_size=1, max_size=3),
    )
    def test_as_defined(
        self, log: list[Row], by: tuple[str, ...], has_times: bool, several: list[str]
    ) -> None:
        # Without times, the sequence of rows counts.
        log = without(log, "dwell") if has_times else without(log, "dwell", "time")
        for rules in [*([rule] for rule in RULES), several]:
            if has_times or "dwell" not in rules:
                definitions = [oracle.RULES[rule] for rule in rules]
                assert said(log, rule=rules, by=by) == oracle.support(log, definitions, by)

    @given(log=logs(), tolerance=st.sampled_from([0, 1, 2.5, Fraction(1, 2)]))
    def test_dwell_with_a_column_and_a_tolerance(self, log: list[Row], tolerance: Any) -> None:
        found = said(log, rule=partial(dwell, tolerance=tolerance), by=())
        assert found == oracle.support(log, [partial(oracle.dwell, tolerance=tolerance)])

    @pytest.mark.parametrize(
        ("rule", "pairs"),
        [
            ("levels", "CB CE CA CD CF BA BD BF EA ED EF"),
            ("click_over_skip_above", "BA CA EA ED"),
            ("last_click_over_skip_above", "CA"),
            ("click_over_earlier_click", "CB CE BE"),
            ("click_over_skip_previous", "BA ED"),
            ("click_over_no_click_next", "CD EF"),
            # 30 on E, 20 on B; C was the last, and how long it was looked at is not known.
            ("dwell", "EB"),
        ],
    )
    def test_worked_on_paper(self, rule: str, pairs: str) -> None:
        found = said(WORKED, rule=rule)
        assert found == {("s", *pair): 1 for pair in pairs.split()}
        assert found == oracle.support(WORKED, [oracle.RULES[rule]], ["session"])


class TestLaws:
    """What must hold whatever the log."""

    @given(log=logs(), data=st.data(), rule=st.sampled_from([*RULES]))
    def test_the_sequence_of_rows_does_not_matter(
        self, log: list[Row], data: st.DataObject, rule: str
    ) -> None:
        shuffled = data.draw(st.permutations(log))
        assert said(log, rule=rule) == said(shuffled, rule=rule)
        options: dict[str, Any] = {
            "rule": rule,
            "by": (),
            "propensity": [1, 0.7, 0.3, 0.1, 0.1, 0.1],
        }
        assert said(log, **options) == said(shuffled, **options)


class TestPropensity:
    """Support weighted by inverse, clipped examination."""

    @given(log=logs(), by=st.sampled_from([("session",), (), ("user",)]))
    def test_as_defined(self, log: list[Row], by: tuple[str, ...]) -> None:
        # Powers of two, whose sums are exact.
        examination = {1: 1, 2: 0.5, 3: 0.25, 4: 0.125, 5: 0.125, 6: 0.0}

        def weight(position: int) -> Fraction:
            return 1 / max(Fraction(examination[position]), Fraction(1, 4))

        found = said(log, rule="levels", by=by, propensity=examination, clip=0.25)
        assert found == oracle.support(log, [oracle.levels], by, weight)
        assert set(map(type, found.values())) <= {float}

    def test_a_mapping_a_sequence_and_a_function_say_the_same(self) -> None:
        values = [1, 0.5, 0.25, 0.125, 0.0625, 0.03125]
        found = [
            said(WORKED, rule="click_over_skip_above", propensity=propensity, by=())
            for propensity in (
                values,
                np.array(values),
                dict(enumerate(values, start=1)),
                lambda position: 2.0 ** (1 - position),
            )
        ]
        assert found == [{("B", "A"): 2, ("C", "A"): 4, ("E", "A"): 16, ("E", "D"): 16}] * 4


class TestOwnRules:
    """A function in the place of a name."""

    @given(log=logs())
    def test_a_function_of_one_session(self, log: list[Row]) -> None:
        def skip_above(events: list[Any]) -> set[tuple[Any, Any]]:
            rows = [event._asdict() for event in events]
            return oracle.click_over_skip_above(rows)

        named = said(log, rule="click_over_skip_above", by="user")
        assert said(log, rule=per_session(skip_above), by="user") == named

    def test_what_a_function_of_one_session_sees(self) -> None:
        seen: list[Any] = []

        def look(events: list[Any]) -> list[Any]:
            seen.append(events)
            return []

        log = {"session": [1, 1, 2], "item": ["b", "a", "c"], "time": [5, 3, 1]}
        assert len(preference_pairs(log, rule=per_session(look))) == 0
        assert [[tuple(event) for event in events] for events in seen] == [
            [("a", None, None, 3.0, None), ("b", None, None, 5.0, None)],
            [("c", None, None, 1.0, None)],
        ]
        log |= {"event": ["click", "view", "view"], "position": [2, 1, float("nan")]}
        preference_pairs(log, rule=per_session(look))
        assert [tuple(event) for events in seen[2:] for event in events] == [
            ("a", "view", 1, 3.0, None),
            ("b", "click", 2, 5.0, None),
            ("c", "view", None, 1.0, None),
        ]

    def test_a_function_of_arrays(self) -> None:
        def upside_down(sessions: Any) -> tuple[Any, Any]:
            return levels(sessions)[::-1]

        forth = said(WORKED, rule="levels")
        assert said(WORKED, rule=upside_down) == {("s", v, u): 1 for _, u, v in forth}
        both = said(WORKED, rule=["levels", upside_down, levels], by=())
        assert len(both) == 2 * len(forth)
        assert set(both.values()) == {1}

    def test_what_is_no_pair_is_refused(self) -> None:
        def say(found: Any, _: Any) -> Any:
            return found

        entries: list[tuple[Any, str]] = [
            (None, "two arrays of entries of equal length"),
            ((["A"], ["B"]), "two arrays of entries of equal length"),
            (([0.5], [1.0]), r"per_session\(f\) makes a rule of a function of one session"),
            (([0], [6]), "entries from 0 to 5 from the rule say, found 0 to 6"),
            (([-1], [0]), "found -1 to 0"),
            (([2], [2]), "pairs of two items of one session .* found 'C' and 'C'"),
        ]
        for found, message in entries:
            with pytest.raises(PorankError, match=message):
                preference_pairs(WORKED, rule=partial(say, found))
        items: list[Any] = [[("A", "Z")], [("A",)], 7, [([], "A")]]
        for found in items:
            with pytest.raises(PorankError, match=r"\(preferred, other\) of items of the session"):
                preference_pairs(WORKED, rule=per_session(partial(say, found)))
        log = {"session": [1, 2], "item": ["a", "b"]}
        with pytest.raises(PorankError, match="found 'a' and 'b' of another session"):
            preference_pairs(log, rule=lambda _: ([0], [1]))
        for column in ("level", "position"):
            with pytest.raises(PorankError, match="which the rule asks for, found none"):
                preference_pairs({"session": [1], "item": ["a"]}, rule=attrgetter(column))


class TestOptions:
    """Options that are none."""

    def test_refused(self) -> None:
        refused: list[tuple[dict[str, Any], str]] = [
            ({"rule": "level"}, "a function or one of 'levels', 'dwell'"),
            ({"rule": []}, "at least one rule"),
            ({"rule": partial(dwell, tolerance=-1)}, "number >= 0 as tolerance, found -1"),
            ({"rule": partial(dwell, tolerance="1")}, "as tolerance, found '1'"),
            ({"by": "colour"}, "expected a column for colour, found"),
            ({"by": "event"}, "columns of sessions, such as 'user', as by"),
            ({"by": ["session", "session"]}, "different names of columns"),
            ({"by": "support"}, "none of them 'preferred'"),
            ({"events": "click"}, "a sequence of events, strongest first"),
            ({"events": ["click"]}, "at least two levels of events"),
            ({"events": ["click", ()]}, "none of them empty"),
            ({"events": ["click", ("view", "click")]}, "each event once in events"),
            ({"errors": "ignore"}, "one of 'raise', 'report', found 'ignore'"),
            ({"columns": "session"}, "a mapping such as"),
            ({"columns": {"sesion": "s"}}, "'session', 'user', .* as keys of columns"),
            ({"columns": {"session": "s"}}, "a column 's' for session, found 'session'"),
            ({"propensity": [1.0]}, "propensity of each position, found none for 2, 3, 5"),
            ({"propensity": [2.0] * 6}, "as the propensity of position 2, found 2.0"),
            ({"propensity": 0.5}, "a mapping, a sequence or a function of the position"),
            ({"propensity": [1.0] * 6, "clip": 0}, "above 0 and up to 1 as clip, found 0"),
            ({"clip": "much"}, "from 0 to 1 as clip, found 'much'"),
        ]
        for options, message in refused:
            with pytest.raises(PorankError, match=message):
                asked(preference_pairs, WORKED, **options)
        with pytest.raises(PorankError, match="a column for dwell or for time, found neither"):
            preference_pairs(without(WORKED, "time"), rule="dwell")
        with pytest.raises(PorankError, match="a column for position"):
            preference_pairs(ClickLog(without(WORKED, "position"), propensity=[1.0]))

    def test_seconds_since_1970_are_equal_despite_their_rounding(self) -> None:
        times = [1700000000.1, 1700000005.2, 1700000010.3, 1700000010.9]
        log = {"session": [1] * 4, "item": list("abcd"), "event": ["click"] * 4, "time": times}
        pairs = preference_pairs(log, rule=dwell)
        assert [(u, v) for _, u, v, _ in pairs] == [("a", "c"), ("b", "c")]

    def test_events_of_ones_own(self) -> None:
        log = {"session": [1] * 4, "item": list("abcd"), "event": ["buy", "tap", "click", "seen"]}
        found = said(log, events=["buy", ("click", "tap"), "seen"])
        assert {u + v for _, u, v in found} == {"ab", "ac", "ad", "bd", "cd"}
        flags = {"session": [1, 1], "item": ["a", "b"], "event": np.array([False, True])}
        assert said(flags, events=[1, 0]) == {(1, "b", "a"): 1}


class TestFromLog:
    """The graph of a log."""

    @given(log=logs())
    def test_edges_and_what_speaks_against_them(self, log: list[Row]) -> None:
        counts = oracle.support(log, [oracle.levels])
        G = from_log(log)
        assert list(G) == oracle.items_of(log)
        assert {(u, v): (s, a) for u, v, s, a in _evidence(G)} == {
            (u, v): (count, counts.get((v, u), 0)) for (u, v), count in counts.items()
        }


def _evidence(G: nx.DiGraph) -> list[Any]:
    return [(u, v, data["support"], data["against"]) for u, v, data in G.edges(data=True)]


#: Numbers near each other, and far apart.
NUMBERS = st.one_of(st.integers(-3, 5), st.integers(-(2**20), 2**20), st.integers(-(2**62), 2**62))
ROWS = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[NUMBERS] * width), min_size=1, max_size=30)
)
FEW_NUMBERS = st.lists(st.integers(0, 3), max_size=12)


class TestGrouping:
    """Rows of numbers, sorted."""

    @given(rows=ROWS)
    def test_grouped(self, rows: list[tuple[int, ...]]) -> None:
        order, starts = grouped(*(np.array(column) for column in zip(*rows, strict=True)))
        expected = sorted(range(len(rows)), key=rows.__getitem__)
        assert order.tolist() == expected, "a stable sort"
        assert starts.tolist() == _starts([rows[place] for place in expected])

    def test_grouped_where_the_numbers_get_longer(self) -> None:
        for width in (2**31 // 4, 2**31 // 4 + 1, 2**61 // 4, 2**61 // 4 + 1):
            order, starts = grouped(np.array([5, 4, 5, 4]), np.array([width, 1, width, 0]))
            assert (order.tolist(), starts.tolist()) == ([3, 1, 0, 2], [0, 1, 2])


class TestNumbering:
    """Labels by first appearance."""

    @given(blocks=st.lists(st.lists(st.integers(-40, 300), max_size=9), max_size=5))
    def test_integers_by_first_appearance(self, blocks: list[list[int]]) -> None:
        labels = Labels("item")
        number: dict[int, int] = {}
        for block in blocks:
            codes, _ = labels.encode(np.array(block, dtype=np.int64))
            assert codes.tolist() == [number.setdefault(value, len(number)) for value in block]
        assert labels.values() == list(number)

    @given(
        kinds=st.lists(st.sampled_from(["int64", "int32", "list", "object", "text"]), max_size=4),
        data=st.data(),
    )
    def test_labels_do_not_depend_on_what_holds_them(
        self, kinds: list[str], data: st.DataObject
    ) -> None:
        labels, by_list = Labels("item"), Labels("item")
        for kind in kinds:
            numbers = data.draw(st.lists(st.integers(0, 9), min_size=1, max_size=80))
            plain: list[Any] = [str(n) for n in numbers] if kind == "text" else numbers
            values = plain if kind == "list" else np.array(plain, dtype=_DTYPES.get(kind))
            assert labels.encode(values)[0].tolist() == by_list.encode(plain)[0].tolist()
        assert labels.values() == by_list.values()
        assert set(map(type, labels.values())) <= {int, str}

    def test_integers_of_every_length_and_equal_texts(self) -> None:
        # In 8 bits the difference between the first two is no number.
        for dtype in (np.int8, np.uint8, np.int16, np.uint64, np.int64):
            values = np.tile(np.array([100, -100, 0, 55]).astype(dtype), 50)
            assert Labels("item").encode(values)[0].tolist() == [0, 1, 2, 3] * 50
        texts = np.array(["".join("ab"), "".join("ab"), "c"], dtype=object)
        assert texts[0] is not texts[1]
        assert Labels("item").encode(texts)[0].tolist() == [0, 0, 1]

    def test_what_is_missing_in_an_array(self) -> None:
        values = np.array([None, "a", "a", None, [], "", ""], dtype=object)
        labels = Labels("item")
        codes, faults = labels.encode(values)
        assert codes.tolist() == [-1, 1, 1, -1, -1, -1, -1], "a missing label keeps its number"
        assert [place for place, _ in faults] == [0, 3, 4, 5, 6]
        days = np.array(["2020-01-01", "NaT", "2020-01-01"], dtype="datetime64[ns]")
        assert [place for place, _ in Labels("day").encode(days)[1]] == [1]

    def test_labels_of_several_arrays_are_plain(self) -> None:
        log = {"user": np.array([1, 1]), "day": np.array([2, 2]), "item": ["a", "b"]}
        log["event"] = np.array(["click", "view"])
        (row,) = preference_pairs(ClickLog(log, columns={"session": ["user", "day"]}))
        assert row == ((1, 2), "a", "b", 1)
        assert set(map(type, row[0])) == {int}


_DTYPES: dict[str, Any] = {"int64": np.int64, "int32": np.int32, "object": object}


class TestTogether:
    """All of it at once, with blocks so small that there are many."""

    @given(
        log=logs(),
        size=st.integers(1, 9),
        is_sorted=st.booleans(),
        by=st.sampled_from([("session",), (), "user"]),
        rule=st.sampled_from([*oracle.RULES]),
    )
    def test_pieces_do_not_matter(
        self, log: list[Row], size: int, is_sorted: bool, by: Any, rule: str
    ) -> None:
        sessions = list(dict.fromkeys(row["session"] for row in log))
        items = list(dict.fromkeys(row["item"] for row in log))
        log = without(log, "dwell")
        rows = [
            row | {"session": 10 + sessions.index(row["session"]), "item": items.index(row["item"])}
            for row in log
        ]
        if is_sorted:
            rows.sort(key=lambda row: int(row["session"]))
        columns = {name: np.array([row[name] for row in rows]) for name in (rows or [{}])[0]}
        if not rows:
            return
        options: dict[str, Any] = {"rule": rule, "by": by, "propensity": [1, 0.7, 0.3, 0.2, 0.1, 1]}
        whole = asked(preference_pairs, columns, **options)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("porank.core.columns.BLOCK_ROWS", size)
            patch.setattr(pieces, "BLOCK_ROWS", size)
            patch.setattr(counting, "_MANY_ROWS", size)
            found = asked(preference_pairs, columns, **options)
        assert list(found) == list(whole)
        assert (found.counts, found.items) == (whole.counts, whole.items)
        assert found.items == list(dict.fromkeys(row["item"] for row in rows))

    def test_a_piece_of_which_nothing_is_left(self) -> None:
        # Wrong was: an error of NumPy, from the largest of no positions.
        text = "session,item,event,position\n1,a,view,\n2,a,view,1\n2,b,click,2\n"
        options: dict[str, Any] = {"rule": "click_over_skip_above", "errors": "report"}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pieces, "BLOCK_ROWS", 1)
            pairs = asked(preference_pairs, io.StringIO(text), **options)
        assert (len(pairs), [problem.line for problem in pairs.problems]) == (1, [2])


def _starts(rows: Sequence[Any]) -> list[int]:
    return [place for place, row in enumerate(rows) if not place or row != rows[place - 1]]
