"""TREC files: runs and qrels, with cells separated by blanks or tabs.

A run has lines ``query Q0 item rank score tag``, and qrels have lines ``query 0 item grade``.
Readers return a dictionary of scores for each query.

`read_trec_run`, `write_trec_run`; `read_trec_qrels`, `write_trec_qrels`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from porank.core.arguments import texts_of
from porank.core.csv_cells import read_number
from porank.core.files import LINE_END, Problems, Text, require_utf8, write_text
from porank.core.graphs import in_order
from porank.core.scores import ByQuery, plain_number, scores_as_dict
from porank.errors import ParseError, PorankError, a_kind, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.typing import Item, Scores


_WHOLE = re.compile(r"[+-]?[0-9]{1,999}")


def read_trec_run(source: Any, *, errors: str = "raise") -> dict[str, dict[str, float]]:
    r"""Read the scores in a TREC run: query -> item -> score.

    Items are ordered by score, and equal scores are tied; the column of ranks is ignored.

    Parameters
    ----------
    source : path or open file
        Lines ``query Q0 item rank score tag`` in UTF-8; empty lines are skipped.
    errors : {"raise", "report"}
        ``"raise"`` stops at the first bad line; ``"report"`` skips bad lines and lists them in the
        attribute ``problems`` of the dictionary.

    Returns
    -------
    dict
        Query -> item -> score, in order of appearance.

    Raises
    ------
    ParseError
        If a line does not have this form, or an item is repeated in a query.
    PorankError
        If `source` is neither a path nor an open file, or `errors` is unknown.

    See Also
    --------
    write_trec_run, read_trec_qrels, evaluate, write_trec_qrels

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> po.read_trec_run(io.StringIO("q1 Q0 d1 1 9.5 mine\nq1 Q0 d2 2 7.0 mine\n"))
    {'q1': {'d1': 9.5, 'd2': 7.0}}

    Notes
    -----
    Time linear in the file.
    """
    return _read_by_query(source, "query Q0 item rank score tag", "score", errors)


def read_trec_qrels(source: Any, *, errors: str = "raise") -> dict[str, dict[str, int]]:
    r"""Read the grades in TREC relevance judgments (qrels): query -> item -> grade.

    Parameters
    ----------
    source : path or open file
        Lines ``query 0 item grade`` in UTF-8; empty lines are skipped.
    errors : {"raise", "report"}
        ``"raise"`` stops at the first bad line; ``"report"`` skips bad lines and lists them in the
        attribute ``problems`` of the dictionary.

    Returns
    -------
    dict
        Query -> item -> grade, in order of appearance. Grades may be negative.

    Raises
    ------
    ParseError
        If a line does not have this form, or an item is repeated in a query.
    PorankError
        If `source` is neither a path nor an open file, or `errors` is unknown.

    See Also
    --------
    read_trec_run, write_trec_run, evaluate, write_trec_qrels

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> po.read_trec_qrels(io.StringIO("q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"))
    {'q1': {'d1': 2, 'd2': 0}, 'q2': {'d1': 1}}

    Notes
    -----
    Time linear in the file.
    """
    return _read_by_query(source, "query 0 item grade", "grade", errors)


def _read_by_query(source: Any, form: str, what: str, errors: str) -> ByQuery:
    """Return query -> item -> number of a TREC run or of qrels."""
    problems, names = Problems(errors), form.split()
    read = ByQuery()
    with Text(source, problems) as file:
        lines = LINE_END.split(file.read())
    for number, line in enumerate(lines, start=1):
        try:
            require_utf8(line)
            cells = line.split()
            if not cells:
                continue
            if len(cells) != len(names):
                raise ParseError(f"expected {len(names)} cells, {form!r}, found {len(cells)}")
            query, item = cells[0], cells[2]
            if item in read.get(query, ()):
                found = f"for query {query!r}, found {quoted(item)} again"
                raise ParseError(f"expected each item once {found}")
            cell = _read_cell(cells[names.index(what)], what)
            read.setdefault(query, {})[item] = cell
        except ParseError as error:
            problems.meet(error, line=number, text=line)
    read.problems, read.what = problems.by_line(), what
    return read


def _read_cell(text: str, what: str) -> int | float:
    """Return the number in a cell: a whole grade of qrels, or the score of a run."""
    if what != "grade":
        return float(read_number(text, what))
    if not _WHOLE.fullmatch(text):
        raise ParseError(f"expected a whole number as grade, found {text!r}")
    return int(text)


def write_trec_run(run: Mapping[Any, Scores], path: Any, *, tag: str = "porank") -> None:
    """Write scores to a file as a TREC run.

    Parameters
    ----------
    run : mapping
        Query -> scores of items; larger scores are better.
    path : path or open file
        An existing file is replaced only after everything has been written.
    tag : str
        Name of the run, for the last column.

    Raises
    ------
    PorankError
        If a text is empty or contains a blank, two items of a query have the same text, a score is
        not finite, or `path` is neither a path nor an open file.

    See Also
    --------
    read_trec_run, read_trec_qrels, evaluate

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> file = io.StringIO()
    >>> po.write_trec_run({"q1": {"d1": 1, "d2": 2.5, "d3": 1}}, file)
    >>> print(file.getvalue(), end="")
    q1 Q0 d2 1 2.5 porank
    q1 Q0 d1 2 1.0 porank
    q1 Q0 d3 2 1.0 porank

    Notes
    -----
    Time O(n log n). The rank is 1 plus the number of better items, so items with equal scores share
    a rank.
    """
    _require_cell(tag, "tag")
    write_text("".join(_run_lines(run, tag)), path)


def _run_lines(run: Mapping[Any, Scores], tag: str) -> Iterator[str]:
    """Yield the lines of a TREC run, best first within each query."""
    for query, number_of in _tables(run):
        score_of = {item: _require_finite(score, item) for item, score in number_of.items()}
        texts = texts_of(in_order(score_of))
        items = sorted(texts, key=score_of.__getitem__, reverse=True)
        rank_of: dict[float, int] = {}
        for place, item in enumerate(items, start=1):
            text, score = _require_cell(texts[item], "item"), score_of[item]
            yield f"{query} Q0 {text} {rank_of.setdefault(score, place)} {score!r} {tag}\n"


def write_trec_qrels(qrels: Mapping[Any, Scores], path: Any) -> None:
    """Write grades to a file as TREC relevance judgments (qrels).

    Parameters
    ----------
    qrels : mapping
        Query -> grades of items, which are whole numbers.
    path : path or open file
        An existing file is replaced only after everything has been written.

    Raises
    ------
    PorankError
        If a text is empty or contains a blank, two items of a query have the same text, a grade is
        not a whole number, or `path` is neither a path nor an open file.

    See Also
    --------
    read_trec_qrels, read_trec_run, evaluate

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> file = io.StringIO()
    >>> po.write_trec_qrels({"q1": {"d1": 2, "d2": 0}}, file)
    >>> print(file.getvalue(), end="")
    q1 0 d1 2
    q1 0 d2 0

    Notes
    -----
    Time O(n). Items keep the order of the mapping.
    """
    write_text("".join(_qrels_lines(qrels)), path)


def _qrels_lines(qrels: Mapping[Any, Scores]) -> Iterator[str]:
    """Yield the lines of qrels."""
    for query, grade_of in _tables(qrels):
        texts = texts_of(grade_of)
        for item, grade in grade_of.items():
            if isinstance(grade, bool) or not isinstance(grade, int):
                raise PorankError(f"expected a whole number as grade of {item!r}, found {grade!r}")
            yield f"{query} 0 {_require_cell(texts[item], 'item')} {grade}\n"


def _tables(by_query: Any) -> Iterator[tuple[str, dict[Item, Any]]]:
    """Yield the text of each query, and its items -> numbers; texts are distinct without blanks."""
    if not isinstance(by_query, Mapping):
        raise PorankError(
            f"expected a mapping with a value for each query, found {a_kind(by_query)}"
        )
    texts = texts_of(by_query)
    for text in texts.values():
        _require_cell(text, "query")
    for query, text in texts.items():
        yield text, scores_as_dict(by_query[query])


def _require_finite(score: Any, item: Item) -> float:
    """Return the score of an item, or raise an error if it is not finite."""
    try:
        number = float(plain_number(score))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise PorankError(f"expected a finite score of {quoted(item)}, found {quoted(score):.60}")
    return number


def _require_cell(text: Any, what: str) -> str:
    """Return a text, or raise an error unless it can be a cell of a TREC file."""
    if not isinstance(text, str) or text.split() != [text]:
        raise PorankError(f"expected a text without blanks as {what}, found {text!r}")
    return text
