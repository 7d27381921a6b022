"""What the commands that make one order of many answer: predict, aggregate."""

import sys
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar

import pytest

import porank as po
from porank.aggregation.aggregate import METHODS
from tests.support.cli_runs import End, Run, rows_of, strict, write

VOTES = [po.from_ranking(vote) for vote in ["abc"] * 3 + ["bac"]]


class TestCells:
    """Tables with a row for each voter."""

    @pytest.mark.parametrize(
        ("cells", "lines"),
        [
            ("ranks", ("tea,milk", "1,2", "1,2", "2,1")),
            ("scores", ("tea,milk", "9,2", "5,1", "2,7")),
            ("items", ("first,second", "tea,milk", "tea,milk", "milk,tea")),
        ],
    )
    def test_tables_of_ballots_are_read(self, run: Run, cells: str, lines: tuple[str, ...]) -> None:
        path = write("ballots.csv", *lines)
        said = strict(run(f"porank aggregate {path} --cells {cells} --format json"))
        assert (said["order"], said["orders"]) == ("tea > milk", 3)
        said = strict(run(f"porank predict {path} --cells {cells} --format json"))
        assert said["order"] == "tea > milk"
        path = write("signs.csv", *(line.replace(",", "!") for line in lines))
        said = strict(run(f"porank predict {path} --cells {cells} --delimiter ! --format json"))
        assert said["order"] == "tea > milk"
        rows = r"\n".join(lines)
        said = strict(run(f"printf '{rows}' | porank aggregate - --cells {cells} --format json"))
        assert said["order"] == "tea > milk"


class TestPredict:
    """Degrees, a threshold, an order."""

    def test_the_order_of_rankings(self, run: Run) -> None:
        said = strict(run("porank predict votes.txt --format json"))
        order = po.predict_order(po.preference_relation(VOTES))
        assert said["order"] == po.format_order(order)
        assert said["threshold"] == str(order.graph["alpha"])
        found = {(row["preferred"], row["other"]): row["degree"] for row in said["pairs"]}
        assert found == {(u, v): str(degree) for u, v, degree in order.edges(data="degree")}
        assert "3/4" in run("porank predict votes.txt --alpha 0.7")
        said = strict(run("porank predict votes.txt --alpha consensus --format json"))
        assert said["order"] == "a > c; b > c"
        said = strict(run("porank predict votes.txt --abstention-cost 1/5 --format json"))
        assert (said["loss"], said["gap"]) == (0.2, 0)

    def test_the_least_degree_kept_is_that_of_the_pairs(self, run: Run) -> None:
        write("five.txt", *["a > b > c > d"] * 3, "d > a > b > c", "b > c > d > a")
        for alpha in ("3/5", "minimal", "1"):
            said = strict(run(f"porank predict five.txt --alpha {alpha} --format json"))
            degrees = [Fraction(pair["degree"]) for pair in said["pairs"] if not pair["added"]]
            assert said["least degree kept"] == (str(min(degrees)) if degrees else None)

    def test_the_curve_is_that_of_the_function_in_each_format(self, run: Run) -> None:
        line = "porank predict votes.txt --curve --format"
        rows = rows_of(run(f"{line} csv --target levels.graphml"))
        P = po.preference_relation(VOTES)
        curve = po.abstention_curve(P, po.from_levels([["a"], ["b", "c"]]))
        assert [Fraction(row["alpha"]) for row in rows] == [point.alpha for point in curve]
        found = [row["completeness"] for row in rows if row["completeness"]]
        assert found == [str(point.completeness) for point in curve if point.is_acyclic]
        points = [(point["alpha"], point["acyclic"]) for point in strict(run(f"{line} json"))]
        assert points == [("1/4", False), ("1/2", True), ("3/4", True), ("1", True)]
        assert "yes" in run(f"{line} table")

    def test_what_the_lines_of_pairs_are_taken_for(self, end: End) -> None:
        for text, options, evidence in (
            ("winner,loser\n" + "a,b\n" * 6 + "b,a\n", "--counts", (6, 1)),
            ("preferred,other,weight\na,b,6\nb,a,1\n", "--counts", (6, 1)),
            ("preferred,other,support\na,b,6\nb,a,1\n", "", (6, 1)),
            ("preferred,other\na,b\nb,c\nc,a\na,b\n", "--counts", (2, 0)),
            ("preferred,other,weight\na,b,0.7\nb,a,0.2\n", "", (None, None)),
            ("preferred,other\na,b\nb,c\n", "", (1, 0)),
        ):
            Path("taken.csv").write_text(text)
            code, out, err = end(f"porank predict taken.csv --format json --alpha 0.7 {options}")
            assert (code, err) == (0, "")
            pairs = {row["preferred"] + row["other"]: row for row in strict(out)["pairs"]}
            assert (pairs["ab"].get("support"), pairs["ab"].get("against")) == evidence

    def test_dropped_pairs_are_told(self, run: Run) -> None:
        write("torn.csv", "preferred,other,support", "a,b,9", "b,c,8", "c,a,7", "c,d,5")
        line = "porank predict torn.csv --impossible drop"
        said = strict(run(f"{line} --format json"))
        assert said["dropped"] == [
            {"preferred": "c", "other": "a", "degree": "8/9", "support": 7, "against": 0}
            | {"cycle": ["c", "a", "b", "c"]}
        ]
        assert (said["order"], said["pairs dropped"]) == ("a > b > c > d", 1)
        assert "c > a > b > c" in run(line)
        rows = rows_of(run(f"{line} --curve --format csv"))
        assert [row["dropped"] for row in rows if row["dropped"]] == ["1", "1", "0", "0"]
        rows = rows_of(run(f"{line} --pairs --format csv"))
        assert {(row["preferred"], row["support"]) for row in rows} >= {("a", "9"), ("b", "8")}

    def test_degrees_that_sum_to_1_leave_the_rest_to_the_other_direction(self, run: Run) -> None:
        # Of b and c either is preferred to the degree 1/2, which is a cycle.
        write("degrees.csv", "preferred,other,weight", "a,b,0.7", "b,a,0.3", "b,c,0.5")
        said = strict(run("porank predict degrees.csv --format json"))
        assert said["threshold"] == "7/10"


