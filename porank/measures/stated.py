"""What two orders state as sets of pairs: all that follows, the covers, or the edges given."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from porank.core.arrays import inverse_of
from porank.core.graphs import refuse_large
from porank.errors import PorankError, listed
from porank.measures.pairing import pair_up

if TYPE_CHECKING:
    from porank.core.compiled_order import Order
    from porank.typing import Numbers, OrderLike

_ON = ("closure", "reduction", "given")


class Stated(NamedTuple):
    """How many ordered pairs each order states, and how many both.

    Examples
    --------
    >>> Stated(concordant=2, target=3, predicted=4).union
    5
    """

    concordant: int
    target: int
    predicted: int

    @property
    def union(self) -> int:
        """The pairs that at least one of the two states."""
        return self.target + self.predicted - self.concordant


def count_stated(target: OrderLike, predicted: OrderLike, *, on: str) -> Stated:
    """Return how many ordered pairs two orders state, and how many of them alike.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    on : {"closure", "reduction", "given"}
        All that is said, the covers, or the edges of the graphs. Scores give all that they say.

    Examples
    --------
    >>> import networkx as nx
    >>> chain, closed = nx.DiGraph(["ab", "bc"]), nx.DiGraph(["ab", "bc", "ac"])
    >>> [tuple(count_stated(chain, closed, on=on)) for on in ("closure", "reduction", "given")]
    [(3, 3, 3), (2, 2, 2), (2, 2, 3)]

    Notes
    -----
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures; for covers and edges
    O(m log m).
    """
    if on not in _ON:
        raise PorankError(f"expected on to be one of {listed(_ON)}, found {on!r}")
    pairing = pair_up(target, predicted)
    if on == "closure":
        pairs = pairing.counts
        return Stated(pairs.concordant, pairs.target_pairs, pairs.predicted_pairs)
    keys = _covers if on == "reduction" else _edges
    first = keys(pairing.target, None)
    second = keys(pairing.predicted, pairing.turned)
    return Stated(np.intersect1d(first, second, assume_unique=True).size, first.size, second.size)


def _edges(order: Order, turned: Numbers | None) -> Numbers:
    """Return a number for each edge given, the same for the same pair of items of the target."""
    if order.source is None or order.target is None:
        refuse_large(order.count_pairs(), instead='on="closure" counts without writing pairs')
        source, target = np.nonzero(order.matrix())
    else:
        source, target = order.source, order.target
    return _keys(order, source, target, turned)


def _covers(order: Order, turned: Numbers | None) -> Numbers:
    """Return a number for each cover, the same for the same pair of items of the target."""
    if order.is_weak:
        refuse_large(order.count_layer_edges(), instead='on="closure" counts without writing pairs')
    relation = order.relation
    degree = np.array([len(covered) for covered in relation.covers], dtype=np.int64)
    lower = np.array([q for covered in relation.covers for q in covered], dtype=np.int64)
    source = np.repeat(relation.order, degree)
    return _keys(order, source, relation.order[lower], turned)


def _keys(order: Order, source: Numbers, target: Numbers, turned: Numbers | None) -> Numbers:
    n = len(order.items)
    if turned is None:
        return source * n + target
    in_target = inverse_of(turned)
    keys: Numbers = in_target[source] * n + in_target[target]
    return keys
