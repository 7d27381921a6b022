"""Explore a click log: what it settles, how sure this is, and what it leaves open.

`explore` does it in one call. It reads the log once, fits the taste model, and takes the order that
it settles. It adds what qualifies this order: what the log leans to, which pairs are nearly settled
or may be due to place, contradictions, a test on unseen sessions, and the ranks that are possible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import evidence_of, graph_of_evidence
from porank.clicks.holdout import require_test_share, validate_feedback
from porank.clicks.rules import rules_of
from porank.clicks.settled_order import rule_of_taste
from porank.clicks.statements import VERDICT, read_statements, read_test_log, require_choices
from porank.clicks.taste_of_log import read_taste
from porank.core.arguments import require_count, require_risk_of_log
from porank.core.graphs import numbers_in_order
from porank.errors import PorankError, counted
from porank.exploration.contents import contents_of
from porank.exploration.exploration import Exploration
from porank.significance.judges import compare_judges
from porank.significance.segments import split_by

if TYPE_CHECKING:
    import networkx as nx

    from porank.clicks.evidence import PairEvidence
    from porank.clicks.holdout import FeedbackValidation
    from porank.clicks.statements import Statements
    from porank.typing import Item, Seed


def explore(
    log: Any,
    *,
    rule: Any = "levels",
    unit: str | None = None,
    risk: float = 0.05,
    margin: float | None = None,
    by: str | None = None,
    segment: str | None = None,
    test: Any = None,
    test_share: float = 0.3,
    max_items: int = 100,
    title: str = "",
    seed: Seed = 0,
    **reading: Any,
) -> Exploration:
    """Return a report on a click log: what it settles, how sure this is, and what stays open.

    The report starts with the order that the log settles, as by `settled_order`. Then come the
    order that it leans to, the pairs that may be due to place or are nearly settled, a test of both
    orders on unseen sessions, contradictions, and the ranks that are still possible.

    Parameters
    ----------
    log : ClickLog, table or path
        The log.
    rule, unit, risk, margin
        As for `settled_order`.
    by : str, optional
        Column of groups, such as the query or the user. Items are compared only within each value,
        also in sessions with several values, and the pairs of all groups are tested together.
    segment : str, optional
        Column of segments, such as the device. The report tests on which pairs its two values
        differ. If it has more than two, each of the ten most frequent is compared with the rest. If
        the segments do not differ, the probability of any finding is about `risk`.
    test : ClickLog, table or path, optional
        A later log to test on.
    test_share : number
        Share of the units that is held back for the test if there is no later log, between 0 and 1.
    max_items : int
        Maximum number of items in pictures and in the order that the log leans to: those in most
        settled pairs, then those that are compared most. The settled order has all items.
    title : str, optional
        Title of the report; by default it states the number of sessions.
    seed : int, Generator or None
        Seed for holding back units. The settled order does not depend on it.
    **reading
        How to read a table or path: ``columns``, ``events``, ``gap`` and ``errors``, as for
        `ClickLog`.

    Returns
    -------
    Exploration
        The report. It prints as text and is shown as a page in a notebook; `Exploration.write`
        writes the page.

    Raises
    ------
    PorankError
        As for `settled_order`, `validate_feedback` and `compare_segments`.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    settled_order, validate_feedback, compare_segments, write_page

    Examples
    --------
    >>> import io
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "water": 1}, 200, seed=1)
    >>> found = po.explore(log)
    >>> print(found.verdict.partition(":")[0])
    The log settles 3 of 3 pairs at a risk of 5%
    >>> file = io.StringIO()
    >>> found.write(file)
    >>> file.getvalue().startswith("<!doctype html>")
    True

    Notes
    -----
    The log is read and mined once. The model is fitted once to all sessions and once to those of
    the test on unseen sessions; see `settled_order` for the time.
    """
    require_count(max_items, name="max_items", least=2)
    require_risk_of_log(risk, margin=margin)
    require_test_share(test_share)
    rules = tuple(each.name for each in rules_of(rule_of_taste(rule)))
    asked: dict[str, Any] = {"rule": rule, "unit": unit, "group": by}
    log = ClickLog.of(log, **reading)
    segments = [] if segment is None else [segment]
    statements = read_statements(log, segments=segments, **asked)
    require_choices(statements)
    evidence = evidence_of(
        len(statements.items), statements.rows, np.ones(statements.rows["session"].size, int)
    )
    taste = read_taste(statements, risk=float(risk), margin=margin)
    order, sessions = taste.order(), statements.log.counts.sessions
    leaning = taste.leaning_order(order, _most_settled(order, evidence, max_items))
    later = None if test is None else read_test_log(test, **asked, **reading)
    unseen: dict[str, Any] = {"test_share": test_share, "seed": seed, "risk": risk, "test": later}
    return Exploration(
        title or f"What {counted(sessions, 'session')} say{'s' * (sessions == 1)}",
        rules,
        statements.unit,
        by,
        contents_of(statements, evidence),
        graph_of_evidence(statements.items, evidence, with_ties=VERDICT in statements.rows),
        taste,
        order,
        leaning,
        _test_on_unseen(statements, **unseen),
        later is not None,
        tuple(split_by(statements, segments, risk=float(risk))),
        compare_judges(log) if statements.log.reader.name == "battles" else None,
    )


def _most_settled(order: nx.DiGraph, evidence: PairEvidence, most: int) -> set[Item]:
    """Return the compared items in most settled pairs of a log, those with more evidence first."""
    items, both = list(order), evidence.both_ways()
    amounts = np.bincount(both.preferred, both.support + both.against, len(items))
    settled = np.array([order.degree(item) for item in items], dtype=np.int64)
    by_name = np.array(numbers_in_order(items), dtype=np.int64)
    chosen = by_name[np.lexsort((-amounts[by_name], -settled[by_name]))[:most]]
    return {items[k] for k in chosen.tolist() if amounts[k]}


def _test_on_unseen(statements: Statements, **options: Any) -> FeedbackValidation | str:
    """Return an explored log's test on unseen sessions, or why it is too small for one."""
    try:
        return validate_feedback(statements, **options)
    except PorankError as error:
        return str(error)
