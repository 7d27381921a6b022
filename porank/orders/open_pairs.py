"""Why pairs of an order are open, and how much evidence would settle them.

An order that comes from evidence leaves a pair open for one of several reasons, which are quite
different things: nobody compared the two items, too few did, they contradict each other, or the
items are as good as equal. Such an order keeps the reasons in its graph attribute ``open``, as
`Reasons`. `open_pairs` lists them, and `why` returns an `OpenPair` for one pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import labels_as_array, pair_codes
from porank.core.compiled_order import as_graph, compile_order
from porank.core.graphs import read_edges, refuse_large
from porank.core.tables import Columns, one_line
from porank.errors import PorankError, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Floats, Item, Numbers, OrderLike


class Reason(IntEnum):
    """Why a pair is open."""

    NEVER = 0
    RARE = 1
    ARRANGED = 2
    EVEN = 3
    FEW = 4
    CYCLIC = 5
    OPPOSED = 6
    TRADED = 7
    EQUAL = 8
    SETTLED = 9


#: The state of a pair that is open for a reason, and the reason in words.
_WORDS = {
    Reason.NEVER: ("not enough", "never compared"),
    Reason.RARE: ("not enough", "compared too rarely to be settled even if unanimous"),
    Reason.ARRANGED: ("not enough", "place and preference cannot be told apart"),
    Reason.EVEN: ("not enough", "both are preferred equally often"),
    Reason.FEW: ("not enough", "the difference may be chance"),
    Reason.CYCLIC: ("conflicting", "in a cycle of settled preferences"),
    Reason.OPPOSED: ("conflicting", "its comparisons go against what the others imply"),
    Reason.TRADED: ("traded", "each is better by one measure"),
    Reason.EQUAL: ("equal enough", "the difference is within the margin"),
    Reason.SETTLED: ("not enough", "settled by the evidence, but removed from this order"),
}


class OpenPair(NamedTuple):
    """A pair of items that an order leaves open, and why.

    Attributes
    ----------
    u, v : item
        The two items, first the one that leads, if one does.
    state : {"equal enough", "traded", "conflicting", "not enough"}
        What is known of the pair: its difference lies within a margin; each item is better by one
        measure; its evidence is contradictory; or there is too little evidence.
    reason : str
        The reason in words.
    support, against : int
        Numbers of units that prefer u, and that prefer v.
    lacking : float
        About how many further units would settle the pair, if they are as those so far; inf if none
        would, nan if this is unknown.

    See Also
    --------
    open_pairs, why

    Examples
    --------
    >>> import porank as po
    >>> order = po.settled_order({("tea", "milk"): 9, ("milk", "tea"): 3})
    >>> pair = po.why(order, "tea", "milk").open
    >>> pair.state, pair.reason, pair.lacking
    ('not enough', 'the difference may be chance', 8.0)
    """

    u: Item
    v: Item
    state: str
    reason: str
    support: int
    against: int
    lacking: float

    def __repr__(self) -> str:
        return one_line(self)

    def __str__(self) -> str:
        more = "" if not np.isfinite(self.lacking) else f"; about {self.lacking:,.0f} more needed"
        return f"{quoted(self.u)} and {quoted(self.v)}: {self.state}, because {self.reason}{more}"


@dataclass(frozen=True, eq=False, repr=False)
class OpenPairs(Columns):
    """The open pairs of an order in columns, as returned by `open_pairs`.

    Attributes
    ----------
    columns : dict of arrays
        The fields of `OpenPair`, with a row for each open pair.

    See Also
    --------
    open_pairs

    Examples
    --------
    >>> import porank as po
    >>> po.open_pairs(po.settled_order({("a", "b"): 4, ("b", "c"): 9}))
    <OpenPairs: 2 rows of u, v, state, reason, support, against, lacking>
    """

    columns: dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Reasons:
    """Why pairs of items are open, in columns of equal length; other pairs were never compared.

    `u` and `v` are numbers of items, u the one that leads; `reason` is a `Reason`, and `support`
    counts the units that prefer u. Rows are sorted by `pair_codes`.
    """

    items: list[Item]
    u: Numbers
    v: Numbers
    reason: Numbers
    support: Numbers
    against: Numbers
    lacking: Floats

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """The columns."""
        return self.u, self.v, self.reason, self.support, self.against, self.lacking

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        # networkx compares the attributes of graphs.
        if not isinstance(other, Reasons) or self.items != other.items:
            return False
        pairs = zip(self.columns, other.columns, strict=True)
        return all(np.array_equal(*pair, equal_nan=True) for pair in pairs)

    @classmethod
    def of(cls, order: nx.DiGraph, *columns: NDArray[Any]) -> Reasons:
        """Return the reasons for pairs of numbers of an order's items, in any sequence."""
        n, (u, v, reason, *numbers) = len(order), columns
        codes, decided = pair_codes(u, v, n), pair_codes(*read_edges(order), n)
        is_settled, by_pair = np.isin(codes, decided), np.argsort(codes)
        reason = np.where(is_settled, Reason.SETTLED, reason)
        numbers[-1] = np.where(is_settled, np.nan, numbers[-1])
        return cls([*order], *(column[by_pair] for column in (u, v, reason, *numbers)))

    def rows(self, u: Numbers, v: Numbers) -> list[NDArray[Any]]:
        """Return the columns for pairs of numbers of items, with the item that leads first."""
        n = len(self.items)
        known, asked = (pair_codes(*pair, n) for pair in ((self.u, self.v), (u, v)))
        row = np.searchsorted(known, asked)
        is_known = np.append(known, -1)[row] == asked
        unknown: tuple[Any, ...] = (u, v, Reason.NEVER, 0, 0, np.nan)
        return [
            np.where(is_known, np.append(column, 0)[row], value)
            for column, value in zip(self.columns, unknown, strict=True)
        ]


