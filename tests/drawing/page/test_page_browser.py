"""The page in a real browser: what a reader points at, types and moves, and what is then seen.

All tests share one headless Chromium, and are skipped where there is none.
"""

from __future__ import annotations

import io
import itertools
import json
import math
import re
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

import porank as po
from tests.drawn import relation

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VOTES = "abcdef", "abdcef", "bacdfe", "cbadef", "abcdfe"
TARGET = "abcdfe"
PHONE = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True}


@pytest.fixture
def show(opened: Callable[[Path], Any], tmp_path: Path) -> Callable[..., Any]:
    """Return how to open the page of an order."""
    path = tmp_path / "page.html"

    def open_page(order: Any, **options: Any) -> Any:
        po.write_page(order, path, **options)
        return opened(path)

    return open_page


def text(browser: Any, selector: str) -> str:
    found: str = browser.execute_script(
        "return document.querySelector(arguments[0]).textContent", selector
    )
    return found


def names(browser: Any, state: str) -> list[str]:
    """Return the names of the boxes in a state."""
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll('#diagram .node.' + arguments[0])]"
        ".map(node => node.getAttribute('aria-label').split(':')[0]).sort()",
        state,
    )
    return found


def box(browser: Any, name: str) -> Any:
    return browser.find_element("css selector", f"g.node[aria-label^={json.dumps(name + ':')}]")


def press(browser: Any, *keys: str) -> None:
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def numbers_of(point: str) -> list[float]:
    return [float(number) for number in point.rstrip("Z").split()]


def point_at(browser: Any, element: Any) -> None:
    from selenium.webdriver import ActionChains

    ActionChains(browser, duration=0).move_to_element(element).perform()


def move_slider(browser: Any, *keys: str) -> None:
    browser.find_element("id", "threshold").send_keys(*keys)


def test_pointing_shows_what_is_above_and_below(show: Any) -> None:
    for order, n_boxes in (("", 0), ("a", 1), ("a > b > a; b > c ~ d", 2)):
        page = show(po.parse(order))
        boxes = page.find_elements("css selector", ".node")
        assert len(boxes) == n_boxes
        assert ("no pair to decide" in text(page, "#summary")) == (n_boxes < 2)
        for each in boxes:
            point_at(page, each)
            assert text(page, "#details h2") != ""
    G = po.parse("a > b > c; a > d > e; b > f; x")
    page = show(G)
    intervals = po.rank_intervals(G)
    for item in G:
        point_at(page, box(page, item))
        assert names(page, "chosen") == [item]
        assert names(page, "up") == sorted(map(str, po.up_set(G, item)))
        assert names(page, "down") == sorted(map(str, po.down_set(G, item)))
        best, worst = intervals[item]
        ranks = f"Ranks {best} to {worst} of 7" if best < worst else f"Rank {best} of 7"
        assert text(page, "#details h2") + text(page, ".ranks") == item + ranks
    point_at(page, page.find_element("tag name", "h1"))
    assert names(page, "chosen") == names(page, "up") == []


def test_of_two_selected_items_a_chain_and_what_lies_between_are_shown(show: Any) -> None:
    from selenium.webdriver import ActionChains, Keys

    G = po.parse("a > b > d; a > c > d > e; x")
    page = show(G)
    box(page, "e").click()
    ActionChains(page).key_down(Keys.SHIFT).click(box(page, "a")).key_up(Keys.SHIFT).perform()
    assert text(page, "#details h2") == "a over e"
    assert "A shortest chaina > ba > cb" not in text(page, "#details")
    assert names(page, "chosen") == ["a", "b", "c", "d", "e"]
    page.find_element("id", "collapse").click()
    assert shown_items(page) == ["a", "e", "x"]
    assert len(page.find_elements("css selector", "#diagram .line.past")) == 1
    page.find_element("css selector", "#chips button").click()
    assert shown_items(page) == sorted(G)
    press(page, Keys.ESCAPE)
    assert names(page, "chosen") == []
    box(page, "x").click()
    page.find_element("id", "second").click()
    box(page, "a").click()
    assert "Not comparable" in text(page, "#details")


def shown_items(browser: Any) -> list[str]:
    """Return the names of the boxes of a drawing of few."""
    return names(browser, "item")


