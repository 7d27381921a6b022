"""What judges of battles do, straight from the definitions: slow, written to be read."""

import math
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist
from typing import Any, NamedTuple


class Battle(NamedTuple):
    """Who judged what: a stood first, b second, and the winner is a, b or nobody."""

    judge: Any
    question: Any
    a: Any
    b: Any
    winner: Any


def once(battles: Sequence[Battle]) -> list[Battle]:
    """Return one battle for each judge, question and arrangement: what most of these say."""
    net: dict[Any, int] = defaultdict(int)
    for judge, question, a, b, winner in battles:
        net[judge, question, a, b] += (winner == a) - (winner == b)
    return [
        Battle(judge, question, a, b, a if n > 0 else b if n < 0 else "tie")
        for (judge, question, a, b), n in net.items()
    ]


def share(part: int, whole: int) -> float:
    """Return a share, nan of nothing."""
    return part / whole if whole else math.nan


def winners(battles: Sequence[Battle]) -> dict[Any, Any]:
    """Return (question, pair) -> who won more often, without pairs that nobody did."""
    net: dict[Any, int] = defaultdict(int)
    for _, question, a, b, winner in battles:
        one, two = sorted((a, b))
        net[question, one, two] += (winner == one) - (winner == two)
    return {key: key[1] if n > 0 else key[2] for key, n in net.items() if n}


def flips(battles: Sequence[Battle]) -> tuple[int, int]:
    """Return how many pairs have a winner in both arrangements, and of how many it changes."""
    up, down = (winners([x for x in battles if (x.a < x.b) == way]) for way in (True, False))
    both = up.keys() & down.keys()
    return len(both), sum(up[key] != down[key] for key in both)


def first(
    battles: Sequence[Battle], level: float, *, has_prompts: bool = True
) -> tuple[float, float, float]:
    """Return the share of the first by Mantel and Haenszel, with Sato's bounds, widened.

    Without prompts, at least with the bounds of a mean over pairs, which weigh differently.
    """
    from scipy import stats

    pairs = []
    weight = gain = p = q = by_chance = Fraction(0)
    for pair in {tuple(sorted((x.a, x.b))) for x in battles}:
        rows = [x for x in battles if {x.a, x.b} == {*pair} and x.winner in pair]
        up, down = ([x.winner == pair[0] for x in rows if x.a == each] for each in pair)
        n1, n2, x, y = len(up), len(down), sum(up), sum(down)
        if not (n1 and n2):
            continue
        n = n1 + n2
        weight += Fraction(n1 * n2, n)
        gain += Fraction(n1 * n2, n) * (Fraction(x, n1) - Fraction(y, n2))
        pairs.append((Fraction(n1 * n2, n), Fraction(x, n1) - Fraction(y, n2)))
        p += (n1**2 * y - n2**2 * x + Fraction(n1 * n2 * (n2 - n1), 2)) / n**2
        q += Fraction(x * (n2 - y) + y * (n1 - x), 2 * n)
        by_chance += Fraction((x + y) * (n - x - y) * n1 * n2, n**2 * (n - 1))
    if not weight:
        return math.nan, math.nan, math.nan
    d = gain / weight
    variance = max(d * p + q, by_chance, Fraction(0))
    reach = NormalDist().inv_cdf(1 - level / 2) * math.sqrt(variance)
    if not has_prompts:
        k = len(pairs)
        squares = sum(w**2 * (share - d) ** 2 for w, share in pairs)
        t = stats.t.ppf(1 - level / 2, k - 1) if k > 1 else math.inf
        reach = max(reach, t * math.sqrt(squares * k / (k - 1)) if k > 1 else math.inf)
    margin = math.inf if math.isinf(reach) else (reach + 0.5) / weight
    return (
        float(1 + d) / 2,
        max(0.0, (1 + float(d) - float(margin)) / 2),
        min(1.0, (1 + float(d) + float(margin)) / 2),
    )


def agreement(one: Sequence[Battle], other: Sequence[Battle]) -> tuple[int, int]:
    """Return how many pairs two judges decide, and for how many they have the same winner."""
    found, again = winners(one), winners(other)
    both = found.keys() & again.keys()
    return len(both), sum(found[key] == again[key] for key in both)


def with_the_rest(battles: Sequence[Battle], judge: Any) -> tuple[int, int]:
    """Return how many pairs a judge and the majority of the others decide, and how many alike."""
    votes: dict[Any, int] = defaultdict(int)
    for other in {x.judge for x in battles} - {judge}:
        for key, winner in winners([x for x in battles if x.judge == other]).items():
            votes[key] += 1 if winner == key[1] else -1
    own = winners([x for x in battles if x.judge == judge])
    both = [key for key in own if votes.get(key)]
    return len(both), sum((own[key] == key[1]) == (votes[key] > 0) for key in both)
