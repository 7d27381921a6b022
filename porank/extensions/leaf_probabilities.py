"""How the positions in each part of an order are found: which method, within which limits.

Each leaf of `porank.extensions.decomposition` is known at once or counted, or else drawn or
approximated; all four are asked the same questions. The items of a leaf are numbered best first
along a linear extension, its positions from 0.

Idea: *whatever is asked of a position, such as the rank it becomes in the whole order, is a number
for each position; its mean and the error of that mean are all that a leaf has to tell.*
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from porank.core.arguments import generator_of, require_count, require_flag, require_one_of
from porank.core.progress import track
from porank.errors import PorankError
from porank.extensions.decomposition import Part, above_matrix, decompose
from porank.extensions.ideals import ideals_if_few, ideals_of
from porank.extensions.local_model import (
    approximate_mutual_probabilities,
    approximate_rank_probabilities,
    incomparable,
)
from porank.extensions.sampling import count_exchanges, draw_batches
from porank.orders.ranks import sorted_by_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.extensions.ideals import Ideals
    from porank.typing import Matrix, Numbers, Seed


_METHODS = ("auto", "exact", "sample", "approximate")
#: A table of n**2 numbers is written for so many items; a weak order needs none.
MOST_ITEMS = 5000
#: Parts are not drawn by coins unless it is asked for if it takes more: about half a minute.
MOST_EXCHANGES = 3_000_000_000


@dataclass(frozen=True)
class Choice:
    """What the caller wants."""

    method: str
    max_ideals: int
    samples: int
    rng: np.random.Generator
    exact: bool
    progress: bool

    def solve(self, order: Order) -> tuple[list[Part], dict[int, Leaf]]:
        """Return the parts of an order, and for the number of each leaf where its items stand."""
        if self.method == "approximate" and not order.is_weak:
            named, numbers = sorted_by_name(order)
            relation = named.related(progress=self.progress)
            items = numbers[relation.order].tolist()
            whole = Part("prime", len(items), [], items, relation.covers)
            return [whole], {0: _approximated(whole)}
        # The names decide the sequence in which numbers are drawn and rounded; levels need neither.
        parts = decompose(order, by_name=not order.is_weak, progress=self.progress)
        leaves = {number: part for number, part in enumerate(parts) if not part.parts}
        return parts, {number: self._solve_leaf(part) for number, part in leaves.items()}

    def _solve_leaf(self, part: Part) -> Leaf:
        if part.kind == "free":
            return FreeLeaf(part.items[::-1], exact=self.exact)
        ideals = self._ideals_of(part)
        if ideals is not None and self.method != "sample":
            return CountedLeaf(part, ideals, exact=self.exact)
        is_long = count_exchanges(part.size) * self.samples > MOST_EXCHANGES
        if self.method == "auto" and is_long:
            return _approximated(part)
        _require_few(part, "draw")
        return DrawnLeaf(part, ideals, samples=self.samples, rng=self.rng, progress=self.progress)

    def _ideals_of(self, part: Part) -> Ideals | None:
        """Return the ideals of a part if they are not too many, or else must be counted."""
        if self.method != "exact":
            return ideals_if_few(part, max_ideals=self.max_ideals, progress=self.progress)
        way_out = "method='auto' estimates what cannot be counted"
        if self.exact:
            way_out += ", in floats: leave out exact=True"
        return ideals_of(part, max_ideals=self.max_ideals, progress=self.progress, way_out=way_out)


def choose(
    method: str, max_ideals: Any, samples: Any, seed: Seed, *, exact: bool, progress: bool
) -> Choice:
    """Return the options of a caller, checked."""
    require_one_of(method, _METHODS, name="method")
    require_flag(exact, name="exact")
    require_flag(progress, name="progress")
    if exact and method not in ("auto", "exact"):
        raise PorankError(
            f"expected method='auto' or 'exact' with exact=True, found {method!r}, which estimates"
        )
    return Choice(
        "exact" if exact else method,
        max_ideals=require_count(max_ideals, name="max_ideals", least=1),
        samples=require_count(samples, name="samples", least=1),
        rng=generator_of(seed),
        exact=exact,
        progress=progress,
    )


def _approximated(part: Part) -> ApproximateLeaf:
    _require_few(part, "approximate")
    return ApproximateLeaf(part)


def _require_few(part: Part, purpose: str) -> None:
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
    return next((method for method in ("approximate", "sample") if method in used), "exact")


class Leaf(Protocol):
    """What is asked of a leaf."""

    items: list[int]
    method: str

    def mean_of(self, values: Matrix | None) -> Matrix:
        """Return for each item the mean of each column of values, which has a row a position."""

    def error_of(self, values: Matrix | None) -> Matrix:
        """Return the standard error of `mean_of`."""

    def mutual(self) -> Matrix:
        """Return the probability of item i to stand above item j."""

    def mutual_error(self) -> Matrix:
        """Return the standard error of `mutual`."""


class FreeLeaf:
    """Items of which none is above another: every ranking of them is as likely."""

    method = "exact"

    def __init__(self, items: list[int], *, exact: bool) -> None:
        self.items = items
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

    def error_of(self, values: Matrix | None) -> Matrix:
        """Return zeros."""
        return _no_error(self.items, values)

    def mutual(self) -> Matrix:
        """Return one half for any two items."""
        n = len(self.items)
        halves = np.full((n, n), self._number(1) / 2)
        np.fill_diagonal(halves, self._number(0))
        return halves

    def mutual_error(self) -> Matrix:
        """Return zeros."""
        return _no_error(self.items, None)


class CountedLeaf:
    """A part whose linear extensions are counted over its ideals."""

    method = "exact"

    def __init__(self, part: Part, ideals: Ideals, *, exact: bool) -> None:
        self.items = part.items[::-1]
        self._part = part
        self._exact = exact
        self._ideals = ideals

    def mean_of(self, values: Matrix | None) -> Matrix:
        """Return the means over all linear extensions."""
        return self._chances if values is None else self._chances @ values

    def error_of(self, values: Matrix | None) -> Matrix:
        """Return zeros."""
        return _no_error(self.items, values)

    def mutual(self) -> Matrix:
        """Return the shares of all linear extensions."""
        if self._exact:
            return self._shares(self._ideals.exact_mutual_counts())
        return complementary(self._ideals.mutual_matrix(), above_matrix(self._part))

    def mutual_error(self) -> Matrix:
        """Return zeros."""
        return _no_error(self.items, None)

    @cached_property
    def _chances(self) -> Matrix:
        if self._exact:
            return self._shares(self._ideals.exact_rank_counts())
        return self._ideals.rank_matrix()

    def _shares(self, counts: Matrix) -> Matrix:
        total = self._ideals.count_extensions()
        shares = [[Fraction(int(count), total) for count in row] for row in counts]
        return np.array(shares, dtype=object)


def complementary(chances: Matrix, above: NDArray[np.bool_]) -> Matrix:
    """Return how likely i stands above j, free of rounding where the order itself decides."""
    upper = np.triu(np.where(above, 1.0, np.clip(chances, 0.0, 1.0)), 1)
    both: Matrix = upper + np.tril(1 - upper.T, -1)
    return both


def _no_error(items: Sequence[int], values: Matrix | None) -> Matrix:
    columns = len(items) if values is None else values.shape[1]
    return np.broadcast_to(np.zeros(1), (len(items), columns))


#: So many draws are made together.
_TOGETHER = 10_000


class DrawnLeaf:
    """A part of which linear extensions are drawn, each exactly uniform."""

    method = "sample"

    def __init__(
        self,
        part: Part,
        ideals: Ideals | None = None,
        *,
        samples: int,
        rng: np.random.Generator,
        progress: bool = False,
    ) -> None:
        self.items = part.items[::-1]
        self._above = above_matrix(part)
        n = len(self.items)
        self._best, self._last = _possible(self._above)
        self._samples = samples
        self._hits = np.zeros((n, n), dtype=np.int64)
        self._wins = np.zeros((n, n), dtype=np.int64)
        if ideals is None:
            batches = draw_batches(self._above, samples, rng, progress=progress)
        else:
            batches = _drawn_from(ideals, n, samples, rng, progress=progress)
        for batch in batches:
            self._count(batch)

    def _count(self, batch: Numbers) -> None:
        """Add up where each item stands, and how often above which other one."""
        position = np.argsort(batch, axis=1)
        for item, places in enumerate(position.T):
            self._hits[item] += np.bincount(places, minlength=len(self.items))
            self._wins[item] += np.sum(places[:, None] < position, axis=0)

    def mean_of(self, values: Matrix | None) -> Matrix:
        """Return the means of the draws."""
        chances = self._hits / self._samples
        return chances if values is None else chances @ values

    def mutual(self) -> Matrix:
        """Return the shares of the draws."""
        return complementary(self._wins / self._samples, self._above)

    def mutual_error(self) -> Matrix:
        """Return the error of the mean of numbers 0 and 1."""
        more = self._samples + 2
        share = (self._wins + 1) / more
        return np.where(incomparable(self._above), np.sqrt(share * (1 - share) / more), 0)

    def error_of(self, values: Matrix | None) -> Matrix:
        """Return the standard error of the mean of the draws and two more."""
        n, more = len(self.items), self._samples + 2
        values = np.eye(n) if values is None else values
        errors = np.zeros((n, values.shape[1]))
        bounds = zip(self._best.tolist(), self._last.tolist(), strict=True)
        for item, (first, last) in enumerate(bounds):
            possible = values[first : last + 1]
            ends = np.stack([possible.min(axis=0), possible.max(axis=0)])
            mean = (self._hits[item] @ values + ends.sum(axis=0)) / more
            spread = self._hits[item] @ (values - mean) ** 2 + ((ends - mean) ** 2).sum(axis=0)
            errors[item] = np.sqrt(spread) / more
        return errors


class ApproximateLeaf:
    """A part too large to be counted or drawn: the extended local partial order model."""

    method = "approximate"

    def __init__(self, part: Part) -> None:
        self.items = part.items[::-1]
        self._above = above_matrix(part)
        self._best, self._last = _possible(self._above)

    def mean_of(self, values: Matrix | None) -> Matrix:
        """Return the means that the model expects."""
        return self._chances if values is None else self._chances @ values

    def error_of(self, values: Matrix | None) -> Matrix:
        """Return nan, but for what the order says itself."""
        values = np.eye(len(self.items)) if values is None else values
        changes = np.zeros(values.shape, dtype=np.int32)
        np.cumsum(values[1:] != values[:-1], axis=0, out=changes[1:])
        return np.where(changes[self._last] > changes[self._best], np.nan, 0)

    def mutual(self) -> Matrix:
        """Return the probabilities of the model."""
        return complementary(approximate_mutual_probabilities(self._above), self._above)

    def mutual_error(self) -> Matrix:
        """Return nan, but for what the order says itself."""
        return np.where(incomparable(self._above), np.nan, 0)

    @cached_property
    def _chances(self) -> Matrix:
        return approximate_rank_probabilities(self._above)


def _possible(above: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Return the first and the last position of each item that the order allows."""
    return above.sum(axis=0), len(above) - 1 - above.sum(axis=1)


def _drawn_from(
    ideals: Ideals, n: int, samples: int, rng: np.random.Generator, *, progress: bool
) -> Iterator[Numbers]:
    """Yield so many linear extensions in arrays, some thousand at a time."""
    for first in track(range(0, samples, _TOGETHER), progress=progress, label="drawing"):
        yield ideals.draw(rng.random((min(_TOGETHER, samples - first), n)))
