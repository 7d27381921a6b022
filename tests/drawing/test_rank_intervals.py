"""Where items may stand: bars, dots and shades against counts over all linear extensions."""

from __future__ import annotations

from math import sqrt
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import porank as po
from porank.core.graphs import item_key
from porank.drawing.texts import names_of
from tests import oracles_positions
from tests.drawn import bare, boxes, by_gid, one, row_names
from tests.strategies import orders


def by_row(ax: Any, G: nx.DiGraph) -> list[Any]:
    """The items in the rows, from the top."""
    by_name = dict(zip(names_of(G), G, strict=True))
    return [by_name[name] for name in row_names(ax)]


@settings(max_examples=6)
@given(orders(max_items=5))
def test_the_picture_shows_the_share_of_linear_extensions(G: nx.DiGraph) -> None:
    ax = po.draw_rank_intervals(G, ax=bare())
    if not len(G):
        return
    items, n = by_row(ax, G), len(G)
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the best is on top"
    shares = oracles_positions.rank_probabilities(G)
    means = oracles_positions.expected_ranks(G)
    keys = [(means[item], po.rank_intervals(G)[item], item_key(item)) for item in items]
    assert keys == sorted(keys)
    dots = one(ax, "expected").get_offsets().tolist()
    assert np.allclose(dots, [[float(means[item]), row] for row, item in enumerate(items)])
    bars = boxes(one(ax, "interval"))
    image = one(ax, "probabilities")
    table = image.get_array()[2::6]
    assert image.get_extent() == [0.5, n + 0.5, n - 0.5, -0.5]
    for row, item in enumerate(items):
        possible = [rank for rank, share in enumerate(shares[item], start=1) if share]
        assert bars[row][:2] == (possible[0] - 0.5, possible[-1] + 0.5)
        assert bars[row][2] < row < bars[row][3]
        assert np.ma.getmaskarray(table)[row].tolist() == [not share for share in shares[item]]
        for rank in possible:
            assert table[row, rank - 1] == pytest.approx(sqrt(shares[item][rank - 1]))


def test_without_a_strip_the_dots_are_the_same() -> None:
    G = po.parse("a > b > c; d > c; e")
    drawn = [po.draw_rank_intervals(G, strip=s, ax=bare()) for s in ("probabilities", "none")]
    assert by_gid(drawn[1], "probabilities") == []
    assert np.allclose(*(one(ax, "expected").get_offsets() for ax in drawn))
    assert boxes(one(drawn[0], "interval")) == boxes(one(drawn[1], "interval"))


def test_a_seed_makes_the_same_estimate_and_the_title_says_that_it_is_one() -> None:
    G, how = po.random_order(12, dimension=2, seed=3), {"method": "walk"}
    for strip in ("probabilities", "none"):
        options: dict[str, Any] = how | {"strip": strip}
        drawn = [po.draw_rank_intervals(G, seed=k, ax=bare(), **options) for k in (1, 1, 2)]
        assert drawn[0].get_title() == "Where 12 items may stand: estimated from random walks"
        dots = [one(ax, "expected").get_offsets() for ax in drawn]
        assert np.array_equal(dots[0], dots[1])
        assert not np.array_equal(dots[0], dots[2])
    tight, N = {"method": "exact", "max_ideals": 3}, po.parse("a > c; b > c; b > d")
    wrong: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (N, {"strip": "both"}, po.PorankError, "strip to be one of 'probabilities', 'none'"),
        (nx.DiGraph(["ab", "ba"]), {}, po.CycleError, "found the cycle 'a' > 'b' > 'a'"),
        (N, tight, po.TooManyIdealsError, "ideals"),
    ]
    for order, bad, kind, message in wrong:
        with pytest.raises(kind, match=message):
            po.draw_rank_intervals(order, **bad)


def test_scores_and_many_items() -> None:
    ax = po.draw_rank_intervals({number: -number for number in range(300)}, ax=bare())
    assert one(ax, "probabilities").get_array().shape == (300, 300)
    assert "every" in ax.get_ylabel()
    assert len(boxes(one(ax, "interval"))) == 300
