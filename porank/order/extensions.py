"""Linear extensions: the rankings that an order leaves open.

A linear extension of an order is a ranking of all its items that contradicts it nowhere: if u is
preferred to v, then u stands before v. Tied items may come in either order, as incomparable ones.
"""

from __future__ import annotations

from collections.abc import Mapping, MappingView, Set
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import require_count, require_flag
from porank.core.compiled_order import compile_if_acyclic, compile_order
from porank.core.graphs import numbers_in_order
from porank.errors import PorankError
from porank.order.decomposition import decompose
from porank.order.ideals import MAX_IDEALS, count_by_parts
from porank.order.listing import list_extensions, list_rankings, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers, OrderLike


def linear_extensions(G: OrderLike) -> Iterator[list[Item]]:
    """Yield the linear extensions of `G`, one at a time.

    A linear extension is a sequence of all items in which u stands before v whenever u > v.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Yields
    ------
    list
        The items, best first. The empty order has one linear extension, the empty list.

    Raises
    ------
    CycleError
        If `G` has a cycle; at the call, before anything is yielded.

    See Also
    --------
    porank.count_linear_extensions : how many there are, without listing them.
    porank.random_linear_extensions : some of them.

    Examples
    --------
    >>> import porank as po
    >>> for ranking in po.linear_extensions(po.parse("a > c; b > c; b > d")):
    ...     print(*ranking)
    a b c d
    a b d c
    b a c d
    b a d c
    b d a c

    Notes
    -----
    They come in lexicographic sequence, the items sorted by (type name, repr), so that it does not
    depend on the insertion of items. Time O(n + m) unions of rows of n bits for each at the most,
    and usually much less, for neighbouring ones share their beginning; O(n) for weak orders. Memory
    is that of one of them and O(n) rows. There can be n! of them.
    """
    order = compile_order(G)
    n = len(order.items)
    by_name = numbers_in_order(order.items)
    name = np.empty(n, dtype=np.int64)
    name[by_name] = np.arange(n)
    return named([order.items[number] for number in by_name], _list(order, name))


def _list(order: Order, name: Numbers) -> Iterator[list[int]]:
    """Yield the linear extensions with the items renumbered by their names."""
    if order.is_weak:
        levels: list[list[int]] = [[] for _ in order.sizes]
        for number in np.argsort(name).tolist():
            levels[order.layers[number]].append(int(name[number]))
        return list_rankings(levels)
    edges = zip(name[order.source].tolist(), name[order.target].tolist(), strict=True)
    return list_extensions(len(order.items), list(edges))


def count_linear_extensions(
    G: OrderLike, *, max_ideals: int = MAX_IDEALS, progress: bool = False
) -> int:
    """Return the number of linear extensions of `G`, exactly.

    It is the number e(G) of sequences of all items in which u stands before v whenever u > v.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    max_ideals : int
        How many ideals a part that cannot be divided may have, one of more than 64 items a
        sixteenth of it. An ideal is a set of items that may stand on top.
    progress : bool
        Show a bar.

    Returns
    -------
    int
        From 1, for a total order and for the empty one, to n!.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    TooManyIdealsError
        If a part has more ideals than allowed. The error says how far the count came.
    PorankError
        If `max_ideals` is no whole number of at least 1, or `progress` neither true nor false.

    See Also
    --------
    porank.estimate_linear_extensions : about how many, where there are too many ideals.
    porank.rank_probabilities : in which share of them an item stands where.

    Examples
    --------
    >>> import porank as po
    >>> po.count_linear_extensions(po.parse("a > c; b > c; b > d"))
    5
    >>> [po.count_linear_extensions(po.antichain(n)) for n in range(6)]
    [1, 1, 2, 6, 24, 120]
    >>> po.count_linear_extensions(po.boolean_lattice(4))
    1680384

    Notes
    -----
    Components, and parts that stand wholly above one another, are counted each for itself and put
    together by multiplication; weak orders and all series-parallel ones need no ideals at all.
    A part that cannot be divided is counted over its ideals: time O(n) operations on words for each
    of them, less than a microsecond; memory that of two layers, the ideals of k and of k + 1 items,
    some 25 bytes each. Beyond 64 items it takes about a microsecond for each item that can be added
    to each ideal. To count linear extensions is #P-complete [1]_: a part whose width is large has
    more ideals than can be looked at.

    Before that the order is closed and taken apart, unless it is weak: time O(n m_red / 64) and
    memory 3 n**2 / 16 bytes for the closure, 2 GB for 100,000 items; time O(n + m_red) for each
    level of parts within parts; and a part of a items that is counted over its ideals takes
    a**2 / 4 bytes more.

    References
    ----------
    .. [1] G. Brightwell, P. Winkler, "Counting linear extensions", Order 8, 1991, pp. 225-242.
       https://doi.org/10.1007/BF00383444
    """
    max_ideals = require_count(max_ideals, name="max_ideals", least=1)
    require_flag(progress, name="progress")
    parts = decompose(compile_order(G), progress=progress)
    return count_by_parts(parts, max_ideals=max_ideals, progress=progress)


def is_linear_extension(
    G: OrderLike, ranking: Iterable[Item] | nx.DiGraph | Mapping[Any, Any]
) -> bool:
    """Return whether a ranking is a linear extension of `G`.

    It is one if it holds each item of `G` once, nothing else, and u before v whenever u > v.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    ranking : sequence of items, DiGraph, mapping, or series
        The items, best first. A graph, and a mapping or a series of items to scores, is taken as an
        order, and is a linear extension only if that is total.

    Returns
    -------
    bool

    Raises
    ------
    CycleError
        If `G` has a cycle.
    GraphTypeError
        If `ranking` is a graph and undirected.
    PorankError
        If `ranking` is nothing that could be a ranking, such as a set, which has no sequence.

    Examples
    --------
    >>> import porank as po
    >>> G = po.parse("a > c; b > c; b > d")
    >>> po.is_linear_extension(G, ["b", "d", "a", "c"]), po.is_linear_extension(G, "abc")
    (True, False)
    >>> po.is_linear_extension(G, po.parse("b > d > a > c"))
    True

    Notes
    -----
    Time O(n + m).
    """
    order = compile_order(G)
    sequence = _sequence_of(ranking)
    if sequence is None or len(sequence) != len(order.items):
        return False
    position = np.full(len(sequence), -1)
    for place, item in enumerate(sequence):
        number = _number_of(order, item)
        if number is None or position[number] >= 0:
            return False
        position[number] = place
    if order.source is None or order.is_weak:
        return bool(np.all(np.diff(order.layers[np.argsort(position)]) >= 0))
    return bool(np.all(position[order.source] < position[order.target]))


def _sequence_of(ranking: Any) -> list[Item] | None:
    """Return the items of a ranking best first, or None of an order that is not total."""
    if isinstance(ranking, (nx.Graph, Mapping)) or hasattr(ranking, "to_numpy"):
        order = compile_if_acyclic(ranking, name="ranking")
        if order is None or not order.is_total:
            return None
        return [order.items[number] for number in np.argsort(order.layers).tolist()]
    try:
        # A set has no sequence but that of its hashes; a view of a dictionary has that of its keys.
        if isinstance(ranking, Set) and not isinstance(ranking, MappingView):
            raise TypeError
        return list(ranking)
    except TypeError:
        found = type(ranking).__name__
        raise PorankError(
            f"expected as ranking the items, best first, or a total order, found {found}"
        ) from None


def _number_of(order: Order, item: Item) -> int | None:
    """Return the number of an item, or None of anything else."""
    try:
        return order.number.get(item)
    except TypeError:  # it cannot even be hashed
        return None
