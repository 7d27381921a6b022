"""The witness is always the same one: whatever the names, the insertion, the run."""

from __future__ import annotations

import random
import subprocess
import sys

import networkx as nx
import pytest
from hypothesis import given

from porank.core.graphs import in_order, item_key, knots, shortest_cycle
from tests import oracles
from tests.strategies import graphs


@pytest.mark.parametrize("n", range(4))
def test_shortest_cycle_of_every_small_graph(n: int) -> None:
    for G in oracles.digraphs(n):
        assert shortest_cycle(G) == oracles.first_cycle(G, item_key)


@given(graphs(max_items=5))
def test_shortest_cycle_of_random_graphs(G: nx.DiGraph) -> None:
    assert shortest_cycle(G) == oracles.first_cycle(G, item_key)


def test_insertion_changes_nothing() -> None:
    rng = random.Random(5)
    edges = [("x", "y"), ("y", "x"), ("y", "z"), ("z", "y"), (2, 10), (10, 2), ("x", 2)]
    found = []
    for _ in range(20):
        rng.shuffle(edges)
        found.append(shortest_cycle(nx.DiGraph(edges)))
    assert found == [[10, 2, 10]] * 20


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
    G = nx.cycle_graph(10_000, create_using=nx.DiGraph)
    cycle = shortest_cycle(G)
    assert cycle is not None
    assert cycle[0] == cycle[-1] == 0
    assert len(cycle) == 10_001
