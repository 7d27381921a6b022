"""How wide the lines of a diagram are, by an attribute of the edges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.errors import PorankError

if TYPE_CHECKING:
    from porank.drawing.groups import Boxes
    from porank.drawing.layout import HasseLayout
    from porank.typing import OrderLike

#: The width of the widest and of the thinnest line, in points.
_WIDEST, _THINNEST = 4.5, 0.3


class Widths(NamedTuple):
    """The width of each line in points, and what widths mean.

    Attributes
    ----------
    points : list of float
        In the sequence of the edges of the layout; none if all are alike.
    entries : list of tuple
        Widths and what a legend calls them.
    """

    points: list[float]
    entries: list[tuple[float, str]]


def line_widths(G: OrderLike, boxes: Boxes, layout: HasseLayout, width: str | None) -> Widths:
    """Return how wide the lines between the boxes are.

    Where several edges lead from one box to another, their mean counts.

    Parameters
    ----------
    G : DiGraph or scores
        What is drawn.
    boxes : Boxes
        Its boxes.
    layout : HasseLayout
        Where these stand.
    width : str or None
        The edge attribute to which widths are proportional; None for lines of one width.

    Examples
    --------
    >>> import porank as po
    >>> from porank.drawing.groups import boxed
    >>> G = po.from_matrix([[0, 3, 0], [0, 0, 1], [0, 0, 0]], items=list("abc"))
    >>> boxes = boxed(G)
    >>> line_widths(G, boxes, po.hasse_layout(G), "weight")
    Widths(points=[4.5, 1.5], entries=[(4.5, 'weight 3'), (1.5, 'weight 1')])

    Notes
    -----
    Time O(m).
    """
    if width is None:
        return Widths([], [])
    if not isinstance(width, str):
        raise PorankError(f"expected an edge attribute as width, found {width!r:.80}")
    if not isinstance(G, nx.Graph):
        raise PorankError(
            f"expected a graph whose edges have the attribute {width!r}, found scores, which have "
            "no edges"
        )
    values = [_mean(found) for found in _values(G, boxes, layout, width)]
    largest = max(values, default=0.0)
    scale = _WIDEST / largest if largest else 0.0
    points = [max(_THINNEST, scale * value) for value in values]
    ends = sorted({(max(_THINNEST, scale * value), value) for value in values}, reverse=True)
    shown = ends if len(ends) < 3 else [ends[0], ends[-1]]
    return Widths(points, [(one, f"{width} {value:.4g}") for one, value in shown])


def _values(G: nx.DiGraph, boxes: Boxes, layout: HasseLayout, width: str) -> list[list[float]]:
    """Return for each line what the edges between its two boxes have."""
    found: dict[tuple[Any, Any], list[float]] = {edge: [] for edge in layout.edges}
    for u, v, value in G.edges(data=width):
        edge = boxes.box[u], boxes.box[v]
        if edge in found:
            found[edge].append(_number(value, u, v, width))
    return list(found.values())


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _number(value: Any, u: Any, v: Any, width: str) -> float:
    try:
        is_valid = not isinstance(value, str) and 0 <= float(value) < math.inf
    except (TypeError, ValueError, ArithmeticError):
        is_valid = False
    if not is_valid:
        shown = "none" if value is None else f"{value!r:.80}"
        raise PorankError(
            f"expected a finite number from 0 on as {width!r} of every edge drawn, found {shown} "
            f"at {u!r} -> {v!r}"
        )
    return float(value)
