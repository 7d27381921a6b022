"""Preference graphs of a log, their net preferences, and their evidence as a valued relation.

Sessions contradict each other. An edge u -> v with ``support`` and ``against`` keeps both sides:
the number of sessions that prefer u to v, and the number that prefer v to u.

`from_log`, `preference_graphs`, `net_preferences`, `feedback_relation`, `_read_evidence`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.abstention.degrees import sealed, simple_fraction
from porank.abstention.preference_relation import PreferenceRelation
from porank.clicks.evidence import PairEvidence, PreferencePairs, graph_of_evidence
from porank.clicks.preference_pairs import pairs_together
from porank.core.arguments import require_amount, require_one_of
from porank.core.graphs import edge_values, graph_like, read_edges, require_digraph
from porank.errors import PorankError, a_kind, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from porank.clicks.sessions import Sessions
    from porank.typing import Item


def net_preferences(G: nx.DiGraph, *, min_support: Any = 0, min_margin: Any = 0) -> nx.DiGraph:
    """Return the graph of net preferences: pairs that more sessions support than contradict.

    An edge u -> v is kept if support(u, v) > against(u, v), support(u, v) >= `min_support`, and
    margin(u, v) = support(u, v) - against(u, v) >= `min_margin`.

    Parameters
    ----------
    G : DiGraph
        A graph from `from_log` or `preference_graphs`, or any other with the edge attributes
        ``support`` and ``against``.
    min_support : number
        Minimum support of an edge, finite and at least 0.
    min_margin : number
        Minimum margin of an edge, finite and at least 0.

    Returns
    -------
    DiGraph
        All items of `G` with their attributes. The edges keep their attributes and also have
        ``margin``. If `G` has only one direction of a pair, the other one is read from its
        ``against``. No two edges contradict each other, but there may be cycles: `find_cycle` finds
        one, `break_cycles` with ``weight="margin"`` and `condense` resolve them.

    Raises
    ------
    GraphTypeError
        If `G` is not a DiGraph.
    PorankError
        If an edge has no ``support`` or ``against``, if two opposite edges have counts that do not
        match, or if a number is invalid.

    See Also
    --------
    feedback_relation, majority_graph

    Examples
    --------
    >>> import porank as po
    >>> log = {"session": [1, 1, 2, 2, 3, 3, 3], "item": list("ababacb"),
    ...        "event": ["click", "view", "click", "view", "view", "view", "click"]}
    >>> G = po.from_log(log)
    >>> list(G.edges(data="support"))
    [('a', 'b', 2), ('b', 'a', 1), ('b', 'c', 1)]
    >>> list(po.net_preferences(G).edges(data="margin"))
    [('a', 'b', 1), ('b', 'c', 1)]
    >>> list(po.net_preferences(G, min_support=2).edges)
    [('a', 'b')]

    Notes
    -----
    Time O(n + m).
    """
    evidence = _read_evidence(G).both_ways()
    least_support = float(require_amount(min_support, name="min_support"))
    least_margin = float(require_amount(min_margin, name="min_margin"))
    N = graph_like(G, ())
    items, margins = list(G), evidence.support - evidence.against
    is_kept = (margins > 0) & (evidence.support >= least_support) & (margins >= least_margin)
    kept = (*evidence.take(is_kept)[:4], margins[is_kept])
    for u, v, support, against, margin in zip(*map(np.ndarray.tolist, kept), strict=True):
        pair = items[u], items[v]
        counts = {"support": support, "against": against}
        N.add_edges_from([(*pair, counts | G.get_edge_data(*pair, {}) | {"margin": margin})])
    return N


def feedback_relation(
    G: Any,
    *,
    prior: Any = 1,
    ties: str = "none",
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
) -> PreferenceRelation:
    """Return click evidence as a preference relation, with a degree for each pair.

    The degree of u over v is the share of sessions that prefer u to v, among those that compare the
    two, after one session is added to each side: P(u, v) = (s + 1) / (s + a + 2), where s =
    support(u, v) sessions prefer u to v and a = against(u, v) sessions prefer v to u. If t sessions
    find u and v equal, it is (s + 1) / (s + a + t + 2). If no session compares two items, both
    degrees are 0.

    Parameters
    ----------
    G : DiGraph or log
        A graph with the edge attributes ``support`` and ``against``, as for `net_preferences`, and
        ``ties`` if there are ties; or a `ClickLog`, a table or a path.
    prior : number
        Number of sessions, finite and at least 0, that is added to each side of each compared pair.
        With 1, a single session gives the degree 2/3, and a hundred that agree give 101/102. With
        0, both give 1, which is more than 300 of 310 sessions give.
    ties : {"none", "ignore"}
        Whether a session that finds two items equal adds nothing to either side but counts in the
        denominator, or is left out.
    rule
        For a log, as for `preference_pairs`.

    Returns
    -------
    PreferenceRelation
        On the items of `G`. The two degrees of a compared pair sum to 1, or to less if ties are
        counted. In that case the ``floor`` is 1/2: no threshold up to 1/2 is found, but you can
        pass one. ``evidence`` has the counts of each pair, including pairs left open.

    Raises
    ------
    GraphTypeError
        If `G` is a graph, but not a DiGraph.
    PorankError
        If an edge has no ``support`` or ``against``, if two opposite edges have counts that do not
        match, or if a number is invalid; or if `rule` is given without a log.

    See Also
    --------
    settled_order, net_preferences, majority_graph, predict_order

    Examples
    --------
    Two sessions prefer a to b, and one prefers b to a. A single session prefers b to c.

    >>> import porank as po
    >>> log = {"session": [1, 1, 2, 2, 3, 3, 3], "item": list("ababacb"),
    ...        "event": ["click", "view", "click", "view", "view", "view", "click"]}
    >>> G = po.from_log(log)
    >>> P = po.feedback_relation(G)
    >>> print(P)
    P    a    b    c
    -  ---  ---  ---
    a       3/5    0
    b  2/5       2/3
    c    0  1/3
    >>> str(po.minimal_threshold(P)), list(po.predict_order(P, alpha=0.65).edges)
    ('3/5', [('b', 'c')])

    Notes
    -----
    Time and memory O(n**2), for O(m) degrees. Counts give exact shares. A weight or prior that is a
    float is read as the fraction that it most likely stands for, such as 1/10 for 0.1. A share does
    not account for chance: `settled_order` finds the pairs that are significant.
    """
    if isinstance(G, nx.Graph):
        if rule != "levels":
            raise PorankError("expected a log, because rule= applies to logs only, found counts")
        return _relation_of(tuple(G), _read_evidence(G), prior, ties)
    pairs = pairs_together(G, rule=rule)
    return _relation_of(pairs.items, pairs.evidence(), prior, ties)


def _relation_of(
    items: Sequence[Item], evidence: PairEvidence, prior: Any, ties: str
) -> PreferenceRelation:
    """Return evidence of pairs of numbered items as a preference relation."""
    added = simple_fraction(require_amount(prior, name="prior"))
    is_counted = require_one_of(ties, ("none", "ignore"), name="ties") == "none"
    u, v, support, against, alike, _ = evidence.take(evidence.support + evidence.against > 0)
    tied = alike.tolist() if is_counted else [0] * u.size
    degree_of = partial(_degree_if_compared, added)
    # An edge gives the degrees of both directions of its pair.
    places = np.concatenate([u, v]), np.concatenate([v, u])
    amounts = np.concatenate([support, against]), np.concatenate([against, support])
    number: dict[Any, int] = {}
    triples = zip(*(side.tolist() for side in amounts), [*tied, *tied], strict=True)
    codes = np.array([number.setdefault(each, len(number)) for each in triples], dtype=np.int64)
    degrees = [degree_of(*each) for each in number]
    values = sorted({Fraction(0), Fraction(1), *degrees})
    strength_of = {value: strength for strength, value in enumerate(values)}
    strength = np.zeros((len(items), len(items)), dtype=np.min_scalar_type(len(values)))
    strength[places] = np.array([strength_of[each] for each in degrees], strength.dtype)[codes]
    counted = amounts[0]
    is_whole = counted.dtype.kind == "i"
    kind = np.min_scalar_type(counted.max(initial=0)) if is_whole else counted.dtype
    sessions = np.zeros(strength.shape, dtype=kind)
    sessions[places] = counted
    return PreferenceRelation(
        tuple(items),
        sealed(strength),
        len(values) - 1,
        values=np.array(values, dtype=object),
        support=sealed(sessions),
        floor=Fraction(1, 2) if any(tied) else Fraction(0),
        degree_of=None if any(tied) else degree_of,
    )


def _degree_if_compared(added: Fraction, support: Any, against: Any, tied: Any = 0) -> Fraction:
    """Return the degree of a pair in feedback, 0 if no session prefers one of its items."""
    if not (support or against):
        return Fraction(0)
    compared = sum(map(simple_fraction, (support, against, tied)))
    return (simple_fraction(support) + added) / (compared + 2 * added)


_OPPOSED = "expected 'against' of {0!r} -> {1!r} to equal 'support' of {1!r} -> {0!r}"
_TIED = "expected the same number 'ties' on both edges between {0!r} and {1!r}"


def _read_evidence(G: nx.DiGraph) -> PairEvidence:
    """Return the evidence of each pair of items that an edge of a feedback graph compares."""
    require_digraph(G)
    u, v = read_edges(G)
    support, against = (_amounts(G, name) for name in ("support", "against"))
    tied, both_bad = (_amounts(G, name, 0) for name in ("ties", "both_bad"))
    codes, opposite = u * len(G) + v, v * len(G) + u
    order = np.argsort(codes)
    back = order.take(np.searchsorted(codes, opposite, sorter=order), mode="clip") if u.size else u
    has_opposite = codes[back] == opposite
    for other, amount, what in ((support, against, _OPPOSED), (tied, tied, _TIED)):
        for k in np.flatnonzero(has_opposite & (other[back] != amount))[:1].tolist():
            items, found = list(G), f"found {amount[k]} and {other[back[k]]}"
            raise PorankError(f"{what.format(items[u[k]], items[v[k]])}, {found}")
    is_back = u > v
    evidence = PairEvidence(
        np.minimum(u, v),
        np.maximum(u, v),
        np.where(is_back, against, support),
        np.where(is_back, support, against),
        tied,
        both_bad,
    )
    # A loop does not compare two items.
    return evidence.take((u < v) | (is_back & ~has_opposite))


def _amounts(G: nx.DiGraph, name: str, default: Any = None) -> NDArray[Any]:
    """Return an attribute of all edges of a feedback graph, such as the support, as numbers."""
    values = edge_values(G, name, default)
    if not (set(map(type, values)) <= {int} and min(values, default=0) >= 0):
        # The texts of errors cost more than all the rest, so they are made only if needed.
        values = [_amount(*each, name) for each in zip(G.edges, values, strict=True)]
    is_whole = set(map(type, values)) <= {int} and max(values, default=0) < 1 << 62
    return np.array(values, dtype=np.int64 if is_whole else float)


def _amount(edge: tuple[Item, Item], amount: Any, name: str) -> Any:
    """Return an attribute of one edge of a feedback graph, checked, as a number."""
    u, v = edge
    if amount is None:
        raise PorankError(
            f"expected a finite number >= 0 as {name!r} of each edge, found no such attribute on "
            f"{quoted(u)} -> {quoted(v)}; graphs from from_log have it"
        )
    return require_amount(amount, name=f"{name!r} of {quoted(u)} -> {quoted(v)}")


def from_log(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    **reading: Any,
) -> nx.DiGraph:
    """Return the preference graph of a click log, with an edge u -> v if a session prefers u to v.

    Parameters
    ----------
    log : ClickLog, table or path
        The log.
    rule
        As for `preference_pairs`.
    **reading
        How to read a table or path: ``columns``, ``events``, ``gap`` and ``errors``, as for
        `ClickLog`.

    Returns
    -------
    DiGraph
        All items of the log, in order of appearance; items that no session compares are isolated.
        Each edge has ``support``, the number of sessions that prefer u to v, and ``against``, the
        number that prefer v to u. For ratings and battles,
        edges also have ``ties`` and ``both_bad``, the numbers of sessions that rate both items
        equally good or both bad; a pair without any preference has no edge. Sessions contradict
        each other, so there may be cycles: `break_cycles` with ``weight="support"`` and `condense`
        resolve them. With ``errors="report"``, ``G.graph["problems"]`` lists the bad rows.

    Raises
    ------
    PorankError
        As for `preference_pairs`, or if the graph would have more than 10**7 edges.

    See Also
    --------
    preference_pairs, preference_graphs, per_session, simulate_log

    Examples
    --------
    >>> import porank as po
    >>> log = {
    ...     "session": [1, 1, 1, 2, 2, 3, 3],
    ...     "item": ["A", "B", "C", "A", "B", "B", "A"],
    ...     "event": ["click", "view", "view", "click", "view", "click", "view"],
    ... }
    >>> G = po.from_log(log)
    >>> for edge in G.edges(data=True):
    ...     print(*edge)
    A B {'support': 2, 'against': 1}
    A C {'support': 1, 'against': 0}
    B A {'support': 1, 'against': 2}

    Notes
    -----
    Time O(r log r + p log p) for r rows and p pairs in all sessions, and a few microseconds for
    each edge.
    """
    return pairs_together(log, rule=rule, **reading).to_graph()


def preference_graphs(pairs: PreferencePairs, *, items: str = "compared") -> dict[Any, nx.DiGraph]:
    """Return the preference graphs of a table of pairs, one for each group of sessions.

    Parameters
    ----------
    pairs : PreferencePairs
        Pairs from `preference_pairs`, for example with ``by="user"``.
    items : {"compared", "all"}
        Items of each graph: those that its own pairs compare, or all items of the log.

    Returns
    -------
    dict of DiGraph
        Group -> graph, in the order of the table. A group is the value of its column, or a tuple of
        values if there are several columns; it is ``()`` if all sessions were counted together.
        Edges have ``support`` and ``against`` within the group, as in `from_log`. A group without
        pairs is left out. With ``errors="report"``, ``graph["problems"]`` of each graph lists the
        bad rows of the log.

    Raises
    ------
    PorankError
        If `pairs` is not such a table, or `items` is unknown.

    See Also
    --------
    preference_pairs, from_log, per_session

    Examples
    --------
    >>> import porank as po
    >>> log = {"session": [1, 1, 2, 2, 3, 3], "user": list("uuuuvv"), "item": list("ababab"),
    ...        "event": ["click", "view", "view", "click", "click", "view"]}
    >>> graphs = po.preference_graphs(po.preference_pairs(log, by="user"))
    >>> for user, G in graphs.items():
    ...     print(user, list(G.edges(data="support")))
    u [('a', 'b', 1), ('b', 'a', 1)]
    v [('a', 'b', 1)]

    Notes
    -----
    Time O(rows), a few microseconds each; with ``items="all"``, also O(n) for each graph.
    """
    if not isinstance(pairs, PreferencePairs):
        raise PorankError(
            f"expected the result of preference_pairs(log, by=...), found {a_kind(pairs)}"
        )
    require_one_of(items, ("compared", "all"), name="items")
    graphs = {}
    for group, evidence in pairs.evidence_by_group():
        known = evidence.take(evidence.support + evidence.against > 0)
        if not known.other.size:
            continue
        among = pairs.items
        if items == "compared":
            numbers, places = np.unique([known.preferred, known.other], return_inverse=True)
            u, v = places.reshape(2, -1)
            among = [among[number] for number in numbers.tolist()]
            known = known._replace(preferred=u, other=v)
        graphs[group] = graph_of_evidence(among, known, pairs.reported, with_ties=bool(pairs.ties))
    return graphs
