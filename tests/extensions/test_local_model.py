"""The local partial order model, set by set, and where it is exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import porank as po
from tests import oracles_positions
from tests.extensions.test_rank_probabilities import FUNCTIONS, flat, functions
from tests.strategies import orders


@given(orders(max_items=7))
def test_the_local_model_has_the_published_ranks(G: nx.DiGraph) -> None:
    found = po.expected_ranks(G, method="approximate")
    wanted = oracles_positions.local_model_ranks(G)
    assert all(found[x] == pytest.approx(float(wanted[x]), abs=1e-9) for x in G)


def test_the_local_model_is_exact_beside_a_chain() -> None:
    one, two = po.parse("a > b > c > d; x"), po.parse("a > b; x > y > z")
    # Of two chains the ranks are exact and how far they spread, but not the mutual probabilities.
    for function, G in [*product(FUNCTIONS, [one]), *product(FUNCTIONS[:2], [two])]:
        exact = [float(value) for value in flat(function(G, exact=True))]
        assert flat(function(G, method="approximate")) == pytest.approx(exact, abs=1e-12)


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


def test_the_local_model_is_near_on_random_orders() -> None:
    for seed in range(5):
        G = po.random_order(12, edge_probability=0.15, seed=seed)
        exact, found = (
            po.mutual_rank_probabilities(G),
            po.mutual_rank_probabilities(G, method="approximate"),
        )
        assert np.mean(np.abs(np.subtract(flat(exact), flat(found)))) < 0.06
        exact_ranks, ranks = po.expected_ranks(G), po.expected_ranks(G, method="approximate")
        assert np.mean(np.abs(np.subtract(flat(exact_ranks), flat(ranks)))) < 0.5
