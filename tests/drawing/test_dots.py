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
from porank.core.graphs import item_key
from porank.drawing import segment_shares
from porank.drawing.segment_shares import draw_segments
from porank.drawing.style import MUTED, SERIES
from porank.drawing.texts import names_of
from tests import oracles_positions
from tests.drawn import bare, blank, boxes, by_gid, entries, misplaced_texts, one, row_names
from tests.strategies import orders


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
    keys = [(means[item], po.rank_intervals(G)[item], item_key(item)) for item in items]
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


def test_a_seed_makes_the_same_estimate_and_many_items_are_thinned() -> None:
    G = po.random_order(12, dimension=2, seed=3)
    drawn = [po.draw_rank_intervals(G, method="walk", seed=k, ax=bare()) for k in (1, 1, 2)]
    assert drawn[0].get_title() == "Possible ranks of 12 items, estimated by random walks"
    dots = [one(ax, "expected").get_offsets() for ax in drawn]
    assert np.array_equal(dots[0], dots[1])
    assert not np.array_equal(dots[0], dots[2])
    many = po.draw_rank_intervals({number: -number for number in range(300)}, ax=bare())
    assert len(boxes(one(many, "interval"))) == 300
    assert "every" in many.get_ylabel()


def test_dots_stand_on_their_intervals_part_by_part() -> None:
    wins = {("a", "b"): 9, ("b", "a"): 4, ("x", "y"): 5, ("y", "x"): 6, ("y", "z"): 2}
    found = po.fit_strengths(wins)
    ax = po.draw_strengths(found, ax=blank(6, 3))
    rows = [item for part in found.parts for item in part]
    assert row_names(ax) == rows
    dots = np.asarray(one(ax, "strength").get_offsets()).tolist()
    assert dots == [[found.strengths[item], y] for y, item in enumerate(rows)]
    ends = [path.vertices.tolist() for path in one(ax, "interval").get_paths()]
    intervals = [np.clip(found.intervals[item], *ax.get_xlim()) for item in rows]
    assert ends == [[[end, y] for end in both] for y, both in enumerate(intervals)]
    assert [line.get_ydata()[0] for line in by_gid(ax, "part")] == [1.5, 3.5]
    low, high = ax.get_ylim()
    assert low > high, "the strongest is on top"
    assert ax.get_title() == f"Strengths of 5 items: {found.verdict()}"
    assert not misplaced_texts(ax)


def test_an_infinite_interval_goes_from_side_to_side() -> None:
    battles = {"model_a": list("aab"), "model_b": list("bba"), "winner": list("abb")}
    found = po.fit_strengths(battles | {"judge": ["J"] * 3}, unit="judge")
    ax = po.draw_strengths(found, ax=bare())
    low, high = ax.get_xlim()
    assert low < min(found.strengths.values())
    assert high > max(found.strengths.values())
    ends = [path.vertices.tolist() for path in one(ax, "interval").get_paths()]
    assert ends == [[[low, y], [high, y]] for y in range(2)]


def test_lines_are_the_numbers() -> None:
    log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 300, seed=1)
    found, ax = po.estimate_propensity(log), po.draw_positions(log)
    lines = {line.get_gid(): np.asarray(line.get_xydata()) for line in ax.lines}
    assert lines["propensity"].tolist() == np.c_[found["position"], found["propensity"]].tolist()
    rates = found["clicks"] / found["views"]
    assert lines["rate"][:, 1].tolist() == (rates / rates.max()).tolist()
    assert lines["both_ways"][:, 1].tolist() == [1, 1, 1]
    corners = one(ax, "interval").get_paths()[0].vertices.tolist()
    assert all([3, found[side][2]] in corners for side in ("lower", "upper"))


def test_lists_that_never_change_and_few_clicks() -> None:
    ax = po.draw_positions(po.simulate_log({"a": 4, "b": 2}, 50, shown=["a", "b"], seed=1))
    assert "no propensities: clicks join no two positions" in entries(ax)
    assert one(ax, "both_ways").get_ydata().tolist() == [0, 0]
    # The interval of position 2, of few clicks, goes far beyond 1; its line does not.
    rows = [(k, "ab"[(k + j) % 2], j + 1) for k in range(6) for j in range(2)]
    log = [{"session": k, "item": i, "position": p, "event": "view"} for k, i, p in rows]
    log += [row | {"event": "click"} for row in log[:9:3]]
    ax = po.draw_positions(log)
    top = max(np.nanmax(np.asarray(line.get_ydata(), float)) for line in ax.lines)
    assert ax.get_ylim()[1] == pytest.approx(1.05 * max(1, top))
    assert top < po.estimate_propensity(log)["upper"].max() / 1.05
    ax = po.draw_positions([row for row in log if row["position"] == 1][:4])
    assert ax.get_xticks().tolist() == [1]
    assert by_gid(ax, "rate")


SAID = [("x", "ab")] * 20 + [("y", "ba")] * 20 + [("x", "ac")] * 20 + [("y", "ac")] * 20
LOG = [
    {"session": number, "device": device, "item": item, "event": event}
    for number, (device, pair) in enumerate(SAID)
    for item, event in zip(pair, ("click", "view"), strict=True)
]


def test_rows_are_pairs_and_markers_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    found = po.compare_segments(LOG, "device", samples=99)
    ax: Any = draw_segments(found)
    assert one(ax, "first").get_offsets().tolist() == [[1, 0], [1, 1]]
    assert one(ax, "second").get_offsets().tolist() == [[0, 0], [1, 1]]
    # Where they do not part, they are grey.
    colors = [to_hex(color) for color in one(ax, "first").get_facecolors()]
    assert colors == [SERIES[0][0].color, MUTED]
    assert [line.tolist() for line in one(ax, "parted").get_segments()] == [[[1, 0], [0, 0]]]
    assert len(one(ax, "alike").get_segments()) == 1
    assert row_names(ax) == ["a over b", "a over c"]
    assert ax.get_title() == "device: x and y part on 1 of 2 pairs"
    monkeypatch.setattr(segment_shares, "_MOST", 1)
    few: Any = draw_segments(found)
    assert (len(one(few, "first").get_offsets()), few.get_ylabel()) == (1, "the clearest 1")


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
