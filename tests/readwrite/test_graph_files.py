"""Orders as rank tables, JSON, GraphML and DOT."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import GraphTypeError, ParseError, PorankError
from tests.oracles_files import levels_of_scores

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.one_of(TEXTS, NUMBERS, st.booleans())


@st.composite
def attributed_graphs(draw: st.DrawFn, labels: st.SearchStrategy[Any], values: Any) -> nx.DiGraph:
    items = draw(st.lists(labels, unique=True, max_size=5))
    G = nx.DiGraph()
    for item in items:
        G.add_node(item, **({"tie": draw(st.integers(0, 1))} if draw(st.booleans()) else {}))
    for u in items:
        for v in items:
            if draw(st.booleans()):
                names = st.sampled_from(["weight", "support", "note"])
                G.add_edge(u, v, **draw(st.dictionaries(names, values, max_size=2)))
    return G


def written(write: Callable[..., None], value: Any, **options: Any) -> str:
    target = io.StringIO(newline="")
    write(value, target, **options)
    return target.getvalue()


def source(text: str) -> io.StringIO:
    return io.StringIO(text, newline="")


def tied(G: nx.DiGraph) -> set[frozenset[Any]]:
    groups: dict[Any, set[Any]] = {}
    for item, tie in G.nodes(data="tie"):
        if tie is not None:
            groups.setdefault(tie, set()).add(item)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def edges(G: nx.DiGraph) -> list[Any]:
    return [(u, v, data) for u, v, data in G.edges(data=True)]


def typed(value: Any) -> str:
    return repr(value)


class TestRanks:
    """Rank tables."""

    @pytest.mark.parametrize(
        "text",
        [
            "item,rank\nA,2\nB,1\nC,2\n",
            "A,2\nB,1.0\nC,2e0\n",
            "\ufeffRank , x,ITEM\r\n2,?,A\r\n\r\n1,,B\r\n2,,C",
            'item,rank\n"A",+2\nB,-1\nC, 2 \n',
        ],
    )
    def test_with_a_header_and_without_one(self, text: str) -> None:
        G = po.read_ranks(source(text))
        assert po.levels(G) == [["B"], ["A", "C"]]
        assert G.nodes["A"]["tie"] == G.nodes["C"]["tie"]
        assert "problems" not in G.graph
        reported = po.read_ranks(source(text), errors="report")
        assert (list(reported.edges), reported.graph) == (list(G.edges), {"problems": ()})

    def test_columns(self, tmp_path: Path) -> None:
        path = tmp_path / "table.tsv"
        path.write_text("place\twho\n2\tA\n1\tB\n")
        assert list(po.read_ranks(path, columns=("who", "place")).edges) == [("B", "A")]
        body = source("2;A\n1;B\n")
        assert list(po.read_ranks(body, columns=(1, 0), delimiter=";").edges) == [("B", "A")]
        with pytest.raises(ParseError, match="one column 'n' in the header, found 0"):
            po.read_ranks(path, columns=("who", "n"))
        wrong: list[Any] = [None, {"a", "b"}, "ab", ("a",), ("a", "a"), (0, -1), ("a", 1)]
        for columns in wrong:
            with pytest.raises(PorankError, match="two different names, or as many positions from"):
                po.read_ranks(path, columns=columns)

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("A", "expected 2 cells, found 1"),
            ("A,1,2", "expected 2 cells, found 3"),
            (",3", "expected an item, found an empty cell"),
            ("D,first", "expected a finite number as rank, found 'first'"),
            ("D,nan", "expected a finite number as rank, found 'nan'"),
            ("D,1e999", "expected a finite number as rank, found '1e999'"),
            ("D,1_0", "expected a finite number as rank, found '1_0'"),
            ("A,1", "expected one rank for each item, found 'A' again"),
        ],
    )
    def test_a_bad_line(self, line: str, message: str) -> None:
        text = f"A,1\nB,2\n{line}\nC,3\n"
        with pytest.raises(ParseError) as caught:
            po.read_ranks(source(text))
        assert (caught.value.line, caught.value.text) == (3, line)
        assert message in str(caught.value)
        G = po.read_ranks(source(text), errors="report")
        assert list(G) == ["A", "B", "C"]
        assert [(found.line, found.text) for found in G.graph["problems"]] == [(3, line)]
        assert nx.DiGraph(G).graph["problems"] == G.graph["problems"]

    @given(
        st.dictionaries(TEXTS.filter(lambda text: text.strip(" ") == text != ""), st.integers(0, 3))
    )
    def test_there_and_back(self, scores: dict[str, int]) -> None:
        G = po.read_ranks(source(written(po.write_ranks, scores)))
        assert list(map(set, po.levels(G))) == levels_of_scores(scores)
        assert written(po.write_ranks, G) == written(po.write_ranks, po.from_scores(scores))

    def test_what_cannot_be_written(self) -> None:
        with pytest.raises(PorankError, match="found 'b' and 'c' incomparable; from_levels"):
            written(po.write_ranks, nx.DiGraph(["ab", "ac"]))
        with pytest.raises(PorankError, match="items with a text"):
            written(po.write_ranks, {"": 1})
        with pytest.raises(PorankError, match=r"two different names as columns, found \(0, 1\)"):
            written(po.write_ranks, {"a": 1}, columns=(0, 1))
        assert written(po.write_ranks, {"a": 1}, columns=("w,ho", "n")) == '"w,ho",n\na,1\n'
        assert written(po.write_ranks, {}) == "item,rank\n"


class TestJson:
    """JSON: labels keep their types."""

    @given(attributed_graphs(VALUES, VALUES | st.none()))
    def test_there_and_back(self, G: nx.DiGraph) -> None:
        H = po.read_json(source(written(po.write_json, G)))
        assert list(map(typed, H)) == list(map(typed, G))
        assert list(map(typed, edges(H))) == list(map(typed, edges(G)))
        assert tied(H) == tied(G)

    def test_scores_are_written_as_levels(self) -> None:
        text = written(po.write_json, {"b": 1, 2: 3, "a": 1})
        assert json.loads(text) == {"levels": [[2], ["b", "a"]]}
        G = po.read_json(source(text))
        assert po.levels(G) == [[2], ["b", "a"]]
        assert tied(G) == {frozenset("ab")}
        large = dict.fromkeys(range(20000), 1) | {-1: 0}
        assert len(json.loads(written(po.write_json, large))["levels"][0]) == 20000
        assert list(po.read_json(source(written(po.write_json, {})))) == []

    def test_numbers_of_numpy_are_plain(self) -> None:
        G = nx.DiGraph()
        G.add_edge(np.int64(3), "b", weight=np.float32(0.5))
        assert edges(po.read_json(source(written(po.write_json, G)))) == [(3, "b", {"weight": 0.5})]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("[1]", "expected an object with 'items', 'edges', 'ties' or 'levels', found [1]"),
            ('{"nodes": []}', "found the keys 'nodes'"),
            ('{"items": "ab"}', "expected a list as items, found 'ab'"),
            ('{"items": [["a"]]}', "expected texts or numbers in items, found ['a']"),
            ('{"items": [null]}', "expected texts or numbers in items, found None"),
            ('{"items": [1, 1.0]}', "expected each item once in items, found one again"),
            ('{"edges": [["a"]]}', "or [preferred, other, {...}] as edges[0], found ['a']"),
            ('{"edges": [["a", "b", 2]]}', "as edges[0], found ['a', 'b', 2]"),
            ('{"edges": [["a", []]]}', "expected texts or numbers in edges[0], found []"),
            ('{"edges": [["a","b"],["a","b"]]}', "found 'a' > 'b' again in edges[1]"),
            ('{"ties": [["a"]]}', "items of the order, each once, in ties, found 'a'"),
            ('{"items": ["a"], "ties": [["a", "a"]]}', "each once, in ties, found 'a'"),
            ('{"ties": ["ab"]}', "expected a list of items as ties[0], found 'ab'"),
            ('{"levels": [["a"]], "items": []}', "expected 'levels' alone"),
            ('{"levels": [["a"], ["a"]]}', "expected each item once in the levels"),
            ('{"levels": [[]]}', "expected an item in each level, found level 1 empty"),
            ('{"items": [NaN]}', "expected texts or numbers in items, found nan"),
            ('{"edges": [["A", "B", {"x": 1e999}]]}', "attributes of edges, found inf in edges[0]"),
            ('{"edges": [["A", "B", {"x": [1]}]]}', "found [1] in edges[0]"),
            ('{"edges": [["A", "B", {"x": {"y": 1}}]]}', "found {'y': 1} in edges[0]"),
            ('{"items": [], "items": []}', "a key twice among 'items', 'items'"),
            ('{"items": [' + "9" * 5000 + "]}", "expected plain JSON, found an error"),
            ("[" * 100_000, "expected plain JSON, found an error"),
            ('{"items": [1e999]}', "expected texts or numbers in items, found inf"),
        ],
    )
    def test_what_is_no_such_file(self, text: str, message: str) -> None:
        with pytest.raises(ParseError) as caught:
            po.read_json(source(text))
        assert message in str(caught.value)

    def test_the_place_of_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "order.json"
        path.write_text('{"items": [\n "a" "b"]}')
        with pytest.raises(
            ParseError, match=r"order\.json, line 2, column 6: expected JSON"
        ) as bad:
            po.read_json(path)
        assert bad.value.text == ' "a" "b"]}'
        path.write_text("{}")
        assert len(po.read_json(path)) == 0
        path.write_text('{"x": 1}')
        with pytest.raises(ParseError, match=r"order\.json: expected an object"):
            po.read_json(path)

    @pytest.mark.parametrize("item", [("a", 1), frozenset("ab"), b"a", float("inf"), 2 + 3j])
    def test_other_labels_are_refused(self, item: Any) -> None:
        G = nx.DiGraph()
        G.add_node(item)
        for value in (G, {item: 1}):
            with pytest.raises(PorankError, match=r"as item, found .*; nx\.relabel_nodes"):
                written(po.write_json, value)

    @pytest.mark.parametrize("data", [{"weight": float("nan")}, {"x": [1]}, {"x": {}}])
    def test_other_attributes_are_refused(self, data: dict[str, Any]) -> None:
        G = nx.DiGraph()
        G.add_edge("a", "b", **data)
        with pytest.raises(PorankError, match=r"as attributes of edges, found .* of 'a' > 'b'"):
            written(po.write_json, G)


class TestFractions:
    """Attributes that are fractions, as those of a predicted order, are written as floats."""

    G = po.predict_order(po.preference_relation([[3, 2, 1], [3, 1, 2], [3, 2, 1]]))

    def test_json_has_floats(self) -> None:
        target = io.StringIO()
        po.write_json(self.G, target)
        again = po.read_json(io.StringIO(target.getvalue()))
        degrees = {(u, v, float(degree)) for u, v, degree in self.G.edges(data="degree")}
        assert set(again.edges(data="degree")) == degrees
        with pytest.raises(po.ParseError, match=r"null as attributes of edges, .* in edges\[0\]"):
            po.read_json(io.StringIO('{"edges": [["A", "B", {"degree": [1]}]]}'))

    def test_graphml_has_floats(self) -> None:
        target = io.StringIO()
        po.write_graphml(self.G, target)
        again = po.read_graphml(io.StringIO(target.getvalue()))
        assert again.edges["1", "2"] == {"degree": 2 / 3, "added": False, "margin": 1}


class TestGraphml:
    """GraphML."""

    @given(
        attributed_graphs(
            st.text(st.sampled_from("ab<&>\"' \n\té日"), max_size=3),
            st.sampled_from(["x", "<&>", ""]) | st.integers(-(2**40), 2**40) | st.floats(-9, 9),
        )
    )
    def test_there_and_back(self, G: nx.DiGraph) -> None:
        H = po.read_graphml(source(written(po.write_graphml, G)))
        assert list(H) == list(G)
        assert list(map(typed, edges(H))) == list(map(typed, edges(G)))
        assert tied(H) == tied(G)

    def test_numbers_become_texts_and_ties_numbers(self) -> None:
        G = nx.DiGraph([(1, 2), (1, 3)])
        nx.set_node_attributes(G, {2: ("x",), 3: ("x",)}, "tie")
        H = po.read_graphml(source(written(po.write_graphml, G)))
        assert list(H.edges) == [("1", "2"), ("1", "3")]
        assert dict(H.nodes(data="tie")) == {"1": None, "2": 0, "3": 0}
        assert list(po.read_graphml(source(written(po.write_graphml, {"a": 1, "b": 0}))).edges) == [
            ("a", "b")
        ]

    def test_what_does_not_come_back(self) -> None:
        G = nx.DiGraph(name="drinks", problems=())
        G.add_node("a", tie=7)
        H = po.read_graphml(source(written(po.write_graphml, G)))
        assert dict(H.nodes(data=True)) == {"a": {}}
        assert "name" not in H.graph
        assert "problems" not in H.graph

    def test_edges_may_have_an_attribute_called_tie(self) -> None:
        G = nx.DiGraph()
        G.add_edge("a", "b", tie=3)
        assert edges(po.read_graphml(source(written(po.write_graphml, G)))) == edges(G)

    def test_what_cannot_be_written(self) -> None:
        for item in (("a", 1), frozenset("ab"), b"a"):
            with pytest.raises(PorankError, match="expected a text or a number as item, found"):
                written(po.write_graphml, nx.DiGraph([("a", item)]))
        G = nx.DiGraph()
        G.add_edge("a", "b", note=[1])
        with pytest.raises(PorankError, match=r"found 'note': \[1\] of \('a', 'b'\)"):
            written(po.write_graphml, G)
        G.edges["a", "b"]["note"] = None
        with pytest.raises(PorankError, match=r"found 'note': None of \('a', 'b'\)"):
            written(po.write_graphml, G)
        assert edges(po.read_json(source(written(po.write_json, G)))) == [
            ("a", "b", {"note": None})
        ]
        del G.edges["a", "b"]["note"]
        G.nodes["a"]["note"] = None
        with pytest.raises(PorankError, match="found 'note': None of 'a'"):
            written(po.write_graphml, G)
        with pytest.raises(
            PorankError, match=r"texts that XML can hold, found '\\x00' in 'a\\x00'"
        ):
            written(po.write_graphml, nx.DiGraph([("a\x00", "b")]))
        G = nx.DiGraph()
        G.add_edge("a", "b", **{"note\x00": 1})
        with pytest.raises(PorankError, match=r"texts that XML can hold, found '\\x00' in 'note"):
            written(po.write_graphml, G)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("<graphml>\n<graph", "line 2, column .*: expected XML, found an error"),
            ("", "expected XML"),
            ("<other/>", "expected one graph in the GraphML, found 0"),
        ],
    )
    def test_what_is_no_graphml(self, text: str, message: str) -> None:
        with pytest.raises(ParseError, match=message):
            po.read_graphml(source(text))

    def test_undirected_graphs_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "graph.graphml"
        nx.write_graphml_xml(nx.Graph(["ab"]), path)
        with pytest.raises(GraphTypeError, match=r"graph.graphml, found an undirected one"):
            po.read_graphml(path)
        nx.write_graphml_xml(nx.MultiDiGraph(["ab", "ab"]), path)
        with pytest.raises(GraphTypeError, match=r"graph.graphml, found one with parallel edges"):
            po.read_graphml(path)
        nx.write_graphml_xml(nx.DiGraph(["ab"]), path)
        assert list(po.read_graphml(path).edges) == [("a", "b")]


class TestDot:
    """DOT."""

    def test_the_reduction_with_ties_side_by_side(self) -> None:
        G = po.parse("a > b ~ c > d; a > d")
        assert po.to_dot(G).splitlines() == [
            "digraph order {",
            "  rankdir=TB;",
            "  node [shape=box];",
            *(f'  "{item}";' for item in "abcd"),
            '  {rank=same; "b"; "c"}',
            *(f'  "{u[0]}" -> "{u[1]}";' for u in ["ab", "ac", "bd", "cd"]),
            "}",
        ]

    def test_labels_and_weights(self) -> None:
        G = nx.DiGraph()
        G.add_edge('say "a"\\n', "two\nlines", weight=0.5)
        assert r'"a\r\nb";' in po.to_dot({"a\r\nb": 1})
        text = po.to_dot(G)
        assert r'  "say \"a\"\\n" -> "two\nlines" [label="0.5"];' in text.splitlines()

    def test_all_edges_of_a_graph_with_cycles(self) -> None:
        text = po.to_dot(nx.DiGraph(["ab", "ba", "bc", "ac"]))
        assert text.count("->") == 4
        assert po.to_dot(nx.DiGraph()).count("\n") == 4


class TestMermaid:
    """Flowcharts of Mermaid, each of which its renderer has shown with its names as they are."""

    def test_the_reduction_with_ties_in_a_box(self) -> None:
        G = po.parse("a > b ~ c > d; a > d")
        assert po.to_mermaid(G).splitlines() == [
            "flowchart TB",
            '  n0["a"]',
            '  n1["b ~ c"]',
            '  n3["d"]',
            "  n0 --> n1",
            "  n1 --> n3",
        ]

    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("thé 2", "thé 2"),
            ('"', "#34;"),
            ("#35;", "#35;35#59;"),
            ("%%{init", "#37;#37;#123;init"),
            ("</p>", "#60;#47;p#62;"),
            ("`_x_`", "#96;#95;x#95;#96;"),
            ("1. a", "1#46; a"),
            ("a\n b", "a b"),
            ("\u202e", "#92;u202e"),
            ("", "#160;"),
        ],
    )
    def test_no_name_is_more_than_a_name(self, name: str, shown: str) -> None:
        assert f'  n0["{shown}"]\n' in po.to_mermaid({name: 1})

    def test_weights_and_cycles(self) -> None:
        G = nx.DiGraph(["ab", "ba", "bc", "ac"])
        G["a"]["b"]["weight"] = 0.5
        text = po.to_mermaid(G)
        assert '  n0 -->|"0#46;5"| n1' in text.splitlines()
        assert text.count("-->") == 4
        assert po.to_mermaid(nx.DiGraph()) == "flowchart TB\n"
        with pytest.raises(PorankError, match="items whose texts differ"):
            po.to_mermaid(nx.DiGraph([(1, "1")]))


def graphml_texts(seed: int) -> Iterator[str]:
    """Graphs in GraphML whose nodes, edges, data and groups stand in any sequence."""
    rng = random.Random(seed)
    for _ in range(60):
        parts = [f'<node id="{i}"><data key="w">{i}.5</data></node>' for i in range(4)]
        for _ in range(4):
            ends = f'source="{rng.randrange(6)}" target="{rng.randrange(6)}"'
            parts.append(f'<edge {ends} id="e"><data key="n">x</data></edge>')
        inner = '<node id="h"/><edge source="h" target="0"/>'
        group = f'<node id="g" yfiles.foldertype="group"><graph>{inner}</graph></node>'
        parts += ['<data key="q">hi</data>', rng.choice(["<desc/>", group])]
        if rng.random() < 0.7:
            rng.shuffle(parts)
        graph = "\n".join(['<graph edgedefault="directed">', *parts, "</graph>"])
        keys = "".join(
            f'<key id="{key}" for="{owner}" attr.name="{key}" attr.type="{kind}"/>\n'
            for key, owner, kind in (
                ("w", "node", "double"),
                ("n", "edge", "string"),
                ("q", "graph", "string"),
            )
        )
        yield f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{keys}{graph}</graphml>'


def told(G: nx.DiGraph) -> list[Any]:
    return [G.graph, list(G.nodes(data=True)), list(G.edges(data=True))]
