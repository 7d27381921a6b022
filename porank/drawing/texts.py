r"""Texts that fit, in characters that fonts have: distinct, shortened, broken into lines.

Characters that no installed font has are written by their sound, か as ``ka``, or escaped as in
Python, ``\u6f22``. A dollar sign is a plain character, and does not start a formula.

Functions: `names_of`, `widest_name`, `numbered`, `in_one_line`, `label_text`, `threshold_text`;
`shortened`, `shortened_apart`, `in_lines`, `list_of`.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from typing import TYPE_CHECKING

from porank.core.graphs import without_chance, written
from porank.core.tables import share_text
from porank.drawing.fonts import has_font, spelled, warn_of, width_of
from porank.drawing.style import SMALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    from porank.typing import Item


#: Maximum width of a name in points, about 24 letters, and of those of a pair, as a multiple.
LONGEST, PAIR = 110.0, 1.5


def names_of(items: Iterable[Item], *, size: float = SMALL, longest: float = LONGEST) -> list[str]:
    r"""Return a text of at most this width for each item; different items get different texts."""
    names = shortened_apart(_drawable(map(in_one_line, items)), size=size, longest=longest)
    return [text.replace("$", r"\$") for text in names]


def shortened_apart(texts: list[str], *, size: float = SMALL, longest: float) -> list[str]:
    """Return texts shortened to this width in points, numbered if some become equal."""
    return numbered([shortened(text, size=size, longest=longest) for text in texts])


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


def names_of_pairs(
    pairs: Iterable[tuple[Item, Item]], *, join: str = " > ", longest: float = LONGEST
) -> list[str]:
    """Return a text for each pair, in which a long name has the room that a short one leaves."""
    room, texts = PAIR * longest - width_of(join), []
    for pair in pairs:
        one, other = _drawable(map(in_one_line, pair))
        rest = (max(room / 2, room - width_of(text)) for text in (other, one))
        texts.append(join.join(shortened(text, longest=next(rest)) for text in (one, other)))
    return [text.replace("$", r"\$") for text in numbered(texts)]


def widest_name(items: Sequence[Item], *, longest: float = LONGEST) -> float:
    """Return the width of the widest of the first 200 names, in points."""
    return max(map(width_of, names_of(items[:200], longest=longest)), default=0.0)


def label_text(item: object) -> str:
    """Return the name of an item as text in which a dollar sign does not start a formula."""
    return _drawable([in_one_line(item)])[0].replace("$", r"\$")


def in_one_line(item: object, is_seen: Callable[[str], bool] = str.isprintable) -> str:
    """Return a name as text in one line, with invisible characters escaped as in Python."""
    text = " ".join(written(without_chance(item), str).split()) or repr(item)
    return "".join(sign if is_seen(sign) else ascii(sign)[1:-1] for sign in text)


def _drawable(texts: Iterable[str]) -> list[str]:
    """Return texts in characters that fonts have; one warning tells of all others."""
    texts = list(texts)
    lacking = {sign for sign in set().union(*texts) if not (sign.isascii() or has_font(sign))}
    warn_of(lacking)
    written = str.maketrans({sign: spelled(sign) for sign in lacking})
    return [text.translate(written) for text in texts]


def shortened(text: str, *, size: float = SMALL, longest: float = LONGEST) -> str:
    """Return a text shortened in its middle to at most this width in points."""
    if width_of(text, size=size) <= longest:
        return text
    # An escape counts as one character, so it is not cut.
    signs = re.findall(r"\\(?:U.{8}|u.{4}|x..|.)|.", text)

    def width(kept: int) -> float:
        return width_of(_without_middle(signs, kept), size=size)

    return _without_middle(signs, bisect(range(1, len(signs)), longest, key=width))


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


def list_of(heading: str, texts: Sequence[str]) -> list[str]:
    """Return a heading and a list with commas, in parts after which a line may end."""
    return [*heading.split(), *(f"{text}," for text in texts[:-1]), texts[-1]]


def threshold_text(alpha: Fraction | None) -> str:
    """Return the text of a threshold: a short fraction, or enough digits to differ from 1/2."""
    if alpha is None or alpha.denominator < 100:
        return str(alpha)
    texts = (share_text(alpha, digits=digits) for digits in range(3, 18))
    return next((text for text in texts if text != "0.5"), "0.5")
