"""Measure how cyclic preferences are, and how much of them scores can explain.

The margin of a pair is the amount by which the evidence for one side exceeds the evidence for the
other. If margins form a cycle, no ranking agrees with all of them. The least total of margins that
must be reversed or dropped to remove all cycles is the weight of a minimum feedback arc set [1]_.
It is exact for small strongly connected components. For larger ones, the edges dropped by
`break_cycles` give an upper bound.

Another question is how well differences of scores reproduce the margins. This is the gradient part
of HodgeRank [2]_.

Public: `cyclicity`, which returns a `Cyclicity`.

References
----------
.. [1] R. M. Karp, "Reducibility among combinatorial problems", Complexity of Computer Computations,
   1972, pp. 85-103. https://doi.org/10.1007/978-1-4684-2001-2_9
.. [2] X. Jiang, L.-H. Lim, Y. Yao, Y. Ye, "Statistical ranking and combinatorial Hodge theory",
   Mathematical Programming 127, 2011, pp. 203-244. https://doi.org/10.1007/s10107-010-0419-x
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arrays import longest_path_levels
from porank.core.compiled_order import as_graph
from porank.core.graphs import component_numbers, cyclic_components, in_order, shortest_cycle
from porank.core.scores import plain_number
from porank.core.tables import Shown, Table, Tabular
from porank.errors import listed
from porank.orders.cycles import EXACT_ITEMS, break_cycles, require_weights

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers, OrderLike

#: For each compared pair, the evidence for its first item and for its second.
_Sides = dict[tuple[Any, Any], tuple[Any, Any]]


@dataclass(frozen=True, repr=False)
class Cyclicity(Shown, Tabular):
    """How cyclic preferences are, as returned by `cyclicity`.

    Attributes
    ----------
    lower, upper : number
        Bounds of the least total of margins to reverse or drop; equal if it is known exactly. The
        lower bound is the exact value for components of up to 16 items. A larger component only
        adds its least margin on the heaviest cycle, if that cycle is in it.
    total : number
        Sum of all margins.
    turned : tuple of (item, item)
        The preferences to reverse or drop. Their margins sum to `upper`, and the others have no
        cycle.
    cycle : tuple of items or None
        The heaviest cycle, with its first item repeated at the end: a cycle whose smallest margin
        is largest.
    cycle_margin : number
        Smallest margin on this cycle, 0 if there is no cycle.
    scores : dict
        Item -> score. The differences of scores are a least-squares fit to the mean margins; the
        mean score of each connected part is 0.
    parts : tuple of (int, float)
        For each connected part with more than one item, the largest first: the number of items, and
        the share of its margins explained by the scores. The share is nan if all pairs are evenly
        split.
    explained : float
        Share of all margins explained by the scores.

    See Also
    --------
    cyclicity, explore

    Examples
    --------
    >>> import porank as po
    >>> found = po.cyclicity(po.parse("a > b > c > a"))
    >>> found.is_exact, found.upper, found.explained
    (True, 1, 0.0)
    """

    lower: Any
    upper: Any
    total: Any
    turned: tuple[tuple[Item, Item], ...]
    cycle: tuple[Item, ...] | None
    cycle_margin: Any
    scores: dict[Item, float] = field(hash=False)
    parts: tuple[tuple[int, float], ...]
    explained: float

    @property
    def is_exact(self) -> bool:
        """Whether the least total of margins to reverse is known exactly."""
        return bool(self.lower == self.upper)

    def to_table(self) -> Table:
        """Return the results on cyclic preferences as a table of two columns."""
        rows: list[tuple[str, object]] = [("sum of margins", self.total)]
        if self.is_exact:
            rows.append(("to reverse", self.upper))
        else:
            rows += [("to reverse, at least", self.lower), ("to reverse, at most", self.upper)]
        if self.cycle is not None:
            cycle = listed(self.cycle, separator=" > ")
            rows += [("heaviest cycle", cycle), ("its smallest margin", self.cycle_margin)]
        return Table(("property", "value"), [*rows, ("explained by scores", self.explained)])


def cyclicity(G: OrderLike, *, weight: str | None = "auto") -> Cyclicity:
    """Return the least total of margins that must be reversed to remove all cycles.

    Let s(u, v) be the evidence that u is preferred to v. The margin of u over v is m(u, v) =
    max(s(u, v) - s(v, u), 0). The result is the smallest total margin of a set of pairs whose
    removal leaves no cycle of positive margins. It is 0 if and only if the net preferences are
    acyclic.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        Any directed graph.
    weight : str or None
        Edge attribute with the evidence for an edge, a finite number of at least 0. If None, each
        edge counts once. "auto" uses ``support`` if all edges have it, as in the graphs of
        `from_log` and `net_preferences`, and None otherwise. With ``support``, an edge may also
        have the attribute ``against``, the evidence for the opposite edge.

    Returns
    -------
    Cyclicity
        The total as two bounds, which are equal if no strongly connected component has more than 16
        items; the heaviest cycle as a witness; and the share of the margins explained by scores.

    Raises
    ------
    GraphTypeError
        If `G` is undirected, has parallel edges, or is not a graph.
    PorankError
        If a weight is missing, negative, infinite or not a number.

    See Also
    --------
    Cyclicity, break_cycles, find_cycle, net_preferences

    Examples
    --------
    In ten sessions each, a wins 7 : 3 against b, b wins 8 : 2 against c, and c wins 6 : 4 against
    a.

    >>> import networkx as nx
    >>> import porank as po
    >>> G = nx.DiGraph()
    >>> wins = {"ab": 7, "ba": 3, "bc": 8, "cb": 2, "ca": 6, "ac": 4}
    >>> G.add_edges_from((u, v, {"support": wins[u + v]}) for u, v in wins)
    >>> print(po.cyclicity(G))
    property             value
    -------------------  ---------------------
    sum of margins       12
    to reverse           2
    heaviest cycle       'a' > 'b' > 'c' > 'a'
    its smallest margin  2
    explained by scores  0.1429

    Notes
    -----
    The share explained by scores is 1 - R / T. Let n(u, v) = s(u, v) + s(v, u) be the number of
    sessions for a pair, and y(u, v) = (s(u, v) - s(v, u)) / n(u, v) its mean margin. T is the sum
    of n y**2 over all compared pairs, and R is the minimum, over all scores r, of the sum of
    n (y(u, v) - (r(u) - r(v)))**2. The share measures whether margins add up along chains, which is
    not the same as being acyclic. If all sessions agree on a ranking, all mean margins are 1, but
    differences of scores cannot be 1 for near and distant items alike. So scores explain only 8/9
    for three such items, and about 2/3 for many.

    Time of `break_cycles`, plus O(n + m), O(m log m) for the heaviest cycle, and some passes over
    the pairs for the scores. In components of more than 16 items, the upper bound depends on the
    type names and reprs of the items.

    References
    ----------
    .. [1] X. Jiang, L.-H. Lim, Y. Yao, Y. Ye, "Statistical ranking and combinatorial Hodge theory",
       Mathematical Programming 127, 2011, pp. 203-244. https://doi.org/10.1007/s10107-010-0419-x
    """
    H = as_graph(G)
    items = in_order(H)
    sides = _read_sides(H, items, weight)
    N = _margin_graph(items, sides)
    _, dropped = break_cycles(N, weight="margin")
    margin = nx.get_edge_attributes(N, "margin")
    upper = sum(margin[pair] for pair in dropped)
    cycle = _heaviest_cycle(N)
    cycle_margin = min((margin[pair] for pair in pairwise(cycle or ())), default=0)
    small = {item for part in cyclic_components(N) if len(part) <= EXACT_ITEMS for item in part}
    exact = sum(margin[pair] for pair in dropped if pair[0] in small)
    scores, parts, explained = _fit(items, sides)
    return Cyclicity(
        # Each cycle must lose at least one margin.
        lower=exact if cycle is None or cycle[0] in small else exact + cycle_margin,
        upper=upper,
        total=sum(margin.values()),
        turned=tuple(dropped),
        cycle=None if cycle is None else tuple(cycle),
        cycle_margin=cycle_margin,
        scores=dict(zip(items, scores, strict=True)),
        parts=parts,
        explained=explained,
    )


def _read_sides(G: nx.DiGraph, items: list[Item], weight: str | None) -> _Sides:
    """Return the evidence for both sides of each pair that a graph compares, in order."""
    edges = list(G.edges(data=True))
    if weight == "auto":
        weight = "support" if all("support" in data for *_, data in edges) else None
    require_weights(edges, weight)
    number = {item: place for place, item in enumerate(items)}
    edges.sort(key=lambda edge: (number[edge[0]], number[edge[1]]))
    amount = {(u, v): 1 if weight is None else plain_number(data[weight]) for u, v, data in edges}
    sides: _Sides = {}
    for u, v, data in edges:
        back = amount.get((v, u))
        if back is None:
            back = plain_number(data.get("against", 0)) if weight == "support" else 0
        if u != v and (v, u) not in sides and amount[u, v] + back:
            sides[u, v] = amount[u, v], back
    return sides


def _margin_graph(items: Iterable[Item], sides: _Sides) -> nx.DiGraph:
    """Return the graph of the pairs with a positive margin; edges start at the preferred item."""
    N = nx.DiGraph()
    N.add_nodes_from(items)
    for (u, v), (there, back) in sides.items():
        if there != back:
            edge = (u, v) if there > back else (v, u)
            N.add_edge(*edge, margin=abs(there - back))
    return N


def _heaviest_cycle(N: nx.DiGraph) -> list[Item] | None:
    """Return a cycle of margins whose smallest margin is largest, a shortest one of these.

    Idea: *find by bisection the largest margin such that the pairs with at least this margin have a
    cycle.*
    """
    number = {item: place for place, item in enumerate(N)}
    edges = [(number[u], number[v]) for u, v in N.edges]
    source, target = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    margins = [margin for *_, margin in N.edges(data="margin")]
    levels = sorted(set(margins))
    place = {margin: level for level, margin in enumerate(levels)}
    level = np.array([place[margin] for margin in margins], dtype=np.int64)

    def is_cyclic(least: int) -> bool:
        kept = level >= least
        return longest_path_levels(len(N), source[kept], target[kept]) is None

    if not is_cyclic(0):
        return None
    cyclic, acyclic = 0, len(levels)
    while acyclic - cyclic > 1:
        middle = (cyclic + acyclic) // 2
        cyclic, acyclic = (middle, acyclic) if is_cyclic(middle) else (cyclic, middle)
    heavy = [(u, v) for u, v, margin in N.edges(data="margin") if margin >= levels[cyclic]]
    return shortest_cycle(nx.DiGraph(heavy))


#: Tolerance of the scores, relative to the margins, and maximum number of iterations.
_NEAR, _MOST_ROUNDS = 1e-13, 10_000


#: The scores, the size and the explained share of each part, and the explained share of all.
_Fit = tuple[list[float], tuple[tuple[int, float], ...], float]


def _fit(items: list[Item], sides: _Sides) -> _Fit:
    """Return the scores that explain mean margins best, weighted by sessions, and the shares."""
    number = {item: place for place, item in enumerate(items)}
    ends = np.array([(number[u], number[v]) for u, v in sides], dtype=np.int64).reshape(-1, 2)
    amounts = np.array([(float(s), float(a)) for s, a in sides.values()]).reshape(-1, 2)
    sessions = amounts.sum(axis=1)
    mean = (amounts[:, 0] - amounts[:, 1]) / sessions
    part = component_numbers(len(items), *ends.T)
    scores = _least_squares(len(items), ends, sessions, mean)
    scores = scores - (np.bincount(part, scores) / np.bincount(part))[part]
    # Sums of squares of the mean margins and of the residuals, by part.
    squares = np.zeros((2, int(part.max(initial=-1)) + 1))
    left = mean - (scores[ends[:, 0]] - scores[ends[:, 1]])
    for row, flow in zip(squares, (mean, left), strict=True):
        np.add.at(row, part[ends[:, 0]], sessions * flow**2)
    sizes, shares = np.bincount(part).tolist(), map(_share_explained, *squares.tolist())
    parts = [found for found in zip(sizes, shares, strict=True) if found[0] > 1]
    every = _share_explained(*squares.sum(axis=1).tolist())
    return scores.tolist(), tuple(sorted(parts, key=lambda found: -found[0])), every


def _least_squares(
    n: int, ends: Numbers, sessions: NDArray[np.float64], mean: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the scores that explain mean margins by least squares, using conjugate gradients."""
    from scipy.sparse import csr_array, diags_array
    from scipy.sparse.linalg import cg

    if not mean.size:
        return np.zeros(n)
    signs, pairs = np.repeat([1.0, -1.0], mean.size), np.tile(np.arange(mean.size), 2)
    # B s = s_u - s_v for each pair (u, v); sum w (m - B s)^2 is least where B'WB s = B'W m.
    differences = csr_array((signs, (pairs, ends.T.ravel())), shape=(mean.size, n))
    weighed = differences.T @ diags_array(sessions)
    normal = weighed @ differences
    scale = diags_array(1 / np.where(normal.diagonal() == 0, 1.0, normal.diagonal()))
    scores: NDArray[np.float64] = cg(
        normal, weighed @ mean, rtol=_NEAR, maxiter=_MOST_ROUNDS, M=scale
    )[0]
    return scores


def _share_explained(every: float, left: float) -> float:
    """Return the share of margins explained by scores, to 12 digits; nan without margins."""
    # 1 - sum of w (m - (s_u - s_v))^2 / sum of w m^2
    return round(min(max(1 - left / every, 0.0), 1.0), 12) if every else math.nan
