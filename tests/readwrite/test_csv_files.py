"""Preference pairs in CSV and TSV files."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.convert.rankings import from_matrix
from porank.errors import GraphTypeError, ParseError, PorankError
from porank.readwrite.csv_files import read_pairs, write_pairs

LABELS = st.one_of(
    st.sampled_from(
        ["a", "b", "a,b", "\t", '"', '""', "\n", "\r", "\r\n", "a  b", "é", "日本", ";", "\ufeff"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4).filter(
        lambda text: text == text.strip(" ")
    ),
)
WEIGHTS = st.one_of(
    st.none(), st.integers(0, 10**30), st.floats(0, allow_nan=False, allow_infinity=False)
)


@st.composite
def weighted_graphs(draw: st.DrawFn) -> nx.DiGraph:
    items = draw(st.lists(LABELS, max_size=5, unique=True))
    G = nx.DiGraph()
    G.add_nodes_from(items)
    for u in items:
        for v in items:
            if draw(st.booleans()):
                weight = draw(WEIGHTS)
                G.add_edge(u, v, **({} if weight is None else {"weight": weight}))
    return G


def read(text: str, **options: Any) -> nx.DiGraph:
    return read_pairs(io.StringIO(text, newline=""), **options)


def write(G: nx.DiGraph, **options: Any) -> str:
    target = io.StringIO(newline="")
    write_pairs(G, target, **options)
    return target.getvalue()


def weighted_edges(G: nx.DiGraph) -> list[Any]:
    return list(G.edges(data="weight"))


class TestReadPairs:
    """From file to graph."""

    @pytest.mark.parametrize(
        "text",
        [
            "preferred,other,weight\nA,B,2\nA,C,\nD,,\n",
            "A,B,2\nA,C,\nD,,",
            "\ufeffpreferred,other,weight\r\nA,B,2\r\n\r\nA,C,\r\nD,,",
            "weight,x,other,preferred\n2,?,B,A\n,,C,A\n,,,D\n",
            '"preferred","other","weight"\n"A","B","2"\nA,C,\nD,,',
        ],
    )
    def test_with_a_header_and_without_one(self, text: str) -> None:
        G = read(text)
        assert weighted_edges(G) == [("A", "B", 2), ("A", "C", None)]
        assert list(G) == ["A", "B", "C", "D"]
        assert "weight" not in G.edges["A", "C"]

    @pytest.mark.parametrize("text", ["", "\n\n", "preferred,other\n", "preferred,other,weight"])
    def test_a_file_without_pairs_is_an_empty_graph(self, text: str) -> None:
        assert len(read(text)) == 0

    def test_an_empty_file_has_no_header_to_miss(self) -> None:
        assert len(read("", columns=("winner", "loser"))) == 0

    def test_columns_by_name_and_by_position(self) -> None:
        text = "loser,when,winner,n\nB,1999,A,3\n"
        assert weighted_edges(read(text, columns=("winner", "loser", "n"))) == [("A", "B", 3)]
        assert weighted_edges(read(text, columns=("winner", "loser"))) == [("A", "B", None)]
        headless = text.partition("\n")[2]
        assert weighted_edges(read(headless, columns=(2, 0, 3))) == [("A", "B", 3)]
        assert weighted_edges(read("x,A,B\n", columns=(1, 2))) == [("A", "B", None)]
        assert weighted_edges(read("x,A,B\n", columns=(1, 2, 3))) == [("A", "B", None)]

    def test_weights_are_ints_where_they_are_written_so(self) -> None:
        G = read("a,b,3\na,c,3.0\na,d,1e2\na,e,0\na,f, 7 \na,g,+5\na,h,123456789012345678901\n")
        weights = [w for *_, w in weighted_edges(G)]
        assert weights == [3, 3.0, 100.0, 0, 7, 5, 123456789012345678901]
        assert list(map(type, weights)) == [int, float, float, int, int, int, int]

    def test_labels_in_quotes_are_taken_to_the_letter(self) -> None:
        G = read('"a, ""b""",\' c\n"two\nlines"," ü "\n')
        assert list(G.edges) == [('a, "b"', "' c"), ("two\nlines", "ü")], "but for blanks around"

    def test_blanks_round_a_cell_are_no_part_of_it(self) -> None:
        G = read('preferred , other, weight \n  tea, cocoa , 2\ncocoa ,"tea",\n" a", b,\n')
        assert list(G.edges(data="weight")) == [
            ("tea", "cocoa", 2),
            ("cocoa", "tea", None),
            ("a", "b", None),
        ]
        assert list(read("tea, cocoa\ncocoa , milk \n").edges) == [
            ("tea", "cocoa"),
            ("cocoa", "milk"),
        ]
        assert list(read("a b c\n", delimiter=" ", columns=(0, 2)).edges) == [("a", "c")]

    @pytest.mark.parametrize(
        "text",
        [
            "preferred,other\n,\na,b\n   \n,,,\nb,c\n",
            "preferred,other,\na,b,\nb,c,\n",
            "a,b,\n\nb,c,\n",
        ],
    )
    def test_columns_of_nothing_and_rows_of_nothing_say_nothing(self, text: str) -> None:
        assert list(read(text).edges) == [("a", "b"), ("b", "c")]

    def test_cycles_are_kept_and_duplicates_count_once(self) -> None:
        G = read("a,b,2\nb,a,\na,a,\na,b,2.0\na,b,2\nb,a,\n")
        assert set(weighted_edges(G)) == {("a", "b", 2), ("b", "a", None), ("a", "a", None)}

    @pytest.mark.parametrize(
        ("text", "line", "message"),
        [
            ("A,B\nC\n", 2, "expected 2 cells, found 1"),
            ("A,B\n\n\nA,B,1\n", 4, "expected 2 cells, found 3"),
            ("A,B,1,1\n", 1, "expected 2 or 3 cells, found 4"),
            ("preferred,other\nA,B\nA,B,1\n", 3, "expected 2 cells, found 3\n"),
            ("preferred,other,weight\nA,B\n", 2, "expected 3 cells, found 2"),
            ("A B\n", 1, "expected 2 or 3 cells, found 1"),
            ("A,B\n,B\n", 2, "expected a preferred item, found an empty cell"),
            ("A,B,\nA,,3\n", 2, "expected no weight where there is no other item"),
            ("A,B,x\n", 1, "expected a finite number >= 0 as weight, found 'x'"),
            ("A,B,-1\n", 1, "found '-1'"),
            ("A,B,nan\n", 1, "found 'nan'"),
            ("A,B,1_0\n", 1, "found '1_0'"),
            (f"A,B,{'9' * 5000}\n", 1, "expected a finite number >= 0 as weight"),
            ("A,B,1\nC,D,\nA,B,2\n", 3, "found 1 in line 1 and 2 in line 3"),
            ("A,B,\nA,B,1\n", 2, "found none in line 1 and 1 in line 2"),
            ("other,weight\nA,B\n", 1, "expected one column 'preferred' in the header, found 0"),
            ("preferred,other,other\nA,B,C\n", 1, "one column 'other' in the header, found 2"),
            ('"A"x,B\n', 1, "expected a row of cells, found an error: ',' expected after"),
        ],
    )
    def test_a_bad_line_is_named_by_its_number(self, text: str, line: int, message: str) -> None:
        with pytest.raises(ParseError, match=message) as caught:
            read(text)
        assert caught.value.line == line
        assert caught.value.text in (text.split("\n")[line - 1], "")

    def test_the_good_lines_and_the_bad_ones(self) -> None:
        text = "a,b,1\nb\n,c,\nb,c,x\na,b,2\nb,c,\na,,3\nd,,\nA,B\nb,c,\n\n"
        G = read(text, errors="report")
        assert weighted_edges(G) == [("a", "b", 1), ("b", "c", None)]
        assert list(G) == ["a", "b", "c", "d"]
        told = [(problem.line, problem.text) for problem in G.graph["problems"]]
        lines = text.split("\n")
        assert told == [(line, lines[line - 1]) for line in (2, 3, 4, 5, 7, 9)]
        assert "found 1 in line 1 and 2 in line 5" in G.graph["problems"][3].message
        assert G.copy().graph["problems"] == G.graph["problems"]

    def test_without_a_report_nothing_is_told(self) -> None:
        assert read("a,b\n").graph == {}
        assert read("a,b\n", errors="report").graph == {"problems": ()}
        with pytest.raises(
            PorankError, match="errors to be one of 'raise', 'report', found 'skip'"
        ):
            read("a,b\n", errors="skip")

    def test_a_header_without_the_columns_leaves_nothing_to_report(self) -> None:
        with pytest.raises(ParseError, match="line 1: expected one column 'n' in the header"):
            read("a,b\n1,2\n", columns=("a", "n"), errors="report")

    @pytest.mark.parametrize(
        ("text", "options", "sign"),
        [
            ("preferred;other\na;b\n", {}, ";"),
            ("\n\npreferred;other\na;b\n", {}, ";"),
            ("a\tb\n", {}, "\t"),
            ("a|b\r\nb|\r\n", {}, "|"),
            ("winner;loser\na;b\n", {"columns": ("winner", "loser")}, ";"),
        ],
    )
    def test_a_first_line_without_commas_tells_the_sign(
        self, text: str, options: dict[str, Any], sign: str
    ) -> None:
        assert list(read(text, **options).edges) == [("a", "b")]
        assert list(read(text, **options | {"delimiter": sign}).edges) == [("a", "b")]

    def test_the_columns_named_must_be_there(self) -> None:
        with pytest.raises(
            ParseError, match="line 1: expected one column 'n' in the header, found 0"
        ):
            read("winner,loser\nA,B\n", columns=("winner", "loser", "n"))
        with pytest.raises(ParseError, match="expected 3 cells, found 2"):
            read("A,B\n", columns=(0, 2))

    @pytest.mark.parametrize(
        "columns",
        [None, 7, {"a", "b"}, "ab", (), ("a",), tuple("abcd"), ("a", 1), ("a", "a"), (1.0, 2.0)],
    )
    def test_other_things_are_no_columns(self, columns: Any) -> None:
        with pytest.raises(PorankError, match="expected two or three different names"):
            read("A,B\n", columns=columns)

    def test_positions_are_not_negative(self) -> None:
        with pytest.raises(PorankError, match=r"positions from 0 on, as columns, found \(0, -1\)"):
            read("A,B\n", columns=(0, -1))

    @pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "\r", 7, [","]])
    def test_other_things_are_no_delimiters(self, delimiter: Any) -> None:
        with pytest.raises(PorankError, match="expected one sign as delimiter, found"):
            read("A,B\n", delimiter=delimiter)
        with pytest.raises(PorankError, match="expected one sign as delimiter, found"):
            write(nx.DiGraph(["ab"]), delimiter=delimiter)

    @pytest.mark.parametrize(("suffix", "sign"), [(".csv", ","), (".TSV", "\t"), (".tab", "\t")])
    def test_the_name_of_the_file_tells_the_delimiter(
        self, tmp_path: Path, suffix: str, sign: str
    ) -> None:
        path = tmp_path / f"pairs{suffix}"
        path.write_text(f"a b{sign}c;d\n", encoding="utf-8-sig")
        assert list(read_pairs(path).edges) == [("a b", "c;d")]
        assert list(read_pairs(str(path)).edges) == [("a b", "c;d")]
        for mode in ("r", "rb"):
            with path.open(mode) as file:
                assert list(read_pairs(file).edges) == [("a b", "c;d")]
        assert list(read_pairs(path, delimiter=" ").edges) == [("a", f"b{sign}c;d")]


