"""Tables of results, as text, HTML, CSV, LaTeX or Arrow.

A `Table` can be written as text for a terminal, HTML for a notebook, CSV for other programs, LaTeX
for a paper, and an Arrow stream for DataFrame libraries. Text, HTML and LaTeX show floats with four
significant digits; the others keep all digits. A `Tabular` result is displayed as a table;
`Columns` is a result that consists of named columns.

`Table`, `Tabular`, `Columns`, `html_of`, `cell_text`, `printable`, `_are_numbers`, `LATEX_SIGNS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import bidirectional, category, east_asian_width

from porank.core.arguments import load
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray


#: Characters that LaTeX does not print as they are. A bracket or star that follows the end of a row
#: would be read as an argument of ``\\``, unless it is in braces.
LATEX_SIGNS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",
        "*": "{*}",
        "\n": " ",
        "\r": " ",
    }
    | {letter: f"\\{letter}" for letter in "&%$#_{}"}
)
#: Unicode categories of characters that end a line, control a terminal or cannot be encoded.
_CONTROLS = {"Cc", "Cs", "Zl", "Zp"}
#: Bidirectional control characters, which can display a line in a misleading order.
_DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
#: Unicode categories of characters that take no width of their own.
_ZERO_WIDTH = {"Mn", "Me", "Cf"}


@dataclass(frozen=True)
class Table:
    """Rows under named columns, with an optional title."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    title: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "rows", tuple(map(tuple, self.rows)))
        if not self.columns:
            raise PorankError("expected a table with at least one column, found none")
        for number, row in enumerate(self.rows, start=1):
            if len(row) != len(self.columns):
                raise PorankError(
                    f"expected {len(self.columns)} cells in each row of the table, "
                    f"found {len(row)} in row {number}"
                )

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_text(self) -> str:
        """Return the table as text for a terminal: aligned columns, numbers to the right."""
        lines = zip(*map(_aligned, self._text_columns()), strict=True)
        text = ["  ".join(line).rstrip() for line in lines]
        return "\n".join([printable(self.title), *text] if self.title else text)

    def to_html(self) -> str:
        """Return the table as HTML, with all text escaped."""
        first, *others = self._text_columns()
        columns = [_html_cells(first, "row"), *(_html_cells(column, "") for column in others)]
        header, *rows = (f"<tr>{''.join(cells)}</tr>" for cells in zip(*columns, strict=True))
        style = "text-align: left; white-space: nowrap"
        caption = [f'<caption style="{style}">{escape(self.title)}</caption>'] if self.title else []
        head = ["<table>", *caption, "<thead>", header, "</thead>"]
        return "\n".join([*head, "<tbody>", *rows, "</tbody>", "</table>"])

    def to_csv(self) -> str:
        """Return the table as CSV without its title, with all digits of numbers."""
        from porank.core.csv_cells import spell_rows

        rows = (self.columns, *self.rows)
        return spell_rows((["" if c is None else str(c) for c in row] for row in rows), ",")

    def to_latex(self) -> str:
        r"""Return the table as a LaTeX tabular; with a title, in a table with a caption."""
        columns = self._text_columns()
        alignment = "".join("lr"[column.right] for column in columns)
        cells = [[cell.translate(LATEX_SIGNS) for cell in column.cells] for column in columns]
        header, *rows = (" & ".join(row) + r" \\" for row in zip(*cells, strict=True))
        ruled = [r"\hline", header, r"\hline", *rows, *[r"\hline"] * bool(rows)]
        lines = [f"\\begin{{tabular}}{{{alignment}}}", *ruled, r"\end{tabular}"]
        if self.title:
            caption = f"\\caption{{{self.title.translate(LATEX_SIGNS)}}}"
            lines = [r"\begin{table}", r"\centering", caption, *lines, r"\end{table}"]
        return "\n".join(lines)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _arrow_stream(self.columns, self._cells(), requested_schema)

    def _cells(self) -> Sequence[Sequence[object]]:
        return list(zip(*self.rows, strict=True)) or [()] * len(self.columns)

    def _text_columns(self) -> list[_Column]:
        return [
            _Column([str(name), *map(cell_text, cells)], right=_are_numbers(cells))
            for name, cells in zip(self.columns, self._cells(), strict=True)
        ]


class _Column(NamedTuple):
    """The texts of a column, with its name first, and whether they are right-aligned."""

    cells: list[str]
    right: bool


def _are_numbers(cells: Sequence[object]) -> bool:
    """Return whether all filled cells of a table's column are numbers, and there is one."""
    filled = [cell for cell in cells if cell is not None]
    return bool(filled) and all(isinstance(c, Real) and not isinstance(c, bool) for c in filled)


def cell_text(cell: object) -> str:
    """Format a cell of a table for display: floats with four significant digits."""
    if cell is None:
        return ""
    if isinstance(cell, Fraction) and cell.denominator > _LONG:
        return share_text(cell, digits=4)
    if not isinstance(cell, float):
        return str(cell)
    text = f"{cell:.4g}"
    is_rounded = text.removeprefix("-").isdecimal() and float(text) != cell
    return f"{cell:#.4g}" if is_rounded and abs(cell) < 999.5 else text


