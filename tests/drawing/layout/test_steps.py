"""The steps of a layout, each against its definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.core.graphs import read_edges
from porank.drawing.layout import crossings
from porank.drawing.layout.components import _packed, _twins
from porank.drawing.layout.coordinates import coordinates, detours, isotonic
from porank.drawing.layout.crossings import (
    _excess,
    _Sequences,
    count_crossings,
    fewest_crossings,
)
from porank.drawing.layout.levels import Rows, Strata, cut
from porank.generators.random_orders import random_order
from porank.orders.closure import transitive_reduction
from porank.orders.ranks import set_ranks
from tests.strategies import orders


def strata_of(G: nx.DiGraph) -> Strata:
    """The diagram of an order on its ranks, items numbered as inserted."""
    source, target = read_edges(transitive_reduction(G))
    return cut(np.array(list(set_ranks(G).values()), dtype=np.int64) - 1, source, target)


def is_connected(strata: Strata) -> bool:
    pieces = zip(strata.upper.tolist(), strata.lower.tolist(), strict=True)
    joined = nx.Graph(list(pieces))
    return len(joined) == strata.level.size and nx.is_connected(joined)


@st.composite
def diagrams(draw: st.DrawFn) -> tuple[Strata, Rows]:
    """A diagram of at least two items and any sequence of its levels."""
    strata = strata_of(draw(orders(max_items=8).filter(lambda G: len(G) > 1)))
    return strata, [np.array(draw(st.permutations(range(size)))) for size in strata.sizes]


@given(diagrams())
def test_sifting_makes_nothing_worse_and_after_it_no_single_move_helps(
    diagram: tuple[Strata, Rows],
) -> None:
    strata, given_rows = diagram
    before = [row.tolist() for row in given_rows]
    rows = _Sequences(strata, given_rows).arrays()
    assert [row.tolist() for row in given_rows] == before
    least = count_crossings(strata, rows)
    assert least <= count_crossings(strata, given_rows)
    for k, row in enumerate(rows):
        assert sorted(row.tolist()) == list(range(strata.sizes[k]))
        for node in row.tolist():
            others = [other for other in row.tolist() if other != node]
            for p in range(len(row)):
                moved = np.array([*others[:p], node, *others[p:]])
                assert count_crossings(strata, [*rows[:k], moved, *rows[k + 1 :]]) >= least


@given(diagrams(), st.integers(0, 100))
def test_what_exchanges_save_is_kept_up_to_date(diagram: tuple[Strata, Rows], seed: int) -> None:
    strata, rows = diagram
    found, rng = _Sequences(strata, rows), np.random.default_rng(seed)
    for step in range(4):
        before = found.crossings
        if step == 2:
            found.put([rng.permutation(size).tolist() for size in strata.sizes])
        else:
            assert found.kick(rng) == (found.crossings < before)
            assert found.crossings <= before
        rows = found.arrays()
        assert found.crossings == count_crossings(strata, rows)
        tables = [_excess(strata, rows, k).tolist() for k in range(len(rows))]
        assert list(found._excess) == tables


def test_disturbing_ends_after_so_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    strata = strata_of(random_order(30, dimension=2, seed=2))
    counts = []
    for work in [0, 20_000, 10**9]:
        monkeypatch.setattr(crossings, "_MOST_WORK", work)
        monkeypatch.setattr(crossings, "_MOST_WORK_A_PIECE", 0)
        rows = fewest_crossings(strata, np.random.default_rng(0))
        counts.append(count_crossings(strata, rows))
    assert counts[0] > counts[1] > counts[2]


@given(st.lists(st.tuples(st.fractions(-5, 5, max_denominator=4), st.integers(1, 3)), max_size=6))
def test_isotonic_by_trying_all_blocks(wanted: list[tuple[Fraction, int]]) -> None:
    tries = []
    for is_cut in product([False, True], repeat=max(len(wanted) - 1, 0)):
        ends = [0, *(k for k, cut_here in enumerate(is_cut, start=1) if cut_here), len(wanted)]
        fitted: list[Fraction] = []
        for block in (wanted[begin:end] for begin, end in pairwise(ends)):
            weight = sum(w for _, w in block)
            fitted += [sum((x * w for x, w in block), Fraction(0)) / (weight or 1)] * len(block)
        loss = sum(w * (f - x) ** 2 for f, (x, w) in zip(fitted, wanted, strict=True))
        tries += [(loss, fitted)] if fitted == sorted(fitted) else []
    numbers: Any = [number for number, _ in wanted]
    weights: Any = [weight for _, weight in wanted]
    assert isotonic(numbers, weights) == min(tries)[1]


@given(diagrams().filter(lambda diagram: is_connected(diagram[0])))
def test_places_keep_the_sequence_and_the_distances(diagram: tuple[Strata, Rows]) -> None:
    strata, rows = diagram
    x = coordinates(strata, rows)
    for nodes, row in zip(strata.nodes, rows, strict=True):
        for a, b in pairwise(nodes[row].tolist()):
            joints = (a >= strata.items) + (b >= strata.items)
            assert x[b] - x[a] >= [1, 0.625, 0.25][joints]


SPANS = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=1, max_size=3)


@given(st.lists(st.tuples(st.integers(0, 2), SPANS), max_size=5))
def test_parts_stand_as_close_as_they_may(drawn: list[tuple[int, list[tuple[int, int]]]]) -> None:
    parts = [(np.full(5, np.inf), np.full(5, -np.inf)) for _ in drawn]
    for (left, right), (top, spans) in zip(parts, drawn, strict=True):
        for k, (start, width) in enumerate(spans, start=top):
            left[k], right[k] = start, start + width
    moves = _packed(parts)
    for i, (left, _) in enumerate(parts):
        others = zip(parts[:i], moves, strict=False)
        rooms = [float((left + moves[i] - right - move).min()) for (_, right), move in others]
        assert min(rooms, default=np.inf) in (1, np.inf)


def test_lines_that_leave_an_item_on_one_side_bend_alike() -> None:
    # From 1 and from 3 to 6: the flatter one bends, and would cross the other near its end.
    strata = cut(np.array([0, 0, 0, 0, 1, 1]), np.array([1, 3]), np.array([5, 5]))
    places = np.array([0.0, 1.0, 2.0, 3.0, 3.0, 6.0])
    bends = detours(strata, [np.arange(4), np.arange(2)], places)
    assert not np.isnan(bends).any()
    assert bends[0, 1] < bends[1, 1] < 0


def test_items_on_different_levels_are_no_twins() -> None:
    """An edge of one level and an edge of two levels may not exchange their ends."""
    ends = np.array([0, 1]), np.array([2, 2])
    assert _twins(np.array([1, 0, 2]), *ends) == [[0], [1], [2]]
    assert _twins(np.array([0, 0, 2]), *ends) == [[0, 1], [2]]
