"""The worked examples, as definitions.md and the papers have them."""

from __future__ import annotations

import networkx as nx
import pytest

from porank.errors import PorankError
from porank.generators.classic import load_example

TABLE_1 = {("A", "C"), ("A", "D"), ("A", "E"), ("C", "D"), ("B", "D")}
TABLE_1_PREDICTED = {("C", "A"), ("C", "B"), ("C", "D"), ("A", "E"), ("B", "E"), ("D", "E")}


def longest_paths(G: nx.DiGraph) -> dict[str, int]:
    """Return item -> the number of items on a longest path that ends in it."""
    ranks: dict[str, int] = {}
    for item in nx.topological_sort(G):
        ranks[item] = 1 + max((ranks[above] for above in G.predecessors(item)), default=0)
    return ranks


def test_table_1_as_printed() -> None:
    target, predicted = load_example("table1")
    assert list(target) == list(predicted) == list("ABCDE")
    assert set(target.edges) == TABLE_1
    assert set(predicted.edges) == TABLE_1_PREDICTED
    assert longest_paths(target) == {"A": 1, "B": 1, "C": 2, "D": 3, "E": 2}


def test_table_1_corrected() -> None:
    target, predicted = load_example("table1-corrected")
    assert set(target.edges) == TABLE_1 | {("B", "E")}
    assert set(predicted.edges) == TABLE_1_PREDICTED


def test_the_tutorial() -> None:
    target, predicted = load_example("tutorial")
    assert list(nx.topological_sort(target)) == list("EBCAD")
    assert list(nx.topological_sort(predicted)) == list("ABECD")
    ranks = longest_paths(target), longest_paths(predicted)
    assert [abs(ranks[0][item] - ranks[1][item]) for item in "ABCDE"] == [3, 0, 1, 0, 2]


def test_the_cyclic_votes() -> None:
    votes = load_example("cyclic-votes")
    closed = [nx.transitive_closure(vote) for vote in votes]
    for u, v in ("ab", "bc", "ca"):
        assert sum(G.has_edge(u, v) for G in closed) == 2
        assert sum(G.has_edge(v, u) for G in closed) == 1


def test_the_vehicles_end_with_what_the_customers_agree_on() -> None:
    *customers, agreed = load_example("vehicles")
    assert {frozenset(G) for G in customers} == {frozenset(["SUVs", "cars", "vans", "trucks"])}
    assert all(len(nx.transitive_closure(G).edges) == 6 for G in customers)
    common = set.intersection(*(set(nx.transitive_closure(G).edges) for G in customers))
    assert set(nx.transitive_closure(agreed).edges) == common


def test_each_call_makes_graphs_of_its_own() -> None:
    load_example("tutorial")[0].clear()
    assert len(load_example("tutorial")[0]) == 5


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(
        PorankError, match=r"one of 'table1', 'table1-corrected', .*'vehicles', found 'x'"
    ):
        load_example("x")
