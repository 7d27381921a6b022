"""What porank compare answers."""

import porank as po
from tests.support.cli_runs import Run, rows_of, strict

CHAIN, OTHER = po.parse("a > b > c > d"), po.parse("b > a > d; c")


class TestCompare:
    """Two orders, judged."""

    def test_as_json_it_has_the_form_that_is_promised(self, run: Run) -> None:
        said = strict(run("porank compare chain.txt other.txt --format json"))
        found = po.compare(CHAIN, OTHER)
        assert said["pairs"] == found.pairs.to_dict()
        for each in found.results:
            expected = {"value": each.value, "reason": each.reason or None}
            assert said["measures"][each.name] == expected
        assert said["measures"]["auc"]["value"] is None
        line = "porank compare two.qrels two.run --query q1 --measures ndcg@1,c_index:ties=1"
        graded = strict(run(f"{line} --format json"))["measures"]
        assert list(graded) == ["ndcg@1", "c_index:ties=1"]
        assert graded["ndcg@1"]["value"] == 1

    def test_the_other_formats(self, run: Run) -> None:
        found = po.compare(CHAIN, OTHER)
        lines = run("porank compare chain.txt other.txt").splitlines()
        assert lines[:5] == str(found.pairs).splitlines()
        line = "porank compare chain.txt other.txt --measures gamma,kendall_tau --format"
        values = [row["value"] for row in rows_of(run(f"{line} csv"))]
        assert values == [str(found["gamma"]), str(found["kendall_tau"])]

    def test_two_orders_of_any_form(self, run: Run) -> None:
        for line, concordant in (
            ("porank compare chain.txt abx.txt --align intersection", 3),
            ("porank compare chain.txt abx.txt --align union", 3),
            ("echo 'a > b > c > d' | porank compare chain.txt -", 6),
            ("echo a,b | porank compare other.txt - --predicted-from pairs --align target", 0),
            ("porank compare levels.graphml pairs.csv --align target", 2),
            ("porank compare two.run two.qrels --query q2", 0),
            ("echo a,b | porank compare - chain.txt --from pairs --align target", 1),
        ):
            said = strict(run(f"{line} --format json"))
            assert (line, said["pairs"]["concordant"]) == (line, concordant)
