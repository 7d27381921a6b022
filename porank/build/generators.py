"""Random orders and random rankings.

Every function takes ``seed=``: an int, a `numpy.random.Generator`, or None for a new one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.build.rankings import from_ranking
from porank.core.arguments import distinct_items, generator_of, require_count, require_share
from porank.core.graphs import graph_of, refuse_large
from porank.core.relation import relate, relate_matrix
from porank.errors import PorankError

if TYPE_CHECKING:
    import networkx as nx

    from porank.core.relation import Relation
    from porank.typing import Item, Numbers, Seed


def random_order(
    n: int,
    *,
    dimension: int | None = None,
    edge_probability: float | None = None,
    seed: Seed = None,
) -> nx.DiGraph:
    """Return a random order of the items 0..n-1, by one of two models.

    Parameters
    ----------
    n : int
        The number of items.
    dimension : int, optional
        u is above v when it is so in each of that many rankings, drawn uniformly [1]_.
    edge_probability : float in [0, 1], optional
        A ranking is drawn uniformly; each of its pairs is an edge with this probability, and the
        order is their closure.
    seed : int, Generator or None
        Where the randomness comes from.

    Returns
    -------
    DiGraph
        The transitive reduction.

    Raises
    ------
    PorankError
        If neither or both of the models are named, or a number is out of range.

    Examples
    --------
    >>> random_order(100, dimension=1, seed=0).number_of_edges()
    99
    >>> [random_order(9, edge_probability=p, seed=0).number_of_edges() for p in (0, 1)]
    [0, 8]

    Notes
    -----
    By dimension O(n**2) bytes and time O(n m / 64) for m edges of the reduction; by edges time
    O(n m / 64) and memory in proportion to the edges drawn.

    References
    ----------
    .. [1] P. Winkler, "Random orders", Order 1(4), 1985, pp. 317-331.
       https://doi.org/10.1007/BF00582738
    """
    n = require_count(n)
    rng = generator_of(seed)
    if (dimension is None) == (edge_probability is None):
        raise PorankError(
            "expected either dimension= or edge_probability=, "
            f"found {'neither' if dimension is None else 'both'}"
        )
    if dimension is not None:
        relation = _intersect(n, require_count(dimension, name="dimension", least=1), rng)
    else:
        relation = _draw_edges(n, edge_probability, rng)
    refuse_large(relation.count_covers(), instead="choose a smaller n")
    return graph_of(range(n), relation.reduced_rows())


def _intersect(n: int, dimension: int, rng: np.random.Generator) -> Relation:
    """Return the intersection of uniform random rankings."""
    above = ~np.eye(n, dtype=bool)
    for _ in range(dimension):
        rank = rng.permutation(n)
        above &= rank[:, None] < rank[None, :]
    return relate_matrix(above)


def _draw_edges(n: int, probability: Any, rng: np.random.Generator) -> Relation:
    """Return the closure of random edges down a uniform random ranking."""
    rank = rng.permutation(n)
    item_at = np.argsort(rank)
    drawn = _draw_positions(n * (n - 1) // 2, require_share(probability, "edge_probability"), rng)
    ends = np.cumsum(np.arange(n - 1, -1, -1))
    upper = np.searchsorted(ends, drawn, side="right")
    lower = n - (ends[upper] - drawn)
    return relate(rank, item_at[upper], item_at[lower])


def _draw_positions(length: int, probability: float, rng: np.random.Generator) -> Numbers:
    """Return the positions, ascending, of the successes in that many independent trials."""
    if probability == 0 or length == 0:
        return np.empty(0, dtype=np.int64)
    batch = int(length * probability) + 1
    parts = []
    last = -1
    while last < length:
        # One gap is at most the length: a longer one would end the search all the same.
        gaps = np.minimum(rng.geometric(probability, batch), length + 1)
        parts.append(last + np.cumsum(gaps))
        last = int(parts[-1][-1])
    positions = np.concatenate(parts)
    return positions[positions < length]


def random_ranking(items: int | Iterable[Item], *, seed: Seed = None) -> nx.DiGraph:
    """Return a ranking drawn uniformly from all rankings of the items.

    Parameters
    ----------
    items : int or iterable
        The items, or their number n for the items 0..n-1.
    seed : int, Generator or None
        Where the randomness comes from.

    Returns
    -------
    DiGraph
        A chain, its items best first.

    Examples
    --------
    >>> sorted(random_ranking(["c", "a", "b"], seed=1))
    ['a', 'b', 'c']
    >>> random_ranking(5, seed=1).number_of_edges()
    4

    Notes
    -----
    Time O(n).
    """
    if isinstance(items, Iterable):
        names = distinct_items(items, name="the items")
    else:
        names = list(range(require_count(items, name="the number of items")))
    return from_ranking([names[i] for i in generator_of(seed).permutation(len(names))])
