"""Kemeny's order: the total order of least cost, found exactly.

Idea: *where every item of a set wins or draws its contests with all items outside, an optimal order
has that set on top; so the knots of the majorities are arranged one by one, and woven together.*

Let U be the set. Take any order, and put its items of U, in their sequence, before the others in
theirs: pairs within U and pairs outside cost what they did, and every pair across costs as little
as it can. So some optimal order begins with U, and an order is optimal if and only if it arranges
each knot optimally and decides every strict majority between knots.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arrays import inverse_of
from porank.core.graphs import graph_of, refuse_large
from porank.core.progress import track
from porank.ensemble.aggregate import Aggregate
from porank.ensemble.deadlines import read_seconds
from porank.ensemble.kemeny_program import arranged_by_program
from porank.ensemble.order_graphs import graph_of_sequence
from porank.ensemble.pair_costs import read_pair_costs
from porank.ensemble.thresholds import has_cycle
from porank.errors import PorankError, listed
from porank.orders.cycles import EXACT_ITEMS, arrangement_costs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.ensemble.pair_costs import PairCosts

_METHODS = ("auto", "subsets", "program")
#: Of more items than this the sets take seconds and gigabytes.
_MOST_BY_SUBSETS = 20


def kemeny(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    weights: Any = None,
    dissimilarity: Any = None,
    method: str = "auto",
    seconds: float | None = None,
    progress: bool = False,
) -> Aggregate:
    """Return the total order with the least sum of distances to the members.

    It minimises over all total orders r the sum over members m of K^(1/2)(m, r), where a pair that
    the two decide contrarily counts 1, and one that m leaves open counts 1/2 whatever r is.

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
    method : {"auto", "subsets", "program"}
        How a knot of the majorities is arranged: over all its subsets, which takes up to 20 items;
        by an integer program, which needs SciPy (the extra ``optimize``); or by subsets up to 16
        items, as long as these are quicker, and by a program beyond.
    seconds : number from 0 on, optional
        How long the integer programs may take together, up to the end of a step. When they are
        stopped, the best order so far comes back, with its gap.
    progress : bool
        Show a bar.

    Returns
    -------
    Aggregate
        ``order`` is total; ``cost`` the sum of its distances K^(1/2), or of `generalized_kendall`,
        to the members; ``gap`` is 0 if the order is proven optimal (up to rounding, if weights are
        floats or have more than some ten digits), else at most so much more than the least cost of
        a total order. By subsets it is of all optimal orders the first by (type name, repr) of its
        items, from the top; by a program it is one of them, the same however members and items are
        put in.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there is no member, an argument is none of its kind, a knot is too large for
        ``method="subsets"``, or there are majority cycles and more than 10**7 strict majorities.
    MissingExtraError
        If a knot needs a program and SciPy is not installed.

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    >>> best = po.kemeny(votes, counts=[3, 2, 2])
    >>> po.format_order(best.order), best.cost, best.gap
    ('a > b > c', 8, 0)
    >>> best = po.kemeny(votes, counts=[3, 2, 2], weights={"a": 1, "b": 1, "c": 5})
    >>> po.format_order(best.order), best.cost
    ('b > c > a', 30)

    Notes
    -----
    Time O(n**2 k) to count the pairs of k members, and for each knot of j items O(j 2**j) by
    subsets. By a program, whose time no polynomial bounds: the transitivity of three items is
    demanded only where a solution so far violates it [2]_, and what the linear relaxation proves is
    proven again by its multipliers. Members that agree more have smaller knots; members without
    any majority cycle have none, and are put in order in time O(n**2). Memory O(n**2); where there
    is a majority cycle, the strict majorities are written as a graph, some hundred bytes for each.

    References
    ----------
    .. [1] J. G. Kemeny, "Mathematics without numbers", Daedalus 88(4), 1959, pp. 577-591.
    .. [2] M. Grötschel, M. Jünger, G. Reinelt, "A cutting plane algorithm for the linear ordering
       problem", Operations Research 32(6), 1984, pp. 1195-1220.
       https://doi.org/10.1287/opre.32.6.1195
    """
    if method not in _METHODS:
        raise PorankError(f"expected method to be one of {listed(_METHODS)}, found {method!r}")
    limit = read_seconds(seconds)
    costs = read_pair_costs(
        orders, counts=counts, weights=weights, dissimilarity=dissimilarity, progress=progress
    )
    deadline = time.monotonic() + limit
    found = track(_knots(costs.margin), progress=progress, label="arranging")
    knots = [_arranged(costs, members, method, deadline, progress=progress) for members in found]
    best_first = _woven(costs.margin, knots)
    stands = inverse_of(np.array(best_first, dtype=np.int64))
    cost, _ = costs.priced(stands[:, None] < stands, total=True)
    # A pair against its majority costs a whole margin, which is two halves.
    gap = costs.plain(2 * sum(knot.gap for knot in knots))
    return Aggregate(graph_of_sequence(costs.items, best_first), cost, gap)


def _knots(margin: NDArray[Any]) -> list[list[int]]:
    """Return the strongly connected components of the strict majorities, single items too."""
    beats = margin > 0
    if not has_cycle(beats):
        return [[item] for item in range(len(margin))]
    refuse_large(
        int(np.count_nonzero(beats)), instead="local_search and kwiksort take as many items"
    )
    G = graph_of(range(len(margin)), (np.flatnonzero(row).tolist() for row in beats))
    return [sorted(component) for component in nx.strongly_connected_components(G)]


@dataclass(frozen=True)
class _Knot:
    """Items that are arranged together.

    Attributes
    ----------
    members : list of int
        The items, ascending.
    leaders : callable
        Takes a set of members, as bits, and returns which of them may stand first.
    gap : number
        How much more than the least may point upwards in what the leaders arrange.
    """

    members: list[int]
    leaders: Callable[[int], list[int]]
    gap: Any = 0


def _arranged(
    costs: PairCosts, members: list[int], method: str, deadline: float, *, progress: bool
) -> _Knot:
    """Return the knot of these items, arranged by the method."""
    k = len(members)
    if k == 1:
        return _Knot(members, lambda _: [0])
    margin = costs.margin[np.ix_(members, members)]
    if method == "program" or (method == "auto" and k > EXACT_ITEMS):
        arrangement, gap = arranged_by_program(
            margin, exact=bool(costs.divisor), deadline=deadline, progress=progress
        )
        return _Knot(members, lambda remaining: [arrangement[k - remaining.bit_count()]], gap)
    if k > _MOST_BY_SUBSETS:
        raise PorankError(
            f"expected knots of at most {_MOST_BY_SUBSETS} items for method='subsets', found one "
            f"of {k}; method='program' arranges it"
        )
    rows = enumerate(margin.tolist())
    against = {(i, j): lead for i, row in rows for j, lead in enumerate(row) if lead > 0}
    return _Knot(members, arrangement_costs(k, against).leaders)


def _woven(margin: NDArray[Any], knots: Sequence[_Knot]) -> list[int]:
    """Return all items best first: of all orders that the knots allow, the first.

    An item may come next if its knot says so and everything has come that beats it from another
    knot.
    """
    n = len(margin)
    knot_of = np.zeros(n, dtype=np.int64)
    for number, knot in enumerate(knots):
        knot_of[knot.members] = number
    beats = (margin > 0) & (knot_of[:, None] != knot_of)
    waits_for = beats.sum(axis=0)
    remaining = [(1 << len(knot.members)) - 1 for knot in knots]
    may_lead = np.zeros(n, dtype=bool)
    for knot, whole in zip(knots, remaining, strict=True):
        may_lead[[knot.members[place] for place in knot.leaders(whole)]] = True
    sequence: list[int] = []
    for _ in range(n):
        item = int(np.argmax(may_lead & (waits_for == 0)))
        sequence.append(item)
        waits_for -= beats[item]
        number = int(knot_of[item])
        knot = knots[number]
        remaining[number] ^= 1 << knot.members.index(item)
        may_lead[knot.members] = False
        if remaining[number]:
            may_lead[[knot.members[place] for place in knot.leaders(remaining[number])]] = True
    return sequence
