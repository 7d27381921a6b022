"""Simulated logs: rates against closed forms, what holds of every log, and what is refused.

A rate is counted in sessions that are drawn independently, so its standard error is known; it may
lie five of them from what is expected, which by chance happens once in some two million times.
"""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.clicks.simulation import _draw_lists, simulate_log
from porank.convert.notation import parse
from porank.orders.ranks import set_ranks
from tests.support import oracles_feedback as oracle
from tests.support.refusals import refuses
from tests.support.strategies import item_lists, orders

SESSIONS = 20_000


def assert_rate(count: int, expected: Any, size: int = SESSIONS) -> None:
    """Hold a count of independent sessions against a probability, five standard errors wide."""
    error = 5 * float(expected * (1 - expected) * size) ** 0.5
    assert abs(count - float(expected * size)) <= error, (count, expected)


def rows_of(log: dict[str, Any]) -> list[tuple[Any, ...]]:
    return list(zip(*(column.tolist() for column in log.values()), strict=True))


class TestRates:
    """How often something happens, against its probability."""

    @pytest.mark.parametrize("examination", [None, [Fraction(1), Fraction(1, 3)]])
    def test_lists_and_their_clicks_by_a_policy_and_trust(self, examination: Any) -> None:
        tastes, policy, trust = {"a": 3, "b": 1, "c": 2}, {"c": 1, "a": 2, "b": 5}, [0.5, 0.25]
        expected = oracle.outcomes(tastes, 2, policy, 2, [*map(Fraction, trust)], examination)
        assert sum(expected.values()) == 1
        log = simulate_log(
            tastes,
            SESSIONS,
            outside=2,
            shown=policy,
            length=2,
            trust=trust,
            examination=examination or "cascade",
            seed=3,
        )
        viewed, clicked = (log["event"] == kind for kind in ("view", "click"))
        clicks = set(zip(log["session"][clicked], log["item"][clicked], strict=True))
        shown = zip(log["session"][viewed], log["item"][viewed], strict=True)
        drawn = [(item, (session, item) in clicks) for session, item in shown]
        found = Counter(zip(drawn[::2], drawn[1::2], strict=True))
        assert found.keys() <= expected.keys()
        for outcome, share in expected.items():
            assert_rate(found[outcome], Fraction(share))

    def test_what_is_clicked_on_trust_alone_is_not_bought(self) -> None:
        log = simulate_log({"a": 1}, SESSIONS, outside=3, trust=[1], purchase=1, seed=5)
        assert np.count_nonzero(log["event"] == "click") == SESSIONS
        assert_rate(int(np.count_nonzero(log["event"] == "purchase")), Fraction(1, 4))

    def test_looks_and_purchases(self) -> None:
        shown, examination = (
            {"b": 1, "a": 6, "d": 2, "c": 3},
            [Fraction(1, k) for k in (1, 2, 3, 4)],
        )
        log = simulate_log(shown, SESSIONS, outside=2, shown=[*shown], purchase=0.5, seed=8)
        bought = oracle.position_purchases([*shown.values()], 2, examination, Fraction(1, 2))
        looked = (log["event"] == "view") & log["examined"]
        for mask, shares in ((looked, examination), (log["event"] == "purchase", bought)):
            for count, share in zip(np.bincount(log["position"][mask])[1:], shares, strict=True):
                assert_rate(count, share)

    def test_by_default_the_strength_of_nothing_is_the_geometric_mean(self) -> None:
        log = simulate_log({"a": 1, "b": 16}, SESSIONS, examination=[1, 1], seed=4)
        for item, share in {"a": Fraction(1, 5), "b": Fraction(4, 5)}.items():
            clicked = (log["event"] == "click") & (log["item"] == item)
            assert_rate(int(np.count_nonzero(clicked)), share)

    def test_all_lists_are_equally_likely(self) -> None:
        for n, size in ((4, 2), (7, 2), (3, 3)):
            drawn = _draw_lists(np.random.default_rng(5), SESSIONS, n, size)
            found, lists = Counter(map(tuple, drawn.tolist())), set(permutations(range(n), size))
            assert set(found) == lists
            for shown in lists:
                assert_rate(found[shown], Fraction(1, len(lists)))


