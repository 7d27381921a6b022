"""What stops a command: exit code 2, one line that says why, and nothing written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from porank import cli
from tests.cli_runs import run_line, write_demo, write_files

BROKEN = "; porank convert --break-cycles drops as few pairs as makes it an order"
ALIGNED = "; porank compare --align compares what is in both"
FORMS = (
    "notation, csv, tsv, ranks, json, graphml, parquet, preflib, trec-run, trec-qrels, trec-prefs"
)
CASES = {
    # what is not there, or not to be read
    "describe missing.txt": "No such file or directory: 'missing.txt'",
    "describe folder.txt": "Is a directory: 'folder.txt'",
    "describe unknown.dat": (
        f"expected a name that tells the format, found 'unknown.dat'; --from names it: {FORMS}"
    ),
    "describe bad.txt": "bad.txt, line 2, column 5: expected an item after '>', found '>'",
    "describe wide.csv": (
        "wide.csv, line 1: expected 2 or 3 cells, found 4; --delimiter names another sign"
    ),
    "describe semicolon.csv": (
        "semicolon.csv, line 1: expected 2 or 3 cells, found 1; the line holds ';', and "
        "--delimiter ';' splits it there"
    ),
    "describe chain.txt --from csv --delimiter ab": "expected one sign as delimiter, found 'ab'",
    "describe scores.csv": (
        "scores.csv: expected the columns preferred, other or item, rank, found 'item', 'score'; "
        "porank evaluate takes such tables"
    ),
    "describe latin.csv": (
        "latin.csv, line 1, column 3: expected a text in UTF-8, found the byte 0xe9; iconv -t "
        "utf-8 converts others"
    ),
    "describe cut.csv.gz": (
        "cut.csv.gz: expected a file of gzip, found an error: Compressed file ended before the "
        "end-of-stream marker was reached"
    ),
    "describe bad.json": "bad.json, line 1, column 14: expected JSON, found an error: ...",
    "describe bad.graphml": "bad.graphml, line 1, column 1: expected XML, found an error: ...",
    "describe bad.parquet": "bad.parquet: expected a Parquet file, found an error: ...",
    "describe bad.soc": "bad.soc, line 5, column 10: ...",
    "describe chain.txt --from json": "chain.txt, line 1, column 1: expected JSON, ...",
    # one order is needed
    "describe ballots.toi": (
        "expected one order in 'ballots.toi', found 2 orders; porank aggregate and porank predict "
        "make one of many"
    ),
    "ranks two.run": "expected one query of 'two.run', found 'q1', 'q2'; --query names it",
    "ranks two.run --query q7": (
        "expected one query 'q7' of 'two.run', found 'q1', 'q2'; --query names it"
    ),
    "ranks cycle.txt": f"expected an order, found the cycle 'a' > 'b' > 'c' > 'a'{BROKEN}",
    "ranks tie.json": "expected the same items above and below the tied 'a' and 'b', found ...",
    "convert torn.prefs x.json": "expected an order, found the cycle 'a' > 'b' > 'a' ...",
    # two orders
    "compare - -": "expected one '-' at most, found 2: standard input is read once",
    "compare cycle.txt chain.txt": (
        f"expected an order, found the cycle 'a' > 'b' > 'c' > 'a' in target{BROKEN}"
    ),
    "compare chain.txt abx.txt": (
        "expected the same items in both orders, found only in target: 'd'; only in predicted: "
        f"'x'{ALIGNED}"
    ),
    "compare chain.txt other.txt --measures gamma,beta": (
        "expected names of measures, such as ..., found 'beta'"
    ),
    # files to write
    "hasse chain.txt -o chain.gif": (
        "expected a file that ends in .png, .svg, .pdf or .tex, found 'chain.gif'"
    ),
    "hasse chain.txt -o none/chain.png": "No such file or directory: 'none'",
    "hasse chain.txt -o chain.png --dpi 1": ("expected a number from 10 to 2400 as --dpi, found 1"),
    "convert chain.txt order.json": (
        "expected no file at 'order.json', found one; --force replaces it"
    ),
    "convert chain.txt folder.txt": "expected a file to write, found the folder 'folder.txt'",
    "convert chain.txt x.zip": (
        f"expected a name that tells the format, found 'x.zip'; --to names it: {FORMS}, dot, tex"
    ),
    "convert cycle.txt x.txt": (
        f"expected an order, found the cycle 'a' > 'b' > 'c' > 'a'{BROKEN}"
    ),
    "convert ballots.toi x.json": "expected one order in 'ballots.toi', found 2 orders; ...",
    "convert ballots.toi x.soc": "expected a profile that fits a file of type soc, found ties ...",
    "convert other.txt x.run": "expected a ranking with known ties ...",
    "convert surrogate.json x.csv": "expected texts that UTF-8 can hold, found '\\ud800'",
    "convert order.json x.parquet": (
        "expected items and weights of one type for Parquet, found an error: ..."
    ),
    "page chain.txt -o x.png": "expected a file that ends in .html, found 'x.png'",
    "page chain.txt -o x.html --target abx.txt": (
        f"expected the same items in both orders, found ...{ALIGNED}"
    ),
    "page chain.txt -o pairs.csv": "expected a file that ends in .html, found 'pairs.csv'",
    # many orders
    "predict empty.txt": "expected at least one order, found none in 'empty.txt'",
    "predict bad_votes.txt": (
        "bad_votes.txt, line 3, column 5: expected an item after '>', found '>'"
    ),
    "predict votes.txt --alpha 2": "expected a threshold above 0 and at most 1, found 2",
    "predict around.txt --alpha 1/3": (
        "expected an order, found the cycle 'a' > 'b' > 'a' in the cut at 1/3; --alpha minimal is "
        "the least threshold without one"
    ),
    "predict votes.txt --curve -o x.txt": (
        "expected --curve, which has every threshold, without --alpha, --abstention-cost and -o"
    ),
    "predict votes.txt --target chain.txt": (
        "expected --target beside --curve; porank compare judges one order"
    ),
    "predict votes.txt --curve --target abx.txt": (
        "expected the same items in both orders, found only in target: 'x'"
    ),
    "predict votes.txt --alpha 1 --abstention-cost 1": (
        "expected --alpha or --abstention-cost, found both"
    ),
    "predict votes.txt --prior 1": "expected --prior with the evidence of a log, found rankings",
    "predict evidence.csv votes.txt": (
        "expected rankings, or the evidence of one log, found 1 graph of evidence among 5 orders"
    ),
    "predict - -": "expected one '-' at most, found 2: standard input is read once",
    "aggregate ballots.toi": (
        "expected the same items in both orders, found only in member 1: 'Rosé'; --unranked last "
        "puts what is missing last"
    ),
    "aggregate votes.txt -o bad.soc": (
        "expected no file at 'bad.soc', found one; --force replaces it"
    ),
    "aggregate votes.txt --method kemeny --seconds -1": "expected ...",
    # logs and tables
    "mine no_log.csv": (
        "expected a column for session and for item and for event, found 'one', 'two'; --columns "
        "ROLE=NAME says which is which"
    ),
    "mine bad_log.csv": (
        "bad_log.csv, line 4: expected one of 'purchase', 'click', 'view' as event, found 'look'; "
        "--events names others"
    ),
    "mine log.csv --rule magic": "expected a function or one of 'levels', ..., found 'magic'",
    "mine log.csv --columns item": "expected ROLE=NAME,... as --columns, found 'item'",
    "mine log.csv --by shop": "expected a column for shop, found 'session', 'item', 'event'; ...",
    "mine log.csv --by session -o x.json": (
        "expected .csv, .tsv or .parquet for pairs by groups, found 'x.json'"
    ),
    "mine chain.txt": "expected a log in CSV, TSV or Parquet, found 'chain.txt'",
    "mine log.csv -o x.txt": "expected a name that tells the format, found 'x.txt'; ...",
    "mine missing.csv": "No such file or directory: 'missing.csv'",
    "evaluate --target log.csv --predicted predicted.csv": (
        "expected 'user', 'preferred', 'other' or ... as columns of target, found ..."
    ),
    "evaluate --target target.csv --predicted predicted.csv --by shop": (
        "expected a column for shop, found 'user', 'preferred', 'other' in target; rename the "
        "columns, or give --by"
    ),
    "evaluate --target target.csv --predicted predicted.csv --measures beta": (
        "expected the name of a measure, ...; found 'beta'"
    ),
    "evaluate --target chain.txt --predicted chain.txt": (
        "expected a name that tells the format, found 'chain.txt'; --from names it: csv, tsv, "
        "parquet, trec-run, trec-qrels, trec-prefs"
    ),
    "evaluate --target target.csv --predicted predicted.csv --scheduler tcp://x:1": (
        "expected --scheduler beside --engine dask"
    ),
    "evaluate --target target.csv --predicted predicted.csv --engine dask": "expected ...",
    "evaluate --target target.csv --predicted predicted.csv -o x.json": (
        "expected a name that tells the format, found 'x.json'; a suffix names it: csv, parquet"
    ),
}


def fits(line: str, pattern: str) -> bool:
    """Return whether a line is the pattern, whose dots stand for anything."""
    place = 0
    parts = pattern.split("...")
    for part in parts:
        found = line.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return line.startswith(parts[0]) and line.endswith(parts[-1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the small files, which no test changes."""
    folder = tmp_path_factory.mktemp("files")
    write_files(folder)
    return folder


