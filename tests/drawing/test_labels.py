"""What is written into boxes and beside dots: numbers for names, and the free side."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

import porank as po
from porank.drawing.labels import Words, _names_of_some, lettering_for
from tests.drawn import blank, by_gid, one


def test_short_names_that_say_nothing_are_numbers() -> None:
    layout = po.hasse_layout(po.parse("a > b; a > c; a > d"))
    names = {"a": "x", "b": "chamomile-one-tea", "c": "chamomile-two-tea", "d": "ooooooooooooooo"}
    words = {item: Words([name], " ") for item, name in names.items()}
    found = lettering_for(layout, words, across=48, up=90, width=500)
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
    found = _names_of_some(layout, words, set(chosen), (60, 12))
    assert set(found.texts) == set(chosen)
    assert found.at_left == set(left)


def test_names_of_some_leave_the_lines_between_these_alone() -> None:
    tree = nx.DiGraph(nx.gn_graph(240, seed=1).reverse().edges)
    chosen = po.up_set(tree, 200) | {200}
    ax: Any = po.draw_hasse(tree, highlight=chosen, ax=blank(6, 4))
    ax.figure.canvas.draw()
    names = by_gid(ax, "name")
    assert len(names) == len(chosen)
    assert all(text.get_bbox_patch() is None for text in names)
    dots = ax.transData.transform([po.hasse_layout(tree)[item] for item in chosen])
    for text in names:
        frame = text.get_window_extent()
        assert not any(frame.contains(x, y) for x, y in dots)
    middles = {text.get_text(): ax.transData.transform(text.xy)[0] for text in names}
    at_left = [text for text in names if text.get_ha() == "right"]
    assert at_left
    for text in names:
        frame = text.get_window_extent()
        is_left = text in at_left
        assert (frame.x1 < middles[text.get_text()]) == is_left
    assert one(ax, "item").get_zorder() < min(text.get_zorder() for text in names)
