"""Orders that may be looked at all the time, against their definition and what they promise."""

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.abstention.settled import log_e_values
from porank.orders.open_pairs import settled_cycles
from tests.support import oracles_settled as oracle
from tests.support.refusals import refuses

COUNTS = [(a, b) for a in range(25) for b in range(25)]


def test_e_values_by_definition() -> None:
    """They are compared with exact integrals, and where u has no majority they are at most 1."""
    for a, b in COUNTS:
        exact = oracle.e_value(a, b)
        (found,) = log_e_values(np.array([a]), np.array([b]))
        if a > b:
            assert found == pytest.approx(math.log(exact), abs=1e-12)
        else:
            assert found == 0
            assert exact <= 1
    integrate = pytest.importorskip("scipy.integrate")
    for a, b in ((7, 3), (40, 20), (300, 240)):
        log = log_e_values(np.array([a]), np.array([b])).item()
        middle = a / (a + b)
        mean, _ = integrate.quad(
            lambda p, a=a, b=b, log=log: (
                2 * math.exp(a * math.log(2 * p) + (b and b * math.log(2 * (1 - p))) - log)
            ),
            0.5,
            1 - 1e-15,
            points=[middle],
        )
        assert mean == pytest.approx(1, rel=1e-9)


def test_no_majority_gains_evidence() -> None:
    """Whatever came before, the e-value is not expected to grow where p is at most 1/2."""
    for a, b in COUNTS:
        now = oracle.e_value(a, b)
        for p in (Fraction(0), Fraction(1, 3), Fraction(1, 2)):
            after = p * oracle.e_value(a + 1, b) + (1 - p) * oracle.e_value(a, b + 1)
            assert after == now if p == Fraction(1, 2) else after < now


def test_the_chance_of_ever_crossing() -> None:
    """Over all ways in which 200 units may divide, with p changing, it is below the bound."""
    for chances in ([0.5] * 200, [0.5, 0.2] * 100, [0.5] * 100 + [0.4] * 100):
        for bound in (2.0, 20.0, 40.0):
            alive, crossed = np.array([1.0]), 0.0
            for n, p in enumerate(chances, start=1):
                alive = np.append(alive * (1 - p), 0) + np.append(0, alive * p)
                a = np.arange(n + 1)
                is_over = log_e_values(a, n - a) >= math.log(bound)
                crossed += alive[is_over].sum()
                alive[is_over] = 0
            assert 0 < crossed <= 1 / bound


#: Sessions: when, whose, and the items in order of preference.
SESSIONS = st.lists(
    st.tuples(
        st.integers(0, 9), st.integers(0, 5), st.sampled_from(["ab", "ba", "bc", "cb", "ac"])
    ),
    min_size=1,
    max_size=40,
)


def log_of(sessions: Any) -> dict[str, list[Any]]:
    """Return a log of two events a session, of which the last tells when it is over."""
    rows = [
        (k, f"user {user}", item, event, time - (event == "view"))
        for k, (time, user, pair) in enumerate(sessions)
        for item, event in zip(pair, ("click", "view"), strict=True)
    ]
    names = ("session", "user", "item", "event", "time")
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


@given(SESSIONS, st.sampled_from(["session", "user"]), st.sampled_from(["0.05", "0.5", "0.9"]))
def test_the_order_of_a_watched_log_is_that_of_the_definition(
    sessions: Any, unit: str, risk: str
) -> None:
    order = po.settled_order(log_of(sessions), unit=unit, risk=float(risk), anytime=True)
    items = {item for *_, pair in sessions for item in pair}
    named = [
        (time, user if unit == "user" else k, *pair)
        for k, (time, user, pair) in enumerate(sessions)
    ]
    significant = oracle.watched_pairs(items, named, Fraction(risk))
    G = nx.DiGraph(significant)
    cyclic = {(u, v) for u, v in G.edges if nx.has_path(G, v, u)}
    expected = nx.transitive_closure(nx.DiGraph(significant - cyclic))
    assert set(order) == items
    assert set(order.edges) == set(expected.edges)
    assert order.graph["significant"] == len(significant)
    for u, v, data in order.edges(data=True):
        assert data["added"] == ((u, v) not in significant - cyclic)
    if unit == "session":
        both = [tuple(pair) for *_, pair in sessions]
        for u, v, data in order.edges(data=True):
            assert (data["support"], data["against"]) == (both.count((u, v)), both.count((v, u)))


@given(SESSIONS, st.integers(0, 9))
def test_significant_pairs_are_never_withdrawn(sessions: Any, day: int) -> None:
    everything = [(0, 9, "ab"), (0, 8, "ba"), (0, 7, "bc"), (0, 6, "cb"), *sessions]
    earlier = [session for session in everything if session[0] <= day]
    before, after = (
        po.settled_order(log_of(some), risk=0.9, anytime=True) for some in (earlier, everything)
    )
    assert before.graph["significant"] <= after.graph["significant"]
    for u, v, data in before.edges(data=True):
        again = after.get_edge_data(u, v, {"p_value": 1})
        on_cycle = any({u, v} <= {*some} for some in settled_cycles(after))
        assert data["added"] or on_cycle or again["p_value"] <= data["p_value"]


