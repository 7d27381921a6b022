"""What an order is: every test against its definition, with its witness."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from porank.core.graphs import item_key
from porank.errors import NotApplicableError
from porank.orders.cycles import is_acyclic
from porank.orders.types import (
    find_three_plus_one,
    find_two_plus_two,
    interval_representation,
    is_interval_order,
    is_semiorder,
    is_total_order,
    is_weak_order,
    order_type,
)
from tests import oracles
from tests.strategies import orders

TESTS = [is_acyclic, is_total_order, is_weak_order, is_semiorder, is_interval_order]


def first_by_key(patterns: list[tuple[Any, ...]], sequence: str) -> tuple[Any, ...] | None:
    """The first pattern when its items, named a, b, c, d, are compared in the given sequence."""
    letters = {letter: place for place, letter in enumerate("abcd")}

    def key(pattern: tuple[Any, ...]) -> list[tuple[str, str]]:
        items = [item for part in pattern for item in part]
        return [item_key(items[letters[letter]]) for letter in sequence]

    return min(patterns, key=key, default=None)


def check(G: nx.DiGraph) -> None:
    kind = oracles.order_type(G)
    names = ["partial", "interval", "semiorder", "weak", "total"]
    assert order_type(G) == kind
    assert is_acyclic(G) == (kind != "cyclic")
    expected = [kind in names[names.index(name) :] for name in ("total", "weak", "semiorder")]
    assert [is_total_order(G), is_weak_order(G), is_semiorder(G)] == expected
    assert is_interval_order(G) == (kind in names[1:])
    if kind == "cyclic":
        return
    assert find_two_plus_two(G) == first_by_key(list(oracles.two_plus_twos(G)), "acbd")
    assert find_three_plus_one(G) == first_by_key(list(oracles.three_plus_ones(G)), "bdac")
    if kind != "partial":
        check_intervals(G)


def check_intervals(G: nx.DiGraph) -> None:
    found = interval_representation(G)
    assert list(found) == list(G)
    said = oracles.closure(G.edges)
    for u in G:
        for v in G:
            assert (found[u][0] > found[v][1]) == ((u, v) in said)
    lows, highs = {low for low, _ in found.values()}, {high for _, high in found.values()}
    assert lows == highs == set(range(len(lows))), "as few numbers as can be"
    assert all(
        type(end) is int and low <= high for low, high in found.values() for end in (low, high)
    )


@pytest.mark.parametrize("n", range(5))
def test_all_small_orders(n: int) -> None:
    for G in oracles.strict_orders(n):
        check(G)


@pytest.mark.parametrize("n", range(4))
def test_all_small_graphs(n: int) -> None:
    for G in oracles.digraphs(n):
        check(G)


@given(orders(max_items=6))
def test_random_orders(G: nx.DiGraph) -> None:
    check(G)


def test_scores() -> None:
    assert order_type({"a": 1, "b": 2}) == "total"
    assert order_type(np.array([1, 1, 0])) == "weak"
    assert [test([3, 1, 1]) for test in TESTS] == [True, False, True, True, True]
    assert find_two_plus_two([1, 2, 2]) is None
    assert interval_representation({"a": 5, "b": 7, "c": 5}) == {
        "a": (0, 0),
        "b": (1, 1),
        "c": (0, 0),
    }


def test_no_interval_order_names_its_two_chains() -> None:
    with pytest.raises(NotApplicableError, match="found 'a' > 'b' and 'c' > 'd' side by side"):
        interval_representation(nx.DiGraph(["ab", "cd"]))


def test_a_large_semiorder_and_a_large_interval_order() -> None:
    rng = np.random.default_rng(0)
    place = np.sort(rng.random(120))
    threshold = nx.DiGraph(np.argwhere(place[:, None] - place[None, :] > 0.2).tolist())
    assert order_type(threshold) == "semiorder"
    width = rng.random(120)
    spans = nx.DiGraph(np.argwhere(place[:, None] > (place + width)[None, :]).tolist())
    assert order_type(spans) == "interval"
    assert find_three_plus_one(spans) is not None
