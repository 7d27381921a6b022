"""What an evaluation of many pairs finds: a row for each group, a column for each measure.

`Evaluation`, its `_Witness` of why a group has no value, and its tables: measures on the whole, by
size, and where they are worst.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_count, require_level, require_one_of
from porank.core.graphs import shortest_cycle
from porank.core.intervals import LEAST_UNITS, mean_interval
from porank.core.tables import Columns, Table, Tabular
from porank.errors import NotApplicableError, PorankError, UndefinedError, listed
from porank.evaluation.input_sides import labels_at
from porank.evaluation.single_groups import DEFINED, INAPPLICABLE, STATUSES
from porank.measures.pair_table import pair_classes, pair_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from porank.evaluation.single_groups import Groups, MeasureColumn
    from porank.measures.measure import Measure
    from porank.typing import Item, Numbers


_CLASSES = ("concordant", "discordant", "target_only", "predicted_only", "neither")
#: What a rule makes of items that only one side has.
_ONE_SIDED = {
    "unretrieved": "count as not retrieved",
    "last": "stand last",
    "open": "are left open",
    "irrelevant": "count as irrelevant",
    "unknown": "earn nothing",
    "dropped": "are left out",
}


@dataclass(frozen=True)
class _Witness:
    """Why a group, or a measure in it, has no value."""

    status: str
    cycle: list[Item] | None = None
    why: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Columns, Tabular):
    """The values that `evaluate` returns, a row for each group.

    It prints as its `summary`, with its `notes` below, in a terminal and in a notebook.

    Attributes
    ----------
    columns : dict of arrays
        The columns of groups under their own names, the measures, nan where there is no value, and
        ``status``: "defined"; "undefined" or "inapplicable" if a measure is 0/0 or does not take
        such orders; "empty" if no item is compared; "cyclic target", "cyclic predicted"; "only in
        target", "only in predicted".
    by : tuple of str
        The columns of groups.
    measures : tuple of str
        The columns of measures.
    better : dict
        Measure -> "higher" or "lower".
    statuses : dict of arrays
        Measure -> the number of its status in each group, 0 to 7 in the sequence above.
    sizes : array of int
        How many items each group compares, in the first measure if they differ.
    item_counts : dict
        "both", "target" and "predicted" -> how many items both sides have, and each, in all groups
        that are on both sides.

    See Also
    --------
    evaluate, compare_systems, compare

    Examples
    --------
    >>> from porank.evaluation.evaluate import evaluate
    >>> target = {1: {"a": 3, "b": 2, "c": 1}, 2: {"a": 1, "b": 1}, 3: {"a": 1}}
    >>> predicted = {1: {"a": 9, "b": 5, "c": 7}, 2: {"a": 1, "b": 2}}
    >>> found = evaluate(target, predicted, measures=["gamma", "completeness"])
    >>> print(found)
    measure         mean  low  high  median  groups  without a value
    ------------  ------  ---  ----  ------  ------  -----------------------------
    gamma         0.3333             0.3333       1  1 undefined, 1 only in target
    completeness       1                  1       1  1 undefined, 1 only in target
    gamma, completeness: no interval (fewer than 5 groups, or equal values without bounds)
    >>> found["gamma"].tolist(), found["status"].tolist()
    ([0.3333333333333333, nan, nan], ['defined', 'undefined', 'only in target'])
    >>> found.witness(2).why["gamma"]
    '0/0: there is no pair that both orders decide'

    Notes
    -----
    Memory of 9 bytes for each group and measure, 24 for each group, and the data, which `worst`,
    `witness`, `orders` and `pair_classes` look up.
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
        """Return whether all that a measure looks at is where items of the target are listed."""
        return any(column.name == measure and column.judges_lists for column in self.plan)

    def __repr__(self) -> str:
        return f"<Evaluation: {len(self):,} groups, {', '.join(self.measures)}>"

    def count_statuses(self) -> dict[str, int]:
        """Return how many groups of an evaluation have each status, those that occur."""
        return count_statuses(np.max(list(self.statuses.values()), axis=0))

    def summary(self, *, level: float = 0.95, unit: str | None = None) -> Table:
        """Return for each measure its mean, a confidence interval for it, and the median.

        Parameters
        ----------
        level : float
            Confidence level of the intervals from ``low`` to ``high``, for the mean over the
            population that the groups, or the units, were drawn from.
        unit : str, optional
            One of several columns of groups, such as the user of queries: groups that it calls
            alike may resemble each other, and count as drawn together. By default each group is
            drawn by itself.

        Notes
        -----
        Groups without a value are in none of the numbers but counted, with their status. The
        interval is Wilson's with a correction for continuity [1]_, for as many draws of the lowest
        and the highest value as would have the same variance; that is estimated by what each unit
        adds, as if there were two more units, one at the lowest and one at the highest value: those
        of the measure, or those seen if it has no bounds. In simulations with 5 to 200 users of one
        or more queries, whose values resemble each other but do not depend on how many there are,
        intervals of level .95 held the mean of a measure with bounds in at least 94 % of samples.
        The interval is too short if a few units with many groups have other values than the rest,
        and may be if the measure has no bounds and units are few. It is too wide if there are few
        values, which hardly differ. Fewer than 5 units have none.

        References
        ----------
        .. [1] R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison
           of seven methods", Statistics in Medicine 17(8), 1998, pp. 857-872.
        """
        margin, units = require_level(level), self._units(unit)
        rows = []
        for column in self.plan:
            is_known = ~np.isnan(self.columns[column.name])
            known = self.columns[column.name][is_known]
            numbers: tuple[Any, ...] = (None,) * 4
            if known.size:
                ends = _interval(column.measure, known, units[is_known], margin)
                numbers = (float(np.mean(known)), *ends, float(np.median(known)))
            # 0/0 for which the caller has named a number has a value.
            without = statuses_text(count_statuses(self.statuses[column.name][~is_known]))
            rows.append((column.name, *numbers, known.size, without))
        header = ("measure", "mean", "low", "high", "median", "groups", "without a value")
        return Table(header, rows)

    def _units(self, unit: str | None) -> Numbers:
        """Return the number of what each group of the evaluation was drawn with."""
        if unit is None:
            return np.arange(len(self))
        labels = self.columns[require_one_of(unit, self.by, name="unit")].tolist()
        number = {label: place for place, label in enumerate(dict.fromkeys(labels))}
        return np.array([number[label] for label in labels], dtype=np.int64)

    def notes(self, *, unit: str | None = None) -> list[str]:
        """Return what the means rest on: items that only one side has, and too few groups."""
        units = self._units(unit)
        none = ", ".join(each.name for each in self.plan if self._lacks_interval(each, units))
        what = "groups" if unit is None else f"values of {unit}"
        why = f"no interval (fewer than {LEAST_UNITS} {what}, or equal values without bounds)"
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

    def by_size(self) -> Table:
        """Return the mean of each measure by the number of items that the groups compare."""
        doublings = np.ceil(np.log2(np.maximum(self.sizes, 1))) + 1
        classes = np.where(self.sizes > 0, doublings, 0).astype(np.int64)
        rows: list[tuple[Any, ...]] = []
        for number in np.unique(classes).tolist():
            chosen = classes == number
            # Classes end at the powers of two: 1, 2, 3 to 4, 5 to 8 and so on.
            ends = f"{2 ** (number - 2) + 1} to {2 ** (number - 1)}" if number > 2 else str(number)
            means = (_mean(self.columns[name][chosen]) for name in self.measures)
            rows.append((ends, int(np.count_nonzero(chosen)), *means))
        return Table(("items", "groups", *self.measures), rows)

    def worst(self, measure: str, count: int = 20) -> Table:
        """Return the groups with the worst values of a measure, the worst first.

        Groups with equal values come in the sequence of the evaluation.

        Beside the value stand the items compared, and how the pairs of the group divide into
        classes, unless the evaluation is one of files and has not kept the data.

        Notes
        -----
        Time O(groups log groups), and that of `pair_classes` for each group shown.
        """
        if measure not in self.measures:
            raise PorankError(f"expected one of {listed(self.measures)}, found {measure!r}")
        labels = [self.columns[name] for name in self.by]
        values = self.columns[measure]
        badness = values if self.better[measure] == "higher" else -values
        rows = []
        classes = () if self.groups is None else _CLASSES
        most = min(require_count(count, name="count"), np.count_nonzero(~np.isnan(values)))
        # What has no value comes last.
        for place in np.argsort(badness, kind="stable")[:most].tolist():
            table = None if self.groups is None else pair_table(*self._aligned(place))
            pairs = (getattr(table, name) for name in classes)
            cells = float(values[place]), int(self.sizes[place])
            rows.append((*labels_at(labels, place), *cells, *pairs))
        return Table((*self.by, measure, "items", *classes), rows)

    def orders(self, group: Any) -> tuple[Any, Any]:
        """Return the target and the prediction of a group, on the items compared.

        Parameters
        ----------
        group : label, or tuple of labels
            As in the columns of groups.
        """
        place = self._place(group)
        if STATUSES.index(self["status"][place]) > 2:
            raise NotApplicableError(
                f"expected a group that was evaluated, found {group!r}: {self['status'][place]}; "
                "witness(group) tells more"
            )
        return self._aligned(place)

    def pair_classes(self, group: Any) -> Iterator[tuple[Item, Item, str]]:
        """Return each unordered pair of items of a group with its class, as `pair_classes` does."""
        return pair_classes(*self.orders(group))

    def witness(self, group: Any) -> _Witness:
        """Return why a group, or a measure in it, has no value."""
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
                "expected an evaluation of data in memory, found one of files or of "
                "compare_systems, which has not kept them; evaluate the rows of the group"
            )
        return self.groups

    def _place(self, group: Any) -> int:
        """Return the row of a group in an evaluation."""
        labels = group if len(self.by) > 1 else (group,)
        if not isinstance(labels, tuple) or len(labels) != len(self.by):
            raise PorankError(
                f"expected a tuple of {len(self.by)} labels as group, found {group!r}"
            )
        columns = (self.columns[name].tolist() for name in self.by)
        for place, row in enumerate(zip(*columns, strict=True)):
            if row == labels:
                return place
        raise PorankError(f"expected a group of the evaluation, found {group!r}")

    def to_parquet(self, path: Any) -> None:
        """Write a row for each group to a Parquet file, groups of several types as texts."""
        table = import_module("pyarrow").table(self)
        import_module("pyarrow.parquet").write_table(table, path)

    def to_table(self) -> Table:
        """Return the summary of the evaluation."""
        return self.summary()


