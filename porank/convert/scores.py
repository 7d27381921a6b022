"""Graphs from numbers that are known only so well: scores, intervals, survival times.

Each item stands for an interval of numbers, and u is above v when all of u's interval lies above
all of v's: an interval order; a semiorder when all intervals have the same length [1]_.

Idea: *sort the items by the upper end. What lies below u is then the beginning of that list, up to
the cut of u; what u covers is the end of this beginning, from the largest cut of an item in it.*

`from_scores`, `from_intervals`, `from_survival`.

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
from porank.core.compiled_order import levels_of_values, scores_as_dict
from porank.core.graphs import graph_of, in_order, refuse_large
from porank.errors import GIVE_SCORES, PorankError, a_kind, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Item, Numbers, Scores


def from_scores(scores: Scores, tolerance: Any = 0.0) -> nx.DiGraph:
    """Return the order in which u is above v when its score is larger by more than `tolerance`.

    With tolerance 0 it is a weak order, else a semiorder. Items of equal score are tied; items
    whose scores differ by no more than the tolerance are incomparable.

    Parameters
    ----------
    scores : mapping, array, or list of numbers
        Item -> number, larger is better; an array or a list gives the numbers of the items 0..n-1.
    tolerance : number
        Not negative. ``s(u) - s(v) > tolerance`` is computed in the numbers given: exactly for int
        and Fraction, in floating point for float.

    Returns
    -------
    DiGraph
        The transitive reduction, with the node attribute ``tie``.

    Raises
    ------
    PorankError
        If a score is NaN or no number, the tolerance is negative or NaN, or more than 10**7 edges
        would be written.

    See Also
    --------
    from_intervals, from_survival, from_table

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
        raise PorankError(f"expected a number >= 0 as tolerance, found {tolerance!r}")
    if tolerance == 0:
        return graph_of_item_levels(items, levels)
    worst_first = np.argsort(-levels, kind="stable")
    cuts = _cuts_of_scores(list(scores_as_dict(scores).values()), worst_first.tolist(), tolerance)
    return _interval_graph(items, worst_first, cuts, levels, instead=GIVE_SCORES)


def _cuts_of_scores(values: list[Any], worst_first: list[int], tolerance: Any) -> Numbers:
    """Return for each item how many scores are smaller by more than the tolerance."""
    cuts = np.zeros(len(values), dtype=np.int64)
    cut = 0
    try:
        for item in worst_first:
            while values[item] - values[worst_first[cut]] > tolerance:
                cut += 1
            cuts[item] = cut
    except (TypeError, OverflowError) as error:
        raise PorankError(f"expected scores that can be subtracted: {error}") from None
    return cuts


