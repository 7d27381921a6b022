"""What the commands about many orders answer: compare, predict, aggregate, evaluate."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import porank as po
from tests.cli_runs import End, Run, rows_of, strict

LEVELS = '{"levels": [["a"], ["b", "c", "d"]]}'


def test_compare_as_json_has_the_form_that_is_promised(run: Run) -> None:
    said = strict(run("porank compare chain.txt other.txt --format json"))
    target, predicted = po.parse("a > b > c > d"), po.parse("b > a > d; c")
    found = po.compare(target, predicted)
    assert set(said) == {"pairs", "measures"}
    assert said["pairs"] == found.pairs.to_dict()
    assert list(said["measures"]) == list(found)
    for result in found.results:
        assert said["measures"][result.name] == {
            "value": result.value,
            "reason": result.reason or None,
        }
    assert said["measures"]["auc"]["value"] is None
    graded = strict(run("porank compare two.qrels two.run --query q1 --format json"))
    assert graded["measures"]["ndcg_loss"]["value"] is not None


def test_compare_where_nothing_is_defined_has_no_nan(run: Run) -> None:
    said = strict(run("porank compare empty.txt empty.txt --format json"))
    assert said["measures"]["gamma"] == {
        "value": None,
        "reason": "0/0: there is no pair that both orders decide",
    }


def test_compare_takes_measures_as_evaluate_does(run: Run) -> None:
    said = strict(
        run("porank compare chain.txt other.txt --measures ndcg@1,c_index:ties=1 --format json")
    )
    assert said["measures"]["ndcg@1"]["value"] is not None
    assert list(said["measures"]) == ["ndcg@1", "c_index:ties=1"]


def test_compare_in_the_other_formats(run: Run) -> None:
    found = po.compare(po.parse("a > b > c > d"), po.parse("b > a > d; c"))
    lines = run("porank compare chain.txt other.txt").splitlines()
    assert lines[:5] == str(found.pairs).splitlines()
    assert max(map(len, lines)) <= 100
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
        (f"echo '{LEVELS}' | porank compare chain.txt - --predicted-from json", 3),
        ("porank compare levels.json pairs.csv --align target", 2),
        ("porank compare two.run two.qrels --query q1", 1),
        ("porank compare two.run two.qrels --query q2", 0),
        ("echo a,b | porank compare - chain.txt --from pairs --align target", 1),
        ("porank compare chain.txt unknown.dat --predicted-from notation --align target", 1),
    ],
)
def test_compare_reads_two_orders_of_any_form(run: Run, line: str, concordant: int) -> None:
    assert strict(run(f"{line} --format json"))["pairs"]["concordant"] == concordant


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


def test_the_least_degree_kept_is_that_of_the_pairs(run: Run) -> None:
    Path("five.txt").write_text("a > b > c > d\n" * 3 + "d > a > b > c\nb > c > d > a\n")
    for alpha in ("3/5", "minimal", "1"):
        said = strict(run(f"porank predict five.txt --alpha {alpha} --format json"))
        degrees = [Fraction(pair["degree"]) for pair in said["pairs"] if not pair["added"]]
        least = None if not degrees else str(min(degrees))
        assert said["least degree kept"] == least
    Path("torn.txt").write_text("a > b\nb > a\n")
    said = strict(run("porank predict torn.txt --format json"))
    assert (said["order"], said["least degree kept"]) == ("a; b", None)


@pytest.mark.parametrize("columns", [50, 100])
def test_long_cells_are_folded_to_the_width_of_the_terminal(
    columns: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"item {number}" for number in range(40)]
    Path("long.txt").write_text(" > ".join(names))
    if columns < 100:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    lines = run("porank aggregate long.txt").splitlines()
    assert columns - 12 < max(map(len, lines)) <= columns
    assert " ".join("\n".join(lines[2:]).split()).startswith(f"order {' > '.join(names)} method")


def test_kemeny_is_looked_for_so_long_and_the_gap_is_said(
    end: End, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    kemeny = po.kemeny

    def patient(*args: Any, seconds: float, **options: Any) -> Any:
        given.append(seconds)
        return kemeny(*args, seconds=seconds, **options)

    monkeypatch.setattr("porank.kemeny", patient)
    monkeypatch.setattr("porank.aggregation.kemeny.EXACT_ITEMS", 1)
    code, out, err = end("porank aggregate around.txt --method kemeny --seconds 0 --format json")
    said = f"the order costs at most {strict(out)['gap']} more than the least; --seconds gives it"
    assert (code, err) == (0, f"porank: the search was stopped: {said} longer\n")
    assert strict(run("porank aggregate around.txt --method kemeny --format json"))["gap"] == 0
    assert strict(out)["only optimum"] == "unknown"
    assert given == [0, 60]


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


def test_all_optima_and_whether_there_is_one(run: Run, end: End) -> None:
    votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    for options, family in {
        "kemeny": "total",
        "consensus": "partial",
        "consensus --family weak": "weak",
    }.items():
        said = strict(run(f"porank aggregate around.txt --method {options} --optima --format json"))
        optima = list(map(po.format_order, po.consensus_order(votes, family=family).optima()))
        assert (said["optima"], said["order"] in optima) == (optima, True)
    line = "porank aggregate around.txt --method"
    said = strict(run(f"{line} consensus --abstention-cost 1/5 --optima --format json"))
    assert (said["order"], said["optima"], said["cost"]) == ("a; b; c", ["a; b; c"], 1.8)
    assert strict(run(f"{line} kemeny --format json"))["only optimum"] == "no"
    assert (
        strict(run("porank aggregate votes.txt --method kemeny --format json"))["only optimum"]
        == "yes"
    )
    assert "optimum 3         b > c > a\n" in run(f"{line} kemeny --optima")
    code, out, err = end(f"{line} borda --optima")
    assert (code, out, "kemeny and consensus_order look for them" in err) == (2, "", True)


CYCLE = ["a", "b", "c", "a"]
#: Majorities of 5 to 2, 5 to 2, 4 to 3 among those who list both, and of one voter.
BALLOTS = ["a > b > c"] * 3 + ["b > c > a"] * 2 + ["c > a > b"] * 2 + ["d > a"]


@pytest.mark.parametrize("form", ["txt", "toi"])
def test_majority_cycles_are_told(form: str, end: End) -> None:
    profile = po.Profile(
        [po.from_ranking(b.split(" > ")) for b in sorted(set(BALLOTS))], [3, 2, 2, 1]
    )
    if form == "txt":
        Path("cycle.txt").write_text("\n".join(BALLOTS))
    else:
        po.write_preflib(profile, "cycle.toi")
    found = {"found": "majority cycle", "items": 3, "witness": CYCLE}
    code, out, err = end(f"porank aggregate cycle.{form} --format json")
    said = strict(out)
    assert (code, said["majority cycles"]) == (0, 1)
    assert said["cycles"] == [CYCLE]
    assert "; --unranked last puts these below" in err
    _, out, _ = end(f"porank aggregate cycle.{form}")
    assert "majority cycle 1  'a' > 'b' > 'c' > 'a'\n" in out
    # Who is not listed is last: c > a loses the vote of d > a, and there is a draw.
    code, out, _ = end(f"porank aggregate cycle.{form} --unranked last --format json")
    assert (code, strict(out)["majority cycles"], strict(out)["cycles"]) == (0, 0, [])
    if form == "toi":
        code, out, _ = end("porank check cycle.toi --format json")
        assert (code, strict(out)) == (1, [found])
        code, out, _ = end("porank check cycle.toi --unranked last")
        assert (code, out) == (0, "nothing found: 8 ballots, and no cycle\n")


@pytest.mark.parametrize(
    "table",
    [
        "preferred,other,support\na,b,5\nb,a,2\nb,c,5\nc,b,2\nc,a,4\na,c,3\n",
        "preferred,other,weight\na,b,5\nb,a,2\nb,c,5\nc,b,2\nc,a,4\na,c,3\n",
        ",a,b,c\na,-,5,3\nb,2,-,5\nc,4,2,-\n",
    ],
)
def test_check_tells_cycles_of_majorities_from_those_of_pairs(table: str, end: End) -> None:
    Path("counted.csv").write_text(table)
    code, out, err = end("porank check counted.csv --format json")
    pairs, majorities = strict(out)
    assert (code, err, pairs["found"], len(pairs["witness"])) == (1, "", "cycle", 3)
    assert (majorities["found"], majorities["witness"]) == ("majority cycle", CYCLE)
    assert end("porank check counted.csv")[1].endswith(
        "\n\nporank convert --break-cycles drops as few pairs as makes it an order\n"
    )
    # A pair that is contradicted is no majority cycle.
    Path("counted.csv").write_text("preferred,other,support\na,b,5\nb,a,2\n")
    assert [each["found"] for each in strict(end("porank check counted.csv --format json")[1])] == [
        "cycle"
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


def test_amounts_are_numbers_and_thresholds_texts(run: Run) -> None:
    said = strict(run("porank aggregate ballots.toi --unranked last --format json"))
    assert (said["cost"], said["gap"]) == (6.5, 1.5)
    points = strict(run("porank predict votes.txt --curve --format json"))
    assert [(point["alpha"], point["acyclic"]) for point in points] == [
        ("1/4", False), ("1/2", True), ("3/4", True), ("1", True),
    ]  # fmt: skip
    assert "yes" in run("porank predict votes.txt --curve")


@pytest.mark.parametrize("command", ["predict", "aggregate"])
def test_items_keep_their_names_whatever_these_are(command: str, end: End) -> None:
    item = "only in member 2: 'b'"
    line = f'printf "\\"{item}\\" > a\\na > \\"{item}\\"\\n\\nb > a\\n" | porank {command} -'
    code, out, err = end(f"{line} --format json")
    assert (code, set(po.parse(strict(out)["order"]))) == (0, {item, "a", "b"})
    assert err == (
        "porank: 3 of 3 orders list only some of the 3 items, and say nothing of the others; "
        "--unranked last puts these below\n"
    )
    expected = "porank: expected at least one order, found none in '-'\n"
    assert end(f"printf '' | porank {command} -") == (2, "", expected)


def test_evaluate(run: Run) -> None:
    line = "porank evaluate --target target.csv --predicted predicted.csv"
    found = po.evaluate("target.csv", "predicted.csv")
    assert run(line) == "\n".join([f"{found.summary()}\n", *found.notes(), ""])
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


def test_lists_of_the_top_k_and_measures_with_options(run: Run) -> None:
    line = "porank evaluate --target two.qrels --predicted two.run --format json --measures "
    said = strict(run(f"{line}ndcg@10,nDCG@1:gain=level:base=3,AP,err@2:relevance=grade"))
    qrels, scores = po.read_trec_qrels("two.qrels"), po.read_trec_run("two.run")
    measures = {
        "ndcg@10": ("ndcg", {"k": 10}),
        "nDCG@1:gain=level:base=3": ("ndcg", {"k": 1, "gain": "level"}),
        "AP": ("average_precision", {}),
        "err@2:relevance=grade": ("expected_reciprocal_rank", {"k": 2, "relevance": "grade"}),
    }
    found = po.evaluate(qrels, scores, by="query", measures=measures).summary()
    assert list(said["measures"]) == list(measures)
    assert (
        said["measures"]["ndcg@10"]["mean"]
        == dict(zip(found.columns, found.rows[0], strict=True))["mean"]
    )
    line = "porank evaluate --target target.csv --measures ndcg --unlisted last --predicted"
    expected = run(f"{line} predicted.csv target.csv -o differences.csv")
    assert "predicted.csv" in Path("differences.csv").read_text()
    text = Path("target.csv").read_text().replace("\n", "\\n")
    piped = f"printf '{text}' | {line.replace('target.csv', '-')} predicted.csv target.csv"
    assert run(piped) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--measures ndcg@0", "expected a whole number of at least 1 as k, found 0"),
        (
            "--measures ndcg:gain",
            "expected a measure such as ndcg@10:gain=level, found 'ndcg:gain'",
        ),
        ("--items both --unlisted last", "expected items or unlisted and unjudged"),
        ("--predicted predicted.csv", "expected different files after --predicted"),
        ("--predicted target.csv -o x.parquet", "-o writes a comparison as CSV"),
    ],
)
def test_bad_options_of_evaluate(end: End, options: str, message: str) -> None:
    line = f"porank evaluate --target target.csv --predicted predicted.csv {options}"
    code, _, told = end(line)
    assert code == 2
    assert re.search(message, told)


def test_compressed_tables_are_evaluated(run: Run) -> None:
    for form in ("csv", "tsv", "parquet"):
        run(f"porank mine log.csv --by session -o by.{form}.gz")
        line = f"porank evaluate --target by.{form}.gz --predicted by.{form}.gz --by session"
        said = strict(run(f"{line} --format json"))
        assert (form, said["groups"], said["measures"]["gamma"]["mean"]) == (form, 3, 1.0)


def as_tsv(name: str) -> str:
    """Return a small table with tabs between its cells."""
    return Path(name).read_text("utf-8").replace(",", "\t")


@pytest.mark.parametrize("name", ["target.dat", "target.csv.dat", "target.csv", "target.tsv"])
def test_evaluate_takes_the_form_that_it_is_told(run: Run, name: str) -> None:
    expected = run("porank evaluate --target target.csv --predicted predicted.csv")
    target, predicted = as_tsv("target.csv"), as_tsv("predicted.csv")
    Path("predicted.dat").write_text(predicted, "utf-8")
    Path(name).write_text(target, "utf-8")
    line = f"porank evaluate --target {name} --predicted predicted.dat --from tsv"
    assert run(line) == expected
    for text, sides in (
        (target, "- --predicted predicted.dat"),
        (predicted, f"{name} --predicted -"),
    ):
        piped = text.replace("\n", "\\n")
        assert run(f"printf '{piped}' | porank evaluate --target {sides} --from tsv") == expected


def test_evaluate_takes_tables_in_commas_under_any_name(run: Run) -> None:
    expected = run("porank evaluate --target target.csv --predicted predicted.csv")
    Path("target.tsv").write_bytes(Path("target.csv").read_bytes())
    line = "porank evaluate --target target.tsv --predicted predicted.csv --from csv"
    assert run(line) == expected


@pytest.mark.parametrize(
    ("text", "options", "evidence"),
    [
        ("winner,loser\n" + "a,b\n" * 6 + "b,a\n", "--counts", (6, 1)),
        ("preferred,other,weight\na,b,6\nb,a,1\n", "--counts", (6, 1)),
        ("preferred,other,support\na,b,6\nb,a,1\n", "", (6, 1)),
        ("preferred,other\na,b\nb,c\nc,a\na,b\n", "--counts", (2, 0)),
        ("preferred,other,weight\na,b,0.7\nb,c,0.6\n", "", None),
        ("preferred,other,weight\na,b,0.7\nb,a,0.2\n", "", None),
        ("preferred,other\na,b\nb,c\n", "", (1, 0)),
    ],
)
def test_what_the_lines_of_pairs_are_taken_for(
    text: str, options: str, evidence: tuple[int, int] | None, end: End
) -> None:
    Path("taken.csv").write_text(text)
    code, out, err = end(f"porank predict taken.csv --format json --alpha 0.7 {options}")
    assert (code, err) == (0, "")
    (pair,) = (pair for pair in strict(out)["pairs"] if pair["preferred"] + pair["other"] == "ab")
    assert (pair.get("support"), pair.get("against")) == (evidence or (None, None))


GROUPED = "Query,preferred,other,support,day\nq1,a,b,6,1\nq1,b,a,2,1\nq2,b,a,5,1\nq2,b,c,4,2\n"


def test_predict_by_group(run: Run) -> None:
    Path("by.csv").write_text(GROUPED)
    rows = rows_of(
        run("porank predict by.csv --by query --alpha minimal -o orders.csv --format csv")
    )
    assert [(row["query"], row["threshold"], row["pairs decided"]) for row in rows] == [
        ("q1", "7/10", "1"),
        ("q2", "5/6", "2"),
    ]
    one, other = strict(run("porank predict by.csv --by query --alpha minimal --format json"))
    assert one["pairs"] == [
        {"preferred": "a", "other": "b", "degree": "7/10"}
        | {"support": 6, "against": 2, "added": False}
    ]
    assert other["items"] == ["b", "a", "c"]
    lines = ["query,preferred,other", "q1,a,b", "q2,b,a", "q2,b,c"]
    assert Path("orders.csv").read_text().splitlines() == lines
    judged = "porank evaluate --target orders.csv --predicted orders.csv --by query --format json"
    assert strict(run(judged))["groups"] == 2
    assert len(rows_of(run("porank predict by.csv --by day --format csv"))) == 2


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet"])
def test_evaluate_judges_what_predict_wrote_by_group_and_what_it_left_open(
    form: str, run: Run
) -> None:
    lines = ["q1,a,b,6", "q1,b,a,2", "q1,b,c,1", "q1,c,b,1", "q2,b,a,5", "q3,a,b,2", "q3,b,a,2"]
    Path("by.csv").write_text("\n".join(["query,preferred,other,support", *lines]))
    Path("truth.csv").write_text("query,preferred,other\nq1,a,b\nq1,b,c\nq2,a,b\nq3,a,b\n")
    run(f"porank predict by.csv --by query --alpha minimal -o orders.{form}")
    said = strict(
        run(f"porank evaluate --target truth.csv --predicted orders.{form} --by query "
            "--measures completeness,correctness --format json")
    )  # fmt: skip
    orders = {"q1": po.parse("a > b; c"), "q2": po.parse("b > a"), "q3": po.parse("a; b")}
    truth = {"q1": po.parse("a > b > c"), "q2": po.parse("a > b"), "q3": po.parse("a > b")}
    for name in ("completeness", "correctness"):
        values = [getattr(po, name)(truth[query], orders[query]) for query in orders]
        defined = [value for value in values if value == value]
        assert said["measures"][name]["mean"] == pytest.approx(sum(defined) / len(defined))
        assert said["groups"] == 3


def test_one_group_or_all_of_them(run: Run) -> None:
    Path("by.csv").write_text(GROUPED)
    assert (
        strict(run("porank predict by.csv --group q2 --format json"))["leaning"] == "b > a; b > c"
    )
    merged = strict(run("porank predict by.csv --by none --alpha minimal --format json"))
    assert merged["pairs"][0] | {"added": 0} == {"preferred": "b", "other": "a"} | {
        "degree": "8/15",
        "support": 7,
        "against": 6,
        "added": 0,
    }
    assert "3" in run("porank describe by.csv --group q2")
    run("porank convert by.csv by.parquet --by none")
    assert len(rows_of(run("porank predict by.parquet --alpha minimal --pairs --format csv"))) == 2


def test_groups_of_parquet(run: Run) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {"prompt": [1, 1, 2], "chosen": ["a", "b", "b"], "rejected": ["b", "a", "a"]}
    parquet.write_table(arrow.table(columns | {"support": [6, 2, 5]}), "by.parquet")
    rows = rows_of(run("porank predict by.parquet --by prompt --alpha minimal --format csv"))
    assert [row["threshold"] for row in rows] == ["7/10", "6/7"]


def test_groups_are_settled_together(run: Run) -> None:
    lines = [f"q{k},a,b,{5 + k}" for k in range(6)]
    Path("by.csv").write_text("\n".join(["query,preferred,other,support", *lines]))
    found = strict(run("porank predict by.csv --by query --format json"))
    counts = {((k, "a"), (k, "b")): 5 + k for k in range(6)}
    order = po.settled_order(counts)
    assert 0 < order.number_of_edges() < 6
    expected = [order.has_edge((k, "a"), (k, "b")) for k in range(6)]
    assert [each["pairs decided"] for each in found] == [int(each) for each in expected]
    one = strict(run("porank predict by.csv --by none --format json"))
    assert (one["order"], one["pairs"][0]["for"]) == ("a > b", sum(range(5, 11)))


def test_dropped_pairs_are_told(run: Run) -> None:
    lines = ["a,b,9", "b,c,8", "c,a,7", "c,d,5"]
    Path("torn.csv").write_text("\n".join(["preferred,other,support", *lines]))
    said = strict(run("porank predict torn.csv --impossible drop --format json"))
    assert said["dropped"] == [
        {"preferred": "c", "other": "a", "degree": "8/9", "support": 7, "against": 0}
        | {"cycle": ["c", "a", "b", "c"]}
    ]
    assert (said["order"], said["pairs dropped"]) == ("a > b > c > d", 1)
    assert "c > a > b > c" in run("porank predict torn.csv --impossible drop")
    rows = rows_of(run("porank predict torn.csv --impossible drop --curve --format csv"))
    assert [row["dropped"] for row in rows if row["dropped"]] == ["1", "1", "0", "0"]
    rows = rows_of(run("porank predict torn.csv --impossible drop --pairs --format csv"))
    assert {(row["preferred"], row["support"]) for row in rows} >= {("a", "9"), ("b", "8")}


def test_degrees_and_few_sessions(run: Run) -> None:
    Path("few.csv").write_text("preferred,other,support\na,b,40\nb,a,10\nb,c,1\n")
    for options, order in (
        ("--min-sessions 2", "a > b; c"),
        ("--prior 0.5", "a > b > c"),
    ):
        said = strict(run(f"porank predict few.csv --alpha minimal {options} --format json"))
        assert said["order"] == order, options
