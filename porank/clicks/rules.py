"""Rules that turn the events of a session into preferences: one function for each rule.

A rule takes `porank.clicks.sessions.Sessions` and returns two arrays of entries of equal length:
entry ``preferred[i]`` is preferred to entry ``other[i]`` of the same session. An entry is an item
of a session. It is *clicked* if the log has a stronger event for it than a view; a purchase counts
as a click, and of several clicks on an item the last one counts. Otherwise it is *skipped*. Items
without events in a session have no entry, so no rule compares them.

The docstrings describe the position bias of each rule in the position-based model: an item u at
position i is looked at with probability e(i) and, if looked at, clicked with probability p(u);
likewise v at position j with e(j) and p(v), independently. *Both arrangements* means that u and v
stand at the same two positions either way round.

`RULES` has the rules by name. `asks_for` and `per_session` help to write new rules, which
`rules_of` reads and `pairs_of_rules` applies. `each_over`, `over_skipped_above`, `neighbours` and
`first_within` make pairs of entries; `require_few` and `require_pairs` refuse too many.

References
----------
* T. Joachims, "Optimizing search engines using clickthrough data", KDD 2002, pp. 133-142.
  https://doi.org/10.1145/775047.775067
* T. Joachims, L. Granka, B. Pan, H. Hembrooke, G. Gay, "Accurately interpreting clickthrough
  data as implicit feedback", SIGIR 2005, pp. 154-161. https://doi.org/10.1145/1076034.1076063
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from porank.clicks.sessions import time_spent
from porank.core.arguments import require_amount
from porank.core.arrays import grouped, ranges, run_bounds
from porank.errors import PorankError, listed, quoted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.clicks.sessions import Event, Sessions
    from porank.typing import Item, Numbers


#: Two arrays of entries; each entry of the first is preferred to the one beside it in the second.
EntryPairs: TypeAlias = tuple["Numbers", "Numbers"]
Rule: TypeAlias = Callable[["Sessions"], EntryPairs]
F = TypeVar("F", bound=Callable[..., Any])


def asks_for(*needs: str, wishes: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Return a decorator that states which columns a click rule reads.

    Parameters
    ----------
    *needs : str
        Columns that the rule needs: a log without one of them is refused.
    wishes : tuple of str
        Columns that the rule reads if the log has them.

    Examples
    --------
    >>> from porank.clicks.rules import asks_for
    >>> @asks_for("event", "position", wishes=("time",))
    ... def first_over_rest(sessions):
    ...     ...
    >>> first_over_rest.needs, first_over_rest.wishes
    (('event', 'position'), ('time',))
    """

    def mark(function: F) -> F:
        """Store on a click rule which columns it reads."""
        vars(function).update(needs=needs, wishes=wishes)
        return function

    return mark


def first_within(amount: NDArray[np.float64], start: Numbers, tolerance: float) -> Numbers:
    """Return, for the dwell rule, the first place from `start` on within the tolerance."""
    low, high = start.copy(), np.arange(amount.size)
    # 0.3 - 0.2 is more than 0.1 in floats.
    least = tolerance + 1e-9 * (amount + tolerance)
    while np.any(low < high):
        middle = (low + high) // 2
        is_below = (low < high) & (amount - amount[middle] > least)
        low = np.where(is_below, middle + 1, low)
        high = np.where(is_below, high, middle)
    return low


