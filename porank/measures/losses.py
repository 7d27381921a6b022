"""Losses for learning to rank: 0 where the prediction is right, 1 where it could not be worse.

Conventions
-----------
D, A and N are the pairs that the orders decide contrarily, that only the target decides, and that
only the prediction decides.

Measures
--------
`kendall_loss`, `zero_one_loss`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.distance import symmetric_difference
from porank.measures.pairing import pair_up
from porank.measures.undefined import ratio

if TYPE_CHECKING:
    from porank.typing import OrderLike


def kendall_loss(target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan) -> float:
    """Return the share of pairs that the two orders do not decide alike.

    It is (D + A + N) / (n (n - 1) / 2): the mean over pairs of whether the signs of the two
    differences of scores differ. Without ties it is (1 - tau) / 2.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined : float or "raise"
        What to return for 0/0, with fewer than two items.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.

    Examples
    --------
    >>> import porank as po
    >>> po.kendall_loss(*po.load_example("tutorial"))
    0.4

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] S. Shalev-Shwartz, S. Ben-David, "Understanding Machine Learning", Cambridge University
       Press, 2014, section 17.4. https://doi.org/10.1017/CBO9781107298019
    """
    pairs = pair_up(target, predicted).counts
    return ratio(
        pairs.discordant + pairs.target_only + pairs.predicted_only,
        pairs.all_pairs,
        undefined=undefined,
        why="there is no pair of items",
    )


def zero_one_loss(target: OrderLike, predicted: OrderLike) -> float:
    """Return 0 if the two orders have the same preferences, else 1.

    Whether a pair that neither decides is a known tie is not looked at.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.

    Returns
    -------
    float
        0 or 1.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.

    Examples
    --------
    >>> import porank as po
    >>> po.zero_one_loss(po.parse("a > b > c"), po.parse("a > b > c; a > c"))
    0.0

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures.

    References
    ----------
    .. [1] S. Shalev-Shwartz, S. Ben-David, "Understanding Machine Learning", Cambridge University
       Press, 2014, section 17.4. https://doi.org/10.1017/CBO9781107298019
    """
    return float(symmetric_difference(target, predicted) > 0)