def test_keys_walk_along_the_lines_select_an_item_and_let_it_go(show: Any) -> None:
    from selenium.webdriver import Keys

    page = show(po.parse("a > b > c; a > d; x > d"))
    page.find_element("id", "theme").send_keys(Keys.TAB)
    press(page, Keys.ARROW_DOWN)
    assert names(page, "chosen") == ["a"]
    press(page, Keys.ARROW_DOWN)
    assert names(page, "chosen")[0] in "bd"
    press(page, Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert names(page, "chosen") == ["d"]
    diagram = page.find_element("id", "diagram")
    active = page.find_element("id", diagram.get_attribute("aria-activedescendant"))
    assert text(page, "#voice") == active.get_attribute("aria-label")
    assert active.get_attribute("aria-label") == "d: ranks 3 to 5 of 5, 2 above, 0 below"
    press(page, Keys.ENTER)
    assert box(page, "d").get_attribute("aria-selected") == "true"
    press(page, Keys.ARROW_UP, "f")
    assert set(shown_items(page)) < set("abcdx")
    press(page, Keys.ESCAPE)
    assert names(page, "chosen") == []


def test_the_slider_moves_the_threshold_and_all_that_follows(show: Any) -> None:
    from selenium.webdriver import Keys

    P, target = relation(VOTES), po.from_ranking(TARGET)
    page = show(None, preferences=P, target=target)
    points = [point for point in po.abstention_curve(P, target) if point.is_acyclic]
    assert len(points) == 3
    seen: list[tuple[float, ...]] = []
    for number, point in enumerate(points):
        if number:
            move_slider(page, Keys.ARROW_RIGHT)
        order = po.predict_order(P, alpha=point.alpha)
        assert text(page, "#alpha") == str(point.alpha)
        where = f" {order.number_of_edges()} of 15 pairs decided at threshold {point.alpha},"
        assert where in text(page, "#summary")
        assert float(text(page, "#correctness")) == round(po.correctness(target, order), 4)
        assert float(text(page, "#completeness")) == round(po.completeness(target, order), 4)
        counts = [int(text(page, f"#legend li:nth-child({k}) b")) for k in range(1, 6)]
        table, kinds = po.pair_table(target, order), ("concordant", "discordant", "target_only")
        assert counts == [getattr(table, kind) for kind in (*kinds, "predicted_only", "neither")]
        point_at(page, box(page, "c"))
        assert names(page, "up") == sorted(map(str, po.up_set(order, "c")))
        here = page.find_element("css selector", "#curve .here")
        seen.append(tuple(float(here.get_attribute(name)) for name in ("cx", "cy")))
    assert len(seen) == 3
    assert seen == sorted(seen, reverse=True), "completeness grows to the right"
    stop = page.find_element("css selector", "#curve .stop")
    page.execute_script("arguments[0].dispatchEvent(new MouseEvent('click'))", stop)
    assert text(page, "#alpha") == str(points[0].alpha)


def test_the_overlay_draws_the_lines_of_the_comparison(show: Any) -> None:
    from porank.drawing.comparison import comparison_lines
    from porank.measures.pair_table import pair_up

    target, predicted = po.load_example("table1-corrected")
    page = show(po.parse("a ~ b > c ~ d; e"), target=po.parse("a > b > c > d > e"))
    assert text(page, "#legend li:nth-child(3) b") == "6"
    assert text(page, "#tied") == "Of the missing pairs the order knows 2 to be tied."
    page = show(predicted, target=target)
    assert page.find_elements("css selector", "#diagram .discordant") == []
    page.find_element("id", "overlay").click()
    drawn = page.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('#diagram path.line')].map("
        "path => [path.classList[2], path.getAttribute('d').split('M').length - 1]))"
    )
    lines = comparison_lines(pair_up(target, predicted))
    kinds = [line.kind for line in lines]
    assert drawn == {kind: kinds.count(kind) for kind in set(kinds)}
    heads = page.find_elements("css selector", "#diagram path.head")
    assert sorted(head.get_attribute("class").split()[-1] for head in heads) == [
        "discordant",
        "predicted_only",
    ]
    for head in heads:
        (_, tip), *others = map(numbers_of, re.split("[ML]", head.get_attribute("d"))[1:4])
        kind = head.get_attribute("class").split()[-1]
        places = po.hasse_layout(target)
        rises = {
            places[line.arrow[0]][1] < places[line.arrow[1]][1]
            for line in lines
            if line.kind == kind and line.arrow
        }
        assert rises == {tip < min(y for _, y in others)}, "an arrow points as predicted"
    dashes = page.execute_script(
        "return [...document.querySelectorAll('#diagram path.line')].map("
        "path => getComputedStyle(path).strokeDasharray + getComputedStyle(path).stroke)"
    )
    assert len(set(dashes)) == len(drawn) == 4
    page.find_element("id", "overlay").click()
    assert page.find_elements("css selector", "#diagram .discordant") == []


