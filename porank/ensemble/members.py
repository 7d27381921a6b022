"""The members of an ensemble: orders of the same items, each with the number of times it occurs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import distinct_items, require_count
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.errors import GraphTypeError, PorankError
from porank.extensions.rank_probabilities import MutualRankProbabilities
from porank.orders.algebra import require_same_items

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers

#: Ballots often leave items out.
_WAY_OUT = (
    "Profile(orders).completed() puts what an order lacks below its items, tied, as "
    "read_preflib(source, unranked='last') does"
)


def read_members(
    orders: Any, *, counts: Sequence[int] | None = None, progress: bool = False
) -> tuple[list[Order], list[int]]:
    """Return the members compiled, and how often each occurs.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        At least one order, all of the same items. The rows of an array or a frame are scores; the
        columns of a frame are the items. A profile, or whatever has the attributes ``orders`` and
        ``counts``, brings its own counts.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    progress : bool
        Show a bar.

    Returns
    -------
    members : list of Order
        One for each order that occurs, in the sequence given.
    counts : list of int
        Positive numbers.

    Raises
    ------
    PorankError
        If there is no member, a count is no whole number, or the counts do not fit the orders.
    CycleError, TieError, GraphTypeError
        If a member is no order; the error says which member.
    ItemMismatchError
        If two members have different items; the error says which. `Profile.completed` puts what an
        order lacks at its end.

    Examples
    --------
    >>> members, counts = read_members([{"a": 2, "b": 1}, nx.DiGraph(["ba"])], counts=[3, 1])
    >>> [list(order.items) for order in members], counts
    ([['a', 'b'], ['b', 'a']], [3, 1])

    Notes
    -----
    Time that of compiling each member.
    """
    orders, counts = _with_counts(orders, counts)
    numbered = enumerate(track(orders, progress=progress, label="reading"), start=1)
    members = [compile_order(order, name=f"member {number}") for number, order in numbered]
    for number, order in enumerate(members[1:], start=2):
        if order.items != members[0].items:
            require_same_items(
                members[0], order, names=("member 1", f"member {number}"), way_out=_WAY_OUT
            )
    kept = [(order, count) for order, count in zip(members, counts, strict=True) if count]
    if not kept:
        raise PorankError("expected at least one order, found none")
    return [order for order, _ in kept], [count for _, count in kept]


def _with_counts(orders: Any, counts: Any) -> tuple[list[Any], list[int]]:
    """Return the orders as a list with a checked count for each."""
    if hasattr(orders, "orders") and hasattr(orders, "counts"):
        if counts is not None:
            raise PorankError("expected no counts beside a profile, which has its own, found some")
        orders, counts = orders.orders, orders.counts
    if isinstance(orders, (nx.Graph, Mapping, str)) or not isinstance(orders, Iterable):
        raise GraphTypeError(
            f"expected a list of orders, found a {type(orders).__name__}; "
            + (
                "PreferenceRelation.from_degrees makes a relation of it"
                if isinstance(orders, MutualRankProbabilities)
                else "[order] is a list of one"
            )
        )
    members = _rows_of(orders) if hasattr(orders, "itertuples") else list(orders)
    counts = [1] * len(members) if counts is None else _read_counts(counts)
    if len(counts) != len(members):
        raise PorankError(
            f"expected a count for each of the {len(members)} orders, found {len(counts)}"
        )
    return members, [
        require_count(count, name=f"count of member {number}")
        for number, count in enumerate(counts, start=1)
    ]


def _rows_of(frame: Any) -> list[dict[Item, Any]]:
    """Return the rows of a frame as scores, its columns being the items."""
    items = distinct_items(frame.columns, name="the columns")
    rows = frame.itertuples(index=False, name=None)
    return [dict(zip(items, row, strict=True)) for row in rows]


def _read_counts(counts: Any) -> list[Any]:
    """Return counts as a list; those of a set or a mapping stand beside no order."""
    is_sequence = isinstance(counts, Iterable) and not isinstance(
        counts, (str, bytes, Mapping, Set)
    )
    if not is_sequence or hasattr(counts, "columns"):
        raise PorankError(
            f"expected a sequence of counts, one for each order, found {counts!r:.60}"
        )
    return list(counts)


def in_sequence_of(first: Order, order: Order) -> Numbers | None:
    """Return where `order` has each item of `first`, or None if it has them in the same places.

    Examples
    --------
    >>> first, second = compile_order({"a": 2, "b": 1}), compile_order({"b": 3, "a": 4})
    >>> in_sequence_of(first, second).tolist()
    [1, 0]
    """
    if order.items == first.items:
        return None
    return np.fromiter(map(order.number.__getitem__, first.items), np.int64, len(first.items))
