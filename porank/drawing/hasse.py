"""The Hasse diagram of an order, drawn: best on top, a line for each cover."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from porank.core.compiled_order import require_items
from porank.drawing.canvas import sheet_for
from porank.drawing.captions import Titles
from porank.drawing.groups import Boxes, boxed
from porank.drawing.layout import hasse_layout
from porank.drawing.lines import line_widths
from porank.drawing.paint import faded, painted
from porank.drawing.palette import ALARM, FAINT, INK, MUTED, PAPER
from porank.drawing.sheet import LIT, Box
from porank.drawing.style import number_gids
from porank.drawing.words import require_names, words_of
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from porank.drawing.lines import Widths
    from porank.drawing.paint import Paint
    from porank.drawing.sheet import Sheet
    from porank.typing import Item, OrderLike

#: The frames of boxes with several items.
_FRAMES = {
    "item": Box(),
    "tie": Box(edge=INK, width=1.4, gid="tie"),
    "knot": Box(edge=ALARM, width=1.6, dash="--", gid="knot"),
}


def draw_hasse(
    G: OrderLike,
    *,
    layering: str | Mapping[Any, Any] = "ranks",
    color: str | Mapping[Any, Any] | Collection[Any] = "rank",
    width: str | None = None,
    highlight: Iterable[Any] = (),
    names: Mapping[Any, object] | None = None,
    ax: Axes | None = None,
    progress: bool = False,
) -> Axes:
    """Draw the Hasse diagram of an order: a box for each item, best on top, a line for each cover.

    An item is preferred to those that lines lead down to. The items of a knot, which prefer each
    other in a circle, share a framed box, and so do items that are known to be tied.

    Parameters
    ----------
    G : DiGraph or scores
        An order, or any directed graph: its knots are drawn as `condense` makes them.
    layering : str or mapping
        On which level an item stands, as for `hasse_layout`.
    color : str, mapping or collection
        What colours the boxes: ``"rank"``; the name of a node attribute; a mapping item -> value;
        a set of items, which are marked; or ``"none"``. More than six numbers are a scale, on which
        the larger is the darker.
    width : str, optional
        The edge attribute to which the widths of the lines are proportional, such as ``"weight"``.
    highlight : iterable
        Items that stand out with the lines between them, such as an up-set or a chain.
    names : mapping, optional
        item -> name, for items that are not to be called what they are.
    ax : Axes, optional
        Where to draw; by default in a new figure.
    progress : bool
        Show bars.

    Returns
    -------
    Axes
        A box lies where `hasse_layout` puts it, and is a text with the gid ``"item"``, ``"tie"`` or
        ``"knot"``, the next of a kind ``"item-2"`` and so on. Where boxes have no room, all are one
        collection of dots with the gid ``"item"``, and names are texts with the gid ``"name"``. The
        lines are one collection with the gid ``"cover"``.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.
    TieError
        If the node attribute ``tie`` contradicts the edges.
    PorankError
        If an option names items that are not there or an attribute that none has, if a weight is no
        number, or if there are too many lines for `hasse_layout`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_hasse(po.parse("a > b ~ c > d; e > f > e"))
    >>> sorted((text.get_text(), text.get_gid()) for text in ax.texts)
    [('a', 'item'), ('b ~ c', 'tie'), ('d', 'item-2'), ('e, f', 'knot')]
    >>> ax.get_title()
    'Preferences of 6 items with 1 knot'
    >>> plt.close(ax.figure)

    Notes
    -----
    Time that of `hasse_layout`, and some milliseconds for each text. A line that would run through
    the box of another item goes round it. Names are wrapped where they
    are too long for one line; then shortened, with a key beside the diagram; and where there is no
    room for that, items are dots, one in k of them has a name, or those to
    highlight have, and the legend says so.
    """
    boxes = boxed(G)
    called = require_names(names, boxes.box)
    shining = _shining(boxes, highlight)
    paint = painted(G, boxes, color)
    levels = boxes.levels_for(layering)
    layout = hasse_layout(boxes.graph, layering=levels, progress=progress)
    widths = line_widths(G, boxes, layout, width)
    is_ranked = isinstance(layering, str) and layering == "ranks"
    says_rank = is_ranked and isinstance(color, str) and color == "rank"
    entries = _entries(boxes, paint if not says_rank else None, widths, shining)
    titles = Titles(
        title=_title(boxes),
        x="lines lead down: from the better to the worse",
        y="rank, best on top" if is_ranked else "best on top",
        has_ranks=is_ranked,
    )
    sheet = sheet_for(ax, layout, words_of(boxes, called), titles, entries, first=shining)
    _draw_lines(sheet, widths, shining)
    sheet.draw_boxes({box: _look(boxes, paint, box, shining) for box in layout})
    return number_gids(sheet.ax)


def _shining(boxes: Boxes, highlight: Any) -> set[Any]:
    """Return the boxes of the items to highlight."""
    if isinstance(highlight, str) or not isinstance(highlight, Iterable):
        raise PorankError(f"expected items to highlight, such as a set, found {highlight!r:.80}")
    items: list[Item] = list(highlight)
    require_items(boxes.box, items)
    return {boxes.box[item] for item in items}


def _title(boxes: Boxes) -> str:
    """Return what is drawn, in words."""
    n = len(boxes.box)
    if boxes.pairs is None:
        return f"Preferences of {counted(n, 'item')} with {counted(boxes.count('knot'), 'knot')}"
    if n < 2:
        return f"Order of {counted(n, 'item')}"
    return f"Order of {counted(n, 'item')}: {boxes.pairs:,} of {n * (n - 1) // 2:,} pairs decided"


def _look(boxes: Boxes, paint: Paint, box: Any, shining: set[Any]) -> Box:
    """Return how a box is drawn: as it is, or stepping forward or back."""
    frame, fill = _FRAMES[boxes.kind[box]], paint.fill[box]
    edge, width = frame.edge, frame.width
    if box in shining:
        width += LIT
        edge = INK if frame.edge == MUTED else edge
    elif shining:
        fill = faded(fill)
        edge = faded(edge)
    return Box(fill, edge, width, frame.dash, frame.gid, is_lit=box in shining)


def _draw_lines(sheet: Sheet, widths: Widths, shining: set[Any]) -> None:
    """Draw a line for each cover, those between highlighted boxes last and darkest."""
    from matplotlib.collections import LineCollection

    edges = sheet.layout.edges
    is_lit = [u in shining and v in shining for u, v in edges]
    sequence = sorted(range(len(edges)), key=lambda number: is_lit[number])
    plain = FAINT if shining else MUTED
    points = widths.points or [sheet.thin] * len(edges)
    lines = LineCollection(
        [sheet.run(*edges[number]) for number in sequence],
        colors=[INK if is_lit[number] else plain for number in sequence],
        linewidths=[points[number] * (2 if is_lit[number] else 1) for number in sequence],
        capstyle="round",
        zorder=2,
    )
    lines.set_gid("cover")
    sheet.ax.add_collection(lines, autolim=False)


def _entries(boxes: Boxes, paint: Paint | None, widths: Widths, shining: set[Any]) -> list[Any]:
    """Return what the legend explains."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    found: list[Any] = [
        Patch(facecolor=fill, edgecolor=MUTED, linewidth=0.8, label=text)
        for fill, text in (paint.entries if paint else [])
    ]
    found += [
        Line2D([], [], color=MUTED, linewidth=points, label=text) for points, text in widths.entries
    ]
    for kind, text in (("tie", "tied items"), ("knot", "a knot: preferred in a circle")):
        if boxes.count(kind):
            frame = _FRAMES[kind]
            how: dict[str, Any] = {"linewidth": frame.width, "linestyle": frame.dash}
            found.append(Patch(facecolor=PAPER, edgecolor=frame.edge, label=text, **how))
    if shining:
        k = sum(len(boxes.members[box]) for box in shining)
        text = f"{k:,} of {len(boxes.box):,} highlighted"
        found.append(Patch(facecolor=PAPER, edgecolor=INK, linewidth=2.2, label=text))
    return found
