"""Orders as JSON: ``{"items": [...], "edges": [[u, v, {...}], ...], "ties": [[...], ...]}``.

Weak orders may also be ``{"levels": [[...], ...]}``, best first, where items of a level are tied.
Labels are texts, numbers, true or false, and keep their types.

`read_json`, `write_json`.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.convert.rankings import from_levels, levels_of
from porank.core.compiled_order import as_graph
from porank.core.files import Text, write_text
from porank.core.graphs import node_values, tie_groups
from porank.core.scores import plain_number, without_fraction
from porank.errors import ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.typing import Item, OrderLike


_KEYS = ("items", "edges", "ties")


def read_json(source: Any) -> nx.DiGraph:
    r"""Read a graph from a JSON file.

    Parameters
    ----------
    source : path or open file
        A text in UTF-8: an object with the keys ``items``, ``edges`` and ``ties``, all optional, or
        with the key ``levels``.

    Returns
    -------
    DiGraph
        Labels keep their types. Cycles and attributes of edges are kept. The items of each list in
        ``ties`` share a value of the node attribute ``tie``.

    Raises
    ------
    ParseError
        If the file does not have this form.
    PorankError
        If `source` is neither a path nor an open file, or the graph of levels would have more than
        10**7 edges.

    See Also
    --------
    write_json

    Examples
    --------
    >>> import porank as po
    >>> import io
    >>> text = '{"items": ["A", 1, 2.5], "edges": [["A", 1, {"weight": 3}], ["A", 2.5]]}'
    >>> list(po.read_json(io.StringIO(text)).edges(data="weight"))
    [('A', 1, 3), ('A', 2.5, None)]
    >>> list(po.read_json(io.StringIO('{"levels": [["A"], ["B", "C"]]}')).edges)
    [('A', 'B'), ('A', 'C')]

    Notes
    -----
    Time O(n + m).
    """
    with Text(source) as text:
        return _read_order(_load(text.read()))


def _load(text: str) -> Any:
    """Parse a JSON text, or raise an error with the place of the fault."""
    try:
        return json.loads(text, object_pairs_hook=_read_object)
    except json.JSONDecodeError as error:
        lines = text.split("\n")
        raise ParseError.at(
            f"cannot read the file as JSON: {error.msg}",
            line=error.lineno,
            column=error.colno,
            text=lines[error.lineno - 1],
        ) from None
    except (ValueError, RecursionError) as error:
        # A repeated key, a number with too many digits, or lists that are nested too deeply.
        found = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise ParseError(f"cannot read the file as plain JSON: {found}") from None


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object as a dictionary, or raise an error if a key is repeated."""
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError(f"repeated key in {listed(key for key, _ in pairs)}")
    return read


def _read_order(data: Any) -> nx.DiGraph:
    """Return the graph of a JSON value with items, edges and ties, or with levels."""
    if not isinstance(data, dict) or not set(data) <= set(_KEYS) | {"levels"}:
        found = f"the keys {listed(data)}" if isinstance(data, dict) else f"{data!r:.60}"
        raise ParseError(f"expected an object with {listed(_KEYS)} or 'levels', found {found}")
    if "levels" in data:
        if len(data) > 1:
            raise ParseError(f"expected 'levels' as the only key, found the keys {listed(data)}")
        levels = [_read_labels(level, "a level") for level in _list_of(data, "levels")]
        try:
            return from_levels(levels)
        except PorankError as error:
            raise ParseError(str(error)) from None
    G = nx.DiGraph()
    items = _read_labels(_list_of(data, "items"), "items")
    G.add_nodes_from(items)
    if len(G) < len(items):
        again = next(item for place, item in enumerate(items) if item in items[:place])
        raise ParseError(f"expected each item once in items, found {again!r} again")
    for place, edge in enumerate(_list_of(data, "edges")):
        _add_edge(G, edge, place)
    for place, group in enumerate(_list_of(data, "ties")):
        for item in _read_labels(group, f"ties[{place}]"):
            if item not in G or "tie" in G.nodes[item]:
                raise ParseError(f"expected items of the order, each once, in ties, found {item!r}")
            G.nodes[item]["tie"] = place
    return G


def _list_of(data: dict[str, Any], key: str) -> list[Any]:
    """Return the list under a key, or an empty list if the key is missing."""
    found = data.get(key, [])
    if not isinstance(found, list):
        raise ParseError(f"expected a list as {key}, found {found!r:.60}")
    return found


