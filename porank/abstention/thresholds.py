"""Cuts of a valued relation: the smallest threshold without a cycle, closures, and their graphs.

A cut contains the pairs of at least some degree. Its closure may contain further pairs. The support
of a chain of preferences is the smallest degree in it; if several chains lead to a pair, the
strongest one counts.

Idea: *cuts shrink as the threshold grows, so bisection finds the first one without a cycle.* It
runs over integers. The lower end is the largest strength that both directions of some pair have,
which must fail. The upper end is that of degree 1, which is only tried if nothing below it
succeeds. A cut is only checked for a cycle, not closed.

Below that threshold, pairs that contradict stronger ones are dropped. Degrees are taken from the
highest down, equal ones together. Among pairs of equal degree, all that would lie on a cycle with
the kept pairs are dropped. So the kept pairs have no cycle, do not depend on the names of items,
grow as the threshold falls, and are the whole cut from the minimal threshold up.

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
    from collections.abc import Callable, Iterator
    from fractions import Fraction

    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation


def minimal_threshold(P: PreferenceRelation) -> Fraction:
    """Return the smallest threshold at which the cut of a relation is acyclic.

    It is alpha* = min {alpha : R_alpha has no cycle}, where the cut R_alpha = {(a, b) : P(a, b) >=
    alpha}. The candidates for alpha are the multiples of 1/k for an ensemble of k members; the
    multiples of 1/(2k) if ties count half and a member does not decide a pair; and 1 and the
    degrees that occur if degrees are given by hand [1]_. Only candidates above ``P.floor`` count.

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
        If even the pairs of degree 1 have a cycle. This is only possible with degrees given by
        hand, counts of sessions, and bootstrap samples of a log.
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
    Time O(n**2) for each of O(log k) cuts, and O(n) unions of n bits to search each cut for a
    cycle.

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
    # Both directions are in the cut, if P(a, b) >= alpha and P(b, a) >= alpha: alpha* is above the
    # maximum over pairs of min(P(a, b), P(b, a)).
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
            hint="break_cycles(P.cut(1)) or condense(P.cut(1)) resolve it, and "
            "predict_order(P, impossible='drop') drops such pairs",
        )
    return succeeds


def has_cycle(matrix: NDArray[np.bool_]) -> bool:
    """Return whether a cut has a cycle; it is a Boolean matrix with edges [i, j] from i to j.

    No item has an edge to itself.
    """
    return any(members.bit_count() > 1 for members in strong_components(matrix))


def strong_components(matrix: NDArray[np.bool_]) -> Iterator[int]:
    """Yield the strongly connected components of a cut, a Boolean matrix, as rows of bits.

    Entry [i, j] is an edge from i to j. A component comes after all others that it reaches.

    Idea: *walk to unvisited items and remember the path; an edge back to the path merges all items
    on it from there on* [1]_. Sets of items are integers, so one step looks at all successors of an
    item at once.

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
            "from degrees, such as mutual rank probabilities"
        )


def closed_cut(is_kept: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Return the closure of a cut, or None if it has a cycle."""
    source, target = np.nonzero(is_kept)
    levels = longest_path_levels(len(is_kept), source, target)
    return None if levels is None else relate(levels, source, target).matrix()


def deciding_strengths(strength: NDArray[Any], least: int) -> NDArray[Any]:
    """Return for each pair the largest strength whose closed cut contains it, 0 below `least`.

    Idea: *go through the items in reverse topological order of the cut at `least`. A chain from an
    item starts with one of its own pairs and continues from the other item of that pair, for which
    everything is known.*
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
            # d(i, j) = max(P(i, j), max over k of min(P(i, k), d(k, j))).
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
    """The items that each item reaches by the kept pairs, and that reach it, as rows of bits."""

    def __init__(self, n: int) -> None:
        self.below, self.above = [0] * n, [0] * n

    def add_possible(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Add pairs of one degree, except those on a cycle, which are returned."""
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
        """Return whether the other item of a pair, kept or new, reaches the preferred item."""
        return self.below[other] >> preferred & 1

    def _add(self, preferred: int, other: int) -> None:
        below, above = self.below, self.above
        if below[preferred] >> other & 1:
            return
        downwards, upwards = below[other] | 1 << other, above[preferred] | 1 << preferred
        # Both loops only visit pairs that were not reached before.
        sources, targets = upwards & ~above[other], downwards & ~below[preferred]
        for item in _places(sources):
            below[item] |= downwards
        for item in _places(targets):
            above[item] |= upwards


def _places(row: int) -> Iterator[int]:
    """Yield the items in a row of bits; for few bits, this is much faster than NumPy."""
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
    **facts: Any,
) -> nx.DiGraph:
    """Return a closed cut as a graph, with the degree of each pair and whether it was added.

    `kept` has the strengths of all pairs if some were dropped; a kept strength above the pair's own
    marks a settled pair. If the evidence of pairs is known, and no loss was minimised, each pair
    also has its margin.
    """
    strengths = P.strength[closed]
    of_kept = strengths if kept is None else kept[closed]
    stated = np.minimum(of_kept, strengths)
    attributes: dict[str, list[Any]] = {
        "degree": degrees_of(P, strengths),
        "added": (of_kept < strength).tolist(),
    }
    counted = margins(P, closed, stated, strength) if "loss" not in facts else None
    if counted is not None:
        attributes["margin"] = counted
    G = graph_of_pairs(P.items, closed, instead=RESTRICT_DEGREES, **attributes)
    of_the_cut = stated[stated >= strength]
    least = P.degree_of_strength(int(of_the_cut.min())) if of_the_cut.size else None
    G.graph.update(facts, alpha=P.degree_of_strength(strength), least_degree=least)
    return G


def margins(
    P: PreferenceRelation, where: Any, strengths: NDArray[Any], strength: int
) -> list[int] | None:
    """Return how many members or sessions each pair must lose to fall below the threshold.

    `where` selects the pairs in the matrices of `P`, and `strengths` are their strengths. The
    margin is 0 for pairs that the cut does not contain. The result is None if margins cannot be
    counted.
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
    """Return how many of those for a pair must be lost for its degree to fall below alpha.

    Idea: *the degree falls with the number that is left, so bisection finds the number.*
    """
    tied = max(0, n_members - support - against)
    # The smallest m with P(s - m, a, t) < alpha, for s for the pair, a against it and t ties.
    below = bisect_left(range(support), alpha, key=lambda left: degree_of(left, against, tied))
    return support - max(below - 1, 0)
