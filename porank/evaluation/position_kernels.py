"""Measures of positions, for all groups of a block.

Sums of doubled positions are whole numbers; only `spearman_rho` and `discounted_error` round more
than once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.evaluation.findings import Findings, left_alone, quotient, values
from porank.measures.tied_lists import require_base

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from porank.evaluation.blocks import Block
    from porank.typing import Numbers


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
