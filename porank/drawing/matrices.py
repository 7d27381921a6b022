"""Pairs of items as a square of cells: the classes of two orders, and degrees of preference.

`draw_pair_matrix` shows the class of each pair, `draw_preferences` the degrees of a valued relation
and its cut. The cell in row i and column j is centred at (j, i), with the first row at the top.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.prediction import strength_of_alpha
from porank.abstention.thresholds import closed_cut, require_relation
from porank.core.arrays import longest_path_levels
from porank.core.compiled_order import compile_order
from porank.core.graphs import shortest_cycle
from porank.drawing import axes, marks, style
from porank.drawing.axes import Frame
from porank.drawing.box_texts import GAP, SIZES
from porank.drawing.boxes import MOST_ROWS, list_key, require_few
from porank.drawing.fonts import width_of
from porank.drawing.texts import widest_name
from porank.errors import RESTRICT_EITHER, counted
from porank.measures.pair_table import pair_up
from porank.orders.open_pairs import open_pairs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from matplotlib.axes import Axes

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.measures.pair_table import Pairing
    from porank.typing import Item, Matrix, OrderLike


#: Cells at least this large, in points, have a mark that shows their class in grey prints, too.
_MARKED = 5.0
#: Up to this many items, lines separate the cells.
_PARTED = 40


def draw_pair_matrix(
    target: OrderLike,
    predicted: OrderLike | None = None,
    *,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the class of each pair of items of two orders, as a triangle of marked cells.

    Or the state of each pair of one order from evidence: settled, or why it is open.

    The cell in the row of u and the column of v shows the class of the pair {u, v} in
    `pair_classes`. Items are in the order of the target, best first; the prediction orders those
    that the target does not. If cells are large enough, each class has a mark: a cross for
    contradicted, a ring for missing (only the target decides the pair), a plus for added (only the
    prediction does), a dash for neither, and none for agreed.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items; or one order that keeps the reasons of its open pairs, such as
        a settled order.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        The cells are an image with the gid ``"pairs"``, surrounded by lines with the gid
        ``"border"``. Its array has the number of the class in the key, and is masked on and below
        the diagonal. The marks of a class, in cells of at least
        5 points, have its name as their gid: ``"contradicted"``, ``"missing"``, ``"added"``,
        ``"agreed"``, ``"neither"``; or that of the state, such as ``"not_enough"``.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which one.
    ItemMismatchError
        If their items differ; `align` fixes it.
    PorankError
        If there are more than 2,000 items, or a single order does not come from evidence.

    See Also
    --------
    open_pairs, pair_table, PairTable, pair_classes, draw_comparison

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_pair_matrix(po.parse("a > b > c > d"), po.parse("b > a > c; d"))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['contradicted: 1', 'missing: 3', 'added: 0', 'agreed: 2', 'neither: 0']

    Notes
    -----
    Time and memory O(n**2) beyond the closures, and some milliseconds for each name. If names would
    overlap, every k-th is shown, and the axis says so.
    """
    frame = Frame(ax, width, title)
    if predicted is None:
        return _draw_states(target, frame)
    pairing = pair_up(target, predicted)
    require_few(pairing.n, MOST_ROWS, "items in a matrix", RESTRICT_EITHER)
    items = pairing.target.items
    here, there = pairing.target.levels.tolist(), pairing.predicted_levels.tolist()
    # Order by the target, then by the prediction, then by name.
    sequence = sorted(range(pairing.n), key=lambda i: (here[i], there[i], list_key(items[i])))
    chosen = [items[i] for i in sequence]
    heading = f"Target and prediction on {counted(pairing.counts.all_pairs, 'pair')}"
    titles = heading, "best of the target on the left", "best of the target at the top"
    return _fill(frame, chosen, titles, _class_codes(pairing, sequence), style.CLASS_LOOKS)


def _draw_states(order: OrderLike, frame: Frame) -> Axes:
    """Draw the state of each pair of an order from evidence."""
    compiled, pairs = compile_order(order), open_pairs(order)
    require_few(len(compiled.items), MOST_ROWS, "items in a matrix", RESTRICT_EITHER)
    depth = dict(zip(compiled.items, compiled.levels.tolist(), strict=True))
    items = sorted(depth, key=lambda item: (depth[item], list_key(item)))
    place, kinds = {item: k for k, item in enumerate(items)}, [*style.STATE_LOOKS]
    codes = np.full((len(items), len(items)), len(kinds) - 1, dtype=np.int8)
    for u, v, state, reason, *_ in pairs:
        code = kinds.index(style.state_of(state, reason))
        codes[min(place[u], place[v]), max(place[u], place[v])] = code
    codes[np.tril_indices(len(codes))] = -1
    n_pairs, settled = len(items) * (len(items) - 1) // 2, np.count_nonzero(codes == len(kinds) - 1)
    title = f"{settled:,} of {counted(n_pairs, 'pair')} settled"
    titles = title, "best on the left", "best at the top"
    return _fill(frame, items, titles, codes, style.STATE_LOOKS)


