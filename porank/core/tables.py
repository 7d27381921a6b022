"""Tables of results, as text, HTML, CSV, LaTeX, pandas or Arrow.

A `Table` can be written as text for a terminal, HTML for a notebook, CSV for other programs, LaTeX
for a paper, and a pandas or an Arrow table. Text, HTML and LaTeX show floats with four significant
digits; the others keep all digits. A `Tabular` result is displayed as a table; its rows are those
of `Rows`. `Columns` is a result that consists of named columns, `Listed` is a sequence, and `Keyed`
a mapping.

`Table`, `Tabular`, `Rows`, `Properties`, `Columns`, `Listed`, `Keyed`; `Shown` and `one_line`, the
repr of a result, of at most `LINE` characters; `cell_text`, `printable`, `_are_numbers`,
`LATEX_SIGNS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from html import escape
from numbers import Real
from textwrap import shorten
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from unicodedata import bidirectional, category, east_asian_width

from porank.core.arguments import load
from porank.errors import PorankError, counted, listed, plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

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


#: Maximum length of the repr of a result.
LINE = 120


def one_line(result: Any, text: str = "") -> str:
    """Return the repr of a result: one line with a text, or with its short fields."""
    if not text:
        values = ((name, getattr(result, name)) for name in _fields_of(result))
        short = (f"{name}={cell_text(v)}" for name, v in values if isinstance(v, (str, Real)))
        text = ", ".join(short) or ", ".join(_fields_of(result))
    name = type(result).__name__
    return f"<{name}: {shorten(printable(text), LINE - len(name) - 4, placeholder=' ...')}>"


def _fields_of(record: Any) -> Sequence[str]:
    """Return the names of the fields of a dataclass or NamedTuple, or of an instance."""
    return getattr(record, "_fields", None) or [field.name for field in fields(record)]


class Shown:
    """A result whose repr is a line with its short fields."""

    def __repr__(self) -> str:
        return one_line(self)


class _Exported(ABC):
    """Named columns of equal length that can be given to other programs."""

    def __repr__(self) -> str:
        names, columns = self._exported()
        return one_line(self, f"{counted(len(columns[0]), 'row')} of {', '.join(map(str, names))}")

    @abstractmethod
    def _exported(self) -> tuple[Sequence[str], Sequence[Any]]:
        """Return the names and the columns, each an array or a sequence."""

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        names, columns = self._exported()
        plain = (column if isinstance(column, Sequence) else column.tolist() for column in columns)
        # pandas takes the names of the columns from the attribute, as those of a NamedTuple.
        return map(type("Row", (tuple,), {"_fields": tuple(names)}), zip(*plain, strict=True))

    def to_csv(self) -> str:
        """Return the rows as CSV with a header, without a title, with all digits of numbers."""
        from porank.core.csv_cells import spell_rows

        rows = (self._exported()[0], *self._rows())
        return spell_rows((["" if c is None else str(c) for c in row] for row in rows), ",")

    def to_frame(self) -> Any:
        """Return the rows as a pandas DataFrame, with fractions as floats."""
        names, columns = self._exported()
        cells = {place: _without_fractions(column) for place, column in enumerate(columns)}
        return load("pandas", "scale").DataFrame(cells).set_axis(list(names), axis=1)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return the rows as an Arrow stream, which polars, pandas, DuckDB and pyarrow can read."""
        arrow, (names, columns) = load("pyarrow"), self._exported()
        arrays = [_arrow_array(arrow, column) for column in columns]
        return arrow.table(arrays, names=list(names)).__arrow_c_stream__(requested_schema)


def _without_fractions(cells: Any) -> Any:
    """Return a column with fractions as floats."""
    if not isinstance(cells, Sequence):
        return cells
    return [float(cell) if isinstance(cell, Fraction) else cell for cell in cells]


@dataclass(frozen=True, repr=False)
class Table(_Exported):
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

    def _exported(self) -> tuple[Sequence[str], Sequence[Any]]:
        return self.columns, self._cells()

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
        return plain_text(cell)
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


def _arrow_array(arrow: Any, cells: Any) -> Any:
    """Return a table's column as an Arrow array; a column of mixed types becomes texts."""
    if getattr(cells, "dtype", None) not in (None, object):
        return arrow.array(cells)
    cells = _without_fractions(cells)
    kinds = {type(cell) for cell in cells if cell is not None}
    try:
        if kinds == {int, float} or not (len(kinds) > 1 or kinds & {tuple, frozenset}):
            return arrow.array(cells)
    except (arrow.ArrowException, OverflowError):
        pass  # an integer too large for Arrow, or an unknown type
    return arrow.array([None if cell is None else str(cell) for cell in cells])


