"""Every notion by its definition: slow, short, and written to be read.

A relation is a set of pairs (u, v), u preferred to v. Nothing here knows how porank computes it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations, pairwise, permutations, product
from typing import Any

import networkx as nx

Pairs = set[tuple[Any, Any]]


def graph_on(items: Iterable[Any], edges: Iterable[Any] = ()) -> nx.DiGraph:
    """The graph with these items and edges, inserted in this sequence."""
    G = nx.DiGraph()
    G.add_nodes_from(items)
    G.add_edges_from(edges)
    return G


def closure(edges: Iterable[tuple[Any, Any]]) -> Pairs:
    """(u, v) for every path of at least one edge from u to v."""
    reached = set(edges)
    while True:
        below: dict[Any, list[Any]] = {}
        for u, v in reached:
            below.setdefault(u, []).append(v)
        longer = {(u, w) for u, v in reached for w in below.get(v, ())}
        if longer <= reached:
            return reached
        reached |= longer


def tied_pairs(G: nx.DiGraph) -> set[frozenset[Any]]:
    """Return the pairs of items that are known to be equal: they share a value of ``tie``."""
    tie = dict(G.nodes(data="tie"))
    return {frozenset((u, v)) for u, v in combinations(G, 2) if tie[u] == tie[v] is not None}


def reduction(edges: Iterable[tuple[Any, Any]]) -> Pairs:
    """(u, v) with u > v and nothing between, of an order."""
    said = closure(edges)
    middle = {v for _, v in said}
    return {(u, v) for u, v in said if not any((u, w) in said and (w, v) in said for w in middle)}


def dominates(u: tuple[Any, ...], v: tuple[Any, ...]) -> bool:
    """One row is nowhere worse than another and somewhere better; larger is better."""
    return all(x >= y for x, y in zip(u, v, strict=True)) and u != v


def is_acyclic(G: nx.DiGraph) -> bool:
    """No item reaches itself."""
    return all(u != v for u, v in closure(G.edges))


def are_unordered(said: Pairs, u: Any, v: Any) -> bool:
    """Neither is preferred to the other."""
    return (u, v) not in said and (v, u) not in said


def is_total_order(G: nx.DiGraph) -> bool:
    """Of any two items one is preferred to the other."""
    said = closure(G.edges)
    return is_acyclic(G) and not any(are_unordered(said, u, v) for u, v in combinations(G, 2))


def is_weak_order(G: nx.DiGraph) -> bool:
    """Being unordered is transitive."""
    said = closure(G.edges)
    return is_acyclic(G) and all(
        are_unordered(said, u, w)
        for u, v, w in permutations(G, 3)
        if are_unordered(said, u, v) and are_unordered(said, v, w)
    )


def two_plus_twos(G: nx.DiGraph) -> Iterator[tuple[Any, ...]]:
    """((a, b), (c, d)) with a > b, c > d, and nothing between the two chains."""
    said = closure(G.edges)
    for a, b, c, d in permutations(G, 4):
        if {(a, b), (c, d)} <= said and all(
            are_unordered(said, x, y) for x in (a, b) for y in (c, d)
        ):
            yield (a, b), (c, d)


def three_plus_ones(G: nx.DiGraph) -> Iterator[tuple[Any, ...]]:
    """((a, b, c), (d,)) with a > b > c and d beside all of them."""
    said = closure(G.edges)
    for a, b, c, d in permutations(G, 4):
        if {(a, b), (b, c)} <= said and all(are_unordered(said, x, d) for x in (a, b, c)):
            yield (a, b, c), (d,)


def order_type(G: nx.DiGraph) -> str:
    """The narrowest type, from the patterns each forbids."""
    if not is_acyclic(G):
        return "cyclic"
    if is_total_order(G):
        return "total"
    if is_weak_order(G):
        return "weak"
    if any(two_plus_twos(G)):
        return "partial"
    return "interval" if any(three_plus_ones(G)) else "semiorder"


def rank(G: nx.DiGraph, item: Any) -> int:
    """One more than the lowest rank right above: the paper's recursion, from below."""
    return 1 + max((rank(G, above) for above in G.predecessors(item)), default=0)


def longest_chain(G: nx.DiGraph) -> int:
    """The number of items of the longest sequence in which each is preferred to the next."""
    said = closure(G.edges)
    return max(
        len(items)
        for size in range(len(G) + 1)
        for items in permutations(G, size)
        if all(pair in said for pair in pairwise(items))
    )


def simple_cycles(G: nx.DiGraph) -> Iterator[list[Any]]:
    """Every cycle without repeated items, from each of its items, the first item repeated."""
    for size in range(1, len(G) + 1):
        for items in permutations(G, size):
            around = [*items, items[0]]
            if all(G.has_edge(u, v) for u, v in pairwise(around)):
                yield around


