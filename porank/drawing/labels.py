"""Texts in boxes: wrapped to the room that there is, shortened with a key, or every k-th.

Names at dots, where there is no room for boxes: every k-th, or those that are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise, product
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.drawing.boxes import LINE, key_lines, wrapped
from porank.drawing.routes import Rooms
from porank.drawing.style import NORMAL
from porank.drawing.texts import shortened, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from numpy.typing import NDArray

    from porank.drawing.boxes import Words
    from porank.drawing.layout.hasse import HasseLayout, Place


#: Sizes of text to try, the larger ones even if lines must then go round boxes; the size of
#: shortened names, in points.
_SIZES, _SHORT = ((NORMAL, 8.0), (7.0, 6.0)), 7.0
#: How much wider and higher a box is than its text, and how far boxes stay apart, in points.
PAD, _GAP = 6.0, 3.0
#: As far apart where lines have to pass between them; the part of a level that a box may take.
_LANE, _HIGHEST = 9.0, 0.72
#: A frame reaches so far beyond its box, in points.
_FRAME = 1.0
#: The widest box and the least room for a shortened name, in points.
_WIDEST, _LEAST = 150.0, 17.0
#: The key takes up so many points, and so much of the width, at the most.
_KEY, _KEY_SHARE = 190.0, 0.4


@dataclass(frozen=True, eq=False)
class Labels:
    """What is written, and how large."""

    size: float
    texts: dict[Any, str]
    is_inside: bool = True
    is_beside: bool = False
    at_left: frozenset[Any] = frozenset()
    key: list[tuple[str, str]] = field(default_factory=list)
    note: str = ""

    def half_sizes(self, across: float, up: float) -> dict[Any, tuple[float, float]]:
        """Return half the width and half the height of each box, in units of so many points."""
        found = {}
        for box, text in self.texts.items():
            lines = text.split("\n")
            width = max(width_of(line, size=self.size) for line in lines)
            height = len(lines) * LINE * self.size
            sizes = (width + PAD) / 2 + _FRAME, (height + PAD) / 2 + _FRAME
            found[box] = sizes[0] / across, sizes[1] / up
        return found


def labels_for(
    layout: HasseLayout,
    words: Mapping[Any, Words],
    *,
    across: float,
    up: float,
    width: float,
    first: Collection[Any] = (),
) -> Labels:
    """Return what to write into the boxes, neighbours being so many points apart."""
    scale = _Scale(Rooms(layout), across, up)
    for sizes in _SIZES:
        for room, size in product((scale.beside_lines, scale.between_boxes), sizes):
            texts = _fitted(words, room, up, size=size)
            if texts is not None and None not in texts.values():
                return Labels(size, {box: text or "" for box, text in texts.items()})
    for room in (scale.beside_lines, scale.between_boxes):
        short = _shortened(layout, words, room, up, width)
        if short is not None:
            return short
    names = names_at_dots(layout, words, first, (across, up))
    return Labels(DOTTED, is_inside=False, **names._asdict())


@dataclass(frozen=True, eq=False)
class _Scale:
    """How much room for text there is in boxes of so many points in height."""

    rooms: Rooms
    across: float
    up: float

    def beside_lines(self, height: float) -> dict[Any, float]:
        found = self.rooms.beside_lines((height / 2 + _FRAME) / self.up)
        return {box: self._inside(room, _GAP) for box, room in found.items()}

    def between_boxes(self, _: float) -> dict[Any, float]:
        """Leave lanes for the lines that would run through a box, and have to go round it."""
        return {box: self._inside(room, _LANE) for box, room in self.rooms.between.items()}

    def _inside(self, room: float, gap: float) -> float:
        return min(room * self.across, _WIDEST) - PAD - gap


def _fitted(
    words: Mapping[Any, Words],
    room: Callable[[float], Mapping[Any, float]],
    up: float,
    *,
    size: float,
) -> dict[Any, str | None] | None:
    """Return each text in as few lines as it fits, None if in none; None if no line fits."""
    found: dict[Any, str | None] = dict.fromkeys(words)
    missing = list(words)
    most = int((_HIGHEST * up - PAD) / (LINE * size))
    for n_lines in range(1, most + 1):
        height = n_lines * LINE * size
        wide = room(height + PAD)
        for box in missing:
            found[box] = wrapped(words[box], size=size, width=wide[box], height=height + 0.01)
        missing = [box for box in missing if found[box] is None]
        if not missing or all(len(words[box].parts) <= n_lines for box in missing):
            break
    return found if most else None


def _shortened(
    layout: HasseLayout,
    words: Mapping[Any, Words],
    rooms: Callable[[float], Mapping[Any, float]],
    up: float,
    width: float,
) -> Labels | None:
    """Return shortened names with a key, or None if there is no room for the one or the other."""
    fitted = _fitted(words, rooms, up, size=_SHORT)
    if fitted is None:
        return None
    room = rooms(LINE * _SHORT + PAD)
    if any(text is None and room[box] < _LEAST for box, text in fitted.items()):
        return None
    texts = {box: text or "" for box, text in fitted.items()}
    unwritten = [box for box, text in texts.items() if not text]
    short = [shortened(words[box].text, size=_SHORT, longest=room[box]) for box in unwritten]
    taken = set(texts.values())
    for number, (box, text) in enumerate(zip(unwritten, short, strict=True), start=1):
        # A name that says nothing, or that another has, gives way to a number.
        is_clear = len(text) > 4 and short.count(text) == 1 and text not in taken
        texts[box] = text if is_clear else f"({number})"
    if any(width_of(texts[box], size=_SHORT) > room[box] for box in unwritten):
        return None
    key = [(texts[box], words[box].text) for box in unwritten]
    labels = Labels(_SHORT, texts, key=key)
    beside = key_width(labels, width) - 10
    lines = sum(len(key_lines(entry, size=_SHORT, width=beside)) for entry in key)
    return labels if lines * LINE * _SHORT <= len(layout.levels) * up else None


def key_width(labels: Labels, width: float) -> float:
    """Return how wide the key is, in points, in Axes of that width; 0 without a key."""
    if not labels.key:
        return 0.0
    longest = max(width_of(f"{short}: {text}", size=_SHORT) for short, text in labels.key)
    return min(longest + 12, _KEY + 12, _KEY_SHARE * width)


#: The size of names at dots, and the longest of them, in points.
DOTTED, _BESIDE = 6.0, 60.0
#: The dot of an item without a box is that part of the distance of items, and at most so large.
_DOT, LARGEST_DOT = 0.45, 5.5


class DotNames(NamedTuple):
    """Which dots have a name."""

    texts: dict[Any, str]
    note: str
    is_beside: bool
    at_left: frozenset[Any] = frozenset()


def dot_size(scale: Place) -> float:
    """Return the width of a dot, in points, where a unit is so many points wide and high."""
    return min(LARGEST_DOT, max(1.5, _DOT * min(scale)))


def names_at_dots(
    layout: HasseLayout, words: Mapping[Any, Words], first: Collection[Any], scale: Place
) -> DotNames:
    """Return the names of some dots, a unit of the layout being so many points wide and high."""
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
    """Return names for as many of the boxes to name first as have room, and for no others."""
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
