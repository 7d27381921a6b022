"""Ensembles of orders: their members, and how many of them prefer each item to each other one.

The members are orders of the same items, each with the number of times it occurs.

Idea: *the matrix of a member that is a weak order follows from one row of small integers, the
levels of its items; the matrices of all members are added.*

`Ensemble`, `read_members`, `require_complete`, `with_counts`, `count_wins`; `numbers_of` and
`matrix_of` for items in another order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.abstention.degrees import require_fit
from porank.convert.profiles import Profile
from porank.core.arguments import require_count
from porank.core.arrays import in_parts
from porank.core.columns import is_frame
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.core.scores import read_rows
from porank.errors import GraphTypeError, PorankError, a_kind, quoted
from porank.extensions.rank_probabilities import MutualRankProbabilities
from porank.orders.algebra import require_same_items

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers


#: Maximum count of an order, because sums over all members and pairs are 64-bit integers.
_MOST_TIMES = 10**12


def count_wins(members: Ensemble, items: Sequence[Item] | None = None) -> NDArray[Any]:
    """Return the matrix of wins: entry [i, j] counts the members that put item i above item j.

    A member leaves pairs with items that it lacks open. Items are in the order of the first member,
    or in the order given.
    """
    sequence = members.items if items is None else items
    n, kind = len(sequence), np.min_scalar_type(members.total)
    require_fit(n, bytes_each=kind.itemsize)
    wins = np.zeros((n, n), dtype=kind)
    place = {item: number for number, item in enumerate(sequence)}
    if members.levels is not None:
        in_sequence = np.argsort([place[item] for item in members.items])
        levels = members.levels.take(in_sequence, axis=1)
        _add_wins(wins, levels, np.array(members.counts, dtype=kind))
        return wins
    voters = list(zip(members.orders, members.counts, strict=True))
    for order, count in track(voters, label="counting"):
        numbers = [place[item] for item in order.items]
        wins[np.ix_(numbers, numbers)] += order.matrix() * kind.type(count)
    return wins


#: Number of comparisons that are done together, so that they fit into the cache.
_AT_ONCE = 1 << 17


def _add_wins(wins: NDArray[Any], levels: NDArray[Any], counts: NDArray[Any]) -> None:
    """Add the wins of members that are rows of levels, each as often as it occurs."""
    # Bytes hold the sum of 255 members.
    together = min(255, max(1, _AT_ONCE // max(1, wins.size)))
    for part in track(list(in_parts(len(levels), together)), label="counting"):
        above = (levels[part, :, None] < levels[part, None, :]).view(np.uint8)
        votes = above if counts[part].max() == 1 else above * counts[part, None, None]
        wins += votes[0] if len(votes) == 1 else votes.sum(axis=0, dtype=votes.dtype)


#: A hint for ballots, which often leave items out.
_WAY_OUT = (
    "Profile(orders).completed() adds missing items below the others, tied, as "
    "read_preflib(source, unranked='last') does, and completed(missing='unordered') adds them "
    "unordered; methods that count pairs accept Profile(orders), or Profile.from_table(table, "
    "cells='ranks') or cells='scores', as it is"
)


@dataclass(frozen=True, eq=False)
class Ensemble:
    """The members of an ensemble, and how often each occurs."""

    items: Sequence[Item]
    given: Sequence[Any]
    counts: Sequence[int]
    #: A row of levels for each member, if all were read at once.
    levels: NDArray[Any] | None = None

    @cached_property
    def orders(self) -> Sequence[CompiledOrder]:
        """The members, compiled."""
        return list(map(compile_order, self.given))

    @property
    def total(self) -> int:
        """The number of members."""
        return sum(self.counts)


def read_members(
    orders: Any, *, counts: Sequence[int] | None = None, incomplete: bool = False
) -> Ensemble:
    """Return the ensemble with its members checked, without those that do not occur.

    With `incomplete`, members of a profile may lack items.
    """
    everything = orders.items if incomplete and isinstance(orders, Profile) else ()
    orders, counts = with_counts(orders, counts)
    read = None if 0 in counts else read_rows(orders)
    if read is not None and len(read[0]) >= len(everything):
        return Ensemble(read[0], orders, counts, read[1])
    numbered = enumerate(track(orders, label="reading"), start=1)
    members = [compile_order(order, name=f"member {number}") for number, order in numbered]
    if not everything:
        require_complete(members)
    kept = [(order, count) for order, count in zip(members, counts, strict=True) if count]
    if not kept:
        raise PorankError("expected at least one order, found none")
    if any(len(order.items) < len(everything) for order, _ in kept):
        # It occurs 0 times, but has all items.
        kept.insert(0, (compile_order(dict.fromkeys(everything, 0)), 0))
    given, counts = zip(*kept, strict=True)
    items, levels = given[0].items, None
    if all(order.is_weak and len(order.items) == len(items) for order in given):
        levels = np.array([order.levels[numbers_of(order, items)] for order in given])
        levels = levels.astype(np.min_scalar_type(len(items)))
    return Ensemble(items, given, counts, levels)


def require_complete(members: Sequence[CompiledOrder]) -> None:
    """Raise an error unless all members of an ensemble have the same items."""
    for number, order in enumerate(members[1:], start=2):
        if order.items != members[0].items:
            names = ("member 1", f"member {number}")
            require_same_items(members[0], order, names=names, hint=_WAY_OUT)


def with_counts(orders: Any, counts: Any) -> tuple[list[Any], list[int]]:
    """Return the members of an ensemble as a list, with a checked count for each."""
    if hasattr(orders, "orders") and hasattr(orders, "counts"):
        if counts is not None:
            raise PorankError(
                f"expected no counts with a profile, which has its own, found {quoted(counts):.60}"
            )
        orders, counts = orders.orders, orders.counts
    if is_frame(orders) or (isinstance(orders, np.ndarray) and orders.ndim == 2):
        orders = _rows_of(orders)
    if isinstance(orders, (nx.Graph, Mapping, str)) or not isinstance(orders, Iterable):
        raise GraphTypeError(
            f"expected a list of orders, found {a_kind(orders)}; "
            + (
                "PreferenceRelation.from_degrees makes a relation from it"
                if isinstance(orders, MutualRankProbabilities)
                else "use [order] for a single order, Profile.from_table(path, cells='ranks') (or "
                "'scores' or 'items') for a file of ballots"
            )
        )
    members = list(orders)
    if counts is None:
        return members, [1] * len(members)
    counts = _read_counts(counts)
    if len(counts) != len(members):
        raise PorankError(
            f"expected a count for each of the {len(members)} orders, found {len(counts)}"
        )
    return members, [
        require_count(count, name=f"count of member {number}", most=_MOST_TIMES)
        for number, count in enumerate(counts, start=1)
    ]


def _rows_of(table: Any) -> list[dict[Item, Any]]:
    """Return the members' scores in an array, or in a frame whose columns are the items."""
    if isinstance(table, np.ndarray) and table.dtype.kind in "iuf" and not np.isnan(table).any():
        members: list[Any] = [dict(enumerate(row)) for row in table.tolist()]
    else:
        members = list(Profile.from_table(table, cells="scores").orders)
    if _rank_themselves([list(scores.values()) for scores in members]):
        raise PorankError(
            "ranks or scores? Each row of the table may be a ranking, with 1 as best, or scores",
            hint="Profile.from_table(table, cells='ranks') reads 1 as best, cells='scores' larger "
            "numbers as better, cells='items' the columns as places",
        )
    return members