class TestForm:
    """What every log looks like."""

    @given(
        items=item_lists(max_items=6),
        sessions=st.integers(0, 6),
        examination=st.sampled_from(["position", "cascade"]),
        seed=st.integers(0, 99),
        data=st.data(),
    )
    def test_events_of_a_session(
        self, items: list[Any], sessions: int, examination: str, seed: int, data: st.DataObject
    ) -> None:
        length = data.draw(st.integers(0, len(items)))
        options: dict[str, Any] = {"length": length, "examination": examination, "purchase": 0.5}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("porank.clicks.simulation._BLOCK", 8)
            rows = rows_of(simulate_log(dict.fromkeys(items, 2), sessions, seed=seed, **options))
        assert all(before[4] <= after[4] for before, after in pairwise(rows))
        for session in range(1, sessions + 1):
            own = [row[1:] for row in rows if row[0] == session]
            views, clicks, bought = (
                {position: item for item, position, event, *_ in own if event == kind}
                for kind in ("view", "click", "purchase")
            )
            assert len(own) == len(views) + len(clicks) + len(bought)
            assert list(views) == list(range(1, length + 1))
            assert len(set(views.values())) == length
            assert clicks.items() <= views.items()
            assert bought.items() <= clicks.items()
            assert len(bought) <= 1
            examined = {position: seen for _, position, event, _, seen in own if event == "view"}
            assert all(examined[position] for position in clicks)
            start = min((time for *_, time, _ in own), default=0)
            assert [time - start for *_, event, time, _ in own if event == "click"] == [*clicks]
            if examination == "cascade":
                last = min(clicks, default=length)
                assert len(clicks) <= 1
                assert examined == {place: place <= last for place in range(1, length + 1)}

    @given(order=orders(max_items=6))
    def test_of_an_order_each_level_is_half_as_strong(self, order: nx.DiGraph) -> None:
        strengths = {item: 2.0**-rank for item, rank in set_ranks(order).items()}
        for outside in (None, 0.25):
            first, second = (
                simulate_log(preferences, 20, outside=outside, seed=0)
                for preferences in (order, strengths)
            )
            assert rows_of(first) == rows_of(second)

    def test_the_same_seed_makes_the_same_log(self) -> None:
        seeds = (1, np.random.default_rng(1), 2)
        first, again, other = (rows_of(simulate_log({"a": 2, "b": 1}, 50, seed=s)) for s in seeds)
        assert first == again != other

    def test_a_list_longer_than_ten(self) -> None:
        many = dict.fromkeys(range(20), 1)
        assert simulate_log(many, 1, seed=0)["position"].max() == 10
        assert simulate_log(many, 1, shown=range(15), seed=0)["position"].max() == 15
        fixed = simulate_log(many, 2, shown=range(15), length=4, examination="cascade", seed=0)
        views = fixed["item"][fixed["event"] == "view"]
        assert views.tolist() == [0, 1, 2, 3] * 2

    def test_no_items_or_sessions_make_an_empty_log(self) -> None:
        for log in (simulate_log({}, 3), simulate_log({"a": 1}, 0), simulate_log(nx.DiGraph(), 1)):
            assert [column.size for column in log.values()] == [0] * 6
        assert rows_of(simulate_log({"a": 1}, 2, outside=0, purchase=0)) == [
            (1, "a", 1, "view", 0, True),
            (1, "a", 1, "click", 1, True),
            (2, "a", 1, "view", 3, True),
            (2, "a", 1, "click", 4, True),
        ]

    def test_an_item_far_stronger_takes_all_clicks(self) -> None:
        options: dict[str, Any] = {"examination": [1, 1], "purchase": 1, "seed": 0}
        log = simulate_log({"a": 1e300, "b": 5e-324}, 40, outside=1, **options)
        for event in ("click", "purchase"):
            assert log["item"][log["event"] == event].tolist() == ["a"] * 40


def test_bad_input_is_refused_in_words() -> None:
    one: dict[str, Any] = {"a": 1}
    refused: list[tuple[Any, dict[str, Any], str]] = [
        (parse("a > b > a"), {}, "in preferences"),
        ({"a": 0}, {}, "a positive, finite strength for 'a', found 0"),
        (["a"], {}, "a mapping item -> strength or a DiGraph .* found a list; from_ranking"),
        (one, {"examination": "dbn"}, "'position', 'cascade' or probabilities .* 'dbn'"),
        (one, {"examination": [1.5]}, "examination of position 1, found 1.5"),
        (one, {"shown": "fixed"}, "'random', a sequence of items or a mapping as shown"),
        (one, {"shown": ["b"]}, "found 'b'"),
        (one, {"shown": ["a", "a"]}, "each item once in the items shown"),
        (one, {"shown": {"a"}}, "a list of items as the items shown, found a set"),
        (one, {"length": 2}, "at most the 1 items to show, found 2"),
        (one, {"outside": -1}, "finite number >= 0 as outside, found -1"),
    ]
    for preferences, options, message in refused:
        refuses(message, simulate_log, preferences, **{"sessions": 1} | options)
