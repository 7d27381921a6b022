"""Expected discounted rank correlation: the paper's definition, its numbers, its errata."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.measures.edrc import edrc, edrc_table, edrc_terms
from tests import oracles
from tests.strategies import order_pairs

HALF = Fraction(1, 2)
DISCOUNTS: dict[str, Callable[[int], Any]] = {
    "linear": lambda rank: rank,
    "exponential": lambda rank: 2**rank,
    "shifted": lambda rank: rank - 1,
    "constant": lambda rank: 1,  # noqa: ARG005
    "log": lambda rank: math.log2(1 + rank),
}
PRINTED, PREDICTED = po.load_example("table1")
CORRECTED, _ = po.load_example("table1-corrected")


def expected_points(truth: oracles.Pairs, guess: oracles.Pairs, v: Any, w: Any, p: Any) -> Any:
    """EP(v, w): what v has of the pair with w, which is above it or beside it in the truth."""
    if (w, v) not in truth:
        return HALF
    if (w, v) in guess:
        return Fraction(1)
    return Fraction(0) if (v, w) in guess else p(w, v)


def by_definition(
    target: nx.DiGraph,
    predicted: nx.DiGraph,
    *,
    discount: Callable[[int], Any] = DISCOUNTS["linear"],
    prior: Callable[[Any, Any], Any] = lambda u, v: HALF,  # noqa: ARG005
    normalized: bool = False,
) -> Any:
    """2/Z sum C(v)/D(v) - 1, Z = sum |W(v)|/D(v), over the items with a preferred one; nan if 0/0.

    Normalized: divided by the value of a perfect prediction.
    """
    truth, guess = oracles.closure(target.edges), oracles.closure(predicted.edges)
    summed = [v for v in target if any(x == v for _, x in truth)]
    if not summed:
        return math.nan
    W = {v: [w for w in target if w != v and (v, w) not in truth] for v in summed}
    D = {v: Fraction(discount(oracles.rank(target, v))) for v in summed}
    C = {v: sum(expected_points(truth, guess, v, w, prior) for w in W[v]) for v in summed}
    Z = sum(len(W[v]) / D[v] for v in summed)
    value = 2 / Z * sum(C[v] / D[v] for v in summed) - 1
    return value / by_definition(target, target, discount=discount) if normalized else value


def prior_of(shares: dict[tuple[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A prior by pairs, of which one direction is enough."""
    return lambda u, v: shares[u, v] if (u, v) in shares else 1 - shares[v, u]


def near(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-12, abs=1e-12, nan_ok=True)


def check(pair: tuple[nx.DiGraph, nx.DiGraph], name: str, normalized: bool) -> None:
    """Hold the value, its terms and the rows of its table against the definition."""
    options: dict[str, Any] = {"discount": name, "normalized": normalized}
    defined = by_definition(*pair, discount=DISCOUNTS[name], normalized=normalized)
    assert edrc(*pair, **options) == near(defined)
    terms = edrc_terms(*pair, **options)
    if math.isnan(defined):
        assert terms == {}
        return
    assert list(terms) == list(pair[0])
    assert sum(terms.values()) == near(defined)
    below = [x for x in pair[0] if pair[0].in_degree(x)]
    assert not any(terms[x] for x in pair[0] if x not in below)
    assert [row[0] for row in edrc_table(*pair, **options).rows] == below


def test_small_orders_by_definition() -> None:
    for pair in product(oracles.strict_orders(3), repeat=2):
        for name in ("linear", "shifted"):
            check(pair, name, normalized=name == "shifted")


@given(order_pairs(max_items=7), st.sampled_from(sorted(DISCOUNTS)), st.booleans())
def test_random_orders_by_definition(
    pair: tuple[nx.DiGraph, nx.DiGraph], name: str, normalized: bool
) -> None:
    check(pair, name, normalized)


