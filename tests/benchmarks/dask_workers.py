"""Dask with two workers of this machine against one process: users, and a log of clicks.

Run ``python -m tests.benchmarks.dask_workers`` for the table of ``docs/scale.md``, ``--small``
for a quick look. Seconds of processors are those of all processes together: they tell what the
dealing out costs even where something else keeps the machine busy.
"""

from __future__ import annotations

import argparse
import time
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import porank as po
from porank.core.tables import Table
from porank.results import Evaluation
from tests.benchmarks.measures import MEASURES, users
from tests.benchmarks.side_by_side import (
    machine,
    peak_memory,
    show,
)
from tests.workers import WITHOUT_PAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


psutil: Any = import_module("psutil")
arrow: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")
distributed: Any = import_module("distributed")
frames: Any = import_module("dask.dataframe")


class Run(NamedTuple):
    """A result, and what it took."""

    result: Any
    seconds: float
    processor_seconds: float


def timed(work: Callable[[], Any]) -> Run:
    """Do some work and return what it took in this process and in all that it has started."""
    before = processor_seconds()
    start = time.perf_counter()
    result = work()
    return Run(result, time.perf_counter() - start, processor_seconds() - before)


def processor_seconds() -> float:
    """Return what this process and all that it has started have used of the processors."""
    here = psutil.Process()
    times = (process.cpu_times() for process in [here, *here.children(recursive=True)])
    return float(sum(each.user + each.system for each in times))


def write(path: Path, columns: dict[str, NDArray[Any]]) -> Path:
    """Write a table as Parquet."""
    parquet.write_table(arrow.table(columns), path, row_group_size=1 << 21)
    return path


def in_parts(path: Path) -> Any:
    """Return a table in Parquet as a Dask DataFrame, each group of rows a part."""
    return frames.read_parquet(path, split_row_groups=True)


def computed(frame: Any) -> Any:
    """Return what is in a Dask DataFrame as a frame of pandas."""
    return frame.compute()


def require_equal(one: Evaluation, other: Any) -> None:
    """Raise an error unless all values are equal within 1e-12."""
    frame = other.sort_values(list(one.by), ignore_index=True)
    whole = one.to_frame().sort_values(list(one.by), ignore_index=True)
    if not all(np.allclose(frame[k], whole[k], 1e-12, equal_nan=True) for k in one.measures):
        raise AssertionError("the workers find something else")


def clicks(sessions: int, seed: int = 0) -> dict[str, NDArray[Any]]:
    """Return a log of sessions of ten items each, one row an item."""
    rng = np.random.default_rng(seed)
    size = 10 * sessions
    events = np.array(["view", "view", "view", "click", "purchase"])
    return {
        "session": np.repeat(np.arange(sessions), 10),
        "item": rng.integers(0, 1000, size) * 10 + np.tile(np.arange(10), sessions),
        "position": np.tile(np.arange(1, 11), sessions),
        "event": events[rng.integers(0, 5, size)],
    }


def row_of(
    name: str, rounds: int, here: Callable[[], Any], there: Callable[[], Any]
) -> tuple[Any, ...]:
    """Return a line of the table: both in turn, the best of some rounds."""
    runs: list[list[Run]] = [[], []]
    for _ in range(rounds):
        for side, work in zip(runs, (here, there), strict=True):
            side.append(timed(work))
    one, other = (min(side, key=lambda run: run.seconds) for side in runs)
    if isinstance(one.result, Evaluation):
        require_equal(one.result, other.result)
    elif one.result["support"].sum() != other.result["support"].sum():
        raise AssertionError("the workers find something else")
    numbers = (one.seconds, other.seconds, one.processor_seconds, other.processor_seconds)
    ratios = (other.seconds / one.seconds, other.processor_seconds / one.processor_seconds)
    return (name, *(f"{n:.3g}" for n in numbers), *(f"{ratio:.2f}x" for ratio in ratios))


def main() -> None:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of the sizes")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is run")
    arguments = parser.parse_args()
    scale = 10 if arguments.small else 1
    show(machine("numpy", "dask", "distributed", "pyarrow"))
    with (
        TemporaryDirectory() as name,
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, **WITHOUT_PAGE
        ) as workers,
        distributed.Client(workers) as client,
    ):
        folder = Path(name)
        n, sessions = 10**6 // scale, 10**6 // scale
        both = [
            write(folder / f"users{number}.parquet", table) for number, table in enumerate(users(n))
        ]
        log = write(folder / "log.parquet", clicks(sessions))
        rows = [
            row_of(
                f"evaluate, {n:,} users, five measures",
                arguments.rounds,
                lambda: po.evaluate(*both, measures=MEASURES),
                lambda: computed(po.evaluate(*map(in_parts, both), measures=MEASURES)),
            ),
            row_of(
                f"preference_pairs, {sessions:,} sessions of 10 rows, together",
                arguments.rounds,
                lambda: po.preference_pairs(log, by=()),
                lambda: computed(po.preference_pairs(in_parts(log), by=())),
            ),
        ]
        seconds = ("one process, s", "two workers, s", "processors, s", "of the workers, s")
        rows = [(*row, reach) for row, reach in zip(rows, ("< 1.5x", ""), strict=True)]
        ratios = ("ratio of time", "ratio of processors", "reach of processors")
        table = Table(("work", *seconds, *ratios), rows)
        show(table)
        show(f"a worker at most: {max(client.run(peak_memory).values()):.2g} GB")


if __name__ == "__main__":
    main()
