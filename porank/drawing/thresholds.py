"""All thresholds in one picture: the order at some of them, and how long each pair persists."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from porank.abstention.curve import AbstentionCurve, abstention_curve
from porank.abstention.thresholds import require_relation
from porank.core.arguments import require_count
from porank.core.progress import track
from porank.drawing.bars import Bars, draw_bars
from porank.drawing.captions import caption, settle_caption
from porank.drawing.layout import hasse_layout
from porank.drawing.miniatures import Band, Naming, draw_miniatures, naming_for
from porank.drawing.palette import FAINT, INK
from porank.drawing.style import (
    SMALL,
    axes_for,
    make_room,
    number_gids,
    settle,
    size_in_points,
    without_frame,
)
from porank.drawing.texts import names_of, shortened, threshold_text, width_of
from porank.drawing.ticks import note_of, shown_places, size_for
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.drawing.layout import HasseLayout

#: The bars of the pairs of more items are too thin; so are diagrams of more than the second.
_MOST, _MOST_IN_DIAGRAM = 200, 60
#: The height of the diagrams in points, and the part of the Axes that they may take.
_BAND, _BAND_SHARE = 120.0, 0.5
#: What stands above the diagrams, and below them, in points; a line of notes, and their share.
_ABOVE, _BELOW, _LINE, _NOTES_SHARE = 18.0, 14.0, 10.5, 0.25
#: The longest name in a pair, in points.
_LONGEST = 50.0


def draw_thresholds(
    P: PreferenceRelation | AbstentionCurve,
    *,
    diagrams: int = 5,
    ax: Axes | None = None,
    progress: bool = False,
) -> Axes:
    """Draw what is predicted at every threshold: some of the orders, and a bar for each pair.

    Thresholds grow to the right from the minimal one, and pairs drop out. The bar of a pair begins
    at the minimal threshold and ends, with a dot, at the last one at which the pair is decided:
    dark as far as its own degree reaches, light where only the closure still holds it. Where even
    the lowest threshold leaves no cycle, bars begin at the edge.

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
        two collections with the gids ``"own"`` and ``"closure"``, and so are the dots at their
        ends, ``"own_end"`` and ``"closure_end"``; a pair decided at the minimal threshold alone has
        a dot only, unless bars begin at the edge. The lines of a diagram have the gid
        ``"diagram"``, what is written above it the gid ``"threshold"``.

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
    ax, naming = _axes(ax, bars, layouts)
    draw_bars(ax, bars)
    _draw_diagrams(ax, bars, shown, layouts, naming)
    return number_gids(ax)


def _curve_of(P: Any, *, progress: bool) -> AbstentionCurve:
    require_relation(P)
    return abstention_curve(P, progress=progress)


def _axes(ax: Axes | None, bars: Bars, layouts: list[HasseLayout]) -> tuple[Axes, Naming]:
    """Return the Axes with everything named, room above for diagrams, and what names their items.

    What is to be said stands below the bars, where no name of an axis that is changed takes it
    away.
    """
    k, n_bars, n_columns = len(layouts), max(len(bars.pairs), 1), max(len(bars.points), 1)
    height = min(5.0, max(0.4, 0.17 * n_bars)) + 1.2 + (_BAND / 72 if k else 0)
    ax = axes_for(ax, size=(max(4.8, 1.25 * k) + _LONGEST / 36, height))
    without_frame(ax, keep=("bottom",))
    caption(ax, title=_title(bars, k), x="threshold", y="pairs decided")
    ax.set_xlim(-0.5, n_columns - 0.5)
    ax.set_ylim(n_bars - 0.5, -0.5)
    for _ in range(2):
        settle(ax)
        width, height = size_in_points(ax)
        band = min(_BAND, _BAND_SHARE * height) if k else 0.0
        naming = naming_for(layouts, width, band - _ABOVE - _BELOW)
        notes = _notes(bars, layouts, naming, width)
        if naming.key and len(notes) * _LINE > _NOTES_SHARE * height:
            naming = Naming({}, [])
            notes = _notes(bars, layouts, naming, width)
        below = len(notes) * _LINE + (_LINE + 4 if bars.has_both_kinds else 0.0)
        _name_bars(ax, bars, height - band - below)
        _name_thresholds(ax, bars, width)
    settle_caption(ax)
    make_room(ax, top=band, bottom=below)
    how: dict[str, Any] = {"ha": "left", "va": "bottom", "linespacing": 1.15}
    if notes:
        place: Any = {"transform": ax.transAxes, "fontsize": SMALL, "color": INK, "gid": "note"}
        ax.text(0, 0.01, "\n".join(notes), **place, **how)
    return ax, naming


