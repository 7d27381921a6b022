"""What a shell user is told: in the words of the command line, and of what is lost on the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import porank as po
from porank.cli import formats as diagrams
from porank.cli import main as cli
from tests.cli_runs import answering, require_stopped, rows_of, run_line, strict, write_files

LARGE = "porank hasse --large draws it all the same, and porank ranks tells where each item stands"
NUMBER = "expected a number such as 0.7 or 2/3, found"
RANGE = "expected at most 30 signs and an exponent from -20 to 20, found"
UNREAD = "all pairs count alike: expected a column weight or support, found 'votes'"
DROPPED = "1 pair dropped: 'b' > 'a'"

STOPPED = {
    # what is not there is told before how its name ends
    "describe nofile": "No such file or directory: 'nofile'",
    "compare nofile d": "No such file or directory: 'nofile'",
    "mine nofile": "No such file or directory: 'nofile'",
    "evaluate --target nofile --predicted predicted.csv": "No such file or directory: 'nofile'",
    "describe d": "expected a file, found the folder 'd'",
    "compare chain.txt d": "expected a file, found the folder 'd'",
    "predict votes.txt d": "expected a file, found the folder 'd'",
    "page chain.txt -o x.html --target d": "expected a file, found the folder 'd'",
    "mine d --from csv": "expected a file, found the folder 'd'",
    "evaluate --target d --predicted predicted.csv": "expected a file, found the folder 'd'",
    "describe empty.run": "expected at least one line, found 'empty.run' empty",
    "describe empty.qrels": "expected at least one line, found 'empty.qrels' empty",
    "describe empty.prefs": "expected at least one line, found 'empty.prefs' empty",
    # numbers after options
    "ranks chain.txt --expected --seed -1": (
        "argument --seed: expected a whole number from 0 on, found '-1'; ..."
    ),
    "aggregate votes.txt --method kwiksort --seed x": (
        "argument --seed: expected a whole number from 0 on, found 'x'; ..."
    ),
    "aggregate votes.txt --method kemeny --seconds x": (
        "argument --seconds: expected a number of seconds, such as 60 or 0.5, found 'x'; ..."
    ),
    "aggregate votes.txt --method kemeny --seconds nan": (
        "argument --seconds: expected a number of seconds, such as 60 or 0.5, found 'nan'; ..."
    ),
    "hasse chain.txt -o x.png --dpi x": (
        "argument --dpi: expected a whole number from 10 to 2400, found 'x'; ..."
    ),
    "predict votes.txt --alpha 1e-400": f"argument --alpha: {RANGE} '1e-400'; ...",
    "predict evidence.csv --prior 1e300": f"argument --prior: {RANGE} '1e300'; ...",
    "predict evidence.csv --prior x": f"argument --prior: {NUMBER} 'x'; ...",
    # Of these Python takes the first two for numbers of ten million digits.
    "predict evidence.csv --prior 1e9_999_999": f"argument --prior: {NUMBER} '1e9_999_999'; ...",
    "predict votes.txt --alpha 1e９９９９９９９": (
        f"argument --alpha: {NUMBER} '1e９９９９９９９'; ..."
    ),
    "predict votes.txt --alpha 1/0": f"argument --alpha: {NUMBER} '1/0'; ...",
    "predict votes.txt --alpha nan": f"argument --alpha: {NUMBER} 'nan'; ...",
    # names after options
    "mine log.csv --events click": (
        "expected at least two names as --events, strongest first, found 'click'"
    ),
    "mine log.csv --columns foo=item": (
        "expected 'session', ... or a name in by as keys of columns, found 'foo'"
    ),
    "mine log.csv --by session,session": (
        "expected different names of columns, ... as by, found ('session', 'session')"
    ),
    "evaluate --target target.csv --predicted predicted.csv --engine dask": (
        "expected Parquet with --engine dask, found 'target.csv'; --engine columns takes csv"
    ),
    # which file
    "predict chain.txt abx.txt": (
        "expected the same items in both orders, found only in chain.txt, line 1: 'd'; only in "
        "abx.txt, line 1: 'x'; --unranked last puts what is missing last"
    ),
    "aggregate placed.csv fork.json": (
        "expected the same items in both orders, found only in fork.json: 'c'; --unranked last ..."
    ),
    "aggregate evidence.csv": (
        "expected an order, found the cycle 'a' > 'b' > 'a' in evidence.csv; porank convert ..."
    ),
    "predict pairs.csv": (
        "pairs.csv: expected rankings or evidence, found one graph with weights; if they count "
        "votes, call them support"
    ),
    "page chain.txt --preferences pairs.csv -o x.html": (
        "pairs.csv: expected rankings or evidence, found one graph with weights; ..."
    ),
    "describe bad.parquet.gz": (
        "bad.parquet.gz: expected a Parquet file, found an error: Parquet ..."
    ),
    "describe bad.csv.gz": "bad.csv.gz, line 3: expected 2 or 3 cells, found 1; ...",
    "aggregate bad.txt.gz": "bad.txt.gz, line 2, column 5: expected an item after '>', found '>'",
    "aggregate latin.txt.gz": "latin.txt.gz, line 1, column 3: expected a text in UTF-8, ...",
    "evaluate --target target.csv --predicted target.dat.gz --from csv": (
        "target.dat.gz, line 2: expected 3 cells, found 2..."
    ),
    "mine log.parquet.gz": "log.parquet.gz: expected a Parquet file, found an error: Parquet ...",
    "evaluate --target bad.parquet --predicted predicted.csv": (
        "bad.parquet: expected a Parquet file, found an error: ...not a parquet file"
    ),
    "describe deep.json": (
        "deep.json: expected plain JSON, found an error: it is nested too deeply"
    ),
    "convert cycle.txt - --to preflib": (
        "expected an order, found the cycle 'a' > 'b' > 'c' > 'a'; porank convert ..."
    ),
    "page many.csv -o x.html": (
        "expected at most 5,000 items on a page, found 5,001; porank ranks tells where each item "
        "stands"
    ),
    "hasse many.csv -o x.svg": (
        f"expected at most 3,000 boxes in the diagram, found 5,001; {LARGE}"
    ),
    "convert many.csv x.tex": f"expected at most 3,000 boxes in the diagram, found 5,001; {LARGE}",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the small files and some odd ones."""
    import gzip

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
        "latin.txt.gz": "thé > lait\n".encode("latin-1"),
        "target.dat.gz": b"user,preferred,other\n1,a\n",
        "votes.tsv.gz": b"preferred\tother\tvotes\na\tb\t2\nb\ta\t1\n",
    }
    for name, content in packed.items():
        (folder / name).write_bytes(gzip.compress(content))
    (folder / "deep.json").write_text("[" * 100_000)
    rows = [f"i{number},{number}\n" for number in range(5_001)]
    (folder / "many.csv").write_text(f"item,rank\n{''.join(rows)}")
    (folder / "bidi.txt").write_text("a\u202eb > c\n", "utf-8")
    (folder / "gewicht.csv").write_text("preferred,other,Gewicht\na,b,2\nb,c,1\n")
    (folder / "semicolons_votes.csv").write_text("preferred;other;votes\na;b;2\nb;a;1\n")
    (folder / "tied.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 1\nq2 0 d4 1\n")
    (folder / "holes.csv").write_text("preferred,other,weight\na,b,2\nb,c,\n")
    return folder


