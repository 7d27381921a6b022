"""Rows of items with what is known of each: ranks, strengths, gaps of two segments, means.

`rows_for` makes the Axes, `add_dots` and `add_intervals` draw in them. `draw_rank_intervals`,
`draw_strengths`, `draw_segments` and `draw_systems` draw the pictures.
"""

from __future__ import annotations

from functools import partial
from math import inf, isnan, sqrt
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order
from porank.drawing import axes, marks, style, texts
from porank.drawing.axes import Frame
from porank.drawing.boxes import MOST_INTERVALS, MOST_ROWS, list_key, require_few
from porank.drawing.hasse_diagram import hasse_sheet, note_of_open
from porank.errors import PorankError, a_kind, counted
from porank.extensions.rank_probabilities import rank_probabilities
from porank.orders.ranks import rank_intervals
from porank.significance.system_comparison import SystemComparison
from porank.strengths.fitted_strengths import Strengths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from porank.drawing.diagram import Sheet
    from porank.significance.segments import SegmentComparison
    from porank.typing import Floats, OrderLike, Seed


#: Height of a row in a new figure, and the least and the largest height of all rows, in inches.
_ROW, _LEAST, _HIGHEST = 0.24, 1.4, 7.3


def rows_for(
    frame: Frame,
    rows: Sequence[Any],
    *,
    wide: float,
    title: str,
    x: str,
    entries: Sequence[Any] = (),
    named: Callable[..., list[str]] = texts.names_of,
) -> Axes:
    """Return Axes with a row for each item, the first at the top, and a legend below."""
    n, longest = max(len(rows), 1), frame.longest
    size = frame.inches(wide), min(_HIGHEST, max(_LEAST, _ROW * n)) + 0.9 + 0.3 * bool(entries)
    ax = frame.axes(size, title=title, x=x, keep=("bottom",))
    ax.set_ylim(n - 0.5, -0.5)
    axes.lay_out(ax)
    width, height = axes.size_in_points(ax)
    height -= marks.legend_height(entries, width, height)
    ax.set_ylabel(axes.name_places(ax.yaxis, rows, height, longest=longest, named=named))
    ax.tick_params(axis="y", length=0)
    axes.fit_captions(ax)
    # The names have made the Axes narrower, so the legend may need more rows.
    axes.widen(ax, bottom=marks.legend_height(entries, *axes.size_in_points(ax)))
    marks.legend(ax, entries)
    # To widen one axis fixes both.
    ax.autoscale(axis="x")
    return ax


def add_intervals(ax: Axes, ends: Sequence[Any], rows: Sequence[int], **how: Any) -> None:
    """Draw a line between two values in each of these rows."""
    paths = [[(end, row) for end in ends[row]] for row in rows]
    usual: dict[str, Any] = {"colors": style.SERIES[0][0].color, "linewidths": 1.6, "zorder": 2}
    marks.add_lines(ax, paths, **usual | how)


def add_dots(ax: Axes, values: Sequence[float] | Floats, **how: Any) -> None:
    """Draw a marker at a value in each row."""
    size = min(22.0, (0.7 * axes.unit_in_points(ax)[1]) ** 2)
    usual: dict[str, Any] = {"s": size, "color": style.SERIES[0][0].color, "zorder": 3}
    ax.scatter(values, range(len(values)), **usual | how)


#: Up to this many items, bars have frames and gaps: the height of a row is divided into so many
#: parts, of which the first and the last stay free.
_FRAMED, _PARTS = 100, 6


