"""Small Hasse diagrams beside each other within one Axes, all to the same scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from porank.drawing.palette import INK, MUTED, PAPER
from porank.drawing.style import SMALL, size_in_points
from porank.drawing.texts import names_of, width_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from porank.drawing.layout import HasseLayout, Place


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


class Naming(NamedTuple):
    """What stands at the items of all diagrams alike: names, or numbers with a key, or dots.

    Attributes
    ----------
    texts : dict
        item -> its name, or its number; none for dots.
    key : list of str
        Such as ``"1 Assam"`` for each number.
    """

    texts: dict[Any, str]
    key: list[str]


def naming_for(layouts: Sequence[HasseLayout], width: float, height: float) -> Naming:
    """Return what fits between the items of diagrams in a band of so many points.

    Names are whole in all diagrams, or there are numbers, from the best of the first diagram on.

    Parameters
    ----------
    layouts : sequence of HasseLayout
        The diagrams, of the same items.
    width, height : float
        Of the band.

    Examples
    --------
    >>> import porank as po
    >>> layouts = [po.hasse_layout(po.parse("Assam > Ceylon > Sencha; Assam > Oolong"))]
    >>> naming_for(layouts, 200, 60).texts["Assam"]
    'Assam'
    >>> naming_for(layouts, 60, 60).key
    ['1 Assam', '2 Ceylon', '3 Oolong', '4 Sencha']
    >>> naming_for(layouts, 10, 60)
    Naming(texts={}, key=[])

    Notes
    -----
    Time O(k n) for k diagrams of n items, and the measuring of the names.
    """
    if not layouts:
        return Naming({}, [])
    across, up = _steps(layouts, width, height)
    items = [item for level in layouts[0].levels for item in level]
    names = names_of(items, longest=float("inf"))
    numbers = [str(number) for number in range(1, len(items) + 1)]
    if up < 1.4 * SMALL:
        return Naming({}, [])
    if _fit(names, min(across) - 4):
        return Naming(dict(zip(items, names, strict=True)), [])
    if _fit(numbers, min(across) - 2):
        key = [f"{number} {name}" for number, name in zip(numbers, names, strict=True)]
        return Naming(dict(zip(items, numbers, strict=True)), key)
    return Naming({}, [])


def _fit(texts: Sequence[str], room: float) -> bool:
    return all(width_of(text) <= room for text in texts)


def _steps(
    layouts: Sequence[HasseLayout], width: float, height: float
) -> tuple[list[float], float]:
    """Return how far neighbours are apart in each diagram, and levels in all, in points."""
    part = width / len(layouts)
    across = [min(_FAR[0], part / (_width(layout) + 1)) for layout in layouts]
    highest = max(max(len(layout.levels) for layout in layouts) - 1, 1)
    return across, min(_FAR[1], height / highest)


def draw_miniatures(
    ax: Axes, layouts: Sequence[HasseLayout], band: Band, texts: Mapping[Any, str]
) -> None:
    """Draw Hasse diagrams side by side, best on top, with these texts at the items, or dots.

    The lines of each are a collection with the gid ``"diagram"``, the dots one with the gid
    ``"item"``, as are the texts.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> import porank as po
    >>> from porank.drawing.layout import hasse_layout
    >>> ax = Figure().add_subplot()
    >>> layouts = [hasse_layout(po.parse("a > b; a > c"))]
    >>> draw_miniatures(ax, layouts, Band(0, 1, 0, 1), naming_for(layouts, 100, 50).texts)
    >>> sorted(text.get_text() for text in ax.texts)
    ['a', 'b', 'c']

    Notes
    -----
    Time O(n + m) for n items and m edges of each.
    """
    if not layouts:
        return
    point = _point(ax)
    size = (band.right - band.left) / point[0], (band.top - band.bottom) / point[1]
    steps, up = _steps(layouts, *size)
    for layout, middle, across in zip(layouts, band.middles(len(layouts)), steps, strict=True):
        spare = band.top - band.bottom - (len(layout.levels) - 1) * up * point[1]
        scale = _Scale(middle, band.bottom + spare / 2, across * point[0], up * point[1])
        _draw_one(ax, layout, scale, texts)


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


def _draw_one(ax: Axes, layout: HasseLayout, scale: _Scale, texts: Mapping[Any, str]) -> None:
    from matplotlib.collections import LineCollection

    paths = [[scale.place(point) for point in layout.path(u, v)] for u, v in layout.edges]
    lines = LineCollection(paths, colors=MUTED, linewidths=0.8, zorder=2)
    lines.set_gid("diagram")
    ax.add_collection(lines, autolim=False)
    if not texts:
        points = [scale.place(point) for point in layout.values()]
        x, y = [x for x, _ in points], [y for _, y in points]
        ax.scatter(x, y, s=8, color=INK, linewidths=0, zorder=3, gid="item")
        return
    ground = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.8}
    how: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "center"}
    for item, point in layout.items():
        ax.text(*scale.place(point), texts[item], bbox=ground, zorder=3, gid="item", **how)
