"""Measures in which the top counts more, for all groups of a block: EDRC and AP correlation.

The functions of two orders add fractions. Here the weights of the ranks are brought to a common
denominator; where the sums then fit into the whole numbers that a float holds, the values are the
same to the last bit, and else they differ from them in the last places.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.evaluation.findings import Findings, left_alone, quotient, values
from porank.measures.edrc import weights_of_ranks

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from porank.evaluation.blocks import Block, Side
    from porank.typing import Numbers

#: Sums below are whole numbers that floats hold.
_WHOLE = 2**53


def edrc(
    block: Block, *, discount: Any = "linear", prior: Any = None, normalized: bool = False
) -> Findings:
    """Return the sum of (2 C(v) - |W(v)|) / D(v) over that of |W(v)| / D(v)."""
    if prior is not None:
        return left_alone(block.groups.size)
    layers = block.target.layers
    weights, _ = weights_of_ranks(discount, int(layers.max(initial=0)) + 1)
    # Maximal items, of layer 0, are not summed.
    scaled = _scaled([0 * weight for weight in weights[:1]] + weights, 2 * block.n**2)
    weight = np.append(scaled, 0)[layers]
    asked = block.target.count_above if normalized else block.n - 1 - block.target.count_below
    surplus = block.agreed - block.contradicted
    return quotient((weight * surplus).sum(axis=1), (weight * asked).sum(axis=1))


def _scaled(weights: list[Fraction], most: int) -> NDArray[Any]:
    """Return the weights over one denominator if sums of that many fit into 53 bits, else floats.

    Examples
    --------
    >>> from fractions import Fraction
    >>> _scaled([Fraction(1, 2), Fraction(1, 3)], 100).tolist()
    [3, 2]
    """
    common = math.lcm(*(weight.denominator for weight in weights))
    whole = [int(weight * common) for weight in weights]
    if max(whole, default=0) * most < _WHOLE:
        return np.array(whole, dtype=np.int64)
    return np.array([float(weight) for weight in weights], dtype=np.float64)


def ap_correlation(block: Block, *, ties: str = "a") -> Findings:
    """Return the mean precision on the way down the judged list, from -1 to 1."""
    if ties == "b":
        walks = [_mean_precision(side, block.agreed) for side in (block.predicted, block.target)]
        both = [2 * precision - 1 for precision, _ in walks]
        length = np.minimum(*(count for _, count in walks))
        mean = values(np.where(length > 0, (both[0] + both[1]) / 2, np.nan))
        return mean.unless_zero(length).where(block.are_weak)
    target_total = block.target.pairs == block.all_pairs
    return _expected_ap(block).where(target_total & block.predicted.is_weak)


def _mean_precision(side: Side, agreed: Numbers) -> tuple[NDArray[np.float64], Numbers]:
    """Return the mean over the items with others above them of the share that agrees."""
    above = side.count_above
    precision = np.divide(agreed, above, out=np.zeros(above.shape), where=above > 0)
    count = (above > 0).sum(axis=1)
    return precision.sum(axis=1) / np.maximum(count, 1), count


def _expected_ap(block: Block) -> Findings:
    """Return the mean over all ways to break the ties of the prediction."""
    n, predicted = block.n, block.predicted
    if n < 2:
        return quotient(np.zeros(block.groups.size), 0)
    passed = predicted.count_above
    size = n - passed - predicted.count_below
    per_item, per_mate = (table[passed, size] for table in _stops(n))
    mates = block.target.count_above - block.agreed - block.contradicted
    precisions = (block.agreed * per_item + mates * per_mate).sum(axis=1)
    return values(2 * precisions / (n - 1) - 1)


def _stops(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what an item adds for each item above it, and for each tied one that it passes.

    The tables are read at the number of items above, and at the size of the tie.
    """
    passed, size = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    above = passed + np.maximum(size - 1, 0)
    inverses = np.divide(1.0, above, out=np.zeros(above.shape), where=(above > 0) & (size > 0))
    inverse = np.cumsum(inverses, axis=1)
    per_item = np.where(passed > 0, inverse / np.maximum(size, 1), 0)
    shared = np.maximum(size * (size - 1), 1)
    per_mate = np.where(passed > 0, (size - passed * inverse) / shared, 1 / np.maximum(size, 1))
    return per_item, np.where(size > 1, per_mate, 0)
