"""Graphs that show themselves: their text, their picture, and who makes them."""

import copy
import doctest
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
import networkx as nx
import pytest
from hypothesis import given

import porank as po
from porank.core.arguments import texts_of
from porank.core.order_graph import OrderGraph
from tests.support.strategies import graphs, orders

SVG = "{http://www.w3.org/2000/svg}"


def texts_in(html: str) -> list[str]:
    """Return the texts of an SVG element."""
    return [str(text.text) for text in ET.fromstring(html).iter(f"{SVG}text")]


@given(orders())
def test_an_order_prints_as_its_notation(G: nx.DiGraph) -> None:
    closure = po.transitive_closure(G)
    assert str(closure) == (po.format_order(G) or "<total order of 0 items, 0 pairs>")


@given(graphs())
def test_a_cyclic_graph_prints_all_its_edges(G: nx.DiGraph) -> None:
    H = po.from_pairs(G.edges, items=G)
    if not po.is_acyclic(H) and "edge" not in str(H):
        assert str(H).endswith("  # cyclic")
        read = po.parse(str(H))
        text = texts_of(H)
        assert set(read.edges) == {(text[u], text[v]) for u, v in H.edges}
        assert set(read) == set(text.values())


def test_ties_of_a_cyclic_graph_are_written() -> None:
    assert str(po.parse("a > b > a; d ~ c > e")) == "a > b > a; c > e; d > e; c ~ d  # cyclic"


def test_long_texts_become_a_line() -> None:
    long = po.from_ranking(["x" * 50, "y" * 50])
    assert (str(long), repr(long)) == (
        f"{'x' * 50} > {'y' * 50}",
        "<total order of 2 items, 1 pair>",
    )
    assert str(po.chain(151)) == repr(po.chain(151)) == "<total order of 151 items, 11,325 pairs>"
    assert str(po.from_levels([range(600), ["a", "b"]])) == "<weak order of 602 items, 1,200 pairs>"
    assert str(po.from_intervals({k: (k, k + 9) for k in range(200)})).startswith("<semiorder of ")
    sparse = po.from_pairs([(0, 1), (1, 2), (3, 4)], items=range(2001))
    assert str(sparse) == "<order of 2,001 items, 3 edges>"
    sparse.add_edge(2, 0)
    assert str(sparse) == "<cyclic preferences of 2,001 items, 4 edges>"


def test_what_cannot_be_written_is_still_shown() -> None:
    G = po.parse("a ~ b > c")
    G.remove_edge("a", "c")
    assert str(G) == "<graph of 3 items, 1 edge>"
    assert G._repr_html_() == "<p>&lt;graph of 3 items, 1 edge&gt;</p>"
    with pytest.warns(UserWarning, match="differ only"):
        G = po.from_pairs([(1, "1")])
    assert repr(G) == "<graph of 2 items, 1 edge>"


