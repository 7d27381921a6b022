"""What sessions say: every rule against its definition, on paper, and by what place does to it."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.rules import RULES, dwell, levels, per_session
from tests.support import oracles_clicks as oracle
from tests.support.click_logs import asked, log_of, logs
from tests.support.oracles_clicks import Row
from tests.support.refusals import refuses

#: Six results; the second and the fifth are clicked, the fifth first; the third is bought.
WORKED: list[Row] = [
    {"session": "s", "item": item, "position": position, "event": event, "time": time}
    for item, position, event, time in [
        *((item, place, "view", 0) for place, item in enumerate("ABCDEF", start=1)),
        ("E", 5, "click", 10),
        ("B", 2, "click", 40),
        ("C", 3, "click", 60),
        ("C", 3, "purchase", 65),
    ]
]


def without(log: Sequence[Row], *names: str) -> list[Row]:
    return [{name: row[name] for name in row if name not in names} for row in log]


def support_by_group(log: Any, **options: Any) -> dict[tuple[Any, ...], Any]:
    """Return the pairs as a mapping (groups, preferred, other) -> support, each row once."""
    pairs = asked(
        preference_pairs, log, columns={name: name for name in ("session", "item")}, **options
    )
    found = {row[:-1]: row[-1] for row in pairs}
    assert len(found) == len(pairs)
    return found


@given(
    log=logs(),
    by=st.sampled_from([("session",), (), ("user",), ("user", "session")]),
    has_times=st.booleans(),
    several=st.lists(st.sampled_from([*RULES]), min_size=1, max_size=3),
    data=st.data(),
)
def test_rules_find_the_pairs_of_their_definitions(
    log: list[Row], by: tuple[str, ...], has_times: bool, several: list[str], data: st.DataObject
) -> None:
    # Without times, the sequence of rows counts.
    log = without(log, "dwell") if has_times else without(log, "dwell", "time")
    for rules in [*([rule] for rule in RULES), several]:
        if has_times or "dwell" not in rules:
            definitions = [oracle.RULES[rule] for rule in rules]
            found = support_by_group(log, rule=rules, by=by)
            assert found == oracle.support(log, definitions, by)
            if has_times:
                assert support_by_group(data.draw(st.permutations(log)), rule=rules, by=by) == found


@given(log=logs(), tolerance=st.sampled_from([0, 1, 2.5, Fraction(1, 2)]))
def test_dwell_with_a_column_and_a_tolerance(log: list[Row], tolerance: Any) -> None:
    found = support_by_group(log, rule=partial(dwell, tolerance=tolerance), by=())
    assert found == oracle.support(log, [partial(oracle.dwell, tolerance=tolerance)])


@pytest.mark.parametrize(
    ("rule", "pairs"),
    [
        ("levels", "CB CE CA CD CF BA BD BF EA ED EF"),
        ("click_over_skip_above", "BA CA EA ED"),
        ("last_click_over_skip_above", "CA"),
        ("click_over_earlier_click", "CB CE BE"),
        ("click_over_skip_previous", "BA ED"),
        ("click_over_no_click_next", "CD EF"),
        # 30 on E, 20 on B; C was the last, and how long it was looked at is not known.
        ("dwell", "EB"),
    ],
)
def test_worked_on_paper(rule: str, pairs: str) -> None:
    assert support_by_group(WORKED, rule=rule) == {("s", *pair): 1 for pair in pairs.split()}


def test_seconds_of_numbers_and_of_dates() -> None:
    times = [1700000000.1, 1700000005.2, 1700000010.3, 1700000010.9]
    log = log_of("session,item,event; 1,a,click; 1,b,click; 1,c,click; 1,d,click") | {"time": times}
    assert [(u, v) for _, u, v, _ in preference_pairs(log, rule=dwell)] == [("a", "c"), ("b", "c")]
    for kind in ("M8[s]", "M8[ns]"):
        dates = log | {"time": np.array([0, 9, 14, 15], dtype="M8[s]").astype(kind)}
        for tolerance, pairs in ((3.9, ["ab", "ac", "bc"]), (4, ["ac"]), (8, [])):
            found = preference_pairs(dates, rule=partial(dwell, tolerance=tolerance))
            assert sorted(u + v for _, u, v, _ in found) == pairs


class TestOwnRules:
    """A function in the place of a name."""

    @given(log=logs())
    def test_a_function_of_one_session(self, log: list[Row]) -> None:
        def skip_above(events: list[Any]) -> set[tuple[Any, Any]]:
            return oracle.click_over_skip_above([event._asdict() for event in events])

        named = support_by_group(log, rule="click_over_skip_above", by="user")
        assert support_by_group(log, rule=per_session(skip_above), by="user") == named

    def test_what_a_function_of_one_session_sees(self) -> None:
        seen: list[Any] = []

        def look(events: list[Any]) -> list[Any]:
            seen.extend([tuple(event) for event in events])
            return []

        log = {"session": [1, 1, 2], "item": ["b", "a", "c"], "time": [5, 3, 1]}
        assert len(preference_pairs(log, rule=per_session(look))) == 0
        log |= {"event": ["click", "view", "view"], "position": [2, 1, float("nan")]}
        preference_pairs(log, rule=per_session(look))
        assert seen == [
            *(("a", "click", None, 3.0, None), ("b", "click", None, 5.0, None)),
            *(("c", "click", None, 1.0, None), ("a", "view", 1, 3.0, None)),
            *(("b", "click", 2, 5.0, None), ("c", "view", None, 1.0, None)),
        ]

    def test_a_function_of_arrays(self) -> None:
        def upside_down(sessions: Any) -> list[Any]:
            return [np.tile(side, 2) for side in levels(sessions)[::-1]]

        forth = support_by_group(WORKED, rule="levels")
        assert support_by_group(WORKED, rule=upside_down) == {("s", v, u): 1 for _, u, v in forth}
        both = support_by_group(WORKED, rule=["levels", upside_down, levels], by=())
        assert len(both) == 2 * len(forth)
        assert set(both.values()) == {1}

    def test_bad_input_is_refused_in_words(self) -> None:
        log = [*WORKED, {"session": "t", "item": "B", "position": 1, "event": "view", "time": 0}]
        refused: list[tuple[Any, str]] = [
            (lambda _: None, "two arrays of entries of equal length"),
            (lambda _: (["A"], ["B"]), "two arrays of entries of equal length"),
            (lambda _: ([0.5], [1.0]), r"for a function of one session, use per_session"),
            (lambda _: ([0], [7]), "to return entries from 0 to 6, found 0 to 7"),
            (lambda _: ([-1], [0]), "found -1 to 0"),
            (lambda _: ([2], [2]), "pairs of two items of one session, found 'C' and 'C'"),
            (lambda _: ([0], [6]), "found 'A' and 'B' of another session"),
            (per_session(lambda _: [("A", "Z")]), "of items of the session"),
            (per_session(lambda _: ["A"]), "of items of the session"),  # type: ignore[list-item]
            (attrgetter("last_rating"), "which the rule needs, found none"),
            (partial(dwell, tolerance=-1), "number >= 0 as tolerance, found -1"),
        ]
        for rule, message in refused:
            refuses(message, preference_pairs, log, rule=rule)


#: The position-based model: position k is looked at with probability E[k], and what is looked at is
#: clicked with the probability of the item; people click from the top down.
E = dict(zip((1, 2, 3), (Fraction(9, 10), Fraction(1, 2), Fraction(1, 5)), strict=True))
P = {"u": Fraction(1, 2), "v": Fraction(1, 3), "w": Fraction(3, 5)}


def chances(rule: str, i: int, j: int) -> tuple[Fraction, Fraction]:
    """How likely a session prefers u at i to v at j, and the opposite; w is at the third place."""
    shown = {i: "u", j: "v", 6 - i - j: "w"}
    log = [
        {"session": clicks, "item": shown[k], "position": k, "event": event, "time": k}
        for clicks in product((False, True), repeat=3)
        for event in ("view", "click")
        for k, is_clicked in enumerate(clicks, start=1)
        if event == "view" or is_clicked
    ]
    found: dict[tuple[Any, Any], Fraction] = defaultdict(Fraction)
    for clicks, *pair in support_by_group(log, rule=rule):
        hits = ((E[k] * P[shown[k]], is_clicked) for k, is_clicked in enumerate(clicks, start=1))
        found[*pair] += prod(hit if is_clicked else 1 - hit for hit, is_clicked in hits)
    return found["u", "v"], found["v", "u"]


@pytest.mark.parametrize(("i", "j"), [(1, 2), (1, 3), (2, 3)])
def test_what_place_does_as_the_docstrings_say(i: int, j: int) -> None:
    """Item u is at the upper position i; then at the lower one."""
    upper, lower, p, q = E[i], E[j], P["u"], P["v"]
    taste, are_neighbours = p - q, j == i + 1

    def found(rule: str) -> tuple[Any, ...]:
        """The chances with u above, and the difference of both arrangements."""
        above, below = chances(rule, i, j), chances(rule, j, i)
        return *above, above[0] + below[0] - above[1] - below[1]

    nobody_below = 1 if j == 3 else 1 - E[3] * P["w"]
    from_below = lower * q * (1 - upper * p)
    assert found("levels") == (upper * p * (1 - lower * q), from_below, (upper + lower) * taste)
    assert found("click_over_skip_above") == (0, from_below, lower * taste)
    last = from_below * nobody_below, lower * taste * nobody_below
    assert found("last_click_over_skip_above") == (0, *last)
    assert found("click_over_earlier_click") == (0, upper * lower * p * q, 0)
    previous = (0, from_below, lower * taste) if are_neighbours else (0, 0, 0)
    assert found("click_over_skip_previous") == previous
    following = (upper * p * (1 - lower * q), 0, upper * taste) if are_neighbours else (0, 0, 0)
    assert found("click_over_no_click_next") == following
