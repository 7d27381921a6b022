"""What is in a click log, what it says, and where it contradicts itself: a report for people."""

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


#: The least propensity that is believed, unless another is given.
_CLIP = 0.05
#: What is counted, what it is called in the table, and what is done about it.
_DECISIONS = (
    ("contradictions", "contradictions", "both directions are kept"),
    ("evenly_split", "evenly split", "neither side has a majority"),
    ("cyclic_components", "cyclic components", "groups of items joined by cycles"),
    ("net_cyclic_components", "cyclic majorities", "no ranking agrees with all majorities"),
    ("tied", "tied", "they stand in the denominator of a share"),
    ("both_bad", "both bad", "counted apart, and in no share"),
)


#: How cyclic more pairs than these are takes longer than all the rest, and is not told unasked.
_MANY_PAIRS = 100_000


@dataclass(frozen=True)
class FeedbackReport(Tabular):
    """The report of a click log, or of its preference graph, that `feedback_report` makes.

    Attributes
    ----------
    counts : LogCounts or None
        Sessions, events, items and what is odd in the log; None if only a graph was given.
    items : int
        How many items there are.
    pairs : int
        Pairs of items of which some session prefers one to the other.
    support : int or float
        How often they do, all sessions taken together.
    contradictions : int
        Pairs of which some sessions say one thing, and others the opposite.
    evenly_split : int
        Contradictions with as much on either side.
    cyclic_components, net_cyclic_components : int
        Strongly connected components that hold a cycle, of the graph of all preferences, each
        contradiction being a cycle, and of `net_preferences`. Loops do not count: they compare an
        item with no other.
    cycle : tuple or None
        The cycle of net preferences that `find_cycle` finds.
    cyclicity : Cyclicity or None
        How cyclic the net preferences are, and what share of them scores explain; None if there are
        more than 100,000 preferences, for which `cyclicity` takes longer than all the rest.
    never_compared : tuple
        The items that no session compares with any other.
    problems : tuple of Problem
        The rows that could not be used.
    tied, both_bad : int
        How often ratings and battles hold two items to be alike, or both to be bad.
    shape : LogShape or None
        What was taken for what in the log, if it was read here.

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
        """Return the report as a table: what was counted, how often, and what was decided.

        What never happened is not listed.
        """
        rows: list[tuple[str, object, str]] = [("items", self.items, "")]
        if self.counts is not None:
            columns = self.counts.to_table()
            rows = [(str(name), count, str(text)) for name, count, text in columns.rows]
        if self.shape is not None and not self.shape.is_plain:
            rows = [("read as", "", sentence) for sentence in self.shape.sentences()] + rows
        rows += [("pairs compared", self.pairs, ""), ("support", self.support, "")]
        found = [(called, getattr(self, name), text) for name, called, text in _DECISIONS]
        found.append(("problems", len(self.problems), "the rows are left out"))
        rows += [row for row in found if row[1]]
        if self.cycle is not None:
            rows.append(("cycle", len(self.cycle) - 1, listed(self.cycle, separator=" > ")))
        if self.cycle is not None and self.cyclicity is not None:
            rows.append(("to reverse", self.cyclicity.upper, _text_of(self.cyclicity)))
        if self.never_compared:
            remark = f"they stand alone: {listed(self.never_compared, limit=4)}"
            rows.append(("items never compared", len(self.never_compared), remark))
        return Table(("what", "count", "decision"), rows)


def _text_of(found: Cyclicity) -> str:
    """Return what a feedback report says of how cyclic net preferences are."""
    least = "" if found.is_exact else f", at least {cell_text(found.lower)}"
    removing = f"of {cell_text(found.total)} net{least}, to remove all cycles"
    return f"{removing}; scores explain {found.explained:.0%}"


def feedback_report(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    clip: float = _CLIP,
) -> FeedbackReport:
    """Return a report of a click log: what it holds, what it implies, where it contradicts itself.

    Parameters
    ----------
    log : ClickLog, what it takes, PreferencePairs, or DiGraph
        A log; or what `preference_pairs` or `from_log` made of one. Pairs
        may be counted by any groups, and are taken together. A graph does not know the log, so that
        nothing is said of events.
    rule, clip
        As for `preference_pairs`; only for a log.

    Returns
    -------
    FeedbackReport
        A frozen record that prints as a table, in a terminal and in a notebook: with sessions,
        events and items; what is odd in the log, how often, and what was decided; pairs,
        contradictions, cycles, and items never compared.

    Raises
    ------
    PorankError
        As by `preference_pairs`; if an option is given for what is no log; or if an edge of a graph
        has no ``support`` and ``against``.
    GraphTypeError
        If a graph is no DiGraph.

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
    -----------------------  -----  ---------------------------------------------------
    sessions                     4
    events                       9
    items                        4
    sessions without click       1  what they say depends on the rule; most say nothing
    not shown                    3  who clicks has seen: they count as clicked
    purchases without click      1  a purchase counts as a click
    pairs compared               3
    support                      5
    contradictions               1  both directions are kept
    cyclic components            1  groups of items joined by cycles
    items never compared         1  they stand alone: 'salt'

    Notes
    -----
    Time that of `from_log`, O(n + m) more, and that of `cyclicity` up to 100,000 preferences.
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
    """Raise an error if a feedback report of no log is given an option of reading one."""
    for name in (name for name, value in is_given.items() if value):
        raise PorankError(
            f"expected the option {name} with a log, found it with {a_kind(made)}, for which it "
            "was decided before"
        )


def report_of(
    items: Sequence[Item],
    evidence: PairEvidence,
    counts: LogCounts | None = None,
    *,
    problems: tuple[Problem, ...] = (),
    shape: LogShape | None = None,
) -> FeedbackReport:
    """Return the feedback report on the evidence of pairs, and on the log it was found in."""
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
    """Return the graph of some pairs that a feedback report looks at, without attributes."""
    return graph_of(items, lists_of_rows(len(items), sided.preferred, sided.other))
