"""Simulated clicks in closed form, and net preferences and their evidence by definition.

A list is a sequence of strengths, the top first; v0 is the strength of clicking nothing. By the
model of Plackett and Luce the first of some options is each with probability in proportion to its
strength, whatever other options there are. Nothing here knows how porank computes it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import nan, prod
from typing import Any

import networkx as nx

from tests.support.oracles_clicks import Pairs, Row, position_of, sessions_of


def position_purchases(
    strengths: Sequence[int], v0: int, examination: Sequence[Fraction], purchase: Fraction
) -> list[Fraction]:
    """Probability of a purchase at each position: it is the first of all that is looked at."""
    total = [Fraction(0)] * len(strengths)
    for looked in product((False, True), repeat=len(strengths)):
        seen = v0 + sum(v for v, sees in zip(strengths, looked, strict=True) if sees)
        for place, sees in enumerate(looked):
            share = sees * Fraction(strengths[place], seen)
            total[place] += all_of(looked, examination) * purchase * share
    return total


def outcomes(
    strengths: Mapping[Any, int],
    v0: int,
    policy: Mapping[Any, int],
    length: int,
    trust: Sequence[Fraction],
    examination: Sequence[Fraction] | None,
) -> Counter[tuple[Any, ...]]:
    """Probability of each list with its clicks, (item, whether clicked) from the top down.

    All rankings of the items shown by the policy, and of the items and nothing (None) by taste, are
    gone through, and who trusts and who looks where; without examination it is the cascade.
    """
    found: Counter[tuple[Any, ...]] = Counter()
    flags = list(product((False, True), repeat=length))
    for ranking, tastes in product(permutations(policy), permutations([*strengths, None])):
        drawn = ranked_with(ranking, policy) * ranked_with(tastes, {**strengths, None: v0})
        likes = [tastes.index(item) < tastes.index(None) for item in ranking[:length]]
        for trusted, looks in product(flags, flags):
            chance = drawn * all_of(trusted, trust)
            chance *= all_of(looks, examination or [Fraction(1, 2)] * length)
            wants = [like or trusts for like, trusts in zip(likes, trusted, strict=True)]
            reached = [not any(wants[:place]) for place in range(length)]
            looked = looks if examination else reached
            clicks = (want and looks for want, looks in zip(wants, looked, strict=True))
            found[tuple(zip(ranking, clicks, strict=False))] += chance  # type: ignore[assignment]
    return found


def ranked_with(ranking: Sequence[Any], strengths: Mapping[Any, int]) -> Fraction:
    """Probability of a ranking by the model of Plackett and Luce."""
    chance, left = Fraction(1), [strengths[item] for item in ranking]
    while left:
        chance *= Fraction(left[0], sum(left))
        left.pop(0)
    return chance


def all_of(happened: Sequence[bool], chances: Sequence[Fraction]) -> Fraction:
    """Probability that of independent events just these happen."""
    return Fraction(prod(p if did else 1 - p for did, p in zip(happened, chances, strict=True)))


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


def units_of(rows: Sequence[Row], unit: str) -> dict[Any, list[list[Row]]]:
    """Return unit -> its sessions, each a list of rows, in the sequence of their labels."""
    units: dict[Any, list[list[Row]]] = {}
    for session in sessions_of(rows).values():
        units.setdefault(session[0][unit], []).append(session)
    if len(set(map(type, units))) == 1:
        return {label: units[label] for label in sorted(units)}
    return {x: units[x] for x in sorted(units, key=lambda x: (type(x).__name__, repr(x)))}


#: A session prefers the first item to the second, which stood lower (1), higher (-1), or neither;
#: and the places of both.
Statement = tuple[Any, Any, int, tuple[Any, Any]]


def statements_of(
    sessions: Sequence[list[Row]], rule: Callable[[list[Row]], Pairs]
) -> list[Statement]:
    """Return what some sessions say, and where the items stood in each."""
    found = []
    for rows in sessions:
        place = {row["item"]: position_of(rows, row["item"]) for row in rows}
        for u, v in rule(rows):
            side = (place[u] < place[v]) - (place[u] > place[v])
            found.append((u, v, side, (place[u], place[v])))
    return found


def balanced_weight(one: Statement, statements: Sequence[Statement]) -> Fraction:
    """Return the weight of a statement by which its pair stood both ways equally often.

    It is twice the share of those that stood the other way round among the statements on the same
    pair at the same two places.
    """
    u, v, side, places = one
    if not side:
        return Fraction(0)
    alike = [
        other
        for other in statements
        if {*other[:2]} == {u, v} and sorted(other[3]) == sorted(places)
    ]
    upper = u if side == 1 else v
    turned = [other for other in alike if other[:2][other[2] != 1] != upper]
    return Fraction(2 * len(turned), len(alike))


def judged(
    units: Sequence[Sequence[Statement]],
    sign: Callable[[Statement], int],
    weight: Callable[[Statement], Fraction],
) -> tuple[list[float], list[tuple[Fraction, Fraction]]]:
    """Return completeness and correctness of what says 1, -1 or 0 of a statement.

    And of each unit the weight of the right statements, and of the decided ones.
    """
    whole = sum(weight(one) for unit in units for one in unit)
    right, wrong = (
        [sum((weight(one) for one in unit if sign(one) == side), Fraction(0)) for unit in units]
        for side in (1, -1)
    )
    both = sum(right) + sum(wrong)
    found = [
        float(both / whole) if whole else nan,
        float((sum(right) - sum(wrong)) / both) if both else nan,
    ]
    return found, [(r, r + w) for r, w in zip(right, wrong, strict=True)]


def correctness_interval(
    units: Sequence[tuple[Fraction, Fraction]], t: float
) -> tuple[float, float]:
    """Return the interval of correctness, from pairs of these for each unit."""
    units = [(right, decided) for right, decided in units if decided]
    if len(units) < 5:
        return nan, nan

    def share(some: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
        """Return the share of right statements of some units."""
        return sum(right for right, _ in some) / Fraction(sum(decided for _, decided in some))

    p, whole = share(units), sum(decided for _, decided in units)
    usual = sum(decided**2 for _, decided in units) / Fraction(whole)
    more = [*units, (usual, usual), (Fraction(0), usual)]
    left_out = [share(units[:k] + units[k + 1 :]) - p for k in range(len(units))]
    jackknife = Fraction(len(units) - 1, len(units)) * sum(each**2 for each in left_out)
    added = sum((right - share(more) * usual) ** 2 for right, _ in more[-2:])
    variance = (whole**2 * jackknife + added) / Fraction(whole + 2 * usual) ** 2
    n = float(share(more) * (1 - share(more)) / variance)
    return 2 * lowest(float(p), n, t) - 1, 1 - 2 * lowest(float(1 - p), n, t)


def lowest(share: float, n: float, t: float) -> float:
    """Return the least true share from which a share of n lies no further off than chance allows.

    That is t standard errors of the true share, and half a statement for continuity.
    """
    low, high = 0.0, share
    for _ in range(200):
        middle = (low + high) / 2
        is_too_low = share - middle - 1 / (2 * n) > t * (middle * (1 - middle) / n) ** 0.5
        low, high = (middle, high) if is_too_low else (low, middle)
    return high
