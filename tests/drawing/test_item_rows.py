"""Rows of items: rank intervals, strengths, segments, systems."""

from dataclasses import replace
from math import sqrt
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import porank as po
from porank.drawing import item_rows
from porank.drawing.axes import number_ranks
from porank.drawing.boxes import list_key
from porank.drawing.item_rows import draw_segments
from porank.drawing.style import MUTED, SERIES
from porank.drawing.texts import names_of
from porank.results import SegmentComparison, SegmentPair, SystemComparison
from tests.significance.test_systems import difference, random_orders, shown_with
from tests.support import oracles_positions
from tests.support.drawn import (
    bare,
    blank,
    boxes,
    by_gid,
    entries,
    misplaced_texts,
    one,
    relation,
    row_names,
    texts_by_gid,
)
from tests.support.refusals import refuses
from tests.support.strategies import orders
from tests.test_pictures import ODD


@settings(max_examples=3)
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


@pytest.mark.parametrize(("n", "title"), [(5, ""), (9, None)])
def test_the_legend_is_below_all_bars_however_wide_names_are(n: int, title: Any) -> None:
    G = nx.relabel_nodes(po.random_order(n, dimension=2, seed=3), lambda k: f"{k} with milk")
    ax: Any = po.draw_rank_intervals(G, title=title)
    ax.figure.canvas.draw()
    low = max(y for *_, y in boxes(one(ax, "interval")))
    assert ax.get_legend().get_window_extent().y1 < ax.transData.transform((1, low))[1]
    shades = [f"probability {step}" for step in ("0.05", "0.2", "0.5", "1")]
    assert entries(ax) == ["expected rank", *shades]


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


def test_rows_are_pairs_and_markers_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    parted = SegmentPair("a", "b", (1.0, -2.0), 0.01)
    pairs = (parted, SegmentPair("a", "c", (1.0, 0.5), 1.0))
    found = SegmentComparison("device", ("x", "y"), "user", (10, 12), pairs, 0.05)
    ax: Any = draw_segments(found)
    assert one(ax, "first").get_offsets().tolist() == [[1, 0], [1, 1]]
    assert one(ax, "second").get_offsets().tolist() == [[-2, 0], [0.5, 1]]
    # Where they do not differ, they are grey.
    colors = [to_hex(color) for color in one(ax, "first").get_facecolors()]
    assert colors == [SERIES[0][0].color, MUTED]
    assert [line.tolist() for line in one(ax, "parted").get_segments()] == [[[1, 0], [-2, 0]]]
    low, high = ax.get_xlim()
    assert low < -2 < 1 < high
    assert len(one(ax, "alike").get_segments()) == 1
    assert row_names(ax) == ["a over b", "a over c"]
    assert ax.get_title() == "device: x and y are opposed on 1 of 2 pairs"
    monkeypatch.setattr(item_rows, "_MOST_PAIRS", 1)
    few: Any = draw_segments(found)
    assert len(one(few, "first").get_offsets()) == 1
    assert few.get_title().endswith("on 1 of 2 pairs; the clearest 1")


P = relation(["abcd", "abdc", "bacd"])
SYSTEMS = po.compare_systems({1: [2, 1]}, {"a": {1: [2, 1]}, "b": {}}, measures=["gamma", "f1"])


def test_bad_input_is_refused_in_words() -> None:
    refuses("a result of fit_strengths", po.draw_strengths, P)
    refuses("'gamma', 'f1' as measure, found No", po.draw_systems, SYSTEMS)


TARGET = {group: list(range(6)) for group in range(15)}


def compared(names: list[Any], measure: str = "kendall_tau") -> SystemComparison:
    systems = {name: random_orders(15, 6, 0.35 * k, k) for k, name in enumerate(names)}
    return po.compare_systems(TARGET, systems, measures=measure)


@pytest.mark.parametrize(("measure", "sign"), [("kendall_tau", 1), ("kendall_distance", -1)])
def test_rows_are_those_of_the_comparison(measure: str, sign: int) -> None:
    found = compared(list("abcdef"), measure)
    ax: Any = po.draw_systems(found, ax=blank(8, 4))
    order, means = ax.child_axes[:2]
    rows, mean = row_names(means), found.means[measure]
    assert rows == sorted("abcdef", key=lambda name: -sign * mean[name])
    dots = one(ax, "mean").get_offsets().tolist()
    assert dots == [[mean[name], place] for place, name in enumerate(rows)]
    assert means.get_ylim()[0] > means.get_ylim()[1], "the best is on top"
    G = found.significant()
    layout = po.hasse_layout(G)
    assert {text.get_text(): text.get_position() for text in by_gid(order, "item")} == dict(layout)
    assert len(one(order, "cover").get_paths()) == len(layout.edges)
    pairs = f"{G.number_of_edges()} of 15 differences significant"
    assert ax.get_title() == f"{measure} of 6 systems: {pairs}"


AB, BC = difference("A", "B", 0.01), difference("B", "C", 0.02)
AC, BACK = difference("A", "C", 0.07), difference("C", "A", 0.01)


