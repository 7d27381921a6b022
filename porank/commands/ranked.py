"""Weak orders that were read as ranks: kept as one number an item, however many pairs follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_item
from porank.core.compiled_order import read_scores

if TYPE_CHECKING:
    from collections.abc import Mapping


class Ranked(dict[Any, int]):
    """A weak order, item -> level, the worst level being 1: scores, but no grades.

    Examples
    --------
    >>> Ranked.of({"tea": 2, "milk": 1, "salt": 2.5})
    {'tea': 2, 'milk': 3, 'salt': 1}
    """

    @classmethod
    def of(cls, ranks: Mapping[Any, Any]) -> Ranked:
        """Return the order in which a smaller rank is better and equal ranks are tied."""
        items, layers = read_scores(ranks, name="ranks")
        for item in items:
            require_item(item)
        return cls(zip(items, (layers + 1).tolist(), strict=True))
