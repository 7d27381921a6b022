"""The stops of the slider of a page: thresholds, what each says, and how right that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.compiled_order import compile_if_acyclic
from porank.core.graphs import graph_of
from porank.core.relation import relate_matrix
from porank.measures.agreement import completeness, correctness
from porank.measures.pair_table import pair_table, pair_up

if TYPE_CHECKING:
    from fractions import Fraction

    import networkx as nx

    from porank.abstention.curve import AbstentionCurve, CurvePoint
    from porank.typing import OrderLike

#: So many orders are laid out at the most, and so many items in all of them.
_MOST_ORDERS, _MOST_PLACES = 60, 3_000
#: Of large orders so many are laid out all the same.
_LEAST_ORDERS = 6
#: Orders of up to so many items are laid out as well as can be; those of so many or more share the
#: effort of one layout, so that a page does not take long; and those in between of some layouts.
_FEW_ITEMS, _MANY_ITEMS = 60, 200


@dataclass(frozen=True, eq=False)
class Stops:
    """Which thresholds of a curve are stops, and which of them share an order.

    Attributes
    ----------
    curve : AbstentionCurve
        What is predicted at every threshold.

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abc", "acb", "bac")]
    >>> stops = Stops(po.abstention_curve(po.preference_relation(votes)))
    >>> [str(point.alpha) for point in stops.points()], stops.n_thresholds
    (['2/3', '1'], 2)
    """

    curve: AbstentionCurve

    @property
    def _acyclic(self) -> list[CurvePoint]:
        return [point for point in self.curve if point.is_acyclic]

    @property
    def n_thresholds(self) -> int:
        """How many thresholds leave no cycle."""
        return len(self._acyclic)

    def points(self) -> list[CurvePoint]:
        """Return the points at the stops: all, or some where too many orders differ.

        Orders shrink as the threshold grows, so that equally many pairs are the same order.
        """
        points = self._acyclic
        changes = [
            place
            for place, point in enumerate(points)
            if not place or point.pairs < points[place - 1].pairs
        ]
        by_size = _MOST_PLACES // max(len(self.curve.P.items), 1)
        most = max(_LEAST_ORDERS, min(_MOST_ORDERS, by_size))
        if len(changes) <= most:
            return points
        chosen = np.linspace(0, len(changes) - 1, most).round().astype(int).tolist()
        return [points[changes[number]] for number in chosen]

    def share(self, points: list[CurvePoint]) -> float:
        """Return which part of the effort of a layout each of the orders at these points gets."""
        n, n_orders = len(self.curve.P.items), len({point.pairs for point in points})
        if n <= _FEW_ITEMS:
            return 1.0
        return min(1.0, max(1.0, (_MANY_ITEMS / n) ** 2) / max(n_orders, 1))

    def graph(self, point: CurvePoint) -> nx.DiGraph:
        """Return the covers of the order at a threshold."""
        strength = self.curve.P.strength_of_threshold(point.alpha)
        relation = relate_matrix(self.curve.decided >= strength)
        return graph_of(self.curve.P.items, relation.reduced_rows())

    def place_of(self, G: OrderLike, points: list[CurvePoint]) -> int | None:
        """Return the first of the stops that has this order, or None.

        An order that knows a tie is none of them: a relation tells no ties.
        """
        order = compile_if_acyclic(G)
        if order is None or pair_table(order, order).both_tied:
            return None
        n_pairs = order.count_pairs()
        for place, point in enumerate(points):
            if point.pairs == n_pairs:
                same = pair_up(order, self.graph(point)).counts.concordant == n_pairs
                return place if same else None
        return None


def threshold_stop(point: CurvePoint, curve: AbstentionCurve, scene: int) -> dict[str, Any]:
    """Return the stop at a threshold, as plain data."""
    stop = {
        "alpha": written(point.alpha),
        "value": float(point.alpha),
        "scene": scene,
        "pairs": point.pairs,
        "added": point.added,
    }
    if curve.target_pairs is not None:
        agreed, opposed = point.concordant or 0, point.discordant or 0
        n = len(curve.P.items)
        missing, added = curve.target_pairs - agreed - opposed, point.pairs - agreed - opposed
        neither = n * (n - 1) // 2 - agreed - opposed - missing - added
        stop |= {
            "counts": [agreed, opposed, missing, added, neither],
            "correctness": _defined(point.correctness),
            "completeness": _defined(point.completeness),
        }
    return stop


def given_stop(G: OrderLike, target: OrderLike | None, scene: int) -> dict[str, Any]:
    """Return the stop of an order that was given, not cut from a relation.

    Examples
    --------
    >>> import porank as po
    >>> stop = given_stop(po.parse("a > b > c"), po.parse("a > b; c"), 0)
    >>> stop["counts"], stop["correctness"], stop["pairs"]
    ([1, 0, 0, 2, 0], 1.0, 3)
    """
    order = compile_if_acyclic(G)
    stop: dict[str, Any] = {"alpha": None, "scene": scene}
    stop["pairs"] = None if order is None else order.count_pairs()
    if target is not None:
        stop |= {
            "counts": list(pair_up(target, G).counts),
            "tied": pair_table(target, G).target_only_tied,
            "correctness": _defined(correctness(target, G)),
            "completeness": _defined(completeness(target, G)),
        }
    return stop


def written(alpha: Fraction) -> str:
    """Return a threshold as text: a short fraction, or three digits.

    Examples
    --------
    >>> from fractions import Fraction
    >>> written(Fraction(2, 3)), written(Fraction(1234, 10001))
    ('2/3', '0.123')
    """
    return str(alpha) if alpha.denominator < 100 else f"{float(alpha):.3g}"


def _defined(value: float | None) -> float | None:
    """Return the value, None instead of nan, which JSON has not."""
    return None if value is None or math.isnan(value) else value
