"""What a valued relation consists of: checked, and the same among some of the items."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.strategies import item_lists

PR = po.PreferenceRelation


@st.composite
def makers(draw: st.DrawFn, items: list[Any]) -> Any:
    """A function that makes a relation of the same data on any of the items."""
    pairs = list(combinations(items, 2))
    kind = draw(st.sampled_from(["members", "degrees", "floats", "graph", "strengths"]))
    if kind == "members":
        levels = st.lists(st.integers(0, 3), min_size=len(items), max_size=len(items))
        members = [dict(zip(items, row, strict=True)) for row in draw(st.lists(levels, min_size=1))]
        ties = draw(st.sampled_from(["none", "half"]))
        counts = draw(st.none() | st.just([3] * len(members)))
        return lambda kept: po.preference_relation(
            [{item: member[item] for item in kept} for member in members], ties=ties, counts=counts
        )
    numbers = {
        "degrees": st.fractions(0, 1, max_denominator=9),
        "floats": st.integers(0, 9).map(lambda ninths: ninths / 9),
        "graph": st.integers(1, 10).map(lambda tenths: tenths / 10),
        "strengths": st.integers(1, 5),
    }[kind]
    if kind == "strengths":
        strengths = {item: draw(numbers) for item in items}
        return lambda kept: PR.from_strengths({item: strengths[item] for item in kept})
    degrees = {pair: draw(numbers) for pair in pairs if draw(st.booleans())}

    def make(kept: list[Any]) -> po.PreferenceRelation:
        among = {pair: degree for pair, degree in degrees.items() if set(pair) <= set(kept)}
        if kind != "graph":
            return PR.from_degrees(among, kept)
        G = nx.DiGraph()
        G.add_nodes_from(kept)
        G.add_weighted_edges_from((u, v, degree) for (u, v), degree in among.items())
        return PR.from_graph(G)

    return make


@given(st.data())
def test_restriction_is_the_relation_made_of_these_items(data: st.DataObject) -> None:
    items = data.draw(item_lists(max_items=5))
    make = data.draw(makers(items))
    kept = [item for item in items if data.draw(st.booleans())]
    found, expected = make(items).restrict(data.draw(st.permutations(kept))), make(kept)
    assert found.degrees() == expected.degrees()
    assert found == expected
    assert _threshold(found) == _threshold(expected)
    assert po.abstention_curve(found).points == po.abstention_curve(expected).points


def _threshold(P: po.PreferenceRelation) -> Fraction | None:
    try:
        return po.minimal_threshold(P)
    except po.CycleError:
        return None


def test_open_pairs_outside_do_not_halve_the_grid() -> None:
    members = [{"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 1, "c": 0}]
    P = po.preference_relation(members, ties="half")
    assert po.minimal_threshold(P) == Fraction(1, 2)
    # 1/4, while P was restricted and its unit was not.
    assert po.minimal_threshold(P.restrict("ab")) == Fraction(1, 2)
    assert (P.unit, P.restrict("ab").unit) == (4, 2)


def test_degrees_of_other_items_are_no_thresholds() -> None:
    P = PR.from_degrees({("a", "b"): 0.6, ("b", "c"): 0.45, ("a", "c"): 0.7})
    assert po.minimal_threshold(P) == Fraction(11, 20)
    assert po.minimal_threshold(P.restrict("ab")) == Fraction(3, 5)


def test_items_to_keep() -> None:
    P = po.preference_relation([po.from_ranking("abc")])
    assert P.restrict("cac").items == ("a", "c")
    assert P.restrict({"b"}).items == ("b",)
    for wrong, message in (
        (None, "items as the items to keep, found None"),
        (5, "items as the items to keep, found 5"),
        ([["a"]], r"a hashable item, found \['a'\]"),
        ("az", "items of the order, found 'z'"),
    ):
        with pytest.raises(po.PorankError, match=message):
            P.restrict(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["degree", "wins_of", "ties_of", "__call__"])
@pytest.mark.parametrize("pair", [(["a"], "b"), ("a", {}), ("a", "z"), (None, "b")])
def test_a_pair_that_is_not_there_is_said(name: str, pair: Any) -> None:
    P = po.preference_relation([po.from_ranking("abc")])
    with pytest.raises(po.PorankError, match="expected items of the order, found"):
        getattr(P, name)(*pair)


@pytest.mark.parametrize("strength", [-1, 4, 99, "a", 1.5, None])
def test_a_strength_that_is_not_there_is_said(strength: Any) -> None:
    for P in (po.preference_relation([[2, 1]] * 3), PR.from_strengths({"a": 2, "b": 1})):
        assert P.unit == 3
        with pytest.raises(po.PorankError, match=r"strength|whole number"):
            P.degree_of_strength(strength)


TWO = np.array([[0, 2], [1, 0]])


def test_parts_are_kept_as_they_are_given() -> None:
    P = PR(("a", "b"), TWO, 3, 3, TWO)
    assert po.preference_relation([{"a": 2, "b": 1}] * 2 + [{"a": 1, "b": 2}]) == P
    assert PR(("a", "b"), 2 * TWO, 6, 3, TWO).degree("a", "b") == Fraction(2, 3)
    open_pair = np.array([[0, 5], [1, 0]])
    assert PR(("a", "b"), open_pair, 6, 3, TWO // 2 * 2).degree("a", "b") == Fraction(5, 6)
    in_lists: Any = ["a", "b"], TWO.tolist(), 3
    assert PR(*in_lists) == PR(("a", "b"), TWO, 3)
    quarters: Any = [0, 0.25, 0.75, 1]
    assert PR(("a", "b"), TWO, 3, values=quarters).degree("a", "b") == Fraction(3, 4)
    given = TWO.copy()
    Q = PR(("a", "b"), given, 3)
    given[0, 1] = 0
    assert Q.degree("a", "b") == Fraction(2, 3)
    assert given.flags.writeable
    assert PR((), np.zeros((0, 0), dtype=int), 1).degrees() == {}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (("ab", TWO[:1], 3), r"2 x 2 whole numbers as strength, found an array of shape \(1, 2\)"),
        (("ab", TWO / 3, 1), "whole numbers as strength, found .* float64"),
        (("ab", 10 * TWO, 3), "from 0 to 3 as strength, found 20"),
        (("ab", -TWO, 3), "from 0 to 3 as strength, found -2"),
        (("ab", TWO + np.eye(2, dtype=int), 3), "0 for each item and itself as strength"),
        (("ab", TWO, 2), "at most 2 in all as strength, found 2 and 1"),
        (("aa", TWO, 3), "each item once in items, found again: 'a'"),
        (("ab", TWO, 0), "at least 1 as unit, found 0"),
        (("ab", TWO, 3, 1.5), "at least 0 as n_members, found 1.5"),
        (("ab", TWO, 3, 4, TWO), "or twice it, as unit beside wins, found 3 for 4 members"),
        (("ab", TWO.T, 3, 3, TWO), "follow from the wins, 2 of 3, found 1"),
        (("ab", 2 * TWO.T, 6, 3, TWO), "follow from the wins, 4 of 6, found 2"),
        (("ab", TWO, 3, 3, TWO, [0, 0.25, 0.75, 1]), "wins or values beside strength, found both"),
        (("ab", [[0, 3], [0, 0]], 6, 3, TWO // 2), "follow from the wins, 4 of 6, found 3"),
        (("ab", TWO, 6, 3, TWO * 2), "from 0 to 3 as wins, found 4"),
        (("ab", TWO, 3, 0, None, [0, 1]), "4 degrees that ascend from 0 to 1 as values, found"),
        (("ab", TWO, 3, 0, None, [0, 0.7, 0.3, 1]), "that ascend"),
        (("ab", TWO, 3, 0, None, "0123"), "that ascend"),
        ((None, TWO, 3), "items as items, found None"),
    ],
)
def test_parts_that_do_not_fit_are_said(parts: tuple[Any, ...], message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        PR(*parts)


def test_directions_are_compared_across_tiles() -> None:
    strength = np.triu(np.full((600, 600), 200, dtype=np.uint8), 1)
    assert PR(tuple(range(600)), strength, 255).degree(3, 599) == Fraction(200, 255)
    strength[599, 3] = 56
    with pytest.raises(po.PorankError, match="at most 255 in all as strength, found 200 and 56"):
        PR(tuple(range(600)), strength, 255)


@pytest.mark.parametrize("total", [2**7, 2**15, 2**31, 2**62, 10**30])
def test_halves_of_many_members_do_not_overflow(total: int) -> None:
    P = po.preference_relation([[3, 2, 1], [2, 2, 1]], counts=[total - 1, 1], ties="half")
    assert P.degree(0, 1) == Fraction(2 * total - 1, 2 * total)
    assert P.degree(1, 0) == Fraction(1, 2 * total)
    assert [P.degree(0, 2), P.degree(2, 0)] == [1, 0]


def test_items_that_print_alike_show_their_type() -> None:
    table = po.preference_relation([po.from_ranking([1, "1", "a"])]).to_table()
    assert table.columns == ("P", "1", "'1'", "a")
    assert [row[0] for row in table.rows] == ["1", "'1'", "a"]
