"""The page in a notebook: a frame without anywidget, and with it a widget that goes both ways."""

from __future__ import annotations

import importlib.util
import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
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


def test_without_the_extra_the_page_is_in_a_frame(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(notebook, "find_spec", lambda _: None)
    G = po.parse("a > b; 'x\"</iframe>&amp;' > b")
    po.write_page(G, tmp_path / "page.html", title='"Both" &lt;')
    view: Any = po.view(G, title='"Both" &lt;')
    (page,) = re.findall('^<iframe srcdoc="([^"]*)" [^<>]*></iframe>$', view._repr_html_())
    assert unescape(page) == (tmp_path / "page.html").read_text("utf-8")
    if not HAS_WIDGETS:
        with pytest.raises(po.errors.MissingExtraError, match=r"porank\[notebook\]"):
            view.selected  # noqa: B018
        with pytest.raises(po.errors.MissingExtraError, match=r"porank\[notebook\]"):
            view.alpha = 1


@needs_widgets
def test_alpha_and_selected_items_go_both_ways_and_the_order_follows() -> None:
    P = relation(VOTES)
    view = po.view(P)
    assert view.alpha == po.minimal_threshold(P)
    told: list[Any] = []
    view.observe(lambda change: told.append(change["new"]), "alpha")
    points = [point for point in po.abstention_curve(P) if point.is_acyclic]
    for stop, point in enumerate(points):
        view.set_state({"alpha": stop})  # what the page sends
        assert view.alpha == point.alpha
        assert set(view.order().edges) == set(po.predict_order(P, alpha=point.alpha).edges)
    assert told == [Fraction(4, 5), 1]
    view.alpha = Fraction(4, 5)
    assert view.get_state()["alpha"] == 1
    before = view.get_state(), view.selected, view.alpha
    for name, value, found in (
        ("alpha", 0.1, r"Fraction\(4, 5\).*not the float 0.1"),
        ("alpha", None, "not the NoneType None"),
        ("selected", ["a", "q"], "'f'.*not the str 'q'"),
    ):
        with pytest.raises(Exception, match=found):
            setattr(view, name, value)
        assert (view.get_state(), view.selected, view.alpha) == before
    # An order that no threshold gives is the first stop.
    G = po.from_ranking("fedcba")
    view = po.view(G, preferences=P)
    assert (view.order(), view.alpha, view.get_state()["alpha"]) == (G, None, 0)
    view.alpha = 1
    assert view.get_state()["alpha"] == 3
    view = po.view({10: 1, "b": 2, 9: 3})
    view.set_state({"selected": [2, 0]})
    assert (view.selected, view.alpha) == (["b", 10], None)
    view.selected = [9]
    assert view.get_state()["selected"] == [1]


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

    def open_host(order: Any, ground: str, **options: Any) -> Any:
        file = io.StringIO()
        po.write_page(order, file, **options)
        state = json.dumps({"_page": file.getvalue(), "alpha": 0, "selected": []})
        script = files("porank.drawing.page").joinpath("web", "widget.js").read_text("utf-8")
        html = HOST.replace("SCRIPT", script.replace("export default", "const widget ="))
        html = html.replace("STATE", state.replace("<", "\\u003c")).replace("GROUND", ground)
        (tmp_path / "host.html").write_text(html, "utf-8")
        page = opened(tmp_path / "host.html")
        eventually(page, "document.querySelector('g.node') !== null", True)
        return page

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

    page = host(None, ground="#111", preferences=relation(VOTES))
    eventually(page, "document.documentElement.classList.contains('dark')", True)

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
def test_a_click_selects_a_box_with_all_its_items_and_lets_it_go(host: Any) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    page = host(po.parse("a ~ b > c"), ground="oklch(0.95 0 0)")
    eventually(page, "document.documentElement.classList.contains('dark')", False)

    def click_and_wait(name: str, chosen: list[int]) -> None:
        selector = f"g.node[aria-label^='{name}']"
        inside(page, lambda: page.find_element("css selector", selector).click())
        WebDriverWait(page, 5).until(lambda _: model(page) == [0, chosen])

    for name, chosen in (("c", [2]), ("a", [0, 1]), ("a", [])):
        click_and_wait(name, chosen)
