"""An order of two dimensions as points in the plane: better is to the right and above.

`draw_dominance`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from porank.convert.indicators import from_table
from porank.core.compiled_order import compile_order
from porank.drawing.axes import axes_for, make_room, number_gids, settle_caption, size_for, write
from porank.drawing.style import SERIES
from porank.drawing.texts import names_of, widest_name
from porank.errors import NotApplicableError, PorankError, counted
from porank.measures.agreement import jaccard
from porank.orders.algebra import restrict
from porank.orders.dimension import find_forced_contradiction, find_realizer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from porank.typing import OrderLike

_Points = dict[Any, tuple[float, float]]


def draw_dominance(
    G: OrderLike,
    *,
    indicators: Mapping[Any, tuple[float, float]] | None = None,
    names: tuple[str, str] = ("", ""),
    ax: Axes | None = None,
    progress: bool | None = None,
) -> Axes:
    """Draw an order of two dimensions as points: better is to the right and above.

    Each item stands at its positions in the two rankings of a realizer, so that u is above v in the
    order if and only if its point lies to the right of and above that of v; no lines are needed.

    Parameters
    ----------
    G : DiGraph or scores
        An order of dimension at most 2.
    indicators : mapping, optional
        Item -> (x, y), two numbers of which larger is better, that have `G` as their dominance
        order, as `from_table` makes it. By default the positions in `find_realizer`.
    names : tuple of two texts, optional
        What the axes are called.
    ax : Axes, optional
        Where to draw; by default a figure of its own.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    Axes
        The Axes drawn in.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    NotApplicableError
        If `G` is no intersection of two rankings.
    PorankError
        If the indicators say something else than `G`.

    See Also
    --------
    find_realizer, is_two_dimensional, draw_hasse, from_table

    Examples
    --------
    >>> import porank as po
    >>> ax = po.draw_dominance(po.parse("a > c; b > c; b > d"))
    >>> ax.get_title()
    '4 items in two dimensions'

    Notes
    -----
    Time that of `find_realizer`. Names are written smaller the more items there are.

    References
    ----------
    .. [1] M. C. Golumbic, "Algorithmic Graph Theory and Perfect Graphs", Academic Press, 1980,
       chapter 5. https://doi.org/10.1016/C2013-0-10739-8
    """
    order = compile_order(G)
    points = _realized(G, progress=progress) if indicators is None else _checked(G, indicators)
    if indicators is None:
        names = tuple(  # type: ignore[assignment]
            name or f"positions behind, in the {which} ranking"
            for name, which in zip(names, ("first", "second"), strict=True)
        )
    title = f"{counted(len(order.items), 'item')} in two dimensions"
    ax = axes_for(ax, size=(4.6, 4.6), title=title, x=names[0], y=names[1], keep=("left", "bottom"))
    if indicators is None:
        ax.locator_params(integer=True)
    _draw_points(ax, points)
    settle_caption(ax)
    return number_gids(ax)


def _realized(G: OrderLike, *, progress: bool | None) -> _Points:
    """Return, for each item, how many stand behind it in either ranking of a realizer."""
    realizer = find_realizer(G, progress=progress)
    if realizer is None:
        chain = find_forced_contradiction(G, progress=progress) or []
        raise NotApplicableError(
            "expected an order of dimension at most 2, found one in which a chain of "
            f"{len(chain)} forced pairs contradicts itself; find_forced_contradiction(G) shows it"
        )
    first, second = ({item: k for k, item in enumerate(reversed(line))} for line in realizer)
    return {item: (first[item], second[item]) for item in first}


def _checked(G: OrderLike, indicators: Any) -> _Points:
    """Return the indicators as points, having made sure that they say what the order says."""
    if not isinstance(indicators, Mapping):
        raise PorankError(
            f"expected a mapping item -> (x, y) as indicators, found {indicators!r:.60}"
        )
    table = {}
    for item, pair in indicators.items():
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise PorankError(f"expected two numbers as indicators of {item!r}, found {pair!r:.60}")
        table[item] = dict(zip("xy", pair, strict=True))
    by_indicators = from_table(table, maximize=["x", "y"])
    if jaccard(restrict(G, compile_order(G).items), by_indicators) < 1:
        raise PorankError(
            "expected indicators whose dominance order is G, found another one; "
            "from_table(...) makes the order of a table"
        )
    return {item: (float(row["x"]), float(row["y"])) for item, row in table.items()}


def _draw_points(ax: Axes, points: _Points) -> None:
    """Draw a dot for each item of the plane, with its name to the right of it."""
    size = size_for(220 / max(1, len(points)))
    items = list(points)
    for axis, values in zip((ax.xaxis, ax.yaxis), zip(*points.values(), strict=True), strict=False):
        margin = 0.06 * ((max(values) - min(values)) or 1.0)
        axis.set_view_interval(min(values) - margin, max(values) + margin, ignore=True)
    for item, name in zip(items, names_of(items, size=size), strict=True):
        ax.plot(*points[item], "o", color=SERIES[0][0].color, markersize=5, gid="item")
        write(ax, name, points[item], shift=(6, 0), size=size, align=("left", "center"), gid="name")
    make_room(ax, right=widest_name(items) + 10 if items else 0)
