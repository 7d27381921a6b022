"""The places of the items and the courses of the edges of a Hasse diagram, as plain numbers.

`hasse_layout` returns a `HasseLayout`; `layout_of` returns one with less effort.

Idea: *put every item on a level, cut long edges into pieces between neighbouring levels, order the
nodes of each level with few crossings, and move them sideways until edges are short and straight*
[1]_.

References
----------
.. [1] K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
   structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981, pp. 109-125.
   https://doi.org/10.1109/TSMC.1981.4308636
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import generator_of, require_one_of
from porank.core.arrays import inverse_of
from porank.core.compiled_order import compile_order
from porank.core.graphs import numbers_in_order
from porank.core.tables import one_line
from porank.drawing.layout.components import placed_parts
from porank.drawing.layout.levels import LAYERINGS, tiers
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from porank.core.compiled_order import CompiledOrder
    from porank.drawing.layout.components import DiagramPart
    from porank.typing import Item, Numbers, OrderLike, Seed

    Places = NDArray[np.float64]


Place = tuple[float, float]

#: A diagram with more lines than this is black, and takes minutes.
_MOST_COVERS = 100_000


@dataclass(frozen=True, eq=False, repr=False)
class HasseLayout(Mapping["Item", Place]):
    """The layout of a Hasse diagram: a mapping item -> (x, y), and the courses of its edges.

    The best items are at the top: y falls by 1 from each level to the next, and is 0 on the lowest.
    Two items on a level are at least 1 apart, and no edge comes nearer than 0.36 to an item other
    than its ends. The diagram is centred: its least and its greatest x add up to 0.

    Attributes
    ----------
    places : dict
        The mapping itself: item -> (x, y).
    edges : list
        The covers (u, v): u is preferred to v, and no item is between them.
    bends : dict
        (u, v) -> [(x, y), ...]: the bends of edges that bend, from top to bottom.
    levels : list of list
        Items of each level from left to right, the highest level first.
    bounds : tuple
        Least x, least y, greatest x and greatest y of items and bends; zeros without items.
    crossings : int
        Number of crossings of edges drawn along their bends.

    See Also
    --------
    hasse_layout, draw_hasse

    Examples
    --------
    >>> import porank as po
    >>> layout = po.hasse_layout(po.parse("a > b > d; a > c > d"))
    >>> layout
    <HasseLayout: 4 items on 3 levels, 4 edges, 0 crossings>
    >>> dict(layout)
    {'a': (0.0, 2.0), 'b': (-0.5, 1.0), 'c': (0.5, 1.0), 'd': (0.0, 0.0)}
    >>> layout.levels, layout.bounds
    ([['a'], ['b', 'c'], ['d']], (-0.5, 0.0, 0.5, 2.0))
    """

    places: dict[Item, Place]
    edges: list[tuple[Item, Item]]
    bends: dict[tuple[Item, Item], list[Place]]
    levels: list[list[Item]]
    bounds: tuple[float, float, float, float]
    crossings: int

    def __getitem__(self, item: Item) -> Place:
        return self.places[item]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        size = f"{len(self)} items on {len(self.levels)} levels"
        return one_line(self, f"{size}, {len(self.edges)} edges, {self.crossings} crossings")

    def path(self, u: Item, v: Item) -> list[Place]:
        """Return the points of the edge from u to v, including both ends.

        Examples
        --------
        >>> import porank as po
        >>> po.hasse_layout(po.parse("a > b")).path("a", "b")
        [(0.0, 1.0), (0.0, 0.0)]
        """
        return [self.places[u], *self.bends.get((u, v), []), self.places[v]]


def hasse_layout(
    G: OrderLike,
    *,
    layering: str = "ranks",
    seed: Seed = 0,
) -> HasseLayout:
    """Return the layout of a Hasse diagram: the place of each item and the course of each edge.

    A Hasse diagram shows the covers of the order, the edges of its reduction. Each item is on a
    level, and preferred items are higher. The items of a level are ordered for few crossings, and
    an edge over more than one level runs around the items in between. Items of a level with the
    same lines up and down are sorted by type and name. Parts without an edge between them are side
    by side, the largest on the left.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Any graph between its reduction and its closure has the same layout.
    layering : str
        Level of an item: ``"ranks"``, its rank in `set_ranks`, the highest possible; ``"bottom"``,
        by the longest path down from it, the lowest possible; or ``"balanced"``, with a small total
        length of edges.
    seed : int, Generator or None
        Random seed of some initial orders.

    Returns
    -------
    HasseLayout
        A mapping item -> (x, y) with the attributes `edges`, `bends`, `levels`, `bounds` and
        `crossings`.

    Raises
    ------
    CycleError
        If `G` has a cycle; `condense` turns each strongly connected component into one node.
    PorankError
        If a level is missing or contradicts the order, or the diagram has more than 100,000 edges.

    See Also
    --------
    HasseLayout, draw_hasse

    Examples
    --------
    >>> import porank as po
    >>> layout = po.hasse_layout(po.parse("a > b > c > d; a > x > d"))
    >>> layout["a"], layout["d"]
    ((0.0, 3.0), (0.0, 0.0))
    >>> layout.bends
    {('x', 'd'): [(0.3125, 1.0)]}

    Notes
    -----
    Minimising crossings is NP-hard; this is the best of some hundreds of attempts, or of a few in
    large diagrams. Time O(n m_red / 64) for the covers; then, for N items and passed levels and at
    most w of them on a level, O(N w) for each attempt. A hundred items take some tenths of a
    second, a thousand some seconds. The layout does not depend on the order of insertion: where
    names must decide, such as between a picture and its mirror image, types and names do.

    References
    ----------
    .. [1] K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
       structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981, pp. 109-125.
       https://doi.org/10.1109/TSMC.1981.4308636
    """
    require_one_of(layering, LAYERINGS, name="layering")
    return layout_of(G, layering, seed=seed)


def layout_of(
    G: OrderLike,
    layering: Any = "ranks",
    *,
    seed: Seed = 0,
    share: float = 1.0,
    more: Iterable[tuple[Item, Item]] = (),
) -> HasseLayout:
    """Return the layout of `hasse_layout`, computed with a share of its effort.

    If more pairs of the order are given, they are edges, too.
    """
    rng = generator_of(seed)
    order = compile_order(G)
    sequence = numbers_in_order(order.items)
    items = [order.items[number] for number in sequence]
    number = inverse_of(np.array(sequence, dtype=np.int64))
    source, target = _covers(order, number, [(order.number[u], order.number[v]) for u, v in more])
    level = tiers(items, source, target, layering)
    parts = placed_parts(level, source, target, rng, share=share)
    return _named(items, level, (source, target), parts)


def _covers(
    order: CompiledOrder, number: Numbers, more: list[tuple[int, int]]
) -> tuple[Numbers, Numbers]:
    """Return the covers and the additional edges, by new numbers of the items, sorted."""
    n_covers = order.relation.count_covers()
    if n_covers > _MOST_COVERS:
        raise PorankError(
            f"expected at most {_MOST_COVERS:,} edges to lay out, found {n_covers:,}",
            hint="restrict(G, items) takes a part of the order, levels(G) lists it as text",
        )
    covers = np.column_stack(order.relation.cover_edges())
    edges = np.vstack([covers, np.array(more, dtype=covers.dtype).reshape(-1, 2)])
    source, target = np.unique(number[edges], axis=0).T
    return source, target


def _named(
    items: list[Item], level: Numbers, ends: tuple[Numbers, Numbers], parts: list[DiagramPart]
) -> HasseLayout:
    """Return the layout with items by name, the lowest level at 0."""
    lowest = int(level.max(initial=0))
    x = np.zeros(len(items))
    runs: dict[int, list[Place]] = {}
    for part in parts:
        x[part.items] = part.x[: part.items.size]
        runs.update(part.bends(lowest))
    edges = [(items[u], items[v]) for u, v in zip(*(end.tolist() for end in ends), strict=True)]
    heights = (lowest - level).astype(float)
    places = dict(zip(items, zip(x.tolist(), heights.tolist(), strict=True), strict=True))
    return HasseLayout(
        places=places,
        edges=edges,
        bends={edges[edge]: runs[edge] for edge in sorted(runs)},
        levels=_levels(items, level, x),
        bounds=_bounds([*places.values(), *(point for run in runs.values() for point in run)]),
        crossings=sum(part.crossings for part in parts),
    )


def _levels(items: list[Item], level: Numbers, x: Places) -> list[list[Item]]:
    """Return the items of each level from left to right, highest first."""
    levels: list[list[Item]] = [[] for _ in range(int(level.max(initial=-1)) + 1)]
    for number in np.argsort(x, kind="stable").tolist():
        levels[level[number]].append(items[number])
    return levels


def _bounds(points: list[Place]) -> tuple[float, float, float, float]:
    """Return the bounds of a layout: the least x and y, the greatest x and y."""
    if not points:
        return 0.0, 0.0, 0.0, 0.0
    across, up = zip(*points, strict=True)
    return min(across), min(up), max(across), max(up)
