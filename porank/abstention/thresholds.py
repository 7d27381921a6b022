"""Cuts of a valued relation: the smallest threshold without a cycle, closures, written orders.

A cut keeps the pairs of at least some degree. Its closure may hold further pairs; how strongly a
chain of preferences speaks for such a pair is the least degree in the chain, and of several chains
the strongest counts.

Idea: *the cuts shrink as the threshold grows, so that a bisection finds the first one without a
cycle.* It runs over integers, between the largest strength that both directions of some pair have,
which must fail, and that of degree 1, which is only tried if nothing below it succeeds; a cut is
only asked for a cycle, never closed.

Below that threshold what contradicts stronger pairs is dropped. Degrees are taken from the highest
down, equal ones together; of these, all pairs that would lie on a cycle with what is kept are left
out. So what is kept has no cycle, depends on no name, grows as the threshold falls, and is the
whole cut from the minimal threshold up.

`minimal_threshold`, `minimal_strength`, `has_cycle`, `strong_components`, `closed_cut`,
`kept_strengths`, `deciding_strengths`, `write_order`, `margins`, `require_relation`.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import share_of_members
from porank.abstention.preference_relation import degrees_of, graph_of_pairs, least_strength_above
from porank.core.arrays import inverse_of, longest_path_levels, run_starts
from porank.core.progress import track
from porank.core.relation import relate, rows_of
from porank.errors import RESTRICT_DEGREES, CycleError, GraphTypeError, a_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from fractions import Fraction

    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item


def minimal_threshold(P: PreferenceRelation) -> Fraction:
    """Return the smallest threshold at which the cut of a relation is acyclic.

    alpha* = min {alpha : R_alpha = {(a, b) : P(a, b) >= alpha} has no cycle}, over the multiples of
    1/k for an ensemble of k members, of 1/(2k) where ties count half and a member leaves a pair
    open, and over the degrees that occur, and 1, where they are given by hand [1]_; in each
    case over those above ``P.floor``.

    Parameters
    ----------
    P : PreferenceRelation
        Degrees of preference.

    Returns
    -------
    Fraction
        In (0, 1]. 1/k if all k members are the same order.

    Raises
    ------
    CycleError
        If even the pairs of degree 1 have a cycle; only degrees given by hand can.
    GraphTypeError
        If `P` is not a PreferenceRelation.

    See Also
    --------
    predict_order, abstention_curve

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(ranking) for ranking in ("abc", "bca", "cab")]
    >>> po.minimal_threshold(po.preference_relation(votes))
    Fraction(1, 1)
    >>> po.minimal_threshold(po.preference_relation([po.from_ranking("ab")] * 3))
    Fraction(1, 3)

    Notes
    -----
    Time O(n**2) for each of O(log k) cuts, and O(n) unions of n bits to search each for a cycle.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    require_relation(P)
    return P.degree_of_strength(minimal_strength(P))


def minimal_strength(P: PreferenceRelation) -> int:
    """Return the strength of the smallest threshold at which the cut of a relation has no cycle."""
    two_way = int(np.minimum(P.strength, P.strength.T).max(initial=0))
    least = max(two_way + 1, least_strength_above(P, P.floor))
    below_unit = range(least, P.unit)
    found = bisect_left(
        below_unit, True, key=lambda strength: not has_cycle(P.strength >= strength)
    )
    succeeds = min(least + found, P.unit)
    if succeeds == P.unit and has_cycle(P.strength >= succeeds):
        cycle = P.find_blocking_cycle(1) or []
        raise CycleError.found(
            cycle,
            name="the pairs of degree 1",
            hint="they are the graph P.cut(1), which break_cycles and condense take, and "
            "predict_order(P, impossible='drop') leaves them out",
        )
    return succeeds


def has_cycle(matrix: NDArray[np.bool_]) -> bool:
    """Return whether a cut, a Boolean matrix, has a cycle, entry [i, j] being an edge from i to j.

    No item has an edge to itself.
    """
    return any(members.bit_count() > 1 for members in strong_components(matrix))


