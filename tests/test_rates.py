"""A few rows of the page on rates, with few logs, so that its simulation still runs and holds."""

import numpy as np
import pytest

import porank as po
from tests.benchmarks import rates

pytestmark = pytest.mark.slow

LOGS = 20


def settled(name: str) -> int:
    """Return how many of a row's first logs settle something."""
    maker, options = (rates.EQUAL | rates.BATTLES)[name]
    logs = (maker(rates.generator(name, number)) for number in range(LOGS))
    return sum(po.settled_order(log, **options).size() > 0 for log in logs)


@pytest.mark.parametrize(
    "name",
    [
        "policy, 20 users x 30",
        "policy and habits change half-way, 600",
        "two kinds of users, each with level and policy",
        "two pages a session, positions start again",
        "length depends on the item at the top, one choice",
        "5 users x 4, as units",
        "first shown favoured, never swapped",
    ],
)
def test_equal_items_are_seldom_settled(name: str) -> None:
    # With a rate of .07, more than 5 of 20 logs have a probability of .003.
    assert settled(name) <= 5


def test_change_without_times_misleads() -> None:
    assert settled("policy and habits change, no times (a warning)") > LOGS / 2


def test_segments_that_do_not_differ() -> None:
    name = "equal items, 2 x 400 sessions"
    logs = (rates.SEGMENTS[name](rates.generator(name, number)) for number in range(LOGS))
    assert sum(bool(po.compare_segments(log, "segment").parted) for log in logs) <= 5


def test_shops_settle_much_and_hardly_err() -> None:
    found, wrong, leaning, expected, clicked = np.transpose(
        [rates.shop_result(rates.generator("shop", k), rates.by_place) for k in range(3)]
    )
    assert found.mean() > 90
    assert wrong.sum() <= 1
    assert leaning.mean() > clicked.mean() - 0.02
    assert leaning.mean() > expected.mean() - 0.02


def test_preferences_of_most_users_are_settled() -> None:
    for sessions in (1, 10):
        log = rates.two_items(rates.generator("two", sessions), sessions)
        assert [*po.settled_order(log).edges] == [(0, 1)]


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("equal items: policy, 600 sessions", 0, 4),
        ("equal items: policy and habits change half-way, 600", 0, 4),
        ("shop: cascade", 0, 1),
        ("40 lists of a ranker that knows taste: position-based", 10, 20),
    ],
)
def test_place_does_not_decide_what_is_ahead(name: str, least: int, most: int) -> None:
    found = [any(rates.rules_ahead(name, number)) for number in range(LOGS)]
    assert least <= sum(found) <= most


def test_the_page_is_made_by_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Each table has a row for each setting, and rows go to standard error as they come."""
    (table,) = rates.rivals(small=True)
    assert len(table.rows) == 2 * len(rates.MODELS) - 1
    assert len(capsys.readouterr().err.splitlines()) == len(table.rows)