def test_a_long_ranking_as_the_target_is_no_needle(show: Any) -> None:
    ranking = [f"item {number:02}" for number in range(40)]
    turned = [name for pair in zip(ranking[1::2], ranking[::2], strict=True) for name in pair]
    page = show(po.from_ranking(turned), target=po.from_ranking(ranking))
    page.find_element("id", "overlay").click()
    time.sleep(0.1)
    places = dots(page)
    heights = [places[name][1] for name in ranking]
    assert heights == sorted(heights), "high as in the target"
    across = [places[name][0] for name in turned]
    assert across == sorted(across), "from left to right as in the order"
    assert across[-1] - across[0] > 0.6 * page.find_element("css selector", ".stage").rect["width"]
    assert "down by the target, across by the order" in text(page, "#summary")
    page.find_element("id", "overlay").click()
    assert "down by the target" not in text(page, "#summary")


def test_search_lists_all_and_flies_there_among_a_thousand(show: Any) -> None:
    from selenium.webdriver import Keys

    page = show(po.from_pairs([(f"item {k // 3}", f"item {k}") for k in range(1, 1000)]))
    assert "point at an item for its lines" in text(page, "#summary")
    assert 5 < len(page.find_elements("css selector", "#diagram .label")) < 400
    press(page, "/")
    press(page, "M 50")
    hits = [each.text for each in page.find_elements("css selector", "#found button")]
    assert hits == ["item 50", *(f"item 50{k}" for k in range(10))]
    press(page, "7", Keys.ENTER)
    time.sleep(0.8)
    assert text(page, "#count") == "1 found"
    assert text(page, "#details h2") == "item 507"
    x, y, wide, high = map(float, window_of(page).split())
    spot = page.find_element("css selector", "#diagram .spot.chosen").get_attribute("d")
    place = [float(number) for number in spot[1:-2].split()]
    assert abs(place[0] - x - wide / 2) < wide / 2 - 40
    assert abs(place[1] - y - high / 2) < high / 2 - 20
    before = window_of(page)
    press(page, Keys.ENTER)
    time.sleep(0.2)
    assert window_of(page) == before
    press(page, Keys.ESCAPE)
    assert page.find_elements("css selector", "#diagram .spot") == []
    press(page, "/")
    press(page, "item 0", Keys.ENTER)
    time.sleep(0.8)
    _, y, _, high = map(float, window_of(page).split())
    ((_, top),) = points_of(page, ".spot.chosen")
    assert y < top < y + high / 3, "nothing lies above it: the window begins there"
    press(page, Keys.ESCAPE)
    press(page, "/")
    press(page, "nothing")
    assert text(page, "#count") == "none found"


def window_of(browser: Any) -> str:
    """Return which part of the diagram is seen."""
    seen: str = browser.execute_script(
        "return document.getElementById('diagram').getAttribute('viewBox')"
    )
    return seen


def dots(browser: Any) -> dict[str, tuple[float, float]]:
    """Return where the middle of each box is on the stage, in pixels."""
    found: dict[str, tuple[float, float]] = browser.execute_script(
        "const stage = document.querySelector('.stage').getBoundingClientRect();"
        "return Object.fromEntries([...document.querySelectorAll('.node')].map(node => {"
        "  const { left, right, top, bottom } = node.querySelector('.box').getBoundingClientRect();"
        "  return [node.getAttribute('aria-label').split(':')[0],"
        "    [(left + right) / 2 - stage.left, (top + bottom) / 2 - stage.top]]; }))"
    )
    return found


