"""The comparison of two orders as drawn: every class where it belongs, counted in the legend."""

from bisect import bisect
from collections import Counter
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex

import porank as po
from porank.drawing.style import ALARM
from porank.errors import counted
from tests.support.drawn import (
    NAMED_ORDERS,
    bare,
    blank,
    by_gid,
    entered,
    entries,
    lightness,
    one,
    texts_by_gid,
)

CLASSES = ("concordant", "predicted_only", "target_only", "discordant")


def lines(ax: Any, kind: str) -> set[frozenset[Any]]:
    """The ends of the lines of a class."""
    paths = [np.asarray(path.vertices) for path in one(ax, kind).get_paths()]
    return {frozenset([tuple(path[0].round(9)), tuple(path[-1].round(9))]) for path in paths}


def covers(G: nx.DiGraph) -> set[frozenset[Any]]:
    return set(map(frozenset, po.transitive_reduction(G).edges))


random_orders = st.builds(
    lambda seed, share: po.random_order(6, edge_probability=share, seed=seed),
    st.integers(0, 10**6),
    st.sampled_from([0.2, 0.5, 0.9]),
)


@settings(max_examples=4)
@given(random_orders, random_orders)
def test_each_cover_of_either_has_a_line_in_its_class(
    target: nx.DiGraph, predicted: nx.DiGraph
) -> None:
    ax = po.draw_comparison(target, predicted, ax=blank(12, 10))
    place: Any = {int(text.get_text()): text.get_position() for text in by_gid(ax, "item")}
    heights = {item: y for item, (_, y) in po.hasse_layout(target).items()}
    assert {item: y for item, (_, y) in place.items()} == heights
    wanted: dict[str, set[Any]] = {kind: set() for kind in CLASSES}
    for u, v, kind in po.pair_classes(target, predicted):
        if {u, v} in covers(target) | covers(predicted):
            wanted[kind].add(frozenset(tuple(np.round(place[item], 9)) for item in (u, v)))
    assert {kind: lines(ax, kind) for kind in CLASSES} == wanted
    # The legend has what differs first, and counts lines, and pairs in brackets.
    table = po.pair_table(target, predicted)
    many = [
        f"{counted(len(wanted[kind]), 'line')} ({counted(getattr(table, kind), 'pair')})"
        for kind in CLASSES[::-1]
    ]
    texts = [text.split(": ")[1] for text in entries(ax)]
    assert texts == [*many, f"no line ({counted(table.neither, 'pair')})"]


def test_names_that_do_not_fit_are_beside_dots() -> None:
    target, predicted = (po.random_order(5, dimension=2, seed=seed) for seed in (1, 2))
    names = {item: f"the item {item}" for item in target}
    ax = po.draw_comparison(target, predicted, names=names, ax=blank(2.5, 2))
    assert len(one(ax, "item").get_offsets()) == 5
    assert set(texts_by_gid(ax, "name")) <= set(names.values())
    drawn = [line for kind in CLASSES for line in lines(ax, kind)]
    assert len(drawn) >= len(covers(target))


