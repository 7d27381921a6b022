"""Known ties and weights that a format cannot keep: what is lost is said."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.commands.spelling import is_by_query
from porank.convert.profiles import Profile
from porank.errors import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Forms that hold pairs and no ties.
_PAIRS_ONLY = ("csv", "tsv", "parquet", "trec-prefs")
#: Forms that hold no number for a pair.
_WITHOUT_WEIGHTS = ("notation", "tex", "ranks", "preflib")


def tell_ties(found: Any, form: str) -> None:
    """Say on standard error which items a file does not show as tied, if there are any."""
    tied = _tied(found) if form in _PAIRS_ONLY else None
    if tied:
        shown = listed(tied, separator=" ~ ")
        sys.stderr.write(
            f"porank: {form} keeps no ties, such as {shown}; notation, json, graphml and dot do\n"
        )


def tell_weights(found: Any, form: str) -> None:
    """Say on standard error that a file does not show weights, if there are any."""
    lost = numbers_on(found, ("weight", "support")) if form in _WITHOUT_WEIGHTS else []
    if lost:
        sys.stderr.write(f"porank: {form} keeps no {lost[0]}; csv, json, graphml and dot do\n")


def numbers_on(found: Any, names: Iterable[str]) -> list[str]:
    """Return the names of numbers that some edges have; there are none but in a graph.

    Examples
    --------
    >>> numbers_on(nx.DiGraph([("a", "b", {"weight": 2})]), ["support", "weight"])
    ['weight']
    >>> numbers_on({"a": 1}, ["weight"])
    []
    """
    is_graph = isinstance(found, nx.Graph)
    return [name for name in names if is_graph and nx.get_edge_attributes(found, name)]


def _tied(found: Any) -> list[Any] | None:
    """Return items that are known to be tied, of an order or the first of many that has some."""
    from porank.core.compiled_order import compile_order
    from porank.core.graphs import node_values
    from porank.core.ties import tie_groups

    if isinstance(found, Profile):
        return next(filter(None, map(_tied, found.orders)), None)
    if isinstance(found, nx.Graph):
        groups = tie_groups(found, node_values(found, "tie"))
        return next((group for group in groups if len(group) > 1), None)
    if is_by_query(found):
        return next(filter(None, map(_tied, found.values())), None)
    order = compile_order(found)
    levels: dict[int, list[Any]] = {}
    for item, level in zip(order.items, order.layers.tolist(), strict=True):
        levels.setdefault(level, []).append(item)
    return next((level for level in levels.values() if len(level) > 1), None)
