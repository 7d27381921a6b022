"""Between which ranks an item may stand, exactly and for any number of items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.core.compiled_order import compile_order
from porank.core.relation import SparseRelation

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers, OrderLike


def rank_intervals(G: OrderLike, *, progress: bool = False) -> dict[Item, tuple[int, int]]:
    """Return the best and the worst rank that each item takes in any ranking that `G` allows.

    Of n items, x can stand no higher than at ``1 + |{u : u > x}|`` and no lower than at
    ``n - |{v : x > v}|``, and some ranking puts it at each of the ranks between.

    Parameters
    ----------
    G : DiGraph or scores
        An order. Items that are tied may come in either order, as those that are incomparable.
    progress : bool
        Show a bar.

    Returns
    -------
    dict
        Item -> (best, worst), whole numbers with 1 <= best <= worst <= n.

    Raises
    ------
    CycleError
        If `G` has a cycle.

    Examples
    --------
    >>> import porank as po
    >>> po.rank_intervals(po.parse("a > b > c; d > c"))
    {'a': (1, 2), 'b': (2, 3), 'c': (4, 4), 'd': (1, 3)}
    >>> po.rank_intervals({"tea": 3, "coffee": 5, "water": 3})
    {'tea': (2, 3), 'coffee': (1, 1), 'water': (2, 3)}

    Notes
    -----
    Time O(n + m) on a weak order, O(n log n) on scores, else O(n m_red / 64) for m_red edges of the
    reduction, with 3 n**2 / 16 bytes. No ranking is made.
    """
    order = compile_order(G)
    best, worst = rank_bounds(order, progress=progress)
    return dict(zip(order.items, zip(best.tolist(), worst.tolist(), strict=True), strict=True))


def rank_bounds(order: Order, *, progress: bool = False) -> tuple[Numbers, Numbers]:
    """Return the best and the worst rank that each item may take: 1 + above and n - below.

    Examples
    --------
    >>> best, worst = rank_bounds(compile_order({"a": 3, "b": 1, "c": 3}))
    >>> best.tolist(), worst.tolist()
    ([1, 3, 1], [2, 3, 2])

    Notes
    -----
    Time O(n) on a weak order, else O(n**2 / 64) and that of the closure.
    """
    n = len(order.items)
    if order.is_weak:
        worst = np.cumsum(order.sizes)
        return (worst - order.sizes + 1)[order.layers], worst[order.layers]
    relation = order.related(progress=progress)
    if isinstance(relation, SparseRelation):
        above, below = np.bincount(relation.lower, minlength=n), np.diff(relation.start)
    else:
        above = np.fromiter(map(int.bit_count, relation.above), np.int64, n)
        below = np.fromiter(map(int.bit_count, relation.below), np.int64, n)
    return 1 + above[relation.place], n - below[relation.place]
