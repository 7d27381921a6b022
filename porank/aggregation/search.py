"""Heuristic search for orders of low cost: by moving single items, and by random pivots.

Idea: *remove an item from a weak order. The cost of putting it into a level, or between two levels,
is the sum of its costs with all levels above, with those below, and with the level itself. So all
places are priced by two cumulative sums over the levels.*

`local_search`, and `settled`, which moves its items; `kwiksort`, which is quicksort with majorities
as comparisons.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.votes import matrix_of, numbers_of, read_members
from porank.aggregation.costs import Aggregate, read_pair_costs, reduced_graph
from porank.aggregation.scoring import borda_levels
from porank.core.arguments import generator_of
from porank.core.arrays import inverse_of
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.core.scores import levels_of_values
from porank.measures.positions import doubled_positions
from porank.orders.algebra import require_same_items

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.aggregation.costs import PairCosts
    from porank.typing import Numbers, OrderLike, Seed


def local_search(
    orders: Any,
    start: Aggregate | OrderLike | None = None,
    *,
    counts: Sequence[int] | None = None,
    weights: Any = None,
    dissimilarity: Any = None,
) -> Aggregate:
    """Return a weak order that cannot be improved by moving a single item, or the start.

    Items move one after another, each to the level, or between two levels, where the cost is least,
    if that lowers the cost. The start is returned if nothing cheaper is found.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    start : Aggregate, DiGraph or scores, optional
        Order to start from, by default that of `borda`. A partial order that is not weak is first
        made weak by the positions of its items, as in `borda`; it is returned unchanged if nothing
        cheaper is found.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    weights, dissimilarity : optional
        As for `kemeny`.

    Returns
    -------
    Aggregate
        ``order`` is a weak order with its known ties, or a partial `start` if nothing cheaper is
        found. ``cost`` is the sum of its `partial_kendall_distance` with p = 1/2, or of
        `generalized_kendall`, to the members, at most that of `start`. ``gap`` is the cost minus a
        lower bound, the sum of the least cost of each pair. If the start and all members are total,
        the result is total.

    Raises
    ------
    CycleError
        If a member or the start has a cycle; the error names it.
    ItemMismatchError
        If the members, or the start, have different items.
    PorankError
        If there are no members, or a count, weight or dissimilarity is invalid.

    See Also
    --------
    kemeny, kwiksort, best_input, consensus_order

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abcd", "bcda", "badc")]
    >>> better = po.local_search(votes, po.best_input(votes))
    >>> po.format_order(better.order), better.cost, better.gap
    ('b > a > c > d', 4, 0)

    Notes
    -----
    Time O(n**2 k) to count the pairs of k members, plus O(n**2) for each sweep over the items; few
    sweeps are needed. Memory O(n**2). Items are moved in the order of (type name, repr), so which
    of several local optima is reached may depend on their names. The moves are those of [1]_.

    References
    ----------
    .. [1] S. Cohen-Boulakia, A. Denise, S. Hamel, "Using medians to generate consensus rankings for
       biological data", SSDBM 2011, pp. 73-90. https://doi.org/10.1007/978-3-642-22351-8_5
    """
    members = read_members(orders, counts=counts, incomplete=True)
    begin = None
    if start is not None:
        given = start.order if isinstance(start, Aggregate) else start
        begin = compile_order(given, name="start")
        require_same_items(members.orders[0], begin, names=("the members", "start"))
    costs = read_pair_costs(members, weights=weights, dissimilarity=dissimilarity)
    if begin is None:
        levels = borda_levels(costs)
    else:
        positions = doubled_positions(begin)[numbers_of(begin, costs.items)]
        levels = levels_of_values(-positions)
    levels = settled(costs, levels)
    if begin is not None and not begin.is_weak:
        above = matrix_of(begin, costs.items)
        if costs.saved(above) >= costs.saved(levels[:, None] < levels):
            return costs.price(reduced_graph(begin), above, total=False)
    return costs.price_levels(levels)


def settled(costs: PairCosts, level_of: Numbers) -> Numbers:
    """Return the levels of a local search after moving items until none moves any more."""
    levels = _Levels(level_of.copy())
    for _ in track(count(), label="sweeping"):
        if not sum([_moved(costs, levels, item) for item in range(len(level_of))]):
            break
    return levels.levels


class _Levels:
    """The level of each item in a local search, the items best first, and the starts of levels."""

    def __init__(self, levels: Numbers) -> None:
        self.arrange(levels)

    def arrange(self, levels: Numbers) -> None:
        """Put the items in these levels."""
        self.levels = levels
        self.best_first = np.argsort(levels.astype(np.min_scalar_type(levels.size)), kind="stable")
        self.starts = np.append(0, np.bincount(levels).cumsum())

    def sums_above(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the sums of values over the items above each place between two levels."""
        sums = np.zeros(values.size + 1, dtype=np.result_type(values, np.int64))
        values.take(self.best_first).cumsum(out=sums[1:])
        return sums.take(self.starts)

    def move(self, item: int, place: int, *, is_between: bool) -> None:
        """Move an item to a place in a level or between two levels."""
        left = int(self.levels[item])
        is_alone = self.starts[left + 1] - self.starts[left] == 1
        # A new level may open for the item, and its old level may close.
        moved = self.levels + (self.levels >= place) if is_between else self.levels.copy()
        left += is_between and place <= left
        moved[item] = place
        if is_alone:
            moved -= moved > left
        self.arrange(moved)


