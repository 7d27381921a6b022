"""How wide the boxes of a diagram may be, so that they meet neither each other nor a foreign line.

Idea: *look at the strip that the height of a box takes up, and measure how near the lines come in
it; a line that begins or ends at a neighbour may cut a corner, too.*
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.drawing.runs import softened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.drawing.layout import HasseLayout


class Rooms:
    """How much room there is round the items of a layout, in its units.

    Attributes
    ----------
    layout : HasseLayout
        Where the items stand.
    between : dict
        item -> how wide a box may be without meeting another box or the end of the layout.

    Examples
    --------
    >>> import porank as po
    >>> Rooms(po.hasse_layout(po.parse("a > b > d; a > c > d"))).between
    {'a': 2.0, 'b': 1.0, 'c': 1.0, 'd': 2.0}

    Notes
    -----
    Time O(n + m) for n items and m pieces of lines.
    """

    def __init__(self, layout: HasseLayout) -> None:
        self.layout = layout
        self.between = _between(layout)
        self._number = {item: number for number, item in enumerate(layout)}
        upper, lower, ends = [np.empty((0, 2))], [np.empty((0, 2))], [np.empty((0, 2), dtype=int)]
        for edges in _by_bends(layout):
            numbers = [number for u, v in edges for point in layout.path(u, v) for number in point]
            runs = softened(np.array(numbers).reshape(len(edges), -1, 2))
            upper.append(runs[:, :-1].reshape(-1, 2))
            lower.append(runs[:, 1:].reshape(-1, 2))
            both = np.array([(self._number[u], self._number[v]) for u, v in edges])
            ends.append(np.repeat(both, runs.shape[1] - 1, axis=0))
        self._upper, self._lower = np.concatenate(upper), np.concatenate(lower)
        self._ends = np.concatenate(ends)

    def beside_lines(self, half: float) -> dict[Any, float]:
        """Return how wide boxes may be that reach so far up and down, without meeting a line.

        Examples
        --------
        >>> import porank as po
        >>> layout = po.hasse_layout(po.parse("a > b > c > d; a > x > d; b > y; x > y"))
        >>> found = Rooms(layout)
        >>> flat, high = found.beside_lines(0), found.beside_lines(0.36)
        >>> all(high[item] <= flat[item] <= found.between[item] for item in layout)
        True

        Notes
        -----
        Time O(n m) at worst for n items and m pieces, those of one level at a time.
        """
        found: dict[Any, float] = {}
        highest = len(self.layout.levels) - 1
        for depth, items in enumerate(self.layout.levels):
            left, right, ends = self._strip(highest - depth, half)
            for item in items:
                x = self.layout[item][0]
                gaps = np.maximum(np.maximum(left - x, x - right), 0.0)
                foreign = gaps[np.all(ends != self._number[item], axis=1)]
                found[item] = min(self.between[item], 2 * float(foreign.min(initial=np.inf)))
        return found

    def _strip(self, y: float, half: float) -> tuple[Any, Any, Any]:
        """Return from where to where the pieces run that pass the strip, and between whom."""
        passes = (self._lower[:, 1] <= y + half) & (self._upper[:, 1] >= y - half)
        (x0, y0), (x1, y1) = self._lower[passes].T, self._upper[passes].T
        slope = (x1 - x0) / np.where(y1 > y0, y1 - y0, 1.0)
        one = x0 + slope * (np.maximum(y0, y - half) - y0)
        other = x0 + slope * (np.minimum(y1, y + half) - y0)
        return np.minimum(one, other), np.maximum(one, other), self._ends[passes]


def _by_bends(layout: HasseLayout) -> Iterable[list[tuple[Any, Any]]]:
    """Return the edges in groups, one for each number of bends."""
    groups: dict[int, list[tuple[Any, Any]]] = {}
    for edge in layout.edges:
        groups.setdefault(len(layout.bends.get(edge, ())), []).append(edge)
    return groups.values()


def _between(layout: HasseLayout) -> dict[Any, float]:
    """Return twice the distance of each item to the middle between it and the next, or the end."""
    left, _, right, _ = layout.bounds
    found: dict[Any, float] = {}
    for items in layout.levels:
        x = [layout[item][0] for item in items]
        gaps = [there - here for here, there in pairwise(x)]
        before = [2 * (x[0] - left) + 1, *gaps] if x else []
        after = [*gaps, 2 * (right - x[-1]) + 1] if x else []
        found |= dict(zip(items, map(min, before, after), strict=True))
    return found


def rooms(layout: HasseLayout, *, half: float = 0.0) -> dict[Any, float]:
    """Return how wide a box may be, in units of the layout, without meeting a box or a line.

    Parameters
    ----------
    layout : HasseLayout
        Where the boxes stand.
    half : float
        Half the height of a box, in units of the layout.

    Examples
    --------
    >>> import porank as po
    >>> rooms(po.hasse_layout(po.parse("a > b > d; a > c > d")))
    {'a': 2.0, 'b': 1.0, 'c': 1.0, 'd': 2.0}
    """
    return Rooms(layout).beside_lines(half)
