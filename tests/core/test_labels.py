"""Times of a log, to the microsecond: equal ones are not told apart, others not merged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.clicks.rules import dwell, per_session
from porank.core.labels import Labels
from tests import oracles_clicks as oracle

pa = import_module("pyarrow")

START = datetime(2026, 3, 1, 10, tzinfo=UTC)
#: The same moments, milliseconds after the start, in the ways in which logs hold them.
FORMS: dict[str, Callable[[list[int]], Any]] = {
    "datetime": lambda ms: [START + timedelta(milliseconds=t) for t in ms],
    "text": lambda ms: [(START + timedelta(milliseconds=t)).isoformat() for t in ms],
    "zones": lambda ms: [
        (START + timedelta(milliseconds=t)).astimezone(timezone(timedelta(hours=t % 5))) for t in ms
    ],
    "datetime64": lambda ms: np.datetime64("2026-03-01T10", "ms") + np.array(ms, "m8[ms]"),
    "pandas": lambda ms: pd.Series(pd.Timestamp(START) + pd.to_timedelta(ms, unit="ms")),
    "pyarrow": lambda ms: pa.array([START + timedelta(milliseconds=t) for t in ms]),
    "floats": lambda ms: [t / 1000 for t in ms],
    "text of floats": lambda ms: [f"{t / 1000:.3f}" for t in ms],
    "seconds since 1970": lambda ms: np.array([1_772_359_200 + t / 1000 for t in ms]),
}


def log_of(times: Any, items: Any) -> dict[str, Any]:
    return {"session": [1] * len(times), "item": list(items), "time": times}


def said(log: Any, tolerance: Any = 0) -> list[Any]:
    rule = partial(dwell, tolerance=tolerance)
    return sorted((u, v) for _, u, v, _ in po.preference_pairs(log, rule=rule))


@given(
    form=st.sampled_from([*FORMS]),
    times=st.lists(st.integers(0, 1000) | st.integers(0, 10).map(lambda t: 100 * t), max_size=8),
    tolerance=st.sampled_from([0, 100, 200, 300, 7]),
)
def test_dwell_by_definition(form: str, times: list[int], tolerance: int) -> None:
    items = [f"item {number % 5}" for number in range(len(times))]
    rows = [{"item": i, "time": t} for i, t in zip(items, times, strict=True)]
    log = log_of(FORMS[form](times), items)
    assert set(said(log, tolerance / 1000)) == oracle.dwell(rows, tolerance)
    assert set(said(log, Fraction(tolerance, 1000))) == oracle.dwell(rows, tolerance)


def test_amounts_are_decimals() -> None:
    amounts: list[tuple[str, list[float], float, list[str]]] = [
        ("ab", [0.3, 0.2], 0.1, []),
        ("ab", [0.3, 0.2], 0.099999, ["ab"]),
        # 0.29 * 100 is 28.999999999999996 in floats.
        ("ab", [0.58, 0.29], 0.29, []),
        ("aaab", [0.1, 0.1, 0.1, 0.3], 0, []),
        ("abc", [1 / 3, 1 / 3 + 1e-12, 0.5], 0, ["ca", "cb"]),
        ("ab", [1e300, 2e300], 1e299, ["ba"]),
        # The sequence of amounts does not matter.
        ("aaabbb", [2.0**60, 2.0**52, 1, 1, 2.0**52, 2.0**60], 0, []),
    ]
    for items, times, tolerance, pairs in amounts:
        log = {"session": [1] * len(items), "item": [*items], "dwell": times}
        assert said(log, tolerance) == [tuple(pair) for pair in pairs]


def test_integers_beyond_those_of_floats_beside_nothing() -> None:
    for dtype in ("Int64", "int64[pyarrow]", "UInt64"):
        frame = pd.DataFrame({"session": [1, 1, 1], "event": ["click", "view", "view"]})
        frame["item"] = pd.array([2**53, 2**53 + 1, None], dtype=dtype)
        pairs = po.preference_pairs(po.ClickLog(frame, errors="report"))
        assert list(pairs) == [(1, 2**53, 2**53 + 1, 1)]
        assert [type(item) for item in pairs.items] == [int, int]
        assert [problem.line for problem in pairs.problems] == [3]


def by_time(sessions: Any) -> Any:
    order = np.argsort(sessions.last_click, kind="stable")
    kept = order[sessions.clicked[order]] if "event" in sessions.rows else order
    return kept[1:], kept[:-1]


def test_one_log_has_one_kind_of_times() -> None:
    for times, kind in (([5, "2026-01-01"], "number"), ([START, 5.5], "date")):
        with pytest.raises(po.ParseError, match=f"a {kind} as time, like the times before"):
            po.preference_pairs(log_of(times, "ab"), rule=by_time)


def test_dates_far_off_and_what_one_session_sees() -> None:
    far: list[Any] = [date(9999, 12, 31), np.datetime64("3000", "Y"), "1500-01-01"]
    for later, time in zip(["ba", "ba", "ab"], far, strict=True):
        log = po.ClickLog(log_of([date(2026, 1, 1), time], "ab"), errors="report")
        assert list(po.preference_pairs(log, rule=by_time)) == [(1, *later, 1)]
    seen: list[Any] = []

    def look(events: Any) -> list[Any]:
        seen.extend(event.time for event in events)
        return []

    for times in ([7, 2**60], [0.5, 7], ["1970-01-01T00:00:01.5", "1970-01-02"]):
        po.preference_pairs(log_of(times, "ab"), rule=per_session(look))
    assert seen == [7, 2**60, 0.5, 7.0, 1.5, 86400.0]


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
