"""Calibrated thresholds: by definition over every threshold, and what they promise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import porank as po
from porank.abstention.calibration import groups_needed
from tests.oracles import closure
from tests.oracles_abstention import prediction
from tests.oracles_ensemble import cut, has_cycle

ABC = po.from_ranking("abc")


def lost(P: po.PreferenceRelation, target: Any, alpha: Fraction) -> Fraction:
    """What a group loses at the larger of a threshold and its own least one without a cycle."""
    shares = P.degrees()
    grid = sorted({alpha, *shares.values(), Fraction(1)} - {Fraction(0)})
    allowed = [each for each in grid if each >= alpha and not has_cycle(cut(shares, each))]
    stated = prediction(shares, allowed[0]) if allowed else set()
    truth = closure(set(target.edges))
    return Fraction(sum((v, u) in stated for u, v in truth), len(truth) or 1)


def groups(n: int, members: int = 4, seed: int = 0) -> tuple[list[Any], list[Any]]:
    """Noisy votes for n true rankings, and these."""
    rng = np.random.default_rng(seed)
    relations, targets = [], []
    for _ in range(n):
        truth = rng.permutation(4)
        noise = rng.normal(0, 1.3, (members, 4))
        relations.append(po.preference_relation(-(truth + noise)))
        targets.append(po.from_ranking(np.argsort(truth).tolist()))
    return relations, targets


@example(163185, 3)  # of which the minimal thresholds are no degrees that occur
@given(st.integers(0, 10**6), st.integers(3, 12))
def test_the_threshold_by_definition(seed: int, n: int) -> None:
    relations, targets = groups(n, seed=seed)
    occurring = {a for P in relations for a in P.degrees().values()} - {Fraction(0)}
    grid = sorted(occurring | {po.minimal_threshold(P) for P in relations} | {Fraction(1)})
    risk = Fraction(1, 3)
    means = {
        alpha: sum(lost(P, t, alpha) for P, t in zip(relations, targets, strict=True)) / n
        for alpha in grid
    }
    kept = [a for a in grid if (n * means[a] + 1) / (n + 1) <= risk]
    found = po.calibrate_threshold(relations, targets, risk=risk)
    assert found == po.calibrate_threshold(relations[::-1], targets[::-1], risk=risk)
    if found.alpha is None:
        assert not kept
        return
    # Below all thresholds that some group has, all are the same.
    assert found.alpha >= kept[0]
    assert means[found.alpha] == means[kept[0]]
    assert found.mean_loss == pytest.approx(float(means[kept[0]]))
    decided = [
        po.completeness(target, found.predict(P))
        for P, target in zip(relations, targets, strict=True)
    ]
    assert found.completeness == pytest.approx(np.mean(decided))


def test_on_average_over_all_splits_a_new_group_loses_at_most_the_risk() -> None:
    # Of 8 groups each is once the new one: the mean over these is what exchangeability speaks of.
    for seed in range(6):
        relations, targets = groups(8, seed=seed)
        for risk in (Fraction(1, 8), Fraction(1, 4)):
            total = Fraction(0)
            for new in range(8):
                others = [each[:new] + each[new + 1 :] for each in (relations, targets)]
                found = po.calibrate_threshold(*others, risk=risk)
                if found.alpha is not None:
                    total += lost(relations[new], targets[new], found.alpha)
            assert total / 8 <= risk


def test_a_new_group_is_predicted_at_the_larger_threshold() -> None:
    circle = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "bca", "cab")])
    plain = po.preference_relation([ABC] * 3)
    forced = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
    found = po.calibrate_threshold([plain] * 19, [ABC] * 19, risk=0.05)
    expected = [(plain, Fraction(1, 3), 3), (circle, Fraction(1), 0), (forced, None, 0)]
    for P, threshold, pairs in expected:
        predicted = found.predict(P)
        assert found.threshold(P) == predicted.graph["alpha"] == threshold
        assert (list(predicted), len(predicted.edges)) == (list("abc"), pairs)


def test_nothing_but_the_empty_order_and_targets_of_no_pairs() -> None:
    P = po.preference_relation([ABC] * 3)
    wrong = po.calibrate_threshold([P] * 19, [po.from_ranking("cba")] * 19, risk=0.05)
    assert (wrong.alpha, wrong.mean_loss, wrong.completeness) == (None, 0.0, 0.0)
    assert wrong.predict(P).number_of_edges() == 0
    nothing = po.calibrate_threshold([P] * 19, [dict.fromkeys("abc", 1)] * 19, risk=0.05)
    assert (nothing.alpha, nothing.mean_loss) == (Fraction(1, 3), 0.0)
    assert groups_needed(0.05) == groups_needed(Fraction(1, 20)) == 19
