"""Click logs and files: against a loop over sessions, pandas, polars and preflibtools.

Run ``python -m tests.benchmarks.files`` for the table of ``docs/benchmarks.md``, with ``--small``
for a quick look. Needs the extras ``bench`` and ``scale``, and polars.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
from preflibtools.instances import OrdinalInstance

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import Row, race, run, table_of

SHOWN, ITEMS = 10, 10
RULES = ("levels", "click_over_skip_above")


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


def by_pandas(frame: Any, rule: str) -> dict[Any, int]:
    """Return (preferred, other) -> support by a few lines of pandas, which check nothing."""
    number = {"purchase": 0, "click": 1, "view": 2}
    level = 2 - frame["clicked"] if "clicked" in frame else frame["event"].map(number)
    rows = frame[["session", "item", "position"]].assign(level=level)
    shown = rows.groupby(["session", "item"], sort=False, as_index=False).min()
    pairs = shown[shown["level"] < 2].merge(shown, on="session", suffixes=("", "_other"))
    if rule == "levels":
        pairs = pairs[pairs["level"] < pairs["level_other"]]
    else:
        pairs = pairs[(pairs["level_other"] == 2) & (pairs["position_other"] < pairs["position"])]
    return pairs.groupby(["item", "item_other"], sort=False).size()  # type: ignore[no-any-return]


def by_polars(frame: Any, rule: str) -> Any:
    """Return preferred, other and support by a lazy query of polars, which checks nothing."""
    event = pl.col("event").cast(pl.Enum(["purchase", "click", "view"])).to_physical()
    level = 2 - pl.col("clicked") if "clicked" in frame.columns else event
    rows = frame.lazy().group_by("session", "item")
    shown = rows.agg(level.min().alias("level"), pl.col("position").min())
    pairs = shown.filter(pl.col("level") < 2).join(shown, on="session", suffix="_other")
    if rule == "levels":
        pairs = pairs.filter(pl.col("level") < pl.col("level_other"))
    else:
        is_above = pl.col("position_other") < pl.col("position")
        pairs = pairs.filter((pl.col("level_other") == 2) & is_above)
    return pairs.group_by("item", "item_other").len().collect()


def by_duckdb(frame: Any, rule: str) -> dict[Any, int]:
    """Return (preferred, other) -> support by a query of DuckDB of a log with flags."""
    above = "AND b.position < a.position" if rule == "click_over_skip_above" else ""
    rows = duckdb.query_df(
        frame,
        "log",
        "SELECT a.item, b.item, count(*) FROM log a JOIN log b USING (session) "
        f"WHERE a.clicked = 1 AND b.clicked = 0 {above} GROUP BY ALL",
    )
    return {(u, v): count for u, v, count in rows.fetchall()}


BY_RIVAL = {"pandas": by_pandas, "polars": by_polars, "DuckDB": by_duckdb}


def agree_on_support(ours: Any, theirs: Any) -> bool:
    """Return whether all pairs have the same support."""
    if hasattr(theirs, "iter_rows"):
        theirs = {(u, v): count for u, v, count in theirs.iter_rows()}
    return {(u, v): count for u, v, count in ours} == dict(theirs)


def of_logs(sessions: int, path: Path) -> Iterator[Row]:
    """Columns, frames and a file in, pairs out; rows of frames are shuffled, items are texts."""
    log = log_of(sessions)
    events = f"{SHOWN * sessions:,} events"
    frame = pd.DataFrame(log)
    frame.to_csv(path, index=False)
    shuffled = frame.iloc[np.random.default_rng(1).permutation(len(frame))]
    for name in ("item", "session"):
        shuffled = shuffled.assign(**{name: name + shuffled[name].astype(str)})
    flags = frame.drop(columns="event").assign(clicked=(frame["event"] != "view").astype(int))
    frames: dict[str, tuple[Any, Sequence[str]]] = {
        "": (shuffled, ("pandas", "polars")),
        " with flags": (flags, ("pandas", "polars", "DuckDB")),
    }
    for rule, (kind, (given, rivals)) in product(RULES, frames.items()):
        for rival in rivals:
            own = pl.from_pandas(given) if rival == "polars" else given
            yield race(
                f"{rule}, {events}{kind}, a frame of {rival.replace('DuckDB', 'pandas')} in, by=()",
                partial(po.preference_pairs, own, rule=rule, by=()),
                f"{rival}, without any check",
                partial(BY_RIVAL[rival], own, rule),
                reach="<= 4x its time" if kind and rival != "pandas" else ">= 1x",
                agree=agree_on_support,
                rounds=3,
            )
    yield race(
        f"levels, {events}, CSV in",
        partial(po.preference_pairs, path),
        "pandas.read_csv and columns in",
        lambda: po.preference_pairs(pd.read_csv(path)),
        reach="<= 3 times as long",
        agree=lambda ours, theirs: sorted(ours) == sorted((*map(str, r[:3]), r[3]) for r in theirs),
        rounds=3,
    )


def of_ballots(orders: int, path: Path) -> Row:
    """Read a file of random orders with both; ours holds the header against the lines."""
    rng = np.random.default_rng(orders)
    ranked = rng.permuted(np.tile(np.arange(ITEMS), (orders, 1)), axis=1)
    po.write_preflib(po.Profile(list(ranked), rng.integers(1, 9, orders).tolist()), path)
    return race(
        f"read_preflib, soc, {orders:,} orders of {ITEMS}",
        partial(po.read_preflib, path),
        "preflibtools",
        partial(OrdinalInstance, str(path)),
        reach="no claim",
        agree=lambda ours, theirs: ours.voters == theirs.num_voters,
    )


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the table."""
    sessions, orders = (1000, 500) if small else (10**5, 5000)
    with TemporaryDirectory() as name:
        folder = Path(name)
        yield table_of(
            [*of_logs(sessions, folder / "log.csv"), of_ballots(orders, folder / "ballots.soc")]
        )


if __name__ == "__main__":
    run(__doc__, "numpy pandas polars duckdb preflibtools", parts)