def _read_labels(labels: Any, name: str) -> list[Item]:
    """Return a JSON list of items, which must be texts or numbers."""
    if not isinstance(labels, list):
        raise ParseError(f"expected a list of items as {name}, found {labels!r:.60}")
    for label in labels:
        if not _is_value(label):
            raise ParseError(f"expected texts or numbers in {name}, found {label!r:.60}")
    return labels


def _add_edge(G: nx.DiGraph, edge: Any, place: int) -> None:
    """Add the edge in a JSON list ``[preferred, other, {...}]`` to the graph."""
    is_edge = isinstance(edge, list) and len(edge) in (2, 3)
    if not is_edge or not isinstance(edge[2:][0] if edge[2:] else {}, dict):
        raise ParseError(
            f"expected [preferred, other] or [preferred, other, {{...}}] as edges[{place}], "
            f"found {edge!r:.60}"
        )
    u, v = _read_labels(edge[:2], f"edges[{place}]")
    if G.has_edge(u, v):
        raise ParseError(f"expected each edge once, found {u!r} > {v!r} again in edges[{place}]")
    G.add_edge(u, v)
    for key, value in edge[2].items() if edge[2:] else ():
        if value is not None and not _is_value(value):
            raise ParseError(
                "expected texts, finite numbers, truth values and null as attributes of edges, "
                f"found {value!r:.60} in edges[{place}]"
            )
        G.edges[u, v][key] = value


def _is_value(value: object) -> bool:
    """Return whether JSON can represent a value and reads it as the same value."""
    return isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value))


def write_json(order: OrderLike, target: Any) -> None:
    """Write a graph, or scores, to a JSON file.

    Parameters
    ----------
    order : DiGraph or scores
        A graph, which may have cycles, is written as items, edges and ties; scores as levels.
    target : path or open file
        An existing file is replaced only after everything has been written.

    Raises
    ------
    PorankError
        If a label is not a text, number or truth value, an attribute of an edge is neither these
        nor None, or `target` is neither a path nor an open file.

    See Also
    --------
    read_json

    Examples
    --------
    >>> import networkx as nx
    >>> import porank as po
    >>> import io
    >>> target = io.StringIO()
    >>> po.write_json(nx.DiGraph([("A", 1), ("A", 2)]), target)
    >>> print(target.getvalue(), end="")
    {"items": ["A", 1, 2],
     "edges": [["A", 1],
      ["A", 2]],
     "ties": []}
    >>> po.write_json(nx.DiGraph([("A", (1, 2))]), target)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a text, a number or a truth value as item, found (1, 2);
    nx.relabel_nodes(G, ...) renames items

    Notes
    -----
    Time O(n + m). Attributes of items other than ``tie``, and attributes of the graph, are not
    written. A fraction is written as a float.
    """
    if not isinstance(order, nx.Graph):
        levels = levels_of(order, name="the order")
        rows = ",\n  ".join(_spell([_label(item) for item in level]) for level in levels)
        write_text(f'{{"levels": [{rows}]}}\n', target)
        return
    G = as_graph(order)
    items = [_label(item) for item in G]
    edges = ",\n  ".join(map(_spell, _edges(G)))
    groups = [list(map(_label, group)) for group in tie_groups(G, node_values(G, "tie"))]
    write_text(
        f'{{"items": {_spell(items)},\n "edges": [{edges}],\n "ties": {_spell(groups)}}}\n', target
    )


def _edges(G: nx.DiGraph) -> Iterator[list[Any]]:
    """Yield the edges of a graph as JSON lists, with their attributes."""
    for u, v, data in G.edges(data=True):
        attributes = {key: without_fraction(value) for key, value in data.items()}
        for key, value in attributes.items():
            if not isinstance(key, str) or not (value is None or _is_value(value)):
                raise PorankError(
                    "expected texts, finite numbers and truth values as attributes of edges, found "
                    f"{key!r}: {value!r} of {u!r} > {v!r}"
                )
        yield [_label(u), _label(v), *([attributes] if attributes else [])]


def _label(item: Item) -> Any:
    """Return an item as its JSON label, or raise an error if JSON cannot represent it."""
    label = plain_number(item)
    if type(label) not in (str, int, float, bool) or not _is_value(label):
        raise PorankError(
            f"expected a text, a number or a truth value as item, found {item!r}; "
            "nx.relabel_nodes(G, ...) renames items"
        )
    return label


def _spell(value: Any) -> str:
    """Return a value as JSON text."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
