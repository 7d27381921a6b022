"""A comparison of systems: their order beside means and ranks.

`draw_systems` draws it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.graphs import in_order
from porank.drawing import axes
from porank.drawing.axes import Frame
from porank.drawing.fonts import width_of
from porank.drawing.hasse_diagram import hasse_sheet
from porank.drawing.item_rows import add_dots, add_intervals
from porank.drawing.style import ALARM, FAINT, INK, SMALL
from porank.drawing.texts import names_of
from porank.errors import PorankError, a_kind, counted
from porank.significance.system_comparison import SystemComparison

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


#: The share of the width for the order, and the width in inches below which it has its own row.
_ORDER, _NARROW = 0.5, 5.0
#: Room in points: below the panels, and between them.
_BELOW, _GAP = 30.0, 10.0
#: Maximum number of dashed lines; more would hide the diagram.
_MOST_BROKEN = 20


def draw_systems(
    comparison: SystemComparison,
    *,
    measure: str | None = None,
    width: str | float | None = None,
    title: str | None = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw the order of systems by significant differences, beside their means.

    On the left is the Hasse diagram: lines lead down from a system to those that are significantly
    worse. On the right are the means, the best at the top, then the simultaneous rank sets if they
    are known.

    Parameters
    ----------
    comparison : SystemComparison
        The result of `compare_systems`, `compare_evaluations` or `compare_scores`.
    measure : str, optional
        Name of the measure; not needed if there is only one.
    width : {"column", "page"} or float, optional
        Width of a new figure: 3.3 or 6.5 inches, or any number of inches. Text has 7 to 9 points.
    title : str or None
        Title instead of the usual one; with None there is none.
    ax : Axes, optional
        Axes to draw in. By default a new figure.

    Returns
    -------
    Axes
        The parts are Axes of their own: the diagram of `draw_hasse`; dots with the gid ``"mean"``;
        lines with the gid ``"ranks"``. If significant differences are not transitive, a dashed line
        with the gid ``"broken"`` joins two systems that a chain of significant differences joins,
        but that do not differ significantly. Systems on a cycle share a box.

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
    G, rows = comparison.decided(chosen), _rows(comparison, chosen)
    ranks = comparison.rank_sets_or_none(chosen) or {}
    height = min(11.0, max(3.2, 1.2 + 0.23 * len(rows)))
    frame = Frame(ax, width, title)
    across = frame.inches(8.0 + 1.2 * bool(ranks))
    # In a column, the order is above the means, otherwise beside them.
    split = 0.5 if ax is None and across < _NARROW else 1.0
    ax = frame.axes((across, min(9.0, height / split)), title=_title(comparison, chosen))
    ax.set(xticks=[], yticks=[])
    axes.fit_captions(ax)
    across, height = axes.size_in_points(ax)
    below = min(_BELOW / height, 0.3)
    high = split - below
    order = ax.inset_axes((0, 1 - high, _ORDER if split == 1 else 1, high))
    _draw_order(order, G, [] if ranks else comparison.broken(chosen))
    names = max((width_of(name) for name in names_of(rows)), default=0.0)
    left = min(_ORDER * (split == 1) + (names + 2 * _GAP) / across, 0.8)
    middle = left + (0.6 if ranks else 1.0) * (1 - left)
    means = ax.inset_axes((left, below, middle - left, high))
    _draw_means(means, rows, comparison, chosen)
    if ranks:
        possible = ax.inset_axes((middle + 0.02, below, 0.98 - middle, high))
        _draw_ranks(possible, [ranks[system] for system in rows])
    return axes.number_gids(ax)


def _rows(comparison: SystemComparison, measure: str) -> list[Any]:
    """Return the rows: the best mean first, systems without a mean last."""
    sign = -1 if comparison.better[measure] == "higher" else 1
    means = comparison.means[measure]

    def key(system: Any) -> float:
        return math.inf if math.isnan(means[system]) else sign * means[system]

    return sorted(in_order(comparison.systems), key=key)


def _title(comparison: SystemComparison, measure: str) -> str:
    """Return the title: the number of significant differences."""
    n = len(comparison.systems)
    found = comparison.significant(measure).number_of_edges()
    significant = f"{found:,} of {n * (n - 1) // 2:,} differences significant"
    (name,) = names_of([measure], longest=150)
    return f"{name} of {counted(n, 'system')}: {significant}"


def _draw_order(ax: Axes, G: nx.DiGraph, broken: Sequence[tuple[Any, Any, Any]]) -> None:
    """Draw the Hasse diagram of systems, and chains whose ends do not differ significantly."""
    is_cyclic = not nx.is_directed_acyclic_graph(G)
    circle = "dashed boxes: strongly connected, better along a cycle"
    text = circle if is_cyclic else "lines lead down to significantly worse systems"
    if followed := sum(follows is True for *_, follows in G.edges(data="added")):
        text += f"\n{followed:,} of these only follow from others"
    is_drawn = not is_cyclic and len(broken) <= _MOST_BROKEN
    # The ends of each chain that do not differ significantly.
    ends = [(u, w) for u, _, w in broken] if is_drawn else []
    sheet = hasse_sheet(G, Frame(ax), bows=ends)
    if broken:
        where = "dashed lines" if is_drawn else "ends of some chains"
        text += f"\n{where}: not significant ({len(broken):,})"
    axes.caption(ax, title="", x=text, y="")
    ax.set_yticks([])
    if ends:
        how: dict[str, Any] = {"colors": ALARM, "linewidths": 1.2, "linestyles": "--"}
        paths = [sheet.bow(u, w) for u, w in ends]
        axes.add_lines(ax, paths, zorder=2.2, gid="broken", **how)


def _draw_means(ax: Axes, rows: Sequence[Any], comparison: SystemComparison, measure: str) -> None:
    """Draw a dot for the mean of each system, in its row."""
    axes.without_frame(ax, keep=("bottom",))
    means = [comparison.means[measure][system] for system in rows]
    _rule(ax, len(rows))
    add_dots(ax, means, gid="mean")
    ax.margins(x=0.08)
    ax.locator_params(axis="x", nbins=3)
    note = axes.name_places(ax.yaxis, rows, axes.size_in_points(ax)[1])
    ax.tick_params(axis="y", length=0)
    groups = counted(comparison.groups[measure], comparison.unit)
    x = f"mean of {groups},\n{comparison.better[measure]} is better"
    axes.caption(ax, title="", x=x, y=note)
    ax.xaxis.label.set_fontsize(SMALL)


def _rule(ax: Axes, n: int) -> None:
    """Draw a faint line along each of n rows, the first one at the top."""
    row: dict[str, Any] = {"color": FAINT, "linewidth": 0.6, "zorder": 1}
    ax.hlines(range(n), 0, 1, transform=ax.get_yaxis_transform(), **row)
    ax.set_ylim(n - 0.5, -0.5)


def _draw_ranks(ax: Axes, ranks: Sequence[tuple[int, int]]) -> None:
    """Draw a line from the best to the worst possible rank of each system, in its row."""
    n = len(ranks)
    axes.without_frame(ax, keep=("bottom",))
    _rule(ax, n)
    ends = [(best - 0.3, worst + 0.3) for best, worst in ranks]
    add_intervals(ax, ends, range(n), linewidths=4, gid="ranks")
    ax.set(xlim=(0.4, n + 0.6), yticks=[])
    axes.number_ranks(ax.xaxis, n, axes.size_in_points(ax)[0])
    ax.set_xlabel("possible\nranks", fontsize=SMALL, color=INK)
