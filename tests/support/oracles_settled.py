"""The settled order straight from its definition: slow, exact, written to be read."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import networkx as nx

Pairs = Mapping[tuple[Any, Any], tuple[int, int]]


def sign_p_value(one: int, other: int) -> Fraction:
    """Return the chance that a fair coin falls at least as unevenly, in either direction."""
    n, k = one + other, max(one, other)
    throws = sum(math.comb(n, heads) for heads in range(n + 1) if max(heads, n - heads) >= k)
    return Fraction(throws, 2**n)


def tarone_holm(pairs: Pairs, risk: Fraction) -> set[tuple[Any, Any]]:
    """Return the significant pairs, the chance of any false one being at most the risk."""
    significant: set[tuple[Any, Any]] = set()
    while True:
        left = [pair for pair in pairs if pair not in significant]
        least = [sign_p_value(sum(pairs[pair]), 0) for pair in left]
        k = 1
        while sum(p <= risk / k for p in least) > k:
            k += 1
        new = {pair for pair in left if sign_p_value(*pairs[pair]) <= risk / k}
        if not new:
            return significant
        significant |= new


def settled_pairs(pairs: Pairs, significant: set[tuple[Any, Any]]) -> set[tuple[Any, Any]]:
    """Return the edges of the settled order: significant pairs that lie on no cycle, closed."""
    G = nx.DiGraph((u, v) if pairs[u, v][0] > pairs[u, v][1] else (v, u) for u, v in significant)
    on_cycles = {
        (u, v) for u, v in G.edges if nx.has_path(G, v, u)
    }  # an edge lies on a cycle exactly if a path leads back
    G.remove_edges_from(on_cycles)
    return {(u, v) for u in G for v in nx.descendants(G, u)}


def e_value(for_u: int, for_v: int) -> Fraction:
    """Return the mean of (2p)^a (2 (1 - p))^b over p from 1/2 to 1, term by term of (1 - p)^b."""
    powers = [
        Fraction((-1) ** k * math.comb(for_v, k), for_u + k + 1)
        * (1 - Fraction(1, 2 ** (for_u + k + 1)))
        for k in range(for_v + 1)
    ]
    return Fraction(2 ** (for_u + for_v + 1)) * sum(powers, Fraction(0))


def watched_pairs(
    items: Iterable[Any], statements: Iterable[tuple[Any, Any, Any, Any]], risk: Fraction
) -> set[tuple[Any, Any]]:
    """Return the ordered pairs that are significant at any time of (time, unit, winner, loser).

    Each unit counts for a pair with what it says at the first time at which it says anything.
    """
    said = sorted(set(statements), key=lambda row: row[0])
    said = [
        row
        for row in said
        if row[0] == min(t for t, unit, *pair in said if unit == row[1] and {*pair} == {*row[2:]})
    ]
    said = [*dict.fromkeys(said)]
    n = len({*items})
    largest: dict[tuple[Any, Any], Fraction] = {}
    for now in sorted({row[0] for row in said}):
        so_far = Counter((u, v) for t, _, u, v in said if t <= now)
        for u, v in so_far:
            found = e_value(so_far[u, v], so_far[v, u])
            largest[u, v] = max(largest.get((u, v), Fraction(1)), found)
    left, significant = n * (n - 1), set()
    for pair in sorted(largest, key=lambda pair: -largest[pair]):
        if largest[pair] < left / risk:
            break
        significant.add(pair)
        left -= 1
    return significant