COPIES: list[Callable[[nx.DiGraph], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda G: pickle.loads(pickle.dumps(G)),
    lambda G: G.copy(),
    lambda G: G.copy(as_view=True),
    lambda G: G.to_directed(),
    lambda G: G.to_directed(as_view=True),
    lambda G: G.subgraph(G),
    lambda G: G.edge_subgraph(G.edges),
    lambda G: G.reverse().reverse(copy=False),
    lambda G: nx.freeze(G.copy()),
    lambda G: nx.relabel_nodes(G, {}),
    nx.transitive_closure,
    lambda G: nx.transitive_closure(G, backend="porank"),
]


@pytest.mark.parametrize("copied", COPIES)
def test_it_survives_networkx(copied: Callable[[nx.DiGraph], Any]) -> None:
    G = po.parse("a > b ~ c > d")
    G.graph["why"] = "because"
    H = copied(G)
    assert (type(H), str(H), H.graph) == (OrderGraph, "a > b ~ c > d", {"why": "because"})
    assert po.kendall_tau(G, H) == 1


def test_it_has_no_state_of_its_own_and_graphs_of_others_are_as_before() -> None:
    assert vars(OrderGraph()).keys() == vars(nx.DiGraph()).keys()
    G = nx.DiGraph(po.parse("a > b"))
    assert (type(G), str(G)) == (nx.DiGraph, "DiGraph with 2 nodes and 1 edges")
    assert not hasattr(G, "_repr_html_")
    assert type(nx.transitive_closure(G, backend="porank")) is nx.DiGraph


def test_the_picture_is_text_with_a_label_and_leaves_nothing_behind() -> None:
    before = dict(mpl.rcParams)
    html = po.parse("'<a>' > b ~ c > d")._repr_html_()
    assert dict(mpl.rcParams) == before
    root = ET.fromstring(html)
    assert (root.get("role"), root.get("aria-label")) == ("img", 'Hasse diagram: "<a>" > b ~ c > d')
    assert {"<a>", "b ~ c", "d"} <= set(texts_in(html))
    assert not list(root.iter(f"{SVG}style"))
    # Names of parts would hold for the whole page.
    assert all(part.tag == f"{SVG}clipPath" for part in root.iter() if part.get("id"))


def test_large_and_empty_graphs_are_a_line_in_a_notebook() -> None:
    for G in (po.chain(151), po.parse("")):
        assert G._repr_html_() == f"<p>{str(G).replace('<', '&lt;').replace('>', '&gt;')}</p>"
    assert po.chain(150)._repr_html_().startswith("<svg")
    assert "a, b" in texts_in(po.parse("a > b > a > c")._repr_html_())


@pytest.mark.slow
def test_matplotlib_is_imported_for_pictures_only_and_pyplot_never() -> None:
    program = """
import sys, porank as po
G = po.parse("a > b")
text = repr(G), str(G)
assert "matplotlib" not in sys.modules
G._repr_html_()
assert "matplotlib" in sys.modules
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def graphs_in(value: object) -> Iterator[nx.Graph]:
    """Yield the graphs in what a function returns."""
    if isinstance(value, nx.Graph):
        yield value
    elif isinstance(value, Mapping) and type(value) is dict:
        for part in value.values():
            yield from graphs_in(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from graphs_in(part)


def examples_of(names: list[str]) -> Iterator[tuple[str, object]]:
    """Run the examples of functions and yield each function called in them, and its result."""
    called: list[tuple[str, Any]] = []

    def recorded(name: str, value: Any) -> Any:
        if not callable(value) or isinstance(value, type):
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            result = value(*args, **kwargs)
            is_iterator = isinstance(result, Iterator)
            called.append((name, list(result) if is_iterator else result))
            return iter(called[-1][1]) if is_iterator else result

        return call

    watched = SimpleNamespace(**{name: recorded(name, getattr(po, name)) for name in po.__all__})
    for name in names:
        scope: dict[str, Any] = {"watched": watched}
        for example in doctest.DocTestParser().get_examples(getattr(po, name).__doc__):
            source = example.source.replace("import porank as po", "po = watched")
            if example.exc_msg is None:
                exec(compile(source, name, "exec"), scope)
    return iter(called)


def makers() -> list[str]:
    """Return the public functions that return graphs, by annotation or for some arguments."""
    annotated = [
        name
        for name in po.__all__
        if "DiGraph" in str(getattr(getattr(po, name), "__annotations__", {}).get("return", ""))
    ]
    return [*annotated, "align", "restrict", "dual"]


def test_each_public_function_that_returns_a_graph_makes_one_that_shows_itself() -> None:
    names = makers()
    assert len(names) > 30
    found = list(examples_of(names))
    reached = {name for name, value in found for _ in graphs_in(value)}
    assert set(names) - reached == set()
    wrong = {name for name, value in found for G in graphs_in(value) if type(G) is not OrderGraph}
    assert wrong == set()


def test_graphs_of_results_show_themselves() -> None:
    votes = [po.from_ranking(vote) for vote in ("abc", "bac", "abc")]
    P = po.preference_relation(votes)
    curve, strengths = po.abstention_curve(P), po.fit_strengths(votes, ridge=1)
    graphs = [P.cut(0.6), curve.order(0.6), po.kemeny(votes).order(), strengths.order()]
    assert [type(G) for G in graphs] == [OrderGraph] * 4
    assert repr(po.kemeny(votes)) == "<Aggregate: a > b > c, cost 1, gap 0>"
