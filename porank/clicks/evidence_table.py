"""Evidence of each pair of items in one table: how many sessions, or users, prefer which item.

`evidence_table` makes an `EvidenceTable`.

Idea: *a unit counts once for each pair and direction.* Preferences, ties, and which item stood
above are all counted in the same way, as pairs of numbers, and then joined.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import PairEvidence, Tally, evidence_of, graph_of_evidence, tally_of
from porank.clicks.rules import each_over, rules_of
from porank.clicks.statements import UNITS, ask
from porank.core.arguments import require_one_of
from porank.core.arrays import labels_as_array, run_bounds
from porank.core.tables import Columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import networkx as nx
    from numpy.typing import NDArray

    from porank.clicks.log import Log
    from porank.clicks.quirks import LogCounts
    from porank.clicks.sessions import Rows, Sessions
    from porank.core.files import Problem
    from porank.typing import Item, Numbers


@dataclass(frozen=True, eq=False, repr=False)
class EvidenceTable(Columns):
    """The evidence of each pair of items in columns, as returned by `evidence_table`.

    Attributes
    ----------
    columns : dict of arrays
        ``u`` and ``v``, two items; ``support``, the number of units that prefer u to v;
        ``against``, the number that prefer v to u; ``ties``, the number that find them equal; ``u_above`` and
        ``v_above``, the numbers of units in which u stood above v, and v above u.
    items : list
        All items of the log, including those without a pair.
    unit : {"session", "user"}
        The unit that is counted.
    counts : LogCounts
        Size of the log, and how often it has each quirk.
    problems : tuple of Problem
        The bad rows.

    See Also
    --------
    evidence_table

    Examples
    --------
    >>> import porank as po
    >>> log = {"session": [1, 1], "item": ["tea", "milk"], "event": ["view", "click"]}
    >>> table = po.evidence_table(log)
    >>> len(table), table["support"].tolist(), table["against"].tolist()
    (1, [0], [1])
    """

    columns: dict[str, NDArray[Any]]
    items: list[Item]
    unit: str
    counts: LogCounts
    problems: tuple[Problem, ...] = ()

    def to_graph(self) -> nx.DiGraph:
        """Return the graph with an edge u -> v if a unit prefers u to v.

        Edges have ``support`` and ``against``, as in `from_log`.
        """
        return graph_of_evidence(self.items, self.evidence())

    def evidence(self) -> PairEvidence:
        """Return the counts by the numbers of items."""
        number = {item: place for place, item in enumerate(self.items)}
        u, v = (np.array([number[item] for item in self[side].tolist()], int) for side in "uv")
        return PairEvidence(u, v, self["support"], self["against"], self["ties"], np.zeros_like(u))

    def pairs(self) -> Iterator[tuple[Item, Item]]:
        """Yield the two items of each row."""
        return zip(self["u"].tolist(), self["v"].tolist(), strict=True)


def evidence_table(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    unit: str = "session",
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

    Returns
    -------
    EvidenceTable
        A row for each pair of items that some unit compares; u is the item that appears first in
        the log. It prints as a table. If an item stood at several positions in a list, the highest
        one counts. If the log has no positions, the counts of ``u_above`` and ``v_above`` are 0.

    Raises
    ------
    PorankError
        As for `preference_pairs`.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    preference_pairs, from_log, settled_order

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
    u    v     support  against  ties  u_above  v_above
    ---  ----  -------  -------  ----  -------  -------
    tea  milk        1        2     0        2        1

    Notes
    -----
    Time and memory as `preference_pairs` would need for all pairs of items shown in the same list.
    """
    require_one_of(unit, UNITS, name="unit")
    by = ("user",) if unit == "user" else ()
    rules, names = rules_of(rule), (*by, "preferred", "other")
    read = ClickLog.of(log).read([name for one in rules for name in one.needs], by=by)
    asked = ask(read, rules, by)
    stated, above = tally_of(asked, rules, names), Tally(names, is_merged=True)
    for sessions in asked.sessions():
        entries = dict(zip(("preferred", "other"), _stood_above(sessions), strict=True))
        rows = {name: sessions.item[entries[name]] for name in entries}
        rows |= {name: sessions.first_of_entries(name)[entries["preferred"]] for name in by}
        above.add({name: rows[name] for name in names})
    items = read.items()
    found, stood = (evidence_of(len(items), *_units_of(read, each)) for each in (stated, above))
    found = found.take(found.support + found.against + found.tied > 0)
    compared, placed = (one.preferred * len(items) + one.other for one in (found, stood))
    _, here, there = np.intersect1d(compared, placed, assume_unique=True, return_indices=True)
    u_above, v_above = np.zeros((2, found.other.size), dtype=np.int64)
    u_above[here], v_above[here] = stood.support[there], stood.against[there]
    labels = labels_as_array(items)
    columns = {
        "u": labels.take(found.preferred),
        "v": labels.take(found.other),
        "support": found.support,
        "against": found.against,
        "ties": found.tied,
        "u_above": u_above,
        "v_above": v_above,
    }
    return EvidenceTable(columns, items, unit, read.counts, asked.problems)


def _units_of(log: Log, tally: Tally) -> tuple[Rows, NDArray[Any]]:
    """Return the rows of a tally of a log, and in how many units each of them occurs."""
    rows, sessions = tally.counted()
    return log.among_used(rows), np.ones_like(sessions) if "user" in rows else sessions


def _stood_above(sessions: Sessions) -> tuple[Numbers, Numbers]:
    """Return pairs of entries of the same list such that the first is known to stand above."""
    if "position" not in sessions.rows:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    order = sessions.by_position
    order = order[~np.isnan(sessions.position[order])]
    number, position = sessions.list[order], sessions.position[order]
    _, below = run_bounds(number, position)
    _, end = run_bounds(number)
    return each_over(sessions, order, order, below, end)
