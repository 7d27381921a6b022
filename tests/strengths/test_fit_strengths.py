"""Strengths fitted to orders and counts: published fits, the maximum, errors, and parts."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.convert.profiles import Profile
from porank.core.compiled_order import compile_order
from porank.strengths import likelihoods
from porank.strengths.goodness_of_fit import opposed_pairs
from tests.support import oracles_inference
from tests.support import oracles_strengths as oracles
from tests.support.refusals import refuses
from tests.support.removals import gaps_of_removals
from tests.support.strategies import orders


def rankings(rng: np.random.Generator, strengths: Any, k: int) -> list[list[int]]:
    """Rankings drawn by waiting times."""
    n = len(strengths)
    times = rng.exponential(size=(k, n)) / np.exp(strengths)
    return [row.tolist() for row in np.argsort(times, axis=1)]


def battles_of(rng: np.random.Generator, n: int, k: int) -> list[tuple[int, int]]:
    """Battles of equal items, as (winner, loser)."""
    pairs = [pair for pair in combinations(range(n), 2) for _ in range(k)]
    return [pair if rng.random() < 0.5 else pair[::-1] for pair in pairs]


def as_orders(battles: list[tuple[int, int]]) -> list[nx.DiGraph]:
    return [po.from_ranking(battle) for battle in battles]


# Published fits.


def test_the_losers_of_plackettluce_s_overview_are_a_part_of_their_own() -> None:
    # Section 2.3 there: D only lost; of the others B has .8392 more than A, and C .4196.
    wins = {("A", "B"): 1, ("C", "A"): 1, ("A", "D"): 1, ("B", "A"): 1, ("B", "C"): 1}
    found = po.fit_strengths(wins)
    assert found.parts == (("B", "C", "A"), ("D",))
    above = [found.strengths[item] - found.strengths["A"] for item in "BC"]
    assert above == pytest.approx([0.8392, 0.4196], abs=1e-4)


def test_rankings_as_choix_and_the_mm_algorithm_fit_them() -> None:
    # choix 0.4.1: ilsr_rankings(4, ...), max_iter=1000, tol=1e-12.
    given = [[0, 1, 2, 3], [1, 0, 3], [3, 2, 0], [2, 0, 1, 3], [0, 3, 1], [1, 3, 2, 0]]
    found = po.fit_strengths([po.from_ranking(each) for each in given])
    assert [*found.strengths.values()] == pytest.approx(CHOIX, abs=1e-9)
    rng = np.random.default_rng(3)
    given = [each[: rng.integers(3, 6)] for each in rankings(rng, np.linspace(-1, 1, 5), 40)]
    found = po.fit_strengths([po.from_ranking(each) for each in given])
    assert found.worths == pytest.approx(oracles.worths_of_rankings(given), abs=1e-9)


# Rankings with a maximum far from equal strengths.

#: Two rankings of 19 items, whose strengths of largest likelihood are 9 apart.
FAR_APART = [
    [2, 13, 12, 6, 17, 11, 8, 14, 4, 3, 5, 19, 9, 10, 15, 16, 18, 7, 0],
    [19, 2, 11, 14, 16, 13, 3, 8, 10, 9, 5, 17, 6, 4, 15, 0, 12, 7, 18],
]


def races(seed: int) -> list[list[int]]:
    """36 rankings of 43 of 83 drivers; the last four start once and come last."""
    rng = np.random.default_rng(seed)
    strengths = rng.normal(0, 2, 79)
    found = []
    for race in range(36):
        late = [79 + race] if race < 4 else []
        chosen = rng.choice(79, 43 - len(late), replace=False)
        (line,) = rankings(rng, strengths[chosen], 1)
        found.append(chosen[line].tolist() + late)
    return found


def hard_rankings() -> Iterator[list[list[int]]]:
    """Few long rankings, races, and a line of items in which only the last beat the first."""
    yield FAR_APART
    yield [*[[*range(20)]] * 30, [19, 0]]
    yield from (
        rankings(np.random.default_rng(seed), np.linspace(-3, 3, 20), 12) for seed in range(5)
    )
    yield from map(races, range(2))


@pytest.mark.parametrize("given", [*hard_rankings()])
def test_the_maximum_is_found_wherever_it_is(given: list[list[int]]) -> None:
    found = po.fit_strengths([po.from_ranking(each) for each in given], samples=10)
    numbers = {item: k for k, part in enumerate(found.parts) for item in part}
    beats = nx.DiGraph((u, v) for line in given for u, v in combinations(line, 2))
    assert {*map(frozenset, found.parts)} == {
        *map(frozenset, nx.strongly_connected_components(beats))
    }
    within = [
        [x for x in line if numbers[x] == k] for line in given for k in range(len(found.parts))
    ]
    at = {
        item: 0 if len(found.parts[numbers[item]]) == 1 else each
        for item, each in found.strengths.items()
    }
    assert [*oracles.surplus(within, at).values()] == pytest.approx([0] * len(at), abs=1e-7)
    never = {item for item, each in found.strengths.items() if each == -math.inf}
    assert never == {x for x in beats if not beats[x]}
    assert {item for item, each in found.strengths.items() if each == math.inf} == {
        x for x in beats if not beats.pred[x]
    }


@pytest.mark.parametrize("seed", range(10))
def test_counts_may_differ_by_nine_digits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wins = {(k, (k + 1) % 8): int(10 ** rng.uniform(0, 9)) for k in range(8)}
    wins |= {(v, u): int(10 ** rng.uniform(0, 9)) for u, v in wins if rng.random() < 0.7}
    found = po.fit_strengths(wins, samples=10)
    surplus = dict.fromkeys(range(8), 0.0)
    for (u, v), times in wins.items():
        lost = times * found.probability(v, u)
        surplus[u], surplus[v] = surplus[u] + lost, surplus[v] - lost
    assert [*surplus.values()] == pytest.approx([0] * 8, abs=1e-13 * sum(wins.values()) + 1e-9)


def test_a_step_beyond_the_maximum_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [po.from_ranking(each) for each in FAR_APART]
    expected = po.fit_strengths(graphs, samples=10).strengths
    monkeypatch.setattr(likelihoods, "_FAR", 100.0)
    assert po.fit_strengths(graphs, samples=10).strengths == pytest.approx(expected, abs=1e-6)


#: Strengths with the mean 0.
CHOIX = [0.01678317838787382, 0.2432004167516183, 0.24586533728954352, -0.5058489324290356]


# The maximum, by first-order conditions: it is one, as the likelihood is concave.


@given(st.lists(orders(max_items=4), min_size=1, max_size=5), st.sampled_from([0.3, 2.0]))
def test_partial_orders_are_fitted_by_definition(graphs: list[nx.DiGraph], ridge: float) -> None:
    if not any(G.edges for G in graphs):
        return
    found = po.fit_strengths(graphs, ridge=ridge, samples=10)
    # An item that is compared with no other has no strength.
    compared = {item for G in graphs for edge in G.edges for item in edge}
    assert {item for item, each in found.strengths.items() if not math.isnan(each)} == compared
    found = replace(
        found, strengths={x: found.strengths[x] if x in compared else 0 for x in found.items}
    )

    def value(at: Any) -> float:
        logs = [oracles.log_of_order(G, at) for G in graphs]
        return sum(logs) - ridge / 2 * float(sum(each**2 for each in at.values()))

    assert oracles.gradient(value, found.strengths) == pytest.approx(
        [0] * len(found.items), abs=1e-6
    )
    for part in found.parts:
        assert sum(found.strengths[item] for item in part) == pytest.approx(0, abs=1e-9)


def test_without_a_ridge_each_strongly_connected_component_is_fitted_alone() -> None:
    # a, b, c are connected both ways, d and e, too; the latter never won; x and y met nobody else.
    texts = ["a > b; a > c", "b > c > d", "c > a > e; c > d", "b > a", "d > e", "e > d", "x > y"]
    graphs = [po.parse(text) for text in [*texts, "y > x"]]
    found = po.fit_strengths(graphs)
    assert set(map(frozenset, found.parts)) == set(map(frozenset, ("abc", "de", "xy")))
    inner = [po.restrict(G, [x for x in G if x in "abc"]) for G in graphs]

    def value(at: Any) -> float:
        return sum(oracles.log_of_order(G, at) for G in inner)

    at = {item: found.strengths[item] for item in "abc"}
    assert oracles.gradient(value, at) == pytest.approx([0] * 3, abs=1e-6)
    assert found.parts[0] == tuple("bac"), "winners first"
    assert found.apart == (tuple("abcde"), tuple("xy"))
    assert {frozenset(each[:2]) for each in found.pairs} == {
        frozenset(pair) for part in found.parts for pair in combinations(part, 2)
    }
    notes = " ".join(found.notes())
    assert "not connected by comparisons: " in notes
    assert "3 parts: no item was ever preferred to one of an earlier part" in notes
    refuses("the same part", found.probability, "a", "d")
    joined = po.fit_strengths(graphs, ridge=0.1)
    assert set(map(frozenset, joined.parts)) == {frozenset("abcde"), frozenset("xy")}
    assert "3 parts" not in " ".join(joined.notes())


# Covariances and tests.


def test_covariances_and_p_values_by_definition() -> None:
    from scipy import stats

    battles = battles_of(np.random.default_rng(4), 3, 4)
    judges = [k % 6 for k in range(len(battles))]
    found = po.fit_strengths(as_orders(battles), unit=judges, samples=2**12)
    at = found.strengths
    by_owner: dict[int, list[oracles.Battle]] = {}
    for owner, (u, v) in zip(judges, battles, strict=True):
        by_owner.setdefault(owner, []).append((u, v, False))
    units = [partial(oracles.log_of_battles, own) for own in by_owner.values()]
    moves, influences, shares = oracles.jackknife(units, at)
    columns = []
    for each in found.pairs:
        contrast = np.array([(x == each.first) * 1 - (x == each.second) * 1 for x in at])
        own, moved = ([contrast @ s @ contrast for s in shares], [contrast @ m for m in moves])
        jackknife = (len(units) - 1) / len(units) * sum(x * x for x in moved)
        assert each.error == pytest.approx(math.sqrt(max(jackknife, sum(own))), rel=1e-4)
        freedom = 1 / sum((share / sum(own)) ** 2 for share in own) - 1
        reach = each.error * stats.t.ppf(1 - 0.025 / len(found.pairs), freedom)
        ends = each.difference - reach, each.difference + reach
        # An interval contains 0 inside exactly if the difference is not significant.
        is_found = each.p_value <= 0.05
        ends = (max(ends[0], 0), ends[1]) if is_found else (min(ends[0], 0), max(ends[1], 0))
        assert (each.low, each.high) == pytest.approx(ends, abs=0.01)
        column = [
            contrast @ score + each.difference * share / sum(own)
            for score, share in zip(influences, own, strict=True)
        ]
        columns.append([x / math.sqrt(sum(y * y for y in column)) for x in column])
    _, adjusted = oracles_inference.max_t(columns)
    assert found.fit is not None
    assert found.fit.p_value == pytest.approx(p_value_of_fit([*by_owner.values()], at, moves))
    assert [each.p_value for each in found.pairs] == pytest.approx(adjusted)


def p_value_of_fit(units: list[list[oracles.Battle]], at: dict[Any, float], moves: Any) -> float:
    """Pearson's statistic among those of all signs of what units add to it."""
    cells = [(*cell, False) for pair in combinations(at, 2) for cell in (pair, pair[::-1])]

    def expected(unit: list[oracles.Battle], strengths: Any) -> Any:
        met = Counter(frozenset(battle[:2]) for battle in unit)
        chances = [oracles.battle_probability(cell, strengths) for cell in cells]
        return np.array([met[frozenset(c[:2])] * p for c, p in zip(cells, chances, strict=True)])

    def slope(unit: list[oracles.Battle], move: Any) -> Any:
        ends = [
            dict(zip(at, np.array([*at.values()]) + h * move, strict=True)) for h in (1e-5, -1e-5)
        ]
        return (expected(unit, ends[0]) - expected(unit, ends[1])) / 2e-5

    counts = [Counter(unit) for unit in units]
    seen = [np.array([count[cell] for cell in cells]) for count in counts]
    whole = [battle for unit in units for battle in unit]
    strays = [
        each - expected(unit, at) - slope(whole, move) + slope(unit, move)
        for each, unit, move in zip(seen, units, moves, strict=True)
    ]
    of_all = expected(whole, at)
    observed = ((sum(seen) - of_all) ** 2 / of_all).sum()
    signed = product((1, -1), repeat=len(units))
    sums = [
        (sum(s * x for s, x in zip(each, strays, strict=True)) ** 2 / of_all).sum()
        for each in signed
    ]
    return float(np.mean([observed, *sums[1:]] >= observed - 1e-9))


