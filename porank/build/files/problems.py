"""What is wrong with a file, line by line: raised at once, or gathered while the rest is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from porank.arguments import require_one_of
from porank.errors import ParseError

#: What stands in a text for a byte that is not UTF-8; it cannot be printed.
BROKEN_BYTE = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class Problem:
    """A line that could not be read, and why.

    Attributes
    ----------
    line, column : int
        Where, both counted from 1; column 0 means the whole line.
    text : str
        The line in question.
    message : str
        What was expected and what was found.

    Examples
    --------
    >>> print(Problem(7, 3, "2 x", "expected ':' after the count, found 'x'"))
    line 7, column 3: expected ':' after the count, found 'x'
    """

    line: int
    column: int
    text: str
    message: str

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.message}"


class Problems:
    """The problems of one reading.

    Parameters
    ----------
    errors : {"raise", "report"}
        Whether the first problem is raised, or all are gathered in `found`.
    source : str
        The name of the file, for the message.

    Attributes
    ----------
    found : list of Problem
        What has been gathered.
    is_strict : bool
        Whether problems are raised.

    Examples
    --------
    >>> problems = Problems("report")
    >>> problems.meet(ParseError("expected a number", column=3), line=7, text="2 x")
    >>> [str(problem) for problem in problems.found]
    ['line 7, column 3: expected a number']
    >>> Problems("raise").meet(ParseError("expected a number", column=3), line=7, text="2 x")
    Traceback (most recent call last):
    porank.errors.ParseError: line 7, column 3: expected a number
      2 x
        ^
    """

    def __init__(self, errors: Any, *, source: str = "") -> None:
        require_one_of(errors, ("raise", "report"), name="errors")
        self.source = source
        self.found: list[Problem] = []
        self.is_strict = errors == "raise"

    def meet(self, error: ParseError, *, line: int, text: str) -> None:
        """Raise the error of a line with its place, or write it down.

        Parameters
        ----------
        error : ParseError
            The bare message, with the column.
        line : int
            The number of the line, counted from 1.
        text : str
            The line.
        """
        text = BROKEN_BYTE.sub(lambda broken: f"\\x{ord(broken[0]) - 0xDC00:02x}", text)
        if self.is_strict:
            raise ParseError.at(
                str(error), line=line, column=error.column, text=text, source=self.source
            ) from None
        self.found.append(Problem(line, error.column, text, str(error)))

    def by_line(self) -> tuple[Problem, ...]:
        """Return what has been gathered, from the first line of the file to the last."""
        return tuple(sorted(self.found, key=lambda problem: problem.line))
