"""Scores on the statements of unseen sessions, with intervals.

`HoldoutScore` is the result. `UnseenStatements` score any predictor that agrees, disagrees or
abstains on each statement; `clearly_ahead` compares two.

Idea: *where place cannot decide, taste is left.* Take the statements of a pair whose items stood at
the same two places j and k, a of them with u at j and b with v at j. With weights 2b/(a + b) for
the first and 2a/(a + b) for the others, both sequences weigh the same. If u at j is preferred to v
at k with log-odds s + t, and u at k to v at j with log-odds s - t, the share of the weight that
prefers u is (P(s + t) + P(s - t)) / 2 with P(x) = 1 / (1 + exp(-x)). It is above 1/2 if s > 0 and
below if s < 0, whatever the places add (t).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.clicks.statements import PLACES, SIDES, stood
from porank.core.arrays import group_numbers, pair_codes
from porank.core.intervals import LEAST_UNITS, mean_interval
from porank.core.tables import Shown

if TYPE_CHECKING:
    from porank.clicks.sessions import Rows
    from porank.clicks.statements import Statements
    from porank.typing import Floats, Numbers


@dataclass(frozen=True, kw_only=True, repr=False)
class HoldoutScore(Shown):
    """The score of an order, or of a simple rule, on unseen sessions.

    Attributes
    ----------
    concordant, discordant : int
        Number of statements that it agrees with, and number that it contradicts.
    units : int
        Number of units (sessions or users) with a statement that it decides.
    completeness, correctness : float
        Share of statements that it decides; and, among these, the share that it agrees with minus
        the share that it contradicts. nan for 0/0.
    low, high : float
        Bounds of the interval of the correctness; nan with fewer than 5 units.

    See Also
    --------
    validate_feedback, HoldoutPoint

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 200, seed=0)
    >>> score = po.validate_feedback(log).scores["clicked more often"]
    >>> score.concordant, score.discordant, score.completeness
    (46, 30, 1.0)
    """

    concordant: int
    discordant: int
    units: int
    completeness: float
    correctness: float
    low: float
    high: float


class UnseenStatements(NamedTuple):
    """The statements of the test sessions, one in each row; items are numbers.

    `weight` is that of a statement on pairs shown both ways, with place out of the way.
    """

    u: Numbers
    v: Numbers
    stood: Numbers
    unit: Numbers
    pair: Numbers
    weight: Floats
    margin: float

    @classmethod
    def of(cls, statements: Statements, rows: Rows, margin: float) -> UnseenStatements:
        """Return test statements, weighted such that each pair was shown both ways equally."""
        u, v = (rows[side] for side in SIDES)
        unit = np.unique(statements.unit_of_session[rows["session"]], return_inverse=True)[1]
        pair = pair_codes(u, v, len(statements.items))
        return cls(u, v, stood(rows), unit, pair, _balanced_weights(rows, pair), margin)

    @property
    def is_weighted(self) -> bool:
        """Whether pairs were shown both ways, and not all equally often."""
        return bool(self.weight.any() and (self.weight != 1).any())

    def judge(self, sign: Numbers, *, both_ways: bool = False) -> dict[str, Any]:
        """Return the fields of the score of a prediction: 1, -1 or 0 for each statement."""
        weight = self.weight if both_ways else np.ones(sign.size)
        # Completeness is the sum of w |sign| / the sum of w, correctness that of w sign / w |sign|.
        sums, weights = (np.bincount(self.unit, weight * each) for each in (sign, sign != 0))
        low, high = mean_interval(sums, weights, self.margin, lowest=-1, highest=1)
        decided, whole = weights.sum(), weight.sum()
        return {
            "concordant": int(np.count_nonzero(weight * sign > 0)),
            "discordant": int(np.count_nonzero(weight * sign < 0)),
            "units": np.count_nonzero(weights),
            "completeness": float(decided / whole) if whole else math.nan,
            "correctness": float(sums.sum() / decided) if decided else math.nan,
            "low": low,
            "high": high,
        }


def _balanced_weights(rows: Rows, pair: Numbers) -> Floats:
    """Return weights of statements by which each pair stood both ways equally often.

    Statements whose places are unknown, or whose pair did not stand the other way round at the same
    two places, have weight 0; where all pairs stood both ways equally often, all weights are 1.
    """
    at, other_at = (rows[name] for name in PLACES)
    # Whether the item with the smaller number stood above.
    is_up = (rows["preferred"] < rows["other"]) == (at < other_at)
    group = group_numbers(pair, np.minimum(at, other_at), np.maximum(at, other_at))
    a, b = (np.bincount(group, side) for side in (is_up, ~is_up))
    # 2 b / (a + b) with u above v, 2 a / (a + b) with v above u
    weight = 2 * np.where(is_up, b[group], a[group]) / (a + b)[group]
    return np.where(stood(rows) != 0, weight, 0.0)


def clearly_ahead(test: UnseenStatements, sign: Numbers, other: Numbers) -> bool:
    """Return whether an order agrees with more statements than another one, beyond chance.

    Statements that both decide count, with their weights on pairs shown both ways; in a log without
    positions all weigh the same. With d the weighted sum of the differences of a unit's signs,
    z = sum of d / root of the sum of d^2, compared with 1.96.
    """
    weight = test.weight if test.stood.any() else np.ones(sign.size)
    of_unit = np.bincount(test.unit, weight * (sign - other) * ((sign != 0) & (other != 0)))
    squares = float((of_unit**2).sum())
    is_enough = np.count_nonzero(of_unit) >= LEAST_UNITS
    return bool(is_enough and of_unit.sum() > 1.96 * math.sqrt(squares))
