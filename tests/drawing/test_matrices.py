"""The two matrices, cell by cell, against what the orders and the relation say."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.drawing.style import CLASS_LOOKS
from porank.drawing.texts import names_of
from tests import oracles_ensemble
from tests.drawn import bare, blank, by_gid, lightness, one, relation, row_names
from tests.oracles import closure
from tests.strategies import item_lists, orders

CLASSES = list(CLASS_LOOKS)
SEVEN = ["bca", "cab", "bca", "abc", "cab", "abc", "cab"]


def class_of(target: set[Any], predicted: set[Any], u: Any, v: Any) -> str:
    """The class of a pair by its definition, from the pairs of the two closures."""
    if (u, v) in target or (v, u) in target:
        upper, lower = (u, v) if (u, v) in target else (v, u)
        if (upper, lower) in predicted:
            return "concordant"
        return "discordant" if (lower, upper) in predicted else "target_only"
    return "predicted_only" if {(u, v), (v, u)} & predicted else "neither"


@settings(max_examples=5)
@given(orders(max_items=5), st.data())
def test_pair_matrix_shows_the_class_of_each_pair(target: nx.DiGraph, data: st.DataObject) -> None:
    items = data.draw(st.permutations(list(target)))
    predicted = nx.DiGraph()
    predicted.add_nodes_from(items)
    edges = [(u, v) for i, u in enumerate(items) for v in items[i + 1 :]]
    predicted.add_edges_from(edge for edge in edges if data.draw(st.booleans()))
    ax = po.draw_pair_matrix(target, predicted, ax=bare())
    if not items:
        assert by_gid(ax, "pairs") == []
        return
    cells = one(ax, "pairs").get_array()
    truth, guess = closure(target.edges), closure(predicted.edges)
    sequence = _sequence(ax, items)
    marks = {kind: set(marked(ax, kind)) for kind in CLASSES}
    for i, u in enumerate(sequence):
        for j, v in enumerate(sequence):
            if i >= j:
                assert cells.mask[i, j]
                continue
            kind = class_of(truth, guess, u, v)
            assert CLASSES[int(cells[i, j])] == kind
            assert [other for other in CLASSES if (j, i) in marks[other]] == [kind]
            assert (v, u) not in truth
    n = len(items)
    assert sum(map(len, marks.values())) == n * (n - 1) // 2


def marked(ax: Any, kind: str) -> list[tuple[int, int]]:
    """The column and the row of the cells that have the mark of a class."""
    points = one(ax, CLASS_LOOKS[kind].name.replace(" ", "_")).get_xydata().tolist()
    return [(int(x), int(y)) for x, y in points]


def outline(line: Any) -> str:
    marker = line.get_marker()
    return marker if isinstance(marker, str) else str(marker.vertices.tolist())


def test_each_class_has_its_own_mark_in_the_cells_and_in_the_key() -> None:
    ax: Any = po.draw_pair_matrix(*po.load_example("table1-corrected"), ax=blank())
    in_cells = [one(ax, CLASS_LOOKS[kind].name.replace(" ", "_")) for kind in CLASSES]
    in_key = ax.get_legend().legend_handles
    assert [outline(line) for line in in_cells] == [outline(line) for line in in_key]
    assert len({outline(line) for line in in_cells}) == 5
    for kind, line, entry in zip(CLASSES, in_cells, in_key, strict=True):
        ground = CLASS_LOOKS[kind].color
        assert entry.get_color() == ground
        assert line.get_markeredgecolor() == entry.get_markeredgecolor()
        # The mark stands out in grey: the contrast that web pages ask of graphics.
        assert abs(lightness(line.get_markeredgecolor()) - lightness(ground)) > 40
    # Tiny cells have their colour alone, and the key stays out of the cells.
    for side, is_marked in ((1.6, False), (6, True)):
        ax = po.draw_pair_matrix(po.chain(24), po.chain(24), ax=blank(side, side))
        assert bool(by_gid(ax, "agree")) == is_marked
        assert hasattr(ax.get_legend().legend_handles[0], "get_marker") == is_marked
        assert one(ax, "pairs").get_array().count() == 24 * 23 // 2
    for size in ((6, 6), (2.5, 1.8)):
        ax = po.draw_pair_matrix(po.chain(5), po.chain(5), ax=blank(*size))
        ax.figure.canvas.draw()
        left = ax.transData.inverted().transform(ax.get_legend().get_window_extent())[0, 0]
        assert left >= 4.4


def test_rows_stand_by_target_and_prediction_or_by_cut_and_degrees() -> None:
    ax = po.draw_pair_matrix(po.parse("b > a; b > c; b > d"), po.parse("d > c > a; b"), ax=bare())
    assert row_names(ax) == ["b", "d", "c", "a"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["b", "d", "c", "a"]
    # Three of five prefer a to b; all prefer b to the rest, of which two prefer everything to a.
    P = relation(["abcd"] * 3 + ["bcda"] * 2)
    assert sum(P.matrix()[1]) > sum(P.matrix()[0])
    assert row_names(po.draw_preferences(P, ax=bare())) == ["a", "b", "c", "d"]
    # Nobody is above another by more than half; c is preferred most often, then a.
    P = relation(["cab", "cab", "abc", "bca", "acb", "bac"])
    won = dict(zip(P.items, P.matrix().sum(axis=1), strict=True))
    rows = row_names(po.draw_preferences(P, alpha="consensus", ax=bare()))
    assert rows == sorted("abc", key=lambda item: (-won[item], item)) != sorted(rows)


def test_alpha_is_that_of_predict_order() -> None:
    P = relation(["abcd", "abdc", "bacd", "cabd", "abcd"])
    for alpha in ("consensus", "majority", 0.5):
        order = po.predict_order(P, alpha=alpha)
        title = po.draw_preferences(P, alpha=alpha, ax=bare()).get_title()
        cut = sum(not added for *_, added in order.edges(data="added"))
        degree = order.graph["alpha"]
        where = degree if isinstance(alpha, str) else f"{alpha} (degree {degree})"
        assert title == f"Cut at {where}: {cut} pairs"
    large = po.preference_relation([np.zeros(2001)])
    with pytest.raises(po.PorankError, match="at most 2,000 items in a matrix, found 2,001"):
        po.draw_preferences(large)


def _sequence(ax: Any, items: list[Any]) -> list[Any]:
    """The items in the rows, found by their names."""
    by_name = dict(zip(names_of(items), items, strict=True))
    return [by_name[name] for name in row_names(ax)]


def sides_of(cells: set[tuple[int, int]]) -> set[tuple[tuple[float, float], tuple[float, float]]]:
    """The sides of cells (row, column) that only one cell has: where the cut ends."""
    found: set[Any] = set()
    for i, j in cells:
        left, right, high, low = j - 0.5, j + 0.5, i - 0.5, i + 0.5
        sides = {
            ((left, high), (right, high)),
            ((left, low), (right, low)),
            ((left, high), (left, low)),
            ((right, high), (right, low)),
        }
        found ^= sides
    return found


@settings(max_examples=5)
@given(item_lists(max_items=5), st.data())
def test_preferences_show_degrees_cut_and_closure(items: list[Any], data: st.DataObject) -> None:
    votes = data.draw(st.lists(st.permutations(items), min_size=1, max_size=5))
    members = [po.from_ranking(vote) for vote in votes]
    P = po.preference_relation(members)
    ax = po.draw_preferences(P, ax=bare())
    if not items:
        return
    sequence = _sequence(ax, items)
    shares = oracles_ensemble.degrees(members, ties="none")
    grid = [Fraction(number, len(votes)) for number in range(1, len(votes) + 1)]
    least = oracles_ensemble.minimal_threshold(shares, grid)
    assert least is not None
    kept = oracles_ensemble.cut(shares, least)
    cells = one(ax, "degrees").get_array()
    place = {item: number for number, item in enumerate(sequence)}
    assert all(cells[place[u], place[v]] == float(share) for (u, v), share in shares.items())
    assert all(cells.mask[i, i] for i in range(len(items)))
    border = {tuple(map(tuple, side)) for side in _sides(one(ax, "cut"))}
    assert border == sides_of({(place[u], place[v]) for u, v in kept})
    added = one(ax, "added").get_offsets()
    assert {(round(y), round(x)) for x, y in added.tolist()} == {
        (place[u], place[v]) for u, v in closure(kept) - kept
    }
    # Best first: what the order says lies above the diagonal.
    assert all(place[u] < place[v] for u, v in kept)


def _sides(collection: Any) -> list[list[list[float]]]:
    return [sorted(path.vertices.tolist()) for path in collection.get_paths()]


def test_a_cut_with_a_cycle_shows_the_cycle() -> None:
    ax = po.draw_preferences(relation(SEVEN), alpha=0.5, ax=bare())
    assert ax.get_title() == "Cut at 0.5 (degree 4/7): no order, a cycle of a > b > c"
    names = row_names(ax)
    marks = [(names[int(y)], names[int(x)]) for x, y in one(ax, "cycle").get_offsets().tolist()]
    assert marks == [("a", "b"), ("b", "c"), ("c", "a")]
    assert len(one(ax, "added").get_offsets()) == 0
    ax = po.draw_preferences(relation(SEVEN), ax=bare())
    assert ax.get_title() == "Cut at 5/7, the minimal threshold: 2 pairs"
    assert by_gid(ax, "cycle") == []
    # A long cycle is counted.
    names = [f"somewhat long name {number}" for number in range(5)]
    around = dict.fromkeys([*pairwise(names), (names[-1], names[0])], 1)
    P = po.PreferenceRelation.from_degrees(around, reciprocal=False)
    assert po.draw_preferences(P, alpha=1, ax=bare()).get_title().endswith("a cycle of 5 items")
    with pytest.raises(po.CycleError, match="in the pairs of degree 1"):
        po.draw_preferences(P)


def test_degrees_are_written_exactly_where_there_is_room() -> None:
    ax = po.draw_preferences(relation(SEVEN), ax=bare())
    degrees = sorted(text.get_text() for text in ax.texts)
    assert degrees == ["2/7", "2/7", "3/7", "4/7", "5/7", "5/7"]
    assert list(po.draw_preferences(relation(SEVEN), ax=blank(1.4, 1.4)).texts) == []
    by_hand = po.PreferenceRelation.from_degrees({("a", "b"): 0.123456})
    ax = po.draw_preferences(by_hand, alpha=0.5, ax=bare())
    assert sorted(text.get_text() for text in ax.texts) == ["0.12", "0.88"]


def test_what_the_cut_leaves_out_is_paler() -> None:
    P = relation(["abc", "acb", "bac"])
    ax = po.draw_preferences(P, alpha=1, ax=blank())
    items, veil = row_names(ax), np.asarray(one(ax, "veil").get_array())[..., 3]
    kept = {(items[i], items[j]) for i, j in np.argwhere(veil == 0).tolist()}
    assert kept == set(po.predict_order(P, alpha=1).edges)
