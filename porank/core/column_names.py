"""Find out which column of a log or table has which role, from given names or the usual names.

`find_columns` finds the columns of some roles. `usual_columns` returns the columns that could have
a role, and `are_usual` returns whether all columns could have one. `names_days` finds columns of
dates without a time of day. `require_named` raises an error for rows without column names, and
`named_columns` returns the columns that the user named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from porank.core.csv_cells import COUNTS, pair_columns, plain_name
from porank.errors import PorankError, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


#: Names of the columns that pandas and R write for the labels of rows.
ROW_LABELS = {"", "index", "rownames", "unnamed:0"}


def require_named(names: Sequence[Any], columns: Mapping[str, Any]) -> None:
    """Raise an error if columns have only positions, and the user has not named them."""
    if names and not columns and all(isinstance(name, int) for name in names):
        raise PorankError(
            "expected columns={'session': 0, ...} because the rows have no column names, "
            f"found {len(names)} columns"
        )


def _numbered(*signs: str) -> list[str]:
    """Return the names of the columns of one of two items."""
    words = ("model", "item", "system", "player", "team", "option")
    return [word + sign for word in words for sign in signs]


#: The roles of columns, and their usual names in lower case without blanks and ``_``, ``-``, ``.``.
_ROLES: dict[str, tuple[str, ...]] = {
    "session": ("session", "sessionid", "usersession", "sessid"),
    "user": ("user", "userid", "visitor", "visitorid"),
    "query": ("query", "queryid", "qid"),
    "item": ("item", "itemid", "product", "productid"),
    "position": ("position", "pos", "rank"),
    "event": ("event", "eventtype"),
    "time": (
        *("time", "timestamp", "ts", "datetime", "unixtime", "eventtime", "eventtimestamp"),
        *("eventts", "clicktime", "createdat", "timestampms", "timems", "epoch", "timeframe"),
    ),
    "dwell": ("dwell", "dwelltime", "timespent"),
    "list": ("impressionid", "listid", "searchid", "requestid", "serpid", "pageviewid"),
    "shown": (
        *("shown", "shownitems", "itemsshown", "shownids", "inview", "articleidsinview"),
        *("displayed", "displayeditems", "slate", "impressions", "impression"),
    ),
    "clicked": (
        *("clicked", "clickeditems", "itemsclicked", "clickedids", "clicks"),
        *("articleidsclicked", "clickeditem", "click", "isclick", "isclicked", "clickbool"),
        *("wasclicked", "hasclick", "hasclicked"),
    ),
    "bought": ("bought", "purchased", "purchase", "booked", "isbooking", "bookingbool"),
    "marks": ("marks", "markeditems", "impressions", "behaviors"),
    "rating": ("rating", "ratings", "stars"),
    "model_a": ("a", "left", "home", "hometeam", "white", *_numbered("a", "1")),
    "model_b": ("b", "right", "away", "awayteam", "black", *_numbered("b", "2")),
    "winner": ("winner", "outcome", "result"),
    "score_a": ("scorea", "score1", "goals1", "points1", "homescore", "homegoals", "fthg"),
    "score_b": ("scoreb", "score2", "goals2", "points2", "awayscore", "awaygoals", "ftag"),
    "wins_a": ("winsa", "wins1", "win1", "homewins"),
    "wins_b": ("winsb", "wins2", "win2", "awaywins"),
    "chosen": ("chosen", "winner", "winnername", "better", "best", "top"),
    "rejected": ("rejected", "loser", "losername", "worse", "worst", "bottom"),
    "times": COUNTS,
}
#: Names that are used only if none of the above is found: many logs have a day and a time.
_LESS_USUAL = {
    "session": ("visit", "visitid"),
    "event": (
        *("action", "actiontype", "behavior", "behaviortype", "behaviour", "behaviourtype"),
        *("interaction", "interactiontype"),
    ),
    "time": ("date", "eventdate"),
    "dwell": ("duration",),
    "rating": ("plays", "playcount", "listens", "listencount", "count", "counts"),
    "list": ("srchid", "displayid"),
    "user": ("judge", "judgeid", "annotator", "annotatorid", "rater", "raterid"),
    "query": ("prompt", "promptid", "question", "questionid"),
    "item": (
        *("movieid", "bookid", "songid", "trackid", "articleid", "newsid", "docid", "url"),
        *("urlid", "adid", "propid"),
    ),
}
#: Words in the names of columns that hold times.
_LIKE_TIMES = ("time", "stamp", "clock")


def find_columns(
    names: Sequence[Any],
    columns: Mapping[str, Any],
    *,
    needed: Iterable[str],
    wished: Iterable[str] = (),
) -> dict[str, tuple[Any, ...]]:
    """Find which columns of a log are the session, item, event and so on, by their names."""
    needed, wished = list(needed), list(wished)
    _require_roles(columns, {*needed, *wished})
    found = {role: _find_column(role, names, columns) for role in [*needed, *wished]}
    again = [name for column in found.values() for name in column if list(names).count(name) > 1]
    if again:
        raise PorankError(f"expected each column once, found {listed(again)} more than once")
    missing = [role for role in needed if not found[role]]
    if missing:
        used = {name for column in found.values() for name in column}
        raise _missing_columns(missing, names, free=len(set(names) - used))
    return {role: column for role, column in found.items() if column}


def is_clear(role: str, names: Sequence[Any], columns: Mapping[str, Any]) -> bool:
    """Return whether the user names the column of a role, or just one has a usual name for it."""
    try:
        return role in columns or bool(_find_column(role, names, columns))
    except PorankError:
        return False


def _require_roles(columns: Mapping[str, Any], others: set[str]) -> None:
    if not isinstance(columns, Mapping):
        raise PorankError(
            f"expected a mapping such as {{'session': 'SessionId'}} as columns, found {columns!r}"
        )
    unknown = [role for role in columns if role not in _ROLES and role not in others]
    if unknown:
        raise PorankError(
            f"expected {listed(_ROLES)} or a name in by as keys of columns, found {listed(unknown)}"
        )


def _find_column(role: str, names: Sequence[Any], columns: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the columns of a log that have one role; empty if there is no such column."""
    if role in columns:
        named = columns[role]
        if named is None:
            return ()
        several = tuple(named) if role == "session" and isinstance(named, (tuple, list)) else None
        for name in several or (named,):
            if name not in names:
                raise PorankError(
                    f"expected a column {name!r} for {role}, found {listed(names) or 'none'}"
                )
        return several or (named,)
    usual = usual_columns(role, names)
    if len(usual) > 1:
        raise PorankError(
            f"expected one column for {role}, found {listed(usual)}",
            hint=_naming(role),
        )
    if role == "time" and usual and names_days(usual[0]):
        _require_no_other_time(usual[0], names)
    return tuple(usual)


