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

import networkx as nx
import numpy as np

from porank.core.arrays import labels_as_array, pair_codes
from porank.core.compiled_order import as_graph, compile_order
from porank.core.graphs import NUMBER, graph_of, read_edges, refuse_large
from porank.core.tables import Columns, one_line
from porank.errors import PorankError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.typing import Floats, Item, Numbers, OrderLike


class Reason(IntEnum):
    """Why a pair is open."""

    NEVER = 0
    RARE = 1
    ARRANGED = 2
    ENDLESS = 3
    EVEN = 4
    CHANCE = 5
    PARTLY = 6
    CYCLIC = 7
    OPPOSED = 8
    TRADED = 9
    EQUAL = 10
    SETTLED = 11


#: The state of a pair that is open for a reason, and the reason in words.
_WORDS = {
    Reason.NEVER: ("not enough", "never compared"),
    Reason.RARE: ("not enough", "compared too rarely to be settled even if unanimous"),
    Reason.ARRANGED: ("not enough", "place and preference cannot be told apart"),
    Reason.ENDLESS: ("not enough", "no wins lead back, so the difference has no finite estimate"),
    Reason.EVEN: ("not enough", "both are preferred equally often"),
    Reason.CHANCE: ("not enough", "the difference may be chance"),
    Reason.PARTLY: ("not enough", "better by one, but perhaps worse by another"),
    Reason.CYCLIC: ("conflicting", "in a cycle of settled preferences"),
    Reason.OPPOSED: ("conflicting", "the pair's own comparisons go against what the others imply"),
    Reason.TRADED: ("traded", "each is better by one"),
    Reason.EQUAL: ("equal enough", "the difference is within the margin"),
    Reason.SETTLED: ("not enough", "settled by the evidence, but removed from this order"),
}
#: The reasons for which further units would settle a pair.
_LACKING = (Reason.RARE, Reason.EVEN, Reason.CHANCE)


class OpenPair(NamedTuple):
    """A pair of items that an order leaves open, and why.

    Attributes
    ----------
    u, v : item
        The two items, first the one that leads, if one does.
    state : {"equal enough", "traded", "conflicting", "not enough"}
        What is known of the pair: its difference lies within a margin; each item is better by one
        measure, or in one segment; its evidence is contradictory; or there is too little evidence.
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
    ('not enough', 'the difference may be chance', 7.0)
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
    counts the units that prefer u. Rows are sorted by `pair_codes`. `cycle` has for each item the
    number of its cycle of settled preferences, or a number of its own. `words` has the state and
    the words of each reason; numbers above the largest `Reason` name measures or segments.
    """

    items: list[Item]
    cycle: Numbers
    u: Numbers
    v: Numbers
    reason: Numbers
    support: Numbers
    against: Numbers
    lacking: Floats
    words: list[tuple[str, str]]

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """The columns."""
        return self.u, self.v, self.reason, self.support, self.against, self.lacking

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        # networkx compares the attributes of graphs.
        if not isinstance(other, Reasons):
            return False
        if (self.items, self.words) != (other.items, other.words):
            return False
        pairs = zip((self.cycle, *self.columns), (other.cycle, *other.columns), strict=True)
        return all(np.array_equal(*pair, equal_nan=True) for pair in pairs)

    @classmethod
    def write(
        cls,
        order: nx.DiGraph,
        pairs: Any,
        reason: Numbers,
        sides: Any,
        *,
        lead: NDArray[Any],
        lacking: Floats,
        cycles: Iterable[Sequence[Item]] = (),
        views: Mapping[Any, Numbers] | None = None,
    ) -> None:
        """Write to an order why pairs of numbers of its items are open, if they are.

        `sides` are the numbers of units that prefer either item, and `lead` is negative if the
        second one leads. Items in one of `cycles` are in a cycle of settled preferences. `views`
        has for each measure or segment a number for each pair: 1 if the first item is shown to be
        better in it, -1 if the second one is, 2 if both are equal enough, otherwise 0.
        """
        n, number = len(order), {item: k for k, item in enumerate(order)}
        cycle = np.arange(n)
        for members in cycles:
            cycle[[number[item] for item in members]] = number[members[0]]
        (u, v), sides = (
            np.where(lead < 0, each[::-1], each) for each in map(np.stack, (pairs, sides))
        )
        codes = pair_codes(u, v, n)
        is_settled = np.isin(codes, pair_codes(*read_edges(order), n))
        ways = is_settled, cycle[u] == cycle[v]
        reason = np.select(ways, (Reason.SETTLED, Reason.CYCLIC), reason)
        lacking = np.where(np.isin(reason, _LACKING), lacking, np.nan)
        words = [*_WORDS.values()]
        if views:
            seen = np.where(lead < 0, -1, 1) * np.stack([*views.values()])
            reason = _name_views(words, reason, [*map(str, views)], seen)
        by_pair = np.argsort(codes)
        columns = [column[by_pair] for column in (u, v, reason, *sides, lacking)]
        order.graph["open"] = cls([*order], cycle, *columns, words)  # type: ignore[call-arg]
        nx.set_node_attributes(order, number, NUMBER)

    def rows(self, u: Numbers, v: Numbers) -> list[NDArray[Any]]:
        """Return the columns for pairs of numbers of items, with the item that leads first."""
        n = len(self.items)
        known, asked = (pair_codes(*pair, n) for pair in ((self.u, self.v), (u, v)))
        row = np.searchsorted(known, asked)
        is_known = np.append(known, -1)[row] == asked
        reason = np.where(self.cycle[u] == self.cycle[v], Reason.CYCLIC, Reason.NEVER)
        unknown: tuple[Any, ...] = (u, v, reason, 0, 0, np.nan)
        return [
            np.where(is_known, np.append(column, 0)[row], value)
            for column, value in zip(self.columns, unknown, strict=True)
        ]

    def numbers_of(self, G: nx.DiGraph, items: Sequence[Item]) -> Numbers:
        """Return the numbers of items of a graph, unless they are not those of the evidence."""
        numbers, n = [G.nodes[item].get(NUMBER, -1) for item in items], len(self.items)
        for item, k in zip(items, numbers, strict=True):
            if not 0 <= k < n or self.items[k] != item:
                raise PorankError(
                    f"expected the items that the evidence is about, found {quoted(item):.80}; an "
                    "order that was relabelled or joined with another has no reasons",
                    hint="ask the order itself, or make it of evidence with the new names",
                )
        return np.array(numbers, dtype=np.int64)


