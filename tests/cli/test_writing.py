"""The files that commands write: compressed, whole, with their permissions."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from tests.cli_runs import Run, run_line


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("hasse chain.txt", "chain.tex"),
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
    assert gzip.decompress(Path(f"{name}.gz").read_bytes()) == Path(f"new_{name}").read_bytes()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_must_not_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o500)
    monkeypatch.chdir(tmp_path)
    assert run_line("echo 'a > b' | porank convert - x.json", monkeypatch) == 2
    assert capsys.readouterr().err.startswith("porank: Permission denied: ")
    tmp_path.chmod(0o700)


def test_a_file_is_whole_or_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    there = tmp_path / "x.json"
    there.write_text("old")

    def fail(_: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", fail)
    assert run_line("echo 'a > b' | porank convert - x.json --force", monkeypatch) == 2
    assert capsys.readouterr().err == "porank: No space left on device: 'x.json'\n"
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
    assert there.read_text() == "old"


def test_what_is_no_plain_file_takes_what_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_line(f"echo 'a > b' | porank convert - {os.devnull} --to csv", monkeypatch) == 0
    assert Path(os.devnull).exists()


def test_a_replaced_file_keeps_its_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "x.csv"
    there.write_text("old")
    there.chmod(0o640)
    assert run_line(f"echo 'a > b' | porank convert - {there} --force", monkeypatch) == 0
    assert (there.stat().st_mode & 0o777, there.read_text()) == (0o640, "preferred,other\na,b\n")


def test_cells_that_a_spreadsheet_would_run_are_made_harmless(run: Run) -> None:
    Path("bad.json").write_text('{"items": ["=1+1", "@a", "-2", "x"], "edges": [["=1+1", "-2"]]}')
    assert run("porank convert bad.json - --to csv").startswith("preferred,other\n=1+1,-2\n")
    expected = "preferred,other\n'=1+1,-2\n'@a,\nx,\n"
    assert run("porank convert bad.json - --to csv --spreadsheet-safe") == expected
    run("porank convert bad.json safe.csv --spreadsheet-safe")
    assert Path("safe.csv").read_text() == expected
    run("porank convert bad.json safe.tsv --spreadsheet-safe")
    assert Path("safe.tsv").read_text() == expected.replace(",", "\t")
    assert "'=1+1" in run("porank ranks bad.json --format csv --spreadsheet-safe")
    assert "'=1+1" not in run("porank ranks bad.json --format json --spreadsheet-safe")
