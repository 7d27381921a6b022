"""Orders as JSON, in the form that `porank.build.files.json_files` reads."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.build.files.json_files import is_value
from porank.convert.rankings import levels_of, ranking_of
from porank.core.compiled_order import as_graph, plain_number
from porank.core.files import write_text
from porank.core.graphs import node_values
from porank.core.ties import tie_groups
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.typing import Item, OrderLike


def write_json(order: OrderLike, target: Any) -> None:
    """Write a graph, or scores, as JSON.

    Parameters
    ----------
    order : DiGraph or scores
        A graph, which may have cycles, is written as its items, edges and ties; scores as levels.
    target : path or open file
        A file that is there is replaced when all has been written, and else left as it is.

    Raises
    ------
    PorankError
        If a label is no text, number or truth value, or an attribute of an edge is none of these,
        no fraction and not None: JSON cannot say it. Or if `target` is neither a path nor an open
        file.

    Examples
    --------
    >>> import io
    >>> target = io.StringIO()
    >>> write_json(nx.DiGraph([("A", 1), ("A", 2)]), target)
    >>> print(target.getvalue(), end="")
    {"items": ["A", 1, 2],
     "edges": [["A", 1],
      ["A", 2]],
     "ties": []}
    >>> write_json(nx.DiGraph([("A", (1, 2))]), target)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a text, a number or a truth value as item, found (1, 2);
    nx.relabel_nodes(G, ...) gives other names

    Notes
    -----
    Time O(n + m). Attributes of items other than ``tie``, and those of the whole graph, are not
    written. A fraction is written as ``{"fraction": [numerator, denominator]}``, and `read_json`
    gives it back.
    """
    if not isinstance(order, nx.Graph):
        levels = levels_of(ranking_of(order, name="the order"))
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
    for u, v, data in G.edges(data=True):
        attributes = {key: plain_number(value) for key, value in data.items()}
        for key, value in attributes.items():
            is_kept = value is None or isinstance(value, Fraction) or is_value(value)
            if not isinstance(key, str) or not is_kept:
                raise PorankError(
                    "expected texts, finite numbers and truth values as attributes of edges, found "
                    f"{key!r}: {value!r} of {u!r} > {v!r}"
                )
        yield [_label(u), _label(v), *([attributes] if attributes else [])]


def _label(item: Item) -> Any:
    label = plain_number(item)
    if type(label) not in (str, int, float, bool) or not is_value(label):
        raise PorankError(
            f"expected a text, a number or a truth value as item, found {item!r}; "
            "nx.relabel_nodes(G, ...) gives other names"
        )
    return label


def _spell(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_spell_fraction)


def _spell_fraction(value: Fraction) -> dict[str, list[int]]:
    return {"fraction": [value.numerator, value.denominator]}
