"""Ranks are read as ranks: 1 is the best, whoever reads them."""

import copy
import io
import math
import pickle
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.scores import Ranks, read_dictionaries, read_rows, read_scores, scores_as_floats
from porank.errors import GraphTypeError
from tests.support.refusals import refuses


def weak_orders(most: int) -> Iterator[nx.DiGraph]:
    """Yield each weak order of up to so many items."""
    for n in range(1, most + 1):
        for grades in product(range(n), repeat=n):
            if set(grades) == set(range(max(grades) + 1)):
                yield po.from_scores(dict(zip("abcd", grades, strict=False)))


def same(one: Any, other: Any) -> bool:
    """Return whether two orders have the same pairs and ties."""
    return po.format_order(one) == po.format_order(other)


def test_ranks_say_the_same_as_their_weak_order() -> None:
    count = 0
    for G in weak_orders(4):
        count += 1
        for ranks in (po.set_ranks(G), po.expected_ranks(G)):
            assert same(ranks, G)
            assert same(G, po.from_ranks(ranks))
            assert same(G, po.from_scores(ranks))
            if len(po.levels(G)) > 1:
                assert po.correctness(G, ranks) == po.correctness(ranks, G) == 1
                assert po.correctness(G, dict(ranks)) == -1
    assert count == 1 + 3 + 13 + 75


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda r: r.copy(), Ranks])
def test_ranks_survive_copies(copied: Any) -> None:
    ranks = po.set_ranks(po.parse("a > b > c"))
    for each in (copied(ranks), pickle.loads(pickle.dumps(ranks))):
        assert type(each) is Ranks
        assert each == {"a": 1, "b": 2, "c": 3} == dict(each)
    assert repr(ranks) == "{'a': 1, 'b': 2, 'c': 3}"


def test_readers_of_orders_read_ranks() -> None:
    G = po.parse("a > b > c ~ d")
    ranks = po.set_ranks(G)
    assert po.levels(ranks) == [["a"], ["b"], ["c", "d"]]
    assert po.maximal_items(ranks) == ["a"]
    assert same(po.dual(ranks), po.dual(G))
    assert po.restrict(ranks, "bc") == {"b": 2, "c": 3}
    assert same(po.restrict(ranks, "cb"), po.parse("b > c"))
    for missing in ("unordered", "below"):
        found = po.align(ranks, po.parse("e"), how="union", missing=missing)
        assert same(found[0], po.align(G, po.parse("e"), how="union", missing=missing)[0])
    assert po.kemeny([ranks]).cost == po.kemeny([G]).cost
    assert same(po.borda([ranks]).order(), G)
    assert same(po.predict_order(po.preference_relation([ranks])), po.parse("a > b > c; b > d"))
    assert same(po.intersection(ranks, ranks), G)
    assert next(po.linear_extensions(ranks))[:2] == ["a", "b"]
    evaluation = po.evaluate({1: ranks}, {1: G}, measures=["correctness", "ndcg"])
    assert [evaluation[name].tolist() for name in ("correctness", "ndcg")] == [[1], [1]]
    file = io.StringIO()
    po.write_ranks(ranks, file)
    assert file.getvalue() == "item,rank\na,1\nb,2\nc,3\nd,3\n"
    run = io.StringIO()
    po.write_trec_run({"q": ranks}, run)
    assert run.getvalue().splitlines()[0] == "q Q0 a 1 -1.0 porank"
    one, other = (po.simulate_log(order, 50, seed=0) for order in (ranks, G))
    assert all(np.array_equal(one[name], other[name]) for name in other)


def test_ranks_are_no_gains() -> None:
    G = po.parse("a > b > c")
    ranks = po.set_ranks(G)
    assert po.dcg(ranks, G) == po.dcg(G, G) != po.dcg(dict(ranks), G)
    predicted = {1: po.parse("b > a; c"), 2: {"a": 1}}
    found = po.evaluate({1: ranks, 2: {"a": 1}}, predicted, measures=["ndcg"])
    assert found["ndcg"].tolist() == [po.ndcg(G, predicted[1]), 1]
    refuses("found a graph or ranks", po.measures.ndcg_loss, ranks, G)


def test_ranks_of_all_kinds_of_numbers() -> None:
    for numbers in ([1, 2, 2], [1.5, 2.5, math.inf], [Decimal(1), Decimal(2), Decimal("2.5")]):
        assert po.levels(Ranks(zip("abc", numbers, strict=True)))[0] == ["a"]
    ranks = Ranks(a=np.uint8(1), b=np.uint8(2))
    assert po.dual(ranks) == {"a": 1, "b": 2}
    assert same(po.from_scores(ranks, tolerance=0.5), po.parse("a > b"))
    refuses("found nan for 'b'", po.levels, Ranks(a=1, b=math.nan))


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("igraph", "G.to_networkx(vertex_attr_hashable='name')"),
        ("rustworkx", "from_pairs((G[u], G[v]) for u, v in G.edge_list())"),
    ],
)
def test_graphs_of_other_libraries_name_the_call_that_converts_them(
    library: str, call: str
) -> None:
    foreign = type("PyDiGraph", (), {"__module__": f"{library}.graph", "is_directed": bool})()
    with pytest.raises(GraphTypeError) as caught:
        po.levels(foreign)
    assert str(caught.value).endswith(f"; {call} converts it")


#: Numbers of which some are equal, too large to be exact as a float, not ordered, or not real.
numbers = st.sampled_from([0, 1, 2, True, -0.0, 0.5, 1.0, math.inf, 2**53, -(2**63), 10**30])
numbers |= st.sampled_from([np.float64(0.5), Decimal(1), math.nan, "1"])


@given(
    st.lists(st.dictionaries(st.sampled_from(["a", "b", None, 1]), numbers), max_size=3),
    st.booleans(),
)
def test_many_orders_are_read_as_one_by_one(orders: Any, are_ranks: bool) -> None:
    orders = [Ranks(order) for order in orders] if are_ranks else orders
    if (rows := read_rows(orders)) is not None:
        for order, levels in zip(orders, rows[1].tolist(), strict=True):
            items, alone = read_scores(order)
            assert dict(zip(rows[0], levels, strict=True)) == dict(zip(items, alone, strict=True))
    if (columns := read_dictionaries(orders)) is not None:
        assert columns[0] == [item for order in orders for item in read_scores(order)[0]]
        assert columns[1].tolist() == [x for each in orders for x in scores_as_floats(each)]
    orders = [{"a": 2.0, "b": 1.0}, {"b": 5.0, "a": 5.0}]
    assert read_rows(orders)
    assert read_dictionaries(orders)
