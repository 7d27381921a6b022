"""The order that battles settle: places, judges, prompts, repeats, and small tables."""

from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.clicks.statements import read_statements
from porank.clicks.taste_of_log import read_taste
from tests.support import oracles_taste

Rows = list[dict[str, Any]]


def drawn(
    seed: int,
    n: int,
    systems: int = 6,
    *,
    first: float = 0.0,
    judges: int = 0,
    taste: float = 0.0,
    gap: float = 0.0,
) -> Rows:
    """Battles of systems before judges with tastes."""
    chance = np.random.default_rng(seed)
    tastes = chance.normal(size=(max(judges, 1), systems)) * taste
    rows: Rows = []
    for _ in range(n):
        a, b = chance.choice(systems, 2, replace=False).tolist()
        judge = int(chance.integers(max(judges, 1)))
        log_odds = tastes[judge, a] - tastes[judge, b] + first + gap * (b - a)
        winner = "model_a" if chance.random() < 1 / (1 + np.exp(-log_odds)) else "model_b"
        row: dict[str, Any] = {"model_a": f"m{a}", "model_b": f"m{b}", "winner": winner}
        rows.append(row | ({"judge": 1 + judge} if judges else {}))
    return rows


def test_unequal_systems_are_told_apart() -> None:
    orders = [po.settled_order(drawn(seed, 1000, gap=0.35, first=0.5)) for seed in range(5)]
    pairs = [(int(u[1]), int(v[1])) for order in orders for u, v in order.edges]
    assert len(pairs) > 9 * 5
    assert all(u < v for u, v in pairs)


@pytest.mark.parametrize("seed", range(4))
def test_p_values_by_all_signs_of_judges(seed: int) -> None:
    rows = drawn(seed, 90, 3, judges=9, taste=0.5, gap=0.6)
    lists: list[oracles_taste.List] = [
        (row["judge"], 0, [(row[side], at, int(row["winner"] != side)) for at, side in sides])
        for row in rows
        for sides in [list(enumerate(("model_a", "model_b"), 1))]
    ]
    items, spots = ["m0", "m1", "m2"], [(0, 1), (0, 2)]
    compared = oracles_taste.comparisons(lists)
    strength = oracles_taste.fit(compared, items, spots)
    influence = np.array([*oracles_taste.influences(compared, items, spots).values()])
    pairs = [*combinations(range(3), 2)]
    gaps = np.array([strength[u] - strength[v] for u, v in pairs])
    of_pairs = np.stack([influence[:, u] - influence[:, v] for u, v in pairs], axis=1)
    # If two items are equal, each of the nine judges gets back about a ninth of the gap.
    scale = np.sqrt(np.square(of_pairs).sum(axis=0))
    statistics = np.abs(gaps) / np.sqrt(scale**2 + gaps**2 / 9)
    thrown = np.abs(np.array([*product((1, -1), repeat=9)]) @ of_pairs) / scale
    order, expected, least = np.argsort(-statistics), {}, 0.0
    for place, k in enumerate(order.tolist()):
        as_large = thrown[:, order[place:]].max(axis=1) >= statistics[k]
        least = max(least, float(as_large.mean()))
        expected[pairs[k]] = least
    tests = read_taste(read_statements(rows, unit="user")).tests
    for u, v, p_value in zip(tests.u.tolist(), tests.v.tolist(), tests.p_value, strict=True):
        assert p_value == pytest.approx(expected[u, v], abs=0.08)


@pytest.mark.parametrize("prompts", [40, 10])
def test_a_verdict_that_is_repeated_is_one_unit(prompts: int) -> None:
    once = [row | {"prompt": 1 + k % prompts} for k, row in enumerate(drawn(1, 40, 3, judges=3))]
    one, five = (read_taste(read_statements(rows)) for rows in (once, once * 5))
    assert one.statements.unit == five.statements.unit == ("prompt" if prompts > 20 else "battle")
    assert five.statements.units == one.statements.units
    assert five.compared.comparisons.units == one.compared.comparisons.units
    assert five.tests.gap == pytest.approx(one.tests.gap)
    assert five.tests.error == pytest.approx(one.tests.error)
    assert five.counts.for_u.tolist() == one.counts.for_u.tolist()
    # Without prompts each row is a battle.
    unnamed = [{name: row[name] for name in row if name != "prompt"} for row in once * 5]
    assert read_statements(unnamed).units == 200


def test_ties_do_not_count() -> None:
    rows = drawn(3, 200, gap=0.3)
    ties = [row | {"winner": "tie"} for row in drawn(4, 200)]
    one, other = (po.settled_order(some, risk=0.5) for some in (rows, [*rows, *ties]))
    assert {*one.edges} == {*other.edges}
    assert [*one.edges(data="p_value")] == [*other.edges(data="p_value")]


def crossed(seed: int, taste: float = 0.0) -> Rows:
    """Return battles of four systems before 25 judges, who share 25 prompts with tastes."""
    chance = np.random.default_rng(seed)
    tastes, rows = chance.normal(size=(25, 4)) * taste, []
    for judge, prompt in product(range(25), range(25)):
        a, b = chance.choice(4, 2, replace=False).tolist()
        gap = tastes[prompt, a] - tastes[prompt, b]
        winner = f"m{a if chance.random() < 1 / (1 + np.exp(-gap)) else b}"
        ends = {"model_a": f"m{a}", "model_b": f"m{b}", "winner": winner}
        rows.append({"judge": f"j{judge}", "prompt": f"p{prompt}", **ends})
    return rows


def test_variances_by_judges_and_by_prompts_are_added_once() -> None:
    """V = V_judge + V_prompt - V_both, from fits with each of these as units."""
    log = crossed(1, taste=2)
    alone = []
    for name in ("judge", "prompt", "both"):
        units = [f"{row['judge']} {row['prompt']}" if name == "both" else row[name] for row in log]
        rows = [{**row, "judge": unit} for row, unit in zip(log, units, strict=True)]
        rows = [{key: row[key] for key in row if key != "prompt"} for row in rows]
        tests = read_taste(read_statements(rows, unit="user")).tests
        alone.append(tests)
    u, p, up = (each.error**2 for each in alone)
    half = read_taste(read_statements(log)).model.variance[alone[0].u, alone[0].v] / 2
    expected = np.maximum(np.maximum(u + p - up, np.maximum(up, (u + p) / 2)), half)
    found = read_taste(read_statements(log)).tests
    assert np.sqrt(expected) == pytest.approx(found.error, rel=1e-6)
    assert found.gap == pytest.approx(alone[0].gap)


@pytest.mark.slow
def test_prompts_with_tastes_settle_nothing_although_judges_are_many() -> None:
    settled = [bool(po.settled_order(crossed(seed, taste=2)).edges) for seed in range(20)]
    by_judges = [bool(po.settled_order(crossed(s, taste=2), unit="user").edges) for s in range(20)]
    assert sum(settled) <= 2
    assert sum(by_judges) >= 8


def test_prompts_of_one_judge_each_change_nothing() -> None:
    log = drawn(3, 400, judges=25, gap=0.4)
    named = [{**row, "prompt": k} for k, row in enumerate(log)]
    assert nx.utils.graphs_equal(po.settled_order(log), po.settled_order(named))
    shuffled = np.random.default_rng(0).permutation(25 * 25).tolist()
    rows = crossed(5)
    one, other = (po.settled_order(each) for each in (rows, [rows[k] for k in shuffled]))
    assert dict(one.adj) == dict(other.adj)
