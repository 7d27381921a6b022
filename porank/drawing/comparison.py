"""Two orders in one diagram that shows where they agree and where they differ.

`draw_comparison` draws it. The lines of such a diagram are the covers of either order, with the
class of their pair; `comparison_lines` returns them, for LaTeX source, too. If they do not fit,
`draw_ranks` draws the ranks of the items in one order against those in the other.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import require_one_of
from porank.core.graphs import item_key
from porank.drawing import axes, marks
from porank.drawing.axes import Frame
from porank.drawing.box_texts import words_of
from porank.drawing.boxes import Boxes, require_few, require_names
from porank.drawing.diagram import Box, Diagram, arrow_head, sheet_for
from porank.drawing.layout.hasse_layout import layout_of
from porank.drawing.layout.levels import LAYERINGS
from porank.drawing.planes import draw_ranks, size_of_plane
from porank.drawing.style import CLASS_LOOKS, LINE_CLASSES, TITLE
from porank.drawing.texts import label_text
from porank.errors import PorankError, counted
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from matplotlib.axes import Axes

    from porank.core.compiled_order import CompiledOrder
    from porank.drawing.box_texts import Words
    from porank.drawing.diagram import Sheet
    from porank.drawing.layout.hasse_layout import HasseLayout
    from porank.measures.pair_table import PairCounts, Pairing
    from porank.typing import OrderLike


_SIDES = ("overlay", "both")
#: Length of an arrow head in points.
_HEAD = 9.0


def draw_comparison(
    target: OrderLike,
    predicted: OrderLike,
    *,
    side: str = "overlay",
    layering: str = "ranks",
    names: Mapping[Any, object] | None = None,
    headings: tuple[str, str] = ("target", "predicted"),
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw two orders in one diagram that shows where they agree and where they differ.

    Items are on the levels of the target. There is a line for each pair that is a cover in either
    order, with the colour and the style of its class: grey if both agree, otherwise contradicted by
    the prediction, missing in it, or added by it. Arrows on contradicted and added lines point from
    the item that the prediction prefers to the other.

    If names do not fit, or there are more than 50 lines, no lines are drawn: each item is a dot at
    the mean of its possible ranks in the target and in the prediction, with a bar for those in the
    prediction. Items in contradicted pairs are coloured, and are named first.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    side : str
        ``"overlay"``: one diagram with the covers of both, or dots if it does not fit.
        ``"both"``: two diagrams side by side, even if they do not fit, with the target on the left
        and the items at the same places.
    layering : str
        How to choose the level of an item in the target, as for `hasse_layout`.
    names : mapping, optional
        item -> name to write instead of the item itself.
    headings : tuple of str
        Headings of the two diagrams of ``side="both"``.
    width : {"column", "page"} or float, optional
        Width of a new figure: 3.3 or 6.5 inches, or any number of inches. Text has 7 to 9 points.
    title : str or None
        Title instead of the usual one; with None there is none.
    ax : Axes, optional
        Axes to draw in. By default a new figure.

    Returns
    -------
    Axes
        Boxes are texts with the gid ``"item"``. The lines of a class are one collection, with the
        class in `pair_classes` as its gid; arrows have the gid ``"arrow"``. Dots have the gid
        ``"item"``, bars ``"interval"``, names ``"name"``. Two diagrams are Axes inside the Axes.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which one.
    ItemMismatchError
        If their items differ; `align` fixes it.
    PorankError
        If an option is unknown, or one of two diagrams has more than 20,000 lines.

    See Also
    --------
    draw_hasse, write_page, to_tikz, draw_pair_matrix

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_comparison(po.parse("a > b > c > d"), po.parse("b > a > c; d"))
    >>> [text.get_text() for text in ax.get_legend().get_texts()[:2]]
    ['contradicted: 1 line (1 pair)', 'missing: 1 line (3 pairs)']
    >>> [text.get_text() for text in ax.get_legend().get_texts()[2:]]
    ['added: 0 lines (0 pairs)', 'agreed: 2 lines (2 pairs)', 'neither: no line (0 pairs)']

    Notes
    -----
    The legend counts the lines, and in brackets all pairs of the closures. Takes the time of
    `hasse_layout` for the lines of both, O(n**2) beyond the closures, and some milliseconds for
    each name. Known ties are not framed.
    """
    require_one_of(side, _SIDES, name="side")
    require_one_of(layering, LAYERINGS, name="layering")
    above = _headings(headings)
    pairing = pair_up(target, predicted)
    boxes = Boxes.of_items(target, list(pairing.target.items))
    called = require_names(names, boxes.box)
    frame = Frame(ax, width, title)
    is_overlay = side == "overlay"
    n_covers = max(each.relation.count_covers() for each in (pairing.target, pairing.predicted))
    if is_overlay and max(n_covers, len(comparison_lines(pairing))) > _MOST_DRAWN:
        return draw_ranks(pairing, called, frame, _title_of_ranks(pairing))
    lines = comparison_lines(pairing)
    # Lines that the target lacks may lead upwards, so they are not part of its layout.
    within = [line.ends for line in lines if line.kind != "predicted_only"]
    layout, words = layout_of(target, layering, more=within), words_of(boxes, called)
    if not is_overlay:
        return _draw_both(frame, layout, words, lines, pairing, above)
    diagram = _diagram(layout, words, lines, pairing.counts, title=_title(pairing), y=_BEST)
    sheet = sheet_for(frame, diagram)
    if sheet.has_boxes:
        _draw_sheet(sheet, lines)
        return axes.finish(sheet.ax)
    drawn: Any = sheet.ax
    drawn.get_legend().remove()
    if ax is None:
        drawn.figure.set_size_inches(size_of_plane(frame))
    frame = Frame(drawn, title=title)
    return draw_ranks(pairing, called, frame, _title_of_ranks(pairing))


