"""The places of the items and the courses of the edges of a Hasse diagram, as plain numbers.

`hasse_layout` returns a `HasseLayout`; `layout_of` returns one with less effort. Of the forms of a
diagram, with and without junctions, the one with fewer crossings is placed.

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
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, count, product
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import generator_of
from porank.core.arrays import longest_path_levels, members_of_levels
from porank.core.compiled_order import compile_order
from porank.core.tables import one_line
from porank.drawing.boxes import list_key, require_few
from porank.drawing.layout.components import placed_parts, sequenced_parts
from porank.drawing.layout.junctions import Junction, between_items, form_with_junctions
from porank.drawing.layout.levels import plain_form
from porank.errors import PorankError, counted, quoted
from porank.orders.closure import transitive_closure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from porank.drawing.layout.components import DiagramPart
    from porank.drawing.layout.junctions import Place
    from porank.drawing.layout.levels import Form
    from porank.typing import Item, OrderLike, Seed


#: A diagram with more lines than this is black, and takes minutes.
_MOST_COVERS = 100_000
_RESTRICT = "restrict(G, items) takes a part of the order, levels(G) lists it as text"
#: Junctions in larger diagrams must be asked for: with so many items, they are not seen either.
#: With so many times as many pieces of edges there are not fewer crossings. Share of the effort.
_MOST_IN_AUTO, _MOST_PIECES, _LED = 300, 4, 0.3
#: Maximum number of junctions for each item among items that stay where they are: bows cross more.
_MOST_KEPT = 8


@dataclass(frozen=True, eq=False, repr=False)
class HasseLayout(Mapping["Item", "Place"]):
    """The layout of a Hasse diagram: a mapping item -> (x, y), and the courses of its edges.

    The best items are at the top: y falls by 1 from each level to the next, by more where junctions
    are between them, and is 0 on the lowest. Two items on a level are at least 1 apart, and no edge
    comes nearer than 0.36 to an item other than its ends. The diagram is centred: its least and its
    greatest x add up to 0.

    Attributes
    ----------
    places : dict
        The mapping itself: item -> (x, y).
    edges : list
        The edges (u, v) drawn, between items and junctions: u is preferred to v if and only if
        edges lead down from u to v. Without junctions they are the covers.
    bends : dict
        (u, v) -> [(x, y), ...]: the bends of edges that bend, from top to bottom.
    junctions : dict
        The place of each junction, which joins all items above it to all items below it.
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
    junctions: dict[Junction, Place] = field(default_factory=dict)

    def __getitem__(self, item: Item) -> Place:
        return self.places[item]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        size = f"{len(self)} items on {len(self.levels)} levels, {len(self.edges)} edges"
        led = f", {counted(len(self.junctions), 'junction')}" if self.junctions else ""
        return one_line(self, f"{size}{led}, {self.crossings} crossings")

    def path(self, u: Item, v: Item) -> list[Place]:
        """Return the points of the edge from u to v, including both ends.

        Examples
        --------
        >>> import porank as po
        >>> po.hasse_layout(po.parse("a > b")).path("a", "b")
        [(0.0, 1.0), (0.0, 0.0)]
        """
        start, end = ((self.places | self.junctions)[node] for node in (u, v))
        return [start, *self.bends.get((u, v), []), end]


