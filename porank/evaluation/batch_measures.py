"""Compute measures of many groups at once, with the same values as the functions of two orders.

Most measures have one kernel, in the catalogue, for two orders and for many groups. The kernels
below are for measures of lists and gains, which depend on the length of the list and on the numbers
of the target. Because they sum floats in a different order than the functions of two orders, values
can differ by up to 1e-12.

`kernel_of` returns the kernel of a measure with its options. If there is none, and for groups with
status `ALONE`, `evaluate` calls the function of two orders.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.evaluation.single_groups import ALONE, GRADE, INAPPLICABLE, UNDEFINED
from porank.measures.catalogue import MEASURES, changed_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from porank.evaluation.batch_orders import OrderBlock
    from porank.measures.measure import Measure


class _GroupValues(NamedTuple):
    """Values of one measure in some groups, and their statuses."""

    values: NDArray[np.float64]
    statuses: NDArray[np.uint8]

    def where(self, applies: NDArray[np.bool_], other: int = INAPPLICABLE) -> _GroupValues:
        """Return the same values, with nan and another status where the measure does not apply."""
        return _GroupValues(
            np.where(applies, self.values, np.nan),
            np.where(applies, self.statuses, np.uint8(other)),
        )


def kernel_of(measure: Measure) -> Callable[[OrderBlock], _GroupValues] | None:
    """Return the kernel of a measure with its options, or None if there is none."""
    changed = changed_options(MEASURES[measure.name], measure.options)
    options = {**MEASURES[measure.name].options, **changed}
    has_kernel = measure.formula is not None or measure.kernel is not None
    if not has_kernel or not changed.keys() <= measure.accepted:
        return None
    relevance = options.get("relevance")
    if relevance is not None and not (isinstance(relevance, str) and relevance == GRADE):
        return None
    entry = measure if relevance is None else replace(measure, needs="any")
    return partial(_found, measure=entry, options=options)


def _found(block: OrderBlock, *, measure: Measure, options: dict[str, Any]) -> _GroupValues:
    """Return the values of a measure in a batch, with their statuses.

    A value is undefined if its denominator is 0. If the numerator is nan, the group is left to the
    function of two orders.
    """
    numerator, denominator = measure.parts(block, **options)
    is_void = denominator == 0
    quotients = numerator / np.where(is_void, 1, denominator)
    floats = np.where(is_void, np.nan, quotients.astype(np.float64, copy=False))
    statuses = np.full(floats.shape, is_void, dtype=np.uint8) * UNDEFINED
    found = _GroupValues(floats, statuses).where(~np.isnan(numerator), ALONE)
    return found if measure.needs == "any" else found.where(measure.applies_to(block))
