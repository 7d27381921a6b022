"""Two segments of a log, by definition and by what chance does."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from porank.clicks.simulation import simulate_log
from porank.clicks.statements import read_statements
from porank.clicks.taste_of_log import read_taste
from porank.exploration.explore import explore
from porank.orders.open_pairs import open_pairs
from porank.orders.why import why
from porank.significance.segments import compare_segments, find_segments
from tests.support.oracles_clicks import Row
from tests.support.refusals import refuses


def rows_of(seed: int, sessions: int = 30) -> list[Row]:
    """Return some simulated sessions, each of a user and with one of two devices."""
    log = simulate_log({"a": 3, "b": 2, "c": 1, "d": 1}, sessions, length=3, seed=seed)
    rng = np.random.default_rng(seed)
    device, user = rng.integers(2, size=sessions), rng.integers(9, size=sessions)
    return [
        dict(zip(log, one, strict=True))
        | {"device": ("phone", "desk")[device[one[0] - 1]], "user": 1 + int(user[one[0] - 1])}
        for one in zip(*(column.tolist() for column in log.values()), strict=True)
    ]


@pytest.mark.parametrize("unit", ["session", "user"])
def test_gaps_are_those_of_the_settled_orders_of_the_segments(unit: str) -> None:
    log = rows_of(0, sessions=200)
    found = compare_segments(log, "device", values=["phone", "desk"], unit=unit)
    assert found.pairs
    for place, device in enumerate(found.segments):
        own = [row for row in log if row["device"] == device]
        taste = read_taste(read_statements(own, unit=unit))
        strength = dict(zip(taste.items, taste.model.strength.tolist(), strict=True))
        for pair in found.pairs:
            gap = strength[pair.preferred] - strength[pair.other]
            # Times of the other segment move the ends of blocks.
            assert pair.gaps[place] == pytest.approx(gap, abs=0.05)
    assert all(pair.gaps[0] >= pair.gaps[1] for pair in found.pairs)
    order = [pair.p_value for pair in found.pairs]
    assert order == sorted(order)
    units = [{row[unit] for row in log if row["device"] == device} for device in found.segments]
    assert found.units == tuple(map(len, units))


def test_names_sequence_and_the_other_way_round_do_not_matter() -> None:
    log = rows_of(2)
    there, back = (
        compare_segments(log, "device", values=values).pairs
        for values in (("phone", "desk"), ("desk", "phone"))
    )
    p_values = [{frozenset(pair[:2]): pair.p_value for pair in some} for some in (there, back)]
    assert p_values[0] == pytest.approx(p_values[1], abs=0.01)
    assert {pair[:2] for pair in there} == {pair[1::-1] for pair in back}
    name = dict(zip("abcd", ["z", 1, "é", ("t", 2)], strict=True))
    renamed = [row | {"item": name[row["item"]]} for row in log]
    first, second = (
        sorted(
            round(pair.gaps[0] - pair.gaps[1], 6) for pair in compare_segments(rows, "device").pairs
        )
        for rows in (log, renamed)
    )
    assert first == second


def test_a_p_value_is_the_larger_one_of_both_segments_if_their_gaps_have_opposite_signs() -> None:
    log = rows_of(4, sessions=300)
    for row in log:
        if row["device"] == "desk":
            row["item"] = {"a": "d", "d": "a"}.get(row["item"], row["item"])
    found = compare_segments(log, "device")
    tests = [taste.tests for taste in found.tastes]
    place = {
        frozenset((found.tastes[0].items[u], found.tastes[0].items[v])): k
        for k, (u, v) in enumerate(zip(tests[0].u, tests[0].v, strict=True))
    }
    assert found.parted
    for pair in found.pairs:
        k = place[frozenset(pair[:2])]
        larger = max(each.p_value[k] for each in tests)
        assert pair.p_value == (larger if pair.gaps[0] > 0 > pair.gaps[1] else 1)


def test_own_comparisons_that_are_clearer_than_the_model_hide_no_opposite_preference() -> None:
    pairs = ("B", "C"), ("A", "B"), ("A", "C")
    counts = {"x": ((302, 40), (300, 30), (220, 110)), "y": ((39, 280), (300, 30), (300, 30))}
    rows = [
        {"model_a": u, "model_b": v, "winner": winner, "half": half}
        for half, all_counts in counts.items()
        for (u, v), (won, lost) in zip(pairs, all_counts, strict=True)
        for winner in u * won + v * lost
    ]
    rows += [row | {"model_a": row["model_b"], "model_b": row["model_a"]} for row in rows]
    found = compare_segments(rows, "half")
    assert [taste.opposed.any() for taste in found.tastes] == [True, True]
    assert [pair[:2] for pair in found.parted] == [("B", "C")]


def test_one_against_the_rest_and_segments_that_differ_part() -> None:
    log = [row | {"device": ("phone", "desk", "watch")[row["session"] % 3]} for row in rows_of(3)]
    alone = compare_segments(log, "device", values="watch")
    merged = [row | {"device": "watch" if row["device"] == "watch" else "rest"} for row in log]
    assert alone.segments == ("watch", "the rest")
    two = compare_segments(merged, "device", values=("watch", "rest"))
    assert alone.pairs == two.pairs
    lists = [("x", "ab", "a"), ("x", "ba", "a"), ("y", "ab", "b"), ("y", "ba", "b")]
    lists += [(device, shown, "a") for device in "xy" for shown in ("ac", "ca")]
    log = [
        {"session": k, "device": device, "item": item, "position": place, "clicked": int(hit)}
        for k, (device, shown, chosen) in enumerate(lists * 40)
        for place, item in enumerate(shown, 1)
        for hit in [(item == chosen) != (k % 9 == 0)]
    ]
    found = compare_segments(log, "device")
    assert ("a", "b") in [pair[:2] for pair in found.parted]
    assert found.parted[0].gaps[0] > 0 > found.parted[0].gaps[1]
    assert "of 3 pairs at a risk of 0.05" in found.to_text()


def test_a_segment_of_one_user_compares_nothing() -> None:
    log = [row | {"device": "one" if row["session"] == 1 else "others"} for row in rows_of(0)]
    found = compare_segments(log, "device", unit="session")
    assert found.pairs == ()
    assert found.to_text().startswith("device: one (1) and others (29) have too few sessions to")
    text = str(explore(log, segment="device", unit="session"))
    expected = (
        "1 session where device is one and 29 where it is others: too few to compare any pair"
    )
    assert expected in " ".join(text.split())
    assert "0 of" not in text.partition("By device")[2].partition("Taste or place")[0]


def test_bad_input_is_refused_in_words() -> None:
    log = rows_of(0)
    one = [row | {"device": "one"} for row in log]
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (log, {"segment": "event"}, "describe whole sessions"),
        (log, {"values": "tablet"}, "one or two of 'desk', 'phone' as values, found 'tablet'"),
        (log, {"values": ["desk", "desk"]}, "one or two of"),
        (log, {"values": []}, "one or two of"),
        (log, {"risk": 0}, "risk"),
        (log, {"unit": "day"}, "unit"),
        (one, {"values": "one"}, "at least two values of 'device', found only 'one'"),
        ([], {}, "found no events"),
        ([{**log[0], "device": "watch"}, *log[1:]], {}, "expected one device for session"),
    ]
    for rows, options, message in wrong:
        refuses(message, compare_segments, rows, **{"segment": "device"} | options)
    battles = [{"model_a": "x", "model_b": "y", "winner": "x"}] * 9
    refuses("whole sessions, such as 'user', found 'winner'", find_segments, battles, "winner")
    refuses("at least one column", find_segments, log, [])


def test_a_search_is_the_comparisons_of_values_with_the_rest_at_a_shared_risk() -> None:
    log = [
        row | {"shop": "nsw"[row["session"] % 3], "age": 20 + row["session"] % 29}
        for row in rows_of(5, sessions=120)
    ]
    found = find_segments(log, ["device", "shop", "age"], unit="session")
    ages = sorted(20 + session % 29 for session in range(1, 121))
    cuts = [ages[29], ages[59], ages[89]]
    expected = {("device", ("phone", "desk")), *(("shop", (x, "the rest")) for x in "nsw")}
    expected |= {("age", (f"up to {cut}", f"above {cut}")) for cut in cuts}
    assert {(one.segment, frozenset(one.segments)) for one in found.comparisons} == {
        (name, frozenset(sides)) for name, sides in expected
    }
    assert [one.p_value for one in found.comparisons] == sorted(
        one.p_value for one in found.comparisons
    )
    for one in found.comparisons:
        assert one.risk == pytest.approx(0.05 / 7)
        split = {"values": one.segments[0]} if one.segment == "shop" else {}
        rows = log
        if one.segment == "age":
            cut = float(one.segments[0].split()[-1])
            rows = [row | {"age": "low" if row["age"] <= cut else "high"} for row in log]
            split = {"values": ["low", "high"]}
        alone = compare_segments(rows, one.segment, risk=one.risk, unit="session", **split)
        assert sorted(map(repr, alone.pairs)) == sorted(map(repr, one.pairs))


def test_pairs_are_equal_enough_on_which_both_segments_are() -> None:
    rng = np.random.default_rng(0)
    rows = [
        {"model_a": "xyz"[u], "model_b": "xyz"[v], "winner": "xyz"[u if won else v], "half": half}
        for half, lead in ((0, 0.0), (1, 1.5))
        for u, v in combinations(range(3), 2)
        for won in rng.random(900) < 1 / (1 + np.exp(-lead * (v == 2)))
    ]
    order = compare_segments(rows, "half").order(margin=0.6)
    states = {frozenset(pair[:2]): pair[2:4] for pair in open_pairs(order)}
    assert states == {
        frozenset("xy"): ("equal enough", "the difference is within the margin"),
        frozenset("xz"): ("not enough", "better in 1, equal enough in 0"),
        frozenset("yz"): ("not enough", "better in 1, equal enough in 0"),
    }


def test_segments_of_opposite_tastes_trade_pairs() -> None:
    first = simulate_log({"a": 9, "b": 3, "c": 1}, 900, length=3, seed=1)
    second = simulate_log({"a": 9, "b": 1, "c": 3}, 900, length=3, seed=2)
    second["session"] = second["session"] + 900
    both = {name: [*first[name].tolist(), *second[name].tolist()] for name in first}
    both["half"] = [1] * len(first["item"]) + [2] * len(second["item"])
    found = compare_segments(both, "half")
    order = found.order()
    assert sorted(order.edges) == [("a", "b"), ("a", "c")]
    pair = why(order, "b", "c").open
    assert pair is not None
    assert (pair.u, pair.state) == ("b", "traded")
    assert pair.reason == "better in 1, worse in 2"
    assert [len(open_pairs(each)) for each in found.orders()] == [0, 0]
    settled = [sorted(map("".join, each.edges)) for each in found.orders()]
    assert settled == [["ab", "ac", "bc"], ["ab", "ac", "cb"]]
    assert all(
        "rests_on" in data
        for each in found.orders()
        for *_, data in each.edges(data=True)
        if not data["added"]
    )
    few = compare_segments(
        {name: column[:60] + column[-60:] for name, column in both.items()}, "half"
    )
    assert {row[2] for each in few.orders() for row in open_pairs(each)} == {"not enough"}


def test_columns_of_texts_of_numbers_are_cut_as_numbers_are() -> None:
    rows = [row | {"age": 20 + row["session"] % 29} for row in rows_of(5, sessions=120)]
    texts = [row | {"age": str(row["age"])} for row in rows]
    one, other = (find_segments(each, "age", unit="session") for each in (rows, texts))
    assert str(one) == str(other)
    pairs = [row | {"age": (row["age"] % 3, 1)} for row in rows]
    assert len(find_segments(pairs, "age", unit="session").comparisons) == 3
