"""The page in a real browser: what a reader points at, types and moves, and what is then seen.

All tests share one headless Chromium, and are skipped where there is none.
"""

from __future__ import annotations

import json
import re
import shutil
import time
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

import porank as po

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = [pytest.mark.browser, pytest.mark.slow]

VOTES = "abcdef", "abdcef", "bacdfe", "cbadef", "abcdfe"
TARGET = "abcdfe"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    driver_path = shutil.which("chromedriver")
    if binary is None or driver_path is None:
        pytest.skip("chromium or chromedriver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{argument}")
    options.add_argument("--window-size=1200,800")
    folder = tmp_path_factory.mktemp("downloads")
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=driver_path)
    driver = webdriver.Chrome(options=options, service=service)
    driver.downloads = folder
    yield driver
    driver.quit()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return how to open a page; afterwards nothing was complained of and nothing was fetched."""
    path = tmp_path / "page.html"
    browser.get_log("browser")
    browser.get_log("performance")

    def open_page(order: Any, **options: Any) -> Any:
        po.write_page(order, path, **options)
        browser.get(path.as_uri())
        return browser

    yield open_page
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    fetched = {
        message["params"]["request"]["url"].split(":")[0]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    }
    assert fetched <= {"file", "blob", "data"}


def relation(votes: Any = VOTES) -> po.PreferenceRelation:
    return po.preference_relation([po.from_ranking(vote) for vote in votes])


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

    P, target = relation(), po.from_ranking(TARGET)
    page = show(None, preferences=P, target=target)
    points = [point for point in po.abstention_curve(P, target) if point.is_acyclic]
    assert len(points) == 3
    seen = set()
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
        seen.add((here.get_attribute("cx"), here.get_attribute("cy")))
    assert len(seen) == 3
    stop = page.find_element("css selector", "#curve .stop")
    page.execute_script("arguments[0].dispatchEvent(new MouseEvent('click'))", stop)
    assert text(page, "#alpha") == str(points[0].alpha)


def test_the_overlay_draws_the_lines_of_the_comparison(show: Any) -> None:
    from porank.drawing.differences import drawn_lines
    from porank.measures.pairing import pair_up

    target, predicted = po.load_example("table1-corrected")
    page = show(predicted, target=target)
    assert page.find_elements("css selector", "#diagram .discordant") == []
    page.find_element("id", "overlay").click()
    drawn = page.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('#diagram path.line')].map("
        "path => [path.classList[2], path.getAttribute('d').split('M').length - 1]))"
    )
    lines = drawn_lines(pair_up(target, predicted))
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


def test_search_finds_and_centres_among_a_thousand(show: Any) -> None:
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
        middles = [each[side] + each[size] / 2 for each in (here, stage)]
        assert abs(middles[0] - middles[1]) < 40
    assert box(page, "item 500").text == "item 500"
    press(page, Keys.ESCAPE)
    assert (names(page, "chosen"), names(page, "found")) == ([], [])
    press(page, "/")
    press(page, "nothing")
    assert text(page, "#count") == "none found"


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
    for each in boxes:
        point_at(page, each)
        assert text(page, "#details h2") != ""


def test_a_phone_sees_all_without_scrolling_aside(show: Any) -> None:
    page = show(None, preferences=relation(), target=po.from_ranking(TARGET))
    metrics = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.refresh()
    assert page.execute_script("return document.documentElement.scrollWidth") <= 400
    assert page.execute_script("return document.getElementById('diagram').clientHeight") > 300
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
