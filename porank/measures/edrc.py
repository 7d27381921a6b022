"""Expected discounted rank correlation (EDRC): errors near the top of the target count more.

The measure of Ackerman and Chen [1]_ compares a prediction with a target that contains only some of
the preferences. Some formulas in the paper contradict its worked example. We follow the example;
:doc:`/errata` has both values.

Conventions
-----------
R(v) is the rank of item v in the target. Maximal items have rank 1 and are not summed. W(v) is the
set of items that may be above v: all items except v and those below v in the target. D is the
discount, a function of the rank. C(v) is the sum over the items u in W(v) of the expected credit
for the pair: 1 if the prediction agrees with the target, 0 if it contradicts, and 1/2 if the target
abstains. If only the prediction abstains, the credit is 1/2 or the prior p(u, v), with p(u, v) +
p(v, u) = 1.

Public: `edrc`, `edrc_terms`, `edrc_table`.

References
----------
.. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise Preferences",
   UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811.
   https://ceur-ws.org/Vol-811/paper11.pdf
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from porank.core.relation import places_of
from porank.core.tables import Table
from porank.errors import PorankError, a_kind, listed, quoted
from porank.measures.measure import correlation, is_number, ratio, variant
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.measures.pair_table import Pairing
    from porank.typing import Item, OrderLike


_WHY = "the target decides no pair"
#: The discounts as functions of an array of ranks.
_DISCOUNTS: dict[str, Callable[[NDArray[np.int64]], NDArray[Any]]] = {
    "linear": lambda ranks: ranks,
    "log": lambda ranks: np.log2(1 + ranks),
    # Floats do not hold larger powers; such pairs add nearly 0.
    "exponential": lambda ranks: 2.0 ** np.minimum(ranks, 1023),
    "shifted": lambda ranks: ranks - 1,
    "constant": np.ones_like,
}


def _require_discount(discount: Any, name: str) -> None:
    if not callable(discount) and not (isinstance(discount, str) and discount in _DISCOUNTS):
        raise PorankError(
            f"expected {name} to be {listed(_DISCOUNTS)} or a function of the rank, "
            f"found {discount!r}"
        )


def _edrc(both: Any, *, discount: Any = "linear", normalized: bool = False) -> tuple[Any, Any]:
    """Return numerator and denominator of EDRC."""
    terms, scale = _weighed(both, both.surplus, discount, normalized)
    return terms.sum(axis=-1), scale


def edrc_terms(
    target: OrderLike,
    predicted: OrderLike,
    *,
    discount: _Discount = "linear",
    prior: _Prior = None,
    normalized: bool = False,
    undefined: Any = math.nan,
) -> dict[Item, Any]:
    """Return the terms of `edrc` by item."""
    both, _, numerators, scale = _account_of(target, predicted, discount, prior, normalized)
    ratio(1, scale, undefined=undefined, why=_WHY)
    terms = (numerators / scale).tolist() if scale else ()
    return dict(zip(both.target.items, terms, strict=False))


@variant("edrc_normalized", {"normalized": True}, at_equal=1.0)
@correlation(
    kernel=_edrc,
    why=_WHY,
    terms=edrc_terms,
    symmetric=False,
    at_equal=None,
    checks={"discount": _require_discount},
)
def edrc(
    target: OrderLike,
    predicted: OrderLike,
    *,
    discount: _Discount = "linear",
    prior: _Prior = None,
    normalized: bool = False,
    undefined: Any = math.nan,
) -> float:
    """Return the expected discounted rank correlation (EDRC).

    Each preference u > v of the target adds 1/D(v) if the prediction agrees, and -1/D(v) if it
    contradicts. D(v) is a discount for the rank of v in the target. The sum is divided by Z, the
    sum of (number of items that may be above v) / D(v) over all items v that are not maximal in the
    target.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    discount : {"linear", "log", "exponential", "shifted", "constant"} or callable
        Discount for rank R: R, log2(1 + R), 2**R, R - 1, 1, or a function that returns a positive
        number for each rank from 2 on.
    prior : callable, optional
        Function of two items: the probability that u is preferred to v, for example the share of
        similar users who prefer u. It is used for pairs on which only the prediction abstains. By
        default 1/2. ``prior(u, v) + prior(v, u)`` must be 1.
    normalized : bool
        Whether to divide by the sum of 1/D(v) over the preferences u > v of the target instead of
        Z. This is Somers' D with discounts; it is 1 for a perfect prediction.
    undefined : float or "raise"
        Value to return if the target decides no pair; ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    float in [-1, 1]
        If not `normalized`, 1 and -1 are reached only if each item that is not maximal is
        comparable to all other items of the target.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    PorankError
        If a discount is not a positive number, if a prior is not a number from 0 to 1, or if the
        priors of both directions do not add up to 1.

    See Also
    --------
    edrc_table, ap_correlation, kendall_tau

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("table1-corrected")
    >>> round(po.edrc(target, predicted), 12) == round(5 / 29, 12)
    True
    >>> po.edrc(target, target), po.edrc(target, target, normalized=True)
    (0.5172413793103449, 1.0)
    >>> for discount in ("linear", "log", "exponential", "shifted", "constant"):
    ...     print(f"{discount:11} {po.edrc(target, predicted, discount=discount):.4f}")
    linear      0.1724
    log         0.1763
    exponential 0.1667
    shifted     0.1667
    constant    0.1818

    The target prefers A and B to D, but the prediction abstains on both pairs. If seven in ten
    similar users prefer A to D:

    >>> shares = {("A", "D"): 0.7, ("D", "A"): 0.3, ("B", "D"): 0.5, ("D", "B"): 0.5}
    >>> round(po.edrc(target, predicted, prior=lambda u, v: shares[u, v]), 12)
    0.2

    Notes
    -----
    O(n log n) for two weak orders of n items without a prior; otherwise O(n**2 / 64) plus the
    closures. A prior is called twice for each pair of the target on which the prediction abstains.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811.
       https://ceur-ws.org/Vol-811/paper11.pdf
    """
    _, _, numerators, scale = _account_of(target, predicted, discount, prior, normalized)
    return ratio(numerators.sum(), scale, undefined=undefined, why=_WHY)


def edrc_table(
    target: OrderLike,
    predicted: OrderLike,
    *,
    discount: _Discount = "linear",
    prior: _Prior = None,
    normalized: bool = False,
) -> Table:
    """Return the calculation of EDRC as a table with a row for each item that is summed.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    discount, prior, normalized
        As for `edrc`.

    Returns
    -------
    Table
        For each item v that is not maximal in the target: its rank R(v) in the target, its discount
        D(v), the number of items ``|W(v)|`` that may be above it, the expected number C(v) of these
        that the prediction gets right, and the summand (2 C(v) - ``|W(v)|``) / D(v), divided by the
        scale. The title is the value of EDRC.

    Raises
    ------
    CycleError, ItemMismatchError, PorankError
        As `edrc` does.

    See Also
    --------
    edrc, ap_correlation, kendall_tau

    Examples
    --------
    The example of the paper, corrected by the preference B > E, which its numbers imply:

    >>> import porank as po
    >>> print(po.measures.edrc_table(*po.load_example("table1-corrected")))
    EDRC = 5/29
    v  R(v)  D(v)  |W(v)|  C(v)  summand
    -  ----  ----  ------  ----  -------
    C     2     2       3     1    -3/29
    D     3     3       4   5/2     2/29
    E     2     2       4     3     6/29

    Notes
    -----
    Same time as `edrc`.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811.
       https://ceur-ws.org/Vol-811/paper11.pdf
    """
    both, surplus, numerators, scale = _account_of(target, predicted, discount, prior, normalized)
    levels, may_be_above = both.truth.levels, both.n - 1 - both.truth.below
    discounts = _discounts_of_ranks(discount, int(levels.max(initial=0)) + 1)
    columns = levels, may_be_above, (may_be_above + surplus) / 2, numerators / (scale or 1)
    rows = [
        (item, level + 1, discounts[level - 1], possible, _short(right), _short(summand))
        for item, level, possible, right, summand in zip(
            both.target.items, *(column.tolist() for column in columns), strict=True
        )
        if level
    ]
    title = f"EDRC is 0/0: {_WHY}"
    if scale:
        value = _short(float(numerators.sum() / scale))
        title = f"{'normalized ' if normalized else ''}EDRC = {value}"
    return Table(("v", "R(v)", "D(v)", "|W(v)|", "C(v)", "summand"), rows, title=title)


def _short(value: float) -> Any:
    """Return a number as a fraction with a small denominator, if it is one."""
    fraction = Fraction(value).limit_denominator(9999)
    return fraction if abs(value - fraction) < 1e-12 else value


#: The name of a discount, or a function of the rank.
_Discount: TypeAlias = str | Callable[[int], Any]


def _discounts_of_ranks(discount: _Discount, height: int) -> list[Any]:
    """Return the discounts of EDRC for ranks 2, 3, ..., `height`."""
    _require_discount(discount, "discount")
    if callable(discount):
        return list(map(discount, range(2, height + 1)))
    listed: list[Any] = _DISCOUNTS[discount](np.arange(2, height + 1)).tolist()
    return listed


def _weights_of_ranks(discount: _Discount, height: int) -> NDArray[np.float64]:
    """Return the inverse discounts of EDRC for ranks 1, 2, ..., `height`.

    It is 0 for rank 1, because maximal items are not summed.
    """
    discounts = _discounts_of_ranks(discount, height)
    if callable(discount):
        for rank, value in enumerate(discounts, start=2):
            is_positive = is_number(value) and 0 < value < math.inf
            if not is_positive or 1 / value == math.inf:
                raise PorankError(
                    f"expected discount to be a positive number, found {quoted(value)} for rank "
                    f"{rank}"
                )
    return np.append(0.0, 1 / np.array(discounts, dtype=np.float64))[:height]


def _weighed(both: Any, surplus: Any, discount: Any, normalized: bool) -> tuple[Any, Any]:
    """Return what each item adds to the numerator of EDRC, and the denominator."""
    # v adds (items above v in both - above in target, below in predicted) / D(v). The scale is the
    # sum of abs(W(v)) / D(v) or, normalized, of (items above v in the target) / D(v).
    levels = both.truth.levels
    weight = _weights_of_ranks(discount, int(levels.max(initial=0)) + 1)[levels]
    asked = both.truth.above if normalized else both.n - 1 - both.truth.below
    return weight * surplus, (weight * asked).sum(axis=-1)


def _account_of(
    target: OrderLike, predicted: OrderLike, discount: _Discount, prior: _Prior, normalized: bool
) -> tuple[Pairing, NDArray[Any], NDArray[np.float64], float]:
    """Return two orders, 2 C(v) - abs(W(v)) and the numerator of each item v, and the scale."""
    both = pair_up(target, predicted)
    surplus: NDArray[Any] = both.surplus
    if prior is not None:
        if not callable(prior):
            raise PorankError(f"expected a function of two items as prior, found {a_kind(prior)}")
        surplus = surplus + _prior_surplus(both, prior)
    numerators, scale = _weighed(both, surplus, discount, normalized)
    return both, surplus, numerators, float(scale)


#: A function that returns the probability that the first item is preferred to the second.
_Prior: TypeAlias = Callable[[Any, Any], Any] | None
#: How far p(u, v) + p(v, u) may be from 1.
_TOLERANCE = 1e-9


def _prior_surplus(pairing: Pairing, prior: Callable[[Any, Any], Any]) -> NDArray[np.float64]:
    """Return for each item v what the prior adds to 2 C(v) - |W(v)|."""
    surplus = np.zeros(pairing.n)
    items, item_at = pairing.target.items, np.argsort(pairing.common_places())
    (wanted, _), (above, below) = pairing.common_rows()
    for i, row in enumerate(wanted):
        left_open = row & ~(above[i] | below[i])
        # 2 p(u, v) - 1 for each u above v in the target that the prediction leaves open
        for j in item_at[places_of(left_open)].tolist():
            surplus[i] += 2 * float(_checked_share(prior, items[j], items[i])) - 1
    return surplus


def _checked_share(prior: Callable[[Item, Item], Any], preferred: Item, other: Item) -> Any:
    """Return p(preferred, other), or raise an error if both directions do not add up to 1."""
    share, rest = prior(preferred, other), prior(other, preferred)
    if not all(is_number(each) and 0 <= each <= 1 for each in (share, rest)) or (
        abs(share + rest - 1) > _TOLERANCE
    ):
        raise PorankError(
            "expected prior(u, v) and prior(v, u) to be numbers from 0 to 1 with the sum 1, found "
            f"{share!r} and {rest!r} for {quoted(preferred)} and {quoted(other)}"
        )
    return share
