"""Kendall's distance and the footrule where items, positions and pairs of items do not weigh alike.

Conventions
-----------
Every item u has a weight w_u, every pair a dissimilarity D_uv, and every position k > 1 a cost:
what it takes to move there from position k - 1. All are at least 0, and 1 unless they are given.
Where positions have costs, an item weighs w_u times the mean cost of the positions between its two.

x(u, v) is 1 if v is preferred to u, 0 if u is preferred to v, and 1/2 if neither is: what u loses
of its position to v.

Where all that is given is whole numbers or fractions the sums are exact, and rounded once.

Measures
--------
`generalized_kendall`, `generalized_footrule`; `dcg_position_costs`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_count
from porank.measures.pairs import pair_classes
from porank.measures.tied_lists import require_base
from porank.measures.weighing import weigh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.typing import Item, OrderLike

#: How much of the weight of a pair a class of pairs adds, in halves.
_HALVES = {"discordant": 2, "target_only": 1, "predicted_only": 1}


def generalized_kendall(
    target: OrderLike,
    predicted: OrderLike,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
    check_metric: bool = False,
    progress: bool = False,
) -> float:
    """Return Kendall's distance where items, positions and pairs of items do not weigh alike.

    It is the sum over pairs {u, v} of w_u w_v D_uv abs(x(u, v) in the target - x(u, v) in the
    prediction): a discordant pair counts in full, one that just one of the orders decides by half.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    weights : mapping or array, optional
        item -> weight; or a weight for each of the items 0..n-1 or, of items with other names, of
        the target's items in their sequence.
    position_costs : sequence, optional
        The costs of the positions 2, ..., n, for total orders only; see `dcg_position_costs`.
    fixed : {"one", "local"}
        What positions make of an item that stays at its own: factor 1, or the mean cost of a move
        to either neighbouring position.
    dissimilarity : matrix, mapping or callable, optional
        A matrix in the sequence of the target's items; (u, v) -> number, one direction being
        enough; or a function of two items. Symmetric, and 0 from an item to itself.
    check_metric : bool
        Raise an error if the dissimilarity violates the triangle inequality.
    progress : bool
        Show a bar.

    Returns
    -------
    float
        From 0 on. On weak orders it lies between half the `generalized_footrule` and the whole, as
        long as there is no dissimilarity; never below half of it.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If positions have costs and one of the orders is not total.
    PorankError
        If an item has no weight, a number is negative or no number, the dissimilarity is not
        symmetric, or it was to be checked and is no metric.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.parse("a > b > c"), po.parse("b > c > a")
    >>> generalized_kendall(target, predicted)
    2.0
    >>> generalized_kendall(target, predicted, weights={"a": 1, "b": 2, "c": 3})
    5.0
    >>> round(generalized_kendall(target, predicted, position_costs=dcg_position_costs(3)), 4)
    0.2602
    >>> generalized_kendall(target, predicted, dissimilarity=lambda u, v: ord(v) - ord(u))
    Traceback (most recent call last):
    porank.errors.PorankError: expected a dissimilarity, finite and at least 0, found -1 for
    ('b', 'a')

    Notes
    -----
    Time O(n log n) on two weak orders, O(n**2) with a dissimilarity or on partial orders, and
    O(n**3) to check the triangles. Without position costs it is a metric if all weights and all
    dissimilarities are positive, be they a metric themselves or not. With position costs the
    triangle inequality fails, contrary to the slides of [1]_: with the costs 3, 2, 1, dcba is at 24
    from abcd, by way of dbca at 4 + 12.

    References
    ----------
    .. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp.
       571-580. https://doi.org/10.1145/1772690.1772749
    """
    both = weigh(
        target,
        predicted,
        weights=weights,
        position_costs=position_costs,
        fixed=fixed,
        dissimilarity=dissimilarity,
        check_metric=check_metric,
        progress=progress,
    )
    return float(both.share(both.pair_sum(progress=progress), 2))


def generalized_footrule(
    target: OrderLike,
    predicted: OrderLike,
    *,
    weights: Any = None,
    position_costs: Sequence[Any] | None = None,
    fixed: str = "one",
    dissimilarity: Any = None,
    check_metric: bool = False,
    progress: bool = False,
) -> float:
    """Return the footrule where items, positions and pairs of items do not weigh alike.

    It is the sum over items u of w_u abs(sum over v of w_v D_uv (x(u, v) in the target - x(u, v) in
    the prediction)): an item moves past others, and the further, the more these weigh and the more
    unlike it they are.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    weights, position_costs, fixed, dissimilarity, check_metric, progress
        As in `generalized_kendall`.

    Returns
    -------
    float
        From 0 to 2 K for the `generalized_kendall` K.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If positions have costs and one of the orders is not total.
    PorankError
        As in `generalized_kendall`.

    Examples
    --------
    >>> import porank as po
    >>> generalized_footrule(*po.load_example("tutorial"))
    6.0
    >>> target, predicted = po.parse("a > b > c"), po.parse("b > c > a")
    >>> generalized_footrule(target, predicted, weights={"a": 1, "b": 2, "c": 3})
    10.0

    Notes
    -----
    Time O(n log n) on two weak orders, O(n**2) with a dissimilarity or on partial orders, and
    O(n**3) to check the triangles. The form with dissimilarities is that of the slides of [1]_. It
    can be less than K, contrary to the conjecture there: 20 against 22 for the reversal of six
    items with D = 1 between two of the first and two of the last and D = 2 elsewhere. On partial
    orders it is a pseudo-distance: orders in which all items have the same positions are at 0.

    References
    ----------
    .. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp.
       571-580. https://doi.org/10.1145/1772690.1772749
    """
    both = weigh(
        target,
        predicted,
        weights=weights,
        position_costs=position_costs,
        fixed=fixed,
        dissimilarity=dissimilarity,
        check_metric=check_metric,
        progress=progress,
    )
    sums = both.item_sums(progress=progress)
    return float(both.share(sums.sum() if both.divisor else math.fsum(sums), 2))


def generalized_kendall_terms(
    target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[tuple[Item, Item], Any]:
    """Return the summands of `generalized_kendall`, (u, v) -> summand, pairs as in `pair_classes`.

    Fractions, unless some weight, cost or dissimilarity is a float.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.parse("a > b > c"), po.parse("b > c > a")
    >>> terms = generalized_kendall_terms(target, predicted, weights={"a": 1, "b": 2, "c": 3})
    >>> {pair: str(summand) for pair, summand in terms.items()}
    {('a', 'b'): '2', ('a', 'c'): '3'}
    """
    both = weigh(target, predicted, **options)
    number = both.pairing.target.number
    terms = {}
    for u, v, kind in pair_classes(target, predicted):
        i, j = number[u], number[v]
        unlike = 1 if both.dissimilarity is None else both.dissimilarity[i, j]
        total = both.weight[i] * both.weight[j] * unlike * _HALVES.get(kind, 0)
        if total:
            terms[u, v] = both.share(total, 2)
    return terms


def generalized_footrule_terms(
    target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[Item, Any]:
    """Return the summands of `generalized_footrule`, item -> weighted move.

    Fractions, unless some weight, cost or dissimilarity is a float; ``math.fsum`` of the floats is
    the value.

    Examples
    --------
    >>> import porank as po
    >>> terms = generalized_footrule_terms(*po.load_example("tutorial"))
    >>> [str(terms[item]) for item in "ABCDE"]
    ['3', '0', '1', '0', '2']
    """
    both = weigh(target, predicted, **options)
    sums = both.item_sums().tolist()
    items = both.pairing.target.items
    return {item: both.share(total, 2) for item, total in zip(items, sums, strict=True)}


def dcg_position_costs(n: int, base: float = math.e) -> list[float]:
    """Return the position costs that the discount of DCG implies, for n items.

    Moving from position k - 1 to k costs 1 / log(k) - 1 / log(k + 1), for k = 2, ..., n: the nearer
    to the top, the more. A move from the top to position k costs 1 / log 2 - 1 / log(k + 1) in all.

    Parameters
    ----------
    n : int
        The number of items.
    base : float
        Of the logarithm, above 1.

    Returns
    -------
    list of float
        n - 1 costs, decreasing; none for n = 0.

    Raises
    ------
    PorankError
        If `n` is no whole number of at least 0, or `base` not above 1.

    Examples
    --------
    >>> [round(cost, 4) for cost in dcg_position_costs(4)]
    [0.5325, 0.1889, 0.1]

    Notes
    -----
    Time O(n).
    """
    n, scale = require_count(n), math.log(require_base(base))
    # log(k + 1) - log(k), without the cancellation.
    return [scale * math.log1p(1 / k) / (math.log(k) * math.log(k + 1)) for k in range(2, n + 1)]
