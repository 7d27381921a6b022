"""So many sessions, or users, prefer u to v: the evidence of each pair of items in one table.

`evidence_table`, `EvidenceTable`; `stood_above` pairs the entries of sessions.

Idea: *a unit counts once for a pair and a direction.* What a rule says, what is tied, and what
stood above what are counted alike, as pairs of numbers, and put side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import (
    PairEvidence,
    Tally,
    evidence_of,
    graph_of_evidence,
    tallies_of,
)
from porank.clicks.log import Wanted
from porank.clicks.rules import coded, each_over, rules_of
from porank.clicks.units import UNITS
from porank.core.arguments import require_one_of
from porank.core.arrays import labels_as_array, run_bounds
from porank.core.tables import Columns, Table, Tabular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import networkx as nx
    from numpy.typing import NDArray

    from porank.clicks.log import Log, LogCounts
    from porank.clicks.sessions import Rows, Sessions
    from porank.core.files import Problem
    from porank.typing import Item, Numbers


@dataclass(frozen=True, eq=False)
class EvidenceTable(Columns, Tabular):
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

    def to_table(self) -> Table:
        """Return the pairs as a table to print."""
        return Table(self.keys(), list(self))

    def to_graph(self) -> nx.DiGraph:
        """Return the graph with an edge u -> v if a unit prefers u to v.

        Each edge has ``support`` and ``against``, as those of `from_log`.
        """
        return graph_of_evidence(self.items, self.evidence())

    def evidence(self) -> PairEvidence:
        """Return the counts by the numbers of items."""
        number = {item: place for place, item in enumerate(self.items)}
        u, v = (np.array([number[item] for item in self[side].tolist()], int) for side in "uv")
        return PairEvidence(u, v, self["for"], self["against"], self["ties"], np.zeros_like(u))


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
        above.add(coded(sessions, *stood_above(sessions), names))
    (stated,) = tallies_of(read, wanted).values()
    items = read.items()
    found, stood = (evidence_of(len(items), *_units_of(read, tally)) for tally in (stated, above))
    found = found.take(found.support + found.against + found.tied > 0)
    compared, placed = (one.preferred * len(items) + one.other for one in (found, stood))
    _, here, there = np.intersect1d(compared, placed, assume_unique=True, return_indices=True)
    u_above, v_above = np.zeros((2, found.other.size), dtype=np.int64)
    u_above[here], v_above[here] = stood.support[there], stood.against[there]
    labels = labels_as_array(items)
    columns = {
        "u": labels.take(found.preferred),
        "v": labels.take(found.other),
        "for": found.support,
        "against": found.against,
        "ties": found.tied,
        "u_above": u_above,
        "v_above": v_above,
    }
    return EvidenceTable(columns, items, unit, read.counts, read.problems.by_line())


def _units_of(log: Log, tally: Tally) -> tuple[Rows, NDArray[Any]]:
    """Return pairs that were counted in units of a log, and in how many each was."""
    rows, sessions = tally.counted()
    return log.among_used(rows), np.ones_like(sessions) if "user" in rows else sessions


def stood_above(sessions: Sessions) -> tuple[Numbers, Numbers]:
    """Return the pairs of entries of one session of which the first is known to stand above."""
    if "position" not in sessions.rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    order = sessions.by_position
    order = order[~np.isnan(sessions.position[order])]
    session, position = sessions.session[order], sessions.position[order]
    _, below = run_bounds(session, position)
    _, end = run_bounds(session)
    return each_over(sessions, order, order, below, end)
