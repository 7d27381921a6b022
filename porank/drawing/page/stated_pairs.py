"""What a page needs to tell why one item stands above another: the stated pairs at each stop.

The pairs that a relation states at a threshold are the first so many of all, the strongest first;
how much evidence each has depends on the threshold. The page finds chains and cuts by itself.

`add_stated_pairs`.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.abstention.thresholds import margins
from porank.errors import PorankError
from porank.orders.cycles import require_weights
from porank.orders.why import evidence_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from porank.abstention.curve import AbstentionCurve
    from porank.typing import Item, OrderLike

#: More stated pairs, and more amounts of evidence, make a page too heavy.
_MOST_PAIRS, _MOST_AMOUNTS = 20_000, 100_000


def add_stated_pairs(
    data: dict[str, Any],
    order: OrderLike | None,
    curve: AbstentionCurve | None,
    alphas: Sequence[Fraction],
    number: Mapping[Item, int],
) -> None:
    """Add to the stops of a page the pairs that are stated there, and what evidence they have.

    The last stops are those of the thresholds of the curve, before them the given order may stand.
    """
    before = len(data["stops"]) - len(alphas)
    if curve is not None:
        _add_pairs_of_curve(data, data["stops"][before:], curve, alphas, number)
    for stop in data["stops"][:before]:
        if isinstance(order, nx.DiGraph) and order.number_of_edges() <= _MOST_PAIRS:
            stop.update(_pairs_of_graph(order, number))


def _pairs_of_graph(G: nx.DiGraph, number: Mapping[Item, int]) -> dict[str, Any]:
    """Return the stated pairs of a graph with their evidence, if they have any.

    Without it the page takes the lines that it draws, so that it depends on the order alone.
    """
    edges = [
        (number[u], number[v], data)
        for u, v, data in G.edges(data=True)
        if u != v and not data.get("added")
    ]
    edges.sort(key=lambda edge: edge[:2])
    weight = evidence_of([data for *_, data in edges], "auto")
    try:
        require_weights(edges, weight)
    except PorankError:
        weight = None
    if weight is None:
        return {}
    amounts = [data[weight] for *_, data in edges]
    return {
        "own": list(chain.from_iterable(edge[:2] for edge in edges)),
        "amounts": [a if isinstance(a, int) else float(a) for a in amounts],
        "evidence": weight,
    }


def _add_pairs_of_curve(
    data: dict[str, Any],
    stops: list[dict[str, Any]],
    curve: AbstentionCurve,
    alphas: Sequence[Fraction],
    number: Mapping[Item, int],
) -> None:
    """Add the pairs that a relation states at each stop of a page, the strongest first.

    Pairs that are dropped are dropped at every stop, and not stated.
    """
    P, strength = curve.P, curve.kept
    levels = [P.strength_of_threshold(alpha) for alpha in alphas]
    i, j = np.nonzero(strength >= min(levels, default=P.unit))
    if i.size > _MOST_PAIRS:
        return
    place = np.array([number[item] for item in P.items], dtype=np.int64)
    first = np.lexsort((place[j], place[i], -strength[i, j].astype(np.int64)))
    i, j = i[first], j[first]
    strengths = strength[i, j]
    data["stated"] = np.column_stack((place[i], place[j])).ravel().tolist()
    total = 0
    for stop, level in zip(stops, levels, strict=True):
        stop["stated"] = kept = int(np.count_nonzero(strengths >= level))
        total += kept
        amounts = margins(P, (i[:kept], j[:kept]), strengths[:kept], level)
        if amounts is not None and total <= _MOST_AMOUNTS:
            stop |= {"amounts": amounts, "evidence": "statement"}
