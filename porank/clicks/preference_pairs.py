"""Preference pairs of a click log with their evidence, optionally weighted by propensities.

`preference_pairs`; `examination_of` reads the probabilities that positions are looked at.

Idea: *no session is split between partitions.* A Dask DataFrame is shuffled by session, and the
pairs of its partitions are added up.
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.click_log import ClickLog
from porank.clicks.evidence import PreferencePairs, count_rows, tallies_of
from porank.clicks.log import Wanted
from porank.clicks.rules import rules_of
from porank.core.arguments import require_share
from porank.core.dask_frames import is_dask, map_groups
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from porank.clicks.sessions import Sessions


def preference_pairs(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    by: str | Sequence[str] = ("session",),
    clip: float = 0.05,
) -> PreferencePairs | Any:
    r"""Return the preference pairs that the sessions of a click log imply, with their support.

    Each row of a log is an event of a session: an item was shown, clicked or bought. A rule decides
    which items of a session are preferred to which. The support of a pair in a group of sessions is
    the number of sessions in the group in which the first item is preferred. Logs of other shapes,
    in which a row is a list, a battle or a rating, are recognised by their columns and read as such
    events.

    Parameters
    ----------
    log : ClickLog, table or path
        The log; a `ClickLog` has options for reading it.
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
    clip : float
        Minimum propensity, in (0, 1]; smaller propensities of the log are raised to it.

    Returns
    -------
    PreferencePairs
        The columns of `by` under their own names, then ``preferred``, ``other`` and ``support`` >=
        1: ints, or floats if the log has propensities. Pairs without support are left out. For
        ratings and battles there are also ``ties``. ``shape`` shows how the columns were read. For
        a Dask DataFrame, a Dask DataFrame with the same columns.

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
    >>> weighed = po.ClickLog(log, propensity=[1, 0.5, 0.25])
    >>> list(po.preference_pairs(weighed, rule="click_over_skip_above", by=()))
    [('B', 'A', 4.0), ('C', 'A', 4.0)]

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
    .. [2] T. Joachims, A. Swaminathan, T. Schnabel, "Unbiased learning-to-rank with biased
       feedback", WSDM 2017, pp. 781-789. https://doi.org/10.1145/3018661.3018699
    """
    rules, groups = rules_of(rule), _read_groups(by)
    if not require_share(clip, "clip"):
        raise PorankError(f"expected a number above 0 and up to 1 as clip, found {clip!r}")
    log = ClickLog.of(log)
    weight = [] if log.propensity is None else ["position"]
    if log.has_propensity_column:
        weight = ["propensity"]
    names = [*groups, "preferred", "other", *weight]
    wanted = Wanted({"": rules}, names, by=groups, needs=weight)
    if is_dask(log.source):
        ask = partial(preference_pairs, rule=rule, by=by, clip=clip)
        return _pairs_of_parts(log, wanted, weighed=bool(weight), ask=ask)
    read = log.asked(wanted)
    (tally,) = tallies_of(read, wanted).values()
    (pairs, support), counts = tally.counted(), read.counts
    if weight:
        propensities = _propensities_of(pairs.pop(*weight), log.propensity)
        weights = 1 / np.maximum(propensities, clip)
        counts = replace(
            counts,
            clipped=int(support[propensities < clip].sum()),
            effective_support=effective_size(weights, support),
        )
        support = support * weights
        if wanted.is_merged:
            # Pairs are sorted, positions last, so sums do not depend on the order of sessions.
            pairs, support = count_rows(pairs, support)
    return PreferencePairs(
        read.among_used(pairs),
        np.array(support),
        read.labels_of(groups),
        read.items(),
        counts,
        read.problems.by_line(),
        log.options["errors"] == "report",
        read.shape(),
    )


def pairs_together(log: Any, *, rule: Any, clip: float) -> PreferencePairs:
    """Return the preference pairs of all sessions together; the log may not be a Dask DataFrame."""
    pairs = preference_pairs(log, rule=rule, by=(), clip=clip)
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
            f"as by, found {by!r}"
        )
    return tuple(names)


def _propensities_of(positions: NDArray[Any], propensity: Any) -> NDArray[np.float64]:
    """Return the propensities of preference pairs, looked up by position or read from the rows."""
    if isinstance(propensity, (str, int)):
        return positions.view(np.float64)
    examination = examination_of(positions, propensity, name="propensity")
    known = np.array([*examination], dtype=np.int64)
    shares = np.array([*examination.values()], dtype=np.float64)
    # The positions that occur are sorted.
    return shares[np.searchsorted(known, positions)]


def examination_of(positions: NDArray[Any], examination: Any, *, name: str) -> dict[int, float]:
    """Return position -> the probability that it is looked at, by which pairs are weighted."""
    examine = _as_function(examination, name)
    found, unknown = {}, []
    for position in np.unique(positions).astype(np.int64).tolist():
        try:
            value = examine(position)
        except (KeyError, IndexError):
            unknown.append(position)
            continue
        found[position] = require_share(value, f"the {name} of position {position}")
    if unknown:
        raise PorankError(
            f"expected the {name} of each position, found no value for {listed(unknown)}"
        )
    return found


def effective_size(weights: NDArray[Any], counts: NDArray[Any]) -> float:
    """Return Kish's effective sample size; `counts` says how often each weight occurs."""
    squares = float(counts @ weights**2)
    return float(counts @ weights) ** 2 / squares if squares else 0.0