def test_what_a_judge_says_several_times_counts_once() -> None:
    rng = np.random.default_rng(5)
    battles = as_orders(battles_of(rng, 4, 10))
    judges = rng.integers(12, size=len(battles)).tolist()
    once = po.fit_strengths(battles, unit=judges)
    many = po.fit_strengths(battles * 5, unit=judges * 5)
    # The model's errors are smaller with more battles; those of the jackknife are not.
    for x, error in many.errors.items():
        assert once.errors[x] / 1.5 < error < 1.001 * once.errors[x]
    assert [each.p_value for each in many.pairs] == [each.p_value for each in once.pairs]
    alone, five = (po.fit_strengths(battles * k).errors for k in (1, 5))
    assert five == pytest.approx({x: each / math.sqrt(5) for x, each in alone.items()}, rel=0.05)


def test_counts_profiles_matrices_and_labels_of_units_say_the_same() -> None:
    graphs = [po.parse(text) for text in ("a > b > c", "c > a", "b > c; b > a", "c > b > a")]
    counts = [3, 2, 1, 2]
    one = po.fit_strengths(graphs, counts=counts)
    several = [G for G, times in zip(graphs, counts, strict=True) for _ in range(times)]
    labels = [f"voter {k}" for k in range(8)]
    for other in (
        po.fit_strengths([*graphs, po.parse("c > d")], counts=[*counts, 0]),
        po.fit_strengths(Profile(graphs, counts=counts)),
        po.fit_strengths(iter(several)),
        po.fit_strengths(several, unit=labels),
    ):
        assert other.strengths == pytest.approx(one.strengths, abs=1e-9)
        assert other.errors == pytest.approx(one.errors, rel=1e-6)
        assert other.observed == 8
    wins = {("a", "b"): 5, ("b", "a"): 2, ("b", "c"): 4, ("c", "b"): 4}
    rows = [pair for pair, times in wins.items() for _ in range(times)]
    asked = po.fit_strengths(wins)
    assert str(po.fit_strengths(dict([*wins.items()][::-1]))) == str(asked)
    frame = pd.DataFrame(MATRIX, index=list("abc"), columns=list("abc"))
    turned = frame.astype(str).loc[list("bca")]
    bare = frame.reset_index(drop=True)
    for matrix in (frame, turned, bare, frame.rename_axis("of").reset_index()):
        assert str(po.fit_strengths(matrix)) == str(asked)
        refuses("fit_strengths takes a matrix", po.compare_scores, matrix)
        assert set(po.from_matrix(matrix).edges) == set(wins)
    assert str(po.fit_strengths(po.from_matrix(MATRIX, "abc"))) == str(asked)
    ranked = po.fit_strengths([po.from_ranking(row) for row in rows])
    assert ranked.strengths == pytest.approx(asked.strengths, abs=1e-9)


