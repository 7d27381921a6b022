"""What is converted, what is lost on the way, and what is dropped."""

from __future__ import annotations

import gzip
from pathlib import Path

import networkx as nx
import pytest

import porank as po
from tests.cli_runs import End, Run, fits, rows_of, strict


@pytest.mark.parametrize(
    "name",
    ["t.txt", "t.csv", "t.tsv", "t.json", "t.graphml", "t.parquet", "t.toc", "t.run", "t.prefs"],
)
def test_what_is_converted_is_read_again_also_compressed(run: Run, name: str) -> None:
    keeps_ties = name in ("t.txt", "t.json", "t.graphml", "t.toc", "t.run")
    source = "levels.json" if keeps_ties else "fork.json"
    for target in (name, f"{name}.gz"):
        assert run(f"porank convert {source} {target}") == ""
        text = run(f"porank convert {target} -")
        assert text == ("a > b ~ c\n" if keeps_ties else "a > b; a > c\n")
    packed = Path(f"{name}.gz").read_bytes()
    assert gzip.decompress(packed) == Path(name).read_bytes()
    run(f"porank convert {source} {name}.gz --force")
    assert Path(f"{name}.gz").read_bytes() == packed


def test_convert_to_standard_output(run: Run) -> None:
    assert run("echo 'a > b; a > c' | porank convert - - --to csv") == (
        "preferred,other\na,b\na,c\n"
    )
    assert run("porank convert levels.json - --to ranks") == "item,rank\na,1\nb,2\nc,2\n"
    assert run("porank convert pairs.csv - --to csv") == Path("pairs.csv").read_text("utf-8")
    assert run("porank convert chain.txt - --to dot").startswith("digraph order {")
    assert run("porank convert levels.json - --to trec-qrels") == "1 0 a 2\n1 0 b 1\n1 0 c 1\n"


def test_convert_changes_the_graph_if_told(run: Run, end: End) -> None:
    closed = run("porank convert chain.txt - --close --to csv")
    assert len(rows_of(closed)) == 6
    assert run(f"printf '{closed}' | porank convert - - --from csv --reduce") == "a > b > c > d\n"
    said = "porank: 1 pair dropped: 'c' > 'a'\n"
    assert end("porank convert cycle.txt - --break-cycles") == (0, "a > b > c > d\n", said)


def test_all_pairs_that_were_dropped_can_be_seen(end: End) -> None:
    Path("cycles.txt").write_text("".join(f"{u} > {u}2 > {u}\n" for u in "abcdef"))
    line = "porank convert cycles.txt {} --break-cycles --dropped dropped.csv"
    code, out, err = end(line.format("-"))
    assert code == 0
    assert err.startswith("porank: 6 pairs dropped: ")
    assert err.endswith(", ...; --dropped FILE writes them all\n")
    dropped = {(row["preferred"], row["other"]) for row in rows_of(Path("dropped.csv").read_text())}
    assert len(dropped) == 6
    assert {*po.parse(out).edges} | dropped == {*po.parse(Path("cycles.txt").read_text()).edges}
    code, _, err = end(line.format("again.txt"))
    assert (code, "expected no file at 'dropped.csv'" in err) == (2, True)
    assert not Path("again.txt").exists()


def test_the_pair_with_the_least_support_goes(end: End) -> None:
    for strong, weak in ("ab", "ba"):
        table = f"preferred,other,support\\n{strong},{weak},3\\n{weak},{strong},1\\n"
        line = f"printf '{table}' | porank convert - - --from csv --break-cycles"
        said = f"porank: 1 pair dropped: '{weak}' > '{strong}' (support 1)\n"
        assert end(line) == (0, f"{strong} > {weak}\n", said)


