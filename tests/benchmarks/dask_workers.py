"""Dask with two workers of this machine against one process: users, and a log of clicks.

Run ``python -m tests.benchmarks.dask_workers`` for the table of ``docs/scale.md``, ``--small``
for a quick look. Seconds of processors are those of all processes together: they tell what the
dealing out costs even where something else keeps the machine busy.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import porank as po
from porank.core.tables import Table
from porank.results import Evaluation
from tests.benchmarks.files import log_of
from tests.benchmarks.measures import MEASURES, users
from tests.benchmarks.side_by_side import run
from tests.support.workers import WITHOUT_PAGE

psutil: Any = import_module("psutil")
arrow: Any = import_module("pyarrow")
parquet: Any = import_module("pyarrow.parquet")
distributed: Any = import_module("distributed")
frames: Any = import_module("dask.dataframe")


def spent(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return the seconds, those of processors here and of all that this has started, the result."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]

    def used() -> float:
        return float(sum(sum(process.cpu_times()[:2]) for process in processes))

    before, start = used(), time.perf_counter()
    result = work()
    return time.perf_counter() - start, used() - before, result


def row_of(
    name: str, reach: str, call: Callable[..., Any], *paths: Path, rounds: int = 3
) -> tuple[str, ...]:
    """Return a line of the table: both in turn, the best of some rounds, equal within 1e-12."""

    def by_workers() -> Any:
        parts = (frames.read_parquet(path, split_row_groups=True) for path in paths)
        return call(*parts).compute()

    runs = [[spent(partial(call, *paths)), spent(by_workers)] for _ in range(rounds)]
    (here, used_here, one), (there, used_there, other) = (
        min(side, key=lambda each: each[0]) for side in zip(*runs, strict=True)
    )
    if isinstance(one, Evaluation):
        one, other = (f.sort_values("user", ignore_index=True) for f in (one.to_frame(), other))
        same = all(np.allclose(other[k], one[k], 1e-12, equal_nan=True) for k in MEASURES)
    else:
        same = one["support"].sum() == other["support"].sum()
    assert same, "the workers find something else"
    seconds = (f"{each:.3g}" for each in (here, there, used_here, used_there))
    return name, *seconds, f"{there / here:.2f}x", f"{used_there / used_here:.2f}x", reach


def peak_memory() -> float:
    """Return the most memory that a process of Linux has had, in GB."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) / 1e6 for line in lines if line.startswith("VmHWM"))


def parts(*, small: bool) -> Iterator[Table | str]:
    """Yield the table, and the memory of the workers."""
    n = 10**5 if small else 10**6
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, **WITHOUT_PAGE}
    with (
        TemporaryDirectory() as name,
        distributed.LocalCluster(**options) as workers,
        distributed.Client(workers) as client,
    ):
        paths = [Path(name, f"{number}.parquet") for number in range(3)]
        for path, columns in zip(paths, (*users(n), log_of(n)), strict=True):
            parquet.write_table(arrow.table(columns), path, row_group_size=1 << 21)
        evaluate = partial(po.evaluate, measures=MEASURES)
        together = partial(po.preference_pairs, by=())
        work = f"preference_pairs, {n:,} sessions of 10 rows, together"
        rows = [
            row_of(f"evaluate, {n:,} users, five measures", "< 1.5x", evaluate, *paths[:2]),
            row_of(work, "", together, paths[2]),
        ]
        seconds = ("one process, s", "two workers, s", "processors, s", "of the workers, s")
        ratios = ("ratio of time", "ratio of processors", "reach of processors")
        yield Table(("work", *seconds, *ratios), rows)
        yield f"a worker at most: {max(client.run(peak_memory).values()):.2g} GB"


if __name__ == "__main__":
    run(__doc__, "numpy dask distributed pyarrow", parts)
