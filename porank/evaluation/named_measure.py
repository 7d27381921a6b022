"""A measure by its name or its function, with its options, ready to be called."""

from __future__ import annotations

import math
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any

from porank.errors import PorankError, listed
from porank.measures.catalogue import find_measure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from porank.measures.measure import Measure


_ORDERS = ("target", "predicted")


def named_measure(measure: str | Callable[..., float], options: Mapping[str, Any]) -> Measure:
    """Return the entry of a measure, these options being its own.

    Examples
    --------
    >>> found = named_measure("kendall_distance", {"normalized": True})
    >>> found([2, 1], [1, 2]), found.better
    (1.0, 'lower')
    >>> named_measure("gamma", {"k": 3})
    Traceback (most recent call last):
    porank.errors.PorankError: expected 'undefined' as options of gamma, found 'k'
    """
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
    """Return the options with nan for 0/0 where an error is asked for.

    Examples
    --------
    >>> not_raising({"undefined": "raise"}), not_raising({"undefined": 0})
    ({'undefined': nan}, {'undefined': 0})
    """
    is_raising = isinstance(options.get("undefined"), str)
    return {**options, "undefined": math.nan} if is_raising else dict(options)
