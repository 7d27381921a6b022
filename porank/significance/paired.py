"""Any two of several systems held against each other, group by group: how much, how surely.

`pair_groups` and `paired_values` lay evaluations side by side; `paired_differences` tests any two
systems, the better first, each a `PairedDifference`, by the `Trial` and `TESTS`.

Idea: *a sum of signed differences is a difference of signed sums.* So signs, or samples, are drawn
once for all pairs of systems, and cost as much as the systems, not as the pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import percentiles
from porank.core.graphs import item_key
from porank.core.progress import track
from porank.errors import PorankError, listed
from porank.evaluation.result import count_statuses, poisson_means, sums_of_bundles
from porank.significance.p_values import (
    EXACT_UP_TO,
    draw_signs,
    exact_sign_flips,
    rounding,
    sampled_p_value,
    sign_test,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from porank.evaluation.result import Evaluation
    from porank.typing import Numbers

    Floats = NDArray[np.float64]


#: The tests, and what each is called in a text.
TESTS = {
    "randomization": "randomization test",
    "bootstrap": "bootstrap test",
    "sign": "sign test",
}
#: Of more groups than this as many bundles are signed, or drawn, as a whole.
_BUNDLES = 4096
#: An interval needs no more samples than this.
_INTERVAL = 2000
#: So many numbers are in hand at once.
_NUMBERS = 1 << 22


@dataclass(frozen=True)
class Trial:
    """How the paired differences of systems are tested."""

    test: str
    samples: int
    margin: float
    rng: np.random.Generator
    progress: bool | None = None


def paired_differences(
    values: Floats, trial: Trial, *, systems: Sequence[Any], better: str = "higher"
) -> list[PairedDifference]:
    """Return how any two systems differ in one measure, the better first, p-values unadjusted."""
    # From here on larger is better, and in the end the differences have their signs again.
    values = values if better == "higher" else 0.0 - values
    keys = [(item_key(system), place) for place, system in enumerate(systems)]
    pairs = [_oriented(values, pair, trial, keys) for pair in combinations(range(len(keys)), 2)]
    centred = values - values.mean(axis=1, keepdims=True)
    sums, counts = _bundled(centred, trial.rng)
    means = _bootstrap_means(sums, counts, trial)
    if trial.test == "sign":
        p_values = [sign_test(*_ahead(values, pair)[:2]) for pair in pairs]
    elif trial.test == "bootstrap":
        p_values = [_bootstrap_p_value(values, means, pair) for pair in pairs]
    else:
        p_values = _randomization_p_values(values, sums, pairs, trial)
    bounds = [percentiles(means[:, i] - means[:, j], trial.margin) for i, j in pairs]
    found = [
        _difference(values, pair, systems, p_value, interval)
        for pair, p_value, interval in zip(pairs, p_values, bounds, strict=True)
    ]
    return found if better == "higher" else [each.negated() for each in found]


def _oriented(
    values: Floats, pair: tuple[int, int], trial: Trial, keys: Sequence[Any]
) -> tuple[int, int]:
    """Return a pair of systems, the better first; equally good ones by their names."""
    i, j = pair
    wins, losses, _ = _ahead(values, pair)
    ahead = wins - losses if trial.test == "sign" else 0
    lead = ahead or _mean(values[:, i] - values[:, j])
    return (j, i) if lead < 0 or (not lead > 0 and keys[j] < keys[i]) else (i, j)


def _mean(differences: Floats) -> float:
    return float(np.mean(differences)) if len(differences) else math.nan


def _bundled(values: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return values of systems summed over bundles of groups, and how many groups each has."""
    n = len(values)
    if n <= _BUNDLES:
        return values, np.ones(values.shape)
    counts, sums = sums_of_bundles(rng.permutation(n) % _BUNDLES, list(values.T), _BUNDLES)
    return sums, counts


def _bootstrap_means(sums: Floats, counts: Floats, trial: Trial) -> Floats:
    if not len(sums):
        return np.full((1, sums.shape[1]), np.nan)
    samples = trial.samples if trial.test == "bootstrap" else min(trial.samples, _INTERVAL)
    return poisson_means(sums, counts, samples, trial.rng)


def _randomization_p_values(
    values: Floats, sums: Floats, pairs: Sequence[tuple[int, int]], trial: Trial
) -> list[float]:
    """Return for each pair the p-value of its differences under random signs."""
    p_values = np.full(len(pairs), np.nan)
    drawn, bounds = [], []
    for place, (i, j) in enumerate(pairs):
        differences = values[:, i] - values[:, j]
        if np.count_nonzero(differences) <= EXACT_UP_TO:
            p_values[place] = exact_sign_flips(differences) if len(values) else math.nan
        else:
            drawn.append(place)
            bounds.append(abs(float(np.sum(differences))) - rounding(differences))
    if drawn:
        chosen = np.array(pairs)[drawn]
        as_extreme = _count_as_extreme(sums, chosen, np.array(bounds), trial)
        p_values[drawn] = sampled_p_value(as_extreme, trial.samples)
    return list(map(float, p_values.tolist()))