class TestWritePairs:
    """From graph to file."""

    def test_the_weights_are_written_if_there_are_any(self) -> None:
        G = nx.DiGraph([("a", "b"), ("b", "c")])
        G.add_node("z")
        assert write(G) == "preferred,other\na,b\nb,c\nz,\n"
        G.edges["a", "b"]["weight"] = 0
        assert write(G) == "preferred,other,weight\na,b,0\nb,c,\nz,,\n"
        assert write(G, columns=("w", "l"), delimiter=";") == "w;l\na;b\nb;c\nz;\n"
        assert write(nx.DiGraph()) == "preferred,other\n"

    def test_the_third_column_is_the_attribute_of_its_name(self) -> None:
        G = nx.DiGraph()
        G.add_edge("a", "b", support=7, weight=0.5, note="x")
        G.add_edge("b", "c", support=2.5)
        names = ("preferred", "other", "support")
        assert write(G, columns=names) == "preferred,other,support\na,b,7\nb,c,2.5\n"
        assert weighted_edges(read(write(G, columns=names), columns=names)) == [
            ("a", "b", 7),
            ("b", "c", 2.5),
        ]
        assert write(G, columns=("u", "v", "n")) == "u,v,n\na,b,0.5\nb,c,\n"
        assert write(G, columns=names[:2]) == "preferred,other\na,b\nb,c\n"
        with pytest.raises(PorankError, match="number >= 0 as note of 'a' > 'b', found 'x'"):
            write(G, columns=("u", "v", "note"))

    def test_numpy_and_truth_are_written_as_plain_numbers(self) -> None:
        G = from_matrix([[0, 1], [2.5, 0]])
        G.edges[0, 1]["weight"] = np.float32(0.5)
        assert write(G) == "preferred,other,weight\n0,1,0.5\n1,0,2.5\n"
        G.edges[0, 1]["weight"] = True
        assert "0,1,1\n" in write(G)

    @pytest.mark.parametrize("name", ["pairs.csv", "pairs.tsv"])
    @pytest.mark.parametrize("columns", [("preferred", "other", "weight"), ("a,b", '"', "\n")])
    def test_there_and_back(self, tmp_path: Path, name: str, columns: Any) -> None:
        path = tmp_path / name

        @given(weighted_graphs())
        def check(G: nx.DiGraph) -> None:
            before = G.copy()
            write_pairs(G, path, columns=columns)
            names = columns if any(w is not None for *_, w in weighted_edges(G)) else columns[:2]
            H = read_pairs(path, columns=names)
            assert set(H) == set(G)
            assert set(weighted_edges(H)) == set(weighted_edges(G))
            assert [*map(type, dict(G.edges).values())] == [*map(type, dict(H.edges).values())]
            assert nx.utils.graphs_equal(G, before)

        check()
        assert list(tmp_path.iterdir()) == [path]

    def test_labels_must_differ_and_not_be_empty_or_have_blanks_around(self) -> None:
        with pytest.raises(PorankError, match="found 'a ', whose text has blanks round it"):
            write(nx.DiGraph([("a ", "b")]))
        with pytest.raises(PorankError, match="items whose texts differ, found 1 and '1'"):
            write(nx.DiGraph([(1, "1")]))
        with pytest.raises(PorankError, match="items with a text, found '', whose text is empty"):
            write(nx.DiGraph([("", "b")]))

    @pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "2", [1]])
    def test_the_edge_of_a_bad_weight_is_named(self, weight: Any) -> None:
        G = nx.DiGraph()
        G.add_edge("a", "b", weight=weight)
        with pytest.raises(PorankError, match="finite number >= 0 as weight of 'a' > 'b'"):
            write(G)

    def test_columns_are_names_here(self) -> None:
        with pytest.raises(
            PorankError, match=r"expected two or three different names as columns, found \(0, 1, 2"
        ):
            write(nx.DiGraph(), columns=(0, 1, 2))
        with pytest.raises(PorankError, match="expected two or three different names"):
            write(nx.DiGraph(), columns=("a", "a", "b"))

    def test_only_digraphs_are_written(self) -> None:
        with pytest.raises(GraphTypeError, match="found the undirected Graph"):
            write(nx.Graph(["ab"]))


