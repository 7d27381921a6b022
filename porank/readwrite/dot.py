"""Orders as DOT, the language of Graphviz: best on top, known ties side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.core.arguments import texts_of
from porank.core.compiled_order import as_graph
from porank.core.files import write_text
from porank.core.graphs import node_values
from porank.core.ties import tie_groups
from porank.orders.closure import transitive_reduction
from porank.orders.cycles import is_acyclic

if TYPE_CHECKING:
    from collections.abc import Iterator

    import networkx as nx

    from porank.typing import OrderLike


_ESCAPES = {"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r"}


def write_dot(order: OrderLike, target: Any) -> None:
    r"""Write the Hasse diagram of an order as DOT.

    Parameters
    ----------
    order : DiGraph or scores
        Its transitive reduction is drawn; of a graph with cycles all edges are.
    target : path or open file
        A file that is there is replaced when all has been written, and else left as it is.

    Raises
    ------
    PorankError
        If two items have the same text, more than 10**7 edges would be written, or `target` is
        neither a path nor an open file.

    See Also
    --------
    to_tikz, draw_hasse

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_dot({"A": 2, 'the "B"': 1, "C": 1}, target)
    >>> print(target.getvalue(), end="")
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
    Time that of the reduction. A weight is the label of its edge. Items and edges stand as in the
    graph.
    """
    write_text("".join(f"{line}\n" for line in _lines(as_graph(order))), target)


def _lines(G: nx.DiGraph) -> Iterator[str]:
    """Yield the lines of an order's DOT."""
    words = {item: _quote(text) for item, text in texts_of(G).items()}
    yield from ("digraph order {", "  rankdir=TB;", "  node [shape=box];")
    yield from (f"  {word};" for word in words.values())
    for group in tie_groups(G, node_values(G, "tie")):
        yield f"  {{rank=same; {'; '.join(words[item] for item in group)}}}"
    drawn = transitive_reduction(G) if is_acyclic(G) else G
    for u, v, weight in drawn.edges(data="weight"):
        label = "" if weight is None else f" [label={_quote(str(weight))}]"
        yield f"  {words[u]} -> {words[v]}{label};"
    yield "}"


def _quote(text: str) -> str:
    """Return a text as DOT quotes it."""
    return f'"{"".join(_ESCAPES.get(letter, letter) for letter in text)}"'
