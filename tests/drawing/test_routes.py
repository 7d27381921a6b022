"""No line of a diagram runs through a box that is not one of its ends: it would be a false one."""

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
from porank.drawing.routes import Rooms, bow, boxes_hit, softened
from tests.drawn import bare, by_gid

LINES = ("cover", "concordant", "target_only", "predicted_only", "discordant")
WORDS = ("", " tea", " and", " Darjeeling", " a", " number", " of the second")


def entered(ax: Any) -> list[tuple[str, tuple[float, float]]]:
    """The boxes that a line runs through, as the renderer measures them, and where it begins."""
    ax.figure.canvas.draw()
    boxes = [
        text for gid in ("item", "tie", "component") for text in by_gid(ax, gid) if text in ax.texts
    ]
    frames = [(text, text.get_bbox_patch().get_window_extent()) for text in boxes]
    found = []
    for gid in LINES:
        for line in (path for one in by_gid(ax, gid) for path in one.get_paths()):
            ends = [tuple(line.vertices[k]) for k in (0, -1)]
            drawn = Path(ax.transData.transform(line.vertices))
            found += [
                (text.get_text(), ends[0])
                for text, frame in frames
                if not any(np.allclose(text.get_position(), end) for end in ends)
                and drawn.intersects_bbox(frame, filled=False)
            ]
    return found


def named(G: nx.DiGraph, n_words: int) -> dict[Any, str]:
    """Names of so many words and fewer, different ones for different items."""
    return {
        item: f"{k}" + "".join(WORDS[(k + j) % len(WORDS)] for j in range(k % (n_words + 1)))
        for k, item in enumerate(G)
    }


random_graphs = st.builds(
    lambda n, share, seed: po.random_order(n, edge_probability=share, seed=seed),
    st.integers(5, 24),
    st.sampled_from([0.05, 0.15, 0.4]),
    st.integers(0, 10**6),
) | st.builds(
    lambda n, seed: po.random_order(n, dimension=2, seed=seed),
    st.integers(5, 24),
    st.integers(0, 10**6),
)


@settings(max_examples=5)
@given(random_graphs, st.integers(0, 5), st.sampled_from([5.0, 12.0]))
def test_no_cover_runs_through_a_foreign_box(G: nx.DiGraph, n_words: int, width: float) -> None:
    assert entered(po.draw_hasse(G, names=named(G, n_words), ax=bare(width))) == []


@pytest.mark.slow
@settings(max_examples=6)
@given(random_graphs, st.integers(0, 3), st.sampled_from(["overlay", "both"]), st.integers(0, 99))
def test_no_line_of_a_comparison_does(G: nx.DiGraph, n_words: int, side: str, seed: int) -> None:
    predicted = po.random_order(len(G), dimension=2, seed=seed)
    how: Any = {"names": named(G, n_words), "side": side, "ax": bare(12)}
    assert entered(po.draw_comparison(G, predicted, **how)) == []


def test_lines_that_begin_at_a_neighbour_count() -> None:
    layout = po.hasse_layout(po.random_order(14, dimension=2, seed=2))
    found = Rooms(layout)
    for half in (0.0, 0.2, 0.36):
        room = found.beside_lines(half)
        boxes = {item: (0.999 * wide / 2, half - 1e-6) for item, wide in room.items()}
        assert not any(meets(layout, boxes, u, v) for u, v in layout.edges)
        # A box a little wider than its room meets a line or a neighbour's.
        for item, wide in room.items():
            if wide < found.between[item]:
                larger = boxes | {item: (1.01 * wide / 2 + 1e-3, half + 1e-6)}
                assert any(meets(layout, larger, u, v) for u, v in layout.edges)


def meets(layout: Any, boxes: Any, u: Any, v: Any) -> bool:
    """Whether the line from u to v runs through a box that is not one of its ends."""
    others = [item for item in layout if item not in (u, v)]
    places, halves = (np.array([own[item] for item in others]) for own in (layout, boxes))
    return bool(boxes_hit(softened(layout.path(u, v)), places, halves).any())


def by_steps(path: Any, place: Any, half: Any) -> bool:
    """Whether one of many points of the line lies within the box."""
    way = np.linspace(0, 1, 401)[:, None]
    points = np.concatenate([a + way * (b - a) for a, b in pairwise(path)])
    return bool(np.any(np.all(np.abs(points - place) < half, axis=1)))


@given(st.integers(0, 10**9))
def test_a_line_meets_a_box_if_one_of_its_points_lies_within(seed: int) -> None:
    rng = np.random.default_rng(seed)
    path, places = (
        rng.integers(0, 7, (4, 2)).astype(float),
        rng.integers(0, 7, (5, 2)).astype(float),
    )
    halves = np.array([0.4111, 0.7333, 1.5777])[rng.integers(0, 3, (5, 2))]
    expected = [by_steps(path, *box) for box in zip(places, halves, strict=True)]
    found = boxes_hit(path, places, halves)
    # Steps can miss a corner that is cut by less than a step.
    assert not np.any(np.array(expected) & ~found)
    assert not np.any(boxes_hit(path, places, 0.97 * halves) & ~np.array(expected))


def test_a_bow_stays_within_the_diagram() -> None:
    box = np.array([[0.0, 1.0]]), np.array([[0.4, 0.2]])
    for side, within in ((1, (0.05, 0, 3, 2)), (-1, (-3, 0, -0.05, 2))):
        path = bow(((0, 2), (0, 0)), box, (40, 40), within)
        assert side * path[8, 0] > 0.4
