"""One total order out of many by pivots: as quicksort does, with a majority at every comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import generator_of
from porank.core.arrays import inverse_of
from porank.ensemble.aggregate import Aggregate
from porank.ensemble.order_graphs import graph_of_sequence
from porank.ensemble.pair_costs import read_pair_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers, Seed


def kwiksort(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    weights: Any = None,
    dissimilarity: Any = None,
    seed: Seed = None,
    progress: bool = False,
) -> Aggregate:
    """Return a total order found by pivots drawn at random.

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
    progress : bool
        Show a bar.

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
    costs = read_pair_costs(
        orders, counts=counts, weights=weights, dissimilarity=dissimilarity, progress=progress
    )
    best_first = _sorted_by_pivots(costs.margin, rng)
    stands = inverse_of(np.array(best_first, dtype=np.int64))
    cost, gap = costs.priced(stands[:, None] < stands, total=True)
    return Aggregate(graph_of_sequence(costs.items, best_first), cost, gap)


def _sorted_by_pivots(margin: NDArray[Any], rng: np.random.Generator) -> list[int]:
    """Return the items best first."""
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
