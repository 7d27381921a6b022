"""Texts in boxes: wrapped to the room that there is, shortened with a key, or every k-th."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from porank.drawing.dot_names import DOTTED, names_at_dots
from porank.drawing.rooms import Rooms
from porank.drawing.style import NORMAL
from porank.drawing.texts import shortened, width_of
from porank.drawing.words import LINE, key_lines, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from porank.drawing.layout import HasseLayout
    from porank.drawing.words import Words

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
    """What is written, and how large.

    Attributes
    ----------
    size : float
        Of the text, in points.
    texts : dict
        box -> text, for those that have one.
    is_inside : bool
        Whether texts stand in boxes; else they stand at dots.
    is_beside : bool
        Whether they stand beside the dots, to the right; else they stand above them.
    at_left : frozenset
        Those that stand to the left.
    key : list of tuple of str
        What was shortened, and what it means.
    note : str
        Which items have a name if not all have.
    """

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
    """Return what to write into the boxes, neighbours being so many points apart.

    All is written as large as it fits. If it does not, names are shortened and a key tells what
    they mean; if there is no room for a key either, boxes become dots, and every k-th has a name,
    or of those that are to be named first as many as fit.

    Parameters
    ----------
    layout : HasseLayout
        Where the boxes stand.
    words : mapping
        What is to be written into each.
    across, up : float
        How many points a unit of the layout is wide and high.
    width : float
        How wide the Axes are, in points.
    first : collection
        Boxes to name rather than others.

    Examples
    --------
    >>> import porank as po
    >>> layout = po.hasse_layout(po.parse("a > b; a > c"))
    >>> from porank.drawing.words import Words
    >>> words = {item: Words([item], " ") for item in "abc"}
    >>> labels_for(layout, words, across=40, up=40, width=200).texts
    {'a': 'a', 'b': 'b', 'c': 'c'}
    >>> labels_for(layout, words, across=5, up=12, width=20).note
    '1 item in 2'

    Notes
    -----
    Time O(n) measurings of texts for each size that is tried.
    """
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
