"""What is written into the boxes of a diagram, or beside its dots, so that it fits.

Idea: *wrap, then write smaller; where that is not enough, items are dots.* A name may end its lines
between its words and after its hyphens. A box is as wide as its level leaves room, between its
neighbours and the lines that pass. A dot has its name on a side where it meets no dot and no other
name, or has none.

`words_of` tells what is to be written, `texts_in_boxes` how it is wrapped, `sides_of_dots` where
names at dots stand.
"""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.drawing.style import NORMAL
from porank.drawing.texts import in_lines, names_of, shortened_apart, width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from porank.drawing.boxes import Boxes
    from porank.drawing.routes import Rooms
    from porank.typing import Floats, Item


#: Sizes of text to try, in points.
SIZES = NORMAL, 8.0, 7.0, 6.0
#: A line of text is that much higher than its size.
LINE = 1.25
#: How much wider and higher a box is than its text, in sizes of it; how far boxes stay apart, in
#: points.
PAD, GAP = 2 / 3, 5.0
#: A frame reaches so far beyond its box, in points.
FRAME = 1.0
#: The part of the way to the next level that a box may take, and its greatest width in points.
HIGHEST, WIDEST = 0.72, 150.0
#: Of a box with more items so many are listed; a box has no more lines than that.
MOST_LINES = _LISTED = 12
#: Where the name of an item may be wrapped.
_WORD_ENDS = re.compile(r"(?<=\s)(?=\S)|(?<=\w[-/_])(?=\w)")
#: What stands between the items of a box.
JOINS = {"item": "", "tie": " ~ ", "component": ", "}


class Words(NamedTuple):
    """What is to be written into a box: parts, after each of which a line may end."""

    parts: list[str]

    @property
    def text(self) -> str:
        """All in one line."""
        return "".join(self.parts)

    def lines(self, size: float, width: float) -> list[str]:
        """Return the words in lines of that width, none if a word is wider."""
        if any(width_of(part.rstrip(), size=size) > width for part in self.parts):
            return []
        return [line.rstrip() for line in in_lines(self.parts, width, size=size, join="")]


def words_of(boxes: Boxes, names: Mapping[Item, object]) -> dict[Any, Words]:
    """Return the words to write into each box: those of a name, or the names of its items."""
    listed = {
        box: members if len(members) <= _LISTED else members[: _LISTED - 1]
        for box, members in boxes.members.items()
    }
    items = [item for members in listed.values() for item in members]
    texts = names_of([names.get(item, item) for item in items], longest=inf)
    name = dict(zip(items, texts, strict=True))
    words = list({word: None for text in texts for word in _WORD_ENDS.split(text)})
    longest = WIDEST - PAD * NORMAL
    fitting = dict(zip(words, shortened_apart(words, size=NORMAL, longest=longest), strict=True))
    found = {}
    for box, members in listed.items():
        parts, join = [name[item] for item in members], JOINS[boxes.kind[box]]
        if more := len(boxes.members[box]) - len(parts):
            parts.append(f"… {more:,} more")
        ends = [f"{part}{join}" for part in parts[:-1]]
        one = _WORD_ENDS.split(parts[0])
        found[box] = Words([*ends, parts[-1]] if join else [fitting[word] for word in one])
    return found


class Scale(NamedTuple):
    """How many points a unit of a layout measures along a level and from level to level."""

    across: float
    up: float
    is_right: bool = False

    @property
    def point(self) -> Floats:
        """Both as an array."""
        return np.array([self.across, self.up])


def texts_in_boxes(
    words: Mapping[Any, Words], rooms: Rooms, scale: Scale, size: float
) -> dict[Any, str] | None:
    """Return what is written into each box, None if some do not fit."""
    if scale.is_right:
        return _texts_in_columns(words, rooms, scale, size)
    found: dict[Any, str] = {}
    waiting = dict(words)
    for n_lines in range(1, MOST_LINES + 1):
        high = (n_lines * LINE + PAD) * size
        if high > HIGHEST * scale.up:
            break
        space = rooms.beside_lines((high / 2 + FRAME) / scale.up)
        for box, box_words in list(waiting.items()):
            lines = box_words.lines(size, min(WIDEST, space[box] * scale.across - GAP) - PAD * size)
            if not lines:
                # More lines have less room.
                return None
            if len(lines) <= n_lines:
                found[box] = "\n".join(lines)
                del waiting[box]
    return None if waiting else found


def _texts_in_columns(
    words: Mapping[Any, Words], rooms: Rooms, scale: Scale, size: float
) -> dict[Any, str] | None:
    """Return what is written into each box of levels that stand side by side, None if it is much.

    They have as many lines as the distance of the levels makes them have.
    """
    widest = min(WIDEST, HIGHEST * scale.up) - PAD * size
    lines = {box: box_words.lines(size, widest) for box, box_words in words.items()}
    texts = {box: "\n".join(box_words) for box, box_words in lines.items()}
    sizes = {box: size_of(text, size) for box, text in texts.items()}
    wide = max((width for width, _ in sizes.values()), default=0.0)
    space = rooms.beside_lines((wide / 2 + FRAME) / scale.up)
    fit = all(
        0 < len(lines[box]) <= MOST_LINES and high <= space[box] * scale.across - GAP
        for box, (_, high) in sizes.items()
    )
    return texts if fit else None


def size_of(text: str, size: float) -> tuple[float, float]:
    """Return how wide and how high a box with that text is, in points."""
    lines = text.split("\n")
    width = max(width_of(line, size=size) for line in lines)
    return width + PAD * size, (len(lines) * LINE + PAD) * size


#: How a name may stand: its lower left corner in its own widths and heights from where it is
#: written, in which direction that is from the dot, and how it is aligned there.
_SIDES: tuple[Any, ...] = (
    ((0, -0.5), (1, 0), ("left", "center")),
    ((-1, -0.5), (-1, 0), ("right", "center")),
    ((-0.5, 0), (0, 1), ("center", "bottom")),
    ((-0.5, -1), (0, -1), ("center", "top")),
    ((0, 0), (0.7, 0.7), ("left", "bottom")),
    ((0, -1), (0.7, -0.7), ("left", "top")),
)
#: How far a name stays from its dot, in points.
_AWAY = 2.0


def sides_of_dots(
    dots: Floats, radius: float, texts: Iterable[str], size: float, extent: Floats
) -> Iterator[Any]:
    """Yield where the name of each dot stands: how far from it and how aligned, None if nowhere.

    Idea: *beside its dot, right or left, else above or below, else askew to the right.*
    No name meets a dot or another name. Dots and room are in points from the lower left corner of
    the Axes. Names that come first are placed first; the empty text needs no place.
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