@pytest.mark.parametrize("strong", ["ab", "ba"])
def test_a_pair_that_is_stated_three_times_weighs_three(strong: str, run: Run, end: End) -> None:
    pairs = pytest.importorskip("pandas").DataFrame(
        [tuple(pair) for pair in (strong, strong[::-1], strong, "bc")],
        columns=["winner", "loser"],
    )
    pairs.to_csv("votes.csv", index=False)
    pairs.to_parquet("votes.parquet")
    Path("votes.txt").write_text("".join(f"{u} > {v}\n" for u, v in pairs.to_numpy()))
    for form in ("csv", "parquet", "txt"):
        code, out, err = end(f"porank convert votes.{form} - --break-cycles --to csv")
        assert (code, err) == (
            0,
            f"porank: 1 pair dropped: '{strong[1]}' > '{strong[0]}' (support 1)\n",
        )
        assert {(*row.values(),) for row in rows_of(out)} == {(*strong, "2"), ("b", "c", "1")}
        assert "support" not in run(f"porank convert votes.{form} - --to csv")
    # Pairs that stand there once are not counted.
    Path("votes.csv").write_text("winner,loser\na,b\nb,a\n")
    once = end("porank convert votes.csv - --break-cycles --to csv")
    assert once == (0, "preferred,other\na,b\n", "porank: 1 pair dropped: 'b' > 'a'\n")


def test_convert_keeps_all_orders_where_the_format_holds_them(run: Run) -> None:
    run("porank convert ballots.toi last.toc --unranked last")
    assert po.read_preflib("last.toc") == po.read_preflib("ballots.toi", unranked="last")
    run("porank convert two.run again.run")
    assert po.read_trec_run("again.run") == po.read_trec_run("two.run")
    run("porank convert two.run one.json --query q1")
    assert list(po.read_json("one.json").edges) == [("d1", "d2")]


def test_the_graph_of_a_command_is_the_graph_of_the_library(run: Run) -> None:
    run("porank convert graph.graphml same.graphml")
    assert nx.utils.graphs_equal(po.read_graphml("same.graphml"), po.read_graphml("graph.graphml"))


DROPPED = "1 pair dropped: 'b' > 'a'"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "convert levels.json - --to csv",
            "csv keeps no ties, such as 'b' ~ 'c'; notation, json, graphml and dot do",
        ),
        ("convert ranks.csv - --to tsv", "tsv keeps no ties, such as 'milk' ~ 'salt'; ..."),
        (
            "convert tied.qrels - --to trec-prefs",
            "trec-prefs keeps no ties, such as ...",
        ),
        ("convert two.qrels - --to trec-prefs", ""),
        ("convert pairs.csv -", "notation keeps no weight; csv, json, graphml and dot do"),
        ("convert evidence.csv x.tex --break-cycles", f"{DROPPED} (support 1)"),
        ("convert pairs.csv - --to json", ""),
        ("convert levels.json - --to json", ""),
        ("convert chain.txt - --to csv", ""),
        ("convert levels.json - --to trec-run", ""),
        ("convert semicolons_votes.csv - --break-cycles", DROPPED),
        ("convert votes.tsv.gz - --break-cycles", DROPPED),
        ("convert evidence.csv - --break-cycles", f"{DROPPED} (support 1)"),
    ],
)
def test_what_is_lost_is_said(
    line: str, said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, end: End
) -> None:
    monkeypatch.chdir(folder)
    code, _, err = end(f"porank {line}")
    assert code == 0
    assert fits(err, f"porank: {said}\n" if said else "")


def test_labels_of_parquet_keep_their_types(run: Run) -> None:
    run("echo '{\"edges\": [[1, 2], [2, 3]], \"items\": [1, 2, 3, 4]}' | "
        "porank convert - numbers.parquet --from json")  # fmt: skip
    assert strict(run("porank ranks numbers.parquet --format json")) == [
        {"item": 1, "rank": 1},
        {"item": 4, "rank": 1},
        {"item": 2, "rank": 2},
        {"item": 3, "rank": 3},
    ]
