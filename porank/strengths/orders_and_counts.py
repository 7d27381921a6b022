"""Read orders, or counts of wins, from which strengths are fitted: they become `Observed`.

`observe_orders`, `observe_counts`; `parts_of` separates items that cannot be compared.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.abstention.ensembles import with_counts
from porank.core.arrays import distinct, pair_codes
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order
from porank.errors import PorankError, counted, quoted
from porank.strengths.likelihoods import OrderLikelihood, battle_likelihood, pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.clicks.pair_counts import Counts
    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Floats, Item, Numbers


class Observed(NamedTuple):
    """Distinct orders or outcomes of battles within parts, with their counts and units.

    `part` has the number of the part of each item, `limit` its strength if it is alone there, and
    `apart` the groups of items that chains of comparisons connect. `outcomes` has a column for each
    pair that a row decides: the row, the upper item and the lower one; it is None if orders leave
    pairs open. `wins` has for each two items the number of units that prefer the first one, and
    `number` counts all orders or battles.
    """

    kind: str
    items: tuple[Item, ...]
    part: Numbers
    limit: Floats
    apart: tuple[tuple[Item, ...], ...]
    rows: OrderLikelihood
    counts: Numbers
    unit: Numbers | None
    outcomes: Numbers | None
    wins: Numbers
    number: int

    @property
    def units(self) -> int:
        """Number of independent units."""
        return self.number if self.unit is None else np.unique(self.unit).size


def parts_of(
    items: Sequence[Item], edges: Iterable[Any], *, is_joined: bool
) -> tuple[Numbers, Floats, tuple[tuple[Item, ...], ...]]:
    """Return the number of the part of each item, limits of strengths, and connected components.

    A part is a strongly connected component of the graph of preferences, because differences
    between these have no finite estimate (Hunter 2004, for rankings). With a ridge, it is a
    connected component. The limit of the strength of an item alone in its part is inf if it never
    lost, -inf if it never won, and nan if both or neither; that of other items is 0.
    """
    beats = nx.empty_graph(len(items), create_using=nx.DiGraph)
    beats.add_edges_from((int(u), int(v)) for u, v in edges)
    if not beats.number_of_edges():
        raise PorankError("expected at least one preference, found none")
    joined = [*nx.weakly_connected_components(beats)]
    apart = [tuple(items[k] for k in sorted(each)) for each in joined]
    whole = nx.condensation(beats, joined if is_joined else None)
    least = {k: min(members) for k, members in whole.nodes(data="members")}
    place = np.argsort([*nx.lexicographical_topological_sort(whole, key=least.__getitem__)])
    part = place[[whole.graph["mapping"][item] for item in beats]]
    won, lost = (
        np.array([many > 0 for _, many in ends]) for ends in (beats.out_degree, beats.in_degree)
    )
    limit = np.where(won == lost, np.nan, np.where(won, np.inf, -np.inf))
    limit[np.bincount(part)[part] > 1] = 0
    return part, limit, tuple(apart)


def _number_units(labels: Sequence[Any]) -> Numbers:
    """Return the number of each label in sorted order."""
    number = {label: k for k, label in enumerate(in_order(dict.fromkeys(labels)))}
    return np.array([number[label] for label in labels], dtype=np.int64)


def named_parts(
    items: Sequence[Item], part: Numbers, sequence: Numbers
) -> tuple[tuple[Item, ...], ...]:
    """Return the items of each part, in the given sequence."""
    parts = (sequence[part[sequence] == number] for number in range(part.max(initial=-1) + 1))
    return tuple(tuple(items[k] for k in each.tolist()) for each in parts)


def observe_orders(
    data: Any, counts: Any, unit: Any, *, max_ideals: int, is_joined: bool
) -> Observed:
    """Return the orders of a list or profile; each may lack items."""
    members, times = with_counts(data, counts)
    labels = range(len(members)) if unit is None else [*unit] * (not isinstance(unit, str))
    if len(labels) != len(members):
        size = counted(len(members), "order")
        raise PorankError(f"expected a unit for each of {size}, found {quoted(unit):.80}")
    compiled = [compile_order(each, name=f"order {k}") for k, each in enumerate(members, 1)]
    kept = [k for k, many in enumerate(times) if many]
    items = tuple(in_order(dict.fromkeys(x for k in kept for x in compiled[k].items)))
    number = {item: place for place, item in enumerate(items)}
    orders = [
        (compiled[k], np.array([number[x] for x in compiled[k].items], dtype=np.int64))
        for k in kept
    ]
    covers = [numbers[np.stack(order.relation.cover_edges())].T for order, numbers in orders]
    part, limit, apart = parts_of(items, chain.from_iterable(covers), is_joined=is_joined)
    multiples = np.array(times, dtype=np.int64)[kept]
    units = None if unit is None else _number_units([labels[k] for k in kept])
    wins = _wins(_compared(orders), multiples, units, len(items))
    orders = [(_within(order, part[numbers]), numbers) for order, numbers in orders]
    rows = OrderLikelihood([*pieces_of(orders)], len(orders), max_ideals=max_ideals)
    is_full = all(compiled[k].is_weak and (compiled[k].sizes[:-1] == 1).all() for k in kept)
    outcomes = _compared(orders) if is_full else None
    total = int(multiples.sum())
    seen = part, limit, apart, rows, multiples, units, outcomes, wins, total
    return Observed("order", items, *seen)


def _wins(outcomes: Numbers, counts: Numbers, units: Numbers | None, n: int) -> Numbers:
    """Return how many units prefer each of n items to each other, by most of their orders."""
    row, upper, lower = outcomes
    unit = row if units is None else units[row]
    first, place = distinct(unit, pair_codes(upper, lower, n))
    net = np.bincount(place, np.where(upper < lower, 1, -1) * counts[row], first.size)
    many = np.abs(net) if units is None else np.sign(np.abs(net))
    low, high = np.divmod(pair_codes(upper, lower, n)[first], n)
    ends = np.where(net > 0, low * n + high, high * n + low)
    return np.bincount(ends, many, n * n).astype(np.int64).reshape(n, n)


def _within(order: CompiledOrder, part: Numbers) -> CompiledOrder:
    """Return an order without the pairs of items of different parts."""
    if (part == part[:1]).all():
        return order
    closed = nx.empty_graph(len(order.items), create_using=nx.DiGraph)
    closed.add_edges_from(np.argwhere(order.matrix() & (part[:, None] == part)).tolist())
    return compile_order(closed)


def _compared(orders: Sequence[tuple[CompiledOrder, Numbers]]) -> Numbers:
    """Return a column for each pair that an order decides: the row, the upper item, the lower."""
    entries = [np.zeros((3, 0), dtype=np.int64)]
    for row, (order, numbers) in enumerate(orders):
        upper, lower = numbers[np.array(order.matrix().nonzero())]
        entries.append(np.stack([np.full_like(upper, row), upper, lower]))
    return np.hstack(entries)


def observe_counts(items: Iterable[Item], wins: Counts, *, is_joined: bool) -> Observed:
    """Return the battles that are counted; the first of each pair has the lower number."""
    items = tuple(in_order(items))
    number = {item: place for place, item in enumerate(items)}
    # Sort the rows, so the random draws do not depend on the order of the counts.
    rows = sorted(
        (i > j, min(i, j), max(i, j), times)
        for (u, v), (up, down) in wins.items()
        for i, j, times in ((number[u], number[v], up), (number[v], number[u], down))
        if times
    )
    outcome, first, second, counts = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    winner, loser = np.where(outcome, (second, first), (first, second))
    part, limit, apart = parts_of(items, zip(winner, loser, strict=True), is_joined=is_joined)
    n, kept, total = len(items), part[winner] == part[loser], int(counts.sum())
    won = np.bincount(winner * n + loser, counts, n * n).astype(np.int64).reshape(n, n)
    likelihood = battle_likelihood(winner[kept], loser[kept])
    counts = counts[kept]
    outcomes = np.stack([np.arange(counts.size), winner[kept], loser[kept]])
    seen = part, limit, apart, likelihood, counts, None, outcomes, won, total
    return Observed("battle", items, *seen)
