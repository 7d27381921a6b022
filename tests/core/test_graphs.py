"""The witness is always the same one: whatever the names, the insertion, the run."""

from __future__ import annotations

import subprocess
import sys

import networkx as nx
import pytest
from hypothesis import given

from porank.core.graphs import (
    count_edges,
    graph_of,
    in_order,
    item_key,
    knots,
    read_edges,
    refuse_large,
    require_digraph,
    shortest_cycle,
    write_edges,
)
from porank.errors import GraphTypeError, PorankError
from tests import oracles
from tests.strategies import graphs


@pytest.mark.parametrize("n", range(4))
def test_shortest_cycle_of_every_small_graph(n: int) -> None:
    for G in oracles.digraphs(n):
        assert shortest_cycle(G) == oracles.first_cycle(G, item_key)


def test_knots() -> None:
    G = nx.DiGraph(["ab", "ba", "bc", "cc", "de"])
    assert sorted(sorted(map(str, knot)) for knot in knots(G)) == [["a", "b"], ["c"]]


@pytest.mark.slow
def test_keys_do_not_change_from_run_to_run() -> None:
    """Strings hash differently in every process, and so sets print differently."""
    code = (
        "from porank.core.graphs import item_key;"
        "print(item_key(frozenset('abcdefgh')), item_key(('t', frozenset('xyz'))))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


def test_plain_objects_stand_in_the_order_of_insertion() -> None:
    things = [object() for _ in range(5)]
    assert in_order(things) == things
    assert in_order(things[::-1]) == things[::-1]


def test_a_knot_of_many_items() -> None:
    G = nx.cycle_graph(2_000, create_using=nx.DiGraph)
    cycle = shortest_cycle(G)
    assert cycle is not None
    assert cycle[0] == cycle[-1] == 0
    assert len(cycle) == 2_001


@given(graphs())
def test_there_and_back(G: nx.DiGraph) -> None:
    source, target = read_edges(G)
    items = list(G)
    edges = [(items[i], items[j]) for i, j in zip(source.tolist(), target.tolist(), strict=True)]
    assert edges == list(G.edges)
    assert count_edges(G) == G.number_of_edges()
    assert source.tolist() == sorted(source.tolist())
    rows = [target[source == i].tolist() for i in range(len(G))]
    H = graph_of(items, rows)
    assert list(H) == items
    assert list(H.edges(data=True)) == [(u, v, {}) for u, v in G.edges]
    assert {v: sorted(map(repr, H.pred[v])) for v in H} == {
        v: sorted(map(repr, G.pred[v])) for v in G
    }


def test_views_are_read_too() -> None:
    G = nx.DiGraph(["ab", "bc", "cd"])
    source, target = read_edges(G.subgraph("bcd"))
    assert source.size == target.size == 2
    assert count_edges(G.reverse(copy=False)) == 3


def test_written_edges_share_their_attributes_and_keep_the_old_ones() -> None:
    G = nx.DiGraph()
    G.add_edge("a", "b", weight=2)
    G.add_node("c")
    write_edges(G, [[1, 2], [2], []])
    assert dict(G.edges["a", "b"]) == {"weight": 2}
    assert list(G.edges) == [("a", "b"), ("a", "c"), ("b", "c")]
    G.edges["b", "c"]["weight"] = 5
    assert G.pred["c"]["b"] == {"weight": 5}
    assert G.succ["a"]["c"] is G.pred["c"]["a"]
    assert nx.utils.graphs_equal(G, nx.DiGraph(G))
    G.__networkx_cache__["x"] = 1
    write_edges(G, [[], [0]])
    assert not G.__networkx_cache__, "it is no longer remembered"


def test_refusals() -> None:
    refuse_large(10**7, instead="-")
    with pytest.raises(PorankError, match="found 10,000,001; give scores"):
        refuse_large(10**7 + 1, instead="give scores")
    with pytest.raises(GraphTypeError, match=r"expected a networkx.DiGraph as target, found dict"):
        require_digraph({}, name="target")
