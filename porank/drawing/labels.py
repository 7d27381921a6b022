"""What is written into or beside the boxes of a diagram, so that it fits: wrapped or shortened.

Idea: *try the largest text first.* Names are broken into lines that fit between the lines of the
diagram, or between the boxes alone, the lines then going round them; else they are shortened, with
a key beside the diagram; and where there is no room for that, items are dots, and every k-th or
those that are asked for have a name.

`words_of` and `named_words` tell what is to be written, `lettering_for` how, `whole_names` only if
all have room, `sizes_needed` how much room that is; `key_width` and `key_lines` lay out the key,
`dot_size` the dots.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise, product
from math import ceil, inf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.drawing.routes import Rooms, between
from porank.drawing.style import NORMAL
from porank.drawing.texts import in_lines, names_of, shortened, width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.drawing.boxes import Boxes
    from porank.drawing.layout.hasse import HasseLayout
    from porank.typing import Item

    Widths = Callable[[float], Mapping[Any, float]]


#: A line of text is that much higher than its size.
LINE = 1.25
#: Sizes of text to try, the larger ones even if lines must then go round boxes; the size of
#: shortened names, in points.
_SIZES, SHORT = ((NORMAL, 8.0), (7.0, 6.0)), 7.0
#: How much wider and higher a box is than its text, and how far boxes stay apart, in points.
PAD, _GAP = 6.0, 3.0
#: As far apart where lines have to pass between them, beside each other or one below the other.
_LANE, _LOW_LANE = 9.0, 5.0
#: The part of the way to the next level that a box may take.
_HIGHEST = 0.72
#: The highest text of a box that others stand above and below, in points.
_TALLEST = 60.0
#: A frame reaches so far beyond its box, in points.
_FRAME = 1.0
#: The widest box and the least room for a shortened name, in points.
_WIDEST, _LEAST = 150.0, 17.0
#: The key takes up so many points, and so much of the width, at most.
_KEY, _KEY_SHARE = 190.0, 0.4
#: Of a box with more items so many are listed.
_LISTED = 12
#: What stands between the items of a box.
_JOINS = {"tie": " ~ ", "component": ", "}


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

    def half_sizes(self, scale: Scale) -> dict[Any, tuple[float, float]]:
        """Return half the size of each box along and across its level, in units of the layout."""
        found = {}
        for box, text in self.texts.items():
            lines = text.split("\n")
            width = max(width_of(line, size=self.size) for line in lines)
            height = len(lines) * LINE * self.size
            sizes = (width + PAD) / 2 + _FRAME, (height + PAD) / 2 + _FRAME
            along, deep = sizes[::-1] if scale.is_right else sizes
            found[box] = along / scale.across, deep / scale.up
        return found


class Scale(NamedTuple):
    """How many points a unit of a layout measures along a level and from level to level."""

    across: float
    up: float
    is_right: bool = False


def lettering_for(
    layout: HasseLayout,
    words: Mapping[Any, Words],
    scale: Scale,
    *,
    width: float,
    first: Collection[Any] = (),
    least: float = 0.0,
) -> Lettering:
    """Return the names that fit into the boxes of a diagram in Axes of that width."""
    if whole := whole_names(layout, words, scale, least=least):
        return whole
    for room in _rooms(layout, scale):
        if short := _shortened(layout, words, room, scale, width):
            return short
    if first:
        return _names_of_some(layout, words, first, scale)
    return _names_of_every_kth(layout, words, scale)


def whole_names(
    layout: HasseLayout, words: Mapping[Any, Words], scale: Scale, *, least: float = 0.0
) -> Lettering | None:
    """Return all names as large as they fit, in points not below the least, or None."""
    rooms = _rooms(layout, scale)
    for sizes in _SIZES:
        for room, size in product(rooms, sizes):
            texts = _fitted(words, room, scale, size=max(size, least))
            if texts is not None and "" not in texts.values():
                return Lettering(max(size, least), texts)
    return None


def _rooms(layout: HasseLayout, scale: Scale) -> tuple[Widths, ...]:
    """Return how wide texts may be at a height: beside lines, and between boxes alone."""
    rooms = Rooms(layout)
    across, up, is_right = scale
    if is_right:
        wide = min(_HIGHEST * up, _WIDEST) - PAD
        beside = rooms.beside_lines(_HIGHEST / 2)

        def in_rows(found: Mapping[Any, float], gap: float) -> Widths:
            return lambda height: {
                box: wide if room * across >= height + gap else 0.0 for box, room in found.items()
            }

        return in_rows(beside, _GAP), in_rows(rooms.between, _LOW_LANE)

    def inside(found: Mapping[Any, float], gap: float) -> dict[Any, float]:
        return {box: min(room * across, _WIDEST) - PAD - gap for box, room in found.items()}

    # Lines that would run through a box, and have to go round it, need lanes.
    return (
        lambda height: inside(rooms.beside_lines((height / 2 + _FRAME) / up), _GAP),
        lambda _: inside(rooms.between, _LANE),
    )


def sizes_needed(
    layout: HasseLayout, words: Mapping[Any, Words], width: float, *, is_right: bool
) -> dict[float, float]:
    """Return for sizes of text the least height at which all names fit into boxes, in points."""
    left, _, right, _ = layout.bounds
    n_levels, room, found = max(len(layout.levels), 1), between(layout), {}
    for size in (size for sizes in _SIZES for size in sizes):
        if is_right:
            wide = dict.fromkeys(room, min(_HIGHEST * width / n_levels, _WIDEST) - PAD)
        else:
            across = width / (right - left + 1)
            wide = {box: min(x * across, _WIDEST) - PAD - _LANE for box, x in room.items()}
        lines = {box: _lines(words[box], size=size, width=wide[box]) for box in room}
        if all(lines.values()):
            high = {box: len(own) * LINE * size + PAD for box, own in lines.items()}
            found[size] = (
                max(((high[box] + _LOW_LANE) / room[box] for box in room), default=0.0)
                * (right - left + 1)
                if is_right
                else n_levels * max(high.values(), default=0.0) / _HIGHEST
            )
    return found


def _fitted(
    words: Mapping[Any, Words], room: Widths, scale: Scale, *, size: float
) -> dict[Any, str] | None:
    """Return each label in as few lines as it fits, empty if in none; None if no line fits."""
    found = dict.fromkeys(words, "")
    missing = list(words)
    highest = _TALLEST if scale.is_right else _HIGHEST * scale.up
    most = int((highest - PAD) / (LINE * size))
    for n_lines in range(1, most + 1):
        wide = room(n_lines * LINE * size + PAD)
        for box in missing:
            lines = _lines(words[box], size=size, width=wide[box])
            found[box] = "\n".join(lines) if len(lines) <= n_lines else ""
        missing = [box for box in missing if not found[box]]
        if not missing or all(len(words[box].parts) <= n_lines for box in missing):
            break
    return found if most else None


def _lines(words: Words, *, size: float, width: float) -> list[str]:
    """Return the words of a label in lines of that width, none if a word is wider."""
    if any(width_of(part, size=size) > width for part in words.parts):
        return []
    return in_lines(words.parts, width, size=size, join=words.join, end=words.join.rstrip())


def _shortened(
    layout: HasseLayout, words: Mapping[Any, Words], rooms: Widths, scale: Scale, width: float
) -> Lettering | None:
    """Return shortened labels with a key, or None if there is no room for either."""
    texts = _fitted(words, rooms, scale, size=SHORT)
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
    left, _, right, _ = layout.bounds
    height = (right - left + 1) * scale.across if scale.is_right else len(layout.levels) * scale.up
    return found if lines * LINE * SHORT <= height else None


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


def dot_size(scale: Scale) -> float:
    """Return the width of a dot, in points."""
    return min(LARGEST_DOT, max(1.5, _DOT * min(scale.across, scale.up)))


def _at_dot(words: Words) -> str:
    """Return the label at a dot, shortened."""
    return shortened(words.text, size=_DOTTED, longest=_BESIDE)


def _names_of_every_kth(layout: HasseLayout, words: Mapping[Any, Words], scale: Scale) -> Lettering:
    """Return labels for one item in k on one level in j, both as small as can be."""
    across, up, is_right = scale
    names = {box: _at_dot(words[box]) for box in layout}
    wide = {box: width_of(name, size=_DOTTED) + 3 for box, name in names.items()}
    high = LINE * _DOTTED + 4
    deep = max(wide.values(), default=0.0) + LARGEST_DOT + 2 if is_right else high
    j = min(max(1, ceil(deep / max(up, 1e-9))), max(len(layout.levels), 1))
    levels = layout.levels[::j]
    half = {box: (high if is_right else wide[box]) / 2 for box in layout}
    k = 1
    while not all(
        half[one] + half[other] <= (layout[other][0] - layout[one][0]) * across
        for items in levels
        for one, other in pairwise(items[::k])
    ):
        k += 1
    note = ", ".join([f"1 item in {k}"] * (k > 1) + [f"1 level in {j}"] * (j > 1))
    texts = {box: names[box] for items in levels for box in items[::k]}
    is_beside = is_right or _fits_beside(layout, texts, across)
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
    layout: HasseLayout, words: Mapping[Any, Words], first: Collection[Any], scale: Scale
) -> Lettering:
    """Return labels for as many of the highlighted boxes as have room, and for no others."""
    texts: dict[Any, str] = {}
    at_left = set()
    point = np.array([scale.across, scale.up])
    covered = _inked(layout, first) * point
    taken: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for box in (box for box in layout if box in first):
        text = _at_dot(words[box])
        half = np.array([width_of(text, size=_DOTTED) + 1, LINE * _DOTTED + 1]) / 2
        aside = np.array([half[0] + dot_size(scale) / 2 + 2, 0])
        if scale.is_right:
            half, aside = half[::-1], -aside[::-1]
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
