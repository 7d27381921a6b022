"""Rankings side by side: lines cross where two rankings contradict each other, and never else."""

from __future__ import annotations

import io
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.drawing.rankings import _columns_of, _crossing_points
from porank.errors import counted
from tests.drawn import bare, blank, by_gid, one, said
from tests.strategies import item_lists

Levels = list[dict[Any, int]]


@st.composite
def weak_orders(draw: st.DrawFn) -> Levels:
    """One to four weak orders as item -> level, level 0 the best, in different sequences."""
    items = draw(item_lists(max_items=6))
    sequences = [draw(st.permutations(items)) for _ in range(draw(st.integers(1, 4)))]
    return [{item: draw(st.integers(0, 3)) for item in shuffled} for shuffled in sequences]


def scores(levels: dict[Any, int]) -> dict[Any, int]:
    return {item: -level for item, level in levels.items()}


@given(weak_orders())
def test_slots_follow_the_levels_and_lines_cross_where_rankings_disagree(drawn: Levels) -> None:
    columns = _columns_of([compile_order(scores(own)) for own in drawn])
    levels = [[own[item] for item in drawn[0]] for own in drawn]
    numbers = range(len(drawn[0]))
    for own, column in zip(levels, columns, strict=True):
        for side in (column.left, column.right):
            assert sorted(side.tolist()) == [*numbers]
            for u, v in combinations(numbers, 2):
                assert own[u] == own[v] or (own[u] < own[v]) == (side[u] < side[v])
        slots = [sorted(column.left[u] for u in numbers if own[u] == level) for level in range(4)]
        assert column.ties == [(each[0], each[-1]) for each in slots if len(each) > 1]
    for column in (columns[0], columns[-1]):
        assert column.left.tolist() == column.right.tolist()
    for (here, there), (left, right) in zip(pairwise(levels), pairwise(columns), strict=True):
        upper, lower, points = _crossing_points(left, right)
        pairs = zip(upper.tolist(), lower.tolist(), strict=True)
        assert sorted(tuple(sorted(pair)) for pair in pairs) == [
            (u, v)
            for u, v in combinations(numbers, 2)
            if (here[u] - here[v]) * (there[u] - there[v]) < 0
        ]
        for u, v, (share, height) in zip(upper, lower, points, strict=True):
            assert 0 < share < 1
            for item in (u, v):
                start, end = left.right[item], right.left[item]
                assert height == pytest.approx(start + share * (end - start))


@settings(max_examples=6)
@given(weak_orders(), st.data())
def test_counts_are_those_of_the_measures(levels: Levels, data: st.DataObject) -> None:
    weights = {item: data.draw(st.fractions(0, 3, max_denominator=4)) for item in levels[0]}
    orders = [scores(own) for own in levels]
    counts = said(po.draw_rankings(orders, ax=bare(12)), "count")
    weighed = said(po.draw_rankings(orders, weights=weights, ax=bare(12)), "count")
    for number, (here, there) in enumerate(pairwise(orders)):
        table = po.pair_table(here, there)
        lines = [counted(table.discordant, "inversion")]
        if one_sided := table.target_only + table.predicted_only:
            lines.append(f"{counted(one_sided, 'pair')} tied in one of them")
        assert counts[number] == "\n".join(lines)
        distance = po.generalized_kendall(here, there, weights=weights)
        assert weighed[number] == "\n".join([*lines, f"distance {distance:.4g}"])


def test_lines_run_from_slot_to_slot_best_on_top() -> None:
    ax = po.draw_rankings([po.from_ranking("abc"), po.from_ranking("bca")], ax=bare())
    low, high = ax.get_ylim()
    assert low > 2 > 0 > high
    ends = {tuple(path.vertices[[0, -1]].ravel()) for path in one(ax, "items").get_paths()}
    assert ends == {(0, 0, 1, 2), (0, 1, 1, 0), (0, 2, 1, 1)}
    beside = {(text.get_text(), text.xy) for text in by_gid(ax, "item")}
    left = {("a", (0, 0)), ("b", (0, 1)), ("c", (0, 2))}
    assert beside == left | {("b", (1, 0)), ("c", (1, 1)), ("a", (1, 2))}
    points = sorted(one(ax, "inversions").get_offsets().tolist())
    assert np.allclose(points, [[1 / 3, 2 / 3], [2 / 3, 4 / 3]])
    assert ax.get_title() == "2 rankings of 3 items"


