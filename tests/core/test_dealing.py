"""Rows dealt out: equal labels meet in one part, whatever their types, in whatever process."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.workers import _SPREAD as SPREAD
from porank.core.workers import deal

LABELS = st.one_of(
    st.integers(),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False),
    st.fractions(),
    st.booleans(),
    st.text(),
    st.tuples(st.integers(), st.text()),
    st.frozensets(st.integers()),
)


def parts_of(column: Any, parts: int) -> list[int]:
    """Return the part of each row."""
    dealt, _ = deal([column], ["user"], np.arange(len(column)), parts)
    found = [-1] * len(column)
    for some in dealt:
        for row in some.rows.tolist():
            assert found[row] == -1
            found[row] = some.part
    return found


@given(st.lists(LABELS, max_size=20), st.integers(1, 9), st.data())
def test_equal_labels_meet(labels: list[Any], parts: int, data: st.DataObject) -> None:
    labels += data.draw(st.lists(st.sampled_from(labels), max_size=9)) if labels else []
    part_of = dict(zip(labels, parts_of(labels, parts), strict=True))
    assert parts_of(labels, parts) == [part_of[label] for label in labels]
    assert all(0 <= part < parts * SPREAD for part in part_of.values())
    for label in labels:
        assert parts_of([label], parts) == [part_of[label]]


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-1, -2, 2**61 - 1, -(2**61)])),
    st.integers(1, 300),
)
def test_integers_in_arrays_are_those_in_lists(values: list[int], parts: int) -> None:
    wanted = parts_of(values, parts)
    assert parts_of(np.array(values, dtype=np.int64), parts) == wanted
    fractions: list[Any] = list(map(Fraction, values))
    assert parts_of(fractions, parts) == wanted
    positive = [value for value in values if value >= 0]
    wanted = parts_of(positive, parts)
    assert parts_of(np.array(positive, dtype=np.uint64), parts) == wanted


@pytest.mark.parametrize("column", [np.arange(10_000), [f"u{n}" for n in range(10_000)]])
def test_parts_are_of_about_one_size(column: Any) -> None:
    sizes = np.bincount(parts_of(column, 10))
    assert sizes.size == 10 * SPREAD
    assert sizes.min() > 150


def test_starts_are_where_labels_change() -> None:
    users, days = [1, 1, 1, 2, 2, 1], list("aabbba")
    dealt, faults = deal([users, days, list(range(6))], ["user", "day"], np.arange(6), 3)
    firsts = {row for some in dealt for row in some.rows[some.starts].tolist()}
    # Row 5 is of the group of row 0, and follows it in its part unless another one is there, too.
    assert firsts - {5} == {0, 2, 3}
    assert faults == []


def test_what_is_no_label_is_told() -> None:
    columns = [[1, None, 2], ["x", "y", ""]]
    dealt, faults = deal(columns, ["user", "day"], np.arange(3), 3)
    assert sorted(row for some in dealt for row in some.rows.tolist()) == [0, 1, 2]
    assert faults == [(1, "expected a user, found None"), (2, "expected a day, found ''")]


def word_of(label: Any) -> int:
    """Return the word of a label by definition, in plain integers."""
    if isinstance(label, tuple):
        label_bytes = b"".join((number_of(each) % 2**64).to_bytes(8, "little") for each in label)
        return mixed(crc32(label_bytes))
    return mixed(number_of(label) % 2**64)


def number_of(label: Any) -> int:
    return crc32(label.encode()) if isinstance(label, str) else hash(label)


def mixed(z: int) -> int:
    """Return the end of SplitMix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def test_parts_are_the_same_in_every_process() -> None:
    # The hash that Python has for texts is another one in each process.
    labels: list[Any] = ["tea", "ü", ("tea", 1), 7, -1, 2**61, 1.5, "", -(2**63)]
    # What is no label has the word 0.
    wanted = [0 if label == "" else word_of(label) % (1000 * SPREAD) for label in labels]
    assert parts_of(labels, 1000) == wanted
    days = ["a", "b", "c"]
    both, _ = deal([["tea", "tea", "ü"], days], ["user", "day"], np.arange(3), 1000)
    assert {(some.part, row) for some in both for row in some.rows.tolist()} == {
        (mixed((3 * word_of(user) + word_of(day)) % 2**64) % (1000 * SPREAD), row)
        for row, (user, day) in enumerate(zip(["tea", "tea", "ü"], days, strict=True))
    }
