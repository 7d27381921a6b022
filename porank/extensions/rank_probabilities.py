"""Where each item may stand: its probabilities, its expected rank, and its chances against others.

A partial order leaves open in which sequence its items stand. Every linear extension is taken to be
equally likely; the rank of an item is then a random number, with a distribution and a mean. Tied
items are treated like incomparable ones.

Idea: *take the order apart; solve each part that cannot be divided by the best method that it
allows; put the parts together exactly.* A part is counted over its ideals if these are not too
many, else it is drawn, and one too large to be drawn is approximated. Nothing is guessed silently:
``.method`` names the least exact method that was used, ``.standard_error`` has a number for every
figure.

What is told of ranks and their probabilities: mappings that say how they were found.

A mapping of figures that says how they were found, how exact they are, and prints itself.

Numbers for each item and each rank, or for each two items, written out or known by levels.

Weak orders are told by their levels, without a table of n**2 numbers, so that there may be any
number of items.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, permutations
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from porank.core.compiled_order import compile_order
from porank.core.tables import Table
from porank.errors import PorankError, counted, listed
from porank.extensions.ideals import MAX_IDEALS
from porank.extensions.leaf_probabilities import MOST_ITEMS, choose, method_of
from porank.extensions.local_model import mean_ranks, mutual_table, rank_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers, OrderLike, Seed


#: A standard error of at most 0.016 for a probability.
_SAMPLES = 1000


def rank_probabilities(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    samples: int = _SAMPLES,
    seed: Seed = None,
    exact: bool = False,
    progress: bool = False,
) -> RankProbabilities:
    """Return how probable each rank is for each item.

    The probability of rank r for x is the share of the linear extensions of `G` in which r - 1
    items stand before x.

    Parameters
    ----------
    G : DiGraph or scores
        An order. Tied items may come in either order, as incomparable ones.
    method : {"auto", "exact", "sample", "approximate"}
        How parts that cannot be divided are solved: counted over their ideals; drawn, each linear
        extension uniform; or, ``"auto"``, counted where `max_ideals` allows it, else drawn if that
        takes no more than half a minute, about 100 items at 1,000 samples and 200 at 100, else
        approximated. ``"approximate"`` takes the extended local partial order model [1]_ on the
        order as a whole. Weak orders are always solved exactly.
    max_ideals : int
        How many ideals (sets of items that may stand on top) a part may have to be counted, and
        drawn from; one of more than 64 items a sixteenth of it.
    samples : int
        How many linear extensions are drawn. Four times as many halve the errors.
    seed : int, Generator or None
        Where the randomness comes from. The same number gives the same figures, in whatever
        sequence items and edges were inserted.
    exact : bool
        Whether to return fractions. Nothing is estimated then.
    progress : bool
        Show a bar.

    Returns
    -------
    RankProbabilities
        A mapping item -> [p_1, ..., p_n], each in [0, 1], with `method` and `standard_error`
        beside it. They sum up to 1 for each item and, unless approximate, for each rank.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range, or the order has more than 5,000 items and is not weak.

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
    >>> drawn = po.rank_probabilities(
    ...     po.parse("a > c; b > c; b > d"), method="sample", samples=400, seed=0
    ... )
    >>> found.method, drawn.method, abs(drawn["a"][0] - 2 / 5) < 3 * drawn.standard_error["a"][0]
    ('exact', 'sample', True)

    Notes
    -----
    Time O(n) for a weak order, and O(n) for each row read. Else that of the closure, and O(n) for
    each ideal of a part [2]_: a million take less than a second, 20 million some ten seconds and
    350 megabytes; exact fractions take fifteen times as long. Without ideals O(n**3 log n) for
    each linear extension drawn, or O(n**3) for the approximation. To shuffle
    components of a and b items takes O(a b (a + b)). The standard error of a share of N draws is
    that of N + 2, of which one is a hit and one is not: what was never drawn may still be possible.
    Ranks that the order itself rules out have probability 0 and error 0.

    References
    ----------
    .. [1] R. Brüggemann, L. Carlsen, "An improved estimation of averaged ranks of partial orders",
       MATCH Communications in Mathematical and in Computer Chemistry 65, 2011, pp. 383-414.
    .. [2] K. De Loof, H. De Meyer, B. De Baets, "Exploiting the lattice of ideals representation
       of a poset", Fundamenta Informaticae 71, 2006, pp. 309-321.
    """
    choice = choose(method, max_ideals, samples, seed, exact=exact, progress=progress)
    order = compile_order(G)
    items, n = order.items, len(order.items)
    if order.is_weak:
        figures = RanksOfLevels(order.layers, exact=exact)
        none = RankProbabilities(items, all_zero(n), method="exact", of_errors=True)
        return RankProbabilities(items, figures, method="exact", standard_error=none)
    _require_table(order)
    parts, leaves = choice.solve(order)
    table, errors = map(Written, rank_table(parts, leaves, exact=exact))
    found = method_of(leaves)
    error = RankProbabilities(items, errors, method=found, of_errors=True)
    return RankProbabilities(items, table, method=found, standard_error=error)


def expected_ranks(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    samples: int = _SAMPLES,
    seed: Seed = None,
    exact: bool = False,
    progress: bool = False,
) -> ExpectedRanks:
    """Return the mean rank of each item.

    The expected rank of x is the mean, over the linear extensions of `G`, of the number of items
    that stand before x, plus 1.

    Parameters
    ----------
    G, method, max_ideals, samples, seed, exact, progress
        As for `rank_probabilities`.

    Returns
    -------
    ExpectedRanks
        A mapping item -> number in [1, n], with `method` and `standard_error` beside it. The
        numbers sum up to n (n + 1) / 2, unless they are approximate.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range, or a part that has to be drawn or approximated has more
        than 5,000 items.

    Examples
    --------
    >>> import porank as po
    >>> dict(po.expected_ranks(po.parse("a > b > c; d")))
    {'a': 1.25, 'b': 2.5, 'c': 3.75, 'd': 2.5}
    >>> dict(po.expected_ranks({"tea": 3, "coffee": 5, "water": 3}))
    {'tea': 2.5, 'coffee': 1.0, 'water': 2.5}

    Notes
    -----
    ``"approximate"`` gives the ranks of the extended local partial order model [1]_.

    Time O(n) for a weak order, else that of `rank_probabilities` for each part, O(n) to put the
    parts together: position q of a component of a items becomes rank q (n + 1) / (a + 1) in the
    mean. It is not the middle of the ranks that an item may take, which the position measures use
    unless ``positions="expected"`` is asked for.

    References
    ----------
    .. [1] R. Brüggemann, L. Carlsen, "An improved estimation of averaged ranks of partial orders",
       MATCH Communications in Mathematical and in Computer Chemistry 65, 2011, pp. 383-414.
    """
    choice = choose(method, max_ideals, samples, seed, exact=exact, progress=progress)
    order = compile_order(G)
    if order.is_weak:
        error = ExpectedRanks(order.items, [0.0] * len(order.items), method="exact", of_errors=True)
        ranks = mid_ranks(order.layers, exact=exact)
        return ExpectedRanks(order.items, ranks, method="exact", standard_error=error)
    parts, leaves = choice.solve(order)
    ranks, errors = mean_ranks(parts, leaves)
    found = method_of(leaves)
    error = ExpectedRanks(order.items, errors, method=found, of_errors=True)
    return ExpectedRanks(order.items, ranks, method=found, standard_error=error)


def mutual_rank_probabilities(
    G: OrderLike,
    *,
    method: str = "auto",
    max_ideals: int = MAX_IDEALS,
    samples: int = _SAMPLES,
    seed: Seed = None,
    exact: bool = False,
    progress: bool = False,
) -> MutualRankProbabilities:
    """Return for each two items how probable it is that the one stands above the other.

    The probability of (u, v) is the share of the linear extensions of `G` in which u stands before
    v: 1 if u > v, 0 if v > u.

    Parameters
    ----------
    G, method, max_ideals, samples, seed, exact, progress
        As for `rank_probabilities`.

    Returns
    -------
    MutualRankProbabilities
        A mapping (u, v) -> number in [0, 1] for all ordered pairs of different items, with
        `method` and `standard_error` beside it. Those of (u, v) and (v, u) sum up to 1.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If exact figures are asked for and a part has more ideals than `max_ideals`.
    PorankError
        If an option is out of its range, or the order has more than 5,000 items and is not weak.

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
    Time O(1) for each pair of a weak order, else that of `rank_probabilities`; components of a and
    b items take O(a b (a + b)) more. The sum of the probabilities of (u, x) over all u, plus 1, is
    the expected rank of x, unless they are approximate: the model does not promise it. What the
    order says has exactly 1 and 0, and the floats of (u, v) and (v, u) sum up to exactly 1.
    They are counted over the lattice of ideals as De Loof, De Meyer and De Baets do [1]_.
    Majorities of linear extensions can run in circles: u above v, v above w, and w above u may each
    be more probable than not.

    References
    ----------
    .. [1] K. De Loof, H. De Meyer, B. De Baets, "Exploiting the lattice of ideals representation
       of a poset", Fundamenta Informaticae 71, 2006, pp. 309-321.
    """
    choice = choose(method, max_ideals, samples, seed, exact=exact, progress=progress)
    order = compile_order(G)
    items, n = order.items, len(order.items)
    if order.is_weak:
        figures = PairsOfLevels(order.layers, exact=exact)
        none = MutualRankProbabilities(items, all_zero(n), method="exact", of_errors=True)
        return MutualRankProbabilities(items, figures, method="exact", standard_error=none)
    _require_table(order)
    parts, leaves = choice.solve(order)
    table, errors = map(Written, mutual_table(parts, leaves, exact=exact))
    found = method_of(leaves)
    error = MutualRankProbabilities(items, errors, method=found, of_errors=True)
    return MutualRankProbabilities(items, table, method=found, standard_error=error)


def _require_table(order: Order) -> None:
    """Raise an error if a table of all items would be too large."""
    n = len(order.items)
    if n > MOST_ITEMS:
        raise PorankError(
            f"expected at most {MOST_ITEMS:,} items of an order that is not weak, found {n:,}: "
            f"{n * n:,} numbers; expected_ranks and rank_intervals give one or two an item"
        )


#: So many items are shown in print, and so many columns.
_ROWS, _COLUMNS = 30, 12


class Found(Mapping[Any, Any]):
    """A frozen mapping with `method` and `standard_error` beside it."""

    #: What the figures are called in print, and whether they have a column for each item.
    _title: ClassVar[str]
    _is_square: ClassVar[bool] = True

    def __init__(
        self,
        items: Sequence[Item],
        *,
        method: str,
        standard_error: Mapping[Any, Any] | None,
        of_errors: bool,
    ) -> None:
        self._items = items
        self._number = {item: number for number, item in enumerate(items)}
        self._method = method
        self._standard_error = standard_error
        self._of_errors = of_errors

    @property
    def method(self) -> str:
        """How it was found: ``"exact"``, ``"sample"`` or ``"approximate"``."""
        return self._method

    @property
    def standard_error(self) -> Mapping[Any, Any]:
        """For each figure its standard error: 0 where it is exact, nan where it is not known."""
        # Standard errors are told in the same form; they stand for themselves.
        return self if self._standard_error is None else self._standard_error

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
        """Return the figures as a table."""
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
        error = self._largest_error()
        known = "of unknown error" if error != error else f"standard errors up to {error:.2g}"
        return f"{self._title}, method {self.method}, {known}"

    @abstractmethod
    def _largest_error(self) -> float:
        """Return the largest standard error, nan if one is not known."""

    def _names(self, number: int) -> list[str]:
        """Return the first items as they are shown, so that no two look alike."""
        shown = Counter(map(str, self._items))
        return [
            str(item) if str(item).strip() and shown[str(item)] == 1 else repr(item)
            for item in islice(self._items, number)
        ]

    def _shown(self) -> tuple[Table, str]:
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
        table, more = self._shown()
        return f"{table.to_text()}\n{more}" if more else table.to_text()

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        table, more = self._shown()
        return table.to_html() + (f"\n<p>{more}</p>" if more else "")


class RankProbabilities(Found):
    """What `rank_probabilities` returns: item -> [p_1, ..., p_n].

    Attributes
    ----------
    method : {"exact", "sample", "approximate"}
        How it was found; where parts of the order were found differently, the least exact of them.
    standard_error : mapping
        Item -> list, one standard error for each probability: 0.0 where it is exact, nan where it
        is approximate and nothing is known of its error.

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

    def __init__(
        self,
        items: Sequence[Item],
        figures: Rows,
        *,
        method: str,
        standard_error: Mapping[Any, Any] | None = None,
        of_errors: bool = False,
    ) -> None:
        super().__init__(items, method=method, standard_error=standard_error, of_errors=of_errors)
        self._figures = figures

    def __getitem__(self, item: Item) -> list[Any]:
        return self._figures.row(self.number_of(item))

    def to_table(self) -> Table:
        """Return a row for each item and a column for each rank."""
        return super().to_table()

    def _table(self, rows: int, columns: int) -> Table:
        ranks = map(str, range(1, columns + 1))
        names = enumerate(self._names(rows))
        cells = [(name, *self._figures.row(i)[:columns]) for i, name in names]
        return Table(("item", *ranks), cells)

    def _largest_error(self) -> float:
        errors: Any = self.standard_error
        return float(errors._figures.largest())


