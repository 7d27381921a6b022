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
from tests.drawing.test_hasse import crowded_boxes
from tests.drawing.test_routes import entered
from tests.drawn import blank, by_gid, misplaced_texts, one, row_names
from tests.strategies import orders

WORDS = ["Kitchen", "Telephony", "& Co", "Housewares", "Safety", "Garden", "Ærøskøbing", "x"]
ORIENTATIONS = ("down", "right")


def name(number: int) -> str:
    """A name of one to four words, which no other number has."""
    return " ".join([*(WORDS[(number * k) % 8] for k in range(1, 1 + number % 4)), str(number)])


def wide(n: int, n_best: int) -> nx.DiGraph:
    """An order of n items with long names, so many of which are on top."""
    edges = [(k % n_best, k) for k in range(n_best, n)]
    return nx.relabel_nodes(po.from_pairs(edges, items=range(n)), name)


def require_true(ax: Any, G: nx.DiGraph) -> None:
    """The picture is that of the order, all of it is readable, lines lead on past other boxes."""
    ax.figure.canvas.draw()
    drawn = {text.get_text().replace("\n", " "): text for text in by_gid(ax, "item")}
    assert set(drawn) == set(G)
    assert min(text.get_fontsize() for text in drawn.values()) >= 6
    assert [*crowded_boxes(ax), *misplaced_texts(ax), *entered(ax)] == []
    for text in drawn.values():
        inner, outer = text.get_window_extent(), text.get_bbox_patch().get_window_extent()
        assert outer.x0 <= inner.x0 <= inner.x1 <= outer.x1
        assert outer.y0 <= inner.y0 <= inner.y1 <= outer.y1
    item = {text.get_position(): name for name, text in drawn.items()}
    paths = [np.asarray(path.vertices) for path in one(ax, "cover").get_paths()]
    ends = [(item[tuple(path[0])], item[tuple(path[-1])]) for path in paths]
    assert sorted(ends) == sorted(po.transitive_reduction(G).edges)
    is_right = ax.get_xlabel().startswith("lines lead to the right")
    assert is_right or ax.get_xlabel().startswith("lines lead down")
    for path in paths:
        ahead = path[:, 0] if is_right else -path[:, 1]
        assert ahead[-1] > ahead[0]
        assert min(np.diff(ahead), default=0.0) > -1e-9


@pytest.mark.slow
@settings(max_examples=5)
@given(orders(max_items=9), st.sampled_from(ORIENTATIONS), st.sampled_from([None, (3.2, 3.4)]))
def test_names_stand_in_boxes_that_no_other_line_meets(
    G: nx.DiGraph, orientation: str, size: Any
) -> None:
    items = list(G)
    G = nx.relabel_nodes(G, {item: name(number) for number, item in enumerate(items)})
    ax = po.draw_hasse(G, orientation=orientation, ax=None if size is None else blank(*size))
    is_boxed = len(by_gid(ax, "item")) == len(G) and not by_gid(ax, "names")
    if G and by_gid(ax, "cover") and is_boxed:
        require_true(ax, G)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_thirty_items_have_their_names_in_a_new_figure(orientation: str) -> None:
    require_true(po.draw_hasse(wide(30, 12), orientation=orientation), wide(30, 12))


def test_ranks_stand_beside_their_levels() -> None:
    for orientation in ORIENTATIONS:
        ax = po.draw_hasse(wide(20, 8), ranks=True, orientation=orientation)
        axis = ax.yaxis if orientation == "down" else ax.xaxis
        assert [label.get_text() for label in axis.get_ticklabels()] == ["1", "2"]
        assert axis.get_ticklocs().tolist() == ([1, 0] if orientation == "down" else [-1, 0])
    assert row_names(ax) == []


def test_two_orders_are_turned_as_well() -> None:
    target = wide(12, 7)
    others = sorted(target)
    predicted = po.from_pairs(pairwise(others), items=others)
    ax: Any = po.draw_comparison(target, predicted, orientation="right")
    assert ax.get_xlabel().replace("\n", " ").endswith("best of the target on the left")
    assert {text.get_text().replace("\n", " ") for text in by_gid(ax, "item")} == set(target)
    places = {text.get_position() for text in by_gid(ax, "item")}
    for kind in ("concordant", "target_only", "discordant", "predicted_only"):
        for path in one(ax, kind).get_paths():
            assert {tuple(path.vertices[0]), tuple(path.vertices[-1])} <= places
    assert crowded_boxes(ax) == []
    heads = [path.vertices for kind in by_gid(ax, "arrow") for path in kind.get_paths()]
    sizes = [np.hypot(*np.ptp(ax.transData.transform(head), axis=0)) for head in heads]
    assert 1 <= max(sizes) / min(sizes) < 2
