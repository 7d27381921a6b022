"""Results that are shown as a table: what one makes of itself, and the ways to write it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from porank.tables import Table


class Tabular(ABC):
    r"""A result that prints as its table, in a terminal and in a notebook.

    What prints more than a table, or writes other rows than it prints, says so in its own methods.

    Examples
    --------
    >>> from porank.tables import Table
    >>> class Votes(Tabular):
    ...     def to_table(self):
    ...         return Table(["item", "votes"], [["A", 3]])
    >>> print(Votes())
    item  votes
    ----  -----
    A         3
    >>> Votes().to_csv()
    'item,votes\nA,3\n'
    """

    @abstractmethod
    def to_table(self) -> Table:
        """Return the result as a table."""

    def to_text(self) -> str:
        """Return the table as text."""
        return self.to_table().to_text()

    def to_csv(self) -> str:
        """Return the table as CSV, every number in full."""
        return self.to_table().to_csv()

    def to_latex(self) -> str:
        """Return the table as LaTeX."""
        return self.to_table().to_latex()

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_table().to_html()
