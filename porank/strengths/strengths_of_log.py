"""Strengths from a log, or from a table of battles: those of the taste model.

Idea: *a log has one answer.* The model, its independent units and its tests are those of the
settled order (`porank.clicks.taste_model`). Here the strengths get intervals from the influences of
the units, and ties a parameter of their own.

`strengths_of_log` returns `Strengths`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.statements import PLACES, SIDES, UNITS, VERDICT, read_statements, require_choices
from porank.clicks.taste_model import crossed_variances
from porank.clicks.taste_of_log import read_taste
from porank.clicks.taste_tests import LEAST_OWN
from porank.core.arguments import require_risk_of_log
from porank.core.graphs import in_order
from porank.errors import counted, listed
from porank.orders.open_pairs import Reason
from porank.significance.paired_differences import bring_into_agreement
from porank.strengths.fitted_strengths import StrengthDifference, Strengths, StrengthTests
from porank.strengths.jackknife import reach_of
from porank.strengths.orders_and_counts import named_parts, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.clicks.statements import Statements
    from porank.clicks.taste_of_log import LogTaste
    from porank.typing import Floats, Numbers


#: Rounding decides beyond this logarithm of the frequency of ties.
_MOST_TIES = 20.0


def strengths_of_log(log: Any, unit: Any, risk: float, reading: dict[str, Any]) -> Strengths:
    """Return the strengths of the items of a log; a unit may be the name of a column."""
    if isinstance(unit, str) and unit not in UNITS:
        reading["columns"] = (reading.get("columns") or {}) | {"user": unit}
        unit = "user"
    statements = read_statements(log, unit=unit, **reading)
    require_choices(statements)
    taste = read_taste(statements, risk=require_risk_of_log(risk))
    items = tuple(in_order(statements.items))
    number = {item: place for place, item in enumerate(items)}
    # The place of each item of the model among all items, of which some may be in no comparison.
    place = np.array([number[item] for item in taste.items], dtype=np.int64)
    found, n = taste.compared.comparisons, len(items)
    edges = np.unique(place[np.stack([found.winner, found.loser], axis=1)], axis=0)
    part, limit, apart = parts_of(items, edges, is_joined=True)
    strength, error, reach = np.zeros(n), np.full(n, np.inf), np.full(n, np.inf)
    strength[place], error[place], reach[place] = _of_items(taste, part[place], risk)
    sequence = np.argsort(-strength, kind="stable")
    intervals = zip((strength - reach).tolist(), (strength + reach).tolist(), strict=True)
    tie = _frequency_of_ties(statements, strength[[number[item] for item in statements.items]])
    return Strengths(
        items=items,
        strengths=dict(zip(items, (strength + limit).tolist(), strict=True)),
        errors=dict(zip(items, error.tolist(), strict=True)),
        intervals=dict(zip(items, intervals, strict=True)),
        parts=named_parts(items, part, sequence),
        apart=apart,
        model="Davidson" if tie is not None else "Bradley-Terry",
        kind="battle" if statements.log.are_battles else "list",
        observed=_number_of_lists(statements),
        unit=statements.unit,
        units=taste.units,
        risk=risk,
        _tests=partial(_tests_of, taste, part[place], risk),
        tie=tie,
    )


def _tests_of(taste: LogTaste, part: Numbers, risk: float) -> StrengthTests:
    """Return the tests of all differences, and what they and the log do not show."""
    few = (taste.counts.for_u + taste.counts.for_v).max(initial=0) < LEAST_OWN
    order = taste.order()
    return StrengthTests(
        pairs=tuple(_differences(taste, part, risk)),
        settled=order,
        untested=f"no pair is compared by {LEAST_OWN} {taste.statements.unit}s" if few else "",
        contradicted=tuple(order.graph["contradicted"]),
        remarks=tuple(_remarks(taste)),
    )


def _of_items(taste: LogTaste, part: Numbers, risk: float) -> tuple[Floats, Floats, Floats]:
    """Return strengths relative to the mean of the part, their errors, and half the intervals."""
    model, n = taste.model, part.size
    same = part[:, None] == part
    centre = np.eye(n) - same / same.sum(axis=1)
    # The sum of the squares of the units' influences, at least half the model's variance.
    spread = crossed_variances([np.diag(centre @ each @ centre.T) for each in model.covariances()])
    known = np.diag(centre @ model.inverse[:n, :n] @ centre.T)
    error = np.sqrt(np.maximum(spread, known / 2))
    return centre @ model.strength, *reach_of(error, 1 / np.square(model.share), risk)


def _differences(taste: LogTaste, part: Numbers, risk: float) -> Iterator[StrengthDifference]:
    """Yield the differences of any two items of a part, tested together."""
    tests, share, items = taste.tests, taste.model.share, taste.items
    # As for the statistic: the squared parts of units sum to at most (share[u] + share[v])^2 / 4.
    worth = 4 / np.square(share[tests.u] + share[tests.v])
    # By Bonferroni's inequality if no pair can be tested.
    error, reach = reach_of(tests.error, worth, risk / max(worth.size, 1))
    if np.isfinite(tests.bound):
        reach = tests.bound * error
    p_value = np.where(taste.opposed[tests.u, tests.v], 1.0, tests.p_value)
    is_up = tests.gap >= 0
    u, v = np.where(is_up, (tests.u, tests.v), (tests.v, tests.u))
    gap = np.abs(tests.gap)
    ends = np.stack([gap - reach, gap + reach])
    bring_into_agreement(ends, gap, p_value <= risk)
    columns = (u, v, gap, error, *ends, p_value)
    order = np.lexsort((-taste.model.strength[v], -taste.model.strength[u], part[u]))
    kept = order[part[u[order]] == part[v[order]]]
    for i, j, *numbers in zip(*(column[kept].tolist() for column in columns), strict=True):
        yield StrengthDifference(items[i], items[j], *numbers)


def _number_of_lists(statements: Statements) -> int:
    """Return how many lists compare items, without battles of two bad ones."""
    rows = statements.rows
    kept = rows[VERDICT] < 2 if VERDICT in rows else slice(None)
    return int(np.unique(rows["list"][kept]).size)


def _frequency_of_ties(statements: Statements, strength: Floats) -> float | None:
    """Return Davidson's nu of largest likelihood, given the strengths; None without ties."""
    from scipy.optimize import brentq

    rows = statements.rows
    if VERDICT not in rows or not (rows[VERDICT] == 1).any():
        return None
    is_tie = rows[VERDICT][rows[VERDICT] < 2] == 1
    u, v = (rows[side][rows[VERDICT] < 2] for side in SIDES)
    half = np.cosh((strength[u] - strength[v]) / 2)

    def surplus(log_nu: float) -> float:
        # The expected number of ties, each with P = nu / (2 cosh((s[u] - s[v]) / 2) + nu), minus
        # the observed one.
        nu = math.exp(log_nu)
        return float(np.sum(nu / (2 * half + nu) - is_tie))

    return math.exp(brentq(surplus, -_MOST_TIES, _MOST_TIES))


def _remarks(taste: LogTaste) -> Iterator[str]:
    """Yield sentences on what a log does not show."""
    statements, found = taste.statements, taste.compared.comparisons
    if statements.fixed:
        others = f"other {statements.unit}s like the {found.units:,} of this log"
        yield f"about {statements.fixed} and {others}"
    if VERDICT in statements.rows and (bad := int(np.count_nonzero(statements.rows[VERDICT] == 2))):
        yield f"{counted(bad, 'battle')} left out because both were bad"
    if not any((statements.rows[name] >= 0).any() for name in PLACES):
        yield "positions are unknown: what was shown first may only look better"
    if fixed := int(np.count_nonzero(taste.tests.reason == Reason.ARRANGED)):
        yield (
            f"{counted(fixed, 'pair')} nearly always shown the same way round, so strength and "
            "place cannot be told apart"
        )
    won, lost = (np.bincount(side, minlength=found.n) for side in (found.winner, found.loser))
    for wins, never, bound in ((lost, "lost", "least"), (won, "won", "most")):
        if alone := [taste.items[k] for k in np.flatnonzero(wins == 0).tolist()]:
            yield f"never {never}, so the strength is at {bound} the one here: {listed(alone)}"
