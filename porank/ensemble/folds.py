"""What cross-validation shows: fold by fold, and as means that say what they leave out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from porank.core.tables import Table, Tabular
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from fractions import Fraction

#: What is measured in each fold.
MEASURES = ("correctness", "without_abstention", "completeness")


@dataclass(frozen=True)
class Fold:
    """What one fold of a cross-validation shows.

    Attributes
    ----------
    correctness, completeness : float
        Of the partial order that the ranker predicts of the test rows; nan where it is undefined.
    without_abstention : float
        The correctness of the estimator itself, trained once on all training rows.
    alpha : Fraction or None
        The threshold; None if nothing could be trained.
    n_train, n_test : int
        The numbers of rows.
    remark : str
        Why something is undefined, else empty.

    Examples
    --------
    >>> import porank as po
    >>> po.Fold(0.9, 0.5, 0.8, None, 90, 10).remark
    ''
    """

    correctness: float
    completeness: float
    without_abstention: float
    alpha: Fraction | None
    n_train: int
    n_test: int
    remark: str = ""


@dataclass(frozen=True)
class CrossValidation(Tabular):
    """What `cross_validate_ranking` finds.

    Means and deviations are those of the folds where the measure is defined.

    Attributes
    ----------
    folds : tuple of Fold
        In each fold `correctness`, `completeness`, `without_abstention`, `alpha`, `n_train`,
        `n_test`, and a `remark` if something is undefined.

    Raises
    ------
    PorankError
        If a measure is none of ``"correctness"``, ``"without_abstention"``, ``"completeness"``.

    Examples
    --------
    >>> import porank as po
    >>> nan = float("nan")
    >>> folds = po.Fold(1.0, 0.5, 0.5, None, 8, 2), po.Fold(nan, nan, nan, None, 8, 2, "one grade")
    >>> found = po.CrossValidation(folds)
    >>> found.mean("correctness"), found.count_undefined("correctness")
    (1.0, 1)

    Notes
    -----
    Time and memory O(folds).
    """

    folds: tuple[Fold, ...]

    def mean(self, measure: str) -> float:
        """Return the mean over the folds where the measure is defined, nan if there is none."""
        values = self._defined(measure)
        return fmean(values) if values else math.nan

    def deviation(self, measure: str) -> float:
        """Return the sample standard deviation over these folds, nan if there are fewer than two.

        Folds share training rows, so that it does not tell how exact the mean is.
        """
        values = self._defined(measure)
        return stdev(values) if len(values) > 1 else math.nan

    def count_undefined(self, measure: str) -> int:
        """Return the number of folds where the measure is undefined."""
        return len(self.folds) - len(self._defined(measure))

    def _defined(self, measure: str) -> list[float]:
        if measure not in MEASURES:
            raise PorankError(f"expected one of {listed(MEASURES)}, found {measure!r}")
        values = [getattr(fold, measure) for fold in self.folds]
        return [value for value in values if not math.isnan(value)]

    def to_table(self) -> Table:
        """Return one row for each fold, then means, deviations, and how many are undefined."""
        columns = ("fold", "train", "test", "alpha", *map(_words, MEASURES), "remark")
        rows: list[tuple[object, ...]] = [
            (
                str(number),
                fold.n_train,
                fold.n_test,
                fold.alpha,
                *_figures(fold),
                fold.remark or None,
            )
            for number, fold in enumerate(self.folds, start=1)
        ]
        below = (("mean", self.mean), ("deviation", self.deviation))
        for name, figure in below:
            rows.append((name, None, None, None, *map(figure, MEASURES), None))
        counts = map(self.count_undefined, MEASURES)
        rows.append(("undefined", None, None, None, *counts, None))
        return Table(columns, rows)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _figures(fold: Fold) -> list[float]:
    return [getattr(fold, name) for name in MEASURES]
