"""From a click log to preference pairs with their evidence, each click weighed if that is asked.

`preference_pairs`; how likely a position is looked at: `examination_of`.

Idea: *a session lies in one part.* A Dask DataFrame is shuffled by its sessions, and the pairs of
its parts are added up.
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

    A row of a log is an event of a session: an item was shown, clicked, bought. A rule says which
    items of a session are preferred to which; the support of a pair in a group of sessions is the
    number of sessions of the group that say so, each counted once. Logs of other shapes, in which a
    row is a list, a battle or a rating, are recognised by their columns and read as such events.

    Parameters
    ----------
    log : ClickLog, or what it takes
        The sessions; a `ClickLog` also says how they are read.
    rule : str, callable, or several of them
        One of ``"levels"``, ``"dwell"``, ``"click_over_skip_above"``,
        ``"last_click_over_skip_above"``, ``"click_over_earlier_click"``,
        ``"click_over_skip_previous"``, ``"click_over_no_click_next"``, each documented in
        ``porank.clicks.rules``; or a function with the signature of these, which `per_session`
        makes of a function of one session. Options are given by ``functools.partial(dwell,
        tolerance=5)``. Of several rules a session says what any of them says.
    by : str or sequence of str
        Columns that have one value in each session: the groups in which sessions are counted. By
        default each session for itself; with ``()`` all together.
    clip : float
        The least propensity of the log that is believed, in (0, 1].

    Returns
    -------
    PreferencePairs
        The columns of `by` under these names, then ``preferred``, ``other`` and ``support`` >= 1:
        ints, or floats if there is a propensity. A pair that no session says is not there. Ratings
        and battles also have ``ties``; ``shape`` tells what was taken for what. Of a Dask
        DataFrame, a Dask DataFrame with the same columns.

    Raises
    ------
    PorankError
        If a column is missing, two may be the time, an option is none of those allowed, the pairs
        of a rule are none, or the sessions say more than 10**8 pairs, equal ones of a group being
        one.
    OSError
        If there is no such file (FileNotFoundError), or it cannot be opened.
    ParseError
        If a row is wrong: an empty session or item, an unknown event, a position or time that is no
        number, two items at one position or two positions of an item if a rule asks for positions;
        with the number of the line, rows in memory being counted from 1.

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
    Time O(r log r + p log p) for r rows and p pairs of all sessions; memory O(r + p), also for a
    file: of a log that is larger than the memory, Dask makes a DataFrame. What is odd in a log, as
    purchases without a click, and yet no error is counted in ``counts``, with the decision taken.

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
            # They are sorted, positions last: sums do not depend on the order of sessions.
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
    """Return the preference pairs of all sessions together of a log that one process reads."""
    pairs = preference_pairs(log, rule=rule, by=(), clip=clip)
    if not isinstance(pairs, PreferencePairs):
        raise PorankError(
            "expected a log that one process reads, found a Dask DataFrame; preference_pairs takes "
            "one, or .compute() reads it"
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
            "expected different names of columns, none of them 'preferred', 'other' or 'support', "
            f"as by, found {by!r}"
        )
    return tuple(names)


def _propensities_of(positions: NDArray[Any], propensity: Any) -> NDArray[np.float64]:
    """Return the propensities of preference pairs, by position or in each row."""
    if isinstance(propensity, (str, int)):
        return positions.view(np.float64)
    examination = examination_of(positions, propensity, name="propensity")
    known = np.array([*examination], dtype=np.int64)
    shares = np.array([*examination.values()], dtype=np.float64)
    # The positions that occur are sorted.
    return shares[np.searchsorted(known, positions)]


def examination_of(positions: NDArray[Any], examination: Any, *, name: str) -> dict[int, float]:
    """Return position -> the probability that it is examined, by which pairs are weighed."""
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
        raise PorankError(f"expected the {name} of each position, found none for {listed(unknown)}")
    return found


def effective_size(weights: NDArray[Any], counts: NDArray[Any]) -> float:
    """Return Kish's effective sample size of what is weighed, each weight counting so often."""
    squares = float(counts @ weights**2)
    return float(counts @ weights) ** 2 / squares if squares else 0.0


def _as_function(examination: Any, name: str) -> Any:
    """Return the propensity by which preference pairs are weighed as a function of position."""
    if callable(examination):
        return examination
    if hasattr(examination, "to_numpy") and hasattr(examination, "to_list"):
        index: Any = getattr(examination, "index", None)
        values = examination.to_list()
        # The index of polars is a method; one that only counts says nothing.
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
    """Return the preference pairs of a Dask DataFrame, made part by part, as a Dask DataFrame."""
    frame = log.source
    gap, rules = log.options["gap"], wanted.rules[""]
    shaped = wanted.shape_of(
        list(frame.columns), log.options["columns"], log.options["events"], gap
    )
    if shaped.name not in ("events", "flags", "clicks"):
        raise PorankError(
            f"expected a row for each event or item in a Dask DataFrame, found {shaped.name}; "
            "frames of pandas and files have any shape"
        )
    roles = shaped.roles
    if "time" not in roles and any(rule.is_ours and rule.is_about_sequence for rule in rules):
        raise PorankError(
            "expected a column for time, as Dask keeps no sequence of rows, found none"
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
    """Return the preference pairs of a part of a Dask DataFrame, read as all of it."""
    return ask(log.on(frame))
