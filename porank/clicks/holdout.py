"""Test on unseen sessions: how often the order of some sessions agrees with others.

Idea: *the unseen sessions are judged statement by statement.* A statement is a session that prefers
u to v. Statements are not combined or closed: they contradict each other, so even the best order is
not always right.

`validate_feedback`, `FeedbackValidation`, `HoldoutCurve`, `HoldoutPoint`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.curve import abstention_curve, area_under
from porank.abstention.prediction import kept_and_closed, settled_first, strength_of_alpha
from porank.abstention.settled import settle
from porank.clicks.feedback import relation_of
from porank.clicks.holdout_scores import (
    HoldoutScore,
    UnseenStatements,
    baseline_scores,
    clicks_and_places,
)
from porank.clicks.settled_order import require_risk, units_for_pairs
from porank.clicks.units import LogUnits, named_rules, read_units
from porank.core.arguments import (
    generator_of,
    require_count,
    require_level,
    require_share,
)
from porank.core.intervals import LEAST_UNITS
from porank.core.tables import Table, Tabular
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from fractions import Fraction

    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.curve import AbstentionCurve
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.clicks.evidence import PairEvidence
    from porank.clicks.shapes import LogShape
    from porank.core.files import Problem
    from porank.typing import Numbers, Seed


@dataclass(frozen=True, kw_only=True)
class HoldoutPoint(HoldoutScore):
    """The score of the order at one threshold on unseen sessions.

    Attributes
    ----------
    alpha : Fraction
        The threshold.
    is_acyclic : bool
        Whether the threshold is at least the minimal one. Below it, edges that contradict stronger
        ones are dropped, as by `predict_order`.

    See Also
    --------
    validate_feedback, HoldoutCurve, HoldoutScore

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 200, seed=0)
    >>> point = po.validate_feedback(log)["levels"][0]
    >>> str(point.alpha), point.completeness
    ('43/72', 1.0)
    """

    alpha: Fraction
    is_acyclic: bool


@dataclass(frozen=True, eq=False)
class HoldoutCurve(Sequence[HoldoutPoint]):
    """The scores of the orders of one rule at several thresholds, lowest threshold first.

    Attributes
    ----------
    name : str
        The rule.
    P : PreferenceRelation
        The relation of the training sessions.
    alpha : Fraction or None
        The minimal threshold; None if every threshold leaves a cycle.
    points : tuple of HoldoutPoint
        Scores at some thresholds, chosen such that the numbers of statements they decide are evenly
        spread.
    settled : HoldoutScore
        Score of the order that the training sessions settle, as by `settled_order`.
    leaning : HoldoutScore
        Score of the order that they lean to beyond it, as by `predict_order` with
        ``impossible="drop"`` and the settled order.
    statements : int
        Number of statements of the test sessions.

    See Also
    --------
    validate_feedback, draw_tradeoff, AbstentionCurve

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 200, seed=0)
    >>> curve = po.validate_feedback(log)["levels"]
    >>> len(curve), curve[0].completeness, round(curve.area, 3)
    (3, 1.0, 0.28)
    """

    name: str
    P: PreferenceRelation
    alpha: Fraction | None
    points: tuple[HoldoutPoint, ...]
    settled: HoldoutScore
    leaning: HoldoutScore
    statements: int

    def __getitem__(self, place: Any) -> Any:
        return self.points[place]

    def __len__(self) -> int:
        return len(self.points)

    @property
    def area(self) -> float:
        """Area under correctness as a function of completeness, as for `AbstentionCurve`."""
        return area_under(self.points, self.statements)


@dataclass(frozen=True, eq=False)
class FeedbackValidation(Tabular, Mapping[str, HoldoutCurve]):
    """The test on unseen sessions, as returned by `validate_feedback`: a mapping name -> curve.

    Attributes
    ----------
    curves : dict
        Name -> HoldoutCurve, in the order of the rules.
    baselines : dict
        Name -> HoldoutScore of rules that need no order. "stood higher" (or "stood lower", if more
        training statements agree with it) prefers the item that stood so in the test session; it is
        missing if the log has no positions. "clicked more often" prefers the item that more
        training sessions click; it is missing for ratings and battles.
    unit : {"session", "user"}
        Unit that was held back as a whole. The intervals treat units as independent.
    train_sessions, test_sessions, test_units : int
        Numbers of training sessions, test sessions, and test units.
    statements, pairs : int
        Number of statements of the test sessions, and number of distinct pairs of items in them.
    test_rule : str
        The rule by which the test sessions are read.
    level : float
        Level of the intervals.
    problems : tuple of Problem
        The bad rows.
    shape : LogShape or None
        How the columns of the log were read.

    See Also
    --------
    validate_feedback, HoldoutCurve, HoldoutPoint, draw_tradeoff

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 200, seed=0)
    >>> found = po.validate_feedback(log)
    >>> list(found), found.train_sessions, found.test_sessions
    (['levels'], 140, 60)
    """

    curves: dict[str, HoldoutCurve]
    baselines: dict[str, HoldoutScore]
    unit: str
    train_sessions: int
    test_sessions: int
    test_units: int
    statements: int
    pairs: int
    test_rule: str
    level: float
    shape: LogShape | None = None
    problems: tuple[Problem, ...] = ()

    def __getitem__(self, name: str) -> HoldoutCurve:
        return self.curves[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    @property
    def scores(self) -> dict[str, HoldoutScore]:
        """The scores of the settled and the leaning order of each curve, then the baselines."""
        found: dict[str, HoldoutScore] = {}
        for name, curve in self.curves.items():
            of_curve = f" by {name}" if len(self.curves) > 1 else ""
            found[f"settled order{of_curve}"] = curve.settled
            found[f"leaning order{of_curve}"] = curve.leaning
        return found | self.baselines

    def to_table(self) -> Table:
        """Return the points of all curves, the scores, and the scores on pairs shown both ways.

        Each has its completeness, and its correctness with an interval.
        """
        shares = ("completeness", "correctness", "low", "high")
        fields, columns = (("alpha", name, *shares) for name in ("is_acyclic", "acyclic"))
        both = {
            f"{name}, both ways": score.both_ways
            for name, score in self.scores.items()
            if score.both_ways is not None
        }
        judged: list[tuple[str, HoldoutScore]] = [
            *((name, point) for name, curve in self.curves.items() for point in curve),
            *self.scores.items(),
            *both.items(),
        ]
        rows = [(name, *(_cell(score, field) for field in fields)) for name, score in judged]
        title = (
            f"{self.train_sessions:,} training and {self.test_sessions:,} test sessions: "
            f"{counted(self.statements, 'statement')} by the rule {self.test_rule}"
        )
        if any(score.units < LEAST_UNITS for _, score in judged):
            title += f"; no intervals with fewer than {LEAST_UNITS} {self.unit}s"
        return Table(("order by", *columns), rows, title)


def _cell(score: HoldoutScore, field: str) -> float | str | None:
    """Return a field of a score for a table; only points have thresholds."""
    value = getattr(score, field, None)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return None if value is None or math.isnan(value) else float(value)


def validate_feedback(
    log: Any,
    *,
    rule: Any = "levels",
    prior: Any = 1,
    test: Any = None,
    test_share: Any = 0.3,
    split_at: Any = None,
    unit: str = "session",
    test_rule: Any = None,
    points: int = 20,
    risk: float = 0.05,
    error: str = "family",
    level: float = 0.95,
    seed: Seed = 0,
) -> FeedbackValidation:
    """Return how complete and how correct the order of some sessions is on unseen sessions.

    Some sessions are held back. The remaining ones, the training sessions, give a relation. Its
    order at each threshold is judged by the statements of the held-back sessions; a statement is a
    session that prefers one item to another. If the order agrees with C of T statements and
    contradicts D, its completeness is (C + D) / T and its correctness is (C - D) / (C + D). Below
    the minimal threshold, orders drop edges that contradict stronger ones. Pairs with an item that
    no training session compares are not decided.

    Parameters
    ----------
    log : ClickLog, table or path
        The log.
    rule : rule, or mapping name -> rule
        Rule by which the training sessions are read; several rules give several curves.
    prior : number
        As for `feedback_relation`.
    test : ClickLog, table or path, optional
        A later log to test on, instead of held-back sessions. Its sessions and users count as
        different ones, even if they have the same names.
    test_share : number in (0, 1)
        Share of the units that is held back.
    split_at : time, optional
        Hold back the sessions that begin at this time or later, instead of random ones.
    unit : {"session", "user"}
        Unit that is held back as a whole and treated as independent: a session, or a user with all
        sessions. With `split_at`, a user may be on both sides.
    test_rule : rule, optional
        Rule by which the test sessions are read, the same for all curves: by default the first of
        `rule`.
    points : int
        Maximum number of thresholds of a curve, besides the minimal one. They are chosen such that
        the numbers of statements they decide are evenly spread.
    risk, error
        As for `settled_order`, whose order is judged, too.
    level : float
        Level of the intervals, between 0 and 1: share of logs whose interval contains the expected
        correctness of the order on unseen sessions.
    seed : int, Generator or None
        Seed for drawing the held-back units. The result does not depend on the order of the
        sessions in the log.

    Returns
    -------
    FeedbackValidation
        A curve for each rule, the score of its settled order, and baselines on the same statements.
        It prints as a table, in a terminal and in a notebook. Correctness is in [-1, 1],
        completeness in [0, 1]. The intervals take the order as fixed and show how precisely its
        correctness on such sessions is known. With fewer than 5 test units, their bounds are nan.

    Raises
    ------
    PorankError
        As for `preference_pairs` and `feedback_relation`; or if there are no training sessions or
        no test sessions, or they do not compare any items.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    FeedbackValidation, bootstrap_feedback, abstention_curve, draw_tradeoff

    Examples
    --------
    >>> import porank as po
    >>> strengths = {item: 1.5 ** -place for place, item in enumerate("abcdef")}
    >>> log = po.simulate_log(strengths, 1000, length=4, seed=0)
    >>> found = po.validate_feedback(log, rule="click_over_skip_above", points=4)
    >>> for point in found["click_over_skip_above"]:
    ...     print(f"{point.completeness:.2f} {point.correctness:.2f}")
    1.00 0.53
    0.58 0.58
    0.36 0.74
    0.06 0.75

    Notes
    -----
    Time as for `preference_pairs` and `evidence_table`, plus O(s) for each point and s test
    statements, and O(n m) for each curve, as by `abstention_curve`. The log is read once. Where
    people differ, no order has a correctness of 1: on a pair on which they are split 7 to 3, the
    maximum is .4.

    Statements of one unit depend on each other. The interval is Wilson's, with a correction for
    continuity [2]_, for the number of independent statements that would give the same variance. The
    variance is that of the jackknife, which leaves out each unit in turn, with two units of the
    usual weight added: one that always agrees with the order and one that always contradicts it.
    For u units the quantile is about that of Student's t with u - 1 degrees of freedom. In
    simulations with 5 to 200 units whose agreement does not depend on their size, intervals of
    level .95 contained the true value in at least 94 % of samples. If a few units with many
    statements agree less with the order than the others, the interval is too short. The weights of
    pairs are treated as fixed.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    .. [2] R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of
       seven methods", Statistics in Medicine 17(8), 1998, pp. 857-872.
    """
    margin = require_level(level)
    require_risk(risk, error)
    points, rng = require_count(points, name="points", least=2, most=10**6), generator_of(seed)
    rules, judged_by = _read_rules(rule, test_rule)
    reading: dict[str, Any] = {"unit": unit, "places": True}
    units = read_units(log, rules=rules | judged_by, begins=split_at is not None, **reading)
    if test is None:
        is_test = _test_sessions(units, test_share, split_at, rng)
    elif split_at is not None:
        raise PorankError("expected either a later log as test or split_at, found both")
    else:
        units, is_test = _followed(units, read_units(test, rules=judged_by, **reading))
    is_train = units.is_present & ~is_test
    (test_rule,) = judged_by
    seen = {name: units.evidence(name, is_train) for name in rules}
    stated = units.decided(test_rule, is_test)
    _require_evidence(stated, seen, test_rule)
    clicks, both_ways = clicks_and_places(units, is_train)
    unseen = UnseenStatements.of(units, stated, both_ways, margin)
    curves = {}
    for name, evidence in seen.items():
        P = relation_of(units.items, evidence, prior=prior)
        counts = units_for_pairs(units, name, is_train)
        settled = settle(units.items, counts, risk=risk, error=error)
        curves[name] = _curve(name, P, settled, unseen, points)
    return FeedbackValidation(
        curves,
        baseline_scores(unseen, units.decided(test_rule, is_train), clicks),
        units.unit,
        int(np.count_nonzero(is_train)),
        int(np.count_nonzero(is_test)),
        np.unique(units.unit_of_session[is_test]).size,
        unseen.u.size,
        np.unique(unseen.pair).size,
        test_rule,
        float(level),
        units.log.shape(),
        units.log.problems.by_line(),
    )


def _curve(
    name: str, P: PreferenceRelation, settled: nx.DiGraph, test: UnseenStatements, points: int
) -> HoldoutCurve:
    """Return the scores of a relation at some thresholds, and of its settled and leaning orders."""
    curve = abstention_curve(P, impossible="drop")
    agreed, opposed = curve.decided[test.u, test.v], curve.decided[test.v, test.u]
    found = []
    for strength in _thresholds(curve, np.maximum(agreed, opposed), points):
        alpha = P.degree_of_strength(strength)
        is_acyclic = curve.alpha is not None and alpha >= curve.alpha
        fields = test.judge((agreed >= strength) * 1 - (opposed >= strength))
        found.append(HoldoutPoint(alpha=alpha, is_acyclic=is_acyclic, **fields))
    strengths = settled_first(P, settled)
    _, is_leaning = kept_and_closed(strengths, strength_of_alpha(P, "majority"))
    of_settled, of_leaning = (
        HoldoutScore(**test.judge(order[test.u, test.v] * 1 - order[test.v, test.u]))
        for order in (strengths > P.unit, is_leaning)
    )
    return HoldoutCurve(name, P, curve.alpha, tuple(found), of_settled, of_leaning, test.u.size)


def _thresholds(curve: AbstentionCurve, decided: Numbers, points: int) -> list[int]:
    """Return strengths to cut at, evenly spread by what they decide, and the minimal threshold."""
    occurring = np.unique(curve.decided[curve.decided > 0])
    held = decided.size - np.searchsorted(np.sort(decided), occurring)
    occurring, held = occurring[held > 0], held[held > 0]
    if not occurring.size:
        return []
    wanted = np.searchsorted(-held, -np.linspace(held[0], held[-1], points))
    ends = [] if curve.alpha is None else [curve.P.strength_of_threshold(curve.alpha)]
    least = np.searchsorted(occurring, ends).clip(max=occurring.size - 1)
    strengths: list[int] = occurring[np.unique([*wanted, *least])].tolist()
    return strengths


def _read_rules(rule: Any, test_rule: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return name -> rule for the rules to train with, and for the rule to test with."""
    rules = named_rules(rule)
    test_rule = next(iter(rules)) if test_rule is None else test_rule
    if isinstance(test_rule, str) and test_rule in rules:
        return rules, {test_rule: rules[test_rule]}
    (test,) = named_rules(test_rule).items()
    name = test[0] if test[0] not in rules else f"{test[0]} (test)"
    return rules, {name: test[1]}


