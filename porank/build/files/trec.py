"""TREC files of numbers: runs, ``query Q0 item rank score tag``, and qrels, ``query 0 item grade``.

Cells stand between blanks or tabs. What comes back is a dictionary for each query, item -> number,
larger is better: scores, which every function takes as an order.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from porank.build.files.trec_lines import (
    ByQuery,
    cells_of_lines,
    query_texts,
    require_cell,
)
from porank.core.arguments import texts_of
from porank.core.compiled_order import layers_of_values, plain_number, scores_as_dict
from porank.core.csv_cells import read_number
from porank.core.files import Problems, write_text
from porank.core.graphs import item_key
from porank.errors import ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from porank.typing import Item, Scores

_WHOLE = re.compile(r"[+-]?[0-9]{1,999}")


def read_trec_run(source: Any, *, errors: str = "raise") -> dict[str, dict[str, float]]:
    r"""Return the scores of a TREC run: query -> item -> score.

    The score decides and equal scores are tied; the column of ranks is not read.

    Parameters
    ----------
    source : path or open file
        Lines ``query Q0 item rank score tag`` in UTF-8; empty ones are skipped.
    errors : {"raise", "report"}
        Whether the first bad line is an error, or the good lines are returned, with the bad ones in
        the attribute ``problems`` of the dictionary.

    Returns
    -------
    dict
        Queries and items as they first appear.

    Raises
    ------
    ParseError
        If a line is not such a line, or an item stands twice under one query.
    PorankError
        If `source` is neither a path nor an open file, or `errors` is none of those allowed.

    Examples
    --------
    >>> import io
    >>> read_trec_run(io.StringIO("q1 Q0 d1 1 9.5 mine\nq1 Q0 d2 2 7.0 mine\n"))
    {'q1': {'d1': 9.5, 'd2': 7.0}}

    Notes
    -----
    Time linear in the file, which is read whole.
    """
    return _read_table(source, "query Q0 item rank score tag", 4, _read_score, errors)


def read_trec_qrels(source: Any, *, errors: str = "raise") -> dict[str, dict[str, int]]:
    r"""Return the grades of TREC relevance judgments: query -> item -> grade.

    Parameters
    ----------
    source : path or open file
        Lines ``query 0 item grade`` in UTF-8; empty ones are skipped.
    errors : {"raise", "report"}
        Whether the first bad line is an error, or the good lines are returned, with the bad ones in
        the attribute ``problems`` of the dictionary.

    Returns
    -------
    dict
        Queries and items as they first appear. A grade may be negative.

    Raises
    ------
    ParseError
        If a line is not such a line, or an item stands twice under one query.
    PorankError
        If `source` is neither a path nor an open file, or `errors` is none of those allowed.

    Examples
    --------
    >>> import io
    >>> read_trec_qrels(io.StringIO("q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n"))
    {'q1': {'d1': 2, 'd2': 0}, 'q2': {'d1': 1}}

    Notes
    -----
    Time linear in the file, which is read whole.
    """
    return _read_table(source, "query 0 item grade", 3, _read_grade, errors)


def _read_table(
    source: Any, form: str, column: int, read_number: Callable[[str], Any], errors: str
) -> ByQuery:
    problems = Problems(errors)
    read = ByQuery()
    for cells in cells_of_lines(source, form, problems):
        query, item = cells.texts[0], cells.texts[2]
        try:
            scores = read.get(query, {})
            if item in scores:
                raise ParseError(
                    f"expected each item once for query {query!r}, found {item!r} again"
                )
            scores[item] = read_number(cells.texts[column])
            read[query] = scores
        except ParseError as error:
            cells.meet(error)
    read.problems = problems.by_line()
    return read


def _read_grade(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise ParseError(f"expected a whole number as grade, found {text!r}")
    return int(text)


def _read_score(text: str) -> float:
    return float(read_number(text, "score"))


def write_trec_run(run: Mapping[Any, Scores], target: Any, *, tag: str = "porank") -> None:
    """Write scores as a TREC run.

    Parameters
    ----------
    run : mapping
        Query -> scores of items, larger is better.
    target : path or open file
        A file that is there is replaced when all has been written, and else left as it is.
    tag : str
        The name of the run, in the last column.

    Raises
    ------
    PorankError
        If a text is empty or holds a blank, two items of a query have the same text, a score is
        not finite, or `target` is neither a path nor an open file.

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_trec_run({"q1": {"d1": 1, "d2": 2.5, "d3": 1}}, target)
    >>> print(target.getvalue(), end="")
    q1 Q0 d2 1 2.5 porank
    q1 Q0 d1 2 1.0 porank
    q1 Q0 d3 2 1.0 porank

    Notes
    -----
    Time O(n log n). The rank is one more than the number of better items, so that items of equal
    score have the same.
    """
    require_cell(tag, "tag")
    write_text("".join(_run_lines(run, tag)), target)


def _run_lines(run: Mapping[Any, Scores], tag: str) -> Iterator[str]:
    for query, number_of in _tables(run):
        items = sorted(number_of, key=item_key)
        texts = texts_of(items)
        layers = layers_of_values([number_of[item] for item in items], items=items).tolist()
        ranked = sorted(zip(layers, items, strict=True), key=lambda pair: pair[0])
        rank, before = 0, -1
        for place, (layer, item) in enumerate(ranked, start=1):
            rank, before = (rank, before) if layer == before else (place, layer)
            text = require_cell(texts[item], "item")
            score = _require_finite(number_of[item], item)
            yield f"{query} Q0 {text} {rank} {score!r} {tag}\n"


def write_trec_qrels(qrels: Mapping[Any, Scores], target: Any) -> None:
    """Write grades as TREC relevance judgments.

    Parameters
    ----------
    qrels : mapping
        Query -> grades of items, which are whole numbers.
    target : path or open file
        A file that is there is replaced when all has been written, and else left as it is.

    Raises
    ------
    PorankError
        If a text is empty or holds a blank, two items of a query have the same text, a grade is
        no whole number, or `target` is neither a path nor an open file.

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_trec_qrels({"q1": {"d1": 2, "d2": 0}}, target)
    >>> print(target.getvalue(), end="")
    q1 0 d1 2
    q1 0 d2 0

    Notes
    -----
    Time O(n). The items stand in the sequence of each mapping.
    """
    write_text("".join(_qrels_lines(qrels)), target)


def _qrels_lines(qrels: Mapping[Any, Scores]) -> Iterator[str]:
    for query, grade_of in _tables(qrels):
        texts = texts_of(grade_of)
        for item, grade in grade_of.items():
            if isinstance(grade, bool) or not isinstance(grade, int):
                raise PorankError(f"expected a whole number as grade of {item!r}, found {grade!r}")
            yield f"{query} 0 {require_cell(texts[item], 'item')} {grade}\n"


def _tables(by_query: Any) -> Iterator[tuple[str, dict[Item, Any]]]:
    """Yield the text of each query and item -> number."""
    for query, text in query_texts(by_query):
        yield text, scores_as_dict(by_query[query])


def _require_finite(score: Any, item: Item) -> float:
    try:
        number = float(plain_number(score))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise PorankError(f"expected a finite score of {item!r}, found {score!r}")
    return number
