"""Make orders from tables of indicators, by Pareto dominance, and tell which indicator matters.

With weights, u dominates v if no admissible weighting of the indicators prefers v to u.

`from_table`, `which_indicator`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.convert.rankings import graph_of_classes, items_by_level
from porank.core.arrays import distinct, in_parts, inverse_of
from porank.core.criteria import read_criteria
from porank.core.graphs import refuse_large, require_memory
from porank.core.labels import warn_of_alike
from porank.core.relation import relate_matrix
from porank.core.scores import levels_of_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import networkx as nx

    from porank.typing import Numbers


def from_table(
    table: Any,
    *,
    maximize: Iterable[Any] = (),
    minimize: Iterable[Any] = (),
    weights: Any = None,
) -> nx.DiGraph:
    """Return the Pareto order of the rows of a table.

    An item u is above v if u dominates v: u is at least as good in all columns, and better in at
    least one. With `weights`, u is above v if its weighted sum is at least as large under all
    admissible weightings, and larger under at least one. Without, all weights of at least 0 are
    admissible.

    Parameters
    ----------
    table : mapping, frame, list of rows or array
        A mapping item -> {column: number}, a pandas DataFrame with the items as index, another
        table (such as a DataFrame of polars, a mapping of columns or a list of mappings) with the
        items in its column ``item``, or an array with the items 0..n-1 as rows.
    maximize, minimize : iterable of columns, or the name of one
        Columns in which larger numbers are better, and columns in which smaller numbers are. Other
        columns are ignored.
    weights : list, mapping or "ordered", optional
        What is known about the weights of the columns, which have the sum 1. A list of all columns,
        most important first: no weight is larger than the one before it. ``"ordered"`` is the list
        as it is in `maximize` or in `minimize`. Or a mapping from columns to (lowest, highest) or
        to a single number; other weights are from 0 to 1.

    Returns
    -------
    DiGraph
        The transitive reduction. Items with equal numbers in all these columns, or equal weighted
        sums under all admissible weightings, are tied.

    Raises
    ------
    PorankError
        If no column is named, if a column is unknown, named twice, or has no number for an item, if
        the weights are invalid, or if the result would have more than 10**7 edges.

    See Also
    --------
    maximal_items, levels, which_indicator, from_scores, from_intervals

    Examples
    --------
    >>> import porank as po
    >>> table = {"a": {"taste": 3, "price": 2}, "b": {"taste": 3, "price": 4},
    ...          "c": {"taste": 1, "price": 1}, "d": {"taste": 3, "price": 4}}
    >>> G = po.from_table(table, maximize=["taste"], minimize=["price"])
    >>> list(G.edges), dict(G.nodes(data="tie"))
    ([('a', 'b'), ('a', 'd')], {'a': None, 'b': 1, 'c': None, 'd': 1})
    >>> po.from_table(table, maximize="taste", minimize="price", weights=["taste", "price"])
    a > b ~ d > c
    >>> po.from_table(table, maximize="taste", minimize="price", weights={"price": (0.5, 0.8)})
    a > b ~ d; c > b

    Notes
    -----
    For n different rows and m_red edges of the result, time O(n**2) for each column and
    O(n m_red / 64), and n**2 bytes of memory. `maximal_items` and `levels` take a table and make no
    edges.

    Before they are weighted, the numbers of each column are scaled linearly, so that the worst one
    in the table is 0 and the best one is 1. To use other ends of the scale, add an item with the
    worst possible numbers and one with the best. Sums are exact, with floats as their decimals.

    If the columns in order of importance are x_1, ..., x_k, u is above v if x_1 + ... + x_i is at
    least as large for all i, and larger for one of them: all such weightings are mixtures of equal
    weights of the first i columns [1]_. Ranges of weights are mixtures of their corners, of which k
    columns have at most k 2**(k - 1).

    References
    ----------
    .. [1] P. C. Fishburn, "Decision and Value Theory", Wiley, 1964.
    """
    items, criteria = read_criteria(table, maximize, minimize, weights)
    warn_of_alike(items)
    ranks = [levels_of_values(each) for each in criteria.values()]
    first, group = distinct(*ranks)
    # Classes of equal items are numbered in order of appearance.
    classes = items_by_level(inverse_of(np.argsort(first))[group])
    relation = relate_matrix(_dominance([each[np.sort(first)] for each in ranks]))
    refuse_large(relation.count_covers(), instead="keep fewer items")
    covers = list(relation.reduced_rows())
    return graph_of_classes(list(items), classes, covers, instead="keep fewer items")


def _dominance(ranks: Sequence[Numbers]) -> Any:
    """Return the matrix of Pareto dominance between items with different indicators."""
    n = ranks[0].size
    require_memory(3 * n * n, what=f"a matrix of {n:,} items", instead="keep fewer items")
    dominates = ~np.eye(n, dtype=bool)
    for column in ranks:
        dominates &= column[:, None] <= column[None, :]
    return dominates


def which_indicator(
    table: Any, *, maximize: Iterable[Any] = (), minimize: Iterable[Any] = ()
) -> dict[Any, int]:
    """Return how many pairs a Pareto order gains if an indicator is left out.

    Leaving out column c decides an incomparable pair if one of the two items is better in c only,
    and the other one is better in at least one other column.

    Parameters
    ----------
    table, maximize, minimize
        As in `from_table`.

    Returns
    -------
    dict
        Column -> number of pairs that are incomparable in `from_table` and decided without that
        column, an integer from 0 to n (n - 1) / 2.

    Raises
    ------
    PorankError
        If no column is named, or if a column is unknown, named twice, or has no number for an item.

    See Also
    --------
    from_table, maximal_items

    Examples
    --------
    >>> import porank as po
    >>> table = {"a": {"taste": 3, "price": 5, "walk": 1}, "b": {"taste": 2, "price": 4, "walk": 2},
    ...          "c": {"taste": 1, "price": 3, "walk": 3}}
    >>> po.which_indicator(table, maximize=["taste"], minimize=["price", "walk"])
    {'taste': 0, 'price': 3, 'walk': 0}

    Notes
    -----
    Time O(n**2) for each column; memory O(n).
    """
    _, criteria = read_criteria(table, maximize, minimize)
    ranks = np.array([levels_of_values(each) for each in criteria.values()])
    gained = np.zeros(len(ranks), dtype=np.int64)
    for part in in_parts(ranks.shape[1], 64):
        worse = ranks[:, part, None] > ranks[:, None, :]
        better = (ranks[:, part, None] < ranks[:, None, :]).any(axis=0)
        gained += (worse & (better & (worse.sum(axis=0) == 1))).sum(axis=(1, 2))
    return dict(zip(criteria, gained.tolist(), strict=True))
