"""Fonts: which of them has a character, and how wide texts are.

Idea: *a character that the chosen fonts lack comes from another installed font.* Matplotlib takes
each character from the first font of a list that has it, so texts get the families of the setting
``font.family``, then one for each script that these lack. `families_for` returns this list,
`has_font` tells whether there is a font at all, `spelled` writes what has none, `warn_of` names
fonts to install, and `width_of` measures.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from porank.drawing.style import SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Fonts that Matplotlib cannot draw, or with a box for each character.
_UNUSABLE = "Emoji", "Last Resort", "LastResort", "Blank"
#: The scripts of which one font has all characters, by the first word of a character's name.
_JOINT = dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"), "CJK")
#: Unicode names that end with the sound of a character, such as "HIRAGANA LETTER KA".
_SOUND = re.compile("(?:[A-Z]+ SYLLABLE|(?:HIRAGANA|KATAKANA) LETTER(?: SMALL)?) ([A-Z]+)")


def families_for(text: str) -> list[str]:
    """Return the font families for a text: those set by the user, then those that it needs."""
    chosen = _chosen()
    if text.isascii():
        return [*chosen]
    lacking = sorted({sign for sign in text if ord(sign) not in _signs(chosen)})
    return [*chosen, *filter(None, dict.fromkeys(map(_family_with, lacking)))]


def has_font(sign: str) -> bool:
    """Return whether an installed font has a character."""
    return ord(sign) in _signs(_chosen()) or bool(_family_with(sign))


def spelled(sign: str) -> str:
    """Return a character as its sound, if its Unicode name tells it, or escaped as in Python."""
    sound = _SOUND.fullmatch(unicodedata.name(sign, ""))
    return sound[1].lower() if sound else ascii(sign)[1:-1]


def warn_of(signs: Iterable[str]) -> None:
    """Warn once of characters that no installed font has, and name fonts that have them."""
    fonts = " and ".join(sorted({repr(_font_for(sign)) for sign in signs}))
    if fonts:
        _warn(fonts)


def _font_for(sign: str) -> str:
    """Return the name of a free font that has a character."""
    name = unicodedata.name(sign, "UNKNOWN")
    script = _JOINT.get(name.split()[0], name.split()[0].title())
    is_letter = unicodedata.category(sign)[0] in "LM"
    return f"Noto Sans {script}" if is_letter else "Noto Emoji"


@lru_cache
def _warn(fonts: str) -> None:
    """Warn once for these fonts."""
    remark = "no installed font has some characters, which are written by their sound or as escapes"
    where = "found on Debian and Ubuntu in the packages fonts-noto"
    warnings.warn(f"{remark}; to have them drawn, install {fonts}, {where}", stacklevel=2)


def _chosen() -> tuple[str, ...]:
    """Return the font families set by the user."""
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


@lru_cache(maxsize=10_000)
def _family_with(sign: str) -> str:
    """Return the first installed family that has a character, or an empty text."""
    from matplotlib.font_manager import get_font

    fonts = _installed().items()
    code = ord(sign)
    return next((name for name, path in fonts if get_font(path).get_char_index(code)), "")


@lru_cache(maxsize=1)
def _installed() -> dict[str, str]:
    """Return a file of each installed family, sans-serif ones first."""
    from matplotlib.font_manager import findSystemFonts, fontManager

    # Matplotlib's own list lacks fonts that were installed after it was made.
    for path in {*findSystemFonts()} - {font.fname for font in fontManager.ttflist}:
        try:
            fontManager.addfont(path)
        except Exception:  # FreeType's errors for broken files differ.
            continue
    paths = {font.name: font.fname for font in fontManager.ttflist}
    usable = [name for name in paths if not any(word in name for word in _UNUSABLE)]
    usable.sort(key=lambda name: ("Sans" not in name, name))
    return {name: paths[name] for name in usable}


def width_of(text: str, *, size: float = SMALL) -> float:
    """Return the width of a text in points, without kerning."""
    return size * _measured(text, tuple(families_for(text)))


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
    measured = text_to_path.get_text_width_height_descent
    alone, parted = (measured(text, font, ismath=False)[0] for text in ("||", f"|{sign}|"))
    return float(parted - alone)
