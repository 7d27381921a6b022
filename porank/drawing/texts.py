r"""Texts that fit and that every font can write: names of items, measured and shortened.

What the fonts at hand have no sign for is written as Python would, ``\u6f22``, and never as an
empty box. A dollar sign stands for itself, and begins no formula.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from porank.core.graphs import without_chance
from porank.drawing.style import SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from porank.typing import Item

#: The longest name in points, about 24 letters.
_LONGEST = 110.0


def names_of(items: Iterable[Item], *, size: float = SMALL, longest: float = _LONGEST) -> list[str]:
    r"""Return a name for each item that fits into so many points, different for different items.

    A long name loses its middle. Items that look alike, such as ``1`` and ``"1"``, are written as
    in Python; names that look alike after they were shortened are numbered.

    Parameters
    ----------
    items : iterable
        The items.
    size : float
        Of the text, in points.
    longest : float
        The greatest width, in points.

    Examples
    --------
    >>> names_of(["tea", 1, "1", "", "two\nlines"])
    ['tea', '1', "'1'", "''", 'two lines']
    >>> names_of(["the first of the long names", "the other of the long names"], longest=60)
    ['the firs…names', 'the othe…ames']

    Notes
    -----
    Time O(log k) to measure a name of k letters.
    """
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
    r"""Return the item as text in one line, in signs that the fonts at hand have.

    Examples
    --------
    >>> print(plain_text("Zürich\n2"), plain_text("漢"), plain_text("\x00"))
    Zürich 2 \u6f22 \x00
    """
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
    """Return how wide a text is, in points.

    Examples
    --------
    >>> 0 == width_of("") < width_of("i") < width_of("w") < width_of("ww")
    True
    >>> abs(width_of("tea", size=20) / width_of("tea", size=10) - 2) < 0.1
    True
    """
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
    """Return the text, without its middle if it is wider than so many points.

    Examples
    --------
    >>> shortened("short"), shortened("a rather long name", longest=40)
    ('short', 'a rat…me')
    """
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
    """Return a threshold as a fraction, or in three digits if that would be long.

    Examples
    --------
    >>> from fractions import Fraction
    >>> threshold_text(Fraction(2, 3)), threshold_text(Fraction(1234, 5000)), threshold_text(None)
    ('2/3', '0.247', 'None')
    """
    if alpha is None or alpha.denominator < 100:
        return str(alpha)
    return f"{float(alpha):.3g}"
