"""Where the relevant items stand in a list, and how much two lists share, for a block of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.evaluation.findings import Findings, left_alone, quotient, values
from porank.evaluation.statuses import ALONE, INAPPLICABLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.evaluation.blocks import Block, Side
    from porank.typing import Numbers


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
