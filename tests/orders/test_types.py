"""What an order is: every type by definition, with its witness; its dimension; and at a glance."""

import math
from itertools import combinations, pairwise, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import as_graph
from porank.core.graphs import item_key
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import SMALL_ORDERS, on_graphs, on_orders, reinserted, shapes_of

TYPES = ["cyclic", "partial", "interval", "semiorder", "weak", "total"]
#: Each test, and the widest type of which it is true.
TESTS = {
    po.is_acyclic: "partial",
    po.is_interval_order: "interval",
    po.is_semiorder: "semiorder",
    po.is_weak_order: "weak",
    po.is_total_order: "total",
}


def first_by_key(patterns: list[tuple[Any, ...]], sequence: str) -> tuple[Any, ...] | None:
    """The first pattern when its items, named a, b, c, d, are compared in the given sequence."""

    def key(pattern: tuple[Any, ...]) -> list[tuple[str, str]]:
        items = [item for part in pattern for item in part]
        return [item_key(items["abcd".index(letter)]) for letter in sequence]

    return min(patterns, key=key, default=None)


@on_orders(max_items=6)
def test_orders_by_definition(G: nx.DiGraph) -> None:
    kind, said = oracles.order_type(G), oracles.closure(G.edges)
    assert po.order_type(G) == kind
    for test, widest in TESTS.items():
        assert test(G) is (TYPES.index(kind) >= TYPES.index(widest))
    assert po.orders.find_two_plus_two(G) == first_by_key(list(oracles.two_plus_twos(G)), "acbd")
    assert po.orders.find_three_plus_one(G) == first_by_key(
        list(oracles.three_plus_ones(G)), "bdac"
    )
    if kind == "partial":
        refuses("found the 2", po.interval_representation, G, error=po.errors.NotApplicableError)
        return
    found = po.interval_representation(G)
    assert list(found) == list(G)
    for u, v in product(G, repeat=2):
        assert (found[u][0] > found[v][1]) == ((u, v) in said)
    lows, highs = {low for low, _ in found.values()}, {high for _, high in found.values()}
    assert lows == highs == set(range(len(lows))), "as few numbers as can be"
    assert all(type(end) is int for ends in found.values() for end in ends)
    assert all(low <= high for low, high in found.values())


#: The lengths of the chains that show that an order is of no narrower type.
WITNESSES = {
    "partial": (2, 2),
    "interval": (3, 1),
    "semiorder": (2, 1),
    "weak": (1, 1),
    "total": (),
}


@on_graphs()
def test_a_witness_shows_that_an_order_is_of_no_narrower_type(G: nx.DiGraph) -> None:
    kind, chains = po.order_type(G, witness=True)
    assert kind == po.order_type(G)
    if kind == "cyclic":
        assert chains == (tuple(po.find_cycle(G) or ()),)
        return
    assert tuple(map(len, chains)) == WITNESSES[kind]
    assert all(pair in oracles.closure(G.edges) for chain in chains for pair in pairwise(chain))
    pairs = product(*chains) if chains else []
    assert all(oracles.are_unordered(oracles.closure(G.edges), u, v) for u, v in pairs)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=7))
@example([(8, 0), (5, 0), (2, 0), (1, 9)])
def test_interval_orders_by_definition(spans: list[tuple[int, int]]) -> None:
    G = po.from_intervals({k: (low, low + length) for k, (low, length) in enumerate(spans)})
    assert po.order_type(G) == oracles.order_type(G)
    assert po.orders.find_three_plus_one(G) == first_by_key(
        list(oracles.three_plus_ones(G)), "bdac"
    )


