"""The degrees of a valued relation as a matrix, and where it is cut."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.prediction import strength_of_alpha
from porank.abstention.thresholds import closed_cut, require_relation
from porank.core.arrays import layer_numbers
from porank.core.graphs import item_key, shortest_cycle
from porank.drawing.captions import Titles
from porank.drawing.palette import ALARM, INK, MUTED, PAPER, color_of_share, ink_on, mixed
from porank.drawing.squares import (
    cell_side,
    fill,
    require_few,
    size_in_cell,
    square_for,
)
from porank.drawing.style import corner_legend, number_gids
from porank.drawing.texts import names_of, width_of
from porank.errors import counted

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item

#: Up to so many items, degrees are also written into the cells.
_WRITTEN = 12
#: The degrees in the key.
_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
#: The width of the key, in points, without and with its longest line.
_KEY, _WIDE_KEY = 96.0, 115.0
#: A cycle whose names are wider than so many points is not spelled out in the title.
_SPELLED = 110.0
#: How much paler the degrees are that the cut leaves out.
_VEIL = 0.55


def draw_preferences(
    P: PreferenceRelation, *, alpha: Any = "minimal", ax: Axes | None = None
) -> Axes:
    """Draw the degrees of a relation as a matrix, with its cut framed.

    The cell in the row of u and the column of v shows P(u, v), the darker the larger; a line goes
    round the cells of R_alpha = {(u, v) : P(u, v) >= alpha}. A dot marks what only the closure
    holds; if the cut has a cycle, and so no closure that is an order, its cycle is marked instead.

    Parameters
    ----------
    P : PreferenceRelation
        Degrees of preference.
    alpha : {"minimal", "consensus", "majority"} or number in (0, 1]
        Where to cut, as in `predict_order`.
    ax : Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    Axes
        The cells are an image with the gid ``"degrees"``, the line has the gid ``"cut"``, the dots
        ``"added"``, the marks of a cycle ``"cycle"``.

    Raises
    ------
    CycleError
        If the minimal threshold is asked for and there is none.
    GraphTypeError
        If `P` is not a PreferenceRelation.
    PorankError
        If `alpha` is no threshold, or there are more than 2,000 items.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "acb", "bac")])
    >>> ax = po.draw_preferences(P)
    >>> ax.get_title()
    'Cut at 2/3, the minimal threshold: 3 pairs'
    >>> plt.close(ax.figure)

    Notes
    -----
    Time and memory O(n**2) beyond the closure of the cut. Degrees are written into matrices of up
    to 12 items. Where names would overlap, every k-th is shown, and the axis says so.
    """
    require_relation(P)
    require_few(len(P.items))
    cut = _cut_of(P, alpha)
    items = [P.items[i] for i in cut.sequence]
    titles = Titles(_title_of(cut, alpha), x="to this one", y="how far this one is preferred")
    ax = square_for(ax, items, titles, beside=_WIDE_KEY if cut.is_added.any() else _KEY)
    _fill_degrees(ax, P.matrix()[np.ix_(cut.sequence, cut.sequence)])
    _fade(ax, cut.is_kept | cut.is_added)
    _draw_border(ax, cut.is_kept)
    if len(items) <= _WRITTEN:
        _write_degrees(ax, P, cut)
    _mark(ax, cut)
    _write_key(ax, cut)
    return number_gids(ax)


@dataclass(frozen=True, eq=False)
class _Cut:
    """A cut, rows and columns in sequence: what it keeps, what its closure adds, or its cycle."""

    sequence: list[int]
    degree: Fraction
    is_kept: NDArray[np.bool_]
    is_added: NDArray[np.bool_]
    cycle: list[Item]
    steps: list[tuple[int, int]]


def _cut_of(P: PreferenceRelation, alpha: Any) -> _Cut:
    strength = strength_of_alpha(P, alpha)
    degree = P.degree_of_strength(strength)
    is_kept = P.strength >= strength
    closed = closed_cut(is_kept)
    cycle = (shortest_cycle(P.cut(degree)) or []) if closed is None else []
    sequence = _sequence(P, is_kept)
    square = np.ix_(sequence, sequence)
    is_added = np.zeros_like(is_kept) if closed is None else closed & ~is_kept
    place = {P.items[i]: place for place, i in enumerate(sequence)}
    steps = [(place[u], place[v]) for u, v in pairwise(cycle)]
    return _Cut(sequence, degree, is_kept[square], is_added[square], cycle, steps)


def _sequence(P: PreferenceRelation, is_kept: NDArray[np.bool_]) -> list[int]:
    """Return the items best first: by their layer in the cut, then by their degrees, then by name.

    A cut with a cycle has no layers.
    """
    layers = layer_numbers(len(is_kept), *np.nonzero(is_kept))
    depth = [0] * len(is_kept) if layers is None else layers.tolist()
    lost, won = (P.strength.sum(axis=axis, dtype=np.int64) for axis in (0, 1))
    behind = (lost - won).tolist()
    return sorted(range(len(depth)), key=lambda i: (depth[i], behind[i], item_key(P.items[i])))


def _title_of(cut: _Cut, alpha: Any) -> str:
    is_minimal = isinstance(alpha, str) and alpha == "minimal"
    where = f"Cut at {cut.degree}" + (", the minimal threshold" if is_minimal else "")
    if not isinstance(alpha, str) and alpha != cut.degree:
        where = f"Cut at {alpha} (degree {cut.degree})"
    if cut.cycle:
        around = " > ".join(names_of(cut.cycle[:-1], longest=40))
        shown = around if width_of(around) < _SPELLED else f"{len(cut.cycle) - 1} items"
        return f"{where}: no order, a cycle of {shown}"
    return f"{where}: {counted(int(cut.is_kept.sum()), 'pair')}"


def _fill_degrees(ax: Axes, degrees: NDArray[Any]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    scale = LinearSegmentedColormap.from_list("degrees", [color_of_share(step) for step in _STEPS])
    cells = np.ma.masked_where(np.eye(len(degrees), dtype=bool), degrees)
    fill(ax, cells, cmap=scale, vmin=0, vmax=1, gid="degrees")


def _fade(ax: Axes, is_decided: NDArray[np.bool_]) -> None:
    """Let the cells that are neither in the cut nor added by its closure step back."""
    veil = np.ones((*is_decided.shape, 4))
    veil[..., 3] = np.where(is_decided, 0.0, _VEIL)
    fill(ax, veil, gid="veil")


def _write_degrees(ax: Axes, P: PreferenceRelation, cut: _Cut) -> None:
    """Write the degrees into the cells if they can be read there, short fractions as such."""
    is_simple = P.unit <= 99 and P.values is None
    texts = {}
    for row, i in enumerate(cut.sequence):
        for column, j in enumerate(cut.sequence):
            if i != j:
                degree = P.degree_of_strength(int(P.strength[i, j]))
                texts[row, column] = str(degree) if is_simple else f"{float(degree):.2g}", degree
    size = size_in_cell(ax, max((width_of(text) for text, _ in texts.values()), default=0.0))
    if size:
        for (row, column), (text, degree) in texts.items():
            shade = color_of_share(float(degree))
            is_decided = cut.is_kept[row, column] or cut.is_added[row, column]
            color = ink_on(shade if is_decided else mixed(shade, PAPER, _VEIL))
            ax.text(column, row, text, fontsize=size, color=color, ha="center", va="center")


def _draw_border(ax: Axes, is_kept: NDArray[np.bool_]) -> None:
    """Draw a line between each cell of the cut and its neighbour that is not in it."""
    from matplotlib.collections import LineCollection

    padded = np.pad(is_kept, 1)
    # The last corner of each side, as (x, y): padding moves the cells by one.
    beside = np.argwhere(padded[:, 1:] != padded[:, :-1])[:, ::-1] - 0.5
    below = np.argwhere(padded[1:] != padded[:-1])[:, ::-1] - 0.5
    upright, level = (
        np.stack((end - step, end), axis=1) for end, step in ((beside, (0, 1)), (below, (1, 0)))
    )
    sides = np.concatenate((upright, level))
    lines = LineCollection(list(sides), colors=INK, linewidths=1.6, capstyle="projecting", zorder=3)
    lines.set_gid("cut")
    ax.add_collection(lines, autolim=False)


def _mark(ax: Axes, cut: _Cut) -> None:
    """Put a dot on each pair that the closure adds, and a frame on each step of the cycle."""
    from matplotlib.patheffects import withStroke

    side = cell_side(ax)
    rows, columns = np.nonzero(cut.is_added)
    # In the corner of the cell, beside the degree; the paper round it shows on any shade of grey.
    dot: dict[str, Any] = {"s": max(0.16 * side, 2.2) ** 2, "color": ALARM, "edgecolors": PAPER}
    ax.scatter(columns + 0.34, rows - 0.34, linewidths=0.02 * side, gid="added", **dot)
    if cut.steps:
        rows, columns = np.array(cut.steps).T
        frame: dict[str, Any] = {"marker": "s", "facecolors": "none", "edgecolors": ALARM}
        width = max(0.04 * side, 0.8)
        paper = withStroke(linewidth=width + 1.5, foreground=PAPER)
        frame |= {"s": (0.7 * side) ** 2, "linewidths": width, "path_effects": [paper]}
        ax.scatter(columns, rows, gid="cycle", **frame)


def _write_key(ax: Axes, cut: _Cut) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    shades: dict[str, Any] = {"edgecolor": MUTED, "linewidth": 0.5}
    handles: list[Any] = [
        Patch(facecolor=color_of_share(step), label=f"{step:g}", **shades) for step in _STEPS
    ]
    if cut.is_kept.any():
        frame: dict[str, Any] = {"facecolor": PAPER, "edgecolor": INK, "linewidth": 1.6}
        handles.append(Patch(label="cut; rest paler", **frame))
    if cut.is_added.any():
        dot: dict[str, Any] = {"marker": "o", "markersize": 3, "linestyle": "none"}
        handles.append(Line2D([], [], color=ALARM, label="added by closure", **dot))
    if cut.cycle:
        handles.append(Patch(facecolor=PAPER, edgecolor=ALARM, label="cycle"))
    corner_legend(ax, handles, place="upper right", title="degree")