MATRIX = [[math.nan, 5, 0], [2, 0, 4], [0, 4, math.nan]]


# The fit.


def test_deviance_by_definition() -> None:
    counts = Counter(battles_of(np.random.default_rng(6), 5, 7))
    found = po.fit_strengths(counts)
    battles = {(u, v, False): times for (u, v), times in counts.items()}
    expected = oracles.deviance(
        battles, lambda each: oracles.battle_probability(each, found.strengths)
    )
    assert found.fit is not None
    assert found.fit.deviance == pytest.approx(expected, rel=1e-9)
    assert found.fit.freedom == 10 - 4


def test_a_model_that_does_not_fit_is_rejected_in_the_first_line() -> None:
    # All pairs are even between two camps, and yet no equal items are ranked so.
    found = po.fit_strengths([po.from_ranking("abcd"), po.from_ranking("dcba")], counts=[30, 30])
    assert found.is_rejected
    assert str(found).startswith("THE MODEL DOES NOT FIT")


def test_orders_that_leave_pairs_open_test_no_model_and_lists_of_the_top_do() -> None:
    rng = np.random.default_rng(7)
    lines = rankings(rng, np.linspace(-1, 1, 5), 30)
    top = [{x: max(0, 2 - k) for k, x in enumerate(line)} for line in lines]
    assert po.fit_strengths(top).fit is not None
    found = po.fit_strengths([*top, {0: 1, 1: 1, 2: 0}])
    assert found.fit is None
    assert "not tested" in str(found)


