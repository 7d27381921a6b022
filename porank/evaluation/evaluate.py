"""Evaluate a target and a prediction for each user, query or fold.

`evaluate` reads both sides, cuts the groups into chunks, and computes the measures. Groups of the
same size are computed together, as arrays; large groups and unusual options one by one.

Public: `evaluate`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_one_of
from porank.core.dask_frames import is_dask, map_groups
from porank.core.progress import track
from porank.core.scores import is_trec
from porank.errors import PorankError, UndefinedError, a_kind, listed, quoted
from porank.evaluation.alignment import align_groups, blocks_of
from porank.evaluation.input_sides import SIDES, encode_sides, place_columns, read_side
from porank.evaluation.measure_columns import (
    ALONE,
    CYCLIC_PREDICTED,
    CYCLIC_TARGET,
    EMPTY,
    ONLY_PREDICTED,
    ONLY_TARGET,
    STATUSES,
    UNDEFINED,
    ItemRule,
    MeasureColumn,
)
from porank.evaluation.result import Evaluation
from porank.evaluation.single_groups import Groups
from porank.measures.catalogue import measure_entries
from porank.measures.measure import require_choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.evaluation.alignment import Aligned
    from porank.evaluation.batch_orders import OrderBlock
    from porank.evaluation.input_sides import Sides


#: The default measures.
USUAL = ("gamma", "completeness", "kendall_tau", "jaccard", "edrc")
#: Approximate number of rows of a chunk, so that its arrays fit into the cache.
_CHUNK_ROWS = 1 << 19


def evaluate(
    target: Any,
    predicted: Any,
    *,
    by: str | Sequence[str] = "user",
    measures: Iterable[Any] | Mapping[str, Any] = USUAL,
    unlisted: str | None = None,
    unjudged: str | None = None,
    relevant: float | None = None,
    groups: str = "both",
    undefined: Any = math.nan,
) -> Evaluation | Any:
    """Evaluate measures for many pairs of a target and a prediction, for example one for each user.

    A group, such as a user or a query, has a target and a prediction. For each group the value of a
    measure is the same as that of the function of two orders.

    Parameters
    ----------
    target, predicted : table, path, or mapping from groups to orders
        Orders of each group, in one of these forms.

        * A table of preferences with the columns `by`, ``preferred`` and ``other``, as returned by
          `preference_pairs`. In the row of an item without preferences, ``other`` is blank.
        * A table of numbers with the columns `by`, ``item`` and one of ``score``, ``grade`` (larger
          is better) or ``rank`` (smaller is better).
        * A mapping from groups to graphs, ranks or scores, as returned by `read_trec_run`,
          `read_trec_run` and `read_trec_qrels`.

        A table can be a mapping of columns, a data frame, a pyarrow table, rows, or the path of a
        CSV or Parquet file. For data larger than memory, pass two Dask DataFrames.
    by : str or sequence of str
        Columns that identify the group of a row.
    measures : iterable of names, or mapping
        Measures to compute, by name or function. A mapping sets the names of the result columns and
        options: ``{"ndcg@10": ("ndcg", {"k": 10})}``. ``relevance="grade"`` uses the numbers of the
        target as relevance.
    unlisted : {"unretrieved", "last", "incomparable", "dropped"}, optional
        How to treat items of the target that the prediction does not contain.

        * ``"unretrieved"``: in measures of lists (those with an option `k`, and `bpref`) they gain
          nothing, but count in the ideal gain. In other measures they are tied below the predicted
          items.
        * ``"last"``: they are tied below the predicted items in all measures.
        * ``"incomparable"``: they are incomparable to all others in the prediction.
        * ``"dropped"``: they are left out.

        The default is ``"unretrieved"`` if the prediction comes from `read_trec_run`, and for
        measures of lists if neither side is a table of preferences or has partial orders; otherwise
        ``"dropped"``.
    unjudged : {"irrelevant", "dropped", "unknown"}, optional
        How to treat predicted items that the target does not contain.

        * ``"irrelevant"``: they get grade 0 or, if the target has no grades, are tied below its
          items.
        * ``"dropped"``: they are left out.
        * ``"unknown"``: they keep their positions in the list, but gain nothing, and are
          incomparable to all others in the target.

        The default is ``"irrelevant"`` if the target comes from `read_trec_qrels`, and for measures
        of lists if neither side is a table of preferences or has partial orders; otherwise, and
        for `bpref`, ``"dropped"``.
    relevant : number, optional
        Least grade of relevant items, for measures of lists that compare relevant items with the
        others, such as `average_precision`. The default is 1 if the target comes from
        `read_trec_qrels`, as for trec_eval. Otherwise, or if the target has no grades, it must have
        two levels. Items that are only predicted have grade 0.
    groups : {"both", "target"}
        Groups to evaluate. ``"both"``: those with a target and a prediction; the others are
        counted. ``"target"``: those with a target; a missing prediction decides no pair.
    undefined : float or "raise"
        Value to use for 0/0, a finite number or nan. ``"raise"`` raises `UndefinedError`.

    Returns
    -------
    Evaluation
        A column for each measure and a row for each group, with the groups of the target first, in
        order of appearance. For Dask DataFrames, a Dask DataFrame with the same columns.

    Raises
    ------
    UndefinedError
        If a measure is 0/0 in a group and `undefined` is ``"raise"``.
    PorankError
        If a column is missing, if a number is NaN, if an item occurs twice in a group of numbers,
        or if a measure or an option is unknown. A cycle does not raise an error; it is a status of
        its group.

    See Also
    --------
    read_trec_run, write_trec_run, read_trec_qrels, write_trec_qrels, Evaluation

    Examples
    --------
    >>> import porank as po
    >>> target = {"user": [1, 1, 2, 2], "preferred": list("abab"), "other": list("bcbc")}
    >>> predicted = {"user": [1, 1, 1, 2, 2], "item": list("abcab"), "score": [3, 1, 2, 1, 2]}
    >>> found = po.evaluate(target, predicted, measures=["gamma", "completeness", "edrc"])
    >>> for row in found:
    ...     print(row)
    (1, 0.3333333333333333, 1.0, 0.4285714285714286, 'defined')
    (2, -1.0, 1.0, -1.0, 'defined')

    Notes
    -----
    A group of ten items takes a few microseconds. The cost is O(rows log rows), plus O(n**2) for
    each group of n items, or O(n log n) if both sides are numbers for all items, and about 100
    bytes per row. Some groups are evaluated one by one, which takes about 0.2 ms for ten items:
    those with more than 500 items and partial orders, and all groups for `cks_distance` and for
    some options (means over linear extensions, weights, priors, and `ties` other than the default).
    Because floats are summed in a different order, values can differ from those of the functions of
    two orders by a relative error of 1e-12.
    """
    rules = _read_item_rules(unlisted, unjudged, target, predicted)
    relevant = 1 if relevant is None and is_trec(target, "qrels") else relevant
    columns = _read_measures(measures, undefined, rules[0], relevant)
    names = _require_names(by, columns)
    require_one_of(groups, ("both", "target"), name="groups")
    if is_dask(target) or is_dask(predicted):
        asked = {column.name: (column.measure.name, column.options) for column in columns}
        options: dict[str, Any] = {"by": names, "measures": asked, "undefined": undefined}
        options |= {"unlisted": unlisted, "unjudged": unjudged, "relevant": relevant}
        return _evaluated_parts((target, predicted), columns, groups=groups, **options)
    one = read_side(target, names, name="target")
    other = read_side(predicted, names, name="predicted")
    sides = encode_sides(one, other, names)
    if all(rows.by_height[rows.there].all() for rows in (sides.target, sides.predicted)):
        kinds = [each.is_of_lists + each.measure.judged for each in columns]
        columns = [replace(each, rule=rules[k]) for each, k in zip(columns, kinds, strict=True)]
    work = _Work(Groups(sides), columns, groups)
    for first, last in track(_chunks(work.single), label="groups"):
        work.evaluate_chunk(first, last)
    found = work.result(names)
    _require_common_types(sides, found)
    return found


def _evaluated_parts(
    sides: tuple[Any, Any], columns: Sequence[MeasureColumn], *, by: Sequence[str], **options: Any
) -> Any:
    """Evaluate two Dask DataFrames partition by partition, and return a Dask DataFrame."""
    for name, side in zip(SIDES, sides, strict=True):
        if not is_dask(side):
            raise PorankError(f"expected two Dask DataFrames, found {a_kind(side)} as {name}")
        place_columns(side, by, name)
    kinds = {name: sides[0].dtypes[name] for name in by}
    kinds |= dict.fromkeys((column.name for column in columns), float) | {"status": str}
    return map_groups(sides, by, partial(evaluate, by=tuple(by), **options), kinds)


def _read_measures(
    measures: Any, undefined: Any, rule: ItemRule, relevant: float | None
) -> list[MeasureColumn]:
    """Return the columns for the argument `measures` of `evaluate`."""
    _require_undefined(undefined)
    columns = []
    for name, entry in measure_entries(measures):
        options = dict(entry.options)
        if_undefined = options.pop("undefined", undefined)
        _require_undefined(if_undefined)
        column = MeasureColumn(name, entry, options, if_undefined, rule)
        is_of_two = column.is_of_lists and entry.needs.startswith("two-level")
        columns.append(replace(column, least=relevant if is_of_two else None))
    if not columns:
        raise PorankError("expected at least one measure, found none")
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        raise PorankError(f"expected each measure once, found {listed(twice)} more than once")
    return columns


def _require_undefined(undefined: Any) -> None:
    """Raise an error unless `undefined` is "raise" or a number that is not infinite."""
    require_choice(undefined)
    if not isinstance(undefined, str) and math.isinf(undefined):
        raise PorankError(
            f"expected a finite number, nan or 'raise' as undefined, found {undefined!r}"
        )


_UNLISTED = ("unretrieved", "last", "incomparable", "dropped")
_UNJUDGED = ("irrelevant", "dropped", "unknown")


def _read_item_rules(
    unlisted: Any, unjudged: Any, target: Any, predicted: Any
) -> tuple[ItemRule, ...]:
    """Return the rules for items of only one side: usual, for lists, and for lists as judged."""
    if unlisted is not None:
        require_one_of(unlisted, _UNLISTED, name="unlisted")
    elif is_trec(predicted, "run"):
        unlisted = "unretrieved"
    judged = ItemRule(unlisted or "unretrieved", unjudged or "dropped")
    if unjudged is not None:
        require_one_of(unjudged, _UNJUDGED, name="unjudged")
    elif is_trec(target, "qrels"):
        unjudged = "irrelevant"
    return (
        ItemRule(unlisted or "dropped", unjudged or "dropped"),
        ItemRule(unlisted or "unretrieved", unjudged or "irrelevant"),
        judged,
    )


def _require_names(by: Any, columns: Sequence[MeasureColumn]) -> tuple[str, ...]:
    names = (by,) if isinstance(by, str) else by
    is_sequence = isinstance(names, (tuple, list)) and all(isinstance(name, str) for name in names)
    if not is_sequence or not names or len(set(names)) < len(names):
        raise PorankError(f"expected by to be one or more different column names, found {by!r}")
    repeated = [column.name for column in columns if column.name in (*names, "status")]
    if repeated or "status" in names:
        raise PorankError(
            "expected different names for the columns of groups, measures and 'status', "
            f"found {listed(repeated or ['status'])} more than once"
        )
    return tuple(names)


#: Maximum number of labels whose types are compared.
_SOME = 1000


def _require_common_types(sides: Sides, found: Evaluation) -> None:
    """Raise an error if no items or groups match because the types of their labels differ."""
    both = sides.target.there & sides.predicted.there
    if found.item_counts["both"]:
        return
    rows = sides.target, sides.predicted
    if not both.any():
        named = [("groups", [column[each.there] for each in rows]) for column in sides.by]
    # The items of orders may have other types in each group.
    elif any(each.orders for each in rows):
        return
    else:
        some = (np.concatenate([each.member_item[:_SOME], each.upper[:_SOME]]) for each in rows)
        named = [("items", [sides.items[item] for item in some])]
    for what, (target, predicted) in named:
        one, other = _types(target), _types(predicted)
        if one and other and not set(one) & set(other):
            labels = [next(iter(each.values())) for each in (one, other)]
            raise PorankError(
                f"expected {what} of one type on both sides, found {quoted(labels[0])} in target "
                f"and {quoted(labels[1])} in predicted; convert one of the columns"
            )


def _types(labels: NDArray[Any]) -> dict[type, Any]:
    """Return the types of some labels, each with one of its labels."""
    found: dict[type, Any] = {}
    for label in labels[:_SOME].tolist():
        # Numbers of different types can be equal.
        found.setdefault(Number if isinstance(label, Number) else type(label), label)
    return found


def _chunks(single: Groups) -> list[tuple[int, int]]:
    """Return the chunks of groups to evaluate, as ranges with about `_CHUNK_ROWS` rows."""
    rows = np.sum([members + pairs for members, pairs in single.cuts.values()], axis=0)
    marks = np.arange(0, int(rows[-1]) + _CHUNK_ROWS, _CHUNK_ROWS)
    bounds = np.unique(np.concatenate([np.searchsorted(rows, marks), [0, rows.size - 1]]))
    return list(pairwise(bounds[bounds < rows.size].tolist()))


@dataclass
class _Work:
    """The columns of an evaluation, filled chunk by chunk."""

    single: Groups
    columns: list[MeasureColumn]
    policy: str

    def __post_init__(self) -> None:
        sides = self.single.sides
        shape = len(self.columns), sides.groups
        self.values = np.full(shape, np.nan)
        self.statuses = np.full(shape, ALONE, dtype=np.uint8)
        if self.policy != "target":
            self.statuses[:, ~sides.predicted.there] = ONLY_TARGET
        self.statuses[:, ~sides.target.there] = ONLY_PREDICTED
        self.sizes = np.zeros(sides.groups, dtype=np.int64)
        self.counts = dict.fromkeys(("both", *SIDES), 0)
        self.rows: dict[ItemRule, list[int]] = {}
        for row, column in enumerate(self.columns):
            self.rows.setdefault(column.rule, []).append(row)
        if any(column.needs_grades for column in self.columns) and sides.target.number is None:
            raise PorankError(
                "expected a target with scores or grades for relevance='grade', found neither"
            )

    def evaluate_chunk(self, first: int, last: int) -> None:
        """Evaluate all measures in a chunk of groups."""
        for rule, rows in self.rows.items():
            aligned = align_groups(self.single, rule, first, last)
            for block in blocks_of(aligned):
                self._evaluate_block(block, rows)
            left = self.statuses[rows, first:last] == ALONE
            for group in (first + np.flatnonzero(left.any(axis=0))).tolist():
                self._evaluate_alone(group, rows)
            if rule == self.columns[0].rule:
                self._count_items(aligned)

    def _count_items(self, aligned: Aligned) -> None:
        """Count the items of a chunk on both sides, in the target and in the prediction."""
        first, last = aligned.first, aligned.first + aligned.compared.size
        self.sizes[first:last] = aligned.compared
        sides = self.single.sides
        on_both = (sides.target.there & sides.predicted.there)[first:last]
        for name, sizes in zip(self.counts, aligned.sizes, strict=True):
            self.counts[name] += int(sizes[on_both].sum())

    def _evaluate_block(self, block: OrderBlock, rows: list[int]) -> None:
        status = self.statuses[rows[0], block.groups]
        is_open = status == ALONE
        if not block.n:
            status[is_open] = EMPTY
        for side, code in ((block.guess, CYCLIC_PREDICTED), (block.truth, CYCLIC_TARGET)):
            if side.is_cyclic is not None:
                status[is_open & side.is_cyclic] = code
        self.statuses[np.array(rows)[:, None], block.groups] = status
        is_open = status == ALONE
        for row in rows if block.n else ():
            column = self.columns[row]
            if column.kernel_options is not None:
                values, statuses = column.values_of(block)
                self.values[row, block.groups] = np.where(is_open, values, np.nan)
                self.statuses[row, block.groups] = np.where(is_open, statuses, status)

    def _evaluate_alone(self, group: int, rows: list[int]) -> None:
        """Evaluate the remaining measures of a group by the functions of two orders."""
        left = [row for row in rows if self.statuses[row, group] == ALONE]
        found = self.single.values(group, [self.columns[row] for row in left])
        for row, (value, code) in zip(left, found, strict=True):
            self.values[row, group], self.statuses[row, group] = value, code

    def result(self, by: tuple[str, ...]) -> Evaluation:
        """Return the evaluation, with 0/0 replaced by the values of `undefined`."""
        for row, column in enumerate(self.columns):
            self._replace_undefined(row, column)
        names = [column.name for column in self.columns]
        groups = dict(zip(by, self.single.sides.by, strict=True))
        status = np.array(STATUSES, dtype=object)[self.statuses.max(axis=0)]
        return Evaluation(
            columns={**groups, **dict(zip(names, self.values, strict=True)), "status": status},
            by=by,
            measures=tuple(names),
            better={column.name: column.measure.better for column in self.columns},
            statuses=dict(zip(names, self.statuses, strict=True)),
            sizes=self.sizes,
            item_counts=self.counts,
            groups=self.single,
            plan=tuple(self.columns),
        )

    def _replace_undefined(self, row: int, column: MeasureColumn) -> None:
        places = np.flatnonzero(self.statuses[row] == UNDEFINED)
        if not isinstance(column.undefined, str):
            self.values[row, places] = float(column.undefined)
        elif places.size:
            group = int(places[0])
            try:
                self.single.measured(group, column)
            except UndefinedError as error:
                where = f"{column.name!r} of {self.single.called(group)}"
                raise UndefinedError(f"{error}, for {where}", why=error.why) from None
