"""Test on unseen sessions: how often the orders of some sessions agree with others.

Idea: *the unseen sessions are judged statement by statement.* A statement is a list in which u is
preferred to v. Statements are not combined or closed: they contradict each other, so even the best
order is not always right. Simple rules are judged beside the orders: what stood higher, what is
clicked more often, what is clicked more often than its places explain.

`validate_feedback`, `FeedbackValidation`, `HoldoutCurve`, `HoldoutPoint`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from porank.abstention.curve import area_under
from porank.clicks.holdout_scores import HoldoutScore, UnseenStatements, clearly_ahead
from porank.clicks.settled_order import rule_of_taste
from porank.clicks.statements import SIDES, read_statements, read_test_log, require_choices, stood
from porank.clicks.taste_of_log import click_table, read_taste
from porank.core.arguments import (
    generator_of,
    require_confidence,
    require_count,
    require_risk_of_log,
    require_share,
)
from porank.core.arrays import pair_codes, places_among, shares_of
from porank.core.intervals import LEAST_UNITS
from porank.core.tables import Listed, Rows, Table
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.clicks.log_formats import LogFormat
    from porank.clicks.statements import Statements
    from porank.clicks.taste_of_log import LogTaste
    from porank.core.files import Problem
    from porank.typing import Floats, Numbers, Seed


@dataclass(frozen=True, kw_only=True, repr=False)
class HoldoutPoint(HoldoutScore):
    """The score on unseen sessions of the pairs that are at least as clear as a threshold.

    Attributes
    ----------
    statistic : float
        The threshold: the gap of a pair of items divided by its error.

    See Also
    --------
    validate_feedback, HoldoutCurve, HoldoutScore

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 200, seed=0)
    >>> point = po.validate_feedback(log).curve[0]
    >>> point.statistic > 0, point.completeness
    (True, 1.0)
    """

    statistic: float


@dataclass(frozen=True, eq=False, repr=False)
class HoldoutCurve(Listed):
    """The scores of the pairs above several thresholds, lowest threshold first.

    Attributes
    ----------
    points : tuple of HoldoutPoint
        Scores at some thresholds, chosen such that the numbers of statements they decide are evenly
        spread.
    statements : int
        Number of statements of the test sessions.

    See Also
    --------
    validate_feedback, draw_tradeoff, AbstentionCurve

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 200, seed=0)
    >>> curve = po.validate_feedback(log).curve
    >>> len(curve), curve[0].completeness, curve.area <= 1
    (3, 1.0, True)
    """

    _part: ClassVar = HoldoutPoint

    points: tuple[HoldoutPoint, ...]
    statements: int

    def to_table(self) -> Table:
        """Return the points as a table, lowest threshold first."""
        return Table(_COLUMNS, [cells_of(point, _COLUMNS) for point in self])

    @property
    def area(self) -> float:
        """Area under correctness as a function of completeness, as for `AbstentionCurve`."""
        return area_under(self.points, self.statements)


@dataclass(frozen=True, eq=False, repr=False)
class FeedbackValidation(Rows):
    """The test on unseen sessions, as returned by `validate_feedback`.

    Attributes
    ----------
    curve : HoldoutCurve
        The pairs of the training sessions' taste model, by how clear they are.
    scores : dict
        Name -> HoldoutScore: "settled order" and "leaning order" of the training sessions, and
        simple rules. "stood higher" (or "stood lower", if more training statements agree with it)
        prefers the item that stood so in the test session; "usually stood higher" (or "lower") the
        one that stood so in more training statements on the pair; both are missing if the log has
        no positions. "clicked more often" prefers the item with the higher share of clicks among
        its views in training sessions, "clicks over expected clicks" that with more clicks than its
        positions explain; both are missing for ratings and battles.
    both_ways : dict
        The same, only for pairs that the test sessions show both ways: at the same two places, with
        u above v and with v above u. Both sequences have the same weight, so place cannot decide.
        "stood higher" is missing, because it looks at the place in each list; all are if there are
        no such pairs, or if all statements have the same weight.
    ahead : tuple of str
        The rules that agree with more test statements than the leaning order, beyond chance, at a
        risk of 2.5 % each: on pairs shown both ways, where place cannot decide, or on all pairs if
        the log has no positions. "stood higher" is not among them, because it is not an order of
        items: it looks at each list.
    unit : str
        The unit that was held back as a whole: "user", "session" and so on.
    train_sessions, test_sessions, test_units : int
        Numbers of training sessions, test sessions, and test units.
    statements, pairs : int
        Number of statements of the test sessions, and number of distinct pairs of items in them.
    confidence : float
        Level of the intervals.
    format : LogFormat
        How the columns of the log were read.
    problems : tuple of Problem
        The bad rows.

    See Also
    --------
    validate_feedback, HoldoutCurve, HoldoutPoint, draw_tradeoff

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 200, seed=0)
    >>> found = po.validate_feedback(log)
    >>> list(found.scores)[:2], found.train_sessions, found.test_sessions
    (['settled order', 'leaning order'], 140, 60)
    """

    curve: HoldoutCurve
    scores: dict[str, HoldoutScore]
    both_ways: dict[str, HoldoutScore]
    ahead: tuple[str, ...]
    unit: str
    train_sessions: int
    test_sessions: int
    test_units: int
    statements: int
    pairs: int
    confidence: float
    format: LogFormat
    problems: tuple[Problem, ...] = ()

    def to_table(self) -> Table:
        """Return the points of the curve, the scores, and the scores on pairs shown both ways.

        Each has its completeness, and its correctness with an interval.
        """
        judged: list[tuple[str, HoldoutScore]] = [
            *(("pairs as clear as", point) for point in self.curve),
            *self.scores.items(),
            *((f"{name}, both ways", score) for name, score in self.both_ways.items()),
        ]
        rows = [(name, *cells_of(score, _COLUMNS)) for name, score in judged]
        title = (
            f"{self.train_sessions:,} training and {self.test_sessions:,} test sessions: "
            f"{counted(self.statements, 'statement')}"
        )
        if any(score.units < LEAST_UNITS for _, score in judged):
            title += f"; no intervals with fewer than {LEAST_UNITS} {self.unit}s"
        return Table(("order by", *_COLUMNS), rows, title)


#: Columns of the tables of scores on unseen sessions.
_COLUMNS = ("statistic", "completeness", "correctness", "low", "high")


def cells_of(score: HoldoutScore, columns: Sequence[str]) -> list[float | None]:
    """Return fields of a score for a table; only points have thresholds."""
    values = (getattr(score, column, math.nan) for column in columns)
    return [None if math.isnan(value) else float(value) for value in values]


def validate_feedback(
    log: Any,
    *,
    rule: Any = "levels",
    unit: str | None = None,
    test: Any = None,
    test_share: Any = 0.3,
    points: int = 20,
    risk: float = 0.05,
    confidence: float = 0.95,
    seed: Seed = 0,
    **reading: Any,
) -> FeedbackValidation:
    """Return how complete and how correct the orders of some sessions are on unseen sessions.

    Some units are held back. The others, the training sessions, give a settled and a leaning order,
    which are judged by the statements of the test sessions; a statement is a list in which one item
    is preferred to another. If an order agrees with C of T statements and contradicts D, its
    completeness is (C + D) / T and its correctness is (C - D) / (C + D).

    Parameters
    ----------
    log : ClickLog, table or path
        The log.
    rule, unit
        As for `settled_order`. Units are held back as a whole and treated as independent.
    test : ClickLog, table or path, optional
        A later log to test on, instead of held-back sessions. Its sessions and users count as
        different ones, even if they have the same names.
    test_share : number in (0, 1)
        Share of the units that is held back.
    points : int
        Maximum number of thresholds of the curve.
    risk
        As for `settled_order`.
    confidence : float
        Level of the intervals, between 0 and 1: share of logs whose interval contains the expected
        correctness of the order on unseen sessions.
    seed : int, Generator or None
        Seed for drawing the held-back units, which are numbered in order of appearance.
    **reading
        How to read a table or path: ``columns``, ``events``, ``gap`` and ``errors``, as for
        `ClickLog`.

    Returns
    -------
    FeedbackValidation
        The scores of both orders and of simple rules on the same statements, and a curve. It prints
        as a table, in a terminal and in a notebook. Correctness is in [-1, 1], completeness in [0,
        1]. The intervals take the order as fixed and show how precisely its correctness on such
        sessions is known. With fewer than 5 test units, their bounds are nan.

    Raises
    ------
    PorankError
        As for `settled_order`; or if there are no training sessions or no test sessions, or they do
        not compare any items.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    FeedbackValidation, settled_order, abstention_curve, draw_tradeoff

    Examples
    --------
    >>> import porank as po
    >>> strengths = {item: 1.5 ** -place for place, item in enumerate("abcdef")}
    >>> log = po.simulate_log(strengths, 1000, length=4, seed=0)
    >>> found = po.validate_feedback(log)
    >>> for name in ("settled order", "leaning order", "stood higher"):
    ...     print(f"{name}: {found.scores[name].correctness:.2f}")
    settled order: 0.51
    leaning order: 0.38
    stood higher: 0.59

    Notes
    -----
    Time as for `settled_order` of the training sessions, plus O(s) for each point and s test
    statements. Where people differ, no order has a correctness of 1: on a pair on which they are
    split 7 to 3, the maximum is .4.

    Statements of one unit depend on each other. The interval is Wilson's, with a correction for
    continuity [1]_, for the number of independent statements that would give the same variance. The
    variance is that of the jackknife, which leaves out each unit in turn, with two units of the
    usual weight added: one that always agrees with the order and one that always contradicts it.
    The quantile is that of Student's t with u - 1 degrees of freedom for u units. In simulations
    with 5 to 200 units whose agreement does not depend on their size, intervals with a confidence
    of .95 contained the true value in at least 94 % of samples. If a few units with many statements
    agree less with the order than the others, the interval is too short.

    References
    ----------
    .. [1] R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of
       seven methods", Statistics in Medicine 17(8), 1998, pp. 857-872.
    """
    margin = require_confidence(confidence)
    require_risk_of_log(risk)
    points, rng = require_count(points, name="points", least=2, most=10**6), generator_of(seed)
    rule_of_taste(rule)
    asked: dict[str, Any] = {"rule": rule, "unit": unit, **reading}
    statements = read_statements(log, **asked)
    require_choices(statements)
    if test is None:
        is_test = _test_sessions(statements, test_share, rng)
    else:
        statements, is_test = _followed(statements, read_test_log(test, **asked))
    train, unseen = statements.of(statements.is_present & ~is_test), statements.of(is_test).decided
    _require_statements(train.decided, unseen)
    taste = read_taste(train, risk=float(risk))
    judge = UnseenStatements.of(statements, unseen, margin)
    signs = _predictions(taste, judge)
    both = {n: sign for n, sign in signs.items() if judge.is_weighted and n not in _OF_LISTS}
    rules = [name for name in signs if name not in (*_OF_LISTS, "settled order", "leaning order")]
    ahead = [name for name in rules if clearly_ahead(judge, signs[name], signs["leaning order"])]
    return FeedbackValidation(
        _curve(taste, judge, points),
        {name: HoldoutScore(**judge.judge(sign)) for name, sign in signs.items()},
        {name: HoldoutScore(**judge.judge(sign, both_ways=True)) for name, sign in both.items()},
        tuple(ahead),
        statements.unit,
        int(np.count_nonzero(statements.is_present & ~is_test)),
        int(np.count_nonzero(is_test)),
        np.unique(statements.unit_of_session[is_test]).size,
        judge.u.size,
        np.unique(judge.pair).size,
        float(confidence),
        statements.log.format(),
        statements.problems,
    )


#: The rules that look at the place in each list, so they are not orders of items.
_OF_LISTS = ("stood higher", "stood lower")


def _predictions(taste: LogTaste, test: UnseenStatements) -> dict[str, Numbers]:
    """Return by name 1, -1 or 0 for each test statement: agreed with, contradicted, not decided."""
    train, u, v = taste.statements, test.u, test.v
    order = taste.bare_order()
    signs = {
        "settled order": _signs_of_order(train, order, u, v),
        "leaning order": _signs_of_values(_levels_of(taste, order), u, v),
    }
    if test.stood.any():
        where, sign = ("higher", 1) if stood(train.decided).sum() >= 0 else ("lower", -1)
        signs[f"stood {where}"] = sign * test.stood
        signs[f"usually stood {where}"] = sign * _usual_side(train, test)
    if (table := click_table(train)) is not None:
        _, views, clicks = table
        seen, clicked = views.sum(axis=1), clicks.sum(axis=1)
        # Expected clicks: the share of clicks of each place, summed over the views of the item.
        expected = views @ (clicks.sum(axis=0) / views.sum(axis=0))
        signs["clicked more often"] = _signs_of_values(shares_of(clicked, seen), u, v)
        signs["clicks over expected clicks"] = _signs_of_values(shares_of(clicked, expected), u, v)
    return signs


def _usual_side(train: Statements, test: UnseenStatements) -> Numbers:
    """Return for each statement u over v 1 if u stood above v in most training statements, or -1.

    0 if neither did.
    """
    rows = train.decided
    first, second = (rows[side] for side in SIDES)
    pair, row = np.unique(pair_codes(first, second, len(train.items)), return_inverse=True)
    net = np.sign(np.bincount(row, np.where(first < second, 1, -1) * stood(rows)))
    place = np.searchsorted(pair, test.pair).clip(max=pair.size - 1)
    side = np.where(pair[place] == test.pair, net[place], 0) * np.where(test.u < test.v, 1, -1)
    return side.astype(np.int64)


def _levels_of(taste: LogTaste, order: nx.DiGraph) -> Floats:
    """Return minus the level of each item in the leaning order, nan for items without one."""
    number = {item: place for place, item in enumerate(taste.statements.items)}
    found = np.full(len(number), np.nan)
    for level, items in enumerate(taste.leaning_levels(order)):
        found[[number[item] for item in items]] = -level
    return found


def _signs_of_values(values: Floats, u: Numbers, v: Numbers) -> Numbers:
    """Return 1, -1 or 0 for each statement u over v: whether u has the larger value."""
    difference = np.nan_to_num(values[u] - values[v])
    return np.sign(difference).astype(np.int64)


def _signs_of_order(statements: Statements, order: nx.DiGraph, u: Numbers, v: Numbers) -> Numbers:
    """Return 1, -1 or 0 for each statement u over v: whether the order has u over v."""
    n = len(statements.items)
    number = {item: place for place, item in enumerate(statements.items)}
    edges = np.array([number[a] * n + number[b] for a, b in order.edges], dtype=np.int64)
    return np.isin(u * n + v, edges) * 1 - np.isin(v * n + u, edges)


def _curve(taste: LogTaste, test: UnseenStatements, points: int) -> HoldoutCurve:
    """Return the scores of the model's pairs that are clearer than some thresholds."""
    tests, number = taste.tests, taste.compared.number
    # The last row and column are those of items without a place in the model.
    statistic = np.zeros((number.size + 1, number.size + 1))
    statistic[tests.u, tests.v], statistic[tests.v, tests.u] = tests.statistic, -tests.statistic
    place = places_among(number, len(taste.statements.items))
    of_statement = statistic[place[test.u], place[test.v]]
    found = []
    for least in _thresholds(np.abs(of_statement), points):
        sign = np.sign(of_statement).astype(np.int64) * (np.abs(of_statement) >= least)
        found.append(HoldoutPoint(statistic=float(least), **test.judge(sign)))
    return HoldoutCurve(tuple(found), test.u.size)


