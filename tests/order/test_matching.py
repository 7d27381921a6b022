"""Maximum matching over rows of bits."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.relation import rows_of
from porank.orders.antichains import maximum_matching
from tests import oracles_antichains as slow


@st.composite
def squares(draw: st.DrawFn, *, max_size: int = 5) -> list[int]:
    """As many rows as columns."""
    n = draw(st.integers(0, max_size))
    return draw(st.lists(st.integers(0, (1 << n) - 1), min_size=n, max_size=n))


def check(rows: list[int]) -> int:
    """Check that the pairs are allowed and disjoint, and return how many x are single."""
    partner = maximum_matching(rows).partner
    pairs = [(x, y) for x, y in enumerate(partner) if y >= 0]
    assert all(rows[x] >> y & 1 for x, y in pairs)
    assert len({y for _, y in pairs}) == len(pairs)
    return partner.count(-1)


@given(squares())
def test_as_few_as_possible_stay_single(rows: list[int]) -> None:
    assert check(rows) == slow.unmatched(rows)


@given(squares())
def test_spare_and_wanted_by_definition(rows: list[int]) -> None:
    """An x is spare if dropping it leaves no larger part of the others single."""
    matching = maximum_matching(rows)
    fewest = slow.unmatched(rows)
    spare = [x for x in range(len(rows)) if 1 + slow.unmatched(rows[:x] + rows[x + 1 :]) == fewest]
    assert [x for x in range(len(rows)) if matching.spare >> x & 1] == spare
    wanted = 0
    for x in spare:
        wanted |= rows[x]
    assert matching.wanted == wanted


@pytest.mark.parametrize("density", [0.005, 0.01, 0.03, 0.5])
def test_as_networkx_matches(density: float) -> None:
    n = 200
    matrix = np.random.default_rng(1).random((n, n)) < density
    G = nx.Graph()
    G.add_nodes_from((side, x) for side in "lr" for x in range(n))
    G.add_edges_from((("l", int(x)), ("r", int(y))) for x, y in np.argwhere(matrix))
    matched = nx.bipartite.hopcroft_karp_matching(G, [("l", x) for x in range(n)])
    assert check(rows_of(matrix)) == n - len(matched) // 2


def test_a_path_through_everything_is_found() -> None:
    """The first phase takes y = x + 1 for each x but the last, which then moves all of them."""
    n = 2_000
    rows = [1 << n - 1, *(3 << n - 1 - x for x in range(1, n))]
    assert check(rows) == 0
    assert maximum_matching(rows).partner == [n - 1 - x for x in range(n)]


def test_no_rows() -> None:
    assert maximum_matching([]) == ([], 0, 0)
    assert maximum_matching([0, 0]) == ([-1, -1], 0b11, 0)
