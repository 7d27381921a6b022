"""A Hasse diagram in its Axes: how large it is, its boxes or dots, how its lines run, its legend.

`sheet_for` sizes the Axes and writes what stands round the diagram; the `Sheet` that it returns
draws the boxes, each as a `Box` tells, and says how lines run: those of the layout by `Sheet.run`,
others by `Sheet.bow`; none runs through a box that is not one of its ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.drawing import axes, labels
from porank.drawing.routes import Lanes, Rooms, bow, round_dots, softened
from porank.drawing.style import MUTED, NORMAL, PAPER, SMALL, ink_on
from porank.drawing.texts import width_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.drawing.labels import Lettering, Words
    from porank.drawing.layout.hasse import HasseLayout


#: A unit of the layout in a new figure: least and most across, least and most upwards, in points.
_ACROSS, _UP = (24.0, 120.0), (34.0, 90.0)
#: The smallest and the largest new figure, and what is round the diagram, in inches.
_LEAST, _MOST, _ROUND = (4.6, 2.4), (13.0, 9.0), (0.5, 0.9)
#: Half the height of a box with a line of text in a new figure, in units of the layout.
_FLAT = 0.15


class Titles(NamedTuple):
    """What is written round a Hasse diagram: title, names of the axes, numbers of the ranks."""

    title: str
    x: str
    y: str
    has_ranks: bool = False
    headings: tuple[str, ...] = ()


def sheet_for(
    ax: Axes | None,
    layout: HasseLayout,
    words: Mapping[Any, Words],
    titles: Titles,
    entries: Sequence[Any],
    *,
    first: Collection[Any] = (),
) -> Sheet:
    """Return the Axes of a Hasse diagram with titles and legend, ready for lines and boxes."""
    size = _size(layout, words, entries)
    ax = axes.axes_for(ax, size=size, title=titles.title, x=titles.x, y=titles.y)
    left, _, right, _ = layout.bounds
    n_levels = max(len(layout.levels), 1)
    ax.set_xlim(left - 0.5, right + 0.5)
    ax.set_ylim(-0.5, n_levels - 0.5)
    ax.set_xticks([])
    _number_levels(ax, n_levels if titles.has_ranks else 0, 9.0 * n_levels)
    axes.settle_caption(ax)
    width, height = axes.size_in_points(ax)
    side = beside = bottom = 0.0
    top = headed = 1.6 * NORMAL if titles.headings else 0.0
    note = ""
    for _ in range(3):
        bottom = max(bottom, _legend_height(_with_note(entries, note), width))
        up = (height - bottom - top) / n_levels
        across = max(width - beside - 2 * side, width / 3) / (right - left + 1)
        lettering = labels.lettering_for(
            layout, words, across=across, up=up, width=width, first=first
        )
        beside = max(beside, labels.key_width(lettering, width))
        over = _overhang(lettering, across, up)
        side, top, note = max(side, over[0]), max(top, headed + over[1]), lettering.note
    axes.make_room(ax, left=side, right=side + beside, bottom=bottom, top=top)
    _number_levels(ax, n_levels if titles.has_ranks else 0, height - bottom)
    entries = _with_note(entries, note)
    if entries:
        columns = _columns_of_legend(entries, width)
        axes.legend(ax, entries, place="lower center", ncols=columns, columnspacing=1.2)
    _write_short_names(ax, lettering, beside)
    part = (right - left + 1) / max(len(titles.headings), 1)
    for k, text in enumerate(titles.headings):
        place = left - 0.5 + (k + 0.5) * part, n_levels - 0.5 + (top - headed) / max(up, 1)
        axes.write(ax, text, place, size=NORMAL, align=("center", "bottom"), gid="heading")
    return Sheet(ax, layout, lettering, across, up, is_double=bool(titles.headings))


def _size(
    layout: HasseLayout, words: Mapping[Any, Words], entries: Sequence[Any]
) -> tuple[float, float]:
    """Return the size of a new figure of a Hasse diagram, in which its texts fit if they can."""
    room = Rooms(layout).beside_lines(_FLAT)
    needed, lines = _ACROSS[0], 1.0
    for box, units in room.items():
        width = width_of(words[box].text, size=NORMAL) + labels.PAD + 6
        needed = max(needed, min(width, _ACROSS[1]) / max(units, 0.3))
        lines = max(lines, width / _ACROSS[1])
    left, _, right, _ = layout.bounds
    width = (right - left + 1) * min(needed, _ACROSS[1]) / 72 + _ROUND[0]
    width = min(_MOST[0], max(_LEAST[0], width))
    # Where lines are long they need room upwards, too.
    up = min(_UP[1], max(_UP[0] + 1.2 * (right - left), labels.LINE * NORMAL * lines + 30))
    height = len(layout.levels) * up / 72 + _ROUND[1] + _legend_height(entries, 72 * width) / 72
    return width, min(_MOST[1], max(_LEAST[1], height))


def _overhang(lettering: Lettering, across: float, up: float) -> tuple[float, float]:
    """Return how far names at dots of a diagram reach beyond its sides and top, in points."""
    if lettering.is_inside:
        return 0.0, 0.0
    names, high = lettering.texts.values(), labels.LINE * lettering.size
    widest = max((width_of(text, size=lettering.size) for text in names), default=0.0)
    if lettering.is_beside:
        return max(0.0, widest + labels.LARGEST_DOT + 2 - across / 2), max(0.0, high / 2 - up / 2)
    return max(0.0, (widest - across) / 2), max(0.0, high + labels.LARGEST_DOT + 2 - up / 2)


def _number_levels(ax: Axes, n_levels: int, room: float) -> None:
    """Write the ranks beside a Hasse diagram, 1 on top, each k-th where all have no room."""
    shown = axes.shown_places(n_levels, room)
    ax.set_yticks(
        [n_levels - 1 - place for place in shown], labels=[str(place + 1) for place in shown]
    )


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
    layout: HasseLayout
    lettering: Lettering
    across: float
    up: float
    is_double: bool = False

    @property
    def thin(self) -> float:
        """The width of a line, in points, at which lines do not run into one."""
        layout = self.layout
        left, _, right, _ = layout.bounds
        pieces = sum(layout[u][1] - layout[v][1] for u, v in layout.edges)
        beside = pieces / max(len(layout.levels) - 1, 1)
        return min(1.0, max(0.2, _INKED * (right - left + 1) * self.across / max(beside, 1)))

    @cached_property
    def lanes(self) -> Lanes:
        """The boxes of the diagram, or the grounds of dots, and the ways round them."""
        scale = self.across, self.up
        if self.lettering.is_inside:
            return Lanes(self.layout, self.lettering.half_sizes(*scale))
        return Lanes(self.layout, dict.fromkeys(self.layout, round_dots(scale)))

    def run(self, u: Any, v: Any) -> NDArray[np.float64]:
        """Return how the line of a cover runs: along its bends, or round boxes."""
        return self._clear(softened(self.layout.path(u, v)), u, v)

    def bow(self, u: Any, v: Any) -> NDArray[np.float64]:
        """Return how a line runs between two boxes that the layout has no edge for."""
        _, low, _, high = self.layout.bounds
        left, right = self._ends_of_half(u)
        how: Any = {"scale": (self.across, self.up), "within": (left, low, right, high)}
        path = bow(self.layout[u], self.layout[v], *self.lanes.others(u, v), **how)
        return self._clear(path, u, v)

    def _clear(self, path: NDArray[np.float64], u: Any, v: Any) -> NDArray[np.float64]:
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
            text = axes.write(self.ax, self.lettering.texts[box], place, **how)
            if look.is_lit:
                _set_off(text.get_bbox_patch(), look)

    def _draw_dots(self, looks: Mapping[Any, Box]) -> None:
        """Draw a dot for each box, larger for several items, and names at some of them."""
        dot = labels.dot_size((self.across, self.up))
        x, y = zip(*self.layout.values(), strict=True)
        chosen = [looks[box] for box in self.layout]
        how: dict[str, Any] = {"c": [look.fill for look in chosen], "gid": "item", "zorder": 3}
        how |= {"edgecolors": [look.edge for look in chosen]}
        how |= {"linewidths": [min(look.width, dot / 4) for look in chosen]}
        areas = [(dot if look.gid == "item" else 1.5 * dot) ** 2 for look in chosen]
        self.ax.scatter(x, y, areas, **how)
        self._write_names(dot)

    def _write_names(self, dot: float) -> None:
        """Write names at dots of that size, each letter on a thin ground that covers no line."""
        from matplotlib.patheffects import withStroke

        ground = [withStroke(linewidth=1.2, foreground=PAPER)]
        how: dict[str, Any] = {"path_effects": ground, "zorder": 4, "gid": "name"}
        how |= {"size": self.lettering.size, "align": ("center", "bottom")}
        shift = (0.0, dot / 2 + 1)
        if self.lettering.is_beside:
            how["align"] = "left", "center_baseline"
            shift = (dot / 2 + 2, 0.0)
        left = how | {"align": ("right", "center_baseline"), "shift": (-shift[0], 0.0)}
        for box, text in self.lettering.texts.items():
            where = left if box in self.lettering.at_left else how | {"shift": shift}
            axes.write(self.ax, text, self.layout[box], **where)


def _set_off(patch: Any, look: Box) -> None:
    """Draw the frame of a highlighted box once more, outside and heavy, with light between."""
    from matplotlib.patheffects import Stroke

    thin = look.width - LIT
    widths_and_colors = [(thin + 6.0, look.edge), (thin + 2.6, PAPER), (thin, look.edge)]
    patch.set_path_effects(
        [Stroke(linewidth=width, foreground=color) for width, color in widths_and_colors]
    )


#: The sign beside an entry of the legend, and the distance of entries, in points.
_SIGN, _BETWEEN = 22.0, 9.0


def _columns_of_legend(entries: Sequence[Any], width: float) -> int:
    """Return in how many columns the entries of a legend fit, all filled alike."""
    widest = max((width_of(entry.get_label()) for entry in entries), default=0.0)
    most = max(1, min(len(entries), int(width / (widest + _SIGN + _BETWEEN))))
    n_rows = -(-len(entries) // most)
    return max(1, -(-len(entries) // max(n_rows, 1)))


def _with_note(entries: Sequence[Any], note: str) -> list[Any]:
    """Return the entries of a diagram's legend, the last one telling which dots are named."""
    how: dict[str, Any] = {"linestyle": "", "marker": "o", "markersize": 4, "color": MUTED}
    return [*entries, *([axes.stroke(f"an item; named: {note}", **how)] if note else [])]


def _legend_height(entries: Sequence[Any], width: float) -> float:
    """Return how high the legend of a Hasse diagram is, in points."""
    n_rows = -(-len(entries) // _columns_of_legend(entries, width))
    return n_rows * 1.6 * SMALL + 8 if entries else 0.0


def _write_short_names(ax: Axes, lettering: Lettering, beside: float) -> None:
    """Write the key of shortened names beside a Hasse diagram."""
    if lettering.key:
        how: dict[str, Any] = {"size": labels.SHORT, "linespacing": labels.LINE - 0.1}
        how |= {"align": ("left", "top"), "xycoords": "axes fraction", "gid": "names"}
        lines = labels.key_lines(lettering, beside)
        axes.write(ax, "\n".join(lines), (1, 1), shift=(8 - beside, 0), **how)
