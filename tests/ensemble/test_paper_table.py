"""The script that lays our figures beside printed ones: it reads files, and says what it lacks."""

from __future__ import annotations

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


def test_files_it_does_not_know_are_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"files named after breast-cancer, .* found none"):
        SCRIPT["main"]([str(tmp_path), *QUICK])
    (tmp_path / "sonar.csv").write_text("x,class\n1,2\n1\n")
    with pytest.raises(SystemExit, match=r"rows of one length below .*sonar\.csv"):
        SCRIPT["main"]([str(tmp_path / "sonar.csv"), *QUICK])
