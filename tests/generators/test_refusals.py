"""What is out of range, refused by every generator, and too large a graph before it is written."""

from __future__ import annotations

from functools import partial
from typing import Any

import networkx as nx
import pytest

import porank as po

drawn = partial(po.random_order, 3)
centered = partial(po.mallows, size=1, dispersion=0.5)
strong = partial(po.plackett_luce, size=1)
SIZED = [po.chain, po.antichain, po.boolean_lattice, po.divisor_lattice]


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        *[
            (constructor, {"n": n}, r"a whole number of at least [01] as n, found")
            for constructor in SIZED
            for n in (-1, True, 2.0, "3", None)
        ],
        (po.divisor_lattice, {"n": 0}, "a whole number of at least 1 as n, found"),
        (po.boolean_lattice, {"n": 63}, "expected at most 10,000,000 edges to write, found"),
        (po.boolean_lattice, {"n": 10**9}, "expected at most 10,000,000 edges to write, found"),
        (po.boolean_lattice, {"n": 20}, "found 10,485,760; choose a smaller n"),
        (po.chain, {"n": 10**7 + 2}, "found 10,000,001; choose a smaller n"),
        (po.load_example, {"name": "x"}, "one of 'table1', 'table1-corrected', .*s', found 'x'"),
        (drawn, {}, "either dimension= or edge_probability=, found neither"),
        (drawn, {"dimension": 2, "edge_probability": 0.5}, "edge_probability=, found both"),
        *[(drawn, {"dimension": d}, "at least 1 as dimension, found") for d in (0, True, 1.5)],
        *[
            (drawn, {"edge_probability": p}, "from 0 to 1 as edge_probability, found")
            for p in (-0.1, float("nan"), "0.5")
        ],
        (po.random_order, {"n": -1, "dimension": 2}, "at least 0 as n, found"),
        (po.random_ranking, {"items": -1}, "at least 0 as the number of items, found -1"),
        (po.random_ranking, {"items": [1, 2, 1]}, "once in the items, found again: 1"),
        (centered, {"center": {0: 1, 1: 1, 2: 0}}, "one of 3 items in 2 levels"),
        (centered, {"center": nx.DiGraph(["ab", "ba"])}, "the cycle .* in center"),
        (centered, {"center": ["a", "a"]}, "once in the center, found again: 'a'"),
        (centered, {"center": ["a"], "dispersion": 1.5}, "from 0 to 1 as dispersion, found 1.5"),
        (centered, {"center": ["a"], "size": -1}, "at least 0 as size, found"),
        (strong, {"strengths": {"a": 1}, "size": True}, "at least 0 as size, found"),
        (strong, {"strengths": [1]}, "a mapping item -> strength, found a"),
        *[
            (strong, {"strengths": {"b": value}}, "a positive, finite strength for 'b', found")
            for value in (0, float("nan"), float("inf"), "1", None, 10**400)
        ],
    ],
)
def test_what_is_refused(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        make(**options)
