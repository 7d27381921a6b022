"""All thresholds in one picture: bars and diagrams."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.drawing.all_thresholds import _Panels, _ThresholdBars, changes_of, evenly_chosen
from porank.drawing.fonts import width_of
from porank.drawing.texts import names_of, names_of_pairs, threshold_text
from tests.support import oracles_abstention
from tests.support.drawn import (
    bare,
    blank,
    boxes,
    by_gid,
    misplaced_texts,
    one,
    pixels,
    relation,
    row_names,
    texts_by_gid,
)
from tests.support.refusals import refuses
from tests.support.strategies import item_lists

VOTES = ["abcd", "abdc", "bacd", "cabd", "abcd"]
SEVEN = ["bca", "cab", "bca", "abc", "cab", "abc", "cab"]
CYCLIC = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})


@settings(max_examples=5)
@given(item_lists(max_items=4), st.data())
def test_bars_end_on_the_last_threshold_that_decides_the_pair(
    items: list[Any], data: st.DataObject
) -> None:
    votes = data.draw(st.lists(st.permutations(items), min_size=1, max_size=6))
    members = [po.from_ranking(vote) for vote in votes]
    ax = po.draw_thresholds(po.preference_relation(members), diagrams=0, ax=bare())
    shares = oracles_abstention.degrees(members, ties="none")
    multiples = [Fraction(number, len(votes)) for number in range(1, len(votes) + 1)]
    least = oracles_abstention.minimal_threshold(shares, multiples)
    assert least is not None
    grid = [alpha for alpha in oracles_abstention.thresholds(shares, least) if alpha >= least]
    name = dict(zip(items, names_of(items, longest=50), strict=True))
    drawn = {text: ends(ax)[row] for row, text in enumerate(row_names(ax))}
    decided = {pair: oracles_abstention.decided_at(shares, *pair, grid) for pair in shares}
    assert drawn == {
        f"{name[u]} > {name[v]}": grid.index(alpha)
        for (u, v), alpha in decided.items()
        if alpha is not None
    }
    assert list(drawn.values()) == sorted(drawn.values(), reverse=True)
    # Bars lead to the dots from the minimal threshold, or from the edge if no cycle is below.
    start = 0 if least > Fraction(1, len(votes)) else -0.5
    spans = {
        round((low + high) / 2): (left, right) for left, right, low, high in boxes(one(ax, "pairs"))
    }
    assert spans == {row: (start, end) for row, end in ends(ax).items() if end > start}
    assert [text.get_text() for text in ax.get_xticklabels()] == [str(alpha) for alpha in grid]


def ends(ax: Any) -> dict[int, int]:
    """The number of the threshold at which the dot of each bar stands, by the row."""
    return {int(y): int(x) for x, y in one(ax, "end").get_offsets().tolist()}


@pytest.mark.slow
def test_bars_begin_where_the_cycles_end() -> None:
    ax: Any = po.draw_thresholds(relation(SEVEN), diagrams=0, ax=blank())
    assert ax.get_xlabel() == "threshold t; below 5/7 there is a cycle"
    # 3/7 of the members prefer c to b: the closure holds it.
    assert row_names(ax) == ["a > b", "c > a", "c > b"]
    assert ends(ax) == {0: 0, 1: 0, 2: 0}
    nothing: Any = po.draw_thresholds(CYCLIC, ax=bare())
    assert (nothing.get_title(), row_names(nothing)) == ("Every threshold leaves a cycle", [])
    assert nothing.get_xlabel() == "threshold t"


def test_where_all_thresholds_have_one_order_it_is_drawn_alone() -> None:
    ax: Any = po.draw_thresholds(relation(["abcd"]), width="column")
    assert (by_gid(ax, "pairs"), ax.child_axes) == ([], [])
    assert sorted(texts_by_gid(ax, "item")) == list("abcd")
    assert ax.get_title() == "Order at threshold 1: 6 pairs"
    ax = po.draw_thresholds(relation(SEVEN), ax=blank())
    assert ax.get_title().replace("\n", " ") == (
        "Order at threshold 5/7: 3 pairs; below 5/7 there is a cycle"
    )
    assert po.draw_thresholds(relation(["abcd"]), title="Mine", ax=bare()).get_title() == "Mine"


def test_a_long_name_has_the_room_that_a_short_one_in_its_pair_leaves() -> None:
    long, short = "a rather long name of a tea", "tea"
    first, both = names_of_pairs([(long, short), (long, long + "s")], longest=100)
    assert first == f"{long} > {short}"
    assert "…" in both
    assert max(map(width_of, (first, both))) <= 151
    assert len({*names_of_pairs([(long, "x" * 60), (long, "x" * 61)], longest=60)}) == 2
    P = relation([[long, short, "x"], [long, short, "x"], [short, long, "x"]])
    assert f"{short} > x" in row_names(po.draw_thresholds(P, width="column"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:constrained_layout not applied")
def test_small_diagrams_say_how_many_names_they_have() -> None:
    votes = po.plackett_luce({f"tea number {k}": 1.2**-k for k in range(30)}, 7, seed=2)
    ax: Any = po.draw_thresholds(po.preference_relation(votes), width="column")
    pixels(ax)
    for panel, text in zip(ax.child_axes, texts_by_gid(ax, "named"), strict=True):
        assert text == f"named: {len(texts_by_gid(panel, 'name'))} of 30"
    # In Axes that are too low for their lines there are none.
    for size in ((2, 1.2), (1.5, 1), (3, 0.8)):
        assert po.draw_thresholds(relation(["abcd", "acbd", "bacd"]), ax=blank(*size))
    assert po.draw_thresholds(po.preference_relation(votes), ax=blank(8, 1.6)).child_axes == []
    # Items are dots in all diagrams or in none.
    for n, dots in ((4, 0), (6, 6)):
        votes = [
            [f"item {k}" for k in map(int, vote)]
            for vote in po.mallows(range(n), 9, dispersion=0.6, seed=1)
        ]
        ax = po.draw_thresholds(relation(votes), width="page")
        assert {len(texts_by_gid(panel, "name")) for panel in ax.child_axes} == {dots}


@pytest.mark.slow
def test_names_are_whole_at_any_resolution() -> None:
    names = [f"{kind} green tea" for kind in ("hot", "iced", "bitter", "sweet", "weak", "strong")]
    votes = po.mallows(names, 7, dispersion=0.6, seed=1)
    ax: Any = po.draw_thresholds(po.preference_relation(votes), width="column")
    for dpi in (120, 150, 300):
        ax.figure.set_dpi(dpi)
        ax.figure.draw_without_rendering()
        boxes = [text.get_window_extent() for part in ax.child_axes for text in part.texts]
        assert boxes
        assert all(box.x0 > -1 and box.x1 < ax.figure.bbox.width + 1 for box in boxes)


@pytest.mark.slow
def test_as_many_diagrams_as_are_asked_for_of_orders_that_differ() -> None:
    P = po.preference_relation(po.mallows(list("abcdef"), 30, dispersion=0.8, seed=1))
    points = _ThresholdBars(po.abstention_curve(P)).points
    different = len({point.pairs for point in points})
    for most in (0, 1, 3, 100):
        chosen = evenly_chosen(changes_of(points), most)
        assert len({points[place].pairs for place in chosen}) == min(most, different) == len(chosen)
    # As many as are 90 points wide.
    votes = po.plackett_luce({item: 1.5**-item for item in range(6)}, 7, seed=2)
    curve = po.abstention_curve(po.preference_relation(votes))
    for width, k in ((9, 3), (3, 1)):
        ax = po.draw_thresholds(curve, diagrams=3, ax=blank(width, 2.4))
        assert len(ax.child_axes) == len(texts_by_gid(ax, "threshold")) == k
        assert all(" pair" in text for text in texts_by_gid(ax, "threshold"))
        n = len(_ThresholdBars(curve).points)
        title = f"Pairs decided at threshold t: {k} of {n} orders drawn"
        assert ax.get_title().replace("\n", " ") == title
        assert misplaced_texts(ax) == []
    # They are above the names of pairs, too.
    ax = po.draw_thresholds(curve, width="column")
    pixels(ax)
    first, second = (panel.get_window_extent() for panel in ax.child_axes)
    (left, right), names = ax.get_window_extent().intervalx, ax.get_yticklabels()
    beside = left - min(name.get_window_extent().x0 for name in names)
    assert first.x0 < left - 0.8 * beside
    assert second.x1 == pytest.approx(right)
    # Where lines could not be followed, there is no diagram.
    dense = po.preference_relation(po.mallows(range(60), 9, dispersion=0.9, seed=0))
    shown = {most: len(po.draw_thresholds(dense, diagrams=most).child_axes) for most in (1, 5)}
    assert (shown[1], shown[5] < 5) == (1, True)
    # Of more than 100 items there are bars alone.
    many = po.preference_relation(po.mallows(range(101), 2, dispersion=0.99, seed=0))
    ax = po.draw_thresholds(many, ax=bare())
    assert ax.child_axes == []
    assert len(ends(ax)) == _ThresholdBars(po.abstention_curve(many)).points[0].pairs
    assert "named" in ax.get_ylabel()


@pytest.mark.slow
@pytest.mark.parametrize("width", [12, 7])
def test_diagrams_show_the_orders_at_their_thresholds_at_the_same_heights(width: float) -> None:
    teas = ["Assam", "Ceylon", "Darjeeling", "Jasmine", "Oolong", "Lapsang Souchong"]
    strengths = {tea: 2.0**-place for place, tea in enumerate(teas)}
    curve = po.abstention_curve(po.preference_relation(po.plackett_luce(strengths, 21, seed=3)))
    ax: Any = po.draw_thresholds(curve, diagrams=4, ax=blank(width, 6))
    points = _ThresholdBars(curve).points
    alphas = [points[place].alpha for place in evenly_chosen(changes_of(points), 4)]
    heads = [text.split(":")[0].split("\n")[0] for text in texts_by_gid(ax, "threshold")]
    assert all(h.startswith(f"at {threshold_text(a)}") for h, a in zip(heads, alphas, strict=True))
    panels = _Panels.of({k: curve.order(alpha) for k, alpha in enumerate(alphas)}, (600, 900))
    heights = [{item: y for item, (_, y) in layout.items()} for layout in panels.layouts.values()]
    assert heights == [heights[0]] * 4, "an item has the same height in all of them"
    ax.figure.canvas.draw()
    frames = [panel.get_window_extent() for panel in ax.child_axes]
    assert all(a.x1 <= b.x0 + 1 for a, b in pairwise(frames))
    for alpha, panel, layout in zip(alphas, ax.child_axes, panels.layouts.values(), strict=True):
        item = {spot: item for item, spot in layout.items()}
        paths = [path.vertices for path in one(panel, "cover").get_paths()]
        ends = [tuple(tuple(at) for at in path[[0, -1]].round(9).tolist()) for path in paths]
        lines = po.transitive_closure(nx.DiGraph([[item.get(at, at) for at in u] for u in ends]))
        said_of_teas = {(u, v) for u, v in lines.edges if {u, v} <= set(teas)}
        assert said_of_teas == set(curve.order(alpha).edges)
        assert all(u[1] > v[1] for u, v in ends), "the best is on top"
        assert panel.get_legend() is None
    assert misplaced_texts(ax) == []


def points_of(ax: Any) -> list[list[list[float]]]:
    return [line.get_xydata().tolist() for line in by_gid(ax, "curve")]


def test_what_is_beyond_the_minimal_threshold_is_told_apart() -> None:
    degrees = {("a", "b"): 0.9, ("b", "c"): 0.8, ("c", "a"): 0.7, ("c", "d"): 0.6}
    P = po.PreferenceRelation.from_degrees(degrees)
    curve = po.abstention_curve(P, po.from_ranking("abcd"), impossible="drop")
    ax = po.draw_tradeoff(curve, ax=bare())
    assert points_of(ax) == [[[1, 1], [0.5, 1], [pytest.approx(0.5), 1], [pytest.approx(1 / 6), 1]]]
    assert one(ax, "minimal").get_xydata().tolist() == [[pytest.approx(0.5), 1]]
    drawn: Any = po.draw_thresholds(curve, ax=blank())
    below = "below 3/5 there is a cycle; below 4/5 contradictions are dropped"
    assert drawn.get_xlabel().replace("\n", " ") == f"threshold t; {below}"
    none = po.draw_tradeoff(po.abstention_curve(CYCLIC, po.from_ranking("abc")), ax=bare())
    assert points_of(none) == [[]]


def test_pairs_of_numbers_are_sorted_as_numbers() -> None:
    P = po.preference_relation([po.from_ranking([9, 10, 11, 100])])
    names = [text.get_text() for text in po.draw_thresholds(P, diagrams=0).get_yticklabels()]
    assert names == ["9 > 10", "9 > 11", "9 > 100", "10 > 11", "10 > 100", "11 > 100"]


MANY = po.preference_relation([np.zeros(2001)])


def test_bad_input_is_refused_in_words() -> None:
    refuses("at most 200 items .* found 2,001", po.draw_thresholds, MANY)
