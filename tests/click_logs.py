"""Ask a function of logs with the options of reading and its own together."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from porank import ClickLog

if TYPE_CHECKING:
    from collections.abc import Callable

_READING = {*inspect.signature(ClickLog).parameters} - {"source"}


def what_pairs_say(pairs: Any) -> tuple[Any, ...]:
    """Return all that preference pairs hold, as plain values."""
    return pairs.keys(), [*pairs], pairs.items, pairs.counts, pairs.problems


def asked(function: Callable[..., Any], log: Any, **options: Any) -> Any:
    """Return what a function says of a log, read with those of the options that say how."""
    reading = {name: options.pop(name) for name in _READING & options.keys()}
    return function(ClickLog(log, **reading) if reading else log, **options)
