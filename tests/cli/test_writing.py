"""The files that commands write, and the forms in which `evaluate` and `mine` take tables."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import porank as po
from porank.cli import main as cli
from tests.cli_runs import answering, rows_of, run_line, strict, write_files
from tests.oracles_evaluation import random_table

if TYPE_CHECKING:
    from tests.cli_runs import Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs a command line among the small files and gives what it printed."""
    return answering(tmp_path, monkeypatch, capsys)


def unpacked(name: str) -> bytes:
    return gzip.decompress(Path(name).read_bytes())


@pytest.mark.parametrize(
    "name",
    ["t.txt", "t.csv", "t.tsv", "t.json", "t.graphml", "t.parquet", "t.toc", "t.run", "t.prefs"],
)
def test_what_is_written_compressed_is_read_again(run: Run, name: str) -> None:
    source = "fork.json" if name in ("t.csv", "t.tsv", "t.parquet", "t.prefs") else "levels.json"
    run(f"porank convert {source} {name}")
    run(f"porank convert {source} {name}.gz")
    packed = Path(f"{name}.gz").read_bytes()
    assert unpacked(f"{name}.gz") == Path(name).read_bytes()
    assert run(f"porank convert {name}.gz -") == run(f"porank convert {name} -")
    run(f"porank convert {source} {name}.gz --force")
    assert Path(f"{name}.gz").read_bytes() == packed


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("hasse chain.txt", "chain.svg"),
        ("hasse chain.txt", "chain.png"),
        ("page chain.txt", "chain.html"),
        ("mine log.csv", "mined.csv"),
        ("mine log.csv --by session", "by.tsv"),
        ("predict votes.txt", "order.json"),
        ("aggregate votes.txt", "order.txt"),
        ("evaluate --target target.csv --predicted predicted.csv", "values.csv"),
    ],
)
def test_every_command_compresses_what_ends_in_gz(run: Run, line: str, name: str) -> None:
    run(f"porank {line} -o {name}.gz --force")
    run(f"porank {line} -o new_{name} --force")
    assert unpacked(f"{name}.gz") == Path(f"new_{name}").read_bytes()


def test_compressed_tables_are_evaluated(run: Run) -> None:
    for form in ("csv", "tsv", "parquet"):
        run(f"porank mine log.csv --by session -o by.{form}.gz")
        line = f"porank evaluate --target by.{form}.gz --predicted by.{form}.gz --by session"
        said = strict(run(f"{line} --format json"))
        assert (form, said["groups"], said["measures"]["gamma"]["mean"]) == (form, 3, 1.0)


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


def as_tsv(name: str) -> str:
    """Return a small table with tabs between its cells."""
    return Path(name).read_text("utf-8").replace(",", "\t")


