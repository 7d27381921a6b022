"""What is written into or beside the boxes of a diagram, so that it fits: wrapped or shortened.

Idea: *try the largest text first.* Names are broken into lines that fit between the lines of the
diagram, or between the boxes alone, the lines then going round them; else they are shortened, with
a key beside the diagram; and where there is no room for that, items are dots, and every k-th or
those that are asked for have a name.

`words_of` and `named_words` tell what is to be written, `lettering_for` how, `_names_of_some` at
dots; `key_width` and `key_lines` lay out the key, `dot_size` the dots.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise, product
from math import ceil, inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.drawing.routes import Rooms
from porank.drawing.style import NORMAL
from porank.drawing.texts import in_lines, names_of, shortened, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.drawing.boxes import Boxes
    from porank.drawing.layout.hasse import HasseLayout, Place
    from porank.typing import Item

    Widths = Callable[[float], Mapping[Any, float]]


#: A line of text is that much higher than its size.
LINE = 1.25
#: Sizes of text to try, the larger ones even if lines must then go round boxes; the size of
#: shortened names, in points.
_SIZES, SHORT = ((NORMAL, 8.0), (7.0, 6.0)), 7.0
#: How much wider and higher a box is than its text, and how far boxes stay apart, in points.
PAD, _GAP = 6.0, 3.0
#: As far apart where lines have to pass between them; the part of a level that a box may take.
_LANE, _HIGHEST = 9.0, 0.72
#: A frame reaches so far beyond its box, in points.
_FRAME = 1.0
#: The widest box and the least room for a shortened name, in points.
_WIDEST, _LEAST = 150.0, 17.0
#: The key takes up so many points, and so much of the width, at most.
_KEY, _KEY_SHARE = 190.0, 0.4
#: Of a box with more items so many are listed.
_LISTED = 12
#: What stands between the items of a box.
_JOINS = {"tie": " ~ ", "knot": ", "}


class Words(NamedTuple):
    """What is to be written into a box: parts, between which a line may end."""

    parts: list[str]
    join: str

    @property
    def text(self) -> str:
        """All in one line."""
        return self.join.join(self.parts)


def named_words(items: Sequence[Item], names: Mapping[Item, object]) -> dict[Any, Words]:
    """Return the words of the name of each item, between which its label may be wrapped."""
    texts = names_of([names.get(item, item) for item in items], longest=inf)
    return {item: Words(text.split(" "), " ") for item, text in zip(items, texts, strict=True)}


def words_of(boxes: Boxes, names: Mapping[Item, object]) -> dict[Any, Words]:
    """Return the words to write into each box: those of a name, or the names of its items."""
    listed = {
        box: members if len(members) <= _LISTED else members[: _LISTED - 1]
        for box, members in boxes.members.items()
    }
    name = named_words([item for members in listed.values() for item in members], names)
    found = {box: name[members[0]] for box, members in listed.items()}
    for box in (box for box, kind in boxes.kind.items() if kind != "item"):
        parts = [name[item].text for item in listed[box]]
        if more := len(boxes.members[box]) - len(parts):
            parts.append(f"… {more:,} more")
        found[box] = Words(parts, _JOINS[boxes.kind[box]])
    return found


@dataclass(frozen=True, eq=False)
class Lettering:
    """What is written into boxes or beside dots, how large, and what stands in the key."""

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


def lettering_for(
    layout: HasseLayout,
    words: Mapping[Any, Words],
    *,
    across: float,
    up: float,
    width: float,
    first: Collection[Any] = (),
) -> Lettering:
    """Return the names that fit into the boxes of a diagram, a unit being so many points."""
    rooms = Rooms(layout)

    def beside_lines(height: float) -> dict[Any, float]:
        return inside(rooms.beside_lines((height / 2 + _FRAME) / up), _GAP)

    def between_boxes(_: float) -> dict[Any, float]:
        # Lines that would run through a box, and have to go round it, need lanes.
        return inside(rooms.between, _LANE)

    def inside(found: Mapping[Any, float], gap: float) -> dict[Any, float]:
        return {box: min(room * across, _WIDEST) - PAD - gap for box, room in found.items()}

    widths: tuple[Widths, ...] = beside_lines, between_boxes
    for sizes in _SIZES:
        for room, size in product(widths, sizes):
            texts = _fitted(words, room, up, size=size)
            if texts is not None and "" not in texts.values():
                return Lettering(size, texts)
    for room in widths:
        if short := _shortened(layout, words, room, up, width):
            return short
    if first:
        return _names_of_some(layout, words, first, (across, up))
    return _names_of_every_kth(layout, words, across, up)


def _fitted(
    words: Mapping[Any, Words], room: Widths, up: float, *, size: float
) -> dict[Any, str] | None:
    """Return each label in as few lines as it fits, empty if in none; None if no line fits."""
    found = dict.fromkeys(words, "")
    missing = list(words)
    most = int((_HIGHEST * up - PAD) / (LINE * size))
    for n_lines in range(1, most + 1):
        wide = room(n_lines * LINE * size + PAD)
        for box in missing:
            found[box] = _wrapped(words[box], size=size, width=wide[box], n_lines=n_lines)
        missing = [box for box in missing if not found[box]]
        if not missing or all(len(words[box].parts) <= n_lines for box in missing):
            break
    return found if most else None


def _wrapped(words: Words, *, size: float, width: float, n_lines: int) -> str:
    """Return the words of a label in so many lines of that width, nothing if they do not fit."""
    lines = in_lines(words.parts, width, size=size, join=words.join, end=words.join.rstrip())
    is_wider = any(width_of(part, size=size) > width for part in words.parts)
    return "" if is_wider or len(lines) > n_lines else "\n".join(lines)


def _shortened(
    layout: HasseLayout, words: Mapping[Any, Words], rooms: Widths, up: float, width: float
) -> Lettering | None:
    """Return shortened labels with a key, or None if there is no room for either."""
    texts = _fitted(words, rooms, up, size=SHORT)
    room = rooms(LINE * SHORT + PAD)
    unwritten = [box for box, text in (texts or {}).items() if not text]
    if texts is None or any(room[box] < _LEAST for box in unwritten):
        return None
    short = [shortened(words[box].text, size=SHORT, longest=room[box]) for box in unwritten]
    taken = set(texts.values())
    for number, (box, text) in enumerate(zip(unwritten, short, strict=True), start=1):
        # A name that says nothing, or that another has, gives way to a number.
        is_clear = len(text) > 4 and short.count(text) == 1 and text not in taken
        texts[box] = text if is_clear else f"({number})"
    if any(width_of(texts[box], size=SHORT) > room[box] for box in unwritten):
        return None
    found = Lettering(SHORT, texts, key=[(texts[box], words[box].text) for box in unwritten])
    lines = len(key_lines(found, key_width(found, width)))
    return found if lines * LINE * SHORT <= len(layout.levels) * up else None


def key_width(lettering: Lettering, width: float) -> float:
    """Return how wide the key of shortened labels is, in Axes of that width; 0 without one."""
    if not lettering.key:
        return 0.0
    longest = max(width_of(f"{short}: {text}", size=SHORT) for short, text in lettering.key)
    return min(longest + 12, _KEY + 12, _KEY_SHARE * width)


def key_lines(lettering: Lettering, beside: float) -> list[str]:
    """Return the key of shortened labels in lines for that width."""
    width = beside - 10
    lines = []
    for short, text in lettering.key:
        words = f"{short}: {text}".split(" ")
        fitting = [shortened(word, size=SHORT, longest=width - 8) for word in words]
        lines += in_lines(fitting, width, size=SHORT, indent="   ")
    return lines


#: The size of names at dots, and the longest of them, in points.
_DOTTED, _BESIDE = 6.0, 60.0
#: The dot of an item without a box is that part of the distance of items, and at most so large.
_DOT, LARGEST_DOT = 0.45, 5.5


def dot_size(scale: Place) -> float:
    """Return the width of a dot, in points, where a unit is so many points wide and high."""
    return min(LARGEST_DOT, max(1.5, _DOT * min(scale)))


def _at_dot(words: Words) -> str:
    """Return the label at a dot, shortened."""
    return shortened(words.text, size=_DOTTED, longest=_BESIDE)


def _names_of_every_kth(
    layout: HasseLayout, words: Mapping[Any, Words], across: float, up: float
) -> Lettering:
    """Return labels for one item in k on one level in j, both as small as can be."""
    j = min(max(1, ceil((LINE * _DOTTED + 4) / max(up, 1e-9))), max(len(layout.levels), 1))
    levels = layout.levels[::j]
    names = {box: _at_dot(words[box]) for items in levels for box in items}
    half = {box: width_of(name, size=_DOTTED) / 2 + 1.5 for box, name in names.items()}
    k = 1
    while not all(
        half[one] + half[other] <= (layout[other][0] - layout[one][0]) * across
        for items in levels
        for one, other in pairwise(items[::k])
    ):
        k += 1
    note = ", ".join([f"1 item in {k}"] * (k > 1) + [f"1 level in {j}"] * (j > 1))
    texts = {box: names[box] for items in levels for box in items[::k]}
    is_beside = _fits_beside(layout, texts, across)
    return Lettering(_DOTTED, texts, is_inside=False, is_beside=is_beside, note=note)


def _fits_beside(layout: HasseLayout, texts: Mapping[Any, str], across: float) -> bool:
    """Say whether each label has room between its dot and the next one on its level."""
    return all(
        width_of(texts[here], size=_DOTTED) <= (layout[there][0] - layout[here][0]) * across - 10
        for items in layout.levels
        for here, there in pairwise(items)
        if here in texts
    )


def _names_of_some(
    layout: HasseLayout, words: Mapping[Any, Words], first: Collection[Any], scale: Place
) -> Lettering:
    """Return labels for as many of the highlighted boxes as have room, and for no others."""
    texts: dict[Any, str] = {}
    at_left = set()
    point = np.array(scale)
    covered = _inked(layout, first) * point
    taken: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for box in (box for box in layout if box in first):
        text = _at_dot(words[box])
        half = np.array([width_of(text, size=_DOTTED) + 1, LINE * _DOTTED + 1]) / 2
        aside = np.array([half[0] + dot_size(scale) / 2 + 2, 0])
        dot = np.array(layout[box]) * point
        tried = [(side, dot + side * aside) for side in (1, -1)]
        free = [
            (np.count_nonzero(np.all(np.abs(covered - middle) < half, axis=1)), -side, middle)
            for side, middle in tried
            if all(np.any(np.abs(middle - at) - own - half >= 1) for at, own in taken)
        ]
        if free:
            _, side, middle = min(free, key=lambda found: found[:2])
            texts[box] = text
            taken.append((middle, half))
            if side > 0:
                at_left.add(box)
    share = "all" if len(texts) == len(first) else f"{len(texts)} of {len(first)}"
    how: dict[str, Any] = {"is_inside": False, "is_beside": True, "note": f"{share} highlighted"}
    return Lettering(_DOTTED, texts, at_left=frozenset(at_left), **how)


def _inked(layout: HasseLayout, chosen: Collection[Any]) -> NDArray[np.float64]:
    """Return points on the lines between some boxes, which labels at dots should not cover."""
    way = np.linspace(0, 1, 12)[:, None]
    found = [np.array([layout[box] for box in layout if box in chosen]).reshape(-1, 2)]
    for u, v in layout.edges:
        if u in chosen and v in chosen:
            path = np.array(layout.path(u, v))
            found += [here + way * (there - here) for here, there in pairwise(path)]
    return np.concatenate(found)
