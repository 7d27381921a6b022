"""Standard orders: chains, antichains, lattices, worked examples, all orders of a few items.

Items are listed best first. Large graphs raise an error before they are created.

`chain`, `antichain`, `boolean_lattice`, `divisor_lattice`; `load_example`, worked examples from the
literature and one of our own; `all_orders`, to test statements about every small order, and
`find_order`, to look for a counterexample.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, islice, product
from math import prod
from typing import TYPE_CHECKING

from porank.convert.notation import parse
from porank.core.arguments import require_count
from porank.core.compiled_order import compile_order
from porank.core.graphs import graph_of, refuse_large
from porank.core.relation import places_of
from porank.errors import PorankError, listed, quoted
from porank.orders.isomorphism import is_isomorphic, kinds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import networkx as nx


_WAY_OUT = "choose a smaller n"


def chain(n: int) -> nx.DiGraph:
    """Return the chain 0 > 1 > ... > n-1.

    Parameters
    ----------
    n : int
        Number of items.

    Returns
    -------
    DiGraph
        The chain, with n - 1 edges, one from each item to the next.

    See Also
    --------
    antichain, boolean_lattice, divisor_lattice

    Examples
    --------
    >>> import porank as po
    >>> [po.chain(n).number_of_edges() for n in range(5)]
    [0, 0, 1, 2, 3]
    >>> list(po.chain(3).edges)
    [(0, 1), (1, 2)]

    Notes
    -----
    Time O(n).
    """
    n = require_count(n)
    refuse_large(max(n - 1, 0), instead=_WAY_OUT)
    return graph_of(range(n), ([item] for item in range(1, n)))


def antichain(n: int) -> nx.DiGraph:
    """Return the antichain of the items 0..n-1, in which no two items are comparable.

    Parameters
    ----------
    n : int
        Number of items.

    Returns
    -------
    DiGraph
        A graph with n items and no edges.

    See Also
    --------
    chain, boolean_lattice, divisor_lattice

    Examples
    --------
    >>> import porank as po
    >>> list(po.antichain(3)), list(po.antichain(3).edges)
    ([0, 1, 2], [])

    Notes
    -----
    Time O(n).
    """
    return graph_of(range(require_count(n)))


def boolean_lattice(n: int) -> nx.DiGraph:
    """Return the Boolean lattice of the subsets of {0, ..., n-1}, each above its proper subsets.

    Parameters
    ----------
    n : int
        Number of elements of the largest set.

    Returns
    -------
    DiGraph
        The transitive reduction. Its 2**n items are frozensets, larger ones first. A set covers its
        subsets with one element less.

    See Also
    --------
    chain, antichain, divisor_lattice

    Examples
    --------
    >>> import porank as po
    >>> [(len(G), G.number_of_edges()) for G in map(po.boolean_lattice, range(5))]
    [(1, 0), (2, 1), (4, 4), (8, 12), (16, 32)]
    >>> [sorted(item) for item in po.boolean_lattice(2)]
    [[0, 1], [0], [1], []]

    Notes
    -----
    Time O(n 2**n).
    """
    n = require_count(n)
    # Avoid computing a huge number of edges; 64 is too large in any case.
    capped = min(n, 64)
    refuse_large(capped << capped >> 1, instead=_WAY_OUT)
    items = [
        frozenset(subset) for size in range(n, -1, -1) for subset in combinations(range(n), size)
    ]
    number = {item: position for position, item in enumerate(items)}
    return graph_of(
        items, ([number[item - {element}] for element in sorted(item)] for item in items)
    )


def divisor_lattice(n: int) -> nx.DiGraph:
    """Return the divisor lattice of n, in which each divisor is above its own proper divisors.

    Parameters
    ----------
    n : int
        A whole number of at least 1.

    Returns
    -------
    DiGraph
        The transitive reduction. Its items are the divisors, n first. A divisor covers its
        quotients by prime numbers.

    See Also
    --------
    chain, antichain, boolean_lattice

    Examples
    --------
    >>> import porank as po
    >>> list(po.divisor_lattice(12).edges)
    [(12, 6), (12, 4), (6, 3), (6, 2), (4, 2), (3, 1), (2, 1)]

    Notes
    -----
    Time O(sqrt(n)) at worst, to find the primes.
    """
    n = require_count(n, least=1)
    powers = _prime_powers(n)
    items = sorted((prod(factors) for factors in product(*powers.values())), reverse=True)
    number = {item: position for position, item in enumerate(items)}
    return graph_of(
        items,
        (sorted(number[item // prime] for prime in powers if item % prime == 0) for item in items),
    )


def _prime_powers(n: int) -> dict[int, list[int]]:
    """Return the powers that divide n of each prime divisor, for the lattice of divisors."""
    powers: dict[int, list[int]] = {}
    prime = 2
    while n > 1:
        if prime * prime > n:
            prime = n
        while n % prime == 0:
            powers.setdefault(prime, [1]).append(powers.get(prime, [1])[-1] * prime)
            n //= prime
        prime += 1
    return powers


_TABLE_1_PREDICTED = "A; B; C; D; E; C > A > E; C > B > E; C > D > E"
_EXAMPLES = {
    "table1": (
        "A; B; C; D; E; A > C > D; A > D; A > E; B > D",
        _TABLE_1_PREDICTED,
    ),
    "table1-corrected": (
        "A; B; C; D; E; A > C > D; A > D; A > E; B > D; B > E",
        _TABLE_1_PREDICTED,
    ),
    "tutorial": (
        "E > B > C > A > D",
        "A > B > E > C > D",
    ),
    "vehicles": (
        "SUVs > cars > vans > trucks",
        "cars > SUVs > vans > trucks",
        "SUVs > vans > cars > trucks",
        "SUVs > vans > trucks; cars > trucks",
    ),
}


def load_example(name: str) -> tuple[nx.DiGraph, ...]:
    """Return the graphs of a worked example from the literature.

    Parameters
    ----------
    name : str
        * ``"table1"``: the target and the predicted order in Table 1 of [1]_.
        * ``"table1-corrected"``: the same with B > E added to the target. The values computed in
          the paper, such as 5/29, need this edge.
        * ``"tutorial"``: the target and the predicted ranking for which the tutorial [2]_ computes
          distances.
        * ``"vehicles"``: the rankings of cars, vans, SUVs and trucks by three customers, and the
          partial order on which they agree. The vehicles are from the slides of [3]_; the rankings
          are our own.

    Returns
    -------
    tuple of DiGraph
        The graphs of the example, in the order given above.

    Raises
    ------
    PorankError
        If the name is unknown.

    See Also
    --------
    all_orders, random_order

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("table1")
    >>> list(target.edges)
    [('A', 'C'), ('A', 'D'), ('A', 'E'), ('B', 'D'), ('C', 'D')]
    >>> *customers, agreed = po.load_example("vehicles")
    >>> len(customers), list(agreed.edges)
    (3, [('SUVs', 'vans'), ('vans', 'trucks'), ('cars', 'trucks')])

    Notes
    -----
    The examples are small, so this takes little time. Each call creates new graphs, so you may
    change them.

    References
    ----------
    .. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise
       Preferences", UCERSTI 2 workshop at RecSys 2011, CEUR-WS Vol. 811.
       https://ceur-ws.org/Vol-811/paper11.pdf
    .. [2] J. Fürnkranz, E. Hüllermeier, "Preference Learning", tutorial.
    .. [3] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting Partial Orders: Ranking
       with Abstention", ECML PKDD 2010. https://doi.org/10.1007/978-3-642-15880-3_20
    """
    if name not in _EXAMPLES:
        raise PorankError(f"expected one of {listed(_EXAMPLES)}, found {quoted(name)}")
    return tuple(map(parse, _EXAMPLES[name]))


def all_orders(n: int, *, labelled: bool = True) -> Iterator[nx.DiGraph]:
    """Yield all strict partial orders on the items 0..n-1.

    There are 1, 1, 3, 19, 219, 4231, 130023, ... of them [1]_, of 1, 1, 2, 5, 16, 63, 318, 2045,
    ... different shapes [2]_.

    Parameters
    ----------
    n : int
        Number of items.
    labelled : bool
        Whether to yield all orders. If not, of several isomorphic orders only one is generated.

    Yields
    ------
    DiGraph
        The closure of an order. Each order is generated once. Without labels, the orders with the
        fewest edges come first.

    Raises
    ------
    PorankError
        If n is not an integer of at least 0. The error is raised when the function is called.

    See Also
    --------
    find_order, load_example, random_order, is_isomorphic

    Examples
    --------
    >>> import porank as po
    >>> [sum(1 for _ in po.all_orders(n)) for n in range(5)]
    [1, 1, 3, 19, 219]
    >>> list(po.all_orders(3, labelled=False))
    [0; 1; 2, 1 > 2; 0, 0 > 1; 0 > 2, 0 > 2; 1 > 2, 0 > 1 > 2]

    Notes
    -----
    Time O(4**n) for each order of n - 1 items, to which the item n - 1 is added in all possible
    ways to choose the items above and below it. Without labels, it is added as a minimal item, and
    compared with the shapes so far; the 2,045 shapes of seven items take two seconds.

    References
    ----------
    .. [1] The On-Line Encyclopedia of Integer Sequences, A001035. https://oeis.org/A001035
    .. [2] The same, A000112. https://oeis.org/A000112
    """
    n = require_count(n)
    return map(_closed, _rows(n) if labelled else next(islice(_shapes(), n, None)))


def find_order(n: int, where: Callable[[nx.DiGraph], object]) -> nx.DiGraph | None:
    """Return the smallest order with a property, or None if no order of up to n items has it.

    Use it to look for a counterexample to a claim. All shapes are tried, the smallest first: those
    with the fewest items, and among these the fewest preferences.

    Parameters
    ----------
    n : int
        Maximum number of items.
    where : callable
        Function that takes an order, a DiGraph, and returns whether the order has the property. It
        should not depend on the names of the items, because it sees one order of each shape.

    Returns
    -------
    DiGraph or None
        The closure of the order, with the items 0, 1, ...

    Raises
    ------
    PorankError
        If n is not an integer of at least 0, or `where` is not a function.

    See Also
    --------
    all_orders, is_isomorphic

    Examples
    --------
    Is every order without an N an interval order? Is every lattice with six items graded?

    >>> import porank as po
    >>> po.find_order(5, lambda G: po.is_series_parallel(G) and not po.is_interval_order(G))
    0 > 3; 1 > 2
    >>> po.find_order(6, lambda G: po.is_lattice(G) and not po.is_graded(G))
    0 > 1 > 4; 0 > 2 > 3 > 4

    Notes
    -----
    Time of `all_orders` without labels: two seconds for seven items.
    """
    if not callable(where):
        raise PorankError(f"expected a function of an order as where, found {quoted(where)}")
    rows_of_each = (rows for shapes in islice(_shapes(), require_count(n) + 1) for rows in shapes)
    return next(filter(where, map(_closed, rows_of_each)), None)


def _closed(rows: list[int]) -> nx.DiGraph:
    """Return an order as a graph from rows of bits."""
    return graph_of(range(len(rows)), (places_of(row).tolist() for row in rows))


def _shapes() -> Iterator[list[list[int]]]:
    """Yield one order of each shape as rows of bits, together those of 0, 1, 2, ... items."""
    shapes: list[list[int]] = [[]]
    while True:
        yield shapes
        found: dict[object, list[tuple[nx.DiGraph, list[int]]]] = defaultdict(list)
        # Each order has a minimal item, and the items that are not above it are an ideal.
        for above in shapes:
            new = 1 << len(above)
            for ideal in _down_sets(above):
                rows = [row if ideal >> i & 1 else row | new for i, row in enumerate(above)]
                G = _closed([*rows, 0])
                alike = found[tuple(sorted(compile_order(G).memo(kinds_of)))]
                if not any(is_isomorphic(G, H) for H, _ in alike):
                    alike.append((G, [*rows, 0]))
        shapes = [rows for alike in found.values() for _, rows in alike]
        shapes.sort(key=lambda rows: (sum(map(int.bit_count, rows)), rows[::-1]))


def _rows(n: int) -> Iterator[list[int]]:
    """Yield all partial orders of n items as rows of bits, for `all_orders`."""
    if n == 0:
        yield []
        return
    for rows in _rows(n - 1):
        ideals = _down_sets(rows)
        for lower in ideals:
            # The items above the new one are all outside some ideal, and above all items below it.
            others = sum(1 << i for i, row in enumerate(rows) if lower & ~row)
            added = 1 << n - 1 | lower
            for upper in (rest ^ ideals[-1] for rest in reversed(ideals)):
                if not upper & others:
                    above = (row | added if upper >> i & 1 else row for i, row in enumerate(rows))
                    yield [*above, lower]


def _down_sets(rows: list[int]) -> list[int]:
    """Return the ideals of a small order as bits, to generate all orders."""
    return [
        chosen
        for chosen in range(1 << len(rows))
        if not any(row & ~chosen for i, row in enumerate(rows) if chosen >> i & 1)
    ]
