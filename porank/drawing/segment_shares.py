"""Two segments of a log: the pairs on which their preferences differ.

`draw_segments` draws them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_count
from porank.drawing import axes
from porank.drawing.style import FAINT, INK, MUTED, NORMAL, SERIES
from porank.drawing.texts import label_text, names_of
from porank.errors import PorankError, a_kind, counted
from porank.significance.segments import SegmentComparison

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from porank.significance.segments import SegmentPair


#: Maximum width of the name of an item, in points.
_LONGEST = 52.0


def draw_segments(comparison: SegmentComparison, *, most: int = 20, ax: Axes | None = None) -> Axes:
    """Draw the gaps of two segments for each pair, with the pairs that differ at the top.

    A row is a pair. Its markers are the log-odds, in each segment, that the first item is chosen
    over the other at equal places; on the dotted line neither is. Pairs on which the segments do
    not differ significantly are grey.

    Parameters
    ----------
    comparison : SegmentComparison
        The result of `compare_segments`.
    most : int
        Maximum number of pairs to draw, those with the clearest differences.
    ax : Axes, optional
        Axes to draw in. By default a new figure.

    Returns
    -------
    Axes
        A line for each pair with the gid ``"parted"`` or ``"alike"``, markers with the gids
        ``"first"`` and ``"second"``.

    Raises
    ------
    PorankError
        If `comparison` is not a comparison of segments, or `most` is not a number.

    See Also
    --------
    compare_segments, SegmentComparison, draw_preferences

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> lists = [("phone", "ab"), ("phone", "ba"), ("desk", "ab"), ("desk", "ba")] * 20
    >>> log = [{"session": number, "device": device, "item": item, "position": place,
    ...         "clicked": int(item == ("a" if device == "phone" else "b"))}
    ...        for number, (device, pair) in enumerate(lists)
    ...        for place, item in enumerate(pair, 1)]
    >>> ax = po.draw_segments(po.compare_segments(log, "device"))
    >>> ax.get_title()
    'device: phone and desk differ on 1 of 1 pair'

    Notes
    -----
    Time O(most), and some milliseconds for each name.
    """
    if not isinstance(comparison, SegmentComparison):
        raise PorankError(f"expected a result of compare_segments, found {a_kind(comparison)}")
    drawn = comparison.pairs[: require_count(most, name="most", least=1)]
    column, *names = map(label_text, (comparison.segment, *comparison.segments))
    parted, pairs = len(comparison.parted), counted(len(comparison.pairs), "pair")
    ax = axes.axes_for(
        ax,
        size=(5.6, min(11.0, 1.5 + 0.24 * max(len(drawn), 4))),
        title=f"{column}: {names[0]} and {names[1]} differ on {parted} of {pairs}",
        x="log-odds that the first item is chosen",
        keep=("bottom",),
    )
    # The last row is for the legend.
    ax.set(ylim=(len(drawn) + 0.7, -0.5))
    ax.axvline(0, color=MUTED, linewidth=0.8, linestyle=":")
    for gid, is_parted, color in (("parted", True, INK), ("alike", False, FAINT)):
        rows = [row for row, _ in enumerate(drawn) if (row < parted) is is_parted]
        lines = [[(gap, row) for gap in drawn[row].gaps] for row in rows]
        axes.add_lines(ax, lines, colors=color, linewidths=1.4, zorder=1, gid=gid)
    handles = []
    for place, (name, gid) in enumerate(zip(names, ("first", "second"), strict=True)):
        look, marker = SERIES[place]
        colors = [look.color if row < parted else MUTED for row, _ in enumerate(drawn)]
        gaps = [pair.gaps[place] for pair in drawn]
        ax.scatter(gaps, range(len(drawn)), c=colors, marker=marker, s=30, zorder=3, gid=gid)
        text = f"{name} ({comparison.units[place]:,})"
        handles.append(axes.dot(text, color=look.color, size=5, marker=marker))
    axes.legend(ax, handles, place="lower center", ncols=2)
    _name_rows(ax, drawn)
    if len(drawn) < len(comparison.pairs):
        ax.set_ylabel(f"the clearest {len(drawn)}", fontsize=NORMAL, color=INK)
    axes.settle_caption(ax)
    return axes.number_gids(ax)


def _name_rows(ax: Axes, pairs: Sequence[SegmentPair]) -> None:
    """Label the rows with their pairs of items, as many as fit."""
    items = list(dict.fromkeys(item for pair in pairs for item in pair[:2]))
    names = dict(zip(items, names_of(items, longest=_LONGEST), strict=True))
    length = axes.size_in_points(ax)[1]

    def named(pairs: Sequence[SegmentPair], **_: Any) -> list[str]:
        return [f"{names[pair.preferred]} over {names[pair.other]}" for pair in pairs]

    size = axes.size_for(length / (len(pairs) + 1.2))
    axes.name_places(ax.yaxis, pairs, length, size=size, named=named)
    ax.tick_params(axis="y", length=0)
