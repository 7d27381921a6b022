"""Rankings side by side: parallel columns, and a line for each item.

Idea: *the order of tied items is free, so on each side of a column they are in the order of the
neighbour on that side.* Then two lines cross between two columns if and only if the rankings
contradict each other on these items.

`draw_rankings` draws them. `_columns_of` returns the slot of each item in each column.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.ensembles import numbers_of, read_members
from porank.core.arrays import inverse_of
from porank.drawing import axes, marks
from porank.drawing.axes import Frame
from porank.drawing.boxes import list_key
from porank.drawing.fonts import width_of
from porank.drawing.style import INK, NORMAL, SMALL, color_of_share
from porank.drawing.texts import LONGEST, label_text, names_of, shortened, widest_name
from porank.errors import NotApplicableError, PorankError, counted
from porank.measures.pair_table import Pairing, count_agreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers


#: Distance between a column and the names beside it, in points.
_GAP = 6.0
#: Columns closer than this, in points, have no headings.
_NARROW = 16.0


def draw_rankings(
    orders: Any,
    *,
    names: Iterable[object] | None = None,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw rankings side by side as columns, with a line for each item.

    Between two columns the lines of two items cross if and only if the rankings contradict each
    other on these items, so crossings are inversions. Tied items are framed, and their lines may
    change places inside the frame.

    Parameters
    ----------
    orders : iterable of orders (DiGraph, ranks, scores), two-dimensional array, frame, or Profile
        Weak orders of the same items, as for `preference_relation`; counts are ignored.
    names : iterable, optional
        Name of each ranking. By default its number.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        Column k is at x = k, an item in slot s from the top, counted from 0, at y = s. Lines are
        one collection with the gid ``"items"``, frames one with the gid ``"tie"``. The counts below
        have the gid ``"count"``.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which one.
    ItemMismatchError
        If they have different items; `align` fixes it for two of them.
    NotApplicableError
        If one of them is not a weak order.
    PorankError
        If there are no rankings, or a different number of names.

    See Also
    --------
    draw_hasse, draw_pair_matrix

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_rankings([po.from_ranking("abcd"), po.from_ranking("badc")], names=["x", "y"])
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "count"]
    ['2 inversions']

    Notes
    -----
    Time O(k n log n) for k rankings of n items, and some milliseconds for each name. Names that are
    too wide for both sides are on the left only. If names would overlap, every j-th is shown, and
    the picture says so.
    """
    members = read_members(orders).orders
    _require_weak(members)
    titles = _titles(names, len(members))
    items = members[0].items
    columns = _columns_of(members)
    pairs = pairwise(members)
    counts = [counted(count_agreement(Pairing(*pair))[1], "inversion") for pair in pairs]
    note = "\nboxes: tied items" if any(column.ties for column in columns) else ""
    ax = _axes(Frame(ax, width, title), items, titles, note)
    sketch = _Sketch(ax, columns)
    _draw_strands(sketch)
    _frame_ties(sketch)
    _write_items(sketch, items)
    _write_titles(sketch, titles)
    _write_counts(sketch, counts)
    return axes.finish(ax)


def _require_weak(members: Sequence[CompiledOrder]) -> None:
    """Raise an error unless all rankings are weak orders."""
    for number, order in enumerate(members, start=1):
        if not order.is_weak:
            message = f"expected weak orders, found member {number} partial"
            hint = "draw_comparison(target, predicted) and draw_pair_matrix show two partial orders"
            raise NotApplicableError(f"{message}: its items have no place in a column", hint=hint)


def _titles(names: Any, k: int) -> list[str]:
    """Return the headings of the columns."""
    given = range(1, k + 1) if names is None else names
    found = len(given := [*given]) if isinstance(given, Iterable) else repr(given)
    if found != k:
        raise PorankError(f"expected a name for each of the {k} rankings, found {found}")
    return list(map(label_text, given))


def _axes(frame: Frame, items: Sequence[Item], titles: list[str], note: str) -> Axes:
    """Return the Axes of rankings side by side, with room for names, headings and counts."""
    n, k = len(items), len(titles)
    widest = widest_name(items)
    width, height = min(9.0, max(2.6, 1.5 * (k - 1))) + 0.3, min(7.6, max(2.0, 0.24 * n)) + 0.7
    size = frame.inches(width + widest / 36), height + 0.14
    title, x = f"{counted(k, 'ranking')} of {counted(n, 'item')}", "each crossing is an inversion"
    ax = frame.axes(size, title=title, x=x + note, y="best at the top")
    across = (0, k - 1) if k > 1 else (-0.5, 0.5)
    ax.set(xticks=[], yticks=[], xlim=across, ylim=(max(n, 1) - 0.5, -0.5))
    axes.fit_captions(ax)
    half_title = max(width_of(title, size=NORMAL) for title in (titles[0], titles[-1])) / 2
    room, left = axes.size_in_points(ax)[0], widest + _GAP + 2 * _HALF
    right = min(half_title, 0.15 * room)
    # Names that are too wide for both sides are on the left only.
    left, right = max(left, right), right if left > room / 3 else max(left, right)
    axes.widen(ax, left=left, right=right, top=1.5 * NORMAL, bottom=2.3 * SMALL)
    return ax


