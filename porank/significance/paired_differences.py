"""Test the paired differences of any two of several systems.

`pair_groups` and `paired_values` match the groups of evaluations. `paired_differences` tests each
pair of systems as defined by a `Trial`, and returns a `PairedDifference` for each.

Idea: *make a table with a row for each cluster and a column for each pair, whose entries are sums
of differences.* Random signs of the rows then apply to all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import generator_of, require_risk, require_samples
from porank.core.arrays import in_parts
from porank.core.graphs import item_key, sorted_by_label
from porank.core.tables import one_line
from porank.errors import PorankError, listed
from porank.evaluation.result import count_statuses
from porank.significance.max_t import ends_of_means, max_t, rests_on, throw_signs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.evaluation.result import Evaluation
    from porank.typing import Floats, Numbers, Seed


#: Relative tolerance for sums that are equal up to rounding.
_ROUNDING = 1e-12
#: If there are more clusters, they are merged at random to this number.
_CLUSTERS = 256
#: Maximum number of columns of signs for an interval.
_INTERVAL = 2000
#: Approximate number of values that are processed at once.
_NUMBERS = 1 << 20


@dataclass(frozen=True)
class Trial:
    """How paired differences are tested. Invalid settings raise an error."""

    risk: float = 0.05
    samples: Any = 10_000
    seed: Seed = 0

    def __post_init__(self) -> None:
        require_samples(self.samples)
        generator_of(self.seed)
        require_risk(self.risk)


def paired_differences(
    values: Floats,
    trial: Trial,
    *,
    systems: Sequence[Any],
    better: str,
    clusters: Sequence[Any] = (),
) -> tuple[PairedDifference, ...]:
    """Return the paired differences of any two systems in a measure, tested together.

    `values` has a column for each system and a row for each group, with nan for missing values;
    `clusters` has the cluster of each row. Two systems are compared on the rows that both have.
    """
    if len(systems) < 2:
        return ()
    rows, starts, signs = signs_of_clusters(clusters, (~np.isnan(values)).sum(axis=1) > 1, trial)
    pairs = np.array(_pairs_by_name(systems))
    size = max(1, _NUMBERS // max(rows.size, 1))
    sign = 1 if better == "higher" else -1
    blocks = [
        _block(values[rows], pairs[some], starts, sign) for some in in_parts(len(pairs), size)
    ]
    sums, counts = (np.hstack([block[k] for block in blocks]) for k in (0, 1))
    n = np.count_nonzero(counts, axis=0)
    risk, chances = float(trial.risk), np.full((2, n.size), np.nan)
    chances[:, n > 0] = max_t(sums[:, n > 0], n[n > 0], signs)
    is_found, units = chances[1] <= risk, np.full(n.size, None, dtype=object)
    facts = [fact for block in blocks for fact in block[2]]
    ends = ends_of_means(sums, counts, some_of(signs), risk)
    bring_into_agreement(ends, sums.sum(axis=0), is_found)
    if is_found.any():
        # Without a significant pair, it would be the next one to be found.
        low, high = ends_of_means(sums, counts, some_of(signs), risk, among=~is_found)
        low, side = (low, 1) if sign > 0 else (-high, -1)
        units[is_found] = rests_on(side * sums, counts, low, risk)[is_found]
    columns = (each.tolist() for each in (*ends, *chances, units))
    return tuple(
        PairedDifference(systems[i], systems[j], mean, low, high, p_value, fitted, *rest)._replace(
            rests_on=many
        )
        for (i, j, mean, *rest), low, high, p_value, fitted, many in zip(
            facts, *columns, strict=True
        )
    )


def bring_into_agreement(ends: Floats, total: Floats, is_found: NDArray[np.bool_]) -> None:
    """Let intervals contain 0 inside only if a difference is not significant, and then contain it.

    If no finding is false, no true difference that is found is beyond 0. This needs a correction
    that bounds the probability of any false finding.
    """
    low, high = ends
    low[is_found & (total > 0)] = low[is_found & (total > 0)].clip(min=0)
    high[is_found & (total < 0)] = high[is_found & (total < 0)].clip(max=0)
    low[~is_found], high[~is_found] = low[~is_found].clip(max=0), high[~is_found].clip(min=0)


def lacking_by_ends(units: Any, low: Floats, high: Floats) -> Floats:
    """Return how many further units, like those so far, would bring intervals away from 0."""
    # Intervals shrink with the root of the number of units: units ((reach / difference)^2 - 1).
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.square((high - low) / (high + low))
    found: Floats = np.maximum(1, np.ceil(units * (times - 1)))
    return found


def _pairs_by_name(systems: Sequence[Any]) -> list[list[int]]:
    """Return the numbers of any two systems, with the earlier name first."""
    places = combinations(range(len(systems)), 2)
    return [sorted(pair, key=lambda place: item_key(systems[place])) for pair in places]


def some_of(signs: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the columns of signs for intervals: all if these are all ways to choose them."""
    return signs if signs.shape[1] == 2 ** len(signs) else signs[:, : _INTERVAL + 1]


