"""Pairs in the cells of matrices, and rankings side by side, against what the orders say."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.drawing.side_by_side import _columns_of, _crossing_points
from porank.drawing.style import CLASS_LOOKS, STATE_LOOKS
from porank.drawing.texts import names_of
from porank.errors import counted
from tests.support import oracles_abstention
from tests.support.drawn import (
    bare,
    blank,
    by_gid,
    entries,
    lightness,
    one,
    relation,
    row_names,
    said,
)
from tests.support.oracles import closure
from tests.support.strategies import item_lists, orders

CLASSES = list(CLASS_LOOKS)
SEVEN = ["bca", "cab", "bca", "abc", "cab", "abc", "cab"]


def marks_of(ax: Any, kind: str) -> Any:
    """The marks in the cells of a class."""
    return one(ax, CLASS_LOOKS[kind].name.replace(" ", "_"))


def rows_of(ax: Any, items: list[Any]) -> list[Any]:
    """The items in the rows, found by their names."""
    by_name = dict(zip(names_of(items), items, strict=True))
    return [by_name[name] for name in row_names(ax)]


@settings(max_examples=5)
@given(orders(max_items=5), st.data())
def test_pair_matrix_shows_the_class_of_each_pair(target: nx.DiGraph, data: st.DataObject) -> None:
    items = data.draw(st.permutations(list(target)))
    edges = [pair for pair in combinations(items, 2) if data.draw(st.booleans())]
    predicted = po.from_pairs(edges, items=items)
    ax = po.draw_pair_matrix(target, predicted, ax=bare())
    if not items:
        assert by_gid(ax, "pairs") == []
        return
    cells, truth = one(ax, "pairs").get_array(), closure(target.edges)
    rows = rows_of(ax, items)
    class_of = {frozenset((u, v)): kind for u, v, kind in po.pair_classes(target, predicted)}
    marks = {kind: set(map(tuple, marks_of(ax, kind).get_xydata().tolist())) for kind in CLASSES}
    for (i, u), (j, v) in combinations(enumerate(rows), 2):
        kind = class_of[frozenset((u, v))]
        assert CLASSES[int(cells[i, j])] == kind
        assert [other for other in CLASSES if (j, i) in marks[other]] == [kind]
        assert (v, u) not in truth
        assert cells.mask[j, i]
    assert all(cells.mask.diagonal())
    assert sum(map(len, marks.values())) == len(items) * (len(items) - 1) // 2


def test_pair_matrix_of_one_order_shows_why_pairs_are_open() -> None:
    counts = {("a", "b"): 30, ("b", "c"): 30, ("c", "a"): 30, ("a", "d"): 30, ("b", "e"): 2}
    counts |= {("d", "e"): 300, ("e", "d"): 300, ("c", "d"): 9, ("d", "c"): 7}
    order = po.settled_order(counts, margin=0.5)
    ax = po.draw_pair_matrix(order, ax=bare())
    cells, rows = one(ax, "pairs").get_array(), rows_of(ax, list(order))
    open_pairs = {frozenset(pair[:2]): pair[2:4] for pair in po.open_pairs(order)}
    kinds = list(STATE_LOOKS)
    for (i, u), (j, v) in combinations(enumerate(rows), 2):
        kind = kinds[int(cells[i, j])]
        state, reason = open_pairs.get(frozenset((u, v)), ("settled", ""))
        assert kind == ("never compared" if reason == "never compared" else state)
        (marks,) = by_gid(ax, kind.replace(" ", "_"))
        assert [j, i] in marks.get_xydata().tolist()
    texts = entries(ax)
    assert texts[:2] == ["conflicting: 3", "traded: 0"]
    assert texts[2:4] == ["not enough: 2", "never compared: 3"]
    assert texts[4:] == ["equal enough: 1", "settled: 1"]


def test_each_class_has_its_own_mark_in_the_cells_and_in_the_key() -> None:
    ax: Any = po.draw_pair_matrix(*po.load_example("table1-corrected"), ax=blank())
    in_cells, in_key = [marks_of(ax, kind) for kind in CLASSES], ax.get_legend().legend_handles
    marks = [[str(line.get_marker()) for line in lines] for lines in (in_cells, in_key)]
    assert marks[0] == marks[1]
    assert len(set(marks[0])) == 5
    for kind, line, entry in zip(CLASSES, in_cells, in_key, strict=True):
        ground, ink = CLASS_LOOKS[kind].color, line.get_markeredgecolor()
        assert (entry.get_color(), entry.get_markeredgecolor()) == (ground, ink)
        # The mark stands out in grey: the contrast that web pages ask of graphics.
        assert abs(lightness(ink) - lightness(ground)) > 40
    # Tiny cells have their colour alone, and the key stays out of the cells.
    for side, is_marked in ((1.6, False), (6, True)):
        ax = po.draw_pair_matrix(po.chain(24), po.chain(24), ax=blank(side, side))
        assert bool(by_gid(ax, "agreed")) == is_marked
        assert hasattr(ax.get_legend().legend_handles[0], "get_marker") == is_marked
        assert one(ax, "pairs").get_array().count() == 24 * 23 // 2
    for size in ((6, 6), (2.5, 2.2)):
        ax = po.draw_pair_matrix(po.chain(5), po.chain(5), ax=blank(*size))
        ax.figure.canvas.draw()
        (cells,) = by_gid(ax, "pairs")
        assert ax.get_legend().get_window_extent().y1 <= cells.get_window_extent().y0 + 1


def test_rows_stand_by_target_and_prediction_or_by_cut_and_degrees() -> None:
    ax = po.draw_pair_matrix(po.parse("b > a; b > c; b > d"), po.parse("d > c > a; b"), ax=bare())
    assert row_names(ax) == ["b", "d", "c", "a"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["b", "d", "c", "a"]
    # Three of five prefer a to b; all prefer b to the rest, of which two prefer everything to a.
    P = relation(["abcd"] * 3 + ["bcda"] * 2)
    assert row_names(po.draw_preferences(P, ax=bare())) == ["a", "b", "c", "d"]
    # Nobody is above another by more than half; c is preferred most often, then a.
    P = relation(["cab", "cab", "abc", "bca", "acb", "bac"])
    won = dict(zip(P.items, P.matrix().sum(axis=1), strict=True))
    rows = row_names(po.draw_preferences(P, alpha="consensus", ax=bare()))
    assert rows == sorted("abc", key=lambda item: (-won[item], item)) != sorted(rows)


def test_items_that_are_numbers_are_listed_by_value() -> None:
    numbers = dict.fromkeys(range(12), 1)
    P, names = po.preference_relation([numbers]), [*map(str, range(12))]
    assert row_names(po.draw_pair_matrix(numbers, numbers, ax=blank(6, 6))) == names
    assert row_names(po.draw_preferences(P, alpha="consensus", ax=blank(6, 6))) == names
    assert row_names(po.draw_rank_intervals(po.parse(";".join(names)), ax=blank(6, 6))) == names
    assert po.hasse_layout(po.from_pairs(("top", k) for k in range(12))).levels[1] == [*range(12)]


def test_alpha_is_that_of_predict_order_and_what_the_cut_leaves_out_is_paler() -> None:
    P = relation(["abcd", "abdc", "bacd", "cabd", "abcd"])
    for alpha in ("consensus", "majority", 0.5):
        order, ax = po.predict_order(P, alpha=alpha), po.draw_preferences(P, alpha=alpha, ax=bare())
        stated = {(u, v) for u, v, added in order.edges(data="added") if not added}
        degree = order.graph["alpha"]
        where = degree if isinstance(alpha, str) else f"{alpha} (degree {degree})"
        assert ax.get_title() == f"Cut at {where}: {len(stated)} pairs"
        rows, veil = row_names(ax), np.asarray(one(ax, "veil").get_array())[..., 3]
        assert {(rows[i], rows[j]) for i, j in np.argwhere(veil == 0).tolist()} == stated


@settings(max_examples=5)
@given(item_lists(max_items=5), st.data())
def test_preferences_show_degrees_cut_and_closure(items: list[Any], data: st.DataObject) -> None:
    votes = data.draw(st.lists(st.permutations(items), min_size=1, max_size=5))
    members = [po.from_ranking(vote) for vote in votes]
    ax = po.draw_preferences(po.preference_relation(members), ax=bare())
    if not items:
        return
    shares = oracles_abstention.degrees(members, ties="none")
    grid = [Fraction(number, len(votes)) for number in range(1, len(votes) + 1)]
    least = oracles_abstention.minimal_threshold(shares, grid)
    assert least is not None
    kept = oracles_abstention.cut(shares, least)
    cells = one(ax, "degrees").get_array()
    place = {item: number for number, item in enumerate(rows_of(ax, items))}
    assert all(cells[place[u], place[v]] == float(share) for (u, v), share in shares.items())
    assert all(cells.mask.diagonal())
    # The line of the cut has the sides of cells that only one of them has.
    border: set[Any] = set()
    for i, j in ((place[u], place[v]) for u, v in kept):
        corners = [(j + x, i + y) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))]
        border ^= {frozenset(side) for side in pairwise([*corners, corners[0]])}
    drawn = [path.vertices.tolist() for path in one(ax, "cut").get_paths()]
    assert {frozenset(map(tuple, side)) for side in drawn} == border
    added = one(ax, "added").get_offsets().tolist()
    assert {(round(y), round(x)) for x, y in added} == {
        (place[u], place[v]) for u, v in closure(kept) - kept
    }
    # Best first: what the order says lies above the diagonal.
    assert all(place[u] < place[v] for u, v in kept)


def test_a_cut_with_a_cycle_shows_the_cycle() -> None:
    ax = po.draw_preferences(relation(SEVEN), alpha=0.5, ax=bare())
    assert ax.get_title() == "Cut at 0.5 (degree 4/7): not an order, a cycle of a > b > c"
    names = row_names(ax)
    marks = [(names[int(y)], names[int(x)]) for x, y in one(ax, "cycle").get_offsets().tolist()]
    assert marks == [("a", "b"), ("b", "c"), ("c", "a")]
    assert len(one(ax, "added").get_offsets()) == 0
    # A long cycle is counted.
    names = [f"somewhat long name {number}" for number in range(5)]
    around = dict.fromkeys([*pairwise(names), (names[-1], names[0])], 1)
    P = po.PreferenceRelation.from_degrees(around, reciprocal=False)
    assert po.draw_preferences(P, alpha=1, ax=bare()).get_title().endswith("a cycle of 5 items")


def test_degrees_are_written_exactly_where_there_is_room() -> None:
    seven, by_hand = relation(SEVEN), po.PreferenceRelation.from_degrees({("a", "b"): 0.123456})
    for ax, texts in (
        (po.draw_preferences(seven, ax=bare()), ["2/7", "2/7", "3/7", "4/7", "5/7", "5/7"]),
        (po.draw_preferences(seven, ax=blank(1.4, 1.4)), []),
        (po.draw_preferences(by_hand, alpha=0.5, ax=bare()), ["0.12", "0.88"]),
    ):
        assert sorted(text.get_text() for text in ax.texts) == texts


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
        points = set(map(tuple, _crossing_points(left, right).round(6).tolist()))
        expected = set()
        for u, v in combinations(numbers, 2):
            if (here[u] - here[v]) * (there[u] - there[v]) < 0:
                (a, b), (c, d) = ((left.right[x], right.left[x]) for x in (u, v))
                # a + t (b - a) = c + t (d - c)
                share = (c - a) / (c - a + b - d)
                assert 0 < share < 1
                expected.add((round(share, 6), round(a + share * (b - a), 6)))
        assert points == expected


@settings(max_examples=6)
@given(weak_orders())
def test_counts_are_those_of_the_measures(levels: Levels) -> None:
    orders = [scores(own) for own in levels]
    counts = said(po.draw_rankings(orders, ax=bare(12)), "count")
    for number, (here, there) in enumerate(pairwise(orders)):
        table = po.pair_table(here, there)
        lines = [counted(table.discordant, "inversion")]
        if one_sided := table.target_only + table.predicted_only:
            lines.append(f"{counted(one_sided, 'pair')} tied in one of them")
        assert counts[number] == "\n".join(lines)


def test_lines_run_from_slot_to_slot_best_on_top() -> None:
    ax = po.draw_rankings([po.from_ranking("abc"), po.from_ranking("bca")], ax=bare())
    low, high = ax.get_ylim()
    assert low > 2 > 0 > high
    ends = {tuple(path.vertices[[0, -1]].ravel()) for path in one(ax, "items").get_paths()}
    assert ends == {(0, 0, 1, 2), (0, 1, 1, 0), (0, 2, 1, 1)}
    beside = {text.xy: text.get_text() for text in by_gid(ax, "item")}
    assert [beside[0, k] + beside[1, k] for k in range(3)] == ["ab", "bc", "ca"]
    points = sorted(one(ax, "inversions").get_offsets().tolist())
    assert np.allclose(points, [[1 / 3, 2 / 3], [2 / 3, 4 / 3]])


def test_several_pairs_that_cross_in_a_point_share_a_dot() -> None:
    ax = po.draw_rankings([po.from_ranking("abcdef"), po.from_ranking("cbaedf")])
    assert one(ax, "inversions").get_offsets().tolist() == [[0.5, 1.0], [0.5, 3.5]]
    small = po.draw_rankings([po.from_ranking(range(29)), po.from_ranking(range(29)[::-1])])
    assert len(one(small, "inversions").get_offsets()) == 1


def test_ties_are_framed_and_many_rankings_and_items_are_thinned() -> None:
    tied = [po.from_levels([["a", "b"], ["c"], ["d", "e"]]), po.from_ranking("badce")]
    ax = po.draw_rankings(tied, ax=bare())
    frames = [(box.get_y(), box.get_height(), box.get_x() < 0) for box in by_gid(ax, "tie")]
    assert frames == [(-0.35, 1.7, True), (2.65, 1.7, True)]
    assert ax.get_xlabel() == "each crossing is an inversion\nboxes: tied items"
    orders = [po.from_ranking("ab")] * 3
    ax = po.draw_rankings(orders, names=["truth", "$5", "\U000e0fff"], ax=bare())
    assert said(ax, "title") == ["truth", r"\$5", r"\U000e0fff"]
    assert said(po.draw_rankings(orders, ax=bare()), "title") == ["1", "2", "3"]
    narrow = po.draw_rankings([po.from_ranking("ab"), po.from_ranking("ba")] * 8, ax=blank(4, 3))
    assert said(narrow, "count") == ["1"] * 15, "narrow columns keep the numbers"
    assert 1 < len(said(narrow, "title")) < 16
    ax = po.draw_rankings([po.random_ranking(500, seed=seed) for seed in range(2)], ax=bare())
    assert len(one(ax, "items").get_paths()) == 500
    assert by_gid(ax, "inversions") == []
    assert "named" in ax.get_ylabel()
    assert 20 < len(by_gid(ax, "item")) < 200
