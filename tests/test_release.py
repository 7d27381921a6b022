"""What a release says of itself is the same in all places."""

import re
import tomllib
from pathlib import Path

import porank

ROOT = Path(__file__).parents[1]
PLACES = {
    "docs/CITATION.cff": r"^version: (\S+)$",
    "docs/changelog.md": r"^##+ (\d+\.\d+\.\d+)",
    "docs/releases.md": r"^  version = \{(\S+)\},$",
    "docs/conda/recipe.yaml": r'^  version: "(\S+)"$',
    "README.md": r"^  version = \{(\S+)\},$",
}


def test_the_version_is_a_semantic_one_and_the_same_everywhere() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", porank.__version__)
    for path, pattern in PLACES.items():
        found = re.search(pattern, (ROOT / path).read_text("utf-8"), re.MULTILINE)
        assert found
        assert found[1] == porank.__version__, path


def test_types_go_with_the_package() -> None:
    assert (Path(porank.__file__).parent / "py.typed").exists()


def test_the_conda_recipe_needs_what_the_package_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [line.replace(">=", " >=") for line in project["dependencies"]]
    needed.append(f"python {project['requires-python']}")
    recipe = (ROOT / "docs/conda/recipe.yaml").read_text("utf-8")
    # conda calls Matplotlib without a graphical interface by another name.
    run = (
        recipe.partition("  run:\n")[2]
        .partition("\n\n")[0]
        .replace("matplotlib-base", "matplotlib")
    )
    assert sorted(re.findall(r"- (.*)", run)) == sorted(needed)


def test_the_address_stands_in_one_place_and_actions_are_pinned_by_hash() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    address = urls["Repository"]
    assert all(url.startswith(address) for url in urls.values())
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.*"), *(ROOT / ".github").rglob("*.*")]
    written = [path for path in pages if path.suffix in {".md", ".py", ".yml", ".yaml", ".cff"}]
    assert [path for path in written if address in path.read_text("utf-8")] == []
    used = [
        action
        for path in (ROOT / ".github" / "workflows").glob("*.yml")
        for action in re.findall(r"uses: (.*)", path.read_text("utf-8"))
    ]
    assert used
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action) for action in used)


def test_the_paper_cites_what_it_lists_and_has_the_length_of_its_journal() -> None:
    paper, listed = (
        (ROOT / "docs/paper" / name).read_text("utf-8") for name in ("paper.md", "paper.bib")
    )
    body = paper.split("\n---\n", 1)[1]
    cited = set(re.findall(r"@(\w+:?\d*)", body))
    assert cited == set(re.findall(r"^@\w+\{(.*),$", listed, re.MULTILINE))
    assert 750 <= len(body.split()) <= 1_750
