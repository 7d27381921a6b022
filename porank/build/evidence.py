"""Preference pairs with their evidence, in columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import load
from porank.core.graphs import refuse_large
from porank.core.tables import Table
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.build.logs.counts import LogCounts
    from porank.core.files import Problem
    from porank.typing import Item


@dataclass(frozen=True, eq=False, repr=False)
class PreferencePairs:
    """Pairs (preferred, other) and who says so, as columns of equal length.

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

    Examples
    --------
    >>> from porank.build.preference_pairs import preference_pairs
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
        return (
            list(self.columns) == list(other.columns)
            and all(np.array_equal(self[name], other[name]) for name in self.columns)
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

    def to_csv(self) -> str:
        """Return the pairs as CSV with a header."""
        return Table(self.keys(), list(self)).to_csv()

    def to_graph(self) -> nx.DiGraph:
        """Return the pairs as a graph, if they were counted in all sessions together.

        With ``errors="report"``, the problems stand in ``G.graph["problems"]``, if only as ``()``.

        Examples
        --------
        >>> from porank.build.preference_pairs import preference_pairs
        >>> log = {"session": [1, 1], "item": ["A", "B"], "event": ["view", "click"]}
        >>> list(preference_pairs(log, by=()).to_graph().edges(data=True))
        [('B', 'A', {'support': 1, 'against': 0})]
        >>> preference_pairs(log).to_graph()
        Traceback (most recent call last):
        porank.errors.PorankError: expected pairs counted with by=(), found them by 'session'
        """
        if len(self.columns) > 3:
            found = ", ".join(map(repr, self.keys()[:-3]))
            raise PorankError(f"expected pairs counted with by=(), found them by {found}")
        refuse_large(len(self), instead="preference_pairs(log, by=()) gives the pairs in columns")
        support = {(preferred, other): count for preferred, other, count in self}
        nothing = 0.0 if self["support"].dtype.kind == "f" else 0
        G = nx.DiGraph()
        if self.is_reported:
            G.graph["problems"] = self.problems
        G.add_nodes_from(self.items)
        G.add_edges_from(
            (u, v, {"support": count, "against": support.get((v, u), nothing)})
            for (u, v), count in support.items()
        )
        return G


def labels_as_array(labels: Sequence[Any]) -> NDArray[Any]:
    """Return labels as an array of integers if all are, else of objects.

    Examples
    --------
    >>> labels_as_array([3, 1]).dtype.kind, labels_as_array([3, "a", (1, 2)]).tolist()
    ('i', [3, 'a', (1, 2)])
    """
    if set(map(type, labels)) == {int}:
        try:
            return np.array(labels, dtype=np.int64)
        except OverflowError:
            pass  # whole numbers beyond 2**63 stay objects
    return np.fromiter(labels, dtype=object, count=len(labels))


def join_labels(columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return the labels of several columns in one.

    Examples
    --------
    >>> join_labels([np.array([3, 1]), np.array(["a"])]).tolist()
    [3, 1, 'a']
    """
    if all(column.dtype == np.int64 for column in columns):
        return np.concatenate(columns)
    return labels_as_array([label for column in columns for label in column.tolist()])
