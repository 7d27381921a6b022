"""What stops a command, in one line; how answers are printed."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentTypeError
from fractions import Fraction
from pathlib import Path

import pytest

from porank.cli import main as cli
from porank.cli.command import fraction
from tests.cli_runs import Run, run_line

#: Command lines among small files, and what the one line says that they end in.
STOPPED = {
    # the form of a file
    "describe unknown.dat": "a name that tells the format, found 'unknown.dat'; --from names it: ",
    "describe bad.txt": "bad.txt, line 2, column 5: expected an item after '>', found '>'",
    "describe wide.csv --from pairs": "wide.csv, line 1: expected 2 or 3 cells, found 4",
    "describe semicolons.csv --from pairs": "semicolons.csv, line 3: expected 2 cells, found 1",
    "describe chain.txt --from csv --delimiter ab": "one sign as delimiter, found 'ab'",
    "describe scores.csv": "found 'item', 'score'; porank evaluate takes such tables",
    "describe header.csv": "header.csv: expected the columns preferred, other or item, rank",
    "describe names.csv": "--from pairs and --from ranks take a table without a header",
    "describe half.csv": "half.csv: expected the columns preferred, other or item, rank",
    "describe latin.csv": "line 1, column 3: expected a text in UTF-8, found the byte 0xe9",
    "describe cut.csv.gz": "cut.csv.gz: expected a file of gzip, found an error",
    "describe bad.graphml": "bad.graphml, line 1, column 1: expected XML, found an error",
    "describe bad.parquet": "bad.parquet: expected a Parquet file, found an error",
    "describe bad.csv.gz --from pairs": "bad.csv.gz, line 3: expected 2 cells, found 1",
    "describe deep.json": "deep.json: expected plain JSON, found an error: it is nested too deeply",
    "describe .": "Is a directory: '.'",
    "describe empty.run": "expected at least one line, found 'empty.run' empty",
    "predict bad_support.csv": "line 2: expected a finite number >= 0 as support, found 'many'",
    "predict log.csv": "a log of events with the columns 'session', 'item', 'event'",
    "predict duels.csv": "porank explore FILE tells what it says",
    "predict log.jsonl": "porank mine and porank explore read logs in JSON Lines",
    "aggregate bad.txt.gz": "bad.txt.gz, line 2, column 5: expected an item after '>', found '>'",
    "mine log.parquet.gz": "log.parquet.gz as .parquet: expected a Parquet file, found an error",
    "mine log.dat --from tsv": "log.dat as .tsv, line 2: expected 3 cells, found 1",
    "mine log.dat --from parquet": "log.dat as .parquet: expected a Parquet file",
    "evaluate --target target.csv --predicted target.dat.gz --from csv": "target.dat.gz as .csv",
    "evaluate --target log.dat --predicted log.dat --from parquet": "log.dat as .parquet",
    "evaluate --target chain.txt --predicted chain.txt": "'chain.txt'; --from names it: csv",
    # one order
    "describe chain.txt --query q1": "queries or groups in 'chain.txt', found orders without any",
    "describe ballots.toi": "expected one order in 'ballots.toi', found 2 orders",
    "describe groups.csv": "one query or group of 'groups.csv', found 'q1', 'q2'; --query names it",
    "ranks two.run --query q7": "expected one query or group 'q7' of 'two.run', found 'q1', 'q2'",
    "ranks cycle.txt": "expected an order, found the cycle 'a' > 'b' > 'c' > 'a'",
    "ranks tie.json": "expected the same items above and below the tied 'a' and 'b'",
    "why pairs.csv a": "expected two items, or none, found 'a'",
    # two orders
    "compare - -": "expected one '-' at most, found 2: standard input is read once",
    "compare missing pairs.csv": "No such file or directory: 'missing'",
    "compare cycle.txt chain.txt": "found the cycle 'a' > 'b' > 'c' > 'a' in target",
    "compare chain.txt abx.txt": "found only in target: 'd'; only in predicted: 'x'",
    "compare chain.txt other.txt --measures gamma,beta": "the name of a measure",
    # files to write
    "hasse chain.txt -o chain.gif": "'chain.gif'; a suffix names it: png, svg, pdf, tex",
    "hasse chain.txt -o -": "expected a file to write, found '-'; ./- is a file of this name",
    "hasse chain.txt -o none/chain.png": "[Errno 2] No such file or directory: 'none'",
    "hasse chain.txt -o chain.png --dpi 1": "10 to 2400 dots to an inch as --dpi, found 1",
    "hasse many.csv -o x.svg": "at most 3,000 boxes and 20,000 lines in the diagram, found 5,001",
    "hasse groups.csv -o x.svg --group q3": "one query or group 'q3' of 'groups.csv'",
    "page many.csv -o x.html": "expected at most 5,000 items on a page, found 5,001",
    "page chain.txt -o x.html --target abx.txt": "only in target: 'x'; only in predicted: 'd'",
    "convert chain.txt nowhere.json --force": "[Errno 2] No such file or directory: 'nowhere.json'",
    "convert chain.txt order.json": "no file at 'order.json', found one; --force replaces it",
    "convert chain.txt folder.txt": "[Errno 21] Is a directory",
    "convert chain.txt x.zip": "found 'x.zip'; --to names it: notation",
    "convert cycle.txt x.csv --close": "expected an order, found the cycle",
    "convert cycle.txt x.csv --dropped y.csv": "expected --dropped beside --break-cycles",
    "convert cycle.txt - --break-cycles --dropped -": "another file than that of the order",
    "convert cycle.txt y.csv --break-cycles --dropped order.json": "no file at 'order.json'",
    "convert ballots.toi x.soc": "expected no ties in a file of type soc",
    "convert other.txt x.run": "expected a ranking with known ties",
    "convert other.txt x.wmd": "a finite weight of 'b' > 'a' for PrefLib, found None",
    "convert surrogate.json x.csv": r"texts that UTF-8 can hold, found '\ud800'",
    "convert order.json x.parquet": "items and weights of one type for Parquet, found an error",
    "explore log.csv -o report.png": "found 'report.png'; a suffix names it: html",
    "explore log.csv --segment device -o report.html": "device",
    # many orders
    "predict empty.txt": "expected at least one order, found none in 'empty.txt'",
    "predict torn_votes.txt": "expected an order, found the cycle 'b' > 'c' > 'b' in member 2",
    "predict around.txt --alpha 1/3": "found the cycle 'a' > 'b' > 'a' in the cut at 1/3",
    "predict torn.csv --alpha minimal --prior 0": "in the pairs of degree 1",
    "predict groups.csv --by day": "the column day, to tell groups, found 'query'",
    "predict votes.txt --by query": "a table of pairs in 'votes.txt', to tell groups of, found",
    "predict groups.csv --by query -o x.json": "'x.json'; a suffix names it: csv, tsv, parquet",
    "predict groups.csv --by query --curve": "one file and no --curve or --pairs beside --by",
    "predict clash.csv --by query --alpha minimal --prior 0": "query 'q2': expected an order",
    "predict evidence.csv --min-sessions 2": "expected --min-sessions beside a threshold",
    "predict votes.txt --min-sessions 2": "--min-sessions with the evidence of a log",
    "predict votes.txt --risk 0.1": "expected --risk and --error with counts and no threshold",
    "predict votes.txt --target chain.txt": "expected -o without --curve, and --target beside it",
    "predict votes.txt --alpha 1 --abstention-cost 1": "not allowed with argument --alpha",
    "predict evidence.csv votes.txt": "found 1 graph of evidence among 5 orders",
    "predict odd.csv": "found 1.5 for 'a' over 'b'; --counts takes",
    "predict counted.wmd": "expected degrees from 0 to 1, found 3 for 'a' over 'b'",
    "aggregate ballots.toi --method best-input": "Profile(orders).completed()",
    "aggregate chain.txt abx.txt --method footrule": "only in member 1: 'd'; only in member 2: 'x'",
    "aggregate evidence.csv": "expected an order, found the cycle 'a' > 'b' > 'a' in member 1",
    "aggregate votes.txt --method kemeny --seconds nan": "a number of seconds from 0 on, found nan",
    "aggregate around.txt --method borda --optima": "kemeny and consensus_order look for them",
    # logs and tables
    "mine no_log.csv": "expected a column for session and for item and for event, found 'one'",
    "mine bad_log.csv": "bad_log.csv, line 4: expected one of 'purchase', 'click', 'view' as event",
    "mine log.csv --rule magic": "found 'magic'",
    "mine log.csv --columns item": "expected ROLE=NAME,... as --columns, found 'item'",
    "mine log.csv --columns foo=item": "or a name in by as keys of columns, found 'foo'",
    "mine log.csv --events click": "at least two levels of events, none of them empty, as events",
    "mine log.csv --by session -o x.json": "expected .csv, .tsv or .parquet for pairs by groups",
    "evaluate --target log.csv --predicted predicted.csv": "as columns of target",
    "evaluate --target target.csv --predicted predicted.csv --by shop": "a column for shop",
    "evaluate --target target.csv --predicted other.csv --items error": "items='both' compares",
    "evaluate --target target.csv --predicted other.csv --groups error": "found 1 only in target",
    "evaluate --target target.csv --predicted predicted.csv -o x.json": "names it: csv, parquet",
    "evaluate --target target.csv --predicted target.csv --measures ndcg@0": "at least 1 as k",
    "evaluate --target target.csv --predicted target.csv --measures ndcg:gain": "such as ndcg@10",
    "evaluate --target target.csv --predicted target.csv --items both --unlisted last": "unjudged",
    "evaluate --target target.csv --predicted target.csv target.csv": "different files",
    "evaluate --target target.csv --predicted target.csv other.csv -o x.parquet": "as CSV",
    # words of the line itself
    "": "the following arguments are required: COMMAND; porank --help tells what can be given",
    "dance": "invalid choice: 'dance'",
    "demo more": "unrecognized arguments: more; porank --help",
    "compare a.txt": "arguments are required: PREDICTED; porank compare --help",
    "ranks a.txt --format xml": "invalid choice: 'xml'",
    "ranks a.txt --form csv": "unrecognized arguments: --form",
    "ranks a.txt --seed one": "invalid int value: 'one'",
    "convert a b --close --reduce": "not allowed with argument",
    "mine a.csv --by a,,b": "names with a comma between them, found 'a,,b'",
    f"predict a.txt --prior {'x' * 500}": f"'{'x' * 59};",
}


def sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.lstat().st_size for path in folder.iterdir()}


def test_what_stops_a_command_is_one_line_and_nothing_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    before = sizes(folder)
    for line, reason in STOPPED.items():
        code = cli.main(line.split())
        out, err = capsys.readouterr()
        assert (line, code, out, err[:8], err.count("\n")) == (line, 2, "", "porank: ", 1)
        assert reason in err, line
        assert sizes(folder) == before, line


def test_numbers_are_read_as_they_are_written() -> None:
    for text in ("7", "0.7", ".7", "7.", "7e-3", "+.7E1", "-2/3", " 2/3\t", "1e20"):
        assert fraction(text) == Fraction(text)
    for text in ("", ".", "/", "e3", "1/2/3", "1/2e3", "1.5/2", "1 0", "inf", "1/0", "nan"):
        with pytest.raises(ArgumentTypeError, match=r"expected a number such as 0\.7 or 2/3"):
            fraction(text)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("convert - -", "thé > 茶\n"),
        ("convert - - --to csv", "preferred,other\nthé,茶\n"),
        ("ranks - --format csv", "item,rank\nthé,1\n茶,2\n"),
        ("ranks - --format markdown", "| item | rank |\n| --- | ---: |\n| thé | 1 |\n| 茶 | 2 |\n"),
        ("ranks -", "item  rank\n----  ----\nth\\xe9      1\n\\u8336       2\n"),
    ],
)
def test_data_is_utf8_whatever_a_terminal_can_show(
    line: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    assert run_line(f"echo 'thé > 茶' | porank {line}", monkeypatch) == 0
    assert written.getvalue().decode() == expected


def test_names_are_shown_as_they_are_and_signs_that_turn_text_escaped(run: Run) -> None:
    Path("odd.txt").write_text('"a|b" > _c_ > d_e > a\u202eb\n', "utf-8")
    lines = run("porank ranks odd.txt --format markdown").splitlines()[2:]
    assert lines[:3] == ["| a\\|b | 1 |", "| \\_c\\_ | 2 |", "| d_e | 3 |"]
    for text in (lines[3], run("porank ranks odd.txt")):
        assert "\u202e" not in text
        assert "u202eb" in text
