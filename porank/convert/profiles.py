"""Profiles: orders of the same items, each with the number of its voters.

`Profile`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.convert.pair_tables import take_rows
from porank.convert.rankings import from_ranking, levels_of
from porank.core.arguments import distinct_items, require_count, require_one_of
from porank.core.column_names import ROW_LABELS
from porank.core.columns import as_label, is_missing, open_source
from porank.core.compiled_order import compile_order
from porank.core.csv_cells import plain_name, read_number
from porank.core.files import Problems
from porank.core.graphs import require_digraph
from porank.core.scores import Ranks
from porank.errors import PorankError, a_kind, counted, listed, quoted
from porank.orders.algebra import bring_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.files import Problem
    from porank.typing import Item, OrderLike


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """A profile: orders, each with the number of voters who have it.

    Parameters
    ----------
    orders : sequence of orders
        DiGraphs, ranks or scores, each on all or some of the items. A graph may have cycles.
    counts : sequence of int, optional
        Number of voters for each order, 1 by default.
    items : sequence, optional
        All items, by default those of the orders, in order of appearance.
    metadata : mapping, optional
        Further information, such as a ``title``.
    problems : sequence of Problem
        Problems found in the file, if it was read with ``errors="report"``.

    Attributes
    ----------
    voters : int
        Number of voters, the sum of the counts.

    Raises
    ------
    PorankError
        If there is not one positive count for each order, if an order has unknown items, or if
        `orders` is not a list of orders.

    See Also
    --------
    read_preflib, write_preflib

    Examples
    --------
    >>> import porank as po
    >>> profile = po.Profile([po.from_ranking("abc"), {"b": 2, "a": 1}], counts=[3, 1])
    >>> profile, profile.voters, profile.items
    (Profile(2 orders of 3 items, 4 voters), 4, ('a', 'b', 'c'))
    >>> list(profile.scores())
    [{'a': 3, 'b': 2, 'c': 1}, {'b': 2, 'a': 1}]
    >>> list(profile.completed().scores())
    [{'a': 3, 'b': 2, 'c': 1}, {'b': 3, 'a': 2, 'c': 1}]

    Notes
    -----
    Time O(n) for each order.
    """

    orders: Sequence[Any]
    counts: Sequence[int] = None  # type: ignore[assignment]
    items: Sequence[Item] = None  # type: ignore[assignment]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    problems: Sequence[Problem] = ()

    def __post_init__(self) -> None:
        is_list = isinstance(self.orders, Iterable)
        if not is_list or isinstance(self.orders, (nx.Graph, Mapping, str, bytes)):
            found = f"{a_kind(self.orders)}" if is_list else f"{quoted(self.orders):.60}"
            raise PorankError(f"expected a list of orders, found {found}")
        if not isinstance(self.metadata, Mapping):
            raise PorankError(f"expected a mapping as metadata, found {self.metadata!r:.60}")
        orders = tuple(self.orders)
        counts = [1] * len(orders) if self.counts is None else self.counts
        items = _all_items(orders, self.items)
        fields = {
            "orders": orders,
            "counts": _read_counts(counts, len(orders)),
            "items": items,
            "metadata": dict(self.metadata),
            "problems": tuple(self.problems),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_table(cls, table: Any, *, cells: str, delimiter: str | None = None) -> Profile:
        """Return the profile of a table with a row for each order.

        A voter says nothing about an item without a cell, so the order lacks it; `completed` puts
        such items last.

        Parameters
        ----------
        table : frame, two-dimensional array, mapping of columns, list of rows, or path
            The table, read as a log is. Columns without a name, or called index, rownames,
            ``Unnamed: 0``, id, voter, respondent, user or judge, are labels of rows.
        cells : {"ranks", "scores", "items"}
            What the cells are. "ranks", 1 is best, and "scores", larger is better, are numbers of
            the items, which are the columns. "items": the columns are places, best first.
        delimiter : str, optional
            Separator of cells in a file, by default found in its first line.

        Examples
        --------
        >>> import porank as po
        >>> ranks = {"tea": [1, 2, 1], "milk": [2, 1, None], "cocoa": [3, 3, 2]}
        >>> profile = po.Profile.from_table(ranks, cells="ranks")
        >>> list(map(po.format_order, profile.orders))
        ['tea > milk > cocoa', 'milk > tea > cocoa', 'tea > cocoa']
        >>> ballots = [("tea", "milk", "cocoa"), ("milk", None, None)]
        >>> list(map(po.format_order, po.Profile.from_table(ballots, cells="items").orders))
        ['tea > milk > cocoa', 'milk']
        """
        require_one_of(cells, ("ranks", "scores", "items"), name="cells")
        kind, orders = Ranks if cells == "ranks" else dict, list[Any]()

        def take(row: list[Any], _: int) -> None:
            filled = {u: cell for u, cell in zip(names, row, strict=True) if not is_missing(cell)}
            if cells == "items":
                orders.append(from_ranking(filled.values()))
                return
            texts = {u: cell for u, cell in filled.items() if isinstance(cell, str)}
            orders.append(kind(filled | {u: read_number(texts[u], cells[:-1]) for u in texts}))

        with closing(open_source(table, what="table of orders", delimiter=delimiter)) as source:
            columns = [u for u in source.names if plain_name(u) not in _ASIDE]
            names = distinct_items(map(as_label, columns), name="the columns")
            take_rows(source, columns, Problems("raise", source=source.name, hint=_ITEMS), take)
        items: Any = None if cells == "items" else names
        return cls(orders, items=items)

    @property
    def voters(self) -> int:
        """Number of voters, the sum of the counts."""
        return sum(self.counts)

    def scores(self) -> Iterator[dict[Item, int]]:
        """Return the orders as scores, with 1 for the worst level; all must be rankings."""
        return (
            {item: len(levels) - place for place, level in enumerate(levels) for item in level}
            for levels in self.levels()
        )

    def levels(self) -> Iterator[list[list[Item]]]:
        """Return the levels of each order of the profile, best first; all must be rankings."""
        numbered = enumerate(self.orders, start=1)
        return (levels_of(order, name=f"order {number}") for number, order in numbered)

    def completed(self, *, missing: str = "below") -> Profile:
        """Return the profile with all items in each order.

        We do not know how a voter ranks an item that is not in the order. You have to decide
        whether all listed items are preferred to it.

        Parameters
        ----------
        missing : {"below", "unordered"}
            Where to add the items that an order lacks. "below" puts them below all others and tied,
            which is right if voters list what they like. "unordered" leaves them incomparable to
            all others, which is right if voters list what they know.

        Returns
        -------
        Profile
            A profile with complete orders. Orders that lack no item are the same objects. Graphs
            remain graphs and keep their attributes; scores remain scores with "below".

        Raises
        ------
        CycleError
            If an order that lacks an item has a cycle.
        PorankError
            If `missing` is unknown, or an order that lacks an item would become a graph of more
            than 10**7 edges.

        See Also
        --------
        porank.align : does the same with two orders.

        Examples
        --------
        >>> import porank as po
        >>> profile = po.Profile([po.parse("a > c; b > c"), {"d": 5}, {"d": 1, "a": 1}])
        >>> [po.format_order(order) for order in profile.completed().orders]
        ['a > c > d; b > c', 'd > a ~ b ~ c', 'a ~ d > b ~ c']
        >>> open_below = profile.completed(missing="unordered")
        >>> [po.format_order(order) for order in open_below.orders]
        ['a > c; b > c; d', 'a; b; c; d', 'a ~ d; b; c']

        Notes
        -----
        Time O(n + m) for each order.
        """
        require_one_of(missing, ("below", "unordered"), name="missing")
        return replace(
            self,
            orders=[
                _completed(order, self.items, missing, name=f"order {number}")
                for number, order in enumerate(self.orders, start=1)
            ],
        )

    def __repr__(self) -> str:
        size = f"{counted(len(self.orders), 'order')} of {counted(len(self.items), 'item')}"
        return f"Profile({size}, {counted(self.voters, 'voter')})"


#: Names of columns that are labels of rows.
_ASIDE = ROW_LABELS | {"voter", "user", "judge", "id", "respondent", "ballot", "voterid", "userid"}
#: A hint for tables whose cells are not numbers.
_ITEMS = "Profile.from_table(table, cells='items') reads the columns as places, best first"


def _read_counts(counts: Iterable[Any], orders: int) -> tuple[int, ...]:
    """Return the number of voters for each order of a profile."""
    if not isinstance(counts, Iterable):
        raise PorankError(f"expected a count for each order, found {quoted(counts)}")
    read = tuple(counts)
    if len(read) != orders:
        raise PorankError(
            f"expected a count for each of {counted(orders, 'order')}, found {len(read)}"
        )
    return tuple(
        require_count(count, name=f"the count of order {number}", least=1)
        for number, count in enumerate(read, start=1)
    )


def _all_items(orders: Sequence[OrderLike], items: Iterable[Item] | None) -> tuple[Item, ...]:
    """Return the items of a profile: the given ones, or by default those of all orders."""
    named = ((order, f"order {number}") for number, order in enumerate(orders, start=1))
    items_of = [_items_of(order, name=name) for order, name in named]
    if items is None:
        return tuple(dict.fromkeys(chain.from_iterable(items_of)))
    given = dict.fromkeys(distinct_items(items, name="the profile"))
    for number, present in enumerate(items_of, start=1):
        unknown = [item for item in present if item not in given]
        if unknown:
            raise PorankError(
                f"expected items of the profile in order {number}, found {listed(unknown)}"
            )
    return tuple(given)


def _items_of(order: OrderLike, *, name: str) -> Sequence[Item]:
    """Return the items of an order of a profile: scores, or a graph, which may have cycles."""
    if isinstance(order, nx.Graph):
        require_digraph(order, name=name)
    if isinstance(order, (nx.Graph, Mapping)):
        return list(order)
    return compile_order(order, name=name).items


def _completed(order: OrderLike, items: Sequence[Item], missing: str, *, name: str) -> OrderLike:
    """Return an order of a profile with all items; missing ones are tied below or unordered."""
    if len(items) == len(_items_of(order, name=name)):
        return order
    completed: OrderLike = bring_to(
        list(items), order, compile_order(order, name=name), missing=missing
    )
    return completed
