"""Items as points in a plane of ranks: an order of dimension two, or two orders.

`draw_dominance` draws an order by its ranks in two rankings, `draw_ranks` the possible ranks in a
prediction against those in a target, for `draw_comparison`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.compiled_order import compile_order
from porank.drawing import axes, marks
from porank.drawing.axes import Frame
from porank.drawing.boxes import MOST_LINES, boxed
from porank.drawing.dot_names import name_dots
from porank.drawing.style import ALARM, CLASS_LOOKS, INK, MUTED, PAPER, SERIES, mixed
from porank.drawing.texts import names_of
from porank.errors import NotApplicableError, counted
from porank.orders.closure import transitive_reduction
from porank.orders.dimension import find_forced_contradiction, find_realizer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from porank.drawing.boxes import Boxes
    from porank.measures.pair_table import Pairing
    from porank.typing import Floats, OrderLike


#: Radius of a dot in points.
_DOT = 2.5
#: Width of a new figure, and its least and largest height, in inches.
_WIDE, _LOW, _HIGH = 6.3, 3.2, 6.6


def draw_dominance(
    G: OrderLike,
    *,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw an order of dimension two as points: better is to the right and above.

    Each item is at its ranks in the two rankings of a realizer, with rank 1 on the right and at the
    top. So u is above v in the order if and only if its point is to the right of and above that of
    v. Tied items share a larger point. Up to 50 covers are also lines. If names do not fit, the
    legend says how many are written.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order of dimension at most 2.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        Points are one collection with the gid ``"item"``, lines one with the gid ``"cover"``, names
        texts with the gid ``"name"``.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    NotApplicableError
        If `G` is not an intersection of two rankings.

    See Also
    --------
    find_realizer, is_two_dimensional, draw_hasse

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_dominance(po.parse("a > c; b > c; b > d"))
    >>> ax.get_title()
    '4 items, each preferred to all that are lower and to the left'

    Notes
    -----
    Takes the time of `find_realizer`, and some milliseconds for each name.

    References
    ----------
    .. [1] M. C. Golumbic, "Algorithmic Graph Theory and Perfect Graphs", Academic Press, 1980,
       chapter 5. https://doi.org/10.1016/C2013-0-10739-8
    """
    compile_order(G)  # raises the error with a cycle
    boxes = boxed(G)
    places = _realized(boxes)
    x, y = (f"rank in the {which} ranking (1 is best)" for which in ("first", "second"))
    means = "preferred to all that are lower and to the left"
    titles = {"title": f"{counted(len(boxes.box), 'item')}, each {means}", "x": x, "y": y}
    ax = _plane_for(Frame(ax, width, title), len(boxes.box), titles, left=30.0)
    ax.invert_xaxis()
    covers = [*transitive_reduction(boxes.graph).edges]
    number = {box: k for k, box in enumerate(boxes.members)}
    if len(covers) <= MOST_LINES:
        lines = [places[[number[u], number[v]]] for u, v in covers]
        marks.add_lines(ax, lines, colors=MUTED, linewidths=0.6, zorder=1, gid="cover")
    tied = [boxes.kind[box] == "tie" for box in boxes.members]
    radius = min(_DOT, max(1.0, axes.unit_in_points(ax)[0]))
    areas = [(2 * radius * (1.6 if is_tied else 1)) ** 2 for is_tied in tied]
    how: dict[str, Any] = {"color": SERIES[0][0].color, "zorder": 2, "gid": "item"}
    how |= {"linewidths": radius / 4, "edgecolors": [INK if is_tied else PAPER for is_tied in tied]}
    ax.scatter(places[:, 0], places[:, 1], areas, **how)
    texts = [" ~ ".join(names_of(items)) for items in boxes.members.values()]
    return _named(ax, len(boxes.box), places, texts, radius=max(areas, default=0.0) ** 0.5 / 2)


def _realized(boxes: Boxes) -> Floats:
    """Return the point of each box in the plane: its ranks in two rankings."""
    realizer = find_realizer(boxes.graph)
    if realizer is None:
        chain = find_forced_contradiction(boxes.graph) or []
        raise NotApplicableError(
            "expected an order of dimension at most 2, found one in which a chain of "
            f"{len(chain)} forced pairs contradicts itself; find_forced_contradiction(G) shows it"
        )
    sizes = {box: len(items) for box, items in boxes.members.items()}
    ranks = []
    for line in realizer:
        # The rank of tied items: 1 + the number of items before them.
        starts = np.cumsum([1, *(sizes[box] for box in line)])
        rank = dict(zip(line, starts.tolist(), strict=False))
        ranks.append([rank[box] for box in sizes])
    return np.array(ranks, dtype=float).reshape(2, -1).T


