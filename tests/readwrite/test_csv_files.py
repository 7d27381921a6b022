"""Preference pairs and ranks in CSV and TSV files."""

import io
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.convert.rankings import from_matrix
from porank.core.columns import as_label
from porank.errors import ParseError
from tests.support.oracles_files import levels_of_scores
from tests.support.refusals import refuses
from tests.support.texts import graphs, source, written

ODD = ["a,b", "a\tb", '"', '""', "a\nb", "a\rb", "a\r\nb", "a  b", "é", "日本", ";", "\ufeff"]
LABELS = st.sampled_from([*"ab", *ODD]) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4
).filter(lambda text: text == as_label(text) != "")
WEIGHTS = st.integers(0, 10**30) | st.floats(0, allow_nan=False, allow_infinity=False)


def read(text: str, **options: Any) -> nx.DiGraph:
    return po.read_pairs(source(text), **options)


def pairs_of(text: str, **options: Any) -> list[Any]:
    return list(read(text, **options).edges(data="weight"))


class TestReadPairs:
    """From file to graph."""

    def test_one_graph_in_many_forms(self) -> None:
        for text in (
            "A,B,2\nA,C,\nD,,",
            "\ufeffPreferred , OTHER,weight\r\n A, B ,2\r\n\r\nA,C,\r\n,,\r\nD,,",
            "weight,x,other,preferred\n2,?,B,A\n,,C,A\n,,,D\n",
            '"preferred";"other";"weight"\n"A";"B";" 2 "\nA;"C";\nD;;',
            "\n\nA\tB\t2\nA\tC\t\nD\t\t\n",
            "preferred,other,weight,\nA,B,2,\nA,C,,\nD,,,\n",
            "A|B|2\r\nA|C|\r\nD||\r\nA|B|2.0\r\n",
        ):
            G = read(text)
            assert list(G.edges(data=True)) == [("A", "B", {"weight": 2}), ("A", "C", {})]
            assert (list(G), G.graph) == (["A", "B", "C", "D"], {})
            sign = next(sign for sign in ";\t|," if sign in text)
            assert nx.utils.graphs_equal(read(text, delimiter=sign), G)

    def test_a_file_without_pairs_is_an_empty_graph(self) -> None:
        for text in ("", "\n\n", "preferred,other\n", "preferred,other,weight"):
            assert len(read(text)) == 0
        assert len(read("", columns=("winner", "loser"))) == 0

    def test_columns_by_name_and_by_position(self) -> None:
        text = "loser,when,winner,n\nB,1999,A,3\n"
        assert pairs_of(text, columns=("winner", "loser", "n")) == [("A", "B", 3)]
        assert pairs_of(text, columns=("winner", "loser")) == [("A", "B", None)]
        assert pairs_of("B,1999,A,3\n", columns=(2, 0, 3)) == [("A", "B", 3)]
        assert pairs_of("x,A,B\n", columns=(1, 2, 3)) == [("A", "B", None)]
        assert pairs_of("winner;loser\nA;B\n", columns=("winner", "loser")) == [("A", "B", None)]
        assert pairs_of("a b c\n", delimiter=" ", columns=(0, 2)) == [("a", "c", None)]
        assert pairs_of("weight,size\n") == [("weight", "size", None)], "an item may be called so"

    def test_weights_are_ints_where_they_are_written_so(self) -> None:
        found = pairs_of("a,b,3\na,c,3.0\na,d,1e2\na,e,0\na,g,+5\na,h,123456789012345678901\n")
        weights = [w for *_, w in found]
        assert weights == [3, 3.0, 100.0, 0, 5, 123456789012345678901]
        assert list(map(type, weights)) == [int, float, float, int, int, int]

    def test_the_good_lines_and_the_bad_ones(self) -> None:
        text = "a,b,1\nb\n,c,\nb,c,x\na,b,2\nb,c,\na,,3\nd,,\nA,B\nb,c,\n\n"
        G = read(text, errors="report")
        assert list(G.edges(data="weight")) == [("a", "b", 1), ("b", "c", None)]
        assert list(G) == ["a", "b", "c", "d"]
        problems = [(problem.line, problem.text) for problem in G.graph["problems"]]
        lines = text.split("\n")
        assert problems == [(line, lines[line - 1]) for line in (2, 3, 4, 5, 7, 9)]
        assert "found 1 in line 1 and 2 in line 5" in G.graph["problems"][3].message
        assert G.copy().graph["problems"] == G.graph["problems"]
        assert read("a,b\n", errors="report").graph == {"problems": ()}
        with pytest.raises(ParseError, match="line 1: expected one column 'n' in the header"):
            read("a,b\n1,2\n", columns=("a", "n"), errors="report")

    def test_the_name_of_the_file_tells_the_delimiter(self, tmp_path: Path) -> None:
        for suffix, sign in ((".csv", ","), (".TSV", "\t"), (".tab", "\t")):
            path = tmp_path / f"pairs{suffix}"
            path.write_text(f"a b{sign}c;d\n", encoding="utf-8-sig")
            with path.open("r") as text:
                for given_source in (path, text):
                    assert list(po.read_pairs(given_source).edges) == [("a b", "c;d")]
            assert list(po.read_pairs(path, delimiter=" ").edges) == [("a", f"b{sign}c;d")]