def _title(bars: Bars, k: int) -> str:
    n = len(bars.points)
    if not n:
        return "Every threshold leaves a cycle"
    if not k:
        return f"How long pairs are decided, over {counted(n, 'threshold')}"
    return f"The order at {k} of {n} thresholds" if k < n else "The order at each threshold"


def _notes(bars: Bars, layouts: list[HasseLayout], naming: Naming, width: float) -> list[str]:
    """Return what is to be said, in lines of that width."""
    parts = []
    items = bars.curve.P.items
    if bars.points and bars.below_is_cycle:
        parts.append(f"below {threshold_text(bars.curve.alpha)} there is a cycle")
    alphas = [point.alpha for point in bars.points]
    if len({there - here for here, there in pairwise(alphas)}) > 1:
        parts.append("thresholds not to scale")
    if names_of(items, longest=_LONGEST) != names_of(items, longest=float("inf")):
        parts.append("long names are shortened")
    if layouts and not naming.texts:
        parts.append("dots: no room for names")
    return _in_lines(parts, "; ", width) + _in_lines(naming.key, ", ", width)


def _in_lines(parts: Sequence[str], join: str, width: float) -> list[str]:
    """Return the parts in as few lines of that width as they fit."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{join}{part}" if lines else part
        if lines and width_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(shortened(part, longest=width))
    return lines


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
    texts = [threshold_text(point.alpha) for point in bars.points]
    widest = max(map(width_of, texts), default=0.0)
    shown = shown_places(len(texts), room, size=widest + 6)
    ax.set_xticks(shown, labels=[texts[place] for place in shown], fontsize=SMALL)


def _headings(bars: Bars, shown: list[int], width: float) -> list[str]:
    """Return what stands above the diagrams: thresholds, and how many pairs where there is room."""
    points = [bars.points[place] for place in shown]
    short = [threshold_text(point.alpha) for point in points]
    long = [
        f"{text}: {counted(point.pairs, 'pair')}" for text, point in zip(short, points, strict=True)
    ]
    return long if all(width_of(text) <= width for text in long) else short


def _draw_diagrams(
    ax: Axes, bars: Bars, shown: list[int], layouts: list[HasseLayout], naming: Naming
) -> None:
    """Draw the diagrams above the bars, each with its threshold and a line down to it."""
    from matplotlib.collections import LineCollection

    (left, right), (_, top) = ax.get_xlim(), ax.get_ylim()
    low = max(len(bars.pairs), 1) - 0.5
    point = abs(top - ax.get_ylim()[0]) / size_in_points(ax)[1]
    band = Band(left, right, bottom=-0.5 - _BELOW * point, top=top + _ABOVE * point)
    draw_miniatures(ax, layouts, band, naming.texts)
    middles = band.middles(len(shown))
    texts = _headings(bars, shown, width=size_in_points(ax)[0] / max(len(shown), 1) - 4)
    for text, x in zip(texts, middles, strict=True):
        how: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "top"}
        ax.text(x, top, text, gid="threshold", **how)
    ends = zip(shown, middles, strict=True)
    paths = [[(x, -0.5 - 8 * point), (place, -0.5), (place, low)] for place, x in ends]
    lines = LineCollection(paths, colors=FAINT, linewidths=0.8, zorder=1)
    lines.set_gid("place")
    ax.add_collection(lines, autolim=False)
