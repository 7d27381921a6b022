"""A mapping of figures that says how they were found, how exact they are, and prints itself."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from porank.core.tables import Table
from porank.errors import counted, listed

if TYPE_CHECKING:
    from porank.typing import Item

#: So many items are shown in print, and so many columns.
_ROWS, _COLUMNS = 30, 12


class Found(Mapping[Any, Any]):
    """A frozen mapping with `method` and `standard_error` beside it.

    Parameters
    ----------
    items : sequence
        The items of the order.
    method : {"exact", "sample", "approximate"}
        How the figures were found.
    standard_error : mapping, optional
        For each figure its standard error.
    of_errors : bool
        Whether the figures are standard errors themselves.
    """

    #: What the figures are called in print, and whether they have a column for each item.
    _title: ClassVar[str]
    _is_square: ClassVar[bool] = True

    def __init__(
        self,
        items: Sequence[Item],
        *,
        method: str,
        standard_error: Mapping[Any, Any] | None,
        of_errors: bool,
    ) -> None:
        self._items = items
        self._number = {item: number for number, item in enumerate(items)}
        self._method = method
        self._standard_error = standard_error
        self._of_errors = of_errors

    @property
    def method(self) -> str:
        """How it was found: ``"exact"``, ``"sample"`` or ``"approximate"``."""
        return self._method

    @property
    def standard_error(self) -> Mapping[Any, Any]:
        """For each figure its standard error: 0 where it is exact, nan where it is not known."""
        # Standard errors are told in the same form; they stand for themselves.
        return self if self._standard_error is None else self._standard_error

    def number_of(self, item: Item) -> int:
        """Return the number of an item, or raise `KeyError` if there is no such item."""
        try:
            return self._number[item]
        except (KeyError, TypeError):
            known = listed(self._number, limit=4)
            raise KeyError(
                f"expected an item of the order, such as {known}, found {item!r}"
            ) from None

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        of = "standard errors of " if self._of_errors else ""
        return f"<{of}{type(self).__name__}: {counted(len(self._items), 'item')}, {self.method}>"

    def to_table(self) -> Table:
        """Return the figures as a table."""
        return self._table(len(self._items), len(self._items))

    @abstractmethod
    def _table(self, rows: int, columns: int) -> Table:
        """Return so many rows and columns."""

    def _caption(self) -> str:
        """Return what the figures are and how they were found; nothing of exact ones."""
        if self._of_errors:
            return f"standard errors of {self._title}, method {self.method}"
        if self.method == "exact":
            return ""
        error = self._largest_error()
        known = "of unknown error" if error != error else f"standard errors up to {error:.2g}"
        return f"{self._title}, method {self.method}, {known}"

    @abstractmethod
    def _largest_error(self) -> float:
        """Return the largest standard error, nan if one is not known."""

    def _names(self, number: int) -> list[str]:
        """Return the first items as they are shown, so that no two look alike."""
        shown = Counter(map(str, self._items))
        return [
            str(item) if str(item).strip() and shown[str(item)] == 1 else repr(item)
            for item in islice(self._items, number)
        ]

    def _shown(self) -> tuple[Table, str]:
        """Return the first rows and columns, and how many more there are."""
        rows = columns = len(self._items)
        cut = []
        if rows > _ROWS:
            cut.append(counted(rows - _ROWS, "row"))
            rows = _ROWS
        if self._is_square and columns > _COLUMNS:
            cut.append(counted(columns - _COLUMNS, "column"))
            columns = _COLUMNS
        table = self._table(rows, columns)
        more = f"... and {' and '.join(cut)} more" if cut else ""
        return Table(table.columns, table.rows, self._caption()), more

    def to_text(self) -> str:
        """Return the table as text, of a large one the first rows and columns."""
        table, more = self._shown()
        return f"{table.to_text()}\n{more}" if more else table.to_text()

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        table, more = self._shown()
        return table.to_html() + (f"\n<p>{more}</p>" if more else "")
