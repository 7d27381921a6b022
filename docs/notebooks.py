"""Make notebooks of lectures, sessions and assignments: ``python -m docs.notebooks``.

It writes one beside each page, as does the build of the site. Text becomes cells of text, and
blocks of Python cells of code, without answers, which doctest checks on the page. A block of an
assignment may begin with ``solution NAME``, for a cell to fill, or ``test NAME POINTS``, for a cell
that grades it. What is between nbgrader's markers is left out.

``python -m docs.notebooks FOLDER`` writes for a class: to ``handouts`` the lectures and sessions
without what is folded, and to ``source``, as nbgrader calls it, the assignments with solutions.
"""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LECTURES: Final = Path(__file__).parent / "lectures"
COURSE: Final = LECTURES.parent / "course"
#: Pages of the folders that are no lectures or sessions.
_ABOUT: Final = ("instructor", "exam", "project")

_SETUP: Final = """\
*This notebook is made from `docs/{folder}/{name}.md`. It needs porank with the extra `learn`, and
Jupyter: in a checkout of porank, `pip install '.[learn]' jupyterlab` installs them.*"""
_TO_FILL: Final = r"\1# YOUR CODE HERE\n\1raise NotImplementedError()\n"

_PARTS = re.compile(
    r"^```python *(?P<kind>[^\n]*)\n(?P<code>.*?)^```$"
    r"|^<details>\n<summary>(?P<opened>.*?)</summary>$"
    r"|^(?P<closed></details>)$",
    re.MULTILINE | re.DOTALL,
)
_ONLY_ON_A_PAGE = re.compile(
    r"^!\[.*\]\([^)]*drawn/[^)]*\)\n*"
    r"|^\[This (?:lecture|session) as a notebook\].*\n*"
    # A framed page, and the paragraph above it that says what to do with it.
    r"|(?:^(?!```)\S.*\n)+\n(?=```\{interactive\})|^```\{interactive\} \w+\n```\n*"
    # The names of tests.
    r"|\s<!-- checked: .* -->",
    re.MULTILINE,
)
_FOLDED = re.compile(r"^<details>\n.*?^</details>\n*", re.M | re.S)
_SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION\n.*?^ *### END SOLUTION\n", re.M | re.S)
_HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS\n", re.M | re.S)


def lectures() -> list[Path]:
    """Return the pages that have notebooks: the lectures and the sessions of the course."""
    pages = [*LECTURES.glob("*.md"), *COURSE.glob("*.md")]
    return sorted(path for path in pages if path.stem not in _ABOUT)


def assignments() -> list[Path]:
    """Return the pages of all assignments."""
    return sorted((COURSE / "assignments").glob("*.md"))


def notebook(page: Path, *, answers: bool = True, setup: Any = None) -> Any:
    """Return the notebook of a lecture or session, with or without what is folded."""
    text = page.read_text("utf-8")
    first = setup or new_markdown_cell(_SETUP.format(folder=page.parent.name, name=page.stem))
    return _notebook([first, *_cells(text if answers else _FOLDED.sub("", text))])


def assignment(page: Path, *, solutions: bool) -> Any:
    """Return the notebook of an assignment, with its solutions and hidden tests or without."""
    text = page.read_text("utf-8")
    return _notebook(_cells(text if solutions else _HIDDEN.sub("", _SOLUTION.sub(_TO_FILL, text))))


def _notebook(cells: Iterable[Any]) -> Any:
    """Return a notebook with some cells, whose names are their numbers."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = new_notebook(cells=list(cells), metadata={"kernelspec": kernel})
    for number, cell in enumerate(made.cells):
        cell.id = f"cell-{number}"
    return made


def _cells(text: str) -> Iterator[Any]:
    """Cut a page into cells; what is folded on the page is folded in them."""
    end, summary = 0, None
    for part in _PARTS.finditer(text):
        yield from _text_cells(text[end : part.start()], summary)
        if part["code"]:
            yield from _code_cells(
                part["code"], part["kind"].split(), is_folded=summary is not None
            )
        else:
            summary = part["opened"]
        end = part.end()
    yield from _text_cells(text[end:], summary)


def _text_cells(text: str, summary: str | None) -> Iterator[Any]:
    """Make a cell of a text, unless nothing is left of it."""
    text = _ONLY_ON_A_PAGE.sub("", text).strip()
    if text and summary is not None:
        text = f"<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>"
    if text:
        yield new_markdown_cell(text)


def _code_cells(code: str, kind: list[str], *, is_folded: bool) -> Iterator[Any]:
    """Make cells of a block, a new one after each answer, for a cell shows its last value only."""
    metadata: dict[str, Any] = {"jupyter": {"source_hidden": True}} if is_folded else {}
    if kind:
        metadata["nbgrader"] = _graded(*kind)
    examples = doctest.DocTestParser().get_examples(code)
    source = ""
    for example in examples:
        source += example.source
        if example.want or example is examples[-1]:
            tags = {"tags": ["raises-exception"]} if example.exc_msg is not None else {}
            yield new_code_cell(source.rstrip(), metadata=metadata | tags)
            source = ""
    if not examples:
        yield new_code_cell(code.rstrip(), metadata=metadata)


def _graded(kind: str, name: str, points: str | None = None) -> dict[str, Any]:
    """Return what nbgrader wants to know of a cell."""
    is_test = kind == "test"
    facts = {"grade": is_test, "locked": is_test, "solution": not is_test, "task": False}
    named = {"grade_id": f"{kind}-{name}", "schema_version": 3, "cell_type": "code"}
    return facts | named | ({"points": int(points)} if points else {})


def write_notebooks() -> None:
    """Write the notebooks that pages of the site link to, beside these pages."""
    for page in lectures():
        nbformat.write(notebook(page), page.with_suffix(".ipynb"))
    for page in assignments():
        nbformat.write(assignment(page, solutions=False), page.with_suffix(".ipynb"))


def write_for_class(folder: Path) -> None:
    """Write the notebooks to hand out, and those of assignments with solutions."""
    (folder / "handouts").mkdir(parents=True, exist_ok=True)
    (folder / "source").mkdir(exist_ok=True)
    for page in lectures():
        nbformat.write(notebook(page, answers=False), folder / "handouts" / f"{page.stem}.ipynb")
    for page in assignments():
        nbformat.write(assignment(page, solutions=True), folder / "source" / f"{page.stem}.ipynb")


if __name__ == "__main__":
    write_for_class(Path(sys.argv[1])) if sys.argv[1:] else write_notebooks()
