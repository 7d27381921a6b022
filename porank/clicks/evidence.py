"""Preference pairs with their evidence: in columns for the user, and as numbers until then.

Pairs of many sessions are rows of numbers; where sessions are counted together, equal ones are put
together as often as the table doubles.

For the user: `PreferencePairs`. On the way: `tallies_of` asks a log, `Tally` counts, with
`count_rows`; `table_of` gives labels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from porank.clicks.rules import VERDICT, coded_pairs, require_room
from porank.clicks.sessions import joined_rows, take_rows
from porank.core.arguments import load
from porank.core.arrays import grouped
from porank.core.graphs import refuse_large, write_edge_data
from porank.core.tables import Table, arrow_stream
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.clicks.log import Log, LogCounts, Wanted
    from porank.clicks.shapes import LogShape
    from porank.core.files import Problem
    from porank.typing import Item, Numbers


@dataclass(frozen=True, eq=False, repr=False)
class PreferencePairs:
    """Preference pairs (preferred, other) and their support, as columns of equal length.

    Attributes
    ----------
    columns : dict of arrays
        The columns of groups under their own names, then ``preferred``, ``other``, ``support``.
        Labels that are all whole numbers stand in an array of integers, others in one of objects.
    items : list
        All items of the log, whether or not a pair names them.
    counts : LogCounts
        The size of the log, and what is odd in it.
    problems : tuple of Problem
        The rows that could not be used, with their numbers; empty where errors are raised.
    is_reported : bool
        Whether such rows were left out and told, so that graphs tell of them too.
    ties : dict of arrays
        Of ratings and battles, the pairs that sessions hold to be alike: the columns of groups,
        then ``one``, ``other``, and how many sessions say ``tied``, and how many ``both_bad``.
    shape : LogShape or None
        What was taken for what in the log.

    See Also
    --------
    preference_pairs

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [1, 1, 2], "item": ["A", "B", "A"], "event": ["view", "click", "click"]}
    >>> pairs = preference_pairs(log)
    >>> pairs
    <PreferencePairs: 1 row of session, preferred, other, support>
    >>> len(pairs), list(pairs), pairs["preferred"].tolist(), pairs.items
    (1, [(1, 'B', 'A', 1)], ['B'], ['A', 'B'])
    >>> print(pairs.to_csv(), end="")
    session,preferred,other,support
    1,B,A,1

    Notes
    -----
    Memory of 8 bytes for each cell. Time O(rows) for each way of writing it.
    """

    columns: dict[str, NDArray[Any]]
    items: list[Item]
    counts: LogCounts
    problems: tuple[Problem, ...] = ()
    is_reported: bool = False
    ties: dict[str, NDArray[Any]] = field(default_factory=dict)
    shape: LogShape | None = None

    def __post_init__(self) -> None:
        names = tuple(self.columns)
        if names[-3:] != ("preferred", "other", "support"):
            raise PorankError(
                "expected columns that end with 'preferred', 'other', 'support', "
                f"found {listed(names) or 'none'}; preference_pairs makes them"
            )

    def __eq__(self, other: object) -> bool:
        """Return whether all columns are equal, row by row, and all that goes with them is."""
        if not isinstance(other, PreferencePairs):
            return NotImplemented
        tables = ((self.columns, other.columns), (self.ties, other.ties))
        return (
            all([*one] == [*two] for one, two in tables)
            and all(np.array_equal(one[name], two[name]) for one, two in tables for name in one)
            and (self.items, self.counts, self.problems)
            == (other.items, other.counts, other.problems)
        )

    __hash__ = None  # type: ignore[assignment]

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        if name not in self.columns:
            raise KeyError(f"expected one of {listed(self.columns)}, found {name!r}")
        return self.columns[name]

    def keys(self) -> list[str]:
        """Return the names of the columns, so that ``dict`` and frames take the table."""
        return list(self.columns)

    @property
    def reported(self) -> tuple[Problem, ...] | None:
        """The problems that graphs of the pairs tell of, None if they were raised instead."""
        return self.problems if self.is_reported else None

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.columns["support"].size

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as tuples of plain Python values."""
        return zip(*(column.tolist() for column in self.columns.values()), strict=True)

    def __repr__(self) -> str:
        rows = "1 row" if len(self) == 1 else f"{len(self):,} rows"
        return f"<PreferencePairs: {rows} of {', '.join(self.columns)}>"

    def to_frame(self) -> Any:
        """Return the pairs as a DataFrame of pandas."""
        return load("pandas", "scale").DataFrame(dict(self.columns))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return arrow_stream(self.keys(), self.columns.values(), requested_schema)

    def to_csv(self) -> str:
        """Return the pairs as CSV with a header."""
        return Table(self.keys(), list(self)).to_csv()

    def to_graph(self) -> nx.DiGraph:
        """Return the pairs as a graph, if they were counted in all sessions together.

        With ``errors="report"``, the problems stand in ``G.graph["problems"]``, if only as ``()``.

        Examples
        --------
        >>> from porank.clicks.preference_pairs import preference_pairs
        >>> log = {"session": [1, 1], "item": ["A", "B"], "event": ["view", "click"]}
        >>> list(preference_pairs(log, by=()).to_graph().edges(data=True))
        [('B', 'A', {'support': 1, 'against': 0})]
        >>> preference_pairs(log).to_graph()
        Traceback (most recent call last):
        porank.errors.PorankError: expected pairs counted with by=(), found them by 'session'
        """
        if len(self.columns) > 3:
            found = listed(self.keys()[:-3])
            raise PorankError(f"expected pairs counted with by=(), found them by {found}")
        support = {(preferred, other): count for preferred, other, count in self}
        return graph_of_evidence(support, self.items, self.reported, self.ties_by_group().get(()))

    def ties_by_group(self) -> dict[Any, Ties]:
        """Return group -> how often each pair is tied, and how often both are bad.

        Of ratings and battles only; the group is ``()`` if all sessions were counted together.
        """
        found: dict[Any, Ties] = {}
        if self.ties and len(self.columns) == 3:
            found[()] = {}
        rows = zip(*(column.tolist() for column in self.ties.values()), strict=True)
        for *group, one, other, tied, bad in rows:
            key = group[0] if len(group) == 1 else tuple(group)
            found.setdefault(key, {})[one, other] = (tied, bad)
        return found


