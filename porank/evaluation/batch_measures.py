"""Measures that are formulas in the five counts of pairs, for all groups of a block.

Each is the formula of the function of two orders with the same name, and all counts are whole
numbers, so that the values are the same to the last bit.

Measures of positions, for all groups of a block.

Sums of doubled positions are whole numbers; only `spearman_rho` and `discounted_error` round more
than once.

Cumulative gains, for all groups of a block whose prediction is a list.

They are sums of floats, added in another sequence than by the functions of two orders.

Where the relevant items stand in a list, and how much two lists share, for a block of groups.

Measures in which the top counts more, for all groups of a block: EDRC and AP correlation.

The functions of two orders add fractions. Here the weights of the ranks are brought to a common
denominator; where the sums then fit into the whole numbers that a float holds, the values are the
same to the last bit, and else they differ from them in the last places.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.evaluation.blocks import count_bits
from porank.evaluation.group_values import (
    ALONE,
    INAPPLICABLE,
    Findings,
    left_alone,
    quotient,
    values,
)
from porank.measures.edrc import weights_of_ranks
from porank.measures.measure import as_fraction
from porank.measures.tied_lists import log_discounts, require_base

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from porank.evaluation.blocks import Block, Side
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


def _moves(block: Block) -> Numbers:
    return block.predicted.doubled_positions - block.target.doubled_positions


def _at_mid(block: Block, positions: str, kernel: Callable[[Block], Findings]) -> Findings:
    """Return the findings where mid positions are those asked for; else leave the group alone."""
    found = kernel(block)
    if positions == "mid":
        return found
    return found.or_else(left_alone(block.groups.size), block.are_weak)


def footrule_distance(block: Block, *, positions: str = "mid") -> Findings:
    """Return the sum of the moves."""
    return _at_mid(block, positions, lambda b: values(np.abs(_moves(b)).sum(axis=1) / 2))


def generalized_footrule(block: Block) -> Findings:
    """Return the sum of the moves."""
    return footrule_distance(block)


def spearman_distance(block: Block, *, positions: str = "mid") -> Findings:
    """Return the sum of the squares of the moves."""
    return _at_mid(block, positions, lambda b: values((_moves(b) ** 2).sum(axis=1) / 4))


def spearman_rho(block: Block, *, positions: str = "mid") -> Findings:
    """Pearson's correlation of the positions."""
    return _at_mid(block, positions, _spearman_rho)


def _spearman_rho(block: Block) -> Findings:
    truth, guess = (
        side.doubled_positions - (block.n + 1) for side in (block.target, block.predicted)
    )
    both = (truth * guess).sum(axis=1)
    one, other = (truth**2).sum(axis=1), (guess**2).sum(axis=1)
    # As floats: the product of the two may pass 2**63.
    found = quotient(both, np.sqrt(one.astype(np.float64) * other))
    return found._replace(values=np.clip(found.values, -1, 1))


def position_error(block: Block, *, positions: str = "mid", ties: str = "average") -> Findings:
    """Return the position that the best item is predicted at, less 1."""
    return _at_mid(block, positions, lambda b: _position_error(b, ties))


def _position_error(block: Block, ties: str) -> Findings:
    doubled = block.target.doubled_positions
    is_top = doubled == doubled.min(axis=1, keepdims=True)
    above = block.predicted.count_above
    worst = block.n - 1 - block.predicted.count_below
    if ties == "optimistic":
        return values(np.where(is_top, above, block.n).min(axis=1))
    if ties == "pessimistic":
        return values(np.where(is_top, worst, 0).max(axis=1))
    return quotient(((above + worst) * is_top).sum(axis=1), 2 * is_top.sum(axis=1))


def discounted_error(block: Block, *, positions: str = "mid", base: Any = 2) -> Findings:
    """Return the sum of the moves, each over log(1 + position in the target)."""
    scale = math.log2(require_base(base))

    def discounted(b: Block) -> Findings:
        logs = np.log2(1 + b.target.doubled_positions / 2)
        return values((np.abs(_moves(b)) / 2 / logs).sum(axis=1) * scale)

    return _at_mid(block, positions, discounted)


def hausdorff_footrule_distance(block: Block) -> Findings:
    """Return the farthest ranking of the one order from the nearest of the other."""
    truth, guess = block.target.layers, block.predicted.layers
    from_target = _ranks(truth, -guess) - _ranks(guess, truth)
    from_predicted = _ranks(truth, guess) - _ranks(guess, -truth)
    far = [np.abs(moved).sum(axis=1) for moved in (from_target, from_predicted)]
    return values(np.maximum(*far)).where(block.are_weak)


def _ranks(layers: Numbers, within: Numbers) -> NDArray[np.int64]:
    """Return the rank of each item, ties broken by `within` and then by number."""
    n = layers.shape[1]
    key = (layers * (2 * n) + within) * n + np.arange(n)
    order = np.argsort(key, axis=1)
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(n)[None, :], axis=1)
    return ranks


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
    """Return the findings where the prediction is a list and gains are known, others left alone."""
    if gain in ("level", "exponential") and relevance is None:
        found = found.where(block.target.is_weak)
    is_usual = ((gains >= 0) & (gains <= _LARGEST_GAIN)).all(axis=1) & block.predicted.is_weak
    return found.where(is_usual | (found.statuses == INAPPLICABLE), ALONE)


