"""Which of two items stood above the other, and what was preferred then: the evidence by place.

Idea: *at the same two positions, only taste tells apart the sessions in which u stood above v from
those in which v stood above u.* Whatever position does to the upper item and to the lower one, it
does in both. So sessions are compared that had the pair at the same two positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.stratified_test import StratifiedCounts
from porank.clicks.rules import PLACES, VERDICT
from porank.core.arrays import grouped
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


class Arrangements(NamedTuple):
    """How many sessions had a pair u, v at two positions, and what they prefer, in columns.

    Attributes
    ----------
    pair : array of int
        The number of the pair; ascending. A pair has a row for each two positions.
    above, above_for, above_against : array of int
        How many sessions had u at the higher of the positions and v at the lower one, how many of
        these prefer u, and how many v.
    below, below_for, below_against : array of int
        The same for sessions that had v at the higher position.
    """

    pair: Numbers
    above: Numbers
    above_for: Numbers
    above_against: Numbers
    below: Numbers
    below_for: Numbers
    below_against: Numbers

    def balanced(self, pairs: int) -> tuple[Floats, Floats]:
        """Return for each pair how many sessions would prefer u, and v, had both stood alike.

        At two positions, with u above in A sessions and below in B, sessions of either arrangement
        count 2 B / (A + B) and 2 A / (A + B), so that both arrangements weigh the same.
        """
        total = np.maximum(self.above + self.below, 1)
        above, below = 2 * self.below / total, 2 * self.above / total
        u = above * self.above_for + below * self.below_for
        v = above * self.above_against + below * self.below_against
        for_u, for_v = (np.bincount(self.pair, each, pairs).astype(float) for each in (u, v))
        return for_u, for_v

    def is_unbalanced(self, pairs: int) -> NDArray[np.bool_]:
        """Return which pairs never stood both ways at the same two positions."""
        is_both = (self.above > 0) & (self.below > 0)
        is_left: NDArray[np.bool_] = np.bincount(self.pair, is_both, pairs) == 0
        return is_left

    def strata(self) -> StratifiedCounts:
        """Return what an exact test of taste compares: at the same two positions, who was above.

        The score of a session is 1 if it prefers the upper item, and -1 if the lower one. Where
        rules contradict each other in a session, it counts as two.
        """
        above = np.maximum(self.above, self.above_for + self.above_against)
        below = np.maximum(self.below, self.below_for + self.below_against)
        plus, minus = self.above_for + self.below_against, self.above_against + self.below_for
        found = self.above_for - self.above_against
        return StratifiedCounts(self.pair, above + below, above, plus, minus, found)


def arrangements_of(
    codes: Numbers,
    n: int,
    stated: tuple[Mapping[str, Numbers], NDArray[Any]],
    stood: tuple[Mapping[str, Numbers], NDArray[Any]],
) -> Arrangements:
    """Return how pairs of n items stood, from what sessions state and from what stood above what.

    A pair of items i < j has the code i * n + j; those wanted are ascending.
    """
    codes = codes if codes.size else np.array([-1])
    pairs, places, columns, amounts = [], [], [], []
    for (rows, counts), is_stated in ((stood, False), (stated, True)):
        first, other, *at = (rows[name] for name in ("preferred", "other", *PLACES))
        code = np.minimum(first, other) * n + np.maximum(first, other)
        pair = np.searchsorted(codes, code).clip(max=codes.size - 1)
        is_kept = (np.minimum(*at) >= 0) & (at[0] != at[1]) & (codes[pair] == code)
        is_kept &= rows.get(VERDICT, np.zeros_like(code)) == 0
        is_below = (at[0] < at[1]) == (first > other)
        column = 3 * is_below + is_stated * (1 + (first > other))
        pairs.append(pair[is_kept])
        places.append(np.stack([np.minimum(*at), np.maximum(*at)])[:, is_kept])
        columns.append(column[is_kept])
        amounts.append(counts[is_kept])
    keys = np.concatenate(pairs), *np.concatenate(places, axis=1)
    if codes[0] >= 0 and not keys[0].size:
        raise PorankError(
            "expected a log that says where items stood, for balance='place', found no compared "
            "pair at two known positions"
        )
    order, starts = grouped(*keys)
    row = np.repeat(np.arange(starts.size), np.diff(starts, append=order.size))
    cells = 6 * row + np.concatenate(columns)[order]
    table = np.bincount(cells, np.concatenate(amounts)[order], 6 * starts.size).astype(np.int64)
    return Arrangements(keys[0][order[starts]], *table.reshape(-1, 6).T)
