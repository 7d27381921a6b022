"""The total order of the least footrule: an assignment of the items to the positions.

`footrule_optimal`, solved by SciPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import require_room
from porank.abstention.votes import numbers_of, read_members
from porank.aggregation.costs import Aggregate, graph_of_levels, halved
from porank.core.arguments import load
from porank.core.graphs import in_order
from porank.measures.positions import doubled_positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.abstention.votes import Ensemble
    from porank.typing import Item


#: Floats, which the solver computes in, hold every whole number up to this one.
_WHOLE = 2**53


def footrule_optimal(
    orders: Any, *, counts: Sequence[int] | None = None, progress: bool | None = None
) -> Aggregate:
    """Return a total order with the least sum of footrule distances to the members.

    Putting an item at rank p costs, summed over the members, abs(position in the member - p). Each
    item is assigned a rank of its own, so that the sum of these costs is least. Needs SciPy, which
    the extra ``optimize`` installs.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    Aggregate
        ``order`` is total; ``cost`` the sum of its `footrule_distance` to the members; ``gap`` is
        0, or None should the sums be larger than 2**53, from where on floats are not exact.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there is no member, or a count is none.
    MissingExtraError
        If SciPy is not installed.

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abcd", "bcda", "badc")]
    >>> best = po.footrule_optimal(votes)
    >>> po.format_order(best.order), best.cost, best.gap
    ('b > a > c > d', 8, 0)

    Notes
    -----
    Time O(k n**2 + n**3) for k members, memory O(n**2). If all members are weak orders the order
    found costs at most twice what `kemeny` costs [1]_: for a total order r and a weak order,
    K^(1/2) <= footrule <= 2 K^(1/2). Of equally good orders the solver's is taken, found with the
    items sorted by (type name, repr): the same however members and items are put in. Weights of
    items are not taken: by them the position of an item depends on which items stand above it, and
    the ranks can no longer be assigned one by one.

    References
    ----------
    .. [1] C. Dwork, R. Kumar, M. Naor, D. Sivakumar, "Rank aggregation methods for the Web", WWW10,
       2001, pp. 613-622. https://doi.org/10.1145/371920.372165
    """
    assign = load("scipy.optimize", "optimize").linear_sum_assignment
    members = read_members(orders, counts=counts, progress=progress)
    items = in_order(members.items)
    cost = _doubled_costs(members, items, progress=progress)
    chosen, ranks = assign(cost.astype(np.float64))
    total = sum(cost[chosen, ranks].tolist())
    is_exact = 2 * members.total * len(items) ** 2 < _WHOLE
    return Aggregate(graph_of_levels(items, ranks), halved(total), 0 if is_exact else None)


def _doubled_costs(
    members: Ensemble, items: Sequence[Item], *, progress: bool | None
) -> NDArray[Any]:
    """Return twice the footrule cost of each item at each rank, an assignment's matrix."""
    n = len(items)
    require_room(n, bytes_each=8)
    dtype = np.int64 if 2 * members.total * (n + 1) < 2**62 else object
    cost = np.zeros((n, n), dtype=dtype)
    ranks = 2 * np.arange(1, n + 1)
    for order, count in members.track("adding", progress=progress):
        positions = doubled_positions(order)[numbers_of(order, items)]
        cost += np.abs(positions[:, None] - ranks).astype(dtype, copy=False) * count
    return cost
