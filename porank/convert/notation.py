"""The notation: orders as text, ``A > B ~ C; A > D``, and back.

A statement is a chain of items. ``>`` (or ≻) says that what stands left is preferred, ``~`` (or ∼)
that two items are equal; equals form one group, and each item of a group is above every item of the
next group. Statements end with ``;`` or with the line, comments run from ``#`` to its end. A bare
label runs to the next sign of the notation; blanks within it count as one, those around it not at
all. A quoted one, in double or single quotes, is taken to the letter, save for the escapes of
Python that begin with a backslash.

Idea of writing: *first make one of each class of equals; then walk from the best class that still
has an unspelt edge below it, down along unspelt edges, as far as they lead.* Whatever is above the
class has been left already, so that no fewer chains hold each edge once.

`parse`, `format_order`; `quotient_of` and `covering_chains`, the chains as numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain, pairwise, zip_longest
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from porank.convert.rankings import graph_of_classes
from porank.core.arguments import texts_of
from porank.core.arrays import inverse_of, lists_of_rows
from porank.core.compiled_order import compile_order
from porank.core.graphs import cyclic_components, refuse_large
from porank.errors import ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.compiled_order import Order
    from porank.typing import Numbers, OrderLike


def parse(text: str) -> nx.DiGraph:
    r"""Return the graph that a text in porank's notation describes.

    Parameters
    ----------
    text : str
        Statements; see the examples. Labels are bare, or quoted when they hold signs of the
        notation. A statement of one item adds it. What is said of one of several equals is said of
        all of them, and ties join over statements.

    Returns
    -------
    DiGraph
        The items are texts, in the order in which they first appear. The edges are the relations
        stated, not reduced; they may have cycles. Equals share a value of the node attribute
        ``tie``.

    Raises
    ------
    ParseError
        If the text is not in the notation, or one of several equals is above another one; with
        line and column.
    PorankError
        If more than 10**7 edges would be written.

    See Also
    --------
    format_order, from_pairs

    Examples
    --------
    >>> import porank as po
    >>> G = po.parse("A > B ~ C; A > D")
    >>> list(G.edges), G.nodes["B"] == G.nodes["C"]
    ([('A', 'B'), ('A', 'C'), ('A', 'D')], True)
    >>> list(po.parse("red wine ≻ beer  # not with fish\n'<none>'"))
    ['red wine', 'beer', '<none>']
    >>> po.parse("A > > B")
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
    statements = _Statements()
    statement: list[_Token] = []
    for token in _tokens_of(text.removeprefix("\ufeff")):
        statement.append(token)
        if token.kind == ";":
            _require_chain(statement)
            statements.add(statement[:-1])
            statement = []
    items = {label: number for number, label in enumerate(statements.ties)}
    classes = list(nx.connected_components(statements.ties))
    Q = _relate_classes(statements.relations, classes)
    _require_no_tie_on_cycle(statements, classes, Q)
    return graph_of_classes(
        list(items),
        [sorted(items[label] for label in members) for members in classes],
        [list(Q.successors(number)) for number in Q],
    )


@dataclass
class _Statements:
    """The statements of a text in the notation: labels with their ties, and the relations."""

    ties: nx.Graph = field(default_factory=nx.Graph)
    places: list[tuple[_Token, str]] = field(default_factory=list)
    relations: list[tuple[str, str]] = field(default_factory=list)

    def add(self, statement: list[_Token]) -> None:
        """Take a statement of the notation in: label, operator, label, ..., label."""
        labels = statement[::2]
        self.ties.add_nodes_from(token.label for token in labels)
        for (left, right), operator in zip(pairwise(labels), statement[1::2], strict=True):
            if operator.kind == ">":
                self.relations.append((left.label, right.label))
            elif left.label != right.label:
                self.ties.add_edge(left.label, right.label)
                self.places.append((operator, left.label))


def _require_chain(statement: list[_Token]) -> None:
    """Raise `ParseError` unless labels and operators of a statement alternate."""
    if len(statement) == 1:
        return
    before: _Token | None = None
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


def _relate_classes(relations: list[tuple[str, str]], classes: list[set[str]]) -> nx.DiGraph:
    """Return the relations that a text states between classes of equals as a graph."""
    class_of = {label: number for number, members in enumerate(classes) for label in members}
    Q = nx.DiGraph()
    Q.add_nodes_from(range(len(classes)))
    for preferred, other in relations:
        ends = class_of[preferred], class_of[other]
        if not Q.has_edge(*ends):
            Q.add_edge(*ends, labels=(preferred, other))
    return Q