def over_skipped_above(sessions: Sessions, chosen: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Pair, for click rules, each chosen entry with all skipped entries above it in its session."""
    order = sessions.by_position
    is_skipped = ~sessions.clicked[order]
    skipped_before = np.concatenate([[0], np.cumsum(is_skipped)])
    places = np.flatnonzero(chosen[order])
    # Sorting within sessions leaves place i in the session of entry i.
    start = skipped_before[sessions.first[places]]
    return each_over(sessions, order[places], order[is_skipped], start, skipped_before[places])


def neighbours(sessions: Sessions) -> tuple[Numbers, Numbers]:
    """Return, for click rules, entries directly above each other: the upper and the lower ones."""
    order = sessions.by_position
    upper, lower = order[:-1], order[1:]
    kept = sessions.list[upper] == sessions.list[lower]
    kept &= sessions.position[lower] - sessions.position[upper] == 1
    return upper[kept], lower[kept]


def each_over(
    sessions: Sessions, entries: Numbers, others: Numbers, start: Numbers, stop: Numbers
) -> tuple[Numbers, Numbers]:
    """Pair, for click rules, each entry with the others from its `start` to its `stop`."""
    some = np.flatnonzero(start < stop)
    entries, start, stop = entries.take(some), start.take(some), stop.take(some)
    require_few(sessions, entries, stop - start)
    return np.repeat(entries, stop - start), others.take(ranges(start, stop))


#: Maximum number of pairs. With their sessions they take 3 GB, and 6 GB while they are made.
MAX_PAIRS = 10**8
_FEWER = (
    "shorter sessions, for example columns={'session': ['user', 'day']}, or the rule "
    "click_over_skip_previous give fewer"
)


def require_few(sessions: Sessions, entries: Numbers, counts: Numbers) -> None:
    """Raise an error that names a session if a click rule finds too many pairs in some sessions."""
    found = int(counts.sum())
    if found > MAX_PAIRS:
        pairs = np.bincount(np.searchsorted(sessions.starts, entries, side="right"), counts)
        most = int(pairs.argmax())
        entry = int(sessions.starts[most - 1])
        require_pairs(found, f", {int(pairs[most]):,} in session {quoted(sessions.label(entry))}")


def require_pairs(pairs: int, by: str = "") -> None:
    """Raise an error if click rules find more pairs than fit in memory."""
    if pairs > MAX_PAIRS:
        raise PorankError(f"expected at most {MAX_PAIRS:,} pairs, found {pairs:,}{by}; {_FEWER}")


@asks_for("event")
def levels(sessions: Sessions) -> EntryPairs:
    """Prefer every item of a session at a higher level to every item at a lower one.

    The level of an item is its strongest event: with ``events=("purchase", "click", "view")``,
    bought items are preferred to clicked items, and both to items that were only shown.

    Position bias: clicked items are preferred even to items that nobody looked at, so items at high
    positions gain. u is preferred with probability e(i) p(u) (1 - e(j) p(v)), and the difference
    from the opposite is e(i) p(u) - e(j) p(v). In both arrangements together it is (e(i) + e(j))
    (p(u) - p(v)), which depends on taste.

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [7, 7, 7, 7], "item": ["A", "B", "C", "C"],
    ...        "event": ["view", "purchase", "view", "click"]}
    >>> [(u, v) for _, u, v, _ in preference_pairs(log, rule="levels")]
    [('B', 'C'), ('B', 'A'), ('C', 'A')]
    """
    order, _ = grouped(sessions.list, sessions.level)
    _, lower = run_bounds(sessions.list[order], sessions.level[order])
    # Sorting within sessions leaves place i in the session of entry i.
    return each_over(sessions, order, order, lower, sessions.stop)


@asks_for(wishes=("event", "time", "dwell"))
def dwell(sessions: Sessions, *, tolerance: Any = 0.0) -> EntryPairs:
    """Prefer u to v if more time was spent on u, by more than the tolerance.

    The time t spent on an item is the sum of its dwell times. In a log without these, it is the sum
    of the times from its events, other than views, to the next later event of the session. u is
    preferred to v if t(u) - t(v) > tolerance, so each session yields a semiorder. Items with only
    views, and items with an unknown time (the last event of a session has no next one), are not
    compared.

    Position bias: position affects how often two items are compared, but not which is preferred,
    if people look longer at what they like wherever it stands. Only clicked items are compared,
    with probability e(i) e(j) p(u) p(v), which is the same for either side.

    The tolerance has the unit of the log, or is in seconds if times are dates. Rounding errors of
    floats (1e-9, relative) do not count, so 0.3 exceeds 0.2 by 0.1 and no more.

    Examples
    --------
    >>> from porank.clicks.rules import dwell
    >>> from functools import partial
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [7, 7, 7], "item": ["A", "B", "C"], "dwell": [30, 2, 29]}
    >>> [(u, v) for _, u, v, _ in preference_pairs(log, rule=partial(dwell, tolerance=5))]
    [('C', 'B'), ('A', 'B')]
    """
    least = float(require_amount(tolerance, name="tolerance"))
    spent, is_known = time_spent(sessions)
    order = np.lexsort((spent, sessions.list))
    order = order[is_known[order]]
    start, _ = run_bounds(sessions.list[order])
    stop = first_within(spent[order], start, least)
    return each_over(sessions, order, order, start, stop)


@asks_for("event", "position")
def click_over_skip_above(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to each skipped item above it.

    u is preferred to v if u is clicked, v is shown and not clicked, and position(v) < position(u):
    users who clicked u had passed v first. Strategy 1 of Joachims and others (2005), and the rule
    of Joachims (2002).

    Position bias: items below the last click are ignored, and the upper item of a pair is never
    preferred, so items at low positions gain. The lower item u is preferred with probability e(i)
    p(u) (1 - e(j) p(v)). The difference between both arrangements is e(i) (p(u) - p(v)), where i is
    the lower position, which depends on taste.

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [7] * 5, "item": list("ABCDE"), "position": [1, 2, 3, 4, 5],
    ...        "event": ["click", "view", "click", "view", "click"]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_skip_above")]
    ['CB', 'EB', 'ED']
    """
    return over_skipped_above(sessions, sessions.clicked)


