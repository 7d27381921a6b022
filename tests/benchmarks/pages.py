"""Pages to explore: how long one takes to write, how large its file is, and what haste costs.

Run ``python -m tests.benchmarks.pages`` for the numbers of ``docs/page.md``, with ``--small`` for a
quick look. The relations have the given number of thresholds, and at each of them another order:
u is above v where it leads by so much in both of two scores.
"""

from __future__ import annotations

import io
import time
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.curve import abstention_curve
from porank.abstention.preference_relation import PreferenceRelation
from porank.core.tables import Table
from porank.drawing.layout.hasse import hasse_layout, layout_of
from porank.drawing.page.page import write_page
from porank.drawing.page.scenes import page_data, points_at_stops, share_of_effort
from tests.benchmarks.side_by_side import machine, show, timed, wants_small

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How far the two scores of an item are from its true one.
_NOISE = 0.15


def relation(n: int, n_thresholds: int, seed: int = 0) -> PreferenceRelation:
    """Return degrees of preference: the lead in both scores, in so many steps of 1 / n."""
    rng = np.random.default_rng(seed)
    scores = np.arange(n) / n + rng.normal(0, _NOISE, (2, n))
    lead = np.min(scores[:, :, None] - scores[:, None, :], axis=0)
    steps = np.clip(np.ceil(lead * n), 0, n_thresholds)
    return PreferenceRelation.from_degrees(steps / n_thresholds, reciprocal=False)


def written(n: int, n_thresholds: int) -> tuple[Any, ...]:
    """Return what a page is like and the seconds of processor time that it takes."""
    P = relation(n, n_thresholds)
    file, seconds = timed(partial(_page_of, P), clock=time.process_time)
    data = page_data(None, preferences=P)
    lines = [len(scene["lines"]) // 2 for scene in data["scenes"]]
    size = len(file.getvalue().encode()) / 1000
    return n, n_thresholds, len(lines), max(lines), f"{seconds:.2g}", f"{size:,.0f}"


def _page_of(P: PreferenceRelation) -> io.StringIO:
    file = io.StringIO()
    write_page(None, file, preferences=P)
    return file


def pages(sizes: Sequence[int], thresholds: Sequence[int]) -> Table:
    """Return a row for each page."""
    columns = ("items", "thresholds", "orders shown", "lines, at most", "seconds", "kilobytes")
    return Table(columns, tuple(written(n, k) for n, k in product(sizes, thresholds)))


def haste(sizes: Sequence[int], n_thresholds: int) -> Table:
    """Return how often lines cross on a page, and in the layouts of `hasse_layout`."""
    rows = []
    for n in sizes:
        curve = abstention_curve(relation(n, n_thresholds))
        points = points_at_stops(curve)
        share = share_of_effort(n, len({point.pairs for point in points}))
        orders = [curve.order(point.alpha) for point in points]
        quick = [layout_of(order, share=share).crossings for order in orders]
        whole = [hasse_layout(order).crossings for order in orders]
        more = sum(quick) / sum(whole) - 1
        rows.append((n, len(orders), f"{sum(quick):,}", f"{sum(whole):,}", f"{more:+.1%}"))
    return Table(("items", "orders", "crossings, page", "crossings, layouts", "more"), tuple(rows))


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "up to 100 items only")
    show(machine("networkx", "numpy"))
    tables = (
        pages([25, 50] if small else [50, 100, 200, 1000], [1, 15]),
        haste([60, 100] if small else [60, 100, 200], 15),
    )
    show(*tables)


if __name__ == "__main__":
    main()
