"""Linear extensions by their definition, and numbers that books give for families of orders.

Slow, short, and written to be read. An order is a DiGraph, what it says the closure.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import Any

import networkx as nx

from tests.support.oracles import closure, graph_on


def linear_extensions(G: nx.DiGraph) -> list[tuple[Any, ...]]:
    """Every sequence of the items in which u stands before v for all u > v."""
    said = closure(G.edges)

    def lines(rest: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if not rest:
            yield ()
        for x in rest:
            if not any((u, x) in said for u in rest):
                yield from ((x, *line) for line in lines(tuple(u for u in rest if u != x)))

    return list(lines(tuple(G)))


def ideals(G: nx.DiGraph) -> Iterator[frozenset[Any]]:
    """Every set that holds with an item all that is above it."""
    items, said = list(G), closure(G.edges)
    for number in range(1 << len(items)):
        chosen = frozenset(item for place, item in enumerate(items) if number >> place & 1)
        if all(u in chosen for u, v in said if v in chosen):
            yield chosen


def rank_counts(G: nx.DiGraph) -> dict[Any, list[int]]:
    """For each item, how many linear extensions have it at the first position, the second, ..."""
    lines = linear_extensions(G)
    places = range(len(G))
    return {item: [sum(line[p] == item for line in lines) for p in places] for item in G}


def ranks_taken(G: nx.DiGraph) -> dict[Any, set[int]]:
    """For each item the ranks that it takes in the rankings that the order allows."""
    rankings = linear_extensions(G)
    return {x: {ranking.index(x) + 1 for ranking in rankings} for x in G}


def mutual_counts(G: nx.DiGraph) -> dict[tuple[Any, Any], int]:
    """For each two items, how many linear extensions have the one before the other."""
    lines = linear_extensions(G)
    return {
        (u, v): sum(line.index(u) < line.index(v) for line in lines) for u, v in permutations(G, 2)
    }


def nearest_to_half(G: nx.DiGraph, pairs: Iterable[tuple[Any, Any]]) -> set[frozenset[Any]]:
    """Of some pairs those whose share of linear extensions with u before v is nearest to 1/2."""
    lines = linear_extensions(G)
    off = {
        frozenset({u, v}): abs(
            Fraction(sum(x.index(u) < x.index(v) for x in lines), len(lines)) - Fraction(1, 2)
        )
        for u, v in pairs
    }
    return {pair for pair, distance in off.items() if distance == min(off.values())}


def zigzag(n: int) -> nx.DiGraph:
    """A fence of n items: 0 > 1 < 2 > 3 < ..."""
    return graph_on(range(n), ((i, i + 1) if i % 2 == 0 else (i + 1, i) for i in range(n - 1)))


def grid(rows: int, columns: int) -> nx.DiGraph:
    """The product of two chains."""
    return nx.cartesian_product(*(nx.path_graph(n, nx.DiGraph) for n in (rows, columns)))


def chains(*lengths: int) -> nx.DiGraph:
    """Chains side by side."""
    G = nx.DiGraph()
    for number, length in enumerate(lengths):
        nx.add_path(G, [(number, place) for place in range(length)])
    return G


def euler(n: int) -> int:
    """The number of alternating permutations: 2 E(n+1) = sum of comb(n, k) E(k) E(n-k)."""
    numbers = [1, 1]
    for m in range(1, n):
        numbers.append(sum(comb(m, k) * numbers[k] * numbers[m - k] for k in range(m + 1)) // 2)
    return numbers[n]


def hook_lengths(rows: int, columns: int) -> int:
    """The number of standard tableaux of a rectangle, by the hook formula."""
    count = Fraction(1)
    for number, (i, j) in enumerate(grid(rows, columns), start=1):
        count *= Fraction(number, rows - i + columns - j - 1)
    return int(count)
