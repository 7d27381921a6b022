"""Every rule on click logs by its definition: a loop over the sessions of a list of rows.

A row is a dictionary with ``session``, ``item``, ``event`` and, where the log has them,
``position``, ``time`` and ``dwell``. A rule takes the rows of one session and returns a set of
pairs (preferred, other). Nothing here knows how porank computes it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Row = dict[str, Any]
Pairs = set[tuple[Any, Any]]
EVENTS = ("purchase", "click", "view")


def items_of(rows: Sequence[Row]) -> list[Any]:
    return list(dict.fromkeys(row["item"] for row in rows))


def events_of(rows: Sequence[Row], item: Any) -> set[Any]:
    return {row["event"] for row in rows if row["item"] == item}


def clicked_of(rows: Sequence[Row]) -> list[Any]:
    """A purchase counts as a click."""
    return [item for item in items_of(rows) if events_of(rows, item) - {"view"}]


def skipped_of(rows: Sequence[Row]) -> list[Any]:
    return [item for item in items_of(rows) if events_of(rows, item) == {"view"}]


def position_of(rows: Sequence[Row], item: Any) -> int:
    (position,) = {
        row["position"] for row in rows if row["item"] == item and row["position"] is not None
    }
    return int(position)


def last_click_of(rows: Sequence[Row], item: Any) -> Any:
    """The time of the last click; without times, its place among the rows."""
    return max(
        row.get("time", place)
        for place, row in enumerate(rows)
        if row["item"] == item and row["event"] != "view"
    )


def levels(rows: Sequence[Row], events: Sequence[Any] = EVENTS) -> Pairs:
    """Each item over those whose strongest event is weaker."""
    level = {i: min(events.index(event) for event in events_of(rows, i)) for i in items_of(rows)}
    return {(u, v) for u in level for v in level if level[u] < level[v]}


def click_over_skip_above(rows: Sequence[Row]) -> Pairs:
    """Each clicked item over each skipped one above it."""
    return {
        (u, v)
        for u in clicked_of(rows)
        for v in skipped_of(rows)
        if position_of(rows, v) < position_of(rows, u)
    }


def last_click_over_skip_above(rows: Sequence[Row]) -> Pairs:
    """The item clicked last over each skipped one above it."""
    last = max((last_click_of(rows, item) for item in clicked_of(rows)), default=None)
    return {(u, v) for u, v in click_over_skip_above(rows) if last_click_of(rows, u) == last}


def click_over_earlier_click(rows: Sequence[Row]) -> Pairs:
    """Each clicked item over each clicked before it."""
    clicked = clicked_of(rows)
    return {
        (u, v) for u in clicked for v in clicked if last_click_of(rows, v) < last_click_of(rows, u)
    }


def click_over_skip_previous(rows: Sequence[Row]) -> Pairs:
    """Each clicked item over the skipped one right above it."""
    return {
        (u, v)
        for u, v in click_over_skip_above(rows)
        if position_of(rows, v) == position_of(rows, u) - 1
    }


def click_over_no_click_next(rows: Sequence[Row]) -> Pairs:
    """Each clicked item over the skipped one right below it."""
    return {
        (u, v)
        for u in clicked_of(rows)
        for v in skipped_of(rows)
        if position_of(rows, v) == position_of(rows, u) + 1
    }


def time_spent(rows: Sequence[Row]) -> dict[Any, Any]:
    """The dwell times, or the times to the next later event, of what is no mere showing."""
    spent: dict[Any, Any] = {}
    for row in rows:
        if row.get("event") == "view":
            continue
        if "dwell" in row:
            own = row["dwell"]
        else:
            later = [other["time"] for other in rows if other["time"] > row["time"]]
            own = min(later) - row["time"] if later else None
        before = spent.get(row["item"], 0)
        spent[row["item"]] = None if own is None or before is None else before + own
    return {item: time for item, time in spent.items() if time is not None}


def dwell(rows: Sequence[Row], tolerance: Any = 0) -> Pairs:
    """Each item over those on which less time was spent, by more than the tolerance."""
    spent = time_spent(rows)
    return {(u, v) for u in spent for v in spent if spent[u] - spent[v] > tolerance}


RULES: dict[str, Callable[[Sequence[Row]], Pairs]] = {
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


def sessions_of(log: Sequence[Row]) -> dict[Any, list[Row]]:
    sessions: dict[Any, list[Row]] = {}
    for row in log:
        sessions.setdefault(row["session"], []).append(row)
    return sessions


def support(
    log: Sequence[Row],
    rules: Sequence[Callable[[Sequence[Row]], Pairs]],
    by: Sequence[str] = (),
    weight: Callable[[int], Fraction] | None = None,
) -> Counter[tuple[Any, ...]]:
    """(groups, preferred, other) -> how many sessions say so, or the sum of their weights."""
    counts: Counter[tuple[Any, ...]] = Counter()
    for rows in sessions_of(log).values():
        group = tuple(rows[0][name] for name in by)
        for u, v in set[tuple[Any, Any]]().union(*(rule(rows) for rule in rules)):
            counts[*group, u, v] += weight(position_of(rows, u)) if weight else 1  # type: ignore[assignment]
    return counts


def quirks(log: Sequence[Row]) -> dict[str, int]:
    """How often something odd occurs."""
    counts: Counter[str] = Counter()
    for rows in sessions_of(log).values():
        views = {item for item in items_of(rows) if "view" in events_of(rows, item)}
        clicked = clicked_of(rows)
        counts["sessions_without_click"] += not clicked
        counts["not_shown"] += len(set(clicked) - views) if views else 0
        counts["repeated_events"] += len(rows) - len({(r["item"], r["event"]) for r in rows})
    return dict(counts)


#: How many hold two items to be alike, or both to be bad.
Ties = Counter[frozenset[Any]]


def of_battles(rows: Sequence[tuple[Any, Any, str]]) -> tuple[Counter[Any], Ties, Ties]:
    """A battle prefers the winner; a tie and two bad answers prefer none."""
    wins, ties, bad = Counter[Any](), Ties(), Ties()
    for a, b, winner in rows:
        if winner.startswith("model"):
            wins[(a, b) if winner == "model_a" else (b, a)] += 1
        else:
            (ties if winner == "tie" else bad)[frozenset((a, b))] += 1
    return wins, ties, bad


def of_ratings(rows: Sequence[tuple[Any, Any, float]]) -> tuple[Counter[Any], Ties]:
    """Each user prefers what they rated higher in the end, and holds equal ratings to be alike."""
    rated = {(user, item): rating for user, item, rating in rows}
    wins, ties = Counter[Any](), Ties()
    for (user, u), (other, v) in combinations(rated, 2):
        higher = rated[user, u] - rated[other, v]
        if user == other and higher:
            wins[(u, v) if higher > 0 else (v, u)] += 1
        elif user == other:
            ties[frozenset((u, v))] += 1
    return wins, ties
