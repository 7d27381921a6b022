"""The page in a notebook: in a frame."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import porank as po


def test_the_page_is_in_a_frame(tmp_path: Path) -> None:
    G = po.parse("a > b; 'x\"</iframe>&amp;' > b")
    po.write_page(G, tmp_path / "page.html", title='"Both" &lt;')
    view = po.view(G, title='"Both" &lt;')
    (page,) = re.findall('^<iframe srcdoc="([^"]*)" [^<>]*></iframe>$', view._repr_html_())
    assert unescape(page) == (tmp_path / "page.html").read_text("utf-8")
