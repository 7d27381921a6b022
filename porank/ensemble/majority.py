"""The graph of the majorities, with its cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import graph_of, refuse_large
from porank.ensemble.members import read_members
from porank.ensemble.votes import count_wins

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx


def majority_graph(
    orders: Any, *, counts: Sequence[int] | None = None, progress: bool = False
) -> nx.DiGraph:
    """Return the graph with an edge u -> v where more members prefer u to v than v to u.

    A majority need not be one of all members: those that leave the pair open do not count. The
    graph may have cycles, even if no member has.

    Parameters
    ----------
    orders : iterable of DiGraph or scores, two-dimensional array, frame, or Profile
        The members, orders of the same items, as for `preference_relation`.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    progress : bool
        Show a bar.

    Returns
    -------
    DiGraph
        Items as in the first member. Each edge has the attributes ``wins``, the number of members
        that prefer u to v, and ``margin``, that number less the number of those that prefer v.

    Raises
    ------
    CycleError
        If a member has a cycle; the error says which.
    ItemMismatchError
        If the members have different items.
    PorankError
        If there is no member, a count is none, or more than 10**7 edges would be written.

    Examples
    --------
    >>> import porank as po
    >>> G = po.majority_graph([po.from_ranking(vote) for vote in ("abc", "bca", "cab")])
    >>> po.find_cycle(G)
    ['a', 'b', 'c', 'a']
    >>> G.edges["a", "b"]
    {'wins': 2, 'margin': 1}
    >>> H, dropped = po.break_cycles(G, weight="margin")
    >>> dropped
    [('c', 'a')]

    Notes
    -----
    Time O(n**2 k) comparisons of small integers for k members, and O(m) to write m edges. Of a
    `PreferenceRelation` P of members that are all total the edges are those of ``P.cut(alpha)`` for
    the least degree alpha above 1/2. `condense` draws the knots of the graph together.
    From knots of up to 16 items `break_cycles` on ``margin`` drops as little margin in all as
    the order of least cost, `kemeny`, decides against; from larger ones, which it does not search
    through, it may drop more.
    """
    members, numbers = read_members(orders, counts=counts, progress=progress)
    wins = count_wins(members, numbers, progress=progress)
    is_edge = wins > wins.T
    refuse_large(int(np.count_nonzero(is_edge)), instead="preference_relation has all wins")
    items = tuple(members[0].items)
    G = graph_of(items, (np.flatnonzero(row).tolist() for row in is_edge))
    place = {item: number for number, item in enumerate(items)}
    for u, v, data in G.edges(data=True):
        i, j = place[u], place[v]
        data["wins"] = int(wins[i, j])
        data["margin"] = int(wins[i, j]) - int(wins[j, i])
    return G