def _name_views(
    words: list[tuple[str, str]], reason: Numbers, names: Sequence[str], seen: Numbers
) -> Numbers:
    """Return reasons whose words name the measures in which the item that leads is better."""
    reason, some = reason.copy(), np.flatnonzero(np.isin(reason, (Reason.PARTLY, Reason.TRADED)))
    kinds, kind = np.unique([reason[some], *seen[:, some]], axis=1, return_inverse=True)
    reason[some] = len(words) + kind
    for which, *signs in kinds.T.tolist():
        words.append((words[which][0], _text_of_views(names, signs)))
    return reason


def _text_of_views(names: Sequence[str], signs: Sequence[int]) -> str:
    """Return in words in which measures or segments an item is better or worse."""
    found = []
    for word, those_of in (("better", (1,)), ("worse", (-1,)), ("equal enough", (2, -2))):
        if those := [name for name, each in zip(names, signs, strict=True) if each in those_of]:
            found.append(f"{word} in {' and '.join(those)}")
    if len(found) < 2:
        found.append(f"but perhaps {'worse' if 1 in signs else 'better'} otherwise")
    return ", ".join(found)


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
    b c compared too rarely to be settled even if unanimous [3, 0, 4.0]
    a b the difference may be chance [9, 3, 7.0]
    a c never compared [0, 0, nan]
    a d never compared [0, 0, nan]
    b d never compared [0, 0, nan]

    Notes
    -----
    Time O(n^2 log n) for n items.
    """
    compiled, G = compile_order(order), as_graph(order)
    found = _reasons_of(G)
    number, n = found.numbers_of(G, compiled.items), len(compiled.items)
    refuse_large(
        n * (n - 1) // 2 - compiled.count_pairs(), instead="why(order, u, v) explains one pair"
    )
    decided = compiled.matrix()
    is_open = np.triu(~(decided | decided.T), 1)
    return _table_of(found, found.rows(*(number[side] for side in np.nonzero(is_open))))


def recorded_pairs(G: nx.DiGraph) -> OpenPairs:
    """Return the pairs that an order left open when it was made, as far as it recorded them."""
    found = _reasons_of(G)
    return _table_of(found, [column[found.reason != Reason.SETTLED] for column in found.columns])


def _table_of(found: Reasons, columns: Sequence[NDArray[Any]]) -> OpenPairs:
    """Return open pairs with their reasons as a table, those nearest to being settled first."""
    u, v, reason, support, against, lacking = columns
    labels, words = labels_as_array(found.items), np.array(found.words, dtype=object)
    table = labels.take(u), labels.take(v), *words[reason].T, support, against, lacking
    # nan comes last.
    nearest = np.lexsort((-support - against, lacking))
    rows = (column[nearest] for column in table)
    return OpenPairs(dict(zip(OpenPair._fields, rows, strict=True)))


def reason_of(G: nx.DiGraph, u: Item, v: Item) -> OpenPair:
    """Return why an order from evidence leaves a pair open."""
    found = _reasons_of(G)
    columns = found.rows(*found.numbers_of(G, [u, v]).reshape(2, 1))
    first, second, reason, *numbers = (column.item() for column in columns)
    return OpenPair(found.items[first], found.items[second], *found.words[reason], *numbers)


def agreed_order(orders: Mapping[Any, nx.DiGraph]) -> nx.DiGraph:
    """Return what two orders from evidence on the same items agree on, with why pairs are open.

    An edge rests on the smaller number of units of both. A pair is traded if the orders settle it
    in opposite ways. Otherwise the reason is that of the order that knows less of it, with the
    larger number of units that it lacks; but better in one and equal enough in the other is open.
    """
    one, other = orders.values()
    order = graph_of(one)
    order.add_edges_from((edge for edge in one.edges if other.has_edge(*edge)), added=False)
    for u, v, data in order.edges(data=True):
        rests = [each.edges[u, v].get("rests_on") for each in (one, other)]
        data.update({} if None in rests else {"rests_on": min(rests)})
    u, v = np.triu_indices(len(order), 1)
    views, reasons, lacking, sides = {}, [], [], np.zeros((2, u.size), dtype=np.int64)
    for name, each in orders.items():
        above = nx.to_numpy_array(each, [*order], weight=None, dtype=np.int64)
        views[name] = (above - above.T)[u, v]
        first, _, reason, support, against, further = each.graph["open"].rows(u, v)
        reasons.append(np.where(views[name] != 0, Reason.SETTLED, reason))
        lacking.append(further)
        sides += np.where(first == u, (support, against), (against, support))
    reason = np.minimum(*reasons)
    alike = reasons[0] == reasons[1]
    further = np.where(alike, np.fmax(*lacking), np.where(reason == reasons[0], *lacking))
    is_partly = (reason == Reason.EQUAL) & ~alike
    for name, each in zip(orders, reasons, strict=True):
        views[name][is_partly & (each == Reason.EQUAL)] = 2
    reason[is_partly] = Reason.PARTLY
    reason[reason == Reason.SETTLED] = Reason.TRADED
    lead = sides[0] - sides[1]
    Reasons.write(order, (u, v), reason, sides, lead=lead, lacking=further, views=views)
    return order


def settled_cycles(order: Any) -> list[list[Item]]:
    """Return the items of each cycle of settled preferences that an order leaves open, if any."""
    if not has_reasons(order):
        return []
    found = _reasons_of(order)
    numbers = np.flatnonzero(np.bincount(found.cycle) > 1).tolist()
    return [[found.items[k] for k in np.flatnonzero(found.cycle == c).tolist()] for c in numbers]


def _reasons_of(G: nx.DiGraph) -> Reasons:
    """Return the reasons that an order from evidence keeps."""
    found = G.graph.get("open")
    if not isinstance(found, Reasons):
        raise PorankError(
            "expected an order from evidence, found an order without reasons for its open pairs",
            hint="settled_order(evidence) returns one",
        )
    return found


def has_reasons(G: Any) -> bool:
    """Return whether a graph keeps the reasons for the open pairs of all its items."""
    try:
        _reasons_of(G).numbers_of(G, [*G])
    except (AttributeError, PorankError):
        return False
    return True
