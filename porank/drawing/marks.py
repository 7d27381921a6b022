"""What is drawn within the Axes of a picture: texts, lines, areas, cells, legend.

`write` writes a text. `add_lines`, `add_areas` (with `box_corners`), `fill_cells` and `fill_shades`
draw many things as one. `legend` shows entries from `patch`, `stroke` and `dot`, in small Axes only
the first ones.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from porank.drawing.axes import refuse_tex, size_in_points
from porank.drawing.fonts import families_for, width_of
from porank.drawing.style import INK, MUTED, PAPER, SMALL, color_of_share
from porank.drawing.texts import in_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes


def write(
    ax: Axes,
    text: str,
    place: Any,
    *,
    shift: tuple[float, float] | None = None,
    size: float = SMALL,
    align: tuple[str, str] = ("center", "center"),
    **how: Any,
) -> Any:
    """Write a text at a place in the Axes, shifted by some points."""
    style: dict[str, Any] = {"fontsize": size, "color": INK, "ha": align[0], "va": align[1]}
    # It is within the Axes, so layouts need not make room for it.
    style |= {"usetex": False, "fontfamily": families_for(text), "in_layout": False} | how
    if shift is None:
        return ax.text(place[0], place[1], text, **style)
    return ax.annotate(text, place, xytext=shift, textcoords="offset points", **style)


def add_lines(ax: Axes, paths: Sequence[Any], **how: Any) -> None:
    """Draw lines through the points of each path, as one collection."""
    from matplotlib.collections import LineCollection

    ax.add_collection(LineCollection(paths, **how), autolim=False)


def add_areas(ax: Axes, corners: Sequence[Any], **how: Any) -> None:
    """Draw areas with these corners, as one collection."""
    from matplotlib.collections import PolyCollection

    ax.add_collection(PolyCollection(corners, **how), autolim=False)


def box_corners(left: float, right: float, y: float, half: float) -> list[tuple[float, float]]:
    """Return the corners of a horizontal bar around a height."""
    return [(left, y - half), (right, y - half), (right, y + half), (left, y + half)]


def fill_cells(ax: Axes, values: Any, *, left: float = -0.5, **how: Any) -> None:
    """Fill cells of the Axes, or parts of them, with colours; options as for ``imshow``."""
    n = values.shape[1]
    if not n:
        return
    x, y, extent = ax.get_xlim(), ax.get_ylim(), (left, left + n, n - 0.5, -0.5)
    ax.imshow(values, interpolation="nearest", aspect="auto", extent=extent, **how)
    ax.set(xlim=x, ylim=y)


def fill_shades(
    ax: Axes, shares: Any, *, scale: Callable[[float], str] = color_of_share, **how: Any
) -> None:
    """Shade cells of the Axes by shares in [0, 1], with the colours of a scale."""
    from matplotlib.colors import LinearSegmentedColormap

    colors = LinearSegmentedColormap.from_list("shares", [scale(k / 8) for k in range(9)])
    fill_cells(ax, shares, cmap=colors, vmin=0, vmax=1, **how)


def patch(label: str, fill: str = PAPER, edge: str = MUTED, **how: Any) -> Any:
    """Return a legend entry: a framed area."""
    from matplotlib.patches import Patch

    return Patch(facecolor=fill, edgecolor=edge, label=label, **how)


def stroke(label: str, **how: Any) -> Any:
    """Return a legend entry: a line or a marker."""
    from matplotlib.lines import Line2D

    return Line2D([], [], label=label, **how)


def dot(label: str, *, size: float, **how: Any) -> Any:
    """Return a legend entry: a marker alone, this many points wide."""
    how = {"marker": "o", "markeredgewidth": 0} | how
    return stroke(label, linestyle="none", markersize=size, **how)


#: The width of a symbol in the legend, and the distance of columns, in points; the share of the
#: height of the Axes that a legend may take.
SIGN, _BETWEEN, _SHARE = 24.0, 9.0, 0.5


def _arranged(
    entries: Sequence[Any], width: float, height: float = inf
) -> tuple[list[str], int, float]:
    """Return the texts of the entries that fit, their number of columns and height in points."""
    if not entries:
        return [], 1, 0.0
    texts = [" ".join(entry.get_label().split()) for entry in entries]
    most = max(1, int((width + _BETWEEN) / (max(map(width_of, texts)) + SIGN + _BETWEEN)))
    n_rows = -(-len(texts) // most)
    n_columns = -(-len(texts) // n_rows)
    texts = ["\n".join(in_lines(text.split(" "), width - SIGN)) for text in texts]
    n_lines = len("\n".join(texts).split("\n"))
    high = -(-n_lines // n_columns) * 1.6 * SMALL + 8
    if high > _SHARE * height:
        return _arranged(entries[:-1], width, height)
    return texts, n_columns, high


def legend_height(entries: Sequence[Any], width: float, height: float = inf) -> float:
    """Return the height of the legend in Axes of this size, in points."""
    return _arranged(entries, width, height)[2]


def legend(ax: Any, entries: Sequence[Any], *, place: str = "lower center") -> None:
    """Draw the legend in as many columns as fit, with the gid ``"key"``."""
    texts, n_columns, _ = _arranged(entries, *size_in_points(ax))
    if not texts:
        return
    entries = entries[: len(texts)]
    for entry, text in zip(entries, texts, strict=True):
        entry.set_label(text)
    how: dict[str, Any] = {"ncols": n_columns if place == "lower center" else 1, "labelcolor": INK}
    how["prop"] = {"size": SMALL, "family": families_for("".join(texts))}
    how |= {"columnspacing": _BETWEEN / SMALL, "borderpad": 0.1, "borderaxespad": 0.2}
    key = ax.legend(handles=entries, title_fontsize=SMALL, loc=place, frameon=False, **how)
    key.set_gid("key")
    # It is within the Axes, so a layout need not make them narrower for it.
    key.set_in_layout(False)
    refuse_tex(key)
