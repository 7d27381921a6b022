"""Explain why one item is preferred to another, and how much evidence supports it.

A preference follows from chains of stated pairs. The least evidence that must be removed so that it
no longer follows is the weight of a minimum cut between the two items. By max-flow min-cut it
equals the total flow along chains that share no evidence [1]_. Only stated edges count: the edges
that the closure added to an order of `predict_order` do not.

Public: `why`, which returns an `Explanation`, and `weakest`. `evidence_of` chooses the edge
attribute with the evidence.

References
----------
.. [1] L. R. Ford, D. R. Fulkerson, "Maximal flow through a network", Canadian Journal of
   Mathematics 8, 1956, pp. 399-404. https://doi.org/10.4153/CJM-1956-045-5
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
from networkx.algorithms.flow import edmonds_karp

from porank.core.arguments import require_count
from porank.core.compiled_order import as_graph, compile_order, require_items
from porank.core.graphs import in_order, item_key, reached_along
from porank.core.scores import plain_number
from porank.core.tables import Rows, Table
from porank.errors import PorankError, listed, quoted
from porank.orders.cycles import require_weights
from porank.orders.open_pairs import OpenPair, reason_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from porank.typing import Item, OrderLike

#: Edge attributes with evidence; the first one that all edges have is used.
_EVIDENCE = ("rests_on", "margin", "support")


@dataclass(frozen=True, repr=False)
class Explanation(Rows):
    """The explanation why one item is preferred to another, as returned by `why`.

    Attributes
    ----------
    preferred, other : item
        The two items.
    evidence : number
        Least evidence that must be removed so that the preference no longer follows. It is the
        weight of the cut and the sum of the evidence along the chains.
    chains : tuple of (number, tuple of items)
        Chains of stated edges from `preferred` to `other` that share no evidence, each with its
        evidence, the strongest first.
    cut : tuple of (item, item, number)
        The stated edges of a minimum cut, with their weights. Without them the preference does not
        follow.
    weight : str or None
        Edge attribute with the evidence; None if each edge counts once.
    open : OpenPair or None
        For a pair that is open in an order from evidence, its state and the reason.

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
    open: OpenPair | None = None

    @property
    def state(self) -> str:
        """``"above"``, or the state of an open pair."""
        return "above" if self.open is None else self.open.state

    def to_table(self) -> Table:
        """Return the explanation as a table, with a row for each chain and each edge of the cut."""
        if self.open is not None:
            return Table(OpenPair._fields, [[None if cell != cell else cell for cell in self.open]])
        unit = self.weight or "edges"
        rows = [("chain", amount, _spelled(items)) for amount, items in self.chains]
        rows += [("cut", amount, _spelled((u, v))) for u, v, amount in self.cut]
        return Table(("what", unit, "items"), rows)


def _spelled(items: Iterable[Item]) -> str:
    """Return a chain of stated edges as a text."""
    return listed(list(items), limit=12, separator=" > ")


