"""The strengths of items with their intervals.

`draw_strengths` draws them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.drawing import axes
from porank.drawing.boxes import require_few
from porank.drawing.style import MUTED, SERIES
from porank.errors import PorankError, a_kind, counted
from porank.strengths.fitted_strengths import Strengths

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Rows of more items cannot be told apart.
_MOST = 200


def draw_strengths(found: Strengths, *, ax: Axes | None = None) -> Axes:
    """Draw the strength of each item as a dot on its interval, the strongest at the top.

    Items of different parts cannot be compared. A dashed line separates the parts, and each has
    its own mean of 0.

    Parameters
    ----------
    found : Strengths
        Result of `fit_strengths`.
    ax : Axes, optional
        Axes to draw in. By default a new figure.

    Returns
    -------
    Axes
        The axes, with a row for each item at y = 0, 1, ... The dots have the gid ``"strength"``,
        the intervals ``"interval"``, and the lines between parts ``"part"``.

    Raises
    ------
    PorankError
        If `found` is not a result of `fit_strengths`, or has more than 200 items.

    See Also
    --------
    fit_strengths, draw_systems

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_strengths(po.fit_strengths({("a", "b"): 9, ("b", "a"): 4}))
    >>> ax.get_title()
    'Strengths of 2 items: fit of the model not tested'

    Notes
    -----
    Time O(n) for n items, some milliseconds for each name.
    """
    if not isinstance(found, Strengths):
        raise PorankError(f"expected a result of fit_strengths, found {a_kind(found)}")
    rows = [item for part in found.parts for item in part]
    require_few(len(rows), _MOST, "items to draw", "its table lists all items")
    size = 6.4, min(8.0, max(1.6, 0.9 + 0.24 * len(rows)))
    title = f"Strengths of {counted(len(rows), 'item')}: {found.verdict()}"
    x = f"log of the worth, with intervals of {1 - found.risk:.0%}"
    ax = axes.axes_for(ax, size=size, keep=("bottom",), title=title, x=x, y="items")
    ax.set_ylim(len(rows) - 0.5, -0.5)
    dots = np.array([found.strengths[item] for item in rows])
    intervals = np.array([found.intervals[item] for item in rows])
    ends = np.concatenate([intervals[np.isfinite(intervals)], dots[np.isfinite(dots)], [0]])
    margin = 0.05 * np.ptp(ends) or 1.0
    limits = ends.min() - margin, ends.max() + margin
    # An infinite strength is drawn at the side, and an infinite interval from side to side.
    how: dict[str, Any] = {"s": 22, "color": SERIES[0][0].color, "zorder": 3, "clip_on": False}
    ax.scatter(np.clip(dots, *limits), range(len(rows)), gid="strength", **how)
    bars = [[(end, y) for end in both] for y, both in enumerate(np.clip(intervals, *limits))]
    how = {"colors": SERIES[0][0].color, "linewidths": 1.6, "zorder": 2}
    axes.add_lines(ax, bars, gid="interval", **how)
    ax.set_xlim(*limits)
    starts = [len(part) for part in found.parts]
    for k in range(1, len(starts)):
        y = sum(starts[:k]) - 0.5
        ax.axhline(y, color=MUTED, linewidth=0.8, linestyle="--", gid="part")
    if note := axes.name_rows(ax, rows):
        ax.set_ylabel(f"items, {note}")
    axes.fit_captions(ax)
    return axes.number_gids(ax)