@pytest.mark.parametrize("size", [None, (2.5, 2)])
def test_where_there_are_many_lines_ranks_are_drawn(size: Any) -> None:
    n = 40
    target, predicted = (po.random_order(n, dimension=2, seed=seed) for seed in (1, 3))
    names = {item: f"the {item}" for item in target}
    ax: Any = po.draw_comparison(target, predicted, names=names, ax=size and blank(*size))
    assert size or ax.figure.get_size_inches().tolist() == [6.3, 6.6]
    guess, table = po.rank_intervals(predicted), po.pair_table(target, predicted)
    against = [(u, v) for u, v, kind in po.pair_classes(target, predicted) if kind == "discordant"]
    often = Counter(chain.from_iterable(against))
    most, truth = max(often.values()), po.rank_intervals(target)
    starts = [0, 1, most // 3 + 1, 2 * most // 3 + 1]
    dots, bars = one(ax, "item"), one(ax, "interval")
    looks = [*zip(dots.get_sizes(), map(to_hex, dots.get_facecolors()), strict=True)]
    grades = [*dict.fromkeys(looks)]
    sides = zip(dots.get_offsets(), bars.get_paths(), looks, strict=True)
    assert Counter(
        (*dot.tolist(), *bar.vertices[:, 1].tolist(), grades.index(look))
        for dot, bar, look in sides
    ) == Counter(
        (sum(truth[item]) / 2, sum(own) / 2, *own, bisect(starts, often[item]) - 1)
        for item, own in guess.items()
    )
    # The more contradicted pairs, the darker and larger the dot, above the others.
    shades = [lightness(color) for _, color in grades[1:]]
    assert shades == sorted(set(shades), reverse=True)
    assert (grades, grades[-1][1]) == (sorted(grades), ALARM)
    ends = zip(starts, [*starts[1:], most + 1], map(looks.count, grades), strict=True)
    rows = [f"{a}–{b - 1} ({counted(many, 'item')})".replace("0–0", "0") for a, b, many in ends]
    legend = [f"contradicted pairs: {row}" for row in rows[::-1]]
    legend += ["equal ranks", "possible ranks"]
    named = len(texts_by_gid(ax, "name"))
    assert size or entries(ax) == [*[f"named: {named} of {n}"][: n - named], *legend]
    assert size or ax.get_legend().get_window_extent().y1 < ax.transData.transform((1, n))[1]
    title = (
        f"{table.discordant:,} contradicted, {table.target_only:,} missing, "
        f"{table.predicted_only:,} added, {table.concordant:,} agreed, {table.neither:,} neither"
    )
    assert ax.get_title().replace("\n", " ").endswith(title)
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    assert set(texts_by_gid(ax, "name")) <= set(names.values())
    assert size or len(texts_by_gid(ax, "name")) > 20
    assert by_gid(ax, "discordant") == []


@pytest.mark.parametrize(("swaps", "texts"), [(0, ["0 (60 items)"]), (1, ["1 (2 items)", "0 (58"])])
def test_grades_of_few_contradicted_pairs_are_numbers(swaps: int, texts: list[str]) -> None:
    items = list(range(60))
    turned = [*items[swaps::-1], *items[swaps + 1 :]]
    ax = po.draw_comparison(po.from_ranking(items), po.from_ranking(turned))
    found = [text for text in entries(ax) if text.startswith("contradicted")]
    assert len(found) == len(texts)
    assert all(a.startswith(f"contradicted pairs: {b}") for a, b in zip(found, texts, strict=True))


def test_in_a_column_the_lines_of_ranks_are_not_in_the_legend() -> None:
    orders = [po.random_order(40, dimension=2, seed=seed) for seed in (1, 3)]
    ax = po.draw_comparison(*orders, width="column")
    assert entries(ax)[0] == f"named: {len(texts_by_gid(ax, 'name'))} of 40"
    assert len(entries(ax)) == 5


def test_many_lines_in_little_room_are_thin() -> None:
    G = po.from_levels([range(5), range(5, 12)])
    drawn = [po.draw_comparison(G, G, ax=blank(side, side)) for side in (2, 6)]
    small, large = (one(ax, "concordant").get_linewidths()[0] for ax in drawn)
    assert small < large < 1


def test_from_51_lines_on_ranks_are_drawn() -> None:
    pairs = [(f"a{k}", f"b{m}") for k in range(5) for m in range(10)]
    few, many = po.from_pairs(pairs), po.from_pairs([*pairs, ("b0", "c")])
    assert by_gid(po.draw_comparison(few, few), "interval") == []
    assert by_gid(po.draw_comparison(many, many), "interval")


def test_arrows_point_as_predicted_whichever_way_the_lines_lead() -> None:
    ax = po.draw_comparison(po.parse("a > b; c"), po.parse("b > a; a > c"), ax=bare())
    place = {text.get_text(): text.get_position() for text in by_gid(ax, "item")}
    heads = [path.vertices for heads in by_gid(ax, "arrow") for path in heads.get_paths()]
    # Items a and c are beside each other; a is above b.
    for (tip, base, *_), (u, v), k in zip(heads, (("a", "c"), ("b", "a")), (0, 1), strict=True):
        assert np.sign(tip[k] - base[k]) == np.sign(place[v][k] - place[u][k])


def test_both_orders_have_the_same_items() -> None:
    with pytest.raises(po.errors.ItemMismatchError):
        po.draw_comparison(po.parse("a > b"), po.parse("a > d"))


@pytest.mark.slow
@settings(max_examples=6)
@given(NAMED_ORDERS, st.integers(0, 99))
def test_no_line_of_a_comparison_does(G: nx.DiGraph, seed: int) -> None:
    items, other = list(G), po.random_order(len(G), dimension=2, seed=seed)
    predicted = nx.relabel_nodes(other, dict(enumerate(items)))
    assert entered(po.draw_comparison(G, predicted, ax=bare(12))) == []
