"""Diagrams of many items: every name in its box, whichever way the lines lead."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.drawing.layout.hasse import folded
from tests.drawing.test_hasse import crowded_boxes
from tests.drawing.test_routes import entered
from tests.drawn import blank, by_gid, misplaced_texts, one, row_names
from tests.strategies import orders

WORDS = ["Kitchen", "Telephony", "& Co", "Housewares", "Safety", "Garden", "Ærøskøbing", "x"]
ORIENTATIONS = ("auto", "down", "right")


def name(number: int) -> str:
    """A name of one to four words, which no other number has."""
    return " ".join([*(WORDS[(number * k) % 8] for k in range(1, 1 + number % 4)), str(number)])


def wide(n: int, n_best: int) -> nx.DiGraph:
    """An order of n items with long names, so many of which are on top."""
    edges = [(k % n_best, k) for k in range(n_best, n)]
    return nx.relabel_nodes(po.from_pairs(edges, items=range(n)), name)


def require_true(ax: Any, G: nx.DiGraph) -> None:
    """The picture is that of the order, and all of it is readable."""
    ax.figure.canvas.draw()
    drawn = {text.get_text().replace("\n", " "): text for text in by_gid(ax, "item")}
    assert set(drawn) == set(G)
    width = ax.figure.get_size_inches()[0]
    assert min(text.get_fontsize() for text in drawn.values()) / max(width / 6.3, 1) >= 6
    assert crowded_boxes(ax) == []
    assert misplaced_texts(ax) == []
    for text in drawn.values():
        inner, outer = text.get_window_extent(), text.get_bbox_patch().get_window_extent()
        assert outer.x0 <= inner.x0 <= inner.x1 <= outer.x1
        assert outer.y0 <= inner.y0 <= inner.y1 <= outer.y1
    require_true_lines(ax, G, {item: text.get_position() for item, text in drawn.items()})


def require_true_lines(ax: Any, G: nx.DiGraph, places: dict[Any, tuple[float, float]]) -> None:
    """There is a line for each cover, from the better on, past all other boxes."""
    item = {place: item for item, place in places.items()}
    paths = [np.asarray(path.vertices) for path in one(ax, "cover").get_paths()]
    ends = [(item[tuple(path[0])], item[tuple(path[-1])]) for path in paths]
    assert sorted(ends) == sorted(po.transitive_reduction(G).edges)
    is_right = "to the right" in ax.get_xlabel()
    for path in paths:
        ahead = path[:, 0] if is_right else -path[:, 1]
        assert ahead[-1] > ahead[0]
        assert min((b - a for a, b in pairwise(ahead)), default=0.0) > -1e-9
    assert entered(ax) == []


@pytest.mark.slow
@settings(max_examples=5)
@given(orders(max_items=9), st.sampled_from(ORIENTATIONS), st.sampled_from([None, (3.2, 3.4)]))
def test_names_stand_in_boxes_that_no_other_line_meets(
    G: nx.DiGraph, orientation: str, size: Any
) -> None:
    items = list(G)
    G = nx.relabel_nodes(G, {item: name(number) for number, item in enumerate(items)})
    ax = po.draw_hasse(G, orientation=orientation, ax=None if size is None else blank(*size))
    if G and by_gid(ax, "cover") and len(by_gid(ax, "item")) == len(G) and not by_gid(ax, "names"):
        require_true(ax, G)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "n_best"),
    [(30, 12), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((89, 60), (150, 150)))],
)
def test_up_to_150_items_have_their_names_at_the_width_of_a_page(n: int, n_best: int) -> None:
    G = wide(n, n_best)
    ax: Any = po.draw_hasse(G)
    assert ax.figure.get_size_inches()[0] <= 6.31
    require_true(ax, G)


def test_lines_lead_to_the_right_when_that_has_room() -> None:
    ax = po.draw_hasse(wide(30, 12))
    assert ax.get_xlabel() == "lines lead to the right: from the better to the worse"
    assert po.draw_hasse(po.parse("a > b"), ax=blank()).get_xlabel().startswith("lines lead down")
    ax = po.draw_hasse(wide(30, 12), orientation="down")
    assert ax.get_xlabel().startswith("lines lead down")


def test_ranks_of_folded_levels_stand_beside_the_middle_of_their_rows() -> None:
    G = wide(60, 40)
    for orientation in ("down", "right"):
        ax = po.draw_hasse(G, ranks=True, orientation=orientation)
        axis = ax.yaxis if orientation == "down" else ax.xaxis
        assert [label.get_text() for label in axis.get_ticklabels()] == ["1", "2"]
        ranks = po.set_ranks(G)
        for rank, middle in zip((1, 2), axis.get_ticklocs(), strict=True):
            places = [
                text.get_position()[orientation == "down"]
                for text in by_gid(ax, "item")
                if ranks[text.get_text().replace("\n", " ")] == rank
            ]
            assert middle == (min(places) + max(places)) / 2
    assert row_names(ax) == []


@pytest.mark.parametrize("most", [1, 4, 7, 40])
def test_folded_rows_keep_the_levels(most: int) -> None:
    layout = po.hasse_layout(wide(60, 33))
    rows = folded(layout, most)
    assert max(map(len, rows.levels)) <= most
    assert list(rows) == list(layout)
    assert all(rows[u][1] > rows[v][1] for u, v in layout.edges)
    for row in rows.levels:
        assert all(rows[b][0] - rows[a][0] >= 1 - 1e-9 for a, b in pairwise(row))
        assert len({layout[item][1] for item in row}) == 1
    left, low, right, high = rows.bounds
    assert all(left <= x <= right and low <= y <= high for x, y in rows.values())
    assert left == -right


def test_none_and_few_can_be_folded() -> None:
    assert folded(po.hasse_layout(nx.DiGraph()), 3).levels == []
    assert dict(folded(po.hasse_layout(po.parse("a > b")), 1)) == {"a": (0, 1), "b": (0, 0)}


def test_two_orders_are_turned_as_well() -> None:
    target = wide(24, 14)
    others = sorted(target)
    predicted = po.from_pairs(pairwise(others), items=others)
    ax: Any = po.draw_comparison(target, predicted, orientation="right", ax=blank(6.3, 6))
    assert ax.get_xlabel().endswith("best of the target on the left")
    assert {text.get_text().replace("\n", " ") for text in by_gid(ax, "item")} == set(target)
    places = {text.get_position() for text in by_gid(ax, "item")}
    for kind in ("concordant", "target_only", "discordant", "predicted_only"):
        for path in one(ax, kind).get_paths():
            assert {tuple(path.vertices[0]), tuple(path.vertices[-1])} <= places
    assert crowded_boxes(ax) == []
    heads = [path.vertices for kind in by_gid(ax, "arrow") for path in kind.get_paths()]
    sizes = [np.hypot(*np.ptp(ax.transData.transform(head), axis=0)) for head in heads]
    assert 1 <= max(sizes) / min(sizes) < 2
