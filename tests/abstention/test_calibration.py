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
from porank.abstention.preference_relation import PreferenceRelation
from tests.oracles import closure
from tests.oracles_abstention import prediction
from tests.oracles_ensemble import cut, has_cycle

ITEMS = "abcd"


def lost(P: PreferenceRelation, target: Any, alpha: Fraction) -> Fraction:
    """What a group loses at the larger of a threshold and its own least one without a cycle."""
    shares = P.degrees()
    grid = sorted({alpha, *shares.values(), Fraction(1)} - {Fraction(0)})
    allowed = [each for each in grid if each >= alpha and not has_cycle(cut(shares, each))]
    said = prediction(shares, allowed[0]) if allowed else set()
    truth = closure(set(target.edges))
    wrong = sum((v, u) in said for u, v in truth)
    return Fraction(wrong, len(truth) or 1)


def groups(n: int, members: int = 4, seed: int = 0) -> tuple[list[Any], list[Any]]:
    """Noisy votes for n true rankings, and these."""
    rng = np.random.default_rng(seed)
    relations, targets = [], []
    for _ in range(n):
        truth = rng.permutation(4)
        votes = [
            po.from_ranking([ITEMS[k] for k in np.argsort(truth + rng.normal(0, 1.3, 4))])
            for _ in range(members)
        ]
        relations.append(po.preference_relation(votes))
        targets.append(po.from_ranking([ITEMS[k] for k in np.argsort(truth)]))
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
    alpha = min(kept, default=None)
    # Below all thresholds that some group has, all are the same.
    if alpha is None or found.alpha is None:
        assert found.alpha is alpha
    else:
        assert means[found.alpha] == means[alpha]
        assert found.alpha >= alpha
        assert found.mean_loss == pytest.approx(float(means[alpha]))


def test_more_is_kept_of_less_risk_and_names_change_nothing() -> None:
    relations, targets = groups(60, members=6)
    found = [po.calibrate_threshold(relations, targets, risk=r) for r in (0.02, 0.05, 0.08, 0.3)]
    alphas = [2 if each.alpha is None else each.alpha for each in found]
    assert alphas == sorted(alphas, reverse=True)
    assert len(set(alphas)) > 2
    assert all((60 * each.mean_loss + 1) / 61 <= each.risk for each in found)
    turned = po.calibrate_threshold(relations[::-1], targets[::-1], risk=0.08)
    assert turned == found[2]


def test_a_new_group_is_predicted_at_the_larger_threshold() -> None:
    votes = [po.from_ranking(vote) for vote in ("abc", "bca", "cab")]
    circle = po.preference_relation(votes)
    plain = po.preference_relation([po.from_ranking("abc")] * 3)
    found = po.calibrate_threshold([plain] * 19, [po.from_ranking("abc")] * 19, risk=0.05)
    assert found.threshold(plain) == Fraction(1, 3)
    assert found.threshold(circle) == 1
    assert found.predict(circle).number_of_edges() == 0
    assert found.predict(plain).number_of_edges() == 3
    forced = po.PreferenceRelation.from_degrees(
        {("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1, ("b", "a"): 0, ("c", "b"): 0, ("a", "c"): 0}
    )
    assert found.threshold(forced) is None
    assert list(found.predict(forced)) == list("abc")


def test_nothing_but_the_empty_order_and_targets_of_no_pairs() -> None:
    P = po.preference_relation([po.from_ranking("ab")] * 3)
    wrong = po.calibrate_threshold([P] * 19, [po.from_ranking("ba")] * 19, risk=0.05)
    assert (wrong.alpha, wrong.mean_loss, wrong.completeness) == (None, 0.0, 0.0)
    assert wrong.predict(P).number_of_edges() == 0
    assert wrong.predict(P).graph["alpha"] is None
    nothing = po.calibrate_threshold([P] * 19, [{"a": 1, "b": 1}] * 19, risk=0.05)
    assert (nothing.alpha, nothing.mean_loss) == (Fraction(1, 3), 0.0)


def test_on_average_over_all_splits_a_new_group_loses_at_most_the_risk() -> None:
    # Of 8 groups each is once the new one: the mean over these is what exchangeability speaks of.
    for seed in range(6):
        relations, targets = groups(8, seed=seed)
        for risk in (Fraction(1, 8), Fraction(1, 4)):
            total = Fraction(0)
            for new in range(8):
                rest = [k for k in range(8) if k != new]
                found = po.calibrate_threshold(
                    [relations[k] for k in rest], [targets[k] for k in rest], risk=risk
                )
                if found.alpha is not None:
                    total += lost(relations[new], targets[new], found.alpha)
            assert total / 8 <= risk


def test_few_groups_are_an_error() -> None:
    relations, targets = groups(58)
    assert groups_needed(0.05) == 19
    assert groups_needed(Fraction(1, 20)) == 19
    with pytest.raises(po.PorankError, match=r"at least 19 groups for a risk of 0\.05, found 18"):
        po.calibrate_threshold(relations[:18], targets[:18], risk=0.05)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"risk": 0}, "risk above 0"),
        ({"risk": 1}, "risk below 1"),
        ({"risk": "x"}, "risk above 0"),
    ],
)
def test_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        po.calibrate_threshold(*groups(20), **options)


def test_what_does_not_fit() -> None:
    relations, targets = groups(20)
    with pytest.raises(po.PorankError, match="a target for each of 20 relations, found 19"):
        po.calibrate_threshold(relations, targets[:19], risk=0.2)
    targets[3] = po.from_ranking("xyz")
    with pytest.raises(po.ItemMismatchError, match="in group 4"):
        po.calibrate_threshold(relations, targets, risk=0.2)
    with pytest.raises(po.GraphTypeError):
        po.calibrate_threshold([1] * 20, targets, risk=0.2)  # type: ignore[list-item]
