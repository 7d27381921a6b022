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

from porank.abstention.settled import sign_test
from porank.core.arguments import generator_of, require_level, require_one_of, require_samples
from porank.core.arrays import in_parts, percentiles
from porank.core.graphs import item_key
from porank.core.progress import track
from porank.errors import PorankError, listed
from porank.evaluation.result import count_statuses, poisson_means, sums_of_bundles
from porank.significance.p_values import CORRECTIONS, ROUNDING, sampled_p_value, throw_signs

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
_NUMBERS = 1 << 20
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


def paired_differences(
    values: Floats, trial: Trial, *, systems: Sequence[Any], better: str = "higher"
) -> list[PairedDifference]:
    """Return the paired difference of any two systems in one measure, p-values unadjusted.

    A system has a column of values, nan where it has none: two systems are held against each other
    in the rows that both have.
    """
    values = np.asfortranarray(values)
    untested, pairs = [], []
    for i, j in combinations(range(len(systems)), 2):
        differences = values[:, i] - values[:, j]
        names, is_counted = (systems[i], systems[j]), trial.test == "sign"
        each = _untested(differences[~np.isnan(differences)], names, better, is_counted=is_counted)
        untested.append(each)
        pairs.append((i, j) if each.first is systems[i] else (j, i))
    found: list[PairedDifference] = []
    for some, columns in _blocks(values, pairs, trial):
        samples = trial.samples if trial.test == "bootstrap" else min(trial.samples, _INTERVAL)
        means = poisson_means(columns.sums, columns.counts, samples, trial.rng)
        p_values = _p_values(untested[some], columns, means, trial)
        for each, p_value, (i, j) in zip(untested[some], p_values, columns.places, strict=True):
            found.append(_tested(each, p_value, means[:, i] - means[:, j], trial))
    return found


def _untested(
    differences: Floats, names: tuple[Any, Any], better: str, *, is_counted: bool
) -> PairedDifference:
    """Return the paired difference of two systems, the better first; equal ones by their names."""
    sign = 1 if better == "higher" else -1
    n = len(differences)
    mean = float(np.mean(differences)) if n else math.nan
    wins, losses = (int(np.count_nonzero(sign * side * differences > 0)) for side in (1, -1))
    lead = (wins - losses if is_counted else 0) or sign * mean
    if lead < 0 or (not lead > 0 and item_key(names[1]) < item_key(names[0])):
        # 0.0 less a number, so that there is no -0.0.
        names, mean, wins, losses = names[::-1], 0.0 - mean, losses, wins
    ties = n - wins - losses
    deviation = float(np.std(differences, ddof=1)) if n > 1 else math.nan
    if n * deviation <= ROUNDING * float(np.sum(np.abs(differences))):
        effect_size = math.copysign(math.inf, mean) if mean else math.nan
    else:
        effect_size = mean / deviation
    superiority = (wins + ties / 2) / n if n else math.nan
    unknown = (math.nan,) * 4
    return PairedDifference(*names, mean, *unknown, effect_size, superiority, wins, losses, ties)


def _tested(
    untested: PairedDifference, p_value: float, means: Floats, trial: Trial
) -> PairedDifference:
    """Return the paired difference with its p-value, and the interval of its means of samples."""
    low, high = percentiles(means, float(trial.significance) / 2)
    p_value = p_value if untested.groups else math.nan
    return replace(untested, low=low, high=high, p_value=p_value, adjusted=p_value)


class _Columns(NamedTuple):
    """Sums over bundles of groups, how many groups each has, and each pair as two columns."""

    sums: Floats
    counts: Floats
    places: list[tuple[int, int]]


