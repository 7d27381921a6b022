"""The dimension of orders that are too large."""

import pytest

import porank as po
from tests.support.refusals import refuses


def test_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    G = po.random_order(20, dimension=2, seed=0)
    monkeypatch.setattr("porank.core.graphs.MAX_BYTES", 100)
    for function in (po.find_realizer, po.find_forced_contradiction):
        refuses(r"matrices of 20 items.*restrict", function, G)
