"""Counts of pairs by session or user, for holding back or resampling these units.

Idea: *a log is read once; holding back or resampling only changes the weights of units.* A unit is
a session, or a user with all sessions. Rows (session, preferred, other) are merged into rows (pair,
unit) with the number of sessions, sorted by pair. So the support of all pairs, under any weights of
the units, is one sum over runs of rows.

`read_units` makes `LogUnits`; `UnitCounts` are the counts by pair; `bootstrap_feedback` shows how
often pairs come out the other way in resampled logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.degrees import require_fit, sealed
from porank.abstention.preference_relation import PreferenceRelation
from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import PairEvidence, count_rows, evidence_of, tallies_of
from porank.clicks.log import Wanted
from porank.clicks.rules import STOOD, VERDICT, rules_of
from porank.clicks.sessions import joined_rows, take_rows
from porank.core.arguments import generator_of, require_one_of, require_samples
from porank.core.arrays import inverse_of, run_starts
from porank.core.graphs import sorted_by_label
from porank.core.progress import track
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from porank.clicks.log import Log
    from porank.clicks.sessions import Sessions
    from porank.typing import Item, Numbers, Seed


UNITS = ("session", "user")
#: The columns that hold items.
_SIDES = ("preferred", "other")


class UnitCounts(NamedTuple):
    """Number of sessions of each unit with each preference pair, sorted by pair.

    Attributes
    ----------
    preferred, other : array of int
        The distinct pairs with support, as numbers of items; u over v is next to v over u.
    compared : array of int
        For each of them the number of its pair of items, in either direction, counted from 0.
    starts : array of int
        For each of them its first row.
    unit, support : array of int
        For each row the unit, and the number of its sessions with the pair.
    """

    preferred: Numbers
    other: Numbers
    compared: Numbers
    starts: Numbers
    unit: Numbers
    support: Numbers

    def totals(self, weights: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return the support of each pair if units have these weights, by default 1."""
        support = self.support if weights is None else self.support * weights[self.unit]
        return np.add.reduceat(support, self.starts) if self.starts.size else support

    def restrict(self, is_kept: NDArray[np.bool_]) -> UnitCounts:
        """Return the counts of some pairs; both directions of a pair must be kept, or neither."""
        lengths = np.diff(self.starts, append=self.unit.size)
        rows, lengths = np.repeat(is_kept, lengths), lengths[is_kept]
        return UnitCounts(
            self.preferred[is_kept],
            self.other[is_kept],
            np.unique(self.compared[is_kept], return_inverse=True)[1],
            lengths.cumsum() - lengths,
            self.unit[rows],
            self.support[rows],
        )

    def of_compared(self, totals: NDArray[Any]) -> NDArray[Any]:
        """Return how many sessions compare the items of each pair, in either direction."""
        both = np.bincount(self.compared, totals).astype(totals.dtype, copy=False)
        return both[self.compared]


class GroupItem(NamedTuple):
    """An item within a group, such as a document among the answers to one query."""

    group: Any
    item: Item

    def __str__(self) -> str:
        return f"{self.group}: {self.item}"


