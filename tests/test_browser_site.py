"""Pages of the built site, in `docs/_build/html`: few screens, and one door to teaching."""

import re
from pathlib import Path
from typing import Any

import pytest

SITE = Path(__file__).parents[1] / "docs" / "_build" / "html"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not SITE.exists(), reason="the site is not built"),
]
SCREEN = {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}
TELEPHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
#: How much wider and higher a page is than its frame.
HIDDEN = """
const page = document.documentElement;
return [page.scrollWidth - page.clientWidth, page.scrollHeight - page.clientHeight];
"""
PAGES = [
    page
    for folder, most in ((".", 12), ("howto", 3), ("course", 8), ("lectures", 8))
    for page in ((path, most) for path in sorted((SITE / folder).glob("*.html")))
    if page[0].stem not in ("genindex", "py-modindex", "search")
]


def test_pages_have_few_screens(browser: Any) -> None:
    long = []
    for page, most in PAGES:
        browser.get(page.as_uri())
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SCREEN)
        screens = browser.execute_script("return document.documentElement.scrollHeight") / 720
        long += [(page.name, round(screens, 1))] * (screens > most)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert long == []


def test_a_link_opens_the_folded_section(browser: Any) -> None:
    browser.get((SITE / "course" / "chains.html").as_uri())
    shown = "return [...document.querySelectorAll('details.part')].map((each) => each.open)"
    assert set(browser.execute_script(shown)) == {False}
    for count, part in enumerate(("quiz", "levels"), start=1):
        browser.execute_script("location.hash = arguments[0]", part)
        browser.execute_async_script("requestAnimationFrame(() => arguments[0]())")
        assert browser.execute_script(shown).count(True) == count
    browser.refresh()
    assert browser.execute_script(shown).count(True) == 1


def test_a_telephone_shows_all_of_the_tasks_on_a_page(browser: Any) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", TELEPHONE)
    for name in ("relations", "diagrams", "chains", "extensions"):
        browser.get((SITE / "course" / f"{name}.html").as_uri())
        browser.execute_script("document.querySelectorAll('details').forEach((x) => x.open = true)")
        for frame in browser.find_elements("css selector", "iframe.interactive"):
            browser.execute_script("arguments[0].scrollIntoView()", frame)
            browser.switch_to.frame(frame)
            browser.find_element("css selector", "#reveal").click()
            assert browser.execute_script(HIDDEN) == [0, 0], name
            browser.switch_to.default_content()
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_door_to_teaching_names_each_title_once() -> None:
    page = (SITE / "teach.html").read_text("utf-8")
    article = page.partition("<article")[2].partition("</article>")[0]
    links = re.findall(r'href="((?:course|lectures)/[a-z_]*\.html)"', article)
    assert len(links) == len(set(links)) == 14
    header = page.partition("<header")[2].partition("</header>")[0]
    assert re.findall(r"^ *(Teach|Course|Lectures|Slides)$", header, re.M) == ["Teach"]
