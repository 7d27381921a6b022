"""Measures that are formulas in the five counts of pairs, for all groups of a block.

Each is the formula of the function of two orders with the same name, and all counts are whole
numbers, so that the values are the same to the last bit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.evaluation.findings import left_alone, quotient, values
from porank.evaluation.words import count_bits
from porank.measures.measure import as_fraction

if TYPE_CHECKING:
    from porank.evaluation.blocks import Block
    from porank.evaluation.findings import Findings
    from porank.typing import Numbers

#: A credit with a larger denominator would leave the whole numbers that floats hold.
_FINEST = 1 << 16


def kendall_tau(block: Block, *, variant: str = "b") -> Findings:
    """tau-b = (C - D) / sqrt(T P), and tau-a = (C - D) over all pairs."""
    surplus = block.concordant - block.discordant
    if variant == "a":
        return quotient(surplus, np.int64(block.all_pairs))
    # The root of a whole square is whole: then the quotient is that of whole numbers.
    return quotient(surplus, np.sqrt(block.target.pairs * block.predicted.pairs))


def gamma(block: Block) -> Findings:
    """Gamma = (C - D) / (C + D)."""
    return quotient(block.concordant - block.discordant, block.both)


def somers_d(block: Block) -> Findings:
    """D = (C - D) / T."""
    return quotient(block.concordant - block.discordant, block.target.pairs)


def tau_x(block: Block) -> Findings:
    """tau_x, where every unordered pair is a known tie."""
    neither = block.all_pairs - block.both - block.target_only - block.predicted_only
    agreed = block.concordant - block.discordant + neither
    all_known = (block.target.open_pairs == 0) & (block.predicted.open_pairs == 0)
    return quotient(agreed, np.int64(block.all_pairs)).where(all_known)


def completeness(block: Block) -> Findings:
    """(C + D) / T."""
    return quotient(block.both, block.target.pairs)


def ppref(block: Block) -> Findings:
    """C / (C + D)."""
    return quotient(block.concordant, block.both)


def rpref(block: Block) -> Findings:
    """C / T."""
    return quotient(block.concordant, block.target.pairs)


def jaccard(block: Block, *, on: str = "closure") -> Findings:
    """C over all ordered pairs of either."""
    if on != "closure":
        return left_alone(block.groups.size)
    either = block.target.pairs + block.predicted.pairs - block.concordant
    return quotient(block.concordant, either)


def precision(block: Block, *, on: str = "closure") -> Findings:
    """C / P."""
    if on != "closure":
        return left_alone(block.groups.size)
    return quotient(block.concordant, block.predicted.pairs)


def recall(block: Block, *, on: str = "closure") -> Findings:
    """C / T."""
    return rpref(block) if on == "closure" else left_alone(block.groups.size)


def f1(block: Block, *, on: str = "closure") -> Findings:
    """2C / (T + P)."""
    if on != "closure":
        return left_alone(block.groups.size)
    return quotient(2 * block.concordant, block.target.pairs + block.predicted.pairs)


def auc(block: Block, *, ties: Any = 0.5) -> Findings:
    """(C + A / 2) / T on a target of at most two levels."""
    two_levels = block.target.is_weak & (block.target.height <= 2)
    return c_index(block, ties=ties).where(two_levels)


def c_index(block: Block, *, ties: Any = 0.5, open_pairs: str = "coin") -> Findings:
    """(C + A / 2) / T, or over linear extensions where there is none but the coin's value."""
    found = _credited(block, ties, block.target.pairs)
    if open_pairs == "coin":
        return found
    return found.or_else(left_alone(block.groups.size), block.predicted.is_weak)


def jonckheere_terpstra(block: Block, *, ties: Any = 0.5) -> Findings:
    """C + A / 2 on a target of levels."""
    return _credited(block, ties, np.ones_like(block.concordant)).where(block.target.is_weak)


def _credited(block: Block, credit: Any, over: Numbers) -> Findings:
    """Return (C + credit A) / over."""
    share = as_fraction(credit)
    if share.denominator <= _FINEST:
        points = share.denominator * block.concordant + share.numerator * block.target_only
        return quotient(points, share.denominator * over)
    counts = zip(block.concordant.tolist(), block.target_only.tolist(), over.tolist(), strict=True)
    quotients = [float((c + share * a) / t) if t else math.nan for c, a, t in counts]
    return values(quotients).unless_zero(over)


def kendall_distance(block: Block, *, normalized: bool = False) -> Findings:
    """D, or D / T."""
    if normalized:
        return quotient(block.discordant, block.target.pairs)
    return values(block.discordant)


def partial_kendall_distance(block: Block, *, p: Any = 0.5) -> Findings:
    """D + p (A + N)."""
    share = as_fraction(p)
    one_sided = block.target_only + block.predicted_only
    if share.denominator <= _FINEST:
        whole = share.denominator * block.discordant + share.numerator * one_sided
        return values(whole / share.denominator)
    counts = zip(block.discordant.tolist(), one_sided.tolist(), strict=True)
    return values([float(d + share * either) for d, either in counts])


def hausdorff_kendall_distance(block: Block) -> Findings:
    """D + max(A, N) between weak orders."""
    far = block.discordant + np.maximum(block.target_only, block.predicted_only)
    return values(far).where(block.are_weak)


def symmetric_difference(block: Block) -> Findings:
    """2D + A + N."""
    return values(_apart(block))


def _apart(block: Block) -> Numbers:
    return 2 * block.discordant + block.target_only + block.predicted_only


def cks_distance(block: Block) -> Findings:
    """2 for contrary or decided against incomparable, 1 for tied against another."""
    target, predicted = block.target, block.predicted
    decided_tied = _shared(target.above, predicted.tied), _shared(predicted.above, target.tied)
    both_tied = _shared(target.tied, predicted.tied) // 2
    tied = [count_bits(side.tied).sum(axis=1) // 2 for side in (target, predicted)]
    target_tied = tied[0] - decided_tied[1] - both_tied
    predicted_tied = tied[1] - decided_tied[0] - both_tied
    silent = block.target_only + block.predicted_only - sum(decided_tied)
    apart = block.discordant + silent
    return values(2 * apart + sum(decided_tied) + target_tied + predicted_tied)


def _shared(one: Any, other: Any) -> Numbers:
    total: Numbers = count_bits(one & other).sum(axis=1)
    return total


def kendall_loss(block: Block) -> Findings:
    """(D + A + N) over all pairs."""
    wrong = block.discordant + block.target_only + block.predicted_only
    return quotient(wrong, np.int64(block.all_pairs))


def zero_one_loss(block: Block) -> Findings:
    """0 if both say the same, else 1."""
    return values(_apart(block) > 0)


def generalized_kendall(block: Block) -> Findings:
    """D + (A + N) / 2."""
    return values(_apart(block) / 2)
