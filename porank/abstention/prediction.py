"""Ranking with abstention: the partial order that an ensemble supports.

The pairs on which enough members agree form a cut of the valued relation P. The prediction is the
closure of the cut, and the ensemble abstains on pairs that it leaves open. A threshold says how
many members are enough; it may also follow from the cost of leaving a pair open. Below the minimal
threshold, pairs that contradict stronger ones are dropped.

`predict_order`, and `strength_of_alpha`, which reads its thresholds; `DroppedPairs`, a sequence of
`DroppedPair`, each with a cycle that it would have closed.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from porank.abstention.degrees import read_share, simple_fraction
from porank.abstention.integer_program import read_seconds, search
from porank.abstention.preference_relation import least_strength_above
from porank.abstention.thresholds import (
    closed_cut,
    has_cycle,
    kept_strengths,
    minimal_strength,
    require_relation,
    write_order,
)
from porank.core.arguments import require_one_of
from porank.core.arrays import inverse_of
from porank.core.compiled_order import compile_order, require_items
from porank.core.graphs import numbers_in_order, refuse_large
from porank.core.tables import Listed, Table
from porank.errors import RESTRICT_DEGREES, CycleError, PorankError, listed
from porank.orders.open_pairs import settled_cycles

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item, Numbers, OrderLike


_NAMED = ("minimal", "consensus", "majority")


def predict_order(
    P: PreferenceRelation,
    *,
    alpha: Any = "minimal",
    abstention_cost: Any = None,
    impossible: str = "raise",
    settled: OrderLike | None = None,
    seconds: float | None = None,
) -> nx.DiGraph:
    """Return the partial order that an ensemble supports, abstaining where members disagree.

    The order is the transitive closure of the cut R_alpha = {(a, b) : P(a, b) >= alpha}. By default
    alpha is the smallest threshold without a cycle, so the order decides as many pairs as possible
    [1]_. With an abstention cost c, it is the order of least loss instead, where a pair that it
    does not decide costs c, and a pair (a, b) of the order costs 1 - P(a, b).

    Parameters
    ----------
    P : PreferenceRelation
        Degrees of preference; `preference_relation` makes them from orders.
    alpha : {"minimal", "consensus", "majority"} or number in (0, 1]
        Threshold. "minimal" is that of `minimal_threshold`, "consensus" is 1, and "majority" keeps
        all degrees above 1/2. If `impossible` is "drop", "minimal" means "majority". A float within
        1e-9 of a degree stands for that degree, the nearest one if there are several.
    abstention_cost : number in (0, 1], optional
        Cost of abstaining on a pair, instead of `alpha`.
    impossible : {"raise", "drop"}
        What to do if the pairs kept have a cycle: raise an error, or drop pairs that contradict
        stronger ones. With "drop", degrees are taken from the highest down to `alpha`, equal ones
        together. Among pairs of equal degree, all that would lie on a cycle with the kept pairs are
        dropped.
    settled : DiGraph, ranks, or scores (larger is better), optional
        With "drop": an order of some of the items, such as that of `settled_order`, whose pairs are
        kept before all others, whatever their degrees. So the prediction extends it. Pairs in
        its cycles of settled preferences are not kept, but may follow from others.
    seconds : number, optional
        With an abstention cost: time limit of the search, at least 0. The result is then the best
        order found.

    Returns
    -------
    DiGraph
        The closed order on the items of `P`. Edges have the attributes ``degree``, a Fraction, and
        ``added``, True if the pair is only in the closure, because its own degree is below the
        threshold. If members or sessions were counted, edges also have ``margin``: the number of
        those preferring u that must be removed for the degree to fall below the threshold (`why`
        uses it as a weight). ``G.graph`` has the threshold as ``alpha``, and ``least_degree``, the
        smallest degree of the pairs that are not added, None if there are none. With "drop",
        ``dropped`` is the sequence of dropped pairs, highest degree first, each with ``preferred``,
        ``other``, ``degree``, and a ``cycle`` that it would have closed, which is found on demand.

        With an abstention cost c, ``alpha`` is the smallest degree above 1 - c. Deciding a pair of
        at least this degree costs less than abstaining on it. Still, the order abstains on some of
        them if they contradict others, or imply pairs that cost more. ``G.graph`` then also has the
        ``abstention_cost``, the ``loss``, and the ``gap``, the maximum by which the least loss may
        be smaller: 0 for an optimum.

    Raises
    ------
    CycleError
        If the pairs kept have a cycle and `impossible` is "raise"; the error has the cycle.
    GraphTypeError
        If `P` is not a PreferenceRelation.
    PorankError
        If an option is invalid, or cannot be combined with another: `alpha` with `abstention_cost`,
        `seconds` without it, or `settled` without "drop".

    See Also
    --------
    feedback_relation, preference_relation, PreferenceRelation, minimal_threshold

    Examples
    --------
    >>> import porank as po
    >>> votes = "bca", "cab", "bca", "abc", "cab", "abc", "cab"
    >>> P = po.preference_relation([po.from_ranking(vote) for vote in votes])
    >>> G = po.predict_order(P)
    >>> str(G.graph["alpha"]), sorted(G.edges)
    ('5/7', [('a', 'b'), ('c', 'a'), ('c', 'b')])
    >>> str(G.edges["c", "b"]["degree"]), G.edges["c", "b"]["added"]
    ('3/7', True)
    >>> [len(po.predict_order(P, alpha=alpha).edges) for alpha in ("consensus", 0.7)]
    [0, 3]
    >>> G = po.predict_order(P, alpha=0.55, impossible="drop")
    >>> len(G.edges), [(pair.preferred, pair.other, pair.cycle) for pair in G.graph["dropped"]]
    (3, [('b', 'c', ['b', 'c', 'a', 'b'])])
    >>> G = po.predict_order(P, abstention_cost=0.45)
    >>> len(G.edges), str(G.graph["alpha"]), str(G.graph["loss"]), G.graph["gap"]
    (3, '4/7', '8/7', Fraction(0, 1))

    Notes
    -----
    Time O(n**2 log k) and O(n m_red / 64) for k members and m_red edges of the reduction, and a few
    µs for each pair written, at most 10**7; O(n**2 log n + n**3 / 64) to drop pairs. With an
    abstention cost c, the cut of the pairs with degrees above 1 - c is the optimum if it is
    transitive, and is found as fast. Otherwise an integer program is solved, in time that may grow
    exponentially with n.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    require_relation(P)
    require_one_of(impossible, ("raise", "drop"), name="impossible")
    if settled is not None and (impossible != "drop" or abstention_cost is not None):
        raise PorankError(
            "expected impossible='drop' and no abstention cost with a settled order, found "
            f"impossible={impossible!r}, abstention_cost={abstention_cost!r}"
        )
    if abstention_cost is not None:
        if not isinstance(alpha, str) or alpha != "minimal":
            raise PorankError(
                "expected either a threshold or an abstention cost, found both: "
                f"alpha={alpha!r}, abstention_cost={abstention_cost!r}"
            )
        return _order_of_least_loss(P, abstention_cost, seconds=seconds)
    if seconds is not None:
        raise PorankError(
            "expected an abstention cost with seconds, which limits its search, found "
            f"seconds={seconds!r} alone"
        )
    if impossible == "drop":
        return _order_without_dropped(P, alpha, settled)
    strength = strength_of_alpha(P, alpha)
    closed = closed_cut(_pairs_to_write(P, strength))
    if closed is None:
        raise _cycle_in_cut(P, strength)
    return write_order(P, closed, strength=strength)


