"""The lines through parallel columns, the frames round ties, and the dots where lines cross."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.drawing.palette import ALARM, INK, PAPER, color_of_place
from porank.drawing.parallel import crossing_points
from porank.drawing.style import size_in_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.drawing.parallel import Column

#: Half the width of a column that has ties, in points.
HALF = 5.0
#: Up to so many points where lines cross get a dot, in rankings of up to so many items.
_MOST_DOTS, _FEW_ITEMS = 400, 200
#: How wide a dot with a number is, in points.
_NUMBERED = 9.0


@dataclass(frozen=True, eq=False)
class Sketch:
    """The columns, the Axes in their final size, and half the width of each column."""

    ax: Axes
    columns: list[Column]
    half: list[float]

    @property
    def slot(self) -> float:
        """How many points a slot is high."""
        low, high = self.ax.get_ylim()
        return size_in_points(self.ax)[1] / abs(high - low)

    @property
    def pace(self) -> float:
        """How many points columns are apart."""
        left, right = self.ax.get_xlim()
        return size_in_points(self.ax)[0] / abs(right - left)


def half_widths(ax: Axes, columns: Sequence[Column]) -> list[float]:
    """Return half the width of each column: none without ties."""
    left, right = ax.get_xlim()
    half = min(0.2, HALF * abs(right - left) / size_in_points(ax)[0])
    return [half if column.ties else 0.0 for column in columns]


def draw_strands(sketch: Sketch, weight: NDArray[Any] | None) -> None:
    """Draw a line through all columns for each item, coloured by its place in the first."""
    from matplotlib.collections import LineCollection

    n = sketch.columns[0].left.size
    ends = [x for k, half in enumerate(sketch.half) for x in (k - half, k + half)]
    slots = [side for column in sketch.columns for side in (column.left, column.right)]
    paths = np.empty((n, len(ends), 2))
    paths[:, :, 0] = ends
    paths[:, :, 1] = np.array(slots).T
    # The best lies on top, whatever the items are called.
    upwards = np.argsort(sketch.columns[0].right)[::-1]
    colors = [color_of_place(slot, n) for slot in reversed(range(n))]
    widths = _widths(sketch, None if weight is None else weight[upwards])
    how: dict[str, Any] = {"capstyle": "round", "zorder": 2}
    lines = LineCollection(list(paths[upwards]), colors=colors, linewidths=widths, **how)
    lines.set_gid("items")
    sketch.ax.add_collection(lines, autolim=False)


def _widths(sketch: Sketch, weight: NDArray[Any] | None) -> list[float]:
    """Return the width of each line in points: the heaviest nearly fills its slot."""
    if weight is None:
        return [min(1.6, max(0.3, 0.3 * sketch.slot))]
    widest = min(10.0, 0.8 * sketch.slot)
    return [max(0.3, widest * share) for share in _shares(weight).tolist()]


def _shares(weight: NDArray[Any]) -> NDArray[np.float64]:
    """Return the weights as shares of the largest one, whose products are no larger than 1."""
    heaviest = max(weight.tolist(), default=0) or 1
    return np.array([float(one / heaviest) for one in weight.tolist()], dtype=np.float64)


def frame_ties(sketch: Sketch) -> None:
    """Frame each class of tied items; within the frame their lines change places, and are faint."""
    from matplotlib.patches import Rectangle

    for k, (column, half) in enumerate(zip(sketch.columns, sketch.half, strict=True)):
        for first, last in column.ties:
            frame = Rectangle((k - half, first - 0.35), 2 * half, last - first + 0.7)
            frame.set(facecolor=(1, 1, 1, 0.7), edgecolor=INK, linewidth=0.9, zorder=3, gid="tie")
            sketch.ax.add_patch(frame)


def mark_crossings(sketch: Sketch, weight: NDArray[Any] | None) -> None:
    """Put a dot on each crossing; one of heavy items is larger, by the product of their weights.

    Where several pairs cross in one point, their dot says how many.
    """
    if sketch.columns[0].left.size > _FEW_ITEMS:
        return
    found, product = _crossings(sketch, weight)
    # The same point comes out of two pairs with other last digits.
    points, group = np.unique(found.round(9), axis=0, return_inverse=True)
    if len(points) > _MOST_DOTS:
        return
    pairs, summed = np.bincount(group.ravel()), np.bincount(group.ravel(), product)
    largest = min(18.0 if weight is None else 90.0, 0.3 * sketch.slot**2)
    sizes = np.minimum(largest * summed / (product.max(initial=0.0) or 1.0), largest)
    if sketch.slot >= _NUMBERED:
        sizes[pairs > 1] = np.maximum(sizes[pairs > 1], _NUMBERED**2)
        _write_numbers(sketch, points[pairs > 1], pairs[pairs > 1])
    how: dict[str, Any] = {"color": ALARM, "edgecolors": PAPER, "linewidths": 0.5, "zorder": 4}
    x, y = points.T
    sketch.ax.scatter(x, y, s=sizes, gid="inversions", **how)


def _crossings(sketch: Sketch, weight: NDArray[Any] | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return where pairs of lines cross, and the products of their weights."""
    heavy = np.ones(len(sketch.columns[0].left)) if weight is None else _shares(weight)
    points, products = [np.empty((0, 2))], [np.empty(0)]
    for k, (here, there) in enumerate(pairwise(sketch.columns)):
        upper, lower, crossings = crossing_points(here, there)
        begin, end = k + sketch.half[k], k + 1 - sketch.half[k + 1]
        crossings[:, 0] = begin + crossings[:, 0] * (end - begin)
        points.append(crossings)
        products.append(heavy[upper] * heavy[lower])
    return np.concatenate(points), np.concatenate(products)


def _write_numbers(sketch: Sketch, points: NDArray[Any], pairs: NDArray[Any]) -> None:
    """Write how many pairs cross in each of some points."""
    how: dict[str, Any] = {"color": PAPER, "fontsize": 6.5, "zorder": 5, "gid": "crossings"}
    for (x, y), count in zip(points.tolist(), pairs.tolist(), strict=True):
        sketch.ax.text(x, y, str(count), ha="center", va="center_baseline", **how)
