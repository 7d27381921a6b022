"""What is written into or beside the boxes of a diagram, so that it fits: wrapped or shortened.

Idea: *try the largest text first.* Names are broken into lines that fit between the lines of the
diagram, or between the boxes alone, the lines then going round them; else they are shortened, with
a key beside the diagram; and where there is no room for that, items are dots, and every k-th or
those that are asked for have a name.

`words_of` tells what is to be written, `Shape` how the diagram lies and how much room names need
there, `NamesAtScale` which `Lettering` fits at a scale; `dot_size` how large dots are.
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
    from collections.abc import Callable, Collection, Mapping

    from porank.drawing.boxes import Boxes
    from porank.drawing.layout.hasse import HasseLayout
    from porank.typing import Floats, Item

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
#: The size of names at dots, and the longest of them, in points.
_DOTTED, _BESIDE = 6.0, 60.0
#: The dot of an item without a box is that part of the distance of items, and at most so large.
_DOT, LARGEST_DOT = 0.45, 5.5
#: What stands between the items of a box.
JOINS = {"item": "", "tie": " ~ ", "component": ", "}


class Words(NamedTuple):
    """What is to be written into a box: parts, between which a line may end."""

    parts: list[str]
    join: str

    @property
    def text(self) -> str:
        """All in one line."""
        return self.join.join(self.parts)


def words_of(boxes: Boxes, names: Mapping[Item, object]) -> dict[Any, Words]:
    """Return the words to write into each box: those of a name, or the names of its items."""
    listed = {
        box: members if len(members) <= _LISTED else members[: _LISTED - 1]
        for box, members in boxes.members.items()
    }
    items = [item for members in listed.values() for item in members]
    texts = names_of([names.get(item, item) for item in items], longest=inf)
    name = dict(zip(items, texts, strict=True))
    found = {}
    for box, members in listed.items():
        parts, join = [name[item] for item in members], JOINS[boxes.kind[box]]
        if more := len(boxes.members[box]) - len(parts):
            parts.append(f"… {more:,} more")
        # The name of an item may be wrapped between its words.
        found[box] = Words(parts, join) if join else Words(parts[0].split(" "), " ")
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

    def key_width(self, width: float) -> float:
        """Return how wide the key of shortened names is, in Axes of that width; 0 without one."""
        if not self.key:
            return 0.0
        longest = max(width_of(f"{short}: {text}", size=SHORT) for short, text in self.key)
        return min(longest + 12, _KEY + 12, _KEY_SHARE * width)

    def key_lines(self, beside: float) -> list[str]:
        """Return the key of shortened names in lines for that width."""
        width = beside - 10
        lines = []
        for short, text in self.key:
            words = f"{short}: {text}".split(" ")
            fitting = [shortened(word, size=SHORT, longest=width - 8) for word in words]
            lines += in_lines(fitting, width, size=SHORT, indent="   ")
        return lines

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


class Shape(NamedTuple):
    """How a diagram lies: its layout, and whether levels lead to the right instead of down."""

    layout: HasseLayout
    is_right: bool = False

    @property
    def span(self) -> float:
        """How long the levels are, in units of the layout."""
        left, _, right, _ = self.layout.bounds
        return right - left + 1

    @property
    def n_levels(self) -> int:
        """How many levels there are, one at least."""
        return max(len(self.layout.levels), 1)

    def scale(self, width: float, height: float) -> Scale:
        """Return how many points its units measure, in so many points."""
        along, deep = (height, width) if self.is_right else (width, height)
        return Scale(along / self.span, deep / self.n_levels, self.is_right)

    def shown(self, points: Any) -> Floats:
        """Return points of the layout, or one, as they lie in the Axes."""
        found = np.asarray(points, dtype=float)
        return np.array([0.0, 0.0]) - found[..., ::-1] if self.is_right else found

    def sizes_needed(self, words: Mapping[Any, Words], width: float) -> dict[float, float]:
        """Return for sizes of text the least height at which all names fit into boxes."""
        room, found = between(self.layout), {}
        for size in (size for sizes in _SIZES for size in sizes):
            if self.is_right:
                wide = dict.fromkeys(room, min(_HIGHEST * width / self.n_levels, _WIDEST) - PAD)
            else:
                across = width / self.span
                wide = {box: min(x * across, _WIDEST) - PAD - _LANE for box, x in room.items()}
            lines = {box: _lines(words[box], size=size, width=wide[box]) for box in room}
            if all(lines.values()):
                high = {box: len(own) * LINE * size + PAD for box, own in lines.items()}
                found[size] = (
                    max(((high[box] + _LOW_LANE) / room[box] for box in room), default=0.0)
                    * self.span
                    if self.is_right
                    else self.n_levels * max(high.values(), default=0.0) / _HIGHEST
                )
        return found


@dataclass(frozen=True, eq=False)
class NamesAtScale:
    """What is to be written into a diagram of some shape, at some scale."""

    shape: Shape
    words: Mapping[Any, Words]
    scale: Scale

    def lettering(
        self, width: float, *, first: Collection[Any] = (), least: float = 0.0
    ) -> Lettering:
        """Return the names that fit into the boxes in Axes of that width, or stand at dots."""
        if whole := self.whole(least):
            return whole
        for room in self._rooms():
            if short := self._shortened(room, width):
                return short
        return self._of_some(first) if first else self._of_every_kth()

    def whole(self, least: float = 0.0) -> Lettering | None:
        """Return all names as large as they fit, in points not below the least, or None."""
        rooms = self._rooms()
        for sizes in _SIZES:
            for room, size in product(rooms, sizes):
                texts = self._fitted(room, max(size, least))
                if texts is not None and "" not in texts.values():
                    return Lettering(max(size, least), texts)
        return None

    def _rooms(self) -> tuple[Widths, ...]:
        """Return how wide texts may be at a height: beside lines, and between boxes alone."""
        rooms = Rooms(self.shape.layout)
        across, up, is_right = self.scale
        if is_right:
            wide = min(_HIGHEST * up, _WIDEST) - PAD
            beside = rooms.beside_lines(_HIGHEST / 2)

            def in_rows(found: Mapping[Any, float], gap: float) -> Widths:
                return lambda height: {
                    box: wide if room * across >= height + gap else 0.0
                    for box, room in found.items()
                }

            return in_rows(beside, _GAP), in_rows(rooms.between, _LOW_LANE)

        def inside(found: Mapping[Any, float], gap: float) -> dict[Any, float]:
            return {box: min(room * across, _WIDEST) - PAD - gap for box, room in found.items()}

        # Lines that would run through a box, and have to go round it, need lanes.
        return (
            lambda height: inside(rooms.beside_lines((height / 2 + _FRAME) / up), _GAP),
            lambda _: inside(rooms.between, _LANE),
        )

    def _fitted(self, room: Widths, size: float) -> dict[Any, str] | None:
        """Return labels in as few lines as they fit, empty if in none; None if no line fits."""
        found = dict.fromkeys(self.words, "")
        missing = list(self.words)
        highest = _TALLEST if self.scale.is_right else _HIGHEST * self.scale.up
        most = int((highest - PAD) / (LINE * size))
        for n_lines in range(1, most + 1):
            wide = room(n_lines * LINE * size + PAD)
            for box in missing:
                lines = _lines(self.words[box], size=size, width=wide[box])
                found[box] = "\n".join(lines) if len(lines) <= n_lines else ""
            missing = [box for box in missing if not found[box]]
            if all(len(self.words[box].parts) <= n_lines for box in missing):
                break
        return found if most else None

    def _shortened(self, rooms: Widths, width: float) -> Lettering | None:
        """Return shortened labels with a key, or None if there is no room for either."""
        texts = self._fitted(rooms, SHORT)
        room = rooms(LINE * SHORT + PAD)
        unwritten = {box: self.words[box].text for box, text in (texts or {}).items() if not text}
        if texts is None or any(room[box] < _LEAST for box in unwritten):
            return None
        short = [shortened(unwritten[box], size=SHORT, longest=room[box]) for box in unwritten]
        taken = set(texts.values())
        for number, (box, text) in enumerate(zip(unwritten, short, strict=True), start=1):
            # A name that says nothing, or that another has, gives way to a number.
            is_clear = len(text) > 4 and short.count(text) == 1 and text not in taken
            texts[box] = text if is_clear else f"({number})"
        if any(width_of(texts[box], size=SHORT) > room[box] for box in unwritten):
            return None
        found = Lettering(SHORT, texts, key=[(texts[box], text) for box, text in unwritten.items()])
        lines = len(found.key_lines(found.key_width(width)))
        across, up, is_right = self.scale
        height = self.shape.span * across if is_right else self.shape.n_levels * up
        return found if lines * LINE * SHORT <= height else None

    def _of_every_kth(self) -> Lettering:
        """Return labels for one item in k on one level in j, both as small as can be."""
        across, up, is_right = self.scale
        layout = self.shape.layout
        names = {box: _at_dot(self.words[box]) for box in layout}
        wide = {box: width_of(name, size=_DOTTED) + 3 for box, name in names.items()}
        high = LINE * _DOTTED + 4
        deep = max(wide.values(), default=0.0) + LARGEST_DOT + 2 if is_right else high
        j = min(max(1, ceil(deep / max(up, 1e-9))), self.shape.n_levels)
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

    def _of_some(self, first: Collection[Any]) -> Lettering:
        """Return labels for as many highlighted boxes as have room, and for no others."""
        layout, scale = self.shape.layout, self.scale
        texts: dict[Any, str] = {}
        at_left = set()
        point = np.array([scale.across, scale.up])
        covered = _inked(layout, first) * point
        taken: list[tuple[Floats, Floats]] = []
        for box in (box for box in layout if box in first):
            text = _at_dot(self.words[box])
            half = np.array([width_of(text, size=_DOTTED) + 1, LINE * _DOTTED + 1]) / 2
            aside = np.array([half[0] + dot_size(scale) / 2 + 2, 0])
            if scale.is_right:
                half, aside = half[::-1], -aside[::-1]
            dot = np.array(layout[box]) * point
            free = [
                (np.count_nonzero(np.all(np.abs(covered - middle) < half, axis=1)), -side, middle)
                for side, middle in ((side, dot + side * aside) for side in (1, -1))
                if all(np.any(np.abs(middle - at) - own - half >= 1) for at, own in taken)
            ]
            if free:
                _, side, middle = min(free, key=lambda found: found[:2])
                texts[box] = text
                taken.append((middle, half))
                if side > 0:
                    at_left.add(box)
        share = "all" if len(texts) == len(first) else f"{len(texts)} of {len(first)}"
        how: dict[str, Any] = {"is_inside": False, "is_beside": True}
        note = f"{share} highlighted"
        return Lettering(_DOTTED, texts, at_left=frozenset(at_left), note=note, **how)


def _lines(words: Words, *, size: float, width: float) -> list[str]:
    """Return the words of a box's label in lines of that width, none if a word is wider."""
    if any(width_of(part, size=size) > width for part in words.parts):
        return []
    return in_lines(words.parts, width, size=size, join=words.join, end=words.join.rstrip())


def dot_size(scale: Scale) -> float:
    """Return the width of a dot that has its label beside it, in points."""
    return min(LARGEST_DOT, max(1.5, _DOT * min(scale.across, scale.up)))


def _at_dot(words: Words) -> str:
    """Return the label beside a dot, shortened."""
    return shortened(words.text, size=_DOTTED, longest=_BESIDE)


def _fits_beside(layout: HasseLayout, texts: Mapping[Any, str], across: float) -> bool:
    """Say whether each label has room between its dot and the next one on its level."""
    return all(
        width_of(texts[here], size=_DOTTED) <= (layout[there][0] - layout[here][0]) * across - 10
        for items in layout.levels
        for here, there in pairwise(items)
        if here in texts
    )


def _inked(layout: HasseLayout, chosen: Collection[Any]) -> Floats:
    """Return points on the lines between some boxes, which labels at dots should not cover."""
    way = np.linspace(0, 1, 12)[:, None]
    found = [np.array([layout[box] for box in layout if box in chosen]).reshape(-1, 2)]
    for u, v in layout.edges:
        if u in chosen and v in chosen:
            path = np.array(layout.path(u, v))
            found += [here + way * (there - here) for here, there in pairwise(path)]
    return np.concatenate(found)
