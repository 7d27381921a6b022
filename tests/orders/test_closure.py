"""Closure, reduction and single questions; and the backend that answers them for networkx."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import on_graphs, on_orders, reinserted


@on_graphs()
def test_graphs_by_definition(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    closed, reduced = po.transitive_closure(G), po.transitive_reduction(G)
    assert set(closed.edges) == said
    assert oracles.closure(reduced.edges) == said
    assert list(closed) == list(reduced) == list(G)
    for u, v in product(G, repeat=2):
        assert po.prefers(G, u, v) is ((u, v) in said)
    # No smaller graph says it: one cycle per component, and the reduction of the condensation.
    cyclic_components = [
        component
        for component in map(list, nx.strongly_connected_components(G))
        if len(component) > 1 or G.has_edge(component[0], component[0])
    ]
    between = nx.transitive_reduction(nx.condensation(G)).number_of_edges()
    assert reduced.number_of_edges() == sum(map(len, cyclic_components)) + between
    assert set(po.transitive_reduction(reinserted(G)).edges) == set(reduced.edges)


@on_orders()
def test_orders_by_definition(G: nx.DiGraph) -> None:
    said = oracles.closure(G.edges)
    assert set(po.transitive_reduction(G).edges) == oracles.reduction(G.edges)
    for x in G:
        assert po.up_set(G, x) == {u for u, v in said if v == x}
        assert po.down_set(G, x) == {v for u, v in said if u == x}


def test_scores_and_nothing() -> None:
    scores = {"a": 1, "b": 3, "c": 2, "d": 2}
    closed = po.transitive_closure(scores)
    assert sorted(closed.edges) == [("b", "a"), ("b", "c"), ("b", "d"), ("c", "a"), ("d", "a")]
    assert closed.nodes["c"]["tie"] == closed.nodes["d"]["tie"]
    assert (po.prefers(scores, "b", "a"), po.prefers(scores, "d", "c")) == (True, False)
    assert (po.up_set(scores, "c"), po.down_set(scores, "a")) == ({"b"}, set())
    nothing: list[Any] = [{}, [], np.array([])]
    for empty in nothing:
        assert len(po.transitive_closure(empty)) == len(po.transitive_reduction(empty)) == 0


def test_long_paths_are_searched_and_reduced_but_not_closed() -> None:
    G = nx.path_graph(10_000, create_using=nx.DiGraph)
    assert po.transitive_reduction(G).number_of_edges() == 9_999
    assert po.prefers(G, 0, 9_999)
    assert len(po.down_set(G, 0)) == 9_999
    refuses("edges to create, found 49,995,000", po.transitive_closure, G)
    with pytest.raises(po.PorankError, match="at most 2 edges to create, found 4; raise max_edges"):
        po.transitive_closure(nx.DiGraph(["ab", "ba"]), max_edges=2)
    assert po.transitive_closure(nx.DiGraph(["ab", "ba"]), max_edges=4).number_of_edges() == 4


ANSWERED = ["transitive_closure", "transitive_closure_dag", "transitive_reduction"]


def outcome(call: Callable[[], Any]) -> object:
    """Return what a call gives, a graph as its parts, or its error."""
    try:
        result = call()
    except nx.NetworkXException as error:
        return type(error), str(error)
    if isinstance(result, nx.Graph):
        edges = {(u, v): data for u, v, data in result.edges(data=True)}
        return type(result), list(result.nodes(data=True)), edges, result.graph
    return result


def assert_as_networkx(G: nx.DiGraph) -> None:
    calls: list[tuple[str, tuple[object, ...]]] = [
        *((name, (item,)) for name in ("ancestors", "descendants") for item in [*G, "nobody"]),
        *(("transitive_closure", (reflexive,)) for reflexive in (None, True, False, "maybe")),
        *((name, ()) for name in ANSWERED),
    ]
    for name, options in calls:
        theirs = getattr(nx, name)
        ours = partial(theirs, G, *options, backend="porank")
        assert outcome(ours) == outcome(partial(theirs, G, *options)), name


@on_graphs()
def test_it_answers_as_networkx(G: nx.DiGraph) -> None:
    assert_as_networkx(G)


class Timetable(nx.DiGraph):  # type: ignore[misc]  # networkx is not typed here
    """A graph of somebody's own."""


def test_other_graphs_and_attributes() -> None:
    assert_as_networkx(nx.MultiDiGraph([(0, 1), (0, 1), (1, 2)]))
    assert_as_networkx(Timetable([(0, 1), (1, 2), (0, 2)]))
    G = nx.DiGraph([("a", "b", {"weight": 2})], name="letters")
    nx.set_node_attributes(G, 1, "tie")
    assert_as_networkx(G)


def test_nothing_is_kept_and_no_warning_given() -> None:
    G = nx.DiGraph(["ab", "bc", "ac"])
    assert set(nx.transitive_reduction(G, backend="porank").edges) == {("a", "b"), ("b", "c")}
    G.remove_edge("b", "c")
    assert set(nx.transitive_reduction(G, backend="porank").edges) == {("a", "b"), ("a", "c")}
    G.__networkx_cache__ = None
    assert nx.descendants(G, "a", backend="porank") == {"b", "c"}


def test_as_the_first_choice_of_networkx_it_does_not_call_itself() -> None:
    G = po.parse("a > b > c")
    with nx.config(backend_priority=["porank"]):
        assert po.down_set(G, "a") == nx.descendants(G, "a") == {"b", "c"}
        assert po.transitive_closure(G).edges == nx.transitive_closure(G).edges


def test_networkx_asks_porank(caplog: pytest.LogCaptureFixture) -> None:
    G = nx.DiGraph(["ab"])
    with caplog.at_level("DEBUG", logger="networkx.utils.backends"):
        for name in (*ANSWERED, "ancestors", "descendants"):
            getattr(nx, name)(G, *["a"] * (name not in ANSWERED), backend="porank")
            assert re.search(f"Using backend 'porank' for call to .{name}'", caplog.text)


@pytest.mark.slow
def test_the_tests_of_networkx_pass_through_it(tmp_path: Any) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs"]
    asked = {"NETWORKX_TEST_BACKEND": "porank", "NETWORKX_FALLBACK_TO_NX": "1"}
    run = subprocess.run(
        [*command, "networkx.algorithms.tests.test_dag"],
        check=False,
        cwd=tmp_path,
        env=os.environ | asked,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout
    assert "failed" not in run.stdout


def test_what_is_no_item_is_named() -> None:
    wrong: list[tuple[Any, str]] = [("x", "'x'"), (["x"], r"\['x'\]")]
    for item, found in wrong:
        with pytest.raises(po.PorankError, match=f"items of the order, found {found}"):
            po.prefers(nx.DiGraph(["ab", "ba"]), item, "a")
    refuses("found 'x'", po.up_set, nx.DiGraph(["ab"]), "x")
