"""What stands below and beside a diagram: what its colours, lines and shortened names mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.drawing.palette import INK, MUTED
from porank.drawing.style import SMALL
from porank.drawing.texts import width_of
from porank.drawing.words import LINE, key_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from porank.drawing.labels import Labels

#: The sign beside an entry of the legend, and the distance of entries, in points.
_SIGN, _BETWEEN = 22.0, 9.0


def columns_of(labels: Sequence[str], width: float) -> int:
    """Return in how many columns the entries of a legend fit, all filled alike.

    Examples
    --------
    >>> columns_of(["agree", "added"], 300), columns_of(["agree", "added"], 50)
    (2, 1)
    """
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
