"""Scores on the statements of unseen sessions, with intervals.

`HoldoutScore` is the result. `UnseenStatements` score any predictor that agrees, disagrees or
abstains on each statement; `clearly_ahead` compares two; `pairs_both_ways` finds the pairs that a
log shows both ways.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.clicks.evidence_table import stood_above
from porank.clicks.rules import MAX_PAIRS
from porank.clicks.statements import stood
from porank.core.arrays import pair_codes
from porank.core.intervals import LEAST_UNITS, mean_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.clicks.sessions import Rows
    from porank.clicks.statements import Statements
    from porank.typing import Numbers


@dataclass(frozen=True, kw_only=True)
class HoldoutScore:
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
    both_ways : HoldoutScore or None
        The same, only for pairs that the training sessions show both ways: with u above v and with
        v above u. None if the log has no positions, or its sessions are so long that they show more
        than 10^8 pairs.

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
    both_ways: HoldoutScore | None = None


class UnseenStatements(NamedTuple):
    """The statements of the test sessions, one in each row; items are numbers."""

    u: Numbers
    v: Numbers
    stood: Numbers
    unit: Numbers
    pair: Numbers
    both_ways: NDArray[np.bool_] | None
    margin: float

    @classmethod
    def of(
        cls, statements: Statements, rows: Rows, both_ways: Numbers | None, margin: float
    ) -> UnseenStatements:
        """Return test statements, marked by whether their pairs were shown both ways."""
        u, v, n = rows["preferred"], rows["other"], len(statements.items)
        codes = pair_codes(u, v, n)
        both = None if both_ways is None else np.isin(codes, both_ways)
        unit = np.unique(statements.unit_of_session[rows["session"]], return_inverse=True)[1]
        return cls(u, v, stood(rows), unit, codes, both, margin)

    def judge(self, sign: Numbers) -> dict[str, Any]:
        """Return the fields of the score of a prediction: 1, -1 or 0 for each statement."""
        found = self._shares(sign, slice(None))
        if self.both_ways is not None:
            found["both_ways"] = HoldoutScore(**self._shares(sign, self.both_ways))
        return found

    def _shares(self, sign: Numbers, kept: Any) -> dict[str, Any]:
        """Return the fields of a score on some statements."""
        sign, unit = sign[kept], self.unit[kept]
        sums, weights = (np.bincount(unit, each) for each in (sign, sign != 0))
        low, high = mean_interval(sums, weights, self.margin, lowest=-1, highest=1)
        decided = int(np.count_nonzero(sign))
        return {
            "concordant": int(np.count_nonzero(sign > 0)),
            "discordant": int(np.count_nonzero(sign < 0)),
            "units": np.count_nonzero(weights),
            "completeness": decided / sign.size if sign.size else math.nan,
            "correctness": int(sign.sum()) / decided if decided else math.nan,
            "low": low,
            "high": high,
        }


def clearly_ahead(test: UnseenStatements, sign: Numbers, other: Numbers) -> bool:
    """Return whether a prediction agrees with more statements than another one, beyond chance.

    Statements that both decide count, on pairs shown both ways if there are some. With d the sum of
    the differences of a unit's signs, z = sum of d / root of the sum of d^2, compared with 1.96.
    """
    kept = (sign != 0) & (other != 0)
    if test.both_ways is not None and (kept & test.both_ways).any():
        kept &= test.both_ways
    of_unit = np.bincount(test.unit[kept], (sign - other)[kept])
    squares = float((of_unit**2).sum())
    is_enough = np.count_nonzero(of_unit) >= LEAST_UNITS
    return bool(is_enough and of_unit.sum() > 1.96 * math.sqrt(squares))


def pairs_both_ways(statements: Statements) -> Numbers | None:
    """Return the codes u n + v of the pairs u < v of n items that some sessions show both ways.

    None if the log has no positions, or if its sessions show too many pairs.
    """
    n, above = len(statements.items), np.zeros(0, dtype=np.int64)
    if sum(int((one.sizes**2).sum()) for one in statements.log.sessions()) > 2 * MAX_PAIRS:
        return None
    for sessions in statements.log.sessions():
        items, is_kept = statements.numbers_of(sessions), statements.keeps(sessions)
        upper, lower = stood_above(sessions)
        kept = is_kept[upper]
        above = np.union1d(above, items[upper[kept]] * (n + 1) + items[lower[kept]])
    u, v = np.divmod(above, n + 1)
    is_both = (u < v) & (v < n) & np.isin(v * (n + 1) + u, above)
    return (u * n + v)[is_both] if above.size else None
