"""Aggregation by its definition: distances pair by pair, the best by trying all orders.

An order is a set of pairs (u, v), u preferred to v, closed. A member comes with its count.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import networkx as nx
from hypothesis import strategies as st

from tests.support.oracles import Pairs, closure, graph_on, strict_orders
from tests.support.strategies import item_lists

HALF = Fraction(1, 2)
Members = list[tuple[Pairs, int]]


def ranked(items: Sequence[Any]) -> Pairs:
    """(u, v) for every u before v."""
    return set(combinations(items, 2))


def members_of(orders: Sequence[nx.DiGraph], counts: Sequence[int] | None = None) -> Members:
    """The closure of each order, with its count."""
    return list(zip(map(pairs_of_graph, orders), counts or [1] * len(orders), strict=True))


def pairs_of_graph(G: nx.DiGraph) -> Pairs:
    """What a graph says."""
    return closure(G.edges)


def verdict(order: Pairs, u: Any, v: Any) -> int:
    """1 if u is preferred to v, -1 if v is preferred to u, 0 if neither."""
    return ((u, v) in order) - ((v, u) in order)


def one(_u: Any, _v: Any) -> int:
    """Every pair counts once."""
    return 1


def distance(
    items: Sequence[Any], order: Pairs, other: Pairs, weigh: Callable[[Any, Any], Any] = one
) -> Any:
    """Half the difference of the verdicts, summed over pairs."""
    return sum(
        HALF * abs(verdict(order, u, v) - verdict(other, u, v)) * weigh(u, v)
        for u, v in combinations(items, 2)
    )


def cost(
    items: Sequence[Any], members: Members, order: Pairs, weigh: Callable[[Any, Any], Any] = one
) -> Any:
    """The sum of the distances to the members."""
    return sum(count * distance(items, member, order, weigh) for member, count in members)


def least_total(
    items: Sequence[Any], members: Members, weigh: Callable[[Any, Any], Any] = one
) -> tuple[Any, list[Any]]:
    """The least cost of a total order, and the first order that has it."""
    return min(
        ((cost(items, members, ranked(line), weigh), list(line)) for line in permutations(items)),
        key=lambda found: found[0],
    )


def least_of_all(members: Members, n: int) -> Any:
    """The least cost of any strict partial order of 0..n-1."""
    return min(cost(range(n), members, set(order.edges)) for order in strict_orders(n))


def wins(members: Members, u: Any, v: Any) -> int:
    """How many members prefer u to v."""
    return sum(count for member, count in members if (u, v) in member)


def position(items: Sequence[Any], order: Pairs, item: Any) -> Fraction:
    """(n + 1) / 2 and half of what is above less what is below."""
    above = sum((other, item) in order for other in items)
    below = sum((item, other) in order for other in items)
    return Fraction(len(items) + 1 + above - below, 2)


def footrule(items: Sequence[Any], order: Pairs, other: Pairs) -> Fraction:
    """How far items are moved in all."""
    return sum(
        (abs(position(items, order, i) - position(items, other, i)) for i in items), Fraction()
    )


def proven(found: Any) -> Any:
    """What an aggregate says that no order costs less than."""
    assert found.gap is not None
    return found.cost - found.gap


def footrule_cost(items: Sequence[Any], members: Members, order: Pairs) -> Fraction:
    """The sum of the footrule distances to the members."""
    return sum((count * footrule(items, member, order) for member, count in members), Fraction())


@st.composite
def ensembles(
    draw: st.DrawFn, *, max_items: int = 5, max_members: int = 4
) -> tuple[list[nx.DiGraph], list[int]]:
    """Partial, weak or total orders of the same items, in sequences of their own, with counts."""
    items = draw(item_lists(max_items=max_items))
    graphs = []
    for _ in range(draw(st.integers(1, max_members))):
        pairs = list(combinations(draw(st.permutations(items)), 2))
        kind = draw(st.sampled_from(["partial", "weak", "total"]))
        if kind == "partial" and pairs:
            pairs = draw(st.lists(st.sampled_from(pairs), unique=True))
        elif kind == "weak":
            level = {item: draw(st.integers(0, 2)) for item in items}
            pairs = [(u, v) for u in items for v in items if level[u] < level[v]]
        graphs.append(graph_on(draw(st.permutations(items)), pairs))
    counts = [draw(st.integers(1, 3)) for _ in graphs]
    return graphs, counts
