"""What is drawn within the Axes of a picture: texts, names of dots, lines, areas, cells, legend.

`write` writes a text, `name_dots` the names of dots that have room. `add_lines`, `add_areas` (with
`box_corners`), `fill_cells` and `fill_shades` draw many things as one. `legend` and `legend_below`
show entries from `patch`, `stroke` and `dot`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.drawing.axes import refuse_tex, size_in_points, widen
from porank.drawing.box_texts import sides_of_dots
from porank.drawing.fonts import families_for, width_of
from porank.drawing.style import INK, MUTED, PAPER, SMALL, color_of_share
from porank.drawing.texts import in_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from porank.typing import Floats


#: The background of a name at a dot: it fades lines behind the name without hiding them.
GROUND = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.3, "alpha": 0.6}


def name_dots(
    ax: Axes, places: Floats, texts: Sequence[str], *, radius: float, entries: Sequence[Any] = ()
) -> None:
    """Write the names of dots that have room above the legend, in this order, and the legend."""
    how: dict[str, Any] = {"texts": texts, "radius": radius}
    sides, below = _named_above(ax, places, entries, **how)
    if not all(sides):
        entries = [*entries, stroke("named: 100 of 100", linestyle="none")]
        sides, _ = _named_above(ax, places, entries, below=below, **how)
        entries[-1].set_label(f"named: {sum(map(bool, sides)):,} of {len(texts):,}")
    how = {"bbox": GROUND, "zorder": 2.5, "gid": "name"}
    for place, text, side in zip(places.tolist(), texts, sides, strict=True):
        if side:
            write(ax, text, place, shift=side[0], align=side[1], **how)
    if entries:
        legend_below(ax, entries)


def _named_above(
    ax: Axes,
    places: Floats,
    entries: Sequence[Any],
    *,
    texts: Sequence[str],
    radius: float,
    below: float = 0.0,
) -> tuple[list[Any], float]:
    """Return where names of dots have room above a legend, for which room is made; its height."""
    extent = np.array(size_in_points(ax))
    height = legend_height(entries, extent[0])
    widen(ax, bottom=height - below)
    ends, legend = np.array([ax.get_xlim(), ax.get_ylim()]), np.array([0, height])
    dots = (places - ends[:, 0]) * extent / np.diff(ends).ravel() - legend
    return [*sides_of_dots(dots, radius, texts, SMALL, extent - legend)], height


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
        x, y = place
        return ax.text(x, y, text, **style)
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
    limits = ax.get_xlim(), ax.get_ylim()
    extent = (left, left + n, n - 0.5, -0.5)
    ax.imshow(values, interpolation="nearest", aspect="auto", extent=extent, **how)
    ax.set(xlim=limits[0], ylim=limits[1])


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


def dot(label: str, *, color: str, size: float, marker: str = "o", **how: Any) -> Any:
    """Return a legend entry: a marker alone, this many points wide."""
    how = {"markeredgewidth": 0} | how
    how |= {"color": color, "markersize": size, "marker": marker}
    return stroke(label, linestyle="none", **how)


#: The width of a symbol in the legend with the distance of entries, in points.
_SIGN = 31.0


def _broken(entries: Sequence[Any], width: float) -> list[str]:
    """Return the texts of legend entries in lines for a legend of this width in points."""
    texts = (" ".join(entry.get_label().split()) for entry in entries)
    return ["\n".join(in_lines(text.split(" "), width - _SIGN)) for text in texts]


def columns_of_legend(entries: Sequence[Any], width: float) -> int:
    """Return the number of columns in which the legend entries fit, filled evenly."""
    widest = max((width_of(entry.get_label()) for entry in entries), default=0.0)
    most = max(1, min(len(entries), int(width / (widest + _SIGN))))
    n_rows = -(-len(entries) // most)
    return max(1, -(-len(entries) // max(n_rows, 1)))


def legend_height(entries: Sequence[Any], width: float) -> float:
    """Return the height of the legend, in points."""
    n_lines = sum(1 + text.count("\n") for text in _broken(entries, width))
    n_rows = -(-n_lines // columns_of_legend(entries, width))
    return n_rows * 1.6 * SMALL + 8 if entries else 0.0


def legend_below(ax: Axes, entries: Sequence[Any]) -> None:
    """Draw the legend in as many columns as fit at the lower edge of the Axes."""
    columns = columns_of_legend(entries, size_in_points(ax)[0])
    legend(ax, entries, place="lower center", ncols=columns, columnspacing=1.2)


def legend(ax: Axes, entries: Sequence[Any], *, place: str, **how: Any) -> None:
    """Draw the legend, with the gid ``"key"``, and break its texts into lines."""
    for entry, text in zip(entries, _broken(entries, size_in_points(ax)[0]), strict=True):
        entry.set_label(text)
    family = families_for("".join(entry.get_label() for entry in entries))
    how = {"borderaxespad": 0.2, "loc": place, "labelcolor": INK, "frameon": False} | how
    how["prop"] = {"size": SMALL, "family": family}
    shown: Any = ax
    key = shown.legend(handles=entries, title_fontsize=SMALL, **how)
    key.set_gid("key")
    # It is within the Axes, so a layout need not make them narrower for it.
    key.set_in_layout(False)
    refuse_tex(key)
