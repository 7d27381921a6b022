"""AP correlation and expected discounted rank correlation: definitions, published numbers."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from statistics import mean
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.measures.ap_correlation import ap_correlation, ap_correlation_terms
from porank.measures.edrc import edrc, edrc_table, edrc_terms
from tests.support import oracles
from tests.support.strategies import order_pairs

Scores = list[int]


def near(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-12, abs=1e-12, nan_ok=True)


def one_way(reference: Scores, judged: Scores) -> Fraction:
    """2/m sum C(v)/(p(v) - 1) - 1 over the m items below the first ones, p the least rank."""
    items, precisions = range(len(judged)), []
    for v in items:
        above = [u for u in items if judged[u] > judged[v]]
        if above:
            right = sum(reference[u] > reference[v] for u in above)
            precisions.append(Fraction(right, len(above)))
    return 2 * sum(precisions, Fraction(0)) / len(precisions) - 1


def mean_of_both(target: Scores, predicted: Scores) -> Any:
    """The mean of both directions."""
    if 1 in (len({*target}), len({*predicted})):
        return math.nan
    return (one_way(target, predicted) + one_way(predicted, target)) / 2


def mean_of_lines(target: Scores, predicted: Scores) -> Any:
    """The mean over all ways to break the ties of the prediction."""
    n, lines = len(target), oracles.lists_of(dict(enumerate(predicted)))
    return mean(one_way(target, [n - line.index(x) for x in range(n)]) for line in lines)


def check_ap(target: Scores, predicted: Scores, ties: str) -> None:
    defined = (mean_of_both if ties == "b" else mean_of_lines)(target, predicted)
    assert ap_correlation(target, predicted, ties=ties) == near(defined)
    terms = ap_correlation_terms(target, predicted, ties=ties)
    if math.isnan(defined):
        assert terms == {}
    else:
        assert sum(terms.values()) == near(defined)
        assert list(terms) == list(range(len(target)))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=6))
def test_ap_correlation_by_definition(pairs: list[tuple[int, int]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    check_ap(x, y, "b")
    check_ap(x, x, "b")
    total = [10 * score + i for i, score in enumerate(x)]
    check_ap(total, y, "a")
    check_ap(total, y, "b")


#: From the manual of R's ircor (https://cran.r-project.org/package=ircor), larger is better.
X = (0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54)
Y = (0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84)


def test_the_values_of_ircor() -> None:
    assert ap_correlation(X, Y) == pytest.approx(0.3928571, abs=5e-8)
    rounded = [round(each, 1) for each in Y]
    assert ap_correlation(X, rounded) == pytest.approx(0.39903, abs=5e-6)
    assert ap_correlation(X, rounded, ties="b") == pytest.approx(0.3317019, abs=5e-8)


# Expected discounted rank correlation.


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


def assert_as_defined(pair: tuple[nx.DiGraph, nx.DiGraph], name: str, normalized: bool) -> None:
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


def test_edrc_of_small_orders_by_definition() -> None:
    for pair in product(oracles.strict_orders(3), repeat=2):
        assert_as_defined(pair, "linear", normalized=False)


@given(order_pairs(max_items=7), st.sampled_from(sorted(DISCOUNTS)), st.booleans())
def test_edrc_by_definition(
    pair: tuple[nx.DiGraph, nx.DiGraph], name: str, normalized: bool
) -> None:
    assert_as_defined(pair, name, normalized)


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


def prior_of(shares: dict[tuple[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A prior by pairs, of which one direction is enough."""
    return lambda u, v: shares[u, v] if (u, v) in shares else 1 - shares[v, u]


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
    # The share of similar users, as in the paper: C(D) = .7 + .5 + 1 + .5.
    for seven in (Fraction(7, 10), np.float64(0.7)):
        prior = prior_of({("A", "D"): seven, ("B", "D"): HALF})
        assert edrc(CORRECTED, PREDICTED, prior=prior) == near(0.2)
        assert edrc_table(CORRECTED, PREDICTED, prior=prior).rows[1][4] == near(2.7)
    normalized = edrc_table(
        CORRECTED, PREDICTED, normalized=True, prior=prior_of({("A", "D"): 0.75, ("B", "D"): 0.5})
    )
    assert normalized.title == "normalized EDRC = 2/5"
    nothing = edrc_table([1, 1], [1, 2])
    assert (nothing.rows, nothing.title) == ((), "EDRC is 0/0: the target decides no pair")
    # Long fractions are shown as decimals.
    table = edrc_table(np.arange(30, 0, -1), np.arange(30) // 2)
    shown = [row[5] for row in table.rows]
    assert {type(value) for value in shown} == {Fraction, float}
    assert all(value.denominator < 10_000 for value in shown if isinstance(value, Fraction))


def test_discounts_of_many_ranks_and_by_a_function_of_the_rank() -> None:
    # 2**10001 is no float; its inverse is 0, and harms nothing.
    target = np.arange(10_002, 0, -1)
    for name in ("linear", "exponential"):
        assert edrc(target, -target, discount=name) == pytest.approx(-1)
        terms = edrc_terms(target, target, discount=name)
        assert math.fsum(terms.values()) == pytest.approx(1)
        assert all(isinstance(term, float) for term in terms.values())
    sevenths = {rank: Fraction(rank, 7) for rank in (2, 3)}
    # A common factor cancels, and the first rank is never discounted.
    for discount in (sevenths.__getitem__, np.int8):
        assert edrc(CORRECTED, PREDICTED, discount=discount) == near(5 / 29)