def test_widths_are_in_proportion_to_the_weights() -> None:
    rankings = [po.from_ranking("abcd"), po.from_ranking("cbda")]
    ax = po.draw_rankings(rankings, weights={"a": 4, "b": 2, "c": 1, "d": 1}, ax=bare())
    tops = [path.vertices[0][1] for path in one(ax, "items").get_paths()]
    by_slot = dict(zip(tops, one(ax, "items").get_linewidths(), strict=True))
    assert by_slot[0] == 2 * by_slot[1] == 4 * by_slot[2]
    sizes = sorted(one(ax, "inversions").get_sizes())
    # Over each other go b and c; a and c, a and d; a and b.
    assert [size / sizes[0] for size in sizes] == [1, 2, 2, 4]
    # A list has the weights in the sequence of the first ranking.
    listed = po.draw_rankings(rankings[::-1], weights=[1, 2, 1, 4], ax=bare())
    assert sorted(one(listed, "inversions").get_sizes()) == sizes
    assert one(listed, "count").get_text() == one(ax, "count").get_text()
    for equal in (None, [1e308] * 3, [1e-308] * 3):
        three = [po.from_ranking("abc"), po.from_ranking("cab")]
        drawn: Any = po.draw_rankings(three, weights=equal, ax=bare())
        drawn.figure.savefig(io.BytesIO())
        assert len(set(one(drawn, "items").get_linewidths())) == 1
        assert len(set(one(drawn, "inversions").get_sizes())) == 1


def test_where_several_pairs_cross_in_a_point_their_dot_says_how_many() -> None:
    ax = po.draw_rankings([po.from_ranking("abcdef"), po.from_ranking("cbaedf")])
    dots = one(ax, "inversions")
    assert dots.get_offsets().tolist() == [[0.5, 1.0], [0.5, 3.5]]
    assert dots.get_sizes()[0] > dots.get_sizes()[1]
    number = one(ax, "crossings")
    assert (number.get_text(), number.get_position()) == ("3", (0.5, 1.0))
    for n in (3, 29):
        both = [po.from_ranking(range(n)), po.from_ranking(range(n)[::-1])]
        wide = po.draw_rankings(both)
        assert 9**2 <= one(wide, "inversions").get_sizes()[0] < 12**2
        assert said(wide, "crossings") == [str(n * (n - 1) // 2)]
    small = po.draw_rankings(both, ax=bare())
    assert len(one(small, "inversions").get_offsets()) == 1
    assert by_gid(small, "crossings") == []


def test_ties_are_framed_and_many_rankings_and_items_are_thinned() -> None:
    tied = [po.from_levels([["a", "b"], ["c"], ["d", "e"]]), po.from_ranking("badce")]
    ax = po.draw_rankings(tied, ax=bare())
    frames = [(box.get_y(), box.get_height(), box.get_x() < 0) for box in by_gid(ax, "tie")]
    assert frames == [(-0.35, 1.7, True), (2.65, 1.7, True)]
    assert ax.get_xlabel() == "each crossing is an inversion\na box holds tied items"
    orders = [po.from_ranking("ab")] * 3
    ax = po.draw_rankings(orders, names=["truth", "$5", "漢"], ax=bare())
    assert said(ax, "title") == ["truth", r"\$5", r"\u6f22"]
    assert said(po.draw_rankings(orders, ax=bare()), "title") == ["1", "2", "3"]
    narrow = po.draw_rankings([po.from_ranking("ab"), po.from_ranking("ba")] * 8, ax=blank(4, 3))
    assert said(narrow, "count") == ["1"] * 15, "narrow columns keep the numbers"
    assert 1 < len(said(narrow, "title")) < 16
    ax = po.draw_rankings([po.random_ranking(500, seed=seed) for seed in range(2)], ax=bare())
    assert len(one(ax, "items").get_paths()) == 500
    assert by_gid(ax, "inversions") == []
    assert "every" in ax.get_ylabel()
    assert 20 < len(by_gid(ax, "item")) < 200
