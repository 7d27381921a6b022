"""Curves: correctness against completeness over thresholds, and clicks by position.

`draw_tradeoff` draws what abstention gains, `draw_positions` how much places change what is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.curve import AbstentionCurve, MeanCurve
from porank.clicks.holdout import FeedbackValidation, HoldoutCurve
from porank.clicks.statements import read_statements
from porank.clicks.taste_of_log import LogTaste, click_rates, place_curve, read_taste
from porank.drawing.axes import Frame, finish, fit_captions, lay_out, size_in_points, widen
from porank.drawing.marks import SIGN, dot, legend, legend_height, patch, write
from porank.drawing.style import INK, NORMAL, SERIES
from porank.drawing.texts import LONGEST, label_text, names_of
from porank.errors import GraphTypeError, PorankError, a_kind, counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from porank.clicks.holdout_scores import HoldoutScore

    Curve = AbstentionCurve | MeanCurve | HoldoutCurve


#: Minimum span of the axis of correctness.
_LEAST_SPAN = 0.2
#: Minimum and maximum height of a new figure, in inches.
_LOW, _HIGH = 2.3, 5.0
#: Curves with more points than this have no markers.
_MARKED = 20
#: More entries of a legend than this are below the curves.
_FEW = 3
#: The width of an area in a legend with areas, and of a short name, in points.
_AREA, _SHORT = 58.0, 40.0


def draw_tradeoff(
    curves: Curve | FeedbackValidation | Mapping[Any, Curve],
    *,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw correctness against completeness over all thresholds, for one curve or several.

    Each point is the prediction at one threshold; towards the left thresholds grow and fewer pairs
    are decided. A ring marks the minimal threshold; to the right of it, predictions drop pairs that
    contradict stronger ones. A dotted horizontal line
    continues to completeness 0, as in the definition of the area under a curve. For a test on
    unseen sessions, the points decide the pairs that are clear enough, and the settled order, the
    leaning order and simple rules are points with names and intervals.

    The legend is below the curves if it has more than three entries. A new figure grows for it; in
    given Axes it takes at most half of the height, for the first entries. In narrow Axes it has
    names without areas.

    Parameters
    ----------
    curves : curve, or mapping name -> curve
        The result of `abstention_curve` with a target, or for many relations; or of
        `validate_feedback`, whose points count statements, with the intervals of their correctness
        as a band.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        For each curve a line with the gid ``"curve"`` and one with the gid ``"level"``. The ring
        has the gid ``"minimal"``, a band ``"interval"``, the point of the settled order or of a
        baseline ``"score"``, its interval ``"bar"``. A prediction that decides no pair of the
        target has no point.

    Raises
    ------
    GraphTypeError
        If `curves` is, or contains, something else.
    PorankError
        If a curve was computed without a target, or there are no curves or more than 12.

    See Also
    --------
    abstention_curve, validate_feedback, CurvePoint, draw_thresholds

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> votes = "abcd", "abdc", "bacd", "cbad"
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in votes])
    >>> ax = po.draw_tradeoff(po.abstention_curve(P, po.from_ranking("abdc")))
    >>> (line,) = (line for line in ax.lines if line.get_gid() == "curve")
    >>> line.get_xydata().round(2).tolist()
    [[0.83, 0.6], [0.33, 1.0]]

    Notes
    -----
    Time O(t) for t thresholds.
    """
    named = _read(curves)
    is_unseen = all(isinstance(curve, HoldoutCurve) for curve in named.values())
    mean = "mean " * all(isinstance(curve, MeanCurve) for curve in named.values())
    of_what = "unseen statements" if is_unseen else "the target's pairs"
    frame = Frame(ax, width, title)
    ax = _axes(
        frame,
        title="Correctness against completeness",
        x=f"{mean}completeness: share of {of_what} decided",
        y=f"{mean}correctness: (right − wrong) / decided",
    )
    handles = [_draw_curve(ax, curve, number) for number, curve in enumerate(named.values())]
    rings = [*chain.from_iterable(_mark_minimal(ax, curve) for curve in named.values())]
    if isinstance(curves, FeedbackValidation):
        handles += _draw_scores(ax, curves.scores)
        text = f"intervals of {curves.confidence:.0%}"
        handles.append(patch(text, SERIES[0][0].color, "none", alpha=0.1))
    handles += rings[:1]
    # The axis spans the values that occur, but at least this minimum.
    is_empty = not np.isfinite(ax.dataLim.intervaly).all()
    low, high = (1.0, 1.0) if is_empty else ax.dataLim.intervaly
    low = min(low, high - _LEAST_SPAN)
    margin = high - low
    ax.set(xlim=(0, 1.04), ylim=(low - 0.12 * margin, high + 0.08 * margin))
    fit_captions(ax)
    if is_empty:
        write(ax, "no pair of the target is decided", (0.52, (low + high) / 2), size=NORMAL)
    _label_curves(handles, named, size_in_points(ax)[0] - SIGN)
    _add_legend(ax, handles, may_grow=frame.ax is None)
    return finish(ax)


