"""Matrices of pairs and of preferences."""

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex

import porank as po
from porank.drawing.style import CLASS_LOOKS, STATE_LOOKS
from porank.drawing.texts import names_of
from porank.errors import CycleError
from tests.support import oracles_abstention
from tests.support.drawn import bare, blank, by_gid, entries, lightness, one, relation, row_names
from tests.support.oracles import closure
from tests.support.refusals import refuses
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


@settings(max_examples=3)
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
    assert ax.get_title() == "1 of 10 pairs settled"


@pytest.mark.parametrize("style", ["default", "ggplot", "grayscale", "dark_background"])
def test_where_cells_are_is_seen_on_every_ground(style: str) -> None:
    G, H = po.antichain(30), po.from_pairs([(0, 1)], items=range(30))
    with plt.style.context(style):
        for ax in (po.draw_pair_matrix(G, H, width=3.3), po.draw_pair_matrix(H, H, width=6.5)):
            border = one(ax, "border")
            ground = to_hex(ax.get_facecolor())
            assert abs(lightness(to_hex(border.get_colors()[0])) - lightness(ground)) > 20
            # It surrounds the triangle above the diagonal: n - 1 cells on each side, and the steps.
            sides = {tuple(map(tuple, side.tolist())) for side in border.get_segments()}
            assert len(sides) == 4 * 29


@pytest.mark.slow
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
    for side, is_marked in ((2.2, False), (6, True)):
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


def test_alpha_is_that_of_predict_order() -> None:
    P = relation(["abcd", "abdc", "bacd", "cabd", "abcd"])
    for alpha in ("consensus", "majority", 0.5):
        order, ax = po.predict_order(P, alpha=alpha), po.draw_preferences(P, alpha=alpha, ax=bare())
        stated = {(u, v) for u, v, added in order.edges(data="added") if not added}
        degree = order.graph["alpha"]
        where = degree if isinstance(alpha, str) else f"{alpha} (degree {degree})"
        assert ax.get_title() == f"Cut at {where}: {len(stated)} pairs"


@settings(max_examples=3)
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
    assert ax.get_title() == "Cut at 0.5 (degree 4/7): not an order, a cycle of 3 items"
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


AROUND = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
MANY = po.preference_relation([np.zeros(2001)])


def test_bad_input_is_refused_in_words() -> None:
    refuses("in the pairs of degree 1", po.draw_preferences, AROUND, error=CycleError)
    refuses("at most 2,000 items .* found 2,001", po.draw_preferences, MANY)


def test_names_of_columns_do_not_run_together() -> None:
    G, H = (po.random_order(41, dimension=2, seed=seed) for seed in (1, 2))
    for ax in (po.draw_pair_matrix(G, H, width="page"), po.draw_pair_matrix(G, H, width=9)):
        ax.figure.canvas.draw()
        boxes = [text.get_window_extent() for text in ax.get_xticklabels() if text.get_text()]
        gaps = [right.x0 - left.x1 for left, right in pairwise(boxes)]
        assert min(gaps) > 2
