"""Ensembles by their definitions: shares of members, cuts, the smallest threshold, tried out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import networkx as nx
from hypothesis import strategies as st

import porank as po
from tests.oracles import closure
from tests.strategies import item_lists

Degrees = dict[tuple[Any, Any], Fraction]


def wins(members: Sequence[nx.DiGraph], u: Any, v: Any) -> int:
    """How many members prefer u to v."""
    return sum((u, v) in closure(member.edges) for member in members)


def degrees(members: Sequence[nx.DiGraph], *, ties: str) -> Degrees:
    """The share of the members that prefer u to v, with half of those that leave it open."""
    k = len(members)
    shares = {}
    for u, v in permutations(members[0], 2):
        open_pairs = k - wins(members, u, v) - wins(members, v, u)
        credit = Fraction(open_pairs, 2) if ties == "half" else 0
        shares[u, v] = (wins(members, u, v) + credit) / Fraction(k)
    return shares


def cut(shares: Degrees, alpha: Fraction) -> set[tuple[Any, Any]]:
    """The pairs whose degree is at least alpha."""
    return {pair for pair, degree in shares.items() if degree >= alpha}


def has_cycle(edges: set[tuple[Any, Any]]) -> bool:
    """Some item reaches itself."""
    return any(u == v for u, v in closure(edges))


def minimal_threshold(shares: Degrees, grid: Sequence[Fraction]) -> Fraction | None:
    """The first threshold of an ascending grid whose cut has no cycle."""
    return next((alpha for alpha in grid if not has_cycle(cut(shares, alpha))), None)


@st.composite
def relations(draw: st.DrawFn, *, max_items: int = 5) -> po.PreferenceRelation:
    """A relation of members, or by hand and of few degrees, so that many of them are equal."""
    items = draw(item_lists(max_items=max_items))
    if draw(st.booleans()):
        eighths = {pair: draw(st.integers(0, 8)) for pair in combinations(items, 2)}
        shares = {pair: Fraction(number, 8) for pair, number in eighths.items()}
        return po.PreferenceRelation.from_degrees(shares, draw(st.permutations(items)))
    members = [
        {item: draw(st.integers(0, 3)) for item in items} for _ in range(draw(st.integers(1, 6)))
    ]
    return po.preference_relation(members, ties=draw(st.sampled_from(["none", "half"])))
