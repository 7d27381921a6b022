"""What stops a command, in one line; what hints are in words; how answers are printed."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentTypeError
from fractions import Fraction
from pathlib import Path

import pytest

from porank.cli.command import fraction
from tests.cli_runs import Run, fits, require_stopped, run_line

BROKEN = "; break_cycles(G) ..."
FORMS = (
    "notation, csv, tsv, ranks, json, graphml, parquet, preflib, trec-run, trec-qrels, trec-prefs"
)
INPUTS = FORMS.replace("tsv,", "tsv, pairs,").replace("preflib,", "preflib, cxt,")
COLUMNS = "expected the columns preferred, other or item, rank, found"
HEADERLESS = "--from pairs and --from ranks take a table without a header"
DROPPED = "expected --dropped beside --break-cycles, and another file than that of the order"
WHICH = "; --query names it, and --by none merges the groups of a table"
LARGE = "--large draws it all the same, and porank ranks tells where each item stands"
NUMBER = "expected a number such as 0.7 or 2/3, of at most 30 signs, found"
CASES = {
    # what is not there, or not to be read
    "describe unknown.dat": (
        f"expected a name that tells the format, found 'unknown.dat'; --from names it: {INPUTS}"
    ),
    "describe bad.txt": "bad.txt, line 2, column 5: expected an item after '>', found '>'",
    "describe wide.csv --from pairs": "wide.csv, line 1: expected 2 or 3 cells, found 4",
    "describe semicolons.csv --from pairs": ("semicolons.csv, line 3: expected 2 cells, found 1"),
    "describe chain.txt --from csv --delimiter ab": "expected one sign as delimiter, found 'ab'",
    "describe scores.csv": (
        "scores.csv: expected the columns preferred, other or item, rank, found 'item', 'score'; "
        f"porank evaluate takes such tables; {HEADERLESS}"
    ),
    # the first line of a table
    "describe header.csv": f"header.csv: {COLUMNS} 'one', 'two'; {HEADERLESS}",
    "describe names.csv": f"names.csv: {COLUMNS} 'a', '1'; {HEADERLESS}",
    "describe half.csv": f"half.csv: {COLUMNS} 'preferred', 'worse'; {HEADERLESS}",
    "predict bad_support.csv": (
        "bad_support.csv, line 2: expected a finite number >= 0 as support, found 'many'"
    ),
    # options that say nothing here
    "describe chain.txt --query q1": (
        "expected queries or groups in 'chain.txt', found orders without any"
    ),
    "convert cycle.txt x.csv --dropped y.csv": DROPPED,
    "describe latin.csv": (
        "latin.csv, line 1, column 3: expected a text in UTF-8, found the byte 0xe9; "
        "open(path, encoding=...) ..."
    ),
    "describe cut.csv.gz": (
        "cut.csv.gz: expected a file of gzip, found an error: Compressed file ended before the "
        "end-of-stream marker was reached"
    ),
    "describe bad.graphml": "bad.graphml, line 1, column 1: expected XML, found an error: ...",
    "describe bad.parquet": "bad.parquet: expected a Parquet file, found an error: ...",
    # one order is needed
    "describe ballots.toi": (
        "expected one order in 'ballots.toi', found 2 orders; porank aggregate and porank predict "
        "make one of many, and PrefLib's formats hold many"
    ),
    "ranks two.run": f"expected one query or group of 'two.run', found 'q1', 'q2'{WHICH}",
    "ranks two.run --query q7": (
        f"expected one query or group 'q7' of 'two.run', found 'q1', 'q2'{WHICH}"
    ),
    "ranks cycle.txt": f"expected an order, found the cycle 'a' > 'b' > 'c' > 'a'{BROKEN}",
    "ranks tie.json": "expected the same items above and below the tied 'a' and 'b', found ...",
    # two orders
    "compare - -": "expected one '-' at most, found 2: standard input is read once",
    "compare cycle.txt chain.txt": (
        f"expected an order, found the cycle 'a' > 'b' > 'c' > 'a' in target{BROKEN}"
    ),
    "compare chain.txt abx.txt": (
        "expected the same items in both orders, found only in target: 'd'; only in predicted: "
        "'x'; align(target, predicted) keeps what both have; evaluate judges lists of the top k"
    ),
    "compare chain.txt other.txt --measures gamma,beta": (
        "expected the name of a measure, such as ...; found 'beta'"
    ),
    # files to write
    "hasse chain.txt -o chain.gif": (
        "expected a name that tells the format, found 'chain.gif'; a suffix names it: "
        "png, svg, pdf, tex"
    ),
    "hasse chain.txt -o none/chain.png": "[Errno 2] No such file or directory: 'none'",
    "convert chain.txt nowhere.json --force": "[Errno 2] No such file or directory: 'nowhere.json'",
    "convert cycle.txt x.csv --close": (
        f"expected an order, found the cycle 'a' > 'b' > 'c' > 'a'{BROKEN}"
    ),
    "hasse chain.txt -o chain.png --dpi 1": (
        "expected 10 to 2400 dots to an inch as --dpi, found 1"
    ),
    "convert chain.txt order.json": (
        "expected no file at 'order.json', found one; --force replaces it"
    ),
    "convert cycle.txt - --break-cycles --dropped -": (DROPPED),
    # before anything is read or written
    "convert cycle.txt y.csv --break-cycles --dropped order.json": (
        "expected no file at 'order.json', found one; --force replaces it"
    ),
    "convert chain.txt folder.txt": "[Errno 21] Is a directory: ...",
    "convert chain.txt x.zip": (
        f"expected a name that tells the format, found 'x.zip'; --to names it: {FORMS}, dot, "
        "mermaid, tex"
    ),
    "convert ballots.toi x.soc": "expected no ties in a file of type soc, found ...",
    "convert other.txt x.run": "expected a ranking with known ties ...",
    "convert other.txt x.csv --to ranks": (
        "expected a ranking with known ties ...; from_levels(levels(G)) ..."
    ),
    "convert other.txt x.wmd": (
        "expected a finite weight of 'b' > 'a' for PrefLib, found None; a partial order is no "
        "ballot, and as a graph it has a weight for each pair"
    ),
    "convert surrogate.json x.csv": "expected texts that UTF-8 can hold, found '\\ud800'",
    "convert order.json x.parquet": (
        "expected items and weights of one type for Parquet, found an error: ..."
    ),
    "page chain.txt -o x.html --target abx.txt": (
        "expected the same items in both orders, found only in target: 'x'; only in predicted: "
        "'d'; ..."
    ),
    # many orders
    "predict empty.txt": "expected at least one order, found none in 'empty.txt'",
    "predict torn_votes.txt": (
        f"expected an order, found the cycle 'b' > 'c' > 'b' in member 2{BROKEN}"
    ),
    "predict around.txt --alpha 1/3": (
        "expected an order, found the cycle 'a' > 'b' > 'a' in the cut at 1/3; "
        "minimal_threshold(P) ..."
    ),
    "predict torn.csv --alpha minimal --prior 0": (
        "expected an order, found the cycle 'a' > 'b' > 'c' > 'a' in the pairs of degree 1; ..."
    ),
    "describe groups.csv": (
        f"expected one query or group of 'groups.csv', found 'q1', 'q2'{WHICH}"
    ),
    "hasse groups.csv -o x.svg --group q3": (
        f"expected one query or group 'q3' of 'groups.csv', found 'q1', 'q2'{WHICH}"
    ),
    "predict groups.csv --by day": (
        "expected the column day, to tell groups, found 'query', 'preferred', 'other', 'support'"
    ),
    "predict groups.csv --by query -o x.json": (
        "expected a name that tells the format, found 'x.json'; a suffix names it: "
        "csv, tsv, parquet"
    ),
    "predict evidence.csv --min-sessions 2": "expected --min-sessions beside a threshold, ...",
    "predict votes.txt --risk 0.1": "expected --risk and --error with counts and no threshold",
    "predict groups.csv --by query --curve": (
        "expected one file and no --curve or --pairs beside --by; ..."
    ),
    "predict clash.csv --by query --alpha minimal --prior 0": (
        "query 'q2': expected an order, found the cycle 'a' > 'b' > 'c' > 'a' in the pairs of "
        "degree 1; impossible='drop' ..."
    ),
    "predict votes.txt --min-sessions 2": (
        "expected --min-sessions with the evidence of a log, found rankings"
    ),
    "predict votes.txt --target chain.txt": (
        "expected -o without --curve, and --target beside it; porank compare judges one order"
    ),
    "predict votes.txt --alpha 1 --abstention-cost 1": (
        "argument --abstention-cost: not allowed with argument --alpha; ..."
    ),
    "predict evidence.csv votes.txt": (
        "expected rankings, or the evidence of one log, found 1 graph of evidence among 5 orders"
    ),
    "aggregate ballots.toi --method best-input": (
        "expected the same items in both orders, found only in member 1: 'Rosé'; "
        "Profile(orders).completed() ..."
    ),
    # logs and tables
    "mine no_log.csv": (
        "expected a column for session and for item and for event, found 'one', 'two': "
        "too few of them"
    ),
    "mine bad_log.csv": (
        "bad_log.csv, line 4: expected one of 'purchase', 'click', 'view' as event, found 'look'; "
        "events= names others"
    ),
    "mine log.csv --rule magic": "expected a function or one of 'levels', ...found 'magic'",
    "mine log.csv --columns item": "expected ROLE=NAME,... as --columns, found 'item'",
    "mine log.dat --from tsv": "log.dat as .tsv, line 2: expected 3 cells, found 1...",
    "mine log.csv --by session -o x.json": (
        "expected .csv, .tsv or .parquet for pairs by groups, found 'x.json'"
    ),
    "evaluate --target log.csv --predicted predicted.csv": (
        "expected 'user', 'preferred', 'other' or ... as columns of target, found ..."
    ),
    "evaluate --target target.csv --predicted predicted.csv --by shop": (
        "expected a column for shop, found 'user', 'preferred', 'other' in target; rename the "
        "columns, or give by=; one group alone has one label there"
    ),
    "evaluate --target chain.txt --predicted chain.txt": (
        "expected a name that tells the format, found 'chain.txt'; --from names it: csv, tsv, "
        "parquet, trec-run, trec-qrels, trec-prefs"
    ),
    "evaluate --target target.csv --predicted other.csv --items error": (
        "expected the same items in both orders, found only in target: 'b', 'c'; only in "
        "predicted: 'x' of group '1'; items='both' compares what both have"
    ),
    "evaluate --target target.csv --predicted other.csv --groups error": (
        "expected the same groups on both sides, found 1 only in target, group '2' the first; "
        "groups='both' counts them"
    ),
    "evaluate --target target.csv --predicted predicted.csv -o x.json": (
        "expected a name that tells the format, found 'x.json'; a suffix names it: csv, parquet"
    ),
    # what is not there is told before how its name ends
    "describe empty.run": "expected at least one line, found 'empty.run' empty",
    # numbers after options
    "aggregate votes.txt --method kemeny --seconds nan": (
        "expected a number of seconds from 0 on, found nan"
    ),
    # names after options
    "mine log.csv --events click": (
        "expected at least two levels of events, none of them empty, as events, found ('click',)"
    ),
    "mine log.csv --columns foo=item": (
        "expected 'session', ... or a name in by as keys of columns, found 'foo'"
    ),
    # which file
    "aggregate chain.txt abx.txt --method footrule": (
        "expected the same items in both orders, found only in member 1: 'd'; only in "
        "member 2: 'x'; Profile(orders).completed() ..."
    ),
    "aggregate evidence.csv": (
        "expected an order, found the cycle 'a' > 'b' > 'a' in member 1; break_cycles(G) ..."
    ),
    "predict odd.csv": (
        "expected degrees from 0 to 1, found 1.5 for 'a' over 'b'; --counts takes the numbers of a "
        "table as counts"
    ),
    "predict counted.wmd": "expected degrees from 0 to 1, found 3 for 'a' over 'b'; ...",
    "predict log.csv": (
        "log.csv: expected pairs or ranks, found a log of events with the columns 'session', "
        "'item', 'event'; porank mine FILE -o pairs.csv makes pairs of it, porank explore FILE "
        "tells what it says"
    ),
    "predict log.jsonl": "...'log.jsonl'; porank mine and porank explore read logs in JSON Lines",
    "describe bad.csv.gz --from pairs": "bad.csv.gz, line 3: expected 2 cells, found 1",
    "aggregate bad.txt.gz": "bad.txt.gz, line 2, column 5: expected an item after '>', found '>'",
    "evaluate --target target.csv --predicted target.dat.gz --from csv": (
        "target.dat.gz as .csv, line 2: expected 3 cells, found 2..."
    ),
    "mine log.parquet.gz": (
        "log.parquet.gz as .parquet: expected a Parquet file, found an error: Parquet ..."
    ),
    "describe deep.json": (
        "deep.json: expected plain JSON, found an error: it is nested too deeply"
    ),
    "page many.csv -o x.html": (
        "expected at most 5,000 items on a page, found 5,001; restrict(G, items) ..."
    ),
    "hasse many.csv -o x.svg": (
        "expected at most 3,000 boxes and 20,000 lines in the diagram, found 5,001 and 5,000; "
        f"{LARGE}"
    ),
}


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


def test_numbers_are_read_as_they_are_written() -> None:
    for text in ("7", "0.7", ".7", "7.", "7e-3", "+.7E1", "-2/3", " 2/3\t", "1e20"):
        assert fraction(text) == Fraction(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "/",
        "e3",
        "1/2/3",
        "1/2e3",
        "1.5/2",
        "1 0",
        "inf",
        "1/0",
        "nan",
    ],
)
def test_what_is_no_plain_number_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=r"expected a number such as 0\.7 or 2/3"):
        fraction(text)


def test_markdown_shows_names_as_they_are(run: Run) -> None:
    text = run("echo '\"a|b\" > _c_ > d_e' | porank ranks - --format markdown")
    assert text.splitlines()[2:] == ["| a\\|b | 1 |", "| \\_c\\_ | 2 |", "| d_e | 3 |"]


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


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_signs_that_turn_text_round_are_escaped(form: str, run: Run) -> None:
    Path("bidi.txt").write_text("a\u202eb > c\n", "utf-8")
    out = run(f"porank ranks bidi.txt --format {form}")
    assert "\u202e" not in out
    assert "u202eb" in out
