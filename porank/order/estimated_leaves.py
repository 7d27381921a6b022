"""Where the items of one part may stand within it, estimated: drawn, or approximated.

The questions are those of `porank.order.leaf_positions`. Items are numbered best first along a
linear extension, positions from 0.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from porank.core.progress import track
from porank.order.approximation import (
    approximate_mutual_probabilities,
    approximate_rank_probabilities,
    incomparable,
)
from porank.order.leaf_positions import complementary
from porank.order.parts import above_matrix
from porank.order.perfect_sampling import draw_batches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.order.ideals import Ideals
    from porank.order.parts import Part
    from porank.typing import Matrix, Numbers

#: So many draws are made together.
_TOGETHER = 10_000


class DrawnLeaf:
    """A part of which linear extensions are drawn, each exactly uniform.

    They are drawn from its ideals where these are given, else by the perfect sampler. A standard
    error is that of the draws and of two more, which put the item, or the pair, at
    either end of what is possible: what no draw has shown is not taken to be impossible, and what
    the order says itself has no error.

    Examples
    --------
    >>> from porank.build.notation import parse
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = decompose(compile_order(parse("a > c; b > c; b > d")))[0]
    >>> leaf = DrawnLeaf(N, samples=1000, rng=np.random.default_rng(0))
    >>> means = leaf.mean_of(np.arange(4)[:, None])[:, 0]
    >>> bool(np.all(abs(means - [0.4, 0.8, 2.2, 2.6]) < 0.1))
    True
    """

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
    """A part too large to be counted or drawn: the extended local partial order model.

    Examples
    --------
    >>> from porank.build.notation import parse
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = decompose(compile_order(parse("a > c; b > c; b > d")))[0]
    >>> ApproximateLeaf(N).mean_of(np.arange(4)[:, None])[:, 0].round(3).tolist()
    [0.333, 0.833, 2.167, 2.667]
    """

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
