"""The events of a log, from the strongest to a mere showing."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from porank.errors import PorankError


def read_events(events: Any) -> tuple[list[Any], dict[Any, int]]:
    """Return a name for each level, and the level of each event.

    Examples
    --------
    >>> read_events(["purchase", ("click", "tap"), "view"])
    (['purchase', 'click', 'view'], {'purchase': 0, 'click': 1, 'tap': 1, 'view': 2})
    """
    if isinstance(events, (str, bytes, Mapping)) or not isinstance(events, Sequence):
        raise PorankError(
            f"expected a sequence of events, strongest first, as events, found {events!r}"
        )
    level: dict[Any, int] = {}
    for number, event in enumerate(events):
        for name in event if isinstance(event, (tuple, list)) else [event]:
            if not isinstance(name, Hashable) or name in level:
                raise PorankError(f"expected each event once in events, found again: {name!r}")
            level[name] = number
    if len(events) < 2 or len(set(level.values())) < len(events):
        raise PorankError(
            "expected at least two levels of events, none of them empty, as events, "
            f"found {events!r}"
        )
    return [event[0] if isinstance(event, (tuple, list)) else event for event in events], level
