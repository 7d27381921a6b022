"""How pairs of many sessions are counted: as rows of numbers, equal ones put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import grouped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers

#: So many rows may wait to be put together: large arrays are got from the system at less cost.
_MANY_ROWS = 1 << 19


def count_rows(
    columns: Mapping[str, Numbers], counts: NDArray[Any]
) -> tuple[dict[str, Numbers], NDArray[Any]]:
    """Return the different rows of columns of numbers, sorted, and the sum of counts of each.

    The counts of equal rows are summed as they come.

    Examples
    --------
    >>> columns = {"u": np.array([1, 0, 1]), "v": np.array([5, 5, 5])}
    >>> rows, counts = count_rows(columns, np.array([1, 1, 2]))
    >>> rows["u"].tolist(), rows["v"].tolist(), counts.tolist()
    ([0, 1], [5, 5], [1, 3])

    Notes
    -----
    Time O(rows log rows).
    """
    order, starts = grouped(*columns.values())
    first = order[starts]
    different = {name: column[first] for name, column in columns.items()}
    return different, np.add.reduceat(counts[order], starts) if starts.size else counts[:0]


class Tally:
    """Pairs of many sessions as numbers, and how many sessions say each.

    Parameters
    ----------
    names : sequence of str
        The columns.
    is_merged : bool
        Whether equal rows are put together; else no two are equal.

    Attributes
    ----------
    parts : list of dict
        The rows so far, in several tables.
    is_merged : bool
        As given.

    Examples
    --------
    >>> tally = Tally(["preferred", "other"], is_merged=True)
    >>> for _ in range(3):
    ...     tally.add({"preferred": np.array([1, 0]), "other": np.array([0, 1])})
    >>> tally.counts().tolist(), tally.parts[0]["preferred"].tolist()
    ([3, 3], [0, 1])
    """

    def __init__(self, names: Sequence[str], *, is_merged: bool) -> None:
        self.parts: list[dict[str, Numbers]] = []
        self.is_merged = is_merged
        self._nothing = dict.fromkeys(names, np.zeros(0, dtype=np.int64))
        self._counts = np.zeros(0, dtype=np.int64)
        self._waiting: list[dict[str, Numbers]] = []
        self._count = 0

    def add(self, rows: dict[str, Numbers]) -> None:
        """Add the pairs of some sessions, of which each says each pair once."""
        self._waiting.append(rows)
        self._count += rows["preferred"].size
        # Merging as often as the table doubles takes no more than merging once.
        if self._count > max(_MANY_ROWS, self._counts.size):
            self.put_together()

    def add_counted(self, rows: dict[str, Numbers], counts: Numbers) -> None:
        """Add pairs of many sessions, and how many say each; not asked where none are merged."""
        self.put_together()
        if not self.is_merged:
            self.parts.append(rows)
            return
        rows = _joined([self._nothing, *self.parts, rows])
        rows, self._counts = count_rows(rows, np.concatenate([self._counts, counts]))
        self.parts = [rows]

    def held(self) -> int:
        """Return the number of pairs, those that wait to be put together included."""
        return sum(part["preferred"].size for part in self.parts) + self._count

    def counts(self) -> Numbers:
        """Return how many sessions say each pair, when all have been added."""
        self.put_together()
        # Where none are merged, each pair is one of one session, for which no memory is needed.
        return self._counts if self.is_merged else np.broadcast_to(np.int64(1), self.held())

    def put_together(self) -> None:
        """Put together what has been added, and equal rows where they are to be."""
        if self.is_merged:
            ones = np.ones(self._count, dtype=np.int64)
            rows = _joined([self._nothing, *self.parts, *self._waiting])
            rows, self._counts = count_rows(rows, np.concatenate([self._counts, ones]))
            self.parts = [rows]
        else:
            self.parts.append(_joined([self._nothing, *self._waiting]))
        self._waiting, self._count = [], 0


def _joined(parts: Sequence[Mapping[str, Numbers]]) -> dict[str, Numbers]:
    """Return several tables as one."""
    # One large array costs less to get from the system than several.
    size = sum(part["preferred"].size for part in parts)
    rows = np.empty((len(parts[0]), size), dtype=np.int64)
    for name, row in zip(parts[0], rows, strict=True):
        np.concatenate([part[name] for part in parts], out=row)
    return dict(zip(parts[0], rows, strict=True))
