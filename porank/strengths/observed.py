"""What was observed: orders or battles, read as rows with a likelihood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.abstention.votes import with_counts
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order, sorted_by_label
from porank.errors import PorankError, counted
from porank.significance.score_tables import are_battles, read_battles
from porank.strengths.estimate import Rows
from porank.strengths.fit import Outcomes
from porank.strengths.likelihood import (
    FIRST_WINS,
    SECOND_WINS,
    TIE,
    BattleLikelihood,
    OrderLikelihood,
)

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
    if hasattr(data, "orders") or (isinstance(data, (list, tuple)) and not is_row):
        return ObservedOrders.read(data, counts, unit, max_ideals)
    if counts is not None:
        raise PorankError("expected no counts beside battles, found some")
    return ObservedBattles.read(data, unit)


def _number_units(labels: Sequence[Any]) -> Numbers:
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
        units = None if unit is None else _number_units([labels[k] for k in kept])
        return cls(items, orders, np.array(times, dtype=np.int64)[kept], units, max_ideals)

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield who was preferred to whom, as numbers; what follows may be missing."""
        for order, numbers in self.orders:
            upper, lower = order.relation.cover_edges()
            yield from zip(numbers[upper].tolist(), numbers[lower].tolist(), strict=True)

    def within(self, part: Numbers) -> tuple[Rows, Outcomes | None]:
        """Return the rows within the parts of the items, and the outcomes of pairs there.

        Outcomes are known if each order is a ranking, or one whose last items are tied.
        """
        kept = [(_within(order, part[numbers]), numbers) for order, numbers in self.orders]
        rows = Rows(OrderLikelihood(kept, max_ideals=self.max_ideals), self.counts, self.unit)
        if not all(order.is_weak and (order.sizes[:-1] == 1).all() for order, _ in self.orders):
            return rows, None
        entries = [np.zeros((3, 0), dtype=np.int64)]
        for row, (order, numbers) in enumerate(kept):
            upper, lower = numbers[np.array(order.matrix().nonzero())]
            entries.append(np.stack([np.full_like(upper, row), upper, lower]))
        row, upper, lower = np.hstack(entries)
        outcome = np.where(upper < lower, FIRST_WINS, SECOND_WINS)
        return rows, Outcomes(row, np.minimum(upper, lower), np.maximum(upper, lower), outcome)


def _within(order: Order, part: Numbers) -> Order:
    """Return an order without the pairs of items of different parts."""
    if (part == part[:1]).all():
        return order
    closed = nx.empty_graph(len(order.items), create_using=nx.DiGraph)
    closed.add_edges_from(np.argwhere(order.matrix() & (part[:, None] == part)).tolist())
    return compile_order(closed)


class ObservedBattles(NamedTuple):
    """Outcomes of battles, how often each occurs, and in which unit.

    The first of each pair has the lower number.
    """

    items: tuple[Item, ...]
    first: Numbers
    second: Numbers
    outcome: Numbers
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
        rows, labels = [], []
        for cells, is_tie in ((won, False), (ties, True)):
            for *label, u, v, times in cells:
                if times:
                    i, j = number[u], number[v]
                    outcome = TIE if is_tie else FIRST_WINS if i < j else SECOND_WINS
                    rows.append((outcome, min(i, j), max(i, j), times))
                    labels += label
        columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        units = None if unit is None else _number_units(labels)
        # The sequence of a table makes no difference to what is drawn at random.
        order = np.lexsort((*columns, *([] if units is None else [units])))
        outcome, first, second, counts = columns[:, order]
        units = None if units is None else units[order]
        both_bad = sum(each[-1] for each in bad)
        return cls(items, first, second, outcome, counts, units, both_bad)

    def edges(self) -> Iterator[tuple[int, int]]:
        """Yield who won against whom, as numbers, ties both ways."""
        for i, j, outcome in zip(*map(np.ndarray.tolist, self[1:4]), strict=True):
            yield from [(i, j)] * (outcome != SECOND_WINS) + [(j, i)] * (outcome != FIRST_WINS)

    def within(self, part: Numbers) -> tuple[Rows, Outcomes]:
        """Return the battles within the parts of the items, and the outcomes of pairs there."""
        kept = part[self.first] == part[self.second]
        first, second, outcome = self.first[kept], self.second[kept], self.outcome[kept]
        likelihood = BattleLikelihood(first, second, outcome, len(self.items))
        unit = None if self.unit is None else np.unique(self.unit[kept], return_inverse=True)[1]
        outcomes = Outcomes(np.arange(first.size), first, second, outcome)
        return Rows(likelihood, self.counts[kept], unit), outcomes
