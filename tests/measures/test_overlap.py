"""Rank-biased overlap of lists of any length, with each meaning that ties can have."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests import oracles_overlap

Levels = list[list[str]]


@st.composite
def lists(draw: st.DrawFn) -> Levels:
    """Some of nine items, in levels."""
    line = draw(st.permutations("abcdefghi"))[: draw(st.integers(1, 7))]
    ends = {*draw(st.sets(st.integers(1, 6))), len(line)}
    return [line[i:j] for i, j in pairwise([0, *sorted(ends)]) if j <= len(line)]


def aligned(*both: Levels) -> tuple[Any, tuple[int, int]]:
    """Two lists with what they lack below, and the depths to which they are known."""
    pair = po.align(*map(po.from_levels, both), how="union", missing="below")
    first, second = (sum(map(len, levels)) for levels in both)
    return pair, (first, second)


@given(lists(), lists(), st.floats(0.05, 0.95), st.sampled_from("abw"))
def test_overlap_by_the_share_of_each_item_at_each_depth(
    first: Levels, second: Levels, p: float, ties: str
) -> None:
    expected = oracles_overlap.rank_biased_overlap(first, second, p, ties)
    for both in ((first, second), (second, first)):
        pair, k = aligned(*both)
        value = po.rank_biased_overlap(*pair, p=p, k=k, ties=ties)
        assert value == pytest.approx(expected, abs=1e-13)
    if ties != "a":
        same, k = aligned(first, first)
        assert po.rank_biased_overlap(*same, p=p, k=k, ties=ties) == 1


def test_the_lists_that_its_authors_show() -> None:
    """Corsi and Urbano's own program, as its description shows it."""
    pair, k = aligned(
        [["red"], ["blue", "green"], ["yellow"], ["pink"]],
        [["blue", "red"], ["white"], ["yellow", "black", "purple"], ["green"]],
    )
    values = [po.rank_biased_overlap(*pair, p=0.95, k=k, ties=ties) for ties in "awb"]
    assert values == pytest.approx([0.6922853, 0.7068257, 0.7207131], abs=5e-8)


WEAK = {"a": 1, "b": 1, "c": 1}
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"ties": "average"}, "ties to be one of 'a', 'b', 'w'"),
    ({"k": (1, 0)}, "k"),
    ({"k": (1, None)}, "k"),
    ({"k": (1, 2, 3)}, "k"),
    ({"k": (2, 3)}, "first 2 items .* tie across them"),
]


def test_refusals() -> None:
    for options, message in REFUSED:
        with pytest.raises(po.PorankError, match=message):
            po.rank_biased_overlap(WEAK, WEAK, **options)
    assert po.rank_biased_overlap(WEAK, WEAK, k=(3, 3)) < 1
