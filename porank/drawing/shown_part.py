"""What of an order a Hasse diagram shows: all of it, or what can be read.

Idea: *items without a line are listed beside the diagram, and of an order that is too large only
the highlighted items and their neighbours are drawn; the others are counted, level by level.*

`shown_part` returns a `ShownPart`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.compiled_order import compile_order
from porank.drawing.box_texts import Words
from porank.drawing.boxes import READABLE, boxes_apart, list_key
from porank.drawing.layout.hasse_layout import HasseLayout, hasse_layout, in_places, layout_of
from porank.drawing.texts import shortened
from porank.errors import PorankError, counted
from porank.orders.algebra import restrict
from porank.orders.closure import transitive_reduction

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from porank.drawing.boxes import Boxes


#: Maximum number of boxes to draw with the neighbours of those highlighted.
_MOST_AROUND = 60
#: Maximum number of rows in which boxes are counted, and of names in one.
_ROWS, _NAMED = 16, 2


@dataclass(frozen=True)
class Row:
    """The boxes of some levels that are not drawn, by the number of the first level."""

    number: int


class ShownPart(NamedTuple):
    """The layout of what is drawn, with more covers, and what is listed or counted instead."""

    layout: HasseLayout
    beyond: list[tuple[Any, Any]]
    apart: list[Any]
    rows: dict[Row, tuple[str, list[Any]]]

    def hidden(self, boxes: Boxes) -> set[Any]:
        """Return the boxes that are not drawn."""
        return boxes.members.keys() - self.layout.keys()

    def words(self, words: Mapping[Any, Words]) -> dict[Any, Words]:
        """Return the words in the boxes drawn."""
        counts: dict[Any, Words] = {}
        for row, (ranks, hidden) in self.rows.items():
            names = [shortened(words[box].text, longest=60) for box in hidden[:_NAMED]]
            more = ["…"][: len(hidden) - len(names)]
            listed = [f"{name}, " for name in [*names, *more]]
            counts[row] = Words([f"{ranks}: ", f"{counted(len(hidden), 'item')}: ", *listed])
            counts[row].parts[-1] = counts[row].parts[-1][:-2]
        return {box: counts.get(box) or words[box] for box in self.layout}

    def texts_apart(self, words: Mapping[Any, Words], how: str) -> list[str]:
        """Return the texts that list the items beside the diagram, with how they are apart."""
        names = [f"{shortened(words[box].text)}," for box in self.apart]
        heading = [counted(len(names), "item"), f"{how}:"]
        return [*heading, *names[:-1], names[-1][:-1]] if names else []


def shown_part(
    boxes: Boxes,
    lit: Set[Any],
    *,
    layout: HasseLayout | None,
    rank: Mapping[Any, int] | None,
    may_list: bool,
    **how: Any,
) -> ShownPart:
    """Return the part of an order that is drawn, in a given layout or in its own.

    Items apart are sorted by `rank`, then as in lists.
    """
    if layout is not None:
        return ShownPart(*in_places(_fitting(layout, boxes), boxes.graph), [], {})
    graph: Any = boxes.graph
    alone = boxes_apart(boxes, graph, but=lit) if may_list else []
    if len(boxes.members) - len(alone) > READABLE:
        return _counted_by_level(boxes, lit)
    apart = sorted(alone, key=lambda box: (rank[box] if rank else 0, list_key(box)))
    shown = graph.subgraph(boxes.members.keys() - apart)
    return ShownPart(hasse_layout(shown, **how), [], apart, {})


def _fitting(layout: Any, boxes: Boxes) -> HasseLayout:
    """Return the layout to draw in, or raise an error if it has other boxes."""
    if isinstance(layout, HasseLayout) and set(layout) == set(boxes.members):
        return layout
    raise PorankError(
        f"expected a layout of the {counted(len(boxes.members), 'item')} drawn, found {layout!r}",
        hint="hasse_layout(order) returns one; tied items and cycles have a common box",
    )


def _counted_by_level(boxes: Boxes, lit: Set[Any]) -> ShownPart:
    """Return the highlighted boxes and their neighbours, and a box to count the rest of a level."""
    order, covers = compile_order(boxes.graph), transitive_reduction(boxes.graph)
    level = dict(zip(order.items, order.levels.tolist(), strict=True))
    near = {*lit, *chain.from_iterable((*covers.pred[box], *covers.succ[box]) for box in lit)}
    kept = near if len(near) <= _MOST_AROUND else lit if len(lit) <= READABLE else set()
    step = -(-(1 + max(level.values())) // _ROWS)
    hidden: dict[Row, list[Any]] = {}
    for box in sorted(level.keys() - kept, key=lambda box: (level[box], list_key(box))):
        hidden.setdefault(Row(level[box] // step * step), []).append(box)
    rows = {}
    for row, inside in hidden.items():
        first, last = level[inside[0]] + 1, level[inside[-1]] + 1
        rows[row] = f"rank {first}" if first == last else f"ranks {first} to {last}", inside
    graph = restrict(boxes.graph, kept)
    graph.add_nodes_from(rows)
    levels = {box: level[box] for box in kept} | {row: row.number for row in rows}
    return ShownPart(layout_of(graph, level=levels), [], [], rows)
