"""A graph of preferences for each user, query, or other group of sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.build.evidence import PreferencePairs
from porank.core.arguments import require_one_of
from porank.errors import PorankError

if TYPE_CHECKING:
    import networkx as nx


def preference_graphs(pairs: PreferencePairs, *, items: str = "compared") -> dict[Any, nx.DiGraph]:
    """Return a graph of preferences for each group of sessions in a table of pairs.

    Parameters
    ----------
    pairs : PreferencePairs
        The pairs that `preference_pairs` counts, as with ``by="user"``.
    items : {"compared", "all"}
        Which items a graph has: those that its own pairs name, or all of the log.

    Returns
    -------
    dict of DiGraph
        Group -> graph, in the sequence of the table: the value of the column of groups, or a tuple
        if they have several; ``()`` if all sessions were counted together. The edges have
        ``support`` and ``against`` within the group, as by `from_log`. A group that says no pair
        is not there. With ``errors="report"``, the problems of the log stand in
        ``graph["problems"]`` of each graph.

    Raises
    ------
    PorankError
        If `pairs` is no such table, or `items` is none of those allowed.

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
    Time O(rows), some microseconds each; with ``items="all"`` also O(n) a graph.
    """
    if not isinstance(pairs, PreferencePairs):
        raise PorankError(
            f"expected the pairs of preference_pairs(log, by=...), found a {type(pairs).__name__}"
        )
    require_one_of(items, ("compared", "all"), name="items")
    place = {item: number for number, item in enumerate(pairs.items)}
    graphs = {}
    for group, rows in _rows_of_groups(pairs).items():
        columns = {name: pairs[name][rows] for name in ("preferred", "other", "support")}
        named = {*columns["preferred"].tolist(), *columns["other"].tolist()}
        among = sorted(named, key=place.__getitem__) if items == "compared" else pairs.items
        table = PreferencePairs(columns, among, pairs.counts, pairs.problems, pairs.is_reported)
        graphs[group] = table.to_graph()
    return graphs


def _rows_of_groups(pairs: PreferencePairs) -> dict[Any, list[int]]:
    """Return the rows of each group, by its value or by the tuple of several."""
    names = pairs.keys()[:-3]
    columns = [pairs[name].tolist() for name in names]
    groups = columns[0] if len(names) == 1 else zip(*columns, strict=True)
    if not names:
        groups = [()] * len(pairs)
    rows: dict[Any, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    return rows
