"""The texts in the boxes of a diagram, so that they fit.

Idea: *wrap, then write smaller; if that is not enough, use dots.* A name may be wrapped between
words and after hyphens. A box may be as wide as its neighbours and passing lines leave room.

`words_of` returns the words to write, `texts_in_boxes` wraps them.
"""

from __future__ import annotations

import re
from bisect import bisect
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.drawing.boxes import READABLE
from porank.drawing.fonts import width_of
from porank.drawing.style import NORMAL
from porank.drawing.texts import in_lines, names_of, shortened_apart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.drawing.boxes import Boxes
    from porank.drawing.routes import Rooms
    from porank.typing import Item


#: Font sizes to try, in points.
SIZES = NORMAL, 8.0, 7.0
#: Height of a line of text, as a multiple of its font size.
LINE = 1.15
#: Padding of a box around its text, in font sizes; distance between boxes, in points.
PAD, GAP = 2 / 3, 5.0
#: How far a frame reaches beyond its box, in points.
FRAME = 1.0
#: Maximum height of a box, as a share of the distance of levels, and maximum width of a name in
#: points.
HIGHEST, WIDEST = 0.72, 150.0
#: Maximum number of lines in a box, and for the items that a box lists.
_LINES, _MOST_LINES_LISTED = 12, 6
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
    boxes: Boxes, names: Mapping[Item, object], *, room: tuple[float, float] = (0, 0)
) -> dict[Any, Words]:
    """Return the words to write into each box: its name, or the names of its items.

    The room is that of a box with several names, across and up, in points.
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
        own = shortened_apart(own, size=SIZES[-1], longest=0.8 * room[0])
        fits = number_listed(own, room)
        parts = own if fits == len(own) else own[: max(fits - 1, 1)]
        if more := len(boxes.members[box]) - len(parts):
            parts.append(f"… {more:,} more")
        found[box] = Words([*(f"{part}{join}" for part in parts[:-1]), parts[-1]], widest=inf)
    return found


def number_listed(names: Sequence[str], room: tuple[float, float], *, below: int = 0) -> int:
    """Return how many names have room in a box of small texts, below so many other lines."""
    size, parts = SIZES[-1], [f"{name} ~ " for name in names]
    # height = (lines * LINE + PAD) * size <= HIGHEST of the room
    n_lines = int((HIGHEST * room[1] / size - PAD) / LINE) - below
    width = 0.97 * room[0] - GAP - PAD * size

    def lines_of(k: int) -> int:
        return len(in_lines(parts[:k], width, size=size, join=""))

    return bisect(range(1, len(parts) + 1), min(n_lines, _MOST_LINES_LISTED), key=lines_of)


class Scale(NamedTuple):
    """The size of a unit of a layout in points, along a level and between levels."""

    across: float
    up: float


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
            # Without kerning, long lines are measured a little too short.
            wide = min(box_words.widest, 0.97 * space[box] * scale.across - GAP) - PAD * size
            lines = box_words.lines(size, wide)
            if not lines:
                # A box with more lines of text is higher, and more edges pass beside it.
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
