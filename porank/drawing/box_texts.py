"""The texts in the boxes of a diagram, or beside its dots, so that they fit.

Idea: *wrap, then write smaller; if that is not enough, use dots.* A name may be wrapped between
words and after hyphens. A box may be as wide as its neighbours and passing lines leave room. The
name of a dot is on a side where it overlaps no dot and no other name, or is left out.

`words_of` returns the words to write, `texts_in_boxes` wraps them, `sides_of_dots` places names at
dots.
"""

from __future__ import annotations

import re
from bisect import bisect
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.drawing.boxes import READABLE
from porank.drawing.fonts import width_of
from porank.drawing.style import NORMAL
from porank.drawing.texts import in_lines, names_of, shortened_apart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from porank.drawing.boxes import Boxes
    from porank.drawing.routes import Rooms
    from porank.typing import Floats, Item


#: Font sizes to try, in points.
SIZES = NORMAL, 8.0, 7.0
#: Height of a line of text, as a multiple of its font size.
LINE = 1.15
#: Padding of a box around its text, in font sizes; distance between boxes, in points.
PAD, GAP = 2 / 3, 5.0
#: How far a frame reaches beyond its box, in points.
FRAME = 1.0
#: Maximum height of a box, as a share of the distance of levels; maximum width of a name in
#: points; and how many times as wide as high a box with several names may be.
HIGHEST, WIDEST, _SHAPE = 0.72, 150.0, 4
#: Maximum number of lines in a box, and for the items listed there, in lines as wide as the room
#: for boxes on a level. At least some items are listed.
_LINES, _MOST_FULL, _LEAST_LISTED = 12, 6, 11
#: Where the name of an item may be wrapped: not within braces, as of a set.
_WORD_ENDS = re.compile(r"(?:(?<=\s)(?=\S)|(?<=\w[-/_])(?=\w))(?![^{]*\})")
#: Separators between the items of a box.
JOINS = {"item": "", "tie": " ~ ", "component": ", "}


class Words(NamedTuple):
    """The words of a box, in parts after which a line may end, and the maximum width of lines."""

    parts: list[str]
    widest: float = WIDEST

    @property
    def text(self) -> str:
        """The words in one line."""
        return "".join(self.parts)

    def lines(self, size: float, width: float) -> list[str]:
        """Return the words in lines of that width, empty if a word is wider."""
        if any(width_of(part.rstrip(), size=size) > width for part in self.parts):
            return []
        return [line.rstrip() for line in in_lines(self.parts, width, size=size, join="")]


def words_of(
    boxes: Boxes, names: Mapping[Item, object], *, room: float = WIDEST
) -> dict[Any, Words]:
    """Return the words to write into each box: its name, or the names of its items.

    The room is that of a box with several names, in points.
    """
    listed = {box: members[:READABLE] for box, members in boxes.members.items()}
    items = [item for members in listed.values() for item in members]
    texts = names_of([names.get(item, item) for item in items], longest=inf)
    name = dict(zip(items, texts, strict=True))
    words = list({word: None for text in texts for word in _WORD_ENDS.split(text)})
    longest = WIDEST - PAD * NORMAL
    fitting = dict(zip(words, shortened_apart(words, size=NORMAL, longest=longest), strict=True))
    found = {}
    for box, members in listed.items():
        join = JOINS[boxes.kind[box]]
        if not join:
            found[box] = Words([fitting[word] for word in _WORD_ENDS.split(name[members[0]])])
            continue
        own = [name[item] for item in members]
        fits = max(_LEAST_LISTED, number_listed(own, _MOST_FULL * room))
        parts = own[:fits]
        if more := len(boxes.members[box]) - len(parts):
            parts.append(f"… {more:,} more")
        parts = [*(f"{part}{join}" for part in parts[:-1]), parts[-1]]
        # Words of width w in all, set in lines of width b, are h = w LINE NORMAL / b high; b = s h.
        across = sum(width_of(part, size=NORMAL) for part in parts)
        found[box] = Words(parts, max(WIDEST, (_SHAPE * across * LINE * NORMAL) ** 0.5))
    return found


