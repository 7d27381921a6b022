"""Which measures are to be evaluated: names or functions, their columns and their options.

`read_measures` reads what `evaluate` is given. Options are those of the functions of two orders,
checked by `porank.measures.options`; nothing is measured.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from porank.errors import PorankError, listed
from porank.evaluation.batch_measures import kernel_of
from porank.evaluation.single_groups import MeasureColumn
from porank.measures.catalogue import measure_entries
from porank.measures.measure import require_choice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from porank.measures.measure import Measure


#: The measures that are taken where none are named.
USUAL = ("gamma", "completeness", "kendall_tau", "jaccard", "edrc")
#: Options that speak of single items, which are others in each group.
OF_ITEMS = {"weights", "relevance", "prior", "dissimilarity", "position_costs"}


def read_measures(measures: Any, *, undefined: Any = math.nan) -> list[MeasureColumn]:
    """Return the columns of measures that the argument `measures` of `evaluate` asks for."""
    columns = [_column(*entry, undefined) for entry in measure_entries(measures)]
    if not columns:
        raise PorankError("expected at least one measure, found none")
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        raise PorankError(f"expected each measure once, found again: {listed(twice)}")
    return columns


def _require_undefined(undefined: Any) -> None:
    """Raise an error for a value of `undefined` that is no choice, or makes means infinite."""
    require_choice(undefined)
    if not isinstance(undefined, str) and math.isinf(undefined):
        raise PorankError(
            f"expected a finite number, nan or 'raise' as undefined, found {undefined!r}"
        )


def _column(name: str, entry: Measure, undefined: Any) -> MeasureColumn:
    options = dict(entry.options)
    undefined = options.pop("undefined", undefined)
    _require_undefined(undefined)
    return MeasureColumn(name, entry, options, undefined, kernel_of(entry))


def not_raising(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a measure with nan for 0/0 where an error is asked for."""
    is_raising = isinstance(options.get("undefined"), str)
    return {**options, "undefined": math.nan} if is_raising else dict(options)
