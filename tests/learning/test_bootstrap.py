"""Bootstrap samples, and rankers asked on them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse

import porank as po
from porank.learning.bootstrap import draw_sample, take_rows
from tests.strategies import item_lists

VOTES = ["abc", "abc", "bca", "cab", "abc", "bac"]


def points(votes: list[str]) -> dict[str, int]:
    """Score each candidate by the candidates that it beats, vote by vote."""
    return {item: -sum(vote.index(item) for vote in votes) for item in "abc"}


def samples_of(data: Any, k: int, seed: int) -> list[Any]:
    """Return the samples that a ranker is asked on."""
    samples: list[Any] = []

    def ranker(sample: Any) -> Any:
        samples.append(sample)
        return {1: len(samples)}

    orders = po.bootstrap_orders(ranker, data, k, seed=seed)
    assert orders == [{1: number} for number in range(1, k + 1)], "those of the samples, in turn"
    return samples


@given(item_lists(), st.integers(1, 4), st.integers(0, 9))
def test_as_many_instances_are_drawn_as_there_are(data: list[Any], k: int, seed: int) -> None:
    assume(data)
    samples = samples_of(data, k, seed)
    assert all(len(sample) == len(data) for sample in samples)
    assert all(instance in data for sample in samples for instance in sample)


def test_each_instance_is_as_likely_at_each_place() -> None:
    drawn = Counter(pair for sample in samples_of(range(4), 1000, 0) for pair in enumerate(sample))
    # Each of 16 counts is 250 on average; chi-square with 12 degrees of freedom, 99.9 % below 32.9.
    assert sum((drawn[i, j] - 250) ** 2 / 250 for i in range(4) for j in range(4)) < 32.9


def test_same_seed_same_samples_and_few_are_the_first_of_many() -> None:
    many = po.bootstrap_orders(points, VOTES, 8, seed=1)
    assert po.bootstrap_orders(points, VOTES, 3, seed=1) == many[:3]
    assert po.bootstrap_orders(points, VOTES, 8, seed=2) != many
    rng = np.random.default_rng(1)
    assert po.bootstrap_orders(points, VOTES, 8, seed=rng) == many
    assert po.bootstrap_orders(points, VOTES, 8, seed=rng) != many
    assert len(po.bootstrap_orders(points, VOTES)) == 10


def test_a_sample_is_of_the_same_kind() -> None:
    numbers, frame = np.array([2, 0, 2]), pd.DataFrame({"x": [5, 6, 7]}, index=["a", "b", "c"])
    assert take_rows(frame, numbers).x.tolist() == [7, 5, 7]
    assert take_rows(np.array([5, 6, 7]), numbers).tolist() == [7, 5, 7]
    assert take_rows(["a", "b", "c"], numbers) == ["c", "a", "c"]
    rows = [[0, 1], [2, 2]]
    (sample,) = samples_of(sparse.coo_array(rows), 1, 0)
    assert all(row in rows for row in sample.toarray().tolist())


def test_a_sample_without_two_grades_is_drawn_again() -> None:
    values = np.array([0, 0, 0, 0, 1])
    rng = np.random.default_rng(0)
    samples, _, times_redrawn = zip(*(draw_sample(values, rng) for _ in range(1000)), strict=True)
    assert all(4 in rows and set(rows) != {4} for rows in samples)
    # A sample is thrown away with probability p = 0.8**5 + 0.2**5 = 0.328: p / (1 - p) = 0.488.
    assert abs(sum(times_redrawn) / 1000 - 0.488) < 0.1
    # Those kept are as if they alone had been drawn: of five rows 1 / (1 - p) are number 4.
    share = sum(np.count_nonzero(rows == 4) for rows in samples) / 1000
    assert abs(share - (1 - 5 * 0.2**5) / (1 - 0.8**5 - 0.2**5)) < 0.1
