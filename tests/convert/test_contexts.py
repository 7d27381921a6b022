"""Concept lattices against their definition."""

from itertools import combinations, permutations
from typing import TypeAlias

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.support import oracles
from tests.support.refusals import refuses
from tests.support.strategies import on_orders

Context: TypeAlias = dict[str, set[str]]


@st.composite
def contexts(draw: st.DrawFn) -> Context:
    objects = draw(st.lists(st.sampled_from("abcdef"), unique=True))
    return {x: draw(st.sets(st.sampled_from("pqrst"))) for x in objects}


def concepts_by_definition(context: Context) -> set[tuple[frozenset[str], frozenset[str]]]:
    """Return each set of objects that is all that share what it shares, with that."""
    attributes = frozenset().union(*context.values())
    found = set()
    for size in range(len(context) + 1):
        for some in combinations(context, size):
            shared = attributes.intersection(*(context[x] for x in some))
            found.add((frozenset(x for x in context if shared <= context[x]), shared))
    return found


@given(contexts())
def test_the_lattice_is_that_of_the_definition(context: Context) -> None:
    G = po.concept_lattice(context)
    concepts = {(frozenset(extent), frozenset(intent)) for extent, intent in G}
    assert concepts == concepts_by_definition(context)
    wider = nx.DiGraph([(u, v) for u in G for v in G if set(u[0]) > set(v[0])])
    wider.add_nodes_from(G)
    assert set(G.edges) == set(nx.transitive_reduction(wider).edges)
    objects = [x for _, own in G.nodes(data="objects") for x in own]
    names = [x for _, own in G.nodes(data="names") for x in own]
    assert sorted(objects) == sorted(context)
    assert sorted(names) == sorted(set().union(*context.values()))
    for (_, intent), own in G.nodes(data="objects"):
        assert all(context[x] == set(intent) for x in own)


def test_as_many_concepts_as_allowed() -> None:
    context = {x: [y for y in "abcd" if y != x] for x in "abcd"}
    assert len(po.concept_lattice(context, max_concepts=16)) == 16
    refuses("at most 15 concepts", po.concept_lattice, context, max_concepts=15)


@on_orders(max_items=6, shapes=5)
def test_the_completion_of_an_order_by_definition(G: nx.DiGraph) -> None:
    """A lattice with the order in it, of which each item is a join and a meet of given ones."""
    L = po.macneille_completion(G)
    said = oracles.closure(L.edges)
    assert po.is_lattice(L)
    assert set(L.edges) == oracles.reduction(said)
    assert oracles.restriction(said, set(G)) == oracles.closure(G.edges)
    for item in L:
        below = [x for x in G if x == item or (item, x) in said]
        above = [x for x in G if x == item or (x, item) in said]
        assert po.join(L, *below) == po.meet(L, *above) == item
        assert item in G or item == tuple(x for x in G if (item, x) in oracles.reduction(said))
    if po.is_lattice(G) and len(G):
        assert set(L) == set(G)


def test_the_completion_of_an_antichain_and_of_a_standard_example() -> None:
    assert list(po.macneille_completion(po.antichain(2))) == [(0, 1), 0, 1, ()]
    # S_4: a_i is above all b_j but b_i; its completion is the Boolean lattice.
    standard = nx.DiGraph((("a", i), ("b", j)) for i, j in permutations(range(4), 2))
    assert po.is_isomorphic(po.macneille_completion(standard), po.boolean_lattice(4))
    refuses("at most 15 concepts", po.macneille_completion, standard, max_concepts=15)


def test_bad_input_is_refused_in_words() -> None:
    for x in (3, ["ab"], {"a": "pq"}, {"a": 1}):
        refuses("object -> its attributes", po.concept_lattice, x)
