"""Test on the unseen: how often the order of some sessions is right on others.

Idea: *what unseen sessions say is taken as it is said, statement by statement.* A statement is a
session that prefers u to v. It is never closed or put together with others: they contradict each
other, and so the best order is not always right.

`validate_feedback`, `FeedbackValidation`, `HoldoutCurve`, `HoldoutPoint`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.curve import abstention_curve, area_under
from porank.clicks.feedback import relation_of
from porank.clicks.units import LogUnits, named_rules, read_units
from porank.core.arguments import (
    generator_of,
    require_count,
    require_level,
    require_samples,
    require_share,
)
from porank.core.arrays import percentiles
from porank.core.progress import track
from porank.core.tables import Table, Tabular
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.clicks.evidence import PairEvidence
    from porank.clicks.shapes import LogShape
    from porank.clicks.units import UnitCounts
    from porank.core.files import Problem
    from porank.typing import Numbers, Seed

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HoldoutPoint:
    """The order at one threshold, judged by sessions that it has not seen.

    Attributes
    ----------
    alpha : Fraction
        The threshold.
    is_acyclic : bool
        Whether it is no less than the minimal one; below, what contradicts stronger pairs is
        dropped, as by `predict_order`.
    concordant, discordant : int
        How many statements the order agrees with, and how many it contradicts.
    completeness, correctness : float
        By sessions: the share of statements that it decides, and the share of these that it agrees
        with less that of those it contradicts; nan for 0/0.
    low, high : float
        The interval of this correctness, from test units drawn with replacement.
    pair_completeness, pair_correctness, pair_low, pair_high : float
        By pairs: each pair of items that is compared counts the same, however many sessions compare
        it, and each of its statements for an equal part of it.

    See Also
    --------
    validate_feedback, HoldoutCurve

    Examples
    --------
    >>> from fractions import Fraction
    >>> point = HoldoutPoint(Fraction(2, 3), True, 9, 1, 0.5, 0.8, 0.6, 1.0, 0.4, 0.7, 0.5, 1.0)
    >>> point.correctness
    0.8
    """

    alpha: Fraction
    is_acyclic: bool
    concordant: int
    discordant: int
    completeness: float
    correctness: float
    low: float
    high: float
    pair_completeness: float
    pair_correctness: float
    pair_low: float
    pair_high: float


@dataclass(frozen=True, eq=False)
class HoldoutCurve(Sequence[HoldoutPoint]):
    """The points of one way of making an order, the lowest threshold first.

    Attributes
    ----------
    name : str
        The rule.
    P : PreferenceRelation
        What the training sessions say.
    alpha : Fraction or None
        The minimal threshold; None if every threshold leaves a cycle.
    points : tuple of HoldoutPoint
        Some of the thresholds, spread evenly over what they decide.
    statements : int
        What the test sessions say.

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
    statements: int

    def __getitem__(self, place: Any) -> Any:
        return self.points[place]

    def __len__(self) -> int:
        return len(self.points)

    @property
    def area(self) -> float:
        """The area under correctness over completeness, by sessions, as of `AbstentionCurve`."""
        return area_under(self.points, self.statements)


