"""Antichains, chains and rank intervals by their definitions: slow, short, written to be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import networkx as nx

from tests.oracles import are_unordered, closure
from tests.oracles_extensions import linear_extensions


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


def partitions(items: list[Any]) -> Iterator[list[list[Any]]]:
    """Every way to put the items into disjoint sets, none of them empty."""
    if not items:
        yield []
        return
    first, *others = items
    for groups in partitions(others):
        yield [[first], *groups]
        for i, group in enumerate(groups):
            yield [*groups[:i], [first, *group], *groups[i + 1 :]]


def fewest_chains(G: nx.DiGraph) -> int:
    """The least number of disjoint chains that hold all items."""
    said = closure(G.edges)
    return min(
        len(groups)
        for groups in partitions(list(G))
        if not any(are_unordered(said, u, v) for group in groups for u, v in combinations(group, 2))
    )


def ranks_taken(G: nx.DiGraph) -> dict[Any, set[int]]:
    """For each item the ranks that it takes in the rankings that the order allows."""
    rankings = linear_extensions(G)
    return {x: {ranking.index(x) + 1 for ranking in rankings} for x in G}
