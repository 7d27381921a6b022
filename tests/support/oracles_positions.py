"""Where items may stand, by definition: over all rankings that keep to the order, one by one."""

from fractions import Fraction
from typing import Any

import networkx as nx

from tests.support.oracles import closure
from tests.support.oracles_extensions import linear_extensions, mutual_counts, rank_counts


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
