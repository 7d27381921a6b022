"""What commands read: forms of files, first lines of tables, standard input."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import porank as po
from tests.cli_runs import End, Run, rows_of, strict


def test_every_form_is_read(run: Run) -> None:
    for source, items in (
        ("pairs.csv", 4),
        ("pairs.tsv --from pairs", 3),
        ("semicolon.csv --delimiter ; --from pairs", 2),
        ("semicolon.csv --from pairs", 2),
        (r"tabs.dat --from pairs --delimiter \t", 2),
        ("pairs.csv.gz --from pairs", 3),
        ("ranks.csv", 3),
        ("order.json", 3),
        ("levels.json", 3),
        ("graph.graphml", 3),
        ("one.soc", 3),
        ("judged.prefs", 2),
        ("two.run --query q1", 2),
        ("evidence.csv", 3),
        ("unknown.dat --from notation", 2),
        ("placed.csv --from ranks", 2),
        ("header.csv --from pairs", 5),
        ("names.csv --from ranks", 3),
        ("names.csv --from pairs", 6),
    ):
        name, *options = source.split()
        words = ["describe", name, *options, "--format", "json"]
        assert (source, strict(run(f"porank {shlex.join(words)}"))["items"]) == (source, items)
    Path("a.cxt").write_text("B\n\n2\n2\n\nfrog\nbream\nswims\nwalks\nXX\nX.\n")
    assert run("porank convert a.cxt - --to notation") == "frog > bream\n"


def test_headers_of_other_names_say_which_column_is_which(run: Run) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"Worse": ["b", "c"], "better": ["a", "b"]}), "better.parquet")
    parquet.write_table(arrow.table({"drink": ["a", "b"], "rank": [2, 1]}), "placed.parquet")
    for form in ("csv", "parquet"):
        assert run(f"porank convert better.{form} -") == "a > b > c\n"
        assert run(f"porank convert placed.{form} -") == "b > a\n"
    assert strict(run("porank predict won.csv --alpha minimal --format json"))["threshold"] == "2/3"
    assert run("porank convert numbers.csv - --from pairs") == "1 > 2; 3 > 4\n"


def test_ranks_are_read_as_scores_however_many_pairs_follow(run: Run, end: End) -> None:
    # As a graph it would have 12,250,000 edges.
    rows = [f"i{number},{number % 2}" for number in range(7_000)]
    Path("wide.csv").write_text("\n".join(["item,rank", *rows]))
    said = strict(run("porank compare wide.csv wide.csv --measures ndcg_loss --format json"))
    assert (said["pairs"]["concordant"], said["pairs"]["both_tied"]) == (12_250_000, 12_246_500)
    # Of ranks the numbers are no grades.
    assert said["measures"]["ndcg_loss"]["value"] is None
    assert strict(run("porank describe wide.csv --format json"))["height"] == 2
    assert run("porank check wide.csv") == "nothing found: 7,000 items, and no cycle\n"
    assert rows_of(run("porank ranks wide.csv --format csv"))[-1] == {"item": "i6999", "rank": "2"}
    code, _, err = end("porank convert wide.csv - --to csv")
    assert (code, "at most 10,000,000 edges" in err) == (2, True)


def test_ranks_say_what_the_same_graph_says(run: Run) -> None:
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


def test_what_was_piped_is_called_standard_input(end: End, monkeypatch: pytest.MonkeyPatch) -> None:
    table = "printf 'one,two\\na,b\\n' | porank ranks - --from csv"
    log = "printf 'session\titem\tevent\\n1\ta\tlook\\n' | porank mine - --from tsv"
    for line, reason in (
        ("echo 'a > > b' | porank ranks -", "standard input, line 1, column 5: expected an item"),
        (table, "standard input: expected the columns preferred, other or item, rank"),
        (log, "standard input as .tsv, line 2: expected one of"),
        ("printf '' | porank predict -", "expected at least one order, found none in '-'"),
    ):
        code, _, err = end(line)
        assert (code, err.startswith(f"porank: {reason}")) == (2, True), err
    monkeypatch.setattr(sys, "stdin", None)
    for read in ("ranks", "mine", "predict"):
        expected = "porank: expected something on standard input, found it closed\n"
        assert end(f"porank {read} -") == (2, "", expected)


def test_lists_in_cells_of_parquet(end: End) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    evaluate = "evaluate --target target.csv --predicted x.parquet"
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"preferred": [["a"]], "other": ["b"]}, "describe x.parquet", "hashable item, found (arr"),
        ({"item": [["a"]], "rank": [1]}, "describe x.parquet", "hashable item, found array"),
        ({"item": ["a"], "rank": [[1]]}, "describe x.parquet", "as rank, found '[1]'"),
        ({"user": [1], "item": [["a"]], "score": [1]}, evaluate, "hashable item, found array("),
        ({"user": [1], "item": ["a"], "score": [[1]]}, evaluate, "found array([1]) for 'a' of gr"),
        ({"session": [1], "item": [["a"]], "event": ["click"]}, "mine x.parquet", "hashable item"),
    ]
    for columns, command, message in cases:
        parquet.write_table(pa.table(columns), "x.parquet")
        code, _, err = end(f"porank {command}")
        assert (code, message in err) == (2, True), err


WINS: dict[str, list[Any]] = {"tea": ["", 2, 1], "milk": [7, "-", 4], "cocoa": [3, 5, "NaN"]}


@pytest.mark.parametrize("name", ["wins.csv", "wins.tsv", "wins.parquet"])
def test_a_matrix_of_wins_with_an_empty_diagonal_is_read(name: str, run: Run) -> None:
    pandas = pytest.importorskip("pandas")
    cells = {
        other: [cell if isinstance(cell, int) else None for cell in WINS[other]] for other in WINS
    }
    frame = pandas.DataFrame(cells, index=[*WINS])
    if name == "wins.parquet":
        frame.iloc[[1, 0, 2]].to_parquet(name)
    else:
        rows = [["", *WINS], *([u, *(WINS[v][i] for v in WINS)] for i, u in enumerate(WINS))]
        sign = "," if name == "wins.csv" else "\t"
        Path(name).write_text("\n".join(sign.join(map(str, row)) for row in rows))
    run(f"porank convert {name} pairs.json")
    expected = po.from_matrix(frame).edges(data="weight")
    assert sorted(po.read_json("pairs.json").edges(data="weight")) == sorted(expected)
    said = strict(run(f"porank predict {name} --counts --alpha minimal --format json"))
    assert (said["order"], said["threshold"]) == ("tea > milk > cocoa", "6/11")
    said = strict(run(f"porank systems {name} --format json"))
    assert said["notes"] == po.compare_battles({(u, v): int(n) for u, v, n in expected}).notes()
    assert len(said["systems"]) == 3


def test_a_matrix_of_degrees_and_what_is_none(run: Run, end: End) -> None:
    Path("degrees.csv").write_text(",a,b\na,,.7\nb,.3,\n")
    assert strict(run("porank predict degrees.csv --format json"))["threshold"] == "7/10"
    for cells, said in (
        ("a,,\nb,1,", "a finite number >= 0 at ['a']['b'], found ''"),
        ("a,x,2\nb,1,", "a finite number >= 0 at ['a']['a'], found 'x'"),
        ("a,,2\nc,1,", "the columns preferred, other or item, rank, found '', 'a', 'b'"),
        ("a,,2\nb,1", "the columns preferred, other or item, rank, found '', 'a', 'b'"),
    ):
        Path("wrong.csv").write_text(f",a,b\n{cells}\n")
        code, _, err = end("porank describe wrong.csv")
        assert (code, said in err) == (2, True), err
