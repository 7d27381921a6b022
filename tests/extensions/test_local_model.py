"""The local partial order model, set by set, and where it is exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

import porank as po
from tests import oracles_positions
from tests.extensions.test_rank_probabilities import functions
from tests.strategies import orders


@given(orders(max_items=7))
def test_the_local_model_has_the_published_ranks(G: nx.DiGraph) -> None:
    found = po.expected_ranks(G, method="approximate")
    wanted = oracles_positions.local_model_ranks(G)
    assert all(found[x] == pytest.approx(float(wanted[x]), abs=1e-9) for x in G)


@given(orders(max_items=6))
def test_the_local_model_set_by_set(G: nx.DiGraph) -> None:
    if po.is_weak_order(G):
        return  # what is known exactly is not approximated
    rows = po.rank_probabilities(G, method="approximate")
    for x, row in oracles_positions.local_model_probabilities(G).items():
        assert rows[x] == pytest.approx(list(map(float, row)), abs=1e-9)
    mutual = po.mutual_rank_probabilities(G, method="approximate")
    for pair, chance in oracles_positions.local_model_mutual(G).items():
        assert mutual[pair] == pytest.approx(float(chance), abs=1e-12)


@functions
def test_only_what_the_order_says_has_a_known_error(function: Callable[..., Any]) -> None:
    G = po.parse("t > a; t > b; a > c; b > c; b > d")
    errors = function(G, method="approximate").standard_error
    if function is po.expected_ranks:
        assert errors["t"] == 0
        assert all(math.isnan(errors[x]) for x in "abcd")
    elif function is po.rank_probabilities:
        for item, (best, worst) in po.rank_intervals(G).items():
            known = [not math.isnan(error) for error in errors[item]]
            assert known == [best == worst or not best <= r <= worst for r in range(1, 6)]
    else:
        for u, v in permutations(G, 2):
            said = po.prefers(G, u, v) or po.prefers(G, v, u)
            assert math.isnan(errors[u, v]) is not said