GROUPED = "Query,preferred,other,support,day\nq1,a,b,6,1\nq1,b,a,2,1\nq2,b,a,5,1\nq2,b,c,4,2\n"


class TestGroups:
    """Tables with groups."""

    def test_one_group_or_all_of_them(self, run: Run) -> None:
        Path("by.csv").write_text(GROUPED)
        said = strict(run("porank predict by.csv --group q2 --format json"))
        assert said["leaning"] == "b > a; b > c"
        merged = strict(run("porank predict by.csv --by none --alpha minimal --format json"))
        pair = merged["pairs"][0]
        assert (pair["preferred"], pair["degree"]) == ("b", "8/15")
        assert (pair["support"], pair["against"]) == (7, 6)
        assert strict(run("porank describe by.csv --group q2 --format json"))["items"] == 3


class TestAggregate:
    """One order of many."""

    def test_every_method_finds_the_order_of_the_votes(self, run: Run) -> None:
        assert run("porank aggregate votes.txt") == run(
            "porank aggregate votes.txt --method kemeny"
        )
        for method in METHODS:
            said = strict(run(f"porank aggregate votes.txt --method {method} --format json"))
            assert (said["order"], said["method"], said["orders"]) == ("a > b > c", method, 4)
        run("porank aggregate votes.txt -o winner.graphml --method kemeny --seconds 5")
        assert set(po.read_graphml("winner.graphml").edges) == {("a", "b"), ("b", "c")}

    def test_kemeny_is_looked_for_so_long_and_the_gap_is_said(
        self, end: End, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kemeny, seconds = METHODS["kemeny"], list[float]()

        @wraps(kemeny)
        def patient(*args: Any, **options: Any) -> Any:
            seconds.append(options["seconds"])
            return kemeny(*args, **options)

        monkeypatch.setitem(METHODS, "kemeny", patient)
        monkeypatch.setattr("porank.aggregation.kemeny.EXACT_ITEMS", 1)
        line = "porank aggregate around.txt --method kemeny --format json"
        code, out, err = end(f"{line} --seconds 0")
        gap = f"the order costs at most {strict(out)['gap']} more than the optimum"
        expected = f"porank: the search was stopped: {gap}; --seconds allows more time\n"
        assert (code, err, strict(out)["only optimum"]) == (0, expected, "unknown")
        assert strict(run(line))["gap"] == 0
        assert seconds == [0, 60]

    def test_ballots_count_and_what_they_lack_is_last(self, run: Run) -> None:
        profile = po.read_preflib("ballots.toi", unranked="last")
        line = "porank aggregate ballots.toi --method borda --unranked last --format json"
        said = strict(run(line))
        assert (said["order"], said["orders"]) == (po.format_order(po.borda(profile).order()), 7)
        assert (said["cost"], said["gap"]) == (6.5, 1.5)

    def test_all_optima_and_whether_there_is_one(self, run: Run) -> None:
        votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
        line = "porank aggregate around.txt --optima --format json --method"
        for options, found in (
            ("kemeny", po.kemeny(votes)),
            ("consensus", po.consensus_order(votes)),
            ("consensus --family weak", po.consensus_order(votes, family="weak")),
        ):
            said = strict(run(f"{line} {options}"))
            optima = list(map(po.format_order, found.optima()))
            assert (said["optima"], said["order"] in optima) == (optima, True)
        said = strict(run(f"{line} consensus --abstention-cost 1/5"))
        assert (said["order"], said["optima"], said["cost"]) == ("a; b; c", ["a; b; c"], 1.8)
        for name, answer in (("around.txt", "no"), ("votes.txt", "yes")):
            said = strict(run(f"porank aggregate {name} --method kemeny --format json"))
            assert said["only optimum"] == answer
        text = run("porank aggregate around.txt --method kemeny --optima")
        assert "optimum 3         b > c > a\n" in text

    def test_long_cells_are_folded_to_the_width_of_the_terminal(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        names = [f"item {number}" for number in range(40)]
        write("long.txt", " > ".join(names))
        monkeypatch.setenv("COLUMNS", "50")
        for is_terminal, width in ((False, 100), (True, 50)):
            monkeypatch.setattr(sys.stdout, "isatty", lambda answer=is_terminal: answer)
            lines = run("porank aggregate long.txt").splitlines()
            assert width - 12 < max(map(len, lines)) <= width
            words = " ".join("\n".join(lines[2:]).split())
            assert words.startswith(f"order {' > '.join(names)} method")

    def test_items_keep_their_names_whatever_these_are(self, end: End) -> None:
        item = "only in member 2: 'b'"
        for command in ("predict", "aggregate"):
            text = f'\\"{item}\\" > a\\na > \\"{item}\\"\\n\\nb > a\\n'
            code, out, err = end(f'printf "{text}" | porank {command} - --format json')
            assert (code, set(po.parse(strict(out)["order"]))) == (0, {item, "a", "b"})
            assert err.startswith("porank: 3 of 3 orders list only some of the 3 items and abstain")
            assert err.endswith("; --unranked last puts those last\n")


class TestCycles:
    """Cycles of pairs, and of majorities."""

    CYCLE: ClassVar = ["a", "b", "c", "a"]

    @pytest.mark.parametrize("form", ["txt", "toi"])
    def test_majority_cycles_of_ballots_are_counted_and_shown(
        self, form: str, run: Run, end: End
    ) -> None:
        # Majorities of 5 to 2, 5 to 2, 4 to 3 among those who list both, and of one voter.
        ballots = {"a > b > c": 3, "b > c > a": 2, "c > a > b": 2, "d > a": 1}
        write("cycle.txt", *(ballot for ballot, count in ballots.items() for _ in range(count)))
        rankings = [po.from_ranking(ballot.split(" > ")) for ballot in ballots]
        po.write_preflib(po.Profile(rankings, [*ballots.values()]), "cycle.toi")
        _, out, err = end(f"porank aggregate cycle.{form} --format json")
        assert (strict(out)["majority cycles"], strict(out)["cycles"]) == (1, [self.CYCLE])
        assert "; --unranked last puts those last" in err
        out = end(f"porank aggregate cycle.{form}")[1]
        assert "majority cycle 1  'a' > 'b' > 'c' > 'a'\n" in out
        # Who is not listed is last: c > a loses the vote of d > a, and there is a draw.
        said = strict(run(f"porank aggregate cycle.{form} --unranked last --format json"))
        assert (said["majority cycles"], said["cycles"]) == (0, [])
        if form == "toi":
            code, out, _ = end("porank check cycle.toi --format json")
            found = {"found": "majority cycle", "items": 3, "witness": self.CYCLE}
            assert (code, strict(out)) == (1, [found])
            out = run("porank check cycle.toi --unranked last")
            assert out == "no contradictions: 8 ballots, no cycles\n"

    def test_of_counted_pairs(self, end: End) -> None:
        rows = "a,b,5\nb,a,2\nb,c,5\nc,b,2\nc,a,4\na,c,3\n"
        for table in (
            f"preferred,other,support\n{rows}",
            f"preferred,other,weight\n{rows}",
            ",a,b,c\na,-,5,3\nb,2,-,5\nc,4,2,-\n",
        ):
            Path("counted.csv").write_text(table)
            code, out, err = end("porank check counted.csv --format json")
            pairs, majorities = strict(out)
            assert (code, err, pairs["found"], len(pairs["witness"])) == (1, "", "cycle", 3)
            assert (majorities["found"], majorities["witness"]) == ("majority cycle", self.CYCLE)
            assert end("porank check counted.csv")[1].endswith(
                "\n\nporank convert --break-cycles drops as few pairs as possible to remove all "
                "cycles\n"
            )
        write("beyond.csv", "preferred,other,support", "a,b,40", "b,c,40", "c,a,40")
        said = strict(end("porank predict beyond.csv --format json")[1])
        assert said["on cycles beyond chance"] == "'a', 'b', 'c'"
