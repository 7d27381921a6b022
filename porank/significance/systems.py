"""Several systems on the same groups: which are better, how sure that is, and their order.

`compare_systems`, `compare_evaluations`, `SystemComparison`.

A may be surely better than B and B than C, and A not surely better than C: what is significant need
not be transitive. It may even be cyclic where better means ahead more often. Both are told, and
nothing is closed over them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.arguments import generator_of, require_count, require_one_of
from porank.core.graphs import item_key, shortest_cycle
from porank.core.progress import require_progress
from porank.errors import CycleError, NotApplicableError, PorankError, counted, listed
from porank.evaluation.evaluate import evaluate
from porank.evaluation.measure_request import USUAL
from porank.evaluation.result import Evaluation, require_level, told
from porank.significance.p_values import CORRECTIONS, adjust_p_values
from porank.significance.paired import (
    TESTS,
    Trial,
    pair_groups,
    paired_differences,
    paired_values,
)
from porank.significance.system_tables import differences_table, means_as_latex, means_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.core.tables import Table
    from porank.significance.paired import Paired, PairedDifference
    from porank.typing import Item, Seed


#: So many samples, and as many times those that a single finding among all tests needs.
_SAMPLES, _TIMES = 10_000, 10


def compare_systems(
    target: Any,
    systems: Mapping[Any, Any],
    *,
    by: str | Sequence[str] = "user",
    measures: Iterable[Any] | Mapping[str, Any] = USUAL,
    items: str = "both",
    groups: str = "both",
    undefined: Any = math.nan,
    test: str = "randomization",
    correction: str = "holm",
    family: str = "measure",
    significance: float = 0.05,
    samples: int | None = None,
    seed: Seed = 0,
    progress: bool | None = None,
) -> SystemComparison:
    """Return which of several systems are better than which, and how sure that is.

    Each system is evaluated against the same target, and any two are held against each other
    group by group, over the groups in which all systems have a value.

    Parameters
    ----------
    target : table, path, or mapping from groups to orders
        As for `evaluate`.
    systems : mapping
        The name of a system -> what it predicts, as for `evaluate`.
    by, measures, items, groups, undefined
        As for `evaluate`. Systems that predict different items are compared on the same ones by
        ``items="target"``.
    test : {"randomization", "bootstrap", "sign"}
        What a p-value is the probability of, were the two systems equally good: a mean difference
        as large if the sign of each difference is thrown by a coin [1]_, exact where up to 24
        differences are not 0; a mean difference as large in bootstrap samples, moved to have mean
        0, which with few groups finds too much [1]_; being ahead as often, which is exact and does
        not look at how large the differences are.
    correction : str
        How p-values are adjusted for the number of tests, as for `adjust_p_values`.
    family : {"measure", "all"}
        Which tests are adjusted together: those of one measure, or all.
    significance : float
        A difference is significant if its adjusted p-value is at most this, between 0 and 1.
        Intervals hold 1 less this of the sampled means.
    samples : int, optional
        How many signs, or samples, are drawn; by default 10,000, and 10 / significance for each
        test that is adjusted together with others, as fewer could not find anything significant.
    seed : int or Generator, optional
        The same seed gives the same result.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    SystemComparison
        Means, differences with p-values in (0, 1] and effect sizes, tables, and the significant
        differences as an order of systems.

    Raises
    ------
    PorankError
        If there is no system, an argument is none of those, or a value is infinite; or what
        `evaluate` raises, and the message says for which system.

    Examples
    --------
    >>> import porank as po
    >>> target = {user: {"a": 3, "b": 2, "c": 1} for user in range(10)}
    >>> systems = {
    ...     "right": target,
    ...     "late": {user: {"a": 2, "b": 3, "c": 1} for user in range(10)},
    ...     "wrong": {user: {"a": 1, "b": 2, "c": 3} for user in range(10)},
    ... }
    >>> found = po.compare_systems(target, systems, measures=["kendall_distance"])
    >>> sorted(found.order().edges)
    [('late', 'wrong'), ('right', 'late'), ('right', 'wrong')]
    >>> for each in found.pairs["kendall_distance"]:
    ...     print(each.first, each.second, each.difference, each.p_value, each.adjusted)
    right late -1.0 0.001953125 0.005859375
    right wrong -3.0 0.001953125 0.005859375
    late wrong -2.0 0.001953125 0.005859375

    Notes
    -----
    Time that of `evaluate` for each system; then O(samples) for each system, measure and group, up
    to 4,096 groups, and for each pair of systems. Of more groups as many bundles are signed or
    drawn as a whole, which leaves the test valid. A p-value from samples counts what was observed
    as one more of them, and so is never 0. Memory of the values of all systems, 9 bytes for each
    group and measure and 24 for each group, and of the data of one system at a time: the
    evaluations do not keep them.

    References
    ----------
    .. [1] M. D. Smucker, J. Allan, B. Carterette, "A comparison of statistical significance tests
       for information retrieval evaluation", CIKM 2007, pp. 623-632.
       https://doi.org/10.1145/1321440.1321528
    """
    _require_systems(systems, "systems", "predictions")
    how: dict[str, Any] = {"test": test, "correction": correction, "family": family}
    how |= {"significance": significance, "samples": samples, "seed": seed, "progress": progress}
    _require_how(how)
    known = list(target) if isinstance(target, Iterator) else target
    options: dict[str, Any] = {"by": by, "measures": measures, "items": items, "groups": groups}
    if isinstance(measures, Iterator):
        options["measures"] = list(measures)
    options |= {"undefined": undefined, "progress": progress}
    evaluations = {
        system: _evaluated(system, known, predicted, options)
        for system, predicted in systems.items()
    }
    return compare_evaluations(evaluations, **how)


def compare_evaluations(
    evaluations: Mapping[Any, Evaluation],
    *,
    test: str = "randomization",
    correction: str = "holm",
    family: str = "measure",
    significance: float = 0.05,
    samples: int | None = None,
    seed: Seed = 0,
    progress: bool | None = None,
) -> SystemComparison:
    """Return which of several systems are better than which, given what `evaluate` found for each.

    Parameters
    ----------
    evaluations : mapping
        The name of a system -> its evaluation, all with the same columns of groups and measures.
    test, correction, family, significance, samples, seed, progress
        As for `compare_systems`.

    Returns
    -------
    SystemComparison
        As that of `compare_systems`.

    Raises
    ------
    PorankError
        If there is no system, columns differ, an argument is none of those, or a value is infinite.

    Examples
    --------
    >>> import porank as po
    >>> target = {user: [3, 2, 1] for user in range(10)}
    >>> evaluations = {
    ...     "right": po.evaluate(target, target, measures="gamma"),
    ...     "wrong": po.evaluate(target, {user: [1, 2, 3] for user in range(10)}, measures="gamma"),
    ... }
    >>> found = po.compare_evaluations(evaluations, test="sign")
    >>> found.means["gamma"], found.pairs["gamma"][0].p_value
    ({'right': 1.0, 'wrong': -1.0}, 0.001953125)

    Notes
    -----
    Time O(samples) for each system, measure and group, up to 4,096 groups, and for each pair of
    systems.
    """
    _require_systems(evaluations, "evaluations", "evaluations")
    how = {"test": test, "correction": correction, "family": family, "samples": samples}
    _require_how(how | {"significance": significance, "seed": seed, "progress": progress})
    _require_alike(evaluations)
    systems, first = tuple(evaluations), next(iter(evaluations.values()))
    places = pair_groups(evaluations)
    paired = {name: paired_values(evaluations, places, name) for name in first.measures}
    tests = math.comb(len(systems), 2) * (len(paired) if family == "all" else 1)
    enough = max(_SAMPLES, math.ceil(_TIMES * tests / significance))
    drawn = enough if samples is None else int(samples)
    # Each measure begins with the same draws, so that no value depends on what else is asked.
    start = int(generator_of(seed).integers(1 << 62))
    found = {}
    for name, each in paired.items():
        trial = Trial(test, drawn, float(significance) / 2, generator_of(start), progress)
        sides: dict[str, Any] = {"systems": systems, "better": first.better[name]}
        found[name] = paired_differences(each.values, trial, **sides)
    return SystemComparison(
        systems=systems,
        measures=first.measures,
        better=dict(first.better),
        means={name: _means_of(systems, each) for name, each in paired.items()},
        pairs=_adjusted(found, correction=correction, family=family),
        groups={name: len(each.values) for name, each in paired.items()},
        left_out={name: each.left_out for name, each in paired.items()},
        reasons={name: each.reasons for name, each in paired.items()},
        uneven={name: each.uneven for name, each in paired.items()},
        test=test,
        correction=correction,
        tests=tests,
        samples=drawn,
        significance=float(significance),
        evaluations=dict(evaluations),
    )


def _require_systems(given: Any, name: str, what: str) -> None:
    if not isinstance(given, Mapping):
        raise PorankError(
            f"expected a mapping from names of systems to {what} as {name}, found a "
            f"{type(given).__name__}"
        )
    if not given:
        raise PorankError(f"expected at least one system in {name}, found none")
    if None in given:
        raise PorankError(f"expected names of systems in {name}, found None")


#: What can be chosen, and of what.
_CHOICES = {"test": TESTS, "correction": CORRECTIONS, "family": ("measure", "all")}


def _require_how(how: Mapping[str, Any]) -> None:
    """Raise an error unless systems can be tested in this way."""
    for name, choices in _CHOICES.items():
        require_one_of(how[name], tuple(choices), name=name)
    if how["samples"] is not None:
        require_count(how["samples"], name="samples", least=1)
    require_progress(how["progress"])
    generator_of(how["seed"])
    require_level(how["significance"], name="significance")


def _evaluated(system: Any, target: Any, predicted: Any, options: dict[str, Any]) -> Evaluation:
    try:
        # All that was compared, for each system, would be much more than the results.
        return replace(evaluate(target, predicted, **options), groups=None)
    except PorankError as error:
        # The same error, its evidence on it, that also says where.
        error.args = (f"{error.finding}, of system {system!r:.80}",)
        raise


def _require_alike(evaluations: Mapping[Any, Evaluation]) -> None:
    first = next(iter(evaluations.values()))
    for system, evaluation in evaluations.items():
        if not isinstance(evaluation, Evaluation):
            raise PorankError(
                f"expected what evaluate returns as {system!r:.80}, found a "
                f"{type(evaluation).__name__}"
            )
        for what in ("by", "measures", "better"):
            expected, found = getattr(first, what), getattr(evaluation, what)
            if expected != found:
                raise PorankError(
                    f"expected {what} of all evaluations to be the same, found {expected!r:.200} "
                    f"and, of {system!r:.80}, {found!r:.200}"
                )


def _means_of(systems: Sequence[Any], paired: Paired) -> dict[Any, float]:
    """Return the mean of each system, nan without any group."""
    if not len(paired.values):
        return dict.fromkeys(systems, math.nan)
    return dict(zip(systems, paired.values.mean(axis=0).tolist(), strict=True))


def _adjusted(
    found: Mapping[str, Sequence[PairedDifference]], *, correction: str, family: str
) -> dict[str, tuple[PairedDifference, ...]]:
    """Return the differences with their p-values adjusted, family by family."""
    whole: dict[str, tuple[PairedDifference, ...]] = {}
    for names in [[name] for name in found] if family == "measure" else [list(found)]:
        p_values = [each.p_value for name in names for each in found[name]]
        fitted = iter(adjust_p_values(p_values, correction=correction))
        for name in names:
            whole[name] = tuple(replace(each, adjusted=next(fitted)) for each in found[name])
    return whole


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
        G = nx.DiGraph()
        G.add_nodes_from(self.systems)
        for each in self.pairs[self.require_measure(measure)]:
            if each.adjusted <= self.significance:
                said = {"difference": each.difference, "p_value": each.adjusted}
                G.add_edge(each.first, each.second, **said)
        return G

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
        G, cycle = self.significant(chosen), self.find_cycle(chosen)
        way_out = f"significant({chosen!r}) is the graph of the differences as they are"
        if cycle is not None:
            raise CycleError(
                f"expected an order of systems, found the cycle {listed(cycle, separator=' > ')} "
                f"of significant differences in {chosen!r}; {way_out}",
                cycle=cycle,
            )
        for u, v, w in _broken_chains(G)[:1]:
            raise NotApplicableError(
                f"expected transitive significant differences, found {u!r} > {v!r} > {w!r} in "
                f"{chosen!r} and no significant difference of {u!r} and {w!r}; {way_out}"
            )
        return G

    def broken(self, measure: str | None = None) -> list[tuple[Item, Item, Item]]:
        """Return (u, v, w) for each u and w that do not differ although u > v > w do."""
        return _broken_chains(self.significant(measure))

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
        return differences_table(self, chosen)

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

    def to_table(self) -> Table:
        """Return the table of means and marks."""
        return means_table(self)

    def to_csv(self) -> str:
        """Return the differences as CSV, every number in full."""
        return self.differences().to_csv()

    def to_latex(self, *, digits: int = 3) -> str:
        r"""Return the table of means for LaTeX.

        The best mean of each measure is bold; equal ones all are. Raised numbers are those of the
        systems that are significantly worse.
        """
        return means_as_latex(self, require_count(digits, name="digits"))

    def __str__(self) -> str:
        return "\n".join([self.to_table().to_text(), *self.notes()])

    def _repr_html_(self) -> str:
        notes = [f"<p>{escape(note)}</p>" for note in self.notes()]
        return "\n".join([self.to_table().to_html(), *notes])


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
