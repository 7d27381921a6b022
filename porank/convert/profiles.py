"""Profiles: many orders of the same items, each with the number of voters who hold it.

`Profile`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.convert.rankings import levels_of
from porank.core.arguments import distinct_items, require_count, require_one_of
from porank.core.compiled_order import compile_order
from porank.core.graphs import node_values, require_digraph, tie_groups
from porank.errors import CycleError, NotApplicableError, PorankError, a_kind, counted, listed
from porank.orders.algebra import bring_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.files import Problem
    from porank.typing import Item, OrderLike


@dataclass(frozen=True, eq=False, repr=False)
class Profile:
    """A profile: orders, and how many voters hold each.

    Parameters
    ----------
    orders : sequence of orders
        DiGraphs or scores, each on some of the items; a graph may have cycles.
    counts : sequence of int, optional
        How many voters hold each order, by default one.
    items : sequence, optional
        All items, by default those of the orders as they first appear.
    metadata : mapping, optional
        What else is known, such as ``title``.
    problems : sequence of Problem
        What was wrong with the file, if it was read with ``errors="report"``.

    Attributes
    ----------
    voters : int
        The sum of the counts.

    Raises
    ------
    PorankError
        If there is not one positive count for each order, an order has other items, or `orders` is
        no list.

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
    Time O(n) an order. Two profiles are equal when their items, counts and metadata are, and their
    orders, one by one, are the same rankings or have the same items, ties, edges and weights.
    """

    orders: Sequence[Any]
    counts: Sequence[int] = None  # type: ignore[assignment]
    items: Sequence[Item] = None  # type: ignore[assignment]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    problems: Sequence[Problem] = ()

    def __post_init__(self) -> None:
        is_list = isinstance(self.orders, Iterable)
        if not is_list or isinstance(self.orders, (nx.Graph, Mapping, str, bytes)):
            found = f"{a_kind(self.orders)}" if is_list else f"{self.orders!r:.60}"
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

    @property
    def voters(self) -> int:
        """The sum of the counts."""
        return sum(self.counts)

    def scores(self) -> Iterator[dict[Item, int]]:
        """Return the orders of a profile as scores, the worst level 1, if all are rankings."""
        return (
            {item: len(levels) - place for place, level in enumerate(levels) for item in level}
            for levels in self.levels()
        )

    def levels(self) -> Iterator[list[list[Item]]]:
        """Return the levels of each order of a profile, best first, if all are rankings."""
        numbered = enumerate(self.orders, start=1)
        return (levels_of(order, name=f"order {number}") for number, order in numbered)

    def completed(self, *, missing: str = "below") -> Profile:
        """Return the profile with all items in each order.

        An order in which an item is not listed says nothing about it. That all who are listed are
        preferred to it is a decision, which aggregation asks for.

        Parameters
        ----------
        missing : {"below", "unordered"}
            Where to put the items that an order lacks: below its own and tied, because people list
            what they like; or beside its own, incomparable, because they list what they know.

        Returns
        -------
        Profile
            Orders that lack nothing are the same objects; of the others, graphs remain graphs with
            their attributes, and scores remain scores if what is missing is put below.

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
        >>> beside = profile.completed(missing="unordered")
        >>> [po.format_order(order) for order in beside.orders]
        ['a > c; b > c; d', 'a; b; c; d', 'a ~ d; b; c']

        Notes
        -----
        Time O(n + m) an order.
        """
        require_one_of(missing, ("below", "unordered"), name="missing")
        return replace(
            self,
            orders=[
                _completed(order, self.items, missing, name=f"order {number}")
                for number, order in enumerate(self.orders, start=1)
            ],
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Profile):
            return NotImplemented
        return (
            (self.items, self.counts, self.metadata) == (other.items, other.counts, other.metadata)
        ) and list(_comparable(self)) == list(_comparable(other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        size = f"{counted(len(self.orders), 'order')} of {counted(len(self.items), 'item')}"
        return f"Profile({size}, {counted(self.voters, 'voter')})"


def _read_counts(counts: Iterable[Any], orders: int) -> tuple[int, ...]:
    """Return how many voters hold each order of a profile."""
    if not isinstance(counts, Iterable):
        raise PorankError(f"expected a count for each order, found {counts!r}")
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
    """Return the items of a profile, those of all orders unless they are given."""
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
    """Return the items of an order of a profile: a graph, which may have cycles, or scores."""
    if isinstance(order, nx.Graph):
        require_digraph(order, name=name)
    if isinstance(order, (nx.Graph, Mapping)):
        return list(order)
    return compile_order(order, name=name).items


def _completed(order: OrderLike, items: Sequence[Item], missing: str, *, name: str) -> OrderLike:
    """Return an order of a profile on all items: what it lacks is tied below its own, or beside."""
    if len(items) == len(_items_of(order, name=name)):
        return order
    completed: OrderLike = bring_to(
        list(items), order, compile_order(order, name=name), missing=missing
    )
    return completed


def _comparable(profile: Profile) -> Iterator[object]:
    """Yield what each order of a profile says, in a form that compares by equality."""
    for order in profile.orders:
        try:
            if isinstance(order, nx.Graph) and nx.get_edge_attributes(order, "weight"):
                raise NotApplicableError
            yield list(map(frozenset, levels_of(order, name="the order")))
        except (NotApplicableError, CycleError):
            assert isinstance(order, nx.Graph)
            groups = tie_groups(order, node_values(order, "tie"))
            yield set(order), set(order.edges(data="weight")), set(map(frozenset, groups))
