"""Make concept lattices from formal contexts.

A formal context says which object has which attribute. Its concepts form a lattice, a classical
example of an order that does not come from preferences.

Public: `concept_lattice`, and `macneille_completion`, the smallest lattice that contains an order.

Idea: *a concept is a set of objects and a set of attributes that determine each other. To find the
upper neighbours of a concept, add each other object and intersect the attributes; the largest of
these sets of attributes belong to the neighbours* [1]_.

References
----------
.. [1] C. Lindig, "Fast Concept Analysis", Working with Conceptual Structures: Contributions to
   ICCS 2000, pp. 152-161.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import chain, count
from operator import and_
from typing import TYPE_CHECKING, Any

from porank.core.arguments import require_count
from porank.core.compiled_order import compile_order
from porank.core.graphs import graph_of
from porank.core.progress import track
from porank.errors import PorankError, a_kind
from porank.orders.closure import up_set

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import networkx as nx

    from porank.typing import Item, OrderLike


def concept_lattice(context: Any, *, max_concepts: int = 100_000) -> nx.DiGraph:
    """Return the concept lattice of a formal context, with the largest extent on top.

    A concept is a pair (A, B), such that the extent A is the set of all objects that have all
    attributes in B, and the intent B is the set of all attributes shared by the objects in A. It is
    above another concept (A', B') if A is a proper superset of A'.

    Parameters
    ----------
    context : mapping
        Mapping object -> its attributes.
    max_concepts : int
        Maximum number of concepts. A context of n objects and m attributes has up to 2**min(n, m).

    Returns
    -------
    DiGraph
        The transitive reduction. A node is a pair of tuples (extent, intent), with objects and
        attributes in order of appearance. The node attributes ``objects`` and ``names`` are
        the usual labels of concept lattices: the objects whose attributes are exactly the intent,
        and the attributes whose objects are exactly the extent.

    Raises
    ------
    PorankError
        If `context` is not such a mapping, or has more than `max_concepts` concepts.

    See Also
    --------
    draw_hasse, from_table

    Examples
    --------
    >>> import porank as po
    >>> G = po.concept_lattice({"frog": ["swims", "walks"], "bream": ["swims"], "dog": ["walks"]})
    >>> for extent, intent in G:
    ...     print(extent, intent)
    ('frog', 'bream', 'dog') ()
    ('frog', 'bream') ('swims',)
    ('frog', 'dog') ('walks',)
    ('frog',) ('swims', 'walks')

    Notes
    -----
    For n objects and m attributes, time O(n) operations on integers of m bits for each concept and
    each of its neighbours. The algorithm is by Lindig [1]_.

    References
    ----------
    .. [1] C. Lindig, "Fast Concept Analysis", Working with Conceptual Structures: Contributions to
       ICCS 2000, pp. 152-161.
    """
    require_count(max_concepts, name="max_concepts", least=1)
    attributes_of = _read_context(context)
    number = dict(zip(dict.fromkeys(chain.from_iterable(attributes_of.values())), count()))
    rows = {x: sum(1 << number[name] for name in set(row)) for x, row in attributes_of.items()}
    intents = {(1 << len(number)) - 1}
    for row in track(rows.values(), label="objects"):
        intents |= {intent & row for intent in intents}
        if len(intents) > max_concepts:
            raise PorankError(
                f"expected at most {max_concepts} concepts, found more; "
                "raise max_concepts, or keep fewer attributes"
            )
    return _graph_of(rows, list(number), intents)


def macneille_completion(G: OrderLike, *, max_concepts: int = 100_000) -> nx.DiGraph:
    """Return the Dedekind-MacNeille completion: the smallest lattice that contains an order.

    It is the concept lattice of the items as objects and as attributes, where u has the attribute v
    if v is above u or equal to it [1]_. An item x is the concept of x and all items below x. Joins
    and meets of the order remain what they are.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order. Tied items count as unordered.
    max_concepts : int
        Maximum number of items of the completion. An order of n items may need 2**(n / 2).

    Returns
    -------
    DiGraph
        The transitive reduction, from top to bottom. The items of `G` keep their names. An added
        item is the tuple of the maximal items below it; it is their join.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If there are more than `max_concepts` items.

    See Also
    --------
    is_lattice, join, meet, concept_lattice, ideal_lattice

    Examples
    --------
    >>> import porank as po
    >>> L = po.macneille_completion(po.parse("a > c; a > d; b > c; b > d"))
    >>> list(L)
    [('a', 'b'), 'a', 'b', ('c', 'd'), 'c', 'd', ()]
    >>> po.join(L, "c", "d"), po.meet(L, "a", "b")
    (('c', 'd'), ('c', 'd'))

    Notes
    -----
    The time of `concept_lattice` with n objects and n attributes.

    References
    ----------
    .. [1] B. Ganter, R. Wille, "Formal Concept Analysis: Mathematical Foundations", Springer, 1999,
       section 1.2. https://doi.org/10.1007/978-3-642-59830-2
    """
    items = compile_order(G).items
    above = {x: up_set(G, x) for x in items}
    context = {x: [y for y in items if y == x or y in above[x]] for x in items}
    concepts = concept_lattice(context, max_concepts=max_concepts)
    name: dict[Any, Item] = {}
    for (A, B), own in concepts.nodes(data="names"):
        cut = tuple(x for x in A if above[x].isdisjoint(A))
        # An item may have the name of a cut.
        while cut in above:
            cut = (cut,)
        name[A, B] = own[0] if own else cut
    L = graph_of(name.values())
    L.add_edges_from((name[u], name[v]) for u, v in concepts.edges)
    return L


def _graph_of(
    rows: Mapping[Item, int], attributes: Sequence[Item], intents: Collection[int]
) -> nx.DiGraph:
    """Return a concept lattice as a graph, sorted by decreasing extent, then by objects."""
    # Extent of an intent B: the objects x with B a subset of the attributes of x.
    extents = {
        intent: [i for i, row in enumerate(rows.values()) if not intent & ~row]
        for intent in intents
    }
    objects = list(rows)
    node = {
        intent: (
            tuple(objects[i] for i in extents[intent]),
            tuple(name for k, name in enumerate(attributes) if intent >> k & 1),
        )
        for intent in sorted(intents, key=lambda intent: (-len(extents[intent]), extents[intent]))
    }
    G = graph_of((name, {"objects": (), "names": ()}) for name in node.values())
    for intent in track(node, label="concepts"):
        wider = _largest({intent & row for row in rows.values() if intent & ~row})
        G.add_edges_from((node[upper], node[intent]) for upper in wider)
    for name, row in rows.items():
        G.nodes[node[row]]["objects"] += (name,)
    for k, name in enumerate(attributes):
        # The attributes shared by all objects with this attribute.
        intent = reduce(and_, (row for row in rows.values() if row >> k & 1))
        G.nodes[node[intent]]["names"] += (name,)
    return G


def _largest(masks: Collection[int]) -> list[int]:
    """Return the sets of attributes, as bits, that are not contained in another one."""
    found: list[int] = []
    for mask in sorted(masks, key=int.bit_count, reverse=True):
        if all(mask & ~other for other in found):
            found.append(mask)
    return found


def _read_context(context: Any) -> dict[Item, list[Item]]:
    """Return the attributes of each object of a formal context, or raise an error."""
    if not isinstance(context, Mapping) or any(
        isinstance(row, str) or not isinstance(row, Iterable) for row in context.values()
    ):
        raise PorankError(
            f"expected a mapping object -> its attributes as context, found {a_kind(context)}"
        )
    return {name: list(row) for name, row in context.items()}
