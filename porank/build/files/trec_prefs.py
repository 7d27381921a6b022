"""TREC preference judgments: lines ``query group sub-group item level``.

Within a sub-group of a query's judgment group an item is preferred to each of a lower level; equal
levels say nothing. What a group prefers is the closure of what its sub-groups say.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from porank.build.files.trec_lines import (
    ByQuery,
    cells_of_lines,
    query_texts,
    require_cell,
)
from porank.convert.notation import covering_chains, quotient_of
from porank.core.arguments import require_one_of, texts_of
from porank.core.compiled_order import compile_order
from porank.core.csv_cells import read_number
from porank.core.files import Problems, write_text
from porank.core.graphs import refuse_large, shortest_cycle
from porank.errors import CycleError, ParseError, PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from porank.typing import Item, OrderLike

_FORM = "query group sub-group item level"
_GROUPS = ("joined", "separate")

#: Query -> group -> sub-group -> item -> level.
_Judgments: TypeAlias = dict[str, dict[str, dict[str, dict[str, float]]]]


def read_trec_prefs(
    source: Any, *, groups: str = "joined", errors: str = "raise"
) -> dict[Any, nx.DiGraph]:
    r"""Return the preferences that TREC preference judgments state: query -> graph.

    Parameters
    ----------
    source : path or open file
        Lines ``query group sub-group item level`` in UTF-8; empty ones are skipped.
    groups : {"joined", "separate"}
        Whether a query has one graph, of what all its judgment groups say together, or one for each
        group, under (query, group). Groups are often the judges of a query: those who contradict
        one another can only be kept separate.
    errors : {"raise", "report"}
        Whether the first bad line is an error, or the good lines are returned, with the bad ones in
        the attribute ``problems`` of the dictionary.

    Returns
    -------
    dict
        Each graph has the items that were judged, sub-group by sub-group, and edges between
        neighbouring levels of each sub-group. What it says is its closure. No ties
        are known.

    Raises
    ------
    ParseError
        If a line is not such a line, or an item stands twice in a sub-group.
    CycleError
        If what a group says, or joined groups say, is contradictory; the query and the groups are
        named.
    PorankError
        If `source` is neither a path nor an open file, an option is none of those allowed, or more
        than 10**7 edges would be written.

    Examples
    --------
    >>> import io
    >>> text = "q1 1 1 d1 2\nq1 1 1 d2 1\nq1 1 1 d3 1\nq1 1 2 d3 5\nq1 1 2 d4 3\n"
    >>> prefs = read_trec_prefs(io.StringIO(text))
    >>> list(prefs["q1"].edges)
    [('d1', 'd2'), ('d1', 'd3'), ('d3', 'd4')]
    >>> list(read_trec_prefs(io.StringIO(text), groups="separate"))
    [('q1', '1')]

    Notes
    -----
    Time O(n log n + m) for n lines and m edges.
    """
    require_one_of(groups, _GROUPS, name="groups")
    problems = Problems(errors)
    judgments = _read_judgments(source, problems)
    read = ByQuery()
    for query, by_group in judgments.items():
        graphs = {group: _graph_of(list(by.values())) for group, by in by_group.items()}
        for group, G in graphs.items():
            _require_order(G, f"group {group!r} of query {query!r}")
        if groups == "separate":
            read.update(((query, group), G) for group, G in graphs.items())
            continue
        read[query] = _graph_of([levels for by in by_group.values() for levels in by.values()])
        together = f"the groups of query {query!r}, which groups='separate' keeps apart"
        _require_order(read[query], together)
    read.problems = problems.by_line()
    return read


def _read_judgments(source: Any, problems: Problems) -> _Judgments:
    judgments: _Judgments = {}
    for cells in cells_of_lines(source, _FORM, problems):
        query, group, sub_group, item, text = cells.texts
        try:
            level = float(read_number(text, "level"))
            levels = judgments.setdefault(query, {}).setdefault(group, {}).setdefault(sub_group, {})
            if item in levels:
                raise ParseError(
                    f"expected each item once in sub-group {sub_group!r}, found {item!r} again"
                )
            levels[item] = level
        except ParseError as error:
            cells.meet(error)
    return judgments


def _graph_of(sub_groups: list[dict[str, float]]) -> nx.DiGraph:
    """Return the union of the sub-groups, each as edges between its neighbouring levels."""
    G = nx.DiGraph()
    for level_of in sub_groups:
        G.add_nodes_from(level_of)
        by_level: dict[float, list[str]] = {}
        for item, level in level_of.items():
            by_level.setdefault(level, []).append(item)
        rows = [by_level[level] for level in sorted(by_level, reverse=True)]
        refuse_large(
            sum(len(upper) * len(lower) for upper, lower in pairwise(rows)),
            instead="split the sub-group",
        )
        for upper, lower in pairwise(rows):
            G.add_edges_from((u, v) for u in upper for v in lower)
    return G


def _require_order(G: nx.DiGraph, name: str) -> None:
    if not nx.is_directed_acyclic_graph(G):
        raise CycleError.found(shortest_cycle(G) or [], name=name)


def write_trec_prefs(
    prefs: Mapping[Any, OrderLike], target: Any, *, groups: str = "joined"
) -> None:
    """Write orders as TREC preference judgments.

    A weak order is one sub-group; any other is a sub-group for each of the fewest chains that hold
    all edges of its reduction, and one for each item that is related to nothing.

    Parameters
    ----------
    prefs : mapping
        Query -> order.
    target : path or open file
        A file that is there is replaced when all has been written, and else left as it is.
    groups : {"joined", "separate"}
        Whether the keys are queries, whose group is written as 1, or pairs (query, group).

    Raises
    ------
    CycleError
        If a graph has a cycle.
    PorankError
        If a text is empty or holds a blank, two items of a query have the same text, or `target` is
        neither a path nor an open file.

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_trec_prefs({"q1": nx.DiGraph(["ac", "bc", "bd"])}, target)
    >>> print(target.getvalue(), end="")
    q1 1 1 a 2
    q1 1 1 c 1
    q1 1 2 b 2
    q1 1 2 c 1
    q1 1 3 b 2
    q1 1 3 d 1

    Notes
    -----
    Time O(n log n) for a weak order, that of the reduction for others. Equal levels say nothing
    here, so that known ties are not written.
    """
    require_one_of(groups, _GROUPS, name="groups")
    if groups == "joined":
        keys = [(key, (text, "1")) for key, text in query_texts(prefs)]
    else:
        keys = [(key, _pair_of(key)) for key in prefs]
        if len({pair for _, pair in keys}) < len(keys):
            raise PorankError("expected keys whose texts differ, found two of the same text")
    lines = (
        f"{query} {group} {number} {item} {level}\n"
        for key, (query, group) in keys
        for number, item, level in _sub_group_lines(prefs[key], f"query {query!r}")
    )
    write_text("".join(lines), target)


def _pair_of(key: Any) -> tuple[str, str]:
    if not isinstance(key, tuple) or len(key) != 2:
        raise PorankError(f"expected pairs (query, group) as keys, found {key!r}")
    return require_cell(str(key[0]), "query"), require_cell(str(key[1]), "group")


def _sub_group_lines(prefs: OrderLike, name: str) -> Iterator[tuple[int, str, int]]:
    """Yield sub-group, item and level of each line."""
    order = compile_order(prefs, name=name)
    texts: dict[Item, str] = texts_of(order.items)
    for text in texts.values():
        require_cell(text, "item")
    if order.is_weak:
        layers = order.layers.tolist()
        for layer, item in sorted(zip(layers, order.items, strict=True), key=lambda pair: pair[0]):
            yield 1, texts[item], len(order.sizes) - layer
        return
    classes, rows = quotient_of(order.with_tie(order.tie * 0 - 1))
    for number, chain in enumerate(covering_chains(rows), start=1):
        for level, place in zip(range(len(chain), 0, -1), chain, strict=True):
            yield number, texts[order.items[classes[place][0]]], level
