"""Click logs: preference pairs against loops over sessions, pandas and polars, and from CSV.

Run ``python -m tests.benchmarks.clicks`` for the table of ``docs/benchmarks.md``, with ``--small``
for a quick look. Needs pandas, which the extra ``scale`` brings, and polars.
"""

from __future__ import annotations

import tempfile
import tracemalloc
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from porank.clicks.preference_pairs import preference_pairs
from tests import oracles_clicks
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    race,
    show,
    table_of,
    wants_small,
)

SHOWN = 10
RULES = ("levels", "click_over_skip_above")
#: Session -> item -> what is known of it.
Sessions = dict[Any, dict[Any, tuple[int, int, Any]]]


def log_of(sessions: int) -> dict[str, Any]:
    """Return sessions of ten items, of which 15 % are clicked and 3 % bought, in columns.

    Each different event is one text, as in columns that pandas or pyarrow have read.
    """
    rng = np.random.default_rng(0)
    n = sessions * SHOWN
    number = np.where(rng.random(n) < 0.15, 1, 2)
    number[rng.random(n) < 0.03] = 0
    # Ten different items a session: one of each tens digit.
    item = rng.permuted(np.tile(np.arange(SHOWN), (sessions, 1)), axis=1).ravel()
    return {
        "session": np.repeat(np.arange(sessions), SHOWN),
        "item": item + SHOWN * rng.integers(0, 200, n),
        "position": np.tile(np.arange(1, SHOWN + 1), sessions),
        "event": np.array(["purchase", "click", "view"], dtype=object)[number],
    }


def loop(log: dict[str, Any], rule: str) -> list[tuple[Any, Any, Any]]:
    """Return the pairs by a loop over sessions, as one would write it."""
    strength = {"purchase": 0, "click": 1, "view": 2}
    sessions: dict[Any, dict[Any, tuple[int, int]]] = {}
    for session, item, position, event in zip(*(log[c].tolist() for c in log), strict=True):
        shown = sessions.setdefault(session, {})
        level = strength[event]
        shown[item] = (min(level, shown[item][0]) if item in shown else level, position)
    pairs = []
    for session, shown in sessions.items():
        for u, (level, position) in shown.items():
            for v, (other, above) in shown.items():
                if rule == "levels":
                    is_said = level < other
                else:
                    is_said = level < 2 and other == 2 and above < position
                if is_said:
                    pairs.append((session, u, v))
    return pairs


def checked_rows(log: dict[str, Any], *, has_places: bool, quirks: Counter[str]) -> Sessions:
    """Return session -> item -> its level, its events as bits, and its position."""
    strength = {"purchase": 0, "click": 1, "view": 2}
    sessions: Sessions = {}
    rows = zip(*(log[c].tolist() for c in log), strict=True)
    for line, (session, item, position, event) in enumerate(rows, start=1):
        if session is None or session != session or item is None or item != item:
            raise ValueError(f"line {line}: expected a session and an item")
        if event not in strength:
            raise ValueError(f"line {line}: expected an event, found {event!r}")
        if has_places and (position is None or position != int(position)):
            raise ValueError(f"line {line}: expected a whole number, found {position!r}")
        shown = sessions.setdefault(session, {})
        level = strength[event]
        strongest, said, place = shown.get(item, (level, 0, position))
        if has_places and place != position:
            raise ValueError(f"line {line}: expected one position for {item!r}")
        if said >> level & 1:
            quirks["repeated_events"] += 1
        shown[item] = (min(level, strongest), said | 1 << level, position)
    return sessions


def count_quirks(shown: dict[Any, tuple[int, int, Any]], quirks: Counter[str]) -> None:
    """Count what is odd in a session."""
    said = [events for _, events, _ in shown.values()]
    if all(events == 4 for events in said):
        quirks["sessions_without_click"] += 1
    if any(events & 4 for events in said):
        quirks["not_shown"] += sum(not events & 4 for events in said)
    quirks["purchases_without_click"] += sum(events & 3 == 1 for events in said)


