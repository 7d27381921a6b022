"""What is written round a picture: its title and the names of its axes, so that they fit.

Texts that fit and that every font can write: names of items, measured and shortened.

What the fonts at hand have no sign for is written as Python would, ``\u6f22``, and never as an
empty box. A dollar sign stands for itself, and begins no formula.

Names of the places along an axis: all, or every k-th where they would overlap.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

from porank.core.graphs import without_chance
from porank.drawing.style import INK, LARGE, NORMAL, SMALL, settle, size_in_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.text import Text

    from porank.typing import Item


@dataclass(frozen=True, eq=False)
class Titles:
    """What is written round a picture."""

    title: str
    x: str = ""
    y: str = ""
    has_ranks: bool = False
    headings: tuple[str, ...] = ()


def caption(ax: Axes, *, title: str, x: str, y: str) -> None:
    """Write what is shown above the Axes, and beside them what the two directions mean."""
    width, height = (1.1 * side for side in size_in_points(ax))
    size = LARGE if width_of(title, size=LARGE) <= width else NORMAL
    if width_of(title, size=size) > width:
        title = _in_two_lines(title, size)
    ax.set_title(title, fontsize=size, color=INK)
    ax.set_xlabel(_without_remark(x, width), fontsize=NORMAL, color=INK)
    ax.set_ylabel(_without_remark(y, height), fontsize=NORMAL, color=INK)


def settle_caption(ax: Axes) -> None:
    """Lay out the figure, and break a title or a name of an axis that would reach beyond it."""
    settle(ax)
    before = [text.get_text() for text in (ax.title, ax.xaxis.label, ax.yaxis.label)]
    figure: Any = ax.figure.figure
    box, dpi = ax.get_window_extent(), figure.dpi
    across = _room((box.x0 + box.x1) / 2, figure.bbox.width) * 72 / dpi
    upwards = _room((box.y0 + box.y1) / 2, figure.bbox.height) * 72 / dpi
    for text, room in ((ax.title, across), (ax.xaxis.label, across), (ax.yaxis.label, upwards)):
        _break(text, room)
    if before != [text.get_text() for text in (ax.title, ax.xaxis.label, ax.yaxis.label)]:
        settle(ax)


def _room(middle: float, length: float) -> float:
    """Return how long a text round that place may be without reaching beyond either end."""
    return 2 * min(middle, length - middle) - 8


def _break(text: Text, room: float) -> None:
    """Write a text that is too wide smaller, and in as many lines as it needs."""
    size = float(text.get_fontsize())
    lines = text.get_text().split("\n")
    if max(width_of(line, size=size) for line in lines) <= room:
        return
    size = min(size, SMALL + 0.5)
    text.set_fontsize(size)
    broken: list[str] = []
    for line in lines:
        own = ""
        for word in line.split(" "):
            longer = f"{own} {word}" if own else word
            if own and width_of(longer, size=size) > room:
                broken.append(own)
                longer = word
            own = longer
        broken.append(own)
    text.set_text("\n".join(broken))


def _without_remark(text: str, room: float) -> str:
    """Return the text, up to the first colon or semicolon if it is too long."""
    if max(width_of(line, size=NORMAL) for line in text.split("\n")) <= room:
        return text
    return re.split("[:;]", text, maxsplit=1)[0]


def _in_two_lines(text: str, size: float) -> str:
    """Return the text broken after the mark that makes the longer of two lines shortest."""
    halves = [
        (text[: mark.start() + 1], text[mark.end() :]) for mark in re.finditer("[:,;] ", text)
    ]
    if not halves:
        return text
    best = min(halves, key=lambda half: max(width_of(line, size=size) for line in half))
    return "\n".join(best)


#: The longest name in points, about 24 letters.
_LONGEST = 110.0


def names_of(items: Iterable[Item], *, size: float = SMALL, longest: float = _LONGEST) -> list[str]:
    r"""Return a name for each item that fits into so many points, different for different items."""
    named = list(items)
    plain = list(map(plain_text, named))
    often = Counter(plain)
    written = [
        plain_text(repr(without_chance(item))) if often[text] > 1 or not text else text
        for item, text in zip(named, plain, strict=True)
    ]
    return [text.replace("$", r"\$") for text in _numbered(written, size, longest)]


def _numbered(written: list[str], size: float, longest: float) -> list[str]:
    """Return the texts shortened, and numbered where they are then alike."""
    short = [shortened(text, size=size, longest=longest) for text in written]
    often = Counter(short)
    seen: Counter[str] = Counter()
    names = []
    for text in short:
        seen[text] += 1
        names.append(f"{text} ({seen[text]})" if often[text] > 1 else text)
    return names


def plain_text(item: object) -> str:
    r"""Return the item as text in one line, in signs that the fonts at hand have."""
    text = " ".join(str(without_chance(item)).split())
    if text.isascii() and text.isprintable():
        return text
    known = _signs(_families())
    return "".join(
        sign
        if ord(sign) in known and (sign.isprintable() or sign == " ")
        else sign.encode("ascii", "backslashreplace").decode()
        if not sign.isascii()
        else repr(sign)[1:-1]
        for sign in text
    )


def _families() -> tuple[str, ...]:
    """Return the families of fonts that text is set in."""
    from matplotlib.font_manager import FontProperties

    return tuple(FontProperties().get_family())


@lru_cache(maxsize=8)
def _signs(families: tuple[str, ...]) -> frozenset[int]:
    """Return the code points that one of the families has a sign for."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    found: set[int] = set()
    for family in families:
        try:
            path = findfont(FontProperties(family=[family]), fallback_to_default=False)
        except ValueError:
            continue
        found.update(get_font(path).get_charmap())
    return frozenset(found)


