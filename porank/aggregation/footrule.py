"""The total order of the least footrule: an assignment of the items to the positions.

`footrule_optimal`, solved by SciPy, or bounded by the medians of the positions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import require_room
from porank.abstention.votes import numbers_of, read_members
from porank.aggregation.costs import Aggregate, graph_of_levels, halved
from porank.core.arguments import load, require_one_of
from porank.core.compiled_order import plain_number
from porank.core.graphs import in_order
from porank.measures.positions import doubled_positions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers


#: Floats, which the solver computes in, hold every whole number up to this one.
_WHOLE = 2**53


def footrule_optimal(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    method: str = "assignment",
    progress: bool | None = None,
) -> Aggregate:
    """Return a total order of least total footrule distance to the members.

    Putting an item at rank p costs, summed over the members, abs(position in the member - p). Each
    item is assigned a rank of its own, so that the sum of these costs is least.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    method : {"assignment", "median"}
        The least sum, found by SciPy, which the extra ``optimize`` installs; or at once the items
        by the median of their positions, with a gap.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    Aggregate
        ``order`` is total; ``cost`` the sum of its `footrule_distance` to the members; ``gap`` is
        0, or None should the sums be larger than 2**53, from where on floats are not exact. By the
        median it is the cost less the sum of what each item costs at the rank that is best for it.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there is no member, a count is none, `method` is none of those allowed, or the items are
        so many that a matrix of items and ranks takes more than 8 GB.
    MissingExtraError
        If SciPy is not installed.

    See Also
    --------
    kemeny, borda

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abcd", "bcda", "badc")]
    >>> best = po.footrule_optimal(votes)
    >>> po.format_order(best.order), best.cost, best.gap
    ('b > a > c > d', 8, 0)
    >>> quick = po.footrule_optimal(votes, method="median")
    >>> po.format_order(quick.order), quick.cost, quick.gap
    ('b > a > c > d', 8, 1)

    Notes
    -----
    Time O(k n + n**3) for k members, memory O(n**2), seconds for 2,000 items and minutes for 5,000;
    by the median O(k n log k) and O(k n). If all members are weak orders the order
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
    require_one_of(method, ("assignment", "median"), name="method")
    members = read_members(orders, counts=counts, progress=progress)
    items = in_order(members.items)
    is_exact = 2 * members.total * len(items) ** 2 < _WHOLE
    voters = np.array(members.counts, dtype=np.int64 if is_exact else object)[:, None]
    tracked = members.track("adding", progress=progress)
    positions = np.array(
        [doubled_positions(order)[numbers_of(order, items)] for order, _ in tracked]
    )
    if method == "median":
        ranks, least = _median_ranks(positions, voters)
    else:
        # Of more voters than floats can hold only the shares count.
        shares = (
            voters if is_exact else np.array([[each / members.total] for each in members.counts])
        )
        ranks, least = _assigned_ranks(positions, shares), None
    cost = plain_number((np.abs(positions - 2 * ranks) * voters).sum())
    aggregate = Aggregate(graph_of_levels(items, ranks), halved(cost), 0 if is_exact else None)
    return aggregate if least is None else replace(aggregate, gap=halved(cost - least))


def _assigned_ranks(positions: NDArray[Any], voters: NDArray[Any]) -> Numbers:
    """Return the ranks of the least footrule, an assignment of the items to the ranks by SciPy.

    Idea: *from one rank to the next an item's cost grows by the voters who have it above, less
    those who have it below; so the costs at all ranks are sums of sums.*
    """
    assign = load("scipy.optimize", "optimize").linear_sum_assignment
    n = positions.shape[1]
    require_room(n, bytes_each=16)
    cost = np.zeros((n, n))
    # An odd position, doubled, lies between two ranks.
    for place in (positions // 2, (positions + 1) // 2):
        # What happens at the last rank changes no cost.
        np.add.at(cost, (np.arange(n), place % n), 2.0 * voters * (place < n))
    np.cumsum(cost[:, 1:], axis=1, out=cost[:, 1:])
    cost[:, 1:] -= 2 * voters.sum()
    cost[:, :1] = (np.abs(positions - 2) * voters).sum(axis=0)[:, None]
    _, ranks = assign(np.cumsum(cost, axis=1, out=cost))
    return np.asarray(ranks) + 1


def _median_ranks(positions: NDArray[Any], voters: NDArray[Any]) -> tuple[Numbers, int]:
    """Return the ranks by the median positions, and a doubled footrule that none is below."""
    by_place = np.argsort(positions, axis=0, kind="stable")
    places = np.take_along_axis(positions, by_place, axis=0)
    met = np.cumsum(voters[by_place, 0], axis=0)
    lower, upper = (
        np.take_along_axis(places, np.argmax(2 * met >= least, axis=0)[None], axis=0)[0]
        for least in (voters.sum(), voters.sum() + 1)
    )
    sums = [
        (np.abs(positions - 2 * rank) * voters).sum(axis=0) for rank in (lower // 2, -(-lower // 2))
    ]
    ranks = np.empty(len(lower), dtype=np.int64)
    ranks[np.argsort(lower + upper, kind="stable")] = np.arange(1, len(lower) + 1)
    return ranks, plain_number(np.minimum(*sums).sum())
