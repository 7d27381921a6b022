"""Several systems on the same groups: which are better, how sure that is, and their order.

`compare_systems` evaluates systems, `compare_evaluations` compares what was found for them. What
other comparisons share: `compared`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import generator_of, require_one_of
from porank.errors import PorankError
from porank.evaluation.evaluate import USUAL, evaluate
from porank.evaluation.result import Evaluation
from porank.significance.paired import Paired, Trial, pair_groups, paired_differences, paired_values
from porank.significance.system_comparison import SystemComparison

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

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
    unit: str | None = None,
    correction: str = "max-t",
    significance: float = 0.05,
    samples: int = 10_000,
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
    unit : str, optional
        One of the columns in `by`: groups with the same value in it, such as the sessions of a
        user, are not independent. Their differences are summed and share their signs.
    correction : str
        How p-values are adjusted for the number of tests. "max-t": the probability of any false
        finding is at most `significance` if errors are symmetric, by the largest statistic of all
        pairs of a measure, step by step [2]_, [3]_. Any other is one of `adjust_p_values`.
    significance : float
        A difference is significant if its adjusted p-value is at most this, between 0 and 1.
        Intervals of single differences have the level 1 less this if differences are symmetric.
    samples : int
        Number of times that signs are thrown. If there are no more ways to throw them, as with 13
        clusters and the default, all are taken, and p-values are exact.
    seed : int or Generator, optional
        The same seed gives the same result, in whichever sequence the groups come.

    Returns
    -------
    SystemComparison
        Means, differences with p-values in (0, 1] and effect sizes, tables, and the significant
        differences as an order of systems.

    Raises
    ------
    PorankError
        If there is no system, an argument is unknown, or a value is infinite; or what
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
    right late -1.0 0.001953125 0.001953125
    right wrong -3.0 0.001953125 0.001953125
    late wrong -2.0 0.001953125 0.001953125

    Notes
    -----
    The statistic of a pair is the sum of its differences, by cluster, over the square root of n
    times their mean square, corrected for their skewness [4]_. To n differences 300 / n more are
    added that have the median mean square of all pairs, because the square of few differences with
    skewed errors is often too small. Signs change no square, so p-values are exact if errors are
    symmetric, however unequal they are. If errors were exponential, some up to four times as large
    as others, nothing false was found in at least 93 % of simulated draws at the level .05. The
    bound does not hold if the errors of one system are much larger and more skewed than all others:
    then false findings are several times as frequent with 15 groups, and more frequent with 60.
    Intervals of skewed differences are too short if there are few groups.

    Time that of `evaluate` for each system, then O(samples) for each pair and cluster, up to 256
    clusters: more are put together at random to as many. A p-value from samples counts what was
    observed as one more of them, and so is never 0. Memory of the values of all systems, 9 bytes
    for each group and measure and 24 for each group, and of the data of one system at a time: the
    evaluations do not keep them.

    References
    ----------
    .. [1] M. D. Smucker, J. Allan, B. Carterette, "A comparison of statistical significance tests
       for information retrieval evaluation", CIKM 2007, pp. 623-632.
       https://doi.org/10.1145/1321440.1321528
    .. [2] P. H. Westfall, S. S. Young, "Resampling-Based Multiple Testing", Wiley, 1993.
    .. [3] J. P. Romano, M. Wolf, "Exact and approximate stepdown methods for multiple hypothesis
       testing", Journal of the American Statistical Association 100(469), 2005, pp. 94-108.
       https://doi.org/10.1198/016214504000000539
    .. [4] N. J. Johnson, "Modified t tests and confidence intervals for asymmetrical populations",
       Journal of the American Statistical Association 73(363), 1978, pp. 536-544.
       https://doi.org/10.1080/01621459.1978.10480051
    """
    _require_systems(systems, "systems", "predictions")
    trial = Trial(correction, significance, samples, seed)
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
    return _compared_evaluations(evaluations, trial, unit)


def compare_evaluations(
    evaluations: Mapping[Any, Evaluation],
    *,
    unit: str | None = None,
    correction: str = "max-t",
    significance: float = 0.05,
    samples: int = 10_000,
    seed: Seed = 0,
) -> SystemComparison:
    """Return which of several systems are significantly better, from their evaluations.

    Parameters
    ----------
    evaluations : mapping
        The name of a system -> its evaluation, all with the same columns of groups and measures.
    unit, correction, significance, samples, seed
        As for `compare_systems`.

    Returns
    -------
    SystemComparison
        As that of `compare_systems`.

    Raises
    ------
    PorankError
        If there is no system, columns differ, an argument is unknown, or a value is infinite.

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
    >>> found = po.compare_evaluations(evaluations)
    >>> found.means["gamma"], found.pairs["gamma"][0].p_value
    ({'right': 1.0, 'wrong': -1.0}, 0.001953125)

    Notes
    -----
    Time O(samples) for each pair of systems, measure and cluster, up to 256 clusters.
    """
    _require_systems(evaluations, "evaluations", "evaluations")
    trial = Trial(correction, significance, samples, seed)
    return _compared_evaluations(evaluations, trial, unit)


def _compared_evaluations(
    evaluations: Mapping[Any, Evaluation], trial: Trial, unit: str | None
) -> SystemComparison:
    _require_alike(evaluations)
    first = next(iter(evaluations.values()))
    labels, places = pair_groups(evaluations)
    clusters = []
    if unit is not None:
        column = first.by.index(require_one_of(unit, first.by, name="unit"))
        clusters = [label[column] for label in labels] if len(first.by) > 1 else labels
    paired = {name: paired_values(evaluations, places, name) for name in first.measures}
    alike = replace(trial, seed=int(generator_of(trial.seed).integers(1 << 62)))
    more: dict[str, Any] = {"better": dict(first.better), "evaluations": dict(evaluations)}
    more |= {"clusters": clusters, "cluster": unit}
    return compared(paired, alike, systems=tuple(evaluations), **more)


def compared(
    paired: Mapping[str, Paired],
    trial: Trial,
    *,
    systems: tuple[Any, ...],
    better: dict[str, str],
    clusters: Sequence[Any] = (),
    **more: Any,
) -> SystemComparison:
    """Return the comparison of systems whose values stand side by side, measure by measure."""
    how: dict[str, Any] = {"systems": systems, "clusters": clusters}
    # Each measure begins with the same draws, so that no value depends on what else is asked.
    pairs = {
        name: paired_differences(each.values, trial, better=better[name], **how)
        for name, each in paired.items()
    }
    return SystemComparison(
        systems=systems,
        measures=tuple(paired),
        better=better,
        means={name: _means_of(systems, each.values) for name, each in paired.items()},
        pairs=pairs,
        groups={name: each.groups for name, each in paired.items()},
        left_out={name: each.left_out for name, each in paired.items()},
        reasons={name: each.reasons for name, each in paired.items()},
        uneven={name: each.uneven for name, each in paired.items()},
        test="randomization",
        correction=trial.correction,
        samples=int(trial.samples),
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
