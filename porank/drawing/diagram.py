"""A Hasse diagram in its Axes: how large it is, its boxes or dots, how its lines run, its legend.

Idea: *names come first.* Where they have no room as the order is laid out, it is turned, so that
lines lead to the right and names stand below each other, or wide levels are folded into rows.

A `Diagram` is what there is to show. `sheet_for` sizes the Axes and writes what stands round it;
the `Sheet` that it returns draws the boxes, each as a `Box` tells, and says how lines run: those of
the layout by `Sheet.run`, others by `Sheet.bow`; none runs through a box that is not one of its
ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.drawing import axes, labels
from porank.drawing.labels import NamesAtScale, Shape
from porank.drawing.layout.hasse import folded
from porank.drawing.routes import Lanes, Rooms, bow, round_dots, softened
from porank.drawing.style import MUTED, NORMAL, PAPER, SMALL, ink_on
from porank.drawing.texts import width_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from matplotlib.axes import Axes

    from porank.drawing.labels import Lettering, Words
    from porank.drawing.layout.hasse import HasseLayout, Place
    from porank.typing import Floats


#: Where lines may be asked to lead.
ORIENTATIONS = "auto", "down", "right"
#: A unit of the layout in a new figure: least and most across, least and most upwards, in points.
_ACROSS, _UP = (24.0, 120.0), (34.0, 90.0)
#: The smallest and the largest new figure, and what is round the diagram, in inches.
_LEAST, _MOST, _ROUND = (4.6, 2.4), (13.0, 9.0), (0.5, 0.9)
#: Half the height of a box with a line of text in a new figure, in units of the layout.
_FLAT = 0.15
#: A page is so wide and high, in inches; in a figure of its width names have so many points.
_PAGE, _READABLE = (6.3, 9.4), 6.0
#: A wider figure, shrunk to a page, has names that cannot be read.
_WIDE = 8.4
#: So many items have their names in any case, in a figure that may be longer than a page.
_NAMED = 150
#: Names in Axes that are given may be smaller, by and by.
_SHRUNK = (1.0, 0.85, 0.72, 0.6, 0.0)
#: Levels are folded into at most so many rows.
_ROWS = 10


@dataclass(frozen=True, eq=False)
class Diagram:
    """What a Hasse diagram shows: layout, words in the boxes, entries of the legend, and round it.

    The names of the first items go before others; ranks by item, if any, stand beside the levels.
    """

    layout: HasseLayout
    words: Mapping[Any, Words]
    entries: Sequence[Any]
    title: str
    x: str
    x_right: str
    y: str = ""
    ranks: Mapping[Any, int] = field(default_factory=dict)
    headings: tuple[str, ...] = ()
    first: Collection[Any] = ()
    orientation: str = "plain"

    def shapes(self) -> list[list[Shape]]:
        """Return in which shapes it can be drawn: as laid out, and in rows without bends."""
        ways = [way for way in ("down", "right") if self.orientation in (way, "auto")]
        largest = max(map(len, self.layout.levels), default=1)
        rows = sorted({-(-largest // k) for k in range(1, _ROWS + 1)}, reverse=True)
        narrow = [folded(self.layout, most) for most in rows]
        plain = [Shape(self.layout, way == "right") for way in ways]
        return [plain, [Shape(each, way == "right") for each in narrow for way in ways]]

    def planned(self) -> tuple[Shape, Place]:
        """Return the shape and the size of a new figure in which all names have room."""
        size, is_fit = self._size()
        if self.orientation == "plain" or (self.orientation != "right" and is_fit):
            return Shape(self.layout), size
        every = [] if self._is_crowd(_PAGE) else self.shapes()
        around = 72 * _ROUND[1] + _legend_height(self.entries, 72 * _PAGE[0])
        found: list[tuple[bool, float, float, int, Shape, float]] = []
        for number, shapes in enumerate(every):
            for shape in shapes:
                width = min(_PAGE[0], max(_LEAST[0], 1.8 * shape.n_levels)) if is_fit else _PAGE[0]
                needed = shape.sizes_needed(self.words, 72 * (width - _ROUND[0]))
                for points, least in needed.items():
                    height = (least + around) / 72
                    is_long = height > _PAGE[1]
                    small = 0 if is_long else number + (points < SMALL)
                    found.append((is_long, small, height, len(found), shape, width))
        best = min(found, key=lambda each: each[:4], default=None)
        if best is None or (best[0] and len(self.words) > _NAMED):
            size = min(size[0], _PAGE[0]), size[1]
            within = 72 * (size[0] - _ROUND[0]), 72 * (size[1] - _ROUND[1])
            return self._most_named(self.shapes()[0], within), size
        return best[4], (best[5], max(_LEAST[1], best[2]))

    def chosen(self, ax: Axes) -> tuple[Shape, float]:
        """Return the first shape in which all names have room in the Axes, and their least size.

        They are to be read when the figure is as wide as a page, if that can be.
        """
        width, height = axes.size_in_points(ax)
        if self.orientation == "plain":
            return Shape(self.layout), 0.0
        room = width, height - _legend_height(self.entries, width)
        figure: Any = ax.figure.figure
        readable = _READABLE * max(1.0, float(figure.get_size_inches()[0]) / _PAGE[0])
        plain, narrow = self.shapes()
        if not self._is_crowd((width / 72, height / 72)):
            for least in (max(_READABLE, readable * share) for share in _SHRUNK):
                fitting = (shape for shape in narrow if self._may_fit(shape, room))
                for shape in chain(plain, fitting):
                    if NamesAtScale(shape, self.words, shape.scale(*room)).whole(least):
                        return shape, least
        return self._most_named(plain, room), 0.0

    def _is_crowd(self, size: Place) -> bool:
        """Say whether there are more items than have room for a name, and none is measured."""
        least = labels.LINE * _READABLE + labels.PAD
        return len(self.words) > max(_NAMED, 72 * size[0] * 72 * size[1] / least**2)

    def _most_named(self, shapes: Sequence[Shape], room: Place) -> Shape:
        """Return the shape in which most items have a name, if not all have room for theirs."""

        def named(shape: Shape) -> tuple[bool, int]:
            found = NamesAtScale(shape, self.words, shape.scale(*room))
            lettering = found.lettering(room[0], first=self.first)
            return lettering.is_inside, len(lettering.texts)

        return shapes[0] if len(shapes) == 1 else max(shapes, key=named)

    def _may_fit(self, shape: Shape, room: Place) -> bool:
        """Say whether names have room between the boxes of a shape, which is soon told."""
        return min(shape.sizes_needed(self.words, room[0]).values(), default=inf) <= room[1]

    def _size(self) -> tuple[Place, bool]:
        """Return the size of a new figure whose lines lead down, and whether its texts fit."""
        room = Rooms(self.layout).beside_lines(_FLAT)
        needed, lines = _ACROSS[0], 1.0
        for box, units in room.items():
            width = width_of(self.words[box].text, size=NORMAL) + labels.PAD + 6
            needed = max(needed, min(width, _ACROSS[1]) / max(units, 0.3))
            lines = max(lines, width / _ACROSS[1])
        left, _, right, _ = self.layout.bounds
        wanted = (right - left + 1) * min(needed, _ACROSS[1]) / 72 + _ROUND[0]
        width = min(_MOST[0], max(_LEAST[0], wanted))
        # Where lines are long they need room upwards, too.
        up = min(_UP[1], max(_UP[0] + 1.2 * (right - left), labels.LINE * NORMAL * lines + 30))
        legend = _legend_height(self.entries, 72 * width) / 72
        high = len(self.layout.levels) * up / 72 + _ROUND[1] + legend
        size = width, min(_MOST[1], max(_LEAST[1], high))
        return size, wanted <= _WIDE and high <= 1.2 * _MOST[1]


def sheet_for(ax: Axes | None, diagram: Diagram) -> Sheet:
    """Return the sheet of a diagram: its Axes, titles and legend, ready for boxes and lines."""
    shape, size, points = Shape(diagram.layout, diagram.orientation == "right"), _LEAST, 0.0
    is_given = ax is not None
    if not is_given:
        shape, size = diagram.planned()
    ax = axes.axes_for(ax, size=size, title=diagram.title, x=diagram.x, y=diagram.y)
    _set_limits(ax, shape, diagram)
    if is_given:
        shape, points = diagram.chosen(ax)
        _set_limits(ax, shape, diagram)
    width, height = axes.size_in_points(ax)
    side = beside = bottom = 0.0
    top = headed = 1.6 * NORMAL if diagram.headings else 0.0
    entries = diagram.entries
    for _ in range(3):
        bottom = max(bottom, _legend_height(entries, width))
        room = max(width - beside - 2 * side, width / 3), height - bottom - top
        scale = shape.scale(*room)
        found = NamesAtScale(shape, diagram.words, scale)
        lettering = found.lettering(width, first=diagram.first, least=points)
        beside = max(beside, lettering.key_width(width))
        over = _overhang(lettering, scale)
        side, top = max(side, over[0]), max(top, headed + over[1])
        entries = _with_note(diagram.entries, lettering.note)
    axes.make_room(ax, left=side, right=side + beside, bottom=bottom, top=top)
    _number_levels(ax, shape, diagram.ranks, room)
    if entries:
        columns = _columns_of_legend(entries, width)
        axes.legend(ax, entries, place="lower center", ncols=columns, columnspacing=1.2)
    _write_short_names(ax, lettering, beside)
    _write_headings(ax, shape, diagram.headings, (top - headed) / max(scale.up, 1))
    return Sheet(ax, shape, lettering, scale, is_double=bool(diagram.headings))


def _set_limits(ax: Axes, shape: Shape, diagram: Diagram) -> None:
    """Give the Axes of a diagram the limits of its shape, and say which way its lines lead."""
    left, _, right, _ = shape.layout.bounds
    ends = np.array([[left - 0.5, -0.5], [right + 0.5, shape.n_levels - 0.5]])
    (x0, y0), (x1, y1) = shape.shown(ends)
    ax.set(xlim=sorted((x0, x1)), ylim=sorted((y0, y1)))
    if shape.is_right:
        axes.caption(ax, title=diagram.title, x=diagram.x_right, y="")
    ax.set_xticks([])
    _number_levels(ax, shape, diagram.ranks, (9.0 * shape.n_levels,) * 2)
    axes.settle_caption(ax)


def _overhang(lettering: Lettering, scale: labels.Scale) -> tuple[float, float]:
    """Return how far names at dots of a diagram reach beyond its sides and top, in points."""
    if lettering.is_inside:
        return 0.0, 0.0
    across, up = (scale.up, scale.across) if scale.is_right else scale[:2]
    names, high = lettering.texts.values(), labels.LINE * lettering.size
    widest = max((width_of(text, size=lettering.size) for text in names), default=0.0)
    if lettering.is_beside:
        return max(0.0, widest + labels.LARGEST_DOT + 2 - across / 2), max(0.0, high / 2 - up / 2)
    return max(0.0, (widest - across) / 2), max(0.0, high + labels.LARGEST_DOT + 2 - up / 2)


def _number_levels(ax: Axes, shape: Shape, ranks: Mapping[Any, int], room: Place) -> None:
    """Write the ranks beside a diagram, best first, each k-th where all have no room."""
    heights: dict[int, list[float]] = {}
    for box, (_, y) in shape.layout.items():
        if ranks:
            heights.setdefault(ranks[box], []).append(-y if shape.is_right else y)
    places = [(min(own) + max(own)) / 2 for _, own in sorted(heights.items())]
    axis, length = (ax.xaxis, room[0] / 2) if shape.is_right else (ax.yaxis, room[1])
    shown = axes.shown_places(len(places), length)
    axis.set_ticks([places[k] for k in shown], labels=[str(k + 1) for k in shown])
    if shape.is_right:
        ax.set_yticks([])


def _write_headings(ax: Axes, shape: Shape, headings: Sequence[str], over: float) -> None:
    """Write headings above the parts of a diagram, so many units above the highest level."""
    part = shape.span / max(len(headings), 1)
    for k, text in enumerate(headings):
        place = shape.layout.bounds[0] - 0.5 + (k + 0.5) * part, shape.n_levels - 0.5 + over
        axes.write(ax, text, place, size=NORMAL, align=("center", "bottom"), gid="heading")


#: Lines that run side by side take up that part of the width.
_INKED = 0.06
#: How much wider the frame of a box is that steps forward, in points.
LIT = 1.4


@dataclass(frozen=True, eq=False)
class Box:
    """The looks of a box: fill, edge, dash."""

    fill: str = PAPER
    edge: str = MUTED
    width: float = 0.8
    dash: str = "-"
    gid: str = "item"
    is_lit: bool = False


@dataclass(frozen=True, eq=False)
class Sheet:
    """The Axes in their final size, where the boxes stand, and what is written into them."""

    ax: Axes
    shape: Shape
    lettering: Lettering
    scale: labels.Scale
    is_double: bool = False

    @property
    def layout(self) -> HasseLayout:
        """Where the boxes stand, levels leading down."""
        return self.shape.layout

    @property
    def thin(self) -> float:
        """The width of a line, in points, at which lines do not run into one."""
        layout = self.layout
        pieces = sum(layout[u][1] - layout[v][1] for u, v in layout.edges)
        beside = pieces / max(len(layout.levels) - 1, 1)
        return min(1.0, max(0.2, _INKED * self.shape.span * self.scale.across / max(beside, 1)))

    @cached_property
    def lanes(self) -> Lanes:
        """The boxes of the diagram, or the grounds of dots, and the ways round them."""
        if self.lettering.is_inside:
            return Lanes(self.layout, self.lettering.half_sizes(self.scale))
        return Lanes(self.layout, dict.fromkeys(self.layout, round_dots(*self.scale[:2])))

    def run(self, u: Any, v: Any) -> Floats:
        """Return how the line of a cover runs: along its bends, or round boxes."""
        return self.shape.shown(self._clear(softened(self.layout.path(u, v)), u, v))

    def bow(self, u: Any, v: Any) -> Floats:
        """Return how a line runs between two boxes that the layout has no edge for."""
        _, low, _, high = self.layout.bounds
        left, right = self._ends_of_half(u)
        ends, others = (self.layout[u], self.layout[v]), self.lanes.others(u, v)
        path = bow(ends, others, self.scale[:2], (left, low, right, high))
        return self.shape.shown(self._clear(path, u, v))

    def _clear(self, path: Floats, u: Any, v: Any) -> Floats:
        """Return the path of a line, or another one if a foreign box is in its way."""
        if not self.lettering.is_inside or not self.lanes.meets(path, u, v):
            return path
        left, right = self._ends_of_half(u)
        return self.lanes.way(u, v, ends=(left - 0.5, right + 0.5))

    def _ends_of_half(self, box: Any) -> tuple[float, float]:
        """Return the ends of the diagram, or of the one of two diagrams that the box is in."""
        left, _, right, _ = self.layout.bounds
        if not self.is_double:
            return left, right
        middle = (left + right) / 2
        return (left, middle - 0.5) if self.layout[box][0] < middle else (middle + 0.5, right)

    def draw_boxes(self, looks: Mapping[Any, Box]) -> None:
        """Draw the boxes with what is written into them, or dots and the names of some."""
        if not self.lettering.is_inside:
            self._draw_dots(looks)
            return
        size = self.lettering.size
        for box, place in self.layout.items():
            look = looks[box]
            frame: dict[str, Any] = {"facecolor": look.fill, "edgecolor": look.edge}
            frame |= {"boxstyle": f"round,pad={labels.PAD / 2 / size},rounding_size=0.35"}
            frame |= {"linewidth": look.width, "linestyle": look.dash}
            how: dict[str, Any] = {"color": ink_on(look.fill), "linespacing": labels.LINE - 0.1}
            how |= {"size": size, "bbox": frame, "zorder": 3, "gid": look.gid}
            text = axes.write(self.ax, self.lettering.texts[box], self.shape.shown(place), **how)
            if look.is_lit:
                _set_off(text.get_bbox_patch(), look)

    def _draw_dots(self, looks: Mapping[Any, Box]) -> None:
        """Draw a dot for each box, larger for several items, and names at some of them."""
        dot = labels.dot_size(self.scale)
        x, y = self.shape.shown(list(self.layout.values())).T
        chosen = [looks[box] for box in self.layout]
        how: dict[str, Any] = {"c": [look.fill for look in chosen], "gid": "item", "zorder": 3}
        how |= {"edgecolors": [look.edge for look in chosen]}
        how |= {"linewidths": [min(look.width, dot / 4) for look in chosen]}
        areas = [(dot if look.gid == "item" else 1.5 * dot) ** 2 for look in chosen]
        self.ax.scatter(x, y, areas, **how)
        self._write_names(dot)

    def _write_names(self, dot: float) -> None:
        """Write names at dots of that size, each on a thin ground, over lines and under dots."""
        from matplotlib.patheffects import withStroke

        # To the right of dots lines are in the way, and have to step back.
        width = 2.4 if self.shape.is_right else 1.2
        ground = [withStroke(linewidth=width, foreground=PAPER)]
        how: dict[str, Any] = {"path_effects": ground, "zorder": 2.9, "gid": "name"}
        how |= {"size": self.lettering.size, "align": ("center", "bottom")}
        shift = (0.0, dot / 2 + 1)
        if self.lettering.is_beside:
            how["align"] = "left", "center_baseline"
            shift = (dot / 2 + 2, 0.0)
        left = how | {"align": ("right", "center_baseline"), "shift": (-shift[0], 0.0)}
        for box, text in self.lettering.texts.items():
            where = left if box in self.lettering.at_left else how | {"shift": shift}
            axes.write(self.ax, text, self.shape.shown(self.layout[box]), **where)


def _set_off(patch: Any, look: Box) -> None:
    """Draw the frame of a highlighted box of a diagram once more, outside, light between."""
    from matplotlib.patheffects import Stroke

    thin = look.width - LIT
    widths_and_colors = [(thin + 6.0, look.edge), (thin + 2.6, PAPER), (thin, look.edge)]
    patch.set_path_effects(
        [Stroke(linewidth=width, foreground=color) for width, color in widths_and_colors]
    )


#: The sign beside an entry of the legend, and the distance of entries, in points.
_SIGN, _BETWEEN = 22.0, 9.0


def _columns_of_legend(entries: Sequence[Any], width: float) -> int:
    """Return in how many columns the entries of a diagram's legend fit, all filled alike."""
    widest = max((width_of(entry.get_label()) for entry in entries), default=0.0)
    most = max(1, min(len(entries), int(width / (widest + _SIGN + _BETWEEN))))
    n_rows = -(-len(entries) // most)
    return max(1, -(-len(entries) // max(n_rows, 1)))


def _with_note(entries: Sequence[Any], note: str) -> list[Any]:
    """Return the entries of a diagram's legend, the last one telling which dots are named."""
    said = f"an item; named: {note}"
    return [*entries, axes.dot(said, color=MUTED, size=4)] if note else list(entries)


def _legend_height(entries: Sequence[Any], width: float) -> float:
    """Return how high the legend of a diagram is, in points."""
    n_rows = -(-len(entries) // _columns_of_legend(entries, width))
    return n_rows * 1.6 * SMALL + 8 if entries else 0.0


def _write_short_names(ax: Axes, lettering: Lettering, beside: float) -> None:
    """Write the key of shortened names beside a diagram."""
    if lettering.key:
        how: dict[str, Any] = {"size": labels.SHORT, "linespacing": labels.LINE - 0.1}
        how |= {"align": ("left", "top"), "xycoords": "axes fraction", "gid": "names"}
        lines = lettering.key_lines(beside)
        axes.write(ax, "\n".join(lines), (1, 1), shift=(8 - beside, 0), **how)