def _class_codes(pairing: Pairing, sequence: Sequence[int]) -> Matrix:
    """Return the class of each pair as its number in the key, or -1 if it is not shown."""
    numbers = np.array(sequence, dtype=np.int64)
    in_predicted = pairing.index[numbers]
    truth = pairing.target.matrix()[np.ix_(numbers, numbers)]
    guess = pairing.predicted.matrix()[np.ix_(in_predicted, in_predicted)]
    # In this order of items, the target never points upwards.
    is_decided = guess | guess.T
    classes = truth & guess.T, truth & ~is_decided, is_decided & ~truth, truth & guess
    codes = np.select(classes, range(4), default=4)
    codes[np.tril_indices(len(codes))] = -1
    return codes


def _fill(
    frame: Frame,
    items: Sequence[Item],
    titles: tuple[str, str, str],
    codes: Matrix,
    looks: Mapping[str, Any],
) -> Axes:
    """Colour the cells by class, mark them if they are large enough, and write the key."""
    from matplotlib.colors import ListedColormap

    n, shown = len(codes), [*looks.values()]
    texts = [f"{look.name}: {np.count_nonzero(codes == k):,}" for k, look in enumerate(shown)]
    ax = _square_for(frame, items, titles, [marks.patch(text) for text in texts])
    colors = ListedColormap([look.color for look in shown])
    cells = np.ma.masked_less(codes, 0)
    marks.fill_cells(ax, cells, cmap=colors, vmin=-0.5, vmax=len(shown) - 0.5, gid="pairs")
    if n <= _PARTED:
        sides = [[(k + 0.5, -0.5), (k + 0.5,) * 2, (n - 0.5, k + 0.5)] for k in range(n - 1)]
        marks.add_lines(ax, sides, colors=style.PAPER, linewidths=0.5, zorder=1.2, gid="grid")
    # On a grey ground, too, it is seen where cells are.
    _draw_border(ax, codes >= 0, colors=style.MUTED, gid="border")
    side, entries = _cell_side(ax), []
    for code, (look, text) in enumerate(zip(shown, texts, strict=True)):
        rows, columns = np.nonzero(codes == code)
        if side < _MARKED:
            entries.append(marks.patch(text, look.color, linewidth=0.5))
            continue
        ax.plot(columns, rows, gid=look.name.replace(" ", "_"), **_mark(look, 0.4 * side))
        # A short line as thick as a patch, with the mark in the middle.
        own = _mark(look, 5.0) | {"linestyle": "-", "color": look.color}
        entries.append(marks.stroke(text, linewidth=7.5, solid_capstyle="butt", **own))
    marks.legend(ax, entries)
    return axes.finish(ax)


def _mark(look: Any, size: float) -> dict[str, Any]:
    """Return the style of the mark of a class in a cell: an outline and a colour."""
    # Pale classes need no attention.
    ink = style.MUTED if style.luminance(look.color) > 0.7 else style.ink_on(look.color)
    wide = min(2.2, max(0.6, 0.17 * size)) * (1.4 if look.color == style.ALARM else 1)
    how: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": ink, "linestyle": ""}
    how |= {"markersize": min(size, 12.0), "markeredgewidth": wide}
    return how | {"marker": look.mark}


#: Up to this many items, degrees are also written into the cells.
_WRITTEN = 12


