"""Strengths of logs and battles: the taste model's, its order, ties, and what is not shown."""

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import porank as po
from tests.support import oracles_strengths as oracles
from tests.support import oracles_taste
from tests.support.refusals import refuses

#: Davidson (1970), Example 2: brands of chocolate pudding, i, j, n, i preferred, j preferred, none.
PUDDING = """
1 2 57 19 22 16; 1 3 47 16 19 12; 2 3 48 19 19 10; 1 4 54 18 23 13; 2 4 51 23 19 9;
3 4 54 19 20 15; 1 5 50 13 19 18; 2 5 48 16 20 12; 3 5 48 16 15 17; 4 5 47 17 14 16;
1 6 51 18 21 12; 2 6 54 22 20 12; 3 6 41 13 18 10; 4 6 51 14 19 18; 5 6 44 11 21 12
"""

Rows = list[dict[str, Any]]


def puddings() -> Rows:
    rows: Rows = []
    for line in PUDDING.split(";"):
        i, j, _, *counts = map(int, line.split())
        for winner, times in zip((i, j, "tie"), counts, strict=True):
            for k in range(times):
                first, second = (i, j) if k % 2 else (j, i)
                rows.append({"model_a": first, "model_b": second, "winner": winner})
    return rows


def battles(seed: int, n: int = 240, judges: int = 30, ties: float = 0.0) -> Rows:
    """Battles of w > x > y > z by judges, some of them ties."""
    chance, rows = np.random.default_rng(seed), []
    for k in range(n):
        first, second = chance.permutation(4)[:2].tolist()
        p = 1 / (1 + np.exp(0.5 * (first - second) - 0.3))
        winner = (
            "tie" if chance.random() < ties else ("model_a" if chance.random() < p else "model_b")
        )
        row = {"model_a": "wxyz"[first], "model_b": "wxyz"[second], "winner": winner}
        rows.append(row | {"judge": 1 + k % judges})
    return rows


def test_strengths_of_davidsons_puddings_are_as_published() -> None:
    # https://hturner.github.io/PlackettLuce/articles/Overview.html; here ties do not move worths.
    found = po.fit_strengths(puddings())
    worths = [0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855]
    assert [*found.worths.values()] == pytest.approx(worths, abs=0.01)
    assert found.tie == pytest.approx(0.7468147, abs=0.003)
    assert not found.is_rejected
    assert not found.order().edges, "as Davidson's test of equal preferences"
    assert f"{0.7468147 / 2.7468147:.0%} of battles between" in " ".join(found.notes())


@pytest.mark.parametrize("seed", range(3))
def test_strengths_and_errors_by_definition(seed: int) -> None:
    from scipy import stats

    rows = battles(seed)
    lists: list[oracles_taste.List] = [
        (
            row["judge"],
            0,
            [
                (row["model_a"], 1, int(row["winner"] == "model_b")),
                (row["model_b"], 2, int(row["winner"] == "model_a")),
            ],
        )
        for row in rows
    ]
    compared, spots = oracles_taste.comparisons(lists), [(0, 1), (0, 2)]
    expected = oracles_taste.fit(compared, "wxyz", spots)[:4]
    found = po.fit_strengths(rows)
    assert (found.unit, found.units, found.observed) == ("judge", 30, 240)
    assert [*found.strengths.values()] == pytest.approx(expected - expected.mean(), abs=1e-6)
    left_out = np.array([*oracles_taste.influences(compared, "wxyz", spots).values()])
    errors = dict(zip("wxyz", np.sqrt(np.square(left_out).sum(axis=0)), strict=True))
    assert found.errors == pytest.approx(errors, rel=0.2)
    # 30 judges have about equal parts.
    for item, (low, high) in found.intervals.items():
        reach = found.errors[item] * stats.t.ppf(0.975, 29)
        assert (high - low) / 2 == pytest.approx(reach, rel=0.01)
    for each in found.pairs:
        u, v = ("wxyz".index(x) for x in each[:2])
        error = math.sqrt(np.square(left_out[:, u] - left_out[:, v]).sum())
        assert each.error == pytest.approx(error, rel=0.2)


def clicks() -> dict[str, list[Any]]:
    log = po.simulate_log({"a": 1, "b": 0.5, "c": 0.2, "d": 0.1}, 400, seed=1)
    return {name: list(column) for name, column in log.items()}


@pytest.mark.parametrize("log", [battles(1), clicks()])
def test_the_order_is_the_one_that_the_log_settles(log: Any) -> None:
    found, order = po.fit_strengths(log), po.settled_order(log)
    assert order.edges
    assert {*found.order().edges} == {*order.edges}
    assert found.rank_sets() == po.rank_intervals(order)
    p_values = {each[:2]: each.p_value for each in found.pairs}
    assert [p_values[edge] for edge in order.edges] == [
        data["p_value"] for *_, data in order.edges(data=True)
    ]
    gaps = {each[:2]: each.difference for each in found.pairs}
    for u, v, gap in order.edges(data="gap"):
        assert gaps[u, v] == pytest.approx(gap)
        assert gap == pytest.approx(found.strengths[u] - found.strengths[v])


def test_the_sequence_of_rows_does_not_matter() -> None:
    rows = battles(2, ties=0.2)
    expected = po.fit_strengths(rows)
    again = po.fit_strengths([rows[k] for k in np.random.default_rng(0).permutation(len(rows))])
    assert str(again) == str(expected)
    assert again.notes() == expected.notes()


