"""A square of cells, items by items: the Axes it is drawn in, its names, its cells.

The cell in row i and column j lies round the point (j, i), the first row on top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.drawing.captions import Titles, caption, settle_caption
from porank.drawing.palette import PAPER
from porank.drawing.style import (
    SMALL,
    axes_for,
    make_room,
    settle,
    size_in_points,
    without_frame,
)
from porank.drawing.texts import names_of, width_of
from porank.drawing.ticks import name_places
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.typing import Item

#: Cells of a larger square are smaller than a point on paper.
_MOST = 2000
#: Sides of the square in a new figure, in inches: the least, the most, and what an item adds.
_SIDES = 2.5, 7.0, 0.3


def require_few(n: int) -> None:
    """Raise `PorankError` if a square of n items by n items cannot be seen.

    Examples
    --------
    >>> require_few(10**6)
    Traceback (most recent call last):
    porank.errors.PorankError: expected at most 2,000 items in a matrix, found 1,000,000;
    restrict(G, items) and P.restrict(items) take some of them
    """
    if n > _MOST:
        raise PorankError(
            f"expected at most {_MOST:,} items in a matrix, found {n:,}; "
            "restrict(G, items) and P.restrict(items) take some of them"
        )


def square_for(
    ax: Axes | None, items: Sequence[Item], titles: Titles, *, beside: float = 0.0
) -> Axes:
    """Return the Axes for a square of cells, with everything written round it.

    Parameters
    ----------
    ax : Axes or None
        Where to draw; None for a new figure.
    items : sequence
        What stands in the rows from the top, and in the columns from the left.
    titles : Titles
        What is written above, and what the item of a column is, and that of a row.
    beside : float
        So many points are kept free to the right of the cells.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = square_for(Figure().add_subplot(), "abc", Titles("Letters", "to", "from"))
    >>> [float(limit) for limit in ax.get_ylim()]
    [2.5, -0.5]
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['a', 'b', 'c']

    Notes
    -----
    Some milliseconds for each name, and some 50 ms for the layout. Where names would overlap, every
    k-th is shown, and the name of the columns says so.
    """
    n = max(len(items), 1)
    least, most, each = _SIDES
    side = min(most, max(least, each * n))
    widest = _widest(items) / 72
    is_upright = widest > 0.95 * side / n
    size = (side + 0.4 + widest + beside / 72, side + 0.6 + (widest if is_upright else 0.1))
    ax = axes_for(ax, size=size)
    without_frame(ax)
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", length=0)
    caption(ax, title=titles.title, x=titles.x, y=titles.y)
    ax.set_xlim(-0.5, n - 0.5)
    ax.set_ylim(n - 0.5, -0.5)
    _name_both(ax, items, titles, beside=beside)
    settle_caption(ax)
    make_room(ax, right=beside)
    return ax


def _widest(items: Sequence[Item]) -> float:
    """Return the width of the widest of the first names, in points."""
    return max(map(width_of, names_of(items[:200])), default=0.0)


def _name_both(ax: Axes, items: Sequence[Item], titles: Titles, *, beside: float) -> None:
    """Name rows and columns, the columns upright if their names are wider than a cell."""
    settle(ax)
    width, height = size_in_points(ax)
    note = name_places(ax.yaxis, items, height)
    if ax.figure.figure.get_layout_engine() is None:
        settle(ax)
        width, height = size_in_points(ax)
    wide = max((width - beside) / max(len(items), 1), 1.0)
    turned = {"rotation": 90} if _widest(items) > 0.95 * wide else {}
    if turned:
        # What upright names take from the height, the rows lose.
        settle(ax)
        width, height = size_in_points(ax)
        note = name_places(ax.yaxis, items, height)
    note = name_places(ax.xaxis, items, width - beside, **turned) or note
    if note:
        ax.set_xlabel(f"{titles.x} ({note})")


def fill(ax: Axes, values: NDArray[Any], **how: Any) -> None:
    """Fill the cells of a square with colours, by the values and the options of ``imshow``.

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> ax = square_for(Figure().add_subplot(), "ab", Titles("", "", ""))
    >>> fill(ax, np.eye(2), gid="cells")
    >>> [image.get_gid() for image in ax.images], [float(limit) for limit in ax.get_xlim()]
    (['cells'], [-0.5, 1.5])
    """
    n = len(values)
    if not n:
        return
    limits = ax.get_xlim(), ax.get_ylim()
    extent = (-0.5, n - 0.5, n - 0.5, -0.5)
    ax.imshow(values, interpolation="nearest", aspect="auto", extent=extent, **how)
    ax.set_xlim(*limits[0])
    ax.set_ylim(*limits[1])


def part_cells(ax: Axes, n: int) -> None:
    """Draw thin lines of paper between the cells of a square of n rows, with the gid ``"grid"``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = square_for(Figure().add_subplot(), "abc", Titles("", "", ""))
    >>> part_cells(ax, 3)
    >>> [len(lines.get_paths()) for lines in ax.collections]
    [4]
    """
    from matplotlib.collections import LineCollection

    ends = -0.5, n - 0.5
    places = [k + 0.5 for k in range(n - 1)]
    sides = [[(x, y) for y in ends] for x in places] + [[(x, y) for x in ends] for y in places]
    lines = LineCollection(sides, colors=PAPER, linewidths=0.5, zorder=1.2)
    lines.set_gid("grid")
    ax.add_collection(lines, autolim=False)


def cell_side(ax: Axes) -> float:
    """Return how many points a cell measures, the shorter of its sides.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(figsize=(2, 1)).add_axes((0, 0, 1, 1))
    >>> ax = square_for(ax, range(10), Titles("", "", ""))
    >>> round(cell_side(ax), 1)
    7.2
    """
    width, height = size_in_points(ax)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    return float(min(width / abs(right - left), height / abs(high - low)))


def size_in_cell(ax: Axes, width: float) -> float:
    """Return the size of text, in points, for texts of that width at size `SMALL`; 0 if illegible.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(figsize=(2, 1)).add_axes((0, 0, 1, 1))
    >>> ax = square_for(ax, range(4), Titles("", "", ""))
    >>> size_in_cell(ax, 10), round(size_in_cell(ax, 20), 2), size_in_cell(ax, 100)
    (7.5, 5.4, 0.0)
    """
    size = min(SMALL, SMALL * 0.8 * cell_side(ax) / max(width, 1))
    return size if size >= 4.5 else 0.0
