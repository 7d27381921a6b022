"""What stops a command: exit code 2, one line that says why, and nothing written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from porank.cli import main as cli
from tests.cli_runs import fits, require_stopped, run_line, write_files

BROKEN = "; porank convert --break-cycles drops as few pairs as makes it an order"
ALIGNED = "; --align intersection compares what is in both"
FORMS = (
    "notation, csv, tsv, ranks, json, graphml, parquet, preflib, trec-run, trec-qrels, trec-prefs"
)
INPUTS = FORMS.replace("tsv,", "tsv, pairs,")
COLUMNS = "expected the columns preferred, other or item, rank, found"
FIRST = "in the first line and in no other; rename them, or --from pairs takes them as a pair"
RANKS = (
    "in the first line, and numbers in all of the second column; --from ranks says that they are "
    "ranks, 1 the best, --from pairs that they are items"
)
CASES = {
    # what is not there, or not to be read
    "describe missing.txt": "No such file or directory: 'missing.txt'",
    "describe folder.txt": "expected a file, found the folder 'folder.txt'",
    "describe unknown.dat": (
        f"expected a name that tells the format, found 'unknown.dat'; --from names it: {INPUTS}"
    ),
    "describe bad.txt": "bad.txt, line 2, column 5: expected an item after '>', found '>'",
    "describe wide.csv": "wide.csv, line 1: expected 2 or 3 cells, found 4",
    "describe semicolons.csv": (
        "semicolons.csv, line 3: expected 2 or 3 cells, found 1; the line holds ';', and "
        "--delimiter ';' splits it there"
    ),
    "describe chain.txt --from csv --delimiter ab": "expected one sign as delimiter, found 'ab'",
    "describe scores.csv": (
        "scores.csv: expected the columns preferred, other or item, rank, found 'item', 'score'; "
        "porank evaluate takes such tables"
    ),
    # the first line of a table
    "describe header.csv": f"header.csv: {COLUMNS} 'one', 'two' {FIRST}",
    "describe header.csv --from csv": f"header.csv: {COLUMNS} 'one', 'two' {FIRST}",
    "describe header3.tsv": f"header3.tsv: {COLUMNS} 'one', 'two', 'n' {FIRST}",
    "describe names.csv": f"names.csv: {COLUMNS} 'a', '1' {RANKS}",
    "describe points.csv": f"points.csv: {COLUMNS} 'drink', 'points' {RANKS}",
    "describe points.csv --from ranks": (
        "points.csv, line 1: expected a finite number as rank, found 'points'"
    ),
    "describe liked.csv": f"liked.csv: {COLUMNS} 'drink', 'score'; porank evaluate takes ...",
    "describe half.csv": (
        "half.csv: expected two columns that go together, preferred, other; ...; found "
        "'preferred', 'worse'"
    ),
    "compare chain.txt header.csv": f"header.csv: {COLUMNS} 'one', 'two' {FIRST}",
    "aggregate header.csv names.csv": f"header.csv: {COLUMNS} 'one', 'two' {FIRST}",
    "predict bad_support.csv": (
        "bad_support.csv, line 2: expected a finite number >= 0 as support, found 'many'"
    ),
    # options that say nothing here
    "describe chain.txt --query q1": (
        "expected --query beside trec-prefs, trec-qrels, trec-run, found notation"
    ),
    "ranks chain.txt --delimiter ;;": (
        "expected --delimiter beside csv, pairs, ranks, tsv, found notation"
    ),
    "compare chain.txt other.txt --delimiter ;": (
        "expected --delimiter beside csv, pairs, ranks, tsv, found notation"
    ),
    "ranks chain.txt --seed 1": "expected --seed beside --expected",
    "convert chain.txt x.csv --unranked last": (
        "expected --unranked beside PrefLib, whose ballots may leave items out"
    ),
    "convert cycle.txt x.csv --dropped y.csv": "expected --dropped beside --break-cycles",
    "page chain.txt -o x.html --unranked last": "expected --unranked beside --preferences",
    "page chain.txt -o x.html --target-from csv": "expected --target-from beside --target",
    "page chain.txt -o x.html --preferences-from csv": (
        "expected --preferences-from beside --preferences"
    ),
    "predict votes.txt --curve --target-from csv": "expected --target-from beside --target",
    "aggregate votes.txt --seed 1": "expected --seed beside --method kwiksort",
    "aggregate votes.txt --seconds 1": "expected --seconds beside --method kemeny",
    "aggregate levels.json --unranked last": (
        "expected --unranked beside notation, preflib, found json"
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
        "make one of many, and PrefLib's formats hold many"
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
        "expected the name of a measure, such as ...; found 'beta'"
    ),
    # files to write
    "hasse chain.txt -o chain.gif": (
        "expected a file that ends in .png, .svg, .pdf or .tex, found 'chain.gif'"
    ),
    "hasse chain.txt -o none/chain.png": "No such file or directory: 'none'",
    "hasse chain.txt -o nowhere.png": "No such file or directory: 'nowhere.png'",
    "convert chain.txt nowhere.json --force": "No such file or directory: 'nowhere.json'",
    "page chain.txt -o nowhere.html": "No such file or directory: 'nowhere.html'",
    "mine log.csv -o nowhere.csv": "No such file or directory: 'nowhere.csv'",
    "convert cycle.txt x.csv --close": (
        f"expected an order, found the cycle 'a' > 'b' > 'c' > 'a'{BROKEN}"
    ),
    "convert cycle.txt x.csv --reduce": (
        f"expected an order, found the cycle 'a' > 'b' > 'c' > 'a'{BROKEN}"
    ),
    "hasse chain.txt -o chain.png --dpi 1": (
        "argument --dpi: expected a whole number from 10 to 2400, found '1'; ..."
    ),
    "convert chain.txt order.json": (
        "expected no file at 'order.json', found one; --force replaces it"
    ),
    "convert cycle.txt - --break-cycles --dropped -": (
        "expected a file to write, found '-'; ./- is a file of this name"
    ),
    "predict votes.txt -o -": "expected a file to write, found '-'; ./- is a file of this name",
    # before anything is read or written
    "convert missing.txt order.json --break-cycles --dropped y.csv": (
        "expected no file at 'order.json', found one; --force replaces it"
    ),
    "convert cycle.txt y.csv --break-cycles --dropped order.json": (
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
    "convert other.txt x.csv --to ranks": (
        "expected a ranking with known ties ...; notation, json, graphml and dot hold any order"
    ),
    "convert other.txt x.wmd": (
        "expected a finite weight of 'b' > 'a' for PrefLib, found None; a partial order is no "
        "ballot, and as a graph it has a weight for each pair"
    ),
    "convert surrogate.json x.csv": "expected texts that UTF-8 can hold, found '\\ud800'",
    "convert order.json x.parquet": (
        "expected items and weights of one type for Parquet, found an error: ..."
    ),
    "page chain.txt -o x.png": "expected a file that ends in .html or .htm, found 'x.png'",
    "page chain.txt -o x.html --target abx.txt": (
        "expected the same items in both orders, found only in target: 'x'; only in predicted: 'd'"
    ),
    "page chain.txt -o pairs.csv": "expected a file that ends in .html or .htm, found 'pairs.csv'",
    # many orders
    "predict empty.txt": "expected at least one order, found none in 'empty.txt'",
    "predict bad_votes.txt": (
        "bad_votes.txt, line 3, column 5: expected an item after '>', found '>'"
    ),
    "predict torn_votes.txt": (
        f"expected an order, found the cycle 'b' > 'c' > 'b' in torn_votes.txt, line 3{BROKEN}"
    ),
    "aggregate chain.txt two_ways.csv": (
        f"expected an order, found the cycle 'a' > 'b' > 'a' in two_ways.csv{BROKEN}"
    ),
    "predict votes.txt --alpha 0": "expected a threshold above 0 and at most 1, found 0",
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
        "expected the same items in both orders, found only in ballots.toi, order 1: 'Rosé'; "
        "--unranked last puts what is missing last"
    ),
    "aggregate votes.txt -o bad.soc": (
        "expected no file at 'bad.soc', found one; --force replaces it"
    ),
    "aggregate votes.txt --method kemeny --seconds -1": (
        "argument --seconds: expected a number of seconds, such as 60 or 0.5, found '-1'; ..."
    ),
    # logs and tables
    "mine no_log.csv": (
        "expected a column for session and for item and for event, found 'one', 'two'; --columns "
        "session=NAME says which it is"
    ),
    "mine bad_log.csv": (
        "bad_log.csv, line 4: expected one of 'purchase', 'click', 'view' as event, found 'look'; "
        "--events names others"
    ),
    "mine log.csv --rule magic": "argument --rule: expected one of 'levels', ...found 'magic'; ...",
    "mine log.csv --columns item": "expected ROLE=NAME,... as --columns, found 'item'",
    "mine bad_log.csv --from csv": "bad_log.csv, line 4: expected one of ...",
    "mine log.dat --from tsv": "log.dat, line 2: expected 3 cells, found 1...",
    "mine log.csv --by shop": "expected a column for shop, found 'session', 'item', 'event'; ...",
    "mine log.csv --by session -o x.json": (
        "expected .csv, .tsv or .parquet for pairs by groups, found 'x.json'"
    ),
    "mine chain.txt": (
        "expected a name that tells the format, found 'chain.txt'; --from names it: csv, tsv, "
        "parquet"
    ),
    "mine log.csv -o x.txt": "expected a name that tells the format, found 'x.txt'; ...",
    "mine missing.csv": "No such file or directory: 'missing.csv'",
    "evaluate --target log.csv --predicted predicted.csv": (
        "expected 'user', 'preferred', 'other' or ... as columns of target, found ..."
    ),
    "evaluate --target target.csv --predicted short.csv": (
        "short.csv, line 3: expected 3 cells, found 2"
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
    "evaluate --target target.csv --predicted other.csv --items error": (
        "expected the same items in both orders, found only in target: 'b', 'c'; only in "
        "predicted: 'x' of group '1'; --items both compares what both have"
    ),
    "evaluate --target target.csv --predicted other.csv --groups error": (
        "expected the same groups on both sides, found 1 only in target, group '2' the first; "
        "--groups both counts them"
    ),
    "evaluate --target target.csv --predicted predicted.csv -o x.json": (
        "expected a name that tells the format, found 'x.json'; a suffix names it: csv, parquet"
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the small files, which no test changes."""
    folder = tmp_path_factory.mktemp("files")
    write_files(folder)
    return folder


def sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.lstat().st_size for path in folder.iterdir()}


@pytest.mark.parametrize(("line", "reason"), CASES.items(), ids=CASES)
def test_what_stops_a_command(
    line: str,
    reason: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    before = sizes(folder)
    require_stopped(line, reason, capsys)
    assert sizes(folder) == before


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


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "echo 'a > > b' | porank ranks -",
            "standard input, line 1, column 5: expected an item after '>', found '>'",
        ),
        (
            "printf 'one,two\\na,b\\nc,b\\n' | porank ranks - --from csv",
            f"standard input: {COLUMNS}",
        ),
        (
            "printf 'session,item,event\\n1,a,look\\n' | porank mine -",
            "standard input, line 2: expected one of",
        ),
        (
            "printf 'session\\titem\\tevent\\n1\\ta\\tlook\\n' | porank mine - --from tsv",
            "standard input, line 2: expected one of",
        ),
    ],
)
def test_what_was_piped_is_called_standard_input(
    line: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_line(line.replace("\\t", "\t"), monkeypatch) == 2
    assert capsys.readouterr().err.startswith(f"porank: {reason}")


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