#: Labels that explain the lines and the direction of the levels.
_LINES, _BEST = (
    "lines: covers of either order; arrows: as predicted",
    "best of the target at the top",
)


def _diagram(
    layout: HasseLayout,
    words: dict[Any, Words],
    lines: list[ComparisonLine],
    counts: PairCounts,
    *,
    but: str = "",
    **how: Any,
) -> Diagram:
    """Return the diagram of a comparison, or of one of its sides, which lacks a class of lines."""
    known, entries = set(layout.edges), _entries(counts, lines, but)
    bows = [line.ends for line in lines if line.ends not in known]
    return Diagram(layout, words, entries, bows=bows, **{"x": _LINES} | how)


def _draw_both(
    frame: Frame,
    layout: HasseLayout,
    words: dict[Any, Words],
    lines: list[ComparisonLine],
    pairing: Pairing,
    headings: tuple[str, ...],
) -> Axes:
    """Draw two orders in two diagrams side by side, in Axes inside the Axes."""
    target = [line._replace(arrow=None) for line in lines if line.is_in[0]]
    sides = target, [line for line in lines if line.is_in[1]]
    kinds = "predicted_only", "target_only"
    diagrams = [
        _diagram(layout, words, side, pairing.counts, but=but, title=heading, x="")
        for side, heading, but in zip(sides, headings, kinds, strict=True)
    ]
    width, height = np.max([diagram.figure_size() for diagram in diagrams], axis=0).tolist()
    size = frame.inches(min(2 * width, _WIDEST)), height + 0.4
    ax = frame.axes(size, title=_title(pairing), x=_LINES, y=_BEST)
    ax.set(xticks=[], yticks=[], xlim=(0, 1), ylim=(0, 1))
    axes.fit_captions(ax)
    high = 1 - min(0.2, 2 * TITLE / axes.size_in_points(ax)[1])
    for left, diagram, side in zip((0, 0.5), diagrams, sides, strict=True):
        _draw_sheet(sheet_for(Frame(ax.inset_axes((left, 0, 0.5, high))), diagram), side)
    return axes.finish(ax)


def _draw_sheet(sheet: Sheet, lines: list[ComparisonLine]) -> None:
    """Draw the lines and the boxes of a comparison, or of one of its sides."""
    _draw_lines(sheet, lines)
    sheet.draw_boxes(dict.fromkeys(sheet.layout, Box()))


def _headings(headings: Any) -> tuple[str, ...]:
    """Return the headings of the two diagrams as texts."""
    given = tuple(headings) if isinstance(headings, (tuple, list)) else ()
    if len(given) != len(_SIDES):
        raise PorankError(f"expected two headings, found {headings!r:.80}")
    return tuple(map(label_text, given))


def _title(pairing: Pairing) -> str:
    """Return the title of a comparison."""
    return f"Target and prediction on {counted(pairing.counts.all_pairs, 'pair')}"


