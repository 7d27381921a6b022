"""From what people do in a session to what they prefer: one function for each rule.

A rule takes `porank.clicks.sessions.Sessions` and returns two arrays of entries of one length:
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

What place does to a rule is said of the position-based model: of two items u and v at positions i
and j, u is looked at with probability e(i) and is then clicked with probability p(u), and v with
e(j) and p(v), independently of each other. In *both arrangements* u and v stand at the same two
positions either way round, which ``balance="place"`` compares.

The rules by their names are `RULES`; `asks_for` and `per_session` make rules of one's own, which
`rules_of` reads; `coded_pairs` asks them. Pairs are made from where the
entries stand, by `each_over`, `over_skipped_above`, `neighbours`, `first_within`. More of them than
anybody can use are refused: `require_few`, `require_pairs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from porank.clicks.sessions import time_spent
from porank.core.arguments import require_amount
from porank.core.arrays import grouped, ranges, run_bounds
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.clicks.sessions import Event, Sessions
    from porank.typing import Item, Numbers


#: Two arrays of entries: each of the first is preferred to the one beside it in the second.
EntryPairs: TypeAlias = tuple["Numbers", "Numbers"]
Rule: TypeAlias = Callable[["Sessions"], EntryPairs]
F = TypeVar("F", bound=Callable[..., Any])


def asks_for(*needs: str, wishes: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Return a decorator that tells which columns a click rule reads.

    Parameters
    ----------
    *needs : str
        Columns without which the rule says nothing: a log that lacks one is refused.
    wishes : tuple of str
        Columns that the rule reads where they are there.

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
        """Write on a click rule which columns it reads."""
        vars(function).update(needs=needs, wishes=wishes)
        return function

    return mark


def first_within(amount: NDArray[np.float64], start: Numbers, tolerance: float) -> Numbers:
    """Return, for the rule of dwell, the first place from `start` on as close to each time."""
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
    """Pair, for click rules, each chosen entry with all skipped ones above it in its session."""
    order = sessions.by_position
    is_skipped = ~sessions.clicked[order]
    skipped_before = np.concatenate([[0], np.cumsum(is_skipped)])
    places = np.flatnonzero(chosen[order])
    # Sorting within sessions leaves place i in the session of entry i.
    start = skipped_before[sessions.first[places]]
    return each_over(sessions, order[places], order[is_skipped], start, skipped_before[places])


def neighbours(sessions: Sessions) -> tuple[Numbers, Numbers]:
    """Return, for the rules of neighbours, entries right above and right below each other."""
    order = sessions.by_position
    upper, lower = order[:-1], order[1:]
    kept = sessions.session[upper] == sessions.session[lower]
    kept &= sessions.position[lower] - sessions.position[upper] == 1
    return upper[kept], lower[kept]


def each_over(
    sessions: Sessions, entries: Numbers, others: Numbers, start: Numbers, stop: Numbers
) -> tuple[Numbers, Numbers]:
    """Pair, for click rules, each of the entries with the others from its `start` to its `stop`."""
    some = np.flatnonzero(start < stop)
    entries, start, stop = entries.take(some), start.take(some), stop.take(some)
    require_few(sessions, entries, stop - start)
    return np.repeat(entries, stop - start), others.take(ranges(start, stop))


#: So many pairs with their sessions take some three gigabytes, twice that while they are made.
MAX_PAIRS = 10**8
_FEWER = (
    "shorter sessions, as columns={'session': ['user', 'day']} makes them, or the rule "
    "click_over_skip_previous say fewer"
)


def require_few(sessions: Sessions, entries: Numbers, counts: Numbers) -> None:
    """Raise an error that names a session if a click rule says too many pairs of some sessions."""
    found = int(counts.sum())
    if found > MAX_PAIRS:
        first = int(sessions.session[0])
        pairs = np.bincount(sessions.session.take(entries) - first, counts)
        most = int(pairs.argmax())
        require_pairs(found, f", {int(pairs[most]):,} by session {sessions.label(first + most)!r}")


def require_pairs(pairs: int, by: str = "") -> None:
    """Raise an error if click rules say more pairs than may be held."""
    if pairs > MAX_PAIRS:
        raise PorankError(f"expected at most {MAX_PAIRS:,} pairs, found {pairs:,}{by}; {_FEWER}")


@asks_for("event")
def levels(sessions: Sessions) -> EntryPairs:
    """Prefer every item of a session at a higher level to every item at a lower one.

    The level of an item is its strongest event: with ``events=("purchase", "click", "view")``, what
    was bought is preferred to what was clicked, and both to what was shown and left.

    It sees clicked items above all that was left, also above what nobody looked at: an item gains
    by standing high. u is preferred with probability e(i) p(u) (1 - e(j) p(v)), and the difference
    from the opposite is e(i) p(u) - e(j) p(v). In both arrangements it is (e(i) + e(j)) (p(u) -
    p(v)): taste.

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [7, 7, 7, 7], "item": ["A", "B", "C", "C"],
    ...        "event": ["view", "purchase", "view", "click"]}
    >>> [(u, v) for _, u, v, _ in preference_pairs(log, rule="levels")]
    [('B', 'C'), ('B', 'A'), ('C', 'A')]
    """
    order, _ = grouped(sessions.session, sessions.level)
    _, lower = run_bounds(sessions.session[order], sessions.level[order])
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

    It sees only items that are both clicked: place decides how often two items are compared, and
    not which is preferred, as long as people look longer at what they like wherever it stands. Two
    items are compared with probability e(i) e(j) p(u) p(v), which is the same for either side.

    The tolerance is in the unit of the log, in seconds if times are dates. Floats are taken for the
    decimals of at most nine places that were probably meant, so that 0.3 exceeds 0.2 by 0.1 and no
    more.

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
    order = np.lexsort((spent, sessions.session))
    order = order[is_known[order]]
    start, _ = run_bounds(sessions.session[order])
    stop = first_within(spent[order], start, least)
    return each_over(sessions, order, order, start, stop)


@asks_for("event", "position")
def click_over_skip_above(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to each skipped item that stood above it.

    u is preferred to v when u is clicked, v is shown and not clicked, and position(v) <
    position(u): who clicked u had v before the eyes. Strategy 1 of Joachims and others (2005),
    and the rule of Joachims (2002).

    It sees nothing below the last click, and never prefers the upper item: an item gains by
    standing low. The lower one, u, is preferred with probability e(i) p(u) (1 - e(j) p(v)). The
    difference of both arrangements is e(i) (p(u) - p(v)) with i the lower position: taste.

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
    """Prefer the item clicked last to each skipped item that stood above it.

    u is preferred to v when no item of the session was clicked later than u, v is shown and not
    clicked, and position(v) < position(u). Strategy 2 of Joachims and others (2005). In a log
    without a column of times, the rows are taken to be in the order of time; the counts name this.

    It sees one click a session, and never prefers the upper item: an item gains by standing low,
    more than by all clicks over those skipped above, because nothing further down may be clicked
    later. If people click from the top down, the difference of both arrangements is e(i) (p(u) -
    p(v)) times the probability that nothing below is clicked: taste.

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

    u is preferred to v when both are clicked and time(v) < time(u): who was content with v would
    not have gone on to u. Strategy 3 of Joachims and others (2005). In a log without a column of
    times, the rows are taken to be in the order of time; the counts name this.

    It sees only items that are both clicked: if people click from the top down all that they like,
    it says that lower is better, and nothing of taste. The lower one is then preferred with
    probability e(i) e(j) p(u) p(v), whichever it is, also in both arrangements.

    Examples
    --------
    >>> from porank.clicks.preference_pairs import preference_pairs
    >>> log = {"session": [7, 7, 7], "item": ["A", "B", "A"], "event": ["click"] * 3,
    ...        "time": [1, 2, 3]}
    >>> [u + v for _, u, v, _ in preference_pairs(log, rule="click_over_earlier_click")]
    ['AB']
    """
    time = sessions.last_click
    order = np.lexsort((time, sessions.session))
    order = order[sessions.clicked[order]]
    session = sessions.session[order]
    start, _ = run_bounds(session)
    stop, _ = run_bounds(session, time[order])
    return each_over(sessions, order, order, start, stop)


@asks_for("event", "position")
def click_over_skip_previous(sessions: Sessions) -> EntryPairs:
    """Prefer each clicked item to the item right above it, if that was skipped.

    u is preferred to v when u is clicked, v is shown and not clicked, and position(v) =
    position(u) - 1. Strategy 4 of Joachims and others (2005).

    It sees neighbours only, and never prefers the upper one: an item gains by standing low. As by
    `click_over_skip_above`, the difference of both arrangements is e(i) (p(u) - p(v)): taste.

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
    """Prefer each clicked item to the item right below it, if that was not clicked.

    u is preferred to v when u is clicked, v is shown and not clicked, and position(v) =
    position(u) + 1: people mostly look at the result below the one they click. Strategy 5
    of Joachims and others (2005).

    It sees neighbours only, and never prefers the lower one: an item gains by standing high. The
    upper one is preferred with probability e(i) p(u) (1 - e(j) p(v)). The difference of both
    arrangements is e(i) (p(u) - p(v)) with i the upper position: taste.

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
#: What a rule that does not say which columns it reads is given, where they are there.
_ALL = ("event", "position", "time", "dwell")


class NamedRule(NamedTuple):
    """A click rule, what it is called in messages, and the columns that it reads."""

    name: str
    function: Rule
    needs: tuple[str, ...]
    wishes: tuple[str, ...]
    inner: Any

    def pairs(self, sessions: Sessions) -> EntryPairs:
        """Return the pairs that the rule says; those of a rule of one's own are looked at first."""
        found = self.function(sessions)
        return found if self.is_ours else _checked(found, sessions, self.name)

    @property
    def is_about_sequence(self) -> bool:
        """Whether it matters to the rule in which sequence things happened in a session."""
        return "time" in self.needs + self.wishes and self.inner is not dwell

    @property
    def is_ours(self) -> bool:
        """Whether it is one of the rules that names stand for."""
        return self.inner in RULES.values()