def _rank_themselves(rows: Sequence[Sequence[Any]]) -> bool:
    """Return whether the rows of a table are the ranks of their cells, so they may be ranks.

    Ties may have their lowest, mean or highest rank. They may also have the ranks 1, 2, 3 and so
    on; but so have a few stars, unless more than two thirds of the items differ.
    """
    n = min(map(len, rows), default=0)
    try:
        cells = np.array([row for row in rows if len(row) == n])
    except ValueError:  # a cell is a list
        return False
    is_within = cells.dtype.kind in "iuf" and bool(((cells >= 1) & (cells <= n)).all())
    if not is_within or len(cells) < max(len(rows), 2) or n < 3 or not np.ptp(cells, axis=1).any():
        return False
    from scipy.stats import rankdata

    ways = ["min", "average", "max", *["dense"] * bool((3 * cells.max(axis=1) > 2 * n).all())]
    return any(np.array_equal(rankdata(cells, way, axis=1), cells) for way in ways)


def _read_counts(counts: Any) -> list[Any]:
    """Return how often each member of an ensemble occurs, as a list."""
    is_sequence = isinstance(counts, Iterable) and not isinstance(
        counts, (str, bytes, Mapping, Set)
    )
    if not is_sequence or hasattr(counts, "columns"):
        raise PorankError(
            f"expected a sequence of counts, one for each order, found {quoted(counts):.60}"
        )
    return list(counts)


def numbers_of(order: CompiledOrder, items: Sequence[Item]) -> Numbers:
    """Return the numbers that a member of an ensemble gives to the items."""
    return np.fromiter(map(order.number.__getitem__, items), np.int64, len(items))


def matrix_of(order: CompiledOrder, items: Sequence[Item]) -> NDArray[np.bool_]:
    """Return the closure of a member as a Boolean matrix, with items in the ensemble's order."""
    if order.is_weak:
        # Small integers are compared faster.
        kind = np.min_scalar_type(len(order.sizes))
        levels = order.levels[numbers_of(order, items)].astype(kind)
        return levels[:, None] < levels
    numbers = numbers_of(order, items)
    return order.matrix()[np.ix_(numbers, numbers)]
