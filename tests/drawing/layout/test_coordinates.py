"""Where items stand in their rows."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.drawing.layout.coordinates import coordinates, detours, isotonic
from porank.drawing.layout.levels import Rows, Strata, cut, plain_form
from tests.support.layered_diagrams import diagrams


def is_connected(strata: Strata) -> bool:
    pieces = strata.ends.tolist()
    joined = nx.Graph(pieces)
    return len(joined) == strata.level.size and nx.is_connected(joined)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 3)), min_size=1))
def test_isotonic_is_that_of_scipy(wanted: list[tuple[int, int]]) -> None:
    from scipy.optimize import isotonic_regression

    numbers, weights = map(list, zip(*wanted, strict=True))
    expected = isotonic_regression(numbers, weights=weights).x.tolist()
    assert isotonic(numbers, weights) == pytest.approx(expected)


@given(diagrams().filter(lambda diagram: is_connected(diagram[0])))
def test_places_keep_the_sequence_and_the_distances(diagram: tuple[Strata, Rows]) -> None:
    strata, rows = diagram
    x = coordinates(strata, rows)
    for nodes, row in zip(strata.nodes, rows, strict=True):
        for a, b in pairwise(nodes[row].tolist()):
            joints = (a >= strata.items) + (b >= strata.items)
            assert x[b] - x[a] >= [1, 0.625, 0.25][joints]


def test_lines_that_leave_an_item_on_one_side_bend_alike() -> None:
    # From 1 and from 3 to 6: the flatter one bends, and would cross the other near its end.
    strata = cut(plain_form(np.array([0, 0, 0, 0, 1, 1]), np.array([1, 3]), np.array([5, 5])))
    places = np.array([0.0, 1.0, 2.0, 3.0, 3.0, 6.0])
    bends = detours(strata, [np.arange(4), np.arange(2)], places)
    assert not np.isnan(bends).any()
    assert bends[0, 1] < bends[1, 1] < 0
