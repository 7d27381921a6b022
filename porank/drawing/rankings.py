"""Rankings side by side: parallel columns, and a line for each item."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any

from porank.abstention.votes import in_sequence_of, read_members
from porank.core.arrays import inverse_of
from porank.drawing.captions import caption, settle_caption
from porank.drawing.palette import INK
from porank.drawing.parallel import columns_of
from porank.drawing.strands import (
    HALF,
    Sketch,
    draw_strands,
    frame_ties,
    half_widths,
    mark_crossings,
)
from porank.drawing.style import (
    NORMAL,
    SMALL,
    axes_for,
    make_room,
    number_gids,
    size_in_points,
    without_frame,
)
from porank.drawing.texts import names_of, plain_text, shortened, width_of
from porank.drawing.ticks import note_of, shown_places, size_for
from porank.errors import NotApplicableError, PorankError, counted
from porank.measures.generalized import scaled
from porank.measures.pair_counts import NumberedAlike, count_agreement
from porank.measures.weights import read_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Item

#: Points between a column and the names beside it.
_GAP = 6.0
#: So many names are measured.
_MEASURED = 200
#: Columns nearer than so many points have no titles of their own.
_NARROW = 16.0


def draw_rankings(
    orders: Any,
    *,
    names: Iterable[object] | None = None,
    weights: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw rankings side by side as columns, best on top, with a line through all for each item.

    Between two columns the lines of two items cross if the two rankings contradict each other on
    these items, so that the crossings are the inversions. Tied items are framed, and change places
    within the frame.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, or Profile
        Weak orders of the same items, as for `preference_relation`; each is drawn once, however
        often it occurs.
    names : iterable, optional
        A name for each ranking, by default its number.
    weights : mapping or array, optional
        item -> weight; or a weight for each of the items 0..n-1 or, of items with other names, of
        the first ranking's items in their sequence. A line is as wide as its item is heavy, and the
        `generalized_kendall` distance is given.
    ax : Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    Axes
        Column k lies at x = k, an item in slot s from the top, counted from 0, at y = s. The lines
        are one collection with the gid ``"items"``, dots on the crossings one with the gid
        ``"inversions"``, their numbers have the gid ``"crossings"``, frames ``"tie"``, and the
        counts below ``"count"``.

    Raises
    ------
    CycleError
        If one of them has a cycle; the error says which.
    ItemMismatchError
        If they have different items; `align` brings two of them together.
    NotApplicableError
        If one of them is not weak.
    PorankError
        If there is none, if there are not as many names, or an item has no weight.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> ax = po.draw_rankings([po.from_ranking("abcd"), po.from_ranking("badc")], names=["x", "y"])
    >>> [text.get_text() for text in ax.texts if text.get_gid() == "count"]
    ['2 inversions']
    >>> plt.close(ax.figure)

    Notes
    -----
    Time O(k n log n) for k rankings of n items, and some milliseconds for each name. Where names
    would overlap, every j-th is shown, and the picture says so. Crossings have dots if there are
    no more than 400; where several pairs cross in one point, the dot says how many.
    """
    members, _ = read_members(orders)
    _require_weak(members)
    titles = _titles(names, len(members))
    items = members[0].items
    weight = None if weights is None else read_weights(weights, items)
    columns = columns_of(members)
    counts = _counts(members, weight)
    ax = _axes(ax, items, titles, counts, is_weighted=weight is not None)
    sketch = Sketch(ax, columns, half_widths(ax, columns))
    draw_strands(sketch, weight)
    frame_ties(sketch)
    mark_crossings(sketch, weight)
    _write_items(sketch, items)
    _write_titles(sketch, titles)
    _write_counts(sketch, counts)
    return number_gids(ax)


def _require_weak(members: Sequence[Order]) -> None:
    for number, order in enumerate(members, start=1):
        if not order.is_weak:
            raise NotApplicableError(
                f"expected weak orders, found member {number} partial: its items have no place in "
                "a column; draw_comparison(target, predicted) and draw_pair_matrix show two "
                "partial orders"
            )


def _titles(names: Any, k: int) -> list[str]:
    """Return the names of the rankings, as they are to be written."""
    if names is None:
        return [str(number) for number in range(1, k + 1)]
    if not isinstance(names, Iterable):
        raise PorankError(f"expected a name for each of the {k} rankings, found {names!r}")
    given = list(names)
    if len(given) != k:
        raise PorankError(f"expected a name for each of the {k} rankings, found {len(given)}")
    return [plain_text(name).replace("$", r"\$") for name in given]


