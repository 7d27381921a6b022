"""Small Hasse diagrams beside each other within one Axes, all to the same scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from porank.drawing.palette import INK, MUTED, PAPER
from porank.drawing.style import SMALL, size_in_points
from porank.drawing.texts import names_of, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from porank.drawing.layout import HasseLayout, Place


#: The longest name, and the least room for a shortened one, in points.
_LONGEST, _SHORTEST = 60.0, 20.0
#: Neighbours are no further apart than this, in points.
_FAR = 60.0, 36.0


class Band(NamedTuple):
    """Where the diagrams stand, in the coordinates of the Axes.

    Attributes
    ----------
    left, right : float
        Its ends; each diagram gets an equal part.
    bottom, top : float
        Below and above.
    """

    left: float
    right: float
    bottom: float
    top: float

    def middles(self, k: int) -> list[float]:
        """Return the middles of k equal parts.

        Examples
        --------
        >>> Band(0, 6, 0, 1).middles(3)
        [1.0, 3.0, 5.0]
        """
        part = (self.right - self.left) / max(k, 1)
        return [self.left + (number + 0.5) * part for number in range(k)]


def draw_miniatures(ax: Axes, layouts: Sequence[HasseLayout], band: Band) -> bool:
    """Draw Hasse diagrams side by side, best on top, each with its names if these fit, else dots.

    The lines of each are a collection with the gid ``"diagram"``, the dots one with the gid
    ``"item"``, as are the names. Return whether all have their names.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import porank as po
    >>> from porank.drawing.layout import hasse_layout
    >>> ax = Figure().add_subplot()
    >>> draw_miniatures(ax, [hasse_layout(po.parse("a > b; a > c"))], Band(0, 1, 0, 1))
    True
    >>> sorted(text.get_text() for text in ax.texts)
    ['a', 'b', 'c']

    Notes
    -----
    Time O(n + m) for n items and m edges of each, beyond the names.
    """
    if not layouts:
        return True
    point = _point(ax)
    part = (band.right - band.left) / len(layouts)
    steps = [min(_FAR[0] * point[0], part / (_width(layout) + 1)) for layout in layouts]
    highest = max(max(len(layout.levels) for layout in layouts) - 1, 1)
    up = min(_FAR[1] * point[1], (band.top - band.bottom) / highest, key=abs)
    is_named = True
    for layout, middle, across in zip(layouts, band.middles(len(layouts)), steps, strict=True):
        spare = band.top - band.bottom - (len(layout.levels) - 1) * up
        scale = _Scale(middle, band.bottom + spare / 2, across, up)
        names = _names_that_fit(layout, across / point[0], up / point[1])
        is_named = is_named and names is not None
        _draw_one(ax, layout, scale, names)
    return is_named


def _point(ax: Axes) -> tuple[float, float]:
    """Return how far a point is, to the right and upwards, in the coordinates of the Axes."""
    width, height = size_in_points(ax)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    return (right - left) / width, (high - low) / height


def _width(layout: HasseLayout) -> float:
    left, _, right, _ = layout.bounds
    return right - left


class _Scale(NamedTuple):
    """Where the middle of the lowest level stands, and how long the steps are."""

    x: float
    y: float
    across: float
    up: float

    def place(self, point: Place) -> Place:
        return self.x + point[0] * self.across, self.y + point[1] * self.up


def _names_that_fit(layout: HasseLayout, across: float, up: float) -> dict[Any, str] | None:
    """Return the names of the items if they fit between neighbours so many points apart."""
    room = min(_LONGEST, across - 4)
    names = names_of(layout, longest=max(room, _SHORTEST))
    if up < 1.4 * SMALL or any(width_of(name) > room for name in names):
        return None
    return dict(zip(layout, names, strict=True))


def _draw_one(ax: Axes, layout: HasseLayout, scale: _Scale, names: dict[Any, str] | None) -> None:
    from matplotlib.collections import LineCollection

    paths = [[scale.place(point) for point in layout.path(u, v)] for u, v in layout.edges]
    lines = LineCollection(paths, colors=MUTED, linewidths=0.8, zorder=2)
    lines.set_gid("diagram")
    ax.add_collection(lines, autolim=False)
    if names is None:
        points = [scale.place(point) for point in layout.values()]
        x, y = [x for x, _ in points], [y for _, y in points]
        ax.scatter(x, y, s=8, color=INK, linewidths=0, zorder=3, gid="item")
        return
    ground = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}
    how: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "center"}
    for item, point in layout.items():
        ax.text(*scale.place(point), names[item], bbox=ground, zorder=3, gid="item", **how)
