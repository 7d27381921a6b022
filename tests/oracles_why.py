"""Slow twins of why one item is preferred to another, and of how cyclic preferences are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations, permutations
from typing import Any

import networkx as nx

from tests.oracles import closure


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