class Tabular(_Exported):
    r"""A result that is displayed as a table, in a terminal or notebook."""

    #: Maximum numbers of rows and columns that are displayed.
    _most: ClassVar = (100, 100)

    @abstractmethod
    def to_table(self) -> Table:
        """Return the result as a table."""

    def notes(self) -> list[str]:
        """Return the sentences to print below the table."""
        return []

    def to_text(self) -> str:
        """Return the table as text."""
        table, more = self._shown()
        return "\n".join([table.to_text(), *more])

    def to_latex(self) -> str:
        """Return the table as LaTeX."""
        return self.to_table().to_latex()

    def _shown(self) -> tuple[Table, list[str]]:
        """Return the table to display, and a line on what is left out, if anything is."""
        table, (height, width) = self.to_table(), self._most
        sizes = {"row": len(table.rows) - height, "column": len(table.columns) - width}
        cut = [counted(many, what) for what, many in sizes.items() if many > 0]
        rows = [row[:width] for row in table.rows[:height]]
        more = [f"... and {' and '.join(cut)} more"] * bool(cut)
        return Table(table.columns[:width], rows, table.title), more

    def _exported(self) -> tuple[Sequence[str], Sequence[Any]]:
        return self.to_table()._exported()

    def __str__(self) -> str:
        return "\n".join([self.to_text(), *self.notes()])

    def _repr_html_(self) -> str:
        table, more = self._shown()
        notes = (f"<p>{escape(note)}</p>" for note in [*more, *self.notes()])
        return "\n".join([table.to_html(), *notes])


class Properties(Shown, Tabular):
    """A dataclass of a few fields, which are the rows of its table."""

    def to_table(self: Any) -> Table:
        """Return the names and the values of the fields as a table; None is left out."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.repr}
        rows = [
            (name.strip("_").replace("_", " "), v) for name, v in values.items() if v is not None
        ]
        chains = ((k, listed(v, separator=" > ") if isinstance(v, tuple) else v) for k, v in rows)
        return Table(("property", "value"), list(chains))


class Rows(Tabular):
    """A result with a row for each of several things."""

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows as tuples of plain Python values; ``pandas.DataFrame`` names them."""
        return self._rows()


class Columns(Rows):
    """A result that consists of named columns of equal length."""

    columns: dict[str, NDArray[Any]]

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        if name not in self.columns:
            raise KeyError(f"expected one of {listed(self.columns, limit=100)}, found {name!r}")
        return self.columns[name]

    def keys(self) -> list[str]:
        """Return the names of the columns; ``dict`` uses it."""
        return list(self.columns)

    def __len__(self) -> int:
        """Return the number of rows."""
        return next(iter(self.columns.values())).size

    def to_table(self) -> Table:
        """Return the rows as a table; nan becomes an empty cell."""
        rows = ([None if cell != cell else cell for cell in row] for row in self)
        return Table(self.keys(), list(rows))

    def _exported(self) -> tuple[Sequence[str], Sequence[Any]]:
        return self.keys(), list(self.columns.values())


class Listed(Sequence[Any], Tabular):
    """A sequence of parts that is displayed as a table with a row for each.

    It is exported with all fields of the parts, as pandas reads a list of them.
    """

    #: The class of the parts.
    _part: ClassVar[type]

    def __getitem__(self: Any, place: Any) -> Any:
        return self.points[place]

    def __len__(self: Any) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return one_line(self, counted(len(self), "row"))

    def _exported(self) -> tuple[Sequence[str], Sequence[Any]]:
        names = _fields_of(self._part)
        return names, [[getattr(part, name) for part in self] for name in names]


class Keyed(Mapping[Any, Any], Tabular):
    """A mapping that is displayed as a table."""

    def __array__(self, *_: Any, **__: Any) -> NDArray[Any]:
        # pandas.DataFrame asks for it; of other mappings it reads only the keys.
        found = f"expected an array or a list of rows, found {type(self).__name__}, a mapping"
        raise PorankError(found, hint="to_frame() makes a frame of it, and pandas.Series a series")
