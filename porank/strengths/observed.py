"""What was observed, read as rows with a likelihood: orders, or battles.

`ObservedOrders`, `ObservedBattles`: items, the edges of who was preferred to whom, and what is
left of it within parts of the items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.abstention.votes import with_counts
from porank.convert.profiles import Profile
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order, sorted_by_label
from porank.errors import PorankError, counted
from porank.significance.score_tables import are_battles, read_battles
from porank.strengths.estimate import Outcomes, Rows
from porank.strengths.likelihood import BattleLikelihood, OrderLikelihood

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers


def observe(data: Any, counts: Any, unit: Any, max_ideals: int) -> ObservedOrders | ObservedBattles:
    """Return what was observed: battles are what `compare_battles` takes, all else is orders."""
    if isinstance(data, Iterator):
        data = list(data)
    first = data[0] if isinstance(data, (list, tuple)) and data else None
    is_row = isinstance(first, Mapping) and are_battles([*first])
    if isinstance(data, Profile) or (isinstance(data, (list, tuple)) and not is_row):
        return ObservedOrders.read(data, counts, unit, max_ideals)
    if counts is not None:
        raise PorankError("expected no counts beside battles, found some")
    return ObservedBattles.read(data, unit)


def _numbered(labels: Sequence[Any]) -> Numbers:
    """Return the number of each label in sorted order."""
    distinct = list(dict.fromkeys(labels))
    number = {distinct[k]: place for place, k in enumerate(sorted_by_label(distinct))}
    return np.array([number[label] for label in labels], dtype=np.int64)


class ObservedOrders(NamedTuple):
    """Orders, how often each occurs, and in which unit if they are not independent."""

    items: tuple[Item, ...]
    orders: list[tuple[Order, Numbers]]
    counts: Numbers
    unit: Numbers | None
    max_ideals: int
    kind: str = "order"
    both_bad: int = 0

    @classmethod
    def read(cls, data: Any, counts: Any, unit: Any, max_ideals: int) -> ObservedOrders:
        """Return the orders of a list or profile, which may lack items."""
        members, times = with_counts(data, counts)
        labels = range(len(members)) if unit is None else [*unit] * (not isinstance(unit, str))
        if len(labels) != len(members):
            size = counted(len(members), "order")
            raise PorankError(f"expected a unit for each of {size}, found {unit!r:.80}")
        compiled = [compile_order(each, name=f"order {k}") for k, each in enumerate(members, 1)]
        kept = [k for k, many in enumerate(times) if many]
        items = tuple(in_order(dict.fromkeys(x for k in kept for x in compiled[k].items)))
        number = {item: place for place, item in enumerate(items)}
        orders = [
            (compiled[k], np.array([number[x] for x in compiled[k].items], dtype=np.int64))
            for k in kept
        ]
        units = None if unit is None else _numbered([labels[k] for k in kept])
        return cls(items, orders, np.array(times, dtype=np.int64)[kept], units, max_ideals)

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield who was preferred to whom, as numbers; what follows may be missing."""
        for order, numbers in self.orders:
            upper, lower = order.relation.cover_edges()
            yield from zip(numbers[upper].tolist(), numbers[lower].tolist(), strict=True)

    def within(self, part: Numbers) -> tuple[Rows, Outcomes | None]:
        """Return the rows within the parts that items are of, and what came of the pairs there.

        Pairs can be counted if each order is a ranking, or one whose last items are tied.
        """
        orders = [_within(order, part[numbers]) for order, numbers in self.orders]
        kept = [(order, each[1]) for order, each in zip(orders, self.orders, strict=True)]
        rows = Rows(OrderLikelihood(kept, max_ideals=self.max_ideals), self.counts, self.unit)
        if not all(order.is_weak and (order.sizes[:-1] == 1).all() for order, _ in self.orders):
            return rows, None
        n, row, key = len(self.items), [], []
        for place, (order, numbers) in enumerate(kept):
            upper, lower = order.matrix().nonzero()
            key.append(numbers[upper] * n + numbers[lower])
            row.append(np.full(upper.size, place))
        return rows, Outcomes(np.concatenate(row), np.concatenate(key), n, has_ties=False)


def _within(order: Order, part: Numbers) -> Order:
    """Return an order without the pairs of items of different parts."""
    if (part == part[:1]).all():
        return order
    closed = nx.empty_graph(len(order.items), create_using=nx.DiGraph)
    closed.add_edges_from(np.argwhere(order.matrix() & (part[:, None] == part)).tolist())
    return compile_order(closed)


class ObservedBattles(NamedTuple):
    """Who won against whom, or tied with whom, how often, and in which unit."""

    items: tuple[Item, ...]
    first: Numbers
    second: Numbers
    is_tie: Numbers
    counts: Numbers
    unit: Numbers | None
    both_bad: int
    kind: str = "battle"

    @classmethod
    def read(cls, data: Any, unit: Any) -> ObservedBattles:
        """Return the battles of a table or of counts."""
        items, won, ties, bad = read_battles(data, by=() if unit is None else (unit,))
        items = tuple(in_order(items))
        number = {item: place for place, item in enumerate(items)}
        rows = [(*each, 0) for each in won] + [(*each, 1) for each in ties]
        *labels, u, v, times, is_tie = zip(*(row for row in rows if row[-2]), strict=True)
        first, second = (np.array([number[x] for x in side], dtype=np.int64) for side in (u, v))
        ties, units = np.array(is_tie, dtype=bool), _numbered(labels[0]) if labels else None
        # A tie of two is one and the same, whoever is named first.
        first, second = (
            np.where(ties, np.minimum(first, second), first),
            np.where(ties, np.maximum(first, second), second),
        )
        order = np.lexsort((second, first, ties, *([] if units is None else [units])))
        return cls(
            items,
            first[order],
            second[order],
            ties[order],
            np.array(times, dtype=np.int64)[order],
            None if units is None else units[order],
            sum(each[-1] for each in bad),
        )

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield who won against whom, as numbers, ties both ways."""
        yield from zip(self.first.tolist(), self.second.tolist(), strict=True)
        yield from zip(
            self.second[self.is_tie].tolist(), self.first[self.is_tie].tolist(), strict=True
        )

    def within(self, part: Numbers) -> tuple[Rows, Outcomes]:
        """Return the battles within the parts that items are of, and what came of the pairs."""
        kept = part[self.first] == part[self.second]
        first, second, is_tie = self.first[kept], self.second[kept], self.is_tie[kept]
        n = len(self.items)
        likelihood = BattleLikelihood(first, second, is_tie, n)
        unit = None if self.unit is None else np.unique(self.unit[kept], return_inverse=True)[1]
        key = first * n + second + n * n * is_tie
        row = np.arange(first.size)
        return Rows(likelihood, self.counts[kept], unit), Outcomes(row, key, n, likelihood.has_ties)
