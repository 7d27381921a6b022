"""Orders judged on sessions of a log that were held back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import porank as po
from tests.cli_runs import End, Run, strict

LINE = "porank predict clicks.csv --holdout"


@pytest.fixture(autouse=True)
def clicks(tmp_path: Path) -> None:
    """Write a log of some sessions, one for each user but for the first ten."""
    log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 60, seed=0)
    rows = zip(log["session"], log["item"], log["event"], log["time"], strict=True)
    lines = [f"{s},{max(s, 10)},{item},{event},{time}" for s, item, event, time in rows]
    (tmp_path / "clicks.csv").write_text(
        "\n".join(["session,user,item,event,time", *lines]), "utf-8"
    )


def test_holdout_prints_what_the_library_finds(run: Run) -> None:
    found = po.validate_feedback("clicks.csv")
    assert run(LINE) == f"{found}\n"
    points = strict(run(f"{LINE} --format json"))
    assert [point["correctness"] for point in points] == [p.correctness for p in found["share"]]


def test_holdout_takes_its_options(run: Run) -> None:
    found = po.validate_feedback(
        "clicks.csv",
        rule="click_over_earlier_click",
        degree={"lower": {"min_sessions": 2}},
        unit="user",
        test_share=0.5,
    )
    line = f"{LINE} --rule click_over_earlier_click --degree lower --min-sessions 2 --unit user"
    assert run(f"{line} --test-share 1/2") == f"{found}\n"
    assert "30 sessions seen, 30 not" in run(f"{LINE} --split-at 150")


def test_lists_are_read_by_the_names_of_their_columns(end: End) -> None:
    Path("lists.csv").write_text("on,hit\n" + "a b,a\nb c,b\n" * 9, "utf-8")
    line = "porank predict lists.csv --holdout --shown on --clicked hit"
    _, out, err = end(line)
    assert "13 sessions seen, 5 not" in out
    assert err.startswith("porank: read as impressions: shown = 'on', clicked = 'hit'; ")


def test_holdout_leaves_out_bad_rows_only_if_told(end: End) -> None:
    with Path("clicks.csv").open("a", encoding="utf-8") as file:
        file.write("\n60,60,a,wink,999\n")
    assert end(LINE)[0] == 2
    code, out, err = end(f"{LINE} --skip-bad-rows")
    assert (code, "42 sessions seen" in out) == (0, True)
    assert err.startswith("porank: 1 row left out: line ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            f"{LINE} --curve --alpha 0.7",
            "found '--alpha', '--curve'",
        ),
        (f"{LINE} -o order.json", "nothing else beside --holdout, found '--output'"),
        (
            "porank predict clicks.csv log.csv --holdout",
            "one log and nothing else .*, found 2 files",
        ),
        ("porank predict clicks.csv --unit user", "expected --unit beside --holdout"),
        ("porank predict clicks.csv --rule levels", "expected --rule beside --holdout"),
        ("porank predict no.csv --holdout", "No such file"),
        (f"{LINE} --test-share 2", "from 0 to 1 as test_share"),
    ],
)
def test_holdout_refuses(end: End, line: str, message: str) -> None:
    code, out, err = end(line)
    assert (code, out) == (2, "")
    assert err.startswith("porank: ")
    assert re.search(message, err), err
