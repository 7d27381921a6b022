"""A two-dimensional order as points in the plane: better is to the right and above.

`draw_dominance`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.compiled_order import compile_order
from porank.drawing import axes
from porank.drawing.style import SERIES
from porank.drawing.texts import names_of, widest_name
from porank.errors import NotApplicableError, counted
from porank.orders.dimension import find_forced_contradiction, find_realizer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from porank.typing import OrderLike

_Points = dict[Any, tuple[float, float]]
#: Radius of a dot in points.
_DOT = 2.5


def draw_dominance(G: OrderLike, *, ax: Axes | None = None) -> Axes:
    """Draw an order of dimension two as points: better is to the right and above.

    Each item is at its ranks in the two rankings of a realizer, with rank 1 on the right and at the
    top. So u is above v in the order if and only if its point is to the right of and above that of
    v, and no lines are needed. Names that do not fit are left out, and the title says how many
    items are named.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order of dimension at most 2.
    ax : Axes, optional
        Axes to draw in. By default a new figure.

    Returns
    -------
    Axes
        The Axes drawn in.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    NotApplicableError
        If `G` is not an intersection of two rankings.

    See Also
    --------
    find_realizer, is_two_dimensional, draw_hasse

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_dominance(po.parse("a > c; b > c; b > d"))
    >>> ax.get_title()
    '4 items in two dimensions'

    Notes
    -----
    Takes the time of `find_realizer`. The more items, the smaller their names.

    References
    ----------
    .. [1] M. C. Golumbic, "Algorithmic Graph Theory and Perfect Graphs", Academic Press, 1980,
       chapter 5. https://doi.org/10.1016/C2013-0-10739-8
    """
    order = compile_order(G)
    points = _realized(G)
    x, y = (f"rank in the {which} ranking (1 is best)" for which in ("first", "second"))
    title = f"{counted(len(order.items), 'item')} in two dimensions"
    size = 6.3, 6.3
    ax = axes.axes_for(ax, size=size, title=title, x=x, y=y, keep=("left", "bottom"))
    _draw_points(ax, points)
    axes.fit_captions(ax)
    return axes.number_gids(ax)


def _realized(G: OrderLike) -> _Points:
    """Return the point of each item in the plane: its ranks in two rankings."""
    realizer = find_realizer(G)
    if realizer is None:
        chain = find_forced_contradiction(G) or []
        raise NotApplicableError(
            "expected an order of dimension at most 2, found one in which a chain of "
            f"{len(chain)} forced pairs contradicts itself; find_forced_contradiction(G) shows it"
        )
    first, second = ({item: k for k, item in enumerate(line, start=1)} for line in realizer)
    return {item: (first[item], second[item]) for item in first}


def _draw_points(ax: Axes, points: _Points) -> None:
    """Draw a dot for each item, with its name beside it if it fits."""
    size = axes.size_for(220 / max(1, len(points)))
    items = list(points)
    margin = 0.06 * max(len(items) - 1, 1)
    ends = len(items) + margin, 1 - margin
    ax.set(xlim=ends, ylim=ends)
    axes.widen(ax, right=widest_name(items) + 10 if items else 0)
    for axis, length in zip((ax.xaxis, ax.yaxis), axes.size_in_points(ax), strict=True):
        axes.number_ranks(axis, len(items), length)
    for place in points.values():
        ax.plot(*place, "o", color=SERIES[0][0].color, markersize=2 * _DOT, gid="item")
    dots, texts = np.array(list(points.values())).reshape(-1, 2), names_of(items, size=size)
    named = axes.name_dots(ax, dots, texts, radius=_DOT, size=size)
    if named < len(items):
        ax.title.set_text(f"{ax.get_title()}, {named:,} named")
