"""Formal contexts, and the orders and concept lattices made from them.

A formal context says which object has which attribute. Its objects are ordered by inclusion of
their attributes, and its concepts form a lattice, a classical example of an order that does not
come from preferences.

Public: `FormalContext`, `read_cxt`, `from_context`, `concept_lattice`.

Idea: *a concept is a set of objects and a set of attributes that determine each other. To find the
upper neighbours of a concept, add each other object and intersect the attributes; the largest of
these sets of attributes belong to the neighbours* [1]_.

References
----------
.. [1] C. Lindig, "Fast Concept Analysis", Working with Conceptual Structures: Contributions to
   ICCS 2000, pp. 152-161.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.convert.indicators import from_table
from porank.core.arguments import distinct_items, require_count
from porank.core.files import LINE_END, Text
from porank.core.progress import track
from porank.errors import ParseError, PorankError, a_kind, listed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from porank.typing import Item


@dataclass(frozen=True)
class FormalContext:
    """A formal context: objects, attributes, and which object has which attribute.

    Attributes
    ----------
    objects, attributes : tuple
        Names of the objects and of the attributes.
    rows : tuple of frozenset
        The set of attributes of each object.

    Raises
    ------
    PorankError
        If a name occurs twice, if the numbers of rows and objects differ, or if a row has an
        unknown attribute.

    See Also
    --------
    from_context, concept_lattice, read_cxt

    Examples
    --------
    >>> import porank as po
    >>> po.FormalContext(("frog", "bream"), ("swims", "walks"), ({"swims", "walks"}, {"swims"}))
    FormalContext(2 objects, 2 attributes)
    """

    objects: tuple[Item, ...]
    attributes: tuple[Item, ...]
    rows: tuple[frozenset[Item], ...]

    def __post_init__(self) -> None:
        for field, names in (("objects", self.objects), ("attributes", self.attributes)):
            object.__setattr__(self, field, tuple(distinct_items(names, name=field)))
        object.__setattr__(self, "rows", tuple(map(frozenset, self.rows)))
        if len(self.rows) != len(self.objects):
            raise PorankError(
                f"expected a row for each of {len(self.objects)} objects, found {len(self.rows)}"
            )
        known = frozenset(self.attributes)
        for name, row in zip(self.objects, self.rows, strict=True):
            if unknown := row - known:
                raise PorankError(
                    f"expected attributes of the context for {name!r}, found {listed(unknown)}"
                )

    def __repr__(self) -> str:
        return f"FormalContext({len(self.objects)} objects, {len(self.attributes)} attributes)"


def read_cxt(source: Any) -> FormalContext:
    r"""Read a formal context from a file in Burmeister's format.

    Parameters
    ----------
    source : path or open file
        A UTF-8 file with the line ``B``, a title, the number of objects, the number of attributes,
        an empty line, the names of the objects, the names of the attributes, and for each object a
        row of ``X`` and ``.``.

    Returns
    -------
    FormalContext
        The context; all names are strings.

    Raises
    ------
    ParseError
        If a line is not in the format, or if the number of lines does not fit the numbers of
        objects and attributes.

    See Also
    --------
    concept_lattice, from_context

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> text = "B\n\n2\n2\n\nfrog\nbream\nswims\nwalks\nXX\nX.\n"
    >>> context = po.read_cxt(io.StringIO(text))
    >>> context.objects, sorted(context.rows[1])
    (('frog', 'bream'), ['swims'])

    Notes
    -----
    Time and memory are linear in the length of the file.
    """
    with Text(source) as text:
        lines = LINE_END.split(text.read())
        if lines[0].strip() != "B":
            found = repr(lines[0][:40]) if lines != [""] else "an empty file"
            raise _fault(f"expected 'B' alone in the first line, found {found}", lines, 0)
        n, m = _read_size(lines, 2), _read_size(lines, 3)
        start = 5 if len(lines) > 4 and not lines[4].strip() else 4
        while not lines[-1].strip() and len(lines) > start + n + m + n:
            lines.pop()
        if len(lines) != start + n + m + n:
            wanted = f"{lines[2].strip():.30} objects, {lines[3].strip():.30} attributes"
            found = f"found {max(0, len(lines) - start)} lines"
            message = f"expected {wanted} and a row for each object after the sizes, {found}"
            raise _fault(message, lines, 2)
        names = lines[start : start + n + m]
        rows = [_read_row(lines, at, names[n:]) for at in range(start + n + m, len(lines))]
        return FormalContext(tuple(names[:n]), tuple(names[n:]), tuple(rows))


def from_context(context: Any) -> nx.DiGraph:
    """Return the order of the objects of a formal context by inclusion of their attributes.

    An object is above another if it has all the attributes of the other and at least one more.
    Objects with the same attributes are tied.

    Parameters
    ----------
    context : FormalContext or mapping
        A formal context, or a mapping object -> its attributes.

    Returns
    -------
    DiGraph
        The transitive reduction. Tied objects have the same value of the node attribute ``tie``.

    Raises
    ------
    PorankError
        If `context` is not a formal context, or if the result would have more than 10**7 edges.

    See Also
    --------
    concept_lattice, from_table

    Examples
    --------
    >>> import porank as po
    >>> G = po.from_context({"frog": ["swims", "walks"], "bream": ["swims"], "pike": ["swims"]})
    >>> list(G.edges), dict(G.nodes(data="tie"))
    ([('frog', 'bream'), ('frog', 'pike')], {'frog': None, 'bream': 1, 'pike': 1})

    Notes
    -----
    Time O(n**2 m) for n objects and m attributes.
    """
    given = _as_context(context)
    columns = range(len(given.attributes))
    table = {
        name: {-1: 0} | {k: int(given.attributes[k] in row) for k in columns}
        for name, row in zip(given.objects, given.rows, strict=True)
    }
    return from_table(table, maximize=[-1, *columns])


def concept_lattice(context: Any, *, max_concepts: int = 100_000) -> nx.DiGraph:
    """Return the concept lattice of a formal context, with the largest extent on top.

    A concept is a pair (A, B), such that the extent A is the set of all objects that have all
    attributes in B, and the intent B is the set of all attributes shared by the objects in A. It is
    above another concept (A', B') if A is a proper superset of A'.

    Parameters
    ----------
    context : FormalContext or mapping
        A formal context, or a mapping object -> its attributes.
    max_concepts : int
        Maximum number of concepts. A context of n objects and m attributes has up to 2**min(n, m).

    Returns
    -------
    DiGraph
        The transitive reduction. A node is a pair of tuples (extent, intent), with objects and
        attributes in the order of the context. The node attributes ``objects`` and ``names`` are
        the usual labels of concept lattices: the objects whose attributes are exactly the intent,
        and the attributes whose objects are exactly the extent.

    Raises
    ------
    PorankError
        If `context` is not a formal context, or has more than `max_concepts` concepts.

    See Also
    --------
    read_cxt, from_context, draw_hasse

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
    given = _as_context(context)
    require_count(max_concepts, name="max_concepts", least=1)
    number = {name: k for k, name in enumerate(given.attributes)}
    rows = [sum(1 << number[name] for name in row) for row in given.rows]
    intents = {(1 << len(number)) - 1}
    for row in track(rows, label="objects"):
        intents |= {intent & row for intent in intents}
        if len(intents) > max_concepts:
            raise PorankError(
                f"expected at most {max_concepts} concepts, found more; "
                "raise max_concepts, or keep fewer attributes"
            )
    return _graph_of(given, rows, intents)


