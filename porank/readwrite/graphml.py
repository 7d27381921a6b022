"""Graphs as GraphML, read and written by networkx."""

from __future__ import annotations

import re
from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import networkx as nx

from porank.core.arguments import texts_of
from porank.core.compiled_order import as_graph
from porank.core.files import LINE_END, Text, write_text
from porank.core.graphs import NUMBER, graph_like, node_values, tie_groups
from porank.core.scores import plain_number
from porank.errors import GraphTypeError, ParseError, PorankError, quoted

if TYPE_CHECKING:
    from porank.typing import OrderLike


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_graphml(source: Any) -> nx.DiGraph:
    """Read a graph from a GraphML file.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8 with one directed graph.

    Returns
    -------
    DiGraph
        Items are texts, the ids of the nodes. All attributes are kept, including ``weight`` and
        ``tie``, and so are cycles.

    Raises
    ------
    ParseError
        If the file is not GraphML.
    GraphTypeError
        If the graph is undirected or has parallel edges.
    PorankError
        If `source` is neither a path nor an open file.

    See Also
    --------
    write_graphml

    Examples
    --------
    >>> import networkx as nx
    >>> import porank as po
    >>> import io
    >>> file = io.StringIO()
    >>> po.write_graphml(nx.DiGraph(["ab", "bc"]), file)
    >>> list(po.read_graphml(io.StringIO(file.getvalue())).edges)
    [('a', 'b'), ('b', 'c')]

    Notes
    -----
    Time O(n + m).
    """
    with Text(source) as text:
        content = text.read()
        try:
            # Files written by hand often lack the namespace.
            named = content.replace("<graphml>", _NAMED_ROOT, 1)
            graphs = list(nx.readwrite.graphml.GraphMLReader()(string=named))
        except ET.ParseError as error:
            line, column = error.position
            raise ParseError.at(
                f"cannot read the file as XML: {error}",
                line=line,
                column=column + 1,
                text=dict(enumerate(LINE_END.split(content), start=1)).get(line, ""),
            ) from None
        except (nx.NetworkXException, LookupError, TypeError, ValueError, AttributeError) as error:
            raise ParseError(f"cannot read the file as GraphML: {error}") from None
        if len(graphs) != 1:
            raise ParseError(f"expected one graph in the GraphML file, found {len(graphs)}")
    G: nx.DiGraph = graphs[0]
    if G.is_multigraph() or not G.is_directed():
        found = "an undirected one" if not G.is_directed() else "one with parallel edges"
        raise GraphTypeError(
            f"expected a directed graph without parallel edges in {text.name or 'the text'}, "
            f"found {found}; one edge u -> v means that u is preferred to v"
        )
    return graph_like(G)


_NAMED_ROOT = f'<graphml xmlns="{nx.readwrite.graphml.GraphMLReader.NS_GRAPHML}">'


def write_graphml(G: OrderLike, path: Any) -> None:
    """Write a graph to a GraphML file.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        A graph, which may have cycles. Its items are texts or numbers; numbers become texts.
    path : path or open file
        An existing file is replaced only after everything has been written.

    Raises
    ------
    PorankError
        If an item, or an attribute of an item or edge, is not a text, number or truth value (None
        is not, either), two items have the same text, a text contains a character that XML cannot
        represent, or `path` is neither a path nor an open file.

    See Also
    --------
    read_graphml

    Examples
    --------
    >>> import networkx as nx
    >>> import porank as po
    >>> import io
    >>> G = nx.DiGraph([("a", frozenset("bc"))])
    >>> po.write_graphml(G, io.StringIO())
    Traceback (most recent call last):
    porank.errors.PorankError: expected a text or a number as item, found frozenset({'b', 'c'});
    nx.relabel_nodes(G, str) renames items

    Notes
    -----
    Time O(n + m). Attributes of items and edges are written, attributes of the graph are not. Some
    values change when they are read again: items that are numbers become texts, fractions become
    floats, and the node attribute ``tie`` becomes a number for each group of tied items, and is
    missing for items that are not tied with any other.
    """
    G = as_graph(G)
    for item in G:
        if not _is_plain(item):
            raise PorankError(
                f"expected a text or a number as item, found {quoted(item)}; "
                "nx.relabel_nodes(G, str) renames items"
            )
    texts = texts_of(G)
    written = nx.DiGraph()
    for item, data in G.nodes(data=True):
        # Ties are written below, as a number for each group of tied items.
        others = {key: value for key, value in data.items() if key not in ("tie", NUMBER)}
        written.add_nodes_from([(_xml(texts[item]), _attributes(item, others))])
    for number, group in enumerate(tie_groups(G, node_values(G, "tie"))):
        nx.set_node_attributes(written, {texts[item]: number for item in group}, "tie")
    written.add_edges_from(
        (texts[u], texts[v], _attributes((u, v), data)) for u, v, data in G.edges(data=True)
    )
    content = BytesIO()
    # The plain writer of networkx, because `write_graphml` uses lxml if it is installed.
    nx.write_graphml_xml(written, content)
    write_text(content.getvalue().decode("utf-8") + "\n", path)


def _is_plain(value: object) -> bool:
    """Return whether GraphML has a type for a value."""
    return isinstance(plain_number(value), (str, int, float))


def _attributes(owner: Any, data: dict[Any, Any]) -> dict[str, Any]:
    """Return the attributes of an item or edge as values that GraphML can hold."""
    read = {}
    for key, value in data.items():
        plain = float(value) if isinstance(value, Fraction) else plain_number(value)
        if not isinstance(key, str) or not _is_plain(plain):
            raise PorankError(
                f"expected texts and numbers as attributes, found {key!r}: {quoted(value)} of "
                f"{quoted(owner)}"
            )
        read[_xml(key)] = _xml(plain) if isinstance(plain, str) else plain
    return read


def _xml(text: str) -> str:
    """Return the text, or raise an error if it has a character that XML cannot represent."""
    wrong = _NOT_IN_XML.search(text)
    if wrong is not None:
        raise PorankError(f"expected characters that XML allows, found {wrong[0]!r} in {text!r}")
    return text