def _order_without_dropped(
    P: PreferenceRelation, alpha: Any, settled: OrderLike | None
) -> nx.DiGraph:
    """Return the prediction from the kept pairs, without those that would close a cycle."""
    is_default = isinstance(alpha, str) and alpha == "minimal"
    strength = strength_of_alpha(P, "majority" if is_default else alpha)
    strengths = P.strength if settled is None else settled_first(P, settled)
    kept, closed = kept_and_closed(strengths, strength)
    refuse_large(int(np.count_nonzero(closed)), instead=RESTRICT_DEGREES)
    dropped = DroppedPairs.of(P, (strengths >= strength) & (kept == 0), kept)
    return write_order(P, closed, strength=strength, kept=kept, dropped=dropped)


def kept_and_closed(
    strengths: NDArray[Any], strength: int
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the strengths of the pairs to predict, 0 for dropped ones; and their closure."""
    kept = kept_strengths(strengths, strength)
    closed = closed_cut(kept > 0)
    assert closed is not None, "the kept pairs have no cycle"
    return kept, closed


def settled_first(P: PreferenceRelation, settled: OrderLike) -> NDArray[Any]:
    """Return strengths in which the pairs of a settled order are above all others to predict.

    Pairs that it leaves open because they lie on significant cycles are not predicted.
    """
    order = compile_order(settled, name="the settled order")
    require_items(dict.fromkeys(P.items), order.items)
    number = {item: place for place, item in enumerate(P.items)}
    places = np.array([number[item] for item in order.items], dtype=np.int64)
    strengths = P.strength.astype(np.int64)
    preferred, other = np.nonzero(order.matrix())
    strengths[places[preferred], places[other]] = P.unit + 1
    for members in settled_cycles(settled):
        inside = [number[item] for item in members if item in number]
        strengths[np.ix_(inside, inside)] = 0
    return strengths


def _pairs_to_write(P: PreferenceRelation, strength: int) -> NDArray[np.bool_]:
    """Return the pairs to predict at a threshold; raise an error if there are too many to write."""
    is_kept: NDArray[np.bool_] = P.strength >= strength
    refuse_large(int(np.count_nonzero(is_kept)), instead=RESTRICT_DEGREES)
    return is_kept


def strength_of_alpha(P: PreferenceRelation, alpha: Any) -> int:
    """Return the smallest strength of predicted pairs for `alpha`; may raise `CycleError`."""
    if not isinstance(alpha, str):
        return P.strength_of_threshold(alpha)
    match alpha:
        case "minimal":
            return minimal_strength(P)
        case "consensus":
            return P.unit
        case "majority":
            return least_strength_above(P, max(Fraction(1, 2), P.floor))
    raise PorankError(f"expected alpha to be one of {listed(_NAMED)} or a number, found {alpha!r}")


def _cycle_in_cut(P: PreferenceRelation, strength: int) -> CycleError:
    """Return the error that shows the cycle in a cut."""
    alpha = P.degree_of_strength(strength)
    has_higher = strength < P.unit and not has_cycle(P.strength >= P.unit)
    hint = (
        "minimal_threshold(P) is the smallest threshold without a cycle, and impossible='drop' "
        "drops pairs that contradict stronger ones"
        if has_higher
        else "impossible='drop' drops pairs that contradict stronger or equal ones"
    )
    cycle = P.find_blocking_cycle(alpha) or []
    return CycleError.found(cycle, name=f"the cut at {alpha}", hint=hint)


def _order_of_least_loss(
    P: PreferenceRelation,
    abstention_cost: Any,
    *,
    seconds: float | None,
) -> nx.DiGraph:
    """Return the partial order of least loss, if a pair left open has this cost.

    An ordered pair (a, b) costs 1 - P(a, b), so ordering it gains P(a, b) - (1 - c). If the pairs
    with a positive gain form an order, it is the optimum. If not, an integer program decides which
    of them are left open, and which pairs with a loss are added to keep others.
    """
    deadline = time.monotonic() + read_seconds(seconds)
    cost = read_share(abstention_cost, name="an abstention cost")
    strength = least_strength_above(P, 1 - cost)
    is_gain = _pairs_to_write(P, strength)
    closed, gap = closed_cut(is_gain), Fraction(0)
    if closed is None or not np.array_equal(closed, is_gain):
        closed, gap = _least_loss(P, cost, strength, deadline)
    facts: dict[str, Any] = {"abstention_cost": cost, "loss": _loss_of(P, closed, cost), "gap": gap}
    return write_order(P, closed, strength=strength, **facts)


def _least_loss(
    P: PreferenceRelation, cost: Fraction, strength: int, deadline: float
) -> tuple[NDArray[np.bool_], Fraction]:
    """Return the partial order of least loss by an integer program, or the best found, and the gap.

    Idea: *take an optimum S, and the pairs of S with a positive gain: their closure is part of S
    and loses nothing, so it is an optimum, too.*
    """
    line = np.array(numbers_in_order(P.items))
    square = np.ix_(line, line)
    # Ordering (a, b) instead of leaving the pair open gains P(a, b) - (1 - c).
    gains = (P.matrix() - float(1 - cost))[square]
    np.fill_diagonal(gains, 0)
    _, start = kept_and_closed(P.strength, strength)
    best, gap = search(
        gains,
        "partial",
        lambda shares: closed_cut((shares > 0.5) & (gains > 0)),
        start[square],
        unit=0,
        deadline=deadline,
    )
    closed = np.zeros_like(start)
    closed[square] = best
    return closed, simple_fraction(gap)


def _loss_of(P: PreferenceRelation, closed: NDArray[np.bool_], cost: Fraction) -> Fraction:
    """Return the exact loss of a partial order that leaves pairs open at a cost."""
    strengths, times = np.unique(P.strength[closed], return_counts=True)
    # c (n (n - 1) / 2 - m) + the sum of 1 - P(a, b) over the m pairs (a, b).
    loss = cost * (math.comb(len(closed), 2) - int(times.sum()))
    for strength, number in zip(strengths.tolist(), times.tolist(), strict=True):
        loss += number * (1 - P.degree_of_strength(strength))
    return loss


class DroppedPair(NamedTuple):
    """A pair dropped from a prediction, and a shortest cycle that it would have closed."""

    preferred: Item
    other: Item
    degree: Fraction
    cycle: list[Item]


@dataclass(frozen=True, eq=False, repr=False)
class DroppedPairs(Listed):
    """The pairs dropped from a prediction, highest degree first; cycles are found on demand."""

    _part: ClassVar = DroppedPair

    P: PreferenceRelation
    kept: NDArray[Any]
    #: The numbers of the preferred and the other item, in a row for each pair.
    pairs: Numbers
    #: The items in order, to choose among equally short cycles.
    line: Numbers

    @classmethod
    def of(
        cls, P: PreferenceRelation, is_dropped: NDArray[np.bool_], kept: NDArray[Any]
    ) -> DroppedPairs:
        """Return the pairs that are dropped, given those that are kept."""
        source, target = np.nonzero(is_dropped)
        line = np.array(numbers_in_order(P.items), dtype=np.int64)
        place, degrees = inverse_of(line), -P.strength[source, target].astype(np.int64)
        found = np.lexsort((place[target], place[source], degrees))
        return cls(P, kept, np.column_stack((source[found], target[found])), line)

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return list(map(self.__getitem__, range(len(self))[place]))
        preferred, other = self.pairs[place].tolist()
        items, strength = self.P.items, int(self.P.strength[preferred, other])
        cycle = [items[number] for number in self._cycle(preferred, other, strength)]
        degree = self.P.degree_of_strength(strength)
        return DroppedPair(items[preferred], items[other], degree, cycle)

    def _cycle(self, preferred: int, other: int, strength: int) -> list[int]:
        """Return a shortest cycle through a pair, of stronger kept pairs and of its equals."""
        parent, rest = {other: other}, self.line[self.line != other]
        frontier = np.array([other])
        while not (back := self._edges(frontier, np.array([preferred]), strength)).any():
            edges = self._edges(frontier, rest, strength)
            is_reached = edges.any(axis=0)
            first = frontier[edges.argmax(axis=0)[is_reached]]
            parent |= zip(rest[is_reached].tolist(), first.tolist(), strict=True)
            frontier, rest = rest[is_reached], rest[~is_reached]
        path = [int(frontier[back.argmax()])]
        while path[-1] != other:
            path.append(parent[path[-1]])
        return [preferred, *path[::-1], preferred]

    def _edges(self, source: Numbers, target: Numbers, strength: int) -> NDArray[np.bool_]:
        """Return which pairs were kept or tried when the pairs of this strength were tried."""
        block = np.ix_(source, target)
        is_there: NDArray[np.bool_] = self.kept[block] > strength
        is_there |= self.P.strength[block] == strength
        return is_there

    def to_table(self) -> Table:
        """Return the pairs with their degrees and cycles as a table."""
        rows = [(*pair[:3], " > ".join(map(str, pair.cycle))) for pair in self]
        return Table(("preferred", "other", "degree", "cycle"), rows)
