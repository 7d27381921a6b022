"""Pictures of dots and intervals: ranks, strengths, positions, segments, and two dimensions."""

from __future__ import annotations

from itertools import combinations, permutations
from math import sqrt
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.colors import to_hex

import porank as po
from porank.clicks.statements import read_statements
from porank.clicks.taste_of_log import place_curve, read_taste
from porank.drawing import item_rows
from porank.drawing.boxes import list_key
from porank.drawing.item_rows import draw_segments
from porank.drawing.style import MUTED, SERIES
from porank.drawing.texts import names_of
from porank.results import SegmentComparison, SegmentPair
from tests.support import oracles_positions
from tests.support.drawn import bare, blank, boxes, by_gid, misplaced_texts, one, row_names
from tests.support.strategies import orders


@settings(max_examples=6)
@given(orders(max_items=5))
def test_the_picture_shows_the_share_of_linear_extensions(G: nx.DiGraph) -> None:
    ax = po.draw_rank_intervals(G, ax=bare())
    if not len(G):
        return
    by_name, n = dict(zip(names_of(G), G, strict=True)), len(G)
    items = [by_name[name] for name in row_names(ax)]
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the best is on top"
    shares = oracles_positions.rank_probabilities(G)
    means = oracles_positions.expected_ranks(G)
    keys = [(means[item], po.rank_intervals(G)[item], list_key(item)) for item in items]
    assert keys == sorted(keys)
    places = [[float(means[item]), row] for row, item in enumerate(items)]
    bars, image = boxes(one(ax, "interval")), one(ax, "probabilities")
    table = image.get_array()[2::6]
    assert image.get_extent() == [0.5, n + 0.5, n - 0.5, -0.5]
    for row, item in enumerate(items):
        possible = [rank for rank, share in enumerate(shares[item], start=1) if share]
        assert bars[row][:2] == (possible[0] - 0.5, possible[-1] + 0.5)
        assert bars[row][2] < row < bars[row][3]
        assert np.ma.getmaskarray(table)[row].tolist() == [not share for share in shares[item]]
        for rank in possible:
            assert table[row, rank - 1] == pytest.approx(sqrt(shares[item][rank - 1]))
    assert np.allclose(one(ax, "expected").get_offsets(), places)


@pytest.mark.parametrize("title", [None, ""])
@pytest.mark.parametrize("n", [5, 9])
def test_the_legend_is_below_all_bars_however_wide_names_are(n: int, title: Any) -> None:
    G = nx.relabel_nodes(po.random_order(n, dimension=2, seed=3), lambda k: f"{k} with milk")
    ax: Any = po.draw_rank_intervals(G, title=title)
    ax.figure.canvas.draw()
    low = max(y for *_, y in boxes(one(ax, "interval")))
    assert ax.get_legend().get_window_extent().y1 < ax.transData.transform((1, low))[1]


@pytest.mark.slow
def test_a_seed_makes_the_same_estimate_and_many_items_are_thinned() -> None:
    G = po.random_order(12, dimension=2, seed=3)
    drawn = [po.draw_rank_intervals(G, method="walk", seed=k, ax=bare()) for k in (1, 1, 2)]
    assert drawn[0].get_title() == "Possible ranks of 12 items, estimated by random walks"
    dots = [one(ax, "expected").get_offsets() for ax in drawn]
    assert np.array_equal(dots[0], dots[1])
    assert not np.array_equal(dots[0], dots[2])
    many = po.draw_rank_intervals({number: -number for number in range(300)}, ax=bare())
    assert len(boxes(one(many, "interval"))) == 300
    assert "named" in many.get_ylabel()


def test_dots_stand_on_their_intervals_part_by_part() -> None:
    wins = {("a", "b"): 9, ("b", "a"): 4, ("x", "y"): 5, ("y", "x"): 6, ("y", "z"): 2}
    wins |= {("z", "never won"): 1}
    found = po.fit_strengths(wins)
    ax = po.draw_strengths(found, ax=blank(6, 3))
    rows = [item for part in found.parts for item in part]
    assert row_names(ax) == rows
    dots = np.asarray(one(ax, "strength").get_offsets())
    assert dots[:, 1].tolist() == [*range(6)]
    expected = [found.strengths[item] for item in rows[:4]] + [np.nan, ax.get_xlim()[0]]
    assert dots[:, 0] == pytest.approx(expected, nan_ok=True)
    ends = [path.vertices.tolist() for path in one(ax, "interval").get_paths()]
    intervals = [np.clip(found.intervals[item], *ax.get_xlim()) for item in rows]
    assert ends == [[[end, y] for end in both] for y, both in enumerate(intervals)]
    assert [line.get_ydata()[0] for line in by_gid(ax, "part")] == [1.5, 3.5, 4.5]
    low, high = ax.get_ylim()
    assert low > high, "the strongest is on top"
    assert ax.get_title() == f"Strengths of 6 items: {found.verdict()}"
    assert not misplaced_texts(ax)


