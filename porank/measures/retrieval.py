"""Where the relevant items stand in a predicted list.

Conventions
-----------
The prediction is a list, position 1 its best item; where it is tied, the value is the mean over all
ways to break the ties, exactly. The target has two levels, of which the upper is relevant.

Measures
--------
`reciprocal_rank`, `average_precision`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import NotApplicableError
from porank.measures.pairing import pair_up
from porank.measures.tied_lists import (
    break_ties,
    require_list,
    require_ties,
)
from porank.measures.undefined import require_choice, value_for_undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import OrderLike

_ONE_LEVEL = "the target does not tell relevant from irrelevant items"


def reciprocal_rank(
    target: OrderLike,
    predicted: OrderLike,
    *,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return one over the position of the first relevant item.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items, the target of two levels.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction, the best, or the worst.
    undefined : float or "raise"
        What to return when the target has one level or none.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If the prediction is not weak, or the target not weak or of three or more levels.
    PorankError
        If `ties` is none of the choices.

    Examples
    --------
    >>> import porank as po
    >>> po.reciprocal_rank({"a": 0, "b": 1, "c": 1}, {"a": 9, "b": 5, "c": 3})
    0.5
    >>> po.reciprocal_rank({"a": 0, "b": 1, "c": 1}, {"a": 9, "b": 9, "c": 3})
    0.75

    Notes
    -----
    Time O(n log n). Of a tie of g items, r of them relevant, the first j - 1 are irrelevant and the
    next is not with probability C(g - j, r - 1) / C(g, r).

    References
    ----------
    .. [1] E. M. Voorhees, "The TREC-8 question answering track report", TREC-8, 1999, pp. 77-82.
    .. [2] F. McSherry, M. Najork, "Computing information retrieval performance measures efficiently
       in the presence of tied scores", ECIR 2008, pp. 414-421.
       https://doi.org/10.1007/978-3-540-78646-7_38
    """
    require_ties(ties)
    require_choice(undefined)
    pairing = pair_up(target, predicted)
    require_list(pairing)
    relevant = _read_relevant(pairing.target)
    if relevant is None:
        return value_for_undefined(undefined, why=_ONE_LEVEL)
    layers = break_ties(pairing.predicted_layers, relevant, ties)
    first = int(layers[relevant > 0].min())
    before, size = int(np.sum(layers < first)), int(np.sum(layers == first))
    hits = int(relevant[layers == first].sum())
    j = np.arange(1, size - hits + 1)
    missed = np.cumprod((size - hits + 1 - j) / (size + 1 - j))
    chance = np.append(1, missed) * hits / (size - np.arange(size - hits + 1))
    return math.fsum(chance / (before + 1 + np.arange(chance.size)))


def average_precision(
    target: OrderLike,
    predicted: OrderLike,
    *,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the mean, over the relevant items, of the precision at their positions.

    The precision at position i is the share of relevant items among the first i.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items, the target of two levels.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction, the best, or the worst.
    undefined : float or "raise"
        What to return when the target has one level or none.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If the prediction is not weak, or the target not weak or of three or more levels.
    PorankError
        If `ties` is none of the choices.

    Examples
    --------
    >>> import porank as po
    >>> po.average_precision({"a": 1, "b": 0, "c": 1}, {"a": 9, "b": 5, "c": 3})
    0.8333333333333333

    Notes
    -----
    Time O(n log n). Of a tie of g items, r of them relevant, the jth is relevant with probability
    r / g, and then (j - 1) (r - 1) / (g - 1) of those before it in the tie are so in the mean.

    References
    ----------
    .. [1] C. Buckley, E. M. Voorhees, "Evaluating evaluation measure stability", SIGIR 2000, pp.
       33-40. https://doi.org/10.1145/345508.345543
    .. [2] F. McSherry, M. Najork, "Computing information retrieval performance measures efficiently
       in the presence of tied scores", ECIR 2008, pp. 414-421.
       https://doi.org/10.1007/978-3-540-78646-7_38
    """
    require_ties(ties)
    require_choice(undefined)
    pairing = pair_up(target, predicted)
    require_list(pairing)
    relevant = _read_relevant(pairing.target)
    if relevant is None:
        return value_for_undefined(undefined, why=_ONE_LEVEL)
    layers = break_ties(pairing.predicted_layers, relevant, ties)
    size, hits = np.bincount(layers), np.bincount(layers, weights=relevant)
    before, found = np.cumsum(size) - size, np.cumsum(hits) - hits
    at = np.repeat(np.arange(size.size), size)
    i = np.arange(1, layers.size + 1)
    others = (i - before[at] - 1) * (hits - 1)[at] / np.maximum(size - 1, 1)[at]
    precision = hits[at] / size[at] * (found[at] + 1 + others) / i
    return math.fsum(precision) / int(relevant.sum())


def _read_relevant(target: Order) -> NDArray[np.float64] | None:
    """Return 1 for each item of the upper of two levels, 0 for the others; None of one level."""
    count = target.sizes.size
    if not target.is_weak or count > 2:
        found = f"{count} levels" if target.is_weak else "a partial order"
        raise NotApplicableError(
            f"expected a target of two levels, the relevant items above the others, found {found}; "
            "expected_reciprocal_rank and ndcg take graded targets"
        )
    return None if count < 2 else (target.layers == 0).astype(np.float64)
