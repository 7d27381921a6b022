"""What functions are given: seeds, items, counts, shares."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.core.arguments import (
    distinct_items,
    generator_of,
    read_items,
    require_amount,
    require_count,
    require_flag,
    require_item,
    require_level,
    require_one_of,
    require_share,
    texts_of,
)

RANKING = {"a": 3, "b": 2, "c": 1}
USES: list[Callable[[Any], Any]] = [
    lambda seed: [po.random_order(9, dimension=2, seed=seed)],
    lambda seed: [po.random_ranking(9, seed=seed)],
    lambda seed: po.mallows(range(9), 2, dispersion=0.9, seed=seed),
    lambda seed: po.plackett_luce(RANKING, 9, seed=seed),
    lambda seed: po.from_log(po.simulate_log(RANKING, 9, seed=seed)).edges,
    lambda seed: [po.kwiksort([RANKING], seed=seed).order],
    lambda seed: list(po.random_linear_extensions(po.antichain(9), 2, seed=seed)),
    lambda seed: po.expected_ranks(po.antichain(9), method="walk", seed=seed),
    lambda seed: po.rank_probabilities(po.parse("a > b; c"), method="walk", seed=seed),
]


@pytest.mark.parametrize("use", USES)
def test_equal_seeds_draw_alike(use: Callable[[Any], Any]) -> None:
    def said(seed: Any) -> str:
        return repr([list(G.edges) if isinstance(G, nx.DiGraph) else G for G in use(seed)])

    assert said(3) == said(np.int64(3)) == said(np.random.default_rng(3))
    with pytest.raises(po.PorankError, match="as seed, found 'x'"):
        use("x")


def test_a_generator_is_drawn_from() -> None:
    rng = np.random.default_rng(3)
    assert generator_of(rng) is rng
    assert generator_of(None).random() != generator_of(None).random()


def test_sets_and_texts_have_a_sequence() -> None:
    require_item(("a", frozenset("ab"), ""))
    assert read_items({"b", "c", "a", 3, 20}, name="items") == [20, 3, "a", "b", "c"]
    assert read_items(["b", 3, "a"], name="items") == ["b", 3, "a"]
    assert read_items("abc", name="the ranking") == ["a", "b", "c"]


def test_numbers_are_counts_and_shares() -> None:
    for n in (0, 7, np.int64(7), np.uint8(7)):
        assert require_count(n) == n
        assert type(require_count(n)) is int
    for value in (0, 1, 0.5, np.float32(0.5)):
        assert require_share(value, "dispersion") == require_amount(value, name="size") == value
    assert require_level(0.9) == pytest.approx(0.05)
    assert require_flag(np.True_, name="exact") is True


def test_texts_are_those_of_str_save_for_sets() -> None:
    items = ["", 1, 2.0, (1, "a"), frozenset({3, 1, "x"}), frozenset()]
    assert list(texts_of(items).values()) == ["", "1", "2.0", "(1, 'a')", "{1, 3, x}", "{}"]


NOTHING, NUMBERS = float("nan"), np.array([0, 1])


@pytest.mark.parametrize(
    ("read", "things", "message"),
    [
        (generator_of, ["x", -1, 1.5, True, random.Random(1), {}, "\u2603" * 500], "as seed"),
        (require_item, [["a"], {"a": 1}, {"a"}, ("a", ["b"])], "a hashable item"),
        (require_item, [None], "an item, found None"),
        (lambda x: read_items(x, name="size"), [b"abc", 3], "items as size"),
        (lambda x: distinct_items(x, name="size"), [[*"cbabab"]], "size, found again: 'b', 'a'$"),
        (require_count, [-1, 1.0, True, "3", None, np.float64(2), np.True_], "at least 0"),
        (
            lambda x: require_share(x, name="size"),
            [-0.1, 1.1, NOTHING, "0.5", None, [0.5], NUMBERS],
            "from 0 to 1 as size",
        ),
        (lambda x: require_amount(x, name="size"), [-1, NOTHING, "1", True, None], ">= 0 as size"),
        (require_level, [0, 1, NOTHING, "0.5", None], "level to lie between 0 and 1"),
        (lambda x: require_one_of(x, ["a", "b"], name="how"), ["c", None, ["a"]], "how to be one"),
        (lambda x: require_flag(x, name="exact"), [0, 1, "yes", None], "exact to be True or False"),
        (
            texts_of,
            [[1, "1"], ["{a}", frozenset("a")], [frozenset("1"), frozenset([1])]],
            "texts differ",
        ),
    ],
)
def test_what_is_refused(read: Any, things: list[Any], message: str) -> None:
    for thing in things:
        with pytest.raises(po.PorankError, match=message) as caught:
            read(thing)
        assert len(str(caught.value)) < 250
        if read is texts_of:
            assert all(repr(item) in str(caught.value) for item in thing)
