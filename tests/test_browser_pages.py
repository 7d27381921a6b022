"""The pages in a real browser: what a reader points at, types and moves, and what is then seen.

All tests share one headless Chromium, and are skipped where there is none.
"""

import itertools
import json
import math
import random
import re
from collections.abc import Callable
from functools import partial
from math import ceil, log2
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import networkx as nx
import pytest

import porank as po
from porank.drawing.page.page import framed
from tests.support.drawn import lightness, relation

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
ActionChains, Keys = webdriver.ActionChains, webdriver.Keys
pytestmark = [pytest.mark.browser, pytest.mark.slow]

VOTES = "abcdef", "abdcef", "bacdfe", "cbadef", "abcdfe"
PHONE = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True}


@pytest.fixture
def show(opened: Callable[[Path], Any], tmp_path: Path) -> Callable[..., Any]:
    """Return how to open the page of an order."""
    path = tmp_path / "page.html"

    def open_page(order: Any, **options: Any) -> Any:
        po.write_page(order, path, **options)
        return opened(path)

    return open_page


def all_of(browser: Any, selector: str, what: str = "textContent") -> list[Any]:
    """Return a property of all elements, or what a script says of each `x`."""
    each = what if re.search(r"\bx\b", what) else f"x.{what}"
    found: list[Any] = browser.execute_script(
        f"return [...document.querySelectorAll(arguments[0])].map(x => {each})", selector
    )
    return found


def text(browser: Any, selector: str) -> str:
    found: str = all_of(browser, selector)[0]
    return found


def names(browser: Any, state: str = "item") -> list[str]:
    """Return the names of the boxes in a state."""
    selector = f"#diagram .node.{state}"
    return sorted(all_of(browser, selector, "getAttribute('aria-label').split(':')[0]"))


def box(browser: Any, name: str) -> Any:
    return browser.find_element("css selector", f"g.node[aria-label^={json.dumps(name + ':')}]")


