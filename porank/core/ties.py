"""Known ties: the node attribute ``tie``, one value for each class of items known to be equal.

Two items of which neither is above the other are either *tied*, when their equality is known, or
*incomparable*, when nothing is. Equal items have the same items above and below, so that an
attribute that says otherwise is refused.
"""

from __future__ import annotations

import math
from types import NoneType
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from porank.core.graphs import in_order, neighbour_sets, node_values
from porank.errors import TieError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.typing import Item, Numbers


def tie_groups(G: nx.DiGraph, values: Sequence[object]) -> list[list[Item]]:
    """Return the groups of two or more items that share a value of the attribute ``tie``."""
    if set(map(type, values)) <= {NoneType}:
        return []
    groups: dict[object, list[Item]] = {}
    for item, value in zip(G, values, strict=True):
        # A table read without a value for an item has NaN there.
        if value is not None and not (isinstance(value, float) and math.isnan(value)):
            try:
                groups.setdefault(value, []).append(item)
            except TypeError:
                raise TieError(
                    "expected a hashable value of the node attribute 'tie', "
                    f"found {value!r} at {item!r}",
                    tied=[item],
                ) from None
    return [group for group in groups.values() if len(group) > 1]


def tie_classes(G: nx.DiGraph, values: Sequence[object], layers: Numbers, is_weak: bool) -> Numbers:
    """Return the number of the class of known ties of each item of an acyclic graph, or -1."""
    classes = np.full(len(G), -1)
    groups = tie_groups(G, values)
    if not groups:
        return classes
    number = dict(zip(G, range(len(G)), strict=True))
    for name, group in enumerate(groups):
        members = [number[item] for item in group]
        one_layer = is_weak and np.ptp(layers[members]) == 0
        if not one_layer:
            _require_equals(G, group)
        classes[members] = name
    return classes


def forget_contradicted_ties(G: nx.DiGraph) -> None:
    """Delete the attribute ``tie`` of known ties that the edges contradict."""
    for group in tie_groups(G, node_values(G, "tie")):
        try:
            _require_equals(G, group)
        except TieError:
            for item in group:
                del G.nodes[item]["tie"]


def _require_equals(G: nx.DiGraph, group: list[Item]) -> None:
    """Raise `TieError` unless tied items have the same items above and below."""
    first, *others = in_order(group)
    for other in others:
        if neighbour_sets(G, first) == neighbour_sets(G, other):
            continue
        above = nx.ancestors(G, first) ^ nx.ancestors(G, other)
        below = nx.descendants(G, first) ^ nx.descendants(G, other)
        if above or below:
            witness = in_order(above or below)[0]
            side = "above" if above else "below"
            raise TieError(
                f"expected the same items above and below the tied {first!r} and {other!r}, found "
                f"{witness!r} {side} only one of them; drop the edge or the node attribute 'tie'",
                tied=[first, other],
                witness=witness,
            )


def joined_classes(one: Numbers, other: Numbers) -> Numbers:
    """Return the tie classes of items that are tied in both of two orders, or -1."""
    joined = np.full(one.size, -1)
    both = (one >= 0) & (other >= 0)
    key = one[both] * (other.max(initial=0) + 1) + other[both]
    joined[both] = np.unique(key, return_inverse=True)[1]
    return joined


def pairs_within(classes: Numbers) -> int:
    """Return how many pairs of items are tied: of one class, -1 being none."""
    sizes = np.bincount(classes + 1)[1:]
    return int(np.dot(sizes, sizes) - sizes.sum()) // 2
