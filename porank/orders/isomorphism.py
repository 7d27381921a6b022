"""Tell whether two orders have the same shape, and which item then corresponds to which.

Public: `is_isomorphic`, `find_isomorphism`.

Idea: *an isomorphism of orders is one of their reductions, and keeps for each item its level and
the numbers of items above and below it.* With these numbers as labels, networkx has few pairs of
items to try [1]_.

References
----------
.. [1] A. Jüttner, P. Madarasi, "VF2++ - An improved subgraph isomorphism algorithm", Discrete
   Applied Mathematics 242, 2018, pp. 69-81. https://doi.org/10.1016/j.dam.2018.02.018
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from porank.core.compiled_order import compile_order

if TYPE_CHECKING:
    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, OrderLike


def is_isomorphic(G: OrderLike, H: OrderLike) -> bool:
    """Return whether two orders are isomorphic: the same except for the names of the items.

    Parameters
    ----------
    G, H : DiGraph, ranks, or scores (larger is better)
        Two orders. Ties are ignored.

    Returns
    -------
    bool
        Whether there is an isomorphism.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.

    See Also
    --------
    find_isomorphism : returns an isomorphism.
    all_orders

    Examples
    --------
    >>> import porank as po
    >>> po.is_isomorphic(po.divisor_lattice(30), po.boolean_lattice(3))
    True

    Notes
    -----
    The time of `find_isomorphism`.
    """
    return find_isomorphism(G, H) is not None


def find_isomorphism(G: OrderLike, H: OrderLike) -> dict[Item, Item] | None:
    """Return an isomorphism between two orders, or None.

    An isomorphism f gives each item of `G` an item of `H` of its own, such that u > v in `G` if and
    only if f(u) > f(v) in `H`.

    Parameters
    ----------
    G, H : DiGraph, ranks, or scores (larger is better)
        Two orders. Ties are ignored.

    Returns
    -------
    dict or None
        Mapping from each item of `G` to an item of `H`.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.

    See Also
    --------
    is_isomorphic

    Examples
    --------
    >>> import porank as po
    >>> po.find_isomorphism(po.parse("a > b; a > c; c > d"), po.parse("1 > 2 > 3; 1 > 4"))
    {'a': '1', 'b': '4', 'c': '2', 'd': '3'}

    Notes
    -----
    Time of the closures, and that of ``networkx.vf2pp_isomorphism``, which is exponential at worst.
    """
    first, second = compile_order(G), compile_order(H)
    numbers = nx.vf2pp_isomorphism(_reduced(first), _reduced(second), node_label="kind") or {}
    if len(numbers) < max(len(first.items), len(second.items)):
        return None
    return {item: second.items[numbers[number]] for number, item in enumerate(first.items)}


def kinds_of(order: CompiledOrder) -> list[tuple[int, ...]]:
    """Return what an isomorphism keeps: the level of each item, and the numbers above and below."""
    counts = (each[order.relation.place].tolist() for each in order.relation.counts())
    return list(zip(order.levels.tolist(), *counts, strict=True))


def _reduced(order: CompiledOrder) -> nx.DiGraph:
    """Return the reduction of a compiled order as a graph of numbers, with the kinds of items."""
    reduction = nx.DiGraph()
    reduction.add_nodes_from((x, {"kind": kind}) for x, kind in enumerate(order.memo(kinds_of)))
    upper, lower = order.relation.cover_edges()
    reduction.add_edges_from(zip(upper.tolist(), lower.tolist(), strict=True))
    return reduction
