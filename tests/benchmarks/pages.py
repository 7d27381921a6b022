"""Pages to explore: how long one takes to write, to open and to move, and what haste costs.

Run ``python -m tests.benchmarks.pages`` for the numbers of ``docs/page.md``, with ``--small`` for a
quick look. The relations have the given number of thresholds, and at each of them another order:
u is above v where it leads by so much in both of two scores.
"""

from __future__ import annotations

import io
import shutil
import time
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from porank.abstention.curve import abstention_curve
from porank.abstention.preference_relation import PreferenceRelation
from porank.core.tables import Table
from porank.drawing.layout.hasse import hasse_layout, layout_of
from porank.drawing.page.page import write_page
from porank.drawing.page.scenes import page_data, points_at_stops, share_of_effort
from porank.generators.random_orders import random_order
from tests.benchmarks.side_by_side import run, timed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: How far the two scores of an item are from its true one.
_NOISE = 0.15


def relation(n: int, n_thresholds: int, seed: int = 0) -> PreferenceRelation:
    """Return degrees of preference: the lead in both scores, in so many steps of 1 / n."""
    rng = np.random.default_rng(seed)
    scores = np.arange(n) / n + rng.normal(0, _NOISE, (2, n))
    lead = np.min(scores[:, :, None] - scores[:, None, :], axis=0)
    steps = np.clip(np.ceil(lead * n), 0, n_thresholds)
    return PreferenceRelation.from_degrees(steps / n_thresholds, reciprocal=False)


def pages(sizes: Sequence[int], thresholds: Sequence[int]) -> Table:
    """Return what pages are like, and the seconds of processor time that they take."""
    rows = []
    for n, k in product(sizes, thresholds):
        P = relation(n, k)

        def write(P: PreferenceRelation = P) -> str:
            write_page(None, file := io.StringIO(), preferences=P)
            return file.getvalue()

        text, seconds = timed(write, clock=time.process_time)
        lines = [len(scene["lines"]) // 2 for scene in page_data(None, preferences=P)["scenes"]]
        size = len(text.encode()) / 1000
        rows.append((n, k, len(lines), max(lines), f"{seconds:.2g}", f"{size:,.0f}"))
    columns = ("items", "thresholds", "orders shown", "lines, at most", "seconds", "kilobytes")
    return Table(columns, tuple(rows))


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


#: What a reader does for two seconds, as a script: drags or turns the wheel, once a frame.
_MOVES = """
const [kind, done] = arguments, svg = document.getElementById("diagram");
const box = svg.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
const send = (kind, type, dx, more) => svg.dispatchEvent(new kind(type,
  { bubbles: true, cancelable: true, pointerId: 1, clientX: x + dx, clientY: y, ...more }));
let frames = 0, began = null;
svg.parentElement.setPointerCapture = () => {};
if (kind === "drag") send(PointerEvent, "pointerdown", 0);
const step = (now) => {
  began ??= now;
  const phase = Math.sin((now - began) / 300);
  if (kind === "drag") send(PointerEvent, "pointermove", 200 * phase);
  else send(WheelEvent, "wheel", 0, { deltaY: 40 * phase });
  frames++;
  if (now - began < 2000) return requestAnimationFrame(step);
  if (kind === "drag") send(PointerEvent, "pointerup", 0);
  done(frames / (now - began) * 1000);
};
requestAnimationFrame(step);
"""


def in_browser(sizes: Sequence[int]) -> Table:
    """Return how long pages take to open in a headless Chromium, and frames a second of moves.

    The orders are random ones of dimension 2; while they move one item is selected.
    """
    from selenium import webdriver
    from selenium.webdriver import Keys

    options = webdriver.ChromeOptions()
    for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage"):
        options.add_argument(f"--{argument}")
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    rows = []
    with webdriver.Chrome(options=options, service=service) as browser, TemporaryDirectory() as at:
        for n in sizes:
            order, path = random_order(n, dimension=2, seed=0), Path(at) / "page.html"
            write_page(order, path)
            _, opened = timed(partial(browser.get, path.as_uri()))
            browser.find_element("id", "diagram").send_keys(Keys.HOME, Keys.ENTER)
            moved = [browser.execute_async_script(_MOVES, kind) for kind in ("drag", "wheel")]
            lines, size = order.number_of_edges(), path.stat().st_size / 1000
            frames = [f"{rate:.0f}" for rate in moved]
            rows.append((n, f"{lines:,}", f"{size:,.0f}", f"{opened:.2f}", *frames))
    frames_of = ("dragged, frames", "zoomed, frames")
    return Table(("items", "lines", "kilobytes", "opens in seconds", *frames_of), tuple(rows))


def parts(*, small: bool) -> Iterator[Table]:
    """Yield the tables."""
    yield pages([25, 50] if small else [50, 100, 200, 1000], [1, 15])
    yield haste([60, 100] if small else [60, 100, 150], 15)
    yield in_browser([12, 150] if small else [12, 150, 600, 3000])


if __name__ == "__main__":
    run(__doc__, parts, "networkx", "numpy")