def test_few_battles_a_pair_reject_no_model() -> None:
    # Equal items, half a battle a pair, or short lists: the level is .05, and little can be found.
    for seed in range(10):
        rng = np.random.default_rng(seed)
        pairs = [rng.choice(20, 2, replace=False).tolist() for _ in range(100)]
        lists = [po.from_ranking(rng.choice(10, 3, replace=False).tolist()) for _ in range(20)]
        for data in (Counter(map(tuple, pairs)), lists):
            assert not po.fit_strengths(data, samples=400).is_rejected


def test_few_judges_give_no_intervals() -> None:
    rng = np.random.default_rng(8)
    battles = as_orders(battles_of(rng, 3, 9))
    for judges in ([1] * 27, [1] * 26 + [2], ([1, 2, 3, 3] * 7)[1:]):
        found = po.fit_strengths(battles, unit=judges)
        assert set(found.errors.values()) == {math.inf}
        assert not found.order().edges
        assert found.notes()[-1] == "no interval where units are worth fewer than three equal ones"
        assert found.to_table().rows[0][3:5] == (None, None)


def test_no_convergence_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihoods, "_STEPS", 2)
    refuses("in 2 steps", po.fit_strengths, {("a", "b"): 9, ("b", "a"): 1})


@pytest.mark.slow
def test_noise_is_no_order() -> None:
    # 60 draws of equal items, at the level .05: more than 8 have a chance of 1 %.
    false = rejected = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        data = (
            [po.from_ranking(each) for each in rankings(rng, np.zeros(4), 25)]
            if seed % 2
            else Counter(battles_of(rng, 4, 12))
        )
        found = po.fit_strengths(data, samples=400, seed=seed)
        false += bool(found.order().edges)
        rejected += found.is_rejected
    assert false <= 8
    assert rejected <= 8