def points_of(browser: Any, selector: str) -> list[tuple[float, float]]:
    """Return the dots of an overview, or of those that stand out, in the drawing."""
    paths = browser.find_elements("css selector", f"#diagram {selector}")
    points = [each for path in paths for each in path.get_attribute("d").split("M")[1:]]
    return [(float(x), float(y)) for x, y in (point[:-2].split() for point in points)]


def move_to(browser: Any, place: tuple[float, float]) -> None:
    """Move the mouse to a place of the drawing."""
    from selenium.webdriver import ActionChains

    x, y, wide, high = map(float, window_of(browser).split())
    stage = browser.find_element("css selector", ".stage")
    size = stage.rect
    offset = [
        round(side * ((at - low) / extent - 0.5))
        for side, at, low, extent in zip(
            (size["width"], size["height"]), place, (x, y), (wide, high), strict=True
        )
    ]
    ActionChains(browser, duration=0).move_to_element_with_offset(stage, *offset).perform()


@pytest.mark.parametrize("kind", ["random", "wide", "chain"])
def test_an_overview_shows_each_item_once_and_what_is_around_it(show: Any, kind: str) -> None:
    G = {
        "random": lambda: po.random_order(600, dimension=2, seed=3),
        "wide": lambda: nx.DiGraph([*((0, k) for k in range(1, 599)), (598, 599)]),
        "chain": lambda: po.chain(600),
    }[kind]()
    page = show(G)
    points = points_of(page, ".bands .dot")
    assert len(set(points)) == 600
    heights = sorted(y for _, y in points)
    ends = list(itertools.accumulate(map(len, po.levels(G))))[:-1]
    assert all(heights[end - 1] < heights[end] for end in ends), "levels are apart"
    bands = page.find_elements("css selector", "#diagram .band")
    assert len(bands) == (kind == "wide")
    for place in (points[0], points[300], points[-1]):
        move_to(page, place)
        time.sleep(0.15)
        item = int(text(page, "#details h2"))
        assert len(points_of(page, ".spot.up")) == len(po.up_set(G, item))
        assert len(points_of(page, ".spot.down")) == len(po.down_set(G, item))


@pytest.mark.parametrize("mode", ["both", "above", "below", "around"])
def test_a_focus_shows_what_lies_so_many_covers_away(show: Any, mode: str) -> None:
    G = po.random_order(20, dimension=2, seed=5)
    item = sorted(G, key=lambda item: len(po.up_set(G, item)))[10]
    covers = po.transitive_reduction(G)
    ways = {
        "above": [covers.reverse()],
        "below": [covers],
        "both": [covers, covers.reverse()],
        "around": [covers.to_undirected()],
    }[mode]
    for within in (0, 1, 2):
        page = show(G)
        expected = {each for way in ways for each in nx.ego_graph(way, item, within or 20)}
        choose(page, "mode", mode)
        choose(page, "within", str(within))
        box(page, str(item)).click()
        page.find_element("id", "focus").click()
        assert set(map(int, shown_items(page))) == expected
        assert f"{len(expected)} of 20 items" in text(page, "#shown") or len(expected) == 20
        drawn = page.execute_script(
            "return [...document.querySelectorAll('#diagram .base')].map("
            "path => path.getAttribute('d').split('M').length - 1)"
        )
        induced = po.transitive_reduction(po.restrict(G, expected))
        assert sum(drawn) == induced.number_of_edges()


def choose(browser: Any, name: str, value: str) -> None:
    """Choose a value of a list, as a reader does."""
    from selenium.webdriver.support.ui import Select

    Select(browser.find_element("id", name)).select_by_value(value)


def test_a_filter_keeps_what_fits(show: Any) -> None:
    from selenium.webdriver import Keys

    G = po.parse("a > b > c > d; x")
    columns = {"price": (1, 2, 3, math.inf), "colour": ("red", "blue", "green", "Red")}
    for name, values in columns.items():
        nx.set_node_attributes(G, dict(zip("abcd", values, strict=True)), name)
    for column, condition, expected in (
        *(("price", ">= 3", "cd"), ("price", "2", "b"), ("colour", "RÉD", "ad")),
        *(("colour", "!= red", "bc"), ("items above", "< 2", "abx"), ("lines", "= 0", "x")),
        *(("price", "= inf", "d"), ("price", "== 3", None), ("price", ">= abc", None)),
        ("colour", "<", None),
    ):
        page = show(G)
        choose(page, "column", column)
        page.find_element("id", "condition").send_keys(condition, Keys.ENTER)
        hint = "" if expected else ": not understood"
        assert "".join(shown_items(page)) == (expected or "abcdx")
        assert text(page, "#chips") == f"{column} {condition}{hint} ×"


