"""The table of the paper, measured anew by an example."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "paper_table.py"))
QUICK = ["--repeats", "1", "--folds", "2", "--members", "2"]


@pytest.mark.slow
def test_both_formats_say_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    numbers, words = rng.normal(size=60), rng.choice(["low", "top"], 60)
    classes = np.where(numbers + 2 * (words == "top") + rng.normal(size=60) > 1, "good", "bad")
    cells = np.array([numbers.round(3).astype(str), words])
    cells = np.where(rng.random((2, 60)) < 0.1, "?", cells)
    lines = [",".join(row) for row in zip(*cells.tolist(), classes.tolist(), strict=True)]
    (tmp_path / "labor.csv").write_text("\n".join(["x,level,class", *lines, ""]))
    head = ["@relation vote", "@attribute x numeric", "@attribute level {low,top}"]
    head += ["@attribute class {bad,good}", "@data"]
    (tmp_path / "vote.arff").write_text("\n".join([*head, *lines, ""]))
    for options in ([], ["--codes"]):
        table = SCRIPT["main"]([str(tmp_path), *QUICK, *options])
        found = {row[0]: row[1:] for row in table.rows}
        assert found["labor"][:4] == found["vote"][:4]
        assert min(float(cell[:5]) for cell in found["labor"][:3]) > 0.3
        assert found["labor"][4:] == ("0.990 ± 0.049", "0.985 ± 0.060", "0.989 ± 0.052")
        assert found["mushroom"][0] == "not there"


def test_printed_correctness_never_falls_by_abstention() -> None:
    printed: dict[str, Any] = SCRIPT["PAPER"]
    assert len(printed) == len({row.name for row in printed.values()}) == 16
    assert all(row.correctness[0] >= row.without_abstention[0] for row in printed.values())


@pytest.mark.slow
def test_without_files_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    table = SCRIPT["main"](QUICK)
    assert capsys.readouterr().out.startswith("Neither files nor --openml: these are other sets")
    assert [row[0].split()[0] for row in table.rows] == ["breast", "wine", "iris"]


def test_files_that_cannot_be_measured_are_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "sonar.csv"
    for text, message in (
        (None, "found nothing at"),
        ("x,class\n1,2\n1\n", "found an error: expected rows of one length"),
        ("class\na\nb\n", "a class after other columns in"),
        ("x,class\n1,a\n2,b\n", "n_splits=2 cannot be greater"),
    ):
        if text:
            path.write_text(text)
        with pytest.raises(SystemExit, match="2"):
            SCRIPT["main"]([str(path), *QUICK])
        # A bar that stood before has been wiped out.
        (line,) = capsys.readouterr().err.rpartition("\r")[2].splitlines()
        assert line.startswith("paper_table.py: ")
        assert message in line
