"""What is told of ranks and their probabilities: mappings that say how they were found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any

from porank.errors import listed
from porank.tables import Table

if TYPE_CHECKING:
    from porank.order.figures import Figures
    from porank.typing import Item


class _Found(Mapping[Any, Any]):
    """A frozen mapping with `method` and `standard_error` beside it."""

    def __init__(
        self, items: Sequence[Item], *, method: str, standard_error: Mapping[Any, Any] | None
    ) -> None:
        self._items = items
        self._number = {item: number for number, item in enumerate(items)}
        self._method = method
        self._standard_error = standard_error

    @property
    def method(self) -> str:
        """How it was found: ``"exact"``, ``"sample"`` or ``"approximate"``."""
        return self._method

    @property
    def standard_error(self) -> Mapping[Any, Any]:
        """For each figure its standard error: 0 where it is exact, nan where it is not known."""
        return self if self._standard_error is None else self._standard_error

    def _number_of(self, item: Item) -> int:
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
        return f"<{type(self).__name__}: {len(self._items)} items, {self.method}>"

    def to_table(self) -> Table:
        """Return the figures as a table."""
        raise NotImplementedError

    def to_text(self) -> str:
        """Return the table as text."""
        return self.to_table().to_text()

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_table().to_html()


class RankProbabilities(_Found):
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

    def __init__(
        self,
        items: Sequence[Item],
        figures: Figures,
        *,
        method: str,
        standard_error: Mapping[Any, Any] | None = None,
    ) -> None:
        super().__init__(items, method=method, standard_error=standard_error)
        self._figures = figures

    def __getitem__(self, item: Item) -> list[Any]:
        return self._figures.row(self._number_of(item))

    def to_table(self) -> Table:
        """Return a row for each item and a column for each rank."""
        ranks = map(str, range(1, len(self) + 1))
        return Table(("item", *ranks), [(item, *row) for item, row in self.items()])


class ExpectedRanks(_Found):
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

    def __init__(
        self,
        items: Sequence[Item],
        ranks: Sequence[Any],
        *,
        method: str,
        standard_error: Mapping[Any, Any] | None = None,
    ) -> None:
        super().__init__(items, method=method, standard_error=standard_error)
        self._ranks = ranks

    def __getitem__(self, item: Item) -> Any:
        return self._ranks[self._number_of(item)]

    def to_table(self) -> Table:
        """Return a row for each item."""
        rows = [(item, rank, self.standard_error[item]) for item, rank in self.items()]
        return Table(("item", "expected rank", "standard error"), rows)


class MutualRankProbabilities(_Found):
    """What `mutual_rank_probabilities` returns: (u, v) -> probability that u stands above v.

    Attributes
    ----------
    method : {"exact", "sample", "approximate"}
        How it was found; where parts of the order were found differently, the least exact of them.
    standard_error : mapping
        (u, v) -> standard error: 0.0 where it is exact, nan where it is approximate and nothing is
        known of its error.

    Examples
    --------
    >>> import porank as po
    >>> found = po.mutual_rank_probabilities(po.parse("a > b; c"))
    >>> len(found), found["a", "b"], round(found["a", "c"], 4)
    (6, 1.0, 0.6667)
    >>> print(found)
    above       a       b       c
    -----  ------  ------  ------
    a                   1  0.6667
    b           0          0.3333
    c      0.3333  0.6667
    """

    def __init__(
        self,
        items: Sequence[Item],
        figures: Figures,
        *,
        method: str,
        standard_error: Mapping[Any, Any] | None = None,
    ) -> None:
        super().__init__(items, method=method, standard_error=standard_error)
        self._figures = figures

    def __getitem__(self, pair: tuple[Item, Item]) -> Any:
        try:
            u, v = pair
        except (TypeError, ValueError):
            raise KeyError(f"expected a pair (u, v) of items, found {pair!r}") from None
        i, j = self._number_of(u), self._number_of(v)
        if i == j:
            raise KeyError(f"expected two different items, found {u!r} twice")
        return self._figures.at(i, j)

    def __iter__(self) -> Iterator[tuple[Item, Item]]:
        return permutations(self._items, 2)

    def __len__(self) -> int:
        return len(self._items) * (len(self._items) - 1)

    def to_table(self) -> Table:
        """Return a row for each upper and a column for each lower item."""
        rows = []
        for number, item in enumerate(self._items):
            row: list[Any] = self._figures.row(number)
            row[number] = None
            rows.append((item, *row))
        return Table(("above", *map(str, self._items)), rows)
