"""What is mined from a log, in every form."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli_runs import rows_of, strict

if TYPE_CHECKING:
    from tests.cli_runs import End, Run


def test_mine_prints_pairs(run: Run) -> None:
    assert rows_of(run("porank mine log.csv --format csv")) == [
        {"preferred": "a", "other": "b", "support": "1"},
        {"preferred": "b", "other": "a", "support": "2"},
    ]
    text = Path("log.csv").read_text("utf-8").replace("\n", "\\n")
    piped = f"printf '{text}' | porank mine - --by session --format json"
    assert [row["session"] for row in strict(run(piped))] == ["1", "2", "3"]


def test_mine_writes_what_the_other_commands_read(run: Run) -> None:
    for name in ("mined.csv", "mined.tsv", "mined.json", "mined.graphml", "mined.parquet"):
        assert run(f"porank mine log.csv -o {name}") == ""
        said = strict(run(f"porank predict {name} --format json"))
        assert (name, said["order"], said["threshold"]) == (name, "b > a", "3/5")
    prior = "porank predict mined.csv --prior 0 --format json"
    assert strict(run(prior))["threshold"] == "2/3"


def test_mine_by_groups_is_what_evaluate_reads(run: Run) -> None:
    for name in ("by.csv", "by.parquet"):
        run(f"porank mine log.csv --by session -o {name}")
        line = f"porank evaluate --target {name} --predicted {name} --by session --format json"
        said = strict(run(line))
        assert (said["groups"], said["measures"]["completeness"]["mean"]) == (3, 1.0)
    run("porank mine log.csv --by session -o by.tsv")
    assert Path("by.tsv").read_text("utf-8").startswith("session\tpreferred\tother\tsupport\n1\tb")


def test_mine_leaves_out_bad_rows_only_if_told(run: Run, end: End) -> None:
    _, out, err = end("porank mine bad_log.csv --skip-bad-rows --format csv")
    assert rows_of(out) == [{"preferred": "a", "other": "b", "support": "1"}]
    assert err.startswith("porank: 1 row left out: line 4: ")
    line = "porank mine bad_log.csv --events click,view,look --rule levels --format csv"
    assert len(rows_of(run(line))) == 3


def test_mine_takes_other_names_of_columns(run: Run) -> None:
    table = "one,two,three\\n1,a,view\\n1,b,click\\n"
    line = "porank mine - --columns session=one,item=two,event=three --format csv"
    assert len(rows_of(run(f"printf '{table}' | {line}"))) == 1


def test_a_log_in_compressed_parquet(run: Run) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = rows_of(Path("log.csv").read_text("utf-8"))
    parquet.write_table(arrow.Table.from_pylist(rows), "log.parquet")
    Path("log.parquet.gz").write_bytes(gzip.compress(Path("log.parquet").read_bytes()))
    Path("log.bin").write_bytes(Path("log.parquet").read_bytes())
    expected = run("porank mine log.csv --format csv")
    for line in ("log.parquet", "log.parquet.gz", "log.bin --from parquet"):
        assert run(f"porank mine {line} --format csv") == expected


def test_pairs_by_groups_are_the_same_in_every_form(run: Run) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for form in ("csv", "tsv", "parquet"):
        run(f"porank mine log.csv --by session -o by.{form}")
    rows = [tuple(row.values()) for row in rows_of(Path("by.csv").read_text("utf-8"))]
    assert rows == [("1", "b", "a", "1"), ("2", "a", "b", "1"), ("3", "b", "a", "1")]
    table = Path("by.tsv").read_text("utf-8").splitlines()
    assert [tuple(line.split("\t")) for line in table[1:]] == rows
    held = parquet.read_table("by.parquet").to_pylist()
    assert [tuple(map(str, row.values())) for row in held] == rows


def test_items_with_tabs_stay_whole_in_tsv(run: Run) -> None:
    run(
        "printf 'session,item,event\\n1,\"a\tb\",view\\n1,c,click\\n' | "
        "porank mine - --by session -o by.tsv"
    )
    with Path("by.tsv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file, delimiter="\t"))[1:] == [["1", "c", "a\tb", "1"]]


def test_the_report_of_a_log_names_commands(run: Run) -> None:
    out = run("porank mine log.csv --report")
    assert "contradictions" in out
    assert "porank convert --break-cycles" in out
    assert "net_preferences" not in out
    assert "break_cycles" not in out
