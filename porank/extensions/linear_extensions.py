"""Linear extensions: the rankings that an order leaves open, listed, counted and recognised.

A linear extension of an order is a ranking of all its items that contradicts it nowhere: if u is
preferred to v, then u stands before v. Tied items may come in either order, as incomparable ones.

Public: `linear_extensions`, `count_linear_extensions`, `is_linear_extension`. To estimate the count
is in `porank.extensions.estimation`, to draw some in `porank.extensions.sampling`.

Idea: *first take apart what can be taken apart.* Series parts and components are counted each for
itself; only what cannot be divided needs its ideals.
"""

from __future__ import annotations

from collections.abc import Mapping, MappingView, Set
from fractions import Fraction
from itertools import accumulate, chain
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Any, TypeVar

import networkx as nx
import numpy as np

from porank.core.arguments import require_count
from porank.core.arrays import inverse_of, lists_of_rows
from porank.core.compiled_order import as_graph, compile_if_acyclic, compile_order
from porank.errors import PorankError
from porank.extensions.decomposition import decompose, upwards
from porank.extensions.ideals import MAX_IDEALS, Chains, count_paths, layers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from porank.extensions.decomposition import OrderPart
    from porank.typing import Item, OrderLike

#: How many: counted, or a fraction where it is estimated.
Number = TypeVar("Number", int, int | Fraction)


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
    PorankError
        If `G` are scores whose graph would have more than 10**7 edges.

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
    depend on the insertion of items. Time O(n + m) unions of rows of n bits for each at most,
    and usually much less, for neighbouring ones share their beginning. Memory O(n + m), scores
    having an edge between any two items of neighbouring levels. There can be n! of them.
    """
    named, _ = compile_order(as_graph(G)).by_name()
    assert named.source is not None
    assert named.target is not None
    below = lists_of_rows(len(named.items), named.source, named.target)
    return ([named.items[number] for number in line] for line in _list_extensions(below))


def _list_extensions(below: list[list[int]]) -> Iterator[list[int]]:
    """Yield the linear extensions of an order on 0..n-1, lexicographically.

    Idea: *whenever several items may come next, try them in turn; go back when nothing is left.*
    The items that may come next are a row of bits; to go back, the last item is taken up again.
    """
    n, line, tried = len(below), list[int](), 0
    above = [0] * n
    for v in chain.from_iterable(below):
        above[v] += 1
    available = sum(1 << u for u in range(n) if not above[u])
    while True:
        if untried := available >> tried:
            line.append(tried + (untried & -untried).bit_length() - 1)
            available ^= 1 << line[-1]
            for v in below[line[-1]]:
                above[v] -= 1
                if not above[v]:
                    available |= 1 << v
            tried = 0
            continue
        if len(line) == n:
            yield list(line)
        if not line:
            return
        last = line.pop()
        for v in below[last]:
            if not above[v]:
                available ^= 1 << v
            above[v] += 1
        available |= 1 << last
        tried = last + 1


def count_linear_extensions(G: OrderLike, *, max_ideals: int = MAX_IDEALS) -> int:
    """Return the number of linear extensions of `G`, exactly.

    It is the number e(G) of sequences of all items in which u stands before v whenever u > v.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    max_ideals : int
        How many ideals a part that cannot be divided may have. An ideal is a set of items that may
        stand on top.

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
        If `max_ideals` is no whole number of at least 1.

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
    A part that cannot be divided is counted over its ideals: time O(w) operations on words for each
    of them, with w the width, less than a microsecond; memory that of two layers, the ideals of k
    and of k + 1 items, some 25 bytes each. To count linear extensions is #P-complete [1]_: a part
    whose width is large has more ideals than can be looked at.

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
    return count_by_parts(decompose(compile_order(G)), max_ideals=max_ideals)


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

    See Also
    --------
    linear_extensions, count_linear_extensions, random_linear_extensions

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
    try:
        numbers = [order.number[item] for item in sequence or ()]
    except (KeyError, TypeError):  # it is no item of the order, or cannot even be hashed
        return False
    if sequence is None or not len(order.items) == len(numbers) == len(set(numbers)):
        return False
    position = inverse_of(np.array(numbers, dtype=np.int64))
    if order.source is None or order.is_weak:
        return bool(np.all(np.diff(order.levels[numbers]) >= 0))
    return bool(np.all(position[order.source] < position[order.target]))


def _sequence_of(ranking: Any) -> list[Item] | None:
    """Return a ranking that may be a linear extension best first, or None if it is not total."""
    if isinstance(ranking, (nx.Graph, Mapping)) or hasattr(ranking, "to_numpy"):
        order = compile_if_acyclic(ranking, name="ranking")
        if order is None or not order.is_total:
            return None
        return [order.items[number] for number in np.argsort(order.levels).tolist()]
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


def count_by_parts(parts: Sequence[OrderPart], *, max_ideals: int) -> int:
    """Return the number of linear extensions, holding two layers of ideals at once."""
    counts = {
        number: count_prime(part, max_ideals=max_ideals)
        for number, part in enumerate(parts)
        if part.kind == "prime"
    }
    return put_together(parts, counts)


def put_together(parts: Sequence[OrderPart], primes: Mapping[int, Number]) -> Number:
    """Return the number of linear extensions of the whole, given that of each prime part."""
    counts: list[Number] = [1] * len(parts)
    for number, part in upwards(parts):
        if part.kind == "prime":
            counts[number] = primes[number]
        elif part.kind == "free":
            counts[number] = factorial(part.size)
        else:
            counts[number] = prod([counts[other] for other in part.parts])
        if part.kind == "parallel":
            sizes = [parts[other].size for other in part.parts]
            counts[number] *= prod(map(comb, accumulate(sizes), sizes))
    return counts[0]


def count_prime(part: OrderPart, *, max_ideals: int) -> int:
    """Return the number of linear extensions of a prime part."""
    chains = Chains(part)
    return count_paths(chains, layers_of(chains, max_ideals=max_ideals))
