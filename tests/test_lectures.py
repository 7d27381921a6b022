"""Start and the lectures: what a reader does step by step works, also in notebooks."""

import ast
import doctest
import re
import shlex
from code import InteractiveConsole
from codeop import compile_command
from contextlib import redirect_stdout
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import nbformat
import pytest

from docs.draw import DOCS, examples_of, illustrated, pictures_on
from docs.notebooks import lectures, notebook
from porank.cli.main import main

each_lecture = pytest.mark.parametrize("page", lectures(), ids=lambda page: page.stem)
START = (DOCS / "start.md").read_text("utf-8")


def shown(source: str, names: dict[str, Any]) -> str:
    """What a cell prints, and its last value as a notebook shows it."""
    *others, last = ast.parse(source).body
    with redirect_stdout(StringIO()) as output:
        exec(compile(ast.Module(others, []), "<cell>", "exec"), names)
        exec(compile(ast.Interactive([last]), "<cell>", "single"), names)
    return output.getvalue()


def answers(page: Path) -> list[tuple[str, str]]:
    """What a page says that Python answers, or the error that it gives, and what a notebook does.

    The notebook is run top to bottom in one namespace.
    """
    names: dict[str, Any] = {}
    given = []
    for cell in notebook(page).cells:
        if cell["cell_type"] == "code":
            try:
                given.append(shown("".join(cell["source"]), names))
            except Exception as error:
                assert cell["metadata"]["tags"] == ["raises-exception"], error  # noqa: PT017
                given.append(f"{type(error).__name__}: {error}\n")
    wanted = [example.exc_msg or example.want for example in examples_of(page) if example.want]
    return list(zip(wanted, filter(None, given), strict=True))


def framed_tasks(page: Path) -> list[str]:
    """Return the paragraphs that say what to do with the framed page below them."""
    paragraphs = page.read_text("utf-8").split("\n\n")
    above = (one for one, other in pairwise(paragraphs) if other.startswith("```{interactive}"))
    return [text.replace("\n", " ") for text in above if text != "```"]


@each_lecture
def test_a_notebook_has_what_is_not_for_a_page_alone_and_answers_are_folded(page: Path) -> None:
    whole = notebook(page)
    nbformat.validate(whole)
    for cell in whole.cells:
        source = cell.source
        assert not re.search(r"drawn/|>>>|as a notebook|\{toctree\}", source)
        assert not any(task in source.replace("\n", " ") for task in framed_tasks(page))
        assert source.count("<details>") == source.count("</details>")
    folded = [cell.source for cell in whole.cells if "jupyter" in cell.metadata]
    text = page.read_text("utf-8")
    assert text.count("<details>") == text.count("</details>") == text.count("<summary>Answer")
    for answer in re.findall(r"<details>(.*?)</details>", text, re.S):
        for example in doctest.DocTestParser().get_examples(answer):
            assert any(example.source.splitlines()[0] in source for source in folded)


@pytest.mark.slow
@each_lecture
def test_the_notebook_runs_and_shows_what_the_page_says(page: Path) -> None:
    plt.switch_backend("Agg")
    check = doctest.OutputChecker().check_output
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    pairs = answers(page)
    assert pairs
    assert [(want, got) for want, got in pairs if not check(want, got, flags)] == []
    numbers = plt.get_fignums()
    plt.close("all")
    assert pictures_on(page) == [f"{page.stem}-{number}.svg" for number in numbers]
    assert (page in illustrated()) == bool(numbers)


def test_an_expected_error_does_not_stop_a_notebook(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    block = ">>> n = 0\n>>> 1 / n\nTraceback (most recent call last):\nZeroDivisionError: by zero\n"
    page.write_text(f"# Page\n\n```python\n{block}>>> n\n0\n\n```\n", "utf-8")
    cells = [cell for cell in notebook(page).cells if cell["cell_type"] == "code"]
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
        # Python writes the same files.
        (line,) = re.findall(rf'"{name}"\)\.write_text\("\\n"\.join\((\w+)\)\)', START)
        (listed,) = re.findall(rf"^>>> {line} = (\[.*\])$", START, re.M)
        assert ast.literal_eval(listed) == text.splitlines()
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


@pytest.mark.parametrize("page", sorted((DOCS / "howto").glob("*.md")), ids=lambda page: page.stem)
def test_the_code_of_a_how_to_page_can_be_pasted_and_saves_its_pictures(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Block by block, as the button at each copies it, with the answers line by line."""
    monkeypatch.chdir(tmp_path)
    console, errors, answered = InteractiveConsole(), list[str](), list[str]()
    monkeypatch.setattr(console, "write", errors.append)
    for block in blocks_of(page):
        for line in typed(block):
            is_open = console.push(line)
        assert not is_open, block
        answered += re.findall(r"^(?!>>>|\.\.\.)(.+)$", block, re.M)
    captions = [ax.get_xlabel() for number in plt.get_fignums() for ax in plt.figure(number).axes]
    plt.close("all")
    assert errors == []
    assert set(answered) <= set(capsys.readouterr().out.splitlines())
    assert len(list(tmp_path.iterdir())) == len(pictures_on(page)) > 0
    # Neither divisors nor subsets are worse.
    assert not ("hasse" in page.stem and any("worse" in caption for caption in captions))


def blocks_of(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)


def typed(block: str) -> list[str]:
    return re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", block, re.M)


PASTED = [DOCS / "howto.md", *DOCS.glob("course/*.md"), *DOCS.glob("lectures/*.md")]


@pytest.mark.parametrize("page", PASTED, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_can_be_pasted(page: Path) -> None:
    for block in blocks_of(page):
        lines = list[str]()
        for line in typed(block):
            lines.append(line)
            # Python has read a whole statement, and begins another one.
            if compile_command("\n".join(lines)):
                lines.clear()
        assert lines == [], block


def test_one_page_explains_what_a_partial_order_is() -> None:
    pages = [page for folder in (".", "howto", "lectures") for page in (DOCS / folder).glob("*.md")]
    assert len(pages) > 50
    for page in [*pages, DOCS / "course" / "relations.md"]:
        text = page.read_text("utf-8")
        explains = "irreflexive" in text or "set is transitive" in text
        assert explains == (page.stem == "relations"), page