@dataclass(frozen=True, eq=False)
class FeedbackValidation(Tabular, Mapping[str, HoldoutCurve]):
    """The test on unseen sessions that `validate_feedback` makes: name -> curve.

    Attributes
    ----------
    curves : dict
        Name -> HoldoutCurve, in the sequence asked for.
    unit : {"session", "user"}
        What was held back, and drawn for the intervals.
    train_sessions, test_sessions, test_units : int
        How many sessions were learnt from, and how many sessions and units held back.
    statements, pairs : int
        How often a test session prefers an item to another, and how many pairs of items they
        compare.
    unmet : int
        How many statements name an item that the training sessions compare with none.
    test_rule : str
        The rule by which the test sessions are read.
    level : float
        Of the intervals.
    samples : int
        How many samples these are made of.
    problems : tuple of Problem
        The rows that could not be used.
    shape : LogShape or None
        What was taken for what in the log.

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
    unit: str
    train_sessions: int
    test_sessions: int
    test_units: int
    statements: int
    pairs: int
    unmet: int
    test_rule: str
    level: float
    samples: int
    shape: LogShape | None = None
    problems: tuple[Problem, ...] = ()

    def __getitem__(self, name: str) -> HoldoutCurve:
        return self.curves[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.curves)

    def __len__(self) -> int:
        return len(self.curves)

    def to_table(self) -> Table:
        """Return the points of all curves: by sessions, then by pairs, each with its interval."""
        shares = ("completeness", "correctness", "low", "high")
        columns = ("alpha", "acyclic", *shares, *(f"{name} by pairs" for name in shares))
        fields = ("alpha", "is_acyclic", *shares, *(f"pair_{name}" for name in shares))
        rows = [
            (name, *(_cell(getattr(point, field)) for field in fields))
            for name, curve in self.curves.items()
            for point in curve
        ]
        title = (
            f"{counted(self.train_sessions, 'session')} seen, {self.test_sessions:,} not: "
            f"{counted(self.statements, 'statement')} by the rule {self.test_rule}"
        )
        if len(self.curves) == 1:
            return Table(columns, [row[1:] for row in rows], title)
        return Table(("order by", *columns), rows, title)


def _cell(value: Any) -> Any:
    """Return a field of a point of a holdout curve for a table, a degree as a float."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return float(value)