def signs_of_clusters(
    labels: Sequence[Any], is_used: NDArray[np.bool_], trial: Trial
) -> tuple[Numbers, Numbers, NDArray[np.int8]]:
    """Return the used rows, sorted by cluster, where each cluster starts, and random signs."""
    rng = generator_of(trial.seed)
    rows = np.flatnonzero(is_used)
    cluster, n = np.arange(rows.size), rows.size
    if labels:
        of_rows = [labels[row] for row in rows.tolist()]
        number = _numbered(of_rows)
        cluster, n = np.array([number[label] for label in of_rows], dtype=np.int64), len(number)
    if n > _CLUSTERS:
        cluster = (rng.permutation(n) % _CLUSTERS)[cluster]
    order = np.argsort(cluster, kind="stable")
    starts = np.flatnonzero(np.diff(cluster[order], prepend=-1))
    return rows[order], starts, throw_signs(starts.size, trial.samples, rng)


def _numbered(labels: Iterable[Any]) -> dict[Any, int]:
    """Return the number of each label in sorted order, which does not depend on the rows."""
    distinct = list(dict.fromkeys(labels))
    return {distinct[k]: place for place, k in enumerate(sorted_by_label(distinct))}


def equal_or_apart(first: Floats, second: Floats) -> Floats:
    """Return the differences of values, 0 where they differ only by rounding."""
    differences = first - second
    differences[np.abs(differences) <= _ROUNDING * (np.abs(first) + np.abs(second))] = 0.0
    return differences


def _block(
    values: Floats,
    pairs: Numbers,
    starts: Numbers,
    sign: int,
) -> tuple[Floats, Floats, list[tuple[Any, ...]]]:
    """Return for some pairs the sums and the numbers of values by cluster, and statistics."""
    first, second = values[:, pairs[:, 0]], values[:, pairs[:, 1]]
    differences = equal_or_apart(first, second)
    is_known = ~np.isnan(differences)
    differences[~is_known] = 0.0
    is_turned = sign * differences.sum(axis=0) < 0
    differences *= np.where(is_turned, -1.0, 1.0)
    pairs = np.where(is_turned[:, None], pairs[:, ::-1], pairs)
    sums = np.add.reduceat(differences, starts, axis=0)
    counts = np.add.reduceat(is_known, starts, axis=0, dtype=np.float64)
    columns = [*pairs.T, *_numbers_of(differences, is_known, sign)]
    return sums, counts, list(zip(*(each.tolist() for each in columns), strict=True))


