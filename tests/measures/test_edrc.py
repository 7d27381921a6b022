"""Expected discounted rank correlation: the paper's definition, its numbers, its errata."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.errors import PorankError
from porank.measures.edrc import edrc, edrc_table, edrc_terms
from tests import oracles
from tests.strategies import orders

HALF = Fraction(1, 2)
RATIONAL: dict[str, Callable[[int], int]] = {
    "linear": lambda rank: rank,
    "exponential": lambda rank: 2**rank,
    "shifted": lambda rank: rank - 1,
    "constant": lambda rank: 1,  # noqa: ARG005
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
    discount: Callable[[int], Any] = RATIONAL["linear"],
    prior: Callable[[Any, Any], Any] = lambda u, v: HALF,  # noqa: ARG005
    normalized: bool = False,
) -> Any:
    """2/Z sum C(v)/D(v) - 1, Z = sum |W(v)|/D(v), over the items with a preferred one; None if 0/0.

    Normalized: divided by the value of a perfect prediction.
    """
    truth, guess = oracles.closure(target.edges), oracles.closure(predicted.edges)
    summed = [v for v in target if any(x == v for _, x in truth)]
    if not summed:
        return None
    W = {v: [w for w in target if w != v and (v, w) not in truth] for v in summed}
    D = {v: Fraction(discount(oracles.rank(target, v))) for v in summed}
    C = {v: sum(expected_points(truth, guess, v, w, prior) for w in W[v]) for v in summed}
    Z = sum(len(W[v]) / D[v] for v in summed)
    value = 2 / Z * sum(C[v] / D[v] for v in summed) - 1
    return value / by_definition(target, target, discount=discount) if normalized else value


def prior_of(shares: dict[tuple[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A prior by pairs, of which one direction is enough."""
    return lambda u, v: shares[u, v] if (u, v) in shares else 1 - shares[v, u]


def same(value: float, defined: Any) -> bool:
    """The value is the defined one, but for rounding; nan stands for None."""
    if defined is None:
        return math.isnan(value)
    return math.isclose(value, defined, rel_tol=1e-12, abs_tol=1e-12)


@st.composite
def order_pairs(draw: st.DrawFn, *, max_items: int = 7) -> tuple[nx.DiGraph, nx.DiGraph]:
    """Two orders on the same items, inserted in two sequences; one in four of them weak."""
    target = draw(orders(max_items=max_items))
    return draw(one_of_both(target)), draw(one_of_both(target))


