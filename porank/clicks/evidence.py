"""Preference pairs with their evidence: as numbers while they are counted, with labels at the end.

If sessions are counted together, pairs of many sessions are kept as rows of numbers, and equal rows
are merged whenever the table has doubled.

`PreferencePairs` is for the user. `tally_of` mines a log and counts with `Tally` and `count_rows`;
`evidence_of` puts both directions of a pair into one row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from porank.clicks.rules import require_pairs
from porank.clicks.sessions import joined_rows, take_rows
from porank.clicks.statements import VERDICT, mine
from porank.core.arrays import grouped, pair_codes
from porank.core.graphs import graph_of, refuse_large
from porank.core.tables import Columns, one_line
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.clicks.log import Asked
    from porank.clicks.log_formats import LogFormat
    from porank.clicks.quirks import LogCounts
    from porank.clicks.rules import NamedRule
    from porank.core.files import Problem
    from porank.typing import Item, Numbers


@dataclass(frozen=True, eq=False, repr=False)
class PreferencePairs(Columns):
    """Preference pairs (preferred, other) and their support, as columns of equal length.

    Attributes
    ----------
    coded, support, labels
        The rows as numbers, the support of each row, and the labels of the numbers.
    columns : dict of arrays
        The columns of groups under their own names, then ``preferred``, ``other``, ``support``.
        Labels that are all whole numbers are in an array of integers, others in an array of
        objects.
    items : list
        All items of the log, including those without a pair.
    counts : LogCounts
        Size of the log, and how often it has each quirk.
    problems : tuple of Problem
        The bad rows with their line numbers; empty with ``errors="raise"``.
    is_reported : bool
        Whether bad rows were skipped and listed, so graphs list them, too.
    ties : dict of arrays
        For ratings and battles, the pairs that sessions find equal: the columns of groups, then
        ``one``, ``other``, and the numbers of sessions that say ``ties`` and ``both_bad``.
    format : LogFormat or None
        How the columns of the log were read.

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
    Memory of 8 bytes for each cell. Converting to any format takes time O(rows).
    """

    coded: dict[str, Numbers]
    support: NDArray[Any]
    labels: dict[str, NDArray[Any]]
    items: list[Item]
    counts: LogCounts
    problems: tuple[Problem, ...] = ()
    is_reported: bool = False
    format: LogFormat | None = None

    @cached_property
    def columns(self) -> dict[str, NDArray[Any]]:  # type: ignore[override]
        """The columns of groups, then ``preferred``, ``other`` and ``support``."""
        decided = self._decided()
        return {**self._named(decided.coded), "support": decided.support}

    @cached_property
    def ties(self) -> dict[str, NDArray[Any]]:
        """The columns of groups, then ``one``, ``other``, ``ties`` and ``both_bad``."""
        if VERDICT not in self.coded:
            return {}
        is_tie = self.coded[VERDICT] > 0
        rows, counts = take_rows(self.coded, is_tie), self.support[is_tie]
        is_bad = rows.pop(VERDICT) == 2
        different, tied = count_rows(rows, counts * ~is_bad)
        _, both_bad = count_rows(rows, counts * is_bad)
        sides = {"one" if name == "preferred" else name: different[name] for name in different}
        return {**self._named(sides), "ties": tied, "both_bad": both_bad}

    def _named(self, rows: Mapping[str, Numbers]) -> dict[str, NDArray[Any]]:
        """Return columns of pairs with the labels of items and groups instead of numbers."""
        return {
            name: self.labels[name if name in self.labels else "item"].take(column)
            for name, column in rows.items()
        }

    def _decided(self) -> PreferencePairs:
        """Return the pairs in which one item is preferred."""
        if VERDICT not in self.coded:
            return self
        is_decided = self.coded[VERDICT] == 0
        rows = take_rows(self.coded, is_decided)
        del rows[VERDICT]
        return replace(self, coded=rows, support=self.support[is_decided])

    @property
    def reported(self) -> tuple[Problem, ...] | None:
        """The problems that graphs of the pairs list, None with ``errors="raise"``."""
        return self.problems if self.is_reported else None

    def to_graph(self) -> nx.DiGraph:
        """Return the pairs as a graph, if all sessions were counted together.

        With ``errors="report"``, ``G.graph["problems"]`` lists the bad rows, even if there are
        none.

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
            raise PorankError(f"expected pairs counted with by=(), found pairs by {found}")
        return graph_of_evidence(
            self.items, self.evidence(), self.reported, with_ties=bool(self.ties)
        )

    def evidence(self) -> PairEvidence:
        """Return the evidence of each pair of items, summed over all groups."""
        return evidence_of(len(self.items), self.coded, self.support)

    def evidence_by_group(self) -> Iterator[tuple[Any, PairEvidence]]:
        """Yield each group (a value, or a tuple of several) with the evidence of its pairs."""
        names = self.keys()[:-3]
        if not names:
            yield (), self.evidence()
            return
        groups = {name: self.coded[name] for name in names}
        order, starts = grouped(*groups.values())
        labels = [
            column.tolist() for column in self._named(take_rows(groups, order[starts])).values()
        ]
        keys = labels[0] if len(labels) == 1 else zip(*labels, strict=True)
        for key, rows in zip(keys, np.split(order, starts[1:]), strict=False):
            yield key, evidence_of(len(self.items), take_rows(self.coded, rows), self.support[rows])


