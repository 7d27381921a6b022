"""Orders as points in the plane: where they lie says all pairs, and nothing else is drawn."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import networkx as nx
from matplotlib.figure import Figure

import porank as po


def points_of(ax: Any) -> dict[str, tuple[float, float]]:
    """The dots by the names beside them."""
    return {text.get_text(): tuple(text.xy) for text in ax.texts}


def test_better_is_to_the_right_and_above() -> None:
    G = po.random_order(12, dimension=2, seed=0)
    ax = po.draw_dominance(G, ax=Figure().subplots())
    points = points_of(ax)
    for column in zip(*points.values(), strict=True):
        assert sorted(column) == list(range(1, 13))
    assert ax.get_xlabel() == "rank in the first ranking, 1 is the best"
    assert all(ticks.min() >= 1 for ticks in (ax.get_xticks(), ax.get_yticks()))
    for u, v in permutations(G, 2):
        (a, b), (c, d) = ax.transData.transform([points[str(u)], points[str(v)]])
        assert po.prefers(G, u, v) is bool(a > c and b > d)
    for n in (0, 1):
        assert len(po.draw_dominance(po.chain(n), ax=Figure().subplots()).lines) == n
    cafes = {"Luna": (8, 3.5), "Sol": (6, 4.2), "Mar": (7, 2.9), "Rio": (4, 4.8)}
    table = {name: dict(zip("xy", point, strict=True)) for name, point in cafes.items()}
    G = po.from_table(table, maximize=["x", "y"])
    ax = po.draw_dominance(G, indicators=cafes, ax=Figure().subplots())
    assert (points_of(ax), ax.get_xlabel(), ax.get_ylabel()) == (cafes, "", "")


def test_names_meet_no_other_name_and_no_dot_and_those_left_out_are_counted() -> None:
    labels = {k: f"item {k} of many" for k in range(80)}
    G = nx.relabel_nodes(po.random_order(80, dimension=2, seed=1), labels)
    ax: Any = po.draw_dominance(G)
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    dots = [ax.transData.transform(line.get_xydata())[0] for line in ax.lines]
    assert not any(box.contains(*dot) for box in boxes for dot in dots)
    assert len(dots) == 80 > len(boxes) > 50
    assert ax.get_title() == f"80 items in two dimensions, {len(boxes)} named"
