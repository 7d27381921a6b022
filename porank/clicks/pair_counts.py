"""Counts of pairs, from whatever holds them: a mapping, a matrix, a graph, a table, an ensemble.

`counts_of` returns how often each of two items was preferred to the other. `battles_in` reads a
table with a row for each column.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from itertools import chain
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from porank.abstention.preference_relation import PreferenceRelation
from porank.clicks.log_formats import are_of_log
from porank.convert.pair_tables import matrix_in
from porank.convert.rankings import from_matrix, is_square
from porank.core.arguments import require_amount
from porank.core.columns import is_frame, is_missing, open_source
from porank.core.graphs import require_digraph
from porank.errors import PorankError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from porank.typing import Item


#: For each compared pair of items: how often the first was preferred, and how often the second.
Counts: TypeAlias = "Mapping[tuple[Item, Item], Sequence[int]]"


def battles_in(table: Any) -> Any:
    """Return a table that is a log, or the graph of a matrix of wins; None for other data."""
    first = table[0] if isinstance(table, list) and table else table
    is_open = hasattr(table, "seekable") and not table.closed and table.seekable()
    is_file = is_open or isinstance(table, (str, os.PathLike))
    start = table.tell() if is_open else 0
    cells = first.values() if isinstance(first, Mapping) else ()
    if not (is_file or is_frame(table) or not all(isinstance(cell, Real) for cell in cells)):
        return None
    with closing(open_source(table)) as source:
        is_log = are_of_log(source.names)
        found = None if is_log else matrix_in(source)
    if is_open:
        table.seek(start)
    return from_matrix(found[1], found[0]) if found else table if is_log else None


def _is_matrix(given: Any) -> bool:
    """Return whether this is a square array, or a frame with the same names of rows and columns."""
    if isinstance(given, np.ndarray):
        return given.ndim == 2 and given.shape[0] == given.shape[1]
    return is_frame(given) and is_square(given)


def counts_of(evidence: Any) -> tuple[Iterable[Item], Counts] | None:
    """Return the items and the counts of evidence, None if it may be a log."""
    if isinstance(evidence, PreferenceRelation):
        return evidence.items, _counts_of_relation(evidence)
    if _is_matrix(evidence):
        evidence = from_matrix(evidence)
    if isinstance(evidence, nx.Graph):
        return evidence, _counts_of_pairs(_weights_of(evidence))
    if isinstance(evidence, Mapping) and not evidence:
        raise PorankError("expected evidence about at least one pair, found an empty mapping")
    if isinstance(evidence, Mapping) and all(
        isinstance(key, tuple) and len(key) == 2 for key in evidence
    ):
        return dict.fromkeys(chain.from_iterable(evidence)), _counts_of_pairs(evidence)
    G = battles_in(evidence)
    return (G, _counts_of_pairs(_weights_of(G))) if isinstance(G, nx.Graph) else None


def _counts_of_relation(P: PreferenceRelation) -> Counts:
    """Return the counts of an ensemble, or of the evidence from which degrees were made."""
    wins = P.support
    if wins is None or wins.dtype.kind == "f":
        found = "degrees given by hand" if wins is None else "weights"
        raise PorankError(
            f"expected counts of units, found {found}, which have no sample size",
            hint="settled_order(log) counts those of a log",
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
                f"{quoted(u)} -> {quoted(v)}"
            )
        if "against" in data:
            counts.setdefault((v, u), data["against"])
    return counts


#: Maximum number of units for which tests are exact to the digits shown.
_MOST_UNITS = 10**9


def _counts_of_pairs(amounts: Mapping[tuple[Item, Item], Any]) -> Counts:
    """Return the counts of pairs in both directions, from the counts of ordered pairs."""
    counts: dict[tuple[Item, Item], list[int]] = {}
    for (u, v), amount in amounts.items():
        if u == v or is_missing(u) or is_missing(v):
            found = quoted((u, v))
            raise PorankError(f"expected two different items in each pair, found {found:.80}")
        number = amount
        if type(amount) is not int or amount < 0:  # the name takes longer than the check
            number = require_amount(amount, name=f"the count of {quoted(u)} over {quoted(v)}")
        if number > _MOST_UNITS:
            raise PorankError(f"expected counts of at most {_MOST_UNITS:,} units, found {number}")
        if number != int(number):
            raise PorankError(f"expected whole numbers as counts of units, found {number}")
        if (v, u) in counts:
            counts[v, u][1] = int(number)
        else:
            counts[u, v] = [int(number), 0]
    return {pair: both for pair, both in counts.items() if any(both)}
