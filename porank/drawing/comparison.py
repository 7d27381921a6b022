"""Two orders in one diagram that shows where they agree and where they differ.

`draw_comparison` draws it. The lines of such a diagram are the covers of either order, with the
class of their pair; `comparison_lines` returns them, for LaTeX source, too. If they are too many,
`draw_ranks` draws the ranks of the items in one order against those in the other.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.graphs import item_key
from porank.drawing import axes, marks
from porank.drawing.axes import Frame
from porank.drawing.box_texts import words_of
from porank.drawing.boxes import MOST_LINES, Boxes, require_names
from porank.drawing.diagram import Box, Diagram, sheet_for
from porank.drawing.layout.hasse_layout import layout_of
from porank.drawing.planes import draw_ranks
from porank.drawing.style import CLASS_LOOKS, LINE_CLASSES
from porank.errors import counted
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from matplotlib.axes import Axes

    from porank.core.compiled_order import CompiledOrder
    from porank.drawing.diagram import Sheet
    from porank.measures.pair_table import PairCounts, Pairing
    from porank.typing import OrderLike


def draw_comparison(
    target: OrderLike,
    predicted: OrderLike,
    *,
    names: Mapping[Any, object] | None = None,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw two orders in one diagram that shows where they agree and where they differ.

    Items are on the levels of the target. There is a line for each pair that is a cover in either
    order, with the colour and the style of its class: grey if both agree, otherwise contradicted by
    the prediction, missing in it, or added by it. Arrows on contradicted and added lines point from
    the item that the prediction prefers to the other.

    If there are more than 50 lines or items, no lines are drawn: each item is a dot at the mean of
    its possible ranks in the target and in the prediction, with a bar for those in the prediction.
    The more contradicted pairs an item is in, the darker and larger is its dot, and the earlier it
    is named.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    names : mapping, optional
        item -> name to write instead of the item itself.
    width, title, ax
        Width of a new figure, title, and Axes to draw in, as for `draw_hasse`.

    Returns
    -------
    Axes
        Boxes are texts with the gid ``"item"``. The lines of a class are one collection, with the
        class in `pair_classes` as its gid; arrows have the gid ``"arrow"``. Dots have the gid
        ``"item"``, bars ``"interval"``, names ``"name"``.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which one.
    ItemMismatchError
        If their items differ; `align` fixes it.
    PorankError
        If an option names unknown items.

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
    pairing = pair_up(target, predicted)
    boxes = Boxes.of_items(target, list(pairing.target.items))
    called = require_names(names, boxes.box)
    frame = Frame(ax, width, title)
    n_covers = max(each.relation.count_covers() for each in (pairing.target, pairing.predicted))
    lines = comparison_lines(pairing) if n_covers <= MOST_LINES else []
    if max(pairing.n, n_covers, len(lines)) > MOST_LINES:
        return draw_ranks(pairing, called, frame, _title_of_ranks(pairing))
    # Lines that the target lacks may lead upwards, so they are not part of its layout.
    within = [line.ends for line in lines if line.kind != "predicted_only"]
    layout = layout_of(target, more=within)
    known, entries = set(layout.edges), _entries(pairing.counts, lines)
    how: dict[str, Any] = {"bows": {line.ends for line in lines if line.ends not in known}}
    how |= {"caption": "lines: covers of either order; arrows: as predicted"}
    how |= {"side_caption": "best of the target at the top"}
    diagram = Diagram(layout, words_of(boxes, called), entries, _title(pairing), **how)
    sheet = sheet_for(frame, diagram)
    _draw_lines(sheet, lines)
    sheet.draw_boxes(dict.fromkeys(layout, Box()))
    return axes.finish(sheet.ax)


def _title(pairing: Pairing) -> str:
    """Return the title of a comparison."""
    return f"Target and prediction on {counted(pairing.counts.all_pairs, 'pair')}"


def _title_of_ranks(pairing: Pairing) -> str:
    """Return the title of a comparison without lines, with the number of pairs of each class."""
    counts = [f"{getattr(pairing.counts, kind):,} {CLASS_LOOKS[kind].name}" for kind in CLASS_LOOKS]
    return f"{_title(pairing)}:\n{', '.join(counts)}"


def _entries(counts: PairCounts, lines: list[ComparisonLine]) -> list[Any]:
    """Return the legend: the number of lines of each class, and in brackets of pairs."""
    often, found = Counter(line.kind for line in lines), []
    for kind, look in CLASS_LOOKS.items():
        is_line = kind in LINE_CLASSES
        many = counted(often[kind], "line") if is_line else "no line"
        text = f"{look.name}: {many} ({counted(getattr(counts, kind), 'pair')})"
        how = {"color": look.color, "linewidth": look.width}
        found.append(marks.stroke(text, linestyle=look.dash if is_line else "none", **how))
    return found


def _draw_lines(sheet: Sheet, lines: list[ComparisonLine]) -> None:
    """Draw the lines of a comparison, class by class."""
    for place, kind in enumerate(LINE_CLASSES):
        look = CLASS_LOOKS[kind]
        paths, heads = [], []
        for line in (line for line in lines if line.kind == kind):
            path = sheet.course(*line.ends)
            paths.append(path)
            if line.arrow is not None:
                heads.append(path if line.arrow == line.ends else path[::-1])
        how: dict[str, Any] = {"colors": look.color, "linestyles": [look.dash]}
        how |= {"linewidths": max(0.4, look.width * sheet.thin), "zorder": 2 + place / 10}
        marks.add_lines(sheet.ax, paths, gid=kind, **how)
        sheet.draw_heads(heads, facecolors=look.color, zorder=2.5)


class ComparisonLine(NamedTuple):
    """A line between two items: the class of their pair, and where its arrow leads, if any."""

    better: Any
    worse: Any
    kind: str
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
    covers = {*_covers(pairing.target)}
    for k, m in _covers(pairing.predicted):
        i, j = number[k], number[m]
        covers.add((j, i) if truth[j, i] else (i, j))
    lines = []
    for i, j in covers:
        k, m = in_predicted[i], in_predicted[j]
        agrees, opposes = guess[k, m], guess[m, k]
        kind = "concordant" if agrees else "discordant" if opposes else "target_only"
        kind = kind if truth[i, j] else "predicted_only"
        u, v = items[i], items[j]
        arrow = {"predicted_only": (u, v), "discordant": (v, u)}.get(kind)
        lines.append(ComparisonLine(u, v, kind, arrow))
    return sorted(lines, key=lambda line: (item_key(line.better), item_key(line.worse)))


def _covers(order: CompiledOrder) -> Iterator[tuple[int, int]]:
    """Return the covers of an order."""
    return zip(*(side.tolist() for side in order.relation.cover_edges()), strict=True)