#: Fractions with larger denominators are shown as decimals.
_LONG = 10**6


def share_text(share: Fraction, *, digits: int) -> str:
    """Format a share for a table; if it would show as 1 but is less, as ``1 - rest``."""
    rest = 1 - share
    if 0 < rest < Fraction(1, 10**digits):
        # The rest can be smaller than the smallest float.
        return f"1 - {float(rest):.2g}" if float(rest) else "1 - 0.000..."
    return f"{float(share):.{digits}g}"


def printable(text: str) -> str:
    """Escape the characters that would break a line of a printed table."""
    return "".join(
        letter.encode("unicode_escape").decode() if _is_control(letter) else letter
        for letter in text
    )


def _is_control(letter: str) -> bool:
    return category(letter) in _CONTROLS or bidirectional(letter) in _DIRECTIONS


def _width(text: str) -> int:
    """Return the number of terminal columns that a text of a table takes."""
    return sum(
        0 if category(letter) in _ZERO_WIDTH else 2 if east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _aligned(column: _Column) -> list[str]:
    """Return the name of a table's column, a rule and the cells, padded to the same width."""
    cells = list(map(printable, column.cells))
    widest = max(map(_width, cells))
    cells.insert(1, "-" * widest)
    gaps = [" " * (widest - _width(cell)) for cell in cells]
    pairs = zip(gaps, cells, strict=True)
    return [gap + cell if column.right else cell + gap for gap, cell in pairs]


def _html_cells(column: _Column, scope: str) -> list[str]:
    """Return the cells of a table's column in HTML, as headings if there is a `scope`."""
    # Align texts, too, because JupyterLab right-aligns all cells.
    style = f' style="text-align: {"right" if column.right else "left"}"'
    name, *cells = (escape(printable(cell)) for cell in column.cells)
    heading = f' scope="{scope}"' if scope else ""
    tag = "th" if scope else "td"
    return [
        f'<th scope="col"{style}>{name}</th>',
        *(f"<{tag}{heading}{style}>{cell}</{tag}>" for cell in cells),
    ]


def _arrow_stream(names: Sequence[str], columns: Iterable[Any], requested_schema: Any) -> Any:
    """Return a table as an Arrow stream, which polars, pandas, DuckDB and pyarrow can read."""
    arrow = load("pyarrow")
    arrays = [_arrow_array(arrow, column) for column in columns]
    return arrow.table(arrays, names=list(names)).__arrow_c_stream__(requested_schema)


def _arrow_array(arrow: Any, cells: Any) -> Any:
    """Return a table's column as an Arrow array; a column of mixed types becomes texts."""
    if getattr(cells, "dtype", None) not in (None, object):
        return arrow.array(cells)
    cells = [float(cell) if isinstance(cell, Fraction) else cell for cell in cells]
    kinds = {type(cell) for cell in cells if cell is not None}
    try:
        if kinds == {int, float} or not (len(kinds) > 1 or kinds & {tuple, frozenset}):
            return arrow.array(cells)
    except (arrow.ArrowException, OverflowError):
        pass  # an integer too large for Arrow, or an unknown type
    return arrow.array([None if cell is None else str(cell) for cell in cells])


def html_of(properties: Mapping[str, object]) -> str:
    """Return the properties of a small result as an HTML table."""
    rows = [(name.replace("_", " "), value) for name, value in properties.items()]
    return Table(("property", "value"), rows).to_html()


class Columns:
    """A result that consists of named columns of equal length."""

    columns: dict[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        if name not in self.columns:
            raise KeyError(f"expected one of {listed(self.columns, limit=100)}, found {name!r}")
        return self.columns[name]

    def keys(self) -> list[str]:
        """Return the names of the columns; ``dict`` and DataFrames use it."""
        return list(self.columns)

    def __len__(self) -> int:
        """Return the number of rows."""
        return next(iter(self.columns.values())).size

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as tuples of plain Python values."""
        return zip(*(column.tolist() for column in self.columns.values()), strict=True)

    def to_frame(self) -> Any:
        """Return the columns as a pandas DataFrame."""
        return load("pandas", "scale").DataFrame(dict(self.columns))

    def to_csv(self) -> str:
        """Return the rows as CSV with a header."""
        return Table(self.keys(), list(self)).to_csv()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _arrow_stream(self.keys(), self.columns.values(), requested_schema)


class Tabular(ABC):
    r"""A result that is displayed as a table, in a terminal or notebook."""

    @abstractmethod
    def to_table(self) -> Table:
        """Return the result as a table."""

    def notes(self) -> list[str]:
        """Return the sentences to print below the table."""
        return []

    def to_text(self) -> str:
        """Return the table as text."""
        return self.to_table().to_text()

    def to_csv(self) -> str:
        """Return the table as CSV, with all digits of numbers."""
        return self.to_table().to_csv()

    def to_latex(self) -> str:
        """Return the table as LaTeX."""
        return self.to_table().to_latex()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.to_table().__arrow_c_stream__(requested_schema)

    def __str__(self) -> str:
        return "\n".join([self.to_text(), *self.notes()])

    def _repr_html_(self) -> str:
        notes = [f"<p>{escape(note)}</p>" for note in self.notes()]
        return "\n".join([self.to_table().to_html(), *notes])
