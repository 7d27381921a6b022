"""Start and the lectures: what a reader does step by step works, and notebooks are the pages."""

from __future__ import annotations

import ast
import doctest
import json
import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

from docs.drawn.make import DOCS, illustrated, pictures_on
from docs.lectures.make import LECTURES, examples_of, lectures, notebook
from porank.cli.main import main

each_lecture = pytest.mark.parametrize("page", lectures(), ids=lambda page: page.stem)
START = (DOCS / "start.md").read_text("utf-8")


def cells_of(page: Path) -> list[dict[str, Any]]:
    """The cells of the notebook beside a lecture."""
    cells: list[dict[str, Any]] = json.loads(page.with_suffix(".ipynb").read_text("utf-8"))["cells"]
    return cells


def shown(source: str, names: dict[str, Any]) -> str:
    """What a cell prints, and its last value as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(StringIO()) as output:
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None:
                print(repr(value))  # noqa: T201
    return output.getvalue()


def answers(page: Path) -> list[tuple[str, str]]:
    """What a page says that Python answers, or the error that it gives, and what a notebook does.

    The notebook is run top to bottom in one namespace.
    """
    names: dict[str, Any] = {}
    given = []
    for cell in json.loads(notebook(page))["cells"]:
        if cell["cell_type"] == "code":
            try:
                answer = shown("".join(cell["source"]), names)
            except Exception as error:
                assert cell["metadata"]["tags"] == ["raises-exception"], error  # noqa: PT017
                answer = f"{type(error).__name__}: {error}\n"
            given.extend([answer] if answer else [])
    wanted = [example.exc_msg or example.want for example in examples_of(page) if example.want]
    return list(zip(wanted, given, strict=True))


@pytest.fixture
def no_figures() -> Any:
    """No figure is open before or after."""
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def test_there_are_lectures_and_each_has_its_notebook() -> None:
    written = sorted(path.stem for path in LECTURES.glob("*.ipynb"))
    assert written == [page.stem for page in lectures()]
    assert "measuring_rankings" in written


@each_lecture
def test_the_notebook_is_that_of_its_page(page: Path) -> None:
    text = page.with_suffix(".ipynb").read_text("utf-8")
    assert text == notebook(page), "python -m docs.lectures.make writes it anew"


@each_lecture
def test_the_notebook_has_the_form_of_nbformat_4_5(page: Path) -> None:
    whole = json.loads(page.with_suffix(".ipynb").read_text("utf-8"))
    assert sorted(whole) == ["cells", "metadata", "nbformat", "nbformat_minor"]
    assert (whole["nbformat"], whole["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in whole["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in ids)
    always = {"cell_type", "id", "metadata", "source"}
    for cell in whole["cells"]:
        code = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == always | code
        assert all(line.endswith("\n") for line in cell["source"][:-1])
        assert cell["source"]


@pytest.mark.slow
@pytest.mark.usefixtures("no_figures")
@each_lecture
def test_the_notebook_runs_and_shows_what_the_page_says(page: Path) -> None:
    check = doctest.OutputChecker().check_output
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    pairs = answers(page)
    assert pairs
    assert [(want, got) for want, got in pairs if not check(want, got, flags)] == []
    assert pictures_on(page) == [f"{page.stem}-{number}.svg" for number in plt.get_fignums()]
    assert (page in illustrated()) == bool(plt.get_fignums())


def framed_tasks(page: Path) -> list[str]:
    """Return the paragraphs that say what to do with the framed page below them."""
    paragraphs = page.read_text("utf-8").split("\n\n")
    above = (one for one, other in pairwise(paragraphs) if other.startswith("```{live}"))
    return [text.replace("\n", " ") for text in above if text != "```"]


@each_lecture
def test_what_is_for_a_page_alone_is_not_in_the_notebook(page: Path) -> None:
    texts = ["".join(cell["source"]) for cell in cells_of(page)]
    assert not any(re.search(r"drawn/|>>>|as a notebook|\{toctree\}", text) for text in texts)
    assert not any(task in text.replace("\n", " ") for task in framed_tasks(page) for text in texts)


@each_lecture
def test_answers_are_folded(page: Path) -> None:
    text, cells = page.read_text("utf-8"), cells_of(page)
    folded = [cell for cell in cells if "jupyter" in cell["metadata"]]
    assert text.count("<details>") == text.count("</details>") == text.count("<summary>Answer")
    in_answers = re.findall(r"<details>(.*?)</details>", text, re.S)
    for answer in in_answers:
        for example in doctest.DocTestParser().get_examples(answer):
            first = example.source.splitlines(keepends=True)[0].strip()
            assert any(first in "".join(cell["source"]) for cell in folded)
    for cell in cells:
        if cell["cell_type"] == "markdown":
            source = "".join(cell["source"])
            assert source.count("<details>") == source.count("</details>")


@each_lecture
def test_slides_have_all_pictures_and_need_nothing_else(page: Path) -> None:
    pytest.importorskip("markdown_it", reason="the slides are made with what the site is made with")
    from docs.lectures.slides import slides

    text = slides(page)
    assert text.count("data:image/svg+xml;base64,") == len(pictures_on(page))
    assert text.count("<section id=") > 10
    addresses = re.findall(r'(?:src|href)="(.*?)[:"]', text)
    assert set(addresses) <= {"data", "https"}
    assert not re.search(r"\{live\}|\[\^", text)
    assert not any(task in text.replace("\n", " ") for task in framed_tasks(page))


def test_an_expected_error_has_a_cell_of_its_own_that_does_not_stop_the_notebook(
    tmp_path: Path,
) -> None:
    page = tmp_path / "page.md"
    block = ">>> n = 0\n>>> 1 / n\nTraceback (most recent call last):\nZeroDivisionError: by zero\n"
    page.write_text(f"# Page\n\n```python\n{block}>>> n\n0\n\n```\n", "utf-8")
    cells = [cell for cell in json.loads(notebook(page))["cells"] if cell["cell_type"] == "code"]
    assert ["".join(cell["source"]) for cell in cells] == ["n = 0\n1 / n", "n"]
    assert [cell["metadata"].get("tags") for cell in cells] == [["raises-exception"], None]
    error, value = answers(page)
    assert error == ("ZeroDivisionError: by zero\n", "ZeroDivisionError: division by zero\n")
    assert value == ("0\n", "0\n")


def test_start_can_be_typed_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files = re.findall(r"`(\w+\.csv)`:\n\n```text\n(.*?)^```$", START, re.M | re.S)
    assert [name for name, _ in files] == ["taste.csv", "guess.csv"]
    for name, text in files:
        (tmp_path / name).write_text(text, "utf-8")
    steps = re.findall(r"^```bash\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", START, re.M | re.S)
    for commands, answer in steps[1:]:  # the first installs porank
        capsys.readouterr()
        for command in commands.splitlines():
            assert main(shlex.split(command)[1:]) == 0
        if answer:
            said = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
            assert said == [line.rstrip() for line in answer.splitlines()]
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"taste.csv", "guess.csv", "taste.png", "taste.html"}


def test_start_writes_the_files_that_it_shows() -> None:
    for name, text in re.findall(r"`(\w+\.csv)`:\n\n```text\n(.*?)^```$", START, re.M | re.S):
        (line,) = re.findall(rf'"{name}"\)\.write_text\("\\n"\.join\((\w+)\)\)', START)
        (listed,) = re.findall(rf"^>>> {line} = (\[.*\])$", START, re.M)
        assert ast.literal_eval(listed) == text.splitlines()
