"""The page in a notebook: a frame without anywidget, and with it a widget that goes both ways."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import porank as po
from porank.drawing.page import notebook
from tests.drawn import relation

VOTES = "abcdef", "abdcef", "bacdfe", "cbadef", "abcdfe"
HAS_WIDGETS = importlib.util.find_spec("anywidget") is not None
needs_widgets = pytest.mark.skipif(not HAS_WIDGETS, reason="anywidget is not installed")


@pytest.fixture
def framed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return `view` as it is where anywidget is not installed."""
    monkeypatch.setattr(notebook, "find_spec", lambda _: None)
    return po.view


def test_without_the_extra_the_page_is_in_a_frame(framed: Any, tmp_path: Path) -> None:
    G = po.parse("a > b; 'x\"</iframe>&amp;' > b")
    po.write_page(G, tmp_path / "page.html", title='"Both" &lt;')
    html = framed(G, title='"Both" &lt;')._repr_html_()
    (page,) = re.findall('^<iframe srcdoc="([^"]*)" [^<>]*></iframe>$', html)
    assert unescape(page) == (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.skipif(HAS_WIDGETS, reason="anywidget is installed")
def test_a_frame_names_the_extra_that_goes_both_ways(framed: Any) -> None:
    view = framed({"a": 1})
    for name in ("selected", "alpha", "order"):
        for use in (partial(getattr, view, name), partial(setattr, view, name, None)):
            with pytest.raises(po.MissingExtraError, match=r"porank\[notebook\]"):
                use()


def test_a_view_of_nothing_is_refused() -> None:
    with pytest.raises(po.PorankError, match="expected an order, or preferences"):
        po.view(None)
    with pytest.raises(po.PorankError, match="expected a text as the title"):
        po.view({"a": 1}, title=3)  # type: ignore[arg-type]


@needs_widgets
def test_alpha_goes_both_ways_and_order_follows() -> None:
    P = relation(VOTES)
    view = po.view(P)
    assert view.alpha == po.minimal_threshold(P)
    told: list[Any] = []
    view.observe(lambda change: told.append(change["new"]), "alpha")
    points = [point for point in po.abstention_curve(P) if point.is_acyclic]
    for stop, point in enumerate(points):
        view.set_state({"alpha": stop})  # what the page sends
        assert view.alpha == point.alpha
        assert set(view.order.edges) == set(po.predict_order(P, alpha=point.alpha).edges)
    assert told == [Fraction(4, 5), 1]
    view.alpha = Fraction(4, 5)
    assert view.get_state()["alpha"] == 1


@needs_widgets
def test_an_order_that_no_threshold_gives_is_the_first_stop() -> None:
    G, P = po.from_ranking("fedcba"), relation(VOTES)
    view = po.view(G, preferences=P)
    assert (view.order, view.alpha, view.get_state()["alpha"]) == (G, None, 0)
    view.alpha = 1
    assert view.get_state()["alpha"] == 3
    view = po.view(po.predict_order(P, alpha=Fraction(4, 5)), preferences=P)
    assert (view.alpha, view.get_state()["alpha"]) == (Fraction(4, 5), 1)


@needs_widgets
def test_selected_items_go_both_ways() -> None:
    view = po.view({10: 1, "b": 2, 9: 3})
    view.set_state({"selected": [2, 0]})
    assert (view.selected, view.alpha) == (["b", 10], None)
    view.selected = [9]
    assert view.get_state()["selected"] == [1]


@needs_widgets
def test_what_cannot_be_shown_is_refused_and_nothing_changes() -> None:
    view = po.view(relation(VOTES))
    before = view.get_state(), view.selected, view.alpha
    for name, value, found in (
        ("alpha", 0.1, r"Fraction\(4, 5\).*not the float 0.1"),
        ("alpha", None, "not the NoneType None"),
        ("selected", ["a", "q"], "'f'.*not the str 'q'"),
    ):
        with pytest.raises(Exception, match=found):
            setattr(view, name, value)
        assert (view.get_state(), view.selected, view.alpha) == before


#: A notebook's side of the widget: a model that keeps what it is given, and tells whom it concerns.
HOST = """<!doctype html><body style="background: GROUND"><script>
SCRIPT
const kept = STATE, heard = [];
window.saved = 0;
window.model = {
  get: (name) => kept[name],
  set: (name, value) => {
    if (JSON.stringify(kept[name]) === JSON.stringify(value)) return;
    kept[name] = value;
    for (const [names, follow] of heard) if (names.includes(`change:${name}`)) follow();
  },
  on: (names, follow) => heard.push([names, follow]),
  off: (names, follow) => heard.splice(heard.findIndex((each) => each[1] === follow), 1),
  save_changes: () => { window.saved++; },
};
window.heard = heard;
window.stop = widget.render({ model, el: document.body });
</script>"""


@pytest.fixture
def host(opened: Callable[[Path], Any], tmp_path: Path) -> Callable[..., Any]:
    """Return how to open a page with the widget of an order, as its script shows it."""

    def open_host(order: Any, ground: str = "white", **options: Any) -> Any:
        text = files("porank.drawing.page").joinpath("web", "widget.js").read_text("utf-8")
        page = tmp_path / "page.html"
        po.write_page(order, page, **options)
        state = {"_page": page.read_text("utf-8"), "alpha": 0, "selected": []}
        html = HOST.replace("SCRIPT", text.replace("export default", "const widget ="))
        html = html.replace("STATE", json.dumps(state).replace("<", "\\u003c"))
        (tmp_path / "host.html").write_text(html.replace("GROUND", ground), encoding="utf-8")
        browser = opened(tmp_path / "host.html")
        browser.implicitly_wait(5)
        inside(browser, lambda: browser.find_element("css selector", "g.node"))
        browser.implicitly_wait(0)
        return browser

    return open_host


def inside(browser: Any, look: Callable[[], Any]) -> Any:
    """Return what is seen in the frame."""
    browser.switch_to.frame(browser.find_element("tag name", "iframe"))
    try:
        return look()
    finally:
        browser.switch_to.default_content()


def eventually(browser: Any, script: str, expected: Any) -> None:
    """Wait until a script in the frame gives what is expected; a message takes a moment."""
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 5).until(
        lambda _: inside(browser, lambda: browser.execute_script(f"return {script}")) == expected,
        f"{script} gives {expected}",
    )


