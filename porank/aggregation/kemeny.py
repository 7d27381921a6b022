"""Kemeny's order: the total order of least cost, found exactly.

Idea: *if every item of a set wins or ties against all items outside it, an optimal order has this
set on top. So the strongly connected components of the majorities can be arranged one by one.* A
component below means such a component.

Let U be the set. Take any order, and move its items of U, in their order, above the others in
theirs. Pairs within U and pairs outside it cost the same as before, and every pair across costs as
little as possible. So some optimal order starts with U, and an order is optimal if and only if it
arranges each component optimally and agrees with every strict majority between components.

A large component is arranged by the program of `porank.abstention.integer_program`, and improved by
moving single items.

`kemeny`.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.ensembles import read_members
from porank.abstention.integer_program import read_seconds, search
from porank.abstention.thresholds import strong_components
from porank.aggregation.costs import read_pair_costs
from porank.core.arrays import inverse_of
from porank.core.progress import track
from porank.core.relation import places_of
from porank.orders.cycles import EXACT_ITEMS, arranged_exactly, improved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.aggregation.costs import Aggregate, PairCosts
    from porank.typing import Numbers


def kemeny(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    weights: Any = None,
    dissimilarity: Any = None,
    seconds: float | None = None,
) -> Aggregate:
    """Return Kemeny's order: the total order of least total distance to the members.

    It minimises over all total orders r the sum over members m of K^(1/2)(m, r), in which a pair
    that m and r decide in opposite directions counts 1, and a pair that m does not decide counts
    1/2.

    Parameters
    ----------
    orders : iterable of orders (DiGraph, ranks, scores), two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    weights : mapping or array, optional
        Item -> weight, which may include other items; or a weight for each of the items 0 to n - 1,
        or for each item of the first member in order.
    dissimilarity : matrix or callable, optional
        Dissimilarity D_ij of two items, as in `generalized_kendall`. A pair {i, j} then has the
        weight w_i w_j D_ij.
    seconds : number, optional
        Time limit of the integer programs together, at least 0. If they are stopped by it or by an
        interruption, the result is the best order found, with its gap.

    Returns
    -------
    Aggregate
        ``order`` is total. ``cost`` is the sum of its distances K^(1/2), or of
        `generalized_kendall`, to the members. ``gap`` is 0 if the order is proven optimal (up to
        rounding, with weights), otherwise the maximum by which the least cost of a total order may
        be smaller. Among optimal orders, the result is one that does not depend on the order of
        members and items; a component of up to 16 items is arranged as the first of its optimal
        arrangements by (type name, repr) of its items, from the top. ``is_unique`` says whether no
        other total order has the same cost; it is computed on demand. It is None if unknown: if a
        search was stopped or takes too long, or with weights or dissimilarities.

    Raises
    ------
    CycleError
        If a member has a cycle; the error names the member.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there are no members, or an argument is invalid.

    See Also
    --------
    aggregate, consensus_order, predict_order, borda

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    >>> best = po.kemeny(votes, counts=[3, 2, 2])
    >>> po.format_order(best.order()), best.cost, best.gap
    ('a > b > c', 8, 0)
    >>> best = po.kemeny(votes, counts=[3, 2, 2], weights={"a": 1, "b": 1, "c": 5})
    >>> po.format_order(best.order()), best.cost
    ('b > c > a', 30.0)

    Notes
    -----
    Time O(n**2 k) to count the pairs of k members. A strongly connected component of the majorities
    with j items is arranged over all its subsets in time O(j 2**j) if j <= 16. A larger one is
    arranged by an integer program, in time that is not bounded by a polynomial; transitivity
    constraints are only added when a solution violates them [2]_. The more the members agree, the
    smaller the components. Without majority cycles there are none, and the items are sorted in time
    O(n**2). Memory O(n**2).

    References
    ----------
    .. [1] J. G. Kemeny, "Mathematics without numbers", Daedalus 88(4), 1959, pp. 577-591.
    .. [2] M. Grötschel, M. Jünger, G. Reinelt, "A cutting plane algorithm for the linear ordering
       problem", Operations Research 32(6), 1984, pp. 1195-1220.
       https://doi.org/10.1287/opre.32.6.1195
    """
    deadline = time.monotonic() + read_seconds(seconds)
    members = read_members(orders, counts=counts, incomplete=True)
    costs = read_pair_costs(members, weights=weights, dissimilarity=dissimilarity)
    # The components come with those that lose to others first.
    found = track(strong_components(costs.margin > 0), label="arranging")
    arranged = [_arranged(costs, places_of(row), deadline) for row in found][::-1]
    best_first = np.concatenate([np.zeros(0, dtype=np.int64), *(items for items, _ in arranged)])
    aggregate = costs.price_levels(inverse_of(best_first), total=True)
    # Reversing a pair that is against its majority gains its margin m_ij, counted in two halves.
    gap = costs.plain(sum(gap for _, gap in arranged))
    aim = partial(costs.aim, "total") if costs.is_whole else None
    return replace(aggregate, gap=gap, _aim=aim)


def _arranged(costs: PairCosts, members: Numbers, deadline: float) -> tuple[Numbers, Any]:
    """Return a component of the majorities, arranged as in Kemeny's order, and its gap."""
    k = len(members)
    margin = costs.margin[np.ix_(members, members)]
    if k > EXACT_ITEMS:
        arrangement, gap = _arranged_by_program(margin, deadline)
        return members[arrangement], gap
    rows = enumerate(margin.tolist())
    against = {(i, j): lead for i, row in rows for j, lead in enumerate(row) if lead > 0}
    return members[arranged_exactly(k, against)], 0


def _arranged_by_program(margin: NDArray[Any], deadline: float) -> tuple[list[int], Any]:
    """Return Kemeny's arrangement by an integer program, and its gap to the least cost."""
    is_whole = margin.dtype.kind == "i"
    # Items are moved by integer weights, so floats are scaled to round(2^30 m_ij / max m).
    scale = 1 if is_whole else 2**30 / float(np.abs(margin).max())
    whole = np.rint(margin * scale).astype(np.int64)
    against = {(i, j): int(whole[i, j]) for i, j in np.argwhere(whole > 0).tolist()}

    def rounded(shares: NDArray[np.float64]) -> NDArray[np.bool_]:
        # Items by the sum over j of x_ij, the number of items that they are above.
        above = np.where(np.eye(len(margin), dtype=bool), 0, shares).sum(axis=1)
        line = improved(len(margin), against, np.argsort(-above, kind="stable").tolist())
        stands = inverse_of(np.array(line))
        is_above: NDArray[np.bool_] = stands[:, None] < stands
        return is_above

    start = rounded((margin > 0) + (margin == 0) / 2)
    # Reversing a pair changes the gain by 2 m_ij, so all gains differ by multiples of 2 gcd(m_ij).
    unit = 2 * math.gcd(*whole.ravel().tolist()) if is_whole else 0
    best, gap = search(margin, "total", rounded, start, unit=unit, deadline=deadline)
    return np.argsort(-best.sum(axis=1)).tolist(), gap