def _blocks(
    values: Floats, pairs: list[tuple[int, int]], trial: Trial
) -> Iterator[tuple[slice, _Columns]]:
    """Yield pairs of systems with the columns that hold their paired differences, by bundles.

    Where every system has every value, a column is a system, and one block holds all. If not, a
    column holds the differences of one pair, and the last is 0.
    """
    n, bundles = len(values), min(len(values), _BUNDLES)
    bundle = np.arange(n) if n == bundles else trial.rng.permutation(n) % bundles
    if not np.isnan(values).any():
        centred = values - values.mean(axis=1, keepdims=True)
        counts, sums = sums_of_bundles(bundle, list(centred.T), bundles)
        yield slice(None), _Columns(sums, counts, pairs)
        return
    size = max(1, _NUMBERS // max(bundles, trial.samples if trial.test == "bootstrap" else 1))
    for some in in_parts(len(pairs), size):
        columns = [values[:, i] - values[:, j] for i, j in pairs[some]]
        last = len(columns)
        counts, sums = sums_of_bundles(bundle, [*columns, np.zeros(n)], bundles)
        yield some, _Columns(sums, counts, [(place, last) for place in range(last)])


def _p_values(
    untested: Sequence[PairedDifference], columns: _Columns, means: Floats, trial: Trial
) -> list[float]:
    """Return the p-value of the paired differences of each two systems, by the test asked for."""
    if trial.test == "sign":
        return [sign_test(each.wins, each.losses) for each in untested]
    first, second = np.array(columns.places, dtype=np.int64).reshape(-1, 2).T
    sums, sizes = columns.sums, np.abs(columns.sums).sum(axis=0)
    slack = ROUNDING * (sizes[first] + sizes[second])
    if trial.test == "randomization":
        least = np.abs(sums.sum(axis=0)[first] - sums.sum(axis=0)[second]) - slack
        return _randomized(sums, first, second, least, trial)
    # A sample in which no group was drawn says nothing against chance.
    found = []
    for each, i, j, off in zip(untested, first, second, slack, strict=True):
        away = np.abs(means[:, i] - means[:, j] - each.difference)
        is_below = away < abs(each.difference) - off / max(each.groups, 1)
        as_extreme = np.count_nonzero(~is_below) if each.groups > 1 else len(means)
        found.append(float(sampled_p_value(as_extreme, len(means))))
    return found


def _randomized(
    sums: Floats, first: Numbers, second: Numbers, least: Floats, trial: Trial
) -> list[float]:
    """Return for each pair of systems how often sums are as far apart with signs by chance."""
    as_far, thrown = np.zeros(len(least), dtype=np.int64), 0
    step = max(1, _NUMBERS // max(len(sums), len(least), 1))
    for signs in track(throw_signs(len(sums), trial.samples, trial.rng, step), label="signs"):
        signed = sums.T @ signs.T
        as_far += np.count_nonzero(np.abs(signed[first] - signed[second]) >= least[:, None], axis=1)
        thrown += len(signs)
    is_exact = thrown >= 2 ** len(sums)
    p_values: list[float] = sampled_p_value(as_far, thrown, is_exact=is_exact).tolist()
    return p_values


def counted_differences(
    wins: Numbers, ties: Numbers, trial: Trial, *, systems: Sequence[Any]
) -> list[PairedDifference]:
    """Return the paired difference of any two systems from battles, wins [i, j] those of i."""
    found = []
    for i, j in combinations(range(len(systems)), 2):
        counts = [int(wins[i, j]), int(wins[j, i]), int(ties[i, j])]
        differences, names = np.repeat([1.0, -1.0, 0.0], counts), (systems[i], systems[j])
        each = _untested(differences, names, "higher", is_counted=True)
        drawn = trial.rng.poisson((each.wins, each.losses, each.ties), (_INTERVAL, 3))
        with np.errstate(invalid="ignore"):
            means = (drawn[:, 0] - drawn[:, 1]) / drawn.sum(axis=1)
        found.append(_tested(each, sign_test(each.wins, each.losses), means, trial))
    return found


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
        places[[row[label] for label in each], column] = np.arange(len(each))
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
