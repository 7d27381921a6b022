"""The drawn Hasse diagram of an order: best at the top, a line for each cover.

`draw_hasse` draws it. `_painted` chooses the colours of boxes, by a value of items, and
`_line_widths` the widths of lines, by an attribute of edges. The layout comes from
`drawing.layout`, boxes and lines from `drawing.diagram`.
"""

from __future__ import annotations

import math
from bisect import bisect_left as bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import networkx as nx

from porank.core.arguments import holds
from porank.core.compiled_order import require_items
from porank.core.graphs import sorted_by_label
from porank.drawing import style
from porank.drawing.axes import Frame, finish
from porank.drawing.box_texts import words_of
from porank.drawing.boxes import READABLE, boxed, require_names
from porank.drawing.diagram import BOLDER, MOST_UP, Box, Diagram, room_in, sheet_for
from porank.drawing.layout.hasse_layout import pairs_along
from porank.drawing.marks import add_lines, patch, stroke
from porank.drawing.shown_part import shown_part
from porank.drawing.texts import in_one_line, label_text, shortened
from porank.errors import PorankError, counted
from porank.measures.pair_table import pair_up
from porank.orders.algebra import restrict
from porank.orders.closure import transitive_reduction
from porank.orders.open_pairs import has_reasons, open_pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from porank.core.compiled_order import CompiledOrder
    from porank.drawing.boxes import Boxes
    from porank.drawing.diagram import Sheet
    from porank.drawing.layout.hasse_layout import HasseLayout
    from porank.drawing.shown_part import ShownPart
    from porank.typing import Item, OrderLike

    _Along = Mapping[Any, list[tuple[Any, Any]]]


#: The frames of boxes with several items.
_FRAMES = {
    "item": Box(),
    "tie": Box(edge=style.INK, width=1.4, gid="tie"),
    "component": Box(edge=style.ALARM, width=1.6, dash="--", gid="component"),
}
#: The frame of a box that counts items, and the width of a line of names in a figure that grows
#: with them, in points.
_COUNT, _USUAL = Box(edge=style.FAINT, gid="count"), 200.0


