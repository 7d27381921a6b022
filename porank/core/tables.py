"""Tables of results: rows and columns as text, HTML, CSV, LaTeX or Arrow.

A `Table` is made once and written in five ways: as text for a terminal, as HTML for a notebook, as
CSV for another program, as LaTeX for a paper, and as a stream of Arrow for libraries of frames.
Text, HTML and LaTeX show floats with four significant digits; the others keep every digit. A
`Tabular` result is shown as the table it makes; one of `Columns` is its columns, by their names.

`Table`, `Tabular`, `Columns`, `html_of`, `cell_text`, `printable`, `are_numbers`,
`LATEX_SIGNS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from importlib import import_module
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import bidirectional, category, east_asian_width

from porank.core.arguments import load
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray


#: What LaTeX would not print as itself. A bracket or a star after the end of a row would be read as
#: an argument of that end, unless it stands in braces.
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
#: Categories of Unicode that end a line, steer a terminal, or cannot be written at all.
_CONTROLS = {"Cc", "Cs", "Zl", "Zp"}
#: Signs that turn the letters after them round, so that a line reads otherwise than it is.
_DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
#: Categories of Unicode that are drawn over the letter before them, or not at all.
_ZERO_WIDTH = {"Mn", "Me", "Cf"}


@dataclass(frozen=True)
class Table:
    """Rows under named columns, with a title if there is one."""

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
        """Return the table for a terminal: columns aligned, numbers to the right."""
        lines = zip(*map(_aligned, self._text_columns()), strict=True)
        text = ["  ".join(line).rstrip() for line in lines]
        return "\n".join([printable(self.title), *text] if self.title else text)

    def to_html(self) -> str:
        """Return the table as HTML, all text escaped."""
        first, *others = self._text_columns()
        columns = [_html_cells(first, "row"), *(_html_cells(column, "") for column in others)]
        header, *rows = (f"<tr>{''.join(cells)}</tr>" for cells in zip(*columns, strict=True))
        style = "text-align: left; white-space: nowrap"
        caption = [f'<caption style="{style}">{escape(self.title)}</caption>'] if self.title else []
        head = ["<table>", *caption, "<thead>", header, "</thead>"]
        return "\n".join([*head, "<tbody>", *rows, "</tbody>", "</table>"])

    def to_csv(self) -> str:
        """Return the table as CSV without its title, every number in full."""
        from porank.core.csv_cells import spell_rows

        rows = (self.columns, *self.rows)
        return spell_rows((["" if c is None else str(c) for c in row] for row in rows), ",")

    def to_latex(self) -> str:
        r"""Return the table as a LaTeX tabular, in a table with a caption if it has a title."""
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
            _Column([str(name), *map(cell_text, cells)], right=are_numbers(cells))
            for name, cells in zip(self.columns, self._cells(), strict=True)
        ]


class _Column(NamedTuple):
    """A column as it is shown, its name first, and whether its cells are set to the right."""

    cells: list[str]
    right: bool


def are_numbers(cells: Sequence[object]) -> bool:
    """Say whether a column of a table holds numbers and, but for empty cells, nothing else."""
    filled = [cell for cell in cells if cell is not None]
    return bool(filled) and all(isinstance(c, Real) and not isinstance(c, bool) for c in filled)


def cell_text(cell: object) -> str:
    """Format a cell of a table for the eye: floats with four significant digits."""
    if cell is None:
        return ""
    if isinstance(cell, Fraction) and cell.denominator > _LONG:
        return share_text(cell, digits=4)
    if not isinstance(cell, float):
        return str(cell)
    text = f"{cell:.4g}"
    is_rounded = text.removeprefix("-").isdecimal() and float(text) != cell
    return f"{cell:#.4g}" if is_rounded and abs(cell) < 999.5 else text


#: Fractions of larger denominators are shown as decimals.
_LONG = 10**6


def share_text(share: Fraction, *, digits: int) -> str:
    """Return a share as a table's cell, or what it lacks if it is nearly 1 and its digits all 9."""
    rest = 1 - share
    if 0 < rest < Fraction(1, 10**digits):
        # Of no share so near to 1 that the rest is below all floats more can be said.
        return f"1 - {float(rest):.2g}" if float(rest) else "1 - 0.000..."
    return f"{float(share):.{digits}g}"