def open_pairs(order: OrderLike) -> OpenPairs:
    """Return the pairs that an order from evidence leaves open, with the reason for each.

    A pair u, v is open if the order has neither u > v nor v > u.

    Parameters
    ----------
    order : DiGraph
        A settled order, an order of systems, or one of strengths of a log.

    Returns
    -------
    OpenPairs
        A row for each open pair, those nearest to being settled first. Its columns are the fields
        of `OpenPair`.

    Raises
    ------
    PorankError
        If the order does not come from evidence, or has too many open pairs.

    See Also
    --------
    OpenPair, why, settled_order

    Examples
    --------
    >>> import porank as po
    >>> counts = {("a", "b"): 9, ("b", "a"): 3, ("b", "c"): 3, ("c", "d"): 20}
    >>> for u, v, state, reason, *numbers in po.open_pairs(po.settled_order(counts)):
    ...     print(u, v, reason, numbers)
    b c compared too rarely to be settled even if unanimous [3, 0, 3.0]
    a b the difference may be chance [9, 3, 8.0]
    a c never compared [0, 0, nan]
    a d never compared [0, 0, nan]
    b d never compared [0, 0, nan]

    Notes
    -----
    Time O(n^2 log n) for n items.
    """
    found, compiled = _reasons_of(as_graph(order)), compile_order(order)
    n = len(compiled.items)
    refuse_large(
        n * (n - 1) // 2 - compiled.count_pairs(), instead="why(order, u, v) explains one pair"
    )
    decided = compiled.matrix()
    is_open = np.triu(~(decided | decided.T), 1)
    number = _numbers_of(found, compiled.items)
    return _table_of(found, found.rows(*(number[side] for side in np.nonzero(is_open))))


def recorded_pairs(G: nx.DiGraph) -> OpenPairs:
    """Return the pairs that an order left open when it was made, as far as it recorded them."""
    found = _reasons_of(G)
    return _table_of(found, [column[found.reason != Reason.SETTLED] for column in found.columns])


def _table_of(found: Reasons, columns: Sequence[NDArray[Any]]) -> OpenPairs:
    """Return open pairs with their reasons as a table, those nearest to being settled first."""
    u, v, reason, support, against, lacking = columns
    labels, words = labels_as_array(found.items), np.array([_WORDS[r] for r in Reason], object)
    table = labels.take(u), labels.take(v), *words[reason].T, support, against, lacking
    # nan comes last.
    nearest = np.lexsort((-support - against, lacking))
    rows = (column[nearest] for column in table)
    return OpenPairs(dict(zip(OpenPair._fields, rows, strict=True)))


def reason_of(G: Any, u: Item, v: Item) -> OpenPair:
    """Return why an order from evidence leaves a pair open."""
    found = _reasons_of(G)
    columns = (column.item() for column in found.rows(*_numbers_of(found, [u, v]).reshape(2, 1)))
    first, second, reason, *numbers = columns
    return OpenPair(found.items[first], found.items[second], *_WORDS[Reason(reason)], *numbers)


def _reasons_of(G: Any) -> Reasons:
    """Return the reasons that an order from evidence keeps."""
    found = G.graph.get("open")
    if not isinstance(found, Reasons):
        raise PorankError(
            "expected an order from evidence, found an order without reasons for its open pairs",
            hint="settled_order(evidence) returns one",
        )
    return found


def _numbers_of(found: Reasons, items: Sequence[Item]) -> Numbers:
    """Return the numbers of items in the reasons for open pairs."""
    number = {item: k for k, item in enumerate(found.items)}
    if unknown := [item for item in items if item not in number]:
        raise PorankError(
            f"expected the items that the evidence is about, found {listed(unknown)}; an order "
            "that was relabelled has no reasons"
        )
    return np.array([number[item] for item in items], dtype=np.int64)
