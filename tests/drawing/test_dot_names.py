"""Names beside dots."""

from itertools import combinations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from porank.drawing.box_texts import LINE, SIZES
from porank.drawing.dot_names import SHORT, DotNames, names_at_dots
from porank.drawing.fonts import width_of
from porank.typing import Floats

PART = {"left": 0, "center": 0.5, "right": 1, "bottom": 0, "top": 1}
ROOM = np.array([100.0, 70.0])


def corners(found: DotNames, dots: Floats) -> dict[int, tuple[Floats, Floats]]:
    """Return the lower left and the upper right corner of each name."""
    corners = {}
    for k, (text, shift, align) in found.places.items():
        size = np.array([width_of(text, size=found.size), found.size * LINE])
        low = dots[k] + shift - size * [PART[side] for side in align]
        corners[k] = low, low + size
    return corners


def distance(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> float:
    """Return the largest of the distances of two boxes, across and up."""
    return float(np.maximum(one[0] - other[1], other[0] - one[1]).max())


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 60)), min_size=1, unique=True))
@example([(90, 60), (0, 30), (4, 30)])
def test_names_beside_dots_meet_no_dot_and_no_name(points: list[tuple[int, int]]) -> None:
    dots = np.array(points, dtype=float) + 5
    texts = {k: f"i{k}" * (1 + 2 * (k % 2)) for k in range(len(points)) if k % 4}
    found = names_at_dots(dots, 2, texts, ROOM)
    assert found.places.keys() <= texts.keys()
    names = corners(found, dots)
    around = {k: (dot - 2, dot + 2) for k, dot in enumerate(dots)}
    for name in names.values():
        assert np.all(name[0] >= 0)
        assert np.all(name[1] <= ROOM + 1e-9)
        assert all(distance(name, dot) >= 0 for dot in around.values())
    assert all(distance(*pair) >= 0 for pair in combinations(names.values(), 2))
    # No long name is as near to another dot with a name as to its own.
    for k, name in names.items():
        if width_of(texts[k], size=SIZES[-1]) <= SHORT:
            continue
        rivals = [around[other] for other in texts if other != k]
        assert all(distance(name, around[k]) < distance(name, rival) for rival in rivals)


def test_a_name_is_on_a_side_without_a_line() -> None:
    dots, rightwards = np.array([[50.0, 30.0]]), np.array([[50.0, 30.0], [100.0, 30.0]])
    for lines, align in (
        ([], ("left", "center")),
        ([rightwards], ("right", "center")),
        ([rightwards, -rightwards + [100, 60]], ("center", "bottom")),
    ):
        found = names_at_dots(dots, 2, {0: "a name"}, ROOM, lines=lines)
        assert found.places[0][2] == align
    everywhere = [np.array([[50.0 + k, 0.0], [50.0 + k, 70.0]]) for k in range(-48, 48)]
    assert names_at_dots(dots, 2, {0: "a name"}, ROOM, lines=everywhere).places
