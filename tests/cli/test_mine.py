"""What is mined from a log, in every form, and the report on it."""

import gzip
import re
from importlib import import_module
from pathlib import Path

from porank.clicks.rules import RULES
from tests.support.cli_runs import End, Run, rows_of, strict

pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")


def piped(table: str, options: str = "") -> str:
    """Return the line that mines a table which another command prints."""
    return f"printf '{table}' | porank mine - --format csv {options}"


def test_pairs_are_printed_and_written_for_the_other_commands(run: Run) -> None:
    assert run("porank mine log.csv --format csv") == "preferred,other,support\na,b,1\nb,a,2\n"
    for name in ("mined.csv", "mined.tsv", "mined.graphml"):
        assert run(f"porank mine log.csv -o {name}") == ""
        said = strict(run(f"porank predict {name} --alpha minimal --format json"))
        assert (name, said["order"], said["threshold"]) == (name, "b > a", "3/5")
    prior = "porank predict mined.csv --alpha minimal --prior 0 --format json"
    assert strict(run(prior))["threshold"] == "2/3"


def test_pairs_by_groups_are_the_same_in_every_form(run: Run) -> None:
    for form in ("csv", "tsv"):
        run(f"porank mine log.csv --by session -o by.{form}")
    rows = [tuple(row.values()) for row in rows_of(Path("by.csv").read_text("utf-8"))]
    assert rows == [("1", "b", "a", "1"), ("2", "a", "b", "1"), ("3", "b", "a", "1")]
    head, *table = Path("by.tsv").read_text("utf-8").splitlines()
    assert head == "session\tpreferred\tother\tsupport"
    assert [tuple(line.split("\t")) for line in table] == rows


def test_bad_rows_are_left_out_only_if_told(run: Run, end: End) -> None:
    _, out, err = end("porank mine bad_log.csv --skip-bad-rows --format csv")
    assert out == "preferred,other,support\na,b,1\n"
    assert err.startswith("porank: 1 row skipped: line 4: ")
    for command in ("mine", "explore"):
        status, _, err = end(f"porank {command} bad_log.csv")
        assert status
        assert re.search("line 4: .*--skip-bad-rows of mine and explore skips bad rows", err)
    _, out, _ = end("porank explore bad_log.csv --skip-bad-rows")
    assert re.search(r"problems +1 +bad rows are skipped, bad cells missing: lines 4", out)
    line = "porank mine bad_log.csv --events click,view,look --rule levels --format csv"
    assert len(rows_of(run(line))) == 3


def test_a_log_in_compressed_parquet(run: Run) -> None:
    rows = rows_of(Path("log.csv").read_text("utf-8"))
    parquet.write_table(pa.Table.from_pylist(rows), "log.bin")
    Path("log.parquet.gz").write_bytes(gzip.compress(Path("log.bin").read_bytes()))
    expected = run("porank mine log.csv --format csv")
    for line in ("log.parquet.gz", "log.bin --from parquet"):
        assert run(f"porank mine {line} --format csv") == expected


def test_mine_says_what_was_taken_for_what(end: End) -> None:
    code, out, err = end(piped("shown,clicks\\na b,b\\nb c,\\n"))
    assert (code, out) == (0, "preferred,other,support\nb,a,1\n")
    assert err == (
        "porank: read as impressions: shown = 'shown', clicked = 'clicks'; each row is a session, "
        "named by its line; lists are split at blanks\n"
    )
    code, out, err = end(piped("session,item,event\\n1,a,purchase\\n1,b,click\\n"))
    assert (code, out) == (0, "preferred,other,support\na,b,1\n")
    assert "skipped items are unknown: rules compare only bought with clicked items" in err


def test_mine_says_that_sessions_have_one_event(end: End) -> None:
    *_, err = end(piped("session,item,event\\n1,a,click\\n2,b,click\\n"))
    assert "porank: 2 single events: all sessions have one event, so they compare nothing" in err


def test_mine_reads_the_shapes_of_logs(end: End) -> None:
    columns = "--columns session=one,item=two,event=three"
    rating = '{"user": 1, "item": "%s", "rating": %s}\\n'
    for table, options in (
        ("one,two\\nb|a,a\\n", "--columns shown=one,clicked=two"),
        ("1,U1,b-0 a-1\\n", "--columns marks=2,user=1"),
        ("one,two,three\\n1,b,view\\n1,a,click\\n", columns),
        ("user,item,event,ts\\nu,b,view,0\\nu,a,click,9\\nu,c,view,99\\n", "--gap 9"),
        ("session,item,event,position\\n1,b,view,x\\n1,a,click,x\\n", "--columns position=none"),
        ("prompt,chosen,rejected\\np,a,b\\n", ""),
        (rating % ("a", 2) + rating % ("b", 1), "--from jsonl"),
    ):
        code, out, _ = end(piped(table, options))
        assert code == 0
        assert [(row["preferred"], row["other"]) for row in rows_of(out)] == [("a", "b")]


def test_mined_ties_reach_the_prediction(end: End) -> None:
    Path("duels.csv").write_text("model_a,model_b,winner\na,b,a\nb,a,tie\na,b,a\na,b,both_bad\n")
    assert end("porank mine duels.csv -o duels.graphml")[0] == 0
    line = "porank predict duels.graphml --alpha minimal --format json"
    assert strict(end(line)[1])["threshold"] == "3/5"
    *_, err = end("porank mine duels.csv -o duels.tsv")
    assert err.endswith(
        "a table of pairs does not show 1 tied and 1 both bad; -o FILE.graphml keeps them\n"
    )
    *_, err = end(piped("prompt,chosen,rejected\\np,a,b\\n", "-o chosen.csv"))
    assert "tied" not in err


def test_explore_prints_the_report_and_writes_the_page(run: Run) -> None:
    text = run("porank explore log.csv --test log.csv --title Logged -o report.html")
    assert text.startswith("What the log settles\n")
    assert "of 3 later sessions" in " ".join(text.split())
    assert "<title>Logged</title>" in Path("report.html").read_text("utf-8")


def test_explore_offers_the_rules_that_it_takes(end: End) -> None:
    _, out, _ = end("porank explore --help")
    offered = re.search(r"extract\s+pairs:\s+(.*?)\s+\(default", out, re.DOTALL)
    assert offered is not None
    assert offered[1].split(", ") == ["levels", "dwell"]
    columns = "session,item,event,dwell,position,time\\n"
    rows = [f"{k},a,click,9,1,1\\n{k},b,view,0,2,2\\n{k},c,click,4,3,3\\n" for k in (1, 2)]
    for rule in RULES:
        line = f"printf '{columns}{''.join(rows)}' | porank explore - --rule {rule}"
        assert (end(line)[0] == 0) is (rule in offered[1])
