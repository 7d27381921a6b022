"""The page of two orders in a browser: the numbers are those of porank, whatever is moved."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import porank as po

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
ActionChains, Keys = webdriver.ActionChains, webdriver.Keys
pytestmark = [pytest.mark.browser, pytest.mark.slow]

MEASURES: dict[str, Any] = {
    "Kendall's tau-a": lambda T, P: po.kendall_tau(T, P, variant="a"),
    "Kendall's tau-b": po.kendall_tau,
    "gamma, correctness": po.correctness,
    "completeness": po.completeness,
    "Jaccard index": po.jaccard,
    "Somers' D": po.somers_d,
    "precision": po.precision,
    "recall": po.recall,
    "Kendall's distance": po.kendall_distance,
}


def rows_in(browser: Any) -> tuple[list[list[int]], list[int]]:
    """The rows of the prediction and what is left open, as numbers of items."""
    found: list[list[list[int]]] = browser.execute_script(
        """const items = (node) => [...node.querySelectorAll(".item")].map((x) => +x.dataset.item);
        return [[...document.querySelectorAll("#rows li:not(.gap)")].map(items),
          [items(document.getElementById("shelf"))]];"""
    )
    return found[0], found[1][0]


def shown(browser: Any) -> dict[str, str]:
    """The counts and measures that the page shows."""
    found: dict[str, str] = browser.execute_script(
        """return Object.fromEntries([...document.querySelectorAll("[data-count], [data-measure]")]
          .map((x) => [x.dataset.count ?? x.dataset.measure, x.textContent]));"""
    )
    return found


def moved(P: nx.DiGraph, item: str, rows: list[list[str]]) -> nx.DiGraph:
    """The prediction once an item is compared by the rows alone, with what follows."""
    H = po.from_pairs([pair for pair in P.edges if item not in pair], items=P)
    at = next((place for place, row in enumerate(rows) if item in row), -1)
    for place, row in enumerate(rows if at >= 0 else ()):
        H.add_edges_from((other, item) for other in row if place < at)
        H.add_edges_from((item, other) for other in row if place > at)
    return po.transitive_closure(H)


def require_same(browser: Any, target: nx.DiGraph, predicted: nx.DiGraph) -> None:
    """Compare what the page shows with what porank says."""
    found = shown(browser)
    table = po.pair_table(target, predicted)
    counts = table.concordant, table.discordant, table.target_only, table.predicted_only
    assert [found[letter] for letter in "CDAN"] == [str(count) for count in counts]
    for name, measure in MEASURES.items():
        value = float(measure(target, predicted))
        if math.isnan(value):
            assert found[name] == "undefined"
        else:
            assert float(found[name]) == pytest.approx(value, abs=5.1e-5), name


def test_numbers_follow_what_is_moved(opened: Callable[[Path], Any], tmp_path: Path) -> None:
    rng, names, path = random.Random(0), dict(enumerate("abcdef")), tmp_path / "page.html"
    for seed in range(3):
        target = nx.relabel_nodes(po.random_order(6, dimension=2, seed=seed), names)
        order = nx.relabel_nodes(po.random_order(6, dimension=3, seed=seed + 50), names)
        predicted = begin = po.transitive_closure(order)
        po.write_comparison_page(target, predicted, path)
        browser = opened(path)
        require_same(browser, target, predicted)
        for _ in range(5):
            number = rng.randrange(6)
            before = rows_in(browser)
            item = browser.find_element("css selector", f'[data-item="{number}"]')
            hand = ActionChains(browser, duration=50).move_to_element(item)
            if rng.random() < 0.5:
                hand.perform()
                for side, around in (("up", predicted.pred), ("down", predicted.succ)):
                    marked = browser.find_elements("css selector", f".item.{side}")
                    assert {each.text for each in marked} == set(around[names[number]])
                item.send_keys(rng.choice([Keys.ARROW_UP, Keys.ARROW_DOWN, Keys.DELETE]))
            else:
                places = browser.find_elements("css selector", "#rows li, #shelf")
                hand.drag_and_drop(item, rng.choice(places)).perform()
            rows, left = rows_in(browser)
            assert sorted([*left, *(each for row in rows for each in row)]) == list(range(6))
            if (rows, left) != before:
                named = [[names[each] for each in row] for row in rows]
                predicted = moved(predicted, names[number], named)
            require_same(browser, target, predicted)
        for _ in range(6):
            hand = ActionChains(browser).key_down(Keys.CONTROL).send_keys("z")
            hand.key_up(Keys.CONTROL).perform()
        # All is taken back, and beyond that nothing.
        require_same(browser, target, begin)
