"""The pair table and all that is a formula in it, against the definitions and outside oracles."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

import porank as po
from porank.measures.catalogue import MEASURES
from porank.measures.measure import Measure
from porank.measures.pair_table import pair_up
from tests import oracles
from tests.strategies import orders

Signs = dict[tuple[Any, Any], int]
MANY = np.arange(20_000) % 2


def signs(G: nx.DiGraph, items: list[Any]) -> Signs:
    """For each unordered pair: 1 if the first is preferred, -1 if the second, else 0."""
    said = oracles.closure(G.edges)
    return {(u, v): ((u, v) in said) - ((v, u) in said) for u, v in combinations(items, 2)}


def classes(target: Signs, predicted: Signs) -> Counter[str]:
    """The class of each pair, from the two signs."""
    names = {(True, True): "", (True, False): "target_only", (False, True): "predicted_only"}
    found: Counter[str] = Counter()
    for pair, truth in target.items():
        guess = predicted[pair]
        name = names.get((bool(truth), bool(guess)), "neither")
        found[name or ("concordant" if truth == guess else "discordant")] += 1
    return found


def share(numerator: int, denominator: int) -> Any:
    return Fraction(numerator, denominator) if denominator else None


def formulas(n: Counter[str]) -> dict[str, Any]:
    """Every rational measure of the design's table; None where it is 0/0."""
    C, D, A, N = (n[k] for k in ("concordant", "discordant", "target_only", "predicted_only"))
    T, P, every = C + D + A, C + D + N, sum(n.values())
    return {
        "kendall_distance": Fraction(D),
        "kendall_distance_normalized": share(D, T),
        "kendall_tau_a": share(C - D, every),
        "gamma": share(C - D, C + D),
        "correctness": share(C - D, C + D),
        "completeness": share(C + D, T),
        "somers_d": share(C - D, T),
        "symmetric_difference": Fraction(2 * D + A + N),
        "partial_kendall_distance": D + Fraction(A + N, 2),
        "precision": share(C, P),
        "recall": share(C, T),
        "f1": share(2 * C, P + T),
        "jaccard": share(C, C + 2 * D + A + N),
        "ppref": share(C, C + D),
        "rpref": share(C, T),
        "c_index": share(2 * C + A, 2 * T),
        "kendall_loss": share(D + A + N, every),
        "zero_one_loss": Fraction(D + A + N > 0),
    }


def check_formulas(target: Any, predicted: Any, n: Counter[str]) -> None:
    for name, value in formulas(n).items():
        found = MEASURES[name](target, predicted)
        assert math.isnan(found) if value is None else found == float(value), name
    C, D = n["concordant"], n["discordant"]
    T, P = C + D + n["target_only"], C + D + n["predicted_only"]
    tau = po.kendall_tau(target, predicted)
    if T and P:
        # The square of tau-b is rational: compare without a tolerance on either side of the root.
        assert tau == pytest.approx((C - D) / math.sqrt(T * P), rel=1e-15)
        assert abs(tau) <= 1
    else:
        assert math.isnan(tau)


@pytest.mark.parametrize("n", range(4))
def test_all_pairs_of_small_orders(n: int) -> None:
    every = [(G, signs(G, list(G))) for G in oracles.strict_orders(n)]
    for (target, truth), (predicted, guess) in product(every, repeat=2):
        found = classes(truth, guess)
        assert Counter(po.pair_table(target, predicted).to_dict()) & found == found
        check_formulas(target, predicted, found)


@pytest.mark.slow
def test_all_pairs_of_orders_on_four_items() -> None:
    every = [(G, signs(G, list(G))) for G in oracles.strict_orders(4)]
    assert len(every) == 219
    for number, ((target, truth), (predicted, guess)) in enumerate(product(every, repeat=2)):
        found = classes(truth, guess)
        counts = vars(pair_up(target, predicted).counts)
        assert Counter(counts) == found
        if number % 7 == 0:
            check_formulas(target, predicted, found)


