"""Convert between orders and the notation, such as ``A > B ~ C; A > D``.

A statement is a chain of items. ``>`` (or ≻) means that the item on the left is preferred, and
``~`` (or ∼) that two items are equal. Equal items form a group, and each item of a group is above
each item of the next group. A statement ends at ``;`` or at the end of the line. A comment starts
with ``#``. An unquoted label extends to the next operator; blanks around it are removed, and blanks
within it become one. A label in double or single quotes is taken literally, except for Python's
backslash escapes.

Idea of writing: *choose one item of each class of equals. Start from the best class with an edge
that has not been written, and follow such edges downwards as far as possible.* All edges into that
class have been written before, so no smaller number of chains contains each edge once.

`parse`, `format_order`; `shown` for graphs that show themselves; `quotient_of` joins tied items.
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
from porank.core.arrays import inverse_of, lists_of_rows, places_among
from porank.core.compiled_order import compile_if_acyclic, compile_order
from porank.core.graphs import cyclic_components, in_order, node_values, refuse_large, tie_groups
from porank.errors import ParseError, PorankError, counted, listed, quoted
from porank.orders.types import type_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.core.compiled_order import CompiledOrder
    from porank.typing import Numbers, OrderLike


def parse(text: str) -> nx.DiGraph:
    r"""Return the graph that a text in porank's notation describes.

    Parameters
    ----------
    text : str
        Statements such as ``A > B ~ C``, separated by ``;`` or newlines. Labels that contain
        special characters must be quoted. A statement of a single item adds it. A statement about
        one of several equal items applies to all of them, also across statements.

    Returns
    -------
    DiGraph
        The graph. Its items are strings, in order of appearance. Its edges are the stated
        preferences; they are not reduced and may form cycles. Equal items have the same value of
        the node attribute ``tie``.

    Raises
    ------
    ParseError
        If the text is not in the notation, or if one of several equal items is above another. The
        error has the line and the column.
    PorankError
        If the graph would have more than 10**7 edges.

    See Also
    --------
    format_order, from_pairs

    Examples
    --------
    >>> import porank as po
    >>> G = po.parse("A > B ~ C; A > D")
    >>> G
    A > B ~ C; A > D
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
    Time linear in the length of the text and the number of edges.
    """
    if not isinstance(text, str):
        raise PorankError(
            f"expected a text, found {quoted(text)}; for items use from_ranking or from_pairs"
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
    """The statements of a text in the notation: labels with their ties, and preferences."""

    ties: nx.Graph = field(default_factory=nx.Graph)
    places: list[tuple[_Token, str]] = field(default_factory=list)
    relations: list[tuple[str, str]] = field(default_factory=list)

    def add(self, statement: list[_Token]) -> None:
        """Add a statement of the notation: label, operator, label, ..., label."""
        labels = statement[::2]
        self.ties.add_nodes_from(token.label for token in labels)
        for (left, right), operator in zip(pairwise(labels), statement[1::2], strict=True):
            if operator.kind == ">":
                self.relations.append((left.label, right.label))
            elif left.label != right.label:
                self.ties.add_edge(left.label, right.label)
                self.places.append((operator, left.label))


def _require_chain(statement: list[_Token]) -> None:
    """Raise `ParseError` unless a statement alternates between labels and operators."""
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
    """Return the preferences of a text between classes of equal items as a graph."""
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
    """Raise `ParseError` at the first ``~`` of a text between items on a cycle."""
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
                f"expected {listed(tied, separator=' ~ ')} to be equal, "
                f"found {_way_round(Q, number)}"
            )


def _way_round(Q: nx.DiGraph, number: int) -> str:
    """Return a shortest cycle through a class of equal items, with the labels of the text."""
    back = nx.single_source_shortest_path(Q.reverse(copy=False), number)
    first = min((below for below in Q[number] if below in back), key=lambda c: len(back[c]))
    steps = [Q.edges[edge]["labels"] for edge in pairwise([number, *reversed(back[first])])]
    words = [repr(steps[0][0])]
    for (_, reached), onward in zip_longest(steps, steps[1:]):
        words.append(f"> {quoted(reached)}")
        if onward and onward[0] != reached:
            words.append(f"~ {quoted(onward[0])}")
    return " ".join(words)


def format_order(G: OrderLike) -> str:
    """Return an order as a text in porank's notation.

    `parse` converts the text back to an order with the same closure and the same known ties, with
    the items as strings.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order.

    Returns
    -------
    str
        One line of text. A ranking with ties is one chain. Any other order is written as the
        smallest number of chains that contain each edge of its reduction once, followed by the
        items that are comparable to no other. Equal items are written out where they first appear;
        later, one of them represents all.

    Raises
    ------
    CycleError
        If `G` has a cycle.
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
    Time O(n log n) for a ranking with ties, otherwise the time of the reduction. Items are sorted
    by type name and repr, so the text does not depend on the order in which they were added.
    """
    order, _ = compile_order(G).by_name()
    labels = list(map(spell_label, texts_of(order.items).values()))
    classes, rows = quotient_of(order)
    words = [" ~ ".join([labels[member] for member in members]) for members in classes]
    tied = {number for number, members in enumerate(classes) if len(members) > 1}
    statements = []
    for line in _covering_chains(rows):
        statements.append(" > ".join([words[number] for number in line]))
        for number in tied.intersection(line):
            words[number] = labels[classes[number][0]]
    return "; ".join(statements)


#: The largest graph that is written out when it shows itself, and the largest order whose type and
#: pairs are computed for that.
MOST_WRITTEN, MOST_DESCRIBED = 150, 2_000


def shown(G: nx.DiGraph, *, longest: int) -> str:
    """Return the notation of a graph, or if it is too long, type, items and pairs; never fail."""
    try:
        order, text = compile_if_acyclic(G), ""
        if len(G) <= MOST_WRITTEN:
            text = _text_of_edges(G) if order is None else format_order(G)
        return text if 0 < len(text) <= longest else f"<{_summary(G, order)}>"
    except PorankError:
        # Ties that contradict the edges, or items with the same text.
        return f"<graph of {counted(len(G), 'item')}, {counted(G.number_of_edges(), 'edge')}>"


def _text_of_edges(G: nx.DiGraph) -> str:
    """Return all edges of a cyclic graph in the notation, with its ties and a comment."""
    label = {item: spell_label(text) for item, text in texts_of(G).items()}
    items = in_order(G)
    number = {item: k for k, item in enumerate(items)}
    rows = [sorted(number[v] for v in G[u]) for u in items]
    lines = [" > ".join(label[items[k]] for k in line) for line in _covering_chains(rows)]
    ties = tie_groups(G, node_values(G, "tie"))
    lines += [" ~ ".join(label[item] for item in in_order(group)) for group in ties]
    return f"{'; '.join(lines)}  # cyclic"


def _summary(G: nx.DiGraph, order: CompiledOrder | None) -> str:
    """Return the type of a graph and the numbers of its items and pairs."""
    n = counted(len(G), "item")
    if order is None or not (order.is_weak or len(G) <= MOST_DESCRIBED):
        kind = "cyclic preferences" if order is None else "order"
        return f"{kind} of {n}, {counted(G.number_of_edges(), 'edge')}"
    kind = f"{type_of(order)} order".replace("semiorder order", "semiorder")
    return f"{kind} of {n}, {counted(order.count_pairs(), 'pair')}"


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
# An apostrophe within a word is part of it; after a blank it starts a quoted label.
_BARE = re.compile(r"""(?:[^\s>≻~∼;#<≺=,{}→⇒≽≥|"']|(?<=\S)'|\s+(?!'))+""")
_QUOTED = re.compile(r""""(?:[^\\"]|\\.)*"|'(?:[^\\']|\\.)*'""")
# A backslash, followed by a valid escape or by anything else.
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
        """Return an error for a text in the notation at the position of this token."""
        return ParseError.at(message, line=self.line, column=self.column, text=self.text)


def _tokens_of(text: str) -> Iterator[_Token]:
    """Yield the tokens of a text in the notation; the end of a line also ends a statement."""
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
    """Read the token of the notation at `column`, counted from 0: return kind, label and end."""
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
        message = "expected '>', found '->'; write A > B, or quote a label that ends in '-'"
        raise ParseError(message, column=bare.end())
    if bare[0].count("(") != bare[0].count(")"):
        message = (
            "expected parentheses that close within the label; groups of equal items need none"
        )
        raise ParseError(message, column=column + 1)
    return "label", " ".join(bare[0].split()), bare.end()


def _read_quoted(line: str, start: int) -> tuple[str, int]:
    """Read the quoted label of the notation that starts at `start`; return it and its end."""
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
    r"""Return a label as written in the notation, quoted if necessary."""
    if _NEEDS_NO_QUOTES.fullmatch(label) and label.count("(") == label.count(")"):
        return label
    return f'"{"".join(map(_spell_letter, label))}"'


def _spell_letter(letter: str) -> str:
    """Return a character of a quoted label in the notation, escaped if necessary."""
    if letter in '\\"':
        return "\\" + letter
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def quotient_of(order: CompiledOrder) -> tuple[list[list[int]], list[list[int]]]:
    """Return the classes of equal items for the notation, best first, and the covers of each."""
    untied = order.tie.max(initial=-1) + 1 + np.arange(order.tie.size)
    first, class_of = np.unique(
        np.where(order.tie < 0, untied, order.tie), return_index=True, return_inverse=True
    )[1:]
    best_first = np.lexsort((first, order.levels[first]))
    of_item = inverse_of(best_first)[class_of]
    members = np.argsort(of_item, kind="stable")
    classes = lists_of_rows(first.size, of_item[members], members)
    return classes, _covers_of(order, first[best_first])


def _covers_of(order: CompiledOrder, chosen: Numbers) -> list[list[int]]:
    """Return the reduction for the notation, restricted to one item of each class of equals."""
    n = chosen.size
    if order.is_weak:
        sizes = np.bincount(order.levels[chosen])
        refuse_large(
            int(np.dot(sizes[:-1], sizes[1:])), instead="keep the scores instead of a text"
        )
        following = lists_of_rows(sizes.size, order.levels[chosen] - 1, np.arange(n))
        return [following[level] for level in order.levels[chosen].tolist()]
    place = places_among(chosen, len(order.items))
    upper, lower = (place[ends] for ends in order.relation.cover_edges())
    refuse_large(int(np.count_nonzero(upper >= 0)), instead="write the graph to a file instead")
    between = (upper >= 0) & (lower >= 0)
    edges = np.sort(upper[between] * n + lower[between])
    return lists_of_rows(n, *np.divmod(edges, max(n, 1)))


def _covering_chains(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the fewest chains ``a > b > c`` that contain each edge once, then isolated items."""
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
