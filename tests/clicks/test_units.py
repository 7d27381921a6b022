"""Bootstrap samples of sessions and users against samples that are written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.clicks.feedback import from_log
from porank.clicks.units import bootstrap_feedback, read_units
from porank.errors import ParseError, PorankError
from tests import oracles_clicks, oracles_feedback
from tests.clicks.test_rules import logs
from tests.oracles_clicks import Row

#: Nobody is consistent: a over b, b over c and c over a, each said by a session of its own.
CIRCLE: list[Row] = [
    {"session": u + v, "user": "x", "item": item, "event": event}
    for u, v in ("ab", "bc", "ca")
    for item, event in ((u, "click"), (v, "view"))
]


class TestUnits:
    """What is read of sessions and users."""

    @given(log=logs(), unit=st.sampled_from(["session", "user"]))
    def test_all_units_together_say_what_the_log_says(self, log: list[Row], unit: str) -> None:
        G = from_log(log)
        units = read_units(log, unit=unit)
        counts = units.unit_counts("levels")
        H = units.pairs().to_graph()
        assert list(G) == list(H)
        assert dict(G.edges) == dict(H.edges)
        totals = counts.totals()
        for u, v, s, n in zip(
            counts.preferred, counts.other, totals, counts.of_compared(totals), strict=True
        ):
            data = G.edges[units.items[u], units.items[v]]
            assert (s, n) == (data["support"], data["support"] + data["against"])

    def test_sessions_begin_with_their_first_time(self) -> None:
        log = {"session": [7, 7, 5], "item": list("aba"), "event": ["view"] * 3, "time": [9, 4, 6]}
        begins = read_units(log, begins=True).begins
        assert begins is not None
        assert begins.astype(int).tolist() == [4, 6]

    @pytest.mark.parametrize(
        ("log", "options"),
        [
            ({"user": list("uuuvvv"), "item": list("abcabc"), "rating": [5, 3, 3, 1, 4, 1]}, {}),
            ({"model_a": ["a", "b"], "model_b": ["b", "c"], "winner": ["model_b", "tie"]}, {}),
            (
                {"list": ["a b c", "b c"], "taken": ["b", "c"]},
                {"shown": "list", "clicked": "taken"},
            ),
            (
                {
                    "user": ["u"] * 4,
                    "item": list("abba"),
                    "event": ["click", "view"] * 2,
                    "time": [0, 1, 99, 99],
                },
                {"gap": 30},
            ),
        ],
    )
    def test_logs_of_other_shapes(self, log: Any, options: dict[str, Any]) -> None:
        G = from_log(log, **options)
        columns = {role: name for role, name in options.items() if role != "gap"} or None
        H = read_units(log, columns=columns, gap=options.get("gap")).pairs().to_graph()
        assert dict(G.edges) == dict(H.edges)
        assert list(G) == list(H)
        assert G.size() > 0

    def test_log_read_otherwise_is_refused(self) -> None:
        with pytest.raises(PorankError, match="read with unit='user', found 'session'"):
            bootstrap_feedback(read_units(CIRCLE), unit="user")


class TestBootstrapFeedback:
    """The share of samples in which one item is net preferred."""

    @given(log=logs(), unit=st.sampled_from(["session", "user"]), seed=st.integers(0, 9))
    def test_as_defined(self, log: list[Row], unit: str, seed: int) -> None:
        P = bootstrap_feedback(log, unit=unit, samples=5, seed=seed)
        n, rng = len(oracles_feedback.units_of(log, unit)), np.random.default_rng(seed)
        draws = [rng.integers(n, size=n) for _ in range(5 if n else 0)]
        wins = oracles_feedback.net_wins(log, oracles_clicks.levels, unit, draws)
        assert {(u, v): P.wins_of(u, v) for u in P.items for v in P.items if u != v} == {
            (u, v): wins[u, v] for u in P.items for v in P.items if u != v
        }

    @given(log=logs(), data=st.data())
    def test_sequence_of_rows_does_not_matter(self, log: list[Row], data: Any) -> None:
        shuffled = data.draw(st.permutations(log))
        P, Q = (bootstrap_feedback(rows, samples=4) for rows in (log, shuffled))
        assert P.degrees() == Q.degrees()

    def test_names_of_items_do_not_matter(self) -> None:
        renamed = [row | {"item": {"a": "z", "b": 1, "c": "é"}[row["item"]]} for row in CIRCLE]
        P, Q = bootstrap_feedback(CIRCLE), bootstrap_feedback(renamed)
        assert P.strength.tolist() == Q.strength.tolist()

    def test_one_user_is_drawn_in_every_sample(self) -> None:
        P = bootstrap_feedback(CIRCLE, unit="user", samples=7)
        assert P.find_blocking_cycle(1) == ["a", "b", "c", "a"]

    def test_log_that_was_read_needs_no_more_reading(self) -> None:
        assert bootstrap_feedback(read_units(CIRCLE)) == bootstrap_feedback(CIRCLE)

    def test_empty_log(self) -> None:
        assert bootstrap_feedback([]).items == ()

    def test_bad_rows_are_left_out_if_reported(self) -> None:
        bad = [*CIRCLE, {"session": "d", "user": "x", "item": "a", "event": "wink"}]
        with pytest.raises(ParseError, match="wink"):
            bootstrap_feedback(bad)
        assert bootstrap_feedback(bad, errors="report") == bootstrap_feedback(CIRCLE)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"unit": "day"}, "unit to be one of 'session', 'user'"),
            ({"samples": 0}, "at least 1 as samples"),
            ({"seed": -1}, "as seed"),
            ({"rule": {}}, "at least one rule"),
        ],
    )
    def test_bad_options(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(PorankError, match=message):
            bootstrap_feedback(CIRCLE, **options)