def test_a_billion_battles_are_as_good_as_none_more() -> None:
    wins = {("a", "b"): 6 * 10**8, ("b", "a"): 4 * 10**8, ("b", "c"): 500, ("c", "b"): 500}
    found = po.fit_strengths(wins)
    assert found.probability("a", "b") == pytest.approx(0.6, abs=1e-9)
    (each,) = [each for each in found.pairs if set(each[:2]) == {"a", "b"}]
    # One over the information of a share of 0.6, from 512 groups at random.
    assert each.error == pytest.approx(math.sqrt(1 / (10**9 * 0.24)), rel=0.1)


def test_few_battles_and_a_ridge_are_no_proof() -> None:
    # c lost all of its four battles: a sign test of four says no more than 1/8.
    found = po.fit_strengths({("a", "b"): 3, ("b", "a"): 1, ("b", "c"): 4}, ridge=0.1)
    assert not found.order().edges
    assert found.intervals["c"][1] > found.intervals["b"][0]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ([], {}, "at least one preference"),
        ([{"a": 1, "b": 1}], {}, "at least one preference"),
        ({("a", "b"): 1}, {"ridge": -1}, "ridge"),
        ({("a", "b"): 1}, {"ridge": 1e-300}, "between 1e-6 and 1e6"),
        ({("a", "b"): 1}, {"counts": [1]}, "does not apply to counts of wins"),
        ({("a", "a"): 1}, {}, "two different items in each pair"),
        ({("a", "b"): -1}, {}, "number >= 0 as the count of 'a' over 'b'"),
        ({("a", "b"): 1.5}, {}, "whole numbers as counts"),
        ({("a", "b"): 1}, {"unit": "judge"}, "unit= does not apply to counts of wins"),
        ([{"a": 1, "b": 0}], {"unit": "judge"}, "a unit for each of 1 order"),
        ([{"a": 1, "b": 0}], {"counts": [1, 2]}, "a count for each"),
        ([nx.DiGraph(["ab", "ba"])], {}, "in order 1"),
        ({("a", "b"): 1}, {"risk": 2}, "risk"),
    ],
)
def test_bad_input_is_refused_in_words(data: Any, options: dict[str, Any], message: str) -> None:
    refuses(message, po.fit_strengths, data, **options)


