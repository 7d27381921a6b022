"""What of an order a Hasse diagram shows: all of it, or what can be read.

Idea: *items without a line are listed below the diagram, and of an order that is too large for the
width only the highlighted items and their neighbours are drawn; the others are counted, level by
level.*

`shown_part` returns a `ShownPart`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.drawing.box_texts import Words, number_listed
from porank.drawing.boxes import READABLE, boxes_apart, list_key
from porank.drawing.layout.hasse_layout import HasseLayout, hasse_layout, in_places, layout_of
from porank.drawing.texts import shortened
from porank.errors import PorankError, counted
from porank.orders.algebra import restrict
from porank.orders.closure import transitive_reduction
from porank.orders.ranks import set_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    import networkx as nx

    from porank.drawing.boxes import Boxes
    from porank.drawing.layout.junctions import Place


#: The least size of a unit of a layout at which lines can be followed, in points.
_LEAST_UNIT = 12.0, 6.0
#: Maximum number of rows in which boxes are counted.
_ROWS = 8


@dataclass(frozen=True)
class Row:
    """The boxes of some levels that are not drawn, by the first rank."""

    number: int


class ShownPart(NamedTuple):
    """The layout of what is drawn, with more covers, and what is listed or counted instead."""

    layout: HasseLayout
    beyond: list[tuple[Any, Any]]
    apart: list[Any]
    rows: dict[Row, tuple[str, list[Any]]]

    def words(self, words: Mapping[Any, Words], room: Place) -> dict[Any, Words]:
        """Return the words in the boxes drawn, with the names of some items if there is room."""
        counts: dict[Any, Words] = {}
        # Beside items that are drawn there is no room for names.
        most = READABLE * (self.rows.keys() == self.layout.keys())
        for row, (ranks, hidden) in self.rows.items():
            names = [shortened(words[box].text) for box in hidden[:most]]
            fits = number_listed(names, room, below=1)
            shown = [*names[:fits], *["…"][: fits and len(hidden) - fits]]
            parts = [f"{ranks}: ", f"{counted(len(hidden), 'item')}: ", *(f"{n}, " for n in shown)]
            counts[row] = Words([*parts[:-1], parts[-1][:-2]], widest=inf)
        return {box: counts.get(box) or words[box] for box in self.layout}

    def texts_apart(self, words: Mapping[Any, Words], how: str) -> list[str]:
        """Return the texts that list the items below the diagram, with how they are apart."""
        names = [f"{shortened(words[box].text)}," for box in self.apart]
        heading = f"{counted(len(names), 'item')} {how}:".split(" ")
        return [*heading, *names[:-1], names[-1][:-1]] if names else []


def shown_part(
    boxes: Boxes,
    lit: Set[Any],
    *,
    room: Place,
    layout: HasseLayout | None,
    rank: Mapping[Any, int] | None,
    may_list: bool,
    **how: Any,
) -> ShownPart:
    """Return the part of an order that is drawn, in a given layout or in its own.

    The room is the width and the height in points. Items apart are sorted by `rank`, then as in
    lists.
    """
    if layout is not None:
        return ShownPart(*in_places(_fitting(layout, boxes), boxes.graph), [], {})
    graph: Any = boxes.graph
    alone = boxes_apart(boxes, graph, but=lit) if may_list else []
    apart = sorted(alone, key=lambda box: (rank[box] if rank else 0, list_key(box)))
    shown = graph.subgraph(boxes.members.keys() - apart)
    found = hasse_layout(shown, **how) if len(shown) <= READABLE else None
    if found is None or not is_legible(found, room):
        return _counted_by_level(shown, lit, room)._replace(apart=apart)
    return ShownPart(found, [], apart, {})


def is_legible(layout: HasseLayout, room: Place) -> bool:
    """Return whether the lines of a layout can be followed in this width and height."""
    left, _, right, top = layout.bounds
    across, up = _LEAST_UNIT
    return (right - left + 1) * across <= room[0] and (top + 1) * up <= room[1]


def _fitting(layout: Any, boxes: Boxes) -> HasseLayout:
    """Return the layout to draw in, or raise an error if it has other boxes."""
    if isinstance(layout, HasseLayout) and set(layout) == set(boxes.members):
        return layout
    raise PorankError(
        f"expected a layout of the {counted(len(boxes.members), 'item')} drawn, found {layout!r}",
        hint="hasse_layout(order) returns one; tied items and cycles have a common box",
    )


def _counted_by_level(order: nx.DiGraph, lit: Set[Any], room: Place) -> ShownPart:
    """Return the highlighted boxes and their neighbours, and boxes that count the others."""
    covers = transitive_reduction(order)
    near = {*lit, *chain.from_iterable((*covers.pred[box], *covers.succ[box]) for box in lit)}
    for kept in (near, lit, set()):
        found = _with_rows(order, kept)
        if not kept or (len(kept) <= READABLE and is_legible(found.layout, room)):
            break
    return found


def _with_rows(order: nx.DiGraph, kept: Set[Any]) -> ShownPart:
    """Return some boxes, and in each row a box that counts the others of some levels."""
    rank = set_ranks(order)
    step = -(-max(rank.values()) // _ROWS)
    hidden: dict[Row, list[Any]] = {}
    for box in sorted(rank.keys() - kept, key=lambda box: (rank[box], list_key(box))):
        hidden.setdefault(Row((rank[box] - 1) // step * step + 1), []).append(box)
    rows = {}
    for row, inside in hidden.items():
        first, last = rank[inside[0]], rank[inside[-1]]
        rows[row] = f"rank {first}" if first == last else f"ranks {first}–{last}", inside
    graph = restrict(order, kept)
    graph.add_nodes_from(rows)
    level = rank | {row: row.number for row in rows}
    return ShownPart(layout_of(graph, level=level), [], [], rows)
