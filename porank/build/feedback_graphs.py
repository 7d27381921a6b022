"""From a click log to a graph of preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.build.pair_limits import MAX_PAIRS
from porank.build.preference_pairs import preference_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import networkx as nx

    from porank.build.logs.sessions import Sessions


def from_log(
    log: Any,
    *,
    rule: str | Callable[[Sessions], Any] | Iterable[Any] = "levels",
    columns: Mapping[str, Any] | None = None,
    events: Sequence[Any] = ("purchase", "click", "view"),
    propensity: Any = None,
    clip: float = 0.05,
    errors: str = "raise",
    chunk_rows: int = 4_000_000,
    max_pairs: int = MAX_PAIRS,
    progress: bool = False,
) -> nx.DiGraph:
    """Return the graph with an edge u -> v when a session of a click log prefers u to v.

    Parameters
    ----------
    log, rule, columns, events, propensity, clip, errors, chunk_rows, max_pairs, progress
        As for `preference_pairs`.

    Returns
    -------
    DiGraph
        All items of the log, in the sequence in which they appear, alone if no session compares
        them. Each edge has ``support``, the number of sessions that say so, and ``against``, the
        number of those that say the opposite; with a propensity these are sums of weights. Sessions
        contradict each other, so there may be cycles: `break_cycles` with ``weight="support"`` and
        `condense` resolve them. With ``errors="report"``, the rows that could not be used stand in
        ``G.graph["problems"]``.

    Raises
    ------
    PorankError
        As by `preference_pairs`, or if more than 10**7 edges would be written.

    Examples
    --------
    >>> log = {
    ...     "session": [1, 1, 1, 2, 2, 3, 3],
    ...     "item": ["A", "B", "C", "A", "B", "B", "A"],
    ...     "event": ["click", "view", "view", "click", "view", "click", "view"],
    ... }
    >>> G = from_log(log)
    >>> for edge in G.edges(data=True):
    ...     print(*edge)
    A B {'support': 2, 'against': 1}
    A C {'support': 1, 'against': 0}
    B A {'support': 1, 'against': 2}

    Notes
    -----
    Time O(r log r + p log p) for r rows and p pairs of all sessions, and some microseconds an edge.
    """
    return preference_pairs(
        log,
        rule=rule,
        by=(),
        columns=columns,
        events=events,
        propensity=propensity,
        clip=clip,
        errors=errors,
        chunk_rows=chunk_rows,
        max_pairs=max_pairs,
        progress=progress,
    ).to_graph()
