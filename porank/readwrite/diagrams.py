"""Orders as diagrams for other programs: DOT for Graphviz, and Mermaid for Markdown.

Both are the Hasse diagram, with known ties together; those programs compute the layout.

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
    r"""Return the Hasse diagram of an order in DOT, the language of Graphviz.

    Parameters
    ----------
    order : DiGraph, ranks, or scores (larger is better)
        The transitive reduction is drawn; if the graph has cycles, all edges are drawn.

    Returns
    -------
    str
        A ``digraph`` with known ties side by side and weights as labels of edges.

    Raises
    ------
    PorankError
        If two items have the same text, or the graph would have more than 10**7 edges.

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
    Takes the time of the reduction. Items and edges keep the order of the graph.
    """
    return "".join(f"{line}\n" for line in _dot_lines(as_graph(order)))


def to_mermaid(order: OrderLike) -> str:
    """Return the Hasse diagram of an order as a Mermaid flowchart.

    GitHub, GitLab, JupyterLab, Quarto and many wikis draw it if it is in a Markdown code block with
    the language ``mermaid``.

    Parameters
    ----------
    order : DiGraph, ranks, or scores (larger is better)
        The transitive reduction is drawn; if the graph has cycles, all edges are drawn.

    Returns
    -------
    str
        A ``flowchart`` with known ties in one box and weights as labels of edges. Names are
        escaped, so Mermaid, Markdown or HTML in them is shown as text.

    Raises
    ------
    PorankError
        If two items have the same text, or the graph would have more than 10**7 edges.

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
    Takes the time of the reduction. By default Mermaid draws at most 500 edges and 50,000
    characters; use `to_dot` for larger orders.
    """
    return "".join(f"{line}\n" for line in _mermaid_lines(as_graph(order)))


def _dot_lines(G: nx.DiGraph) -> Iterator[str]:
    """Yield the lines of DOT source."""
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
    """Return the graph to draw: the reduction of an order, or a cyclic graph itself."""
    return transitive_reduction(G) if is_acyclic(G) else G


_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r"}


def _quote(text: str) -> str:
    """Return a text as a quoted string of DOT."""
    return f'"{"".join(_ESCAPES.get(letter, letter) for letter in text)}"'


def _mermaid_lines(G: nx.DiGraph) -> Iterator[str]:
    """Yield the lines of a Mermaid flowchart."""
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
    """Return a text as a quoted string of Mermaid, with most signs as numeric entities.

    So no text ends the string or is read as a directive, a formula, a Markdown list or HTML.
    """
    plain = printable(" ".join(text.split())) or "\xa0"
    return '"' + re.sub(r"[^\w ~]|_", lambda sign: f"#{ord(sign[0])};", plain) + '"'
