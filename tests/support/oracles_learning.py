"""Rankers that abstain, by their definition: train, let each copy vote on each pair, cut, close."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from tests.support.oracles import closure
from tests.support.oracles_abstention import cut, minimal_threshold

Pairs = set[tuple[Any, Any]]


def trained(estimator: Any, X: Any, y: Any, samples: Any) -> list[Any]:
    """One copy of the estimator for each sample, trained on the rows of these numbers."""
    from sklearn.base import clone

    return [clone(estimator).fit([X[i] for i in rows], [y[i] for i in rows]) for rows in samples]


def scores(member: Any, X: Any, labels: Sequence[Any]) -> list[float]:
    """What a copy answers, or the sum of i p_i over the labels, the worst being label 0."""
    if not hasattr(member, "predict_proba"):
        return list(getattr(member, "decision_function", member.predict)(X))
    places = [list(labels).index(label) for label in member.classes_]
    chances = (member.predict_proba([row])[0] for row in X)
    return [sum(i * p for i, p in zip(places, row, strict=True)) for row in chances]


def predicted(scores: Sequence[Sequence[float]]) -> tuple[Fraction, Pairs]:
    """The smallest threshold without a cycle, and the closure of the pairs that reach it."""
    k, n = len(scores), len(scores[0])
    shares = {
        (a, b): Fraction(sum(member[a] > member[b] for member in scores), k)
        for a, b in permutations(range(n), 2)
    }
    alpha = minimal_threshold(shares, [Fraction(i, k) for i in range(1, k + 1)])
    assert alpha is not None
    return alpha, closure(cut(shares, alpha))


def correctness_and_completeness(
    y: Sequence[Any], pairs: Pairs
) -> tuple[Fraction | None, Fraction | None]:
    """(C - D) / (C + D) and (C + D) / T over the pairs of rows whose grades differ."""
    better = [(a, b) if y[a] > y[b] else (b, a) for a, b in combinations(range(len(y)), 2)]
    differing = [(a, b) for a, b in better if y[a] != y[b]]
    right = sum((a, b) in pairs for a, b in differing)
    wrong = sum((b, a) in pairs for a, b in differing)
    return (
        Fraction(right - wrong, right + wrong) if right + wrong else None,
        Fraction(right + wrong, len(differing)) if differing else None,
    )


def p_value_left_out(scores: Any, samples: Any, grades: Any, weights: Any) -> float:
    """The chance that noise is ranked as well by copies that were not trained on a row."""
    from scipy import stats

    ranks: dict[int, list[float]] = {}
    for row, sample in zip(scores, samples, strict=True):
        out = [k for k in range(len(grades)) if k not in sample and weights[k] > 0]
        for k in out:
            below = sum(row[j] < row[k] for j in out) + sum(row[j] == row[k] for j in out) / 2
            ranks.setdefault(k, []).append((below + 0.5) / (len(out) + 1))
    some = sorted(ranks)
    means = [round(sum(ranks[k]) / len(ranks[k]), 12) for k in some]
    r = stats.spearmanr(means, [grades[k] for k in some]).statistic
    return float(stats.norm.sf(r * math.sqrt((len(some) - 1) / 2)))
