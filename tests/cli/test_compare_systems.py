"""What porank evaluate and porank systems answer."""

import math
from pathlib import Path

import pytest

import porank as po
from tests.support.cli_runs import End, Run, strict, write


class TestEvaluate:
    """Tables of many orders against each other."""

    def test_tables_and_runs(self, run: Run) -> None:
        line = "porank evaluate --target target.csv --predicted predicted.csv"
        found = po.evaluate("target.csv", "predicted.csv")
        assert run(line) == "\n".join([f"{found.summary()}\n", *found.notes(), ""])
        said = strict(run(f"{line} --measures gamma --format json -o values.csv"))
        assert (said["groups"], said["statuses"]) == (2, {"defined": 2})
        assert said["measures"]["gamma"]["mean"] == sum(found["gamma"]) / 2
        alone = po.evaluate("target.csv", "predicted.csv", measures=["gamma"])
        assert Path("values.csv").read_text("utf-8") == alone.to_csv()

    def test_lists_of_the_top_k_and_measures_with_options(self, run: Run) -> None:
        line = "porank evaluate --target two.qrels --predicted two.run --format json --measures"
        words = "ndcg@10,nDCG@1:gain=level:base=3,AP,precision@1"
        said = strict(run(f"{line} {words}"))
        # The first query has its only relevant item first, the second one last.
        ndcg = (1 + 1 / math.log2(3)) / 2
        means = {name: each["mean"] for name, each in said["measures"].items()}
        expected = dict(zip(words.split(","), (ndcg, 0.5, 0.75, 0.5), strict=True))
        assert means == pytest.approx(expected)

    def test_the_least_grade_of_relevant_items(self, run: Run) -> None:
        graded = write("graded.csv", "user,item,grade", "1,a,0", "1,b,1", "1,c,2")
        line = f"porank evaluate --target {graded} --predicted predicted.csv --measures ap"
        for least in (1, 2):
            said = strict(run(f"{line} --relevant {least} --format json"))
            found = po.evaluate(
                graded, "predicted.csv", measures="average_precision", relevant=least
            )
            assert said["measures"]["ap"]["mean"] == found["average_precision"].tolist()[0]
        assert strict(run(f"{line} --format json"))["measures"]["ap"]["mean"] is None

    def test_several_predictions_are_compared(self, run: Run) -> None:
        line = "porank evaluate --target {} --measures ndcg --unlisted last --predicted {} {}"
        files = "predicted.csv", "target.csv"
        expected = run(f"{line.format('target.csv', *files)} -o differences.csv")
        assert "predicted.csv" in Path("differences.csv").read_text()
        text = Path("target.csv").read_text().replace("\n", "\\n")
        assert run(f"printf '{text}' | {line.format('-', *files)}") == expected

    def test_tables_of_every_form_under_any_name(self, run: Run) -> None:
        expected = run("porank evaluate --target target.csv --predicted predicted.csv")
        line = "porank evaluate --target {} --predicted {} --from {}"
        target, predicted = (Path(f"{name}.csv").read_text() for name in ("target", "predicted"))
        write("predicted.dat", predicted.replace(",", "\t"))
        for name in ("target.dat", "target.csv"):
            write(name, target.replace(",", "\t"))
            assert run(line.format(name, "predicted.dat", "tsv")) == expected
        for text, files in ((target, ("-", "predicted.dat")), (predicted, ("target.dat", "-"))):
            piped = text.replace(",", "\t").replace("\n", "\\n")
            assert run(f"printf '{piped}' | {line.format(*files, 'tsv')}") == expected
        for form in ("csv", "tsv"):
            run(f"porank mine log.csv --by session -o by.{form}.gz")
            line = f"porank evaluate --target by.{form}.gz --predicted by.{form}.gz --by session"
            assert strict(run(f"{line} --format json"))["groups"] == 3


