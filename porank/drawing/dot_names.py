"""Names at dots, where there is no room for boxes: every k-th, or those that are asked for."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.drawing.texts import shortened, width_of
from porank.drawing.words import LINE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from numpy.typing import NDArray

    from porank.drawing.layout import HasseLayout, Place
    from porank.drawing.words import Words

#: The size of names at dots, and the longest of them, in points.
DOTTED, _BESIDE = 6.0, 60.0
#: The dot of an item without a box is that part of the distance of items, and at most so large.
_DOT, LARGEST_DOT = 0.45, 5.5


class DotNames(NamedTuple):
    """Which dots have a name.

    Attributes
    ----------
    texts : dict
        box -> name.
    note : str
        Which have one, if not all have.
    is_beside : bool
        Whether they stand beside the dots, to the right; else they stand above them.
    at_left : frozenset
        Those that stand to the left.
    """

    texts: dict[Any, str]
    note: str
    is_beside: bool
    at_left: frozenset[Any] = frozenset()


def dot_size(scale: Place) -> float:
    """Return the width of a dot, in points, where a unit is so many points wide and high.

    Examples
    --------
    >>> dot_size((100, 30)), dot_size((4, 30)), dot_size((1, 30))
    (5.5, 1.8, 1.5)
    """
    return min(LARGEST_DOT, max(1.5, _DOT * min(scale)))


def names_at_dots(
    layout: HasseLayout, words: Mapping[Any, Words], first: Collection[Any], scale: Place
) -> DotNames:
    """Return the names of some dots, a unit of the layout being so many points wide and high.

    Parameters
    ----------
    layout : HasseLayout
        Where the dots stand.
    words : mapping
        What they are called.
    first : collection
        The only ones to name; if there are none, one in k on one level in j.
    scale : tuple of float
        How many points a unit of the layout is wide and high.

    Examples
    --------
    >>> import porank as po
    >>> from porank.drawing.words import Words
    >>> layout = po.hasse_layout(po.chain(4))
    >>> words = {item: Words([f"item {item}"], " ") for item in range(4)}
    >>> found = names_at_dots(layout, words, [], (20, 6))
    >>> found.texts, found.note, found.is_beside
    ({0: 'item 0', 2: 'item 2'}, '1 level in 2', True)
    >>> names_at_dots(layout, words, {0, 3}, (20, 6)).texts
    {0: 'item 0', 3: 'item 3'}

    Notes
    -----
    Time O(n + m), O(k (n + m)) for k dots to name first.
    """
    return _chosen(layout, words, first, scale) if first else _thinned(layout, words, *scale)


def _thinned(layout: HasseLayout, words: Mapping[Any, Words], across: float, up: float) -> DotNames:
    """Return names for one item in k on one level in j, both as small as can be."""
    j = min(max(1, ceil((LINE * DOTTED + 4) / max(up, 1e-9))), max(len(layout.levels), 1))
    levels = layout.levels[::j]
    names = {
        box: shortened(words[box].text, size=DOTTED, longest=_BESIDE)
        for items in levels
        for box in items
    }
    half = {box: width_of(name, size=DOTTED) / 2 + 1.5 for box, name in names.items()}
    k = 1
    while not all(
        half[one] + half[other] <= (layout[other][0] - layout[one][0]) * across
        for items in levels
        for one, other in pairwise(items[::k])
    ):
        k += 1
    note = f"1 item in {k}" if k > 1 else ""
    note += (", " if k > 1 and j > 1 else "") + (f"1 level in {j}" if j > 1 else "")
    chosen = {box: names[box] for items in levels for box in items[::k]}
    return DotNames(chosen, note, _fits_beside(layout, chosen, across))


def _chosen(
    layout: HasseLayout, words: Mapping[Any, Words], first: Collection[Any], scale: Place
) -> DotNames:
    """Return names for as many of the boxes to name first as have room, and for no others.

    A name stands to the right of its dot, or to the left if it there covers fewer lines and dots
    of those to name first.
    """
    texts: dict[Any, str] = {}
    at_left = set()
    point = np.array(scale)
    covered = _inked(layout, first) * point
    places: list[NDArray[Any]] = []
    halves: list[NDArray[Any]] = []
    for box in (box for box in layout if box in first):
        text = shortened(words[box].text, size=DOTTED, longest=_BESIDE)
        half = np.array([width_of(text, size=DOTTED) + 1, LINE * DOTTED + 1]) / 2
        aside = np.array([half[0] + dot_size(scale) / 2 + 2, 0])
        dot = np.array(layout[box]) * point
        tried = [(side, dot + side * aside) for side in (1, -1)]
        free = [
            (np.count_nonzero(np.all(np.abs(covered - middle) < half, axis=1)), -side, middle)
            for side, middle in tried
            if not _lie_on(middle, half, places, halves)
        ]
        if free:
            _, side, middle = min(free, key=lambda found: found[:2])
            texts[box] = text
            places.append(middle)
            halves.append(half)
            if side > 0:
                at_left.add(box)
    share = "all" if len(texts) == len(first) else f"{len(texts)} of {len(first)}"
    return DotNames(texts, f"{share} highlighted", is_beside=True, at_left=frozenset(at_left))


def _inked(layout: HasseLayout, chosen: Collection[Any]) -> NDArray[np.float64]:
    """Return points on the lines between some boxes, and the places of these."""
    way = np.linspace(0, 1, 12)[:, None]
    found = [np.array([layout[box] for box in layout if box in chosen]).reshape(-1, 2)]
    for u, v in layout.edges:
        if u in chosen and v in chosen:
            path = np.array(layout.path(u, v))
            found += [here + way * (there - here) for here, there in pairwise(path)]
    return np.concatenate(found)


def _lie_on(
    middle: NDArray[Any], half: NDArray[Any], places: list[NDArray[Any]], halves: list[NDArray[Any]]
) -> bool:
    """Say whether a name would lie on one of others."""
    if not places:
        return False
    gaps = np.abs(np.array(places) - middle) - np.array(halves) - half
    return bool(np.any(np.all(gaps < 1, axis=1)))


def _fits_beside(layout: HasseLayout, texts: Mapping[Any, str], across: float) -> bool:
    """Say whether each name has room between its dot and the next one on its level."""
    for items in layout.levels:
        for here, there in pairwise(items):
            room = (layout[there][0] - layout[here][0]) * across - 10
            if here in texts and width_of(texts[here], size=DOTTED) > room:
                return False
    return True
