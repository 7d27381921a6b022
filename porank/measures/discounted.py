"""Expected discounted rank correlation: mistakes high in the target count more.

The measure of Ackerman and Chen [1]_ compares a prediction with a truth that knows only some of the
preferences. What the paper prints contradicts itself in places; where it does, the example that it
works out decides, and :doc:`/errata` has both values.

Conventions
-----------
R(v) is the rank of v in the target, 1 for its maximal items, which are not summed. W(v) is what
stands above v in the target or beside it: all items but v and those below v. D is the discount, a
function of the rank. C(v) is the sum over W(v) of what the prediction may expect for each pair: 1
where it agrees with the target, 0 where it contradicts, and 1/2 where the target knows nothing;
where only the prediction is silent, 1/2 or what the prior says. Both orders are read through their
closures.

Measures
--------
`edrc`, `edrc_terms`, `edrc_table`

References
----------
.. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise Preferences",
   UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811.
   https://ceur-ws.org/Vol-811/paper11.pdf
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from porank.core.tables import Table
from porank.measures.discounts import account_of, discounts_of_ranks
from porank.measures.undefined import ratio

if TYPE_CHECKING:
    from porank.measures.discounts import Discount
    from porank.measures.prior import Prior
    from porank.typing import Item, OrderLike

_WHY = "the target decides no pair"


def edrc(
    target: OrderLike,
    predicted: OrderLike,
    *,
    discount: Discount = "linear",
    prior: Prior = None,
    normalized: bool = False,
    undefined: Any = math.nan,
) -> float:
    """Return the expected discounted rank correlation.

    EDRC = 2/Z sum C(v)/D(v) - 1 over the items v that are not maximal in the target, with
    ``Z = sum |W(v)|/D(v)``. In other words: each pair u > v of the target counts 1/D(v), for the
    prediction if it agrees, against it if it contradicts; the sum is divided by Z.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    discount : {"linear", "log", "exponential", "shifted", "constant"} or callable
        D: the rank R itself, log2(1 + R), 2**R, R - 1, 1, or a function that gives a positive
        number for each rank from 2 on.
    prior : callable or mapping, optional
        How likely it is that u is preferred to v, p(u, v) = 1 - p(v, u), for the pairs that the
        target decides and the prediction leaves open: ``prior(u, v)`` or ``prior[u, v]``, such as
        the share of similar users who prefer u. Of a mapping one direction is enough. Without a
        prior 1/2.
    normalized : bool
        Divide by the sum of 1/D(v) over the pairs u > v of the target in place of Z: Somers' D with
        discounts, which a perfect prediction brings to 1.
    undefined : float or "raise"
        What to return for 0/0, when the target decides no pair.

    Returns
    -------
    float in [-1, 1]
        Unless it is `normalized`, the ends are reached only if no item that is summed has another
        beside it in the target.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    PorankError
        If a discount is not a positive number, or if a prior is missing, not a number from 0 to 1,
        or does not add up to 1 with that of the other direction: a constant other than 1/2 would
        pay for leaving pairs open.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("table1-corrected")
    >>> po.edrc(target, predicted) == 5 / 29
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

    The prediction leaves open whether A or B comes before D, as the target says. Seven in ten
    similar users prefer A to D:

    >>> shares = {("A", "D"): 0.7, ("B", "D"): 0.5}
    >>> round(po.edrc(target, predicted, prior=shares), 12)
    0.2

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures. A prior takes the
    latter, and is called twice for each pair that the prediction leaves open. With up to 10,000
    ranks all sums are exact, and the value is rounded once.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811.
       https://ceur-ws.org/Vol-811/paper11.pdf
    """
    account = account_of(target, predicted, discount, prior)
    return ratio(
        account.total(account.surplus),
        account.scale(normalized),
        undefined=undefined,
        why=_WHY,
    )


def edrc_terms(
    target: OrderLike,
    predicted: OrderLike,
    *,
    discount: Discount = "linear",
    prior: Prior = None,
    normalized: bool = False,
    undefined: Any = math.nan,
) -> dict[Item, Any]:
    """Return what each item contributes to `edrc`.

    The summand of v is ``(2 C(v) - |W(v)|) / (D(v) Z)``: twice what v has of its points beyond
    the half that silence would bring. The maximal items of the target have 0.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    discount, prior, normalized, undefined
        As for `edrc`.

    Returns
    -------
    dict
        Item to Fraction; to float if the discount or the prior gives other than rational numbers,
        or there are more than 10,000 ranks. The summands add up to `edrc`, fractions exactly. Where
        that is 0/0, there are none.

    Raises
    ------
    CycleError, ItemMismatchError, PorankError
        As `edrc` does.

    Examples
    --------
    >>> import porank as po
    >>> terms = edrc_terms(*po.load_example("table1-corrected"))
    >>> for item, summand in terms.items():
    ...     print(item, summand)
    A 0
    B 0
    C -3/29
    D 2/29
    E 6/29
    >>> print(sum(terms.values()))
    5/29

    Notes
    -----
    Time as for `edrc`, and a division for each item.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811.
       https://ceur-ws.org/Vol-811/paper11.pdf
    """
    summands = account_of(target, predicted, discount, prior).summands(normalized)
    ratio(1, len(summands), undefined=undefined, why=_WHY)
    return summands


def edrc_table(
    target: OrderLike,
    predicted: OrderLike,
    *,
    discount: Discount = "linear",
    prior: Prior = None,
    normalized: bool = False,
) -> Table:
    """Return the calculation of `edrc` as a table, a row for each item that is summed.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    discount, prior, normalized
        As for `edrc`.

    Returns
    -------
    Table
        The columns are the item v, its rank R(v), its discount D(v), how many points it may have
        and has, ``|W(v)|`` and C(v), and its summand. The title is the result.

    Raises
    ------
    CycleError, ItemMismatchError, PorankError
        As `edrc` does.

    Examples
    --------
    The example of the paper, with the preference B > E that its numbers need:

    >>> import porank as po
    >>> print(po.edrc_table(*po.load_example("table1-corrected")))
    EDRC = 5/29
    v  R(v)  D(v)  |W(v)|  C(v)  summand
    -  ----  ----  ------  ----  -------
    C     2     2       3     1    -3/29
    D     3     3       4   5/2     2/29
    E     2     2       4     3     6/29

    Notes
    -----
    Time as for `edrc_terms`.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811.
       https://ceur-ws.org/Vol-811/paper11.pdf
    """
    account = account_of(target, predicted, discount, prior)
    summands = account.summands(normalized)
    discounts = list(discounts_of_ranks(discount, len(account.weights) + 1))
    rows = [
        (
            item,
            layer + 1,
            discounts[layer - 1],
            asked,
            _short(account.plain(Fraction(asked + surplus) / 2)),
            _short(summands[item]),
        )
        for item, layer, asked, surplus in zip(
            account.items, account.layers, account.asked, account.surplus, strict=True
        )
        if layer
    ]
    scale = account.scale(normalized)
    title = f"EDRC is 0/0: {_WHY}"
    if scale:
        value = account.plain(account.total(account.surplus) / scale)
        title = f"{'normalized ' if normalized else ''}EDRC = {_short(value)}"
    return Table(("v", "R(v)", "D(v)", "|W(v)|", "C(v)", "summand"), rows, title=title)


def _short(value: Any) -> Any:
    """Return a fraction as a float, unless its digits can be taken in at a glance."""
    return value if isinstance(value, Fraction) and value.denominator < 10_000 else float(value)