def _thresholds(clearness: Floats, points: int) -> list[float]:
    """Return values to cut at, evenly spread by the number of statements that they decide."""
    occurring = np.unique(clearness[clearness > 0])
    if not occurring.size:
        return []
    held = clearness.size - np.searchsorted(np.sort(clearness), occurring)
    wanted = np.searchsorted(-held, -np.linspace(held[0], held[-1], points))
    thresholds: list[float] = occurring[np.unique(wanted.clip(max=occurring.size - 1))].tolist()
    return thresholds


def require_test_share(share: Any) -> None:
    """Raise an error unless the share of units held out for the test is between 0 and 1."""
    if not 0 < require_share(share, "test_share") < 1:
        raise PorankError(f"expected test_share to lie between 0 and 1, found {share!r}")


def _followed(statements: Statements, later: Statements) -> tuple[Statements, NDArray[np.bool_]]:
    """Return a log followed by a later one, and which sessions are those of the later one."""
    is_test = np.append(np.zeros_like(statements.is_present), later.is_present)
    return statements.followed_by(later), is_test


def _test_sessions(
    statements: Statements, share: Any, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Return which sessions are held out for the test: at least one, and not all."""
    require_test_share(share)
    count = min(max(round(share * statements.units), 1), statements.units - 1)
    is_held = np.zeros(statements.units, dtype=bool)
    is_held[rng.permutation(statements.units)[:count]] = True
    is_test = statements.is_present
    is_test[is_test] = is_held[statements.unit_of_session[is_test]]
    if not is_test.any():
        found = counted(statements.units, statements.unit)
        raise PorankError(f"expected training sessions and test sessions, found {found}")
    return is_test


def _require_statements(train: Mapping[str, Numbers], test: Mapping[str, Numbers]) -> None:
    """Raise an error if the training or the held-out sessions do not compare any items."""
    sizes = {side: rows[SIDES[0]].size for side, rows in (("training", train), ("test", test))}
    for side in (side for side, size in sizes.items() if not size):
        raise PorankError(
            f"expected {side} sessions that compare items, found none; try another share"
        )
