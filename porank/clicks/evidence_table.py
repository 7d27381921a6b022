"""So many sessions, or users, prefer u to v: the evidence of each pair of items in one table.

`evidence_table`, `EvidenceTable`.

Idea: *a unit counts once for a pair and a direction.* What a rule says, what is tied, and what
stood above what are counted alike, as pairs of numbers, and put side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import Tally, graph_of_evidence, tallies_of
from porank.clicks.log import Wanted
from porank.clicks.rules import VERDICT, coded, each_over, rules_of
from porank.clicks.units import UNITS
from porank.core.arguments import require_one_of
from porank.core.arrays import run_starts
from porank.core.tables import Table, Tabular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import networkx as nx
    from numpy.typing import NDArray

    from porank.clicks.log import LogCounts
    from porank.clicks.sessions import Sessions
    from porank.core.files import Problem
    from porank.typing import Item, Numbers

_COUNTS = ("for", "against", "ties", "u_above", "v_above")


@dataclass(frozen=True, eq=False)
class EvidenceTable(Tabular):
    """The evidence of each pair of items, in columns: what `evidence_table` returns.

    Attributes
    ----------
    columns : dict of arrays
        ``u`` and ``v``, two items; ``for``, the number of units that prefer u to v; ``against``,
        the number of those that prefer v to u; ``ties``, the number of those that hold them to be
        alike; ``u_above`` and ``v_above``, the numbers of those in which u stood above v, and v
        above u.
    items : list
        All items of the log, whether or not a pair names them.
    unit : {"session", "user"}
        What is counted.
    counts : LogCounts
        The size of the log, and what is odd in it.
    problems : tuple of Problem
        The rows that could not be used.

    See Also
    --------
    evidence_table

    Examples
    --------
    >>> import porank as po
    >>> log = {"session": [1, 1], "item": ["tea", "milk"], "event": ["view", "click"]}
    >>> table = po.evidence_table(log)
    >>> len(table), table["for"].tolist(), table["against"].tolist()
    (1, [0], [1])
    """

    columns: dict[str, NDArray[Any]]
    items: list[Item]
    unit: str
    counts: LogCounts
    problems: tuple[Problem, ...] = ()

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        return self.columns[name]

    def keys(self) -> list[str]:
        """Return the names of the columns, so that ``dict`` and frames take the table."""
        return list(self.columns)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return self.columns["u"].size

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as tuples of plain Python values."""
        return zip(*(column.tolist() for column in self.columns.values()), strict=True)

    def to_table(self) -> Table:
        """Return the pairs as a table to print."""
        return Table(self.keys(), list(self))

    def to_graph(self) -> nx.DiGraph:
        """Return the graph with an edge u -> v if a unit prefers u to v.

        Each edge has ``support`` and ``against``, as those of `from_log`.
        """
        support: dict[tuple[Item, Item], int] = {}
        for u, v, for_u, for_v, *_ in self:
            support |= {pair: n for pair, n in (((u, v), for_u), ((v, u), for_v)) if n}
        return graph_of_evidence(support, self.items)


def evidence_table(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    unit: str = "session",
) -> EvidenceTable:
    """Return for each pair of items how many units prefer which, and which stood above.

    Parameters
    ----------
    log : ClickLog, or what it takes
        The sessions.
    rule
        As for `preference_pairs`.
    unit : {"session", "user"}
        What counts once for a pair and a direction: a session, or a user with all sessions. A user
        whose sessions contradict each other counts in both directions.

    Returns
    -------
    EvidenceTable
        A row for each pair of items that some unit compares, u being the item that appears first in
        the log; prints as a table. An item that stood at several positions of a session counts with
        the highest of them. Where the log has no positions, nothing stood above anything.

    Raises
    ------
    PorankError
        As by `preference_pairs`, or if the log has a propensity: units count once.
    OSError, ParseError
        As by `preference_pairs`.

    See Also
    --------
    preference_pairs, from_log, feedback_relation

    Examples
    --------
    In two sessions tea stood above milk, in one below; milk is clicked in the first two.

    >>> import porank as po
    >>> log = {
    ...     "session": [1, 1, 2, 2, 3, 3],
    ...     "item": ["tea", "milk", "tea", "milk", "milk", "tea"],
    ...     "position": [1, 2, 1, 2, 1, 2],
    ...     "event": ["view", "click", "view", "click", "view", "click"],
    ... }
    >>> print(po.evidence_table(log))
    u    v     for  against  ties  u_above  v_above
    ---  ----  ---  -------  ----  -------  -------
    tea  milk    1        2     0        2        1

    Notes
    -----
    Time and memory those of `preference_pairs` for all pairs of items that stood in one session.
    """
    require_one_of(unit, UNITS, name="unit")
    log = ClickLog.unweighed(log)
    by = ("user",) if unit == "user" else ()
    names = (*by, "preferred", "other")
    wanted = Wanted({"": rules_of(rule)}, names, by=by, wishes=["position"])
    read, above = log.asked(wanted), Tally(names, is_merged=True)
    for sessions in read.sessions():
        above.add(coded(sessions, *_stood_above(sessions), names))
    (said,) = tallies_of(read, wanted).values()
    labels = read.labels["item"].as_array()
    u, v, counts = _side_by_side(said, above, labels.size)
    columns = {"u": labels.take(u), "v": labels.take(v), **dict(zip(_COUNTS, counts, strict=True))}
    return EvidenceTable(columns, read.items(), unit, read.counts, read.problems.by_line())


def _stood_above(sessions: Sessions) -> tuple[Numbers, Numbers]:
    """Return the pairs of entries of one session of which the first is known to stand above."""
    if "position" not in sessions.rows or not len(sessions):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    order = sessions.by_position
    order = order[~np.isnan(sessions.position[order])]
    session, position = sessions.session[order], sessions.position[order]
    places = np.arange(order.size)
    levels, ends = run_starts(session, position), run_starts(session)
    below = np.append(levels, order.size)[np.searchsorted(levels, places, side="right")]
    end = np.append(ends, order.size)[np.searchsorted(ends, places, side="right")]
    return each_over(sessions, order, order, below, end)


def _side_by_side(said: Tally, above: Tally, n: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return the evidence of each compared pair of n items: u, v, and a row for each count."""
    found = [_units_of(tally, n) for tally in (said, above)]
    # What is said comes first: for, against, tied, both bad; then what stood above.
    count = np.concatenate([found[0][1], found[1][1] + 4])
    pair, units = (np.concatenate([part[k] for part in found]) for k in (0, 2))
    compared = np.unique(pair[count < 3])
    is_one = np.isin(pair, compared)
    place = 6 * np.searchsorted(compared, pair[is_one]) + count[is_one]
    table = np.bincount(place, units[is_one], 6 * compared.size).astype(np.int64)
    return *np.divmod(compared, max(n, 1)), table.reshape(-1, 6)[:, [0, 1, 2, 4, 5]].T


def _units_of(tally: Tally, n: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return, for evidence, the pairs of n items, which count they add to, and how many units."""
    rows, sessions = tally.counted()
    first, second = rows["preferred"], rows["other"]
    verdict = rows.get(VERDICT, np.zeros_like(first))
    count = np.where(verdict > 0, 1 + verdict, first > second)
    pair = np.minimum(first, second) * n + np.maximum(first, second)
    return pair, count, np.ones_like(pair) if "user" in rows else sessions