def _numbers_of(differences: Floats, is_known: NDArray[np.bool_], sign: int) -> tuple[Any, ...]:
    """Return arrays of mean, effect size, superiority, wins, ties and losses."""
    n = np.count_nonzero(is_known, axis=0)
    wins, losses = (np.count_nonzero(each, axis=0) for each in (differences > 0, differences < 0))
    wins, losses = (wins, losses)[::sign]
    with np.errstate(invalid="ignore", divide="ignore"):
        # Mean m = (sum of d) / n, deviation s = (sum of (d - m)^2 / (n - 1))^(1/2), effect size
        # m / s, superiority (wins + ties / 2) / n. Add 0.0 to avoid -0.0.
        mean = differences.sum(axis=0) / n + 0.0
        squares = np.where(is_known, np.square(differences - mean), 0.0).sum(axis=0)
        deviation = np.sqrt(squares / (n - 1))
        is_even = n * deviation <= _ROUNDING * np.abs(differences).sum(axis=0)
        # The effect size is infinite if the deviation is 0, and nan if the mean is 0, too.
        effect_size = mean / np.where(is_even, 0.0, deviation)
        ties = n - wins - losses
        return mean, effect_size, (wins + ties / 2) / n, wins, ties, losses


#: Status of a group that is not in the evaluation of a system.
_ABSENT = "absent"


@dataclass(frozen=True)
class Paired:
    """The values of one measure for all systems, matched by group."""

    values: Floats
    left_out: int
    statuses: dict[Any, dict[str, int]]
    uneven: int

    @property
    def groups(self) -> int:
        """Number of groups with a value."""
        return int(np.count_nonzero(~np.isnan(self.values).all(axis=1)))


def pair_groups(evaluations: Mapping[Any, Evaluation]) -> tuple[list[Any], Numbers]:
    """Return the groups of several evaluations, and the row of each group for each system."""
    labels = [_labels(evaluation) for evaluation in evaluations.values()]
    row = _numbered(chain(*labels))
    places = np.full((len(row), len(labels)), -1)
    for column, each in enumerate(labels):
        places[[row[label] for label in each], column] = np.arange(len(each))
    return list(row), places


def _labels(evaluation: Evaluation) -> list[Any]:
    columns = [evaluation.columns[name].tolist() for name in evaluation.by]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


def paired_values(evaluations: Mapping[Any, Evaluation], places: Numbers, measure: str) -> Paired:
    """Return the values of a measure for the groups in which all systems have one."""
    values = np.full(places.shape, np.nan)
    sizes = np.zeros(places.shape, dtype=np.int64)
    counts = {}
    for column, (system, evaluation) in enumerate(evaluations.items()):
        at = places[:, column]
        there = at >= 0
        values[there, column] = evaluation.columns[measure][at[there]]
        sizes[there, column] = evaluation.sizes[at[there]]
        counts[system] = _statuses(values[:, column], at, evaluation.statuses[measure])
    infinite = np.isinf(values).any(axis=1)
    if infinite.any():
        raise PorankError(
            f"cannot compute means of infinite values: {measure!r} is "
            f"{listed(values[int(np.argmax(infinite))].tolist())} in a group"
        )
    common = ~np.isnan(values).any(axis=1)
    uneven = (sizes[common] != sizes[common][:, :1]).any(axis=1)
    if all(evaluation.judges_lists(measure) for evaluation in evaluations.values()):
        # Measures of lists do not depend on which other items are compared.
        uneven = np.zeros(1, dtype=bool)
    values[~common] = np.nan
    return Paired(values, int(np.count_nonzero(~common)), counts, int(np.count_nonzero(uneven)))


def _statuses(values: Floats, at: Numbers, statuses: NDArray[np.uint8]) -> dict[str, int]:
    """Return the number of groups without a value of a system, by status."""
    absent = int(np.count_nonzero(at < 0))
    counts = count_statuses(statuses[at[np.isnan(values) & (at >= 0)]])
    return {**counts, **({_ABSENT: absent} if absent else {})}


class PairedDifference(NamedTuple):
    """The difference of two systems in a measure, over the groups in which both have a value.

    `rests_on` is about the fewest clusters of groups without which it would not be significant;
    None if it is not.
    """

    first: Any
    second: Any
    difference: float
    low: float
    high: float
    p_value: float
    adjusted: float
    effect_size: float
    superiority: float
    wins: int
    ties: int
    losses: int
    rests_on: int | None = None

    def __repr__(self) -> str:
        return one_line(self)

    @property
    def groups(self) -> int:
        """Number of groups on which the two systems are compared."""
        return self.wins + self.losses + self.ties
