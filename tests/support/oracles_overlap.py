"""Rank-biased overlap of lists with ties and of different lengths, item by item and depth by depth.

Slow, short, and written to be read: M. Corsi, J. Urbano, "The treatment of ties in rank-biased
overlap", SIGIR 2024. Lists are levels, best first, and all that is known of them.
"""

from math import sqrt
from statistics import mean
from typing import Any


def shares(levels: list[list[Any]], ties: str, depth: int) -> dict[Any, float]:
    """How much of each item a depth holds: all, a part of a tie that it cuts, or nothing."""
    found: dict[Any, float] = {}
    before = 0
    for level in levels:
        inside = min(max(depth - before, 0), len(level)) / len(level)
        found |= dict.fromkeys(level, float(inside > 0) if ties == "w" else inside)
        before += len(level)
    return found


def agreement(overlap: float, one: list[float], other: list[float], ties: str, depth: int) -> float:
    """What two lists share down to a depth, of what they hold."""
    if ties == "a":
        return overlap / depth
    if ties == "b":
        return overlap / sqrt(sum(c * c for c in one)) / sqrt(sum(c * c for c in other))
    return 2 * overlap / (sum(one) + sum(other))


def rank_biased_overlap(
    first: list[list[Any]], second: list[list[Any]], p: float, ties: str
) -> float:
    """RBO_EXT: what is unseen of the shorter list agrees as the seen part does, and so on."""
    short, long = sorted([first, second], key=lambda levels: sum(map(len, levels)))
    s, length = sum(map(len, short)), sum(map(len, long))
    values: list[float] = []
    for d in range(1, length + 1):
        one, other = shares(short, ties, d), shares(long, ties, d)
        overlap = sum(c * other.get(item, 0) for item, c in one.items())
        held = list(one.values())
        if d > s:
            others = [c for item, c in other.items() if item not in one and c > 0]
            overlap += (d - s) * values[s - 1] * mean(others)
            held += [1] * (d - s)
        values.append(agreement(overlap, held, list(other.values()), ties, d))
    weighed = (a * (1 - p) * p ** (d - 1) for d, a in enumerate(values, start=1))
    return sum(weighed) + values[-1] * p**length
