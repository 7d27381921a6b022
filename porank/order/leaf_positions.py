"""Where the items of one part may stand within it, exactly: known at once, or counted.

Each leaf of `porank.order.parts` is known or counted or else, in
`porank.order.estimated_leaves`, drawn or approximated; all four are asked the same questions. The
items of a leaf are numbered best first along a linear extension, its positions from 0.

Idea: *whatever is asked of a position, such as the rank it becomes in the whole order, is a number
for each position; its mean and the error of that mean are all that a leaf has to tell.*
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from porank.order.parts import above_matrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.order.ideals import Ideals
    from porank.order.parts import Part
    from porank.typing import Matrix


class Leaf(Protocol):
    """What is asked of a leaf.

    Attributes
    ----------
    items : list of int
        Its items, best first along a linear extension.
    method : {"exact", "sample", "approximate"}
        How its figures are found.
    """

    items: list[int]
    method: str

    def mean_of(self, values: Matrix | None) -> Matrix:
        """Return for each item the mean of each column of values, which has a row a position.

        None stands for the identity: the means are then the probabilities of the positions.
        """

    def error_of(self, values: Matrix | None) -> Matrix:
        """Return the standard error of `mean_of`."""

    def mutual(self) -> Matrix:
        """Return the probability of item i to stand above item j."""

    def mutual_error(self) -> Matrix:
        """Return the standard error of `mutual`."""


class FreeLeaf:
    """Items of which none is above another: every ranking of them is as likely.

    Examples
    --------
    >>> leaf = FreeLeaf([4, 7], exact=True)
    >>> leaf.mean_of(None)[0].tolist(), leaf.mutual()[0].tolist()
    ([Fraction(1, 2), Fraction(1, 2)], [Fraction(0, 1), Fraction(1, 2)])
    """

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
    """A part whose linear extensions are counted over its ideals.

    Examples
    --------
    >>> from porank.build.notation import parse
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> from porank.order.ideals import ideals_of
    >>> N = decompose(compile_order(parse("a > c; b > c; b > d")))[0]
    >>> leaf = CountedLeaf(N, ideals_of(N, max_ideals=100), exact=True)
    >>> [str(mean) for mean in leaf.mean_of(np.arange(4)[:, None])[:, 0]]
    ['2/5', '4/5', '11/5', '13/5']
    """

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
    """Return how likely i stands above j, free of rounding where the order itself decides.

    What it says has 1 and 0, and the two directions of a pair sum up to 1 exactly.

    Parameters
    ----------
    chances : array of float
        The chances, rounded.
    above : array of bool
        The closure, the items numbered along a linear extension.

    Examples
    --------
    >>> above = np.array([[False, True], [False, False]])
    >>> complementary(np.array([[0.0, 1 - 2**-50], [0.0, 0.0]]), above).tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    """
    upper = np.triu(np.where(above, 1.0, np.clip(chances, 0.0, 1.0)), 1)
    both: Matrix = upper + np.tril(1 - upper.T, -1)
    return both


def _no_error(items: Sequence[int], values: Matrix | None) -> Matrix:
    columns = len(items) if values is None else values.shape[1]
    return np.broadcast_to(np.zeros(1), (len(items), columns))