def graph_of_evidence(
    support: Mapping[tuple[Item, Item], Any],
    items: Sequence[Item],
    problems: tuple[Problem, ...] | None = None,
    ties: Ties | None = None,
) -> nx.DiGraph:
    """Return the graph of preference pairs with their support and what speaks against them."""
    refuse_large(len(support), instead="preference_pairs(log, by=()) gives the pairs in columns")
    nothing = 0.0 if float in set(map(type, support.values())) else 0
    G = nx.DiGraph()
    if problems is not None:
        G.graph["problems"] = problems
    G.add_nodes_from(items)
    write_edge_data(
        G,
        (
            (u, v, {"support": count, "against": support.get((v, u), nothing)})
            for (u, v), count in support.items()
        ),
    )
    if ties is not None:
        for u, v, data in G.edges(data=True):
            data["tied"], data["both_bad"] = ties.get((u, v)) or ties.get((v, u)) or (0, 0)
    return G


def tallies_of(log: Log, wanted: Wanted) -> dict[str, Tally]:
    """Return the evidence of a click log: the pairs that its sessions say by each rule, counted."""
    tallies = {name: Tally(wanted.names, is_merged=wanted.is_merged) for name in wanted.rules}
    for sessions in log.sessions():
        for name, tally in tallies.items():
            tally.add(coded_pairs(sessions, wanted.rules[name], wanted.names))
    return tallies


NOTHING = np.zeros(0, dtype=np.int64)


