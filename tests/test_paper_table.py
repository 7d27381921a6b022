"""The table of the paper on ranking with abstention, by an example."""

import runpy
from pathlib import Path

import numpy as np
import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "paper_table.py"))
QUICK = ["--repeats", "1", "--folds", "2", "--members", "2"]


@pytest.mark.slow
def test_both_formats_of_the_paper_table_say_the_same(tmp_path: Path) -> None:
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