def rules_of(rule: Any) -> list[NamedRule]:
    """Return the click rules that a name, a function, or several of them stand for."""
    several = rule if isinstance(rule, Iterable) and not isinstance(rule, str) else [rule]
    named = [_named(one) for one in several]
    if not named:
        raise PorankError("expected at least one rule, found none")
    return named


def _named(rule: Any) -> NamedRule:
    """Return one click rule with its name and the columns that it reads."""
    function = RULES.get(rule) if isinstance(rule, str) else rule
    if not callable(function):
        raise PorankError(f"expected a function or one of {listed(RULES)} as rule, found {rule!r}")
    inner: Any = function
    while isinstance(inner, partial):
        inner = inner.func
    name = getattr(inner, "__name__", type(inner).__name__)
    needs, wishes = getattr(inner, "needs", ()), getattr(inner, "wishes", _ALL)
    return NamedRule(name, function, needs, wishes, inner)


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
    Time O(events) calls and rows of Python, some twenty times more than by a rule that works on
    arrays as those in ``porank.clicks.rules`` do. The function sees every event, also what is said
    again.
    """
    if not callable(function):
        raise PorankError(f"expected a function of the events of a session, found {function!r}")

    @asks_for(wishes=_ALL)
    def rule(sessions: Sessions) -> tuple[Numbers, Numbers]:
        """Ask the function about each of some sessions."""
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
    """Return the pairs of items that a rule of one session says, as pairs of entries."""
    entry_of = dict(zip((event.item for event in events), entries, strict=True))
    try:
        return [(entry_of[preferred], entry_of[other]) for preferred, other in pairs]
    except (TypeError, ValueError, KeyError):
        raise PorankError(
            "expected pairs (preferred, other) of items of the session from the rule, "
            f"found {pairs!r} for {listed(entry_of)}"
        ) from None


def _checked(found: Any, sessions: Sessions, name: str) -> EntryPairs:
    """Return the two arrays of one's own click rule if they name entries of one session."""
    try:
        pairs = np.array([*found])
    except (TypeError, ValueError):
        pairs = np.array("?")
    is_pairs = pairs.ndim == 2 and len(pairs) == 2
    if not is_pairs or (pairs.size and pairs.dtype.kind not in "iu"):
        raise PorankError(
            "expected two arrays of entries of equal length, (preferred, other), from the rule "
            f"{name}, found {found!r}; per_session(f) makes a rule of a function of one session"
        )
    if pairs.size and (pairs.min() < 0 or pairs.max() >= len(sessions)):
        raise PorankError(
            f"expected entries from 0 to {len(sessions) - 1} from the rule {name}, "
            f"found {pairs.min()} to {pairs.max()}"
        )
    preferred, other = pairs.astype(np.int64)
    is_wrong = (sessions.session[preferred] != sessions.session[other]) | (preferred == other)
    if is_wrong.any():
        first = int(np.argmax(is_wrong))
        u, v = (sessions.items[sessions.item[side[first]]] for side in (preferred, other))
        raise PorankError(
            f"expected pairs of two items of one session from the rule {name}, "
            f"found {u!r} and {v!r}{' of another session' if u != v else ''}"
        )
    return preferred, other