@on_graphs()
def test_graphs_at_a_glance(G: nx.DiGraph) -> None:
    summary, kind = po.describe(G), oracles.order_type(G)
    n, said = len(G), oracles.closure(G.edges)
    assert (summary.type, summary.items, summary.edges) == (kind, n, G.number_of_edges())
    assert summary.components == len(list(nx.weakly_connected_components(G)))
    assert summary.ties == 0
    if kind == "cyclic":
        assert not any(test(G) for test in TESTS)
        assert summary.pairs is summary.comparable is summary.height is None
        assert summary.cycle == tuple(po.find_cycle(G) or ())
        assert summary.cyclic_components == sum(
            len(members) > 1 or G.has_edge(*[*members] * 2)
            for members in nx.strongly_connected_components(G)
        )
    else:
        assert (summary.pairs, summary.height) == (len(said), oracles.longest_chain(G))
        assert (summary.cyclic_components, summary.cycle) == (0, None)
        share = 2 * len(said) / (n * (n - 1)) if n > 1 else math.nan
        assert summary.comparable == pytest.approx(share, nan_ok=True)
        assert (summary.lattice, summary.graded) == (po.is_lattice(G), po.is_graded(G))


def test_scores_are_what_their_graph_is() -> None:
    forms: list[Any] = [{}, [1, 1, 1], np.array([3, 1, 1, 2])]
    for scores in forms:
        G = as_graph(scores)
        assert repr(po.describe(scores)) == repr(po.describe(G))
        for test in TESTS:
            assert test(scores) == test(G)
        assert po.order_type(scores, witness=True) == po.order_type(G, witness=True)
        assert po.interval_representation(scores) == po.interval_representation(G)


def test_the_dimension_up_to_a_hundred_items() -> None:
    cube = po.boolean_lattice(3)
    known: list[tuple[Any, str | None]] = [
        (po.chain(3), "1"),
        (po.chain(0), "1"),
        (dict.fromkeys(range(101), 0), "2"),
        (po.boolean_lattice(2), "2"),
        (crown(4, 0), "4"),
        (nx.disjoint_union(cube, po.antichain(4)), "3"),
        (nx.disjoint_union(cube, po.antichain(5)), "3 or more"),
        (nx.disjoint_union(cube, po.antichain(92)), "3 or more"),
        (nx.disjoint_union(cube, po.antichain(93)), None),
        (nx.DiGraph(["ab", "ba"]), None),
    ]
    for G, dimension in known:
        assert po.describe(G).dimension == dimension
        assert ("dimension" in str(po.describe(G))) is (dimension is not None)
        is_small = len(G) <= 100 and po.is_acyclic(G) if isinstance(G, nx.DiGraph) else False
        assert (po.describe(G).lattice is not None) is is_small
        assert (po.describe(G).graded is not None) is is_small


def is_two_dimensional(G: nx.DiGraph) -> bool:
    """Try all rankings that keep the order: the other one must turn all that is incomparable."""
    above = set(po.transitive_closure(G).edges)
    for ranking in po.linear_extensions(G):
        before = combinations(ranking, 2)
        other = above | {(v, u) for u, v in before if (u, v) not in above}
        if all((u, w) in other for u, v in other for x, w in other if v == x):
            return True
    return False


def require_right(G: nx.DiGraph) -> bool:
    """Compare all three functions with brute force, and each proof with what it proves."""
    expected, closed = is_two_dimensional(G), po.transitive_closure(G)
    realizer, chain = po.find_realizer(G), po.find_forced_contradiction(G)
    assert po.is_two_dimensional(G) is expected
    assert (realizer is None, chain is None) == (not expected, expected)
    if realizer is not None:
        both = po.intersection(*map(po.from_ranking, realizer))
        assert set(po.transitive_closure(both).edges) == set(closed.edges)
    if chain is not None:
        # Each pair is incomparable and forces the next, and the last is the first turned round.
        comparable = closed.to_undirected(as_view=True).has_edge
        assert chain[-1] == chain[0][::-1]
        assert not any(comparable(*pair) for pair in chain)
        for (a, b), (c, d) in pairwise(chain):
            assert (a == c and comparable(b, d)) or (b == d and comparable(a, c))
    return expected


def test_small_orders_have_two_dimensions_and_standard_examples_more() -> None:
    assert all(map(require_right, SMALL_ORDERS))
    for n in (3, 4):
        # S_n: a_i is above b_j for all i != j.
        assert not require_right(
            nx.DiGraph((("a", i), ("b", j)) for i, j in permutations(range(n), 2))
        )


@given(st.integers(0, 2**32), st.integers(1, 3))
def test_the_dimension_of_random_orders_has_its_realizer(seed: int, dimension: int) -> None:
    assert require_right(po.random_order(7, dimension=dimension, seed=seed)) or dimension == 3


