"""The rules by their names, and rules of one's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from inspect import signature
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.build.clicks import (
    asks_for,
    click_over_earlier_click,
    click_over_no_click_next,
    click_over_skip_above,
    click_over_skip_previous,
    dwell,
    last_click_over_skip_above,
    levels,
)
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from porank.build.clicks import EntryPairs, Rule
    from porank.build.logs.sessions import Event, Sessions
    from porank.typing import Item, Numbers

RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        levels,
        dwell,
        click_over_skip_above,
        last_click_over_skip_above,
        click_over_earlier_click,
        click_over_skip_previous,
        click_over_no_click_next,
    )
}
#: What a rule that does not say which columns it reads is given, where they are there.
_ALL = ("event", "position", "time", "dwell")


class NamedRule(NamedTuple):
    """A rule, what it is called in messages, and the columns that it reads."""

    name: str
    function: Rule
    needs: tuple[str, ...]
    wishes: tuple[str, ...]

    def pairs(self, sessions: Sessions) -> EntryPairs:
        """Return the pairs of a rule; those of a stranger are looked at first."""
        found = self.function(sessions)
        return found if self.is_ours else _checked(found, sessions, self.name)

    @property
    def is_about_sequence(self) -> bool:
        """Whether it matters to the rule in which sequence things happened."""
        return "time" in self.needs + self.wishes and _innermost(self.function) is not dwell

    @property
    def is_ours(self) -> bool:
        """Whether it is one of the rules that names stand for."""
        return _innermost(self.function) in RULES.values()


def rules_of(rule: Any) -> list[NamedRule]:
    """Return the rules that a name, a function, or several of them stand for.

    Examples
    --------
    >>> [(rule.name, rule.needs) for rule in rules_of(["levels", click_over_skip_above])]
    [('levels', ('event',)), ('click_over_skip_above', ('event', 'position'))]
    >>> rules_of("level")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a function or one of 'levels', 'dwell',
    'click_over_skip_above', 'last_click_over_skip_above', 'click_over_earlier_click',
    'click_over_skip_previous', 'click_over_no_click_next' as rule, found 'level'
    """
    several = rule if isinstance(rule, Iterable) and not isinstance(rule, str) else [rule]
    named = [_named(one) for one in several]
    if not named:
        raise PorankError("expected at least one rule, found none")
    return named


def _named(rule: Any) -> NamedRule:
    function = RULES.get(rule) if isinstance(rule, str) else rule
    if not callable(function):
        raise PorankError(f"expected a function or one of {listed(RULES)} as rule, found {rule!r}")
    inner = _innermost(function)
    if isinstance(function, partial):
        _require_options(function, inner)
    name = getattr(inner, "__name__", type(inner).__name__)
    return NamedRule(name, function, getattr(inner, "needs", ()), getattr(inner, "wishes", _ALL))


def _require_options(function: Any, inner: Any) -> None:
    """Raise an error if a rule does not take what it is given besides the sessions."""
    try:
        signature(function).bind(None)
    except (TypeError, ValueError):
        own = listed([*signature(inner).parameters][1:]) or "no options"
        name = getattr(inner, "__name__", type(inner).__name__)
        given = ", ".join(
            [*map(repr, function.args), *map("{0[0]}={0[1]!r}".format, function.keywords.items())]
        )
        raise PorankError(f"expected {own} for the rule {name}, found {given}") from None


def _innermost(function: Any) -> Any:
    while isinstance(function, partial):
        function = function.func
    return function


def per_session(
    function: Callable[[list[Event]], Iterable[tuple[Item, Item]]],
) -> Callable[[Sessions], tuple[Numbers, Numbers]]:
    """Return the rule that asks a function about each session in turn.

    Parameters
    ----------
    function : callable
        Takes the events of a session in the order of time, each with its ``item``, ``event``,
        ``position``, ``time`` and ``dwell`` (None where the log does not tell), and returns pairs
        (preferred, other) of items of the session.

    Returns
    -------
    callable
        A rule for `preference_pairs` and `from_log`.

    Raises
    ------
    PorankError
        By the rule, when the function returns no such pairs.

    Examples
    --------
    >>> from porank.build.preference_pairs import preference_pairs
    >>> def last_over_first(events):
    ...     return [(events[-1].item, events[0].item)]
    >>> log = {"session": [7, 7, 7], "item": ["A", "B", "C"], "time": [3, 1, 2]}
    >>> list(preference_pairs(log, rule=per_session(last_over_first)))
    [(7, 'A', 'B', 1)]

    Notes
    -----
    Time O(events) calls and rows of Python, some twenty times more than by a rule that works on
    arrays as those in ``porank.build.clicks`` do. The function sees every event, also what is said
    again.
    """
    if not callable(function):
        raise PorankError(f"expected a function of the events of a session, found {function!r}")

    @asks_for(wishes=_ALL)
    def rule(sessions: Sessions) -> tuple[Numbers, Numbers]:
        pairs = list(
            chain.from_iterable(
                _entries_of(function(events), entries.tolist(), events)
                for entries, events in sessions.each()
            )
        )
        found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    rule.__name__ = getattr(function, "__name__", "per_session")
    return rule


def _entries_of(
    pairs: Any, entries: Sequence[int], events: Sequence[Event]
) -> Iterable[tuple[int, int]]:
    """Return the pairs of items as pairs of entries."""
    entry_of = dict(zip((event.item for event in events), entries, strict=True))
    try:
        return [(entry_of[preferred], entry_of[other]) for preferred, other in pairs]
    except (TypeError, ValueError, KeyError):
        raise PorankError(
            "expected pairs (preferred, other) of items of the session from the rule, "
            f"found {pairs!r} for {listed(entry_of)}"
        ) from None


def _checked(found: Any, sessions: Sessions, name: str) -> EntryPairs:
    """Return the two arrays of a rule if they name pairs of entries of one session."""
    try:
        preferred, other = (np.asarray(entries) for entries in found)
    except (TypeError, ValueError):
        preferred, other = np.array("?"), np.array("?")
    is_numbers = all(
        array.ndim == 1 and (array.dtype.kind in "iu" or not array.size)
        for array in (preferred, other)
    )
    if not is_numbers or preferred.size != other.size:
        raise PorankError(
            "expected two arrays of entries of equal length, (preferred, other), from the rule "
            f"{name}, found {found!r}; per_session(f) makes a rule of a function of one session"
        )
    preferred, other = preferred.astype(np.int64), other.astype(np.int64)
    both = np.concatenate([preferred, other])
    if both.size and (both.min() < 0 or both.max() >= len(sessions)):
        raise PorankError(
            f"expected entries from 0 to {len(sessions) - 1} from the rule {name}, "
            f"found {both.min()} to {both.max()}"
        )
    is_wrong = (sessions.session[preferred] != sessions.session[other]) | (preferred == other)
    if is_wrong.any():
        first = int(np.argmax(is_wrong))
        u, v = (sessions.items[sessions.item[side[first]]] for side in (preferred, other))
        raise PorankError(
            f"expected pairs of two items of one session from the rule {name}, "
            f"found {u!r} and {v!r}{' of another session' if u != v else ''}"
        )
    return preferred, other
