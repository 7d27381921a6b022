"""The measures of an evaluation with their options, and the statuses of their values.

Most measures have one kernel, declared at their function, for two orders and for many groups.
Because floats are summed in a different order for many groups, values can differ by up to 1e-12.
Groups with status `ALONE`, and all groups if there is no kernel with the options, are left to the
function of two orders.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.evaluation.batch_orders import BlockSide, OrderBlock
from porank.measures.catalogue import MEASURES, changed_options
from porank.measures.measure import parameters_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.measures.measure import Measure


#: Statuses of a value: defined, 0/0, or the measure does not apply to the orders.
DEFINED, UNDEFINED, INAPPLICABLE = range(3)
#: Statuses of a group that cannot be evaluated.
EMPTY, CYCLIC_TARGET, CYCLIC_PREDICTED, ONLY_TARGET, ONLY_PREDICTED = range(3, 8)
#: Status of a group that a kernel leaves to the function of two orders.
ALONE = 255
#: The names of the statuses, by their numbers.
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
#: The value of the option `relevance` that stands for the numbers of the target.
GRADE = "grade"


class ItemRule(NamedTuple):
    """How to treat items that are only in the target, and items that are only in the prediction."""

    unlisted: str
    unjudged: str

    @property
    def kept(self) -> tuple[bool, bool]:
        """Whether items of the target only, and of the prediction only, are compared."""
        return self.unlisted != "dropped", self.unjudged != "dropped"

    @property
    def are_below(self) -> tuple[bool, bool]:
        """Whether missing items are put last in the target, and in the prediction."""
        return self.unjudged == "irrelevant", self.unlisted in ("unretrieved", "last")


@dataclass(frozen=True)
class MeasureColumn:
    """A column of an evaluation: a measure with its options."""

    name: str
    measure: Measure
    options: dict[str, Any]
    undefined: Any
    rule: ItemRule
    #: The least grade of relevant items, if the measure is one of relevant and other items.
    least: float | None = None

    @cached_property
    def kernel_options(self) -> dict[str, Any] | None:
        """The options for many groups at once, or None if only the function of two orders does."""
        entry, needs_no_items = MEASURES[self.measure.name], self.options.get("relevance") is None
        changed = changed_options(entry, self.options)
        has_kernel = entry.formula is not None or entry.kernel is not None
        if (
            has_kernel
            and changed.keys() <= entry.accepted
            and (needs_no_items or self.needs_grades)
        ):
            return {**entry.options, **changed}
        return None

    def values_of(self, block: OrderBlock) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
        """Return the values of a measure with a kernel in a block of groups, and their statuses.

        A value is undefined if its denominator is 0. If the numerator is nan, the group is left to
        the function of two orders.
        """
        if self.least is not None and block.truth.number is not None:
            relevant = np.where(block.truth.number >= self.least, 1, 0)
            truth = BlockSide(block.truth.groups, block.n, None, None, heights=relevant)
            truth.levels = relevant.max(axis=1, keepdims=True, initial=0) - relevant
            block = OrderBlock(block.groups, truth, block.guess, block.listed)
        numerator, denominator = self.measure.parts(block, **(self.kernel_options or {}))
        is_void = denominator == 0
        quotients = numerator / np.where(is_void, 1, denominator)
        # Relevance takes the place of scores and levels.
        applies = self.needs_grades or self.measure.applies_to(block)
        status = np.where(np.isnan(numerator), ALONE, np.where(is_void, UNDEFINED, DEFINED))
        status = np.where(applies, status, INAPPLICABLE).astype(np.uint8)
        return np.where(status == DEFINED, quotients, np.nan), status

    @property
    def is_of_lists(self) -> bool:
        """Whether the measure is one of lists, which has an option `k` or `retrieved`."""
        return not {"k", "retrieved"}.isdisjoint(parameters_of(self.measure.function))

    @property
    def judges_lists(self) -> bool:
        """Whether the measure only looks at where the target's items are in the predicted list."""
        return self.is_of_lists and self.rule.unlisted == "unretrieved"

    @property
    def needs_grades(self) -> bool:
        """Whether the measure uses the numbers of the target as relevance."""
        relevance = self.options.get("relevance")
        return isinstance(relevance, str) and relevance == GRADE

    @property
    def reads_numbers(self) -> bool:
        """Whether the value depends on the numbers of the target, beyond its order."""
        gain, relevance = self.options.get("gain", GRADE), self.options.get("relevance")
        is_usual = self.measure.reads_scores and (gain, relevance) == (GRADE, None)
        return self.needs_grades or is_usual or self.least is not None
