"""The page in a real browser: what a reader points at, types and moves, and what is then seen.

All tests share one headless Chromium, and are skipped where there is none.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import time
from collections.abc import Callable
from math import hypot
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
        "return [...document.querySelectorAll('.node.' + arguments[0])]"
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
    """Return the numbers of a point of a path."""
    return [float(number) for number in point.rstrip("Z").split()]


def point_at(browser: Any, element: Any) -> None:
    from selenium.webdriver import ActionChains

    ActionChains(browser, duration=0).move_to_element(element).perform()


def move_slider(browser: Any, *keys: str) -> None:
    browser.find_element("id", "threshold").send_keys(*keys)


def test_pointing_shows_what_is_above_and_below(show: Any) -> None:
    G = po.parse("a > b > c; a > d > e; b > f; x")
    page = show(G)
    intervals = po.rank_intervals(G)
    for item in G:
        point_at(page, box(page, item))
        assert names(page, "chosen") == [item]
        assert names(page, "up") == sorted(map(str, po.up_set(G, item)))
        assert names(page, "down") == sorted(map(str, po.down_set(G, item)))
        best, worst = intervals[item]
        ranks = f"Possible ranks {best} to {worst} of 7" if best < worst else f"Rank {best} of 7"
        assert text(page, "#details h2") + text(page, ".ranks") == item + ranks
    point_at(page, page.find_element("tag name", "h1"))
    assert names(page, "chosen") == names(page, "other") == []


def test_two_selected_items_are_explained_as_why_does(show: Any) -> None:
    from selenium.webdriver import ActionChains, Keys

    page = show(None, preferences=relation(VOTES))
    order = po.predict_order(relation(VOTES))
    for u, v in [("a", "f"), ("e", "b"), ("d", "e")]:
        found = po.why(order, *((u, v) if order.has_edge(u, v) else (v, u)))
        box(page, u).click()
        ActionChains(page).key_down(Keys.SHIFT).click(box(page, v)).key_up(Keys.SHIFT).perform()
        shown = text(page, "#details")
        assert f"{found.preferred} over {found.other}" in shown
        assert f"rests on {found.evidence} statement" in shown
        for x, y, amount in found.cut:
            assert f"{amount}: {x} > {y}" in shown
        on_chains = {item for _, chain in found.chains for item in chain}
        assert set(names(page, "between")) == on_chains
    press(page, Keys.ESCAPE)
    assert names(page, "between") == []
    box(page, "a").click()
    page.find_element("xpath", "//button[contains(., 'second item')]").click()
    page.find_element("xpath", "//div[@class='names']//bdi[. = 'c']").click()
    assert "a over c" in text(page, "#details")


def test_keys_walk_along_the_lines_keep_an_item_and_let_it_go(show: Any) -> None:
    from selenium.webdriver import Keys

    page = show(po.parse("a > b > c; a > d; x > d"))
    page.find_element("id", "print").send_keys(Keys.TAB)
    assert names(page, "chosen") == ["a"]
    press(page, Keys.ARROW_DOWN)
    assert names(page, "chosen") == [
        page.execute_script("return document.activeElement.node.items.map(i => 'abcdx'[i])[0]")
    ]
    press(page, Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert names(page, "chosen") == ["d"]
    press(page, Keys.ENTER)
    assert box(page, "d").get_attribute("aria-pressed") == "true"
    point_at(page, page.find_element("tag name", "h1"))
    press(page, Keys.TAB)
    assert (names(page, "chosen"), names(page, "up")) == (["d"], ["a", "x"])
    press(page, Keys.ESCAPE)
    assert names(page, "chosen") == []
    stops = page.execute_script("return document.querySelectorAll('.node[tabindex=\"0\"]').length")
    assert stops == 1


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
        assert f" {order.number_of_edges()} of 15 pairs" in text(page, "#summary")
        assert float(text(page, "#correctness")) == round(po.correctness(target, order), 4)
        assert float(text(page, "#completeness")) == round(po.completeness(target, order), 4)
        counts = [int(text(page, f"#legend li:nth-child({k}) b")) for k in range(1, 6)]
        table = po.pair_table(target, order)
        assert counts == [
            table.concordant,
            table.discordant,
            table.target_only,
            table.predicted_only,
            table.neither,
        ]
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
    assert across[-1] - across[0] > 0.6 * page.find_element("id", "stage").rect["width"]
    assert "down by the target, across by the order" in text(page, "#summary")
    page.find_element("id", "overlay").click()
    assert "down by the target" not in text(page, "#summary")


def test_a_search_moves_nothing_that_can_be_read(show: Any) -> None:
    from selenium.webdriver import Keys

    page = show(po.divisor_lattice(60))
    before = window_of(page)
    press(page, "/")
    press(page, "12", Keys.ENTER)
    time.sleep(0.1)
    assert names(page, "chosen") == ["12"]
    assert window_of(page) == before


def test_search_finds_and_comes_near_among_a_thousand(show: Any) -> None:
    from selenium.webdriver import Keys

    page = show(po.from_pairs([(f"item {k // 3}", f"item {k}") for k in range(1, 1000)]))
    assert page.execute_script("return document.querySelectorAll('.node').length") == 1000
    assert "zoom in" in text(page, "#note")
    named = "return [...document.querySelectorAll('.name')].filter(name => name.textContent).length"
    assert 5 < page.execute_script(named) < 400
    press(page, "/")
    press(page, "M 500", Keys.ENTER)
    time.sleep(0.1)
    assert (text(page, "#count"), names(page, "chosen")) == ("1 found", ["item 500"])
    here, stage = box(page, "item 500").rect, page.find_element("id", "diagram").rect
    for side, size in (("x", "width"), ("y", "height")):
        middle = here[side] + here[size] / 2
        assert stage[side] + 50 < middle < stage[side] + stage[size] - 50
    assert box(page, "item 500").text == "item 500"
    before = window_of(page)
    press(page, Keys.ENTER)
    time.sleep(0.1)
    assert window_of(page) == before
    press(page, Keys.ESCAPE)
    assert (names(page, "chosen"), names(page, "found")) == ([], [])
    press(page, "/")
    press(page, "item 0", Keys.ENTER)
    time.sleep(0.1)
    # Nothing lies above it: the window begins there, and is not half empty.
    assert 0 < dots(page)["item 0"][1] < stage["height"] / 3
    press(page, Keys.ESCAPE)
    press(page, "/")
    press(page, "nothing")
    assert text(page, "#count") == "none found"


def window_of(browser: Any) -> str:
    """Return which part of the diagram is seen."""
    seen: str = browser.find_element("id", "diagram").get_attribute("viewBox")
    return seen


def dots(browser: Any) -> dict[str, tuple[float, float]]:
    """Return where the middle of each box is on the stage, in pixels."""
    found: dict[str, tuple[float, float]] = browser.execute_script(
        "const stage = document.getElementById('stage').getBoundingClientRect();"
        "return Object.fromEntries([...document.querySelectorAll('.node')].map(node => {"
        "  const { left, right, top, bottom } = node.querySelector('.box').getBoundingClientRect();"
        "  return [node.getAttribute('aria-label').split(':')[0],"
        "    [(left + right) / 2 - stage.left, (top + bottom) / 2 - stage.top]]; }))"
    )
    return found


def require_readable(page: Any, order: Any) -> dict[str, tuple[float, float]]:
    """Assert that dots are apart and fill the stage, and that what is preferred is higher."""
    places = dots(page)
    spots = sorted(places.values())
    for number, (x, y) in enumerate(spots):
        near = itertools.takewhile(lambda spot: spot[0] < x + 3, spots[number + 1 :])  # noqa: B023
        assert all(hypot(x - other[0], y - other[1]) >= 3 for other in near)
    assert all(places[u][1] < places[v][1] for u, v in order.edges)
    stage = page.find_element("id", "stage").rect
    for side, size in enumerate((stage["width"], stage["height"])):
        along = [place[side] for place in places.values()]
        assert 0 < min(along) < max(along) < size
        assert max(along) - min(along) > 0.6 * size
    return places


def wide_order() -> Any:
    """Return an order of 1,000 items on few levels, most of them on the highest."""
    rng = random.Random(0)
    G = nx.DiGraph()
    G.add_nodes_from(f"item number {k}" for k in range(1000))
    for k in range(400, 1000):
        low, high = (0, 400) if k < 700 else (400, 700) if k < 900 else (700, 900)
        G.add_edge(f"item number {rng.randrange(low, high)}", f"item number {k}")
    return G


def test_a_thousand_items_on_few_levels_can_be_told_apart(show: Any) -> None:
    G = wide_order()
    page = show(G)
    require_readable(page, G)
    assert "a band is one level, folded into rows" in text(page, "#summary")
    assert page.execute_script("return document.querySelectorAll('.band').length") == 4
    for name in ("item number 500", "item number 984", "item number 3"):
        point_at(page, box(page, name))
        assert text(page, "#details h2") == name
        # What stands out is drawn once more, over all that does not.
        copies = "return document.querySelectorAll('.copy').length"
        assert page.execute_script(copies) == 1 + len(po.up_set(G, name)) + len(
            po.down_set(G, name)
        )
    box(page, max(G, key=lambda item: len(po.down_set(G, item)))).click()
    for _ in range(3):
        page.find_element("id", "farther").click()
    time.sleep(0.2)
    # What stands out lies over other dots: the mouse finds those whose middle is covered, too.
    covered = page.execute_script(
        "return [...document.querySelectorAll('.node')].map(node => {"
        "  const { left, right, top, bottom } = node.querySelector('.box').getBoundingClientRect();"
        "  const [clientX, clientY] = [(left + right) / 2, (top + bottom) / 2];"
        "  const place = { clientX, clientY, bubbles: true };"
        "  const met = document.elementFromPoint(place.clientX, place.clientY);"
        "  return { node, met, place };"
        "}).filter(({ node, met }) => met.closest('.node') !== node).slice(0, 5)"
        ".map(({ node, met, place }) => {"
        "  met.dispatchEvent(new PointerEvent('pointermove', place));"
        "  return [node.getAttribute('aria-label').split(':')[0],"
        "    document.querySelector('#details h2').textContent]; })"
    )
    assert covered
    assert all(meant == found for meant, found in covered)


def test_no_name_is_cut_at_the_edge(show: Any) -> None:
    page = show(nx.DiGraph(("fox", f"{k} lazy dogs, which have a long name") for k in range(20)))
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    page.refresh()
    time.sleep(0.2)
    names_shown = (
        "return [...document.querySelectorAll('.name')].filter(name => name.textContent)"
        ".map(name => name.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    )
    spans = page.execute_script(names_shown)
    spots = dots(page)
    stage = page.find_element("id", "stage").rect
    edges = stage["x"], stage["x"] + stage["width"]
    assert all(edges[0] <= left and right <= edges[1] for left, right in spans)
    first = stage["x"] + min(spots.values())[0]
    assert any(left <= first <= right for left, right in spans), "the first has its name"


def test_a_chain_of_a_thousand_can_be_told_apart(show: Any) -> None:
    chain = po.from_ranking([f"item number {k}" for k in range(1000)])
    page = show(chain)
    places = require_readable(page, nx.path_graph(list(chain), create_using=nx.DiGraph))
    assert len({round(x) for x, _ in places.values()}) < 100
    press(page, "/")
    press(page, "number 617", "\ue007")
    assert text(page, ".ranks") == "Rank 618 of 1000"


def test_long_names_go_into_two_lines(show: Any) -> None:
    long = [f"a lazy dog with a long name, number {k}" for k in range(6)]
    page = show(nx.DiGraph(("fox", name) for name in long))
    lines = "return [...arguments[0].querySelectorAll('tspan')].map(line => line.textContent)"
    for name in long:
        written = page.execute_script(lines, box(page, name))
        assert (len(written), "".join(written)) == (2, name)


def test_of_the_missing_pairs_the_legend_tells_the_tied(show: Any) -> None:
    page = show(po.parse("a ~ b > c ~ d; e"), target=po.parse("a > b > c > d > e"))
    assert text(page, "#legend li:nth-child(3)") == "missing (target only; 2 of them tied)6"
    assert page.find_elements("css selector", "#legend li:nth-child(5) svg *") == []
    page.find_element("id", "overlay").click()
    point_at(page, box(page, "a"))
    assert "2 missing (target only; 1 of them tied)" in text(page, "#details")


def test_names_that_look_like_scripts_are_shown(show: Any) -> None:
    nasty = ["<script>window.ran=1</script>", "</script><img src=x onerror=window.ran=1>", "قهوة"]
    page = show(po.from_ranking(nasty), title="</title><script>window.ran=1</script>")
    assert page.execute_script("return window.ran") is None
    assert page.title == "</title><script>window.ran=1</script>"
    point_at(page, box(page, nasty[1]))
    assert text(page, "#details h2") == nasty[1]
    assert text(page, "#details .up + .names") == nasty[0]
    assert page.find_elements("css selector", "img, #diagram script, #details script") == []


def test_the_policy_keeps_other_scripts_from_running(show: Any, browser: Any) -> None:
    page = show(po.parse("a > b"))
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
    page.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert page.execute_script(ground) == light
    page.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert page.execute_script(ground) == dark
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    page.refresh()
    assert page.execute_script(ground) == dark
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_saved_diagram_stands_alone(show: Any) -> None:
    page = show(po.parse("tea > water; cocoa"), title="Drinks & more")
    page.find_element("id", "save").click()
    saved = page.downloads / "drinks-more.svg"
    deadline = time.monotonic() + 10
    while not saved.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    root = ET.parse(saved).getroot()
    found = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"tea", "water", "cocoa"} <= found
    style = root.findtext("{http://www.w3.org/2000/svg}style") or ""
    assert ".box" in style
    assert "var(" not in style
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Drinks & more"


@pytest.mark.parametrize("text_of_order", ["", "a", "a > b > a; b > c ~ d"])
def test_small_and_odd_orders_are_shown(show: Any, text_of_order: str) -> None:
    G = po.parse(text_of_order)
    page = show(G)
    boxes = page.find_elements("css selector", ".node")
    assert len(boxes) == {0: 0, 1: 1, 4: 2}[len(G)]
    assert ("no pair to decide" in text(page, "#summary")) == (len(G) < 2)
    for each in boxes:
        point_at(page, each)
        assert text(page, "#details h2") != ""


def test_a_phone_sees_all_without_scrolling_aside(show: Any) -> None:
    page = show(None, preferences=relation(VOTES), target=po.from_ranking(TARGET))
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    page.refresh()
    assert page.execute_script("return document.documentElement.scrollWidth") <= 400
    assert page.execute_script("return document.getElementById('diagram').clientHeight") > 300


def test_lines_tell_their_evidence_and_stops_what_was_dropped(show: Callable[..., Any]) -> None:
    G = nx.DiGraph()
    for u, v, support, against in (("a", "b", 9, 1), ("b", "c", 8, 0), ("c", "a", 7, 2)):
        G.add_edge(u, v, support=support, against=against)
    browser = show(None, preferences=po.feedback_relation(G), impossible="drop")
    titles = "return [...document.querySelectorAll('.sense title')].map(each => each.textContent)"
    assert "b > c: 8 for, 0 against, degree 9/10" in browser.execute_script(titles)
    slider = browser.find_element("id", "threshold")
    assert slider.get_property("value") == "1"
    browser.execute_script(
        "arguments[0].value = 0; arguments[0].dispatchEvent(new Event('input'))", slider
    )
    assert "1 pair dropped: contradictions to stronger ones." in text(browser, "#said")
    assert "a > b: 9 for, 1 against, degree 5/6" in browser.execute_script(titles)
    assert len(browser.find_elements("css selector", "#curve .stop.dropped")) == 1
