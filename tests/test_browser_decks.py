"""Slides and tasks of the course in a real browser: they fit, can be read, and answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mdit_py_plugins", reason="slides need what the site is made with: .[docs]")
from selenium.webdriver import ActionChains

import porank as po
from docs.decks.make import decks, slides
from docs.draw import draw_old
from docs.interactive_pages import PAGES, write_page
from docs.notebooks import lectures
from docs.tasks.make import read_tasks

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SCREEN = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}
TELEPHONE = SCREEN | {"width": 390, "height": 844, "mobile": True}
TASKS = [name for name, (_, write) in PAGES.items() if "prompt" in getattr(write, "keywords", {})]

MEASURED = """
const slide = document.querySelector("section.now"), [body] = slide.querySelectorAll(".body");
const parts = [body, ...body.querySelectorAll(".text"), ...slide.querySelectorAll("pre")];
const words = [...slide.querySelectorAll("*")].filter((each) => [...each.childNodes].some(
  (node) => node.nodeType === 3 && node.textContent.trim()));
const size = (each) => parseFloat(getComputedStyle(each).fontSize);
const scale = ({ a, b }) => Math.hypot(a, b);
const drawn = words.filter((each) => each.closest("svg") && each.getBoundingClientRect().width);
const set = words.filter((each) => !each.closest("svg, math"));
const smallest = () => Math.min(...drawn.map((each) => size(each) * scale(each.getScreenCTM())), 99);
const answered = smallest();
const measured = [
  parts.some((each) => each.scrollHeight > body.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1),
  Math.min(...set.filter((each) => !each.closest("code")).map(size)),
  Math.min(...set.filter((each) => each.closest("code")).map(size), 99),
  Math.min(...words.filter((each) => each.closest("math")).map(size), 99),
];
// A picture has less room while an answer is shown.
document.body.classList.remove("answers");
return [...measured, Math.min(answered, smallest())];
"""  # noqa: E501


#: Number of arrows that end below a box.
HIDDEN_HEADS = """
const rects = boxes.map((box) => box.querySelector("rect").getBoundingClientRect());
return [...document.querySelectorAll("svg polyline[marker-end]")].filter((arrow) => {
  const [from, end] = [...arrow.points].slice(-2).map((point) => point.matrixTransform(arrow.getScreenCTM()));
  const far = Math.hypot(from.x - end.x, from.y - end.y);
  // The middle of the head.
  const [x, y] = [end.x + 5 * (from.x - end.x) / far, end.y + 5 * (from.y - end.y) / far];
  return rects.some((box) => x > box.left && x < box.right && y > box.top && y < box.bottom);
}).length;
"""  # noqa: E501
#: What is wider than its frame.
SWIPED = """
const parts = [slides[now], ...slides[now].querySelectorAll(".text, pre, figure, table")];
const isWide = (each) => each.scrollWidth > Math.min(each.clientWidth, innerWidth) + 1;
return parts.filter(isWide).map((each) => each.outerHTML);
"""


@pytest.fixture(scope="module", autouse=True)
def what_slides_show_is_drawn() -> None:
    draw_old(lectures())


@cache
def text_of(deck: Path) -> str:
    return slides(deck, "interactive")


@pytest.mark.parametrize("deck", decks(), ids=lambda path: path.stem)
def test_each_slide_fits_the_screen_and_can_be_read(
    deck: Path, opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    (tmp_path / "interactive").mkdir()
    for name in PAGES:
        (tmp_path / "interactive" / f"{name}.html").write_text("<title>A page</title>", "utf-8")
    (tmp_path / "deck.html").write_text(text_of(deck), "utf-8")
    browser = opened(tmp_path / "deck.html")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SCREEN)
    for place in range(len(browser.find_elements("css selector", "section"))):
        browser.execute_script("show(arguments[0], true)", place)
        browser.execute_script("document.body.classList.add('answers')")
        too_large, text, code, formulas, drawn = browser.execute_script(MEASURED)
        assert (place + 1, too_large) == (place + 1, False)
        assert text >= 28
        assert code >= 22
        assert (place + 1, min(formulas, drawn) >= 16) == (place + 1, True)


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
@pytest.mark.parametrize("deck", decks(), ids=lambda path: path.stem)
def test_slides_can_be_read_on_a_telephone(
    deck: Path, size: tuple[int, int], opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    (tmp_path / "deck.html").write_text(text_of(deck), "utf-8")
    browser = opened(tmp_path / "deck.html")
    wide, high = size
    screen = TELEPHONE | {"width": wide, "height": high}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    for place in range(len(browser.find_elements("css selector", "section"))):
        browser.execute_script("show(arguments[0], true)", place)
        browser.execute_script("document.body.classList.add('answers')")
        _, *sizes = browser.execute_script(MEASURED)
        assert (place + 1, min(sizes) > 15.9) == (place + 1, True)
        assert (place + 1, browser.execute_script(SWIPED)) == (place + 1, [])


def test_answers_are_shown_on_a_key_and_left_out_of_the_handout(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    deck = next(deck for deck in decks() if deck.stem == "relations")
    (tmp_path / "deck.html").write_text(text_of(deck), "utf-8")
    browser = opened(tmp_path / "deck.html")
    browser.execute_script("show(slides.findIndex((x) => x.querySelector('.answer')), true)")
    shown = "return slides[now].querySelector('.answer').offsetHeight"
    keys = browser.find_element("css selector", "body").send_keys
    assert not browser.execute_script(shown)
    keys("a")
    assert browser.execute_script(shown)
    for with_answers in (False, True):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert bool(browser.execute_script(shown)) == with_answers
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        keys("A")


@pytest.mark.parametrize("name", TASKS)
def test_a_task_reveals_its_answer(
    name: str, opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    write_page(name, tmp_path / "task.html")
    browser = opened(tmp_path / "task.html")
    message = browser.find_element("css selector", "#message")
    before = message.text
    for box in browser.find_elements("css selector", "svg g")[:2]:
        box.click()
    assert message.text
    browser.find_element("css selector", "#reveal").click()
    assert message.text != before
    browser.find_element("css selector", "#restart").click()
    assert message.text == before


@pytest.mark.parametrize("name", TASKS)
def test_a_telephone_shows_all_of_a_task(
    name: str, opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    write_page(name, tmp_path / "task.html")
    browser = opened(tmp_path / "task.html")
    # The frame of a page or slide on a telephone.
    frame = TELEPHONE | {"width": 350, "height": 640}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", frame)
    browser.find_element("css selector", "#reveal").click()
    page = "return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert browser.execute_script(page) == [350, 640]
    shown = browser.execute_script(
        "return [...document.querySelectorAll('svg g, svg text, button')].map((each) => {"
        "  const box = each.getBoundingClientRect(), by = each.getScreenCTM?.().a ?? 1;"
        "  return [box.left, 350 - box.right, box.top, 640 - box.bottom,"
        "    by * parseFloat(getComputedStyle(each).fontSize) - 15.9]; })"
    )
    assert min(map(min, shown)) > 0


def test_a_prediction_is_answered_at_once_with_an_arrow(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    write_page("relations", tmp_path / "task.html")
    browser = opened(tmp_path / "task.html")
    box = {each.text: each for each in browser.find_elements("css selector", "svg g")}
    message = browser.find_element("css selector", "#message")
    said, drawn = [], []
    for u, v in (("soup", "fish"), ("fish", "soup"), ("pasta", "fish"), ("soup", "salad")):
        box[u].click()
        box[v].click()
        said.append(message.text.partition(".")[0])
        arrows = browser.find_elements("css selector", "svg polyline[marker-end]")
        drawn.append(sorted(each.get_attribute("class") for each in arrows))
        assert browser.execute_script(HIDDEN_HEADS) == 0
    assert said == [
        "Right: soup > fish follows",
        "The other way round: soup is above fish",
        "It does not follow: no path of lines leads from pasta down to fish",
        "There is a line for this pair already",
    ]
    # A wrong arrow goes at the next try.
    assert drawn == [["right"], ["right", "wrong"], ["right", "wrong"], ["right"]]
    counts = []
    for button in ("#reveal", "#reveal", "#restart"):
        browser.find_element("css selector", button).click()
        counts.append(len(browser.find_elements("css selector", "svg polyline")))
    assert counts == [4, 4, 0]


@pytest.mark.parametrize("name", ["relations", "chains", "extensions", "diagrams"])
def test_a_task_says_when_it_is_solved(
    name: str, opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    task = read_tasks()[name]
    order = po.parse(task["order"])
    write_page(name, tmp_path / "task.html")
    browser = opened(tmp_path / "task.html")
    boxes = browser.find_elements("css selector", "svg g")
    box = {each.get_attribute("aria-label"): each for each in boxes}
    message = browser.find_element("css selector", "#message")
    follows = po.transitive_closure(order).edges - order.edges
    changed = set(task.get("given", ())) ^ set(task.get("answer", ())) if name == "chains" else ()
    tries = {"relations": [*chain(*follows)], "chains": [*task.get("given", ()), *changed]}
    assert "Solved" not in message.text
    for item in tries.get(name, ()):
        assert "Solved" not in message.text
        box[item].click()
    for ranking in po.linear_extensions(order) if name not in tries else ():
        for place, item in enumerate(ranking):
            row = browser.find_elements("css selector", "#work button")
            row[[each.text for each in row].index(item)].click()
            row[place].click()
    assert "Solved" in message.text


def test_an_item_moves_to_the_place_that_is_clicked_next(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    write_page("extensions", tmp_path / "task.html")
    browser = opened(tmp_path / "task.html")
    for place in (3, 0):
        browser.find_elements("css selector", "#work button")[place].click()
    names = [each.text for each in browser.find_elements("css selector", "#work button")]
    assert names == ["Ann", "Dora", "Cem", "Ben"]


def test_page_keys_turn_slides_from_a_framed_page(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    deck = next(deck for deck in decks() if deck.stem == "relations")
    (tmp_path / "interactive").mkdir()
    write_page("relations", tmp_path / "interactive" / "relations.html")
    (tmp_path / "deck.html").write_text(text_of(deck), "utf-8")
    browser = opened(tmp_path / "deck.html")
    browser.execute_script("show(slides.findIndex((x) => x.querySelector('iframe')), true)")
    before = browser.execute_script("return now")
    browser.switch_to.frame(browser.find_element("css selector", "section.now iframe"))
    browser.find_element("css selector", "#reveal").send_keys("\ue00f")
    browser.switch_to.default_content()
    turned = "const done = arguments[0]; setTimeout(() => done(now), 100)"
    assert browser.execute_async_script(turned) == before + 1


#: Whether a framed page shows its diagrams whole, with names, and its numbers.
SEEN_IN_FRAME = """
const page = document.documentElement;
const parts = [...document.querySelectorAll("svg g.node, svg g[role=button], .name, #measures, #counts, #message")];
const boxes = parts.map((part) => part.getBoundingClientRect()).filter(({ height }) => height);
const isIn = ({ left, right, top, bottom }) => left >= 0 && top >= 0 && right <= page.clientWidth && bottom <= page.clientHeight;
return [boxes.length > 4, parts.filter((part) => part.getBoundingClientRect().height && !isIn(part.getBoundingClientRect())).map((part) => part.outerHTML.slice(0, 90)), !document.querySelector(".dotted")];
"""  # noqa: E501
FRAMED = [deck for deck in decks() if "{interactive}" in deck.read_text("utf-8")]
TURNED = "const done = arguments[0]; setTimeout(() => done(now), 100)"


@pytest.mark.parametrize("deck", FRAMED, ids=lambda path: path.stem)
def test_a_frame_on_a_slide_shows_its_diagram_whole_and_lets_the_page_keys_turn(
    deck: Path, opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    (tmp_path / "interactive").mkdir()
    for name in PAGES:
        write_page(name, tmp_path / "interactive" / f"{name}.html")
    (tmp_path / "deck.html").write_text(text_of(deck), "utf-8")
    browser = opened(tmp_path / "deck.html")
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SCREEN)
    framed = "return slides.flatMap((x, k) => x.querySelector('iframe') ? [k] : [])"
    for place in browser.execute_script(framed):
        browser.execute_script("show(arguments[0], true)", place)
        frame = browser.find_element("css selector", "section.now iframe")
        scale = browser.execute_script(
            "return new DOMMatrix(getComputedStyle(arguments[0]).transform).a", frame
        )
        browser.switch_to.frame(frame)
        assert browser.execute_script(SEEN_IN_FRAME) == [True, [], True]
        small = "return Math.min(...[...document.querySelectorAll('p, button, td')].map("
        small += "(each) => parseFloat(getComputedStyle(each).fontSize)))"
        assert scale * browser.execute_script(small) >= 16
        browser.find_element("css selector", "svg .node, svg g[role=button]").click()
        ActionChains(browser).send_keys("\ue00f").perform()
        browser.switch_to.default_content()
        assert browser.execute_async_script(TURNED) == place + 1
        # The slide that is shown now has the keys.
        browser.execute_script("show(now, true)")
        ActionChains(browser).send_keys(" ").perform()
        assert browser.execute_async_script(TURNED) == place + 2


@pytest.mark.parametrize("size", [(820, 1180), (844, 390)])
def test_a_tap_shows_the_answers(
    size: tuple[int, int], opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    deck = next(deck for deck in decks() if deck.stem == "relations")
    (tmp_path / "deck.html").write_text(text_of(deck), "utf-8")
    browser = opened(tmp_path / "deck.html")
    wide, high = size
    screen = TELEPHONE | {"width": wide, "height": high}
    hint = "return getComputedStyle(document.querySelector('footer div'), '::after').content"
    assert browser.execute_script(hint) == "none"
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    touched = {"enabled": True, "maxTouchPoints": 5}
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", touched)
    try:
        assert "Tap" in browser.execute_script(hint)
        browser.execute_script("show(slides.findIndex((x) => x.querySelector('.answer')), true)")
        place = browser.execute_script("return now")
        browser.execute_script("slides[now].querySelector('h2').click(); next()")
        assert browser.execute_script("return now") == place
        shown = "return slides[now].querySelector('.answer').offsetHeight"
        assert browser.execute_script(shown) or browser.execute_script("next()") is None
        assert browser.execute_script(shown)
    finally:
        browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_what_is_revealed_was_not_found(opened: Callable[[Path], Any], tmp_path: Path) -> None:
    write_page("relations", tmp_path / "task.html")
    browser = opened(tmp_path / "task.html")
    box = {each.text: each for each in browser.find_elements("css selector", "svg g")}
    message = browser.find_element("css selector", "#message")
    box["soup"].click()
    browser.find_element("css selector", "#reveal").click()
    assert "You found 0 of 4" in message.text
    assert browser.find_elements("css selector", ".picked") == []
    for item in ("soup", "fish"):
        box[item].click()
    assert message.text == "Right: soup > fish follows. 0 of 4 pairs found."
    write_page("chains", tmp_path / "task.html")
    opened(tmp_path / "task.html")
    browser.find_element("css selector", "#reveal").click()
    for answer in browser.find_elements("css selector", "svg g.answer"):
        answer.click()
    assert browser.find_element("css selector", "#message").text.endswith("It is the one revealed.")


def test_as_many_red_lines_are_counted_as_shown(
    opened: Callable[[Path], Any], tmp_path: Path
) -> None:
    write_page("diagrams", tmp_path / "task.html")
    browser = opened(tmp_path / "task.html")
    red = len(browser.find_elements("css selector", "svg line.bad"))
    said = browser.find_element("css selector", "#message").text
    assert (red, said.partition(".")[0]) == (6, "6 red lines")