#: Rows of numbers by columns, and how often each counts.
Counted: TypeAlias = "tuple[dict[str, Numbers], NDArray[Any]]"
#: Two items -> how many sessions hold them to be alike, and how many both to be bad.
Ties: TypeAlias = "dict[tuple[Any, Any], tuple[int, int]]"


def table_of(
    pairs: dict[str, Numbers], support: NDArray[Any], labels: Mapping[str, NDArray[Any]]
) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
    """Return the evidence for preference pairs and ties, as columns with labels."""
    labels = {**labels, **dict.fromkeys(("preferred", "other", "one"), labels["item"])}
    pairs, support, ties = _parted(pairs, support)
    named, alike = (
        {name: labels[name].take(one) if name in labels else one for name, one in those.items()}
        for those in (pairs, ties)
    )
    return {**named, "support": np.array(support)}, alike


def _parted(
    pairs: dict[str, Numbers], support: NDArray[Any]
) -> tuple[dict[str, Numbers], NDArray[Any], dict[str, Numbers]]:
    """Return preference pairs with their support, and ties with their evidence of either kind."""
    if VERDICT not in pairs:
        return pairs, support, {}
    verdict = pairs.pop(VERDICT)
    is_tie = verdict > 0
    alike = take_rows(pairs, is_tie)
    one = alike.pop("preferred")
    alike |= {"one": one, "other": alike.pop("other")}
    is_bad, counts = verdict[is_tie] - 1, support[is_tie]
    different, tied = count_rows(alike, counts * (1 - is_bad))
    ties = {**different, "tied": tied, "both_bad": count_rows(alike, counts * is_bad)[1]}
    return take_rows(pairs, ~is_tie), support[~is_tie], ties


#: So many rows may wait to be put together.
_MANY_ROWS = 1 << 19


def count_rows(columns: Mapping[str, Numbers], counts: NDArray[Any]) -> Counted:
    """Return the different preference pairs, sorted, and the summed counts of their evidence."""
    order, starts = grouped(*columns.values())
    first = order[starts]
    different = {name: column[first] for name, column in columns.items()}
    return different, np.add.reduceat(counts[order], starts) if starts.size else counts[:0]


class Tally:
    """Preference pairs as numbers, and their support: how many sessions say each."""

    def __init__(self, names: Sequence[str], *, is_merged: bool) -> None:
        self.is_merged = is_merged
        self._names = names
        self._parts: list[dict[str, Numbers]] = []
        self._new = 0

    def add(self, pairs: dict[str, Numbers]) -> None:
        """Add different pairs, each of one session."""
        size = pairs["preferred"].size
        if self.is_merged:
            pairs = pairs | {"support": np.ones(size, dtype=np.int64)}
        self._parts.append(pairs)
        self._new += size
        # Merging as often as the table doubles takes no more than merging once.
        if self._new > max(_MANY_ROWS, self._held() - self._new):
            self.put_together()
        require_room(self._held() - self._new * self.is_merged)

    def _held(self) -> int:
        """Return the number of pairs, those that wait to be put together included."""
        return sum(part["preferred"].size for part in self._parts)

    def take_pairs(self) -> dict[str, Numbers]:
        """Return the columns of all pairs, and hold them no more."""
        return joined_rows(self._parts) if self._parts else dict.fromkeys(self._names, NOTHING)

    def counted(self) -> Counted:
        """Return the columns of all pairs and the support of each, and hold them no more."""
        self.put_together()
        pairs = self.take_pairs()
        # Each of those kept apart is one of one session, for which no memory is needed.
        one = np.broadcast_to(np.int64(1), pairs["preferred"].size)
        return pairs, pairs.pop("support", one)

    def put_together(self) -> None:
        """Put together equal pairs of those that have been added, if they are to be."""
        if self.is_merged and self._new:
            pairs = joined_rows(self._parts)
            pairs, support = count_rows(pairs, pairs.pop("support"))
            self._parts = [pairs | {"support": support}]
        self._new = 0
