"""Routes of lines around boxes."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from porank.drawing.routes import boxes_hit


@given(st.integers(0, 10**9))
def test_a_line_meets_a_box_if_one_of_its_points_lies_within(seed: int) -> None:
    rng = np.random.default_rng(seed)
    path, places = rng.integers(0, 7, (4, 2)) / 1.0, rng.integers(0, 7, (5, 2)) / 1.0
    halves = np.array([0.4111, 0.7333, 1.5777])[rng.integers(0, 3, (5, 2))]
    way = np.linspace(0, 1, 401)[:, None]
    points = np.concatenate([a + way * (b - a) for a, b in pairwise(path)])
    expected = (np.abs(points[:, None] - places) < halves).all(axis=2).any(axis=0)
    # Steps can miss a corner that is cut by less than a step.
    assert not np.any(expected & ~boxes_hit(path, places, halves))
    assert not np.any(boxes_hit(path, places, 0.97 * halves) & ~expected)
