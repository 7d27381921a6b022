"""Pairs of systems tested together by signs: by definition, against SciPy, by laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.significance.paired import PairedDifference, Trial, paired_differences
from tests import oracles_inference as oracle

WHOLE = st.integers(-3, 3).map(float)
CELLS = st.one_of(st.none(), WHOLE)


def tables(cells: st.SearchStrategy[Any] = WHOLE, most: int = 6) -> st.SearchStrategy[Any]:
    """Draw tables of two to four systems, a row for each of up to six tasks."""
    sizes = st.tuples(st.integers(1, most), st.integers(2, 4))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(cells, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
        )
    )


def compared(values: Any, **options: Any) -> tuple[PairedDifference, ...]:
    """Return the paired differences of systems 0, 1 and so on in one measure."""
    values = np.array(values, dtype=float)
    clusters = options.pop("clusters", ())
    how: dict[str, Any] = {
        "systems": range(values.shape[1]),
        "better": "higher",
        "clusters": clusters,
    }
    return paired_differences(values, Trial(**options), **how)


def differences_of(values: Any, each: PairedDifference) -> list[Any]:
    pairs = [(row[each.first], row[each.second]) for row in values]
    return [None if None in pair else pair[0] - pair[1] for pair in pairs]


@given(tables())
def test_by_definition(values: Any) -> None:
    found = compared(values)
    alone, adjusted = oracle.max_t([differences_of(values, each) for each in found])
    assert [each.p_value for each in found] == alone
    assert [each.adjusted for each in found] == adjusted


@given(tables(CELLS))
def test_with_blanks_by_definition(values: Any) -> None:
    used = [row for row in values if sum(cell is not None for cell in row) > 1]
    found = compared(values)
    pairs = [differences_of(used, each) for each in found]
    known = [k for k, pair in enumerate(pairs) if any(each is not None for each in pair)]
    if known:
        alone, adjusted = oracle.max_t([pairs[k] for k in known])
        assert [found[k].p_value for k in known] == alone
        assert [found[k].adjusted for k in known] == adjusted
    for k in set(range(len(found))) - set(known):
        numbers = (found[k].difference, found[k].p_value, found[k].adjusted, found[k].low)
        assert all(map(math.isnan, numbers))


@given(tables(most=8), st.data())
def test_signs_are_thrown_for_clusters(values: Any, data: st.DataObject) -> None:
    unit = data.draw(st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values)))
    found = compared(values, clusters=unit)
    clusters = sorted(set(unit))
    sums = [
        [
            sum(d for d, name in zip(differences_of(values, each), unit, strict=True) if name == c)
            for c in clusters
        ]
        for each in found
    ]
    assert [each.adjusted for each in found] == oracle.max_t(sums)[1]
    # The mean is that of all rows.
    for each in found:
        assert each.difference == pytest.approx(np.mean(differences_of(values, each)))


@given(tables(), st.floats(0.05, 0.9))
def test_intervals_by_definition(values: Any, level: float) -> None:
    for each in compared(values, significance=level):
        own = [d or 0.0 for d in differences_of(values, each)]
        assert (each.low, each.high) == pytest.approx(oracle.subset_means(own, level))


def test_a_single_pair_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(3)
    differences = rng.exponential(size=40) - 0.65

    def statistic(sample: Any) -> float:
        return abs(oracle.signed_statistic(list(sample), [1] * 40, float((differences**2).mean())))

    theirs = stats.permutation_test(
        (differences,),
        statistic,
        permutation_type="samples",
        n_resamples=2000,
        alternative="greater",
        vectorized=False,
        rng=0,
    ).pvalue
    (ours,) = compared(np.column_stack([differences, np.zeros(40)]))
    assert 0.01 < ours.p_value < 0.2
    assert abs(ours.p_value - theirs) < 5 * math.sqrt(theirs * (1 - theirs) / 1000)
    assert ours.adjusted == ours.p_value


def test_thrown_signs_approach_all_signs() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=(13, 4)) + 0.3 * np.arange(4)
    for every, some in zip(compared(values), compared(values, samples=4000), strict=True):
        assert every.p_value * 2**13 == pytest.approx(round(every.p_value * 2**13))
        for p, q in ((every.p_value, some.p_value), (every.adjusted, some.adjusted)):
            assert abs(p - q) < 5 * math.sqrt(p * (1 - p) / 4000) + 1e-3


def test_no_p_value_is_zero() -> None:
    (found,) = compared(np.column_stack([np.arange(5000.0) + 1, np.zeros(5000)]))
    assert found.p_value == found.adjusted == 1 / 10_001


@given(tables(most=5))
def test_scale_ease_and_names_change_nothing(values: Any) -> None:
    table = np.array(values)
    ease = np.arange(len(table))[:, None]
    plain, scaled = compared(table), compared(8 * (table + ease))
    assert [each.adjusted for each in plain] == [each.adjusted for each in scaled]
    turned = compared(table[:, ::-1])
    last = table.shape[1] - 1
    found = {frozenset((last - each.first, last - each.second)): each.adjusted for each in turned}
    assert found == {frozenset((each.first, each.second)): each.adjusted for each in plain}


def test_values_that_differ_by_rounding_are_equal() -> None:
    values = np.column_stack([np.full(30, 0.1 + 0.2), np.full(30, 0.3)])
    (found,) = compared(values)
    assert (found.p_value, found.difference, found.ties) == (1.0, 0.0, 30)
    (found,) = compared(np.array([[0.1, 0], [0.2, 0], [0, 0.3], [0.6, 0]]))
    (exact,) = compared(np.array([[1, 0], [2, 0], [0, 3], [6, 0]]))
    assert found.p_value == exact.p_value


def test_many_groups_are_put_together_and_the_test_stays_as_strong() -> None:
    values = np.random.default_rng(7).normal(size=(20_000, 2)) + np.array([0.03, 0.0])
    (found,) = compared(values, samples=2000)
    z = found.effect_size * math.sqrt(20_000)
    normal = math.erfc(abs(z) / math.sqrt(2))
    assert abs(found.p_value - normal) < 5 * math.sqrt(normal / 2000) + 0.3 * normal
    assert 0.85 < (found.high - found.low) / (2 * 1.96 * math.sqrt(2) / math.sqrt(20_000)) < 1.15


def test_p_values_of_equal_systems_are_even() -> None:
    # 300 comparisons of systems that differ by chance: at level 0.1 about 30 are found.
    rng = np.random.default_rng(5)
    found = [
        min(each.adjusted for each in compared(rng.normal(size=(40, 3)), samples=199, seed=k))
        for k in range(300)
    ]
    assert abs(sum(p <= 0.1 for p in found) - 30) < 3.5 * math.sqrt(300 * 0.1 * 0.9)


def test_skewed_and_unequal_errors_find_little() -> None:
    rng = np.random.default_rng(2)
    sides, sizes = np.tile([1.0, -1.0], 4), 1 + np.arange(8) % 4
    wrong = 0
    for k in range(200):
        errors = sides * sizes * (rng.exponential(size=(20, 8)) - 1)
        wrong += min(each.adjusted for each in compared(errors, samples=499, seed=k)) <= 0.05
    # Without the median of squares and the correction it is some 40.
    assert wrong <= 20


def test_more_is_found_than_by_holm() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(41, 12)) + 0.25 * (np.arange(12) // 3)
    counts = [
        sum(each.adjusted <= 0.05 for each in compared(values, correction=correction))
        for correction in ("max-t", "holm")
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[1]


def test_the_mean_over_clusters_and_a_table_with_a_unit() -> None:
    rng = np.random.default_rng(4)
    family = np.repeat(np.arange(10), 6)
    shared = rng.normal(size=10)[family]
    table = {"family": [f"f{k}" for k in family], "a": shared + rng.normal(0, 0.1, 60)}
    table["b"] = rng.normal(0, 0.1, 60)
    clustered = po.compare_scores(table, unit="family")
    alone = po.compare_scores({name: table[name] for name in "ab"})
    assert clustered.systems == ("a", "b")
    assert clustered.pairs["score"][0].adjusted > 3 * alone.pairs["score"][0].adjusted
    assert "randomization test by family, max-T" in str(clustered)


def test_effect_sizes_worked_by_hand() -> None:
    values = np.array([[3.0, 1.0], [2.0, 2.0], [4.0, 1.0], [1.0, 2.0]])
    (found,) = compared(values)
    assert found.difference == 1.0
    # The differences 2, 0, 3, -1 have the variance (1 + 1 + 4 + 4) / 3.
    assert found.effect_size == 1 / math.sqrt(10 / 3)
    assert found.superiority == 0.625
    assert (found.wins, found.losses, found.ties) == (2, 1, 1)


def test_effect_sizes_of_constant_differences() -> None:
    equal, ahead = np.ones((3, 2)), np.array([[0.3, 0.1], [0.4, 0.2], [0.5, 0.3]])
    assert math.isnan(compared(equal)[0].effect_size)
    assert compared(ahead)[0].effect_size == math.inf
    assert compared(equal)[0].p_value == 1.0


def test_one_group_and_none_prove_nothing() -> None:
    (one,) = compared([[1.0, 0.0]])
    assert (one.p_value, one.low, one.high) == (1.0, -math.inf, math.inf)
    (none,) = compared(np.zeros((0, 2)))
    assert math.isnan(none.difference)
    assert math.isnan(none.p_value)
