"""No line runs through a box that is not one of its ends, whichever way the lines lead."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.path import Path

import porank as po
from porank.drawing.routes import boxes_hit
from tests.drawing.test_hasse import crowded_boxes
from tests.drawn import bare, blank, by_gid, misplaced_texts, one, row_names

LINES = ("cover", "concordant", "target_only", "predicted_only", "discordant")
WORDS = ["Kitchen", "Telephony", "& Co", "of the second", "Safety", "Garden", "Ærøskøbing", "x"]


def name(number: int) -> str:
    """A name of one to four words, which no other number has."""
    return " ".join([*(WORDS[(number * k) % 8] for k in range(1, 1 + number % 4)), str(number)])


def wide(n: int, n_best: int) -> nx.DiGraph:
    """An order of n items with long names, so many of which are on top."""
    edges = [(k % n_best, k) for k in range(n_best, n)]
    return nx.relabel_nodes(po.from_pairs(edges, items=range(n)), name)


def entered(ax: Any) -> list[tuple[str, tuple[float, float]]]:
    """The boxes that a line runs through, as the renderer measures them, and where it begins."""
    ax.figure.canvas.draw()
    boxes = [
        text for gid in ("item", "tie", "component") for text in by_gid(ax, gid) if text in ax.texts
    ]
    frames = [(text, text.get_bbox_patch().get_window_extent()) for text in boxes]
    return [
        (text.get_text(), tuple(line.vertices[0]))
        for line in (path for gid in LINES for one in by_gid(ax, gid) for path in one.get_paths())
        for text, frame in frames
        if not any(np.allclose(text.get_position(), line.vertices[k]) for k in (0, -1))
        and Path(ax.transData.transform(line.vertices)).intersects_bbox(frame, filled=False)
    ]


@pytest.mark.parametrize("orientation", ["down", "right"])
def test_thirty_items_have_their_names_in_a_new_figure(orientation: str) -> None:
    G, is_right = wide(30, 12), orientation == "right"
    ax: Any = po.draw_hasse(G, orientation=orientation, ranks=True)
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
    for path in paths:
        ahead = path[:, 0] if is_right else -path[:, 1]
        assert ahead[-1] > ahead[0]
        assert min(np.diff(ahead)) > -1e-9
    # Ranks stand beside their levels.
    assert ("lines lead to the right" if is_right else "lines lead down") in ax.get_xlabel()
    axis = ax.xaxis if is_right else ax.yaxis
    assert [label.get_text() for label in axis.get_ticklabels()] == ["1", "2"]
    assert axis.get_ticklocs().tolist() == ([-1, 0] if is_right else [1, 0])
    assert row_names(ax) == ([] if is_right else ["1", "2"])


ORDERS = st.builds(
    lambda n, share, dimension, seed: nx.relabel_nodes(
        po.random_order(n, edge_probability=share, seed=seed)
        if dimension == 0
        else po.random_order(n, dimension=dimension, seed=seed),
        name,
    ),
    st.integers(5, 24),
    st.sampled_from([0.05, 0.15, 0.4]),
    st.sampled_from([0, 2]),
    st.integers(0, 10**6),
)


@settings(max_examples=5)
@given(ORDERS, st.sampled_from(["down", "right"]), st.sampled_from([3.2, 5.0, 12.0]))
def test_no_cover_runs_through_a_foreign_box(G: nx.DiGraph, how: str, width: float) -> None:
    ax = po.draw_hasse(G, orientation=how, ax=blank(width))
    assert entered(ax) == []
    assert by_gid(ax, "name") or crowded_boxes(ax) == []


@pytest.mark.slow
@settings(max_examples=6)
@given(ORDERS, st.sampled_from(["overlay", "both"]), st.integers(0, 99))
def test_no_line_of_a_comparison_does(G: nx.DiGraph, side: str, seed: int) -> None:
    items, other = list(G), po.random_order(len(G), dimension=2, seed=seed)
    predicted = nx.relabel_nodes(other, dict(enumerate(items)))
    assert entered(po.draw_comparison(G, predicted, side=side, ax=bare(12))) == []


@given(st.integers(0, 10**9))
def test_a_line_meets_a_box_if_one_of_its_points_lies_within(seed: int) -> None:
    rng = np.random.default_rng(seed)
    path, places = rng.integers(0, 7, (4, 2)) / 1.0, rng.integers(0, 7, (5, 2)) / 1.0
    halves = np.array([0.4111, 0.7333, 1.5777])[rng.integers(0, 3, (5, 2))]
    way = np.linspace(0, 1, 401)[:, None]
    points = np.concatenate([a + way * (b - a) for a, b in pairwise(path)])
    expected = (np.abs(points[:, None] - places) < halves).all(axis=2).any(axis=0)
    # Steps can miss a corner that is cut by less than a step.
    assert not np.any(expected & ~boxes_hit(path, places, halves))
    assert not np.any(boxes_hit(path, places, 0.97 * halves) & ~expected)
