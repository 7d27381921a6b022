"""The result of an evaluation of many pairs: a row for each group and a column for each measure.

`Evaluation` has tables of the means, of the means by size, and of the worst groups. A `_Witness`
explains why a group has no value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import load, require_confidence, require_count, require_one_of
from porank.core.graphs import shortest_cycle
from porank.core.intervals import LEAST_UNITS, mean_interval
from porank.core.tables import Columns, Table
from porank.errors import NotApplicableError, PorankError, UndefinedError, listed, quoted
from porank.evaluation.input_sides import labels_at
from porank.evaluation.measure_columns import DEFINED, INAPPLICABLE, STATUSES
from porank.measures.pair_table import PairCounts, pair_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from porank.evaluation.measure_columns import MeasureColumn
    from porank.evaluation.single_groups import Groups
    from porank.measures.measure import Measure
    from porank.typing import Item, Numbers


#: What the notes say about items of only one side.
_ONE_SIDED = {
    "unretrieved": "count as not retrieved",
    "last": "are put last",
    "incomparable": "are incomparable",
    "irrelevant": "count as irrelevant",
    "unknown": "gain nothing",
    "dropped": "are left out",
}


@dataclass(frozen=True)
class _Witness:
    """The reason why a group, or a measure of it, has no value."""

    status: str
    cycle: list[Item] | None = None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Columns):
    """The result of `evaluate`: the values of measures, with a row for each group.

    It prints as its `summary`, followed by its `notes`. Index it by a name to get a column.

    Attributes
    ----------
    columns : dict of arrays
        Columns of groups, columns of measures (with nan for missing values), and ``status``:
        "defined"; "undefined" or "inapplicable" if a measure is 0/0 or does not apply to the
        orders; "empty" if no items are compared; "cyclic target" or "cyclic predicted"; "only in
        target" or "only in predicted".
    by : tuple of str
        Names of the columns of groups.
    measures : tuple of str
        Names of the columns of measures.
    better : dict
        Mapping from measures to "higher" or "lower".
    statuses : dict of arrays
        Mapping from measures to their status in each group, as a number from 0 to 7 for the
        statuses above.
    sizes : array of int
        Number of compared items in each group, for the first measure.
    item_counts : dict
        Number of items on both sides, in the target and in the prediction ("both", "target" and
        "predicted"), over all groups that have both.

    See Also
    --------
    evaluate, compare_systems, compare

    Examples
    --------
    >>> import porank as po
    >>> target = {1: {"a": 3, "b": 2, "c": 1}, 2: {"a": 1, "b": 1}, 3: {"a": 1}}
    >>> predicted = {1: {"a": 9, "b": 5, "c": 7}, 2: {"a": 1, "b": 2}}
    >>> found = po.evaluate(target, predicted, measures=["gamma", "completeness"])
    >>> print(found)
    measure         mean  low  high  median  groups  without a value
    ------------  ------  ---  ----  ------  ------  -----------------------------
    gamma         0.3333             0.3333       1  1 undefined, 1 only in target
    completeness       1                  1       1  1 undefined, 1 only in target
    gamma, completeness: no interval (fewer than 5 groups, or all values equal)
    >>> found["gamma"].tolist(), found["status"].tolist()
    ([0.3333333333333333, nan, nan], ['defined', 'undefined', 'only in target'])
    >>> found.witness(2).why["gamma"]
    '0/0: there is no pair that both orders decide'

    Notes
    -----
    9 bytes for each group and measure, 24 bytes for each group, and the data, which `worst`,
    `witness` and `orders` need.
    """

    columns: dict[str, NDArray[Any]]
    by: tuple[str, ...]
    measures: tuple[str, ...]
    better: dict[str, str]
    statuses: dict[str, NDArray[np.uint8]]
    sizes: Numbers
    item_counts: dict[str, int]
    groups: Groups | None = None
    plan: tuple[MeasureColumn, ...] = ()

    def judges_lists(self, measure: str) -> bool:
        """Return whether a measure only looks at where the target's items are in the list."""
        return any(column.name == measure and column.judges_lists for column in self.plan)

    def count_statuses(self) -> dict[str, int]:
        """Return the number of groups with each status that occurs."""
        return count_statuses(np.max(list(self.statuses.values()), axis=0))

    def summary(self, *, confidence: float = 0.95, unit: str | None = None) -> Table:
        """Return the mean of each measure with a confidence interval, and the median.

        Parameters
        ----------
        confidence : float
            Confidence level of the intervals from ``low`` to ``high``. They are intervals for the
            mean over the population from which the groups or units were sampled.
        unit : str, optional
            Column of groups, such as the user of queries. Groups with the same label may be similar
            and count as sampled together. By default each group is sampled independently.

        Notes
        -----
        Groups without a value are counted, with their status, but not included in the other
        numbers. The interval is Wilson's for a proportion, with continuity correction [1]_: the
        mean is treated as the proportion of the highest value among draws of the highest and the
        lowest value, with as many draws as give the same variance. The variance is estimated from
        the sums of the units and two additional units, one at the lowest and one at the highest
        value. These are the bounds of the measure or, if it has none, the extremes of the sample.

        In simulations with 5 to 200 users with one or more similar queries, intervals of level 0.95
        of bounded measures contained the mean in at least 94 % of the samples. The interval is too
        short if a few units with many groups have values that differ from the rest, and can be too
        short if the measure is unbounded and there are few units. It is too wide if there are few
        values that hardly differ. With fewer than 5 units there is no interval.

        References
        ----------
        .. [1] R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison
           of seven methods", Statistics in Medicine 17(8), 1998, pp. 857-872.
        """
        margin, units = require_confidence(confidence), self._units(unit)
        rows = []
        for column in self.plan:
            is_known = ~np.isnan(self.columns[column.name])
            known = self.columns[column.name][is_known]
            numbers: tuple[Any, ...] = (None,) * 4
            if known.size:
                ends = _interval(column.measure, known, units[is_known], margin)
                numbers = (float(np.mean(known)), *ends, float(np.median(known)))
            # A group that is 0/0 has a value if the caller passed a number as `undefined`.
            without = statuses_text(count_statuses(self.statuses[column.name][~is_known]))
            rows.append((column.name, *numbers, known.size, without))
        header = ("measure", "mean", "low", "high", "median", "groups", "without a value")
        return Table(header, rows)

    def _units(self, unit: str | None) -> Numbers:
        """Return the number of the unit of each group."""
        if unit is None:
            return np.arange(len(self))
        labels = self.columns[require_one_of(unit, self.by, name="unit")].tolist()
        number = {label: place for place, label in enumerate(dict.fromkeys(labels))}
        return np.array([number[label] for label in labels], dtype=np.int64)

    def notes(self, *, unit: str | None = None) -> list[str]:
        """Return notes on the means: items of only one side, and measures without an interval."""
        units = self._units(unit)
        none = ", ".join(each.name for each in self.plan if self._lacks_interval(each, units))
        what = "groups" if unit is None else f"values of {unit}"
        why = f"no interval (fewer than {LEAST_UNITS} {what}, or all values equal)"
        reasons = [*self._notes_on_items(), *self._notes_on_orders()]
        return [*reasons, *([f"{none}: {why}"] if none else [])]

    def _lacks_interval(self, column: MeasureColumn, units: Numbers) -> bool:
        """Return whether a measure has values, but no interval for their mean."""
        is_known = ~np.isnan(self.columns[column.name])
        known = self.columns[column.name][is_known]
        return known.size > 0 and not _has_interval(column.measure, known, units[is_known])

    def _notes_on_orders(self) -> Iterator[str]:
        for column in self.plan if self.groups is not None else ():
            places = np.flatnonzero(self.statuses[column.name] == INAPPLICABLE)
            if places.size:
                yield f"{column.name}: {self._why(int(places[0]), column)}"

    def _notes_on_items(self) -> Iterator[str]:
        both, target, predicted = self.item_counts.values()
        rules = dict.fromkeys(column.rule for column in self.plan)
        for rule in rules if max(target, predicted) > both else ():
            names = ", ".join(column.name for column in self.plan if column.rule == rule)
            sides = (
                (predicted, "predicted items are not in the target", rule.unjudged),
                (target, "items of the target are not predicted", rule.unlisted),
            )
            parts = [
                f"{count - both:,} of {count:,} {what} and {_ONE_SIDED[becomes]}"
                for count, what, becomes in sides
                if count > both
            ]
            yield (f"{names}: " if len(rules) > 1 else "") + "; ".join(parts)

    def worst(self, measure: str, count: int = 20) -> Table:
        """Return the groups with the worst values of a measure, the worst first.

        The table also has the number of compared items and, if the evaluation has kept the data,
        the numbers of pairs in each class. Groups with equal values are in their original sequence.

        Notes
        -----
        O(groups log groups), plus the cost of `pair_table` for each returned group.
        """
        if measure not in self.measures:
            raise PorankError(
                f"expected one of {listed(self.measures)} as measure, found {measure!r}"
            )
        labels = [self.columns[name] for name in self.by]
        values = self.columns[measure]
        badness = values if self.better[measure] == "higher" else -values
        rows = []
        classes = () if self.groups is None else PairCounts.CLASSES
        most = min(require_count(count, name="count"), np.count_nonzero(~np.isnan(values)))
        # Groups without a value are sorted last.
        for place in np.argsort(badness, kind="stable")[:most].tolist():
            table = None if self.groups is None else pair_table(*self._aligned(place))
            pairs = (getattr(table, name) for name in classes)
            cells = float(values[place]), int(self.sizes[place])
            rows.append((*labels_at(labels, place), *cells, *pairs))
        return Table((*self.by, measure, "items", *classes), rows)

    def orders(self, group: Any) -> tuple[Any, Any]:
        """Return the target and the prediction of a group, on the compared items.

        Parameters
        ----------
        group : label, or tuple of labels
            Label of the group, with one label for each column of groups.
        """
        place = self._place(group)
        if STATUSES.index(self["status"][place]) > 2:
            raise NotApplicableError(
                f"expected a group that was evaluated, found {quoted(group)} with status "
                f"{self['status'][place]!r}; witness(group) explains it"
            )
        return self._aligned(place)

    def witness(self, group: Any) -> _Witness:
        """Explain why a group, or a measure of it, has no value."""
        place = self._place(group)
        status = self["status"][place]
        if status.startswith("cyclic"):
            cyclic = self._kept().stated(place, status.removeprefix("cyclic "))
            return _Witness(status, cycle=shortest_cycle(cyclic))
        if STATUSES.index(status) > 2:
            return _Witness(status)
        wanted = [column for column in self.plan if self.statuses[column.name][place]]
        return _Witness(status, why={column.name: self._why(place, column) for column in wanted})

    def _why(self, place: int, column: MeasureColumn) -> str:
        try:
            self._kept().measured(place, column)
        except UndefinedError as error:
            return f"0/0: {error.why}"
        except NotApplicableError as error:
            return str(error)
        return ""

    def _aligned(self, place: int) -> tuple[Any, Any]:
        return self._kept().aligned(place, self.plan[0].rule)

    def _kept(self) -> Groups:
        if self.groups is None:
            raise NotApplicableError(
                "expected an evaluation that has kept its data, found one of files or of "
                "compare_systems; evaluate the rows of the group again"
            )
        return self.groups

    def _place(self, group: Any) -> int:
        """Return the row of a group in an evaluation."""
        labels = group if len(self.by) > 1 else (group,)
        if not isinstance(labels, tuple) or len(labels) != len(self.by):
            raise PorankError(
                f"expected a tuple of {len(self.by)} labels as group, found {quoted(group)}"
            )
        columns = (self.columns[name].tolist() for name in self.by)
        for place, row in enumerate(zip(*columns, strict=True)):
            if row == labels:
                return place
        raise PorankError(f"expected a group of the evaluation, found {quoted(group)}")

    def to_parquet(self, path: Any) -> None:
        """Write a row for each group to a Parquet file; labels of mixed types become strings."""
        table = load("pyarrow").table(self)
        load("pyarrow.parquet").write_table(table, path)

    def to_table(self) -> Table:
        """Return the `summary` of the evaluation."""
        return self.summary()