def draw_hasse(
    G: OrderLike,
    *,
    junctions: bool | str = "auto",
    color: str | Mapping[Any, Any] = "none",
    highlight: Iterable[Any] = (),
    names: Mapping[Any, object] | None = None,
    leaning: OrderLike | None = None,
    layout: HasseLayout | None = None,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the Hasse diagram of an order: boxes for items, lines for covers, best at the top.

    An item is preferred to those that lines lead down to; its height alone means nothing. The items
    of a strongly connected component, which are preferred to each other along cycles, share a
    dashed box; tied items share a framed box. Dotted lines are covers in the graph attribute
    ``perhaps_place``, as in orders of `settled_order`: only counts prefer one of the items, which
    its place may explain. In a dense diagram lines lead through junctions, small dots: all items
    above one are preferred to all below it. More than five items that are in no decided pair are
    listed below the diagram.

    Lines whose edges have ``rests_on`` are thin if they rest on two units or fewer, and thick if on
    more than ten; a line to a junction looks like the weakest pair that it joins.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order, or any directed graph; cycles are drawn as components, as in `condense`.
    junctions : bool or "auto"
        Whether to lead lines through junctions, small dots, as for `hasse_layout`: by default if
        fewer lines cross. All items above a dot are preferred to all items below it.
    color : str or mapping
        Colour of the boxes: ``"none"``; the name of a node attribute; or a mapping item -> value.
        More than six numbers become a scale on which larger is darker.
    highlight : iterable
        Items to highlight with the lines between them, such as an up-set or a chain.
    names : mapping, optional
        item -> name to write instead of the item itself.
    leaning : DiGraph, ranks, or scores (larger is better), optional
        An acyclic order of the same items that contains `G`, such as a prediction that goes beyond
        what `settled_order` settles. Its additional covers are dashed; where they do not lead down,
        an arrow points to the worse item.
    layout : HasseLayout, optional
        Result of `hasse_layout` for another order of the same items, so that several orders can be
        compared by sight; all of it is drawn. Lines that do not lead down have an arrow.
    width : {"column", "page"} or float, optional
        Width of a new figure: 3.3 or 6.5 inches, or any number of inches. Text has 7 to 9 points,
        and the figure is as high as it needs.
    title : str or None
        Title instead of the usual one; with None there is none.
    ax : Axes, optional
        Axes to draw in. By default a new figure, which grows with the order.

    Returns
    -------
    Axes
        A box is at its place in `hasse_layout`, and is a text with the gid ``"item"``, ``"tie"`` or
        ``"component"``, then ``"item-2"`` and so on. If boxes do not fit, items are one collection
        of dots with the gid ``"item"``, and names are texts with the gid ``"name"``. Lines are one
        collection with the gid ``"cover"``, dashed lines one with the gid ``"leaning"``, junctions
        one with ``"junction"``. A list below has the gid ``"aside"``, a box that counts items
        ``"count"``, arrow heads ``"arrow"``, the legend ``"key"``.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    TieError
        If the node attribute ``tie`` contradicts the edges.
    CycleError
        If `leaning` has a cycle, or is given and `G` has one.
    ItemMismatchError
        If the items of `leaning` differ.
    PorankError
        If `leaning` lacks a pair of `G`, an option names unknown items or an attribute that no item
        has, or there are too many lines for `hasse_layout`.

    See Also
    --------
    to_dot, to_tikz, hasse_layout, HasseLayout, draw_comparison

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_hasse(po.parse("a > b ~ c > d; e > f > e"))
    >>> sorted((text.get_text(), text.get_gid()) for text in ax.texts)
    [('a', 'item'), ('b ~ c', 'tie'), ('d', 'item-2'), ('e, f', 'component')]
    >>> ax.get_title()
    'Preferences of 6 items, 2 of them on cycles'

    Notes
    -----
    Takes the time of `hasse_layout`, and some milliseconds for each text and line. A level is one
    row. A new figure grows with the order, up to 10 x 8.5 inches. Names that are too long for one
    line are wrapped, and if they still do not fit, written smaller, down to 7 points. If that is
    not enough, items are dots with their names beside them. If some names have no place, or are
    near another dot, items are numbered from the top, and a list below has their names. In Axes
    that are too small for the list, only some dots are named, and the legend says how many. If
    items are highlighted, only their dots are named or numbered. A legend that would take more than
    half of the Axes is cut short.

    If lines would be less than 12 points apart or levels less than 6, or if the order has more than
    150 boxes or ten crossings for each of them, only the items to highlight and their neighbours
    are drawn; the others are counted, level by level. A wider figure shows larger orders,
    ``junctions=False`` or ``True`` those with more crossings, and `write_page` all of them.

    If an order keeps the reasons why its pairs are open, as those of `settled_order` do, the text
    below the diagram counts them, as in `draw_pair_matrix`.
    """
    looks: dict[str, Any] = {"color": color, "names": names, "highlight": highlight}
    looks |= {"leaning": leaning, "junctions": junctions, "layout": layout}
    return finish(hasse_sheet(G, Frame(ax, width, title), **looks).ax)


def hasse_sheet(
    G: OrderLike,
    frame: Frame,
    *,
    junctions: bool | str = "auto",
    color: Any = "none",
    highlight: Any = (),
    names: Any = None,
    numbers: Mapping[Any, int] | None = None,
    leaning: OrderLike | None = None,
    layout: HasseLayout | None = None,
    is_small: bool = False,
    form: str = "boxes or dots",
    figure: Any = None,
) -> Sheet:
    """Draw the Hasse diagram of an order, and return its sheet."""
    boxes = boxed(G)
    called = require_names(names, boxes.box)
    lit = _highlighted(boxes, highlight)
    paint = _painted(G, boxes, color)
    more = None if leaning is None else _require_contained(G, leaning)
    room = room_in(frame)
    rank = more and dict(zip(more.items, more.levels.tolist(), strict=True))
    how: dict[str, Any] = {"junctions": junctions, "rank": rank, "may_list": not paint.entries}
    part = shown_part(boxes, lit, room=room, layout=layout, **how)
    lines = _Lines.of(G, boxes, part, lit, leaning)
    marked = ((item, in_one_line(called.get(item, item))) for item in paint.mark)
    called = {**called, **{item: f"{paint.mark[item]}{name}" for item, name in marked}}
    # A figure without a given width grows with names.
    wide = _USUAL if frame.ax is None and frame.width is None else room[0]
    n_levels, crowd = max(len(part.layout.levels), 1), max(map(len, part.layout.levels), default=1)
    each = wide / crowd, min(room[1] / n_levels, MOST_UP)
    words = words_of(boxes, called, room=each)
    how_apart = "in no decided pair" if more is None else "in no settled pair, sorted by leaning"
    high = room[1] / max(len(part.rows), 1)
    diagram = Diagram(
        part.layout,
        part.words(words, (wide, high)),
        entries=[*_entries(boxes, paint, lit), *lines.entries()],
        title=_title(boxes, more),
        caption="\n".join(filter(None, [_caption(part, lines), note_of_open(G)])),
        aside=part.texts_apart(words, how_apart),
        is_small=is_small,
        form="boxes" if part.rows.keys() & part.layout.keys() else form,
        to_name=() if part.rows else lit,
        bows=dict.fromkeys([*part.beyond, *lines.dashed]),
        numbers=words_of(boxes, numbers, room=each) if numbers else {},
    )
    sheet = sheet_for(frame, diagram, figure)
    lines.draw(sheet)
    looks = {
        box: _COUNT if box in part.rows else _look(boxes, paint, box, lit, lines.is_faded)
        for box in part.layout
    }
    sheet.draw_boxes(looks)
    return sheet


def _caption(part: ShownPart, lines: _Lines) -> str:
    """Return what the lines mean, and whether some items are not drawn."""
    place, bows = part.layout, [*part.beyond, *lines.dashed]
    along = ", or along arrows," * any(place[u][1] <= place[v][1] for u, v in bows)
    meaning = f"lines lead down{along} from better to worse" * bool(lines.along)
    more = "write_page(order, path) shows all items" * bool(part.rows)
    levels = "items by rank, without lines" * bool(part.rows.keys() & place.keys())
    return "; ".join(filter(None, [meaning, levels, more]))


def note_of_open(G: Any) -> str:
    """Return why pairs are open, with their numbers, if an order of few items says so."""
    if not isinstance(G, nx.Graph) or not has_reasons(G) or len(G) > READABLE:
        return ""
    often = Counter(style.state_of(state, reason) for _, _, state, reason, *_ in open_pairs(G))
    found = [f"{often[state]:,} {state}" for state in style.STATE_LOOKS if often[state]]
    text = f"open pairs: {', '.join(found)}" * bool(found)
    return text.replace("not enough", "not enough evidence")


def _highlighted(boxes: Boxes, highlight: Any) -> set[Any]:
    """Return the boxes of the items to highlight."""
    if isinstance(highlight, str) or not isinstance(highlight, Iterable):
        raise PorankError(f"expected a set or list of items to highlight, found {highlight!r:.80}")
    items: list[Item] = list(highlight)
    require_items(boxes.box, items)
    return {boxes.box[item] for item in items}


def _require_contained(G: OrderLike, leaning: OrderLike) -> CompiledOrder:
    """Return a leaning order, or raise an error unless it contains the order drawn."""
    pairing = pair_up(G, leaning)
    agreed, known = pairing.counts.concordant, pairing.target.count_pairs()
    if agreed < known:
        raise PorankError(
            f"expected a leaning order with all {counted(known, 'pair')} of the order drawn, "
            f"found {agreed:,} of them"
        )
    return pairing.predicted


def _covers_beyond(
    leaning: OrderLike, boxes: Boxes, part: ShownPart, along: _Along
) -> list[tuple[Any, Any]]:
    """Return the covers of a leaning order between boxes of the diagram that have no line."""
    shown = [item for item, box in boxes.box.items() if box in part.layout]
    covers = transitive_reduction(restrict(leaning, shown)).edges
    edges = dict.fromkeys((boxes.box[u], boxes.box[v]) for u, v in covers)
    known = {*chain.from_iterable(along.values())}
    return [(u, v) for u, v in edges if u != v and (u, v) not in known]


def _perhaps(boxes: Boxes, *orders: Any) -> set[tuple[Any, Any]]:
    """Return the pairs of boxes, in both directions, that may be due to place."""
    given = [getattr(order, "graph", {}).get("perhaps_place") for order in orders]
    listed = chain(*(each for each in given if isinstance(each, list)))
    pairs = [(boxes.box.get(u), boxes.box.get(v)) for u, v in listed]
    return {*pairs, *((v, u) for u, v in pairs)}


def _title(boxes: Boxes, more: CompiledOrder | None) -> str:
    """Return the title of a Hasse diagram: the number of items and of decided pairs."""
    if more is None or boxes.pairs is None:
        return boxes.summary
    n = len(boxes.box)
    settled = f"{boxes.pairs:,} of {counted(n * (n - 1) // 2, 'pair')} settled"
    return f"Order of {counted(n, 'item')}: {settled}, {more.count_pairs() - boxes.pairs:,} leaning"


def _look(boxes: Boxes, paint: _Paint, box: Any, lit: set[Any], is_faded: bool) -> Box:
    """Return the looks of a box: normal, highlighted or faded."""
    frame, fill = _FRAMES[boxes.kind[box]], paint.fill[box]
    edge, width, dash = frame.edge, frame.width, ":" if fill == style.NO_VALUE else frame.dash
    if box in lit:
        width += BOLDER
        edge = style.INK if frame.edge == style.MUTED else edge
    elif is_faded:
        # Values can still be read off the legend.
        fill = fill if paint.entries else style.faded(fill)
        edge = style.mixed((edge, style.FAINT), 0.8)
    return Box(fill, edge, width, dash, frame.gid)


#: The width of lines that rest on at most so many units, as a multiple, and its name.
_FIRM = ((2, 0.5, "1 or 2"), (10, 1.0, "3 to 10"), (math.inf, 1.9, "more than 10"))


class _Lines(NamedTuple):
    """The lines of a diagram, with the pairs that each joins, and those of a leaning order.

    Some join highlighted boxes, or pairs that may be due to place; `firmness` has places in
    `_FIRM`.
    """

    along: _Along
    dashed: list[tuple[Any, Any]]
    lit: set[tuple[Any, Any]]
    perhaps: set[tuple[Any, Any]]
    firmness: dict[tuple[Any, Any], int]
    unit: str
    is_faded: bool

    @classmethod
    def of(cls, G: Any, boxes: Boxes, part: ShownPart, lit: set[Any], leaning: Any) -> Self:
        """Return the lines of the part of an order that is drawn."""
        joined = pairs_along(part.layout) | {edge: [edge] for edge in part.beyond}
        between = {e for e in joined if lit and any({*pair} <= lit for pair in joined[e])}
        along = {edge: joined[edge] for edge in sorted(joined, key=between.__contains__)}
        return cls(
            along,
            [] if leaning is None else _covers_beyond(leaning, boxes, part, along),
            between,
            _perhaps(boxes, G, leaning),
            _firmness(G, boxes, along),
            getattr(G, "graph", {}).get("unit", "unit"),
            is_faded=bool(lit) and not part.rows,
        )

    def _dash(self, pairs: Iterable[tuple[Any, Any]], usual: Any) -> Any:
        """Return the dashes of a line that joins these pairs: dotted if one may be due to place."""
        return usual if self.perhaps.isdisjoint(pairs) else style.DOTTED

    def entries(self) -> list[Any]:
        """Return the legend entries for the kinds of lines, and for their widths if they differ."""
        kinds = {"settled": "-", "leaning: not settled": style.DASHED} if self.dashed else {}
        if self._dash(chain(*self.along.values(), self.dashed), "-") == style.DOTTED:
            kinds["may be due to place"] = style.DOTTED
        found = [stroke(text, color=style.MUTED, linestyle=dash) for text, dash in kinds.items()]
        firm = sorted(set(self.firmness.values()))
        for _, width, most in [_FIRM[k] for k in firm if len(firm) > 1]:
            text = f"rests on {most} {self.unit}s"
            found.append(stroke(text, color=style.MUTED, linewidth=1.2 * width))
        return found

    def draw(self, sheet: Sheet) -> None:
        """Draw the lines, those between highlighted boxes last and darkest, and those that lean."""
        plain = style.FAINT if self.is_faded else style.MUTED
        paths = [sheet.course(*edge) for edge in self.along]
        firm = {edge: _FIRM[k][1] for edge, k in self.firmness.items()}
        widths = [
            sheet.thin * firm.get(edge, 1) * (2 if edge in self.lit else 1) for edge in self.along
        ]
        colors = [style.INK if edge in self.lit else plain for edge in self.along]
        dashes = [self._dash(pairs, "-") for pairs in self.along.values()]
        how: dict[str, Any] = {"colors": colors, "linewidths": widths, "linestyles": dashes}
        _add(sheet, paths, gid="cover", **how)
        sheet.draw_junctions([*chain.from_iterable(self.lit)], plain)
        if self.dashed:
            dashes = [self._dash([edge], style.DASHED) for edge in self.dashed]
            how = {"colors": style.MUTED, "linewidths": sheet.thin, "linestyles": dashes}
            _add(sheet, [sheet.course(*edge) for edge in self.dashed], gid="leaning", **how)


def _add(sheet: Sheet, paths: Sequence[Any], **how: Any) -> None:
    """Draw lines, with arrow heads on those that do not lead down, so the worse end is known."""
    add_lines(sheet.ax, paths, capstyle="round", zorder=2, **how)
    upward = [path for path in paths if path[0, 1] <= path[-1, 1]]
    sheet.draw_heads(upward, facecolors=style.MUTED, zorder=2.1)


def _firmness(G: Any, boxes: Boxes, along: _Along) -> dict[tuple[Any, Any], int]:
    """Return the place in `_FIRM` of the weakest pair of each line, if all rest on some units."""
    least: dict[tuple[Any, Any], float] = {}
    given = nx.get_edge_attributes(G, "rests_on") if isinstance(G, nx.DiGraph) else {}
    for (u, v), n in given.items():
        if n is not None:
            pair = boxes.box[u], boxes.box[v]
            least[pair] = min(n, least.get(pair, n))
    found = {}
    for edge, pairs in along.items():
        rests = [least[pair] for pair in pairs if pair in least]
        if not rests:
            return {}
        found[edge] = bisect([most for most, *_ in _FIRM[:-1]], min(rests))
    return found


def _entries(boxes: Boxes, paint: _Paint, lit: set[Any]) -> list[Any]:
    """Return the legend entries for boxes and colours."""
    found = [
        patch(text, fill, linewidth=0.8, linestyle=":" if fill == style.NO_VALUE else "-")
        for fill, text in paint.entries
    ]
    for kind, text in (("tie", "tied items"), ("component", "items on a cycle")):
        if boxes.count(kind):
            look = _FRAMES[kind]
            how: dict[str, Any] = {"linewidth": look.width, "linestyle": look.dash}
            found.append(patch(text, style.PAPER, look.edge, **how))
    if lit:
        k = sum(len(boxes.members[box]) for box in lit)
        text = f"{k:,} of {len(boxes.box):,} highlighted"
        found.append(patch(text, style.PAPER, style.INK, linewidth=2.2))
    return found


class _Paint(NamedTuple):
    """The colour of each box, and the meaning of colours."""

    fill: dict[Any, str]
    entries: list[tuple[str, str]]
    mark: Mapping[Any, str] = {}


def _painted(G: OrderLike, boxes: Boxes, color: Any) -> _Paint:
    """Return the fill colour of each box: by attribute or value."""
    if isinstance(color, str):
        if color == "none":
            return _Paint(dict.fromkeys(boxes.members, style.PAPER), [])
        values = nx.get_node_attributes(G, color) if isinstance(G, nx.Graph) else {}
        if not values:
            raise PorankError(f"{_EXPECTED}, found {color!r}, which no item has")
        return _by_value(boxes, values, label_text(color))
    if isinstance(color, Mapping):
        require_items(boxes.box, color)
        return _by_value(boxes, color, "")
    raise PorankError(f"{_EXPECTED}, found {color!r:.80}")


_EXPECTED = "expected color to be 'none', a node attribute, or a value for each item"


def _by_value(boxes: Boxes, values: Mapping[Any, Any], title: str) -> _Paint:
    """Colour the boxes by value: numbers on a scale, larger darker, or a colour for each value."""
    given = (values.get(item) for item in boxes.box)
    often: Counter[Any] = Counter(value for value in given if not _is_missing(value))
    marks: dict[Any, str] = {}
    if len(often) > style.FEW and all(map(_is_number, often)):
        in_turn = sorted(often)
        low, high = in_turn[0], in_turn[-1]
        kept = [low, in_turn[len(in_turn) // 2], high]
        colors = {v: style.color_of_share(float((v - low) / (high - low))) for v in often}
    else:
        unsorted = list(often)
        by_label = [unsorted[k] for k in sorted_by_label(unsorted)]
        by_count = sorted(by_label, key=lambda value: -often[value])
        kept = by_count if len(by_count) <= len(style.KINDS) else by_count[: len(style.KINDS) - 1]
        # A few numbers keep their order.
        kept = sorted(kept) if all(map(_is_number, kept)) else sorted(kept, key=by_label.index)
        colors = dict.fromkeys(often, style.OTHER) | dict(zip(kept, style.KINDS, strict=False))
        if len(often) > style.FEW:
            marks = {value: f"{mark} " for value, mark in zip(kept, style.KIND_MARKS, strict=False)}
    # Texts say what they are; numbers need a name.
    title = title or "value" * all(map(_is_number, often))
    texts = zip(kept, _written(kept), strict=True)
    entries = [(colors[value], f"{marks.get(value, '')}{title} {text}") for value, text in texts]
    if style.OTHER in colors.values():
        entries.append((style.OTHER, f"other: {counted(len(often) - len(kept), 'value')}"))
    # A box has the colour of its value, if all its items have the same one.
    fill: dict[Any, str] = {}
    for box, items in boxes.members.items():
        found = {colors.get(values.get(item), style.NO_VALUE) for item in items}
        fill[box] = found.pop() if len(found) == 1 else style.PAPER
    more = (style.PAPER, "tied, different values"), (style.NO_VALUE, "no value")
    entries += [entry for entry in more if entry[0] in fill.values()]
    mark = {item: marks[values[item]] for item in boxes.box if values.get(item) in marks}
    return _Paint(fill, [(color, text.strip()) for color, text in entries], mark)


def _written(values: Sequence[Any]) -> list[str]:
    """Return the texts of values in the legend, numbers with as few digits as tell them apart."""
    whole = [int(value) if _is_number(value) and value == int(value) else None for value in values]
    if None not in whole or not all(map(_is_number, values)):
        texts = [value if n is None else n for value, n in zip(values, whole, strict=True)]
        return [shortened(label_text(text), longest=90) for text in texts]
    rounded = ([f"{float(value):.{k}g}" for value in values] for k in range(2, 18))
    return next((texts for texts in rounded if len({*texts}) == len(texts)), [*map(str, values)])


def _is_missing(value: Any) -> bool:
    """Return whether the value of an item is missing: None, or not equal to itself as NaN."""
    return value is None or not holds(lambda value: value == value, value)


def _is_number(value: Any) -> bool:
    """Return whether a value is a finite number, but not a truth value."""
    return not isinstance(value, (bool, str, bytes)) and holds(math.isfinite, value)