def count_statuses(statuses: NDArray[np.uint8]) -> dict[str, int]:
    """Return how many groups of an evaluation have each status, those that occur."""
    times = np.bincount(statuses, minlength=len(STATUSES)).tolist()
    return {status: count for status, count in zip(STATUSES, times, strict=True) if count}


def statuses_text(counts: Mapping[str, int]) -> str:
    """Return the counts of statuses of an evaluation, other than defined, as a text."""
    others = (pair for pair in counts.items() if pair[0] != STATUSES[DEFINED])
    return ", ".join(f"{count:,} {status}" for status, count in others)


def _has_interval(measure: Measure, known: NDArray[np.float64], units: Numbers) -> bool:
    """Return whether values are of enough units, and differ or lie between claimed bounds."""
    is_bounded = math.isfinite(measure.lowest) and math.isfinite(measure.highest)
    are_many = np.count_nonzero(np.bincount(units)) >= LEAST_UNITS
    return bool(are_many and (is_bounded or known.min() < known.max()))


def _interval(
    measure: Measure, known: NDArray[np.float64], units: Numbers, margin: float
) -> tuple[float | None, ...]:
    """Return an interval for the mean of values of a measure, between its bounds or those seen."""
    if not _has_interval(measure, known, units):
        return None, None
    claimed = [end for end in (measure.lowest, measure.highest) if math.isfinite(end)]
    # What 0/0 is taken for may lie beyond the bounds of the measure.
    lowest, highest = (f([*claimed, f(known).item()]) for f in (min, max))
    sums, counts = np.bincount(units, known), np.bincount(units)
    return mean_interval(sums, counts, margin, lowest=lowest, highest=highest)


def _mean(values: NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(np.mean(known)) if known.size else None
