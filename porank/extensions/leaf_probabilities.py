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
from porank.core.relation import places_of
from porank.errors import PorankError, TooManyIdealsError
from porank.extensions.decomposition import (
    Leaf,
    OrderPart,
    above_matrix,
    decompose,
    position_bounds,
)
from porank.extensions.ideals import Ideals
from porank.extensions.sampling import READ, walk_positions
from porank.orders.antichains import unordered_rows
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
    max_ideals: int
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
                ideals = Ideals(part, max_ideals=self.max_ideals)
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
    return Choice(
        "exact" if exact else method,
        max_ideals=require_count(max_ideals, name="max_ideals", least=1),
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
    variance = means.var(axis=0, ddof=1) / len(means) + drift**2
    errors = np.sqrt(variance + ((last - first) / (len(means) * READ + 2)) ** 2)
    return np.clip(means.mean(axis=0), first, last), errors


class WalkedOrder:
    """The positions of the items of a whole order on random walks, by item.

    Idea: *sweeps of the same walk are similar, but walks are independent. The spread of their
    means, and how much these still change, shows how much larger the errors are than those of
    independent draws.*
    """

    def __init__(self, order: CompiledOrder, rng: np.random.Generator) -> None:
        named, numbers = order.by_name()
        relation = named.relation
        walked = walk_positions(relation.covers, rng, reads=READ)
        place = inverse_of(numbers[relation.item_at][::-1])
        self._best, self._worst = rank_bounds(order)
        self._unordered = unordered_rows(order)
        self._lines = np.ascontiguousarray(walked.positions.reshape(-1, len(place)).T[place])
        self._inflation = _inflation_of(walked.positions[..., place], walked.drift[place])

    @property
    def largest_error(self) -> float:
        """Upper bound of all standard errors."""
        return float(self._inflation.max() * _error_of(np.array(0.5), self._lines.shape[1]))

    def ranks_of(self, i: int, positions: Any) -> Floats:
        """Return the share of the time that item i spends at each of some positions on walks."""
        n, samples = self._lines.shape
        shares: Floats = np.bincount(self._lines[i], minlength=n)[positions] / samples
        return shares

    def rank_errors_of(self, i: int, positions: Any) -> Floats:
        """Return the standard errors of these shares; 0 for impossible positions."""
        error = self._inflation[i] * _error_of(self.ranks_of(i, slice(None)), self._lines.shape[1])
        ranks, best, worst = np.arange(1, len(error) + 1), self._best[i], self._worst[i]
        is_open = (best < worst) & (best <= ranks) & (ranks <= worst)
        errors: Floats = np.where(is_open, error, 0)[positions]
        return errors

    def pairs_of(self, i: int, others: Any) -> Any:
        """Return the share of the time that item i is above each of some others on walks."""
        samples = self._lines.shape[1]
        wins = np.count_nonzero(self._lines[i] < self._lines[others], axis=-1)
        # Compute the larger of the two shares as 1 minus the smaller.
        return np.where(2 * wins <= samples, wins / samples, 1 - (samples - wins) / samples)[()]

    def pair_errors_of(self, i: int, others: Any) -> Any:
        """Return the standard errors of these shares; 0 for comparable items."""
        inflation = np.maximum(self._inflation[i], self._inflation[others])
        error = inflation * _error_of(self.pairs_of(i, others), self._lines.shape[1])
        is_open = np.zeros(len(self._lines), dtype=bool)
        is_open[places_of(self._unordered(i))] = True
        return np.where(is_open[others], error, 0)[()]


def _error_of(share: Floats, samples: int) -> Floats:
    """Return the standard error of a share of some draws in a leaf; it is never 0."""
    error: Floats = np.sqrt(share * (1 - share) / samples + 1 / (samples + 2) ** 2)
    return error


def _inflation_of(positions: Numbers, drift: Floats) -> Floats:
    """Return the ratio of a leaf's errors on walks to those of as many independent draws."""
    walks, times, _ = positions.shape
    spread = times * (positions.mean(axis=1).var(axis=0, ddof=1) + walks * drift**2)
    alone = np.maximum(positions.var(axis=(0, 1)), _NO_SPREAD)
    inflation: Floats = np.sqrt(np.maximum(1, spread / alone))
    return inflation
