"""Predictions at all thresholds at once: how much each decides, and how often it is right.

Idea: *cuts shrink as the threshold grows, and so do their closures, so each pair has one threshold
up to which it is decided.* Once these thresholds are known, the counts for all thresholds are
cumulative sums of a histogram.

`abstention_curve`, `AbstentionCurve`, `CurvePoint`; for many relations `MeanCurve`; `area_under` is
the area under the points, and `mean_defined` a mean without undefined values.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from porank.abstention.ensembles import matrix_of
from porank.abstention.prediction import predict_order, strength_of_alpha
from porank.abstention.preference_relation import degrees_of, least_strength_above, place_of_pair
from porank.abstention.thresholds import (
    deciding_strengths,
    kept_strengths,
    minimal_strength,
    require_relation,
)
from porank.core.arguments import require_one_of
from porank.core.compiled_order import compile_order
from porank.core.tables import Listed, Shown, Table
from porank.errors import CycleError, PorankError, counted
from porank.measures.measure import ratio
from porank.orders.algebra import require_same_items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item, OrderLike


@dataclass(frozen=True, repr=False)
class CurvePoint(Shown):
    """The prediction at one threshold, and how often it is right.

    Attributes
    ----------
    alpha : Fraction
        The threshold.
    is_acyclic : bool
        Whether the cut has no cycle. If it has one and no pairs were dropped, there is no
        prediction, and the counts are 0.
    pairs : int
        Number of pairs of the prediction.
    added : int
        Number of these pairs that only the closure contains.
    concordant, discordant : int or None
        Number of these pairs that the target orders in the same and in the opposite direction; None
        without a target or a prediction.
    correctness, completeness : float or None
        (C - D) / (C + D) and (C + D) / T, with C concordant and D discordant pairs and T pairs of
        the target; nan for 0/0 or without a prediction, None without a target.
    dropped : int
        Number of pairs of the cut that were dropped because they contradict others.

    See Also
    --------
    abstention_curve, AbstentionCurve, draw_tradeoff

    Examples
    --------
    >>> from porank.results import CurvePoint
    >>> from fractions import Fraction
    >>> CurvePoint(Fraction(1, 2), True, pairs=3, added=1).correctness is None
    True
    """

    alpha: Fraction
    is_acyclic: bool
    pairs: int
    added: int
    concordant: int | None = None
    discordant: int | None = None
    correctness: float | None = None
    completeness: float | None = None
    dropped: int = 0

    @property
    def has_order(self) -> bool:
        """Whether there is a prediction: the cut has no cycle, or pairs were dropped."""
        return self.is_acyclic or self.dropped > 0


def _points_of(
    P: PreferenceRelation,
    decided: NDArray[Any],
    kept: NDArray[Any],
    *,
    least: int | None,
    lowest: int | None,
    above: NDArray[np.bool_] | None,
) -> tuple[CurvePoint, ...]:
    """Return the points of the curve: a threshold for each strength, and where dropping ends."""
    floor = max(least_strength_above(P, P.floor), 1)
    ends = [end for end in (least, lowest) if end is not None]
    present = np.union1d(P.strength, np.array(ends, dtype=P.strength.dtype))
    present = present[present >= floor]
    counts = [_at_least(array, present) for array in (P.strength, kept, decided)]
    share, target_pairs = None, 0
    if above is not None:
        counts += [_at_least(side[above], present) for side in (decided, decided.T)]
        share, target_pairs = math.nan, int(above.sum())
    points = []
    for strength, alpha, cut, stated, pairs, *both in zip(
        present.tolist(), degrees_of(P, present), *counts, strict=True
    ):
        if lowest is None or strength < lowest:
            point = CurvePoint(alpha, False, 0, 0, correctness=share, completeness=share)
        else:
            is_acyclic = least is not None and strength >= least
            judged = _judged(both, target_pairs) if both else {}
            # The closure minus the kept pairs, and the cut minus the kept pairs.
            added, dropped = pairs - stated, cut - stated
            point = CurvePoint(alpha, is_acyclic, pairs, added, dropped=dropped, **judged)
        points.append(point)
    return tuple(points)


def _judged(counts: Sequence[int], target_pairs: int) -> dict[str, Any]:
    """Return the counts of a point of the curve, with its correctness and completeness."""
    concordant, discordant = counts
    decided = concordant + discordant
    # (C - D) / (C + D) and (C + D) / T.
    return {
        "concordant": concordant,
        "discordant": discordant,
        "correctness": ratio(concordant - discordant, decided, undefined=math.nan, why=""),
        "completeness": ratio(decided, target_pairs, undefined=math.nan, why=""),
    }


def _at_least(strengths: NDArray[Any], present: NDArray[Any]) -> list[int]:
    """Return for each threshold of the curve how many of some pairs have at least its strength."""
    # #{strengths >= s} = #{strengths} - #{strengths < s}.
    below = np.searchsorted(np.sort(strengths, axis=None), present)
    counts: list[int] = (strengths.size - below).tolist()
    return counts


@dataclass(frozen=True, eq=False, repr=False)
class AbstentionCurve(Listed):
    """The predictions at all thresholds, lowest first, as returned by `abstention_curve`.

    Attributes
    ----------
    P : PreferenceRelation
        The relation that is cut.
    points : tuple of CurvePoint
        A point for each degree that occurs, and for the minimal threshold.
    alpha : Fraction or None
        The minimal threshold; None if every threshold leaves a cycle.
    decided : array of int, n x n
        Entry [i, j] is the largest strength at which the prediction puts item i above item j, 0 if
        it never does.
    target_pairs : int or None
        Number of pairs of the target; None without a target.
    kept : array of int, n x n
        The strengths of P, 0 for pairs that were dropped.
    impossible : {"raise", "drop"}
        Whether predictions below the minimal threshold drop pairs that contradict stronger ones.

    See Also
    --------
    abstention_curve, CurvePoint, draw_tradeoff

    Examples
    --------
    >>> from fractions import Fraction
    >>> import porank as po
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "acb", "bac")])
    >>> curve = po.abstention_curve(P, po.from_ranking("abc"))
    >>> [(str(point.alpha), point.pairs) for point in curve]
    [('1/3', 0), ('2/3', 3), ('1', 1)]
    >>> [point.is_acyclic for point in curve], curve.P.find_blocking_cycle(Fraction(1, 3))
    ([False, True, True], ['a', 'b', 'a'])
    >>> curve.decided_at("a", "b"), curve.decided_at("c", "a") is None
    (Fraction(2, 3), True)
    >>> curve.area
    1.0
    """

    _part: ClassVar = CurvePoint

    P: PreferenceRelation
    alpha: Fraction | None
    decided: NDArray[Any]
    target_pairs: int | None
    kept: NDArray[Any]
    impossible: str
    _points: Callable[[], tuple[CurvePoint, ...]] = field(repr=False)

    @cached_property
    def points(self) -> tuple[CurvePoint, ...]:
        """A point for each degree that occurs, and for the minimal threshold; made on demand."""
        return self._points()

    @property
    def area(self) -> float | None:
        """Area under correctness as a function of completeness, in [-1, 1]; None without a target.

        Points of neighbouring thresholds are joined by straight lines. From the highest threshold
        that decides a pair of the target, the curve is constant down to completeness 0. Pairs left
        open at the minimal threshold add nothing, so the area is 1 only if every pair of the target
        is decided correctly. It is nan if the target has no pairs, and 0 if the prediction decides
        none of them.
        """
        return None if self.target_pairs is None else area_under(self.points, self.target_pairs)

    def decided_at(self, preferred: Item, other: Item) -> Fraction | None:
        """Return the largest threshold at which the first item is put above the second, or None.

        It is the degree of the weakest pair in the strongest chain from the first item to the
        second, if that is at least the minimal threshold.
        """
        strength = int(self.decided[place_of_pair(self.P, preferred, other)])
        return self.P.degree_of_strength(strength) if strength else None

    def order(self, alpha: Any) -> nx.DiGraph:
        """Return the prediction at a threshold, as `predict_order` does."""
        return predict_order(self.P, alpha=alpha, impossible=self.impossible)

    def to_table(self) -> Table:
        """Return the points as a table, lowest threshold first."""
        columns = ["alpha", "acyclic", "pairs", "added"]
        columns += ["dropped"] * (self.impossible == "drop")
        columns += ["correctness", "completeness"] * (self.target_pairs is not None)
        rows = [
            # Cells are empty if there is no prediction.
            [point.alpha, "yes" if point.is_acyclic else "no"]
            + [getattr(point, name) if point.has_order else None for name in columns[2:]]
            for point in self.points
        ]
        return Table(columns, rows)


@dataclass(frozen=True, eq=False, repr=False)
class MeanCurve(Listed):
    """The mean curve of many relations with their targets, as returned by `abstention_curve`.

    At each threshold, each relation is cut there, or at the lowest threshold at which it has a
    prediction if that is higher. Correctness is the mean over the relations that decide a pair of
    their target; completeness is the mean over all whose target has a pair.

    Attributes
    ----------
    curves : tuple of AbstentionCurve
        The curve of each relation.
    points : tuple of CurvePoint
        A point for each threshold of a curve whose target has a pair. The numbers of pairs are
        sums.

    See Also
    --------
    abstention_curve, PartialLabelRanker, draw_tradeoff

    Examples
    --------
    >>> import porank as po
    >>> votes = ["abc", "acb", "bac"], ["cba", "cab", "cba"]
    >>> relations = [po.preference_relation(list(map(po.from_ranking, three))) for three in votes]
    >>> curve = po.abstention_curve(relations, [po.from_ranking("abc"), po.from_ranking("cab")])
    >>> curve
    <MeanCurve: 2 rows>
    >>> print(curve)
    alpha  pairs  correctness  completeness
    -----  -----  -----------  ------------
      2/3      6       0.6667             1
        1      3            1           0.5
    >>> round(curve.area, 4)
    0.9167
    """

    _part: ClassVar = CurvePoint

    curves: tuple[AbstentionCurve, ...]

    @cached_property
    def points(self) -> tuple[CurvePoint, ...]:
        """A point for each threshold of a curve; made on demand."""
        # The last point of each is that of thresholds above all degrees.
        of_each = [
            [*(point for point in curve if point.has_order), _NOTHING]
            for curve in self.curves
            if curve.target_pairs
        ]
        at = partial(bisect_left, key=attrgetter("alpha"))
        return tuple(
            _mean_point(
                alpha, [points[at(points, alpha, hi=len(points) - 1)] for points in of_each]
            )
            for alpha in sorted({point.alpha for points in of_each for point in points[:-1]})
        )

    @property
    def area(self) -> float:
        """Area under mean correctness as a function of mean completeness."""
        return area_under(self.points, len(self.points))

    def to_table(self) -> Table:
        """Return the points as a table, lowest threshold first."""
        columns = ("alpha", "pairs", "correctness", "completeness")
        return Table(columns, [[getattr(point, name) for name in columns] for point in self.points])


#: The point of a prediction without pairs.
_NOTHING = CurvePoint(Fraction(1), True, 0, 0, 0, 0, math.nan, 0.0)


def _mean_point(alpha: Fraction, points: Sequence[CurvePoint]) -> CurvePoint:
    """Return the point of a mean curve, from that of each relation."""
    counts = ("pairs", "added", "concordant", "discordant", "dropped")
    sums: dict[str, Any] = {name: sum(getattr(each, name) for each in points) for name in counts}
    for name in ("correctness", "completeness"):
        sums[name] = mean_defined(getattr(each, name) for each in points)
    return CurvePoint(alpha, all(each.is_acyclic for each in points), **sums)


def mean_defined(values: Iterable[float]) -> float:
    """Return the mean of the values that are not nan, or nan if there are none."""
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def area_under(points: Iterable[Any], target_pairs: int) -> float:
    """Return the area under correctness against completeness for points, lowest threshold first."""
    both = [(p.completeness, p.correctness) for p in points if p.concordant or p.discordant]
    if not both:
        return 0.0 if target_pairs else math.nan
    width, height = np.array(both, dtype=np.float64).T
    # From the highest threshold, the curve is constant down to completeness 0.
    return float(np.trapezoid(np.append(height, height[-1]), 1 - np.append(width, 0)))


def abstention_curve(P: Any, target: Any = None, *, impossible: str = "raise") -> Any:
    """Return the prediction at every threshold, with its correctness and completeness.

    The thresholds are the degrees that occur in P, and the minimal threshold. From the minimal one
    up, the closures of the cuts are orders, and each one contains the next. So completeness never
    rises with the threshold. For many relations, such as those that a label ranker predicts for its
    instances, the curve is that of mean correctness and mean completeness [1]_.

    Parameters
    ----------
    P : PreferenceRelation, or list of them
        Degrees of preference.
    target : DiGraph, ranks, or scores (larger is better), or list of them
        The true order, on the same items; for a list, a true order for each relation. Optional for
        one relation.
    impossible : {"raise", "drop"}
        What to do below the minimal threshold, where cuts have cycles. "raise": there is no
        prediction, as `predict_order` raises an error. "drop": predictions drop pairs that
        contradict stronger ones, down to the smallest degree above 1/2.

    Returns
    -------
    AbstentionCurve or MeanCurve
        A sequence of points. It prints as a table, in a terminal and in a notebook. For a list, a
        `MeanCurve`.

    Raises
    ------
    CycleError
        If the target has a cycle. Cycles in cuts are part of the result.
    ItemMismatchError
        If `P` and `target` have different items; `P.restrict` and `restrict` fix it.
    GraphTypeError
        If `P` is not a PreferenceRelation, or `target` is not an order.
    PorankError
        If there is not exactly one target for each relation of a list.

    See Also
    --------
    draw_tradeoff, PartialLabelRanker, correctness, completeness, minimal_threshold, predict_order

    Examples
    --------
    >>> import porank as po
    >>> votes = "abcd", "abdc", "bacd", "cbad"
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in votes])
    >>> print(po.abstention_curve(P, po.from_ranking("abcd")))
    alpha  acyclic  pairs  added  correctness  completeness
    -----  -------  -----  -----  -----------  ------------
      1/4  no
      1/2  no
      3/4  yes          5      0            1        0.8333
        1  yes          2      0            1        0.3333

    Dropping extends the curve to degrees that contradict each other.

    >>> votes = "bca", "cab", "bca", "abc", "cab", "abc", "cab"
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in votes])
    >>> print(po.abstention_curve(P, po.from_ranking("abc"), impossible="drop"))
    alpha  acyclic  pairs  added  dropped  correctness  completeness
    -----  -------  -----  -----  -------  -----------  ------------
      2/7  no
      3/7  no
      4/7  no           3      1        1      -0.3333             1
      5/7  yes          3      1        0      -0.3333             1

    Notes
    -----
    Time O(n m) comparisons of small integers for the m pairs of the cut at the minimal threshold,
    at most n**3 / 3, for any number of thresholds; memory O(n**2) bytes.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    if isinstance(P, Sequence):
        targets = [] if target is None else list(target)
        if not P or len(P) != len(targets):
            size = counted(len(P), "relation")
            raise PorankError(f"expected a target for each of {size}, found {len(targets)}")
        both = zip(P, targets, strict=True)
        return MeanCurve(tuple(abstention_curve(*each, impossible=impossible) for each in both))
    require_relation(P)
    require_one_of(impossible, ("raise", "drop"), name="impossible")
    above = None if target is None else _above_in(target, P)
    try:
        least: int | None = minimal_strength(P)
    except CycleError:
        least = None
    lowest, kept = least, P.strength
    if impossible == "drop":
        lowest = strength_of_alpha(P, "majority")
        lowest = lowest if least is None else min(least, lowest)
        kept = kept_strengths(P.strength, lowest)
    decided = np.zeros_like(P.strength) if lowest is None else deciding_strengths(kept, lowest)
    alpha = None if least is None else P.degree_of_strength(least)
    pairs = None if above is None else int(np.count_nonzero(above))
    points = partial(_points_of, P, decided, kept, least=least, lowest=lowest, above=above)
    return AbstentionCurve(P, alpha, decided, pairs, kept, impossible, points)


def _above_in(target: OrderLike, P: PreferenceRelation) -> NDArray[np.bool_]:
    """Return the target of an abstention curve as a matrix, with items numbered as in P."""
    order, names = compile_order(target, name="target"), compile_order(dict.fromkeys(P.items, 0))
    require_same_items(
        order,
        names,
        names=("target", "the preferences"),
        hint="P.restrict(items) and restrict(target, items) keep the common items",
    )
    return matrix_of(order, P.items)
