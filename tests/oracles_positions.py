"""Where items may stand, by definition: over all rankings that keep to the order, one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import comb, prod
from typing import Any

import networkx as nx

from tests.oracles import are_unordered, closure
from tests.oracles_extensions import linear_extensions, mutual_counts, rank_counts


def mid_positions(G: nx.DiGraph) -> dict[Any, Fraction]:
    """Item -> the middle of the ranks that it may take."""
    said = closure(G.edges)
    above = {x: sum(v == x for _, v in said) for x in G}
    below = {x: sum(u == x for u, _ in said) for x in G}
    return {x: Fraction(len(G) + 1 + above[x] - below[x], 2) for x in G}


def rank_probabilities(G: nx.DiGraph) -> dict[Any, list[Fraction]]:
    """Item -> how probable each rank is."""
    total = len(linear_extensions(G))
    counts = rank_counts(G).items()
    return {item: [Fraction(count, total) for count in row] for item, row in counts}


def expected_ranks(G: nx.DiGraph) -> dict[Any, Fraction]:
    """Item -> mean rank."""
    rankings = linear_extensions(G)
    return {
        x: Fraction(sum(ranking.index(x) + 1 for ranking in rankings), len(rankings)) for x in G
    }


def mutual_rank_probabilities(G: nx.DiGraph) -> dict[tuple[Any, Any], Fraction]:
    """(u, v) -> how probable it is that u stands before v."""
    total = len(linear_extensions(G))
    return {pair: Fraction(count, total) for pair, count in mutual_counts(G).items()}


def _sets(G: nx.DiGraph) -> tuple[dict[Any, set[Any]], ...]:
    """For each item x: x and all above, x and all below, and all incomparable to it."""
    said = closure(G.edges)
    up = {x: {u for u in G if (u, x) in said} | {x} for x in G}
    down = {x: {v for v in G if (x, v) in said} | {x} for x in G}
    free = {x: {y for y in G if y != x and are_unordered(said, x, y)} for x in G}
    return up, down, free


def local_model_mutual(G: nx.DiGraph) -> dict[tuple[Any, Any], Fraction]:
    """The odds of u above v seen from u, times those seen from v; 1 and 0 where the order says."""
    up, down, free = _sets(G)

    def chance(u: Any, v: Any) -> Fraction:
        if v not in free[u]:
            return Fraction(v in down[u])
        for_u = len(down[u] & free[v]) * len(up[v] & free[u])
        for_v = len(up[u] & free[v]) * len(down[v] & free[u])
        return Fraction(for_u, for_u + for_v)

    return {(u, v): chance(u, v) for u, v in permutations(G, 2)}


def local_model_probabilities(G: nx.DiGraph) -> dict[Any, list[Fraction]]:
    """How many of the free items stand above x is beta-binomial, with the mean of the rank."""
    up, down, free = _sets(G)
    ranks = local_model_ranks(G)

    def row(x: Any) -> list[Fraction]:
        trials, both = len(free[x]), len(up[x]) + len(down[x])
        share = (ranks[x] - len(up[x])) / max(trials, 1)
        alpha, beta = both * share, both * (1 - share)
        hits = [
            comb(trials, k) * _rising(alpha, k) * _rising(beta, trials - k)
            for k in range(trials + 1)
        ]
        inner = [Fraction(chance, _rising(Fraction(both), trials)) for chance in hits]
        return [Fraction(0)] * (len(up[x]) - 1) + inner + [Fraction(0)] * (len(down[x]) - 1)

    return {x: row(x) for x in G}


def _rising(start: Fraction, factors: int) -> Fraction:
    """The product of start, start + 1, and so on, of so many factors."""
    return prod((start + k for k in range(factors)), start=Fraction(1))


def local_model_ranks(G: nx.DiGraph) -> dict[Any, Fraction]:
    """Brüggemann and Carlsen's extended model, set by set, counted from the top."""
    up, down, free = _sets(G)
    return {
        x: len(up[x])
        + sum(
            (
                Fraction(len(up[x] & free[y]), len(up[x] & free[y]) + len(down[x] & free[y]))
                for y in free[x]
            ),
            Fraction(0),
        )
        for x in G
    }