def test_what_is_set_is_in_the_address_and_taken_back(show: Any) -> None:
    from selenium.webdriver import ActionChains, Keys

    G = po.parse("a > b > c; a > d > e; x")
    page = show(G)
    box(page, "b").click()
    page.find_element("id", "focus").click()
    box(page, "a").click()
    page.find_element("id", "level").click()
    page.find_element("id", "closer").click()
    time.sleep(0.3)
    assert shown_items(page) == ["b", "c"]
    seen, address = window_of(page), page.current_url
    page.get("about:blank")
    page.get(address)
    time.sleep(0.2)
    assert (shown_items(page), names(page, "picked")) == (["b", "c"], [])
    assert numbers_of(window_of(page)) == pytest.approx(numbers_of(seen), abs=0.2)
    page.get(f"{address.split('#')[0]}#picked=[99]&focus=[1]&stop=7&between=3&at=[1]&levels=%")
    page.refresh()
    assert shown_items(page) == sorted(G)
    absurd = 'levels=[99]&at=[0,0,0]&focus=[1,"both",-5]', 'at=[0,0,1e9]&where=["constructor","1"]'
    for each in absurd:
        page.get(f"{address.split('#')[0]}#{each}")
        page.refresh()
        assert (text(page, "#chips"), text(page, "#shown")) == ("", "All items are shown")
        assert 10 < numbers_of(window_of(page))[2] < 1e4
    box(page, "b").click()
    page.find_element("id", "focus").click()
    assert shown_items(page) == ["a", "b", "c"]
    page.find_element("id", "closer").click()
    time.sleep(0.3)
    for expected in (sorted(G), sorted(G)):
        ActionChains(page).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
        assert shown_items(page) == expected
    assert names(page, "picked") == []


def saved(page: Any, kind: str, name: str) -> bytes:
    """Return the file that a button saves."""
    page.find_element("css selector", f"[data-save={kind}]").click()
    path: Path = page.downloads / f"{name}.{kind}"
    deadline = time.monotonic() + 10
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    content = path.read_bytes()
    path.unlink()
    return content


@pytest.mark.parametrize("order", ["'a > b' > c ~ d > e; x; p > q > p > e", "a > b > c; a > d; x"])
def test_what_is_saved_says_what_is_shown(show: Any, order: str) -> None:
    from selenium.webdriver import ActionChains, Keys

    G = po.parse(order)
    page = show(G, title="Drinks & more")
    written = po.parse(saved(page, "txt", "drinks-more").decode())
    pages = [io.StringIO(), io.StringIO()]
    for each, file in zip((G, written), pages, strict=True):
        po.write_page(each, file)
    assert pages[0].getvalue() == pages[1].getvalue()
    head, *rows = saved(page, "csv", "drinks-more").decode().splitlines()
    assert head == "item,level,best_rank,worst_rank"
    assert sorted(row.rsplit(",", 3)[0] for row in rows) == sorted(G)
    assert saved(page, "png", "drinks-more").startswith(b"\x89PNG")
    root = ET.fromstring(saved(page, "svg", "drinks-more"))
    found = "".join(root.itertext())
    assert "Drinks & more" in found
    assert all(item in found for item in G)
    assert "var(" not in found
    if "x" in G and "b" in G:
        box(page, "a").click()
        ActionChains(page).key_down(Keys.SHIFT).click(box(page, "c")).key_up(Keys.SHIFT).perform()
        assert saved(page, "txt", "drinks-more") == b"a > c\n"


