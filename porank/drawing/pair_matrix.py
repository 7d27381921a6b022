"""What two orders say of each pair of items, as a matrix of classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import item_key
from porank.drawing.captions import Titles
from porank.drawing.palette import CLASS_LOOKS, CLASS_MARKS, MUTED, ink_on
from porank.drawing.squares import (
    cell_side,
    fill,
    part_cells,
    require_few,
    square_for,
)
from porank.drawing.style import axes_for, corner_legend, number_gids, settle, size_in_points
from porank.errors import counted
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.measures.pair_table import Pairing
    from porank.typing import OrderLike

#: Cells of so many points have a mark, which tells their class in grey prints, too.
_MARKED = 5.0
#: Up to so many items, lines part the cells.
_PARTED = 40
#: The width and the height of the key, in points.
_KEY = 110.0, 70.0


def draw_pair_matrix(target: OrderLike, predicted: OrderLike, *, ax: Axes | None = None) -> Axes:
    """Draw what two orders say of each pair of items, as a triangle of coloured, marked cells.

    The cell in the row of u and the column of v shows the class of the pair {u, v} in
    `pair_classes`. Items stand in the sequence of the target, best first; where the target is
    silent, in that of the prediction. Where cells are large enough, each class has a mark: a tick,
    a cross, a ring for the target's only, a plus for the prediction's only, a dash for neither.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    ax : Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    Axes
        The cells are an image with the gid ``"pairs"``; its array has the place of the class in the
        key, and is masked on and below the diagonal. The marks of a class, in cells of at least
        5 points, have its name in the key as their gid: ``"agree"``, ``"contradicted"``,
        ``"target_only"``, ``"predicted_only"``, ``"neither"``.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which.
    ItemMismatchError
        If their items differ; `align` mends it.
    PorankError
        If there are more than 2,000 items.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_pair_matrix(po.parse("a > b > c > d"), po.parse("b > a > c; d"))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['agree: 2', 'contradicted: 1', 'target only: 3', 'predicted only: 0', 'neither: 0']
    >>> plt.close(ax.figure)

    Notes
    -----
    Time and memory O(n**2) beyond the closures, and some milliseconds for each name. Where names
    would overlap, every k-th is shown, and the axis says so.
    """
    pairing = pair_up(target, predicted)
    require_few(pairing.n)
    items = pairing.target.items
    sequence = _sequence(pairing)
    titles = Titles(
        title=f"Target and prediction on {counted(pairing.counts.all_pairs, 'pair')}",
        x="best of the target on the left",
        y="best of the target on top",
    )
    fits = ax is None or _fits_below_diagonal(axes_for(ax, size=(1, 1)))
    chosen = [items[i] for i in sequence]
    ax = square_for(ax, chosen, titles, beside=0.0 if fits else _KEY[0])
    if fits and not _fits_below_diagonal(ax):
        # Its names have taken the room.
        fits = False
        ax = square_for(ax, chosen, titles, beside=_KEY[0])
    _fill_classes(ax, _class_codes(pairing, sequence))
    _write_key(ax, pairing, place="lower left" if fits else "upper right")
    return number_gids(ax)


def _fits_below_diagonal(ax: Axes) -> bool:
    """Say whether the key leaves the triangle of the cells alone."""
    settle(ax)
    width, height = size_in_points(ax)
    return _KEY[0] / width + _KEY[1] / height <= 1


def _sequence(pairing: Pairing) -> list[int]:
    """Return the numbers of the items: by the target, then by the prediction, then by name."""
    items = pairing.target.items
    here, there = pairing.target.layers.tolist(), pairing.predicted_layers.tolist()
    return sorted(range(pairing.n), key=lambda i: (here[i], there[i], item_key(items[i])))


def _class_codes(pairing: Pairing, sequence: Sequence[int]) -> NDArray[np.int8]:
    """Return the place of the class of each pair in the key, -1 on and below the diagonal."""
    numbers = np.array(sequence, dtype=np.int64)
    turned = numbers if pairing.turned is None else pairing.turned[numbers]
    truth = pairing.target.matrix()[np.ix_(numbers, numbers)]
    guess = pairing.predicted.matrix()[np.ix_(turned, turned)]
    # The target never points upwards in its own sequence.
    said = guess | guess.T
    codes = np.full(truth.shape, 4, dtype=np.int8)
    codes[said & ~truth] = 3
    codes[truth & ~said] = 2
    codes[truth & guess.T] = 1
    codes[truth & guess] = 0
    codes[np.tril_indices(len(codes))] = -1
    return codes


def _fill_classes(ax: Axes, codes: NDArray[np.int8]) -> None:
    """Colour the cells, and mark them if they are large enough."""
    from matplotlib.colors import ListedColormap

    colors = ListedColormap([look.color for look in CLASS_LOOKS.values()])
    cells = np.ma.masked_less(codes, 0)
    fill(ax, cells, cmap=colors, vmin=-0.5, vmax=len(CLASS_LOOKS) - 0.5, gid="pairs")
    if len(codes) <= _PARTED:
        part_cells(ax, len(codes))
    if not _is_marked(ax):
        return
    side = cell_side(ax)
    for code, (kind, look) in enumerate(CLASS_LOOKS.items()):
        rows, columns = np.nonzero(codes == code)
        ax.plot(columns, rows, gid=look.name.replace(" ", "_"), **_mark(kind, size=0.4 * side))


def _is_marked(ax: Axes) -> bool:
    """Say whether the cells are large enough for marks."""
    return cell_side(ax) >= _MARKED


def _mark(kind: str, *, size: float) -> dict[str, Any]:
    """Return how the mark of a class is drawn: an outline that stands out from its ground."""
    from matplotlib.path import Path

    mark = CLASS_MARKS[kind]
    ink = {"neither": MUTED}.get(kind, ink_on(CLASS_LOOKS[kind].color))
    wide = min(2.2, max(0.6, 0.17 * size)) * (1.4 if kind == "discordant" else 1)
    return {
        "linestyle": "",
        "marker": mark if isinstance(mark, str) else Path(mark),
        "markersize": min(size, 12.0),
        "markerfacecolor": "none",
        "markeredgecolor": ink,
        "markeredgewidth": wide,
    }


def _write_key(ax: Axes, pairing: Pairing, *, place: str) -> None:
    """Name the classes and count their pairs, each beside its colour and its mark."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    for (kind, look), count in zip(CLASS_LOOKS.items(), pairing.counts, strict=True):
        label = f"{look.name}: {count:,}"
        if _is_marked(ax):
            # A short line as thick as a patch is high bears the mark in its middle.
            ground: dict[str, Any] = {"linewidth": 7.5, "solid_capstyle": "butt"}
            looks = _mark(kind, size=5.0) | {"linestyle": "-", "color": look.color}
            handles.append(Line2D([], [], label=label, **ground, **looks))
        else:
            edge: dict[str, Any] = {"edgecolor": MUTED, "linewidth": 0.5}
            handles.append(Patch(facecolor=look.color, label=label, **edge))
    corner_legend(ax, handles, place=place)
