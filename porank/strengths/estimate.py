"""Maximum-likelihood strengths, and how they change when a unit is left out.

Idea: *leave out each unit in turn; the changes of the estimate show how sure it is.* One Newton
step from the maximum gives the change. The squares of the changes add up to the jackknife
covariance, which is the sandwich (White 1982) corrected for small samples (CR3, Bell and McCaffrey
2002). Random signs of the changes show how far chance alone moves the difference of two items, for
all pairs at once (`max_t`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.intervals import t_quantile
from porank.core.progress import track
from porank.errors import PorankError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.strengths.likelihood import BattleLikelihood, OrderLikelihood
    from porank.typing import Floats, Numbers


#: Newton's method has converged if no parameter moves by more; it takes some ten steps.
_STEP, _STEPS = 1e-9, 200
#: A finite estimate has no larger variance.
_INFINITE = 1e6
#: More units than this are put into as many groups, at random.
_GROUPS = 512
#: Numbers nearer to each other are equal.
_NEAR = 1e-9


def maximise(
    rows: BattleLikelihood | OrderLikelihood,
    counts: Numbers,
    same: NDArray[np.bool_],
    penalty: Floats,
) -> tuple[Floats, Floats]:
    """Return the parameters with the largest likelihood, and the information there.

    `same` marks items of the same part, whose mean is 0, and `penalty` is the ridge of each
    parameter. The information includes the ridge, and fixes the means. The log likelihood is
    concave, so Newton's method finds the maximum.
    """
    level = same / np.maximum(same.sum(axis=1), 1)
    parameters, is_ties = np.zeros(len(same)), ~same.diagonal()
    gradient = counts @ rows.score(parameters)
    for _ in track(range(_STEPS), label="fitting"):
        (of_data,) = rows.information(parameters, counts[None, :])
        information = of_data + np.diag(penalty) + level
        inverse = np.linalg.inv(information)
        if (inverse.diagonal()[is_ties] > _INFINITE).any():
            raise PorankError(
                "expected battles that tell how frequent ties are, found that ever more ties are "
                "ever more likely: no cycle of wins and ties has more wins than ties",
                hint="" if penalty.any() else "ridge= gives finite strengths if anybody won",
            )
        step = inverse @ gradient
        slope = counts @ rows.score(parameters + step) - penalty * (parameters + step)
        # A step far beyond the maximum on its line is halved.
        while slope @ step < -(gradient @ step) / 2:
            step /= 2
            slope = counts @ rows.score(parameters + step) - penalty * (parameters + step)
        parameters, gradient = parameters + step, slope
        if np.abs(step).max(initial=0) < _STEP:
            return parameters, information
    raise PorankError(
        f"cannot find the most likely strengths in {_STEPS} steps of Newton's method",
        hint="a larger ridge= helps",
    )


def group_units(counts: Numbers, unit: Numbers | None, rng: np.random.Generator) -> Numbers:
    """Return how often each row occurs in each group of units, a row for each group.

    Without units each occurrence is a unit.
    """
    if unit is None and counts.sum() > _GROUPS:
        return rng.multinomial(counts, np.full(_GROUPS, 1 / _GROUPS)).T
    row = np.arange(counts.size)
    if unit is None:
        row = unit = np.repeat(row, counts)
        unit, counts = np.arange(row.size), np.ones_like(row)
    distinct, number = np.unique(unit, return_inverse=True)
    group = rng.permutation(distinct.size) % _GROUPS
    found = np.zeros((min(max(distinct.size, 1), _GROUPS), row.max(initial=-1) + 1), dtype=np.int64)
    found[group[number], row] = counts
    return found


class Influence(NamedTuple):
    """What each group of units contributes to parameters or to their differences, a row for each.

    `moves` has by how much a group moves each of them: the estimate minus the estimate without the
    group, after one Newton step. `shares` has its share in the inverse information: matrices for
    parameters, numbers for differences.
    """

    moves: Floats
    shares: Floats

    @classmethod
    def of(
        cls,
        rows: BattleLikelihood | OrderLikelihood,
        groups: Numbers,
        parameters: Floats,
        information: Floats,
        same: NDArray[np.bool_],
    ) -> Influence:
        """Return the influence of groups, given how often each has each row."""
        of_groups = rows.information(parameters, groups)
        scores = groups @ rows.score(parameters)
        moves = np.linalg.solve(information - (1 - _NEAR) * of_groups, scores[:, :, None])[:, :, 0]
        centre = np.eye(len(same)) - same / np.maximum(same.sum(axis=1), 1)
        inverse = np.linalg.inv(information) @ centre
        return cls(moves @ centre, inverse.T @ of_groups @ inverse)

    def of_items(self) -> Influence:
        """Return the influence on each strength, compared with the mean of its part."""
        return self._replace(shares=self.shares.diagonal(axis1=1, axis2=2))

    def of_pairs(self, u: Numbers, v: Numbers) -> Influence:
        """Return the influence on the difference of each pair."""
        shares = self.shares[:, u, u] + self.shares[:, v, v] - 2 * self.shares[:, u, v]
        return Influence(self.moves[:, u] - self.moves[:, v], shares)

    def _relative(self) -> Floats:
        """Return shares that add up to 1 for each difference, or are 1 without information."""
        total = self.shares.sum(axis=0)
        relative: Floats = np.divide(
            self.shares, total, out=np.ones_like(self.shares), where=total > 0
        )
        return relative

    def errors(self, significance: float) -> tuple[Floats, Floats]:
        """Return the standard errors, and how far intervals reach to either side.

        The variance is that of the jackknife, or the model's if it is larger, because moves are too
        small if nearly all outcomes agree. Student's t has the degrees of freedom of so many equal
        units as the shares are worth. Errors are infinite if these are worth fewer than two units.
        """
        units, worth = len(self.moves), 1 / np.square(self._relative()).sum(axis=0)
        jackknife = np.square(self.moves).sum(axis=0) * (1 - 1 / units)
        variance = np.maximum(jackknife, self.shares.sum(axis=0))
        errors = np.sqrt(np.where(worth > 2 - _NEAR, variance, np.inf))
        return errors, errors * t_quantile(1 - significance / 2, np.maximum(worth - 1, 1))

    def values(self, differences: Floats) -> Floats:
        """Return parts of differences, a row for each group.

        The part of a group is its share of the difference, and what it moves: about its score if
        both items were equally strong. So a group that has all the information cannot decide alone.
        Columns are scaled to the same sum of squares.
        """
        values = self.moves + self._relative() * (differences - self.moves.sum(axis=0))
        scaled: Floats = values / np.sqrt(np.square(values).sum(axis=0).clip(_NEAR**2))
        return scaled
