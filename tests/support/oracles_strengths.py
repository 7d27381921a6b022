"""Strengths by their definition: sums over rankings, derivatives by small steps.

Slow, short, and written to be read. Strengths are a mapping, orders DiGraphs.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import networkx as nx
import numpy as np

from tests.support.oracles_extensions import linear_extensions

#: Who is preferred, to whom, or whether they tie.
Battle = tuple[Any, Any, bool]


def ranking_probability(ranking: Sequence[Any], strengths: Mapping[Any, float]) -> float:
    """The next item is drawn from those that remain, in proportion to worths."""
    worth = [math.exp(strengths[item]) for item in ranking]
    return math.prod(worth[k] / sum(worth[k:]) for k in range(len(worth)))


def order_probability(G: nx.DiGraph, strengths: Mapping[Any, float]) -> float:
    """All linear extensions together."""
    return sum(ranking_probability(line, strengths) for line in linear_extensions(G))


def battle_probability(battle: Battle, strengths: Mapping[Any, float]) -> float:
    """A win in proportion to the worth, a tie to nu times the geometric mean."""
    u, v, is_tie = battle
    a, b = math.exp(strengths[u]), math.exp(strengths[v])
    tie = math.exp(strengths["tie"]) * math.sqrt(a * b) if "tie" in strengths else 0.0
    return (tie if is_tie else a) / (a + b + tie)


def log_of_order(G: nx.DiGraph, strengths: Mapping[Any, float]) -> float:
    return math.log(order_probability(G, strengths))


def log_of_battles(battles: Sequence[Battle], strengths: Mapping[Any, float]) -> float:
    return sum(math.log(battle_probability(each, strengths)) for each in battles)


def gradient(f: Callable[[Mapping[Any, float]], float], at: Mapping[Any, float]) -> list[float]:
    """The slopes of a function of strengths, by small steps to either side."""
    step = 1e-5
    return [
        (f({**at, item: at[item] + step}) - f({**at, item: at[item] - step})) / (2 * step)
        for item in at
    ]


def jackknife(
    units: Sequence[Callable[[Mapping[Any, float]], float]], at: Mapping[Any, float]
) -> tuple[list[Any], list[Any], list[Any]]:
    """How each unit, a function that gives its log likelihood, moves the estimates.

    That is one step of Newton's method from the maximum to that without the unit. Beside it stand
    the influence of each unit, and its part in the covariance of the estimates if the model is
    right.
    """
    scores = [np.array(gradient(unit, at)) for unit in units]
    step = 1e-4
    information = []
    for unit in units:
        columns = []
        for item in at:
            above, below = ({**at, item: at[item] + sign * step} for sign in (1, -1))
            slopes = np.array(gradient(unit, above)) - np.array(gradient(unit, below))
            columns.append(-slopes / (2 * step))
        information.append(np.array(columns))
    whole = sum(information)
    moves = [
        np.linalg.pinv(whole - own, rcond=1e-5) @ score
        for own, score in zip(information, scores, strict=True)
    ]
    inverse = np.linalg.pinv(whole, rcond=1e-6)
    influences = [inverse @ score for score in scores]
    return moves, influences, [inverse @ each @ inverse for each in information]


def worths_of_rankings(rankings: Sequence[Sequence[Any]], rounds: int = 3000) -> dict[Any, float]:
    """The worths that make rankings most likely, by Hunter's MM algorithm (2004, section 5)."""
    items = sorted({item for ranking in rankings for item in ranking})
    worth = {item: 1 / len(items) for item in items}
    for _ in range(rounds):
        wins, share = dict.fromkeys(items, 0.0), dict.fromkeys(items, 0.0)
        for ranking in rankings:
            for k in range(len(ranking) - 1):
                wins[ranking[k]] += 1
                whole = sum(worth[item] for item in ranking[k:])
                for item in ranking[k:]:
                    share[item] += 1 / whole
        worth = {item: wins[item] / share[item] for item in items}
        worth = {item: each / sum(worth.values()) for item, each in worth.items()}
    return worth


def surplus(rankings: Sequence[Sequence[Any]], strengths: Mapping[Any, float]) -> dict[Any, float]:
    """How often an item is chosen, minus how often that is expected: 0 at the maximum."""
    found = dict.fromkeys(strengths, 0.0)
    for ranking in rankings:
        for k, chosen in enumerate(ranking):
            whole = sum(math.exp(strengths[item]) for item in ranking[k:])
            found[chosen] += 1
            for item in ranking[k:]:
                found[item] -= math.exp(strengths[item]) / whole
    return found


def deviance(counts: Mapping[Battle, int], chance: Callable[[Battle], float]) -> float:
    """Twice the log likelihood that the shares of each pair gain over those of the model."""
    total = 0.0
    for battle, times in counts.items():
        pair = {*battle[:2]}
        of_pair = sum(each for (u, v, _), each in counts.items() if {u, v} == pair)
        if times:
            total += 2 * times * math.log(times / of_pair / chance(battle))
    return total
