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
    # Without the shades the rest is the same.
    without = po.draw_rank_intervals(G, strip="none", ax=bare())
    assert by_gid(without, "probabilities") == []
    for drawn in (ax, without):
        assert np.allclose(one(drawn, "expected").get_offsets(), places)
        assert boxes(one(drawn, "interval")) == bars


def test_a_seed_makes_the_same_estimate_and_the_title_says_that_it_is_one() -> None:
    G = po.random_order(12, dimension=2, seed=3)
    for strip in ("probabilities", "none"):
        how: Any = {"method": "walk", "strip": strip}
        drawn = [po.draw_rank_intervals(G, seed=k, ax=bare(), **how) for k in (1, 1, 2)]
        assert drawn[0].get_title() == "Where 12 items may stand: estimated from random walks"
        dots = [one(ax, "expected").get_offsets() for ax in drawn]
        assert np.array_equal(dots[0], dots[1])
        assert not np.array_equal(dots[0], dots[2])


def test_scores_and_many_items() -> None:
    ax = po.draw_rank_intervals({number: -number for number in range(300)}, ax=bare())
    assert one(ax, "probabilities").get_array().shape == (300, 300)
    assert "every" in ax.get_ylabel()
    assert len(boxes(one(ax, "interval"))) == 300
