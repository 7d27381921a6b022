"""PrefLib files against preflibtools, and how the time of every format grows.

Run ``python -m tests.benchmarks.files`` for the table of ``docs/benchmarks.md``, with ``--small``
for a quick look. Needs the extra ``bench``; without preflibtools only the growth is measured.
"""

from __future__ import annotations

import io
import tempfile
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.convert.profiles import Profile
from porank.core.tables import Table
from porank.readwrite.preflib import read_preflib, write_preflib
from porank.readwrite.trec import read_trec_run, write_trec_run
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    race,
    show,
    table_of,
    timed,
    wants_small,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ITEMS = 10


def profile_of(orders: int, kind: str) -> Profile:
    """Return distinct random orders of ten items, with ties for the types that have them."""
    rng = np.random.default_rng(orders)
    names = np.array([f"Item {number}" for number in range(1, ITEMS + 1)])
    rows: dict[tuple[Any, ...], dict[str, int]] = {}
    while len(rows) < orders:
        size = int(rng.integers(3, ITEMS)) if kind[2] == "i" else ITEMS
        listed = names[rng.permutation(ITEMS)[:size]]
        scores = rng.permutation(size) if kind[0] == "s" else rng.integers(0, 7, size)
        ranks = np.unique(scores, return_inverse=True)[1].tolist()
        row = dict(zip(listed.tolist(), ranks, strict=True))
        rows[tuple(sorted(row.items()))] = row
    return Profile(list(rows.values()), rng.integers(1, 9, orders).tolist(), names.tolist())


def against_preflibtools(orders: int, folder: Path) -> Iterator[Row]:
    """Read the same file with both; ours holds the numbers of the header against the lines."""
    if find_spec("preflibtools") is None:
        return
    instances = import_module("preflibtools.instances")
    for kind in ("soc", "soi", "toc", "toi"):
        path = folder / f"ballots.{kind}"
        write_preflib(profile_of(orders, kind), path)
        yield race(
            f"read_preflib, {kind}, {orders:,} orders of {ITEMS}",
            partial(read_preflib, path),
            "preflibtools",
            partial(instances.OrdinalInstance, str(path)),
            reach="no claim",
            agree=agree,
            rounds=9,
        )


def agree(ours: Profile, theirs: Any) -> bool:
    """Return whether both read the same levels and the same number of voters."""
    number = {item: place for place, item in enumerate(ours.items, start=1)}
    read = {
        tuple(
            tuple(sorted(number[item] for item in scores if scores[item] == score))
            for score in sorted(set(scores.values()), reverse=True)
        )
        for scores in ours.scores()
    }
    said = {tuple(tuple(sorted(level)) for level in order) for order in theirs.orders}
    return read == said and ours.voters == theirs.num_voters


def growth(sizes: list[int], folder: Path) -> Table:
    """Return microseconds a line at several sizes: linear time is the same in each column."""
    rows = []
    for kind in ("soc", "toi"):
        seconds = []
        for size in sizes:
            path = folder / f"growth.{kind}"
            write_preflib(profile_of(size, kind), path)
            seconds.append(timed(partial(read_preflib, path), rounds=5)[1])
        rows.append((f"read_preflib, {kind}", *per_line(seconds, sizes)))
    seconds = []
    for size in sizes:
        target = io.StringIO()
        scores = {f"d{item}": item / 7 for item in range(100)}
        run = {f"q{query}": scores for query in range(size // 100)}
        write_trec_run(run, target)
        text = target.getvalue()
        seconds.append(timed(partial(_read_run, text), rounds=5)[1])
    rows.append(("read_trec_run", *per_line(seconds, sizes)))
    return Table(("work, µs a line", *(f"{size:,}" for size in sizes)), tuple(rows))


def _read_run(text: str) -> dict[str, dict[str, float]]:
    return read_trec_run(io.StringIO(text))


def per_line(seconds: list[float], sizes: list[int]) -> list[str]:
    """Return the time of a line in microseconds."""
    return [f"{1e6 * taken / size:.2f}" for taken, size in zip(seconds, sizes, strict=True)]


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "few orders only")
    rivals = ["preflibtools"] if find_spec("preflibtools") else []
    show(machine("networkx", "numpy", *rivals))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = table_of(against_preflibtools(500 if small else 5000, folder))
        grown = growth([100, 400, 1600] if small else [1000, 10_000, 50_000], folder)
    show(table, grown)


if __name__ == "__main__":
    main()
