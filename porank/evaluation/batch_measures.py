"""Measures of many groups at once, as arrays: each as its function of two orders has it.

Most measures have one kernel, in the catalogue, for two orders and for many groups. Those below are
of lists and gains, which depend on how long a list is and on the numbers of the target.
Where they add up floats, they do so in another sequence than the function of two orders, from which
they then differ by at most 1e-12.

`kernel_of` says what works out a measure with its options; where it is None, and in groups of
status `ALONE`, only the function of two orders can.
"""

from __future__ import annotations

from functools import lru_cache, partial
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.evaluation.single_groups import ALONE, GRADE, INAPPLICABLE, UNDEFINED
from porank.measures.catalogue import KERNELS, MEASURES, changed_options
from porank.measures.gains import LARGEST_EXPONENT, log_discounts
from porank.measures.options import LARGEST_GAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from porank.evaluation.batch_orders import OrderBlock
    from porank.measures.measure import Measure, PairFormula


class _GroupValues(NamedTuple):
    """Values of one measure in some groups, and their statuses."""

    values: NDArray[np.float64]
    statuses: NDArray[np.uint8]

    def where(self, applies: NDArray[np.bool_], other: int = INAPPLICABLE) -> _GroupValues:
        """Return the same with another status where the measure does not apply."""
        return _GroupValues(
            np.where(applies, self.values, np.nan),
            np.where(applies, self.statuses, np.uint8(other)),
        )


#: What a measure needs of the two orders -> where it is so.
_APPLIES: dict[str, Callable[[OrderBlock], NDArray[np.bool_]]] = {
    "known ties": lambda block: block.truth.are_ties_known & block.guess.are_ties_known,
    "scores": lambda block: np.full(block.groups.size, block.truth.number is not None),
    "weak": lambda block: block.are_weak,
    "weak target": lambda block: block.truth.is_weak,
    "two-level target": lambda block: block.truth.is_weak & (block.truth.height <= 2),
    "two-level target, weak prediction": lambda block: block.are_weak & (block.truth.height <= 2),
    "total target, weak prediction": lambda block: block.truth.is_total & block.guess.is_weak,
}


def kernel_of(measure: Measure) -> Callable[[OrderBlock], _GroupValues] | None:
    """Return what works out a measure for a batch of groups, None if its function alone can."""
    entry = MEASURES[measure.name]
    changed = changed_options(entry, measure.options)
    options = {**entry.options, **changed}
    parts = KERNELS.get(measure.function) or _KERNELS.get(measure.function.__name__)
    if measure.formula is not None and set(changed) <= {measure.formula.credit}:
        credit = options.get(measure.formula.credit, 0.5)
        kernel = partial(_parts_of_pairs, formula=measure.formula, credit=credit)
    elif parts is not None and set(options) <= _options_of(parts):
        kernel = partial(parts, **options)
    else:
        return None
    relevance = options.get("relevance")
    if relevance is not None and not (isinstance(relevance, str) and relevance == GRADE):
        return None
    needs = "any" if relevance is not None else measure.needs
    return partial(_found, parts=kernel, needs=needs)


@lru_cache
def _options_of(parts: Callable[..., Any]) -> set[str]:
    """Return the options of a measure that can be worked out for a batch of groups."""
    named = signature(parts).parameters
    return {*named, *(signature(_gained).parameters if "options" in named else ())}


def _found(block: OrderBlock, *, parts: Callable[..., tuple[Any, Any]], needs: str) -> _GroupValues:
    """Return a measure's values in a batch, where it applies; if a numerator is nan, it goes alone.

    A value is undefined where the denominator is 0.
    """
    numerator, denominator = parts(block)
    is_void = denominator == 0
    quotients = numerator / np.where(is_void, 1, denominator)
    floats = np.where(is_void, np.nan, quotients.astype(np.float64, copy=False))
    statuses = np.full(floats.shape, is_void, dtype=np.uint8) * UNDEFINED
    found = _GroupValues(floats, statuses).where(~np.isnan(numerator), ALONE)
    return found if needs == "any" else found.where(_APPLIES[needs](block))


def _parts_of_pairs(block: OrderBlock, *, formula: PairFormula, credit: Any) -> tuple[Any, Any]:
    """Return numerators and denominators of a formula in the counts of pairs for a batch."""
    return formula.parts(block.counts, credit)


def dcg_parts(block: OrderBlock, **options: Any) -> tuple[Any, int]:
    """Return for each group of a batch the gains, each discounted by the position of its item."""
    return _gained(block, **options)[0], 1