def _label_curves(handles: Sequence[Any], named: Mapping[Any, Curve], room: float) -> None:
    """Name each curve in the legend, with its area if both fit in one line."""
    has_areas = room > _AREA + _SHORT
    names = names_of(named, longest=min(LONGEST, room - _AREA * has_areas))
    for handle, name, (key, curve) in zip(handles, names, named.items(), strict=False):
        area = f"area {curve.area:.3f}"
        handle.set_label(area if key == "" else f"{name}: {area}" if has_areas else name)


def _add_legend(ax: Any, entries: list[Any], *, may_grow: bool) -> None:
    """Draw the legend among few curves, and otherwise below, in a new figure that grows for it."""
    (width, height), limits = size_in_points(ax), ax.get_ylim()
    needed = legend_height(entries, width)
    if len(entries) <= _FEW and needed < height / 2:
        return legend(ax, entries, place="best")
    if may_grow:
        # At least half of the Axes is for the curves.
        grown = max(height + needed, 2 * needed)
        ax.figure.set_figheight(ax.figure.get_figheight() + (grown - height) / 72)
        lay_out(ax)
        ax.yaxis.label.set_y(0.5 + needed / grown / 2)
    widen(ax, bottom=legend_height(entries, *size_in_points(ax)))
    # No tick is beside the legend.
    ax.set_yticks([tick for tick in ax.get_yticks() if limits[0] <= tick <= limits[1]])
    ax.spines["left"].set_bounds(*limits)
    return legend(ax, entries)


def _axes(frame: Frame, **titles: str) -> Axes:
    """Return the Axes of curves."""
    width = frame.inches(5.2)
    size = width, min(max(0.7 * width, _LOW), _HIGH)
    return frame.axes(size, keep=("left", "bottom"), **titles)


def _read(curves: Any) -> dict[Any, Curve]:
    """Return the curves by name; a single one has an empty name."""
    curves = curves.curve if isinstance(curves, FeedbackValidation) else curves
    named = dict(curves) if isinstance(curves, Mapping) else {"": curves}
    if not named:
        raise PorankError("expected at least one curve, found none")
    if len(named) > len(SERIES):
        message = f"expected at most {len(SERIES)} curves, for which there are colours"
        raise PorankError(f"{message}, found {len(named)}", hint="draw others in another figure")
    for name, curve in named.items():
        where = f" as {name!r}" if name != "" else ""
        if not isinstance(curve, (AbstentionCurve, MeanCurve, HoldoutCurve)):
            message = f"expected a curve{where}, found {a_kind(curve)}"
            hint = "abstention_curve(P, target) and validate_feedback(log) return curves"
            raise GraphTypeError(message, hint=hint)
        if isinstance(curve, AbstentionCurve) and curve.target_pairs is None:
            message = f"expected a curve with a target{where}, found one without a target"
            hint = "abstention_curve(P, target) counts the pairs that are right and wrong"
            raise PorankError(message, hint=hint)
    return named


def _draw_curve(ax: Axes, curve: Curve, number: int) -> Line2D:
    """Draw a curve, with a band for its intervals on unseen sessions, and return its line."""
    points: Any = [(point.completeness, point.correctness) for point in filter(_has_decided, curve)]
    x, y = np.array(points, dtype=float).reshape(-1, 2).T
    (line,) = ax.plot(x, y, gid="curve", **_look_of(number, len(points)))
    if points:
        # From the highest threshold to completeness 0.
        level: dict[str, Any] = {"color": line.get_color(), "linewidth": 0.9, "linestyle": ":"}
        ax.plot([0, x[-1]], [y[-1], y[-1]], gid="level", **level)
    if isinstance(curve, HoldoutCurve):
        ends = [(p.completeness, p.low, p.high) for p in curve if not math.isnan(p.low)]
        x, low, high = np.array(ends).reshape(-1, 3).T
        ax.fill_between(x, low, high, color=line.get_color(), alpha=0.1, lw=0, gid="interval")
    return line