def from_intervals(intervals: Mapping[Any, Any]) -> nx.DiGraph:
    """Return the interval order: u is above v when the low end of u exceeds the high end of v.

    Two items with the same interval of one point are tied; intervals that overlap are incomparable.

    Parameters
    ----------
    intervals : mapping
        Item -> (low, high) with low <= high; the ends may be infinite.

    Returns
    -------
    DiGraph
        The transitive reduction, with the node attribute ``tie``.

    Raises
    ------
    PorankError
        If a value is not such a pair of numbers, or more than 10**7 edges would be written.

    See Also
    --------
    from_scores, from_survival, from_table, interval_representation, is_interval_order

    Examples
    --------
    >>> import porank as po
    >>> intervals = {"a": (5, 9), "b": (4, 6), "c": (1, 3), "d": (2, 4.5)}
    >>> list(po.from_intervals(intervals).edges)
    [('a', 'c'), ('a', 'd'), ('b', 'c')]

    Notes
    -----
    Time O(n log n + m).
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
            raise PorankError(f"expected low <= high for {item!r}, found {pair!r}")
    by_high = np.argsort(high, kind="stable")
    cuts = np.asarray(np.searchsorted(high[by_high], low, side="left"))
    points = np.where(low == high, low, -1)
    return _interval_graph(items, by_high, cuts, points)


def _read_interval(item: Item, ends: Any) -> tuple[Any, Any]:
    """Return the two ends of the interval of an item."""
    require_item(item)
    if isinstance(ends, (tuple, list, np.ndarray)) and len(ends) == 2:
        low, high = ends
        return low, high
    raise PorankError(f"expected a pair (low, high) for {item!r}, found {ends!r}")


def from_survival(times: Scores, events: Any) -> nx.DiGraph:
    """Return the order of survival times: j is above i if it is known to have lived longer.

    This is known when i had an event and j was still without one at a later time, or was censored
    at the same time, which counts as later. Two events at the same time are tied.

    Parameters
    ----------
    times : mapping, array, or list of numbers
        The time until the event or until the observation ended; an array or a list gives the times
        of the items 0..n-1.
    events : mapping, array, or list
        1 or True where the event was seen, 0 or False where the item is censored; for the same
        items.

    Returns
    -------
    DiGraph
        The transitive reduction, with the node attribute ``tie``.

    Raises
    ------
    PorankError
        If times and events are not of the same items, if an event is no truth value, if a time is
        NaN or no number, or if more than 10**7 edges would be written.

    See Also
    --------
    from_scores, from_intervals, from_table

    Examples
    --------
    >>> import porank as po
    >>> times = {"a": 5, "b": 3, "c": 3, "d": 8}
    >>> G = po.from_survival(times, {"a": 0, "b": 1, "c": 0, "d": 1})
    >>> list(G.edges)
    [('a', 'b'), ('c', 'b'), ('d', 'b')]

    Notes
    -----
    Time O(n log n + m). The pairs are those that Harrell's index [1]_ counts.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati, "Evaluating the Yield
       of Medical Tests", JAMA 247(18), 1982, pp. 2543-2546.
    """
    items, levels = read_numbers(times, name="times")
    had_event = _read_events(events, items)
    rank = levels.max(initial=0) - levels
    by_high = np.lexsort((rank, ~had_event))
    event_ranks = np.sort(rank[had_event])
    cuts = np.where(
        had_event,
        np.searchsorted(event_ranks, rank, side="left"),
        np.searchsorted(event_ranks, rank, side="right"),
    )
    return _interval_graph(items, by_high, cuts, np.where(had_event, rank, -1))


def _read_events(events: Any, items: Sequence[Item]) -> NDArray[np.bool_]:
    """Return the events of survival times as an array, item by item."""
    event_of = scores_as_dict(events, name="events")
    apart = set(items) ^ set(event_of)
    if apart:
        raise PorankError(
            f"expected times and events of the same items, "
            f"found only in one: {listed(in_order(apart))}"
        )
    for item, event in event_of.items():
        if event not in (0, 1):
            raise PorankError(f"expected 0, 1, False or True as event of {item!r}, found {event!r}")
    return np.array([bool(event_of[item]) for item in items], dtype=bool)


def _interval_graph(
    items: Sequence[Item],
    by_high: Numbers,
    cuts: Numbers,
    points: Numbers,
    *,
    instead: str = "keep fewer items",
) -> nx.DiGraph:
    """Return the interval order in which item u is above the first ``cuts[u]`` of `by_high`."""
    starts = np.maximum.accumulate(np.append(0, cuts[by_high]))[cuts]
    refuse_large(int(np.sum(cuts - starts)), instead=instead)
    in_list = by_high.tolist()
    slices = zip(starts.tolist(), cuts.tolist(), strict=True)
    sizes = np.bincount(points + 1, minlength=1)
    tied = (points >= 0) & (sizes[points + 1] > 1)
    ties = {items[number]: int(points[number]) for number in np.flatnonzero(tied).tolist()}
    rows = (in_list[start:end] for start, end in slices)
    return graph_of(items, rows, ties=ties)
