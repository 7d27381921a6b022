"""The result of comparing systems: significant differences, their order, and tables.

`SystemComparison`. In tables, systems are numbered, so each can list the systems it is better than.

Significant differences need not be transitive: A can be significantly better than B, and B than C,
but A not than C. If differences are those of means over the same groups, and the probability of any
false finding is controlled, we take the closure: if all findings are true, everything that follows
from them is true. Otherwise we do not: if systems are compared on different groups, findings can
even be cyclic.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import require_one_of
from porank.core.graphs import cyclic_components, graph_of, in_order, item_key, shortest_cycle
from porank.core.tables import Rows, Table
from porank.errors import CycleError, NotApplicableError, PorankError, counted, listed, quoted
from porank.evaluation.result import statuses_text
from porank.orders.closure import transitive_closure
from porank.orders.open_pairs import Reason, Reasons
from porank.orders.ranks import rank_intervals
from porank.significance.paired_differences import Trial, lacking_by_ends
from porank.significance.several_measures import dominance_order, read_margins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from porank.significance.paired_differences import Paired, PairedDifference
    from porank.typing import Item


#: Columns of the table of differences: the measure and the fields of a `PairedDifference`.
_MEANS = ("measure", "better", "worse", "difference", "low", "high", "p-value", "adjusted")
_DIFFERENCES = (*_MEANS, "effect size", "superiority", "wins", "ties", "losses", "rests on")
#: Reason why the closure is not valid if values are missing.
_OTHER_GROUPS = "systems are compared on different groups"
_SAME_GROUPS = (
    "missing='at random' assumes that this makes no difference, missing='drop' uses only those "
    "that all have"
)


@dataclass(frozen=True, eq=False, repr=False)
class SystemComparison(Rows):
    """The result of comparing systems by `compare_systems`, `compare_scores` and others.

    It prints as a table with a row for each system. For each measure it has the mean, the numbers
    of the systems that it is significantly better than, and, if they are known, the ranks that it
    can have. Notes below the table report what was left out, and why differences are not an order.

    Attributes
    ----------
    systems : tuple
        Names of the systems.
    measures : tuple of str
        Names of the measures.
    better : dict
        Mapping from measures to "higher" or "lower".
    means : dict
        Mapping from measures to the mean of each system over the compared groups.
    pairs : dict
        Mapping from measures to a tuple with a `PairedDifference` for each two systems, with the
        fields ``first`` (the better system), ``second``, ``difference``, ``low``, ``high``,
        ``p_value``, ``adjusted``, ``effect_size``, ``superiority``, ``wins``, ``ties``,
        ``losses`` and ``rests_on``.
    groups, left_out : dict
        Mappings from measures to the numbers of groups that were compared and left out.
    statuses : dict
        Mapping from measures and systems to the number of groups without a value for each status.
    uneven : dict
        Mapping from measures to the number of groups in which the systems were compared on
        different numbers of items.
    missing : {"drop", "pairwise", "at random"}
        How missing values were treated; see `compare_scores`.
    unit : str
        Name of a group in the notes.
    cluster : str or None
        Column of the clusters of groups that share a random sign.
    remarks : tuple of str
        How a table of scores was read, if that is not obvious.
    paired, clusters, trial
        The values of each measure, the clusters of their groups, and the settings of the tests:
        ``trial.risk``, ``trial.samples`` and ``trial.seed``.

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
    kendall_tau: 8 groups; randomization test, max-T, risk 0.05
    number  system  kendall_tau  better than  ranks
    ------  ------  -----------  -----------  -----
         1  good              1  2            1
         2  poor        -0.7041               2
    >>> found.pairs["kendall_tau"][0].p_value, list(found.order().edges)
    (0.0078125, [('good', 'poor')])

    Notes
    -----
    It stores a few numbers for each measure and pair of systems.
    """

    systems: tuple[Any, ...]
    measures: tuple[str, ...]
    better: dict[str, str]
    means: dict[str, dict[Any, float]]
    pairs: dict[str, tuple[PairedDifference, ...]]
    groups: dict[str, int]
    left_out: dict[str, int]
    statuses: dict[str, dict[Any, dict[str, int]]]
    uneven: dict[str, int]
    missing: str = "drop"
    unit: str = "group"
    cluster: Any = None
    remarks: tuple[str, ...] = ()
    paired: Mapping[str, Paired] = field(default_factory=dict, repr=False)
    clusters: Sequence[Any] = ()
    trial: Trial = field(default_factory=Trial)

    @property
    def risk(self) -> float:
        """Maximum adjusted p-value at which a difference is significant."""
        return float(self.trial.risk)

    def significant(self, measure: str | None = None) -> nx.DiGraph:
        """Return the graph of significant differences, with edges from the better system.

        Edges have the attributes ``difference``, ``p_value``, which is adjusted, and ``rests_on``.
        The graph contains only the findings of the tests, so it need not be transitive.
        """
        G = graph_of(self.systems)
        for each in self.pairs[self.require_measure(measure)]:
            if each.adjusted <= self.risk:
                attributes = {"difference": each.difference, "p_value": each.adjusted}
                G.add_edge(each.first, each.second, **attributes, rests_on=each.rests_on)
        return G

    def order(
        self, measure: str | None = None, *, measures: str | None = None, margin: Any = 0
    ) -> nx.DiGraph:
        """Return the order of the systems by significant differences.

        With ``measures="all"``, u is above v if u is better by one measure and not worse, by more
        than its margin, by any. `margin` is a number, or a mapping from measures to numbers, and
        the intervals of all measures hold together. The `maximal_items` of this order are the
        Pareto front that the values allow. An added pair may be worse by the margins of a chain.

        `open_pairs` says why other pairs are open: for one measure, a pair is equal enough if its
        interval lies within the margin.

        The order is the transitive closure of the significant differences. This is valid for means
        over the same groups: if all findings are true, so is everything that follows from them. In
        addition to the attributes of `significant`, edges have ``added``, which is true if they
        only follow from others.

        Raises
        ------
        CycleError
            If the differences have a cycle. This is impossible for means over the same groups.
        NotApplicableError
            If the differences are not transitive, and systems are compared on different groups, so
            that the closure is not valid. `broken` lists such differences.
        """
        if measures is not None:
            require_one_of(measures, ("all",), name="measures")
            if measure is not None:
                raise PorankError(f"expected measure={measure!r} or measures='all', found both")
            if len(self.systems) < 2:
                return self.order(next(iter(self.paired)))
            return dominance_order(
                {name: each.values for name, each in self.paired.items()},
                self.trial,
                systems=self.systems,
                better=self.better,
                clusters=self.clusters,
                margin=margin,
            )
        chosen = self.require_measure(measure)
        G, cycle = self.significant(chosen), self.find_cycle(chosen)
        way_out = f"significant({chosen!r}) returns the graph of significant differences"
        if cycle is not None:
            raise CycleError(
                f"expected an order of systems, found the cycle {listed(cycle, separator=' > ')} "
                f"of significant differences in {chosen!r}",
                cycle=cycle,
                hint=way_out,
            )
        for u, v, w in _broken_chains(G)[:1] if self.missing == "pairwise" else ():
            raise NotApplicableError(
                f"expected transitive significant differences, found {quoted(u)} > {quoted(v)} > "
                f"{quoted(w)} in {chosen!r} but no significant difference between {quoted(u)} and "
                f"{quoted(w)}, and it does not follow, because {_OTHER_GROUPS}",
                hint=_SAME_GROUPS,
            )
        order = transitive_closure(G)
        for u, v, data in order.edges(data=True):
            data["added"] = not G.has_edge(u, v)
        limit = float(read_margins(margin, [chosen])[0])
        self._write_reasons(order, chosen, limit)
        return self._closed(order, chosen)

    def rank_sets(self, measure: str | None = None) -> dict[Item, tuple[int, int]]:
        """Return for each system the best and the worst rank that it can have.

        These are the `rank_intervals` of the order. If errors are symmetric, the probability that
        all of them are correct is at least 1 - `risk`, for any ranking of systems with
        equal means. With skewed errors it was about the same in most simulations, but lower if the
        errors of one system are much larger and more skewed than the others (see
        `compare_systems`).

        Raises
        ------
        CycleError, NotApplicableError
            As in `order`, and in all cases in which the closure is not valid.
        """
        if self.missing == "pairwise":
            raise NotApplicableError(
                f"cannot determine simultaneous sets of ranks, because {_OTHER_GROUPS}",
                hint=_SAME_GROUPS,
            )
        return rank_intervals(self.order(measure))

    def rank_sets_or_none(self, measure: str | None = None) -> dict[Item, tuple[int, int]] | None:
        """Return `rank_sets`, or None if it raises an error."""
        try:
            return self.rank_sets(measure)
        except (CycleError, NotApplicableError):
            return None

    def _write_reasons(self, order: nx.DiGraph, measure: str, margin: float) -> None:
        """Write why pairs of systems are open by a measure, if they are."""
        number = {system: k for k, system in enumerate(self.systems)}
        pairs = self.pairs[measure]
        u, v = np.array([(number[x.first], number[x.second]) for x in pairs], int).reshape(-1, 2).T
        rows = [(*x[2:5], x.wins, x.losses, x.groups) for x in pairs]
        mean, low, high, wins, losses, groups = np.array(rows, dtype=float).reshape(-1, 6).T
        reason = np.select(
            [
                groups == 0,
                (-margin <= low) & (high <= margin) & (margin > 0),
                wins + losses == 0,
                np.isinf(low),
                mean == 0,
            ],
            [Reason.NEVER, Reason.EQUAL, Reason.EVEN, Reason.RARE, Reason.EVEN],
            Reason.CHANCE,
        )
        lacking = lacking_by_ends(groups, low, high)
        lacking[reason != Reason.CHANCE] = np.nan
        sides = wins.astype(int), losses.astype(int)
        Reasons.write(order, (u, v), reason, sides, lead=mean, lacking=lacking)

    def _closed(self, order: nx.DiGraph, measure: str) -> nx.DiGraph:
        """Add the differences and p-values to the edges of an order, and the unit."""
        known = {frozenset((each.first, each.second)): each for each in self.pairs[measure]}
        for u, v, data in order.edges(data=True):
            each = known[frozenset((u, v))]
            towards = each.difference if each.first == u else 0.0 - each.difference
            data.update(difference=towards, p_value=each.adjusted)
        order.graph["unit"] = self.unit
        return order

    def decided(self, measure: str | None = None) -> nx.DiGraph:
        """Return the order of the systems, or the significant differences if there is no order."""
        try:
            return self.order(measure)
        except (CycleError, NotApplicableError):
            return self.significant(measure)

    def broken(self, measure: str | None = None) -> list[tuple[Item, Item, Item]]:
        """Return the chains u > v > w of significant differences in which u and w do not differ."""
        return _broken_chains(self.significant(measure))

    def find_cycle(self, measure: str | None = None) -> list[Item] | None:
        """Return a shortest cycle of significant differences, or None if there is none."""
        return shortest_cycle(self.significant(measure))

    def require_measure(self, measure: str | None) -> str:
        """Return the name of a measure, or of the only one if `measure` is None."""
        if measure is None and len(self.measures) == 1:
            return self.measures[0]
        if measure not in self.measures or measure is None:
            raise PorankError(
                f"expected one of {listed(self.measures)} as measure, found {measure!r:.80}"
            )
        return measure

    def differences(self, measure: str | None = None) -> Table:
        """Return a table with a row for each pair of systems, for one measure or for all."""
        chosen = self.measures if measure is None else (self.require_measure(measure),)
        rows = [(name, *each) for name in chosen for each in self.pairs[name]]
        return Table(_DIFFERENCES, rows, title=f"{self._heads(chosen)}; {self._how()}")

    def notes(self) -> list[str]:
        """Return notes on what was left out, and on why the differences are not an order."""
        notes = (f"{measure}: {note}" for measure in self.measures for note in self._notes(measure))
        return [*notes, *self.remarks]

    def _notes(self, measure: str) -> Iterator[str]:
        """Yield the notes on one measure."""
        if self.left_out[measure]:
            counts = self.statuses[measure].items()
            why = "; ".join(f"{system}: {statuses_text(each)}" for system, each in counts if each)
            yield f"{counted(self.left_out[measure], self.unit)} left out ({why})"
        if self.uneven[measure]:
            yield (
                "systems compared on different numbers of items in "
                f"{counted(self.uneven[measure], self.unit)}; to compare the same items, set the "
                "option unlisted to incomparable or, for lists, to unretrieved"
            )
        yield from self._notes_on_rows(measure)
        G = self.significant(measure)
        for component in _components(G):
            cycle = shortest_cycle(G.subgraph(component)) or []
            yield f"cycle {' > '.join(map(str, cycle))}"
        decided = self.decided(measure).edges(data="added")
        if added := [f"{u} > {w}" for u, w, follows in decided if follows]:
            yield f"not significant, but follows: {few(sorted(added))}"
            return
        for u, v, w in self.broken(measure):
            yield f"not transitive: {u} > {v} > {w}, but {u} and {w} do not differ significantly"

    def _notes_on_rows(self, measure: str) -> Iterator[str]:
        """Yield notes on the groups that pairs of systems share."""
        if self.missing == "drop":
            return
        joined = nx.empty_graph(self.systems)
        shared = {(each.first, each.second): each.groups for each in self.pairs[measure]}
        joined.add_edges_from(pair for pair, groups in shared.items() if groups)
        groups = self.groups[measure]
        least, most = (end(filter(None, shared.values()), default=0) for end in (min, max))
        if 0 < least < groups:
            ends = f"{least:,} to {most:,}" if least < most else f"{most:,}"
            yield f"pairs of systems compared on {ends} of {counted(groups, self.unit)}"
        components = [joined.subgraph(part) for part in nx.connected_components(joined)]
        if len(components) > 1:
            parts = sorted(", ".join(map(str, in_order(part))) for part in components)
            yield f"not connected by comparisons: {few(parts)}"
        pairs = chain.from_iterable(map(nx.non_edges, components))
        if apart := sorted(" and ".join(map(str, in_order(pair))) for pair in pairs):
            yield f"compared only through other systems: {few(apart)}"

    def to_table(self) -> Table:
        """Return a row for each system: means, worse systems and ranks for each measure."""
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
        return Table(columns, list(zip(*cells, strict=True)), title=title)

    def _marks(self, measure: str) -> list[list[int]]:
        """Return for each system the numbers of the significantly worse systems."""
        G = self.decided(measure)
        number = {system: place for place, system in enumerate(self.systems, start=1)}
        return [sorted(map(number.__getitem__, G.successors(system))) for system in self.systems]

    def _heads(self, measures: Iterable[str]) -> str:
        """Return the number of groups of each measure as text."""
        return "; ".join(f"{each}: {counted(self.groups[each], self.unit)}" for each in measures)

    def _how(self) -> str:
        """Return the test and the risk as text."""
        by = "" if self.cluster is None else f" by {self.cluster}"
        return f"randomization test{by}, max-T, risk {self.risk:g}"

    def _exported(self) -> tuple[Sequence[str], Sequence[Any]]:
        return self.differences()._exported()


def few(texts: Sequence[str], limit: int = 8) -> str:
    """Join the first few texts, followed by the number of those left out."""
    more = len(texts) - limit
    return "; ".join([*texts[:limit], *([f"{more:,} more"] if more > 0 else [])])


def _components(G: nx.DiGraph) -> list[list[Any]]:
    """Return the cyclic components of a graph of significant differences."""
    components = map(in_order, cyclic_components(G))
    return sorted(components, key=lambda component: [item_key(system) for system in component])


def _broken_chains(G: nx.DiGraph) -> list[tuple[Any, Any, Any]]:
    """Return the chains u, v, w of systems in which u and w do not differ significantly."""
    found: dict[tuple[Any, Any], Any] = {}
    for v in sorted(G, key=item_key):
        for u in G.predecessors(v):
            for w in G.successors(v):
                if u != w and not G.has_edge(u, w) and not G.has_edge(w, u):
                    found.setdefault((u, w), v)
    chains = [(u, v, w) for (u, w), v in found.items()]
    return sorted(chains, key=lambda chain: [item_key(system) for system in chain])


def numbered(numbers: Iterable[int]) -> str:
    """Return numbers as text, with runs of three or more as ranges such as 2-5."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs]
    return ",".join(texts)
