"""Seeds: the same everywhere, and what is none is said to be none."""

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
    require_count,
    require_item,
    require_share,
    texts_of,
)
from porank.errors import PorankError

RANKING = {"a": 3, "b": 2, "c": 1}
USES: dict[str, Callable[[Any], Any]] = {
    "random_order": lambda seed: [po.random_order(9, dimension=2, seed=seed)],
    "random_ranking": lambda seed: [po.random_ranking(9, seed=seed)],
    "mallows": lambda seed: po.mallows(range(9), 2, dispersion=0.9, seed=seed),
    "plackett_luce": lambda seed: po.plackett_luce(RANKING, 9, seed=seed),
    "simulate_log": lambda seed: po.from_log(po.simulate_log(RANKING, 9, seed=seed)).edges,
    "kwiksort": lambda seed: [po.kwiksort([RANKING], seed=seed).order],
    "random_linear_extensions": lambda seed: list(
        po.random_linear_extensions(po.antichain(9), 2, seed=seed)
    ),
    "expected_ranks": lambda seed: po.expected_ranks(po.antichain(9), method="walk", seed=seed),
    "rank_probabilities": lambda seed: po.rank_probabilities(
        po.parse("a > b; c"), method="walk", seed=seed
    ),
}


@pytest.mark.parametrize("seed", ["x", -1, 1.5, True, random.Random(1), {}, "\u2603" * 500])
def test_what_is_no_seed(seed: Any) -> None:
    message = r"expected a whole number >= 0, a numpy\.random\.Generator or None as seed, found "
    with pytest.raises(PorankError, match=message) as caught:
        generator_of(seed)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("use", USES)
def test_equal_seeds_draw_alike(use: str) -> None:
    def said(seed: Any) -> str:
        drawn = USES[use](seed)
        return repr([list(G.edges) if isinstance(G, nx.DiGraph) else G for G in drawn])

    assert said(3) == said(np.int64(3)) == said(np.random.default_rng(3))
    with pytest.raises(PorankError, match="as seed, found 'x'"):
        USES[use]("x")


def test_a_generator_is_drawn_from() -> None:
    rng = np.random.default_rng(3)
    assert generator_of(rng) is rng
    assert generator_of(None).random() != generator_of(None).random()
    assert (
        po.random_ranking(range(50), seed=rng).edges != po.random_ranking(range(50), seed=rng).edges
    )


@pytest.mark.parametrize("item", [["a"], {"a": 1}, {"a"}, ("a", ["b"]), None])
def test_what_is_not_hashable_is_no_item_and_named(item: object) -> None:
    require_item(("a", frozenset("ab"), ""))
    with pytest.raises(PorankError, match=r"expected (a hashable|an) item, found") as caught:
        require_item(item)
    assert repr(item) in str(caught.value)


def test_a_set_is_read_in_the_same_sequence_every_time() -> None:
    assert read_items({"b", "c", "a", 3, 20}, name="items") == [20, 3, "a", "b", "c"]
    assert read_items(["b", 3, "a"], name="items") == ["b", 3, "a"]


def test_a_text_stands_for_its_letters() -> None:
    assert read_items("abc", name="the ranking") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("read", "things", "message"),
    [
        (read_items, [b"abc", 3], "expected items as size, found (b'abc'|3)"),
        (distinct_items, [["c", "b", "a", "b", "a", "b"]], "once in size, found again: 'b', 'a'$"),
        (
            require_count,
            [-1, 1.0, True, False, "3", None, np.float64(2), np.True_],
            "expected a whole number of at least 0 as size, found",
        ),
        (
            require_share,
            [-0.1, 1.1, float("nan"), "0.5", None, [0.5], np.array([0, 1])],
            "expected a number from 0 to 1 as size, found",
        ),
    ],
)
def test_other_things_are_refused(read: Any, things: list[Any], message: str) -> None:
    for thing in things:
        with pytest.raises(PorankError, match=message):
            read(thing, name="size")


@pytest.mark.parametrize(
    "items", [[1, "1"], ["{a}", frozenset("a")], [frozenset("1"), frozenset([1])]]
)
def test_items_with_the_same_text_are_named(items: list[Any]) -> None:
    with pytest.raises(PorankError, match="expected items whose texts differ, found") as caught:
        texts_of(items)
    assert all(repr(item) in str(caught.value) for item in items)


@pytest.mark.parametrize("n", [0, 7, np.int64(7), np.uint8(7)])
def test_whole_numbers_are_counts(n: Any) -> None:
    assert require_count(n) == n
    assert type(require_count(n)) is int


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5)])
def test_numbers_from_zero_to_one_are_shares(value: Any) -> None:
    assert require_share(value, "dispersion") == value


def test_texts_are_those_of_str_save_for_sets() -> None:
    items = ["", 1, 2.0, (1, "a"), frozenset({3, 1, "x"}), frozenset()]
    assert list(texts_of(items).values()) == ["", "1", "2.0", "(1, 'a')", "{1, 3, x}", "{}"]