def draw_rank_intervals(
    G: OrderLike,
    *,
    method: str = "auto",
    seed: Seed = 0,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the possible ranks of each item, their probabilities and the expected rank.

    The bar of an item spans its possible ranks in `rank_intervals`, and a dot marks its expected
    rank. Ranks in the bar are shaded by their probability in `rank_probabilities`, if all linear
    extensions are equally likely; darker is more likely.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    method, seed
        How to compute probabilities and expected ranks, as for `rank_probabilities`.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        Items are rows at y = 0, 1, ..., the lowest expected rank first; rank r is at x = r. The
        shades are an image with the gid ``"probabilities"``, bars have the gid ``"interval"``, dots
        ``"expected"``.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact values are required and a part has more ideals than `rank_probabilities` lists.
    PorankError
        If an option is out of range, or there are more than 2,000 items.

    See Also
    --------
    rank_intervals, expected_ranks

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_rank_intervals(po.parse("a > b > c; d"))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'd', 'b', 'c']

    Notes
    -----
    Takes the time of `rank_probabilities`. If names would overlap, every k-th is shown, and the
    picture says so.
    """
    n = len(compile_order(G).items)
    hint = "restrict(G, items) takes some of them, rank_intervals(G) returns the numbers"
    require_few(n, MOST_ROWS, "items to draw", hint)
    found, intervals = rank_probabilities(G, method=method, seed=seed), rank_intervals(G)
    shares = np.array(list(found.values()), dtype=np.float64).reshape(n, n)
    # E[rank of x] = sum over r of r P(rank of x = r); equal sums of floats may differ by rounding.
    mean = dict(zip(found, (shares @ np.arange(1, n + 1)).round(9).tolist(), strict=True))
    items = sorted(found, key=lambda item: (mean[item], intervals[item], list_key(item)))
    entries = [marks.dot("expected rank", color=style.ALARM, size=5)]
    shades = ((step, style.color_of_share(sqrt(step))) for step in (0.05, 0.2, 0.5, 1))
    entries += [marks.patch(f"probability {step:g}", color) for step, color in shades]
    how = "" if found.method == "exact" else ", estimated by random walks"
    ax = rows_for(
        Frame(ax, width, title),
        items,
        wide=min(6.5, max(3.0, 0.3 * n)) + 0.4 + texts.widest_name(items) / 72,
        title=f"Possible ranks of {counted(n, 'item')}{how}",
        x="rank (1 is best)",
        entries=entries,
    )
    ax.set_xlim(0.5, max(n, 1) + 0.5)
    axes.number_ranks(ax.xaxis, n, axes.size_in_points(ax)[0])
    _draw_bars(ax, [intervals[item] for item in items], np.array([found[item] for item in items]))
    size = max(1.5, min(5.5, 0.7 * axes.unit_in_points(ax)[1])) ** 2
    dots: dict[str, Any] = {"color": style.ALARM, "edgecolors": style.PAPER, "zorder": 4}
    add_dots(ax, [mean[item] for item in items], s=size, linewidths=0.6, gid="expected", **dots)
    return axes.finish(ax)


def _draw_bars(ax: Axes, intervals: Sequence[tuple[int, int]], shares: Floats) -> None:
    """Draw a bar of possible ranks in each row, shaded by the square root of probabilities."""
    n = len(intervals)
    few = n <= _FRAMED
    half = 0.5 - 1 / _PARTS if few else 0.5
    rows = enumerate(intervals)
    bars = [marks.box_corners(best - 0.5, worst + 0.5, y, half) for y, (best, worst) in rows]
    edge: dict[str, Any] = {"edgecolors": style.MUTED if few else "none", "linewidths": 0.6}
    marks.add_areas(ax, bars, facecolors="none", zorder=3, gid="interval", **edge)
    if not n:
        return
    best, worst = np.array(intervals).T[:, :, None]
    ranks = np.arange(1, n + 1)
    shades = np.ma.masked_where((ranks < best) | (ranks > worst), np.sqrt(shares))
    if few:
        shades = np.ma.repeat(shades, _PARTS, axis=0)
        shades[::_PARTS] = shades[_PARTS - 1 :: _PARTS] = np.ma.masked
    marks.fill_shades(ax, shades, left=0.5, zorder=2.5, gid="probabilities")


def draw_strengths(
    found: Strengths,
    *,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the strength of each item as a dot on its interval, the strongest at the top.

    Items of different parts cannot be compared. A dashed line separates the parts, and each has
    its own mean of 0.

    Parameters
    ----------
    found : Strengths
        Result of `fit_strengths`.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        The axes, with a row for each item at y = 0, 1, ... The dots have the gid ``"strength"``,
        the intervals ``"interval"``, and the lines between parts ``"part"``.

    Raises
    ------
    PorankError
        If `found` is not a result of `fit_strengths`, or has more than 200 items.

    See Also
    --------
    fit_strengths, draw_systems

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_strengths(po.fit_strengths({("a", "b"): 9, ("b", "a"): 4}))
    >>> ax.get_title()
    'Strengths of 2 items: fit of the model not tested'

    Notes
    -----
    Time O(n) for n items, some milliseconds for each name.
    """
    if not isinstance(found, Strengths):
        raise PorankError(f"expected a result of fit_strengths, found {a_kind(found)}")
    rows = [item for part in found.parts for item in part]
    require_few(len(rows), MOST_INTERVALS, "items to draw", "its table lists all items")
    ax = rows_for(
        Frame(ax, width, title),
        rows,
        wide=6.4,
        title=f"Strengths of {counted(len(rows), 'item')}: {found.verdict()}",
        x=f"log of the worth, with intervals of {1 - found.risk:.0%}",
    )
    dots = np.array([found.strengths[item] for item in rows])
    intervals = np.array([found.intervals[item] for item in rows])
    ends = np.concatenate([intervals[np.isfinite(intervals)], dots[np.isfinite(dots)], [0]])
    margin = 0.05 * np.ptp(ends) or 1.0
    limits = ends.min() - margin, ends.max() + margin
    ax.set_xlim(*limits)
    # An infinite strength is drawn at the side, and an infinite interval from side to side.
    add_dots(ax, np.clip(dots, *limits), gid="strength", clip_on=False)
    add_intervals(ax, np.clip(intervals, *limits).tolist(), range(len(rows)), gid="interval")
    starts = np.cumsum([len(part) for part in found.parts])[:-1]
    for y in starts.tolist():
        ax.axhline(y - 0.5, color=style.MUTED, linewidth=0.8, linestyle="--", gid="part")
    return axes.finish(ax)


