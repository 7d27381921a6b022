"""Make notebooks of lectures and sessions: ``python -m docs.lectures.make`` writes one beside each.

A page is a text with blocks of Python as one would type them, answers included. Doctest checks the
answers; a notebook has them, and the pictures of the page, as stored outputs.

``python -m docs.lectures.make --without-answers FOLDER`` writes notebooks to hand out: what is
folded on a page, the solutions of its exercises, is left out of them.
"""

from __future__ import annotations

import ast
import doctest
import json
import re
import sys
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

LECTURES = Path(__file__).parent
COURSE = LECTURES.parent / "course"

_SETUP = """\
*This notebook is made from `docs/{folder}/{name}.md`. It needs porank with the extra `learn`, and
Jupyter: in a checkout of porank, `pip install '.[learn]' jupyterlab` installs them, and
`jupyter lab docs/{folder}/{name}.ipynb` opens it. Answers to exercises are folded.*"""

_PARTS = re.compile(
    r"^```python\n(?P<code>.*?)^```$"
    r"|^<details>\n<summary>(?P<opened>.*?)</summary>$"
    r"|^(?P<closed></details>)$",
    re.MULTILINE | re.DOTALL,
)
# A notebook draws its pictures itself, and need not be fetched.
_ONLY_ON_A_PAGE = re.compile(
    r"^!\[.*\]\([^)]*drawn/[^)]*\)\n*"
    r"|^\[This (?:lecture|session) as a notebook\].*\n*"
    # A framed page, and the paragraph above it that says what to do with it.
    r"|(?:^(?!```)\S.*\n)+\n(?=```\{live\})|^```\{live\} \w+\n```\n*"
    # The names of tests.
    r"|\s<!-- checked: .* -->",
    re.MULTILINE,
)

_DRAWN = re.compile(r"^!\[.*\]\([^)]*drawn/([\w.-]+)\)", re.MULTILINE)
#: Pages of the folders that are no lectures or sessions.
_ABOUT = ("index", "instructor", "exam", "project")

Cell = dict[str, Any]


def lectures() -> list[Path]:
    """Return the pages that have notebooks: the lectures and the sessions of the course."""
    pages = [*LECTURES.glob("*.md"), *COURSE.glob("*.md")]
    return sorted(path for path in pages if path.stem not in _ABOUT)


def title_of(page: Path) -> str:
    """Return the title of a page or of a deck of slides."""
    return page.read_text("utf-8").partition("\n")[0].removeprefix("# ")


def notebook(page: Path, *, answers: bool = True) -> str:
    """Return the notebook of a page: JSON of nbformat 4.5, with or without what is folded."""
    text = page.read_text("utf-8")
    if not answers:
        text = re.sub(r"^<details>\n.*?^</details>\n*", "", text, flags=re.MULTILINE | re.DOTALL)
    cells = [_text_cell(_SETUP.format(folder=page.parent.name, name=page.stem)), *_cells(text)]
    seen: dict[str, int] = {}
    for cell in cells:
        name = sha256("".join(cell["source"]).encode()).hexdigest()[:8]
        seen[name] = seen.get(name, 0) + 1
        cell["id"] = name if seen[name] == 1 else f"{name}-{seen[name]}"
    return notebook_of(cells)


