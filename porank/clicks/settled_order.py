"""The order that a log, or a table of counts, settles: `settled_order`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from porank.abstention.preference_relation import PreferenceRelation
from porank.abstention.settled import ERRORS, log_e_values, settle, settle_watched
from porank.clicks.evidence import evidence_of
from porank.clicks.evidence_table import BALANCES, EvidenceTable, evidence_table
from porank.clicks.units import read_units
from porank.convert.rankings import from_matrix
from porank.core.arguments import holds, require_amount, require_one_of
from porank.core.arrays import grouped, run_starts
from porank.core.graphs import require_digraph
from porank.core.labels import is_missing
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from porank.clicks.evidence import PairEvidence
    from porank.clicks.sessions import Sessions
    from porank.clicks.units import LogUnits
    from porank.typing import Item, Numbers


#: For each compared pair of items: how often the first was preferred, and how often the second.
_Counts: TypeAlias = "Mapping[tuple[Item, Item], Sequence[int]]"


def settled_order(
    evidence: Any,
    *,
    risk: float = 0.05,
    error: str = "family",
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    unit: str = "session",
    balance: str = "none",
    anytime: bool = False,
) -> nx.DiGraph:
    """Return the order that evidence settles: significant preferences, transitively closed.

    For a pair u, v, let a units (sessions or users) prefer u and b units prefer v. The exact
    two-sided sign test asks whether a heads and b tails could come from a fair coin. Pairs that are
    significant after correction for multiple tests become edges, from the item that is preferred
    more often. Pairs within a strongly connected component of these edges contradict each other and
    are left open. The remaining edges are closed transitively.

    Parameters
    ----------
    evidence : log, table of evidence, PreferenceRelation, DiGraph, mapping or matrix
        A `ClickLog`, a table or a path; or counts of units: a table from `evidence_table`, an
        ensemble from `preference_relation`, or the numbers of times that u was preferred to v, as
        the ``support`` or ``weight`` of u -> v in a graph, as a mapping (u, v) -> number, or as the
        entry in row u and column v of a square array or a frame whose rows and columns have the
        same names.
    risk : number in (0, 1)
        With ``error="family"``, maximum probability that at least one settled pair is contrary to
        the majority of the population. With ``error="rate"``, maximum expected share of such pairs
        among the significant ones, before contradictions are left open.
    error : {"family", "rate"}
        "family" uses Holm's procedure, without counting pairs that are compared too rarely to be
        significant (Tarone). "rate" uses the procedure of Benjamini and Hochberg, which finds more
        pairs in logs with thousands of pairs.
    rule, unit
        For a log, as for `evidence_table`.
    balance : {"none", "place"}
        "place", for a log of sessions or its table of evidence, separates taste from position:
        among the sessions that show u and v at the same two positions, those with u above are
        compared with those with v above. Pairs that never stood both ways at the same two positions
        are left open, unless they follow from others.
    anytime : bool
        If True, for a log with times, you may look at a growing log as often as you like: the risk
        bounds the probability that any look ever settles a pair that the majority never preferred.
        A pair is significant if its e-process has ever crossed its bound, and stays significant.

    Returns
    -------
    DiGraph
        The closed order on all items. Each edge has ``for`` and ``against``, the counts of its own
        pair (with ``balance="place"``, weighted as if it stood both ways equally often);
        ``p_value``; and ``added``, True if it only follows by transitivity. Edges from a log also
        have ``unbalanced``, True if the two items were shown in one arrangement only (with
        ``balance="place"``: never both ways at the same two positions), and the graph attribute
        ``unbalanced`` lists such pairs. Other graph attributes are ``risk``, ``error``,
        ``compared`` (number of pairs compared), ``testable`` (number of pairs compared often enough
        to be significant by themselves), ``significant`` (number of significant pairs), ``limit``
        (the p-value that one more pair would have needed) and ``cyclic_components`` (lists of items
        whose pairs are left open because of cycles). With ``anytime=True``, the p-value is
        one-sided and the smallest that the pair ever had, so an edge may have more units against
        than for it.

    Raises
    ------
    PorankError
        If `risk` is not between 0 and 1, a count is not a whole number >= 0, or `rule`, `unit` or
        `balance` is given with counts; if `balance` is "place" and units are users, or the log has
        no positions; or if `anytime` is True with counts, ``error="rate"`` or ``balance="place"``,
        or the log has no times.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    evidence_table, predict_order, feedback_relation, fit_strengths

    Examples
    --------
    All ten units prefer tea to milk, and milk to water. Two units that compare tea and juice are
    too few.

    >>> import porank as po
    >>> counts = {("tea", "milk"): 10, ("milk", "water"): 10, ("tea", "juice"): 2}
    >>> order = po.settled_order(counts)
    >>> list(order.edges(data="added"))
    [('tea', 'milk', False), ('tea', 'water', True), ('milk', 'water', False)]
    >>> order["tea"]["milk"]
    {'for': 10, 'against': 0, 'p_value': 0.001953125, 'added': False}

    Tea usually stands at the top and is clicked there. In the same position, milk is clicked more
    often.

    >>> lists = [("tea", "milk", "tea")] * 60 + [("tea", "milk", "milk")] * 30
    >>> lists += [("milk", "tea", "milk")] * 10
    >>> log = [{"session": k, "item": item, "position": place, "event": event}
    ...        for k, (*shown, clicked) in enumerate(lists)
    ...        for place, item in enumerate(shown, 1)
    ...        for event in ["view"] + ["click"] * (item == clicked)]
    >>> [list(po.settled_order(log, balance=by, risk=0.1).edges) for by in ("none", "place")]
    [[('tea', 'milk')], [('milk', 'tea')]]

    With ``anytime=True`` you may look every day, but pairs are settled later.

    >>> log = {"session": range(30), "time": range(30), "model_a": ["x"] * 30,
    ...        "model_b": ["y"] * 30, "winner": ["x", "x", "x", "y", "x"] * 6}
    >>> for day in (10, 20, 30):
    ...     seen = {name: column[:day] for name, column in log.items()}
    ...     print(day, *(list(po.settled_order(seen, anytime=a).edges) for a in (False, True)))
    10 [] []
    20 [('x', 'y')] []
    30 [('x', 'y')] [('x', 'y')]

    Notes
    -----
    The bound holds for settled pairs if units are independent. For added edges, it also assumes
    that the majority of the population is transitive.

    With ``balance="place"``, a session scores 1 for the item that it prefers and -1 for the other.
    If two items are liked equally, it makes no difference which of them is above. So the p-value is
    twice the smaller tail probability of the sum of scores of u, over all ways to choose in which
    of the sessions at the same two positions u stood above, with their number fixed. It is exact up
    to a standard deviation of 5; beyond that, it uses the gamma distribution with the same three
    moments. This assumes that the rest of a list does not depend on which of the two items is
    above.

    With ``anytime=True``, units count in the order of the last times of their sessions; units with
    the same time count together. A user counts once for a pair, with the first of the sessions that
    compare it. With a units for u and b for v so far, the e-value of u over v is the mean of (2p)^a
    (2(1 - p))^b over p from 1/2 to 1. If the next unit prefers u with a probability of at most 1/2,
    whatever came before, each of these products stays the same or shrinks in expectation, and so
    does their mean. Therefore it exceeds x at any time with a probability of at most 1/x (Ville),
    and the inverse of the largest e-value so far is a p-value. Holm's procedure uses the p-values
    of all n(n - 1) ordered pairs of items, and does not need independence. P-values never rise, so
    a significant pair stays significant. Two things can still remove a settled pair: a cycle that
    closes later, and new items in the log, which make the bound stricter. Rarely compared pairs
    count like others, because they may be compared more often later.

    Time O(m log m) for each of a few rounds for m compared pairs, plus the time of
    `transitive_closure`. With ``balance="place"``, also some 20 microseconds for each pair and two
    positions at which it stood both ways.

    References
    ----------
    .. [1] R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46(2), 1990,
       pp. 515-522. https://doi.org/10.2307/2531456
    .. [2] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
       of Statistics 6(2), 1979, pp. 65-70.
    .. [3] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal
       Statistical Society B 57(1), 1995, pp. 289-300.
       https://doi.org/10.1111/j.2517-6161.1995.tb02031.x
    .. [4] A. Ramdas, P. Grünwald, V. Vovk, G. Shafer, "Game-theoretic statistics and safe
       anytime-valid inference", Statistical Science 38(4), 2023, pp. 576-601.
       https://doi.org/10.1214/23-STS894
    """
    require_risk(risk, error)
    how: dict[str, Any] = {"risk": float(risk), "error": error}
    is_by_place = require_one_of(balance, BALANCES, name="balance") == "place"
    is_table = isinstance(evidence, EvidenceTable)
    counts = None if is_table else counts_of(evidence)
    if (is_table or counts is not None) and (rule != "levels" or unit != "session"):
        raise PorankError(
            "expected a log, because rule= and unit= apply to logs only, found counts"
        )
    if anytime:
        _require_watchable(is_table or counts is not None, error, balance)
        return _watched(read_units(evidence, rules={"": rule}, unit=unit, begins=True), risk)
    if counts is not None:
        if is_by_place:
            raise PorankError(
                "expected a log or a table of evidence_table with balance='place', found counts"
            )
        return settle(*counts, **how)
    table = evidence
    if not is_table:
        table = evidence_table(evidence, rule=rule, unit=unit, balance=balance)
    elif not is_by_place:
        table = replace(table, arrangements=None)
    tests = table.place_tests() if is_by_place else None
    of_pairs = table.balanced() if is_by_place else table.evidence()
    counted = _counts_of_evidence(table.items, of_pairs)
    order = settle(table.items, counted, tests=tests, **how)
    order.graph["unbalanced"] = table.unbalanced
    left = {*table.unbalanced, *((v, u) for u, v in table.unbalanced)}
    for u, v, data in order.edges(data=True):
        data["unbalanced"] = (u, v) in left
    return order


def require_risk(risk: Any, error: Any) -> None:
    """Raise an error unless `risk` and `error` are valid options of a settled order."""
    if isinstance(risk, (bool, np.bool_)) or not holds(lambda number: 0 < number < 1, risk):
        raise PorankError(f"expected a number between 0 and 1 as risk, found {risk!r}")
    require_one_of(error, ERRORS, name="error")


def _require_watchable(are_counts: bool, error: str, balance: str) -> None:
    """Raise an error unless a settled order can be computed with ``anytime=True``."""
    found = {"counts, which have no order of time": are_counts}
    found |= {f"error={error!r}": error != "family", f"balance={balance!r}": balance != "none"}
    for what, is_found in found.items():
        if is_found:
            expected = "a log with times, error='family' and balance='none'"
            raise PorankError(f"expected {expected} with anytime=True, found {what}")


def _watched(read: LogUnits, risk: float) -> nx.DiGraph:
    """Return the order that the units of a log settled at any time up to its end."""
    pair, moment, is_back = _first_said(read)
    order, starts = grouped(pair, moment)
    different = run_starts(pair[order[starts]])
    sides = [_so_far(side[order], starts, different) for side in (~is_back, is_back)]
    both_ways = sides, sides[::-1]
    largest = [np.maximum.reduceat(log_e_values(*each), different) for each in both_ways]
    last = np.append(different[1:], starts.size)[: different.size] - 1
    numbers = np.divmod(pair[order[starts[different]]], max(len(read.items), 1))
    u, v = ([read.items[k] for k in side.tolist()] for side in numbers)
    for_u, for_v = (side[last].tolist() for side in sides)
    counts = dict(zip(zip(u, v, strict=True), zip(for_u, for_v, strict=True), strict=True))
    counts |= dict(zip(zip(v, u, strict=True), zip(for_v, for_u, strict=True), strict=True))
    return settle_watched(read.items, counts, np.concatenate(largest), risk=risk)


def _first_said(read: LogUnits) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Return each unit's first preference on each pair of a log: pair, time and direction."""
    rows, n = read.decided(read.first_rule), len(read.items)
    ends = read.log.of_sessions("time", pick=np.fmax)
    moment = np.unique(ends, return_inverse=True)[1][rows["session"]]
    unit = read.unit_of_session[rows["session"]]
    first, second = rows["preferred"], rows["other"]
    pair, is_back = np.minimum(first, second) * n + np.maximum(first, second), first > second
    order, starts = grouped(pair, unit)
    earliest = np.minimum.reduceat(moment[order], starts) if starts.size else moment
    is_first = moment[order] == np.repeat(earliest, np.diff(starts, append=order.size))
    kept = order[is_first]
    # If several sessions of a unit have this time, each direction counts once.
    order, starts = grouped(pair[kept], unit[kept], is_back[kept].astype(np.int64))
    kept = kept[order[starts]]
    return pair[kept], moment[kept], is_back[kept]


