"""The command line run among small files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.cli_runs import End, Run, run_line, write_files


@pytest.fixture
def end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> End:
    """Return what runs a command line among the small files and tells how it ended."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return lambda line: (run_line(line, monkeypatch), *capsys.readouterr())


@pytest.fixture
def run(end: End) -> Run:
    """Return what runs a command line among the small files and gives what it printed."""

    def answer(line: str) -> str:
        code, out, err = end(line)
        assert (line, code, err) == (line, 0, "")
        return out

    return answer


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the small files and some odd ones, which no test changes."""
    folder = tmp_path_factory.mktemp("files")
    write_files(folder)
    (folder / "d").mkdir()
    for suffix in ("run", "qrels", "prefs"):
        (folder / f"empty.{suffix}").touch()
    packed = {
        "bad.parquet.gz": b"no parquet",
        "log.parquet.gz": b"no parquet",
        "bad.csv.gz": b"a,b\nb,c\nc\n",
        "bad.txt.gz": b"a > b\nb > > a\n",
        "target.dat.gz": b"user,preferred,other\n1,a\n",
        "votes.tsv.gz": b"preferred\tother\tvotes\na\tb\t2\nb\ta\t1\n",
    }
    for name, content in packed.items():
        (folder / name).write_bytes(gzip.compress(content))
    pairs = "a,b,3\nb,c,3\nc,a,3\n"
    tables = {
        "torn.csv": f"winner,loser,support\n{pairs}",
        "odd.csv": "preferred,other,weight\na,b,1.5\nb,c,0.5\n",
        "counted.wmd": "2,1\n1,a\n2,b\n1,2,3\n",
        "groups.csv": "query,preferred,other,support\nq1,a,b,6\nq1,b,a,2\nq2,b,a,5\n",
        "clash.csv": "query,preferred,other,support\nq1,a,b,1\n"
        + "".join(f"q2,{line}\n" for line in pairs.split()),
    }
    for name, text in tables.items():
        (folder / name).write_text(text)
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "log.jsonl").write_text("{}\n")
    rows = [f"i{number},{number}\n" for number in range(5_001)]
    (folder / "many.csv").write_text(f"item,rank\n{''.join(rows)}")
    (folder / "semicolons_votes.csv").write_text("preferred;other;votes\na;b;2\nb;a;1\n")
    (folder / "tied.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 1\nq2 0 d4 1\n")
    (folder / "holes.csv").write_text("preferred,other,weight\na,b,2\nb,c,\n")
    return folder