def crown(n: int, k: int) -> nx.DiGraph:
    """Trotter's crown: on a circle, a_i is above all b_j but those from i to i + k."""
    m = n + k
    around = product(range(m), repeat=2)
    return nx.DiGraph((("a", i), ("b", j)) for i, j in around if (j - i) % m > k)


def test_the_dimension_of_known_orders() -> None:
    """Products of chains, and crowns: 2(n + k) / (k + 2), rounded up (Trotter 1974)."""
    known = {n: po.boolean_lattice(n) for n in range(1, 6)} | {
        3: po.divisor_lattice(2**2 * 3**2 * 5)
    }
    orders = [(dimension, G) for dimension, G in known.items()]
    orders += [(-(-2 * (n + k) // (k + 2)), crown(n, k)) for n in (3, 4, 5) for k in (0, 1, 2, 3)]
    for dimension, G in orders:
        assert po.dimension(G) == dimension
        assert po.find_realizer(G, size=dimension - 1 or 1) is None or dimension == 1


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_a_realizer_of_each_size_or_none(seed: int, size: int) -> None:
    G = po.random_order(8, dimension=3, seed=seed)
    found = po.find_realizer(G, size=size)
    assert (found is None) is (size < po.dimension(G))
    if found is not None:
        assert len(found) == size
        assert (
            po.intersection(*map(po.from_ranking, found)).edges == po.transitive_reduction(G).edges
        )


@on_orders(shapes=5)
def test_the_dimension_of_small_orders(G: nx.DiGraph) -> None:
    """The fewest linear extensions, of all of them, whose intersection is the order."""
    said = oracles.closure(G.edges)
    before = [set(combinations(line, 2)) for line in po.linear_extensions(G)]
    if len(before) < 100:
        sizes = (
            k
            for k in (1, 2, 3)
            for some in combinations(before, k)
            if set.intersection(*some) == said
        )
        assert po.dimension(G) == next(sizes)


def test_too_many_critical_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.orders.dimension._MOST_CRITICAL", 2)
    assert po.dimension(po.antichain(5)) == 2
    refuses("at most 2 critical pairs to search, found 3", po.dimension, po.boolean_lattice(3))


def test_neither_the_sequence_of_items_nor_of_edges_matters() -> None:
    G = po.random_order(30, dimension=2, seed=1)
    assert po.find_realizer(G) == po.find_realizer(reinserted(G))


def ns_of(G: nx.DiGraph) -> list[tuple[Any, ...]]:
    """Every N by definition: a > c, b > c, b > d, and no other preference."""
    said = oracles.closure(G.edges)
    return [
        (a, b, c, d)
        for a, b, c, d in permutations(G, 4)
        if oracles.restriction(said, {a, b, c, d}) == {(a, c), (b, c), (b, d)}
    ]


@on_orders(max_items=6, shapes=5)
def test_an_n_by_definition(G: nx.DiGraph) -> None:
    found = po.orders.find_n(G)
    assert (found is None) is (ns_of(G) == []) is po.is_series_parallel(G)
    first = first_by_key([(items,) for items in ns_of(G)], "abdc")
    assert found == (first and first[0])


def is_made_by_sums(G: nx.DiGraph) -> bool:
    """An order that falls apart, side by side or one part above the other, into such orders."""
    comparable = nx.Graph(po.transitive_closure(G).edges)
    comparable.add_nodes_from(G)
    for parts in map(nx.connected_components, (comparable, nx.complement(comparable))):
        if len(restricted := [po.restrict(G, part) for part in parts]) > 1:
            return all(map(is_made_by_sums, restricted))
    return len(G) <= 1


@pytest.mark.slow
def test_series_parallel_orders_are_those_made_by_sums() -> None:
    """All orders of up to six items; OEIS A003430."""
    numbers = []
    for n in range(7):
        shapes = shapes_of(n)
        found = [G for G in shapes if po.is_series_parallel(G)]
        assert found == [G for G in shapes if is_made_by_sums(G)]
        numbers.append(len(found))
    assert numbers == [1, 1, 2, 5, 15, 48, 167]
    assert not po.is_series_parallel(po.parse("a > b > a"))
