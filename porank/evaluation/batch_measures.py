"""Compute measures of many groups at once, with the same values as the functions of two orders.

Most measures have one kernel, in the catalogue, for two orders and for many groups. The kernels
below are for measures of lists and gains, which depend on the length of the list and on the numbers
of the target. Because they sum floats in a different order than the functions of two orders, values
can differ by up to 1e-12.

`kernel_of` returns the kernel of a measure with its options. If there is none, and for groups with
status `ALONE`, `evaluate` calls the function of two orders.
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
        """Return the same values, with nan and another status where the measure does not apply."""
        return _GroupValues(
            np.where(applies, self.values, np.nan),
            np.where(applies, self.statuses, np.uint8(other)),
        )


#: For each requirement of measures, a function that finds the groups that satisfy it.
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
    """Return the kernel of a measure with its options, or None if there is none."""
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
    """Return the options that the kernel of a measure accepts."""
    named = signature(parts).parameters
    return {*named, *(signature(_gained).parameters if "options" in named else ())}


def _found(block: OrderBlock, *, parts: Callable[..., tuple[Any, Any]], needs: str) -> _GroupValues:
    """Return the values of a measure in a batch, with their statuses.

    A value is undefined if its denominator is 0. If the numerator is nan, the group is left to the
    function of two orders.
    """
    numerator, denominator = parts(block)
    is_void = denominator == 0
    quotients = numerator / np.where(is_void, 1, denominator)
    floats = np.where(is_void, np.nan, quotients.astype(np.float64, copy=False))
    statuses = np.full(floats.shape, is_void, dtype=np.uint8) * UNDEFINED
    found = _GroupValues(floats, statuses).where(~np.isnan(numerator), ALONE)
    return found if needs == "any" else found.where(_APPLIES[needs](block))


def _parts_of_pairs(block: OrderBlock, *, formula: PairFormula, credit: Any) -> tuple[Any, Any]:
    """Return numerators and denominators of a formula of counts of pairs for a batch."""
    return formula.parts(block.counts, credit)


def dcg_parts(block: OrderBlock, **options: Any) -> tuple[Any, int]:
    """Return the DCG of each group of a batch, and 1 as the denominator."""
    return _gained(block, **options)[0], 1


def ndcg_parts(block: OrderBlock, **options: Any) -> tuple[Any, Any]:
    """Return the DCG of each group of a batch, and the ideal DCG."""
    collected, ideal = _gained(block, **options)
    return np.minimum(collected, ideal), ideal


def ndcg_loss_parts(
    block: OrderBlock, *, relevance: Any = GRADE, **options: Any
) -> tuple[Any, Any]:
    """Return for each group of a batch the ideal DCG minus the DCG, and the ideal DCG."""
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
    """Return the DCG of each list of a batch, nan if it needs the function, and the ideal DCG."""
    gains = _gains(block, gain, relevance, lowest)
    discounts = log_discounts(block.n, k=k, base=base)
    ascending = np.sort(gains, axis=1)
    # Not a matrix product, because its rounding depends on the position of a group in its block.
    ideal = (ascending[:, ::-1] * discounts).sum(axis=1)
    is_usual = (ascending[:, 0] >= 0) & (ascending[:, -1] <= LARGEST_GAIN)
    paid = discounts
    if block.listed is not None:
        paid = np.where(np.arange(block.n) < block.depths(k), discounts, 0)
    # Each item has the mean discount of its tie.
    collected = (gains * block.guess.mean_over_ties(paid)).sum(axis=1)
    return np.where(is_usual & block.guess.is_weak, collected, np.nan), ideal


def _gains(block: OrderBlock, gain: str, relevance: Any, lowest: Any) -> NDArray[np.float64]:
    """Return the gain of each item in a batch of targets, or nan if it needs the function."""
    target, numbers = block.truth, block.truth.number
    if numbers is None:
        numbers = np.full((target.groups, target.n), np.nan)
    # If a target has numbers, items without a number have gain 0.
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
    """Return the gain of each item in a batch by its level or rank in the target."""
    target = block.truth
    by_rank: NDArray[np.float64] = block.n - target.doubled_positions / 2
    if gain == "rank":
        return by_rank
    # For partial targets the function of two orders raises an error.
    otherwise = by_rank if gain == "grade" else np.nan
    levels = target.height[:, None] - 1 - target.levels + float(lowest)
    return np.where(target.is_weak[:, None], levels, otherwise)


def expected_reciprocal_rank_parts(block: OrderBlock, *, k: int | None = None) -> tuple[Any, int]:
    """Return for each group of a batch the mean of 1 / (position at which a reader stops)."""
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


#: The kernels of measures that depend on the length of lists or on the numbers of the target.
_KERNELS: dict[str, Callable[..., tuple[Any, Any]]] = {
    "dcg": dcg_parts,
    "ndcg": ndcg_parts,
    "ndcg_loss": ndcg_loss_parts,
    "expected_reciprocal_rank": expected_reciprocal_rank_parts,
}