def test_an_infinite_interval_goes_from_side_to_side() -> None:
    found = po.fit_strengths([po.parse("a > b"), po.parse("b > a")], unit=["J", "J"])
    ax = po.draw_strengths(found, ax=bare())
    low, high = ax.get_xlim()
    assert low < min(found.strengths.values())
    assert high > max(found.strengths.values())
    ends = [path.vertices.tolist() for path in one(ax, "interval").get_paths()]
    assert ends == [[[low, y], [high, y]] for y in range(2)]


def test_lines_are_the_odds_and_the_click_rates() -> None:
    log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 300, seed=1)
    taste, ax = read_taste(read_statements(log)), po.draw_positions(log)
    curve = place_curve(taste)
    lines = {line.get_gid(): np.asarray(line.get_xydata()) for line in ax.lines}
    assert lines["odds"].tolist() == np.c_[curve.position, np.exp(curve.log_odds)].tolist()
    columns = (log[name].tolist() for name in ("session", "item", "position", "event"))
    rows = [*zip(*columns, strict=True)]
    hits = {row[:3] for row in rows if row[3] != "view"}
    views = {row[:3] for row in rows}
    rates = [sum(p == k for *_, p in hits) / sum(p == k for *_, p in views) for k in (1, 2, 3)]
    assert lines["rate"][:, 1] == pytest.approx(np.array(rates) / max(rates))
    corners = one(ax, "interval").get_paths()[0].vertices
    high = np.exp(curve.log_odds + 1.96 * curve.error)
    assert high.max() == pytest.approx(corners[:, 1].max())


def test_wide_intervals_are_clipped() -> None:
    rows = [(k, "ab"[(k + j) % 2], j + 1) for k in range(6) for j in range(2)]
    log = [{"session": k, "item": i, "position": p, "event": "view"} for k, i, p in rows]
    log += [row | {"event": "click"} for row in log[:9:3]]
    ax = po.draw_positions(log)
    top = float(np.max(np.asarray(one(ax, "odds").get_ydata())))
    assert ax.get_ylim()[1] == pytest.approx(1.05 * max(1, top))


def test_rows_are_pairs_and_markers_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    parted = SegmentPair("a", "b", (1.0, -2.0), 3.0, 0.5, 0.01)
    pairs = (parted, SegmentPair("a", "c", (1.0, 0.5), 0.5, 0.5, 0.9))
    found = SegmentComparison("device", ("x", "y"), "user", (10, 12), pairs, 0.05)
    ax: Any = draw_segments(found)
    assert one(ax, "first").get_offsets().tolist() == [[1, 0], [1, 1]]
    assert one(ax, "second").get_offsets().tolist() == [[-2, 0], [0.5, 1]]
    # Where they do not differ, they are grey.
    colors = [to_hex(color) for color in one(ax, "first").get_facecolors()]
    assert colors == [SERIES[0][0].color, MUTED]
    assert [line.tolist() for line in one(ax, "parted").get_segments()] == [[[1, 0], [-2, 0]]]
    assert len(one(ax, "alike").get_segments()) == 1
    assert row_names(ax) == ["a over b", "a over c"]
    assert ax.get_title() == "device: x and y differ on 1 of 2 pairs"
    monkeypatch.setattr(item_rows, "_MOST_PAIRS", 1)
    few: Any = draw_segments(found)
    assert len(one(few, "first").get_offsets()) == 1
    assert few.get_title().endswith("on 1 of 2 pairs; the clearest 1")


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


def test_names_meet_no_other_name_and_no_dot_and_those_left_out_are_counted() -> None:
    labels = {k: f"item {k} of many" for k in range(80)}
    G = nx.relabel_nodes(po.random_order(80, dimension=2, seed=1), labels)
    ax: Any = po.draw_dominance(G)
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    dots = ax.transData.transform(one(ax, "item").get_offsets())
    assert not any(box.contains(*dot) for box in boxes for dot in dots)
    assert len(dots) == 80 > len(boxes) > 50
    assert ax.get_title() == f"80 items in two dimensions, {len(boxes)} named"
    assert by_gid(ax, "cover") == [], "too many lines"