def test_systems_of_a_table_of_scores(run: Run) -> None:
    rows = [f"{k},{3 + k % 2},{2 + k % 2},{k % 2}" for k in range(9)]
    name = write("scores.csv", "task,new,old,none", *rows)
    assert run(f"porank systems {name}").strip() == str(po.compare_scores(name))
    said = strict(run(f"porank systems {name} --better lower --format json"))
    assert said["systems"][2]["better_than"] == ["new", "old"]
    assert said["systems"][2]["ranks"] == [1, 1]
    assert len(said["pairs"]) == 3
    every = run(f"porank systems {name} --differences --format csv")
    assert every == po.compare_scores(name).to_csv()
    run(f"porank systems {name} -o order.txt")
    assert Path("order.txt").read_text("utf-8") == "new > old > none\n"
    run(f"porank systems {name} -o order.svg")
    assert Path("order.svg").read_bytes().startswith(b"<?xml")


def test_systems_of_battles(run: Run, end: End) -> None:
    both = [(u, v) for u, v in ("ab", "bc", "ca") for _ in range(9)]
    rows = [row for u, v in both for row in (f"{u},{v},model_a", f"{v},{u},model_b")]
    name = write("battles.csv", "model_a,model_b,winner", *rows)
    assert run(f"porank systems {name}").startswith("THE MODEL DOES NOT FIT: 54 battles")
    run(f"porank systems {name} -o open.txt")
    assert Path("open.txt").read_text("utf-8") == "a; b; c\n"
    run(f"porank systems {name} -o open.svg")
    assert Path("open.svg").read_bytes().startswith(b"<?xml")
    judged = [f"{row},{k % 9}" for k, row in enumerate(rows)]
    name = write("judged.csv", "model_a,model_b,winner,judge", *judged)
    said = strict(run(f"porank systems {name} --unit judge --format json"))
    found = po.fit_strengths(name, unit="judge")
    assert [each["strength"] for each in said["systems"]] == list(found.strengths.values())
    assert said["pairs"] == [each._asdict() for each in found.pairs]
    for option in ("--better lower", "--missing drop", "--by x"):
        error = end(f"porank systems {name} {option}")[2]
        assert f"{option.split()[0]} applies to scores, found a table of battles" in error


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("b.csv", "winner,loser\nx,y\ny,x\nx,z\nz,x\n"),
        ("b.csv", "home,away,home_goals,away_goals\nx,y,2,1\nx,y,0,1\nz,x,1,0\n"),
        ("b.csv", "player1,player2,wins1,wins2\nx,y,5,3\ny,z,4,4\n"),
        ("b.jsonl", '{"winner": "x", "loser": "y"}\n{"winner": "y", "loser": "x"}\n'),
        ("b.json", '[{"winner": "x", "loser": "y"}, {"winner": "y", "loser": "x"}]'),
        ("b.csv", "judge,item,rating\n1,x,5\n1,y,3\n2,x,1\n2,y,2\n"),
    ],
)
def test_systems_of_tables_that_are_no_scores(name: str, text: str, run: Run) -> None:
    Path(name).write_text(text)
    assert run(f"porank systems {name}").split() == str(po.fit_strengths(name)).split()


def test_systems_of_a_winner_alone_are_scores(run: Run, end: End) -> None:
    Path("race.csv").write_text("task,winner,x\n1,0.5,1\n2,0.25,1\n")
    assert run("porank systems race.csv").split() == str(po.compare_scores("race.csv")).split()
    Path("scores.jsonl").write_text('{"a": 1, "b": 0.5}\n{"a": 2, "b": 0.25}\n')
    found = po.compare_scores("scores.jsonl")
    assert run("porank systems scores.jsonl").split() == str(found).split()
    assert "json" in end("porank systems scores.xlsx")[2]


def test_systems_of_clusters_and_blanks(run: Run) -> None:
    rows = [f"f{k // 3},{k % 3 + 2},{k % 2}" for k in range(18)]
    name = write("families.csv", "family,new,old", *rows)
    assert "randomization test by family, max-T" in run(f"porank systems {name} --unit family")
    rows = [f"{k % 5 + 2},{k % 5},{'' if k > 7 else k % 5 - 2}" for k in range(12)]
    name = write("blanks.csv", "a,b,c", *rows)
    assert "ranks" not in run(f"porank systems {name}")
    assert "ranks" in run(f"porank systems {name} --missing at-random")
    assert "4 rows left out" in run(f"porank systems {name} --missing drop")