@pytest.mark.parametrize(("line", "reason"), STOPPED.items(), ids=STOPPED)
def test_what_stops_a_command_is_told_in_its_own_words(
    line: str,
    reason: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    require_stopped(line, reason, capsys)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "convert levels.json - --to csv",
            "csv keeps no ties, such as 'b' ~ 'c'; notation, json, graphml and dot do",
        ),
        (
            "convert levels.json - --to trec-prefs",
            "trec-prefs keeps no ties, such as 'b' ~ 'c'; notation, json, graphml and dot do",
        ),
        (
            "convert ranks.csv - --to tsv",
            "tsv keeps no ties, such as 'milk' ~ 'salt'; notation, json, graphml and dot do",
        ),
        (
            "convert tied.qrels - --to trec-prefs",
            "trec-prefs keeps no ties, such as 'd3' ~ 'd4'; notation, json, graphml and dot do",
        ),
        ("convert two.qrels - --to trec-prefs", ""),
        ("convert pairs.csv -", "notation keeps no weight; csv, json, graphml and dot do"),
        ("convert evidence.csv x.tex --break-cycles", DROPPED),
        ("convert pairs.csv - --to json", ""),
        ("convert levels.json - --to json", ""),
        ("convert chain.txt - --to csv", ""),
        ("convert levels.json - --to trec-run", ""),
        (
            "convert gewicht.csv - --break-cycles",
            "all pairs count alike: expected a column weight or support, found 'Gewicht'",
        ),
        ("convert semicolons_votes.csv - --break-cycles", f"{UNREAD}\nporank: {DROPPED}"),
        ("convert votes.tsv.gz - --break-cycles", f"{UNREAD}\nporank: {DROPPED}"),
        ("convert holes.csv - --break-cycles", "all pairs count alike: 'b' > 'c' has no weight"),
        ("convert evidence.csv - --break-cycles", DROPPED),
    ],
)
def test_what_is_lost_is_said(
    line: str,
    said: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    assert cli.main(line.split()) == 0
    assert capsys.readouterr().err == (f"porank: {said}\n" if said else "")


@pytest.mark.parametrize("command", ["predict", "aggregate"])
@pytest.mark.parametrize("item", ["member 99", "member 1", "only in member 2: 'b'"])
def test_items_keep_their_names_whatever_these_are(
    item: str, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f'printf "\\"{item}\\" > a\\na > \\"{item}\\"\\n\\nb > a\\n" | porank {command} -'
    assert run_line(line, monkeypatch) == 2
    assert capsys.readouterr().err == (
        "porank: expected the same items in both orders, found only in standard input, line 1: "
        f"{item!r}; only in standard input, line 4: 'b'; --unranked last puts what is missing "
        "last\n"
    )


@pytest.mark.parametrize("command", ["predict", "aggregate"])
def test_an_empty_standard_input_is_called_so(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_line(f"printf '' | porank {command} -", monkeypatch) == 2
    expected = "porank: expected at least one order, found none in standard input\n"
    assert capsys.readouterr().err == expected


def test_ranks_are_read_as_scores_however_many_pairs_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = answering(tmp_path, monkeypatch, capsys)
    # As a graph it would have 12,250,000 edges.
    rows = [f"i{number},{number % 2}" for number in range(7_000)]
    Path("wide.csv").write_text("\n".join(["item,rank", *rows]))
    said = strict(run("porank compare wide.csv wide.csv --format json"))
    assert (said["pairs"]["concordant"], said["pairs"]["both_tied"]) == (12_250_000, 12_246_500)
    # Of ranks the numbers are no grades.
    assert said["measures"]["ndcg_loss"] == {
        "value": None,
        "reason": "expected the scores of the target, found ranks, which have none; a target in "
        "TREC's formats has grades",
    }
    assert strict(run("porank describe wide.csv --format json"))["height"] == 2
    assert run("porank check wide.csv") == "nothing found: 7,000 items, and no cycle\n"
    assert rows_of(run("porank ranks wide.csv --format csv"))[-1] == {"item": "i6999", "rank": "2"}
    assert cli.main(["convert", "wide.csv", "-", "--to", "csv"]) == 2
    assert capsys.readouterr().err.endswith("; ranks, json and PrefLib hold it\n")


def test_ranks_say_what_the_same_graph_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = answering(tmp_path, monkeypatch, capsys)
    po.write_json(po.read_ranks("ranks.csv"), "same.json")
    for command in ("describe", "ranks", "check", "aggregate", "predict"):
        assert run(f"porank {command} ranks.csv") == run(f"porank {command} same.json")
    for form in ("notation", "ranks", "dot", "tex", "preflib", "trec-run", "trec-qrels"):
        line = f"porank convert {{}} - --to {form}"
        assert run(line.format("ranks.csv")) == run(line.format("same.json"))
    compared = strict(run("porank compare ranks.csv same.json --format json"))
    again = strict(run("porank compare same.json ranks.csv --format json"))
    del compared["measures"]["ndcg_loss"], again["measures"]["ndcg_loss"]
    assert compared == again


def test_a_large_diagram_is_drawn_if_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = answering(tmp_path, monkeypatch, capsys)
    monkeypatch.setattr(diagrams, "_MOST_LINES", 2)
    assert cli.main(["hasse", "chain.txt", "-o", "x.tex"]) == 2
    expected = f"porank: expected at most 2 lines in the diagram, found 3; {LARGE}\n"
    assert capsys.readouterr().err == expected
    run("porank hasse chain.txt -o x.tex --large")
    assert Path("x.tex").read_text().startswith(r"\begin{tikzpicture}")


def test_amounts_are_numbers_and_thresholds_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = answering(tmp_path, monkeypatch, capsys)
    said = strict(run("porank aggregate ballots.toi --unranked last --format json"))
    assert (said["cost"], said["gap"]) == (6.5, 1.5)
    points = strict(run("porank predict votes.txt --curve --format json"))
    assert [(point["alpha"], point["acyclic"]) for point in points] == [
        ("1/4", False), ("1/2", True), ("3/4", True), ("1", True),
    ]  # fmt: skip
    assert "yes" in run("porank predict votes.txt --curve")


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_signs_that_turn_text_round_are_escaped(
    form: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert cli.main(["ranks", "bidi.txt", "--format", form]) == 0
    out = capsys.readouterr().out
    assert "\u202e" not in out
    assert "u202eb" in out


def test_the_report_of_a_log_names_commands(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert cli.main(["mine", "log.csv", "--report"]) == 0
    out = capsys.readouterr().out
    assert "porank convert --break-cycles" in out
    assert "net_preferences" not in out
    assert "break_cycles" not in out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
def test_help_that_cannot_be_written_is_an_error() -> None:
    code = "from porank.cli.main import main; import sys; sys.exit(main(['--help']))"
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-uc", code], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"porank: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_an_interruption_while_loading_is_quiet(tmp_path: Path) -> None:
    """The signal comes while the first module of many is imported."""
    (tmp_path / "networkx.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    )
    command = [sys.executable, "-m", "porank", "--version"]
    path = os.pathsep.join([str(tmp_path), str(Path(po.__file__).parents[1])])
    env = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
