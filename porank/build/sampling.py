"""Rankings drawn from the two models that are used most: Mallows, and Plackett and Luce.

Every function takes ``seed=``: an int, a `numpy.random.Generator`, or None for a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.build.rankings import from_ranking
from porank.core.arguments import (
    generator_of,
    ranked_items,
    require_count,
    require_item,
    require_share,
)
from porank.core.compiled_order import compile_order
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.typing import Item, OrderLike, Seed


def mallows(
    center: Sequence[Item] | OrderLike, size: int, *, dispersion: float, seed: Seed = None
) -> list[nx.DiGraph]:
    """Return rankings drawn from Mallows' model around a center.

    A ranking r has probability proportional to ``dispersion ** d``, with d the number of pairs on
    which r and the center disagree [1]_.

    Parameters
    ----------
    center : list or tuple of items, DiGraph, or scores
        The items best first, or a total order. A list is taken as items; a mapping or an array as
        scores.
    size : int
        How many rankings.
    dispersion : float in [0, 1]
        0 gives the center only, 1 all rankings alike.
    seed : int, Generator or None
        Where the randomness comes from.

    Returns
    -------
    list of DiGraph
        Chains, each with its items best first.

    Raises
    ------
    PorankError
        If the center is no total order, or a number is out of range.

    Examples
    --------
    >>> [list(G) for G in mallows(["a", "b", "c"], 2, dispersion=0)]
    [['a', 'b', 'c'], ['a', 'b', 'c']]

    Notes
    -----
    Time O(size n log n) and the moving of list entries, by repeated insertion [2]_: the i-th item
    of the center enters d places above the end with probability proportional to
    ``dispersion ** d``.

    References
    ----------
    .. [1] C. L. Mallows, "Non-null ranking models. I", Biometrika 44, 1957, pp. 114-130.
       https://doi.org/10.1093/biomet/44.1-2.114
    .. [2] J.-P. Doignon, A. Pekeč, M. Regenwetter, "The repeated insertion model for rankings",
       Psychometrika 69(1), 2004, pp. 33-54. https://doi.org/10.1007/BF02295838
    """
    items = _ranked_items(center)
    size = require_count(size, name="size")
    n = len(items)
    sums = np.cumsum(require_share(dispersion, "dispersion") ** np.arange(n))
    drawn = generator_of(seed).random((size, n)) * sums
    steps = np.minimum(np.searchsorted(sums, drawn, side="right"), np.arange(n))
    return [_insert(items, row) for row in steps.tolist()]


def _ranked_items(center: Any) -> list[Item]:
    """Return the items of a total order, best first."""
    if isinstance(center, (Mapping, np.ndarray, nx.Graph)) or hasattr(center, "to_numpy"):
        order = compile_order(center, name="center")
        if not order.is_total:
            raise PorankError(
                f"expected a total order as center, found one of {len(order.items)} items in "
                f"{len(order.sizes)} levels; random_ranking and linear extensions make total orders"
            )
        return [order.items[number] for number in np.argsort(order.layers).tolist()]
    return ranked_items(center, name="the center")


def _insert(items: Sequence[Item], steps: Sequence[int]) -> nx.DiGraph:
    """Return the ranking that each item enters that many steps above the end."""
    ranking: list[Item] = []
    for item, step in zip(items, steps, strict=True):
        ranking.insert(len(ranking) - step, item)
    return from_ranking(ranking)


def plackett_luce(
    strengths: Mapping[Any, Any], size: int, *, seed: Seed = None
) -> list[nx.DiGraph]:
    """Return rankings drawn from the model of Plackett and Luce.

    The best item is drawn with probability in proportion to its strength, then the next from the
    remaining ones in the same way, and so on [1]_.

    Parameters
    ----------
    strengths : mapping
        Item -> positive, finite number.
    size : int
        How many rankings.
    seed : int, Generator or None
        Where the randomness comes from.

    Returns
    -------
    list of DiGraph
        Chains, each with its items best first.

    Raises
    ------
    PorankError
        If a strength is not a positive, finite number.

    Examples
    --------
    >>> [list(G) for G in plackett_luce({"a": 1, "b": 1e300, "c": 1e-300}, 2, seed=0)]
    [['b', 'a', 'c'], ['b', 'a', 'c']]

    Notes
    -----
    Time O(size n log n). Items sorted by the logarithm of their strength plus noise of Gumbel's
    distribution come in this sequence with just these probabilities [2]_.

    References
    ----------
    .. [1] R. L. Plackett, "The analysis of permutations", Applied Statistics 24(2), 1975, pp.
       193-202. https://doi.org/10.2307/2346567
    .. [2] J. I. Yellott, "The relationship between Luce's choice axiom, Thurstone's theory of
       comparative judgment, and the double exponential distribution", Journal of Mathematical
       Psychology 15(2), 1977, pp. 109-144. https://doi.org/10.1016/0022-2496(77)90026-8
    """
    if not isinstance(strengths, Mapping):
        raise PorankError(
            f"expected a mapping item -> strength, found a {type(strengths).__name__}"
        )
    items = list(strengths)
    logs = np.array([_log_strength(item, value) for item, value in strengths.items()], dtype=float)
    size = require_count(size, name="size")
    noise = generator_of(seed).gumbel(size=(size, len(items)))
    best_first = np.argsort(-(logs + noise), axis=1)
    return [from_ranking([items[i] for i in row]) for row in best_first.tolist()]


def _log_strength(item: Item, value: Any) -> float:
    return float(np.log(require_strength(item, value)))


def require_strength(item: Item, value: Any) -> float:
    """Return the strength of an item as a float, or raise an error if it cannot be one.

    Examples
    --------
    >>> require_strength("a", 2)
    2.0
    """
    require_item(item)
    try:
        strength = float("nan") if isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        strength = float("nan")
    if not 0 < strength < float("inf"):
        raise PorankError(f"expected a positive, finite strength for {item!r}, found {value!r}")
    return strength
