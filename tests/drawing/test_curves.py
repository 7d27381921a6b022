"""Curves: of a trade-off, of a test on unseen sessions, of positions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

import porank as po
from porank.clicks.statements import read_statements
from porank.clicks.taste_of_log import place_curve, read_taste
from porank.drawing.style import SERIES
from porank.errors import GraphTypeError
from tests.support.drawn import bare, blank, by_gid, entries, misplaced_texts, one, relation
from tests.support.refusals import refuses
from tests.support.strategies import item_lists

P = relation(["abcd", "abdc", "bacd"])
CURVE, NO_TARGET = po.abstention_curve(P, po.from_ranking("abcd")), po.abstention_curve(P)
LOG = po.simulate_log({"a": 2, "b": 1}, 20, seed=1)
NO_PLACES = {"session": [1], "item": [1], "event": ["view"]}


def test_bad_input_is_refused_in_words() -> None:
    refuses("with a target as 'one'", po.draw_tradeoff, {"one": NO_TARGET})
    refuses("as 'x', found an int", po.draw_tradeoff, {"x": 3}, error=GraphTypeError)
    refuses("at least one curve, found none", po.draw_tradeoff, {})
    refuses("12 .* found 13", po.draw_tradeoff, dict.fromkeys(range(13), CURVE))
    refuses("positions", po.draw_positions, [])
    refuses("names their column", po.draw_positions, NO_PLACES)


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


VOTES = ["abcd", "abdc", "bacd", "cabd", "abcd"]


def points_of(ax: Any) -> list[list[list[float]]]:
    return [line.get_xydata().tolist() for line in by_gid(ax, "curve")]


@settings(max_examples=5)
@given(item_lists(max_items=5), st.data())
def test_points_are_completeness_and_correctness(items: list[Any], data: st.DataObject) -> None:
    votes = data.draw(st.lists(st.permutations(items), min_size=1, max_size=5))
    target = po.from_levels([level for level in (items[:1], items[1:3], items[3:]) if level])
    P = po.preference_relation([po.from_ranking(vote) for vote in votes])
    curve = po.abstention_curve(P, target)
    ax = po.draw_tradeoff(curve, ax=bare())
    orders = [po.predict_order(P, alpha=point.alpha) for point in curve if point.is_acyclic]
    both = [[po.completeness(target, each), po.correctness(target, each)] for each in orders]
    expected = [point for point in both if not np.isnan(point[1])]
    assert points_of(ax) == [expected]
    levels = [line.get_xydata().tolist() for line in by_gid(ax, "level")]
    assert levels == [[[0, height], [width, height]] for width, height in expected[-1:]]
    low, high = ax.get_ylim()
    assert all(low < height < high for _, height in expected)
    if not expected:
        assert [text.get_text() for text in ax.texts] == ["no pair of the target is decided"]
        assert by_gid(ax, "minimal") == []
    elif curve[0].is_acyclic and curve[0].pairs:
        assert one(ax, "minimal").get_xydata().tolist() in ([each] for each in expected)
        assert entries(ax)[0] == f"area {curve.area:.3f}"
        assert entries(ax)[1] == "minimal threshold"


def test_several_curves_are_named_and_told_apart() -> None:
    target = po.from_ranking("abcd")
    curves = {
        name: po.abstention_curve(relation(votes), target)
        for name, votes in {"five $": VOTES, 2: VOTES[:2], "": VOTES[2:]}.items()
    }
    ax = po.draw_tradeoff(curves, ax=bare())
    assert len(points_of(ax)) == len(by_gid(ax, "minimal")) == 3
    key = [text.split(":")[0] for text in entries(ax)]
    assert (key[:2], key[3]) == ([r"five \$", "2"], "minimal threshold")
    colors = [line.get_color() for line in by_gid(ax, "curve")]
    assert colors == [look.color for look, _ in SERIES[:3]]


def many(n: int) -> dict[str, Any]:
    target = po.from_ranking("abcd")
    turned = [VOTES[k % 5 :] + VOTES[: k % 4] for k in range(n)]
    names = [f"a method with option {k}" for k in range(n)]
    curves = (po.abstention_curve(relation(votes), target) for votes in turned)
    return dict(zip(names, curves, strict=True))


def is_clear(ax: Any) -> bool:
    """Return whether the legend is in the figure, below all curves and ticks."""
    ax.figure.canvas.draw()
    box, figure = ax.get_legend().get_window_extent(), ax.figure.bbox
    low = min(*(y for points in points_of(ax) for _, y in points), *ax.get_yticks())
    assert ax.spines["left"].get_window_extent().y0 >= box.y1 - 1
    return bool(
        box.y1 < ax.transData.transform((0, low))[1]
        and -1 < box.x0 < box.x1 < figure.width + 1
        and misplaced_texts(ax) == []
    )


@pytest.mark.slow
@pytest.mark.parametrize("width", [2, 2.8, "column", "page"])
def test_a_legend_of_many_entries_is_below_in_a_figure_that_grows(width: Any) -> None:
    few, more = (po.draw_tradeoff(many(n), width=width) for n in (1, 9))
    assert is_clear(more)
    assert len(entries(more)) == 10
    assert ["area" in text for text in entries(more)] == [width != 2] * 9 + [False]
    heights = [ax.get_window_extent().height for ax in (few, more)]
    grown = heights[1] - heights[0]
    assert grown > 0
    spine = more.spines["left"].get_window_extent()
    assert spine.height >= heights[1] / 2 - 1
    assert spine.height == pytest.approx(heights[0], abs=2) or spine.height > heights[0]
    middle = more.yaxis.label.get_window_extent()
    assert (middle.y0 + middle.y1) / 2 == pytest.approx((spine.y0 + spine.y1) / 2, abs=3)
    long = po.draw_tradeoff({f"{'long ' * 20}{k}": CURVE for k in range(4)}, width=width)
    assert is_clear(long)
    legend: Any = long.get_legend()
    assert not any("\n" in text.get_text() for text in legend.get_texts()) or width == 2
    if width == "page":
        ax = po.draw_tradeoff(many(2), width=width)
        assert len(entries(ax)) == 3
        assert ax.get_window_extent().height == pytest.approx(heights[0], abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["constrained", None])
def test_in_given_axes_half_is_for_the_curves(layout: Any) -> None:
    figure: Any = Figure((6, 4), layout=layout)
    parts = figure.subplots(2, 3).ravel()
    for ax, n in zip(parts, (1, 3, 4, 9, 12, 2), strict=True):
        po.draw_tradeoff(many(n), ax=ax)
    assert figure.get_size_inches().tolist() == [6, 4]
    for ax, n in zip(parts[1:5], (3, 4, 9, 12), strict=True):
        assert is_clear(ax)
        spine, height = ax.spines["left"].get_window_extent().height, ax.get_window_extent().height
        assert spine > 0.48 * height
        assert 0 < len(entries(ax)) < n + 1
    assert is_clear(po.draw_tradeoff(many(2), ax=blank(2.5, 1.8))), "few entries in little room"


def test_of_few_units_there_are_points_without_intervals() -> None:
    found = po.validate_feedback(LOG, points=2)
    assert all(np.isnan(point.low) for point in found.curve)
    ax: Any = po.draw_tradeoff(found, ax=bare())
    assert len(by_gid(ax, "score")) > 2
    heights = [y for points in points_of(ax) for _, y in points]
    assert ax.get_ylim()[0] < min(heights) <= max(heights) < ax.get_ylim()[1]


def test_the_mean_curve_says_that_it_is_one() -> None:
    relations, target = [relation(VOTES), relation(VOTES[:2])], po.from_ranking("abcd")
    curve = po.abstention_curve(relations, [target, target])
    ax: Any = po.draw_tradeoff(curve, ax=bare())
    assert points_of(ax) == [[[point.completeness, point.correctness] for point in curve]]
    assert ax.get_xlabel().startswith("mean completeness")
    assert ax.get_ylabel().startswith("mean correctness")
    assert entries(ax) == [f"area {curve.area:.3f}", "minimal threshold"]
    both: Any = {"mean": curve, "one": po.abstention_curve(relations[0], target)}
    assert po.draw_tradeoff(both, ax=bare()).get_xlabel().startswith("completeness")


def test_a_test_on_unseen_sessions_is_a_curve_with_a_band_and_named_points() -> None:
    log = po.simulate_log({n: 1.1**n for n in range(12)}, 300, seed=0)
    found = po.validate_feedback(log, points=4)
    ax: Any = po.draw_tradeoff(found, ax=bare())
    assert points_of(ax) == [[[each.completeness, each.correctness] for each in found.curve]]
    assert len(by_gid(ax, "interval")) == 1
    assert by_gid(ax, "minimal") == []
    # The orders and the rules that decide anything are points with a name.
    decided = {name: score for name, score in found.scores.items() if score.completeness}
    assert {"leaning order", "stood higher"} <= set(decided) <= set(entries(ax))
    assert entries(ax)[-1] == "intervals of 95%"
    scores = [line.get_xydata().tolist() for line in by_gid(ax, "score")]
    assert scores == [[[each.completeness, each.correctness]] for each in decided.values()]
    assert [line.get_ydata().tolist() for line in by_gid(ax, "bar")] == [
        pytest.approx([score.low, score.high], nan_ok=True) for score in decided.values()
    ]
    assert by_gid(po.draw_tradeoff({"one": found.curve}, ax=bare()), "score") == []
    assert ax.get_xlabel() == "completeness: share of unseen statements decided"
