"""The page in a notebook: a frame in the colours of what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import porank as po
from porank.errors import PorankError
from tests.support.drawn import relation


def test_the_page_is_in_a_frame(tmp_path: Path) -> None:
    G = po.parse("a > b; 'x\"</iframe>&amp;' > b")
    po.write_page(G, tmp_path / "page.html", title='"Both" &lt;')
    view = po.view(G, title='"Both" &lt;')
    (page,) = re.findall('^<iframe srcdoc="([^"]*)" [^<>]*></iframe>$', view._repr_html_())
    assert unescape(page) == (tmp_path / "page.html").read_text("utf-8")


def test_a_relation_has_a_slider() -> None:
    P = relation(("abc", "acb", "bac"))
    assert po.view(P).html == po.view(None, preferences=P).html


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("ground", ["#111", "oklch(0.95 0 0)"])
def test_a_framed_page_is_dark_on_dark_ground(
    opened: Callable[[Path], Any], tmp_path: Path, ground: str
) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    frame = po.view(po.parse("a ~ b > c"))._repr_html_()
    text = f'<!doctype html><body style="background: {ground}">{frame}'
    (tmp_path / "host.html").write_text(text, "utf-8")
    browser = opened(tmp_path / "host.html")
    browser.switch_to.frame(browser.find_element("tag name", "iframe"))
    look = "return document.querySelector('g.node') && document.documentElement.className + '.'"
    classes = WebDriverWait(browser, 5).until(lambda _: browser.execute_script(look))
    assert ("dark" in classes) is (ground == "#111")
    browser.switch_to.default_content()


def test_bad_input_is_refused_in_words() -> None:
    refused: list[tuple[Callable[..., Any], list[Any], dict[str, Any], type[Exception], str]] = [
        (po.view, [None], {}, PorankError, "expected an order or preferences"),
        (po.view, [po.parse("a > b")], {"title": 3}, PorankError, "text as the title, found 3"),
    ]
    for draw, args, options, error, word in refused:
        with pytest.raises(error, match=word or None):
            draw(*args, **options)
