"""Which lines a diagram of two orders has: the covers of either, each in the class of its pair."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.graphs import item_key
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.core.compiled_order import Order
    from porank.drawing.layout import HasseLayout
    from porank.measures.pair_table import Pairing
    from porank.typing import Item

#: A diagram of more lines is black.
_MOST_LINES = 20_000
#: How far two diagrams stand apart, in units of the layout.
_APART = 1.5


class Line(NamedTuple):
    """A line between two items.

    Attributes
    ----------
    better, worse : item
        As the target has it; as the prediction has it where the target is silent.
    kind : str
        The class of the pair, as in `pair_classes`.
    in_target, in_predicted : bool
        Whether it is a cover of the one and of the other.
    """

    better: Item
    worse: Item
    kind: str
    in_target: bool
    in_predicted: bool

    @property
    def arrow(self) -> tuple[Item, Item] | None:
        """From where to where the prediction leads against the target, or without it."""
        if self.kind == "predicted_only":
            return self.better, self.worse
        return (self.worse, self.better) if self.kind == "discordant" else None


def drawn_lines(pairing: Pairing) -> list[Line]:
    """Return a line for each pair that is a cover in one of two orders, or in both.

    Examples
    --------
    >>> import porank as po
    >>> from porank.measures.pair_table import pair_up
    >>> for line in drawn_lines(pair_up(po.parse("a > b > c"), po.parse("b > a; c"))):
    ...     print(*line)
    a b discordant True True
    b c target_only True False

    Notes
    -----
    Time and memory O(n**2) beyond the closures.
    """
    items = pairing.target.items
    truth, guess = pairing.target.matrix(), pairing.predicted.matrix()
    turned = range(pairing.n) if pairing.turned is None else pairing.turned.tolist()
    number = {there: here for here, there in enumerate(turned)}
    covers: dict[tuple[int, int], list[bool]] = {}
    for i, j in _covers(pairing.target):
        covers[i, j] = [True, False]
    for k, m in _covers(pairing.predicted):
        i, j = number[k], number[m]
        pair = (j, i) if truth[j, i] else (i, j)
        covers.setdefault(pair, [False, False])[1] = True
    _require_few(len(covers))
    lines = []
    for (i, j), sides in covers.items():
        agrees, opposes = guess[turned[i], turned[j]], guess[turned[j], turned[i]]
        kind = "concordant" if agrees else "discordant" if opposes else "target_only"
        kind = kind if truth[i, j] else "predicted_only"
        lines.append(Line(items[i], items[j], kind, *sides))
    return sorted(lines, key=lambda line: (item_key(line.better), item_key(line.worse)))


def _covers(order: Order) -> Iterator[tuple[int, int]]:
    n_covers = order.count_layer_edges() if order.is_weak else order.relation.count_covers()
    _require_few(n_covers)
    for i, row in enumerate(order.relation.reduced_rows()):
        for j in row:
            yield i, j


def _require_few(n_lines: int) -> None:
    if n_lines > _MOST_LINES:
        raise PorankError(
            f"expected at most {_MOST_LINES:,} lines to compare two orders by, found {n_lines:,}; "
            "restrict(G, items) takes a part of an order, draw_pair_matrix shows all pairs"
        )


def doubled(layout: HasseLayout) -> HasseLayout:
    """Return the layout twice, side by side: an item has the names (0, item) and (1, item).

    Examples
    --------
    >>> import porank as po
    >>> twice = doubled(po.hasse_layout(po.parse("a > b")))
    >>> dict(twice)
    {(0, 'a'): (-0.75, 1.0), (0, 'b'): (-0.75, 0.0), (1, 'a'): (0.75, 1.0), (1, 'b'): (0.75, 0.0)}
    """
    left, low, right, high = layout.bounds
    move = (right - left + _APART) / 2
    moves = ((0, -move), (1, move))
    places: dict[Any, Any] = {
        (side, item): (x + by, y) for side, by in moves for item, (x, y) in layout.items()
    }
    bends: dict[Any, Any] = {
        ((side, u), (side, v)): [(x + by, y) for x, y in run]
        for side, by in moves
        for (u, v), run in layout.bends.items()
    }
    return replace(
        layout,
        places=places,
        edges=[((side, u), (side, v)) for side, _ in moves for u, v in layout.edges],
        bends=bends,
        levels=[[(side, item) for side, _ in moves for item in level] for level in layout.levels],
        bounds=(left - move, low, right + move, high) if layout else layout.bounds,
    )
