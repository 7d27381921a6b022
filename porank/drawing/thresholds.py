"""All thresholds in one picture: the order at some of them, and how long each pair persists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.arguments import require_count
from porank.drawing.bars import Bars
from porank.drawing.captions import caption, settle_caption
from porank.drawing.layout import hasse_layout
from porank.drawing.miniatures import Band, draw_miniatures
from porank.drawing.palette import FAINT, INK, color_of_share
from porank.drawing.style import (
    SMALL,
    axes_for,
    key,
    make_room,
    number_gids,
    settle,
    size_in_points,
    without_frame,
)
from porank.drawing.texts import names_of, note_of, shown_places, size_for, width_of
from porank.ensemble.curve import AbstentionCurve, abstention_curve
from porank.ensemble.cuts import require_relation
from porank.errors import PorankError
from porank.progress import track
from porank.wording import counted

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.axes import Axes

    from porank.drawing.layout import HasseLayout
    from porank.ensemble.preferences import PreferenceRelation

#: The bars of the pairs of more items are too thin; so are diagrams of more than the second.
_MOST, _MOST_IN_DIAGRAM = 200, 60
#: The height of the diagrams in points, and the part of the Axes that they may take.
_BAND, _BAND_SHARE = 120.0, 0.5
#: The longest name in a pair, in points.
_LONGEST = 50.0
_DARK, _LIGHT = color_of_share(1), color_of_share(0.25)


def draw_thresholds(
    P: PreferenceRelation | AbstentionCurve,
    *,
    diagrams: int = 5,
    ax: Axes | None = None,
    progress: bool = False,
) -> Axes:
    """Draw what is predicted at every threshold: some of the orders, and a bar for each pair.

    Thresholds grow to the right from the minimal one, and pairs drop out. The bar of a pair reaches
    as far as it is decided: dark while its own degree reaches the threshold, light where only the
    closure still holds it.

    Parameters
    ----------
    P : PreferenceRelation or AbstentionCurve
        Degrees of preference, or what `abstention_curve` found for them.
    diagrams : int
        So many Hasse diagrams at the most are drawn above the bars, of orders that differ; none of
        orders of more than 60 items.
    ax : Axes, optional
        Where to draw; by default in a new figure.
    progress : bool
        Show a bar.

    Returns
    -------
    Axes
        The threshold number j, counted from 0, lies at x = j, the bar number r at y = r. Bars are
        two collections with the gids ``"own"`` and ``"closure"``; the lines of a diagram have the
        gid ``"diagram"``, what is written above it the gid ``"threshold"``.

    Raises
    ------
    GraphTypeError
        If `P` is neither.
    PorankError
        If there are more than 200 items, or `diagrams` is no number.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "acb", "bac")])
    >>> ax = po.draw_thresholds(P)
    >>> [text.get_text() for text in ax.texts if "threshold" in str(text.get_gid())]
    ['2/3: 3 pairs', '1: 1 pair']
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a > c', 'a > b', 'b > c']
    >>> plt.close(ax.figure)

    Notes
    -----
    Time that of `abstention_curve`, and of `hasse_layout` for each diagram. Where names would
    overlap, every k-th is shown, and the picture says so.
    """
    require_count(diagrams, name="diagrams")
    curve = P if isinstance(P, AbstentionCurve) else _curve_of(P, progress=progress)
    if len(curve.P.items) > _MOST:
        raise PorankError(
            f"expected at most {_MOST} items to draw thresholds of, found "
            f"{len(curve.P.items):,}; P.restrict(items) takes some of them"
        )
    bars = Bars(curve)
    shown = bars.changes(diagrams) if len(curve.P.items) <= _MOST_IN_DIAGRAM else []
    layouts = [
        hasse_layout(curve.order(bars.points[place].alpha))
        for place in track(shown, progress=progress, label="layouts")
    ]
    ax = _axes(ax, bars, len(shown))
    _draw_bars(ax, bars)
    _draw_diagrams(ax, bars, shown, layouts)
    return number_gids(ax)


def _curve_of(P: Any, *, progress: bool) -> AbstentionCurve:
    require_relation(P)
    return abstention_curve(P, progress=progress)


def _axes(ax: Axes | None, bars: Bars, k: int) -> Axes:
    """Return the Axes with everything named, and with room above for k diagrams."""
    n_bars, n_columns = max(len(bars.pairs), 1), max(len(bars.points), 1)
    height = min(5.0, max(0.4, 0.17 * n_bars)) + 0.9 + (_BAND / 72 if k else 0)
    ax = axes_for(ax, size=(max(4.8, 1.25 * k) + _LONGEST / 36, height))
    without_frame(ax, keep=("bottom",))
    title = "The order at each threshold" if bars.points else "Every threshold leaves a cycle"
    is_cut_off = 0 < len(bars.points) < len(bars.curve)
    note = f"; below {_written(bars.curve.alpha)} there is a cycle" if is_cut_off else ""
    caption(ax, title=title, x=f"threshold{note}{_shortening(bars)}", y="pairs decided")
    ax.set_xlim(-0.5, n_columns - 0.5)
    ax.set_ylim(n_bars - 0.5, -0.5)
    for _ in range(2):
        settle(ax)
        width, height = size_in_points(ax)
        band = min(_BAND, _BAND_SHARE * height) if k else 0.0
        _name_bars(ax, bars, height - band)
        _name_thresholds(ax, bars, width)
    settle_caption(ax)
    make_room(ax, top=band)
    return ax


def _shortening(bars: Bars) -> str:
    """Return what is to be said of the names if some are not written out."""
    items = bars.curve.P.items
    is_whole = names_of(items, longest=_LONGEST) == names_of(items, longest=float("inf"))
    return "" if is_whole else "\nlong names are shortened"


def _name_bars(ax: Axes, bars: Bars, room: float) -> None:
    """Name the pairs, the preferred item first; say so if not all have a name."""
    names = names_of(bars.curve.P.items, longest=_LONGEST)
    size = size_for(room / max(len(bars.pairs), 1))
    shown = shown_places(len(bars.pairs), room, size=size)
    pairs = bars.pairs[shown.start : shown.stop : shown.step].tolist()
    ax.set_yticks(shown, labels=[f"{names[u]} > {names[v]}" for u, v in pairs], fontsize=size)
    if note_of(shown):
        ax.set_ylabel(f"pairs decided, {note_of(shown)}")


def _name_thresholds(ax: Axes, bars: Bars, room: float) -> None:
    texts = [_written(point.alpha) for point in bars.points]
    widest = max(map(width_of, texts), default=0.0)
    shown = shown_places(len(texts), room, size=widest + 6)
    ax.set_xticks(shown, labels=[texts[place] for place in shown], fontsize=SMALL)


def _written(alpha: Fraction | None) -> str:
    if alpha is None or alpha.denominator < 100:
        return str(alpha)
    return f"{float(alpha):.3g}"


def _draw_bars(ax: Axes, bars: Bars) -> None:
    """Draw each bar, the part that its own degree reaches over the part that the closure holds."""
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    decided, own = bars.ends(bars.curve.decided), bars.ends(bars.curve.P.strength)
    for gid, ends, color in (
        ("closure", decided, _LIGHT),
        ("own", own, _DARK),
    ):
        edges = zip(range(len(ends)), ends.tolist(), strict=True)
        boxes = [
            [(-0.5, row - 0.34), (end, row - 0.34), (end, row + 0.34), (-0.5, row + 0.34)]
            for row, end in edges
        ]
        made = PolyCollection(boxes, facecolors=color, edgecolors=color, linewidths=0.3, zorder=1.5)
        made.set_gid(gid)
        ax.add_collection(made, autolim=False)
    if np.any(own < decided):
        looks = ((_DARK, "by its own degree"), (_LIGHT, "by the closure only"))
        key(ax, [Patch(color=color, label=label) for color, label in looks], place="lower right")


def _draw_diagrams(ax: Axes, bars: Bars, shown: list[int], layouts: list[HasseLayout]) -> None:
    """Draw the diagrams above the bars, each with its threshold and a line down to it."""
    from matplotlib.collections import LineCollection

    (left, right), (low, top) = ax.get_xlim(), ax.get_ylim()
    point = (top - low) / size_in_points(ax)[1]
    band = Band(left, right, bottom=-0.5 + 14 * point, top=top - 18 * point)
    if not draw_miniatures(ax, layouts, band):
        note = "dots: no room for names"
        ax.set_xlabel(f"{ax.get_xlabel()}\n{note}", multialignment="center")
        settle_caption(ax)
    middles = band.middles(len(shown))
    for place, x in zip(shown, middles, strict=True):
        threshold = bars.points[place]
        text = f"{_written(threshold.alpha)}: {counted(threshold.pairs, 'pair')}"
        how: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "top"}
        ax.text(x, top, text, gid="threshold", **how)
    ends = zip(shown, middles, strict=True)
    paths = [[(x, -0.5 + 8 * point), (place, -0.5), (place, low)] for place, x in ends]
    lines = LineCollection(paths, colors=FAINT, linewidths=0.8, zorder=1)
    lines.set_gid("place")
    ax.add_collection(lines, autolim=False)
