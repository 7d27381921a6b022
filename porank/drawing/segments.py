"""Two segments of a log: the pairs on which they prefer different things.

`draw_segments` is the picture.
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


#: The longest name of one of two items, in points.
_LONGEST = 52.0


def draw_segments(comparison: SegmentComparison, *, most: int = 20, ax: Axes | None = None) -> Axes:
    """Draw the shares of two segments for each pair, the pairs on which they part on top.

    A row is a pair, a marker the share of the sessions of a segment that prefer the first item; on
    the dotted line a segment is evenly split. Pairs on which the segments do not part are grey.

    Parameters
    ----------
    comparison : SegmentComparison
        What `compare_segments` finds.
    most : int
        So many pairs are drawn, the clearest ones.
    ax : Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    Axes
        A line for each pair with the gid ``"parted"`` or ``"alike"``, markers with the gids
        ``"first"`` and ``"second"``.

    Raises
    ------
    PorankError
        If it is no comparison of segments, or `most` is no number.

    See Also
    --------
    compare_segments, SegmentComparison, draw_preferences

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import porank as po
    >>> said = [("phone", "ab")] * 20 + [("desk", "ba")] * 20
    >>> log = [{"session": number, "device": device, "item": item, "event": event}
    ...        for number, (device, pair) in enumerate(said)
    ...        for item, event in zip(pair, ("click", "view"))]
    >>> ax = po.draw_segments(po.compare_segments(log, "device"))
    >>> ax.get_title()
    'device: phone and desk part on 1 of 1 pair'
    >>> plt.close(ax.figure)

    Notes
    -----
    Time O(most), some milliseconds for each name.
    """
    if not isinstance(comparison, SegmentComparison):
        raise PorankError(f"expected what compare_segments returns, found {a_kind(comparison)}")
    drawn = comparison.pairs[: require_count(most, name="most", least=1)]
    column, *names = map(label_text, (comparison.segment, *comparison.segments))
    parted, pairs = len(comparison.parted), counted(len(comparison.pairs), "pair")
    ax = axes.axes_for(
        ax,
        size=(5.6, min(11.0, 1.5 + 0.24 * max(len(drawn), 4))),
        title=f"{column}: {names[0]} and {names[1]} part on {parted} of {pairs}",
        x="share of the sessions that prefer the first item",
        keep=("bottom",),
    )
    # The last row is for the key.
    ax.set(xlim=(-0.03, 1.03), ylim=(len(drawn) + 0.7, -0.5))
    ax.axvline(0.5, color=MUTED, linewidth=0.8, linestyle=":")
    for gid, is_parted, color in (("parted", True, INK), ("alike", False, FAINT)):
        rows = [row for row, _ in enumerate(drawn) if (row < parted) is is_parted]
        lines = [[(share, row) for share in drawn[row].shares] for row in rows]
        axes.add_lines(ax, lines, colors=color, linewidths=1.4, zorder=1, gid=gid)
    handles = []
    for place, (name, gid) in enumerate(zip(names, ("first", "second"), strict=True)):
        look, marker = SERIES[place]
        colors = [look.color if row < parted else MUTED for row, _ in enumerate(drawn)]
        shares = [pair.shares[place] for pair in drawn]
        ax.scatter(shares, range(len(drawn)), c=colors, marker=marker, s=30, zorder=3, gid=gid)
        text = f"{name} ({comparison.units[place]:,})"
        handles.append(axes.dot(text, color=look.color, size=5, marker=marker))
    axes.legend(ax, handles, place="lower center", ncols=2)
    _name_rows(ax, drawn)
    if len(drawn) < len(comparison.pairs):
        ax.set_ylabel(f"the clearest {len(drawn)}", fontsize=NORMAL, color=INK)
    axes.settle_caption(ax)
    return axes.number_gids(ax)


def _name_rows(ax: Axes, pairs: Sequence[SegmentPair]) -> None:
    """Name the rows of two segments' shares by their pairs of items, as many as have room."""
    items = list(dict.fromkeys(item for pair in pairs for item in pair[:2]))
    names = dict(zip(items, names_of(items, longest=_LONGEST), strict=True))
    length = axes.size_in_points(ax)[1]

    def named(pairs: Sequence[SegmentPair], **_: Any) -> list[str]:
        return [f"{names[pair.preferred]} over {names[pair.other]}" for pair in pairs]

    size = axes.size_for(length / (len(pairs) + 1.2))
    axes.name_places(ax.yaxis, pairs, length, size=size, named=named)
    ax.tick_params(axis="y", length=0)