class ExpectedRanks(Found):
    """What `expected_ranks` returns: item -> mean rank.

    Attributes
    ----------
    method : {"exact", "sample", "approximate"}
        How it was found; where parts of the order were found differently, the least exact of them.
    standard_error : mapping
        Item -> standard error: 0.0 where it is exact, nan where it is approximate and nothing is
        known of its error.

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

    def __init__(
        self,
        items: Sequence[Item],
        ranks: Sequence[Any],
        *,
        method: str,
        standard_error: Mapping[Any, Any] | None = None,
        of_errors: bool = False,
    ) -> None:
        super().__init__(items, method=method, standard_error=standard_error, of_errors=of_errors)
        self._ranks = ranks

    def __getitem__(self, item: Item) -> Any:
        return self._ranks[self.number_of(item)]

    def to_table(self) -> Table:
        """Return a row for each item."""
        return super().to_table()

    def _table(self, rows: int, columns: int) -> Table:  # noqa: ARG002
        names = enumerate(self._names(rows))
        if self._of_errors:
            return Table(("item", "standard error"), [(name, self._ranks[i]) for i, name in names])
        errors = [self.standard_error[item] for item in self._items[:rows]]
        cells = [(name, self._ranks[i], errors[i]) for i, name in names]
        return Table(("item", "expected rank", "standard error"), cells)

    def _largest_error(self) -> float:
        return float(np.max(list(self.standard_error.values()), initial=0))


class MutualRankProbabilities(Found):
    """What `mutual_rank_probabilities` returns: (u, v) -> probability that u stands above v.

    Attributes
    ----------
    method : {"exact", "sample", "approximate"}
        How it was found; where parts of the order were found differently, the least exact of them.
    standard_error : mapping
        (u, v) -> standard error: 0.0 where it is exact, nan where it is approximate and nothing is
        known of its error.
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

    def __init__(
        self,
        items: Sequence[Item],
        figures: Entries,
        *,
        method: str,
        standard_error: Mapping[Any, Any] | None = None,
        of_errors: bool = False,
    ) -> None:
        super().__init__(items, method=method, standard_error=standard_error, of_errors=of_errors)
        self._figures = figures

    def __getitem__(self, pair: tuple[Item, Item]) -> Any:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise KeyError(f"expected a pair (u, v) of items, found {pair!r}")
        u, v = pair
        i, j = self.number_of(u), self.number_of(v)
        if i == j:
            raise KeyError(f"expected two different items, found {u!r} twice")
        return self._figures.at(i, j)

    @property
    def all_items(self) -> tuple[Item, ...]:
        """The items of the order, in its sequence."""
        return tuple(self._items)

    def __iter__(self) -> Iterator[tuple[Item, Item]]:
        return permutations(self._items, 2)

    def __len__(self) -> int:
        return len(self._items) * (len(self._items) - 1)

    def to_table(self) -> Table:
        """Return a row for each upper and a column for each lower item."""
        return super().to_table()

    def _table(self, rows: int, columns: int) -> Table:
        names = self._names(max(rows, columns))
        cells = []
        for number, name in enumerate(names[:rows]):
            row: list[Any] = self._figures.row(number)
            row[number] = None
            cells.append((name, *row[:columns]))
        return Table(("above", *names[:columns]), cells)

    def _largest_error(self) -> float:
        errors: Any = self.standard_error
        return float(errors._figures.largest())