@st.composite
def tied_orders(draw: st.DrawFn, items: list[Any]) -> nx.DiGraph:
    """An order in which some pairs are known ties: each item of a small one may be several."""
    line = draw(st.permutations(range(3)))
    edges = [(u, v) for i, u in enumerate(line) for v in line[i + 1 :] if draw(st.booleans())]
    place = {item: draw(st.integers(0, 2)) for item in items}
    G = nx.DiGraph()
    G.add_nodes_from(draw(st.permutations(items)))
    G.add_edges_from(
        (u, v) for u in items for v in items if (place[u], place[v]) in oracles.closure(edges)
    )
    known = draw(st.sets(st.integers(0, 2)))
    nx.set_node_attributes(G, {x: place[x] for x in items if place[x] in known}, "tie")
    return G


@given(st.data())
def test_ties_and_incomparable_pairs_are_told_apart(data: st.DataObject) -> None:
    items = list("abcde")[: data.draw(st.integers(0, 5))]
    target, predicted = data.draw(tied_orders(items)), data.draw(tied_orders(items))
    truth, guess = signs(target, items), signs(predicted, items)
    ties = oracles.tied_pairs(target), oracles.tied_pairs(predicted)
    table = po.pair_table(target, predicted)
    found: Counter[tuple[str, str]] = Counter()
    cost = 0
    for pair in combinations(items, 2):
        one, other = (
            "decided" if sign[pair] else "tied" if frozenset(pair) in tie else "incomparable"
            for sign, tie in zip((truth, guess), ties, strict=True)
        )
        found[one, other] += 1
        cost += cks_cost(one, other, truth[pair], guess[pair])
    assert table.concordant + table.discordant == found["decided", "decided"]
    assert table.target_only_tied == found["decided", "tied"]
    assert table.target_only_incomparable == found["decided", "incomparable"]
    assert table.predicted_only_tied == found["tied", "decided"]
    assert table.predicted_only_incomparable == found["incomparable", "decided"]
    assert table.both_tied == found["tied", "tied"]
    assert table.target_tied == found["tied", "incomparable"]
    assert table.predicted_tied == found["incomparable", "tied"]
    assert table.both_incomparable == found["incomparable", "incomparable"]
    assert table.all_pairs == math.comb(len(items), 2)
    assert po.cks_distance(target, predicted) == cost


def cks_cost(one: str, other: str, truth: int, guess: int) -> int:
    """2 against the opposite or the unknown, 1 against a tie or between tie and unknown."""
    if one == other == "decided":
        return 0 if truth == guess else 2
    if one == other:
        return 0
    return 2 if {one, other} == {"decided", "incomparable"} else 1


@given(orders(max_items=6), st.data())
def test_pair_classes(target: nx.DiGraph, data: st.DataObject) -> None:
    line = data.draw(st.permutations(list(target)))
    predicted = nx.DiGraph()
    predicted.add_nodes_from(line)
    predicted.add_edges_from((u, v) for u, v in combinations(line, 2) if data.draw(st.booleans()))
    truth, guess = signs(target, list(target)), signs(predicted, list(target))
    listed = list(po.pair_classes(target, predicted))
    assert len({frozenset((u, v)) for u, v, _ in listed}) == len(listed) == len(truth)
    assert Counter(kind for _, _, kind in listed) == classes(truth, guess)
    for u, v, kind in listed:
        decisive = truth if kind in ("concordant", "discordant", "target_only") else guess
        if kind != "neither":
            assert decisive.get((u, v), -decisive.get((v, u), 0)) == 1
    assert Counter(vars(pair_up(target, predicted).counts)) == classes(truth, guess)


def test_pair_classes_checks_before_it_yields() -> None:
    with pytest.raises(po.ItemMismatchError):
        po.pair_classes({"a": 1}, {"b": 1})


def random_order(n: int, seed: int) -> nx.DiGraph:
    return po.random_order(n, edge_probability=0.05, seed=seed)


