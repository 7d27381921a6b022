"""The page that sorts items by asking, clicked through in a browser to the end."""

from __future__ import annotations

import io
from collections.abc import Callable
from math import ceil, log2
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import porank as po

NAMES = ["tea", "a > b", "żółć", "<i>", "milk", "mate", "cocoa", "water", "juice"]


@pytest.fixture
def show(opened: Callable[[Path], Any], tmp_path: Path) -> Callable[[list[Any]], Any]:
    """Return what opens the page of some items."""

    def write(items: list[Any]) -> Any:
        po.write_voting_page(items, tmp_path / "vote.html", title="A vote")
        return opened(tmp_path / "vote.html")

    return write


def shown(page: Any) -> list[str]:
    """The two items in question; none at the end."""
    choices = page.find_elements("css selector", "#asked:not([hidden]) .choice")
    return [choice.text for choice in choices]


def press(page: Any, sign: str) -> None:
    page.find_element("css selector", f"[data-sign='{sign}']").click()


def saved(page: Any) -> Any:
    """The order that the page saves."""
    link = page.find_element("id", "save").get_attribute("href")
    return po.parse(unquote(link.partition(",")[2]))


@pytest.mark.browser
def test_clicks_lead_to_the_ranking_that_one_has_in_mind(show: Any) -> None:
    level = {name: place // 2 for place, name in enumerate(NAMES)}
    page, asked = show(NAMES), 0
    while pair := shown(page):
        u, v = map(level.__getitem__, pair)
        press(page, ">" if u < v else "<" if u > v else "~")
        asked += 1
    assert asked <= sum(ceil(log2(k)) for k in range(2, len(NAMES) + 1))
    assert po.from_ranks(level).edges <= po.transitive_closure(saved(page)).edges
    assert po.describe(saved(page)).ties == 4
    listed = [item.text for item in page.find_elements("css selector", "#order li")]
    assert [{*row.split(" ~ ")} for row in listed] == [
        {name for name in NAMES if level[name] == k} for k in range(5)
    ]
    assert "tea" in page.find_element("id", "voice").text


@pytest.mark.browser
def test_undo_and_items_that_nobody_can_place(show: Any) -> None:
    page = show(["a", "b", "c"])
    first = shown(page)
    press(page, ">")
    second = shown(page)
    press(page, "u")
    assert shown(page) == first != second
    press(page, "?")
    assert shown(page) == ["c", "a"]
    press(page, "<")
    assert shown(page) == []
    assert po.format_order(saved(page)) == "a > c; b"
    for _ in range(5):
        press(page, "u")
    assert shown(page) == first
    assert po.format_order(saved(page)) == "a; b; c"


def page_of(items: Any, **options: Any) -> str:
    file = io.StringIO()
    po.write_voting_page(items, file, **options)
    return file.getvalue()


def test_the_file_is_the_same_in_any_sequence_and_names_are_no_code() -> None:
    assert page_of(["b", "a", 3]) == page_of(iter(["a", 3, "b"]))
    assert "<title>2 items</title>" in page_of("ab")
    assert "</script><b>" not in page_of(["</script><b>"], title="</script><b>")


REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    ("aa", {}, "each item once in the items, found again: 'a'"),
    ([1, "1"], {}, "whose texts differ"),
    ("ab", {"title": 3}, "a text as the title"),
]


def test_refusals() -> None:
    for items, options, message in REFUSED:
        with pytest.raises(po.PorankError, match=message):
            page_of(items, **options)