def _count_as_extreme(sums: Floats, pairs: Numbers, bounds: Floats, trial: Trial) -> Numbers:
    """Return for each pair how many drawn signs give a sum as far from 0 as the bound."""
    step = max(1, _NUMBERS // max(len(sums), len(pairs)))
    as_extreme = np.zeros(len(pairs), dtype=np.int64)
    for first in track(
        range(0, trial.samples, step), progress=trial.progress, label="random signs"
    ):
        signs = draw_signs(min(step, trial.samples - first), len(sums), trial.rng)
        signed = signs @ sums
        size = np.abs(signed[:, pairs[:, 0]] - signed[:, pairs[:, 1]])
        as_extreme += np.count_nonzero(size >= bounds, axis=0)
    return as_extreme


def _bootstrap_p_value(values: Floats, means: Floats, pair: tuple[int, int]) -> float:
    """Return the p-value of a mean difference among those of samples, moved to have mean 0."""
    i, j = pair
    differences = values[:, i] - values[:, j]
    n = len(differences)
    if n < 2:
        return 1.0 if n else math.nan
    observed = float(np.mean(differences))
    moved = np.abs(means[:, i] - means[:, j] - observed)
    # A sample in which no group was drawn says nothing against chance.
    is_below = moved < abs(observed) - rounding(differences) / n
    return float(sampled_p_value(np.count_nonzero(~is_below), len(means)))


def _ahead(values: Floats, pair: tuple[int, int]) -> tuple[int, int, int]:
    """Return in how many groups the first system is ahead, the second is, and neither."""
    one, other = values[:, pair[0]], values[:, pair[1]]
    wins, losses = int(np.count_nonzero(one > other)), int(np.count_nonzero(one < other))
    return wins, losses, len(values) - wins - losses


def _difference(
    values: Floats,
    pair: tuple[int, int],
    systems: Sequence[Any],
    p_value: float,
    interval: tuple[float, float],
) -> PairedDifference:
    differences = values[:, pair[0]] - values[:, pair[1]]
    wins, losses, ties = _ahead(values, pair)
    return PairedDifference(
        first=systems[pair[0]],
        second=systems[pair[1]],
        difference=_mean(differences),
        low=interval[0],
        high=interval[1],
        p_value=p_value,
        adjusted=p_value,
        effect_size=_effect_size(differences),
        superiority=(wins + ties / 2) / len(values) if len(values) else math.nan,
        wins=wins,
        losses=losses,
        ties=ties,
    )


def _effect_size(differences: Floats) -> float:
    """Return the effect size of paired differences: mean over standard deviation."""
    if len(differences) < 2:
        return math.nan
    mean, deviation = float(np.mean(differences)), float(np.std(differences, ddof=1))
    if deviation <= rounding(differences) / len(differences):
        return math.copysign(math.inf, mean) if mean else math.nan
    return mean / deviation


#: What is said of a group that the evaluation of a system does not know at all.
_ABSENT = "absent"


@dataclass(frozen=True)
class Paired:
    """The values of one measure for all systems, side by side."""

    values: NDArray[np.float64]
    left_out: int
    reasons: dict[Any, dict[str, int]]
    uneven: int


def pair_groups(evaluations: Mapping[Any, Evaluation]) -> Numbers:
    """Return where the evaluation of each system has the groups of all."""
    labels = [_labels(evaluation) for evaluation in evaluations.values()]
    row = {label: place for place, label in enumerate(dict.fromkeys(chain(*labels)))}
    places = np.full((len(row), len(labels)), -1)
    for column, each in enumerate(labels):
        # Most often all have the same groups, in the same sequence.
        is_first = each == labels[0]
        rows = slice(len(each)) if is_first else [row[label] for label in each]
        places[rows, column] = np.arange(len(each))
    return places


def _labels(evaluation: Evaluation) -> list[Any]:
    columns = [evaluation.columns[name].tolist() for name in evaluation.by]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


def paired_values(evaluations: Mapping[Any, Evaluation], places: Numbers, measure: str) -> Paired:
    """Return the values of a measure for the groups that all systems have a value for."""
    values = np.full(places.shape, np.nan)
    sizes = np.zeros(places.shape, dtype=np.int64)
    reasons = {}
    for column, (system, evaluation) in enumerate(evaluations.items()):
        at = places[:, column]
        there = at >= 0
        values[there, column] = evaluation.columns[measure][at[there]]
        sizes[there, column] = evaluation.sizes[at[there]]
        reasons[system] = _reasons(values[:, column], at, evaluation.statuses[measure])
    infinite = np.isinf(values).any(axis=1)
    if infinite.any():
        raise PorankError(
            f"expected finite values of {measure!r} to take means of, found "
            f"{listed(values[int(np.argmax(infinite))].tolist())} in one group"
        )
    common = ~np.isnan(values).any(axis=1)
    uneven = (sizes[common] != sizes[common][:, :1]).any(axis=1)
    if all(evaluation.judges_lists(measure) for evaluation in evaluations.values()):
        # What else is listed changes no list of theirs.
        uneven = np.zeros(1, dtype=bool)
    return Paired(
        values[common],
        int(np.count_nonzero(~common)),
        reasons,
        int(np.count_nonzero(uneven)),
    )


def _reasons(
    values: NDArray[np.float64], at: Numbers, statuses: NDArray[np.uint8]
) -> dict[str, int]:
    """Return how many groups without a value of a system have which status."""
    absent = int(np.count_nonzero(at < 0))
    counts = count_statuses(statuses[at[np.isnan(values) & (at >= 0)]])
    return {**counts, **({_ABSENT: absent} if absent else {})}


@dataclass(frozen=True)
class PairedDifference:
    """The differences of two systems in one measure, over the groups both have a value for."""

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
    losses: int
    ties: int

    def negated(self) -> PairedDifference:
        """Return the same paired difference with the other sign of values."""
        return replace(
            self,
            # 0.0 less a number, so that there is no -0.0.
            difference=0.0 - self.difference,
            low=0.0 - self.high,
            high=0.0 - self.low,
            effect_size=0.0 - self.effect_size,
        )
