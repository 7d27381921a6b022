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
    assert capsys.readouterr().err.startswith("porank: [Errno 13] Permission denied: ")
    tmp_path.chmod(0o700)


def test_what_is_no_plain_file_takes_what_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_line(f"echo 'a > b' | porank convert - {os.devnull} --to csv", monkeypatch) == 0
    assert Path(os.devnull).exists()


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