@st.composite
def one_of_both(draw: st.DrawFn, like: nx.DiGraph) -> nx.DiGraph:
    """An order on the items of another: partial, or by levels."""
    items = draw(st.permutations(list(like)))
    if draw(st.booleans()):
        levels = {item: draw(st.integers(0, 3)) for item in items}
        return po.from_ranks(levels)
    pairs = [(u, v) for i, u in enumerate(items) for v in items[i + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return po.from_pairs(chosen, items=draw(st.permutations(items)))


def small_pairs() -> Iterator[tuple[nx.DiGraph, nx.DiGraph]]:
    """All pairs of orders on up to three items, and some on four."""
    for n in range(4):
        every = list(oracles.strict_orders(n))
        yield from ((target, predicted) for target in every for predicted in every)
    random, every = Random(4), list(oracles.strict_orders(4))
    yield from (tuple(random.choices(every, k=2)) for _ in range(200))


@pytest.mark.parametrize("name", RATIONAL)
def test_small_orders_against_the_definition(name: str) -> None:
    for target, predicted in small_pairs():
        for normalized in (False, True):
            value = edrc(target, predicted, discount=name, normalized=normalized)
            defined = by_definition(
                target, predicted, discount=RATIONAL[name], normalized=normalized
            )
            assert same(value, defined), (list(target.edges), list(predicted.edges))


@given(order_pairs(), st.sampled_from(sorted(RATIONAL)), st.booleans())
def test_random_orders_against_the_definition(
    pair: tuple[nx.DiGraph, nx.DiGraph], name: str, normalized: bool
) -> None:
    options: dict[str, Any] = {"discount": name, "normalized": normalized}
    defined = by_definition(*pair, discount=RATIONAL[name], normalized=normalized)
    assert same(edrc(*pair, **options), defined)
    terms = edrc_terms(*pair, **options)
    if defined is None:
        assert terms == {}
    else:
        assert list(terms) == list(pair[0])
        assert same(sum(terms.values()), defined)
        sources = po.maximal_items(pair[0])
        assert all(terms[item] == 0 for item in sources)
        table = edrc_table(*pair, **options)
        assert [row[0] for row in table.rows] == [x for x in pair[0] if x not in sources]


@given(order_pairs(), st.data())
def test_random_priors_against_the_definition(
    pair: tuple[nx.DiGraph, nx.DiGraph], data: st.DataObject
) -> None:
    shares: dict[tuple[Any, Any], Fraction] = {}
    for u, v in permutations(pair[0], 2):
        known = 1 - shares[v, u] if (v, u) in shares else None
        shares[u, v] = known if known is not None else data.draw(st.fractions(0, 1))
    defined = by_definition(*pair, prior=lambda u, v: shares[u, v])
    assert same(edrc(*pair, prior=prior_of(shares)), defined)
    terms = edrc_terms(*pair, prior=prior_of(shares))
    assert same(sum(terms.values()), defined or 0)


@given(order_pairs())
def test_the_logarithm_against_the_definition(pair: tuple[nx.DiGraph, nx.DiGraph]) -> None:
    defined = by_definition(*pair, discount=lambda rank: Fraction(math.log2(1 + rank)))
    value = edrc(*pair, discount="log")
    assert math.isnan(value) if defined is None else value == pytest.approx(float(defined))
    terms = edrc_terms(*pair, discount="log")
    assert all(isinstance(term, float) for term in terms.values())
    assert sum(terms.values()) == pytest.approx(float(defined or 0))


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
    logs = edrc_table(CORRECTED, PREDICTED, discount="log")
    assert [row[2] for row in logs.rows] == [math.log2(3), 2.0, math.log2(3)]
    nothing = edrc_table([1, 1], [1, 2])
    assert nothing.rows == ()
    assert nothing.title == "EDRC is 0/0: the target decides no pair"


def test_long_fractions_are_shown_as_decimals() -> None:
    table = edrc_table(np.arange(30, 0, -1), np.arange(30) // 2)
    shown = [row[5] for row in table.rows]
    assert {type(value) for value in shown} == {Fraction, float}
    assert all(value.denominator < 10_000 for value in shown if isinstance(value, Fraction))


@pytest.mark.parametrize("discount", ["linear", "exponential", "constant"])
def test_many_ranks(discount: str) -> None:
    """2**10001 is no float; its inverse is 0, and harms nothing."""
    n = 10_002
    target = np.arange(n, 0, -1)
    assert edrc(target, -target, discount=discount) == pytest.approx(-1)
    terms = edrc_terms(target, target, discount=discount)
    assert math.fsum(terms.values()) == pytest.approx(1)
    assert all(isinstance(term, float) for term in terms.values())


def test_only_pairs_that_the_prediction_leaves_open_ask_the_prior() -> None:
    asked = set()

    def prior(preferred: str, other: str) -> Fraction:
        asked.add(preferred + other)
        return HALF

    assert edrc(CORRECTED, PREDICTED, prior=prior) == pytest.approx(5 / 29, rel=1e-12)
    assert asked == {"AD", "DA", "BD", "DB"}


def test_seven_in_ten() -> None:
    """The share of similar users, as in the paper: C(D) = .7 + .5 + 1 + .5."""
    prior = prior_of({("A", "D"): Fraction(7, 10), ("B", "D"): HALF})
    terms = edrc_terms(CORRECTED, PREDICTED, prior=prior)
    assert sum(terms.values()) == pytest.approx(1 / 5, rel=1e-12)
    assert edrc_table(CORRECTED, PREDICTED, prior=prior).rows[1][4] == Fraction(27, 10)
    floats = {("A", "D"): 0.7, ("D", "A"): 0.3, ("D", "B"): np.float64(0.5)}
    assert edrc(CORRECTED, PREDICTED, prior=prior_of(floats)) == pytest.approx(0.2)


def test_a_function_of_the_rank_as_discount() -> None:
    ranks = []

    def discount(rank: int) -> Fraction:
        ranks.append(rank)
        return Fraction(rank, 7)

    # A common factor cancels, and the first rank is never discounted.
    assert edrc(CORRECTED, PREDICTED, discount=discount) == pytest.approx(5 / 29, rel=1e-12)
    assert ranks == [2, 3]
    assert edrc(CORRECTED, PREDICTED, discount=np.int8) == pytest.approx(5 / 29, rel=1e-12)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"prior": lambda u, v: 0.7}, r"found 0.7 \+ 0.7 for '[AB]' and 'D'"),  # noqa: ARG005
    ({"prior": lambda u, v: 1.5}, "expected a prior from 0 to 1, found 1.5 for"),  # noqa: ARG005
    ({"prior": lambda u, v: "much"}, "found 'much' for"),  # noqa: ARG005
    ({"prior": lambda u, v: math.nan}, "from 0 to 1, found nan for"),  # noqa: ARG005
    ({"prior": "even"}, "expected a function of two items as prior, found a str"),
    ({"discount": lambda rank: 3 - rank}, "a positive number as discount, found 0 at rank 3"),
    ({"discount": lambda rank: math.inf * rank}, "found inf at rank 2"),
    ({"discount": lambda rank: math.nan * rank}, "found nan at rank 2"),
    ({"discount": lambda rank: 5e-324 * (rank < 9)}, "found 5e-324 at rank 2"),
    ({"discount": str}, "found '2' at rank 2"),
]


def test_refusals() -> None:
    for function in (edrc, edrc_terms, edrc_table):
        for options, message in REFUSED:
            with pytest.raises(PorankError, match=message):
                function(CORRECTED, PREDICTED, **options)


ERRATA = [
    f"{letter}{number}"
    for letter, count in {"T": 8, "E": 9, "C": 5, "K": 7}.items()
    for number in range(1, count + 1)
]


def test_the_page_of_errata_is_complete() -> None:
    page = (Path(__file__).parents[2] / "docs" / "errata.md").read_text("utf-8")
    assert re.findall(r"^### ([A-Z]\d):", page, re.MULTILINE) == ERRATA
    for part in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        assert ">>> " in part, f"{part[:2]} shows no line of code"
