"""What is out of range, refused by every generator, and too large a graph before it is written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import networkx as nx
import pytest

import porank as po

NAN = float("nan")
SIZED = [po.chain, po.antichain, po.boolean_lattice, po.divisor_lattice]
drawn = partial(po.random_order, 3)
centered = partial(po.mallows, size=1, dispersion=0.5)
strong = partial(po.plackett_luce, size=1)


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        *[(make, {"n": n}, "[01] as n") for make in SIZED for n in (-1, True, 2.0, "3", None)],
        (po.divisor_lattice, {"n": 0}, "at least 1 as n"),
        *[(po.boolean_lattice, {"n": n}, "10,000,000 edges") for n in (63, 10**9)],
        (po.boolean_lattice, {"n": 20}, "found 10,485,760"),
        (po.chain, {"n": 10**7 + 2}, "found 10,000,001"),
        (po.load_example, {"name": "x"}, "one of 'table1'"),
        (drawn, {}, "found neither"),
        (drawn, {"dimension": 2, "edge_probability": 0.5}, "found both"),
        *[(drawn, {"dimension": d}, "as dimension") for d in (0, True, 1.5)],
        *[(drawn, {"edge_probability": p}, "as edge_probability") for p in (-0.1, NAN, "0.5")],
        (po.random_order, {"n": -1, "dimension": 2}, "at least 0 as n"),
        (po.random_ranking, {"items": -1}, "the number of items"),
        (po.random_ranking, {"items": [1, 2, 1]}, "found again: 1"),
        (centered, {"center": {0: 1, 1: 1, 2: 0}}, "3 items in 2 levels"),
        (centered, {"center": nx.DiGraph(["ab", "ba"])}, "in center"),
        (centered, {"center": ["a", "a"]}, "found again: 'a'"),
        (centered, {"center": ["a"], "dispersion": 1.5}, "as dispersion"),
        (centered, {"center": ["a"], "size": -1}, "as size"),
        (strong, {"strengths": {"a": 1}, "size": True}, "as size"),
        (strong, {"strengths": [1]}, "mapping item -> strength"),
        *[
            (strong, {"strengths": {"b": value}}, "strength for 'b'")
            for value in (0, NAN, float("inf"), "1", None, 10**400)
        ],
    ],
)
def test_what_is_refused(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        make(**options)


def test_too_many_edges_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 10)
    calls: list[tuple[Callable[[int], Any], str]] = [
        (lambda k: po.random_order(11 + k, dimension=1), "found 11; choose a smaller n"),
        (lambda k: po.mallows("abcde", 2 + k, dispersion=1), "found 15; draw fewer"),
        (lambda k: po.plackett_luce(dict.fromkeys("abcde", 1), 2 + k), "found 15; draw fewer"),
    ]
    for call, message in calls:
        call(0)
        with pytest.raises(po.PorankError, match=message):
            call(1)


def test_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.core.graphs.MAX_BYTES", 100)
    models: list[tuple[dict[str, Any], str]] = [
        ({"dimension": 2}, "a matrix of 6 items"),
        ({"edge_probability": 1}, "random edges of 6 items"),
    ]
    for model, what in models:
        with pytest.raises(po.PorankError, match=f"{what}.*choose a smaller n"):
            po.random_order(6, **model)