def count_statuses(statuses: NDArray[np.uint8]) -> dict[str, int]:
    """Return the number of groups with each status that occurs."""
    times = np.bincount(statuses, minlength=len(STATUSES)).tolist()
    return {status: count for status, count in zip(STATUSES, times, strict=True) if count}


def statuses_text(counts: Mapping[str, int]) -> str:
    """Return the counts of statuses other than "defined" as text."""
    others = (pair for pair in counts.items() if pair[0] != STATUSES[DEFINED])
    return ", ".join(f"{count:,} {status}" for status, count in others)


def _has_interval(measure: Measure, known: NDArray[np.float64], units: Numbers) -> bool:
    """Return whether there are enough units, and the values differ or the measure is bounded."""
    is_bounded = math.isfinite(measure.lowest) and math.isfinite(measure.highest)
    are_many = np.count_nonzero(np.bincount(units)) >= LEAST_UNITS
    return bool(are_many and (is_bounded or known.min() < known.max()))


def _interval(
    measure: Measure, known: NDArray[np.float64], units: Numbers, margin: float
) -> tuple[float | None, ...]:
    """Return a confidence interval for the mean, or None if there is none."""
    if not _has_interval(measure, known, units):
        return None, None
    claimed = [end for end in (measure.lowest, measure.highest) if math.isfinite(end)]
    # The value for 0/0 may lie outside the bounds of the measure.
    lowest, highest = (f([*claimed, f(known).item()]) for f in (min, max))
    sums, counts = np.bincount(units, known), np.bincount(units)
    return mean_interval(sums, counts, margin, lowest=lowest, highest=highest)
