"""Details of pictures that no other test would miss: shades, widths, sides, names of sets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.graphs import without_chance
from porank.drawing.boxes import Words, boxed
from porank.drawing.canvas import columns_of
from porank.drawing.hasse import KINDS, faded, line_widths, painted
from porank.drawing.labels import labels_for, names_at_dots
from porank.drawing.layout.coordinates import detours
from porank.drawing.layout.strata import cut
from porank.drawing.routes import bow
from porank.drawing.style import CLASS_LOOKS, color_of_place, color_of_share, ink_on, lightness
from porank.drawing.texts import names_of
from porank.errors import PorankError
from tests.drawn import bare, blank, by_gid, one, row_names

CLASSES = ("concordant", "target_only", "predicted_only", "discordant")


def contrast(one: str, other: str) -> float:
    """The ratio that web pages are tested by, from lightness, which is a function of luminance."""
    shades = [
        ((lightness(color) + 16) / 116) ** 3
        if lightness(color) > 8
        else lightness(color) * 27 / 24389
        for color in (one, other)
    ]
    return (max(shades) + 0.05) / (min(shades) + 0.05)


@given(st.floats(0, 1), st.integers(1, 40))
def test_text_is_legible_on_every_ground(share: float, n: int) -> None:
    grounds = [color_of_share(share), color_of_place(round(share * (n - 1)), n), *KINDS]
    grounds += [look.color for look in CLASS_LOOKS.values()]
    for ground in [*grounds, *map(faded, grounds)]:
        assert contrast(ink_on(ground), ground) >= 4.5, ground


def test_the_larger_number_is_the_darker() -> None:
    G = po.chain(9)
    fill = painted(G, boxed(G), {item: item**2 for item in G}).fill
    shades = [lightness(fill[item]) for item in range(9)]
    assert shades == sorted(shades, reverse=True)
    assert len(set(shades)) == 9


def test_lines_between_groups_are_as_wide_as_their_edges_on_average() -> None:
    G = nx.DiGraph([("a", "b"), ("b", "a"), ("c", "d")])
    G.add_edge("a", "c", weight=6)
    G.add_edge("b", "c", weight=3)
    nx.set_edge_attributes(G, {("a", "b"): 1, ("b", "a"): 1, ("c", "d"): 1.5}, "weight")
    boxes = boxed(G)
    found = line_widths(G, boxes, po.hasse_layout(boxes.graph), "weight")
    assert sorted(found.points) == [1.5, 4.5]
    assert found.entries == [(4.5, "weight 4.5"), (1.5, "weight 1.5")]


def test_short_names_that_say_nothing_are_numbers() -> None:
    layout = po.hasse_layout(po.parse("a > b; a > c; a > d"))
    names = {"a": "x", "b": "chamomile-one-tea", "c": "chamomile-two-tea", "d": "ooooooooooooooo"}
    words = {item: Words([name], " ") for item, name in names.items()}
    found = labels_for(layout, words, across=48, up=90, width=500)
    assert found.is_inside
    short = dict(found.key)
    assert set(short.values()) == set(names.values()) - {"x"}
    assert len(set(found.texts.values())) == 4
    assert all(found.texts[item] in short for item in "bcd")
    # The names of b and c would both be written "chamo…tea".
    assert {found.texts["b"], found.texts["c"]} == {"(1)", "(2)"}
    assert "…" in found.texts["d"]


@settings(max_examples=8)
@given(st.integers(0, 10**6), st.integers(6, 16))
def test_lines_of_two_diagrams_stay_on_their_sides(seed: int, n: int) -> None:
    target, predicted = (po.random_order(n, dimension=2, seed=seed + k) for k in (0, 1))
    ax = po.draw_comparison(target, predicted, side="both", ax=bare(10))
    for kind in CLASSES:
        for line in (path for found in by_gid(ax, kind) for path in found.get_paths()):
            x = np.asarray(line.vertices)[:, 0]
            assert np.all(x > 0) or np.all(x < 0)


def test_a_bow_of_one_of_two_diagrams_does_not_reach_into_the_other() -> None:
    predicted = po.parse("0 > 4; 1; 2; 3")
    target = po.from_ranking([0, 1, 2, 3, 4])
    predicted = nx.relabel_nodes(predicted, int)
    ax = po.draw_comparison(target, predicted, side="both", ax=blank(2.5, 9))
    (path,) = one(ax, "concordant").get_paths()
    x = np.asarray(path.vertices)[:, 0]
    assert np.ptp(x) > 0.1
    assert np.all(x > 0)


def test_headings_may_be_given() -> None:
    a, b = po.parse("a > b"), po.parse("b > a")
    ax = po.draw_comparison(a, b, side="both", headings=("old", "$ new"), ax=bare())
    assert [text.get_text() for text in by_gid(ax, "heading")] == ["old", r"\$ new"]
    with pytest.raises(PorankError, match="expected two headings, found 'ab'"):
        po.draw_comparison(a, b, headings="ab", ax=bare())  # type: ignore[arg-type]


def test_the_columns_of_a_legend_are_filled_evenly() -> None:
    assert [columns_of(["x" * 20] * n, 400) for n in (0, 1, 3, 4, 5, 6)] == [1, 1, 3, 2, 3, 3]


@pytest.mark.parametrize("side", [-1, 1])
def test_a_bow_stays_within_the_diagram(side: int) -> None:
    box = np.array([[0.0, 1.0]]), np.array([[0.4, 0.2]])
    within = (0.05, 0, 3, 2) if side > 0 else (-3, 0, -0.05, 2)
    path = bow((0, 2), (0, 0), *box, scale=(40, 40), within=within)
    assert side * path[8, 0] > 0.4


def test_lines_that_leave_an_item_on_one_side_bend_alike() -> None:
    # From 1 and from 3 to 6: the flatter one bends, and would cross the other near its end.
    strata = cut(np.array([0, 0, 0, 0, 1, 1]), np.array([1, 3]), np.array([5, 5]))
    places = np.array([0.0, 1.0, 2.0, 3.0, 3.0, 6.0])
    bends = detours(strata, [np.arange(4), np.arange(2)], places)
    assert not np.isnan(bends).any()
    assert bends[0, 1] < bends[1, 1] < 0


def test_rows_of_a_layer_stand_by_their_degrees() -> None:
    # Nobody is above another by more than half; c is preferred most often, then a.
    votes = ["cab", "cab", "abc", "bca", "acb", "bac"]
    P = po.preference_relation([po.from_ranking(vote) for vote in votes])
    won = dict(zip(P.items, P.matrix().sum(axis=1), strict=True))
    ax = po.draw_preferences(P, alpha="consensus", ax=blank())
    assert len(set(won.values())) > 1
    rows = row_names(ax)
    assert rows == sorted("abc", key=lambda item: (-won[item], item))
    assert rows[0] != "a" or rows != sorted(rows)


def test_what_the_cut_leaves_out_is_paler() -> None:
    P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "acb", "bac")])
    ax = po.draw_preferences(P, alpha=1, ax=blank())
    (veil,) = (image for image in ax.images if image.get_gid() == "veil")
    shown = np.asarray(veil.get_array())[..., 3] == 0
    items = row_names(ax)
    kept = {(items[i], items[j]) for i, j in np.argwhere(shown).tolist()}
    assert kept == set(po.predict_order(P, alpha=1).edges)


def test_a_bow_in_tikz_goes_as_far_as_it_should() -> None:
    source = po.to_tikz(po.parse("a > b > c"), po.parse("a > c; b"))
    found = re.search(r"controls \((\S+), (\S+)\)", source)
    across = re.search(r"x=(\S+)cm", source)
    assert found
    assert across
    # The middle of a cubic whose control points are one, 2 cm long: a share of its length.
    aside = abs(float(found[1])) * 6 / 8 * float(across[1]) / 2
    assert min(abs(aside - share) for share in (0.12, 0.22, 0.34, 0.5)) < 1e-3


def test_names_of_sets_are_sorted() -> None:
    assert names_of([frozenset("ba")]) == ["{a, b}"]
    assert names_of([("x", frozenset("ba")), frozenset({frozenset("dc"), frozenset("ba")})]) == [
        "('x', {a, b})",
        "{{a, b}, {c, d}}",
    ]
    assert without_chance((1, (2, "a"))) == (1, (2, "a"))
    assert without_chance((frozenset("ba"),)) == "({a, b},)"
    source = po.to_tikz(po.parse("a > b"), names={"a": frozenset({frozenset("dc"), 1})})
    assert r"\{\{c, d\}, 1\}" in source


@pytest.mark.slow
def test_names_of_sets_are_the_same_in_every_run() -> None:
    program = (
        "import porank as po; from porank.drawing.texts import names_of;"
        "G = po.condense(po.parse('ash > bay > cumin > ash; dill > elder > dill; cumin > dill'));"
        "print(names_of(G), names_of([(item,) for item in G]), po.to_tikz(G))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(po.__file__).parents[1],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


@pytest.mark.parametrize(("chosen", "left"), [("ac", "a"), ("ab", "b"), ("a", "")])
def test_names_stand_on_the_side_without_a_line(chosen: str, left: str) -> None:
    layout = po.hasse_layout(po.parse("a > b; a > c"))
    words = {item: Words([f"item {item}"], " ") for item in layout}
    found = names_at_dots(layout, words, set(chosen), (60, 12))
    assert set(found.texts) == set(chosen)
    assert found.at_left == set(left)


def test_names_at_dots_leave_the_lines_between_these_alone() -> None:
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
