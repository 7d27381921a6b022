"""What commands read: forms of files, first lines of tables, and what chance has a say in."""

from __future__ import annotations

import shlex
from argparse import ArgumentTypeError
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import porank as po
from porank.cli import main as cli
from porank.cli.command import fraction
from porank.cli.reading import calling_as_shown, open_table
from porank.errors import ParseError
from tests.cli_runs import answering, rows_of, strict

if TYPE_CHECKING:
    from tests.cli_runs import Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs a command line among the small files and gives what it printed."""
    return answering(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("source", "items"),
    [
        ("pairs.csv", 4),
        ("pairs.tsv", 3),
        ("semicolon.csv --delimiter ;", 2),
        ("semicolon.csv", 2),
        (r"tabs.dat --from csv --delimiter \t", 2),
        ("tabs.dat --from csv", 2),
        ("pairs.csv.gz", 3),
        ("ranks.csv", 3),
        ("order.json", 3),
        ("levels.json", 3),
        ("graph.graphml", 3),
        ("one.soc", 3),
        ("judged.prefs", 2),
        ("two.run --query q1", 2),
        ("evidence.csv", 3),
        ("unknown.dat --from notation", 2),
        ("ranks.csv --from ranks", 3),
        ("better.csv", 3),
        ("placed.csv", 2),
        ("placed.csv --from ranks", 2),
        ("won.csv", 2),
        ("numbers.csv", 4),
        ("header.csv --from pairs", 5),
        ("names.csv --from ranks", 3),
        ("names.csv --from pairs", 6),
    ],
)
def test_every_form_is_read(run: Run, source: str, items: int) -> None:
    name, *options = source.split()
    words = ["describe", name, *options, "--format", "json"]
    said = strict(run(f"porank {shlex.join(words)}"))
    assert said["items"] == items


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", Fraction(7)),
        ("0.7", Fraction(7, 10)),
        (".7", Fraction(7, 10)),
        ("7.", Fraction(7)),
        ("7e-3", Fraction(7, 1000)),
        ("+.7E1", Fraction(7)),
        ("-2/3", Fraction(-2, 3)),
        (" 2/3\t", Fraction(2, 3)),
        ("1e20", Fraction(10**20)),
    ],
)
def test_numbers_are_read_as_they_are_written(text: str, number: Fraction) -> None:
    assert fraction(text) == number


@pytest.mark.parametrize(
    "text",
    ["", ".", "/", "e3", "1_0", "1e1_0", "٣", "1/2/3", "1/2e3", "1.5/2", "1 0", "inf", "1/0"],
)
def test_what_is_no_plain_number_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=r"expected a number such as 0\.7 or 2/3"):
        fraction(text)


def test_an_error_about_a_table_stays_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_text("a,b\n")
    table = open_table(str(tmp_path / "a.dat"), "tsv")
    assert table.name == f"{table.shown}.tsv"
    for source, shown in ((table.name, table.shown), ("other.tsv", "other.tsv")):
        with pytest.raises(ParseError) as caught, calling_as_shown(table):
            raise ParseError.at(f"'{table.name}'", line=2, column=0, text="a", source=source)
        # The name in the middle may be an item.
        assert str(caught.value) == f"{shown}, line 2: '{table.name}'\n  a"


def test_headers_of_other_names_say_which_column_is_which(run: Run) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    assert run("porank convert better.csv -") == "a > b > c\n"
    assert run("porank convert placed.csv -") == "b > a\n"
    assert strict(run("porank predict won.csv --format json"))["threshold"] == "3/4"
    assert run("porank convert numbers.csv -") == "1 > 2; 3 > 4\n"
    parquet.write_table(arrow.table({"Worse": ["b", "c"], "better": ["a", "b"]}), "better.parquet")
    parquet.write_table(arrow.table({"drink": ["a", "b"], "rank": [2, 1]}), "placed.parquet")
    assert run("porank convert better.parquet -") == "a > b > c\n"
    assert run("porank convert placed.parquet -") == "b > a\n"


@pytest.mark.parametrize(
    ("method", "said"), [("sample", "drawing rankings"), ("approximate", "their error is not")]
)
def test_expected_ranks_that_are_not_exact_say_so(
    method: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    exact = po.expected_ranks
    seeds = []

    def inexact(order: Any, *, seed: int, progress: bool) -> Any:
        seeds.append(seed)
        return exact(order, method=method, samples=100, seed=seed, progress=progress)

    monkeypatch.setattr("porank.expected_ranks", inexact)
    monkeypatch.chdir(tmp_path)
    Path("n.txt").write_text("a > c; b > c; b > d")
    for words in ((), ("--seed", "0"), ("--seed", "7")):
        assert cli.main(["ranks", "n.txt", "--expected", "--format", "csv", *words]) == 0
        out, err = capsys.readouterr()
        found = exact(po.parse("a > c; b > c; b > d"), method=method, samples=100, seed=seeds[-1])
        for row in rows_of(out):
            error = found.standard_error[row["item"]]
            assert row["expected"] == str(found[row["item"]])
            assert row["standard error"] == (str(error) if method == "sample" else "")
        assert (said in err, f"method {method}" in err, err.count("\n")) == (True, True, 1)
    assert seeds == [0, 0, 7]


def test_labels_of_parquet_keep_their_types(run: Run) -> None:
    run("echo '{\"edges\": [[1, 2], [2, 3]], \"items\": [1, 2, 3, 4]}' | "
        "porank convert - numbers.parquet --from json")  # fmt: skip
    assert strict(run("porank ranks numbers.parquet --format json")) == [
        {"item": 1, "rank": 1},
        {"item": 4, "rank": 1},
        {"item": 2, "rank": 2},
        {"item": 3, "rank": 3},
    ]


def test_the_seed_is_what_kwiksort_draws_by(run: Run) -> None:
    votes = ["fdeabc", "cdbefa", "ecfbad", "fdacbe"]
    profile = [po.from_ranking(vote) for vote in votes]
    Path("four.txt").write_text("".join(f"{po.format_order(vote)}\n" for vote in profile))
    line = "porank aggregate four.txt --method kwiksort --format json"
    found = [strict(run(f"{line} --seed {seed}"))["order"] for seed in range(4)]
    assert found == [
        po.format_order(po.kwiksort(profile, seed=seed).order) for seed in range(4)
    ]  # fmt: skip
    assert len(set(found)) == 4
    assert strict(run(line))["order"] == found[0]
