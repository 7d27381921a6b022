"""How a click log is read, once for many questions: `ClickLog`.

Idea: *what is asked decides which columns are read.* Two questions about the same columns share one
reading, of which the rows are kept as numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from porank.clicks.log import Log, Wanted
from porank.clicks.rules import rules_of
from porank.clicks.shapes import shape_options
from porank.core.arguments import require_amount
from porank.core.column_names import plain_name
from porank.errors import PorankError, a_kind, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.clicks.log import LogCounts
    from porank.clicks.shapes import LogShape
    from porank.core.files import Problem
    from porank.typing import Item


#: What logs of bandits call the probability of the action that they took.
_OF_ACTIONS = ("propensityscore", "pscore", "actionprob", "actionprobability")


class ClickLog:
    """A click log and how it is read; every function of logs takes one.

    Functions of logs also take whatever `ClickLog` takes as `source`, and read it with the
    defaults.

    Parameters
    ----------
    source : mapping of columns, frame, table, rows, or path
        A mapping of columns to arrays, a frame of pandas or polars, a table of pyarrow; an iterable
        of mappings or tuples; the path of a CSV file (tab-separated if it ends in .tsv or .tab,
        compressed if in .gz), of a file of JSON Lines (.jsonl, .ndjson) or of a Parquet file; or an
        open file, opened as bytes if it is called .parquet or .pq. The labels in CSV files are
        texts; blanks around a cell are not part of it. Or a Dask DataFrame of
        events, flags or clicks, for `preference_pairs`.
    columns : mapping, optional
        What the log calls ``session``, ``item``, ``event``, ``position``, ``time``, ``dwell``,
        ``user``, ``query`` and the columns of groups, if these are not usual names; positions
        counted from 0 for rows or texts without names. Several columns together may name a session:
        ``{"session": ["user", "day"]}``; ``{"event": None}`` says that each row is a click, and
        ``{"position": None}`` that positions are not read. The
        usual names, in any case, with or without blanks, ``_`` and ``-``: session, session_id,
        user_session, sess_id; user, user_id, visitor, visitor_id; query, query_id, qid; item,
        item_id, product, product_id; position, pos, rank; event, event_type, or else action,
        behavior_type, interaction; time, timestamp, ts, datetime, unix_time, event_time,
        event_timestamp, event_ts, click_time, created_at, timestamp_ms, time_ms, epoch, timeframe,
        or else date, event_date, unless another column may hold times, too; dwell, dwell_time,
        time_spent, or else duration.
    events : sequence
        The events, strongest first; a tuple holds events of one strength. The last means that an
        item was shown and no more; the others count as clicks. By default usual names of these are
        known, too: buy, order or transaction for a purchase; cart or fav, which count the same, for
        a click; pv or impression for a view. ``shape`` lists what was taken for what.
    shown, clicked : str, optional
        The columns of the items of a list that was shown, and of those clicked in it, or of a flag
        for each item shown: lists, in Parquet or JSON, or texts with a sign between the items. Each
        row is a session. Beside a column of items, they hold flags or counts, and each row is an
        item shown.
    marks : str, optional
        The column of lists whose items are marked, as in ``N55-1 N87-0``: 1 for clicked.
    gap : number or timedelta, optional
        A pause after which another session of a user begins, in a log without a column of sessions:
        in the unit of its times, in seconds if they are dates. The sessions are called (user, 1),
        (user, 2) and so on.
    propensity : mapping, sequence, callable or str, optional
        The name of a column that holds it for each row, or its place in rows without names; or
        position -> the probability that a user looks at what stands there; a sequence gives those
        of the positions 1, 2 and so on, as does a series of pandas without an index of its own;
        `estimate_propensity` estimates them where items moved. In
        `preference_pairs`, `from_log` and `feedback_report` a session then counts for
        ``1 / max(propensity, clip)`` at the position of the preferred item, instead of for 1; of
        several rows of an item in a session the largest counts.
    errors : {"raise", "report"}
        "raise" stops at the first bad row; "report" leaves bad rows out and lists them in
        ``problems``.

    Raises
    ------
    PorankError
        If a number is out of range. What is wrong in the log itself is raised by the function that
        reads it.

    See Also
    --------
    preference_pairs, from_log, explore

    Examples
    --------
    >>> import porank as po
    >>> rows = [("s1", "tea", "view"), ("s1", "milk", "click"), ("s2", "tea", "like")]
    >>> log = po.ClickLog(rows, columns={"session": 0, "item": 1, "event": 2}, errors="report")
    >>> list(po.from_log(log).edges), len(po.preference_pairs(log))
    ([('milk', 'tea')], 1)
    >>> log
    <ClickLog: 1 session, 2 items, 2 events, 1 problem>

    Notes
    -----
    The log is read when a function first asks for it, in time O(rows), and is kept as numbers, of 8
    bytes for each row and column. A question about other columns, as of a rule that asks for
    positions, reads it again; an iterator and an open file can be read only once.
    """

    def __init__(
        self,
        source: Any,
        *,
        columns: Mapping[str, Any] | None = None,
        events: Sequence[Any] = ("purchase", "click", "view"),
        shown: Any = None,
        clicked: Any = None,
        marks: Any = None,
        gap: float | timedelta | None = None,
        propensity: Any = None,
        errors: str = "raise",
    ) -> None:
        if isinstance(source, ClickLog):
            raise PorankError("expected a log that is not a ClickLog yet, found a ClickLog")
        self.source = source
        columns = shape_options(columns, shown=shown, clicked=clicked, marks=marks)
        self.propensity = propensity
        if self.has_propensity_column:
            is_sure = isinstance(columns, Mapping) and columns.get("propensity") == propensity
            if plain_name(propensity) in _OF_ACTIONS and not is_sure:
                raise PorankError(
                    "expected how likely an item is looked at as propensity, found the column "
                    f"{propensity!r}, which mostly tells how likely it was chosen to be shown",
                    hint=f"columns={{'propensity': {propensity!r}}} beside it takes it anyway",
                )
            columns = shape_options(columns, propensity=propensity)
        gap = gap.total_seconds() if isinstance(gap, timedelta) else gap
        self.options: dict[str, Any] = {
            "columns": {} if columns is None else columns,
            "events": events,
            "gap": None if gap is None else float(require_amount(gap, name="gap")),
            "errors": errors,
        }
        self._is_spent = False
        self._readings: dict[Any, Log] = {}

    @classmethod
    def of(cls, log: Any, **reading: Any) -> ClickLog:
        """Return a log as it is, or what holds one, to be read once with some options."""
        return log if isinstance(log, ClickLog) else cls(log, **reading)

    @classmethod
    def unweighed(cls, log: Any) -> ClickLog:
        """Return a log of which each session counts once."""
        found = cls.of(log)
        if found.propensity is not None:
            raise PorankError(
                "expected a log without propensity=, because each session or user counts once, "
                "found one with it",
                hint="feedback_relation(from_log(log)) has degrees of weighed sessions",
            )
        return found

    def on(self, source: Any) -> ClickLog:
        """Return another log that is read as this one."""
        log = copy(self)
        log.source, log._is_spent, log._readings = source, False, {}
        return log

    @property
    def has_propensity_column(self) -> bool:
        """Whether each row has its propensity, in a column."""
        return isinstance(self.propensity, (str, int))

    @property
    def is_spent(self) -> bool:
        """Whether the log has been read and cannot be read again, as an open file."""
        return self._is_spent

    def asked(self, wanted: Wanted) -> Log:
        """Return the log as it is read for a question, at once if another had the same columns."""
        if wanted.key not in self._readings:
            if self._is_spent:
                raise PorankError(
                    f"expected a log that can be read again, because another question needs other "
                    f"columns, found {a_kind(self.source)}; a list or a path can be"
                )
            self._is_spent = hasattr(self.source, "read") or hasattr(self.source, "__next__")
            self._readings[wanted.key] = Log(self.source, wanted, **self.options)
        return self._readings[wanted.key]

    def _plain(self) -> Log:
        """Return the log as it was read for any question."""
        for log in self._readings.values():
            return log
        return self.asked(Wanted({"": rules_of("levels")}, ("preferred", "other")))

    @property
    def items(self) -> list[Item]:
        """The items, in the sequence in which they appear."""
        return self._plain().items()

    @property
    def counts(self) -> LogCounts:
        """The size of the log, and what is odd in it."""
        return self._plain().counts

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The rows that could not be used; empty where errors are raised."""
        return self._plain().problems.by_line()

    @property
    def shape(self) -> LogShape:
        """What was taken for what."""
        return self._plain().shape()

    def __repr__(self) -> str:
        if not self._readings:
            return f"<ClickLog of {a_kind(self.source)}>"
        counts, problems = self.counts, len(self.problems)
        sizes = [
            counted(counts.sessions, "session"),
            counted(counts.items, "item"),
            counted(counts.events, "event"),
            *([counted(problems, "problem")] if problems else []),
        ]
        return f"<ClickLog: {', '.join(sizes)}>"