def _counts(members: Sequence[Order], weight: NDArray[Any] | None) -> list[list[str]]:
    """Return, for each two neighbours, in words how far they differ."""
    lines = []
    for here, there in pairwise(members):
        both = NumberedAlike(here, there)
        agreed, opposed = count_agreement(both)
        found = [counted(opposed, "inversion")]
        one_sided = here.count_pairs() + there.count_pairs() - 2 * (agreed + opposed)
        if one_sided:
            found.append(f"{counted(one_sided, 'pair')} tied in one of them")
        if weight is not None:
            sequence = in_sequence_of(here, members[0])
            weighed = scaled(both, weight if sequence is None else weight[sequence], None)
            found.append(f"distance {float(weighed.share(weighed.pair_sum(), 2)):.4g}")
        lines.append(found)
    return lines


def _axes(
    ax: Axes | None,
    items: Sequence[Item],
    titles: Sequence[str],
    counts: Sequence[Sequence[str]],
    *,
    is_weighted: bool,
) -> Axes:
    """Return the Axes with room at the sides for names, above for titles, below for counts."""
    n, k = len(items), len(titles)
    widest = max(map(width_of, names_of(items[:_MEASURED])), default=0.0)
    lines = max(map(len, counts), default=0)
    height = min(9.0, max(2.0, 0.24 * n)) + 0.7 + 0.14 * lines
    ax = axes_for(ax, size=(min(14.0, max(2.6, 1.5 * (k - 1))) + 0.3 + widest / 36, height))
    without_frame(ax)
    ax.set_xticks([])
    ax.set_yticks([])
    note = "\nlines as wide as items are heavy" if is_weighted else ""
    title = f"{counted(k, 'ranking')} of {counted(n, 'item')}"
    caption(ax, title=title, x=f"each crossing is an inversion{note}", y="best on top")
    ax.set_xlim(0, k - 1) if k > 1 else ax.set_xlim(-0.5, 0.5)
    ax.set_ylim(max(n, 1) - 0.5, -0.5)
    settle_caption(ax)
    half_title = max(width_of(title, size=NORMAL) for title in (titles[0], titles[-1])) / 2
    side = max(widest + _GAP + 2 * HALF, min(half_title, 0.15 * size_in_points(ax)[0]))
    make_room(ax, left=side, right=side, top=1.5 * NORMAL, bottom=(1.3 * lines + 1) * SMALL)
    return ax


def _longest(ax: Axes) -> float:
    """Return how long a name may be, in points: the sides take two thirds of the width at most."""
    return min(110.0, 0.33 * size_in_points(ax)[0] - _GAP - 2 * HALF)


def _write_items(sketch: Sketch, items: Sequence[Item]) -> None:
    """Name the items beside the first and the last column; say so if not all have a name."""
    n = len(items)
    size = size_for(sketch.slot)
    shown = shown_places(n, sketch.slot * n, size=size)
    last = len(sketch.columns) - 1
    sides = ((0, sketch.columns[0].left, -1, "right"), (last, sketch.columns[-1].right, 1, "left"))
    names = names_of(items, size=size, longest=_longest(sketch.ax))
    for k, slots, direction, align in sides[: 1 + last]:
        at = inverse_of(slots)
        for slot in shown:
            sketch.ax.annotate(
                names[at[slot]],
                (k + direction * sketch.half[k], slot),
                xytext=(direction * _GAP, 0),
                textcoords="offset points",
                fontsize=size,
                color=INK,
                ha=align,
                va="center",
                gid="item",
            )
    if note_of(shown):
        sketch.ax.set_ylabel(f"{sketch.ax.get_ylabel()}, {note_of(shown)}")


def _write_titles(sketch: Sketch, titles: Sequence[str]) -> None:
    """Write the name of each ranking above its column, shortened to fit; every k-th of many."""
    longest = 0.95 * sketch.pace
    step = 1 if longest > _NARROW else ceil(_NARROW / longest)
    for k in range(0, len(titles), step):
        sketch.ax.annotate(
            shortened(titles[k], size=NORMAL, longest=max(longest * step, _NARROW)),
            (k, -0.5),
            xytext=(0, 0.4 * NORMAL),
            textcoords="offset points",
            fontsize=NORMAL,
            color=INK,
            ha="center",
            va="bottom",
            gid="title",
        )


def _write_counts(sketch: Sketch, counts: Sequence[Sequence[str]]) -> None:
    """Write below each two neighbouring columns how far they differ, as much of it as fits."""
    bottom = sketch.columns[0].left.size - 0.5
    for k, lines in enumerate(counts):
        fitting = [line for line in lines if width_of(line) <= 0.95 * sketch.pace]
        shown = fitting or [lines[0].split()[0]]
        sketch.ax.annotate(
            "\n".join(shown),
            (k + 0.5, bottom),
            xytext=(0, -0.4 * SMALL),
            textcoords="offset points",
            fontsize=SMALL,
            color=INK,
            ha="center",
            va="top",
            gid="count",
        )
