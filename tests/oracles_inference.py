"""Inference over groups, written from the definitions: slow, and to be read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import networkx as nx


def exact_sign_flips(differences: Sequence[Fraction]) -> Fraction:
    """Return the share of sign patterns whose sum is at least as far from 0 as the one observed."""
    observed = abs(sum(differences, Fraction(0)))
    sums = [
        sum((sign * each for sign, each in zip(signs, differences, strict=True)), Fraction(0))
        for signs in product((-1, 1), repeat=len(differences))
    ]
    return Fraction(sum(abs(each) >= observed for each in sums), len(sums))


def sign_test(better: int, worse: int) -> Fraction:
    """Return the share of all coin sequences that are at least as uneven."""
    n = better + worse
    as_uneven = sum(
        abs(2 * sum(coins) - n) >= abs(better - worse) for coins in product((0, 1), repeat=n)
    )
    return Fraction(as_uneven, 2**n)


def holm(p_values: Sequence[Fraction], level: Fraction) -> list[bool]:
    """Return what Holm's procedure rejects: step down while p_(i) <= level / (m - i + 1)."""
    rejected = [False] * len(p_values)
    for step, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[place] * (len(p_values) - step) > level:
            break
        rejected[place] = True
    return rejected


def found_directions(p_values: dict[Any, Fraction], level: Fraction) -> set[Any]:
    """Return the pairs (u, v) for which Holm rejects that the mean of u is at most that of v.

    Of each pair both hypotheses are in the family: the p-value of the one is half that of the test
    of both sides, that of the other what is left to 1.
    """
    halves = [p / 2 for p in p_values.values()]
    rejected = holm([*halves, *(1 - half for half in halves)], level)
    return {pair for pair, is_found in zip(p_values, rejected, strict=False) if is_found}


def benjamini_hochberg(p_values: Sequence[Fraction], level: Fraction) -> list[bool]:
    """Return what the step-up procedure rejects: all up to the last i with p_(i) <= i level / m."""
    m = len(p_values)
    places = sorted(range(m), key=p_values.__getitem__)
    last = max((i for i in range(1, m + 1) if p_values[places[i - 1]] * m <= i * level), default=0)
    return [place in places[:last] for place in range(m)]


def permutation_values(measure: Callable[..., float], target: Any, predicted: Any) -> list[float]:
    """Return the values of a measure for all ways to rename the items of the prediction."""
    items = list(predicted)
    values = []
    for sequence in permutations(items):
        names = dict(zip(items, sequence, strict=True))
        if isinstance(predicted, nx.DiGraph):
            renamed: Any = nx.relabel_nodes(predicted, names)
        else:
            renamed = {names[item]: score for item, score in predicted.items()}
        values.append(measure(target, renamed))
    return values


def share_at_least(values: Sequence[float], value: float, *, higher: bool) -> float:
    """Return the share of values that are as good, those that are none counted as good."""
    as_good = [
        math.isnan(each)
        or math.isclose(each, value, rel_tol=1e-9, abs_tol=1e-12)
        or (each > value if higher else each < value)
        for each in values
    ]
    return sum(as_good) / len(values)


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
