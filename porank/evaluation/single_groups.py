"""One group at a time: its two orders as graphs or scores, and the functions of two orders.

It is the way for large groups, and for what the arrays of `porank.evaluation.batch_measures` leave
alone. The numbers and texts of statuses, of a group and of a measure in it, stand here, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.compiled_order import compile_if_acyclic, compile_order, scores_as_dict
from porank.errors import NotApplicableError, PorankError, UndefinedError
from porank.evaluation.input_tables import called_group
from porank.orders.algebra import align

if TYPE_CHECKING:
    from collections.abc import Callable

    from porank.evaluation.input_orders import Sides
    from porank.measures.measure import Measure


#: A value; 0/0; a measure that does not take such orders.
DEFINED, UNDEFINED, INAPPLICABLE = range(3)
#: What keeps a whole group from being evaluated.
EMPTY, CYCLIC_TARGET, CYCLIC_PREDICTED, ONLY_TARGET, ONLY_PREDICTED = range(3, 8)
#: A kernel leaves the group to the function of two orders.
ALONE = 255
#: The statuses as texts, by their numbers.
STATUSES = (
    "defined",
    "undefined",
    "inapplicable",
    "empty",
    "cyclic target",
    "cyclic predicted",
    "only in target",
    "only in predicted",
)
#: The name of the target's own numbers as relevance.
GRADE = "grade"
#: The policy for items -> how `align` calls it.
_HOW = {"both": "intersection", "target": "target", "error": "intersection"}
#: The sides, and the status of a group that has a cycle there.
_CYCLIC = {"target": CYCLIC_TARGET, "predicted": CYCLIC_PREDICTED}


@dataclass(frozen=True)
class MeasureColumn:
    """A measure with its options in a column of an evaluation."""

    name: str
    measure: Measure
    options: dict[str, Any]
    undefined: Any
    #: What finds the values in a block of groups, None if the function of two orders alone can.
    kernel: Callable[[Any], Any] | None

    @property
    def needs_grades(self) -> bool:
        """Whether the numbers of the target themselves are asked for."""
        relevance = self.options.get("relevance")
        return isinstance(relevance, str) and relevance == GRADE


@dataclass
class Groups:
    """The groups of an evaluation, to be looked at one by one."""

    sides: Sides
    items: str

    def __post_init__(self) -> None:
        both = (self.sides.target, self.sides.predicted)
        self.rows = dict(zip(_CYCLIC, both, strict=True))
        self.cuts = {name: rows.cut() for name, rows in self.rows.items()}

    def called(self, group: int) -> str:
        """Return what to call a group of the evaluation in an error."""
        return called_group(self.sides.by, group)

    def stated(self, group: int, name: str, *, numbers: bool = False) -> Any:
        """Return what a side states of a single group: a graph or scores."""
        rows = self.rows[name]
        if rows.orders or not rows.there[group]:
            return rows.orders.get(group, nx.DiGraph())
        members, pairs = (slice(int(cut[group]), int(cut[group + 1])) for cut in self.cuts[name])
        items = self.sides.items
        if rows.by_height[group]:
            column = rows.number if numbers and rows.number is not None else rows.height
            listed = items.of(rows.member_item[members]).tolist()
            return dict(zip(listed, column[members].tolist(), strict=True))
        both = (items.of(column[pairs]).tolist() for column in (rows.upper, rows.lower))
        return nx.DiGraph(list(zip(*both, strict=True)))

    def aligned(self, group: int, *, numbers: bool = False) -> tuple[Any, Any]:
        """Return the two orders of a single group on the items that are compared."""
        return self._on_same_items(*(self.stated(group, name, numbers=numbers) for name in _CYCLIC))

    def _on_same_items(self, target: Any, predicted: Any) -> tuple[Any, Any]:
        items = [set(compile_order(order).items) for order in (target, predicted)]
        if items[0] == items[1]:
            return target, predicted
        return align(target, predicted, how=_HOW[self.items])

    def values(
        self, group: int, columns: list[MeasureColumn]
    ) -> tuple[int, list[tuple[float, int]]]:
        """Return the status of a group, and value and status of each measure in it."""
        stated = [self.stated(group, name) for name in _CYCLIC]
        for order, (name, cyclic) in zip(stated, _CYCLIC.items(), strict=True):
            if compile_if_acyclic(order, name=name) is None:
                return cyclic, [(math.nan, cyclic)] * len(columns)
        both = self._on_same_items(*stated)
        if not compile_order(both[0]).items:
            return EMPTY, [(math.nan, EMPTY)] * len(columns)
        target, predicted = (o if isinstance(o, nx.Graph) else compile_order(o) for o in both)
        return DEFINED, [self._value(group, column, (target, predicted)) for column in columns]

    def _value(self, group: int, column: MeasureColumn, both: tuple[Any, Any]) -> tuple[float, int]:
        try:
            return self.measured(group, column, both), DEFINED
        except UndefinedError:
            return math.nan, UNDEFINED
        except NotApplicableError:
            return math.nan, INAPPLICABLE

    def measured(
        self, group: int, column: MeasureColumn, both: tuple[Any, Any] | None = None
    ) -> float:
        """Return the value of a measure in a single group."""
        options = dict(column.options)
        needs_scores = column.measure.needs == "scores" and options.get("relevance") is None
        if needs_scores and self.sides.target.number is None:
            raise NotApplicableError(
                "expected the scores of the target, found pairs or ranks, which are none; give "
                "grades or scores"
            )
        if both is None or column.measure.needs == "scores" or column.needs_grades:
            both = self.aligned(group, numbers=True)
        if column.needs_grades:
            options["relevance"] = scores_as_dict(both[0])
        if options.get("k") is not None:
            options["k"] = min(options["k"], len(compile_order(both[0]).items))
        if column.measure.takes_undefined:
            options["undefined"] = "raise"
        try:
            return column.measure.function(*both, **options)
        except (UndefinedError, NotApplicableError):
            raise
        except PorankError as error:
            raise PorankError(f"{error}, {column.name!r} of {self.called(group)}") from None
