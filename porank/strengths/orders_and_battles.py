"""Read orders or battles, from which strengths are fitted: `observe`, which returns `Observed`.

`are_battles` recognizes a table of battles, and `read_battles` counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import networkx as nx
import numpy as np

from porank.abstention.ensembles import with_counts
from porank.clicks.pair_counts import counts_of
from porank.clicks.preference_pairs import preference_pairs
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order
from porank.errors import PorankError, counted, listed
from porank.strengths.likelihoods import (
    FIRST_WINS,
    SECOND_WINS,
    TIE,
    BattleLikelihood,
    OrderLikelihood,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers


#: The columns of a table of battles.
_BATTLES = ("model_a", "model_b", "winner")


class Observed(NamedTuple):
    """Distinct orders or outcomes of battles within parts, with their counts and units.

    `part` has the number of the part of each item, and `apart` the groups of items that chains of
    comparisons connect. `outcomes` has a column for each pair that a row compares: the row, the
    first item, the second, and the outcome; it is None if orders leave pairs open. `number` counts
    all orders or battles.
    """

    kind: str
    items: tuple[Item, ...]
    part: Numbers
    apart: tuple[tuple[Item, ...], ...]
    rows: BattleLikelihood | OrderLikelihood
    counts: Numbers
    unit: Numbers | None
    outcomes: Numbers | None
    number: int
    both_bad: int = 0


def observe(data: Any, counts: Any, unit: Any, *, max_ideals: int, is_joined: bool) -> Observed:
    """Return the observed orders, if the data are a list or a profile, or else battles."""
    if isinstance(data, Iterator) and not hasattr(data, "read"):
        data = list(data)
    first = data[0] if isinstance(data, (list, tuple)) and data else None
    is_row = isinstance(first, Mapping) and are_battles([*first])
    if hasattr(data, "orders") or (isinstance(data, (list, tuple)) and not is_row):
        return _observe_orders(data, counts, unit, max_ideals, is_joined=is_joined)
    if counts is not None:
        raise PorankError("expected counts only for a list of orders, found them beside battles")
    return _observe_battles(data, unit, is_joined=is_joined)


def _parts(
    items: tuple[Item, ...], edges: Iterable[tuple[int, int]], *, is_joined: bool
) -> tuple[Numbers, tuple[tuple[Item, ...], ...]]:
    """Return the number of the part of each item, and the connected components.

    A part is a strongly connected component of the graph of preferences, because differences
    between these have no finite estimate (Hunter 2004, for rankings). With a ridge, it is a
    connected component.
    """
    beats = nx.empty_graph(len(items), create_using=nx.DiGraph)
    beats.add_edges_from((int(u), int(v)) for u, v in edges)
    if not beats.number_of_edges():
        raise PorankError("expected at least one preference, found none")
    joined = beats.to_undirected()
    apart = [tuple(items[k] for k in sorted(each)) for each in nx.connected_components(joined)]
    whole = nx.condensation(joined.to_directed() if is_joined else beats)
    least = {k: min(members) for k, members in whole.nodes(data="members")}
    place = np.argsort([*nx.lexicographical_topological_sort(whole, key=least.__getitem__)])
    return place[[whole.graph["mapping"][item] for item in beats]], tuple(apart)


def _number_units(labels: Sequence[Any]) -> Numbers:
    """Return the number of each label in sorted order."""
    number = {label: k for k, label in enumerate(in_order(dict.fromkeys(labels)))}
    return np.array([number[label] for label in labels], dtype=np.int64)


def _observe_orders(
    data: Any, counts: Any, unit: Any, max_ideals: int, *, is_joined: bool
) -> Observed:
    """Return the orders of a list or profile; each may lack items."""
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
    covers = [numbers[np.stack(order.relation.cover_edges())].T for order, numbers in orders]
    part, apart = _parts(items, chain.from_iterable(covers), is_joined=is_joined)
    orders = [(_within(order, part[numbers]), numbers) for order, numbers in orders]
    rows = OrderLikelihood(orders, max_ideals=max_ideals)
    units = None if unit is None else _number_units([labels[k] for k in kept])
    multiples = np.array(times, dtype=np.int64)[kept]
    is_full = all(compiled[k].is_weak and (compiled[k].sizes[:-1] == 1).all() for k in kept)
    outcomes = _outcomes_of(orders) if is_full else None
    total = int(multiples.sum())
    return Observed("order", items, part, apart, rows, multiples, units, outcomes, total)


def _within(order: CompiledOrder, part: Numbers) -> CompiledOrder:
    """Return an order without the pairs of items of different parts."""
    if (part == part[:1]).all():
        return order
    closed = nx.empty_graph(len(order.items), create_using=nx.DiGraph)
    closed.add_edges_from(np.argwhere(order.matrix() & (part[:, None] == part)).tolist())
    return compile_order(closed)


def _outcomes_of(orders: Sequence[tuple[CompiledOrder, Numbers]]) -> Numbers:
    """Return the outcomes of all pairs that orders compare, a column each."""
    entries = [np.zeros((3, 0), dtype=np.int64)]
    for row, (order, numbers) in enumerate(orders):
        upper, lower = numbers[np.array(order.matrix().nonzero())]
        entries.append(np.stack([np.full_like(upper, row), upper, lower]))
    row, upper, lower = np.hstack(entries)
    outcome = np.where(upper < lower, FIRST_WINS, SECOND_WINS)
    return np.stack([row, np.minimum(upper, lower), np.maximum(upper, lower), outcome])


def _observe_battles(data: Any, unit: Any, *, is_joined: bool) -> Observed:
    """Return the battles of a table or of counts; the first of each pair has the lower number."""
    if not (unit is None or isinstance(unit, str)):
        raise PorankError(f"expected unit to name a column of the battles, found {unit!r:.80}")
    items, won, ties, bad = read_battles(data, by=() if unit is None else (unit,))
    items = tuple(in_order(items))
    number = {item: place for place, item in enumerate(items)}
    rows, labels, edges = [], [], []
    for cells, is_tie in ((won, False), (ties, True)):
        for *label, u, v, times in cells:
            if times:
                i, j = number[u], number[v]
                outcome = TIE if is_tie else FIRST_WINS if i < j else SECOND_WINS
                rows.append((outcome, min(i, j), max(i, j), times))
                labels += label
                edges += [(i, j)] + [(j, i)] * is_tie
    part, apart = _parts(items, edges, is_joined=is_joined)
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    units = None if unit is None else _number_units(labels)
    # Sort the rows, so the random draws do not depend on their order in the table.
    order = np.lexsort((*columns, *([] if units is None else [units])))
    kept = order[part[columns[1, order]] == part[columns[2, order]]]
    outcome, first, second, counts = columns[:, kept]
    likelihood = BattleLikelihood(first, second, outcome, len(items))
    units = None if units is None else units[kept]
    outcomes = np.stack([np.arange(kept.size), first, second, outcome])
    total, both_bad = int(columns[3].sum()), sum(each[-1] for each in bad)
    return Observed(
        "battle", items, part, apart, likelihood, counts, units, outcomes, total, both_bad
    )


_Counts: TypeAlias = "Iterable[tuple[Any, ...]]"


def read_battles(
    battles: Any, *, by: tuple[str, ...] = ()
) -> tuple[Iterable[Any], _Counts, _Counts, _Counts]:
    """Return the systems, and for pairs of them the numbers of wins, of ties, and of both bad.

    If battles are counted by columns, the rows start with the labels in these columns.
    """
    found = counts_of(battles)
    if found is not None:
        if by:
            raise PorankError(f"expected a table with the column {by[0]!r}, found counts")
        both = found[1].items()
        won = chain.from_iterable([(u, v, wins), (v, u, losses)] for (u, v), (wins, losses) in both)
        return found[0], won, (), ()
    pairs: Any = preference_pairs(battles, by=by)
    if pairs.format.name not in ("battles", "choices"):
        raise PorankError(f"expected the columns {listed(_BATTLES)}, found {pairs.format}")
    if not pairs.ties:
        return pairs.items, pairs, (), ()
    *pair, tied, bad = (column.tolist() for column in pairs.ties.values())
    ties, both_bad = (zip(*pair, counts, strict=True) for counts in (tied, bad))
    return pairs.items, pairs, ties, both_bad


def are_battles(names: Sequence[Any]) -> bool:
    """Return whether these are the columns of a table of battles."""
    return set(_BATTLES) <= set(names)
