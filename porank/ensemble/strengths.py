"""Degrees of preference from the model of Plackett and Luce.

Idea: *whoever is stronger is preferred to a degree above 1/2, and the degrees of the other
directions are the rests; so only the shares of the weaker of two strengths are put in order.*
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_item
from porank.ensemble.degree_values import Degrees, as_strength, places_of
from porank.ensemble.degrees import simple_fraction
from porank.ensemble.pair_matrices import require_room
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers

#: Floats below this one lose digits.
_TINY = 1e-290


def read_strengths(strengths: Any) -> dict[Item, Fraction]:
    """Return the strength of each item as a fraction; a float as the one that was probably meant.

    Examples
    --------
    >>> read_strengths({"a": 2, "b": 0.1})
    {'a': Fraction(2, 1), 'b': Fraction(1, 10)}
    >>> read_strengths([2, 1])
    Traceback (most recent call last):
    porank.errors.PorankError: expected a mapping item -> strength, found a list
    """
    if hasattr(strengths, "index") and hasattr(strengths, "to_dict"):
        strengths = strengths.to_dict()
    if not isinstance(strengths, Mapping):
        raise PorankError(
            f"expected a mapping item -> strength, found a {type(strengths).__name__}"
        )
    require_room(len(strengths), bytes_each=8)
    for item, strength in strengths.items():
        require_item(item)
        if not _is_strength(strength):
            raise PorankError(
                f"expected a positive, finite strength for {item!r}, found {strength!r}"
            )
    return {item: simple_fraction(strength) for item, strength in strengths.items()}


def _is_strength(value: Any) -> bool:
    is_number = isinstance(value, (Real, Decimal))
    try:
        return is_number and bool(0 < value < math.inf)
    except ArithmeticError:  # which is how a Decimal says that it is no number
        return False


def strengths_of_pairs(strengths: Sequence[Fraction]) -> tuple[NDArray[Any], Degrees]:
    """Return the degrees v_a / (v_a + v_b) as places among all that occur, and these, from 0 to 1.

    Examples
    --------
    >>> strength, values = strengths_of_pairs([Fraction(3), Fraction(1)])
    >>> strength.tolist(), list(map(str, values))
    ([[0, 2], [1, 0]], ['0', '1/4', '3/4', '1'])

    Notes
    -----
    Time O(n**2 log n), and one fraction for each degree that is within 1e-13 of another.
    """
    whole = _as_whole_numbers(strengths)
    different = sorted(set(whole))
    fits = sum(different[-2:]) < 2**62
    amounts = np.array(different, dtype=np.int64 if fits else object)
    weaker, stronger = np.triu_indices(len(amounts), 1)
    shares = _shares(amounts, weaker, stronger)

    def exact(pair: int) -> Fraction:
        part = different[weaker.item(pair)]
        return Fraction(part, part + different[stronger.item(pair)])

    places, chosen = places_of(shares, exact)
    has_equals = len(different) < len(whole)
    part, rest = amounts[weaker[chosen]], amounts[stronger[chosen]]
    values = _mirrored(part, part + rest, shares[chosen], has_half=has_equals)
    square = np.zeros((len(amounts), len(amounts)), dtype=np.int64)
    square[weaker, stronger] = places + 1
    square[stronger, weaker] = len(values) - 2 - places
    number = {amount: place for place, amount in enumerate(different)}
    numbers = [number[amount] for amount in whole]
    strength = square[np.ix_(numbers, numbers)]
    is_equal = strength == 0
    strength[is_equal] = len(chosen) + 1
    np.fill_diagonal(strength, 0)
    return as_strength(strength, len(values)), values


def _as_whole_numbers(strengths: Sequence[Fraction]) -> list[int]:
    """Return whole numbers in the same proportions, the smallest there are."""
    scale = math.lcm(*(strength.denominator for strength in strengths))
    whole = [int(strength * scale) for strength in strengths]
    shared = math.gcd(*whole)
    return [number // shared for number in whole]


def _shares(amounts: NDArray[Any], weaker: Numbers, stronger: Numbers) -> NDArray[np.float64]:
    """Return the share of the weaker in each pair, as floats."""
    whole = amounts.tolist()
    if amounts.dtype == object:
        # Of the largest one, so that no float overflows.
        amounts = np.array([amount / whole[-1] for amount in whole], dtype=np.float64)
    part, both = amounts[weaker], amounts[weaker] + amounts[stronger]
    shares: NDArray[np.float64] = part / np.where(both > 0, both, 1)
    for pair in np.flatnonzero(both < _TINY).tolist():
        weak, strong = whole[weaker.item(pair)], whole[stronger.item(pair)]
        shares[pair] = weak / (weak + strong)
    return shares


def _mirrored(
    part: NDArray[Any], whole: NDArray[Any], shares: NDArray[np.float64], *, has_half: bool
) -> Degrees:
    """Return the degrees from 0 to 1, given those strictly between 0 and 1/2."""
    half = [1] * has_half
    above = _joined([0], part, half, (whole - part)[::-1], [1])
    below = _joined([1], whole, [2 * one for one in half], whole[::-1], [1])
    floats = np.concatenate(([0], shares, [0.5] * has_half, (1 - shares)[::-1], [1]))
    return Degrees((above, below), Fraction, floats)


def _joined(*pieces: Any) -> NDArray[Any]:
    """Return whole numbers in one array; the type is that of the second piece."""
    return np.concatenate([np.array(piece, dtype=pieces[1].dtype) for piece in pieces])