@pytest.mark.skipif(os.name != "posix", reason="pipes are those of POSIX")
def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_pairs(nx.DiGraph(["ab"]), pipe)
    assert os.read(reader, 100) == b"preferred,other\na,b\n"
    os.close(reader)
    assert pipe.is_fifo()


def test_a_header_is_known_in_any_case() -> None:
    assert list(read_pairs(io.StringIO("Preferred, OTHER\na,b\n")).edges) == [("a", "b")]


def test_scores_are_written_too() -> None:
    target = io.StringIO()
    write_pairs({"a": 2, "b": 1}, target)
    assert target.getvalue() == "preferred,other\na,b\n"


class TestCountedPairs:
    """Lines of pairs as evidence."""

    @pytest.mark.parametrize("header", ["winner,loser", "Chosen,Rejected", "preferred,other", ""])
    def test_each_line_counts(self, header: str) -> None:
        lines = ["a,b"] * 6 + ["b,a", "c,"]
        G = po.read_pairs(io.StringIO("\n".join(filter(None, [header, *lines]))), counts=True)
        assert list(G.edges(data=True)) == [
            ("a", "b", {"support": 6, "against": 1}),
            ("b", "a", {"support": 1, "against": 6}),
        ]
        assert list(G) == ["a", "b", "c"]

    def test_weights_are_summed_and_nothing_is_no_edge(self) -> None:
        text = "preferred,other,weight\na,b,2\na,b,0.5\nb,a,0\nb,c,\n"
        G = po.read_pairs(io.StringIO(text), counts=True)
        assert list(G.edges(data=True)) == [
            ("a", "b", {"support": 2.5, "against": 0}),
            ("b", "c", {"support": 1, "against": 0}),
        ]

    def test_bad_lines_are_reported(self) -> None:
        G = po.read_pairs(io.StringIO("a,b\na\na,b\n"), counts=True, errors="report")
        assert [problem.line for problem in G.graph["problems"]] == [2]
        assert G.edges["a", "b"]["support"] == 2

    def test_pairs_in_memory(self) -> None:
        G = po.from_pairs(iter([("a", "b"), ("a", "b"), ("b", "a")]), items="c", counts=True)
        assert list(G) == ["c", "a", "b"]
        assert G.edges["a", "b"] == {"support": 2, "against": 1}
        assert str(po.feedback_relation(G).degree("a", "b")) == "3/5"

    @pytest.mark.parametrize("wrong", [1, None, "yes"])
    def test_counts_is_a_flag(self, wrong: Any) -> None:
        with pytest.raises(PorankError, match="counts"):
            po.read_pairs(io.StringIO("a,b"), counts=wrong)
        with pytest.raises(PorankError, match="counts"):
            po.from_pairs([("a", "b")], counts=wrong)
