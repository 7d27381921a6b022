"""Costs of aggregates: the cost, over all members, of ordering a pair or leaving it open.

The distance is Kendall's with p = 1/2: a member that orders a pair in the opposite direction adds
1, and a pair that only one of member and aggregate decides adds 1/2. A pair that every one of k
members decides costs k / 2 if it is left open. Compared with this, an aggregate *saves* costs,
counted in halves: putting i above j saves the margin (the members for it minus those against it),
and leaving a pair open saves the number of members that leave it open. All savings are multiplied
by the weight of the pair.

`Aggregate` is the result of every aggregation; `PairCosts` and `read_pair_costs` make it; `halved`;
`graph_of_levels` and `reduced_graph` write the order of an aggregate as a graph.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import decides_each_pair, require_fit
from porank.abstention.ensembles import count_wins, matrix_of
from porank.abstention.integer_program import best_relations
from porank.abstention.preference_relation import graph_of_pairs
from porank.convert.rankings import graph_of_item_levels
from porank.core.arguments import require_count
from porank.core.compiled_order import compile_order
from porank.core.graphs import graph_of, numbers_in_order, refuse_large
from porank.core.scores import levels_of_values, plain_number
from porank.core.tables import Properties, one_line
from porank.errors import RESTRICT_DEGREES, PorankError
from porank.measures.weights import read_dissimilarity, read_weights, require_finite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.abstention.ensembles import Ensemble
    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Item, Numbers

    Aim = tuple[str, Sequence[Item], NDArray[Any]]


#: Floats represent every integer below this exactly. Larger costs are floats, as with weights,
#: because solvers use floats, and integers of 64 bits might overflow.
WHOLE = 2**53
#: Relative rounding error of sums of floats.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class PairCosts:
    """The costs of aggregates by pair of items, in halves: how much each order of a pair saves.

    The matrices have the smallest integer type that fits, or floats if pairs have weights. `silent`
    is None if all members decide all pairs.
    """

    items: tuple[Item, ...]
    margin: NDArray[Any]
    silent: NDArray[Any] | None
    whole: int | float

    @property
    def is_whole(self) -> bool:
        """Whether all costs are whole numbers of halves."""
        return isinstance(self.whole, int)

    @property
    def rounding(self) -> float:
        """Largest difference between costs that count as equal."""
        return 0 if self.is_whole else _ROUNDING * self.whole

    def saved(self, above: NDArray[np.bool_]) -> Any:
        """Return how much an aggregate saves; entry [i, j] says whether item i is above j."""
        # The sum of m_ij over the pairs (i, j) of the order, and of s_ij over those it leaves open.
        saved = plain_number((self.margin * above).sum())
        if self.silent is None:
            return saved
        return saved + self._half(plain_number((self.silent * ~(above | above.T)).sum()))

    def aim(self, family: str) -> Aim:
        """Return what a total or weak aggregate maximises: gains as integers."""
        silent = 0 if self.silent is None or family == "total" else self.silent.astype(np.int64)
        return family, self.items, self.margin.astype(np.int64) + silent

    def least(self, *, total: bool) -> Any:
        """Return a lower bound of the cost of aggregates, in halves: each pair at its cheapest."""
        # Half of k minus the sum over pairs of max(m_ij, m_ji), or of max(m_ij, m_ji, s_ij).
        best = np.abs(self.margin)
        if self.silent is not None and not total:
            best = np.maximum(best, self.silent)
        return self.whole - self._half(plain_number(best.sum()))

    def _half(self, twice: Any) -> Any:
        """Return half of the savings of an aggregate, where each pair was counted twice."""
        return twice // 2 if self.is_whole else twice / 2

    def plain(self, halves: Any) -> int | Fraction | float:
        """Return an aggregate's cost in halves as a plain number."""
        return halved(int(halves)) if self.is_whole else float(halves) / 2

    def price(self, graph: nx.DiGraph, above: NDArray[np.bool_], *, total: bool) -> Aggregate:
        """Return the aggregate of an order, with its cost, and the gap from `least` to it."""
        cost = self.whole - self.saved(above)
        # Sums of floats in two orders may differ by rounding errors.
        gap = max(cost - self.least(total=total), 0)
        return Aggregate(graph, self.plain(cost), self.plain(gap))

    def price_levels(self, levels: Numbers, *, total: bool = False) -> Aggregate:
        """Return the aggregate whose weak or total order has these levels, with cost and gap."""
        graph = graph_of_levels(self.items, levels)
        return self.price(graph, levels[:, None] < levels, total=total)


def read_pair_costs(
    members: Ensemble,
    *,
    weights: Any = None,
    dissimilarity: Any = None,
) -> PairCosts:
    """Return the costs of aggregates by pair of items, with items sorted by (type name, repr)."""
    given, total = members.items, members.total
    n, kind = len(given), np.min_scalar_type(total)
    is_whole = weights is None and dissimilarity is None and total * n**2 < WHOLE
    require_fit(n, bytes_each=6 * kind.itemsize if is_whole else 32)
    sequence = numbers_in_order(given)
    items = tuple(given[number] for number in sequence)
    wins = count_wins(members, items)
    # Putting i above j saves m_ij = w_ij - w_ji halves. The overflow of small integers cancels.
    signed = np.min_scalar_type(-total - 1)
    margin = np.subtract(wins, wins.T, dtype=signed, casting="unsafe")
    silent = None
    if not decides_each_pair(wins, total):
        # Leaving the pair open saves s_ij = k - w_ij - w_ji, the members that leave it open.
        silent = np.array(total, wins.dtype) - wins - wins.T
        np.fill_diagonal(silent, 0)
    # An order of no pairs would cost k / 2 for each pair, if every member decided it: in all
    # k n (n - 1) / 2 halves. With weights, a pair counts w_i w_j D_ij times.
    if is_whole:
        return PairCosts(items, margin, silent, total * math.comb(n, 2))
    weight = _pair_weights(weights, dissimilarity, given)[np.ix_(sequence, sequence)]
    with np.errstate(over="ignore"):
        whole = require_finite(float(np.triu(weight, 1).sum() * total))
    silent = None if silent is None else weight * silent
    return PairCosts(items, weight * margin, silent, whole)