def hasse_layout(G: OrderLike, *, junctions: bool | str = "auto", seed: Seed = 0) -> HasseLayout:
    """Return the layout of a Hasse diagram: the place of each item and the course of each edge.

    A Hasse diagram shows the covers of the order, the edges of its reduction. Each item is on the
    level of its rank in `set_ranks`, so preferred items are higher. Items of a level are ordered
    for few crossings, and an edge over more than one level runs around the items in between. Items
    of a level with the same lines up and down are sorted by type and name. Parts without an edge
    between them are side by side, the largest on the left.

    In a dense diagram edges may be led through *junctions*: all items above a junction are
    preferred to all items below it. So there are fewer edges and fewer crossings, none at all for
    orders of dimension 2 [2]_.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Any graph between its reduction and its closure has the same layout.
    junctions : bool or "auto"
        Whether to lead edges through junctions: ``"auto"``, if that has fewer crossings, and there
        are at most 300 items and four junctions for each item.
    seed : int, Generator or None
        Random seed of the attempts.

    Returns
    -------
    HasseLayout
        A mapping item -> (x, y) with the attributes `edges`, `bends`, `levels`, `bounds`,
        `crossings` and `junctions`.

    Raises
    ------
    CycleError
        If `G` has a cycle; `condense` turns each strongly connected component into one node.
    PorankError
        If an option is unknown, the diagram has more than 100,000 edges, or there are too many
        junctions for ``junctions=True``.

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
    >>> bundle = po.from_pairs([(u, v) for u in "abc" for v in "xyz"])
    >>> po.hasse_layout(bundle), po.hasse_layout(bundle, junctions=False)
    (<HasseLayout: 6 items on 2 levels, 6 edges, 1 junction, 0 crossings>,
     <HasseLayout: 6 items on 2 levels, 9 edges, 9 crossings>)

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
    .. [2] D. Eppstein, J. A. Simons, "Confluent Hasse diagrams", Journal of Graph Algorithms and
       Applications 17(7), 2013, pp. 689-710. https://doi.org/10.7155/jgaa.00312
    """
    require_junctions(junctions)
    return layout_of(G, junctions=junctions, seed=seed)


def require_junctions(junctions: Any) -> None:
    """Raise an error unless the option for junctions is known."""
    if not any(junctions is choice for choice in (True, False)) and junctions != "auto":
        found = f"found {quoted(junctions):.100}"
        raise PorankError(f"expected junctions to be True, False or 'auto', {found}")


def pairs_along(layout: HasseLayout) -> dict[tuple[Any, Any], list[tuple[Item, Item]]]:
    """Return for each edge the pairs of items that it joins, past no other item."""
    drawn = nx.DiGraph(layout.edges)
    above: dict[Any, list[Item]] = {item: [item] for item in layout}
    below = above.copy()
    # The numbers of junctions lead down.
    for dot in layout.junctions:
        above[dot] = [*dict.fromkeys(chain.from_iterable(above[u] for u in drawn.pred[dot]))]
    for dot in reversed(layout.junctions):
        below[dot] = [*dict.fromkeys(chain.from_iterable(below[v] for v in drawn.succ[dot]))]
    return {(u, v): [*product(above[u], below[v])] for u, v in layout.edges}


def layout_of(
    G: OrderLike,
    *,
    level: Mapping[Item, int] | None = None,
    seed: Seed = 0,
    more: Iterable[tuple[Item, Item]] = (),
    junctions: bool | str = False,
) -> HasseLayout:
    """Return the layout of `hasse_layout`, or one on other levels.

    If more pairs of the order are given, they are edges, too, unless there are junctions.
    """
    items, plain = _plain_form(G, more, level)
    numbers = (each.astype(np.int64).tobytes() for each in plain[1:4])
    place = _placed if type(seed) is int else _placed.__wrapped__
    return _named(items, *place(*numbers, junctions, seed))


#: Pictures and the page of an order have the same layout, which is found once.
@lru_cache(maxsize=4)
def _placed(
    level: bytes, source: bytes, target: bytes, junctions: bool | str, seed: Seed
) -> tuple[Form, list[DiagramPart]]:
    """Return the best form of a diagram, and its components with their places."""
    plain = plain_form(*(np.frombuffer(each, np.int64) for each in (level, source, target)))
    form, parts = _best_form(plain, junctions, generator_of(seed))
    # A larger form takes about the same time.
    share = min(1.0, (plain.pieces / max(form.pieces, 1)) ** 3)
    return form, placed_parts(parts, share=share)


def in_places(layout: HasseLayout, G: OrderLike) -> tuple[HasseLayout, list[tuple[Item, Item]]]:
    """Return the lines of an order at the places that its items have in the layout of another.

    If it contains the other one, all lines stay; otherwise they lead through junctions of its own.
    Further covers are returned, too; they may lead upwards.
    """
    order, (items, form) = compile_order(G), _plain_form(G)
    joined = [*chain.from_iterable(pairs_along(layout).values())]
    covers = [(items[u], items[v]) for u, v in zip(form.source, form.target, strict=True)]
    matrix, number = order.matrix(), order.number
    if all(matrix[number[u], number[v]] for u, v in joined):
        known = {*transitive_closure(nx.DiGraph(joined)).edges}
        return layout, [edge for edge in covers if edge not in known]
    led = form_with_junctions(form, _MOST_KEPT) if form.items <= _MOST_IN_AUTO else None
    spots = led and between_items(led, [layout[item] for item in items])
    dots = dict(zip(map(Junction, count()), spots or (), strict=False))
    if led and dots:
        nodes = [*items, *dots]
        covers = [(nodes[u], nodes[v]) for u, v in zip(led.source, led.target, strict=True)]
    # The junctions of both layouts have the same names.
    known = {(u, v) for u, v in layout.edges if u in layout and v in layout}
    kept = [(u, v) for u, v in covers if (u, v) in known or u in dots or v in dots]
    bends = {edge: layout.bends[edge] for edge in kept if edge in known and edge in layout.bends}
    beyond = [edge for edge in covers if edge not in {*kept}]
    return replace(layout, edges=kept, bends=bends, junctions=dots), beyond


