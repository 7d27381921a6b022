"""A few rows of the pages on rates, with few logs, so that their simulations run and hold."""

import numpy as np
import pytest

from tests.benchmarks import promises, rates

pytestmark = pytest.mark.slow

LOGS = 20


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        # With a rate of .07, more than 5 of 20 logs have a probability of .003.
        ("policy, 20 users x 30", 0, 5),
        ("policy and habits change half-way, 600", 0, 5),
        ("two kinds of users, each with level and policy", 0, 5),
        ("two pages a session, positions start again", 0, 5),
        ("length depends on the item at the top, one choice", 0, 5),
        ("5 users x 4, as units", 0, 5),
        ("600 battles", 0, 5),
        ("20 judges x 20", 0, 5),
        ("first shown favoured, never swapped", 0, 5),
        ("5 x 20, repeated, prompts", 0, 5),
        ("5 x 20, repeated, no prompts", 0, 5),
        ("equal items, 2 x 400 sessions", 0, 5),
        ("unequal items, 2 x 400 sessions", 0, 5),
        ("policy and habits change, no times (a warning)", 11, 20),
        # A simple rule is ahead.
        ("equal items: policy, 600 sessions", 0, 4),
        ("equal items: policy and habits change half-way, 600", 0, 4),
        ("shop: cascade", 0, 1),
        ("40 lists of a ranker that knows taste: position-based", 10, 20),
    ],
)
def test_how_often_logs_settle_something_or_leave_a_rule_ahead(
    name: str, least: int, most: int
) -> None:
    settled, found = rates.EQUAL | rates.BATTLES | rates.SEGMENTS | promises.JUDGES, 0
    for number in range(LOGS):
        rng = rates.generator(name, number)
        found += settled[name](rng)[0] if name in settled else any(rates.rules_ahead(name, rng))
    assert least <= found <= most


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
        found = rates.two_items(rates.generator("two", sessions), sessions=sessions)
        assert found == (True, False)


def test_the_page_is_made_by_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Each table has a row for each setting, and rows go to standard error as they come."""
    (table,) = rates.rivals(small=True)
    assert len(table.rows) == len(rates.RIVALS) == 2 * len(rates.MODELS) - 1
    assert len(capsys.readouterr().err.splitlines()) == len(table.rows)


def test_quick_tables_of_promises_have_a_row_for_each_setting() -> None:
    parts = {"looks": 5, "fronts": 12, "several_rules": 8, "prompts": 10, "states": 4}
    for part, rows in parts.items():
        (table,) = getattr(promises, part)(small=True)
        assert len(table.rows) == rows
        assert all(len(row) == len(table.columns) for row in table.rows)
