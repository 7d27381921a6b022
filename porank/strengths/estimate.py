"""The most likely strengths, and how sure they are.

Idea: *what a unit adds to the estimate is its score times the inverse of the information.* These
influences add up to 0, and their squares to the covariance, whether the model is right or not: the
sandwich (Huber 1967, White 1982). Random signs of the influences show how far chance alone moves
the difference of two items, for all pairs at once (`max_t`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.progress import track
from porank.errors import PorankError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.strengths.likelihood import BattleLikelihood, OrderLikelihood
    from porank.typing import Floats, Numbers


#: Newton's method ends when no parameter moves by more, or after so many steps.
_STEP, _STEPS = 1e-9, 200
#: No finite estimate of log nu has a larger variance.
_INFINITE = 1e6
#: More units than this are put at random into as many groups.
_GROUPS = 256


class Rows(NamedTuple):
    """Distinct orders or outcomes of battles, how often each occurs, and the unit of each.

    Without units each occurrence is a unit.
    """

    likelihood: BattleLikelihood | OrderLikelihood
    counts: Numbers
    unit: Numbers | None

    def gradient(self, parameters: Floats) -> Floats:
        """Return the gradient of the log likelihood."""
        slopes: Floats = self.counts @ self.likelihood.score(parameters)
        return slopes

    def information(self, parameters: Floats) -> Floats:
        """Return the information of all rows together."""
        whole: Floats = self.likelihood.information(parameters, self.counts[None, :])[0]
        return whole

    def log_likelihood(self, parameters: Floats) -> float:
        """Return the log likelihood."""
        return float(self.counts @ self.likelihood.log_chances(parameters))

    def scores(self, parameters: Floats) -> tuple[Floats, Numbers]:
        """Return the score of each unit, or of each row and how many units it stands for."""
        scores = self.likelihood.score(parameters)
        if self.unit is None:
            return scores, self.counts
        sums = np.zeros((self.unit.max(initial=-1) + 1, parameters.size))
        np.add.at(sums, self.unit, self.counts[:, None] * scores)
        return sums, np.ones(len(sums), dtype=np.int64)

    def grouped(self, rng: np.random.Generator) -> Numbers:
        """Return how often each row occurs in each group of units, a row for each group."""
        rows = np.arange(self.counts.size)
        if self.unit is None:
            if self.counts.sum() > _GROUPS:
                return rng.multinomial(self.counts, np.full(_GROUPS, 1 / _GROUPS)).T
            group, row = np.arange(self.counts.sum()), np.repeat(rows, self.counts)
            found = np.zeros((group.size, rows.size), dtype=np.int64)
            found[group, row] = 1
            return found
        units = self.unit.max(initial=-1) + 1
        of_unit = np.arange(units) if units <= _GROUPS else rng.integers(_GROUPS, size=units)
        found = np.zeros((of_unit.max(initial=-1) + 1, rows.size), dtype=np.int64)
        found[of_unit[self.unit], rows] = self.counts
        return found


def maximise(rows: Rows, same: NDArray[np.bool_], penalty: Floats) -> tuple[Floats, Floats]:
    """Return the parameters with the largest likelihood, and the inverse of the information there.

    `same` says which items belong to the same part, in which the mean is 0, and `penalty` is the
    ridge of each parameter. The log likelihood is concave, so there is one maximum, and Newton's
    method finds it.
    """
    level = same / np.maximum(same.sum(axis=1), 1)
    parameters, is_ties = np.zeros(len(same)), ~same.diagonal()
    gradient = rows.gradient(parameters)
    for _ in track(range(_STEPS), label="fitting"):
        inverse = np.linalg.inv(rows.information(parameters) + np.diag(penalty) + level)
        if (inverse.diagonal()[is_ties] > _INFINITE).any():
            raise PorankError(
                "expected battles that tell how frequent ties are, found that ever more ties are "
                "ever more likely: no cycle of wins and ties has more wins than ties",
                hint="" if penalty.any() else "ridge= gives finite strengths if anybody won",
            )
        step = inverse @ gradient
        slope = rows.gradient(parameters + step) - penalty * (parameters + step)
        # A step far beyond the maximum on its line is halved.
        while slope @ step < -(gradient @ step) / 2:
            step /= 2
            slope = rows.gradient(parameters + step) - penalty * (parameters + step)
        parameters, gradient = parameters + step, slope
        if np.abs(step).max(initial=0) < _STEP:
            break
    centre = np.eye(len(same)) - level
    return parameters, centre @ inverse @ centre


class Influence(NamedTuple):
    """What units tell of the parameters: two covariances, and sums over groups of units.

    `covariance` is the sandwich, `inverse` the covariance if the model is right. For each group,
    `moves` is the influence of its units, and `shares` its part of `inverse`.
    """

    units: int
    covariance: Floats
    inverse: Floats
    weights: Numbers
    moves: Floats
    shares: Floats

    @classmethod
    def of(
        cls, rows: Rows, parameters: Floats, inverse: Floats, rng: np.random.Generator
    ) -> Influence:
        """Return the influence of the units of rows."""
        scores, many = rows.scores(parameters)
        each, units = scores @ inverse, int(many.sum())
        covariance = (each * many[:, None]).T @ each * units / max(units - 1, 1)
        weights = rows.grouped(rng)
        moves = weights @ rows.likelihood.score(parameters) @ inverse
        shares = inverse @ rows.likelihood.information(parameters, weights) @ inverse
        return cls(units, covariance, inverse, weights, moves, shares)

    def errors(self, contrasts: Any) -> Floats:
        """Return the standard errors of strengths or of their differences.

        `contrasts` takes them out of a covariance matrix. The larger of both covariances counts:
        where nearly all agree, the squares of influences are too small.
        """
        both = contrasts(self.covariance), contrasts(self.inverse)
        errors: Floats = np.sqrt(np.maximum(*both).clip(0))
        return errors

    def of_pairs(self, parameters: Floats, u: Numbers, v: Numbers) -> Floats:
        """Return a column for each pair of items: parts of their difference, a row for each group.

        The part of a group is its share of the information on the difference, times the difference,
        and its influence: about its score if both items were equally strong. So a group that has
        all the information cannot decide alone. Columns have the same sum of squares.
        """
        shares = variance_of_difference(self.shares, u, v)
        moves = self.moves[:, u] - self.moves[:, v]
        # With a ridge influences do not add up to 0.
        shares *= (parameters[u] - parameters[v] - moves.sum(axis=0)) / shares.sum(axis=0)
        sums = moves + shares
        scale = np.sqrt(np.square(sums).sum(axis=0))
        scaled: Floats = sums / np.where(scale > 0, scale, 1)
        return scaled


def variance_of_difference(matrix: Floats, u: Numbers, v: Numbers) -> Floats:
    """Return what a covariance matrix, or each of several, says of differences."""
    return matrix[..., u, u] + matrix[..., v, v] - matrix[..., u, v] - matrix[..., v, u]
