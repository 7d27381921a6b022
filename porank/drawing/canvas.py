"""The Axes of a diagram: how large they are, and what stands round the diagram in them.

A diagram in its Axes: how its lines run, and its boxes or dots.

What stands below and beside a diagram: what its colours, lines and shortened names mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from porank.drawing.boxes import LINE, key_lines
from porank.drawing.labels import LARGEST_DOT, PAD, Labels, dot_size, key_width, labels_for
from porank.drawing.routes import Lanes, bow, rooms, round_dots, softened
from porank.drawing.style import (
    INK,
    MUTED,
    NORMAL,
    PAPER,
    SMALL,
    axes_for,
    ink_on,
    make_room,
    size_in_points,
    without_frame,
)
from porank.drawing.texts import caption, settle_caption, shown_places, width_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.drawing.boxes import Words
    from porank.drawing.layout.hasse import HasseLayout
    from porank.drawing.texts import Titles


#: A unit of the layout in a new figure: least and most across, least and most upwards, in points.
_ACROSS, _UP = (24.0, 120.0), (34.0, 90.0)
#: The smallest and the largest new figure, and what is round the diagram, in inches.
_LEAST, _MOST, _ROUND = (4.6, 2.4), (13.0, 9.0), (0.5, 0.9)
#: Half the height of a box with a line of text in a new figure, in units of the layout.
_FLAT = 0.15


def sheet_for(
    ax: Axes | None,
    layout: HasseLayout,
    words: Mapping[Any, Words],
    titles: Titles,
    entries: Sequence[Any],
    *,
    first: Collection[Any] = (),
) -> Sheet:
    """Return the Axes with all that stands round the diagram, ready for lines and boxes."""
    ax = axes_for(ax, size=_size(layout, words, entries))
    without_frame(ax, keep=())
    caption(ax, title=titles.title, x=titles.x, y=titles.y)
    left, _, right, _ = layout.bounds
    n_levels = max(len(layout.levels), 1)
    ax.set_xlim(left - 0.5, right + 0.5)
    ax.set_ylim(-0.5, n_levels - 0.5)
    ax.set_xticks([])
    _number_levels(ax, n_levels if titles.has_ranks else 0, 9.0 * n_levels)
    settle_caption(ax)
    width, height = size_in_points(ax)
    side = beside = bottom = 0.0
    top = headed = 1.6 * NORMAL if titles.headings else 0.0
    note = ""
    for _ in range(3):
        bottom = max(bottom, legend_height(entries, note, width))
        up = (height - bottom - top) / n_levels
        across = max(width - beside - 2 * side, width / 3) / (right - left + 1)
        labels = labels_for(layout, words, across=across, up=up, width=width, first=first)
        beside = max(beside, key_width(labels, width))
        side = max(side, _overhang(labels, across))
        top = max(top, headed + _above(labels, up))
        note = labels.note
    make_room(ax, left=side, right=side + beside, bottom=bottom, top=top)
    _number_levels(ax, n_levels if titles.has_ranks else 0, height - bottom)
    write_legend(ax, entries, labels, width)
    write_short_names(ax, labels, beside)
    _write_headings(
        ax, titles.headings, (left - 0.5, right + 0.5), n_levels - 0.5 + (top - headed) / max(up, 1)
    )
    return Sheet(ax, layout, labels, across, up, titles.headings)


def _size(
    layout: HasseLayout, words: Mapping[Any, Words], entries: Sequence[Any]
) -> tuple[float, float]:
    """Return the size of a new figure, in inches, in which the texts fit as far as possible."""
    room = rooms(layout, half=_FLAT)
    needed, lines = _ACROSS[0], 1.0
    for box, units in room.items():
        width = width_of(words[box].text, size=NORMAL) + PAD + 6
        needed = max(needed, min(width, _ACROSS[1]) / max(units, 0.3))
        lines = max(lines, width / _ACROSS[1])
    left, _, right, _ = layout.bounds
    width = (right - left + 1) * min(needed, _ACROSS[1]) / 72 + _ROUND[0]
    width = min(_MOST[0], max(_LEAST[0], width))
    # Where lines are long they need room upwards, too.
    up = min(_UP[1], max(_UP[0] + 1.2 * (right - left), LINE * NORMAL * lines + 30))
    height = len(layout.levels) * up / 72 + _ROUND[1] + legend_height(entries, "", 72 * width) / 72
    return width, min(_MOST[1], max(_LEAST[1], height))


def _overhang(labels: Labels, across: float) -> float:
    """Return how far names at dots may reach beyond the diagram, in points."""
    if labels.is_inside:
        return 0.0
    widest = max((width_of(text, size=labels.size) for text in labels.texts.values()), default=0.0)
    if labels.is_beside:
        return max(0.0, widest + LARGEST_DOT + 2 - across / 2)
    return max(0.0, (widest - across) / 2)


def _above(labels: Labels, up: float) -> float:
    """Return how far names above the highest dots reach beyond the diagram, in points."""
    if labels.is_inside:
        return 0.0
    if labels.is_beside:
        return max(0.0, LINE * labels.size / 2 - up / 2)
    return max(0.0, LINE * labels.size + LARGEST_DOT + 2 - up / 2)


def _number_levels(ax: Axes, n_levels: int, room: float) -> None:
    """Write the numbers of the levels, 1 on top; every k-th where there is no room for all."""
    shown = shown_places(n_levels, room, size=SMALL)
    ax.set_yticks(
        [n_levels - 1 - place for place in shown], labels=[str(place + 1) for place in shown]
    )


def _write_headings(
    ax: Axes, headings: Sequence[str], ends: tuple[float, float], height: float
) -> None:
    """Write the headings above equal parts of the diagram."""
    part = (ends[1] - ends[0]) / max(len(headings), 1)
    for k, text in enumerate(headings):
        how: dict[str, Any] = {"fontsize": NORMAL, "color": INK, "ha": "center", "va": "bottom"}
        ax.text(ends[0] + (k + 0.5) * part, height, text, gid="heading", **how)


#: Lines that run side by side take up that part of the width.
_INKED = 0.06
#: How much wider the frame of a box is that steps forward, in points.
LIT = 1.4


@dataclass(frozen=True, eq=False)
class Box:
    """How a box is drawn."""

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
    labels: Labels
    across: float
    up: float
    headings: tuple[str, ...] = ()

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
        """The boxes, or the grounds of dots, and the ways round them."""
        scale = self.across, self.up
        if self.labels.is_inside:
            return Lanes(self.layout, self.labels.half_sizes(*scale))
        return Lanes(self.layout, dict.fromkeys(self.layout, round_dots(scale)))

    def run(self, u: Any, v: Any) -> NDArray[np.float64]:
        """Return how the line of a cover runs: along its bends, or round boxes."""
        return self._clear(softened(self.layout.path(u, v)), u, v)

    def bow(self, u: Any, v: Any) -> NDArray[np.float64]:
        """Return how a line runs between two boxes that the layout has no edge for."""
        _, low, _, high = self.layout.bounds
        left, right = self._half(u)
        how: Any = {"scale": (self.across, self.up), "within": (left, low, right, high)}
        path = bow(self.layout[u], self.layout[v], *self.lanes.others(u, v), **how)
        return self._clear(path, u, v)

    def _clear(self, path: NDArray[np.float64], u: Any, v: Any) -> NDArray[np.float64]:
        """Return the path, or another one if a box that is not one of its ends is in its way."""
        if not self.labels.is_inside or not self.lanes.meets(path, u, v):
            return path
        left, right = self._half(u)
        return self.lanes.way(u, v, ends=(left - 0.5, right + 0.5))

    def _half(self, box: Any) -> tuple[float, float]:
        """Return the ends of the diagram, or of the one of two diagrams that the box is in."""
        left, _, right, _ = self.layout.bounds
        if not self.headings:
            return left, right
        middle = (left + right) / 2
        return (left, middle - 0.5) if self.layout[box][0] < middle else (middle + 0.5, right)

    def draw_boxes(self, looks: Mapping[Any, Box]) -> None:
        """Draw the boxes with what is written into them, or dots and the names of some."""
        if not self.labels.is_inside:
            self._draw_dots(looks)
            return
        size = self.labels.size
        for box, place in self.layout.items():
            look = looks[box]
            frame = {
                "boxstyle": f"round,pad={PAD / 2 / size},rounding_size=0.35",
                "facecolor": look.fill,
                "edgecolor": look.edge,
                "linewidth": look.width,
                "linestyle": look.dash,
            }
            how: dict[str, Any] = {"fontsize": size, "linespacing": LINE - 0.1, "zorder": 3}
            how |= {"ha": "center", "va": "center", "color": ink_on(look.fill), "bbox": frame}
            text = self.ax.text(*place, self.labels.texts[box], gid=look.gid, **how)
            if look.is_lit:
                _set_off(text.get_bbox_patch(), look)

    def _draw_dots(self, looks: Mapping[Any, Box]) -> None:
        """Draw a dot for each box, larger for several items, and names at some of them."""
        dot = dot_size((self.across, self.up))
        x, y = zip(*self.layout.values(), strict=True)
        chosen = [looks[box] for box in self.layout]
        sizes = [(dot if look.gid == "item" else 1.5 * dot) ** 2 for look in chosen]
        self.ax.scatter(
            x,
            y,
            s=sizes,
            c=[look.fill for look in chosen],
            edgecolors=[look.edge for look in chosen],
            linewidths=[min(look.width, dot / 4) for look in chosen],
            zorder=3,
            gid="item",
        )
        self._write_names(dot)

    def _write_names(self, dot: float) -> None:
        """Write names at dots of that size, each letter on a thin ground that covers no line."""
        from matplotlib.patheffects import withStroke

        ground = [withStroke(linewidth=1.2, foreground=PAPER)]
        how: dict[str, Any] = {"fontsize": self.labels.size, "color": INK, "path_effects": ground}
        how |= {"ha": "center", "va": "bottom", "textcoords": "offset points", "zorder": 4}
        shift = (0.0, dot / 2 + 1)
        if self.labels.is_beside:
            how |= {"ha": "left", "va": "center_baseline"}
            shift = (dot / 2 + 2, 0.0)
        for box, text in self.labels.texts.items():
            side = {"ha": "right"} if box in self.labels.at_left else {}
            offset = (-shift[0], 0.0) if side else shift
            self.ax.annotate(text, self.layout[box], xytext=offset, gid="name", **how | side)


def _set_off(patch: Any, look: Box) -> None:
    """Draw the frame of a box once more, outside and heavy, with a light line in between."""
    from matplotlib.patheffects import Stroke

    thin = look.width - LIT
    widths_and_colors = [(thin + 6.0, look.edge), (thin + 2.6, PAPER), (thin, look.edge)]
    patch.set_path_effects(
        [Stroke(linewidth=width, foreground=color) for width, color in widths_and_colors]
    )


#: The sign beside an entry of the legend, and the distance of entries, in points.
_SIGN, _BETWEEN = 22.0, 9.0


def columns_of(labels: Sequence[str], width: float) -> int:
    """Return in how many columns the entries of a legend fit, all filled alike."""
    widest = max((width_of(label) for label in labels), default=0.0)
    most = max(1, min(len(labels), int(width / (widest + _SIGN + _BETWEEN))))
    n_rows = -(-len(labels) // most)
    return max(1, -(-len(labels) // max(n_rows, 1)))


def legend_height(entries: Sequence[Any], note: str, width: float) -> float:
    """Return how high the legend is, in points."""
    labels = [entry.get_label() for entry in entries] + [_noted(note)] * bool(note)
    return -(-len(labels) // columns_of(labels, width)) * 1.6 * SMALL + 8 if labels else 0.0


def _noted(note: str) -> str:
    return f"an item; named: {note}"


def write_legend(ax: Axes, entries: Sequence[Any], labels: Labels, width: float) -> None:
    """Write below the diagram what its colours, frames and lines mean, and who has a name."""
    from matplotlib.lines import Line2D

    handles = list(entries)
    if labels.note:
        how: dict[str, Any] = {"linestyle": "", "marker": "o", "markersize": 4, "color": MUTED}
        handles.append(Line2D([], [], label=_noted(labels.note), **how))
    if not handles:
        return
    columns = columns_of([handle.get_label() for handle in handles], width)
    place: dict[str, Any] = {"loc": "lower center", "ncols": columns, "borderaxespad": 0.2}
    place |= {"fontsize": SMALL, "labelcolor": INK, "frameon": False, "columnspacing": 1.2}
    ax.legend(handles=handles, **place).set_gid("key")


def write_short_names(ax: Axes, labels: Labels, beside: float) -> None:
    """Write beside the diagram what the shortened names mean."""
    if not labels.key:
        return
    lines = [line for entry in labels.key for line in key_lines(entry, size=7.0, width=beside - 10)]
    how: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    how |= {"fontsize": 7.0, "color": INK, "ha": "left", "va": "top", "linespacing": LINE - 0.1}
    ax.annotate("\n".join(lines), (1, 1), xytext=(8 - beside, 0), gid="names", **how)