def width_of(text: str, *, size: float = SMALL) -> float:
    """Return how wide a text is, in points."""
    return _measured(text, size, _families()) if text else 0.0


@lru_cache(maxsize=10_000)
def _measured(text: str, size: float, families: tuple[str, ...]) -> float:
    """Return how wide a text in one of the families is, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(families), size=size)
    measured: Any = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(measured[0])


def shortened(text: str, *, size: float = SMALL, longest: float = _LONGEST) -> str:
    """Return the text, without its middle if it is wider than so many points."""
    if width_of(text, size=size) <= longest:
        return text
    fits, fails = 0, len(text)
    while fails - fits > 1:
        kept = (fits + fails) // 2
        if width_of(_without_middle(text, kept), size=size) <= longest:
            fits = kept
        else:
            fails = kept
    return _without_middle(text, fits)


def _without_middle(text: str, kept: int) -> str:
    """Return the text with so many of its letters, more of them from its beginning."""
    end = kept * 2 // 5
    return f"{text[: kept - end].rstrip()}…{text[len(text) - end :].lstrip()}"


def threshold_text(alpha: Fraction | None) -> str:
    """Return a threshold as a fraction, or in three digits if that would be long."""
    if alpha is None or alpha.denominator < 100:
        return str(alpha)
    return f"{float(alpha):.3g}"


#: The smallest text that can be read, in points.
_SMALLEST = 5.0


def size_for(room: float, *, largest: float = SMALL) -> float:
    """Return the size of text for lines that stand so many points apart."""
    return min(largest, max(_SMALLEST, round(0.8 * room, 2)))


def shown_places(n: int, room: float, *, size: float = SMALL) -> range:
    """Return which of n places, spread over so many points, have a name: all, or every k-th."""
    most = max(1, int(room / (1.15 * size)))
    return range(0, n, max(1, ceil(n / most)))


def name_places(axis: Axis, items: Sequence[Item], room: float, **style: Any) -> str:
    """Name the places 0..n-1 along an axis of so many points; say so if not all have a name."""
    size = size_for(room / max(len(items), 1))
    places = shown_places(len(items), room, size=size)
    names = names_of([items[place] for place in places], size=size)
    axis.set_ticks(list(places), labels=names, fontsize=size, color=INK, **style)
    return note_of(places)


def note_of(shown: range) -> str:
    """Return what is to be said of the places that have a name: nothing if all have."""
    return "" if shown.step == 1 else f"every {_ordinal(shown.step)} named"


def _ordinal(number: int) -> str:
    """Return the number as an ordinal: 1st, 2nd, 3rd, 4th, 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"