def _so_far(is_said: NDArray[np.bool_], starts: Numbers, different: Numbers) -> Numbers:
    """Return how many units prefer one side of its pair up to each moment."""
    if not starts.size:
        return starts
    said = np.add.reduceat(is_said.astype(np.int64), starts)
    up_to = np.cumsum(said)
    before = (up_to - said)[different]
    so_far: Numbers = up_to - np.repeat(before, np.diff(different, append=starts.size))
    return so_far


def units_for_pairs(read: LogUnits, rule: str, sessions: Any = None) -> _Counts:
    """Return how many units of a log, or of some sessions, prefer either item of each pair."""
    counts = read.unit_counts(rule, sessions)
    units = np.diff(counts.starts, append=counts.unit.size)
    return _counts_of_evidence(read.items, evidence_of(len(read.items), counts._asdict(), units))


def _is_matrix(given: Any) -> bool:
    """Return whether this is a square array, or a frame with the same names of rows and columns."""
    if isinstance(given, np.ndarray):
        return given.ndim == 2 and given.shape[0] == given.shape[1]
    return hasattr(given, "to_numpy") and list(getattr(given, "index", ())) == list(
        getattr(given, "columns", ((),))
    )


def _is_pair(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 2


def counts_of(evidence: Any) -> tuple[Iterable[Item], _Counts] | None:
    """Return the items and the counts of evidence, None if it may be a log."""
    if _is_matrix(evidence):
        evidence = from_matrix(evidence)
    if isinstance(evidence, EvidenceTable):
        return evidence.items, _counts_of_evidence(evidence.items, evidence.evidence())
    if isinstance(evidence, PreferenceRelation):
        return evidence.items, _counts_of_relation(evidence)
    if isinstance(evidence, nx.Graph):
        return evidence, _counts_of_pairs(_weights_of(evidence))
    if isinstance(evidence, Mapping) and not evidence:
        raise PorankError("expected evidence about at least one pair, found an empty mapping")
    if isinstance(evidence, Mapping) and all(map(_is_pair, evidence)):
        return dict.fromkeys(chain.from_iterable(evidence)), _counts_of_pairs(evidence)
    return None


def _counts_of_evidence(items: Sequence[Item], evidence: PairEvidence) -> _Counts:
    """Return the counts in the evidence of pairs of numbered items."""
    u, v, support, against = (column.tolist() for column in evidence[:4])
    pairs = ((items[i], items[j]) for i, j in zip(u, v, strict=True))
    return dict(zip(pairs, zip(support, against, strict=True), strict=True))


def _counts_of_relation(P: PreferenceRelation) -> _Counts:
    """Return the counts of an ensemble, or of the evidence from which degrees were made."""
    wins = P.support
    if wins is None or wins.dtype.kind == "f":
        found = "degrees given by hand" if wins is None else "weights"
        raise PorankError(
            f"expected counts of units, found {found}, which have no sample size",
            hint="settled_order(log) counts those of a log, with or without balance='place'",
        )
    pairs = np.argwhere(wins).tolist()
    return _counts_of_pairs({(P.items[i], P.items[j]): wins[i, j].item() for i, j in pairs})


def _weights_of(G: nx.DiGraph) -> dict[tuple[Item, Item], Any]:
    """Return how often the first item of each pair was preferred, from the edges of a graph."""
    require_digraph(G)
    counts: dict[tuple[Item, Item], Any] = {}
    for u, v, data in G.edges(data=True):
        counts[u, v] = data.get("support", data.get("weight"))
        if counts[u, v] is None:
            raise PorankError(
                "expected the attribute 'support' or 'weight' on each edge, found neither on "
                f"{u!r} -> {v!r}"
            )
        if "against" in data:
            counts.setdefault((v, u), data["against"])
    return counts


#: Maximum number of units for which tests are exact to the digits shown.
_MOST_UNITS = 10**9


def _counts_of_pairs(amounts: Mapping[tuple[Item, Item], Any]) -> _Counts:
    """Return the counts of pairs in both directions, from the counts of ordered pairs."""
    counts: dict[tuple[Item, Item], list[int]] = {}
    for (u, v), amount in amounts.items():
        if u == v or is_missing(u) or is_missing(v):
            raise PorankError(f"expected two different items in each pair, found {(u, v)!r:.80}")
        number = require_amount(amount, name=f"the count of {u!r} over {v!r}")
        if number > _MOST_UNITS:
            raise PorankError(f"expected counts of at most {_MOST_UNITS:,} units, found {number}")
        if number != int(number):
            raise PorankError(
                f"expected whole numbers as counts of units, found {number}; do not weight the log"
            )
        if (v, u) in counts:
            counts[v, u][1] = int(number)
        else:
            counts[u, v] = [int(number), 0]
    return {pair: both for pair, both in counts.items() if any(both)}
