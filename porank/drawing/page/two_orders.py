"""Two orders as a page to play with: drag an item of the prediction, and every number follows.

The page holds both orders as their pairs, and counts by itself; what it shows are the same numbers
as `pair_table` and the measures give.

`write_comparison_page`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.core.files import write_text
from porank.drawing.layout.hasse import hasse_layout
from porank.drawing.page.page import fill_page, require_page
from porank.drawing.page.scenes import page_labels, plain_label
from porank.errors import PorankError, counted
from porank.measures.pair_table import pair_up
from porank.orders.closure import transitive_closure
from porank.orders.ranks import levels

if TYPE_CHECKING:
    import networkx as nx

    from porank.typing import OrderLike

#: Of more items nobody drags one with the hand.
_MOST_ITEMS = 60


def write_comparison_page(
    target: OrderLike, predicted: OrderLike, path: Any, *, title: str = ""
) -> None:
    """Write an interactive page of two orders: drag an item, and every measure follows.

    The target stands still as a Hasse diagram, the prediction as rows, best on top. An item that is
    dragged to a row is tied with it, between two rows it gets one of its own, and at the bottom it
    is left open; it is then compared with all others by the rows, and what follows is added. The
    five counts of pairs and the measures made of them are shown with their formulas filled in.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items, 60 at most.
    path : path or open file
        Where to write. A file that is there is replaced when the new one is whole.
    title : str, optional
        What stands on top; by default how many items there are.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` fixes it.
    PorankError
        If the path is empty or there are more than 60 items.

    See Also
    --------
    write_page, draw_comparison, pair_table, compare

    Examples
    --------
    >>> import io
    >>> import porank as po
    >>> file = io.StringIO()
    >>> po.write_comparison_page(*po.load_example("table1"), file, title="Table 1")
    >>> "<title>Table 1" in file.getvalue()
    True

    Notes
    -----
    Time O(n**2) for n items, and that of `hasse_layout`. The file needs nothing else, no network.
    """
    require_page(path, title)
    n = pair_up(target, predicted).n
    if n > _MOST_ITEMS:
        raise PorankError(f"expected at most {_MOST_ITEMS} items to drag, found {n}")
    heading = plain_label(title) or f"Two orders of {counted(n, 'item')}"
    data = _data(transitive_closure(target), transitive_closure(predicted))
    styles = {"": ["colors.css", "two_orders.css"]}
    write_text(fill_page("two_orders.html", ["two_orders"], styles, data, title=heading), path)


def _data(target: nx.DiGraph, predicted: nx.DiGraph) -> dict[str, Any]:
    """Return what the page of two closed orders is made of, its items as numbers."""
    items = sorted(target, key=lambda item: (plain_label(item), str(type(item))))
    number = {item: place for place, item in enumerate(items)}
    layout = hasse_layout(target)
    is_open = {item for item in items if not (predicted.pred[item] or predicted.succ[item])}
    return {
        "items": page_labels(items),
        "target": _numbered(target, number),
        "predicted": _numbered(predicted, number),
        "rows": [
            row
            for level in levels(predicted)
            if (row := sorted(number[item] for item in level if item not in is_open))
        ],
        "open": sorted(map(number.__getitem__, is_open)),
        "places": [layout[item] for item in items],
        "lines": sorted(
            [number[u], number[v], [layout[u], *layout.bends.get((u, v), ()), layout[v]]]
            for u, v in layout.edges
        ),
    }


def _numbered(G: nx.DiGraph, number: dict[Any, int]) -> list[tuple[int, int]]:
    """Return the edges of a graph as pairs of numbers, sorted."""
    return sorted((number[u], number[v]) for u, v in G.edges)
