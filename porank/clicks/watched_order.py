"""The order that a growing log settles, however often one looks at it.

Idea: *a bet on each pair and direction, whose expected gain is never positive if the majority does
not prefer that side.* Its largest value so far, the e-value, exceeds x with a probability of at
most 1/x at any time (Ville). Places are not part of this model: what stands higher may win by that.

`watched_order` is ``settled_order(log, anytime=True)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.abstention.settled import log_e_values, settle_watched
from porank.core.arrays import grouped, pair_codes, run_starts

if TYPE_CHECKING:
    import networkx as nx
    from numpy.typing import NDArray

    from porank.clicks.statements import Statements
    from porank.typing import Floats, Numbers


def watched_order(statements: Statements, risk: float) -> nx.DiGraph:
    """Return the order that the units of a log settled at any time up to its end."""
    pair, moment, is_back = _first_preferences(statements)
    order, starts = grouped(pair, moment)
    different = run_starts(pair[order[starts]])
    sides = [_so_far(side[order], starts, different) for side in (~is_back, is_back)]
    last = np.append(different[1:], starts.size)[: different.size] - 1
    numbers = np.divmod(pair[order[starts[different]]], max(len(statements.items), 1))
    u, v = ([statements.items[k] for k in side.tolist()] for side in numbers)
    for_u, for_v = (side[last].tolist() for side in sides)
    counts = dict(zip(zip(u, v, strict=True), zip(for_u, for_v, strict=True), strict=True))
    counts |= dict(zip(zip(v, u, strict=True), zip(for_v, for_u, strict=True), strict=True))

    def largest(gone: Numbers) -> Floats:
        """Return the logarithms of the largest e-values, without the first supporters of each."""
        ways = zip((sides, sides[::-1]), np.split(gone, 2), strict=True)
        of_pair = np.repeat(np.arange(different.size), np.diff(different, append=starts.size))
        e = [log_e_values((a - each[of_pair]).clip(0), b) for (a, b), each in ways]
        return np.concatenate([np.maximum.reduceat(each, different) for each in e])

    settled = settle_watched(statements.items, counts, largest, risk=risk)
    settled.graph.update(counts=statements.log.counts, problems=statements.problems)
    return settled


def _first_preferences(statements: Statements) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Return each unit's first preference on each pair of a log: pair, time and direction."""
    rows, n = statements.decided, len(statements.items)
    ends = statements.log.of_sessions("time", pick=np.fmax)
    moment = np.unique(ends, return_inverse=True)[1][rows["session"]]
    unit = statements.unit_of_session[rows["session"]]
    first, second = rows["preferred"], rows["other"]
    pair, is_back = pair_codes(first, second, n), first > second
    order, starts = grouped(pair, unit)
    earliest = np.minimum.reduceat(moment[order], starts) if starts.size else moment
    is_first = moment[order] == np.repeat(earliest, np.diff(starts, append=order.size))
    kept = order[is_first]
    # If several sessions of a unit have this time, each direction counts once.
    order, starts = grouped(pair[kept], unit[kept], is_back[kept].astype(np.int64))
    kept = kept[order[starts]]
    return pair[kept], moment[kept], is_back[kept]


def _so_far(is_for: NDArray[np.bool_], starts: Numbers, different: Numbers) -> Numbers:
    """Return how many units prefer one side of its pair up to each moment."""
    if not starts.size:
        return starts
    new = np.add.reduceat(is_for.astype(np.int64), starts)
    up_to = np.cumsum(new)
    before = (up_to - new)[different]
    so_far: Numbers = up_to - np.repeat(before, np.diff(different, append=starts.size))
    return so_far
