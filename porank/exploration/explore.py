"""Explore a click log: what it settles, how sure this is, and what it leaves open.

`explore` does it in one call. It reads the log once, counts the sessions for and against each pair,
and takes the order that they settle. It adds what qualifies this order: what the log leans to,
which pairs are nearly settled, contradictions, a test on unseen sessions, the ranks that are still
possible, and how much position may explain (`Places`).
"""

from __future__ import annotations

import math
from heapq import nsmallest
from itertools import chain
from operator import attrgetter
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.prediction import predict_order
from porank.abstention.settled import settle, units_lacking
from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import graph_of_evidence
from porank.clicks.evidence_table import table_of
from porank.clicks.feedback import relation_of
from porank.clicks.holdout import require_test_share, validate_feedback
from porank.clicks.log import Wanted
from porank.clicks.report import report_of
from porank.clicks.rules import PLACES, STOOD, VERDICT, rules_of
from porank.clicks.settled_order import require_risk, settled_order, units_for_pairs
from porank.clicks.units import named_rules, read_units
from porank.core.arguments import require_count, require_samples
from porank.core.graphs import item_key, numbers_in_order
from porank.errors import PorankError, counted, listed
from porank.exploration.exploration import Exploration
from porank.exploration.record import Later, OpenPair, Places
from porank.significance.judges import compare_judges
from porank.significance.segments import compare_segments, segment_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import networkx as nx

    from porank.clicks.evidence import PairEvidence
    from porank.clicks.holdout import FeedbackValidation
    from porank.clicks.report import FeedbackReport
    from porank.clicks.sessions import Sessions
    from porank.clicks.units import LogUnits
    from porank.significance.segments import SegmentComparison
    from porank.typing import Item, Numbers, Seed


def explore(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    unit: str = "session",
    risk: float = 0.05,
    error: str = "family",
    by: str | None = None,
    segment: str | None = None,
    test: Any = None,
    prior: Any = 1,
    test_share: float = 0.3,
    samples: int = 200,
    max_items: int = 100,
    title: str = "",
    seed: Seed = 0,
) -> Exploration:
    """Return a report on a click log: what it settles, how sure this is, and what stays open.

    The report starts with the order that the log settles, as by `settled_order`. Then comes the
    order that it leans to, which takes the stronger side of each pair that is not settled, as by
    `predict_order` with ``impossible="drop"``. It also has the pairs that are nearly settled,
    contradictions, a test of both orders on unseen sessions, and the ranks that are still possible.

    Parameters
    ----------
    log : ClickLog, table or path
        The log. Bad rows are skipped and listed, unless a `ClickLog` has other options.
    rule
        As for `preference_pairs`.
    unit : {"session", "user"}
        Unit that is treated as independent: a session, or a user with all sessions.
    risk, error
        As for `settled_order`.
    by : str, optional
        Column of groups, such as the query or the user. Items are compared only within each value,
        also in sessions with several values, and the pairs of all groups are tested together.
    segment : str, optional
        Column of segments, such as the device. The report tests on which pairs its two values
        differ. If it has more than two, each of the ten most frequent is compared with the rest. If
        the segments do not differ, the probability of any finding is at most `risk`.
    test : ClickLog, table or path, optional
        A later log to test on.
    prior
        As for `feedback_relation`; used for the order that the log leans to.
    test_share : number
        Share of the units that is held back for the test if there is no later log, between 0 and 1.
    samples : int
        Number of samples for comparing segments.
    max_items : int
        Maximum number of items in pictures and in the order that the log leans to: those with the
        most evidence. The settled order has all items.
    title : str, optional
        Title of the report; by default it states the number of sessions.
    seed : int, Generator or None
        Seed or source of random numbers.

    Returns
    -------
    Exploration
        The report. It prints as text and is shown as a page in a notebook; `Exploration.write`
        writes the page.

    Raises
    ------
    PorankError
        As for `preference_pairs`, `settled_order`, `feedback_relation`, `validate_feedback` and
        `compare_segments`; or if no session compares two items.

    See Also
    --------
    settled_order, feedback_report, validate_feedback, compare_segments, write_page

    Examples
    --------
    >>> import io
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "water": 1}, 60, seed=1)
    >>> found = po.explore(log, samples=20)
    >>> print(found.verdict.partition(":")[0])
    The log settles 2 of 3 pairs at a risk of 5%
    >>> file = io.StringIO()
    >>> found.write(file)
    >>> file.getvalue().startswith("<!doctype html>")
    True

    Notes
    -----
    The log is read once, in time O(r log r + p log p) for r rows and p pairs in all sessions. Its
    sessions are scanned a second time for positions.
    """
    require_count(max_items, name="max_items", least=2)
    require_samples(samples)
    require_risk(risk, error)
    require_test_share(test_share)
    name = _name_of(rule)
    reading: dict[str, Any] = {"rules": rule, "unit": unit, "group": by, "places": True}
    log = ClickLog.of(log, errors="report")
    read = _read(log, segment=segment, **reading)
    evidence = read.evidence(name)
    report = _report(read, name, evidence)
    chosen = read.about(name, _most_compared(read.items, evidence, max_items))
    relation = relation_of(chosen.items, chosen.evidence(name), prior=prior)
    counts = units_for_pairs(read, name)
    order = settle(read.items, counts, risk=float(risk), error=error)
    shown = order.subgraph(relation.items)
    leaning = predict_order(relation, impossible="drop", settled=shown)
    places, balanced, preferred = _by_place(read, rule, risk=risk, error=error)
    leaning.graph["unbalanced"] = balanced.graph["unbalanced"] if balanced is not None else []
    later = None if test is None else _read(test, **reading)
    unseen: dict[str, Any] = {"test_share": test_share, "seed": seed, "unit": unit}
    unseen["test"] = None if later is None else later.about(name, chosen.items)
    return Exploration(
        title or f"What {counted(read.log.counts.sessions, 'session')} say",
        tuple(each.name for each in rules_of(rule)),
        unit,
        by,
        report,
        graph_of_evidence(read.items, evidence, with_ties=VERDICT in read.statements[name]),
        order,
        leaning,
        relation,
        tuple(_open_pairs(order, counts, preferred)),
        _test_on_unseen(chosen, rule=rule, prior=prior, risk=risk, error=error, **unseen),
        None if later is None else _settled_later(order, units_for_pairs(later, name)),
        _compared_segments(chosen, segment, risk=risk, unit=unit, samples=samples, seed=seed),
        places,
        balanced,
        compare_judges(log) if read.log.shaped.name == "battles" and not log.is_spent else None,
    )


