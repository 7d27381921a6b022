"""The positions of a log: click rates, and how much places change what is chosen.

`draw_positions` draws them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.statements import read_statements
from porank.clicks.taste_of_log import LogTaste, click_rates, place_curve, read_taste
from porank.drawing import axes
from porank.drawing.style import SERIES
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes


#: Lines with more positions than this have no markers.
_MARKED = 40
#: Half the width of an interval of 95 %, in standard errors.
_Z = 1.96


def draw_positions(log: Any, *, ax: Axes | None = None) -> Axes:
    """Draw click rates by position, and the odds of a choice there for items liked equally.

    Click rates depend on both taste and place. The odds are those of the taste model, as in
    `settled_order`: how many times as often an item is chosen at a place as at the first one, if
    both are liked equally, with a band for their intervals of 95 %. Click rates below them mean
    that items that are liked less were shown there.

    Parameters
    ----------
    log : ClickLog, table or path
        The sessions, with positions and with items that were seen but not clicked.
    ax : Axes, optional
        Axes to draw in. By default a new figure.

    Returns
    -------
    Axes
        Lines with the gids ``"odds"`` and, for a log of clicks, ``"rate"``, and a band with the gid
        ``"interval"``.

    Raises
    ------
    PorankError
        If the log has no positions; as in `settled_order`.
    OSError, ParseError
        As in `preference_pairs`.

    See Also
    --------
    settled_order, explore

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "juice": 1}, 500, seed=1)
    >>> ax = po.draw_positions(log)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['odds at equal taste', 'click rate, highest 48%']

    Notes
    -----
    Time as for the fit of `settled_order`, without its tests.
    """
    taste = log if isinstance(log, LogTaste) else read_taste(read_statements(log))
    curve = place_curve(taste)
    if not curve.position.size:
        hint = "ClickLog(log, columns={'position': ...}) names their column"
        raise PorankError("expected a log that compares items at known positions", hint=hint)
    ax = axes.axes_for(
        ax,
        size=(5.2, 3.4),
        title=f"Clicks and choices at {counted(curve.position.size, 'place')}",
        x="position",
        y="relative to the first; to the highest",
        keep=("left", "bottom"),
    )
    low, high = (np.exp(curve.log_odds + side * _Z * curve.error) for side in (-1, 1))
    color = SERIES[0][0].color
    ax.fill_between(curve.position, low, high, color=color, alpha=0.2, linewidth=0, gid="interval")
    odds = np.exp(curve.log_odds)
    handles = [_draw_line(ax, 0, "odds", curve.position, odds, "odds at equal taste")]
    if (rates := click_rates(taste.statements)) is not None:
        position, rate = rates
        label = f"click rate, highest {rate.max():.0%}"
        handles.append(_draw_line(ax, 1, "rate", position, rate / rate.max(), label))
    # Wide intervals are clipped to leave room for the lines.
    ax.set_ylim(0, 1.05 * max(1.0, float(odds.max())))
    ax.locator_params(axis="x", integer=True)
    if curve.position.size == 1:
        ax.set_xticks(curve.position)
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