def require_test_share(share: Any) -> None:
    """Raise an error unless the share of units held out for the test is between 0 and 1."""
    if not 0 < require_share(share, "test_share") < 1:
        raise PorankError(f"expected test_share to lie between 0 and 1, found {share!r}")


def _followed(units: LogUnits, later: LogUnits) -> tuple[LogUnits, NDArray[np.bool_]]:
    """Return a log followed by a later one, and which sessions are those of the later one."""
    is_test = np.append(np.zeros_like(units.is_present), later.is_present)
    return units.followed_by(later), is_test


def _test_sessions(
    units: LogUnits, share: Any, split_at: Any, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Return which sessions are held out for the test: at least one, and not all."""
    if split_at is not None:
        is_test = units.is_present & _begin_from(units, split_at)
        why = f"split_at={split_at!r}"
    else:
        require_test_share(share)
        count = min(max(round(share * units.n_units), 1), units.n_units - 1)
        is_held = np.zeros(units.n_units, dtype=bool)
        is_held[rng.permutation(units.n_units)[:count]] = True
        is_test = units.is_present
        is_test[is_test] = is_held[units.unit_of_session[is_test]]
        why = f"test_share={share!r} of {counted(units.n_units, units.unit)}"
    held, present = np.count_nonzero(is_test), np.count_nonzero(units.is_present)
    if not 0 < held < present:
        raise PorankError(
            f"expected training sessions and test sessions, found {present - held:,} and {held:,} "
            f"with {why}"
        )
    return is_test


def _begin_from(units: LogUnits, split_at: Any) -> NDArray[np.bool_]:
    """Return which sessions of a log begin at a given time or later."""
    begins, read_time = units.log.of_sessions("time"), units.log.read_time
    times, faults = read_time([split_at], name="split_at")
    if faults or np.isnan(times[0]):
        found = faults[0][1] if faults else f"expected a time as split_at, found {split_at!r:.100}"
        raise PorankError(found)
    is_later: NDArray[np.bool_] = begins >= times[0]
    return is_later


def _require_evidence(
    stated: Mapping[str, Numbers], seen: Mapping[str, PairEvidence], test_rule: str
) -> None:
    """Raise an error if the training or the held-out sessions do not compare any items."""
    silent = [name for name, evidence in seen.items() if not np.any(evidence[2:4])]
    if silent or not stated["session"].size:
        side, name = ("training", silent[0]) if silent else ("test", test_rule)
        raise PorankError(
            f"expected {side} sessions that compare items by the rule {name}, found none; "
            "try another share or another rule"
        )
