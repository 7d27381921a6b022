"""Two segments of a log: the pairs on which their preferences differ.

`draw_segments` draws them for a report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.drawing import axes
from porank.drawing.style import FAINT, INK, MUTED, NORMAL, SERIES
from porank.drawing.texts import label_text, names_of
from porank.errors import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from porank.significance.segments import SegmentComparison, SegmentPair


#: Maximum width of the name of an item, in points, and maximum number of pairs.
_LONGEST, _MOST = 52.0, 20


def draw_segments(comparison: SegmentComparison, *, ax: Axes | None = None) -> Axes:
    """Draw the gaps of two segments for each pair, with the pairs that differ at the top.

    A row is a pair. Its markers are the log-odds, in each segment, that the first item is chosen
    over the other at equal places; on the dotted line neither is. Pairs on which the segments do
    not differ significantly are grey. The lines have the gid ``"parted"`` or ``"alike"``, the
    markers ``"first"`` and ``"second"``.
    """
    drawn = comparison.pairs[:_MOST]
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
    axes.fit_captions(ax)
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