def validate_feedback(
    log: Any,
    *,
    rule: Any = "levels",
    prior: Any = 1,
    test_share: Any = 0.3,
    split_at: Any = None,
    unit: str = "session",
    test_rule: Any = None,
    points: int = 20,
    samples: int = 500,
    level: float = 0.95,
    seed: Seed = 0,
) -> FeedbackValidation:
    """Return how complete and how correct the order of some sessions is on others held out.

    Some sessions are held back. The rest make a relation, and its order at each threshold is judged
    by what the held back ones say: with C statements that the order agrees with, D that it
    contradicts, and T in all, its completeness is (C + D) / T, and its correctness (C - D) /
    (C + D). Below the minimal threshold, orders drop what contradicts stronger pairs. A
    pair with an item that no training session compared is not decided.

    Parameters
    ----------
    log : ClickLog, or what it takes
        The sessions.
    rule : rule, or mapping name -> rule
        By which rule the training sessions are read; several make several curves.
    prior : number
        As for `feedback_relation`.
    test_share : number in (0, 1)
        The share of the units that is held back.
    split_at : time, optional
        Hold back the sessions that begin then or later, instead of some drawn by chance.
    unit : {"session", "user"}
        What is held back, and drawn for the intervals: single sessions, or users with all of
        theirs. With `split_at`, users may be on both sides.
    test_rule : rule, optional
        By which rule the test sessions are read, for all curves the same one: by default the first
        of `rule`.
    points : int
        A curve has at most so many thresholds, spread evenly over what they decide, and the minimal
        one.
    samples : int
        How many samples of test units the intervals are made of.
    level : float
        Which share of the values of samples lies within an interval.
    seed : int or Generator, optional
        What is held back and drawn. The same seed gives the same, in whichever sequence the
        sessions stand.

    Returns
    -------
    FeedbackValidation
        A curve for each rule; prints as a table, in a terminal and in a notebook.
        Correctness lies in [-1, 1], completeness in [0, 1]; the intervals hold the order fixed and
        tell how sure its values on such sessions are.

    Raises
    ------
    PorankError
        As by `preference_pairs` and `feedback_relation`, or if nothing is left to learn from or to
        test on, or the test sessions say nothing.
    OSError, ParseError
        As by `preference_pairs`.

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
    Time that of `preference_pairs`, and O(p) for each sample and p pairs of test units, some 5 ns
    each; O(n m) for each curve, as by `abstention_curve`. The log is read once. A correctness of 1
    is out of reach wherever people differ: a pair on which they are split 7 to 3 gives .4 at most.
    Where few test units say anything decided, intervals are too narrow: with 60 of them they held
    the limit in 90 of 100 cases at a level of .95, with 200 in 93, with 500 in 95.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    margin, samples = require_level(level), require_samples(samples)
    points, rng = require_count(points, name="points", least=2, most=10**6), generator_of(seed)
    rules, judged_by = _read_rules(rule, test_rule)
    units = read_units(log, rules=rules | judged_by, unit=unit, begins=split_at is not None)
    is_test = _test_sessions(units, test_share, split_at, rng)
    is_train = units.is_present & ~is_test
    (test_rule,) = judged_by
    counts, held = units.unit_counts(test_rule, is_test), np.unique(units.unit_of_session[is_test])
    every = {name: units.evidence(name, is_train) for name in rules}
    seen = {name: one.take(one.support + one.against > 0) for name, one in every.items()}
    _require_evidence(counts, seen, test_rule)
    judges = {
        name: _Judge.of(relation_of(units.items, evidence, prior=prior), counts, points)
        for name, evidence in seen.items()
    }
    draws = track(range(samples), label="samples")
    drawn = (counts.totals(units.weights(rng, held)) for _ in draws)
    return FeedbackValidation(
        _curves_of(judges, drawn, margin),
        units.unit,
        int(np.count_nonzero(is_train)),
        int(np.count_nonzero(is_test)),
        held.size,
        int(counts.totals().sum()),
        int(counts.compared[-1]) + 1,
        _count_unmet(counts, seen.values()),
        test_rule,
        float(level),
        samples,
        units.log.shape(),
        units.log.problems.by_line(),
    )


def _curves_of(
    judges: Mapping[str, _Judge], drawn: Iterable[NDArray[Any]], margin: float
) -> dict[str, HoldoutCurve]:
    """Return the holdout curves of some judges, with intervals from samples of test units."""
    shares: dict[str, list[Floats]] = {name: [] for name in judges}
    for totals in drawn:
        for name, judge in judges.items():
            shares[name].append(judge.shares(totals)[1])
    return {
        name: judge.curve(name, np.array(shares[name]), margin) for name, judge in judges.items()
    }


class _Judge(NamedTuple):
    """The thresholds of a curve, and for each test pair how many of them decide it either way."""

    P: PreferenceRelation
    alpha: Fraction | None
    strengths: Numbers
    agreed: Numbers
    opposed: Numbers
    counts: UnitCounts

    @classmethod
    def of(cls, P: PreferenceRelation, counts: UnitCounts, points: int) -> _Judge:
        """Return the judge of a relation at some of its thresholds, evenly spread."""
        curve = abstention_curve(P, impossible="drop")
        u, v = counts.preferred, counts.other
        agreed, opposed = curve.decided[u, v], curve.decided[v, u]
        occurring = np.unique(curve.decided[curve.decided > 0])
        places = np.searchsorted(occurring, np.maximum(agreed, opposed), side="right")
        held = _at_least(places, counts.totals(), occurring.size)
        occurring, held = occurring[held > 0], held[held > 0]
        if occurring.size:
            wanted = np.searchsorted(-held, -np.linspace(held[0], held[-1], points))
            ends = [] if curve.alpha is None else [P.strength_of_threshold(curve.alpha)]
            least = np.searchsorted(occurring, ends).clip(max=occurring.size - 1)
            occurring = occurring[np.unique([*wanted, *least])]
        low, high = (np.searchsorted(occurring, side, side="right") for side in (agreed, opposed))
        return cls(P, curve.alpha, occurring, low, high, counts)

    def sums(self, weights: NDArray[Any]) -> tuple[Floats, Floats]:
        """Return the weight of the pairs that agree, and of those that oppose, by threshold."""
        size = self.strengths.size
        return _at_least(self.agreed, weights, size), _at_least(self.opposed, weights, size)

    def shares(self, totals: NDArray[Any]) -> Floats:
        """Return completeness and correctness, by sessions and by pairs, at each threshold."""
        compared = self.counts.of_compared(totals)
        by_pairs = np.divide(totals, compared, out=np.zeros(totals.size), where=compared > 0)
        found = np.full((2, 2, self.strengths.size), np.nan)
        for place, weights in enumerate((totals, by_pairs)):
            agreed, opposed = self.sums(weights)
            decided, whole = agreed + opposed, weights.sum()
            if whole:
                found[0, place] = decided / whole
            is_known = decided > 0
            np.divide(agreed - opposed, decided, out=found[1, place], where=is_known)
        return found

    def curve(self, name: str, drawn: Floats, margin: float) -> HoldoutCurve:
        """Return the points with the intervals of their correctness in samples."""
        totals = self.counts.totals()
        shares, (agreed, opposed) = self.shares(totals), self.sums(totals)
        points = []
        for place, strength in enumerate(self.strengths.tolist()):
            alpha = self.P.degree_of_strength(strength)
            columns = [
                (*shares[:, side, place].tolist(), *percentiles(drawn[:, side, place], margin))
                for side in (0, 1)
            ]
            is_acyclic = self.alpha is not None and alpha >= self.alpha
            counts = int(agreed[place]), int(opposed[place])
            points.append(HoldoutPoint(alpha, is_acyclic, *counts, *columns[0], *columns[1]))
        return HoldoutCurve(name, self.P, self.alpha, tuple(points), int(totals.sum()))


def _at_least(places: Numbers, weights: NDArray[Any], size: int) -> Floats:
    """Return the weight of the held-out pairs that are decided from each threshold on."""
    found: Floats = np.bincount(places, weights, size + 1)[::-1].cumsum()[::-1][1:]
    return found


def _read_rules(rule: Any, test_rule: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return name -> rule of those to learn by, and of the one to test held-out sessions by."""
    rules = named_rules(rule)
    test_rule = next(iter(rules)) if test_rule is None else test_rule
    if isinstance(test_rule, str) and test_rule in rules:
        return rules, {test_rule: rules[test_rule]}
    (test,) = named_rules(test_rule).items()
    name = test[0] if test[0] not in rules else f"{test[0]} (test)"
    return rules, {name: test[1]}


