"""Orders judged on unseen sessions, against what is counted one statement at a time."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.clicks.holdout import validate_feedback
from porank.clicks.holdout_scores import HoldoutScore
from porank.clicks.simulation import simulate_log
from porank.clicks.statements import read_statements
from porank.clicks.taste_of_log import read_taste
from porank.errors import PorankError
from porank.exploration.explore import explore
from porank.orders.closure import transitive_closure
from tests.support import oracles_clicks, oracles_feedback
from tests.support.click_logs import log_of, logs
from tests.support.oracles_clicks import Row
from tests.support.oracles_feedback import Statement
from tests.support.refusals import refuses


def log_of_pairs(seen: Sequence[str], unseen: Sequence[str]) -> list[Row]:
    """Return a log of sessions that click the first item of a pair and not the second.

    Those to be held back begin at time 1, the others at time 0; each is of a user of its own.
    """
    said = [(pair, 0) for pair in seen] + [(pair, 1) for pair in unseen]
    return [
        {"session": number, "user": number, "item": item, "event": event, "time": time}
        for number, (pair, time) in enumerate(said)
        for item, event in zip(pair, ("click", "view"), strict=True)
    ]


def rows_of(seed: int, *, sessions: int = 24, base: float = 1) -> list[Row]:
    """Return some simulated sessions of five items, in the order of time, of five users."""
    strengths = {item: 2 * base**-place for place, item in enumerate("abcde")}
    log = simulate_log(strengths, sessions, length=4, seed=seed)
    rows = zip(*(column.tolist() for column in log.values()), strict=True)
    return [dict(zip(log, one, strict=True)) | {"user": "uvwxy"[one[0] * 7 % 5]} for one in rows]


def parted(log: list[Row], first: int) -> list[list[Row]]:
    """Return the rows of sessions that begin before one, and those of the others."""
    begin = {one["session"]: one["time"] for one in reversed(log)}
    return [
        [one for one in log if (begin[one["session"]] >= begin[first]) is is_late]
        for is_late in (False, True)
    ]


def statements(rows: list[Row], unit: str = "session") -> list[list[Statement]]:
    """Return what each unit says."""
    units = oracles_feedback.units_of(rows, unit).values()
    return [oracles_feedback.statements_of(sessions, oracles_clicks.levels) for sessions in units]


def by_order(order: nx.DiGraph) -> Callable[[Statement], int]:
    """Return what a closed order says of a statement."""
    return lambda one: order.has_edge(*one[:2]) - order.has_edge(*one[1::-1])


def by_place(side: int) -> Callable[[Statement], int]:
    """Return what says of a statement whether the item that stood there is the better one."""
    return lambda one: side * one[2]


def assert_scored(
    score: HoldoutScore,
    said: Any,
    says: Callable[[Statement], int],
    both: HoldoutScore | None = None,
) -> None:
    """Hold a score against what says something of each statement, then that both ways."""
    from scipy import special

    flat = [one for some in said for one in some]
    weights = {one: oracles_feedback.balanced_weight(one, flat) for one in flat}
    scores = [(score, dict.fromkeys(weights, Fraction(1)))]
    if both is not None:
        scores.append((both, weights))
    for found, weight in scores:
        shares, right = oracles_feedback.judged(said, says, weight.__getitem__)
        assert [found.completeness, found.correctness] == pytest.approx(shares, nan_ok=True)
        deciding = sum(decided > 0 for _, decided in right)
        t = float(special.stdtrit(deciding - 1, 0.975)) if deciding > 1 else 0
        ends = oracles_feedback.correctness_interval(right, t)
        assert (found.low, found.high) == pytest.approx(ends, nan_ok=True)
        assert found.units == deciding


def usually(seen: list[list[Statement]], side: int) -> Callable[[Statement], int]:
    """Return what says of a statement whether its first item stood above in most training ones."""
    above = Counter(
        one[:2] if one[2] == 1 else one[1::-1] for some in seen for one in some if one[2]
    )

    def sign(one: Statement) -> int:
        net = above[one[:2]] - above[one[1::-1]]
        return side * (int(net > 0) - int(net < 0))

    return sign


def by_value(value: dict[Any, float]) -> Callable[[Statement], int]:
    """Return what says of a statement which item has the larger value."""

    def sign(one: Statement) -> int:
        u, v = (value.get(item, math.nan) for item in one[:2])
        return int(u > v) - int(u < v)

    return sign


def shares(seen: list[Row]) -> tuple[dict[Any, float], dict[Any, float]]:
    """Return the share of clicks of each item, and its clicks over expected clicks."""
    entries = {(row["session"], row["item"]): row["position"] for row in seen}
    hits = {(row["session"], row["item"]) for row in seen if row["event"] != "view"}
    at = Counter(entries.values())
    rate = {k: sum(entries[one] == k for one in hits) / at[k] for k in at}
    views, clicks = Counter(item for _, item in entries), Counter(item for _, item in hits)
    expected: Counter[Any] = Counter()
    for (_, item), place in entries.items():
        expected[item] += rate[place]
    found = ({x: clicks[x] / all_[x] for x in all_ if all_[x]} for all_ in (views, expected))
    return next(found), next(found)


@pytest.mark.parametrize("seed", range(4))
def test_scores_by_counting_statements(seed: int) -> None:
    """The orders that the training sessions give, and rules that need none; by session and user."""
    log = rows_of(seed, sessions=60, base=1.6)
    seen, unseen = parted(log, 30 + 3 * seed)
    for unit in ("session", "user"):
        said = statements(unseen, unit)
        found = validate_feedback(seen, test=unseen, unit=unit, risk=0.5)
        taste = read_taste(read_statements(seen, unit=unit), risk=0.5)
        order = taste.order()
        leaning = transitive_closure(taste.leaning_order(order, taste.items))
        learnt = statements(seen, unit)
        stood = sum(one[2] for some in learnt for one in some)
        side = 1 if stood >= 0 else -1
        where = "higher" if side > 0 else "lower"
        rate, over_expected = shares(seen)
        predictions = {
            "settled order": by_order(order),
            "leaning order": by_order(leaning),
            f"stood {where}": by_place(side),
            f"usually stood {where}": usually(learnt, side),
            "clicked more often": by_value(rate),
            "clicks over expected clicks": by_value(over_expected),
        }
        assert [*found.scores] == [*predictions]
        for name, says in predictions.items():
            assert_scored(found.scores[name], said, says, found.both_ways.get(name))
        assert found.both_ways.keys() == predictions.keys() - {f"stood {where}"}
        gaps = dict(zip(taste.items, taste.model.strength.tolist(), strict=True))
        if not taste.tests.reason.any():
            assert_scored(found.curve[0], said, by_value(gaps))
        sessions = [len({row["session"] for row in rows}) for rows in (seen, unseen)]
        assert [found.train_sessions, found.test_sessions] == sessions
        assert (found.test_units, found.statements) == (len(said), sum(map(len, said)))
        assert found.pairs == len({frozenset(one[:2]) for some in said for one in some})


def of_lists(told: Sequence[tuple[int, str, str]]) -> list[Row]:
    """Return a log of so many lists, each with one click: a session for each."""
    lists = [(shown, clicked) for count, shown, clicked in told for _ in range(count)]
    return [
        {"session": k, "item": item, "position": place, "clicked": int(item == clicked)}
        for k, (shown, clicked) in enumerate(lists)
        for place, item in enumerate(shown, 1)
    ]


def test_place_alone_is_not_ahead() -> None:
    """Whoever stands higher is clicked, and a usually does; taste has no part in it."""
    log = of_lists([(300, "ab", "a"), (60, "ba", "b")])
    found = validate_feedback(log)
    assert found.scores["stood higher"].correctness == 1
    assert found.scores["clicked more often"].correctness > 0.5
    assert found.both_ways["clicked more often"].correctness == pytest.approx(0, abs=1e-12)
    assert found.ahead == ()


def test_a_rule_that_predicts_better_is_named() -> None:
    """What usually stands higher is liked better; the training lists say the opposite by chance."""
    train = of_lists([(8, "ab", "a"), (7, "ab", "b"), (10, "ba", "b")])
    later = of_lists([(40, "ab", "a"), (10, "ba", "a"), (5, "ba", "b")])
    found = validate_feedback(train, test=later)
    assert found.ahead == ("usually stood higher",)
    # u above v: 40 of 40 agree; v above u: 10 of 15.
    assert found.both_ways["usually stood higher"].correctness == pytest.approx(
        2 * (1 + 10 / 15) / 2 - 1
    )
    # A usually stands above b, but b is preferred wherever places are equal.
    place = of_lists([(150, "ab", "a"), (30, "ab", "b"), (40, "ba", "b")])
    assert validate_feedback(train, test=place).ahead == ()
    # Without positions all statements weigh the same.
    without = [[{**row, "position": None} for row in log] for log in (train, later)]
    assert list(validate_feedback(without[0], test=without[1]).scores) == [
        "settled order",
        "leaning order",
        "clicked more often",
        "clicks over expected clicks",
    ]


def test_pairs_that_were_shown_both_ways_equally_need_no_weights() -> None:
    log = of_lists([(20, "ab", "a"), (20, "ba", "a")])
    assert not validate_feedback(log[:40], test=log).both_ways
    one_way = validate_feedback(log[:40], test=log[:40])
    assert (one_way.both_ways, one_way.ahead) == ({}, ())


@given(log=logs(), seed=st.integers(0, 5), data=st.data())
def test_sequence_of_rows_does_not_matter(log: list[Row], seed: int, data: Any) -> None:
    """Only that in which sessions appear does, because it numbers them."""
    tables = []
    first = {row["session"]: place for place, row in enumerate(log)}.values()
    rest = [row for place, row in enumerate(log) if place not in first]
    for others in (rest, data.draw(st.permutations(rest))):
        rows = [*map(log.__getitem__, first), *others]
        try:
            tables.append(validate_feedback(rows, seed=seed).to_text())
        except PorankError as error:
            tables.append(str(error))
    assert tables[0] == tables[1]


def test_errors_in_a_test_log_say_so(tmp_path: Path) -> None:
    log = log_of_pairs(["ab"] * 5, ["ab"])
    path = tmp_path / "later.csv"
    path.write_text("session,item,event\n1,a,gone\n")
    for ask in (validate_feedback, explore):
        refuses(r"^the test log .*later\.csv, line 2: expected one", ask, log, test=path)
    with pytest.raises(PorankError, match=r"^the test log: expected a column for session"):
        validate_feedback(log, test={"item": [1], "event": ["click"]})
    with pytest.raises(PorankError, match=r"^expected a column for session"):
        validate_feedback({"item": [1], "event": ["click"]}, test=log)


def test_fewer_than_five_units_give_no_interval() -> None:
    four, five = (
        validate_feedback(log_of_pairs(["ab"] * 3, []), test=log_of_pairs(["ab"] * n, []))
        for n in (4, 5)
    )
    score = four.scores["leaning order"]
    assert (score.correctness, score.units) == (1, 4)
    assert math.isnan(score.low)
    assert "no intervals with fewer than 5 sessions" in four.to_text()
    assert five.scores["leaning order"].low == pytest.approx(-0.105, abs=0.001)
    assert five.scores["leaning order"].high == 1
    # The order settled by three sessions says nothing, and so has no interval.
    assert math.isnan(five.scores["settled order"].low)


def test_items_of_groups_are_kept_apart() -> None:
    log = rows_of(5, sessions=60)
    log = [one | {"query": "xy"[one["session"] % 2]} for one in log]
    said = [read_statements(part, group="query") for part in parted(log, 30)]
    renamed = parted([one | {"item": f"{one['query']}: {one['item']}"} for one in log], 30)
    by_group, by_name = (validate_feedback(one, test=later) for one, later in (said, renamed))
    assert repr(by_group.scores) == repr(by_name.scores)


def test_logs_without_places_or_clicks_and_ties() -> None:
    rated, later = "user,item,rating; u,a,2; u,b,1", "user,item,rating; v,a,3; v,b,1; v,c,3"
    found = validate_feedback(log_of(rated), test=log_of(later))
    assert (found.test_sessions, found.statements) == (1, 2), "ties are no statements"
    of_clicks = ["clicked more often", "clicks over expected clicks"]
    for validated, rules in (
        (found, []),
        (validate_feedback(log_of_pairs(["ab"] * 3, ["ab"])), of_clicks),
    ):
        assert list(validated.scores) == ["settled order", "leaning order", *rules]
        assert not validated.both_ways
        assert "both ways" not in validated.to_text()


def test_units_are_held_back_as_a_whole() -> None:
    """At least one of them, and not all."""
    rows = log_of_pairs(["ab"] * 20, [])
    for users, share, held in ((4, 0.5, 2), (4, 0.01, 1), (4, 0.99, 3), (2, 0.3, 1), (5, 0.3, 2)):
        log = [one | {"user": 1 + one["session"] % users} for one in rows]
        found = validate_feedback(log, unit="user", test_share=share)
        assert (found.test_units, found.test_sessions) == (held, 20 // users * held)
        assert found.train_sessions == 20 - found.test_sessions


def test_points_are_spread_and_hold_both_ends() -> None:
    log = simulate_log({n: 1.1**n for n in range(12)}, 300, seed=0)
    every, few = (validate_feedback(log, points=points).curve for points in (10**6, 5))
    assert (len(few), len(every) > 30) == (5, True)
    assert [few[k].completeness for k in (0, -1)] == [every[k].completeness for k in (0, -1)]
    assert [point.statistic for point in few] == sorted(point.statistic for point in few)
    steps = -np.diff([point.completeness for point in few])
    assert steps.max() < 0.5


def test_bad_input_is_refused_in_words() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"test_share": 0}, "test_share to lie between 0 and 1"),
        ({"test_share": 1}, "test_share to lie between 0 and 1"),
        ({"points": 1}, "at least 2 as points"),
        ({"risk": 0}, "as risk, found 0"),
        ({"rule": "click_over_skip_above"}, "expected the rule 'levels' or 'dwell'"),
        ({"test": log_of("user,item,rating; u,a,1; u,b,2")}, "two logs of the same kind"),
    ]
    for options, word in refused:
        refuses(word, validate_feedback, log_of_pairs(["ab"] * 2, ["ab"]), **options)
    refuses("expected training sessions", validate_feedback, log_of_pairs(["ab"], []))
