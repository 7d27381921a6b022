"""What a partial order leaves open, averaged over its linear extensions, each of them as likely.

On weak orders the averages are those over all ways to break the ties, and the measures take the
short way there. On partial ones the linear extensions are counted over the ideals of the order: up
to `MAX_IDEALS` for each part that cannot be divided, a sixteenth of that if it has more than 64
items; beyond, it is refused. Nothing is estimated.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_one_of
from porank.errors import NotApplicableError, TooManyIdealsError
from porank.extensions.ideal_layers import WORD, allowed_ideals
from porank.extensions.leaf_probabilities import choose
from porank.extensions.local_model import mean_ranks, mean_values, mutual_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.extensions.decomposition import Part
    from porank.extensions.leaf_probabilities import Leaf
    from porank.measures.numbered import NumberedAlike

_POSITIONS = ("mid", "expected")
#: What is kept with an order that has more ideals, so that each measure finds out at once.
_TOO_MANY = "_too_many_ideals"
#: An order of more ideals is refused: a measure is to take a moment.
MAX_IDEALS = 100_000
#: What else there is. A distance of mean ranks is no mean of distances, so that draws do not help.
_BY_RANKS = (
    "expected_ranks({}) counts further or estimates, with errors, the mean ranks that the measure "
    "is made of"
)
_BY_DRAWS = "its mean over the rankings of random_linear_extensions({}, size) estimates the measure"
#: Mutual probabilities are fractions up to so many items, floats beyond.
_FRACTIONS_UNTIL = 16


def asks_for_expected(pairing: NumberedAlike, positions: str) -> bool:
    """Return whether positions are to be averaged over linear extensions, and differ from the mid.

    Examples
    --------
    >>> from porank.measures.pairing import pair_up
    >>> asks_for_expected(pair_up([1, 2], [2, 2]), "expected")
    False
    """
    require_one_of(positions, _POSITIONS, name="positions")
    return positions == "expected" and not (pairing.target.is_weak and pairing.predicted.is_weak)


def expected_positions(pairing: NumberedAlike) -> tuple[list[Fraction], list[Fraction]]:
    """Return the mean rank of each item of the target in both orders, exactly.

    Examples
    --------
    >>> import porank as po
    >>> from porank.measures.pairing import pair_up
    >>> both = expected_positions(pair_up(po.parse("a > b > c"), po.parse("a > b; c")))
    >>> [list(map(str, positions)) for positions in both]
    [['1', '2', '3'], ['4/3', '8/3', '2']]

    Notes
    -----
    Time O(n) for a weak order, else O(n) for each ideal and each of the primes below 2**26 that it
    takes to hold the number of linear extensions.
    """
    truth = _mean_ranks(pairing.target, "target")
    guess = _mean_ranks(pairing.predicted, "predicted")
    turned = range(pairing.n) if pairing.turned is None else pairing.turned.tolist()
    return truth, [guess[number] for number in turned]


def expected_moves(pairing: NumberedAlike) -> list[Fraction]:
    """Return how many mean ranks each item stands lower in the prediction than in the target.

    Examples
    --------
    >>> import porank as po
    >>> from porank.measures.pairing import pair_up
    >>> pairing = pair_up(po.parse("a > b > c"), po.parse("a > b; c"))
    >>> list(map(str, expected_moves(pairing)))
    ['1/3', '2/3', '-1']
    """
    both = zip(*expected_positions(pairing), strict=True)
    return [guess - truth for truth, guess in both]


def expected_discounts(
    pairing: NumberedAlike, discounts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each item the mean of what the positions give that it takes in the prediction.

    Examples
    --------
    >>> import porank as po
    >>> from porank.measures.pairing import pair_up
    >>> pairing = pair_up([3, 2, 1], po.from_pairs([(0, 1)], items=[2]))
    >>> expected_discounts(pairing, np.array([3.0, 0.0, 0.0])).round(3).tolist()
    [2.0, 0.0, 1.0]

    Notes
    -----
    Time O(n) for each ideal, O(n**2) beyond these.
    """
    parts, leaves = _counted(pairing.predicted, "predicted", exact=False, way_out=_BY_DRAWS)
    means = mean_values(parts, leaves, discounts)
    return means if pairing.turned is None else means[pairing.turned]


def expected_agreement(pairing: NumberedAlike) -> Any:
    """Return how many pairs of the target stand alike in a linear extension of the prediction.

    Examples
    --------
    >>> import porank as po
    >>> from porank.measures.pairing import pair_up
    >>> expected_agreement(pair_up(po.parse("a ~ b > c"), po.parse("a > c; b")))
    Fraction(5, 3)

    Notes
    -----
    Time O(n) for each ideal; O(a b (a + b)) for components of a and b items.
    """
    exact = pairing.n <= _FRACTIONS_UNTIL
    parts, leaves = _counted(pairing.predicted, "predicted", exact=exact, way_out=_BY_DRAWS)
    chances, _ = mutual_table(parts, leaves, exact=exact)
    if pairing.turned is not None:
        chances = chances[np.ix_(pairing.turned, pairing.turned)]
    agreed = chances[pairing.target.matrix()].tolist()
    return sum(agreed, Fraction(0)) if exact else math.fsum(agreed)


def _mean_ranks(order: Order, name: str) -> list[Fraction]:
    """Return the mean rank of each item, kept with the order."""
    kept: list[Fraction] | None = order.__dict__.get("_mean_ranks")
    if kept is None:
        kept, _ = mean_ranks(*_counted(order, name, exact=True, way_out=_BY_RANKS))
        order.__dict__["_mean_ranks"] = kept
    return kept


def _counted(
    order: Order, name: str, *, exact: bool, way_out: str
) -> tuple[Sequence[Part], dict[int, Leaf]]:
    """Return the parts of an order with their positions, kept with the order."""
    key = f"_counted_{exact}"
    kept: tuple[Sequence[Part], dict[int, Leaf]] | None = order.__dict__.get(key)
    if kept is None and not order.__dict__.get(_TOO_MANY):
        choice = choose("exact", MAX_IDEALS, 1, 0, exact=exact, progress=False)
        try:
            kept = order.__dict__[key] = choice.solve(order)
        except TooManyIdealsError:
            order.__dict__[_TOO_MANY] = True
    if kept is None:
        raise NotApplicableError(
            f"expected an order of at most {MAX_IDEALS:,} ideals as {name} (of more than {WORD} "
            f"items {allowed_ideals(WORD + 1, MAX_IDEALS):,}), found more: its linear extensions "
            f"are too many to be averaged exactly here; {way_out.format(name)}"
        )
    return kept
