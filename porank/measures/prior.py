"""A prior: how likely each preference is where the prediction is silent.

A pair that the target decides and the prediction leaves open is a coin that has not been thrown.
The prior says how the coin is loaded, for the one item as much as against the other:
p(u, v) + p(v, u) = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Rational
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from porank.core.relation import places_of
from porank.errors import PorankError
from porank.measures.by_item import common_places, common_rows
from porank.measures.exact import as_fraction, is_number

if TYPE_CHECKING:
    from fractions import Fraction

    from porank.measures.pairing import Pairing
    from porank.typing import Item

#: What says how likely it is that the first item is preferred to the second.
Prior: TypeAlias = Callable[[Any, Any], Any] | Mapping[tuple[Any, Any], Any] | float | None
#: How far p(u, v) + p(v, u) may be from 1 for floats.
_TOLERANCE = 1e-9


def prior_surplus(pairing: Pairing, prior: Prior) -> tuple[list[Fraction | int], bool]:
    """Return for each item what the prior adds to 2 C(v) - |W(v)|, and whether it is rational.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from porank.measures.pairing import pair_up
    >>> pairing = pair_up({"a": 2, "b": 1, "c": 1}, {"a": 1, "b": 1, "c": 0})
    >>> prior_surplus(pairing, {("a", "b"): Fraction(2, 3)})
    ([0, Fraction(1, 3), 0], True)

    Notes
    -----
    Two calls of the prior for each pair that the target decides and the prediction leaves open, and
    time O(n**2 / 64).
    """
    surplus: list[Fraction | int] = [0] * pairing.n
    asked = _prior_of_pairs(prior)
    if asked is None:
        return surplus, True
    items, is_rational = pairing.target.items, True
    place = common_places(pairing)
    item_at = np.argsort(place)
    target, predicted = common_rows(pairing, place)
    for i, row in enumerate(target.above):
        left_open = row & ~(predicted.above[i] | predicted.below[i])
        for j in item_at[places_of(left_open)].tolist():
            share = _checked_share(asked, items[j], items[i])
            is_rational = is_rational and isinstance(share, Rational)
            surplus[i] += 2 * as_fraction(share) - 1
    return surplus, is_rational


def _prior_of_pairs(prior: Prior) -> Callable[[Item, Item], Any] | None:
    """Return the prior as a function of two items, or None if it is 1/2 for all."""
    if prior is None or callable(prior):
        return prior
    if isinstance(prior, Mapping):
        return lambda preferred, other: _looked_up(prior, preferred, other)
    if not is_number(prior):
        raise PorankError(
            "expected a function or a mapping of pairs of items as prior, "
            f"found a {type(prior).__name__}"
        )
    if prior != 0.5:
        raise PorankError(
            "expected a prior with p(u, v) + p(v, u) = 1, "
            f"found the constant {prior!r}, which would pay for leaving pairs open; "
            "a function or a mapping of pairs can prefer one of the two items"
        )
    return None


def _looked_up(prior: Mapping[Any, Any], preferred: Item, other: Item) -> Any:
    if (preferred, other) in prior:
        return prior[preferred, other]
    if (other, preferred) in prior:
        return 1 - _require_share(prior[other, preferred], other, preferred)
    raise PorankError(
        f"expected a prior for the pair {preferred!r}, {other!r}, found none; "
        "give it one, 1/2 if nothing is known"
    )


def _checked_share(prior: Callable[[Item, Item], Any], preferred: Item, other: Item) -> Any:
    """Return p(preferred, other), having made sure that the two directions share 1."""
    share = _require_share(prior(preferred, other), preferred, other)
    rest = _require_share(prior(other, preferred), other, preferred)
    is_whole = isinstance(share, Rational) and isinstance(rest, Rational)
    if abs(share + rest - 1) > (0 if is_whole else _TOLERANCE):
        raise PorankError(
            "expected a prior with p(u, v) + p(v, u) = 1, "
            f"found {share!s} + {rest!s} for {preferred!r} and {other!r}"
        )
    return share


def _require_share(share: Any, preferred: Item, other: Item) -> Any:
    if is_number(share) and 0 <= share <= 1:
        return share
    raise PorankError(
        f"expected a prior from 0 to 1, found {share!r} for {preferred!r} before {other!r}"
    )
