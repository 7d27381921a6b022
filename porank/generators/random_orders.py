"""Generate random orders and rankings.

Each function has the parameter ``seed``: an int, a `numpy.random.Generator`, or None for a new
generator.

`random_order`, `random_ranking`; `mallows` and `plackett_luce`, the two most common models of
rankings; `require_strength`, to check the strength of an item.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.convert.rankings import from_ranking
from porank.core.arguments import (
    distinct_items,
    generator_of,
    holds,
    ranked_items,
    require_count,
    require_item,
    require_samples,
    require_share,
)
from porank.core.compiled_order import compile_order
from porank.core.graphs import graph_of, refuse_large, require_memory
from porank.core.progress import track
from porank.core.relation import relate, relate_matrix
from porank.errors import PorankError, a_kind, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.core.relation import Relation
    from porank.typing import Item, Numbers, OrderLike, Seed


def random_order(
    n: int,
    *,
    dimension: int | None = None,
    edge_probability: float | None = None,
    seed: Seed = None,
) -> nx.DiGraph:
    """Return a random partial order of the items 0..n-1, by one of two models.

    Parameters
    ----------
    n : int
        Number of items.
    dimension : int, optional
        Number of rankings, drawn uniformly, whose intersection is the order [1]_.
    edge_probability : float in [0, 1], optional
        Probability that a pair of a random ranking becomes an edge. The order is the closure of
        these edges.
    seed : int, Generator or None
        Seed or source of random numbers.

    Returns
    -------
    DiGraph
        The transitive reduction of the order.

    Raises
    ------
    PorankError
        If you pass neither or both of `dimension` and `edge_probability`, or if a number is out of
        range.

    See Also
    --------
    load_example, all_orders, random_ranking, mallows, plackett_luce

    Examples
    --------
    >>> import porank as po
    >>> po.random_order(100, dimension=1, seed=0).number_of_edges()
    99
    >>> [po.random_order(9, edge_probability=p, seed=0).number_of_edges() for p in (0, 1)]
    [0, 8]

    Notes
    -----
    With `dimension`, time O(n m / 64) for m edges of the reduction and memory O(n**2). With
    `edge_probability`, time O(n m / 64) and memory in proportion to the number of edges drawn.

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
    """Return a random order: the intersection of uniform random rankings."""
    require_memory(3 * n * n, what=f"a matrix of {n:,} items", instead="choose a smaller n")
    above = ~np.eye(n, dtype=bool)
    for _ in range(dimension):
        rank = rng.permutation(n)
        above &= rank[:, None] < rank[None, :]
    return relate_matrix(above)


