"""Compute rank probabilities, expected ranks and mutual rank probabilities.

Usually several rankings are compatible with a partial order: its linear extensions. If all of them
are equally likely, the rank of an item is a random number with a distribution and a mean. Tied
items are treated like incomparable ones.

Idea: *decompose the order, solve each part that cannot be decomposed by the best method possible,
and combine the results exactly.* A part is counted over its ideals if there are not too many.
Otherwise its mean positions are estimated by random walks through its order polytope, and
probabilities by walks through the polytope of the whole order. ``.method`` names the least exact
method used, and ``.standard_error`` has the error of each number.

Public: `rank_probabilities`, `expected_ranks`, `mutual_rank_probabilities`, and the mappings that
they return, which print as tables.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from porank.core.compiled_order import compile_order
from porank.core.scores import Ranks, plain_number
from porank.core.tables import Keyed, Table
from porank.errors import PorankError, counted, listed, plain_text, quoted
from porank.extensions.decomposition import mean_ranks, mutual_table, rank_table
from porank.extensions.leaf_probabilities import (
    MOST_ITEMS,
    choose,
    method_of,
    walked_pairs,
    walked_ranks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from porank.core.compiled_order import CompiledOrder
    from porank.extensions.leaf_probabilities import Choice
    from porank.typing import Item, Matrix, OrderLike, Seed


#: The type of the result.
Kind = TypeVar("Kind", bound="_Figures")


def rank_probabilities(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int | None = None,
    seed: Seed = 0,
    exact: bool = False,
) -> RankProbabilities:
    """Return the probability of each rank for each item, over all linear extensions.

    The probability that x has rank r is the share of the linear extensions of `G` in which r - 1
    items are before x.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Tied items, like incomparable ones, may appear in either order.
    method : {"auto", "exact", "walk"}
        How to solve parts that cannot be decomposed: ``"exact"`` counts over their ideals,
        ``"walk"`` estimates from 20 random walks through the order polytope, and ``"auto"`` counts
        if `max_ideals` allows it and walks otherwise. Weak orders are always solved exactly.
    max_ideals : int, optional
        Maximum number of ideals of a part that is counted. An ideal is a set of items that contains
        all items above each of its items. By default five million if exact numbers are requested.
        With ``"auto"`` 1,000 (n + 2 m), at most ten million, for a part of n items and m covers;
        they take a few times as long as walks at most.
    seed : int, Generator or None
        Seed or source of random numbers. The same integer gives the same result, whatever the order
        in which items and edges were added.
    exact : bool
        Whether to return exact fractions instead of floats. Then nothing is estimated.

    Returns
    -------
    RankProbabilities
        A mapping item -> [p_1, ..., p_n] of probabilities in [0, 1], with the attributes ``method``
        and ``standard_error``. They sum to 1 for each item and for each rank.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact numbers are requested and a part has more than `max_ideals` ideals.
    PorankError
        If an option is out of range, or if the order has more than 5,000 items.

    See Also
    --------
    rank_intervals, expected_ranks, mutual_rank_probabilities, RankProbabilities

    Examples
    --------
    >>> import porank as po
    >>> found = po.rank_probabilities(po.parse("a > c; b > c; b > d"), exact=True)
    >>> print(found)
    item    1    2    3    4
    ----  ---  ---  ---  ---
    a     2/5  2/5  1/5    0
    c       0    0  2/5  3/5
    b     3/5  2/5    0    0
    d       0  1/5  2/5  2/5
    >>> walked = po.rank_probabilities(po.parse("a > c; b > c; b > d"), method="walk", seed=0)
    >>> found.method, walked.method, abs(walked["a"][0] - 2 / 5) < 3 * walked.standard_error["a"][0]
    ('exact', 'walk', True)

    Notes
    -----
    Exact probabilities take O(n**2) for weak orders. Otherwise they take the time of the closure
    and O(w) for each ideal of a part of width w [1]_. A million ideals take less than a second, and
    20 million some ten seconds and 350 megabytes. Exact fractions take two to three times as long
    and five times the memory. Combining components of a and b items takes O(a b (a + b)).

    With ``"auto"``, a part is estimated by random walks if it has too many ideals, or if the
    numbers of items from each of its chains do not fit into 63 bits. Whether this happens does not
    depend on the speed of the machine. Walks take O(m_red) for each sweep, and are doubled in
    length until their means no longer change. This takes a second or two for up to 4,000 items, and
    some seconds if there are relations between long chains. If the walks end earlier, or take fewer
    than four sweeps for each level, three times their last change is added to the errors. Memory is
    O(n) for each of some thousand samples. Ranks that the order rules out have probability 0 and
    error 0. All other estimates have a positive error, even if a rank was never observed.

    References
    ----------
    .. [1] K. De Loof, H. De Meyer, B. De Baets, "Exploiting the lattice of ideals representation
       of a poset", Fundamenta Informaticae 71, 2006, pp. 309-321.
    """
    choice = choose(method, max_ideals, seed, exact=exact)
    return _of_all_items(RankProbabilities, compile_order(G), choice, rank_table, walked_ranks)


def expected_ranks(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int | None = None,
    seed: Seed = 0,
    exact: bool = False,
) -> ExpectedRanks:
    """Return the expected rank of each item, over all linear extensions.

    The expected rank of x is its mean rank over all linear extensions of `G`.

    Parameters
    ----------
    G, method, max_ideals, seed, exact
        As for `rank_probabilities`.

    Returns
    -------
    ExpectedRanks
        A mapping item -> number in [1, n], with the attributes ``method`` and ``standard_error``.
        The numbers sum to n (n + 1) / 2. Functions that take an order read them as ranks.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact numbers are requested and a part has more than `max_ideals` ideals.
    PorankError
        If an option is out of range.

    See Also
    --------
    rank_intervals, rank_probabilities, mutual_rank_probabilities, RankProbabilities

    Examples
    --------
    >>> import porank as po
    >>> dict(po.expected_ranks(po.parse("a > b > c; d")))
    {'a': 1.25, 'b': 2.5, 'c': 3.75, 'd': 2.5}
    >>> dict(po.expected_ranks({"tea": 3, "coffee": 5, "water": 3}))
    {'tea': 2.5, 'coffee': 1.0, 'water': 2.5}

    Notes
    -----
    Time O(n) for weak orders. Otherwise it takes the time of `rank_probabilities` for each part,
    and O(n) to combine the parts: position q in a component of a items has the mean rank
    q (n + 1) / (a + 1). Random walks estimate it from the mean coordinate in the order polytope,
    which is more precise than the mean of sampled ranks. In general, the expected rank is not the
    midpoint of the possible ranks, which the position measures use.
    """
    choice = choose(method, max_ideals, seed, exact=exact)
    order = compile_order(G)
    parts, leaves = choice.solve(order)
    ranks, errors = mean_ranks(parts, leaves, exact=exact)
    return ExpectedRanks(order.items, ranks.tolist(), errors.tolist(), method_of(leaves))


def mutual_rank_probabilities(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int | None = None,
    seed: Seed = 0,
    exact: bool = False,
) -> MutualRankProbabilities:
    """Return for all pairs of items the probability that one is above the other.

    The probability of (u, v) is the share of the linear extensions of `G` in which u is before v.
    It is 1 if u > v and 0 if v > u.

    Parameters
    ----------
    G, method, max_ideals, seed, exact
        As for `rank_probabilities`.

    Returns
    -------
    MutualRankProbabilities
        A mapping (u, v) -> number in [0, 1] for all ordered pairs of different items, with the
        attributes ``method`` and ``standard_error``. The numbers of (u, v) and (v, u) sum to 1.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact numbers are requested and a part has more than `max_ideals` ideals.
    PorankError
        If an option is out of range, or if the order has more than 5,000 items.

    See Also
    --------
    porank.PreferenceRelation.from_degrees : makes a preference relation of these probabilities.

    Examples
    --------
    >>> import porank as po
    >>> N = po.mutual_rank_probabilities(po.parse("a > c; b > c; b > d"), exact=True)
    >>> N["a", "c"], N["a", "b"], N["a", "d"]
    (Fraction(1, 1), Fraction(2, 5), Fraction(4, 5))

    Use them as degrees of preference, and keep the preferences that hold in at least four of five
    rankings:

    >>> P = po.PreferenceRelation.from_degrees(N)
    >>> sorted(P.cut(0.8).edges)
    [('a', 'c'), ('a', 'd'), ('b', 'c'), ('b', 'd')]

    Notes
    -----
    Time of `rank_probabilities`, plus O(a b (a + b)) for components of a and b items.
    The algorithm over the lattice of ideals is by De Loof, De Meyer and De Baets [1]_. The sum of
    the probabilities of (u, x) over all u, plus 1, is the expected rank of x (up to the errors if
    they are estimated). Probabilities of comparable items are exactly 1 and 0, and the floats of
    (u, v) and (v, u) sum to exactly 1. The majorities can form a cycle: u above v, v above w, and w
    above u can each have a probability above 1/2.

    References
    ----------
    .. [1] K. De Loof, H. De Meyer, B. De Baets, "Exploiting the lattice of ideals representation
       of a poset", Fundamenta Informaticae 71, 2006, pp. 309-321.
    """
    choice = choose(method, max_ideals, seed, exact=exact)
    order = compile_order(G)
    return _of_all_items(MutualRankProbabilities, order, choice, mutual_table, walked_pairs)


def _of_all_items(
    kind: type[Kind],
    order: CompiledOrder,
    choice: Choice,
    of_parts: Callable[..., Matrix],
    walked: Callable[..., tuple[Matrix, Matrix]],
) -> Kind:
    """Return rank or mutual rank probabilities of all items, combined from parts or walked."""
    n = len(order.items)
    if n > MOST_ITEMS:
        raise PorankError(
            f"expected at most {MOST_ITEMS:,} items, found {n:,}, which need {n * n:,} numbers; "
            "expected_ranks and rank_intervals return one or two per item"
        )
    parts, leaves = choice.solve(order)
    if method_of(leaves) == "walk":
        return kind(order.items, *walked(order, choice.rng), "walk")
    chances = of_parts(parts, leaves, exact=choice.exact)
    return kind(order.items, chances, np.broadcast_to(0.0, (n, n)), "exact")


class _Figures(Keyed):
    """A frozen mapping with the attributes `method` and `standard_error`, printed as a table."""

    #: The title of the table.
    _title: ClassVar[str]
    _most = (30, 13)

    def __init__(self, items: Sequence[Item], figures: Any, errors: Any, method: str) -> None:
        self._items = items
        self._figures = figures
        self._number = {item: number for number, item in enumerate(items)}
        #: The method: ``"exact"`` or ``"walk"``.
        self.method = method
        self._of_errors = errors is None
        # Standard errors have the same form as the numbers, and are their own standard errors.
        self.standard_error = self if errors is None else type(self)(items, errors, None, method)

    def number_of(self, item: Item) -> int:
        """Return the number of an item, or raise `KeyError` if there is no such item."""
        try:
            return self._number[item]
        except (KeyError, TypeError):
            known = listed(self._number, limit=4)
            raise KeyError(
                f"expected an item of the order, such as {known}, found {quoted(item)}"
            ) from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        of = "standard errors of " if self._of_errors else ""
        return f"<{of}{type(self).__name__}: {counted(len(self._items), 'item')}, {self.method}>"

    def _caption(self) -> str:
        """Return what the numbers are and how they were estimated; empty if they are exact."""
        if self._of_errors:
            return f"standard errors of {self._title}, method {self.method}"
        if self.method == "exact":
            return ""
        error = float(np.max(self.standard_error._figures, initial=0))
        return f"{self._title}, method {self.method}, standard errors up to {error:.2g}"


class RankProbabilities(_Figures):
    """Rank probabilities, as returned by `rank_probabilities`: item -> [p_1, ..., p_n].

    Attributes
    ----------
    method : {"exact", "walk"}
        Method by which they were computed; the least exact one if parts of the order differ.
    standard_error : mapping
        Item -> list of the standard errors of its probabilities; 0.0 if exact.

    Examples
    --------
    >>> import porank as po
    >>> found = po.rank_probabilities(po.parse("a > b; c"))
    >>> found
    <RankProbabilities: 3 items, exact>
    >>> print(found)
    item       1       2       3
    ----  ------  ------  ------
    a     0.6667  0.3333       0
    b          0  0.3333  0.6667
    c     0.3333  0.3333  0.3333
    """

    _title = "rank probabilities"

    def __getitem__(self, item: Item) -> list[Any]:
        return list(self._figures[self.number_of(item), :].tolist())

    def to_table(self) -> Table:
        """Return a table with a row for each item and a column for each rank."""
        ranks = map(str, range(1, len(self._items) + 1))
        rows = zip(map(plain_text, self._items), self._figures, strict=True)
        cells = [(item, *row.tolist()) for item, row in rows]
        return Table(("item", *ranks), cells, self._caption())


@Ranks.register
class ExpectedRanks(_Figures):
    """Expected ranks, as returned by `expected_ranks`: item -> mean rank, read as `Ranks`.

    Attributes
    ----------
    method : {"exact", "walk"}
        Method by which they were computed; the least exact one if parts of the order differ.
    standard_error : mapping
        Item -> standard error; 0.0 if exact.

    Examples
    --------
    >>> import porank as po
    >>> print(po.expected_ranks(po.parse("a > b; c"), exact=True))
    item  expected rank  standard error
    ----  -------------  --------------
    a               4/3               0
    b               8/3               0
    c                 2               0
    """

    _title = "expected ranks"

    def __getitem__(self, item: Item) -> Any:
        return self._figures[self.number_of(item)]

    def to_table(self) -> Table:
        """Return a table with a row for each item."""
        items = map(plain_text, self._items)
        cells = zip(items, self._figures, self.standard_error.values(), strict=True)
        if self._of_errors:
            return Table(("item", "standard error"), [row[:2] for row in cells], self._caption())
        return Table(("item", "expected rank", "standard error"), list(cells), self._caption())


class MutualRankProbabilities(_Figures):
    """Probabilities, as returned by `mutual_rank_probabilities`: (u, v) -> P(u above v).

    Attributes
    ----------
    method : {"exact", "walk"}
        Method by which they were computed; the least exact one if parts of the order differ.
    standard_error : mapping
        (u, v) -> standard error; 0.0 if exact.
    all_items : tuple
        The items of the order, even if there is only one and so no pair.

    Examples
    --------
    >>> import porank as po
    >>> found = po.mutual_rank_probabilities(po.parse("a > b; c"))
    >>> len(found), found["a", "b"], round(found["a", "c"], 4)
    (6, 1.0, 0.6667)
    >>> found.all_items
    ('a', 'b', 'c')
    >>> print(found)
    above       a       b       c
    -----  ------  ------  ------
    a                   1  0.6667
    b           0          0.3333
    c      0.3333  0.6667
    """

    _title = "mutual rank probabilities"

    def __getitem__(self, pair: tuple[Item, Item]) -> Any:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise KeyError(f"expected a pair (u, v) of items, found {quoted(pair)}")
        u, v = pair
        i, j = self.number_of(u), self.number_of(v)
        if i == j:
            raise KeyError(f"expected two different items, found {quoted(u)} twice")
        return plain_number(self._figures[i, j])

    @property
    def all_items(self) -> tuple[Item, ...]:
        """The items of the order, in its order."""
        return tuple(self._items)

    def matrix(self) -> Matrix:
        """Return the probabilities as an array; entry [i, j] is P(item i above item j)."""
        matrix: Matrix = np.array(self._figures)
        np.fill_diagonal(matrix, 0)
        return matrix

    def __iter__(self) -> Iterator[tuple[Item, Item]]:
        return permutations(self._items, 2)

    def __len__(self) -> int:
        return len(self._items) * (len(self._items) - 1)

    def to_table(self) -> Table:
        """Return a table with a row and a column for each item, the preferred one in the row."""
        names, cells = list(map(str, self._items)), []
        for number, name in enumerate(names):
            row = self._figures[number].tolist()
            row[number] = None
            cells.append((name, *row))
        return Table(("above", *names), cells, self._caption())