@asks_for("event", "position", wishes=("time",))
def last_click_over_skip_above(sessions: Sessions) -> EntryPairs:
    """Prefer the item clicked last to each skipped item above it.

    u is preferred to v if no item of the session was clicked later than u, v is shown and not
    clicked, and position(v) < position(u). Strategy 2 of Joachims and others (2005). In a log
    without times, the rows are assumed to be in chronological order, and the counts mention it.

    Position bias: each session has only one last click, and the upper item of a pair is never
    preferred, so items at low positions gain. They gain more than with all clicks over skipped
    items above, because nothing further down may be clicked later. If people click from the top
    down, the difference between both arrangements is e(i) (p(u) - p(v)) times the probability that
    nothing below is clicked, which depends on taste.

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
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

    u is preferred to v if both are clicked and time(v) < time(u): a user who was satisfied with v
    would not have gone on to u. Strategy 3 of Joachims and others (2005). In a log without times,
    the rows are assumed to be in chronological order, and the counts mention it.

    Position bias: if people click everything they like from the top down, the lower of two clicked
    items is always preferred, which says nothing about taste. Only clicked items are compared, and
    the lower one is then preferred with probability e(i) e(j) p(u) p(v), whichever it is, also in
    both arrangements.

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [7, 7, 7], "item": ["A", "B", "A"], "event": ["click"] * 3,
    ...        "time": [1, 2, 3]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_earlier_click")]
    ['AB']
    """
    time = sessions.last_click
    order = np.lexsort((time, sessions.list))
    order = order[sessions.clicked[order]]
    session = sessions.list[order]
    start, _ = run_bounds(session)
    stop, _ = run_bounds(session, time[order])
    return each_over(sessions, order, order, start, stop)


