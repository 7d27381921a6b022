"""How long each pair persists: a bar for each pair over the thresholds at which it is decided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.witness import item_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.ensemble.curve import AbstentionCurve
    from porank.ensemble.curve_points import CurvePoint


@dataclass(frozen=True, eq=False)
class Bars:
    """The pairs decided at the minimal threshold, the most persistent first.

    Columns are the thresholds that leave no cycle, the lowest first.

    Attributes
    ----------
    curve : AbstentionCurve
        What is predicted at every threshold.

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abc", "acb", "bac")]
    >>> bars = Bars(po.abstention_curve(po.preference_relation(votes)))
    >>> [str(point.alpha) for point in bars.points], bars.pairs.tolist()
    (['2/3', '1'], [[0, 2], [0, 1], [1, 2]])
    >>> bars.ends(bars.curve.decided).tolist(), bars.changes(5)
    ([1, 0, 0], [0, 1])
    >>> bars.below_is_cycle
    True
    """

    curve: AbstentionCurve

    @cached_property
    def points(self) -> list[CurvePoint]:
        """The thresholds that leave no cycle."""
        return [point for point in self.curve if point.is_acyclic]

    @property
    def below_is_cycle(self) -> bool:
        """Whether lower thresholds leave a cycle, so that no pair is decided there."""
        return len(self.points) < len(self.curve)

    @cached_property
    def strengths(self) -> list[int]:
        """The strength of each threshold."""
        return [self.curve.P.strength_of_threshold(point.alpha) for point in self.points]

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """The numbers of the two items of each bar."""
        rows, columns = np.nonzero(self.curve.decided)
        items = self.curve.P.items
        keys = [item_key(item) for item in items]
        place = {key: number for number, key in enumerate(sorted(set(keys)))}
        by_name = np.array([place[key] for key in keys], dtype=np.int64)
        decided = self.curve.decided[rows, columns].astype(np.int64)
        own = self.curve.P.strength[rows, columns].astype(np.int64)
        sequence = np.lexsort((by_name[columns], by_name[rows], -own, -decided))
        return np.column_stack((rows, columns))[sequence]

    def ends(self, strength: NDArray[Any]) -> NDArray[np.int64]:
        """Return the number of the last threshold that strengths reach in each bar, or -1."""
        values = strength[self.pairs[:, 0], self.pairs[:, 1]]
        return np.searchsorted(self.strengths, values, side="right") - 1

    def changes(self, most: int) -> list[int]:
        """Return some of the thresholds at which the order changes, evenly chosen."""
        pairs = [point.pairs for point in self.points]
        new = [place for place in range(len(pairs)) if not place or pairs[place] < pairs[place - 1]]
        chosen = np.linspace(0, len(new) - 1, min(most, len(new))).round().astype(int)
        return [new[number] for number in chosen.tolist()]
