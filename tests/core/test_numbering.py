"""Rows of numbers, sorted and grouped; labels, numbered by first appearance."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from porank.core.arrays import grouped
from porank.core.labels import Labels

#: Numbers near each other, and far apart.
NUMBERS = st.one_of(st.integers(-3, 5), st.integers(-(2**20), 2**20), st.integers(-(2**62), 2**62))
ROWS = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[NUMBERS] * width), min_size=1, max_size=30)
)


@given(rows=ROWS)
def test_grouped(rows: list[tuple[int, ...]]) -> None:
    order, starts = grouped(*(np.array(column) for column in zip(*rows, strict=True)))
    expected = sorted(range(len(rows)), key=rows.__getitem__)
    assert order.tolist() == expected, "a stable sort"
    found = [rows[place] for place in expected]
    assert starts.tolist() == [k for k in range(len(rows)) if not k or found[k] != found[k - 1]]


def test_grouped_where_the_numbers_get_longer() -> None:
    for width in (2**31 // 4, 2**31 // 4 + 1, 2**61 // 4, 2**61 // 4 + 1):
        order, starts = grouped(np.array([5, 4, 5, 4]), np.array([width, 1, width, 0]))
        assert (order.tolist(), starts.tolist()) == ([3, 1, 0, 2], [0, 1, 2])


KINDS: dict[str, Any] = {
    "list": list,
    "int64": lambda values: np.array(values, np.int64),
    "int8": lambda values: np.array(values).astype(np.int8),
    "uint64": lambda values: np.array(values).astype(np.uint64),
    "object": lambda values: np.array(values, object),
    "text": lambda values: np.array([*map(str, values)]),
}


@given(
    st.sampled_from([*KINDS]), st.lists(st.lists(st.integers(-120, 120), max_size=60), max_size=4)
)
def test_labels_are_numbered_by_first_appearance(kind: str, blocks: list[list[int]]) -> None:
    labels = Labels("item")
    number: dict[Any, int] = {}
    for block in blocks:
        values = KINDS[kind](block)
        plain = values if isinstance(values, list) else values.tolist()
        assert labels.encode(values)[0].tolist() == [
            number.setdefault(value, len(number)) for value in plain
        ]
    assert labels.values() == list(number)
    assert set(map(type, labels.values())) <= {int, str}


def test_what_is_missing_in_an_array() -> None:
    values = np.array([None, "a", "a", None, [], "", ""], dtype=object)
    codes, faults = Labels("item").encode(values)
    assert codes.tolist() == [-1, 1, 1, -1, -1, -1, -1], "a missing label keeps its number"
    assert [place for place, _ in faults] == [0, 3, 4, 5, 6]
    days = np.array(["2020-01-01", "NaT", "2020-01-01"], dtype="datetime64[ns]")
    assert [place for place, _ in Labels("day").encode(days)[1]] == [1]
