"""Where each item may stand: its probabilities, its expected rank, and its chances against others.

A partial order leaves open in which sequence its items stand. Every linear extension is taken to be
equally likely; the rank of an item is then a random number, with a distribution and a mean. Tied
items are treated like incomparable ones.

Idea: *take the order apart; solve each part that cannot be divided by the best method that it
allows; put the parts together exactly.* A part is counted over its ideals if these are not too
many, else its means come from walks through the order polytope, and probabilities from walks
through that of the whole order. Nothing is guessed silently: ``.method`` names the least exact
method that was used, ``.standard_error`` has a number for every figure.

Public: `rank_probabilities`, `expected_ranks`, `mutual_rank_probabilities`, and the mappings that
they return, which print themselves; those of many items are told by walks, without a table of n**2
numbers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from porank.core.compiled_order import compile_order, plain_number
from porank.core.tables import Table, Tabular
from porank.errors import PorankError, counted, listed
from porank.extensions.decomposition import mean_ranks, mutual_table, rank_table
from porank.extensions.ideals import MAX_IDEALS
from porank.extensions.leaf_probabilities import MOST_ITEMS, WalkedOrder, choose, method_of

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.extensions.leaf_probabilities import Choice
    from porank.typing import Item, Matrix, OrderLike, Seed


#: The kind of figures that are told.
Kind = TypeVar("Kind", bound="_Figures")


def rank_probabilities(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    seed: Seed = None,
    exact: bool = False,
) -> RankProbabilities:
    """Return the probability of each rank for each item, over all linear extensions.

    The probability of rank r for x is the share of the linear extensions of `G` in which r - 1
    items stand before x.

    Parameters
    ----------
    G : DiGraph or scores
        An order. Tied items may come in either order, as incomparable ones.
    method : {"auto", "exact", "walk"}
        How parts that cannot be divided are solved: counted over their ideals; estimated from 20
        walks through the order polytope; or, ``"auto"``, counted where `max_ideals` allows it, else
        walked. Weak orders are always solved exactly.
    max_ideals : int
        How many ideals (sets of items that may stand on top) a part may have to be counted.
    seed : int, Generator or None
        Where the randomness comes from. The same number gives the same figures, in whatever
        sequence items and edges were inserted.
    exact : bool
        Whether to return fractions. Nothing is estimated then.

    Returns
    -------
    RankProbabilities
        A mapping item -> [p_1, ..., p_n], each in [0, 1], with `method` and `standard_error`
        beside it. They sum up to 1 for each item and for each rank. On walks each row is made when
        it is asked for.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range, or exact figures are asked for, or the order is weak, and
        it has more than 5,000 items.

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
    Time O(n**2) for a weak order. Else that of the closure, and O(w) for each ideal of a part of
    width w [1]_: a million take less than a second, 20 million some ten seconds and 350 megabytes;
    exact fractions take two to three times as long, and five times the memory. A part is walked,
    without a clock, if 63 bits cannot hold how many items of each of its chains an ideal has, or
    else from the first ideal that is too many on. Walks take O(m_red) for each sweep, and are made
    twice as long until their means stay: a second or two for up to 4,000 items, some seconds where
    long chains touch. Where they end before, the errors hold what the means still moved by. Memory
    O(n) for each of some thousand positions read. To shuffle components of a and b items takes O(a
    b (a + b)). The standard error of a share is never 0, unless the order itself decides: what was
    never seen may still be possible. Ranks that the order itself rules out have probability 0 and
    error 0.

    References
    ----------
    .. [1] K. De Loof, H. De Meyer, B. De Baets, "Exploiting the lattice of ideals representation
       of a poset", Fundamenta Informaticae 71, 2006, pp. 309-321.
    """
    choice = choose(method, max_ideals, seed, exact=exact)
    return _tell(RankProbabilities, compile_order(G), choice, rank_table)


def expected_ranks(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    seed: Seed = None,
    exact: bool = False,
) -> ExpectedRanks:
    """Return the expected rank of each item, over all linear extensions.

    The expected rank of x is the mean, over the linear extensions of `G`, of the number of items
    that stand before x, plus 1.

    Parameters
    ----------
    G, method, max_ideals, seed, exact
        As for `rank_probabilities`.

    Returns
    -------
    ExpectedRanks
        A mapping item -> number in [1, n], with `method` and `standard_error` beside it. The
        numbers sum up to n (n + 1) / 2.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range.

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
    Time O(n) for a weak order, else that of `rank_probabilities` for each part, O(n) to put the
    parts together: position q of a component of a items becomes rank q (n + 1) / (a + 1) in the
    mean. On walks the mean is that of the coordinate in the order polytope, which is known better
    than the ranks read. It is not the middle of the ranks that an item may take, which the position
    measures use.
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
    max_ideals: int = MAX_IDEALS,
    seed: Seed = None,
    exact: bool = False,
) -> MutualRankProbabilities:
    """Return, for any two items, the probability that one stands above the other.

    The probability of (u, v) is the share of the linear extensions of `G` in which u stands before
    v: 1 if u > v, 0 if v > u.

    Parameters
    ----------
    G, method, max_ideals, seed, exact
        As for `rank_probabilities`.

    Returns
    -------
    MutualRankProbabilities
        A mapping (u, v) -> number in [0, 1] for all ordered pairs of different items, with
        `method` and `standard_error` beside it. Those of (u, v) and (v, u) sum up to 1. On walks a
        pair is counted when it is asked for; ``matrix()`` counts all at once.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range, or exact figures are asked for, or the order is weak, and
        it has more than 5,000 items.

    See Also
    --------
    porank.PreferenceRelation.from_degrees : makes a valued relation of them, to be cut.

    Examples
    --------
    >>> import porank as po
    >>> N = po.mutual_rank_probabilities(po.parse("a > c; b > c; b > d"), exact=True)
    >>> N["a", "c"], N["a", "b"], N["a", "d"]
    (Fraction(1, 1), Fraction(2, 5), Fraction(4, 5))

    As degrees of preference, cut where four rankings in five agree:

    >>> P = po.PreferenceRelation.from_degrees(N)
    >>> sorted(P.cut(0.8).edges)
    [('a', 'c'), ('a', 'd'), ('b', 'c'), ('b', 'd')]

    Notes
    -----
    Time that of `rank_probabilities`; components of a and b items take O(a b (a + b)) more. The sum
    of the probabilities of (u, x) over all u, plus 1, is the expected rank of x where both are
    exact, and within the errors where they are walked. What the order says has exactly 1 and 0, and
    the floats of (u, v) and (v, u) sum up to exactly 1. They are counted over the lattice of ideals
    as De Loof, De Meyer and De Baets do [1]_. Majorities of linear extensions can form cycles: u
    above v, v above w, and w above u may each be more probable than not.

    References
    ----------
    .. [1] K. De Loof, H. De Meyer, B. De Baets, "Exploiting the lattice of ideals representation
       of a poset", Fundamenta Informaticae 71, 2006, pp. 309-321.
    """
    choice = choose(method, max_ideals, seed, exact=exact)
    return _tell(MutualRankProbabilities, compile_order(G), choice, mutual_table)