def _title_of_ranks(pairing: Pairing) -> str:
    """Return the title of a comparison without lines, with the number of pairs of each class."""
    counts = [f"{getattr(pairing.counts, kind):,} {CLASS_LOOKS[kind].name}" for kind in CLASS_LOOKS]
    return f"{_title(pairing)}:\n{', '.join(counts[:-1])}"


def _entries(counts: PairCounts, lines: list[ComparisonLine], but: str) -> list[Any]:
    """Return the legend without one class: the number of lines, and in brackets of pairs."""
    often, found = Counter(line.kind for line in lines), []
    for kind, look in CLASS_LOOKS.items():
        is_line = kind in LINE_CLASSES
        many = counted(often[kind], "line") if is_line else "no line"
        text = f"{look.name}: {many} ({counted(getattr(counts, kind), 'pair')})"
        how = {"color": look.color, "linewidth": look.width}
        if kind != but:
            found.append(marks.stroke(text, linestyle=look.dash if is_line else "none", **how))
    return found


def _draw_lines(sheet: Sheet, lines: list[ComparisonLine]) -> None:
    """Draw the lines of a comparison, class by class."""
    known = set(sheet.layout.edges)
    thin = sheet.thin
    for place, kind in enumerate(LINE_CLASSES):
        look = CLASS_LOOKS[kind]
        paths, heads = [], []
        for line in (line for line in lines if line.kind == kind):
            u, v = line.ends
            path = sheet.run(u, v) if line.ends in known else sheet.bow(u, v)
            paths.append(path)
            if line.arrow is not None:
                way = path if line.arrow[0] == u else path[::-1]
                heads.append(arrow_head(way, _HEAD * thin, sheet.scale.point))
        how: dict[str, Any] = {"colors": look.color, "linestyles": [look.dash]}
        how |= {"linewidths": max(0.4, look.width * thin), "zorder": 2 + place / 10}
        marks.add_lines(sheet.ax, paths, gid=kind, **how)
        if heads:
            marks.add_areas(
                sheet.ax, heads, facecolors=look.color, linewidths=0, zorder=2.5, gid="arrow"
            )


#: Diagrams with more lines of either order are black; lines of both cannot be told apart sooner.
_MOST_LINES, _MOST_DRAWN = 20_000, 50
#: Maximum width of two diagrams in a new figure, in inches.
_WIDEST = 16.0


class ComparisonLine(NamedTuple):
    """A line between two items: in which order, or both, and where its arrow leads, if any."""

    better: Any
    worse: Any
    kind: str
    is_in: tuple[bool, bool]
    arrow: tuple[Any, Any] | None

    @property
    def ends(self) -> tuple[Any, Any]:
        """The two items."""
        return self.better, self.worse


def comparison_lines(pairing: Pairing) -> list[ComparisonLine]:
    """Return a line for each pair that is a cover in one of two orders, or in both."""
    items = pairing.target.items
    truth, guess = pairing.target.matrix(), pairing.predicted.matrix()
    in_predicted = pairing.index.tolist()
    number = {there: here for here, there in enumerate(in_predicted)}
    covers: dict[tuple[int, int], list[bool]] = {}
    for i, j in _covers(pairing.target):
        covers[i, j] = [True, False]
    for k, m in _covers(pairing.predicted):
        i, j = number[k], number[m]
        covers.setdefault((j, i) if truth[j, i] else (i, j), [False, False])[1] = True
    lines = []
    for (i, j), sides in covers.items():
        k, m = in_predicted[i], in_predicted[j]
        agrees, opposes = guess[k, m], guess[m, k]
        kind = "concordant" if agrees else "discordant" if opposes else "target_only"
        kind = kind if truth[i, j] else "predicted_only"
        u, v = items[i], items[j]
        arrow = {"predicted_only": (u, v), "discordant": (v, u)}.get(kind)
        lines.append(ComparisonLine(u, v, kind, (sides[0], sides[1]), arrow))
    return sorted(lines, key=lambda line: (item_key(line.better), item_key(line.worse)))


def _covers(order: CompiledOrder) -> Iterator[tuple[int, int]]:
    """Yield the covers of an order, or raise an error if there are too many."""
    require_few(
        order.relation.count_covers(),
        _MOST_LINES,
        "lines to compare two orders by",
        "restrict(G, items) takes a part of an order, draw_pair_matrix shows all pairs",
    )
    for i, row in enumerate(order.relation.reduced_rows()):
        for j in row:
            yield i, j
