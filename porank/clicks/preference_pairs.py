"""Preference pairs of a click log with their evidence: `preference_pairs`.

Idea: *no session is split between partitions.* A Dask DataFrame is shuffled by session, and the
pairs of its partitions are added up.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import PreferencePairs, tally_of
from porank.clicks.log_formats import KNOWN, LogReader
from porank.clicks.rules import rules_of
from porank.clicks.statements import ask
from porank.core.dask_frames import is_dask, map_groups
from porank.errors import PorankError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from porank.clicks.rules import NamedRule
    from porank.clicks.sessions import Sessions


def preference_pairs(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    by: str | Sequence[str] = ("session",),
    **reading: Any,
) -> PreferencePairs | Any:
    """Return the preference pairs that the sessions of a click log imply, with their support.

    Each row of a log is an event of a session: an item was shown, clicked or bought. A rule decides
    which items of a session are preferred to which. The support of a pair in a group of sessions is
    the number of sessions in the group in which the first item is preferred. Logs of other formats,
    in which a row is a list, a battle or a rating, are recognised by their columns and read as such
    events.

    Parameters
    ----------
    log : ClickLog, table or path
        The log; a `ClickLog` can be used for several questions, and is read once.
    rule : str, callable, or several of them
        Rule that decides which items are preferred: ``"levels"``, ``"dwell"``,
        ``"click_over_skip_above"``, ``"last_click_over_skip_above"``,
        ``"click_over_earlier_click"``, ``"click_over_skip_previous"`` or
        ``"click_over_no_click_next"``, documented in ``porank.clicks.rules``; or a function with
        the same signature, which `per_session` makes of a function of one session. Pass options
        with ``functools.partial(dwell, tolerance=5)``. With several rules, a pair counts if any of
        them finds it.
    by : str or sequence of str
        Columns with one value per session: the groups in which sessions are counted. By default
        each session is a group; with ``()`` all sessions are counted together.
    **reading
        How to read a table or path: ``columns``, ``events``, ``gap`` and ``errors``, as for
        `ClickLog`.

    Returns
    -------
    PreferencePairs
        The columns of `by` under their own names, then ``preferred``, ``other`` and ``support`` >=
        1. Pairs without support are left out. For ratings and battles there are also ``ties``.
        ``format`` shows how the columns were read. For a Dask DataFrame, a Dask DataFrame with the
        same columns.

    Raises
    ------
    PorankError
        If a column is missing, two columns may be the time, an option is invalid, a rule returns
        something other than pairs, or there are more than 10**8 pairs (after merging equal pairs of
        a group).
    OSError
        If there is no such file (FileNotFoundError), or it cannot be opened.
    ParseError
        If a row is bad: an empty session or item, an unknown event, a position or time that is not
        a number; or, if a rule uses positions, two items at one position or two positions of one
        item. The error has the line number; rows in memory are counted from 1.

    See Also
    --------
    from_log, preference_graphs, per_session, PreferencePairs

    Examples
    --------
    >>> import porank as po
    >>> log = {
    ...     "SessionId": [1, 1, 1, 2, 2, 2],
    ...     "ItemId": ["A", "B", "C", "A", "B", "C"],
    ...     "position": [1, 2, 3, 1, 2, 3],
    ...     "event": ["view", "click", "purchase", "view", "click", "view"],
    ... }
    >>> for row in po.preference_pairs(log):
    ...     print(row)
    (1, 'C', 'B', 1)
    (1, 'C', 'A', 1)
    (1, 'B', 'A', 1)
    (2, 'B', 'A', 1)
    (2, 'B', 'C', 1)
    >>> list(po.preference_pairs(log, rule="click_over_skip_above", by=()))
    [('B', 'A', 2), ('C', 'A', 1)]

    Notes
    -----
    Time O(r log r + p log p) for r rows and p pairs in all sessions; memory O(r + p), also for a
    file. For a log that is larger than memory, use a Dask DataFrame. Quirks that are not errors,
    such as purchases without a click, are counted in ``counts``, with the decision that was made.

    References
    ----------
    .. [1] T. Joachims, L. Granka, B. Pan, H. Hembrooke, G. Gay, "Accurately interpreting
       clickthrough data as implicit feedback", SIGIR 2005, pp. 154-161.
       https://doi.org/10.1145/1076034.1076063
    """
    rules, groups = rules_of(rule), _read_groups(by)
    log = ClickLog.of(log, **reading)
    needs = [name for one in rules for name in one.needs]
    if is_dask(log.source):
        return _pairs_of_parts(
            log, rules, groups, needs, ask=partial(preference_pairs, rule=rule, by=by)
        )
    read = log.read(needs, by=groups)
    asked = ask(read, rules, groups)
    pairs, support = tally_of(asked, rules, (*groups, "preferred", "other")).counted()
    return PreferencePairs(
        read.among_used(pairs),
        np.array(support),
        read.labels_of(groups),
        read.items(),
        read.counts,
        asked.problems,
        log.options["errors"] == "report",
        read.format(),
    )


def pairs_together(log: Any, **options: Any) -> PreferencePairs:
    """Return the preference pairs of all sessions together; the log may not be a Dask DataFrame."""
    pairs = preference_pairs(log, by=(), **options)
    if not isinstance(pairs, PreferencePairs):
        raise PorankError(
            "expected a log in one process, found a Dask DataFrame; pass it to preference_pairs, "
            "or call .compute() first"
        )
    return pairs


def _read_groups(by: Any) -> tuple[str, ...]:
    """Return the names of the columns by which preference pairs are grouped."""
    names = (by,) if isinstance(by, str) else by
    is_sequence = isinstance(names, (tuple, list)) and all(isinstance(name, str) for name in names)
    if (
        not is_sequence
        or len(set(names)) < len(names)
        or {*names} & {"preferred", "other", "support"}
    ):
        raise PorankError(
            "expected distinct names of columns, other than 'preferred', 'other' and 'support', "
            f"as by, found {quoted(by)}"
        )
    return tuple(names)


def _pairs_of_parts(
    log: ClickLog,
    rules: Sequence[NamedRule],
    groups: Sequence[str],
    needs: Sequence[str],
    *,
    ask: Callable[[ClickLog], Any],
) -> Any:
    """Return the preference pairs of a Dask DataFrame, made by partition, as a Dask DataFrame."""
    frame, gap = log.source, log.options["gap"]
    reader = LogReader(list(frame.columns), log.options["columns"], log.options["events"], gap=gap)
    known = ("session", *KNOWN)
    reader.find(needs, [name for name in groups if name not in known])
    if reader.name not in ("events", "flags", "clicks"):
        raise PorankError(
            f"expected a Dask DataFrame with a row for each event or item, found {reader.name}; "
            "pandas DataFrames and files may have any format"
        )
    roles = reader.roles
    if "time" not in roles and any(rule.is_ours and rule.is_about_sequence for rule in rules):
        raise PorankError(
            "expected a column for time, because Dask does not keep the order of rows, found none"
        )
    of_one = {name: columns[0] for name, columns in roles.items() if len(columns) == 1}
    item = frame.dtypes[of_one["item"]]
    kinds = {name: frame.dtypes[of_one[name]] if name in of_one else object for name in groups}
    kinds |= {"preferred": item, "other": item, "support": int}
    if gap is not None:
        kinds |= {"session": object} if "session" in kinds else {}
    sessions = roles["session"]
    work = partial(_pairs_of_part, log=log.on({}), ask=ask)
    pairs = map_groups([frame], sessions, work, kinds)
    if "session" in groups:
        return pairs
    columns = [*groups, "preferred", "other"]
    return pairs.groupby(columns, dropna=False)["support"].sum().reset_index()


def _pairs_of_part(frame: Any, *, log: ClickLog, ask: Callable[[ClickLog], Any]) -> Any:
    """Return the preference pairs of one partition of a Dask DataFrame."""
    return ask(log.on(frame))