def strong_components(matrix: NDArray[np.bool_]) -> Iterator[int]:
    """Yield the strongly connected components of a cut, a Boolean matrix, as rows of bits.

    Entry [i, j] is an edge from i to j.

    Idea: *walk down to items not met before, remembering the path; an edge back to the path makes
    one of all that stand on it from there on* [1]_. Sets of items are integers, so that one step
    looks at all successors of an item together.

    .. [1] H. N. Gabow, "Path-based depth-first search for strong and biconnected components",
       Information Processing Letters 74, 2000. https://doi.org/10.1016/S0020-0190(00)00051-X
    """
    rows = rows_of(matrix)
    fresh = (1 << len(rows)) - 1
    while fresh:
        path: list[tuple[int, int]] = []
        on_path = 0
        entered = fresh.bit_length() - 1
        while path or entered >= 0:
            if entered >= 0:
                path.append((1 << entered, rows[entered]))
                on_path |= 1 << entered
                fresh ^= 1 << entered
            members, below = path.pop()
            while below & on_path & ~members:
                upper, below_upper = path.pop()
                members, below = members | upper, below | below_upper
            entered = (below & fresh).bit_length() - 1
            if entered >= 0:
                path.append((members, below))
            else:
                on_path ^= members
                yield members


def require_relation(P: object) -> None:
    """Raise `GraphTypeError` unless `P` has the strengths of a valued relation."""
    if not hasattr(P, "strength") or not hasattr(P, "unit"):
        raise GraphTypeError(
            f"expected a PreferenceRelation, found {a_kind(P)}; "
            "preference_relation(orders) makes one from orders, PreferenceRelation.from_degrees "
            "one from degrees, such as mutual rank probabilities"
        )


