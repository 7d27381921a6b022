"""Rankings side by side: slots, lines, crossings, ties."""

from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.drawing.side_by_side import _columns_of
from porank.errors import NotApplicableError as Inapplicable
from porank.errors import counted
from tests.support.drawn import bare, blank, boxes, by_gid, misplaced_texts, one, texts_by_gid
from tests.support.refusals import refuses
from tests.support.strategies import item_lists


def test_bad_input_is_refused_in_words() -> None:
    refuses("of the 2 rankings, found 1", po.draw_rankings, [[2, 1]] * 2, names=["x"])
    orders = [po.parse("a > b > c"), po.parse("a > b; c")]
    refuses("member 2 partial", po.draw_rankings, orders, error=Inapplicable)


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
        for u, v in combinations(numbers, 2):
            (a, b), (c, d) = ((left.right[x], right.left[x]) for x in (u, v))
            is_inversion = (here[u] - here[v]) * (there[u] - there[v]) < 0
            assert bool((a - c) * (b - d) < 0) is is_inversion


@settings(max_examples=6)
@given(weak_orders())
def test_counts_are_those_of_the_measures(levels: Levels) -> None:
    orders = [scores(own) for own in levels]
    counts = texts_by_gid(po.draw_rankings(orders, ax=bare(12)), "count")
    for number, (here, there) in enumerate(pairwise(orders)):
        table = po.pair_table(here, there)
        assert counts[number] == counted(table.discordant, "inversion")


def test_lines_run_from_slot_to_slot_best_on_top() -> None:
    ax = po.draw_rankings([po.from_ranking("abc"), po.from_ranking("bca")], ax=bare())
    low, high = ax.get_ylim()
    assert low > 2 > 0 > high
    ends = {tuple(path.vertices[[0, -1]].ravel()) for path in one(ax, "items").get_paths()}
    assert ends == {(0, 0, 1, 2), (0, 1, 1, 0), (0, 2, 1, 1)}
    beside = {text.xy: text.get_text() for text in by_gid(ax, "item")}
    assert [beside[0, k] + beside[1, k] for k in range(3)] == ["ab", "bc", "ca"]
    # Of a single ranking each item is named once.
    assert texts_by_gid(po.draw_rankings([po.from_ranking("ab")], ax=bare()), "item") == ["a", "b"]


def test_ties_are_framed_and_many_rankings_and_items_are_thinned() -> None:
    tied = [po.from_levels([["a", "b"], ["c"], ["d", "e"]]), po.from_ranking("badce")]
    ax = po.draw_rankings(tied, ax=bare())
    frames = boxes(one(ax, "tie"))
    assert [(left < 0 < right, low, high) for left, right, low, high in frames] == [
        (True, -0.35, 1.35),
        (True, 2.65, 4.35),
    ]
    assert ax.get_xlabel() == "each crossing is an inversion\nboxes: tied items"
    orders = [po.from_ranking("ab")] * 3
    ax = po.draw_rankings(orders, names=["truth", "$5", "\U000e0fff"], ax=bare())
    assert texts_by_gid(ax, "title") == ["truth", r"\$5", r"\U000e0fff"]
    assert texts_by_gid(po.draw_rankings(orders, ax=bare()), "title") == ["1", "2", "3"]
    narrow = po.draw_rankings([po.from_ranking("ab"), po.from_ranking("ba")] * 8, ax=blank(4, 3))
    assert texts_by_gid(narrow, "count") == ["1"] * 15, "narrow columns keep the numbers"
    assert 1 < len(texts_by_gid(narrow, "title")) < 16
    ax = po.draw_rankings([po.random_ranking(500, seed=seed) for seed in range(2)], ax=bare())
    assert len(one(ax, "items").get_paths()) == 500
    assert "named" in ax.get_ylabel()
    assert 20 < len(by_gid(ax, "item")) < 200


@pytest.mark.parametrize(
    ("name", "width", "places"),
    [("some item", 2, {0}), ("some item", "column", {0, 1}), ("a much longer item", "column", {0})],
)
def test_names_too_wide_for_both_sides_are_whole_on_the_left(
    name: str, width: Any, places: set[int]
) -> None:
    items = [f"{name} {k}" for k in range(12)]
    ax = po.draw_rankings([po.from_ranking(items), po.from_ranking(items[::-1])], width=width)
    beside = by_gid(ax, "item")
    assert {text.xy[0] for text in beside} == places
    assert [text.get_text() for text in beside if text.xy[0] == 0] == items
    assert misplaced_texts(ax) == []
