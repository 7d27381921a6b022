"""The page of two orders: its data, its refusals, and in a browser the numbers of porank itself."""

from __future__ import annotations

import io
import json
import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import porank as po

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


def data_of(target: Any, predicted: Any) -> dict[str, Any]:
    """The data in the page."""
    file = io.StringIO()
    po.write_comparison_page(target, predicted, file)
    found = re.search(r'id="data">(.*?)</script>', file.getvalue())
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_holds_both_orders_as_they_are() -> None:
    data = data_of(po.parse("b > a > c; d"), po.parse("c > a ~ b; d"))
    assert data["items"] == ["a", "b", "c", "d"]
    assert data["truth"] == [[0, 2], [1, 0], [1, 2]]
    assert data["predicted"] == [[2, 0], [2, 1]]
    assert (data["rows"], data["open"]) == ([[2], [0, 1]], [3])
    assert data["target"]["lines"] == [0, 2, 1, 0]


def test_small_and_large_orders() -> None:
    for n in (0, 1, 60):
        assert len(data_of(po.chain(n), po.antichain(n))["open"]) == n


def test_names_are_shown_and_never_run() -> None:
    file = io.StringIO()
    order = po.parse("'</script><b>' > b")
    po.write_comparison_page(order, order, file, title="<i>")
    assert "</script><b>" not in file.getvalue()
    assert "&lt;i&gt;" in file.getvalue()


def test_what_cannot_be_shown_is_refused() -> None:
    order, large = po.parse("a > b"), po.chain(61)
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"target": large, "predicted": large}, po.PorankError, "restrict"),
        ({"predicted": po.parse("a > c")}, po.ItemMismatchError, "items"),
        ({"predicted": nx.DiGraph(["ab", "ba"])}, po.CycleError, "cycle"),
        ({"path": ""}, po.PorankError, "empty text"),
        ({"title": 3}, po.PorankError, "text as the title"),
    ]
    for options, kind, message in wrong:
        given = {"target": order, "predicted": order, "path": io.StringIO()} | options
        with pytest.raises(kind, match=message):
            po.write_comparison_page(**given)


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
    H = nx.DiGraph()
    H.add_nodes_from(P)
    H.add_edges_from((u, v) for u, v in P.edges if item not in (u, v))
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


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_numbers_follow_what_is_moved(
    opened: Callable[[Path], Any], tmp_path: Path, seed: int
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    rng = random.Random(seed)
    names = dict(enumerate("abcdef"))
    target = nx.relabel_nodes(po.random_order(6, dimension=2, seed=seed), names)
    predicted = po.transitive_closure(
        nx.relabel_nodes(po.random_order(6, dimension=3, seed=seed + 50), names)
    )
    path = tmp_path / "page.html"
    po.write_comparison_page(target, predicted, path)
    browser = opened(path)
    require_same(browser, target, predicted)
    for _ in range(6):
        number = rng.randrange(6)
        before = rows_in(browser)
        item = browser.find_element("css selector", f'[data-item="{number}"]')
        if rng.random() < 0.5:
            item.send_keys(rng.choice([Keys.ARROW_UP, Keys.ARROW_DOWN, Keys.DELETE]))
        else:
            places = browser.find_elements("css selector", "#rows li, #shelf")
            ActionChains(browser).drag_and_drop(item, rng.choice(places)).perform()
        rows, left = rows_in(browser)
        assert sorted([*left, *(each for row in rows for each in row)]) == list(range(6))
        if (rows, left) != before:
            named = [[names[each] for each in row] for row in rows]
            predicted = moved(predicted, names[number], named)
        require_same(browser, target, predicted)


@pytest.mark.browser
@pytest.mark.slow
def test_what_rows_do_not_tell_is_marked_and_a_move_is_taken_back(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    order, path = po.parse("a > b; c > d"), tmp_path / "page.html"
    po.write_comparison_page(order, order, path)
    browser = opened(path)
    before = rows_in(browser), shown(browser)
    assert before[0] == ([[0, 2], [1, 3]], [])
    item = browser.find_element("css selector", '[data-item="0"]')
    ActionChains(browser).move_to_element(item).perform()
    marked = [browser.find_elements("css selector", f".item.{side}") for side in ("up", "down")]
    assert [[each.text for each in some] for some in marked] == [[], ["b"]]
    item.send_keys(Keys.DELETE)
    assert shown(browser) != before[1]
    ActionChains(browser).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    assert (rows_in(browser), shown(browser)) == before
