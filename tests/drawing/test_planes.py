"""The plane of two rankings: dots, covers, names."""

from itertools import combinations, permutations
from typing import Any

import networkx as nx
import pytest

import porank as po
from porank.errors import CycleError
from porank.errors import NotApplicableError as Inapplicable
from tests.support.drawn import bare, blank, by_gid, entries, one
from tests.support.refusals import refuses


def test_bad_input_is_refused_in_words() -> None:
    refuses("'a' > 'b' > 'c' > 'a'", po.draw_dominance, po.parse("a > b > c > a"), error=CycleError)
    refuses("chain of 7 forced pairs", po.draw_dominance, po.boolean_lattice(3), error=Inapplicable)
    refuses("1 to 50 inches, found True", po.draw_dominance, po.chain(2), width=True)


def points_of(ax: Any) -> dict[str, tuple[float, float]]:
    """The dots by the names beside them."""
    return {text.get_text(): tuple(text.xy) for text in ax.texts}


def test_better_is_to_the_right_and_above() -> None:
    G = po.random_order(12, dimension=2, seed=0)
    ax = po.draw_dominance(G, ax=bare())
    points = points_of(ax)
    for column in zip(*points.values(), strict=True):
        assert sorted(column) == list(range(1, 13))
    assert ax.get_xlabel() == "rank in the first ranking (1 is best)"
    assert all(ticks.min() >= 1 for ticks in (ax.get_xticks(), ax.get_yticks()))
    for u, v in permutations(G, 2):
        (a, b), (c, d) = ax.transData.transform([points[str(u)], points[str(v)]])
        assert po.prefers(G, u, v) is bool(a > c and b > d)


def test_tied_items_share_a_point_and_few_covers_are_lines() -> None:
    ax = po.draw_dominance(po.parse("a > b ~ c > d; a > x"), ax=blank())
    dots, points = one(ax, "item"), points_of(ax)
    assert len(dots.get_offsets()) == 4
    assert dots.get_sizes().tolist().count(max(dots.get_sizes())) == 1
    ends = {frozenset(map(tuple, line.tolist())) for line in one(ax, "cover").get_segments()}
    pairs = ("a", "b ~ c"), ("b ~ c", "d"), ("a", "x")
    assert ends == {frozenset((points[u], points[v])) for u, v in pairs}


@pytest.mark.slow
def test_names_meet_no_other_name_and_no_dot() -> None:
    labels = {k: f"item {k} of many" for k in range(80)}
    G = nx.relabel_nodes(po.random_order(80, dimension=2, seed=1), labels)
    ax: Any = po.draw_dominance(G)
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    dots = ax.transData.transform(one(ax, "item").get_offsets())
    assert not any(box.contains(*dot) for box in boxes for dot in dots)
    assert len(dots) == 80 > len(boxes) > 50
    assert entries(ax) == [f"named: {len(boxes)} of 80"]
    assert by_gid(ax, "cover") == [], "too many lines"


@pytest.mark.slow
@pytest.mark.parametrize("n", [6, 150])
def test_no_dot_is_cut_at_the_frame(n: int) -> None:
    G, H = (po.random_order(n, dimension=2, seed=seed) for seed in (1, 2))
    for width in (2, 6.5):
        for ax in (po.draw_dominance(G, width=width), po.draw_comparison(G, H, width=width)):
            figure: Any = ax.figure
            figure.canvas.draw()
            frame = ax.get_window_extent()
            for dots in by_gid(ax, "item") if by_gid(ax, "interval") or n == 6 else []:
                if not hasattr(dots, "get_offsets"):
                    continue
                radius = max(dots.get_sizes()) ** 0.5 / 2 * figure.dpi / 72
                for x, y in ax.transData.transform(dots.get_offsets()):
                    assert frame.x0 <= x - radius + 1e-6 <= x + radius - 1e-6 <= frame.x1
                    assert frame.y0 <= y - radius + 1e-6 <= y + radius - 1e-6 <= frame.y1
