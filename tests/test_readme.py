"""README, manual, examples: commands are what is run, and all code is executed."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs import api_pages
from tests.benchmarks.renew import repeated
from tests.test_public_names import PUBLIC

CHECKOUT = Path(__file__).parents[1]
FOLDERS = (CHECKOUT / "docs", CHECKOUT / "docs" / "lectures")
PAGES = [
    CHECKOUT / "README.md",
    *sorted(page for folder in FOLDERS for page in folder.glob("*.md")),
]


def fenced(text: str) -> list[tuple[str, str]]:
    """Return the fenced blocks of a page, each with its language."""
    return re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.M | re.S)


def test_the_commands_of_the_readme_are_those_that_ci_runs() -> None:
    for command in ("pip install . && porank demo", "pip install '.[test]' && pytest"):
        assert ("bash", f"{command}\n") in fenced((CHECKOUT / "README.md").read_text("utf-8"))
        assert f'readme "{command}"' in (CHECKOUT / ".ci" / "run").read_text("utf-8")


def test_each_block_of_the_readme_is_run_or_cites() -> None:
    """Python by doctest, consoles by the tests of the demo, the two commands by .ci/run."""
    text = (CHECKOUT / "README.md").read_text("utf-8")
    languages = [language for language, _ in fenced(text)]
    assert {"python", "console", "bash", "bibtex"} == set(languages)
    assert languages.count("bash") == 2
    table = text.partition("## Which function for which question?")[2].partition("\n\n`porank")[0]
    assert re.findall(r"`(\w+)`", table)
    assert set(re.findall(r"`(\w+)`", table)) - set(PUBLIC) == set()


def test_the_races_of_the_readme_are_rows_of_the_benchmarks() -> None:
    readme, page = (
        (CHECKOUT / name).read_text("utf-8") for name in ("README.md", "docs/benchmarks.md")
    )
    assert "| networkx |" in readme
    assert repeated(readme, page) == readme


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_executed_and_what_it_names_is_there(path: Path) -> None:
    text = path.read_text("utf-8")
    blocks = fenced(text)
    for language, code in blocks:
        if language in {"python", "pycon", "py"}:
            assert code.startswith(">>> ")
            assert code.endswith("\n\n"), "doctest reads an answer up to an empty line"
        else:
            assert ">>>" not in code
    first = next((code for language, code in blocks if language == "python"), ">>> import ")
    assert re.match(r">>> (import|from) ", first)
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
    # The gallery, notebooks and what the pages draw are made when the documentation is built, which
    # then checks the link.
    made = re.compile(r"(\.\./)?(gallery|drawn)/|(course/)?(assignments/)?\w+\.ipynb")
    written = [path.parent / link for link in links if not made.match(link)]
    named = [CHECKOUT / module for module in re.findall(r"`(porank/[\w/.]*)`", text)]
    assert [each for each in written + named if not each.exists()] == []


def test_the_pages_of_the_api_are_made_of_the_public_names() -> None:
    listed = []
    for module in api_pages.LISTS:
        for path, (title, part) in api_pages.pages(module).items():
            now = api_pages.written(path)
            assert api_pages.page_of(module, title, part, now) == now
            listed += re.findall(r"^   (\w+)$", now, re.M)
    assert sorted(listed) == sorted(PUBLIC)


def test_the_lowest_versions_are_read_from_pyproject() -> None:
    script = CHECKOUT / ".ci" / "oldest.py"
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    expected = [line.replace(">=", "==") for line in project["dependencies"]]
    assert printed.stdout.split()[: len(expected)] == expected
    assert "scikit-learn" in printed.stdout, "those of the tests"


def test_tools_are_pinned_in_one_place() -> None:
    for path in (".pre-commit-config.yaml", ".github/workflows/ci.yml", ".ci/run"):
        text = (CHECKOUT / path).read_text("utf-8")
        assert not re.search(r"(ruff|mypy|networkx|numpy)\s*[=@><]=?\s*v?\d", text), path


def test_tools_are_kept_up_to_date() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    tools = [line.partition("==")[0] for line in project["optional-dependencies"]["lint"]]
    listed = re.findall(
        r"dependency-name: (\S+)", (CHECKOUT / ".github/dependabot.yml").read_text()
    )
    assert listed == tools


def test_an_example_asks_one_question_in_20_to_40_lines_and_ends_in_a_check() -> None:
    """That it runs is seen where the documentation is built, which makes the gallery of it."""
    paths = sorted((CHECKOUT / "examples").rglob("plot_*.py"))
    assert paths
    for path in paths:
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        lines = text.splitlines()[tree.body[0].end_lineno :]
        filled = sum(1 for line in lines if line.strip() and not line.startswith("#"))
        assert 20 <= filled <= 40, f"{path} has {filled} lines of code, without blank lines"
        title, underline = (ast.get_docstring(tree) or "").split("\n")[:2]
        assert title.endswith("?"), path
        assert underline == "=" * len(title), path
        assert isinstance(tree.body[-1], ast.Assert), path
