"""Orders as diagrams of other programs: DOT for Graphviz, and Mermaid for Markdown.

Either is the Hasse diagram, best on top, known ties together; those programs lay it out.

`to_dot`, `to_mermaid`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from porank.core.arguments import texts_of
from porank.core.compiled_order import as_graph
from porank.core.graphs import node_values, tie_groups
from porank.core.tables import printable
from porank.orders.closure import transitive_reduction
from porank.orders.cycles import is_acyclic

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx as nx

    from porank.typing import OrderLike


def to_dot(order: OrderLike) -> str:
    r"""Return the Hasse diagram of an order as DOT, the language of Graphviz.

    Parameters
    ----------
    order : DiGraph or scores
        Its transitive reduction is drawn; of a graph with cycles all edges are.

    Returns
    -------
    str
        A ``digraph``, known ties side by side, a weight as the label of its edge.

    Raises
    ------
    PorankError
        If two items have the same text, or more than 10**7 edges would be written.

    See Also
    --------
    to_mermaid, to_tikz, draw_hasse

    Examples
    --------
    >>> import porank as po
    >>> print(po.to_dot({"A": 2, 'the "B"': 1, "C": 1}), end="")
    digraph order {
      rankdir=TB;
      node [shape=box];
      "A";
      "the \"B\"";
      "C";
      {rank=same; "the \"B\""; "C"}
      "A" -> "the \"B\"";
      "A" -> "C";
    }

    Notes
    -----
    Time that of the reduction. Items and edges stand as in the graph.
    """
    return "".join(f"{line}\n" for line in _dot_lines(as_graph(order)))


def to_mermaid(order: OrderLike) -> str:
    """Return the Hasse diagram of an order as a flowchart of Mermaid.

    Markdown on GitHub, in GitLab, JupyterLab, Quarto and many a wiki shows it where it stands in a
    block of code called ``mermaid``.

    Parameters
    ----------
    order : DiGraph or scores
        Its transitive reduction is drawn; of a graph with cycles all edges are.

    Returns
    -------
    str
        A ``flowchart``, known ties in one box, a weight as the label of its edge. Names are
        escaped: what Mermaid, Markdown or HTML would read as their own is shown as it is.

    Raises
    ------
    PorankError
        If two items have the same text, or more than 10**7 edges would be written.

    See Also
    --------
    to_dot, to_tikz, draw_hasse

    Examples
    --------
    >>> import porank as po
    >>> print(po.to_mermaid({"A": 2, 'the "B"': 1, "C": 1}), end="")
    flowchart TB
      n0["A"]
      n1["the #34;B#34; ~ C"]
      n0 --> n1

    Notes
    -----
    Time that of the reduction. Mermaid as it is commonly set shows at most 500 edges and 50,000
    letters; `to_dot` is for larger orders.
    """
    return "".join(f"{line}\n" for line in _mermaid_lines(as_graph(order)))


def _dot_lines(G: nx.DiGraph) -> Iterator[str]:
    """Yield the lines of an order's DOT."""
    words = {item: _quote(text) for item, text in texts_of(G).items()}
    yield from ("digraph order {", "  rankdir=TB;", "  node [shape=box];")
    yield from (f"  {word};" for word in words.values())
    for group in tie_groups(G, node_values(G, "tie")):
        yield f"  {{rank=same; {'; '.join(words[item] for item in group)}}}"
    for u, v, weight in _drawn(G).edges(data="weight"):
        label = "" if weight is None else f" [label={_quote(str(weight))}]"
        yield f"  {words[u]} -> {words[v]}{label};"
    yield "}"


def _drawn(G: nx.DiGraph) -> nx.DiGraph:
    """Return the graph that a diagram in DOT or Mermaid shows: the reduction of an order."""
    return transitive_reduction(G) if is_acyclic(G) else G


_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r"}


def _quote(text: str) -> str:
    """Return a text as DOT quotes it."""
    return f'"{"".join(_ESCAPES.get(letter, letter) for letter in text)}"'


def _mermaid_lines(G: nx.DiGraph) -> Iterator[str]:
    """Yield the lines of an order's flowchart."""
    texts, box = texts_of(G), {item: [item] for item in G}
    for group in tie_groups(G, node_values(G, "tie")):
        box |= {item: list(group) for item in group}
    name = {box[item][0]: f"n{number}" for number, item in enumerate(G) if item == box[item][0]}
    yield "flowchart TB"
    for item in name:
        yield f"  {name[item]}[{_entities(' ~ '.join(map(texts.__getitem__, box[item])))}]"
    lines = []
    for u, v, weight in _drawn(G).edges(data="weight"):
        label = "" if weight is None else f"|{_entities(str(weight))}|"
        lines.append(f"  {name[box[u][0]]} -->{label} {name[box[v][0]]}")
    yield from dict.fromkeys(lines)


def _entities(text: str) -> str:
    """Return a text as Mermaid quotes it, all but letters, digits and blanks by their numbers.

    So no text is an end of the quotes, a directive, a formula, a list of Markdown, or HTML.
    """
    plain = printable(" ".join(text.split())) or "\xa0"
    return '"' + re.sub(r"[^\w ~]|_", lambda sign: f"#{ord(sign[0])};", plain) + '"'
