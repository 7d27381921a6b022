"""Test whether the model of strengths fits: `check_fit`, which returns a `Fit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.errors import counted
from porank.strengths.likelihoods import BattleLikelihood

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


#: Rounding makes no deviance, and no statistic, larger than this.
_EXACT = 1e-9
#: Number of times that battles are drawn from the model to count cyclic triads.
_DRAWS = 500


class Fit(NamedTuple):
    """How well a model of strengths fits the outcomes of pairs.

    `deviance` is twice the difference between the log likelihood of the observed shares of each
    pair and that of the model, and `freedom` its degrees of freedom. `p_value` is the probability
    of outcomes at least as far from the expected ones. `cyclic` is the number of cyclic triads of
    majorities, and `expected` the mean number in the fitted model; both are None unless battles are
    independent.
    """

    deviance: float
    freedom: int
    p_value: float
    cyclic: int | None = None
    expected: float | None = None

    def notes(self) -> Iterator[str]:
        """Yield sentences on how well the model fits."""
        freedom = f"{counted(self.freedom, 'degree')} of freedom"
        yield f"deviance of the pairs: {self.deviance:.4g} on {freedom}"
        if self.cyclic is not None:
            yield f"cyclic triads of majorities: {self.cyclic:,}, {self.expected:.2g} expected"


def check_fit(
    outcomes: Numbers,
    groups: Numbers,
    parameters: Floats,
    free: int,
    moves: Floats,
    signs: NDArray[np.int8],
    rng: np.random.Generator,
) -> Fit | None:
    """Return how well the model fits, or None if it has a free parameter for each outcome.

    `outcomes` has a column for each pair that a row compares: the row, the first item, the second,
    and the outcome. The statistic is Pearson's: the squared differences between observed and
    expected counts, divided by the expected ones. Leaving out a group of units changes these
    differences; random signs of the changes show how large the statistic is by chance. A group adds
    to the observed counts, and changes the expected counts of the others, because it moves the
    parameters.
    """
    row, first, second, outcome = outcomes
    n, size = parameters.size, 2 + int(outcome.max(initial=0) > 1)
    pairs, pair = np.unique(first * n + second, return_inverse=True)
    freedom = pairs.size * (size - 1) - free
    if freedom <= 0:
        return None
    each, cell = np.repeat(pairs, size), pair * size + outcome
    cells = BattleLikelihood(each // n, each % n, np.arange(each.size) % size, n - (size > 2))
    chance = np.exp(cells.log_chances(parameters))
    counts = np.array([np.bincount(cell, weight[row], each.size) for weight in groups])
    times = counts.reshape(-1, pairs.size, size).sum(axis=2)
    of_groups = np.repeat(times, size, axis=1) * chance
    observed, expected = counts.sum(axis=0), of_groups.sum(axis=0)
    changes = counts - of_groups - (expected - of_groups) * (moves @ cells.score(parameters).T)
    changes /= np.sqrt(expected)
    # The first signs stand for what was observed.
    statistics = ((changes @ changes.T @ signs) * signs).sum(axis=0)
    statistics[0] = (np.square(observed - expected) / expected).sum()
    p_value = np.mean(statistics >= statistics[0] * (1 - _EXACT) - _EXACT)
    seen = observed > 0
    deviance = 2 * observed[seen] @ np.log(observed[seen] / expected[seen])
    tables = observed.reshape(-1, size), chance.reshape(-1, size)
    cycles = _count_cycles(n, pairs // n, pairs % n, *tables, rng)
    return Fit(float(deviance * (deviance > _EXACT)), int(freedom), float(p_value), *cycles)


def _count_cycles(
    n: int,
    first: Numbers,
    second: Numbers,
    counts: Floats,
    chances: Floats,
    rng: np.random.Generator,
) -> tuple[int, float]:
    """Return the number of cyclic triads of majorities, and its mean in the fitted model."""
    times = counts.sum(axis=1).astype(np.int64)
    drawn = rng.multinomial(times, chances, size=(_DRAWS, times.size))

    def mean_number(tables: Any) -> float:
        """Return the mean number, from closed walks of length 3; each triad has three."""
        margin, beats = tables[..., 0] - tables[..., 1], np.zeros((n, n))
        beats[first, second], beats[second, first] = (margin > 0).mean(0), (margin < 0).mean(0)
        return float(((beats @ beats) * beats.T).sum()) / 3

    return round(mean_number(counts[None])), mean_number(drawn)