def first_cycle(G: nx.DiGraph, key: Callable[[Any], Any]) -> list[Any] | None:
    """The cycle whose first item is first, then the shortest, then the first by its items."""
    return min(
        simple_cycles(G),
        key=lambda cycle: (key(cycle[0]), len(cycle), list(map(key, cycle))),
        default=None,
    )


def least_weight_to_drop(G: nx.DiGraph, weight: Callable[[Any, Any], Any]) -> Any:
    """The least total weight of edges that point upwards, over all arrangements of the items."""
    return min(
        sum(weight(u, v) for u, v in G.edges if items.index(u) >= items.index(v))
        for items in permutations(G)
    )


def restriction(edges: Iterable[tuple[Any, Any]], items: set[Any]) -> Pairs:
    """(u, v) with u > v and both among the items."""
    return {(u, v) for u, v in closure(edges) if {u, v} <= items}


def strict_orders(n: int) -> Iterator[nx.DiGraph]:
    """All strict partial orders on 0..n-1, closed: 1, 1, 3, 19, 219 of them."""
    every_pair = list(permutations(range(n), 2))
    for pairs in chain.from_iterable(
        combinations(every_pair, size) for size in range(n * (n - 1) // 2 + 1)
    ):
        said = set(pairs)
        if closure(said) == said and all((v, u) not in said for u, v in said):
            yield graph_on(range(n), pairs)


def digraphs(n: int) -> Iterator[nx.DiGraph]:
    """All directed graphs on 0..n-1, self-loops included: 2**(n*n) of them."""
    every_edge = [(u, v) for u in range(n) for v in range(n)]
    for size in range(len(every_edge) + 1):
        for edges in combinations(every_edge, size):
            yield graph_on(range(n), edges)


def weak_orders(n: int) -> list[dict[int, int]]:
    """All weak orders on 0..n-1, as scores: 1, 1, 3, 13, 75 of them."""
    return [
        dict(enumerate(scores))
        for scores in product(range(n), repeat=n)
        if set(scores) == set(range(len(set(scores))))
    ]


def graph_of(scores: dict[Any, int]) -> nx.DiGraph:
    """An edge from each item to each of a smaller score."""
    return graph_on(scores, ((u, v) for u, v in permutations(scores, 2) if scores[u] > scores[v]))


def lists_of(scores: Mapping[Any, int]) -> Iterator[tuple[Any, ...]]:
    """All ways to break the ties, best item first."""
    for line in permutations(scores):
        if all(scores[u] >= scores[v] for u, v in pairwise(line)):
            yield line


def grades(scores: Mapping[Any, int]) -> dict[Any, int]:
    """How many levels are below an item's own."""
    return {x: len({score for score in scores.values() if score < scores[x]}) for x in scores}


def antichains(G: nx.DiGraph) -> list[frozenset[Any]]:
    """Every set of items none of which is preferred to another."""
    said = closure(G.edges)
    return [
        frozenset(items)
        for size in range(len(G) + 1)
        for items in combinations(G, size)
        if all(are_unordered(said, u, v) for u, v in combinations(items, 2))
    ]


def width(G: nx.DiGraph) -> int:
    """The number of items of the largest antichain."""
    return max(map(len, antichains(G)))


def highest_maximum_antichain(G: nx.DiGraph) -> set[Any]:
    """The maximal ones of all items that lie in some maximum antichain."""
    said = closure(G.edges)
    found = antichains(G)
    largest = max(map(len, found))
    in_one = {item for items in found if len(items) == largest for item in items}
    return {v for v in in_one if not any((u, v) in said for u in in_one)}


def least_evidence(G: nx.DiGraph, u: Any, v: Any, weight: Callable[[Any, Any], Any]) -> Any:
    """The least weight of stated edges without which v is not reached from u, over all sets."""
    stated = [(x, y) for x, y, added in G.edges(data="added") if not added]
    return min(
        sum(weight(*edge) for edge in dropped)
        for size in range(len(stated) + 1)
        for dropped in combinations(stated, size)
        if (u, v) not in closure(set(stated) - set(dropped))
    )


def least_upward_margin(margin: Mapping[tuple[Any, Any], Any], items: list[Any]) -> Any:
    """The least total of the margins that point upwards, over all linear orders of the items."""
    return min(
        sum(
            amount
            for (u, v), amount in margin.items()
            if amount > 0 and line.index(u) > line.index(v)
        )
        for line in permutations(items)
    )


def heaviest_least_margin(margin: Mapping[tuple[Any, Any], Any]) -> Any:
    """The largest amount a cycle of margins has at its weakest pair, over all cycles; 0 if none."""
    G = nx.DiGraph([pair for pair, amount in margin.items() if amount > 0])
    return max(
        (
            min(margin[pair] for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
            for cycle in nx.simple_cycles(G)
        ),
        default=0,
    )