def model(browser: Any) -> Any:
    return browser.execute_script("return [model.get('alpha'), model.get('selected')]")


THRESHOLD = "document.querySelector('#alpha').textContent"
SELECTED = (
    "[...document.querySelectorAll('.node.picked')]"
    ".map(node => node.getAttribute('aria-label')[0]).sort().join('')"
)


@pytest.mark.slow
@pytest.mark.browser
def test_the_page_in_a_widget_tells_and_follows_the_model(host: Any) -> None:
    from selenium.webdriver import ActionChains, Keys

    page = host(None, preferences=relation(VOTES))

    def use() -> None:
        page.find_element("id", "threshold").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        boxes = [page.find_element("css selector", f"g.node[aria-label^='{c}:']") for c in "cb"]
        hand = ActionChains(page, duration=0).move_to_element(boxes[0]).click()
        hand.key_down(Keys.SHIFT).move_to_element(boxes[1]).click().key_up(Keys.SHIFT).perform()

    inside(page, use)
    eventually(page, SELECTED, "bc")
    assert model(page) == [2, [2, 1]]
    saved = page.execute_script("return saved")
    page.execute_script("model.set('alpha', 1); model.set('selected', [0, 5])")
    eventually(page, THRESHOLD, "4/5")
    eventually(page, SELECTED, "af")
    assert page.execute_script("return saved") == saved, "what is set is not told back"
    page.execute_script("stop()")
    assert page.execute_script("return heard.length") == 0


@pytest.mark.slow
@pytest.mark.browser
def test_the_page_is_as_dark_as_the_notebook(host: Any) -> None:
    for ground, dark in (("#111", True), ("oklch(0.95 0 0)", False)):
        page = host({"a": 1}, ground=ground)
        eventually(page, "document.documentElement.classList.contains('dark')", dark)


@pytest.mark.slow
@pytest.mark.browser
def test_a_click_selects_a_box_with_all_its_items_and_lets_it_go(host: Any) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.support.ui import WebDriverWait

    page = host(po.parse("a ~ b > c"))

    def click(name: str) -> None:
        box = page.find_element("css selector", f"g.node[aria-label^='{name}']")
        ActionChains(page, duration=0).move_to_element(box).click().perform()

    def click_and_wait(name: str, chosen: list[int]) -> None:
        inside(page, lambda: click(name))
        WebDriverWait(page, 5).until(lambda _: model(page) == [0, chosen])

    click_and_wait("c", [2])
    click_and_wait("a", [0, 1])
    click_and_wait("a", [])