def test_two_thresholds_side_by_side_show_what_one_has_alone(show: Any) -> None:
    P = relation(VOTES)
    page = show(P)
    choose(page, "beside", "2")
    low, high = po.predict_order(P), po.predict_order(P, alpha=1)
    titles = [text(page, f"#title-{k}") for k in (0, 1)]
    assert titles == [
        f"threshold {alpha}, {G.number_of_edges()} pair{'s' * (G.number_of_edges() > 1)}"
        "; thick lines: only here"
        for alpha, G in (("3/5", low), ("1", high))
    ]
    only = "return [...document.querySelectorAll(arguments[0])].map(x => x.getAttribute('d'))"
    (here,) = page.execute_script(only, "#diagram .line.only")
    alone = set(po.transitive_reduction(low).edges) - set(high.edges)
    assert here.count("M") == len(alone)
    assert page.execute_script(only, "#diagram-beside .line.only") == []
    point_at(page, box(page, "c"))
    for k, name in enumerate(("diagram", "diagram-beside")):
        heading = page.find_element("id", f"title-{k}").rect
        boxes = page.find_elements("css selector", f"#{name} .node .box")
        assert min(each.rect["y"] for each in boxes) >= heading["y"] + heading["height"]
    chosen = page.find_elements("css selector", "#diagram-beside .node.chosen")
    assert [each.get_attribute("aria-label")[0] for each in chosen] == ["c"]
    box(page, "c").click()
    press(page, "f")
    seen = [len(po.up_set(G, "c") | po.down_set(G, "c")) + 1 for G in (low, high)]
    assert text(page, "#shown") == f"{seen[0]} and {seen[1]} of 6 items shown"


def test_the_weakest_pairs_are_listed(show: Any) -> None:
    P = relation(VOTES)
    page = show(P)
    rows = "return [...document.querySelectorAll('#weakest li')].map(row => row.textContent)"
    order = po.transitive_reduction(po.predict_order(P))
    listed = [row.split(" degree ") for row in page.execute_script(rows)]
    assert {tuple(pair.split(" > ")) for pair, _ in listed} == set(order.edges)
    degrees = [Fraction(said.split(",")[0]) for _, said in listed]
    assert degrees == sorted(P.degree(*pair.split(" > ")) for pair, _ in listed)
    page.find_element("css selector", "#weakest-part summary").click()
    page.find_element("css selector", "#weakest button").click()
    assert names(page, "picked") == sorted(listed[0][0].split(" > "))
    assert f": degree {degrees[0]}" in text(page, "#details")