@pytest.mark.parametrize(("line", "reason"), CASES.items(), ids=CASES)
def test_what_stops_a_command(
    line: str,
    reason: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    before = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert cli.main(line.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert fits(err.removesuffix("\n"), f"porank: {reason}"), err
    assert {path.name: path.stat().st_size for path in folder.iterdir()} == before


def test_lines_fit_patterns() -> None:
    assert fits("expected a, found b", "expected ..., found b")
    assert not fits("expected a, found b", "expected ..., found c")
    assert not fits("expected a, found bc", "expected ..., found b")


@pytest.mark.parametrize("read", ["ranks -", "mine -", "predict -"])
def test_a_closed_standard_input_is_one_line(
    read: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.main(read.split()) == 2
    expected = "porank: expected something on standard input, found it closed\n"
    assert capsys.readouterr() == ("", expected)


def test_what_was_piped_is_called_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_line("echo 'a > > b' | porank ranks -", monkeypatch) == 2
    assert capsys.readouterr().err == (
        "porank: standard input, line 1, column 5: expected an item after '>', found '>'\n"
    )


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
    assert capsys.readouterr().err == f"porank: No space left on device: '{there}'\n"
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


def test_the_demo_keeps_files_that_are_not_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clicks.csv").write_text("mine")
    assert cli.main(["demo", "--folder", "."]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "porank: expected a folder of an earlier demo, found 'clicks.csv' of no demo in '.'; "
        "--force replaces them, --folder names another folder\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["clicks.csv"]
    assert cli.main(["demo", "--folder", "clicks.csv"]) == 2
    assert capsys.readouterr().err == (
        "porank: expected a folder, found the file 'clicks.csv'; --folder names another\n"
    )
    write_demo(tmp_path)
    (tmp_path / "porank-demo" / "notes.txt").write_text("mine")
    (tmp_path / "porank-demo" / "clicks.csv").write_text("changed")
    with monkeypatch.context() as patched:
        patched.setattr("porank.commands.demo.write_pictures", lambda *_: None)
        assert cli.main(["demo"]) == 0
    assert (tmp_path / "porank-demo" / "notes.txt").read_text() == "mine"
    assert (tmp_path / "porank-demo" / "clicks.csv").read_text().startswith("session,item")