def _require_no_tie_on_cycle(
    statements: _Statements, classes: list[set[str]], Q: nx.DiGraph
) -> None:
    """Raise `ParseError` at the first ``~`` of a text whose items would be above each other."""
    on_cycles = {number for component in cyclic_components(Q) for number in component}
    contradicted = {
        label: number
        for number, members in enumerate(classes)
        if number in on_cycles
        for label in members
    }
    for operator, label in statements.places:
        if label in contradicted:
            number = contradicted[label]
            tied = [name for name in statements.ties if name in classes[number]]
            raise operator.error(
                f"expected {listed(tied, separator=' ~ ')} to be equals, "
                f"found {_way_round(Q, number)}"
            )


def _way_round(Q: nx.DiGraph, number: int) -> str:
    """Return a shortest cycle through a class of equals, by the labels of the text."""
    back = nx.single_source_shortest_path(Q.reverse(copy=False), number)
    first = min((below for below in Q[number] if below in back), key=lambda c: len(back[c]))
    steps = [Q.edges[edge]["labels"] for edge in pairwise([number, *reversed(back[first])])]
    words = [repr(steps[0][0])]
    for (_, reached), onward in zip_longest(steps, steps[1:]):
        words.append(f"> {reached!r}")
        if onward and onward[0] != reached:
            words.append(f"~ {onward[0]!r}")
    return " ".join(words)


def format_order(G: OrderLike) -> str:
    """Return an order as a text in porank's notation.

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

    See Also
    --------
    parse, from_pairs

    Examples
    --------
    >>> import networkx as nx
    >>> import porank as po
    >>> po.format_order(nx.DiGraph(["ab", "bc", "ac", "dc"]))
    'a > b > c; d > c'
    >>> po.format_order({"x": 3, "y": 1, "z": 3})
    'x ~ z > y'

    Notes
    -----
    Time O(n log n) for a weak order of known ties, that of the reduction for others. Items
    are sorted by (type name, repr), so that the text does not depend on insertion.
    """
    order, _ = compile_order(G).by_name()
    labels = list(map(spell_label, texts_of(order.items).values()))
    classes, rows = quotient_of(order)
    words = [" ~ ".join([labels[member] for member in members]) for members in classes]
    tied = {number for number, members in enumerate(classes) if len(members) > 1}
    statements = []
    for line in covering_chains(rows):
        statements.append(" > ".join([words[number] for number in line]))
        for number in tied.intersection(line):
            words[number] = labels[classes[number][0]]
    return "; ".join(statements)


_OPERATORS = {">": ">", "≻": ">", "~": "~", "∼": "~"}
_RESERVED = {
    "<": "write the preferred item first, B > A",
    "≺": "write the preferred item first, B > A",
    "=": "equals are written A ~ B",
    ",": "separate statements by ';'",
    "{": "equals are written A ~ B",
    "}": "equals are written A ~ B",
    "→": "write A > B",
    "⇒": "write A > B",
    "≽": "write A > B, or A ~ B",
    "≥": "write A > B, or A ~ B",
    "|": "items that are not compared are separate statements, A; B",
}
# An apostrophe within a word belongs to it; after a blank it would begin a quoted label.
_BARE = re.compile(r"""(?:[^\s>≻~∼;#<≺=,{}→⇒≽≥|"']|(?<=\S)'|\s+(?!'))+""")
_QUOTED = re.compile(r""""(?:[^\\"]|\\.)*"|'(?:[^\\']|\\.)*'""")
# A backslash, and what may follow it.
_ESCAPE = re.compile(
    r"""\\([\\"'nrt]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U0010[0-9a-fA-F]{4}|U000[0-9a-fA-F]{5})?"""
)
_NEEDS_NO_QUOTES = re.compile(r"[\w.+*/:()&-]+(?: [\w.+*/:()&-]+)*")


@dataclass(frozen=True, slots=True)
class _Token:
    """A token of the notation: a label, an operator (">", "~") or the end of a statement (";")."""

    kind: str
    label: str
    line: int
    column: int
    text: str

    def error(self, message: str) -> ParseError:
        """Return the error of a text in the notation with the place of this token."""
        return ParseError.at(message, line=self.line, column=self.column, text=self.text)


