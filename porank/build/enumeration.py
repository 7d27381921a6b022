"""All orders of a few items: what can be true of every order is tried on these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porank.core.arguments import require_count
from porank.core.graphs import graph_of
from porank.core.relation import places_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx as nx


def all_orders(n: int) -> Iterator[nx.DiGraph]:
    """Return all strict partial orders on the items 0..n-1, one after the other.

    There are 1, 1, 3, 19, 219, 4231, 130023, ... of them [1]_.

    Parameters
    ----------
    n : int
        The number of items.

    Yields
    ------
    DiGraph
        The closure of each order, every order once.

    Raises
    ------
    PorankError
        If n is no whole number from 0 on. Raised at the call, not later.

    Examples
    --------
    >>> [sum(1 for _ in all_orders(n)) for n in range(5)]
    [1, 1, 3, 19, 219]

    Notes
    -----
    Time O(4**n) for each order of n - 1 items: to it the item n - 1 is added, in every way to
    choose what is above it and what below.

    References
    ----------
    .. [1] The On-Line Encyclopedia of Integer Sequences, A001035. https://oeis.org/A001035
    """
    return _written_out(require_count(n))


def _written_out(n: int) -> Iterator[nx.DiGraph]:
    for below in _rows(n):
        yield graph_of(range(n), (places_of(row).tolist() for row in below))


def _rows(n: int) -> Iterator[list[int]]:
    """Yield the orders as rows of bits: what is below each item."""
    if n == 0:
        yield []
        return
    for rows in _rows(n - 1):
        for lower in _closed_downwards(rows):
            for upper in range(1 << n - 1):
                if _fits_between(rows, upper, lower):
                    added = 1 << n - 1 | lower
                    yield [row | added if upper >> i & 1 else row for i, row in enumerate(rows)] + [
                        lower
                    ]


def _closed_downwards(rows: list[int]) -> list[int]:
    """Return the sets that hold with an item all that is below it."""
    return [
        chosen
        for chosen in range(1 << len(rows))
        if not any(row & ~chosen for i, row in enumerate(rows) if chosen >> i & 1)
    ]


def _fits_between(rows: list[int], upper: int, lower: int) -> bool:
    """Return whether an item can be put below all of `upper` and above all of `lower`."""
    if upper & lower:
        return False
    for i, row in enumerate(rows):
        if upper >> i & 1:
            if lower & ~row:
                return False
        elif row & upper:
            return False
    return True