@dataclass(frozen=True, eq=False)
class LogUnits:
    """The sessions of a click log, their units, and the pairs that they prefer by each rule.

    Attributes
    ----------
    unit : {"session", "user"}
        Unit that is drawn or held back as a whole.
    items : list
        All items of the log; items are numbered in this order.
    codes : array of int
        For each item its number in `log`, plus, with groups, the number of its group times the
        number of items of the log; ascending. Items that `log` does not have come last, without a
        code.
    log : Log
        The log that was read.
    statements : dict
        Name of a rule -> the columns ``session``, ``preferred``, ``other``, with a row for each
        session and pair; and ``stood`` if it was asked for. For ratings and battles also
        ``verdict``, with rows for tied pairs.
    unit_of_session : array of int
        The unit of each session, -1 for sessions without a good row. Units are numbered in the
        order of their labels, so the numbers do not depend on the order of the log.
    n_units : int
        Number of units.
    segment : str or None
        The column of segments.
    group : str or None
        The column within whose values items are compared; items are then `GroupItem`.
    """

    unit: str
    items: list[Item]
    codes: Numbers
    log: Log
    statements: dict[str, dict[str, Numbers]]
    unit_of_session: Numbers
    n_units: int
    segment: str | None = None
    group: str | None = None

    @property
    def segment_of_session(self) -> Numbers:
        """The segment of each session, as a number."""
        return self.log.of_sessions(str(self.segment))

    @property
    def is_present(self) -> NDArray[np.bool_]:
        """Which sessions have a good row."""
        return self.unit_of_session >= 0

    @property
    def first_rule(self) -> str:
        """The name of the first rule."""
        return next(iter(self.statements))

    def unit_counts(
        self,
        rule: str,
        sessions: NDArray[np.bool_] | None = None,
        units: Numbers | None = None,
    ) -> UnitCounts:
        """Return how many sessions of each unit have each preference pair, in some or all sessions.

        `units` may assign other units to the sessions than those of the log.
        """
        units = self.unit_of_session if units is None else units
        statements, n = self.decided(rule, sessions), len(self.items)
        first, second = statements["preferred"], statements["other"]
        pairs = np.minimum(first, second) * n + np.maximum(first, second)
        keys = {"pair": 2 * pairs + (first > second), "unit": units[statements["session"]]}
        keys, support = count_rows(keys, np.ones(first.size, dtype=np.int64))
        starts = run_starts(keys["pair"])
        pairs, is_back = np.divmod(keys["pair"][starts], 2)
        low, high = np.divmod(pairs, max(n, 1))
        compared = np.unique(pairs, return_inverse=True)[1]
        preferred, other = np.where(is_back, high, low), np.where(is_back, low, high)
        return UnitCounts(preferred, other, compared, starts, keys["unit"], support)

    def decided(self, rule: str, sessions: NDArray[np.bool_] | None = None) -> dict[str, Numbers]:
        """Return the preferences of some sessions by a rule, without ties, by session and pair."""
        rows = _rows_of_sessions(self.statements[rule], sessions)
        return take_rows(rows, rows[VERDICT] == 0) if VERDICT in rows else rows

    def evidence(self, rule: str, sessions: NDArray[np.bool_] | None = None) -> PairEvidence:
        """Return the evidence of each pair in some sessions by a rule."""
        statements = _rows_of_sessions(self.statements[rule], sessions)
        ones = np.ones(statements["session"].size, dtype=np.int64)
        return evidence_of(len(self.items), statements, ones)

    def within(self, column: str) -> LogUnits:
        """Return the same sessions, with the items of each value of a column kept separate.

        Items become `GroupItem`.
        """
        groups, n = self.log.of_sessions(column), len(self.items)
        labels = self.log.labels[column].values()
        codes = {
            (rule, side): groups[rows["session"]] * n + rows[side]
            for rule, rows in self.statements.items()
            for side in _SIDES
        }
        found = np.unique(np.concatenate([*codes.values()]))
        statements = {
            rule: rows | {side: np.searchsorted(found, codes[rule, side]) for side in _SIDES}
            for rule, rows in self.statements.items()
        }
        group, item = np.divmod(found, max(n, 1))
        items: list[Item] = [
            GroupItem(labels[g], self.items[i]) for g, i in zip(group, item, strict=True)
        ]
        in_log = group * len(self.log.labels["item"]) + self.codes[item]
        return replace(self, items=items, codes=in_log, statements=statements, group=column)

    def numbers_of(self, sessions: Sessions) -> Numbers:
        """Return the number of the item of each entry of sessions; n for items not among the n."""
        codes = sessions.item.astype(np.int64)
        if self.group is not None:
            groups = self.log.of_sessions(self.group)[sessions.session].astype(np.int64)
            codes += groups * len(self.log.labels["item"])
        places = np.searchsorted(self.codes, codes).clip(max=self.codes.size - 1)
        return np.where(self.codes[places] == codes, places, len(self.items))

    def followed_by(self, later: LogUnits) -> LogUnits:
        """Return the sessions of two logs together, those of the later log after the others.

        Items of the later log that this one does not have are added. Sessions and units of the
        later log count as different ones, whatever their names. `log` is still the earlier one.
        """
        number = {item: place for place, item in enumerate(self.items)}
        for item in later.items:
            number.setdefault(item, len(number))
        place = np.array([number[item] for item in later.items], dtype=np.int64)
        statements = dict(self.statements)
        for rule, rows in later.statements.items():
            if rows.keys() != statements[rule].keys():
                raise PorankError("expected two logs of the same kind, found ties in one of them")
            moved = rows | {side: place[rows[side]] for side in _SIDES}
            moved["session"] = moved["session"] + self.unit_of_session.size
            statements[rule] = joined_rows([statements[rule], moved])
        units = later.unit_of_session
        units = np.where(units < 0, -1, units + self.n_units)
        return replace(
            self,
            items=[*number],
            statements=statements,
            unit_of_session=np.concatenate([self.unit_of_session, units]),
            n_units=self.n_units + later.n_units,
        )

    def about(self, rule: str, items: Iterable[Item]) -> LogUnits:
        """Return the preferences of the sessions by one rule among some of the items."""
        kept = {*items}
        chosen = [number for number, item in enumerate(self.items) if item in kept]
        place = np.full(len(self.items), -1, dtype=np.int64)
        place[chosen] = np.arange(len(chosen))
        rows = self.statements[rule] | {side: place[self.statements[rule][side]] for side in _SIDES}
        statements = {rule: take_rows(rows, (rows["preferred"] >= 0) & (rows["other"] >= 0))}
        some = [self.items[k] for k in chosen]
        return replace(self, items=some, codes=self.codes[chosen], statements=statements)