#: The column of pairs that is 1 where the preferred item stood above the other, -1 below, else 0.
STOOD = "stood"
#: The columns of pairs that say where the preferred item stood and the other, -1 if unknown.
PLACES = ("at", "other_at")
#: The column of pairs in ratings: 0 where one is preferred, 1 for ties, 2 where both are bad.
VERDICT = "verdict"


def coded_pairs(
    sessions: Sessions, rules: Sequence[NamedRule], names: Sequence[str]
) -> dict[str, Numbers]:
    """Return what the rules find in sessions, once for each session, as numbers."""
    preferred, other = _union_of_rules(sessions, rules)
    if "rating" not in sessions.rows:
        return coded(sessions, preferred, other, names)
    one, two = _tied(sessions)
    verdict = np.append(np.zeros_like(preferred), 1 + np.isneginf(sessions.last_rating[one]))
    columns = coded(sessions, np.append(preferred, one), np.append(other, two), names)
    return {**columns, VERDICT: verdict}


def coded(
    sessions: Sessions, preferred: Numbers, other: Numbers, names: Sequence[str]
) -> dict[str, Numbers]:
    """Return columns of pairs of entries that rules have found, as numbers."""
    columns = {}
    for name in names:
        if name in ("preferred", "other"):
            columns[name] = sessions.item.take(preferred if name == "preferred" else other)
        elif name == "position":
            columns[name] = sessions.position[preferred].astype(np.int64)
        elif name in PLACES:
            columns[name] = _places(sessions, preferred if name == PLACES[0] else other)
        elif name == STOOD:
            at, other_at = (_places(sessions, entries) for entries in (preferred, other))
            columns[name] = np.sign(other_at - at) * (np.minimum(at, other_at) >= 0)
        elif name == "propensity":
            # Floats from 0 on have the sequence of their bits, and are counted as these.
            columns[name] = np.abs(sessions.propensity[preferred]).view(np.int64)
        else:
            columns[name] = sessions.first_of_entries(name).take(preferred)
    return columns


