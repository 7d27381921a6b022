"""What is written into boxes and beside dots: wrapped, smaller, on the free side."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.drawing.boxes import boxed
from porank.drawing.labels import PAD, Scale, sides_of_dots, size_of, texts_in_boxes, words_of
from porank.drawing.routes import Rooms
from porank.drawing.texts import width_of

NAME = "Schwarzwälder-Kirsch with -5 cream"


def test_names_are_wrapped_as_the_room_asks() -> None:
    G = po.parse("a > b; a > c")
    layout, words = po.hasse_layout(G), words_of(boxed(G), {item: NAME[:-1] + item for item in G})
    for is_right, rooms in ((False, Rooms(layout)), (True, Rooms(layout))):
        lines = []
        for points in (220, 110):
            scale = Scale(90, points, is_right) if is_right else Scale(points, 90)
            found = texts_in_boxes(words, rooms, scale, 7)
            assert found is not None
            # Lines end at spaces and after hyphens, but not after a sign.
            assert {text.replace("-\n", "-").replace("\n", " ") for text in found.values()} == {
                words[item].text for item in G
            }
            assert not any("-\n5" in text for text in found.values())
            assert all(size_of(found[item], 7)[0] <= points for item in "bc")
            lines.append(found["b"].count("\n") + 1)
        assert lines[0] < lines[1]
        narrow = Scale(90, 50, is_right) if is_right else Scale(50, 90)
        assert texts_in_boxes(words, rooms, narrow, 7) is None, "a word is wider than the room"
    wide, high = size_of("Kirsch\nwith cream", 8)
    assert wide == width_of("with cream", size=8) + 8 * PAD
    assert high == (2 * 1.25 + PAD) * 8


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 60)), min_size=1, unique=True))
@example([(90, 60), (0, 30), (4, 30)])
def test_names_beside_dots_meet_no_dot_and_no_name(points: list[tuple[int, int]]) -> None:
    dots, room = np.array(points, dtype=float) + 5, np.array([100.0, 70.0])
    texts = [f"i{k}" * (k % 4 > 0) for k in range(len(points))]
    rectangles = [(dot - 2, dot + 2) for dot in dots]
    for dot, text, side in zip(dots, texts, sides_of_dots(dots, 2, texts, 6, room), strict=True):
        assert text or side is None, "what has no name takes no room"
        if side:
            shift, (across, up) = side
            size = np.array([width_of(text, size=6), 7.5])
            part = {"left": 0, "center": 0.5, "right": 1, "bottom": 0, "top": 1}
            low = dot + shift - size * [part[across], part[up]]
            assert np.all(low >= 0)
            assert np.all(low + size <= room + 1e-9)
            rectangles.append((low, low + size))
    for one, other in combinations(rectangles[len(dots) :], 2):
        assert np.any((one[1] <= other[0]) | (other[1] <= one[0]))
    for (low, high), dot in [(r, d) for r in rectangles[len(dots) :] for d in dots]:
        assert np.any((high <= dot - 2) | (dot + 2 <= low))
