"""How the strengths of largest likelihood change when a unit is left out.

Idea: *leave out each unit in turn; the changes of the estimate show its uncertainty.* One Newton
step from the maximum gives the change. The sum of squared changes is the jackknife variance, which
is the sandwich (White 1982) corrected for small samples (CR3; Bell and McCaffrey 2002). Random
signs of the changes show how far chance alone moves the difference of two items, for all pairs at
once (`max_t`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import special

if TYPE_CHECKING:
    from porank.strengths.likelihoods import OrderLikelihood
    from porank.typing import Floats, Numbers


#: More units than this are put into as many random groups.
_GROUPS = 512
#: Units worth fewer equal ones give no interval.
_LEAST_UNITS = 3
#: Numbers closer to each other are equal.
_NEAR = 1e-9


def group_units(counts: Numbers, unit: Numbers | None, rng: np.random.Generator) -> Numbers:
    """Return the counts of all rows in each group of units, a row for each group.

    Without units, each occurrence is a unit.
    """
    # Of many independent rows, each occurrence goes to one of the groups at random.
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


def reach_of(errors: Floats, worth: Floats, risk: float) -> tuple[Floats, Floats]:
    """Return standard errors, and half the lengths of the intervals, from the worth of the units.

    Student's t has the degrees of freedom of as many equal units. Errors are infinite if the units
    are worth fewer than three equal ones.
    """
    errors = np.where(worth > _LEAST_UNITS - _NEAR, errors, np.inf)
    t = special.stdtrit(np.maximum(worth, _LEAST_UNITS) - 1, 1 - risk / 2)
    return errors, errors * t


class Influence(NamedTuple):
    """Contribution of each group of units to parameters or to their differences.

    Each array has a row for each group. `scores` is the score of the group times the inverse
    information, and `moves` the estimate minus the estimate without the group, after one Newton
    step. `shares` is the share of the group in the inverse information: a matrix for parameters, a
    number for each difference.
    """

    scores: Floats
    moves: Floats
    shares: Floats

    @classmethod
    def of(
        cls,
        rows: OrderLikelihood,
        groups: Numbers,
        parameters: Floats,
        information: Floats,
        mean: Floats,
    ) -> Influence:
        """Return the influence of groups, given the counts of the rows in each."""
        # With the information I of all groups and I_g of one, and its score s_g: scores I^-1 s_g,
        # moves (I - I_g)^-1 s_g, shares I^-1 I_g I^-1, relative to the mean of the part.
        of_groups = rows.information(parameters, groups)
        scores = groups @ rows.score(parameters)
        moves = np.linalg.solve(information - (1 - _NEAR) * of_groups, scores[:, :, None])[:, :, 0]
        centre = np.eye(len(mean)) - mean
        inverse = np.linalg.inv(information) @ centre
        return cls(scores @ inverse, moves @ centre, inverse.T @ of_groups @ inverse)

    def of_items(self) -> Influence:
        """Return the influence on each strength, relative to the mean of its part."""
        return self._replace(shares=self.shares.diagonal(axis1=1, axis2=2))

    def of_pairs(self, u: Numbers, v: Numbers) -> Influence:
        """Return the influence on the difference of each pair."""
        # Var(u - v) = Var(u) + Var(v) - 2 Cov(u, v).
        shares = self.shares[:, u, u] + self.shares[:, v, v] - 2 * self.shares[:, u, v]
        scores, moves = (each[:, u] - each[:, v] for each in (self.scores, self.moves))
        return Influence(scores, moves, shares)

    def _relative(self) -> Floats:
        """Return shares that sum to 1 for each difference, or are 1 without information."""
        total = self.shares.sum(axis=0)
        relative: Floats = np.divide(
            self.shares, total, out=np.ones_like(self.shares), where=total > 0
        )
        return relative

    def errors(self, risk: float) -> tuple[Floats, Floats]:
        """Return the standard errors, and half the lengths of the intervals.

        The variance is that of the jackknife, or the model's if it is larger, because moves are too
        small if nearly all outcomes agree.
        """
        # For G groups with moves m_g and relative shares r_g: V = (1 - 1 / G) * sum of m_g^2, worth
        # 1 / (sum of r_g^2) equal groups, degrees of freedom worth - 1.
        units, worth = len(self.moves), 1 / np.square(self._relative()).sum(axis=0)
        jackknife = np.square(self.moves).sum(axis=0) * (1 - 1 / units)
        variance = np.maximum(jackknife, self.shares.sum(axis=0))
        return reach_of(np.sqrt(variance), worth, risk)

    def values(self, differences: Floats) -> Floats:
        """Return the part of each group in each difference, a row for each group.

        It is the score of the group if both items were equally strong, by one Newton step. So a
        group with all the information cannot decide alone. Columns are scaled to the same sum of
        squares.
        """
        # score_g + r_g (difference - sum of scores).
        values = self.scores + self._relative() * (differences - self.scores.sum(axis=0))
        scaled: Floats = values / np.sqrt(np.square(values).sum(axis=0).clip(_NEAR**2))
        return scaled