def reciprocal_rank(block: Block, *, ties: str = "average") -> Findings:
    """Return the mean of one over the position of the first relevant item."""
    if ties != "average":
        return left_alone(block.groups.size)
    relevant = block.target.layers == 0
    above = block.predicted.count_above
    before = np.where(relevant, above, block.n).min(axis=1)
    is_first = above == before[:, None]
    size, hits = is_first.sum(axis=1), (is_first & relevant).sum(axis=1)
    # The chance that the first relevant item of the tie comes j places after its beginning.
    missed, total = np.ones(size.size), np.zeros(size.size)
    for j in range(int((size - hits).max(initial=0)) + 1):
        is_open = j <= size - hits
        left = np.maximum(size - j, 1)
        total += np.where(is_open, missed * hits / left / (before + 1 + j), 0)
        missed = missed * np.maximum(size - hits - j, 0) / left
    return _of_two_levels(block, values(total))


def average_precision(block: Block, *, ties: str = "average") -> Findings:
    """Return the mean over the relevant items of the precision at their positions."""
    if ties != "average":
        return left_alone(block.groups.size)
    relevant = (block.target.layers == 0).astype(np.int64)
    order, begin, end = _listed(block.predicted)
    found = np.zeros((relevant.shape[0], block.n + 1), dtype=np.int64)
    np.cumsum(np.take_along_axis(relevant, order, axis=1), axis=1, out=found[:, 1:])
    before = np.take_along_axis(found, begin, axis=1)
    hits = np.take_along_axis(found, end, axis=1) - before
    size, place = end - begin, np.arange(1, block.n + 1)
    others = (place - begin - 1) * (hits - 1) / np.maximum(size - 1, 1)
    precision = hits / size * (before + 1 + others) / place
    return _of_two_levels(block, quotient(precision.sum(axis=1), relevant.sum(axis=1)))


def _listed(side: Side) -> tuple[Numbers, Numbers, Numbers]:
    """Return the items by place, and for each place where its tie begins and ends."""
    above = side.count_above
    order = np.argsort(above, axis=1)
    begin = np.take_along_axis(above, order, axis=1)
    end = side.n - np.take_along_axis(side.count_below, order, axis=1)
    # An order that is not weak has no such places; what comes of it is not looked at.
    return order, begin, np.maximum(end, begin + 1)


def _of_two_levels(block: Block, found: Findings) -> Findings:
    """Return the findings where the target has two levels and the prediction is a list."""
    applies = block.target.is_weak & (block.target.height <= 2) & block.predicted.is_weak
    return found.unless_zero(block.target.height - 1).where(applies)


def expected_reciprocal_rank(
    block: Block,
    *,
    relevance: Any = None,
    highest: Any = None,
    k: int | None = None,
    ties: str = "average",
) -> Findings:
    """Return the mean of one over the position where a reader stops, of lists without ties."""
    target, predicted = block.target, block.predicted
    if relevance is not None or highest is not None or ties != "average":
        return left_alone(block.groups.size)
    grades = target.height[:, None] - 1 - target.layers
    scale = grades.max(axis=1, keepdims=True).astype(np.float64)
    staying = 1 - (np.exp2(grades - scale) - np.exp2(-scale))
    order, _, _ = _listed(predicted)
    remaining = np.ones((order.shape[0], block.n + 1))
    np.cumprod(np.take_along_axis(staying, order, axis=1), axis=1, out=remaining[:, 1:])
    depth = block.n if k is None else min(k, block.n)
    stopped = remaining[:, :depth] - remaining[:, 1 : depth + 1]
    found = values((stopped / np.arange(1, depth + 1)).sum(axis=1))
    found = found.where(predicted.pairs == block.all_pairs, ALONE)
    applies = target.is_weak & predicted.is_weak
    return found.where(applies, INAPPLICABLE)


def rank_biased_overlap(block: Block, *, p: Any = 0.9, k: int | None = None) -> Findings:
    """How much the two lists share at each depth, the top weighing most."""
    depth = block.n if k is None else min(k, block.n)
    total = np.zeros(block.groups.size)
    apart = np.zeros(block.groups.size)
    for d in range(1, depth + 1):
        shared = (_chance(block.target, d) * _chance(block.predicted, d)).sum(axis=1)
        apart = 1 - shared / d
        total += (1 - p) * float(p) ** (d - 1) * apart
    total += float(p) ** depth * apart
    return values(np.maximum(0.0, 1 - total)).where(block.are_weak)


def _chance(side: Side, depth: int) -> NDArray[np.float64]:
    """Return how likely each item is among the first so many, ties broken at random."""
    size = np.maximum(side.n - side.count_above - side.count_below, 1)
    chance: NDArray[np.float64] = np.clip((depth - side.count_above) / size, 0, 1)
    return chance


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
    """Return the weights over one denominator if their sums fit into 53 bits, else floats."""
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
    """Return what an item adds for each item above it, and for each tied one that it passes."""
    passed, size = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    above = passed + np.maximum(size - 1, 0)
    inverses = np.divide(1.0, above, out=np.zeros(above.shape), where=(above > 0) & (size > 0))
    inverse = np.cumsum(inverses, axis=1)
    per_item = np.where(passed > 0, inverse / np.maximum(size, 1), 0)
    shared = np.maximum(size * (size - 1), 1)
    per_mate = np.where(passed > 0, (size - passed * inverse) / shared, 1 / np.maximum(size, 1))
    return per_item, np.where(size > 1, per_mate, 0)
