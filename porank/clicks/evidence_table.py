"""So many sessions, or users, prefer u to v: the evidence of each pair of items in one table.

`evidence_table`, `EvidenceTable`; `stood_above` pairs the entries of sessions.

Idea: *a unit counts once for a pair and a direction.* What a rule says, what is tied, and what
stood above what are counted alike, as pairs of numbers, and put side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.arrangements import Arrangements, arrangements_of
from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import (
    PairEvidence,
    Tally,
    evidence_of,
    graph_of_evidence,
    tallies_of,
)
from porank.clicks.log import Wanted
from porank.clicks.rules import PLACES, coded, each_over, rules_of
from porank.clicks.units import UNITS
from porank.core.arguments import require_one_of
from porank.core.arrays import labels_as_array, run_bounds
from porank.core.tables import Columns, Table, Tabular
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.settled import PairTests
    from porank.clicks.log import Log, LogCounts
    from porank.clicks.sessions import Rows, Sessions
    from porank.core.files import Problem
    from porank.typing import Item, Numbers


#: What evidence is balanced by: nothing, or the places of items in lists.
BALANCES = ("none", "place")


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
    arrangements : Arrangements or None
        The evidence of each pair by where the two stood, if it was asked for.

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
    arrangements: Arrangements | None = None

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

    def pairs(self) -> Iterator[tuple[Item, Item]]:
        """Yield the two items of each row."""
        return zip(self["u"].tolist(), self["v"].tolist(), strict=True)

    @property
    def unbalanced(self) -> list[tuple[Item, Item]]:
        """The pairs whose items were seen in one arrangement only.

        With ``balance="place"``: that never stood both ways at the same two positions.
        """
        return [*compress(self.pairs(), self.is_unbalanced.tolist())]

    @property
    def is_unbalanced(self) -> NDArray[np.bool_]:
        """Which of the rows are of such pairs."""
        if self.arrangements is not None:
            return self.arrangements.is_unbalanced(len(self))
        is_left: NDArray[np.bool_] = (self["u_above"] == 0) != (self["v_above"] == 0)
        return is_left

    def balanced(self) -> PairEvidence:
        """Return the counts by the numbers of items as if each pair had stood both ways alike."""
        for_u, for_v = self._arranged().balanced(len(self))
        raw = self.evidence()
        return raw._replace(support=for_u, against=for_v, tied=np.zeros_like(for_u))

    def _arranged(self) -> Arrangements:
        """Return the evidence by place, if it was asked for."""
        if self.arrangements is None:
            raise PorankError(
                "expected a table of evidence_table(log, balance='place') for balance='place', "
                "found one without it"
            )
        return self.arrangements

    def place_tests(self) -> PairTests:
        """Return the tests of taste: of each pair in sessions that had it at the same positions."""
        return self._arranged().p_values(len(self))


def evidence_table(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    unit: str = "session",
    balance: str = "none",
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
    balance : {"none", "place"}
        "place" also keeps the evidence of each pair by the two positions at which it stood, and
        which of the two was above: what `settled_order` and `feedback_relation` need to tell taste
        from place.

    Returns
    -------
    EvidenceTable
        A row for each pair of items that some unit compares, u being the item that appears first in
        the log; prints as a table. An item that stood at several positions of a session counts with
        the highest of them. Where the log has no positions, nothing stood above anything.

    Raises
    ------
    PorankError
        As by `preference_pairs`; if the log has a propensity, because units count once; or if
        `balance` is "place", and units are users or no compared items have known positions.
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
    Time and memory those of `preference_pairs` for all pairs of items that stood in one session;
    with balance, 56 bytes for each pair and two positions, and up to three times as long.
    """
    require_one_of(unit, UNITS, name="unit")
    is_by_place = require_one_of(balance, BALANCES, name="balance") == "place"
    if is_by_place and unit == "user":
        raise PorankError(
            "expected unit='session' beside balance='place', because a user may see a pair at "
            "several positions, found unit='user'"
        )
    log = ClickLog.unweighed(log)
    by = ("user",) if unit == "user" else ()
    names = (*by, "preferred", "other", *PLACES * is_by_place)
    wanted = Wanted({"": rules_of(rule)}, names, by=by, wishes=["position"])
    return table_of(log.asked(wanted), wanted, unit)


def table_of(read: Log, wanted: Wanted, unit: str) -> EvidenceTable:
    """Return the evidence in a log that has been read, by place if the places are wanted."""
    names, above = wanted.names, Tally(wanted.names, is_merged=True)
    for sessions in read.sessions():
        above.add(coded(sessions, *stood_above(sessions), names))
    (stated,) = tallies_of(read, wanted).values()
    items = read.items()
    units = [_units_of(read, tally) for tally in (stated, above)]
    found, stood = (evidence_of(len(items), *each) for each in units)
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
    places = arrangements_of(compared, len(items), *units) if PLACES[0] in names else None
    return EvidenceTable(columns, items, unit, read.counts, read.problems.by_line(), places)


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
