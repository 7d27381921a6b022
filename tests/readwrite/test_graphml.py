"""Orders as GraphML, and as texts of DOT and Mermaid."""

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import GraphTypeError, ParseError
from tests.support.texts import graphs, source, written

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.one_of(TEXTS, NUMBERS, st.booleans())
TIES = st.none() | st.integers(0, 1)


def attributes(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(["weight", "tie", "note"]), values, max_size=2)


def tied(G: nx.DiGraph) -> set[frozenset[Any]]:
    groups: dict[Any, set[Any]] = {}
    for item, tie in G.nodes(data="tie"):
        if tie is not None:
            groups.setdefault(tie, set()).add(item)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def require_same(H: nx.DiGraph, G: nx.DiGraph) -> None:
    """Assert that two graphs have the same items, edges and ties, of the same types."""
    assert list(map(repr, H)) == list(map(repr, G))
    assert list(map(repr, H.edges(data=True))) == list(map(repr, G.edges(data=True)))
    assert tied(H) == tied(G)


class TestGraphml:
    """GraphML."""

    LABELS = st.text(st.sampled_from("ab<&>\"' \n\té日"), max_size=3)
    VALUES = st.sampled_from(["x", "<&>", ""]) | st.integers(-(2**40), 2**40) | st.floats(-9, 9)

    @given(graphs(LABELS, attributes(VALUES), TIES))
    def test_there_and_back(self, G: nx.DiGraph) -> None:
        require_same(po.read_graphml(source(written(po.write_graphml, G))), G)

    def test_numbers_of_numpy_are_plain_and_fractions_floats(self) -> None:
        G = nx.DiGraph()
        G.add_edge(np.int64(3), "b", weight=np.float32(0.5))
        found = po.read_graphml(source(written(po.write_graphml, G)))
        assert list(found.edges(data=True)) == [("3", "b", {"weight": 0.5})]
        order = po.predict_order(po.preference_relation([[3, 2, 1], [3, 1, 2], [3, 2, 1]]))
        degree = {"degree": 2 / 3, "added": False, "margin": 1}
        assert po.read_graphml(source(written(po.write_graphml, order))).edges["1", "2"] == degree

    def test_numbers_become_texts_and_ties_numbers(self) -> None:
        G = nx.DiGraph([(1, 2), (1, 3)], name="drinks", problems=())
        nx.set_node_attributes(G, {1: 7, 2: ("x",), 3: ("x",)}, "tie")
        H = po.read_graphml(source(written(po.write_graphml, G)))
        assert list(H.edges) == [("1", "2"), ("1", "3")]
        assert dict(H.nodes(data=True)) == {"1": {}, "2": {"tie": 0}, "3": {"tie": 0}}
        assert not {"name", "problems"} & set(H.graph)
        assert list(po.read_graphml(source(written(po.write_graphml, {1: 1, 2: 0}))).edges)

    def test_what_is_no_graph_of_an_order(self, tmp_path: Path) -> None:
        path = tmp_path / "graph.graphml"
        for G, found in (
            (nx.Graph(["ab"]), "an undirected one"),
            (nx.MultiDiGraph(["ab", "ab"]), "parallel edges"),
        ):
            nx.write_graphml_xml(G, path)
            with pytest.raises(GraphTypeError, match=rf"graph\.graphml, found .*{found}"):
                po.read_graphml(path)
        for text, line, column in (("<graphml>\n<graph", 2, 1), ("", 1, 1)):
            with pytest.raises(ParseError, match="as XML") as bad:
                po.read_graphml(source(text))
            assert (bad.value.line, bad.value.column) == (line, column)
        with pytest.raises(ParseError, match="one graph in the GraphML file, found 0"):
            po.read_graphml(source("<other/>"))
        text = '<graphml><graph edgedefault="directed"><node id="a"/></graph></graphml>'
        assert list(po.read_graphml(source(text))) == ["a"], "the namespace may be left out"
