"""What is told of ranks and their probabilities: mappings that say how they were found."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.tables import Table
from porank.order.found import Found

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from porank.order.figures import Entries, Rows
    from porank.typing import Item


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
