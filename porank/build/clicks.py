"""From what people do in a session to what they prefer: one function for each rule.

A rule takes `porank.build.logs.sessions.Sessions` and returns two arrays of entries of one length:
entry ``preferred[i]`` is preferred to entry ``other[i]`` of the same session. An entry is an item
of a session; it is *clicked* when the log says more of it than that it was shown (a purchase counts
as a click, and of several clicks on an item the last one counts), and *skipped* when the log says
no more. Items of which a session says nothing have no entry, and no rule speaks of them.

References
----------
* T. Joachims, "Optimizing search engines using clickthrough data", KDD 2002, pp. 133-142.
  https://doi.org/10.1145/775047.775067
* T. Joachims, L. Granka, B. Pan, H. Hembrooke, G. Gay, "Accurately interpreting clickthrough
  data as implicit feedback", SIGIR 2005, pp. 154-161. https://doi.org/10.1145/1076034.1076063
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from porank.build.logs.entry_pairs import (
    each_over,
    each_over_one,
    first_within,
    neighbours,
    over_skipped_above,
    starts_of,
)
from porank.build.logs.spent import time_spent
from porank.core.arguments import require_amount
from porank.core.arrays import grouped, run_starts

if TYPE_CHECKING:
    from porank.build.logs.sessions import Sessions
    from porank.typing import Numbers

#: Two arrays of entries: each of the first is preferred to the one beside it in the second.
EntryPairs: TypeAlias = tuple["Numbers", "Numbers"]
Rule: TypeAlias = Callable[["Sessions"], EntryPairs]
F = TypeVar("F", bound=Callable[..., Any])


def asks_for(*needs: str, wishes: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Return a decorator that tells which columns a rule reads.

    Parameters
    ----------
    *needs : str
        Columns without which the rule says nothing: a log that lacks one is refused.
    wishes : tuple of str
        Columns that the rule reads where they are there.

    Examples
    --------
    >>> @asks_for("event", "position", wishes=("time",))
    ... def first_over_rest(sessions):
    ...     ...
    >>> first_over_rest.needs, first_over_rest.wishes
    (('event', 'position'), ('time',))
    """

    def mark(function: F) -> F:
        vars(function).update(needs=needs, wishes=wishes)
        return function

    return mark


@asks_for("event")
def levels(sessions: Sessions) -> EntryPairs:
    """Prefer every item of a session at a higher level to every item at a lower one.

    The level of an item is its strongest event: with ``events=("purchase", "click", "view")``, what
    was bought is preferred to what was clicked, and both to what was shown and left.

    Examples
    --------
    >>> from porank.build.preference_pairs import preference_pairs
    >>> log = {"session": [7, 7, 7, 7], "item": ["A", "B", "C", "C"],
    ...        "event": ["view", "purchase", "view", "click"]}
    >>> [(u, v) for _, u, v, _ in preference_pairs(log, rule="levels")]
    [('B', 'C'), ('B', 'A'), ('C', 'A')]
    """
    order, start = grouped(sessions.session, sessions.level)
    size = np.diff(start, append=order.size)
    lower = np.repeat(start + size, size)
    # Sorting within sessions leaves place i in the session of entry i.
    return each_over(sessions, order, order, lower, sessions.stop)


@asks_for(wishes=("event", "time", "dwell"))
def dwell(sessions: Sessions, *, tolerance: Any = 0.0) -> EntryPairs:
    """Prefer u to v when more time was spent on u, by more than the tolerance.

    The time t spent on an item is the sum of its dwell times or, in a log without these, of the
    times from its events to the next later event of the session; mere showings take none. u is
    preferred to v when t(u) - t(v) > tolerance, so that a session says a semiorder. Items only
    shown, and those one of whose times is unknown (the last event of a session has no next one),
    are not compared.

    The tolerance is in the unit of the log, in seconds if times are dates. Floats are taken for the
    decimals of at most nine places that were probably meant, so that 0.3 exceeds 0.2 by 0.1 and no
    more.

    Examples
    --------
    >>> from functools import partial
    >>> from porank.build.preference_pairs import preference_pairs
    >>> log = {"session": [7, 7, 7], "item": ["A", "B", "C"], "dwell": [30, 2, 29]}
    >>> [(u, v) for _, u, v, _ in preference_pairs(log, rule=partial(dwell, tolerance=5))]
    [('C', 'B'), ('A', 'B')]
    """
    require_amount(tolerance, name="tolerance")
    spent, is_known = time_spent(sessions)
    order = np.lexsort((spent.amount, sessions.session))
    order = order[is_known[order]]
    start = starts_of(sessions.session[order])
    stop = first_within(spent.amount[order], start, spent.threshold(tolerance)[order])
    return each_over(sessions, order, order, start, stop)


