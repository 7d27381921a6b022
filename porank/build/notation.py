"""The notation: orders as text, ``A > B ~ C; A > D``, and back.

A statement is a chain of items. ``>`` (or ≻) says that what stands left is preferred, ``~`` (or ∼)
that two items are equal; equals form one group, and each item of a group is above every item of the
next group. Statements end with ``;`` or with the line, comments run from ``#`` to its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

import networkx as nx

from porank.build.classes import graph_of_classes
from porank.build.spelling import covering_chains, quotient_of
from porank.build.tokens import Token, spell_label, tokens_of
from porank.core.arguments import texts_of
from porank.core.compiled_order import compile_order
from porank.core.graphs import in_order, knots
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from porank.typing import OrderLike


def parse(text: str) -> nx.DiGraph:
    r"""Return the graph that a text in the notation says.

    Parameters
    ----------
    text : str
        Statements; see the examples. Labels are bare, or quoted when they hold signs of the
        notation. A statement of one item adds it. What is said of one of several equals is said of
        all of them, and ties join over statements.

    Returns
    -------
    DiGraph
        The items are texts, in the sequence in which they first appear. The edges are the relations
        stated, not reduced; they may have cycles. Equals share a value of the node attribute
        ``tie``.

    Raises
    ------
    ParseError
        If the text is not in the notation, or one of several equals is above another one; with
        line and column.
    PorankError
        If more than 10**7 edges would be written.

    Examples
    --------
    >>> G = parse("A > B ~ C; A > D")
    >>> list(G.edges), G.nodes["B"] == G.nodes["C"]
    ([('A', 'B'), ('A', 'C'), ('A', 'D')], True)
    >>> list(parse("red wine ≻ beer  # not with fish\n'<none>'"))
    ['red wine', 'beer', '<none>']
    >>> parse("A > > B")
    Traceback (most recent call last):
    porank.errors.ParseError: line 1, column 5: expected an item after '>', found '>'
      A > > B
          ^

    Notes
    -----
    Time linear in the text and the edges.
    """
    if not isinstance(text, str):
        raise PorankError(
            f"expected a text, found {text!r}; from_ranking and from_pairs take items"
        )
    said = _Statements()
    statement: list[Token] = []
    for token in tokens_of(text.removeprefix("\ufeff")):
        statement.append(token)
        if token.kind == ";":
            _require_chain(statement)
            said.add(statement[:-1])
            statement = []
    items = {label: number for number, label in enumerate(said.ties)}
    classes = list(nx.connected_components(said.ties))
    Q = _relate_classes(said, classes)
    _require_no_tie_on_cycle(said, classes, Q)
    return graph_of_classes(
        list(items),
        [sorted(items[label] for label in members) for members in classes],
        [list(Q.successors(number)) for number in Q],
    )


@dataclass
class _Statements:
    """What has been said: labels with their ties, the places of these, and the relations.

    A relation is kept as the last label of one group and the first of the next.
    """

    ties: nx.Graph = field(default_factory=nx.Graph)
    places: list[tuple[Token, str]] = field(default_factory=list)
    relations: list[tuple[str, str]] = field(default_factory=list)

    def add(self, statement: list[Token]) -> None:
        """Take a statement in: label, operator, label, ..., label."""
        labels = statement[::2]
        self.ties.add_nodes_from(token.label for token in labels)
        for (left, right), operator in zip(pairwise(labels), statement[1::2], strict=True):
            if operator.kind == ">":
                self.relations.append((left.label, right.label))
            elif left.label != right.label:
                self.ties.add_edge(left.label, right.label)
                self.places.append((operator, left.label))


def _require_chain(statement: list[Token]) -> None:
    """Raise `ParseError` unless labels and operators alternate, beginning and ending with labels.

    The last token is the end of the statement.
    """
    if len(statement) == 1:
        return
    before: Token | None = None
    for token in statement:
        after_label = before is not None and before.kind == "label"
        if token.kind == "label":
            if after_label:
                raise token.error("expected '>', '~' or ';' between two items")
        elif not after_label:
            if before is None:
                raise token.error(f"expected an item before '{token.kind}'")
            found = "the end" if token.kind == ";" else f"'{token.kind}'"
            raise token.error(f"expected an item after '{before.kind}', found {found}")
        before = token


def _relate_classes(said: _Statements, classes: list[set[str]]) -> nx.DiGraph:
    """Return the relations between classes as a graph, each with the labels that first said it."""
    class_of = {label: number for number, members in enumerate(classes) for label in members}
    Q = nx.DiGraph()
    Q.add_nodes_from(range(len(classes)))
    for preferred, other in said.relations:
        ends = class_of[preferred], class_of[other]
        if not Q.has_edge(*ends):
            Q.add_edge(*ends, said=(preferred, other))
    return Q


def _require_no_tie_on_cycle(said: _Statements, classes: list[set[str]], Q: nx.DiGraph) -> None:
    """Raise `ParseError` at the first ``~`` whose items would be above each other."""
    on_cycles = {number for knot in knots(Q) for number in knot}
    contradicted = {
        label: number
        for number, members in enumerate(classes)
        if number in on_cycles
        for label in members
    }
    for operator, label in said.places:
        if label in contradicted:
            number = contradicted[label]
            tied = [name for name in said.ties if name in classes[number]]
            raise operator.error(
                f"expected {listed(tied, separator=' ~ ')} to be equals, "
                f"found {_way_round(Q, number)}"
            )


def _way_round(Q: nx.DiGraph, number: int) -> str:
    """Return a shortest cycle through a class, as it was said."""
    back = nx.single_source_shortest_path(Q.reverse(copy=False), number)
    first = min((below for below in Q[number] if below in back), key=lambda c: len(back[c]))
    said = [Q.edges[edge]["said"] for edge in pairwise([number, *reversed(back[first])])]
    words = [repr(said[0][0])]
    for (_, reached), onward in zip_longest(said, said[1:]):
        words.append(f"> {reached!r}")
        if onward and onward[0] != reached:
            words.append(f"~ {onward[0]!r}")
    return " ".join(words)


def format_order(G: OrderLike) -> str:
    """Return the order as text in the notation.

    The text says the same as the order: `parse` gives back the same closure and the same known
    ties, with the items as texts.

    Parameters
    ----------
    G : DiGraph or scores
        An order.

    Returns
    -------
    str
        One line. An order whose unordered pairs are all known ties is one chain; any other is the
        smallest number of chains that hold each edge of its reduction once, then what is related to
        nothing. Equals are written out where they first appear; later one stands for all of them.

    Raises
    ------
    CycleError
        If the graph has a cycle.
    PorankError
        If two items have the same text, or the reduction has more than 10**7 edges.

    Examples
    --------
    >>> format_order(nx.DiGraph(["ab", "bc", "ac", "dc"]))
    'a > b > c; d > c'
    >>> format_order({"x": 3, "y": 1, "z": 3})
    'x ~ z > y'

    Notes
    -----
    Time O(n log n) for a weak order of known ties, that of the reduction for others. The sequence
    is by (type name, repr) of the items and does not depend on insertion.
    """
    order = compile_order(G)
    texts = texts_of(in_order(order.items))
    classes, rows = quotient_of(order)
    words = [[spell_label(texts[order.items[member]]) for member in members] for members in classes]
    spelt: set[int] = set()
    statements = []
    for chain in covering_chains(rows):
        groups = [words[number] if number not in spelt else words[number][:1] for number in chain]
        statements.append(" > ".join(" ~ ".join(group) for group in groups))
        spelt.update(chain)
    return "; ".join(statements)
