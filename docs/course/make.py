"""Make the assignments of the course: ``python -m docs.course.make`` writes notebooks to fill.

The source of an assignment is a script whose cells begin with ``# %%``: ``# %% [markdown]`` is
text, ``# %% solution NAME`` a cell to fill, and ``# %% test NAME POINTS`` a cell that grades it.
Solutions and hidden tests are between nbgrader's markers and are left out for students.

``python -m docs.course.make --with-solutions FOLDER`` writes notebooks for nbgrader's `source`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from docs.lectures.make import notebook_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ASSIGNMENTS: Final = Path(__file__).parent / "assignments"

_CELL = re.compile(r"^# %% ?(.*)\n", re.MULTILINE)
_SOLUTION = re.compile(
    r"^( *)### BEGIN SOLUTION\n.*?^ *### END SOLUTION\n", re.MULTILINE | re.DOTALL
)
_HIDDEN = re.compile(
    r"^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS\n", re.MULTILINE | re.DOTALL
)
_TO_FILL: Final = r"\1# YOUR CODE HERE\n\1raise NotImplementedError()\n"


def assignments() -> list[Path]:
    """Return the sources of all assignments."""
    return sorted(ASSIGNMENTS.glob("*.py"))


def assignment(source: Path, *, solutions: bool) -> str:
    """Return the notebook of an assignment, with its solutions and hidden tests or without."""
    text = source.read_text("utf-8")
    if not solutions:
        text = _HIDDEN.sub("", _SOLUTION.sub(_TO_FILL, text))
    return notebook_of(list(_cells(text)))


def _cells(text: str) -> Iterator[dict[str, Any]]:
    """Yield the cells of a script."""
    parts = iter(_CELL.split(text)[1:])
    for number, (kind, body) in enumerate(zip(parts, parts, strict=True)):
        name, *words = kind.split() or ["code"]
        cell: dict[str, Any] = {"id": f"cell-{number}", "metadata": {}}
        if name == "[markdown]":
            plain = re.sub(r"^# ?", "", body, flags=re.MULTILINE)
            yield cell | {"cell_type": "markdown", "source": _lines(plain)}
            continue
        if name in ("solution", "test"):
            cell["metadata"]["nbgrader"] = _graded(name, *words)
        empty: dict[str, Any] = {"execution_count": None, "outputs": []}
        yield cell | {"cell_type": "code", "source": _lines(body)} | empty


def _graded(kind: str, name: str, points: str | None = None) -> dict[str, Any]:
    """Return what nbgrader wants to know of a cell."""
    is_test = kind == "test"
    facts: dict[str, Any] = {
        "grade": is_test,
        "locked": is_test,
        "solution": not is_test,
        "task": False,
    }
    facts |= {"grade_id": f"{kind}-{name}", "schema_version": 3, "cell_type": "code"}
    return facts | {"points": int(points)} if points else facts


def _lines(body: str) -> list[str]:
    return body.strip("\n").splitlines(keepends=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            folder, with_solutions = ASSIGNMENTS, False
        case ["--with-solutions", name]:
            folder, with_solutions = Path(name), True
            folder.mkdir(parents=True, exist_ok=True)
        case _:
            sys.exit("usage: python -m docs.course.make [--with-solutions FOLDER]")
    for each in assignments():
        made = folder / f"{each.stem}.ipynb"
        made.write_text(assignment(each, solutions=with_solutions), "utf-8")
        sys.stdout.write(f"{made}\n")