@pytest.mark.parametrize("name", ["target.dat", "target.csv.dat", "target.csv", "target.tsv"])
def test_evaluate_takes_the_form_that_it_is_told(
    run: Run, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = run("porank evaluate --target target.csv --predicted predicted.csv")
    target, predicted = as_tsv("target.csv"), as_tsv("predicted.csv")
    Path("predicted.dat").write_text(predicted, "utf-8")
    Path(name).write_text(target, "utf-8")
    line = f"porank evaluate --target {name} --predicted predicted.dat --from tsv"
    assert run(line) == expected
    piped = target.replace("\n", "\\n")
    for other in ("predicted.dat", "-"):
        sides = f"--target {name} --predicted {other}" if other == "-" else (
            f"--target - --predicted {other}"
        )  # fmt: skip
        text = predicted.replace("\n", "\\n") if other == "-" else piped
        assert run_line(f"printf '{text}' | porank evaluate {sides} --from tsv", monkeypatch) == 0
        assert capsys.readouterr().out == expected


def test_evaluate_takes_tables_in_commas_under_any_name(run: Run) -> None:
    expected = run("porank evaluate --target target.csv --predicted predicted.csv")
    Path("target.tsv").write_bytes(Path("target.csv").read_bytes())
    line = "porank evaluate --target target.tsv --predicted predicted.csv --from csv"
    assert run(line) == expected


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "evaluate --target bad.dat --predicted bad.dat --from parquet",
            "bad.dat: expected a Parquet file, ",
        ),
        ("mine bad.dat --from parquet", "bad.dat: expected a Parquet file, "),
        (
            "evaluate --target - --predicted a.parquet --engine dask --from parquet",
            "expected a file or a folder with --engine dask, found standard input",
        ),
    ],
)
def test_tables_are_called_by_their_own_names(
    line: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.dat").write_text("user\tpreferred\tother\n1;a;b\n")
    assert cli.main(line.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"porank: {reason}")
    assert "bad.dat." not in err


@pytest.mark.parametrize("other", ["x.csv", "./x.csv", "link.csv"])
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_the_order_and_what_was_dropped_need_two_files(
    other: str,
    force: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("link.csv").symlink_to("x.csv")
    line = ["convert", "cycle.txt", "x.csv", "--break-cycles", "--dropped", other, *force]
    assert cli.main(line) == 2
    reason = "expected one file for the order and another for what was dropped, found"
    assert capsys.readouterr() == ("", f"porank: {reason} {other!r} for both\n")
    assert not Path("x.csv").exists()


@pytest.mark.parametrize("fails", ["order.json", "dropped.csv"])
@pytest.mark.parametrize("before", [None, "old"])
def test_both_files_are_written_or_none(
    fails: str,
    before: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("knot.txt").write_text("a > b > a")
    for name in ("order.json", "dropped.csv"):
        if before is not None:
            Path(name).write_text(before)
    held = {path.name: path.read_text() for path in tmp_path.iterdir()}
    replace = Path.replace

    def full(path: Path, target: Path) -> Path:
        if target.name == fails:
            raise OSError(28, "No space left on device", str(target))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", full)
    line = "convert knot.txt order.json --break-cycles --dropped dropped.csv --force"
    assert cli.main(line.split()) == 2
    assert capsys.readouterr() == ("", f"porank: No space left on device: '{fails}'\n")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == held


def test_a_page_has_the_thresholds_of_its_preferences(run: Run) -> None:
    run("porank page levels.json -o page.html --preferences votes.txt")
    found = re.search(r'id="data">(.*?)</script>', Path("page.html").read_text("utf-8"))
    assert found is not None
    votes = ["abc"] * 3 + ["bac"]
    curve = po.abstention_curve(po.preference_relation(map(po.from_ranking, votes)))
    stops: list[Any] = [stop["alpha"] for stop in json.loads(found[1])["stops"]]
    assert stops == [None, *(str(point.alpha) for point in curve if point.is_acyclic)]


def size_of(name: str) -> tuple[int, int]:
    """Return the width and the height of a PNG, as its first chunk tells them."""
    head = Path(name).read_bytes()[16:24]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")


def test_a_picture_has_as_many_dots_as_it_is_told(run: Run) -> None:
    sizes = []
    for dpi in (50, 100, 160):
        run(f"porank hasse chain.txt -o chain{dpi}.png --dpi {dpi}")
        sizes.append(size_of(f"chain{dpi}.png"))
    run("porank hasse chain.txt -o chain.png")
    (width, height), doubled, default = sizes
    assert doubled in [(2 * width + i, 2 * height + j) for i in (0, 1) for j in (0, 1)]
    assert size_of("chain.png") == default != doubled


@pytest.mark.slow
def test_dask_gives_what_one_process_gives(run: Run) -> None:
    pytest.importorskip("distributed")
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rng = random.Random(5)
    for name in ("target", "predicted"):
        table = random_table("score", range(20), rng).columns()
        parquet.write_table(arrow.table(table), f"{name}.parquet", row_group_size=15)
    line = "porank evaluate --target target.parquet --predicted predicted.parquet --format json"
    expected = strict(run(f"{line} --engine columns -o one.csv"))
    assert expected["groups"] == 20
    assert strict(run(f"{line} --engine dask -o values")) == expected
    written = {str(row["user"]): row for row in parquet.read_table("values").to_pylist()}
    rows = rows_of(Path("one.csv").read_text("utf-8"))
    assert len(rows) == len(written) == 20
    for row in rows:
        assert row == {name: str(value) for name, value in written[row["user"]].items()}