def _pair_weights(weights: Any, dissimilarity: Any, items: Sequence[Item]) -> NDArray[np.float64]:
    """Return the pair weights w_i w_j D_ij of an aggregate."""
    weight = read_weights(weights, items)
    with np.errstate(over="ignore", invalid="ignore"):
        product: NDArray[np.float64] = np.multiply.outer(weight, weight)
        if dissimilarity is not None:
            product *= read_dissimilarity(dissimilarity, items)
    np.fill_diagonal(product, 0)
    return product


@dataclass(frozen=True, eq=False)
class Aggregate(Properties):
    """An aggregated order, with its cost.

    Attributes
    ----------
    cost : int, Fraction or float
        The cost that the method minimises: the sum of distances to the members, or the loss. Exact
        without weights.
    gap : int, Fraction, float or None
        Maximum by which the least cost may be smaller: 0 for an optimum, None if unknown.

    Raises
    ------
    AttributeError
        If an attribute is assigned.

    See Also
    --------
    kemeny

    Examples
    --------
    >>> import porank as po
    >>> po.kemeny([po.from_ranking("ab")]).gap
    0

    Notes
    -----
    Memory of the order, and O(n**2) for `optima`.
    """

    _order: nx.DiGraph
    cost: int | Fraction | float
    gap: int | Fraction | float | None = None
    #: Returns the family of the order, the items, and the gains of pairs that it maximises.
    _aim: Callable[[], Aim] | None = field(default=None, repr=False)

    def order(self) -> nx.DiGraph:
        """Return the aggregated order."""
        return self._order

    @cached_property
    def is_unique(self) -> bool | None:
        """Whether no other order of its family has the same cost; None if unknown.

        It is only known for results of `kemeny` and `consensus_order`, and computed on demand.
        """
        first_two = list(islice(self._best(), 2))
        return None if first_two[-1] is None else len(first_two) == 1

    def optima(self, *, limit: int = 100) -> list[nx.DiGraph]:
        """Return all orders of least cost in the family.

        Parameters
        ----------
        limit : int
            Maximum number of orders to return.

        Returns
        -------
        list of DiGraph
            The orders, or the first `limit` of them. They are sorted by how they decide the first
            pair of items, then the second, and so on, with items sorted by (type name, repr): first
            the pair in this direction, then tied or open, then reversed. Partial orders are closed.

        Raises
        ------
        PorankError
            If `limit` is less than 1, the search for the optimum was stopped, listing takes too
            many steps, or the order is not from `kemeny` or `consensus_order` without weights.

        See Also
        --------
        consensus_order, kemeny

        Examples
        --------
        >>> import porank as po
        >>> found = po.kemeny([po.from_ranking(vote) for vote in ("abc", "bca", "cab")])
        >>> [po.format_order(order) for order in found.optima()]
        ['a > b > c', 'c > a > b', 'b > c > a']

        Notes
        -----
        Branches over the pairs. Pairs that would cost too much, or that follow from others, are
        decided at once. At most 10**8 / n**3 steps, each in time O(n**3). For random rankings of 12
        items it takes a second; for 20 items it may not finish.
        """
        require_count(limit, name="limit", least=1)
        found = list(islice(self._best(), limit))
        relations = [each for each in found if each is not None]
        if self._aim is None or len(relations) < len(found):
            raise PorankError(
                f"cannot list all orders of least cost: the search stopped at {len(relations)}; "
                "use kemeny or consensus_order without weights, fewer items, a lower limit or more "
                "seconds"
            )
        family, items, _ = self._aim()
        if family == "partial":
            return [graph_of_pairs(items, each, instead=RESTRICT_DEGREES) for each in relations]
        levels = (levels_of_values(each.sum(axis=1)) for each in relations)
        return [graph_of_levels(items, each) for each in levels]

    def _best(self) -> Iterator[NDArray[np.bool_] | None]:
        if self.gap or self._aim is None:
            return iter([None])
        family, items, gains = self._aim()
        above = matrix_of(compile_order(self.order()), items)
        most = gains[~above.T if family == "weak" else above].sum()
        return best_relations(gains, family, most)

    def __repr__(self) -> str:
        return one_line(self, f"{self.order()!r}, cost {self.cost}, gap {self.gap}")


def halved(halves: int) -> int | Fraction:
    """Return half the doubled cost of an aggregate as a plain number."""
    cost = Fraction(halves, 2)
    return int(cost) if cost.denominator == 1 else cost


def graph_of_levels(items: Sequence[Item], levels: Numbers) -> nx.DiGraph:
    """Return an aggregate as a weak order from its levels, best first, with equal levels tied."""
    best_first = np.argsort(levels, kind="stable")
    sequence = [items[number] for number in best_first.tolist()]
    return graph_of_item_levels(sequence, levels[best_first])


def reduced_graph(order: CompiledOrder) -> nx.DiGraph:
    """Return the reduction of a member that is the aggregate, with known ties only."""
    edges = order.relation.count_covers()
    refuse_large(edges, instead="use the order itself")
    shared = np.bincount(order.tie[order.tie >= 0], minlength=1) > 1
    ties = {
        item: name
        for item, name in zip(order.items, order.tie.tolist(), strict=True)
        if name >= 0 and shared[name]
    }
    return graph_of(order.items, order.relation.reduced_rows(), ties=ties)
