"""What each item adds to a normalized gain."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.measures.gains import dcg_terms, ndcg

if TYPE_CHECKING:
    from porank.typing import Item, OrderLike


def ndcg_terms(
    target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan, **options: Any
) -> dict[Item, float]:
    """Return what each item adds to `ndcg`: its discounted gain as a share of the ideal one.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    undefined, **options
        As for `ndcg`.

    Returns
    -------
    dict
        Item to summand; empty where the measure is undefined.

    Examples
    --------
    >>> shares = ndcg_terms([2, 1, 0], [1, 2, 0])
    >>> {item: round(share, 4) for item, share in shares.items()}
    {0: 0.4796, 1: 0.3801, 2: 0.0}

    Notes
    -----
    Time as for `ndcg`.
    """
    value = ndcg(target, predicted, undefined=undefined, **options)
    gained = dcg_terms(target, predicted, **options)
    collected = math.fsum(gained.values())
    if not collected:
        return {}
    return {item: value * gain / collected for item, gain in gained.items()}
