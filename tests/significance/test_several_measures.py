"""Orders of systems by several measures, against the definition."""

import math
from collections.abc import Collection
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests.support import oracles_inference as oracle
from tests.support.refusals import refuses
from tests.support.removals import gaps_of_removals

MEASURES = ("good", "cheap", "fast")


def rows_of(tables: dict[str, Any]) -> dict[str, Any]:
    """Return a table with a row for each measure and task from values, tasks x systems."""
    board: dict[str, Any] = {"task": [], "measure": []}
    for name, values in tables.items():
        board["task"] += [f"t{k:03}" for k in range(len(values))]
        board["measure"] += [name] * len(values)
        for system, column in enumerate(zip(*values, strict=True)):
            board.setdefault(f"s{system}", []).extend(column)
    return board


def stated(tables: dict[str, Any], margin: float, risk: float) -> set[tuple[int, int]]:
    """Return the pairs that are stated one way round, larger values being better, step by step."""
    systems = range(len(next(iter(tables.values()))[0]))
    pairs = [(u, v) for u in systems for v in systems if u < v]
    columns: dict[tuple[Any, ...], list[float]] = {}
    scales = {}
    for name, values in tables.items():
        differences = {(u, v): [row[u] - row[v] for row in values] for u, v in pairs}
        squares = [sum(x * x for x in each) / len(values) for each in differences.values()]
        scales[name] = math.sqrt(float(np.median(squares))) or 1.0
        columns |= {(name, *pair): each for pair, each in differences.items()}
    found: set[tuple[int, int]] = set()
    while True:
        among = [key for key in columns if not {key[1:], key[:0:-1]} & found]
        scaled = [[x / scales[key[0]] for x in columns[key]] for key in columns]
        several = oracle.mean_intervals(scaled, risk, [list(columns).index(key) for key in among])
        ends = {
            key: (round(low, 9) * scales[key[0]], round(high, 9) * scales[key[0]])
            for key, (low, high) in zip(columns, several, strict=True)
        }
        fixed = {name for name in tables if all(len({*columns[name, u, v]}) == 1 for u, v in pairs)}
        new = set(found)
        for u, v in pairs:
            if {(u, v), (v, u)} & found:
                continue
            own = [
                (columns[name, u, v][0],) * 2 if name in fixed else ends[name, u, v]
                for name in tables
            ]
            if all(low >= -margin for low, _ in own) and any(low > 0 for low, _ in own):
                new.add((u, v))
            if all(high <= margin for _, high in own) and any(high < 0 for _, high in own):
                new.add((v, u))
        if new == found or not among:
            return {(u, v) for u, v in new if (v, u) not in new}
        found = new


def boards(draw: st.DrawFn) -> dict[str, Any]:
    """Draw values of three systems by two measures at 4 to 6 tasks, often far apart."""
    tasks, step = draw(st.integers(4, 6)), draw(st.integers(0, 4))
    cells = st.lists(st.integers(0, 6), min_size=3, max_size=3)
    return {
        name: [
            [float(cell + step * k * sign) for k, cell in enumerate(draw(cells))]
            for _ in range(tasks)
        ]
        for name, sign in zip(MEASURES[:2], (1, draw(st.sampled_from([-1, 0, 1]))), strict=True)
    }


@given(st.composite(boards)(), st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([0.3, 0.6]))
def test_dominance_by_definition(board: dict[str, Any], margin: float, risk: float) -> None:
    found = po.compare_scores(rows_of(board), measure="measure", risk=risk)
    order = found.order(measures="all", margin=margin)
    direct = {(int(u[1]), int(v[1])) for u, v, added in order.edges(data="added") if not added}
    assert direct == stated(board, margin, risk)


def test_states_of_systems_that_are_better_equal_or_traded() -> None:
    rng = np.random.default_rng(0)
    truth = {"good": [3, 1, 1, 0], "cheap": [3, 2, 2, 4]}
    noise = rng.normal(size=(60, 1))
    board = {name: np.add(noise + rng.normal(0, 0.3, (60, 4)), truth[name]) for name in truth}
    table = rows_of(board)
    found = po.compare_scores(table, measure="measure")
    order = found.order(measures="all", margin={"good": 0.5, "cheap": 0.5})
    assert list(order.edges) == [("s0", "s1"), ("s0", "s2")]
    state = {row[:2]: row[2] for row in po.open_pairs(order)}
    assert state == {
        ("s1", "s2"): "equal enough",
        ("s0", "s3"): "traded",
        ("s3", "s1"): "traded",
        ("s3", "s2"): "traded",
    }
    # The other way round if lower is better, whatever the sequence of the rows.
    negative = {
        name: [-x for x in cells] if name[0] == "s" else cells for name, cells in table.items()
    }
    shuffled = rng.permutation(len(table["task"])).tolist()
    turned = {name: [cells[k] for k in shuffled] for name, cells in negative.items()}
    lower = po.compare_scores(turned, measure="measure", better="lower")
    assert list(lower.order(measures="all", margin=0.5).edges) == list(order.edges)


def test_a_pair_of_one_measure_is_equal_enough_within_its_interval() -> None:
    rng = np.random.default_rng(1)
    table = {"a": rng.normal(size=200), "b": rng.normal(size=200)}
    found = po.compare_scores(table)
    (pair,) = found.pairs["score"]
    reach = max(-pair.low, pair.high)
    for margin, state in ((reach * 0.99, "not enough"), ({"score": reach * 1.01}, "equal enough")):
        assert po.why(found.order(margin=margin), "a", "b").state == state
    assert po.why(found.order(), "a", "b").state == "not enough"