def test_what_is_no_order_is_told() -> None:
    """Here nothing follows: a broken chain is counted, a cycle shares a box."""
    found = replace(shown_with(AB, BC, AC), missing="pairwise")
    ax: Any = po.draw_systems(found, ax=blank(8, 4))
    assert "ends of 1 chain do not differ significantly" in ax.child_axes[0].get_xlabel()
    assert by_gid(ax, "ranks") == []
    ax = po.draw_systems(shown_with(AB, BC, BACK, difference("C", "D", 0.01)), ax=blank(8, 4))
    order = ax.child_axes[0]
    assert one(order, "component").get_text() == "A, B, C"
    assert "better along a cycle" in order.get_xlabel()
    assert "ends of 1 chain do not" in order.get_xlabel()
    # Ranks have lines, and what follows is told.
    ax = po.draw_systems(shown_with(AB, BC, AC), ax=blank(8, 4))
    assert "1 of these only follow" in ax.child_axes[0].get_xlabel()
    ends = [path.vertices.tolist() for path in one(ax, "ranks").get_paths()]
    assert ends == [[[rank - 0.3, rank - 1], [rank + 0.3, rank - 1]] for rank in (1, 2, 3)]


def test_ranks_along_an_axis_are_round() -> None:
    for n, width, ranks in (
        (6, "column", [1, 2, 3, 4, 5, 6]),
        (12, "column", [1, 3, 5, 7, 9, 11]),
        (30, "column", [1, 5, 10, 15, 20, 25, 30]),
        (120, "page", [1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]),
    ):
        ax = po.draw_rank_intervals(po.chain(n), width=width)
        assert ax.get_xticks().tolist() == ranks
    number_ranks((axis := bare().xaxis), 30, 25)
    assert axis.get_ticklocs().tolist() == [1, 30]


def test_of_many_systems_those_of_each_rank_are_counted() -> None:
    right, wrong = (dict.fromkeys(range(8), own) for own in ([3, 2, 1], [1, 2, 3]))
    given = {f"system {k}": right if k < 30 else wrong for k in range(60)}
    found = po.compare_systems(right, given, measures="kendall_tau")
    ax: Any = po.draw_systems(found, junctions=False, width="column")
    assert [text.split(":")[1] for text in texts_by_gid(ax, "count")] == [" 30 items", " 30 items"]
    text, states = ax.child_axes[0].get_xlabel().split("\n")
    assert text == "rank 1: no system is significantly better"
    assert states == "open pairs: 870 not enough evidence"
    assert misplaced_texts(ax) == []


@pytest.mark.slow
def test_systems_whose_names_have_no_place_have_the_numbers_of_their_rows() -> None:
    rng, names = np.random.default_rng(0), [f"the system {k}" for k in range(41)]
    noise = rng.normal(size=(41, 200)) + rng.normal(size=200)
    scores = {name: row + k / 25 for k, (name, row) in enumerate(zip(names, noise, strict=True))}
    found = po.compare_scores(scores, samples=200)
    for width, n_parts in (("column", 3), ("page", 3)):
        ax: Any = po.draw_systems(found, width=width)
        order, means, _ = ax.child_axes
        assert len(ax.child_axes) == n_parts
        rows = [name.split(": ") for name in row_names(means)]
        assert sorted(names) == sorted(name for _, name in rows)
        assert [number for number, _ in rows] == [str(k) for k in range(1, 42)]
        texts = [*by_gid(order, "name"), *by_gid(order, "item")[-41:]]
        place = {
            each.get_text(): getattr(each, "xy", each.get_position())
            for each in texts
            if each in order.texts
        }
        level = po.set_ranks(found.order())
        heights = {level[name]: place[number][1] for number, name in rows}
        assert len(place) == 41
        assert all(place[number][1] == heights[level[name]] for number, name in rows)
        assert misplaced_texts(order) == misplaced_texts(means) == []
        assert by_gid(order, "aside") == []
    # In Axes of any size something is drawn.
    for size in ((2, 1), (1.5, 1.2), (3, 0.8)):
        assert po.draw_systems(found, ax=blank(*size)).child_axes
    # Where there are no rows, numbers would say nothing.
    small: Any = po.draw_systems(found, ax=blank(2, 2))
    assert not any(text.get_text().isdecimal() for text in small.child_axes[0].texts)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:no installed font")
def test_texts_fit_few_and_many_systems() -> None:
    ax: Any = po.draw_systems(compared([name for name in ODD if name != "1"]))
    for part in (ax, *ax.child_axes):
        assert misplaced_texts(part) == []
    cases: list[dict[str, Any]] = [{"A": TARGET}, {"A": {}, "B": {}}]
    for systems in cases:
        ax = po.draw_systems(po.compare_systems(TARGET, systems, measures="gamma"), ax=blank(6, 3))
        assert row_names(ax.child_axes[1]) == list(systems)
    ax = po.draw_systems(compared(list(range(30))), ax=blank(6, 1.5))
    assert "named" in ax.child_axes[1].get_ylabel()


@pytest.mark.slow
@pytest.mark.parametrize("n", [6, 30])
def test_in_small_subplots_the_order_of_systems_is_alone_and_can_be_read(n: int) -> None:
    systems = compared([f"system {k}" for k in range(n)])
    figure = Figure((9, 5), layout="constrained")
    grid: Any = figure.subplots(2, 3)
    for ax in grid.flat:
        po.draw_systems(systems, ax=ax)
        (order,) = ax.child_axes
        assert misplaced_texts(order) == []
    for width, height, parts in ((2, 2, 1), (3, 6, 3), (2, 6, 2), (4, 3, 2), (7, 3, 3)):
        drawn: Any = po.draw_systems(systems, ax=blank(width, height))
        assert len(drawn.child_axes) == parts
        assert all(misplaced_texts(part) == [] for part in drawn.child_axes)