class PairEvidence(NamedTuple):
    """Evidence for and against each pair of items, in columns; items are numbers."""

    preferred: Numbers
    other: Numbers
    support: NDArray[Any]
    against: NDArray[Any]
    tied: NDArray[Any]
    both_bad: NDArray[Any]

    def __repr__(self) -> str:
        return one_line(self)

    def take(self, is_kept: Any) -> PairEvidence:
        """Return the evidence of some pairs."""
        return PairEvidence(*(column[is_kept] for column in self))

    def both_ways(self) -> PairEvidence:
        """Return the evidence of each pair in both directions, sorted by items."""
        u, v, support, against, *alike = self
        columns = (
            (u, v),
            (v, u),
            (support, against),
            (against, support),
            *((one, one) for one in alike),
        )
        both = PairEvidence(*map(np.concatenate, columns))
        return both.take(np.lexsort((both.other, both.preferred)))


def evidence_of(n: int, rows: Mapping[str, Numbers], counts: NDArray[Any]) -> PairEvidence:
    """Return the evidence of each pair of n items, with the lower-numbered item first."""
    first, second = rows["preferred"], rows["other"]
    verdict = rows.get(VERDICT, np.zeros_like(first))
    codes = pair_codes(first, second, n)
    pairs, place = np.unique(codes, return_inverse=True)
    # The columns are for, against, tied, both bad.
    column = np.where(verdict > 0, 1 + verdict, first > second)
    table = np.bincount(4 * place + column, counts, 4 * pairs.size).astype(counts.dtype)
    return PairEvidence(*np.divmod(pairs, max(n, 1)), *table.reshape(-1, 4).T)


def graph_of_evidence(
    items: Sequence[Item],
    evidence: PairEvidence,
    problems: tuple[Problem, ...] | None = None,
    *,
    with_ties: bool = False,
) -> nx.DiGraph:
    """Return the graph of preference pairs, with the evidence for and against each edge."""
    both = evidence.both_ways()
    both = both.take(both.support > 0)
    refuse_large(
        both.other.size, instead="preference_pairs(log, by=()) returns the pairs in columns"
    )
    G = graph_of(items)
    if problems is not None:
        G.graph["problems"] = problems
    names = ("support", "against", *("ties", "both_bad") * with_ties)
    rows = zip(*(column.tolist() for column in both), strict=True)
    G.add_edges_from(
        (items[u], items[v], dict(zip(names, counts, strict=False))) for u, v, *counts in rows
    )
    return G


def tally_of(asked: Asked, rules: Sequence[NamedRule], names: Sequence[str]) -> Tally:
    """Return the counted statements of a click log, as columns of some names."""
    tally = Tally(names, is_merged="session" not in names)
    for rows in mine(asked, rules, names):
        tally.add(rows)
    return tally


NOTHING = np.zeros(0, dtype=np.int64)


#: Rows of numbers by columns, and how often each counts.
Counted: TypeAlias = "tuple[dict[str, Numbers], NDArray[Any]]"


#: Number of rows that may wait to be merged.
_MANY_ROWS = 1 << 19


def count_rows(columns: Mapping[str, Numbers], counts: NDArray[Any]) -> Counted:
    """Return the distinct preference pairs, sorted, with the sums of their counts."""
    order, starts = grouped(*columns.values())
    first = order[starts]
    different = {name: column[first] for name, column in columns.items()}
    return different, np.add.reduceat(counts[order], starts) if starts.size else counts[:0]


class Tally:
    """Preference pairs as numbers, with their support: the number of sessions with the pair."""

    def __init__(self, names: Sequence[str], *, is_merged: bool) -> None:
        self._names, self._is_merged = names, is_merged
        self._parts: list[dict[str, Numbers]] = []

    def add(self, pairs: dict[str, Numbers]) -> None:
        """Add distinct pairs of single sessions."""
        if self._is_merged:
            pairs = pairs | {"support": np.ones(pairs["preferred"].size, dtype=np.int64)}
        self._parts.append(pairs)
        held, *new = (part["preferred"].size for part in self._parts)
        # Merging each time the table has doubled costs no more than merging once.
        if self._is_merged and sum(new) > max(_MANY_ROWS, held):
            self._put_together()
        require_pairs(self._parts[0]["preferred"].size if self._is_merged else held + sum(new))

    def counted(self) -> Counted:
        """Return the columns of all pairs and the support of each, and release them."""
        if self._is_merged and self._parts:
            self._put_together()
        pairs = joined_rows(self._parts) if self._parts else dict.fromkeys(self._names, NOTHING)
        # Pairs that are not merged have support 1, which needs no memory.
        one = np.broadcast_to(np.int64(1), pairs["preferred"].size)
        return pairs, pairs.pop("support", one)

    def _put_together(self) -> None:
        """Merge equal pairs among those added so far."""
        pairs = joined_rows(self._parts)
        pairs, support = count_rows(pairs, pairs.pop("support"))
        self._parts = [pairs | {"support": support}]
