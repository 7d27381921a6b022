"""What commands read: forms of files, first lines of tables, and what chance has a say in."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import porank as po
from porank import cli
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

    monkeypatch.setattr("porank.order.positions.expected_ranks", inexact)
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
