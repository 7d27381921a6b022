"""The taste model against its definition, and what it keeps apart: lists, units, times, places."""

import random
from collections.abc import Collection
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.clicks.comparisons import compare_items
from porank.clicks.statements import read_statements
from porank.clicks.taste_model import RIDGE, fit_taste, of_rivals
from porank.clicks.taste_of_log import place_curve, read_taste
from porank.clicks.taste_tests import _pulls, joint_tests
from porank.orders.open_pairs import Reason
from tests.benchmarks import rates
from tests.support import oracles_taste
from tests.support.oracles_taste import List
from tests.support.refusals import refuses
from tests.support.removals import gaps_of_removals


def log_of(lists: list[List]) -> dict[str, list[Any]]:
    """Return the log of lists, one a session; level 0 is bought, 1 clicked, 2 only seen."""
    rows = [
        (number, unit, item, place, event, number)
        for number, (unit, _, shown) in enumerate(lists)
        for item, place, level in shown
        for event in ("view", "click", "purchase")[: 3 - level]
    ]
    names = ("session", "user", "item", "position", "event", "time")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def drawn(seed: int, lists: int = 60, units: int = 8, n: int = 4, k: int = 3) -> list[List]:
    """Return lists of k of n items, clicked by taste and place, of some units."""
    chance = np.random.default_rng(seed)
    found: list[List] = []
    for _ in range(lists):
        shown = chance.permutation(n)[:k].tolist()
        hits = chance.random(k) < 1 / (1 + np.exp(np.array(shown) * 0.4 - 0.5)) / np.arange(
            1, k + 1
        )
        entries = [
            ("abcdef"[item], place, 1 if hit else 2)
            for place, (item, hit) in enumerate(zip(shown, hits.tolist(), strict=True), start=1)
        ]
        found.append((1 + int(chance.integers(units)), 0, entries))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_strengths_and_influences_by_definition(seed: int) -> None:
    spots = [(0, 1), (0, 2), (0, 3)]
    for lists in (drawn(seed) + drawn(seed, lists=20, k=2), drawn(seed)):
        rows = oracles_taste.comparisons(lists)
        items = sorted({row.winner for row in rows} | {row.loser for row in rows})
        expected = oracles_taste.fit(rows, items, spots)
        taste = read_taste(read_statements(log_of(lists), unit="user"))
        model = taste.model
        assert taste.items == items
        strength = expected[: len(items)] - expected[: len(items)].mean()
        assert model.strength == pytest.approx(strength, abs=1e-5)
        places = expected[len(items) : -1]
        assert np.diff(model.place) == pytest.approx(np.diff(places), abs=5e-5)
        assert model.rivals == pytest.approx(expected[-1], abs=5e-5)
    # The influences are those of the jackknife to first order in the information of a unit.
    left_out = np.array([*oracles_taste.influences(rows, items, spots).values()])
    found = (model.score @ model.of_items).T @ (model.score @ model.of_items)
    assert np.diag(found) == pytest.approx(np.diag(left_out.T @ left_out), rel=0.35)


def test_the_fit_ends_beside_items_that_nearly_all_choose() -> None:
    """Users stop at the first click; one item is chosen in nearly all looks, and mostly low."""
    chance = np.random.default_rng([1, 1500, 9])
    taste = 6 * chance.normal(size=8)
    shown = rates.top(chance, np.broadcast_to(0 * taste, (1500, 8)), 6)
    clicked = rates.browse(chance, taste[shown], go_on=0)
    compared = compare_items(read_statements(rates.log_of(shown, clicked))).comparisons
    model = fit_taste(compared)
    assert model.strength.max() > 2
    # At the best fit, slope = sum of +-w (1 - P) - prior s is 0 for each strength.
    gap = model.strength[compared.winner] - model.strength[compared.loser]
    gap += model.place[compared.at] - model.place[compared.other_at]
    gap += model.rivals * compared.rivals(of_rivals(model.strength))
    miss = compared.weight / (1 + np.exp(gap))
    slope = np.bincount(compared.winner, miss, 8) - np.bincount(compared.loser, miss, 8)
    assert slope == pytest.approx(RIDGE * model.strength, abs=1e-3)