def _rows_of_sessions(
    rows: dict[str, Numbers], sessions: NDArray[np.bool_] | None
) -> dict[str, Numbers]:
    """Return the rows of some sessions of a log's units, by default of all."""
    return dict(rows) if sessions is None else take_rows(rows, sessions[rows["session"]])


def read_units(
    log: Any,
    *,
    rules: Any = "levels",
    unit: str = "session",
    segment: str | None = None,
    group: str | None = None,
    begins: bool = False,
    places: bool = False,
) -> LogUnits:
    """Return the preferences of each session of a click log, with the unit it belongs to.

    Parameters
    ----------
    log : ClickLog, table, path, or LogUnits
        The log; or an earlier result with the same options.
    rules : rule, or mapping name -> rule
        Rules by which the log is read, each as for `preference_pairs`.
    unit : {"session", "user"}
        Unit that is drawn or held back as a whole.
    segment : str, optional
        Column with one value in each session.
    group : str, optional
        Column for `LogUnits.within`; a session with several values of it is cut into several.
    begins : bool
        Whether the beginning of each session is needed; the log must then have times.
    places : bool
        Whether to add the column ``stood``, which of the two items of each statement stood higher.
    """
    require_one_of(unit, UNITS, name="unit")
    if isinstance(log, LogUnits):
        return log
    named = {name: rules_of(rule) for name, rule in named_rules(rules).items()}
    by = [*["user"] * (unit == "user"), *filter(None, (segment, group))]
    needs, wishes = ["time"] * begins, ["position"] * places
    names = ("session", *_SIDES, *[STOOD] * places)
    groups = tuple(dict.fromkeys(by))
    log = ClickLog.unweighed(log)
    wanted = Wanted(named, names, by=groups, needs=needs, wishes=wishes, cut=group)
    read = log.asked(wanted)
    tallies = tallies_of(read, wanted)
    units, n_units = _numbered(read.of_sessions(unit), read.labels[unit].as_array())
    statements = {name: read.among_used(tally.counted()[0]) for name, tally in tallies.items()}
    return LogUnits(
        unit,
        read.items(),
        read.used_items,
        read,
        statements,
        units,
        n_units,
        segment,
    )


