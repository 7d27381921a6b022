"""Two segments of a log, by definition and by what chance does."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from porank.clicks.simulation import simulate_log
from porank.clicks.units import read_units
from porank.errors import PorankError
from porank.significance.segments import compare_segments
from tests import oracles_clicks, oracles_feedback
from tests.oracles_clicks import Row


def rows_of(seed: int, sessions: int = 30) -> list[Row]:
    """Return some simulated sessions, each of a user and with one of two devices."""
    log = simulate_log({"a": 3, "b": 2, "c": 1, "d": 1}, sessions, length=3, seed=seed)
    rng = np.random.default_rng(seed)
    device, user = rng.integers(2, size=sessions), rng.integers(9, size=sessions)
    return [
        dict(zip(log, one, strict=True))
        | {"device": ("phone", "desk")[device[one[0] - 1]], "user": int(user[one[0] - 1])}
        for one in zip(*(column.tolist() for column in log.values()), strict=True)
    ]


@pytest.mark.parametrize("unit", ["session", "user"])
@pytest.mark.parametrize("seed", range(3))
def test_by_definition(seed: int, unit: str) -> None:
    log = rows_of(seed)
    how: dict[str, Any] = {"values": ["phone", "desk"], "unit": unit, "seed": seed}
    found = compare_segments(log, "device", samples=19, **how)
    units = list(oracles_feedback.units_of(log, unit).values())
    said = [
        (number, int(session[0]["device"] == "desk"), oracles_clicks.levels(session))
        for number, sessions in enumerate(units)
        for session in sessions
    ]
    sides = [{side for number, side, _ in said if number == k} for k in range(len(units))]
    single = [k for k, own in enumerate(sides) if len(own) == 1]
    both = [k for k, own in enumerate(sides) if len(own) == 2]
    assert found.units == tuple(sum(side in own for own in sides) for side in (0, 1))
    observed = oracles_feedback.segment_pairs([(side, pairs) for _, side, pairs in said])
    rng, samples = np.random.default_rng(seed), []
    for _ in range(19):
        labels = np.array([max(sides[k]) for k in single], dtype=bool)
        changed = dict(zip(single, rng.permutation(labels) != labels, strict=True))
        changed |= dict(zip(both, rng.random(len(both)) < 0.5, strict=True))
        dealt = [(side ^ int(changed[number]), pairs) for number, side, pairs in said]
        pairs_of = oracles_feedback.segment_pairs(dealt).items()
        samples.append({frozenset(pair): values[2] for pair, values in pairs_of})
    shown = {
        (u, v)
        for (u, v), ((s, t), (a, b), _) in observed.items()
        if s + a and t + b and s + t >= a + b
    }
    assert {(pair.preferred, pair.other) for pair in found.pairs} <= shown
    assert {frozenset(pair[:2]) for pair in found.pairs} == set(map(frozenset, shown))
    ratios = {frozenset(key): values[2] for key, values in observed.items()}
    for pair in found.pairs:
        supports, against, ratio = observed[pair.preferred, pair.other]
        shares = [s / (s + a) for s, a in zip(supports, against, strict=True)]
        assert (pair.support, pair.against) == (supports, against)
        assert pair.shares == pytest.approx(shares)
        assert pair.difference == pytest.approx(shares[0] - shares[1])
        root = math.copysign(math.sqrt(2 * max(ratio, 0)), pair.difference)
        assert pair.statistic == pytest.approx(root, abs=1e-6)
        stepped = []
        for least in (each for each in ratios.values() if each >= ratio - 1e-9):
            weaker = [key for key in ratios if ratios[key] <= least + 1e-9]
            greatest = (max(sample.get(key, 0) for key in weaker) for sample in samples)
            stepped.append(sum(each >= least - 1e-9 for each in greatest))
        assert pair.p_value == (1 + max(stepped)) / 20
    order = [(pair.p_value, -abs(round(pair.statistic, 6))) for pair in found.pairs]
    assert order == sorted(order)


def test_names_sequence_and_the_other_way_round_do_not_matter() -> None:
    log = rows_of(2)
    there, back = (
        compare_segments(log, "device", values=values, samples=9).pairs
        for values in (("phone", "desk"), ("desk", "phone"))
    )
    assert [pair.difference for pair in there] == [-pair.difference for pair in back]
    assert [pair.p_value for pair in there] == [pair.p_value for pair in back]
    name = dict(zip("abcd", ["z", 1, "é", ("t", 2)], strict=True))
    renamed = [row | {"item": name[row["item"]]} for row in log]
    first, second = (
        {pair[3:] for pair in compare_segments(rows, "device", samples=9).pairs}
        for rows in (log, renamed)
    )
    assert first == second


def test_one_against_the_rest_and_segments_that_differ_part() -> None:
    log = [row | {"device": ("phone", "desk", "watch")[row["session"] % 3]} for row in rows_of(3)]
    alone = compare_segments(log, "device", values="watch", samples=9)
    merged = [row | {"device": "watch" if row["device"] == "watch" else "rest"} for row in log]
    assert alone.segments == ("watch", "the rest")
    two = compare_segments(merged, "device", values=("watch", "rest"), samples=9)
    assert alone.pairs == two.pairs
    said = [("x", "ab")] * 20 + [("y", "ba")] * 20 + [("x", "ac")] * 20 + [("y", "ac")] * 20
    log = [
        {"session": number, "device": device, "item": item, "event": event}
        for number, (device, pair) in enumerate(said)
        for item, event in zip(pair, ("click", "view"), strict=True)
    ]
    found = compare_segments(log, "device")
    assert [pair[:2] for pair in found.parted] == [("a", "b")]
    assert (found.parted[0].p_value, found.pairs[1].p_value) == (0.001, 1)
    assert "differ on 1 of 2 pairs at level 0.05" in found.to_text()
    assert compare_segments(read_units(log, segment="device"), "device").pairs == found.pairs


def test_refusals() -> None:
    log = rows_of(0)
    one = [row | {"device": "one"} for row in log]
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (log, {"segment": "event"}, "one value per session"),
        (log, {"values": "tablet"}, "one or two of 'desk', 'phone' as values, found 'tablet'"),
        (log, {"values": ["desk", "desk"]}, "one or two of"),
        (log, {"values": []}, "one or two of"),
        (log, {"level": 0}, "level"),
        (log, {"samples": 0}, "samples"),
        (log, {"unit": "day"}, "unit"),
        (one, {"values": "one"}, "at least two values of 'device', found only 'one'"),
        ([], {}, "found none"),
        ([{**log[0], "device": "watch"}, *log[1:]], {}, "expected one device for session"),
    ]
    for rows, options, message in wrong:
        with pytest.raises(PorankError, match=message):
            compare_segments(rows, **({"segment": "device"} | options))


@pytest.mark.slow
def test_segments_split_at_random_show_nothing() -> None:
    found = 0
    for seed in range(100):
        log = simulate_log({n: 1.2**n for n in range(8)}, 400, length=5, seed=seed)
        side = np.random.default_rng(seed).integers(2, size=401)
        log["side"] = side[log["session"]]
        found += bool(compare_segments(log, "side", samples=99, seed=seed).parted)
    assert found <= 10