def _tell(kind: type[Kind], order: Order, choice: Choice, of_parts: Callable[..., Matrix]) -> Kind:
    """Return rank or mutual rank probabilities of all items: in a table, or cell by cell."""
    n, pairs = len(order.items), kind is MutualRankProbabilities
    errors: Any = np.broadcast_to(np.zeros(1), (n, n))
    parts, leaves = choice.solve(order)
    method = method_of(leaves)
    is_large = n > MOST_ITEMS and not order.is_weak
    if choice.method != "exact" and (method != "exact" or is_large):
        walked = WalkedOrder(order, choice.rng)
        tell = walked.pairs_of if pairs else walked.ranks_of
        tell_error = walked.pair_errors_of if pairs else walked.rank_errors_of
        errors = _Cells(tell_error, walked.largest_error)
        return kind(order.items, _Cells(tell), errors, "walk")
    if n > MOST_ITEMS:
        raise PorankError(
            f"expected at most {MOST_ITEMS:,} items, found {n:,}: {n * n:,} numbers; "
            "expected_ranks and rank_intervals give one or two an item"
        )
    return kind(order.items, of_parts(parts, leaves, exact=choice.exact), errors, method)


#: So many items are shown in print, and so many columns.
_ROWS, _COLUMNS = 30, 12