@pytest.mark.parametrize("turned", [False, True])
def test_the_three_engines_agree(turned: bool) -> None:
    """Scores against graphs, weak orders against partial ones, rows against rows."""
    n = 120
    partial, other = random_order(n, 1), random_order(n, 2)
    if turned:
        shuffled = nx.DiGraph()
        shuffled.add_nodes_from(reversed(list(other)))
        shuffled.add_edges_from(other.edges)
        other = shuffled
    ranks = po.set_ranks(random_order(n, 3))
    weak = {item: -rank for item, rank in ranks.items()}
    for target, predicted in [(partial, other), (partial, weak), (weak, partial), (weak, other)]:
        truth = set(po.transitive_closure(target).edges)
        guess = set(po.transitive_closure(predicted).edges)
        table = po.pair_table(target, predicted)
        assert table.concordant == len(truth & guess)
        assert table.discordant == len(truth & {(v, u) for u, v in guess})
        assert table.target_pairs == len(truth)
        assert table.predicted_pairs == len(guess)


def test_counts_are_kept_with_the_graphs() -> None:
    target, predicted = random_order(30, 1), random_order(30, 2)
    pairing = pair_up(target, predicted)
    assert pair_up(target, predicted) is pairing
    before = pairing.counts
    u, v = next(iter(predicted.edges))
    predicted.remove_edge(u, v)
    assert pair_up(target, predicted).counts != before


numbers = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12)


