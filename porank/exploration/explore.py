"""What a click log says, how sure that is, and what it leaves open.

`explore` answers in one call: it reads the log once, counts sessions for and
against each pair, takes the order that they support, and adds what qualifies it: contradictions, a
test on unseen sessions, the ranks that remain possible, and the `Places`: how far position in the
lists may explain it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.prediction import predict_order
from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import graph_of_evidence
from porank.clicks.feedback import relation_of
from porank.clicks.holdout import validate_feedback
from porank.clicks.report import report_of
from porank.clicks.rules import STOOD, VERDICT, rules_of
from porank.clicks.units import named_rules, read_units
from porank.core.arguments import require_count, require_samples, require_share
from porank.core.graphs import item_key, numbers_in_order
from porank.errors import PorankError, counted
from porank.exploration.exploration import Exploration, Places
from porank.significance.segments import compare_segments, segment_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from porank.clicks.evidence import PairEvidence
    from porank.clicks.holdout import FeedbackValidation
    from porank.clicks.report import FeedbackReport
    from porank.clicks.sessions import Sessions
    from porank.clicks.units import LogUnits
    from porank.typing import Item, Numbers, Seed


def explore(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    prior: Any = 1,
    unit: str = "session",
    segment: str | None = None,
    test_share: float = 0.3,
    samples: int = 200,
    max_items: int = 100,
    title: str = "",
    seed: Seed = 0,
) -> Exploration:
    """Return what a log says, how sure that is, and what it does not say.

    From the log come counts s of sessions for and a against each pair, from these degrees of
    preference, and from these the partial order at the smallest threshold above 1/2 whose
    statements form no cycle once those that would close one are left out. Beside it:
    contradictions, the test on sessions that the order has not seen, and the ranks that remain
    possible.

    Parameters
    ----------
    log : ClickLog, or what it takes
        The sessions. Unless a `ClickLog` says otherwise, bad rows are left out and listed.
    rule
        As for `preference_pairs`.
    prior
        As for `feedback_relation`.
    unit : {"session", "user"}
        What is independent: each session, or all sessions of a user together.
    segment : str, optional
        A column such as the device: on which pairs do its two values part? Of more values, each is
        compared with the rest, those ten that most sessions have, so that at level .05 all together
        find nothing where the segments are alike.
    test_share : number
        The share of the units that the order does not see, above 0 and below 1.
    samples : int
        Number of samples by which segments are compared.
    max_items : int
        So many items, those of which sessions say most, are put in order; the report is on all.
    title : str, optional
        What stands above the report; by default how many sessions there are.
    seed : int, Generator or None
        Where the chance comes from.

    Returns
    -------
    Exploration
        Prints as a report, is shown as a page in a notebook; `Exploration.write` writes the page.

    Raises
    ------
    PorankError
        As by `preference_pairs`, `feedback_relation`, `validate_feedback`, `compare_segments`; or
        if no session compares two items.

    See Also
    --------
    feedback_report, validate_feedback, compare_segments, write_page

    Examples
    --------
    >>> import io
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "water": 1}, 60, seed=1)
    >>> found = po.explore(log, samples=20)
    >>> print(found.to_text().splitlines()[0])
    What is in the log
    >>> file = io.StringIO()
    >>> found.write(file)
    >>> file.getvalue().startswith("<!doctype html>")
    True

    Notes
    -----
    The log is read once, in time O(r log r + p log p) for r rows and p pairs of all sessions, and
    all the rest is counted from its pairs.
    """
    require_count(max_items, name="max_items", least=2)
    require_samples(samples)
    if not 0 < require_share(test_share, "test_share") < 1:
        raise PorankError(f"expected test_share to lie between 0 and 1, found {test_share!r}")
    (name,) = named_rules(rule)
    log = ClickLog.of(log, errors="report")
    read = read_units(log, rules=rule, unit=unit, segment=segment, places=True)
    values = [] if segment is None else _largest_segments(read)
    evidence = read.evidence(name)
    problems, shape = read.log.problems.by_line(), read.log.shape()
    report = report_of(read.items, evidence, read.log.counts, problems=problems, shape=shape)
    _require_pairs(report, name)
    chosen = read.about(name, _most_compared(read.items, evidence, max_items))
    relation = relation_of(chosen.items, chosen.evidence(name), prior=prior)
    how: dict[str, Any] = {"unit": unit, "samples": samples, "seed": seed}
    return Exploration(
        title or f"What {counted(read.log.counts.sessions, 'session')} say",
        tuple(each.name for each in rules_of(rule)),
        unit,
        report,
        graph_of_evidence(read.items, evidence, with_ties=VERDICT in read.statements[name]),
        relation,
        predict_order(relation, impossible="drop"),
        _test_on_unseen(
            chosen, rule=rule, prior=prior, test_share=test_share, unit=unit, seed=seed
        ),
        tuple(
            compare_segments(chosen, str(segment), values=each, level=0.05 / len(values), **how)
            for each in values
        ),
        _places(read.statements[name], len(read.items)),
    )


#: So many segments at most are compared, each with the rest.
_MOST_SEGMENTS = 10


def _largest_segments(read: LogUnits) -> list[list[Any]]:
    """Return which segments of a log are explored: the two, or each of the largest alone."""
    number = segment_values(read)
    if len(number) == 2:
        return [[*number]]
    codes = read.segment_of_session
    sessions = np.bincount(codes[codes >= 0])
    largest = sorted(number, key=lambda value: (-sessions[number[value]], item_key(value)))
    return [[value] for value in largest[:_MOST_SEGMENTS]]


def _require_pairs(report: FeedbackReport, rule: str) -> None:
    """Raise an error if a log to explore compares no items by a rule."""
    if not report.pairs:
        bad = len(report.problems)
        left_out = f", and {counted(bad, 'row')} left out" if bad else ""
        hint = "feedback_report(log) tells what is in it"
        if report.counts is not None and "sessions_without_showing" in report.counts.quirks():
            hint = "of clicks alone, the rule click_over_earlier_click compares items"
        raise PorankError(
            f"expected a log in which some session compares two items by the rule {rule}, found "
            f"{counted(report.items, 'item')} and no pair{left_out}",
            hint=hint,
        )


def _most_compared(items: Sequence[Item], evidence: PairEvidence, most: int) -> list[Item]:
    """Return the items of which an explored log says most, in the sequence of the log."""
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


def _places(statements: Mapping[str, Numbers], n: int) -> Places | None:
    """Return what the statements of an explored log owe to where items stood, if it says where."""
    stood, first, second = (statements[name] for name in (STOOD, "preferred", "other"))
    is_placed = (stood != 0) & (statements.get(VERDICT, 0) == 0)
    codes = np.minimum(first, second)[is_placed] * n + np.maximum(first, second)[is_placed]
    pairs, place = np.unique(codes, return_inverse=True)
    if not pairs.size:
        return None
    upright = np.bincount(place, ((stood > 0) == (first < second))[is_placed])
    fixed = np.count_nonzero((upright == 0) | (upright == np.bincount(place)))
    higher = np.count_nonzero(stood > 0)
    return Places(place.size, int(higher), pairs.size, int(fixed))
