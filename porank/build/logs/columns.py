"""Which column of a log is which: by the usual names, or as the caller says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from porank.errors import PorankError
from porank.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: What a column can stand for, and what it is called elsewhere: without case, blanks, ``_``, ``-``.
ROLES: dict[str, tuple[str, ...]] = {
    "session": ("session", "sessionid", "usersession", "sessid"),
    "user": ("user", "userid", "visitor", "visitorid"),
    "query": ("query", "queryid", "qid"),
    "item": ("item", "itemid", "product", "productid"),
    "position": ("position", "pos", "rank"),
    "event": ("event", "eventtype"),
    "time": (
        *("time", "timestamp", "ts", "datetime", "unixtime", "eventtime", "eventtimestamp"),
        *("eventts", "clicktime", "createdat", "timestampms", "timems", "epoch"),
    ),
    "dwell": ("dwell", "dwelltime", "timespent"),
}
#: Names that count only if there is none of the above: logs often have a day beside the time.
_LESS_USUAL = {"time": ("date", "eventdate"), "dwell": ("duration",)}
#: Signs that names of columns are compared without.
_FILLERS = str.maketrans("", "", "_- ")


def find_columns(
    names: Sequence[Any],
    columns: Mapping[str, Any],
    *,
    needed: Iterable[str],
    wished: Iterable[str] = (),
) -> dict[str, tuple[Any, ...]]:
    """Return the columns of a log that stand for each role.

    Parameters
    ----------
    names : sequence
        The names in the log.
    columns : mapping
        Role -> name, or names whose values together say which session it is.
    needed, wished : iterable of str
        The roles without which it does not go, and those that are taken where they are there: what
        stands in `columns` comes first, then a column of exactly this name, then a usual name, and
        at last a name that is less so.

    Examples
    --------
    >>> names = ["SessionId", "ItemId", "Time", "shop"]
    >>> find_columns(names, {}, needed=["session", "item", "shop"], wished=["time", "event"])
    {'session': ('SessionId',), 'item': ('ItemId',), 'shop': ('shop',), 'time': ('Time',)}
    >>> find_columns(names, {"event": "Event"}, needed=["event"])
    Traceback (most recent call last):
    porank.errors.PorankError: expected a column 'Event' for event, found 'SessionId', 'ItemId',
    'Time', 'shop'
    """
    needed, wished = list(needed), list(wished)
    _require_roles(columns, {*needed, *wished})
    found = {role: _find_column(role, names, columns) for role in [*needed, *wished]}
    again = [name for column in found.values() for name in column if list(names).count(name) > 1]
    if again:
        raise PorankError(f"expected each column once, found again: {listed(again)}")
    missing = [role for role in needed if not found[role]]
    if missing:
        raise PorankError(_missing_columns(missing, names))
    return {role: column for role, column in found.items() if column}


def _require_roles(columns: Mapping[str, Any], others: set[str]) -> None:
    if not isinstance(columns, Mapping):
        raise PorankError(
            f"expected a mapping such as {{'session': 'SessionId'}} as columns, found {columns!r}"
        )
    unknown = [role for role in columns if role not in ROLES and role not in others]
    if unknown:
        raise PorankError(
            f"expected {listed(ROLES)} or a name in by as keys of columns, found {listed(unknown)}"
        )


def _find_column(role: str, names: Sequence[Any], columns: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the columns of a role, none if there are none."""
    if role in columns:
        named = columns[role]
        several = tuple(named) if role == "session" and isinstance(named, (tuple, list)) else None
        for name in several or (named,):
            if name not in names:
                raise PorankError(
                    f"expected a column {name!r} for {role}, found {listed(names) or 'none'}"
                )
        return several or (named,)
    if role in names:
        return (role,)
    tiers = (ROLES.get(role, ()), _LESS_USUAL.get(role, ()))
    found = ([name for name in names if _plain(name) in tier] for tier in tiers)
    usual = next(filter(None, found), [])
    if len(usual) > 1:
        raise PorankError(
            f"expected one column of {role}s, found {listed(usual)}; "
            f"columns={{{role!r}: ...}} says which"
        )
    return tuple(usual)


def _plain(name: Any) -> str:
    return name.lower().translate(_FILLERS) if isinstance(name, str) else ""


def _missing_columns(missing: Sequence[str], names: Sequence[Any]) -> str:
    hint = f"columns={{{missing[0]!r}: ...}} names it"
    only = names[0] if len(names) == 1 and isinstance(names[0], str) else ""
    sign = next((sign for sign in "\t;|" if sign in only), None)
    if sign is not None:
        way_out = f"pandas.read_csv(path, sep={sign!r}) reads it"
        hint = f"its columns seem to be separated by {sign!r}: {way_out}"
    user = next((name for name in names if _plain(name) in ROLES["user"]), None)
    if missing[0] == "session" and user is not None:
        hint = f"columns={{'session': {user!r}}} takes all events of a user as one session"
    return (
        f"expected a column for {' and for '.join(missing)}, "
        f"found {listed(names) or 'no columns'}; {hint}"
    )
