"""Compare several systems on the same groups: which are significantly better, and in what order.

`compare_systems` evaluates and compares systems; `compare_evaluations` compares their evaluations.
Shared with other comparisons: `compared`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import generator_of, require_one_of
from porank.core.arrays import shares_of
from porank.errors import PorankError, quoted
from porank.evaluation.evaluate import USUAL, evaluate
from porank.evaluation.result import Evaluation
from porank.significance.paired_differences import (
    Paired,
    Trial,
    pair_groups,
    paired_differences,
    paired_values,
)
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
    unlisted: str | None = None,
    unjudged: str | None = None,
    relevant: float | None = None,
    groups: str = "both",
    undefined: Any = math.nan,
    unit: str | None = None,
    risk: float = 0.05,
    samples: int = 10_000,
    seed: Seed = 0,
) -> SystemComparison:
    """Test which of several systems are significantly better than others.

    All systems are evaluated against the same target. Any two are compared by the differences of
    their values, over the groups in which all systems have a value.

    Parameters
    ----------
    target : table, path, or mapping from groups to orders
        As for `evaluate`.
    systems : mapping
        Mapping from names of systems to their predictions, as for `evaluate`.
    by, measures, unlisted, unjudged, relevant, groups, undefined
        As for `evaluate`. If systems predict different items, use ``unlisted="incomparable"`` or,
        for lists, ``"unretrieved"``, to compare them on the same items.
    unit : str, optional
        One of the columns in `by`. Groups with the same label in it, such as the sessions of a
        user, are not independent, so their differences are summed and share a random sign.
    risk : float
        Maximum adjusted p-value at which a difference is significant, between 0 and 1. All pairs of
        a measure are tested together, step by step, by the maximum of their statistics (max-T
        [2]_, [3]_): if errors are symmetric, it is the probability of any false finding. The
        intervals of all differences in a measure hold together with a probability of about
        1 - `risk`, if errors are symmetric.
    samples : int
        Number of random samples of signs. If this is at least the number of all ways to choose the
        signs, all of them are used, and p-values are exact; by default up to 13 clusters.
    seed : int, Generator or None
        Seed of the random signs. The result does not depend on the order of the groups.

    Returns
    -------
    SystemComparison
        Means of the systems, differences with p-values in (0, 1] and effect sizes, and the order of
        the systems by significant differences.

    Raises
    ------
    PorankError
        If there are no systems, if an argument is invalid, or if a value is infinite. Errors of
        `evaluate` name the system.

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
    The statistic of a pair is the sum of its n differences (by cluster), divided by the square root
    of n times their mean square, and corrected for skewness [4]_. Because the mean square of a few
    skewed differences is often too small, 300 / n differences with the median mean square of all
    pairs are added. Mean squares do not depend on the signs, so p-values are valid if errors are
    symmetric, even if their sizes differ. In simulations with exponential errors, some of them up
    to four times as large as others, there was no false finding in at least 93 % of the draws at
    level 0.05. The bound does not hold if the errors of one system are much larger and more skewed
    than all others: false findings are several times as frequent with 15 groups, and still more
    frequent with 60. Intervals of skewed differences are too short if there are few groups.

    Same cost as `evaluate` for each system, plus O(samples) for each pair and cluster; more than
    256 clusters are merged at random to 256. With random samples of signs, the observed signs count
    as one more sample, so p-values are positive. Memory for the data of one system at a time, and
    for the values: 9 bytes for each group and measure, and 24 for each group.

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
    trial = Trial(risk, samples, seed)
    options: dict[str, Any] = {
        "by": by,
        "measures": list(measures) if isinstance(measures, Iterator) else measures,
        "unlisted": unlisted,
        "unjudged": unjudged,
        "relevant": relevant,
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
    risk: float = 0.05,
    samples: int = 10_000,
    seed: Seed = 0,
) -> SystemComparison:
    """Test which of several systems are significantly better, from their evaluations.

    It is the same as `compare_systems`, if you already have the results of `evaluate`.

    Parameters
    ----------
    evaluations : mapping
        Mapping from names of systems to their evaluations, which must have the same columns of
        groups and the same measures.
    unit, risk, samples, seed
        As for `compare_systems`.

    Returns
    -------
    SystemComparison
        As returned by `compare_systems`.

    Raises
    ------
    PorankError
        If there are no systems, if columns differ, if an argument is invalid, or if a value is
        infinite.

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
    O(samples) for each pair of systems, each measure and each of at most 256 clusters.
    """
    _require_systems(evaluations, "evaluations", "evaluations")
    trial = Trial(risk, samples, seed)
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
    how: dict[str, Any] = {"better": dict(first.better), "clusters": clusters, "cluster": unit}
    return compared(paired, alike, systems=tuple(evaluations), **how)


def compared(
    paired: Mapping[str, Paired],
    trial: Trial,
    *,
    systems: tuple[Any, ...],
    better: dict[str, str],
    clusters: Sequence[Any] = (),
    **more: Any,
) -> SystemComparison:
    """Return the comparison of systems from their paired values for each measure."""
    how: dict[str, Any] = {"systems": systems, "clusters": clusters}
    # Each measure starts with the same seed, so its result does not depend on other measures.
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
        statuses={name: each.statuses for name, each in paired.items()},
        uneven={name: each.uneven for name, each in paired.items()},
        paired=paired,
        clusters=clusters,
        trial=trial,
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
        raise PorankError(f"expected at least one system, with a name, in {name}, found {found}")


def _evaluated(
    system: Any, target: Any, start: int, predicted: Any, options: dict[str, Any]
) -> Evaluation:
    """Return the evaluation of a system; an open target file is read again from its start."""
    if hasattr(target, "seek"):
        target.seek(start)
    try:
        # The data of all systems would need much more memory than the results.
        return replace(evaluate(target, predicted, **options), groups=None)
    except PorankError as error:
        # Raise the same error, with its evidence, and name the system.
        error.args = (f"{error.finding}, of system {quoted(system):.80}",)
        raise


def _require_alike(evaluations: Mapping[Any, Evaluation]) -> None:
    first = next(iter(evaluations.values()))
    for system, evaluation in evaluations.items():
        if not isinstance(evaluation, Evaluation):
            raise PorankError(
                f"expected an Evaluation as {system!r:.80}, found a {type(evaluation).__name__}"
            )
        for what in ("by", "measures", "better"):
            expected, found = getattr(first, what), getattr(evaluation, what)
            if expected != found:
                raise PorankError(
                    f"expected {what} to be the same in all evaluations, found "
                    f"{quoted(expected):.200} and, for {quoted(system):.80}, {quoted(found):.200}"
                )


def _means_of(systems: Sequence[Any], values: NDArray[np.float64]) -> dict[Any, float]:
    """Return the mean of each system's values, or nan if there are none."""
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    totals = np.where(known, values, 0.0).sum(axis=0)
    return dict(zip(systems, shares_of(totals, counts).tolist(), strict=True))
