"""What commands read, what is converted and lost on the way, and how files are written."""

import gzip
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import porank as po
from tests.support import preflib_texts
from tests.support.cli_runs import End, Run, rows_of, run_line, strict

pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")


def test_convert_to_standard_output(run: Run) -> None:
    for line, text in (
        ("echo 'a > b; a > c' | porank convert - - --to csv", "preferred,other\na,b\na,c\n"),
        ("porank convert levels.graphml - --to ranks", "item,rank\na,1\nb,2\nc,2\n"),
        ("porank convert pairs.csv - --to csv", Path("pairs.csv").read_text("utf-8")),
        ("porank convert levels.graphml - --to trec-qrels", "1 0 a 2\n1 0 b 1\n1 0 c 1\n"),
    ):
        assert run(line) == text
    assert run("porank convert chain.txt - --to dot").startswith("digraph order {")
    closed = run("porank convert chain.txt - --close --to csv")
    assert len(rows_of(closed)) == 6
    assert run(f"printf '{closed}' | porank convert - - --from csv --reduce") == "a > b > c > d\n"


def test_the_first_pairs_that_were_dropped_are_named(end: End) -> None:
    Path("cycles.txt").write_text("".join(f"{u} > {u}2 > {u}\n" for u in "abcdef"))
    code, out, err = end("porank convert cycles.txt - --break-cycles")
    assert code == 0
    assert err.startswith("porank: 6 pairs dropped: ")
    assert (err.count(" > "), err.endswith(", ...\n")) == (5, True)
    assert len(po.parse(out).edges) == 6


def test_the_pair_with_the_least_support_goes(run: Run, end: End) -> None:
    """A pair that is stated twice weighs two."""
    for strong, weak in (("ab", "ba"), ("ba", "ab")):
        pairs = (strong, weak, strong, "bc")
        Path("twice.csv").write_text("\n".join(["winner,loser", *map(",".join, pairs)]))
        code, out, err = end("porank convert twice.csv - --counts --break-cycles --to csv")
        message = f"porank: 1 pair dropped: '{weak[0]}' > '{weak[1]}' (support 1)\n"
        assert (code, err) == (0, message)
        assert {(*row.values(),) for row in rows_of(out)} == {(*strong, "2"), ("b", "c", "1")}
    assert "support" not in run("porank convert twice.csv - --to csv")
    Path("once.csv").write_text("winner,loser\na,b\nb,a\n")
    once = end("porank convert once.csv - --break-cycles --to csv")
    assert once == (0, "preferred,other\na,b\n", "porank: 1 pair dropped: 'b' > 'a'\n")


def test_convert_keeps_all_orders_where_the_format_holds_them(run: Run) -> None:
    run("porank convert ballots.toi last.toc --unranked last")
    last = (po.read_preflib("last.toc"), po.read_preflib("ballots.toi", unranked="last"))
    assert preflib_texts.content_of(last[0]) == preflib_texts.content_of(last[1])
    run("porank convert two.run again.run")
    assert po.read_trec_run("again.run") == po.read_trec_run("two.run")
    run("porank convert two.run two.soc")
    assert po.read_preflib("two.soc").counts == (2,)
    run("porank convert two.run one.graphml --query q1")
    assert list(po.read_graphml("one.graphml").edges) == [("d1", "d2")]
    run("porank convert graph.graphml same.graphml")
    assert nx.utils.graphs_equal(po.read_graphml("same.graphml"), po.read_graphml("graph.graphml"))


DROPPED = "1 pair dropped: 'b' > 'a'"


def test_what_is_lost_is_said(end: End) -> None:
    for line, said in (
        ("levels.graphml - --to csv", "csv loses ties, such as 'b' ~ 'c'; notation, graphml"),
        ("pairs.csv -", "notation loses the weight of pairs; csv, graphml and dot"),
        ("pairs.csv - --to graphml", ""),
        ("levels.graphml - --to graphml", ""),
        ("votes.tsv.gz - --break-cycles", DROPPED),
        ("evidence.csv - --break-cycles", f"{DROPPED} (support 1)"),
        ("cycle.txt - --break-cycles", "1 pair dropped: 'c' > 'a'"),
    ):
        code, _, err = end(f"porank convert {line}")
        assert (line, code, err.count("\n")) == (line, 0, int(bool(said)))
        assert err.startswith(f"porank: {said}" if said else ""), line


def test_labels_of_parquet_keep_their_types(run: Run) -> None:
    table = {"preferred": [1, 2, 4], "other": [2, 3, None]}
    parquet.write_table(pa.table(table), "made.parquet")
    rows = strict(run("porank ranks made.parquet --format json"))
    assert [(*row.values(),) for row in rows] == [(1, 1), (4, 1), (2, 2), (3, 3)]