@settings(max_examples=5)
@given(st.integers(0, 99), st.randoms())
def test_the_sequence_of_rows_and_names_of_sessions_and_users_do_not_matter(
    seed: int, random: Any
) -> None:
    log = log_of(drawn(seed))
    rows = [dict(zip(log, row, strict=True)) for row in zip(*log.values(), strict=True)]
    expected = po.settled_order(rows, unit="user", risk=0.5)
    names = random.sample(range(100, 200), 9)
    sessions = random.sample(range(1000), 60)
    random.shuffle(rows)
    renamed = [
        row | {"user": names[row["user"]], "session": sessions[row["session"]]} for row in rows
    ]
    again = po.settled_order(renamed, unit="user", risk=0.5)
    assert {*again.edges} == {*expected.edges}
    for u, v, data in again.edges(data=True):
        assert data["p_value"] == expected[u][v]["p_value"]
        assert data["gap"] == pytest.approx(expected[u][v]["gap"])


def test_an_item_is_not_preferred_for_hiding_strong_items() -> None:
    """Users stop at the first click; e and f are liked equally, e mostly stands among better items.

    Without a term for what stands above, e would be settled over f: who clicks e does not get to
    see the better items below.
    """
    chance = np.random.default_rng(3)
    click = dict(zip("abcefxyz", [0.8, 0.8, 0.8, 0.5, 0.5, 0.2, 0.2, 0.2], strict=True))
    lists: list[List] = []
    for k in range(1000):
        often = [1, 1, 1, 2, 0, 0, 0, 0] if k % 2 else [0, 0, 0, 0, 2, 1, 1, 1]
        shown = np.argsort(-2.0 * np.array(often) - chance.gumbel(size=8))[:5]
        items = ["abcefxyz"[i] for i in shown.tolist()]
        hits = [chance.random() < click[item] for item in items]
        first = hits.index(True) if any(hits) else -1
        entries = [(item, place + 1, 2 - (place == first)) for place, item in enumerate(items)]
        lists.append((k, 0, entries))
    log = log_of(lists)
    taste = read_taste(read_statements(log))
    assert taste.model.rivals > 0.3
    curve = place_curve(taste).log_odds
    # Who stops with probability .5 at each item reaches the fifth in 1 / 16.
    assert curve == pytest.approx(np.log(0.5) * np.arange(5), abs=0.8)
    order = taste.order()
    assert {("a", "e"), ("a", "f"), ("e", "x"), ("f", "x")} <= {*order.edges}
    assert not order.has_edge("e", "f")
    assert not order.has_edge("f", "e")
    compared = taste.compared.comparisons
    nothing = np.zeros_like(compared.entry)
    without = fit_taste(compared._replace(entry=nothing, other_entry=nothing))
    e, f = taste.items.index("e"), taste.items.index("f")
    assert without.strength[e] > without.strength[f] + 0.5
    tests = joint_tests(without, risk=0.05)
    assert tests.p_value[(tests.u == e) & (tests.v == f)] < 0.05
    del log["position"]
    assert read_taste(read_statements(log)).model.rivals == 0


def test_an_item_is_not_preferred_for_its_place() -> None:
    """B is chosen more often at either place, but mostly stands lower."""
    shown = [("ab", "a")] * 200 + [("ab", "b")] * 100 + [("ba", "b")] * 54 + [("ba", "a")] * 6
    lists: list[List] = [
        (k, 0, [(item, place, 2 - (item == chosen)) for place, item in enumerate(both, 1)])
        for k, (both, chosen) in enumerate(shown)
    ]
    log = log_of(lists)
    log["time"] = [0] * len(log["time"])
    assert list(po.settled_order(log).edges) == [("b", "a")]
    assert list(po.settled_order(po.from_log(log), risk=0.2).edges) == [("a", "b")]
    places = log.pop("position")
    assert not po.settled_order(log).has_edge("b", "a")
    # The odds of a choice at the second place: 100 of 300 there, 54 of 60 at the first one.
    curve = place_curve(read_taste(read_statements(log | {"position": places})))
    expected = (np.log(100 / 200) - np.log(54 / 6)) / 2
    assert curve.log_odds[1] == pytest.approx(expected, abs=0.1)
    assert 0.1 < curve.error[1] < 0.5


