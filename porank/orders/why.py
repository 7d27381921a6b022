"""Why one item is preferred to another, and how firmly: chains, and the least evidence for them.

What follows is known by chains of stated pairs. The least evidence without which it would no longer
follow is a minimum cut between the two items, and a maximum flow, split into chains, is its proof:
chains that share no evidence need as much to be broken as they carry together [1]_. Only stated
edges carry: in an order of `predict_order` those that the closure did not add.

Public: `why`, which makes an `Explanation`, and `weakest`; `evidence_of` says what edges weigh.

References
----------
.. [1] L. R. Ford, D. R. Fulkerson, "Maximal flow through a network", Canadian Journal of
   Mathematics 8, 1956, pp. 399-404. https://doi.org/10.4153/CJM-1956-045-5
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
from networkx.algorithms.flow import edmonds_karp

from porank.core.arguments import require_count
from porank.core.compiled_order import as_graph, compile_order, plain_number, require_items
from porank.core.graphs import in_order, item_key, reached_along
from porank.core.tables import Table, Tabular
from porank.errors import PorankError, listed
from porank.orders.cycles import require_weights

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from porank.typing import Item, OrderLike

#: Edge attributes that say how much evidence an edge has, the first that all edges have.
_EVIDENCE = ("margin", "support")


@dataclass(frozen=True)
class Explanation(Tabular):
    """Why one item is preferred to another: what `why` makes.

    Attributes
    ----------
    preferred, other : item
        The two items.
    evidence : number
        The least evidence without which the preference would no longer follow: what the chains
        carry together, and what the cut weighs.
    chains : tuple of (number, tuple of items)
        Chains of stated edges from the one to the other that share no evidence, with what each
        carries; the strongest first.
    cut : tuple of (item, item, number)
        The stated edges of a cheapest cut, with what each weighs: every chain takes one of them.
    weight : str or None
        The edge attribute that was weighed; None where each edge counted once.

    See Also
    --------
    why, weakest

    Examples
    --------
    >>> import porank as po
    >>> po.why(po.parse("a > b > d; a > c > d"), "a", "d").chains
    ((1, ('a', 'b', 'd')), (1, ('a', 'c', 'd')))
    """

    preferred: Item
    other: Item
    evidence: Any
    chains: tuple[tuple[Any, tuple[Item, ...]], ...]
    cut: tuple[tuple[Item, Item, Any], ...]
    weight: str | None

    def to_table(self) -> Table:
        """Return the explanation as a table: a row for each chain, and one for each edge cut."""
        unit = self.weight or "edges"
        rows = [("chain", amount, _spelled(items)) for amount, items in self.chains]
        rows += [("cut", amount, _spelled((u, v))) for u, v, amount in self.cut]
        return Table(("what", unit, "items"), rows)


def _spelled(items: Iterable[Item]) -> str:
    """Return a chain of stated edges as a text."""
    return listed(list(items), limit=12, separator=" > ")


def why(G: OrderLike, u: Item, v: Item, *, weight: str | None = "auto") -> Explanation:
    """Return why u is preferred to v: chains of stated edges, and the least evidence for it.

    Each stated edge has room for as much as it weighs. The least evidence is the minimum, over all
    sets C of stated edges without which v cannot be reached from u, of the weight of C; it equals
    the most that can be sent from u to v at the same time [1]_. With every edge counted once it is
    the number of edge-disjoint chains.

    Parameters
    ----------
    G : DiGraph or scores
        Any directed graph. An edge with the attribute ``added`` set, as `predict_order` has them,
        was not stated: it follows from others.
    u, v : item
        Two items, v reachable from u.
    weight : str or None
        The edge attribute that says how much evidence an edge has, a finite number from 0 on; or
        None, where each edge counts once. "auto" takes ``margin`` if the edges between the two
        have it, as those of `predict_order` and `net_preferences` do, else ``support``, as those of
        `from_log` do, else None.

    Returns
    -------
    Explanation
        The ``evidence``, above 0 unless edges weigh nothing, the ``chains`` and the ``cut``; it
        prints as a table. Of several cheapest cuts it is the one nearest to u.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is no graph at all.
    PorankError
        If u or v is no item, v is not reached from u by stated edges, or a weight is none.

    See Also
    --------
    Explanation, weakest, prefers, predict_order

    Examples
    --------
    >>> import networkx as nx
    >>> import porank as po
    >>> G = nx.DiGraph()
    >>> G.add_weighted_edges_from(
    ...     [("a", "b", 5), ("b", "d", 3), ("a", "c", 2), ("c", "d", 4)], weight="support"
    ... )
    >>> print(po.why(G, "a", "d"))
    what   support  items
    -----  -------  ---------------
    chain        3  'a' > 'b' > 'd'
    chain        2  'a' > 'c' > 'd'
    cut          2  'a' > 'c'
    cut          3  'b' > 'd'

    Notes
    -----
    The margin of an edge of a predicted order is the number of members or sessions that must be
    lost to take its degree below the threshold. A session that speaks for several edges is counted
    at each of them, so that fewer sessions may do; and one that speaks for an edge and against
    another is lost to both, so that the sum is an estimate of sessions, exact in statements.

    Time O(n m**2) for n items and m edges between the two at the worst, and hardly ever more than
    some passes over the edges [2]_. Floats are added as the fractions that they are.

    References
    ----------
    .. [1] L. R. Ford, D. R. Fulkerson, "Maximal flow through a network", Canadian Journal of
       Mathematics 8, 1956, pp. 399-404. https://doi.org/10.4153/CJM-1956-045-5
    .. [2] J. Edmonds, R. M. Karp, "Theoretical improvements in algorithmic efficiency for network
       flow problems", Journal of the ACM 19(2), 1972, pp. 248-264.
       https://doi.org/10.1145/321694.321699
    """
    H = as_graph(G)
    require_items(H, (u, v))
    stated = _stated_between(H, u, v)
    if stated is None:
        raise _not_preferred(H, u, v)
    used = evidence_of([d for row in stated.values() for d in row.values()], weight)
    require_weights(((x, y, data) for x, row in stated.items() for y, data in row.items()), used)
    capacities = _rooms(stated, used)
    rest = edmonds_karp(H, u, v, residual=_without_flow(capacities))
    beyond = {
        x: [y for y, data in row.items() if data["flow"] < data["capacity"]]
        for x, row in rest.adjacency()
    }
    reached = {u} | reached_along(beyond, u)
    plain = _plain_of(stated, used)
    chains = [(plain(amount), tuple(chain)) for amount, chain in _chains(rest, u, v)]
    cut = [
        (x, y, capacity)
        for x, row in capacities.items()
        for y, capacity in row.items()
        if x in reached and y not in reached
    ]
    return Explanation(
        preferred=u,
        other=v,
        evidence=plain(sum(capacity for *_, capacity in cut)),
        chains=tuple(sorted(chains, key=lambda chain: (-chain[0], len(chain[1])))),
        cut=tuple((x, y, plain(capacity)) for x, y, capacity in cut),
        weight=used,
    )


_Stated = dict[Any, dict[Any, dict[str, Any]]]


def _stated_between(G: nx.DiGraph, u: Item, v: Item) -> _Stated | None:
    """Return the stated edges on the ways from u to v, those of each item; None if no way is."""
    rows = dict(G.adjacency())
    stated: _Stated = {}
    above: defaultdict[Item, list[Item]] = defaultdict(list)
    queue = [u]
    for x in queue:
        if x in stated or x == v:
            continue
        stated[x] = {y: data for y, data in rows[x].items() if not data.get("added") and y != u}
        for y in stated[x]:
            above[y].append(x)
        queue += stated[x]
    if v not in above:
        return None
    leads = {v} | reached_along(above, v)
    between = {
        x: {y: d for y, d in row.items() if y in leads} for x, row in stated.items() if x in leads
    }
    return {**between, v: {}}


def _not_preferred(G: nx.DiGraph, u: Item, v: Item) -> PorankError:
    """Return the error for two items of which the first is not preferred by stated edges."""
    if u == v:
        return PorankError(f"expected two different items, found {u!r} twice")
    if G.has_edge(u, v):
        found = "only edges that are marked as added"
    elif _stated_between(G, v, u) is None:
        found = "the two incomparable"
    else:
        found = f"{v!r} preferred to {u!r}; ask for them the other way round"
    return PorankError(f"expected {u!r} to be preferred to {v!r} by stated edges, found {found}")


def evidence_of(edges: Collection[Mapping[str, Any]], weight: str | None) -> str | None:
    """Return the edge attribute that is evidence: the one given, or what all edges have."""
    if weight != "auto":
        return weight
    return next((name for name in _EVIDENCE if edges and all(name in d for d in edges)), None)


def _exact(value: Any) -> Any:
    """Return the evidence for an edge as a number that adds up exactly."""
    number = plain_number(value)
    return number if isinstance(number, int) else Fraction(number)


def _plain_of(stated: _Stated, weight: str | None) -> Any:
    """Return how exact sums of evidence are written: as floats where some of it was one."""
    if weight is None:
        return plain_number
    numbers = (plain_number(d[weight]) for row in stated.values() for d in row.values())
    return float if any(isinstance(number, float) for number in numbers) else plain_number


def _rooms(stated: _Stated, weight: str | None) -> dict[Item, dict[Item, Any]]:
    """Return how much each stated edge may carry, the edges in the order of their items."""
    items = in_order(stated)
    number = {item: k for k, item in enumerate(items)}
    return {
        x: {
            y: _exact(1 if weight is None else stated[x][y][weight])
            for y in sorted(stated[x], key=number.__getitem__)
        }
        for x in items
    }


def _without_flow(rooms: Mapping[Item, Mapping[Item, Any]]) -> nx.DiGraph:
    """Return what a flow may still use before there is one, as networkx wants it."""
    rest = nx.DiGraph(inf=math.inf)
    rest.add_nodes_from(rooms)
    rest.add_edges_from((y, x) for x, row in rooms.items() for y in row)
    nx.set_edge_attributes(rest, 0, "capacity")
    rest.add_edges_from((x, y, {"capacity": c}) for x, row in rooms.items() for y, c in row.items())
    return rest


def _chains(rest: nx.DiGraph, source: Item, sink: Item) -> Iterator[tuple[Any, list[Item]]]:
    """Split a flow of evidence into chains, each with what it carries; cycles are left out."""
    flow = {
        x: {y: data["flow"] for y, data in row.items() if data["flow"] > 0}
        for x, row in rest.adjacency()
    }
    while flow[source]:
        path, place = [source], {source: 0}
        while path[-1] != sink:
            following = next(iter(flow[path[-1]]))
            if following in place:
                path = [*path[place[following] :], following]
                break
            place[following] = len(path)
            path.append(following)
        steps = list(pairwise(path))
        amount = min(flow[x][y] for x, y in steps)
        for x, y in steps:
            flow[x][y] -= amount
            if not flow[x][y]:
                del flow[x][y]
        if path[-1] == sink:
            yield amount, path


def weakest(
    G: OrderLike, k: int = 10, *, weight: str | None = "auto"
) -> list[tuple[Item, Item, Any]]:
    """Return the covers of an order that hang by the least evidence.

    A cover u > v has no item between, so that no chain but the edge itself says it: the least
    evidence without which it would no longer follow is what this edge weighs.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    k : int
        How many covers, from 1 on.
    weight : str or None
        The edge attribute that says how much evidence an edge has, as for `why`.

    Returns
    -------
    list of (item, item, number)
        At most `k` covers with their evidence, the weakest first; equal ones by (type name, repr)
        of their items.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If `k` is no number of covers, or a cover has no such weight.

    See Also
    --------
    why, transitive_reduction

    Examples
    --------
    >>> import porank as po
    >>> votes = [po.from_ranking(vote) for vote in ("abcd", "abdc", "bacd", "abcd")]
    >>> po.weakest(po.predict_order(po.preference_relation(votes)), 2)
    [('a', 'b', 3), ('c', 'd', 3)]

    Notes
    -----
    Time that of the closure.
    """
    most = require_count(k, name="k", least=1)
    order = compile_order(G)
    H, items = as_graph(G), order.items
    edges = [
        (items[i], items[j], H.edges[items[i], items[j]])
        for i, row in enumerate(order.relation.reduced_rows())
        for j in row
    ]
    used = evidence_of([data for *_, data in edges], weight)
    require_weights(edges, used)
    weighed = ((u, v, 1 if used is None else plain_number(data[used])) for u, v, data in edges)
    return nsmallest(most, weighed, key=lambda edge: (edge[2], *map(item_key, edge[:2])))