def checking_loop(log: dict[str, Any], rule: str) -> tuple[dict[str, Any], Counter[str]]:
    """Return what porank returns, by a loop that refuses and counts what porank does."""
    has_places = rule != "levels"
    quirks = Counter[str]()
    sessions = checked_rows(log, has_places=has_places, quirks=quirks)
    columns: dict[str, list[Any]] = {name: [] for name in ("session", "preferred", "other")}
    for session, shown in sessions.items():
        count_quirks(shown, quirks)
        if has_places and len({place for *_, place in shown.values()}) < len(shown):
            raise ValueError(f"expected one item at each position of session {session!r}")
        for u, (level, _, position) in shown.items():
            for v, (other, _, above) in shown.items():
                if level < 2 == other and above < position if has_places else level < other:
                    columns["session"].append(session)
                    columns["preferred"].append(u)
                    columns["other"].append(v)
    table = {name: np.array(values) for name, values in columns.items()}
    return table | {"support": np.ones(len(columns["session"]), dtype=np.int64)}, quirks


def by_definition(log: dict[str, Any], rule: str) -> list[tuple[Any, Any, Any]]:
    """Return the pairs by the definition of the rule, put to the rows of one session at a time."""
    values = (column.tolist() for column in log.values())
    rows = [dict(zip(log, row, strict=True)) for row in zip(*values, strict=True)]
    return [
        (session, u, v)
        for session, events in oracles_clicks.sessions_of(rows).items()
        for u, v in oracles_clicks.RULES[rule](events)
    ]


def agree(ours: Any, theirs: Any) -> bool:
    """Return whether the two say the same."""
    if isinstance(theirs, tuple):
        columns, quirks = theirs
        is_same = all(getattr(ours.counts, name) == count for name, count in quirks.items())
        return is_same and sorted(ours) == sorted(
            zip(*(column.tolist() for column in columns.values()), strict=True)
        )
    return sorted(row[:-1] for row in ours) == sorted(theirs)


RIVALS = {
    "a tight Python loop over sessions": loop,
    "a Python loop over sessions that checks the same": checking_loop,
    "each session by the definition of the rule": by_definition,
}


def from_columns(sessions: int) -> list[Row]:
    """Columns in, pairs out."""
    log = log_of(sessions)
    return [
        race(
            f"{rule}, {SHOWN * sessions:,} events, columns in",
            partial(preference_pairs, log, rule=rule),
            rival,
            partial(run, log, rule),
            reach=">= 20x, < 3 s" if sessions == 10**5 else "",
            agree=agree,
            rounds=1 if run is by_definition else 5,
        )
        for rule in RULES
        for rival, run in RIVALS.items()
    ]


def by_pandas(frame: Any, rule: str) -> Any:
    """Return (preferred, other) -> support by a few lines of pandas, which check nothing."""
    level = frame["event"].map({"purchase": 0, "click": 1, "view": 2}).rename("level")
    rows = frame[["session", "item", "position"]].assign(level=level)
    shown = rows.groupby(["session", "item"], sort=False, as_index=False).min()
    pairs = shown[shown["level"] < 2].merge(shown, on="session", suffixes=("", "_other"))
    if rule == "levels":
        pairs = pairs[pairs["level"] < pairs["level_other"]]
    else:
        pairs = pairs[(pairs["level_other"] == 2) & (pairs["position_other"] < pairs["position"])]
    return pairs.groupby(["item", "item_other"], sort=False).size()


def by_polars(frame: Any, rule: str) -> Any:
    """Return preferred, other and support by a lazy query of polars, which checks nothing."""
    level = pl.col("event").cast(pl.Enum(["purchase", "click", "view"])).to_physical().min()
    rows = frame.lazy().group_by("session", "item")
    shown = rows.agg(level.alias("level"), pl.col("position").min())
    pairs = shown.filter(pl.col("level") < 2).join(shown, on="session", suffix="_other")
    if rule == "levels":
        pairs = pairs.filter(pl.col("level") < pl.col("level_other"))
    else:
        is_above = pl.col("position_other") < pl.col("position")
        pairs = pairs.filter((pl.col("level_other") == 2) & is_above)
    return pairs.group_by("item", "item_other").len().collect()