def _draw_edges(n: int, probability: Any, rng: np.random.Generator) -> Relation:
    """Return a random order: the closure of random pairs of a uniform random ranking."""
    rank = rng.permutation(n)
    item_at = np.argsort(rank)
    share = require_share(probability, "edge_probability")
    needed_bytes = 60 * float(share) * (n * (n - 1) // 2)
    require_memory(needed_bytes, what=f"random edges of {n:,} items", instead="choose a smaller n")
    drawn = _draw_positions(n * (n - 1) // 2, share, rng)
    ends = np.cumsum(np.arange(n - 1, -1, -1))
    upper = np.searchsorted(ends, drawn, side="right")
    lower = n - (ends[upper] - drawn)
    return relate(rank, item_at[upper], item_at[lower])


def _draw_positions(length: int, probability: float, rng: np.random.Generator) -> Numbers:
    """Return the positions of the pairs that become edges of a random order, ascending."""
    if probability == 0 or length == 0:
        return np.empty(0, dtype=np.int64)
    batch = int(length * probability) + 1
    parts = []
    last = -1
    while last < length:
        # Limit gaps to the length, because a longer gap ends the search anyway.
        gaps = np.minimum(rng.geometric(probability, batch), length + 1)
        parts.append(last + np.cumsum(gaps))
        last = int(parts[-1][-1])
    positions = np.concatenate(parts)
    return positions[positions < length]


def random_ranking(items: int | Iterable[Item], *, seed: Seed = None) -> nx.DiGraph:
    """Return a random ranking; all rankings of the items are equally likely.

    Parameters
    ----------
    items : int or iterable
        The items, or the number n of the items 0..n-1.
    seed : int, Generator or None
        Seed or source of random numbers.

    Returns
    -------
    DiGraph
        A chain, with the items in the order of the ranking, best first.

    See Also
    --------
    random_order, mallows, plackett_luce

    Examples
    --------
    >>> import porank as po
    >>> sorted(po.random_ranking(["c", "a", "b"], seed=1))
    ['a', 'b', 'c']
    >>> po.random_ranking(5, seed=1).number_of_edges()
    4

    Notes
    -----
    Time O(n).
    """
    if isinstance(items, Iterable):
        names = distinct_items(items, name="the items")
    else:
        names = list(range(require_count(items, name="the number of items")))
    drawn = generator_of(seed).permutation(len(names))
    return from_ranking([names[i] for i in drawn])


def mallows(
    center: Sequence[Item] | OrderLike,
    size: int,
    *,
    dispersion: float,
    seed: Seed = None,
) -> list[nx.DiGraph]:
    """Return random rankings from the Mallows model.

    The probability of a ranking is proportional to ``dispersion ** d``, where d is the number of
    pairs that it ranks differently than the center does (Kendall's tau distance) [1]_.

    Parameters
    ----------
    center : list or tuple of items, DiGraph, ranks, or scores
        The ranking in the center of the distribution: a list of items, best first, or a total
        order. A mapping or an array is read as scores, unless it is `Ranks`.
    size : int
        Number of rankings to draw.
    dispersion : float in [0, 1]
        Spread of the distribution: with 0 all rankings are equal to the center, with 1 all rankings
        are equally likely.
    seed : int, Generator or None
        Seed or source of random numbers.

    Returns
    -------
    list of DiGraph
        Chains, with the items in the order of the ranking, best first.

    Raises
    ------
    PorankError
        If the center is not a total order, or a number is out of range.

    See Also
    --------
    random_order, random_ranking, plackett_luce

    Examples
    --------
    >>> import porank as po
    >>> [list(G) for G in po.mallows(["a", "b", "c"], 2, dispersion=0)]
    [['a', 'b', 'c'], ['a', 'b', 'c']]

    Notes
    -----
    The algorithm is repeated insertion [2]_: the items of the center are inserted one after the
    other, each d places above the end with probability proportional to ``dispersion ** d``. It
    takes O(size n log n), and the time to move list entries.

    References
    ----------
    .. [1] C. L. Mallows, "Non-null ranking models. I", Biometrika 44, 1957, pp. 114-130.
       https://doi.org/10.1093/biomet/44.1-2.114
    .. [2] J.-P. Doignon, A. Pekeč, M. Regenwetter, "The repeated insertion model for rankings",
       Psychometrika 69(1), 2004, pp. 33-54. https://doi.org/10.1007/BF02295838
    """
    items = _ranked_items(center)
    size = require_samples(size, name="size", least=0)
    n = len(items)
    refuse_large(size * n, instead="draw fewer at a time")
    # P(d places above the end) = q^d / (1 + q + ... + q^(i-1)) for the i-th item
    sums = np.cumsum(require_share(dispersion, "dispersion") ** np.arange(n))
    drawn = generator_of(seed).random((size, n)) * sums
    steps = np.minimum(np.searchsorted(sums, drawn, side="right"), np.arange(n))
    return [_insert(items, row) for row in track(steps.tolist(), label="drawing")]


def _ranked_items(center: Any) -> list[Item]:
    """Return the items of the center of the Mallows model, best first."""
    if isinstance(center, (Mapping, np.ndarray, nx.Graph)) or hasattr(center, "to_numpy"):
        order = compile_order(center, name="center")
        if not order.is_total:
            raise PorankError(
                f"expected a total order as center, found one of {len(order.items)} items in "
                f"{len(order.sizes)} levels; random_ranking makes a total order"
            )
        return [order.items[number] for number in np.argsort(order.levels).tolist()]
    return ranked_items(center, name="the center")


def _insert(items: Sequence[Item], steps: Sequence[int]) -> nx.DiGraph:
    """Return a ranking of the Mallows model: insert each item some steps above the end."""
    ranking: list[Item] = []
    for item, step in zip(items, steps, strict=True):
        ranking.insert(len(ranking) - step, item)
    return from_ranking(ranking)


def plackett_luce(
    strengths: Mapping[Any, Any],
    size: int,
    *,
    seed: Seed = None,
) -> list[nx.DiGraph]:
    """Return random rankings from the Plackett-Luce model.

    The first item is drawn with probability proportional to its strength, the next one from the
    remaining items in the same way, and so on [1]_.

    Parameters
    ----------
    strengths : mapping
        Mapping item -> strength, a positive, finite number.
    size : int
        Number of rankings to draw.
    seed : int, Generator or None
        Seed or source of random numbers.

    Returns
    -------
    list of DiGraph
        Chains, with the items in the order of the ranking, best first.

    Raises
    ------
    PorankError
        If a strength is not a positive, finite number.

    See Also
    --------
    random_order, random_ranking, mallows

    Examples
    --------
    >>> import porank as po
    >>> [list(G) for G in po.plackett_luce({"a": 1, "b": 1e300, "c": 1e-300}, 2, seed=0)]
    [['b', 'a', 'c'], ['b', 'a', 'c']]

    Notes
    -----
    Time O(size n log n). The items are sorted by the logarithm of their strength plus noise from a
    Gumbel distribution, which gives exactly these probabilities [2]_.

    References
    ----------
    .. [1] R. L. Plackett, "The analysis of permutations", Applied Statistics 24(2), 1975, pp.
       193-202. https://doi.org/10.2307/2346567
    .. [2] J. I. Yellott, "The relationship between Luce's choice axiom, Thurstone's theory of
       comparative judgment, and the double exponential distribution", Journal of Mathematical
       Psychology 15(2), 1977, pp. 109-144. https://doi.org/10.1016/0022-2496(77)90026-8
    """
    if not isinstance(strengths, Mapping):
        raise PorankError(f"expected a mapping item -> strength, found {a_kind(strengths)}")
    items = list(strengths)
    values = np.array(
        [require_strength(item, value) for item, value in strengths.items()], dtype=float
    )
    size = require_samples(size, name="size", least=0)
    refuse_large(size * len(items), instead="draw fewer at a time")
    # log v + Gumbel noise: the largest is i with probability v_i / sum of v
    noise = generator_of(seed).gumbel(size=(size, len(items)))
    best_first = np.argsort(-(np.log(values) + noise), axis=1)
    tracked = track(best_first.tolist(), label="drawing")
    return [from_ranking([items[i] for i in row]) for row in tracked]


def require_strength(item: Item, value: Any) -> float:
    """Return the strength of an item for a random ranking as a float, or raise an error."""
    require_item(item)
    if isinstance(value, str) or not holds(lambda number: 0 < float(number) < math.inf, value):
        found = f"for {quoted(item)}, found {quoted(value)}"
        raise PorankError(f"expected a positive, finite strength {found}")
    return float(value)
