"""Which diagrams are drawn: those that take no longer than a minute or so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porank.errors import PorankError

if TYPE_CHECKING:
    from porank.typing import OrderLike

#: So many boxes, and so many lines between them, take about a minute.
_MOST_BOXES, _MOST_LINES = 3_000, 20_000


def require_quick_diagram(order: OrderLike) -> None:
    """Raise an error if the diagram of an order has too many boxes or lines for a minute.

    Examples
    --------
    >>> require_quick_diagram({number: number for number in range(3_001)})
    Traceback (most recent call last):
    porank.errors.PorankError: expected at most 3,000 boxes in the diagram, found 3,001; porank
    hasse --large draws it all the same, and porank ranks tells where each item stands
    """
    from porank.core.compiled_order import compile_order
    from porank.drawing.boxes import boxed

    boxes = boxed(order).graph
    _require("boxes", len(boxes), _MOST_BOXES)
    lines = sum(len(row) for row in compile_order(boxes).relation.reduced_rows())
    _require("lines", lines, _MOST_LINES)


def _require(what: str, number: int, most: int) -> None:
    if number > most:
        raise PorankError(
            f"expected at most {most:,} {what} in the diagram, found {number:,}; porank hasse "
            "--large draws it all the same, and porank ranks tells where each item stands"
        )