#: Maximum number of pairs.
_MOST_PAIRS = 20


def draw_segments(
    comparison: SegmentComparison,
    *,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the gaps of two segments for each pair, with the opposed pairs at the top.

    A row is a pair. Its markers are the log-odds, in each segment, that the first item is chosen
    over the other at equal places; on the dotted line neither is. Pairs on which the segments
    have no opposite preferences are grey. The lines have the gid ``"parted"`` or ``"alike"``, the
    markers ``"first"`` and ``"second"``.
    """
    drawn = comparison.pairs[:_MOST_PAIRS]
    column, *names = map(texts.label_text, (comparison.segment, *comparison.segments))
    parted, pairs = len(comparison.parted), counted(len(comparison.pairs), "pair")
    if len(drawn) < len(comparison.pairs):
        pairs += f"; the clearest {len(drawn)}"
    looks = style.SERIES[:2]
    ax = rows_for(
        Frame(ax, width, title),
        [pair[:2] for pair in drawn],
        wide=5.6,
        title=f"{column}: {names[0]} and {names[1]} are opposed on {parted} of {pairs}",
        x="log-odds that the first item is chosen",
        entries=[
            marks.dot(f"{name} ({units:,})", color=look.color, size=5, marker=marker)
            for name, units, (look, marker) in zip(names, comparison.units, looks, strict=True)
        ],
        named=partial(texts.names_of_pairs, join=" over "),
    )
    ax.axvline(0, color=style.MUTED, linewidth=0.8, linestyle=":")
    rows, gaps = range(len(drawn)), [pair.gaps for pair in drawn]
    how: dict[str, Any] = {"linewidths": 1.4, "zorder": 1}
    add_intervals(ax, gaps, rows[:parted], colors=style.INK, gid="parted", **how)
    add_intervals(ax, gaps, rows[parted:], colors=style.FAINT, gid="alike", **how)
    for place, (look, marker) in enumerate(looks):
        colors = [look.color if row < parted else style.MUTED for row in rows]
        ends, gid = [gap[place] for gap in gaps], ("first", "second")[place]
        add_dots(ax, ends, color=colors, marker=marker, s=30, gid=gid)
    return axes.finish(ax)


#: In points: the width below which the order has a row of its own, the least size of a part, and
#: room below and between parts.
_NARROW, _PART, _BELOW, _SPACE = 260.0, 110.0, 30.0, 10.0
#: The share of the width for means, if there are ranks, and the largest of the height for rows.
_MEANS, _MOST_ROWS = 0.6, 0.65


def draw_systems(
    comparison: SystemComparison,
    *,
    measure: str | None = None,
    junctions: bool | str = "auto",
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the order of systems by significant differences, beside their means.

    On the left is the Hasse diagram: lines lead down from a system to those that are significantly
    worse. On the right are the means, the best at the top, then the simultaneous rank sets if they
    are known. In narrow Axes the means are below the diagram, and in small ones there is only the
    diagram. The text below it counts the open pairs by the reasons why they are open.

    Parameters
    ----------
    comparison : SystemComparison
        The result of `compare_systems`, `compare_evaluations` or `compare_scores`.
    measure : str, optional
        Name of the measure; not needed if there is only one.
    junctions : bool or "auto"
        Whether to lead lines through junctions, as for `draw_hasse`.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        The parts are Axes of their own: the diagram of `draw_hasse`; dots with the gid ``"mean"``;
        lines with the gid ``"ranks"``. If significant differences are not transitive, the text
        below the diagram counts the chains of significant differences whose ends do not differ
        significantly. Systems on a cycle share a box.

    Raises
    ------
    PorankError
        If `comparison` is not a comparison of systems, or the measure is unknown.

    See Also
    --------
    compare_systems, compare_scores, draw_strengths, SystemComparison

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> target = {user: {"a": 3, "b": 2, "c": 1} for user in range(8)}
    >>> wrong = {user: {"a": 1, "b": 2, "c": 3} for user in range(8)}
    >>> found = po.compare_systems(target, {"A": target, "B": wrong}, measures="kendall_tau")
    >>> ax = po.draw_systems(found)
    >>> ax.get_title()
    'kendall_tau of 2 systems: 1 of 1 differences significant'

    Notes
    -----
    Takes the time of `hasse_layout`, and some milliseconds for each name.
    """
    if not isinstance(comparison, SystemComparison):
        raise PorankError(f"expected a result of compare_systems, found {a_kind(comparison)}")
    chosen = comparison.require_measure(measure)
    G, rows = comparison.decided(chosen), _by_mean(comparison, chosen)
    ranks = comparison.rank_sets_or_none(chosen) or {}
    frame = Frame(ax, width, title)
    across = frame.inches(8.0 + 1.2 * bool(ranks))
    n_parts = 2 if 72 * across < _NARROW else 1
    size = across, min(9.0, max(3.2, n_parts * (1.2 + 0.23 * len(rows))))
    ax = frame.axes(size, title=_title_of_systems(comparison, chosen))
    ax.set(xticks=[], yticks=[])
    axes.fit_captions(ax)
    across, height = axes.size_in_points(ax)
    is_narrow = across < _NARROW
    # In narrow Axes the order is above the means, or alone if these are not high enough.
    has_means = not is_narrow or height > 2 * _PART
    low, wide = 0.0, across / 2
    if is_narrow:
        low, wide = has_means * _height_of_rows(len(rows), height), across
    broken = [] if ranks else comparison.broken(chosen)
    # Numbers stand for names only beside rows.
    sheet = _draw_order(ax, G, rows * has_means, broken, junctions, 0, low, wide, height - low)
    if has_means:
        left, high = (0.0, low) if is_narrow else (wide, height)
        names = [texts.in_one_line(system) for system in rows]
        if sheet.diagram.is_numbered:
            names = [f"{k}: {name}" for k, name in enumerate(names, 1)]
        longest = min(texts.LONGEST, 0.4 * (across - left))
        left += texts.widest_name(names, longest=longest) + 2 * _SPACE
        room, high = across - left, high - _BELOW
        share = _MEANS if ranks and room > _PART else 1.0
        means = _part_of_rows(ax, len(rows), left, _BELOW, share * room, high)
        _draw_means(means, rows, names, comparison, chosen, longest)
        if share < 1:
            left += share * room + 2 * _SPACE
            possible = _part_of_rows(ax, len(rows), left, _BELOW, across - left, high)
            _draw_ranks(possible, [ranks[system] for system in rows])
    return axes.finish(ax)


def _height_of_rows(n: int, height: float) -> float:
    """Return the height of n rows with names, at least half and at most so much of the height."""
    return min(_MOST_ROWS * height, max(height / 2, 1.2 * style.SMALL * n + _BELOW))


def _part(ax: Axes, *place: float) -> Axes:
    """Return Axes within others, of which left, low, width and height are given in points."""
    bounds: Any = np.maximum(np.reshape(place, (2, 2)) / axes.size_in_points(ax), 1e-3)
    return ax.inset_axes(bounds.ravel())


def _part_of_rows(ax: Axes, n: int, *place: float) -> Axes:
    """Return Axes within others with n rows, the first at the top."""
    part = _part(ax, *place)
    axes.without_frame(part, keep=("bottom",))
    part.set_ylim(n - 0.5, -0.5)
    return part


def _by_mean(comparison: SystemComparison, measure: str) -> list[Any]:
    """Return the rows: the best mean first, systems without a mean last."""
    sign = -1 if comparison.better[measure] == "higher" else 1
    place = {s: inf if isnan(m) else sign * m for s, m in comparison.means[measure].items()}
    return sorted(in_order(comparison.systems), key=lambda system: place[system])


def _title_of_systems(comparison: SystemComparison, measure: str) -> str:
    """Return the title: the number of significant differences."""
    n = len(comparison.systems)
    found = comparison.significant(measure).number_of_edges()
    significant = f"{found:,} of {n * (n - 1) // 2:,} differences significant"
    (name,) = texts.names_of([measure], longest=150)
    return f"{name} of {counted(n, 'system')}: {significant}"


def _draw_order(
    ax: Axes,
    G: nx.DiGraph,
    rows: Sequence[Any],
    broken: Sequence[Any],
    junctions: bool | str,
    *place: float,
) -> Sheet:
    """Draw the Hasse diagram of systems at a place, and count chains whose ends do not differ."""
    is_cyclic = not nx.is_directed_acyclic_graph(G)
    cyclic = "dashed boxes: strongly connected, better along a cycle"
    notes = [cyclic if is_cyclic else "lines lead down to significantly worse systems"]
    if followed := sum(follows is True for *_, follows in G.edges(data="added")):
        notes.append(f"{followed:,} of these only follow from others")
    if broken:
        notes.append(f"ends of {counted(len(broken), 'chain')} do not differ significantly")
    notes += filter(None, [note_of_open(G)])
    left, low, wide, high = place
    n_lines = sum(len(texts.in_lines(text.split(" "), wide)) for text in notes)
    below = 1.25 * style.LABEL * n_lines + _SPACE
    order = _part(ax, left, low + below, wide, high - below)
    numbers = {system: k for k, system in enumerate(rows, 1)}
    sheet = hasse_sheet(G, Frame(order, title=None), junctions=junctions, numbers=numbers)
    if not (sheet.layout.edges or is_cyclic):
        notes[0] = "rank 1: no system is significantly better"
    axes.caption(order, title="", x="\n".join(notes), y="")
    axes.break_lines(order.xaxis.label, wide)
    order.set_yticks([])
    return sheet


def _draw_means(
    ax: Axes,
    rows: Sequence[Any],
    names: Sequence[str],
    comparison: SystemComparison,
    measure: str,
    longest: float,
) -> None:
    """Draw a dot for the mean of each system, in its row."""
    means = [comparison.means[measure][system] for system in rows]
    add_dots(ax, means, gid="mean")
    ax.margins(x=0.08)
    width, height = axes.size_in_points(ax)
    ax.locator_params(axis="x", nbins=max(1, min(3, int(width / 30))))
    note = axes.name_places(ax.yaxis, names, height, longest=longest)
    ax.tick_params(axis="y", length=0)
    groups = counted(comparison.groups[measure], comparison.unit)
    x = f"mean of {groups},\n{comparison.better[measure]} is better"
    axes.caption(ax, title="", x=x, y=note)
    ax.xaxis.label.set_fontsize(style.SMALL)


def _draw_ranks(ax: Axes, ranks: Sequence[tuple[int, int]]) -> None:
    """Draw a line from the best to the worst possible rank of each system, in its row."""
    n = len(ranks)
    ends = [(best - 0.3, worst + 0.3) for best, worst in ranks]
    thick = min(4.0, 0.6 * axes.unit_in_points(ax)[1])
    add_intervals(ax, ends, range(n), linewidths=thick, gid="ranks")
    ax.set(xlim=(0.4, n + 0.6), yticks=[])
    axes.number_ranks(ax.xaxis, n, axes.size_in_points(ax)[0])
    ax.set_xlabel("possible\nranks", fontsize=style.SMALL, color=style.INK)
