"""The page in a notebook: in a frame."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import porank as po
from porank.errors import GraphTypeError, PorankError


def test_the_page_is_in_a_frame(tmp_path: Path) -> None:
    G = po.parse("a > b; 'x\"</iframe>&amp;' > b")
    po.write_page(G, tmp_path / "page.html", title='"Both" &lt;')
    view = po.view(G, title='"Both" &lt;')
    (page,) = re.findall('^<iframe srcdoc="([^"]*)" [^<>]*></iframe>$', view._repr_html_())
    assert unescape(page) == (tmp_path / "page.html").read_text("utf-8")


def test_bad_input_is_refused_in_words() -> None:
    refused: list[tuple[Callable[..., Any], list[Any], dict[str, Any], type[Exception], str]] = [
        (po.view, [None], {}, GraphTypeError, ""),
        (po.view, [po.parse("a > b")], {"title": 3}, PorankError, "text as the title, found 3"),
    ]
    for draw, args, options, error, word in refused:
        with pytest.raises(error, match=word or None):
            draw(*args, **options)