@given(order_pairs(), st.data())
def test_priors_by_definition(pair: tuple[nx.DiGraph, nx.DiGraph], data: st.DataObject) -> None:
    shares: dict[tuple[Any, Any], Fraction] = {}
    for u, v in permutations(pair[0], 2):
        shares[u, v] = 1 - shares[v, u] if (v, u) in shares else data.draw(st.fractions(0, 1))
    asked = set()

    def prior(u: Any, v: Any) -> Fraction:
        asked.add(frozenset((u, v)))
        return shares[u, v]

    defined = by_definition(*pair, prior=lambda u, v: shares[u, v])
    assert edrc(*pair, prior=prior) == near(defined)
    # It is asked of pairs that the target alone decides.
    truth, guess = (set(map(frozenset, oracles.closure(G.edges))) for G in pair)
    assert asked == truth - guess
    found = sum(edrc_terms(*pair, prior=prior).values())
    assert found == near(0 if math.isnan(defined) else defined)


def test_the_table_of_the_paper() -> None:
    table = edrc_table(CORRECTED, PREDICTED)
    assert table.title == "EDRC = 5/29"
    assert table.columns == ("v", "R(v)", "D(v)", "|W(v)|", "C(v)", "summand")
    assert table.rows == (
        ("C", 2, 2, 3, 1, Fraction(-3, 29)),
        ("D", 3, 3, 4, Fraction(5, 2), Fraction(2, 29)),
        ("E", 2, 2, 4, 3, Fraction(6, 29)),
    )
    printed = edrc_table(PRINTED, PREDICTED)
    assert [row[4] for row in printed.rows] == [1, Fraction(5, 2), Fraction(5, 2)]
    shares = {("A", "D"): 0.75, ("B", "D"): 0.5}
    normalized = edrc_table(CORRECTED, PREDICTED, normalized=True, prior=prior_of(shares))
    assert normalized.title == "normalized EDRC = 2/5"
    assert [row[4] for row in normalized.rows] == [1, Fraction(11, 4), 3]
    # The share of similar users, as in the paper: C(D) = .7 + .5 + 1 + .5.
    seven = prior_of({("A", "D"): Fraction(7, 10), ("B", "D"): HALF})
    assert edrc(CORRECTED, PREDICTED, prior=seven) == near(0.2)
    assert edrc_table(CORRECTED, PREDICTED, prior=seven).rows[1][4] == Fraction(27, 10)
    floats = {("A", "D"): 0.7, ("D", "A"): 0.3, ("D", "B"): np.float64(0.5)}
    assert edrc(CORRECTED, PREDICTED, prior=prior_of(floats)) == near(0.2)
    logs = edrc_table(CORRECTED, PREDICTED, discount="log")
    assert [row[2] for row in logs.rows] == [math.log2(3), 2.0, math.log2(3)]
    nothing = edrc_table([1, 1], [1, 2])
    assert (nothing.rows, nothing.title) == ((), "EDRC is 0/0: the target decides no pair")
    # Long fractions are shown as decimals.
    table = edrc_table(np.arange(30, 0, -1), np.arange(30) // 2)
    shown = [row[5] for row in table.rows]
    assert {type(value) for value in shown} == {Fraction, float}
    assert all(value.denominator < 10_000 for value in shown if isinstance(value, Fraction))


@pytest.mark.parametrize("discount", ["linear", "exponential", "constant"])
def test_many_ranks(discount: str) -> None:
    """2**10001 is no float; its inverse is 0, and harms nothing."""
    target = np.arange(10_002, 0, -1)
    assert edrc(target, -target, discount=discount) == pytest.approx(-1)
    terms = edrc_terms(target, target, discount=discount)
    assert math.fsum(terms.values()) == pytest.approx(1)
    assert all(isinstance(term, float) for term in terms.values())


def test_a_function_of_the_rank_as_discount() -> None:
    sevenths = {rank: Fraction(rank, 7) for rank in (2, 3)}
    # A common factor cancels, and the first rank is never discounted.
    for discount in (sevenths.__getitem__, np.int8):
        assert edrc(CORRECTED, PREDICTED, discount=discount) == near(5 / 29)


def test_the_page_of_errata_is_complete() -> None:
    page = (Path(__file__).parents[2] / "docs" / "errata.md").read_text("utf-8")
    counts = {"T": 8, "E": 9, "C": 5, "K": 7}
    errata = [f"{letter}{number + 1}" for letter in counts for number in range(counts[letter])]
    assert re.findall(r"^### ([A-Z]\d):", page, re.MULTILINE) == errata
    for part in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        assert ">>> " in part, f"{part[:2]} shows no line of code"
