"""A click log and how to read it, so several questions can share one reading: `ClickLog`.

Idea: *the log is read once, with all columns that are known, and kept as numbers.* Only a question
about another column, such as a group, reads it again.
"""

from __future__ import annotations

from copy import copy
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from porank.clicks.log import WITHIN, Log
from porank.clicks.log_formats import KNOWN
from porank.core.arguments import require_amount
from porank.errors import PorankError, a_kind, counted, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.clicks.log_formats import LogFormat
    from porank.clicks.quirks import LogCounts
    from porank.core.files import Problem
    from porank.typing import Item


_READING = ("columns", "events", "gap", "errors")
#: Words of other libraries for arguments of functions that read a log.
_OTHER_WORDS = {"random_state": "seed", "significance": "risk", "alpha": "risk", "level": "risk"}


class ClickLog:
    """A click log and how to read it.

    Functions that take a log accept a `ClickLog`, or anything that `ClickLog` accepts as `source`.

    Parameters
    ----------
    source : mapping of columns, frame, table, rows, or path
        Mapping of column names to arrays; pandas or polars DataFrame; pyarrow table; iterable of
        mappings or tuples; path of a CSV file (tab-separated if it ends in .tsv or .tab, compressed
        if it ends in .gz), a JSON Lines file (.jsonl, .ndjson) or a Parquet file; or an open file
        (opened as bytes if its name ends in .parquet or .pq). Labels in CSV files are text, without
        the blanks around a cell. `preference_pairs` also takes a Dask DataFrame of events, flags or
        clicks.
    columns : mapping, optional
        Names of the columns in this log, for ``session``, ``item``, ``event``, ``position``,
        ``time``, ``dwell``, ``user``, ``query`` and the columns of groups; for rows or text without
        names, their positions counted from 0. ``shown`` and ``clicked`` are columns with the list
        of items that was shown, and with the items clicked in it or a flag for each item shown. The
        cells are lists, in Parquet or JSON, or text with a separator between the items; each row is
        a session. If the log also has a column of items, these columns hold flags or counts, and
        each row is an item shown. ``marks`` is a column of lists whose items carry marks, such as
        ``N55-1 N87-0``, where 1 means clicked. Only needed for unusual names. Several columns can
        identify a session: ``{"session": ["user", "day"]}``. With ``{"event": None}`` each row is a
        click; with ``{"position": None}`` positions are not read. Usual names, in any case, with or
        without blanks, ``_``, ``-`` and ``.``: session, session_id, user_session, sess_id, or else
        visit, visit_id; user, user_id, visitor, visitor_id; query, query_id, qid; item, item_id,
        product, product_id; position, pos, rank; event, event_type, or else action, behavior_type,
        interaction; time, timestamp, ts, datetime, unix_time, event_time, event_timestamp,
        event_ts, click_time, created_at, timestamp_ms, time_ms, epoch, timeframe, or else date,
        event_date, unless another column may hold times, too; dwell, dwell_time, time_spent, or
        else duration.
    events : sequence
        The events, strongest first; a tuple holds events of equal strength. The last one means that
        an item was only shown; all others count as clicks. With the default, usual names are also
        known: buy, order or transaction for a purchase; cart or fav for a click; pv or impression
        for a view. ``format`` lists how they were read.
    gap : number or timedelta, optional
        Length of a pause after which a new session of a user begins, in a log without a column of
        sessions: in seconds if its times are dates or numbers since 1970, otherwise in their unit.
        The sessions are called (user, 1), (user, 2) and so on.
    errors : {"raise", "report"}
        "raise" stops at the first bad row; "report" skips bad rows and lists them in ``problems``.

    Raises
    ------
    PorankError
        If a number is out of range. Errors in the log itself are raised by the function that reads
        it.

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
    The log is read in time O(rows) when a function first needs it, and kept as numbers of 8 bytes
    for each row and column. A cell that cannot be read counts as missing, or makes its row bad if a
    question uses it: models of places use positions and times. A question about another column,
    such as a group, reads the log again. An iterator or an open file can be read only once.
    """

    def __init__(
        self,
        source: Any,
        *,
        columns: Mapping[str, Any] | None = None,
        events: Sequence[Any] = ("purchase", "click", "view"),
        gap: float | timedelta | None = None,
        errors: str = "raise",
    ) -> None:
        if isinstance(source, ClickLog):
            raise PorankError("expected the source of a log, found a ClickLog; use it as it is")
        self.source = source
        gap = gap.total_seconds() if isinstance(gap, timedelta) else gap
        self.options: dict[str, Any] = {
            "columns": {} if columns is None else columns,
            "events": events,
            "gap": None if gap is None else float(require_amount(gap, name="gap")),
            "errors": errors,
        }
        self._is_spent = False
        self._log: Log | None = None

    @classmethod
    def of(cls, log: Any, **reading: Any) -> ClickLog:
        """Return a log as it is, or make a `ClickLog` of its source and some options."""
        if isinstance(log, ClickLog) and reading:
            raise PorankError(
                f"expected a table or path with {listed(reading)}, found a ClickLog, which has its "
                "own options"
            )
        if unknown := [name for name in reading if name not in _READING]:
            hint = f"; {word}= says it" if (word := _OTHER_WORDS.get(unknown[0])) else ""
            raise TypeError(f"unexpected keyword argument {unknown[0]!r}{hint}")
        return log if isinstance(log, ClickLog) else cls(log, **reading)

    def on(self, source: Any) -> ClickLog:
        """Return another source as a log with the same options."""
        log = copy(self)
        log.source, log._is_spent, log._log = source, False, None
        return log

    def read(
        self,
        needs: Sequence[str] = (),
        *,
        by: Sequence[str] = (),
        segment: str | None = None,
        cut: str | None = None,
    ) -> Log:
        """Return the log as read, with the columns of groups and of segments.

        `needs` are columns without which a question has no answer; `cut` is a column whose values
        part the lists.
        """
        _require_whole(by, WITHIN)
        cut = None if cut == "query" else cut  # queries always part the lists
        known = ("session", *KNOWN)
        extra = [name for name in dict.fromkeys([*by, segment, cut]) if name and name not in known]
        needs = [*needs, *(name for name in (*by, segment, cut) if name in KNOWN)]
        log = self._log
        if log is None or not {*extra} <= {*log.extra} or cut != log.cut:
            if self._is_spent:
                raise PorankError(
                    f"cannot read {a_kind(self.source)} a second time, for other columns; pass a "
                    "list or a path"
                )
            self._is_spent = hasattr(self.source, "read") or hasattr(self.source, "__next__")
            more = dict.fromkeys([*extra, *(log.extra if log is not None else ())])
            log = Log(self.source, needs=needs, extra=[*more], cut=cut, **self.options)
        _require_whole(by, log.reader.results)
        log.reader.require(needs)
        self._log = log
        return log

    def _plain(self) -> Log:
        """Return the log as read so far."""
        return self._log or self.read()

    @property
    def items(self) -> list[Item]:
        """The items, in order of appearance."""
        return self._plain().items()

    @property
    def counts(self) -> LogCounts:
        """Size of the log, and how often it has each quirk."""
        return self._plain().counts

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The bad rows; empty with ``errors="raise"``."""
        return self._plain().problems.by_line()

    @property
    def format(self) -> LogFormat:
        """How the columns of the log were read."""
        return self._plain().format()

    def __repr__(self) -> str:
        if self._log is None:
            return f"<ClickLog of {a_kind(self.source)}>"
        counts, problems = self.counts, len(self.problems)
        sizes = [
            counted(counts.sessions, "session"),
            counted(counts.items, "item"),
            counted(counts.events, "event"),
            *([counted(problems, "problem")] if problems else []),
        ]
        return f"<ClickLog: {', '.join(sizes)}>"


def _require_whole(by: Sequence[str], within: Sequence[Any]) -> None:
    """Raise an error if columns of a log, to group it by, are some whose values differ within."""
    if found := [name for name in by if name in within]:
        raise PorankError(
            f"expected columns that describe whole sessions, such as 'user', found {listed(found)}"
        )