def test_items_that_always_stand_the_same_way_round_are_left_open() -> None:
    lists: list[List] = [
        (k, 0, [("a", 1, 1 + (k % 3 == 0)), ("b", 2, 2 - (k % 3 == 0))]) for k in range(200)
    ]
    taste = read_taste(read_statements(log_of(lists)))
    assert taste.tests.reason[0] == Reason.ARRANGED
    order = taste.order()
    assert (list(order.edges), order.graph["perhaps_place"]) == ([], [("a", "b")])


def test_six_units_are_the_least() -> None:
    for units, is_open in ((5, True), (6, False)):
        lists: list[List] = [
            (1 + k % units, 0, [("ab"[k % 4 > 1], 1, 1 + k % 2), ("ba"[k % 4 > 1], 2, 2 - k % 2)])
            for k in range(240)
        ]
        taste = read_taste(read_statements(log_of(lists), unit="user"))
        assert bool(taste.tests.reason[0] == Reason.RARE) is is_open


@pytest.mark.parametrize("names", ["xy", "yx"])
def test_few_pages_have_places_of_their_own(names: str) -> None:
    """The upper item is mostly chosen on one page, the lower one on the other; taste is equal."""
    shown = [
        (page, both, both[(k % 4 == 3) != (page == 1)])
        for page, often in enumerate(("ab", "ba"))
        for both, times in ((often, 160), (often[::-1], 40))
        for k in range(times)
    ]
    rows = [
        (number, names[page], item, place, int(item == chosen))
        for number, (page, both, chosen) in enumerate(shown)
        for place, item in enumerate(both, 1)
    ]
    columns = ("session", "query", "item", "position", "clicked")
    log = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
    compared = compare_items(read_statements(log)).comparisons
    assert compared.spots == 4
    assert not po.settled_order(log).edges
    del log["query"]
    assert compare_items(read_statements(log)).comparisons.spots == 2
    assert [*po.settled_order(log).edges] == [("a", "b")]
    # Many queries are not pages.
    log["query"] = [number % 6 for number in log["session"]]
    assert compare_items(read_statements(log)).comparisons.spots == 2


def test_pages_of_a_session_are_lists_of_their_own() -> None:
    """Where positions start again, by a column of lists, or by the query."""
    rows = [(1, "a", 1, 1), (1, "b", 2, 0), (1, "c", 1, 0), (1, "d", 2, 1)]
    names = ("session", "item", "position", "clicked")
    log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    expected = {("a", "b"), ("d", "c")}
    for more in ({}, {"query": ["x", "x", "y", "y"]}):
        pairs = po.preference_pairs(log | more, by=())
        assert {(u, v) for u, v, _ in pairs} == expected
        assert pairs.counts.several_lists == 1
    whole = po.preference_pairs(log | {"position": [1, 2, 3, 4]}, by=())
    assert {(u, v) for u, v, _ in whole} == expected | {("a", "c"), ("d", "b")}


def test_a_flag_belongs_to_the_list_of_its_row() -> None:
    """Item b stands on both pages, and is clicked on the second one."""
    names = ("session", "item", "position", "clicked")
    rows = [(1, "a", 1, 0), (1, "b", 2, 0), (1, "c", 3, 0), (1, "b", 1, 1), (1, "d", 2, 0)]
    log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    for more in ({}, {"time": [5] * 5}, {"query": list("xxxyy")}):
        pairs = po.preference_pairs(log | more, by=())
        assert {(u, v) for u, v, _ in pairs} == {("b", "d")}


