"""Compute the possible positions of the items in each part of an order.

A leaf of `porank.extensions.decomposition` has a closed form, is counted over its ideals, or is
estimated by random walks. `choose` checks the options of the caller and returns a `Choice`, which
solves the leaves of an order or walks through the whole order. `method_of` names the least exact
method used. The items of a leaf are numbered along a linear extension, best first; positions start
at 0.

Mean positions of leaves are combined exactly, whichever method each leaf used. Probabilities are
combined only if all leaves are exact. Otherwise the whole order is walked.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import generator_of, require_count, require_flag, require_one_of
from porank.core.arrays import inverse_of
from porank.core.progress import track
from porank.errors import PorankError, TooManyIdealsError
from porank.extensions.decomposition import (
    Leaf,
    OrderPart,
    above_matrix,
    decompose,
    position_bounds,
)
from porank.extensions.ideals import MAX_IDEALS, Ideals, ideals_as_walks
from porank.extensions.sampling import READ, walk_positions
from porank.orders.ranks import rank_bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Floats, Matrix, Numbers, Seed


_METHODS = ("auto", "exact", "walk")
_NOT_COUNTED = (
    "max_ideals= allows more of them, as far as 63 bits hold them; method='auto' estimates what "
    "cannot be counted, unless exact=True is asked for"
)
#: Maximum number of items for a table of n**2 numbers.
MOST_ITEMS = 5000
#: A smaller spread means that an item is always at the same position.
_NO_SPREAD = 1e-12


@dataclass(frozen=True)
class Choice:
    """The method and its limits for solving the leaves of an order."""

    method: str
    #: By default as many as take the time of walks.
    max_ideals: int | None
    rng: np.random.Generator
    exact: bool

    def solve(self, order: CompiledOrder) -> tuple[list[OrderPart], dict[int, Leaf]]:
        """Return the parts of an order, and by number of each leaf the positions of its items."""
        parts = decompose(order)
        leaves = {number: part for number, part in enumerate(parts) if not part.parts}
        return parts, {number: self._solve_leaf(part) for number, part in leaves.items()}

    def _solve_leaf(self, part: OrderPart) -> Leaf:
        if part.kind == "free":
            return _free_leaf(part, exact=self.exact)
        if self.method != "walk":
            try:
                ideals = Ideals(part, max_ideals=self.max_ideals or ideals_as_walks(part))
                return _counted_leaf(part, ideals, exact=self.exact)
            except TooManyIdealsError as error:
                if self.method == "exact":
                    error.hint = _NOT_COUNTED
                    raise
        return Leaf(part.items[::-1], "walk", means=partial(_walked_means, part, self.rng))


def choose(method: str, max_ideals: Any, seed: Seed, *, exact: bool) -> Choice:
    """Check the options for computing the probabilities of leaves, and return a `Choice`."""
    require_one_of(method, _METHODS, name="method")
    require_flag(exact, name="exact")
    if exact and method not in ("auto", "exact"):
        raise PorankError(
            f"expected method='auto' or 'exact' with exact=True, found {method!r}, which estimates"
        )
    if max_ideals is not None:
        max_ideals = require_count(max_ideals, name="max_ideals", least=1)
    elif exact or method == "exact":
        max_ideals = MAX_IDEALS
    return Choice(
        "exact" if exact else method,
        max_ideals=max_ideals,
        rng=generator_of(seed),
        exact=exact,
    )


def method_of(leaves: Mapping[int, Leaf]) -> str:
    """Return the least exact method that was used for the probabilities of any leaf."""
    return "walk" if any(leaf.method == "walk" for leaf in leaves.values()) else "exact"


def _free_leaf(part: OrderPart, *, exact: bool) -> Leaf:
    """Return a leaf of incomparable items, of which all rankings are equally likely."""
    n, number = part.size, Fraction if exact else float

    def mean_of(values: Matrix | None) -> Matrix:
        if values is None:
            return np.broadcast_to(np.array(number(1) / max(n, 1)), (n, n))
        # Divide last: sums of integers are exact, so the mean is rounded only once.
        total = values.sum(axis=0)
        mean = total * Fraction(1, max(n, 1)) if exact else total / max(n, 1)
        return np.broadcast_to(mean, (n, values.shape[1]))

    def mutual() -> Matrix:
        halves = np.full((n, n), number(1) / 2)
        np.fill_diagonal(halves, number(0))
        return halves

    return Leaf(part.items[::-1], "exact", mean_of, mutual)


def _counted_leaf(part: OrderPart, ideals: Ideals, *, exact: bool) -> Leaf:
    """Return a leaf whose probabilities are shares of linear extensions, counted over ideals."""

    def shares(counts: Matrix) -> Matrix:
        rows = [[Fraction(int(count), ideals.count) for count in row] for row in counts]
        return np.array(rows, dtype=object)

    def mutual() -> Matrix:
        if exact:
            return shares(ideals.mutual_matrix(object))
        return _complementary(ideals.mutual_matrix(), above_matrix(part))

    def chances() -> Matrix:
        return shares(ideals.rank_matrix(object)) if exact else ideals.rank_matrix()

    return Leaf(part.items[::-1], "exact", _means_by(chances), mutual)


def _means_by(find_chances: Callable[[], Matrix]) -> Callable[[Matrix | None], Matrix]:
    """Return a function for means of values in a leaf, which computes the probabilities once."""
    chances = cache(find_chances)
    return lambda values: chances() if values is None else chances() @ values


def _complementary(chances: Matrix, above: NDArray[np.bool_]) -> Matrix:
    """Return P(i above j) in a leaf, not rounded for comparable items; opposite ones sum to 1."""
    upper = np.triu(np.where(above, 1.0, np.clip(chances, 0.0, 1.0)), 1)
    both: Matrix = upper + np.tril(1 - upper.T, -1)
    return both


def _walked_means(part: OrderPart, rng: np.random.Generator) -> tuple[Matrix, Matrix]:
    """Return mean positions in a leaf, estimated by random walks, with standard errors."""
    means, _, drift = walk_positions(part.covers, rng, reads=0)
    first, last = position_bounds(part.covers)
    # SE^2 = Var(means) / W + drift^2 + ((last - first) / (draws + 2))^2, with W walks
    variance = means.var(axis=0, ddof=1) / len(means) + drift**2
    errors = np.sqrt(variance + ((last - first) / (len(means) * READ + 2)) ** 2)
    return np.clip(means.mean(axis=0), first, last), errors


def walked_ranks(order: CompiledOrder, rng: np.random.Generator) -> tuple[Matrix, Matrix]:
    """Return the probability of each rank of each item on random walks, with standard errors."""
    lines, inflation = _walked_positions(order, rng)
    n, samples = lines.shape
    # P(item i has rank r) = #{draws with i at position r - 1} / draws
    shares = np.array([np.bincount(line, minlength=n) for line in lines]).reshape(n, n) / samples
    best, worst = (bound[:, None] for bound in rank_bounds(order))
    ranks = np.arange(1, n + 1)
    is_open = (best < worst) & (best <= ranks) & (ranks <= worst)
    return shares, np.where(is_open, inflation[:, None] * _error_of(shares, samples), 0)


def walked_pairs(order: CompiledOrder, rng: np.random.Generator) -> tuple[Matrix, Matrix]:
    """Return P(item i above item j) on random walks, with standard errors."""
    lines, inflation = _walked_positions(order, rng)
    n, samples = lines.shape
    wins = np.zeros((n, n), dtype=np.int32)
    for i, line in enumerate(track(lines, label="pairs")):
        is_before = np.packbits(line < lines[i + 1 :], axis=1)
        wins[i, i + 1 :] = np.bitwise_count(is_before).sum(axis=1)
    wins += np.tril(samples - wins.T, -1)
    # P(i above j) = #{draws with i before j} / draws, the larger of two as 1 minus the smaller
    shares = np.where(2 * wins <= samples, wins / samples, 1 - (samples - wins) / samples)
    above = order.matrix()
    errors = np.maximum.outer(inflation, inflation) * _error_of(shares, samples)
    return shares, np.where(above | above.T, 0, errors)


def _walked_positions(order: CompiledOrder, rng: np.random.Generator) -> tuple[Numbers, Floats]:
    """Return positions [item, draw] on random walks, and how much they inflate the errors.

    Idea: *sweeps of the same walk are similar, but walks are independent. The spread of their
    means, and how much these still change, shows how much larger the errors are than those of
    independent draws.*
    """
    named, numbers = order.by_name()
    walked = walk_positions(named.relation.covers, rng, reads=READ)
    place = inverse_of(numbers[named.relation.item_at][::-1])
    lines = np.ascontiguousarray(walked.positions.reshape(-1, len(place)).T[place])
    return lines, _inflation_of(walked.positions[..., place], walked.drift[place])


def _error_of(share: Floats, samples: int) -> Floats:
    """Return the standard error of a share of some draws; it is never 0."""
    # SE(p) = sqrt(p (1 - p) / draws + 1 / (draws + 2)^2), the last term for what was never seen
    error: Floats = np.sqrt(share * (1 - share) / samples + 1 / (samples + 2) ** 2)
    return error


def _inflation_of(positions: Numbers, drift: Floats) -> Floats:
    """Return the ratio of a leaf's errors on walks to those of as many independent draws."""
    walks, times, _ = positions.shape
    # sqrt(T (Var(means of the walks) + W drift^2) / Var(positions)), W walks read T times each
    spread = times * (positions.mean(axis=1).var(axis=0, ddof=1) + walks * drift**2)
    alone = np.maximum(positions.var(axis=(0, 1)), _NO_SPREAD)
    inflation: Floats = np.sqrt(np.maximum(1, spread / alone))
    return inflation