def _graph_of(context: FormalContext, rows: Sequence[int], intents: Collection[int]) -> nx.DiGraph:
    """Return a concept lattice as a graph, sorted by decreasing extent, then by objects."""
    extents = {intent: [i for i, row in enumerate(rows) if not intent & ~row] for intent in intents}
    node = {
        intent: (
            tuple(context.objects[i] for i in extents[intent]),
            tuple(name for k, name in enumerate(context.attributes) if intent >> k & 1),
        )
        for intent in sorted(intents, key=lambda intent: (-len(extents[intent]), extents[intent]))
    }
    G = nx.DiGraph()
    G.add_nodes_from(node.values(), objects=(), names=())
    for intent in track(node, label="concepts"):
        wider = _largest({intent & row for row in rows if intent & ~row})
        G.add_edges_from((node[upper], node[intent]) for upper in wider)
    for name, row in zip(context.objects, rows, strict=True):
        G.nodes[node[row]]["objects"] += (name,)
    for k, name in enumerate(context.attributes):
        # The attributes shared by all objects with this attribute.
        intent = reduce(
            and_, (row for row in rows if row >> k & 1), (1 << len(context.attributes)) - 1
        )
        G.nodes[node[intent]]["names"] += (name,)
    return G


def _largest(masks: Collection[int]) -> list[int]:
    """Return the sets of attributes, as bits, that are not contained in another one."""
    found: list[int] = []
    for mask in sorted(masks, key=int.bit_count, reverse=True):
        if all(mask & ~other for other in found):
            found.append(mask)
    return found


def _as_context(context: Any) -> FormalContext:
    """Return a formal context, or convert a mapping to one."""
    if isinstance(context, FormalContext):
        return context
    if not isinstance(context, Mapping) or any(
        isinstance(row, str) or not isinstance(row, Iterable) for row in context.values()
    ):
        raise PorankError(
            "expected a FormalContext or a mapping object -> its attributes, "
            f"found {a_kind(context)}"
        )
    rows = {name: list(row) for name, row in context.items()}
    attributes = dict.fromkeys(name for row in rows.values() for name in row)
    return FormalContext(tuple(rows), tuple(attributes), tuple(map(frozenset, rows.values())))


def _read_size(lines: Sequence[str], at: int) -> int:
    """Read the number of objects or attributes from a line of Burmeister's format."""
    word = lines[at].strip() if at < len(lines) else ""
    if not re.fullmatch("[0-9]{1,999}", word):
        what = "objects" if at == 2 else "attributes"
        raise _fault(f"expected the number of {what}, found {word!r:.60}", lines, at)
    return int(word)


def _read_row(lines: Sequence[str], at: int, attributes: Sequence[str]) -> frozenset[str]:
    """Read the attributes of an object from a row of crosses in Burmeister's format."""
    row = lines[at].strip().upper()
    if len(row) != len(attributes) or set(row) - {"X", "."}:
        raise _fault(
            f"expected {len(attributes)} characters X or ., found {lines[at].strip()[:40]!r}",
            lines,
            at,
        )
    return frozenset(name for name, sign in zip(attributes, row, strict=True) if sign == "X")


def _fault(message: str, lines: Sequence[str], at: int) -> ParseError:
    """Return the error for a line of Burmeister's format, counted from 0."""
    text = lines[at] if at < len(lines) else ""
    return ParseError.at(message, line=at + 1, column=0, text=text)
