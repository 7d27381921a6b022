"""Two orders brought to the same items, so that they can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.compiled_order import as_graph, compile_order
from porank.core.graphs import refuse_large
from porank.errors import PorankError, listed
from porank.order.algebra import restrict

if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx as nx

    from porank.core.compiled_order import Order
    from porank.typing import Item, OrderLike

_HOW = ("intersection", "target", "union")
_MISSING = ("unordered", "below")


def align(
    target: OrderLike,
    predicted: OrderLike,
    *,
    how: str = "intersection",
    missing: str = "unordered",
) -> tuple[Any, Any]:
    """Return the two orders brought to the same items.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders.
    how : {"intersection", "target", "union"}
        Which items to end with: those of both, those of the target, or those of either.
    missing : {"unordered", "below"}
        Where to put an item that an order lacks: beside all others, or, as for lists of the top k,
        below all others and tied with the rest of the missing.

    Returns
    -------
    target, predicted : DiGraph or dict
        New orders. Scores remain scores, save where items are added to them unordered.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    PorankError
        If `how` or `missing` is none of the choices, or more than 10 million edges were to be
        written.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.align(po.parse("a > b > c"), po.parse("x > c > a"))
    >>> list(target.edges), list(predicted.edges)
    ([('a', 'c')], [('c', 'a')])
    >>> po.align({"a": 2, "b": 1}, {"c": 5, "b": 4}, how="union", missing="below")
    ({'a': 2, 'b': 1, 'c': 0}, {'c': 5, 'b': 4, 'a': 3})

    Notes
    -----
    Time that of the closure if items are dropped from a graph, else O(n + m).
    """
    if how not in _HOW:
        raise PorankError(f"expected how to be one of {listed(_HOW)}, found {how!r}")
    if missing not in _MISSING:
        raise PorankError(f"expected missing to be one of {listed(_MISSING)}, found {missing!r}")
    first = compile_order(target, name="target")
    second = compile_order(predicted, name="predicted")
    wanted = {
        "intersection": [item for item in first.items if item in second.number],
        "target": list(first.items),
        "union": list(dict.fromkeys([*first.items, *second.items])),
    }[how]
    return (
        _brought_to(wanted, target, first, missing),
        _brought_to(wanted, predicted, second, missing),
    )


def _brought_to(wanted: list[Item], order: OrderLike, compiled: Order, missing: str) -> Any:
    among = set(wanted)
    restricted = restrict(order, [item for item in compiled.items if item in among])
    added = [item for item in wanted if item not in compiled.number]
    if not added:
        return restricted
    if isinstance(restricted, dict) and missing == "below":
        return restricted | dict.fromkeys(added, _lower_than(restricted.values()))
    G = as_graph(restricted)
    if missing == "unordered":
        G.add_nodes_from(added)
    else:
        _add_level_below(G, added)
    return G


def _lower_than(values: Iterable[Any]) -> Any:
    lowest = min(values, default=1)
    if lowest - 1 < lowest:
        return lowest - 1
    if -np.inf < lowest:
        return -np.inf
    raise PorankError("expected scores with room below the lowest, found -inf; give ranks instead")


def _add_level_below(G: nx.DiGraph, added: list[Item]) -> None:
    """Put the items on one level below all items of `G`, tied with each other."""
    lowest = [item for item, degree in G.out_degree if degree == 0]
    refuse_large(len(lowest) * len(added), instead="give scores instead of a graph")
    names = {value for _, value in G.nodes(data="tie")}
    name = next(i for i in range(len(names) + 1) if i not in names)
    G.add_nodes_from(added, **({"tie": name} if len(added) > 1 else {}))
    G.add_edges_from((above, item) for above in lowest for item in added)
