"""Items and numbers at the door."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from porank.core.arguments import (
    distinct_items,
    read_items,
    require_count,
    require_item,
    require_share,
    texts_of,
)
from porank.errors import PorankError


@pytest.mark.parametrize("item", ["a", "", 0, 1.5, ("a", 1), frozenset("ab"), object()])
def test_whatever_is_hashable_is_an_item(item: object) -> None:
    require_item(item)


@pytest.mark.parametrize("item", [["a"], {"a": 1}, {"a"}, ("a", ["b"])])
def test_what_is_not_hashable_is_named(item: object) -> None:
    with pytest.raises(PorankError, match="expected a hashable item, found") as caught:
        require_item(item)
    assert repr(item) in str(caught.value)


def test_none_is_no_item() -> None:
    with pytest.raises(PorankError, match="found None, which networkx does not take"):
        require_item(None)


def test_a_set_is_read_in_the_same_sequence_every_time() -> None:
    assert read_items({"b", "c", "a", 3, 20}, name="items") == [20, 3, "a", "b", "c"]
    assert read_items(["b", 3, "a"], name="items") == ["b", 3, "a"]


def test_a_text_stands_for_its_letters_and_bytes_for_nothing() -> None:
    assert read_items("abc", name="the ranking") == ["a", "b", "c"]
    with pytest.raises(PorankError, match="expected items as the ranking, found b'abc'"):
        read_items(b"abc", name="the ranking")


def test_what_cannot_be_iterated_is_refused() -> None:
    with pytest.raises(PorankError, match="expected items as the ranking, found 3"):
        read_items(3, name="the ranking")  # type: ignore[arg-type]


def test_each_item_that_occurs_again_is_named_once() -> None:
    with pytest.raises(PorankError, match="once in the ranking, found again: 'b', 'a'"):
        distinct_items(["c", "b", "a", "b", "a", "b"], name="the ranking")


@pytest.mark.parametrize("n", [0, 7, np.int64(7), np.uint8(7)])
def test_whole_numbers_are_counts(n: Any) -> None:
    assert require_count(n) == n
    assert type(require_count(n)) is int


@pytest.mark.parametrize("n", [-1, 1.0, True, False, "3", None, np.float64(2), np.True_])
def test_other_things_are_no_counts(n: Any) -> None:
    with pytest.raises(PorankError, match="expected a whole number of at least 0 as size, found"):
        require_count(n, name="size")


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5)])
def test_numbers_from_zero_to_one_are_shares(value: Any) -> None:
    assert require_share(value, "dispersion") == value


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), "0.5", None, [0.5], np.array([0, 1])])
def test_other_things_are_no_shares(value: Any) -> None:
    with pytest.raises(PorankError, match="expected a number from 0 to 1 as dispersion, found"):
        require_share(value, "dispersion")


def test_texts_are_those_of_str_save_for_sets() -> None:
    items = ["", 1, 2.0, (1, "a"), frozenset({3, 1, "x"}), frozenset()]
    assert list(texts_of(items).values()) == ["", "1", "2.0", "(1, 'a')", "{1, 3, x}", "{}"]


@pytest.mark.parametrize(
    "items", [[1, "1"], ["{a}", frozenset("a")], [frozenset("1"), frozenset([1])]]
)
def test_items_with_the_same_text_are_named(items: list[Any]) -> None:
    with pytest.raises(PorankError, match="expected items whose texts differ, found") as caught:
        texts_of(items)
    assert all(repr(item) in str(caught.value) for item in items)
