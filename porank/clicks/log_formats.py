"""The formats of logs: how a log is recognised, and how its rows become events.

Not every log has a row for each event. A row may be a list with the items clicked in it, a battle
of two models, or a rating. All have the same content: which items were shown together, and what
happened to each.

Idea: *each format is translated into events.* It is recognised by the names of its columns. Each
row becomes rows of events that the other modules understand: item, event and position; or, if the
log grades items, item and rating. So files of any size, line numbers of bad rows, groups and rules
work for every format.

`LogFormat` describes how a log was read; `LogReader` recognises and reads it. `BOTH_BAD` is the
rating of two items that are both bad.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from porank.clicks.battle_results import BattleResults
from porank.core.arrays import run_bounds
from porank.core.column_names import (
    are_usual,
    find_columns,
    is_clear,
    named_columns,
    names_days,
    usual_columns,
)
from porank.core.columns import Block, Texts, cells_at, encoded, is_missing
from porank.core.csv_cells import plain_name
from porank.core.graphs import require_memory
from porank.core.labels import Faults, Labels, read_finite, read_whole
from porank.core.tables import one_line
from porank.errors import ParseError, PorankError, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from porank.core.columns import Source
    from porank.core.files import Problems
    from porank.typing import Numbers


#: The rating of two items that are both bad: they are tied, but differently from two good ones.
BOTH_BAD = -np.inf


@dataclass(frozen=True, repr=False)
class LogFormat:
    """The format in which a log was read, and how its columns were read.

    Attributes
    ----------
    name : str
        ``"events"``, ``"flags"``, ``"clicks"``, ``"impressions"``, ``"marks"``, ``"ratings"``,
        ``"battles"`` or ``"choices"``.
    columns : tuple
        Pairs of a role, such as "item", and the names of its columns.
    remarks : tuple of str
        Other decisions, in plain sentences.
    is_plain : bool
        Whether it is a log of events whose columns have the standard names or were given.

    See Also
    --------
    preference_pairs, explore

    Examples
    --------
    >>> import porank as po
    >>> log = {"shown": ["a b c", "b c"], "clicked": ["b", "c"], "visitor_id": ["Ada", "Ben"]}
    >>> print(po.preference_pairs(log, by="user").format)
    impressions: user = 'visitor_id', shown = 'shown', clicked = 'clicked'; each row is a session,
        named by its line; lists are split at blanks
    """

    name: str
    columns: tuple[tuple[str, tuple[Any, ...]], ...]
    remarks: tuple[str, ...] = ()
    is_plain: bool = False

    def __str__(self) -> str:
        return "; ".join(self.sentences())

    def __repr__(self) -> str:
        return one_line(self, str(self))

    def sentences(self) -> list[str]:
        """Return how the columns were read, and each remark."""
        read = [f"{role} = {listed(names)}" for role, names in self.columns]
        return [f"{self.name}: {', '.join(read) or 'no columns'}", *self.remarks]


#: Events made of rows: the row of each event, and columns with its item and outcome.
_Events: TypeAlias = "tuple[Numbers, dict[str, Any]]"
#: The items of lists in one list, and the row of each.
_Lists: TypeAlias = "tuple[list[Any], Numbers]"


class _Form(NamedTuple):
    """A format to recognise: its name, the columns that it needs, and the columns that it makes.

    Sessions are named by the first of some columns that the log has; with None, each row is a
    session.
    """

    name: str
    needs: tuple[str, ...]
    makes: tuple[str, ...] = ()
    sessions: tuple[str | None, ...] = ("session",)
    wishes: tuple[str, ...] = ()


#: The columns that each row of a list, or of two graded items, makes; each row is a list.
_LISTED, _GRADED = ("item", "event", "position", "list"), ("item", "rating", "list")
_BATTLE, _TIMES = (*_GRADED, "position"), ("times",)
_IN_LISTS = ("session", "list", None)
_EVENTS = _Form("events", ())
_FLAGS = _Form(
    "flags", ("item", "clicked"), ("event",), ("session", "list"), wishes=("shown", "bought")
)
_CLICKS = _Form("clicks", (), ("event",))
_RATINGS = _Form("ratings", ("item", "rating"), sessions=("user", "session"))
_FORMS = (
    _Form("impressions", ("shown", "clicked"), _LISTED, _IN_LISTS),
    _Form("marks", ("marks",), _LISTED, _IN_LISTS),
    _Form("battles", ("model_a", "model_b", "winner"), _BATTLE, (None,), _TIMES),
    _Form("battles", ("model_a", "model_b", "score_a", "score_b"), _BATTLE, (None,)),
    # Which item of counted battles stood first is unknown.
    _Form("battles", ("model_a", "model_b", "wins_a", "wins_b"), _GRADED, (None,)),
    _Form("choices", ("chosen", "rejected"), _GRADED, (None,), _TIMES),
    _RATINGS,
)
#: Columns that are read if a log has them, beside the session, the item and those of its format.
KNOWN = ("event", "user", "query", "list", "position", "time", "dwell")
#: Columns that a log of clicks may have; another column might mean that not all rows are clicks.
_BESIDE_CLICKS = ("session", "list", "user", "query", "item", "time")


def are_of_log(names: Sequence[str]) -> bool:
    """Return whether these are the columns of a log, whose items are in lists or of somebody."""
    log = LogReader(names, {}, ("click", "view"))
    if log.name != "events":
        return log.is_whole
    who = chain.from_iterable(usual_columns(role, names) for role in ("session", "user"))
    return any(who) and any(usual_columns("item", names))


class LogReader:
    """A log with named columns, read as events in the format that the columns indicate."""

    def __init__(
        self, names: Sequence[Any], columns: Any, events: Sequence[Any], *, gap: Any = None
    ) -> None:
        self._names, self._columns, self._gap = names, columns, gap
        self._form = _EVENTS
        if isinstance(columns, Mapping):
            self._given = named_columns(columns)
            self._form = self._recognised()
        #: The events for bought, clicked, and shown.
        self._outcomes = [*events[:1], *events[-2:]]
        self._found: dict[str, tuple[Any, ...]] = {}
        #: The columns of each role that is read, and the roles whose columns are made.
        self.roles: dict[str, tuple[Any, ...]] = {}
        self._made: list[str] = []
        #: The role whose column names users.
        self.owner = "user"
        self._sign: str | None = ""
        #: Whether items are parts of texts.
        self._is_cut = False
        self._has_flags: bool | None = None
        #: The number of battles so far, if rows count them.
        self._battles = 0
        self._decided = {"each row is a click": None} if self._form is _CLICKS else {}

    @property
    def is_made(self) -> bool:
        """Whether the rows are not events, so events are made of them."""
        return bool(self._form.makes)

    @property
    def name(self) -> str:
        """The name of the format."""
        return self._form.name

    @property
    def is_whole(self) -> bool:
        """Whether the log has all columns of its format; always true for events."""
        return self._has_all(self._form)

    @property
    def results(self) -> tuple[Any, ...]:
        """The columns of which events are made, such as the winner of a battle."""
        return tuple(chain.from_iterable(self._found.values()))

    def _has_all(self, form: _Form) -> bool:
        return all(map(self._has, form.needs))

    def _recognised(self) -> _Form:
        """Return the form that the given columns indicate, or else the usual names."""
        has, given = self._has, self._columns.keys()
        if self._columns.get("event", "") is None:
            return _CLICKS
        partial = [form for form in (_FLAGS, *_FORMS) if {*form.needs} & given - {"item"}]
        if partial:
            return max(partial, key=lambda form: (len({*form.needs} & given), self._has_all(form)))
        if has("item") and not self._names_lists():
            return self._form_of_items()
        whole = (form for form in _FORMS if form.needs and self._has_all(form))
        # Errors name the missing columns of a format, unless the log might have another format. Of
        # battles it must have most columns, because a race has a winner, too.
        few = {form: len(form.needs) // 2 if "rating" in form.makes else 0 for form in _FORMS}
        parts = (form for form in _FORMS if sum(map(has, form.needs)) > few[form])
        return next(chain(whole, () if has("session") else parts), _EVENTS)

    def _names_lists(self) -> bool:
        """Return whether, by their names, the columns shown and clicked hold lists."""
        clicked = map(plain_name, usual_columns("clicked", self._names))
        return self._has("shown") and any("ids" in name or "items" in name for name in clicked)

    def _form_of_items(self) -> _Form:
        """Return the form of a log with a row for each item, by its other columns."""
        has = self._has
        if has("clicked") and not has("event"):
            return _FLAGS
        if has("event") or has("dwell"):
            return _EVENTS
        is_of_someone = has("session") or has("user")
        if has("rating") and is_of_someone:
            return _RATINGS
        others = [name for name in self._names if name not in self._given]
        return _CLICKS if is_of_someone and are_usual(others, _BESIDE_CLICKS) else _EVENTS

    def _has(self, role: str) -> bool:
        """Return whether the log has a column for a role, by its usual name or as given."""
        return role in self._columns or any(
            name not in self._given for name in usual_columns(role, self._names)
        )

    def find(self, needs: Sequence[str], extra: Sequence[str]) -> None:
        """Find all columns of the log that are read, and those that are made."""
        form, names = self._form, self._names
        source = self._session_role()
        made = [role for role in form.makes if role != source]
        self.owner = "session" if source == "user" else "user"
        needed = [source] if source else []
        needed += [role for role in ("item", "rating") if role in ("item", *form.needs)]
        needed += [*["time"] * (self._gap is not None), *self._needed(needs), *extra]
        needed = [role for role in dict.fromkeys(needed) if role not in made]
        wished = [role for role in KNOWN if role not in (*made, *needed)]
        read = find_columns(
            names,
            self._columns,
            needed=needed,
            wished=[
                role
                for role in wished
                if is_clear(role, names, self._columns)
                and not (role == "event" and self._is_graded)
            ],
        )
        if made:
            own = [role for role in form.needs if role != "item"]
            wishes = list(filter(self._has, form.wishes))
            read_only = {*read} - {*own, *wishes}
            given = {role: name for role, name in self._columns.items() if role not in read_only}
            self._found = find_columns(names, given, needed=own, wished=wishes)
            are_winners = "winner" in self._columns or "winner" not in self._found
            self._read_results = BattleResults(chain(*self._found.values()), are_winners)
        if source:
            read["session"] = read[source]
        else:
            made.append("session")
        self.roles = read
        self._made = made

    @property
    def _is_graded(self) -> bool:
        """Whether items are rated, so there are no events."""
        return "rating" in self._form.needs + self._form.makes

    def _needed(self, roles: Iterable[str]) -> list[str]:
        """Return the roles that a question needs and for which the log must have a column."""
        made = {*self._form.makes, *["event"] * self._is_graded}
        return [role for role in roles if role not in made]

    def require(self, needs: Iterable[str], wishes: Iterable[str] = ()) -> None:
        """Raise an error if the log has no column, or several, for a role that a question needs.

        Also if it has several for a role that the question wishes for.
        """
        known = {*self.roles, *self._made}
        missing = [role for role in self._needed(needs) if role not in known]
        unclear = [role for role in self._needed(wishes) if role not in known]
        if self._names and missing + unclear:
            wished = [role for role in (*unclear, *self._columns) if role not in missing]
            find_columns(self._names, self._columns, needed=missing, wished=wished)

    def _session_role(self) -> str | None:
        """Return the role whose column names the sessions, None if each row is a session."""
        if "session" in self._columns:
            return "session"
        form = self._form
        if self._gap is not None and "item" not in form.makes and form is not _RATINGS:
            return "user"
        known = (role for role in form.sessions if role is None or self._has(role))
        return next(known, "session")

    def described(self, remarks: Iterable[str] = ()) -> LogFormat:
        """Return how the columns were read, once the log has been read, with some remarks."""
        remarks = [*remarks, *self._decided]
        if self._form.makes and "session" not in self.roles:
            what, name = ("battle", "number") if self._battles else ("row", "line")
            remarks.append(f"each {what} is a session, named by its {name}")
        if self._gap is not None and self.roles:
            remarks.append(f"a new session begins after a pause of more than {self._gap:g}")
        if self._sign != "":
            is_json = self._sign == "["
            at = "blanks" if self._sign is None else repr(self._sign)
            remarks.append("lists are read as JSON" if is_json else f"lists are split at {at}")
        if "time" in self.roles and "time" not in self._columns:
            (time,) = self.roles["time"]
            if names_days(time):
                remarks.append(
                    f"{time!r} is read as the time: if it holds days, the order of events within "
                    "a day is unknown"
                )
        read = self.roles | self._found
        is_plain = not remarks and self._form is _EVENTS
        is_plain &= all(names == (role,) or role in self._columns for role, names in read.items())
        return LogFormat(self.name, tuple(read.items()), tuple(remarks), is_plain)

    def blocks(self, source: Source, problems: Problems) -> Iterator[Block]:
        """Yield blocks of events with a column for each role; bad rows go to `problems`."""
        own = list(chain(*self._found.values()))
        wanted = list(dict.fromkeys([*chain(*self.roles.values()), *own]))
        for block in source.blocks(wanted, problems):
            columns = {role: _values_of_role(block, names) for role, names in self.roles.items()}
            if not self.is_made:
                yield Block(columns, block.lines)
                continue
            (row, made), faults = self._events_of(block)
            for place, message in sorted(dict(faults[::-1]).items()):
                text = ", ".join(quoted(block.columns[name][place]) for name in own)
                problems.meet(ParseError(message), line=int(block.lines[place]), text=text)
            kept = np.flatnonzero(~np.isin(row, [place for place, _ in faults]))
            row = row[kept]
            lines = block.lines[row]
            made = {role: cells_at(column, kept) for role, column in made.items()}
            made = {"session": lines, "list": lines} | made
            columns = {role: cells_at(column, row) for role, column in columns.items()}
            yield Block(columns | {role: made[role] for role in self._made}, lines)

    def _events_of(self, block: Block) -> tuple[_Events, Faults]:
        """Return the events in a block of rows, and the faults of bad rows."""
        if self._form is _CLICKS:
            rows = block.lines.size
            return (np.arange(rows), {"event": Texts(self._outcomes, np.ones(rows, int))}), []
        if self._form is _FLAGS:
            return self._of_flags(block)
        cells = [block.columns[name] for (name,) in self._found.values()]
        if self.name == "impressions":
            shown, clicked = map(self._lists, cells)
            if self._has_flags is None and clicked[0]:
                self._has_flags = self._are_flags(shown, clicked)
            return (self._of_listed_flags if self._has_flags else self._of_lists)(shown, clicked)
        if self.name == "marks":
            return self._of_marks(self._lists(*cells))
        return self._of_battles(dict(zip(self._found, cells, strict=True)))

    def _of_battles(self, columns: dict[str, Any]) -> tuple[_Events, Faults]:
        """Return both items of the battles in each row, with their ratings."""
        winner = columns.pop("winner", None)
        first, second, *results = columns.values()
        outcome, faults = self._read_results(first, second, first if winner is None else winner)
        made: dict[str, Any] = {}
        row, are_scores = np.arange(len(first)), "score_a" in columns
        for place, column in enumerate(results):
            results[place], wrong = (read_finite if are_scores else read_whole)(column, "a result")
            faults += wrong
        if are_scores:
            gap = results[0] - results[1]
            outcome = np.select([gap > 0, gap < 0], [0, 1], 2)
            unknown = np.flatnonzero(np.isnan(gap)).tolist()
            faults += [(place, "expected two scores, found none") for place in unknown]
        elif results:
            # Counts of the outcome, or of both outcomes.
            times = np.nan_to_num(np.stack(results, axis=1))
            way_out = "fit_strengths({(u, v): wins}) takes any counts"
            require_memory(_BYTES * times.sum(), what="counted battles", instead=way_out)
            times = times.astype(np.int64)
            outcome = np.tile([0, 1], row.size) if len(results) > 1 else outcome
            row, outcome = np.repeat(row, times.sum(axis=1)), np.repeat(outcome, times.ravel())
            made["session"] = made["list"] = np.repeat(np.arange(row.size), 2) + self._battles
            self._battles += row.size
        sides = (cells_at(side, row) for side in (first, second))
        made["item"] = [item for pair in zip(*sides, strict=True) for item in pair]
        made["rating"] = _RATED[outcome].reshape(-1)
        made["position"] = np.tile([1.0, 2.0], row.size)
        return (np.repeat(row, 2), made), faults

    def _of_lists(self, shown: _Lists, clicked: _Lists) -> tuple[_Events, Faults]:
        """Return the events of lists of items shown and of items clicked, with the row of each."""
        labels, sizes = Labels("item"), [row.size for _, row in (shown, clicked)]
        codes, wrong = labels.encode([*shown[0], *clicked[0]])
        row, (first, _) = np.append(shown[1], clicked[1]), run_bounds(shown[1])
        order = np.argsort(row, kind="stable")
        position = np.append(np.arange(1.0, sizes[0] + 1) - first, np.full(sizes[1], np.nan))
        made = {
            "item": Texts(list(labels.values()), codes[order]),
            "event": Texts(self._outcomes, np.repeat([2, 1], sizes)[order]),
            "position": position[order],
        }
        return (row[order], made), [(int(row[place]), message) for place, message in wrong]

    def _of_marks(self, marked: _Lists) -> tuple[_Events, Faults]:
        """Return the events of lists of items with marks, such as ``N55-1`` (1 means clicked)."""
        cut = [str(item).rpartition("-") for item in marked[0]]
        clicks = np.array([("0", "1").index(m) if m in ("0", "1") else -1 for *_, m in cut], int)
        return self._of_clicks(([item or mark for item, _, mark in cut], marked[1]), clicks)

    def _of_listed_flags(self, shown: _Lists, flags: _Lists) -> tuple[_Events, Faults]:
        """Return the events of lists of items with lists of flags, which may be empty."""
        sizes, given = _sizes(shown, flags)
        clicks, is_whole = np.where(given > 0, -1, 0)[shown[1]], sizes == given
        counts = self._counted(flags[0], *self._found["clicked"])
        clicks[is_whole[shown[1]]] = counts[is_whole[flags[1]]]
        return self._of_clicks(shown, clicks)

    def _of_clicks(self, shown: _Lists, clicks: Numbers) -> tuple[_Events, Faults]:
        """Return the events of lists of items, with the number of clicks on each, -1 if unknown."""
        items, row = shown
        chosen = np.flatnonzero(clicks > 0)
        events, wrong = self._of_lists(shown, ([items[k] for k in chosen.tolist()], row[chosen]))
        uncounted = np.flatnonzero(clicks < 0).tolist()
        message = "expected 0 or 1, or counts in columns named clicks, found neither for {!r}"
        return events, [(int(row[k]), message.format(items[k])) for k in uncounted] + wrong

    def _of_flags(self, block: Block) -> tuple[_Events, Faults]:
        """Return the events of rows that each show an item, with a flag or count of clicks."""
        ones = np.ones(block.lines.size, dtype=np.int64)
        counts = {"bought": 0 * ones, "clicked": ones, "shown": ones}
        for role, (name,) in self._found.items():
            counts[role] = self._counted(block.columns[name], name)
        is_odd = (np.stack([*counts.values()]) < 0).any(axis=0)
        if "shown" in self._found:
            is_odd |= counts["clicked"] > counts["shown"]
        names = list(chain(*self._found.values()))
        expected = (
            f"expected 0 or 1 in {listed(names)}, or at most as many clicks as views, found {{}}; "
            f"for other values, use columns={{{{'event': {names[0]!r}}}}} and "
            "events=[...], which lists the values, strongest first"
        )
        faults = [
            (place, expected.format(listed(str(block.columns[name][place]) for name in names)))
            for place in np.flatnonzero(is_odd).tolist()
        ]
        row = [np.flatnonzero(column > 0) for column in counts.values()]
        event = np.repeat(np.arange(3), list(map(len, row)))
        order = np.argsort(np.concatenate(row), kind="stable")
        made = {"event": Texts(self._outcomes, event[order])}
        return (np.concatenate(row)[order], made), faults

    def _counted(self, column: Any, name: Any) -> Numbers:
        """Return the number of clicks in each cell, -1 if invalid; at most 1 unless it counts."""
        is_count = plain_name(name).rstrip("0123456789").endswith("s")
        is_count |= self._form is _FLAGS and "shown" in self._found
        if isinstance(column, np.ndarray) and column.dtype.kind in "biu":
            counts = column.astype(np.int64)
            counts[(counts < 0) | ((counts > 1) & (not is_count))] = -1
            if counts.max(initial=0) > 1:
                self._decided["several clicks on an item count once"] = None
            return counts
        plain = column.tolist() if isinstance(column, np.ndarray) else column
        cells = plain if isinstance(plain, Texts) else encoded(plain)
        counts = np.zeros(len(cells.different), dtype=np.int64)
        for number in np.flatnonzero(np.bincount(cells.index)).tolist():
            text = _plain(cells.different[number])
            counts[number] = _MEANINGS.get(text, -1)
            if text in _EMPTY:
                self._decided[f"an empty cell of {name!r} means no click"] = None
            if is_count and text.isdecimal() and len(text) < 10:
                counts[number] = int(text)
        if counts.max(initial=0) > 1:
            self._decided["several clicks on an item count once"] = None
        return counts.take(cells.index)

    def _are_flags(self, shown: _Lists, clicked: _Lists) -> bool:
        """Return whether the clicked lists hold flags, not items; raise an error if unclear."""
        flags, items = ({_plain(cell) for cell in cells} for cells in (clicked[0], shown[0]))
        if not all(flag in _MEANINGS or re.fullmatch(r"-?\d+", flag) for flag in flags):
            return False
        sizes, given = _sizes(shown, clicked)
        if flags & items and not (flags <= {"0", "1"} and np.array_equal(sizes, given)):
            return False
        is_aligned = bool(np.any((sizes == given) & (sizes > 1)))
        if not flags & items and flags & _MEANINGS.keys() and is_aligned:
            self._decided["clicks are flags, one for each item shown"] = None
            return True
        raise PorankError(
            f"expected items that were shown, or one flag for each of several items, as clicked, "
            f"found {listed(clicked[0], limit=2)} for the items {listed(shown[0], limit=2)}; if a "
            f"row shows one item, use columns={{'item': {self._found['shown'][0]!r}}}"
        )

    def _lists(self, column: Any) -> _Lists:
        """Return the items in all cells of a column in one list, and the row of each."""
        cells = list(column)
        texts = [cell for cell in cells if isinstance(cell, str)]
        if self._sign == "" and texts:
            self._sign = _sign_in(texts)
        lists = list(map(self._list, cells))
        sizes = np.array(list(map(len, lists)), dtype=np.int64)
        items = list(chain.from_iterable(lists))
        self._is_cut |= bool(texts) and self._sign != "[" and bool((sizes > 1).any())
        if self._is_cut:  # Numbers beside the parts of texts are such parts, too.
            items = [x if isinstance(x, str) else str(x).removesuffix(".0") for x in items]
        return items, np.repeat(np.arange(sizes.size), sizes)

    def _list(self, cell: Any) -> list[Any]:
        """Return the items in a cell that holds a list, one item, or nothing."""
        if isinstance(cell, str):
            return _cut(cell, self._sign)
        if hasattr(cell, "tolist"):
            cell = cell.tolist()
        if isinstance(cell, (list, tuple, set, frozenset)):
            return list(cell)
        return [] if is_missing(cell) else [cell]


def _values_of_role(block: Block, names: tuple[Any, ...]) -> Any:
    """Return the values of the column of a role of a log, or tuples if it has several columns."""
    if len(names) == 1:
        return block.columns[names[0]]
    columns = [block.columns[name].tolist() for name in names]
    return [
        None if any(map(is_missing, values)) else values for values in zip(*columns, strict=True)
    ]


def _sign_in(texts: Sequence[str]) -> str | None:
    """Return the separator of lists in texts, for logs of the format of lists; None for blanks."""
    joined = "\n".join(texts)
    if joined.startswith("[") or "\n[" in joined:
        return "["
    return next((sign for sign in "\t|;," if sign in joined), None)


def _cut(text: str, sign: str | None) -> list[Any]:
    """Return the items in a text, for logs of the format of lists."""
    if sign is None:
        return text.split()
    if sign != "[":
        return [item.strip() for item in text.split(sign) if not is_missing(item)]
    # NumPy writes strings without commas between them, and Python would join these.
    is_numpy = re.search(r"""['"]\s+['"]""", text)
    for read in (json.loads, ast.literal_eval) if not is_numpy else ():
        try:
            found = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return list(found) if isinstance(found, (list, tuple)) else [found]
    return [item.strip("'\"") for item in text.strip(" []").replace(",", " ").split()]


def _sizes(*lists: _Lists) -> Iterator[Numbers]:
    """Yield for each column of a log of lists the number of items in each row."""
    rows = 1 + max(int(row.max(initial=0)) for _, row in lists)
    return (np.bincount(row, minlength=rows) for _, row in lists)


def _plain(cell: Any) -> str:
    """Return the text of a cell that may be a flag, in lower case, for the format of a log."""
    return str(cell).strip().lower().removesuffix(".0")


#: The meanings of cells: 1 for a click, 0 for none.
_EMPTY = ("", "none", "nan", "nat", "<na>")
_MEANINGS = {
    **dict.fromkeys(("1", "true", "yes", "y", "t", "click", "clicked"), 1),
    **dict.fromkeys(("0", "false", "no", "n", "f", *_EMPTY), 0),
}


#: Memory of a battle in bytes.
_BYTES = 400
#: The ratings of two items, if the first wins, the second wins, they tie, or both are bad.
_RATED = np.array([[1, 0], [0, 1], [0, 0], [BOTH_BAD, BOTH_BAD]])
