"""Tests of the quirks that a log has as a whole."""

from typing import Any

import pytest

import porank as po
from porank.clicks.statements import read_statements
from tests.support.click_logs import in_four_sources

Columns = dict[str, list[Any]]


def lists_of(count: int, items: str = "abc") -> Columns:
    """Return a log of lists that show the items turned by one place each time; one is clicked."""
    n = len(items)
    turned = [items[k % n :] + items[: k % n] for k in range(count)]
    return {
        "session": [k for k in range(count) for _ in range(n)],
        "item": [item for order in turned for item in order],
        "position": [*range(1, n + 1)] * count,
        "clicked": [int(item == order[k % 2]) for k, order in enumerate(turned) for item in order],
    }


def count_of(log: Columns, name: str) -> float:
    """Return how often a log has a quirk; 0 if it is not named."""
    return po.explore(log).contents.counts.quirks().get(name, (0, ""))[0]


def test_a_usual_log_has_none_of_them() -> None:
    assert po.explore(lists_of(40)).contents.counts.quirks() == {}


@pytest.mark.parametrize(("count", "named"), [(300, 3), (301, 0)])
def test_lists_of_which_each_item_was_clicked(count: int, named: int) -> None:
    """They are named if they are 1 % of all."""
    log = lists_of(count)
    for row in (*range(9), 30, 31):  # three whole lists, and two thirds of another
        log["clicked"][row] = 1
    assert count_of(log, "clicked_all") == named


def test_two_items_that_were_both_clicked_are_usual() -> None:
    log = lists_of(40, "ab")
    log["clicked"][:20] = [1] * 20
    assert count_of(log, "clicked_all") == 0


@pytest.mark.parametrize(("name", "busy"), [("bot", 1), ("guest", 0)])
@pytest.mark.parametrize(("others", "are_many"), [(19, True), (18, False)])
def test_a_user_with_more_than_a_tenth_of_the_sessions(
    name: str, busy: int, others: int, *, are_many: bool
) -> None:
    """Of few users, each has a large share."""
    log = lists_of(3 * others + 9)
    log["user"] = [name if k < 9 else f"user {k % others}" for k in log["session"]]
    assert count_of(log, "busy_users") == busy * are_many


@pytest.mark.parametrize(("count", "fixed"), [(20, 1), (19, 0)])
def test_an_item_that_always_stood_at_one_position(count: int, fixed: int) -> None:
    log = lists_of(count)
    for k in range(count):
        log["session"].append(k)
        log["item"].append("z")
        log["position"].append(4)
        log["clicked"].append(0)
    assert count_of(log, "never_moved") == fixed


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (("tea", "Tea"), "tea"),
        (("green tea", "GreenTea"), "green tea"),
        (("A", "\uff21"), "A"),  # of full width
        (("tea", "coffee"), ""),
        ((1, 2), ""),
    ],
)
def test_labels_that_differ_only_in_case_or_blanks(labels: tuple[Any, Any], named: str) -> None:
    log = lists_of(40)
    one, other = labels
    log["item"] = [{"a": one, "b": other}.get(item, 7) for item in log["item"]]
    count, decision = po.explore(log).contents.counts.quirks().get("labels_alike", (0, ""))
    assert count == 2 * bool(named)
    assert named in decision


@pytest.mark.parametrize(
    ("times", "odd"),
    [
        ([1_600_000_000] * 40, 0),
        ([*range(40)], 0),  # a counter
        ([0, *[1_600_000_000] * 39], 1),
        ([1_600_000_000_000] * 40, 0),  # milliseconds
        ([20_240_101] * 40, 0),  # they may be a counter
        (["1969-05-01", *["2020-05-01"] * 39], 1),
        (["2020-05-01"] * 40, 0),
    ],
)
def test_times_in_a_strange_year_or_unit(times: list[Any], odd: int) -> None:
    log = lists_of(40)
    log["time"] = [times[k] for k in log["session"]]
    assert count_of(log, "odd_times") == 3 * odd


def restarting(users: int, each: int, shared: int) -> list[dict[str, Any]]:
    """Return the rows of a log in which the first users number their sessions from 1 on."""
    return [
        {
            "session": k if user < shared else f"{user}:{k}",
            "user": user,
            "item": item,
            "event": what,
        }
        for user in range(users)
        for k in range(1, each + 1)
        for item, what in zip("abc"[user % 2 :], ("click", "view", "view"), strict=False)
    ]


@pytest.mark.parametrize("source", ["file", "frame", "rows", "lines"])
def test_numbers_of_sessions_that_restart_for_each_user(source: str) -> None:
    rows = restarting(30, 2, 30)
    log = po.ClickLog(in_four_sources(rows)[source])
    found, both = (
        po.preference_pairs(each)
        for each in (log, po.ClickLog(rows, columns={"session": ["session", "user"]}))
    )
    assert log.counts.sessions == both.counts.sessions == 60
    assert [row[1:] for row in found] == [row[1:] for row in both]
    assert "users share names of sessions, so each is named by session and user" in str(log.format)
    assert read_statements(log).units == 30
    alone = po.ClickLog(in_four_sources(rows)[source], columns={"user": None})
    assert alone.counts.sessions == 2


@pytest.mark.parametrize(("shared", "sessions"), [(0, 20), (5, 12), (6, 20)])
def test_most_users_share_a_session_if_numbers_restart(shared: int, sessions: int) -> None:
    assert po.ClickLog(restarting(10, 2, shared)).counts.sessions == sessions


@pytest.mark.parametrize(("users", "sessions"), [(2, 2), (3, 6)])
def test_two_users_may_share_sessions(users: int, sessions: int) -> None:
    assert po.ClickLog(restarting(users, 2, users)).counts.sessions == sessions
