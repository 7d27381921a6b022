"""What of an order a Hasse diagram shows: all of it, or what can be read.

Idea: *items without a line are listed below the diagram, and of an order whose lines cannot be
followed only the highlighted items and their neighbours are drawn; the others are counted, level by
level.*

`shown_part` returns a `ShownPart`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, chain
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.graphs import graph_of
from porank.drawing.box_texts import Words, number_listed
from porank.drawing.boxes import READABLE, boxes_apart, list_key
from porank.drawing.layout.hasse_layout import HasseLayout, in_places, layout_of, require_junctions
from porank.drawing.texts import list_of, shortened
from porank.errors import PorankError, counted
from porank.orders.algebra import restrict
from porank.orders.closure import transitive_reduction
from porank.orders.ranks import set_ranks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

    import networkx as nx

    from porank.drawing.boxes import Boxes
    from porank.drawing.layout.junctions import Place


#: The least size of a unit of a layout at which lines can be followed, in points, and the maximum
#: number of crossings for each box, if all of them need not be drawn.
_LEGIBLE_UNIT, _MOST_CROSSINGS = (12.0, 6.0), 10
#: Maximum number of rows in which boxes are counted; in points, the least height of a row, and what
#: title and captions may take.
_ROWS, _ROW_HEIGHT, _AROUND = 8, 20.0, 36.0


@dataclass(frozen=True)
class Row:
    """The boxes of some levels that are counted instead of drawn, by their ranks."""

    first: int
    last: int

    @property
    def text(self) -> str:
        """The ranks as text."""
        is_one = self.first == self.last
        return f"rank {self.first}" if is_one else f"ranks {self.first}–{self.last}"


class ShownPart(NamedTuple):
    """The layout of what is drawn, with more covers, and what is listed or counted instead.

    The boxes of a row are in lists, one for each rank. Rows are boxes of the layout if no item is
    drawn; otherwise a text below counts their items.
    """

    layout: HasseLayout
    beyond: list[tuple[Any, Any]]
    apart: list[Any]
    rows: dict[Row, list[list[Any]]]
    members: Mapping[Any, Sequence[Any]] = {}

    def _count(self, row: Row) -> int:
        """Return the number of items in a row."""
        return sum(len(self.members[box]) for level in self.rows[row] for box in level)

    def words(self, words: Mapping[Any, Words], room: Place) -> dict[Any, Words]:
        """Return the words in the boxes drawn; rows list as many items as there is room for."""
        found: dict[Any, Words] = {}
        for row in (row for row in self.rows if row in self.layout):
            listed = [shortened(words[box].text) for level in self.rows[row] for box in level]
            ends = accumulate(len(level) for level in self.rows[row])
            separators = dict.fromkeys(ends, "; ")
            fits = number_listed(listed[:READABLE], room, below=1)
            names = [f"{listed[k]}{separators.get(k + 1, ', ')}" for k in range(fits)]
            names += ["…, "] * (0 < fits < len(listed))
            parts = [f"{row.text}: ", f"{counted(self._count(row), 'item')}: ", *names]
            found[row] = Words([*parts[:-1], parts[-1][:-2]], widest=inf)
        return {box: found.get(box) or words[box] for box in self.layout}

    def texts_apart(self, words: Mapping[Any, Words], how: str) -> list[list[str]]:
        """Return the paragraphs below the diagram: the items in no pair, and how many are hidden.

        A line may end after each text of a paragraph.
        """
        found = []
        if self.apart:
            names = [shortened(words[box].text) for box in self.apart]
            found.append(list_of(f"{counted(len(names), 'item')} {how}:", names))
        hidden = {row: self._count(row) for row in self.rows if row not in self.layout}
        if hidden:
            rows = [f"{row.text} ({n:,})" for row, n in hidden.items()]
            found.append(list_of(f"{counted(sum(hidden.values()), 'item')} not drawn:", rows))
        return found


def shown_part(
    boxes: Boxes,
    lit: Set[Any],
    *,
    room: Place,
    layout: HasseLayout | None,
    rank: Mapping[Any, int] | None,
    may_list: bool,
    junctions: bool | str,
) -> ShownPart:
    """Return the part of an order that is drawn, in a given layout or in its own.

    The room is the width and the height in points. Items apart are sorted by `rank`, then as in
    lists; unless they may be in a list, they are only if there is no room for them in the diagram.
    """
    require_junctions(junctions)
    if layout is not None:
        return ShownPart(*in_places(_fitting(layout, boxes), boxes.graph), [], {})
    graph: Any = boxes.graph
    alone = boxes_apart(boxes, graph, but=lit)
    alone.sort(key=lambda box: (rank[box] if rank else 0, list_key(box)))
    most = _MOST_CROSSINGS if junctions == "auto" else inf
    for apart in [alone] if may_list else [[], alone]:
        shown = graph.subgraph(boxes.members.keys() - apart)
        full = layout_of(shown, junctions=junctions) if len(shown) <= READABLE else None
        if full is not None and is_legible(full, room, most=most):
            return ShownPart(full, [], apart, {})
    found = _counted_by_level(shown, lit, room, junctions)
    return found._replace(apart=apart, members=boxes.members)


def is_legible(layout: HasseLayout, room: Place, *, most: float = _MOST_CROSSINGS) -> bool:
    """Return whether the lines of a layout can be followed in this width and height.

    They cross at most that many times for each box.
    """
    left, _, right, top = layout.bounds
    across, up = _LEGIBLE_UNIT
    fits = (right - left + 1) * across <= room[0] and (top + 1) * up <= room[1]
    return fits and layout.crossings <= most * len(layout)


def _fitting(layout: Any, boxes: Boxes) -> HasseLayout:
    """Return the layout to draw in, or raise an error if it has other boxes."""
    if isinstance(layout, HasseLayout) and set(layout) == set(boxes.members):
        return layout
    raise PorankError(
        f"expected a layout of the {counted(len(boxes.members), 'item')} drawn, found {layout!r}",
        hint="hasse_layout(order) returns one; tied items and cycles have a common box",
    )


def _counted_by_level(order: nx.DiGraph, lit: Set[Any], room: Place, junctions: Any) -> ShownPart:
    """Return the highlighted boxes and their neighbours, and boxes that count the others."""
    covers = transitive_reduction(order)
    near = {*lit, *chain.from_iterable((*covers.pred[box], *covers.succ[box]) for box in lit)}
    for kept in (near, lit, set()):
        found = _with_rows(order, kept, room[1], junctions)
        if not kept or (len(kept) <= READABLE and is_legible(found.layout, room)):
            break
    return found


def _with_rows(order: nx.DiGraph, kept: Set[Any], high: float, junctions: Any) -> ShownPart:
    """Return some boxes, and rows that count the others; of no boxes, the rows are the picture."""
    rank = set_ranks(order)
    most = min(_ROWS, max(1, int((high - _AROUND) / _ROW_HEIGHT)))
    step = -(-max(rank.values(), default=1) // most)
    levels: dict[int, dict[int, list[Any]]] = {}
    for box in sorted(rank.keys() - kept, key=lambda box: (rank[box], list_key(box))):
        levels.setdefault((rank[box] - 1) // step, {}).setdefault(rank[box], []).append(box)
    rows = {Row(min(each), max(each)): [*each.values()] for each in levels.values()}
    if kept:
        near = layout_of(restrict(order, kept), level=rank, junctions=junctions)
        return ShownPart(near, [], [], rows)
    places = layout_of(graph_of(rows), level={row: row.first for row in rows})
    return ShownPart(places, [], [], rows)
