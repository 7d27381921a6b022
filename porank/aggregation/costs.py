"""What it costs, summed over the members, to put one item above another, or to leave the pair open.

The distance is Kendall's with p = 1/2: a member that says the contrary adds 1, and where just one
of member and aggregate decides a pair, 1/2. A pair that every member decides costs k / 2 when it is
left open. So an aggregate is judged by what it *saves*, counted in halves: putting i above j saves
the margin, the members for it less the members against it; leaving a pair open saves the number of
members that are silent about it. Every saving is taken times the weight of the pair.

`Aggregate`, what every aggregation returns; `PairCosts` and `read_pair_costs`, which make it;
`halved`; the orders of an aggregate as graphs: `graph_of_levels`, `reduced_graph`.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.abstention.degrees import decides_each_pair, require_fit
from porank.abstention.preference_relation import graph_of_pairs
from porank.abstention.transitive import best_relations
from porank.abstention.votes import count_wins, matrix_of
from porank.convert.notation import format_order
from porank.convert.rankings import graph_of_item_levels
from porank.core.arguments import require_count
from porank.core.compiled_order import compile_order, levels_of_values, plain_number
from porank.core.graphs import graph_of, numbers_in_order, refuse_large
from porank.core.tables import html_of
from porank.errors import RESTRICT_DEGREES, PorankError
from porank.measures.weights import read_dissimilarity, read_weights, require_finite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.abstention.votes import Ensemble
    from porank.core.compiled_order import Order
    from porank.typing import Item, Numbers

    Aim = tuple[str, Sequence[Item], NDArray[Any]]


#: Floats, which weights and solvers compute in, hold every whole number below this one. From there
#: on costs are floats, as with weights: whole ones would be wrong, and no sum of 64 bits.
WHOLE = 2**53
#: What sums of floats may be off by, as a share of the whole cost.
_ROUNDING = 1e-12
#: The order of up to so many items is told in a notebook, of more only how large it is.
_FEW = 50


@dataclass(frozen=True, eq=False)
class PairCosts:
    """The costs of aggregates by pairs of items, in halves: what each order of a pair saves.

    The matrices are of the smallest integers that hold them, or of floats if pairs have weights;
    `silent` is None if all is decided.
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
        """What costs that are equal may differ by."""
        return 0 if self.is_whole else _ROUNDING * self.whole

    def saved(self, above: NDArray[np.bool_]) -> Any:
        """Return what an aggregate saves, entry [i, j] saying whether item i stands above j."""
        saved = plain_number((self.margin * above).sum())
        if self.silent is None:
            return saved
        return saved + self._half(plain_number((self.silent * ~(above | above.T)).sum()))

    def aim(self, family: str) -> Aim:
        """Return what a total or weak aggregate maximises: gains of whole numbers."""
        silent = 0 if self.silent is None or family == "total" else self.silent.astype(np.int64)
        return family, self.items, self.margin.astype(np.int64) + silent

    def least(self, *, total: bool) -> Any:
        """Return a cost, in halves, that no aggregate is below: every pair as it is cheapest."""
        best = np.abs(self.margin)
        if self.silent is not None and not total:
            best = np.maximum(best, self.silent)
        return self.whole - self._half(plain_number(best.sum()))

    def _half(self, twice: Any) -> Any:
        """Return half of what each pair of an aggregate has added twice."""
        return twice // 2 if self.is_whole else twice / 2

    def plain(self, halves: Any) -> int | Fraction | float:
        """Return an aggregate's cost in halves as a plain number."""
        return halved(int(halves)) if self.is_whole else float(halves) / 2

    def price(self, graph: nx.DiGraph, above: NDArray[np.bool_], *, total: bool) -> Aggregate:
        """Return the aggregate of an order, with its cost and what that is more than `least`."""
        cost = self.whole - self.saved(above)
        # Floats, added up in two ways, may differ by a rounding.
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
    """Return what aggregates cost by pairs of items, these numbered by (type name, repr)."""
    given, total = members.items, members.total
    n, kind = len(given), np.min_scalar_type(total)
    is_whole = weights is None and dissimilarity is None and total * n**2 < WHOLE
    require_fit(n, bytes_each=6 * kind.itemsize if is_whole else 32)
    sequence = numbers_in_order(given)
    items = tuple(given[number] for number in sequence)
    wins = count_wins(members, items)
    # What wraps round in the smallest integers is right again in the difference.
    signed = np.min_scalar_type(-total - 1)
    margin = np.subtract(wins, wins.T, dtype=signed, casting="unsafe")
    silent = None
    if not decides_each_pair(wins, total):
        silent = np.array(total, wins.dtype) - wins - wins.T
        np.fill_diagonal(silent, 0)
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
class Aggregate:
    """An aggregated order, with its cost.

    Two of them are equal if their costs, their gaps and the items, edges and attributes of their
    orders are.

    Attributes
    ----------
    order : DiGraph
        The order.
    cost : int, Fraction or float
        What the method that made it counts: the sum of the distances to the members, or the loss.
        Exact without weights.
    gap : int, Fraction, float or None
        At most so much more than the least cost there is: 0 for an optimum, None where nothing is
        known.

    Raises
    ------
    AttributeError
        When an attribute is assigned.

    See Also
    --------
    kemeny

    Examples
    --------
    >>> import porank as po
    >>> po.kemeny([po.from_ranking("ab")]).gap
    0
    >>> votes = [po.from_ranking("ab"), po.from_ranking("ba")]
    >>> po.borda(votes) == po.borda(votes), po.borda(votes) == po.kemeny(votes)
    (True, False)

    Notes
    -----
    Time and memory are those of the order, and memory O(n**2) of what `optima` looks through. To
    compare two takes time O(n + m).
    """

    order: nx.DiGraph
    cost: int | Fraction | float
    gap: int | Fraction | float | None = None
    #: Returns the family of the order, the items, and the gains of pairs that it maximises.
    _aim: Callable[[], Aim] | None = field(default=None, repr=False)

    @cached_property
    def is_unique(self) -> bool | None:
        """Whether no other order of its family costs as little; None where that is unknown.

        Only `kemeny` and `consensus_order` find out, when they are asked.
        """
        first_two = list(islice(self._best(), 2))
        return None if first_two[-1] is None else len(first_two) == 1

    def optima(self, *, limit: int = 100) -> list[nx.DiGraph]:
        """Return all orders of the family that cost as little as this one, the least there is.

        Parameters
        ----------
        limit : int
            Maximum number of orders to return.

        Returns
        -------
        list of DiGraph
            The first `limit` of them; if there are fewer, these are all. They are sorted by what
            they say of the first pair of items, then of the second, and so on, the items being
            sorted by (type name, repr): first the pair in this direction, then tied or open, then
            reversed. Partial orders are closed.

        Raises
        ------
        PorankError
            If `limit` is not at least 1, the search is stopped or takes too many steps, or neither
            `kemeny` nor `consensus_order` found the order, without weights.

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
        Branches over the pairs, of which those are decided at once that would cost too much or
        follow from others; at most 10**8 / n**3 steps, of which each takes time O(n**3). For
        rankings drawn at random of 12 items it takes a second, for 20 it may not end.
        """
        require_count(limit, name="limit", least=1)
        found = list(islice(self._best(), limit))
        relations = [each for each in found if each is not None]
        if self._aim is None or len(relations) < len(found):
            raise PorankError(
                f"expected all orders of least cost, found the search stopped at {len(relations)}; "
                "kemeny and consensus_order look for them, without weights; fewer items, a lower "
                "limit or more seconds may do"
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
        above = matrix_of(compile_order(self.order), items)
        most = gains[~above.T if family == "weak" else above].sum()
        return best_relations(gains, family, most)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Aggregate):
            return NotImplemented
        same_costs = (self.cost, self.gap) == (other.cost, other.gap)
        return same_costs and nx.utils.graphs_equal(self.order, other.order)

    def __hash__(self) -> int:
        return hash((self.cost, self.gap))

    def _repr_html_(self) -> str:
        text = str(self.order)
        if len(self.order) <= _FEW:
            with suppress(PorankError):  # some items read alike
                text = format_order(self.order)
        return html_of({"order": text, "cost": self.cost, "gap": self.gap})


def halved(halves: int) -> int | Fraction:
    """Return half the doubled cost of an aggregate as a plain number."""
    cost = Fraction(halves, 2)
    return int(cost) if cost.denominator == 1 else cost


def graph_of_levels(items: Sequence[Item], levels: Numbers) -> nx.DiGraph:
    """Return an aggregate as a weak order from its levels, best first, equal items tied."""
    best_first = np.argsort(levels, kind="stable")
    sequence = [items[number] for number in best_first.tolist()]
    return graph_of_item_levels(sequence, levels[best_first])


def reduced_graph(order: Order) -> nx.DiGraph:
    """Return the reduction of a member that is the aggregate, with its known ties alone."""
    edges = order.relation.count_covers()
    refuse_large(edges, instead="the order itself says the same")
    shared = np.bincount(order.tie[order.tie >= 0], minlength=1) > 1
    ties = {
        item: name
        for item, name in zip(order.items, order.tie.tolist(), strict=True)
        if name >= 0 and shared[name]
    }
    return graph_of(order.items, order.relation.reduced_rows(), ties=ties)
