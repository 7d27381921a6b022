"""What each command answers, in every format, and the files that it writes."""

from __future__ import annotations

import io
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

import porank as po
from porank.cli import main as cli
from tests.cli_runs import answering, rows_of, run_line, strict, write_files

if TYPE_CHECKING:
    from tests.cli_runs import Run


LEVELS = '{"levels": [["a"], ["b", "c", "d"]]}'


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs a command line among the small files and gives what it printed."""
    return answering(tmp_path, monkeypatch, capsys)


def test_compare_as_json_has_the_form_that_is_promised(run: Run) -> None:
    said = strict(run("porank compare chain.txt other.txt --format json"))
    target, predicted = po.parse("a > b > c > d"), po.parse("b > a > d; c")
    found = po.compare(target, predicted)
    assert set(said) == {"pairs", "measures"}
    assert said["pairs"] == found.pairs.to_dict()
    assert list(said["measures"]) == list(found)
    for result in found.results:
        if result.name == "ndcg_loss":  # its reason is worded anew
            continue
        assert said["measures"][result.name] == {
            "value": result.value,
            "reason": result.reason or None,
        }
    assert said["measures"]["auc"]["value"] is None
    # No option of the command is called relevance.
    assert said["measures"]["ndcg_loss"]["reason"] == (
        "expected the scores of the target, found a graph, which has none; a target in TREC's "
        "formats has grades"
    )
    graded = strict(run("porank compare two.qrels two.run --query q1 --format json"))
    assert graded["measures"]["ndcg_loss"]["value"] is not None


def test_compare_where_nothing_is_defined_has_no_nan(run: Run) -> None:
    said = strict(run("porank compare empty.txt empty.txt --format json"))
    assert said["measures"]["gamma"] == {
        "value": None,
        "reason": "0/0: there is no pair that both orders decide",
    }


def test_compare_in_the_other_formats(run: Run) -> None:
    found = po.compare(po.parse("a > b > c > d"), po.parse("b > a > d; c"))
    assert run("porank compare chain.txt other.txt") == f"{found}\n"
    line = "porank compare chain.txt other.txt --measures gamma,kendall_tau"
    assert [row["value"] for row in rows_of(run(f"{line} --format csv"))] == [
        str(found["gamma"]),
        str(found["kendall_tau"]),
    ]
    pairs, measures = run(f"{line} --format markdown").split("\n\n")
    assert pairs.splitlines()[:3] == [
        "| target | agrees | contradicts | decides alone | tied | incomparable |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| decided | 2 | 1 |  | 0 | 3 |",
    ]
    assert measures == (
        "| measure | value | range | better | remark |\n"
        "| --- | ---: | --- | --- | --- |\n"
        f"| gamma | {found['gamma']:.4g} | [-1, 1] | higher |  |\n"
        f"| kendall_tau | {found['kendall_tau']:.4g} | [-1, 1] | higher |  |\n"
    )


@pytest.mark.parametrize(
    ("line", "concordant"),
    [
        ("porank compare chain.txt abx.txt --align intersection", 3),
        ("porank compare chain.txt abx.txt --align union", 3),
        ("echo 'a > b > c > d' | porank compare chain.txt -", 6),
        (f"echo '{LEVELS}' | porank compare chain.txt - --from json", 3),
        ("porank compare levels.json pairs.csv --align target", 2),
        ("porank compare two.run two.qrels --query q1", 1),
        ("porank compare two.run two.qrels --query q2", 0),
        ("echo a,b | porank compare - chain.txt --from csv --align target", 1),
        ("porank compare chain.txt unknown.dat --predicted-from notation --align target", 1),
    ],
)
def test_compare_reads_two_orders_of_any_form(run: Run, line: str, concordant: int) -> None:
    assert strict(run(f"{line} --format json"))["pairs"]["concordant"] == concordant


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


def test_hasse_draws_cycles_too_and_lets_go_of_figures(run: Run) -> None:
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    run("porank hasse cycle.txt -o cycle.svg")
    assert plt.get_fignums() == before


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
def test_check(
    name: str,
    found: list[Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["check", name, "--format", "json"]) == (1 if found else 0)
    assert strict(capsys.readouterr().out) == found
    assert cli.main(["check", name]) == (1 if found else 0)
    out, err = capsys.readouterr()
    assert ("nothing found" in out) == (not found)
    assert err == ""


def test_mine_prints_pairs(run: Run) -> None:
    assert rows_of(run("porank mine log.csv --format csv")) == [
        {"preferred": "a", "other": "b", "support": "1"},
        {"preferred": "b", "other": "a", "support": "2"},
    ]
    text = Path("log.csv").read_text("utf-8").replace("\n", "\\n")
    piped = f"printf '{text}' | porank mine - --by session --format json"
    assert [row["session"] for row in strict(run(piped))] == ["1", "2", "3"]
    assert "contradictions" in run("porank mine log.csv --report")


def test_mine_writes_what_the_other_commands_read(run: Run) -> None:
    for name in ("mined.csv", "mined.tsv", "mined.json", "mined.graphml", "mined.parquet"):
        assert run(f"porank mine log.csv -o {name}") == ""
        said = strict(run(f"porank predict {name} --format json"))
        assert (name, said["order"], said["threshold"]) == (name, "b > a", "2/3")
    prior = "porank predict mined.csv --prior 1 --format json"
    assert strict(run(prior))["threshold"] == "3/5"


def test_mine_by_groups_is_what_evaluate_reads(run: Run) -> None:
    for name in ("by.csv", "by.parquet"):
        run(f"porank mine log.csv --by session -o {name}")
        line = f"porank evaluate --target {name} --predicted {name} --by session --format json"
        said = strict(run(line))
        assert (said["groups"], said["measures"]["completeness"]["mean"]) == (3, 1.0)
    run("porank mine log.csv --by session -o by.tsv")
    assert Path("by.tsv").read_text("utf-8").startswith("session\tpreferred\tother\tsupport\n1\tb")


def test_mine_leaves_out_bad_rows_only_if_told(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["mine", "bad_log.csv", "--skip-bad-rows", "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert rows_of(out) == [{"preferred": "a", "other": "b", "support": "1"}]
    assert err.startswith("porank: 1 row left out: line 4: ")
    line = "porank mine bad_log.csv --events click,view,look --rule levels --format csv"
    assert len(rows_of(run(line))) == 3


def test_mine_takes_other_names_of_columns(run: Run) -> None:
    table = "one,two,three\\n1,a,view\\n1,b,click\\n"
    line = "porank mine - --columns session=one,item=two,event=three --format csv"
    assert len(rows_of(run(f"printf '{table}' | {line}"))) == 1


def test_predict(run: Run) -> None:
    said = strict(run("porank predict votes.txt --format json"))
    votes = ["abc"] * 3 + ["bac"]
    P = po.preference_relation([po.from_ranking(vote) for vote in votes])
    order = po.predict_order(P)
    assert said["order"] == po.format_order(order)
    assert said["threshold"] == str(order.graph["alpha"])
    assert {(row["preferred"], row["other"]): row["degree"] for row in said["pairs"]} == {
        (u, v): str(degree) for u, v, degree in order.edges(data="degree")
    }
    assert "3/4" in run("porank predict votes.txt --alpha 0.7")
    assert strict(run("porank predict votes.txt --alpha consensus --format json"))["order"] == (
        "a > c; b > c"
    )
    said = strict(run("porank predict votes.txt --abstention-cost 1/5 --format json"))
    assert (said["loss"], said["gap"]) == (0.2, 0)


def test_predict_shows_the_curve(run: Run) -> None:
    rows = rows_of(run("porank predict votes.txt --curve --target levels.json --format csv"))
    P = po.preference_relation([po.from_ranking(vote) for vote in ["abc"] * 3 + ["bac"]])
    curve = po.abstention_curve(P, po.from_levels([["a"], ["b", "c"]]))
    assert [Fraction(row["alpha"]) for row in rows] == [point.alpha for point in curve]
    assert [row["completeness"] for row in rows if row["completeness"]] == [
        str(point.completeness) for point in curve if point.is_acyclic
    ]


def test_predict_takes_files_of_one_order_each_and_writes_the_order(run: Run) -> None:
    run("porank predict levels.json levels.json -o order.csv")
    assert set(po.read_pairs("order.csv").edges) == {("a", "b"), ("a", "c")}
    said = strict(run("porank predict two.run two.qrels --query q1 --format json"))
    assert said["order"] == "d1 > d2"


@pytest.mark.parametrize(
    "method",
    ["borda", "copeland", "kemeny", "footrule", "best-input", "kwiksort", "local-search"],
)
def test_aggregate(run: Run, method: str) -> None:
    said = strict(run(f"porank aggregate votes.txt --method {method} --format json"))
    expected = "a > b > c"
    assert (said["order"], said["method"], said["orders"]) == (expected, method, 4)


def test_aggregate_counts_ballots_and_puts_what_they_lack_last(run: Run) -> None:
    line = "porank aggregate ballots.toi --unranked last --format json"
    profile = po.read_preflib("ballots.toi", unranked="last")
    said = strict(run(line))
    assert (said["order"], said["orders"]) == (po.format_order(po.borda(profile).order), 7)
    said = strict(run("porank aggregate chain.txt abx.txt --unranked last --format json"))
    assert said["order"].startswith("a > b > c")
    run("porank aggregate votes.txt -o winner.json --method kemeny --seconds 5")
    assert set(po.read_json("winner.json").edges) == {("a", "b"), ("b", "c")}


def test_evaluate(run: Run) -> None:
    line = "porank evaluate --target target.csv --predicted predicted.csv"
    found = po.evaluate("target.csv", "predicted.csv")
    assert run(line) == f"{found}\n"
    said = strict(run(f"{line} --measures gamma --format json -o values.csv"))
    assert said["groups"] == 2
    assert said["statuses"] == {"defined": 2}
    assert said["measures"]["gamma"]["mean"] == sum(found["gamma"]) / 2
    assert Path("values.csv").read_text("utf-8") == (
        po.evaluate("target.csv", "predicted.csv", measures=["gamma"]).to_csv()
    )
    said = strict(
        run("porank evaluate --target two.qrels --predicted two.run --measures gamma --format json")
    )
    assert said["measures"]["gamma"]["mean"] == 0.0
    run(f"{line} -o values.parquet")
    assert Path("values.parquet").read_bytes().startswith(b"PAR1")


@pytest.mark.parametrize(
    "name",
    ["t.txt", "t.csv", "t.tsv", "t.json", "t.graphml", "t.parquet", "t.toc", "t.run", "t.prefs"],
)
def test_what_is_converted_is_read_again(run: Run, name: str) -> None:
    keeps_ties = name in ("t.txt", "t.json", "t.graphml", "t.toc", "t.run")
    source = "levels.json" if keeps_ties else "fork.json"
    assert run(f"porank convert {source} {name}") == ""
    text = run(f"porank convert {name} -")
    assert text == ("a > b ~ c\n" if keeps_ties else "a > b; a > c\n")


def test_convert_to_standard_output(run: Run) -> None:
    assert run("echo 'a > b; a > c' | porank convert - - --to csv") == (
        "preferred,other\na,b\na,c\n"
    )
    assert run("porank convert levels.json - --to ranks") == "item,rank\na,1\nb,2\nc,2\n"
    assert run("porank convert pairs.csv - --to csv") == Path("pairs.csv").read_text("utf-8")
    assert run("porank convert chain.txt - --to dot").startswith("digraph order {")
    assert run("porank convert levels.json - --to trec-qrels") == "1 0 a 2\n1 0 b 1\n1 0 c 1\n"


def test_convert_changes_the_graph_if_told(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    closed = run("porank convert chain.txt - --close --to csv")
    assert len(rows_of(closed)) == 6
    assert run(f"printf '{closed}' | porank convert - - --from csv --reduce") == "a > b > c > d\n"
    assert cli.main(["convert", "cycle.txt", "-", "--break-cycles"]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("a > b > c > d\n", "porank: 1 pair dropped: 'c' > 'a'\n")


def test_all_pairs_that_were_dropped_can_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("knots.txt").write_text("".join(f"{u} > {u}2 > {u}\n" for u in "abcdef"))
    line = ["convert", "knots.txt", "-", "--break-cycles", "--dropped", "dropped.csv"]
    assert cli.main(line) == 0
    out, err = capsys.readouterr()
    assert err.startswith("porank: 6 pairs dropped: ")
    assert err.endswith(", ...; --dropped FILE writes them all\n")
    dropped = {(row["preferred"], row["other"]) for row in rows_of(Path("dropped.csv").read_text())}
    assert len(dropped) == 6
    assert {*po.parse(out).edges} | dropped == {*po.parse(Path("knots.txt").read_text()).edges}
    assert cli.main([*line[:2], "again.txt", *line[3:]]) == 2
    assert "expected no file at 'dropped.csv'" in capsys.readouterr().err
    assert not Path("again.txt").exists()


def test_the_pair_with_the_least_support_goes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for strong, weak in ("ab", "ba"):
        table = f"preferred,other,support\\n{strong},{weak},3\\n{weak},{strong},1\\n"
        line = f"printf '{table}' | porank convert - - --from csv --break-cycles"
        assert run_line(line, monkeypatch) == 0
        assert capsys.readouterr() == (
            f"{strong} > {weak}\n",
            f"porank: 1 pair dropped: '{weak}' > '{strong}'\n",
        )


def test_convert_keeps_all_orders_where_the_format_holds_them(run: Run) -> None:
    run("porank convert ballots.toi last.toc --unranked last")
    assert po.read_preflib("last.toc") == po.read_preflib("ballots.toi", unranked="last")
    run("porank convert two.run again.run")
    assert po.read_trec_run("again.run") == po.read_trec_run("two.run")
    run("porank convert two.run one.json --query q1")
    assert list(po.read_json("one.json").edges) == [("d1", "d2")]


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


def test_markdown_shows_names_as_they_are(run: Run) -> None:
    text = run("echo '\"a|b\" > _c_ > d_e' | porank ranks - --format markdown")
    assert text.splitlines()[2:] == ["| a\\|b | 1 |", "| \\_c\\_ | 2 |", "| d_e | 3 |"]


def test_json_is_json_on_a_terminal_without_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("茶 > thé".encode())))
    assert cli.main(["ranks", "-", "--format", "json"]) == 0
    assert [row["item"] for row in json.loads(written.getvalue())] == ["茶", "thé"]


def test_the_graph_of_a_command_is_the_graph_of_the_library(run: Run) -> None:
    run("porank convert graph.graphml same.graphml")
    assert nx.utils.graphs_equal(po.read_graphml("same.graphml"), po.read_graphml("graph.graphml"))
