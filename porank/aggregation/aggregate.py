"""One order out of many by any method: `aggregate`."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

from porank.aggregation.consensus import consensus_order
from porank.aggregation.kemeny import kemeny
from porank.aggregation.voting_rules import best_input, borda, copeland, footrule_optimal
from porank.core.arguments import require_one_of
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porank.aggregation.costs import Aggregate


METHODS: dict[str, Callable[..., Aggregate]] = {
    "kemeny": kemeny,
    "borda": borda,
    "copeland": copeland,
    "footrule": footrule_optimal,
    "best_input": best_input,
    "consensus": consensus_order,
}


def aggregate(
    orders: Any,
    *,
    method: str = "kemeny",
    counts: Sequence[int] | None = None,
    **options: Any,
) -> Aggregate:
    """Return one order out of many, by Kemeny, Borda, Copeland or another method.

    Parameters
    ----------
    orders : iterable of orders (DiGraph, ranks, scores), two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    method : {"kemeny", "borda", "copeland", "footrule", "best_input", "consensus"}
        "kemeny" is the total order of least cost, as by `kemeny`. "borda" sorts the items by mean
        position, as `borda` does. "copeland" is the weak order by contests won minus contests lost.
        "footrule" is a total order of least total `footrule_distance` to the members. "best_input"
        is the member of least cost. "consensus" is the partial or weak order of least cost, as by
        `consensus_order`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    **options
        Options of the method: ``seconds`` of kemeny and consensus; ``weights`` and
        ``dissimilarity`` of kemeny and best_input; ``family``, ``abstention_cost`` and ``ties`` of
        consensus.

    Returns
    -------
    Aggregate
        The order, its cost and its gap. ``cost`` is the sum of its `partial_kendall_distance` with
        p = 1/2 to the members; for footrule, that of its `footrule_distance`; for consensus, that
        of `consensus_order`. ``gap`` bounds how much less another order can cost. It is 0 for
        footrule, or None if the sums exceed 2**53, where floats are no longer exact. For copeland
        and best_input it is the cost minus the sum of the least cost of each pair.

    Raises
    ------
    CycleError
        If a member has a cycle; the error names the member.
    ItemMismatchError
        If the members have different items. Orders of a `Profile` may, except for footrule and
        best_input.
    PorankError
        If the method is unknown, or an option is not one of the method; if there are no members, or
        a count or an option is invalid; or if the result would take too much memory.

    See Also
    --------
    kemeny, borda, consensus_order, majority_graph, predict_order

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abcd", "bcda", "badc")]
    >>> for method in ("kemeny", "borda", "copeland", "footrule", "best_input"):
    ...     found = po.aggregate(votes, method=method)
    ...     print(f"{po.format_order(found.order()):14} {found.cost} {found.gap}")
    b > a > c > d  4 0
    b > a > c > d  4 0
    b > a > c > d  4 0
    b > a > c > d  8 0
    a > b > c > d  5 1
    >>> po.aggregate(votes, method="borda", seconds=1)
    Traceback (most recent call last):
    porank.errors.PorankError: method 'borda' has no option seconds=; it is an option of
    'kemeny', 'consensus'

    Notes
    -----
    Time O(n**2 k) for k members of n items to count the pairs; with "footrule" O(k n + n**3), with
    "kemeny" and "consensus" plus the time of the search. Memory O(n**2).
    """
    require_one_of(method, list(METHODS), name="method")
    for option in options:
        having = [each for each, solve in METHODS.items() if option in signature(solve).parameters]
        if method not in having:
            hint = f"it is an option of {listed(having)}" if having else ""
            raise PorankError(f"method {method!r} has no option {option}=", hint=hint)
    return METHODS[method](orders, counts=counts, **options)
