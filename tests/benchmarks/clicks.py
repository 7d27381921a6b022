"""Click logs: preference pairs against a Python loop over sessions, from columns and from CSV.

Run ``python tests/benchmarks/clicks.py`` for the table of ``docs/benchmarks.md``, with ``--small``
for a quick look. Needs pandas, which the extra ``scale`` brings.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tracemalloc
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from porank.build.preference_pairs import preference_pairs
from tests import oracles_clicks
from tests.benchmarks.side_by_side import Row, machine, markdown_of, race, table_of

SHOWN = 10
RULES = ("levels", "click_over_skip_above")


def log_of(sessions: int) -> dict[str, Any]:
    """Return sessions of ten items, of which 15 % are clicked and 3 % bought, in columns."""
    rng = np.random.default_rng(0)
    n = sessions * SHOWN
    event = np.where(rng.random(n) < 0.15, "click", "view").astype(object)
    event[rng.random(n) < 0.03] = "purchase"
    # Ten different items a session: one of each tens digit.
    item = rng.permuted(np.tile(np.arange(SHOWN), (sessions, 1)), axis=1).ravel()
    return {
        "session": np.repeat(np.arange(sessions), SHOWN),
        "item": item + SHOWN * rng.integers(0, 200, n),
        "position": np.tile(np.arange(1, SHOWN + 1), sessions),
        "event": event,
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


def by_definition(log: dict[str, Any], rule: str) -> list[tuple[Any, Any, Any]]:
    """Return the pairs by the definition of the rule, put to the rows of one session at a time."""
    values = (column.tolist() for column in log.values())
    rows = [dict(zip(log, row, strict=True)) for row in zip(*values, strict=True)]
    return [
        (session, u, v)
        for session, events in oracles_clicks.sessions_of(rows).items()
        for u, v in oracles_clicks.RULES[rule](events)
    ]


def agree(ours: Any, theirs: list[tuple[Any, Any, Any]]) -> bool:
    """Return whether the two say the same."""
    found = sorted(row[:-1] for row in ours)
    return found == sorted(theirs)


RIVALS = {
    "a tight Python loop over sessions": loop,
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
            rounds=3 if run is loop else 1,
        )
        for rule in RULES
        for rival, run in RIVALS.items()
    ]


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="a quick look")
    small = parser.parse_args().small
    sizes = [1000] if small else [10**4, 3 * 10**4, 10**5]
    rows = [row for size in sizes for row in (*from_columns(size), *from_csv(size))]
    print(markdown_of(table_of(rows)))
    for rule in RULES:
        print(memory(sizes[0] if small else 10**5, rule))
    print(machine("numpy", "pandas"))


if __name__ == "__main__":
    main()