def test_the_sequence_of_rows_and_of_what_ends_together_does_not_matter() -> None:
    chance = np.random.default_rng(0)
    time = np.repeat(np.arange(10), 4)
    names = np.array(["x", "y"])
    battles = {"time": time, "model_a": np.full(40, "x"), "model_b": np.full(40, "y")}
    battles["winner"] = names[(chance.random(40) < 0.2).astype(int)]
    expected = po.settled_order(battles, anytime=True)
    assert list(expected.edges) == [("x", "y")]
    mixed = chance.permutation(40)
    again = po.settled_order({k: column[mixed] for k, column in battles.items()}, anytime=True)
    assert dict(again.edges) == dict(expected.edges)


def test_what_was_once_settled_outlives_a_change_of_taste() -> None:
    battles = {"time": range(60), "model_a": ["x"] * 60, "model_b": ["y"] * 60}
    order = po.settled_order(battles | {"winner": ["x"] * 25 + ["y"] * 35}, anytime=True)
    assert order["x"]["y"]["support"] < order["x"]["y"]["against"]
    turned = po.settled_order(battles | {"winner": ["x"] * 12 + ["y"] * 48}, anytime=True)
    assert turned.graph["significant"] == 2
    assert settled_cycles(turned) == [["x", "y"]]


def test_positions_are_not_used() -> None:
    """So those that cannot be read are no reason to refuse the log."""
    simulated = po.simulate_log({"a": 8, "b": 1}, 300, seed=0)
    log = {name: [*column] for name, column in simulated.items()}
    expected = po.settled_order(log, anytime=True)
    log["position"][3] = "?"
    assert list(po.settled_order(log, anytime=True).edges) == list(expected.edges) == [("a", "b")]
    refuses("as position, found", po.settled_order, log)


REFUSALS: list[tuple[Any, dict[str, Any], str]] = [
    ({("a", "b"): 2}, {}, "found counts"),
    ({"session": [1, 1], "item": ["a", "b"], "event": ["click", "view"]}, {}, "time"),
]


@pytest.mark.parametrize(("evidence", "options", "word"), REFUSALS)
def test_bad_input_is_refused_in_words(evidence: Any, options: dict[str, Any], word: str) -> None:
    refuses(word, po.settled_order, evidence, anytime=True, **options)


@given(st.lists(st.booleans(), min_size=1, max_size=11), st.sampled_from([0.1, 0.4]))
def test_what_a_watched_pair_rests_on_by_brute_force(wins: list[bool], risk: float) -> None:
    """The fewest battles without which its e-value never reached the bound, over all removals."""
    battles = [("x", "y", "x" if won else "y") for won in wins]

    def edges(kept: Any) -> Any:
        names = ("model_a", "model_b", "winner")
        log = dict(zip(names, zip(*(battles[k] for k in kept), strict=True), strict=True))
        return po.settled_order({"time": [*kept], **log}, risk=risk, anytime=True).edges

    found = edges(range(len(wins)))
    for u, v in found:
        fewest = next(
            size
            for size in range(1, len(wins) + 1)
            for gone in combinations(range(len(wins)), size)
            if size == len(wins)
            or (u, v) not in edges([k for k in range(len(wins)) if k not in gone])
        )
        assert found[u, v]["rests_on"] == fewest


def test_why_pairs_are_open_that_are_watched() -> None:
    wins = {("a", "b"): (40, 0), ("b", "c"): (3, 0), ("c", "d"): (9, 9), ("a", "d"): (8, 3)}
    rows = [
        (*pair, pair[k]) for pair, sides in wins.items() for k in (0, 1) for _ in range(sides[k])
    ]
    log = dict(zip(("model_a", "model_b", "winner"), zip(*rows, strict=True), strict=True))
    order = po.settled_order(log | {"time": range(len(rows))}, anytime=True)
    assert [*order.edges] == [("a", "b")]
    reason = {frozenset(row[:2]): (row[3], row[4], row[5]) for row in po.open_pairs(order)}
    assert reason == {
        frozenset("bc"): ("compared too rarely to be settled even if unanimous", 3, 0),
        frozenset("cd"): ("both are preferred equally often", 9, 9),
        frozenset("ad"): ("the difference may be chance", 8, 3),
        frozenset("ac"): ("never compared", 0, 0),
        frozenset("bd"): ("never compared", 0, 0),
    }
    (lacking,) = (row[-1] for row in po.open_pairs(order) if {*row[:2]} == {"a", "d"})
    more = int(lacking)
    limit = -math.log(order.graph["limit"])
    for further, is_enough in ((more, True), (more - 1, False)):
        sides = (np.array([share * (11 + further)]) for share in (8 / 11, 3 / 11))
        assert bool(log_e_values(*sides)[0] >= limit) is is_enough
