"""What a comparison of systems tells: significant differences, their order, and tables.

`SystemComparison`. In tables systems have numbers, so that there are marks for any number of them.

A may be surely better than B and B than C, and A not surely better than C: what is significant need
not be transitive. Where all is about means over the same groups, which are numbers on a line, and
the probability of any false finding is controlled, it is closed: from true statements true ones
follow. Elsewhere nothing is closed. What is found may even be cyclic where better means ahead more
often.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.convert.notation import format_order
from porank.core.graphs import cyclic_components, in_order, item_key, shortest_cycle
from porank.core.tables import Table, Tabular
from porank.errors import CycleError, NotApplicableError, PorankError, counted, listed
from porank.evaluation.result import statuses_text
from porank.orders.closure import transitive_closure
from porank.orders.ranks import rank_intervals
from porank.significance.paired import PROCEDURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from porank.evaluation.result import Evaluation
    from porank.significance.paired import PairedDifference
    from porank.typing import Item


#: Columns of the table of differences: the measure, and the fields of a `PairedDifference`.
_MEANS = ("measure", "better", "worse", "difference", "low", "high", "p-value", "adjusted")
_DIFFERENCES = (*_MEANS, "effect size", "superiority", "wins", "ties", "losses")
#: Why nothing follows from differences of systems that miss some groups.
_OTHER_GROUPS = "systems are compared on different groups"
_SAME_GROUPS = (
    "missing='at random' asserts that these are as good as the same, missing='drop' keeps those "
    "that all have"
)


@dataclass(frozen=True, eq=False, repr=False)
class SystemComparison(Tabular):
    """The comparison of systems that `compare_systems` returns.

    It prints as a table: a row for each system, and for each measure its mean and the numbers of
    the systems that it is significantly better than, and the ranks that it may have where these
    are known. Whatever was left out, and whatever keeps the differences from being an order, stands
    below.

    Attributes
    ----------
    systems : tuple
        The names of the systems, as given.
    measures : tuple of str
        The columns of measures.
    better : dict
        Measure -> "higher" or "lower".
    means : dict
        Measure -> system -> mean over the groups that all systems have a value for.
    pairs : dict
        Measure -> how any two systems differ, a tuple of `PairedDifference`: ``first`` and
        ``second``, the better first, ``difference``, ``low``, ``high``, ``p_value``, ``adjusted``,
        ``effect_size``, ``superiority``, ``wins``, ``ties``, ``losses``.
    groups, left_out : dict
        Measure -> how many groups were compared, and how many were not.
    reasons : dict
        Measure -> system -> {status: how many groups without a value have it}.
    uneven : dict
        Measure -> in how many groups the systems were compared on different numbers of items.
    test, correction : str
        How differences were tested, and p-values adjusted.
    samples : int
        How often signs are thrown at most.
    significance : float
        A difference is significant if its adjusted p-value is at most this.
    evaluations : dict
        System -> its evaluation, which has not kept the data if `compare_systems` made it; empty
        where there was none.
    missing : {"drop", "pairwise", "at random"}
        Whether groups that some system has no value for were left out, or any two systems compared
        on the groups that both have, these being others or, as is asserted, as good as the same.
    unit : str
        What a group is called.
    cluster : str or None
        The column whose values tell the clusters of groups that share their signs.
    settled : DiGraph or None
        Of battles, what `settled_order` makes of them.

    See Also
    --------
    compare_systems, compare_evaluations, draw_systems

    Examples
    --------
    >>> import porank as po
    >>> target = {user: {"a": 3, "b": 2, "c": 1} for user in range(8)}
    >>> good = {user: {"a": 9, "b": 5, "c": user % 2} for user in range(8)}
    >>> poor = {user: {"a": user % 4, "b": 2, "c": 3} for user in range(8)}
    >>> found = po.compare_systems(target, {"good": good, "poor": poor}, measures="kendall_tau")
    >>> print(found)
    kendall_tau: 8 groups; randomization test, max-T, level 0.05
    number  system  kendall_tau  better than  ranks
    ------  ------  -----------  -----------  -----
         1  good              1  2            1
         2  poor        -0.7041               2
    >>> found.pairs["kendall_tau"][0].p_value, list(found.order().edges)
    (0.0078125, [('good', 'poor')])

    Notes
    -----
    Memory of a few numbers for each measure and pair of systems, beside the evaluations.
    """

    systems: tuple[Any, ...]
    measures: tuple[str, ...]
    better: dict[str, str]
    means: dict[str, dict[Any, float]]
    pairs: dict[str, tuple[PairedDifference, ...]]
    groups: dict[str, int]
    left_out: dict[str, int]
    reasons: dict[str, dict[Any, dict[str, int]]]
    uneven: dict[str, int]
    test: str
    correction: str
    samples: int
    significance: float
    evaluations: dict[Any, Evaluation]
    missing: str = "drop"
    unit: str = "group"
    cluster: Any = None
    settled: nx.DiGraph | None = None

    def __repr__(self) -> str:
        systems, measures = len(self.systems), ", ".join(self.measures)
        return f"<SystemComparison: {counted(systems, 'system')}, {measures}>"

    def significant(self, measure: str | None = None) -> nx.DiGraph:
        """Return the graph of significant differences, each edge leading from the better system.

        Edges have the attributes ``difference`` and ``p_value``, which is the adjusted one. The
        graph is as the tests found it: it may lack an edge that a chain of others would imply.
        """
        G = nx.DiGraph()
        G.add_nodes_from(self.systems)
        for each in self.pairs[self.require_measure(measure)]:
            if each.adjusted <= self.significance:
                attributes = {"difference": each.difference, "p_value": each.adjusted}
                G.add_edge(each.first, each.second, **attributes)
        return G

    def order(self, measure: str | None = None) -> nx.DiGraph:
        """Return the order of the systems by significant differences.

        If max-T or Holm's procedure controls familywise error, on means over the same groups, all
        findings are true at once at the level, and so is whatever follows: the order is closed.
        Edges have the attribute ``added`` beside those of `significant`: whether they only
        follow. Of battles it is the settled order: closed, but for pairs on cycles, which are left
        open.

        Raises
        ------
        CycleError
            If the differences have a cycle, which no means over the same groups can have.
        NotApplicableError
            If they are not transitive and cannot be closed: with another correction, or if systems
            are compared on different groups. `broken` tells where, and `significant` gives the
            graph.
        """
        chosen = self.require_measure(measure)
        if self.settled is not None:
            return self._closed(self.settled.copy(), chosen)
        G, cycle = self.significant(chosen), self.find_cycle(chosen)
        way_out = f"significant({chosen!r}) is the graph of the differences as they are"
        if cycle is not None:
            raise CycleError(
                f"expected an order of systems, found the cycle {listed(cycle, separator=' > ')} "
                f"of significant differences in {chosen!r}",
                cycle=cycle,
                hint=way_out,
            )
        why = self._why_open()
        for u, v, w in _broken_chains(G)[:1] if why else ():
            raise NotApplicableError(
                f"expected transitive significant differences, found {u!r} > {v!r} > {w!r} in "
                f"{chosen!r} and no significant difference of {u!r} and {w!r}, which does not "
                f"follow: {why}",
                hint=_SAME_GROUPS if why == _OTHER_GROUPS else way_out,
            )
        order = transitive_closure(G)
        for u, v, data in order.edges(data=True):
            data["added"] = not G.has_edge(u, v)
        return self._closed(order, chosen)

    def rank_sets(self, measure: str | None = None) -> dict[Item, tuple[int, int]]:
        """Return for each system the best and the worst rank that it may have.

        If errors are symmetric, all of them hold at once with a probability of at least
        1 - significance, however systems of equal means are ranked; if they are skewed, about as
        often in most simulations, but not if one system has errors much larger and more skewed than
        the others (see `compare_systems`). They are the `rank_intervals` of the order.

        Raises
        ------
        CycleError, NotApplicableError
            As `order`; and wherever what is found cannot be closed, since it may then be false.
        """
        why = self._why_open()
        if why:
            raise NotApplicableError(
                "expected means over the same groups, and familywise error controlled, for sets of "
                f"ranks that hold all at once, found that {why}",
                hint=_SAME_GROUPS if why == _OTHER_GROUPS else "",
            )
        return rank_intervals(self.order(measure))

    def rank_sets_or_none(self, measure: str | None = None) -> dict[Item, tuple[int, int]] | None:
        """Return `rank_sets`, or None where they do not hold all at once."""
        try:
            return self.rank_sets(measure)
        except (CycleError, NotApplicableError):
            return None

    def _why_open(self) -> str:
        """Return why nothing follows from significant differences, empty if it does."""
        if self.test == "sign":
            return "being ahead more often may form a cycle"
        if self.correction not in ("max-t", "holm"):
            return f"with {PROCEDURES[self.correction]} some findings may be false"
        return _OTHER_GROUPS if self.missing == "pairwise" else ""

    def _closed(self, order: nx.DiGraph, measure: str) -> nx.DiGraph:
        """Return a closed order of the systems with the difference of each two."""
        known = {frozenset((each.first, each.second)): each for each in self.pairs[measure]}
        for u, v, data in order.edges(data=True):
            each = known[frozenset((u, v))]
            towards = each.difference if each.first == u else 0.0 - each.difference
            data.update(difference=towards, p_value=each.adjusted)
        return order

    def decided(self, measure: str | None = None) -> nx.DiGraph:
        """Return the order of the systems, or the significant differences if they are none."""
        try:
            return self.order(measure)
        except (CycleError, NotApplicableError):
            return self.significant(measure)

    def broken(self, measure: str | None = None) -> list[tuple[Item, Item, Item]]:
        """Return (u, v, w) for each u and w that do not differ although u > v > w do.

        Where what follows is added, or left open, as of battles, there is none.
        """
        return [] if self.settled is not None else _broken_chains(self.significant(measure))

    def opened(self, measure: str | None = None) -> int:
        """Return how many significant differences lie on cycles of battles, and are left open."""
        order, found = self.settled, self.significant(measure)
        return 0 if order is None else sum(not order.has_edge(*edge) for edge in found.edges)

    def find_cycle(self, measure: str | None = None) -> list[Item] | None:
        """Return a shortest cycle of significant differences, or None if there is none."""
        return shortest_cycle(self.significant(measure))

    def require_measure(self, measure: str | None) -> str:
        """Return the measure of a comparison; the only one if it is None."""
        if measure is None and len(self.measures) == 1:
            return self.measures[0]
        if measure not in self.measures or measure is None:
            raise PorankError(
                f"expected one of {listed(self.measures)} as measure, found {measure!r:.80}"
            )
        return measure

    def differences(self, measure: str | None = None) -> Table:
        """Return a row for each pair of systems, of one measure or of all."""
        chosen = self.measures if measure is None else (self.require_measure(measure),)
        rows = [(name, *each) for name in chosen for each in self.pairs[name]]
        return Table(_DIFFERENCES, rows, title=f"{self._heads(chosen)}; {self._how()}")

    def notes(self) -> list[str]:
        """Return in sentences what was left out, and what keeps differences from being an order."""
        return [f"{measure}: {note}" for measure in self.measures for note in self._notes(measure)]

    def _notes(self, measure: str) -> Iterator[str]:
        """Yield what is to be said of one measure."""
        if self.left_out[measure]:
            counts = self.reasons[measure].items()
            why = "; ".join(f"{system}: {statuses_text(each)}" for system, each in counts if each)
            yield f"{counted(self.left_out[measure], self.unit)} left out ({why})"
        if self.uneven[measure]:
            yield (
                "systems compared on different numbers of items in "
                f"{counted(self.uneven[measure], self.unit)}; the option items (target), or "
                "for lists unlisted (unretrieved), evens them"
            )
        yield from self._notes_on_rows(measure)
        G = self.significant(measure)
        for component in _components(G):
            cycle = shortest_cycle(G.subgraph(component)) or []
            yield f"a cycle, {' > '.join(map(str, cycle))}"
        decided = self.decided(measure).edges(data="added")
        if added := [f"{u} > {w}" for u, w, follows in decided if follows]:
            yield f"not significant, but follows: {few(sorted(added))}"
            return
        for u, v, w in self.broken(measure):
            yield f"not transitive, {u} > {v} > {w}, but no significant difference of {u} and {w}"

    def _notes_on_rows(self, measure: str) -> Iterator[str]:
        """Yield what systems that were compared on different groups have in common."""
        if self.missing == "drop":
            return
        joined = nx.empty_graph(self.systems)
        shared = {(each.first, each.second): each.groups for each in self.pairs[measure]}
        joined.add_edges_from(pair for pair, groups in shared.items() if groups)
        groups = self.groups[measure]
        least, most = (end(filter(None, shared.values()), default=0) for end in (min, max))
        if 0 < least < groups:
            ends = f"{least:,} to {most:,}" if least < most else f"{most:,}"
            yield f"systems compared on what both have, {ends} of {groups:,}"
        components = [joined.subgraph(part) for part in nx.connected_components(joined)]
        if len(components) > 1:
            parts = sorted(", ".join(map(str, in_order(part))) for part in components)
            yield f"never compared, not even by a chain of others: {few(parts)}"
        pairs = chain.from_iterable(map(nx.non_edges, components))
        if apart := sorted(" and ".join(map(str, in_order(pair))) for pair in pairs):
            yield f"compared by chains of others alone: {few(apart)}"

    def to_table(self) -> Table:
        """Return the means: for each system its number, its name, and for each measure marks."""
        columns = ["number", "system"]
        cells: list[Iterable[Any]] = [range(1, len(self.systems) + 1), map(str, self.systems)]
        for measure in self.measures:
            columns += [measure, "better than"]
            cells += [self.means[measure].values(), map(numbered, self._marks(measure))]
            ranks = self.rank_sets_or_none(measure)
            if ranks is not None:
                columns.append("ranks")
                ends = (sorted({best, worst}) for best, worst in ranks.values())
                cells.append(["-".join(map(str, each)) for each in ends])
        title = f"{self._heads(self.measures)}; {self._how()}"
        if self.settled is not None:
            said = format_order(self.settled)
            if not self.settled.number_of_edges():
                is_chance = not self.settled.graph["cyclic_components"]
                said = "nothing" + ", all may be chance" * is_chance
            title = f"settled: {said} ({title})"
        return Table(columns, list(zip(*cells, strict=True)), title=title)

    def _marks(self, measure: str) -> list[list[int]]:
        """Return for each system the numbers, from 1, of those that it is surely better than."""
        G = self.decided(measure)
        number = {system: place for place, system in enumerate(self.systems, start=1)}
        return [sorted(map(number.__getitem__, G.successors(system))) for system in self.systems]

    def _heads(self, measures: Iterable[str]) -> str:
        """Return in words how many groups systems are compared on, measure by measure."""
        return "; ".join(f"{each}: {counted(self.groups[each], self.unit)}" for each in measures)

    def _how(self) -> str:
        """Return in words how differences of systems were tested."""
        by = "" if self.cluster is None else f" by {self.cluster}"
        test, procedure = f"{self.test} test{by}", PROCEDURES.get(self.correction, "Tarone-Holm")
        return f"{test}, {procedure}, level {self.significance:g}"

    def to_csv(self) -> str:
        """Return the differences as CSV, every number in full."""
        return self.differences().to_csv()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.differences().__arrow_c_stream__(requested_schema)


def few(texts: Sequence[str], limit: int = 8) -> str:
    """Return the first of the notes of a comparison of systems as a text."""
    more = len(texts) - limit
    return "; ".join([*texts[:limit], *([f"{more:,} more"] if more > 0 else [])])


def _components(G: nx.DiGraph) -> list[list[Any]]:
    """Return the systems on cycles of significant differences, by strongly connected component."""
    components = map(in_order, cyclic_components(G))
    return sorted(components, key=lambda component: [item_key(system) for system in component])


def _broken_chains(G: nx.DiGraph) -> list[tuple[Any, Any, Any]]:
    """Return each chain of systems u, v, w whose ends do not differ significantly."""
    found: dict[tuple[Any, Any], Any] = {}
    for v in sorted(G, key=item_key):
        for u in G.predecessors(v):
            for w in G.successors(v):
                if u != w and not G.has_edge(u, w) and not G.has_edge(w, u):
                    found.setdefault((u, w), v)
    chains = [(u, v, w) for (u, w), v in found.items()]
    return sorted(chains, key=lambda chain: [item_key(system) for system in chain])


def numbered(numbers: Iterable[int]) -> str:
    """Return the numbers of beaten systems as a text, runs of three and more as their ends."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs]
    return ",".join(texts)