class TestCountedPairs:
    """Lines of pairs as evidence."""

    def test_each_line_counts(self) -> None:
        lines = "a,b\n" * 6 + "b,a\nc,\n"
        for header in ("winner,loser\n", "Chosen,Rejected\n", "preferred,other\n", ""):
            G = read(header + lines, counts=True)
            assert list(G.edges(data=True)) == [
                ("a", "b", {"support": 6, "against": 1}),
                ("b", "a", {"support": 1, "against": 6}),
            ]
            assert list(G) == ["a", "b", "c"]

    def test_weights_are_summed_and_nothing_is_no_edge(self) -> None:
        text = "preferred,other,weight\na,b,2\na\na,b,0.5\nb,a,0\nb,c,\n"
        G = read(text, counts=True, errors="report")
        assert list(G.edges(data=True)) == [
            ("a", "b", {"support": 2.5, "against": 0}),
            ("b", "c", {"support": 1, "against": 0}),
        ]
        assert [problem.line for problem in G.graph["problems"]] == [3]

    @pytest.mark.parametrize("name", ["support", "Times", "count", "counts", "n", "wins"])
    def test_a_column_of_counts_is_support(self, name: str) -> None:
        text = f"winner,loser,{name}\na,b,3\nb,a,1\na,b,1\n"
        columns = {"winner": ["a", "b", "a"], "loser": ["b", "a", "b"], name: [3, 1, 1]}
        graphs: list[Any] = [read(text), po.from_pairs(columns)]
        for G in (*graphs, po.read_order(source(text), format="csv")):
            assert G.edges["a", "b"] == {"support": 4, "against": 1}
            assert G.edges["b", "a"] == {"support": 1, "against": 4}

    def test_written_support_comes_back(self) -> None:
        G = po.from_pairs(["ab", "ba", "ab", "bc"], counts=True)
        columns = ("preferred", "other", "support")
        file = io.StringIO()
        po.write_pairs(G, file, columns=columns)
        for options in ({}, {"columns": columns}):
            found = read(file.getvalue(), **options)
            assert list(found.edges(data=True)) == list(G.edges(data=True))


NAMES: list[tuple[str, str]] = [
    ("Preferred,preferred,other\nx,a,b\n", "the exact name"),
    ("preferred,Preferred,other,Other\na,x,b,y\n", "the exact names"),
    ("PREFERRED, Other \na,b\n", "any case"),
    ("best,Worst\na,b\n", "the first and the last of a question"),
    ("Top,bottom\na,b\n", "the first and the last of a question"),
    ("sep=;\npreferred;other\na;b\n", "the line of Excel"),
    ("\ufeffSEP=|\r\npreferred|other\r\n\r\na|b\r\n", "the line of Excel, with its marks"),
    ("sep=;\na;b\n", "no header"),
]


@pytest.mark.parametrize(("text", "why"), NAMES)
def test_names_of_columns_of_pairs(text: str, why: str) -> None:
    assert pairs_of(text) == [("a", "b", None)], why