# Strengths far apart.


@pytest.mark.parametrize(("n", "times"), [(110, 10**3), (61, 10**9)])
def test_a_ladder_is_fitted_without_overflow(n: int, times: int) -> None:
    wins = dict.fromkeys(pairwise(range(n)), times) | dict.fromkeys(pairwise(range(n)[::-1]), 1)
    found = po.fit_strengths(wins, samples=10)
    gaps = [found.strengths[k] - found.strengths[k + 1] for k in range(n - 1)]
    # Pairs of a chain are fitted one by one.
    assert gaps == pytest.approx([math.log(times)] * (n - 1), rel=1e-8)
    assert all(math.isfinite(error) for error in found.errors.values())
    # The uppermost strength is above 600 with a billion wins.
    assert found.worths[0] == pytest.approx(1 - 1 / times, abs=1e-5)
    assert sum(found.worths.values()) == pytest.approx(1)


def test_rankings_with_strengths_far_apart_have_finite_information() -> None:
    # The best two are as in a battle, because the third is far below.
    strengths = np.array([500.0, 499.0, -500.0])
    order = compile_order(po.parse("a > b > c"))
    rows = likelihoods.OrderLikelihood([*likelihoods.pieces_of([(order, np.arange(3))])], 1)
    (information,) = rows.information(strengths, np.ones((1, 1)))
    chance = 1 / (1 + math.exp(-1))
    expected = chance * (1 - chance) * np.array([[1, -1, 0], [-1, 1, 0], [0, 0, 0]])
    assert information == pytest.approx(expected, abs=1e-12)
    assert rows.score(strengths)[0] == pytest.approx([1 - chance, chance - 1, 0], abs=1e-12)


def test_an_undefeated_item_is_above_all_others_in_every_form() -> None:
    by_counts = po.fit_strengths({("a", "b"): 5, ("a", "c"): 5, ("b", "c"): 3, ("c", "b"): 2})
    by_orders = po.fit_strengths([po.from_ranking(each) for each in ("abc", "acb", "abc")])
    battles = [{"chosen": u, "rejected": v} for u, v in ("ab", "ac", "bc", "cb")] * 5
    of_battles = po.fit_strengths(battles)
    for found in (by_counts, by_orders, of_battles):
        assert found.strengths["a"] == max(found.strengths.values()) > found.strengths["b"]
        assert found.worths["a"] == max(found.worths.values())
        table = found.to_table()
        item, strength = (table.columns.index(name) for name in ("item", "strength"))
        column = {row[item]: row[strength] for row in table.rows}
        assert column == found.strengths
        assert po.draw_strengths(found) is not None
    assert by_counts.strengths["a"] == by_orders.strengths["a"] == math.inf


def test_counted_wins_have_no_place() -> None:
    wins = {("A", "B"): (40, 20), ("A", "C"): (45, 15), ("B", "C"): (38, 22)}
    one, other = zip(*wins, strict=True)
    table = {"item1": one, "item2": other}
    table |= dict(zip(("wins1", "wins2"), zip(*wins.values(), strict=True), strict=True))
    counts = {pair[::way]: won[::way][0] for pair, won in wins.items() for way in (1, -1)}
    found, expected = po.fit_strengths(table), po.fit_strengths(counts)
    assert found.strengths == pytest.approx(expected.strengths, abs=0.01)