def _tokens_of(text: str) -> Iterator[_Token]:
    """Yield the tokens of a text in the notation, the end of each line ending a statement."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        column = 0
        try:
            while column < len(line) and line[column] != "#":
                if line[column].isspace():
                    column += 1
                    continue
                kind, label, end = _read_token(line, column)
                yield _Token(kind, label, number, column + 1, line)
                column = end
        except ParseError as error:
            raise error.placed(line=number, text=line) from None
        yield _Token(";", "", number, column + 1, line)


def _read_token(line: str, column: int) -> tuple[str, str, int]:
    """Return kind, label and end of the token of the notation at `column`, counted from 0."""
    letter = line[column]
    if letter in _OPERATORS:
        return _OPERATORS[letter], "", column + 1
    if letter == ";":
        return ";", "", column + 1
    if letter in "\"'":
        label, end = _read_quoted(line, column)
        return "label", label, end
    bare = _BARE.match(line, column)
    if bare is None:
        message = (
            f"expected an item, '>', '~' or ';', found {letter!r}; {_RESERVED[letter]}, "
            "or put the whole label in quotes"
        )
        raise ParseError(message, column=column + 1)
    if bare[0].endswith("-") and line.startswith(">", bare.end()):
        message = "expected '>', found '->'; write A > B, and a label that ends in '-' in quotes"
        raise ParseError(message, column=bare.end())
    if bare[0].count("(") != bare[0].count(")"):
        message = "expected parentheses that close within the label; groups of equals need none"
        raise ParseError(message, column=column + 1)
    return "label", " ".join(bare[0].split()), bare.end()


def _read_quoted(line: str, start: int) -> tuple[str, int]:
    """Return the label in quotes that begins at `start` of a line of the notation, and its end."""
    quoted = _QUOTED.match(line, start)
    if quoted is None:
        message = (
            f"expected {line[start]} at the end of the quoted label, found the end of the line"
        )
        raise ParseError(message, column=start + 1)

    def letter_of(escape: re.Match[str]) -> str:
        if not escape[1]:
            message = (
                r"expected \\, \", \', \n, \r, \t, \xhh, \uhhhh or \Uhhhhhhhh after a backslash"
            )
            raise ParseError(message, column=start + escape.start() + 2)
        return escape[0].encode().decode("unicode_escape")

    return _ESCAPE.sub(letter_of, quoted[0][1:-1]), quoted.end()


def spell_label(label: str) -> str:
    r"""Return a label as the notation writes it, in quotes if it must be."""
    if _NEEDS_NO_QUOTES.fullmatch(label) and label.count("(") == label.count(")"):
        return label
    return f'"{"".join(map(_spell_letter, label))}"'


def _spell_letter(letter: str) -> str:
    """Return a letter of a quoted label as the notation writes it, as an escape if it must be."""
    if letter in '\\"':
        return "\\" + letter
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def quotient_of(order: Order) -> tuple[list[list[int]], list[list[int]]]:
    """Return the classes of equals that the notation writes, best first, and what each covers."""
    untied = order.tie.max(initial=-1) + 1 + np.arange(order.tie.size)
    first, class_of = np.unique(
        np.where(order.tie < 0, untied, order.tie), return_index=True, return_inverse=True
    )[1:]
    best_first = np.lexsort((first, order.levels[first]))
    of_item = inverse_of(best_first)[class_of]
    members = np.argsort(of_item, kind="stable")
    classes = lists_of_rows(first.size, of_item[members], members)
    return classes, _covers_of(order, first[best_first])


def _covers_of(order: Order, chosen: Numbers) -> list[list[int]]:
    """Return the reduction among one item of each class of equals, as the notation writes it."""
    n = chosen.size
    if order.is_weak:
        sizes = np.bincount(order.levels[chosen])
        refuse_large(int(np.dot(sizes[:-1], sizes[1:])), instead="the scores say it in less")
        following = lists_of_rows(sizes.size, order.levels[chosen] - 1, np.arange(n))
        return [following[level] for level in order.levels[chosen].tolist()]
    place = np.full(len(order.items), -1)
    place[chosen] = np.arange(n)
    upper, lower = (place[ends] for ends in order.relation.cover_edges())
    refuse_large(int(np.count_nonzero(upper >= 0)), instead="save the graph itself")
    between = (upper >= 0) & (lower >= 0)
    edges = np.sort(upper[between] * n + lower[between])
    return lists_of_rows(n, *np.divmod(edges, max(n, 1)))


def covering_chains(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the fewest chains ``a > b > c`` that write each edge once, then isolated numbers."""
    remaining = list(map(iter, rows))
    reached = set(chain.from_iterable(rows))
    for start, left in enumerate(remaining):
        for below in left:
            line: list[int] = [start]
            number: int | None = below
            while number is not None:
                line.append(number)
                number = next(remaining[number], None)
            yield line
    yield from ([number] for number, row in enumerate(rows) if not row and number not in reached)