def test_a_click_belongs_to_the_last_list_that_showed_its_item() -> None:
    rows: list[tuple[str, Any, str, int]]
    rows = [("a", 1, "view", 0), ("b", 2, "view", 0), ("c", 1, "view", 5), ("d", 2, "view", 5)]
    rows += [("b", None, "click", 6), ("c", None, "click", 7), ("z", None, "click", 8)]
    log = [
        {"session": 1, "item": item, "position": place, "event": event, "time": time}
        for item, place, event, time in rows
    ]
    assert {(u, v) for _, u, v, _ in po.preference_pairs(log)} == {
        ("b", "a"),
        ("c", "d"),
        ("z", "d"),
    }


def test_units_are_chosen_by_the_log() -> None:
    sessions: list[dict[str, Any]] = [
        {"session": k, "item": i, "clicked": i == "a", "user": 1 + k % 30}
        for k in range(90)
        for i in "ab"
    ]
    for users, unit, units in ((30, "user", 30), (19, "session", 90)):
        log = [row | {"user": 1 + int(row["session"]) % users} for row in sessions]
        statements = read_statements(log)
        assert (statements.unit, statements.units) == (unit, units)
        assert statements.fixed == ("" if users == 30 else "these 19 users")
    nobody = [
        row | {"user": "guest" if int(row["session"]) > 59 else row["user"]} for row in sessions
    ]
    assert read_statements(nobody).units == 60, "a guest is a unit for each session"
    battles = [
        {"model_a": "x", "model_b": "y", "winner": "x", "judge": 1 + k % 3, "prompt": k // 3}
        for k in range(90)
    ]
    statements = read_statements(battles)
    assert (statements.unit, statements.units, statements.fixed) == ("prompt", 30, "these 3 judges")
    assert read_statements([row | {"prompt": 0} for row in battles]).unit == "battle"
    of_judges = [row | {"judge": 1 + k % 30} for k, row in enumerate(battles)]
    for many, fixed in ((1, "this prompt"), (19, "these 19 prompts"), (20, "")):
        found = read_statements([row | {"prompt": k % many} for k, row in enumerate(of_judges)])
        assert (found.unit, found.fixed) == ("judge", fixed)


@pytest.mark.parametrize(("column", "value"), [("position", "top"), ("time", "noon")])
def test_places_and_times_that_cannot_be_read_are_bad_rows(column: str, value: str) -> None:
    """They would move lists to other places; those that are missing are counted."""
    log = log_of(drawn(0))
    rows = len(log["item"])
    wrong = log | {column: [value if k % 2 else log[column][k] for k in range(rows)]}
    way_out = f"columns={{'{column}': None}}, .*errors='report'.*skips bad rows"
    for ask in (po.settled_order, po.explore, po.validate_feedback, po.draw_positions):
        with pytest.raises(
            po.errors.ParseError, match=f"line 2: .* as {column}, found '{value}'; {way_out}"
        ):
            ask(wrong)
    ignored = po.ClickLog(wrong, columns={column: None})
    assert po.settled_order(ignored).graph["problems"] == ()
    order = po.settled_order(po.ClickLog(wrong, errors="report"))
    assert [problem.line for problem in order.graph["problems"]] == [*range(2, rows + 1, 2)]
    assert order.graph["counts"].unreadable == {column: rows // 2}
    # The last item of the log is only seen, in one row.
    blank = log | {column: [*log[column][:-1], None]}
    for anytime in (False, True):
        graph = po.settled_order(blank, anytime=anytime).graph
        assert graph["counts"].quirks()[f"without_{column}"][0] == 1


#: Logs that compare nothing, and what is found instead.
NOTHING: list[tuple[dict[str, list[Any]], str]] = [
    ({"session": [], "item": [], "clicked": []}, "no events"),
    ({"session": [1, 2], "item": ["a", "a"], "clicked": [1, 0]}, "2 lists of one item each"),
    ({"session": [1, 1], "item": ["a", "b"], "clicked": [0, 0]}, "no click in 1 session"),
    ({"session": [1, 1], "item": ["a", "b"], "clicked": [1, 1]}, "lists in which all items are"),
    ({"user": [1, 1], "item": ["a", "b"], "rating": [3, 3]}, "lists in which all items are alike"),
    ({"session": [1, 1], "item": ["a", "b"], "event": ["click"] * 2}, "clicks only, without"),
    (
        {"session": [1, 1], "item": ["a", "b"], "clicked": [1, 0], "position": [1, 1]},
        "2 lists of one item each",
    ),
]


@pytest.mark.parametrize(("log", "found"), NOTHING)
def test_a_log_that_compares_nothing_is_refused_alike(log: dict[str, Any], found: str) -> None:
    """A mapping of counts with nothing in it settles nothing instead."""
    expected = f"a list in which one item is preferred to another, found {found}"
    for ask in (po.settled_order, po.explore, po.validate_feedback, po.fit_strengths):
        refuses(expected, ask, log)
    assert not po.settled_order({("a", "b"): 0}).edges


def test_battles_that_repeat_count_once() -> None:
    row = {"model_a": "x", "model_b": "y", "winner": "x", "judge": 1, "prompt": 1}
    for rows, weights in (
        ([row] * 4, [0.25] * 4),
        ([row, row | {"winner": "y"}], [0.5, 0.5]),
        ([row, row | {"prompt": 2}], [1, 1]),
        ([row, row | {"model_a": "y", "model_b": "x"}], [1, 1]),
    ):
        compared = compare_items(read_statements(rows)).comparisons
        assert compared.weight.tolist() == weights


def test_blocks_of_time_and_deep_places() -> None:
    lists: list[List] = [
        (k, 0, [("a", 1 + k % 300, 1), ("b", 2 + k % 300, 2)]) for k in range(1000)
    ]
    log = log_of(lists)
    compared = compare_items(read_statements(log))
    assert compared.blocks > 1
    assert compared.blocks * compared.places.size <= 300
    assert compared.places[:21].tolist() == [*range(1, 22)]
    gaps = log | {"time": [None] * 3 + list(log["time"])[3:]}
    assert compare_items(read_statements(gaps)).blocks == compared.blocks
    log["time"] = [7] * len(log["time"])
    assert compare_items(read_statements(log)).blocks == 1


def test_cycles_beyond_chance_contradict_the_model() -> None:
    chance = np.random.default_rng(0)
    rows = []
    for k in range(900):
        u, v = ("xy", "yz", "zx")[k % 3]
        first, second = (u, v) if k % 2 else (v, u)
        winner = u if chance.random() < 0.7 else v
        rows.append({"model_a": first, "model_b": second, "winner": winner})
    order = po.settled_order(rows)
    assert (list(order.edges), len(order.graph["contradicted"])) == ([], 3)
    assert po.open_pairs(order)["state"].tolist() == ["conflicting"] * 3


def test_a_pair_that_its_own_comparisons_oppose_does_not_follow_from_others() -> None:
    # The model puts "a" above six items and these above "c", which beats "a" itself.
    wins = [("c", "a")] * 30
    for item in "uvwxyz":
        wins += [("a", item), (item, "c")] * 60 + [(item, "a"), ("c", item)] * 15
    order = po.settled_order(
        [
            {"model_a": pair[k % 2], "model_b": pair[1 - k % 2], "winner": pair[0]}
            for k, pair in enumerate(wins)
        ]
    )
    assert order.graph["contradicted"] == [("a", "c")]
    assert not order.has_edge("a", "c")
    assert len(order.edges) == 6, "of each path from a to c one of two pairs is left open"


@given(st.integers(0, 30))
@settings(max_examples=5)
def test_the_leaning_order_states_the_settled_pairs(seed: int) -> None:
    found = po.explore(log_of(drawn(seed, lists=150, units=150)), risk=0.3)
    closed = po.transitive_closure(found.leaning)
    assert {*found.order().edges} <= {*closed.edges}
    ranks = po.set_ranks(found.leaning)
    settled = {item for edge in found.order().edges for item in edge}
    free = [item for item in found.leaning if item not in settled]
    strength = found.leaning.graph["strength"]
    for u in free:
        for v in free:
            assert (ranks[u] < ranks[v]) is (strength[u] > strength[v])


def test_items_with_the_same_data_are_tied_in_whatever_sequence_the_rows_come() -> None:
    """Each list with x is there once more with y in its place, and all items are chosen."""
    rng, rows = random.Random(3), []
    for number in range(30):
        items = rng.sample("abcx", 3)
        events = rng.choices(["purchase", "click"], k=3)
        rows += [
            {"session": f"{number}{twin}", "item": item, "position": place, "event": event}
            for twin in "xy"
            for place, (item, event) in enumerate(
                zip([twin if item == "x" else item for item in items], events, strict=True), 1
            )
        ]
    for _ in range(20):
        rng.shuffle(rows)
        taste = read_taste(read_statements(rows))
        levels = taste.leaning_levels(taste.order())
        assert any(set(level) == {"x", "y"} for level in levels)


def test_intervals_hold_together_at_the_bound_of_the_largest_gap() -> None:
    taste = read_taste(read_statements(log_of(drawn(1, lists=600, units=600))))
    order, strength = taste.order(), dict(zip(taste.items, taste.model.strength, strict=True))
    assert order.edges
    for u, v, data in order.edges(data=True):
        assert data["gap"] == pytest.approx(strength[u] - strength[v])
        assert data["low"] < data["gap"] < data["high"]
        assert data["gap"] - data["low"] == pytest.approx(data["high"] - data["gap"])


def test_of_many_items_the_most_compared_are_tested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porank.clicks.comparisons.MOST_ITEMS", 2)
    order = po.settled_order(log_of([*drawn(0), *[(9, 0, [("e", 1, 1), ("f", 2, 2)])]]))
    assert len(order) == 6
    assert order.graph["compared"] <= 1


def test_draws_bound_the_chance_that_equal_items_part() -> None:
    """In exact sign flips of 12 equal units, as many draws as expected reach each statistic."""
    lists: list[List] = [
        (k, 0, [("ab"[(k + way) % 2], 1, 1), ("ba"[(k + way) % 2], 2, 2)])
        for k in range(12)
        for way in (0, 1)
    ]
    compared = compare_items(read_statements(log_of(lists), unit="user")).comparisons
    tests = joint_tests(fit_taste(compared), risk=0.05)
    assert tests.gap[0] == pytest.approx(0, abs=1e-9)
    assert tests.p_value[0] == pytest.approx(1, abs=0.01)


def test_a_risk_for_which_draws_would_fill_the_memory_is_refused() -> None:
    log: dict[str, Any] = po.simulate_log({"a": 4, "b": 2, "c": 1}, 30, seed=0)
    log["page"] = [*"xy"] * 45
    log["time"] = log["session"]
    for function in (
        po.settled_order,
        po.explore,
        po.validate_feedback,
        po.fit_strengths,
        partial(po.compare_segments, segment="page"),
    ):
        refuses(r"at least 0\.001 as risk", function, log, risk=1e-6)
    assert set(po.settled_order(log, risk=1e-6, anytime=True)) == {*"abc"}
    assert list(po.settled_order({("a", "b"): 30}, risk=1e-6).edges) == [("a", "b")]
    assert set(po.settled_order(log, risk=0.001)) == {*"abc"}


def test_clicks_alone_do_not_tell_what_was_not_chosen() -> None:
    log = {"session": [1, 1, 2], "item": ["a", "b", "a"], "event": ["click"] * 3}
    for function in (po.settled_order, po.explore):
        refuses(r"clicks only.*click_over_earlier_click", function, log)
    log["event"] = ["purchase", "click", "click"]
    assert list(po.settled_order(log)) == ["a", "b"]


@pytest.mark.slow
def test_what_a_settled_pair_rests_on_by_brute_force() -> None:
    """Refit without each set of judges, small ones first; the first-order number is about right."""
    gaps: list[int] = []
    for seed in range(14):
        rng = np.random.default_rng(seed)
        judges, truth = int(rng.integers(9, 15)), np.array([1.5, 0, -1.5]) * rng.uniform(0.5, 1.5)
        rows = []
        for judge in range(judges):
            for _ in range(6):
                i, j = rng.choice(3, 2, replace=False)
                won = rng.random() < 1 / (1 + np.exp(-(truth[i] - truth[j])))
                rows.append((judge, "abc"[i], "abc"[j], "abc"[i if won else j]))

        def order_without(gone: Collection[int]) -> nx.DiGraph:
            names = ("judge", "model_a", "model_b", "winner")
            kept = [row for row in rows if row[0] not in gone]  # noqa: B023
            return po.settled_order(
                dict(zip(names, zip(*kept, strict=True), strict=True)), unit="user"
            )

        gaps += gaps_of_removals(order_without, judges, most=4)
    assert (len(gaps), sum(abs(gap) <= 1 for gap in gaps), max(map(abs, gaps))) == (37, 36, 2)


@pytest.mark.slow
def test_fits_without_the_strongest_units_need_about_as_many_as_a_pair_rests_on() -> None:
    """Sixty judges; those who pull most go first, and the model is fitted anew."""
    rng = np.random.default_rng(0)
    truth = np.array([0.8, 0.4, 0, -0.4])
    names, rows = ("judge", "model_a", "model_b", "winner"), []
    for judge in range(60):
        for _ in range(10):
            i, j = rng.choice(4, 2, replace=False)
            won = rng.random() < 1 / (1 + np.exp(truth[j] - truth[i] + rng.normal() / 2))
            rows.append((judge, "abcd"[i], "abcd"[j], "abcd"[i if won else j]))

    def order_without(gone: Collection[int]) -> nx.DiGraph:
        kept = zip(*(row for row in rows if row[0] not in gone), strict=True)
        return po.settled_order(dict(zip(names, kept, strict=True)))

    taste = read_taste(read_statements(dict(zip(names, zip(*rows, strict=True), strict=True))))
    judge_of = dict(zip(taste.compared.comparisons.unit.tolist(), rows, strict=True))
    ratios = []
    for row in np.flatnonzero(taste.tests.p_value <= 0.05):
        u, v = taste.items[taste.tests.u[row]], taste.items[taste.tests.v[row]]
        data = order_without(()).edges[(u, v) if taste.tests.gap[row] > 0 else (v, u)]
        pull = _pulls(taste.model, taste.tests, np.array([row]))[:, 0]
        gone = [judge_of[unit][0] for unit in np.argsort(-pull).tolist()]
        sizes = range(data["rests_on"] // 2, 2 * data["rests_on"])
        size = next(k for k in sizes if order_without(gone[:k]).edges.isdisjoint({(u, v), (v, u)}))
        ratios.append(size / data["rests_on"])
    assert len(ratios) >= 4
    assert min(ratios) > 0.9
    assert max(ratios) < 1.4


def test_a_pair_rests_on_the_few_battles_in_which_it_was_shown_the_other_way_round() -> None:
    def order_of(counts: list[int]) -> Any:
        ways = zip("xyxy", "xxyy", counts, strict=True)
        battles = [(first, winner) for first, winner, many in ways for _ in range(many)]
        names = ("model_a", "model_b", "winner")
        rows = [dict(zip(names, (x, "y" if x == "x" else "x", w), strict=True)) for x, w in battles]
        return po.settled_order(rows)

    for counts in ([400, 3, 30, 1], [300, 6, 100, 3], [30, 4, 4, 2]):
        assert order_of(counts).edges["x", "y"]["rests_on"] == 1
        counts[1] -= 1
        assert not order_of(counts).edges
