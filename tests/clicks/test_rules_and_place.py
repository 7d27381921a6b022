"""What place does to each rule, as its docstring says it, by going through all clicks on a list.

The position-based model: position k is looked at with probability e(k), and what is looked at is
clicked with the probability of the item; people click from the top down.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest

import porank as po

E = dict(zip((1, 2, 3), (Fraction(9, 10), Fraction(1, 2), Fraction(1, 5)), strict=True))
P = {"u": Fraction(1, 2), "v": Fraction(1, 3), "w": Fraction(3, 5)}


def chances(rule: str, i: int, j: int) -> tuple[Fraction, Fraction]:
    """How likely a session prefers u at i to v at j, and the opposite; w is at the third place."""
    shown = {i: "u", j: "v", 6 - i - j: "w"}
    u, v = Fraction(0), Fraction(0)
    for clicks in product((False, True), repeat=3):
        clicked = dict(zip((1, 2, 3), clicks, strict=True))
        hits = {k: E[k] * P[shown[k]] for k in shown}
        chance = prod(hits[k] if clicked[k] else 1 - hits[k] for k in shown)
        rows = [(1, shown[k], k, "view", 0) for k in shown]
        rows += [(1, shown[k], k, "click", k) for k in shown if clicked[k]]
        columns = ("session", "item", "position", "event", "time")
        log = dict(zip(columns, zip(*rows, strict=True), strict=True))
        pairs = {row[1:3] for row in po.preference_pairs(log, rule=rule)}
        u += chance * (("u", "v") in pairs)
        v += chance * (("v", "u") in pairs)
    return u, v


@pytest.mark.parametrize(("i", "j"), [(1, 2), (1, 3), (2, 3)])
def test_as_the_docstrings_say(i: int, j: int) -> None:
    """Item u is at the upper position i; then at the lower one."""
    upper, lower, p, q = E[i], E[j], P["u"], P["v"]
    taste, are_neighbours = p - q, j == i + 1

    def found(rule: str) -> tuple[Any, ...]:
        """The chances with u above, and the difference of both arrangements."""
        above, below = chances(rule, i, j), chances(rule, j, i)
        return *above, above[0] + below[0] - above[1] - below[1]

    nobody_below = 1 if j == 3 else 1 - E[3] * P["w"]
    from_below = lower * q * (1 - upper * p)
    assert found("levels") == (upper * p * (1 - lower * q), from_below, (upper + lower) * taste)
    assert found("click_over_skip_above") == (0, from_below, lower * taste)
    last = from_below * nobody_below, lower * taste * nobody_below
    assert found("last_click_over_skip_above") == (0, *last)
    assert found("click_over_earlier_click") == (0, upper * lower * p * q, 0)
    previous = (0, from_below, lower * taste) if are_neighbours else (0, 0, 0)
    assert found("click_over_skip_previous") == previous
    following = (upper * p * (1 - lower * q), 0, upper * taste) if are_neighbours else (0, 0, 0)
    assert found("click_over_no_click_next") == following