def test_the_frequency_of_ties_is_the_most_likely_one() -> None:
    rows = battles(3, ties=0.3)
    found = po.fit_strengths(rows)
    assert found.tie is not None
    names = ("model_a", "model_b")
    fought: list[oracles.Battle] = [
        (*(row[name] for name in (names if row["winner"] != "model_b" else names[::-1])), tie)
        for row in rows
        for tie in [row["winner"] == "tie"]
    ]

    def value(log_nu: float) -> float:
        return oracles.log_of_battles(fought, {**found.strengths, "tie": log_nu})

    at = math.log(found.tie)
    assert value(at) > max(value(at - 1e-3), value(at + 1e-3))


def test_winners_have_several_names_and_battles_in_which_both_are_bad_are_left_out(
    tmp_path: Path,
) -> None:
    lines = ["x,y,model_a", "y,x,model_b", "x,y,y", "x,y,tie", "y,x,draw"]
    path = tmp_path / "battles.csv"
    path.write_text("model_a,model_b,winner\n" + "\n".join(lines) + "\n")
    found = po.fit_strengths(path)
    # x won two of three, and two are ties: nu / (2 cosh(d / 2) + nu) is 2 / 5.
    gap = found.strengths["x"] - found.strengths["y"]
    assert gap > 0
    assert found.tie == pytest.approx(2 / 3 * 2 * math.cosh(gap / 2))
    for word in ("both_bad", "bothbad", "tie (bothbad)"):
        winners = ["x", "y", word, word]
        found = po.fit_strengths({"model_a": ["x"] * 4, "model_b": ["y"] * 4, "winner": winners})
        assert found.observed == 2
        assert "2 battles left out because both were bad" in found.notes()


def test_a_column_can_name_the_units() -> None:
    rows = [row | {"family": 1 + k % 12, "judge": k} for k, row in enumerate(battles(4))]
    found = po.fit_strengths(rows, unit="family")
    assert (found.unit, found.units) == ("user", 12)
    assert po.fit_strengths(rows).units == 240
    assert po.fit_strengths(rows, columns={"user": "family"}, unit="user").errors == found.errors
    renamed = [row | {"judge": row["family"]} for row in rows]
    assert po.fit_strengths(renamed, unit="user").errors == found.errors
    assert po.fit_strengths(renamed).unit == "battle", "twelve judges are no sample"
    assert "about these 12 judges and other battles" in " ".join(po.fit_strengths(renamed).notes())


def test_cycles_reject_the_model() -> None:
    rows = [
        {"model_a": pair[k % 2], "model_b": pair[1 - k % 2], "winner": pair[k % 8 == 0]}
        for pair in ("xy", "yz", "zx")
        for k in range(48)
    ]
    found = po.fit_strengths(rows)
    assert found.is_rejected
    assert set(map(frozenset, found.contradicted)) == set(map(frozenset, combinations("xyz", 2)))
    assert not found.order().edges
    assert {each.p_value for each in found.pairs} == {1.0}
    assert str(found).startswith("THE MODEL DOES NOT FIT: 144 battles")


def test_what_a_log_does_not_show_is_in_the_notes() -> None:
    rows = [{"model_a": "x", "model_b": "y", "winner": "xxxxy"[k % 5]} for k in range(60)]
    found = po.fit_strengths(rows)
    assert not found.order().edges
    assert "1 pair nearly always shown the same way round" in " ".join(found.notes())
    rows = [{"model_a": pair[0], "model_b": pair[1], "winner": "x"} for pair in ("xy", "yx") * 30]
    notes = " ".join(po.fit_strengths(rows).notes())
    assert "never lost, so the strength is at least the one here: 'x'" in notes
    assert "never won, so the strength is at most the one here: 'y'" in notes
    alone = [*rows, {"model_a": "p", "model_b": "q", "winner": "q"}]
    found = po.fit_strengths([*alone, {"model_a": "z", "model_b": "p", "winner": "tie"}])
    assert set(map(frozenset, found.parts)) == {frozenset("xy"), frozenset("pq"), frozenset("z")}
    assert "not connected by comparisons" in " ".join(found.notes())
    chosen = {"chosen": ["x", "y"] * 9, "rejected": ["y", "x"] * 9}
    assert "positions are unknown" in " ".join(po.fit_strengths(chosen).notes())


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (battles(1), {"ridge": 1}, "ridge= does not apply to a log or battles"),
        (battles(1), {"counts": [1]}, "counts= does not apply to a log"),
        ({("x", "y"): 1}, {"columns": {}}, "columns= does not apply to counts of wins"),
        (battles(1), {"unit": "nobody"}, "nobody"),
        (battles(1), {"unit": [1]}, "unit"),
        ({"model_a": ["x"], "model_b": ["y"]}, {}, "a column for winner"),
        ({"model_a": ["x"], "model_b": ["x"], "winner": ["x"]}, {}, "line 1: .* two different"),
        ({"model_a": ["x"], "model_b": ["y"], "winner": ["z"]}, {}, "'both_bad' or one of"),
        ({"model_a": [], "model_b": [], "winner": []}, {}, "found no events"),
        ({"model_a": ["x"], "model_b": ["y"], "winner": ["tie"]}, {}, "all items are alike"),
    ],
)
def test_bad_input_is_refused_in_words(data: Any, options: dict[str, Any], message: str) -> None:
    refuses(message, po.fit_strengths, data, **options)