def _plain_form(
    G: OrderLike, more: Iterable[tuple[Item, Item]] = (), level: Mapping[Item, int] | None = None
) -> tuple[list[Item], Form]:
    """Return the items of an order, sorted, and the form of its diagram without junctions."""
    order = compile_order(G)
    require_few(order.relation.count_covers(), _MOST_COVERS, "edges to lay out", _RESTRICT)
    items = sorted(order.items, key=list_key)
    place = {item: k for k, item in enumerate(items)}
    number = np.array([place[item] for item in order.items], dtype=np.int64)
    covers = number[np.column_stack(order.relation.cover_edges())]
    added = np.array([(place[u], place[v]) for u, v in more], dtype=np.int64).reshape(-1, 2)
    source, target = np.unique(np.concatenate((covers, added)), axis=0).T
    levels = longest_path_levels(len(items), source, target)
    if level is not None:
        levels = np.unique([level[item] for item in items], return_inverse=True)[1]
    assert levels is not None
    return items, plain_form(levels, source, target)


def _best_form(
    plain: Form, junctions: bool | str, rng: np.random.Generator
) -> tuple[Form, list[DiagramPart]]:
    """Return the form of a diagram to draw, and its components with few crossings."""
    if junctions is True:
        led = form_with_junctions(plain)
        if led is None:
            raise PorankError(
                "expected at most four junctions for each item, found more",
                hint="junctions='auto' draws such an order without them",
            )
        return led, sequenced_parts(led, rng)
    parts = sequenced_parts(plain, rng)
    crossings = sum(part.crossings for part in parts)
    if not crossings or not junctions or plain.items > _MOST_IN_AUTO:
        return plain, parts
    led = form_with_junctions(plain)
    if led is None or (led.realizer is None and led.pieces > _MOST_PIECES * plain.pieces):
        return plain, parts
    share = _LED * min(1, plain.pieces / led.pieces) ** 2
    led_parts = sequenced_parts(led, rng, share=share)
    fewer = sum(part.crossings for part in led_parts) < crossings
    return (led, led_parts) if fewer else (plain, parts)


def _named(items: list[Item], form: Form, parts: list[DiagramPart]) -> HasseLayout:
    """Return the layout with items by name, the lowest level at 0."""
    n, lowest = form.items, float(form.spacing.down.max(initial=0))
    x = np.zeros(form.level.size)
    runs: dict[int, list[Place]] = {}
    for part in parts:
        x[part.items] = part.x[: part.items.size]
        runs.update(part.bends(lowest))
    nodes: list[Any] = [*items, *map(Junction, range(form.level.size - n))]
    ends = form.source.tolist(), form.target.tolist()
    edges = [(nodes[u], nodes[v]) for u, v in zip(*ends, strict=True)]
    heights = lowest - form.spacing.down[form.level]
    found = [*zip(x.tolist(), heights.tolist(), strict=True)]
    points = [*found, *chain.from_iterable(runs.values())]
    across, up = zip(*points, strict=True) if points else ((0.0,), (0.0,))
    return HasseLayout(
        places=dict(zip(items, found[:n], strict=True)),
        edges=edges,
        bends={edges[edge]: runs[edge] for edge in sorted(runs)},
        levels=[
            [items[k] for k in sorted(own.tolist(), key=x.__getitem__)]
            for own in members_of_levels(form.level[:n])
            if own.size
        ],
        bounds=(min(across), min(up), max(across), max(up)),
        crossings=sum(part.crossings for part in parts),
        junctions=dict(zip(nodes[n:], found[n:], strict=True)),
    )
