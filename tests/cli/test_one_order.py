"""What the commands about one order answer, draw and write."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import porank as po
from tests.cli_runs import End, Run, rows_of, strict

LARGE = "--large draws it all the same, and porank ranks tells where each item stands"


def test_describe(run: Run) -> None:
    order = po.parse("a > b > c > d")
    assert run("porank describe chain.txt") == f"{po.describe(order)}\n"
    said = strict(run("porank describe empty.txt --format json"))
    assert (said["items"], said["comparable"], said["type"]) == (0, None, "total")
    assert "share of all pairs" in run("porank describe empty.txt")
    for form in ("table", "csv", "markdown"):
        assert "nan" not in run(f"porank describe empty.txt --format {form}")
    said = strict(run("porank describe cycle.txt --format json"))
    assert (said["type"], said["cycle"], said["pairs"]) == ("cyclic", ["a", "b", "c", "a"], None)
    assert rows_of(run("porank describe chain.txt --format csv"))[1] == {
        "property": "items",
        "value": "4",
    }


def test_why(run: Run, end: End) -> None:
    Path("pairs.csv").write_text("preferred,other,support\na,b,2\nb,c,3\na,c,1\n")
    assert run("porank why pairs.csv a c --format csv").splitlines() == [
        *("what,support,items", "chain,2,'a' > 'b' > 'c'", "chain,1,'a' > 'c'"),
        *("cut,2,'a' > 'b'", "cut,1,'a' > 'c'"),
    ]
    said = strict(run("porank why pairs.csv a c --weight none --format json"))
    assert (said["evidence"], said["weight"]) == (2, None)
    assert said["cut"] == [["a", "b", 1], ["a", "c", 1]]
    assert strict(run("porank why pairs.csv --format json")) == [
        {"preferred": "a", "other": "b", "evidence": 2},
        {"preferred": "b", "other": "c", "evidence": 3},
    ]
    assert run("porank why empty.txt") == "no pair\n"
    code, _, err = end("porank why pairs.csv a")
    assert (code, err) == (2, "porank: expected two items, or none, found 'a'\n")


def test_ranks(run: Run) -> None:
    text = run("echo 'a > b; c' | porank ranks - --possible --expected --format csv")
    assert text.splitlines() == [
        "item,rank,best,worst,expected,standard error",
        f"a,1,1,2,{4 / 3},0.0",
        "c,1,1,3,2.0,0.0",
        f"b,2,2,3,{8 / 3},0.0",
    ]
    assert run("echo 'b > a' | porank ranks -").split() == [
        "item", "rank", "----", "----", "b", "1", "a", "2",
    ]  # fmt: skip
    assert strict(run("porank ranks order.json --format json")) == [
        {"item": 1, "rank": 1},
        {"item": "1", "rank": 2},
        {"item": 2, "rank": 3},
    ]
    assert strict(run("porank ranks empty.txt --format json")) == []


def test_expected_ranks_that_are_not_exact_say_so(
    monkeypatch: pytest.MonkeyPatch, end: End
) -> None:
    exact = po.expected_ranks
    seeds = []

    def inexact(order: Any, *, seed: int) -> Any:
        seeds.append(seed)
        return exact(order, method="walk", seed=seed)

    monkeypatch.setattr("porank.expected_ranks", inexact)
    Path("n.txt").write_text("a > c; b > c; b > d")
    for words in ("", "--seed 0", "--seed 7"):
        code, out, err = end(f"porank ranks n.txt --expected --format csv {words}")
        assert code == 0
        found = exact(po.parse("a > c; b > c; b > d"), method="walk", seed=seeds[-1])
        for row in rows_of(out):
            error = found.standard_error[row["item"]]
            assert row["expected"] == str(found[row["item"]])
            assert row["standard error"] == str(error)
        assert ("random walks" in err, err.count("\n")) == (True, 1)
    assert seeds == [0, 0, 7]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("chain.txt", []),
        ("empty.txt", []),
        ("cycle.txt", [{"found": "cycle", "items": 3, "witness": ["a", "b", "c", "a"]}]),
        ("evidence.csv", [{"found": "cycle", "items": 2, "witness": ["a", "b", "a"]}]),
        ("tie.json", [{"found": "tie", "items": 2, "witness": ["a", "b"]}]),
        ("torn.prefs", [{"found": "cycle", "items": 2, "witness": ["a", "b", "a"]}]),
    ],
)
def test_check(name: str, found: list[Any], end: End) -> None:
    code, out, err = end(f"porank check {name} --format json")
    assert (code, strict(out), err) == (int(bool(found)), found, "")
    code, out, err = end(f"porank check {name}")
    assert (code, "nothing found" in out, err) == (int(bool(found)), not found, "")


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("order.png", b"\x89PNG"),
        ("order.svg", b"<?xml"),
        ("order.pdf", b"%PDF"),
        ("order.tex", b"\\begin{tikzpicture}"),
    ],
)
def test_hasse_writes_what_the_suffix_says_and_the_same_again(
    run: Run, name: str, start: bytes
) -> None:
    assert run(f"porank hasse chain.txt -o {name}") == ""
    content = Path(name).read_bytes()
    assert content.startswith(start)
    assert run(f"porank hasse chain.txt -o {name} --force") == ""
    assert Path(name).read_bytes() == content


def test_hasse_turns_the_diagram_and_numbers_its_levels(run: Run) -> None:
    options = "", "--orientation right", "--ranks"
    for number, option in enumerate(options):
        run(f"porank hasse chain.txt -o {number}.svg {option}")
    drawn = {Path(f"{number}.svg").read_text("utf-8") for number in range(len(options))}
    assert len(drawn) == len(options)


def test_hasse_draws_cycles_too_and_lets_go_of_figures(run: Run) -> None:
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    run("porank hasse cycle.txt -o cycle.svg")
    assert plt.get_fignums() == before


def size_of(name: str) -> tuple[int, int]:
    """Return the width and the height of a PNG, as its first chunk tells them."""
    head = Path(name).read_bytes()[16:24]
    return int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")


def test_a_picture_has_as_many_dots_as_it_is_told(run: Run) -> None:
    for dpi in (80, 160):
        run(f"porank hasse chain.txt -o chain{dpi}.png --dpi {dpi}")
    run("porank hasse chain.txt -o chain.png")
    width, height = size_of("chain80.png")
    doubled = [(2 * width + i, 2 * height + j) for i in (0, 1) for j in (0, 1)]
    assert size_of("chain.png") == size_of("chain160.png")
    assert size_of("chain.png") in doubled


def test_a_large_diagram_is_drawn_if_asked_for(
    run: Run, end: End, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porank.cli.draw._MOST_LINES", 2)
    expected = (
        f"porank: expected at most 3,000 boxes and 2 lines in the diagram, found 4 and 3; {LARGE}\n"
    )
    assert end("porank hasse chain.txt -o x.tex") == (2, "", expected)
    run("porank hasse chain.txt -o x.tex --large")
    assert Path("x.tex").read_text().startswith(r"\begin{tikzpicture}")


def test_page(run: Run) -> None:
    assert run("porank page chain.txt -o page.html --target other.txt") == ""
    assert "<html" in Path("page.html").read_text("utf-8")
    run("porank page levels.json -o page.html --force --preferences votes.txt")
    run(
        "porank page unknown.dat --from notation -o page.html --force --target names.dat "
        "--target-from ranks --preferences names.dat --preferences-from ranks "
        "--title 'Two <of> them'"
    )
    assert "<title>Two &lt;of&gt; them" in Path("page.html").read_text("utf-8")


def test_a_page_has_the_thresholds_of_its_preferences(run: Run) -> None:
    run("porank page levels.json -o page.html --preferences votes.txt")
    found = re.search(r'id="data">(.*?)</script>', Path("page.html").read_text("utf-8"))
    assert found is not None
    votes = ["abc"] * 3 + ["bac"]
    curve = po.abstention_curve(po.preference_relation(map(po.from_ranking, votes)))
    stops: list[Any] = [stop["alpha"] for stop in json.loads(found[1])["stops"]]
    assert stops == [None, *(str(point.alpha) for point in curve if point.is_acyclic)]