class Rows(Protocol):
    """A row of numbers for each item, counted from 0."""

    def row(self, i: int) -> list[Any]:
        """Return the numbers of item i."""


class Entries(Rows, Protocol):
    """A number for each pair of items i and j."""

    def at(self, i: int, j: int) -> Any:
        """Return the number of i and j."""


class Written:
    """Figures that are written out."""

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array

    def row(self, i: int) -> list[Any]:
        """Return one row."""
        row: list[Any] = self._array[i].tolist()
        return row

    def at(self, i: int, j: int) -> Any:
        """Return one entry."""
        return self._array[i].item(j)

    def largest(self) -> float:
        """Return the largest number, nan if one of them is."""
        return float(np.max(self._array, initial=0))


def all_zero(n: int) -> Written:
    """Return n**2 zeros that take no memory: standard errors where there is none."""
    return Written(np.broadcast_to(np.zeros(1), (n, n)))


class RanksOfLevels:
    """Rank probabilities of a weak order: the items of a level share its positions."""

    def __init__(self, layers: Numbers, *, exact: bool) -> None:
        self._layers = layers
        self._ends = np.cumsum(np.bincount(layers))
        self._number: Any = Fraction if exact else float

    def row(self, i: int) -> list[Any]:
        """Return the same number at each position of the level, 0 elsewhere."""
        end, layer = int(self._ends[self._layers[i]]), int(self._layers[i])
        start = int(self._ends[layer - 1]) if layer else 0
        zero, share = self._number(0), self._number(1) / (end - start)
        return [zero] * start + [share] * (end - start) + [zero] * (len(self._layers) - end)


class PairsOfLevels:
    """Mutual rank probabilities of a weak order: 1, 0, or one half within a level."""

    def __init__(self, layers: Numbers, *, exact: bool) -> None:
        self._layers = layers
        self._number: Any = Fraction if exact else float

    def row(self, i: int) -> list[Any]:
        """Return the entries of one item, 0 for itself."""
        return [self.at(i, j) for j in range(len(self._layers))]

    def at(self, i: int, j: int) -> Any:
        """Return one entry."""
        one, other = self._layers[i], self._layers[j]
        if one == other and i != j:
            return self._number(1) / 2
        return self._number(int(one < other))


def mid_ranks(layers: Numbers, *, exact: bool) -> list[Any]:
    """Return the mean rank of each item of a weak order: the middle of its level, unrounded."""
    sizes = np.bincount(layers)
    doubled = (2 * np.cumsum(sizes) - sizes + 1)[layers]
    if not exact:
        halves: list[Any] = (doubled / 2).tolist()
        return halves
    middles = {twice: Fraction(twice, 2) for twice in np.unique(doubled).tolist()}
    return [middles[twice] for twice in doubled.tolist()]
