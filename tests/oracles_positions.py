"""Where items may stand, by definition: over all rankings that keep to the order, one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

from tests.oracles import are_unordered, closure

if TYPE_CHECKING:
    from collections.abc import Callable

    import networkx as nx


def linear_extensions(G: nx.DiGraph) -> list[tuple[Any, ...]]:
    """The rankings in which each item stands before all that it is preferred to."""
    said = closure(G.edges)
    return [
        ranking
        for ranking in permutations(G)
        if all(ranking.index(u) < ranking.index(v) for u, v in said)
    ]


def share(G: nx.DiGraph, holds: Callable[[tuple[Any, ...]], bool]) -> Fraction:
    """In how many of the linear extensions something holds."""
    rankings = linear_extensions(G)
    return Fraction(sum(map(holds, rankings)), len(rankings))


def rank_probabilities(G: nx.DiGraph) -> dict[Any, list[Fraction]]:
    """Item -> how probable each rank is."""
    rankings = linear_extensions(G)
    return {
        x: [
            Fraction(sum(ranking[r] == x for ranking in rankings), len(rankings))
            for r in range(len(G))
        ]
        for x in G
    }


def expected_ranks(G: nx.DiGraph) -> dict[Any, Fraction]:
    """Item -> mean rank."""
    rankings = linear_extensions(G)
    return {
        x: Fraction(sum(ranking.index(x) + 1 for ranking in rankings), len(rankings)) for x in G
    }


def mutual_rank_probabilities(G: nx.DiGraph) -> dict[tuple[Any, Any], Fraction]:
    """(u, v) -> how probable it is that u stands before v."""
    rankings = linear_extensions(G)
    return {
        (u, v): Fraction(
            sum(ranking.index(u) < ranking.index(v) for ranking in rankings), len(rankings)
        )
        for u, v in permutations(G, 2)
    }


def local_model_ranks(G: nx.DiGraph) -> dict[Any, Fraction]:
    """Brüggemann and Carlsen's extended model, set by set, counted from the top."""
    said = closure(G.edges)
    up = {x: {u for u in G if (u, x) in said} | {x} for x in G}
    down = {x: {v for v in G if (x, v) in said} | {x} for x in G}
    free = {x: {y for y in G if y != x and are_unordered(said, x, y)} for x in G}
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