def _look_of(number: int, n: int) -> dict[str, Any]:
    """Return the style of a curve of n points."""
    look, marker = SERIES[number]
    how: dict[str, Any] = {"color": look.color, "linestyle": look.dash, "linewidth": 1.6}
    return how | {"marker": marker if n <= _MARKED else "", "markersize": 4.5}


def _mark_minimal(ax: Axes, curve: Curve) -> list[Line2D]:
    """Draw a ring around the point of the minimal threshold, if there is one, and return it."""
    least = next((point for point in curve if getattr(point, "is_acyclic", False)), None)
    if least is None or not _has_decided(least):
        return []
    how: dict[str, Any] = {"fillstyle": "none", "markersize": 9.5, "markeredgewidth": 1.2}
    how |= {"color": INK, "zorder": 4, "clip_on": False, "label": "minimal threshold"}
    return ax.plot(float(least.completeness), float(least.correctness), "o", gid="minimal", **how)


def _draw_scores(ax: Axes, scores: Mapping[str, HoldoutScore]) -> Iterator[Line2D]:
    """Draw orders and baselines as points with intervals, and yield their legend entries."""
    for (name, score), marker in zip(scores.items(), "Dds^vPX", strict=False):
        if _has_decided(score):
            x, y = score.completeness, score.correctness
            ax.plot([x, x], [score.low, score.high], color=INK, linewidth=0.8, gid="bar")
            ax.plot(x, y, color=INK, marker=marker, markersize=6, gid="score")
            yield dot(label_text(name), color=INK, size=6, marker=marker)


def _has_decided(point: Any) -> bool:
    """Return whether a point decides a pair of the target, so it can be drawn."""
    return bool((point.concordant or 0) + (point.discordant or 0))


#: Half the width of an interval of 95 %, in standard errors.
_Z = 1.96


def draw_positions(
    log: Any, *, width: str | float | None = None, title: str | None = "", ax: Axes | None = None
) -> Axes:
    """Draw click rates by position, and the odds of a choice there for items liked equally.

    Click rates depend on both taste and place. The odds are those of the taste model, as in
    `settled_order`: how many times as often an item is chosen at a place as at the first one, if
    both are liked equally, with a band for their intervals of 95 %. Click rates below them mean
    that items that are liked less were shown there.

    Parameters
    ----------
    log : ClickLog, table or path
        The sessions, with positions and with items that were seen but not clicked.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        Lines with the gids ``"odds"`` and, for a log of clicks, ``"rate"``, and a band with the gid
        ``"interval"``.

    Raises
    ------
    PorankError
        If the log has no positions; as in `settled_order`.
    OSError, ParseError
        As in `preference_pairs`.

    See Also
    --------
    settled_order, explore

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "juice": 1}, 500, seed=1)
    >>> ax = po.draw_positions(log)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['odds at equal taste', 'click rate, highest 48%']

    Notes
    -----
    Time as for the fit of `settled_order`, without its tests.
    """
    taste = log if isinstance(log, LogTaste) else read_taste(read_statements(log))
    curve = place_curve(taste)
    if not curve.position.size:
        hint = "ClickLog(log, columns={'position': ...}) names their column"
        raise PorankError("expected a log that compares items at known positions", hint=hint)
    ax = _axes(
        Frame(ax, width, title),
        title=f"Clicks and choices at {counted(curve.position.size, 'place')}",
        x="position",
        y="odds (first place = 1), rate (highest = 1)",
    )
    low, high = (np.exp(curve.log_odds + side * _Z * curve.error) for side in (-1, 1))
    color = SERIES[0][0].color
    ax.fill_between(curve.position, low, high, color=color, alpha=0.2, linewidth=0, gid="interval")
    odds = np.exp(curve.log_odds)
    handles = [_draw_line(ax, 0, "odds", curve.position, odds, "odds at equal taste")]
    if (rates := click_rates(taste.statements)) is not None:
        position, rate = rates
        label = f"click rate, highest {rate.max():.0%}"
        handles.append(_draw_line(ax, 1, "rate", position, rate / rate.max(), label))
    # Wide intervals are clipped to leave room for the lines.
    ax.set_ylim(0, 1.05 * max(1.0, float(odds.max())))
    ax.locator_params(axis="x", integer=True)
    fit_captions(ax)
    legend(ax, handles, place="best")
    return finish(ax)


def _draw_line(ax: Axes, number: int, gid: str, positions: Any, shares: Any, label: str) -> Line2D:
    """Draw a line of shares by position, and return it as its legend entry."""
    how = _look_of(number, len(positions))
    return ax.plot(positions, shares, gid=gid, label=label, **how)[0]