@given(st.integers(0, 2**32 - 1))
def test_pairs_conflict_whose_own_counts_go_against_the_strengths(seed: int) -> None:
    """By SciPy's binomial tests, with Holm's procedure step by step."""
    from scipy import stats

    rng = np.random.default_rng(seed)
    wins = np.triu(rng.integers(0, 40, (4, 4)), 1)
    wins += np.tril(rng.integers(0, 10, (4, 4)), -1)
    strengths = rng.normal(size=4)
    p_values = {}
    for u, v in combinations(range(4), 2):
        tests = [
            stats.binomtest(
                int(wins[u, v]),
                int(wins[u, v] + wins[v, u]),
                1 / (1 + math.exp(strengths[v] - strengths[u])),
                alternative=side,
            ).pvalue
            for side in ("less", "greater")
            if wins[u, v] + wins[v, u]
        ]
        if tests:
            p_values[u, v] = min(1, 2 * min(tests))
    expected = set()
    for step, pair in enumerate(sorted(p_values, key=p_values.__getitem__)):
        if p_values[pair] > 0.05 / (len(p_values) - step):
            break
        expected |= {pair, pair[::-1]}
    found = opposed_pairs(wins, strengths, 0.05)
    assert set(map(tuple, np.argwhere(found).tolist())) == expected


def test_a_cycle_of_counts_is_conflicting() -> None:
    order = po.fit_strengths({("a", "b"): 30, ("b", "c"): 30, ("c", "a"): 30}).order()
    assert {row[:3] for row in po.open_pairs(order)} == {
        ("a", "b", "conflicting"),
        ("b", "c", "conflicting"),
        ("c", "a", "conflicting"),
    }


def test_why_pairs_of_strengths_are_open() -> None:
    wins = {("a", "b"): 31, ("b", "a"): 9, ("b", "c"): 27, ("c", "b"): 23, ("z", "a"): 7}
    order = po.fit_strengths(wins | {("x", "y"): 3, ("y", "x"): 3}).order()
    assert sorted(order.edges) == [("a", "b"), ("a", "c")]
    no_finite = "no wins lead back, so the difference has no finite estimate"
    expected = {
        ("b", "c"): ("the difference may be chance", 27, 23),
        ("x", "y"): ("the difference may be chance", 3, 3),
        ("z", "a"): (no_finite, 7, 0),
        ("b", "z"): (no_finite, 0, 0),
        ("a", "x"): ("never compared", 0, 0),
    }
    for (u, v), known in expected.items():
        pair = po.why(order, u, v).open
        assert pair is not None
        assert (pair.reason, pair.support, pair.against) == known
        assert math.isfinite(pair.lacking) is ((u, v) == ("b", "c"))
    assert len(po.open_pairs(order)) == 13
    few = po.why(po.fit_strengths({("a", "b"): 3, ("b", "a"): 1}).order(), "a", "b").open
    assert few is not None
    assert few.reason.startswith("compared too rarely")


def test_units_that_prefer_an_item_are_counted_by_most_of_their_orders() -> None:
    orders = [po.parse(text) for text in ("a > b > c", "b > a", "a > b", "c > a", "a > c", "c > b")]
    order = po.fit_strengths(orders, unit=[1, 1, 1, 2, 2, 2], ridge=1).order()
    found = {frozenset(row[:2]): {*row[4:6]} for row in po.open_pairs(order)}
    # Unit 1 prefers a to b in two of three orders, and unit 2 is even about a and c.
    assert found == {frozenset("ab"): {1, 0}, frozenset("ac"): {1, 0}, frozenset("bc"): {1}}
    counted = po.fit_strengths(orders[:4], counts=[3, 1, 1, 2], ridge=1).order()
    found = {frozenset(row[:2]): {*row[4:6]} for row in po.open_pairs(counted)}
    assert found == {frozenset("ab"): {4, 1}, frozenset("ac"): {3, 2}, frozenset("bc"): {3, 0}}


@pytest.mark.slow
def test_what_a_difference_of_strengths_rests_on() -> None:
    """Fitted anew without the rankings that say most against it, and without all sets of few."""
    gaps: list[int] = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        drawn = [
            sorted("abc", key=lambda x: "abc".index(x) * 1.2 + rng.gumbel()) for _ in range(14)
        ]

        def order_without(gone: Any) -> nx.DiGraph:
            left = [po.from_ranking(each) for k, each in enumerate(drawn) if k not in gone]  # noqa: B023
            return po.fit_strengths(left, samples=2000).order()

        gaps += gaps_of_removals(order_without, 14, most=2)
    assert (len(gaps), sum(abs(gap) <= 1 for gap in gaps), max(map(abs, gaps))) == (2, 2, 0)
