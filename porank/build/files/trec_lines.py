"""The lines of TREC files: cells between blanks or tabs, the first one the query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from porank.core.arguments import texts_of
from porank.core.files import LINE_END, read_text, require_utf8
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.core.files import Problem, Problems


class ByQuery(dict[Any, Any]):
    """What a file says for each query, with the lines that could not be read.

    Attributes
    ----------
    problems : tuple of Problem
        Empty unless the file was read with ``errors="report"``.

    Examples
    --------
    >>> ByQuery({"q1": {"d1": 2}}), ByQuery({"q1": {"d1": 2}}).problems
    ({'q1': {'d1': 2}}, ())
    """

    problems: tuple[Problem, ...] = ()


class Cells:
    """The cells of a line.

    Examples
    --------
    >>> from porank.core.files import Problems
    >>> Cells("q1 0 d1 2", 7, Problems("raise")).texts
    ['q1', '0', 'd1', '2']
    """

    def __init__(self, line: str, number: int, problems: Problems) -> None:
        self.texts = line.split()
        self._place = line, number, problems

    def meet(self, error: ParseError) -> None:
        """Raise the error with the place of the line, or write it down."""
        line, number, problems = self._place
        problems.meet(error, line=number, text=line)


def cells_of_lines(source: Any, form: str, problems: Problems) -> Iterator[Cells]:
    """Yield the cells of the lines that are not empty, where there are as many as in `form`.

    Examples
    --------
    >>> import io
    >>> from porank.core.files import Problems
    >>> lines = cells_of_lines(io.StringIO("a b"), "query item", Problems("raise"))
    >>> [cells.texts for cells in lines]
    [['a', 'b']]
    """
    text, _ = read_text(source, problems)
    width = len(form.split())
    for number, line in enumerate(LINE_END.split(text), start=1):
        cells = Cells(line, number, problems)
        try:
            require_utf8(line)
            if len(cells.texts) not in (0, width):
                raise ParseError(f"expected {width} cells, {form!r}, found {len(cells.texts)}")
        except ParseError as error:
            cells.meet(error)
            continue
        if cells.texts:
            yield cells


def query_texts(by_query: Any) -> list[tuple[Any, str]]:
    """Return the queries with their texts, which must be cells of a line and differ.

    Examples
    --------
    >>> list(query_texts({7: {"d1": 2}}))
    [(7, '7')]
    """
    if not isinstance(by_query, Mapping):
        raise PorankError(
            f"expected a mapping with a value for each query, found a {type(by_query).__name__}"
        )
    texts = texts_of(by_query)
    for text in texts.values():
        require_cell(text, "query")
    return list(texts.items())


def require_cell(text: Any, what: str) -> str:
    """Return the text, or raise an error if it is empty or holds a blank.

    Examples
    --------
    >>> require_cell("d 1", "item")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a text without blanks as item, found 'd 1'
    """
    if not isinstance(text, str) or text.split() != [text]:
        raise PorankError(f"expected a text without blanks as {what}, found {text!r}")
    return text
