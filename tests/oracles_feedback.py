"""Simulated clicks in closed form, and net preferences and their evidence by definition.

A list is a sequence of strengths, the top first; v0 is the strength of clicking nothing. By the
model of Plackett and Luce the first of some options is each with probability in proportion to its
strength, whatever other options there are. Nothing here knows how porank computes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import log, nan
from typing import Any

import networkx as nx

from tests.oracles_clicks import Pairs, Row


def reach(strengths: Sequence[int], v0: int) -> list[Fraction]:
    """Probability that the cascade reaches each position: nothing is above all items before."""
    return [
        Fraction(v0, v0 + sum(strengths[:place])) if place else Fraction(1)
        for place in range(len(strengths))
    ]


def cascade_clicks(strengths: Sequence[int], v0: int) -> list[Fraction]:
    """Probability of a click at each position: this one is reached and the next one is not."""
    reached = reach([*strengths, 0], v0)
    return [here - below for here, below in pairwise(reached)]


def position_clicks(
    strengths: Sequence[int], v0: int, examination: Sequence[Fraction]
) -> list[Fraction]:
    """Probability of a click at each position: it is looked at, and better than nothing."""
    return [e * Fraction(v, v + v0) for v, e in zip(strengths, examination, strict=True)]


def position_purchases(
    strengths: Sequence[int], v0: int, examination: Sequence[Fraction], purchase: Fraction
) -> list[Fraction]:
    """Probability of a purchase at each position: it is the first of all that is looked at."""
    total = [Fraction(0)] * len(strengths)
    for looked in product((False, True), repeat=len(strengths)):
        chance = Fraction(1)
        for sees, share in zip(looked, examination, strict=True):
            chance *= share if sees else 1 - share
        seen = v0 + sum(v for v, sees in zip(strengths, looked, strict=True) if sees)
        for place, sees in enumerate(looked):
            if sees:
                total[place] += chance * purchase * Fraction(strengths[place], seen)
    return total


def evidence(G: nx.DiGraph) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield (u, v, support, against) for each ordered pair of different items in turn."""
    for u, v in product(G, repeat=2):
        if u != v and G.has_edge(u, v):
            yield u, v, G.edges[u, v]["support"], G.edges[u, v]["against"]
        elif u != v and G.has_edge(v, u):
            yield u, v, G.edges[v, u]["against"], G.edges[v, u]["support"]


def net_pairs(G: nx.DiGraph, min_support: Any = 0, min_margin: Any = 0) -> set[tuple[Any, Any]]:
    """Return the pairs with more support than opposition, and enough of it."""
    return {
        (u, v)
        for u, v, support, against in evidence(G)
        if support > against and support >= min_support and support - against >= min_margin
    }


def degree(G: nx.DiGraph, u: Any, v: Any, prior: Any = 0) -> Fraction:
    """Return the share of the sessions that say u > v among those that compare the two."""
    for x, y, support, against in evidence(G):
        if (x, y) == (u, v) and support + against > 0:
            total = Fraction(support) + Fraction(against)
            return (Fraction(support) + Fraction(prior)) / (total + 2 * Fraction(prior))
    return Fraction(0)


def figures(support: Mapping[tuple[Any, Any], Any], items: Sequence[Any]) -> dict[str, Any]:
    """Return the numbers of a report on (preferred, other) -> support."""
    compared = {frozenset(pair) for pair in support}
    both = [pair for pair in support if pair[::-1] in support]
    return {
        "pairs": len(compared),
        "contradictions": len(both) // 2,
        "evenly_split": sum(support[u, v] == support[v, u] for u, v in both) // 2,
        "never_compared": tuple(x for x in items if not any(x in pair for pair in compared)),
    }


def units_of(rows: Sequence[Row], unit: str) -> dict[Any, list[list[Row]]]:
    """Return unit -> its sessions, each a list of rows, in the sequence of their labels."""
    sessions: dict[Any, list[Row]] = {}
    for row in rows:
        sessions.setdefault(row["session"], []).append(row)
    units: dict[Any, list[list[Row]]] = {}
    for session in sessions.values():
        units.setdefault(session[0][unit], []).append(session)
    if len(set(map(type, units))) == 1:
        return {label: units[label] for label in sorted(units)}
    return {
        label: units[label]
        for label in sorted(units, key=lambda label: (type(label).__name__, repr(label)))
    }


def net_wins(
    rows: Sequence[Row], rule: Callable[[list[Row]], Pairs], unit: str, draws: Sequence[Any]
) -> dict[tuple[Any, Any], int]:
    """Return in how many samples of units u is net preferred to v; a sample is a list of places."""
    units = list(units_of(rows, unit).values())
    wins: Counter[tuple[Any, Any]] = Counter()
    for drawn in draws:
        said = Counter(pair for place in drawn for s in units[place] for pair in rule(s))
        wins.update((u, v) for u, v in said if said[u, v] > said[v, u])
    return wins


def judged(order: nx.DiGraph, said: Mapping[tuple[Any, Any], int]) -> list[float]:
    """Return completeness and correctness of a closed order on statements, then both by pairs."""
    agreed = {pair: count * order.has_edge(*pair) for pair, count in said.items()}
    opposed = {pair: count * order.has_edge(*pair[::-1]) for pair, count in said.items()}
    found: list[float] = []
    for weight in (
        dict.fromkeys(said, Fraction(1)),
        {(u, v): Fraction(1, said[u, v] + said.get((v, u), 0)) for u, v in said},
    ):
        right, wrong, whole = (
            sum(weight[pair] * count for pair, count in part.items())
            for part in (agreed, opposed, said)
        )
        both = right + wrong
        found += [
            float(both / whole) if whole else nan,
            float((right - wrong) / both) if both else nan,
        ]
    return found


def log_likelihood(support: int, against: int) -> float:
    """Return ln of the likelihood of what was counted under the share that fits best."""
    n = support + against
    return sum(count * log(count / n) for count in (support, against) if count)


def segment_pairs(said: Sequence[tuple[int, Pairs]]) -> dict[tuple[Any, Any], list[Any]]:
    """Return (u, v) -> supports, againsts and likelihood ratio of sessions (side, pairs said)."""
    counts = [Counter(pair for side, pairs in said if side == k for pair in pairs) for k in (0, 1)]
    found: dict[tuple[Any, Any], list[Any]] = {}
    for u, v in {pair for one in counts for pair in one}:
        each = [(one[u, v], one[v, u]) for one in counts]
        both = sum(s for s, _ in each), sum(a for _, a in each)
        ratio = sum(log_likelihood(s, a) for s, a in each if s + a) - log_likelihood(*both)
        found[u, v] = [*zip(*each, strict=True), ratio]
        found[v, u] = [*(zip(*((a, s) for s, a in each), strict=True)), ratio]
    return found
