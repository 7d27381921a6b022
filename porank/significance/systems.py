"""Several systems on the same groups: which are better, how sure that is, and their order.

`compare_systems` evaluates systems, `compare_evaluations` compares what was found for them. What
other comparisons share: `compared`, `adjusted`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError
from porank.evaluation.evaluate import USUAL, evaluate
from porank.evaluation.result import Evaluation
from porank.significance.p_values import adjust_directions
from porank.significance.paired import Paired, Trial, pair_groups, paired_differences, paired_values
from porank.significance.system_comparison import SystemComparison

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from porank.significance.paired import PairedDifference
    from porank.typing import Seed


def compare_systems(
    target: Any,
    systems: Mapping[Any, Any],
    *,
    by: str | Sequence[str] = "user",
    measures: Iterable[Any] | Mapping[str, Any] = USUAL,
    items: str | None = None,
    unlisted: str | None = None,
    unjudged: str | None = None,
    groups: str = "both",
    undefined: Any = math.nan,
    test: str = "randomization",
    correction: str = "holm",
    family: str = "measure",
    significance: float = 0.05,
    samples: int | None = None,
    seed: Seed = 0,
) -> SystemComparison:
    """Return which of several systems are significantly better than which.

    Each system is evaluated against the same target, and any two are held against each other
    group by group, over the groups in which all systems have a value.

    Parameters
    ----------
    target : table, path, or mapping from groups to orders
        As for `evaluate`.
    systems : mapping
        The name of a system -> what it predicts, as for `evaluate`.
    by, measures, items, unlisted, unjudged, groups, undefined
        As for `evaluate`. Systems that predict different items are compared on the same ones by
        ``items="target"``, or with ``unlisted="unretrieved"`` or ``"last"``.
    test : {"randomization", "bootstrap", "sign"}
        What a p-value is the probability of, were the two systems equally good: a mean difference
        as large if the sign of each difference is thrown by a coin [1]_, exact where the groups
        have no more signs than the samples; a mean difference as large in bootstrap samples, moved
        to have mean 0, which with few groups finds too much [1]_; being ahead as often, which is
        exact and does not look at how large the differences are.
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

    See Also
    --------
    evaluate, Evaluation, compare, compare_evaluations, SystemComparison

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
    to 1,024 groups, and for each pair of systems. Of more groups as many bundles are signed or
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
    trial = Trial(test, correction, family, significance, samples, seed)
    options: dict[str, Any] = {
        "by": by,
        "measures": list(measures) if isinstance(measures, Iterator) else measures,
        "items": items,
        "unlisted": unlisted,
        "unjudged": unjudged,
        "groups": groups,
        "undefined": undefined,
    }
    is_file = hasattr(target, "seek")
    start = target.tell() if is_file else 0
    known = list(target) if isinstance(target, Iterator) and not is_file else target
    evaluations = {
        system: _evaluated(system, known, start, predicted, options)
        for system, predicted in systems.items()
    }
    return _compared_evaluations(evaluations, trial)


def compare_evaluations(
    evaluations: Mapping[Any, Evaluation],
    *,
    test: str = "randomization",
    correction: str = "holm",
    family: str = "measure",
    significance: float = 0.05,
    samples: int | None = None,
    seed: Seed = 0,
) -> SystemComparison:
    """Return which of several systems are significantly better, from their evaluations.

    Parameters
    ----------
    evaluations : mapping
        The name of a system -> its evaluation, all with the same columns of groups and measures.
    test, correction, family, significance, samples, seed
        As for `compare_systems`.

    Returns
    -------
    SystemComparison
        As that of `compare_systems`.

    Raises
    ------
    PorankError
        If there is no system, columns differ, an argument is none of those, or a value is infinite.

    See Also
    --------
    compare_systems, SystemComparison, draw_systems

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
    Time O(samples) for each system, measure and group, up to 1,024 groups, and for each pair of
    systems.
    """
    _require_systems(evaluations, "evaluations", "evaluations")
    trial = Trial(test, correction, family, significance, samples, seed)
    return _compared_evaluations(evaluations, trial)


def _compared_evaluations(evaluations: Mapping[Any, Evaluation], trial: Trial) -> SystemComparison:
    _require_alike(evaluations)
    first = next(iter(evaluations.values()))
    places = pair_groups(evaluations)
    paired = {name: paired_values(evaluations, places, name) for name in first.measures}
    alike = replace(trial, seed=int(trial.rng.integers(1 << 62)))
    better, systems = dict(first.better), tuple(evaluations)
    return compared(paired, alike, systems=systems, better=better, evaluations=dict(evaluations))


def compared(
    paired: Mapping[str, Paired],
    trial: Trial,
    *,
    systems: tuple[Any, ...],
    better: dict[str, str],
    **more: Any,
) -> SystemComparison:
    """Return the comparison of systems whose values stand side by side, measure by measure."""
    tests = math.comb(len(systems), 2) * (len(paired) if trial.family == "all" else 1)
    found = {}
    for name, each in paired.items():
        # Each measure begins with the same draws, so that no value depends on what else is asked.
        drawing = trial.drawing(tests)
        sides: dict[str, Any] = {"systems": systems, "better": better[name]}
        found[name] = paired_differences(each.values, drawing, **sides)
    return SystemComparison(
        systems=systems,
        measures=tuple(paired),
        better=better,
        means={name: _means_of(systems, each.values) for name, each in paired.items()},
        pairs=adjusted(found, trial),
        groups={name: len(each.values) for name, each in paired.items()},
        left_out={name: each.left_out for name, each in paired.items()},
        reasons={name: each.reasons for name, each in paired.items()},
        uneven={name: each.uneven for name, each in paired.items()},
        test=trial.test,
        correction=trial.correction,
        tests=tests,
        samples=trial.drawing(tests).samples,
        significance=float(trial.significance),
        **more,
    )


def _require_systems(given: Any, name: str, what: str) -> None:
    if not isinstance(given, Mapping):
        raise PorankError(
            f"expected a mapping from names of systems to {what} as {name}, found a "
            f"{type(given).__name__}"
        )
    if not given or None in given:
        found = "the name None" if given else "none"
        raise PorankError(f"expected at least one system, by its name, in {name}, found {found}")


def _evaluated(
    system: Any, target: Any, start: int, predicted: Any, options: dict[str, Any]
) -> Evaluation:
    """Return the evaluation of one of several systems, an open target file read from its start."""
    if hasattr(target, "seek"):
        target.seek(start)
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


def _means_of(systems: Sequence[Any], values: NDArray[np.float64]) -> dict[Any, float]:
    """Return the mean of the values of each of several systems, nan without any."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    totals = np.where(known, values, 0.0).sum(axis=0)
    means = np.divide(totals, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    return dict(zip(systems, means.tolist(), strict=True))


def adjusted(
    found: Mapping[str, Sequence[PairedDifference]], trial: Trial
) -> dict[str, tuple[PairedDifference, ...]]:
    """Return the differences of all systems with their p-values adjusted, family by family."""
    whole: dict[str, tuple[PairedDifference, ...]] = {}
    for names in [[name] for name in found] if trial.family == "measure" else [list(found)]:
        p_values = [each.p_value for name in names for each in found[name]]
        fitted = iter(adjust_directions(p_values, correction=trial.correction))
        for name in names:
            whole[name] = tuple(replace(each, adjusted=next(fitted)) for each in found[name])
    return whole