def why(G: OrderLike, u: Item, v: Item, *, weight: str | None = "auto") -> Explanation:
    """Explain why u is preferred to v, with chains of stated edges, or why the pair is open.

    The evidence is the least total weight of stated edges whose removal leaves no path from u to v.
    By the max-flow min-cut theorem, it equals the maximum flow from u to v if the capacity of each
    edge is its weight [1]_. If each edge counts once, it is the maximum number of edge-disjoint
    chains.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph. Edges whose attribute ``added`` is true, as in the result of
        `predict_order`, were not stated but follow from others, and are ignored.
    u, v : item
        Two items, with a path of stated edges from u to v. In an order from evidence, such as a
        settled order, there may be none.
    weight : str or None
        Edge attribute with the evidence for an edge, a finite number of at least 0. If None, each
        edge counts once. "auto" uses the first of ``rests_on``, ``margin`` and ``support`` that all
        edges between the two items have, and None if there is none. `settled_order` sets
        ``rests_on``, the fewest units whose removal unsettles an edge; `predict_order` and
        `net_preferences` set ``margin``, and `from_log` sets ``support``.

    Returns
    -------
    Explanation
        The ``evidence``, the ``chains`` and the ``cut``, displayed as a table. If there are several
        minimum cuts, it is the one nearest to u. For an open pair of an order from evidence, these
        are empty, and ``open`` has the reason.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    PorankError
        If u or v is not an item, if there is no path of stated edges from u to v and no reason for
        that, or if a weight is invalid.

    See Also
    --------
    Explanation, OpenPair, open_pairs, weakest, prefers, predict_order

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
    The margin of an edge of a predicted order is the number of members or sessions to remove until
    its degree is below the threshold. The total counts a session once for each edge that it
    supports, and ignores that removing a session also removes its evidence against other edges. So
    it is exact for single statements and an estimate for sessions.

    Time O(n m**2) at worst for n items and m edges between u and v, and usually some passes over
    the edges [2]_. Floats are added exactly, as fractions.

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
        if u != v and "open" in H.graph and _stated_between(H, v, u) is None:
            return Explanation(u, v, 0, (), (), weight=None, open=reason_of(H, u, v))
        raise _not_preferred(H, u, v)
    used = evidence_of([d for row in stated.values() for d in row.values()], weight)
    require_weights(((x, y, data) for x, row in stated.items() for y, data in row.items()), used)
    capacities = _rooms(stated, used)
    rest = edmonds_karp(_network(capacities), u, v)
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
    """Return the stated edges on the paths from u to v, by item; None if there is no path."""
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
    """Return the error for two items without a path of stated edges from one to the other."""
    if u == v:
        return PorankError(f"expected two different items, found {quoted(u)} twice")
    if G.has_edge(u, v):
        found = "only edges marked as added"
    elif _stated_between(G, v, u) is None:
        found = "them incomparable"
    else:
        found = f"{quoted(v)} preferred to {quoted(u)}; swap the two items"
    expected = f"expected {quoted(u)} to be preferred to {quoted(v)} by stated edges"
    return PorankError(f"{expected}, found {found}")


def evidence_of(edges: Collection[Mapping[str, Any]], weight: str | None) -> str | None:
    """Return the edge attribute with the evidence: the given one, or the first on all edges."""
    if weight != "auto":
        return weight
    return next((name for name in _EVIDENCE if edges and all(name in d for d in edges)), None)


def _exact(value: Any) -> Any:
    """Return the evidence for an edge as a number that can be added exactly."""
    number = plain_number(value)
    return number if isinstance(number, int) else Fraction(number)


def _plain_of(stated: _Stated, weight: str | None) -> Any:
    """Return a function that converts exact sums of evidence to floats if there were floats."""
    if weight is None:
        return plain_number
    numbers = (plain_number(d[weight]) for row in stated.values() for d in row.values())
    return float if any(isinstance(number, float) for number in numbers) else plain_number


def _rooms(stated: _Stated, weight: str | None) -> dict[Item, dict[Item, Any]]:
    """Return the capacity of each stated edge, sorted by items."""
    items = in_order(stated)
    number = {item: k for k, item in enumerate(items)}
    return {
        x: {
            y: _exact(1 if weight is None else stated[x][y][weight])
            for y in sorted(stated[x], key=number.__getitem__)
        }
        for x in items
    }


def _network(capacities: Mapping[Item, Mapping[Item, Any]]) -> nx.DiGraph:
    """Return the network of the stated edges and their capacities."""
    edges = ((x, y, {"capacity": c}) for x, row in capacities.items() for y, c in row.items())
    return nx.DiGraph(edges)


def _chains(rest: nx.DiGraph, source: Item, sink: Item) -> Iterator[tuple[Any, list[Item]]]:
    """Split a flow of evidence into chains, each with its amount; cycles are ignored."""
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
    """Return the covers of an order with the least evidence.

    A cover u > v has no item in between, so it follows only from its own edge. Therefore the
    evidence for it, in the sense of `why`, is the weight of this edge.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.
    k : int
        Maximum number of covers to return, at least 1.
    weight : str or None
        Edge attribute with the evidence for an edge, as for `why`.

    Returns
    -------
    list of (item, item, number)
        At most `k` covers (u, v, evidence), the weakest first. Covers with equal evidence are
        sorted by type name and repr of their items.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If `k` is not a positive integer, or a cover has no valid weight.

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
    Time of the closure.
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


#: With more items, what ranks rest on is not computed.
_MOST_RANKED = 50


def support_of_ranks(order: nx.DiGraph) -> dict[Item, int | None] | None:
    """Return on how many units the possible ranks of each item rest, if its edges say so.

    It is the least weight of stated edges without which a pair of the item no longer follows, or
    None for an item without a pair. None for more than 50 items.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    stated = {(u, v): d for u, v, d in order.edges(data=True) if not d.get("added")}
    is_known = bool(stated) and all("rests_on" in data for data in stated.values())
    if not is_known or len(order) > _MOST_RANKED:
        return None
    number = {item: k for k, item in enumerate(order)}
    capacity = np.zeros((len(number), len(number)), dtype=np.int32)
    for (u, v), data in stated.items():
        capacity[number[u], number[v]] = data["rests_on"]
    network = csr_array(capacity)
    found: dict[Item, int | None] = dict.fromkeys(order)
    for pair in order.edges:
        flow = int(maximum_flow(network, *map(number.__getitem__, pair)).flow_value)
        for item in pair:
            known = found[item]
            found[item] = flow if known is None else min(known, flow)
    return found
