"""The work of an evaluation: columns of results, filled chunk by chunk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from porank.errors import PorankError, UndefinedError
from porank.evaluation.alignment import align_groups
from porank.evaluation.closures import MOST_ITEMS, blocks_of, close_pairs
from porank.evaluation.evaluation import Evaluation
from porank.evaluation.statuses import (
    ALONE,
    CYCLIC_PREDICTED,
    CYCLIC_TARGET,
    DEFINED,
    EMPTY,
    ONLY_PREDICTED,
    ONLY_TARGET,
    STATUSES,
    UNDEFINED,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from porank.evaluation.alignment import Aligned
    from porank.evaluation.blocks import Block
    from porank.evaluation.plan import Column
    from porank.evaluation.single import Groups


@dataclass
class Work:
    """The columns of results, filled chunk by chunk."""

    single: Groups
    columns: list[Column]
    policy: str

    def __post_init__(self) -> None:
        sides = self.single.sides
        self.values = {column.name: np.full(sides.groups, np.nan) for column in self.columns}
        self.statuses = {
            column.name: np.zeros(sides.groups, dtype=np.uint8) for column in self.columns
        }
        self.group_status = self._statuses_of_policy()
        self.sizes = np.zeros(sides.groups, dtype=np.int64)
        self.again = {"target": 0, "predicted": 0}
        if any(column.needs_grades for column in self.columns) and sides.target.number is None:
            raise PorankError(
                "expected a target with grades or scores for relevance='grade', found none"
            )

    def _statuses_of_policy(self) -> NDArray[np.uint8]:
        sides = self.single.sides
        status = np.full(sides.groups, DEFINED, dtype=np.uint8)
        only = ~sides.predicted.there, ~sides.target.there
        if self.policy == "error":
            require_same_groups(*only, self.single.called)
        if self.policy == "both":
            status[only[0]] = ONLY_TARGET
        status[only[1]] = ONLY_PREDICTED
        return status

    def evaluate_chunk(self, first: int, last: int) -> None:
        """Work out all measures for some groups."""
        single = self.single
        aligned = align_groups(
            single.sides, first, last, items=single.items, cuts=single.cuts, called=single.called
        )
        target = close_pairs(aligned, aligned.target)
        predicted = close_pairs(aligned, aligned.predicted)
        self.again["target"] += target.again
        self.again["predicted"] += predicted.again
        status = self.group_status[first:last]
        self.sizes[first:last] = aligned.compared
        found = (
            (target.is_cyclic, CYCLIC_TARGET),
            (predicted.is_cyclic, CYCLIC_PREDICTED),
            (aligned.compared == 0, EMPTY),
        )
        is_large = target.is_large | predicted.is_large | (aligned.compared > MOST_ITEMS)
        for flags, code in found:
            # Whether a large group has a cycle is seen when it is looked at alone.
            status[(status == DEFINED) & flags & ~is_large] = code
        is_open = status == DEFINED
        for block in blocks_of(aligned, target, predicted, np.flatnonzero(is_open & ~is_large)):
            self._evaluate_block(block)
        for group in (first + np.flatnonzero(is_open & is_large)).tolist():
            self._evaluate_alone(group, self.columns)
        self._evaluate_left_alone(aligned, is_open & ~is_large)

    def _evaluate_block(self, block: Block) -> None:
        for column in self.columns:
            if column.kernel is None:
                self.statuses[column.name][block.groups] = ALONE
                continue
            found = column.kernel(block, **column.options)
            self.values[column.name][block.groups] = found.values
            self.statuses[column.name][block.groups] = found.statuses

    def _evaluate_left_alone(self, aligned: Aligned, is_open: NDArray[np.bool_]) -> None:
        """Give the functions of two orders what the kernels left to them."""
        chosen = slice(aligned.first, aligned.first + is_open.size)
        left = {column.name: self.statuses[column.name][chosen] == ALONE for column in self.columns}
        some = np.zeros(is_open.size, dtype=bool)
        for flags in left.values():
            some |= flags
        for place in np.flatnonzero(some).tolist():
            wanted = [column for column in self.columns if left[column.name][place]]
            self._evaluate_alone(aligned.first + place, wanted)

    def _evaluate_alone(self, group: int, columns: list[Column]) -> None:
        status, found = self.single.values(group, columns)
        self.group_status[group] = status
        for column, (value, code) in zip(columns, found, strict=True):
            self.values[column.name][group] = value
            self.statuses[column.name][group] = code

    def result(self, by: tuple[str, ...]) -> Evaluation:
        """Return the evaluation, 0/0 replaced by what the caller wants."""
        overall = self.group_status.copy()
        is_evaluated = self.group_status == DEFINED
        for column in self.columns:
            statuses = self.statuses[column.name]
            statuses[~is_evaluated] = self.group_status[~is_evaluated]
            self._replace_undefined(column)
            np.maximum(overall, statuses, out=overall)
        groups = dict(zip(by, self.single.sides.by, strict=True))
        status = np.array(STATUSES, dtype=object)[overall]
        return Evaluation(
            columns={**groups, **self.values, "status": status},
            by=by,
            measures=tuple(self.values),
            better={column.name: column.measure.better for column in self.columns},
            statuses=self.statuses,
            sizes=self.sizes,
            duplicates=self.again,
            groups=self.single,
            plan=tuple(self.columns),
        )

    def _replace_undefined(self, column: Column) -> None:
        places = np.flatnonzero(self.statuses[column.name] == UNDEFINED)
        if isinstance(column.undefined, str) and places.size:
            group = int(places[0])
            try:
                self.single.measured(group, column)
            except UndefinedError as error:
                where = f"{column.name!r} of {self.single.called(group)}"
                raise UndefinedError(f"{error}, {where}", why=error.why) from None
        if not isinstance(column.undefined, str):
            self.values[column.name][places] = float(column.undefined)


def require_same_groups(
    only_target: NDArray[np.bool_], only_predicted: NDArray[np.bool_], called: Callable[[int], str]
) -> None:
    """Raise an error if groups are on one side only.

    Examples
    --------
    >>> require_same_groups(np.array([False, True]), np.array([False, False]), "group {}".format)
    Traceback (most recent call last):
    porank.errors.PorankError: expected the same groups on both sides, found 1 only in target,
    group 1 the first; groups='both' counts them
    """
    for name, flags in (("target", only_target), ("predicted", only_predicted)):
        if flags.any():
            first = called(int(np.argmax(flags)))
            raise PorankError(
                f"expected the same groups on both sides, found {np.count_nonzero(flags):,} only "
                f"in {name}, {first} the first; groups='both' counts them"
            )
