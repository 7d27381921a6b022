"""A diagram in its Axes: how its lines run, and its boxes or dots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from porank.drawing.bows import bow, round_dots
from porank.drawing.dot_names import dot_size
from porank.drawing.labels import PAD, Labels
from porank.drawing.palette import INK, MUTED, PAPER, ink_on
from porank.drawing.runs import softened
from porank.drawing.ways import Lanes
from porank.drawing.words import LINE

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.drawing.layout import HasseLayout

#: Lines that run side by side take up that part of the width.
_INKED = 0.06
#: How much wider the frame of a box is that steps forward, in points.
LIT = 1.4


@dataclass(frozen=True, eq=False)
class Box:
    """How a box is drawn.

    Attributes
    ----------
    fill, edge : str
        The colours of the ground and of the frame.
    width : float
        Of the frame, in points.
    dash : str
        The style of the frame.
    gid : str
        What the artist is called.
    is_lit : bool
        Whether a light line parts the frame from the ground, so that it is seen round a dark one.
    """

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
        """Return how the line of a cover runs: along its bends, or round the boxes it would meet.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> import porank as po
        >>> from porank.drawing.canvas import sheet_for
        >>> from porank.drawing.captions import Titles
        >>> from porank.drawing.words import Words
        >>> layout = po.hasse_layout(po.parse("a > b"))
        >>> words = {item: Words([item], " ") for item in "ab"}
        >>> sheet = sheet_for(Figure().add_subplot(), layout, words, Titles("", "", ""), [])
        >>> sheet.run("a", "b").tolist()
        [[0.0, 1.0], [0.0, 0.0]]
        """
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
        """Draw the boxes with what is written into them, or dots and the names of some.

        Examples
        --------
        >>> from matplotlib.figure import Figure
        >>> import porank as po
        >>> from porank.drawing.canvas import sheet_for
        >>> from porank.drawing.captions import Titles
        >>> from porank.drawing.words import Words
        >>> layout = po.hasse_layout(po.parse("a > b"))
        >>> words = {item: Words([item], " ") for item in "ab"}
        >>> sheet = sheet_for(Figure().add_subplot(), layout, words, Titles("", "", ""), [])
        >>> sheet.draw_boxes({item: Box() for item in "ab"})
        >>> [(text.get_text(), text.get_position()) for text in sheet.ax.texts]
        [('a', (0.0, 1.0)), ('b', (0.0, 0.0))]
        """
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