def closed_cut(is_kept: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Return the closure of a cut, the pairs kept at a threshold, or None if they have a cycle."""
    source, target = np.nonzero(is_kept)
    levels = longest_path_levels(len(is_kept), source, target)
    return None if levels is None else relate(levels, source, target).matrix()


def deciding_strengths(strength: NDArray[Any], least: int) -> NDArray[Any]:
    """Return for each pair the largest strength whose closed cut holds it, 0 below `least`.

    Idea: *the items are taken from the last to the first of a line in which the cut at `least`
    points down; a chain from an item begins with a pair that it holds itself, and goes on as from
    the other item of that pair, for which everything is known.*
    """
    kept = np.where(strength >= least, strength, 0).astype(strength.dtype)
    levels = longest_path_levels(len(kept), *np.nonzero(kept))
    assert levels is not None, "the cut at the least strength has no cycle"
    line = np.argsort(levels, kind="stable")
    decided = kept[np.ix_(line, line)]
    numbers = range(len(line) - 1, -1, -1)
    for i in track(numbers, label="following chains"):
        row = decided[i]
        stated = np.flatnonzero(row)
        if stated.size:
            chains = np.minimum(decided[stated, i:], row[stated, None])
            np.maximum(row[i:], chains.max(axis=0), out=row[i:])
    back = inverse_of(line)
    return decided[np.ix_(back, back)]


def kept_strengths(strength: NDArray[Any], least: int) -> NDArray[Any]:
    """Return the strengths of pairs to predict, 0 if they contradict stronger or equal ones."""
    kept = np.where(strength >= least, strength, 0).astype(strength.dtype)
    source, target = np.nonzero(kept)
    line = np.argsort(kept[source, target], kind="stable")[::-1]
    source, target = source[line], target[line]
    starts = run_starts(kept[source, target]).tolist()
    reach = _Reach(len(kept))
    groups = list(pairwise([*starts, len(line)]))
    for start, end in track(groups, label="dropping"):
        equal = slice(start, end)
        pairs = list(zip(source[equal].tolist(), target[equal].tolist(), strict=True))
        for pair in reach.add_possible(pairs):
            kept[pair] = 0
    return kept


class _Reach:
    """What each item reaches by the pairs kept, and from where it is reached, as rows of bits."""

    def __init__(self, n: int) -> None:
        self.below, self.above = [0] * n, [0] * n

    def add_possible(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Add pairs of one degree, without those on a cycle, which are returned."""
        if len(pairs) == 1 and self._closes_cycle(*pairs[0]):
            return pairs
        before = (self.below.copy(), self.above.copy()) if len(pairs) > 1 else None
        for pair in pairs:
            self._add(*pair)
        dropped = [pair for pair in pairs if self._closes_cycle(*pair)]
        if dropped and before:
            self.below, self.above = before
            impossible = set(dropped)
            for pair in pairs:
                if pair not in impossible:
                    self._add(*pair)
        return dropped

    def _closes_cycle(self, preferred: int, other: int) -> int:
        """Return whether the other item of a pair kept or new reaches the preferred one."""
        return self.below[other] >> preferred & 1

    def _add(self, preferred: int, other: int) -> None:
        below, above = self.below, self.above
        if below[preferred] >> other & 1:
            return
        downwards, upwards = below[other] | 1 << other, above[preferred] | 1 << preferred
        # Each step of either loop is a pair that was not reached before.
        sources, targets = upwards & ~above[other], downwards & ~below[preferred]
        for item in _places(sources):
            below[item] |= downwards
        for item in _places(targets):
            above[item] |= upwards


def _places(row: int) -> Iterator[int]:
    """Yield the items in a row of bits, of few bits many times faster than by NumPy."""
    while row:
        place = row.bit_length() - 1
        row ^= 1 << place
        yield place


def write_order(
    P: PreferenceRelation,
    closed: NDArray[np.bool_],
    *,
    strength: int,
    kept: NDArray[Any] | None = None,
    cycle: Sequence[Item] = (),
    **facts: Any,
) -> nx.DiGraph:
    """Return a closed cut as a graph, each pair with its degree and whether it was added.

    Of the strengths of all pairs, those `kept` are left where some pairs were dropped; what is kept
    above its own strength was given as settled. Where the evidence of pairs is known, and no loss
    decided, each has its margin as well.
    """
    strengths = P.strength[closed]
    of_kept = strengths if kept is None else kept[closed]
    stated = np.minimum(of_kept, strengths)
    attributes: dict[str, list[Any]] = {
        "degree": degrees_of(P, strengths),
        "added": (of_kept < strength).tolist(),
    }
    counted = margins(P, closed, stated, strength) if strength and "loss" not in facts else None
    if counted is not None:
        attributes["margin"] = counted
    G = graph_of_pairs(P.items, closed, instead=RESTRICT_DEGREES, **attributes)
    of_the_cut = stated[stated >= strength]
    least = P.degree_of_strength(int(of_the_cut.min())) if of_the_cut.size else None
    alpha = P.degree_of_strength(strength) if strength else None
    G.graph.update(alpha=alpha, least_degree=least)
    if cycle:
        G.graph["blocking_cycle"] = list(cycle)
    G.graph.update(facts)
    return G


def margins(
    P: PreferenceRelation, where: Any, strengths: NDArray[Any], strength: int
) -> list[int] | None:
    """Return how many members or sessions a pair of a cut hangs by: so many lost, and it is below.

    The pairs are those `where` they stand in the matrices of `P`, with their own `strengths`. None
    where they cannot be counted, and 0 for a pair that the cut at this strength does not hold.
    """
    counts, degree_of = P.support, P.degree_of
    if P.n_members:
        ties = "half" if P.unit > P.n_members else "none"
        counts, degree_of = P.wins, partial(share_of_members, ties)
    if counts is None or degree_of is None or counts.dtype.kind not in "iu":
        return None
    alpha = P.degree_of_strength(strength)
    margin = cache(partial(_margin, degree_of, alpha, P.n_members))
    both = zip(counts[where].tolist(), counts.T[where].tolist(), strict=True)
    stated = (strengths >= strength).tolist()
    return [margin(*each) if is_stated else 0 for each, is_stated in zip(both, stated, strict=True)]


def _margin(
    degree_of: Callable[..., Fraction],
    alpha: Fraction,
    n_members: int,
    support: int,
    against: int,
) -> int:
    """Return how many of those for a pair must be lost to take its degree below alpha.

    Idea: *the fewer are left, the smaller the degree: a bisection finds how many.*
    """
    tied = max(0, n_members - support - against)
    below = bisect_left(range(support), alpha, key=lambda left: degree_of(left, against, tied))
    return support - max(below - 1, 0)