def test_few_tasks_settle_nothing_although_no_value_varies() -> None:
    for tasks, edges in ((1, []), (2, []), (5, []), (6, [("b", "a")])):
        board = {"task": [*range(tasks)], "a": [0.0] * tasks, "b": [1.0] * tasks}
        assert [*po.compare_scores(board).order(measures="all", margin=0.1).edges] == edges


def test_equality_takes_a_margin_and_an_order_of_one_system_has_no_edge() -> None:
    value = [float(k % 7) for k in range(40)]
    noise = [x + k % 3 / 9 for k, x in enumerate(value)]
    found = po.compare_scores({"task": [*range(40)], "a": value, "b": value, "c": noise})
    for order, state in (
        (found.order(measures="all"), "not enough"),
        (found.order(measures="all", margin=1), "equal enough"),
        (found.order(margin=1), "equal enough"),
        (found.order(), "not enough"),
    ):
        pair = po.why(order, "a", "b").open
        assert pair is not None
        assert pair.state == state
    alone = po.compare_scores({"task": [*range(40)], "a": value})
    assert [*alone.order(measures="all").edges] == []


def test_the_last_reason_is_that_a_better_system_is_not_shown_to_be_no_worse() -> None:
    rng = np.random.default_rng(3)
    board = {"good": rng.normal(size=(40, 2)) + np.array([3, 0]), "cheap": rng.normal(size=(40, 2))}
    found = po.compare_scores(rows_of(board), measure="measure")
    pair = po.why(found.order(measures="all"), "s0", "s1").open
    assert pair is not None
    assert pair.reason == "better in good, but perhaps worse otherwise"
    assert list(found.order(measures="all", margin={"cheap": 2}).edges) == [("s0", "s1")]


@pytest.mark.slow
def test_what_dominance_rests_on_by_brute_force() -> None:
    """Without each set of tasks, small ones first; the first-order number is about right."""
    gaps: list[int] = []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        tasks, size = int(rng.integers(7, 10)), 3
        board = {
            name: rng.uniform(0.5, 2) * np.arange(size) + rng.normal(size=(tasks, size))
            for name in MEASURES[:2]
        }

        def order_without(gone: Collection[int]) -> nx.DiGraph:
            left = {name: np.delete(values, [*gone], axis=0) for name, values in board.items()}  # noqa: B023
            found = po.compare_scores(rows_of(left), measure="measure")
            return found.order(measures="all", margin={"cheap": 1})

        gaps += gaps_of_removals(order_without, tasks, most=3)
    assert (len(gaps), sum(abs(gap) <= 1 for gap in gaps), max(map(abs, gaps))) == (29, 21, 3)


def test_nothing_is_stated_of_systems_without_dominance() -> None:
    """Each is better by one measure and equal by the other: the hardest case."""
    rng, wrong = np.random.default_rng(2), 0
    for _ in range(40):
        truth = {"good": np.arange(5.0), "cheap": np.zeros(5)}
        board = {name: rng.normal(size=(30, 5)) + truth[name] for name in truth}
        found = po.compare_scores(rows_of(board), measure="measure", samples=999)
        wrong += bool(found.order(measures="all").number_of_edges())
    assert wrong <= 4


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"margin": {"bad": 1}}, "expected the measures 'good', 'cheap' in margin"),
        ({"margin": -1}, "margin of good"),
        ({"measures": "some"}, "measures to be one of 'all'"),
    ],
)
def test_bad_input_is_refused_in_words(options: dict[str, Any], expected: str) -> None:
    found = po.compare_scores(rows_of({n: [[1, 2]] * 3 for n in MEASURES[:2]}), measure="measure")
    refuses(expected, found.order, **{"measures": "all"} | options)


def test_ways_of_unknown_measures_are_refused() -> None:
    table = rows_of({name: [[1, 2]] * 3 for name in MEASURES[:2]})
    with pytest.raises(po.PorankError, match="a measure in better to be one of 'good', 'cheap'"):
        po.compare_scores(table, measure="measure", better={"cheep": "lower"})


def test_measures_may_be_named_by_numbers() -> None:
    table = {"task": [0, 1] * 2, "measure": [1, 1, 2, 2], "a": [0, 1, 2, 3], "b": [3, 2, 1, 0]}
    found = po.compare_scores(table, measure="measure", better={2: "lower"})
    assert found.better == {"1": "higher", "2": "lower"}


def test_pairs_with_few_common_tasks_are_compared_too_rarely() -> None:
    table = {"task": [*range(9)] * 2, "measure": ["good"] * 9 + ["fast"] * 9}
    rng = np.random.default_rng(0)
    for name in "abc":
        table[name] = rng.random(18).tolist()
    for row in (*range(3, 9), *range(12, 18)):
        table["c"][row] = None
    order = po.compare_scores(table, measure="measure").order(measures="all")
    pair = po.why(order, "a", "c").open
    assert pair is not None
    # Of six tasks, all alike, 2 in 2^6 are as clear.
    assert (pair.reason[:19], pair.lacking) == ("compared too rarely", 3)
