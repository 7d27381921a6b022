"""The orders of several files: ballots, lines of a text, or one order from each file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from porank.build.profile import Profile
from porank.commands.forms import form_of
from porank.commands.inputs import open_content, order_of_query, read_any, require_one_stdin
from porank.errors import CycleError, ParseError, PorankError
from porank.witness import shortest_cycle
from porank.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.commands.inputs import Reading
    from porank.typing import OrderLike


def read_members(paths: Sequence[str], how: Reading) -> tuple[list[OrderLike], list[int]]:
    """Return the orders of several files, and how often each occurs.

    A profile has many orders, and so has a text: one in each line that says anything. Of the other
    files each is one order.
    """
    require_one_stdin(paths)
    orders: list[OrderLike] = []
    counts: list[int] = []
    for path in paths:
        if form_of(path, how.form, option="--from") == "notation":
            lines = _read_lines(path)
            orders += lines
            counts += [1] * len(lines)
            continue
        found = read_any(path, how)
        if isinstance(found, Profile):
            orders += found.orders
            counts += found.counts
            continue
        is_graph = isinstance(found, nx.Graph)
        if is_graph and not nx.get_edge_attributes(found, "support"):
            _require_acyclic(found, path)
        orders.append(found if is_graph else order_of_query(found, path, how.query))
        counts.append(1)
    if not orders:
        raise PorankError(f"expected at least one order, found none in {listed(paths)}")
    if how.unranked == "last":
        orders = list(Profile(orders, counts).completed().orders)
    return orders, counts


def _read_lines(path: str) -> list[nx.DiGraph]:
    """Return the orders of a text, one in each line."""
    from porank.build.files.texts import LINE_END, read_text
    from porank.build.notation import parse

    text, name = read_text(open_content(path))
    orders = []
    for number, line in enumerate(LINE_END.split(text), start=1):
        try:
            order = parse(line)
        except ParseError as error:
            where = str(error).replace("line 1", f"line {number}", 1)
            raise ParseError(f"{name}, {where}") from None
        _require_acyclic(order, f"{name}, line {number}")
        if len(order):
            orders.append(order)
    return orders


def _require_acyclic(G: nx.DiGraph, where: str) -> None:
    """Raise an error that says where an order was read which has a cycle."""
    if not nx.is_directed_acyclic_graph(G):
        raise CycleError.found(shortest_cycle(G) or (), name=where)
