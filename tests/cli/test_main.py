"""The command line as a whole: help, exit codes, what stops it, pipes and encodings."""

import io
import os
import re
import subprocess
import sys
import warnings
from argparse import ArgumentTypeError
from fractions import Fraction
from pathlib import Path

import pytest

import porank
import porank as po
from porank.cli import main as cli
from porank.cli.command import Command, fraction
from porank.errors import ParseError
from tests.support.cli_runs import MANUAL, End, Run, consoles, run_line, write_demo

CHECKOUT = Path(__file__).parents[2]
#: Of each command; the demonstration has tests of its own.
EXAMPLES = [
    pytest.param(name, id=name, marks=pytest.mark.slow if name == "explore" else ())
    for name in cli.COMMANDS
    if name != "demo"
]


def add_command(action: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line have one command more, which raises an error, or warns."""

    def act(_: object) -> int:
        if not isinstance(action, Warning):
            raise action
        warnings.warn(action, stacklevel=1)
        return 0

    monkeypatch.setitem(cli.COMMANDS, "act", "")
    monkeypatch.setattr(cli, "command_of", lambda _: Command(act, (), "", {}, ()))


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    python = ".".join(map(str, sys.version_info[:3]))
    version = f"porank {porank.__version__} (Python {python}, {sys.platform})\n"
    assert capsys.readouterr() == (version, "")
    assert cli.main(["--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    listed = " ".join(out.split())
    for name in cli.COMMANDS:
        summary = cli.command_of(name).description.splitlines()[0]
        assert f"{name} {summary}" in listed
        assert cli.main([name, "--help"]) == 0
        out = capsys.readouterr().out
        assert out.startswith(f"usage: porank {name}")
        examples = cli.command_of(name).examples
        assert any(re.search(rf"\bporank {name}\b", line) for line in examples)
        assert out.endswith("examples:\n" + "".join(f"  {line}\n" for line in examples))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_demo(tmp_path, monkeypatch)
    for line, _ in consoles(*MANUAL)[0]:
        assert run_line(line, monkeypatch) == 0
    capsys.readouterr()
    for line in cli.command_of(name).examples:
        code = run_line(line, monkeypatch)
        out, err = capsys.readouterr()
        finds = name == "check" and "truth" not in line
        assert (line, code) == (line, 1 if finds else 0)
        written = re.search(r"(?:-o|--page|--break-cycles|convert \S+) (\w+\.\w+)", line)
        assert out or (written and (tmp_path / written[1]).stat().st_size)
        assert not err or "--break-cycles" in line


def test_however_a_command_ends_it_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ParseError.at("expected x", line=1, column=5, text=">")
    for action, code, line in (
        (at, 2, "line 1, column 5: expected x"),
        (BrokenPipeError(), 0, ""),
        (OSError("disk on fire"), 2, "disk on fire"),
        (MemoryError(), 2, "not enough memory"),
        (UserWarning("letters are\nmissing"), 0, "warning: letters are missing"),
        (KeyboardInterrupt(), 130, ""),
    ):
        add_command(action, monkeypatch)
        with warnings.catch_warnings():
            warnings.simplefilter("always")  # in the tests every warning is an error
            assert cli.main(["act"]) == code
        assert capsys.readouterr() == ("", f"porank: {line}\n" if line else "")
    add_command(ZeroDivisionError(), monkeypatch)
    with pytest.raises(ZeroDivisionError):  # a mistake of our own is not hidden
        cli.main(["act"])


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="devices are others elsewhere")
def test_streams_that_are_full_or_that_nobody_reads() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    full, read = os.open("/dev/full", os.O_WRONLY), subprocess.PIPE
    for out, err, word, code, said in (
        (full, read, "ranks", 2, b"porank: No space left on device\n"),
        (full, read, "--help", 2, b"porank: No space left on device\n"),
        (read, full, "missing", 2, None),
        (writer, read, "ranks", 0, b""),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "porank", word, "-"],
            env=os.environ | {"PYTHONPATH": str(CHECKOUT), "PYTHONUNBUFFERED": ""},
            input=b"a",
            stdout=out,
            stderr=err,
            check=False,
        )
        assert (word, done.returncode, done.stderr) == (word, code, said)
    os.close(full)
    os.close(writer)


def test_as_a_module_it_loads_nothing_heavy_and_escapes_what_cannot_be_written() -> None:
    told = {
        "PYTHONPATH": str(CHECKOUT),
        "PYTHONIOENCODING": "ascii",
        "PYTHONPROFILEIMPORTTIME": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "porank", "ranks", "-"],
        env=os.environ | told,
        input="茶 > ☕".encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.split()[4:] == [b"\\u8336", b"1", b"\\u2615", b"2"]
    loaded = {line.rpartition(" ")[2] for line in done.stderr.decode().splitlines()}
    assert {"porank.cli.command", "porank.cli.inputs", "numpy"} <= loaded
    assert loaded & {"matplotlib", "scipy", "pandas", "sklearn", "dask", "pyarrow", "tqdm"} == set()


def test_an_interruption_while_loading_is_quiet(tmp_path: Path) -> None:
    """It comes while the first module of many is imported."""
    (tmp_path / "networkx.py").write_text("raise KeyboardInterrupt")
    command = [sys.executable, "-m", "porank", "ranks", "--help"]
    path = os.pathsep.join([str(tmp_path), str(Path(po.__file__).parents[1])])
    env = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


#: Command lines among small files, and what the one line says that they end in.
STOPPED = {
    # the form of a file
    "describe unknown.dat": "a known suffix, found 'unknown.dat'; --from names the format: ",
    "describe scores.csv": "found 'item', 'score'; evaluate takes such tables",
    "describe cut.csv.gz": "cut.csv.gz: cannot decompress the file",
    "describe bad.csv.gz --from pairs": "bad.csv.gz, line 3: expected 2 cells, found 1",
    "describe empty.run": "empty.run: expected data, found an empty file",
    "predict log.csv": "found 'session', 'item', 'event'; explore takes logs",
    "predict duels.csv": "explore takes logs",
    "predict log.jsonl": "explore takes logs",
    "aggregate bad.txt.gz": "bad.txt.gz, line 2, column 5: expected an item after '>', found '>'",
    "mine log.parquet.gz": "log.parquet.gz as .parquet: cannot read the file as Parquet",
    "evaluate --target target.csv --predicted target.dat.gz --from csv": "target.dat.gz as .csv",
    # one order
    "describe chain.txt --query q1": "chain.txt: expected queries or groups, found none",
    "describe ballots.toi": "ballots.toi: expected one order, found 2 orders",
    "describe groups.csv": "'q1', 'q2'; --group selects one, and --by none merges the groups",
    "ranks two.run --query q7": "two.run: expected one query or group 'q7', found 'q1', 'q2'",
    "why pairs.csv a": "expected two items or no items, found 'a'",
    # two orders
    "compare - -": "expected '-' once at most, found it 2 times",
    "compare missing pairs.csv": "No such file or directory: 'missing'",
    "compare cycle.txt chain.txt": "'c' > 'a' in target; porank convert --break-cycles drops edges",
    "compare chain.txt abx.txt": "; --align intersection keeps what both have; evaluate judges",
    "compare chain.txt other.txt --measures gamma,beta": "the name of a measure",
    # files to write
    "hasse chain.txt -o chain.gif": "'chain.gif'; a suffix names the format: png, svg, pdf, tex",
    "hasse chain.txt -o -": "expected a file to write, found '-'; ./- is a file of that name",
    "hasse chain.txt -o none/chain.png": "No such file or directory: 'none'",
    "convert chain.txt other.txt": "no file at 'other.txt', found one; --force replaces it",
    "convert chain.txt ./chain.txt": "other than the input, found './chain.txt' for both",
    "mine log.csv -o log.csv --force": "expected an output other than the input, found 'log.csv'",
    "convert chain.txt x.zip": "found 'x.zip'; --to names the format: notation",
    "convert other.txt x.run": "expected a ranking with known ties",
    "explore log.csv --rule level": "expected a function or one of 'levels', 'dwell' as rule",
    "explore log.csv --segment device -o report.html": "device",
    # many orders
    "predict empty.txt": "expected at least one order, found none in 'empty.txt'",
    "predict torn_votes.txt": "expected an order, found the cycle 'b' > 'c' > 'b' in member 2",
    "predict around.txt --alpha 1/3": "found the cycle 'a' > 'b' > 'a' in the cut at 1/3",
    "predict groups.csv --by day": "the column day for groups, found 'query'",
    "predict groups.csv --by query": "--group selects one",
    "predict votes.txt --prior 2": "--prior applies to the evidence of a log",
    "predict votes.txt --risk 0.1": "--risk needs counts of sessions",
    "predict votes.txt --target chain.txt": "expected --target with --curve, found it alone",
    "predict votes.txt --alpha 1 --abstention-cost 1": "not allowed with argument --alpha",
    "predict evidence.csv votes.txt": "found 1 graph of evidence among 5 orders",
    "predict odd.csv": "found 1.5 for 'a' over 'b'; --counts reads",
    "aggregate chain.txt abx.txt --method footrule": "only in member 1: 'd'; only in member 2: 'x'",
    # logs and tables
    "mine log.csv --columns item": "expected ROLE=NAME,... as --columns, found 'item'",
    "mine log.csv --by session -o x.graphml": "expected .csv or .tsv for pairs of groups",
    "evaluate --target target.csv --predicted target.csv --measures ndcg:gain": "such as ndcg@10",
    "evaluate --target target.csv --predicted target.csv target.csv": "different files",
    "evaluate --target target.csv --predicted target.csv -o x.parquet": "the format: csv",
    # arguments of functions are options
    "aggregate header.csv": "--cells ranks (or scores, items) of aggregate and predict a row for",
    "describe header.csv": "; --from pairs and --from ranks read a table without a header",
    "describe semicolon.csv --from ranks --delimiter |": "; --delimiter names another separator",
    "aggregate votes.txt --method borda --family weak": "--family; it is an option of 'consensus'",
    "aggregate votes.txt --method copeland --seconds 1": "no option --seconds; it is an option",
    # names in Python
    "compare_systems scores.csv": "'compare_systems' is no command; porank systems does it",
    "from_log log.csv": "'from_log' is no command; porank mine does it",
    "Settled-Order log.csv": "'Settled-Order' is no command; porank predict does it",
    # words of the line itself
    "": "the following arguments are required: COMMAND; porank --help lists all options",
    "dance": "invalid choice: 'dance'",
    "compare a.txt": "arguments are required: PREDICTED; porank compare --help",
    "ranks a.txt --form csv": "unrecognized arguments: --form",
    "convert a b --close --reduce": "not allowed with argument",
    "mine a.csv --by a,,b": "names separated by commas, found 'a,,b'",
    f"predict a.txt --prior {'x' * 500}": f"'{'x' * 59};",
}


def test_what_stops_a_command_is_one_line_and_nothing_is_written(end: End) -> None:
    before = {path: path.stat().st_mtime_ns for path in Path().iterdir()}
    for line, reason in STOPPED.items():
        code, out, err = end(f"porank {line}")
        assert (line, code, out, err[:8], err.count("\n")) == (line, 2, "", "porank: ", 1)
        assert reason in err, line
        assert not re.search(r"\w\(", err), "a call in Python is no way out"
    assert {path: path.stat().st_mtime_ns for path in Path().iterdir()} == before


def test_numbers_are_read_as_they_are_written() -> None:
    for text in ("7", "0.7", ".7", "7.", "7e-3", "+.7E1", "-2/3", " 2/3\t", "1e20"):
        assert fraction(text) == Fraction(text)
    for text in ("", ".", "/", "e3", "1/2/3", "1/2e3", "1.5/2", "1 0", "inf", "1/0", "nan"):
        with pytest.raises(ArgumentTypeError, match=r"expected a number such as 0\.7 or 2/3"):
            fraction(text)


def test_data_is_utf8_whatever_a_terminal_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    for line, expected in (
        ("convert - -", "thé > 茶\n"),
        ("ranks - --format csv", "item,rank\nthé,1\n茶,2\n"),
        ("ranks -", "item  rank\n----  ----\nth\\xe9      1\n\\u8336       2\n"),
    ):
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
        assert run_line(f"echo 'thé > 茶' | porank {line}", monkeypatch) == 0
        assert written.getvalue().decode() == expected


def test_names_are_shown_as_they_are_and_signs_that_turn_text_escaped(run: Run) -> None:
    Path("odd.txt").write_text('"a|b" > _c_ > a\u202eb\n', "utf-8")
    text = run("porank ranks odd.txt")
    assert "a|b" in text
    assert "\u202e" not in text
    assert "u202eb" in text
