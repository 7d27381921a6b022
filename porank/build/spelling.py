"""An order as a few chains: which statements `porank.build.notation.format_order` makes.

Idea: *first make one of each class of equals; then walk from the best class that still has an
unspelt edge below it, down along unspelt edges, as far as they lead.* Whatever is above the class
has been left already, so that no walk begins where an earlier one could have gone on, and no fewer
chains hold each edge once.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from porank.core.graphs import numbers_in_order, refuse_large
from porank.core.relation import relate_layers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.compiled_order import Order


def quotient_of(order: Order) -> tuple[list[list[int]], list[list[int]]]:
    """Return the classes of equals, best first, and for each the classes it covers, ascending.

    The sequence is by layer, then by (type name, repr) of the first member.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> quotient_of(compile_order({"a": 1, "c": 2, "b": 2}))
    ([[2, 1], [0]], [[1], []])

    Notes
    -----
    Time O(n log n) and the edges for a weak order, that of the reduction for others.
    """
    by_name = numbers_in_order(order.items)
    groups: dict[tuple[int, int], list[int]] = {}
    tie = order.tie.tolist()
    for number in by_name:
        alone = tie[number] < 0
        groups.setdefault((alone, number if alone else tie[number]), []).append(number)
    layers = order.layers.tolist()
    classes = sorted(groups.values(), key=lambda members: layers[members[0]])
    return classes, _covers_of(order, [members[0] for members in classes])


def _covers_of(order: Order, chosen: list[int]) -> list[list[int]]:
    """Return the reduction among one item of each class: what covers one, covers its equals."""
    layers = order.layers[chosen]
    if order.is_weak:
        sizes = np.bincount(layers)
        refuse_large(int(np.sum(sizes[:-1] * sizes[1:])), instead="the scores say it in less")
        return list(relate_layers(layers).reduced_rows())
    place = {number: position for position, number in enumerate(chosen)}
    relation = order.relation
    item_at = relation.order.tolist()
    is_chosen = [number in place for number in item_at]
    refuse_large(
        sum(len(covered) for covered in compress(relation.covers, is_chosen)),
        instead="save the graph itself",
    )
    return [
        sorted(place[item_at[q]] for q in relation.covers[p] if is_chosen[q])
        for p in relation.place[chosen].tolist()
    ]


def covering_chains(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield chains that hold each edge once, as few as there can be, then the isolated numbers.

    Parameters
    ----------
    rows : sequence of sequences of int
        Row i holds the successors of i, all of them larger.

    Examples
    --------
    >>> list(covering_chains([[2, 3], [3], [4], [], [], []]))
    [[0, 2, 4], [0, 3], [1, 3], [5]]

    Notes
    -----
    Time O(n + m).
    """
    remaining = [list(reversed(row)) for row in rows]
    reached = {number for row in rows for number in row}
    for start in range(len(rows)):
        while remaining[start]:
            chain = [start]
            while remaining[chain[-1]]:
                chain.append(remaining[chain[-1]].pop())
            yield chain
    yield from ([number] for number, row in enumerate(rows) if not row and number not in reached)