def press(browser: Any, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def point_at(browser: Any, element: Any) -> None:
    ActionChains(browser, duration=0).move_to_element(element).perform()


def pick(browser: Any, *items: str) -> None:
    """Click one box after the other, the later ones with Shift."""
    box(browser, items[0]).click()
    for item in items[1:]:
        hand = ActionChains(browser, duration=0).key_down(Keys.SHIFT)
        hand.click(box(browser, item)).key_up(Keys.SHIFT).perform()


def control(browser: Any, name: str) -> Any:
    """Return a control, unfolded if it is under "More"."""
    found = browser.find_element("id", name)
    browser.execute_script("arguments[0].closest('details')?.setAttribute('open', '')", found)
    return found


def choose(browser: Any, name: str, value: str) -> None:
    """Choose a value of a list, as a reader does."""
    from selenium.webdriver.support.ui import Select

    Select(control(browser, name)).select_by_value(value)


def click(browser: Any, name: str) -> None:
    control(browser, name).click()


def wait_for(browser: Any, condition: Callable[[Any], Any]) -> None:
    """Wait until a condition holds: the page moves, or the browser writes a file."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 10, poll_frequency=0.02).until(condition)


def start_anew(browser: Any) -> None:
    """Bring the page to where it begins."""
    press(browser, Keys.ESCAPE)
    browser.execute_script("history.replaceState(null, '', '#')")
    browser.refresh()


def window_of(browser: Any) -> list[float]:
    """Return which part of the diagram is seen."""
    return list(map(float, all_of(browser, "#diagram", "getAttribute('viewBox')")[0].split()))


def points_of(browser: Any, selector: str) -> list[tuple[float, float]]:
    """Return the dots of an overview, or of those that stand out, in the drawing."""
    paths = all_of(browser, f"#diagram {selector}", "getAttribute('d')")
    points = [each for path in paths for each in path.split("M")[1:]]
    return [(float(x), float(y)) for x, y in (point[:-2].split() for point in points)]


def test_pointing_shows_what_is_above_and_below(show: Any) -> None:
    page = show(po.parse(""))
    assert "no pair to decide" in text(page, "#summary")
    G = po.parse("a > b > c; a > d > e; b > f; x")
    page, intervals = show(G), po.rank_intervals(G)
    for item in "abcdefx":
        point_at(page, box(page, item))
        assert names(page, "chosen") == [item]
        for state, around in (("up", po.up_set(G, item)), ("down", po.down_set(G, item))):
            assert names(page, state) == sorted(map(str, around))
        best, worst = intervals[item]
        ranks = f"Ranks {best} to {worst} of 7" if best < worst else f"Rank {best} of 7"
        assert text(page, "#details h2") + text(page, ".ranks") == item + ranks
    point_at(page, page.find_element("tag name", "h1"))
    assert names(page, "chosen") == names(page, "up") == []


def test_keys_walk_along_the_lines_and_two_items_are_compared(show: Any) -> None:
    G = po.parse("a > b > c; a > d > e; x > d")
    page = show(G)
    page.find_element("id", "search").send_keys(Keys.TAB)
    press(page, Keys.ARROW_DOWN)
    assert names(page, "chosen") == ["a"]
    press(page, Keys.ARROW_DOWN)
    assert names(page, "chosen")[0] in "bd"
    press(page, Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert names(page, "chosen") == ["d"]
    (active,) = all_of(page, "#diagram", "getAttribute('aria-activedescendant')")
    label = page.find_element("id", active).get_attribute("aria-label")
    assert text(page, "#voice") == label == "d: ranks 3 to 5 of 6, 2 above, 1 below"
    press(page, Keys.ENTER)
    assert box(page, "d").get_attribute("aria-selected") == "true"
    press(page, Keys.ARROW_UP, "f")
    assert set(names(page)) < set(G)
    start_anew(page)
    assert (names(page), names(page, "chosen")) == (sorted(G), [])
    # Of two selected items a chain and what lies between are shown.
    pick(page, "e", "a")
    assert text(page, "#details h2") == "a over e"
    assert names(page, "chosen") == ["a", "d", "e"]
    press(page, Keys.ESCAPE)
    box(page, "x").click()
    click(page, "second")
    box(page, "b").click()
    assert "Not comparable" in text(page, "#details")


def test_the_slider_moves_the_threshold_and_all_that_follows(show: Any) -> None:
    P, target = relation(VOTES), po.from_ranking("abcdfe")
    page = show(P, target=target)
    points = [point for point in po.abstention_curve(P, target) if point.is_acyclic]
    kinds = ("concordant", "discordant", "target_only", "predicted_only", "neither")
    assert len(points) == 3
    slider = page.find_element("id", "threshold")
    slider.send_keys(Keys.HOME)
    for number, point in enumerate(points):
        if number:
            slider.send_keys(Keys.ARROW_RIGHT)
        order = po.predict_order(P, alpha=point.alpha)
        assert text(page, "#alpha") == f"Threshold: at least {5 * point.alpha} of 5 agree"
        where = f" {order.number_of_edges()} of 15 pairs decided at threshold {point.alpha},"
        assert where in text(page, "#summary")
        assert float(text(page, "#correctness")) == round(po.correctness(target, order), 4)
        assert float(text(page, "#completeness")) == round(po.completeness(target, order), 4)
        table = po.pair_table(target, order)
        counts = [int(text(page, f"#counts [data-kind={kind}] b")) for kind in kinds]
        assert counts == [getattr(table, kind) for kind in kinds]
        point_at(page, box(page, "c"))
        assert names(page, "up") == sorted(map(str, po.up_set(order, "c")))


def test_lines_of_another_threshold_are_gone(show: Any) -> None:
    rng, found, gone = random.Random(0), [], "#diagram .line.gone"
    for n, spread in ((20, 2), (60, 12), (160, 40)):
        votes = [sorted(range(n), key=lambda k: k + rng.gauss(0, spread)) for _ in range(15)]
        page = show(po.preference_relation(map(po.from_ranking, votes)))
        page.find_element("id", "search").send_keys("3", Keys.ENTER)
        page.find_element("id", "threshold").send_keys(Keys.END)
        found.append(len(all_of(page, gone)))
        wait_for(page, lambda page: {*all_of(page, gone, "getComputedStyle(x).opacity")} <= {"0"})
    assert found == [1, 1, 0], "an overview has none"


def test_captions_are_of_the_levels_shown(show: Any) -> None:
    rng = random.Random(0)
    votes = [sorted(range(160), key=lambda k: k + rng.gauss(0, 40)) for _ in range(5)]
    page = show(po.preference_relation(map(po.from_ranking, votes)))

    def captions() -> list[str]:
        return [each for each in all_of(page, "#diagram .label.level") if "level" in each]

    n_levels = int(re.findall(r"(\d+) level", text(page, "#summary"))[0])
    assert 0 < len(captions()) <= n_levels
    page.find_element("id", "threshold").send_keys(Keys.END)
    wait_for(page, lambda page: f", {n_levels} level" not in text(page, "#summary"))
    wait_for(page, lambda _: captions() == [])


def test_a_target_has_its_counts(show: Any) -> None:
    page = show(po.parse("a ~ b > c ~ d; e"), target=po.parse("a > b > c > d > e"))
    assert text(page, "#counts [data-kind=target_only] b") == "6"
    assert text(page, "#tied") == "2 of the missing pairs are tied in the order."
    page = show(po.parse("a ~ b > c"), target=po.parse("a > b > c"))
    assert text(page, "#tied") == "1 of the missing pairs is tied in the order."


def test_search_lists_all_and_leads_there_among_a_thousand(show: Any) -> None:
    page = show(po.from_pairs([(f"item {k // 3}", f"item {k}") for k in range(1, 1000)]))
    assert "point at an item to see its lines" in text(page, "#how")
    assert 5 < len(all_of(page, "#diagram .label")) < 400
    press(page, "/")
    press(page, "M 50")
    assert all_of(page, "#found button") == ["item 50", *(f"item 50{k}" for k in range(10))]
    press(page, "7", Keys.ENTER)
    assert text(page, "#count") == "1 found"
    assert text(page, "#details h2") == "item 507"
    x, y, wide, high = window_of(page)
    wait_for(page, lambda page: points_of(page, ".spot.chosen"))
    ((across, down),) = points_of(page, ".spot.chosen")
    assert abs(across - x - wide / 2) < wide / 2 - 40
    assert abs(down - y - high / 2) < high / 2 - 20
    press(page, Keys.ESCAPE)
    press(page, "/")
    press(page, "nothing")
    assert text(page, "#count") == "no items found"


def move_to(browser: Any, place: tuple[float, float]) -> None:
    """Move the mouse to a place of the drawing."""
    x, y, wide, high = window_of(browser)
    stage = browser.find_element("css selector", ".stage")
    across = stage.rect["width"] * ((place[0] - x) / wide - 0.5)
    down = stage.rect["height"] * ((place[1] - y) / high - 0.5)
    hand = ActionChains(browser, duration=0)
    hand.move_to_element_with_offset(stage, round(across), round(down)).perform()


def test_an_overview_shows_each_item_once_and_what_is_around_it(show: Any) -> None:
    wide = nx.DiGraph([*((0, k) for k in range(1, 599)), (598, 599)])
    for G in (po.random_order(600, dimension=2, seed=3), wide, po.chain(600)):
        page = show(G)
        points = points_of(page, ".bands .dot")
        assert len(set(points)) == 600
        heights = sorted(y for _, y in points)
        ends = list(itertools.accumulate(map(len, po.levels(G))))[:-1]
        assert all(heights[end - 1] < heights[end] for end in ends), "levels are apart"
        assert len(all_of(page, "#diagram .band")) == (G is wide)
        for place in (points[0], points[300], points[-1]):
            move_to(page, place)
            wait_for(page, lambda page: all_of(page, "#details h2"))
            item = int(text(page, "#details h2"))
            assert len(points_of(page, ".spot.up")) == len(po.up_set(G, item))
            assert len(points_of(page, ".spot.down")) == len(po.down_set(G, item))


def test_a_focus_shows_what_lies_so_many_covers_away(show: Any) -> None:
    G = po.random_order(20, dimension=2, seed=5)
    page, covers = show(G), po.transitive_reduction(G)
    item = sorted(G, key=lambda item: len(po.up_set(G, item)))[10]
    for within in (0, 1, 2):
        start_anew(page)
        choose(page, "within", str(within))
        box(page, str(item)).click()
        click(page, "focus")
        expected = {
            each
            for way in (covers, covers.reverse())
            for each in nx.ego_graph(way, item, within or 20)
        }
        assert set(map(int, names(page))) == expected
        assert f"{len(expected)} of 20 items" in text(page, "#number")
        drawn = all_of(page, "#diagram .base", "getAttribute('d').split('M').length - 1")
        induced = po.transitive_reduction(po.restrict(G, expected))
        assert sum(drawn) == induced.number_of_edges()


def test_what_is_set_is_in_the_address(show: Any) -> None:
    G = po.parse("a > b > c; a > d > e; x")
    page = show(G)
    box(page, "b").click()
    click(page, "focus")
    assert names(page) == ["a", "b", "c"]
    address = page.current_url
    page.get("about:blank")
    page.get(address)
    assert (names(page), names(page, "picked")) == (["a", "b", "c"], ["b"])
    click(page, "all")
    assert names(page) == sorted(G)
    for absurd in ("%", "[1]", '{"picked":[99]}', '{"focus":99}', '{"stop":7}'):
        page.get(f"{address.split('#')[0]}#{absurd}")
        page.refresh()
        assert names(page) == sorted(G)
        assert text(page, "#number") == ""


def test_on_a_phone_no_name_is_cut_at_the_edge_and_long_ones_have_two_lines(show: Any) -> None:
    names = [f"{k} lazy dogs, which have a long name" for k in range(20)]
    page = show(nx.DiGraph(("fox", name) for name in names))
    assert len(box(page, names[-1]).find_elements("css selector", "tspan")) == 2
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    page.refresh()
    named = "x.textContent ? [x.getBoundingClientRect().left, x.getBoundingClientRect().right] : 0"
    spans = [span for span in all_of(page, ".name", named) if span]
    stage = page.find_element("css selector", ".stage").rect
    edges = stage["x"], stage["x"] + stage["width"]
    assert all(edges[0] <= left and right <= edges[1] for left, right in spans)
    assert all_of(page, "html", "scrollWidth")[0] <= 400
    assert all_of(page, "#diagram", "clientHeight")[0] > 300


@pytest.mark.parametrize("order", [po.divisor_lattice(60), po.parse("e > b > c > a > d")], ids=len)
def test_on_a_phone_each_name_is_as_large_as_text(show: Any, order: Any) -> None:
    page = show(order)
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE | {"height": 500})
    page.refresh()
    size = "parseFloat(getComputedStyle(x).fontSize) * x.getScreenCTM().a"
    seen = "getComputedStyle(x).visibility == 'visible' && x.textContent"
    sizes = [each for each in all_of(page, "#diagram text", f"{seen} ? {size} : 0") if each]
    assert len(sizes) == len(order)
    assert min(sizes) >= 15.99


def touch(browser: Any, kind: str, *fingers: tuple[float, float]) -> None:
    """Let fingers touch the screen, move on it or leave it, as a touch screen reports it."""
    points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(fingers)]
    event = {"type": f"touch{kind}", "touchPoints": points}
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)


def seen_at(browser: Any, x: float) -> float:
    """Return what of the drawing is at this place of the screen, from left to right."""
    left, _, wide, _ = window_of(browser)
    stage = browser.find_element("id", "diagram").rect
    return float(left + wide * (x - stage["x"]) / stage["width"])


def test_fingers_tap_move_and_stretch(show: Any) -> None:
    for G in (po.parse("a > b > c; d"), po.random_order(400, dimension=2, seed=1)):
        page, y = show(G), 400
        before = seen_at(page, 500)
        touch(page, "Start", (500, y))
        touch(page, "Move", (460, y))
        touch(page, "End")
        assert seen_at(page, 460) == pytest.approx(before, abs=1)
        before, high = seen_at(page, 520), window_of(page)[3]
        touch(page, "Start", (500, y), (540, y))
        touch(page, "Move", (480, y), (560, y))
        touch(page, "End")
        assert seen_at(page, 520) == pytest.approx(before, abs=1), "the middle stays"
        assert window_of(page)[3] == pytest.approx(high / 2, abs=1)
    page = show(po.parse("a > b > c; d"))
    name = box(page, "b").rect
    touch(page, "Start", (name["x"] - 6, name["y"] + name["height"] / 2))
    touch(page, "End")
    wait_for(page, lambda page: names(page, "picked") == ["b"])


def test_a_frame_leaves_the_wheel_and_one_finger_to_the_page_around_it(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    po.write_page(po.parse("a > b > c"), tmp_path / "page.html")
    frame = framed((tmp_path / "page.html").read_text("utf-8"), title="An order", height=500)
    (tmp_path / "report.html").write_text(f"{frame}<p style='height: 2000px'></p>", "utf-8")
    page = opened(tmp_path / "report.html")
    shown = "document.querySelector('iframe').contentDocument.querySelector('#diagram')"

    def found() -> tuple[float, list[float]]:
        box = page.execute_script(f"return {shown}.getAttribute('viewBox')")
        return page.execute_script("return scrollY"), [float(part) for part in box.split()]

    def turn(modifiers: int) -> None:
        wheel = {"type": "mouseWheel", "x": 300, "y": 300, "deltaX": 0, "deltaY": 100}
        page.execute_cdp_cmd("Input.dispatchMouseEvent", wheel | {"modifiers": modifiers})

    def drag(*fingers: tuple[int, int]) -> None:
        touch(page, "Start", *fingers)
        for k in range(1, 10):
            touch(page, "Move", *((x, y - 15 * k) for x, y in fingers))
        touch(page, "End")

    wait_for(page, lambda page: page.execute_script(f"return {shown}?.getAttribute('viewBox')"))
    before = found()[1]
    turn(2)
    wait_for(page, lambda _: found()[1][2] > before[2])
    assert found()[0] == 0, "Ctrl zooms"
    before = found()[1]
    drag((250, 400), (350, 400))
    wait_for(page, lambda _: found()[1][1] > before[1])
    assert found()[0] == 0, "two fingers move the diagram"
    before = found()[1]
    for scroll in (partial(turn, 0), partial(drag, (300, 400))):
        scroll()
        wait_for(page, lambda _: found()[0] > 20)
        assert found()[1] == before, "the diagram stays"
        page.execute_script("scrollTo(0, 0)")


#: Whether a control is too small for a finger; some are hidden.
SMALL = "((r) => r.width && (r.width < 40 || r.height < 40))(x.getBoundingClientRect())"


def test_on_every_screen_fingers_reach_all_controls(opened: Any, tmp_path: Path) -> None:
    paths, G = [tmp_path / f"{k}.html" for k in range(4)], po.random_order(40, dimension=2, seed=0)
    po.write_page(relation(VOTES), paths[0], target=po.from_ranking("abcdef"))
    po.write_comparison_page(G, po.dual(G), paths[1])
    po.write_voting_page("abc", paths[2])
    tastes = {f"item {k}": 1.2**k for k in range(30)}
    po.explore(po.simulate_log(tastes, 300, seed=1)).write(paths[3])
    for path, wide in itertools.product(paths, (1280, 820, 390)):
        page = opened(path)
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE | {"width": wide})
        page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        all_of(page, "details", "open = true")
        assert not any(all_of(page, "button, select, input, summary, a", SMALL)), wide
        assert page.execute_script("return document.scrollingElement.scrollWidth") == wide
        page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_no_name_and_no_other_script_is_run(show: Any, browser: Any) -> None:
    nasty = ["<script>window.ran=1</script>", "</script><img src=x onerror=window.ran=1>", "قهوة"]
    page = show(po.from_ranking(nasty), title="</title><script>window.ran=1</script>")
    assert page.title == "</title><script>window.ran=1</script>"
    point_at(page, box(page, nasty[1]))
    assert text(page, "#details h2") == nasty[1]
    assert text(page, "#details .up + .names") == nasty[0]
    assert all_of(page, "img, #diagram script, #details script") == []
    page.execute_script(
        "const script = document.createElement('script');"
        "script.textContent = 'window.ran = 1'; document.body.append(script);"
    )
    assert page.execute_script("return window.ran") is None
    (complaint,) = browser.get_log("browser")
    assert "Content Security Policy" in complaint["message"]


def test_dark_light_and_paper(show: Any) -> None:
    def style(name: str) -> str:
        found: str = all_of(page, "html", f"getComputedStyle(x).getPropertyValue('--{name}')")[0]
        return found.strip()

    page = show(po.parse("a > b"))
    light, dark = style("ink"), {"name": "prefers-color-scheme", "value": "dark"}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [dark]})
    assert style("ink") != light
    # On dark ground agreement is the least visible.
    found = [style(kind) for kind in ("concordant", "discordant", "target-only", "predicted-only")]
    assert min(map(lightness, found)) == lightness(found[0])
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [dark]})
    assert style("ink") == light
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_lines_tell_their_evidence(show: Any) -> None:
    G = nx.DiGraph()
    for u, v, support, against in (("a", "b", 9, 1), ("b", "c", 8, 0), ("c", "a", 7, 2)):
        G.add_edge(u, v, support=support, against=against)
    page = show(po.feedback_relation(G))
    pick(page, "b", "c")
    assert "b > c: degree 9/10, 8 for, 0 against" in text(page, "#details")


def test_the_frame_of_the_order_in_a_report_runs(opened: Any, tmp_path: Path) -> None:
    tastes = {"tea": 8, "milk": 4, "<b>cocoa": 2, "water & ice": 1}
    found = po.explore(po.simulate_log(tastes, 300, seed=3))
    found.write(tmp_path / "report.html")
    page = opened(tmp_path / "report.html")
    assert len(all_of(page, "section")) == 9
    page.switch_to.frame(page.find_element("tag name", "iframe"))
    assert set(tastes) <= set(all_of(page, "svg text"))
    page.switch_to.default_content()


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


def shown(browser: Any) -> dict[str, str]:
    """The counts and measures that the page shows."""
    found: dict[str, str] = browser.execute_script(
        """return Object.fromEntries([...document.querySelectorAll("[data-count], [data-measure]")]
          .map((x) => [x.dataset.count ?? x.dataset.measure, x.textContent]));"""
    )
    return found


def related(P: nx.DiGraph, u: str, v: str, relation: str) -> nx.DiGraph:
    """The closed prediction once a pair without an item between is related otherwise."""
    pairs = [pair for pair in P.edges if set(pair) != {u, v}]
    new = {"above": [(u, v)], "below": [(v, u)], "open": []}[relation]
    return po.transitive_closure(po.from_pairs(pairs + new, items=P))


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


def test_numbers_and_both_diagrams_follow_what_is_changed(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    rng, names, path = random.Random(0), dict(enumerate("abcdef")), tmp_path / "page.html"
    for seed in range(3):
        target = nx.relabel_nodes(po.random_order(6, dimension=2, seed=seed), names)
        order = nx.relabel_nodes(po.random_order(6, dimension=3, seed=seed + 50), names)
        predicted = begin = po.transitive_closure(order)
        po.write_comparison_page(target, predicted, path)
        browser, changes = opened(path), 0
        require_same(browser, target, predicted)
        for _ in range(8):
            u, v = rng.sample("abcdef", 2)
            for item in (u, v):
                browser.find_element("css selector", f"#predicted [aria-label^='{item}:']").click()
            relation = rng.choice(["above", "below", "open"])
            is_above, is_below = predicted.has_edge(u, v), predicted.has_edge(v, u)
            now = "above" if is_above else "below" if is_below else "open"
            between = sum(
                (nx.has_path(predicted, u, k) and nx.has_path(predicted, k, v))
                or (nx.has_path(predicted, v, k) and nx.has_path(predicted, k, u))
                for k in set("abcdef") - {u, v}
            )
            choice = browser.find_element("id", "relation")
            assert (choice.get_property("value"), choice.is_enabled()) == (now, not between)
            if not between and relation != now:
                choose(browser, "relation", relation)
                predicted, changes = related(predicted, u, v, relation), changes + 1
            require_same(browser, target, predicted)
            for each, G in (("target", target), ("predicted", predicted)):
                drawn = all_of(
                    browser, f"#{each} .base:not(.head)", "getAttribute('d').split('M').length - 1"
                )
                assert sum(drawn) == po.transitive_reduction(G).number_of_edges()
        for _ in range(changes):
            click(browser, "undo")
        # All is taken back, and beyond that nothing.
        require_same(browser, target, begin)
        assert not browser.find_element("id", "undo").is_enabled()


def test_items_in_no_pair_are_as_in_the_target(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    path = tmp_path / "page.html"

    def cells(name: str) -> dict[str, tuple[int, int]]:
        """Return the column and the row of each such item."""
        what = "[x.getAttribute('aria-label').split(':')[0], x.getAttribute('transform')]"
        found = dict(all_of(page, f"#{name} .node[aria-label^='x']", what))
        places = {key: re.findall(r"-?[\d.]+", move) for key, move in found.items()}
        columns, rows = (
            sorted({float(z) for z in side}) for side in zip(*places.values(), strict=True)
        )
        return {k: (columns.index(float(x)), rows.index(float(y))) for k, (x, y) in places.items()}

    for order, n in (("a > b", 3), ("a > b", 25), ("a > b > c > d", 12), ("x25", 25)):
        G = po.parse("; ".join([order, *(f"x{k}" for k in range(n))]))
        po.write_comparison_page(G, G, path)
        page = opened(path)
        assert cells("predicted") == cells("target")
        frames = [len(all_of(page, f"#{name} .frame")) for name in ("target", "predicted")]
        assert frames == [n > 5, n > 5]


def test_among_many_lines_only_those_that_agree_are_faded(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    layers = [[f"{side}{k}" for k in range(30)] for side in "ab"]
    target, path = po.from_levels(layers), tmp_path / "page.html"
    agreed = [(u, v) for u, v in target.edges if u != "a0" and v != "b0"]
    predicted = po.from_pairs([*agreed, ("b0", "a0"), ("b0", "b1")])
    po.write_comparison_page(target, predicted, path)
    page = opened(path)
    kind = "[x.classList[2], getComputedStyle(x).opacity]"
    kinds = all_of(page, "#predicted .line.base", kind)
    assert kinds == [["concordant", "0.45"], ["predicted_only", "1"], ["discordant", "1"]]
    assert ["target_only", "1"] in all_of(page, "#target .line.base", kind)


NAMES = ["tea", "a > b", "żółć", "<i>", "milk", "mate", "cocoa", "water", "juice"]


@pytest.fixture
def vote(opened: Callable[[Path], Any], tmp_path: Path) -> Callable[[list[Any]], Any]:
    """Return what opens the page that sorts some items by asking."""

    def write(items: list[Any]) -> Any:
        po.write_voting_page(items, tmp_path / "vote.html", title="A vote")
        return opened(tmp_path / "vote.html")

    return write


def asked_for(page: Any) -> list[str]:
    """The two items in question; none at the end."""
    choices = page.find_elements("css selector", "#asked:not([hidden]) .choice")
    return [choice.text for choice in choices]


def answer(page: Any, sign: str) -> None:
    page.find_element("css selector", f"[data-sign='{sign}']").click()


def saved_order(page: Any) -> Any:
    """The order that the page saves."""
    link = page.find_element("id", "save").get_attribute("href")
    return po.parse(unquote(link.partition(",")[2]))


def test_clicks_lead_to_the_ranking_that_one_has_in_mind(vote: Any) -> None:
    level = {name: place // 2 for place, name in enumerate(NAMES)}
    page, asked = vote(NAMES), 0
    while pair := asked_for(page):
        u, v = map(level.__getitem__, pair)
        answer(page, ">" if u < v else "<" if u > v else "~")
        asked += 1
    assert asked <= sum(ceil(log2(k)) for k in range(2, len(NAMES) + 1))
    assert po.from_ranks(level).edges <= po.transitive_closure(saved_order(page)).edges
    assert po.describe(saved_order(page)).ties == 4
    listed = [item.text for item in page.find_elements("css selector", "#order li")]
    assert [{*row.split(" ~ ")} for row in listed] == [
        {name for name in NAMES if level[name] == k} for k in range(5)
    ]
    assert "tea" in page.find_element("id", "voice").text


def test_answers_are_taken_back_and_survive_a_reload(vote: Any) -> None:
    page = vote(["a", "b", "c"])
    first = asked_for(page)
    answer(page, ">")
    second = asked_for(page)
    page.refresh()
    assert asked_for(page) == second
    answer(page, "u")
    assert asked_for(page) == first != second
    answer(page, "u")
    assert asked_for(page) == first
    assert po.format_order(saved_order(page)) == "a; b; c"
    answer(page, ">")
    address = page.current_url.partition("#")[2]
    page = vote(["a", "b", "d"])
    page.get(f"{page.current_url.partition('#')[0]}#{address}")
    page.refresh()
    assert po.format_order(saved_order(page)) == "a; b; d"


@pytest.mark.parametrize(
    ("kept", "order"),
    [("7", "a; b; c"), ("abc", "a; b; c"), ("1x0", "a > b; c"), ("1" * 99, "a > b > c")],
)
def test_a_damaged_address_leaves_the_answers_that_can_be_read(
    vote: Any, kept: str, order: str
) -> None:
    page = vote(["a", "b", "c"])
    start, key = page.current_url.rstrip(".").split("#")
    page.get(f"{start}#{key}.{kept}")
    page.refresh()
    assert po.format_order(saved_order(page)) == order
    # Questions go on where the answers end.
    while asked_for(page):
        answer(page, "<")
    assert po.transitive_closure(saved_order(page)).size() == 3


def test_items_that_one_knows_are_ranked_whatever_else_one_does_not_know(vote: Any) -> None:
    for known in (c for size in range(5) for c in itertools.combinations("abcd", size)):
        page = vote(list("abcd"))
        while pair := asked_for(page):
            answer(page, "?" if not {*pair} <= {*known} else ">" if pair[0] > pair[1] else "<")
        order = po.transitive_closure(saved_order(page))
        assert {*order.edges} == {(u, v) for v, u in itertools.combinations(known, 2)}
        ranked = [item.text for item in page.find_elements("css selector", "#order li")]
        assert ranked == [*reversed(known)] * (len(known) > 1)
        aside = ", ".join(item for item in "abcd" if item not in ranked)
        assert page.find_element("id", "aside").text == f"Set aside: {aside}" * bool(aside)


def test_long_names_are_broken_on_a_telephone(vote: Any) -> None:
    page = vote(["a" * 200, "b" * 200])
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    answer(page, "~")
    assert page.execute_script("return document.documentElement.scrollWidth") == PHONE["width"]
    assert page.switch_to.active_element.text == "Save the order"
