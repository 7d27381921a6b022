"""The command line run in this process, on the files of the demonstration and on bad ones."""

import csv
import gzip
import io
import json
import re
import shlex
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import porank as po
from porank.cli import main as cli
from porank.cli.demo import Demonstration, demo_folder, log_of

Run = Callable[[str], str]
#: The exit code, and what was written to standard output and to standard error.
End = Callable[[str], tuple[int, str, str]]

PREFLIB = """\
# NUMBER ALTERNATIVES: 3
# ALTERNATIVE NAME 1: Red
# ALTERNATIVE NAME 2: White
# ALTERNATIVE NAME 3: Rosé
"""

#: Small files, good and bad, by their names.
TEXTS = {
    "chain.txt": "a > b > c > d",
    "other.txt": "b > a > d; c",
    "abx.txt": "a > b > c; x",
    "cycle.txt": "a > b > c > a; c > d",
    "empty.txt": "\n",
    "bad.txt": "A > B\nA > > B\n",
    "votes.txt": "a > b > c  # three times\na > b > c\na > b > c\nb > a > c\n",
    "around.txt": "a > b > c\nb > c > a\nc > a > b\n",
    "pairs.csv": "preferred,other,weight\na,b,2\na,c,1\nd,,\n",
    "pairs.tsv": "a\tb\nb\tc\n",
    "semicolon.csv": "tea;milk\n",
    "tabs.dat": "tea\tmilk\n",
    "ranks.csv": "item,rank\nmilk,2\ntea,1\nsalt,2\n",
    "scores.csv": "item,score\na,1\n",
    "evidence.csv": "preferred,other,support\na,b,3\nb,a,1\nb,c,2\n",
    "ballots.toi": f"{PREFLIB}5: 3,{{1,2}}\n2: 1,2\n",
    "two.run": "q1 Q0 d1 1 9.5 x\nq1 Q0 d2 2 7 x\nq2 Q0 d1 1 1 x\nq2 Q0 d2 2 0 x\n",
    "two.qrels": "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 0\nq2 0 d2 1\n",
    "unknown.dat": "a > b",
    "duels.csv": "model_a,model_b,winner\na,b,a\n",
    "log.csv": (
        "session,item,event\n1,a,view\n1,b,click\n2,a,click\n2,b,view\n3,b,click\n3,a,view\n"
    ),
    "names.dat": "item,rank\na,1\nb,2\n",
    "header.csv": "one,two\na,b\nc,b\n",
    "names.csv": "a,1\nb,2\nc,3\n",
    "better.csv": "Worse,better\nb,a\nc,b\n",
    "won.csv": "winner,loser,support\na,b,3\nb,a,1\n",
    "placed.csv": "drink,rank\na,2\nb,1\n",
    "numbers.csv": "1,2\n3,4\n",
    "torn_votes.txt": "a > b > c\n\nb > c > b\n",
    "bad_log.csv": "session,item,event\n1,a,click\n1,b,view\n1,c,look\n",
    "target.csv": "user,preferred,other\n1,a,b\n1,b,c\n2,a,b\n",
    "empty.run": "",
    "log.jsonl": '{"session": 1, "item": "a", "event": "click"}\n',
    "odd.csv": "preferred,other,weight\na,b,1.5\nb,c,0.5\n",
    "groups.csv": "query,preferred,other,support\nq1,a,b,6\nq1,b,a,2\nq2,b,a,5\n",
    "clash.csv": "query,preferred,other,support\nq1,a,b,1\nq2,a,b,3\nq2,b,c,3\nq2,c,a,3\n",
    "predicted.csv": "user,item,score\n1,a,3\n1,b,2\n1,c,2.5\n2,a,1\n2,b,2\n",
}

#: Small files that are compressed.
PACKED = {
    "pairs.csv": "a,b\nb,c\n",
    "log.parquet": "no parquet",
    "bad.csv": "a,b\nb,c\nc\n",
    "bad.txt": "a > b\nb > > a\n",
    "target.dat": "user,preferred,other\n1,a\n",
    "votes.tsv": "preferred\tother\tvotes\na\tb\t2\nb\ta\t1\n",
}


def write_files(folder: Path) -> None:
    """Write the small files, and those that are no texts."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text, "utf-8")
    for name, text in PACKED.items():
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "cut.csv.gz").write_bytes(gzip.compress(b"a,b\n" * 100)[:20])
    nx.write_graphml_xml(nx.DiGraph(["ab", "bc"]), folder / "graph.graphml")
    nx.write_graphml_xml(nx.DiGraph(["ab", "ac"]), folder / "fork.graphml")
    levels, tied = po.from_levels([["a"], ["b", "c"]]), nx.DiGraph(["ab"])
    tied.add_node("c")
    nx.set_node_attributes(tied, {"a": 0, "b": 0}, "tie")
    po.write_graphml(levels, folder / "levels.graphml")
    po.write_graphml(tied, folder / "tie.graphml")


@cache
def demonstration() -> Demonstration:
    """Return what the demonstration finds, found once."""
    return Demonstration()


README = Path(__file__).parents[2] / "README.md"
MANUAL = [README.parent / "docs" / f"command_line{part}.md" for part in ("", "_many")]
#: Files that examples of commands read, beside those that the manual makes.
BALLOTS = "mocha > latte > tea\nlatte > mocha > tea\nmocha > tea > latte\n"


def write_demo(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go into a folder with the log of the demonstration, and ballots."""
    demo = demo_folder(str(folder / "porank-demo"), force=False)
    (demo / "clicks.csv").write_bytes(log_of(demonstration()))
    (folder / "ballots.txt").write_text(BALLOTS, "utf-8")
    monkeypatch.chdir(folder)


def consoles(*pages: Path) -> list[list[tuple[str, str]]]:
    """Return the consoles of pages: each with its command lines, and what they print.

    The first of the manual makes the files that other examples read.
    """
    text = "".join(page.read_text("utf-8") for page in pages)
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S)
    parts = (re.split(r"^\$ ", block, flags=re.M)[1:] for block in blocks)
    return [[part.partition("\n")[::2] for part in block] for block in parts]


def run_line(line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command line, with what ``echo`` or ``printf`` puts before it on standard input."""
    before, is_piped, command = line.rpartition(" | ")
    words = shlex.split(command)
    assert words.pop(0) == "porank"
    if is_piped:
        program, text = shlex.split(before)
        text = text.replace("\\n", "\n") if program == "printf" else f"{text}\n"
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    return cli.main(words)


def strict(text: str) -> Any:
    """Return what a JSON text says, which must hold no NaN."""

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    return json.loads(text, parse_constant=refuse)


def rows_of(text: str) -> list[dict[str, str]]:
    """Return the rows of a table in CSV, each by its columns."""
    return list(csv.DictReader(io.StringIO(text)))


def write(name: str, *lines: str) -> str:
    """Write a file of such lines into the current folder, and return its name."""
    Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return name
