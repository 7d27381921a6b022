"""What a log says about taste: the fitted model, the pairs that it settles, and what it leans to.

`read_taste` fits the model to the statements of a log and returns a `LogTaste`, from which the
settled order, the leaning order, the test on unseen sessions, segments and reports are made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import networkx as nx
import numpy as np

from porank.abstention.settled import closed_order, significant_counts
from porank.clicks.comparisons import compare_items
from porank.clicks.leaning_order import extend_by, leaning_strengths
from porank.clicks.taste_model import fit_taste
from porank.clicks.taste_tests import LEAST_OWN, find_contradictions, joint_tests, rests_on
from porank.convert.rankings import from_levels
from porank.core.arrays import grouped, run_starts
from porank.core.graphs import component_numbers
from porank.core.tables import Shown
from porank.orders.open_pairs import Reason, Reasons

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from numpy.typing import NDArray

    from porank.clicks.comparisons import ItemsCompared
    from porank.clicks.statements import Statements
    from porank.clicks.taste_model import TasteModel
    from porank.clicks.taste_tests import JointTests
    from porank.typing import Floats, Item, Numbers


class UnitCounts(NamedTuple):
    """For compared pairs u < v, how many units mostly prefer u to v, and how many v to u."""

    u: Numbers
    v: Numbers
    for_u: Numbers
    for_v: Numbers


@dataclass(frozen=True, eq=False, repr=False)
class LogTaste(Shown):
    """The taste model of a log.

    Attributes
    ----------
    statements : Statements
        The statements.
    compared : ItemsCompared
        The comparisons that the model is fitted to, with items numbered by their labels.
    model : TasteModel
        The model.
    risk : float
        Maximum probability that any settled pair is false.
    margin : float, optional
        Pairs whose intervals lie within it are equal enough. Half of the risk is theirs.
    """

    statements: Statements
    compared: ItemsCompared
    model: TasteModel
    risk: float
    margin: float | None = None

    @property
    def share(self) -> float:
        """The risk of the tests of all pairs."""
        return self.risk if self.margin is None else self.risk / 2

    @cached_property
    def tests(self) -> JointTests:
        """The tests of all pairs of compared items."""
        return joint_tests(self.model, risk=self.share)

    @cached_property
    def opposed(self) -> NDArray[np.bool_]:
        """N x n: the pairs whose own comparisons go against the model; they are left open."""
        return find_contradictions(self.compared.comparisons, self.model, self.share)

    @cached_property
    def items(self) -> list[Item]:
        """The items of the model, numbered by their labels."""
        return [self.statements.items[k] for k in self.compared.number.tolist()]

    @property
    def units(self) -> int:
        """Number of units that compare items."""
        return np.unique(self.compared.comparisons.unit).size

    @cached_property
    def counts(self) -> UnitCounts:
        """How many units prefer either item of each pair."""
        found, n = self.compared.comparisons, len(self.items)
        pair = found.pair
        # The cells are sorted by pair, so the units of a pair are next to each other.
        order, starts = grouped(pair, found.unit)
        net = np.sign(np.add.reduceat(np.where(found.winner < found.loser, 1, -1)[order], starts))
        of_cell = pair[order[starts]]
        first = run_starts(of_cell)
        sides = (np.add.reduceat((net == side).astype(np.int64), first) for side in (1, -1))
        return UnitCounts(*np.divmod(of_cell[first], max(n, 1)), *sides)

    @cached_property
    def significant(self) -> NDArray[np.bool_]:
        """N x n: whether row u is significantly above column v, and nothing contradicts that."""
        tests, n = self.tests, len(self.items)
        found = np.zeros((n, n), dtype=bool)
        is_found = tests.p_value <= self.share
        u, v = tests.u[is_found], tests.v[is_found]
        is_up = tests.gap[is_found] > 0
        found[np.where(is_up, u, v), np.where(is_up, v, u)] = True
        return found & ~self.opposed

    def order(self) -> nx.DiGraph:
        """Return the settled order of all items of the log, with the evidence on its edges."""
        order = self.bare_order()
        self._write_evidence(order)
        self._write_reasons(order)
        order.graph.update(
            risk=self.risk,
            unit=self.statements.unit,
            units=self.units,
            fixed=self.statements.fixed,
            compared=self.counts.u.size,
            contradicted=self._named(np.triu(self.opposed)),
            perhaps_place=self.perhaps_place(order),
            counts=self.statements.log.counts,
            problems=self.statements.problems,
        )
        return order

    def bare_order(self) -> nx.DiGraph:
        """Return the settled order without evidence, and without reasons for open pairs."""
        return closed_order(self.statements.items, list(self._kept_pairs()))[0]

    def _kept_pairs(self) -> Iterator[tuple[Item, Item]]:
        """Yield the significant pairs, without the least clear ones that imply an opposed pair."""
        above = self.significant.copy()
        n = len(self.items)
        clearness = np.zeros((n, n))
        clearness[self.tests.u, self.tests.v] = np.abs(self.tests.statistic)
        clearness += clearness.T
        if self.opposed.any():
            graph = nx.from_numpy_array(above, create_using=nx.DiGraph)
            for u, v in np.argwhere(self.opposed).tolist():
                while nx.has_path(graph, u, v):
                    path = nx.shortest_path(graph, u, v)
                    edges = pairwise(path)
                    weakest = min(edges, key=lambda edge: clearness[edge])
                    graph.remove_edge(*weakest)
                    above[weakest] = False
        yield from self._named(above)

    def _named(self, matrix: NDArray[np.bool_]) -> list[tuple[Item, Item]]:
        """Return the pairs of a matrix of items."""
        return [(self.items[u], self.items[v]) for u, v in np.argwhere(matrix).tolist()]

    def _write_evidence(self, order: nx.DiGraph) -> None:
        """Write the counts, the gap with its interval and the p-value of each pair to its edge."""
        tests = self.tests
        number = {item: place for place, item in enumerate(self.items)}
        edges = [(number[u], number[v], data) for u in order for v, data in order._succ[u].items()]
        u, v = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2).T
        # Pairs u < v are in rows: those of u begin after the sum of n - 1, n - 2, ..., n - u.
        low, high = np.minimum(u, v), np.maximum(u, v)
        row = low * (2 * len(self.items) - low - 1) // 2 + high - low - 1
        gap, margin = np.where(u < v, 1, -1) * tests.gap[row], tests.bound * tests.error[row]
        columns = (*self.sides[:, u, v], gap, gap - margin, gap + margin, tests.p_value[row])
        names = ("support", "against", "gap", "low", "high", "p_value")
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for (*_, data), values in zip(edges, rows, strict=True):
            data.update(zip(names, values, strict=True))
        stated = np.array([not data["added"] for *_, data in edges], dtype=bool)
        units = rests_on(self.model, tests, row[stated])
        if units is not None:
            for place, many in zip(np.flatnonzero(stated).tolist(), units.tolist(), strict=True):
                edges[place][2]["rests_on"] = many

    @cached_property
    def sides(self) -> NDArray[np.int64]:
        """2 x n x n: how many units prefer row u to column v, and how many v to u."""
        found = np.zeros((2, *self.opposed.shape), dtype=np.int64)
        found[:, self.counts.u, self.counts.v] = self.counts.for_u, self.counts.for_v
        found[:, self.counts.v, self.counts.u] = self.counts.for_v, self.counts.for_u
        return found

    def _write_reasons(self, order: nx.DiGraph) -> None:
        """Write why pairs are open, if they are and a chain of comparisons joins their items.

        A gap stays the same with more units, and its statistic grows with the root of their number.
        So a pair needs about units x ((bound / statistic)^2 - 1) more.
        """
        tests, margin = self.tests, self.margin
        u, v, reason = tests.u, tests.v, tests.reason.copy()
        support, against = self.sides[:, u, v]
        reason[(support + against == 0) & (reason == Reason.RARE)] = Reason.NEVER
        if (self.compared.places >= 0).any():
            # If many compare a pair and its gap is not known, places may explain all of it.
            reason[(support + against >= LEAST_OWN) & (reason == Reason.RARE)] = Reason.ARRANGED
        if margin is not None:
            is_equal = np.abs(tests.gap) + tests.bound * tests.error <= margin
            reason[is_equal & (reason == Reason.CHANCE)] = Reason.EQUAL
        # Significant pairs that are left open imply one that is opposed.
        reason[self.opposed[u, v] | (tests.p_value <= self.share)] = Reason.OPPOSED
        with np.errstate(divide="ignore"):
            times = (tests.bound / tests.statistic) ** 2 - 1
            if margin is not None:
                # The interval, gap +- bound x error, narrows with the root of the units, too.
                room = (margin - np.abs(tests.gap)).clip(0)
                times = np.minimum(times, (tests.bound * tests.error / room) ** 2 - 1)
        lacking = np.maximum(1, np.ceil(times * self.units))
        lacking[reason != Reason.CHANCE] = np.nan
        place = {item: k for k, item in enumerate(order)}
        number = np.array([place[item] for item in self.items], dtype=np.int64)
        # Of items that no chain of comparisons joins, nothing is known, whatever the prior says.
        part = component_numbers(number.size, *self.counts[:2])
        some = part[u] == part[v]
        columns = (number[u], number[v], reason, support, against, tests.gap, lacking)
        first, second, reason, *sides, lead, lacking = (column[some] for column in columns)
        Reasons.write(order, (first, second), reason, sides, lead=lead, lacking=lacking)

    def perhaps_place(self, order: nx.DiGraph) -> list[tuple[Item, Item]]:
        """Return the pairs that only raw counts of units settle, and that may be due to place."""
        u, v, for_u, for_v = self.counts
        is_found = significant_counts(for_u, for_v, self.share) & ~self.opposed[u, v]
        is_found &= bool((self.compared.places >= 0).any())
        first, second = np.where(for_u > for_v, (u, v), (v, u))[:, is_found].tolist()
        pairs = ((self.items[a], self.items[b]) for a, b in zip(first, second, strict=True))
        return [pair for pair in pairs if not order.has_edge(*pair)]

    @cached_property
    def leaning(self) -> dict[Item, float]:
        """Item -> the strength by which the log leans, for each item of the log, best first.

        For clicks, the strength in the model click ~ item + place; for ratings and battles, that
        of the taste model. Items that nothing was learnt about are missing.
        """
        found = self._strengths_of_clicks()
        if found is None:
            found = dict(zip(self.items, self.model.strength.tolist(), strict=True))
        # Items with equal data are equal, although their sums differ by rounding.
        return dict(sorted(((u, round(s, 9)) for u, s in found.items()), key=lambda pair: -pair[1]))

    def _strengths_of_clicks(self) -> dict[Item, float] | None:
        """Return the leaning strengths of a log of clicks and views; None for another log."""
        table = click_table(self.statements)
        if table is None:
            return None
        _, views, clicks = table
        viewed = np.flatnonzero(views.sum(axis=1))
        strength = leaning_strengths(views[viewed], clicks[viewed]).tolist()
        return {self.statements.items[k]: s for k, s in zip(viewed.tolist(), strength, strict=True)}

    def leaning_order(self, order: nx.DiGraph, items: Container[Item]) -> nx.DiGraph:
        """Return the order of some items that the log leans to, with the settled pairs first."""
        levels = ([item for item in level if item in items] for level in self.leaning_levels(order))
        found = from_levels([level for level in levels if level])
        found.graph["strength"] = {item: self.leaning[item] for item in found}
        return found

    def leaning_levels(self, order: nx.DiGraph) -> list[list[Item]]:
        """Return the items in levels, best first, by strength but with the settled pairs first."""
        return extend_by(order.subgraph(self.leaning), self.leaning)


class ClickTable(NamedTuple):
    """The numbers of views and of clicks, items x places, and the position of each place."""

    position: Numbers
    views: Floats
    clicks: Floats


def click_table(statements: Statements) -> ClickTable | None:
    """Return the numbers of views and clicks, items x places, in a log of clicks.

    None for ratings, battles, and logs without views or without clicks.
    """
    n = len(statements.items)
    cells, clicked = [], []
    for sessions in statements.log.sessions():
        if "event" not in sessions.rows:
            return None
        item = statements.numbers_of(sessions)
        kept = (item < n) & statements.keeps(sessions)
        cells.append(np.stack([item, sessions.place])[:, kept])
        clicked.append(sessions.clicked[kept])
    item, place = np.concatenate(cells, axis=1) if cells else np.zeros((2, 0), dtype=np.int64)
    click = np.concatenate(clicked) if clicked else np.zeros(0, dtype=bool)
    if click.all() or not click.any():
        return None
    values, place = np.unique(place, return_inverse=True)
    shape = n, values.size
    views, clicks = (
        np.bincount(item * values.size + place, weights, n * values.size)
        .reshape(shape)
        .astype(np.float64)
        for weights in (np.ones(click.size), click)
    )
    return ClickTable(values, views, clicks)


def click_rates(statements: Statements) -> tuple[Numbers, Floats] | None:
    """Return the known positions of a log of clicks, and the share of clicks among their views."""
    table = click_table(statements)
    if table is None:
        return None
    known = table.position >= 0
    rates = table.clicks.sum(axis=0) / table.views.sum(axis=0)
    return table.position[known], rates[known]


def read_taste(
    statements: Statements, *, risk: float = 0.05, margin: float | None = None
) -> LogTaste:
    """Return the taste model of the statements of a log; pairs are tested when that is read."""
    compared = compare_items(statements)
    return LogTaste(statements, compared, fit_taste(compared.comparisons), risk, margin)


class PlaceCurve(NamedTuple):
    """How places change what is chosen, for items that are liked equally.

    Attributes
    ----------
    position : array of int
        The first position of each place; deep ones stand for several positions.
    log_odds, error : array of float
        Log-odds of a choice there against the first place, and their standard errors by unit.
    """

    position: Numbers
    log_odds: Floats
    error: Floats


def place_curve(taste: LogTaste) -> PlaceCurve:
    """Return the terms of known places, averaged over pages and times by what is compared.

    With weights w of the blocks of place k, its log-odds are sum of w (b[k] - b[first]) - c (k -
    first), because items of strength 0 count exp(0) = 1 if they stand above.
    """
    model, found = taste.model, taste.compared.comparisons
    places, n = taste.compared.places, found.n
    spots = np.bincount(np.append(found.at, found.other_at), minlength=found.spots)
    counts = spots.reshape(-1, places.size)
    known = np.flatnonzero((places >= 0) & counts.any(axis=0))
    if not known.size:
        return PlaceCurve(places[known], np.zeros(0), np.zeros(0))
    weight = counts / np.maximum(counts.sum(axis=0), 1)
    contrasts = np.zeros((known.size, *counts.shape))
    for row, k in enumerate(known.tolist()):
        contrasts[row, :, k] += weight[:, k]
        contrasts[row, :, known[0]] -= weight[:, k]
    above = places[known] - places[known[0]]
    contrast = np.column_stack([contrasts.reshape(known.size, -1), -above])
    influence = model.score @ (model.inverse[:, n:] @ contrast.T)
    error = np.sqrt((influence**2).sum(axis=0))
    log_odds = contrast @ np.append(model.place, model.rivals)
    return PlaceCurve(places[known], log_odds, error)
