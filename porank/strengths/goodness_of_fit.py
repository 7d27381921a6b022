"""Test whether the model of strengths fits: all in all (`check_fit`), and pair by pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import special

from porank.abstention.settled import holm
from porank.core.arrays import pair_codes
from porank.errors import counted
from porank.strengths.likelihoods import battle_likelihood

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


#: Rounding makes no deviance, and no statistic, larger than this.
_EXACT = 1e-9


class Fit(NamedTuple):
    """How well a model of strengths fits the outcomes of pairs.

    `deviance` is twice the difference between the log likelihood of the observed shares of each
    pair and that of the model, and `freedom` its degrees of freedom. `p_value` is the probability
    of outcomes at least as far from the expected ones.
    """

    deviance: float
    freedom: int
    p_value: float

    def note(self) -> str:
        """Return a sentence on how well the model fits."""
        freedom = f"{counted(self.freedom, 'degree')} of freedom"
        return f"deviance of the pairs: {self.deviance:.4g} on {freedom}"


def check_fit(
    outcomes: Numbers,
    groups: Numbers,
    parameters: Floats,
    free: int,
    moves: Floats,
    signs: NDArray[np.int8],
) -> Fit | None:
    """Return how well the model fits, or None if it has a free parameter for each outcome.

    `outcomes` has a column for each pair that a row decides: the row, the upper item and the lower
    one. The statistic is Pearson's: the squared differences between observed and expected counts,
    divided by the expected ones. Leaving out a group of units changes these differences; random
    signs of the changes show how large the statistic is by chance. A group adds to the observed
    counts, and changes the expected counts of the others, because it moves the parameters.
    """
    row, upper, lower = outcomes
    n = parameters.size
    pairs, pair = np.unique(pair_codes(upper, lower, n), return_inverse=True)
    freedom = pairs.size - free
    if freedom <= 0:
        return None
    # The first item wins, then the second.
    u, v = divmod(pairs, n)
    winner, loser = np.stack([u, v], axis=1).ravel(), np.stack([v, u], axis=1).ravel()
    cells, cell = battle_likelihood(winner, loser), 2 * pair + (upper > lower)
    chance = np.exp(cells.log_chances(parameters))
    counts = np.array([np.bincount(cell, weight[row], winner.size) for weight in groups])
    times = counts.reshape(-1, pairs.size, 2).sum(axis=2)
    of_groups = np.repeat(times, 2, axis=1) * chance
    observed, expected = counts.sum(axis=0), of_groups.sum(axis=0)
    # The change of O - E if a group is left out: O_g - E_g, minus the change of the other expected
    # counts, (E - E_g) times (d log p / d parameters) times the group's move of the parameters.
    changes = counts - of_groups - (expected - of_groups) * (moves @ cells.score(parameters).T)
    changes /= np.sqrt(expected)
    # The first signs stand for what was observed.
    # X^2 = the sum over cells of (sum over groups g of sign_g change_g / sqrt(E))^2.
    statistics = ((changes @ changes.T @ signs) * signs).sum(axis=0)
    # X^2 = the sum over cells of (O - E)^2 / E (Pearson).
    statistics[0] = (np.square(observed - expected) / expected).sum()
    p_value = np.mean(statistics >= statistics[0] * (1 - _EXACT) - _EXACT)
    seen = observed > 0
    # G^2 = 2 * the sum over cells of O ln(O / E).
    deviance = 2 * observed[seen] @ np.log(observed[seen] / expected[seen])
    return Fit(float(deviance * (deviance > _EXACT)), int(freedom), float(p_value))


def opposed_pairs(wins: Numbers, strengths: Floats, risk: float) -> NDArray[np.bool_]:
    """Return, n x n, the pairs whose own comparisons go against the model, by Holm's procedure.

    Of m comparisons of u and v, the model expects that u wins each with the probability q = 1 / (1
    + exp(s[v] - s[u])), independently; the binomial test is exact and two-sided.
    """
    u, v = np.triu(wins + wins.T, 1).nonzero()
    won, lost = wins[u, v], wins[v, u]
    # P(X <= k) for X of m with probability q is I_(1-q)(m - k, k + 1).
    q = special.expit(strengths[u] - strengths[v])
    tails = [
        np.where(b > 0, special.betainc(b.clip(1), a + 1, chance), 1.0)
        for a, b, chance in ((won, lost, 1 - q), (lost, won, q))
    ]
    found = np.zeros(wins.shape, dtype=bool)
    found[u, v] = holm(np.minimum(1, 2 * np.minimum(*tails)), risk)
    return found | found.T