def ndcg_parts(block: OrderBlock, **options: Any) -> tuple[Any, Any]:
    """Return for each group of a batch the discounted gain, and the greatest possible."""
    collected, ideal = _gained(block, **options)
    return np.minimum(collected, ideal), ideal


def ndcg_loss_parts(
    block: OrderBlock, *, relevance: Any = GRADE, **options: Any
) -> tuple[Any, Any]:
    """Return for each group of a batch what is missed of the greatest possible gain, and that."""
    collected, ideal = ndcg_parts(block, gain="level", relevance=relevance, **options)
    return ideal - collected, ideal


def _gained(
    block: OrderBlock,
    *,
    gain: str = "grade",
    relevance: Any = None,
    lowest: Any = 0,
    k: int | None = None,
    base: Any = 2,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the gains of a batch of lists, nan where these go alone, and the greatest possible."""
    gains = _gains(block, gain, relevance, lowest)
    discounts = log_discounts(block.n, k=k, base=base)
    ascending = np.sort(gains, axis=1)
    # Not a product of matrices: there the last digit depends on the place of a group in its block.
    ideal = (ascending[:, ::-1] * discounts).sum(axis=1)
    is_usual = (ascending[:, 0] >= 0) & (ascending[:, -1] <= LARGEST_GAIN)
    paid = discounts
    if block.listed is not None:
        paid = np.where(np.arange(block.n) < block.depths(k), discounts, 0)
    # Each item stands at the mean discount of its tie.
    collected = (gains * block.guess.mean_over_ties(paid)).sum(axis=1)
    return np.where(is_usual & block.guess.is_weak, collected, np.nan), ideal


def _gains(block: OrderBlock, gain: str, relevance: Any, lowest: Any) -> NDArray[np.float64]:
    """Return the gain of each item in a batch of targets, nan where it is not to be told here."""
    target, numbers = block.truth, block.truth.number
    if numbers is None:
        numbers = np.full((target.groups, target.n), np.nan)
    # What the target says nothing of is worth nothing, if it has numbers.
    is_known = ~np.isnan(numbers)
    numbers = np.where(is_known.any(axis=1, keepdims=True) & ~is_known, 0, numbers)
    if relevance is None:
        is_missing = np.isnan(numbers) if gain == "grade" else np.True_
        numbers = np.maximum(numbers, 0)
        if is_missing.any():
            numbers = np.where(is_missing, _gains_of_order(block, gain, lowest), numbers)
    if gain != "exponential":
        return numbers
    return np.exp2(np.where(numbers <= LARGEST_EXPONENT, numbers, np.nan)) - 1


def _gains_of_order(block: OrderBlock, gain: str, lowest: Any) -> NDArray[np.float64]:
    """Return the gain of each item in a batch by its level in the target, or by its rank."""
    target = block.truth
    by_rank: NDArray[np.float64] = block.n - target.doubled_positions / 2
    if gain == "rank":
        return by_rank
    # A partial target has no levels: the function of two orders says so.
    otherwise = by_rank if gain == "grade" else np.nan
    levels = target.height[:, None] - 1 - target.levels + float(lowest)
    return np.where(target.is_weak[:, None], levels, otherwise)


def expected_reciprocal_rank_parts(block: OrderBlock, *, k: int | None = None) -> tuple[Any, int]:
    """Return for each group of a batch the mean of one over the position where a reader stops."""
    target, predicted = block.truth, block.guess
    grades = target.height[:, None] - 1 - target.levels
    scale = grades.max(axis=1, keepdims=True).astype(np.float64)
    staying = 1 - (np.exp2(grades - scale) - np.exp2(-scale))
    order = np.argsort(predicted.above, axis=1)
    remaining = np.ones((order.shape[0], block.n + 1))
    np.cumprod(np.take_along_axis(staying, order, axis=1), axis=1, out=remaining[:, 1:])
    place = np.arange(1, block.n + 1)
    stopped = np.where(place <= block.depths(k), remaining[:, :-1] - remaining[:, 1:], 0)
    return np.where(predicted.is_total, (stopped / place).sum(axis=1), np.nan), 1


#: The functions of two orders whose kernels are not those of the catalogue, for they read how long
#: lists are and what numbers the target has.
_KERNELS: dict[str, Callable[..., tuple[Any, Any]]] = {
    "dcg": dcg_parts,
    "ndcg": ndcg_parts,
    "ndcg_loss": ndcg_loss_parts,
    "expected_reciprocal_rank": expected_reciprocal_rank_parts,
}
