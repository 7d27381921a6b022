"""Which measures are to be evaluated: names or functions, their columns and their options.

`read_measures` reads what `evaluate` is given, `named_measure` a single measure. Options are those
of the functions of two orders, checked by `porank.measures.options`; nothing is measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any

from porank.errors import PorankError, listed
from porank.evaluation.batch_measures import kernel_of
from porank.evaluation.single_groups import MeasureColumn
from porank.measures.catalogue import find_measure
from porank.measures.measure import require_choice
from porank.measures.options import require_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from porank.measures.measure import Measure


#: The measures that are taken where none are named.
USUAL = ("gamma", "completeness", "kendall_tau", "jaccard", "edrc")
#: Options that speak of single items, which are others in each group.
OF_ITEMS = {"weights", "relevance", "prior", "dissimilarity", "position_costs"}


def read_measures(measures: Any, *, undefined: Any = math.nan) -> list[MeasureColumn]:
    """Return the columns of measures that the argument `measures` of `evaluate` asks for."""
    _require_undefined(undefined)
    columns = [
        _column(name, measure, options, undefined) for name, measure, options in _entries(measures)
    ]
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


def _entries(measures: Any) -> list[tuple[str, Any, Mapping[str, Any]]]:
    """Return name of column, measure and options of each entry of `measures`."""
    if isinstance(measures, str) or callable(measures):
        measures = [measures]
    if isinstance(measures, Mapping):
        return [_named_entry(name, entry) for name, entry in measures.items()]
    if not isinstance(measures, Iterable):
        raise PorankError(
            "expected names of measures, or a mapping of columns to them, as measures, "
            f"found {measures!r}"
        )
    entries: list[tuple[str, Any, Mapping[str, Any]]] = []
    for measure in measures:
        if not isinstance(measure, str) and not callable(measure):
            raise PorankError(
                f"expected the name of a measure, found {measure!r}; options stand in a mapping, "
                "{'ndcg@10': ('ndcg', {'k': 10})}"
            )
        entries.append((find_measure(measure).name, measure, {}))
    return entries


def _named_entry(name: Any, entry: Any) -> tuple[str, Any, Mapping[str, Any]]:
    if not isinstance(name, str):
        raise PorankError(f"expected a text as name of a column of measures, found {name!r}")
    if isinstance(entry, str) or callable(entry):
        return name, entry, {}
    is_pair = isinstance(entry, (tuple, list)) and len(entry) == 2
    if not is_pair or not isinstance(entry[1], Mapping):
        raise PorankError(f"expected a name or (name, options) for {name!r}, found {entry!r}")
    return name, entry[0], entry[1]


def _column(name: str, measure: Any, given: Mapping[str, Any], undefined: Any) -> MeasureColumn:
    entry = named_measure(measure, given)
    options = dict(entry.options)
    undefined = options.pop("undefined", undefined)
    _require_undefined(undefined)
    try:
        require_options(entry.function.__name__, **options)
    except PorankError as error:
        raise PorankError(f"{error}, option of {name!r}") from None
    return MeasureColumn(name, entry, options, undefined, kernel_of(entry))


_ORDERS = ("target", "predicted")


def named_measure(measure: str | Callable[..., float], options: Mapping[str, Any]) -> Measure:
    """Return the measure with a name or function and these options, or raise an error."""
    entry = find_measure(measure, options)
    allowed = [name for name in signature(entry.function).parameters if name not in _ORDERS]
    unknown = [option for option in options if option not in allowed]
    if unknown:
        raise PorankError(
            f"expected {listed(allowed) or 'no options'} as options of {entry.name}, "
            f"found {listed(unknown)}"
        )
    return replace(entry, options={**entry.options, **options})


def not_raising(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a measure with nan for 0/0 where an error is asked for."""
    is_raising = isinstance(options.get("undefined"), str)
    return {**options, "undefined": math.nan} if is_raising else dict(options)
