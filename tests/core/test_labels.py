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
from hypothesis import given, settings
from hypothesis import strategies as st

from porank import ClickLog
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.rules import dwell, per_session
from porank.errors import ParseError, PorankError
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


def log_of(times: Any, items: str = "abc") -> dict[str, Any]:
    return {"session": [1] * len(times), "item": list(items), "time": times}


def said(log: Any, tolerance: Any = 0) -> list[tuple[Any, Any]]:
    rule = partial(dwell, tolerance=tolerance)
    return sorted((u, v) for _, u, v, _ in preference_pairs(log, rule=rule))


@pytest.mark.parametrize("form", FORMS)
class TestMilliseconds:
    """Times of milliseconds, in every form."""

    @settings(max_examples=12)
    @given(
        times=st.lists(
            st.integers(0, 1000) | st.integers(0, 10).map(lambda t: 100 * t), max_size=8
        ),
        tolerance=st.sampled_from([0, 100, 200, 300, 7]),
    )
    def test_dwell_by_the_definition(self, form: str, times: list[int], tolerance: int) -> None:
        items = [f"item {number % 5}" for number in range(len(times))]
        rows = [{"item": i, "time": t} for i, t in zip(items, times, strict=True)]
        log = {"session": [1] * len(times), "item": items, "time": FORMS[form](times)}
        assert set(said(log, tolerance / 1000)) == oracle.dwell(rows, tolerance)
        assert set(said(log, Fraction(tolerance, 1000))) == oracle.dwell(rows, tolerance)

    def test_equal_times_are_not_told_apart(self, form: str) -> None:
        log = log_of(FORMS[form]([100, 200, 300]))
        assert said(log) == []
        assert said(log_of(FORMS[form]([100, 200, 301]))) == [("b", "a")]


class TestAmounts:
    """Decimals are decimals, times told to the microsecond."""

    def test_differences_equal_to_the_tolerance(self) -> None:
        log = {"session": [1, 1], "item": ["a", "b"], "dwell": [0.3, 0.2]}
        assert said(log, 0.1) == []
        assert said(log, 0.099999) == [("a", "b")]
        # 0.29 * 100 is 28.999999999999996 in floats.
        assert said({"session": [1, 1], "item": ["a", "b"], "dwell": [0.58, 0.29]}, 0.29) == []

    def test_sums_of_decimals(self) -> None:
        log = {"session": [1] * 4, "item": list("aaab"), "dwell": [0.1, 0.1, 0.1, 0.3]}
        assert said(log) == []

    def test_floats_that_are_no_decimals_count_to_the_ninth_place(self) -> None:
        third = 1 / 3
        log = {"session": [1, 1, 1], "item": list("abc"), "dwell": [third, third + 1e-12, 0.5]}
        assert said(log) == [("c", "a"), ("c", "b")]

    def test_large_ones_are_as_exact_as_floats(self) -> None:
        log = {"session": [1, 1], "item": ["a", "b"], "dwell": [1e300, 2e300]}
        assert said(log, 1e299) == [("b", "a")]
        assert said(log, 1e300) == []

    @pytest.mark.parametrize("amounts", [[1e300, 1e284], [0.1, 0.2, 0.3], [2.0**60, 2.0**52, 1]])
    def test_the_sequence_of_amounts_does_not_matter(self, amounts: list[float]) -> None:
        log = {"session": [1] * 2 * len(amounts), "dwell": [*amounts, *amounts[::-1]]}
        assert said(log | {"item": ["a"] * len(amounts) + ["b"] * len(amounts)}) == []

    @pytest.mark.parametrize("far", [200_000_000, 1e17, 1e300, 0.123456789])
    @pytest.mark.parametrize("times", [1, 3000])
    def test_a_session_does_not_change_another(self, far: float, times: int) -> None:
        # With one scale for both, A and B would be tied, or 0.8 exceed 0.7 by more than 0.1.
        for near, tolerance, expected in (([0.5, 0.50000001], 0, "BA"), ([0.8, 0.7], 0.1, "")):
            log = {"session": [1, 1] + [2] * (times + 1), "item": [*"AB", *"C" * times, "D"]}
            log["dwell"] = [*near, *[far] * times, 0.0]
            rule = partial(dwell, tolerance=tolerance)
            found = [(s, u + v) for s, u, v, _ in preference_pairs(log, rule=rule)]
            assert found == [(1, expected)] * bool(expected) + [(2, "CD")] * (far > tolerance)


class TestLargeNumbers:
    """Whole numbers beyond those of floats."""

    @pytest.mark.parametrize("dtype", ["Int64", "int64[pyarrow]", "UInt64"])
    def test_integers_of_pandas_beside_nothing(self, dtype: str) -> None:
        frame = pd.DataFrame(
            {
                "session": pd.array([1, 1, 1], dtype="Int64"),
                "item": pd.array([2**53, 2**53 + 1, None], dtype=dtype),
                "event": ["click", "view", "view"],
            }
        )
        pairs = preference_pairs(ClickLog(frame, errors="report"))
        assert list(pairs) == [(1, 2**53, 2**53 + 1, 1)]
        assert [type(item) for item in pairs.items] == [int, int]
        assert [problem.line for problem in pairs.problems] == [3]


class TestKinds:
    """Dates, or numbers, or what is neither."""

    @pytest.mark.parametrize(
        ("times", "kind"),
        [
            ([5, "2026-01-01"], "a number"),
            (["2026-01-01", "5"], "a date"),
            ([START, 5.5], "a date"),
        ],
    )
    def test_one_log_has_one_kind(self, times: list[Any], kind: str) -> None:
        log = log_of(times, items="ab")
        with pytest.raises(ParseError, match=f"expected {kind} as time, like the times before"):
            preference_pairs(log, rule=by_time)

    @pytest.mark.parametrize("far", [date(9999, 12, 31), np.datetime64("3000", "Y"), "1500-01-01"])
    def test_dates_far_off(self, far: Any) -> None:
        log = log_of([date(2026, 1, 1), far], items="ab")
        pairs = preference_pairs(ClickLog(log, errors="report"), rule=by_time)
        is_later = str(far) > "2026"
        assert list(pairs) == [(1, *("ba" if is_later else "ab"), 1)]

    def test_what_one_session_sees(self) -> None:
        seen: list[Any] = []

        def look(events: Any) -> list[Any]:
            seen.extend(event.time for event in events)
            return []

        for times in ([7, 2**60], [0.5, 7], ["1970-01-01T00:00:01.5", "1970-01-02"]):
            preference_pairs(log_of(times, items="ab"), rule=per_session(look))
        assert seen == [7, 2**60, 0.5, 7.0, 1.5, 86400.0]


def by_time(sessions: Any) -> Any:
    order = np.argsort(sessions.last_click, kind="stable")
    kept = order[sessions.clicked[order]] if "event" in sessions.rows else order
    return kept[1:], kept[:-1]


class TestLazyFrames:
    """Frames that have not been computed."""

    @pytest.mark.parametrize("method", ["collect", "compute"])
    def test_what_has_not_been_read(self, method: str) -> None:
        lazy = type("LazyFrame", (), {"columns": ["session"], method: lambda _: None})
        with pytest.raises(PorankError, match=rf"found a LazyFrame; \.{method}\(\) reads it"):
            preference_pairs(lazy())
