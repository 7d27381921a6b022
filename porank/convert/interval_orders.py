"""Make orders from numbers that are not known exactly: scores and intervals.

Each item has an interval of possible numbers, and u is above v if the whole interval of u is above
that of v. This is an interval order, and a semiorder if all intervals have the same length [1]_.

Idea: *sort the items by their upper ends. The items below u then are the first ones of this list,
up to the cut of u. The items that u covers are the last of these, from the largest cut of an item
below u on.*

`from_scores`, `from_intervals`.

References
----------
.. [1] P. C. Fishburn, "Interval Orders and Interval Graphs", Wiley, 1985.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.convert.rankings import graph_of_item_levels, read_numbers
from porank.core.arguments import holds, require_item
from porank.core.graphs import graph_of, refuse_large
from porank.core.scores import levels_of_values, scores_as_dict
from porank.errors import GIVE_SCORES, PorankError, a_kind, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx

    from porank.typing import Item, Numbers, Scores


def from_scores(scores: Scores, tolerance: Any = 0.0) -> nx.DiGraph:
    """Return the order in which u is above v if its score is larger by more than `tolerance`.

    It is a weak order if the tolerance is 0, and a semiorder otherwise. Items with equal scores are
    tied. Items whose scores differ, but not by more than the tolerance, are incomparable.

    Parameters
    ----------
    scores : mapping, array, or list of numbers
        Mapping item -> number; larger is better. A list or an array has the numbers of the items
        0..n-1.
    tolerance : number
        Largest difference that is ignored, at least 0. The difference ``s(u) - s(v)`` is computed
        in the type of the scores: exactly for int and Fraction, with rounding for float.

    Returns
    -------
    DiGraph
        The transitive reduction, with the node attribute ``tie``.

    Raises
    ------
    PorankError
        If a score is NaN or not a number, if the tolerance is negative or NaN, or if the graph
        would have more than 10**7 edges.

    See Also
    --------
    from_intervals, from_table

    Examples
    --------
    >>> import porank as po
    >>> scores = {"a": 9, "b": 8, "c": 7, "d": 7}
    >>> list(po.from_scores(scores).edges)
    [('a', 'b'), ('b', 'c'), ('b', 'd')]
    >>> list(po.from_scores(scores, tolerance=1).edges)
    [('a', 'c'), ('a', 'd')]

    Notes
    -----
    Time O(n log n + m).
    """
    items, levels = read_numbers(scores, name="scores")
    if not holds(lambda number: number >= 0, tolerance):
        raise PorankError(f"expected a number >= 0 as tolerance, found {quoted(tolerance)}")
    if tolerance == 0:
        return graph_of_item_levels(items, levels)
    worst_first = np.argsort(-levels, kind="stable")
    cuts = _cuts_of_scores(list(scores_as_dict(scores).values()), worst_first.tolist(), tolerance)
    return _interval_graph(items, worst_first, cuts, levels, instead=GIVE_SCORES)


def _cuts_of_scores(values: list[Any], worst_first: list[int], tolerance: Any) -> Numbers:
    """Return for each item the number of scores that are smaller by more than the tolerance."""
    cuts = np.zeros(len(values), dtype=np.int64)
    cut = 0
    try:
        for item in worst_first:
            while values[item] - values[worst_first[cut]] > tolerance:
                cut += 1
            cuts[item] = cut
    except (TypeError, OverflowError) as error:
        raise PorankError(f"cannot subtract the scores: {error}") from None
    return cuts


def from_intervals(intervals: Mapping[Any, Any]) -> nx.DiGraph:
    """Return the interval order of some intervals.

    An item u is above v if the low end of u is larger than the high end of v. Two items are tied if
    their intervals are the same single point. Other overlapping intervals are incomparable.

    Parameters
    ----------
    intervals : mapping
        Mapping item -> (low, high) with low <= high. The ends can be infinite.

    Returns
    -------
    DiGraph
        The transitive reduction, with the node attribute ``tie``.

    Raises
    ------
    PorankError
        If a value is not such a pair, or if the graph would have more than 10**7 edges.

    See Also
    --------
    from_scores, from_table, interval_representation, is_interval_order

    Examples
    --------
    >>> import porank as po
    >>> intervals = {"a": (5, 9), "b": (4, 6), "c": (1, 3), "d": (2, 4.5)}
    >>> list(po.from_intervals(intervals).edges)
    [('a', 'c'), ('a', 'd'), ('b', 'c')]

    Survival times, of which some are censored, are intervals, too. The pairs are those that
    Harrell's concordance index [1]_ counts: b had an event at time 3, so a and c survived longer.

    >>> import math
    >>> times, had_event = {"a": 5, "b": 3, "c": 3, "d": 8}, {"b", "d"}
    >>> later = {x: (math.nextafter(t, math.inf), math.inf) for x, t in times.items()}
    >>> survived = later | {x: (times[x], times[x]) for x in had_event}
    >>> sorted(po.from_intervals(survived).edges)
    [('a', 'b'), ('c', 'b'), ('d', 'b')]

    Notes
    -----
    Time O(n log n + m).

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati, "Evaluating the Yield
       of Medical Tests", JAMA 247(18), 1982, pp. 2543-2546.
    """
    if not isinstance(intervals, Mapping):
        raise PorankError(f"expected a mapping item -> (low, high), found {a_kind(intervals)}")
    items = list(intervals)
    bounds = [_read_interval(item, ends) for item, ends in intervals.items()]
    ends = [low for low, _ in bounds] + [high for _, high in bounds]
    levels = levels_of_values(ends, items=items * 2)
    low, high = np.split(levels.max(initial=0) - levels, 2)
    for item, pair, is_empty in zip(items, bounds, (low > high).tolist(), strict=True):
        if is_empty:
            raise PorankError(f"expected low <= high for {quoted(item)}, found {quoted(pair)}")
    by_high = np.argsort(high, kind="stable")
    cuts = np.asarray(np.searchsorted(high[by_high], low, side="left"))
    points = np.where(low == high, low, -1)
    return _interval_graph(items, by_high, cuts, points)


def _read_interval(item: Item, ends: Any) -> tuple[Any, Any]:
    """Return the low and the high end of the interval of an item."""
    require_item(item)
    if isinstance(ends, (tuple, list, np.ndarray)) and len(ends) == 2:
        low, high = ends
        return low, high
    raise PorankError(f"expected a pair (low, high) for {quoted(item)}, found {quoted(ends)}")


def _interval_graph(
    items: Sequence[Item],
    by_high: Numbers,
    cuts: Numbers,
    points: Numbers,
    *,
    instead: str = "keep fewer items",
) -> nx.DiGraph:
    """Return the interval order in which u is above the first ``cuts[u]`` items of `by_high`."""
    starts = np.maximum.accumulate(np.append(0, cuts[by_high]))[cuts]
    refuse_large(int(np.sum(cuts - starts)), instead=instead)
    in_list = by_high.tolist()
    slices = zip(starts.tolist(), cuts.tolist(), strict=True)
    sizes = np.bincount(points + 1, minlength=1)
    tied = (points >= 0) & (sizes[points + 1] > 1)
    ties = {items[number]: int(points[number]) for number in np.flatnonzero(tied).tolist()}
    rows = (in_list[start:end] for start, end in slices)
    return graph_of(items, rows, ties=ties)