def _name_of(rule: Any) -> str:
    """Return the name of the rule by which a log is explored."""
    name, *others = named_rules(rule)
    if others:
        raise PorankError(f"expected one rule, found {listed([name, *others])}")
    return name


def _read(log: Any, *, group: str | None, **reading: Any) -> LogUnits:
    """Return the preferences of a log to explore, within groups if there are any."""
    log = ClickLog.of(log, errors="report")
    read = read_units(log, group=group, **reading)
    return read if group is None else read.within(group)


def _settled_later(order: nx.DiGraph, counts: Mapping[tuple[Item, Item], Any]) -> Later:
    """Return how the settled order agrees with what a later log settles by itself."""
    risk, error = order.graph["risk"], order.graph["error"]
    later = settle(dict.fromkeys(chain.from_iterable(counts)), counts, risk=risk, error=error)
    stated = [(u, v) for u, v, is_added in later.edges(data="added") if not is_added]
    alike = sum(order.has_edge(u, v) for u, v in stated)
    return Later(len(stated), alike, sum(order.has_edge(v, u) for u, v in stated))


#: Maximum number of nearly settled pairs.
_MOST_OPEN = 10


def _open_pairs(
    order: nx.DiGraph, counts: Mapping[tuple[Item, Item], Any], by_place: set[tuple[Item, Item]]
) -> list[OpenPair]:
    """Return the open pairs of an explored log that need the fewest further units, if possible.

    Pairs that lean the other way at the same positions are left out.
    """
    limit = order.graph["limit"]
    z = NormalDist().inv_cdf(limit / 2)
    cycles = [{*items} for items in order.graph["cyclic_components"]]
    sides = {
        (u, v) if one >= other else (v, u): (max(one, other), min(one, other))
        for (u, v), (one, other) in counts.items()
    }

    def about(pair: tuple[Item, Item]) -> float:
        """Return how many further units the pair needs, by the normal approximation."""
        one, other = sides[pair]
        return (z * (one + other) / (one - other)) ** 2 - one - other if one != other else math.inf

    is_open = (
        (u, v)
        for u, v in sides
        if not (order.has_edge(u, v) or order.has_edge(v, u) or (v, u) in by_place)
        and not any({u, v} <= items for items in cycles)
    )
    nearest = nsmallest(_MOST_OPEN, is_open, key=about)
    lacking = [units_lacking(*sides[pair], limit) for pair in nearest]
    found = [
        OpenPair(*pair, *sides[pair], int(units))
        for pair, units in zip(nearest, lacking, strict=True)
        if 0 < units < math.inf
    ]
    return sorted(found, key=attrgetter("lacking"))


