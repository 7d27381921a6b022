"""How a log is read, once for many questions."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import PorankError
from tests.click_logs import logs, what_pairs_say
from tests.oracles_clicks import Row

RULES = ["levels", "click_over_skip_above", "click_over_earlier_click", "dwell"]
#: A question: the name of a function, and its options.
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    *(("preference_pairs", {"rule": rule, "by": by}) for rule in RULES for by in ((), "user")),
    *(("feedback_report", {"rule": rule}) for rule in RULES),
    ("bootstrap_feedback", {"samples": 5, "unit": "user"}),
    ("bootstrap_feedback", {"samples": 5}),
]


def answer(question: tuple[str, dict[str, Any]], log: Any) -> Any:
    name, options = question
    try:
        found = getattr(po, name)(log, **options)
        return what_pairs_say(found) if name == "preference_pairs" else found
    except PorankError as error:
        return str(error)


@given(log=logs(), asked=st.lists(st.sampled_from(QUESTIONS), min_size=2, max_size=4))
def test_many_questions_have_the_answers_of_each_alone(log: list[Row], asked: list[Any]) -> None:
    for errors in ("raise", "report"):
        kept = po.ClickLog(log, errors=errors)
        for question in asked:
            assert answer(question, kept) == answer(question, po.ClickLog(log, errors=errors))


class Counting(list[Any]):
    """Rows that count how often they are read."""

    reads = 0

    def __iter__(self) -> Any:
        self.reads += 1
        return super().__iter__()


ROWS = [("s", "tea", "view", 1), ("s", "milk", "click", 2), ("t", "tea", "like", 1)]
COLUMNS = {"session": 0, "item": 1, "event": 2, "position": 3}


def test_one_reading_serves_questions_about_the_same_columns() -> None:
    rows = Counting(ROWS)
    log = po.ClickLog(rows, columns=COLUMNS, errors="report")
    assert "1 session" not in repr(log)
    po.from_log(log)
    once = rows.reads
    po.preference_pairs(log, by=())
    po.feedback_report(log)
    assert repr(log) == "<ClickLog: 1 session, 2 items, 2 events, 1 problem>"
    assert (log.items, log.counts.events, len(log.problems)) == (["tea", "milk"], 2, 1)
    assert rows.reads == once
    po.from_log(log, rule="click_over_skip_above")
    assert rows.reads == 2 * once, "positions were not read"
    with pytest.raises(PorankError, match="not a ClickLog yet"):
        po.ClickLog(log)


def test_what_is_read_once_says_so() -> None:
    text = "session,item,event,position\ns,tea,view,1\ns,milk,click,2\n"
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS[:2]]
    for source in (io.StringIO(text), iter(rows)):
        log = po.ClickLog(source)
        assert po.from_log(log).edges == po.from_log(log).edges
        with pytest.raises(PorankError, match="can be read again"):
            po.from_log(log, rule="click_over_skip_above")
