"""A Hasse diagram in its Axes: its size, its boxes or dots, its lines, its legend.

Idea: *show the order first.* Each level is one row, however long its names are, and no line runs
through a box that is not one of its ends. A new figure grows with the order, up to a page. Names
are wrapped, then written smaller; if they still do not fit, they are beside dots. If not all of
them do, items are numbered, and a list below the diagram has their names.

A `Diagram` holds what to show. `sheet_for` sizes the Axes and writes titles and legend; the `Sheet`
that it returns draws the boxes, each with the looks of its `Box`, and returns the course of lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from porank.drawing import axes, box_texts, marks
from porank.drawing.axes import Frame
from porank.drawing.box_texts import Scale, Words
from porank.drawing.dot_names import SHORT, DotNames, names_at_dots, write_names
from porank.drawing.fonts import width_of
from porank.drawing.routes import Rooms, bow, boxes_hit, others_of
from porank.drawing.style import INK, MUTED, PAPER, SMALL, ink_on
from porank.drawing.texts import in_lines, list_of, shortened

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from matplotlib.axes import Axes

    from porank.drawing.layout.hasse_layout import HasseLayout
    from porank.drawing.layout.junctions import Place
    from porank.typing import Floats


#: The smallest and the largest new figure, and the margins around the diagram, in inches.
_LEAST, _MOST, _ROUND = (4.6, 2.4), (10.0, 8.5), (0.5, 0.9)
#: A unit of the layout in a new figure, along a level and between levels, in points: the least,
#: what each unit of width adds, so long lines are not too flat, and the most.
_LEAST_UNIT, _STEEP, _MOST_ACROSS, MOST_UP = (30.0, 38.0), 1.2, 120.0, 90.0
#: Width of a figure minus that of its Axes, with a name on the left and without, in points.
_BESIDE_AXES, _EDGES = 26.0, 10.0
#: How many sizes of a new figure are tried.
_STEPS = 24
#: The margin of the box of texts aside, in points, and the share of the Axes that it may take.
_MARGIN, _BELOW_SHARE = 12.0, 0.6


@dataclass(frozen=True, eq=False)
class Diagram:
    """The content of a Hasse diagram: layout, words in the boxes, legend entries, and titles.

    If items are dots and `to_name` is not empty, only those items are named. More lines than those
    of the layout may be drawn, between the boxes in `bows`. Paragraphs that are `aside`, in parts
    after which a line may end, are in a box of their own below. A small diagram has no legend.
    If not all names are clear, items are numbered, by `numbers` if these are explained elsewhere.
    The `form` is that of items: boxes, dots, or dots if names do not fit into boxes.
    """

    layout: HasseLayout
    words: Mapping[Any, Words]
    entries: Sequence[Any]
    title: str
    caption: str
    side_caption: str = ""
    aside: Sequence[Sequence[str]] = ()
    is_small: bool = False
    form: str = "boxes or dots"
    to_name: Collection[Any] = ()
    bows: Collection[tuple[Any, Any]] = ()
    numbers: Mapping[Any, Words] = field(default_factory=dict)
    is_numbered: bool = False

    @cached_property
    def rooms(self) -> Rooms:
        """The room around the boxes."""
        return Rooms(self.layout)

    @property
    def numbered(self) -> Self:
        """The diagram with numbers instead of the names at dots, and a list of these below."""
        words, aside = self.numbers, [*self.aside]
        if not words:
            named = self.to_name or self.layout
            boxes = [box for box in chain(*self.layout.levels) if box in named]
            words = {box: Words([str(k)]) for k, box in enumerate(boxes, 1)}
            names = [f"{k}: {self.words[box].text}" for k, box in enumerate(boxes, 1)]
            aside.append(list_of("", names))
        return replace(self, words={**self.words, **words}, aside=aside, is_numbered=True)

    @property
    def may_have_numbers(self) -> bool:
        """Whether names may be in a list below, and numbers are shorter."""
        widest = max((width_of(words.text) for words in self.words.values()), default=0.0)
        return not (self.is_small or self.is_numbered) and widest > SHORT

    @property
    def corners(self) -> Floats:
        """The lower left and the upper right corner of the diagram in the Axes."""
        left, _, right, top = self.layout.bounds
        return np.array([[left - 0.5, -0.5], [right + 0.5, top + 0.5]])

    @property
    def size(self) -> Floats:
        """The width and the height of the diagram, in units of the layout."""
        return np.array(self.corners[1] - self.corners[0])

    def texts(self, scale: Scale, size: float) -> dict[Any, str] | None:
        """Return the text in each box at that size, or None if some do not fit.

        None, too, if a bow would cross a box.
        """
        found = box_texts.texts_in_boxes(self.words, self.rooms, scale, size)
        if found is None or self.form == "dots":
            return None
        halves = self.halves(scale, size, found)
        layout = self.layout
        is_hit = any(
            boxes_hit(bow(layout, u, v, halves, scale), *others_of(layout, u, v, halves)).any()
            for u, v in self.bows
        )
        return None if is_hit else found

    def halves(self, scale: Scale, size: float, texts: Mapping[Any, str]) -> Floats:
        """Return half the size of each framed box, or of the background of a dot, in units."""
        sizes = [box_texts.size_of(texts[box], size) for box in self.layout] if texts else []
        halves = np.array(sizes).reshape(-1, 2) / 2 + box_texts.FRAME if texts else _DOTS[1]
        return np.broadcast_to(halves, (len(self.layout), 2)) / scale

    @cached_property
    def places(self) -> Floats:
        """The places of the boxes in the layout."""
        return np.array(list(self.layout.values()), dtype=float).reshape(-1, 2)

    def figure_size(self, width: float | None) -> Place:
        """Return the size in inches of a new figure in which names fit, up to a page."""
        unit = self._unit(width)
        size = unit * self.size * bool(self.layout)
        if self._most_lines(unit, box_texts.SIZES) == inf:
            size = np.add(size, (_BESIDE, 0))
        wide = width or min(_MOST[0], max(_LEAST[0], float(size[0]) / 72 + _ROUND[0]))
        below = self.below(72 * (wide - _ROUND[0]))
        # If only a list is drawn, there is no caption below.
        least, around = (_LEAST[1], _ROUND[1]) if self.layout else (0.0, _ROUND[1] / 2)
        return wide, min(_MOST[1], max(least, (size[1] + below) / 72 + around))

    def key(self, *, joint: float = 0.0, dot: float = 0.0, note: str = "") -> list[Any]:
        """Return the legend entries, with those of junctions and of dots, this many points wide."""
        found = [*self.entries]
        if self.layout.junctions:
            found.append(marks.dot(_JOINED, color=MUTED, size=joint))
        if note:
            how: dict[str, Any] = {"markerfacecolor": PAPER, "markeredgewidth": 0.8}
            found.insert(0, marks.dot(note, color=MUTED, size=dot, **how))
        return [] if self.is_small else found

    def below(self, room: float) -> float:
        """Return the height of the legend and of the texts aside, in points."""
        key = marks.legend_height(self.key(), room)
        return key + _height_of_box(self.lines_aside(room))

    def lines_aside(self, room: float, height: float = inf) -> list[str]:
        """Return the texts aside in lines for a box of at most this width and height in points."""
        room -= 3 * _MARGIN
        parts = [[shortened(part, longest=room) for part in each] for each in self.aside]
        lines = [*chain(*(in_lines(each, room) for each in parts))]
        most = max(3, int(min(height, 72 * _MOST[1]) / (box_texts.LINE * SMALL)) - 3)
        return lines if len(lines) <= most else [*lines[: most - 1], "…"]

    def _unit(self, width: float | None) -> Floats:
        """Return the least size of a unit of the layout at which names are in fewest lines."""
        wide = self.size[0]
        page = 72 * np.subtract(_MOST, _ROUND)
        least_across, most_across = 72 * (_LEAST[0] - _ROUND[0]) / wide, _MOST_ACROSS
        if width is not None:
            page[0] = 72 * width - (_BESIDE_AXES if self.side_caption else _EDGES)
            least_across = most_across = page[0] / wide
        page[1] -= self.below(page[0])
        most = np.minimum([most_across, MOST_UP], page / self.size)
        usual = max(_LEAST_UNIT[0], least_across), _LEAST_UNIT[1] + _STEEP * wide
        least = np.minimum(usual, most)
        # Names grow sideways, so items are moved apart before levels are: at step t in [0, 1],
        # across(t) = least + (most - least) t and up(t) = least + (most - least) t^2.
        parts = np.linspace(1, 0, _STEPS)[:, None]
        units = most - (most - least) * np.hstack([parts, 1 - (1 - parts) ** 2])
        most_lines = partial(self._most_lines, sizes=box_texts.SIZES[: None if width else 1])
        fewest = most_lines(units[-1])
        # The lines between dots need less height.
        found: Floats = units[-1 if width is None else _STEPS // 2]
        return next((unit for unit in units if most_lines(unit) <= fewest < inf), found)

    def _most_lines(self, unit: Floats, sizes: Sequence[float]) -> float:
        """Return the maximum number of lines of names in boxes; infinity if they do not fit."""
        scale = Scale(*unit.tolist())
        for texts in (self.texts(scale, size) for size in sizes):
            if texts is not None:
                return max((text.count("\n") for text in texts.values()), default=0)
        return inf


def sheet_for(frame: Frame, diagram: Diagram, figure: Any = None) -> Sheet:
    """Return the sheet of a diagram: its Axes, titles and legend, ready for boxes and lines.

    Without Axes they are those of a new figure of pyplot, or of an empty figure that is given.
    """
    is_new, width = frame.ax is None, frame.inches()
    size = diagram.figure_size(width) if is_new else _LEAST
    if figure is not None:
        figure.set_size_inches(*size)
        frame = Frame(figure.subplots())
    x = diagram.caption if frame.title is not None else ""
    ax = frame.axes(size, title=diagram.title, x=x, y=diagram.side_caption)
    sheet = _with_room_below(ax, diagram)
    if diagram.may_have_numbers and sheet.note_of_names:
        wide, high = axes.size_in_points(ax)
        numbered = diagram.numbered
        if numbered.below(wide) <= _BELOW_SHARE * (72 * _MOST[1] if is_new else high):
            if is_new:
                ax.figure.figure.set_size_inches(*numbered.figure_size(width))
            sheet = _with_room_below(ax, numbered)
    if sheet.diagram.aside:
        _write_aside(sheet)
    marks.legend(ax, sheet.key)
    return sheet


def _with_room_below(ax: Axes, diagram: Diagram) -> Sheet:
    """Return the sheet of a diagram in Axes with room for its legend and the texts aside."""
    (x0, y0), (x1, y1) = diagram.corners.tolist()
    ax.set(xlim=(x0, x1), ylim=(y0, y1), xticks=[], yticks=[])
    axes.fit_captions(ax)
    width, height = axes.size_in_points(ax)
    aside = _height_of_box(diagram.lines_aside(width, _BELOW_SHARE * height))
    key = diagram.key()
    while True:
        below = marks.legend_height(key, width, height) + aside * bool(diagram.layout)
        ax.set(xlim=(x0, x1), ylim=(y0, y1))
        axes.widen(ax, bottom=below)
        sheet = Sheet(ax, diagram)
        if len(sheet.key) <= len(key):
            return sheet
        key = sheet.key


def _write_aside(sheet: Sheet) -> None:
    """Write the texts aside below the diagram, or into the Axes if nothing else is drawn."""
    ax, diagram = sheet.ax, sheet.diagram
    width, height = axes.size_in_points(ax)
    lines = diagram.lines_aside(width, height * (_BELOW_SHARE if diagram.layout else 1))
    frame = {"boxstyle": "round,pad=0.6", "facecolor": PAPER, "edgecolor": MUTED, "linewidth": 0.8}
    how: dict[str, Any] = {"bbox": frame, "align": ("left", "top"), "gid": "aside"}
    how |= {"linespacing": box_texts.LINE, "shift": (_MARGIN, -_MARGIN / 2)}
    corner = diagram.corners[0, 0], diagram.corners[int(not diagram.layout), 1]
    marks.write(ax, "\n".join(lines), corner, **how)


def _height_of_box(lines: Sequence[str]) -> float:
    """Return the height of the box of texts aside with its margins, in points; 0 without texts."""
    return len(lines) * box_texts.LINE * SMALL + 2 * _MARGIN if lines else 0.0


def room_in(frame: Frame) -> Place:
    """Return the width and the height for a diagram in points: at most, if its figure is new."""
    wide, high = 72 * (np.array([frame.inches(_MOST[0]), _MOST[1]]) - _ROUND)
    return (float(wide), float(high)) if frame.ax is None else axes.size_in_points(frame.ax)


#: What a junction means, and its width as a share of that of the dot of an item.
_JOINED, _JOINT = "all above a small dot are preferred to all below it", 0.65
#: Parallel lines take up this share of the width.
_INKED = 0.06
#: The length of an arrow head, in points.
_HEAD = 7.0
#: How much wider the frame of a highlighted box is, in points.
BOLDER = 1.4
#: The size of a dot, as a share of the distance of items, and its least and its greatest value; the
#: room for its name, in points.
_DOT, _DOTS, _BESIDE = 0.45, (1.5, 5.5), 80.0


@dataclass(frozen=True, eq=False)
class Box:
    """The looks of a box: its fill, its frame, and the gid of its text."""

    fill: str = PAPER
    edge: str = MUTED
    width: float = 0.8
    dash: str = "-"
    gid: str = "item"


@dataclass(frozen=True, eq=False)
class Sheet:
    """The Axes in their final size, with the places and the texts of the boxes."""

    ax: Axes
    diagram: Diagram

    @property
    def layout(self) -> HasseLayout:
        """The places of the boxes; levels lead down."""
        return self.diagram.layout

    @cached_property
    def scale(self) -> Scale:
        """The size of a unit of the layout."""
        return Scale(*axes.unit_in_points(self.ax))

    @cached_property
    def _lettering(self) -> tuple[float, dict[Any, str]]:
        """The font size and the text in each box; empty if items are dots."""
        for size in box_texts.SIZES:
            texts = self.diagram.texts(self.scale, size)
            if texts is not None:
                return size, texts
        if self.diagram.form == "boxes":
            wide = axes.size_in_points(self.ax)[0] - 2 * _MARGIN
            words = self.diagram.words.items()
            first = {box: "".join(each.parts[:2]).strip(": ") for box, each in words}
            return size, {box: shortened(first[box], size=size, longest=wide) for box in first}
        return 0.0, {}

    @cached_property
    def thin(self) -> float:
        """The line width, in points, at which parallel lines stay apart."""
        layout = self.layout
        paths = (layout.path(u, v) for u, v in layout.edges)
        pieces = sum(path[0][1] - path[-1][1] for path in paths)
        # q parallel lines of width w take up the share _INKED of the width W: w = _INKED W / q
        across, up = self.diagram.size.tolist()
        parallel = max(pieces / max(up - 1, 1), 1)
        return float(min(1.0, max(0.2, _INKED * across * self.scale.across / parallel)))

    def course(self, u: Any, v: Any) -> Floats:
        """Return the course of a line: an edge of the layout along its bends, others as a bow."""
        if (u, v) in (runs := self.diagram.rooms.runs):
            return runs[u, v]
        halves = self.diagram.halves(self.scale, *self._lettering)
        return bow(self.layout, u, v, halves, self.scale)

    def draw_heads(self, paths: Sequence[Floats], **how: Any) -> None:
        """Draw arrow heads in the middle of lines, from their beginning to their end."""
        heads = [arrow_head(path, _HEAD, self.scale) for path in paths]
        if heads:
            marks.add_areas(self.ax, heads, linewidths=0, gid="arrow", **how)

    def draw_junctions(self, lit: Collection[Any], plain: str) -> None:
        """Draw a small dot for each junction, darker for some."""
        dots = self.layout.junctions
        if dots:
            x, y = np.array(list(dots.values())).T
            colors = [INK if dot in lit else plain for dot in dots]
            how: dict[str, Any] = {"c": colors, "linewidths": 0, "zorder": 2.1, "gid": "junction"}
            self.ax.scatter(x, y, self._joint**2, **how)

    def draw_boxes(self, looks: Mapping[Any, Box]) -> None:
        """Draw the boxes with their texts, or dots and the names of some."""
        size, texts = self._lettering
        if not size:
            self._draw_dots(looks)
            return
        for box, place in self.layout.items():
            look = looks[box]
            frame: dict[str, Any] = {"facecolor": look.fill, "edgecolor": look.edge}
            frame |= {"boxstyle": f"round,pad={box_texts.PAD / 2},rounding_size=0.35"}
            frame |= {"linewidth": look.width, "linestyle": look.dash}
            how: dict[str, Any] = {"color": ink_on(look.fill), "linespacing": box_texts.LINE}
            how |= {"size": size, "bbox": frame, "zorder": 3, "gid": look.gid}
            marks.write(self.ax, texts[box], place, **how)

    @cached_property
    def _dot(self) -> float:
        """The width of a dot, in points."""
        least, most = _DOTS
        return min(most, max(least, _DOT * min(self.scale)))

    @property
    def _joint(self) -> float:
        """The width of the dot of a junction, in points: wider than lines."""
        return max(_JOINT * self._dot, 2 * self.thin)

    @cached_property
    def _names(self) -> DotNames:
        """The names at dots."""
        diagram, point = self.diagram, self.scale
        chosen = diagram.to_name or self.layout
        texts = {k: diagram.words[b].text for k, b in enumerate(self.layout) if b in chosen}
        low, high = diagram.corners * point
        lines = [self.course(u, v) for u, v in (*self.layout.edges, *diagram.bows)]
        dots, *lines = (each * point - low for each in (diagram.places, *lines))
        return names_at_dots(dots, self._dot / 2, texts, high - low, lines=lines)

    @property
    def has_boxes(self) -> bool:
        """Whether items are boxes, not dots."""
        return bool(self._lettering[0])

    @property
    def note_of_names(self) -> str:
        """How many dots have a name; empty if all have one that should."""
        chosen = self.diagram.to_name
        n, which = len(chosen or self.layout), " highlighted" * bool(chosen)
        k = n if self.has_boxes else len(self._names.places)
        return f"named: {k} of {n}{which}" * (k < n)

    @cached_property
    def key(self) -> list[Any]:
        """The legend entries, among them how many dots have a name unless all have."""
        note = f"an item; {self.note_of_names}" if self.note_of_names else ""
        return self.diagram.key(joint=self._joint, dot=self._dot, note=note)

    def _draw_dots(self, looks: Mapping[Any, Box]) -> None:
        """Draw a dot for each box, larger for several items, and the names that fit."""
        x, y = self.diagram.places.T
        chosen = [looks[box] for box in self.layout]
        how: dict[str, Any] = {"c": [look.fill for look in chosen], "gid": "item", "zorder": 3}
        how |= {"edgecolors": [look.edge for look in chosen]}
        how |= {"linewidths": [min(look.width, self._dot / 4) for look in chosen]}
        areas = [(self._dot * (1 if look.gid == "item" else 1.5)) ** 2 for look in chosen]
        self.ax.scatter(x, y, areas, **how)
        write_names(self.ax, self._names, [*self.layout.values()])


def arrow_head(path: Floats, length: float, point: Place) -> Floats:
    """Return the corners of an arrow head in the middle of a line, that many points long.

    A unit of the data has the sizes `point`, in points.
    """
    steps = np.hypot(*(np.diff(path, axis=0) * point).T)
    way = np.concatenate(([0.0], np.cumsum(steps)))
    ends = way[-1] / 2 + np.array([-0.5, 0.5]) * length
    start, end = np.column_stack([np.interp(ends, way, path[:, k]) for k in (0, 1)]) * point
    aside = np.array([[0, 0.45], [-0.45, 0]]) @ (end - start)
    corners: Floats = np.array([end, start + aside, start - aside]) / point
    return corners
