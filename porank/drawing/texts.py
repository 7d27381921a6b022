r"""Texts that fit, in characters that the fonts have: measured, shortened, broken into lines.

Characters that no font has are escaped as in Python, ``\u6f22``, instead of drawn as empty boxes.
A dollar sign is a plain character, and does not start a formula.

Functions: `names_of`, `widest_name`, `distinct_texts`, `numbered`, `escaped`, `label_text`,
`threshold_text`; `width_of`, `shortened`, `shortened_apart`,
`in_lines`.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from porank.core.graphs import without_chance, written
from porank.core.tables import share_text
from porank.drawing.style import SMALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    from porank.typing import Item


#: Maximum width of a name in points, about 24 letters.
_LONGEST = 110.0
#: Maximum number of names to measure.
_MEASURED = 200


def names_of(items: Iterable[Item], *, size: float = SMALL, longest: float = _LONGEST) -> list[str]:
    r"""Return a text of at most this width for each item; different items get different texts."""
    written = distinct_texts(
        list(items), _plain_text, lambda item: _plain_text(repr(without_chance(item)))
    )
    names = shortened_apart(written, size=size, longest=longest)
    return [text.replace("$", r"\$") for text in names]


def shortened_apart(texts: list[str], *, size: float = SMALL, longest: float) -> list[str]:
    """Return texts shortened to this width in points; different texts stay different.

    If some become equal, their common first words are dropped, otherwise they are numbered.
    """
    short = [shortened(text, size=size, longest=longest) for text in texts]
    alike: dict[str, list[list[str]]] = {}
    for text, key in zip(texts, short, strict=True):
        alike.setdefault(key, []).append(text.split(" "))
    n_same = {key: _first_alike(same) if len(same) > 1 else 0 for key, same in alike.items()}
    for k, (text, key) in enumerate(zip(texts, short, strict=True)):
        if n_same[key]:
            rest = f"…{' '.join(text.split(' ')[n_same[key] :])}"
            short[k] = shortened(rest, size=size, longest=longest)
    return numbered(short)


def _first_alike(texts: list[list[str]]) -> int:
    """Return the number of first words that all texts share."""
    columns = zip(*texts, strict=False)
    return sum(1 for _ in takewhile(lambda words: len({*words}) == 1, columns))


def numbered(texts: list[str]) -> list[str]:
    """Return the texts, with numbers added to repeated ones."""
    often = Counter(texts)
    next_number: Counter[str] = Counter()
    labels = []
    for text in texts:
        label = text
        while often[text] > 1 and label in often:
            next_number[text] += 1
            label = f"{text} ({next_number[text]})"
        labels.append(label)
    return labels


def widest_name(items: Sequence[Item]) -> float:
    """Return the width of the widest of the first names, in points."""
    return max(map(width_of, names_of(items[:_MEASURED])), default=0.0)


def distinct_texts(
    items: Sequence[Any], plain: Callable[[Any], str], exact: Callable[[Any], str]
) -> list[str]:
    """Return the plain text of each name, or its `repr` if that is empty or not unique."""
    texts = list(map(plain, items))
    often = Counter(texts)
    return [
        exact(item) if often[text] > 1 or not text else text
        for item, text in zip(items, texts, strict=True)
    ]


def label_text(item: object) -> str:
    """Return the name of an item as text in which a dollar sign does not start a formula."""
    return _plain_text(item).replace("$", r"\$")


def _plain_text(item: object) -> str:
    """Return a name as text in one line, in characters that the fonts have."""
    text = " ".join(written(without_chance(item), str).split())
    if text.isascii() and text.isprintable():
        return text
    known = _signs(_families())
    return escaped(text, lambda sign: ord(sign) in known and sign.isprintable())


def escaped(text: str, is_seen: Callable[[str], bool]) -> str:
    """Return a text with invisible characters escaped as in Python."""
    return "".join(sign if is_seen(sign) else ascii(sign)[1:-1] for sign in text)


def _families() -> tuple[str, ...]:
    """Return the font families for texts."""
    from matplotlib import rcParams

    # Called for each text; faster than `FontProperties`, which gives the same answer.
    return tuple(rcParams["font.family"])


@lru_cache(maxsize=8)
def _signs(families: tuple[str, ...]) -> frozenset[int]:
    """Return the code points that one of the fonts can draw."""
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
    """Return the width of a text in points, without kerning."""
    return size * _measured(text, _families())


@lru_cache(maxsize=10_000)
def _measured(text: str, families: tuple[str, ...]) -> float:
    """Return the width of a text in these families, as a multiple of the font size."""
    return sum(_advance(sign, families) for sign in text)


@lru_cache(maxsize=10_000)
def _advance(sign: str, families: tuple[str, ...]) -> float:
    """Return how far a character moves the next one, as a multiple of the font size."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(families), size=1)
    # Matplotlib measures the ink, so the character is measured between two others. To measure each
    # text as a whole would take a tenth of a millisecond.
    measured: Any = text_to_path.get_text_width_height_descent
    alone, parted = (measured(text, font, ismath=False)[0] for text in ("||", f"|{sign}|"))
    return float(parted - alone)


def shortened(text: str, *, size: float = SMALL, longest: float = _LONGEST) -> str:
    """Return a text shortened in its middle to at most this width in points."""
    if width_of(text, size=size) <= longest:
        return text
    # An escape counts as one character, so it is not cut.
    signs = re.findall(r"\\(?:U.{8}|u.{4}|x..|.)|.", text)
    fits = bisect(
        range(1, len(signs)),
        longest,
        key=lambda kept: width_of(_without_middle(signs, kept), size=size),
    )
    return _without_middle(signs, fits)


def _without_middle(signs: list[str], kept: int) -> str:
    """Return a text shortened to this many characters, more of them from its beginning."""
    end = kept * 2 // 5
    first, last = "".join(signs[: kept - end]), "".join(signs[len(signs) - end :])
    return f"{first.rstrip()}…{last.lstrip()}"


def in_lines(
    parts: Iterable[str], width: float, *, size: float = SMALL, join: str = " "
) -> list[str]:
    """Return parts of a text joined in as few lines of that width as possible."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{join}{part}" if lines else part
        if lines and width_of(longer.rstrip(), size=size) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def threshold_text(alpha: Fraction | None) -> str:
    """Return the text of a threshold: a short fraction, or enough digits to differ from 1/2."""
    if alpha is None or alpha.denominator < 100:
        return str(alpha)
    texts = (share_text(alpha, digits=digits) for digits in range(3, 18))
    return next((text for text in texts if text != "0.5"), "0.5")