def test_every_command_compresses_what_ends_in_gz(run: Run) -> None:
    for line, name in (
        ("hasse chain.txt", "chain.tex"),
        ("page chain.txt", "chain.html"),
        ("mine log.csv", "mined.csv"),
        ("mine log.csv --by session", "by.tsv"),
        ("predict votes.txt", "new.graphml"),
        ("aggregate votes.txt", "order.txt"),
        ("evaluate --target target.csv --predicted predicted.csv", "values.csv"),
    ):
        for path in (name, f"{name}.gz"):
            run(f"porank {line} -o {path}")
        assert gzip.decompress(Path(f"{name}.gz").read_bytes()) == Path(name).read_bytes()


def test_what_is_no_plain_file_takes_what_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_line(f"echo 'a > b' | porank convert - {os.devnull} --to csv", monkeypatch) == 0
    assert Path(os.devnull).exists()


def test_headers_of_other_names_say_which_column_is_which(run: Run) -> None:
    parquet.write_table(pa.table({"drink": ["a", "b"], "rank": [2, 1]}), "placed.parquet")
    assert run("porank convert better.csv -") == "a > b > c\n"
    for form in ("csv", "parquet"):
        assert run(f"porank convert placed.{form} -") == "b > a\n"
    assert strict(run("porank predict won.csv --alpha minimal --format json"))["threshold"] == "2/3"
    assert run("porank convert numbers.csv - --from pairs") == "1 > 2; 3 > 4\n"


def test_ranks_are_read_as_scores_however_many_pairs_follow(run: Run) -> None:
    # As a graph it would have 12,250,000 edges.
    rows = [f"i{number},{number % 2}" for number in range(7_000)]
    Path("wide.csv").write_text("\n".join(["item,rank", *rows]))
    said = strict(run("porank compare wide.csv wide.csv --measures ndcg_loss --format json"))
    assert (said["pairs"]["concordant"], said["pairs"]["both_tied"]) == (12_250_000, 12_246_500)
    # Of ranks the numbers are no grades.
    assert said["measures"]["ndcg_loss"]["value"] is None
    assert strict(run("porank describe wide.csv --format json"))["height"] == 2
    assert rows_of(run("porank ranks wide.csv --format csv"))[-1] == {"item": "i6999", "rank": "2"}


def test_ranks_say_what_the_same_graph_says(run: Run) -> None:
    po.write_graphml(po.read_ranks("ranks.csv"), "same.graphml")
    for command in ("describe", "ranks", "check", "aggregate", "predict"):
        assert run(f"porank {command} ranks.csv") == run(f"porank {command} same.graphml")
    for form in ("notation", "ranks", "dot", "preflib", "trec-qrels"):
        line = f"porank convert {{}} - --to {form}"
        assert run(line.format("ranks.csv")) == run(line.format("same.graphml"))


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
        expected = "porank: expected data on standard input, found it closed\n"
        assert end(f"porank {read} -") == (2, "", expected)


WINS: dict[str, list[Any]] = {"tea": ["", 2, 1], "milk": [7, "-", 4], "cocoa": [3, 5, "NaN"]}


@pytest.mark.parametrize("name", ["wins.tsv", "wins.parquet"])
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
        Path(name).write_text("\n".join("\t".join(map(str, row)) for row in rows))
    run(f"porank convert {name} pairs.graphml")
    expected = po.from_matrix(frame).edges(data="weight")
    assert sorted(po.read_graphml("pairs.graphml").edges(data="weight")) == sorted(expected)
    said = strict(run(f"porank predict {name} --counts --alpha minimal --format json"))
    assert (said["order"], said["threshold"]) == ("tea > milk > cocoa", "6/11")
    said = strict(run(f"porank systems {name} --format json"))
    assert said["notes"] == po.fit_strengths({(u, v): int(n) for u, v, n in expected}).notes()


def test_a_matrix_of_degrees_and_what_is_none(run: Run, end: End) -> None:
    Path("degrees.csv").write_text(",a,b\na,,.7\nb,.3,\n")
    assert strict(run("porank predict degrees.csv --format json"))["threshold"] == "7/10"
    for cells, said in (
        ("a,,\nb,1,", "a finite number >= 0 at ['a']['b'], found ''"),
        ("a,,2\nc,1,", "the columns preferred, other or item, rank, found '', 'a', 'b'"),
    ):
        Path("wrong.csv").write_text(f",a,b\n{cells}\n")
        code, _, err = end("porank describe wrong.csv")
        assert (code, said in err) == (2, True), err
