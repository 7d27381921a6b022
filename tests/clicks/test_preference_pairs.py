"""Tables of pairs and what they are made with: equality, labels that are dates, odd options."""

from __future__ import annotations

from datetime import date, datetime
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from porank.clicks.evidence import PreferencePairs
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.report import feedback_report
from porank.clicks.rules import dwell, levels
from porank.errors import PorankError

LOG: dict[str, list[Any]] = {
    "session": [1, 1, 1],
    "item": ["a", "b", "c"],
    "event": ["view", "click", "view"],
    "position": [1, 2, 3],
}


#: For options that no checker of types would let pass.
ANY_DWELL: Any = dwell
ANY_LEVELS: Any = levels


class TestEquality:
    """Two tables of the same pairs are equal."""

    def test_equal_pairs(self) -> None:
        assert preference_pairs(LOG) == preference_pairs(LOG)
        assert preference_pairs(LOG) != preference_pairs(LOG, by=())
        assert preference_pairs(LOG) != preference_pairs(LOG | {"session": [2] * 3})
        assert preference_pairs(LOG) != "pairs"

    def test_a_table_needs_its_columns(self) -> None:
        counts = preference_pairs(LOG).counts
        with pytest.raises(PorankError, match=r"columns that end with 'preferred', .* found none"):
            PreferencePairs({}, [], counts)

    def test_equal_reports_have_equal_hashes(self) -> None:
        reports = {feedback_report(LOG), feedback_report(LOG)}
        assert len(reports) == 1
        unknown = LOG | {"event": ["view", "like", "view"]}
        assert len(reports | {feedback_report(unknown, errors="report")}) == 2


class TestDates:
    """Dates as items and sessions."""

    @pytest.mark.parametrize(
        "days", [["2026-01-01", "2026-01-02"], ["2026-01-01T10:00:00.5", "2026-01-02"]]
    )
    def test_those_of_pandas_are_those_of_python(self, days: list[str]) -> None:
        items = pd.Series(pd.to_datetime(days, format="ISO8601"))
        log = {"session": items[[0, 0]].array, "item": items, "event": ["click", "view"]}
        ((session, preferred, other, _),) = preference_pairs(pd.DataFrame(log))
        assert (preferred, other) == tuple(map(datetime.fromisoformat, days))
        assert session == preferred
        assert type(preferred) is type(other) is type(session) is datetime

    def test_days_are_days(self) -> None:
        items = np.array(["2026-01-01", "2026-01-02"], "M8[D]")
        pairs = preference_pairs({"session": [1, 1], "item": items, "event": ["click", "view"]})
        assert pairs.items == [date(2026, 1, 1), date(2026, 1, 2)]

    def test_what_is_finer_stays_what_it_is(self) -> None:
        items = np.array(["2026-01-01T00:00:00.000000001", "2026-01-01"], "M8[ns]")
        pairs = preference_pairs({"session": [1, 1], "item": items, "event": ["click", "view"]})
        assert pairs.items == [items[0], datetime(2026, 1, 1)]


@pytest.mark.parametrize("index", [None, [3, 2, 1]])
def test_a_series_has_an_index_or_is_a_sequence(index: Any) -> None:
    values = [1, 0.5, 0.25] if index is None else [0.25, 0.5, 1]
    series = pd.Series(values, index=index)
    log = LOG | {"event": ["view", "view", "click"]}
    pairs = preference_pairs(log, propensity=series)
    assert list(pairs) == list(preference_pairs(log, propensity=[1, 0.5, 0.25]))
    assert set(pairs["support"].tolist()) == {4.0}


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (partial(ANY_DWELL, tol=5), "expected 'tolerance' for the rule dwell, found tol=5"),
        (partial(ANY_LEVELS, tolerance=5), "no options for the rule levels, found tolerance=5"),
    ],
)
def test_what_a_rule_does_not_take_is_named(rule: Any, message: str) -> None:
    with pytest.raises(PorankError, match=message):
        preference_pairs(LOG, rule=rule)


@pytest.mark.parametrize("sign", [";", "\t", "|"])
@pytest.mark.parametrize("before", ["", "\n", "\r\n\n"])
def test_a_separator_that_is_no_comma(tmp_path: Any, sign: str, before: str) -> None:
    path = tmp_path / "log.csv"
    rows = [("session", "item", "event"), ("1", "a, b", "click"), ("1", "c", "view")]
    path.write_text(before + "".join(f"{sign.join(row)}\n" for row in rows))
    assert list(preference_pairs(path)) == [("1", "a, b", "c", 1)]


def test_a_table_in_memory_that_was_not_split() -> None:
    with pytest.raises(PorankError, match=r"separated by ';': pandas.read_csv\(path, sep=';'\)"):
        preference_pairs({"session;item;event": ["1;a;click"]})
