"""What porank hasse and porank page write."""

import json
import re
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

import porank as po
from tests.support.cli_runs import End, Run


@pytest.mark.slow
def test_hasse_draws_what_the_suffix_says_and_the_same_again(run: Run) -> None:
    before = plt.get_fignums()
    for name, start in (
        ("order.png", b"\x89PNG"),
        ("order.svg", b"<?xml"),
        ("order.pdf", b"%PDF"),
        ("order.tex", b"\\begin{tikzpicture}"),
    ):
        assert run(f"porank hasse chain.txt -o {name}") == ""
        content = Path(name).read_bytes()
        assert content.startswith(start)
        assert run(f"porank hasse chain.txt -o {name} --force") == ""
        assert Path(name).read_bytes() == content
    run("porank hasse cycle.txt -o cycle.svg")
    assert plt.get_fignums() == before, "figures are let go"


def test_page_draws_either_an_order_or_preferences(run: Run, end: End) -> None:
    for given, which in (("", "neither"), ("chain.txt --preferences votes.txt", "both")):
        code, _, err = end(f"porank page {given} -o page.html")
        assert (code, f"an order or --preferences, found {which}" in err) == (2, True)
    assert run("porank page chain.txt -o page.html --target other.txt") == ""
    assert "<html" in Path("page.html").read_text("utf-8")
    names = "--target names.dat --target-from ranks --title 'Two <of> them'"
    run(f"porank page names.dat --from ranks -o page.html --force {names}")
    assert "<title>Two &lt;of&gt; them" in Path("page.html").read_text("utf-8")
    run("porank page -o page.html --force --preferences votes.txt")
    data = re.search(r'id="data">(.*?)</script>', Path("page.html").read_text("utf-8"))
    assert data is not None
    votes = ["abc"] * 3 + ["bac"]
    curve = po.abstention_curve(po.preference_relation(map(po.from_ranking, votes)))
    stops: list[Any] = [stop["alpha"] for stop in json.loads(data[1])["stops"]]
    assert stops == [str(point.alpha) for point in curve if point.is_acyclic]


def test_a_page_to_vote_on(run: Run, end: End) -> None:
    line = r"printf 'tea, hot\n\n<b>\n' | porank vote - -o vote.html"
    assert run(line) == ""
    text = Path("vote.html").read_text("utf-8")
    assert '"items":["\\u003cb\\u003e","tea, hot"]' in text
    for refused, reason in (
        (line, "expected no file at 'vote.html'"),
        ("porank vote empty.txt -o new.html", "expected at least 2 items"),
    ):
        code, _, err = end(refused)
        assert (code, err.startswith(f"porank: {reason}")) == (2, True), err
