"""Words of messages and pictures: lists that end, and numbers with their nouns."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def listed(items: Iterable[object], *, separator: str = ", ", limit: int = 8) -> str:
    """Return the items as text, the first `limit` of them when there are more.

    Examples
    --------
    >>> listed("abc")
    "'a', 'b', 'c'"
    >>> listed(range(100), separator=" > ", limit=3)
    '0 > 1 > 2 > ...'
    """
    shown = [repr(item) for item in islice(items, limit + 1)]
    if len(shown) > limit:
        shown[limit] = "..."
    return separator.join(shown)


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun, in the plural unless it is one.

    Examples
    --------
    >>> counted(1, "order"), counted(1000, "voter"), counted(0, "query", "queries")
    ('1 order', '1,000 voters', '0 queries')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
