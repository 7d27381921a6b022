"""Discounts, and the account of what is discounted: what EDRC sums, rank by rank and item by item.

A rational discount gives a weight that is an exact fraction; of any other one, and where there are
many ranks, the weight is rounded to a float, and that float is then a fraction too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, TypeAlias

from porank.errors import PorankError, listed
from porank.measures.by_item import count_agreement_above
from porank.measures.exact import MANY, as_fraction, exact_sum, is_number
from porank.measures.pairing import pair_up
from porank.measures.prior import prior_surplus
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.measures.prior import Prior
    from porank.typing import Item, OrderLike

#: The name of a discount, or a function of the rank.
Discount: TypeAlias = str | Callable[[int], Any]
_DISCOUNTS: dict[str, Callable[[int], Any]] = {
    "linear": lambda rank: rank,
    "log": lambda rank: math.log2(1 + rank),
    "exponential": lambda rank: 2**rank,
    "shifted": lambda rank: rank - 1,
    "constant": lambda rank: 1,  # noqa: ARG005
}


def discounts_of_ranks(discount: Discount, height: int) -> Iterator[Any]:
    """Return the discounts of the ranks 2, 3, ..., `height`.

    Examples
    --------
    >>> list(discounts_of_ranks("exponential", 4))
    [4, 8, 16]
    >>> discounts_of_ranks("harmonic", 4)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a function of the rank or one of 'linear', 'log',
    'exponential', 'shifted', 'constant' as discount, found 'harmonic'
    """
    is_name = isinstance(discount, str)
    of_rank = discount if callable(discount) else _DISCOUNTS.get(discount) if is_name else None
    if of_rank is None:
        raise PorankError(
            f"expected a function of the rank or one of {listed(_DISCOUNTS)} as discount, "
            f"found {discount!r}"
        )
    return map(of_rank, range(2, height + 1))


def weights_of_ranks(discount: Discount, height: int) -> tuple[list[Fraction], bool]:
    """Return the inverse discounts of the ranks 2, 3, ..., `height`, and whether they are exact.

    Examples
    --------
    >>> weights_of_ranks("linear", 3)
    ([Fraction(1, 2), Fraction(1, 3)], True)
    >>> weights_of_ranks(lambda rank: 2 - rank, 3)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a positive number as discount, found 0 at rank 2
    """
    weights, is_exact = [], height <= MANY
    for rank, value in enumerate(discounts_of_ranks(discount, height), start=2):
        if not is_number(value) or not 0 < value < math.inf or 1 / value == math.inf:
            raise PorankError(
                f"expected a positive number as discount, found {value!r} at rank {rank}"
            )
        is_exact = is_exact and isinstance(value, Rational)
        weights.append(1 / as_fraction(value) if is_exact else as_fraction(float(1 / value)))
    return weights, is_exact


@dataclass(frozen=True)
class Account:
    """What EDRC sums: for each rank from 2 on its discount, for each item its numbers.

    Attributes
    ----------
    items, layers
        The items and their ranks less one.
    weights
        1/D of the ranks 2, 3, ...
    above, asked, surplus
        For each item v the items above it in the target, |W(v)|, and 2 C(v) - |W(v)|.
    is_exact
        Whether none of the numbers has been rounded.
    """

    items: Sequence[Item]
    layers: list[int]
    weights: list[Fraction]
    above: list[int]
    asked: list[int]
    surplus: list[Fraction | int]
    is_exact: bool

    def total(self, values: Sequence[Fraction | int]) -> Fraction:
        """Return the sum of the values over D(v), without the maximal items."""
        by_layer: list[Fraction | int] = [0] * (len(self.weights) + 1)
        for layer, value in zip(self.layers, values, strict=True):
            by_layer[layer] += value
        return exact_sum(w * value for w, value in zip(self.weights, by_layer[1:], strict=True))

    def scale(self, normalized: bool) -> Fraction:
        """Return what the sum is divided by: Z, or the sum for a perfect prediction."""
        return self.total(self.above if normalized else self.asked)

    def plain(self, value: Fraction) -> Fraction | float:
        """Return a fraction as such if all that went in is exact, else as a float."""
        return value if self.is_exact else float(value)

    def summands(self, normalized: bool) -> dict[Item, Any]:
        """Return what each item contributes, nothing if the scale is 0."""
        scale = self.scale(normalized)
        if not scale:
            return {}
        by_layer = [Fraction(0), *(weight / scale for weight in self.weights)]
        numbers = zip(self.items, self.layers, self.surplus, strict=True)
        return {item: self.plain(by_layer[layer] * value) for item, layer, value in numbers}


def account_of(
    target: OrderLike, predicted: OrderLike, discount: Discount, prior: Prior
) -> Account:
    """Return the account of two orders.

    Examples
    --------
    >>> import porank as po
    >>> account = account_of(*po.load_example("table1-corrected"), "linear", None)
    >>> account.total(account.surplus), account.scale(False), account.scale(True)
    (Fraction(5, 6), Fraction(29, 6), Fraction(5, 2))

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures. A prior takes the
    latter, and is called twice for each pair that the prediction leaves open.
    """
    pairing = pair_up(target, predicted)
    order = pairing.target
    best, worst = rank_bounds(order)
    weights, is_exact = weights_of_ranks(discount, len(order.sizes))
    agreed, contradicted = count_agreement_above(pairing)
    guessed, is_rational = prior_surplus(pairing, prior)
    known = zip(agreed, contradicted, guessed, strict=True)
    return Account(
        items=order.items,
        layers=order.layers.tolist(),
        weights=weights,
        above=(best - 1).tolist(),
        asked=(worst - 1).tolist(),
        surplus=[yes - no + guess for yes, no, guess in known],
        is_exact=is_exact and is_rational,
    )
