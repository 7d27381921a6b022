"""The positions of a log: click rates, propensities, and pairs seen in both orders.

`draw_positions` draws them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.propensity import propensity_of, read_entries
from porank.drawing import axes
from porank.drawing.style import SERIES
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Lines with more positions than this have no markers.
_MARKED = 40


def draw_positions(log: Any, *, ax: Axes | None = None) -> Axes:
    """Draw click rates by position, propensities, and the share of pairs seen in both orders.

    Click rates depend on both preference and position. Propensities, from `estimate_propensity`,
    are the probabilities that each position is examined, relative to the highest one, with a band
    for their intervals. Click rates below them mean that less attractive items were shown there. A
    third line is the share of pairs with an item at that position that were seen both ways, each
    above the other in some list, so they can be compared without a model of examination.

    Parameters
    ----------
    log : ClickLog, table or path
        The sessions, with positions and with items that were seen but not clicked.
    ax : Axes, optional
        Axes to draw in. By default a new figure.

    Returns
    -------
    Axes
        Lines with the gids ``"rate"`` and ``"both_ways"``; in the latter each list counts all of
        its pairs. If clicked items changed positions, a line with the gid ``"propensity"`` and a
        band with the gid ``"interval"``.

    Raises
    ------
    PorankError
        If the log has no positions, or all items seen were clicked; as in `preference_pairs`.
    OSError, ParseError
        As in `preference_pairs`.

    See Also
    --------
    estimate_propensity, evidence_table

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "juice": 1}, 500, seed=1)
    >>> ax = po.draw_positions(log)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['propensity', 'click rate, highest 48%', 'pairs seen both ways']

    Notes
    -----
    Time and memory O(r l) for r rows and lists of l items, beyond that of `estimate_propensity`.
    """
    positions, entries = read_entries(log)
    if not positions.size:
        raise PorankError("expected a log with positions to draw, found no rows")
    views, clicks = (counts.sum(axis=0) for counts in entries.counts())
    ax = axes.axes_for(
        ax,
        size=(5.2, 3.4),
        title=f"Clicks and propensities at {counted(positions.size, 'position')}",
        x="position",
        y="relative to the highest; share of pairs",
        keep=("left", "bottom"),
    )
    rates = clicks / views
    lines = (
        ("rate", rates / (rates.max() or 1), f"click rate, highest {rates.max():.0%}"),
        ("both_ways", entries.seen_both_ways(), "pairs seen both ways"),
    )
    handles = [_draw_propensity(ax, positions, entries)]
    for number, (gid, shares, label) in enumerate(lines, start=1):
        handles.append(_draw_line(ax, number, gid, positions, shares, label))
    # Wide intervals are clipped to leave room for the lines.
    heights = np.concatenate([[1.0], *(line.get_ydata() for line in ax.lines)])
    ax.set_ylim(0, 1.05 * np.fmax.reduce(heights))
    ax.locator_params(axis="x", integer=True)
    if positions.size == 1:
        ax.set_xticks(positions)
    axes.fit_captions(ax)
    axes.legend(ax, handles, place="best")
    return axes.number_gids(ax)


def _draw_line(ax: Axes, number: int, gid: str, positions: Any, shares: Any, label: str) -> Any:
    """Draw a line of shares by position, and return its legend entry."""
    look, marker = SERIES[number]
    how: dict[str, Any] = {"color": look.color, "linestyle": look.dash, "markersize": 4.5}
    how["marker"] = marker if len(positions) <= _MARKED else ""
    ax.plot(positions, shares, gid=gid, linewidth=1.6, **how)
    return axes.stroke(label, **how)


def _draw_propensity(ax: Axes, positions: Any, entries: Any) -> Any:
    """Draw the propensities with their band, and return a legend entry for them or their lack."""
    try:
        found = propensity_of(positions, entries)
    except PorankError:
        return axes.stroke("no propensities: clicks join no two positions", linestyle="none")
    columns = found["position"], found["lower"], found["upper"]
    ax.fill_between(*columns, color=SERIES[0][0].color, alpha=0.2, linewidth=0, gid="interval")
    return _draw_line(ax, 0, "propensity", found["position"], found["propensity"], "propensity")