def agree_on_support(ours: Any, theirs: Any) -> bool:
    """Return whether all pairs have the same support."""
    if hasattr(theirs, "iter_rows"):
        theirs = {(u, v): count for u, v, count in theirs.iter_rows()}
    return {(u, v): count for u, v, count in ours} == dict(theirs)


def shuffled_frames(sessions: int) -> dict[str, Any]:
    """Return a log with its rows shuffled and its items as texts, in frames and in columns."""
    rng = np.random.default_rng(1)
    log = log_of(sessions)
    order = rng.permutation(log["item"].size)
    columns = {name: column[order] for name, column in log.items()}
    names = np.array([f"item{number}" for number in range(200 * SHOWN)], dtype=object)
    columns["item"] = names[columns["item"]]
    named = np.array([f"session{number}" for number in range(sessions)], dtype=object)
    texts = columns | {"session": named[columns["session"]]}
    return {
        "columns": columns,
        "a frame of pandas": pd.DataFrame(columns),
        "a frame of polars": pl.from_pandas(pd.DataFrame(columns)),
        "a frame of pandas, sessions as texts": pd.DataFrame(texts),
        "a frame of polars, sessions as texts": pl.from_pandas(pd.DataFrame(texts)),
    }


def from_frames(sessions: int) -> list[Row]:
    """A log in frames, its rows shuffled, all sessions together."""
    rows = []
    for name, log in shuffled_frames(sessions).items():
        frame = pd.DataFrame(log) if name == "columns" else log
        rival, run = ("polars", by_polars) if "polars" in name else ("pandas", by_pandas)
        rows += [
            race(
                f"{rule}, {SHOWN * sessions:,} events, {name} in, by=()",
                partial(preference_pairs, log, rule=rule, by=()),
                f"{rival}, without any check",
                partial(run, frame, rule),
                reach=">= 1x",
                agree=agree_on_support,
                rounds=3,
            )
            for rule in RULES
        ]
    return rows


def _by_pandas(path: Path, rule: str) -> Any:
    frame = pd.read_csv(path)
    return preference_pairs(frame, rule=rule)


def _agree_as_texts(ours: Any, theirs: Any) -> bool:
    return sorted(ours) == sorted((str(s), str(u), str(v), n) for s, u, v, n in theirs)


def from_csv(sessions: int) -> list[Row]:
    """A file in, pairs out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.csv"
        pd.DataFrame(log_of(sessions)).to_csv(path, index=False)
        return [
            race(
                f"{rule}, {SHOWN * sessions:,} events, CSV in",
                partial(preference_pairs, path, rule=rule),
                "pandas.read_csv and columns in",
                partial(_by_pandas, path, rule),
                reach="<= 3 times as long" if sessions == 10**5 else "",
                agree=_agree_as_texts,
                rounds=3,
            )
            for rule in RULES
        ]


def memory(sessions: int, rule: str) -> str:
    """Return a line on the largest memory taken, columns in, against columns and pairs."""
    log = log_of(sessions)
    tracemalloc.start()
    pairs = preference_pairs(log, rule=rule)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    columns = sum(column.nbytes for column in log.values())
    table = sum(column.nbytes for column in pairs.columns.values())
    return (
        f"{rule}, {SHOWN * sessions:,} events: columns {columns / 1e6:.0f} MB, pairs "
        f"{table / 1e6:.0f} MB, peak with the columns {(peak + columns) / 1e6:.0f} MB: "
        f"{(peak + columns) / (columns + table):.2g} times both (reach <= 4)"
    )


def main() -> None:
    """Print the table."""
    small = wants_small(__doc__, "a quick look")
    sizes = [1000] if small else [10**4, 3 * 10**4, 10**5]
    rows = [
        row for size in sizes for row in (*from_columns(size), *from_frames(size), *from_csv(size))
    ]
    show(table_of(rows))
    for rule in RULES:
        show(memory(sizes[0] if small else 10**5, rule))
    show(machine("numpy", "pandas", "polars"))


if __name__ == "__main__":
    main()
