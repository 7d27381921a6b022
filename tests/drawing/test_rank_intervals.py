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
    with_strip, without = (po.draw_rank_intervals(G, strip=s, ax=bare()) for s in STRIPS)
    assert by_gid(without, "probabilities") == []
    dots = [one(ax, "expected").get_offsets() for ax in (with_strip, without)]
    assert np.allclose(*dots)
    assert boxes(one(with_strip, "interval")) == boxes(one(without, "interval"))


STRIPS = ("probabilities", "none")


@pytest.mark.parametrize("strip", STRIPS)
def test_the_title_says_when_figures_are_estimates(strip: str) -> None:
    G = po.parse("a > c; b > c; b > d")
    options: dict[str, Any] = {"strip": strip, "seed": 0}
    drawn = po.draw_rank_intervals(G, method="walk", ax=bare(), **options)
    assert drawn.get_title() == "Where 4 items may stand: estimated from random walks"


def test_a_seed_makes_the_same_estimate() -> None:
    G = po.random_order(12, dimension=2, seed=3)
    options: dict[str, Any] = {"method": "walk"}
    drawn = [
        one(po.draw_rank_intervals(G, seed=seed, ax=bare(), **options), "expected").get_offsets()
        for seed in (1, 1, 2)
    ]
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])


def test_scores_and_many_items() -> None:
    ax = po.draw_rank_intervals({number: -number for number in range(300)}, ax=bare())
    assert one(ax, "probabilities").get_array().shape == (300, 300)
    assert "every" in ax.get_ylabel()
    assert len(boxes(one(ax, "interval"))) == 300


def test_errors() -> None:
    with pytest.raises(po.PorankError, match="expected strip to be one of 'probabilities', 'none'"):
        po.draw_rank_intervals(po.chain(2), strip="both")
    with pytest.raises(po.CycleError, match="found the cycle 'a' > 'b' > 'a'"):
        po.draw_rank_intervals(nx.DiGraph(["ab", "ba"]))
    with pytest.raises(po.TooManyIdealsError):
        po.draw_rank_intervals(po.parse("a > c; b > c; b > d"), method="exact", max_ideals=3)
