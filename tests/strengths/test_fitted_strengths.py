"""What fitted strengths tell: worths, chances, an order, ranks, and texts."""

import math
import pickle
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.results import Strengths


def fitted(risk: float = 0.05) -> Strengths:
    rng = np.random.default_rng(1)
    wins = {}
    for i, j in combinations(range(6), 2):
        won = int(rng.binomial(16, 1 / (1 + math.exp((i - j) / 2))))
        wins[i, j], wins[j, i] = won, 16 - won
    return po.fit_strengths(wins, risk=risk)


def test_worths_and_chances_are_those_of_strengths() -> None:
    found = fitted()
    assert sum(found.worths.values()) == pytest.approx(1)
    for u, v in combinations(found.items, 2):
        odds = found.worths[u] / found.worths[v]
        assert odds == pytest.approx(math.exp(found.strengths[u] - found.strengths[v]))
        assert found.probability(u, v) == pytest.approx(odds / (1 + odds))
        assert found.probability(u, v) + found.probability(v, u) == pytest.approx(1)


def test_the_order_is_the_closure_of_significant_differences() -> None:
    found = fitted()
    significant = {each[:2] for each in found.pairs if each.p_value <= found.risk}
    assert 0 < len(significant) < 15
    order = found.order()
    assert set(order.edges) == set(po.transitive_closure(nx.DiGraph(significant)).edges)
    assert list(order) == list(found.items)
    for u, v, data in order.edges(data=True):
        gap = found.strengths[u] - found.strengths[v]
        assert data["gap"] == pytest.approx(gap)
    assert found.rank_sets() == po.rank_intervals(order)
    assert all(each.low <= each.difference <= each.high for each in found.pairs)
    assert [tuple(row) for row in found.differences().rows] == list(found.pairs)
    assert set(fitted(risk=0.5).order().edges) > significant


def test_the_table_has_the_strongest_first_and_numbers_of_the_weaker() -> None:
    found = fitted()
    order, ranks = found.order(), found.rank_sets()
    rows = found.to_table().rows
    assert [row[1] for row in rows] == sorted("012345", key=lambda x: -found.strengths[int(x)])
    number = {int(str(row[1])): int(str(row[0])) for row in rows}
    for _, name, strength, low, high, weaker, may, _ in rows:
        item = int(str(name))
        assert (strength, (low, high)) == (found.strengths[item], found.intervals[item])
        ends = "-".join(str(each) for each in sorted({*ranks[item]}))
        assert may == ends
        assert str(weaker).count(",") + str(weaker).count("-") <= len(order[item])
        if len(order[item]) < 3:
            assert weaker == ",".join(str(each) for each in sorted(number[v] for v in order[item]))
    assert repr(found) == "<Strengths: 6 items, 240 battles>"


def test_notes_tell_what_cannot_be_compared() -> None:
    alone = po.fit_strengths({("x", "y"): 3})
    untested, apart, first, last = alone.notes()
    assert untested.startswith("not tested: the model has as many parameters")
    assert apart.startswith("2 parts: no item was ever preferred")
    assert first == "never lost, so the strength is inf: x"
    assert last == "never won, so the strength is -inf: y"
    assert alone.worths == {"x": math.inf, "y": 0}
    assert [row[3:6] for row in alone.to_table().rows] == [
        (math.inf, None, None),
        (-math.inf, None, None),
    ]
    ridged = po.fit_strengths({("x", "y"): 3}, ridge=1)
    assert "the ridge shrinks" in str(ridged)
    assert "ridge 1;" in str(ridged)


def test_tests_are_made_when_one_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = fitted()
    assert pickle.loads(pickle.dumps(whole)).pairs == whole.pairs
    monkeypatch.setattr("porank.strengths.fit_strengths.max_t", None)
    found = fitted()
    assert (found.worths, found.intervals) == (whole.worths, whole.intervals)
    assert repr(found) == repr(whole)
    with pytest.raises(TypeError):
        found.order()
    monkeypatch.undo()
    assert pickle.loads(pickle.dumps(found)).pairs == whole.pairs