def test_on_a_phone_no_name_is_cut_at_the_edge_and_long_ones_have_two_lines(show: Any) -> None:
    names = [f"{k} lazy dogs, which have a long name" for k in range(20)]
    page = show(nx.DiGraph(("fox", name) for name in names))
    lines = "return [...arguments[0].querySelectorAll('tspan')].map(line => line.textContent)"
    assert len(page.execute_script(lines, box(page, names[-1]))) == 2
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    page.refresh()
    time.sleep(0.2)
    spans = page.execute_script(
        "return [...document.querySelectorAll('.name')].filter(name => name.textContent)"
        ".map(name => name.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    )
    stage = page.find_element("css selector", ".stage").rect
    edges = stage["x"], stage["x"] + stage["width"]
    assert all(edges[0] <= left and right <= edges[1] for left, right in spans)
    first = stage["x"] + min(dots(page).values())[0]
    assert any(left <= first <= right for left, right in spans), "the first has its name"
    assert page.execute_script("return document.documentElement.scrollWidth") <= 400
    assert page.execute_script("return document.getElementById('diagram').clientHeight") > 300


def test_no_name_and_no_other_script_is_run(show: Any, browser: Any) -> None:
    nasty = ["<script>window.ran=1</script>", "</script><img src=x onerror=window.ran=1>", "قهوة"]
    page = show(po.from_ranking(nasty), title="</title><script>window.ran=1</script>")
    assert page.title == "</title><script>window.ran=1</script>"
    point_at(page, box(page, nasty[1]))
    assert text(page, "#details h2") == nasty[1]
    assert text(page, "#details .up + .names") == nasty[0]
    assert page.find_elements("css selector", "img, #diagram script, #details script") == []
    page.execute_script(
        "const script = document.createElement('script');"
        "script.textContent = 'window.ran = 1'; document.body.append(script);"
    )
    assert page.execute_script("return window.ran") is None
    (complaint,) = browser.get_log("browser")
    assert "Content Security Policy" in complaint["message"]


def test_dark_light_and_paper(show: Any) -> None:
    page = show(po.parse("a > b"))
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = page.execute_script(ground)
    page.find_element("id", "theme").click()
    dark = page.execute_script(ground)
    assert dark != light
    assert page.find_element("id", "theme").get_attribute("aria-pressed") == "true"
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    ink = "return getComputedStyle(document.documentElement).getPropertyValue('--ink')"
    on_paper = page.execute_script(ink)
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert page.execute_script(ink) != on_paper
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    page.refresh()
    assert page.execute_script(ground) == dark
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_lines_tell_their_evidence_and_stops_what_was_dropped(show: Callable[..., Any]) -> None:
    G = nx.DiGraph()
    for u, v, support, against in (("a", "b", 9, 1), ("b", "c", 8, 0), ("c", "a", 7, 2)):
        G.add_edge(u, v, support=support, against=against)
    browser = show(None, preferences=po.feedback_relation(G), impossible="drop")
    weakest = "return [...document.querySelectorAll('#weakest li')].map(each => each.textContent)"
    assert "b > c degree 9/10, 8 for, 0 against" in browser.execute_script(weakest)
    slider = browser.find_element("id", "threshold")
    assert slider.get_property("value") == "1"
    browser.execute_script(
        "arguments[0].value = 0; arguments[0].dispatchEvent(new Event('input'))", slider
    )
    assert "1 pair dropped: contradictions to stronger ones." in text(browser, "#said")
    assert "a > b degree 5/6, 9 for, 1 against" in browser.execute_script(weakest)
    assert len(browser.find_elements("css selector", "#curve .stop.dropped")) == 1


def test_a_filter_of_a_large_order_fills_the_pane(show: Any) -> None:
    from selenium.webdriver import Keys

    G = nx.disjoint_union(po.antichain(250), po.parse("a > b > c; a > d; x"))
    nx.set_node_attributes(G, dict.fromkeys(list(G)[-5:], "kept"), "group")
    page = show(G)
    choose(page, "column", "group")
    page.find_element("id", "condition").send_keys("kept", Keys.ENTER)
    time.sleep(0.5)
    stage = page.find_element("css selector", ".stage").rect
    xs, ys = zip(*dots(page).values(), strict=True)
    assert len(xs) == 5
    assert max(xs) - min(xs) > stage["width"] / 4 or max(ys) - min(ys) > stage["height"] / 3
    middle = stage["width"] / 2
    assert min(xs) < middle < max(xs), "the drawing is in the middle"


def test_a_tick_of_the_curve_is_whole(show: Any) -> None:
    n = 1500
    page = show(po.preference_relation([po.chain(n)]))
    ticks = page.find_elements("css selector", "#curve .tick")
    (tick,) = [each for each in ticks if each.text == f"{n * (n - 1) // 2:,}"]
    assert tick.rect["x"] > ticks[-1].rect["x"] + ticks[-1].rect["width"], "beside the title"


def test_names_stand_beside_dots(show: Any) -> None:
    page = show(po.from_ranking([f"item {k}" for k in range(20)]))
    assert page.find_element("css selector", ".dotted")
    labels = page.find_elements("css selector", "#diagram .label")
    assert sorted(each.text for each in labels) == sorted(f"item {k}" for k in range(20))
    right = max(
        each.rect["x"] + each.rect["width"]
        for each in page.find_elements("css selector", ".node .dot")
    )
    assert all(each.rect["x"] >= right for each in labels)


def test_an_overview_has_no_overlay_and_says_so(show: Any) -> None:
    for n in (150, 151):
        page = show(po.chain(n), target=po.chain(n))
        offered = page.find_element("id", "overlay").is_displayed()
        assert (offered, page.find_element("id", "no-overlay").is_displayed()) == (n < 151, n > 150)


def test_on_dark_paper_agreement_is_the_least_visible(show: Any) -> None:
    page = show(po.parse("a > b"))
    page.execute_script("document.documentElement.classList.add('dark')")
    kinds = "concordant", "discordant", "target-only", "predicted-only"
    value = "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0])"
    found = [page.execute_script(value, f"--{kind}").strip()[1:] for kind in kinds]
    brightness = [
        sum(share * int(color[k : k + 2], 16) for share, k in ((0.21, 0), (0.72, 2), (0.07, 4)))
        for color in found
    ]
    assert min(brightness) == brightness[0]
