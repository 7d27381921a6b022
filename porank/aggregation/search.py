"""Orders of low cost searched for: item by item until none wants to move, and by pivots.

Idea: *take an item out of a weak order; standing between two levels or in one of them costs what it
costs with all levels above, with those below, and with the level itself; so all places are priced
by two running sums over the levels.*

`local_search`, and `settled`, which moves its items; `kwiksort`, which does as quicksort does, with
a majority at every comparison.
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
from porank.core.compiled_order import compile_order, levels_of_values
from porank.core.progress import track
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
    """Return a weak order that moving no single item improves, or the start.

    The start comes back if nothing cheaper is found. One item after the other moves to the level,
    or to the place between two levels, where the cost is least, as long as that is less than
    before.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    start : Aggregate, DiGraph or scores, optional
        What to begin with, by default the order of `borda`. A partial order that is not weak is
        first made weak by the positions of its items, as `borda` has them, and comes back as it is
        if nothing cheaper is found.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    weights : mapping or array, optional
        item -> weight, which may have other items too; or a weight for each of the items 0..n-1 or,
        of items with other names, of the first member's items in their sequence.
    dissimilarity : matrix, mapping or callable, optional
        How unlike two items are, as in `generalized_kendall`. A pair {i, j} then counts
        w_i w_j D_ij times.

    Returns
    -------
    Aggregate
        ``order`` is a weak order with its known ties, or a partial `start` if nothing cheaper is
        found; ``cost`` the sum of its distances K^(1/2), or of `generalized_kendall`, to the
        members, never more than that of `start`; ``gap`` the cost less the sum over pairs of the
        least that each must cost in any order. From a total order and total members it remains
        total.

    Raises
    ------
    CycleError
        If a member has a cycle, or the start; the error says which.
    ItemMismatchError
        If the members, or the start, have different items.
    PorankError
        If there is no member, or a count, a weight or a dissimilarity is none.

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
    Time O(n**2) for each sweep over the items, of which few are needed, beyond the O(n**2 k) that
    count the pairs of k members; memory O(n**2). Items move in the order of (type name, repr), so
    that which of several local optima is reached may depend on how they are called. The moves are
    those of [1]_.

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
    """Return the levels of a local search after moving items until all of them stay."""
    levels = _Levels(level_of.copy())
    for _ in track(count(), label="sweeping"):
        if not sum([_moved(costs, levels, item) for item in range(len(level_of))]):
            break
    return levels.levels


class _Levels:
    """The level of each item of a local search, the items best first, and where levels begin."""

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
        """Let an item stand at a place, in a level or between two."""
        left = int(self.levels[item])
        is_alone = self.starts[left + 1] - self.starts[left] == 1
        # A level opens for the item, or one closes behind it.
        moved = self.levels + (self.levels >= place) if is_between else self.levels.copy()
        left += is_between and place <= left
        moved[item] = place
        if is_alone:
            moved -= moved > left
        self.arrange(moved)


def _moved(costs: PairCosts, levels: _Levels, item: int) -> bool:
    """Move an item of a local search to where it saves most; tell if it was elsewhere."""
    # Standing between two levels loses the margins over all above; in a level, half of its own.
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
    """Return a total order by KwikSort: pivots drawn at random.

    An item is drawn; what beats it, by more members than lose to it, goes above, what it beats goes
    below, and either side is put in order in the same way. An item that neither beats the pivot nor
    is beaten by it goes to a side drawn at random.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    weights : mapping or array, optional
        item -> weight, which may have other items too; or a weight for each of the items 0..n-1 or,
        of items with other names, of the first member's items in their sequence.
    dissimilarity : matrix, mapping or callable, optional
        How unlike two items are, as in `generalized_kendall`. A pair {i, j} then counts
        w_i w_j D_ij times.
    seed : int, Generator or None
        Where the randomness comes from. The same seed gives the same order of the same members, in
        whatever sequence these and their items come.

    Returns
    -------
    Aggregate
        ``order`` is total; ``cost`` the sum of its distances K^(1/2), or of `generalized_kendall`,
        to the members; ``gap`` the cost less the sum over pairs of the least that each must cost in
        a total order.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there is no member, or a count, a weight or a dissimilarity is none.

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
    Expected time O(n log n) beyond the O(n**2 k) that count the pairs of k members. If all members
    are total the expected cost, without weights, is at most twice the least [1]_. What a pair
    counts never changes which of the two wins, so that weights above 0 change the cost and not the
    order. Position costs are not taken: they depend on where the aggregate puts an item, and then
    the cost is no sum over pairs. `local_search` polishes what comes back.

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
    """Return the items best first as KwikSort sorts them, by pivots drawn at random."""
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