def _places(sessions: Sessions, entries: Numbers) -> Numbers:
    """Return the positions of entries that a rule pairs, -1 where they are unknown."""
    if "position" not in sessions.rows:
        return np.full_like(entries, -1)
    return np.nan_to_num(sessions.position[entries], nan=-1).astype(np.int64)


def _tied(sessions: Sessions) -> EntryPairs:
    """Return the ties in the ratings that rules look at, the first item of each first."""
    order, _ = grouped(sessions.session, sessions.level)
    _, stop = run_bounds(sessions.session[order], sessions.level[order])
    return each_over(sessions, order, order, np.arange(order.size) + 1, stop)


def _union_of_rules(sessions: Sessions, rules: Sequence[NamedRule]) -> tuple[Numbers, Numbers]:
    """Return the pairs of entries that any of several click rules says, each once."""
    if not len(sessions):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    others = [rule.name for rule in rules if rule.is_ours and rule.inner is not levels]
    if "rating" in sessions.rows and others:
        raise PorankError(
            "expected rule='levels' for ratings and battles, which tell themselves what is "
            f"preferred, found {listed(others)}"
        )
    found = [rule.pairs(sessions) for rule in rules]
    if len(found) == 1 and rules[0].is_ours:
        return found[0]
    keys = np.concatenate([preferred * len(sessions) + other for preferred, other in found])
    preferred, other = np.divmod(np.unique(keys), len(sessions))
    return preferred, other