def _moved(costs: PairCosts, levels: _Levels, item: int) -> bool:
    """Move an item of a local search to where it saves most; return whether it moved."""
    # Between two levels, the margins over all items above are lost; in a level, half of its own.
    lost = levels.sums_above(costs.margin[item])
    within, level = lost[:-1] + lost[1:], levels.levels[item]
    if costs.silent is not None:
        within = within - np.diff(levels.sums_above(costs.silent[item]))
    between = 2 * lost.min()
    cheapest = min(between, within.min())
    if within[level] - cheapest <= costs.rounding:
        return False
    is_between = bool(between == cheapest)
    place = lost.argmin() if is_between else within.argmin()
    levels.move(item, int(place), is_between=is_between)
    return True


def kwiksort(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    weights: Any = None,
    dissimilarity: Any = None,
    seed: Seed = None,
) -> Aggregate:
    """Return a total order by KwikSort, which is quicksort with random pivots.

    A pivot is drawn at random. Items that beat it (more members prefer them than the pivot) go
    above it, items that it beats go below, and each side is sorted in the same way. An item that
    ties with the pivot goes to a random side.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    weights, dissimilarity : optional
        As for `kemeny`.
    seed : int, Generator or None
        Seed or source of random numbers. The same seed and members give the same order, in
        whichever order members and items are given.

    Returns
    -------
    Aggregate
        ``order`` is total. ``cost`` is the sum of its `partial_kendall_distance` with p = 1/2, or
        of `generalized_kendall`, to the members. ``gap`` is the cost minus a lower bound, the sum
        of the least cost of each pair in a total order.

    Raises
    ------
    CycleError
        If a member has a cycle; the error names the member.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there are no members, or a count, weight or dissimilarity is invalid.

    See Also
    --------
    kemeny, local_search, best_input, consensus_order

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abcd", "bacd", "abdc")]
    >>> found = po.kwiksort(votes, seed=0)
    >>> po.format_order(found.order), found.cost, found.gap
    ('a > b > c > d', 2, 0)

    Notes
    -----
    Time O(n**2 k) to count the pairs of k members, plus an expected O(n log n). If all members are
    total, the expected cost without weights is at most twice the least cost [1]_. Positive weights
    change the cost, but not the order, because they never change which item of a pair wins. There
    are no position costs: they depend on where the aggregate puts an item, so the cost would not be
    a sum over pairs. `local_search` can improve the result.

    References
    ----------
    .. [1] N. Ailon, M. Charikar, A. Newman, "Aggregating inconsistent information: ranking and
       clustering", Journal of the ACM 55(5), 2008, article 23.
       https://doi.org/10.1145/1411509.1411513
    """
    rng = generator_of(seed)
    members = read_members(orders, counts=counts, incomplete=True)
    costs = read_pair_costs(members, weights=weights, dissimilarity=dissimilarity)
    best_first = np.array(_sorted_by_pivots(costs.margin, rng), dtype=np.int64)
    return costs.price_levels(inverse_of(best_first), total=True)


def _sorted_by_pivots(margin: NDArray[Any], rng: np.random.Generator) -> list[int]:
    """Return the items best first, sorted by KwikSort with random pivots."""
    sequence: list[int] = []
    waiting: list[Numbers] = [np.arange(len(margin))]
    while waiting:
        group = waiting.pop()
        if group.size <= 1:
            sequence += group.tolist()
            continue
        place = int(rng.integers(group.size))
        pivot, others = group[place], np.delete(group, place)
        lead = margin[others, pivot]
        is_above = (lead > 0) | ((lead == 0) & (rng.random(others.size) < 0.5))
        waiting += [others[~is_above], group[place : place + 1], others[is_above]]
    return sequence