def usual_columns(role: str, names: Sequence[Any]) -> list[Any]:
    """Return the columns whose names are usual for a role; there may be several."""
    if role in names:
        return [role]
    tiers = (_ROLES.get(role, ()), _LESS_USUAL.get(role, ()))
    found = ([name for name in names if plain_name(name) in tier] for tier in tiers)
    return next(filter(None, found), [])


def named_columns(columns: Mapping[str, Any]) -> list[Any]:
    """Return the columns that the user named; several can identify a session."""
    values = (value if isinstance(value, (list, tuple)) else [value] for value in columns.values())
    return [name for names in values for name in names if name is not None]


def are_usual(names: Iterable[Any], roles: Sequence[str]) -> bool:
    """Return whether the name of each column is usual for one of some roles, or labels rows."""
    known = {name for role in roles for name in (*_ROLES[role], *_LESS_USUAL.get(role, ()))}
    return all(plain_name(name) in known | ROW_LABELS for name in names)


def names_days(time: Any) -> bool:
    """Return whether a column of times may hold only days, by its name, such as ``eventdate``."""
    return plain_name(time) in _LESS_USUAL["time"]


def _require_no_other_time(day: Any, names: Sequence[Any]) -> None:
    """Raise an error if a column of times may hold only days and another column has times."""
    spent = {*_ROLES["dwell"], *_LESS_USUAL["dwell"]}
    others = [
        name
        for name in names
        if name != day
        and (names_days(name) or any(sign in plain_name(name) for sign in _LIKE_TIMES))
        and plain_name(name) not in spent
        and "zone" not in plain_name(name)
    ]
    if others:
        raise PorankError(
            f"expected one column of times, found {quoted(day)}, which may hold days only, and "
            f"{listed(others)}",
            hint=_naming("time"),
        )


def _naming(role: str) -> str:
    """Return the hint for users whose column names do not show which column has a role."""
    return f"ClickLog(log, columns={{{role!r}: ...}}), or --columns {role}=..., names it"


#: A hint for tables in which columns are missing.
_SHAPES = (
    "a log has the columns session, item and event, or with gap= user, item, event and time, or "
    "lists in columns shown and clicked; ratings user, item and rating; battles model_a, model_b "
    "and winner, or winner, loser, or item1, item2, wins1, wins2, or home, away, home_goals, "
    "...; fit_strengths takes a matrix of wins, too, with the names of its columns in another one"
)


def _missing_columns(missing: Sequence[str], names: Sequence[Any], *, free: int) -> PorankError:
    """Return the error for a log in which no columns were found for some roles."""
    message = (
        f"expected a column for {' and for '.join(missing)}, found {listed(names) or 'no columns'}"
    )
    user = next((name for name in names if plain_name(name) in _ROLES["user"]), None)
    hint = "; ".join([_naming(missing[0]), _SHAPES][: 2 if "winner" in missing else len(missing)])
    if missing[0] == "session" and user is not None:
        hint = (
            f"ClickLog(log, columns={{'session': {user!r}}}) treats all events of a user as one "
            "session; with gap=1800, a new session starts after half an hour"
        )
    elif missing[0] == "session" and usual_columns("clicked", names):
        hint += (
            "; counts over many sessions do not show which items appeared together, but "
            "from_scores({item: clicks / impressions}) ranks the items"
        )
    elif missing[0] == "event" and names:
        hint += ", columns={'event': None} if each row is a click"
    elif free < len(missing):
        # There are fewer free columns than missing roles.
        if not names:
            return PorankError(f"{message}: the log is empty")
        message, hint = f"{message}: there are too few", _SHAPES
    hint = "from_pairs(table, counts=True) reads these pairs" if pair_columns(names) else hint
    return PorankError(message, hint=hint)
