"""The footrule against Kendall's distance: the dots lie where the two measures say."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.drawing import robustness
from tests.drawn import bare, by_gid, one

RANKINGS = [po.from_ranking(ranking) for ranking in permutations("abcd")]
PAIRS = list(combinations(RANKINGS, 2))


def dots(ax: Any) -> list[list[float]]:
    found: list[list[float]] = one(ax, "pairs").get_offsets().tolist()
    return found


@pytest.mark.parametrize("costs", ["dcg", [3, 2, 1]])
def test_dots_are_the_two_distances_of_all_pairs(costs: Any) -> None:
    ax = po.draw_robustness(iter(PAIRS), position_costs=costs, ax=bare())
    given = po.dcg_position_costs(4) if costs == "dcg" else costs
    expected = {
        tuple(
            float(f"{distance(target, predicted, position_costs=given):.12g}")
            for distance in (po.generalized_kendall, po.generalized_footrule)
        )
        for target, predicted in PAIRS
    }
    assert {(x, y) for x, y in dots(ax)} == expected
    for gid, factor in (("lower", 1), ("upper", 2)):
        x, y = one(ax, gid).get_data()
        assert np.array_equal(y, factor * np.array(x))
        assert x[0] == 0
        assert x[1] > max(x for x, _ in dots(ax))
    # Every dot between the two lines, as the theorem says.
    assert all(x - 1e-9 <= y <= 2 * x + 1e-9 for x, y in dots(ax))
    ratios = [y / x for x, y in expected]
    assert one(ax, "ratio").get_text() == f"F / K from {min(ratios):.2f} to {max(ratios):.2f}"


def test_a_dot_grows_with_the_pairs_on_it() -> None:
    abc, bac, cba = (po.from_ranking(ranking) for ranking in ("abc", "bac", "cba"))
    ax = po.draw_robustness([(abc, bac)] * 3 + [(abc, cba)], ax=bare())
    by_place = dict(zip(map(tuple, dots(ax)), one(ax, "pairs").get_sizes(), strict=True))
    assert by_place[1, 2] == 3 * by_place[3, 4]
    assert ax.get_title() == "4 pairs of rankings: unit position costs"


def test_ties_and_open_pairs_are_counted_where_positions_cost_nothing() -> None:
    weak = po.from_levels([["a", "b"], ["c"]]), po.from_ranking("cab")
    ax = po.draw_robustness([weak], ax=bare())
    assert dots(ax) == [[2.5, 4.0]]
    with pytest.raises(po.NotApplicableError, match="total"):
        po.draw_robustness([weak], position_costs="dcg")


def test_simulated_queries() -> None:
    drawn = [po.draw_robustness(12, seed=seed, ax=bare()) for seed in (5, 5, 6)]
    assert drawn[0].get_title() == "12 simulated queries: unit position costs"
    assert np.array_equal(dots(drawn[0]), dots(drawn[1]))
    assert not np.array_equal(dots(drawn[0]), dots(drawn[2]))
    assert all(x <= y <= 2 * x for x, y in dots(drawn[0]))
    # Ten results: at most 45 inversions, and all whole numbers.
    assert all(x <= 45 and x.is_integer() and y.is_integer() for x, y in dots(drawn[0]))


def test_results_that_nobody_clicks_are_put_in_sequence_by_a_coin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    none = {"item": np.array([], dtype=object), "event": np.array([], dtype=object)}
    monkeypatch.setattr(robustness, "simulate_log", lambda *_, **__: none)
    clicked: list[Any] = []

    def recorded(_: Any, predicted: Any, __: Any) -> tuple[float, float]:
        clicked.append(list(nx.topological_sort(predicted)))
        return 1.0, 1.0

    monkeypatch.setattr(robustness, "_distances", recorded)
    po.draw_robustness(60, seed=1, ax=bare())
    assert len(set(map(tuple, clicked))) == 60
    # Each of ten results stands first now and then.
    assert {sequence[0] for sequence in clicked} == set(range(10))


def test_no_pairs_and_equal_pairs() -> None:
    ax = po.draw_robustness([], ax=bare())
    assert ax.get_title() == "0 pairs of rankings: unit position costs"
    assert by_gid(ax, "ratio") == []
    ax = po.draw_robustness([(RANKINGS[0], RANKINGS[0])], ax=bare())
    assert dots(ax) == [[0, 0]]
    assert by_gid(ax, "ratio") == []


def test_errors() -> None:
    wrong: list[tuple[Any, str]] = [
        (-1, "a whole number of at least 0 as pairs, found -1"),
        (True, "a whole number of at least 0 as pairs, found True"),
        (2.5, "a number of queries to simulate, or pairs .* found a float"),
        (RANKINGS[0], "found a DiGraph"),
        ([RANKINGS[0]], r"expected pairs \(target, predicted\), found .* as number 1"),
    ]
    for pairs, message in wrong:
        with pytest.raises(po.PorankError, match=message):
            po.draw_robustness(pairs)
    with pytest.raises(po.PorankError, match="one of 'unit', 'dcg' or a sequence"):
        po.draw_robustness(PAIRS, position_costs="linear")
    with pytest.raises(po.ItemMismatchError):
        po.draw_robustness([(po.chain(2), po.chain(3))])


def test_whole_distances_have_whole_ticks() -> None:
    abc, cab = po.from_ranking("abc"), po.from_ranking("cab")
    ax = po.draw_robustness([(abc, cab)], ax=bare())
    assert all(float(tick).is_integer() for tick in (*ax.get_xticks(), *ax.get_yticks()))
