"""Where the items of each part of an order may stand, and by which method that is found.

Each leaf of `porank.extensions.decomposition` is known at once or counted, or else drawn, walked
through or approximated; all are asked the same questions. `choose` checks the options of a caller
and returns a `Choice`, which solves the leaves of an order; `method_of` names the least exact
method used. The items of a leaf are numbered best first along a linear extension, its positions
from 0.

Idea: *whatever is asked of a position, such as the rank it becomes in the whole order, is a number
for each position; its mean and the error of that mean are all that a leaf has to tell.*
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import generator_of, require_flag, require_one_of, require_samples
from porank.core.progress import require_progress, track
from porank.errors import PorankError
from porank.extensions.decomposition import OrderPart, above_matrix, decompose
from porank.extensions.ideals import ideals_if_few, ideals_of, read_max_ideals
from porank.extensions.local_model import (
    approximate_mutual_probabilities,
    approximate_rank_probabilities,
    incomparable,
)
from porank.extensions.order_polytope import draw_batches, walk_batches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.extensions.ideals import Ideals
    from porank.typing import Matrix, Numbers, Seed


_METHODS = ("auto", "exact", "sample", "walk", "approximate")
#: A table of n**2 numbers is written for so many items; a weak order needs none.
MOST_ITEMS = 5000
#: So many walks go through an order polytope beside each other, and for so many sweeps.
_LANES, _SWEEPS = 20, 300
#: Fewer sweeps go through many items, of which each has a smaller share in the error.
_STEPS = 300_000
#: So many comparisons of an item with another are made to see who wins how often on the walks.
_COMPARISONS = 500_000_000
#: What always stands at one position has no spread.
_NO_SPREAD = 1e-12
#: So many draws are made together.
_TOGETHER = 10_000


@dataclass(frozen=True)
class Choice:
    """By which method, and within which limits, the leaves of an order are solved."""

    method: str
    max_ideals: int
    samples: int
    rng: np.random.Generator
    exact: bool
    progress: bool | None

    def solve(self, order: Order) -> tuple[list[OrderPart], dict[int, Leaf]]:
        """Return the parts of an order, and for the number of each leaf where its items stand."""
        if self.method == "approximate" and not order.is_weak:
            named, numbers = order.by_name()
            relation = named.related(progress=self.progress)
            items = numbers[relation.order].tolist()
            whole = OrderPart("prime", len(items), [], items, relation.covers)
            return [whole], {0: _approximated(whole)}
        # The names decide the sequence in which numbers are drawn and rounded; levels need neither.
        parts = decompose(order, by_name=not order.is_weak, progress=self.progress)
        leaves = {number: part for number, part in enumerate(parts) if not part.parts}
        return parts, {number: self._solve_leaf(part) for number, part in leaves.items()}

    def _solve_leaf(self, part: OrderPart) -> Leaf:
        if part.kind == "free":
            return _FreeLeaf(part, exact=self.exact)
        ideals = self._ideals_of(part)
        if ideals is not None and self.method != "sample":
            return _CountedLeaf(part, ideals, exact=self.exact)
        _require_few(part, "draw")
        if self.method == "sample":
            return _DrawnLeaf(part, self._drawn(part, ideals))
        return _WalkedLeaf(part, self.rng, progress=self.progress)

    def _drawn(self, part: OrderPart, ideals: Ideals | None) -> Iterator[Numbers]:
        """Yield uniform linear extensions in arrays, some thousand at a time."""
        if ideals is None:
            yield from draw_batches(
                above_matrix(part), self.samples, self.rng, progress=self.progress
            )
            return
        batches = range(0, self.samples, _TOGETHER)
        for first in track(batches, progress=self.progress, label="drawing"):
            together = min(_TOGETHER, self.samples - first)
            yield ideals.draw(self.rng.random((together, part.size)))

    def _ideals_of(self, part: OrderPart) -> Ideals | None:
        """Return the ideals of a part if they are not too many, or else must be counted."""
        if self.method == "walk":
            return None
        if self.method != "exact":
            return ideals_if_few(part, max_ideals=self.max_ideals, progress=self.progress)
        way_out = "method='auto' estimates what cannot be counted"
        if self.exact:
            way_out += ", in floats: leave out exact=True"
        return ideals_of(part, max_ideals=self.max_ideals, progress=self.progress, way_out=way_out)


def choose(
    method: str, max_ideals: Any, samples: Any, seed: Seed, *, exact: bool, progress: bool | None
) -> Choice:
    """Return the options of a caller, checked."""
    require_one_of(method, _METHODS, name="method")
    require_flag(exact, name="exact")
    require_progress(progress)
    if exact and method not in ("auto", "exact"):
        raise PorankError(
            f"expected method='auto' or 'exact' with exact=True, found {method!r}, which estimates"
        )
    return Choice(
        "exact" if exact else method,
        max_ideals=read_max_ideals(max_ideals, exact=exact or method == "exact"),
        samples=require_samples(samples),
        rng=generator_of(seed),
        exact=exact,
        progress=progress,
    )


def _approximated(part: OrderPart) -> ApproximateLeaf:
    _require_few(part, "approximate")
    return ApproximateLeaf(part)


def _require_few(part: OrderPart, purpose: str) -> None:
    """Raise an error if the tables that an estimate takes would be too large."""
    if part.size > MOST_ITEMS:
        raise PorankError(
            f"expected at most {MOST_ITEMS:,} items to {purpose}, found {part.size:,} in a part "
            "that cannot be divided; rank_intervals takes any number, restrict(G, items) leaves "
            "fewer"
        )


def method_of(leaves: Mapping[int, Leaf]) -> str:
    """Return the least exact method that was used."""
    used = {leaf.method for leaf in leaves.values()}
    return next((method for method in ("approximate", "walk", "sample") if method in used), "exact")


class Leaf:
    """Where the items of a leaf stand, best first: exact unless it is told otherwise."""

    method = "exact"

    def __init__(self, part: OrderPart) -> None:
        self.items = part.items[::-1]

    @cached_property
    def chances(self) -> Matrix:
        """The probability of item i to stand at position p."""
        raise NotImplementedError

    def mean_of(self, values: Matrix | None) -> Matrix:
        """Return for each item the mean of each column of values, which has a row a position."""
        return self.chances if values is None else self.chances @ values

    def error_of(self, values: Matrix) -> Matrix:
        """Return the standard error of `mean_of`."""
        return np.zeros((len(self.items), values.shape[1]))

    def mutual(self) -> Matrix:
        """Return the probability of item i to stand above item j."""
        raise NotImplementedError

    def mutual_error(self) -> Matrix:
        """Return the standard error of `mutual`."""
        return np.zeros((len(self.items), len(self.items)))


class _FreeLeaf(Leaf):
    """Items of which none is above another: every ranking of them is as likely."""

    def __init__(self, part: OrderPart, *, exact: bool) -> None:
        super().__init__(part)
        self._number: Any = Fraction if exact else float

    def mean_of(self, values: Matrix | None) -> Matrix:
        """Return the same mean for all items."""
        n = len(self.items)
        if values is None:
            return np.broadcast_to(np.array(self._number(1) / max(n, 1)), (n, n))
        # Divided last: the sum of whole numbers is exact, and so is their mean, rounded once.
        total = values.sum(axis=0)
        mean = total * Fraction(1, max(n, 1)) if self._number is Fraction else total / max(n, 1)
        return np.broadcast_to(mean, (n, values.shape[1]))

    def mutual(self) -> Matrix:
        """Return one half for any two items."""
        n = len(self.items)
        halves = np.full((n, n), self._number(1) / 2)
        np.fill_diagonal(halves, self._number(0))
        return halves


class _CountedLeaf(Leaf):
    """A part whose linear extensions are counted over its ideals."""

    def __init__(self, part: OrderPart, ideals: Ideals, *, exact: bool) -> None:
        super().__init__(part)
        self._part = part
        self._exact = exact
        self._ideals = ideals

    def mutual(self) -> Matrix:
        """Return the shares of all linear extensions."""
        if self._exact:
            return self._shares(self._ideals.mutual_matrix(object))
        return _complementary(self._ideals.mutual_matrix(), above_matrix(self._part))

    @cached_property
    def chances(self) -> Matrix:
        """The shares of all linear extensions."""
        if self._exact:
            return self._shares(self._ideals.rank_matrix(object))
        return self._ideals.rank_matrix()

    def _shares(self, counts: Matrix) -> Matrix:
        total = self._ideals.count
        shares = [[Fraction(int(count), total) for count in row] for row in counts]
        return np.array(shares, dtype=object)


def _complementary(chances: Matrix, above: NDArray[np.bool_]) -> Matrix:
    """Return how likely i stands above j, free of rounding where the order itself decides."""
    upper = np.triu(np.where(above, 1.0, np.clip(chances, 0.0, 1.0)), 1)
    both: Matrix = upper + np.tril(1 - upper.T, -1)
    return both


class _DrawnLeaf(Leaf):
    """A part of which linear extensions are drawn, each exactly uniform."""

    method = "sample"

    def __init__(self, part: OrderPart, batches: Iterable[Numbers]) -> None:
        super().__init__(part)
        self._above = above_matrix(part)
        n = len(self.items)
        self._samples = 0
        self._hits = np.zeros((n, n), dtype=np.int64)
        self._wins = np.zeros((n, n), dtype=np.int64)
        #: By how much the errors exceed those of independent draws, in a row for each item.
        self._inflation = np.ones((n, 1))
        for batch in batches:
            self._samples += len(batch)
            self._count(batch)

    def _count(self, batch: Numbers) -> None:
        """Add up where each item stands, and how often above which other one."""
        position = np.argsort(batch, axis=1)
        for item, places in enumerate(position.T):
            self._hits[item] += np.bincount(places, minlength=len(self.items))
            self._wins[item] += np.sum(places[:, None] < position, axis=0)

    @cached_property
    def chances(self) -> Matrix:
        """The shares of the draws."""
        return self._hits / self._samples

    def mutual(self) -> Matrix:
        """Return the shares of the draws."""
        wins, samples = self._contests
        return _complementary(wins / samples, self._above)

    @cached_property
    def _contests(self) -> tuple[Numbers, int]:
        """How often each item is above each other one, and in how many draws."""
        return self._wins, self._samples

    def mutual_error(self) -> Matrix:
        """Return the error of the mean of numbers 0 and 1."""
        wins, samples = self._contests
        more = samples + 2
        share = (wins + 1) / more
        error = self._inflation * np.sqrt(share * (1 - share) / more)
        return np.where(incomparable(self._above), np.maximum(error, error.T), 0)

    def error_of(self, values: Matrix) -> Matrix:
        """Return the standard error of the mean of the draws and two more."""
        more = self._samples + 2
        errors = np.zeros((len(self.items), values.shape[1]))
        for item, (first, last) in enumerate(zip(*_possible(self._above), strict=True)):
            possible = values[first : last + 1]
            ends = np.stack([possible.min(axis=0), possible.max(axis=0)])
            mean = (self._hits[item] @ values + ends.sum(axis=0)) / more
            spread = self._hits[item] @ (values - mean) ** 2 + ((ends - mean) ** 2).sum(axis=0)
            errors[item] = np.sqrt(spread) / more
        return errors


class _WalkedLeaf(_DrawnLeaf):
    """A part of which linear extensions are met on walks through its order polytope.

    Idea: *sweeps of one walk resemble each other, walks do not: how far their means lie apart tells
    by how much the errors exceed those of independent draws.*
    """

    method = "walk"

    def __init__(self, part: OrderPart, rng: np.random.Generator, *, progress: bool | None) -> None:
        self._met: list[NDArray[np.int16]] = []
        above = above_matrix(part)
        sweeps = min(_SWEEPS, max(_SWEEPS // 3, _STEPS // max(part.size, 1)))
        super().__init__(part, walk_batches(above, _LANES, sweeps, rng, progress=progress))
        met, n = np.stack(self._met), len(self.items)
        spread = met.mean(axis=0).var(axis=0, ddof=1) / _LANES
        alone = met.var(axis=(0, 1)) / self._samples
        self._inflation[:, 0] = np.sqrt(np.maximum(1, spread / np.maximum(alone, _NO_SPREAD)))
        self._positions = met.reshape(-1, n)
        self._hits = _count_positions(self._positions)

    def _count(self, batch: Numbers) -> None:
        self._met.append(np.argsort(batch, axis=1).astype(np.int16))

    @cached_property
    def _contests(self) -> tuple[Numbers, int]:
        """Who is above whom how often, in as many sweeps as can be looked through."""
        n = len(self.items)
        some = self._positions[:: len(self._positions) * n * n // _COMPARISONS + 1]
        wins = np.zeros((n, n), dtype=np.int16)
        for position in some:
            wins += position[:, None] < position
        return wins.astype(np.int64), len(some)

    def error_of(self, values: Matrix) -> Matrix:
        """Return the standard error of the mean over the walks, never 0 for what is open."""
        hits = self._hits.astype(np.float64)
        mean, square = hits @ values, hits @ values**2
        samples = self._samples
        variance = np.maximum(square / samples - (mean / samples) ** 2, 0)
        error = np.sqrt(variance / samples + (np.ptp(values, axis=0) / (samples + 2)) ** 2)
        return np.where(_is_open(values, self._above), self._inflation * error, 0)


def _count_positions(positions: NDArray[np.int16]) -> Numbers:
    """Return how often each item, a column, stands at each position."""
    n = positions.shape[1]
    hits = np.zeros(n * n, dtype=np.int64)
    for some in np.array_split(positions, positions.size // 2**20 + 1):
        hits += np.bincount((np.arange(n) * n + some).ravel(), minlength=n * n)
    return hits.reshape(n, n)


class ApproximateLeaf(Leaf):
    """A part too large to be counted or drawn: the extended local partial order model."""

    method = "approximate"

    def __init__(self, part: OrderPart) -> None:
        super().__init__(part)
        self._above = above_matrix(part)

    @cached_property
    def chances(self) -> Matrix:
        """The probabilities of the model."""
        return approximate_rank_probabilities(self._above)

    def error_of(self, values: Matrix) -> Matrix:
        """Return nan, but for what the order says itself."""
        return np.where(_is_open(values, self._above), np.nan, 0)

    def mutual(self) -> Matrix:
        """Return the probabilities of the model."""
        return _complementary(approximate_mutual_probabilities(self._above), self._above)

    def mutual_error(self) -> Matrix:
        """Return nan, but for what the order says itself."""
        return np.where(incomparable(self._above), np.nan, 0)


def _is_open(values: Matrix, above: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each item and each column of values whether its positions have different ones."""
    changes = np.zeros(values.shape, dtype=np.int32)
    np.cumsum(values[1:] != values[:-1], axis=0, out=changes[1:])
    best, last = _possible(above)
    is_open: NDArray[np.bool_] = changes[last] > changes[best]
    return is_open


def _possible(above: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Return the first and the last position of each item that the order allows."""
    return above.sum(axis=0), len(above) - 1 - above.sum(axis=1)
