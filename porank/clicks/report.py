"""A report on a click log: its size, its preferences, and its contradictions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.clicks.evidence import PreferencePairs, graph_of_evidence
from porank.clicks.feedback import read_evidence
from porank.clicks.preference_pairs import pairs_together
from porank.core.arrays import lists_of_rows
from porank.core.graphs import cyclic_components, graph_of, shortest_cycle
from porank.core.tables import Table, Tabular, cell_text
from porank.errors import PorankError, a_kind, listed
from porank.orders.cyclicity import Cyclicity, cyclicity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from porank.clicks.evidence import PairEvidence
    from porank.clicks.log import LogCounts
    from porank.clicks.sessions import Sessions
    from porank.clicks.shapes import LogShape
    from porank.core.files import Problem
    from porank.typing import Item


#: The default of `clip`.
_CLIP = 0.05
#: The attribute, its name in the table, and how it is handled.
_DECISIONS = (
    ("contradictions", "contradictions", "both directions are kept"),
    ("evenly_split", "evenly split", "neither side has a majority"),
    ("cyclic_components", "cyclic components", "groups of items joined by cycles"),
    ("net_cyclic_components", "cyclic majorities", "no ranking agrees with all majorities"),
    ("tied", "tied", "they count in the denominator of a share"),
    ("both_bad", "both bad", "counted separately, and in no share"),
)


#: With more pairs than this, cyclicity would take longer than all the rest, and is left out.
_MANY_PAIRS = 100_000


@dataclass(frozen=True)
class FeedbackReport(Tabular):
    """The report on a click log, or on its preference graph, as returned by `feedback_report`.

    Attributes
    ----------
    counts : LogCounts or None
        Sessions, events, items and quirks of the log; None for a graph.
    items : int
        Number of items.
    pairs : int
        Number of pairs of items of which some session prefers one to the other.
    support : int or float
        Number of preferences in all sessions, or the sum of their weights.
    contradictions : int
        Number of pairs on which sessions disagree.
    evenly_split : int
        Number of contradictions with equal support on both sides.
    cyclic_components, net_cyclic_components : int
        Number of strongly connected components with a cycle, in the graph of all preferences (in
        which each contradiction is a cycle) and in that of `net_preferences`. Loops are ignored.
    cycle : tuple or None
        The cycle of net preferences that `find_cycle` finds.
    cyclicity : Cyclicity or None
        How cyclic the net preferences are, and what share of them scores explain. None if there are
        more than 100,000 preferences, because `cyclicity` would take longer than all the rest.
    never_compared : tuple
        Items that no session compares with another.
    problems : tuple of Problem
        The bad rows.
    tied, both_bad : int
        How often ratings and battles find two items equally good, and both bad.
    shape : LogShape or None
        How the columns of the log were read, if it was read here.

    See Also
    --------
    feedback_report, describe

    Examples
    --------
    >>> import porank as po
    >>> log = {"session": [1, 1, 1, 2, 2], "item": list("abcab"),
    ...        "event": ["click", "view", "view", "view", "click"]}
    >>> report = po.feedback_report(log, rule="click_over_earlier_click")
    >>> report.pairs, report.never_compared
    (0, ('a', 'b', 'c'))
    >>> po.feedback_report(log).contradictions
    1
    """

    counts: LogCounts | None
    items: int
    pairs: int
    support: int | float
    contradictions: int
    evenly_split: int
    cyclic_components: int
    net_cyclic_components: int
    cycle: tuple[Item, ...] | None
    cyclicity: Cyclicity | None = field(compare=False)
    never_compared: tuple[Item, ...]
    problems: tuple[Problem, ...] = ()
    tied: int = 0
    both_bad: int = 0
    shape: LogShape | None = field(default=None, compare=False)

    def to_table(self) -> Table:
        """Return the report as a table with names, counts and decisions.

        Counts of 0 are not listed.
        """
        rows: list[tuple[str, object, str]] = [("items", self.items, "")]
        if self.counts is not None:
            columns = self.counts.to_table()
            rows = [(str(name), count, str(text)) for name, count, text in columns.rows]
        if self.shape is not None and not self.shape.is_plain:
            rows = [("read as", "", sentence) for sentence in self.shape.sentences()] + rows
        rows += [("pairs compared", self.pairs, ""), ("support", self.support, "")]
        found = [(called, getattr(self, name), text) for name, called, text in _DECISIONS]
        found.append(("problems", len(self.problems), "bad rows, which are skipped"))
        rows += [row for row in found if row[1]]
        if self.cycle is not None:
            rows.append(("cycle", len(self.cycle) - 1, listed(self.cycle, separator=" > ")))
        if self.cycle is not None and self.cyclicity is not None:
            rows.append(("to reverse", self.cyclicity.upper, _text_of(self.cyclicity)))
        if self.never_compared:
            remark = f"they are isolated: {listed(self.never_compared, limit=4)}"
            rows.append(("items never compared", len(self.never_compared), remark))
        return Table(("what", "count", "decision"), rows)


def _text_of(found: Cyclicity) -> str:
    """Return the remark of a feedback report on how cyclic the net preferences are."""
    least = "" if found.is_exact else f" (at least {cell_text(found.lower)})"
    removing = f"of a total margin of {cell_text(found.total)}{least}, to remove all cycles"
    return f"{removing}; scores explain {found.explained:.0%}"


def feedback_report(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    clip: float = _CLIP,
) -> FeedbackReport:
    """Return a report on a click log: its size, quirks, preferences, and contradictions.

    Parameters
    ----------
    log : ClickLog, table, path, PreferencePairs, or DiGraph
        A log, or the result of `preference_pairs` or `from_log`. Pairs of all groups are summed.
        For a graph, there are no counts of events.
    rule, clip
        As for `preference_pairs`; only for a log.

    Returns
    -------
    FeedbackReport
        Sessions, events and items; quirks of the log, with their counts and how they were handled;
        pairs, contradictions, cycles, and items that are never compared. It prints as a table, in a
        terminal and in a notebook.

    Raises
    ------
    PorankError
        As for `preference_pairs`; if an option is given without a log; or if an edge of a graph has
        no ``support`` or ``against``.
    GraphTypeError
        If a graph is not a DiGraph.

    See Also
    --------
    FeedbackReport, describe

    Examples
    --------
    >>> import porank as po
    >>> log = {
    ...     "session": [1, 1, 1, 1, 2, 2, 3, 3, 4],
    ...     "item": ["tea", "ham", "ham", "egg", "tea", "ham", "ham", "tea", "salt"],
    ...     "event": ["view", "view", "purchase", "click"] + ["click", "view"] * 2 + ["view"],
    ... }
    >>> print(po.feedback_report(log))
    what                     count  decision
    -----------------------  -----  --------------------------------
    sessions                     4
    events                       9
    items                        4
    sessions without click       1  most rules find no pairs in them
    not shown                    3  clicked items count as shown
    purchases without click      1  a purchase counts as a click
    pairs compared               3
    support                      5
    contradictions               1  both directions are kept
    cyclic components            1  groups of items joined by cycles
    items never compared         1  they are isolated: 'salt'

    Notes
    -----
    Time as for `from_log`, plus O(n + m), plus `cyclicity` for up to 100,000 preferences.
    """
    if isinstance(log, (PreferencePairs, nx.Graph)):
        _refuse_options(log, rule=rule != "levels", clip=clip != _CLIP)
    else:
        log = pairs_together(log, rule=rule, clip=clip)
    if isinstance(log, PreferencePairs):
        problems, shape = log.problems, log.shape
        return report_of(log.items, log.evidence(), log.counts, problems=problems, shape=shape)
    evidence = read_evidence(log)
    return report_of(list(log), evidence, problems=tuple(log.graph.get("problems", ())))


def _refuse_options(made: Any, **is_given: bool) -> None:
    """Raise an error if a feedback report on pairs or a graph gets an option for reading a log."""
    for name in (name for name, value in is_given.items() if value):
        raise PorankError(
            f"expected a log with the option {name}, found {a_kind(made)}; pass {name} to the "
            "function that made it"
        )


def report_of(
    items: Sequence[Item],
    evidence: PairEvidence,
    counts: LogCounts | None = None,
    *,
    problems: tuple[Problem, ...] = (),
    shape: LogShape | None = None,
) -> FeedbackReport:
    """Return the feedback report on evidence of pairs, and on the log that it comes from."""
    both = evidence.both_ways()
    sided = both.take(both.support > 0)
    net = _graph_of(items, sided.take(sided.support > sided.against))
    contradictions = int(np.count_nonzero(sided.against > 0)) // 2
    weights = sided.support.tolist()
    compared = {*both.preferred[np.any(both[2:], axis=0)].tolist()}
    cycle = shortest_cycle(net)
    return FeedbackReport(
        counts=counts,
        items=len(items),
        pairs=len(weights) - contradictions,
        support=math.fsum(weights) if float in set(map(type, weights)) else sum(weights),
        contradictions=contradictions,
        evenly_split=int(np.count_nonzero(sided.support == sided.against)) // 2,
        cyclic_components=sum(1 for _ in cyclic_components(_graph_of(items, sided))),
        net_cyclic_components=sum(1 for _ in cyclic_components(net)),
        cycle=None if cycle is None else tuple(cycle),
        cyclicity=(
            cyclicity(graph_of_evidence(items, evidence), weight="support")
            if len(weights) <= _MANY_PAIRS
            else None
        ),
        never_compared=tuple(item for k, item in enumerate(items) if k not in compared),
        problems=problems,
        tied=int(evidence.tied.sum()),
        both_bad=int(evidence.both_bad.sum()),
        shape=shape,
    )


def _graph_of(items: Sequence[Item], sided: PairEvidence) -> nx.DiGraph:
    """Return the graph of some pairs of a feedback report, without attributes."""
    return graph_of(items, lists_of_rows(len(items), sided.preferred, sided.other))
