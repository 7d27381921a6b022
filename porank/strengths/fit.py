"""Whether the model of strengths fits: `check_fit`, which returns a `Fit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.progress import track
from porank.errors import counted
from porank.strengths.likelihood import BattleLikelihood

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.strengths.estimate import Influence, Rows
    from porank.typing import Floats, Numbers


#: Rounding makes no deviance, and no statistic, larger than this.
_EXACT = 1e-9
#: Number of times that battles are drawn from the model to count cyclic triads.
_DRAWS = 500


class Fit(NamedTuple):
    """How well a model fits the outcomes of pairs.

    `deviance` is twice the log likelihood that the observed shares of each pair have more than the
    model, `freedom` its degrees of freedom (None for rankings, whose pairs depend on each other),
    and `p_value` the probability of outcomes as far from the expected ones. `cyclic` is the number
    of cyclic triads of majorities, `expected` their mean number in the model, and `cyclic_p_value`
    the probability of as many; these are None unless battles are independent.
    """

    deviance: float
    freedom: int | None
    p_value: float
    cyclic: int | None = None
    expected: float | None = None
    cyclic_p_value: float | None = None

    @property
    def least_p_value(self) -> float:
        """The smaller p-value, adjusted for the number of tests."""
        known = [each for each in (self.p_value, self.cyclic_p_value) if each is not None]
        return min(1.0, len(known) * min(known))

    def notes(self) -> Iterator[str]:
        """Yield in words how well the model fits."""
        degrees = "" if self.freedom is None else counted(self.freedom, "degree")
        freedom = f" on {degrees} of freedom" if degrees else ""
        yield f"deviance of the pairs {self.deviance:.4g}{freedom} (p = {self.p_value:.2g})"
        if self.cyclic is not None:
            chance = f"{self.expected:.2g} expected (p = {self.cyclic_p_value:.2g})"
            yield f"cyclic triads of majorities: {self.cyclic:,}, {chance}"


class Outcomes(NamedTuple):
    """The outcomes of pairs that rows have: entry k says that row `row[k]` has `outcome[k]`.

    The first of each pair has the lower number.
    """

    row: Numbers
    first: Numbers
    second: Numbers
    outcome: Numbers


def check_fit(
    rows: Rows,
    outcomes: Outcomes,
    parameters: Floats,
    free: int,
    influence: Influence,
    signs: NDArray[np.int8],
    rng: np.random.Generator,
) -> Fit:
    """Return how well the model fits, with so many free parameters.

    The statistic is Pearson's: squares of observed less expected counts, over the expected ones.
    Random signs of what each group of units adds to these differences show how large it is by
    chance. A group adds to a count directly, and to what is expected by its influence.
    """
    n = parameters.size
    pairs, pair = np.unique(outcomes.first * n + outcomes.second, return_inverse=True)
    size = 2 + int(outcomes.outcome.max() > 1)
    each = np.repeat(pairs, size)
    cells = BattleLikelihood(each // n, each % n, np.arange(each.size) % size, n - (size > 2))
    cell = pair * size + outcomes.outcome
    counts = np.array(
        [np.bincount(cell, weight[outcomes.row], each.size) for weight in influence.weights]
    )
    chance = np.exp(cells.log_chances(parameters))
    times = counts.reshape(-1, pairs.size, size).sum(axis=2)
    of_groups = np.repeat(times, size, axis=1) * chance
    observed, expected = counts.sum(axis=0), of_groups.sum(axis=0)
    strays = counts - of_groups - expected * (influence.moves @ cells.score(parameters).T)
    strays /= np.sqrt(expected)
    # The first signs are what was observed.
    statistics = ((strays @ strays.T @ signs) * signs).sum(axis=0)
    p_value = float(np.mean(statistics >= statistics[0] * (1 - _EXACT) - _EXACT))
    seen = observed > 0
    deviance = float(2 * observed[seen] @ np.log(observed[seen] / expected[seen]))
    deviance = deviance if deviance > _EXACT else 0.0
    if not isinstance(rows.likelihood, BattleLikelihood):
        return Fit(deviance, None, p_value)
    freedom = pairs.size * (size - 1) - free
    if rows.unit is not None:
        return Fit(deviance, freedom, p_value)
    tables = observed.reshape(-1, size), chance.reshape(-1, size)
    return Fit(deviance, freedom, p_value, *_check_cycles(pairs // n, pairs % n, *tables, rng))


def _check_cycles(
    first: Numbers, second: Numbers, counts: Floats, chances: Floats, rng: np.random.Generator
) -> tuple[int, float, float]:
    """Return the number of cyclic triads of majorities, the expected one, and the p-value."""
    above = np.zeros((second.max() + 1,) * 2, dtype=np.float32)

    def count(outcomes: Any) -> int:
        """Count closed walks of length 3, three for each cyclic triad."""
        margin = outcomes[:, 0] - outcomes[:, 1]
        above[first, second], above[second, first] = margin > 0, margin < 0
        return round(float(((above @ above) * above.T).sum()) / 3)

    found, times = count(counts), counts.sum(axis=1).astype(np.int64)
    drawn = [
        count(rng.multinomial(times, chances)) for _ in track(range(_DRAWS), label="cyclic triads")
    ]
    as_many = sum(each >= found for each in drawn) + 1
    return found, float(np.mean(drawn)), as_many / (_DRAWS + 1)