def printable(text: str) -> str:
    """Escape whatever would break a line of a printed table."""
    return "".join(
        letter.encode("unicode_escape").decode() if _is_control(letter) else letter
        for letter in text
    )


def _is_control(letter: str) -> bool:
    return category(letter) in _CONTROLS or bidirectional(letter) in _DIRECTIONS


def _width(text: str) -> int:
    """Return the number of columns that a terminal gives to a printed table."""
    return sum(
        0 if category(letter) in _ZERO_WIDTH else 2 if east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _aligned(column: _Column) -> list[str]:
    """Return the name of a table's column, a rule, and its cells, padded to one width."""
    cells = list(map(printable, column.cells))
    widest = max(map(_width, cells))
    cells.insert(1, "-" * widest)
    gaps = [" " * (widest - _width(cell)) for cell in cells]
    pairs = zip(gaps, cells, strict=True)
    return [gap + cell if column.right else cell + gap for gap, cell in pairs]


def _html_cells(column: _Column, scope: str) -> list[str]:
    """Return the cells of a table's column in HTML; with a `scope` they are headings."""
    # Said of texts, too: JupyterLab sets all cells to the right.
    style = f' style="text-align: {"right" if column.right else "left"}"'
    name, *cells = (escape(printable(cell)) for cell in column.cells)
    heading = f' scope="{scope}"' if scope else ""
    tag = "th" if scope else "td"
    return [
        f'<th scope="col"{style}>{name}</th>',
        *(f"<{tag}{heading}{style}>{cell}</{tag}>" for cell in cells),
    ]


def _arrow_stream(names: Sequence[str], columns: Iterable[Any], requested_schema: Any) -> Any:
    """Return a table as a stream of Arrow, which polars, pandas, DuckDB and pyarrow take."""
    arrow = import_module("pyarrow")
    arrays = [_arrow_array(arrow, column) for column in columns]
    return arrow.table(arrays, names=list(names)).__arrow_c_stream__(requested_schema)


def _arrow_array(arrow: Any, cells: Any) -> Any:
    """Return a table's column as an array of Arrow: of one type as it is, of several as texts."""
    if getattr(cells, "dtype", None) not in (None, object):
        return arrow.array(cells)
    cells = [float(cell) if isinstance(cell, Fraction) else cell for cell in cells]
    kinds = {type(cell) for cell in cells if cell is not None}
    try:
        if kinds == {int, float} or not (len(kinds) > 1 or kinds & {tuple, frozenset}):
            return arrow.array(cells)
    except (arrow.ArrowException, OverflowError):
        pass  # an integer of many digits, or a type of one's own
    return arrow.array([None if cell is None else str(cell) for cell in cells])


def html_of(properties: Mapping[str, object]) -> str:
    """Return what a small result holds as a table in HTML, its properties by names."""
    rows = [(name.replace("_", " "), value) for name, value in properties.items()]
    return Table(("property", "value"), rows).to_html()


class Columns:
    """A result in columns of equal length, by their names."""

    columns: dict[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        if name not in self.columns:
            raise KeyError(f"expected one of {listed(self.columns, limit=100)}, found {name!r}")
        return self.columns[name]

    def keys(self) -> list[str]:
        """Return the names of the columns, so that ``dict`` and frames take the result."""
        return list(self.columns)

    def __len__(self) -> int:
        """Return the number of rows."""
        return next(iter(self.columns.values())).size

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as tuples of plain Python values."""
        return zip(*(column.tolist() for column in self.columns.values()), strict=True)

    def to_frame(self) -> Any:
        """Return the columns as a DataFrame of pandas."""
        return load("pandas", "scale").DataFrame(dict(self.columns))

    def to_csv(self) -> str:
        """Return the rows as CSV with a header."""
        return Table(self.keys(), list(self)).to_csv()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _arrow_stream(self.keys(), self.columns.values(), requested_schema)


class Tabular(ABC):
    r"""A result that prints as its table, in a terminal and in a notebook."""

    @abstractmethod
    def to_table(self) -> Table:
        """Return the result as a table."""

    def notes(self) -> list[str]:
        """Return what to say below the table, a sentence each."""
        return []

    def to_text(self) -> str:
        """Return the table as text."""
        return self.to_table().to_text()

    def to_csv(self) -> str:
        """Return the table as CSV, every number in full."""
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