def number_listed(names: Sequence[str], room: float) -> int:
    """Return how many names a box lists if its lines are this long together."""
    return bisect([*accumulate(width_of(f"{name}, ", size=NORMAL) for name in names)], room)


def room_for_names(room: tuple[float, float]) -> float:
    """Return how long the lines of names in a box are together, below a heading."""
    wide, high = room
    # height = (lines * LINE + PAD) * size <= HIGHEST of the room
    n_lines = int((HIGHEST * high / SIZES[-1] - PAD) / LINE) - 1
    return wide * min(max(n_lines, 0), _MOST_FULL)


class Scale(NamedTuple):
    """The size of a unit of a layout in points, along a level and between levels."""

    across: float
    up: float

    @property
    def point(self) -> Floats:
        """Both sizes as an array."""
        return np.array([self.across, self.up])


def texts_in_boxes(
    words: Mapping[Any, Words], rooms: Rooms, scale: Scale, size: float
) -> dict[Any, str] | None:
    """Return the text in each box, or None if some do not fit."""
    found: dict[Any, str] = {}
    waiting = dict(words)
    for n_lines in range(1, _LINES + 1):
        # height = (lines * LINE + PAD) * size, in points
        high = (n_lines * LINE + PAD) * size
        if high > HIGHEST * scale.up:
            break
        space = rooms.free_widths((high / 2 + FRAME) / scale.up)
        for box, box_words in list(waiting.items()):
            wide = min(box_words.widest, space[box] * scale.across - GAP) - PAD * size
            lines = box_words.lines(size, wide)
            if not lines:
                # Boxes with more lines are higher, so more lines pass beside them.
                return None
            if len(lines) <= n_lines:
                found[box] = "\n".join(lines)
                del waiting[box]
    return None if waiting else found


def size_of(text: str, size: float) -> tuple[float, float]:
    """Return the width and the height of a box with that text, in points."""
    lines = text.split("\n")
    width = max(width_of(line, size=size) for line in lines)
    return width + PAD * size, (len(lines) * LINE + PAD) * size


#: The places of a name: its lower left corner, in its own widths and heights, relative to where it
#: is written; the direction from the dot; and its alignment.
_SIDES: tuple[Any, ...] = (
    ((0, -0.5), (1, 0), ("left", "center")),
    ((-1, -0.5), (-1, 0), ("right", "center")),
    ((-0.5, 0), (0, 1), ("center", "bottom")),
    ((-0.5, -1), (0, -1), ("center", "top")),
    ((0, 0), (0.7, 0.7), ("left", "bottom")),
    ((0, -1), (0.7, -0.7), ("left", "top")),
)
#: Distance of a name from its dot, in points.
_AWAY = 2.0


def sides_of_dots(
    dots: Floats, radius: float, texts: Iterable[str], size: float, extent: Floats
) -> Iterator[Any]:
    """Yield the place of each dot's name: its offset and alignment, or None if it does not fit.

    Idea: *right or left of the dot, else above or below, else diagonally to the right.* Names
    overlap neither dots nor other names, and earlier names have priority. Dots and the room are in
    points from the lower left corner of the Axes. An empty text needs no place.
    """
    occupied = np.vstack([np.hstack([dots - radius, dots + radius]), np.zeros((len(dots), 4))])
    used = len(dots)
    for dot, text in zip(dots, texts, strict=True):
        wide = np.array([width_of(text, size=size) + _AWAY, LINE * size])
        place = None
        for corner, way, align in _SIDES if text else ():
            shift = (radius + _AWAY) * np.array(way)
            low = dot + shift + wide * corner
            low_others, high_others = occupied[:used, :2], occupied[:used, 2:]
            is_free = not ((low < high_others) & (low + wide > low_others)).all(axis=1).any()
            if is_free and (low >= 0).all() and (low + wide <= extent).all():
                occupied[used] = [*low, *(low + wide)]
                used += 1
                place = tuple(shift.tolist()), align
                break
        yield place
