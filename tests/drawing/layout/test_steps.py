"""The steps of a layout, each against its definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from porank.core.graphs import read_edges
from porank.drawing.layout import crossings
from porank.drawing.layout.components import _packed
from porank.drawing.layout.coordinates import coordinates, detours, isotonic
from porank.drawing.layout.crossings import (
    _excess,
    _Sequences,
    count_crossings,
    count_inverted,
    fewest_crossings,
)
from porank.drawing.layout.levels import Rows, Strata, _balanced_levels, cut
from porank.generators.random_orders import random_order
from porank.orders.closure import transitive_reduction
from porank.orders.ranks import set_ranks
from tests import oracles_layout
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


@given(orders(max_items=7))
def test_edges_are_cut_at_every_level(G: nx.DiGraph) -> None:
    if not G:
        return
    strata, items = strata_of(G), list(G)
    level = {item: rank - 1 for item, rank in set_ranks(G).items()}
    expected = oracles_layout.pieces(transitive_reduction(G).edges, level)
    assert sorted((a[1], b[1]) for a, b in expected) == sorted(
        zip(strata.level[strata.upper].tolist(), strata.level[strata.lower].tolist(), strict=True)
    )
    for number, (u, v) in enumerate(transitive_reduction(G).edges):
        pieces = slice(strata.first[number], strata.first[number + 1])
        run = [strata.upper[pieces][0], *strata.lower[pieces].tolist()]
        assert (items[run[0]], items[run[-1]]) == (u, v)
        assert strata.level[run].tolist() == list(range(level[u], level[v] + 1))
        assert all(node >= len(items) for node in run[1:-1])
    assert len(set(strata.lower.tolist()) | set(strata.upper.tolist())) <= strata.level.size


def test_crossings_line_by_line() -> None:
    for n in (2, 150, 151, 700):
        upper, lower = np.random.default_rng(n).integers(0, n // 2 + 1, (2, n))
        expected = np.count_nonzero((upper[:, None] < upper) & (lower[:, None] > lower))
        assert count_inverted(upper, lower) == count_inverted(upper / 7, lower / 7) == expected


@given(diagrams(), st.data())
def test_excess_by_exchanging_two_nodes(diagram: tuple[Strata, Rows], data: st.DataObject) -> None:
    strata, rows = diagram
    k = data.draw(st.sampled_from(range(len(rows))))
    table = _excess(strata, rows, k)
    for i, j in combinations(range(rows[k].size), 2):
        rest = [node for p, node in enumerate(rows[k]) if p not in {i, j}]
        counts = []
        for pair in ([rows[k][i], rows[k][j]], [rows[k][j], rows[k][i]]):
            # Next to each other, the two cross nothing else more or less.
            other = [*rows[:k], np.array([*pair, *rest]), *rows[k + 1 :]]
            counts.append(count_crossings(strata, other))
        u, v = rows[k][[i, j]].tolist()
        assert table[u, v] == counts[1] - counts[0] == -table[v, u]


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
    for step in range(6):
        before = found.crossings
        if step == 3:
            found.put([rng.permutation(size).tolist() for size in strata.sizes])
        else:
            assert found.kick(rng) == (found.crossings < before)
            assert found.crossings <= before
        rows = found.arrays()
        assert [sorted(row.tolist()) for row in rows] == [list(range(k)) for k in strata.sizes]
        assert found.crossings == count_crossings(strata, rows)
        for k, table in enumerate(found._excess):
            assert table == _excess(strata, rows, k).tolist()


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
    numbers: Any = [number for number, _ in wanted]
    weights: Any = [weight for _, weight in wanted]

    def cost(fitted: list[Fraction]) -> Fraction:
        return sum(
            (w * (f - x) ** 2 for f, x, w in zip(fitted, numbers, weights, strict=True)),
            Fraction(0),
        )

    tries = []
    for cuts in range(2 ** max(len(numbers) - 1, 0)):
        ends = [k + 1 for k in range(len(numbers) - 1) if cuts >> k & 1]
        fitted: list[Fraction] = []
        for begin, end in pairwise([0, *ends, len(numbers)]):
            block = slice(begin, end)
            total = sum(w * x for x, w in zip(numbers[block], weights[block], strict=True))
            fitted += [Fraction(total, sum(weights[block]) or 1)] * (end - begin)
        if fitted == sorted(fitted):
            tries.append(fitted)
    assert isotonic(numbers, weights) == min(tries, key=cost)


@given(diagrams().filter(lambda diagram: is_connected(diagram[0])))
def test_places_keep_the_sequence_and_the_distances(diagram: tuple[Strata, Rows]) -> None:
    strata, rows = diagram
    x = coordinates(strata, rows)
    for nodes, row in zip(strata.nodes, rows, strict=True):
        for a, b in pairwise(nodes[row].tolist()):
            joints = (a >= strata.items) + (b >= strata.items)
            assert x[b] - x[a] >= [1, 0.625, 0.25][joints]


def test_no_end_is_preferred() -> None:
    order = random_order(14, dimension=2, seed=0)
    strata = strata_of(order.subgraph(max(nx.weakly_connected_components(order), key=len)).copy())
    depth = strata.level.max() - strata.level
    turned = Strata(strata.items, depth, strata.lower, strata.upper, strata.first)
    rows = fewest_crossings(strata, np.random.default_rng(0))
    assert np.array_equal(coordinates(strata, rows), coordinates(turned, rows[::-1]))


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=1, max_size=3),
        ),
        max_size=5,
    )
)
def test_parts_stand_as_close_as_they_may(drawn: list[tuple[int, list[tuple[int, int]]]]) -> None:
    parts = [(np.full(5, np.inf), np.full(5, -np.inf)) for _ in drawn]
    for (left, right), (top, extents) in zip(parts, drawn, strict=True):
        for k, (start, width) in enumerate(extents, start=top):
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


def test_balanced_levels_by_linear_programming() -> None:
    n = 40
    source, target = read_edges(random_order(n, dimension=2, seed=0))
    level = _balanced_levels(n, source, target)
    steps = np.zeros((source.size, n))
    steps[np.arange(source.size), source] += 1
    steps[np.arange(source.size), target] -= 1
    best = linprog(-steps.sum(axis=0), A_ub=steps, b_ub=-np.ones(source.size), bounds=(0, n))
    assert np.all(level[target] > level[source])
    assert (level[target] - level[source]).sum() == round(best.fun)