def test_the_line_of_excel_counts_as_a_line() -> None:
    with pytest.raises(ParseError, match="line 4: expected 2 cells, found 1"):
        read("sep=;\npreferred;other\na;b\nc\n")
    assert list(po.read_ranks(source("sep=;\nItem;item;rank\nx;a;1\n"))) == ["a"]


def test_names_that_say_too_little_are_asked_about() -> None:
    with pytest.raises(ParseError, match="one column 'preferred' in the header, found 2"):
        read("Preferred,PREFERRED,other\na,b,c\n")
    for names in ("source,target", "From,To,weight", "src,dst", "item1,Item2", "u,v"):
        first, second, *_ = names.split(",")
        with pytest.raises(ParseError, match=f"found '{first}', '{second}'") as caught:
            read(f"{names}\na,b{',1' * names.count('weight')}\n")
        assert "columns=(0, 1) makes them items" in str(caught.value)
    assert pairs_of("source,target\na,b\n", columns=("source", "target")) == [("a", "b", None)]
    items = pairs_of("source,target\na,b\n", columns=(0, 1))
    assert items == [("source", "target", None), ("a", "b", None)]
    assert pairs_of("target,source\n") == [("target", "source", None)]


class TestWritePairs:
    """From graph to file."""

    @pytest.mark.filterwarnings("ignore:.*perhaps because of a stray quote", "ignore:labels that")
    @given(
        graphs(LABELS, st.fixed_dictionaries({}, optional={"weight": WEIGHTS}), st.none()),
        st.sampled_from([("preferred", "other", "weight"), ("a,b", '"', "x\ny")]),
        st.sampled_from(",\t"),
    )
    def test_there_and_back(self, G: nx.DiGraph, columns: Any, sign: str) -> None:
        text = written(po.write_pairs, G, columns=columns, delimiter=sign)
        has_weights = any(w is not None for *_, w in G.edges(data="weight"))
        H = read(text, columns=columns if has_weights else columns[:2], delimiter=sign)
        assert set(H) == set(G)
        found, given_edges = (set(map(repr, each.edges(data=True))) for each in (H, G))
        assert found == given_edges, "whose weights have the same types"

    def test_the_third_column_is_the_attribute_of_its_name(self) -> None:
        G = nx.DiGraph([("a", "b"), ("b", "c")])
        G.add_node("z")
        assert written(po.write_pairs, G) == "preferred,other\na,b\nb,c\nz,\n"
        G.edges["a", "b"].update(weight=0, support=7)
        G.edges["b", "c"].update(support=2.5)
        assert written(po.write_pairs, G) == "preferred,other,weight\na,b,0\nb,c,\nz,,\n"
        names = ("u", "v", "support")
        assert written(po.write_pairs, G, columns=names) == "u,v,support\na,b,7\nb,c,2.5\nz,,\n"
        assert written(po.write_pairs, G, columns=("u", "v", "n")).startswith("u,v,n\na,b,0\n")
        assert written(po.write_pairs, G, columns=names[:2]) == "u,v\na,b\nb,c\nz,\n"
        assert written(po.write_pairs, {"a": 2, "b": 1}) == "preferred,other\na,b\n"
        assert written(po.write_pairs, nx.DiGraph(), delimiter=";") == "preferred;other\n"

    def test_numpy_and_truth_are_written_as_plain_numbers(self) -> None:
        G = from_matrix([[0, 1], [2.5, 0]])
        G.edges[0, 1]["weight"] = np.float32(0.5)
        assert written(po.write_pairs, G) == "preferred,other,weight\n0,1,0.5\n1,0,2.5\n"
        G.edges[0, 1]["weight"] = True
        assert "0,1,1\n" in written(po.write_pairs, G)


