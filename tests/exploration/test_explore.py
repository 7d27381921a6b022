"""The report on a log: its sentences against the log itself, and the page that holds them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porank.clicks.simulation import simulate_log
from porank.convert.notation import format_order
from porank.exploration.explore import Exploration, explore
from porank.orders.closure import transitive_reduction

if TYPE_CHECKING:
    from collections.abc import Sequence

TASTES = {"tea": 8, "milk": 4, "<b>cocoa": 2, "water & ice": 1}


@pytest.fixture(scope="module")
def found() -> Exploration:
    return explore(simulate_log(TASTES, 300, seed=3), samples=20)


def section(found: Exploration, title: str) -> str:
    """Return the text of one section of a report."""
    parts = dict(re.findall(r"^(.+)\n-+\n((?:.|\n)*?)(?=\n\n.+\n-+\n|\Z)", found.to_text(), re.M))
    return str(parts[title])


def log_of(sessions: Sequence[tuple[str, str]]) -> dict[str, list[Any]]:
    """Return a log of sessions, each told by the items shown, best placed first, and clicked."""
    rows = [
        (number, item, place, "click" if item in clicked else "view")
        for number, (shown, clicked) in enumerate(sessions)
        for place, item in enumerate(shown, start=1)
    ]
    names = ("session", "item", "position", "event")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def test_it_finds_what_people_prefer(found: Exploration) -> None:
    order = format_order(transitive_reduction(found.order))
    assert order == "tea > milk > '<b>cocoa' > 'water & ice'"
    assert not isinstance(found.validation, str)
    assert found.report.counts is not None
    assert (found.report.counts.sessions, found.title) == (300, "What 300 sessions say")


sessions = st.lists(
    st.permutations("abcd").flatmap(
        lambda shown: st.tuples(
            st.sampled_from(["".join(shown), "".join(shown[:3])]), st.sampled_from("abcd")
        ).filter(lambda session: session[1] in session[0])
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=40)
@given(sessions)
def test_places_are_counted_statement_by_statement(told: list[tuple[str, str]]) -> None:
    statements = [
        (session, u, v, shown.index(u) < shown.index(v))
        for session, (shown, clicked) in enumerate(told)
        for u in shown
        for v in shown
        if u in clicked and v not in clicked
    ]
    on_top: dict[tuple[str, str], set[bool]] = {}
    for _, u, v, is_higher in statements:
        first_is_higher = is_higher if u < v else not is_higher
        on_top.setdefault((min(u, v), max(u, v)), set()).add(first_is_higher)
    places = explore(log_of(told), samples=2).places
    higher = sum(is_higher for *_, is_higher in statements)
    fixed = sum(len(ways) == 1 for ways in on_top.values())
    assert places == (len(statements), higher, len(on_top), fixed)