class _Figures(Tabular, Mapping[Any, Any]):
    """A frozen mapping with `method` and `standard_error` beside it, that prints itself."""

    #: What the figures are called in print, and whether they have a column for each item.
    _title: ClassVar[str]
    _is_square: ClassVar[bool] = True

    def __init__(self, items: Sequence[Item], figures: Any, errors: Any, method: str) -> None:
        self._items = items
        self._figures = figures
        self._number = {item: number for number, item in enumerate(items)}
        #: How it was found: ``"exact"`` or ``"walk"``.
        self.method = method
        self._of_errors = errors is None
        # Standard errors, 0 where it is exact, are told in the same form and stand for themselves.
        self.standard_error = self if errors is None else type(self)(items, errors, None, method)

    def number_of(self, item: Item) -> int:
        """Return the number of an item, or raise `KeyError` if there is no such item."""
        try:
            return self._number[item]
        except (KeyError, TypeError):
            known = listed(self._number, limit=4)
            raise KeyError(
                f"expected an item of the order, such as {known}, found {item!r}"
            ) from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        of = "standard errors of " if self._of_errors else ""
        return f"<{of}{type(self).__name__}: {counted(len(self._items), 'item')}, {self.method}>"

    def to_table(self) -> Table:
        """Return a row for each item, and a column for each rank or other item."""
        return self._table(len(self._items), len(self._items))

    @abstractmethod
    def _table(self, rows: int, columns: int) -> Table:
        """Return so many rows and columns."""

    def _caption(self) -> str:
        """Return what the figures are and how they were found; nothing of exact ones."""
        if self._of_errors:
            return f"standard errors of {self._title}, method {self.method}"
        if self.method == "exact":
            return ""
        table = self.standard_error._figures
        error = table.largest if isinstance(table, _Cells) else float(np.max(table, initial=0))
        return f"{self._title}, method {self.method}, standard errors up to {error:.2g}"

    def _excerpt(self) -> tuple[Table, str]:
        """Return the first rows and columns, and how many more there are."""
        rows = columns = len(self._items)
        cut = []
        if rows > _ROWS:
            cut.append(counted(rows - _ROWS, "row"))
            rows = _ROWS
        if self._is_square and columns > _COLUMNS:
            cut.append(counted(columns - _COLUMNS, "column"))
            columns = _COLUMNS
        table = self._table(rows, columns)
        more = f"... and {' and '.join(cut)} more" if cut else ""
        return Table(table.columns, table.rows, self._caption()), more

    def to_text(self) -> str:
        """Return the table as text, of a large one the first rows and columns."""
        table, more = self._excerpt()
        return f"{table.to_text()}\n{more}" if more else table.to_text()

    def _repr_html_(self) -> str:
        table, more = self._excerpt()
        return table.to_html() + (f"\n<p>{more}</p>" if more else "")


class RankProbabilities(_Figures):
    """The rank probabilities that `rank_probabilities` returns: item -> [p_1, ..., p_n].

    Attributes
    ----------
    method : {"exact", "walk"}
        How it was found; where parts of the order were found differently, the least exact of them.
    standard_error : mapping
        Item -> list, one standard error for each probability: 0.0 where it is exact.

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

    def _table(self, rows: int, columns: int) -> Table:
        ranks = map(str, range(1, columns + 1))
        items = enumerate(map(str, self._items[:rows]))
        cells = [(item, *self._figures[i, :columns].tolist()) for i, item in items]
        return Table(("item", *ranks), cells)


class ExpectedRanks(_Figures):
    """The expected ranks that `expected_ranks` returns: item -> mean rank.

    Attributes
    ----------
    method : {"exact", "walk"}
        How it was found; where parts of the order were found differently, the least exact of them.
    standard_error : mapping
        Item -> standard error: 0.0 where it is exact.

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
    _is_square = False

    def __getitem__(self, item: Item) -> Any:
        return self._figures[self.number_of(item)]

    def _table(self, rows: int, columns: int) -> Table:  # noqa: ARG002
        items = map(str, self._items[:rows])
        cells = zip(items, self._figures, self.standard_error.values(), strict=False)
        if self._of_errors:
            return Table(("item", "standard error"), [row[:2] for row in cells])
        return Table(("item", "expected rank", "standard error"), list(cells))


class MutualRankProbabilities(_Figures):
    """The probabilities that `mutual_rank_probabilities` returns: (u, v) -> P(u above v).

    Attributes
    ----------
    method : {"exact", "walk"}
        How it was found; where parts of the order were found differently, the least exact of them.
    standard_error : mapping
        (u, v) -> standard error: 0.0 where it is exact.
    all_items : tuple
        The items of the order: of a single one there is no pair.

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
            raise KeyError(f"expected a pair (u, v) of items, found {pair!r}")
        u, v = pair
        i, j = self.number_of(u), self.number_of(v)
        if i == j:
            raise KeyError(f"expected two different items, found {u!r} twice")
        return plain_number(self._figures[i, j])

    @property
    def all_items(self) -> tuple[Item, ...]:
        """The items of the order, in its sequence."""
        return tuple(self._items)

    def matrix(self) -> Matrix:
        """Return the probabilities as an array, entry [i, j] that of item i above item j."""
        n = len(self._items)
        matrix = np.array([self._figures[i, :] for i in range(n)]).reshape(n, n)
        np.fill_diagonal(matrix, 0)
        return matrix

    def __iter__(self) -> Iterator[tuple[Item, Item]]:
        return permutations(self._items, 2)

    def __len__(self) -> int:
        return len(self._items) * (len(self._items) - 1)

    def _table(self, rows: int, columns: int) -> Table:
        names, cells = list(map(str, self._items[: max(rows, columns)])), []
        for number, name in enumerate(names[:rows]):
            row = self._figures[number, :columns].tolist()
            row[number : number + 1] = [None] * (number < columns)
            cells.append((name, *row))
        return Table(("above", *names[:columns]), cells)


class _Cells:
    """A table that is told cell by cell, or some cells of a row."""

    def __init__(self, tell: Callable[[int, Any], Any], largest: float = 0) -> None:
        self._tell = tell
        #: A bound of what it holds, where that stands for errors.
        self.largest = largest

    def __getitem__(self, place: tuple[int, Any]) -> Any:
        return self._tell(*place)
