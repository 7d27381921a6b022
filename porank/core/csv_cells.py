"""Write CSV cells, read numbers in them, and recognize delimiters and headers.

Blanks around a cell are not part of it.

Cells: `spell_rows`, `read_number`. First rows: `choose_delimiter`, `require_columns`; `plain_name`
simplifies the name of a column for comparison, and so do `by_plain_name`, `pair_columns`,
`rank_columns`, `number_column`, `counts_pairs`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from porank.errors import ParseError, PorankError, plain_text, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable


def _spell_cell(text: str, delimiter: str) -> str:
    """Write a CSV cell, quoted if it contains special characters or starts or ends with a blank."""
    is_bare = text == text.strip(" ")
    if not is_bare or any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return _quoted(text)
    return text


def spell_rows(rows: Iterable[Iterable[str]], delimiter: str) -> str:
    """Write rows of cells as CSV; a row of one empty cell is quoted, or it would be blank."""
    lines = (delimiter.join(_spell_cell(cell, delimiter) for cell in row) for row in rows)
    return "".join(f"{line or _quoted('')}\n" for line in lines)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


_IN_QUOTES = re.compile(r'"(?:[^"]|"")*"')
#: Delimiters to look for, in this order.
_SIGNS = ";\t|,"


def choose_delimiter(delimiter: Any, name: str, text: str = "") -> str:
    r"""Return the given delimiter, or by default the one that the CSV file appears to use."""
    if delimiter is None:
        usual = "\t" if PurePath(name).suffix.lower() in (".tsv", ".tab") else ","
        bare = next(filter(str.strip, _IN_QUOTES.sub("", text).splitlines()), "")
        return usual if usual in bare else next(filter(bare.__contains__, _SIGNS), usual)
    if not isinstance(delimiter, str) or not re.fullmatch(r"[\t -!#-~]", delimiter):
        raise PorankError(f"expected a single character as delimiter, found {delimiter!r}")
    return delimiter


def require_columns(columns: Any, *, most: int, positions: bool = True) -> None:
    """Raise an error unless the names or positions given for columns of a CSV file are distinct."""
    given = columns if isinstance(columns, Sequence) and not isinstance(columns, str) else ()
    kinds = set(map(type, given))
    are_right = kinds == {str} or (positions and kinds == {int} and min(given) >= 0)
    if not are_right or not 2 <= len(set(given)) == len(given) <= most:
        count = "two" if most == 2 else "two or three"
        instead = ", or as many positions from 0 on," if positions else ""
        raise PorankError(
            f"expected {count} different names{instead} as columns, found {columns!r}"
        )


def read_number(text: str, what: str, *, least: float = -math.inf) -> int | float:
    """Read a CSV cell as a finite number of at least `least`; an integer is returned as int."""
    plain, number = text.strip(), math.nan
    with suppress(ValueError):
        number = float("" if "_" in plain else plain)
    if not least <= number < math.inf or math.isinf(number):
        bound = "" if math.isinf(least) else f" >= {least}"
        raise ParseError(f"expected a finite number{bound} as {what}, found {quoted(plain)}")
    # Python takes no more digits for a whole number; what is longer begins with zeros.
    return int(plain) if plain.lstrip("+-").isdecimal() and len(plain) < 1000 else number


#: Characters that are ignored when names of columns are compared.
_FILLERS = str.maketrans("", "", "_- .")


def plain_name(name: Any) -> str:
    """Return a column name for comparison: lower case, without blanks, ``_``, ``-`` and ``.``."""
    text = plain_text(name).lower()
    return text.translate(_FILLERS) or text


#: Usual names for the columns of the preferred item and the other one.
_PAIRS = (
    *(("preferred", "other"), ("better", "worse"), ("winner", "loser"), ("chosen", "rejected")),
    *(("best", "worst"), ("top", "bottom")),
)


def pair_columns(names: Collection[Any]) -> tuple[str, str] | None:
    """Return the columns of the preferred item and the other one in a CSV header."""
    known = by_plain_name(names)
    return next(((known[u], known[v]) for u, v in _PAIRS if {u, v} <= set(known)), None)


def rank_columns(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the columns of the item and its rank in a CSV header."""
    known = by_plain_name(names)
    if "rank" not in known:
        return None
    others = [name for name in names if name != known["rank"]]
    item = known.get("item", others[0] if len(names) == 2 and others else None)
    return (item, known["rank"]) if item else None


def by_plain_name(names: Collection[Any]) -> dict[str, Any]:
    """Return the columns by their plain names; of ``Rank`` and ``rank``, the exact one."""
    return {plain_name(name): name for name in names} | {name: name for name in names}


#: Usual names for the column of the number of times that a pair occurs.
COUNTS = ("times", "count", "counts", "n", "wins", "freq", "frequency")


def number_column(names: Collection[Any]) -> Any:
    """Return the column of each pair's number: `weight`, otherwise `support` or a count."""
    known = by_plain_name(names)
    return next((known[name] for name in ("weight", "support", *COUNTS) if name in known), None)


def counts_pairs(column: Any) -> bool:
    """Return whether the numbers of pairs in a column of this name are counts."""
    return plain_name(column) in ("support", *COUNTS)
