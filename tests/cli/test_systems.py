"""``porank systems``: tables of scores and of battles, orders and pictures of them."""

from __future__ import annotations

from pathlib import Path

import porank as po
from tests.cli_runs import End, Run, strict


def write(name: str, head: str, *rows: str) -> str:
    Path(name).write_text("".join(f"{line}\n" for line in (head, *rows)), "utf-8")
    return name


def test_a_table_of_scores(run: Run) -> None:
    rows = [f"{k},{3 + k % 2},{2 + k % 2},{k % 2}" for k in range(9)]
    name = write("scores.csv", "task,new,old,none", *rows)
    assert run(f"porank systems {name}").strip() == str(po.compare_scores(name))
    said = strict(run(f"porank systems {name} --better lower --format json"))
    assert said["systems"][2]["better_than"] == ["new", "old"]
    assert said["systems"][2]["ranks"] == [1, 1]
    assert len(said["pairs"]) == 3
    every = run(f"porank systems {name} --differences --format csv")
    assert every == po.compare_scores(name).to_csv()
    run(f"porank systems {name} -o order.txt")
    assert Path("order.txt").read_text("utf-8") == "new > old > none\n"
    run(f"porank systems {name} -o order.svg")
    assert Path("order.svg").read_bytes().startswith(b"<?xml")


def test_battles(run: Run, end: End) -> None:
    rows = [f"{u},{v},model_a" for u, v in ("ab", "bc", "ca") for _ in range(9)]
    name = write("battles.csv", "model_a,model_b,winner", *rows)
    said = run(f"porank systems {name}")
    assert said.startswith("settled: nothing (")
    assert "share won: a cycle, a > b > c > a" in said
    run(f"porank systems {name} -o open.txt")
    assert Path("open.txt").read_text("utf-8") == "a; b; c\n"
    for option in ("--better lower", "--correction holm", "--seed 1"):
        error = end(f"porank systems {name} {option}")[2]
        assert f"expected {option.split()[0]} with scores, found a table of battles" in error


def test_clusters_blanks_and_what_is_no_score(run: Run, end: End) -> None:
    rows = [f"f{k // 3},{k % 3 + 2},{k % 2}" for k in range(18)]
    name = write("families.csv", "family,new,old", *rows)
    assert "randomization test by family, max-T" in run(f"porank systems {name} --unit family")
    rows = [f"{k % 5 + 2},{k % 5},{'' if k > 7 else k % 5 - 2}" for k in range(12)]
    name = write("blanks.csv", "a,b,c", *rows)
    assert "ranks" not in run(f"porank systems {name}")
    assert "ranks" in run(f"porank systems {name} --missing at-random")
    assert "4 rows left out" in run(f"porank systems {name} --missing drop")
    code, _, error = end(f"porank systems {write('s.csv', 'a,b', '1,x')}")
    assert code == 2
    assert "line 2: expected a finite number as a score, found 'x' in column 'b'" in error
