"""Weights, costs and dissimilarities: what is taken, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import porank as po
from porank.errors import NotApplicableError, PorankError
from porank.measures.generalized import (
    generalized_footrule,
    generalized_footrule_terms,
    generalized_kendall,
    generalized_kendall_terms,
)

both = pytest.mark.parametrize("distance", [generalized_kendall, generalized_footrule])


class TestNumbers:
    """Numbers of all kinds in, plain floats out."""

    def test_numbers_beyond_64_bits(self) -> None:
        for large in (2**20, 2**63 - 1, 2**63, 2**80):
            weights = [large, 1, large + 1]
            terms = generalized_kendall_terms([3, 2, 1], [1, 2, 3], weights=weights)
            expected = {(0, 1): large, (0, 2): large * (large + 1), (1, 2): large + 1}
            assert terms == pytest.approx(expected, rel=1e-12)
            moves = generalized_footrule_terms([3, 2, 1], [1, 2, 3], weights=weights)
            assert moves[0] == pytest.approx(large * (large + 2), rel=1e-12)
        with pytest.raises(PorankError, match="exceed all floats"):
            generalized_kendall([2, 1], [1, 2], weights=[1e200, 1e200])
        with pytest.raises(PorankError, match="exceed all floats"):
            generalized_footrule([2, 1], [1, 2], weights=[1e200, 1e200])
        with pytest.raises(PorankError, match="finite and at least 0"):
            generalized_kendall([2, 1], [1, 2], weights=[10**400, 1])

    def test_terms_of_floats_add_up(self) -> None:
        rng = np.random.default_rng(0)
        x, y, weights = rng.random((3, 200))
        terms = generalized_footrule_terms(x, y, weights=weights)
        value = generalized_footrule(x, y, weights=weights)
        assert math.isclose(math.fsum(terms.values()), value, rel_tol=1e-12)
        pairs = generalized_kendall_terms(x, y, weights=weights)
        value = generalized_kendall(x, y, weights=weights)
        assert math.isclose(math.fsum(pairs.values()), value, rel_tol=1e-12)

    def test_pairs_as_in_the_pair_classes(self) -> None:
        terms = generalized_kendall_terms(po.parse("a > b; c; d"), po.parse("b > a > c; d"))
        assert terms == {("a", "b"): 1, ("a", "c"): Fraction(1, 2), ("b", "c"): Fraction(1, 2)}

    @pytest.mark.parametrize(
        "weights",
        [
            {"b": 2, "a": 1, "c": 3, "unknown": "x"},
            [1, 2, 3],
            (1, 2, 3),
            np.array([1, 2, 3], dtype=np.uint8),
            np.array([1, 2, 3], dtype=np.uint64),
            np.array([1.0, 2.0, 3.0], dtype=np.float32),
            np.array([1, Fraction(2), 3], dtype=object),
            [np.int64(1), np.float64(2), 3],
            pd.Series([3, 1, 2], index=["c", "a", "b"]),
        ],
    )
    def test_forms_of_weights(self, weights: Any) -> None:
        scores, turned = {"a": 3, "b": 2, "c": 1}, {"c": 2, "a": 3, "b": 1}
        assert generalized_kendall(scores, turned, weights=weights) == 6

    @pytest.mark.parametrize(
        "dissimilarity",
        [
            [[0, 1, 2], [1, 0, 4], [2, 4, 0]],
            np.array([[0, 1, 2], [1, 0, 4], [2, 4, 0.0]]),
            {("a", "b"): 1, ("c", "a"): 2, ("b", "c"): 4},
            {("a", "b"): 1, ("b", "a"): 1, ("c", "a"): 2, ("b", "c"): 4, ("a", "a"): 0},
            lambda u, v: {"ab": 1, "ac": 2, "bc": 4}.get("".join(sorted(u + v)), 0),
            pd.DataFrame([[0, 4, 2], [4, 0, 1], [2, 1, 0]], index=[*"cba"], columns=[*"cba"]),
        ],
    )
    def test_forms_of_dissimilarity(self, dissimilarity: Any) -> None:
        one, other = po.parse("a > b > c"), po.parse("c > b > a")
        assert generalized_kendall(one, other, dissimilarity=dissimilarity) == 7

    @both
    def test_few_items(self, distance: Any) -> None:
        assert distance([], []) == distance([1], [1]) == distance([1], [1], weights=[7]) == 0
        for fixed in ("one", "local"):
            assert distance([], [], position_costs=[], fixed=fixed) == 0
            assert distance([1], [1], position_costs=[], fixed=fixed) == 0
        empty: Any = np.zeros((0, 0))
        assert distance([], [], dissimilarity=empty) == distance([], [], dissimilarity=[]) == 0
        assert distance([1], [1], dissimilarity=[[0]]) == 0


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"weights": {"a": 1, "c": 1}}, "a weight for each item, found none for 'b'"),
    ({"weights": {"a": 1, "b": -1, "c": 1}}, "at least 0, found -1 for 'b'"),
    ({"weights": np.array([1, 1, np.nan])}, "found nan for 'c'"),
    ({"weights": [1, 2]}, "item -> weight or 3 weights, found 2"),
    ({"position_costs": [1, 1, 1]}, "n - 1 = 2 position costs, .*found 3"),
    ({"position_costs": [1, -1]}, "position cost, .*found -1 for position 3"),
    (
        {"dissimilarity": [[0, 1, 1], [2, 0, 1], [1, 1, 0]]},
        r"symmetric .*found 1 for \('a', 'b'\) and 2 for \('b', 'a'\); \(D \+ D.T\) / 2",
    ),
    (
        {"dissimilarity": [[0, 1, 1], [1, 3, 1], [1, 1, 0]]},
        "0 of each item from itself, found 3 for 'b'",
    ),
    ({"dissimilarity": lambda *_: -1}, r"at least 0, found -1 for \('a', 'b'\)"),
    (
        {"dissimilarity": {("a", "b"): 1, ("a", "c"): 1}},
        r"for each pair of items, found none for \('b', 'c'\)",
    ),
    ({"dissimilarity": np.eye(2)}, r"shape \(3, 3\), .*found the shape \(2, 2\)"),
]


class TestBadInput:
    """What is refused, and in which words."""

    def test_options(self) -> None:
        for options, message in WRONG:
            with pytest.raises(PorankError, match=message):
                generalized_kendall(po.parse("a > b > c"), po.parse("c > b > a"), **options)

    @both
    @pytest.mark.parametrize("side", ["target", "predicted"])
    def test_position_costs_need_total_orders(self, distance: Any, side: str) -> None:
        pair = [po.parse("a > b > c"), po.parse("a > b ~ c")]
        with pytest.raises(NotApplicableError, match=f"two total orders .* {side} is not total"):
            distance(*(pair if side == "predicted" else pair[::-1]), position_costs=[1, 1])


def test_what_floats_leave_is_no_dissimilarity() -> None:
    """A diagonal of 1e-16, directions that differ in the last digit, a zero just below zero."""
    rng = np.random.default_rng(0)
    correlation = np.corrcoef(rng.normal(size=(5, 7)))
    exact = np.round(1 - correlation, 6)
    rough = exact + 1e-13 * rng.normal(size=exact.shape)
    one, other = rng.permutation(5), rng.permutation(5)
    for function in (po.generalized_kendall, po.generalized_footrule):
        value = function(one, other, dissimilarity=rough)
        assert value == pytest.approx(function(one, other, dissimilarity=exact), rel=1e-9)
    with pytest.raises(po.PorankError, match="expected a symmetric dissimilarity"):
        po.generalized_kendall([1, 2], [2, 1], dissimilarity=np.array([[0.0, 1.0], [1.1, 0.0]]))


def test_lists_are_by_number_where_the_items_are_numbers() -> None:
    """Whatever the sequence in which 0..n-1 were added to the graph."""
    predicted = po.from_ranking([1, 2, 0])
    dissimilarity = np.array([[0, 1, 5], [1, 0, 2], [5, 2, 0]])
    values = set()
    for sequence in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        target = nx.DiGraph()
        target.add_nodes_from(sequence)
        target.add_edges_from([(0, 1), (1, 2)])
        values.add(
            (
                po.generalized_kendall(target, predicted, weights=[1, 2, 3]),
                po.generalized_kendall(target, predicted, dissimilarity=dissimilarity),
            )
        )
    assert values == {(5.0, 6.0)}
