"""Comparisons of systems as drawn: rows, bars, lines, and what is no order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import porank as po
from porank.results import SystemComparison
from tests.drawing.test_pictures import ODD
from tests.significance.test_systems import difference, random_orders, shown_with
from tests.support.drawn import blank, by_gid, misplaced_texts, one, row_names

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
    assert "not significant (1)" in ax.child_axes[0].get_xlabel()
    assert by_gid(ax, "ranks") == []
    ax = po.draw_systems(shown_with(AB, BC, BACK, difference("C", "D", 0.01)), ax=blank(8, 4))
    order = ax.child_axes[0]
    assert one(order, "component").get_text() == "A, B, C"
    assert "better along a cycle" in order.get_xlabel()
    assert "not significant (1)" in order.get_xlabel()
    # Ranks have lines, and what follows is told.
    ax = po.draw_systems(shown_with(AB, BC, AC), ax=blank(8, 4))
    assert "1 of these only follow" in ax.child_axes[0].get_xlabel()
    ends = [path.vertices.tolist() for path in one(ax, "ranks").get_paths()]
    assert ends == [[[rank - 0.3, rank - 1], [rank + 0.3, rank - 1]] for rank in (1, 2, 3)]


@pytest.mark.slow
def test_texts_fit_few_and_many_systems() -> None:
    ax: Any = po.draw_systems(compared([name for name in ODD if name != "1"]))
    for part in (ax, *ax.child_axes):
        assert misplaced_texts(part) == []
    cases: list[dict[str, Any]] = [{"A": TARGET}, {"A": {}, "B": {}}]
    for systems in cases:
        ax = po.draw_systems(po.compare_systems(TARGET, systems, measures="gamma"), ax=blank(6, 3))
        assert row_names(ax.child_axes[1]) == list(systems)
    ax = po.draw_systems(compared(list(range(30))), ax=blank(3, 1.2))
    assert "named" in ax.child_axes[1].get_ylabel()