#: Maximum number of segments that are compared with the rest.
_MOST_SEGMENTS = 10


def _compared_segments(
    read: LogUnits, segment: str | None, *, risk: float, **how: Any
) -> tuple[SegmentComparison, ...]:
    """Return the comparisons of segments of a log to explore: of two, or of each with the rest."""
    if segment is None:
        return ()
    number = segment_values(read)
    values = [[*number]]
    if len(number) != 2:
        codes = read.segment_of_session
        sessions = np.bincount(codes[codes >= 0])
        largest = sorted(number, key=lambda value: (-sessions[number[value]], item_key(value)))
        values = [[value] for value in largest[:_MOST_SEGMENTS]]
    level = risk / max(len(values), 1)
    return tuple(compare_segments(read, segment, values=v, level=level, **how) for v in values)


def _report(read: LogUnits, rule: str, evidence: PairEvidence) -> FeedbackReport:
    """Return the report on a log to explore, or raise an error if it does not compare any items."""
    problems, shape = read.log.problems.by_line(), read.log.shape()
    report = report_of(read.items, evidence, read.log.counts, problems=problems, shape=shape)
    if not report.pairs:
        bad = report.problems
        left_out = f"; {counted(len(bad), 'bad row')}, the first: {bad[0]}" if bad else ""
        hint = (
            "" if bad else "feedback_report(log), or porank mine LOG --report, shows its contents"
        )
        if report.counts is not None and "sessions_without_showing" in report.counts.quirks():
            hint = "for a log of clicks only, use the rule click_over_earlier_click"
        raise PorankError(
            f"expected a log with a session that compares two items by the rule {rule}, found "
            f"{counted(report.items, 'item')} and no pair{left_out}",
            hint=hint,
        )
    return report


def _most_compared(items: Sequence[Item], evidence: PairEvidence, most: int) -> list[Item]:
    """Return the items with the most evidence in an explored log, in the order of the log."""
    both = evidence.both_ways()
    amounts = np.bincount(both.preferred, both.support + both.against, len(items))
    order = np.array(numbers_in_order(items))
    chosen = order[np.argsort(-amounts[order], kind="stable")[:most]]
    return [items[k] for k in np.sort(chosen).tolist() if amounts[k]]


def _test_on_unseen(units: LogUnits, **options: Any) -> FeedbackValidation | str:
    """Return an explored log's test on unseen sessions, or why it is too small for one."""
    try:
        return validate_feedback(units, **options)
    except PorankError as error:
        return str(error)


def _by_place(
    read: LogUnits, rule: Any, **how: Any
) -> tuple[Places | None, nx.DiGraph | None, set[tuple[Item, Item]]]:
    """Return how position affects an explored log: `Places`, the balanced order, and who leads."""
    places = _places(read.statements[read.first_rule], len(read.items))
    if places is None or read.unit != "session" or read.group is not None:
        return places, None, set()
    wanted = Wanted({"": rules_of(rule)}, ("preferred", "other", *PLACES))
    table = table_of(read.log, wanted, read.unit)
    stood_both_ways = np.minimum(table["u_above"], table["v_above"]) > 0
    apart = np.count_nonzero(stood_both_ways & table.is_unbalanced)
    counts = table.balanced()
    margins = zip(table.pairs(), (counts.support - counts.against).round(9).tolist(), strict=True)
    preferred = {pair if margin > 0 else pair[::-1] for pair, margin in margins if margin}
    balanced = settled_order(table, balance="place", **how)
    return places._replace(apart=int(apart)), balanced, preferred


def _places(statements: Mapping[str, Numbers], n: int) -> Places | None:
    """Return how the statements of an explored log depend on position, None without positions."""
    stood, first, second = (statements[name] for name in (STOOD, "preferred", "other"))
    is_placed = (stood != 0) & (statements.get(VERDICT, 0) == 0)
    codes = np.minimum(first, second)[is_placed] * n + np.maximum(first, second)[is_placed]
    pairs, place = np.unique(codes, return_inverse=True)
    if not pairs.size:
        return None
    upright = np.bincount(place, ((stood > 0) == (first < second))[is_placed])
    fixed = np.count_nonzero((upright == 0) | (upright == np.bincount(place)))
    higher = np.count_nonzero(stood[is_placed] > 0)
    return Places(place.size, int(higher), pairs.size, int(fixed), 0)
