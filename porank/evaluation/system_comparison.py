"""What a comparison of systems finds: means, how any two differ, and the order they are in."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_count
from porank.core.graphs import shortest_cycle
from porank.errors import PorankError, counted, listed
from porank.evaluation.corrections import CORRECTIONS
from porank.evaluation.paired_tests import TESTS
from porank.evaluation.summaries import told
from porank.evaluation.system_order import broken_chains, require_order, significant_graph
from porank.evaluation.system_tables import differences_table, latex_of, means_table

if TYPE_CHECKING:
    import networkx as nx

    from porank.core.tables import Table
    from porank.evaluation.effects import PairedDifference
    from porank.evaluation.evaluation import Evaluation
    from porank.typing import Item


@dataclass(frozen=True, eq=False, repr=False)
class SystemComparison:
    """What `compare_systems` finds.

    It prints as a table: a row for each system, and for each measure its mean and the numbers of
    the systems that it is significantly better than. Whatever was left out, and whatever keeps the
    differences from being an order, stands below.

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
        ``effect_size``, ``superiority``, ``wins``, ``losses``, ``ties``.
    groups, left_out : dict
        Measure -> how many groups were compared, and how many were not.
    reasons : dict
        Measure -> system -> {status: how many groups without a value have it}.
    uneven : dict
        Measure -> in how many groups the systems were compared on different numbers of items.
    test, correction : str
        How differences were tested, and p-values adjusted.
    tests, samples : int
        How many tests were adjusted together, and how many signs or samples were drawn for each.
    significance : float
        A difference is significant if its adjusted p-value is at most this.
    evaluations : dict
        System -> its evaluation, which has not kept the data if `compare_systems` made it.

    Examples
    --------
    >>> import porank as po
    >>> target = {user: {"a": 3, "b": 2, "c": 1} for user in range(8)}
    >>> good = {user: {"a": 9, "b": 5, "c": user % 2} for user in range(8)}
    >>> poor = {user: {"a": user % 4, "b": 2, "c": 3} for user in range(8)}
    >>> found = po.compare_systems(target, {"good": good, "poor": poor}, measures="kendall_tau")
    >>> print(found)
    kendall_tau: 8 groups; randomization test, Holm, level 0.05
    number  system  kendall_tau  better than
    ------  ------  -----------  -----------
         1  good              1  2
         2  poor        -0.7041
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
    tests: int
    samples: int
    significance: float
    evaluations: dict[Any, Evaluation]

    def __repr__(self) -> str:
        systems, measures = len(self.systems), ", ".join(self.measures)
        return f"<SystemComparison: {counted(systems, 'system')}, {measures}>"

    def significant(self, measure: str | None = None) -> nx.DiGraph:
        """Return the graph of significant differences, each edge leading from the better system.

        Edges have the attributes ``difference`` and ``p_value``, which is the adjusted one. The
        graph is as the tests found it: it may lack an edge that a chain of others would imply.
        """
        chosen = self.require_measure(measure)
        return significant_graph(self.systems, self.pairs[chosen], self.significance)

    def order(self, measure: str | None = None) -> nx.DiGraph:
        """Return the order of the systems by significant differences.

        Raises
        ------
        CycleError
            If the differences have a cycle, which only a sign test can find.
        NotApplicableError
            If they are not transitive: `broken` tells where, and `significant` gives the graph.
        """
        chosen = self.require_measure(measure)
        return require_order(self.significant(chosen), chosen)

    def broken(self, measure: str | None = None) -> list[tuple[Item, Item, Item]]:
        """Return (u, v, w) for each u and w that do not differ although u > v > w do."""
        return broken_chains(self.significant(measure))

    def find_cycle(self, measure: str | None = None) -> list[Item] | None:
        """Return a shortest cycle of significant differences, or None if there is none."""
        return shortest_cycle(self.significant(measure))

    def require_measure(self, measure: str | None) -> str:
        """Return the measure; the only one if it is None."""
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
        found = {name: self.pairs[name] for name in chosen}
        return differences_table(found, title="; ".join([*map(self._head, chosen), self._how()]))

    def notes(self) -> list[str]:
        """Return in sentences what was left out, and what keeps differences from being an order."""
        return [note for measure in self.measures for note in self._notes(measure)]

    def _notes(self, measure: str) -> list[str]:
        found = []
        if self.left_out[measure]:
            why = [
                f"{system}: {told(counts)}"
                for system, counts in self.reasons[measure].items()
                if counts
            ]
            left = counted(self.left_out[measure], "group")
            found.append(f"{measure}: {left} left out ({'; '.join(why)})")
        if self.uneven[measure]:
            found.append(
                f"{measure}: systems compared on different numbers of items in "
                f"{counted(self.uneven[measure], 'group')}; items='target' evens them"
            )
        if self._is_coarse(measure):
            found.append(
                f"{measure}: {self.samples:,} samples are too few for {self.tests:,} tests; with "
                "samples=None there are enough"
            )
        cycle = self.find_cycle(measure)
        if cycle is not None:
            found.append(f"{measure}: a cycle, {' > '.join(map(str, cycle))}")
        found += [
            f"{measure}: not transitive, {u} > {v} > {w}, but no significant difference of {u} "
            f"and {w}"
            for u, v, w in self.broken(measure)
        ]
        return found

    def _is_coarse(self, measure: str) -> bool:
        """Return whether the least p-value that samples can give occurs and is not significant."""
        least = 1 / (self.samples + 1)
        return self.test != "sign" and any(
            each.p_value == least and each.adjusted > self.significance
            for each in self.pairs[measure]
        )

    def _head(self, measure: str) -> str:
        return f"{measure}: {counted(self.groups[measure], 'group')}"

    def _how(self) -> str:
        words = TESTS[self.test], CORRECTIONS[self.correction], f"level {self.significance:g}"
        return ", ".join(words)

    def to_table(self) -> Table:
        """Return the table of means and marks."""
        means = {name: [*self.means[name].values()] for name in self.measures}
        title = "; ".join([*map(self._head, self.measures), self._how()])
        return means_table(self.systems, means, self._graphs(), title)

    def _graphs(self) -> dict[str, nx.DiGraph]:
        return {name: self.significant(name) for name in self.measures}

    def to_csv(self) -> str:
        """Return the differences as CSV, every number in full."""
        return self.differences().to_csv()

    def to_latex(self, *, digits: int = 3) -> str:
        r"""Return the table of means for LaTeX.

        The best mean of each measure is bold; equal ones all are. Raised numbers are those of the
        systems that are significantly worse.
        """
        digits = require_count(digits, name="digits")
        caption = (
            f"Means ({'; '.join(map(self._head, self.measures))}), the best in bold. Raised are "
            f"the numbers of the systems that are significantly worse ({self._how()})."
        )
        means = {name: [*self.means[name].values()] for name in self.measures}
        look: dict[str, Any] = {"digits": digits, "caption": caption, "notes": self.notes()}
        return latex_of(self.systems, means, self._graphs(), self.better, **look)

    def __str__(self) -> str:
        return "\n".join([self.to_table().to_text(), *self.notes()])

    def _repr_html_(self) -> str:
        notes = [f"<p>{escape(note)}</p>" for note in self.notes()]
        return "\n".join([self.to_table().to_html(), *notes])
