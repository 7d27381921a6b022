"""Ensembles and abstention by their definitions: shares of members, cuts, thresholds, losses."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import Any

import networkx as nx
from hypothesis import strategies as st

import porank as po
from tests.support.oracles import Pairs, closure
from tests.support.strategies import item_lists

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


def prediction(shares: Degrees, alpha: Fraction) -> Pairs:
    """The closure of the pairs whose degree is at least alpha."""
    return closure(cut(shares, alpha))


def thresholds(shares: Degrees, least: Fraction | None) -> list[Fraction]:
    """The degrees that occur, and the smallest threshold, ascending."""
    return sorted({*shares.values(), *([] if least is None else [least])} - {Fraction(0)})


def decided_at(shares: Degrees, u: Any, v: Any, grid: Iterable[Fraction]) -> Fraction | None:
    """The highest threshold without a cycle whose closed cut prefers u to v."""
    return max(
        (
            alpha
            for alpha in grid
            if not has_cycle(cut(shares, alpha)) and (u, v) in prediction(shares, alpha)
        ),
        default=None,
    )


def agreement(target: Pairs, predicted: Pairs) -> tuple[int, int]:
    """How many pairs both decide alike, and how many in opposite directions."""
    return len(target & predicted), len({(v, u) for u, v in target} & predicted)


def area(points: Iterable[tuple[int, int]], target_pairs: int) -> Fraction:
    """The area under correctness over completeness, from (C, D) at ascending thresholds."""
    at = sorted(
        (Fraction(c + d, target_pairs), Fraction(c - d, c + d)) for c, d in points if c + d > 0
    )
    if not at:
        return Fraction(0)
    lines = pairwise([(Fraction(0), at[0][1]), *at])
    return sum(
        ((right - left) * (start + end) / 2 for (left, start), (right, end) in lines), Fraction(0)
    )


def loss(shares: Degrees, items: Sequence[Any], said: Pairs, cost: Fraction) -> Fraction:
    """The cost for each pair left open, 1 - P(a, b) for each pair a > b."""
    total = Fraction(0)
    for u, v in combinations(items, 2):
        if (u, v) in said:
            total += 1 - shares[u, v]
        elif (v, u) in said:
            total += 1 - shares[v, u]
        else:
            total += cost
    return total


def dropped(shares: Degrees, alpha: Fraction, first: Pairs | None = None) -> tuple[Pairs, Pairs]:
    """The pairs kept and those dropped from the highest degree down to alpha, equal ones together.

    A pair is dropped if its other item reaches its preferred one by what is kept and its equals.
    The pairs that come first are kept whatever their degree.
    """
    kept: Pairs = {*(first or ())}
    left_out: Pairs = set()
    for degree in sorted({share for share in shares.values() if share >= alpha}, reverse=True):
        equals = {pair for pair, share in shares.items() if share == degree} - (first or set())
        reached = closure(kept | equals)
        on_cycles = {(u, v) for u, v in equals if (v, u) in reached}
        left_out |= on_cycles
        kept |= equals - on_cycles
    return kept, left_out


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
