"""Cumulative gains, for all groups of a block whose prediction is a list.

They are sums of floats, added in another sequence than by the functions of two orders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.evaluation.findings import Findings, left_alone, quotient, values
from porank.evaluation.statuses import ALONE, INAPPLICABLE
from porank.measures.tied_lists import log_discounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.evaluation.blocks import Block

#: The name of the target's own numbers as relevance.
GRADE = "grade"
#: What goes beyond is for the functions of two orders to refuse.
_LARGEST_EXPONENT = 1000
_LARGEST_GAIN = 2.0**1000


def dcg(
    block: Block,
    *,
    gain: str = "rank",
    relevance: Any = None,
    lowest: Any = 0,
    k: int | None = None,
    base: Any = 2,
    ties: str = "average",
) -> Findings:
    """Return the sum of the gains, each discounted by the position of its item."""
    if not _is_plain(relevance, ties):
        return left_alone(block.groups.size)
    gains = _gains(block, gain, relevance, lowest)
    found = values(_collected(block, gains, _discounts(block.n, k, base)))
    return _where_listed(block, found, gain, relevance, gains)


def ndcg(
    block: Block,
    *,
    gain: str = "rank",
    relevance: Any = None,
    lowest: Any = 0,
    k: int | None = None,
    base: Any = 2,
    ties: str = "average",
) -> Findings:
    """Return the discounted gain over the greatest possible."""
    if not _is_plain(relevance, ties):
        return left_alone(block.groups.size)
    gains = _gains(block, gain, relevance, lowest)
    discounts = _discounts(block.n, k, base)
    ideal = _ideal(gains, discounts)
    collected = np.minimum(_collected(block, gains, discounts), ideal)
    return _where_listed(block, quotient(collected, ideal), gain, relevance, gains)


def ndcg_loss(
    block: Block, *, relevance: Any = None, k: int | None = None, ties: str = "average"
) -> Findings:
    """Return the share of the greatest possible gain that is missed."""
    gains = block.target.number
    if not _is_plain(relevance, ties):
        return left_alone(block.groups.size)
    if gains is None:
        return left_alone(block.groups.size).where(np.zeros(block.groups.size, dtype=bool))
    discounts = _discounts(block.n, k, 2)
    ideal = _ideal(gains, discounts)
    missed = ideal - np.minimum(_collected(block, gains, discounts), ideal)
    return _where_listed(block, quotient(missed, ideal), "relevance", GRADE, gains)


def _is_plain(relevance: Any, ties: str) -> bool:
    is_own = relevance is None or (isinstance(relevance, str) and relevance == GRADE)
    return is_own and ties == "average"


def _gains(block: Block, gain: str, relevance: Any, lowest: Any) -> NDArray[np.float64]:
    """Return what each item is worth, nan where it is not to be told here."""
    target = block.target
    if gain == "rank":
        of_rank: NDArray[np.float64] = block.n - target.doubled_positions / 2
        return of_rank
    if relevance is not None:
        grades = np.full(target.layers.shape, np.nan) if target.number is None else target.number
    else:
        grades = (target.height[:, None] - 1 - target.layers) + float(lowest)
    if gain == "level":
        return grades
    return np.exp2(np.where(grades <= _LARGEST_EXPONENT, grades, np.nan)) - 1


def _discounts(n: int, k: int | None, base: Any) -> NDArray[np.float64]:
    return log_discounts(n, k=None if k is None else min(k, n), base=base)


def _collected(
    block: Block, gains: NDArray[np.float64], discounts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the gain of the predicted list, each item at the mean discount of its tie."""
    above = block.predicted.count_above
    size = block.n - above - block.predicted.count_below
    sums = np.concatenate([[0.0], np.cumsum(discounts)])
    # Of a tie the mean; differences of sums would not be quite the discount itself.
    shared = (sums[np.minimum(above + size, block.n)] - sums[above]) / size
    mean = np.where(size == 1, discounts[above], shared)
    collected: NDArray[np.float64] = (gains * mean).sum(axis=1)
    return collected


def _ideal(gains: NDArray[np.float64], discounts: NDArray[np.float64]) -> NDArray[np.float64]:
    # Not a product of matrices: there the last digit depends on the place of a group in its block.
    ideal: NDArray[np.float64] = (-np.sort(-gains, axis=1) * discounts).sum(axis=1)
    return ideal


def _where_listed(
    block: Block, found: Findings, gain: str, relevance: Any, gains: NDArray[np.float64]
) -> Findings:
    """Return the findings where the prediction is a list and gains are known, others left alone.

    A partial prediction is averaged over its linear extensions, one group at a time.
    """
    if gain in ("level", "exponential") and relevance is None:
        found = found.where(block.target.is_weak)
    is_usual = ((gains >= 0) & (gains <= _LARGEST_GAIN)).all(axis=1) & block.predicted.is_weak
    return found.where(is_usual | (found.statuses == INAPPLICABLE), ALONE)
