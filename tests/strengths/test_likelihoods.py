"""Likelihoods of orders and battles, and their gradients, by definition."""

import math
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import compile_order
from porank.strengths import likelihoods
from porank.strengths.likelihoods import OrderLikelihood, battle_likelihood, pieces_of
from tests.support import oracles_strengths as oracles
from tests.support.strategies import orders


def likelihood_of(graphs: list[Any], items: list[Any], **options: int) -> OrderLikelihood:
    number = {item: place for place, item in enumerate(items)}
    compiled = [compile_order(G) for G in graphs]
    numbered = [(each, np.array([number[x] for x in each.items], dtype=int)) for each in compiled]
    return OrderLikelihood([*pieces_of(numbered)], len(graphs), **{"max_ideals": 10**6, **options})


@given(st.lists(orders(max_items=5), min_size=1, max_size=4), st.integers(0, 10**6))
def test_an_order_is_as_likely_as_all_its_rankings(graphs: list[nx.DiGraph], seed: int) -> None:
    items = list(dict.fromkeys(item for G in graphs for item in G)) or ["x"]
    parameters = np.random.default_rng(seed).normal(0, 2, len(items))
    likelihood = likelihood_of(graphs, items)
    logs, slopes = likelihood.log_chances(parameters), likelihood.score(parameters)
    strengths = dict(zip(items, parameters.tolist(), strict=True))
    for G, found, slope in zip(graphs, logs.tolist(), slopes, strict=True):
        assert math.exp(found) == pytest.approx(oracles.order_probability(G, strengths), rel=1e-12)
        expected = oracles.gradient(partial(oracles.log_of_order, G), strengths)
        assert slope == pytest.approx(expected, abs=1e-7)


# Claimed in the head of the module and in the docs: the log likelihood is concave.
@given(orders(max_items=6), st.integers(0, 10**6))
def test_the_log_likelihood_of_a_partial_order_is_concave(G: nx.DiGraph, seed: int) -> None:
    rng, n = np.random.default_rng(seed), max(len(G), 1)
    likelihood = likelihood_of([G], list(G) or ["x"])
    one, other = rng.normal(0, 3, (2, n))
    values = [likelihood.log_chances(each)[0] for each in (one, other, (one + other) / 2)]
    assert values[2] >= (values[0] + values[1]) / 2 - 1e-12
    (information,) = likelihood.information(one, np.ones((1, 1)))
    assert np.linalg.eigvalsh(information).min(initial=0) >= -1e-8
    assert information == pytest.approx(information.T, abs=1e-8)


@given(st.data())
def test_the_information_of_rankings_is_that_of_differences_of_scores(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 7))
    graphs = [
        dict(zip(items, data.draw(st.permutations(range(len(items)))), strict=True))
        | dict.fromkeys(set(range(n)) - {*items} if data.draw(st.booleans()) else (), -1)
        for items in data.draw(
            st.lists(st.lists(st.integers(0, n - 1), unique=True, min_size=1), min_size=1)
        )
    ]
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    at, weights = rng.normal(0, 2, n), rng.integers(4, size=(3, len(graphs)))
    likelihood = likelihood_of(graphs, list(range(n)))
    steps = [(likelihood.score(at - h) - likelihood.score(at + h)) / 2e-5 for h in np.eye(n) * 1e-5]
    expected = [np.stack([each @ step for step in steps], axis=1) for each in weights]
    for block in (1, 2**21):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(likelihoods, "_ENTRIES", block)
            likelihood = likelihood_of(graphs, list(range(n)))
            assert likelihood.information(at, weights) == pytest.approx(
                np.array(expected), abs=1e-7
            )


def test_long_rankings_and_their_levels_are_no_smaller_than_floats() -> None:
    parameters = np.random.default_rng(0).normal(size=400)
    ranking = likelihood_of([po.from_ranking(range(400))], list(range(400)))
    worth = np.exp(parameters)
    expected = np.log(worth / np.cumsum(worth[::-1])[::-1]).sum()
    assert ranking.log_chances(parameters)[0] == pytest.approx(expected, rel=1e-12)
    # The top three of many: the others come in any sequence, in one ideal each.
    top = likelihood_of([{k: max(0, 3 - k) for k in range(400)}], list(range(400)), max_ideals=4)
    assert top.log_chances(parameters)[0] == pytest.approx(
        sum(parameters[k] - np.log(worth[k:].sum()) for k in range(3)), rel=1e-12
    )


def test_too_many_ideals_are_refused_with_a_way_out() -> None:
    order = dict(enumerate([1] * 12 + [0]))
    with pytest.raises(po.errors.TooManyIdealsError, match="restrict"):
        po.fit_strengths([order, [0, 1]], ridge=1, max_ideals=1000)


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3))
def test_battles_by_definition(values: list[float]) -> None:
    items, parameters = "abc", np.array(values)
    strengths = dict(zip(items, values, strict=True))
    battles = [(0, 1, 0), (1, 2, 1)]
    first, second, outcomes = map(np.array, zip(*battles, strict=True))
    likelihood = battle_likelihood(*np.where(outcomes, (second, first), (first, second)))
    logs, slopes = likelihood.log_chances(parameters), likelihood.score(parameters)
    information = likelihood.information(parameters, np.eye(len(battles)))
    ends = [
        [likelihood.score(parameters + h * each) for h in (1e-5, -1e-5)]
        for each in np.eye(len(items))
    ]
    slopes_of_slopes = np.array([(below - above) / 2e-5 for above, below in ends])
    for k, (i, j, outcome) in enumerate(battles):
        winner, loser = (j, i) if outcome == 1 else (i, j)
        battle = (items[winner], items[loser], False)
        expected = math.log(oracles.battle_probability(battle, strengths))
        assert logs[k] == pytest.approx(expected, rel=1e-12)
        steps = oracles.gradient(partial(oracles.log_of_battles, [battle]), strengths)
        assert slopes[k] == pytest.approx(steps, abs=1e-8)
        assert information[k] == pytest.approx(slopes_of_slopes[:, k], abs=1e-8)