def draw_preferences(
    P: PreferenceRelation,
    *,
    alpha: Any = "minimal",
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw a preference relation as a matrix of degrees, with a frame around a cut.

    The cell in the row of u and the column of v shows the degree P(u, v): blue above 1/2, orange
    below it, and darker farther away. A line surrounds the cells of the cut
    R_alpha = {(u, v) : P(u, v) >= alpha}. Dots mark pairs that only the closure of the cut adds. If
    the cut has a cycle, so its closure is not an order, a cycle is marked instead.

    Parameters
    ----------
    P : PreferenceRelation
        Degrees of preference.
    alpha : {"minimal", "consensus", "majority"} or number in (0, 1]
        Threshold of the cut, as in `predict_order`.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        The cells are an image with the gid ``"degrees"``, the line has the gid ``"cut"``, the dots
        ``"added"``, the marks of a cycle ``"cycle"``.

    Raises
    ------
    CycleError
        If `alpha` is ``"minimal"`` and there is no minimal threshold.
    GraphTypeError
        If `P` is not a PreferenceRelation.
    PorankError
        If `alpha` is not a threshold, or there are more than 2,000 items.

    See Also
    --------
    draw_thresholds, preference_relation

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "acb", "bac")])
    >>> ax = po.draw_preferences(P)
    >>> ax.get_title()
    'Cut at 2/3, the minimal threshold: 3 pairs'

    Notes
    -----
    Time and memory O(n**2) beyond the closure of the cut. Degrees are written into matrices of up
    to 12 items. If names would overlap, every k-th is shown, and the axis says so.
    """
    require_relation(P)
    require_few(len(P.items), MOST_ROWS, "items in a matrix", RESTRICT_EITHER)
    cut = _cut_of(P, alpha)
    items = [P.items[i] for i in cut.sequence]
    titles = _title_of(cut, alpha), "over this item", "preference for this item"
    entries = _entries_of_degrees(cut)
    ax = _square_for(Frame(ax, width, title), items, titles, entries)
    degrees = P.matrix()[np.ix_(cut.sequence, cut.sequence)]
    cells = np.ma.masked_where(np.eye(len(items), dtype=bool), degrees)
    marks.fill_shades(ax, cells, scale=style.color_of_degree, gid="degrees")
    _draw_border(ax, cut.is_kept, colors=style.INK, gid="cut")
    if len(items) <= _WRITTEN:
        _write_degrees(ax, P, cut)
    _mark_kept(ax, cut)
    marks.legend(ax, entries)
    return axes.finish(ax)


class _Cut(NamedTuple):
    """A cut with its rows and columns in order: its pairs, and what its closure adds or a cycle."""

    sequence: list[int]
    degree: Fraction
    is_kept: Matrix
    is_added: Matrix
    cycle: list[Item]
    steps: list[tuple[int, int]]


def _cut_of(P: PreferenceRelation, alpha: Any) -> _Cut:
    """Return the cut to frame, with its closure or a cycle."""
    strength = strength_of_alpha(P, alpha)
    degree = P.degree_of_strength(strength)
    is_kept = P.strength >= strength
    closed = closed_cut(is_kept)
    cycle = (shortest_cycle(P.cut(degree)) or []) if closed is None else []
    sequence = _sequence_of_degrees(P, is_kept)
    square = np.ix_(sequence, sequence)
    is_added = np.zeros_like(is_kept) if closed is None else closed & ~is_kept
    place = {P.items[i]: place for place, i in enumerate(sequence)}
    steps = [(place[u], place[v]) for u, v in pairwise(cycle)]
    return _Cut(sequence, degree, is_kept[square], is_added[square], cycle, steps)


def _sequence_of_degrees(P: PreferenceRelation, is_kept: Matrix) -> list[int]:
    """Return the order of the rows: by level in the cut, by degrees, by name."""
    levels = longest_path_levels(len(is_kept), *np.nonzero(is_kept))
    depth = [0] * len(is_kept) if levels is None else levels.tolist()
    lost, won = (P.strength.sum(axis=axis, dtype=np.int64) for axis in (0, 1))
    behind = (lost - won).tolist()
    return sorted(range(len(depth)), key=lambda i: (depth[i], behind[i], list_key(P.items[i])))


def _title_of(cut: _Cut, alpha: Any) -> str:
    """Return the title: the threshold, and the number of pairs or the cycle."""
    is_minimal = isinstance(alpha, str) and alpha == "minimal"
    where = f"Cut at {cut.degree}" + (", the minimal threshold" if is_minimal else "")
    if not isinstance(alpha, str) and alpha != cut.degree:
        where = f"Cut at {alpha} (degree {cut.degree})"
    if cut.cycle:
        return f"{where}: not an order, a cycle of {len(cut.cycle) - 1} items"
    return f"{where}: {counted(int(cut.is_kept.sum()), 'pair')}"


def _write_degrees(ax: Axes, P: PreferenceRelation, cut: _Cut) -> None:
    """Write the degrees into the cells if they are legible there."""
    is_simple = P.unit <= 99 and P.values is None
    texts = {}
    for (row, column), strength in np.ndenumerate(P.strength[np.ix_(cut.sequence, cut.sequence)]):
        if row != column:
            degree = P.degree_of_strength(int(strength))
            texts[row, column] = str(degree) if is_simple else f"{float(degree):.2g}", degree
    widest = max((width_of(text) for text, _ in texts.values()), default=0.0)
    size = min(style.SMALL, style.SMALL * 0.8 * _cell_side(ax) / max(widest, 1))
    if size >= SIZES[-1]:
        for (row, column), (text, degree) in texts.items():
            color = style.ink_on(style.color_of_degree(float(degree)))
            marks.write(ax, text, (column, row), size=size, color=color)


def _draw_border(ax: Axes, is_inside: Matrix, **how: Any) -> None:
    """Draw the border between some cells and the others."""
    sides: list[Any] = []
    for axis, step in ((1, (0, 1)), (0, (1, 0))):
        # The last corner of each side as (x, y); padding shifts the cells by one.
        ends = np.argwhere(np.diff(np.pad(is_inside, 1), axis=axis))[:, ::-1] - 0.5
        sides += [*np.stack((ends - step, ends), axis=1)]
    width = min(1.6, 0.2 * _cell_side(ax))
    how |= {"linewidths": width, "capstyle": "projecting", "clip_on": False}
    marks.add_lines(ax, sides, zorder=3, **how)


def _mark_kept(ax: Axes, cut: _Cut) -> None:
    """Mark the pairs that the closure adds, and the steps of a cycle."""
    side = _cell_side(ax)
    rows, columns = np.nonzero(cut.is_added)
    # In a corner, so the degree stays legible; a white rim shows on any shade of grey.
    size = max(0.16 * side, min(2.2, 0.8 * side)) ** 2
    dot: dict[str, Any] = {"color": style.ALARM, "edgecolors": style.PAPER}
    ax.scatter(columns + 0.34, rows - 0.34, size, linewidths=0.02 * side, gid="added", **dot)
    if cut.steps:
        rows, columns = np.array(cut.steps).T
        frame: dict[str, Any] = {"facecolors": "none", "edgecolors": style.ALARM, "marker": "s"}
        frame["linewidths"] = max(0.06 * side, 0.8)
        ax.scatter(columns, rows, (0.7 * side) ** 2, gid="cycle", **frame)


def _entries_of_degrees(cut: _Cut) -> list[Any]:
    """Return the legend entries for the shades and the marks."""
    entries = [
        marks.patch(f"P = {k / 4:g}", style.color_of_degree(k / 4), linewidth=0.5) for k in range(5)
    ]
    if cut.is_kept.any():
        entries.append(marks.patch("cut", style.PAPER, style.INK, linewidth=1.6))
    if cut.is_added.any():
        entries.append(marks.dot("added by closure", color=style.ALARM, size=3))
    if cut.cycle:
        entries.append(marks.patch("cycle", style.PAPER, style.ALARM))
    return entries


#: Sides of the square in a new figure, in inches: the least, the most, and the growth per item.
_LEAST, _MOST, _EACH = 2.6, 7.0, 0.3


def _square_for(
    frame: Frame, items: Sequence[Item], titles: tuple[str, str, str], entries: Sequence[Any]
) -> Axes:
    """Return the Axes for a matrix, with names of items around it and room for the key below."""
    title, x, y = titles
    n = max(len(items), 1)
    longest = frame.longest
    if frame.ax is not None:
        longest = min(longest, axes.size_in_points(frame.ax)[1] / 3)
    high, widest = min(_MOST, max(_LEAST, _EACH * n)), widest_name(items, longest=longest) / 72
    wide = frame.inches(high + widest + 0.4)
    side = max(wide - widest - 0.4, 1.0)
    around = 0.6 + marks.legend_height(entries, 72 * side) / 72 + widest
    # In a wide figure, cells are wider than high.
    ax = frame.axes((wide, min(side, high) + around), title=title, x=x, y=y)
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", length=0)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5))
    # Upright names take room from the rows, and wide ones from the columns.
    for _ in range(2):
        axes.fit_captions(ax)
        across, up = axes.size_in_points(ax)
        below = marks.legend_height(entries, across, up)
        axes.name_places(ax.yaxis, items, up - below, longest=longest)
        turn = 90 * (72 * widest > across / n - GAP)
        note = axes.name_places(ax.xaxis, items, across, longest=longest, rotation=turn)
        ax.set_xlabel(f"{x} ({note})" if note else x)
    axes.fit_captions(ax)
    axes.widen(ax, bottom=marks.legend_height(entries, *axes.size_in_points(ax)))
    return ax


def _cell_side(ax: Axes) -> float:
    """Return the shorter side of a cell in points."""
    return min(axes.unit_in_points(ax))