@given(numbers)
def test_correlations_as_scipy_has_them(pairs: list[tuple[int, int]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    with np.errstate(all="ignore"):
        expected = stats.kendalltau(x, y).statistic
    assert po.kendall_tau(x, y) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    if len(set(x)) > 1 and len(set(y)) > 1:
        # SciPy's D takes the independent variable first.
        # Its p-value, which nobody asks for here, may be 0/0.
        with np.errstate(all="ignore"):
            somers = stats.somersd(x, y).statistic
        assert po.somers_d(x, y) == pytest.approx(somers, abs=1e-12)


@given(numbers)
def test_auc_as_scikit_learn_has_it(pairs: list[tuple[int, int]]) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    good = [score >= 2 for score in x]
    if len(set(good)) == 2:
        assert po.auc(good, y) == pytest.approx(roc_auc_score(good, y), abs=1e-12)


@pytest.mark.parametrize("ties", [0, 0.1, Fraction(1, 3), 0.5, 1])
@given(pairs=numbers)
def test_credit_for_what_is_left_open(pairs: list[tuple[int, int]], ties: Any) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    credit, aucs, everything = Fraction(ties), [], Fraction(0)
    for low, high in combinations(sorted(set(x)), 2):
        both = list(product(values_of(y, x, high), values_of(y, x, low)))
        points = sum((Fraction(a > b) + credit * (a == b) for a, b in both), Fraction(0))
        aucs.append(points / len(both))
        everything += points
    assert po.jonckheere_terpstra(x, y, ties=ties) == pytest.approx(float(everything), rel=1e-12)
    if aucs:
        mean = sum(aucs) / len(aucs)
        assert po.m_auc(x, y, ties=ties) == pytest.approx(float(mean), rel=1e-12)
        decided = po.pair_table(x, y).target_pairs
        share = everything / decided
        assert po.c_index(x, y, ties=ties) == pytest.approx(float(share), rel=1e-12)
        if len(aucs) == 1:
            assert po.auc(x, y, ties=ties) == po.c_index(x, y, ties=ties)


def values_of(values: list[int], levels: list[int], level: int) -> list[int]:
    return [value for value, here in zip(values, levels, strict=True) if here == level]


@pytest.mark.parametrize("ties", [0.1, 0.5, 1])
def test_m_auc_of_many_levels(ties: float) -> None:
    """The mean of all pairs of levels to the last digit, 0 where all is the wrong way round."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 40, 120), rng.integers(0, 30, 120)
    for one, other in [(x, x), (x, -x), (x, y), (x % 7, y), (x == 3, y)]:
        levels = [other[one == level] for level in np.unique(one)]
        points = [
            Fraction(int((low[:, None] < high).sum()), low.size * high.size)
            + Fraction(ties) * Fraction(int((low[:, None] == high).sum()), low.size * high.size)
            for low, high in combinations(levels, 2)
        ]
        mean = float(sum(points) / len(points))
        assert po.m_auc(one, other, ties=ties) == pytest.approx(mean, rel=1e-12)


@given(numbers, st.sampled_from([0, 0.1, 0.7, Fraction(1, 3), 1]))
def test_penalty(pairs: list[tuple[int, int]], p: Any) -> None:
    x, y = map(list, zip(*pairs, strict=True))
    table = po.pair_table(x, y)
    expected = table.discordant + Fraction(p) * (table.target_only + table.predicted_only)
    found = po.partial_kendall_distance(x, y, p=p)
    assert found == pytest.approx(float(expected), rel=1e-12)
    assert float(sum(po.terms("partial_kendall_distance", x, y, p=p).values())) == float(expected)


def test_terms_with_options_add_up() -> None:
    """To the summands of the entry that has these options; never to a wrong sum."""
    both = po.load_example("tutorial")
    entries: list[tuple[str, dict[str, Any]]] = [
        ("kendall_distance", {"normalized": True}),
        ("kendall_distance_normalized", {"normalized": False}),
        ("kendall_tau_a", {}),
        ("kendall_tau_a", {"variant": "b"}),
        ("c_index", {"ties": 0.1}),
        ("edrc", {"discount": "exponential", "normalized": True}),
        ("gamma", {"undefined": 0.5}),
    ]
    for measure, options in entries:
        total = float(sum(po.terms(measure, *both, **options).values()))
        assert total == pytest.approx(MEASURES[measure](*both, **options), rel=1e-12)
    by_function = po.terms(po.kendall_tau, *both, variant="a")
    assert by_function == po.terms("kendall_tau_a", *both)


@pytest.mark.parametrize("n", range(5))
def test_all_orders(n: int) -> None:
    found = [frozenset(G.edges) for G in po.all_orders(n)]
    assert len(found) == len(set(found))
    assert set(found) == {frozenset(G.edges) for G in oracles.strict_orders(n)}
    assert all(list(G) == list(range(n)) for G in po.all_orders(n))


class TestViolations:
    """Each search finds what there is to find, and nothing else."""

    @pytest.mark.parametrize(
        ("measure", "axiom"),
        [
            ("recall", "symmetry"),
            ("kendall_distance", "triangle"),
            ("kendall_distance", "separation"),
            ("tau_x", "oddness"),
            ("symmetric_difference", "scale"),
        ],
    )
    def test_found(self, measure: str, axiom: str) -> None:
        f = MEASURES[measure]
        a, b, *c = po.find_violation(measure, axiom) or ()
        holds = {
            "symmetry": lambda: f(a, b) == f(b, a),
            "triangle": lambda: f(a, c[0]) <= f(a, b) + f(b, c[0]),
            "separation": lambda: f(a, b) > 0 or set(a.edges) == set(b.edges),
            "oddness": lambda: f(a, po.dual(b)) == -f(a, b),
            "scale": lambda: f(a, b) == 0,
        }
        assert not holds[axiom]()

    def test_names_that_matter_are_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A measure that looks at the name of an item breaks the law of relabelling."""

        def below_zero(one: nx.DiGraph, _: nx.DiGraph) -> float:
            return float(one.has_edge(0, 1))

        by_name = Measure("by_name", below_zero, "lower", 0, 1)
        monkeypatch.setitem(MEASURES, "by_name", by_name)
        assert po.find_violation("by_name", "relabelling") is not None
        assert po.find_violation("gamma", "relabelling") is None


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6), st.data())
def test_m_auc_of_a_partial_prediction(levels: list[int], data: st.DataObject) -> None:
    n = len(levels)
    predicted = po.random_order(n, edge_probability=0.5, seed=data.draw(st.integers(0, 99)))
    predicted = nx.DiGraph(reversed([*predicted.edges]))
    predicted.add_nodes_from(range(n))
    said = oracles.closure(predicted.edges)
    aucs = []
    for low, high in combinations(sorted(set(levels)), 2):
        both = [
            (u, v) for u in range(n) for v in range(n) if levels[u] == high and levels[v] == low
        ]
        right = sum(2 * ((u, v) in said) + oracles.are_unordered(said, u, v) for u, v in both)
        aucs.append(Fraction(right, 2 * len(both)))
    if aucs:
        mean = float(sum(aucs) / len(aucs))
        assert po.m_auc(levels, predicted) == pytest.approx(mean, rel=1e-12)


