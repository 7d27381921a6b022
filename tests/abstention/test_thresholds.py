"""The smallest threshold without a cycle, and how cycles are found."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.abstention.thresholds import _largest_two_way_strength, has_cycle, strong_components
from porank.core.relation import places_of


def test_the_smallest_threshold_that_may_succeed_is_tried() -> None:
    # A bisection that takes it for the failing end returns 5/6 here.
    votes = [po.from_ranking(vote) for vote in ("ab", "ab", "ba")]
    assert po.minimal_threshold(po.preference_relation(votes)) == Fraction(2, 3)


def test_half_ties_halve_the_grid_only_where_a_pair_is_left_open() -> None:
    decided, open_pair = po.from_ranking("ab"), {"a": 1, "b": 1}
    assert po.minimal_threshold(po.preference_relation([decided] * 2, ties="half")) == Fraction(
        1, 2
    )
    P = po.preference_relation([decided, decided, open_pair, open_pair], ties="half")
    # b > a reaches 1/4 as well, so that anything from 3/8 on is without a cycle.
    assert po.minimal_threshold(P) == Fraction(3, 8)


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


def test_two_way_strength_across_tiles() -> None:
    strength = np.random.default_rng(0).integers(0, 2**16, size=(600, 600), dtype=np.uint16)
    assert _largest_two_way_strength(strength) == np.minimum(strength, strength.T).max()


def test_long_paths_need_no_recursion() -> None:
    assert not has_cycle(np.eye(3000, k=1, dtype=bool))


def test_open_pairs_outside_do_not_halve_the_grid() -> None:
    members = [{"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 1, "c": 0}]
    P = po.preference_relation(members, ties="half")
    assert po.minimal_threshold(P) == Fraction(1, 2)
    # 1/4, while P was restricted and its unit was not.
    assert po.minimal_threshold(P.restrict("ab")) == Fraction(1, 2)
    assert (P.unit, P.restrict("ab").unit) == (4, 2)


def test_degrees_of_other_items_are_no_thresholds() -> None:
    P = po.PreferenceRelation.from_degrees({("a", "b"): 0.6, ("b", "c"): 0.45, ("a", "c"): 0.7})
    assert po.minimal_threshold(P) == Fraction(11, 20)
    assert po.minimal_threshold(P.restrict("ab")) == Fraction(3, 5)
