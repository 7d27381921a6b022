"""The table of the paper, measured anew by an example."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "paper_table.py"))
QUICK = ["--repeats", "1", "--folds", "2", "--members", "2"]


def rows() -> list[tuple[str, ...]]:
    """Rows of a number, a word and a class that depends on both; a tenth of the cells missing."""
    rng = np.random.default_rng(0)
    numbers, words = rng.normal(size=60), rng.choice(["low", "top"], 60)
    classes = np.where(numbers + 2 * (words == "top") + rng.normal(size=60) > 1, "good", "bad")
    cells = np.array([numbers.round(3).astype(str), words])
    cells = np.where(rng.random((2, 60)) < 0.1, "?", cells)
    return [*zip(*cells.tolist(), classes.tolist(), strict=True)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files with the same rows, in two formats."""
    lines = [",".join(row) for row in rows()]
    (tmp_path / "labor.csv").write_text("\n".join(["x,level,class", *lines, ""]))
    head = ["@relation vote", "@attribute x numeric", "@attribute level {low,top}"]
    head += ["@attribute class {bad,good}", "@data"]
    (tmp_path / "vote.arff").write_text("\n".join([*head, *lines, ""]))
    (tmp_path / "notes.txt").write_text("nothing to read")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--codes"]])
def test_both_formats_say_the_same(
    options: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = SCRIPT["main"]([str(folder), *QUICK, *options])
    found = {row[0]: row[1:] for row in table.rows}
    assert len(found) == 16
    assert found["labor"][:4] == found["vote"][:4]
    correctness, without, completeness = (float(cell.split()[0]) for cell in found["labor"][:3])
    assert 0.3 < without <= 1
    assert 0.3 < correctness <= 1
    assert 0.5 < completeness <= 1
    assert found["labor"][4:] == ("0.990 ± 0.049", "0.985 ± 0.060", "0.989 ± 0.052")
    assert found["mushroom"][0] == "not there"
    assert "thyroid disease" in capsys.readouterr().out


def test_printed_correctness_never_falls_by_abstention() -> None:
    printed: dict[str, Any] = SCRIPT["PAPER"]
    assert len(printed) == len({row.name for row in printed.values()}) == 16
    assert all(row.correctness[0] >= row.without_abstention[0] for row in printed.values())


@pytest.mark.slow
def test_without_files_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    table = SCRIPT["main"](QUICK)
    assert capsys.readouterr().out.startswith("Neither files nor --openml: these are other sets")
    assert [row[0].split()[0] for row in table.rows] == ["breast", "wine", "iris"]


HEAD = "@relation sonar\n@attribute x numeric\n@attribute class {a,b}\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("notes.csv", "x,class\n1,a\n", "files named after breast-cancer, .* found none"),
        ("sonar.csv", "x,class\n1,2\n1\n", r"sonar\.csv, found an error: .* rows of one length"),
        ("sonar.csv", "class\na\nb\n", r"a class after other columns in .*sonar\.csv"),
        ("sonar.csv", b"x,class\n\xff,a\n", r"a table in .*sonar\.csv, found an error: .*codec"),
        ("sonar.csv", "x,class\n1,a\n2,b\n", "n_splits=2 cannot be greater"),
        ("sonar.arff", HEAD, r"sonar\.arff, found"),
        ("sonar.arff", HEAD + "@data\n1,z\n", r"sonar\.arff, found an error: .*z"),
    ],
)
def test_files_that_cannot_be_measured_are_said_in_one_line(
    name: str, text: Any, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    require_one_line([str(path), *QUICK], message, capsys)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv"], "a file or a folder, found nothing at nowhere.csv"),
        (["--folds", "1"], "at least 2 as --folds, found 1"),
        (["--seed", "-1"], "at least 0 as --seed, found -1"),
    ],
)
def test_options_that_cannot_be_are_said_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    require_one_line([*QUICK, *arguments], message, capsys)


def require_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Require that the script ends with status 2 and one line, which has the message."""
    with pytest.raises(SystemExit) as caught:
        SCRIPT["main"](arguments)
    assert caught.value.code == 2
    # A bar that stood before has been wiped out.
    (line,) = capsys.readouterr().err.rpartition("\r")[2].splitlines()
    assert re.fullmatch(rf"paper_table\.py: .*{message}.*", line)
