"""Search for the smallest orders on which a measure violates an axiom.

The search tries all orders of a few items. If it finds nothing, the measure satisfies the axiom on
all of these orders. This suggests that it satisfies the axiom in general, but does not prove it.

Public: `find_violation`.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.convert.rankings import from_ranks
from porank.core.arguments import require_count
from porank.errors import NotApplicableError, PorankError, listed, quoted
from porank.generators.classic import all_orders
from porank.measures.catalogue import MEASURES, find_measure
from porank.orders.algebra import dual
from porank.orders.ranks import set_ranks
from porank.orders.types import is_weak_order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from porank.measures.measure import Measure


_CLOSE = 1e-9


def find_violation(
    measure: str | Callable[..., float], axiom: str, *, items: int = 3, **options: Any
) -> tuple[Any, ...] | None:
    """Return the smallest orders on which a measure violates an axiom, or None if none are found.

    For a measure f and orders a, b and c, the axioms are

    * ``"symmetry"``: f(a, b) = f(b, a);
    * ``"triangle"``: f(a, c) <= f(a, b) + f(b, c);
    * ``"separation"``: if f(a, b) = 0, then a and b have the same preferences;
    * ``"oddness"``: reversing b changes the sign, f(a, dual(b)) = -f(a, b);
    * ``"relabelling"``: swapping the names of two items in both orders does not change the value;
    * ``"scale"``: replacing each item by two tied copies does not change the value.

    Parameters
    ----------
    measure : str or callable
        Name or function of the measure.
    axiom : str
        Name of one of the six axioms.
    items : int
        Maximum number of items of the orders.
    **options
        Options of the measure.

    Returns
    -------
    tuple of DiGraph, or None
        Two orders, or three for ``"triangle"``, with as few items as possible. Orders to which the
        measure does not apply, or on which it is undefined, are skipped.

    Raises
    ------
    PorankError
        If the measure or the axiom is unknown.

    See Also
    --------
    compare

    Examples
    --------
    >>> import porank as po
    >>> po.find_violation("jaccard", "symmetry") is None
    True
    >>> print(*map(po.format_order, po.find_violation("recall", "symmetry", items=3)), sep=" | ")
    1 > 2; 0 | 0 > 2; 1 > 2
    >>> witness = po.find_violation("partial_kendall_distance", "triangle", p=0.25)
    >>> print(*map(po.format_order, witness), sep=" | ")
    0 > 1 | 0; 1 | 1 > 0

    Notes
    -----
    O(k**2) evaluations for k orders, or O(k**3) for the triangle inequality. There are 26 orders of
    three items, including those with known ties, and 270 of four.
    """
    if axiom not in _BREAKS:
        raise PorankError(f"expected axiom to be one of {listed(_BREAKS)}, found {quoted(axiom)}")
    entry, is_broken = find_measure(measure, options), _BREAKS[axiom]
    value = _values_of(entry, options) if options else _usual_values_of(entry.name)
    for n in range(require_count(items, name="items") + 1):
        orders = _candidates(n, labelled=True)
        # Renaming the items makes no difference, except for the axiom that tests this.
        first = _candidates(n, labelled=axiom == "relabelling")
        for found in product(first, *[orders] * (2 if axiom == "triangle" else 1)):
            if is_broken(value, *found):
                # Return the three orders so that the path through the second one is too short.
                return (found[0], *found[:0:-1]) if axiom == "triangle" else found
    return None


def _values_of(measure: Measure, options: Mapping[str, Any]) -> Callable[..., float]:
    """Return a measure as a cached function of two graphs, nan where it does not apply."""

    @cache
    def value(one: nx.DiGraph, other: nx.DiGraph) -> float:
        target: Any = one
        if measure.needs == "scores":
            if not is_weak_order(one):
                return math.nan
            target = {item: len(one) - rank for item, rank in set_ranks(one).items()}
        try:
            return measure(target, other, **options)
        except NotApplicableError:
            return math.nan

    return value


@lru_cache(maxsize=1)
def _usual_values_of(name: str) -> Callable[..., float]:
    """Return the cached function of a measure without options, shared between axioms."""
    return _values_of(MEASURES[name], {})


@cache
def _candidates(n: int, *, labelled: bool) -> tuple[nx.DiGraph, ...]:
    """Return orders of n items on which axioms are tested, by number of pairs."""
    orders = sorted(all_orders(n, labelled=labelled), key=nx.DiGraph.number_of_edges)
    tied = [
        from_ranks(set_ranks(G))
        for G in orders
        if is_weak_order(G) and 2 * G.number_of_edges() < n * (n - 1)
    ]
    return (*orders, *tied)


def _differ(one: float, other: float) -> bool:
    return abs(one - other) > _CLOSE


_dual_of = cache(dual)


@cache
def _renamed(G: nx.DiGraph) -> nx.DiGraph:
    """Return the order with the names of its first two items swapped, for relabelling."""
    return nx.relabel_nodes(G, {0: 1, 1: 0}) if len(G) > 1 else G


@cache
def _doubled(G: nx.DiGraph) -> nx.DiGraph:
    """Return the order with two tied copies of each item, for the axiom of scale."""
    doubled = nx.DiGraph()
    for item, tie in G.nodes(data="tie"):
        name = ("alone", item) if tie is None else ("tied", tie)
        doubled.add_nodes_from([(item, 0), (item, 1)], tie=name)
    doubled.add_edges_from(((u, i), (v, j)) for u, v in G.edges for i in (0, 1) for j in (0, 1))
    return doubled


#: For each axiom, the test that finds a violation on two or three orders.
_BREAKS: dict[str, Callable[..., bool]] = {
    "symmetry": lambda value, a, b: _differ(value(a, b), value(b, a)),
    "triangle": lambda value, a, c, b: value(a, c) > value(a, b) + value(b, c) + _CLOSE,
    "separation": lambda value, a, b: abs(value(a, b)) < _CLOSE and set(a.edges) != set(b.edges),
    "oddness": lambda value, a, b: _differ(value(a, _dual_of(b)), -value(a, b)),
    "relabelling": lambda value, a, b: _differ(value(_renamed(a), _renamed(b)), value(a, b)),
    "scale": lambda value, a, b: _differ(value(_doubled(a), _doubled(b)), value(a, b)),
}
