"""What is converted, what is lost on the way, what is dropped, and how files are written."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import networkx as nx
import pytest

import porank as po
from tests.cli_runs import End, Run, rows_of, run_line, strict


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
    for line, text in (
        ("echo 'a > b; a > c' | porank convert - - --to csv", "preferred,other\na,b\na,c\n"),
        ("porank convert levels.json - --to ranks", "item,rank\na,1\nb,2\nc,2\n"),
        ("porank convert pairs.csv - --to csv", Path("pairs.csv").read_text("utf-8")),
        ("porank convert levels.json - --to trec-qrels", "1 0 a 2\n1 0 b 1\n1 0 c 1\n"),
    ):
        assert run(line) == text
    assert run("porank convert chain.txt - --to dot").startswith("digraph order {")


def test_convert_changes_the_graph_if_told(run: Run) -> None:
    closed = run("porank convert chain.txt - --close --to csv")
    assert len(rows_of(closed)) == 6
    assert run(f"printf '{closed}' | porank convert - - --from csv --reduce") == "a > b > c > d\n"


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


@pytest.mark.parametrize("strong", ["ab", "ba"])
def test_the_pair_with_the_least_support_goes(strong: str, run: Run, end: End) -> None:
    """A pair that is stated twice weighs two."""
    weak = strong[::-1]
    pairs = pytest.importorskip("pandas").DataFrame(
        [tuple(pair) for pair in (strong, weak, strong, "bc")], columns=["winner", "loser"]
    )
    pairs.to_csv("twice.csv", index=False)
    pairs.to_parquet("twice.parquet")
    Path("twice.txt").write_text("".join(f"{u} > {v}\n" for u, v in pairs.to_numpy()))
    rows = [f"{','.join(pair)},{k}\n" for pair, k in ((strong, 2), (weak, 1), ("bc", 1))]
    Path("counted.csv").write_text("".join(["preferred,other,support\n", *rows]))
    for name in ("twice.csv", "twice.parquet", "twice.txt", "counted.csv"):
        code, out, err = end(f"porank convert {name} - --break-cycles --to csv")
        said = f"porank: 1 pair dropped: '{weak[0]}' > '{weak[1]}' (support 1)\n"
        assert (code, err) == (0, said)
        assert {(*row.values(),) for row in rows_of(out)} == {(*strong, "2"), ("b", "c", "1")}
    assert "support" not in run("porank convert twice.csv - --to csv")
    # Pairs that stand there once are not counted.
    Path("once.csv").write_text("winner,loser\na,b\nb,a\n")
    once = end("porank convert once.csv - --break-cycles --to csv")
    assert once == (0, "preferred,other\na,b\n", "porank: 1 pair dropped: 'b' > 'a'\n")


def test_convert_keeps_all_orders_where_the_format_holds_them(run: Run) -> None:
    run("porank convert ballots.toi last.toc --unranked last")
    assert po.read_preflib("last.toc") == po.read_preflib("ballots.toi", unranked="last")
    run("porank convert two.run again.run")
    assert po.read_trec_run("again.run") == po.read_trec_run("two.run")
    run("porank convert two.run two.soc")
    assert po.read_preflib("two.soc").counts == (2,)
    run("porank convert two.run one.json --query q1")
    assert list(po.read_json("one.json").edges) == [("d1", "d2")]
    run("porank convert graph.graphml same.graphml")
    assert nx.utils.graphs_equal(po.read_graphml("same.graphml"), po.read_graphml("graph.graphml"))


DROPPED = "1 pair dropped: 'b' > 'a'"


def test_what_is_lost_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch, end: End) -> None:
    monkeypatch.chdir(folder)
    for line, said in (
        ("levels.json - --to csv", "csv keeps no ties, such as 'b' ~ 'c'; notation, json, graphml"),
        ("ranks.csv - --to tsv", "tsv keeps no ties, such as 'milk' ~ 'salt'; "),
        ("tied.qrels - --to trec-prefs", "trec-prefs keeps no ties, such as "),
        ("two.qrels - --to trec-prefs", ""),
        ("pairs.csv -", "notation keeps no weight; csv, json, graphml and dot do"),
        ("pairs.csv - --to json", ""),
        ("levels.json - --to json", ""),
        ("levels.json - --to trec-run", ""),
        ("semicolons_votes.csv - --break-cycles", DROPPED),
        ("votes.tsv.gz - --break-cycles", DROPPED),
        ("evidence.csv - --break-cycles", f"{DROPPED} (support 1)"),
        ("cycle.txt - --break-cycles", "1 pair dropped: 'c' > 'a'"),
    ):
        code, _, err = end(f"porank convert {line}")
        assert (line, code, err.count("\n")) == (line, 0, int(bool(said)))
        assert err.startswith(f"porank: {said}" if said else ""), line


def test_labels_of_parquet_keep_their_types(run: Run) -> None:
    Path("n.json").write_text('{"edges": [[1, 2], [2, 3]], "items": [1, 2, 3, 4]}')
    run("porank convert n.json n.parquet")
    rows = [
        (row["item"], row["rank"]) for row in strict(run("porank ranks n.parquet --format json"))
    ]
    assert rows == [(1, 1), (4, 1), (2, 2), (3, 3)]


def test_every_command_compresses_what_ends_in_gz(run: Run) -> None:
    for line, name in (
        ("hasse chain.txt", "chain.tex"),
        ("page chain.txt", "chain.html"),
        ("mine log.csv", "mined.csv"),
        ("mine log.csv --by session", "by.tsv"),
        ("predict votes.txt", "new.json"),
        ("aggregate votes.txt", "order.txt"),
        ("evaluate --target target.csv --predicted predicted.csv", "values.csv"),
    ):
        for path in (name, f"{name}.gz"):
            run(f"porank {line} -o {path}")
        assert gzip.decompress(Path(f"{name}.gz").read_bytes()) == Path(name).read_bytes()


def test_what_is_no_plain_file_takes_what_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_line(f"echo 'a > b' | porank convert - {os.devnull} --to csv", monkeypatch) == 0
    assert Path(os.devnull).exists()


def test_cells_that_a_spreadsheet_would_run_are_made_harmless(run: Run) -> None:
    Path("bad.json").write_text('{"items": ["=1+1", "@a", "-2", "x"], "edges": [["=1+1", "-2"]]}')
    assert run("porank convert bad.json - --to csv").startswith("preferred,other\n=1+1,-2\n")
    expected = "preferred,other\n'=1+1,-2\n'@a,\nx,\n"
    assert run("porank convert bad.json - --to csv --spreadsheet-safe") == expected
    for name, sign in (("safe.csv", ","), ("safe.tsv", "\t")):
        run(f"porank convert bad.json {name} --spreadsheet-safe")
        assert Path(name).read_text() == expected.replace(",", sign)
    assert "'=1+1" in run("porank ranks bad.json --format csv --spreadsheet-safe")
    assert "'=1+1" not in run("porank ranks bad.json --format json --spreadsheet-safe")
