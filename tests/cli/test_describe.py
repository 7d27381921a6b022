"""What the commands about one order answer: describe, why, ranks, check."""

from pathlib import Path
from typing import Any

import pytest

import porank as po
from tests.support.cli_runs import End, Run, rows_of, strict


def test_describe_prints_what_the_function_finds(run: Run) -> None:
    assert run("porank describe chain.txt") == f"{po.describe(po.parse('a > b > c > d'))}\n"
    said = strict(run("porank describe empty.txt --format json"))
    assert (said["items"], said["comparable"], said["type"]) == (0, None, "total")
    assert "nan" not in run("porank describe empty.txt")
    said = strict(run("porank describe cycle.txt --format json"))
    assert (said["type"], said["cycle"], said["pairs"]) == ("cyclic", ["a", "b", "c", "a"], None)
    rows = rows_of(run("porank describe chain.txt --format csv"))
    assert rows[1] == {"property": "items", "value": "4"}


def test_why_lists_chains_and_cuts_with_their_support(run: Run) -> None:
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


def test_ranks_prints_set_possible_and_expected_ranks(run: Run) -> None:
    text = run("echo 'a > b; c' | porank ranks - --possible --expected --format csv")
    assert text.splitlines() == [
        "item,rank,best,worst,expected,standard error",
        f"a,1,1,2,{4 / 3},0.0",
        "c,1,1,3,2.0,0.0",
        f"b,2,2,3,{8 / 3},0.0",
    ]
    words = " ".join(run("echo 'b > a' | porank ranks -").split())
    assert words == "item rank ---- ---- b 1 a 2"
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
    for words in ("", "--seed 7"):
        code, out, err = end(f"porank ranks n.txt --expected --format csv {words}")
        assert code == 0
        found = exact(po.parse("a > c; b > c; b > d"), method="walk", seed=seeds[-1])
        for row in rows_of(out):
            assert row["expected"] == str(found[row["item"]])
            assert row["standard error"] == str(found.standard_error[row["item"]])
        assert ("random walks" in err, err.count("\n")) == (True, 1)
    assert seeds == [0, 7]


def test_check_names_a_cycle_or_tie_as_witness(end: End) -> None:
    for name, kind, witness in (
        ("chain.txt", "", []),
        ("empty.txt", "", []),
        ("cycle.txt", "cycle", ["a", "b", "c", "a"]),
        ("evidence.csv", "cycle", ["a", "b", "a"]),
        ("tie.graphml", "tie", ["a", "b"]),
    ):
        items = len(set(witness))
        found = [{"found": kind, "items": items, "witness": witness}] if kind else []
        code, out, err = end(f"porank check {name} --format json")
        assert (code, strict(out), err) == (int(bool(kind)), found, "")
        code, out, err = end(f"porank check {name}")
        assert (code, "no contradictions" in out, err) == (int(bool(kind)), not kind, "")
