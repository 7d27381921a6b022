"""What a page shows at one stop of its slider: the boxes of an order, their places, their lines.

A scene is plain data for JSON, with items as numbers, so that many of them fit into one file. The
page itself follows the lines to find what stands above and below an item.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from porank.core.compiled_order import compile_order
from porank.drawing.groups import boxed
from porank.drawing.layout import hasse_layout, quick_layout
from porank.drawing.rooms import rooms
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from porank.drawing.layout import HasseLayout
    from porank.typing import Item, OrderLike

#: A diagram of more boxes or lines cannot be read, and a browser takes long to draw it.
_MOST_ITEMS, _MOST_LINES = 5_000, 20_000


def require_drawable(n_items: int) -> None:
    """Raise an error if there are too many items for a page.

    Examples
    --------
    >>> require_drawable(5_001)
    Traceback (most recent call last):
    porank.errors.PorankError: expected at most 5,000 items on a page, found 5,001;
    restrict(G, items) takes a part of an order
    """
    if n_items > _MOST_ITEMS:
        raise PorankError(
            f"expected at most {_MOST_ITEMS:,} items on a page, found {n_items:,}; "
            "restrict(G, items) takes a part of an order"
        )


def scene_of(
    G: OrderLike, number: Mapping[Item, int], *, share: float = 1.0, progress: bool = False
) -> dict[str, Any]:
    """Return the scene of a graph or of scores, with the boxes that `draw_hasse` draws.

    A scene that is one of many has a share of the effort that makes lines cross seldom.

    Examples
    --------
    >>> import porank as po
    >>> scene = scene_of(po.parse("a > b ~ c"), {"a": 0, "b": 1, "c": 2})
    >>> scene["boxes"], scene["kinds"], scene["lines"]
    ([[0], [1, 2]], ['item', 'tie'], [0, 1])
    >>> scene["x"], scene["y"], scene["bends"]
    ([0, 0], [1, 0], {})
    """
    boxes = boxed(G)
    require_few_lines(boxes.graph)
    if share < 1:
        layout = quick_layout(boxes.graph, share=share)
    else:
        layout = hasse_layout(boxes.graph, progress=progress)
    names = sorted(boxes.members, key=lambda box: number[boxes.members[box][0]])
    members = [[number[item] for item in boxes.members[box]] for box in names]
    return _scene(layout, names, members, [boxes.kind[box] for box in names])


def target_scene(
    G: OrderLike, number: Mapping[Item, int], *, progress: bool = False
) -> dict[str, Any]:
    """Return the scene of a target, a box for each item, as `draw_comparison` draws it.

    Examples
    --------
    >>> import porank as po
    >>> target_scene(po.parse("a > b ~ c"), {"a": 0, "b": 1, "c": 2})["boxes"]
    [[0], [1], [2]]
    """
    require_few_lines(G)
    names = sorted(number, key=lambda item: number[item])
    layout = hasse_layout(G, progress=progress)
    return _scene(layout, names, [[k] for k in range(len(names))], ["item"] * len(names))


def require_few_lines(G: OrderLike) -> None:
    """Raise an error if the Hasse diagram of an order has too many lines for a page.

    Examples
    --------
    >>> import porank as po
    >>> require_few_lines({number: number % 2 for number in range(400)})
    Traceback (most recent call last):
    porank.errors.PorankError: expected at most 20,000 lines on a page, found 40,000;
    restrict(G, items) takes a part of an order
    """
    order = compile_order(G)
    n_lines = order.count_layer_edges() if order.is_weak else order.relation.count_covers()
    if n_lines > _MOST_LINES:
        raise PorankError(
            f"expected at most {_MOST_LINES:,} lines on a page, found {n_lines:,}; "
            "restrict(G, items) takes a part of an order"
        )


def _scene(
    layout: HasseLayout, names: list[Any], members: list[list[int]], kinds: list[str]
) -> dict[str, Any]:
    """Return the layout as lists, the boxes in the sequence of their names here."""
    place = {name: k for k, name in enumerate(names)}
    room = rooms(layout)
    lines = sorted(((place[u], place[v], u, v) for u, v in layout.edges), key=lambda line: line[:2])
    return {
        "boxes": members,
        "kinds": kinds,
        "x": [_short(layout[name][0]) for name in names],
        "y": [_short(layout[name][1]) for name in names],
        "rooms": [_short(room[name]) for name in names],
        "lines": [end for line in lines for end in line[:2]],
        "bends": {
            str(k): [_short(number) for point in layout.bends[u, v] for number in point]
            for k, (_, _, u, v) in enumerate(lines)
            if (u, v) in layout.bends
        },
    }


@lru_cache(maxsize=1 << 16)
def _short(value: float) -> float:
    """Return the number with three decimals at the most, whole if it is."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded
