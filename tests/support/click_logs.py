"""Logs to ask: written in short, drawn at random, and read with options of all kinds at once."""

import csv
import inspect
import io
import json
from collections.abc import Callable
from typing import Any

import pandas as pd
from hypothesis import strategies as st

from porank import ClickLog, preference_pairs
from tests.support import oracles_clicks
from tests.support.oracles_clicks import Row
from tests.support.strategies import ITEMS

_READING = {*inspect.signature(ClickLog).parameters} - {"source"}
_COLUMNS = ("session", "user", "item", "position", "event", "time", "dwell")


@st.composite
def logs(draw: st.DrawFn) -> list[Row]:
    """Some sessions, each item at one position, rows of all of them in any sequence."""
    rows: list[Row] = []
    for session in draw(st.lists(st.sampled_from(ITEMS), max_size=4, unique=True)):
        items = draw(st.lists(st.sampled_from(ITEMS), min_size=1, max_size=5, unique=True))
        positions = draw(st.permutations(range(1, len(items) + 2)))
        user = draw(st.sampled_from(["u", "v"]))
        for item, position in zip(items, positions, strict=False):
            for event in draw(
                st.lists(st.sampled_from(oracles_clicks.EVENTS), min_size=1, max_size=3)
            ):
                time, dwell = draw(st.integers(0, 6)), draw(st.integers(0, 4))
                row = (session, user, item, position, event, time, dwell)
                rows.append(dict(zip(_COLUMNS, row, strict=True)))
    return draw(st.permutations(rows))


def log_of(text: str) -> dict[str, list[Any]]:
    """Return the columns of a log in short: the names, and after each semicolon a row."""
    names, *rows = (line.strip().split(",") for line in text.split(";"))
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def as_file(text: str, name: str) -> io.StringIO:
    """Return a text as an open file of some name."""
    file = io.StringIO(text, newline="")
    file.name = name
    return file


def in_four_sources(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the rows of a log as a CSV file, a frame, rows and a file of JSON Lines."""
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return {
        "file": as_file(table.getvalue(), "log.csv"),
        "frame": pd.DataFrame(rows),
        "rows": rows,
        "lines": as_file("\n".join(map(json.dumps, rows)), "log.jsonl"),
    }


def rows_of(text: str) -> list[dict[str, Any]]:
    """Return the rows of a log in short: the names, and after each semicolon a row."""
    names, *rows = (line.strip(" ").split(",") for line in text.split(";"))
    return [dict(zip(names, row, strict=True)) for row in rows]


def what_pairs_say(pairs: Any) -> tuple[Any, ...]:
    """Return all that preference pairs hold, as plain values."""
    return pairs.keys(), [*pairs], pairs.items, pairs.counts, pairs.problems


def asked(function: Callable[..., Any], log: Any, **options: Any) -> Any:
    """Return what a function says of a log, read with those of the options that say how."""
    reading = {name: options.pop(name) for name in _READING & options.keys()}
    return function(ClickLog(log, **reading) if reading else log, **options)


def problems_of(log: Any, **options: Any) -> list[str]:
    """Return what is wrong in a log, line by line."""
    return [*map(str, asked(preference_pairs, log, errors="report", **options).problems)]
