"""Any two of several systems held against each other, group by group: how much, how surely.

`pair_groups` and `paired_values` lay evaluations side by side; `paired_differences` tests any two
systems, the better first, each a `PairedDifference`, by the `Trial` and `TESTS`;
`counted_differences` does so for wins and losses that were counted.

Idea: *a sum of signed differences is a difference of signed sums.* So signs, or samples, are drawn
once for all pairs of systems, and cost as much as the systems, not as the pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import generator_of, require_level, require_one_of, require_samples
from porank.core.arrays import in_parts, percentiles
from porank.core.graphs import item_key
from porank.core.progress import track
from porank.errors import PorankError, listed
from porank.evaluation.result import count_statuses, poisson_means, sums_of_bundles
from porank.significance.p_values import (
    CORRECTIONS,
    EXACT_UP_TO,
    draw_signs,
    exact_sign_flips,
    rounding,
    sampled_p_value,
    sign_test,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.evaluation.result import Evaluation
    from porank.typing import Floats, Numbers, Seed


#: The tests, and what each is called in a text.
TESTS = {
    "randomization": "randomization test",
    "bootstrap": "bootstrap test",
    "sign": "sign test",
}
#: Of more groups than this as many bundles are signed, or drawn, as a whole.
_BUNDLES = 1024
#: An interval needs no more samples than this.
_INTERVAL = 2000
#: So many numbers are in hand at once.
_NUMBERS = 1 << 22
#: So many pairs are looked at at once.
_PAIRS = 64
#: So many samples, and as many times those that a single finding among all tests needs.
_SAMPLES, _TIMES = 10_000, 10


@dataclass(frozen=True)
class Trial:
    """How the paired differences of systems are tested and adjusted; checked as it is made."""

    test: str
    correction: str = "holm"
    family: str = "measure"
    significance: float = 0.05
    samples: Any = None
    seed: Seed = 0

    def __post_init__(self) -> None:
        require_one_of(self.test, tuple(TESTS), name="test")
        require_one_of(self.correction, tuple(CORRECTIONS), name="correction")
        require_one_of(self.family, ("measure", "all"), name="family")
        if self.samples is not None:
            require_samples(self.samples)
        generator_of(self.seed)
        require_level(self.significance, name="significance")

    @property
    def rng(self) -> np.random.Generator:
        """What draws signs and samples."""
        return generator_of(self.seed)

    def drawing(self, tests: int) -> Trial:
        """Return the trial ready to draw, samples being enough for so many tests if not given."""
        enough = max(_SAMPLES, math.ceil(_TIMES * tests / self.significance))
        samples = enough if self.samples is None else int(self.samples)
        return replace(self, samples=samples, seed=self.rng)

    def interval(self, means: Floats) -> tuple[float, float]:
        """Return the bounds between which such means of samples lie."""
        return percentiles(means, float(self.significance) / 2)


def paired_differences(
    values: Floats, trial: Trial, *, systems: Sequence[Any], better: str = "higher"
) -> list[PairedDifference]:
    """Return the paired difference of any two systems in one measure, p-values unadjusted.

    A system has a column of values, nan where it has none: two systems are held against each other
    in the rows that both have.
    """
    # From here on larger is better, and in the end the differences have their signs again.
    values = np.asfortranarray(values if better == "higher" else 0.0 - values)
    leads = [
        _lead(_differences(values, pair), pair, systems, is_counted=trial.test == "sign")
        for pair in combinations(range(len(systems)), 2)
    ]
    found: list[PairedDifference] = []
    for block, columns in _blocks(values, leads, trial):
        samples = trial.samples if trial.test == "bootstrap" else min(trial.samples, _INTERVAL)
        means = poisson_means(columns.sums, columns.counts, samples, trial.rng)
        p_values = _p_values(values, block, columns, means, trial)
        bounds = (trial.interval(means[:, i] - means[:, j]) for i, j in columns.places)
        found += map(_Lead.tested, block, p_values, bounds)
    return found if better == "higher" else [each.negated() for each in found]


class _Lead(NamedTuple):
    """Two systems, the better first, how far it is ahead, and their difference before any test."""

    pair: tuple[int, int]
    total: float
    slack: float
    untested: PairedDifference

    def tested(self, p_value: float, interval: tuple[float, float]) -> PairedDifference:
        """Return the difference with its p-value and its interval."""
        low, high = interval
        return replace(self.untested, low=low, high=high, p_value=p_value, adjusted=p_value)


def _lead(
    differences: Floats, pair: tuple[int, int], systems: Sequence[Any], *, is_counted: bool
) -> _Lead:
    """Return the paired difference of two systems, the better first; equal ones by their names."""
    i, j = pair
    n = len(differences)
    wins, losses = (int(np.count_nonzero(side)) for side in (differences > 0, differences < 0))
    ties = n - wins - losses
    total, slack = float(np.sum(differences)), rounding(differences)
    mean = total / n if n else math.nan
    effect_size = _effect_size(differences, mean, slack)
    lead = (wins - losses if is_counted else 0) or mean
    if lead < 0 or (not lead > 0 and item_key(systems[j]) < item_key(systems[i])):
        i, j, wins, losses = j, i, losses, wins
        # 0.0 less a number, so that there is no -0.0.
        total, mean, effect_size = 0.0 - total, 0.0 - mean, 0.0 - effect_size
    superiority = (wins + ties / 2) / n if n else math.nan
    untested = (math.nan,) * 4
    told = mean, *untested, effect_size, superiority, wins, losses, ties
    return _Lead((i, j), total, slack, PairedDifference(systems[i], systems[j], *told))


def _effect_size(differences: Floats, mean: float, slack: float) -> float:
    """Return the effect size of a pair of systems: the mean difference by its deviation."""
    n = len(differences)
    if n < 2:
        return math.nan
    centred = differences - mean
    centred *= centred
    deviation = math.sqrt(float(np.sum(centred)) / (n - 1))
    if deviation <= slack / n:
        return math.copysign(math.inf, mean) if mean else math.nan
    return mean / deviation


def _differences(values: Floats, pair: tuple[int, int]) -> Floats:
    """Return the paired differences of two systems, group by group where both have values."""
    differences: Floats = values[:, pair[0]] - values[:, pair[1]]
    is_missing = np.isnan(differences)
    return differences[~is_missing] if is_missing.any() else differences


class _Columns(NamedTuple):
    """Sums over bundles of groups, how many groups each has, and each pair as two columns."""

    sums: Floats
    counts: Floats
    places: list[tuple[int, int]]


def _blocks(
    values: Floats, leads: list[_Lead], trial: Trial
) -> Iterator[tuple[list[_Lead], _Columns]]:
    """Yield pairs of systems with the columns that hold their paired differences, by bundles.

    Where every system has every value, a column is a system, and one block holds all. If not, a
    column holds the differences of one pair, and the last is 0.
    """
    bundles = min(len(values), _BUNDLES)
    whole = np.arange(bundles)
    bundle = whole if len(values) == bundles else trial.rng.permutation(len(values)) % bundles
    if not np.isnan(values).any():
        centred = values - values.mean(axis=1, keepdims=True)
        counts, sums = sums_of_bundles(bundle, list(centred.T), bundles)
        yield leads, _Columns(sums, counts, [each.pair for each in leads])
        return
    size = max(1, _NUMBERS // max(bundles, trial.samples if trial.test == "bootstrap" else 1))
    for block in (leads[part] for part in in_parts(len(leads), size)):
        columns = [values[:, i] - values[:, j] for i, j in (each.pair for each in block)]
        last = len(columns)
        counts, sums = sums_of_bundles(bundle, [*columns, np.zeros(len(values))], bundles)
        yield block, _Columns(sums, counts, [(place, last) for place in range(last)])


def _p_values(
    values: Floats, block: Sequence[_Lead], columns: _Columns, means: Floats, trial: Trial
) -> list[float]:
    """Return the p-value of the paired differences of each two systems, by the test asked for."""
    if trial.test == "sign":
        return list(map(_sign_p_value, block))
    if trial.test == "bootstrap":
        moved = (means[:, i] - means[:, j] for i, j in columns.places)
        return list(map(_bootstrap_p_value, block, moved))
    p_values = np.full(len(block), np.nan)
    drawn = []
    for place, each in enumerate(block):
        if each.untested.wins + each.untested.losses > EXACT_UP_TO:
            drawn.append(place)
        elif each.untested.groups:
            p_values[place] = exact_sign_flips(_differences(values, each.pair))
    if drawn:
        pairs = np.array([columns.places[place] for place in drawn])
        bounds = np.array([abs(block[place].total) - block[place].slack for place in drawn])
        p_values[drawn] = _sampled_p_values(columns.sums, pairs, bounds, trial)
    return list(map(float, p_values.tolist()))


def counted_differences(
    wins: Numbers, ties: Numbers, trial: Trial, *, systems: Sequence[Any]
) -> list[PairedDifference]:
    """Return the paired difference of any two systems from battles, wins [i, j] those of i."""
    found = []
    for i, j in combinations(range(len(systems)), 2):
        counts = [int(wins[i, j]), int(wins[j, i]), int(ties[i, j])]
        lead = _lead(np.repeat([1.0, -1.0, 0.0], counts), (i, j), systems, is_counted=True)
        each = lead.untested
        drawn = trial.rng.poisson((each.wins, each.losses, each.ties), (_INTERVAL, 3))
        with np.errstate(invalid="ignore"):
            means = (drawn[:, 0] - drawn[:, 1]) / drawn.sum(axis=1)
        found.append(lead.tested(_sign_p_value(lead), trial.interval(means)))
    return found


def _sampled_p_values(sums: Floats, pairs: Numbers, bounds: Floats, trial: Trial) -> Floats:
    """Return for each pair of systems the p-value of their differences under drawn signs."""
    as_extreme = np.zeros(len(pairs), dtype=np.int64)
    step = max(1, _NUMBERS // max(len(sums), len(pairs)))
    for begin in track(range(0, trial.samples, step), label="random signs"):
        signs = draw_signs(min(step, trial.samples - begin), len(sums), trial.rng)
        signed = sums.T @ signs.T.astype(np.float64)
        for some in in_parts(len(pairs), _PAIRS):
            first, second = pairs[some].T
            is_far = np.abs(signed[first] - signed[second]) >= bounds[some, None]
            as_extreme[some] += np.count_nonzero(is_far, axis=1)
    p_values: Floats = sampled_p_value(as_extreme, trial.samples)
    return p_values


def _sign_p_value(lead: _Lead) -> float:
    found = lead.untested
    return sign_test(found.wins, found.losses) if found.groups else math.nan


def _bootstrap_p_value(lead: _Lead, means: Floats) -> float:
    """Return the bootstrap p-value of the mean paired difference of two systems."""
    n, mean = lead.untested.groups, lead.untested.difference
    if n < 2:
        return 1.0 if n else math.nan
    # A sample in which no group was drawn says nothing against chance.
    is_below = np.abs(means - mean) < abs(mean) - lead.slack / n
    return float(sampled_p_value(np.count_nonzero(~is_below), len(means)))


#: What is said of a group that the evaluation of a system does not know at all.
_ABSENT = "absent"


@dataclass(frozen=True)
class Paired:
    """The values of one measure for all systems, side by side."""

    values: Floats
    left_out: int
    reasons: dict[Any, dict[str, int]]
    uneven: int


def pair_groups(evaluations: Mapping[Any, Evaluation]) -> Numbers:
    """Return the groups of several evaluations paired: where each system's has each of them."""
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
    """Return the values of a measure paired by group, where all systems have one."""
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


def _reasons(values: Floats, at: Numbers, statuses: NDArray[np.uint8]) -> dict[str, int]:
    """Return for how many groups a system lacks a value to be paired, by status."""
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

    @property
    def groups(self) -> int:
        """In how many groups the two systems are held against each other."""
        return self.wins + self.losses + self.ties

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