def _as_function(examination: Any, name: str) -> Any:
    """Return the propensity of preference pairs as a function of the position."""
    if callable(examination):
        return examination
    if hasattr(examination, "to_numpy") and hasattr(examination, "to_list"):
        index: Any = getattr(examination, "index", None)
        values = examination.to_list()
        # In polars, `index` is a method. An index 0, 1, 2, ... does not name positions.
        is_bare = callable(index) or index is None or list(index) == list(range(len(values)))
        examination = values if is_bare else dict(zip(index, values, strict=True))
    if isinstance(examination, Mapping):
        return examination.__getitem__
    if isinstance(examination, np.ndarray) or (
        isinstance(examination, Sequence) and not isinstance(examination, (str, bytes))
    ):
        by_position = dict(enumerate(examination, start=1))
        return by_position.__getitem__
    raise PorankError(
        f"expected a mapping, a sequence or a function of the position as {name}, "
        f"found {reprlib.repr(examination)}"
    )


def _pairs_of_parts(
    log: ClickLog, wanted: Wanted, *, weighed: bool, ask: Callable[[ClickLog], Any]
) -> Any:
    """Return the preference pairs of a Dask DataFrame, made by partition, as a Dask DataFrame."""
    frame = log.source
    gap, rules = log.options["gap"], wanted.rules[""]
    shaped = wanted.shape_of(
        list(frame.columns), log.options["columns"], log.options["events"], gap
    )
    if shaped.name not in ("events", "flags", "clicks"):
        raise PorankError(
            f"expected a Dask DataFrame with a row for each event or item, found {shaped.name}; "
            "pandas DataFrames and files may have any shape"
        )
    roles = shaped.roles
    if "time" not in roles and any(rule.is_ours and rule.is_about_sequence for rule in rules):
        raise PorankError(
            "expected a column for time, because Dask does not keep the order of rows, found none"
        )
    of_one = {name: columns[0] for name, columns in roles.items() if len(columns) == 1}
    item = frame.dtypes[of_one["item"]]
    kinds = {name: frame.dtypes[of_one[name]] if name in of_one else object for name in wanted.by}
    kinds |= {"preferred": item, "other": item, "support": float if weighed else int}
    if gap is not None:
        kinds |= {"session": object} if "session" in kinds else {}
    sessions = roles["session"]
    work = partial(_pairs_of_part, log=log.on({}), ask=ask)
    pairs = map_groups([frame], sessions, work, kinds)
    if not wanted.is_merged:
        return pairs
    columns = [*wanted.by, "preferred", "other"]
    return pairs.groupby(columns, dropna=False)["support"].sum().reset_index()


def _pairs_of_part(frame: Any, *, log: ClickLog, ask: Callable[[ClickLog], Any]) -> Any:
    """Return the preference pairs of one partition of a Dask DataFrame."""
    return ask(log.on(frame))
