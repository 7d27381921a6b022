"""The parts of reading a log fast, each against what it says in words."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.clicks import evidence as counting
from porank.clicks import sessions as pieces
from porank.clicks.preference_pairs import preference_pairs
from porank.core.arrays import IntegerTable, grouped, number_few
from porank.core.labels import Labels
from tests import oracles_clicks as oracle
from tests.clicks.test_rules import logs, without

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

    @pytest.mark.parametrize("width", [2**31 // 4, 2**31 // 4 + 1, 2**61 // 4, 2**61 // 4 + 1])
    def test_grouped_where_the_numbers_get_longer(self, width: int) -> None:
        first, second = np.array([5, 4, 5, 4]), np.array([width, 1, width, 0])
        order, starts = grouped(first, second)
        assert (order.tolist(), starts.tolist()) == ([3, 1, 0, 2], [0, 1, 2])


class TestNumbering:
    """Labels by first appearance."""

    @given(blocks=st.lists(st.lists(st.integers(-40, 300), max_size=9), max_size=5))
    def test_integers_by_first_appearance(self, blocks: list[list[int]]) -> None:
        table = IntegerTable()
        number: dict[int, int] = {}
        for block in blocks:
            codes = table.encode(np.array(block, dtype=np.int64))
            if codes is None:
                break
            assert codes.tolist() == [number.setdefault(value, len(number)) for value in block]
        assert table.different.tolist() == list(number)

    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint64, np.int64])
    def test_integers_of_every_length(self, dtype: type[Any]) -> None:
        # In 8 bits the difference between the first two is no number.
        values = np.tile(np.array([100, -100, 0, 55]).astype(dtype), 50)
        codes = Labels("item").encode(values)[0]
        assert codes.tolist() == [0, 1, 2, 3] * 50

    def test_a_table_grows_only_with_what_it_holds(self) -> None:
        table = IntegerTable()
        for first in range(0, 10**6, 1000):
            assert table.encode(np.arange(first, first + 1000)) is not None
        assert table.encode(np.array([10**8])) is None
        assert IntegerTable().encode(np.array([0, 10**6])) is None, "too large for two"
        assert len(table) == table.different.size == 10**6

    @given(values=st.lists(st.sampled_from([*"abcdefghijklmnopqrstuvwxyz"]), max_size=200))
    def test_few(self, values: list[str]) -> None:
        found = number_few(np.array(values, dtype="U1"))
        different = list(dict.fromkeys(values))
        if found is None:
            assert not values or len(different) > 16
        else:
            first, index = found
            assert [values[place] for place in first] == different
            assert [different[place] for place in index.tolist()] == values

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
        integers = labels.integers()
        assert integers is None or integers.tolist() == labels.values()
        assert set(map(type, labels.values())) <= {int, str}

    def test_equal_texts_that_are_two_objects_are_one_label(self) -> None:
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
        (row,) = preference_pairs(log, columns={"session": ["user", "day"]})
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
        self, log: list[oracle.Row], size: int, is_sorted: bool, by: Any, rule: str
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
        whole = preference_pairs(columns, **options)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("porank.clicks.log._ROWS_READ", size)
            patch.setattr(pieces, "BLOCK_ROWS", size)
            patch.setattr(counting, "_MANY_ROWS", size)
            found = preference_pairs(columns, **options)
        assert list(found) == list(whole)
        assert (found.counts, found.items) == (whole.counts, whole.items)
        assert found.items == list(dict.fromkeys(row["item"] for row in rows))

    def test_a_piece_of_which_nothing_is_left(self) -> None:
        # Wrong was: an error of NumPy, from the largest of no positions.
        text = "session,item,event,position\n1,a,view,1\n2,a,view,1\n1,b,click,2\n"
        options: dict[str, Any] = {"rule": "click_over_skip_above", "chunk_rows": 1}
        pairs = preference_pairs(io.StringIO(text), errors="report", **options)
        assert (len(pairs), [problem.line for problem in pairs.problems]) == (0, [4])


def _starts(rows: Sequence[Any]) -> list[int]:
    return [place for place, row in enumerate(rows) if not place or row != rows[place - 1]]