@given(data=st.data())
def test_sets_of_preferences_by_definition(data: st.DataObject) -> None:
    items = list("abcd")
    both = []
    for _ in range(2):
        line = data.draw(st.permutations(items))
        G = nx.DiGraph()
        G.add_nodes_from(data.draw(st.permutations(items)))
        G.add_edges_from(pair for pair in combinations(line, 2) if data.draw(st.booleans()))
        both.append(G)
    R, S = (oracles.closure(G.edges) for G in both)
    for measure, numerator, denominator in [
        (po.jaccard, len(R & S), len(R | S)),
        (po.precision, len(R & S), len(S)),
        (po.recall, len(R & S), len(R)),
        (po.f1, 2 * len(R & S), len(R) + len(S)),
    ]:
        expected = numerator / denominator if denominator else math.nan
        assert measure(*both) == pytest.approx(expected, nan_ok=True, rel=0, abs=0)


def test_scores_state_all_that_they_say() -> None:
    scores, graph = {"a": 3, "b": 2, "c": 1}, po.parse("a > b > c")
    assert po.jaccard(scores, graph) == 1
    assert po.jaccard(MANY, MANY) == 1


PARTIAL, WEAK = po.parse("a > b; c"), {"a": 1, "b": 2, "c": 3}
REFUSED: list[tuple[Any, Any, dict[str, Any], str]] = [
    (po.hausdorff_kendall_distance, (WEAK, PARTIAL), {}, "two weak orders, found predicted par"),
    (po.auc, ([1, 2, 3], [1, 2, 3]), {}, "target of two levels, found 3 levels"),
    (po.auc, (PARTIAL, PARTIAL), {}, "target of two levels, found a partial"),
    (po.m_auc, (PARTIAL, PARTIAL), {}, "a target of levels, a weak order"),
    (po.tau_x, (PARTIAL, WEAK), {}, "tie, found 2 incomparable in target"),
    (po.tau_x, (WEAK, PARTIAL), {}, "tie, found 2 incomparable in predicted"),
    (partial(po.terms, "taux"), ([1], [1]), {}, "such as 'tau_x'.*; found 'taux'"),
    (po.find_violation, ("gamma", "beauty"), {}, "expected one of 'symmetry', .*found 'beauty'"),
    (po.find_violation, ("gamma", "symmetry"), {"items": -1}, "at least 0 as items, found -1"),
]


def test_refusals() -> None:
    for function, arguments, options, message in REFUSED:
        with pytest.raises(po.PorankError, match=message):
            function(*arguments, **options)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=7), st.data())
def test_tau_x_by_definition(x: list[int], data: st.DataObject) -> None:
    y = data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x)))
    n = len(x)
    total = sum(
        (1 if x[i] >= x[j] else -1) * (1 if y[i] >= y[j] else -1)
        for i in range(n)
        for j in range(n)
        if i != j
    )
    assert po.tau_x(x, y) == total / (n * (n - 1))


@given(st.lists(st.integers(0, 3), min_size=2, max_size=5), st.data())
def test_hausdorff_by_definition(x: list[int], data: st.DataObject) -> None:
    y = data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x)))
    sides = [list(oracles.lists_of(dict(enumerate(scores)))) for scores in (x, y)]
    far = [
        max(min(inversions(s, t) for t in other) for s in one)
        for one, other in (sides, sides[::-1])
    ]
    assert po.hausdorff_kendall_distance(x, y) == max(far)


