"""What a stated pair rests on, by brute force over the units that may be gone."""

from collections.abc import Callable, Collection
from itertools import chain, combinations
from typing import Any

import networkx as nx


def gaps_of_removals(
    order_without: Callable[[Collection[int]], nx.DiGraph], units: int, most: int
) -> list[int]:
    """Return how far what pairs are said to rest on is from the fewest units that open them.

    Sets of up to `most` units are removed, small ones first.
    """

    def stated(gone: Collection[int]) -> dict[tuple[Any, Any], int]:
        edges = order_without(gone).edges(data=True)
        return {(u, v): data["rests_on"] for u, v, data in edges if not data.get("added")}

    known, gaps = stated(()), []
    for gone in chain.from_iterable(combinations(range(units), k) for k in range(1, most + 1)):
        lost = known.keys() - stated(gone).keys() if known else set()
        gaps += [known.pop(pair) - len(gone) for pair in lost]
    return gaps
