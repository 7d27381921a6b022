"""Evidence of each pair of items in one table: how many sessions, or users, prefer which item.

`evidence_table` makes an `EvidenceTable`; `stood_above` pairs the entries of sessions.

Idea: *a unit counts once for each pair and direction.* Preferences, ties, and which item stood
above are all counted in the same way, as pairs of numbers, and then joined.
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


#: Options for balancing evidence: not at all, or by the positions of items.
BALANCES = ("none", "place")


@dataclass(frozen=True, eq=False)
class EvidenceTable(Columns, Tabular):
    """The evidence of each pair of items in columns, as returned by `evidence_table`.

    Attributes
    ----------
    columns : dict of arrays
        ``u`` and ``v``, two items; ``for``, the number of units that prefer u to v; ``against``,
        the number that prefer v to u; ``ties``, the number that find them equal; ``u_above`` and
        ``v_above``, the numbers of units in which u stood above v, and v above u.
    items : list
        All items of the log, including those without a pair.
    unit : {"session", "user"}
        The unit that is counted.
    counts : LogCounts
        Size of the log, and how often it has each quirk.
    problems : tuple of Problem
        The bad rows.
    arrangements : Arrangements or None
        The evidence of each pair by position, with ``balance="place"``.

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

        Edges have ``support`` and ``against``, as in `from_log`.
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
        """The pairs whose items were shown in one arrangement only.

        With ``balance="place"``: pairs that never stood both ways at the same two positions.
        """
        return [*compress(self.pairs(), self.is_unbalanced.tolist())]

    @property
    def is_unbalanced(self) -> NDArray[np.bool_]:
        """Which rows are unbalanced pairs."""
        if self.arrangements is not None:
            return self.arrangements.is_unbalanced(len(self))
        is_left: NDArray[np.bool_] = (self["u_above"] == 0) != (self["v_above"] == 0)
        return is_left

    def balanced(self) -> PairEvidence:
        """Return the counts, weighted as if each pair stood both ways equally often."""
        for_u, for_v = self._arranged().balanced(len(self))
        raw = self.evidence()
        return raw._replace(support=for_u, against=for_v, tied=np.zeros_like(for_u))

    def _arranged(self) -> Arrangements:
        """Return the evidence by position, or raise an error if it was not kept."""
        if self.arrangements is None:
            raise PorankError(
                "expected the result of evidence_table(log, balance='place') for balance='place', "
                "found a table without positions"
            )
        return self.arrangements

    def place_tests(self) -> PairTests:
        """Return the test of each pair that compares the two arrangements at the same positions."""
        return self._arranged().p_values(len(self))


def evidence_table(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    unit: str = "session",
    balance: str = "none",
) -> EvidenceTable:
    """Return how many units prefer either item of each pair, and which item stood above.

    A unit is a session, or a user with all sessions.

    Parameters
    ----------
    log : ClickLog, table or path
        The log.
    rule
        As for `preference_pairs`.
    unit : {"session", "user"}
        Unit that counts once for a pair and a direction. A user whose sessions contradict each
        other counts in both directions.
    balance : {"none", "place"}
        "place" also keeps the evidence of each pair by the two positions at which it stood, and
        which item was above. `settled_order` and `feedback_relation` need it to separate taste from
        position.

    Returns
    -------
    EvidenceTable
        A row for each pair of items that some unit compares; u is the item that appears first in
        the log. It prints as a table. If an item stood at several positions in a session, the
        highest one counts. If the log has no positions, the counts of ``u_above`` and ``v_above``
        are 0.

    Raises
    ------
    PorankError
        As for `preference_pairs`; if the log has a propensity, because units count once; or if
        `balance` is "place" and units are users, or no compared items have known positions.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    preference_pairs, from_log, feedback_relation

    Examples
    --------
    Tea stands above milk in two sessions and below it in the third. Milk is clicked in the first
    two.

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
    Time and memory as `preference_pairs` would need for all pairs of items shown in the same
    session. ``balance="place"`` needs up to three times as long, and 56 bytes for each pair at each
    two positions.
    """
    require_one_of(unit, UNITS, name="unit")
    is_by_place = require_one_of(balance, BALANCES, name="balance") == "place"
    if is_by_place and unit == "user":
        raise PorankError(
            "expected unit='session' with balance='place', because a user may see a pair at "
            "several positions, found unit='user'"
        )
    log = ClickLog.unweighed(log)
    by = ("user",) if unit == "user" else ()
    names = (*by, "preferred", "other", *PLACES * is_by_place)
    wanted = Wanted({"": rules_of(rule)}, names, by=by, wishes=["position"])
    return table_of(log.asked(wanted), wanted, unit)


def table_of(read: Log, wanted: Wanted, unit: str) -> EvidenceTable:
    """Return the evidence table of a log that was read, by position if positions are wanted."""
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
    """Return the rows of a tally of a log, and in how many units each of them occurs."""
    rows, sessions = tally.counted()
    return log.among_used(rows), np.ones_like(sessions) if "user" in rows else sessions


def stood_above(sessions: Sessions) -> tuple[Numbers, Numbers]:
    """Return pairs of entries of the same session such that the first is known to stand above."""
    if "position" not in sessions.rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    order = sessions.by_position
    order = order[~np.isnan(sessions.position[order])]
    session, position = sessions.session[order], sessions.position[order]
    _, below = run_bounds(session, position)
    _, end = run_bounds(session)
    return each_over(sessions, order, order, below, end)
