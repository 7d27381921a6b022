"""What is in a click log: its size, its quirks, its preferences, and their contradictions.

`contents_of` makes `LogContents`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from porank.core.arrays import lists_of_rows
from porank.core.graphs import graph_of, shortest_cycle
from porank.core.tables import Table, Tabular
from porank.errors import listed

if TYPE_CHECKING:
    from porank.clicks.evidence import PairEvidence
    from porank.clicks.log_formats import LogFormat
    from porank.clicks.quirks import LogCounts
    from porank.clicks.statements import Statements
    from porank.core.files import Problem
    from porank.typing import Item


@dataclass(frozen=True, repr=False)
class LogContents(Tabular):
    """What is in a click log, as a report lists it.

    Attributes
    ----------
    counts : LogCounts
        Sessions, events, items and quirks of the log.
    items : int
        Number of items.
    pairs : int
        Number of pairs of items of which some session prefers one to the other.
    support : int
        Number of preferences in all sessions.
    contradictions : int
        Number of pairs on which sessions disagree.
    cycle : tuple or None
        The cycle of net preferences that `find_cycle` finds.
    never_compared : tuple
        Items that no session compares with another.
    problems : tuple of Problem
        The bad rows.
    tied, both_bad : int
        How often ratings and battles find two items equally good, and both bad.
    format : LogFormat or None
        How the columns of the log were read.

    Examples
    --------
    >>> import porank as po
    >>> log = {"session": [1, 1, 1, 2, 2], "item": list("abcab"),
    ...        "event": ["click", "view", "view", "view", "click"]}
    >>> contents = po.explore(log).contents
    >>> contents.pairs, contents.contradictions, contents.never_compared
    (2, 1, ())
    """

    counts: LogCounts
    items: int
    pairs: int
    support: int
    contradictions: int
    cycle: tuple[Item, ...] | None
    never_compared: tuple[Item, ...]
    problems: tuple[Problem, ...] = ()
    tied: int = 0
    both_bad: int = 0
    format: LogFormat | None = field(default=None, compare=False)

    def to_table(self) -> Table:
        """Return the report as a table with names, counts and decisions.

        Counts of 0 are not listed.
        """
        columns = self.counts.to_table()
        rows: list[tuple[str, object, str]]
        rows = [(str(name), count, str(text)) for name, count, text in columns.rows]
        if self.format is not None and not self.format.is_plain:
            rows = [("read as", "", sentence) for sentence in self.format.sentences()] + rows
        rows += [("pairs compared", self.pairs, ""), ("statements", self.support, "")]
        lines = f"lines {listed(dict.fromkeys(each.line for each in self.problems), limit=4)}"
        isolated = f"they are isolated: {listed(self.never_compared, limit=4)}"
        found = [
            ("tied", self.tied, "they count in the denominator of a share"),
            ("both bad", self.both_bad, "counted separately, and in no share"),
            ("problems", len(self.problems), f"bad rows are skipped, bad cells missing: {lines}"),
            ("items never compared", len(self.never_compared), isolated),
        ]
        return Table(("what", "count", "decision"), rows + [row for row in found if row[1]])


def contents_of(statements: Statements, evidence: PairEvidence) -> LogContents:
    """Return what is in a log, and how the evidence of its pairs contradicts itself."""
    items, log = statements.items, statements.log
    both = evidence.both_ways()
    sided = both.take(both.support > 0)
    majorities = sided.take(sided.support > sided.against)
    net = graph_of(items, lists_of_rows(len(items), majorities.preferred, majorities.other))
    contradictions = int(np.count_nonzero(sided.against > 0)) // 2
    compared = {*both.preferred[np.any(both[2:], axis=0)].tolist()}
    cycle = shortest_cycle(net)
    return LogContents(
        counts=log.counts,
        items=len(items),
        pairs=sided.support.size - contradictions,
        support=int(sided.support.sum()),
        contradictions=contradictions,
        cycle=None if cycle is None else tuple(cycle),
        never_compared=tuple(item for k, item in enumerate(items) if k not in compared),
        problems=statements.problems,
        tied=int(evidence.tied.sum()),
        both_bad=int(evidence.both_bad.sum()),
        format=log.format(),
    )
