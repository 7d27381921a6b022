"""TREC runs, qrels and preference judgments."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import ParseError, PorankError
from tests.oracles import closure, strict_orders
from tests.oracles_files import levels_of_scores, trec_preferences

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4).filter(
    lambda text: text.split() == [text] and not text.startswith("\ufeff")
)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
RUN = "q1 Q0 d1 1 9.5 tag\nq1 Q0 d2 2 -7 tag\nq2 Q0 d1 1 1e-3 tag\n"
QRELS = "q1 0 d1 2\nq1 0 d2 -1\nq2 0 d1 0\n"
PREFS = "q1 1 1 d1 2\nq1 1 1 d2 1\nq1 1 1 d3 1\nq1 1 2 d3 5\nq1 1 2 d4 0.5\nq2 a b d9 0\n"


def source(text: str) -> io.StringIO:
    return io.StringIO(text, newline="")


def written(write: Callable[..., None], value: Any, **options: Any) -> str:
    target = io.StringIO(newline="")
    write(value, target, **options)
    return target.getvalue()


class TestReading:
    """What is read, and the place of what cannot be."""

    def test_a_run_is_scores(self) -> None:
        run = po.read_trec_run(source(RUN))
        assert run == {"q1": {"d1": 9.5, "d2": -7.0}, "q2": {"d1": 0.001}}
        assert type(run["q1"]["d2"]) is float
        assert po.levels(run["q1"]) == [["d1"], ["d2"]]

    def test_qrels_are_grades(self) -> None:
        qrels = po.read_trec_qrels(source(QRELS))
        assert qrels == {"q1": {"d1": 2, "d2": -1}, "q2": {"d1": 0}}
        assert type(qrels["q1"]["d1"]) is int

    def test_a_run_is_judged_by_qrels(self) -> None:
        run, qrels = po.read_trec_run(source(RUN)), po.read_trec_qrels(source(QRELS))
        assert po.kendall_tau(qrels["q1"], run["q1"]) == 1

    @pytest.mark.parametrize("change", [("\n", "\r\n"), (" ", "\t"), (" ", "   "), ("\n", "\n\n")])
    def test_quirks_that_change_nothing(self, change: tuple[str, str]) -> None:
        for read, text in ((po.read_trec_run, RUN), (po.read_trec_qrels, QRELS)):
            assert read(source(text.replace(*change))) == read(source(text))
            assert read(source("\ufeff" + text.rstrip())) == read(source(text))

    @pytest.mark.parametrize("read", [po.read_trec_run, po.read_trec_qrels, po.read_trec_prefs])
    def test_an_empty_file(self, read: Callable[[Any], dict[Any, Any]]) -> None:
        assert read(source("")) == read(source("\n \n")) == {}

    @pytest.mark.parametrize(
        ("read", "text", "line", "message"),
        [
            (po.read_trec_run, "q1 Q0 d3 1 2", "q1 Q0 d3 1 2", "expected 6 cells, 'query Q0 item"),
            (po.read_trec_run, "q1 Q0 d3 1 x t", None, "a finite number as score, found 'x'"),
            (po.read_trec_run, "q1 Q0 d3 1 nan t", None, "a finite number as score, found 'nan'"),
            (po.read_trec_run, "q1 Q0 d3 1 1e999 t", None, "as score, found '1e999'"),
            (po.read_trec_run, "q1 Q0 d3 1 1_0 t", None, "as score, found '1_0'"),
            (po.read_trec_run, "q1 Q0 d1 1 9.5 t", None, "once for query 'q1', found 'd1' again"),
            (
                po.read_trec_qrels,
                "q1 0 d3 1 1",
                None,
                "expected 4 cells, 'query 0 item grade', found 5",
            ),
            (po.read_trec_qrels, "q1 0 d3 1.0", None, "a whole number as grade, found '1.0'"),
            (po.read_trec_qrels, "q1 0 d2 -1", None, "once for query 'q1', found 'd2' again"),
            (
                po.read_trec_prefs,
                "q1 1 1 d3",
                None,
                "expected 5 cells, 'query group sub-group item",
            ),
            (po.read_trec_prefs, "q1 1 1 d5 inf", None, "a finite number as level, found 'inf'"),
            (po.read_trec_prefs, "q1 1 1 d3 4", None, "once in sub-group '1', found 'd3' again"),
        ],
    )
    def test_a_bad_line(
        self, read: Callable[..., Any], text: str, line: str | None, message: str
    ) -> None:
        good = {po.read_trec_run: RUN, po.read_trec_qrels: QRELS, po.read_trec_prefs: PREFS}[read]
        number = good.count("\n") + 2
        whole = f"{good}\n{text}\n"
        with pytest.raises(ParseError) as caught:
            read(source(whole))
        assert (caught.value.line, caught.value.text) == (number, line or text)
        assert message in str(caught.value)
        report = read(source(whole), errors="report")
        assert report.keys() == read(source(good)).keys()
        assert [(problem.line, problem.text) for problem in report.problems] == [(number, text)]
        assert message in report.problems[0].message
        assert read(source(good)).problems == ()

    def test_a_query_of_bad_lines_only_is_not_there(self) -> None:
        report = po.read_trec_qrels(source("q1 0 d1 x\n"), errors="report")
        assert report == {}


class TestPreferences:
    """What preference judgments say."""

    def test_sub_groups_join(self) -> None:
        prefs = po.read_trec_prefs(source(PREFS))
        assert list(prefs) == ["q1", "q2"]
        assert closure(prefs["q1"].edges) == {
            (f"d{u}", f"d{v}") for u, v in [(1, 2), (1, 3), (3, 4), (1, 4)]
        }
        assert list(prefs["q2"]) == ["d9"]
        assert nx.get_node_attributes(prefs["q1"], "tie") == {}

    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["q1", "q2"]),
                st.sampled_from("gh"),
                st.sampled_from("st"),
                st.sampled_from("abc"),
                st.integers(0, 2),
            ),
            max_size=9,
            unique_by=lambda row: row[:4],
        )
    )
    def test_by_definition(self, rows: list[tuple[str, str, str, str, float]]) -> None:
        text = "".join(" ".join(map(str, row)) + "\n" for row in rows)
        said = trec_preferences(rows)
        prefs = po.read_trec_prefs(source(text))
        assert {query: closure(G.edges) for query, G in prefs.items()} == said
        assert {query: set(G) for query, G in prefs.items()} == {
            query: {row[3] for row in rows if row[0] == query} for query in said
        }

    def test_groups_are_joined_or_separate(self) -> None:
        text = "q7 x 1 a 2\nq7 x 1 b 1\nq7 y 1 b 2\nq7 y 1 a 1\n"
        assert po.find_cycle(po.read_trec_prefs(source(text))["q7"]) == ["a", "b", "a"]
        apart = po.read_trec_prefs(source(text), groups="separate")
        assert {key: list(G.edges) for key, G in apart.items()} == {
            ("q7", "x"): [("a", "b")],
            ("q7", "y"): [("b", "a")],
        }
        with pytest.raises(PorankError, match="of 'joined', 'separate', found 'both'"):
            po.read_trec_prefs(source(text), groups="both")

    def test_too_many_pairs_are_refused(self) -> None:
        text = "".join(f"q 1 1 d{i} {i % 2}\n" for i in range(6400))
        with pytest.raises(PorankError, match=r"at most 10,000,000 edges .* split it"):
            po.read_trec_prefs(source(text))


class TestWriting:
    """There and back, and what cannot be written."""

    @given(st.dictionaries(WORDS, st.dictionaries(WORDS, SCORES, min_size=1, max_size=5)))
    def test_runs(self, run: dict[str, dict[str, float]]) -> None:
        text = written(po.write_trec_run, run)
        assert po.read_trec_run(source(text)) == run
        for query, scores in run.items():
            ranks: dict[int, set[str]] = {}
            for cells in map(str.split, text.split("\n")[:-1]):
                if cells[0] == query:
                    ranks.setdefault(int(cells[3]), set()).add(cells[2])
            assert [ranks[rank] for rank in sorted(ranks)] == levels_of_scores(scores)
            for rank, level in ranks.items():
                score = scores[next(iter(level))]
                assert rank == 1 + sum(other > score for other in scores.values())

    @given(st.dictionaries(WORDS, st.dictionaries(WORDS, st.integers(), min_size=1)))
    def test_qrels(self, qrels: dict[str, dict[str, int]]) -> None:
        text = written(po.write_trec_qrels, qrels)
        assert po.read_trec_qrels(source(text)) == qrels

    @pytest.mark.parametrize("n", range(5))
    def test_every_order(self, n: int) -> None:
        orders = {f"q{number}": G for number, G in enumerate(strict_orders(n))}
        back = po.read_trec_prefs(source(written(po.write_trec_prefs, orders)))
        if n:
            assert {query: closure(G.edges) for query, G in back.items()} == {
                query: {(str(u), str(v)) for u, v in closure(G.edges)}
                for query, G in orders.items()
            }
            assert all(set(G) == set(map(str, range(n))) for G in back.values())

    def test_known_ties_are_not_written_and_what_is_said_is(self) -> None:
        G = po.parse("a > b ~ c; d > e; a > f")
        back = po.read_trec_prefs(source(written(po.write_trec_prefs, {"q": G})))["q"]
        assert closure(back.edges) == closure(G.edges)
        assert set(back) == set(G)

    def test_what_it_does_not_depend_on(self) -> None:
        one = written(po.write_trec_run, {"q": {"b": 1, "a": 1, "c": 2}})
        assert one == written(po.write_trec_run, {"q": {"c": 2, "a": 1, "b": 1}})
        assert [line.split()[3] for line in one.splitlines()] == ["1", "2", "2"]
        assert written(po.write_trec_run, {1: [3, 5]}, tag="x").split() == (
            ["1", "Q0", "1", "1", "5.0", "x", "1", "Q0", "0", "2", "3.0", "x"]
        )

    @pytest.mark.parametrize(
        ("write", "value", "message"),
        [
            (po.write_trec_run, {"q 1": {"d": 1}}, "a text without blanks as query, found 'q 1'"),
            (po.write_trec_run, {"q": {"": 1}}, "a text without blanks as item, found ''"),
            (po.write_trec_run, {"q": {"d": float("inf")}}, "a finite score of 'd', found inf"),
            (po.write_trec_run, {"q": {"d": 10**400}}, "a finite score of 'd', found 1000"),
            (po.write_trec_run, {"q": {1: 1, "1": 2}}, "items whose texts differ, found 1 and '1'"),
            (po.write_trec_run, [{"d": 1}], "a mapping with a value for each query, found a list"),
            (po.write_trec_run, {"q": "d"}, "found the text 'd'"),
            (po.write_trec_qrels, {"q": {"d": 1.5}}, "a whole number as grade of 'd', found 1.5"),
            (po.write_trec_qrels, {"q": {"d": True}}, "a whole number as grade of 'd', found True"),
            (
                po.write_trec_prefs,
                {"q": nx.DiGraph(["ab", "ba"])},
                "cycle 'a' > 'b' > 'a' in query 'q'",
            ),
            (po.write_trec_prefs, {"q": {"a b": 1}}, "a text without blanks as item, found 'a b'"),
        ],
    )
    def test_what_cannot_be_written(
        self, write: Callable[..., None], value: Any, message: str
    ) -> None:
        with pytest.raises(PorankError, match=message):
            written(write, value)

    def test_options(self) -> None:
        with pytest.raises(PorankError, match="a text without blanks as tag, found 'a b'"):
            written(po.write_trec_run, {}, tag="a b")