class TestRanks:
    """Rank tables."""

    def test_one_order_in_many_forms(self) -> None:
        for text in (
            "A,2\nB,1.0\nC,2e0\n",
            "\ufeffRank , x,ITEM\r\n2,?,A\r\n\r\n1,,B\r\n2,,C",
            'item,rank\n"A",+2\nB,-1\nC, 2 \n',
        ):
            G = po.read_ranks(source(text))
            assert po.levels(G) == [["B"], ["A", "C"]]
            assert G.nodes["A"]["tie"] == G.nodes["C"]["tie"]
            assert "problems" not in G.graph
            reported = po.read_ranks(source(text), errors="report")
            assert (list(reported.edges), reported.graph) == (list(G.edges), {"problems": ()})

    def test_columns_are_chosen_by_name_or_number(self, tmp_path: Path) -> None:
        path = tmp_path / "table.tsv"
        path.write_text("place\twho\n2\tA\n1\tB\n")
        assert list(po.read_ranks(path, columns=("who", "place")).edges) == [("B", "A")]
        body = source("2;A\n1;B\n")
        assert list(po.read_ranks(body, columns=(1, 0), delimiter=";").edges) == [("B", "A")]
        text = written(po.write_ranks, {"a": 1}, columns=("w,ho", "n"))
        assert text == '"w,ho",n\na,1\n'

    @pytest.mark.filterwarnings("ignore:.*perhaps because of a stray quote", "ignore:labels that")
    @given(st.dictionaries(LABELS, st.integers(0, 3)))
    def test_there_and_back(self, scores: dict[str, int]) -> None:
        text = written(po.write_ranks, scores)
        G = po.read_ranks(source(text))
        assert list(map(set, po.levels(G))) == levels_of_scores(scores)
        assert written(po.write_ranks, G) == written(po.write_ranks, po.from_scores(scores))


@pytest.mark.parametrize("read", [po.read_pairs, po.read_ranks])
def test_stray_quotes_that_join_lines_are_told(read: Any) -> None:
    text = 'item,rank\na,1\n"b,2\nc,d",3\n"x\ny",4\n'
    text = text if read is po.read_ranks else text.replace("item,rank", "preferred,other")
    with pytest.warns(UserWarning, match="stray quote") as told:
        assert "b,2\nc,d" in read(source(text))
    lines = [str(each.message).partition(":")[0] for each in told]
    assert lines == ["line 3", "line 4"]


PAIRS = {"preferred": ["a", "b", "d"], "other": ["b", "c", None], "weight": [2, 0.5, None]}
RANKED = {"item": [" a", "b"], "rank": [2, 1.5]}


@pytest.mark.parametrize(
    ("columns", "read_table"), [(PAIRS, po.read_pairs), (RANKED, po.read_ranks)]
)
def test_each_form_of_a_table_gives_the_same_order(
    columns: dict[str, Any], read_table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pandas, polars, arrow = map(import_module, ("pandas", "polars", "pyarrow"))
    frame = pandas.DataFrame(columns)
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    frame.to_csv("t.csv", index=False)
    frame.to_parquet("t.parquet")
    frame.to_feather("t.feather")
    frame.to_feather("t.arrow")
    Path("t.json").write_text(json.dumps(rows))
    Path("t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    paths = [f"t.{suffix}" for suffix in ("csv", "parquet", "feather", "arrow", "json", "jsonl")]
    expected = read_table("t.csv")
    for table in (*paths, frame, polars.DataFrame(frame), arrow.table(columns), columns, rows):
        found = read_table(table)
        assert list(found) == list(expected)
        assert list(found.edges(data=True)) == list(expected.edges(data=True))
    for path in paths:
        assert po.format_order(po.read_order(path)) == po.format_order(po.read_order("t.csv"))


def test_positions_of_columns_in_tables_with_names_and_without() -> None:
    columns = {"x": ["a"], "y": ["b"], "w": [2]}
    rows = [("a", "b", 2)]
    for table in (columns, rows):
        found = po.read_pairs(table, columns=(1, 0, 2))
        assert list(found.edges(data="weight")) == [("b", "a", 2)]
    assert list(po.read_pairs(rows).edges(data="weight")) == [("a", "b", 2)]
    with pytest.raises(ParseError, match="'preferred' and 'other', found 'x', 'y', 'w'"):
        po.read_pairs(columns)
    refuses("'item' and 'rank', found 'x', 'y', 'w'", po.read_ranks, columns, error=ParseError)


@pytest.mark.parametrize("file", ["pairs.csv", Path("pairs.csv"), io.StringIO("a,b")])
def test_from_pairs_names_the_function_that_reads_files(file: Any) -> None:
    refuses("found a file or text; read_pairs reads files", po.from_pairs, file)
