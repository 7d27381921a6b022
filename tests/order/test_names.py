"""The sequence in which items and edges were inserted has no say, draws and rounding included."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.core.graphs import item_key
from porank.orders.ranks import sorted_by_name
from tests.strategies import orders

if TYPE_CHECKING:
    from collections.abc import Callable

HARD = po.random_order(24, edge_probability=0.12, seed=2)


def drawn(G: Any, **options: Any) -> list[list[Any]]:
    return list(po.random_linear_extensions(G, 5, seed=7, **options))


def figures(function: Callable[..., Any], G: Any, **options: Any) -> dict[Any, Any]:
    """Figures and errors to the last digit, and as text: one nan does not equal another."""
    found = function(G, seed=7, samples=20, **options)
    return {key: (repr(found[key]), repr(found.standard_error[key])) for key in found}


def ways() -> dict[str, Callable[[Any], Any]]:
    """Everything that draws or rounds, by name."""
    named: dict[str, Callable[[Any], Any]] = {
        "draws from ideals": partial(drawn, method="ideals"),
        "draws by coins": partial(drawn, method="perfect"),
        "estimate": partial(po.estimate_linear_extensions, samples=20, max_ideals=40, seed=7),
    }
    for function in (po.rank_probabilities, po.expected_ranks, po.mutual_rank_probabilities):
        for method in ("exact", "sample", "approximate"):
            ask = partial(figures, function, method=method)
            named[f"{function.__name__}, {method}"] = ask
    coins = partial(figures, po.rank_probabilities, method="sample", max_ideals=1)
    return named | {"rank_probabilities, coins": coins}


def shuffled_graph(G: nx.DiGraph, seed: int) -> nx.DiGraph:
    """The same order, items and edges inserted in another sequence, and other edges implied."""
    rng = np.random.default_rng(seed)
    items, edges = list(G), list(nx.transitive_closure(G).edges)
    implied = set(edges) - set(nx.transitive_reduction(G).edges)
    H = nx.DiGraph()
    H.add_nodes_from(items[k] for k in rng.permutation(len(items)))
    kept = [edges[k] for k in rng.permutation(len(edges))]
    H.add_edges_from(edge for edge in kept if edge not in implied or rng.random() < 0.5)
    return H


@pytest.mark.parametrize("name", ways())
def test_insertion_has_no_say(name: str) -> None:
    """With an integer as seed, draws once depended on the sequence of the items."""
    ask = ways()[name]
    wanted = ask(HARD)
    for seed in range(3):
        assert ask(shuffled_graph(HARD, seed)) == wanted


@given(orders(max_items=6), st.integers(0, 1000))
@settings(max_examples=20)
def test_insertion_has_no_say_on_any_order(G: nx.DiGraph, seed: int) -> None:
    for ask in (drawn, partial(figures, po.mutual_rank_probabilities, method="sample")):
        assert ask(shuffled_graph(G, seed)) == ask(G)


def test_levels_are_drawn_from_alike() -> None:
    scores = {"b": 1, "a": 1, "c": 2, "d": 1}
    turned = dict(reversed(scores.items()))
    assert drawn(scores) == drawn(turned) == drawn(po.from_scores(turned))


@given(orders())
def test_the_order_sorted_by_name_is_the_same_order(G: nx.DiGraph) -> None:
    order = compile_order(G)
    named, numbers = sorted_by_name(order)
    assert list(named.items) == sorted(G, key=item_key)
    assert [order.items[number] for number in numbers.tolist()] == list(named.items)
    assert np.array_equal(named.matrix(), order.matrix()[np.ix_(numbers, numbers)])
    assert named.layers.tolist() == order.layers[numbers].tolist()
    assert sorted_by_name(order)[0] is named
