"""The demonstration, the commands that it proposes, and the page of the manual that goes on."""

from __future__ import annotations

import json
import re
import sys
from html import unescape
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

import porank as po
from porank.cli import main as cli
from porank.cli.demo import (
    FILES,
    RULE,
    STRENGTHS,
    VISITS,
    Demonstration,
    ballots,
    clicks,
)
from tests.cli_runs import run_line, write_demo

MANUAL = Path(__file__).parents[2] / "docs" / "command_line.md"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the demonstration once, and return the folder where it ran and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        with (folder / "printed.txt").open("w", encoding="utf-8") as printed:
            patched.setattr(sys, "stdout", printed)
            assert cli.main(["demo"]) == 0
    return folder, (folder / "printed.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def found() -> Demonstration:
    return Demonstration()


def pairs_of_page(page: str) -> set[tuple[str, str]]:
    """The pairs of the order with which a page opens."""
    (text,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.S)
    data = json.loads(text)
    scene = data["scenes"][data["stops"][data["start"]]["scene"]]
    boxes = [data["items"][items[0]] for items in scene["boxes"]]
    ends = [boxes[number] for number in scene["lines"]]
    lines = nx.DiGraph(zip(ends[::2], ends[1::2], strict=True))
    return set(po.transitive_closure(lines).edges)


def test_it_writes_each_file_that_it_names_and_fits_a_narrow_terminal(
    shown: tuple[Path, str],
) -> None:
    folder, text = shown
    for name in FILES:
        assert f"porank-demo/{name} " in text
        start = (folder / "porank-demo" / name).read_bytes()[:4]
        assert start == b"\x89PNG" if name.endswith(".png") else start
    written = {path.name for path in (folder / "porank-demo").iterdir()}
    assert written == {*FILES, "porank-demo.txt"}
    before, _, proposed = text.partition("What to try next\n")
    assert max(map(len, before.splitlines())) <= 80
    assert len(proposed.splitlines()) == 4
    assert not re.search(r" +$", text, re.M)


def test_what_it_proposes_runs_as_printed(
    shown: tuple[Path, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, text = shown
    monkeypatch.chdir(folder)
    commands = text.partition("What to try next\n")[2].splitlines()
    assert len(commands) == 4
    for line in commands:
        assert run_line(line.strip(), monkeypatch) == 0
        assert capsys.readouterr().err == ""
    assert (folder / "porank-demo" / "truth.svg").exists()


def test_a_contradiction_is_found(found: Demonstration, shown: tuple[Path, str]) -> None:
    log = clicks()
    G = po.from_log(log, rule=RULE)
    contested = [(u, v) for u, v in G.edges if G.has_edge(v, u)]
    report = found.explored.report
    assert report.contradictions == len(contested) // 2 > 0
    cycle = po.find_cycle(po.net_preferences(G))
    assert cycle is not None
    assert all(re.search(rf"^{u} +{v} ", shown[1], re.M) for u, v in pairwise(cycle))
    assert f"Sessions contradict each other on {report.contradictions} of" in shown[1]


def test_console_report_page_and_shell_give_one_answer(
    shown: tuple[Path, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    order = po.settled_order(clicks(), rule=RULE)
    n, settled = len(order), order.number_of_edges()
    assert 0 < settled < n * (n - 1) / 2, "it abstains on some pairs"
    folder, text = shown
    for chain in po.format_order(order).split("; "):
        assert f"\n{chain}\n" in text
    said = f"The log settles {settled} of {n * (n - 1) // 2} pairs at a risk of 5%"
    report = (folder / "porank-demo" / "report.html").read_text("utf-8")
    assert said in " ".join(text.split())
    assert said in report
    page = unescape(re.findall(r'srcdoc="([^"]*)"', report)[0])
    for opened in (page, (folder / "porank-demo" / "page.html").read_text("utf-8")):
        assert pairs_of_page(opened) == set(order.edges)
    assert f"<title>What {VISITS} visits to a café say" in opened
    monkeypatch.chdir(folder)
    assert cli.main(["predict", "porank-demo/preferences.csv", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {(pair["preferred"], pair["other"]) for pair in answer["pairs"]} == set(order.edges)
    assert answer["leaning"] == (folder / "porank-demo" / "leaning.txt").read_text().strip()


def test_it_shows_what_abstention_buys(found: Demonstration) -> None:
    points = [point for point in found.curve if point.is_acyclic]
    correctness = [float(point.correctness or 0) for point in points]
    completeness = [float(point.completeness or 0) for point in points]
    assert correctness == sorted(correctness)
    assert correctness[0] < 0.8
    assert correctness[-1] == 1
    assert completeness == sorted(completeness, reverse=True)
    settled, leaning = (found.comparisons[name] for name in ("settled", "leaning"))
    assert settled["correctness"] == 1 > leaning["correctness"]
    assert settled["completeness"] < leaning["completeness"]


def test_the_comparison_is_that_of_compare(found: Demonstration, shown: tuple[Path, str]) -> None:
    orders = found.explored.order, found.explored.leaning
    one, other = (po.compare(po.from_scores(STRENGTHS), order) for order in orders)
    for name in ("correctness", "completeness", "jaccard", "kendall_tau", "edrc"):
        assert re.search(rf"^{name} +{one[name]:.4g} +{other[name]:.4g}$", shown[1], re.M)


def test_its_files_are_read_again(found: Demonstration, shown: tuple[Path, str]) -> None:
    folder = shown[0] / "porank-demo"
    G = po.from_log(folder / "clicks.csv", rule=RULE)
    assert set(G.edges(data="support")) == set(found.explored.evidence.edges(data="support"))
    for name, order in (
        ("truth.txt", po.from_scores(STRENGTHS)),
        ("settled.txt", found.explored.order),
    ):
        read = po.parse((folder / name).read_text("utf-8"))
        assert po.kendall_distance(read, order) == 0
        assert po.compare(read, order)["jaccard"] == 1
    read = [po.parse(line) for line in (folder / "ballots.txt").read_text("utf-8").splitlines()]
    assert [list(order.edges) for order in read] == [list(order.edges) for order in ballots()]


def test_it_runs_where_only_ascii_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porank.cli.demo.pictures_of", lambda _: {})
    with (tmp_path / "printed.txt").open("w", encoding="ascii") as printed:
        monkeypatch.setattr(sys, "stdout", printed)
        assert cli.main(["demo", "--folder", str(tmp_path / "a b")]) == 0
    text = (tmp_path / "printed.txt").read_text("ascii")
    assert r"a caf\xe9" in text
    assert f"porank ranks '{tmp_path}/a b/settled.txt' --possible" in text


def test_the_manual_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MANUAL.read_text("utf-8")
    assert [name for name in cli.COMMANDS if f"porank {name}" not in text] == []
    write_demo(tmp_path)
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, printed = part.partition("\n")
            code = run_line(line, monkeypatch)
            is_error = printed.startswith("porank: ")
            assert (line, code) == (line, 2 if is_error else int(" check " in line))
            assert capsys.readouterr() == (("", printed) if is_error else (printed, ""))


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
    assert capsys.readouterr().err == "porank: [Errno 17] File exists: 'clicks.csv'\n"
    write_demo(tmp_path)
    (tmp_path / "porank-demo" / "notes.txt").write_text("mine")
    (tmp_path / "porank-demo" / "clicks.csv").write_text("changed")
    with monkeypatch.context() as patched:
        patched.setattr("porank.cli.demo.pictures_of", lambda _: {})
        assert cli.main(["demo"]) == 0
    assert (tmp_path / "porank-demo" / "notes.txt").read_text() == "mine"
    assert (tmp_path / "porank-demo" / "clicks.csv").read_text().startswith("session,item")
