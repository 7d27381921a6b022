"""Two orders in one diagram: where they agree, and where they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.drawing.canvas import sheet_for
from porank.drawing.captions import Titles
from porank.drawing.differences import doubled, drawn_lines
from porank.drawing.layout import hasse_layout
from porank.drawing.palette import CLASS_LOOKS, FAINT, LINE_CLASSES
from porank.drawing.sheet import Box
from porank.drawing.style import number_gids
from porank.drawing.texts import plain_text
from porank.drawing.words import named_words, require_names
from porank.errors import PorankError, counted, listed
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.drawing.differences import Line
    from porank.drawing.sheet import Sheet
    from porank.measures.pair_table import Counts
    from porank.typing import OrderLike

_SIDES = ("overlay", "both")
#: Lines of a diagram with more of them are thinner.
_MANY = 200
#: How long the head of an arrow is, in points.
_HEAD = 9.0


def draw_comparison(
    target: OrderLike,
    predicted: OrderLike,
    *,
    side: str = "overlay",
    layering: str | Mapping[Any, Any] = "ranks",
    names: Mapping[Any, object] | None = None,
    headings: tuple[str, str] = ("target", "predicted"),
    ax: Axes | None = None,
    progress: bool = False,
) -> Axes:
    """Draw two orders in one diagram, which shows where they agree and where they do not.

    Items stand where the Hasse diagram of the target has them. There is a line for each pair that
    is a cover in either order, in the colour and the style of its class: both agree, the prediction
    contradicts the target, the pair is missing in the prediction, or it was added. Arrows on the
    lines of the second and the last class point from what the prediction prefers to the other item.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    side : str
        ``"overlay"``, one diagram with the covers of both; or ``"both"``, two diagrams side by side
        with the items in the same places, the covers of the target on the left.
    layering : str or mapping
        On which level of the target an item stands, as for `hasse_layout`.
    names : mapping, optional
        item -> name, for items that are not to be called what they are.
    headings : tuple of str
        What is written above the two diagrams of ``side="both"``.
    ax : Axes, optional
        Where to draw; by default in a new figure.
    progress : bool
        Show bars.

    Returns
    -------
    Axes
        Boxes are texts with the gid ``"item"``. The lines of a class are one collection, whose gid
        is the class in `pair_classes`; arrows have the gid ``"arrow"``.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which.
    ItemMismatchError
        If their items differ; `align` mends it.
    PorankError
        If an option is none of those, or if there are more than 20,000 lines.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_comparison(po.parse("a > b > c > d"), po.parse("b > a > c; d"))
    >>> [text.get_text() for text in ax.get_legend().get_texts()[:3]]
    ['agree: 2', 'missing (target only): 3', 'added (predicted only): 0']
    >>> [text.get_text() for text in ax.get_legend().get_texts()[3:]]
    ['contradicted: 1', 'no line, neither: 0']
    >>> plt.close(ax.figure)

    Notes
    -----
    The legend counts all pairs of the closures, not the lines. Time that of `hasse_layout`, O(n**2)
    beyond the closures, and some milliseconds for each name. Names that are too long are treated as
    by `draw_hasse`; known ties are not framed.
    """
    if side not in _SIDES:
        raise PorankError(f"expected side to be one of {listed(_SIDES)}, found {side!r:.80}")
    above = _headings(headings)
    pairing = pair_up(target, predicted)
    items = list(pairing.target.items)
    called = require_names(names, pairing.target.number)
    lines = drawn_lines(pairing)
    layout = hasse_layout(target, layering=layering, progress=progress)
    words: dict[Any, Any] = named_words(items, called)
    if side == "both":
        layout = doubled(layout)
        words = {(k, item): words[item] for k in (0, 1) for item in items}
    titles = Titles(
        title=f"Target and prediction on {counted(pairing.counts.all_pairs, 'pair')}",
        x="lines are the covers of either order; arrows point as predicted",
        y="best of the target on top",
        headings=above if side == "both" else (),
    )
    sheet = sheet_for(ax, layout, words, titles, _entries(pairing.counts))
    if side == "both":
        _draw_lines(sheet, _on_side(lines, 0) + _on_side(lines, 1))
        ends = -0.5, len(layout.levels) - 0.5
        sheet.ax.vlines(0, *ends, color=FAINT, linewidth=0.8, zorder=1, gid="divide")
    else:
        strokes = [_Stroke(line.kind, (line.better, line.worse), line.arrow) for line in lines]
        _draw_lines(sheet, strokes)
    sheet.draw_boxes(dict.fromkeys(layout, Box()))
    return number_gids(sheet.ax)


def _headings(headings: Any) -> tuple[str, ...]:
    """Return what is written above the two diagrams, as text."""
    given = tuple(headings) if isinstance(headings, (tuple, list)) else ()
    if len(given) != len(_SIDES):
        raise PorankError(f"expected two headings, found {headings!r:.80}")
    return tuple(plain_text(heading).replace("$", r"\$") for heading in given)


class _Stroke(NamedTuple):
    """A line as drawn: its class, the two boxes, and these from where to where an arrow leads."""

    kind: str
    ends: tuple[Any, Any]
    arrow: tuple[Any, Any] | None


def _on_side(lines: list[Line], side: int) -> list[_Stroke]:
    """Return the lines of the target (0) or of the prediction (1), between its boxes."""
    found = []
    for line in lines:
        if line.in_predicted if side else line.in_target:
            ends = (side, line.better), (side, line.worse)
            arrow = line.arrow if side else None
            head = None if arrow is None else ((side, arrow[0]), (side, arrow[1]))
            found.append(_Stroke(line.kind, ends, head))
    return found


def _entries(counts: Counts) -> list[Any]:
    """Return what the legend explains: the classes, and how many of all pairs are in each."""
    from matplotlib.lines import Line2D

    found: list[Any] = []
    for kind in LINE_CLASSES:
        look = CLASS_LOOKS[kind]
        how: dict[str, Any] = {"color": look.color, "linestyle": look.dash, "linewidth": look.width}
        found.append(Line2D([], [], label=f"{look.title}: {getattr(counts, kind):,}", **how))
    found.append(Line2D([], [], linestyle="none", label=f"no line, neither: {counts.neither:,}"))
    return found


def _draw_lines(sheet: Sheet, strokes: list[_Stroke]) -> None:
    """Draw the lines, class by class."""
    from matplotlib.collections import LineCollection, PolyCollection

    known = set(sheet.layout.edges)
    thin = sheet.thin * (1 if len(strokes) <= _MANY else 0.6)
    for place, kind in enumerate(LINE_CLASSES):
        look = CLASS_LOOKS[kind]
        paths, heads = [], []
        for _, (u, v), arrow in (stroke for stroke in strokes if stroke.kind == kind):
            path = sheet.run(u, v) if (u, v) in known else sheet.bow(u, v)
            paths.append(path)
            if arrow is not None:
                heads.append(_arrow_head(sheet, path if arrow[0] == u else path[::-1], thin))
        drawn = LineCollection(
            paths,
            colors=look.color,
            linestyles=[look.dash],
            linewidths=max(0.4, look.width * thin),
            zorder=2 + place / 10,
        )
        drawn.set_gid(kind)
        sheet.ax.add_collection(drawn, autolim=False)
        if heads:
            filled = PolyCollection(heads, facecolors=look.color, linewidths=0, zorder=2.5)
            filled.set_gid("arrow")
            sheet.ax.add_collection(filled, autolim=False)


def _arrow_head(sheet: Sheet, path: NDArray[np.float64], thin: float) -> NDArray[np.float64]:
    """Return the corners of the head of an arrow in the middle of a line."""
    point = np.array([sheet.across, sheet.up])
    steps = np.hypot(*(np.diff(path, axis=0) * point).T)
    way = np.concatenate(([0.0], np.cumsum(steps)))
    ends = way[-1] / 2 + np.array([-0.5, 0.5]) * _HEAD * thin
    start, end = np.column_stack([np.interp(ends, way, path[:, k]) for k in (0, 1)]) * point
    aside = np.array([[0, 0.45], [-0.45, 0]]) @ (end - start)
    corners: NDArray[np.float64] = np.array([end, start + aside, start - aside]) / point
    return corners
