"""The smallest threshold without a cycle, and how cycles are found."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.abstention.thresholds import has_cycle, strong_components
from porank.core.relation import places_of


def test_degrees_by_hand_that_occur_are_the_thresholds_and_one() -> None:
    cyclic = {("a", "b"): 0.7, ("b", "c"): 0.7, ("c", "a"): 0.7}
    cyclic |= {(v, u): 1 - degree for (u, v), degree in cyclic.items()}
    assert po.minimal_threshold(po.PreferenceRelation.from_degrees(cyclic)) == 1
    assert po.minimal_threshold(po.PreferenceRelation.from_degrees({})) == 1
    certain = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
    message = r"pairs of degree 1; they are the graph P\.cut\(1\), which break_cycles and"
    with pytest.raises(po.CycleError, match=message) as caught:
        po.minimal_threshold(certain)
    assert caught.value.cycle == ["a", "b", "c", "a"]


@given(st.integers(0, 9), st.floats(0, 0.6), st.integers(0, 2**32 - 1))
def test_cycles_of_matrices(n: int, share: float, seed: int) -> None:
    matrix = np.random.default_rng(seed).random((n, n)) < share
    np.fill_diagonal(matrix, False)
    graph = nx.from_numpy_array(matrix, create_using=nx.DiGraph)
    assert has_cycle(matrix) == (not nx.is_directed_acyclic_graph(graph))
    components = [places_of(row).tolist() for row in strong_components(matrix)]
    assert sorted(components) == sorted(map(sorted, nx.strongly_connected_components(graph)))


def test_long_paths_need_no_recursion() -> None:
    assert not has_cycle(np.eye(3000, k=1, dtype=bool))
