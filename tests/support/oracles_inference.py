"""Inference over groups, written from the definitions: slow, and to be read."""

import math
from collections.abc import Sequence
from itertools import product
from operator import mul
from statistics import median
from typing import Any

import networkx as nx


def signed_statistic(differences: Sequence[float], signs: Sequence[int], usual: float) -> float:
    """Return the statistic of one pair of systems, its differences signed.

    As if 300 / n more differences had the usual square, the median of mean squares of all pairs.
    """
    n = len(differences)
    signed = [sign * each for sign, each in zip(signs, differences, strict=True)]
    squares = sum(each**2 for each in signed)
    moderate = n * (squares + 300 / n * usual) / (n + 300 / n)
    base = max(squares, moderate)
    if not base:
        return 0.0
    t, mean = sum(signed) / math.sqrt(base), sum(signed) / n
    skewness = sum((each - mean) ** 3 for each in signed) / n / (base / n) ** 1.5
    corrected = t + skewness * (1 + 2 * t**2) / (6 * math.sqrt(n))
    return float(corrected * math.sqrt(base / moderate))


def max_t(
    pairs: Sequence[Sequence[float | None]], equal: float = 1e-5
) -> tuple[list[float], list[float]]:
    """Return the p-value of each pair and the one adjusted by max-T, over all vectors of signs.

    A pair has a difference for each cluster, None where it has none, and at least one.
    """
    known = [[each for each in pair if each is not None] for pair in pairs]
    usual = median(sum(each**2 for each in pair) / len(pair) for pair in known)

    def statistics(signs: Sequence[int]) -> list[float]:
        return [
            signed_statistic(
                own, [s for s, each in zip(signs, pair, strict=True) if each is not None], usual
            )
            for own, pair in zip(known, pairs, strict=True)
        ]

    observed = [abs(each) for each in statistics([1] * len(pairs[0]))]
    thrown = [statistics(signs) for signs in product((1, -1), repeat=len(pairs[0]))]
    least = [each * (1 - equal) - equal for each in observed]
    alone = [
        sum(abs(each[k]) >= least[k] for each in thrown) / len(thrown) for k in range(len(pairs))
    ]
    stepped = []
    for k in range(len(pairs)):
        weaker = [j for j in range(len(pairs)) if least[j] <= observed[k]]
        as_far = sum(max(abs(each[j]) for j in weaker) >= least[k] for each in thrown)
        stepped.append(as_far / len(thrown))
    adjusted = [
        max(stepped[j] for j in range(len(pairs)) if least[k] <= observed[j])
        for k in range(len(pairs))
    ]
    return alone, adjusted


def mean_intervals(
    pairs: Sequence[Sequence[float]], level: float, among: Sequence[int] | None = None
) -> list[tuple[float, float]]:
    """Return intervals of the means, from t of residuals with all signs, widened by skewness.

    They hold together for all pairs, or for those whose places are given.
    """
    n = len(pairs[0])
    if 2 ** (1 - n) > level:
        return [(-math.inf, math.inf)] * len(pairs)
    residuals = [[each - sum(pair) / n for each in pair] for pair in pairs]
    squares = [sum(each**2 for each in pair) for pair in residuals]
    largest = []
    for signs in product((1, -1), repeat=n):
        sums = [sum(map(mul, signs, pair)) for pair in residuals]
        spreads = [(n * q - t**2) / (n - 1) for q, t in zip(squares, sums, strict=True)]
        several = [
            0.0 if abs(t) < 1e-9 else abs(t) / math.sqrt(v) if v > 1e-9 else math.inf
            for t, v in zip(sums, spreads, strict=True)
        ]
        largest.append(
            max((several[k] for k in (range(len(pairs)) if among is None else among)), default=0.0)
        )
    bound = sorted(largest)[math.ceil((1 - level) * (len(largest) - 1))]
    more, usual = 300 / n, median(q / n for q in squares)
    moderate = [n * (q + more * usual) / (n + more) for q in squares]
    found = []
    for pair, own, q, w in zip(pairs, residuals, squares, map(max, squares, moderate), strict=True):
        if w < 1e-9 or math.isinf(bound):
            found.append((-math.inf, math.inf))
            continue
        mean, reach = sum(pair) / n, bound * math.sqrt(w / (n * (n - 1)))
        skew = sum(r**3 for r in own) / q if q > 1e-9 else 0
        shift = skew * (1 + 2 * bound**2) / (6 * n)
        found.append((mean - reach + min(shift, 0), mean + reach + max(shift, 0)))
    return found


def copied(order: Any, drawn: Sequence[Any]) -> Any:
    """Return the order on drawn items, called 0, 1 and so on, copies of an item being tied."""
    if not isinstance(order, nx.DiGraph):
        return [order[item] for item in drawn]
    G = nx.DiGraph()
    closure = nx.transitive_closure_dag(order)
    for place, item in enumerate(drawn):
        G.add_node(place, tie=order.nodes[item].get("tie", ("item", item)))
    for i, u in enumerate(drawn):
        G.add_edges_from((i, j) for j, v in enumerate(drawn) if closure.has_edge(u, v))
    return G