def _numbered(number: Numbers, called: NDArray[Any]) -> tuple[Numbers, int]:
    """Return the units of sessions, numbered in the order of their labels, and their number."""
    by_label = np.array(sorted_by_label(called.tolist()), dtype=np.int64)
    place, is_there = inverse_of(by_label), number >= 0
    present, units = np.unique(place[number[is_there]], return_inverse=True)
    found = np.full(number.size, -1, dtype=np.int64)
    found[is_there] = units
    return found, present.size


def named_rules(rules: Any) -> dict[str, Any]:
    """Return name -> rule for the rules by which units are read."""
    if not isinstance(rules, Mapping):
        return {", ".join(rule.name for rule in rules_of(rules)): rules}
    if not rules:
        raise PorankError("expected at least one rule, found none")
    return dict(rules)


def bootstrap_feedback(
    log: Any,
    *,
    rule: Any = "levels",
    unit: str = "session",
    samples: int = 200,
    seed: Seed = 0,
) -> PreferenceRelation:
    """Return how often each item is preferred to each other one in bootstrap samples of a log.

    Each sample draws as many units (sessions, or users with all their sessions) as the log has,
    with replacement. The degree P(u, v) is the share of samples in which more sessions prefer u to
    v than v to u.

    Parameters
    ----------
    log : ClickLog, table or path
        The log.
    rule
        As for `preference_pairs`.
    unit : {"session", "user"}
        Unit that is drawn. Sessions of the same user depend on each other, so use "user" if the log
        names users.
    samples : int
        Number of samples.
    seed : int, Generator or None
        Seed of the samples. The result does not depend on the order of the sessions in the log.

    Returns
    -------
    PreferenceRelation
        The samples are its members, on all items of the log; ``evidence`` has the counts of the
        log. If as many sessions of a sample prefer u as v, the sample prefers neither, so the
        ``floor`` is 1/2. Unlike rankings, samples may contradict themselves, and even the pairs of
        degree 1 may form a cycle. In that case, use `predict_order` with ``impossible="drop"``.

    Raises
    ------
    PorankError
        As for `preference_pairs`, or if a number or a unit is invalid.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    settled_order, validate_feedback, compare_segments, preference_relation

    Examples
    --------
    Nine sessions prefer a to b, and three prefer b to a; two prefer b to c, and one prefers c to b.

    >>> import porank as po
    >>> said = ["ab"] * 9 + ["ba"] * 3 + ["bc"] * 2 + ["cb"]
    >>> log = [{"session": number, "item": item, "event": event}
    ...        for number, pair in enumerate(said)
    ...        for item, event in zip(pair, ("click", "view"))]
    >>> P = po.bootstrap_feedback(log)
    >>> float(P.degree("a", "b")), float(P.degree("b", "c")), float(P.degree("a", "c"))
    (0.975, 0.63, 0.0)

    Notes
    -----
    Time as for `preference_pairs`, plus O(p) for each sample and p pairs of all units, some 5 ns
    each; the log is read once. Memory O(p + n**2). A high share is not evidence: if few units
    compare a pair and they agree, all samples agree. `settled_order` tests for chance.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall, 1993.
    """
    samples, rng = require_samples(samples), generator_of(seed)
    units = read_units(log, rules=rule, unit=unit)
    counts, n = units.unit_counts(units.first_rule), len(units.items)
    require_fit(n, bytes_each=np.min_scalar_type(samples).itemsize)
    ahead = np.zeros(counts.starts.size, dtype=np.int64)
    drawn = units.n_units
    for _ in track(range(samples), label="samples"):
        # How often each unit is in the sample.
        weights = np.bincount(rng.integers(drawn, size=drawn) if drawn else [], minlength=drawn)
        totals = counts.totals(weights)
        ahead += 2 * totals > counts.of_compared(totals)
    wins = np.zeros((n, n), dtype=np.min_scalar_type(samples))
    wins[counts.preferred, counts.other] = ahead
    support = np.zeros((n, n), dtype=np.min_scalar_type(counts.totals().max(initial=0)))
    support[counts.preferred, counts.other] = counts.totals()
    return PreferenceRelation(
        tuple(units.items),
        sealed(wins),
        samples,
        samples,
        sealed(support),
        floor=Fraction(1, 2),
    )