def _plane_for(frame: Frame, n: int, titles: dict[str, str], *, left: float = 0.0) -> Axes:
    """Return Axes for ranks 1..n in both directions, with rank 1 at the top, and room for dots."""
    wide = frame.inches(_WIDE)
    ax = frame.axes((wide, min(max(1.05 * wide, _LOW), _HIGH)), keep=("left", "bottom"), **titles)
    ax.set(xlim=(0.5, n + 0.5), ylim=(n + 0.5, 0.5))
    axes.fit_captions(ax)
    # Dots are not cut at the frame.
    axes.widen(ax, left=left + _DOT, right=_DOT, bottom=_DOT, top=_DOT)
    return ax


def _named(ax: Axes, n: int, *dots: Any, **how: Any) -> Axes:
    """Write the names of dots and the ranks, and finish the picture."""
    name_dots(ax, *dots, **how)
    for axis, unit in zip((ax.xaxis, ax.yaxis), axes.unit_in_points(ax), strict=True):
        axes.number_ranks(axis, n, n * unit)
    return axes.finish(ax)


def draw_ranks(pairing: Pairing, names: Mapping[Any, object], frame: Frame, title: str) -> Axes:
    """Draw the possible ranks in the prediction against the mean of those in the target."""
    items, n, index = pairing.target.items, pairing.n, pairing.index
    # With a items above it and b below it, an item has the ranks a + 1 to n - b, with the mean
    # (n + 1 + a - b) / 2.
    x, y = ((n + 1 + side.above - side.below) / 2 for side in (pairing.truth, pairing.guess))
    bars = np.array([[x, pairing.guess.above + 1], [x, n - pairing.guess.below]]).transpose(2, 0, 1)
    against = pairing.target.matrix() & pairing.predicted.matrix()[np.ix_(index, index)].T
    opposed = against.sum(0) + against.sum(1)
    titles = {"title": title, "x": "mean of the possible ranks in the target"}
    titles["y"] = "possible ranks in the prediction (1 is best)"
    ax = _plane_for(frame, n, titles)
    line: dict[str, Any] = {"color": MUTED, "linewidth": 0.7}
    ax.plot([0.5, n + 0.5], [0.5, n + 0.5], linestyle=":", zorder=1, gid="equal", **line)
    # Items in more contradicted pairs are named first and drawn last, above the others.
    first = np.lexsort((-np.abs(x - y), -opposed))
    x, y, bars, opposed = x[first], y[first], bars[first], opposed[first]
    marks.add_lines(ax, list(bars[::-1]), alpha=0.5, zorder=2, gid="interval", **line)
    # Grade 0 has no contradicted pair, and three grades divide the numbers up to the largest.
    ends = np.unique(np.arange(4) * opposed.max() // 3)
    grade = np.searchsorted(ends, opposed)
    shades = [mixed((ALARM, PAPER), 0.33 * k) for k in reversed(range(len(ends)))]
    shades[0] = CLASS_LOOKS["concordant"].color
    sizes = 2 * min(_DOT, max(1.0, axes.unit_in_points(ax)[0])) * np.linspace(0.7, 1.4, len(ends))
    dots: dict[str, Any] = {"c": [shades[k] for k in grade[::-1]], "linewidths": 0, "zorder": 3}
    ax.scatter(x[::-1], y[::-1], sizes[grade[::-1]] ** 2, gid="item", **dots)
    entries = []
    for k, many in reversed([*enumerate(np.bincount(grade).tolist())]):
        span = "–".join(map(str, sorted({[0, *(ends[:-1] + 1)][k], ends[k]})))
        text = f"contradicted pairs: {span} ({counted(many, 'item')})"
        entries.append(marks.dot(text, color=shades[k], size=sizes[k]))
    more = [marks.stroke("equal ranks", linestyle=":", **line)]
    more += [marks.stroke("possible ranks", **line)]
    width, height = axes.size_in_points(ax)
    entries += more if marks.legend_height(entries + more, width) < height / 3 else []
    texts = names_of([names.get(items[i], items[i]) for i in first])
    return _named(ax, n, np.column_stack((x, y)), texts, radius=sizes[-1] / 2, entries=entries)
