"""The Poisson bootstrap: sums over groups that merge, and samples drawn from them.

Idea: *in a bootstrap sample each group comes up a number of times that is all but Poisson
distributed with mean 1, by itself* [1]_. Groups are put into bundles by what they are called, so
that whoever evaluates a group adds it to the same bundle. Sums of bundles merge by addition,
across chunks and across workers; the draws come at the end.

References
----------
.. [1] J. A. Hanley, B. MacGibbon, "Creating non-parametric bootstrap samples using Poisson
   frequencies", Computer Methods and Programs in Biomedicine 83(1), 2006, pp. 57-62.
   https://doi.org/10.1016/j.cmpb.2006.04.006
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from porank.core.arguments import generator_of, require_count
from porank.errors import PorankError
from porank.evaluation.bundles import bundle_numbers
from porank.evaluation.evaluation import Evaluation
from porank.evaluation.intervals import percentiles, poisson_means, require_level, sums_of_bundles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Seed

    Floats = NDArray[np.float64]

#: So many bundles, whatever the number of groups, so that sums from anywhere fit together.
BUNDLES = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapSums:
    """Sums over groups from which bootstrap samples of means can be drawn.

    The sum of two of them, ``one + other``, is what one pass over the groups of both would have
    given, but for the rounding of the sums.

    Attributes
    ----------
    measures : tuple of str
        The columns.
    counts, sums : array
        For each bundle of groups and each measure, how many groups have a value, and their sum.

    Examples
    --------
    >>> import porank as po
    >>> target = {user: {"a": 2, "b": 1, "c": 0} for user in range(100)}
    >>> scores = {user: {"a": user % 3, "b": 1, "c": -1} for user in range(100)}
    >>> def part(users):
    ...     chosen = {user: scores[user] for user in users}
    ...     return po.bootstrap_sums(po.evaluate(target, chosen, measures="kendall_tau"))
    >>> merged = part(range(40)) + part(range(40, 100))
    >>> merged
    <BootstrapSums: kendall_tau of 100 groups with a value>
    >>> low, high = merged.intervals()["kendall_tau"]
    >>> low < merged.means()["kendall_tau"] < high
    True
    >>> merged.intervals() == part(range(100)).intervals()
    True

    Notes
    -----
    Memory of 10,000 bundles, 16 bytes for each of them and each measure, whatever the number of
    groups. Samples cost O(10,000) each, O(groups) with fewer
    groups than that.
    """

    measures: tuple[str, ...]
    counts: Floats
    sums: Floats

    def __add__(self, other: BootstrapSums) -> BootstrapSums:
        """Return the sums over the groups of both, which must not have groups in common."""
        if not isinstance(other, BootstrapSums):
            return NotImplemented
        if self.measures != other.measures:
            raise PorankError(
                f"expected sums of the same measures, found {self.measures!r} and "
                f"{other.measures!r}"
            )
        return BootstrapSums(self.measures, self.counts + other.counts, self.sums + other.sums)

    def __repr__(self) -> str:
        groups = int(self.counts.sum(axis=0).max(initial=0))
        return f"<BootstrapSums: {', '.join(self.measures)} of {groups:,} groups with a value>"

    def means(self) -> dict[str, float]:
        """Return the mean of each measure over the groups that have a value, nan without any."""
        total, count = self.sums.sum(axis=0), self.counts.sum(axis=0)
        found = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
        return dict(zip(self.measures, found.tolist(), strict=True))

    def intervals(
        self, *, samples: int = 1000, level: float = 0.95, seed: Seed = 0
    ) -> dict[str, tuple[float, float]]:
        """Return for each measure the bounds between which such a share of sampled means lies."""
        margin = require_level(level)
        draws = require_count(samples, name="samples", least=1)
        filled = self.counts.any(axis=1)
        found = poisson_means(self.sums[filled], self.counts[filled], draws, generator_of(seed))
        return {
            name: percentiles(column, margin)
            for name, column in zip(self.measures, found.T, strict=True)
        }


def bootstrap_sums(evaluation: Evaluation) -> BootstrapSums:
    """Return sums over the groups of an evaluation, which merge with those of other groups.

    Parameters
    ----------
    evaluation : Evaluation
        What `evaluate` finds, for some of the groups.

    Returns
    -------
    BootstrapSums
        For all its measures. The bundle of a group depends on its label alone.

    Raises
    ------
    PorankError
        If it is no evaluation.

    Examples
    --------
    >>> import porank as po
    >>> found = po.evaluate({1: [2, 1], 2: [1, 2]}, {1: [5, 3], 2: [5, 3]}, measures="gamma")
    >>> po.bootstrap_sums(found).means()
    {'gamma': 0.0}

    Notes
    -----
    Time O(groups), some 10 ns for each whose label is a whole number, some microseconds for others.
    """
    if not isinstance(evaluation, Evaluation):
        raise PorankError(f"expected what evaluate returns, found a {type(evaluation).__name__}")
    bundle = bundle_numbers([evaluation.columns[name] for name in evaluation.by], BUNDLES)
    columns = [evaluation.columns[name] for name in evaluation.measures]
    return BootstrapSums(
        evaluation.measures,
        np.stack([sums_of_bundles(bundle, ~np.isnan(c), BUNDLES) for c in columns], axis=1),
        np.stack([sums_of_bundles(bundle, np.nan_to_num(c), BUNDLES) for c in columns], axis=1),
    )