def _test_sessions(
    units: LogUnits, share: Any, split_at: Any, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Return which sessions are held out for the test; some are, and some are not."""
    if split_at is not None:
        is_test = units.is_present & _begin_from(units, split_at)
        why = f"split_at={split_at!r}"
    else:
        if not 0 < require_share(share, "test_share") < 1:
            raise PorankError(f"expected test_share to lie between 0 and 1, found {share!r}")
        count = min(max(round(share * units.n_units), 1), units.n_units)
        is_held = np.zeros(units.n_units, dtype=bool)
        is_held[rng.permutation(units.n_units)[:count]] = True
        is_test = units.is_present
        is_test[is_test] = is_held[units.unit_of_session[is_test]]
        why = f"test_share={share!r} of {counted(units.n_units, units.unit)}"
    held, present = np.count_nonzero(is_test), np.count_nonzero(units.is_present)
    if not 0 < held < present:
        raise PorankError(
            f"expected sessions to learn from and sessions to test on, found {present - held:,} "
            f"and {held:,} by {why}"
        )
    return is_test


def _begin_from(units: LogUnits, split_at: Any) -> NDArray[np.bool_]:
    """Return which sessions of a log begin at a time or later, and are held out."""
    begins, read_time = units.log.of_sessions("time"), units.log.read_time
    times, faults = read_time([split_at], name="split_at")
    if faults or np.isnan(times[0]):
        found = faults[0][1] if faults else f"expected a time as split_at, found {split_at!r:.100}"
        raise PorankError(found)
    is_later: NDArray[np.bool_] = begins >= times[0]
    return is_later


def _require_evidence(counts: UnitCounts, seen: Mapping[str, PairEvidence], test_rule: str) -> None:
    """Raise an error if the training or the held-out sessions compare no items."""
    silent = [name for name, evidence in seen.items() if not evidence.support.size]
    if silent or not counts.starts.size:
        side, name = ("training", silent[0]) if silent else ("test", test_rule)
        raise PorankError(
            f"expected {side} sessions that compare items by the rule {name}, found none that "
            "does; another share or another rule may help"
        )


def _count_unmet(counts: UnitCounts, seen: Iterable[PairEvidence]) -> int:
    """Return how many held-out statements name an item that no training session compares."""
    known = np.concatenate([np.append(one.preferred, one.other) for one in seen])
    is_unmet = ~(np.isin(counts.preferred, known) & np.isin(counts.other, known))
    return int(counts.totals()[is_unmet].sum())