def notebook_of(cells: list[Cell]) -> str:
    """Return the JSON of a notebook, nbformat 4.5, with these cells."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def examples_of(page: Path) -> list[doctest.Example]:
    """Return the statements of Python on a page, each with what it answers."""
    read = doctest.DocTestParser().get_examples
    parts = _PARTS.finditer(page.read_text("utf-8"))
    return [example for part in parts if part["code"] for example in read(part["code"])]


def _cells(text: str) -> Iterator[Cell]:
    """Cut a page into cells; what is folded on the page is folded in them."""
    end, summary = 0, None
    parts = list(_PARTS.finditer(text))
    for part, after in zip(parts, [*(part.start() for part in parts[1:]), len(text)], strict=True):
        yield from _text_cells(text[end : part.start()], summary)
        if part["code"]:
            cells = list(_code_cells(part["code"], is_folded=summary is not None))
            cells[-1]["outputs"] += map(_picture, _DRAWN.findall(text[part.end() : after]))
            yield from cells
        elif part["opened"]:
            summary = part["opened"]
        else:
            summary = None
        end = part.end()
    yield from _text_cells(text[end:], summary)


def _text_cells(text: str, summary: str | None) -> Iterator[Cell]:
    """Make a cell of a text, unless nothing is left of it."""
    text = _ONLY_ON_A_PAGE.sub("", text).strip()
    if text and summary is not None:
        text = f"<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>"
    if text:
        yield _text_cell(text)


def _code_cells(code: str, *, is_folded: bool) -> Iterator[Cell]:
    """Make cells of a block, a new one after each answer, for a cell shows its last value only."""
    sources: list[str] = []
    examples = doctest.DocTestParser().get_examples(code)
    for example in examples:
        sources.append(dedent(example.source))
        if example.want or example is examples[-1]:
            cell = code_cell(_joined(sources), is_folded=is_folded)
            if example.exc_msg is not None:
                cell["metadata"]["tags"] = ["raises-exception"]
            cell["outputs"] += _answers(example)
            yield cell
            sources = []


def _answers(example: doctest.Example) -> Iterator[dict[str, Any]]:
    """Yield what a notebook stores of the answer to a statement, if it has one."""
    lines = example.want.splitlines(keepends=True)
    if example.exc_msg is not None:
        name, _, value = example.exc_msg.strip().partition(": ")
        traceback = [line.rstrip("\n") for line in lines]
        yield {"output_type": "error", "ename": name, "evalue": value, "traceback": traceback}
    elif lines and _is_value(example.source):
        data = {"text/plain": [*lines[:-1], lines[-1].rstrip("\n")]}
        result = {"output_type": "execute_result", "data": data, "metadata": {}}
        yield result | {"execution_count": None}
    elif lines:
        yield {"output_type": "stream", "name": "stdout", "text": lines}


def _is_value(source: str) -> bool:
    """Tell whether a statement is an expression that prints nothing by itself."""
    (statement, *_) = ast.parse(source).body
    return isinstance(statement, ast.Expr) and "print(" not in source


def _picture(name: str) -> dict[str, Any]:
    """Return a picture of the page as the stored output of the cell that draws it."""
    lines = (LECTURES.parent / "drawn" / name).read_text("utf-8").splitlines(keepends=True)
    return {"output_type": "display_data", "data": {"image/svg+xml": lines}, "metadata": {}}


def _joined(sources: list[str]) -> str:
    """Join statements, with an empty line before and after those that define something."""
    text = ""
    for before, source in pairwise(["", *sources]):
        if before and any(code.startswith(("def ", "class ")) for code in (before, source)):
            text += "\n"
        text += source
    return text


def _text_cell(text: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)}


def code_cell(code: str, *, is_folded: bool = False) -> Cell:
    """Return a cell of code without outputs, folded or not."""
    metadata: dict[str, Any] = {}
    if is_folded:
        metadata["jupyter"] = {"outputs_hidden": True, "source_hidden": True}
    source = code.rstrip("\n").splitlines(keepends=True)
    empty: dict[str, Any] = {"execution_count": None, "outputs": []}
    return {"cell_type": "code", "metadata": metadata, "source": source, **empty}


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            folder, answers = None, True
        case ["--without-answers", name]:
            folder, answers = Path(name), False
            folder.mkdir(parents=True, exist_ok=True)
        case _:
            sys.exit("usage: python -m docs.lectures.make [--without-answers FOLDER]")
    for lecture in lectures():
        made = (folder or lecture.parent) / f"{lecture.stem}.ipynb"
        made.write_text(notebook(lecture, answers=answers), "utf-8")
        sys.stdout.write(f"{made}\n")
