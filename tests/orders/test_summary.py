"""An order at a glance."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from porank.core.compiled_order import as_graph
from porank.errors import TieError
from porank.generators.classic import antichain, boolean_lattice, chain
from porank.orders.summary import describe
from tests import oracles
from tests.strategies import graphs


@given(graphs())
def test_by_definition(G: nx.DiGraph) -> None:
    summary = describe(G)
    n, said = len(G), oracles.closure(G.edges)
    assert summary.items == n
    assert summary.edges == G.number_of_edges()
    assert summary.type == oracles.order_type(G)
    assert summary.components == len(list(nx.weakly_connected_components(G)))
    assert summary.ties == 0
    if summary.type == "cyclic":
        assert summary.pairs is summary.comparable is summary.height is None
        assert summary.cycle is not None
        assert summary.cycle[0] == summary.cycle[-1]
        assert summary.cyclic_components >= 1
    else:
        assert summary.pairs == len(said)
        assert summary.height == oracles.longest_chain(G)
        assert (summary.cyclic_components, summary.cycle) == (0, None)
        assert summary.comparable is not None
        if n > 1:
            assert summary.comparable == 2 * len(said) / (n * (n - 1))
        else:
            assert math.isnan(summary.comparable)


@pytest.mark.parametrize("scores", [{}, {"a": 1}, [1, 1, 1], np.array([3, 1, 1, 2])])
def test_scores_are_what_their_graph_is(scores: Any) -> None:
    assert repr(describe(scores)) == repr(describe(as_graph(scores)))


def test_it_prints_well() -> None:
    assert "<table" in describe(nx.DiGraph(["ab"]))._repr_html_()
    assert "'a' > 'b' > 'a'" in str(describe(nx.DiGraph(["ab", "ba"])))


@pytest.mark.parametrize(
    ("G", "dimension"),
    [
        (chain(3), "1"),
        (chain(0), "1"),
        ({"a": 1, "b": 1}, "2"),
        (dict.fromkeys(range(101), 0), "2"),
        (boolean_lattice(2), "2"),
        (boolean_lattice(3), "3 or more"),
        (nx.disjoint_union(boolean_lattice(3), antichain(92)), "3 or more"),
        (nx.disjoint_union(boolean_lattice(3), antichain(93)), None),
        (nx.DiGraph(["ab", "ba"]), None),
    ],
)
def test_the_dimension_up_to_a_hundred_items(G: Any, dimension: str | None) -> None:
    assert describe(G).dimension == dimension
    assert ("dimension" in str(describe(G))) is (dimension is not None)


def test_refusals() -> None:
    G = nx.DiGraph(["ab"])
    nx.set_node_attributes(G, 1, "tie")
    with pytest.raises(TieError):
        describe(G)
