"""The orders of several files: ballots, lines of a text, or one order from each file."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.commands.forms import form_of
from porank.commands.inputs import (
    calling_as_shown,
    open_content,
    order_of_query,
    read_any,
    require_one_stdin,
    shown,
)
from porank.commands.ranked import Ranked
from porank.convert.profiles import Profile
from porank.core.graphs import shortest_cycle
from porank.errors import CycleError, ItemMismatchError, ParseError, PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from porank.commands.inputs import Reading
    from porank.typing import OrderLike


class Members(NamedTuple):
    """Orders, how often each occurs, and where each was read."""

    orders: list[OrderLike]
    counts: list[int]
    places: list[str]

    def add(self, order: OrderLike, place: str, *, count: int = 1) -> None:
        """Add an order."""
        self.orders.append(order)
        self.counts.append(count)
        self.places.append(place)

    @contextmanager
    def called_by_file(self) -> Iterator[None]:
        """Let errors that differing items or a cycle cause say where an order was read."""
        try:
            yield
        except ItemMismatchError as error:
            raise ItemMismatchError.found(
                error.only_target,
                error.only_predicted,
                names=(self.places[0], self._place_of_others()),
                way_out="--unranked last puts what is missing last",
            ) from None
        except CycleError as error:
            raise CycleError.found(error.cycle, name=self._place_of_cycle()) from None

    def _place_of_others(self) -> str:
        """Return where the first order stands whose items are not those of the very first."""
        items = set(self.orders[0])
        return next(place for place, order in self._placed() if set(order) != items)

    def _place_of_cycle(self) -> str:
        """Return where the first order with a cycle stands; empty if none has one as it is."""
        graphs = (pair for pair in self._placed() if isinstance(pair[1], nx.Graph))
        return next((place for place, G in graphs if not nx.is_directed_acyclic_graph(G)), "")

    def _placed(self) -> Iterator[tuple[str, Any]]:
        return zip(self.places, self.orders, strict=True)


def read_members(paths: Sequence[str], how: Reading) -> Members:
    """Return the orders of several files, how often each occurs, and where each was read.

    A profile has many orders, and so has a text: one in each line that says anything. Of the other
    files each is one order.
    """
    require_one_stdin(paths)
    members = Members([], [], [])
    for path in paths:
        if form_of(path, how.form, option="--from") == "notation":
            for place, order in _read_lines(path):
                members.add(order, place)
            continue
        found, name = read_any(path, how), shown(path)
        if isinstance(found, Profile):
            for number, order in enumerate(found.orders, start=1):
                place = f"{name}, order {number}"
                members.add(order, place, count=found.counts[number - 1])
            continue
        if isinstance(found, nx.Graph) and not nx.get_edge_attributes(found, "support"):
            _require_acyclic(found, name)
        is_order = isinstance(found, (nx.Graph, Ranked))
        members.add(found if is_order else order_of_query(found, path, how.query), name)
    if not members.orders:
        raise PorankError(f"expected at least one order, found none in {_shown(paths)}")
    if how.unranked == "last":
        profile = Profile(members.orders, members.counts)
        return members._replace(orders=list(profile.completed().orders))
    return members


def _shown(paths: Sequence[str]) -> str:
    if set(paths) == {"-"}:
        return shown("-")
    return listed(map(shown, paths))


def _read_lines(path: str) -> list[tuple[str, nx.DiGraph]]:
    """Return the orders of a text, one in each line, and where each was read."""
    from porank.convert.notation import parse
    from porank.core.files import LINE_END, read_text

    content, name = open_content(path), shown(path)
    with calling_as_shown(content):
        text, _ = read_text(content)
    orders = []
    for number, line in enumerate(LINE_END.split(text), start=1):
        try:
            order = parse(line)
        except ParseError as error:
            where = str(error).replace("line 1", f"line {number}", 1)
            raise ParseError(f"{name}, {where}") from None
        place = f"{name}, line {number}"
        _require_acyclic(order, place)
        if len(order):
            orders.append((place, order))
    return orders


def _require_acyclic(G: nx.DiGraph, where: str) -> None:
    """Raise an error that says where an order was read which has a cycle."""
    if not nx.is_directed_acyclic_graph(G):
        raise CycleError.found(shortest_cycle(G) or (), name=where)
