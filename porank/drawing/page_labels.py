"""What items are called on a page: text for a browser, which has signs for every script."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from porank.core.graphs import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.typing import Item

#: Signs that would turn the text around them.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def page_labels(items: Iterable[Item]) -> list[str]:
    r"""Return a text in one line for each item, different for different items.

    What has no sign is written as in Python, and so are items that look alike, such as ``1`` and
    ``"1"``; those that still do are numbered.

    Examples
    --------
    >>> page_labels(["tea", 1, "1", "", "two\nlines", "\x00", "<b>"])
    ['tea', '1', "'1'", "''", 'two lines', '\\x00', '<b>']
    >>> page_labels([frozenset("ba")])
    ['{a, b}']

    Notes
    -----
    Time O(1) for each letter.
    """
    named = list(items)
    plain = list(map(plain_label, named))
    often = Counter(plain)
    written = [
        _visible(repr(item)) if often[text] > 1 or not text else text
        for item, text in zip(named, plain, strict=True)
    ]
    return _numbered(written)


def _numbered(texts: list[str]) -> list[str]:
    """Return the texts, those that come up again with numbers that make each a new one."""
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


def plain_label(item: object) -> str:
    r"""Return the text of an item in one line; the members of a set stand in order.

    Examples
    --------
    >>> print(plain_label("a\tb"), plain_label("\ud800"))
    a b \ud800
    """
    if isinstance(item, frozenset):
        return f"{{{', '.join(map(plain_label, in_order(item)))}}}"
    return _visible(" ".join(str(item).split()))


def _visible(text: str) -> str:
    """Return the text with an escape for what has no sign or turns what stands beside it."""
    return "".join(
        repr(sign)[1:-1] if unicodedata.category(sign) in ("Cc", "Cs") or sign in _TURNING else sign
        for sign in text
    )
