"""Orders that every textbook draws: chains, antichains, Boolean and divisor lattices.

Items come best first; a constructor counts the edges before it writes them.
"""

from __future__ import annotations

from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING

from porank.core.arguments import require_count
from porank.core.graphs import graph_of, refuse_large

if TYPE_CHECKING:
    import networkx as nx

_WAY_OUT = "choose a smaller n"


def chain(n: int) -> nx.DiGraph:
    """Return the total order 0 > 1 > ... > n-1.

    Parameters
    ----------
    n : int
        The number of items.

    Returns
    -------
    DiGraph
        With n - 1 edges, each from an item to the next.

    Examples
    --------
    >>> [chain(n).number_of_edges() for n in range(5)]
    [0, 0, 1, 2, 3]
    >>> list(chain(3).edges)
    [(0, 1), (1, 2)]

    Notes
    -----
    Time O(n).
    """
    n = require_count(n)
    refuse_large(max(n - 1, 0), instead=_WAY_OUT)
    return graph_of(range(n), ([item] for item in range(1, n)))


def antichain(n: int) -> nx.DiGraph:
    """Return the order of the items 0..n-1 in which nothing is known.

    Parameters
    ----------
    n : int
        The number of items.

    Returns
    -------
    DiGraph
        Without edges.

    Examples
    --------
    >>> list(antichain(3)), list(antichain(3).edges)
    ([0, 1, 2], [])

    Notes
    -----
    Time O(n).
    """
    return graph_of(range(require_count(n)))


def boolean_lattice(n: int) -> nx.DiGraph:
    """Return the subsets of {0, ..., n-1}, each above the subsets of its own.

    Parameters
    ----------
    n : int
        How many elements the largest set has.

    Returns
    -------
    DiGraph
        The 2**n items are frozensets, larger ones first; a set covers the sets with one element
        less.

    Examples
    --------
    >>> [(len(G), G.number_of_edges()) for G in map(boolean_lattice, range(5))]
    [(1, 0), (2, 1), (4, 4), (8, 12), (16, 32)]
    >>> [sorted(item) for item in boolean_lattice(2)]
    [[0, 1], [0], [1], []]

    Notes
    -----
    Time O(n 2**n).
    """
    n = require_count(n)
    # From 64 on the number of edges itself would fill memory, and is refused all the same.
    shown = min(n, 64)
    refuse_large(shown << shown >> 1, instead=_WAY_OUT)
    items = [
        frozenset(subset) for size in range(n, -1, -1) for subset in combinations(range(n), size)
    ]
    number = {item: position for position, item in enumerate(items)}
    return graph_of(
        items, ([number[item - {element}] for element in sorted(item)] for item in items)
    )


def divisor_lattice(n: int) -> nx.DiGraph:
    """Return the divisors of n, each above the numbers that divide it.

    Parameters
    ----------
    n : int
        At least 1.

    Returns
    -------
    DiGraph
        The items are ints, n first; a divisor covers its quotients by prime numbers.

    Examples
    --------
    >>> list(divisor_lattice(12).edges)
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
    """Return prime -> the powers of it that divide n, from 1 on."""
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
