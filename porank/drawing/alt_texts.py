"""What a picture or an order shows, in three sentences, for those who cannot see it.

`alt_text` returns it; `described` returns an artist that writes it into SVG files.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.graphs import sorted_by_label
from porank.drawing.box_texts import JOINS
from porank.drawing.boxes import boxed
from porank.drawing.texts import in_one_line
from porank.errors import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from porank.drawing.boxes import Boxes
    from porank.typing import OrderLike


#: Maximum number of names in a list, and the beginnings of the gids of texts that are names.
_MOST, _NAMES = 12, ("item", "tie", "component", "name", "count", "aside")


def alt_text(shown: OrderLike | Axes) -> str:
    """Describe an order or a picture in at most three sentences, for those who cannot see it.

    Of an order: how much is decided, what is at the top and at the bottom, a longest chain. Of a
    picture: its title, the names in it from the top, its legend.

    Parameters
    ----------
    shown : DiGraph, ranks, or scores (larger is better); or Axes
        An order, any directed graph, or the Axes that a ``draw_`` function returned.

    Returns
    -------
    str
        The text, to be used as the attribute ``alt`` of an image. At most 12 names are listed.

    Raises
    ------
    GraphTypeError
        If it is neither.

    See Also
    --------
    draw_hasse, write_page, to_tikz

    Examples
    --------
    >>> import porank as po
    >>> print(po.alt_text(po.parse("espresso > cocoa > water; tea > cocoa; chai")))
    ... # doctest: +NORMALIZE_WHITESPACE
    Order of 5 items: 5 of 10 pairs decided. Nothing is above espresso and tea; nothing is below
    water; in no decided pair: chai. The longest chain has 3 items.

    Notes
    -----
    Takes the time of `transitive_closure`.
    """
    picture: Any = shown
    if hasattr(shown, "get_xlim"):
        parts = [picture, *reversed(picture.child_axes)]
        found = [_unbroken(picture.get_title() or picture.get_label())]
        found += [next(filter(None, map(see, parts)), "") for see in (_named, _key)]
    else:
        found = _described_order(boxed(picture))
    return " ".join(f"{text}." for text in found if text)


def _described_order(boxes: Boxes) -> list[str]:
    """Return what there is to say about an order."""
    graph: Any = boxes.graph
    members = boxes.members.items()
    name = {box: JOINS[boxes.kind[box]].join(map(in_one_line, items)) for box, items in members}
    if len(name) < 2:
        return [boxes.summary]
    # Each box that is at an end, by whether something is above it and whether something is below.
    ends = {"0 1": "nothing is above", "1 0": "nothing is below", "0 0": "in no decided pair:"}
    found: dict[str, list[str]] = {kind: [] for kind in ends}
    for box, text in name.items():
        sides = f"{bool(graph.pred[box]):d} {bool(graph.succ[box]):d}"
        found.get(sides, []).append(text)
    about = "; ".join(f"{ends[kind]} {_listed(own)}" for kind, own in found.items() if own)
    chain = counted(len(nx.dag_longest_path(graph)), "item")
    return [boxes.summary, about[0].upper() + about[1:], f"The longest chain has {chain}"]


def _listed(names: Sequence[str]) -> str:
    """Return names as a list, and the number of those that are too many."""
    more = [f"{len(names) - _MOST:,} more"] if len(names) > _MOST else []
    *first, last = [*names[:_MOST], *more]
    return f"{', '.join(first)} and {last}" if first else last


def _unbroken(text: str) -> str:
    """Return a text of a picture in one line, without the escapes of Matplotlib."""
    return " ".join(text.split()).replace(r"\$", "$")


def _named(ax: Any) -> str:
    """Return the names in a picture from the top: those of rows, or those of items by height."""
    from matplotlib.ticker import FixedFormatter, FuncFormatter

    if isinstance(ax.yaxis.get_major_formatter(), (FixedFormatter, FuncFormatter)):
        rows = [text for label in ax.get_yticklabels() if (text := label.get_text())]
        return f"Rows from the top: {_listed(list(map(_unbroken, rows)))}" if rows else ""
    places: dict[float, dict[float, str]] = {}
    for text in ax.texts:
        # A list of numbers has the names of all items from the top.
        if (listed := _unbroken(text.get_text())).startswith("1: "):
            return f"From the top: {_listed(listed.split(', '))}"
        if str(text.get_gid()).split("-")[0] in _NAMES:
            x, y = ax.transData.transform(getattr(text, "xy", text.get_position()))
            places.setdefault(round(float(y)), {})[float(x)] = _unbroken(text.get_text())
    rows = [[row[x] for x in sorted(row)] for _, row in sorted(places.items(), reverse=True)]
    names = list(chain.from_iterable(rows))
    # Names that occur twice are in columns.
    if len(names) == len({*names}):
        rows = [[row[k] for k in sorted_by_label(row)] for row in rows]
    levels = [", ".join(row) for row in rows]
    more = [f"{len(levels) - _MOST:,} more levels"] if len(levels) > _MOST else []
    return f"From the top: {'; '.join([*levels[:_MOST], *more])}" if levels else ""


def _key(ax: Any) -> str:
    """Return the texts of the legend."""
    legend = ax.get_legend()
    texts = [_unbroken(text.get_text()) for text in legend.get_texts()] if legend else []
    return f"Legend: {'; '.join(texts)}" if texts else ""


def described(ax: Axes) -> Any:
    """Return an artist that writes the description of a picture into SVG files."""
    from matplotlib.artist import Artist

    artist: Any = Artist()
    artist.draw = partial(_describe, ax)
    artist.set_in_layout(False)
    return artist


def _describe(ax: Axes, renderer: Any) -> None:
    """Write the title and the description of a picture if the renderer writes SVG."""
    if writer := getattr(renderer, "writer", None):
        title, _, rest = alt_text(ax).partition(". ")
        writer.element("title", text=title)
        writer.element("desc", text=rest)