def inversions(s: tuple[int, ...], t: tuple[int, ...]) -> int:
    return sum(t.index(u) > t.index(v) for u, v in combinations(s, 2))


def test_comparison_in_every_form() -> None:
    found = po.compare(*po.load_example("table1-corrected"))
    values = found.to_dict()["measures"]
    ends = {"lowest": -1.0, "highest": 1.0, "better": "higher"}
    assert values["gamma"] == {"value": 0.5, "reason": None, "status": "defined", **ends}
    assert (values["auc"]["status"], values["auc"]["value"]) == ("inapplicable", None)
    assert values["auc"]["reason"].startswith("expected a target of two levels, found a partial")
    assert values["kendall_distance"]["highest"] is None
    assert list(found) == list(MEASURES)
    assert (len(found), "gamma" in found, "nothing" in found) == (len(MEASURES), True, False)
    assert math.isnan(found["auc"])
    with pytest.raises(KeyError):
        found["nothing"]
    assert "NaN" not in found.to_json()
    assert found.to_csv().splitlines()[0] == "measure,value,range,better,remark"
    assert str(found).splitlines()[0].split()[0] == "target"
    assert found._repr_html_().count("<table") == 2


def test_a_comparison_computes_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    orders = po.load_example("table1-corrected")
    whole = po.compare(*orders)

    def no_call(*_: object, **__: object) -> float:
        raise AssertionError

    wanted = ["jaccard", "gamma", "auc"]
    for name in MEASURES.keys() - set(wanted):
        monkeypatch.setitem(MEASURES, name, replace(MEASURES[name], function=no_call))
    some = po.compare(*orders, measures=[*wanted, po.gamma])
    assert list(some) == wanted
    assert some.pairs == whole.pairs
    assert {result.name: result for result in some.results} == {
        result.name: result for result in whole.results if result.name in wanted
    }
    assert list(po.compare(*orders, measures="gamma")) == ["gamma"]
    assert list(po.compare(*orders, measures=[])) == []
    for measures, message in ((["gama"], "such as 'gamma'.*; found 'gama'"), (7, "names of meas")):
        with pytest.raises(po.PorankError, match=message):
            po.compare(*orders, measures=measures)


def test_comparison_of_scores_and_of_nothing() -> None:
    assert po.compare([3, 2, 1], [3, 2, 1])["kendall_tau"] == 1
    nothing = po.compare([], [])
    reasons = {r.name: r.reason for r in nothing.results if r.value is None}
    assert reasons["gamma"] == ("0/0: there is no pair that both orders decide")
    assert nothing["zero_one_loss"] == 0
    assert nothing.to_dict()["measures"]["gamma"]["status"] == "undefined"
    assert "there is no pair that both orders decide" in str(nothing)
    odd = po.compare({"a; b: c": -1, "d": 2}, {"a; b: c": 1, "d": 2})
    assert any("'a; b: c'" in result.reason for result in odd.results)
    assert "'a; b: c'" in odd.to_csv()


@given(
    st.lists(st.tuples(st.integers(1, 5), st.booleans(), st.integers(0, 3)), min_size=2, max_size=9)
)
def test_harrells_c_by_definition(patients: list[tuple[int, bool, int]]) -> None:
    """A pair counts if the one with the shorter time had the event; censored at a tie is later."""
    usable, points = 0, Fraction(0)
    for time, event, risk in patients:
        for other_time, other_event, other_risk in patients:
            later = other_time > time or (other_time == time and not other_event)
            if event and later:
                usable += 1
                points += Fraction(2 * (other_risk < risk) + (other_risk == risk), 2)
    times, events, risks = map(list, zip(*patients, strict=True))
    survival = po.from_survival(times, events)
    found = po.c_index(survival, [-risk for risk in risks])
    assert math.isnan(found) if not usable else found == float(points / usable)