@asks_for("event", "position")
def click_over_skip_above(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to each skipped item that stood above it.

    u is preferred to v when u is clicked, v is shown and not clicked, and position(v) <
    position(u): who clicked u had v before the eyes. Strategy 1 of Joachims and others (2005),
    and the rule of Joachims (2002).

    Examples
    --------
    >>> from porank.build.preference_pairs import preference_pairs
    >>> log = {"session": [7] * 5, "item": list("ABCDE"), "position": [1, 2, 3, 4, 5],
    ...        "event": ["click", "view", "click", "view", "click"]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_skip_above")]
    ['CB', 'EB', 'ED']
    """
    return over_skipped_above(sessions, sessions.clicked)


@asks_for("event", "position", wishes=("time",))
def last_click_over_skip_above(sessions: Sessions) -> EntryPairs:
    """Prefer the item clicked last to each skipped item that stood above it.

    u is preferred to v when no item of the session was clicked later than u, v is shown and not
    clicked, and position(v) < position(u). Strategy 2 of Joachims and others (2005). In a log
    without a column of times, the rows are taken to be in the order of time; the counts name this.

    Examples
    --------
    >>> from porank.build.preference_pairs import preference_pairs
    >>> log = {"session": [7] * 5, "item": list("ABCDE"), "position": [1, 2, 3, 4, 5],
    ...        "event": ["view", "click", "view", "click", "view"], "time": [0, 9, 0, 5, 0]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="last_click_over_skip_above")]
    ['BA']
    """
    latest = np.maximum.reduceat(sessions.last_click, sessions.starts)
    latest = np.repeat(latest, sessions.sizes)
    return over_skipped_above(sessions, sessions.clicked & (sessions.last_click == latest))


@asks_for("event", wishes=("time",))
def click_over_earlier_click(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to each item that was clicked before it.

    u is preferred to v when both are clicked and time(v) < time(u): who was content with v would
    not have gone on to u. Strategy 3 of Joachims and others (2005). In a log without a column of
    times, the rows are taken to be in the order of time; the counts name this.

    Examples
    --------
    >>> from porank.build.preference_pairs import preference_pairs
    >>> log = {"session": [7, 7, 7], "item": ["A", "B", "A"], "event": ["click"] * 3,
    ...        "time": [1, 2, 3]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_earlier_click")]
    ['AB']
    """
    time = sessions.last_click
    order = np.lexsort((time, sessions.session))
    order = order[sessions.clicked[order]]
    session = sessions.session[order]
    tied = run_starts(session, time[order])
    stop = np.repeat(tied, np.diff(tied, append=order.size))
    return each_over(sessions, order, order, starts_of(session), stop)


@asks_for("event", "position")
def click_over_skip_previous(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to the item right above it, if that was skipped.

    u is preferred to v when u is clicked, v is shown and not clicked, and position(v) =
    position(u) - 1. Strategy 4 of Joachims and others (2005).

    Examples
    --------
    >>> from porank.build.preference_pairs import preference_pairs
    >>> log = {"session": [7] * 5, "item": list("ABCDE"), "position": [1, 2, 3, 4, 5],
    ...        "event": ["click", "view", "click", "view", "click"]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_skip_previous")]
    ['CB', 'ED']
    """
    upper, lower = neighbours(sessions)
    kept = sessions.clicked[lower] & ~sessions.clicked[upper]
    return each_over_one(sessions, lower[kept], upper[kept])


@asks_for("event", "position")
def click_over_no_click_next(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to the item right below it, if that was not clicked.

    u is preferred to v when u is clicked, v is shown and not clicked, and position(v) =
    position(u) + 1: people mostly look at the result below the one they click. Strategy 5
    of Joachims and others (2005).

    Examples
    --------
    >>> from porank.build.preference_pairs import preference_pairs
    >>> log = {"session": [7] * 5, "item": list("ABCDE"), "position": [1, 2, 3, 4, 5],
    ...        "event": ["click", "view", "click", "view", "click"]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_no_click_next")]
    ['AB', 'CD']
    """
    upper, lower = neighbours(sessions)
    kept = sessions.clicked[upper] & ~sessions.clicked[lower]
    return each_over_one(sessions, upper[kept], lower[kept])
