"""Evaluate single groups by the functions of two orders.

`evaluate` does this for large groups, and for measures and options without a kernel.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.compiled_order import compile_if_acyclic, compile_order
from porank.core.graphs import graph_of
from porank.core.scores import Ranks, scores_as_dict
from porank.errors import NotApplicableError, PorankError, UndefinedError
from porank.evaluation.input_sides import called_group
from porank.evaluation.measure_columns import (
    CYCLIC_PREDICTED,
    CYCLIC_TARGET,
    DEFINED,
    EMPTY,
    INAPPLICABLE,
    UNDEFINED,
)
from porank.measures.measure import parameters_of
from porank.orders.algebra import bring_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.evaluation.input_sides import Sides
    from porank.evaluation.measure_columns import ItemRule, MeasureColumn


#: The sides, and the status of a group that has a cycle on that side.
_CYCLIC = {"target": CYCLIC_TARGET, "predicted": CYCLIC_PREDICTED}


def _without_scores(both: tuple[Any, Any]) -> tuple[Any, Any]:
    one, other = (order if isinstance(order, nx.Graph) else compile_order(order) for order in both)
    return one, other


@dataclass
class Groups:
    """The groups of an evaluation, for access to single ones."""

    sides: Sides

    def __post_init__(self) -> None:
        both = (self.sides.target, self.sides.predicted)
        self.rows = dict(zip(_CYCLIC, both, strict=True))
        self.cuts = {name: rows.cut() for name, rows in self.rows.items()}

    def called(self, group: int) -> str:
        """Return the name of a group for an error message."""
        return called_group(self.sides.by, group)

    def stated(self, group: int, name: str, *, numbers: bool = False) -> Any:
        """Return the order of a single group on one side, as a graph or scores."""
        rows = self.rows[name]
        if rows.orders or not rows.there[group]:
            return rows.orders.get(group, graph_of())
        members, pairs = (slice(int(cut[group]), int(cut[group + 1])) for cut in self.cuts[name])
        items = self.sides.items
        if rows.by_height[group]:
            column = rows.number if numbers and rows.number is not None else rows.height
            listed = items[rows.member_item[members]].tolist()
            return dict(zip(listed, column[members].tolist(), strict=True))
        # Members of a table of pairs are those of no pair.
        G = graph_of(items[rows.member_item[members]].tolist())
        both = (items[column[pairs]].tolist() for column in (rows.upper, rows.lower))
        G.add_edges_from(zip(*both, strict=True))
        return G

    def aligned(self, group: int, rule: ItemRule) -> tuple[Any, Any]:
        """Return the two orders of a single group on the compared items."""
        return self._on_same_items(rule, *self._stated_by_both(group, rule))

    def _stated_by_both(self, group: int, rule: ItemRule) -> list[Any]:
        # If irrelevant items get grade 0, the target is compared by its grades.
        by_number = rule.unjudged == "irrelevant"
        return [self.stated(group, name, numbers=by_number) for name in _CYCLIC]

    def _on_same_items(self, rule: ItemRule, target: Any, predicted: Any) -> tuple[Any, Any]:
        orders = [compile_order(order) for order in (target, predicted)]
        items = [order.number for order in orders]
        if items[0].keys() == items[1].keys():
            return target, predicted
        keeps_target, keeps_predicted = rule.kept
        wanted = [item for item in items[0] if keeps_target or item in items[1]]
        wanted += [item for item in items[1] if keeps_predicted and item not in items[0]]
        # The grade of items that a target with grades does not contain.
        irrelevant = None if self.sides.target.number is None else 0
        one, other = (
            bring_to(wanted, *side, missing="below" if is_below else "unordered", number=number)
            for *side, is_below, number in zip(
                (target, predicted), orders, rule.are_below, (irrelevant, None), strict=True
            )
        )
        return one, other

    def values(self, group: int, columns: list[MeasureColumn]) -> list[tuple[float, int]]:
        """Return value and status of each measure in a group; all columns have the same rule."""
        rule = columns[0].rule
        stated = self._stated_by_both(group, rule)
        for order, (name, cyclic) in zip(stated, _CYCLIC.items(), strict=True):
            if compile_if_acyclic(order, name=name) is None:
                return [(math.nan, cyclic)] * len(columns)
        both = _without_scores(self._on_same_items(rule, *stated))
        if not compile_order(both[0]).items:
            return [(math.nan, EMPTY)] * len(columns)
        values = []
        for column in columns:
            try:
                values.append((self.measured(group, column, both), DEFINED))
            except UndefinedError:
                values.append((math.nan, UNDEFINED))
            except NotApplicableError:
                values.append((math.nan, INAPPLICABLE))
        return values

    def measured(
        self, group: int, column: MeasureColumn, both: tuple[Any, Any] | None = None
    ) -> float:
        """Return the value of a measure in a single group."""
        both = both or _without_scores(self.aligned(group, column.rule))
        options = dict(column.options)
        needs_scores = column.measure.needs == "scores" and options.get("relevance") is None
        if needs_scores and self.sides.target.number is None:
            raise NotApplicableError(
                "expected a target with scores or grades, found pairs or ranks"
            )
        items = compile_order(both[0]).items
        if column.reads_numbers and self.sides.target.number is not None:
            stated = self.stated(group, "target", numbers=True)
            if column.needs_grades or not isinstance(stated, (nx.Graph, Ranks)):
                known = scores_as_dict(stated)
                both = {item: known.get(item, 0) for item in items}, both[1]
                if (least := column.least) is not None:
                    both = {item: grade >= least for item, grade in both[0].items()}, both[1]
        if column.needs_grades:
            options["relevance"] = both[0]
        if column.measure.takes_undefined:
            options["undefined"] = "raise"
        lists_nothing = self._cut_list(group, column, options, items)
        try:
            value = column.measure.function(*both, **options)
            return 0.0 if lists_nothing else value
        except (UndefinedError, NotApplicableError):
            raise
        except PorankError as error:
            raise PorankError(f"{error}, for {column.name!r} of {self.called(group)}") from None

    def _cut_list(
        self, group: int, column: MeasureColumn, options: dict[str, Any], items: Iterable[Any]
    ) -> bool:
        """Limit the options to the retrieved items, and return whether the list is empty."""
        function = column.measure.function
        if not column.judges_lists:
            return False
        known = compile_order(self.stated(group, "predicted")).number
        listed = sum(item in known for item in items)
        if "retrieved" in parameters_of(function):
            options["retrieved"] = listed
            return False
        options["k"] = max(1, min(listed, options.get("k") or listed))
        return not listed
