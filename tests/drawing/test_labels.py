"""What is written into boxes and beside dots: numbers for names, and the free side."""

from __future__ import annotations

import pytest

import porank as po
from porank.drawing.labels import NamesAtScale, Scale, Shape, Words


def test_short_names_that_say_nothing_are_numbers() -> None:
    layout = po.hasse_layout(po.parse("a > b; a > c; a > d"))
    names = {"a": "x", "b": "chamomile-one-tea", "c": "chamomile-two-tea", "d": "ooooooooooooooo"}
    words = {item: Words([name], " ") for item, name in names.items()}
    found = NamesAtScale(Shape(layout), words, Scale(48, 90)).lettering(500)
    assert found.is_inside
    short = dict(found.key)
    assert set(short.values()) == set(names.values()) - {"x"}
    assert len(set(found.texts.values())) == 4
    assert all(found.texts[item] in short for item in "bcd")
    # The names of b and c would both be written "chamo…tea".
    assert {found.texts["b"], found.texts["c"]} == {"(1)", "(2)"}
    assert "…" in found.texts["d"]


@pytest.mark.parametrize(("chosen", "left"), [("ac", "a"), ("ab", "b"), ("a", "")])
def test_names_stand_on_the_side_without_a_line(chosen: str, left: str) -> None:
    layout = po.hasse_layout(po.parse("a > b; a > c"))
    words = {item: Words([f"item {item}"], " ") for item in layout}
    found = NamesAtScale(Shape(layout), words, Scale(60, 12)).lettering(500, first=set(chosen))
    assert set(found.texts) == set(chosen)
    assert found.at_left == set(left)