@asks_for("event", "position")
def click_over_skip_previous(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to the item directly above it, if that was skipped.

    u is preferred to v if u is clicked, v is shown and not clicked, and position(v) = position(u) -
    1. Strategy 4 of Joachims and others (2005).

    Position bias: only neighbours are compared, and the upper one is never preferred, so items at
    low positions gain. As with `click_over_skip_above`, the difference between both arrangements is
    e(i) (p(u) - p(v)), which depends on taste.

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [7] * 5, "item": list("ABCDE"), "position": [1, 2, 3, 4, 5],
    ...        "event": ["click", "view", "click", "view", "click"]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_skip_previous")]
    ['CB', 'ED']
    """
    upper, lower = neighbours(sessions)
    kept = sessions.clicked[lower] & ~sessions.clicked[upper]
    return lower[kept], upper[kept]


@asks_for("event", "position")
def click_over_no_click_next(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to the item directly below it, if that was not clicked.

    u is preferred to v if u is clicked, v is shown and not clicked, and position(v) = position(u) +
    1: people usually look at the result below the one they click. Strategy 5 of Joachims and others
    (2005).

    Position bias: only neighbours are compared, and the lower one is never preferred, so items at
    high positions gain. The upper item is preferred with probability e(i) p(u) (1 - e(j) p(v)). The
    difference between both arrangements is e(i) (p(u) - p(v)), where i is the upper position, which
    depends on taste.

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [7] * 5, "item": list("ABCDE"), "position": [1, 2, 3, 4, 5],
    ...        "event": ["click", "view", "click", "view", "click"]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_no_click_next")]
    ['AB', 'CD']
    """
    upper, lower = neighbours(sessions)
    kept = sessions.clicked[upper] & ~sessions.clicked[lower]
    return upper[kept], lower[kept]


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
#: The columns, as far as the log has them, for a rule that does not name the columns it reads.
_ALL = ("event", "position", "time", "dwell")


class NamedRule(NamedTuple):
    """A click rule with its name for messages, and the columns that it reads."""

    name: str
    function: Rule
    needs: tuple[str, ...]
    wishes: tuple[str, ...]
    inner: Any

    def pairs(self, sessions: Sessions) -> EntryPairs:
        """Return the pairs that the rule finds; those of a user's rule are checked first."""
        found = self.function(sessions)
        return found if self.is_ours else _checked(found, sessions, self.name)

    @property
    def is_about_sequence(self) -> bool:
        """Whether the rule depends on the order of events in a session."""
        return "time" in self.needs + self.wishes and self.inner is not dwell

    @property
    def is_ours(self) -> bool:
        """Whether it is one of the rules with a name in `RULES`."""
        return self.inner in RULES.values()


def rules_of(rule: Any, known: Iterable[str] = RULES) -> list[NamedRule]:
    """Return the click rules for a known name, a function, or several of them."""
    several = rule if isinstance(rule, Iterable) and not isinstance(rule, str) else [rule]
    named = [_named(one, known) for one in several]
    if not named:
        raise PorankError("expected at least one rule, found none")
    return named


def _named(rule: Any, known: Iterable[str]) -> NamedRule:
    """Return one click rule with its name and the columns that it reads."""
    function = RULES.get(rule) if isinstance(rule, str) else rule
    if not callable(function):
        raise PorankError(f"expected a function or one of {listed(known)} as rule, found {rule!r}")
    inner: Any = function
    while isinstance(inner, partial):
        inner = inner.func
    name = getattr(inner, "__name__", type(inner).__name__)
    needs, wishes = getattr(inner, "needs", ()), getattr(inner, "wishes", _ALL)
    return NamedRule(name, function, needs, wishes, inner)


def per_session(
    function: Callable[[list[Event]], Iterable[tuple[Item, Item]]],
) -> Callable[[Sessions], tuple[Numbers, Numbers]]:
    """Return a rule that calls a function on each session.

    Parameters
    ----------
    function : callable
        Takes the events of a session in chronological order, each with its ``item``, ``event``,
        ``position``, ``time`` and ``dwell`` (None if unknown), and returns pairs (preferred, other)
        of items of the session.

    Returns
    -------
    callable
        A rule for `preference_pairs` and `from_log`.

    Raises
    ------
    PorankError
        Raised by the rule if the function does not return such pairs.

    See Also
    --------
    preference_pairs, from_log, preference_graphs

    Examples
    --------
    >>> import porank as po
    >>> def last_over_first(events):
    ...     return [(events[-1].item, events[0].item)]
    >>> log = {"session": [7, 7, 7], "item": ["A", "B", "C"], "time": [3, 1, 2]}
    >>> list(po.preference_pairs(log, rule=po.per_session(last_over_first)))
    [(7, 'A', 'B', 1)]

    Notes
    -----
    Time: one call of the function for each session, and a Python object for each event; some twenty
    times slower than the rules in ``porank.clicks.rules``, which work on arrays. The function
    receives all events, including repeated ones.
    """
    if not callable(function):
        raise PorankError(f"expected a function of the events of a session, found {function!r}")

    @asks_for(wishes=_ALL)
    def rule(sessions: Sessions) -> tuple[Numbers, Numbers]:
        """Call the function on each session."""
        pairs = [
            pair
            for entries, events in sessions.each()
            for pair in _entries_of(function(events), entries.tolist(), events)
        ]
        found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    rule.__name__ = getattr(function, "__name__", "per_session")
    return rule


def _entries_of(
    pairs: Any, entries: Sequence[int], events: Sequence[Event]
) -> Iterable[tuple[int, int]]:
    """Return the pairs of items that a rule of one session finds, as pairs of entries."""
    entry_of = dict(zip((event.item for event in events), entries, strict=True))
    try:
        return [(entry_of[preferred], entry_of[other]) for preferred, other in pairs]
    except (TypeError, ValueError, KeyError):
        raise PorankError(
            "expected the rule to return pairs (preferred, other) of items of the session, "
            f"found {quoted(pairs)} for {listed(entry_of)}"
        ) from None


def _checked(found: Any, sessions: Sessions, name: str) -> EntryPairs:
    """Return the two arrays of a user's click rule, after checking that they pair entries."""
    try:
        pairs = np.array([*found])
    except (TypeError, ValueError):
        pairs = np.array("?")
    is_pairs = pairs.ndim == 2 and len(pairs) == 2
    if not is_pairs or (pairs.size and pairs.dtype.kind not in "iu"):
        raise PorankError(
            f"expected the rule {name} to return two arrays of entries of equal length, "
            f"(preferred, other), found {quoted(found)}; for a function of one session, use "
            "per_session(f)"
        )
    if pairs.size and (pairs.min() < 0 or pairs.max() >= len(sessions)):
        raise PorankError(
            f"expected the rule {name} to return entries from 0 to {len(sessions) - 1}, "
            f"found {pairs.min()} to {pairs.max()}"
        )
    preferred, other = pairs.astype(np.int64)
    is_wrong = (sessions.list[preferred] != sessions.list[other]) | (preferred == other)
    if is_wrong.any():
        first = int(np.argmax(is_wrong))
        u, v = (sessions.items[sessions.item[side[first]]] for side in (preferred, other))
        raise PorankError(
            f"expected the rule {name} to return pairs of two items of one session, "
            f"found {quoted(u)} and {quoted(v)}{' of another session' if u != v else ''}"
        )
    return preferred, other


def pairs_of_rules(sessions: Sessions, rules: Sequence[NamedRule]) -> tuple[Numbers, Numbers]:
    """Return the pairs of entries that any of several click rules finds, each once."""
    if not len(sessions):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    others = [rule.name for rule in rules if rule.is_ours and rule.inner is not levels]
    if "rating" in sessions.rows and others:
        raise PorankError(
            "expected rule='levels' for ratings and battles, which already state preferences, "
            f"found {listed(others)}"
        )
    found = [rule.pairs(sessions) for rule in rules]
    if len(found) == 1 and rules[0].is_ours:
        return found[0]
    keys = np.concatenate([preferred * len(sessions) + other for preferred, other in found])
    preferred, other = np.divmod(np.unique(keys), len(sessions))
    return preferred, other
