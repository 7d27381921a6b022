"""Texts that fit, that every font can write, that tell items apart, in boxes and beside dots."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.graphs import without_chance
from porank.drawing.boxes import boxed
from porank.drawing.labels import PAD, Scale, sides_of_dots, size_of, texts_in_boxes, words_of
from porank.drawing.routes import Rooms
from porank.drawing.texts import _plain_text, names_of, shortened, threshold_text, width_of
from tests.strategies import item_lists

NAME = "Schwarzwälder-Kirsch with -5 cream"


@settings(max_examples=10)
@given(st.text(max_size=60), st.integers(20, 120))
def test_names_are_printable_and_no_wider_than_asked(text: str, longest: int) -> None:
    plain = _plain_text(text)
    assert plain.isprintable()
    assert "\n" not in plain
    assert width_of(shortened(plain, longest=longest)) <= longest
    # No escape is cut.
    short = shortened(r"\U0001f600" * 9, longest=longest).split("…")
    assert all(not part.replace(r"\U0001f600", "") for part in short)


@given(item_lists())
def test_different_items_have_different_names(items: list[object]) -> None:
    assert len(set(names_of(items, longest=25))) == len(items)


def test_what_looks_alike_is_told_apart() -> None:
    assert names_of(["1", 1, 1.0]) == ["'1'", "1", "1.0"]
    twins = names_of(["a" * 99 + "b" * 99 + "c" * 99, "a" * 99 + "c" * 99])
    assert [name[-4:] for name in twins] == [" (1)", " (2)"]
    towns = [f"Commonly known as the {k} variety of this northern country" for k in (1, 2)]
    assert [name[:9] for name in names_of(towns)] == ["…1 variet", "…2 variet"]
    near = [Fraction(1, 2), Fraction(50003, 100000), Fraction(49999, 100000)]
    assert [threshold_text(alpha) for alpha in near] == ["1/2", "0.50003", "0.49999"]
    nested: list[Any] = [("x", frozenset("ba")), frozenset({frozenset("dc"), frozenset("ba")})]
    assert names_of([frozenset("ba"), *nested]) == ["{a, b}", "('x', {a, b})", "{{a, b}, {c, d}}"]
    assert without_chance((1, (2, "a"))) == (1, (2, "a"))
    assert without_chance((frozenset("ba"),)) == "({a, b},)"


def test_names_are_wrapped_as_the_room_asks() -> None:
    G = po.parse("a > b; a > c")
    rooms, words = Rooms(po.hasse_layout(G)), words_of(boxed(G), {k: NAME[:-1] + k for k in G})
    for is_right in (False, True):
        scales = [Scale(90, k, is_right) if is_right else Scale(k, 90) for k in (220, 110, 50)]
        *found, narrow = (texts_in_boxes(words, rooms, scale, 7) for scale in scales)
        assert narrow is None, "a word is wider than the room"
        lines = []
        for texts, points in zip(found, (220, 110), strict=True):
            assert texts is not None
            # Lines end at spaces and after hyphens, but not after a sign.
            whole = {text.replace("-\n", "-").replace("\n", " ") for text in texts.values()}
            assert whole == {words[item].text for item in G}
            assert not any("-\n5" in text for text in texts.values())
            assert all(size_of(texts[item], 7)[0] <= points for item in "bc")
            lines.append(texts["b"].count("\n"))
        assert lines[0] < lines[1]
    width = width_of("with cream", size=8) + 8 * PAD
    assert size_of("Kirsch\nwith cream", 8) == (width, (2 * 1.25 + PAD) * 8)


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 60)), min_size=1, unique=True))
@example([(90, 60), (0, 30), (4, 30)])
def test_names_beside_dots_meet_no_dot_and_no_name(points: list[tuple[int, int]]) -> None:
    dots, room = np.array(points, dtype=float) + 5, np.array([100.0, 70.0])
    texts = [f"i{k}" * (k % 4 > 0) for k in range(len(points))]
    names = []
    for dot, text, side in zip(dots, texts, sides_of_dots(dots, 2, texts, 6, room), strict=True):
        assert text or side is None, "what has no name takes no room"
        if side:
            shift, (across, up) = side
            size = np.array([width_of(text, size=6), 7.5])
            part = {"left": 0, "center": 0.5, "right": 1, "bottom": 0, "top": 1}
            low = dot + shift - size * [part[across], part[up]]
            assert np.all(low >= 0)
            assert np.all(low + size <= room + 1e-9)
            names.append((low, low + size))
    around = [(dot - 2, dot + 2) for dot in dots]
    pairs = [*combinations(names, 2), *((name, dot) for name in names for dot in around)]
    assert all(np.any((a[1] <= b[0]) | (b[1] <= a[0])) for a, b in pairs)
