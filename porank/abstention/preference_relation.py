"""The valued relation P: the degree to which members of an ensemble prefer one item to another.

Degrees are compared as integers, their *strengths*: the number of members; twice this number if
ties count half; or, for degrees given by hand, the index of the degree among all that occur. So no
rounding error decides whether a pair belongs to a cut.

`preference_relation` makes a `PreferenceRelation`, with `Evidence`; `place_of_pair`; `degrees_of`,
the degrees of many strengths; `least_strength_above` a degree; `graph_of_pairs`, which writes pairs
as a graph.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.abstention.degrees import (
    are_equal,
    precision_of,
    read_degrees,
    read_share,
    require_fit,
    sealed,
    simple_fraction,
    with_halves,
)
from porank.abstention.ensembles import count_wins, read_members
from porank.core.arguments import read_items, require_count, require_flag, require_one_of
from porank.core.compiled_order import require_items
from porank.core.graphs import graph_of, refuse_large, shortest_cycle
from porank.core.progress import track
from porank.core.tables import Table, Tabular
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Item


_PLAIN = attrgetter("items", "unit", "n_members", "floor")
_ARRAYS = attrgetter("strength", "support")
_INSTEAD = "matrix() returns all degrees"


class Evidence(NamedTuple):
    """Number of sessions, or members, that prefer an item to another, and that prefer the other."""

    support: Any
    against: Any


@dataclass(frozen=True, eq=False)
class PreferenceRelation(Tabular):
    """A preference relation: the degree to which each item is preferred to each other one.

    The degree P(a, b) is the share of members that prefer a to b. With ``ties="half"``, a member
    that does not decide the pair counts half for either side. Degrees may also be given by hand.
    `preference_relation` makes a relation from orders, and `from_degrees` from numbers. It prints
    as a table, with the preferred items in the rows.

    Attributes
    ----------
    items : tuple
        The items.
    strength : array of int, n x n
        Entry [i, j] is the degree of item i over item j as an integer, in multiples of 1 / `unit`
        or as an index into `values`.
    unit : int
        The strength of degree 1.
    n_members : int
        Number of members, 0 for degrees given by hand.
    support : array of numbers, n x n, or None
        Entry [i, j] is the number of members, or of sessions, that prefer item i to item j, from
        which the degrees were made; None for degrees given by hand.
    values : array of numbers or None
        The degree for each strength, ascending from 0 to 1, if degrees are not shares of members.
    floor : number
        Lower bound of thresholds: thresholds that are found, not given, are above it.
    degree_of : callable or None
        Function that returns the degree for the support of a pair and of its opposite, increasing
        in the first. `predict_order` uses it for margins.

    Raises
    ------
    PorankError
        If an item, a threshold or an option is invalid.

    See Also
    --------
    preference_relation, predict_order

    Examples
    --------
    >>> import porank as po
    >>> P = po.preference_relation([po.from_ranking(votes) for votes in ("abc", "bca", "cab")])
    >>> P.degree("a", "b"), P.degree("b", "a")
    (Fraction(2, 3), Fraction(1, 3))
    >>> P.find_blocking_cycle(0.6)
    ['a', 'b', 'c', 'a']
    >>> sorted(P.cut(0.6).edges)
    [('a', 'b'), ('b', 'c'), ('c', 'a')]
    >>> P.find_blocking_cycle(1) is None
    True

    Notes
    -----
    Memory n**2 small integers: one byte each up to 255 members. A cut takes time O(n**2), and more
    to be written as a graph. ``P(u, v)`` is the degree with open pairs counted half for either
    side, which `edrc` accepts as a prior.
    """

    items: tuple[Item, ...]
    strength: NDArray[Any]
    unit: int
    n_members: int = 0
    support: NDArray[Any] | None = None
    values: Any = None
    floor: Fraction = Fraction(0)
    degree_of: Callable[..., Fraction] | None = None

    @cached_property
    def _number(self) -> dict[Item, int]:
        return {item: number for number, item in enumerate(self.items)}

    @property
    def wins(self) -> NDArray[Any] | None:
        """Number of members that prefer item i to item j, entry [i, j]; None without members."""
        if not self.n_members:
            return None
        # If ties count half, strengths are not the wins of members.
        return self.strength if self.unit == self.n_members else self.support

    @classmethod
    def from_degrees(
        cls, degrees: Any, items: Iterable[Item] | None = None, *, reciprocal: bool = True
    ) -> PreferenceRelation:
        """Return the relation of degrees given by hand.

        Fractions are exact. A float stands for the fraction that it most likely means. If two
        floats sum to 1 within 1e-9, the larger one counts and the other direction is 1 minus it.

        Parameters
        ----------
        degrees : mapping, square array or frame
            ``{(preferred, other): degree}``, such as ``nx.get_edge_attributes(G, "weight")``, or a
            matrix whose entry [i, j] is the degree of item i over item j. The diagonal is ignored.
        items : sequence, optional
            Items of the rows and columns, by default 0, ..., n - 1, or the items of the mapping in
            order of appearance.
        reciprocal : bool
            Whether the two degrees of a pair must sum to 1, or both be 0 if they are unknown; in a
            mapping, one of them is enough. If False, they must sum to at most 1.

        Examples
        --------
        >>> import porank as po
        >>> P = po.PreferenceRelation.from_degrees({("a", "b"): 0.7, ("b", "a"): 0.3})
        >>> P.degree("a", "b")
        Fraction(7, 10)
        """
        reciprocal = require_flag(reciprocal, name="reciprocal")
        names, strength, values = read_degrees(degrees, items, reciprocal=reciprocal)
        return cls(names, sealed(strength), len(values) - 1, values=values)

    def evidence(self, preferred: Item, other: Item) -> Evidence:
        """Return how many sessions, or members, prefer the first item, and how many the second.

        Examples
        --------
        >>> import networkx as nx
        >>> import porank as po
        >>> G = nx.DiGraph()
        >>> G.add_edge("a", "b", support=7, against=2)
        >>> po.feedback_relation(G).evidence("b", "a")
        Evidence(support=2, against=7)
        """
        i, j = place_of_pair(self, preferred, other)
        if self.support is None:
            raise PorankError(
                "expected a relation from feedback_relation or preference_relation, which has "
                "evidence, found degrees given by hand"
            )
        return Evidence(self.support.item(i, j), self.support.item(j, i))

    def degree(self, preferred: Item, other: Item) -> Fraction:
        """Return P(preferred, other)."""
        return self.degree_of_strength(int(self.strength[place_of_pair(self, preferred, other)]))

    def __call__(self, preferred: Item, other: Item) -> Fraction:
        """Return the degree with open pairs counted half for either side."""
        # P(u, v) + t / 2, because P(u, v) + P(v, u) + t = 1 if a share t leaves the pair open.
        return (1 + self.degree(preferred, other) - self.degree(other, preferred)) / 2

    def degree_of_strength(self, strength: int) -> Fraction:
        """Return the degree of a strength."""
        number = require_count(strength, name="strength")
        if number > self.unit:
            raise PorankError(f"expected a strength from 0 to {self.unit}, found {number}")
        if self.values is None:
            # P = s / unit.
            return Fraction(number, self.unit)
        return simple_fraction(self.values.item(number))

    def strength_of_threshold(self, alpha: Any) -> int:
        """Return the smallest strength whose degree is at least `alpha`.

        A float within 1e-9 of a degree stands for that degree, the nearest one if there are
        several.
        """
        threshold, tolerance = read_share(alpha, name="a threshold"), precision_of(type(alpha))
        above = bisect_left(range(self.unit + 1), threshold, key=self.degree_of_strength)
        away = {
            strength: abs(self.degree_of_strength(strength) - threshold)
            for strength in range(max(above - 1, 1), above + 1)
        }
        nearest = min(away, key=away.__getitem__)
        return nearest if away[nearest] <= tolerance else above

    def cut(self, alpha: Any) -> nx.DiGraph:
        """Return the graph of the pairs whose degree is at least `alpha`, which may have cycles.

        Edges have the attribute ``degree``.
        """
        is_kept = self.strength >= self.strength_of_threshold(alpha)
        return graph_of_pairs(
            self.items, is_kept, instead=_INSTEAD, degree=degrees_of(self, self.strength[is_kept])
        )

    def find_blocking_cycle(self, alpha: Any) -> list[Item] | None:
        """Return a cycle of the cut at `alpha`, or None if the cut is acyclic."""
        return shortest_cycle(self.cut(alpha))

    def restrict(self, items: Iterable[Item]) -> PreferenceRelation:
        """Return the relation on some of the items, in the order of this relation.

        It is the relation that the members, or the given degrees, would give for these items alone.
        Repeated items count once.
        """
        wanted = set(read_items(items, name="the items to keep"))
        require_items(self._number, wanted)
        kept = [number for number, item in enumerate(self.items) if item in wanted]
        square, items = np.ix_(kept, kept), tuple(self.items[number] for number in kept)
        strength, unit, values = self.strength[square], self.unit, self.values
        support = None if self.support is None else self.support[square]
        if values is not None:
            present = np.union1d(strength, [0, unit])
            strength = np.searchsorted(present, strength).astype(strength.dtype)
            unit, values = len(present) - 1, values[present]
        elif support is not None and unit > self.n_members:
            # Open pairs count half; the unit depends on whether there are any.
            strength, unit = with_halves(support, self.n_members)
        made = items, sealed(strength), unit, self.n_members, support, values, self.floor
        return PreferenceRelation(*made, degree_of=self.degree_of)

    def degrees(self) -> dict[tuple[Item, Item], Fraction]:
        """Return P(u, v) for each ordered pair of distinct items."""
        pairs = permutations(self.items, 2)
        others = ~np.eye(len(self.items), dtype=bool)
        return dict(zip(pairs, degrees_of(self, self.strength[others]), strict=True))

    def matrix(self) -> NDArray[np.float64]:
        """Return the degrees as floats, entry [i, j] for item i over item j."""
        shares: NDArray[np.float64] = (
            (self.strength / self.unit).astype(np.float64)
            if self.values is None
            else self.values.astype(np.float64)[self.strength]
        )
        return shares

    def to_table(self) -> Table:
        """Return the degrees as a table, with the preferred items in the rows."""
        times = Counter(map(str, self.items))
        names = [str(item) if times[str(item)] == 1 else repr(item) for item in self.items]
        rows: list[list[Any]] = [
            [name, *degrees_of(self, self.strength[k])] for k, name in enumerate(names)
        ]
        for k, row in enumerate(rows, start=1):
            row[k] = None
        return Table(("P", *names), rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PreferenceRelation):
            return NotImplemented
        if (self.values is None) != (other.values is None):
            return False
        return (
            _PLAIN(self) == _PLAIN(other)
            and all(map(np.array_equal, _ARRAYS(self), _ARRAYS(other)))
            and (self.values is None or are_equal(self.values, other.values))
        )

    def __hash__(self) -> int:
        return hash((self.items, self.unit, self.n_members))

    def __repr__(self) -> str:
        made_of = f"{self.n_members} members" if self.n_members else "degrees given by hand"
        made_of = made_of if self.support is None else "degrees of evidence"
        return f"PreferenceRelation({len(self.items)} items, {made_of})"


def preference_relation(
    orders: Any,
    *,
    counts: Sequence[int] | None = None,
    ties: str = "none",
) -> PreferenceRelation:
    """Return the preference relation of an ensemble: the share of members that prefer u to v.

    With k members, P(u, v) is the number of members with u above v, divided by k. With
    ``ties="half"``, a member that does not decide the pair (tied or incomparable) counts half for
    either side, so P(u, v) + P(v, u) = 1 [1]_.

    Parameters
    ----------
    orders : iterable of orders (DiGraph, ranks, scores), two-dimensional array, frame, or Profile
        The members, orders of the same items. Rows of an array or a frame are scores; the columns
        of a frame are the items. In a Profile, orders may lack items, and do not decide pairs with
        these items.
    counts : sequence of int, optional
        How often each order occurs, by default once; 0 leaves an order out.
    ties : {"none", "half"}
        Whether a member that does not decide a pair adds nothing or half a vote to either side.

    Returns
    -------
    PreferenceRelation
        Items as in the first member, degrees in [0, 1].

    Raises
    ------
    CycleError
        If a member has a cycle; the error names the member.
    ItemMismatchError
        If the members have different items; `align` gives two of them the same items.
    PorankError
        If there are no members, `counts` or `ties` is invalid, or a matrix of all pairs of items
        would take more than 8 GB.

    See Also
    --------
    from_matrix, from_pairs, PreferenceRelation, predict_order, bootstrap_orders

    Examples
    --------
    >>> import porank as po
    >>> P = po.preference_relation([po.parse("a > b"), po.parse("a > b"), po.parse("b > a")])
    >>> P.degree("a", "b"), P.evidence("a", "b")
    (Fraction(2, 3), Evidence(support=2, against=1))
    >>> P = po.preference_relation([{"a": 1, "b": 1}, {"a": 2, "b": 1}], ties="half")
    >>> P.degree("a", "b"), P.degree("b", "a")
    (Fraction(3, 4), Fraction(1, 4))

    Notes
    -----
    Time O(n**2 k) comparisons of small integers for n items and k weak orders, and the closure of
    each other member; memory O(n**2 + n k). Pass repeated orders once, with `counts`.

    References
    ----------
    .. [1] W. Cheng, M. Rademaker, B. De Baets, E. Hüllermeier, "Predicting partial orders: ranking
       with abstention", ECML PKDD 2010, Part I, pp. 215-230.
       https://doi.org/10.1007/978-3-642-15880-3_20
    """
    require_one_of(ties, ("none", "half"), name="ties")
    members = read_members(orders, counts=counts, incomplete=True)
    half = ties == "half"
    # Memory for the wins, their checks, and the strengths if they differ.
    at_once = (6 if half else 3) * np.min_scalar_type(members.total).itemsize
    require_fit(len(members.items), bytes_each=at_once)
    wins = count_wins(members)
    strength, unit = with_halves(wins, members.total) if half else (wins, members.total)
    items = tuple(members.items)
    return PreferenceRelation(items, sealed(strength), unit, members.total, sealed(wins))


def place_of_pair(P: PreferenceRelation, preferred: Item, other: Item) -> tuple[int, int]:
    """Return the row and column of a pair in the matrices of a valued relation."""
    require_items(P._number, (preferred, other))
    return P._number[preferred], P._number[other]


def least_strength_above(P: PreferenceRelation, degree: Fraction) -> int:
    """Return the smallest strength in a valued relation whose degree is above one below 1."""
    strength = P.strength_of_threshold(degree) if degree else 0
    return strength + (P.degree_of_strength(strength) == degree)


def degrees_of(P: PreferenceRelation, strengths: NDArray[Any]) -> list[Fraction]:
    """Return the degrees in a valued relation of many strengths; equal ones are computed once."""
    present, place = np.unique(strengths, return_inverse=True)
    degrees = list(map(P.degree_of_strength, present.tolist()))
    return list(map(degrees.__getitem__, place.tolist()))


def graph_of_pairs(
    items: Sequence[Item],
    is_kept: NDArray[np.bool_],
    *,
    instead: str,
    **attributes: Iterable[Any],
) -> nx.DiGraph:
    """Return the graph of some pairs of a valued relation, each with its attributes."""
    refuse_large(int(np.count_nonzero(is_kept)), instead=instead)
    rows = (np.flatnonzero(row).tolist() for row in is_kept)
    G = graph_of(items, rows)
    of_edges = [data for _, _, data in G.edges(data=True)]
    for name, values in attributes.items():
        pairs = zip(of_edges, values, strict=True)
        for data, value in track(pairs, label="writing"):
            data[name] = value
    return G
