"""The statements of a log: in which list which item was preferred to which, and who says so.

Idea: *one table, mined once.* Each row is a statement of one list shown: the preferred and the
other item, where they stood, the session, and the number of items of the list. Preference pairs,
evidence, the taste model and the test on unseen sessions are views of this table.

A statement counts for an independent *unit*. A user, judge or annotator is one with all sessions,
if the log names at least 20 of them: then they are a sample of those who might come. Fewer are a
fixed part of the question, and the unit is a prompt of battles, or else a session. If judges are
the units, and share at least 20 prompts, these are kept, too; fewer prompts are fixed.

`ask` returns what a question reads, `mine` yields its statements piece by piece; `read_statements`
keeps all of them as `Statements`, with their units.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.clicks.click_log import ClickLog
from porank.clicks.rules import dwell, each_over, pairs_of_rules, rules_of
from porank.clicks.sessions import joined_rows, take_rows
from porank.core.arguments import require_one_of
from porank.core.arrays import grouped, of_groups, run_bounds
from porank.core.csv_cells import plain_name
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.clicks.log import Asked, Log
    from porank.clicks.rules import EntryPairs, NamedRule
    from porank.clicks.sessions import Rows, Sessions
    from porank.core.files import Problem
    from porank.typing import Item, Numbers


#: The columns that hold the items of a statement, and their positions, -1 if unknown.
SIDES, PLACES = ("preferred", "other"), ("at", "other_at")
#: Column of statements of ratings: 0 if one item is preferred, 1 for ties, 2 if both are bad.
VERDICT = "verdict"
#: The units that can be asked for.
UNITS = ("user", "session")
#: Minimum number of users, or of prompts, that are a sample rather than a part of the question.
LEAST_SAMPLE = 20


def ask(
    log: Log, rules: Sequence[NamedRule], by: Sequence[str] = (), uses: Sequence[str] = ()
) -> Asked:
    """Return the sessions of a log for some rules, and the rows that are bad for them."""
    needs = [name for rule in rules for name in rule.needs]
    # Times would only be used to work out the dwell times, if these are not known.
    spare = {"time"} if "dwell" in log.reader.roles else set()
    wishes = [
        name
        for rule in rules
        for name in rule.wishes
        if rule.inner is not dwell or name not in spare
    ]
    return log.asked(needs, wishes, by, uses)


def mine(asked: Asked, rules: Sequence[NamedRule], names: Sequence[str]) -> Iterator[Rows]:
    """Yield columns of the statements that rules find in a log, a piece of the log at a time."""
    for sessions in asked.sessions():
        yield _statements_in(sessions, rules, names)


def _statements_in(sessions: Sessions, rules: Sequence[NamedRule], names: Sequence[str]) -> Rows:
    """Return columns of the statements of some sessions, each once per session or list."""
    preferred, other = pairs_of_rules(sessions, rules)
    verdict = np.zeros_like(preferred)
    if is_graded := "rating" in sessions.rows:
        one, two = _tied(sessions)
        verdict = np.append(verdict, 1 + np.isneginf(sessions.last_rating[one]))
        preferred, other = np.append(preferred, one), np.append(other, two)
    rows = {name: _column(sessions, name, preferred, other) for name in names}
    rows |= {VERDICT: verdict} if is_graded else {}
    if "list" in names or _is_one_list(sessions):
        return rows
    # Several lists of a session may state the same, which counts once.
    session = sessions.first_of_entries("session")[preferred]
    order, starts = grouped(session, *rows.values())
    return take_rows(rows, np.sort(order[starts]))


def _is_one_list(sessions: Sessions) -> bool:
    """Return whether each session shows one list."""
    return bool(np.all(np.diff(sessions.first_of_entries("session")[sessions.starts]) != 0))


def _column(sessions: Sessions, name: str, preferred: Numbers, other: Numbers) -> Numbers:
    """Return a column of statements as numbers: of the items, their places, the list or session."""
    if name in SIDES:
        return sessions.item.take(preferred if name == "preferred" else other)
    if name in PLACES:
        return sessions.place.take(preferred if name == "at" else other)
    if name == "list":
        return sessions.list.take(preferred)
    if name == "size":
        return (sessions.stop - sessions.first).take(preferred)
    return sessions.first_of_entries(name).take(preferred)


def stood(rows: Rows) -> Numbers:
    """Return for statements 1 if the preferred item stood above, -1 if below, 0 if unknown."""
    at, other_at = (rows[name] for name in PLACES)
    side: Numbers = np.sign(other_at - at) * (np.minimum(at, other_at) >= 0)
    return side


def _tied(sessions: Sessions) -> EntryPairs:
    """Return the tied pairs of ratings that rules look at, the first item of each first."""
    order, _ = grouped(sessions.list, sessions.level)
    _, stop = run_bounds(sessions.list[order], sessions.level[order])
    return each_over(sessions, order, order, np.arange(order.size) + 1, stop)


class GroupItem(NamedTuple):
    """An item within a group, such as a document among the answers to one query."""

    group: Any
    item: Item

    def __str__(self) -> str:
        return f"{self.group}: {self.item}"


@dataclass(frozen=True, eq=False)
class Statements:
    """All statements of a click log, with the units that make them.

    Attributes
    ----------
    log : Log
        The log that was read.
    items : list
        All items of the log; items are numbered in this order.
    codes : array of int
        For each item its number in `log`, plus, with groups, the number of its group times the
        number of items of the log; ascending. Items that `log` does not have come last, without a
        code.
    rows : dict of arrays
        The columns ``session``, ``list``, ``preferred``, ``other``, ``at``, ``other_at`` and
        ``size``, the number of items of the list; for ratings and battles also ``verdict``, with
        rows for tied pairs.
    unit : str
        What a unit is, for sentences: "user", "judge", "session", "battle" and so on.
    unit_of_session : array of int
        The unit of each session, -1 for sessions without a good row. Units are numbered in the
        order of appearance, so the numbers do not depend on whether labels are numbers or texts.
    units : int
        Number of units.
    fixed : str
        The users or judges, for example "these 3 judges", if they are too few to be the units; or
        the prompts of judges, if these are the units and share fewer than 20.
    prompts : array of int or None
        If units are judges, the prompt of each session, if the log names at least 20.
    group : str or None
        The column within whose values items are compared; items are then `GroupItem`.
    kept : array of bool or None
        The sessions of the log that make the statements; None for all.
    problems : tuple of Problem
        The bad rows.
    """

    log: Log
    items: list[Item]
    codes: Numbers
    rows: Rows
    unit: str
    unit_of_session: Numbers
    units: int
    fixed: str = ""
    prompts: Numbers | None = None
    group: str | None = None
    kept: NDArray[np.bool_] | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def is_present(self) -> NDArray[np.bool_]:
        """Which sessions have a good row."""
        return self.unit_of_session >= 0

    def of(self, is_kept: NDArray[np.bool_]) -> Statements:
        """Return the statements of some sessions."""
        rows = take_rows(self.rows, is_kept[self.rows["session"]])
        return replace(self, rows=rows, kept=is_kept)

    def keeps(self, sessions: Sessions) -> NDArray[np.bool_]:
        """Return which entries of sessions of the log belong to these statements."""
        if self.kept is None:
            return np.ones(len(sessions), dtype=bool)
        is_kept: NDArray[np.bool_] = self.kept[sessions.first_of_entries("session")]
        return is_kept

    @property
    def decided(self) -> Rows:
        """The rows in which one item is preferred."""
        rows = self.rows
        return take_rows(rows, rows[VERDICT] == 0) if VERDICT in rows else rows

    def within(self, column: str) -> Statements:
        """Return the same statements, with the items of each value of a column kept separate."""
        if column == "query":
            number = values_of_lists(self.log, column)[self.rows["list"]]
        else:
            number = self.log.of_sessions(column)[self.rows["session"]]
        # -1, the last one, stands for no value.
        labels, n = [*self.log.labels[column].values(), None], len(self.items)
        codes = {side: number * n + self.rows[side] for side in SIDES}
        found = np.unique(np.concatenate([*codes.values()]))
        rows = self.rows | {side: np.searchsorted(found, codes[side]) for side in SIDES}
        group, item = np.divmod(found, max(n, 1))
        items: list[Item] = [
            GroupItem(labels[g], self.items[i]) for g, i in zip(group, item, strict=True)
        ]
        in_log = group * len(self.log.labels["item"]) + self.codes[item]
        return replace(self, items=items, codes=in_log, rows=rows, group=column)

    def numbers_of(self, sessions: Sessions) -> Numbers:
        """Return the number of the item of each entry of sessions; n for items not among the n."""
        codes = sessions.item.astype(np.int64)
        if self.group is not None:
            groups = sessions.first_of_entries(self.group).astype(np.int64)
            codes += groups * len(self.log.labels["item"])
        places = np.searchsorted(self.codes, codes).clip(max=self.codes.size - 1)
        return np.where(self.codes[places] == codes, places, len(self.items))

    def followed_by(self, later: Statements) -> Statements:
        """Return the statements of two logs together, those of the later log after the others.

        Items of the later log that this one does not have are added. Sessions and units of the
        later log count as different ones, whatever their names. `log` is still the earlier one.
        """
        if self.rows.keys() != later.rows.keys():
            raise PorankError("expected two logs of the same kind, found ties in one of them")
        number = {item: place for place, item in enumerate(self.items)}
        for item in later.items:
            number.setdefault(item, len(number))
        place = np.array([number[item] for item in later.items], dtype=np.int64)
        moved = later.rows | {side: place[later.rows[side]] for side in SIDES}
        moved["session"] = moved["session"] + self.unit_of_session.size
        moved["list"] = moved["list"] + 1 + self.rows["list"].max(initial=-1)
        units = later.unit_of_session
        units = np.where(units < 0, -1, units + self.units)
        return replace(
            self,
            items=[*number],
            rows=joined_rows([dict(self.rows), moved]),
            unit_of_session=np.concatenate([self.unit_of_session, units]),
            units=self.units + later.units,
            prompts=_joined(self.prompts, later.prompts),
        )


def _joined(one: Numbers | None, other: Numbers | None) -> Numbers | None:
    """Return the prompts of the sessions of two logs, those of the later one as different ones."""
    if one is None or other is None:
        return None
    return np.append(one, np.where(other < 0, -1, other + 1 + one.max(initial=-1)))


def values_of_lists(log: Log, name: str) -> Numbers:
    """Return the value of a column for each list of a log, which lists do not mix."""
    found = np.full(1 + max((int(p.list.max(initial=-1)) for p in log.sessions()), default=-1), -1)
    for piece in log.sessions():
        found[piece.list] = piece.first_of_entries(name)
    return found


def read_statements(
    log: Any,
    *,
    rule: Any = "levels",
    unit: str | None = None,
    group: str | None = None,
    segments: Sequence[str] = (),
    needs: Sequence[str] = (),
    uses: Sequence[str] = ("position", "time"),
    **reading: Any,
) -> Statements:
    """Return the statements of a click log by some rules, with the units that make them.

    Parameters
    ----------
    log : ClickLog, table, path, or Statements
        The log; or an earlier result with the same options.
    rule : rule, or several
        As for `preference_pairs`.
    unit : {"user", "session"}, optional
        The unit; by default it is chosen as described in this module.
    group : str, optional
        Column for `Statements.within`; lists end where its value changes.
    segments : sequence of str
        Other columns to be read, with one value in each session.
    needs : sequence of str
        Other columns without which there is no answer.
    uses : sequence of str
        Columns that are used if the log has them; their cells must then be readable.
    **reading
        How to read a table or path, as for `ClickLog`.
    """
    if isinstance(log, Statements):
        return log
    if unit is not None:
        require_one_of(unit, UNITS, name="unit")
    rules = rules_of(rule)
    asked = [name for one in rules for name in one.needs] + [*needs]
    asked += ["user"] * (unit == "user")
    read = ClickLog.of(log, **reading).read(asked, by=segments, cut=group)
    names = ("session", "list", *SIDES, *PLACES, "size")
    found = ask(read, rules, segments, uses=uses)
    parts = list(mine(found, rules, names))
    nothing = {name: np.zeros(0, dtype=np.int64) for name in names}
    rows = read.among_used(joined_rows(parts) if parts else nothing)
    word, number, units, fixed, prompts = _units(read, unit)
    if read.are_battles:
        # A verdict that is repeated is one unit.
        number[rows["session"]] = number[rows["session"][repeats_of(read, rows)]]
        values, number = np.unique(number, return_inverse=True)
        units = int(np.count_nonzero(values >= 0))
        number = number - (values.size - units)
    statements = Statements(
        read,
        read.items(),
        read.used_items,
        rows,
        word,
        number,
        units,
        fixed,
        prompts=prompts,
        problems=found.problems,
    )
    return statements if group is None else statements.within(group)


def read_test_log(log: Any, **reading: Any) -> Statements:
    """Return the statements of a log to test on; errors say that they are in this log."""
    try:
        return read_statements(log, **reading)
    except PorankError as error:
        error.source = " ".join(filter(None, ["the test log", error.source]))
        raise


def require_choices(statements: Statements) -> None:
    """Raise an error if no list of a log prefers an item to another, with what it has instead."""
    if statements.decided["session"].size:
        return
    counts, problems = statements.log.counts, statements.problems
    lists = [sizes for piece in statements.log.sessions() for sizes in piece.sizes.tolist()]
    found = "lists in which all items are alike, such as all clicked or all tied"
    hint = "ClickLog(log).format, .counts and porank mine LOG show how a log was read"
    if not lists:
        found = "no events"
    elif max(lists) < 2:
        found = f"{counted(len(lists), 'list')} of one item each"
    elif counts.sessions_without_click == counts.sessions - counts.empty_sessions:
        found = f"no click in {counted(counts.sessions, 'session')}"
    elif "sessions_without_showing" in counts.quirks():
        found = "clicks only, without the items that were shown and not chosen"
        hint = "from_log(log, rule='click_over_earlier_click') compares clicks with each other"
    if problems:
        found += f", and {counted(len(problems), 'bad row')}, the first: {problems[0]}"
    raise PorankError(
        f"expected a log with a list in which one item is preferred to another, found {found}",
        hint=hint,
    )


def repeats_of(log: Log, rows: Rows) -> Numbers:
    """Return for each statement the first one that it repeats, by default itself.

    A battle repeats another one of the same judge, prompt, pair and sequence. Battles without a
    known prompt, or without a known judge if the log has judges, repeat none.
    """
    session = rows["session"]
    found = np.arange(session.size)
    if not (log.are_battles and log.has("query")):
        return found
    sequence = np.where(rows["at"] < rows["other_at"], *(rows[side] for side in SIDES))
    judge, prompt = (log.of_sessions(role) for role in ("user", "query"))
    is_known = (prompt >= 0) & ((judge >= 0) | ~(judge >= 0).any())
    some = np.flatnonzero((session < judge.size) & is_known[session.clip(max=judge.size - 1)])
    u, v = (rows[side][some] for side in SIDES)
    keys = judge[session[some]], prompt[session[some]], np.minimum(u, v), np.maximum(u, v)
    order, starts = grouped(*keys, sequence[some])
    found[some] = of_groups(some[order[starts]], order, starts)
    return found


def _units(log: Log, unit: str | None) -> tuple[str, Numbers, int, str, Numbers | None]:
    """Return what a unit is, the unit of each session, their number, who is fixed, and prompts."""
    is_there = np.zeros(len(log.labels["session"]), dtype=bool)
    for piece in log.sessions():
        is_there[piece.rows["session"]] = True
    format_ = log.reader.name
    fixed = ""
    roles = ("user", "query") if log.are_battles else ("user",)
    for role in (*roles, "session") if unit is None else (unit,):
        number = log.of_sessions(role) if role != "session" else np.arange(is_there.size)
        number = np.where(is_there, number, -1)
        word = _word_for(log, role, format_)
        count = np.unique(number[number >= 0]).size
        if role == "session" or unit is not None or count >= LEAST_SAMPLE:
            is_crossed = role == "user" and unit is None and log.are_battles
            prompt = np.where(is_there & is_crossed, log.of_sessions("query"), -1)
            many = np.unique(prompt[prompt >= 0]).size
            prompts = _numbered(prompt, is_there)[0] if many >= LEAST_SAMPLE else None
            if 0 < many < LEAST_SAMPLE:
                fixed = _these(many, _word_for(log, "query", format_))
            return word, *_numbered(number, is_there), fixed, prompts
        if role == "user" and count:
            fixed = _these(count, word)
    raise AssertionError  # sessions are always units


def _these(count: int, word: str) -> str:
    """Return the words for what is too little to stand for others."""
    return f"this {word}" if count == 1 else f"these {count} {word}s"


def _word_for(log: Log, role: str, format_: str) -> str:
    """Return the word for a unit: the name of its column, if it is a usual one."""
    if role == "session":
        return {"battles": "battle", "choices": "choice"}.get(format_, "session")
    (name, *_) = log.reader.roles.get(role, (role,))
    word = plain_name(name).removesuffix("id")
    return word if word in ("judge", "annotator", "rater", "prompt", "question") else role


def _numbered(number: Numbers, is_there: NDArray[np.bool_]) -> tuple[Numbers, int]:
    """Return the units of sessions, numbered in order of appearance, and how many there are.

    Sessions without a unit come after the others, each as a unit of its own.
    """
    code, is_alone = number.copy(), is_there & (number < 0)
    code[is_alone] = 1 + number.max(initial=0) + np.arange(np.count_nonzero(is_alone))
    found = np.full(number.size, -1, dtype=np.int64)
    values, found[is_there] = np.unique(code[is_there], return_inverse=True)
    return found, values.size