def _write_items(sketch: _Sketch, items: Sequence[Item]) -> None:
    """Write the items beside the first column, and beside the last one if there is room."""
    n, ax = len(items), sketch.ax
    labelled = axes.labelled_places(n, sketch.slot * n)
    last = len(sketch.columns) - 1
    sides = ((0, sketch.columns[0].left, -1, "right"), (last, sketch.columns[-1].right, 1, "left"))
    left, right = (abs(end) for end in ax.get_xlim())
    names = names_of(items, longest=min(LONGEST, left * sketch.pace - _GAP - _HALF))
    has_both = last > 0 and right - last > left - 1e-9
    for k, slots, direction, align in sides[: 1 + has_both]:
        at = inverse_of(slots)
        for slot in labelled:
            place = k + direction * sketch.half[k], slot
            how: dict[str, Any] = {"shift": (direction * _GAP, 0), "align": (align, "center")}
            marks.write(ax, names[at[slot]], place, gid="item", **how)
    if axes.note_of(labelled):
        ax.set_ylabel(f"{ax.get_ylabel()}, {axes.note_of(labelled)}")


def _write_titles(sketch: _Sketch, titles: Sequence[str]) -> None:
    """Write the name of each ranking above its column, shortened to fit; every k-th of many."""
    longest = 0.95 * sketch.pace
    step = 1 if longest > _NARROW else ceil(_NARROW / longest)
    for k in range(0, len(titles), step):
        text = shortened(titles[k], size=NORMAL, longest=max(longest * step, _NARROW))
        how: dict[str, Any] = {"shift": (0, 0.4 * NORMAL), "align": ("center", "bottom")}
        marks.write(sketch.ax, text, (k, -0.5), size=NORMAL, gid="title", **how)


def _write_counts(sketch: _Sketch, counts: Sequence[str]) -> None:
    """Write the number of inversions below neighbouring columns, alone if there is no room."""
    bottom = sketch.columns[0].left.size - 0.5
    for k, text in enumerate(counts):
        shown = text if width_of(text) <= 0.95 * sketch.pace else text.split()[0]
        how: dict[str, Any] = {"shift": (0, -0.4 * SMALL), "align": ("center", "top")}
        marks.write(sketch.ax, shown, (k + 0.5, bottom), gid="count", **how)


@dataclass(frozen=True, eq=False)
class _RankingColumn:
    """A ranking: the slots 0..n-1 of its items from the top, on each side of the column."""

    left: Numbers
    right: Numbers
    levels: Numbers

    @cached_property
    def ties(self) -> list[tuple[int, int]]:
        """The first and the last slot of each group of tied items."""
        sizes = np.bincount(self.levels)
        ends = np.cumsum(sizes)
        tied = np.flatnonzero(sizes > 1)
        return [(int(ends[level] - sizes[level]), int(ends[level]) - 1) for level in tied]


def _columns_of(members: Sequence[CompiledOrder]) -> list[_RankingColumn]:
    """Return the columns of rankings, with items as in the first ranking."""
    levels = [order.levels[numbers_of(order, members[0].items)] for order in members]
    items = members[0].items
    by_name = sorted(range(len(items)), key=lambda i: list_key(items[i]))
    base = inverse_of(np.array(by_name, dtype=np.int64))
    columns = []
    for k, column in enumerate(levels):
        # The first and the last column have one neighbour.
        before, after = levels[max(k - 1, 0)], levels[min(k + 1, len(levels) - 1)]
        left = _slots(column, before if k else after, base)
        right = _slots(column, after if k + 1 < len(levels) else before, base)
        columns.append(_RankingColumn(left, right, column))
    return columns


def _slots(column: Numbers, neighbour: Numbers, base: Numbers) -> Numbers:
    """Return the slot of each item in a column: by its level, then by that of the neighbour."""
    return inverse_of(np.lexsort((base, neighbour, column)))


#: Half the width of a column with ties, in points.
_HALF = 5.0


@dataclass(frozen=True, eq=False)
class _Sketch:
    """The columns and the Axes in their final size."""

    ax: Axes
    columns: list[_RankingColumn]

    @cached_property
    def half(self) -> list[float]:
        """Half the width of each column, 0 without ties."""
        left, right = self.ax.get_xlim()
        half = min(0.2, _HALF * abs(right - left) / axes.size_in_points(self.ax)[0])
        return [half if column.ties else 0.0 for column in self.columns]

    @cached_property
    def slot(self) -> float:
        """The height of a slot, in points."""
        return axes.unit_in_points(self.ax)[1]

    @cached_property
    def pace(self) -> float:
        """The distance of columns, in points."""
        return axes.unit_in_points(self.ax)[0]


def _draw_strands(sketch: _Sketch) -> None:
    """Draw a line through all columns for each item, coloured by its place in the first."""
    n = sketch.columns[0].left.size
    ends = [x for k, half in enumerate(sketch.half) for x in (k - half, k + half)]
    slots = [side for column in sketch.columns for side in (column.left, column.right)]
    paths = np.empty((n, len(ends), 2))
    paths[:, :, 0] = ends
    paths[:, :, 1] = np.array(slots).T
    # The best items are drawn last, above the others, whatever their names.
    upwards = np.argsort(sketch.columns[0].right)[::-1]
    colors = [color_of_share(1 - 0.6 * slot / n) for slot in reversed(range(n))]
    widths = [min(1.6, max(0.3, 0.3 * sketch.slot))]
    how: dict[str, Any] = {"capstyle": "round", "zorder": 2, "gid": "items"}
    marks.add_lines(sketch.ax, list(paths[upwards]), colors=colors, linewidths=widths, **how)


def _frame_ties(sketch: _Sketch) -> None:
    """Frame each group of tied items in a column, with faint lines inside."""
    frames = [
        marks.box_corners(k - half, k + half, (first + last) / 2, (last - first) / 2 + 0.35)
        for k, (column, half) in enumerate(zip(sketch.columns, sketch.half, strict=True))
        for first, last in column.ties
    ]
    how: dict[str, Any] = {"facecolors": [(1, 1, 1, 0.7)], "edgecolors": INK, "linewidths": 0.9}
    marks.add_areas(sketch.ax, frames, zorder=3, gid="tie", **how)
