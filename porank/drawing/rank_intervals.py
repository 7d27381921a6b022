"""The possible ranks of items as bars, their probabilities as shades, the expected rank as a dot.

`draw_rank_intervals` draws them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.compiled_order import compile_order
from porank.core.graphs import item_key
from porank.drawing import axes
from porank.drawing.boxes import require_few
from porank.drawing.style import ALARM, MUTED, PAPER, color_of_share
from porank.drawing.texts import widest_name
from porank.errors import counted
from porank.extensions.rank_probabilities import rank_probabilities
from porank.orders.ranks import rank_intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from porank.typing import Floats, Item, OrderLike, Seed


#: Bars of more items cannot be told apart.
_MOST = 2000
#: Up to this many items, bars have frames and gaps.
_FRAMED = 100
#: Width of the key, in points, and the probabilities in it.
_KEY, _STEPS = 88.0, (0.0, 0.05, 0.2, 0.5, 1.0)
#: The height of a row is divided into this many parts; the first and the last stay free.
_PARTS = 6


def draw_rank_intervals(
    G: OrderLike,
    *,
    method: str = "auto",
    seed: Seed = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the possible ranks of each item, their probabilities and the expected rank.

    The bar of an item spans its possible ranks in `rank_intervals`, and a dot marks its expected
    rank. Ranks in the bar are shaded by their probability in `rank_probabilities`, if all linear
    extensions are equally likely; darker is more likely.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    method, seed
        How to compute probabilities and expected ranks, as for `rank_probabilities`.
    ax : Axes, optional
        Axes to draw in. By default a new figure.

    Returns
    -------
    Axes
        Items are rows at y = 0, 1, ..., the lowest expected rank first; rank r is at x = r. The
        shades are an image with the gid ``"probabilities"``, bars have the gid ``"interval"``, dots
        ``"expected"``.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact values are required and a part has more ideals than `rank_probabilities` lists.
    PorankError
        If an option is out of range, or there are more than 2,000 items.

    See Also
    --------
    rank_intervals, expected_ranks

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_rank_intervals(po.parse("a > b > c; d"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'd', 'b', 'c']

    Notes
    -----
    Takes the time of `rank_probabilities`. If names would overlap, every k-th is shown, and the
    picture says so.
    """
    n = len(compile_order(G).items)
    require_few(
        n,
        _MOST,
        "items to draw",
        "restrict(G, items) takes some of them, rank_intervals(G) returns the numbers",
    )
    rows = _rows(G, rank_probabilities(G, method=method, seed=seed))
    ax = _axes(ax, rows)
    _draw_bars(ax, rows)
    _shade(ax, rows)
    dots: dict[str, Any] = {"color": ALARM, "edgecolors": PAPER, "linewidths": 0.6, "zorder": 4}
    size = max(1.5, min(5.5, 0.7 * axes.unit_in_points(ax)[1]))
    ax.scatter(rows.expected, range(n), s=size**2, gid="expected", **dots)
    _write_key(ax)
    return axes.number_gids(ax)


@dataclass(frozen=True, eq=False)
class _Rows:
    """The items, the lowest expected rank first, with their ranks."""

    items: list[Item]
    expected: list[float]
    intervals: list[tuple[int, int]]
    shares: Floats
    method: str


def _rows(G: OrderLike, found: Any) -> _Rows:
    """Return the rows in order: by expected rank, by interval, by name."""
    items, n, intervals = list(found), len(found), rank_intervals(G)
    shares = np.array(list(found.values()), dtype=np.float64).reshape(n, n)
    # E[rank of x] = sum over r of r P(rank of x = r)
    means = (shares @ np.arange(1, n + 1)).tolist()

    def place(number: int) -> Any:
        item = items[number]
        # Equal sums of floats may differ by rounding.
        return round(means[number], 9), intervals[item], item_key(item)

    sequence = sorted(range(n), key=place)
    chosen = [items[number] for number in sequence]
    expected, spans = [means[number] for number in sequence], [intervals[item] for item in chosen]
    return _Rows(chosen, expected, spans, shares[sequence], found.method)


def _axes(ax: Axes | None, rows: _Rows) -> Axes:
    """Return the Axes, with room for the key."""
    n = max(len(rows.items), 1)
    widest = widest_name(rows.items)
    width, height = min(6.5, max(2.4, 0.3 * n)), min(8.0, max(1.4, 0.24 * n))
    size = width + 0.4 + (widest + _KEY) / 72, height + 0.9
    how = "" if rows.method == "exact" else ", estimated by random walks"
    title = f"Possible ranks of {counted(len(rows.items), 'item')}{how}"
    titles = {"title": title, "x": "rank (1 is best)", "y": "items"}
    ax = axes.axes_for(ax, size=size, keep=("bottom",), **titles)
    ax.set(xlim=(0.5, n + 0.5), ylim=(n - 0.5, -0.5))
    if note := axes.name_rows(ax, rows.items):
        ax.set_ylabel(f"items, {note}")
    axes.fit_captions(ax)
    room = axes.size_in_points(ax)[0] - _KEY
    axes.number_ranks(ax.xaxis, len(rows.items), room)
    axes.widen(ax, right=_KEY)
    ax.spines["bottom"].set_bounds(0.5, n + 0.5)
    return ax


def _draw_bars(ax: Axes, rows: _Rows) -> None:
    """Draw the rank interval of each item as a bar from its best to its worst rank."""
    few = len(rows.items) <= _FRAMED
    half = 0.5 - 1 / _PARTS if few else 0.5
    bars = [
        axes.box_corners(best - 0.5, worst + 0.5, y, half)
        for y, (best, worst) in enumerate(rows.intervals)
    ]
    edge: dict[str, Any] = {"edgecolors": MUTED if few else "none", "linewidths": 0.6}
    axes.add_areas(ax, bars, facecolors="none", zorder=3, gid="interval", **edge)


def _shade(ax: Axes, rows: _Rows) -> None:
    """Shade each rank in a bar by the square root of its probability."""
    n = len(rows.items)
    if not n:
        return
    best, worst = np.array(rows.intervals).T[:, :, None]
    ranks = np.arange(1, n + 1)
    shades = np.ma.masked_where((ranks < best) | (ranks > worst), np.sqrt(rows.shares))
    if n <= _FRAMED:
        shades = np.ma.repeat(shades, _PARTS, axis=0)
        shades[::_PARTS] = shades[_PARTS - 1 :: _PARTS] = np.ma.masked
    axes.fill_shades(ax, shades, left=0.5, zorder=2.5, gid="probabilities")


def _write_key(ax: Axes) -> None:
    """Write the key of dots and shades."""
    entries = [axes.dot("expected rank", color=ALARM, size=5)]
    entries += [axes.patch(f"p = {step:g}", color_of_share(sqrt(step))) for step in _STEPS]
    axes.legend(ax, entries, place="upper right")
