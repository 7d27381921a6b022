"""Comparisons of systems as drawn: rows, bars, lines, and what is no order."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.drawing import systems as drawing
from porank.results import SystemComparison
from tests.drawing.test_pictures import ODD
from tests.drawn import blank, by_gid, misplaced_texts, one, row_names
from tests.significance.test_systems import difference, random_orders, shown_with

TARGET = {group: list(range(6)) for group in range(15)}


def compared(names: list[Any], **options: Any) -> SystemComparison:
    systems = {name: random_orders(15, 6, 0.35 * k, k) for k, name in enumerate(names)}
    return po.compare_systems(TARGET, systems, **{"measures": "kendall_tau", **options})


def parts(ax: Any) -> tuple[Any, Any, Any]:
    order, means, *_, bars = ax.child_axes
    return order, means, bars


def test_rows_and_bars_are_those_of_the_comparison() -> None:
    for measure, sign in (("kendall_tau", 1), ("kendall_distance", -1)):
        found = compared(list("abcdef"), measures=measure, correction="benjamini-hochberg")
        ax = po.draw_systems(found, ax=blank(8, 4))
        order, means, _ = parts(ax)
        rows = row_names(means)
        assert rows == sorted("abcdef", key=lambda name: -sign * found.means[measure][name])
        dots = np.asarray(one(ax, "mean").get_offsets()).tolist()
        assert dots == [[found.means[measure][name], place] for place, name in enumerate(rows)]
        low, high = means.get_ylim()
        assert low > high, "the best is on top"
        G, places = found.significant(), range(len(one(ax, "bar").get_paths()))
        drawn = {frozenset(rows[row] for row in member_rows(ax, place)) for place in places}
        assert drawn == largest_alike(G)
        layout = po.hasse_layout(G)
        boxes = {text.get_text(): text.get_position() for text in by_gid(order, "item")}
        assert boxes == dict(layout)
        assert len(one(order, "cover").get_paths()) == len(layout.edges)
        pairs = f"{G.number_of_edges()} of 15 differences significant"
        assert ax.get_title() == f"{measure} of 6 systems: {pairs}"


def test_it_is_said_how_many_sets_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    # The two of a group differ, and no others do: 2 ** 5 sets of five.
    G = nx.DiGraph()
    G.add_nodes_from(range(10))
    G.add_edges_from((2 * k, 2 * k + 1) for k in range(5))
    for most, said in ((100, "12 of 32"), (20, "12 of 20 and more"), (32, "12 of 32")):
        monkeypatch.setattr(drawing, "_MOST_SETS", most)
        found, is_more = drawing._bars(G, range(10))
        assert drawing._note(12, len(found), is_more) == said
    assert drawing._note(3, 3, is_more=False) == ""


def member_rows(ax: Any, place: int) -> list[int]:
    rows = [int(y) for x, y in one(ax, "member").get_offsets() if x == place]
    ends = one(ax, "bar").get_paths()[place].vertices
    assert ends.tolist() == [[place, min(rows)], [place, max(rows)]]
    return rows


def largest_alike(G: nx.DiGraph) -> set[frozenset[Any]]:
    """All sets of two and more that do not differ, but for those within others."""
    alike = [
        frozenset(chosen)
        for k in range(2, len(G) + 1)
        for chosen in combinations(G, k)
        if not any(G.has_edge(u, v) or G.has_edge(v, u) for u, v in combinations(chosen, 2))
    ]
    return {one for one in alike if not any(one < other for other in alike)}


AB, BC = difference("A", "B", 0.01), difference("B", "C", 0.02)
AC = difference("A", "C", 0.07)


def test_a_broken_chain_has_a_dashed_line() -> None:
    # Here nothing follows.
    found = replace(shown_with(AB, BC, AC), correction="benjamini-hochberg")
    ax = po.draw_systems(found, ax=blank(8, 4))
    layout = po.hasse_layout(po.parse("A > B > C"))
    (path,) = one(ax, "broken").get_paths()
    assert [tuple(path.vertices[0]), tuple(path.vertices[-1])] == [layout["A"], layout["C"]]
    assert "not significant: 1" in parts(ax)[0].get_xlabel()
    assert by_gid(ax, "ranks") == []
    whole = replace(found, pairs={"gamma": (AB, BC, difference("A", "C", 0.01))})
    ax = po.draw_systems(whole, ax=blank(8, 4))
    assert by_gid(ax, "broken") == []
    assert "not significant" not in parts(ax)[0].get_xlabel()


def test_ranks_have_lines_and_what_follows_is_told() -> None:
    ax = po.draw_systems(shown_with(AB, BC, AC), ax=blank(8, 4))
    assert by_gid(ax, "broken") == []
    assert "1 of these only follow" in parts(ax)[0].get_xlabel()
    ends = [path.vertices.tolist() for path in one(ax, "ranks").get_paths()]
    assert ends == [[[rank - 0.3, rank - 1], [rank + 0.3, rank - 1]] for rank in (1, 2, 3)]


def test_a_cycle_shares_a_box() -> None:
    found = shown_with(AB, BC, difference("C", "A", 0.01), difference("C", "D", 0.01))
    order, _, _ = parts(po.draw_systems(found, ax=blank(8, 4)))
    assert one(order, "component").get_text() == "A, B, C"
    assert "better along a cycle" in order.get_xlabel()
    assert "not significant: 1" in order.get_xlabel()


def test_texts_fit_few_and_many_systems() -> None:
    names = [name for name in ODD if name != "1"]
    ax: Any = po.draw_systems(compared(names, correction="benjamini-hochberg"))
    for part in (ax, *ax.child_axes):
        assert misplaced_texts(part) == []
    cases: list[dict[str, Any]] = [{"A": TARGET}, {"A": {}, "B": {}}]
    for systems in cases:
        ax = po.draw_systems(po.compare_systems(TARGET, systems, measures="gamma"), ax=blank(6, 3))
        assert row_names(parts(ax)[1]) == list(systems)
    many = compared(list(range(30)), correction="benjamini-hochberg")
    ax = po.draw_systems(many, ax=blank(3, 1.2))
    assert len(one(ax, "bar").get_paths()) <= 12
    assert "named" in parts(ax)[1].get_ylabel()


def test_arguments() -> None:
    found = compared(["a", "b"], measures=["gamma", "f1"])
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (found, {}, "expected one of 'gamma', 'f1' as measure, found No"),
        ({}, {}, "what compare_systems returns, found a dict"),
        (found, {"measure": "f1", "ax": "here"}, "expected the Axes of matplotlib as ax"),
    ]
    for comparison, options, message in wrong:
        with pytest.raises(po.PorankError, match=message):
            po.draw_systems(comparison, **options)


def test_battles_are_drawn_as_they_are_settled() -> None:
    circle = {("a", "b"): 20, ("b", "c"): 20, ("c", "a"): 20, ("a", "d"): 20}
    ax: Any = po.draw_systems(po.compare_battles(circle), ax=blank(8, 4))
    order, means, _ = parts(ax)
    assert len(one(order, "cover").get_paths()) == 1
    assert "3 more lie on cycles, and are left open" in order.get_xlabel()
    assert "share won of 80 battles" in means.get_xlabel()
