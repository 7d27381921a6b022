"""What the first line of a table says: which columns have the pairs, or the items and ranks.

Idea: *a header that is not understood must not become an item.* A first line of unknown names that
occur nowhere below is taken for a header, and numbers beside names for ranks: both are errors that
tell the way out.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from porank.build.files.cells import read_lines
from porank.build.files.problems import BROKEN_BYTE, Problems
from porank.errors import ParseError
from porank.wording import listed

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator, Sequence

#: What a table may call the preferred item and the other one.
PAIRS = (("preferred", "other"), ("better", "worse"), ("winner", "loser"), ("chosen", "rejected"))
_NUMBERS = {"score", "grade"}
_NUMBER = re.compile(r"\s*[+-]?[0-9]*\.?[0-9]+\s*")


def pair_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of the preferred item and the other one, as they are written.

    Examples
    --------
    >>> pair_columns(["user", "Winner", "Loser"]), pair_columns(["tea", "milk"])
    (('Winner', 'Loser'), None)
    """
    known = _by_plain_name(names)
    return next(((known[u], known[v]) for u, v in PAIRS if {u, v} <= set(known)), None)


def rank_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of the item and its rank; of two columns one may have any name.

    Examples
    --------
    >>> rank_columns(["drink", "rank"]), rank_columns(["user", "item", "rank"])
    (('drink', 'rank'), ('item', 'rank'))
    """
    known = _by_plain_name(names)
    if "rank" not in known:
        return None
    others = [name for name in names if name != known["rank"]]
    item = known.get("item", others[0] if len(names) == 2 and others else None)
    return (item, known["rank"]) if item else None


def _by_plain_name(names: Sequence[str]) -> dict[str, str]:
    return {name.strip().lower(): name for name in names}


def number_column(names: Sequence[str]) -> str | None:
    """Return the column that has a number for each pair, `weight` before `support`.

    Examples
    --------
    >>> number_column(["preferred", "other", "Support"]), number_column(["better", "worse"])
    ('Support', None)
    """
    known = _by_plain_name(names)
    return known.get("weight", known.get("support"))


def text_of(source: io.BytesIO) -> str:
    r"""Return the text of a table, for a look at it; whoever reads it says where it is none.

    Examples
    --------
    >>> import io
    >>> text_of(io.BytesIO(b"\xef\xbb\xbfa,b"))
    'a,b'
    """
    return source.getvalue().decode("utf-8-sig", "surrogateescape")


def rows_of(source: io.BytesIO, delimiter: str) -> Iterator[list[str]]:
    """Yield the rows of a table, as far as it is one; whoever reads it says where it is wrong."""
    for line in read_lines(text_of(source), delimiter, Problems("report")):
        yield line.fields


def require_known(source: io.BytesIO, delimiter: str) -> None:
    r"""Raise an error if a table without a known header seems to have another, or ranks.

    Examples
    --------
    >>> import io
    >>> require_known(io.BytesIO(b"a,b\nb,c\n"), ",")
    >>> require_known(io.BytesIO(b"one,two\na,b\nb,c\n"), ",")
    Traceback (most recent call last):
    porank.errors.ParseError: expected the columns preferred, other or item, rank, found 'one',
    'two' in the first line and in no other; rename them, or --from pairs takes them as a pair
    """
    first = next(rows_of(source, delimiter), [])
    plain = {cell.strip().lower() for cell in first}
    if len(first) not in (2, 3) or BROKEN_BYTE.search("".join(first)):
        return
    name = getattr(source, "name", "")
    expected = f"{name}: " if name else ""
    if plain & set(PAIRS[0]):
        pairs = "; ".join(map(", ".join, PAIRS))
        raise ParseError(
            f"{expected}expected two columns that go together, {pairs}; found {listed(first)}"
        )
    expected += f"expected the columns preferred, other or item, rank, found {listed(first)}"
    is_header = _is_header(source, delimiter)
    if plain & _NUMBERS and (is_header or "item" in plain):
        raise ParseError(f"{expected}; porank evaluate takes such tables")
    if _has_ranks(source, delimiter):
        raise ParseError(
            f"{expected} in the first line, and numbers in all of the second column; --from ranks "
            "says that they are ranks, 1 the best, --from pairs that they are items"
        )
    if is_header:
        raise ParseError(
            f"{expected} in the first line and in no other; rename them, or --from pairs takes "
            "them as a pair"
        )


def _has_ranks(source: io.BytesIO, delimiter: str) -> bool:
    """Say whether all rows are a name and a number, but for the first, which may be a header."""
    rows = rows_of(source, delimiter)
    found = any(map(_is_rank, islice(rows, 1)))
    for row in rows:
        found = _is_rank(row)
        if not found:
            return False
    return found


def _is_rank(row: list[str]) -> bool:
    return len(row) == 2 and not _NUMBER.fullmatch(row[0]) and bool(_NUMBER.fullmatch(row[1]))


def _is_header(source: io.BytesIO, delimiter: str) -> bool:
    """Say whether there are more rows, and nothing in them that stands in the first."""
    rows = rows_of(source, delimiter)
    first = set(next(rows, [])[:2])
    if any(map(_NUMBER.fullmatch, first)):
        return False
    number = 0
    for row in rows:
        number += 1
        if first & set(row[:2]):
            return False
    return number > 0
